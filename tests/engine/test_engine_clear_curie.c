/* SPDX-License-Identifier: MIT */
/* Clears of Kelvin, Rankine and Curie, against a loop over pixels. */
#include "check.h"

#include <stdlib.h>

#include "reference/surface.h"
#include "rounds.h"

#define REGION 0x10000u
#define ROUNDS 1500u
#define CLEAR  0x1d94u

struct family {
    const char *chip;
    uint32_t object_class;
    unsigned targets;
    bool has_zeta_pitch, is_kelvin;
};

struct scene {
    struct engine_rig rig;
    const struct family *family;
    uint64_t state;
    unsigned id;
    uint8_t memory[6][REGION]; /* of DMA objects 1 .. 5: four colours, depth */
    uint32_t width, height, x, y, clip_x, clip_y, clip_w, clip_h, rect[4];
    uint32_t format, enable, data, color, zeta, stencil_mask, across, down;
    bool swizzled;
    unsigned log2_width, log2_height;
};

static uint32_t draw(struct scene *s, uint32_t below) {
    s->state = s->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((s->state >> 33) % below);
}

static void set(struct scene *s, uint32_t method, uint32_t value) {
    assert_int_equal(engine_rig_send(&s->rig, s->id, 0, method, 4, &value, 1), 1);
}

/* Colour formats: bytes and the bits of B, G, R, A. */
static const struct {
    uint32_t code, bytes, bits[4];
} formats[] = {
    {0x03, 2, {0xf800, 0x07e0, 0x001f, 0}},
    {0x05, 4, {0x00ff0000, 0x0000ff00, 0x000000ff, 0}},
    {0x08, 4, {0x00ff0000, 0x0000ff00, 0x000000ff, 0xff000000}},
    {0x09, 1, {0, 0, 0xff, 0}},
};

/* One of 64 x 64 samples at most, so that a target of words fits. */
static void choose(struct scene *s) {
    static const uint32_t samples[3][3] = {{0, 1, 1}, {3, 2, 1}, {4, 2, 2}}, kelvin[3] = {0, 1, 2};
    unsigned pick = draw(s, 3);
    s->format = draw(s, 4);
    s->swizzled = draw(s, 2);
    s->across = samples[pick][1], s->down = samples[pick][2];
    s->log2_width = 1 + draw(s, 5), s->log2_height = 1 + draw(s, 5);
    s->width = 1 + draw(s, 32), s->height = 1 + draw(s, 32);
    s->x = draw(s, 4), s->y = draw(s, 4);
    s->clip_x = draw(s, 8), s->clip_y = draw(s, 8), s->clip_w = draw(s, 40), s->clip_h = draw(s, 40);
    for (unsigned i = 0; i < 4; i++)
        s->rect[i] = draw(s, i < 2 ? 8 : 40);
    s->enable = draw(s, 16);
    s->data = draw(s, 2) ? 0xf3 : draw(s, 256);
    s->color = draw(s, 0x7fffffff) * 2, s->zeta = draw(s, 0x7fffffff) * 2;
    s->stencil_mask = draw(s, 2) ? 0xff : draw(s, 256);
    uint32_t zeta = draw(s, 3), aa = s->family->is_kelvin ? kelvin[pick] : samples[pick][0];
    set(s, 0x208,
        formats[s->format].code | zeta << (s->family->is_kelvin ? 4 : 5) | (s->swizzled ? 0x200 : 0x100) | aa << 12 |
            s->log2_width << 16 | s->log2_height << 24);
}

static void tell(struct scene *s) {
    static const uint16_t colors[4][3] = {
        {0x194, 0x210, 0x20c}, {0x18c, 0x218, 0x21c}, {0x1b4, 0x288, 0x280}, {0x1b8, 0x28c, 0x284}};
    set(s, 0x200, s->x | s->width << 16);
    set(s, 0x204, s->y | s->height << 16);
    set(s, 0x8c0, s->clip_x | s->clip_w << 16);
    set(s, 0x8c4, s->clip_y | s->clip_h << 16);
    set(s, 0x1d98, s->rect[0] | s->rect[2] << 16);
    set(s, 0x1d9c, s->rect[1] | s->rect[3] << 16);
    for (unsigned i = 0; i < s->family->targets; i++) {
        set(s, colors[i][0], i + 1);
        set(s, colors[i][1], 256 * i);
        set(s, colors[i][2], 320);
    }
    set(s, 0x198, 5);
    set(s, 0x214, 512);
    if (s->family->has_zeta_pitch)
        set(s, 0x22c, 384);
    else
        set(s, 0x20c, 320 | 384 << 16);
    set(s, 0x220, s->enable);
    set(s, s->family->is_kelvin ? 0x360 : 0x32c, s->stencil_mask);
    set(s, 0x1d8c, s->zeta);
    set(s, 0x1d90, s->color);
}

/* ---- the reference ---- */

static bool wanted(const struct scene *s, uint32_t x, uint32_t y) {
    const uint32_t *r = s->rect;
    bool in_rect = x >= r[0] && y >= r[1] && x < r[0] + r[2] && y < r[1] + r[3];
    if (s->family->is_kelvin)
        in_rect = x >= r[0] && y >= r[1] && x <= r[2] && y <= r[3];
    bool in_scissor = x >= s->clip_x && y >= s->clip_y && x < s->clip_x + s->clip_w && y < s->clip_y + s->clip_h;
    return in_rect && (in_scissor || s->family->is_kelvin) && x >= s->x && y >= s->y && x < s->x + s->width &&
           y < s->y + s->height;
}

static void write_bits(uint8_t *at, uint32_t bytes, uint32_t value, uint32_t mask) {
    for (uint32_t i = 0; i < bytes; i++, value >>= 8, mask >>= 8)
        at[i] = (uint8_t)((at[i] & ~mask) | (value & mask));
}

static void expect(struct scene *s, unsigned object, uint64_t address, uint32_t pitch, uint32_t bytes, uint32_t value,
                   uint32_t mask) {
    uint32_t w = s->swizzled ? s->across << s->log2_width : 200, h = s->swizzled ? s->down << s->log2_height : 200;
    struct layout layout = {.type = LAYOUT_PITCH, .pitch = pitch, .depth = 1};
    if (s->swizzled)
        layout = (struct layout){
            .type = LAYOUT_SWIZZLED, .width = w, .height = h, .depth = 1, .element_bytes = (uint8_t)bytes};
    for (uint32_t y = 0; y < h; y++)
        for (uint32_t x = 0; x < w; x++)
            if (wanted(s, x / s->across, y / s->down))
                write_bits(s->memory[object] + address + reference_surface_offset(&layout, (uint64_t)x * bytes, y, 0),
                           bytes, value, mask);
}

static uint32_t color_mask(const struct scene *s) {
    uint32_t mask = 0;
    for (unsigned i = 0; i < 4; i++)
        mask |= s->data >> (4 + i) & 1 ? formats[s->format].bits[i] : 0;
    if (formats[s->format].code == 5 && mask == 0xffffff)
        mask = 0xffffffff;
    return mask;
}

static void reference(struct scene *s) {
    uint32_t enable = s->family->is_kelvin ? 1 : s->enable, mask = color_mask(s);
    uint32_t zeta = engine_rig_value(&s->rig, s->id, s->family->object_class, 0x208) >> (s->family->is_kelvin ? 4 : 5);
    for (unsigned i = 0; i < s->family->targets; i++)
        if (enable >> i & 1)
            expect(s, i + 1, 256ull * i, 320, formats[s->format].bytes, s->color, mask);
    zeta &= 3;
    if (zeta == 1)
        expect(s, 5, 512, 384, 2, s->zeta, s->data & 1 ? 0xffff : 0);
    if (zeta == 2)
        expect(s, 5, 512, 384, 4, s->zeta, (s->data & 1 ? 0xffffff00 : 0) | (s->data & 2 ? s->stencil_mask : 0));
}

static void compare(struct scene *s, unsigned round) {
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    static uint8_t found[REGION];
    for (unsigned object = 1; object <= 5; object++) {
        assert_true(memory_read(&s->rig.memory, &vram, object * REGION, found, REGION, NULL));
        for (uint32_t i = 0; i < REGION; i++)
            if (found[i] != s->memory[object][i])
                fail_msg("%s, round %u, object %u: %04x has %02x, not %02x", s->family->chip, round, object, i,
                         found[i], s->memory[object][i]);
    }
}

static void play_family(const struct family *family) {
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    struct scene *s = calloc(1, sizeof *s);
    assert_non_null(s);
    s->family = family;
    s->state = family->object_class;
    assert_true(engine_rig_start(&s->rig, family->chip));
    s->id = engine_rig_id(&s->rig, CHIP_UNIT_PGRAPH);
    assert_true(engine_rig_bind(&s->rig, s->id, 0, family->object_class));
    for (unsigned object = 1; object <= 5; object++) {
        for (uint32_t i = 0; i < REGION; i++)
            s->memory[object][i] = (uint8_t)draw(s, 256);
        assert_true(memory_write(&s->rig.memory, &vram, object * REGION, s->memory[object], REGION, NULL));
    }
    for (unsigned round = 0, rounds = (unsigned)rounds_wanted(ROUNDS); round < rounds; round++) {
        choose(s);
        tell(s);
        reference(s);
        set(s, CLEAR, s->data);
        compare(s, round);
    }
    assert_int_equal(s->rig.faults, 0);
    engine_rig_stop(&s->rig);
    free(s);
}

static void clears_of_kelvin_are_those_of_the_reference(void **state) {
    (void)state;
    play_family(&(struct family){"NV20", 0x0097, 1, false, true});
}

static void clears_of_rankine_are_those_of_the_reference(void **state) {
    (void)state;
    play_family(&(struct family){"NV30", 0x0397, 2, false, false});
    play_family(&(struct family){"NV36", 0x0497, 2, false, false});
}

static void clears_of_curie_are_those_of_the_reference(void **state) {
    (void)state;
    play_family(&(struct family){"NV40", 0x4097, 4, true, false});
    play_family(&(struct family){"NV44", 0x4497, 4, true, false});
}

/* ---- by name ---- */

/* Formats b, c and d. Depth is cleared all the same. */
static void floating_point_colors_are_not_cleared(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097);
    send(&rig, id, 0, 0x194, 1, 2);
    send(&rig, id, 0, 0x200, 4 << 16, 4 << 16);
    send(&rig, id, 0, 0x20c, 64);
    send(&rig, id, 0, 0x220, 1);
    send(&rig, id, 0, 0x22c, 64);
    for (uint32_t format = 0xb; format <= 0xd; format++) {
        send(&rig, id, 0, 0x208, 0x140 | format);
        send(&rig, id, 0, 0x1d8c, format << 8, 0xffffffff, 0xf1);
        assert_int_equal(engine_rig_rd32(&rig, 0x10000), 0);
        assert_int_equal(engine_rig_rd32(&rig, 0x20000), format << 8);
    }
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 3);
    engine_rig_stop(&rig);
}

/* As many calls as its lines need, and one event. */
static void a_large_clear_goes_in_slices(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097), calls = 1;
    const uint32_t data = 0x3;
    send(&rig, id, 0, 0x198, 2);
    send(&rig, id, 0, 0x200, 16384 << 16, 40 << 16, 0x148);
    send(&rig, id, 0, 0x8c0, 0x7fff0000, 0x7fff0000);
    while (engine_rig_offer(&rig, id, 0, CLEAR, 4, &data, 1) == 0)
        calls++;
    assert_int_equal(calls, 3);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 1);
    engine_rig_stop(&rig);
}

static void every_color_target_has_a_pitch_of_its_own(void **state) {
    (void)state;
    static const struct {
        uint32_t object, pitch;
    } targets[] = {{0x194, 0x20c}, {0x18c, 0x21c}, {0x1b4, 0x280}, {0x1b8, 0x284}};
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097);
    send(&rig, id, 0, 0x200, 1 << 16, 2 << 16, 0x108);
    send(&rig, id, 0, 0x220, 15);
    for (uint32_t i = 0; i < 4; i++) {
        send(&rig, id, 0, targets[i].object, i + 1);
        send(&rig, id, 0, targets[i].pitch, 64 << i);
    }
    send(&rig, id, 0, 0x1d90, 0xffffffff, 0xf0);
    for (uint32_t i = 0; i < 4; i++)
        for (uint32_t offset = 64; offset <= 512; offset *= 2)
            assert_int_equal(engine_rig_rd32(&rig, (i + 1) * 0x10000 + offset), offset == 64u << i ? 0xffffffff : 0);
    engine_rig_stop(&rig);
}

/* Its method at 0x1e98 is another one. */
static void kelvin_has_no_condition(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV20", CHIP_UNIT_PGRAPH, 0x0097);
    send(&rig, id, 0, 0x194, 1);
    send(&rig, id, 0, 0x200, 4 << 16, 2 << 16, 0x108, 64);
    send(&rig, id, 0, 0x1d90, 0xffffffff);
    send(&rig, id, 0, 0x1e98, 0x02000000);
    send(&rig, id, 0, CLEAR, 0xf0);
    assert_int_equal(engine_rig_rd32(&rig, 0x10000), 0xffffffff);
    assert_int_equal(rig.faults, 0);
    engine_rig_stop(&rig);
}

static void a_new_context_bounds_a_clear_by_its_size_alone(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097);
    send(&rig, id, 0, 0x194, 1);
    send(&rig, id, 0, 0x200, 4 << 16, 2 << 16, 0x108, 64);
    send(&rig, id, 0, 0x220, 1);
    send(&rig, id, 0, 0x1d90, 0xffffffff);
    send(&rig, id, 0, CLEAR, 0xf0);
    assert_int_equal(engine_rig_rd32(&rig, 0x1004c), 0xffffffff);
    assert_int_equal(engine_rig_rd32(&rig, 0x10050), 0);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 0)->value[3], 32);
    engine_rig_stop(&rig);
}

static void a_condition_looks_at_the_count_of_a_query(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097);
    send(&rig, id, 0, 0x194, 1);
    send(&rig, id, 0, 0x1a8, 2);
    send(&rig, id, 0, 0x200, 4 << 16, 2 << 16, 0x108, 64);
    send(&rig, id, 0, 0x220, 1);
    send(&rig, id, 0, 0x1e98, 0x02000100);
    send(&rig, id, 0, CLEAR, 0xf0);
    assert_int_equal(rig.events, 0);
    engine_rig_wr32(&rig, 0x20108, 1);
    send(&rig, id, 0, CLEAR, 0xf0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 1);
    engine_rig_wr32(&rig, 0x20108, 0);
    send(&rig, id, 0, 0x1e98, 0x01000000);
    send(&rig, id, 0, CLEAR, 0xf0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 2);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clears_of_kelvin_are_those_of_the_reference),
        cmocka_unit_test(clears_of_rankine_are_those_of_the_reference),
        cmocka_unit_test(clears_of_curie_are_those_of_the_reference),
        cmocka_unit_test(floating_point_colors_are_not_cleared),
        cmocka_unit_test(a_large_clear_goes_in_slices),
        cmocka_unit_test(every_color_target_has_a_pitch_of_its_own),
        cmocka_unit_test(kelvin_has_no_condition),
        cmocka_unit_test(a_new_context_bounds_a_clear_by_its_size_alone),
        cmocka_unit_test(a_condition_looks_at_the_count_of_a_query),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
