/* SPDX-License-Identifier: MIT */
/* What two streams have in common is passed over but for some lines around what they have not. */
#include "decode/diff.h"

#include "chip/config.h"
#include "decode/json_value.h"
#include "decode/stream.h"

#include <stdlib.h>
#include <string.h>

/* Of channels, how many are remembered whose classes were told. */
enum { TOLD = 256 };

struct diff {
    struct diff_side a, b;
    struct pfifo_diff_options with;
    struct pfifo_diff_result *result;
    struct diff_aligner *aligner;
    struct sink *out;
    struct names *names;
    bool begun;                      /* the names of both are written */
    bool left_out;                   /* lines between the last difference and here are not, and will not be */
    unsigned following;              /* lines still to be written after a difference */
    struct pfifo_decode_event *held; /* a ring of the last lines that are alike */
    size_t held_count, held_next;
    struct diff_group groups[DIFF_GROUPS];
    uint32_t told[TOLD];
    size_t told_count;
};

static const char *name_of(const struct diff_side *side) {
    if (side->options.file)
        return side->options.file;
    return side->given->stream  ? pfifo_stream_name(side->given->stream)
           : side->options.name ? side->options.name
                                : "raw";
}

static void diff_set_source(struct sink *out, const struct diff_side *side, const char *mark,
                            const struct pfifo_decode_event *event) {
    out->source = (struct json_source){.op = *mark == ' ' ? "=" : mark,
                                       .file = name_of(side),
                                       .submitted = event->sequence != 0,
                                       .submission = event->sequence};
}

static void diff_put_line(struct diff *diff, const struct diff_side *side, const char *mark,
                          const struct pfifo_decode_event *event) {
    struct sink *out = diff->out;

    if (diff->with.json) {
        diff_set_source(out, side, mark, event);
        sink_json(out, event);
        return;
    }
    out->decoder = side->replay ? stream_replay_decoder(side->replay) : NULL;
    out->address_digits = side->address_digits;
    output_line(&out->out);
    output_text(&out->out, mark);
    sink_text(out, event);
}

static void diff_put_name(struct output *out, const char *mark, const struct diff_side *side) {
    output_text(out, mark);
    output_many(out, name_of(side), strlen(name_of(side)));
    output_text(out, "\n");
}

static void diff_put_place(struct output *out, const struct diff_side *side, size_t at) {
    if (at >= side->count) {
        output_text(out, "end");
        return;
    }
    const struct pfifo_decode_event *event = &diff_line_at(side, at)->event;
    if (event->sequence) {
        output_text(out, "submission ");
        output_decimal(out, event->sequence);
        output_text(out, ", ");
    }
    output_hex(out, event->address, side->address_digits);
}

/* Where the difference itself begins: the lines before it are after the heading. */
static void put_heading(struct diff *diff, size_t at) {
    struct output *out = &diff->out->out;

    if (diff->with.json) {
        diff->begun = true;
        diff->left_out = false;
        return;
    }
    if (!diff->begun) {
        diff_put_name(out, "--- ", &diff->a);
        diff_put_name(out, "+++ ", &diff->b);
    }
    diff->begun = true;
    diff->left_out = false;
    output_line(out);
    output_text(out, "@@ ");
    diff_put_place(out, &diff->a, at);
    output_text(out, " | ");
    diff_put_place(out, &diff->b, at);
    output_text(out, " @@\n");
}

static void put_held(struct diff *diff) {
    for (; diff->held_count; diff->held_count--) {
        size_t at = (diff->held_next + diff->with.context - diff->held_count) % diff->with.context;
        diff_put_line(diff, &diff->a, " ", &diff->held[at]);
    }
}

static void put_class_json(struct diff *diff, const struct diff_side *side, const char *mark,
                           const struct pfifo_decode_event *event) {
    const struct pfifo_class *found = pfifo_class_find(event->name_class);
    struct output *out = &diff->out->out;

    diff_set_source(diff->out, side, mark, event);
    json_begin(out, &diff->out->source);
    output_text(out, "\"event\":\"channel\",\"channel\":");
    output_decimal(out, event->channel);
    output_text(out, ",\"class\":");
    output_decimal(out, event->name_class);
    if (found) {
        output_text(out, ",\"class_name\":");
        json_string(out, found->name);
    }
    output_text(out, "}\n");
}

static void diff_put_class(struct diff *diff, const struct diff_side *side, const char *mark,
                           const struct pfifo_decode_event *event) {
    const struct pfifo_class *found = pfifo_class_find(event->name_class);
    struct output *out = &diff->out->out;

    if (diff->with.json) {
        put_class_json(diff, side, mark, event);
        return;
    }
    output_line(out);
    output_text(out, mark);
    output_text(out, "channel ");
    output_decimal(out, event->channel);
    output_text(out, ": ");
    output_hex(out, event->name_class, 4);
    if (found) {
        output_text(out, " ");
        output_text(out, found->name);
    }
    output_text(out, "\n");
}

/* The methods of a channel at line `at` are the same, and its class is not: that is one difference. */
static void take_class(struct diff *diff, size_t at) {
    const struct pfifo_decode_event *a = &diff_line_at(&diff->a, at)->event, *b = &diff_line_at(&diff->b, at)->event;

    for (size_t i = 0; i < diff->told_count; i++)
        if (diff->told[i] == a->channel)
            return;
    if (diff->told_count == TOLD)
        return;
    diff->told[diff->told_count++] = a->channel;
    diff->result->removed++;
    diff->result->added++;
    if (diff->with.brief)
        return;
    if (!diff->begun || diff->left_out)
        put_heading(diff, at);
    put_held(diff);
    diff_put_class(diff, &diff->a, "-", a);
    diff_put_class(diff, &diff->b, "+", b);
    diff->following = diff->with.context;
}

static bool class_differs(const struct diff *diff, size_t at) {
    const struct pfifo_decode_event *a = &diff_line_at(&diff->a, at)->event, *b = &diff_line_at(&diff->b, at)->event;

    return a->kind == PFIFO_DECODE_METHOD && a->name_class != b->name_class;
}

static void take_same(struct diff *diff, size_t lines) {
    for (size_t i = 0; i < lines; i++) {
        const struct pfifo_decode_event *event = &diff_line_at(&diff->a, i)->event;
        if (class_differs(diff, i))
            take_class(diff, i);
        if (diff->following) {
            diff_put_line(diff, &diff->a, " ", event);
            diff->following--;
            continue;
        }
        diff->left_out = diff->left_out || diff->held_count == diff->with.context;
        if (diff->with.context) {
            diff->held[diff->held_next] = *event;
            diff->held_next = (diff->held_next + 1) % diff->with.context;
            diff->held_count += diff->held_count < diff->with.context;
        }
    }
    diff->result->same += lines;
    diff_side_drop(&diff->a, lines);
    diff_side_drop(&diff->b, lines);
}

static void diff_take_other(struct diff *diff, struct diff_side *side, const char *mark, size_t lines) {
    for (size_t i = 0; i < lines && !diff->with.brief; i++)
        diff_put_line(diff, side, mark, &diff_line_at(side, i)->event);
    diff_side_drop(side, lines);
}

static void take_group(struct diff *diff, const struct diff_group *group) {
    if (!diff->with.brief && (!diff->begun || diff->left_out))
        put_heading(diff, 0);
    put_held(diff);
    diff_take_other(diff, &diff->a, "-", group->removed);
    diff_take_other(diff, &diff->b, "+", group->added);
    diff->result->removed += group->removed;
    diff->result->added += group->added;
    diff->following = diff->with.context;
    take_same(diff, group->same);
}

static enum pfifo_status diff_fill(struct diff *diff, size_t wanted, struct pfifo_error *error) {
    enum pfifo_status status = diff_side_fill(&diff->a, wanted, error);

    return status == PFIFO_OK ? diff_side_fill(&diff->b, wanted, error) : status;
}

static void pass_same(struct diff *diff) {
    size_t lines = 0, most = diff->a.count < diff->b.count ? diff->a.count : diff->b.count;

    while (lines < most && diff_same(diff_line_at(&diff->a, lines), diff_line_at(&diff->b, lines)))
        lines++;
    take_same(diff, lines);
}

static enum pfifo_status take_difference(struct diff *diff, struct pfifo_error *error) {
    enum pfifo_status status = diff_fill(diff, DIFF_NEAR, error);
    size_t count;

    if (status != PFIFO_OK)
        return status;
    count = diff_align_near(diff->aligner, &diff->a, &diff->b, diff->groups);
    if (!count) {
        status = diff_fill(diff, PFIFO_DIFF_WINDOW, error);
        if (status != PFIFO_OK)
            return status;
        diff->groups[count++] = diff_align_far(diff->aligner, &diff->a, &diff->b);
    }
    for (size_t i = 0; i < count; i++)
        take_group(diff, &diff->groups[i]);
    return PFIFO_OK;
}

static enum pfifo_status diff_compare(struct diff *diff, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;

    while (status == PFIFO_OK && !diff->out->out.failed) {
        status = diff_fill(diff, 1, error);
        if (status != PFIFO_OK || (!diff->a.count && !diff->b.count))
            break;
        pass_same(diff);
        if ((!diff->a.count && diff->a.more) || (!diff->b.count && diff->b.more))
            continue;
        if (diff->a.count || diff->b.count)
            status = take_difference(diff, error);
        if (diff->with.brief && (diff->result->removed || diff->result->added))
            break;
    }
    if (!output_flush(&diff->out->out) && status == PFIFO_OK)
        status = pfifo_error_set(error, PFIFO_ERROR_IO, "the output could not be written");
    return status;
}

static enum pfifo_status diff_begin(struct diff *diff, pfifo_decode_write write, void *opaque,
                                    struct pfifo_error *error) {
    if (diff->with.context > PFIFO_DIFF_CONTEXT_MAX)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "context is up to %d lines", PFIFO_DIFF_CONTEXT_MAX);
    if (diff->with.brief)
        diff->with.context = 0;
    diff->aligner = diff_aligner_new();
    diff->out = calloc(1, sizeof *diff->out);
    diff->held = calloc(diff->with.context + 1, sizeof *diff->held);
    diff->names = diff->with.ignore_addresses ? calloc(1, sizeof *diff->names) : NULL;
    if (!diff->aligner || !diff->out || !diff->held || (diff->with.ignore_addresses && !diff->names))
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to compare");
    diff->out->out.write = write;
    diff->out->out.opaque = opaque;
    return PFIFO_OK;
}

static void diff_end(struct diff *diff) {
    diff_side_close(&diff->a);
    diff_side_close(&diff->b);
    diff_aligner_free(diff->aligner);
    free(diff->out);
    free(diff->held);
    free(diff->names);
    free(diff);
}

enum pfifo_status pfifo_diff(const struct pfifo_diff_side *a, const struct pfifo_diff_side *b,
                             const struct pfifo_diff_options *options, pfifo_decode_write write, void *opaque,
                             struct pfifo_diff_result *result, struct pfifo_error *error) {
    struct pfifo_error local = {0};
    enum pfifo_status status = PFIFO_OK;
    struct diff *diff;

    error = error ? error : &local;
    if (!a || !b || !write || !result)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "comparing needs two streams and places for the result");
    *result = (struct pfifo_diff_result){0};
    diff = calloc(1, sizeof *diff);
    if (!diff)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to compare");
    diff->result = result;
    if (options)
        status = config_read(&diff->with, sizeof diff->with, options, sizeof diff->with, "pfifo_diff_options", error);
    if (status == PFIFO_OK)
        status = diff_begin(diff, write, opaque, error);
    if (status == PFIFO_OK)
        status = diff_side_open(&diff->a, a, diff->names, error);
    if (status == PFIFO_OK)
        status = diff_side_open(&diff->b, b, diff->names, error);
    if (diff->out)
        diff->out->names.whose = diff->a.options.names;
    if (status == PFIFO_OK)
        status = diff_compare(diff, error);
    diff_end(diff);
    return status;
}
