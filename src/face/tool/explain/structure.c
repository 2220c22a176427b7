/* SPDX-License-Identifier: MIT */
/* A structure in memory, given as its words (pfifo/structure.h): what it is about, its fields, and what is odd in it. */
#include "face/tool/explain/structure.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FORMS = 8, TITLE_BYTES = 64, NAME_BYTES = 96 };

/* One form of one structure, printed a group of items at a time. */
struct printed {
    struct explain *explain;
    int form, wanted; /* the one that is being read, from 0; the one that is printed */
    bool zeros;       /* fields that are 0, else the others */
    bool found;
    char title[256];
    char zero[NAME_BYTES]; /* the name that comes next: elements of an array are one */
    unsigned first, last;
};

static bool is_form(struct printed *printed, const struct pfifo_structure_item *item) {
    printed->form += item->kind == PFIFO_STRUCTURE_FORM;
    return printed->form == printed->wanted;
}

static bool find_title(void *opaque, const struct pfifo_structure_item *item) {
    struct printed *printed = opaque;

    if (is_form(printed, item) && item->kind == PFIFO_STRUCTURE_FORM)
        snprintf(printed->title, sizeof printed->title, "%s", item->text);
    return true;
}

static bool print_says(void *opaque, const struct pfifo_structure_item *item) {
    struct printed *printed = opaque;
    struct explain *explain = printed->explain;

    if (!is_form(printed, item) || item->kind != PFIFO_STRUCTURE_SAYS)
        return true;
    if (explain->json) {
        json_open(&explain->writer, NULL, '{');
        json_put_text(&explain->writer, "name", item->name);
        json_put_text(&explain->writer, "text", item->text);
        if (item->has_value)
            json_put_number(&explain->writer, "value", item->value);
        json_close(&explain->writer);
    } else {
        explain_text(explain, item->name, "%s", item->text);
    }
    return true;
}

static void print_field_json(struct explain *explain, const struct pfifo_structure_item *item) {
    json_open(&explain->writer, NULL, '{');
    json_put_text(&explain->writer, "name", item->name);
    json_put_number(&explain->writer, "high", item->high);
    json_put_number(&explain->writer, "low", item->low);
    json_put_number(&explain->writer, "value", item->value);
    json_put_text(&explain->writer, "text", item->text);
    json_close(&explain->writer);
}

/* In text, fields that are 0 and do not say by a name what that means are only named. */
static bool is_plain_zero(const struct pfifo_structure_item *item) {
    return !item->value && (!item->has_name || strcmp(item->text, "FALSE") == 0);
}

/* Fields that are reserved for nothing are not worth a name. */
static bool is_unused(const char *name) {
    return strstr(name, "RESERVED") || strstr(name, "SPARE");
}

static void put_zero(struct printed *printed) {
    const bool array = strchr(printed->zero, '(') != NULL;

    if (printed->zero[0] && array && printed->last > printed->first)
        explain_word(printed->explain, "%s%u to %u)", printed->zero, printed->first, printed->last);
    else if (printed->zero[0] && array)
        explain_word(printed->explain, "%s%u)", printed->zero, printed->first);
    else if (printed->zero[0])
        explain_word(printed->explain, "%s", printed->zero);
    printed->zero[0] = 0;
}

/* "NAME", or "NAME(" and the number of an element: the next one of the same array joins it. */
static void note_zero(struct printed *printed, const char *name) {
    const size_t bytes = strcspn(name, "(") + (strchr(name, '(') != NULL);
    const unsigned index = name[bytes] ? (unsigned)strtoul(name + bytes, NULL, 10) : 0;

    if (is_unused(name))
        return;
    if (name[bytes] && strlen(printed->zero) == bytes && strncmp(printed->zero, name, bytes) == 0 &&
        index == printed->last + 1) {
        printed->last = index;
        return;
    }
    put_zero(printed);
    snprintf(printed->zero, sizeof printed->zero, "%.*s", (int)bytes, name);
    printed->first = printed->last = index;
}

static bool print_field(void *opaque, const struct pfifo_structure_item *item) {
    struct printed *printed = opaque;
    struct explain *explain = printed->explain;
    char bits[16];

    if (!is_form(printed, item) || item->kind != PFIFO_STRUCTURE_FIELD)
        return true;
    if (explain->json)
        print_field_json(explain, item);
    else if (is_plain_zero(item) != printed->zeros)
        return true;
    else if (printed->zeros)
        note_zero(printed, item->name);
    else if (item->has_name)
        explain_line(explain, "%s %s: %" PRIu64 " %s", item->name, explain_bits(item->high, item->low, bits),
                     item->value, item->text);
    else
        explain_line(explain, "%s %s: %s", item->name, explain_bits(item->high, item->low, bits), item->text);
    return true;
}

static bool print_odd(void *opaque, const struct pfifo_structure_item *item) {
    struct printed *printed = opaque;

    if (is_form(printed, item) && item->kind == PFIFO_STRUCTURE_ODD)
        explain_line(printed->explain, "%s", item->text);
    return true;
}

static bool find_odd(void *opaque, const struct pfifo_structure_item *item) {
    struct printed *printed = opaque;

    printed->found |= is_form(printed, item) && item->kind == PFIFO_STRUCTURE_ODD;
    return true;
}

static bool find_zero(void *opaque, const struct pfifo_structure_item *item) {
    struct printed *printed = opaque;

    printed->found |=
        is_form(printed, item) && item->kind == PFIFO_STRUCTURE_FIELD && is_plain_zero(item) && !is_unused(item->name);
    return true;
}

/* Read the words once more, with another sink. */
static void again(struct printed *printed, const struct explain_structure *structure, pfifo_structure_sink sink) {
    printed->form = -1;
    printed->found = false;
    pfifo_structure_read(printed->explain->chip, structure->kind, structure->words, structure->count, sink, printed,
                         NULL);
}

/* False: there is no such form. */
static bool print_form(struct explain *explain, const struct explain_structure *structure, int form) {
    struct printed printed = {.explain = explain, .wanted = form};
    const char *kind = pfifo_structure_kind_text(structure->kind), *chip = pfifo_chip_info(explain->chip).name;
    char value[TITLE_BYTES] = "";

    again(&printed, structure, find_title);
    if (!printed.title[0])
        return false;
    if (pfifo_structure_words(explain->chip, structure->kind, NULL, 0) == 2)
        snprintf(value, sizeof value, " 0x%08" PRIx32 "%08" PRIx32, structure->words[1], structure->words[0]);
    else if (structure->number)
        snprintf(value, sizeof value, " %zu", structure->number);
    if (structure->where[0])
        snprintf(value, sizeof value, " %s", structure->where);
    explain_begin(explain, pfifo_structure_kind_name(structure->kind), "%s%s of %s: %s", kind, value, chip,
                  printed.title);
    if (explain->json)
        explain_list(explain, "says");
    again(&printed, structure, print_says);
    if (explain->json)
        explain_list_end(explain);
    again(&printed, structure, find_odd);
    if (printed.found) {
        explain_list(explain, "odd");
        again(&printed, structure, print_odd);
        explain_list_end(explain);
    }
    explain_list(explain, "fields");
    again(&printed, structure, print_field);
    explain_list_end(explain);
    again(&printed, structure, find_zero);
    if (!explain->json && printed.found) {
        printed.zeros = true;
        explain_list(explain, "zero");
        again(&printed, structure, print_field);
        put_zero(&printed);
        explain_list_end(explain);
    }
    explain_end(explain);
    return true;
}

void explain_structure_words(struct explain *explain, const struct explain_structure *structure) {
    for (int form = 0; form < FORMS && print_form(explain, structure, form); form++)
        continue;
}

/* Only whether they can be read is asked. */
static bool no_item(void *opaque, const struct pfifo_structure_item *item) {
    (void)opaque, (void)item;
    return false;
}

bool explain_structures(struct explain *explain, enum pfifo_structure_kind kind, const struct explain_words *words,
                        const char *where, struct pfifo_error *error) {
    size_t at = 0, one;

    for (size_t number = 0; at < words->count; number++, at += one) {
        struct explain_structure structure = {.kind = kind, .words = words->word + at, .where = where};
        one = pfifo_structure_words(explain->chip, kind, words->word + at, words->count - at);
        if (!one || one > words->count - at)
            one = words->count - at; /* too few, or none: the library says why */
        structure.count = one;
        structure.number = one < words->count ? number + 1 : 0;
        if (pfifo_structure_read(explain->chip, kind, structure.words, one, no_item, NULL, error) != PFIFO_OK)
            return false;
        explain_structure_words(explain, &structure);
    }
    return true;
}

/* A number of 64 bits on a chip with a ring: an entry of it, or of a page table. */
void explain_pair(struct explain *explain) {
    static const enum pfifo_structure_kind kinds[] = {PFIFO_STRUCTURE_GPFIFO, PFIFO_STRUCTURE_PTE, PFIFO_STRUCTURE_PDE};
    uint64_t number;

    if (!explain->chip || explain->thing->value || !explain_is_number(explain->thing->whole, &number) ||
        number <= UINT32_MAX)
        return;
    const uint32_t words[2] = {(uint32_t)number, (uint32_t)(number >> 32)};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        explain_structure_words(explain,
                                &(struct explain_structure){.kind = kinds[i], .words = words, .count = 2, .where = ""});
}
