/* SPDX-License-Identifier: MIT */
/* Draws by methods, on a rig: the ways in which vertices come, instances, restart, counters, slices. */
#include "front/draw_rig.h"

#include "engine/core/register_file.h"

/* The same of Fermi, as Mesa makes them. */
static void put_fermi_programs(struct engine_rig *rig) {
    static const uint32_t vertex[] = {0xfff01c66, 0x06000080, 0x03f01c66, 0x0a7e0070, 0xfff01c26,
                                      0x06000090, 0x03f01c26, 0x0a7e0080, 0x00001de7, 0x80000000};
    static const uint32_t fragment[] = {0xfff01c00, 0xc07e007c, 0x10005c00, 0xc8000000, 0x07f01c40,
                                        0xc07e0080, 0x07f05c40, 0xc07e0084, 0x00009de2, 0x18000000,
                                        0x0000dde2, 0x18000000, 0x00001de7, 0x80000000};
    put(rig, CODE + HEADER + 0x50, vertex, sizeof vertex / 4);
    put(rig, CODE + FRAGMENT + 0x50, fragment, sizeof fragment / 4);
}

static uint32_t pixel(struct engine_rig *rig, unsigned x, unsigned y) {
    return engine_rig_rd32(rig, TARGET + (y * WIDTH + x) * 4u);
}

static void expect_halves(struct engine_rig *rig, uint32_t left, uint32_t right) {
    for (unsigned y = 0; y < WIDTH; y++)
        for (unsigned x = 0; x < WIDTH; x++)
            assert_int_equal(pixel(rig, x, y) & 0xff, x < WIDTH / 2 ? left : right);
    for (unsigned i = 0; i < WIDTH * WIDTH; i++)
        engine_rig_wr32(rig, TARGET + i * 4, 0);
    expect_only_draws(rig);
}

static void arrays_draw_from_their_first_vertex(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    send(&rig, id, 0, 0x1618, STRIP);
    send(&rig, id, 0, 0xd74, 0, 4);
    send(&rig, id, 0, 0x1614, 0);
    expect_halves(&rig, 255, 0);
    send(&rig, id, 0, 0x1618, STRIP);
    send(&rig, id, 0, 0xd74, 4, 4);
    send(&rig, id, 0, 0x1614, 0);
    expect_halves(&rig, 0, 51);
    send(&rig, id, 0, 0x1214, (uint32_t)STRIP << 28 | 4 << 16 | 4);
    expect_halves(&rig, 0, 51);
    engine_rig_stop(&rig);
}

/* BEGIN says points; what is drawn says a state of its own, by D3D's numbers or by those of fans. */
static void the_separate_topology_is_drawn(void **state) {
    static const uint32_t strips[] = {5, 0x1013, 0x1014}, fans[] = {0x1015, 0x1016, 0x1017};
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    send(&rig, id, 0, 0x1948, 1);
    for (unsigned fan = 0; fan < 2; fan++) {
        for (unsigned i = 0; i < 3; i++) {
            send(&rig, id, 0, 0x1970, fan ? fans[i] : strips[i]);
            send(&rig, id, 0, 0x1618, 0);
            send(&rig, id, 0, 0xd74, 0, 4);
            send(&rig, id, 0, 0x1614, 0);
            expect_halves(&rig, 255, 0);
        }
        /* The last two change places, as a fan goes around. */
        put_vertex(&rig, 2, 0, 1, 1);
        put_vertex(&rig, 3, -1, 1, 1);
    }
    engine_rig_stop(&rig);
}

/* Both strips, with an index between them that restarts; the base vertex is after it. */
static void indices_of_each_size_draw_with_base_and_restart(void **state) {
    static const uint32_t ends[3] = {0xff, 0xffff, 0xffffffff};
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    for (unsigned size = 0; size < 3; size++) {
        uint32_t words[10] = {0};
        for (unsigned i = 0; i < 9; i++) {
            uint32_t index = i == 4 ? ends[size] : i < 4 ? i + 10 : i + 9;
            unsigned at = i << size;
            words[at / 4] |= index << at % 4 * 8;
        }
        put(&rig, INDICES, words, 10);
        send(&rig, id, 0, 0x1434, (uint32_t)-10);
        send(&rig, id, 0, 0x1644, 1, ends[size]);
        send(&rig, id, 0, 0x17d8, size);
        send(&rig, id, 0, 0x1618, STRIP);
        send(&rig, id, 0, 0x17dc, 0, 9);
        send(&rig, id, 0, 0x1614, 0);
        expect_halves(&rig, 255, 51);
    }
    engine_rig_stop(&rig);
}

static void inline_indices_draw_with_the_end(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    send(&rig, id, 0, 0x1618, STRIP);
    sent(&rig, id, 0, 0x15e8, 0, WORDS(4, 5));
    send(&rig, id, 0, 0x15f0, 6 | 7 << 16);
    assert_int_equal(pixel(&rig, 40, 8), 0);
    send(&rig, id, 0, 0x1614, 0);
    expect_halves(&rig, 0, 51);
    send(&rig, id, 0, 0x1618, STRIP);
    send(&rig, id, 0, 0x1300, 4 | 1u << 30); /* four of them, without the first byte */
    sent(&rig, id, 0, 0x1304, 0, WORDS(0x02010007, 0x07070703));
    send(&rig, id, 0, 0x1614, 0);
    expect_halves(&rig, 255, 0);
    engine_rig_stop(&rig);
}

/* Red of the second instance on: from a stream of its own, which a divisor slows down. */
static void instances_have_elements_of_their_own(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    put(&rig, COLORS, (uint32_t[]){0, 0, bits(0.2f), 0, bits(0.4f), 0}, 6);
    send(&rig, id, 0, 0x1164, 4u << 21 | 7u << 27 | 1);
    send(&rig, id, 0, 0x1c10, 1 << 12 | 8, 0, COLORS, 2);
    send(&rig, id, 0, 0x1f08, 0, COLORS + 23);
    send(&rig, id, 0, 0x1884, 1);
    for (unsigned instance = 0; instance < 4; instance++) {
        send(&rig, id, 0, 0x1618, STRIP | (instance ? 1u << 26 : 0));
        send(&rig, id, 0, 0xd74, 0, 4);
        send(&rig, id, 0, 0x1614, 0);
        expect_halves(&rig, instance / 2 ? 51 : 0, 0);
    }
    send(&rig, id, 0, 0x1438, 2); /* base instance */
    send(&rig, id, 0, 0x1618, STRIP);
    send(&rig, id, 0, 0xd74, 0, 4);
    expect_halves(&rig, 102, 0);
    engine_rig_stop(&rig);
}

/* A vertex of two attributes: 32-bit position, red as bytes, which take a word. */
static void send_vertex(struct engine_rig *rig, unsigned id, float x, float y, uint32_t red) {
    const uint32_t words[5] = {bits(x), bits(y), 0, bits(1), red};
    for (unsigned i = 0; i < 5; i++)
        send(rig, id, 0, 0x1640, words[i]);
}

static unsigned begin_fermi(struct engine_rig *rig) {
    unsigned id = draw_begin_on(rig, "GF100", 0x9097);
    put_fermi_programs(rig);
    send(rig, id, 0, 0x1164, 0x18u << 21 | 2u << 27);
    return id;
}

static void inline_vertices_draw_with_the_end(void **state) {
    struct engine_rig rig;
    unsigned id = begin_fermi(&rig);
    (void)state;
    send(&rig, id, 0, 0x1618, STRIP);
    for (unsigned i = 0; i < 4; i++)
        send_vertex(&rig, id, i & 1 ? 0 : -1, i & 2 ? 1 : -1, 255);
    send(&rig, id, 0, 0x1614, 0);
    expect_halves(&rig, 255, 0);
    engine_rig_stop(&rig);
}

/* More than there are places for: that of the fan's centre is kept. */
static void the_first_of_many_inline_vertices_is_kept(void **state) {
    struct engine_rig rig;
    unsigned id = begin_fermi(&rig);
    (void)state;
    send(&rig, id, 0, 0x1618, FAN);
    send_vertex(&rig, id, 0, -1, 51);
    for (unsigned i = 0; i < 600; i++)
        send_vertex(&rig, id, 1, -1, 51);
    send_vertex(&rig, id, 1, 1, 51);
    send_vertex(&rig, id, 0, 1, 51);
    send(&rig, id, 0, 0x1614, 0);
    expect_halves(&rig, 0, 51);
    engine_rig_stop(&rig);
}

/* VERTEX_ID_REPLACE: the second attribute. The program takes its colour from VertexID. */
static void vertex_ids_can_come_from_an_attribute(void **state) {
    struct engine_rig rig;
    unsigned id = begin_fermi(&rig);
    (void)state;
    static const uint32_t vertex[] = {0xfff01c66, 0x06000080, 0x03f01c66, 0x0a7e0070, 0xfff01c06,
                                      0x060002fc, 0x03f01c06, 0x0a7e0080, 0x00001de7, 0x80000000};
    put(&rig, CODE + HEADER + 0x50, vertex, sizeof vertex / 4);
    send(&rig, id, 0, 0x1164, 0x12u << 21 | 4u << 27);
    send(&rig, id, 0, 0x161c, 0x24 << 4 | 1);
    send(&rig, id, 0, 0x1618, STRIP);
    for (unsigned i = 0; i < 4; i++)
        send_vertex(&rig, id, i & 1 ? 0 : -1, i & 2 ? 1 : -1, bits(1));
    send(&rig, id, 0, 0x1614, 0);
    expect_halves(&rig, 255, 0);
    engine_rig_stop(&rig);
}

/* Of Mesa: gl_SampleMaskIn / 255 is red. */
static const uint64_t mask_program[] = {0x001f9800e4200701, 0xefe8e0008007ff00, 0xefe8e0028007ff01, 0x010000000017f002,
                                        0x001f9841fcc017e6, 0x5c48000000170201, 0x5c47000000170001, 0x5ca0038000170000,
                                        0x001f8401fc20070f, 0x5cb8000000072a00, 0x1e23b80808170000, 0x010000000007f001,
                                        0x07ffbc00fc2007e1, 0x010000000007f002, 0x010000000007f003, 0xe30000000007000f};

/* Two samples of a pixel. */
static void the_incoming_mask_is_one_sample_without_multisampling(void **state) {
    static const uint32_t header[] = {0x25462, 0, 0, 0, 0, 0x80000000, 0};
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    put(&rig, CODE + FRAGMENT, header, sizeof header / 4);
    for (unsigned i = 0; i < sizeof mask_program / 8; i++)
        put(&rig, CODE + FRAGMENT + 0x50 + i * 8,
            (uint32_t[]){(uint32_t)mask_program[i], (uint32_t)(mask_program[i] >> 32)}, 2);
    send(&rig, id, 0, 0x808, WIDTH * 8);
    send(&rig, id, 0, 0x15d0, 1);
    for (uint32_t multisample = 0; multisample < 2; multisample++) {
        send(&rig, id, 0, 0x1534, multisample);
        send(&rig, id, 0, 0x1618, STRIP);
        send(&rig, id, 0, 0xd74, 0, 4);
        send(&rig, id, 0, 0x1614, 0);
        for (unsigned sample = 0; sample < 2; sample++)
            assert_int_equal(engine_rig_rd32(&rig, TARGET + sample * 4) & 0xff, multisample ? 3 : 1);
    }
    expect_only_draws(&rig);
    engine_rig_stop(&rig);
}

static void expect_report(struct engine_rig *rig, const char *name) {
    assert_int_equal(rig->events - engine_rig_count(rig, EVENT_ENGINE_READ) - engine_rig_count(rig, EVENT_ENGINE_WRITE),
                     1 + engine_rig_count(rig, EVENT_ENGINE_DRAW));
    assert_int_equal(engine_rig_count(rig, EVENT_ENGINE_NOT_EXECUTED), 1);
    assert_string_equal(engine_rig_event(rig, EVENT_ENGINE_NOT_EXECUTED, 0)->text, name);
}

/* What such a draw leaves out, beside what it draws. */
static void state_without_a_model_says_so(void **state) {
    struct engine_rig rig;
    (void)state;
    unsigned id = draw_begin_on(&rig, "GM200", 0xb197);
    send(&rig, id, 0, 0x197c, 1);
    send(&rig, id, 0, 0x1618, STRIP);
    send(&rig, id, 0, 0xd74, 0, 4);
    send(&rig, id, 0, 0x1614, 0);
    expect_report(&rig, "clip ids");
    assert_int_equal(pixel(&rig, 0, 0) & 0xff, 255);
    engine_rig_stop(&rig);
    id = begin_fermi(&rig);
    send(&rig, id, 0, 0x2408, 1);
    expect_report(&rig, "extra texture");
    engine_rig_stop(&rig);
}

static uint64_t reported(struct engine_rig *rig, unsigned id, uint32_t report) {
    send(rig, id, 0, 0x1b00, 0, REPORT, 0, 2 | report << 23);
    return report == 2 ? engine_rig_rd32(rig, REPORT + 4) : engine_rig_rd64(rig, REPORT);
}

static void counters_have_what_was_drawn(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    send(&rig, id, 0, 0x1618, STRIP);
    send(&rig, id, 0, 0xd74, 0, 8);
    send(&rig, id, 0, 0x1614, 0);
    assert_int_equal(reported(&rig, id, 1), 8);
    assert_int_equal(reported(&rig, id, 3), 6);
    assert_int_equal(reported(&rig, id, 5), 8);
    assert_int_equal(reported(&rig, id, 0xf), 6);
    assert_true(reported(&rig, id, 2) >= 4096);
    assert_int_equal(reported(&rig, id, 2), reported(&rig, id, 0x13));
    send(&rig, id, 0, 0x1530, 1);
    send(&rig, id, 0, 0x37c, 0); /* nothing is rasterised */
    send(&rig, id, 0, 0x1618, STRIP);
    send(&rig, id, 0, 0xd74, 0, 4);
    send(&rig, id, 0, 0x1614, 0);
    assert_int_equal(reported(&rig, id, 2), 0);
    assert_int_equal(reported(&rig, id, 3), 8);
    engine_rig_stop(&rig);
}

/* ---- slices ---- */

/* Fans around the middle: all pixels many times over, so that there are many slices. */
static void a_long_draw_is_the_same_in_slices_and_after_a_restore(void **state) {
    enum { COUNT = 300 };
    struct engine_rig rig[2];
    uint32_t expected[WIDTH * WIDTH];
    uint64_t samples = 0;
    (void)state;
    for (unsigned round = 0; round < 2; round++) {
        struct engine_rig *now = &rig[0];
        unsigned id = draw_begin(now), slices = 0, moves = 0;
        for (unsigned i = 0; i < COUNT; i++)
            put_vertex(now, i, i % 2 ? 1 : -1, i % 4 < 2 ? 1 : -1, (float)(i % 7) / 7);
        send(now, id, 0, 0x1618, FAN);
        send(now, id, 0, 0xd74, 0);
        while (engine_rig_offer(now, id, 0, 0xd78, 4, WORDS(COUNT)) == 0) {
            assert_true(++slices < 10000);
            if (round && slices % 3 == 2 && moves < 3) {
                struct engine_rig *next = now == &rig[0] ? &rig[1] : &rig[0];
                draw_go_on_elsewhere(now, next, id);
                now = next;
                moves++;
            }
        }
        send(now, id, 0, 0x1614, 0);
        assert_true(slices > 8 && moves == 3 * round);
        assert_int_equal(reported(now, id, 3), COUNT - 2);
        assert_true(!round || samples == reported(now, id, 2));
        samples = reported(now, id, 2);
        for (unsigned i = 0; i < WIDTH * WIDTH; i++) {
            uint32_t found = engine_rig_rd32(now, TARGET + i * 4);
            assert_true(!round || found == expected[i]);
            expected[i] = found;
        }
        engine_rig_stop(now);
    }
}

/* More fragment programs than are kept, with one vertex program, which must stay. */
static void many_programs_leave_the_other_stage_alone(void **state) {
    enum { PROGRAMS = 80, FIRST = 0x230 };
    static const uint32_t header[20] = {[0] = 0x21462, [18] = 0xf}, exit[2] = {0x0007000f, 0xe3000000};
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    for (unsigned i = 0; i < PROGRAMS; i++) {
        uint32_t start = FIRST + i * 0x80;
        put(&rig, 0x30000 + start, header, 20);
        put(&rig, 0x30000 + start + 0x58, exit, 2);
    }
    for (unsigned i = 0; i < 0x80; i++) /* the vertex program, too */
        engine_rig_wr32(&rig, 0x30000 + i * 4, engine_rig_rd32(&rig, CODE + i * 4));
    send(&rig, id, 0, 0x1608, 0, 0x30000);
    for (unsigned i = 0; i < PROGRAMS; i++) {
        send(&rig, id, 0, 0x2144, FIRST + i * 0x80);
        send(&rig, id, 0, 0x1618, STRIP);
        send(&rig, id, 0, 0xd74, 0, 4);
        send(&rig, id, 0, 0x1614, 0);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 0);
    }
    assert_int_equal(reported(&rig, id, 3), 2 * PROGRAMS);
    engine_rig_stop(&rig);
}

static void draw_strip(struct engine_rig *rig, unsigned id) {
    send(rig, id, 0, 0x1618, STRIP);
    send(rig, id, 0, 0xd74, 0, 4);
    send(rig, id, 0, 0x1614, 0);
}

static void put_instruction(struct engine_rig *rig, uint64_t address, uint64_t word) {
    put(rig, address, (uint32_t[]){(uint32_t)word, (uint32_t)(word >> 32)}, 2);
}

/* Of the program: once, with its address, and the next draw is as if nothing had been. */
static void expect_shader_error(struct engine_rig *rig, uint32_t warp, uint32_t processor, uint32_t pc) {
    assert_int_equal(engine_rig_count(rig, EVENT_ENGINE_SHADER_ERROR), 1);
    assert_int_equal(rig->trap.error, ENGINE_ERROR_SHADER);
    assert_int_equal(rig->trap.shader.warp, warp);
    assert_int_equal(rig->trap.shader.processor, processor);
    assert_int_equal(rig->trap.shader.pc, pc);
    assert_int_equal(rig->faults, 0);
}

#define BRANCH_TO_ITSELF 0xe2400fffff87000fu
#define NO_INSTRUCTION   0x00000000000f0000u
#define RETURN           0xe32000000007000fu

static void a_program_without_an_end_times_out_at_its_address(void **state) {
    static const uint32_t programs[] = {HEADER, FRAGMENT};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct engine_rig rig;
        unsigned id = draw_begin(&rig);
        put_instruction(&rig, CODE + programs[i] + 0x58, BRANCH_TO_ITSELF);
        draw_strip(&rig, id);
        expect_shader_error(&rig, 0, UNIT_SHADER_TIMEOUT, programs[i] + 0x58);
        draw_put_programs(&rig);
        send(&rig, id, 0, 0x1698, 1);
        draw_strip(&rig, id);
        assert_int_equal(pixel(&rig, 8, 8) & 0xff, 255);
        expect_shader_error(&rig, 0, UNIT_SHADER_TIMEOUT, programs[i] + 0x58);
        engine_rig_stop(&rig);
    }
}

static void what_is_no_instruction_is_an_error_of_the_warp(void **state) {
    static const struct {
        uint64_t word;
        uint32_t warp;
    } rows[] = {{NO_INSTRUCTION, 9}, {RETURN, 3}};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct engine_rig rig;
        unsigned id = draw_begin(&rig);
        put_instruction(&rig, CODE + FRAGMENT + 0x60, rows[i].word);
        draw_strip(&rig, id);
        expect_shader_error(&rig, rows[i].warp, 0, FRAGMENT + 0x60);
        assert_int_equal(pixel(&rig, 8, 8), 0);
        engine_rig_stop(&rig);
    }
}

/* No warp is endless, but there are many: instead of hours. */
static void long_warps_share_the_time_of_their_draw(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    /* MOV32I R2, 500000; IADD32I R2, R2, -1; ISETP.NE P0, R2, RZ; @P0 BRA: a schedule word is in between */
    static const uint64_t loop[] = {0, 0x010007a12007f002, 0x1c0ffffffff70202, 0x5b6b03800ff70207,
                                    0, 0xe2400ffffe00000f, 0xe30000000007000f, 0xe30000000007000f};
    (void)state;
    for (unsigned i = 0; i < 8; i++)
        put_instruction(&rig, CODE + FRAGMENT + 0x50 + i * 8, loop[i]);
    draw_strip(&rig, id);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_SHADER_ERROR), 1);
    assert_int_equal(rig.trap.shader.processor, UNIT_SHADER_TIMEOUT);
    engine_rig_stop(&rig);
}

/* Who reads what is not there. */
static void faults_are_of_the_client_that_reads(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    send(&rig, id, 0, 0x1c04, 0, ENGINE_RIG_LIMIT);
    send(&rig, id, 0, 0x1f00, 0xff, 0);
    draw_strip(&rig, id);
    assert_int_equal(rig.faults, 1);
    assert_int_equal(rig.trap.use, USE_VERTEX);
    send(&rig, id, 0, 0x1c04, 0, VERTICES);
    send(&rig, id, 0, 0x17c8, 0, ENGINE_RIG_LIMIT, 0xff, 0);
    send(&rig, id, 0, 0x1618, STRIP);
    send(&rig, id, 0, 0x17dc, 0, 9);
    send(&rig, id, 0, 0x1614, 0);
    assert_int_equal(rig.faults, 2);
    assert_int_equal(rig.trap.use, USE_INDEX);
    send(&rig, id, 0, 0x804, ENGINE_RIG_LIMIT);
    draw_strip(&rig, id);
    assert_int_equal(rig.faults, 3);
    assert_int_equal(rig.trap.use, USE_COLOR);
    send(&rig, id, 0, 0x804, TARGET);
    send(&rig, id, 0, 0x2144, ENGINE_RIG_LIMIT);
    draw_strip(&rig, id);
    assert_int_equal(rig.faults, 4);
    assert_int_equal(rig.trap.use, USE_PROGRAM);
    send(&rig, id, 0, 0x2144, FRAGMENT);
    put_instruction(&rig, CODE + FRAGMENT + 0x58, 0xe24fff000007000f); /* BRA far away */
    send(&rig, id, 0, 0x1698, 1);
    draw_strip(&rig, id);
    assert_int_equal(rig.faults, 5);
    assert_int_equal(rig.trap.use, USE_PROGRAM);
    put_instruction(&rig, CODE + FRAGMENT + 0x58, 0xeed420800007ff03); /* LDG R3, [RZ + 0x80000] */
    send(&rig, id, 0, 0x1698, 1);
    draw_strip(&rig, id);
    assert_int_equal(rig.faults, 6);
    assert_int_equal(rig.trap.use, USE_SHADER);
    engine_rig_stop(&rig);
}

static void vertices_outside_of_memory_draw_nothing(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    send(&rig, id, 0, 0x1f00, 0xff, 0xffffffff);
    send(&rig, id, 0, 0x1c04, 0x80, 0);
    send(&rig, id, 0, 0x1618, STRIP);
    send(&rig, id, 0, 0xd74, 0, 4);
    send(&rig, id, 0, 0x1614, 0);
    assert_int_equal(pixel(&rig, 8, 8), 0);
    engine_rig_stop(&rig);
}

static uint32_t seed;

static uint32_t choose(uint32_t below) {
    seed = seed * 1664525 + 1013904223;
    return (uint32_t)((uint64_t)seed * below >> 32);
}

static uint32_t any_value(void) {
    switch (choose(5)) {
    case 0:
        return choose(16);
    case 1:
        return 1u << choose(32);
    case 2:
        return bits((float)choose(200) - 100);
    case 3:
        return TARGET + choose(0x10000);
    default:
        return choose(UINT32_MAX);
    }
}

/* A few methods of the good state get any value, then something is drawn, for a few slices at most. */
static void random_state_does_no_harm(void **state) {
    (void)state;
    seed = 5;
    for (unsigned round = 0; round < 60; round++) {
        struct engine_rig rig;
        unsigned id = draw_begin(&rig);
        for (unsigned draw = 0; draw < 20; draw++) {
            for (unsigned i = 0; i < 3; i++) {
                uint32_t method = 0x200 + choose(0x2600 / 4) * 4;
                if (method < 0x1600 || method > 0x1620)
                    engine_rig_offer(&rig, id, 0, method, 4, WORDS(any_value()));
            }
            engine_rig_offer(&rig, id, 0, 0x1618, 4, WORDS(choose(15) | choose(4) << 26));
            for (unsigned i = 0; i < 4 && !engine_rig_offer(&rig, id, 0, 0xd78, 4, WORDS(40)); i++) {
            }
            engine_rig_offer(&rig, id, 0, 0x15e8, 0, WORDS(any_value()));
            engine_rig_offer(&rig, id, 0, 0x17e0, 4, WORDS(8));
            engine_rig_offer(&rig, id, 0, 0x1614, 4, WORDS(0));
        }
        engine_rig_stop(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_draw_from_their_first_vertex),
        cmocka_unit_test(the_separate_topology_is_drawn),
        cmocka_unit_test(indices_of_each_size_draw_with_base_and_restart),
        cmocka_unit_test(inline_indices_draw_with_the_end),
        cmocka_unit_test(instances_have_elements_of_their_own),
        cmocka_unit_test(inline_vertices_draw_with_the_end),
        cmocka_unit_test(the_first_of_many_inline_vertices_is_kept),
        cmocka_unit_test(vertex_ids_can_come_from_an_attribute),
        cmocka_unit_test(the_incoming_mask_is_one_sample_without_multisampling),
        cmocka_unit_test(state_without_a_model_says_so),
        cmocka_unit_test(counters_have_what_was_drawn),
        cmocka_unit_test(a_long_draw_is_the_same_in_slices_and_after_a_restore),
        cmocka_unit_test(many_programs_leave_the_other_stage_alone),
        cmocka_unit_test(a_program_without_an_end_times_out_at_its_address),
        cmocka_unit_test(what_is_no_instruction_is_an_error_of_the_warp),
        cmocka_unit_test(long_warps_share_the_time_of_their_draw),
        cmocka_unit_test(faults_are_of_the_client_that_reads),
        cmocka_unit_test(vertices_outside_of_memory_draw_nothing),
        cmocka_unit_test(random_state_does_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
