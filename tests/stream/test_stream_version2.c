/* SPDX-License-Identifier: MIT */
/* Version 2: address spaces, syncpoints, and what the CPU writes; versions of readers and writers. */
#include "stream/image.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

static struct pfifo_stream *open_image(const struct image *image) {
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = pfifo_stream_open_memory(image->data, image->size, "x/two.nvcap", &error);

    if (!stream)
        fail_msg("%s", error.message);
    return stream;
}

/* ---- fields ---- */

/* Each field is a number of its own. */
static void every_new_type(struct image *image) {
    static const struct image_record records[] = {
        {15, 6, {0xf01, 0x20000, 0xf03000, 1, 0xf05000, 2}, 0},
        {20, 4, {0x1401, 0xf01, 0x1403, 1}, 0},
        {2, 5, {0x1401, 0, 0, 4, 0}, 0},
        {5, 8, {0x501, 4, 0xf04000, 3, 0, 0, 0, 0}, 0},
        {17, 6, {0xf01, 1, 0xf40000, 1, 0x100000, 0}, 0},
        {18, 11, {0xf01, 0x501, 0xf60000, 1, 0x2000, 0, 0x3000, 2, 0x20000, 0xdb, 1}, 0},
        {7, 8, {1, 0x1401, 0, 0, 2, 0, 0, 0}, 0},
        {21, 2, {0x151, 0x1502}, 0},
        {10, 8, {0x501, 0, 0x3004, 2, 4, 0, 0xf60004, 1}, 4},
        {10, 8, {0, 0, 0, 0, 8, 0, 0x123000, 0}, 0},
        {22, 2, {0x161, 0x1602}, 0},
        {11, 1, {1}, 0},
        {23, 3, {0x171, 1, 0x1703}, 0},
        {24, 3, {0x501, 0x1802, 1}, 5},
        {25, 2, {0x1901, 0x1902}, 0},
        {19, 5, {0xf01, 0xf60000, 1, 0x1000, 0}, 0},
        {14, 1, {0x1401}, 0},
        {16, 1, {0xf01}, 0},
    };

    image_begin_version(image, 2);
    for (size_t i = 0; i < COUNT_OF(records); i++)
        image_add(image, &records[i]);
}

static struct pfifo_stream_record next(struct pfifo_stream *stream, enum pfifo_stream_type type) {
    struct pfifo_stream_record record;
    struct pfifo_error error = {0};

    do {
        if (pfifo_stream_next(stream, &record, &error) != PFIFO_OK)
            fail_msg("%s", error.message);
        assert_int_not_equal(record.type, PFIFO_STREAM_END);
    } while (record.type != type);
    return record;
}

static void expect_spaces(struct pfifo_stream *stream) {
    struct pfifo_stream_record r = next(stream, PFIFO_STREAM_SPACE);

    assert_int_equal(r.space.space, 0xf01);
    assert_int_equal(r.space.big_page_bytes, 0x20000);
    assert_int_equal(r.space.first, 0x100f03000);
    assert_int_equal(r.space.bytes, 0x200f05000);
    r = next(stream, PFIFO_STREAM_CHANIN);
    assert_int_equal(r.chanin.channel, 0x1401);
    assert_int_equal(r.chanin.space, 0xf01);
    assert_int_equal(r.chanin.entries, 0x1403);
    assert_int_equal(r.chanin.flags, PFIFO_STREAM_CHANIN_OLD_HEADERS);
    r = next(stream, PFIFO_STREAM_SPARSE);
    assert_int_equal(r.sparse.space, 0xf01);
    assert_int_equal(r.sparse.sparse, 1);
    assert_int_equal(r.sparse.address, 0x100f40000);
    assert_int_equal(r.sparse.bytes, 0x100000);
    r = next(stream, PFIFO_STREAM_MAP);
    assert_int_equal(r.map.space, 0xf01);
    assert_int_equal(r.map.handle, 0x501);
    assert_int_equal(r.map.address, 0x100f60000);
    assert_int_equal(r.map.bytes, 0x2000);
    assert_int_equal(r.map.offset, 0x200003000);
    assert_int_equal(r.map.page_bytes, 0x20000);
    assert_int_equal(r.map.kind, 0xdb);
    assert_int_equal(r.map.flags, PFIFO_STREAM_MAP_READ_ONLY);
}

static void expect_work(struct pfifo_stream *stream) {
    struct pfifo_stream_record r = next(stream, PFIFO_STREAM_WAIT);

    assert_int_equal(r.wait.syncpoint, 0x151);
    assert_int_equal(r.wait.threshold, 0x1502);
    r = next(stream, PFIFO_STREAM_FENCE);
    assert_int_equal(r.fence.syncpoint, 0x161);
    assert_int_equal(r.fence.value, 0x1602);
    r = next(stream, PFIFO_STREAM_SYNCPT);
    assert_int_equal(r.syncpt.syncpoint, 0x171);
    assert_int_equal(r.syncpt.set, 1);
    assert_int_equal(r.syncpt.value, 0x1703);
    r = next(stream, PFIFO_STREAM_WRITE);
    assert_int_equal(r.write.handle, 0x501);
    assert_int_equal(r.write.offset, 0x100001802);
    assert_int_equal(r.write.bytes, 5);
    assert_memory_equal(r.write.data, "\1\2\3\4\5", 5);
    r = next(stream, PFIFO_STREAM_RUN);
    assert_int_equal(r.run.units, 0x190200001901);
    r = next(stream, PFIFO_STREAM_UNMAP);
    assert_int_equal(r.unmap.space, 0xf01);
    assert_int_equal(r.unmap.address, 0x100f60000);
    assert_int_equal(r.unmap.bytes, 0x1000);
    r = next(stream, PFIFO_STREAM_SPACEDEL);
    assert_int_equal(r.spacedel.space, 0xf01);
}

static void the_new_types_are_decoded_field_by_field(void **state) {
    struct image image;
    struct pfifo_stream *stream;

    (void)state;
    every_new_type(&image);
    stream = open_image(&image);
    assert_int_equal(pfifo_stream_version(stream), 2);
    for (int pass = 0; pass < 2; pass++, pfifo_stream_rewind(stream)) {
        expect_spaces(stream);
        expect_work(stream);
    }
    pfifo_stream_close(stream);
}

static void the_names_of_the_new_types_are_those_of_the_documentation(void **state) {
    static const char *const names[] = {"SPACE", "SPACEDEL", "SPARSE", "MAP",   "UNMAP", "CHANIN",
                                        "WAIT",  "FENCE",    "SYNCPT", "WRITE", "RUN"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_string_equal(pfifo_stream_type_name((enum pfifo_stream_type)(PFIFO_STREAM_SPACE + i)), names[i]);
}

/* ---- versions ---- */

static void in_version_1_the_new_types_are_not_known(void **state) {
    static const struct image_record records[] = {{18, 1, {7}, 0}, {25, 0, {0}, 3}, {26, 0, {0}, 0}};
    struct image image;

    (void)state;
    image_expect_unknown(&image, 1, records, COUNT_OF(records));
}

static void the_writer_of_version_2_makes_the_bytes_that_were_read(void **state) {
    struct image image;

    (void)state;
    every_new_type(&image);
    image_expect_written(&image, 2);
}

static void a_writer_has_version_1_unless_it_is_asked_before_it_begins(void **state) {
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    const struct pfifo_stream_record run = {.type = PFIFO_STREAM_RUN, .run = {.units = 1}};
    struct pfifo_error error = {0};
    size_t size;

    (void)state;
    assert_int_equal(pfifo_stream_writer_version(writer, 0, &error), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_stream_writer_version(writer, 4, &error), PFIFO_ERROR_ARGUMENT);
    assert_string_equal(error.message, "captures have no version 4");
    assert_int_equal(pfifo_stream_writer_version(writer, 2, &error), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_version(writer, 1, &error), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_append(writer, &run, &error), PFIFO_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "type 25 is not one of version 1"));
    assert_int_equal(pfifo_stream_writer_version(writer, 2, &error), PFIFO_ERROR_ARGUMENT);
    assert_string_equal(error.message, "the capture has begun");
    assert_int_equal(pfifo_stream_writer_finish(writer, &error), PFIFO_OK);
    const void *written = pfifo_stream_writer_memory(writer, &size);
    assert_int_equal(size, 8);
    assert_memory_equal(written, "NVPBCAP1", 8);
    pfifo_stream_writer_close(writer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_new_types_are_decoded_field_by_field),
        cmocka_unit_test(the_names_of_the_new_types_are_those_of_the_documentation),
        cmocka_unit_test(in_version_1_the_new_types_are_not_known),
        cmocka_unit_test(the_writer_of_version_2_makes_the_bytes_that_were_read),
        cmocka_unit_test(a_writer_has_version_1_unless_it_is_asked_before_it_begins),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
