/* SPDX-License-Identifier: MIT */
/* Version 3: address spaces that programs manage, and sync objects. */
#include "stream/image.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

#define BONEW(handle, bytes)                                                                                           \
    { 5, 8, {handle, 4, bytes, 0, 0, 0, 0, 0}, 0 }
#define VMINIT(space, kept, bytes)                                                                                     \
    { 26, 5, {space, kept, 0, bytes, 0}, 0 }
#define BIND(space, how, handle, kind, address, bytes, offset)                                                         \
    { 27, 10, {space, how, handle, kind, address, 0, bytes, 0, offset, 0}, 0 }
#define MAP(handle, address, bytes, offset) BIND(1, 0, handle, 0, address, bytes, offset)
#define UNMAP(address, bytes)               BIND(1, 1, 0, 0, address, bytes, 0)
#define SPARSE(address, bytes)              BIND(1, 2, 0, 0, address, bytes, 0)
#define END_SPARSE(address, bytes)          BIND(1, 3, 0, 0, address, bytes, 0)
#define SYNC(how)                                                                                                      \
    { 28, 4, {5, how, 6, 0}, 0 }
#define SUBMIT(seq, pushes)                                                                                            \
    { 7, 8, {seq, 3, 0, 0, pushes, 0, 0, 0}, 0 }
#define SUBEND(seq)                                                                                                    \
    { 11, 1, {seq}, 0 }
/* Four bytes, at an address. */
#define PUSH(handle, offset, address)                                                                                  \
    { 10, 8, {handle, 0, offset, 0, 4, 0, address, 0}, 4 }

static struct pfifo_stream *open_image(const struct image *image) {
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = pfifo_stream_open_memory(image->data, image->size, "x/three.nvcap", &error);

    if (!stream)
        fail_msg("%s", error.message);
    return stream;
}

/* ---- fields ---- */

/* Each field is a number of its own. */
static void every_new_type(struct image *image) {
    static const struct image_record records[] = {
        {26, 5, {0x1a01, 0x1000, 0x80, 0x2000, 0x40}, 0},
        {5, 8, {0x501, 4, 0xf04000, 3, 0, 0, 0, 0}, 0},
        {20, 4, {3, 0x1a01, 0, 0}, 0},
        {2, 5, {3, 0, 0, 4, 0}, 0},
        {27, 10, {0x1a01, 0, 0x501, 0xdb, 0x5000, 0x12, 0x6000, 1, 0x7000, 1}, 0},
        {28, 4, {0x1c01, 4, 0x1c03, 0x1c04}, 0},
        SUBMIT(1, 1),
        {28, 4, {0x1c05, 0, 0, 0}, 0},
        {10, 8, {0, 0, 0, 0, 8, 0, 0x9000, 0}, 0},
        {28, 4, {0x1c06, 1, 0x1c07, 0}, 0},
        SUBEND(1),
        {25, 2, {0, 0}, 0},
    };

    image_begin_version(image, 3);
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

static void the_new_types_are_decoded_field_by_field(void **state) {
    struct image image;

    (void)state;
    every_new_type(&image);
    struct pfifo_stream *stream = open_image(&image);
    assert_int_equal(pfifo_stream_version(stream), 3);
    struct pfifo_stream_record r = next(stream, PFIFO_STREAM_VMINIT);
    assert_int_equal(r.vminit.space, 0x1a01);
    assert_int_equal(r.vminit.kept, 0x8000001000);
    assert_int_equal(r.vminit.kept_bytes, 0x4000002000);
    r = next(stream, PFIFO_STREAM_BIND);
    assert_int_equal(r.bind.space, 0x1a01);
    assert_int_equal(r.bind.how, PFIFO_STREAM_BIND_MAP);
    assert_int_equal(r.bind.handle, 0x501);
    assert_int_equal(r.bind.kind, 0xdb);
    assert_int_equal(r.bind.address, 0x1200005000);
    assert_int_equal(r.bind.bytes, 0x100006000);
    assert_int_equal(r.bind.offset, 0x100007000);
    r = next(stream, PFIFO_STREAM_SYNC);
    assert_int_equal(r.sync.object, 0x1c01);
    assert_int_equal(r.sync.how, PFIFO_STREAM_SYNC_CPU_WAIT);
    assert_int_equal(r.sync.point, 0x1c0400001c03);
    r = next(stream, PFIFO_STREAM_SYNC);
    assert_int_equal(r.sync.how, PFIFO_STREAM_SYNC_WAIT);
    r = next(stream, PFIFO_STREAM_SYNC);
    assert_int_equal(r.sync.how, PFIFO_STREAM_SYNC_SIGNAL);
    pfifo_stream_close(stream);
}

static void the_names_of_the_new_types_are_those_of_the_documentation(void **state) {
    static const char *const names[] = {"VMINIT", "BIND", "SYNC", "unknown"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_string_equal(pfifo_stream_type_name((enum pfifo_stream_type)(PFIFO_STREAM_VMINIT + i)), names[i]);
}

/* ---- versions ---- */

static void in_version_2_the_new_types_are_not_known(void **state) {
    static const struct image_record records[] = {{26, 1, {7}, 0}, {27, 0, {0}, 3}, {28, 0, {0}, 0}};
    struct image image;

    (void)state;
    image_expect_unknown(&image, 2, records, COUNT_OF(records));
}

static void the_writer_of_version_3_makes_the_bytes_that_were_read(void **state) {
    struct image image;

    (void)state;
    every_new_type(&image);
    image_expect_written(&image, 3);
}

/* ---- what is refused ---- */

/* Space 1, of which 0x100000 up to 0x200000 is the kernel's; buffer 9 of four pages at 0x20000; channel 3. */
static const struct image_record session[] = {
    VMINIT(1, 0x100000, 0x100000), {20, 4, {3, 1, 0, 0}, 0}, {2, 5, {3, 0, 0, 4, 0}, 0}, BONEW(9, 0x4000),
    MAP(9, 0x20000, 0x4000, 0),
};

static void begin_session(struct image *image) {
    image_begin_version(image, 3);
    for (size_t i = 0; i < COUNT_OF(session); i++)
        image_add(image, &session[i]);
}

/* After the session; the last record is the bad one. A record of type 0 ends the list. */
struct malformed {
    const char *reason;
    struct image_record records[6];
};

static const struct malformed cases[] = {
    {"VMINIT: number 0 is none", {VMINIT(0, 0x1000, 0x1000)}},
    {"VMINIT: there is a space 1 already", {VMINIT(1, 0x1000, 0x1000)}},
    {"VMINIT: 0x0 bytes from 0x1000 on", {VMINIT(2, 0x1000, 0)}},
    {"VMINIT: 0x1000 bytes from 0x1800 on", {VMINIT(2, 0x1800, 0x1000)}},
    {"VMINIT: 0x1001 bytes from 0x1000 on", {VMINIT(2, 0x1000, 0x1001)}},
    {"VMINIT: 0xfffffffffffff000 bytes from 0x1000 on", {{26, 5, {2, 0x1000, 0, 0xfffff000, 0xffffffff}, 0}}},
    {"SPACEDEL: 1 channels are in it", {{16, 1, {1}, 0}}},
    {"BIND: there is no space 2", {BIND(2, 1, 0, 0, 0x1000, 0x1000, 0)}},
    {"BIND: space 2 is not one of VMINIT",
     {{15, 6, {2, 0, 0x1000, 0, 0x10000, 0}, 0}, BIND(2, 1, 0, 0, 0x1000, 0x1000, 0)}},
    {"MAP: space 1 is one of VMINIT", {{18, 11, {1, 9, 0x40000, 0, 0x1000, 0, 0, 0, 0, 0, 0}, 0}}},
    {"UNMAP: space 1 is one of VMINIT", {{19, 5, {1, 0x20000, 0, 0x1000, 0}, 0}}},
    {"SPARSE: space 1 is one of VMINIT", {{17, 6, {1, 1, 0x40000, 0, 0x1000, 0}, 0}}},
    {"BIND: how 4 is not known", {BIND(1, 4, 0, 0, 0x1000, 0x1000, 0)}},
    {"BIND: 0x1000 bytes at 0x0 are not pages of space 1", {UNMAP(0, 0x1000)}},
    {"BIND: 0x0 bytes at 0x20000 are not pages of space 1", {UNMAP(0x20000, 0)}},
    {"BIND: 0x1000 bytes at 0x20800 are not pages of space 1", {UNMAP(0x20800, 0x1000)}},
    {"BIND: 0x2000 bytes at 0xff000 are not pages of space 1", {UNMAP(0xff000, 0x2000)}},
    {"BIND: 0x1000 bytes at 0x1ff000 are not pages of space 1", {MAP(9, 0x1ff000, 0x1000, 0)}},
    {"BIND: 0x300000 bytes at 0x80000 are not pages of space 1", {SPARSE(0x80000, 0x300000)}},
    {"BIND: there is no buffer 8", {MAP(8, 0x40000, 0x1000, 0)}},
    {"BIND: 0x1000 bytes at 0x4000 of the buffer's 0x4000", {MAP(9, 0x40000, 0x1000, 0x4000)}},
    {"BIND: 0x2000 bytes at 0x3000 of the buffer's 0x4000", {MAP(9, 0x40000, 0x2000, 0x3000)}},
    {"BIND: 0x1000 bytes at 0x800 of the buffer's 0x4000", {MAP(9, 0x40000, 0x1000, 0x800)}},
    {"BIND: kind 0xff", {BIND(1, 0, 9, 0xff, 0x40000, 0x1000, 0)}},
    {"BIND: buffer 9, kind 0x0, offset 0x0, and it maps nothing", {BIND(1, 1, 9, 0, 0x40000, 0x1000, 0)}},
    {"BIND: buffer 0, kind 0x1, offset 0x0, and it maps nothing", {BIND(1, 2, 0, 1, 0x40000, 0x1000, 0)}},
    {"BIND: buffer 0, kind 0x0, offset 0x1000, and it maps nothing", {BIND(1, 3, 0, 0, 0x40000, 0x1000, 0x1000)}},
    {"BIND: something is mapped in 0x2000 bytes at 0x1f000", {SPARSE(0x1f000, 0x2000)}},
    {"BIND: 0x2000 bytes at 0x41000 are partly sparse", {SPARSE(0x40000, 0x2000), SPARSE(0x41000, 0x2000)}},
    {"BIND: 0x2000 bytes at 0x41000 are partly sparse", {SPARSE(0x40000, 0x2000), MAP(9, 0x41000, 0x2000, 0)}},
    {"BIND: 0x1000 bytes at 0x40000 are not a sparse range", {SPARSE(0x40000, 0x2000), END_SPARSE(0x40000, 0x1000)}},
    {"BODEL: buffer 9 is mapped",
     {UNMAP(0x21000, 0x1000), MAP(9, 0x30000, 0x1000, 0), UNMAP(0x20000, 0x4000), {6, 1, {9}, 0}}},
    {"PUSH: buffer 9 + 0x1000 is not at address 0x21000",
     {UNMAP(0x21000, 0x1000), SUBMIT(1, 1), PUSH(9, 0x1000, 0x21000)}},
    {"SYNC: how 7 is not known", {SYNC(7)}},
    {"SYNC: outside a submission", {SYNC(0)}},
    {"SYNC: outside a submission", {SYNC(1)}},
    {"SYNC: inside submission 1", {SUBMIT(1, 0), SYNC(4)}},
    {"SYNC: inside submission 1", {SUBMIT(1, 0), SYNC(2)}},
    {"SYNC: too late in submission 1", {SUBMIT(1, 1), PUSH(9, 0, 0x20000), SYNC(0)}},
    {"PUSH: too late in submission 1", {SUBMIT(1, 1), SYNC(1), PUSH(9, 0, 0x20000)}},
    {"BIND: inside submission 1", {SUBMIT(1, 0), UNMAP(0x20000, 0x1000)}},
    {"VMINIT: payload of 16 bytes, at least 20 needed", {{26, 4, {2, 0, 0, 0}, 0}}},
    {"BIND: payload of 44 bytes instead of 40", {{27, 11, {1}, 0}}},
    {"SYNC: payload of 12 bytes, at least 16 needed", {{28, 3, {1}, 0}}},
};

static void what_does_not_fit_is_refused_where_it_is(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct pfifo_error error = {0};
        struct image image;
        char place[64];
        begin_session(&image);
        for (size_t j = 0; j < COUNT_OF(cases[i].records) && cases[i].records[j].type; j++)
            image_add(&image, &cases[i].records[j]);
        struct pfifo_stream *stream = open_image(&image);
        assert_int_equal(read_all(stream, &error), -1);
        assert_int_equal(error.status, PFIFO_ERROR_FORMAT);
        snprintf(place, sizeof place, "x/three.nvcap: offset %zu: ", image.last);
        if (strncmp(error.message, place, strlen(place)) != 0 || !strstr(error.message, cases[i].reason))
            fail_msg("%s: %s", cases[i].reason, error.message);
        pfifo_stream_close(stream);
    }
}

/* ---- what VM_BIND may do ---- */

static void expect_taken(const struct image_record *records, size_t count) {
    struct pfifo_error error = {0};
    struct image image;

    begin_session(&image);
    for (size_t i = 0; i < count; i++)
        image_add(&image, &records[i]);
    struct pfifo_stream *stream = open_image(&image);
    if (read_all(stream, &error) < 0)
        fail_msg("%s", error.message);
    pfifo_stream_close(stream);
}

#define EXPECT_TAKEN(...)                                                                                              \
    expect_taken((const struct image_record[]){__VA_ARGS__},                                                           \
                 sizeof((const struct image_record[]){__VA_ARGS__}) / sizeof(struct image_record))

static void a_mapping_takes_the_place_of_what_is_there(void **state) {
    (void)state;
    /* In the middle, over an end, over all. */
    EXPECT_TAKEN(BONEW(8, 0x8000), MAP(8, 0x21000, 0x1000, 0x2000), SUBMIT(1, 3), PUSH(9, 0, 0x20000),
                 PUSH(8, 0x2000, 0x21000), PUSH(9, 0x2000, 0x22000), SUBEND(1));
    EXPECT_TAKEN(BONEW(8, 0x8000), MAP(8, 0x1e000, 0x3000, 0), SUBMIT(1, 2), PUSH(8, 0x2000, 0x20000),
                 PUSH(9, 0x1000, 0x21000), SUBEND(1));
    EXPECT_TAKEN(BONEW(8, 0x8000), MAP(8, 0x1e000, 0x8000, 0), {6, 1, {9}, 0});
}

static void what_is_unmapped_need_not_be_mapped(void **state) {
    (void)state;
    EXPECT_TAKEN(UNMAP(0x40000, 0x1000));
    EXPECT_TAKEN(UNMAP(0x10000, 0x80000), {6, 1, {9}, 0});
    EXPECT_TAKEN(UNMAP(0x21000, 0x1000), UNMAP(0x20000, 0x4000), {6, 1, {9}, 0});
}

static void the_end_of_a_sparse_range_ends_what_is_mapped_in_it(void **state) {
    (void)state;
    EXPECT_TAKEN(UNMAP(0x20000, 0x4000), SPARSE(0x20000, 0x10000), MAP(9, 0x21000, 0x4000, 0),
                 END_SPARSE(0x20000, 0x10000), {6, 1, {9}, 0}, SPARSE(0x28000, 0x10000));
}

static void several_objects_are_waited_for_and_signaled(void **state) {
    (void)state;
    EXPECT_TAKEN(SYNC(2), UNMAP(0x20000, 0x1000), SYNC(3), SYNC(4), SYNC(5), SYNC(6), SUBMIT(1, 0), SYNC(0), SYNC(0),
                 SYNC(1), SYNC(1), SUBEND(1));
}

static void a_space_that_has_ended_may_be_made_again(void **state) {
    (void)state;
    EXPECT_TAKEN({14, 1, {3}, 0}, {16, 1, {1}, 0}, {6, 1, {9}, 0}, VMINIT(1, 0x1000, 0x1000));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_new_types_are_decoded_field_by_field),
        cmocka_unit_test(the_names_of_the_new_types_are_those_of_the_documentation),
        cmocka_unit_test(in_version_2_the_new_types_are_not_known),
        cmocka_unit_test(the_writer_of_version_3_makes_the_bytes_that_were_read),
        cmocka_unit_test(what_does_not_fit_is_refused_where_it_is),
        cmocka_unit_test(a_mapping_takes_the_place_of_what_is_there),
        cmocka_unit_test(what_is_unmapped_need_not_be_mapped),
        cmocka_unit_test(the_end_of_a_sparse_range_ends_what_is_mapped_in_it),
        cmocka_unit_test(several_objects_are_waited_for_and_signaled),
        cmocka_unit_test(a_space_that_has_ended_may_be_made_again),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
