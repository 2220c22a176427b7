/* SPDX-License-Identifier: MIT */
#include "face/tool/diff_state.h"

#include "face/common/jobs.h"
#include "face/tool/differences.h"
#include "face/tool/interrupt.h"
#include "face/tool/view.h"

enum { SIDES = 2 };

struct ran {
    struct pfifo_stream *stream;
    struct pfifo_replay *replay;
};

/* How often a replay stops until its last submission has run. Behind that, programs free what they have. */
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

static enum pfifo_status run_to_the_end(struct ran *ran, const char *file, const struct pfifo_chip *chip,
                                        struct pfifo_error *error) {
    const struct pfifo_replay_config config = {.size = sizeof config, .chip = chip, .side_by_side = jobs_lent()};
    const struct pfifo_replay_watch watch = {.enough = interrupt_enough};
    enum pfifo_status status = PFIFO_OK;

    ran->stream = tool_open(file, error);
    if (!ran->stream)
        return error->status;
    tool_note_truncated(ran->stream, file);
    ran->replay = pfifo_replay_new(ran->stream, &config, error);
    if (!ran->replay)
        return error->status;
    pfifo_replay_set_watch(ran->replay, &watch);
    bool more = true;
    for (uint64_t left = count_stops(ran->stream); left && more && status == PFIFO_OK && !interrupt_seen(); left--)
        status = pfifo_replay_next(ran->replay, &more, error);
    return status;
}

enum tool_status diff_state(const char *const file[2], const struct pfifo_chip *chip, bool quiet, bool json) {
    struct differences differences = {.name = {file[0], file[1]}, .json = json, .quiet = quiet};
    struct ran ran[SIDES] = {{0}};
    struct pfifo_error error = {0};
    enum pfifo_status status = PFIFO_OK;

    interrupt_begin();
    for (int i = 0; i < SIDES && status == PFIFO_OK; i++)
        status = run_to_the_end(&ran[i], file[i], chip, &error);
    if (status == PFIFO_OK && !interrupt_seen())
        status = pfifo_replay_compare(ran[0].replay, ran[1].replay, NULL, differences_print, &differences, &error);
    interrupt_end();
    if (status != PFIFO_OK)
        tool_message("%s", error.message);
    for (int i = 0; i < SIDES; i++) {
        pfifo_replay_free(ran[i].replay);
        pfifo_stream_close(ran[i].stream);
    }
    if (interrupt_seen() && fflush(stdout) == 0) {
        view_end(TOOL_FAILED);
        interrupt_die();
    }
    return status != PFIFO_OK ? TOOL_FAILED : differences.count ? TOOL_FAULTED : TOOL_OK;
}
