/* SPDX-License-Identifier: MIT */
/* What says that a transfer is done: M2MF, inline data, copy engines, video. The copies have tests of their own. */
#include "check.h"

#define OBJECT_2 UINT64_C(0x20000)

static void m2mf_writes_notifier_one(void **state) {
    (void)state;
    struct engine_rig rig;
    static const struct {
        const char *chip;
        uint32_t object_class;
    } cases[] = {{"NV40", 0x0039}, {"G80", 0x5039}};
    for (unsigned i = 0; i < 2; i++) {
        unsigned id = start(&rig, cases[i].chip, CHIP_UNIT_PGRAPH, cases[i].object_class);
        send(&rig, id, 0, 0x180, 2, 2, 2);
        if (cases[i].object_class == 0x5039) {
            send(&rig, id, 0, 0x200, 1); /* linear, both sides */
            send(&rig, id, 0, 0x21c, 1);
        }
        send(&rig, id, 0, 0x30c, 0x400, 0x800, 64, 64, 64, 1, 0x101, 0);
        assert_int_equal(engine_rig_rd64(&rig, OBJECT_2), 0);
        assert_int_equal(engine_rig_rd64(&rig, OBJECT_2 + 0x10), ENGINE_RIG_TIME);
        assert_event(&rig, EVENT_ENGINE_DONE, 0, "copy", cases[i].object_class, 0x328);
        assert_event(&rig, EVENT_ENGINE_FENCE, 0, "notifier", 0x10, 0);
        assert_int_equal(rig.interrupts, 0);
        send(&rig, id, 0, 0x328, 1);
        assert_int_equal(rig.interrupts, 1);
        engine_rig_stop(&rig);
    }
}

static void fermi_m2mf_releases_its_semaphore(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9039);
    send(&rig, id, 0, 0x31c, 64, 1);
    send(&rig, id, 0, 0x32c, 0, 0x1000, 42);
    send(&rig, id, 0, 0x300, 0x102110);
    assert_int_equal(engine_rig_rd64(&rig, 0x1000), 42);
    assert_int_equal(engine_rig_rd64(&rig, 0x1008), 0);
    send(&rig, id, 0, 0x300, 0x012110);
    assert_int_equal(engine_rig_rd64(&rig, 0x1008), ENGINE_RIG_TIME);
    assert_int_equal(rig.interrupts, 1);
    assert_int_equal(rig.cause, CAUSE_BUFFER_NOTIFY);
    send(&rig, id, 0, 0x300, 0x100110);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 2);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 3);
    assert_event(&rig, EVENT_ENGINE_DONE, 0, "copy", 0x9039, 0x300);
    engine_rig_stop(&rig);
}

static void fermi_m2mf_waits_for_inline_data(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9039);
    send(&rig, id, 0, 0x31c, 5, 2);
    send(&rig, id, 0, 0x32c, 0, 0x1000, 42);
    send(&rig, id, 0, 0x300, 0x102111);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x304, 0, WORDS(1, 2, 3, 4)), 2);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 0);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x304, 0, WORDS(3, 4)), 1);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 42);
    assert_event(&rig, EVENT_ENGINE_DONE, 0, "upload", 0x9039, 0x304);
    engine_rig_stop(&rig);
}

/* The window is in the 3D and compute classes, too. */
static void inline_data_completes_with_its_last_word(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t object_class;
    } cases[] = {{"GK104", 0xa040}, {"GM107", 0xa140}, {"GK104", 0xa097}, {"GM200", 0xb1c0}, {"GA102", 0xc797}};
    struct engine_rig rig;
    for (unsigned i = 0; i < 5; i++) {
        unsigned id = start(&rig, cases[i].chip, CHIP_UNIT_PGRAPH, cases[i].object_class);
        send(&rig, id, 0, 0x180, 10, 1);
        send(&rig, id, 0, 0x1dc, 0, 0x1000, 42);
        send(&rig, id, 0, 0x1b0, 0x1021);
        const uint32_t data[] = {1, 2, 3, 4, 5};
        assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b4, 0, data, 5), 2);
        assert_int_equal(engine_rig_rd32(&rig, 0x1000), 0);
        assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b4, 0, data + 2, 3), 1);
        assert_int_equal(engine_rig_rd64(&rig, 0x1000), 42);
        assert_true(engine_rig_offer(&rig, id, 0, 0x1b4, 0, data + 3, 1)); /* words beyond are dropped */
        assert_true(engine_rig_offer(&rig, id, 0, 0x1b4, 0, data + 4, 1));
        assert_int_equal(engine_rig_value(&rig, id, cases[i].object_class, 0x1b4), 5);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 1);
        assert_event(&rig, EVENT_ENGINE_FENCE, 0, "semaphore", 0x1000, 42);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 0);
        assert_event(&rig, EVENT_ENGINE_DONE, 0, "upload", cases[i].object_class, 0x1b4);
        engine_rig_stop(&rig);
    }
}

static void an_inline_launch_of_nothing_is_done_at_once(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GK110", CHIP_UNIT_PGRAPH, 0xa140);
    send(&rig, id, 0, 0x1dc, 0, 0x1000, 42);
    send(&rig, id, 0, 0x1b0, 0x0121);
    assert_int_equal(engine_rig_rd64(&rig, 0x1008), ENGINE_RIG_TIME);
    assert_int_equal(rig.interrupts, 1);
    assert_int_equal(rig.cause, CAUSE_BUFFER_NOTIFY);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 0);
    send(&rig, id, 0, 0x1b0, 0x1011); /* flush only */
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 1);
    send(&rig, id, 0, 0x1b0, 0x1023); /* add */
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 84);
    engine_rig_stop(&rig);
}

static void an_inline_launch_may_be_larger_than_32_bits(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GK110", CHIP_UNIT_PGRAPH, 0xa140);
    send(&rig, id, 0, 0x180, 0xffffffff, 0xffffffff);
    send(&rig, id, 0, 0x1b0, 0x1021);
    uint32_t data[64] = {0};
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b4, 0, data, 64), 64);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 0);
    engine_rig_stop(&rig);
}

static void a_full_last_word_completes_inline_data(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GK110", CHIP_UNIT_PGRAPH, 0xa140);
    send(&rig, id, 0, 0x180, 4, 2);
    send(&rig, id, 0, 0x1dc, 0, 0x1000, 42);
    send(&rig, id, 0, 0x1b0, 0x1021);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b4, 0, WORDS(1, 2)), 1);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 0);
    send(&rig, id, 0, 0x1b4, 2);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 42);
    engine_rig_stop(&rig);
}

static void copies_release_their_semaphore(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GK104", CHIP_UNIT_PCOPY0, 0xa0b5);
    send(&rig, id, 0, 0x240, 0, 0x1000, 42);
    send(&rig, id, 0, 0x300, 0x8);
    assert_int_equal(engine_rig_rd64(&rig, 0x1000), 42);
    assert_int_equal(engine_rig_rd64(&rig, 0x1008), 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 0);
    send(&rig, id, 0, 0x300, 0x386 | 0x10 | 0x40);
    assert_int_equal(engine_rig_rd64(&rig, 0x1008), ENGINE_RIG_TIME);
    assert_event(&rig, EVENT_ENGINE_DONE, 0, "copy", 0xa0b5, 0x300);
    assert_event(&rig, EVENT_ENGINE_INTERRUPT, 0, "COPY", 0xa0b5, 0x300);
    send(&rig, id, 0, 0x300, 0x386);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 2);
    engine_rig_stop(&rig);
}

static void copies_reduce(void **state) {
    (void)state;
    static const struct {
        uint32_t operation, is_unsigned, memory, payload, result;
    } cases[] = {
        {0, 1, 5, 0xffffffff, 5}, {0, 0, 5, 0xffffffff, 0xffffffff},
        {1, 1, 5, 7, 7},          {2, 1, 0xc, 0xa, 6},
        {3, 1, 0xc, 0xa, 8},      {4, 1, 0xc, 0xa, 0xe},
        {5, 1, 40, 2, 42},        {6, 1, 5, 9, 6},
        {7, 1, 5, 9, 4},
    };
    struct engine_rig rig;
    unsigned id = start(&rig, "GV100", CHIP_UNIT_PCOPY0, 0xc3b5);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        engine_rig_wr32(&rig, 0x1000, cases[i].memory);
        send(&rig, id, 0, 0x240, 0, 0x1000, cases[i].payload);
        send(&rig, id, 0, 0x300, 0x80008 | cases[i].operation << 14 | cases[i].is_unsigned << 18);
        assert_int_equal(engine_rig_rd32(&rig, 0x1000), cases[i].result);
    }
    send(&rig, id, 0, 0x300, 0x80008 | 0xb << 14); /* FMIN, which this class does not have */
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 1);
    engine_rig_stop(&rig);
}

static void copies_release_64_bits_from_ga102_on(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GH100", CHIP_UNIT_PCOPY0, 0xc8b5);
    send(&rig, id, 0, 0x240, 0, 0x1000, 42, 43);
    send(&rig, id, 0, 0x300, 0x08000008);
    assert_int_equal(engine_rig_rd64(&rig, 0x1000), UINT64_C(43) << 32 | 42);
    engine_rig_wr32(&rig, 0x1000, 0xffffffff);
    send(&rig, id, 0, 0x300, 0x08080008 | 5 << 14); /* IADD */
    assert_int_equal(engine_rig_rd64(&rig, 0x1000), UINT64_C(87) << 32 | 41);
    send(&rig, id, 0, 0x24c, 0xffffffff);
    send(&rig, id, 0, 0x300, 0x080c0008); /* IMIN, unsigned */
    assert_int_equal(engine_rig_rd64(&rig, 0x1000), UINT64_C(87) << 32 | 41);
    send(&rig, id, 0, 0x300, 0x08080008);
    assert_int_equal(engine_rig_rd64(&rig, 0x1000), UINT64_C(0xffffffff) << 32 | 42);
    send(&rig, id, 0, 0x300, 0x08080010 | 5 << 14); /* with the time */
    assert_int_equal(engine_rig_rd64(&rig, 0x1000), UINT64_C(0xfffffffe) << 32 | 84);
    assert_int_equal(engine_rig_rd64(&rig, 0x1008), ENGINE_RIG_TIME);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 0);
    send(&rig, id, 0, 0x300, 0x08080008 | 0xa << 14); /* FADD, which has 32 bits */
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 1);
    engine_rig_stop(&rig);
    id = start(&rig, "TU102", CHIP_UNIT_PCOPY0, 0xc5b5);
    send(&rig, id, 0, 0x240, 0, 0x1000, 42, 43);
    send(&rig, id, 0, 0x300, 0x08000008);
    assert_int_equal(engine_rig_rd64(&rig, 0x1000), 42);
    engine_rig_stop(&rig);
}

static void fermi_copies_speak_the_methods_of_either_firmware(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PCOPY0, 0x90b5);
    /* nouveau's */
    send(&rig, id, 0, 0x30c, 0, 0, 0, 0, 4096, 4096, 4096, 1);
    send(&rig, id, 0, 0x338, 0, 0x1000, 42);
    send(&rig, id, 0, 0x300, 0x3110);
    assert_int_equal(engine_rig_rd64(&rig, 0x1000), 42);
    assert_int_equal(engine_rig_rd64(&rig, 0x1008), 0);
    send(&rig, id, 0, 0x300, 0x1110);
    assert_int_equal(engine_rig_rd64(&rig, 0x1008), ENGINE_RIG_TIME);
    send(&rig, id, 0, 0x300, 0x0110);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 2);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 3);
    /* NVIDIA's */
    send(&rig, id, 0, 0x240, 0, 0x2000, 43);
    send(&rig, id, 0, 0x300, 0x8);
    assert_int_equal(engine_rig_rd64(&rig, 0x2000), 43);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 3);
    engine_rig_stop(&rig);
}

static void gt215_copies_find_their_semaphore_in_a_dma_object(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GT215", CHIP_UNIT_PCOPY0, 0x85b5);
    send(&rig, id, 0, 0x18c, 2);
    send(&rig, id, 0, 0x240, 0x30000000, 0x40, 42);
    send(&rig, id, 0, 0x300, 0x8);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT_2 + 0x40), 42);
    send(&rig, id, 0, 0x180, 2);
    send(&rig, id, 0, 0x338, 0, 0x80, 43);
    send(&rig, id, 0, 0x300, 0x3110);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT_2 + 0x80), 43);
    engine_rig_stop(&rig);
}

/* What each unit waits for, in one table: methods of the semaphore, and the data that writes it. */
static void video_units_write_their_semaphores(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        enum chip_unit unit;
        uint32_t object_class, object, high, low, payload, trigger, data, interrupts;
    } cases[] = {
        {"G84", CHIP_UNIT_PVP2, 0x7476, 0x180, 0x610, 0x614, 0x618, 0x304, 0x101, 1},
        {"G84", CHIP_UNIT_PBSP, 0x74b0, 0x180, 0x610, 0x614, 0x618, 0x304, 0x001, 0},
        {"G84", CHIP_UNIT_PCIPHER, 0x74c1, 0x180, 0x31c, 0x320, 0x324, 0x318, 0x20, 1},
        {"G84", CHIP_UNIT_PCIPHER, 0x74c1, 0x180, 0x31c, 0x320, 0x324, 0x328, 0, 0},
        {"G84", CHIP_UNIT_PMPEG, 0x8274, 0x1c0, 0x400, 0x31c, 0x320, 0x320, 42, 0},
        {"G98", CHIP_UNIT_PVLD, 0x88b1, 0x180, 0x240, 0x244, 0x248, 0x300, 1, 0},
        {"G98", CHIP_UNIT_PSEC, 0x88b4, 0x180, 0x200, 0x204, 0x208, 0x20c, 1, 1},
        {"GF100", CHIP_UNIT_PPDEC, 0x90b2, 0x180, 0x240, 0x244, 0x248, 0x300, 1, 0},
    };
    struct engine_rig rig;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = start(&rig, cases[i].chip, cases[i].unit, cases[i].object_class);
        uint64_t base = rig.fifo.chip->ring_only ? 0 : OBJECT_2;
        send(&rig, id, 0, cases[i].object, 2);
        send(&rig, id, 0, cases[i].high, 0);
        send(&rig, id, 0, cases[i].low, 0x40);
        if (cases[i].payload != cases[i].trigger)
            send(&rig, id, 0, cases[i].payload, 42);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 0);
        send(&rig, id, 0, cases[i].trigger, cases[i].data);
        assert_int_equal(engine_rig_rd32(&rig, base + 0x40), 42);
        assert_event(&rig, EVENT_ENGINE_FENCE, 0, "semaphore", 0x40, 42);
        assert_int_equal(rig.interrupts, cases[i].interrupts);
        engine_rig_stop(&rig);
    }
}

static void nvdec_numbers_its_structure_sizes_the_other_way(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "TU102", CHIP_UNIT_PGRAPH, 0xc5b0);
    engine_rig_wr32(&rig, 0x1008, 5);
    send(&rig, id, 0, 0x240, 0, 0x1000, 42);
    send(&rig, id, 0, 0x304, 0);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 42);
    assert_int_equal(engine_rig_rd32(&rig, 0x1008), 5);
    send(&rig, id, 0, 0x304, 0x101);
    assert_int_equal(engine_rig_rd64(&rig, 0x1008), ENGINE_RIG_TIME);
    assert_event(&rig, EVENT_ENGINE_INTERRUPT, 0, "AWAKEN", 0xc5b0, 0x304);
    send(&rig, id, 0, 0x304, 0x30000);
    assert_event(&rig, EVENT_ENGINE_INTERRUPT, 1, "TRAP", 0xc5b0, 0x304);
    send(&rig, id, 0, 0x300, 0);
    assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, "", 0xc5b0, 0x300);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(m2mf_writes_notifier_one),
        cmocka_unit_test(fermi_m2mf_releases_its_semaphore),
        cmocka_unit_test(fermi_m2mf_waits_for_inline_data),
        cmocka_unit_test(inline_data_completes_with_its_last_word),
        cmocka_unit_test(an_inline_launch_of_nothing_is_done_at_once),
        cmocka_unit_test(an_inline_launch_may_be_larger_than_32_bits),
        cmocka_unit_test(a_full_last_word_completes_inline_data),
        cmocka_unit_test(copies_release_their_semaphore),
        cmocka_unit_test(copies_reduce),
        cmocka_unit_test(copies_release_64_bits_from_ga102_on),
        cmocka_unit_test(fermi_copies_speak_the_methods_of_either_firmware),
        cmocka_unit_test(gt215_copies_find_their_semaphore_in_a_dma_object),
        cmocka_unit_test(video_units_write_their_semaphores),
        cmocka_unit_test(nvdec_numbers_its_structure_sizes_the_other_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
