/* SPDX-License-Identifier: MIT */
/* PVP2, PBSP, PCIPHER: semaphores, and the copies that nouveau has PCIPHER do. */
#include "check.h"

#define OBJECT(n) ((uint64_t)(n) << 16)

static void fill(struct engine_rig *rig, uint64_t address, uint32_t bytes) {
    for (uint32_t at = 0; at < bytes; at += 4)
        engine_rig_wr32(rig, address + at, 0x01000193u * (at + 0x811c9dc5u));
}

static void cores_do_no_work_and_say_which(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "G84", CHIP_UNIT_PVP2, 0x7476);
    send(&rig, id, 0, 0x300, 0);
    assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, "decode picture", 0x7476, 0x300);
    engine_rig_stop(&rig);
    id = start(&rig, "G96", CHIP_UNIT_PBSP, 0x74b0);
    send(&rig, id, 0, 0x300, 0);
    assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, "parse bitstream", 0x74b0, 0x300);
    engine_rig_stop(&rig);
}

/* LENGTH, source and destination as nouveau_bo.c sends them; any length, one object for both. */
static void cipher_copies(void **state) {
    (void)state;
    static const uint32_t lengths[] = {0, 1, 15, 16, 17, 4096, 0x7e01};
    struct engine_rig rig;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        uint32_t length = lengths[i];
        unsigned id = start(&rig, "G84", CHIP_UNIT_PCIPHER, 0x74c1);
        fill(&rig, OBJECT(3) + 0x100, 0x8000);
        send(&rig, id, 0, 0x180, 2, 3, 3);
        send(&rig, id, 0, 0x304, length, 0, 0x100, 0, 0x8104, 0);
        for (uint32_t at = 0; at < length + 8; at++) {
            uint8_t byte = (uint8_t)(engine_rig_rd32(&rig, OBJECT(3) + 0x8104 + (at & ~3u)) >> 8 * (at & 3));
            uint8_t wanted = (uint8_t)(engine_rig_rd32(&rig, OBJECT(3) + 0x100 + (at & ~3u)) >> 8 * (at & 3));
            assert_int_equal(byte, at < length ? wanted : 0);
        }
        if (length)
            assert_event(&rig, EVENT_ENGINE_DONE, 0, "copy", 0x74c1, 0x318);
        assert_int_equal(rig.events, length ? 3 : 0); /* what is read, what is written, that it is done */
        engine_rig_stop(&rig);
    }
}

/* Queries come when the copy is done. */
static void cipher_answers_a_query(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GT200", CHIP_UNIT_PCIPHER, 0x74c1);
    send(&rig, id, 0, 0x180, 2, 3, 4);
    send(&rig, id, 0, 0x31c, 0, 0x40, 9);
    send(&rig, id, 0, 0x304, 64, 0, 0, 0, 0);
    send(&rig, id, 0, 0x318, 0x10);
    assert_int_equal(engine_rig_rd64(&rig, OBJECT(2) + 0x40), 9);
    assert_int_equal(engine_rig_rd64(&rig, OBJECT(2) + 0x48), ENGINE_RIG_TIME);
    assert_int_equal(rig.interrupts, 0);
    assert_int_equal(rig.event[2].id, EVENT_ENGINE_DONE); /* after what was read and written */
    send(&rig, id, 0, 0x318, 0x20);
    assert_int_equal(rig.interrupts, 1);
    send(&rig, id, 0, 0x318, 0x30); /* no such query */
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 2);
    send(&rig, id, 0, 0x328, 0);
    assert_int_equal(rig.interrupts, 1);
    send(&rig, id, 0, 0x328, 1);
    assert_int_equal(rig.interrupts, 2);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 4);
    engine_rig_stop(&rig);
}

static void a_copy_that_faults_has_no_query(void **state) {
    (void)state;
    struct engine_rig rig;
    for (unsigned bad = 0; bad < 2; bad++) {
        unsigned id = start(&rig, "G84", CHIP_UNIT_PCIPHER, 0x74c1);
        send(&rig, id, 0, 0x180, 2, bad ? 3 : 0, bad ? 0 : 3);
        send(&rig, id, 0, 0x31c, 0, 0x40, 9);
        send(&rig, id, 0, 0x304, 64, 0, 0, 0, 0, 0x20);
        assert_int_equal(rig.faults, 1);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 0);
        assert_int_equal(rig.interrupts, 0);
        engine_rig_stop(&rig);
    }
}

/* Blocks go upwards one by one, so that an overlap repeats what is at the beginning. */
static void an_overlapping_copy_goes_upwards_in_blocks(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "G84", CHIP_UNIT_PCIPHER, 0x74c1);
    fill(&rig, OBJECT(3), 64);
    uint32_t first = engine_rig_rd32(&rig, OBJECT(3));
    send(&rig, id, 0, 0x180, 2, 3, 3);
    send(&rig, id, 0, 0x304, 48, 0, 0, 0, 16, 0);
    for (unsigned block = 0; block < 4; block++)
        assert_int_equal(engine_rig_rd32(&rig, OBJECT(3) + 16 * block), first);
    engine_rig_stop(&rig);
}

static void encryption_is_not_executed_and_is_told_by_name(void **state) {
    (void)state;
    static const char *const names[8] = {"",        "AES-ECB", "AES-CTR", "AES-CTR",
                                         "AES-CBC", "AES-ECB", "AES-ECB", "AES-ECB"};
    struct engine_rig rig;
    unsigned id = start(&rig, "G84", CHIP_UNIT_PCIPHER, 0x74c1);
    send(&rig, id, 0, 0x180, 2, 3, 4);
    engine_rig_wr32(&rig, OBJECT(3), 1);
    for (unsigned mode = 0; mode < 8; mode++) {
        send(&rig, id, 0, 0x300, mode, 16, 0, 0, 0, 0, 1 + mode % 2);
        assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, mode, names[mode], 0x74c1, 0x318);
    }
    assert_int_equal(engine_rig_rd32(&rig, OBJECT(4)), 0);
    engine_rig_stop(&rig);
}

/* Longer than a slice: the method stalls, and comes again until all is there. */
static void a_long_copy_goes_in_slices(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "G84", CHIP_UNIT_PCIPHER, 0x74c1);
    const struct fifo_engine *slot = &rig.fifo.engines[id];
    send(&rig, id, 0, 0x180, 2, 3, 4);
    send(&rig, id, 0, 0x304, 3u << 20, 0, 0, 0, 0);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x318, 4, WORDS(0)), 0);
    assert_true(slot->ops->busy(slot->engine, &rig.channel));
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x318, 4, WORDS(0)), 1); /* a fault: objects have 64 KiB */
    assert_int_equal(rig.faults, 1);
    assert_false(slot->ops->busy(slot->engine, &rig.channel));
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cores_do_no_work_and_say_which),
        cmocka_unit_test(cipher_copies),
        cmocka_unit_test(cipher_answers_a_query),
        cmocka_unit_test(a_copy_that_faults_has_no_query),
        cmocka_unit_test(an_overlapping_copy_goes_upwards_in_blocks),
        cmocka_unit_test(encryption_is_not_executed_and_is_told_by_name),
        cmocka_unit_test(a_long_copy_goes_in_slices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
