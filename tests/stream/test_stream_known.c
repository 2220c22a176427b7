/* SPDX-License-Identifier: MIT */
/* What a reader of version 2 can rely on: what a record refers to is there, and nothing is mapped over another. */
#include "stream/image.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

#define BONEW(handle, bytes)                                                                                           \
    { 5, 8, {handle, 4, bytes, 0, 0, 0, 0, 0}, 0 }
#define BODEL(handle)                                                                                                  \
    { 6, 1, {handle}, 0 }
#define CHAN(channel)                                                                                                  \
    { 2, 5, {channel, 0, 0, 4, 0}, 0 }
#define CHANFREE(channel)                                                                                              \
    { 14, 1, {channel}, 0 }
#define SUBMIT(seq, channel, pushes)                                                                                   \
    { 7, 8, {seq, channel, 0, 0, pushes, 0, 0, 0}, 0 }
#define SUBEND(seq)                                                                                                    \
    { 11, 1, {seq}, 0 }
/* Four bytes, at an address. */
#define PUSH(handle, offset, address)                                                                                  \
    { 10, 8, {handle, 0, offset, 0, 4, 0, address, 0}, 4 }
#define SPACE(space, first, bytes)                                                                                     \
    { 15, 6, {space, 0x10000, first, 0, bytes, 0}, 0 }
#define SPACEDEL(space)                                                                                                \
    { 16, 1, {space}, 0 }
#define SPARSE(space, on, address, bytes)                                                                              \
    { 17, 6, {space, on, address, 0, bytes, 0}, 0 }
#define MAP_AS(space, handle, address, bytes, offset, page, kind, flags)                                               \
    { 18, 11, {space, handle, address, 0, bytes, 0, offset, 0, page, kind, flags}, 0 }
#define MAP(space, handle, address, bytes, offset) MAP_AS(space, handle, address, bytes, offset, 0x1000, 0, 0)
#define UNMAP(space, address, bytes)                                                                                   \
    { 19, 5, {space, address, 0, bytes, 0}, 0 }
#define CHANIN(channel, space)                                                                                         \
    { 20, 4, {channel, space, 0, 0}, 0 }
#define WAIT(syncpoint)                                                                                                \
    { 21, 2, {syncpoint, 5}, 0 }
#define FENCE(syncpoint)                                                                                               \
    { 22, 2, {syncpoint, 7}, 0 }
#define SYNCPT(syncpoint, set)                                                                                         \
    { 23, 3, {syncpoint, set, 1}, 0 }
#define WRITE(handle, offset, bytes)                                                                                   \
    { 24, 3, {handle, offset, 0}, bytes }
#define RUN(units)                                                                                                     \
    { 25, 2, {units, 0}, 0 }

/* Space 1 from 0x10000 to 0x90000, with channel 3 in it, and buffer 9 of four pages at 0x20000. */
static const struct image_record session[] = {
    SPACE(1, 0x10000, 0x80000), CHANIN(3, 1), CHAN(3), BONEW(9, 0x3001), MAP(1, 9, 0x20000, 0x4000, 0),
};

static void begin_session(struct image *image) {
    image_begin_version(image, 2);
    for (size_t i = 0; i < COUNT_OF(session); i++)
        image_add(image, &session[i]);
}

static struct pfifo_stream *open_image(const struct image *image) {
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = pfifo_stream_open_memory(image->data, image->size, "x/two.nvcap", &error);

    if (!stream)
        fail_msg("%s", error.message);
    return stream;
}

/* After the session; the last record is the bad one. A record of type 0 and no words ends the list. */
struct malformed {
    const char *reason;
    struct image_record records[6];
};

static const struct malformed cases[] = {
    {"SPACE: number 0 is none", {SPACE(0, 0x1000, 0x1000)}},
    {"SPACE: there is a space 1 already", {SPACE(1, 0x1000, 0x1000)}},
    {"SPACE: big pages of 0x30000 bytes", {{15, 6, {2, 0x30000, 0x1000, 0, 0x1000, 0}, 0}}},
    {"SPACE: 0x1000 bytes from 0x0 on", {SPACE(2, 0, 0x1000)}},
    {"SPACE: 0x1000 bytes from 0x1800 on", {SPACE(2, 0x1800, 0x1000)}},
    {"SPACE: 0x0 bytes from 0x1000 on", {SPACE(2, 0x1000, 0)}},
    {"SPACE: 0x1001 bytes from 0x1000 on", {SPACE(2, 0x1000, 0x1001)}},
    {"SPACE: 0x2000000000000 bytes from 0x1000 on", {{15, 6, {2, 0, 0x1000, 0, 0, 0x20000}, 0}}},
    {"SPACEDEL: there is no space 2", {SPACEDEL(2)}},
    {"SPACEDEL: 1 channels are in it", {SPACEDEL(1)}},
    {"SPARSE: there is no space 2", {SPARSE(2, 1, 0x40000, 0x1000)}},
    {"SPARSE: neither sparse nor not, but 2", {SPARSE(1, 2, 0x40000, 0x1000)}},
    {"SPARSE: 0x0 bytes at 0x40000 are not pages", {SPARSE(1, 1, 0x40000, 0)}},
    {"SPARSE: 0x1000 bytes at 0xf000 are not pages of space 1", {SPARSE(1, 1, 0xf000, 0x1000)}},
    {"SPARSE: 0x2000 bytes at 0x8f000 are not pages of space 1", {SPARSE(1, 1, 0x8f000, 0x2000)}},
    {"SPARSE: 0x1000 bytes at 0x40800 are not pages of space 1", {SPARSE(1, 1, 0x40800, 0x1000)}},
    {"SPARSE: something is mapped in 0x2000 bytes at 0x1f000", {SPARSE(1, 1, 0x1f000, 0x2000)}},
    {"SPARSE: 0x2000 bytes at 0x41000 are partly sparse",
     {SPARSE(1, 1, 0x40000, 0x2000), SPARSE(1, 1, 0x41000, 0x2000)}},
    {"SPARSE: 0x1000 bytes at 0x40000 are not a sparse range",
     {SPARSE(1, 1, 0x40000, 0x2000), SPARSE(1, 0, 0x40000, 0x1000)}},
    {"SPARSE: 0x1000 bytes at 0x41000 are not a sparse range",
     {SPARSE(1, 1, 0x40000, 0x2000), SPARSE(1, 0, 0x41000, 0x1000)}},
    {"SPARSE: 0x1000 bytes at 0x40000 are not a sparse range", {SPARSE(1, 0, 0x40000, 0x1000)}},
    {"SPARSE: something is mapped in 0x2000 bytes at 0x40000",
     {SPARSE(1, 1, 0x40000, 0x2000), MAP(1, 9, 0x41000, 0x1000, 0), SPARSE(1, 0, 0x40000, 0x2000)}},
    {"MAP: there is no space 2", {MAP(2, 9, 0x30000, 0x1000, 0)}},
    {"MAP: there is no buffer 8", {MAP(1, 8, 0x30000, 0x1000, 0)}},
    {"MAP: 0x0 bytes at 0x30000 are not pages", {MAP(1, 9, 0x30000, 0, 0)}},
    {"MAP: 0x1000 bytes at 0x90000 are not pages of space 1", {MAP(1, 9, 0x90000, 0x1000, 0)}},
    {"MAP: 0x1000 bytes at 0x4000 of the buffer's 0x3001", {MAP(1, 9, 0x30000, 0x1000, 0x4000)}},
    {"MAP: 0x5000 bytes at 0x0 of the buffer's 0x3001", {MAP(1, 9, 0x30000, 0x5000, 0)}},
    {"MAP: 0x1000 bytes at 0x800 of the buffer's 0x3001", {MAP(1, 9, 0x30000, 0x1000, 0x800)}},
    {"MAP: 0x2000 bytes at 0x1f000 are over the mapping at 0x20000", {MAP(1, 9, 0x1f000, 0x2000, 0)}},
    {"MAP: 0x1000 bytes at 0x23000 are over the mapping at 0x20000", {MAP(1, 9, 0x23000, 0x1000, 0)}},
    {"MAP: 0x2000 bytes at 0x3f000 are partly sparse", {SPARSE(1, 1, 0x40000, 0x2000), MAP(1, 9, 0x3f000, 0x2000, 0)}},
    {"MAP: 0x2000 bytes at 0x41000 are partly sparse", {SPARSE(1, 1, 0x40000, 0x2000), MAP(1, 9, 0x41000, 0x2000, 0)}},
    {"MAP: 0x4000 bytes at 0x3f000 are partly sparse", {SPARSE(1, 1, 0x40000, 0x2000), MAP(1, 9, 0x3f000, 0x4000, 0)}},
    {"MAP: pages of 0x20000 bytes", {MAP_AS(1, 9, 0x40000, 0x1000, 0, 0x20000, 0, 0)}},
    {"MAP: address 0x31000 is not at a page of 0x10000", {MAP_AS(1, 9, 0x31000, 0x1000, 0, 0x10000, 0, 0)}},
    {"MAP: kind 0xff, flags 0x0", {MAP_AS(1, 9, 0x31000, 0x1000, 0, 0x1000, 0xff, 0)}},
    {"MAP: kind 0x0, flags 0x2", {MAP_AS(1, 9, 0x31000, 0x1000, 0, 0x1000, 0, 2)}},
    {"UNMAP: there is no space 2", {UNMAP(2, 0x20000, 0x1000)}},
    {"UNMAP: 0x0 bytes at 0x20000 are not pages", {UNMAP(1, 0x20000, 0)}},
    {"UNMAP: nothing is mapped at 0x24000", {UNMAP(1, 0x20000, 0x5000)}},
    {"UNMAP: nothing is mapped at 0x1f000", {UNMAP(1, 0x1f000, 0x2000)}},
    {"UNMAP: nothing is mapped at 0x21000", {UNMAP(1, 0x21000, 0x1000), UNMAP(1, 0x20000, 0x4000)}},
    {"CHANIN: there is a channel 3 already", {CHANIN(3, 1)}},
    {"CHANIN: there is no space 2", {CHANIN(4, 2)}},
    {"CHANIN: flags 0x2", {{20, 4, {4, 1, 0, 2}, 0}}},
    {"CHAN: not the CHAN of channel 4, whose CHANIN was before", {CHANIN(4, 1), CHAN(5)}},
    {"RUN: not the CHAN of channel 4, whose CHANIN was before", {CHANIN(4, 1), RUN(1)}},
    {"CHAN: there is a channel 3 already", {CHAN(3)}},
    {"CHANFREE: there is no channel 4", {CHANFREE(4)}},
    {"CHANFREE: there is no channel 3", {CHANFREE(3), CHANFREE(3)}},
    {"OBJ: there is no channel 4", {{3, 3, {4, 1, 1}, 0}}},
    {"NTFY: there is no channel 4", {{4, 4, {4, 1, 1, 1}, 0}}},
    {"SUBMIT: there is no channel 4", {SUBMIT(1, 4, 0)}},
    {"BONEW: buffer 0 of 0x1000 bytes", {BONEW(0, 0x1000)}},
    {"BONEW: buffer 8 of 0x0 bytes", {BONEW(8, 0)}},
    {"BONEW: there is a buffer 9 already", {BONEW(9, 0x1000)}},
    {"BODEL: there is no buffer 8", {BODEL(8)}},
    {"BODEL: buffer 9 is mapped", {BODEL(9)}},
    {"BODEL: buffer 9 is mapped", {UNMAP(1, 0x21000, 0x1000), UNMAP(1, 0x20000, 0x1000), BODEL(9)}},
    {"PREP: there is no buffer 8", {{12, 2, {8, 0}, 0}}},
    {"BOREF: there is no buffer 8", {{7, 8, {1, 3, 1, 0, 0, 0, 0, 0}, 0}, {8, 12, {8}, 0}}},
    {"BOREF: 0x1000 bytes of the buffer's 0x3001",
     {{7, 8, {1, 3, 1, 0, 0, 0, 0, 0}, 0}, {8, 12, {9, 0, 0, 0, 0, 0, 0x1000, 0, 0, 0, 0, 0}, 0}}},
    {"PUSH: there is no buffer 8", {SUBMIT(1, 3, 1), PUSH(8, 0, 0x20000)}},
    {"PUSH: 0x4 bytes at 0x3000 of the buffer's 0x3001", {SUBMIT(1, 3, 1), PUSH(9, 0x3000, 0x23000)}},
    {"PUSH: buffer 9 + 0x0 is not at address 0x20004", {SUBMIT(1, 3, 1), PUSH(9, 0, 0x20004)}},
    {"PUSH: buffer 9 + 0x0 is not at address 0x30000", {SUBMIT(1, 3, 1), PUSH(9, 0, 0x30000)}},
    {"PUSH: buffer 9 + 0x1000 is not at address 0x22000",
     {UNMAP(1, 0x20000, 0x1000), SUBMIT(1, 3, 1), PUSH(9, 0x1000, 0x22000)}},
    {"PUSH: buffer 9 + 0x1000 is not at address 0x21000",
     {UNMAP(1, 0x21000, 0x1000), SUBMIT(1, 3, 1), PUSH(9, 0x1000, 0x21000)}},
    {"PUSH: 1 word of no buffer", {SUBMIT(1, 3, 1), PUSH(0, 0, 0x20000)}},
    {"WAIT: outside a submission", {WAIT(1)}},
    {"WAIT: there is no syncpoint 4096", {SUBMIT(1, 3, 0), WAIT(4096)}},
    {"WAIT: too late in submission 1", {SUBMIT(1, 3, 1), PUSH(9, 0, 0x20000), WAIT(1)}},
    {"FENCE: outside a submission", {FENCE(1)}},
    {"FENCE: there is no syncpoint 4096", {SUBMIT(1, 3, 0), FENCE(4096)}},
    {"FENCE: too late in submission 1", {SUBMIT(1, 3, 0), FENCE(1), FENCE(1)}},
    {"PUSH: too late in submission 1", {SUBMIT(1, 3, 1), FENCE(1), PUSH(9, 0, 0x20000)}},
    {"BOREF: too late in submission 1", {{7, 8, {1, 3, 1, 0, 0, 0, 0, 0}, 0}, WAIT(1), {8, 12, {9}, 0}}},
    {"SYNCPT: there is no syncpoint 4096", {SYNCPT(4096, 0)}},
    {"SYNCPT: neither incremented nor set, but 2", {SYNCPT(1, 2)}},
    {"SYNCPT: inside submission 1", {SUBMIT(1, 3, 0), SYNCPT(1, 0)}},
    {"WRITE: there is no buffer 8", {WRITE(8, 0, 1)}},
    {"WRITE: 0x0 bytes at 0x0 of the buffer's 0x3001", {WRITE(9, 0, 0)}},
    {"WRITE: 0x2 bytes at 0x3000 of the buffer's 0x3001", {WRITE(9, 0x3000, 2)}},
    {"WRITE: 0x1 bytes at 0x3002 of the buffer's 0x3001", {WRITE(9, 0x3002, 1)}},
    {"WRITE: inside submission 1", {SUBMIT(1, 3, 0), WRITE(9, 0, 1)}},
    {"RUN: inside submission 1", {SUBMIT(1, 3, 0), RUN(1)}},
    {"MAP: inside submission 1", {SUBMIT(1, 3, 0), MAP(1, 9, 0x30000, 0x1000, 0)}},
};

static void what_a_record_refers_to_has_to_be_there(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct pfifo_error error = {0};
        struct image image;
        char expected[200];

        begin_session(&image);
        for (const struct image_record *record = cases[i].records; record->type != 0; record++)
            image_add(&image, record);
        struct pfifo_stream *stream = open_image(&image);
        assert_int_equal(read_all(stream, &error), -1);
        assert_int_equal(error.status, PFIFO_ERROR_FORMAT);
        snprintf(expected, sizeof(expected), "x/two.nvcap: offset %zu: %s", image.last, cases[i].reason);
        if (strncmp(error.message, expected, strlen(expected)) != 0)
            fail_msg("'%s' instead of '%s'", error.message, expected);
        pfifo_stream_close(stream);
    }
}

static const struct image_record taken_apart[] = {
    UNMAP(1, 0x20000, 0x1000), MAP(1, 9, 0x30000, 0x4000, 0), UNMAP(1, 0x31000, 0x1000), SUBMIT(1, 3, 3),
    PUSH(9, 0x1000, 0x21000),  PUSH(9, 0, 0x30000),           PUSH(9, 0x2000, 0x32000),  SUBEND(1),
};

static void what_is_left_of_a_mapping_has_its_part_of_the_buffer(void **state) {
    struct pfifo_error error = {0};
    struct image image;

    (void)state;
    begin_session(&image);
    for (size_t i = 0; i < COUNT_OF(taken_apart); i++)
        image_add(&image, &taken_apart[i]);
    struct pfifo_stream *stream = open_image(&image);
    if (read_all(stream, &error) < 0)
        fail_msg("%s", error.message);
    pfifo_stream_close(stream);
}

/* Near misses of the cases above: nothing is forbidden that a driver can do. */
static const struct image_record allowed[] = {
    SPACE(2, 0x1000, 0xf000),
    SPARSE(1, 1, 0x40000, 0x4000),
    SPARSE(1, 1, 0x44000, 0x1000),
    MAP(1, 9, 0x41000, 0x1000, 0x3000),
    MAP(1, 9, 0x40000, 0x1000, 0),
    MAP(1, 9, 0x42000, 0x2000, 0x1000),
    MAP(1, 9, 0x10000, 0x1000, 0x1000),
    MAP(1, 9, 0x8f000, 0x1000, 0x1000),
    MAP_AS(1, 9, 0x30000, 0x4000, 0, 0x10000, 0xfe, 1),
    MAP_AS(1, 9, 0x34000, 0x1000, 0, 0, 0, 0),
    MAP(2, 9, 0x2000, 0x1000, 0),
    SUBMIT(1, 3, 4),
    WAIT(0xfff),
    WAIT(2),
    PUSH(9, 0x2ffd, 0x22ffd),
    PUSH(9, 0x1000, 0x21000),
    PUSH(9, 0x1000, 0x10000),
    {10, 8, {9, 0, 0x1ffc, 0, 8, 0, 0x42ffc, 0}, 8},
    FENCE(0),
    SUBEND(1),
    UNMAP(1, 0x21000, 0x1000),
    MAP(1, 9, 0x21000, 0x1000, 0),
    UNMAP(1, 0x20000, 0x4000),
    UNMAP(1, 0x40000, 0x3000),
    UNMAP(1, 0x43000, 0x1000),
    SPARSE(1, 0, 0x40000, 0x4000),
    MAP(1, 9, 0x40000, 0x4000, 0),
    UNMAP(1, 0x41000, 0x2000),
    MAP(1, 9, 0x41000, 0x2000, 0x2000),
};

static void what_a_driver_can_do_is_read(void **state) {
    static const struct image_record rest[] = {
        CHANFREE(3),     SPACEDEL(1), UNMAP(2, 0x2000, 0x1000), BODEL(9),    BONEW(9, 1), WRITE(9, 0, 1), CHANIN(3, 2),
        {99, 0, {0}, 0}, CHAN(3),     SYNCPT(0xfff, 0),         CHANFREE(3), SPACEDEL(2), CHAN(3),
    };
    struct pfifo_error error = {0};
    struct image image;
    size_t count = COUNT_OF(session) + COUNT_OF(allowed) + COUNT_OF(rest);

    (void)state;
    begin_session(&image);
    for (size_t i = 0; i < COUNT_OF(allowed); i++)
        image_add(&image, &allowed[i]);
    for (size_t i = 0; i < COUNT_OF(rest); i++)
        image_add(&image, &rest[i]);
    struct pfifo_stream *stream = open_image(&image);
    if (read_all(stream, &error) != (int)count)
        fail_msg("%s", error.message);
    pfifo_stream_rewind(stream);
    assert_int_equal(read_all(stream, &error), (int)count);
    pfifo_stream_close(stream);
}

static void a_capture_does_not_end_behind_a_chanin(void **state) {
    static const struct image_record chanin = CHANIN(4, 1);
    struct pfifo_error error = {0};
    struct image image;

    (void)state;
    begin_session(&image);
    image_add(&image, &chanin);
    struct pfifo_stream *stream = open_image(&image);
    assert_int_equal(read_all(stream, &error), -1);
    assert_non_null(strstr(error.message, "end: the capture ends before the CHAN of channel 4"));
    pfifo_stream_close(stream);
}

/* What was refused has changed nothing: the same record may come right. */
static void a_refused_record_has_no_effect(void **state) {
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_SPACE,
                                         .space = {.space = 1, .first = 0x1000, .bytes = 0x10000}};
    (void)state;
    assert_int_equal(pfifo_stream_writer_version(writer, 2, NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_append(writer, &record, NULL), PFIFO_OK);
    record = (struct pfifo_stream_record){.type = PFIFO_STREAM_CHANIN, .chanin = {.channel = 1, .space = 2}};
    assert_int_equal(pfifo_stream_writer_append(writer, &record, NULL), PFIFO_ERROR_ARGUMENT);
    record = (struct pfifo_stream_record){.type = PFIFO_STREAM_RUN};
    assert_int_equal(pfifo_stream_writer_append(writer, &record, NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_finish(writer, NULL), PFIFO_OK);
    pfifo_stream_writer_close(writer);
}

/* Any number of small records: the limit of what is known at a time ends it, not the host's memory. */
static void what_is_known_at_a_time_is_bounded(void **state) {
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_ZSTD, NULL);
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_BONEW, .bonew = {.bytes = 1}};
    struct pfifo_error error = {0};

    (void)state;
    assert_int_equal(pfifo_stream_writer_version(writer, 2, NULL), PFIFO_OK);
    while (pfifo_stream_writer_append(writer, (record.bonew.handle++, &record), &error) == PFIFO_OK)
        assert_true(record.bonew.handle <= 1u << 20);
    assert_int_equal(record.bonew.handle, (1u << 20) + 1);
    assert_non_null(strstr(error.message, "more than 1048576 buffers, spaces, channels and mappings at a time"));
    record = (struct pfifo_stream_record){.type = PFIFO_STREAM_BODEL, .bodel = {1}};
    assert_int_equal(pfifo_stream_writer_append(writer, &record, NULL), PFIFO_OK);
    record = (struct pfifo_stream_record){.type = PFIFO_STREAM_BONEW, .bonew = {.handle = 1, .bytes = 1}};
    assert_int_equal(pfifo_stream_writer_append(writer, &record, NULL), PFIFO_OK);
    pfifo_stream_writer_close(writer);
}

/* Killed between a CHANIN and its CHAN: both are left out. */
static void a_recording_that_was_cut_off_ends_where_it_may(void **state) {
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_ZSTD, NULL);
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_SPACE,
                                         .space = {.space = 1, .first = 0x1000, .bytes = 0x10000}};
    size_t size;

    (void)state;
    assert_int_equal(pfifo_stream_writer_version(writer, 2, NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_append(writer, &record, NULL), PFIFO_OK);
    record = (struct pfifo_stream_record){.type = PFIFO_STREAM_CHANIN, .chanin = {.channel = 1, .space = 1}};
    assert_int_equal(pfifo_stream_writer_append(writer, &record, NULL), PFIFO_OK);
    assert_int_equal(pfifo_stream_writer_flush(writer, NULL), PFIFO_OK);
    const void *written = pfifo_stream_writer_memory(writer, &size);
    struct pfifo_stream *stream = pfifo_stream_open_memory(written, size, "cut", NULL);
    assert_non_null(stream);
    assert_true(pfifo_stream_truncated(stream));
    assert_int_equal(read_all(stream, NULL), 1);
    pfifo_stream_close(stream);
    pfifo_stream_writer_close(writer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_record_refers_to_has_to_be_there),
        cmocka_unit_test(what_is_left_of_a_mapping_has_its_part_of_the_buffer),
        cmocka_unit_test(what_a_driver_can_do_is_read),
        cmocka_unit_test(a_capture_does_not_end_behind_a_chanin),
        cmocka_unit_test(a_refused_record_has_no_effect),
        cmocka_unit_test(what_is_known_at_a_time_is_bounded),
        cmocka_unit_test(a_recording_that_was_cut_off_ends_where_it_may),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
