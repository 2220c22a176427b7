/* SPDX-License-Identifier: MIT */
/* Units with firmware: VP3's, encoders, compositing, NVDEC and its kin; and which chip has what. */
#include "engine/core/foreign.h"
#include "check.h"

/* Where each class is, as far as drivers bind it; a class of another chip is reported. */
static const struct {
    const char *chip;
    enum chip_unit unit;
    unsigned id;
    uint32_t object_class, foreign;
} homes[] = {
    {"NV31", CHIP_UNIT_PMPEG, 2, 0x3174, 0x8274},  {"NV40", CHIP_UNIT_PMPEG, 2, 0x3174, 0x74c1},
    {"NV40", CHIP_UNIT_PME, 3, 0x4075, 0x8274},    {"G71", CHIP_UNIT_PVP1, 4, 0x4176, 0x8274},
    {"G80", CHIP_UNIT_PMPEG, 2, 0x3174, 0x8274},   {"G84", CHIP_UNIT_PMPEG, 2, 0x8274, 0x4176},
    {"G84", CHIP_UNIT_PVP2, 4, 0x7476, 0x88b1},    {"G84", CHIP_UNIT_PCIPHER, 5, 0x74c1, 0x88b4},
    {"G96", CHIP_UNIT_PBSP, 6, 0x74b0, 0x88b1},    {"GT200", CHIP_UNIT_PCIPHER, 5, 0x74c1, 0x90b1},
    {"G98", CHIP_UNIT_PPPP, 2, 0x88b3, 0x90b3},    {"G98", CHIP_UNIT_PPDEC, 4, 0x88b2, 0x85b2},
    {"G98", CHIP_UNIT_PSEC, 5, 0x88b4, 0x90b1},    {"MCP79", CHIP_UNIT_PVLD, 6, 0x88b1, 0x8274},
    {"GT215", CHIP_UNIT_PVLD, 6, 0x85b1, 0x90b1},  {"GT218", CHIP_UNIT_PPPP, 2, 0x85b3, 0x7476},
    {"MCP89", CHIP_UNIT_PVLD, 6, 0x86b1, 0x90b1},  {"MCP89", CHIP_UNIT_PPDEC, 4, 0x85b2, 0x90b2},
    {"GF100", CHIP_UNIT_PPDEC, 1, 0x90b2, 0x88b2}, {"GF119", CHIP_UNIT_PVLD, 3, 0x90b1, 0x85b1},
    {"GK104", CHIP_UNIT_PVLD, 3, 0x95b1, 0x88b1},  {"GK104", CHIP_UNIT_PPDEC, 1, 0x95b2, 0x88b2},
    {"GF100", CHIP_UNIT_PPPP, 2, 0x90b3, 0x88b3},
};

static void chips_have_their_video_units_and_classes(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof homes / sizeof homes[0]; i++) {
        const struct pfifo_chip *chip = pfifo_chip_by_name(homes[i].chip);
        assert_int_equal(chip->engines[homes[i].id], homes[i].unit);
        if (class_is_foreign(chip, homes[i].object_class))
            fail_msg("%s does not know %04x", homes[i].chip, (unsigned)homes[i].object_class);
        if (!class_is_foreign(chip, homes[i].foreign))
            fail_msg("%s knows %04x", homes[i].chip, (unsigned)homes[i].foreign);
    }
}

static void firmware_writes_its_semaphore_when_it_is_asked_to(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        enum chip_unit unit;
        uint32_t object_class, codec;
        const char *work;
    } cases[] = {
        {"G98", CHIP_UNIT_PVLD, 0x88b1, 0x20000, "parse MPEG-1"},
        {"GT215", CHIP_UNIT_PVLD, 0x85b1, 0x20011, "parse MPEG-2"},
        {"MCP89", CHIP_UNIT_PVLD, 0x86b1, 2, "parse VC-1"},
        {"GF100", CHIP_UNIT_PVLD, 0x90b1, 0x20013, "parse H.264"},
        {"GK104", CHIP_UNIT_PVLD, 0x95b1, 4, "parse MPEG-4"},
        {"GK104", CHIP_UNIT_PVLD, 0x95b1, 5, ""},
        {"G98", CHIP_UNIT_PPDEC, 0x88b2, 0, "decode picture"},
        {"GF100", CHIP_UNIT_PPPP, 0x90b3, 0, "post-process picture"},
        {"MCP89", CHIP_UNIT_PVCOMP, 0x1234, 0, "compose pictures"},
        {"GK104", CHIP_UNIT_PVENC, 0x90b7, 0, "encode picture"},
        {"GK104", CHIP_UNIT_PPPP, 0x7777, 0, "post-process picture"},
        {"GF100", CHIP_UNIT_PVLD, 0, 3, "parse H.264"},
    };
    struct engine_rig rig;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = start(&rig, cases[i].chip, cases[i].unit, cases[i].object_class);
        uint64_t base = rig.fifo.chip->ring_only ? 0 : 0x20000;
        send(&rig, id, 0, 0x180, 2);
        send(&rig, id, 0, 0x700, cases[i].codec);
        send(&rig, id, 0, 0x240, 0, 0x1000, 42);
        send(&rig, id, 0, 0x300, 2);
        assert_int_equal(engine_rig_rd32(&rig, base + 0x1000), 0);
        assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, cases[i].work, cases[i].object_class, 0x300);
        send(&rig, id, 0, 0x300, 1);
        assert_int_equal(engine_rig_rd64(&rig, base + 0x1000), 42);
        assert_event(&rig, EVENT_ENGINE_FENCE, 0, "semaphore", 0x1000, 42);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 2);
        engine_rig_stop(&rig);
    }
}

static void applications_are_told_by_name(void **state) {
    (void)state;
    static const struct {
        uint32_t object_class, application;
        const char *work;
    } cases[] = {
        {0xc5b0, 1, "decode MPEG-1/2"},
        {0xc5b0, 3, "decode H.264"},
        {0xc5b0, 7, "decode HEVC"},
        {0xc5b0, 9, "decode VP9"},
        {0xc5b0, 12, "parse HEVC"},
        {0xc7b0, 0x12, "decode AV1"},
        {0xc7b0, 0x13, ""},
        {0xc7b0, 0, ""},
        {0xc7b0, 0xffffffff, ""},
        {0xc5b7, 1, "encode H.264"},
        {0xc9b7, 7, "encode AV1"},
        {0xc7b7, 8, ""},
        {0xc9d1, 1, "decode JPEG"},
        {0xe7d0, 2, "encode JPEG"},
        {0xc9d1, 3, ""},
    };
    struct engine_rig rig;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = start(&rig, "TU102", CHIP_UNIT_PGRAPH, cases[i].object_class);
        rig.events = 0;
        send(&rig, id, 0, 0x200, cases[i].application);
        send(&rig, id, 0, 0x300, 0);
        assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, cases[i].work, cases[i].object_class, 0x300);
        assert_int_equal(rig.interrupts, 0);
        send(&rig, id, 0, 0x300, 0x100);
        assert_int_equal(rig.interrupts, 1);
        engine_rig_stop(&rig);
    }
}

/* C7B0 and C7B7 brought 64 bits and a structure of two words; before, bit 1 is nothing. The
 * bit that asks for 64 is another one in each. */
static void nvdec_and_nvenc_have_payloads_of_64_bits_from_ga102_on(void **state) {
    (void)state;
    static const struct {
        uint32_t object_class, data;
        uint64_t first, second;
    } cases[] = {
        {0xc5b0, 0x1000000, 5, 0},
        {0xc6b0, 0x1000002, 5, 0},
        {0xc6b0, 0x1000001, 5, ENGINE_RIG_TIME},
        {0xc5b7, 0x1000002, 5, 0},
        {0xc7b0, 0, 5, 0},
        {0xc7b0, 0x1000000, UINT64_C(0x700000006), 0},
        {0xc7b0, 0x0800000, 5, 0},
        {0xc9b0, 0x1000001, UINT64_C(0x700000006), ENGINE_RIG_TIME},
        {0xc7b7, 0x0800002, UINT64_C(0x700000006), 0},
        {0xc7b7, 0x1000004, 5, 0},
        {0xc9b7, 0x0000006, UINT64_C(0x700000006), 0},
        {0xc9b7, 0x1800000, 5, 0},
        {0xc9d1, 0x0000001, 5, ENGINE_RIG_TIME},
        {0xc9d1, 0x1800006, 5, 0},
        {0xe7d0, 0x1800006, 5, 0},
    };
    struct engine_rig rig;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = start(&rig, "TU102", CHIP_UNIT_PGRAPH, cases[i].object_class);
        send(&rig, id, 0, 0x240, 0, 0x1000, 5);
        send(&rig, id, 0, 0x254, 6, 7);
        send(&rig, id, 0, 0x304, cases[i].data);
        assert_int_equal(engine_rig_rd64(&rig, 0x1000), cases[i].first);
        assert_int_equal(engine_rig_rd64(&rig, 0x1008), cases[i].second);
        engine_rig_stop(&rig);
    }
}

/* NVJPG of AD102 has 57 bits, all others 40. */
static void upper_address_bits_are_those_of_the_class(void **state) {
    (void)state;
    static const uint32_t classes[] = {0xc5b0, 0xc5b7, 0xc7b0, 0xc9b0, 0xc7b7, 0xc9b7, 0xe7d0, 0xc9d1};
    struct engine_rig rig;
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        unsigned id = start(&rig, "TU102", CHIP_UNIT_PGRAPH, classes[i]);
        bool wide = classes[i] == 0xc9d1;
        send(&rig, id, 0, 0x240, 0xfe000000, 0x1000, 5);
        send(&rig, id, 0, 0x304, 0);
        assert_int_equal(engine_rig_rd32(&rig, 0x1000), 5);
        send(&rig, id, 0, 0x240, 0x01ffff00, 0x1000, 6);
        send(&rig, id, 0, 0x304, 0);
        assert_int_equal(engine_rig_rd32(&rig, 0x1000), wide ? 5 : 6);
        assert_int_equal(rig.faults, wide);
        engine_rig_stop(&rig);
    }
}

static void operations_that_are_reserved_are_told(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "TU102", CHIP_UNIT_PGRAPH, 0xc5b0);
    send(&rig, id, 0, 0x304, 0x10000);
    send(&rig, id, 0, 0x304, 0x20000);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 2);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 0);
    engine_rig_stop(&rig);
}

static void a_trap_interrupts_and_writes_nothing(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "TU102", CHIP_UNIT_PGRAPH, 0xc5b0);
    send(&rig, id, 0, 0x240, 0, 0x1000, 5);
    send(&rig, id, 0, 0x304, 0x30000);
    assert_int_equal(rig.interrupts, 1);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 0);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chips_have_their_video_units_and_classes),
        cmocka_unit_test(firmware_writes_its_semaphore_when_it_is_asked_to),
        cmocka_unit_test(applications_are_told_by_name),
        cmocka_unit_test(nvdec_and_nvenc_have_payloads_of_64_bits_from_ga102_on),
        cmocka_unit_test(upper_address_bits_are_those_of_the_class),
        cmocka_unit_test(a_trap_interrupts_and_writes_nothing),
        cmocka_unit_test(operations_that_are_reserved_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
