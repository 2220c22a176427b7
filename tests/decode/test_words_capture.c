/* SPDX-License-Identifier: MIT */
/* Captures of words from texts: what is decoded and run is what the text says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/words.h>

enum { MOST_BUFFERS = 512 };

/* What libdrm would have listed of a capture. */
struct listing {
    FILE *file;
    uint32_t handle[MOST_BUFFERS];
    size_t buffers, pushes_at;
};

static void list_record(struct listing *listing, uint32_t channel, const struct pfifo_stream_record *record) {
    size_t index = 0;

    if (record->type == PFIFO_STREAM_BOREF) {
        const struct pfifo_stream_boref *buffer = &record->boref;
        assert_true(listing->buffers < MOST_BUFFERS);
        fprintf(listing->file, "nouveau: ch%u: buf %08zx %08x %08x %08x %08x 0x7f00 0x%" PRIx64 " 0x%" PRIx64 "\n",
                channel, listing->buffers, buffer->handle, buffer->valid_domains, buffer->read_domains,
                buffer->write_domains, buffer->address, buffer->bytes);
        listing->handle[listing->buffers++] = buffer->handle;
    }
    if (record->type != PFIFO_STREAM_PUSH)
        return;
    while (listing->handle[index] != record->push.handle)
        assert_true(++index < listing->buffers);
    fprintf(listing->file, "nouveau: ch%u: psh %08zx %010" PRIx64 " %010" PRIx64 "\n", channel, index,
            record->push.offset, record->push.offset + record->push.length);
    for (uint32_t i = 0; i < record->push.word_count; i++)
        fprintf(listing->file, "nouveau: \t0x%08x\n", pfifo_stream_word(&record->push, i));
}

static char *list_capture(struct pfifo_stream *stream, size_t *bytes) {
    char *text = NULL;
    struct listing listing = {.file = open_memstream(&text, bytes)};
    struct pfifo_stream_record record;
    uint32_t channel = 0;

    assert_non_null(listing.file);
    while (pfifo_stream_next(stream, &record, NULL) == PFIFO_OK && record.type != PFIFO_STREAM_END) {
        if (record.type == PFIFO_STREAM_SUBMIT) {
            channel = record.submit.channel;
            listing.buffers = 0;
            fprintf(listing.file, "nouveau: ch%u: krec 0 pushes %u bufs %u relocs 0\n", channel, record.submit.pushes,
                    record.submit.buffers);
        }
        list_record(&listing, channel, &record);
    }
    fclose(listing.file);
    pfifo_stream_rewind(stream);
    return text;
}

static struct pfifo_stream *open_sample(const char *name) {
    char path[512];
    struct pfifo_error error = {0};
    struct pfifo_stream *stream;

    snprintf(path, sizeof path, "%s/captures/%s.nvcap.xz", getenv("PFIFO_SAMPLES"), name);
    stream = pfifo_stream_open(path, &error);
    if (!stream)
        fail_msg("%s", error.message);
    return stream;
}

static struct pfifo_stream *make_capture(const struct pfifo_words *words,
                                         const struct pfifo_words_capture_options *options) {
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = pfifo_words_capture(words, options, &error);

    if (!stream)
        fail_msg("%s", error.message);
    return stream;
}

static struct pfifo_words *read_text(const char *text) {
    struct pfifo_error error = {0};
    struct pfifo_words *words = pfifo_words_read(text, strlen(text), "a.log", &error);

    if (!words)
        fail_msg("%s", error.message);
    return words;
}

static void a_listing_says_all_methods_of_its_capture(void **state) {
    static const char *const names[] = {"nv40-quad", "nva3-quad", "nvc0-quad", "nv117-clear"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct pfifo_stream *stream = open_sample(names[i]), *made;
        char expected[512], found[512];
        size_t bytes;
        char *text = list_capture(stream, &bytes);
        struct pfifo_error error = {0};
        struct pfifo_words *words = pfifo_words_read(text, bytes, names[i], &error);
        if (!words)
            fail_msg("%s", error.message);
        const struct pfifo_words_capture_options options = {.chip = pfifo_chip_by_id(pfifo_stream_chipset(stream))};
        made = make_capture(words, &options);
        assert_int_equal(pfifo_decode_digest(stream, expected, sizeof expected, NULL), PFIFO_OK);
        assert_int_equal(pfifo_decode_digest(made, found, sizeof found, NULL), PFIFO_OK);
        assert_string_equal(found, expected);
        pfifo_words_free(words);
        pfifo_stream_close(made);
        pfifo_stream_close(stream);
        free(text);
    }
}

/* Record `index` of a type, or the last before the end. */
static struct pfifo_stream_record find_record(struct pfifo_stream *stream, enum pfifo_stream_type type, int index) {
    struct pfifo_stream_record record;

    pfifo_stream_rewind(stream);
    do {
        assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
        assert_int_not_equal(record.type, PFIFO_STREAM_END);
    } while (record.type != type || index--);
    return record;
}

static int count_records(struct pfifo_stream *stream, enum pfifo_stream_type type) {
    struct pfifo_stream_record record;
    int count = 0;

    pfifo_stream_rewind(stream);
    while (pfifo_stream_next(stream, &record, NULL) == PFIFO_OK && record.type != PFIFO_STREAM_END)
        count += record.type == type;
    return count;
}

static void expect_push(struct pfifo_stream *stream, int index, uint64_t address, uint32_t count, uint32_t last) {
    struct pfifo_stream_record record = find_record(stream, PFIFO_STREAM_PUSH, index);

    assert_int_equal(record.push.address, address);
    assert_int_equal(record.push.word_count, count);
    assert_int_equal(pfifo_stream_word(&record.push, count - 1), last);
}

static void words_go_where_the_text_or_the_caller_says(void **state) {
    struct pfifo_words *words = read_text("00001010: 00000001\n00003000: 00000002 00000003\n");
    struct pfifo_words_capture_options options = {.chip = pfifo_chip_by_name("GF100")};
    struct pfifo_stream *stream = make_capture(words, &options);
    (void)state;
    expect_push(stream, 0, 0x1010, 1, 1);
    expect_push(stream, 1, 0x3000, 2, 3);
    pfifo_stream_close(stream);
    options.has_base = true;
    options.base = 0x40000;
    stream = make_capture(words, &options);
    expect_push(stream, 0, 0x40000, 1, 1);
    expect_push(stream, 1, 0x41ff0, 2, 3);
    assert_int_equal(pfifo_words_capture_line(words, &options, 1, 0x40000), 1);
    assert_int_equal(pfifo_words_capture_line(words, &options, 2, 0x41ff4), 2);
    assert_int_equal(pfifo_words_capture_line(words, &options, 1, 0x41ff4), 0);
    assert_int_equal(pfifo_words_capture_line(words, &options, 2, 0x41ff8), 0);
    pfifo_stream_close(stream);
    pfifo_words_free(words);
}

static void words_to_be_run_go_where_a_pushbuffer_can_be(void **state) {
    static const char *const texts[] = {"00000001\n", "00000000: 00000001\n", "0x7ffff7f00000: 0x00000001\n"};
    (void)state;
    for (size_t i = 0; i < 3; i++) {
        struct pfifo_words *words = read_text(texts[i]);
        const struct pfifo_words_capture_options options = {.chip = pfifo_chip_by_name("GF100"), .runs = true};
        struct pfifo_stream *stream = make_capture(words, &options);
        expect_push(stream, 0, PFIFO_WORDS_BASE, 1, 1);
        pfifo_stream_close(stream);
        pfifo_words_free(words);
    }
}

static void segments_of_dma_channels_get_a_return_to_be_run(void **state) {
    static const struct {
        const char *chip, *text;
        uint32_t count, last;
    } rows[] = {
        {"NV40", "00000001\n", 2, 0x20000},
        {"NV40", "00000001\n00020000\n", 2, 0x20000},
        {"NV40", "00000001\n00020000\n00000000\n", 3, 0},
        {"NV40", "00000001\n00000000\n", 3, 0x20000},
        {"G84", "00000001\n", 1, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct pfifo_words *words = read_text(rows[i].text);
        struct pfifo_words_capture_options options = {.chip = pfifo_chip_by_name(rows[i].chip), .runs = true};
        struct pfifo_stream *stream = make_capture(words, &options);
        expect_push(stream, 0, PFIFO_WORDS_BASE, rows[i].count, rows[i].last);
        pfifo_stream_close(stream);
        pfifo_words_free(words);
    }
}

static void a_push_that_no_word_follows_needs_no_return(void **state) {
    struct pfifo_words *words = read_text("nouveau: ch1: krec 0 pushes 1 bufs 0 relocs 0\n"
                                          "nouveau: ch1: psh 00000000 0000000000 0000000000\n");
    const struct pfifo_words_capture_options options = {.chip = pfifo_chip_by_name("NV40"), .runs = true};
    struct pfifo_stream *stream = make_capture(words, &options);
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};
    (void)state;
    assert_int_equal(pfifo_words_info(words).segments, 1);
    while (record.type != PFIFO_STREAM_END) {
        assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
        if (record.type == PFIFO_STREAM_PUSH)
            assert_int_equal(record.push.word_count, 0);
    }
    pfifo_stream_close(stream);
    pfifo_words_free(words);
}

static void handles_stand_for_the_classes_that_clients_give_them(void **state) {
    static const struct {
        const char *chip, *handle;
        uint32_t oclass; /* 0: nothing says it */
    } rows[] = {
        {"NV40", "beef3097", 0x4097},  {"NV34", "beef5201", 0x39e},   {"NV40", "beef5201", 0x309e},
        {"NV40", "00000062", 0x62},    {"NV40", "beef0007", 0},       {"GT215", "beef502d", 0x502d},
        {"GT215", "beef5097", 0x8597}, {"GT215", "beef50c0", 0x85c0}, {"GF100", "001f906e", 0x906e},
        {"GF100", "00009097", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        bool fermi = strcmp(rows[i].chip, "GF100") == 0;
        char text[64];
        snprintf(text, sizeof text, "%s %s\n", fermi ? "20010000" : "00040000", rows[i].handle);
        struct pfifo_words *words = read_text(text);
        struct pfifo_words_capture_options options = {.chip = pfifo_chip_by_name(rows[i].chip), .runs = true};
        struct pfifo_stream *stream = make_capture(words, &options);
        struct pfifo_stream_record record;
        uint32_t found = 0;
        while (pfifo_stream_next(stream, &record, NULL) == PFIFO_OK && record.type != PFIFO_STREAM_END)
            if (record.type == PFIFO_STREAM_OBJ) {
                assert_int_equal(record.obj.handle, strtoul(rows[i].handle, NULL, 16));
                found = record.obj.oclass;
            }
        if (found != rows[i].oclass)
            fail_msg("%s of %s is %x", rows[i].handle, rows[i].chip, found);
        pfifo_stream_close(stream);
        pfifo_words_free(words);
    }
}

static void what_the_caller_knows_of_a_handle_is_not_replaced(void **state) {
    static const struct pfifo_decode_object objects[] = {{0xbeef3097, 0x62}, {0xbeef0301, 0x3d}};
    struct pfifo_words *words = read_text("00040000 beef3097\n");
    const struct pfifo_words_capture_options options = {
        .chip = pfifo_chip_by_name("NV40"), .runs = true, .objects = objects, .object_count = 2};
    struct pfifo_stream *stream = make_capture(words, &options);
    (void)state;
    assert_int_equal(find_record(stream, PFIFO_STREAM_OBJ, 0).obj.oclass, 0x62);
    assert_int_equal(count_records(stream, PFIFO_STREAM_OBJ), 1);
    assert_int_equal(find_record(stream, PFIFO_STREAM_NTFY, 0).ntfy.handle, 0xbeef0301);
    pfifo_stream_close(stream);
    pfifo_words_free(words);
}

static void what_cannot_be_a_capture_is_refused(void **state) {
    struct pfifo_words *words = read_text("0002000000000000: 00000001\n");
    struct pfifo_words_capture_options options = {.chip = pfifo_chip_by_name("GF100")};
    struct pfifo_error error = {0};
    (void)state;
    assert_null(pfifo_words_capture(words, &options, &error));
    assert_string_equal(error.message, "a.log:1: no chip has words at 0x2000000000000");
    options.chip = pfifo_chip_by_name("NV3");
    assert_null(pfifo_words_capture(words, &options, &error));
    assert_int_equal(error.status, PFIFO_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, "a.log: NV3 has no pushbuffers");
    assert_null(pfifo_words_capture(words, NULL, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
    options = (struct pfifo_words_capture_options){.chip = pfifo_chip_by_name("GF100"), .has_base = true, .base = 2};
    assert_null(pfifo_words_capture(words, &options, NULL));
    pfifo_words_free(words);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_listing_says_all_methods_of_its_capture),
        cmocka_unit_test(words_go_where_the_text_or_the_caller_says),
        cmocka_unit_test(words_to_be_run_go_where_a_pushbuffer_can_be),
        cmocka_unit_test(segments_of_dma_channels_get_a_return_to_be_run),
        cmocka_unit_test(a_push_that_no_word_follows_needs_no_return),
        cmocka_unit_test(handles_stand_for_the_classes_that_clients_give_them),
        cmocka_unit_test(what_the_caller_knows_of_a_handle_is_not_replaced),
        cmocka_unit_test(what_cannot_be_a_capture_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
