/* SPDX-License-Identifier: MIT */
/* Why a command has no word on a chip, or faults there. */
#include "decode/assemble.h"

#include "chip/family.h"

#include <inttypes.h>

/* ---- what a form has no room for ---- */

enum part { PART_METHOD, PART_COUNT, PART_TARGET, PART_DATA, PARTS };

static uint32_t assemble_refuse_part_of(const struct grammar_word *word, enum part part) {
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

static bool assemble_refuse_says(const struct grammar *grammar, const struct grammar_word *word) {
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
        if (assemble_refuse_says(grammar, &tried))
            most = value;
    }
    return most;
}

static enum pfifo_status no_room(const struct assembler *assembler, size_t column, const char *name,
                                 const struct grammar_word *word, enum part part) {
    static const char *const formats[PARTS] = {
        [PART_METHOD] = "'%s' on %s reaches methods that are multiples of 4 up to 0x%" PRIx32 ", not 0x%" PRIx32,
        [PART_COUNT] = "'%s' on %s has 0x%" PRIx32 " words of data at most, not 0x%" PRIx32,
        [PART_TARGET] = "'%s' on %s goes to multiples of 4 up to 0x%" PRIx32 ", not to 0x%" PRIx32,
        [PART_DATA] = "'%s' on %s has room for a number up to 0x%" PRIx32 ", not 0x%" PRIx32,
    };
    const uint32_t step = part == PART_METHOD || part == PART_TARGET ? 4 : 1;

    return assemble_error(assembler, assembler->line, column, formats[part], name, assembler->chip->name,
                          most_of(assembler->grammar, word, part, step), assemble_refuse_part_of(word, part));
}

/* ---- forms that a chip lacks ---- */

/* The first chip that has it or, of what has gone, the last. NULL: none. */
static const struct pfifo_chip *chip_that_says(const struct grammar_word *word, bool *last) {
    const struct pfifo_chip *first = NULL, *found = NULL;
    bool newest = false;

    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        const struct pfifo_chip *chip = pfifo_chip_at(i);
        newest = assemble_refuse_says(chip->family->grammar, word);
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

    return assemble_error(assembler, assembler->line, column,
                          "pushbuffers of %s have no '%s'; the %s chip that has it is %s", assembler->chip->name, name,
                          last ? "last" : "first", chip ? chip->name : "none");
}

enum pfifo_status assemble_cannot_say(const struct assembler *assembler, size_t column, const char *name,
                                      const struct grammar_word *word) {
    const struct grammar_word plain = plain_word(word);

    if (!assemble_refuse_says(assembler->grammar, &plain))
        return no_form(assembler, column, name, &plain);
    for (unsigned part = 0; part < PARTS; part++) {
        struct grammar_word tried = plain;
        set_part(&tried, part, assemble_refuse_part_of(word, part));
        if (!assemble_refuse_says(assembler->grammar, &tried))
            return no_room(assembler, column, name, word, part);
    }
    return assemble_error(assembler, assembler->line, column, "%s cannot say this in '%s'", assembler->chip->name,
                          name);
}

enum pfifo_status assemble_too_long(const struct assembler *assembler, size_t column, const char *name,
                                    uint32_t count) {
    return assemble_error(assembler, assembler->line, column,
                          "'%s' on %s has 0x%" PRIx32 " words of data at most, not 0x%" PRIx32, name,
                          assembler->chip->name, ASSEMBLE_LONG_MOST, count);
}

/* ---- forms that fault in a segment ---- */

enum pfifo_status assemble_check_place(const struct assembler *assembler, size_t column, const char *name,
                                       const struct grammar_word *word) {
    static const char why[] = "'%s' on %s is for channels without a ring: in an entry of a ring, as captures and pfifo "
                              "run have it, it is no command, and faults";
    uint32_t encoded;

    if (!assembler->chip->has_ib ||
        grammar_encode(assembler->grammar, GRAMMAR_IB | GRAMMAR_SLI | GRAMMAR_OLD, word, &encoded))
        return PFIFO_OK;
    if (assembler->segment)
        return assemble_error(assembler, assembler->line, column, why, name, assembler->chip->name);
    assemble_warn(assembler, assembler->line, column, why, name, assembler->chip->name);
    return PFIFO_OK;
}
