/* SPDX-License-Identifier: MIT */
/* Save and load of a card. */
#include "slot.h"

struct bytes {
    uint8_t *data;
    size_t used;
};

static bool keep(void *opaque, const void *data, size_t count) {
    struct bytes *to = opaque;
    uint8_t *larger = realloc(to->data, to->used + count);
    assert_non_null(larger);
    memcpy(larger + to->used, data, count);
    to->data = larger;
    to->used += count;
    return true;
}

static bool refuse(void *opaque, const void *data, size_t count) {
    (void)opaque, (void)data, (void)count;
    return false;
}

static void set_up(struct slot *slot) {
    cfg_write(slot, 0x10, 4, 0xfd000000);
    cfg_write(slot, 4, 2, 6);
    wr32(slot, 0x280000, 7);
    wr32(slot, 0x2ff000, 9);
    wr32(slot, 0x101000, 0x80000000);
    wr08(slot, 0x6013d4, 0x44);
    wr08(slot, 0x6013d5, 0x03);
    wr32(slot, 0x700000, 0x11223344);
    line_up(slot);
}

static void test_a_loaded_card_is_the_one_that_was_saved(void **state) {
    struct slot slot, other;
    struct bytes first = {0}, second = {0};
    (void)state;
    slot_open(&slot, "NV34");
    set_up(&slot);
    assert_int_equal(pfifo_pci_save(slot.card, keep, &first, NULL), PFIFO_OK);
    slot_open(&other, "NV34");
    wr32(&other, 0x281000, 1); /* gone afterwards */
    assert_int_equal(pfifo_pci_load(other.card, first.data, first.used, NULL), PFIFO_OK);
    assert_true(other.intx);
    assert_int_equal(cfg(&other, 0x10), 0xfd000000);
    assert_int_equal(pfifo_pci_unknown(other.card, NULL, 0), 2);
    assert_int_equal(pfifo_pci_save(other.card, keep, &second, NULL), PFIFO_OK);
    assert_int_equal(second.used, first.used);
    assert_memory_equal(second.data, first.data, first.used);
    assert_int_equal(rd32(&other, 0x280000), 7);
    assert_int_equal(rd32(&other, 0x101000), 0x80000000);
    assert_int_equal(rd08(&other, 0x6013d5), 3);
    assert_int_equal(rd32(&other, 0x700000), 0x11223344);
    free(first.data);
    free(second.data);
    slot_close(&slot);
    slot_close(&other);
}

static void test_a_message_that_was_sent_is_not_sent_again_by_a_load(void **state) {
    struct slot slot;
    struct bytes bytes = {0};
    (void)state;
    slot_open(&slot, "NV40");
    cfg_write(&slot, 4, 2, 6);
    cfg_write(&slot, 0x6a, 2, 1);
    line_up(&slot);
    assert_int_equal(slot.messages, 1);
    assert_int_equal(pfifo_pci_save(slot.card, keep, &bytes, NULL), PFIFO_OK);
    assert_int_equal(pfifo_pci_reset(slot.card, NULL), PFIFO_OK);
    assert_int_equal(pfifo_pci_load(slot.card, bytes.data, bytes.used, NULL), PFIFO_OK);
    assert_int_equal(slot.messages, 1);
    assert_int_equal(slot.changes, 0);
    wr08(&slot, 0x88068, 0xff);
    assert_int_equal(slot.messages, 2);
    free(bytes.data);
    slot_close(&slot);
}

static void test_what_is_no_state_is_refused_and_leaves_power_on(void **state) {
    struct slot slot;
    struct bytes bytes = {0};
    struct pfifo_error error;
    (void)state;
    slot_open(&slot, "NV34");
    set_up(&slot);
    assert_int_equal(pfifo_pci_save(slot.card, refuse, NULL, &error), PFIFO_ERROR_IO);
    assert_int_equal(pfifo_pci_save(slot.card, keep, &bytes, NULL), PFIFO_OK);
    for (size_t at = 0; at < 700; at += 3) {
        bytes.data[at] ^= 0x81;
        assert_int_not_equal(pfifo_pci_load(slot.card, bytes.data, bytes.used, &error), PFIFO_OK);
        bytes.data[at] ^= 0x81;
        assert_int_equal(cfg(&slot, 0x10), 0);
        assert_false(slot.intx);
        assert_int_equal(pfifo_pci_unknown(slot.card, NULL, 0), 0);
    }
    for (size_t length = 0; length < bytes.used; length += 1 + bytes.used / 50)
        assert_int_not_equal(pfifo_pci_load(slot.card, bytes.data, length, &error), PFIFO_OK);
    assert_int_equal(pfifo_pci_load(slot.card, bytes.data, bytes.used, NULL), PFIFO_OK);
    assert_true(slot.intx);
    free(bytes.data);
    slot_close(&slot);
}

static void test_the_state_of_a_board_with_other_ids_is_refused(void **state) {
    struct slot slot, other;
    struct bytes bytes = {0};
    struct pfifo_error error;
    (void)state;
    slot_open(&slot, "NV34");
    assert_int_equal(pfifo_pci_save(slot.card, keep, &bytes, NULL), PFIFO_OK);
    struct pfifo_pci_config config = slot_config(&other, pfifo_chip_by_name("NV34"));
    config.device_id = 0x0326;
    other.card = pfifo_pci_new(&config, NULL);
    assert_int_equal(pfifo_pci_load(other.card, bytes.data, bytes.used, &error), PFIFO_ERROR_ARGUMENT);
    slot_close(&other);
    slot_open(&other, "NV36");
    assert_int_equal(pfifo_pci_load(other.card, bytes.data, bytes.used, &error), PFIFO_ERROR_ARGUMENT);
    free(bytes.data);
    slot_close(&slot);
    slot_close(&other);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_loaded_card_is_the_one_that_was_saved),
        cmocka_unit_test(test_a_message_that_was_sent_is_not_sent_again_by_a_load),
        cmocka_unit_test(test_what_is_no_state_is_refused_and_leaves_power_on),
        cmocka_unit_test(test_the_state_of_a_board_with_other_ids_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
