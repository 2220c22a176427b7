/* SPDX-License-Identifier: MIT */
/*
 * pfifo run --against: one capture on two chips, submission by submission, up to the first difference.
 *
 *   replay on A --puller.bind--> classes that only one of them has: told, and not the end of it
 *   capture --> replay on A --.
 *           \-> replay on B ----> pfifo_replay_compare() after each submission: its buffers; at the end: all buffers
 */
#include "face/tool/run/cmd_run.h"

#include "face/common/jobs.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/replay/differences.h"

#include <pfifo/chip.h>
#include <pfifo/event.h>
#include <pfifo/gpu.h>

#include <stdio.h>

enum { SIDES = 2, CLASSES = 16 };

struct pair {
    struct pfifo_stream *stream[SIDES];
    struct pfifo_replay *replay[SIDES];
    struct differences differences;
    const struct pfifo_chip *chip[SIDES];
    struct differences_class class[CLASSES]; /* each once */
    size_t classes, told;
};

static void class_bound(void *opaque, const struct pfifo_event *event) {
    struct pair *pair = opaque;
    struct differences_class class = {
        .oclass = (uint32_t)event->value[2], .channel = event->channel, .subchannel = (uint32_t)event->value[0]};
    struct pfifo_replay_progress progress;

    for (int i = 0; i < SIDES; i++)
        class.lacks[i] = !pfifo_chip_has_class(pair->chip[i], class.oclass);
    for (size_t i = 0; i < pair->classes; i++)
        if (pair->class[i].oclass == class.oclass)
            return;
    if (class.lacks[0] == class.lacks[1] || pair->classes == CLASSES)
        return;
    if (pfifo_replay_progress(pair->replay[0], event->channel, &progress)) {
        class.has_address = progress.last.has_address;
        class.address = progress.last.address;
    }
    pair->class[pair->classes++] = class;
}

static bool open_pair(struct pair *pair, const struct run *run, const char *path, struct pfifo_error *error) {
    struct pfifo_replay_config config = run->replay;
    struct source source = run->source;
    const struct pfifo_replay_watch watch = {.enough = interrupt_enough};

    source.captures = true;
    config.size = sizeof config;
    jobs_set(run->jobs);
    config.side_by_side = jobs_lent();
    if (!source_captures(&source, path, pair->stream, SIDES, error)) {
        pair->stream[0] = pair->stream[1] = NULL;
        return false;
    }
    for (int i = 0; i < SIDES; i++) {
        config.chip = i ? run->against : run->replay.chip;
        pair->replay[i] = pfifo_replay_new(pair->stream[i], &config, error);
        if (!pair->replay[i])
            return false;
        pfifo_replay_set_watch(pair->replay[i], &watch);
        pair->chip[i] = pfifo_gpu_chip(pfifo_replay_gpu(pair->replay[i]));
        pair->differences.name[i] = pfifo_chip_info(pair->chip[i]).name;
    }
    return pfifo_gpu_observe(pfifo_replay_gpu(pair->replay[0]), "puller.bind", class_bound, pair, error) == PFIFO_OK;
}

static enum pfifo_status against_compare(struct pair *pair, bool only_last, struct pfifo_error *error) {
    /* Another chip has other registers. */
    const struct pfifo_compare_options options = {
        .size = sizeof options, .only_last = only_last, .ignore_registers = true};

    return pfifo_replay_compare(pair->replay[0], pair->replay[1], &options, differences_print, &pair->differences,
                                error);
}

/* Not only in the classes that they have: what a chip lacks may do the same on another. */
static bool has_differed(const struct pair *pair) {
    return pair->differences.count > pair->told;
}

static enum pfifo_status run_pair(struct pair *pair, struct pfifo_error *error) {
    bool more[SIDES] = {true, true};
    enum pfifo_status status = PFIFO_OK;

    while (status == PFIFO_OK && more[0] && more[1] && !has_differed(pair) && !interrupt_seen()) {
        for (int i = 0; i < SIDES && status == PFIFO_OK; i++)
            status = pfifo_replay_next(pair->replay[i], &more[i], error);
        pair->differences.submission = pfifo_replay_result(pair->replay[0])->sequence;
        while (pair->told < pair->classes && status == PFIFO_OK && !interrupt_seen())
            differences_print_class(&pair->differences, &pair->class[pair->told++]);
        if (status == PFIFO_OK && !interrupt_seen())
            status = against_compare(pair, true, error);
    }
    if (status == PFIFO_OK && !has_differed(pair) && !interrupt_seen())
        status = against_compare(pair, false, error);
    return status;
}

enum tool_status run_against(const struct run *run, const char *path) {
    struct pair pair = {.differences = {.json = run->json}};
    struct pfifo_error error = {0};
    enum tool_status status = TOOL_OK;

    interrupt_begin();
    if (!open_pair(&pair, run, path, &error) || run_pair(&pair, &error) != PFIFO_OK) {
        source_message(&error);
        status = TOOL_FAILED;
    } else if (pair.differences.count) {
        status = TOOL_FAULTED;
    }
    interrupt_end();
    if (pair.replay[0])
        pfifo_gpu_unobserve(pfifo_replay_gpu(pair.replay[0]), class_bound, &pair);
    for (int i = 0; i < SIDES; i++) {
        pfifo_replay_free(pair.replay[i]);
        pfifo_stream_close(pair.stream[i]);
    }
    return status;
}
