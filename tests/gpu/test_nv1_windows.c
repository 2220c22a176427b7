/* SPDX-License-Identifier: MIT */
/*
 * NV1: the windows of PGRAPH's types, to which the host writes methods past PFIFO; the object that method 0 selects
 * there; what the host may write while its access is off.
 *
 * What is expected is from envytools hwtest/pgraph_mthd.cc, pgraph_mthd_misc.cc, docs/hw/graph/nv1/pgraph.rst.
 */
#include "nv3.h"

#define BETA      0x01u /* types */
#define BLIT      0x10u
#define TEXQUAD   0x0eu
#define NOTIFY    0x104u
#define ALL_ON    0x0f000111u
#define ALL_OFF   0x0f000010u /* FIFO and HOST, after an error */
#define TRAP_ADDR 0x4006a8u
#define TRAP_DATA 0x4006acu
#define DEBUG_2   0x400088u
#define VALID     0x400650u
#define CHID      (1u << 16) /* CTX_CONTROL */
#define AVAILABLE (1u << 20)
#define SWITCHING (1u << 24)
#define ENABLED   (1u << 28)

static struct pfifo_gpu *make(void) {
    struct pfifo_gpu *gpu = nv3_make("NV1");
    wr(gpu, REG_FIFO, ALL_ON);
    return gpu;
}

static void method(struct pfifo_gpu *gpu, uint32_t type, uint32_t address, uint32_t data) {
    wr(gpu, 0x400000 | type << 16 | address, data);
}

static void assert_state(struct pfifo_gpu *gpu, uint32_t intr, uint32_t invalid, uint32_t access) {
    assert_int_equal(rd(gpu, REG_INTR), intr);
    assert_int_equal(rd(gpu, REG_INVALID), invalid);
    assert_int_equal(rd(gpu, REG_FIFO) & 0x0f000fff, access);
}

static void assert_value(struct pfifo_gpu *gpu, uint32_t object_class, uint32_t address, uint32_t data) {
    uint32_t value = ~data;
    assert_true(pfifo_gpu_method_value(gpu, CHANNEL, object_class, address, &value));
    assert_int_equal(value, data);
}

/* ---- methods ---- */

static void a_written_method_is_executed_at_once(void **state) {
    struct pfifo_gpu *gpu = make();
    (void)state;
    method(gpu, BETA, 0x300, 0x12345678);
    method(gpu, BLIT, 0x304, 7);
    method(gpu, BETA, 0x300, 0x23456789);
    assert_value(gpu, 0x12, 0x300, 0x23456789);
    assert_value(gpu, 0x1f, 0x304, 7);
    assert_state(gpu, 0, 0, ALL_ON);
    assert_int_equal(rd(gpu, TRAP_ADDR), 0x00010300);
    assert_int_equal(rd(gpu, TRAP_DATA), 0x23456789);
    pfifo_gpu_free(gpu);
}

static void a_written_method_may_be_refused(void **state) {
    static const struct {
        uint32_t type, address, data, invalid;
    } cases[] = {{BETA, 0x004, 0x1234, 1},  {BETA, 0x304, 0, 1},      {BETA, 0x2300, 0, 1}, {BETA, 0xfffc, 0, 1},
                 {TEXQUAD, 0x304, 0, 0x10}, {0x02, 0x300, 256, 0x10}, {0x07, 0x300, 0, 1},  {0x1f, 0x104, 0, 1}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make();
        method(gpu, cases[i].type, cases[i].address, cases[i].data);
        assert_state(gpu, INTR_INVALID, cases[i].invalid, ALL_OFF);
        assert_int_equal(rd(gpu, 0x100) & PMC_LINE, PMC_LINE);
        assert_int_equal(rd(gpu, TRAP_ADDR), cases[i].type << 16 | cases[i].address);
        assert_int_equal(rd(gpu, TRAP_DATA), cases[i].data);
        pfifo_gpu_free(gpu);
    }
}

static void pfifo_finds_its_own_object_again(void **state) {
    struct pfifo_gpu *gpu = make();
    (void)state;
    nv3_context(gpu, 0, BLIT, 0);
    nv3_send(gpu, 0, 0x304, 1);
    method(gpu, BETA, 0x300, 2);
    nv3_send(gpu, 0, 0x304, 3);
    assert_value(gpu, 0x1f, 0x304, 3);
    assert_value(gpu, 0x12, 0x300, 2);
    assert_state(gpu, 0, 0, ALL_ON);
    pfifo_gpu_free(gpu);
}

/* FIFO is PFIFO's. */
static void host_access_alone_decides(void **state) {
    struct pfifo_gpu *gpu = make();
    (void)state;
    wr(gpu, REG_FIFO, 0x0f000110);
    method(gpu, BETA, 0x300, 1);
    assert_value(gpu, 0x12, 0x300, 1);
    wr(gpu, REG_FIFO, 0x0f000011);
    method(gpu, BETA, 0x300, 2);
    method(gpu, BETA, 0x304, 2);
    assert_value(gpu, 0x12, 0x300, 1);
    assert_state(gpu, 0, 0, 0x0f000011);
    pfifo_gpu_free(gpu);
}

/* ---- method 0 ---- */

static void method_0_selects_the_object(void **state) {
    struct pfifo_gpu *gpu = make();
    (void)state;
    wr(gpu, REG_CONTROL, CHID | SWITCHING);
    method(gpu, BLIT, 0, 0x7f000000 | CHANNEL << 16 | 0x7123);
    assert_int_equal(rd(gpu, REG_CTX_SWITCH), CHANNEL << 16 | 0x7123);
    assert_int_equal(rd(gpu, REG_FIFO), ALL_ON | BLIT << 12);
    assert_int_equal(rd(gpu, REG_CONTROL), CHID);
    assert_state(gpu, 0, 0, ALL_ON);
    pfifo_gpu_free(gpu);
}

/* It is selected nevertheless. */
static void another_channel_or_subcontext_raises_context_switch(void **state) {
    static const struct {
        uint32_t control, value;
    } cases[] = {{CHID, (CHANNEL + 1) << 16}, {CHID, CHANNEL << 16 | 0x8000}, {0, CHANNEL << 16}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make();
        wr(gpu, REG_CONTROL, cases[i].control);
        method(gpu, BLIT, 0, cases[i].value);
        assert_state(gpu, 0x10, 0, ALL_OFF);
        assert_int_equal(rd(gpu, REG_FIFO), ALL_OFF | BLIT << 12);
        assert_int_equal(rd(gpu, REG_CTX_SWITCH), cases[i].value);
        assert_int_equal(rd(gpu, REG_CONTROL), CHID | SWITCHING);
        pfifo_gpu_free(gpu);
    }
}

static void method_0_may_forget_the_object_before(void **state) {
    static const struct {
        uint32_t debug_2, control, value;
        bool forgets;
    } cases[] = {{1u << 28, CHID, 1u << 31 | CHANNEL << 16, true},
                 {0, CHID, 1u << 31 | CHANNEL << 16, false},
                 {1u << 28, CHID, CHANNEL << 16, false},
                 {1u << 28, CHID, 1u << 31 | (CHANNEL + 1) << 16, false},
                 {1u << 28, CHID, 1u << 31 | CHANNEL << 16 | 0x8000, true},
                 {1u << 28, 0, 1u << 31 | (CHANNEL + 1) << 16, true}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make();
        wr(gpu, DEBUG_2, cases[i].debug_2);
        wr(gpu, REG_DEBUG_1, !cases[i].forgets);
        wr(gpu, REG_CONTROL, cases[i].control);
        wr(gpu, VALID, ~0u);
        method(gpu, BLIT, 0, cases[i].value);
        assert_int_equal(rd(gpu, REG_DEBUG_1), cases[i].forgets);
        assert_int_equal(rd(gpu, VALID), cases[i].forgets ? 0x11000000 : 0x111ff1ff);
        pfifo_gpu_free(gpu);
    }
}

static void method_0_refuses_a_notify_that_is_due(void **state) {
    struct pfifo_gpu *gpu = make();
    (void)state;
    wr(gpu, REG_CONTROL, CHID);
    wr(gpu, REG_NOTIFY, 1u << 20 | 0x1234);
    method(gpu, BLIT, 0, CHANNEL << 16);
    assert_state(gpu, INTR_INVALID | INTR_NOTIFY, 0x10000, ALL_OFF);
    assert_int_equal(rd(gpu, REG_NOTIFY), 0x1234);
    pfifo_gpu_free(gpu);
}

static void pfifo_shows_the_type_in_access(void **state) {
    struct pfifo_gpu *gpu = make();
    (void)state;
    nv3_context(gpu, 1, BLIT, 0);
    nv3_send(gpu, 1, 0x304, 1);
    assert_int_equal(rd(gpu, REG_FIFO), ALL_ON | BLIT << 12);
    nv3_send(gpu, 1, 0x30c, 1);
    assert_int_equal(rd(gpu, TRAP_ADDR), BLIT << 16 | 1 << 13 | 0x30c);
    pfifo_gpu_free(gpu);
}

/* ---- NOTIFY ---- */

static void a_notify_that_interrupts_does_so_at_the_next_which_is_refused(void **state) {
    static const struct {
        uint32_t notify, options, data, intr, invalid;
    } cases[] = {{1u << 20, 0, 0, INTR_INVALID | INTR_NOTIFY, 0x1100},
                 {1u << 20, 1u << 8, 0, INTR_INVALID | INTR_NOTIFY, 0x1000},
                 {1u << 20, 1u << 8, 1, INTR_INVALID, 0x1010},
                 {1u << 16, 1u << 8, 0, INTR_INVALID, 0x1000},
                 {0, 0, 0, INTR_INVALID, 0x100},
                 {0, 1u << 8, 0, 0, 0}};
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct pfifo_gpu *gpu = make();
        wr(gpu, REG_CTX_SWITCH, CHANNEL << 16 | cases[i].options);
        wr(gpu, REG_NOTIFY, cases[i].notify);
        method(gpu, BLIT, NOTIFY, cases[i].data);
        assert_state(gpu, cases[i].intr, cases[i].invalid, cases[i].invalid ? ALL_OFF : ALL_ON);
        assert_int_equal(rd(gpu, REG_NOTIFY), cases[i].invalid ? cases[i].notify : ARMED);
        pfifo_gpu_free(gpu);
    }
}

static void the_same_by_pfifo(void **state) {
    struct pfifo_gpu *gpu = make();
    (void)state;
    nv3_context(gpu, 1, BETA, 0);
    wr(gpu, REG_NOTIFY, 1u << 20);
    nv3_send(gpu, 1, NOTIFY, 0);
    assert_state(gpu, INTR_INVALID | INTR_NOTIFY, 0x1100, ALL_OFF);
    pfifo_gpu_free(gpu);
}

/* ---- registers ---- */

static void the_enables_of_access_read_as_ones(void **state) {
    struct pfifo_gpu *gpu = make();
    (void)state;
    wr(gpu, REG_FIFO, 0x0f00d111);
    assert_int_equal(rd(gpu, REG_FIFO), 0x0f00d111);
    wr(gpu, REG_FIFO, 0);
    assert_int_equal(rd(gpu, REG_FIFO), 0x0f00d111);
    wr(gpu, 0x200, ~PMC_LINE);
    wr(gpu, 0x200, ~0u);
    assert_int_equal(rd(gpu, REG_FIFO), 0x0f000101);
    pfifo_gpu_free(gpu);
}

/* All but ACCESS, INTR and INVALID. */
static void the_host_writes_no_register_while_its_access_is_off(void **state) {
    static const uint32_t registers[] = {0x400084, 0x400088, 0x400140, 0x400144, 0x400180, 0x400190, 0x400400, 0x400454,
                                         0x400464, 0x400610, 0x400624, 0x400630, 0x400634, 0x400640, 0x400650, 0x400658,
                                         0x400680, 0x400684, 0x400688, 0x400690, 0x4006a0, 0x400734};
    struct pfifo_gpu *gpu = make();
    (void)state;
    for (size_t i = 0; i < COUNT(registers); i++) {
        wr(gpu, REG_FIFO, ALL_ON);
        wr(gpu, registers[i], 0);
        wr(gpu, REG_FIFO, 0x04000000);
        wr(gpu, registers[i], 0x31111101);
        if (rd(gpu, registers[i]))
            fail_msg("%#x was written", (unsigned)registers[i]);
        wr(gpu, REG_FIFO, ALL_ON);
        wr(gpu, registers[i], 0x31111101);
        if (!rd(gpu, registers[i]))
            fail_msg("%#x was not written", (unsigned)registers[i]);
    }
    wr(gpu, REG_INTR_EN, ~0u);
    method(gpu, BETA, 0x304, 0);
    wr(gpu, REG_INVALID, ~0u);
    assert_state(gpu, 0, 0, ALL_OFF);
    pfifo_gpu_free(gpu);
}

/* NV3 has no such bit. */
static void nv3_writes_registers_whatever_fifo_says(void **state) {
    struct pfifo_gpu *gpu = nv3_make("NV3");
    (void)state;
    wr(gpu, REG_FIFO, 0);
    wr(gpu, 0x400624, 0xcc);
    assert_int_equal(rd(gpu, 0x400624), 0xcc);
    pfifo_gpu_free(gpu);
}

static void a_switch_is_available_to_a_device_that_is_not_busy(void **state) {
    static const struct {
        uint32_t written, read;
    } cases[] = {{0, 0},
                 {CHID, CHID},
                 {ENABLED, ENABLED | AVAILABLE},
                 {ENABLED | SWITCHING | 0x100, ENABLED | SWITCHING | 0x100 | AVAILABLE},
                 {ENABLED | CHID, ENABLED | CHID | AVAILABLE},
                 {ENABLED | CHID | SWITCHING, ENABLED | CHID | SWITCHING},
                 {ENABLED | CHID | 0x100, ENABLED | CHID | 0x100}};
    struct pfifo_gpu *gpu = make();
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        wr(gpu, REG_CONTROL, cases[i].written);
        assert_int_equal(rd(gpu, REG_CONTROL), cases[i].read);
    }
    pfifo_gpu_free(gpu);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_written_method_is_executed_at_once),
        cmocka_unit_test(a_written_method_may_be_refused),
        cmocka_unit_test(pfifo_finds_its_own_object_again),
        cmocka_unit_test(host_access_alone_decides),
        cmocka_unit_test(method_0_selects_the_object),
        cmocka_unit_test(another_channel_or_subcontext_raises_context_switch),
        cmocka_unit_test(method_0_may_forget_the_object_before),
        cmocka_unit_test(method_0_refuses_a_notify_that_is_due),
        cmocka_unit_test(pfifo_shows_the_type_in_access),
        cmocka_unit_test(a_notify_that_interrupts_does_so_at_the_next_which_is_refused),
        cmocka_unit_test(the_same_by_pfifo),
        cmocka_unit_test(the_enables_of_access_read_as_ones),
        cmocka_unit_test(the_host_writes_no_register_while_its_access_is_off),
        cmocka_unit_test(nv3_writes_registers_whatever_fifo_says),
        cmocka_unit_test(a_switch_is_available_to_a_device_that_is_not_busy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
