/* SPDX-License-Identifier: MIT */
/* What the reader says to captures that break a promise: the kind of error, the offset, the reason. */
#include "stream/image.h"

#define SUBMIT(seq, bos, relocs, pushes)                                                                               \
    { 7, 8, {seq, 0, bos, relocs, pushes, 0, 0, 0}, 0 }
#define BOREF(handle, bytes)                                                                                           \
    { 8, 12, {handle, 0, 0, 0, 0, 0, bytes, 0, 0, 0, 0, 0}, 0 }
#define BODATA(handle, offset, bytes)                                                                                  \
    { 9, 4, {handle, 0, offset, 0}, bytes }
#define RELOC(in, to)                                                                                                  \
    { 13, 7, {in, 0, to, 0, 0, 0, 0}, 0 }
#define PUSH(length, bytes)                                                                                            \
    { 10, 8, {1, 0, 0, 0, length, 0, 0, 0}, bytes }
#define SUBEND(seq)                                                                                                    \
    { 11, 1, {seq}, 0 }

/* The last record is the bad one. A record of type 0 and no words ends the list. */
struct malformed {
    const char *reason;
    struct image_record records[6];
};

static const struct malformed cases[] = {
    {"SUBMIT: sequence 2 after 0", {SUBMIT(2, 0, 0, 0)}},
    {"SUBMIT: sequence 0 after 0", {SUBMIT(0, 0, 0, 0)}},
    {"SUBMIT: sequence 1 after 1", {SUBMIT(1, 0, 0, 0), SUBEND(1), SUBMIT(1, 0, 0, 0)}},
    {"SUBMIT: inside submission 1", {SUBMIT(1, 0, 0, 0), SUBMIT(2, 0, 0, 0)}},
    {"CHAN: inside submission 1", {SUBMIT(1, 0, 0, 0), {2, 5, {0}, 0}}},
    {"BONEW: inside submission 1", {SUBMIT(1, 0, 0, 0), {5, 8, {0}, 0}}},
    {"BODEL: inside submission 1", {SUBMIT(1, 0, 0, 0), {6, 1, {0}, 0}}},
    {"PREP: inside submission 1", {SUBMIT(1, 0, 0, 0), {12, 2, {0}, 0}}},
    {"CHANFREE: inside submission 1", {SUBMIT(1, 0, 0, 0), {14, 1, {0}, 0}}},
    {"SUBEND: outside a submission", {SUBEND(0)}},
    {"SUBEND: outside a submission", {SUBMIT(1, 0, 0, 0), SUBEND(1), SUBEND(1)}},
    {"SUBEND: sequence 2 in submission 1", {SUBMIT(1, 0, 0, 0), SUBEND(2)}},
    {"SUBEND: 1/2 BOREFs, 0/0 RELOCs, 0/0 PUSHes", {SUBMIT(1, 2, 0, 0), BOREF(1, 0), SUBEND(1)}},
    {"SUBEND: 1/1 BOREFs, 0/1 RELOCs, 0/0 PUSHes", {SUBMIT(1, 1, 1, 0), BOREF(1, 0), SUBEND(1)}},
    {"SUBEND: 0/0 BOREFs, 0/0 RELOCs, 1/2 PUSHes", {SUBMIT(1, 0, 0, 2), PUSH(4, 4), SUBEND(1)}},
    {"BOREF: outside a submission", {BOREF(1, 0)}},
    {"BOREF: more than the 1 that submission 1 announced", {SUBMIT(1, 1, 0, 0), BOREF(1, 0), BOREF(2, 0)}},
    {"BOREF: too late in submission 1", {SUBMIT(1, 1, 0, 1), PUSH(4, 4), BOREF(1, 0)}},
    {"BOREF: too late in submission 1", {SUBMIT(1, 2, 1, 0), BOREF(1, 0), RELOC(0, 0), BOREF(2, 0)}},
    {"RELOC: outside a submission", {RELOC(0, 0)}},
    {"RELOC: more than the 0 that submission 1 announced", {SUBMIT(1, 1, 0, 0), BOREF(1, 0), RELOC(0, 0)}},
    {"RELOC: too late in submission 1", {SUBMIT(1, 1, 1, 1), PUSH(4, 4), RELOC(0, 0)}},
    {"RELOC: buffer 0 or 1 of 1", {SUBMIT(1, 1, 1, 0), BOREF(1, 0), RELOC(0, 1)}},
    {"RELOC: buffer 1 or 0 of 1", {SUBMIT(1, 1, 1, 0), BOREF(1, 0), RELOC(1, 0)}},
    {"PUSH: outside a submission", {PUSH(4, 4)}},
    {"PUSH: more than the 1 that submission 1 announced", {SUBMIT(1, 0, 0, 1), PUSH(4, 4), PUSH(4, 4)}},
    {"PUSH: 1 word, but a length of 8 bytes", {SUBMIT(1, 0, 0, 1), PUSH(8, 4)}},
    {"PUSH: 2 words, but a length of 4 bytes", {SUBMIT(1, 0, 0, 1), PUSH(4, 8)}},
    {"PUSH: 1 word, but a length of 6 bytes", {SUBMIT(1, 0, 0, 1), PUSH(0x800006, 4)}},
    {"PUSH: 6 bytes are not whole words", {SUBMIT(1, 0, 0, 1), PUSH(6, 6)}},
    {"BODATA: outside a submission", {BODATA(1, 0, 4096)}},
    {"BODATA: not after a BOREF", {SUBMIT(1, 1, 0, 0), BODATA(1, 0, 4096)}},
    {"BODATA: not after a BOREF", {SUBMIT(1, 1, 0, 1), BOREF(1, 4096), PUSH(4, 4), BODATA(1, 0, 4096)}},
    {"BODATA: of buffer 2, after the BOREF of 1", {SUBMIT(1, 1, 0, 0), BOREF(1, 4096), BODATA(2, 0, 4096)}},
    {"BODATA: 0 bytes are not whole pages", {SUBMIT(1, 1, 0, 0), BOREF(1, 4096), BODATA(1, 0, 0)}},
    {"BODATA: 4095 bytes are not whole pages", {SUBMIT(1, 1, 0, 0), BOREF(1, 4096), BODATA(1, 0, 4095)}},
    {"BODATA: 4097 bytes are not whole pages", {SUBMIT(1, 1, 0, 0), BOREF(1, 8192), BODATA(1, 0, 4097)}},
    {"BODATA: offset 0x800 is not at a page", {SUBMIT(1, 1, 0, 0), BOREF(1, 8192), BODATA(1, 0x800, 4096)}},
    {"BODATA: 0x2000 bytes at 0x0 are beyond", {SUBMIT(1, 1, 0, 0), BOREF(1, 4096), BODATA(1, 0, 8192)}},
    {"BODATA: 0x1000 bytes at 0x1000 are beyond", {SUBMIT(1, 1, 0, 0), BOREF(1, 4096), BODATA(1, 0x1000, 4096)}},
    {"BODATA: 0x1000 bytes at 0x2000 are beyond", {SUBMIT(1, 1, 0, 0), BOREF(1, 4096), BODATA(1, 0x2000, 4096)}},
    {"BODATA: 0x1000 bytes at 0xfffffffffffff000 are beyond",
     {SUBMIT(1, 1, 0, 0), BOREF(1, 4096), {9, 4, {1, 0, 0xfffff000, 0xffffffff}, 4096}}},
};

static struct pfifo_stream *open_image(const struct image *image) {
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = pfifo_stream_open_memory(image->data, image->size, "x/bad.nvcap", &error);

    if (!stream)
        fail_msg("%s", error.message);
    return stream;
}

/* Reading ends in a format error at `offset` for `reason`, twice. */
static void expect_error(const struct image *image, size_t offset, const char *reason) {
    struct pfifo_stream *stream = open_image(image);
    char expected[200];

    snprintf(expected, sizeof(expected), "x/bad.nvcap: offset %zu: %s", offset, reason);
    for (int i = 0; i < 2; i++) {
        struct pfifo_error error = {0};

        assert_int_equal(read_all(stream, &error), -1);
        assert_int_equal(error.status, PFIFO_ERROR_FORMAT);
        if (strncmp(error.message, expected, strlen(expected)) != 0)
            fail_msg("'%s' instead of '%s'", error.message, expected);
    }
    pfifo_stream_close(stream);
}

static void records_out_of_place_are_errors_at_their_offset(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct image image;

        image_begin(&image);
        image_add_text(&image, "note=x", 6);
        for (const struct image_record *record = cases[i].records; record->type != 0; record++)
            image_add(&image, record);
        expect_error(&image, image.last, cases[i].reason);
    }
}

/* Near misses of the cases above: the rules are not stricter than they say. */
static void what_the_rules_allow_is_read(void **state) {
    static const struct image_record records[] = {
        SUBMIT(1, 0, 0, 0), SUBEND(1),       SUBMIT(2, 2, 1, 2), BOREF(1, 4097), {0, 0, {0}, 5}, BOREF(2, 0),
        RELOC(1, 1),        {99, 1, {0}, 0}, PUSH(0x800004, 4),  PUSH(0, 0),     SUBEND(2),      {2, 5, {0}, 0},
    };
    static const struct image_record pages = BODATA(1, 0, 8192);
    struct image image;
    struct pfifo_stream *stream;

    (void)state;
    image_begin(&image);
    for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
        image_add(&image, &records[i]);
        if (records[i].type == 8 && records[i].words[0] == 1) {
            image_add(&image, &pages);
            image_add_text(&image, "inside=a submission", 19);
        }
    }
    stream = open_image(&image);
    assert_int_equal(read_all(stream, NULL), sizeof(records) / sizeof(records[0]) + 2);
    pfifo_stream_close(stream);
}

/* Rounded up to pages, the size of this buffer is 2^64. */
static void a_buffer_may_be_as_large_as_a_number(void **state) {
    static const struct image_record records[] = {
        SUBMIT(1, 1, 0, 0),
        {8, 12, {1, 0, 0, 0, 0, 0, 0xffffffff, 0xffffffff, 0, 0, 0, 0}, 0},
        {9, 4, {1, 0, 0xffffe000, 0xffffffff}, 4096},
        SUBEND(1),
    };
    struct image image;
    struct pfifo_stream *stream;

    (void)state;
    image_begin(&image);
    for (size_t i = 0; i < sizeof(records) / sizeof(records[0]); i++)
        image_add(&image, &records[i]);
    stream = open_image(&image);
    assert_int_equal(read_all(stream, NULL), 4);
    pfifo_stream_close(stream);
}

static void payloads_of_the_wrong_size_are_errors(void **state) {
    static const uint32_t fixed[15] = {0, 0, 20, 12, 16, 32, 4, 32, 48, 16, 32, 4, 8, 28, 4};

    (void)state;
    for (uint32_t type = 2; type < 15; type++) {
        struct image_record record = {type, 0, {0}, fixed[type] - 1};
        struct image image;
        char reason[100];

        image_begin(&image);
        image_add(&image, &record);
        snprintf(reason, sizeof(reason), "%s: payload of %u bytes, at least %u needed",
                 pfifo_stream_type_name((enum pfifo_stream_type)type), fixed[type] - 1, fixed[type]);
        expect_error(&image, 8, reason);
        if (type == PFIFO_STREAM_BODATA || type == PFIFO_STREAM_PUSH)
            continue;
        record.extra = fixed[type] + 4;
        image_begin(&image);
        image_add(&image, &record);
        snprintf(reason, sizeof(reason), "%s: payload of %u bytes instead of %u",
                 pfifo_stream_type_name((enum pfifo_stream_type)type), fixed[type] + 4, fixed[type]);
        expect_error(&image, 8, reason);
    }
}

/* Where a cut between records leaves a submission open, the end is at fault; inside a record, that record is. */
static void every_truncation_is_an_error_at_the_record_it_hits(void **state) {
    size_t starts[IMAGE_EVERY_COUNT + 1], count = 0;
    struct image image;
    struct pfifo_stream *stream;
    struct pfifo_stream_record record;

    (void)state;
    image_every_type(&image);
    stream = open_image(&image);
    do {
        assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
        starts[count++] = (size_t)record.offset;
    } while (record.type != PFIFO_STREAM_END);
    pfifo_stream_close(stream);
    assert_int_equal(count, IMAGE_EVERY_COUNT + 1);
    for (size_t i = 0; i + 1 < count; i++) {
        bool inside = i > 5 && i < 12; /* of the submission, whose SUBMIT is the sixth record and SUBEND the twelfth */

        image.size = starts[i];
        if (inside)
            expect_error(&image, starts[i], "end: the capture ends inside submission 1");
        for (image.size++; image.size < starts[i + 1] && image.size < starts[i] + 60; image.size++)
            expect_error(&image, starts[i], image.size < starts[i] + 8 ? "record: " : "record: payload of ");
    }
}

static void a_length_beyond_the_end_is_an_error(void **state) {
    struct image image;

    (void)state;
    image_begin(&image);
    image_add_text(&image, "note=x", 6);
    memset(image.data + 12, 0xff, 4);
    expect_error(&image, 8, "record: payload of 4294967295 bytes, but 6 follow");
}

static void texts_are_pairs_of_printable_utf8(void **state) {
    static const struct image_text bad[] = {
        {"", 0},
        {"note", 4},
        {"=x", 2},
        {"a=\n", 3},
        {"a=\0", 3},
        {"a=\x7f", 3},
        {"a=\xc2\x9b", 4},
        {"a=\x80", 3},
        {"a=\xc3", 3},
        {"a=\xc0\xaf", 4},
        {"a=\xe0\x80\xaf", 5},
        {"a=\xed\xa0\x80", 5},
        {"a=\xf4\x90\x80\x80", 6},
        {"a=\xff", 3},
        {"\x1b[m=a", 5},
        {"a=\xe2\x82=", 5},
    };
    static const struct image_text good[] = {
        {"a=", 2}, {"a=b=c", 5}, {"a=\xc3\xa9", 4}, {"a=\xe2\x82\xac", 5}, {"\xf0\x9f\x98\x80=1", 6}, {"a b= c ", 7},
    };
    struct image image;

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        image_begin(&image);
        image_add_text(&image, bad[i].bytes, bad[i].size);
        expect_error(&image, 8, "TEXT: ");
    }
    image_begin(&image);
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
        image_add_text(&image, good[i].bytes, good[i].size);
    struct pfifo_stream *stream = open_image(&image);
    assert_int_equal(read_all(stream, NULL), sizeof(good) / sizeof(good[0]));
    pfifo_stream_close(stream);
}

static void what_is_not_a_capture_is_not_opened(void **state) {
    static const struct image_text bad[] = {{"", 0},
                                            {"NVPBCAP", 7},
                                            {"NVPBCAP4", 8},
                                            {"\x7f"
                                             "ELF....",
                                             8}};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct pfifo_error error = {0};

        assert_null(pfifo_stream_open_memory(bad[i].bytes, bad[i].size, "bad", &error));
        assert_int_equal(error.status, PFIFO_ERROR_FORMAT);
        assert_non_null(strstr(error.message, bad[i].size ? "bad: offset 0: not a capture" : "bad: it is empty"));
    }
    assert_null(pfifo_stream_open_memory(NULL, 8, "bad", NULL));
    assert_null(pfifo_stream_open_memory("NVPBCAP1", 8, NULL, NULL));
}

static void a_chipset_that_is_no_number_is_not_opened(void **state) {
    static const char *const bad[] = {"chipset=",   "chipset=nv40", "chipset=0x",          "chipset=0x40 ",
                                      "chipset=-1", "chipset=0",    "chipset=0x100000000", "chipset=0x00000000040"};

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct pfifo_error error = {0};
        struct image image;

        image_begin(&image);
        image_add_text(&image, "note=x", 6);
        image_add_text(&image, bad[i], strlen(bad[i]));
        assert_null(pfifo_stream_open_memory(image.data, image.size, "bad", &error));
        assert_int_equal(error.status, PFIFO_ERROR_FORMAT);
        assert_string_equal(error.message, "bad: offset 22: TEXT: chipset is not a number");
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(records_out_of_place_are_errors_at_their_offset),
        cmocka_unit_test(what_the_rules_allow_is_read),
        cmocka_unit_test(a_buffer_may_be_as_large_as_a_number),
        cmocka_unit_test(payloads_of_the_wrong_size_are_errors),
        cmocka_unit_test(every_truncation_is_an_error_at_the_record_it_hits),
        cmocka_unit_test(a_length_beyond_the_end_is_an_error),
        cmocka_unit_test(texts_are_pairs_of_printable_utf8),
        cmocka_unit_test(what_is_not_a_capture_is_not_opened),
        cmocka_unit_test(a_chipset_that_is_no_number_is_not_opened),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
