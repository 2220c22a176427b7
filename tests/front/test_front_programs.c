/* SPDX-License-Identifier: MIT */
/* Programs whose memory is written after they have run: when draws see it. */
#include "front/draw_rig.h"

enum { SECOND = FRAGMENT + 0x78, RED = 0xff0000ff, YELLOW = 0xff00ffff };

/* IPA R1, a[0x84] or a[0x80]: what is shown in green is the second component, or the first one. */
#define SHOWS_SECOND 0xe043ff884047ff01u
#define SHOWS_FIRST  0xe043ff880047ff01u

static void put_instruction(struct engine_rig *rig, uint64_t address, uint64_t word) {
    put(rig, address, (uint32_t[]){(uint32_t)word, (uint32_t)(word >> 32)}, 2);
}

/* A pixel of the left half. */
static uint32_t drawn(struct engine_rig *rig, unsigned id) {
    send(rig, id, 0, 0x1618, STRIP);
    send(rig, id, 0, 0xd74, 0, 4);
    send(rig, id, 0, 0x1614, 0);
    expect_only_draws(rig);
    return engine_rig_rd32(rig, TARGET + (8 * WIDTH + 8) * 4) | 0xff000000;
}

/* NVK loads a program to where another one was, binds it, and says nothing of instructions. */
static void a_program_that_is_bound_runs_as_its_memory_is(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    assert_int_equal(drawn(&rig, id), RED);
    put_instruction(&rig, CODE + SECOND, SHOWS_FIRST);
    send(&rig, id, 0, 0x2144, FRAGMENT);
    assert_int_equal(drawn(&rig, id), YELLOW);
    put_instruction(&rig, CODE + SECOND, SHOWS_SECOND);
    send(&rig, id, 0, 0x2144, FRAGMENT + 0x100);
    send(&rig, id, 0, 0x2144, FRAGMENT);
    assert_int_equal(drawn(&rig, id), RED);
    engine_rig_stop(&rig);
}

/* So it is if the other stage alone is bound: nobody knows whose memory was written. */
static void any_program_that_is_bound_makes_all_be_looked_at(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    assert_int_equal(drawn(&rig, id), RED);
    put_instruction(&rig, CODE + SECOND, SHOWS_FIRST);
    send(&rig, id, 0, 0x2044, HEADER);
    assert_int_equal(drawn(&rig, id), YELLOW);
    engine_rig_stop(&rig);
}

static void instructions_are_read_anew_when_they_are_invalidated(void **state) {
    static const uint32_t methods[] = {0x21c, 0x1698};
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct engine_rig rig;
        unsigned id = draw_begin(&rig);
        assert_int_equal(drawn(&rig, id), RED);
        put_instruction(&rig, CODE + SECOND, SHOWS_FIRST);
        send(&rig, id, 0, methods[i], 0x1010);
        assert_int_equal(drawn(&rig, id), RED);
        send(&rig, id, 0, methods[i], 1);
        assert_int_equal(drawn(&rig, id), YELLOW);
        engine_rig_stop(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_that_is_bound_runs_as_its_memory_is),
        cmocka_unit_test(any_program_that_is_bound_makes_all_be_looked_at),
        cmocka_unit_test(instructions_are_read_anew_when_they_are_invalidated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
