/* SPDX-License-Identifier: MIT */
/* What decode prints of the samples assembles to the words that are in them, in their order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/decode.h>

struct text {
    char *bytes;
    size_t used, room;
};

struct words {
    uint32_t *word;
    size_t count, room;
};

static bool append(void *opaque, const char *bytes, size_t count) {
    struct text *text = opaque;

    if (text->used + count > text->room) {
        text->room = 2 * (text->used + count);
        text->bytes = realloc(text->bytes, text->room);
        assert_non_null(text->bytes);
    }
    memcpy(text->bytes + text->used, bytes, count);
    text->used += count;
    return true;
}

static struct pfifo_stream *open_sample(const char *name) {
    struct pfifo_error error = {0};
    struct pfifo_stream *stream;
    char path[1024];

    snprintf(path, sizeof path, "%s/captures/%s.nvcap.xz", getenv("PFIFO_SAMPLES"), name);
    stream = pfifo_stream_open(path, &error);
    if (!stream)
        fail_msg("%s", error.message);
    return stream;
}

/* As they are in the file, whatever the decoder makes of them. */
static struct words words_of(const char *name) {
    struct pfifo_stream *stream = open_sample(name);
    struct pfifo_stream_record record;
    struct words words = {0};

    while (pfifo_stream_next(stream, &record, NULL) == PFIFO_OK && record.type != PFIFO_STREAM_END) {
        if (record.type != PFIFO_STREAM_PUSH)
            continue;
        if (words.count + record.push.word_count > words.room) {
            words.room = 2 * (words.count + record.push.word_count);
            words.word = realloc(words.word, words.room * sizeof *words.word);
            assert_non_null(words.word);
        }
        for (size_t i = 0; i < record.push.word_count; i++)
            words.word[words.count++] = pfifo_stream_word(&record.push, i);
    }
    pfifo_stream_close(stream);
    assert_true(words.count > 0);
    return words;
}

static void expect_words(const char *name, const struct pfifo_chip *chip, struct text *text,
                         const struct words *words) {
    struct pfifo_assemble_options options = {.chip = chip};
    uint32_t *found = malloc((text->used / 2 + 1) * sizeof *found);
    struct pfifo_error error = {0};
    size_t count;

    assert_non_null(found);
    if (pfifo_assemble_text(text->bytes, text->used, &options, found, text->used / 2 + 1, &count, &error) != PFIFO_OK)
        fail_msg("%s: %s", name, error.message);
    assert_int_equal(count, words->count);
    for (size_t i = 0; words->word && i < count; i++)
        if (found[i] != words->word[i])
            fail_msg("%s: word %zu is %08x, not %08x", name, i, found[i], words->word[i]);
    free(found);
    free(text->bytes);
}

static void check_capture(const char *name, const struct words *words) {
    struct pfifo_stream *stream = open_sample(name);
    const struct pfifo_chip *chip = pfifo_chip_by_id(pfifo_stream_chipset(stream));
    struct text text = {0};

    assert_non_null(chip);
    assert_int_equal(pfifo_decode_stream(stream, NULL, append, &text, NULL), PFIFO_OK);
    pfifo_stream_close(stream);
    expect_words(name, chip, &text, words);
}

/* All of its words in one piece, as a file of raw words has them. */
static void check_raw(const char *name, const char *chip, const struct words *words) {
    struct pfifo_decode_options options = {.chip = pfifo_chip_by_name(chip), .base = 0x4000, .ib = true};
    struct text text = {0};

    assert_int_equal(pfifo_decode_raw(words->word, words->count * 4, &options, append, &text, NULL), PFIFO_OK);
    expect_words(name, options.chip, &text, words);
}

static void of_all_samples(void (*check)(const char *name, const struct words *words)) {
    char path[1024], row[512];
    unsigned count = 0;
    FILE *file;

    snprintf(path, sizeof path, "%s/captures/expected.tsv", getenv("PFIFO_SAMPLES"));
    file = fopen(path, "r");
    if (!file)
        fail_msg("cannot open %s", path);
    assert_non_null(fgets(row, sizeof row, file)); /* the heading */
    for (; fgets(row, sizeof row, file); count++) {
        row[strcspn(row, "\t\n")] = 0;
        struct words words = words_of(row);
        check(row, &words);
        free(words.word);
    }
    fclose(file);
    assert_true(count >= 6);
}

static void the_text_of_each_sample_assembles_to_its_words(void **state) {
    (void)state;
    of_all_samples(check_capture);
}

/* Also of a chip that they are not for: then many words make no sense. */
static void check_as_raw(const char *name, const struct words *words) {
    if (!strstr(name, "quad") && !strstr(name, "clear"))
        return;
    check_raw(name, "GF100", words);
    check_raw(name, "GV100", words);
    check_raw(name, "G80", words);
}

static void the_text_of_raw_words_assembles_to_them(void **state) {
    (void)state;
    of_all_samples(check_as_raw);
}

static void the_text_of_noise_assembles_to_it(void **state) {
    uint32_t seed = 1, noise[5000];
    const struct words words = {.word = noise, .count = 5000};

    (void)state;
    for (size_t i = 0; i < words.count; i++)
        noise[i] = seed = seed * 1664525 + 1013904223;
    check_raw("noise", "GF100", &words);
    check_raw("noise", "GV100", &words);
    check_raw("noise", "G80", &words);
}

/* There and back, past words that nothing reaches. */
static void words_that_jumps_leave_out_are_in_the_text(void **state) {
    uint32_t stream[] = {0x4011, 1, 2, 0x00000000, 0x401d, 3, 0x400d, 4, 5};
    const struct words words = {.word = stream, .count = sizeof stream / sizeof stream[0]};

    (void)state;
    check_raw("jumps", "NV40", &words);
    stream[3] = 0x4001;
    check_raw("a loop", "NV40", &words);
    stream[0] = 0x8001;
    check_raw("a jump to nowhere", "NV40", &words);
}

static void the_text_of_noise_with_jumps_assembles_to_it(void **state) {
    static const char *const chips[] = {"NV4", "NV10", "NV40"};
    uint32_t seed = 7, noise[300];
    const struct words words = {.word = noise, .count = 300};

    (void)state;
    for (unsigned round = 0; round < 60; round++) {
        for (size_t i = 0; i < words.count; i++) {
            seed = seed * 1664525 + 1013904223;
            noise[i] = seed >> 28 ? seed >> (seed & 15) : 0x4001 + (seed >> 8 & 0x1fc) * 2;
        }
        check_raw("noise with jumps", chips[round % 3], &words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_text_of_each_sample_assembles_to_its_words),
        cmocka_unit_test(the_text_of_raw_words_assembles_to_them),
        cmocka_unit_test(the_text_of_noise_assembles_to_it),
        cmocka_unit_test(words_that_jumps_leave_out_are_in_the_text),
        cmocka_unit_test(the_text_of_noise_with_jumps_assembles_to_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
