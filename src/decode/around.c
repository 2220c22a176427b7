/* SPDX-License-Identifier: MIT */
#include "decode/around.h"

#include "decode/sink.h"

#include <stdlib.h>

bool around_write(void *opaque, const char *text, size_t bytes) {
    struct around *around = opaque;

    bytes -= bytes && text[bytes - 1] == '\n';
    if (!around->line(around->opaque, around->mark, around->distance, text, bytes))
        around->stopped = true;
    return !around->stopped;
}

/* `sequence`: of the submission that the line is in. */
static void around_write_line(struct around *around, struct sink *sink, const struct pfifo_decode_event *event,
                              uint32_t sequence, size_t mark, int distance) {
    around->mark = mark;
    around->distance = distance;
    sink->source.submitted = true;
    sink->source.submission = sequence;
    sink_output(sink, event);
    output_flush(&sink->out);
}

/* Does the event belong to the word at this address? */
static bool around_covers(const struct pfifo_decode_event *event, uint64_t address) {
    switch (event->kind) {
    case PFIFO_DECODE_HEADER:
    case PFIFO_DECODE_COUNT:
    case PFIFO_DECODE_METHOD:
    case PFIFO_DECODE_JUMP:
    case PFIFO_DECODE_CONTROL:
    case PFIFO_DECODE_ERROR:
        return event->address == address;
    case PFIFO_DECODE_SKIPPED:
        return address >= event->address && address - event->address < 4 * (uint64_t)event->count;
    case PFIFO_DECODE_SUBMISSION:
    case PFIFO_DECODE_ENTRY:
    case PFIFO_DECODE_SEGMENT:
    case PFIFO_DECODE_SYNCPOINT:
    case PFIFO_DECODE_SYNC:
        return false;
    }
    return false;
}

static void around_begin_submission(struct around *around, uint32_t sequence) {
    around->sequence = sequence;
    around->wanted = false;
    for (size_t i = 0; i < around->count; i++)
        around->wanted = around->wanted || (around->marks[i].sequence == sequence && !around->states[i].found);
}

/* The marked word is reached: write the lines before it, and its own. */
static void begin_lines(struct around *around, struct sink *sink, const struct pfifo_decode_event *event, size_t mark) {
    size_t before = around->events < around->lines ? around->events : around->lines;

    around->states[mark] = (struct around_state){.found = true, .after = around->lines};
    for (size_t i = before; i > 0; i--) {
        size_t slot = (around->events - i) % AROUND_LINES;
        around_write_line(around, sink, &around->last[slot], around->last_sequence[slot], mark, -(int)i);
    }
    around_write_line(around, sink, event, around->sequence, mark, 0);
    around->left -= !around->lines;
    around->running += around->lines != 0;
}

static void around_go_on(struct around *around, struct sink *sink, const struct pfifo_decode_event *event,
                         size_t mark) {
    struct around_state *state = &around->states[mark];

    around_write_line(around, sink, event, around->sequence, mark, (int)(around->lines - state->after) + 1);
    if (--state->after == 0) {
        around->left--;
        around->running--;
    }
}

bool around_event(struct around *around, struct sink *sink, const struct pfifo_decode_event *event) {
    if (event->kind == PFIFO_DECODE_SUBMISSION)
        around_begin_submission(around, event->sequence);
    for (size_t i = 0; (around->wanted || around->running) && i < around->count; i++) {
        if (around->states[i].after)
            around_go_on(around, sink, event, i);
        else if (around->wanted && !around->states[i].found && around->marks[i].sequence == around->sequence &&
                 around_covers(event, around->marks[i].address))
            begin_lines(around, sink, event, i);
    }
    around->last[around->events % AROUND_LINES] = *event;
    around->last[around->events % AROUND_LINES].words = NULL; /* they may be gone until it is written */
    around->last_sequence[around->events++ % AROUND_LINES] = around->sequence;
    return around->left && !around->stopped;
}

enum pfifo_status pfifo_decode_around(struct pfifo_stream *stream, const struct pfifo_decode_options *options,
                                      const struct pfifo_decode_mark *marks, size_t count, unsigned lines,
                                      pfifo_decode_around_line line, void *opaque, struct pfifo_error *error) {
    struct around around = {
        .marks = marks, .count = count, .lines = lines, .line = line, .opaque = opaque, .left = count};
    enum pfifo_status status;

    if (!line || (!marks && count) || lines > PFIFO_DECODE_AROUND_MAX ||
        (options && options->format != PFIFO_DECODE_TEXT && options->format != PFIFO_DECODE_JSON))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "lines around words are text or JSON, up to %d of them",
                               PFIFO_DECODE_AROUND_MAX);
    if (!count)
        return PFIFO_OK;
    around.states = calloc(count, sizeof *around.states);
    if (!around.states)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the lines around words");
    status = decode_stream(stream, options, &around, around_write, &around, error);
    free(around.states);
    /* The stream ended before the lines after the mark. */
    return status == PFIFO_ERROR_IO && !around.left && !around.stopped ? PFIFO_OK : status;
}
