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

static void refused_json(const struct pfifo_replay_result *result, struct json_writer *json) {
    json_put_number(json, "objects_not_made", result->refused);
    json_open(json, "object_not_made", '[');
    for (size_t i = 0; i < result->refused && i < PFIFO_REPLAY_REFUSED; i++) {
        json_open(json, NULL, '{');
        json_put_number(json, "handle", result->refusal[i].handle);
        json_put_number(json, "class", result->refusal[i].oclass);
        json_put_text(json, "reason", result->refusal[i].message);
        json_close(json);
    }
    json_close(json);
}

static void wait_json(const struct pfifo_stop_info *stop, struct json_writer *json) {
    json_put_number(json, stop->in_memory ? "wait_address" : "wait_syncpoint", stop->address);
    json_put_number(json, "wait_expected", stop->expected);
    json_put_number(json, "wait_found", stop->found);
}

static void stop_json(const struct pfifo_replay_result *result, struct json_writer *json) {
    const struct pfifo_stop_info *stop = &result->stop_info;

    json_put_text(json, "stop", summary_stop_names[result->stop]);
    if (result->interrupted)
        json_put_bool(json, "interrupted", true);
    if (result->stop != PFIFO_STOP_IDLE)
        json_put_number(json, "stop_submission", result->stop_submission);
    if (result->stop_message[0])
        json_put_text(json, "stop_message", result->stop_message);
    else if (result->stop == PFIFO_STOP_WAITING && (stop->in_memory || stop->is_syncpoint))
        wait_json(stop, json);
}

void summary_json(const struct summary *summary, FILE *file) {
    const struct pfifo_replay_result *result = summary->result;
    struct json_writer json = {.file = file};

    json_open(&json, NULL, '{');
    json_put_text(&json, "file", summary->file);
    json_put_text(&json, "event", "summary");
    counts_head_json(&summary->counts, &json);
    json_put_number(&json, "changed", result->changed);
    refused_json(result, &json);
    faults_json(summary, &json);
    counts_methods_json(&summary->counts, &json);
    stop_json(result, &json);
    if (summary->counts.all)
        stats_json(summary->counts.stats, &json);
    json_close_line(&json);
}
