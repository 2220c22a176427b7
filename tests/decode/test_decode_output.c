/* SPDX-License-Identifier: MIT */
/* What the sinks write: text, JSON, digests; from raw words and from captures made here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <pfifo/classes.h>
#include <pfifo/decode.h>

#include "decode/sink.h"

struct text {
    size_t used;
    unsigned calls, refuse_from;
    char bytes[65536];
};

static bool append(void *opaque, const char *bytes, size_t count) {
    struct text *text = opaque;

    if (text->refuse_from && ++text->calls >= text->refuse_from)
        return false;
    assert_true(text->used + count < sizeof text->bytes);
    memcpy(text->bytes + text->used, bytes, count);
    text->used += count;
    text->bytes[text->used] = 0;
    return true;
}

static struct text out;

static int clear(void **state) {
    (void)state;
    memset(&out, 0, sizeof out);
    return 0;
}

static size_t assemble(const struct pfifo_chip *chip, const char *source, uint8_t *bytes) {
    uint32_t words[64];
    struct pfifo_error error = {0};
    size_t count;

    if (pfifo_assemble(chip, source, words, 64, &count, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    assert_true(count <= 64);
    for (size_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> (i % 4 * 8));
    return 4 * count;
}

static enum pfifo_status decode(const char *chip, struct pfifo_decode_options options, const char *source) {
    uint8_t bytes[256];

    options.chip = pfifo_chip_by_name(chip);
    return pfifo_decode_raw(bytes, assemble(options.chip, source, bytes), &options, append, &out, NULL);
}

static void text_has_a_line_per_word(void **state) {
    (void)state;
    assert_int_equal(decode("GF100", (struct pfifo_decode_options){.base = 0x1234567000},
                            "inc 0 0 0x9097\nimm 0 FERMI_A.SET_ANTI_ALIAS 2\nnop\nsetmask 2\nimm 1 0x1000 1\nend\n"
                            "word 1\n"),
                     PFIFO_OK);
    assert_string_equal(
        out.bytes,
        "  segment 1234567000: 8 words\n"
        "    1234567000 20010000 increasing            subc 0 method 0000 count 1\n"
        "    1234567004 00009097   0 9097 FERMI_A                   0000 SET_OBJECT                           00009097"
        "  NVCLASS=0x9097 ENGINE=0x0\n"
        "    1234567008 80020574 = 0 9097 FERMI_A                   15d0 SET_ANTI_ALIAS                       00000002"
        "  SAMPLES=MODE_2X2\n"
        "    123456700c 00000000 nop\n"
        "    1234567010 00010020 set-subdevice-mask    mask 002\n"
        "    1234567014 80012400 = 1 ----                           1000 ?                                    00000001"
        "  (discarded: not for this GPU)\n"
        "    1234567018 e0000000 end-segment\n"
        "    123456701c 1 word dropped: after the end of the segment\n"
        "    123456701c : 00000001\n");
}

static void text_shows_handles_jumps_and_errors(void **state) {
    const struct pfifo_decode_object objects[] = {{0xbeef4097, 0x4097}, {7, 0x30}};

    (void)state;
    assert_int_equal(decode("NV40", (struct pfifo_decode_options){.objects = objects, .object_count = 2},
                            "inc 7 0 0xbeef4097\ninc 7 NV40_3D.DMA_NOTIFY 7\nreturn\njump 0x18\nword ffffffff\n"),
                     PFIFO_OK);
    assert_string_equal(
        out.bytes,
        "  segment 00000000: 7 words\n"
        "    00000000 0004e000 increasing            subc 7 method 0000 count 1\n"
        "    00000004 beef4097   7 4097 NV40_3D                   0000 OBJECT                               beef4097"
        "  -> NV40_3D\n"
        "    00000008 0004e180 increasing            subc 7 method 0180 count 1\n"
        "    0000000c 00000007   7 4097 NV40_3D                   0180 DMA_NOTIFY                           00000007"
        "  -> NV1_NULL\n"
        "    00000010 00020000 return\n"
        "    00000010 00020000 ERROR: return without a subroutine\n"
        "    00000014 00000019 jump                  to 00000018\n"
        "    00000018 ffffffff ERROR: no command has this form\n");
}

static void json_has_an_object_per_line(void **state) {
    (void)state;
    assert_int_equal(decode("GF100", (struct pfifo_decode_options){.format = PFIFO_DECODE_JSON},
                            "inc 0 0 0x9097\nnop\nword c0000000\n"),
                     PFIFO_OK);
    assert_string_equal(
        out.bytes,
        "{\"event\":\"segment\",\"channel\":0,\"address\":0,\"words\":4,\"no_prefetch\":false}\n"
        "{\"event\":\"header\",\"channel\":0,\"address\":0,\"word\":536936448,\"form\":\"increasing\",\"subchannel\":0,"
        "\"class\":0,\"method\":0,\"name\":\"SET_OBJECT\",\"count\":1}\n"
        "{\"event\":\"method\",\"channel\":0,\"address\":4,\"word\":37015,\"form\":\"increasing\",\"subchannel\":0,"
        "\"class\":37015,\"class_name\":\"FERMI_A\",\"method\":0,\"name\":\"SET_OBJECT\",\"data\":37015,"
        "\"fields\":{\"NVCLASS\":37015,\"ENGINE\":0}}\n"
        "{\"event\":\"control\",\"channel\":0,\"address\":8,\"word\":0,\"form\":\"nop\",\"mask\":0}\n"
        "{\"event\":\"error\",\"channel\":0,\"address\":12,\"word\":3221225472,"
        "\"text\":\"no command has this form\"}\n");
}

static void the_digest_counts_words_and_hashes_methods(void **state) {
    static const uint8_t hashed[] = {1, 0x00, 0x01, 5, 0, 0, 0, 1, 0x04, 0x01, 0xff, 0xff, 0xff, 0xff};
    struct sha256 sha;
    uint8_t digest[SHA256_BYTES];
    char hex[SHA256_HEX_SIZE], line[256];

    (void)state;
    /* The third method is for another GPU. */
    assert_int_equal(decode("NV40", (struct pfifo_decode_options){.format = PFIFO_DECODE_DIGEST, .name = "x"},
                            "inc 1 0x100 5 -1\nsli 2\ninc 1 0x100 7\n"),
                     PFIFO_OK);
    sha256_init(&sha);
    sha256_update(&sha, hashed, sizeof hashed);
    sha256_final(&sha, digest);
    sha256_hex(digest, hex);
    snprintf(line, sizeof line, "x submissions=0 words=6 methods=2 sha256=%s\n", hex);
    assert_string_equal(out.bytes, line);
}

static void raw_words_may_be_entered_through_a_ring(void **state) {
    (void)state;
    /* Two entries at 8, then one method at 18, one at 1c; the ring leads to the second first. */
    assert_int_equal(decode("G84", (struct pfifo_decode_options){.format = PFIFO_DECODE_TEXT, .ring = 8, .entries = 2},
                            "word 0 0 20 800 18 800\ninc 0 0x100 1\ninc 0 0x100 2\n"),
                     PFIFO_OK);
    assert_string_equal(out.bytes, "  entry 0000000008: 0000080000000020 -> 0000000020, 2 words\n"
                                   "  segment 0000000020: 2 words\n"
                                   "    0000000020 00040100 increasing            subc 0 method 0100 count 1\n"
                                   "    0000000024 00000002   0 ----                           0100 ?                  "
                                   "                  00000002\n"
                                   "  entry 0000000010: 0000080000000018 -> 0000000018, 2 words\n"
                                   "  segment 0000000018: 2 words\n"
                                   "    0000000018 00040100 increasing            subc 0 method 0100 count 1\n"
                                   "    000000001c 00000001   0 ----                           0100 ?                  "
                                   "                  00000001\n");
    assert_int_equal(decode("NV40", (struct pfifo_decode_options){.entries = 1}, "nop\nnop\n"), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(decode("G84", (struct pfifo_decode_options){.entries = 2}, "nop\nnop\n"), PFIFO_ERROR_ARGUMENT);
}

static void bytes_behind_the_last_word_are_reported(void **state) {
    struct pfifo_decode_options options = {.chip = pfifo_chip_by_name("NV4")};

    (void)state;
    assert_int_equal(pfifo_decode_raw("\0\0\0\0\1\2", 6, &options, append, &out, NULL), PFIFO_OK);
    assert_string_equal(out.bytes, "  segment 00000000: 1 word\n"
                                   "    00000000 00000000 increasing            subc 0 method 0000 count 0\n"
                                   "    00000004 00000000 ERROR: the file ends inside a word\n");
}

static void errors_of_the_stream_are_counted_for_who_asks(void **state) {
    uint64_t errors = 5;

    (void)state;
    for (unsigned format = PFIFO_DECODE_TEXT; format <= PFIFO_DECODE_DIGEST; format++) {
        const struct pfifo_decode_options options = {.format = format, .errors = &errors};
        assert_int_equal(decode("NV40", options, "return\njump 0x7000\nnop\n"), PFIFO_OK);
    }
    assert_int_equal(errors, 5 + 3 * 2);
    assert_int_equal(decode("NV40", (struct pfifo_decode_options){.errors = &errors}, "nop\n"), PFIFO_OK);
    assert_int_equal(errors, 11);
    assert_non_null(strstr(out.bytes, "\n    00000008 1 word not decoded\n"));
}

static void words_are_at_multiples_of_4(void **state) {
    (void)state;
    assert_int_equal(decode("NV40", (struct pfifo_decode_options){.base = 0x1002}, "nop\n"), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(out.used, 0);
}

static void output_that_cannot_be_written_is_an_error(void **state) {
    (void)state;
    out.refuse_from = 1;
    assert_int_equal(decode("NV4", (struct pfifo_decode_options){0}, "nop"), PFIFO_ERROR_IO);
    assert_int_equal(out.used, 0);
}

static struct pfifo_stream *capture(struct pfifo_stream_writer *writer) {
    struct pfifo_error error = {0};
    struct pfifo_stream *stream;
    const void *data;
    size_t size;

    assert_int_equal(pfifo_stream_writer_finish(writer, &error), PFIFO_OK);
    data = pfifo_stream_writer_memory(writer, &size);
    stream = pfifo_stream_open_memory(data, size, "made.nvcap", &error);
    if (!stream)
        fail_msg("%s", error.message);
    pfifo_stream_writer_close(writer);
    return stream;
}

static void add(struct pfifo_stream_writer *writer, struct pfifo_stream_record record) {
    struct pfifo_error error = {0};

    if (pfifo_stream_writer_append(writer, &record, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
}

static struct pfifo_stream_writer *begin(const char *chipset) {
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);

    assert_non_null(writer);
    assert_int_equal(pfifo_stream_writer_text(writer, "chipset", chipset, NULL), PFIFO_OK);
    return writer;
}

#define RECORD(kind, member, ...)                                                                                      \
    (struct pfifo_stream_record) {                                                                                     \
        .type = PFIFO_STREAM_##kind, .member = { __VA_ARGS__ }                                                         \
    }

/* A segment at 1000 calls... jumps into the second page of its buffer, which only BODATA has. */
static void a_jump_in_a_capture_finds_the_pages_of_the_buffer(void **state) {
    static uint8_t page[4096];
    uint8_t words[64];
    const struct pfifo_chip *chip = pfifo_chip_by_name("NV40");
    size_t size = assemble(chip, "jump 0x3008\n", words);
    struct pfifo_stream_writer *writer = begin("0x40");
    struct pfifo_stream *stream;
    struct pfifo_error error = {0};

    (void)state;
    assemble(chip, "word ffffffff ffffffff\ninc 2 0x100 9\nreturn\n", page);
    add(writer, RECORD(BONEW, bonew, .handle = 1, .domain = PFIFO_STREAM_GART, .bytes = 8192, .address = 0x2000));
    add(writer, RECORD(CHAN, chan, .channel = 0, .pushbuf_domains = PFIFO_STREAM_GART, .notifier_bo = 1));
    add(writer, RECORD(SUBMIT, submit, .sequence = 1, .channel = 0, .buffers = 1, .pushes = 1));
    add(writer, RECORD(BOREF, boref, .handle = 1, .valid_domains = PFIFO_STREAM_GART, .address = 0x2000, .bytes = 8192,
                       .presumed_valid = 1, .presumed_domain = PFIFO_STREAM_GART, .presumed_offset = 0x2000));
    add(writer, RECORD(BODATA, bodata, .handle = 1, .offset = 4096, .data = page, .bytes = sizeof page));
    add(writer, RECORD(PUSH, push, .handle = 1, .length = size, .address = 0x2000, .words = words,
                       .word_count = (uint32_t)(size / 4)));
    add(writer, RECORD(SUBEND, subend, .sequence = 1));
    stream = capture(writer);
    if (pfifo_decode_stream(stream, NULL, append, &out, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    pfifo_stream_close(stream);
    assert_string_equal(
        out.bytes,
        "submission 1 channel 0: 1 segment\n"
        "  segment 00002000: 1 word\n"
        "    00002000 00003009 jump                  to 00003008\n"
        "    00003008 00044100 increasing            subc 2 method 0100 count 1\n"
        "    0000300c 00000009   2 ----                           0100 ?                                    00000009\n"
        "    00003010 00020000 return\n");
}

static struct pfifo_stream *capture_with_fences(void) {
    static const uint8_t words[4] = {0, 0, 0, 0x80};
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);

    assert_int_equal(pfifo_stream_writer_version(writer, 2, NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_text(writer, "chipset", "0x12b", NULL), PFIFO_OK);
    add(writer, RECORD(SPACE, space, .space = 4, .first = 0x1000, .bytes = 0x10000));
    add(writer, RECORD(CHANIN, chanin, .channel = 3, .space = 4));
    add(writer, RECORD(CHAN, chan, .channel = 3));
    add(writer, RECORD(BONEW, bonew, .handle = 1, .bytes = 4096));
    add(writer, RECORD(MAP, map, .space = 4, .handle = 1, .address = 0x3000, .bytes = 4096));
    add(writer, RECORD(SUBMIT, submit, .sequence = 1, .channel = 3, .pushes = 1));
    add(writer, RECORD(WAIT, wait, .syncpoint = 7, .threshold = 100));
    add(writer, RECORD(PUSH, push, .handle = 1, .length = 4, .address = 0x3000, .words = words, .word_count = 1));
    add(writer, RECORD(FENCE, fence, .syncpoint = 8, .value = 4294967295));
    add(writer, RECORD(SUBEND, subend, .sequence = 1));
    return capture(writer);
}

static void the_syncpoints_of_a_submission_are_shown(void **state) {
    struct pfifo_decode_options options = {.format = PFIFO_DECODE_JSON};
    struct pfifo_stream *stream = capture_with_fences();

    (void)state;
    assert_int_equal(pfifo_decode_stream(stream, NULL, append, &out, NULL), PFIFO_OK);
    assert_string_equal(out.bytes, "submission 1 channel 3: 1 segment\n"
                                   "  wait: syncpoint 7, value 100\n"
                                   "  segment 0000003000: 1 word\n"
                                   "    0000003000 80000000 = 0 ----                           0000 SET_OBJECT         "
                                   "                  00000000  NVCLASS=0x0 ENGINE=0x0\n"
                                   "  fence: syncpoint 8, value 4294967295\n");
    pfifo_stream_rewind(stream);
    clear(NULL);
    assert_int_equal(pfifo_decode_stream(stream, &options, append, &out, NULL), PFIFO_OK);
    assert_non_null(strstr(out.bytes, "{\"file\":\"made\",\"submission\":1,\"event\":\"syncpoint\",\"channel\":3,"
                                      "\"form\":\"wait\",\"syncpoint\":7,\"value\":100}\n"));
    assert_non_null(strstr(out.bytes, "\"form\":\"fence\",\"syncpoint\":8,\"value\":4294967295}\n"));
    pfifo_stream_close(stream);
}

static struct pfifo_stream *capture_with_objects(void) {
    static const uint8_t words[4] = {0, 0, 0, 0x80};
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);

    assert_int_equal(pfifo_stream_writer_version(writer, 3, NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_text(writer, "chipset", "0x117", NULL), PFIFO_OK);
    add(writer, RECORD(VMINIT, vminit, .space = 4, .kept = 0x100000, .kept_bytes = 0x100000));
    add(writer, RECORD(CHANIN, chanin, .channel = 3, .space = 4));
    add(writer, RECORD(CHAN, chan, .channel = 3));
    add(writer, RECORD(BONEW, bonew, .handle = 1, .bytes = 4096));
    add(writer, RECORD(BIND, bind, .space = 4, .handle = 1, .address = 0x3000, .bytes = 4096));
    add(writer, RECORD(SYNC, sync, .object = 5, .how = PFIFO_STREAM_SYNC_CPU_WAIT));
    add(writer, RECORD(SUBMIT, submit, .sequence = 1, .channel = 3, .pushes = 1));
    add(writer, RECORD(SYNC, sync, .object = 6, .how = PFIFO_STREAM_SYNC_WAIT, .point = 0x100000000));
    add(writer, RECORD(PUSH, push, .handle = 1, .length = 4, .address = 0x3000, .words = words, .word_count = 1));
    add(writer, RECORD(SYNC, sync, .object = 7, .how = PFIFO_STREAM_SYNC_SIGNAL));
    add(writer, RECORD(SUBEND, subend, .sequence = 1));
    return capture(writer);
}

/* Those of the submission; not what the program does itself. */
static void the_sync_objects_of_a_submission_are_shown(void **state) {
    struct pfifo_decode_options options = {.format = PFIFO_DECODE_JSON};
    struct pfifo_stream *stream = capture_with_objects();

    (void)state;
    assert_int_equal(pfifo_decode_stream(stream, NULL, append, &out, NULL), PFIFO_OK);
    assert_string_equal(out.bytes, "submission 1 channel 3: 1 segment\n"
                                   "  wait: sync object 6, point 4294967296\n"
                                   "  segment 0000003000: 1 word\n"
                                   "    0000003000 80000000 = 0 ----                           0000 SET_OBJECT         "
                                   "                  00000000  NVCLASS=0x0 ENGINE=0x0\n"
                                   "  signal: sync object 7\n");
    pfifo_stream_rewind(stream);
    clear(NULL);
    assert_int_equal(pfifo_decode_stream(stream, &options, append, &out, NULL), PFIFO_OK);
    assert_non_null(strstr(out.bytes, "{\"file\":\"made\",\"submission\":1,\"event\":\"sync\",\"channel\":3,"
                                      "\"form\":\"wait\",\"object\":6,\"point\":4294967296}\n"));
    assert_non_null(strstr(out.bytes, "\"form\":\"signal\",\"object\":7,\"point\":0}\n"));
    pfifo_stream_close(stream);
}

static void a_capture_of_no_known_chip_needs_one_from_the_caller(void **state) {
    struct pfifo_decode_options options = {.chip = pfifo_chip_by_name("GF100"), .format = PFIFO_DECODE_DIGEST};
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = capture(begin("0x999"));

    (void)state;
    assert_int_equal(pfifo_decode_stream(stream, NULL, append, &out, &error), PFIFO_ERROR_UNSUPPORTED);
    assert_string_equal(error.message, "made.nvcap: there is no chip 0x999");
    assert_int_equal(pfifo_decode_stream(stream, NULL, append, &out, NULL), PFIFO_ERROR_UNSUPPORTED);
    assert_int_equal(pfifo_decode_stream(stream, &options, append, &out, &error), PFIFO_OK);
    assert_memory_equal(out.bytes, "made submissions=0 words=0 methods=0 sha256=e3b0c44298fc1c14", 60);
    pfifo_stream_close(stream);
}

static void an_unfinished_capture_is_an_error_after_its_output(void **state) {
    struct pfifo_stream_writer *writer = begin("0xc0");
    struct pfifo_error error = {0};
    struct pfifo_stream *stream;
    const void *data;
    size_t size;

    (void)state;
    add(writer, RECORD(CHAN, chan, .channel = 0));
    add(writer, RECORD(SUBMIT, submit, .sequence = 1, .channel = 0, .pushes = 1));
    data = pfifo_stream_writer_memory(writer, &size);
    stream = pfifo_stream_open_memory(data, size, "cut", &error);
    assert_non_null(stream);
    assert_int_equal(pfifo_decode_stream(stream, NULL, append, &out, &error), PFIFO_ERROR_FORMAT);
    assert_string_equal(out.bytes, "submission 1 channel 0: 1 segment\n");
    pfifo_stream_close(stream);
    pfifo_stream_writer_close(writer);
}

static uint32_t next_data(uint64_t *seed, uint32_t i) {
    static const uint32_t corners[] = {0, 1, UINT32_MAX, 0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0x7fc00000};

    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return i < 8 ? corners[i] : (uint32_t)(*seed >> 32) >> (*seed >> 27 & 31);
}

static void compare_class(struct names *names, uint32_t class_id, struct output *output) {
    struct pfifo_method_name method;
    uint64_t seed = class_id;
    char expected[2048];

    for (size_t i = 0; pfifo_method_at(class_id, i, &method); i++) {
        const struct names_entry *entry = names_method(names, class_id, method.offset);
        for (uint32_t k = 0; k < 12; k++) {
            uint32_t data = next_data(&seed, k);
            output->used = 0;
            names_describe(entry, data, output);
            pfifo_method_describe(class_id, method.offset, data, expected, sizeof expected);
            output->bytes[output->used] = 0;
            if (strcmp(output->bytes, expected) != 0)
                fail_msg("class %x method %x data %08x: '%s', expected '%s'", class_id, method.offset, data,
                         output->bytes, expected);
        }
    }
}

static void fields_read_as_the_class_tables_say(void **state) {
    struct names *names = calloc(1, sizeof *names);
    struct output *output = calloc(1, sizeof *output);

    (void)state;
    assert_non_null(names);
    assert_non_null(output);
    for (size_t i = 0; i < pfifo_class_count(); i++)
        compare_class(names, pfifo_class_at(i)->id, output);
    free(output);
    free(names);
}

static void numbers_and_blocks_of_any_size(void **state) {
    struct output *output = calloc(1, sizeof *output);
    static char big[OUTPUT_BYTES + 10];

    (void)state;
    assert_non_null(output);
    output->write = append;
    output->opaque = &out;
    output_hex(output, 0, 1);
    output_hex(output, UINT64_MAX, 4);
    output_hex(output, 0x12345, 4);
    output_hex(output, 5, 8);
    output_text(output, " ");
    output_decimal(output, 0);
    output_decimal(output, UINT64_MAX);
    assert_true(output_flush(output));
    assert_string_equal(out.bytes, "0ffffffffffffffff1234500000005 018446744073709551615");
    out.used = 0;
    memset(big, 'x', sizeof big);
    output_bytes(output, big, sizeof big);
    assert_true(output_flush(output));
    assert_int_equal(out.used, sizeof big);
    free(output);
}

/* Where a block ends in the middle of a line must not show. */
static void lines_end_without_blanks_wherever_the_buffer_ends(void **state) {
    struct pfifo_decode_event event = {.kind = PFIFO_DECODE_METHOD, .method = 0x1000, .form = "increasing"};
    struct sink *sink = calloc(1, sizeof *sink);

    (void)state;
    assert_non_null(sink);
    for (size_t left = 0; left < 200; left++) {
        clear(NULL);
        sink_init(sink, &(struct pfifo_decode_options){.chip = pfifo_chip_by_name("NV40")}, append, &out);
        memset(sink->out.bytes, 'x', sizeof sink->out.bytes);
        sink->out.used = sizeof sink->out.bytes - left;
        assert_true(sink_text(sink, &event));
        assert_true(output_flush(&sink->out));
        assert_int_equal(out.bytes[out.used - 1], '\n');
        assert_int_equal(out.bytes[out.used - 2], '0');
    }
    free(sink);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(text_has_a_line_per_word, clear),
        cmocka_unit_test_setup(text_shows_handles_jumps_and_errors, clear),
        cmocka_unit_test_setup(json_has_an_object_per_line, clear),
        cmocka_unit_test_setup(the_digest_counts_words_and_hashes_methods, clear),
        cmocka_unit_test_setup(raw_words_may_be_entered_through_a_ring, clear),
        cmocka_unit_test_setup(bytes_behind_the_last_word_are_reported, clear),
        cmocka_unit_test_setup(errors_of_the_stream_are_counted_for_who_asks, clear),
        cmocka_unit_test_setup(words_are_at_multiples_of_4, clear),
        cmocka_unit_test_setup(output_that_cannot_be_written_is_an_error, clear),
        cmocka_unit_test_setup(a_jump_in_a_capture_finds_the_pages_of_the_buffer, clear),
        cmocka_unit_test_setup(the_syncpoints_of_a_submission_are_shown, clear),
        cmocka_unit_test_setup(the_sync_objects_of_a_submission_are_shown, clear),
        cmocka_unit_test_setup(a_capture_of_no_known_chip_needs_one_from_the_caller, clear),
        cmocka_unit_test_setup(an_unfinished_capture_is_an_error_after_its_output, clear),
        cmocka_unit_test(fields_read_as_the_class_tables_say),
        cmocka_unit_test(lines_end_without_blanks_wherever_the_buffer_ends),
        cmocka_unit_test_setup(numbers_and_blocks_of_any_size, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
