/* SPDX-License-Identifier: MIT */
/*
 * Recordings of valgrind-mmt on NVIDIA's own driver that are put together here: structures as envytools' demmt has them
 * (demmt/nvrm_ioctl.h, nvrm_create.h), numbers and offsets written out.
 */
#include "foreign/made_mmt.h"

enum {
    CLIENT = 0xc1d00001,
    DEVICE = 0xd0000001,
    SPACE = 0xd0000070,
    CHANNEL = 0xcaf00001,
    RING = 0xcaf00010,
    WORDS = 0xcaf00011,
    ENTRIES = 8,
    RING_ID = 21,
    WORDS_ID = 22,
    USER_ID = 23,
    GP_PUT = 0x8c,
    PUT = 0x40,
    RING_AT = 0x40000000,
    WORDS_AT = 0x50000000,
};

static void add_rm(struct made *made, unsigned number, const uint32_t *data, size_t words) {
    add_ioctl_of(made, 'i', 'F', number, data, words);
    add_ioctl_of(made, 'j', 'F', number, data, words);
}

static void add_create(struct made *made, uint32_t parent, uint32_t handle, uint32_t oclass, uint32_t status) {
    const uint32_t data[8] = {CLIENT, parent, handle, oclass, 0, 0, status};

    add_rm(made, 0x2b, data, 8);
}

/* Of a channel with its arguments: error notifier, DMA object, address (two words), entries (two words), two more. */
static void add_channel(struct made *made, uint32_t oclass, uint32_t address, uint32_t entries) {
    const uint32_t data[8] = {CLIENT, DEVICE, CHANNEL, oclass, 0x7000, 0, 0},
                   arguments[8] = {0, 0, address, 0, entries, 0, 0, 0};

    add_ioctl_of(made, 'i', 'F', 0x2b, data, 8);
    add_memory(made, 0x7000, arguments, 8);
    add_ioctl_of(made, 'j', 'F', 0x2b, data, 8);
    add_memory(made, 0x7000, arguments, 8);
}

/* MEMORY: what is in memory of the machine has 1 in bits 25 and 26 of the attributes. */
static void add_memory_object(struct made *made, uint32_t handle, uint32_t location) {
    uint32_t data[40] = {CLIENT, DEVICE, 2};

    data[11] = handle;
    data[14] = location << 25;
    add_rm(made, 0x4a, data, 40);
}

/* HOST_MAP of a page, and mmap() with the offset that it returns. */
static void add_host_map(struct made *made, uint32_t handle, uint32_t id, uint64_t base) {
    const uint32_t key = 0xf0000000 + id * 0x1000;
    const uint32_t data[12] = {CLIENT, DEVICE, handle, 0, (uint32_t)base, 0, 0xfff, 0, key, 0, 0, 0};

    add_rm(made, 0x4e, data, 12);
    add_map(made, id, key, 0x100000ull * id, 0x1000);
}

static void add_gpu_map(struct made *made, uint32_t handle, uint32_t base, uint32_t bytes, uint32_t address) {
    const uint32_t data[14] = {CLIENT, DEVICE, SPACE, handle, base, 0, bytes, 0, 0, 0, address, 0, 0, 0};

    add_rm(made, 0x57, data, 14);
}

static void add_chipset(struct made *made, uint32_t architecture, uint32_t implementation) {
    const uint32_t data[8] = {CLIENT, DEVICE, 0x20801701, 0, 0x7100, 0, 16, 0},
                   arguments[4] = {architecture, implementation, 0xa1, 0};

    add_ioctl_of(made, 'i', 'F', 0x2a, data, 8);
    add_ioctl_of(made, 'j', 'F', 0x2a, data, 8);
    add_memory(made, 0x7100, arguments, 4);
}

/* A chip, and memory for a ring and for words, which the GPU and the program have mapped. */
static void add_memories(struct made *made, uint32_t architecture, uint32_t implementation) {
    begin(made);
    add_create(made, CLIENT, DEVICE, 0x80, 0);
    add_chipset(made, architecture, implementation);
    add_memory_object(made, RING, 1);
    add_memory_object(made, WORDS, 0);
    add_gpu_map(made, RING, 0, 0x1000, RING_AT);
    add_gpu_map(made, WORDS, 0, 0x1000, WORDS_AT);
    add_host_map(made, RING, RING_ID, 0);
    add_host_map(made, WORDS, WORDS_ID, 0);
}

static void add_gf100(struct made *made) {
    add_memories(made, 0xc0, 0);
    add_channel(made, 0x906f, RING_AT, ENTRIES);
    add_create(made, CHANNEL, 0x9097, 0x9097, 0);
}

static void add_entry(struct made *made, uint32_t number, uint32_t offset, uint32_t words, uint32_t flags) {
    add_write(made, RING_ID, 8 * number, WORDS_AT + offset);
    add_write(made, RING_ID, 8 * number + 4, words << 10 | flags);
}

static void expect_push(struct pfifo_stream *stream, uint64_t address, uint32_t first, uint32_t count) {
    struct pfifo_stream_record record = next(stream, PFIFO_STREAM_PUSH);

    assert_int_equal(record.push.address, address);
    assert_int_equal(record.push.word_count, count);
    assert_int_equal(pfifo_stream_word(&record.push, 0), first);
}

static void expect_end(struct pfifo_stream *stream) {
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};

    while (record.type != PFIFO_STREAM_END) {
        assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
        assert_int_not_equal(record.type, PFIFO_STREAM_PUSH);
    }
    pfifo_stream_close(stream);
}

/* ---- objects ---- */

static void objects_of_the_resource_manager_become_records(void **state) {
    static const uint32_t destroy[4] = {CLIENT, DEVICE, CHANNEL, 0},
                          unmap[10] = {CLIENT, DEVICE, SPACE, WORDS, 0, 0, WORDS_AT};
    static struct made made;
    struct pfifo_stream_record record;
    (void)state;
    add_gf100(&made);
    add_rm(&made, 0x58, unmap, 10);
    add_rm(&made, 0x29, destroy, 4);
    struct pfifo_stream *stream = read_made(&made);
    assert_int_equal(pfifo_stream_chipset(stream), 0xc0);
    record = next(stream, PFIFO_STREAM_BONEW);
    assert_int_equal(record.bonew.address, RING_AT);
    assert_int_equal(record.bonew.domain, PFIFO_STREAM_GART);
    record = next(stream, PFIFO_STREAM_BONEW);
    assert_int_equal(record.bonew.address, WORDS_AT);
    assert_int_equal(record.bonew.bytes, 0x1000);
    assert_int_equal(record.bonew.domain, PFIFO_STREAM_VRAM);
    record = next(stream, PFIFO_STREAM_CHAN);
    record = next(stream, PFIFO_STREAM_OBJ);
    assert_int_equal(record.obj.oclass, 0x9097);
    record = next(stream, PFIFO_STREAM_BODEL);
    assert_int_equal(record.bodel.handle, 2);
    record = next(stream, PFIFO_STREAM_CHANFREE);
    assert_int_equal(record.chanfree.channel, 0);
    expect_end(stream);
}

static void what_the_driver_refuses_is_not_there(void **state) {
    static struct made made;
    (void)state;
    add_gf100(&made);
    add_create(&made, CHANNEL, 0x902d, 0x902d, 26);
    add_create(&made, CHANNEL, 0x90b5, 0x90b5, 0);
    struct pfifo_stream *stream = read_made(&made);
    assert_int_equal(next(stream, PFIFO_STREAM_OBJ).obj.oclass, 0x9097);
    assert_int_equal(next(stream, PFIFO_STREAM_OBJ).obj.oclass, 0x90b5);
    expect_end(stream);
}

/* CREATE of newer drivers has 48 bytes; MEMORY of 184 has its status in the sixth word. */
static void structures_of_other_versions_are_noted_or_known(void **state) {
    static const uint32_t create[12] = {CLIENT, CHANNEL, 0x902d, 0x902d};
    uint32_t memory[46] = {CLIENT, DEVICE, 2, 0, 3, 0};
    static struct made made;
    (void)state;
    add_gf100(&made);
    add_rm(&made, 0x2b, create, 12);
    memory[11] = 0x77;
    memory[14] = 1 << 25;
    add_rm(&made, 0x4a, memory, 46);
    add_gpu_map(&made, 0x77, 0, 0x1000, 0x60000000);
    memory[11] = 0x78;
    memory[5] = 1; /* refused */
    add_rm(&made, 0x4a, memory, 46);
    add_gpu_map(&made, 0x78, 0, 0x1000, 0x70000000);
    struct pfifo_stream *stream = read_made(&made);
    assert_true(has_note(stream, "the structure of an ioctl is that of another version"));
    pfifo_stream_rewind(stream);
    next(stream, PFIFO_STREAM_OBJ);
    assert_int_equal(next(stream, PFIFO_STREAM_BONEW).bonew.domain, PFIFO_STREAM_GART);
    assert_int_equal(next(stream, PFIFO_STREAM_BONEW).bonew.domain, PFIFO_STREAM_VRAM); /* nothing is known of it */
    expect_end(stream);
}

static void what_is_in_an_object_goes_with_it(void **state) {
    static const uint32_t destroy[4] = {CLIENT, CLIENT, DEVICE, 0};
    static struct made made;
    (void)state;
    add_gf100(&made);
    add_rm(&made, 0x29, destroy, 4);
    add_write(&made, WORDS_ID, 0, 1);
    add_entry(&made, 0, 0, 1, 0);
    struct pfifo_stream *stream = read_made(&made);
    next(stream, PFIFO_STREAM_CHANFREE);
    pfifo_stream_rewind(stream);
    next(stream, PFIFO_STREAM_BODEL);
    next(stream, PFIFO_STREAM_BODEL);
    expect_end(stream);
}

/* The sixth word of older structures, the status, is the size of the arguments in later ones. */
static void a_create_with_a_size_is_noted(void **state) {
    static const uint32_t sized[8] = {CLIENT, CHANNEL, 0x902d, 0x902d, 0x7000, 0, 16, 0};
    static struct made made;
    (void)state;
    add_gf100(&made);
    add_create(&made, CHANNEL, 0x90b5, 0x90b5, 26); /* no arguments: it was refused */
    struct pfifo_stream *stream = read_made(&made);
    assert_false(has_note(stream, "are not here"));
    pfifo_stream_close(stream);
    add_rm(&made, 0x2b, sized, 8);
    stream = read_made(&made);
    assert_true(has_note(stream, "or its structure is that of a later driver"));
    pfifo_stream_close(stream);
}

/* ---- rings ---- */

static void a_user_area_stays_when_another_name_of_it_goes(void **state) {
    static const uint32_t duplicate[7] = {CLIENT, CHANNEL, 0x99, CLIENT, CHANNEL, 0, 0},
                          destroy[4] = {CLIENT, CHANNEL, 0x99};
    static struct made made;
    (void)state;
    add_gf100(&made);
    add_host_map(&made, CHANNEL, USER_ID, 0);
    add_rm(&made, 0x34, duplicate, 7);
    add_rm(&made, 0x29, destroy, 4);
    add_write(&made, WORDS_ID, 0x10, 0x11);
    add_entry(&made, 0, 0x10, 2, 0);
    add_write(&made, USER_ID, GP_PUT, 1);
    struct pfifo_stream *stream = read_made(&made);
    expect_push(stream, WORDS_AT + 0x10, 0x11, 2);
    expect_end(stream);
}

static void a_ring_is_followed_by_its_gp_put(void **state) {
    static struct made made;
    struct pfifo_stream_record record;
    (void)state;
    add_gf100(&made);
    add_host_map(&made, CHANNEL, USER_ID, 0);
    add_write(&made, WORDS_ID, 0x10, 0x11);
    add_write(&made, WORDS_ID, 0x20, 0x22);
    add_entry(&made, 0, 0x10, 2, 0);
    add_entry(&made, 1, 0x20, 3, 1u << 31);
    add_write(&made, USER_ID, GP_PUT, 2);
    for (uint32_t i = 2; i < ENTRIES; i++)
        add_entry(&made, i, 0x30, 0, 0); /* no words */
    add_write(&made, USER_ID, GP_PUT, ENTRIES - 1);
    add_entry(&made, 0, 0x40, 1, 0);
    add_write(&made, WORDS_ID, 0x40, 0x44);
    add_write(&made, USER_ID, GP_PUT, 1);
    struct pfifo_stream *stream = read_made(&made);
    record = next(stream, PFIFO_STREAM_SUBMIT);
    assert_int_equal(record.submit.pushes, 2);
    assert_int_equal(record.submit.buffers, 2);
    expect_push(stream, WORDS_AT + 0x10, 0x11, 2);
    record = next(stream, PFIFO_STREAM_PUSH);
    assert_int_equal(record.push.address, WORDS_AT + 0x20);
    assert_true(record.push.no_prefetch);
    record = next(stream, PFIFO_STREAM_SUBMIT);
    assert_int_equal(record.submit.pushes, 1);
    expect_push(stream, WORDS_AT + 0x40, 0x44, 1);
    expect_end(stream);
}

/* As demmt reads them. */
static void an_entry_is_queued_when_it_is_written_if_no_user_area_is_mapped(void **state) {
    static struct made made;
    (void)state;
    add_gf100(&made);
    add_write(&made, WORDS_ID, 0, 1);
    add_entry(&made, 0, 0, 1, 0);
    add_write(&made, WORDS_ID, 0, 2); /* of the same words, later */
    add_entry(&made, 1, 0, 1, 0);
    add_host_map(&made, CHANNEL, USER_ID, 0); /* GP_PUT counts from here on, after the second */
    add_entry(&made, 2, 0, 1, 0);
    add_write(&made, WORDS_ID, 0, 3);
    add_write(&made, USER_ID, GP_PUT, 3);
    struct pfifo_stream *stream = read_made(&made);
    for (uint32_t i = 1; i <= 3; i++)
        expect_push(stream, WORDS_AT, i, 1);
    expect_end(stream);
}

static void a_ring_that_the_log_does_not_tell_is_found_by_its_first_entry(void **state) {
    static struct made made;
    (void)state;
    add_memories(&made, 0x130, 4);
    add_create(&made, DEVICE, CHANNEL, 0xc06f, 0);
    add_write(&made, WORDS_ID, 0, 7);
    add_write(&made, RING_ID, 0x100, WORDS_AT + 4); /* no beginning of anything */
    add_write(&made, RING_ID, 0x104, 1 << 10);
    add_write(&made, RING_ID, 0x200, WORDS_AT);
    add_write(&made, RING_ID, 0x204, 2 << 10);
    add_write(&made, RING_ID, 0x208, WORDS_AT);
    add_write(&made, RING_ID, 0x20c, 1 << 10);
    struct pfifo_stream *stream = read_made(&made);
    assert_int_equal(pfifo_stream_chipset(stream), 0x134);
    expect_push(stream, WORDS_AT, 7, 2);
    expect_push(stream, WORDS_AT, 7, 1);
    expect_end(stream);
}

static void entries_that_point_nowhere_are_noted(void **state) {
    static struct made made;
    (void)state;
    add_gf100(&made);
    add_entry(&made, 0, 0xffc, 2, 0); /* the second word is outside of what is mapped */
    add_entry(&made, 1, 0x1000, 1, 0);
    struct pfifo_stream *stream = read_made(&made);
    assert_true(has_note(stream, "2 calls and submissions are not here; the first is at offset"));
    assert_true(has_note(stream, "words are queued that are not mapped"));
    pfifo_stream_rewind(stream);
    expect_end(stream);
}

/* ---- pushbuffers without rings ---- */

static void words_of_nv40_are_those_up_to_put(void **state) {
    static struct made made;
    struct pfifo_stream_record record;
    (void)state;
    add_memories(&made, 0x40, 0xb);
    add_channel(&made, 0x406e, 0, 0);
    add_host_map(&made, CHANNEL, USER_ID, 0);
    add_write(&made, WORDS_ID, 0, 0x00040100);
    add_write(&made, WORDS_ID, 4, 5);
    add_write(&made, USER_ID, PUT, WORDS_AT + 8);
    add_write(&made, WORDS_ID, 8, 0x00040104);
    add_write(&made, USER_ID, PUT, WORDS_AT + 12);
    struct pfifo_stream *stream = read_made(&made);
    record = next(stream, PFIFO_STREAM_PUSH);
    assert_int_equal(record.push.address, WORDS_AT);
    assert_int_equal(record.push.word_count, 2);
    assert_true(record.push.length & PFIFO_STREAM_PUSH_RING);
    expect_push(stream, WORDS_AT + 8, 0x00040104, 1);
    assert_true(has_note(stream, "DMA objects of NVIDIA's driver are not here"));
    pfifo_stream_close(stream);
}

static void a_put_that_goes_back_takes_the_words_up_to_the_jump(void **state) {
    static struct made made;
    (void)state;
    add_memories(&made, 0x40, 0xb);
    add_channel(&made, 0x406e, 0, 0);
    add_host_map(&made, CHANNEL, USER_ID, 0);
    add_write(&made, WORDS_ID, 0, 0x00040100);
    add_write(&made, USER_ID, PUT, WORDS_AT + 0x800);
    add_write(&made, WORDS_ID, 0x800, 0x00040104);
    add_write(&made, WORDS_ID, 0x804, 1 | WORDS_AT);          /* data that looks like a jump */
    add_write(&made, WORDS_ID, 0x808, 1 | (WORDS_AT + 0x20)); /* a jump */
    add_write(&made, WORDS_ID, 0x20, 0x00040108);
    add_write(&made, USER_ID, PUT, WORDS_AT + 0x28);
    add_write(&made, USER_ID, PUT, WORDS_AT + 0x10); /* back, and no jump */
    struct pfifo_stream *stream = read_made(&made);
    expect_push(stream, WORDS_AT, 0x00040100, 0x200);
    expect_push(stream, WORDS_AT + 0x800, 0x00040104, 2);
    expect_push(stream, WORDS_AT + 0x20, 0x00040108, 2);
    assert_true(has_note(stream, "PUT goes back, and no jump does"));
    pfifo_stream_close(stream);
}

/* ---- memory ---- */

static void memory_that_the_gpu_gets_late_has_what_was_written_before(void **state) {
    static struct made made;
    struct pfifo_stream_record record;
    (void)state;
    add_gf100(&made);
    add_memory_object(&made, 0x77, 0);
    add_host_map(&made, 0x77, 40, 0x2000);
    add_write(&made, 40, 8, 0x1234);
    add_write(&made, WORDS_ID, 0, 1);
    add_entry(&made, 0, 0, 1, 0);
    add_gpu_map(&made, 0x77, 0x1000, 0x2000, 0x60000000);
    add_entry(&made, 1, 0, 1, 0);
    struct pfifo_stream *stream = read_made(&made);
    next(stream, PFIFO_STREAM_SUBEND);
    do
        record = next(stream, PFIFO_STREAM_BOREF);
    while (record.boref.address != 0x60000000);
    record = next(stream, PFIFO_STREAM_BODATA);
    assert_int_equal(record.bodata.offset, 0x1000);
    assert_int_equal(load_le32(record.bodata.data + 8), 0x1234);
    pfifo_stream_close(stream);
}

/* Newer versions of the driver: the structure has 56 bytes, and the mapping is that of a descriptor. */
static void memory_may_be_mapped_by_a_descriptor(void **state) {
    static const uint32_t map[14] = {CLIENT, DEVICE, WORDS, 0, 0, 0, 0x1000, 0, 0x1234, 0, 0, 0, 33};
    static struct made made;
    (void)state;
    add_gf100(&made);
    add_rm(&made, 0x4e, map, 14);
    add_byte(&made, 'M');
    add_u64(&made, 0);
    add_u32(&made, 3);
    add_u32(&made, 1);
    add_u32(&made, 33);
    add_u32(&made, 50);
    add_u64(&made, 0x9000000);
    add_u64(&made, 0x1000);
    add_byte(&made, '\n');
    add_write_at(&made, 0x9000010, 0xabc);
    add_entry(&made, 0, 0x10, 1, 0);
    struct pfifo_stream *stream = read_made(&made);
    expect_push(stream, WORDS_AT + 0x10, 0xabc, 1);
    expect_end(stream);
}

/* Of a duplicate (DUP_OBJECT), what is written is the same memory's. */
static void memory_may_have_two_names(void **state) {
    static const uint32_t duplicate[7] = {CLIENT, DEVICE, 0x99, CLIENT, WORDS, 0, 0},
                          destroy[4] = {CLIENT, DEVICE, 0x99};
    static struct made made;
    (void)state;
    add_gf100(&made);
    add_rm(&made, 0x34, duplicate, 7);
    add_host_map(&made, 0x99, 50, 0);
    add_write(&made, 50, 0, 0x55);
    add_rm(&made, 0x29, destroy, 4);
    add_entry(&made, 0, 0, 1, 0);
    struct pfifo_stream *stream = read_made(&made);
    expect_push(stream, WORDS_AT, 0x55, 1);
    expect_end(stream);
}

static void messages_of_older_forms_are_read_and_passed_over(void **state) {
    static const uint8_t create[] = {'n', 'c', 1, 0, 0, 0, 2, 0, 0, 0, 0x80, 0, 0, 0, 1, 0, 0, 0, 'x', '\n'};
    static struct made made;
    (void)state;
    add_gf100(&made);
    add(&made, create, sizeof create);
    add(&made, "nk\3\0\0\0VG-\n", 10);
    add(&made, "nm", 2);
    add_u64(&made, 0xf0000000 + WORDS_ID * 0x1000);
    add_u32(&made, 60);
    add_u64(&made, 0x8000000);
    add_u64(&made, 0x1000);
    add_u64(&made, 1);
    add_u64(&made, 2);
    add_byte(&made, '\n');
    add_write(&made, 60, 0, 0x66);
    add_entry(&made, 0, 0, 1, 0);
    struct pfifo_stream *stream = read_made(&made);
    expect_push(stream, WORDS_AT, 0x66, 1);
    expect_end(stream);
}

/* ---- hostile ones ---- */

/* Each of these few bytes asks for a whole ring. */
static void a_ring_that_goes_round_and_round_is_refused(void **state) {
    static struct made made;
    (void)state;
    add_memories(&made, 0xc0, 0);
    add_channel(&made, 0x906f, RING_AT, 1 << 16);
    add_host_map(&made, CHANNEL, USER_ID, 0);
    for (int i = 0; i < 260; i++)
        add_write(&made, USER_ID, GP_PUT, i % 2 ? 0 : 0xffff), add_write(&made, USER_ID, GP_PUT, 0xfffe);
    expect_refused(&made, PFIFO_ERROR_UNSUPPORTED, "its rings and mappings are read again and again");
}

/* The limit is reached while one of several names of a memory goes: what the others have of it is freed, too. */
static void places_are_freed_where_the_limit_is_reached(void **state) {
    static const uint32_t duplicate[7] = {CLIENT, DEVICE, 0x99, CLIENT, WORDS, 0, 0},
                          destroy[4] = {CLIENT, CLIENT, DEVICE};
    static struct made made;
    (void)state;
    add_memories(&made, 0xc0, 0);
    add_channel(&made, 0x906f, RING_AT, 1 << 16);
    add_host_map(&made, CHANNEL, USER_ID, 0);
    for (uint32_t i = 1; i <= 256; i++)
        add_write(&made, USER_ID, GP_PUT, 0x10000 - i);
    add_rm(&made, 0x34, duplicate, 7);
    add_gpu_map(&made, 0x99, 0, 0x1000, 0x60000000);
    for (uint32_t i = 0; i < 300; i++)
        add_gpu_map(&made, WORDS, 0, 0x1000, 0x70000000 + 0x1000 * i);
    add_rm(&made, 0x29, destroy, 4);
    expect_refused(&made, PFIFO_ERROR_UNSUPPORTED, "its rings and mappings are read again and again");
}

static void a_tree_of_objects_of_any_depth_is_freed(void **state) {
    static const uint32_t destroy[4] = {CLIENT, CLIENT, 1};
    static struct made made;
    (void)state;
    begin(&made);
    for (uint32_t i = 1; i < 2000; i++) {
        const uint32_t data[5] = {CLIENT, i - 1, i, 0x80, 0};
        add_ioctl_of(&made, 'j', 'F', 0x28, data, 5);
    }
    add_rm(&made, 0x29, destroy, 4);
    add_create(&made, CLIENT, CHANNEL, 0x906f, 0);
    struct pfifo_stream *stream = read_made(&made);
    next(stream, PFIFO_STREAM_CHAN);
    expect_end(stream);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(objects_of_the_resource_manager_become_records),
        cmocka_unit_test(what_the_driver_refuses_is_not_there),
        cmocka_unit_test(structures_of_other_versions_are_noted_or_known),
        cmocka_unit_test(what_is_in_an_object_goes_with_it),
        cmocka_unit_test(a_create_with_a_size_is_noted),
        cmocka_unit_test(a_user_area_stays_when_another_name_of_it_goes),
        cmocka_unit_test(a_ring_is_followed_by_its_gp_put),
        cmocka_unit_test(an_entry_is_queued_when_it_is_written_if_no_user_area_is_mapped),
        cmocka_unit_test(a_ring_that_the_log_does_not_tell_is_found_by_its_first_entry),
        cmocka_unit_test(entries_that_point_nowhere_are_noted),
        cmocka_unit_test(words_of_nv40_are_those_up_to_put),
        cmocka_unit_test(a_put_that_goes_back_takes_the_words_up_to_the_jump),
        cmocka_unit_test(memory_that_the_gpu_gets_late_has_what_was_written_before),
        cmocka_unit_test(memory_may_be_mapped_by_a_descriptor),
        cmocka_unit_test(memory_may_have_two_names),
        cmocka_unit_test(messages_of_older_forms_are_read_and_passed_over),
        cmocka_unit_test(a_ring_that_goes_round_and_round_is_refused),
        cmocka_unit_test(places_are_freed_where_the_limit_is_reached),
        cmocka_unit_test(a_tree_of_objects_of_any_depth_is_freed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
