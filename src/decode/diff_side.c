/* SPDX-License-Identifier: MIT */
#include "decode/diff.h"

#include "chip/chip.h"
#include "decode/decoder.h"
#include "decode/raw.h"
#include "decode/stream.h"

#include <stdlib.h>
#include <string.h>

static bool same_text(const char *a, const char *b) {
    return a == b || (a && b && !strcmp(a, b));
}

static bool diff_side_is_method(const struct pfifo_decode_event *event) {
    return event->kind == PFIFO_DECODE_METHOD;
}

/* Of fields that say the same about the same data. */
static bool same_field(const struct pfifo_field *a, const struct pfifo_field *b, uint32_t data) {
    return a->low == b->low && a->high == b->high && a->shift == b->shift && a->type == b->type &&
           same_text(a->name, b->name) &&
           (a->high > 31 || same_text(pfifo_field_value_name(a, pfifo_field_get(a, data)),
                                      pfifo_field_value_name(b, pfifo_field_get(b, data))));
}

static bool same_fields(const struct pfifo_method_name *a, const struct pfifo_method_name *b, uint32_t data) {
    struct pfifo_field x = {0}, y = {0};

    for (;;) {
        bool has = pfifo_field_next(a, &x);
        if (has != pfifo_field_next(b, &y) || (has && !same_field(&x, &y, data)))
            return false;
        if (!has)
            return true;
    }
}

/* A channel's own methods are named by its class, which no line has: classes of other chips may mean the same. */
static bool same_meaning(const struct pfifo_decode_event *a, const struct pfifo_decode_event *b) {
    struct pfifo_method_name first, second;
    char text[2][PFIFO_METHOD_NAME_BYTES];

    if (a->name_class == b->name_class)
        return true;
    bool named = pfifo_method_find(a->name_class, a->method, &first);
    if (named != pfifo_method_find(b->name_class, b->method, &second))
        return false;
    if (!named)
        return true;
    pfifo_method_format(&first, text[0], sizeof text[0]);
    pfifo_method_format(&second, text[1], sizeof text[1]);
    return strcmp(text[0], text[1]) == 0 && same_fields(&first, &second, a->data) &&
           same_fields(&first, &second, b->data);
}

bool diff_same(const struct diff_line *x, const struct diff_line *y) {
    const struct pfifo_decode_event *a = &x->event, *b = &y->event;

    if (x->key != y->key || a->kind != b->kind || a->channel != b->channel)
        return false;
    if (diff_side_is_method(a))
        return x->data == y->data && a->method == b->method && a->subchannel == b->subchannel &&
               a->bound_class == b->bound_class && a->discarded == b->discarded && same_meaning(a, b);
    if (a->kind == PFIFO_DECODE_SYNCPOINT)
        return a->count == b->count && a->data == b->data && same_text(a->form, b->form);
    return a->word == b->word && a->count == b->count && same_text(a->text, b->text);
}

static uint64_t diff_side_mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

/* Texts and meanings are not in it: lines that differ in them only are still told apart. */
static uint64_t diff_side_key_of(const struct diff_line *line) {
    const struct pfifo_decode_event *event = &line->event;
    uint64_t key = diff_side_mix((uint64_t)event->kind + 1, event->channel);

    if (!diff_side_is_method(event))
        return diff_side_mix(diff_side_mix(key, event->count),
                             event->kind == PFIFO_DECODE_SYNCPOINT ? event->data : event->word);
    key = diff_side_mix(key, (uint64_t)event->method << 8 | event->subchannel);
    return diff_side_mix(key, (uint64_t)event->bound_class << 32 | line->data);
}

/* The bits that hold a part of an address. */
static uint32_t address_bits(const struct pfifo_field *field) {
    uint32_t width = field->high - field->low + 1;

    if (field->type != PFIFO_FIELD_ADDRESS || field->high > 31)
        return 0;
    return (width < 32 ? (UINT32_C(1) << width) - 1 : UINT32_MAX) << field->low;
}

static uint32_t address_mask(struct names *names, const struct pfifo_decode_event *event) {
    const struct names_entry *entry = names_method(names, event->name_class, event->method);
    struct pfifo_method_name method;
    struct pfifo_field field = {0};
    uint32_t mask = 0;

    for (size_t i = 0; !entry->slow && i < entry->fields; i++)
        mask |= address_bits(&entry->field[i]);
    if (entry->slow && pfifo_method_find(event->name_class, event->method, &method))
        while (pfifo_field_next(&method, &field))
            mask |= address_bits(&field);
    return mask;
}

static bool diff_side_make_room(struct diff_side *side) {
    size_t room = side->room ? side->room * 2 : DIFF_NEAR;
    struct diff_line *lines;

    if (side->first >= side->room / 2 && side->room) {
        memmove(side->lines, side->lines + side->first, side->count * sizeof *side->lines);
        side->first = 0;
        return true;
    }
    lines = realloc(side->lines, room * sizeof *lines);
    if (!lines) {
        side->out_of_memory = true;
        return false;
    }
    side->lines = lines;
    side->room = room;
    return true;
}

static bool diff_side_keep_line(void *opaque, const struct pfifo_decode_event *event) {
    struct diff_side *side = opaque;
    struct diff_line *line;

    switch (event->kind) {
    case PFIFO_DECODE_METHOD:
    case PFIFO_DECODE_SKIPPED:
    case PFIFO_DECODE_ERROR:
    case PFIFO_DECODE_SYNCPOINT:
        break;
    default:
        return true;
    }
    if (side->first + side->count == side->room && !diff_side_make_room(side))
        return false;
    line = &side->lines[side->first + side->count++];
    line->event = *event;
    line->data = event->data;
    if (side->names && diff_side_is_method(event))
        line->data &= ~address_mask(side->names, event);
    line->key = diff_side_key_of(line);
    return true;
}

enum pfifo_status diff_side_open(struct diff_side *side, const struct pfifo_diff_side *given, struct names *names,
                                 struct pfifo_error *error) {
    const struct pfifo_chip *chip;

    *side = (struct diff_side){.given = given, .names = names, .more = true};
    if (given->options && decode_options_read(&side->options, given->options, error) != PFIFO_OK)
        return error->status;
    side->options.size = sizeof side->options;
    side->options.format = PFIFO_DECODE_NOTHING;
    side->options.before = side->options.after = 0;
    side->options.match_max = 0;
    side->options.event = diff_side_keep_line;
    side->options.event_opaque = side;
    if (given->stream)
        side->replay = stream_replay_new(given->stream, &side->options, NULL, sink_no_output, NULL, error);
    if (given->stream && !side->replay)
        return error->status;
    chip = given->stream ? stream_replay_chip(side->replay) : side->options.chip;
    if (!chip)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "raw words need a chip");
    if (!given->stream)
        side->raw = raw_replay_new(given->words, given->bytes, &side->options, sink_no_output, NULL, error);
    if (!given->stream && !side->raw)
        return error->status;
    side->address_digits = sink_address_digits(chip);
    return PFIFO_OK;
}

void diff_side_close(struct diff_side *side) {
    stream_replay_free(side->replay);
    raw_replay_free(side->raw);
    free(side->lines);
}

/* A record, or some of the raw words. */
static enum pfifo_status diff_side_step(struct diff_side *side, struct pfifo_error *error) {
    enum pfifo_status status;

    if (side->replay) {
        status = stream_replay_next(side->replay, &side->more, error);
    } else {
        status = raw_replay_next(side->raw, &side->more, error);
        if (!side->more)
            status = raw_replay_end(side->raw, status, error);
    }
    if (side->out_of_memory)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to compare so many methods");
    return status;
}

enum pfifo_status diff_side_fill(struct diff_side *side, size_t wanted, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;

    while (status == PFIFO_OK && side->more && side->count < wanted)
        status = diff_side_step(side, error);
    return status;
}
