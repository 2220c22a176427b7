/* SPDX-License-Identifier: MIT */
/* Copy engines: LAUNCH_DMA of each class. */
#include "check.h"

#define FROM 0x4000u
#define TO   0x8000u
#define DONE 0x1000u /* semaphore */

#define NON_PIPELINED 0x2u
#define ONE_WORD      0x8u
#define FROM_LINEAR   0x80u
#define TO_LINEAR     0x100u
#define LINEAR        (FROM_LINEAR | TO_LINEAR)
#define MULTI_LINE    0x200u
#define REMAP         0x400u
#define COPY          (NON_PIPELINED | ONE_WORD)

static unsigned start_copy(struct engine_rig *rig, const char *chip, uint32_t object_class) {
    unsigned id = start(rig, chip, CHIP_UNIT_PCOPY0, object_class);
    for (uint32_t i = 0; i < 0x2000; i += 4)
        engine_rig_wr32(rig, FROM + i, 0x01000000 + i);
    send(rig, id, 0, 0x240, 0, DONE, 42);
    send(rig, id, 0, 0x400, 0, FROM, 0, TO, 64, 64, 16, 1);
    return id;
}

static void launch(struct engine_rig *rig, unsigned id, uint32_t data) {
    send(rig, id, 0, 0x300, data);
}

/* ---- plain copies ---- */

static void without_multi_line_there_is_one_line(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_copy(&rig, "GM107", 0xb0b5);
    send(&rig, id, 0, 0x410, 1, 1, 16, 0xffffffff); /* pitches and count do not matter */
    launch(&rig, id, COPY | LINEAR);
    assert_int_equal(engine_rig_rd32(&rig, TO + 12), 0x0100000c);
    assert_int_equal(engine_rig_rd32(&rig, TO + 16), 0);
    assert_int_equal(engine_rig_rd32(&rig, DONE), 42);
    assert_event(&rig, EVENT_ENGINE_DONE, 0, "copy", 0xb0b5, 0x300);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 0)->value[3], 16);
    engine_rig_stop(&rig);
}

static void a_negative_pitch_turns_a_picture_over(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_copy(&rig, "GM107", 0xb0b5);
    send(&rig, id, 0, 0x404, FROM + 3 * 64);
    send(&rig, id, 0, 0x410, (uint32_t)-64, 16, 16, 4);
    launch(&rig, id, COPY | LINEAR | MULTI_LINE);
    for (uint32_t line = 0; line < 4; line++)
        assert_int_equal(engine_rig_rd32(&rig, TO + 16 * line), 0x01000000 + 64 * (3 - line));
    engine_rig_stop(&rig);
}

/* Layouts of nouveau's buffer moves (0x386), and of NVIDIA's blocks: gobs of 8 lines with sectors, of 4 with lines. */
static void the_kernels_buffer_moves(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t object_class;
    } cases[] = {{"GK104", 0xa0b5}, {"GM107", 0xb0b5}, {"GP100", 0xc0b5}, {"GP102", 0xc1b5}};
    struct engine_rig rig;
    for (unsigned i = 0; i < 4; i++) {
        unsigned id = start_copy(&rig, cases[i].chip, cases[i].object_class);
        send(&rig, id, 0, 0x400, 0, FROM, 0, TO, 4096, 4096, 4096, 2);
        launch(&rig, id, 0x386);
        for (uint32_t at = 0; at < 0x2000; at += 4)
            assert_int_equal(engine_rig_rd32(&rig, TO + at), 0x01000000 + at);
        assert_int_equal(engine_rig_rd32(&rig, DONE), 0);
        engine_rig_stop(&rig);
    }
    static const struct {
        const char *chip;
        uint32_t object_class;
    } firmware[] = {{"GF100", 0x90b5}, {"GF100", 0x90b8}};
    for (unsigned i = 0; i < 2; i++) {
        unsigned id = start_copy(&rig, firmware[i].chip, firmware[i].object_class);
        send(&rig, id, 0, 0x30c, 0, FROM, 0, TO, 4096, 4096, 4096, 2);
        launch(&rig, id, 0x110);
        for (uint32_t at = 0; at < 0x2000; at += 4)
            assert_int_equal(engine_rig_rd32(&rig, TO + at), 0x01000000 + at);
        engine_rig_stop(&rig);
    }
    unsigned id = start(&rig, "GT215", CHIP_UNIT_PCOPY0, 0x85b5);
    engine_rig_wr32(&rig, 0x11000, 7);
    send(&rig, id, 0, 0x180, 3, 1, 2);
    send(&rig, id, 0, 0x30c, 0, 0x1000, 0, 0x2000, 4096, 4096, 4096, 2);
    launch(&rig, id, 0x110);
    assert_int_equal(engine_rig_rd32(&rig, 0x22000), 7);
    engine_rig_stop(&rig);
}

static void block_sizes_say_how_high_a_gob_is(void **state) {
    (void)state;
    static const struct {
        uint32_t block, line_1, byte_16; /* where they are */
    } cases[] = {{0x1000, 16, 32}, {0x0000, 64, 16}, {0x100e, 16, 128}, {0x000e, 16, 64}};
    struct engine_rig rig;
    for (unsigned i = 0; i < 4; i++) {
        unsigned id = start_copy(&rig, "GM107", 0xb0b5);
        send(&rig, id, 0, 0x70c, cases[i].block, 64, 8, 1, 0, 0);
        send(&rig, id, 0, 0x410, 64, 0, 32, 2);
        launch(&rig, id, COPY | FROM_LINEAR | MULTI_LINE);
        assert_int_equal(engine_rig_rd32(&rig, TO), 0x01000000);
        assert_int_equal(engine_rig_rd32(&rig, TO + cases[i].line_1), 0x01000040);
        assert_int_equal(engine_rig_rd32(&rig, TO + cases[i].byte_16), 0x01000010);
        engine_rig_stop(&rig);
    }
    unsigned id = start_copy(&rig, "GP102", 0xc1b5); /* which has no other gobs */
    send(&rig, id, 0, 0x70c, 0, 64, 8, 1, 0, 0);
    launch(&rig, id, COPY | FROM_LINEAR | MULTI_LINE);
    send(&rig, id, 0, 0x418, 32, 2);
    launch(&rig, id, COPY | FROM_LINEAR | MULTI_LINE);
    assert_int_equal(engine_rig_rd32(&rig, TO + 16), 0x01000040);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
    send(&rig, id, 0, 0x70c, 0x100e); /* nor a quarter of one */
    launch(&rig, id, COPY | FROM_LINEAR | MULTI_LINE);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 1);
    engine_rig_stop(&rig);
}

static void the_origin_that_was_written_last_counts(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_copy(&rig, "GP102", 0xc1b5);
    send(&rig, id, 0, 0x728, 0, 0x20000, 16, 1, 0, 0x30008); /* x 8, y 3 */
    send(&rig, id, 0, 0x418, 4, 1);
    launch(&rig, id, COPY | TO_LINEAR | MULTI_LINE);
    assert_int_equal(engine_rig_rd32(&rig, TO), 0x01000000 + 64 + 16 + 8);
    send(&rig, id, 0, 0x744, 4); /* x 4, y stays 3 */
    launch(&rig, id, COPY | TO_LINEAR | MULTI_LINE);
    assert_int_equal(engine_rig_rd32(&rig, TO), 0x01000000 + 64 + 16 + 4);
    send(&rig, id, 0, 0x744, 64, 1); /* beyond the first gob */
    launch(&rig, id, COPY | TO_LINEAR | MULTI_LINE);
    assert_int_equal(engine_rig_rd32(&rig, TO), 0x01000000 + 512 + 16);
    send(&rig, id, 0, 0x73c, 0);
    launch(&rig, id, COPY | TO_LINEAR | MULTI_LINE);
    assert_int_equal(engine_rig_rd32(&rig, TO), 0x01000000);
    send(&rig, id, 0, 0x70c, 0, 64, 8, 1, 0, 0x10004);
    send(&rig, id, 0, 0x74c, 8, 2);
    launch(&rig, id, COPY | MULTI_LINE);
    assert_int_equal(engine_rig_rd32(&rig, TO + 64 + 8), 0x01000000);
    engine_rig_stop(&rig);
    id = start_copy(&rig, "GP100", 0xc0b5); /* one that has the pair only */
    send(&rig, id, 0, 0x728, 0x1000, 64, 16, 1, 0, 0x30008);
    send(&rig, id, 0, 0x744, 0, 0);
    send(&rig, id, 0, 0x418, 4, 1);
    launch(&rig, id, COPY | TO_LINEAR | MULTI_LINE);
    assert_int_equal(engine_rig_rd32(&rig, TO), 0x01000000 + 64 + 16 + 8);
    engine_rig_stop(&rig);
}

/* ---- remaps ---- */

static void a_constant_fills(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_copy(&rig, "GM107", 0xb0b5);
    send(&rig, id, 0, 0x400, 0xff, 0xffffffff); /* nobody looks at the source */
    send(&rig, id, 0, 0x410, 0, 64, 3, 2);
    send(&rig, id, 0, 0x700, 0x11223344, 0xaabbccdd, 0x30004);
    launch(&rig, id, COPY | LINEAR | MULTI_LINE | REMAP);
    assert_int_equal(rig.faults, 0);
    assert_int_equal(engine_rig_rd64(&rig, TO), UINT64_C(0x1122334411223344));
    assert_int_equal(engine_rig_rd64(&rig, TO + 8), 0x11223344);
    assert_int_equal(engine_rig_rd32(&rig, TO + 64), 0x11223344);
    send(&rig, id, 0, 0x708, 0x1010054); /* two components of two bytes: A, B */
    launch(&rig, id, COPY | LINEAR | REMAP);
    assert_int_equal(engine_rig_rd64(&rig, TO), UINT64_C(0xccdd3344ccdd3344));
    engine_rig_stop(&rig);
}

static void components_are_exchanged_left_out_and_added(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_copy(&rig, "GM107", 0xb0b5);
    send(&rig, id, 0, 0x418, 2);
    send(&rig, id, 0, 0x700, 0xee, 0);
    engine_rig_wr32(&rig, FROM, 0x04030201);
    engine_rig_wr32(&rig, FROM + 4, 0x08070605);
    send(&rig, id, 0, 0x708, 0x3303012); /* B G R A to R G B A */
    launch(&rig, id, COPY | LINEAR | REMAP);
    assert_int_equal(engine_rig_rd64(&rig, TO), UINT64_C(0x0805060704010203));
    send(&rig, id, 0, 0x708, 0x3204210); /* three components to four */
    launch(&rig, id, COPY | LINEAR | REMAP);
    assert_int_equal(engine_rig_rd64(&rig, TO), UINT64_C(0xee060504ee030201));
    send(&rig, id, 0, 0x708, 0x3306066); /* only the third is written, from the first */
    launch(&rig, id, COPY | LINEAR | REMAP);
    assert_int_equal(engine_rig_rd64(&rig, TO), UINT64_C(0xee050504ee010201));
    send(&rig, id, 0, 0x708, 0x3306666); /* nothing is */
    launch(&rig, id, COPY | LINEAR | REMAP);
    assert_int_equal(engine_rig_rd64(&rig, TO), UINT64_C(0xee050504ee010201));
    assert_int_equal(rig.faults, 0);
    engine_rig_stop(&rig);
}

/* With remap, origin, width and length are in pixels, on each side in its own. */
static void with_remap_a_surface_is_counted_in_pixels(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_copy(&rig, "GM107", 0xb0b5);
    send(&rig, id, 0, 0x418, 2, 1);
    send(&rig, id, 0, 0x708, 0x3000000);                    /* one byte to four of the same */
    send(&rig, id, 0, 0x70c, 0x1000, 32, 8, 1, 0, 0x10010); /* byte 64 */
    send(&rig, id, 0, 0x728, 0x1000, 64, 8, 1, 0, 0x10004); /* byte 4 */
    launch(&rig, id, COPY | REMAP);
    uint32_t word = 0x01000000 + 16 + 4, byte = word & 0xff, next = word >> 8 & 0xff;
    assert_int_equal(engine_rig_rd32(&rig, TO + 512 + 16), byte * 0x01010101);
    assert_int_equal(engine_rig_rd32(&rig, TO + 512 + 20), next * 0x01010101);
    engine_rig_stop(&rig);
}

/* ---- where memory is ---- */

static void addresses_may_be_physical(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t object_class, method, value, launch;
        bool system;
    } cases[] = {
        {"GF100", 0x90b5, 0x250, 0x0001, 0, false}, {"GF100", 0x90b5, 0x250, 0x0011, 0, true},
        {"GF100", 0x90b5, 0x250, 0x0021, 0, true},  {"GM107", 0xb0b5, 0x260, 0, 1 << 12, false},
        {"GM107", 0xb0b5, 0x260, 1, 1 << 12, true}, {"GM107", 0xb0b5, 0x260, 2, 1 << 12, true},
        {"GM107", 0xb0b5, 0x260, 1, 0, false},      {"GF100", 0x90b5, 0x250, 0x0010, 0, false},
    };
    struct engine_rig rig;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = start_copy(&rig, cases[i].chip, cases[i].object_class);
        memory_physical_wr32(&rig.memory, MEMORY_SYSTEM, FROM, 0x5a5a5a5a);
        send(&rig, id, 0, cases[i].method, cases[i].value);
        launch(&rig, id, COPY | LINEAR | cases[i].launch);
        assert_int_equal(engine_rig_rd32(&rig, TO), cases[i].system ? 0x5a5a5a5a : 0x01000000);
        engine_rig_stop(&rig);
    }
    unsigned id = start_copy(&rig, "GM107", 0xb0b5);
    send(&rig, id, 0, 0x264, 1);
    launch(&rig, id, COPY | LINEAR | 1 << 13);
    assert_int_equal(engine_rig_rd32(&rig, TO), 0);
    assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_SYSTEM, TO), 0x01000000);
    send(&rig, id, 0, 0x264, 3); /* another GPU's */
    launch(&rig, id, COPY | LINEAR | 1 << 13);
    assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, "", 0xb0b5, 0x300);
    engine_rig_stop(&rig);
    id = start_copy(&rig, "GF100", 0x90b5);
    send(&rig, id, 0, 0x250, 0x1100);
    launch(&rig, id, COPY | LINEAR);
    assert_int_equal(memory_physical_rd32(&rig.memory, MEMORY_SYSTEM, TO), 0x01000000);
    engine_rig_stop(&rig);
}

#define PHYSICAL (3u << 12)

/* Beyond the end of VRAM: what is written there is lost, and also the pages that take it are read by nobody. */
static void copies_out_of_holes_are_zero_and_into_them_are_lost(void **state) {
    (void)state;
    static const uint32_t layouts[] = {LINEAR | MULTI_LINE, MULTI_LINE, FROM_LINEAR | MULTI_LINE,
                                       TO_LINEAR | MULTI_LINE};
    struct engine_rig rig;
    for (size_t i = 0; i < sizeof layouts / sizeof layouts[0]; i++) {
        unsigned id = start_copy(&rig, "GM107", 0xb0b5);
        for (uint32_t at = 0; at < 0x1000; at += 4)
            engine_rig_wr32(&rig, TO + at, 0xdddddddd);
        send(&rig, id, 0, 0x70c, 0x1000, 64, 64, 1, 0, 0);
        send(&rig, id, 0, 0x728, 0x1000, 64, 64, 1, 0, 0);
        send(&rig, id, 0, 0x400, 0, FROM, 0xff, 0, 64, 64, 64, 64);
        launch(&rig, id, COPY | PHYSICAL | layouts[i]);
        send(&rig, id, 0, 0x400, 0xff, 0, 0xfe, 0);
        launch(&rig, id, COPY | PHYSICAL | layouts[i]);
        send(&rig, id, 0, 0x400, 0xff, 0, 0, TO);
        launch(&rig, id, COPY | PHYSICAL | layouts[i]);
        for (uint32_t at = 0; at < 0x1000; at += 4)
            assert_int_equal(engine_rig_rd32(&rig, TO + at), 0);
        assert_int_equal(engine_rig_rd32(&rig, FROM), 0x01000000);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 3);
        assert_int_equal(rig.faults, 0);
        engine_rig_stop(&rig);
    }
}

static void upper_words_name_dma_objects_on_gt215(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GT215", CHIP_UNIT_PCOPY0, 0x85b5);
    engine_rig_wr32(&rig, 0x30010, 7);
    send(&rig, id, 0, 0x180 + 4 * 5, 3);
    send(&rig, id, 0, 0x180 + 4 * 6, 4);
    send(&rig, id, 0, 0x400, 0x50000000, 0x10, 0x60000000, 0x20, 0, 0, 4, 1);
    launch(&rig, id, NON_PIPELINED | LINEAR);
    assert_int_equal(engine_rig_rd32(&rig, 0x40020), 7);
    engine_rig_stop(&rig);
}

/* ---- refused ---- */

static void launches_that_do_not_fit_are_refused_from_gk104_on(void **state) {
    (void)state;
    static const struct {
        uint32_t method, value, launch, code;
        const char *error;
    } cases[] = {
        {0x71c, 2, FROM_LINEAR, 1, "2D_LAYER_EXCEEDS_DEPTH"},
        {0x738, 2, TO_LINEAR, 1, "2D_LAYER_EXCEEDS_DEPTH"},
        {0x720, 49, FROM_LINEAR, 3, "MEM2MEM_RECT_OUT_OF_BOUNDS"},
        {0x73c, 7 << 16, TO_LINEAR | MULTI_LINE, 3, "MEM2MEM_RECT_OUT_OF_BOUNDS"},
        {0x73c, 8 << 16, TO_LINEAR, 3, "MEM2MEM_RECT_OUT_OF_BOUNDS"},
        {0x410, 15, LINEAR | MULTI_LINE, 4, "SRC_LINE_EXCEEDS_PITCH"},
        {0x410, (uint32_t)-15, LINEAR | MULTI_LINE, 5, "SRC_LINE_EXCEEDS_NEG_PITCH"},
        {0x414, 0, LINEAR | MULTI_LINE, 6, "DST_LINE_EXCEEDS_PITCH"},
        {0x414, (uint32_t)-1, LINEAR | MULTI_LINE, 7, "DST_LINE_EXCEEDS_NEG_PITCH"},
        {0x708, 0x1, LINEAR | REMAP, 8, "BAD_SRC_PIXEL_COMP_REF"},
        {0x70c, 0x1060, FROM_LINEAR, 9, "INVALID_VALUE"},
        {0x728, 0x1001, TO_LINEAR, 9, "INVALID_VALUE"},
        {0x728, 0x1f00, TO_LINEAR, 9, "INVALID_VALUE"},
        {0x410, 15, LINEAR, 0, NULL},
        {0x720, 48, FROM_LINEAR, 0, NULL},
        {0x73c, 6 << 16, TO_LINEAR | MULTI_LINE, 0, NULL},
        {0x738, 1, TO_LINEAR, 0, NULL},
        {0x708, 0x1, LINEAR, 0, NULL}, /* no remap */
    };
    struct engine_rig rig;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = start_copy(&rig, "GM107", 0xb0b5);
        send(&rig, id, 0, 0x70c, 0x1000, 64, 8, 2, 0, 0);
        send(&rig, id, 0, 0x728, 0x1000, 64, 8, 2, 0, 0);
        send(&rig, id, 0, 0x41c, 2);
        send(&rig, id, 0, cases[i].method, cases[i].value);
        launch(&rig, id, COPY | cases[i].launch);
        const struct engine_rig_event *error = engine_rig_event(&rig, EVENT_ENGINE_ERROR, 0);
        assert_int_equal(error != NULL, cases[i].error != NULL);
        assert_int_equal(engine_rig_rd32(&rig, DONE), error ? 0 : 42);
        assert_int_equal(rig.interrupts, error ? 1 : 0);
        if (error) {
            assert_string_equal(error->text, cases[i].error);
            assert_int_equal(error->value[3], cases[i].code);
        }
        engine_rig_stop(&rig);
    }
}

static void transfer_type_3_is_refused_until_it_is_a_prefetch(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_copy(&rig, "GM107", 0xb0b5);
    launch(&rig, id, 3 | ONE_WORD | LINEAR);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 1);
    assert_int_equal(engine_rig_rd32(&rig, DONE), 0);
    engine_rig_stop(&rig);
    id = start_copy(&rig, "GH100", 0xcab5);
    launch(&rig, id, 3 | ONE_WORD | LINEAR);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
    assert_int_equal(engine_rig_rd32(&rig, TO), 0);
    assert_int_equal(engine_rig_rd32(&rig, DONE), 42);
    engine_rig_stop(&rig);
}

static void secure_copies_are_not_executed(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_copy(&rig, "GH100", 0xc8b5);
    launch(&rig, id, COPY | LINEAR | 1 << 20);
    assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, "", 0xc8b5, 0x300);
    assert_int_equal(engine_rig_rd32(&rig, TO), 0);
    engine_rig_stop(&rig);
}

/* ---- what comes with a copy ---- */

static void a_condition_skips_the_copy_but_not_the_semaphore(void **state) {
    (void)state;
    struct engine_rig rig;
    static const struct {
        const char *chip;
        uint32_t object_class;
    } cases[] = {{"GF100", 0x90b5}, {"GM107", 0xb0b5}, {"GP102", 0xc1b5}};
    for (unsigned i = 0; i < 3; i++) {
        unsigned id = start_copy(&rig, cases[i].chip, cases[i].object_class);
        engine_rig_wr32(&rig, 0x2000, 1);
        send(&rig, id, 0, 0x254, 0, 0x2000, 3); /* if equal */
        launch(&rig, id, COPY | LINEAR);
        assert_int_equal(engine_rig_rd32(&rig, TO), 0);
        assert_int_equal(engine_rig_rd32(&rig, DONE), 42);
        engine_rig_wr32(&rig, 0x2010, 1);
        launch(&rig, id, COPY | LINEAR);
        assert_int_equal(engine_rig_rd32(&rig, TO), 0x01000000);
        engine_rig_wr32(&rig, DONE, 0);
        send(&rig, id, 0, 0x258, ENGINE_RIG_LIMIT); /* nobody can tell */
        launch(&rig, id, COPY | LINEAR);
        assert_int_equal(rig.faults, 1);
        assert_int_equal(engine_rig_rd32(&rig, DONE), 0);
        engine_rig_stop(&rig);
    }
}

static void a_fault_ends_a_copy_without_its_semaphore(void **state) {
    (void)state;
    static const uint32_t offsets[] = {0x404, 0x40c}; /* of the source, of the destination */
    struct engine_rig rig;
    for (unsigned i = 0; i < 2; i++) {
        unsigned id = start_copy(&rig, "GM107", 0xb0b5);
        send(&rig, id, 0, offsets[i], ENGINE_RIG_LIMIT - 8);
        launch(&rig, id, COPY | LINEAR | 0x40);
        assert_int_equal(rig.faults, 1);
        assert_int_equal(rig.interrupts, 0);
        assert_int_equal(engine_rig_rd32(&rig, DONE), 0);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 0);
        send(&rig, id, 0, 0x400, 0, FROM, 0, TO);
        launch(&rig, id, COPY | LINEAR);
        assert_int_equal(engine_rig_rd32(&rig, TO + 12), 0x0100000c);
        assert_int_equal(engine_rig_rd32(&rig, DONE), 42);
        engine_rig_stop(&rig);
    }
}

/* The copy has been done by then. */
static void a_semaphore_that_faults_wakes_nobody(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_copy(&rig, "GM107", 0xb0b5);
    send(&rig, id, 0, 0x244, ENGINE_RIG_LIMIT);
    launch(&rig, id, COPY | LINEAR | 0x40);
    assert_int_equal(rig.faults, 1);
    assert_int_equal(rig.interrupts, 0);
    assert_int_equal(engine_rig_rd32(&rig, TO + 12), 0x0100000c);
    send(&rig, id, 0, 0x244, DONE);
    launch(&rig, id, COPY | LINEAR | 0x40);
    assert_int_equal(rig.interrupts, 1);
    engine_rig_stop(&rig);
}

/* Each class has its own; the rest is not executed. */
static void reductions_on_floats_and_products(void **state) {
    (void)state;
    enum { FADD = 0xa, FMIN, FMAX, FMUL, IMUL };
    static const uint32_t one = 0x3f800000, two = 0x40000000, three = 0x40400000, minus = 0xbf800000, nan = 0x7fc00000;
    static const struct {
        uint32_t reduction, memory, payload, result;
    } cases[] = {
        {FADD, one, two, three},
        {FADD, 0x7f800000, 0xff800000, 0x7fffffff},
        {FMIN, one, minus, minus},
        {FMIN, minus, one, minus},
        {FMIN, nan, two, two},
        {FMIN, two, nan, two},
        {FMAX, one, minus, one},
        {FMAX, 0x80000000, 0, 0},
        {FMAX, minus, two, two},
        {FMAX, nan, nan, 0x7fffffff},
        {FMAX, two, nan, two},
        {FMIN, two, 0xffc00000, two},
        {FMUL, two, two, 0x40800000},
        {FMUL, three, minus, 0xc0400000},
        {IMUL, 7, 6, 42},
        {IMUL, 0x10001, 0xffffffff, 0xfffeffff},
    };
    struct engine_rig rig;
    unsigned id = start_copy(&rig, "GK104", 0xa0b5);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        engine_rig_wr32(&rig, DONE, cases[i].memory);
        send(&rig, id, 0, 0x248, cases[i].payload);
        launch(&rig, id, ONE_WORD | 1 << 19 | cases[i].reduction << 14);
        assert_int_equal(engine_rig_rd32(&rig, DONE), cases[i].result);
    }
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 0);
    launch(&rig, id, ONE_WORD | 1 << 19 | 8 << 14);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 1);
    engine_rig_stop(&rig);
    static const struct {
        const char *chip;
        uint32_t object_class, reductions;
    } classes[] = {{"GM107", 0xb0b5, 0x4ff}, {"GP102", 0xc1b5, 0x4ff}, {"GA102", 0xc7b5, 0x1cff}};
    for (unsigned i = 0; i < 3; i++) {
        id = start_copy(&rig, classes[i].chip, classes[i].object_class);
        for (unsigned reduction = 0; reduction < 16; reduction++) {
            rig.events = 0;
            launch(&rig, id, ONE_WORD | 1 << 19 | reduction << 14);
            assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), classes[i].reductions >> reduction & 1);
        }
        engine_rig_stop(&rig);
    }
}

static void a_query_of_nouveaus_firmware_comes_after_the_copy(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_copy(&rig, "GF100", 0x90b5);
    send(&rig, id, 0, 0x30c, 0, FROM, 0, TO, 64, 64, 16, 1);
    send(&rig, id, 0, 0x338, 0, TO + 8, 42); /* in what is copied to */
    launch(&rig, id, 0x3110);
    assert_int_equal(engine_rig_rd32(&rig, TO + 4), 0x01000004);
    assert_int_equal(engine_rig_rd32(&rig, TO + 8), 42);
    send(&rig, id, 0, 0x318, ENGINE_RIG_LIMIT - 4);
    send(&rig, id, 0, 0x340, 43);
    launch(&rig, id, 0x3110);
    assert_int_equal(rig.faults, 1);
    assert_int_equal(engine_rig_rd32(&rig, TO + 8), 42);
    engine_rig_stop(&rig);
}

static void a_component_that_nouveaus_firmware_does_not_know_is_zero(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_copy(&rig, "GF100", 0x90b5);
    engine_rig_wr32(&rig, TO, 0xffffffff);
    send(&rig, id, 0, 0x30c, 0, FROM + 4, 0, TO, 64, 64, 1, 1, 0x3306760);
    launch(&rig, id, 0x111);
    assert_int_equal(engine_rig_rd32(&rig, TO), 0x00000004);
    engine_rig_stop(&rig);
}

/* ---- long work ---- */

/* A call is a slice: it takes a bounded time, whatever the launch asks for, and says that the engine is busy. */
static void a_huge_launch_stalls_slice_by_slice(void **state) {
    (void)state;
    static const struct {
        uint32_t length, launch, components;
    } cases[] = {
        {16, LINEAR | MULTI_LINE, 0},
        {1, LINEAR | MULTI_LINE, 0},
        {1, LINEAR | MULTI_LINE | REMAP, 0x0000004},  /* fill */
        {1, LINEAR | MULTI_LINE | REMAP, 0x1310010},  /* exchange */
        {16, LINEAR | MULTI_LINE | REMAP, 0x3330126}, /* keep */
        {0x1000, LINEAR | MULTI_LINE, 0},
    };
    struct engine_rig rig;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = start_copy(&rig, "GF100", 0x90b5); /* which does not check pitches */
        const struct fifo_engine *slot = &rig.fifo.engines[id];
        send(&rig, id, 0, 0x410, 0, 0, cases[i].length, 0xffffffff);
        send(&rig, id, 0, 0x708, cases[i].components);
        assert_false(slot->ops->busy(slot->engine, &rig.channel));
        for (unsigned n = 0; n < 4; n++) {
            assert_int_equal(engine_rig_offer(&rig, id, 0, 0x300, 4, WORDS(COPY | cases[i].launch)), 0);
            assert_true(slot->ops->busy(slot->engine, &rig.channel));
        }
        assert_int_equal(engine_rig_rd32(&rig, DONE), 0);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 0);
        slot->ops->channel_gone(slot->engine, rig.channel.id);
        assert_false(slot->ops->busy(slot->engine, &rig.channel));
        engine_rig_stop(&rig);
    }
}

/* However many lines there are of it. */
static void a_launch_of_nothing_is_over_at_once(void **state) {
    (void)state;
    static const uint32_t components[] = {0x0000004, 0x1310010, 0x3330126}; /* fill, exchange, keep */
    struct engine_rig rig;
    for (size_t i = 0; i < 4; i++) {
        unsigned id = start_copy(&rig, "GF100", 0x90b5);
        send(&rig, id, 0, 0x410, 0, 0, 0, 0xffffffff);
        send(&rig, id, 0, 0x708, i < 3 ? components[i] : 0);
        uint32_t launch = COPY | LINEAR | MULTI_LINE | (i < 3 ? REMAP : 0);
        assert_int_equal(engine_rig_offer(&rig, id, 0, 0x300, 4, WORDS(launch)), 1);
        engine_rig_stop(&rig);
    }
}

/* Until it is taken; how often it stalled. */
static unsigned launch_in_slices(struct engine_rig *rig, unsigned id, uint32_t data) {
    unsigned stalls = 0;
    while (engine_rig_offer(rig, id, 0, 0x300, 4, &data, 1) == 0)
        stalls++;
    return stalls;
}

/* A line of a byte costs as much as one of 1024: so this takes ten slices, and the first overwrites what the condition
 * is. */
static void a_condition_is_looked_at_before_the_first_slice(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_copy(&rig, "GM107", 0xb0b5);
    engine_rig_wr32(&rig, 0x40004, 1);
    send(&rig, id, 0, 0x254, 0, 0x40000, 2);
    send(&rig, id, 0, 0x400, 0, 0x20000, 0, 0x40000, 4, 4, 1, 10000);
    engine_rig_wr32(&rig, 0x20000 + 39996, 7);
    assert_int_equal(launch_in_slices(&rig, id, COPY | LINEAR | MULTI_LINE), 9);
    assert_int_equal(engine_rig_rd32(&rig, 0x40004), 0);
    assert_int_equal(engine_rig_rd32(&rig, 0x40000 + 39996), 7);
    engine_rig_stop(&rig);
}

/* What the host takes out of PFIFO by hand does not come again; what comes instead says so. */
static void a_launch_that_was_taken_away_is_not_gone_on_with(void **state) {
    (void)state;
    static const struct {
        uint32_t subchannel, method, data, launch;
    } between[] = {
        {0, 0x100, 0, 0},                                              /* a method that does nothing */
        {0, 0x300, 0, 0},                                              /* a launch of nothing */
        {0, 0, 0, NON_PIPELINED | ONE_WORD | 4 | LINEAR | MULTI_LINE}, /* the next launch asks for something else */
        {1, 0x300, 0, 0},                                              /* another object */
    };
    struct engine_rig rig;
    for (size_t i = 0; i < sizeof between / sizeof between[0]; i++) {
        unsigned id = start_copy(&rig, "GM107", 0xb0b5);
        uint32_t launch_data = between[i].launch ? between[i].launch : COPY | LINEAR | MULTI_LINE;
        assert_true(engine_rig_bind(&rig, id, 1, 0xa0b5));
        send(&rig, id, 0, 0x400, 0, 0x20000, 0, 0x40000, 4, 4, 1, 10000);
        assert_int_equal(engine_rig_offer(&rig, id, 0, 0x300, 4, WORDS(COPY | LINEAR | MULTI_LINE)), 0);
        if (between[i].method)
            send(&rig, id, between[i].subchannel, between[i].method, between[i].data);
        assert_int_equal(rig.fifo.engines[id].ops->busy(rig.fifo.engines[id].engine, &rig.channel),
                         between[i].launch != 0);
        engine_rig_wr32(&rig, 0x20000, 77);
        assert_int_equal(launch_in_slices(&rig, id, launch_data), 9);
        assert_int_equal(engine_rig_rd32(&rig, 0x40000), 77);
        engine_rig_stop(&rig);
    }
}

static void a_fault_in_a_later_slice_ends_all_of_them(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_copy(&rig, "GM107", 0xb0b5);
    send(&rig, id, 0, 0x40c, ENGINE_RIG_LIMIT - 20000);
    send(&rig, id, 0, 0x410, 4, 4, 1, 10000);
    assert_int_equal(launch_in_slices(&rig, id, COPY | LINEAR | MULTI_LINE), 4);
    assert_int_equal(rig.faults, 1);
    assert_int_equal(rig.fault.address, ENGINE_RIG_LIMIT);
    assert_true(rig.fault.write);
    assert_int_equal(engine_rig_rd32(&rig, DONE), 0);
    send(&rig, id, 0, 0x40c, 0x20000); /* the next one begins from its beginning */
    assert_int_equal(launch_in_slices(&rig, id, COPY | LINEAR | MULTI_LINE), 9);
    assert_int_equal(engine_rig_rd32(&rig, 0x20004), 4);
    engine_rig_stop(&rig);
}

/* Bytes that stay are read to be written back; hardware would only not write them. */
static void what_cannot_be_kept_is_a_fault_of_writing(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_copy(&rig, "GM107", 0xb0b5);
    send(&rig, id, 0, 0x40c, ENGINE_RIG_LIMIT - 4);
    send(&rig, id, 0, 0x708, 0x3306661);
    launch(&rig, id, COPY | LINEAR | REMAP);
    assert_int_equal(rig.faults, 1);
    assert_true(rig.fault.write);
    send(&rig, id, 0, 0x404, ENGINE_RIG_LIMIT - 4);
    launch(&rig, id, COPY | LINEAR | REMAP);
    assert_int_equal(rig.faults, 2);
    assert_false(rig.fault.write);
    engine_rig_stop(&rig);
}

static void nothing_to_write_is_done_at_once(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_copy(&rig, "GF100", 0x90b5);
    send(&rig, id, 0, 0x418, 0xffffffff, 0xffffffff, 0);
    send(&rig, id, 0, 0x708, 0x3306666);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x300, 4, WORDS(COPY | LINEAR | MULTI_LINE | REMAP)), 1);
    assert_int_equal(engine_rig_rd32(&rig, DONE), 42);
    send(&rig, id, 0, 0x418, 0, 0xffffffff);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x300, 4, WORDS(COPY | LINEAR | MULTI_LINE)), 1);
    send(&rig, id, 0, 0x418, 16, 0);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x300, 4, WORDS(COPY | LINEAR | MULTI_LINE)), 1);
    assert_int_equal(engine_rig_rd32(&rig, TO), 0);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_multi_line_there_is_one_line),
        cmocka_unit_test(a_negative_pitch_turns_a_picture_over),
        cmocka_unit_test(the_kernels_buffer_moves),
        cmocka_unit_test(block_sizes_say_how_high_a_gob_is),
        cmocka_unit_test(the_origin_that_was_written_last_counts),
        cmocka_unit_test(a_constant_fills),
        cmocka_unit_test(components_are_exchanged_left_out_and_added),
        cmocka_unit_test(with_remap_a_surface_is_counted_in_pixels),
        cmocka_unit_test(addresses_may_be_physical),
        cmocka_unit_test(copies_out_of_holes_are_zero_and_into_them_are_lost),
        cmocka_unit_test(upper_words_name_dma_objects_on_gt215),
        cmocka_unit_test(launches_that_do_not_fit_are_refused_from_gk104_on),
        cmocka_unit_test(transfer_type_3_is_refused_until_it_is_a_prefetch),
        cmocka_unit_test(secure_copies_are_not_executed),
        cmocka_unit_test(a_condition_skips_the_copy_but_not_the_semaphore),
        cmocka_unit_test(a_fault_ends_a_copy_without_its_semaphore),
        cmocka_unit_test(a_semaphore_that_faults_wakes_nobody),
        cmocka_unit_test(reductions_on_floats_and_products),
        cmocka_unit_test(a_query_of_nouveaus_firmware_comes_after_the_copy),
        cmocka_unit_test(a_component_that_nouveaus_firmware_does_not_know_is_zero),
        cmocka_unit_test(a_huge_launch_stalls_slice_by_slice),
        cmocka_unit_test(a_launch_of_nothing_is_over_at_once),
        cmocka_unit_test(a_condition_is_looked_at_before_the_first_slice),
        cmocka_unit_test(a_launch_that_was_taken_away_is_not_gone_on_with),
        cmocka_unit_test(a_fault_in_a_later_slice_ends_all_of_them),
        cmocka_unit_test(what_cannot_be_kept_is_a_fault_of_writing),
        cmocka_unit_test(nothing_to_write_is_done_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
