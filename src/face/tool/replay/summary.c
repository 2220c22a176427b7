/* SPDX-License-Identifier: MIT */
#include "face/tool/replay/summary.h"

#include <pfifo/classes.h>

#include "face/common/text.h"

#include <inttypes.h>

const char *const summary_stop_names[] = {
    [PFIFO_STOP_IDLE] = "idle",           [PFIFO_STOP_BUDGET] = "budget", [PFIFO_STOP_WAITING] = "waiting",
    [PFIFO_STOP_INTERRUPT] = "interrupt", [PFIFO_STOP_FROZEN] = "frozen",
};

bool summary_faulted(const struct summary *summary) {
    return summary->result->faults || summary->result->interrupted || summary->result->stop != PFIFO_STOP_IDLE ||
           summary->result->stop_message[0];
}

static void refused_text(const struct pfifo_replay_result *result, FILE *file) {
    if (!result->refused)
        return;
    fprintf(file, "  objects       %" PRIu64 " not made\n", result->refused);
    for (size_t i = 0; i < result->refused && i < PFIFO_REPLAY_REFUSED; i++) {
        const struct pfifo_replay_refused *refused = &result->refusal[i];
        const struct pfifo_class *class = pfifo_class_find(refused->oclass);
        fprintf(file, "            0x%08" PRIx32 " of class 0x%04" PRIx32 " %s: %s\n", refused->handle, refused->oclass,
                class ? class->name : "?", refused->message);
    }
}

static void summary_stop_text(const struct pfifo_replay_result *result, FILE *file) {
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
    else if (result->stop == PFIFO_STOP_WAITING && result->stop_info.is_syncpoint)
        fprintf(file, "channel %" PRIu32 " waits for syncpoint %" PRIu64 " to reach %" PRIu32 ", it is %" PRIu32 "\n",
                result->stop_info.channel, result->stop_info.address, result->stop_info.expected,
                result->stop_info.found);
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
    const struct pfifo_replay_result *result = summary->result;

    counts_head_text(&summary->counts, file);
    if (result->changed)
        fprintf(file, "  segments      %" PRIu64 " with words that are not as recorded\n", result->changed);
    refused_text(result, file);
    faults_text(summary, file);
    counts_methods_text(&summary->counts, file);
    summary_stop_text(result, file);
    if (summary->counts.all)
        stats_text(summary->counts.stats, file);
}

static void refused_json(const struct pfifo_replay_result *result, FILE *file) {
    fprintf(file, ",\"objects_not_made\":%" PRIu64 ",\"object_not_made\":[", result->refused);
    for (size_t i = 0; i < result->refused && i < PFIFO_REPLAY_REFUSED; i++) {
        fprintf(file, "%s{\"handle\":%" PRIu32 ",\"class\":%" PRIu32 ",\"reason\":", i ? "," : "",
                result->refusal[i].handle, result->refusal[i].oclass);
        text_json_string(file, result->refusal[i].message);
        fputc('}', file);
    }
    fputc(']', file);
}

static void stop_json(const struct pfifo_replay_result *result, FILE *file) {
    fprintf(file, ",\"stop\":\"%s\"", summary_stop_names[result->stop]);
    if (result->interrupted)
        fputs(",\"interrupted\":true", file);
    if (result->stop != PFIFO_STOP_IDLE)
        fprintf(file, ",\"stop_submission\":%" PRIu32, result->stop_submission);
    if (result->stop_message[0]) {
        fputs(",\"stop_message\":", file);
        text_json_string(file, result->stop_message);
    } else if (result->stop == PFIFO_STOP_WAITING && result->stop_info.in_memory) {
        fprintf(file, ",\"wait_address\":%" PRIu64 ",\"wait_expected\":%" PRIu32 ",\"wait_found\":%" PRIu32,
                result->stop_info.address, result->stop_info.expected, result->stop_info.found);
    } else if (result->stop == PFIFO_STOP_WAITING && result->stop_info.is_syncpoint) {
        fprintf(file, ",\"wait_syncpoint\":%" PRIu64 ",\"wait_expected\":%" PRIu32 ",\"wait_found\":%" PRIu32,
                result->stop_info.address, result->stop_info.expected, result->stop_info.found);
    }
}

void summary_json(const struct summary *summary, FILE *file) {
    const struct pfifo_replay_result *result = summary->result;

    fputs("{\"file\":", file);
    text_json_string(file, summary->file);
    fputs(",\"event\":\"summary\"", file);
    counts_head_json(&summary->counts, file);
    fprintf(file, ",\"changed\":%" PRIu64, result->changed);
    refused_json(result, file);
    faults_json(summary, file);
    counts_methods_json(&summary->counts, file);
    stop_json(result, file);
    if (summary->counts.all)
        stats_json(summary->counts.stats, file);
    fputs("}\n", file);
}
