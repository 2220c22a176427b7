/* SPDX-License-Identifier: MIT */
#include "lint/lint.h"

#include "chip/chip.h"
#include "chip/config.h"
#include "event/event.h"

#include <stddef.h>
#include <stdlib.h>

#define EVENTS                                                                                                         \
    "puller.method,puller.acquire,puller.syncpoint,puller.release,puller.reference,puller.software,engine.acquire,"    \
    "engine.fence,engine.interrupt,engine.macro,engine.macro_method,engine.read,engine.write,engine.missing,"          \
    "engine.error,fifo.syncpoint"

static void somebody_looks(struct lint *lint, const struct pfifo_event *event, struct lint_fence fence) {
    bool waits = event->word == PFIFO_WORD_WAITS;

    lint_waits_look(lint, event, fence, (uint32_t)event->value[1], waits);
    if (!waits)
        lint_order_acquire(lint, event->channel, fence, (uint32_t)event->value[2]);
}

static void somebody_releases(struct lint *lint, const struct pfifo_event *event, struct lint_fence fence,
                              bool is_fence) {
    if (!fence.is_syncpoint)
        lint_surfaces_reported(lint, event->channel, event->value[0]);
    lint_waits_release(lint, event, fence, (uint32_t)event->value[1], is_fence);
    lint_order_release(lint, event->channel, fence, (uint32_t)event->value[1]);
}

static void lint_observe(void *opaque, const struct pfifo_event *event) {
    struct lint *lint = opaque;
    const uint64_t *value = event->value;
    const struct lint_fence memory = {false, value[0]}, syncpoint = {true, value[0]};

    switch ((enum event_id)event->id) {
    case EVENT_PULLER_METHOD:
        lint_words_method(lint, event->channel);
        lint_order_method(lint, event->channel, (uint32_t)value[1], (uint32_t)value[2]);
        lint_method(lint, event);
        lint_macros_method(lint, event->channel, (uint32_t)value[1], (uint32_t)value[2], (uint32_t)value[3]);
        return;
    case EVENT_ENGINE_MACRO:
        lint_macros_call(lint, event);
        return;
    case EVENT_ENGINE_MACRO_METHOD:
        lint_order_method(lint, event->channel, (uint32_t)value[0], (uint32_t)value[1]);
        lint_macro_method(lint, event);
        lint_macros_method(lint, event->channel, (uint32_t)value[0], (uint32_t)value[1], (uint32_t)value[2]);
        return;
    case EVENT_PULLER_ACQUIRE:
    case EVENT_ENGINE_ACQUIRE:
        somebody_looks(lint, event, memory);
        return;
    case EVENT_PULLER_SYNCPOINT:
        somebody_looks(lint, event, syncpoint);
        return;
    case EVENT_PULLER_RELEASE:
        somebody_releases(lint, event, memory, true);
        return;
    case EVENT_ENGINE_FENCE:
        somebody_releases(lint, event, memory, event->word == PFIFO_WORD_SEMAPHORE);
        return;
    case EVENT_FIFO_SYNCPOINT:
        somebody_releases(lint, event, syncpoint, true);
        return;
    case EVENT_PULLER_REFERENCE:
    case EVENT_PULLER_SOFTWARE:
    case EVENT_ENGINE_INTERRUPT:
        lint_order_tells_cpu(lint, event->channel);
        return;
    case EVENT_ENGINE_READ:
        lint_surfaces_read(lint, event);
        return;
    case EVENT_ENGINE_WRITE:
        lint_surfaces_write(lint, event);
        return;
    case EVENT_ENGINE_MISSING:
        lint_missing_state(lint, event);
        return;
    case EVENT_ENGINE_ERROR:
        lint_missing_error(lint, event);
        return;
    default:
        return;
    }
}

static void lint_record(void *opaque, const struct pfifo_stream_record *record) {
    struct lint *lint = opaque;

    if (record->type == PFIFO_STREAM_SUBMIT)
        lint->sequence = record->submit.sequence;
    lint->ended = record->type == PFIFO_STREAM_END;
    lint_waits_record(lint, record);
    lint_words_record(lint, record);
    lint_order_record(lint, record);
    lint_surfaces_record(lint, record);
    lint_cpu_record(lint, record);
    lint_macros_record(lint, record);
}

/* False: no memory. */
static bool lint_make(struct lint *lint, const struct pfifo_chip *chip) {
    lint->findings = lint_findings_new();
    lint->methods = lint_methods_new(chip);
    if (!lint->replay) /* the others are of rules that need a machine */
        return lint->findings && lint->methods;
    lint->macros = lint_macros_new(chip);
    lint->waits = lint_waits_new();
    lint->words = lint_words_new(lint);
    lint->order = lint_order_new();
    lint->surfaces = lint_surfaces_new();
    lint->has_spaces = chip_has_page_tables(chip);
    return lint->findings && lint->methods && lint->macros && lint->waits && lint->words && lint->order &&
           lint->surfaces;
}

static void lint_free(struct lint *lint) {
    lint_findings_free(lint->findings);
    lint_methods_free(lint->methods);
    lint_macros_free(lint->macros);
    lint_waits_free(lint->waits);
    lint_words_free(lint);
    lint_order_free(lint->order);
    lint_surfaces_free(lint->surfaces);
    pfifo_replay_free(lint->replay);
}

static enum pfifo_status lint_play(struct lint *lint, const struct pfifo_lint_options *options,
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
        lint_order_ran(lint);
    }
    replay_tell_records(lint->replay, NULL, NULL);
    result->submissions = played->submissions;
    result->faults = played->faults;
    result->stop = played->stop;
    result->whole = status == PFIFO_OK && lint->ended;
    return status;
}

static enum pfifo_status lint_look(struct lint *lint, const struct pfifo_lint_options *options, bool truncated,
                                   struct pfifo_lint_result *result, struct pfifo_error *error) {
    struct pfifo_gpu *gpu = pfifo_replay_gpu(lint->replay);
    enum pfifo_status status;

    lint->host_class = pfifo_chip_info(pfifo_gpu_chip(gpu)).host_class;
    status = pfifo_gpu_observe(gpu, EVENTS, lint_observe, lint, error);
    if (status != PFIFO_OK)
        return status;
    status = lint_play(lint, options, result, error);
    /* What comes later might have released it. */
    if (result->whole && !truncated)
        lint_waits_end(lint);
    pfifo_gpu_unobserve(gpu, lint_observe, lint);
    return status;
}

/* The chip, if its machine is not built, and the words are its own. NULL: they are to be run, or that says why not. */
static const struct pfifo_chip *lint_decodes(struct pfifo_stream *stream, const struct pfifo_chip *wanted) {
    const struct pfifo_chip *recorded = pfifo_chip_by_id(pfifo_stream_chipset(stream));
    const struct pfifo_chip *chip = wanted ? wanted : recorded;

    if (!chip || pfifo_chip_info(chip).runs || (recorded && recorded->binds_classes != chip->binds_classes))
        return NULL;
    return chip;
}

/* Is any rule wanted that needs no machine? */
static bool lint_runs_without_machine(const struct lint *lint) {
    for (unsigned i = 0; i < LINT_RULES; i++)
        if (lint_wants(lint, (enum lint_rule)i) && !lint_rules[i].needs_machine)
            return true;
    return false;
}

static enum pfifo_status lint_replay(struct lint *lint, struct pfifo_stream *stream,
                                     const struct pfifo_lint_options *options, struct pfifo_error *error) {
    const struct pfifo_replay_config config = {
        .size = sizeof config, .chip = options->chip, .budget = options->budget, .locate = true};
    struct pfifo_error reason = {0};

    lint->replay = pfifo_replay_new(stream, &config, &reason);
    return lint->replay ? PFIFO_OK : pfifo_error_set(error, reason.status, "%s", reason.message);
}

/* The first version ended with `opaque`. */
#define OPTIONS_FIRST (offsetof(struct pfifo_lint_options, opaque) + sizeof(void *))

enum pfifo_status pfifo_lint_stream(struct pfifo_stream *stream, const struct pfifo_lint_options *given,
                                    pfifo_lint_sink sink, void *opaque, struct pfifo_lint_result *result,
                                    struct pfifo_error *error) {
    struct pfifo_lint_options options = {0};
    struct pfifo_lint_result counted = {0};
    struct lint lint = {0};
    enum pfifo_status status;

    status =
        given ? config_read(&options, sizeof options, given, OPTIONS_FIRST, "pfifo_lint_options", error) : PFIFO_OK;
    if (status != PFIFO_OK)
        return status;
    const struct pfifo_chip *chip = lint_decodes(stream, options.chip);
    lint.wanted = lint_rules_named(options.rules, error);
    if (!lint.wanted)
        return PFIFO_ERROR_ARGUMENT;
    lint.version_2 = pfifo_stream_version(stream) >= 2;
    lint.tells_writes = pfifo_stream_version(stream) == 2;
    if (chip && !lint_runs_without_machine(&lint))
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED,
                               "%.80s: the machine of %s is not built, and the rules that are wanted need it",
                               pfifo_stream_path(stream), pfifo_chip_info(chip).name);
    if (!chip)
        status = lint_replay(&lint, stream, &options, error);
    if (status != PFIFO_OK)
        return status;
    if (lint_make(&lint, chip ? chip : pfifo_gpu_chip(pfifo_replay_gpu(lint.replay)))) {
        status = chip ? lint_decoded(&lint, stream, chip, &options, &counted, error)
                      : lint_look(&lint, &options, pfifo_stream_truncated(stream), &counted, error);
        lint_findings_count(lint.findings, &counted);
        lint_findings_give(lint.findings, sink, opaque);
    } else {
        status = pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for findings");
    }
    lint_free(&lint);
    if (result)
        *result = counted;
    return status;
}
