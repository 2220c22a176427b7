/* SPDX-License-Identifier: MIT */
#include "decode/filter.h"

#include "decode/sink.h"

#include <stdlib.h>

struct filter *filter_new(const struct pfifo_decode_options *options, struct pfifo_error *error) {
    struct filter *filter;

    if (!options->query)
        return NULL;
    if (options->before > PFIFO_DECODE_CONTEXT_MAX || options->after > PFIFO_DECODE_CONTEXT_MAX) {
        pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "at most %d lines come before and after a match",
                        PFIFO_DECODE_CONTEXT_MAX);
        return NULL;
    }
    filter = calloc(1, sizeof *filter);
    if (filter && options->before)
        filter->last = calloc(options->before, sizeof *filter->last);
    if (!filter || (options->before && !filter->last)) {
        free(filter);
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the lines before a match");
        return NULL;
    }
    filter->query = options->query;
    filter->before = options->before;
    filter->after = options->after;
    filter->matches = options->matches;
    filter->match_max = options->match_max;
    filter->has_headings = options->format == PFIFO_DECODE_TEXT;
    return filter;
}

void filter_free(struct filter *filter) {
    if (filter)
        free(filter->last);
    free(filter);
}

static void write_due(struct filter *filter, struct sink *sink, const struct filter_line *line) {
    enum pfifo_decode_kind kind = line->event.kind;

    /* A line of the submission or segment before may still come. */
    if (filter->submission_due && kind != PFIFO_DECODE_SUBMISSION &&
        line->event.sequence == filter->submission.sequence)
        sink_output(sink, &filter->submission);
    if (line->event.sequence == filter->submission.sequence)
        filter->submission_due = false;
    if (filter->segment_due && kind != PFIFO_DECODE_SEGMENT && kind != PFIFO_DECODE_SUBMISSION &&
        line->segment == filter->segments)
        sink_output(sink, &filter->segment);
    if (line->segment == filter->segments)
        filter->segment_due = false;
}

static void write_one(struct filter *filter, struct sink *sink, const struct filter_line *line) {
    if (filter->has_headings) {
        if (filter->written && filter->left_out && (filter->before || filter->after)) {
            output_line(&sink->out);
            output_text(&sink->out, "--\n");
        }
        write_due(filter, sink, line);
    }
    sink->source.submitted = filter->submitted;
    sink->source.submission = line->event.sequence;
    sink_output(sink, &line->event);
    filter->written = true;
    filter->left_out = false;
}

static void filter_write_held(struct filter *filter, struct sink *sink) {
    while (filter->held) {
        write_one(filter, sink, &filter->last[(filter->next + filter->before - filter->held) % filter->before]);
        filter->held--;
    }
}

static void filter_hold(struct filter *filter, const struct filter_line *line) {
    if (!filter->before) {
        filter->left_out = true;
        return;
    }
    filter->left_out = filter->left_out || filter->held == filter->before;
    filter->last[filter->next] = *line;
    filter->last[filter->next].event.words = NULL; /* they may be gone until it is written */
    filter->next = (filter->next + 1) % filter->before;
    filter->held += filter->held < filter->before;
}

static void note_heading(struct filter *filter, const struct pfifo_decode_event *event) {
    if (event->kind == PFIFO_DECODE_SUBMISSION) {
        filter->submission = *event;
        filter->submitted = filter->submission_due = true;
        filter->segment_due = false;
    } else if (event->kind == PFIFO_DECODE_SEGMENT) {
        filter->segment = *event;
        filter->segment_due = true;
        filter->segments++;
    }
}

bool filter_event(struct filter *filter, struct sink *sink, const struct pfifo_decode_event *event) {
    struct filter_line line = {.event = *event};
    bool all = filter->match_max && filter->found == filter->match_max;

    note_heading(filter, event);
    line.segment = filter->segments;
    if (!all && pfifo_query_decoded(filter->query, event)) {
        filter->found++;
        if (filter->matches)
            ++*filter->matches;
        filter_write_held(filter, sink);
        write_one(filter, sink, &line);
        filter->following = filter->after;
    } else if (filter->following) {
        write_one(filter, sink, &line);
        filter->following--;
    } else {
        filter_hold(filter, &line);
    }
    filter->satisfied = filter->match_max && filter->found == filter->match_max && !filter->following;
    return !filter->satisfied && !sink->out.failed;
}
