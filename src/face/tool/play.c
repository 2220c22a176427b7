/* SPDX-License-Identifier: MIT */
#include "face/tool/play.h"

#include "face/common/jobs.h"
#include "face/tool/interrupt.h"

/* A place behind a submission is reached when a later one begins. */
static void reach(struct play *play, bool is_draw, uint64_t number) {
    for (unsigned i = 0; i < PLAY_PLACES; i++) {
        const struct place *place = &play->place[i];
        if (!place->given || place->is_draw != is_draw || play->is_reached[i] ||
            (is_draw ? place->number != number : place->number >= number))
            continue;
        play->is_reached[i] = true;
        play->reached(play->opaque, i);
    }
}

static void happened(void *opaque, const struct pfifo_event *event) {
    struct play *play = opaque;

    play->sees(play->opaque, event);
    if (event->id == play->draw)
        reach(play, true, play->draws++);
}

/* Nothing of this submission has run, and everything before it. */
static void submission_begins(void *opaque, uint32_t sequence) {
    struct play *play = opaque;

    play->sequence = sequence;
    reach(play, false, sequence);
}

static void channel_closes(void *opaque) {
    const struct play *play = opaque;

    if (play->closes)
        play->closes(play->opaque);
}

/* The end of the machine frees what is left: that is not the capture's doing. */
static void buffer_goes(void *opaque, uint32_t handle, struct pfifo_buffer *buffer) {
    const struct play *play = opaque;

    if (play->gone && play->runs)
        play->gone(play->opaque, handle, buffer);
}

static bool has_enough(void *opaque) {
    const struct play *play = opaque;

    return interrupt_seen() || (play->enough && play->enough(play->opaque));
}

bool play_begin(struct play *play, struct pfifo_stream *stream, struct pfifo_error *error) {
    const struct pfifo_replay_config config = {.size = sizeof config,
                                               .chip = play->chip,
                                               .locate = play->locate,
                                               .side_by_side = jobs_lent(),
                                               .buffer_gone = buffer_goes,
                                               .opaque = play};

    play->replay = pfifo_replay_new(stream, &config, error);
    if (!play->replay)
        return false;
    play->gpu = pfifo_replay_gpu(play->replay);
    play->draw = pfifo_event_find("engine.draw");
    return true;
}

enum pfifo_status play_run(struct play *play, struct pfifo_error *error) {
    const struct pfifo_replay_watch watch = {
        .submission = submission_begins, .closes = channel_closes, .enough = has_enough, .opaque = play};
    enum pfifo_status status = pfifo_gpu_observe(play->gpu, play->events, happened, play, error);
    bool more = true;

    interrupt_begin();
    pfifo_replay_set_watch(play->replay, &watch);
    play->runs = true;
    while (status == PFIFO_OK && more && !has_enough(play))
        status = pfifo_replay_next(play->replay, &more, error);
    play->runs = false;
    pfifo_replay_set_watch(play->replay, &(const struct pfifo_replay_watch){0});
    interrupt_end();
    pfifo_gpu_unobserve(play->gpu, happened, play);
    /* The last submission has no other behind it. */
    if (status == PFIFO_OK && !interrupt_seen())
        reach(play, false, (uint64_t)pfifo_replay_result(play->replay)->sequence + 1);
    return status;
}

void play_end(struct play *play) {
    pfifo_replay_free(play->replay);
    play->replay = NULL;
    play->gpu = NULL;
}
