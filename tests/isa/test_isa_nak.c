/* SPDX-License-Identifier: MIT */
/* Every instruction that NAK emits: it decodes, the text has all of its fields, and it is executed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "isa/nak/nak.h"
#include "isa/rows.h"
#include "isa/shader/operation.h"
#include "memory/little_endian.h"

enum { ROOM = 300, ADDRESS = 8 };

static unsigned failures;

static void complain(const struct nak_set *set, const struct nak_row *row, uint64_t word, const char *text,
                     const char *what, const char *which) {
    print_error("%s %s %016llx: %s: %s %s\n", set->name, row->op, (unsigned long long)word, text, what, which);
    failures++;
}

/* With nothing behind it that would make it another name or number. */
static bool has(const char *text, const char *token) {
    size_t length = strlen(token);
    for (const char *at = strstr(text, token); at; at = strstr(at + 1, token))
        if (!isalnum((unsigned char)token[length - 1]) || !isalnum((unsigned char)at[length]))
            return true;
    return false;
}

struct words {
    const struct nak_set *set;
    const struct nak_row *row;
    struct nak_field fields[NAK_FIELDS];
    unsigned count;
};

/* All fields with their usual value, but for one. False: it does not decode. */
static bool say(const struct words *w, unsigned field, unsigned choice, uint64_t *word, char text[ROOM]) {
    struct ir ir;
    *word = w->row->value;
    for (unsigned i = 0; i < w->count; i++)
        *word |= nak_bits(w->set, &w->fields[i], i == field ? choice : 0);
    snprintf(text, ROOM, "?");
    if (decode_word(w->set->isa, *word, ADDRESS, &ir) != ISA_OK) {
        complain(w->set, w->row, *word, text, "does not decode", "");
        return false;
    }
    uint8_t code[8];
    store_le64(code, *word);
    isa_text(w->set->isa, code, sizeof code, ADDRESS, 0, text, ROOM);
    if (ir.op == IR_OTHER)
        complain(w->set, w->row, *word, text, "is not executed", "");
    return true;
}

/* Each value of a field makes another text, which has the value's name. */
static void try_field(const struct words *w, unsigned field) {
    char texts[NAK_CHOICES][ROOM], token[NAK_TEXT];
    uint64_t word;
    unsigned choices = nak_choices(&w->fields[field]);
    assert_in_range(choices, 1, NAK_CHOICES);
    for (unsigned i = 0; i < choices; i++) {
        if (!say(w, field, i, &word, texts[i]))
            return;
        const char *name = strstr(texts[i], w->row->name);
        if (!name || (name != texts[i] && name[-1] != ' '))
            complain(w->set, w->row, word, texts[i], "is not", w->row->name);
        nak_token(w->set, &w->fields[field], i, token);
        bool is_sign = !strcmp(token, "-") && has(texts[i], ".NEG"); /* of an immediate */
        if (*token && !is_sign && !has(texts[i], token))
            complain(w->set, w->row, word, texts[i], "does not say", token);
        for (unsigned k = 0; k < i; k++)
            if (!strcmp(texts[i], texts[k]))
                complain(w->set, w->row, word, texts[i], "says the same as for another value of the field of", token);
    }
}

static void try_set(const struct nak_set *set) {
    failures = 0;
    for (size_t i = 0; i < set->count; i++) {
        struct words w = {.set = set, .row = &set->rows[i]};
        w.count = nak_fields(set, w.row, w.fields);
        for (unsigned field = 0; field < w.count; field++)
            try_field(&w, field);
    }
    assert_int_equal(failures, 0);
}

static void all_that_sm20_emits_is_decoded_and_said(void **state) {
    (void)state;
    try_set(&nak_sets[0]);
}

static void all_that_sm32_emits_is_decoded_and_said(void **state) {
    (void)state;
    try_set(&nak_sets[1]);
}

static void all_that_sm50_emits_is_decoded_and_said(void **state) {
    (void)state;
    try_set(&nak_sets[2]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_sm20_emits_is_decoded_and_said),
        cmocka_unit_test(all_that_sm32_emits_is_decoded_and_said),
        cmocka_unit_test(all_that_sm50_emits_is_decoded_and_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
