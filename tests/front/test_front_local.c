/* SPDX-License-Identifier: MIT */
/* Local memory of programs of draws: what is there at the beginning, and how much of it. */
#include "front/draw_rig.h"

enum { GREY = 0x7f7f7f7f };

/* Red is l[offset]; then 1 is there. `bytes`: that the header asks for. */
static void put_program(struct engine_rig *rig, unsigned id, uint32_t offset, uint32_t bytes) {
    const uint64_t code[] = {0xefd9ff800807ff00,                          /* ALD.128 R0, a[0x80] */
                             0xef4400000007ff04 | (uint64_t)offset << 20, /* LDL R4 */
                             0x0103f8000007f008,                          /* MOV R8, 1.0 */
                             0xef5400000007ff08 | (uint64_t)offset << 20, /* STL R8 */
                             0xeff1ff800707ff00,                          /* AST.128 a[0x70], R0 */
                             0xeff0ff800807ff04,                          /* AST.64 a[0x80], R4 */
                             0xe30000000007000f};
    uint32_t address = CODE + HEADER + 0x50;
    for (unsigned i = 0; i < sizeof code / 8; i++, address += 8) {
        if (i % 3 == 0) {
            put(rig, address, (uint32_t[]){0xfc0007e0, 0x001f8000}, 2);
            address += 8;
        }
        put(rig, address, (uint32_t[]){(uint32_t)code[i], (uint32_t)(code[i] >> 32)}, 2);
    }
    engine_rig_wr32(rig, CODE + HEADER + 4, bytes);
    send(rig, id, 0, 0x21c, 1);
}

static void draw(struct engine_rig *rig, unsigned id) {
    for (unsigned i = 0; i < WIDTH * WIDTH; i++)
        engine_rig_wr32(rig, TARGET + i * 4, GREY);
    send(rig, id, 0, 0x1618, STRIP);
    send(rig, id, 0, 0xd74, 0, 4);
    send(rig, id, 0, 0x1614, 0);
}

static void local_memory_is_zero_when_a_draw_begins(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    put_program(&rig, id, 0, 16);
    for (unsigned i = 0; i < 3; i++) {
        draw(&rig, id);
        assert_int_equal(engine_rig_rd32(&rig, TARGET) & 0xff, 0);
    }
    expect_only_draws(&rig);
    engine_rig_stop(&rig);
}

/* Not as much as another program had before. */
static void a_program_has_as_much_local_memory_as_its_header_says(void **state) {
    struct engine_rig rig;
    unsigned id = draw_begin(&rig);
    (void)state;
    put_program(&rig, id, 0x100, 0x200);
    draw(&rig, id);
    assert_int_equal(engine_rig_rd32(&rig, TARGET) & 0xff, 0);
    assert_int_equal(rig.interrupts, 0);
    put_program(&rig, id, 0x100, 0x100);
    draw(&rig, id);
    assert_int_equal(engine_rig_rd32(&rig, TARGET), GREY);
    assert_int_equal(rig.interrupts, 1);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_memory_is_zero_when_a_draw_begins),
        cmocka_unit_test(a_program_has_as_much_local_memory_as_its_header_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
