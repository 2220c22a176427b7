/* SPDX-License-Identifier: MIT */
#include "decode/edit_repeat.h"

#include <stdlib.h>

bool edit_runs_add(struct edit_runs *runs, size_t begin, size_t end, uint32_t times) {
    struct edit_run *last = runs->count ? &runs->runs[runs->count - 1] : NULL;

    if (begin == end || times < 2)
        return true;
    if (last && last->end == begin && last->times == times) {
        last->end = end;
        return true;
    }
    if (!runs->runs || runs->count == runs->room) {
        size_t room = runs->room ? 2 * runs->room : 16;
        struct edit_run *more = realloc(runs->runs, room * sizeof *more);
        if (!more)
            return false;
        runs->runs = more;
        runs->room = room;
    }
    runs->runs[runs->count++] = (struct edit_run){begin, end, times};
    return true;
}

void edit_runs_free(struct edit_runs *runs) {
    free(runs->runs);
    *runs = (struct edit_runs){0};
}

bool edit_runs_make_whole(struct edit_runs *runs, size_t words, bool all) {
    for (size_t i = 1; i < runs->count; i++)
        all = all && runs->runs[i].times == runs->runs[0].times;
    if (all && runs->count) {
        runs->runs[0] = (struct edit_run){0, words, runs->runs[0].times};
        runs->count = 1;
    } else {
        runs->count = 0;
    }
    return runs->count;
}

uint64_t edit_runs_pushes(const struct edit_runs *runs, size_t words) {
    uint64_t pushes = 0;
    size_t done = 0;

    for (size_t i = 0; i < runs->count; i++) {
        pushes += runs->runs[i].times;
        done = runs->runs[i].end;
    }
    return pushes + (done < words || !runs->count);
}

static enum pfifo_status edit_repeat_write_part(const struct pfifo_stream_push *push, size_t begin, size_t end,
                                                struct pfifo_stream_writer *writer, struct pfifo_error *error) {
    struct pfifo_stream_record part = {.type = PFIFO_STREAM_PUSH, .push = *push};
    uint64_t bytes = 4 * (uint64_t)(end - begin);

    part.push.offset += 4 * (uint64_t)begin;
    part.push.address += 4 * (uint64_t)begin;
    part.push.length = (push->length & ~EDIT_PUSH_BYTES) | bytes;
    part.push.words += 4 * begin;
    part.push.word_count = (uint32_t)(end - begin);
    return pfifo_stream_writer_append(writer, &part, error);
}

enum pfifo_status edit_runs_write(const struct edit_runs *runs, const struct pfifo_stream_push *push,
                                  struct pfifo_stream_writer *writer, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;
    size_t done = 0;

    for (size_t i = 0; i < runs->count; i++) {
        const struct edit_run *run = &runs->runs[i];
        if (status == PFIFO_OK)
            status = edit_repeat_write_part(push, done, run->end, writer, error);
        for (uint32_t n = 1; n < run->times && status == PFIFO_OK; n++)
            status = edit_repeat_write_part(push, run->begin, run->end, writer, error);
        done = run->end;
    }
    if (status == PFIFO_OK && done < push->word_count)
        status = edit_repeat_write_part(push, done, push->word_count, writer, error);
    return status;
}
