/* SPDX-License-Identifier: MIT */
/* Two vertex programs, A and B, one after the other. */
#include "front/draw_rig.h"

#include "engine/core/register_file.h"

enum { PROGRAM_A = 0x230, SCHEDULE_LOW = 0xfc0007e0, SCHEDULE_HIGH = 0x001f8000 };

/* Three instructions after each scheduling word. */
static void put_program(struct engine_rig *rig, uint32_t at, const uint32_t header[20], const uint64_t *code,
                        unsigned count) {
    uint32_t address = CODE + at + 0x50;
    put(rig, CODE + at, header, 20);
    for (unsigned i = 0; i < count; i++, address += 8) {
        if (i % 3 == 0) {
            put(rig, address, (uint32_t[]){SCHEDULE_LOW, SCHEDULE_HIGH}, 2);
            address += 8;
        }
        put(rig, address, (uint32_t[]){(uint32_t)code[i], (uint32_t)(code[i] >> 32)}, 2);
    }
}

static uint64_t move(unsigned d, float value) {
    return 0x010000000007f000 | (uint64_t)bits(value) << 20 | d;
}

#define LOAD_0(d)   (UINT64_C(0xefd9ff800807ff00) | (d)) /* attribute 0, four words */
#define STORE_70(b) (UINT64_C(0xeff1ff800707ff00) | (b)) /* the position */
#define STORE_80(b) (UINT64_C(0xeff0ff800807ff00) | (b)) /* two words of the first vector */
#define EXIT        UINT64_C(0xe30000000007000f)

/* A writes the position and makes 0.4 in R4; B writes R4 on. */
static unsigned begin_pair(struct engine_rig *rig, float value) {
    static const uint32_t header_a[20] = {[0] = 0x20461, [4] = 0xff000, [6] = 0xf, [13] = 0xf000};
    static const uint32_t header_b[20] = {[0] = 0x20461, [4] = 0xff000, [13] = 0x30000};
    unsigned id = draw_begin(rig);
    uint64_t a[] = {LOAD_0(0), STORE_70(0), move(4, value), EXIT}, b[] = {STORE_80(4), EXIT};
    put_program(rig, PROGRAM_A, header_a, a, 4);
    put_program(rig, HEADER, header_b, b, 2);
    send(rig, id, 0, 0x2000, 1, PROGRAM_A);
    return id;
}

static uint32_t red_of(struct engine_rig *rig, unsigned x) {
    return engine_rig_rd32(rig, TARGET + x * 4) & 0xff;
}

static void draw(struct engine_rig *rig, unsigned id, unsigned first) {
    send(rig, id, 0, 0x1618, STRIP);
    send(rig, id, 0, 0xd74, first, 4);
    send(rig, id, 0, 0x1614, 0);
}

static void program_b_goes_on_with_the_registers_of_program_a(void **state) {
    struct engine_rig rig;
    unsigned id = begin_pair(&rig, 0.4f);
    (void)state;
    draw(&rig, id, 0);
    assert_int_equal(red_of(&rig, 0), 102);
    assert_int_equal(red_of(&rig, WIDTH / 2), 0);
    draw(&rig, id, 4);
    assert_int_equal(red_of(&rig, WIDTH / 2), 102);
    expect_only_draws(&rig);
    engine_rig_stop(&rig);
}

/* Lanes that A ends run B all the same, and what B writes again is B's. */
static void program_b_writes_over_what_program_a_has_written(void **state) {
    static const uint32_t header_a[20] = {[0] = 0x20461, [4] = 0xff000, [6] = 0xf, [13] = 0x3f000};
    struct engine_rig rig;
    unsigned id = begin_pair(&rig, 0.4f);
    (void)state;
    uint64_t a[] = {LOAD_0(0), STORE_70(0), move(4, 1), STORE_80(4), move(4, 0.2f), EXIT};
    put_program(&rig, PROGRAM_A, header_a, a, 6);
    draw(&rig, id, 0);
    assert_int_equal(red_of(&rig, 0), 51);
    expect_only_draws(&rig);
    engine_rig_stop(&rig);
}

/* Without it B alone has no position. */
static void program_a_runs_only_when_it_is_on(void **state) {
    struct engine_rig rig;
    unsigned id = begin_pair(&rig, 0.4f);
    (void)state;
    send(&rig, id, 0, 0x2000, 0);
    draw(&rig, id, 0);
    assert_int_equal(red_of(&rig, 0), 0);
    send(&rig, id, 0, 0x2000, 1);
    draw(&rig, id, 0);
    assert_int_equal(red_of(&rig, 0), 102);
    expect_only_draws(&rig);
    engine_rig_stop(&rig);
}

/* The layer is what A writes, though B's header does not have it. */
static void what_program_a_alone_writes_is_written(void **state) {
    enum { LAYER = WIDTH * WIDTH * 4 };
    static const uint32_t header_a[20] = {[0] = 0x20461, [4] = 0xff000, [6] = 0xf, [13] = 0xf200};
    struct engine_rig rig;
    unsigned id = begin_pair(&rig, 0);
    (void)state;
    uint64_t a[] = {LOAD_0(0), STORE_70(0), 0x010000000017f008, 0xeff07f800647ff08, move(4, 0.4f), EXIT};
    put_program(&rig, PROGRAM_A, header_a, a, 6);
    send(&rig, id, 0, 0x818, 2, LAYER >> 2);
    send(&rig, id, 0, 0x15cc, 1 << 16);
    draw(&rig, id, 0);
    assert_int_equal(red_of(&rig, 0), 0);
    assert_int_equal(engine_rig_rd32(&rig, TARGET + LAYER) & 0xff, 102);
    expect_only_draws(&rig);
    engine_rig_stop(&rig);
}

/* Its constants are those of its own group of buffers. */
static void each_program_has_its_own_constants(void **state) {
    static const uint32_t header_a[20] = {[0] = 0x20461, [4] = 0xff000, [6] = 0xf, [13] = 0xf000};
    struct engine_rig rig;
    unsigned id = begin_pair(&rig, 0);
    (void)state;
    uint64_t a[] = {LOAD_0(0), STORE_70(0), UINT64_C(0x4c98078000070004), EXIT}; /* R4 = c0[0] */
    put_program(&rig, PROGRAM_A, header_a, a, 4);
    for (unsigned group = 0; group < 2; group++) {
        engine_rig_wr32(&rig, REPORT + group * 0x100, bits(group ? 0.2f : 0.6f));
        send(&rig, id, 0, 0x2380, 0x100, 0, REPORT + group * 0x100);
        send(&rig, id, 0, 0x2410 + group * 0x20, 1);
    }
    for (uint32_t group = 0; group < 2; group++) {
        send(&rig, id, 0, 0x2010, group);
        draw(&rig, id, 0);
        assert_int_equal(red_of(&rig, 0), group ? 51 : 153);
    }
    expect_only_draws(&rig);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(program_b_goes_on_with_the_registers_of_program_a),
        cmocka_unit_test(program_b_writes_over_what_program_a_has_written),
        cmocka_unit_test(program_a_runs_only_when_it_is_on),
        cmocka_unit_test(what_program_a_alone_writes_is_written),
        cmocka_unit_test(each_program_has_its_own_constants),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
