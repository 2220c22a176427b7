/* SPDX-License-Identifier: MIT */
/* Streams compared by meaning. Words are a GF100's, made by the assembler or one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/chip.h>
#include <pfifo/diff.h>

#include "decode/small_capture.h"
#include "rounds.h"

enum { MANY = 200000 };

struct words {
    uint8_t *bytes;
    size_t count;
};

struct text {
    char bytes[16000];
    size_t used;
};

static void add_word(struct words *words, uint32_t word) {
    for (int i = 0; i < 4; i++)
        words->bytes[4 * words->count + (size_t)i] = (uint8_t)(word >> 8 * i);
    words->count++;
}

/* An immediate method 0x200 with 13 bits of data. */
static void add(struct words *words, uint32_t data) {
    add_word(words, 0x80000080u | (data & 0x1fff) << 16);
}

static struct words empty(void) {
    struct words words = {.bytes = calloc(MANY, 4)};

    assert_non_null(words.bytes);
    return words;
}

static struct words assembled(const char *source) {
    struct words words = empty();
    uint32_t word[64];
    size_t count;
    struct pfifo_error error = {0};

    if (pfifo_assemble(pfifo_chip_by_name("GF100"), source, word, 64, &count, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    for (size_t i = 0; i < count; i++)
        add_word(&words, word[i]);
    return words;
}

static bool keep(void *opaque, const char *bytes, size_t count) {
    struct text *text = opaque;

    if (!text || text->used + count >= sizeof text->bytes)
        return true;
    memcpy(text->bytes + text->used, bytes, count);
    text->used += count;
    text->bytes[text->used] = 0;
    return true;
}

static struct pfifo_diff_result diff_of(const struct words *a, const struct words *b, struct pfifo_diff_options with,
                                        struct text *text) {
    const struct pfifo_decode_options options = {.chip = pfifo_chip_by_name("GF100"), .bound = {0x9097}};
    const struct pfifo_diff_side side[] = {{.words = a->bytes, .bytes = 4 * a->count, .options = &options},
                                           {.words = b->bytes, .bytes = 4 * b->count, .options = &options}};
    struct pfifo_diff_result result;
    struct pfifo_error error = {0};

    if (text)
        *text = (struct text){.used = 0};
    if (pfifo_diff(&side[0], &side[1], &with, keep, text, &result, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    return result;
}

/* What is in front of the lines: "@-+ ". */
static void expect_marks(const struct text *text, const char *marks) {
    char seen[1000];
    size_t used = 0;

    for (const char *line = text->bytes; *line; line = strchr(line, '\n') + 1) {
        assert_true(used + 1 < sizeof seen);
        if (strncmp(line, "---", 3) != 0 && strncmp(line, "+++", 3) != 0)
            seen[used++] = *line;
    }
    seen[used] = 0;
    assert_string_equal(seen, marks);
}

static void free_both(struct words *a, struct words *b) {
    free(a->bytes);
    free(b->bytes);
}

static void how_methods_are_packed_is_no_difference(void **state) {
    (void)state;
    struct words a = assembled("inc 0 0x200 1 2 3\nimm 0 0x300 5\n");
    struct words b = assembled("nop\ninc 0 0x200 1\ninc 0 0x204 2\nimm 0 0x208 3\nnoninc 0 0x300 5\n");
    struct text text;
    struct pfifo_diff_result result = diff_of(&a, &b, (struct pfifo_diff_options){.context = 3}, &text);

    assert_int_equal(result.same, 4);
    assert_int_equal(result.removed + result.added, 0);
    assert_string_equal(text.bytes, "");
    free_both(&a, &b);
}

static void a_method_with_other_data_is_removed_and_added(void **state) {
    (void)state;
    struct words a = assembled("inc 0 0x200 1 2 3 4\n"), b = assembled("inc 0 0x200 1 2 7 4\n");
    struct text text;
    struct pfifo_diff_result result = diff_of(&a, &b, (struct pfifo_diff_options){.context = 1}, &text);

    assert_int_equal(result.same, 3);
    assert_int_equal(result.removed, 1);
    assert_int_equal(result.added, 1);
    expect_marks(&text, "@ -+ ");
    assert_non_null(strstr(text.bytes, "--- raw\n+++ raw\n@@ 000000000c | 000000000c @@\n "));
    assert_non_null(strstr(text.bytes, "\n-    000000000c 00000003   0 9097 FERMI_A "));
    assert_non_null(strstr(text.bytes, "\n+    000000000c 00000007   0 9097 FERMI_A "));
    free_both(&a, &b);
}

static void another_subchannel_method_or_error_is_a_difference(void **state) {
    (void)state;
    static const char *const others[] = {"inc 1 0x200 1\n", "inc 0 0x204 1\n", "inc 0 0x200 1\nword c0000000\n", ""};
    struct words a = assembled("inc 0 0x200 1\n");

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        struct words b = assembled(others[i]);
        struct pfifo_diff_result result = diff_of(&a, &b, (struct pfifo_diff_options){0}, NULL);
        assert_true(result.removed + result.added > 0);
        free(b.bytes);
    }
    free(a.bytes);
}

/* What GF100 and another chip say of the same words. */
static struct pfifo_diff_result diff_with_chip(const char *chip, const struct words *words, struct text *text) {
    const struct pfifo_decode_options fermi = {.chip = pfifo_chip_by_name("GF100"), .bound = {0x9097}},
                                      other = {.chip = pfifo_chip_by_name(chip), .bound = {0x9097}};
    const struct pfifo_diff_side side[] = {{.words = words->bytes, .bytes = 4 * words->count, .options = &fermi},
                                           {.words = words->bytes, .bytes = 4 * words->count, .options = &other}};
    const struct pfifo_diff_options with = {.context = 0};
    struct pfifo_diff_result result;
    struct pfifo_error error = {0};

    *text = (struct text){.used = 0};
    if (pfifo_diff(&side[0], &side[1], &with, keep, text, &result, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    return result;
}

static void a_channel_of_another_class_is_one_difference(void **state) {
    (void)state;
    struct words words = assembled("inc 0 0x200 1\ninc 0 0x10 0x1 0x20000000 3\ninc 0 0x10 0x1 0x20000000 4\n");
    struct text text;
    struct pfifo_diff_result result = diff_with_chip("GK104", &words, &text);
    const char *first = strstr(text.bytes, "\n-channel 0: 906f GF100_CHANNEL_GPFIFO\n+channel 0: a06f ");

    assert_int_equal(result.same, 7);
    assert_int_equal(result.removed, 1);
    assert_int_equal(result.added, 1);
    expect_marks(&text, "@-+");
    if (!first || !strstr(text.bytes, "@@ 000000000c | 000000000c @@\n"))
        fail_msg("%s", text.bytes);
    free(words.bytes);
}

static void a_method_that_another_class_has_not_is_a_difference(void **state) {
    (void)state;
    struct words words = assembled("inc 0 0x5c 1\n");
    struct text text;
    struct pfifo_diff_result result = diff_with_chip("GV100", &words, &text);

    assert_int_equal(result.same, 0);
    assert_int_equal(result.removed, 1);
    assert_int_equal(result.added, 1);
    assert_null(strstr(text.bytes, "channel"));
    free(words.bytes);
}

static void differences_that_are_close_share_their_context(void **state) {
    (void)state;
    struct words a = empty(), b = empty();
    struct text text;

    for (uint32_t i = 0; i < 60; i++) {
        add(&a, i);
        add(&b, i == 20 || i == 24 || i == 40 ? 0x1000 + i : i);
    }
    diff_of(&a, &b, (struct pfifo_diff_options){.context = 3}, &text);
    expect_marks(&text, "@   -+   -+   @   -+   ");
    diff_of(&a, &b, (struct pfifo_diff_options){0}, &text);
    expect_marks(&text, "@-+@-+@-+");
    free_both(&a, &b);
}

static void what_was_put_in_between_is_found_near_and_far(void **state) {
    (void)state;
    static const uint32_t sizes[] = {1, 100, 255, 256, 257, 5000, 60000};

    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        struct words a = empty(), b = empty();
        for (uint32_t n = 0; n < 3000; n++) {
            for (uint32_t more = 0; n == 1000 && more < sizes[i]; more++)
                add(&b, 4000 + more % 3001);
            add(&a, n);
            add(&b, n);
        }
        struct pfifo_diff_result result = diff_of(&a, &b, (struct pfifo_diff_options){0}, NULL);
        assert_int_equal(result.same, 3000);
        assert_int_equal(result.removed, 0);
        assert_int_equal(result.added, sizes[i]);
        result = diff_of(&b, &a, (struct pfifo_diff_options){0}, NULL);
        assert_int_equal(result.removed, sizes[i]);
        assert_int_equal(result.added, 0);
        free_both(&a, &b);
    }
}

static void streams_without_anything_alike_end(void **state) {
    (void)state;
    struct words a = empty(), b = empty();

    for (uint32_t n = 0; n < MANY; n++) {
        add(&a, n % 4000);
        add(&b, 4000 + n % 4000);
    }
    struct pfifo_diff_result result = diff_of(&a, &b, (struct pfifo_diff_options){0}, NULL);
    assert_int_equal(result.same, 0);
    assert_int_equal(result.removed, MANY);
    assert_int_equal(result.added, MANY);
    free_both(&a, &b);
}

/* Edits that are not more than `edits`, if they are so far from each other that each is found by itself. */
static bool play_edits(struct choice *choice, FILE *report) {
    struct words a = empty(), b = empty();
    uint32_t edits = 0, length = 1 + choice_below(choice, 2500), chance = 2 + choice_below(choice, 200);

    for (uint32_t n = 0; n < length; n++) {
        bool leave = !choice_below(choice, chance), put = !choice_below(choice, chance);
        uint32_t data = choice_below(choice, 4000);
        add(&a, data);
        if (!leave)
            add(&b, data);
        if (put)
            add(&b, 4000 + choice_below(choice, 4000));
        edits += leave + put;
    }
    struct pfifo_diff_result other = diff_of(&a, &b, (struct pfifo_diff_options){.context = 3}, NULL);
    struct pfifo_diff_result self = diff_of(&a, &a, (struct pfifo_diff_options){0}, NULL);
    bool right = other.same + other.removed == a.count && other.same + other.added == b.count &&
                 (chance < 50 || other.removed + other.added <= edits) && self.same == a.count && !self.removed &&
                 !self.added;
    if (!right)
        fprintf(report, "%zu and %zu lines, %u edits: %u same, %u removed, %u added; of itself %u same\n", a.count,
                b.count, (unsigned)edits, (unsigned)other.same, (unsigned)other.removed, (unsigned)other.added,
                (unsigned)self.same);
    free_both(&a, &b);
    return right;
}

/* Each line of both is told once, whatever was changed; and a stream is never unlike itself. */
static void every_method_of_both_is_counted_once(void **state) {
    (void)state;
    assert_int_equal(rounds_failed(play_edits, 300), 0);
}

static void addresses_in_data_can_be_left_out(void **state) {
    (void)state;
    struct words a = assembled("inc 0 FERMI_A.SET_COLOR_TARGET_A(0) 0x1 0x1000 64\n");
    struct words b = assembled("inc 0 FERMI_A.SET_COLOR_TARGET_A(0) 0x2 0x3000 64\n");
    struct words c = assembled("inc 0 FERMI_A.SET_COLOR_TARGET_A(0) 0x2 0x3000 65\n");

    assert_int_equal(diff_of(&a, &b, (struct pfifo_diff_options){0}, NULL).removed, 2);
    assert_int_equal(diff_of(&a, &b, (struct pfifo_diff_options){.ignore_addresses = true}, NULL).removed, 0);
    assert_int_equal(diff_of(&a, &c, (struct pfifo_diff_options){.ignore_addresses = true}, NULL).removed, 1);
    free_both(&a, &b);
    free(c.bytes);
}

static void brief_writes_nothing_and_ends_early(void **state) {
    (void)state;
    struct words a = empty(), b = empty();
    struct text text;

    for (uint32_t n = 0; n < 100000; n++) {
        add(&a, n);
        add(&b, n + 1);
    }
    struct pfifo_diff_result result = diff_of(&a, &b, (struct pfifo_diff_options){.brief = true}, &text);
    assert_true(result.removed + result.added > 0);
    assert_true(result.same < 70000);
    assert_string_equal(text.bytes, "");
    free_both(&a, &b);
}

static void captures_are_compared_with_each_other_and_with_words(void **state) {
    (void)state;
    const struct pfifo_decode_options options = {.chip = pfifo_chip_by_name("GF100")};
    struct pfifo_stream *one = small_capture(), *other = small_capture();
    struct words nothing = empty();
    struct pfifo_diff_side a = {.stream = one}, b = {.stream = other};
    struct pfifo_diff_result result;

    assert_int_equal(pfifo_diff(&a, &b, NULL, keep, NULL, &result, NULL), PFIFO_OK);
    assert_int_equal(result.same, 12); /* 11 methods and an error */
    assert_int_equal(result.removed + result.added, 0);
    pfifo_stream_close(one);
    pfifo_stream_close(other);
    a.stream = small_capture();
    b = (struct pfifo_diff_side){.words = nothing.bytes, .options = &options};
    assert_int_equal(pfifo_diff(&a, &b, NULL, keep, NULL, &result, NULL), PFIFO_OK);
    assert_int_equal(result.removed, 12);
    pfifo_stream_close(a.stream);
    free(nothing.bytes);
}

static bool full(void *opaque, const char *text, size_t bytes) {
    (void)opaque, (void)text, (void)bytes;
    return false;
}

static void what_cannot_be_compared_is_said(void **state) {
    (void)state;
    const struct pfifo_decode_options options = {.chip = pfifo_chip_by_name("GF100")};
    const struct pfifo_diff_options wide = {.context = PFIFO_DIFF_CONTEXT_MAX + 1};
    const struct pfifo_diff_side words = {.words = "\x01\x00\x80\x80", .bytes = 4, .options = &options};
    const struct pfifo_diff_side nothing = {.words = "", .options = &options}, chipless = {.words = "", .bytes = 0};
    struct pfifo_diff_result result;
    struct pfifo_error error;

    assert_int_equal(pfifo_diff(&words, NULL, NULL, keep, NULL, &result, &error), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_diff(&words, &chipless, NULL, keep, NULL, &result, &error), PFIFO_ERROR_ARGUMENT);
    assert_string_equal(error.message, "raw words need a chip");
    assert_int_equal(pfifo_diff(&words, &nothing, &wide, keep, NULL, &result, &error), PFIFO_ERROR_ARGUMENT);
    assert_string_equal(error.message, "context is up to 1000 lines");
    assert_int_equal(pfifo_diff(&words, &nothing, NULL, full, NULL, &result, &error), PFIFO_ERROR_IO);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(how_methods_are_packed_is_no_difference),
        cmocka_unit_test(a_method_with_other_data_is_removed_and_added),
        cmocka_unit_test(another_subchannel_method_or_error_is_a_difference),
        cmocka_unit_test(a_channel_of_another_class_is_one_difference),
        cmocka_unit_test(a_method_that_another_class_has_not_is_a_difference),
        cmocka_unit_test(differences_that_are_close_share_their_context),
        cmocka_unit_test(what_was_put_in_between_is_found_near_and_far),
        cmocka_unit_test(streams_without_anything_alike_end),
        cmocka_unit_test(every_method_of_both_is_counted_once),
        cmocka_unit_test(addresses_in_data_can_be_left_out),
        cmocka_unit_test(brief_writes_nothing_and_ends_early),
        cmocka_unit_test(captures_are_compared_with_each_other_and_with_words),
        cmocka_unit_test(what_cannot_be_compared_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
