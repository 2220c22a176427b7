/* SPDX-License-Identifier: MIT */
/*
 * The listing of the macros that a channel has when it ends:
 *
 *   channel 1: macros of 9097 FERMI_A
 *   macro 00 at 000
 *     000 00004211  r2 = r1
 *     001 ...
 *
 * Words that were never uploaded are not listed. If a word was uploaded twice, the later one is listed.
 */
#include "decode/macros.h"

#include "decode/macro.h"
#include "decode/sink.h"
#include "isa/macro.h"

#include <stdlib.h>
#include <string.h>

enum { LISTING_TEXT = 512, NOWHERE = -1 };

/* The methods of an upload, the same in all classes; rnndb and NVIDIA's headers agree. */
enum { CODE_POINTER = 0x114, CODE = 0x118, START_POINTER = 0x11c, START = 0x120 };

struct macro_memory {
    struct macro_memory *next;
    const struct macro_isa *isa;
    uint32_t channel, class_id; /* of the last upload */
    uint32_t code_pointer, start_pointer;
    uint32_t *code;
    int32_t *start; /* per macro, or NOWHERE */
    bool *known;    /* per word of code */
};

/* ---- what is uploaded ---- */

static void free_memory(struct macro_memory *m) {
    free(m->code);
    free(m->known);
    free(m->start);
    free(m);
}

/* NULL: no memory, or too many channels have macros. */
static struct macro_memory *new_memory(struct macros *macros, uint32_t channel) {
    const struct macro_isa *isa = macro_isa_of(macros->chip);
    struct macro_memory *m = macros->count < MACROS_CHANNELS ? calloc(1, sizeof *m) : NULL;
    if (!m)
        return NULL;
    m->isa = isa;
    m->channel = channel;
    m->code = calloc(isa->code_words, sizeof *m->code);
    m->known = calloc(isa->code_words, sizeof *m->known);
    m->start = calloc(isa->starts, sizeof *m->start);
    if (!m->code || !m->known || !m->start) {
        free_memory(m);
        return NULL;
    }
    for (uint32_t i = 0; i < isa->starts; i++)
        m->start[i] = NOWHERE;
    macros->count++;
    return m;
}

/* The link to a channel's memory, or the end of the list. */
static struct macro_memory **macros_find(struct macros *macros, uint32_t channel) {
    struct macro_memory **at = &macros->first;
    while (*at && (*at)->channel != channel)
        at = &(*at)->next;
    return at;
}

/* Other classes have other methods there. */
static bool macros_exist(uint32_t class_id, uint32_t method) {
    struct pfifo_method_name name;
    return pfifo_method_find(class_id, method, &name) && strncmp(name.name, "LOAD_MME_", 9) == 0;
}

static void upload(struct macro_memory *m, uint32_t method, uint32_t data) {
    switch (method) {
    case CODE_POINTER:
        m->code_pointer = data;
        return;
    case CODE: {
        uint32_t at = m->code_pointer++ & (m->isa->code_words - 1);
        m->code[at] = data;
        m->known[at] = true;
        return;
    }
    case START_POINTER:
        m->start_pointer = data;
        return;
    default:
        m->start[m->start_pointer++ & (m->isa->starts - 1)] = (int32_t)(data & (m->isa->code_words - 1));
        return;
    }
}

void macros_event(struct macros *macros, const struct pfifo_decode_event *event) {
    if (event->kind != PFIFO_DECODE_METHOD || event->discarded || event->method < CODE_POINTER ||
        event->method > START || !macros_exist(event->bound_class, event->method))
        return;
    struct macro_memory **at = macros_find(macros, event->channel);
    if (!*at)
        *at = new_memory(macros, event->channel);
    if (!*at) {
        macros->omitted++;
        return;
    }
    (*at)->class_id = event->bound_class;
    upload(*at, event->method, event->data);
}

bool sink_macros(void *opaque, const struct pfifo_decode_event *event) {
    struct sink *sink = opaque;
    macros_event(&sink->macros, event);
    return true;
}

/* ---- the listing ---- */

struct start {
    uint32_t address, number;
};

static int compare_starts(const void *a, const void *b) {
    const struct start *x = a, *y = b;
    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x->number < y->number ? -1 : 1;
}

/* By address; NULL: no memory. */
static struct start *sorted_starts(const struct macro_memory *m, size_t *count) {
    struct start *starts = calloc(m->isa->starts, sizeof *starts);
    *count = 0;
    for (uint32_t i = 0; starts && i < m->isa->starts; i++)
        if (m->start[i] != NOWHERE)
            starts[(*count)++] = (struct start){(uint32_t)m->start[i], i};
    if (*count)
        qsort(starts, *count, sizeof *starts, compare_starts);
    return starts;
}

static void put_start(struct output *out, const struct start *start, bool known) {
    output_line(out);
    output_text(out, "macro ");
    output_hex(out, start->number, 2);
    output_text(out, " at ");
    output_hex(out, start->address, 3);
    output_text(out, known ? "\n" : ": nothing was uploaded there\n");
}

static void put_instruction(const struct macros *macros, const struct macro_memory *m, uint32_t at, uint32_t words,
                            struct output *out) {
    char text[LISTING_TEXT] = "incomplete";
    if (words == m->isa->step_words)
        pfifo_macro_format(macros->chip, m->class_id, at, &m->code[at], text, sizeof text);
    output_line(out);
    output_text(out, "  ");
    output_hex(out, at, 3);
    for (uint32_t i = 0; i < m->isa->step_words; i++) {
        output_text(out, " ");
        if (i < words)
            output_hex(out, m->code[at + i], 8);
        else
            output_text(out, "        ");
    }
    output_text(out, "  ");
    output_text(out, text);
    output_text(out, "\n");
}

/* How many words of the instruction at `at` were uploaded, before `end`. */
static uint32_t words_at(const struct macro_memory *m, uint32_t at, uint32_t end) {
    uint32_t words = 0;
    while (words < m->isa->step_words && at + words < end && m->known[at + words])
        words++;
    return words;
}

/* Code from `at` to before `end`. */
static void macros_put_code(const struct macros *macros, const struct macro_memory *m, uint32_t at, uint32_t end,
                            struct output *out) {
    while (at < end) {
        uint32_t words = words_at(m, at, end);
        if (words)
            put_instruction(macros, m, at, words, out);
        at += words ? words : 1;
    }
}

static void put_title(const struct macro_memory *m, struct output *out) {
    const struct pfifo_class *class = pfifo_class_find(m->class_id);
    output_line(out);
    output_text(out, "channel ");
    output_decimal(out, m->channel);
    output_text(out, ": macros of ");
    output_hex(out, m->class_id, 4);
    output_text(out, " ");
    output_text(out, class ? class->name : "?");
    output_text(out, "\n");
}

static void list(const struct macros *macros, const struct macro_memory *m, struct output *out) {
    size_t count;
    struct start *starts = sorted_starts(m, &count);
    put_title(m, out);
    if (!starts) {
        output_text(out, "no memory to list them\n");
        return;
    }
    macros_put_code(macros, m, 0, count ? starts[0].address : m->isa->code_words, out);
    for (size_t i = 0; i < count; i++) {
        uint32_t end = i + 1 < count ? starts[i + 1].address : m->isa->code_words;
        put_start(out, &starts[i], m->known[starts[i].address]);
        macros_put_code(macros, m, starts[i].address, end, out);
    }
    free(starts);
}

void macros_end(struct macros *macros, uint32_t channel, struct output *out) {
    struct macro_memory **at = macros_find(macros, channel), *m = *at;
    if (!m)
        return;
    list(macros, m, out);
    *at = m->next;
    macros->count--;
    free_memory(m);
}

void macros_end_all(struct macros *macros, struct output *out) {
    while (macros->first)
        macros_end(macros, macros->first->channel, out);
    if (macros->omitted) {
        output_line(out);
        output_decimal(out, macros->omitted);
        output_text(out, " words of macros are not listed: no memory, or too many channels at a time have macros\n");
    }
}
