/* SPDX-License-Identifier: MIT */
/*
 * RAMFC and USERD: memory that keeps registers of a channel. Which register is where, and its fields, are the tables of the
 * machine (pfifo/registers.h).
 */
#include "structure/structure.h"

#include <pfifo/registers.h>

#include <stdio.h>

enum { NAME_BYTES = 96, TEXT_BYTES = 32 };

static size_t kept_words(const struct structure *structure, enum pfifo_kept_in memory) {
    struct pfifo_registers *registers = pfifo_registers_new(structure->chip, NULL);
    size_t words = registers ? pfifo_registers_kept_bytes(registers, memory) / 4 : 0;

    pfifo_registers_free(registers);
    return words < PFIFO_STRUCTURE_WORDS ? words : PFIFO_STRUCTURE_WORDS;
}

static size_t ramfc_words(const struct structure *structure) {
    return kept_words(structure, PFIFO_KEPT_IN_RAMFC);
}

static size_t userd_words(const struct structure *structure) {
    return kept_words(structure, PFIFO_KEPT_IN_USERD);
}

static void put_bits(struct structure *structure, const char *name, uint32_t high, uint32_t low) {
    struct pfifo_structure_item item = {.kind = PFIFO_STRUCTURE_FIELD, .name = name, .high = high, .low = low};
    char text[TEXT_BYTES];

    item.value = structure_bits(structure, high, low);
    snprintf(text, sizeof text, "0x%llx", (unsigned long long)item.value);
    item.text = text;
    structure_item(structure, &item);
}

/* A register, and those of its fields that are all there. */
static void put_kept(struct structure *structure, const struct pfifo_kept_register *kept) {
    const uint32_t low = 8 * kept->offset + kept->low, bits = kept->bits;
    struct pfifo_register_field field;
    char name[NAME_BYTES];

    if (!kept->reg.name)
        return;
    put_bits(structure, kept->reg.name, low + bits - 1, low);
    for (size_t i = 0; pfifo_register_field_at(&kept->reg, i, &field); i++) {
        if (field.low < kept->reg_low || field.high >= kept->reg_low + bits)
            continue;
        snprintf(name, sizeof name, "%s.%s", kept->reg.name, field.name);
        put_bits(structure, name, low + field.high - kept->reg_low, low + field.low - kept->reg_low);
    }
}

/* Runs of words in which nothing is known to be kept, and which are not 0. */
static void put_others(struct structure *structure, const bool known[PFIFO_STRUCTURE_WORDS]) {
    for (size_t i = 0; i < structure->count; i++) {
        const size_t first = i;
        while (i < structure->count && !known[i] && structure->words[i])
            i++;
        if (i > first + 1)
            structure_odd(structure, "nothing is kept in the words from 0x%02zx to 0x%02zx, which are not 0", 4 * first,
                          4 * (i - 1));
        else if (i > first)
            structure_odd(structure, "nothing is kept in the word at 0x%02zx, which is 0x%08x", 4 * first,
                          (unsigned)structure->words[first]);
    }
}

static void kept_read(struct structure *structure, enum pfifo_kept_in memory, const char *form) {
    struct pfifo_registers *registers = pfifo_registers_new(structure->chip, NULL);
    bool known[PFIFO_STRUCTURE_WORDS] = {false};
    struct pfifo_kept_register kept;

    structure_form_begin(structure, "%s", form);
    for (size_t i = 0; registers && !structure->stopped && pfifo_registers_kept(registers, memory, i, &kept); i++)
        if (kept.offset / 4 < structure->count) {
            known[kept.offset / 4] = true;
            put_kept(structure, &kept);
        }
    if (registers)
        put_others(structure, known);
    pfifo_registers_free(registers);
}

static void ramfc_read(struct structure *structure) {
    kept_read(structure, PFIFO_KEPT_IN_RAMFC, "registers of a channel that is not loaded (RAMFC)");
}

static void userd_read(struct structure *structure) {
    kept_read(structure, PFIFO_KEPT_IN_USERD, "what a channel and its owner tell each other (USERD)");
}

const struct structure_reader structure_userd = {
    .name = "userd", .text = "USERD", .words = userd_words, .read = userd_read, .may_be_cut = true};
const struct structure_reader structure_ramfc = {
    .name = "ramfc", .text = "RAMFC", .words = ramfc_words, .read = ramfc_read, .may_be_cut = true};
