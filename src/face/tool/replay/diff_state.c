/* SPDX-License-Identifier: MIT */
#include "face/tool/replay/diff_state.h"

#include "chip/counted.h"
#include "face/common/jobs.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/replay/differences.h"
#include "face/tool/replay/freed.h"
#include "face/tool/view/view.h"

#include <inttypes.h>
#include <pthread.h>
#include <signal.h>

enum { SIDES = 2 };

struct ran {
    const char *file;
    bool with_help; /* of the other threads */
    const struct source *source;
    struct pfifo_stream *stream;
    struct pfifo_replay *replay;
    struct freed freed; /* by the program, until its last submission has run */
    enum pfifo_status status;
    struct pfifo_error error;
};

static void diff_state_buffer_goes(void *opaque, uint32_t handle, struct pfifo_buffer *buffer) {
    struct ran *ran = opaque;

    if (ran->replay)
        freed_keep(&ran->freed, handle, pfifo_replay_result(ran->replay)->sequence, buffer);
}

/* How often a replay stops until its last submission has run. After that, programs free what they have. */
static uint64_t count_stops(struct pfifo_stream *stream) {
    const enum pfifo_stream_type last = pfifo_stream_version(stream) < 2 ? PFIFO_STREAM_SUBEND : PFIFO_STREAM_RUN;
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};
    uint64_t stops = 0;

    /* What is malformed ends this; the replay will say so. */
    while (record.type != PFIFO_STREAM_END && pfifo_stream_next(stream, &record, NULL) == PFIFO_OK)
        stops += record.type == last;
    pfifo_stream_rewind(stream);
    return stops;
}

static void *run_to_the_end(void *opaque) {
    struct ran *ran = opaque;
    const struct pfifo_replay_config config = {.size = sizeof config,
                                               .chip = ran->source->options.chip,
                                               .side_by_side = ran->with_help ? jobs_lent() : NULL,
                                               .buffer_gone = diff_state_buffer_goes,
                                               .opaque = ran};
    const struct pfifo_replay_watch watch = {.enough = interrupt_enough};
    bool more = true;

    ran->replay = pfifo_replay_new(ran->stream, &config, &ran->error);
    if (!ran->replay) {
        ran->status = ran->error.status;
        return NULL;
    }
    pfifo_replay_set_watch(ran->replay, &watch);
    for (uint64_t left = count_stops(ran->stream); left && more && ran->status == PFIFO_OK && !interrupt_seen(); left--)
        ran->status = pfifo_replay_next(ran->replay, &more, &ran->error);
    return NULL;
}

/* A machine knows nothing of another: both run at once if there are cores for them. */
static void run_both(struct ran ran[SIDES]) {
    sigset_t all, before;
    pthread_t other;
    bool at_once = jobs_count() >= SIDES;

    ran[0].with_help = ran[1].with_help = jobs_count() > SIDES;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    at_once = at_once && pthread_create(&other, NULL, run_to_the_end, &ran[1]) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    run_to_the_end(&ran[0]);
    if (at_once)
        pthread_join(other, NULL);
    else if (ran[0].status == PFIFO_OK)
        run_to_the_end(&ran[1]);
}

static bool open_both(struct ran ran[SIDES], struct pfifo_error *error) {
    struct source source = *ran[0].source;

    source.captures = true;
    for (unsigned i = 0; i < SIDES; i++) {
        ran[i].stream = source_capture(&source, ran[i].file, error);
        if (!ran[i].stream)
            return false;
    }
    return true;
}

struct comparison {
    struct ran *ran;
    struct differences *differences;
    bool freed_told;
    uint64_t left_out; /* freed buffers */
};

static bool tell_freed(struct comparison *comparison) {
    struct freed *const freed[SIDES] = {&comparison->ran[0].freed, &comparison->ran[1].freed};

    comparison->freed_told = true;
    return freed_compare(freed, comparison->differences, &comparison->left_out);
}

/* In front of the buffers that are left. */
static bool report(void *opaque, const struct pfifo_difference *difference) {
    struct comparison *comparison = opaque;

    if (difference->kind >= PFIFO_DIFFERENCE_BUFFER && !comparison->freed_told && !tell_freed(comparison))
        return false;
    return differences_print(comparison->differences, difference);
}

static bool compare_both(struct ran ran[SIDES], struct differences *differences, struct pfifo_error *error) {
    struct comparison comparison = {.ran = ran, .differences = differences};

    if (pfifo_replay_compare(ran[0].replay, ran[1].replay, NULL, report, &comparison, error) != PFIFO_OK)
        return false;
    if (!comparison.freed_told && !(differences->quiet && differences->count))
        tell_freed(&comparison);
    if (comparison.left_out)
        tool_message("not compared: %s, as there are more than %d MiB in all",
                     counted(comparison.left_out, "freed buffer").text, FREED_MOST_MIB);
    return true;
}

/* The first side's error, if both have one. */
static bool compare_ran(struct ran ran[SIDES], struct differences *differences, struct pfifo_error *error) {
    if (!open_both(ran, error))
        return false;
    run_both(ran);
    for (unsigned i = 0; i < SIDES; i++)
        if (ran[i].status != PFIFO_OK) {
            *error = ran[i].error;
            return false;
        }
    return interrupt_seen() || compare_both(ran, differences, error);
}

enum tool_status diff_state(const char *const file[2], const struct source *source, bool quiet, bool json) {
    struct differences differences = {.name = {file[0], file[1]}, .json = json, .quiet = quiet};
    struct ran ran[SIDES] = {{.file = file[0], .source = source}, {.file = file[1], .source = source}};
    struct pfifo_error error = {0};

    interrupt_begin();
    bool good = compare_ran(ran, &differences, &error);
    interrupt_end();
    if (!good)
        source_message(&error);
    for (unsigned i = 0; i < SIDES; i++) {
        ran[i].freed.closed = true;
        pfifo_replay_free(ran[i].replay);
        freed_free(&ran[i].freed);
        pfifo_stream_close(ran[i].stream);
    }
    if (interrupt_seen() && fflush(stdout) == 0) {
        view_end(TOOL_FAILED);
        interrupt_die();
    }
    return !good ? TOOL_FAILED : differences.count ? TOOL_FAULTED : TOOL_OK;
}
