/* SPDX-License-Identifier: MIT */
#include "face/tool/replay/play.h"

#include "face/common/jobs.h"
#include "face/tool/command/interrupt.h"

#include <stdio.h>

static void play_arrive(struct play *play, unsigned number) {
    play->is_reached[number] = true;
    play->reached(play->opaque, number);
}

/* A place after a submission is reached when a later one begins, or at the end. */
static void reach_submission(struct play *play, uint64_t sequence) {
    for (unsigned i = 0; i < PLAY_PLACES; i++) {
        const struct place *place = &play->place[i];
        if (place->given && place->kind == PLACE_SUBMISSION && !play->is_reached[i] && place->number < sequence)
            play_arrive(play, i);
    }
}

static void reach_work(struct play *play, enum place_kind kind, uint64_t *count) {
    for (unsigned i = 0; i < PLAY_PLACES; i++) {
        const struct place *place = &play->place[i];
        if (place->given && place->kind == kind && !play->is_reached[i] && place->number == *count)
            play_arrive(play, i);
    }
    ++*count;
}

/* The method of a place is done when its channel has another, or when nothing of its submission runs any more. */
static void end_method(struct play *play, bool any_channel, uint32_t channel) {
    for (unsigned i = 0; i < PLAY_PLACES; i++) {
        if (!play->method[i].begun || play->is_reached[i] || (!any_channel && play->method[i].channel != channel))
            continue;
        play_arrive(play, i);
    }
}

/* The event is in front of what the method does. */
static void begin_method(struct play *play, const struct pfifo_event *event) {
    const struct pfifo_query_place where = {.host_class = pfifo_chip_info(pfifo_gpu_chip(play->gpu)).host_class,
                                            .submitted = true,
                                            .submission = play->sequence};

    end_method(play, false, event->channel);
    for (unsigned i = 0; i < PLAY_PLACES; i++) {
        const struct place *place = &play->place[i];
        struct play_method *method = &play->method[i];
        if (!place->given || place->kind != PLACE_METHOD || method->begun ||
            (place->query && !pfifo_query_event(place->query, event, &where)) || method->seen++ != place->number)
            continue;
        method->begun = true;
        method->channel = event->channel;
    }
}

static bool has_method_place(const struct play *play) {
    for (unsigned i = 0; i < PLAY_PLACES; i++)
        if (play->place[i].given && play->place[i].kind == PLACE_METHOD)
            return true;
    return false;
}

static void play_happened(void *opaque, const struct pfifo_event *event) {
    struct play *play = opaque;

    if (event->id == play->take && has_method_place(play)) {
        begin_method(play, event);
        return;
    }
    play->sees(play->opaque, event);
    if (event->id == play->draw)
        reach_work(play, PLACE_DRAW, &play->draws);
    if (event->id == play->launch)
        reach_work(play, PLACE_LAUNCH, &play->launches);
}

/* Nothing of this submission has run, and everything before it. */
static void play_submission_begins(void *opaque, uint32_t sequence) {
    struct play *play = opaque;

    end_method(play, true, 0);
    play->sequence = sequence;
    reach_submission(play, sequence);
}

/* What goes now was still there after the submission. */
static void submission_is_over(struct play *play) {
    end_method(play, true, 0);
    reach_submission(play, (uint64_t)play->sequence + 1);
}

static void play_channel_closes(void *opaque) {
    struct play *play = opaque;

    submission_is_over(play);
    if (play->closes)
        play->closes(play->opaque);
}

/* The end of the machine frees what is left: that is not the capture's doing. */
static void play_buffer_goes(void *opaque, uint32_t handle, struct pfifo_buffer *buffer) {
    struct play *play = opaque;

    if (!play->runs)
        return;
    submission_is_over(play);
    if (play->gone)
        play->gone(play->opaque, handle, buffer);
}

static bool play_has_enough(void *opaque) {
    const struct play *play = opaque;

    return interrupt_seen() || (play->enough && play->enough(play->opaque));
}

bool play_begin(struct play *play, struct pfifo_stream *stream, struct pfifo_error *error) {
    const struct pfifo_replay_config config = {.size = sizeof config,
                                               .chip = play->chip,
                                               .locate = play->locate,
                                               .side_by_side = jobs_lent(),
                                               .buffer_gone = play_buffer_goes,
                                               .opaque = play};

    play->replay = pfifo_replay_new(stream, &config, error);
    if (!play->replay)
        return false;
    play->gpu = pfifo_replay_gpu(play->replay);
    play->draw = pfifo_event_find("engine.draw");
    play->launch = pfifo_event_find("engine.launched");
    play->take = pfifo_event_find("puller.method");
    return true;
}

enum pfifo_status play_run(struct play *play, struct pfifo_error *error) {
    const struct pfifo_replay_watch watch = {
        .submission = play_submission_begins, .closes = play_channel_closes, .enough = play_has_enough, .opaque = play};
    char events[256];
    enum pfifo_status status;
    bool more = true;

    snprintf(events, sizeof events, "%s%s", play->events, has_method_place(play) ? ",puller.method" : "");
    status = pfifo_gpu_observe(play->gpu, events, play_happened, play, error);
    interrupt_begin();
    pfifo_replay_set_watch(play->replay, &watch);
    play->runs = true;
    while (status == PFIFO_OK && more && !play_has_enough(play))
        status = pfifo_replay_next(play->replay, &more, error);
    play->runs = false;
    pfifo_replay_set_watch(play->replay, &(const struct pfifo_replay_watch){0});
    interrupt_end();
    pfifo_gpu_unobserve(play->gpu, play_happened, play);
    /* No other submission comes after the last one. */
    if (status == PFIFO_OK && !interrupt_seen()) {
        end_method(play, true, 0);
        reach_submission(play, (uint64_t)pfifo_replay_result(play->replay)->sequence + 1);
    }
    return status;
}

void play_missed(const struct play *play, unsigned number, char *text, size_t size) {
    const struct place *place = &play->place[number];
    uint64_t seen = place->kind == PLACE_DRAW     ? play->draws
                    : place->kind == PLACE_LAUNCH ? play->launches
                    : place->kind == PLACE_METHOD ? play->method[number].seen
                                                  : pfifo_replay_result(play->replay)->sequence;

    place_missed(place, pfifo_gpu_chip(play->gpu), seen, text, size);
}

void play_end(struct play *play) {
    pfifo_replay_free(play->replay);
    play->replay = NULL;
    play->gpu = NULL;
}
