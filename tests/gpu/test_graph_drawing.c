/* SPDX-License-Identifier: MIT */
/*
 * Registers of PGRAPH of NV1 .. NV4x that are more than storage: what is lost while FIFO access is on, what a reset or
 * a change of the object takes away, what a write does to other registers.
 *
 * What is expected is from envytools hwtest/pgraph_scan.cc, pgraph_state.cc, pgraph_mthd.cc, nvhw/pgraph.c.
 */
#include "nv3.h"

#include "differential/choice.h"
#include "unit/graph/graph.h"
#include "unit/graph/graph_error.h"

#define BLIT     0x10u
#define IMAGE    0x11u
#define INSTANCE 0x2000u
#define PLAIN    0x304u /* both types have it */

enum {
    DEBUG_0 = 0x400080,
    DEBUG_1 = 0x400084,
    DEBUG_2 = 0x400088,
    DEBUG_3 = 0x40008c,
    CTX_SWITCH = 0x400180,
    CTX_CACHE = 0x4001a0,
};

static struct pfifo_gpu *make(const char *chip) {
    const struct pfifo_config config = {
        .chip = pfifo_chip_by_name(chip), .vram_bytes = 4u << 20, .system_bytes = 1u << 20};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    assert_non_null(gpu);
    wr(gpu, 0x200, ~0u);
    return gpu;
}

static void expect(struct pfifo_gpu *gpu, uint32_t offset, uint32_t value) {
    if (rd(gpu, offset) != value)
        fail_msg("%s: %#x is %#x, not %#x", gpu->chip->name, (unsigned)offset, (unsigned)rd(gpu, offset),
                 (unsigned)value);
}

/* A register, what it has before, and after. */
struct change {
    uint32_t offset, before, after;
};

static void expect_changes(struct pfifo_gpu *gpu, const struct change *changes, size_t count, uint32_t cause,
                           uint32_t value) {
    for (size_t i = 0; i < count; i++) {
        wr(gpu, changes[i].offset, changes[i].before);
        expect(gpu, changes[i].offset, changes[i].before);
    }
    wr(gpu, cause, value);
    for (size_t i = 0; i < count; i++)
        expect(gpu, changes[i].offset, changes[i].after);
}

/* ---- FIFO access ---- */

static void the_cache_of_contexts_takes_nothing_while_fifo_access_is_on(void **state) {
    static const struct {
        const char *chip;
        uint32_t fifo, cache, bits, words;
    } cases[] = {{"NV3", 0x4006a4, 0x4001a0, 0x3ff3f71f, 8},   {"NV4", 0x400720, 0x400180, 0x0303f0ff, 32},
                 {"NV5", 0x400720, 0x400180, 0x7f73f0ff, 32},  {"NV10", 0x400720, 0x400160, 0x7f33f0ff, 40},
                 {"NV20", 0x400720, 0x400160, 0x7ffff0ff, 40}, {"NV40", 0x400720, 0x400160, ~0u, 48}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make(cases[i].chip);
        wr(gpu, cases[i].fifo, 0);
        for (uint32_t n = 0; n < cases[i].words; n++)
            wr(gpu, cases[i].cache + 4 * n, 0x01010203);
        wr(gpu, cases[i].fifo, 1);
        for (uint32_t n = 0; n < cases[i].words; n++) {
            uint32_t offset = cases[i].cache + 4 * n, kept = rd(gpu, offset);
            const uint8_t byte = 0xff;
            assert_int_not_equal(kept, 0);
            wr(gpu, offset, ~0u);
            bus_write(&gpu->bus, offset, &byte, 1);
            expect(gpu, offset, kept);
        }
        wr(gpu, cases[i].fifo, 0);
        wr(gpu, cases[i].cache, ~0u);
        expect(gpu, cases[i].cache, cases[i].bits);
        pfifo_gpu_free(gpu);
    }
}

static void each_field_of_access_of_nv1_is_written_with_its_enable(void **state) {
    static const uint32_t fields[4] = {0x1, 0x10, 0x100, 0x1f000};
    struct choice choice = choice_from_seed(3);
    struct pfifo_gpu *gpu = make("NV1");
    uint32_t expected = rd(gpu, REG_FIFO);
    (void)state;
    for (unsigned round = 0; round < 1000; round++) {
        uint32_t word = choice_word(&choice);
        wr(gpu, REG_FIFO, word);
        for (unsigned i = 0; i < 4; i++)
            if (word >> (24 + i) & 1)
                expected = (expected & ~fields[i]) | (word & fields[i]);
        expect(gpu, REG_FIFO, expected);
    }
    pfifo_gpu_free(gpu);
}

static void an_error_of_nv1_switches_fifo_and_host_off(void **state) {
    const struct unit_trap trap = {0};
    const struct graph_codes trap_codes = {.invalid = 0x10};
    struct pfifo_gpu *gpu = make("NV1");
    (void)state;
    wr(gpu, REG_FIFO, 0x0f00f111);
    graph_show(gpu->fifo->graph, 0, &trap, &trap_codes);
    expect(gpu, REG_FIFO, 0x0f00f010);
    pfifo_gpu_free(gpu);
}

static void nstatus_is_stored(void **state) {
    static const struct {
        const char *chip;
        uint32_t bits;
    } cases[] = {{"NV4", 0x7800}, {"NV5", 0x7800}, {"NV10", 0x07800000}, {"NV34", 0x07800000}, {"NV44", 0x07800000}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make(cases[i].chip);
        wr(gpu, 0x400104, ~0u);
        expect(gpu, 0x400104, cases[i].bits);
        pfifo_gpu_free(gpu);
    }
}

/* Errors add bits to it, and an acknowledged interrupt takes none away. */
static void nstatus_survives_a_write_of_intr(void **state) {
    static const struct {
        const char *chip;
        uint32_t stored, intr, with_error;
    } cases[] = {{"NV4", 0x5800, 1, 0x7800},
                 {"NV5", 0x5800, 1, 0x7800},
                 {"NV10", 0x05800000, 1u << 20, 0x07800000},
                 {"NV34", 0x05800000, 1u << 20, 0x07800000},
                 {"NV44", 0x05800000, 1u << 20, 0x07800000}};
    const struct unit_trap trap = {.error = ENGINE_ERROR_INVALID_VALUE};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make(cases[i].chip);
        wr(gpu, 0x400104, cases[i].stored);
        wr(gpu, 0x400100, ~0u);
        expect(gpu, 0x400104, cases[i].stored);
        wr(gpu, DEBUG_3, 1u << 20);
        assert_true(graph_trap(gpu->fifo->graph, 0, &trap));
        expect(gpu, 0x400104, cases[i].with_error);
        expect(gpu, 0x400100, cases[i].intr);
        wr(gpu, 0x400100, cases[i].intr);
        expect(gpu, 0x400108, 0);
        expect(gpu, 0x400104, cases[i].with_error);
        wr(gpu, 0x400104, 0);
        expect(gpu, 0x400104, 0);
        pfifo_gpu_free(gpu);
    }
}

/* ---- resets ---- */

static void the_soft_reset_of_nv3_clears_dma_intr_en_and_drawing(void **state) {
    static const struct change changes[] = {{0x401140, 0x11111, 0},
                                            {0x40061c, 0x7fffffff, 0x3fffffff},
                                            {0x400514, 0xf013ffff, 0x00100000},
                                            {0x400518, 0x0f177331, 0x0f000000},
                                            {0x40051c, 0x0f177331, 0x0f000000},
                                            {0x400520, 0x7f7f1111, 0x7f7f0011},
                                            {0x400500, 0x300000ff, 0x30000000},
                                            {0x400504, 0x300000ff, 0x30000000},
                                            {0x400630, 0x3ffff0, 0},
                                            {0x40063c, 0x3ffff0, 0},
                                            {0x400644, 0xf77fbdf3, 0},
                                            {0x400510, 0xffffff, 0},
                                            {0x400570, 0xffffff, 0},
                                            {0x400508, ~0u, 0},
                                            {0x400524, 0, 0x55555555},
                                            {0x400530, ~0u, 0x55555555},
                                            {0x400140, 0x11111111, 0x11111111},
                                            {0x4005c0, ~0u, ~0u}};
    struct pfifo_gpu *gpu = make("NV3");
    (void)state;
    wr(gpu, REG_FIFO, 0);
    gpu->fifo->graph->r.dma_intr = 1;
    wr(gpu, 0x401140, 1);
    assert_int_equal(rd(gpu, 0x100) & PMC_LINE, PMC_LINE);
    expect_changes(gpu, changes, COUNT(changes), DEBUG_0, 0x13311111);
    assert_int_equal(rd(gpu, 0x100) & PMC_LINE, 0);
    expect(gpu, DEBUG_0, 0x13311110);
    wr(gpu, 0x401140, 0x11111);
    wr(gpu, DEBUG_0, 0x13311110); /* without bit 0 */
    expect(gpu, 0x401140, 0x11111);
    pfifo_gpu_free(gpu);
}

static void the_soft_reset_of_nv1_clears_drawing(void **state) {
    static const struct change changes[] = {{0x400650, 0x111ff1ff, 0},
                                            {0x40065c, 0xffff0113, 0xffff0000},
                                            {0x400640, 0xf1ff11ff, 0x00001000},
                                            {0x400644, 0x03177331, 0x03000000},
                                            {0x400648, 0x30ffffff, 0x30555500},
                                            {0x40064c, 0, 0x00555500},
                                            {0x400654, ~0u, ~0u}};
    struct pfifo_gpu *gpu = make("NV1");
    (void)state;
    expect_changes(gpu, changes, COUNT(changes), DEBUG_0, 1);
    pfifo_gpu_free(gpu);
}

static void parts_of_nv4_have_resets_of_their_own(void **state) {
    static const struct change drawing[] = {{0x400514, 0xf013ffff, 0x00100000}, {0x400518, 0x111031, 0},
                                            {0x400508, 0xf07fffff, 0},          {0x400574, 0xffffff, 0},
                                            {0x400640, 0xfffff0, 0xfffff0},     {0x401044, 0xfff33000, 0xfff33000}};
    static const struct change surfaces[] = {{0x400640, 0xfffff0, 0},     {0x40066c, 0xfffff0, 0},
                                             {0x400684, 0xf, 0x00ffffff}, {0x400680, 0x1ff0, 0},
                                             {0x40069c, 0x0f0f0000, 0},   {0x400574, 0xffffff, 0xffffff}};
    static const struct change dma[] = {
        {0x401044, 0xfff33000, 0xfff32000}, {0x401084, 0xfff33000, 0xfff32000}, {0x400640, 0xfffff0, 0xfffff0}};
    struct pfifo_gpu *gpu = make("NV4");
    (void)state;
    expect_changes(gpu, drawing, COUNT(drawing), DEBUG_0, 2);
    expect_changes(gpu, surfaces, COUNT(surfaces), DEBUG_0, 0x10);
    expect_changes(gpu, dma, COUNT(dma), DEBUG_0, 0x100);
    expect(gpu, DEBUG_0, 0);
    pfifo_gpu_free(gpu);
}

/* ---- objects ---- */

static void debug_1_follows_a_change_of_subchannel_if_debug_2_lets_it(void **state) {
    struct pfifo_gpu *gpu = nv3_make("NV3");
    (void)state;
    nv3_context(gpu, 1, BLIT, INSTANCE);
    nv3_context(gpu, 2, IMAGE, INSTANCE);
    nv3_send(gpu, 1, PLAIN, 0);
    expect(gpu, DEBUG_1, 0x10000);
    wr(gpu, 0x400500, 0x300000ff);
    wr(gpu, DEBUG_2, 1u << 28);
    nv3_send(gpu, 1, PLAIN, 0); /* the same object */
    expect(gpu, DEBUG_1, 0x10000);
    expect(gpu, 0x400500, 0x300000ff);
    nv3_send(gpu, 2, PLAIN, 0);
    expect(gpu, DEBUG_1, 0x10001);
    expect(gpu, 0x400500, 0);
    expect(gpu, 0x4006c8, 0x800);
    nv3_send(gpu, 2, PLAIN, 0); /* it shows the last change */
    expect(gpu, DEBUG_1, 0x10001);
    wr(gpu, DEBUG_2, 0);
    wr(gpu, 0x400500, 0x300000ff);
    nv3_send(gpu, 1, PLAIN, 0);
    expect(gpu, DEBUG_1, 0x10000);
    expect(gpu, 0x400500, 0x300000ff);
    pfifo_gpu_free(gpu);
}

static void options_of_an_object_go_to_ctx_switch_if_debug_1_lets_them(void **state) {
    struct pfifo_gpu *gpu = nv3_make("NV3T");
    (void)state;
    ramin_wr(gpu, INSTANCE, 0, 0x12345678);
    nv3_context(gpu, 1, BLIT, INSTANCE);
    nv3_context(gpu, 2, IMAGE, INSTANCE);
    wr(gpu, REG_FIFO, 0);
    wr(gpu, CTX_CACHE + 4, 0x01000001);
    wr(gpu, CTX_CACHE + 8, 0x02000002);
    wr(gpu, CTX_SWITCH, 0x03000003);
    wr(gpu, REG_FIFO, 1);
    nv3_send(gpu, 1, PLAIN, 0);
    expect(gpu, CTX_SWITCH, 0x03000003);
    wr(gpu, DEBUG_1, 1u << 20);
    nv3_send(gpu, 2, PLAIN, 0);
    expect(gpu, CTX_SWITCH, 0x02000002);
    nv3_send(gpu, 1, PLAIN, 0);
    expect(gpu, CTX_SWITCH, 0x01000001);
    expect(gpu, CTX_CACHE + 4, 0x01000001); /* RAMIN is read with method 0 */
    pfifo_gpu_free(gpu);
}

static void a_context_with_volatile_reset_is_a_change_of_the_object(void **state) {
    static const struct {
        const char *chip;
        uint32_t context, enable, bit, debug_1, y_misc, valid, valid_after;
    } cases[] = {{"NV3", 0x400180, DEBUG_2, 1u << 28, 1, 0x400504, ~0u, 0xf0000000},
                 {"NV4", 0x400160, DEBUG_2, 1u << 28, 1, 0x400504, 0xf07fffff, 0xf0000000},
                 {"NV10", 0x40014c, DEBUG_3, 1u << 19, 1, 0x400504, 0xf07fffff, 0x50000000},
                 {"NV20", 0x40014c, DEBUG_3, 1u << 19, 1, 0x400504, 0xf07fffff, 0x50000000},
                 {"NV40", 0x400150, DEBUG_3, 1u << 19, 1, 0x400504, 0xf07fffff, 0x50000000}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make(cases[i].chip);
        wr(gpu, 0x400508, cases[i].valid);
        wr(gpu, cases[i].y_misc, 0xff);
        wr(gpu, cases[i].enable, 0);
        wr(gpu, cases[i].context, 1u << 31); /* not enabled */
        expect(gpu, DEBUG_1, 0);
        expect(gpu, cases[i].y_misc, 0xff);
        wr(gpu, cases[i].enable, cases[i].bit);
        wr(gpu, cases[i].context, 0); /* not asked for */
        expect(gpu, DEBUG_1, 0);
        wr(gpu, cases[i].context, 1u << 31);
        expect(gpu, DEBUG_1, cases[i].debug_1);
        expect(gpu, cases[i].y_misc, 0);
        expect(gpu, 0x400508, cases[i].valid_after);
        wr(gpu, cases[i].context, 0);
        expect(gpu, DEBUG_1, 0);
        pfifo_gpu_free(gpu);
    }
}

/* ---- writes ---- */

static void a_clip_rectangle_moves_on_with_each_write(void **state) {
    static const struct {
        const char *chip;
        uint32_t base, step, low;
    } cases[] = {{"NV1", 0x400460, 4, 0x3ffff}, {"NV1", 0x400468, 4, 0x3ffff}, {"NV3", 0x40053c, 8, 0x3ffff},
                 {"NV3", 0x400564, 8, 0x3ffff}, {"NV4", 0x40053c, 8, 0xffff},  {"NV5", 0x400560, 8, 0xffff},
                 {"NV10", 0x400550, 8, 0xffff}, {"NV17", 0x400554, 8, 0xffff}, {"NV40", 0x400540, 8, 0xffff}};
    struct choice choice = choice_from_seed(5);
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make(cases[i].chip);
        uint32_t last = 0;
        for (unsigned round = 0; round < 100; round++) {
            uint32_t word = choice_word(&choice);
            wr(gpu, cases[i].base + (choice_once_in(&choice, 2) ? cases[i].step : 0), word);
            expect(gpu, cases[i].base, last & cases[i].low);
            expect(gpu, cases[i].base + cases[i].step, word & 0x3ffff);
            last = word & 0x3ffff;
        }
        pfifo_gpu_free(gpu);
    }
}

static void registers_that_methods_check_set_their_bit_in_valid(void **state) {
    static const struct {
        const char *chip;
        uint32_t offset, valid, bit;
    } cases[] = {{"NV3", 0x40050c, 0x400508, 16}, {"NV3", 0x400644, 0x400508, 26}, {"NV4", 0x400600, 0x400508, 17},
                 {"NV4", 0x400654, 0x400508, 3},  {"NV4", 0x400680, 0x400508, 2},  {"NV4", 0x400590, 0x400578, 28},
                 {"NV4", 0x400594, 0x400578, 27}, {"NV4", 0x400598, 0x400578, 26}, {"NV4", 0x40059c, 0x400578, 25},
                 {"NV5", 0x400818, 0x400578, 17}, {"NV5", 0x40081c, 0x400578, 18}, {"NV5", 0x400820, 0x400578, 19},
                 {"NV5", 0x400824, 0x400578, 20}, {"NV10", 0x400640, 0x400508, 3}, {"NV20", 0x400814, 0x400508, 17},
                 {"NV20", 0x400820, 0x400508, 3}, {"NV30", 0x400860, 0x400508, 2}, {"NV40", 0x4009d0, 0x400508, 3},
                 {"NV40", 0x4009c8, 0x400508, 2}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make(cases[i].chip);
        wr(gpu, cases[i].offset, 0);
        expect(gpu, cases[i].valid, 1u << cases[i].bit);
        pfifo_gpu_free(gpu);
    }
}

/* Bits of the pair of surfaces in one register, and from NV25 on 4 bits for each in another. */
static void a_new_start_of_a_surface_clears_the_bits_of_its_pair(void **state) {
    static const struct {
        const char *chip;
        uint32_t keep, bits, fields;
        uint32_t offset, bits_after, fields_after;
    } cases[] = {{"NV20", 0x400880, 0x400888, 0, 0x400838, 0x3c, 0},
                 {"NV20", 0x400880, 0x400888, 0, 0x400824, 0x3c, 0},
                 {"NV2A", 0x400880, 0x400888, 0, 0x40084c, 0x0f, 0},
                 {"NV25", 0x400890, 0x400898, 0x40089c, 0x400828, 0x73, 0x0fff00ff},
                 {"NV25", 0x400890, 0x400898, 0x40089c, 0x400844, 0x73, 0x0fff00ff},
                 {"NV28", 0x400890, 0x400898, 0x40089c, 0x400880, 0x3f, 0x00ffffff},
                 {"NV36", 0x400890, 0x400898, 0x40089c, 0x400884, 0x3f, 0x00ffffff}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make(cases[i].chip);
        for (uint32_t keep = 0; keep < 2; keep++) {
            wr(gpu, cases[i].keep, keep ? 1u << 20 : ~(1u << 20));
            wr(gpu, cases[i].bits, cases[i].fields ? 0x7f : 0x3f);
            if (cases[i].fields)
                wr(gpu, cases[i].fields, ~0u);
            wr(gpu, cases[i].offset, 0x1000);
            expect(gpu, cases[i].offset, 0x1000);
            expect(gpu, cases[i].bits, keep ? cases[i].fields ? 0x7f : 0x3f : cases[i].bits_after);
            if (cases[i].fields)
                expect(gpu, cases[i].fields, keep ? 0x0fffffff : cases[i].fields_after);
        }
        pfifo_gpu_free(gpu);
    }
}

static void bit_29_of_unka10_shows_debug_4_and_the_type_of_surfaces(void **state) {
    static const char *const chips[] = {"NV17", "NV18", "NV1F"};
    (void)state;
    for (size_t i = 0; i < COUNT(chips); i++) {
        struct pfifo_gpu *gpu = make(chips[i]);
        wr(gpu, 0x400a10, ~0u);
        expect(gpu, 0x400a10, 0xdfff3fff);
        for (uint32_t type = 0; type < 0x10; type++) {
            wr(gpu, 0x400710, type);
            wr(gpu, 0x400090, 0x1ffffffb);
            expect(gpu, 0x400a10, 0xdfff3fff);
            wr(gpu, 0x400090, 4);
            expect(gpu, 0x400a10, type & 0xc ? 0xffff3fff : 0xdfff3fff);
        }
        pfifo_gpu_free(gpu);
    }
}

static void dma_cancel_of_debug_1_ends_a_transfer(void **state) {
    static const char *const chips[] = {"NV3", "NV4", "NV10", "NV20", "NV40"};
    (void)state;
    for (size_t i = 0; i < COUNT(chips); i++) {
        struct pfifo_gpu *gpu = make(chips[i]);
        wr(gpu, 0x400518, 0x31);
        wr(gpu, DEBUG_1, 1);
        expect(gpu, 0x400518, 0x31);
        wr(gpu, DEBUG_1, 0x11);
        expect(gpu, 0x400518, 0x30);
        expect(gpu, DEBUG_1, 1);
        pfifo_gpu_free(gpu);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cache_of_contexts_takes_nothing_while_fifo_access_is_on),
        cmocka_unit_test(each_field_of_access_of_nv1_is_written_with_its_enable),
        cmocka_unit_test(an_error_of_nv1_switches_fifo_and_host_off),
        cmocka_unit_test(nstatus_is_stored),
        cmocka_unit_test(nstatus_survives_a_write_of_intr),
        cmocka_unit_test(the_soft_reset_of_nv3_clears_dma_intr_en_and_drawing),
        cmocka_unit_test(the_soft_reset_of_nv1_clears_drawing),
        cmocka_unit_test(parts_of_nv4_have_resets_of_their_own),
        cmocka_unit_test(debug_1_follows_a_change_of_subchannel_if_debug_2_lets_it),
        cmocka_unit_test(options_of_an_object_go_to_ctx_switch_if_debug_1_lets_them),
        cmocka_unit_test(a_context_with_volatile_reset_is_a_change_of_the_object),
        cmocka_unit_test(a_clip_rectangle_moves_on_with_each_write),
        cmocka_unit_test(registers_that_methods_check_set_their_bit_in_valid),
        cmocka_unit_test(a_new_start_of_a_surface_clears_the_bits_of_its_pair),
        cmocka_unit_test(bit_29_of_unka10_shows_debug_4_and_the_type_of_surfaces),
        cmocka_unit_test(dma_cancel_of_debug_1_ends_a_transfer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
