/* SPDX-License-Identifier: MIT */
#include "lint/lint.h"

#include "chip/config.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define EVENTS                                                                                                         \
    "puller.method,puller.acquire,puller.syncpoint,puller.release,engine.acquire,engine.fence,engine.done,"            \
    "fifo.syncpoint"

enum event {
    PULLER_METHOD,
    PULLER_ACQUIRE,
    PULLER_SYNCPOINT,
    PULLER_RELEASE,
    ENGINE_ACQUIRE,
    ENGINE_FENCE,
    ENGINE_DONE,
    FIFO_SYNCPOINT,
    EVENT_KINDS
};

static const char *const event_names[EVENT_KINDS] = {
    "puller.method",  "puller.acquire", "puller.syncpoint", "puller.release",
    "engine.acquire", "engine.fence",   "engine.done",      "fifo.syncpoint",
};

/* A run of pfifo_lint_stream(). */
struct lint_run {
    struct lint lint;
    size_t number[EVENT_KINDS]; /* of each event */
};

static void lint_observe(void *opaque, const struct pfifo_event *event) {
    struct lint_run *run = opaque;
    struct lint *lint = &run->lint;
    const uint64_t *value = event->value;
    const struct lint_fence memory = {false, value[0]}, syncpoint = {true, value[0]};

    if (event->id == run->number[PULLER_METHOD]) {
        lint_words_method(lint, event->channel);
        lint_method(lint, event);
    } else if (event->id == run->number[PULLER_ACQUIRE] || event->id == run->number[ENGINE_ACQUIRE]) {
        lint_waits_look(lint, event, memory, (uint32_t)value[1], strcmp(event->text, "waits") == 0);
    } else if (event->id == run->number[PULLER_SYNCPOINT]) {
        lint_waits_look(lint, event, syncpoint, (uint32_t)value[1], strcmp(event->text, "waits") == 0);
    } else if (event->id == run->number[PULLER_RELEASE]) {
        lint_words_written(lint, event->channel, value[0], value[2]);
        lint_waits_release(lint, event, memory, (uint32_t)value[1], true);
    } else if (event->id == run->number[ENGINE_FENCE]) {
        lint_words_written(lint, event->channel, value[0], value[2]);
        lint_waits_release(lint, event, memory, (uint32_t)value[1], strcmp(event->text, "semaphore") == 0);
    } else if (event->id == run->number[ENGINE_DONE]) {
        lint_words_written(lint, event->channel, value[2], value[3]);
    } else {
        lint_waits_release(lint, event, syncpoint, (uint32_t)value[1], true);
    }
}

static void lint_record(void *opaque, const struct pfifo_stream_record *record) {
    struct lint *lint = opaque;

    if (record->type == PFIFO_STREAM_SUBMIT)
        lint->sequence = record->submit.sequence;
    lint->ended = record->type == PFIFO_STREAM_END;
    lint_waits_record(lint, record);
    lint_words_record(lint, record);
}

/* False: no memory. */
static bool make(struct lint *lint) {
    lint->findings = lint_findings_new();
    lint->methods = lint_methods_new(pfifo_gpu_chip(pfifo_replay_gpu(lint->replay)));
    lint->waits = lint_waits_new();
    lint->words = lint_words_new();
    return lint->findings && lint->methods && lint->waits && lint->words;
}

static void lint_free(struct lint *lint) {
    lint_findings_free(lint->findings);
    lint_methods_free(lint->methods);
    lint_waits_free(lint->waits);
    lint_words_free(lint->words);
    pfifo_replay_free(lint->replay);
}

static enum pfifo_status play(struct lint *lint, const struct pfifo_lint_options *options,
                              struct pfifo_lint_result *result, struct pfifo_error *error) {
    const struct pfifo_replay_watch watch = {.enough = options->enough, .opaque = options->opaque};
    const struct pfifo_replay_result *played = pfifo_replay_result(lint->replay);
    enum pfifo_status status = PFIFO_OK;
    bool more = true;

    pfifo_replay_set_watch(lint->replay, &watch);
    replay_tell_records(lint->replay, lint_record, lint);
    while (more && status == PFIFO_OK) {
        status = pfifo_replay_next(lint->replay, &more, error);
        lint_words_ran(lint);
    }
    replay_tell_records(lint->replay, NULL, NULL);
    result->submissions = played->submissions;
    result->faults = played->faults;
    result->stop = played->stop;
    result->whole = status == PFIFO_OK && lint->ended;
    return status;
}

static enum pfifo_status look(struct lint_run *run, const struct pfifo_lint_options *options, bool truncated,
                              struct pfifo_lint_result *result, struct pfifo_error *error) {
    struct lint *lint = &run->lint;
    struct pfifo_gpu *gpu = pfifo_replay_gpu(lint->replay);
    enum pfifo_status status;

    for (size_t i = 0; i < EVENT_KINDS; i++)
        run->number[i] = pfifo_event_find(event_names[i]);
    lint->host_class = pfifo_chip_info(pfifo_gpu_chip(gpu)).host_class;
    status = pfifo_gpu_observe(gpu, EVENTS, lint_observe, run, error);
    if (status != PFIFO_OK)
        return status;
    status = play(lint, options, result, error);
    /* What comes later might have released it. */
    if (result->whole && !truncated)
        lint_waits_end(lint);
    pfifo_gpu_unobserve(gpu, lint_observe, run);
    return status;
}

/* The first version ended with `opaque`. */
#define OPTIONS_FIRST (offsetof(struct pfifo_lint_options, opaque) + sizeof(void *))

enum pfifo_status pfifo_lint_stream(struct pfifo_stream *stream, const struct pfifo_lint_options *given,
                                    pfifo_lint_sink sink, void *opaque, struct pfifo_lint_result *result,
                                    struct pfifo_error *error) {
    struct pfifo_lint_options options = {0};
    struct pfifo_lint_result counted = {0};
    struct lint_run run = {0};
    enum pfifo_status status;

    status =
        given ? config_read(&options, sizeof options, given, OPTIONS_FIRST, "pfifo_lint_options", error) : PFIFO_OK;
    if (status != PFIFO_OK)
        return status;
    struct pfifo_replay_config config = {
        .size = sizeof config, .chip = options.chip, .budget = options.budget, .locate = true};
    struct pfifo_error reason = {0};
    run.lint.wanted = lint_rules_named(options.rules, error);
    if (!run.lint.wanted)
        return PFIFO_ERROR_ARGUMENT;
    run.lint.version_2 = pfifo_stream_version(stream) >= 2;
    run.lint.replay = pfifo_replay_new(stream, &config, &reason);
    if (!run.lint.replay)
        return pfifo_error_set(error, reason.status, "%s", reason.message);
    if (make(&run.lint)) {
        status = look(&run, &options, pfifo_stream_truncated(stream), &counted, error);
        lint_findings_count(run.lint.findings, &counted);
        lint_findings_give(run.lint.findings, sink, opaque);
    } else {
        status = pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for findings");
    }
    lint_free(&run.lint);
    if (result)
        *result = counted;
    return status;
}
