/* SPDX-License-Identifier: MIT */
/* Why a command has no word on a chip, and what an unknown name may have meant. */
#include "decode/assemble.h"

#include "chip/family.h"

#include <inttypes.h>

/* ---- what a form has no room for ---- */

enum part { PART_METHOD, PART_COUNT, PART_TARGET, PART_DATA, PARTS };

static uint32_t part_of(const struct grammar_word *word, enum part part) {
    switch (part) {
    case PART_METHOD:
        return word->method;
    case PART_COUNT:
        return word->count;
    case PART_TARGET:
        return word->target;
    default:
        return word->data;
    }
}

static void set_part(struct grammar_word *word, enum part part, uint32_t value) {
    switch (part) {
    case PART_METHOD:
        word->method = (uint16_t)value;
        return;
    case PART_COUNT:
        word->count = value;
        return;
    case PART_TARGET:
        word->target = value;
        return;
    default:
        word->data = value;
        return;
    }
}

static bool says(const struct grammar *grammar, const struct grammar_word *word) {
    uint32_t encoded;

    return grammar && grammar_encode_any(grammar, word, &encoded);
}

/* The command with operands that all chips which have it can say. */
static struct grammar_word plain_word(const struct grammar_word *word) {
    return (struct grammar_word){.form = word->form, .subchannel = word->subchannel};
}

/* The largest number of ones at `step` that fits. */
static uint32_t most_of(const struct grammar *grammar, const struct grammar_word *word, enum part part, uint32_t step) {
    struct grammar_word tried = plain_word(word);
    uint32_t most = 0;

    for (unsigned bits = 1; bits <= (part == PART_METHOD ? 16 : 32); bits++) {
        const uint32_t value = (uint32_t)((UINT64_C(1) << bits) - 1) & ~(step - 1);
        set_part(&tried, part, value);
        if (says(grammar, &tried))
            most = value;
    }
    return most;
}

static enum pfifo_status no_room(const struct assembler *assembler, size_t column, const char *name,
                                 const struct grammar_word *word, enum part part) {
    static const char *const formats[PARTS] = {
        [PART_METHOD] = "line %u, column %zu: '%s' on %s reaches methods that are multiples of 4 up to 0x%" PRIx32
                        ", not 0x%" PRIx32,
        [PART_COUNT] = "line %u, column %zu: '%s' on %s has 0x%" PRIx32 " words of data at most, not 0x%" PRIx32,
        [PART_TARGET] = "line %u, column %zu: '%s' on %s goes to multiples of 4 up to 0x%" PRIx32 ", not to 0x%" PRIx32,
        [PART_DATA] = "line %u, column %zu: '%s' on %s has room for a number up to 0x%" PRIx32 ", not 0x%" PRIx32,
    };
    const uint32_t step = part == PART_METHOD || part == PART_TARGET ? 4 : 1;

    return pfifo_error_set(assembler->error, PFIFO_ERROR_ARGUMENT, formats[part], assembler->line, column, name,
                           assembler->chip->name, most_of(assembler->grammar, word, part, step), part_of(word, part));
}

/* ---- forms that a chip lacks ---- */

/* The first chip that has it or, of what has gone, the last. NULL: none. */
static const struct pfifo_chip *chip_that_says(const struct grammar_word *word, bool *last) {
    const struct pfifo_chip *first = NULL, *found = NULL;
    bool newest = false;

    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        const struct pfifo_chip *chip = pfifo_chip_at(i);
        newest = says(chip->family->grammar, word);
        if (newest)
            found = chip;
        if (newest && !first)
            first = chip;
    }
    *last = !newest;
    return newest ? first : found;
}

static enum pfifo_status no_form(const struct assembler *assembler, size_t column, const char *name,
                                 const struct grammar_word *plain) {
    bool last = false;
    const struct pfifo_chip *chip = chip_that_says(plain, &last);

    return pfifo_error_set(assembler->error, PFIFO_ERROR_ARGUMENT,
                           "line %u, column %zu: pushbuffers of %s have no '%s'; the %s chip that has it is %s",
                           assembler->line, column, assembler->chip->name, name, last ? "last" : "first",
                           chip ? chip->name : "none");
}

enum pfifo_status assemble_cannot_say(const struct assembler *assembler, size_t column, const char *name,
                                      const struct grammar_word *word) {
    const struct grammar_word plain = plain_word(word);

    if (!says(assembler->grammar, &plain))
        return no_form(assembler, column, name, &plain);
    for (unsigned part = 0; part < PARTS; part++) {
        struct grammar_word tried = plain;
        set_part(&tried, part, part_of(word, part));
        if (!says(assembler->grammar, &tried))
            return no_room(assembler, column, name, word, part);
    }
    return pfifo_error_set(assembler->error, PFIFO_ERROR_ARGUMENT, "line %u, column %zu: %s cannot say this in '%s'",
                           assembler->line, column, assembler->chip->name, name);
}

enum pfifo_status assemble_too_long(const struct assembler *assembler, size_t column, const char *name,
                                    uint32_t count) {
    const struct grammar_word word = {.count = count};

    return pfifo_error_set(assembler->error, PFIFO_ERROR_ARGUMENT,
                           "line %u, column %zu: '%s' on %s has 0x%" PRIx32 " words of data at most, not 0x%" PRIx32,
                           assembler->line, column, name, assembler->chip->name, ASSEMBLE_LONG_MOST, word.count);
}

/* ---- names ---- */

enum pfifo_status assemble_wrong_name(const struct assembler *assembler, const char *what,
                                      const struct pfifo_nearest *nearest) {
    enum pfifo_status status = assemble_wrong(assembler, what);
    struct pfifo_error first;

    if (!assembler->error || !nearest->name[0])
        return status;
    first = *assembler->error;
    return pfifo_error_set(assembler->error, status, "%.150s; did you mean '%s'?", first.message, nearest->name);
}

/* A class by its number, as the names of its methods are asked for. */
static void try_methods(struct pfifo_nearest *nearest, uint32_t class_id) {
    const struct pfifo_class *class = class_id ? pfifo_class_find(class_id) : NULL;

    if (class)
        pfifo_nearest_method(nearest, class->name);
}

void assemble_near_method(const struct assembler *assembler, const char *name, const struct pfifo_class *class,
                          struct pfifo_nearest *nearest) {
    pfifo_nearest_begin(nearest, name);
    if (class) {
        try_methods(nearest, class->id);
        return;
    }
    for (unsigned i = 0; i < PFIFO_DECODE_SUBCHANNELS; i++)
        try_methods(nearest, assembler->bound[i]);
    try_methods(nearest, assembler->chip->host_class);
}

void assemble_near_value(const char *name, const struct pfifo_field *field, struct pfifo_nearest *nearest) {
    const char *value_name;
    uint32_t value;

    pfifo_nearest_begin(nearest, name);
    for (size_t i = 0; pfifo_field_value_at(field, i, &value, &value_name); i++)
        pfifo_nearest_try(nearest, value_name);
}

void assemble_near_field(const char *name, const struct pfifo_method_name *method, struct pfifo_nearest *nearest) {
    struct pfifo_field field = {0};

    pfifo_nearest_begin(nearest, name);
    while (pfifo_field_next(method, &field))
        pfifo_nearest_try(nearest, field.name);
}
