/* SPDX-License-Identifier: MIT */
/*
 * A line per word, in columns:
 *
 *   submission 1 channel 0: 1 segment
 *     segment 0100020000: 24 words
 *       0100020000 20010000 increasing            subc 0 method 0000 count 1
 *       0100020004 0000906f   0 9097 FERMI_A     0000 SET_OBJECT     0000906f  NVCLASS=0x906f ENGINE=0x0
 *       address    word       subchannel, class  method              data      fields
 *
 *       0100020008 2 words skipped to find the next command
 *       0100020008 : 00000001 00000002
 *
 * An immediate header is a method at once: its data is not the word, and it has a = before the subchannel.
 */
#include "decode/sink.h"
#include "chip/counted.h"
#include "memory/little_endian.h"

#include <string.h>

enum { FORM_COLUMNS = 22, CLASS_COLUMNS = 25, NAME_COLUMNS = 36, SKIPPED_COLUMNS = 8 };

static void text_put_place(struct sink *sink, const struct pfifo_decode_event *event) {
    output_text(&sink->out, "    ");
    output_hex(&sink->out, event->address, sink->address_digits);
    output_text(&sink->out, " ");
}

static void put_word(struct sink *sink, const struct pfifo_decode_event *event) {
    text_put_place(sink, event);
    output_hex(&sink->out, event->word, 8);
    output_text(&sink->out, " ");
}

static void put_counted(struct output *out, uint64_t count, const char *noun) {
    output_text(out, counted(count, noun).text);
}

static void submission_line(struct sink *sink, const struct pfifo_decode_event *event) {
    struct output *out = &sink->out;

    output_text(out, "submission ");
    output_decimal(out, event->sequence);
    output_text(out, " channel ");
    output_decimal(out, event->channel);
    output_text(out, ": ");
    put_counted(out, event->count, "segment");
}

static void segment_line(struct sink *sink, const struct pfifo_decode_event *event) {
    output_text(&sink->out, "  segment ");
    output_hex(&sink->out, event->address, sink->address_digits);
    output_text(&sink->out, ": ");
    put_counted(&sink->out, event->count, "word");
    output_text(&sink->out, event->no_prefetch ? ", no prefetch" : "");
}

static void entry_line(struct sink *sink, const struct pfifo_decode_event *event) {
    struct output *out = &sink->out;

    output_text(out, "  entry ");
    output_hex(out, event->address, sink->address_digits);
    output_text(out, ": ");
    output_hex(out, event->data, 8);
    output_hex(out, event->word, 8);
    if (event->text) {
        output_text(out, " ");
        output_text(out, event->text);
        return;
    }
    output_text(out, " -> ");
    output_hex(out, event->target, sink->address_digits);
    output_text(out, ", ");
    put_counted(out, event->count, "word");
}

static void header_line(struct sink *sink, const struct pfifo_decode_event *event) {
    struct output *out = &sink->out;

    put_word(sink, event);
    output_padded(out, event->form, FORM_COLUMNS);
    output_text(out, "subc ");
    output_decimal(out, event->subchannel);
    output_text(out, " method ");
    output_hex(out, event->method, 4);
    output_text(out, " count ");
    /* The count of a long header is in the next word. */
    if (strcmp(event->form, "long-non-increasing") == 0)
        output_text(out, "follows");
    else
        output_decimal(out, event->count);
}

static void count_line(struct sink *sink, const struct pfifo_decode_event *event) {
    put_word(sink, event);
    output_padded(&sink->out, "  count", FORM_COLUMNS);
    output_decimal(&sink->out, event->count);
}

/* A handle alone says little, so the name of its object is added. */
static void put_handle(struct sink *sink, const struct pfifo_decode_event *event, const struct names_entry *entry) {
    const struct pfifo_field *field = names_handle(entry);
    const char *label = NULL;
    uint32_t oclass = 0;

    if (!field || !sink->decoder ||
        !pfifo_decoder_find_object(sink->decoder, event->channel, pfifo_field_get(field, event->data), &oclass, &label))
        return;
    if (!label) {
        const struct pfifo_class *found = pfifo_class_find(oclass);
        label = found ? found->name : NULL;
    }
    if (label) {
        output_text(&sink->out, "  -> ");
        output_text(&sink->out, label);
    }
}

/* Lines have no trailing blanks. The whole line is still in the buffer: see output_line(). */
static void trim(struct output *out) {
    while (out->used && out->bytes[out->used - 1] == ' ')
        out->used--;
}

/* Methods below 0x100 are the channel's, but the first one is about the object that it binds. */
static uint32_t shown_class(const struct pfifo_decode_event *event) {
    return event->method ? event->name_class : event->bound_class;
}

static void method_line(struct sink *sink, const struct pfifo_decode_event *event) {
    const struct names_entry *entry = names_method(&sink->names, event->name_class, event->method);
    uint32_t shown = shown_class(event);
    struct output *out = &sink->out;

    put_word(sink, event);
    output_bytes(out, event->data != event->word ? "= " : "  ", 2);
    output_decimal(out, event->subchannel);
    output_text(out, " ");
    /* Software classes have 32-bit ids; the name shows which one it is. */
    if (shown > 0xffff)
        output_text(out, "soft");
    else if (shown)
        output_hex(out, shown, 4);
    else
        output_text(out, "----");
    output_text(out, " ");
    output_padded(out, names_class(&sink->names, event->subchannel, shown), CLASS_COLUMNS);
    output_text(out, " ");
    output_hex(out, event->method, 4);
    output_text(out, " ");
    output_padded(out, entry->length ? entry->text : "?", NAME_COLUMNS);
    output_text(out, " ");
    output_hex(out, event->data, 8);
    output_text(out, "  ");
    names_describe(entry, event->data, out);
    trim(out);
    put_handle(sink, event, entry);
    if (event->discarded)
        output_text(out, "  (discarded: not for this GPU)");
}

static void jump_line(struct sink *sink, const struct pfifo_decode_event *event) {
    put_word(sink, event);
    output_padded(&sink->out, event->form, FORM_COLUMNS);
    if (event->target || strcmp(event->form, "return") != 0) {
        output_text(&sink->out, "to ");
        output_hex(&sink->out, event->target, sink->address_digits);
    }
    trim(&sink->out);
}

static void control_line(struct sink *sink, const struct pfifo_decode_event *event) {
    put_word(sink, event);
    output_padded(&sink->out, event->form, FORM_COLUMNS);
    if (strcmp(event->form, "nop") != 0 && strcmp(event->form, "end-segment") != 0) {
        output_text(&sink->out, "mask ");
        output_hex(&sink->out, event->data, 3);
    }
    trim(&sink->out);
}

/* The words themselves, so that the text has all that the segment has. */
static void put_skipped(struct sink *sink, const struct pfifo_decode_event *event) {
    struct pfifo_decode_event row = {.address = event->address};

    for (uint32_t i = 0; i < event->count && !sink->out.failed; i++) {
        if (i % SKIPPED_COLUMNS == 0) {
            output_text(&sink->out, "\n");
            output_line(&sink->out);
            text_put_place(sink, &row);
            output_text(&sink->out, ":");
            row.address += 4 * (uint64_t)SKIPPED_COLUMNS;
        }
        output_text(&sink->out, " ");
        output_hex(&sink->out, load_le32(event->words + 4 * (size_t)i), 8);
    }
}

static void skipped_line(struct sink *sink, const struct pfifo_decode_event *event) {
    text_put_place(sink, event);
    put_counted(&sink->out, event->count, "word");
    output_text(&sink->out, " ");
    output_text(&sink->out, event->text);
    if (event->words && sink->shows_skipped)
        put_skipped(sink, event);
}

static void error_line(struct sink *sink, const struct pfifo_decode_event *event) {
    put_word(sink, event);
    output_text(&sink->out, "ERROR: ");
    output_text(&sink->out, event->text);
}

static void syncpoint_line(struct sink *sink, const struct pfifo_decode_event *event) {
    output_text(&sink->out, "  ");
    output_text(&sink->out, event->form);
    output_text(&sink->out, ": syncpoint ");
    output_decimal(&sink->out, event->count);
    output_text(&sink->out, ", value ");
    output_decimal(&sink->out, event->data);
}

static void sync_line(struct sink *sink, const struct pfifo_decode_event *event) {
    output_text(&sink->out, "  ");
    output_text(&sink->out, event->form);
    output_text(&sink->out, ": sync object ");
    output_decimal(&sink->out, event->count);
    if (!event->target)
        return;
    output_text(&sink->out, ", point ");
    output_decimal(&sink->out, event->target);
}

bool sink_text(void *opaque, const struct pfifo_decode_event *event) {
    static void (*const lines[])(struct sink *, const struct pfifo_decode_event *) = {
        [PFIFO_DECODE_SUBMISSION] = submission_line,
        [PFIFO_DECODE_ENTRY] = entry_line,
        [PFIFO_DECODE_SEGMENT] = segment_line,
        [PFIFO_DECODE_HEADER] = header_line,
        [PFIFO_DECODE_COUNT] = count_line,
        [PFIFO_DECODE_METHOD] = method_line,
        [PFIFO_DECODE_JUMP] = jump_line,
        [PFIFO_DECODE_CONTROL] = control_line,
        [PFIFO_DECODE_SKIPPED] = skipped_line,
        [PFIFO_DECODE_ERROR] = error_line,
        [PFIFO_DECODE_SYNCPOINT] = syncpoint_line,
        [PFIFO_DECODE_SYNC] = sync_line,
    };
    struct sink *sink = opaque;

    output_line(&sink->out);
    lines[event->kind](sink, event);
    output_text(&sink->out, "\n");
    return !sink->out.failed;
}
