/* SPDX-License-Identifier: MIT */
/* Memory to memory: 0039, 5039, 9039. */
#include "check.h"

#define OBJECT(n) ((uint64_t)(n) << 16)
#define COPIED    0x11223344u

/* Memory for a copy of 16 bytes: what is at `from`, and nothing at `to`. */
static void prepare(struct engine_rig *rig, uint64_t from, uint64_t to) {
    for (unsigned i = 0; i < 16; i += 4) {
        engine_rig_wr32(rig, from + i, COPIED + i);
        engine_rig_wr32(rig, to + i, 0);
    }
}

static bool copied(struct engine_rig *rig, uint64_t to) {
    for (unsigned i = 0; i < 16; i += 4)
        if (engine_rig_rd32(rig, to + i) != COPIED + i)
            return false;
    return true;
}

static void assert_error(const struct engine_rig *rig, unsigned nth, const char *name, uint32_t method) {
    const struct engine_rig_event *event = engine_rig_event(rig, EVENT_ENGINE_ERROR, nth);
    assert_non_null(event);
    assert_string_equal(event->text, name);
    assert_int_equal(event->value[1], method);
}

/* ---- NV4 .. NV4x ---- */

static unsigned start_nv40(struct engine_rig *rig) {
    unsigned id = start(rig, "NV40", CHIP_UNIT_PGRAPH, 0x0039);
    send(rig, id, 0, 0x180, 7, 1, 2);
    prepare(rig, OBJECT(1) + 0x100, OBJECT(2) + 0x200);
    return id;
}

static void state_is_taken_in_one_call(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_nv40(&rig);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x30c, 4, WORDS(0x100, 0x200, 16, 16, 16, 1, 0x101, 0)), 7);
    send(&rig, id, 0, 0x328, 0);
    assert_true(copied(&rig, OBJECT(2) + 0x200));
    assert_event(&rig, EVENT_ENGINE_DONE, 0, "copy", 0x0039, 0x328);
    engine_rig_stop(&rig);
}

static void bit_0_of_the_launch_awakens(void **state) {
    (void)state;
    struct engine_rig rig;
    for (uint32_t value = 0; value < 8; value++) {
        unsigned id = start_nv40(&rig);
        send(&rig, id, 0, 0x30c, 0x100, 0x200, 16, 16, 16, 1, 0x101);
        send(&rig, id, 0, 0x328, value);
        assert_true(copied(&rig, OBJECT(2) + 0x200));
        assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_INTERRUPT, 0) != NULL, value & 1);
        engine_rig_stop(&rig);
    }
}

static void a_launch_without_state_and_objects_shows_both(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_nv40(&rig);
    send(&rig, id, 0, 0x184, 0);
    send(&rig, id, 0, 0x328, 0);
    assert_error(&rig, 0, "MISSING_METHOD", 0x328);
    assert_error(&rig, 1, "STATE_INVALID", 0x328);
    assert_false(copied(&rig, OBJECT(2) + 0x200));
    engine_rig_stop(&rig);
}

static void a_launch_without_all_of_its_state_is_refused(void **state) {
    (void)state;
    struct engine_rig rig;
    static const uint32_t words[] = {0x100, 0x200, 16, 16, 16, 1, 0x101};
    for (unsigned missing = 0; missing < 10; missing++) {
        unsigned id = start_nv40(&rig);
        for (unsigned i = 0; i < 7; i++)
            if (i != missing)
                send(&rig, id, 0, 0x30c + 4 * i, words[i]);
        if (missing >= 7)
            send(&rig, id, 0, 0x180 + 4 * (missing - 7), 0);
        send(&rig, id, 0, 0x328, 0);
        assert_error(&rig, 0, missing < 7 ? "MISSING_METHOD" : "STATE_INVALID", 0x328);
        assert_int_equal(rig.interrupts, 1);
        assert_false(copied(&rig, OBJECT(2) + 0x200));
        assert_int_equal(engine_rig_rd64(&rig, OBJECT(7) + 0x10), 0);
        engine_rig_stop(&rig);
    }
}

static void values_that_do_not_fit_are_refused(void **state) {
    (void)state;
    static const struct {
        uint32_t method, value;
        bool fits;
    } cases[] = {
        {0x314, 0x7fff, true},   {0x314, 0x8000, false},    {0x318, 0x7fff, true},     {0x318, 0xffffff00, false},
        {0x31c, 0x3fffff, true}, {0x31c, 0x400000, false},  {0x320, 0x7ff, true},      {0x320, 0x800, false},
        {0x324, 0x101, true},    {0x324, 0x204, true},      {0x324, 0x402, true},      {0x324, 0, false},
        {0x324, 0x103, false},   {0x324, 0x301, false},     {0x324, 0x108, false},     {0x324, 0x801, false},
        {0x324, 0x10101, false}, {0x30c, 0xffffffff, true}, {0x310, 0xffffffff, true},
    };
    struct engine_rig rig;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = start_nv40(&rig);
        send(&rig, id, 0, 0x30c, 0x100, 0x200, 16, 16, 16, 0, 0x101);
        send(&rig, id, 0, cases[i].method, cases[i].value);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), !cases[i].fits);
        if (!cases[i].fits) {
            assert_error(&rig, 0, "INVALID_VALUE", cases[i].method);
            assert_int_equal(rig.interrupts, 1);
        }
        engine_rig_stop(&rig);
    }
}

/* The bits that there is room for are kept, and count as set. */
static void of_a_value_that_is_refused_its_bits_are_kept(void **state) {
    (void)state;
    static const struct {
        uint32_t method, value, kept;
    } cases[] = {{0x314, 0xffff0010, 0x10},
                 {0x318, 0x12340010, 0x10},
                 {0x31c, 0xffc00010, 0x10},
                 {0x320, 0xfffff801, 1},
                 {0x324, 0xf1f9, 0x101}};
    static const uint32_t good[] = {0x100, 0x200, 16, 16, 16, 1, 0x101};
    struct engine_rig rig;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = start_nv40(&rig);
        for (uint32_t m = 0; m < 7; m++)
            if (0x30c + 4 * m != cases[i].method)
                send(&rig, id, 0, 0x30c + 4 * m, good[m]);
        send(&rig, id, 0, cases[i].method, cases[i].value);
        assert_error(&rig, 0, "INVALID_VALUE", cases[i].method);
        assert_int_equal(engine_rig_value(&rig, id, 0x0039, cases[i].method), cases[i].kept);
        send(&rig, id, 0, 0x328, 0);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 1);
        assert_true(copied(&rig, OBJECT(2) + 0x200));
        engine_rig_stop(&rig);
    }
}

static void increments_spread_bytes(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_nv40(&rig);
    send(&rig, id, 0, 0x30c, 0x100, 0x200, 8, 6, 2, 2, 0x401);
    engine_rig_wr32(&rig, OBJECT(1) + 0x100, 0x0201);
    engine_rig_wr32(&rig, OBJECT(1) + 0x108, 0x0403);
    send(&rig, id, 0, 0x328, 0);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT(2) + 0x200), 1);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT(2) + 0x204), 0x00030002); /* the second line begins at 6 */
    assert_int_equal(engine_rig_rd32(&rig, OBJECT(2) + 0x208), 0x00040000);
    send(&rig, id, 0, 0x30c, 0x200, 0x300, 8, 6, 2, 1, 0x104);
    send(&rig, id, 0, 0x328, 0);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT(2) + 0x300), 0); /* the source is object 1 */
    engine_rig_stop(&rig);
}

/* The limit of a DMA object ends the copy: what was before it has been copied, and the notifier says what happened. */
static void a_fault_ends_the_copy_and_its_notifier_says_so(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_nv40(&rig);
    send(&rig, id, 0, 0x30c, 0x100, 0xfff8, 16, 16, 16, 1, 0x101, 1);
    assert_int_equal(rig.faults, 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FAULT), 1);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT(7) + 0x1c), 0x40000000);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 0);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT(2) + 0xfff8), COPIED);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT(2) + 0xfffc), COPIED + 4);
    send(&rig, id, 0, 0x310, 0x200); /* the next one begins from its beginning */
    send(&rig, id, 0, 0x328, 0);
    assert_true(copied(&rig, OBJECT(2) + 0x200));
    assert_int_equal(engine_rig_rd32(&rig, OBJECT(7) + 0x1c), 0);
    engine_rig_stop(&rig);
}

static void a_pending_notify_waits_for_the_last_slice(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_nv40(&rig);
    send(&rig, id, 0, 0x30c, 0, 0, 0, 0, 0x8000, 100, 0x101);
    send(&rig, id, 0, 0x104, 0);
    unsigned calls = 1;
    while (engine_rig_offer(&rig, id, 0, 0x328, 4, WORDS(0)) == 0) {
        assert_int_equal(engine_rig_rd64(&rig, OBJECT(7)), 0);
        assert_int_equal(engine_rig_rd64(&rig, OBJECT(7) + 0x10), 0);
        calls++;
    }
    assert_int_equal(calls, 4); /* 3.2 MB, a MiB at a time */
    assert_int_equal(engine_rig_rd64(&rig, OBJECT(7)), ENGINE_RIG_TIME);
    assert_int_equal(engine_rig_rd64(&rig, OBJECT(7) + 0x10), ENGINE_RIG_TIME);
    engine_rig_stop(&rig);
}

/* ---- Tesla ---- */

static unsigned start_g80(struct engine_rig *rig) {
    unsigned id = start(rig, "G80", CHIP_UNIT_PGRAPH, 0x5039);
    send(rig, id, 0, 0x180, 7, 1, 2);
    send(rig, id, 0, 0x200, 1);
    send(rig, id, 0, 0x21c, 1);
    prepare(rig, OBJECT(1) + 0x100, OBJECT(2) + 0x200);
    return id;
}

/* Layout of a side: block size, width, height, depth, layer, origin. */
static void in_blocks(struct engine_rig *rig, unsigned id, uint32_t side) {
    send(rig, id, 0, side, 0, 0, 64, 4, 2, 1, 0);
}

static void tesla_refuses_what_is_out_of_bounds(void **state) {
    (void)state;
    static const struct {
        uint32_t method, value, line_length, lines;
        const char *error; /* NULL: it fits */
        unsigned code;
    } cases[] = {
        {0x100, 0, 64, 4, NULL, 0},
        {0x100, 0, 65, 1, "XY_OUT_OF_BOUNDS", 0x23},
        {0x100, 0, 1, 5, "XY_OUT_OF_BOUNDS", 0x23},
        {0x218, 1, 64, 1, "XY_OUT_OF_BOUNDS", 0x23},
        {0x234, 1, 64, 1, "XY_OUT_OF_BOUNDS", 0x23},
        {0x218, 0x40000, 1, 1, "XY_OUT_OF_BOUNDS", 0x23},
        {0x234, 0x30000, 64, 1, NULL, 0},
        {0x214, 2, 1, 1, "Z_OUT_OF_BOUNDS", 0x21},
        {0x230, 2, 1, 1, "Z_OUT_OF_BOUNDS", 0x21},
        {0x204, 0x6, 1, 1, "INVALID_ENUM", 5},
        {0x220, 0x600, 1, 1, "INVALID_ENUM", 5},
        {0x324, 0x103, 1, 1, "INVALID_ENUM", 5},
        {0x324, 0x001, 1, 1, "INVALID_ENUM", 5},
        {0x324, 0x1010, 1, 1, NULL, 0},
    };
    struct engine_rig rig;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = start_g80(&rig);
        in_blocks(&rig, id, 0x200);
        in_blocks(&rig, id, 0x21c);
        send(&rig, id, 0, 0x30c, 0x100, 0x200, 0, 0, cases[i].line_length, cases[i].lines, 0x101);
        send(&rig, id, 0, cases[i].method, cases[i].value);
        send(&rig, id, 0, 0x328, 0);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), cases[i].error != NULL);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), cases[i].error == NULL);
        if (cases[i].error) {
            assert_error(&rig, 0, cases[i].error, 0x328);
            assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_ERROR, 0)->value[3], cases[i].code);
        }
        engine_rig_stop(&rig);
    }
}

/* Mesa copies buffers as one line and leaves the pitches as they are. */
static void lines_longer_than_the_pitch_are_refused_if_there_are_several(void **state) {
    (void)state;
    static const struct {
        uint32_t pitch_in, pitch_out, lines;
        const char *error;
    } cases[] = {
        {0, 0, 1, NULL},
        {16, 16, 2, NULL},
        {15, 16, 2, "LINE_LENGTH_OVER_PITCH_IN"},
        {16, 15, 2, "LINE_LENGTH_OVER_PITCH_OUT"},
        {0xfffffff0, 16, 2, NULL},
        {16, 0xfffffff1, 2, "LINE_LENGTH_OVER_PITCH_OUT"},
    };
    struct engine_rig rig;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = start_g80(&rig);
        send(&rig, id, 0, 0x30c, 0x100, 0x200, cases[i].pitch_in, cases[i].pitch_out, 16, cases[i].lines, 0x101, 0);
        assert_int_equal(copied(&rig, OBJECT(2) + 0x200), cases[i].error == NULL);
        if (cases[i].error)
            assert_error(&rig, 0, cases[i].error, 0x328);
        engine_rig_stop(&rig);
    }
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9039);
    send(&rig, id, 0, 0x30c, 0, 0x100, 15, 16, 16, 2);
    send(&rig, id, 0, 0x300, 0x110);
    assert_error(&rig, 0, "LINE_LENGTH_OVER_PITCH_IN", 0x300);
    engine_rig_stop(&rig);
}

/* ---- what the kernel sends to move buffers: pages of 4096 bytes ---- */

#define PAGE 4096u

static void fill_pages(struct engine_rig *rig, uint64_t at, unsigned pages) {
    for (uint32_t i = 0; i < pages * PAGE; i += 4)
        engine_rig_wr32(rig, at + i, i * 2654435761u + 1);
}

static void assert_pages(struct engine_rig *rig, uint64_t at, unsigned pages) {
    for (uint32_t i = 0; i < pages * PAGE; i += 4)
        assert_int_equal(engine_rig_rd32(rig, at + i), i * 2654435761u + 1);
}

static void the_kernels_buffer_moves(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x0039);
    fill_pages(&rig, OBJECT(1) + PAGE, 3);
    send(&rig, id, 0, 0x180, 7);
    send(&rig, id, 0, 0x184, 1, 2);
    send(&rig, id, 0, 0x30c, PAGE, 2 * PAGE, PAGE, PAGE, PAGE, 3, 0x101, 0);
    send(&rig, id, 0, 0x100, 0);
    assert_pages(&rig, OBJECT(2) + 2 * PAGE, 3);
    engine_rig_stop(&rig);

    id = start(&rig, "G80", CHIP_UNIT_PGRAPH, 0x5039);
    fill_pages(&rig, OBJECT(1) + PAGE, 3);
    send(&rig, id, 0, 0x180, 7);
    send(&rig, id, 0, 0x184, 1, 2);
    send(&rig, id, 0, 0x200, 1);
    send(&rig, id, 0, 0x21c, 0, 0, 64, 3 * PAGE / 64, 1, 0, 0); /* to blocks; read back below */
    send(&rig, id, 0, 0x238, 0, 0);
    send(&rig, id, 0, 0x30c, PAGE, 2 * PAGE, 64, 64, 64, 3 * PAGE / 64, 0x101, 0);
    assert_pages(&rig, OBJECT(2) + 2 * PAGE, 3); /* a column of gobs of one column */
    engine_rig_stop(&rig);

    id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9039);
    fill_pages(&rig, 0x10000, 3);
    send(&rig, id, 0, 0x238, 0, 0x20000);
    send(&rig, id, 0, 0x30c, 0, 0x10000, PAGE, PAGE, PAGE, 3);
    send(&rig, id, 0, 0x300, 0x100110);
    assert_pages(&rig, 0x20000, 3);
    engine_rig_stop(&rig);
}

/* ---- Fermi ---- */

static unsigned start_gf100(struct engine_rig *rig) {
    unsigned id = start(rig, "GF100", CHIP_UNIT_PGRAPH, 0x9039);
    prepare(rig, 0x100, 0x200);
    send(rig, id, 0, 0x238, 0, 0x200);
    send(rig, id, 0, 0x30c, 0, 0x100, 0, 0, 16, 1);
    send(rig, id, 0, 0x32c, 0, 0x1000, 42);
    return id;
}

/* A condition decides over the copy; the semaphore says that the launch is over. */
static void fermi_copies_on_condition(void **state) {
    (void)state;
    static const struct {
        uint32_t mode, override, records[4];
        bool copies;
    } cases[] = {
        {1, 0, {0}, true},          {0, 0, {0}, false},          {0, 1, {0}, true},
        {1, 2, {0}, false},         {2, 0, {0, 1, 0, 0}, true},  {2, 0, {1, 0, 0, 0}, false},
        {3, 0, {7, 1, 7, 1}, true}, {3, 0, {7, 1, 7, 2}, false}, {4, 0, {7, 1, 7, 1}, false},
        {4, 0, {7, 1, 8, 1}, true},
    };
    struct engine_rig rig;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = start_gf100(&rig);
        for (unsigned w = 0; w < 4; w++)
            engine_rig_wr32(&rig, 0x2000 + w / 2 * 16 + w % 2 * 4, cases[i].records[w]);
        send(&rig, id, 0, 0x308, cases[i].override);
        send(&rig, id, 0, 0x338, 0, 0x2000, cases[i].mode);
        send(&rig, id, 0, 0x300, 0x102110);
        assert_int_equal(copied(&rig, 0x200), cases[i].copies);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), cases[i].copies);
        assert_int_equal(engine_rig_rd32(&rig, 0x1000), 42);
        engine_rig_stop(&rig);
    }
    unsigned id = start_gf100(&rig); /* there is a second condition for all of graphics */
    send(&rig, id, 0, 0x138, 0);
    send(&rig, id, 0, 0x300, 0x102110);
    assert_false(copied(&rig, 0x200));
    engine_rig_wr32(&rig, 0x1000, 0);
    send(&rig, id, 0, 0x134, ENGINE_RIG_LIMIT, 2); /* one that faults */
    send(&rig, id, 0, 0x300, 0x102110);
    assert_int_equal(rig.faults, 1);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 0);
    engine_rig_stop(&rig);
}

/* The condition may lie in what is copied to: it is looked at once. */
static void a_condition_is_looked_at_before_the_first_slice(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_gf100(&rig);
    engine_rig_wr32(&rig, 0x40004, 1);
    send(&rig, id, 0, 0x338, 0, 0x40000, 2);
    send(&rig, id, 0, 0x238, 0, 0x40000);
    send(&rig, id, 0, 0x30c, 0, 0x10000, 4, 4, 1, 10000);
    engine_rig_wr32(&rig, 0x10000 + 39996, 7);
    unsigned stalls = 0;
    while (engine_rig_offer(&rig, id, 0, 0x300, 4, WORDS(0x102110)) == 0)
        stalls++;
    assert_int_equal(stalls, 9);
    assert_int_equal(engine_rig_rd32(&rig, 0x40004), 0);
    assert_int_equal(engine_rig_rd32(&rig, 0x40000 + 39996), 7);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 42);
    engine_rig_stop(&rig);
}

static void a_fault_on_fermi_releases_nothing(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_gf100(&rig);
    send(&rig, id, 0, 0x30c, 0, ENGINE_RIG_LIMIT - 4);
    send(&rig, id, 0, 0x300, 0x112110);
    assert_int_equal(rig.faults, 1);
    assert_int_equal(rig.interrupts, 0);
    assert_int_equal(engine_rig_rd32(&rig, 0x200), 0);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 0);
    engine_rig_stop(&rig);
}

static void a_semaphore_that_faults_on_fermi_wakes_nobody(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_gf100(&rig);
    send(&rig, id, 0, 0x330, ENGINE_RIG_LIMIT);
    send(&rig, id, 0, 0x300, 0x112110);
    assert_int_equal(rig.faults, 1);
    assert_int_equal(rig.interrupts, 0);
    send(&rig, id, 0, 0x330, 0x1000);
    send(&rig, id, 0, 0x300, 0x112110);
    assert_int_equal(rig.interrupts, 1);
    engine_rig_stop(&rig);
}

/* A class of other chips keeps what it keeps after the methods that this chip has. */
static void state_is_behind_the_methods_of_the_chip(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x0039);
    send(&rig, id, 0, 0x30c, 1, 2);
    assert_int_equal(engine_rig_value(&rig, id, 0x0039, 0x310), 2);
    assert_int_equal(engine_rig_value(&rig, id, 0x0039, 0x2000), 0);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(state_is_taken_in_one_call),
        cmocka_unit_test(bit_0_of_the_launch_awakens),
        cmocka_unit_test(a_launch_without_state_and_objects_shows_both),
        cmocka_unit_test(a_launch_without_all_of_its_state_is_refused),
        cmocka_unit_test(values_that_do_not_fit_are_refused),
        cmocka_unit_test(of_a_value_that_is_refused_its_bits_are_kept),
        cmocka_unit_test(increments_spread_bytes),
        cmocka_unit_test(a_fault_ends_the_copy_and_its_notifier_says_so),
        cmocka_unit_test(a_pending_notify_waits_for_the_last_slice),
        cmocka_unit_test(tesla_refuses_what_is_out_of_bounds),
        cmocka_unit_test(lines_longer_than_the_pitch_are_refused_if_there_are_several),
        cmocka_unit_test(the_kernels_buffer_moves),
        cmocka_unit_test(fermi_copies_on_condition),
        cmocka_unit_test(a_condition_is_looked_at_before_the_first_slice),
        cmocka_unit_test(a_fault_on_fermi_releases_nothing),
        cmocka_unit_test(state_is_behind_the_methods_of_the_chip),
        cmocka_unit_test(a_semaphore_that_faults_on_fermi_wakes_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
