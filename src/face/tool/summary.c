/* SPDX-License-Identifier: MIT */
#include "face/tool/summary.h"

#include <pfifo/classes.h>

#include "face/tool/tool.h"

#include <inttypes.h>
#include <string.h>

enum { NOT_EXECUTED_SHOWN = 8, UNKNOWN_SHOWN = 16 };

static const char *const stop_names[] = {
    [PFIFO_STOP_IDLE] = "idle",           [PFIFO_STOP_BUDGET] = "budget", [PFIFO_STOP_WAITING] = "waiting",
    [PFIFO_STOP_INTERRUPT] = "interrupt", [PFIFO_STOP_FROZEN] = "frozen",
};

bool summary_faulted(const struct summary *summary) {
    return summary->result->faults || summary->result->interrupted || summary->result->stop != PFIFO_STOP_IDLE ||
           summary->result->stop_message[0];
}

static const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

static void head_text(const struct summary *summary, const struct pfifo_stats_totals *totals, FILE *file) {
    const struct replay_result *result = summary->result;

    fprintf(file, "%s: %s, %" PRIu64 " submission%s, %" PRIu64 " word%s, %" PRIu64 " method%s\n", summary->name,
            pfifo_chip_info(summary->chip).name, result->submissions, plural(result->submissions), result->words,
            plural(result->words), totals->methods, plural(totals->methods));
    fprintf(file, "  fences        %" PRIu64 " written, %" PRIu64 " bytes\n", totals->fences, totals->fence_bytes);
    fprintf(file, "  waits         %" PRIu64 "\n", totals->waits);
    if (result->changed)
        fprintf(file, "  segments      %" PRIu64 " with words that are not as recorded\n", result->changed);
}

static void refused_text(const struct replay_result *result, FILE *file) {
    if (!result->refused)
        return;
    fprintf(file, "  objects       %" PRIu64 " not made\n", result->refused);
    for (size_t i = 0; i < result->refused && i < REPLAY_MAX_REFUSED; i++) {
        const struct replay_refused *refused = &result->refusal[i];
        const struct pfifo_class *class = pfifo_class_find(refused->oclass);
        fprintf(file, "            0x%08" PRIx32 " of class 0x%04" PRIx32 " %s: %s\n", refused->handle, refused->oclass,
                class ? class->name : "?", refused->message);
    }
}

static void summary_stop_text(const struct replay_result *result, FILE *file) {
    if (result->interrupted) {
        fprintf(file, "  interrupted   in submission %" PRIu32 " of the capture\n", result->stop_submission);
        return;
    }
    if (result->stop == PFIFO_STOP_IDLE && !result->stop_message[0])
        return;
    fprintf(file, "  stopped       in submission %" PRIu32 ": ", result->stop_submission);
    if (result->stop_message[0])
        fprintf(file, "%s\n", result->stop_message);
    else if (result->stop == PFIFO_STOP_BUDGET)
        fprintf(file, "it did not end within the budget of %" PRIu64 " units, which --budget sets\n", result->budget);
    else if (result->stop == PFIFO_STOP_WAITING && !result->stop_info.in_memory)
        fputs("waits for an engine\n", file);
    else if (result->stop == PFIFO_STOP_WAITING)
        fprintf(file, "waits for 0x%" PRIx32 " at 0x%" PRIx64 ", finds 0x%" PRIx32 "\n", result->stop_info.expected,
                result->stop_info.address, result->stop_info.found);
    else if (result->stop == PFIFO_STOP_INTERRUPT)
        fputs("an interrupt cannot be cleared\n", file);
    else
        fputs("the front end is switched off\n", file);
}

void summary_text(const struct summary *summary, FILE *file) {
    const struct pfifo_stats_totals *totals = pfifo_stats_totals(summary->stats);

    head_text(summary, totals, file);
    refused_text(summary->result, file);
    faults_text(summary, file);
    if (totals->foreign)
        fprintf(file,
                "  foreign       %" PRIu64 " classes that the chip does not have, see --trace=engine.foreign_class\n",
                totals->foreign);
    unknown_text(summary->unknown, summary->stats, summary->all ? SIZE_MAX : UNKNOWN_SHOWN, file);
    fprintf(file, "  not executed  %" PRIu64 "\n", totals->not_executed);
    stats_not_executed_text(summary->stats, summary->all ? SIZE_MAX : NOT_EXECUTED_SHOWN, file);
    summary_stop_text(summary->result, file);
    if (summary->all)
        stats_text(summary->stats, file);
}

static void refused_json(const struct replay_result *result, FILE *file) {
    fprintf(file, ",\"objects_not_made\":%" PRIu64 ",\"object_not_made\":[", result->refused);
    for (size_t i = 0; i < result->refused && i < REPLAY_MAX_REFUSED; i++) {
        fprintf(file, "%s{\"handle\":%" PRIu32 ",\"class\":%" PRIu32 ",\"reason\":", i ? "," : "",
                result->refusal[i].handle, result->refusal[i].oclass);
        tool_json_string(file, result->refusal[i].message);
        fputc('}', file);
    }
    fputc(']', file);
}

static void stop_json(const struct replay_result *result, FILE *file) {
    fprintf(file, ",\"stop\":\"%s\"", stop_names[result->stop]);
    if (result->interrupted)
        fputs(",\"interrupted\":true", file);
    if (result->stop != PFIFO_STOP_IDLE)
        fprintf(file, ",\"stop_submission\":%" PRIu32, result->stop_submission);
    if (result->stop_message[0]) {
        fputs(",\"stop_message\":", file);
        tool_json_string(file, result->stop_message);
    } else if (result->stop == PFIFO_STOP_WAITING && result->stop_info.in_memory) {
        fprintf(file, ",\"wait_address\":%" PRIu64 ",\"wait_expected\":%" PRIu32 ",\"wait_found\":%" PRIu32,
                result->stop_info.address, result->stop_info.expected, result->stop_info.found);
    }
}

void summary_json(const struct summary *summary, FILE *file) {
    const struct pfifo_stats_totals *totals = pfifo_stats_totals(summary->stats);
    const struct replay_result *result = summary->result;

    fputs("{\"file\":", file);
    tool_json_string(file, summary->file);
    fprintf(file,
            ",\"event\":\"summary\",\"chip\":\"%s\",\"submissions\":%" PRIu64 ",\"words\":%" PRIu64
            ",\"methods\":%" PRIu64 ",\"fences\":%" PRIu64 ",\"fence_bytes\":%" PRIu64 ",\"waits\":%" PRIu64
            ",\"changed\":%" PRIu64,
            pfifo_chip_info(summary->chip).name, result->submissions, result->words, totals->methods, totals->fences,
            totals->fence_bytes, totals->waits, result->changed);
    refused_json(result, file);
    faults_json(summary, file);
    unknown_json(summary->unknown, summary->stats, file);
    fprintf(file, ",\"not_executed\":%" PRIu64 ",\"not_executed_methods\":", totals->not_executed);
    stats_not_executed_json(summary->stats, file);
    stop_json(result, file);
    if (summary->all)
        stats_json(summary->stats, file);
    fputs("}\n", file);
}
