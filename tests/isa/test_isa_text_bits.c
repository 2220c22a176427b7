/* SPDX-License-Identifier: MIT */
/* The text of an instruction loses nothing of its word: each bit that a row does not fix is said, or ignored by the row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "differential/choice.h"
#include "isa/shader/gk110_rows.h"
#include "isa/shader/gm107_rows.h"
#include "isa/shader/text.h"
#include "memory/little_endian.h"

enum { ROOM = 400, ADDRESS = 0x1008, TRIES = 8 };

static const struct set {
    const struct isa *isa;
    const struct isa_texts *texts;
} sets[] = {{&isa_gm107, &isa_gm107_texts}, {&isa_gk110, &isa_gk110_texts}};

static uint64_t random_word(struct choice *c) {
    uint64_t word = (uint64_t)choice_word(c) << 32 | choice_word(c);
    /* most fields of real instructions are all zeros or all ones */
    switch (choice_word(c) % 4) {
    case 0:
        return word & ((uint64_t)choice_word(c) << 32 | choice_word(c));
    case 1:
        return word | ((uint64_t)choice_word(c) << 32 | choice_word(c));
    default:
        return word;
    }
}

static void text_of(const struct isa *isa, uint64_t word, char text[ROOM]) {
    uint8_t code[8];
    store_le64(code, word);
    size_t length = isa_text(isa, code, sizeof code, ADDRESS, 0, text, ROOM);
    assert_true(length > 0 && length < ROOM - 1);
    assert_int_equal(length, strlen(text));
}

static uint64_t expect_bits_are_said(const struct set *set, const struct isa_text_row *row, uint64_t word) {
    char text[ROOM], other[ROOM];
    uint64_t flips = 0, ignored = isa_text_bits(set->texts, row, word, true);
    text_of(set->isa, word, text);
    for (unsigned bit = 0; bit < 64; bit++) {
        uint64_t flipped = word ^ UINT64_C(1) << bit;
        if (row->mask >> bit & 1 || ignored >> bit & 1)
            continue;
        if (isa_text_row(set->texts, flipped) != row) /* another encoding, with a text of its own */
            continue;
        text_of(set->isa, flipped, other);
        if (strcmp(text, other) == 0)
            fail_msg("%s: bit %u of %016llx is not said: %s", row->name, bit, (unsigned long long)word, text);
        flips |= UINT64_C(1) << bit;
    }
    return flips;
}

static void each_bit_that_changes_changes_the_text(void **state) {
    struct choice c = choice_from_seed(0x7e47);
    (void)state;
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++)
        for (size_t i = 0; i < sets[s].texts->count; i++) {
            const struct isa_text_row *row = &sets[s].texts->rows[i];
            unsigned found = 0;
            uint64_t flips = 0;
            for (unsigned j = 0; j < TRIES; j++) {
                uint64_t word = row->value | (random_word(&c) & ~row->mask);
                if (isa_text_row(sets[s].texts, word) != row)
                    continue;
                flips |= expect_bits_are_said(&sets[s], row, word);
                found++;
            }
            if (!found)
                fail_msg("%s: row %zu is never the first that matches", row->name, i);
            assert_true(row->mask == UINT64_MAX || flips);
        }
}

static void values_of_rows_are_within_their_masks(void **state) {
    (void)state;
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++)
        for (size_t i = 0; i < sets[s].texts->count; i++) {
            const struct isa_text_row *row = &sets[s].texts->rows[i];
            if (row->value & ~row->mask)
                fail_msg("%s: %016llx, mask %016llx", row->name, (unsigned long long)row->value,
                         (unsigned long long)row->mask);
            unsigned says = 0;
            while (says < ISA_SAYS && row->say[says].rule)
                says++;
            assert_true(says < ISA_SAYS);
        }
}

/* ---- what the machine reads ---- */

/* A register may be none, where the function of the row finds a number. */
static uint64_t field_bits(const struct isa_row *row, const struct isa_field *field) {
    unsigned put = field->to >> 8;
    uint64_t bits = (UINT64_MAX >> (64 - field->width)) << field->at;
    if (put == PUT_PRESET || put == PUT_IS_MODE || (put == PUT_REGISTER && row->finish))
        return 0;
    if (put == PUT_ONLY) /* of which nobody knows what it does */
        return 0;
    return put == PUT_INTEGER || put == PUT_FLOAT ? bits | UINT64_C(1) << (field->at + 36) : bits;
}

/* Tables of the decoders; of GK110 by the lowest bits of the word, and without a text for some. */
static const struct table {
    const struct isa_texts *texts;
    const struct isa_row *rows;
    const size_t *count;
    uint64_t type, types;
    bool whole;
} tables[] = {{&isa_gm107_texts, gm107_rows, &gm107_row_count, 0, 0, true},
              {&isa_gk110_texts, gk110_long_rows, &gk110_long_row_count, 0, 3, true},
              {&isa_gk110_texts, gk110_immediate_rows, &gk110_immediate_row_count, 1, 3, false},
              {&isa_gk110_texts, gk110_rows, &gk110_row_count, 2, 3, false}};

static const struct isa_row *first_row(const struct table *table, uint64_t word) {
    const struct isa_row *row = table->rows;
    while ((word & row->mask) != row->value)
        row++;
    return row;
}

static void expect_fields_are_said(const struct table *table, const struct isa_row *row, uint64_t word) {
    const struct isa_text_row *text = isa_text_row(table->texts, word);
    if (!text && table->whole)
        fail_msg("%s: no text for %016llx", row->name, (unsigned long long)word);
    if (!text)
        return;
    uint64_t said = isa_text_bits(table->texts, text, word, false);
    for (const struct isa_field *field = row->fields; field < row->fields + ISA_FIELDS && field->width; field++)
        if (field_bits(row, field) & ~said)
            fail_msg("%s: the field at %u is not said by %s (%016llx)", row->name, field->at, text->name,
                     (unsigned long long)word);
}

/* Else a field would be a number in braces, and an instruction would do what its text does not say. */
static void fields_that_are_decoded_have_a_name_in_the_text(void **state) {
    struct choice c = choice_from_seed(0xdec0);
    (void)state;
    for (const struct table *table = tables; table < tables + sizeof tables / sizeof tables[0]; table++)
        for (const struct isa_row *row = table->rows; row < table->rows + *table->count; row++)
            for (unsigned j = 0; j < TRIES; j++) {
                uint64_t mask = row->mask | table->types;
                uint64_t word = row->value | table->type | (random_word(&c) & ~mask);
                /* what only orders has no operands */
                if (first_row(table, word) == row && row->op != IR_ORDER)
                    expect_fields_are_said(table, row, word);
            }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_bit_that_changes_changes_the_text),
        cmocka_unit_test(values_of_rows_are_within_their_masks),
        cmocka_unit_test(fields_that_are_decoded_have_a_name_in_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
