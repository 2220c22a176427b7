/* SPDX-License-Identifier: MIT */
/* Clears of clip ids, and what clears find in a new context. */
#include "check.h"
#include "reference/surface.h"

#define TARGET 0x4000u

/* A byte for each pixel, in blocks; [15:0] first, [31:16] end. */
static void clip_ids_are_bytes_in_blocks(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t object_class;
    } chips[] = {{"GF100", 0x9097}, {"GM20B", 0xb197}, {"GH100", 0xcb97}};
    for (unsigned i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        struct engine_rig rig;
        unsigned id = start(&rig, chips[i].chip, CHIP_UNIT_PGRAPH, chips[i].object_class);
        struct layout layout = {.type = LAYOUT_BLOCK,
                                .width = 128,
                                .height = 40,
                                .depth = 1,
                                .block_height = 1,
                                .order = rig.fifo.chip->gob_order};
        send(&rig, id, 0, 0xff4, 100 << 16 | 3, 35 << 16 | 2); /* 3 .. 102, 2 .. 36 */
        send(&rig, id, 0, 0xfcc, 0xffffff00, TARGET);
        send(&rig, id, 0, 0x2d8, 0x10);
        send(&rig, id, 0, 0x1504, 40, 120 << 16 | 10, 30 << 16 | 1);
        send(&rig, id, 0, 0x1980, 128);
        send(&rig, id, 0, 0x19d4, 0xa5);
        for (uint32_t y = 0; y < 40; y++) {
            for (uint32_t x = 0; x < 128; x++) {
                uint64_t at = TARGET + reference_surface_offset(&layout, x, y, 0);
                bool inside = x >= 10 && x < 103 && y >= 2 && y < 30;
                assert_int_equal(engine_rig_rd32(&rig, at & ~3ull) >> (at & 3) * 8 & 0xff, inside ? 0xa5 : 0);
            }
        }
        assert_event(&rig, EVENT_ENGINE_DONE, 0, "clear", chips[i].object_class, 0x19d4);
        assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 0)->value[3], 93 * 28);
        engine_rig_stop(&rig);
    }
}

/* A new context has 128 by 128 of them, in one block, and nothing but the screen bounds their clear. */
static void clip_ids_of_a_new_context_have_a_size(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(&rig, id, 0, 0xff4, 0xffff0000, 0xffff0000);
    send(&rig, id, 0, 0xfcc, 0, TARGET);
    send(&rig, id, 0, 0x1558, 0);
    send(&rig, id, 0, 0x19d4, 1);
    assert_int_equal(rig.events, 0);
    send(&rig, id, 0, 0x1558, 1);
    send(&rig, id, 0, 0x19d4, 1);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 0)->value[3], 128 * 128);
    for (uint32_t at = 0; at < 128 * 128; at += 4)
        assert_int_equal(engine_rig_rd32(&rig, TARGET + at), 0x01010101);
    assert_int_equal(engine_rig_rd32(&rig, TARGET + 128 * 128), 0);
    engine_rig_stop(&rig);
}

/* As in nouveau's contexts, seven of eight windows that nobody has set are inside and hide the other one. */
static void windows_of_a_new_context_are_open(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(&rig, id, 0, 0x800, 0, TARGET, 64 * 4, 16, 0xd5, 0x1000, 1, 0, 0);
    send(&rig, id, 0, 0xff4, 0xffff0000, 0xffff0000);
    send(&rig, id, 0, 0xd80, 0x3f800000);
    send(&rig, id, 0, 0x10f8, 0);
    send(&rig, id, 0, 0xd00, 1 << 16, 1 << 16);
    send(&rig, id, 0, 0x194c, 1, 1); /* outside all */
    send(&rig, id, 0, 0x19d0, 0x3c);
    assert_int_equal(engine_rig_rd32(&rig, TARGET + 4), 0);
    send(&rig, id, 0, 0x1950, 0);
    send(&rig, id, 0, 0x19d0, 0x3c);
    assert_int_equal(engine_rig_rd32(&rig, TARGET + 4), 0xff);
    engine_rig_stop(&rig);
}

/* Of all eight, and of depth, though only the first colour target has a format. */
static void targets_of_a_new_context_have_a_size(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GK104", CHIP_UNIT_PGRAPH, 0xa097);
    for (uint32_t at = 0x800; at < 0xa00; at += 64) {
        assert_int_equal(engine_rig_value(&rig, id, 0xa097, at + 8), 0x400);
        assert_int_equal(engine_rig_value(&rig, id, 0xa097, at + 12), 0x300);
        assert_int_equal(engine_rig_value(&rig, id, 0xa097, at + 16), at == 0x800 ? 0xcf : 0);
        assert_int_equal(engine_rig_value(&rig, id, 0xa097, at + 20), 0x40);
    }
    engine_rig_stop(&rig);
    id = start(&rig, "G84", CHIP_UNIT_PGRAPH, 0x8297);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(engine_rig_value(&rig, id, 0x8297, 0x1240 + 8 * i), 0x400);
        assert_int_equal(engine_rig_value(&rig, id, 0x8297, 0x1244 + 8 * i), 0x300);
        assert_int_equal(engine_rig_value(&rig, id, 0x8297, 0x208 + 32 * i), i == 0 ? 0xcf : 0);
        assert_int_equal(engine_rig_value(&rig, id, 0x8297, 0x20c + 32 * i), 0x40);
        assert_int_equal(engine_rig_value(&rig, id, 0x8297, 0xd00 + 8 * i), 0x20000000);
    }
    assert_int_equal(engine_rig_value(&rig, id, 0x8297, 0x1538), 1);
    assert_int_equal(engine_rig_value(&rig, id, 0x8297, 0xfe8), 0x14);
    assert_int_equal(engine_rig_value(&rig, id, 0x8297, 0x1228), 0x400);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clip_ids_are_bytes_in_blocks),
        cmocka_unit_test(clip_ids_of_a_new_context_have_a_size),
        cmocka_unit_test(windows_of_a_new_context_are_open),
        cmocka_unit_test(targets_of_a_new_context_have_a_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
