/* SPDX-License-Identifier: MIT */
/* The text of an instruction loses nothing of its word: each bit that a row does not fix is said, or ignored by the row. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "differential/choice.h"
#include "isa/shader/gf100_rows.h"
#include "isa/shader/gk110_rows.h"
#include "isa/shader/gm107_rows.h"
#include "isa/shader/text.h"
#include "memory/little_endian.h"

enum { ROOM = 400, ADDRESS = 0x1008, TRIES = 24 };

static const struct set {
    const struct isa *isa;
    const struct isa_texts *texts;
} sets[] = {{&isa_gm107, &isa_gm107_texts},
            {&isa_gk110, &isa_gk110_texts},
            {&isa_gf100k, &isa_gf100k_texts},
            {&isa_gf100, &isa_gf100_texts},
            {&isa_gf100, &gf100_short_texts}};

/* Bits of an instruction. */
static unsigned bits_of(const struct set *set) {
    return set->texts == &gf100_short_texts ? 32 : 64;
}

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
    for (unsigned bit = 0; bit < bits_of(set); bit++) {
        uint64_t flipped = word ^ UINT64_C(1) << bit;
        if (row->mask >> bit & 1 || ignored >> bit & 1)
            continue;
        /* another encoding, with a text of its own */
        if (isa_texts_of(set->isa->texts, flipped) != set->texts || isa_text_row(set->texts, flipped) != row)
            continue;
        text_of(set->isa, flipped, other);
        if (strcmp(text, other) == 0)
            fail_msg("%s: bit %u of %016llx is not said: %s", row->name, bit, (unsigned long long)word, text);
        flips |= UINT64_C(1) << bit;
    }
    return flips;
}

static void expect_row_says_its_bits(const struct set *set, const struct isa_text_row *row, struct choice *c) {
    uint64_t flips = 0, all = UINT64_MAX >> (64 - bits_of(set));
    unsigned found = 0;
    for (unsigned j = 0; j < TRIES; j++) {
        uint64_t word = row->value | (random_word(c) & ~row->mask & all);
        if (isa_texts_of(set->isa->texts, word) != set->texts || isa_text_row(set->texts, word) != row)
            continue;
        flips |= expect_bits_are_said(set, row, word);
        found++;
    }
    if (!found)
        fail_msg("%s, %016llx: never the first row that matches", row->name, (unsigned long long)row->value);
    assert_true(row->mask == UINT64_MAX || flips);
}

static void each_bit_that_changes_changes_the_text(void **state) {
    struct choice c = choice_from_seed(0x7e47);
    (void)state;
    for (const struct set *set = sets; set < sets + sizeof sets / sizeof sets[0]; set++)
        for (unsigned table = 0; table < ISA_TEXT_TABLES; table++)
            for (size_t i = 0; i < set->texts->tables[table].count; i++)
                expect_row_says_its_bits(set, &set->texts->tables[table].rows[i], &c);
}

static void expect_row_is_well_formed(const struct isa_text_row *row) {
    if (row->value & ~row->mask)
        fail_msg("%s: %016llx, mask %016llx", row->name, (unsigned long long)row->value, (unsigned long long)row->mask);
    unsigned says = 0;
    while (says < ISA_SAYS && row->say[says].rule)
        says++;
    assert_true(says < ISA_SAYS);
}

static void values_of_rows_are_within_their_masks(void **state) {
    (void)state;
    for (const struct set *set = sets; set < sets + sizeof sets / sizeof sets[0]; set++)
        for (unsigned table = 0; table < ISA_TEXT_TABLES; table++)
            for (size_t i = 0; i < set->texts->tables[table].count; i++)
                expect_row_is_well_formed(&set->texts->tables[table].rows[i]);
}

/* ---- what the machine reads ---- */

/* The sources of GF100, by the form that the word says; of form 2 two sources have none. */
static uint64_t form_bits(const struct isa_field *field, uint64_t word) {
    static const uint64_t seconds[] = {UINT64_C(0x3f) << 26, UINT64_C(0x3ffff) << 28 | UINT64_C(1) << 26,
                                       UINT64_C(0x3f) << 49, UINT64_C(0xfffff) << 26};
    unsigned form = (unsigned)isa_bits(word, field->at, field->width);
    uint64_t third = form == 2 ? seconds[1] : UINT64_C(0x3f) << 49;
    return seconds[form] | (field->shift & FORM_THREE ? third : 0);
}

/* A register may be none, where the function of the row finds a number. */
static uint64_t field_bits(const struct isa_row *row, const struct isa_field *field, uint64_t word) {
    unsigned put = field->to >> 8;
    uint64_t bits = (UINT64_MAX >> (64 - field->width)) << field->at;
    if (put == PUT_FORM)
        return form_bits(field, word);
    if (put == PUT_PRESET || put == PUT_IS_MODE || (put == PUT_REGISTER && row->finish))
        return 0;
    if (put == PUT_ONLY || put == PUT_MOST)
        return 0;
    return put == PUT_INTEGER || put == PUT_FLOAT ? bits | UINT64_C(1) << (field->at + 36) : bits;
}

/* Tables of the decoders, by the lowest bits of the word. */
static const struct table {
    const struct isa_texts *texts;
    const struct isa_row *rows;
    const size_t *count;
    uint64_t type, types;
} tables[] = {{&isa_gm107_texts, gm107_rows, &gm107_row_count, 0, 0},
              {&isa_gk110_texts, gk110_long_rows, &gk110_long_row_count, 0, 3},
              {&isa_gk110_texts, gk110_immediate_rows, &gk110_immediate_row_count, 1, 3},
              {&isa_gk110_texts, gk110_rows, &gk110_row_count, 2, 3},
              {&isa_gf100_texts, fermi_rows, &fermi_row_count, 0, 8},
              {&isa_gf100k_texts, fermi_rows, &fermi_row_count, 0, 8},
              {&isa_gf100_texts, gf100_fermi_rows, &gf100_fermi_row_count, 0, 8},
              {&isa_gf100k_texts, gf100_kepler_rows, &gf100_kepler_row_count, 0, 8},
              {&gf100_short_texts, gf100_short_rows, &gf100_short_row_count, 8, 8 | UINT64_C(0xffffffff) << 32}};

/* Instructions of 4 bytes have fields that are split above them, for the decoder (gf100_short.c): where they were. */
static uint64_t unspread(const struct table *table, uint64_t bits) {
    if (table->texts != &gf100_short_texts)
        return bits;
    uint64_t split = bits >> 32 | bits >> 40;
    return (bits & UINT32_MAX) | (split >> 6 & 3) << 8 | (bits >> 32 & 0x3f) << 26 | (bits >> 40 & 0x3f) << 20 |
           (bits >> 48 & 1) << 7 | (bits >> 49 & 7) << 14;
}

static const struct isa_row *first_row(const struct table *table, uint64_t word) {
    const struct isa_row *row = table->rows;
    while ((word & row->mask) != row->value)
        row++;
    return row;
}

/* A second of two sources without a form is illegal; and what is only known with one value of a field, not executed. */
static bool is_unknown(const struct isa_row *row, uint64_t word) {
    for (const struct isa_field *field = row->fields; field < row->fields + ISA_FIELDS && field->width; field++) {
        unsigned put = field->to >> 8;
        uint64_t value = isa_bits(word, field->at, field->width);
        if ((put == PUT_FORM && !(field->shift & FORM_THREE) && value == 2) ||
            (put == PUT_ONLY && value != field->shift))
            return true;
    }
    return false;
}

static void expect_fields_are_said(const struct table *table, const struct isa_row *row, uint64_t word) {
    const struct isa_text_row *text = isa_text_row(table->texts, word);
    if (is_unknown(row, word))
        return;
    if (!text)
        fail_msg("%s: no text for %016llx", row->name, (unsigned long long)word);
    uint64_t said = isa_text_bits(table->texts, text, word, false);
    for (const struct isa_field *field = row->fields; field < row->fields + ISA_FIELDS && field->width; field++)
        if (unspread(table, field_bits(row, field, word)) & ~said)
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
