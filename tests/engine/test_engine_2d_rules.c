/* SPDX-License-Identifier: MIT */
/* What the 2D object refuses, what holds for all ways of drawing, and vertices, streams and directions. */
#include <stdlib.h>

#include "check.h"

#define DST 0x30000u

static bool is_tesla(const struct engine_rig *rig) {
    return !rig->fifo.chip->ring_only;
}

/* A destination and a source of 64 x 16 pixels BGRA8 at DST, and no conditions. */
static unsigned begin(struct engine_rig *rig, const char *chip) {
    bool tesla = !pfifo_chip_by_name(chip)->ring_only;
    unsigned id = start(rig, chip, CHIP_UNIT_PGRAPH, tesla ? 0x502d : 0x902d);
    uint32_t address = tesla ? 0 : DST;
    send(rig, id, 0, 0x184, DST >> 16, DST >> 16, 4);
    send(rig, id, 0, 0x2ac, 3);
    send(rig, id, 0, 0x200, 0xcf, 1);
    send(rig, id, 0, 0x214, 256, 64, 16, 0, address);
    send(rig, id, 0, 0x230, 0xcf, 1);
    send(rig, id, 0, 0x244, 256, 64, 16, 0, address);
    return id;
}

static void fill(struct engine_rig *rig, unsigned id, uint32_t color) {
    send(rig, id, 0, 0x580, 4);
    send(rig, id, 0, 0x588, color);
    send(rig, id, 0, 0x600, 0, 0, 1, 1);
}

static void upload(struct engine_rig *rig, unsigned id, uint32_t word) {
    send(rig, id, 0, 0x800, 0);
    send(rig, id, 0, 0x838, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0);
    send(rig, id, 0, 0x860, word);
}

static void blit(struct engine_rig *rig, unsigned id, uint32_t source_x) {
    send(rig, id, 0, 0x8b0, 0, 0, 1, 1, 0, 1, 0, 1, 0, source_x, 0, 0);
}

static uint32_t pixel(struct engine_rig *rig, uint32_t x, uint32_t y) {
    return engine_rig_rd32(rig, DST + y * 256 + x * 4);
}

/* All three ways to draw to pixel 0 find this error, and do not draw. */
static void refused(struct engine_rig *rig, unsigned id, const char *name) {
    engine_rig_wr32(rig, DST, 0);
    engine_rig_wr32(rig, DST + 4, 7);
    rig->events = rig->interrupts = 0;
    fill(rig, id, 1);
    upload(rig, id, 2);
    blit(rig, id, 1);
    assert_int_equal(engine_rig_count(rig, EVENT_ENGINE_ERROR), 3);
    for (unsigned i = 0; i < 3; i++)
        assert_string_equal(engine_rig_event(rig, EVENT_ENGINE_ERROR, i)->text, name);
    assert_int_equal(rig->interrupts, 3);
    assert_int_equal(engine_rig_count(rig, EVENT_ENGINE_DONE), 0);
    assert_int_equal(pixel(rig, 0, 0), 0);
}

static void allowed(struct engine_rig *rig, unsigned id) {
    rig->events = 0;
    fill(rig, id, 1);
    assert_int_equal(engine_rig_count(rig, EVENT_ENGINE_ERROR), 0);
    assert_int_equal(engine_rig_count(rig, EVENT_ENGINE_DONE), 1);
}

/* ---- refusals ---- */

static void formats_are_the_classes_own(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = begin(&rig, "G80");
    send(&rig, id, 0, 0x200, 0xc6);
    refused(&rig, id, "ENG2D_FORMAT_MISMATCH");
    send(&rig, id, 0, 0x200, 0x1d); /* a source's only */
    refused(&rig, id, "ENG2D_FORMAT_MISMATCH");
    engine_rig_stop(&rig);
    id = begin(&rig, "GF100");
    send(&rig, id, 0, 0x200, 0xc6);
    allowed(&rig, id);
    send(&rig, id, 0, 0x200, 0xc1);
    refused(&rig, id, "ENG2D_FORMAT_MISMATCH");
    engine_rig_stop(&rig);
}

static void operations_are_for_normalised_words(void **state) {
    (void)state;
    static const char *const chips[] = {"G80", "GK104"};
    struct engine_rig rig;
    for (unsigned i = 0; i < 2; i++) {
        unsigned id = begin(&rig, chips[i]);
        send(&rig, id, 0, 0x200, 0xe5);
        send(&rig, id, 0, 0x2ac, 4);
        refused(&rig, id, "ENG2D_OPERATION_ILLEGAL_FOR_DST_FORMAT");
        send(&rig, id, 0, 0x2ac, 3);
        allowed(&rig, id);
        send(&rig, id, 0, 0x2ac, 7);
        refused(&rig, id, "INVALID_OPERATION");
        engine_rig_stop(&rig);
    }
}

static void fermi_wants_aligned_pitches(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = begin(&rig, "GF100");
    send(&rig, id, 0, 0x214, 248);
    refused(&rig, id, "ENG2D_PITCH_UNALIGNED");
    engine_rig_stop(&rig);
    id = begin(&rig, "GT215");
    send(&rig, id, 0, 0x214, 248);
    allowed(&rig, id);
    engine_rig_stop(&rig);
}

static void sizes_and_blocks_have_limits(void **state) {
    (void)state;
    static const char *const chips[] = {"G80", "GP102"};
    struct engine_rig rig;
    for (unsigned i = 0; i < 2; i++) {
        unsigned id = begin(&rig, chips[i]);
        send(&rig, id, 0, 0x218, 0x10001);
        refused(&rig, id, "INVALID_VALUE");
        send(&rig, id, 0, 0x218, 0x10000);
        allowed(&rig, id);
        send(&rig, id, 0, 0x204, 0, 0x60);
        refused(&rig, id, "INVALID_BITFIELD");
        send(&rig, id, 0, 0x208, 0x50);
        send(&rig, id, 0, 0x218, 64);
        allowed(&rig, id);
        engine_rig_stop(&rig);
    }
}

static void colours_have_formats_of_their_own(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = begin(&rig, "G80");
    send(&rig, id, 0, 0x584, 0xc0);
    fill(&rig, id, 1);
    assert_event(&rig, EVENT_ENGINE_ERROR, 0, "ENG2D_FORMAT_MISMATCH", 0x502d, 0x60c);
    send(&rig, id, 0, 0x804, 0xd0);
    upload(&rig, id, 1);
    assert_event(&rig, EVENT_ENGINE_ERROR, 1, "ENG2D_FORMAT_MISMATCH", 0x502d, 0x85c);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 2); /* the words are dropped */
    assert_int_equal(pixel(&rig, 0, 0), 0);
    engine_rig_stop(&rig);
    id = begin(&rig, "GF100"); /* has colours of 128 bits */
    send(&rig, id, 0, 0x200, 0xc0);
    send(&rig, id, 0, 0x540, 11, 12, 13, 14);
    send(&rig, id, 0, 0x584, 0xc0);
    fill(&rig, id, 1);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(pixel(&rig, i, 0), 11 + i);
    engine_rig_stop(&rig);
}

static void there_are_five_shapes(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = begin(&rig, "GF100");
    send(&rig, id, 0, 0x580, 5);
    send(&rig, id, 0, 0x5e0, 0);
    assert_event(&rig, EVENT_ENGINE_ERROR, 0, "INVALID_ENUM", 0x902d, 0x5e0);
    engine_rig_stop(&rig);
}

static void pixels_of_a_bit_are_not_executed(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = begin(&rig, "GF100");
    send(&rig, id, 0, 0x200, 0x1c);
    fill(&rig, id, 1);
    assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, "", 0x902d, 0x60c);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 0);
    engine_rig_stop(&rig);
}

/* ---- conditions ---- */

static void draws(struct engine_rig *rig, unsigned id, bool drawn) {
    engine_rig_wr32(rig, DST + 4, 33);
    for (unsigned way = 0; way < 3; way++) {
        engine_rig_wr32(rig, DST, 0);
        if (way == 0)
            fill(rig, id, 33);
        else if (way == 1)
            upload(rig, id, 33);
        else
            blit(rig, id, 1);
        assert_int_equal(pixel(rig, 0, 0), drawn ? 33 : 0);
    }
}

static void conditions_hold_for_all_draws(void **state) {
    (void)state;
    static const char *const chips[] = {"G80", "GF100", "GP102"};
    struct engine_rig rig;
    for (unsigned i = 0; i < 3; i++) {
        unsigned id = begin(&rig, chips[i]);
        draws(&rig, id, true); /* without a word about conditions */
        send(&rig, id, 0, 0x26c, 0);
        draws(&rig, id, false);
        send(&rig, id, 0, 0x264, 0, is_tesla(&rig) ? 0x100 : 0x40100, 4); /* Tesla: object 4, set in begin() */
        draws(&rig, id, false);
        engine_rig_wr32(&rig, 0x40110, 1);
        draws(&rig, id, true);
        if (!is_tesla(&rig)) {
            send(&rig, id, 0, 0x2dc, 2);
            draws(&rig, id, false);
            send(&rig, id, 0, 0x26c, 0);
            send(&rig, id, 0, 0x2dc, 1);
            draws(&rig, id, true);
            send(&rig, id, 0, 0x138, 0); /* the other condition, of all classes */
            draws(&rig, id, true);
            send(&rig, id, 0, 0x26c, 1);
            send(&rig, id, 0, 0x2dc, 0);
            draws(&rig, id, false);
        }
        engine_rig_stop(&rig);
    }
}

/* ---- long draws ---- */

/* Offers until it is taken; how many. */
static unsigned offers(struct engine_rig *rig, unsigned id, uint32_t method, uint32_t data) {
    unsigned count = 1;
    while (engine_rig_offer(rig, id, 0, method, 4, &data, 1) != 1)
        assert_true(count++ < 10000);
    return count;
}

/* 1024 x 4000 pixels, which lie in one and the same row. */
static void large_draws_come_in_slices(void **state) {
    (void)state;
    static const char *const chips[] = {"G80", "GF100"};
    struct engine_rig rig;
    for (unsigned i = 0; i < 2; i++) {
        unsigned id = begin(&rig, chips[i]);
        send(&rig, id, 0, 0x214, 0, 1024, 4000);
        send(&rig, id, 0, 0x580, 4, 0xcf, 77);
        send(&rig, id, 0, 0x600, 0, 0, 1024);
        assert_in_range(offers(&rig, id, 0x60c, 4000), 10, 100);
        assert_int_equal(pixel(&rig, 255, 3), 77);
        send(&rig, id, 0, 0x838, 1, 1, 0, 1024, 0, 4000, 0, 0, 0, 0);
        assert_in_range(offers(&rig, id, 0x860, 78), 100, 1000); /* a pixel of it costs more */
        assert_int_equal(pixel(&rig, 255, 3), 78);
        send(&rig, id, 0, 0x8b0, 0, 0, 1024, 4000, 0, 1, 0, 1, 0, 0, 0);
        assert_in_range(offers(&rig, id, 0x8dc, 0), 100, 1000); /* rows that may overlap, too */
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 3);
        for (unsigned n = 0; n < 3; n++)
            assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, n)->value[3], 1024 * 4000 * 4);
        assert_int_equal(offers(&rig, id, 0x860, 79), 1); /* beyond the upload's end */
        assert_int_equal(pixel(&rig, 0, 0), 78);
        engine_rig_stop(&rig);
    }
}

static void coordinates_may_be_anything(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = begin(&rig, "GK104");
    for (uint32_t mode = 1; mode < 5; mode++) {
        engine_rig_wr32(&rig, DST + 20 * 4, 0);
        send(&rig, id, 0, 0x580, mode, 0xcf, mode);
        send(&rig, id, 0, 0x600, 0x80000000, 0x80000000, 0x7fffffff, 0x7fffffff, 0x7fffffff, 0x80000000);
        assert_int_equal(pixel(&rig, 5, 5), mode);
    }
    send(&rig, id, 0, 0x8b0, 0x80000000, 0x80000000, 0x7fffffff, 0x7fffffff);
    send(&rig, id, 0, 0x8b0, 0, 0, 0x7fffffff, 0x7fffffff, 0xffffffff, 0x7fffffff, 0xffffffff, 0x7fffffff, 0xffffffff,
         0x7fffffff, 0xffffffff, 0x7fffffff);
    send(&rig, id, 0, 0x838, 0xffffffff, 0xffffffff, 0xffffffff, 0x7fffffff, 0, 0x80000000, 0, 0x80000000, 0,
         0x80000000);
    send(&rig, id, 0, 0x860, 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FAULT), 0);
    engine_rig_stop(&rig);
}

/* ---- faults ---- */

static void a_fault_ends_a_draw(void **state) {
    (void)state;
    static const char *const chips[] = {"G80", "GF100"};
    struct engine_rig rig;
    for (unsigned i = 0; i < 2; i++) {
        unsigned id = begin(&rig, chips[i]);
        send(&rig, id, 0, 0x214, 0x10000, 16, 16); /* the second row, or the sixth, is nowhere */
        send(&rig, id, 0, 0x580, 4, 0xcf, 5);
        send(&rig, id, 0, 0x600, 0, 0, 16, 16);
        assert_int_equal(rig.faults, 1);
        assert_int_equal(pixel(&rig, 15, 0), 5);
        send(&rig, id, 0, 0x838, 16, 16, 0, 1, 0, 1, 0, 0, 0, 0);
        static const uint32_t words[256];
        sent(&rig, id, 0, 0x860, 0, words, 256);
        assert_int_equal(rig.faults, 2);
        assert_int_equal(pixel(&rig, 15, 0), 0);
        send(&rig, id, 0, 0x8b0, 0, 0, 16, 16, 0, 1, 0, 1, 0, 0, 0, 0);
        assert_int_equal(rig.faults, 3);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 0);
        send(&rig, id, 0, 0x214, 256);
        allowed(&rig, id);
        engine_rig_stop(&rig);
    }
}

/* ---- vertices ---- */

static void a_new_mode_forgets_vertices(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = begin(&rig, "G80");
    send(&rig, id, 0, 0x580, 4, 0xcf, 5);
    send(&rig, id, 0, 0x600, 0, 0);
    send(&rig, id, 0, 0x580, 4);
    send(&rig, id, 0, 0x5e0, 0x00010001, 0); /* the second word is nothing's */
    assert_int_equal(pixel(&rig, 0, 0), 0);
    send(&rig, id, 0, 0x5e0, 0x00020003);
    assert_int_equal(pixel(&rig, 1, 1), 5);
    assert_int_equal(pixel(&rig, 2, 1), 5);
    assert_int_equal(pixel(&rig, 0, 0), 0);
    send(&rig, id, 0, 0x588, 6);
    send(&rig, id, 0, 0x5e0, 0xfffeffff); /* -1, -2 */
    send(&rig, id, 0, 0x5e0, 0x00010001);
    assert_int_equal(pixel(&rig, 0, 0), 6);
    engine_rig_stop(&rig);
}

/* Each vertex of a polyline but the first ends a line, and none is drawn twice or left out. */
static void lines_of_a_polyline_join(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = begin(&rig, "GF100");
    send(&rig, id, 0, 0x2ac, 4);
    send(&rig, id, 0, 0x2a0, 0x66); /* XOR: twice would be as never */
    send(&rig, id, 0, 0x580, 2, 0xcf, 9);
    send(&rig, id, 0, 0x600, 1, 1, 5, 1, 5, 4, 1, 4, 1, 1);
    for (uint32_t y = 0; y < 6; y++)
        for (uint32_t x = 0; x < 7; x++) {
            bool edge = x >= 1 && x <= 5 && y >= 1 && y <= 4 && (x == 1 || x == 5 || y == 1 || y == 4);
            assert_int_equal(pixel(&rig, x, y), edge ? 9 : 0);
        }
    engine_rig_stop(&rig);
}

/* Of triangles that share an edge each pixel is drawn once. */
static void triangles_meet(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = begin(&rig, "GT215");
    send(&rig, id, 0, 0x2ac, 4);
    send(&rig, id, 0, 0x2a0, 0x66);
    send(&rig, id, 0, 0x580, 3, 0xcf, 9);
    send(&rig, id, 0, 0x600, 0, 0, 20, 0, 7, 15);
    send(&rig, id, 0, 0x600, 20, 15, 20, 0, 7, 15);
    send(&rig, id, 0, 0x600, 0, 0, 0, 15, 7, 15);
    for (uint32_t y = 0; y < 16; y++)
        for (uint32_t x = 0; x < 22; x++)
            assert_int_equal(pixel(&rig, x, y), x < 20 && y < 15 ? 9 : 0);
    engine_rig_stop(&rig);
}

/* ---- streams ---- */

/* With OVERRIDE; pieces of a word change places, by what the data is. */
static void big_endian_control_swaps(void **state) {
    (void)state;
    static const struct {
        uint32_t type, format, index, control, word, first;
    } cases[] = {
        {0, 0xcf, 0, 0x14444480, 0x11223344, 0x11223344}, /* as it is at first: words stay, */
        {0, 0xe8, 0, 0x14444480, 0x11223344, 0x1122},     /* halves and bytes change */
        {0, 0xf3, 0, 0x14444480, 0x11223344, 0x11},
        {0, 0xf3, 0, 0x04444480, 0x11223344, 0x44}, /* only if asked for */
        {0, 0xf3, 0, 0x10000200, 0x11223344, 0x11}, /* nibbles */
        {0, 0xf3, 0, 0x10000100, 0x11223344, 0x88}, /* bits */
        {0, 0xf3, 0, 0x10000c00, 0x11223344, 0x33}, /* bytes, then halves */
    };
    struct engine_rig rig;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = begin(&rig, "G80");
        send(&rig, id, 0, 0x200, cases[i].format);
        send(&rig, id, 0, 0x800, cases[i].type, cases[i].format, cases[i].index);
        send(&rig, id, 0, 0x870, cases[i].control);
        send(&rig, id, 0, 0x838, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0);
        send(&rig, id, 0, 0x860, cases[i].word);
        assert_int_equal(pixel(&rig, 0, 0), cases[i].first);
        engine_rig_stop(&rig);
    }
}

/* 100 x 100 pixels, in runs of all lengths, and with other methods between. */
static void an_upload_may_be_cut_anywhere(void **state) {
    (void)state;
    struct engine_rig rig;
    static uint32_t data[10000];
    for (unsigned i = 0; i < 10000; i++)
        data[i] = i * 0x9e3779b1u;
    for (unsigned run = 1; run < 10000; run *= 7) {
        unsigned id = begin(&rig, "GF100");
        send(&rig, id, 0, 0x214, 512, 100, 100);
        send(&rig, id, 0, 0x838, 100, 100, 0, 1, 0, 1, 0, 0, 0, 0);
        for (unsigned at = 0; at < 10000; at += run) {
            unsigned count = 10000 - at < run ? 10000 - at : run;
            sent(&rig, id, 0, 0x860, 0, data + at, count);
            send(&rig, id, 0, 0x100, at);
        }
        for (uint32_t i = 0; i < 10000; i++)
            assert_int_equal(engine_rig_rd32(&rig, DST + i / 100 * 512 + i % 100 * 4), data[i]);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 1);
        engine_rig_stop(&rig);
    }
}

/* ---- surfaces ---- */

/* In a block of two slices the second one is 1 KiB after the first. */
static void only_tesla_sources_have_layers(void **state) {
    (void)state;
    static const char *const chips[] = {"G80", "GF100"};
    struct engine_rig rig;
    for (unsigned i = 0; i < 2; i++) {
        unsigned id = begin(&rig, chips[i]);
        uint32_t slice = is_tesla(&rig) ? 256 : 512;
        engine_rig_wr32(&rig, DST, 1);
        engine_rig_wr32(&rig, DST + slice, 2);
        send(&rig, id, 0, 0x204, 0, 0x100, 2, 1);
        send(&rig, id, 0, 0x218, 16, 4);
        send(&rig, id, 0, 0x234, 0, 0x100, 2, 1);
        send(&rig, id, 0, 0x248, 16, 4);
        send(&rig, id, 0, 0x8b0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0);
        assert_int_equal(engine_rig_rd32(&rig, DST + slice + 4), is_tesla(&rig) ? 2 : 1);
        engine_rig_stop(&rig);
    }
}

/* Fermi lets a program say the order; then rows that are read may have been written. */
static void a_program_may_choose_the_direction(void **state) {
    (void)state;
    struct engine_rig rig;
    for (unsigned upwards = 0; upwards < 2; upwards++) {
        unsigned id = begin(&rig, "GF100");
        for (uint32_t y = 0; y < 4; y++)
            engine_rig_wr32(&rig, DST + y * 256, y + 1);
        send(&rig, id, 0, 0x888, 1);
        send(&rig, id, 0, 0x2e0, upwards ? 0x20 : 0x10);
        send(&rig, id, 0, 0x8b0, 0, 1, 1, 3, 0, 1, 0, 1, 0, 0, 0, 0);
        for (uint32_t y = 0; y < 4; y++)
            assert_int_equal(pixel(&rig, 0, y), y == 0 || !upwards ? 1 : y);
        engine_rig_stop(&rig);
    }
}

/* ---- state ---- */

struct bytes {
    uint8_t *data;
    size_t count;
};

static bool keep(void *opaque, const void *data, size_t bytes) {
    struct bytes *kept = opaque;
    kept->data = realloc(kept->data, kept->count + bytes);
    assert_non_null(kept->data);
    memcpy(kept->data + kept->count, data, bytes);
    kept->count += bytes;
    return true;
}

/* Vertices that wait, an upload that is half there, and the colour pattern. */
static void a_restored_draw_goes_on(void **state) {
    (void)state;
    struct engine_rig one, other;
    struct bytes bytes = {0};
    unsigned id = begin(&one, "GF100");
    assert_int_equal(begin(&other, "GF100"), id);
    send(&one, id, 0, 0x304, 0x00ff00);
    send(&one, id, 0, 0x580, 2, 0xcf, 5);
    send(&one, id, 0, 0x600, 0, 3, 2, 3);
    send(&one, id, 0, 0x838, 2, 2, 0, 1, 0, 1, 0, 0, 0, 0);
    sent(&one, id, 0, 0x860, 0, WORDS(1, 2, 3));
    const struct fifo_engine *from = &one.fifo.engines[id], *to = &other.fifo.engines[id];
    assert_int_equal(from->ops->save(from->engine, keep, &bytes, NULL), PFIFO_OK);
    assert_int_equal(to->ops->load(to->engine, bytes.data, bytes.count, NULL), PFIFO_OK);
    free(bytes.data);
    send(&other, id, 0, 0x860, 4);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(pixel(&other, i % 2, i / 2), i + 1);
    send(&other, id, 0, 0x600, 4, 3);
    assert_int_equal(pixel(&other, 2, 3), 5);
    assert_int_equal(pixel(&other, 3, 3), 5);
    send(&other, id, 0, 0x2b4, 3);
    send(&other, id, 0, 0x2a0, 0xf0);
    send(&other, id, 0, 0x2ac, 4);
    send(&other, id, 0, 0x580, 0);
    send(&other, id, 0, 0x600, 1, 8);
    assert_int_equal(pixel(&other, 1, 8), 0xff00ff00);
    engine_rig_stop(&one);
    engine_rig_stop(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats_are_the_classes_own),
        cmocka_unit_test(operations_are_for_normalised_words),
        cmocka_unit_test(fermi_wants_aligned_pitches),
        cmocka_unit_test(sizes_and_blocks_have_limits),
        cmocka_unit_test(colours_have_formats_of_their_own),
        cmocka_unit_test(there_are_five_shapes),
        cmocka_unit_test(pixels_of_a_bit_are_not_executed),
        cmocka_unit_test(conditions_hold_for_all_draws),
        cmocka_unit_test(large_draws_come_in_slices),
        cmocka_unit_test(coordinates_may_be_anything),
        cmocka_unit_test(a_fault_ends_a_draw),
        cmocka_unit_test(a_new_mode_forgets_vertices),
        cmocka_unit_test(lines_of_a_polyline_join),
        cmocka_unit_test(triangles_meet),
        cmocka_unit_test(big_endian_control_swaps),
        cmocka_unit_test(an_upload_may_be_cut_anywhere),
        cmocka_unit_test(only_tesla_sources_have_layers),
        cmocka_unit_test(a_program_may_choose_the_direction),
        cmocka_unit_test(a_restored_draw_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
