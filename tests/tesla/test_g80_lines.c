/* SPDX-License-Identifier: MIT */
/*
 * The interrupts of G80 .. MCP89: which bit, which line, and what keeps it from the host.
 *
 * Sources: envytools rnndb/fifo/g80_pfifo.xml, docs/hw/bus/pmc.rst, docs/hw/memory/g80-vm.rst.
 */
#include "g80.h"

enum {
    NRHOST_INTR = 0x2104,
    NRHOST_EN = 0x2144,
    PMC_INTR_NRHOST = 0x104,
    PMC_INTR_DAEMON = 0x108,
    PMC_EN_NRHOST = 0x144,
    PMC_EN_DAEMON = 0x148,
    PMC_LINE = 0x160,
    PMC_MASK = 0x640,
    PFIFO_LINE = 0x100,
};

static void notify(struct rig *rig) {
    push(rig, INC(0, 0x20, 1), 0);
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
}

static void intr_en_gates_the_line_and_not_intr(void **state) {
    struct rig *rig = *state;
    wr(rig, INTR_EN, 0);
    push(rig, 0xe0000003);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, INTR), I_DMA_PUSHER);
    assert_int_equal(rd(rig, PMC_INTR), 0);
    assert_false(rig->bus.line);
    wr(rig, INTR_EN, I_DMA_PUSHER);
    assert_int_equal(rd(rig, PMC_INTR), PFIFO_LINE);
    assert_true(rig->bus.line);
    assert_int_equal(rd(rig, PMC_LINE), 0);
    wr(rig, INTR, ~(uint32_t)I_DMA_PUSHER);
    assert_int_equal(rd(rig, PMC_INTR), PFIFO_LINE);
    wr(rig, INTR, I_DMA_PUSHER);
    assert_int_equal(rd(rig, PMC_INTR), 0);
    assert_false(rig->bus.line);
    assert_int_equal(rd(rig, PMC_LINE), 1);
}

/* nv50.c leaves NOTIFY off until somebody asks for it. */
static void notify_can_be_masked_alone(void **state) {
    struct rig *rig = *state;
    wr(rig, INTR_EN, 0xbfffffff);
    notify(rig);
    assert_int_equal(rd(rig, INTR), I_NOTIFY);
    assert_int_equal(rd(rig, PMC_INTR), 0);
}

/* ---- NRHOST and DAEMON ---- */

static void notify_goes_to_both_registers(void **state) {
    struct rig *rig = *state;
    notify(rig);
    assert_int_equal(rd(rig, INTR), I_NOTIFY);
    assert_int_equal(rd(rig, NRHOST_INTR), I_NOTIFY);
    wr(rig, INTR, I_NOTIFY);
    assert_int_equal(rd(rig, INTR), 0);
    assert_int_equal(rd(rig, NRHOST_INTR), I_NOTIFY);
    wr(rig, NRHOST_INTR, ~(uint32_t)I_NOTIFY);
    assert_int_equal(rd(rig, NRHOST_INTR), I_NOTIFY);
    wr(rig, NRHOST_INTR, I_NOTIFY);
    assert_int_equal(rd(rig, NRHOST_INTR), 0);
}

static void other_interrupts_are_none_of_nrhost(void **state) {
    struct rig *rig = *state;
    wr(rig, NRHOST_EN, ~0u);
    push(rig, 0xe0000003);
    assert_int_equal(rig_go(rig), PFIFO_STOP_INTERRUPT);
    assert_int_equal(rd(rig, NRHOST_INTR), 0);
    assert_int_equal(rd(rig, PMC_INTR_NRHOST), 0);
    assert_int_equal(rd(rig, PMC_INTR_DAEMON), PFIFO_LINE);
}

static void each_destination_has_its_own_enables(void **state) {
    struct rig *rig = *state;
    wr(rig, PMC_INTR_EN, 0);
    wr(rig, INTR_EN, 0);
    notify(rig);
    assert_int_equal(rd(rig, PMC_INTR_NRHOST), 0);
    wr(rig, NRHOST_EN, I_NOTIFY);
    assert_int_equal(rd(rig, PMC_INTR), 0);
    assert_int_equal(rd(rig, PMC_INTR_NRHOST), PFIFO_LINE);
    assert_int_equal(rd(rig, PMC_INTR_DAEMON), 0);
    assert_false(rig->bus.line);
    wr(rig, PMC_EN_NRHOST, 1);
    assert_true(rig->bus.line); /* HOST and NRHOST are both INTA */
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(rd(rig, PMC_LINE + 4 * i), i != 1);
    wr(rig, PMC_EN_NRHOST, 2);
    assert_false(rig->bus.line);
    wr(rig, PMC_EN_NRHOST, 1);
    wr(rig, NRHOST_INTR, I_NOTIFY);
    assert_false(rig->bus.line);
    assert_int_equal(rd(rig, PMC_INTR_NRHOST), 0);
}

static void the_daemon_sees_what_the_host_sees_but_has_its_own_line(void **state) {
    struct rig *rig = *state;
    wr(rig, PMC_INTR_EN, 0);
    notify(rig);
    assert_int_equal(rd(rig, PMC_INTR), PFIFO_LINE);
    assert_int_equal(rd(rig, PMC_INTR_DAEMON), PFIFO_LINE);
    wr(rig, PMC_EN_DAEMON, 1);
    assert_false(rig->bus.line);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(rd(rig, PMC_LINE + 4 * i), i != 2);
}

/* What is masked is not seen in INTR either. */
static void masks_hide_lines(void **state) {
    struct rig *rig = *state;
    wr(rig, NRHOST_EN, I_NOTIFY);
    wr(rig, PMC_EN_NRHOST, 1);
    notify(rig);
    static const uint32_t regs[] = {PMC_INTR, PMC_INTR_NRHOST, PMC_INTR_DAEMON};
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t all = i == 1 ? PFIFO_LINE : ~0u; /* NRHOST has no other line */
        wr(rig, PMC_MASK + 4 * i, ~(uint32_t)PFIFO_LINE);
        assert_int_equal(rd(rig, PMC_MASK + 4 * i), all & ~(uint32_t)PFIFO_LINE);
        for (uint32_t j = 0; j < 3; j++)
            assert_int_equal(rd(rig, regs[j]), j == i ? 0 : PFIFO_LINE);
        wr(rig, PMC_MASK + 4 * i, ~0u);
        assert_int_equal(rd(rig, PMC_MASK + 4 * i), all);
    }
    wr(rig, PMC_MASK, 0);
    assert_true(rig->bus.line);
    wr(rig, PMC_MASK + 4, 0);
    assert_false(rig->bus.line);
}

static void before_gt215_there_is_one_destination(void **state) {
    struct rig *rig = *state;
    static const uint32_t offsets[] = {PMC_INTR_NRHOST, PMC_INTR_DAEMON, PMC_EN_NRHOST, PMC_EN_DAEMON, PMC_LINE + 4,
                                       PMC_MASK,        PMC_MASK + 4,    NRHOST_INTR,   NRHOST_EN};
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++)
        assert_int_equal(rd(rig, offsets[i]), 0xbad00100);
}

/* ---- the host's own accesses ---- */

static void a_fault_of_bar_1_or_3_is_bar_fault(void **state) {
    struct rig *rig = *state;
    wr(rig, 0x1704, 1u << 30 | RIG_DESCRIPTOR(1) >> 12);
    static const struct {
        unsigned bar;
        uint32_t reg;
    } bars[] = {{1, 0x1708}, {3, 0x170c}};
    for (size_t i = 0; i < 2; i++) {
        uint32_t word = 0;
        wr(rig, bars[i].reg, 1u << 31); /* object 0: there is none */
        bus_bar_read(&rig->bus, bars[i].bar, 0x1000, &word, sizeof word);
        assert_int_equal(rd(rig, INTR), I_BAR_FAULT);
        assert_int_equal(rd(rig, PMC_INTR) & PFIFO_LINE, PFIFO_LINE);
        assert_int_equal(word & 0xffffff00, 0xbad0ac00);
        wr(rig, INTR, I_BAR_FAULT);
        bus_bar_write(&rig->bus, bars[i].bar, 0x1000, &word, sizeof word);
        assert_int_equal(rd(rig, INTR), I_BAR_FAULT);
        wr(rig, INTR, I_BAR_FAULT);
        wr(rig, bars[i].reg, 0);
        bus_bar_read(&rig->bus, bars[i].bar, 0x1000, &word, sizeof word);
        assert_int_equal(rd(rig, INTR), 0);
    }
}

static void a_fault_of_peephole_is_peephole_fault(void **state) {
    struct rig *rig = *state;
    uint32_t port = rig->descriptor_has_ramfc ? 0x1570 : 0x60010;
    wr(rig, 0x1704, RIG_DESCRIPTOR(1) >> 12); /* without bit 30: of PEEPHOLE */
    wr(rig, 0x1710, 1u << 31);
    wr(rig, port, 0x1000);
    assert_int_equal(rd(rig, port + 4) & 0xffffff00, 0xbad0ac00);
    assert_int_equal(rd(rig, INTR), I_PEEPHOLE_FAULT);
    wr(rig, INTR, I_PEEPHOLE_FAULT);
    wr(rig, port + 4, 0);
    assert_int_equal(rd(rig, INTR), I_PEEPHOLE_FAULT);
    wr(rig, 0x1710, 0);
    wr(rig, INTR, I_PEEPHOLE_FAULT);
    rd(rig, port + 4);
    assert_int_equal(rd(rig, INTR), 0);
}

/* A PFIFO that is off has no interrupts, and none when it comes back. */
static void a_fault_while_pfifo_is_off_is_forgotten(void **state) {
    struct rig *rig = *state;
    uint32_t word;
    wr(rig, 0x1708, 1u << 31);
    wr(rig, PMC_ENABLE, ~0x100u);
    bus_bar_read(&rig->bus, 1, 0, &word, sizeof word);
    assert_int_equal(rd(rig, PMC_INTR) & PFIFO_LINE, 0);
    wr(rig, PMC_ENABLE, ~0u);
    assert_int_equal(rd(rig, INTR), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        ON_EACH(intr_en_gates_the_line_and_not_intr),
        FROM_G84(notify_can_be_masked_alone),
        FROM_GT215(notify_goes_to_both_registers),
        FROM_GT215(other_interrupts_are_none_of_nrhost),
        FROM_GT215(each_destination_has_its_own_enables),
        FROM_GT215(the_daemon_sees_what_the_host_sees_but_has_its_own_line),
        FROM_GT215(masks_hide_lines),
        ON_G80(before_gt215_there_is_one_destination),
        ON_G84_TO_MCP79(before_gt215_there_is_one_destination),
        ON_EACH(a_fault_of_bar_1_or_3_is_bar_fault),
        ON_EACH(a_fault_of_peephole_is_peephole_fault),
        ON_KINDS(a_fault_while_pfifo_is_off_is_forgotten),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
