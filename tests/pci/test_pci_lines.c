/* SPDX-License-Identifier: MIT */
/* Interrupts: INTA and its gate, messages and when the next one comes, reset. */
#include "slot.h"

#define ADDRESS 0xfee01004u
#define MESSAGE 0x26u

static void line_down(struct slot *slot) {
    wr32(slot, 0x140, 0);
}

static void line_up_again(struct slot *slot) {
    wr32(slot, 0x140, 2);
}

/* As Linux does it. */
static void enable_msi(struct slot *slot) {
    cfg_write(slot, 0x6c, 4, ADDRESS);
    cfg_write(slot, 0x70, 4, 0x1);
    cfg_write(slot, 0x74, 2, MESSAGE);
    cfg_write(slot, 0x04, 2, 0x0406);
    cfg_write(slot, 0x6a, 2, 0x81);
}

static void test_inta_is_the_line_of_the_gpu_when_an_access_returns(void **state) {
    unsigned raised = 0;
    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        struct slot slot;
        if (pfifo_chip_info(pfifo_chip_at(i)).id == 1 || !slot_open_at(&slot, i))
            continue;
        wr32(&slot, 0x160, ~0u); /* GP100: of every line */
        line_up(&slot);
        assert_int_equal(slot.intx, pfifo_gpu_irq(pfifo_pci_gpu(slot.card)));
        assert_int_equal(pfifo_pci_intx(slot.card), slot.intx);
        raised += slot.intx;
        wr32(&slot, 0x100, 0);
        line_down(&slot);
        assert_false(slot.intx);
        assert_int_equal(slot.messages, 0);
        slot_close(&slot);
    }
    assert_true(raised > 30);
}

static void test_the_command_register_gates_inta_only(void **state) {
    struct slot slot;
    (void)state;
    slot_open(&slot, "NV34");
    line_up(&slot);
    assert_true(slot.intx);
    cfg_write(&slot, 4, 2, 0x400);
    assert_false(slot.intx);
    assert_false(pfifo_pci_intx(slot.card));
    assert_true(cfg(&slot, 4) & 0x00080000); /* pending all the same */
    cfg_write(&slot, 4, 2, 0);
    assert_true(slot.intx);
    line_down(&slot);
    assert_int_equal(slot.changes, 4);
    assert_false(cfg(&slot, 4) & 0x00080000);
    slot_close(&slot);
}

static void test_with_msi_a_rising_line_sends_one_message(void **state) {
    struct slot slot;
    (void)state;
    slot_open(&slot, "NV40");
    enable_msi(&slot);
    assert_int_equal(slot.messages, 0);
    line_up(&slot);
    assert_int_equal(slot.messages, 1);
    assert_int_equal(slot.address, UINT64_C(0x1fee01004));
    assert_int_equal(slot.data, MESSAGE);
    assert_int_equal(slot.changes, 0);
    cfg_write(&slot, 4, 2, 0x0006); /* the gate is not for messages, and INTA is off with it or without */
    assert_int_equal(slot.changes, 0);
    slot_close(&slot);
}

static void test_the_next_message_comes_after_the_driver_has_armed(void **state) {
    static const struct {
        const char *chip;
        uint32_t offset;
    } rows[] = {{"NV40", 0x1868}, {"NV40", 0x88068}, {"G84", 0x88068}, {"GF100", 0x88704}, {"GK104", 0x88068}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct slot slot;
        slot_open(&slot, rows[i].chip);
        enable_msi(&slot);
        line_up(&slot);
        assert_int_equal(slot.messages, 1);
        line_down(&slot);
        line_up_again(&slot);
        assert_int_equal(slot.messages, 1);
        wr08(&slot, rows[i].offset, 0xff); /* while it is up */
        assert_int_equal(slot.messages, 2);
        line_down(&slot);
        wr08(&slot, rows[i].offset, 0xff); /* while it is down, as nouveau does */
        assert_int_equal(slot.messages, 2);
        line_up_again(&slot);
        assert_int_equal(slot.messages, 3);
        cfg_write(&slot, 0x68, 1, 0xff);
        assert_int_equal(slot.messages, 4);
        slot_close(&slot);
    }
}

static void test_msi_takes_the_line_from_inta_and_gives_it_back(void **state) {
    struct slot slot;
    (void)state;
    slot_open(&slot, "NV40");
    line_up(&slot);
    assert_true(slot.intx);
    cfg_write(&slot, 0x6c, 4, ADDRESS);
    cfg_write(&slot, 0x6a, 2, 1); /* not master of the bus: no message yet */
    assert_false(slot.intx);
    assert_int_equal(slot.messages, 0);
    cfg_write(&slot, 4, 2, 4);
    assert_int_equal(slot.messages, 1);
    cfg_write(&slot, 0x6a, 2, 0);
    assert_true(slot.intx);
    cfg_write(&slot, 0x6a, 2, 1);
    assert_int_equal(slot.messages, 2);
    slot_close(&slot);
}

static void test_a_card_before_nv40_has_no_msi(void **state) {
    struct slot slot;
    (void)state;
    slot_open(&slot, "NV34");
    enable_msi(&slot);
    cfg_write(&slot, 4, 2, 4);
    line_up(&slot);
    assert_true(slot.intx);
    assert_int_equal(slot.messages, 0);
    slot_close(&slot);
}

static void test_a_reset_of_the_bus_is_power_on_but_for_memory(void **state) {
    struct slot slot;
    uint8_t byte = 0x5a;
    (void)state;
    slot_open(&slot, "NV34");
    uint32_t fresh[64];
    for (unsigned i = 0; i < 64; i++)
        fresh[i] = cfg(&slot, 4 * i);
    cfg_write(&slot, 0x10, 4, 0xfd000000);
    cfg_write(&slot, 0x30, 4, 0xfe000001);
    cfg_write(&slot, 4, 2, 6);
    wr32(&slot, 0x280000, 7);
    wr32(&slot, 0x101000, 0x80000000);
    pfifo_pci_region_write(slot.card, 1, 0x1234, &byte, 1);
    line_up(&slot);
    assert_int_equal(pfifo_pci_reset(slot.card, NULL), PFIFO_OK);
    for (unsigned i = 0; i < 64; i++)
        assert_int_equal(cfg(&slot, 4 * i), fresh[i]);
    assert_false(slot.intx);
    assert_int_equal(pfifo_pci_unknown(slot.card, NULL, 0), 0);
    assert_int_equal(rd32(&slot, 0x101000), 0x00400000);
    assert_int_equal(rd32(&slot, 0x140), 0);
    byte = 0;
    pfifo_pci_region_read(slot.card, 1, 0x1234, &byte, 1);
    assert_int_equal(byte, 0x5a);
    slot_close(&slot);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_inta_is_the_line_of_the_gpu_when_an_access_returns),
        cmocka_unit_test(test_the_command_register_gates_inta_only),
        cmocka_unit_test(test_with_msi_a_rising_line_sends_one_message),
        cmocka_unit_test(test_the_next_message_comes_after_the_driver_has_armed),
        cmocka_unit_test(test_msi_takes_the_line_from_inta_and_gives_it_back),
        cmocka_unit_test(test_a_card_before_nv40_has_no_msi),
        cmocka_unit_test(test_a_reset_of_the_bus_is_power_on_but_for_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
