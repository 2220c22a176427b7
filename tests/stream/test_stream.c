/* SPDX-License-Identifier: MIT */
/* Records: what the reader makes of bytes laid out by hand, and what the writer makes of records. */
#include "stream/image.h"
#include "temporary.h"

#include <unistd.h>

static struct pfifo_stream *open_image(const struct image *image, const char *name) {
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = pfifo_stream_open_memory(image->data, image->size, name, &error);

    if (!stream)
        fail_msg("%s", error.message);
    return stream;
}

static struct pfifo_stream_record next(struct pfifo_stream *stream, enum pfifo_stream_type type) {
    struct pfifo_stream_record record;
    struct pfifo_error error = {0};

    if (pfifo_stream_next(stream, &record, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    assert_int_equal(record.type, type);
    return record;
}

static void expect_objects(struct pfifo_stream *stream) {
    struct pfifo_stream_record r = next(stream, PFIFO_STREAM_TEXT);

    assert_int_equal(r.offset, 8);
    assert_int_equal(r.payload_bytes, 12);
    assert_int_equal(r.text.key_bytes, 7);
    assert_memory_equal(r.text.key, "chipset", 7);
    assert_int_equal(r.text.value_bytes, 4);
    assert_memory_equal(r.text.value, "0xa3", 4);
    r = next(stream, PFIFO_STREAM_CHAN);
    assert_int_equal(r.offset, 28);
    assert_int_equal(r.chan.channel, 0x201);
    assert_int_equal(r.chan.fb_ctxdma, 0x202);
    assert_int_equal(r.chan.tt_ctxdma, 0x203);
    assert_int_equal(r.chan.pushbuf_domains, 0x204);
    assert_int_equal(r.chan.notifier_bo, 0x205);
    r = next(stream, PFIFO_STREAM_OBJ);
    assert_int_equal(r.obj.channel, 0x301);
    assert_int_equal(r.obj.handle, 0x302);
    assert_int_equal(r.obj.oclass, 0xfffffff9);
    r = next(stream, PFIFO_STREAM_NTFY);
    assert_int_equal(r.ntfy.channel, 0x401);
    assert_int_equal(r.ntfy.handle, 0x402);
    assert_int_equal(r.ntfy.bytes, 0x403);
    assert_int_equal(r.ntfy.offset, 0x404);
    r = next(stream, PFIFO_STREAM_BONEW);
    assert_int_equal(r.bonew.handle, 0x501);
    assert_int_equal(r.bonew.domain, 0x502);
    assert_int_equal(r.bonew.bytes, 0x50400000503);
    assert_int_equal(r.bonew.address, 0x50600000505);
    assert_int_equal(r.bonew.tile_mode, 0x507);
    assert_int_equal(r.bonew.tile_flags, 0x508);
}

static void expect_buffers(struct pfifo_stream *stream) {
    struct pfifo_stream_record r = next(stream, PFIFO_STREAM_BOREF);

    assert_int_equal(r.boref.handle, 0x801);
    assert_int_equal(r.boref.valid_domains, 0x802);
    assert_int_equal(r.boref.read_domains, 0x803);
    assert_int_equal(r.boref.write_domains, 0x804);
    assert_int_equal(r.boref.address, 0x80600000805);
    assert_int_equal(r.boref.bytes, 0x80800003000);
    assert_int_equal(r.boref.presumed_valid, 0x809);
    assert_int_equal(r.boref.presumed_domain, 0x80a);
    assert_int_equal(r.boref.presumed_offset, 0x80c0000080b);
    r = next(stream, PFIFO_STREAM_BODATA);
    assert_int_equal(r.bodata.handle, 0x801);
    assert_int_equal(r.bodata.offset, 0x1000);
    assert_int_equal(r.bodata.bytes, 8192);
    assert_int_equal(r.bodata.data[0], 1);
    assert_int_equal(r.bodata.data[8191], 0);
    r = next(stream, PFIFO_STREAM_BOREF);
    assert_int_equal(r.boref.handle, 0x901);
}

static void expect_submission(struct pfifo_stream *stream) {
    struct pfifo_stream_record r = next(stream, PFIFO_STREAM_SUBMIT);

    assert_int_equal(r.submit.sequence, 1);
    assert_int_equal(r.submit.channel, 0x702);
    assert_int_equal(r.submit.buffers, 2);
    assert_int_equal(r.submit.relocs, 1);
    assert_int_equal(r.submit.pushes, 1);
    assert_int_equal(r.submit.suffix0, 0x706);
    assert_int_equal(r.submit.suffix1, 0x707);
    expect_buffers(stream);
    r = next(stream, PFIFO_STREAM_RELOC);
    assert_int_equal(r.reloc.reloc_bo_index, 1);
    assert_int_equal(r.reloc.reloc_bo_offset, 0xd02);
    assert_int_equal(r.reloc.bo_index, 0);
    assert_int_equal(r.reloc.flags, 0xd04);
    assert_int_equal(r.reloc.data, 0xd05);
    assert_int_equal(r.reloc.vor, 0xd06);
    assert_int_equal(r.reloc.tor, 0xd07);
    r = next(stream, PFIFO_STREAM_PUSH);
    assert_int_equal(r.push.handle, 0xa0200000a01);
    assert_int_equal(r.push.offset, 0xa0400000a03);
    assert_int_equal(r.push.length, 0xa060080000c);
    assert_int_equal(r.push.address, 0xa0800000a07);
    assert_true(r.push.no_prefetch);
    assert_int_equal(r.push.word_count, 3);
    assert_int_equal(pfifo_stream_word(&r.push, 0), 0x04030201);
    assert_int_equal(pfifo_stream_word(&r.push, 2), 0x0c0b0a09);
    r = next(stream, PFIFO_STREAM_SUBEND);
    assert_int_equal(r.subend.sequence, 1);
}

static void expect_rest(struct pfifo_stream *stream) {
    struct pfifo_stream_record r = next(stream, PFIFO_STREAM_PREP);

    assert_int_equal(r.prep.handle, 0xc01);
    assert_int_equal(r.prep.flags, 0xc02);
    r = next(stream, PFIFO_STREAM_BODEL);
    assert_int_equal(r.bodel.handle, 0x601);
    r = next(stream, PFIFO_STREAM_UNKNOWN);
    assert_int_equal(r.number, 0x12345);
    assert_int_equal(r.payload_bytes, 7);
    assert_memory_equal(r.payload, "\x77\x07\0\0\1\2\3", 7);
    r = next(stream, PFIFO_STREAM_CHANFREE);
    assert_int_equal(r.chanfree.channel, 0xe01);
    r = next(stream, PFIFO_STREAM_END);
    assert_int_equal(r.offset, pfifo_stream_bytes(stream));
    next(stream, PFIFO_STREAM_END);
}

static void every_type_is_decoded_field_by_field(void **state) {
    struct image image;
    struct pfifo_stream *stream;

    (void)state;
    image_every_type(&image);
    stream = open_image(&image, "hand");
    for (int pass = 0; pass < 2; pass++, pfifo_stream_rewind(stream)) {
        expect_objects(stream);
        expect_submission(stream);
        expect_rest(stream);
    }
    pfifo_stream_close(stream);
}

static void copy_records(struct pfifo_stream *stream, struct pfifo_stream_writer *writer) {
    struct pfifo_stream_record record;
    struct pfifo_error error = {0};

    while (pfifo_stream_next(stream, &record, &error) == PFIFO_OK && record.type != PFIFO_STREAM_END)
        if (pfifo_stream_writer_append(writer, &record, &error) != PFIFO_OK)
            fail_msg("%s", error.message);
    assert_int_equal(pfifo_stream_writer_finish(writer, &error), PFIFO_OK);
}

static void the_writer_makes_the_bytes_that_were_read(void **state) {
    struct image image;
    struct pfifo_stream *stream;
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    const void *written;
    size_t size;

    (void)state;
    image_every_type(&image);
    stream = open_image(&image, "hand");
    copy_records(stream, writer);
    written = pfifo_stream_writer_memory(writer, &size);
    assert_int_equal(size, image.size);
    assert_memory_equal(written, image.data, size);
    pfifo_stream_writer_close(writer);
    pfifo_stream_close(stream);
}

static void a_packed_copy_reads_the_same(void **state) {
    static const enum pfifo_stream_packing packings[] = {PFIFO_STREAM_XZ, PFIFO_STREAM_ZSTD, PFIFO_STREAM_GZIP};
    struct image image;

    (void)state;
    image_every_type(&image);
    for (size_t i = 0; i < sizeof(packings) / sizeof(packings[0]); i++) {
        struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(packings[i], NULL);
        struct pfifo_stream *stream = open_image(&image, "hand"), *copy;
        const void *written;
        size_t size;

        copy_records(stream, writer);
        written = pfifo_stream_writer_memory(writer, &size);
        assert_true(size < image.size);
        copy = pfifo_stream_open_memory(written, size, "copy.nvcap", NULL);
        pfifo_stream_writer_close(writer);
        assert_non_null(copy);
        expect_objects(copy);
        expect_submission(copy);
        expect_rest(copy);
        pfifo_stream_close(copy);
        pfifo_stream_close(stream);
    }
}

static void files_are_read_by_content_and_named_by_base(void **state) {
    static const enum pfifo_stream_packing packings[] = {PFIFO_STREAM_XZ, PFIFO_STREAM_PLAIN};
    struct image image;
    char path[TEMPORARY_PATH];
    int fd;

    (void)state;
    temporary_pattern(path, ".nvcap.zst");
    fd = mkstemps(path, 10);
    assert_true(fd >= 0);
    close(fd);
    image_every_type(&image);
    for (size_t i = 0; i < 2; i++) { /* an .xz and then a shorter plain file, both under a name that says .zst */
        struct pfifo_error error = {0};
        struct pfifo_stream *stream = open_image(&image, "hand");
        struct pfifo_stream_writer *writer = pfifo_stream_writer_open(path, packings[i], &error);

        assert_non_null(writer);
        copy_records(stream, writer);
        pfifo_stream_writer_close(writer);
        pfifo_stream_close(stream);
        stream = pfifo_stream_open(path, &error);
        if (!stream)
            fail_msg("%s", error.message);
        assert_int_equal(read_all(stream, &error), IMAGE_EVERY_COUNT);
        assert_int_equal(pfifo_stream_bytes(stream), image.size);
        assert_int_equal(strncmp(pfifo_stream_name(stream), "pfifo-test-", 11), 0);
        assert_int_equal(strlen(pfifo_stream_name(stream)), 17);
        pfifo_stream_close(stream);
    }
    unlink(path);
}

static void names_lose_folders_and_known_endings(void **state) {
    static const char *const names[][2] = {
        {"a/b.c/nv40-x.nvcap.xz", "nv40-x"},
        {"nv40-x.nvcap.zst", "nv40-x"},
        {"/nv40-x.nvcap", "nv40-x"},
        {"nv40-x", "nv40-x"},
        {".nvcap", ".nvcap"},
        {"a.nvcap.gz", "a"},
        {"a.nvcap.bz2", "a.nvcap.bz2"},
        {"", ""},
    };
    struct image image;

    (void)state;
    image_every_type(&image);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        struct pfifo_stream *stream = open_image(&image, names[i][0]);

        assert_string_equal(pfifo_stream_name(stream), names[i][1]);
        pfifo_stream_close(stream);
    }
}

static void the_chipset_is_that_of_the_first_chipset_text(void **state) {
    struct image image;
    struct pfifo_stream *stream;

    (void)state;
    image_begin(&image);
    stream = open_image(&image, "empty");
    assert_int_equal(pfifo_stream_chipset(stream), 0);
    assert_int_equal(read_all(stream, NULL), 0);
    pfifo_stream_close(stream);
    image_add_text(&image, "note=chipset=0x11", 17);
    image_add_text(&image, "chipset=0x12b", 13);
    image_add_text(&image, "chipset=0x40", 12);
    stream = open_image(&image, "two");
    assert_int_equal(pfifo_stream_chipset(stream), 0x12b);
    pfifo_stream_close(stream);
}

static void expect_refused(struct pfifo_stream_writer *writer, const struct pfifo_stream_record *record,
                           const char *reason) {
    struct pfifo_error error = {0};

    assert_int_equal(pfifo_stream_writer_append(writer, record, &error), PFIFO_ERROR_ARGUMENT);
    if (!strstr(error.message, reason))
        fail_msg("'%s' instead of '%s'", error.message, reason);
}

static void the_writer_refuses_what_the_reader_would(void **state) {
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    struct pfifo_stream_record submit = {.type = PFIFO_STREAM_SUBMIT, .submit = {.sequence = 1, .pushes = 1}};
    struct pfifo_stream_record push = {.type = PFIFO_STREAM_PUSH, .push = {.length = 8, .word_count = 2}};
    struct pfifo_stream_record subend = {.type = PFIFO_STREAM_SUBEND, .subend = {.sequence = 1}};
    struct pfifo_stream_record end = {.type = PFIFO_STREAM_END};
    struct pfifo_stream_record known = {.type = PFIFO_STREAM_UNKNOWN, .number = 3};
    struct pfifo_error error = {0};
    size_t before, after;

    (void)state;
    expect_refused(writer, &end, "type 0 is not one");
    expect_refused(writer, &known, "type 3 is not one");
    expect_refused(writer, &push, "no data given");
    assert_int_equal(pfifo_stream_writer_text(writer, "a=b", "c", &error), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_stream_writer_append(writer, &submit, NULL), PFIFO_OK);
    expect_refused(writer, &submit, "inside submission 1");
    expect_refused(writer, &subend, "0/1 PUSHes");
    push.push.words = (const uint8_t *)"12345678";
    push.push.length = 12;
    pfifo_stream_writer_memory(writer, &before);
    expect_refused(writer, &push, "2 words, but a length of 12 bytes");
    pfifo_stream_writer_memory(writer, &after);
    assert_int_equal(before, after);
    assert_int_equal(pfifo_stream_writer_finish(writer, &error), PFIFO_ERROR_ARGUMENT);
    push.push.length = 8;
    assert_int_equal(pfifo_stream_writer_append(writer, &push, NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_append(writer, &subend, NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_finish(writer, &error), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_text(writer, "a", "b", &error), PFIFO_ERROR_ARGUMENT);
    pfifo_stream_writer_close(writer);
}

static void files_that_cannot_be_used_are_errors_of_io(void **state) {
    struct pfifo_error error = {0};

    (void)state;
    assert_null(pfifo_stream_open("/nonexistent/a.nvcap", &error));
    assert_int_equal(error.status, PFIFO_ERROR_IO);
    error.status = PFIFO_OK;
    assert_null(pfifo_stream_open("/", &error));
    assert_int_equal(error.status, PFIFO_ERROR_IO);
    error.status = PFIFO_OK;
    assert_null(pfifo_stream_writer_open("/nonexistent/a.nvcap", PFIFO_STREAM_XZ, &error));
    assert_int_equal(error.status, PFIFO_ERROR_IO);
    assert_null(pfifo_stream_open(NULL, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
    assert_null(pfifo_stream_open("/nonexistent/a.nvcap", NULL));
}

static void a_full_disk_is_an_error_of_io_and_stays_one(void **state) {
    struct pfifo_error error = {0};
    struct pfifo_stream_writer *writer;

    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    writer = pfifo_stream_writer_open("/dev/full", PFIFO_STREAM_PLAIN, &error);
    assert_non_null(writer);
    assert_int_equal(pfifo_stream_writer_text(writer, "a", "b", &error), PFIFO_OK); /* still in stdio's buffer */
    assert_int_equal(pfifo_stream_writer_finish(writer, &error), PFIFO_ERROR_IO);
    assert_int_equal(pfifo_stream_writer_text(writer, "a", "b", &error), PFIFO_ERROR_IO);
    pfifo_stream_writer_close(writer);
}

/* Longer than stdio's buffer: the record itself fails, is in pieces, and nothing may follow it. */
static void nothing_follows_a_record_that_was_cut(void **state) {
    static char value[100000];
    struct pfifo_error error = {0};
    struct pfifo_stream_writer *writer;

    (void)state;
    if (access("/dev/full", W_OK) != 0)
        skip();
    memset(value, 'x', sizeof(value) - 1);
    writer = pfifo_stream_writer_open("/dev/full", PFIFO_STREAM_PLAIN, &error);
    assert_non_null(writer);
    assert_int_equal(pfifo_stream_writer_text(writer, "a", value, &error), PFIFO_ERROR_IO);
    assert_int_equal(pfifo_stream_writer_text(writer, "a", "b", &error), PFIFO_ERROR_IO);
    assert_string_equal(error.message, "the capture could not be written before");
    pfifo_stream_writer_close(writer);
}

static void types_have_the_names_of_the_documentation(void **state) {
    (void)state;
    assert_string_equal(pfifo_stream_type_name(PFIFO_STREAM_TEXT), "TEXT");
    assert_string_equal(pfifo_stream_type_name(PFIFO_STREAM_CHANFREE), "CHANFREE");
    assert_string_equal(pfifo_stream_type_name(PFIFO_STREAM_END), "unknown");
    assert_string_equal(pfifo_stream_type_name(PFIFO_STREAM_UNKNOWN), "unknown");
    assert_string_equal(pfifo_stream_type_name((enum pfifo_stream_type)29), "unknown");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_decoded_field_by_field),
        cmocka_unit_test(the_writer_makes_the_bytes_that_were_read),
        cmocka_unit_test(a_packed_copy_reads_the_same),
        cmocka_unit_test(files_are_read_by_content_and_named_by_base),
        cmocka_unit_test(names_lose_folders_and_known_endings),
        cmocka_unit_test(the_chipset_is_that_of_the_first_chipset_text),
        cmocka_unit_test(the_writer_refuses_what_the_reader_would),
        cmocka_unit_test(files_that_cannot_be_used_are_errors_of_io),
        cmocka_unit_test(a_full_disk_is_an_error_of_io_and_stays_one),
        cmocka_unit_test(nothing_follows_a_record_that_was_cut),
        cmocka_unit_test(types_have_the_names_of_the_documentation),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
