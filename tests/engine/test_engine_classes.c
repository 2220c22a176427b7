/* SPDX-License-Identifier: MIT */
/* Which classes belong to a chip, and what is said of the others. */
#include <pfifo/classes.h>

#include "engine/check.h"
#include "engine/core/foreign.h"

static bool foreign(const char *chip, uint32_t object_class) {
    return class_is_foreign(pfifo_chip_by_name(chip), object_class);
}

static void a_program_can_ask_which_classes_a_chip_has(void **state) {
    (void)state;
    assert_true(pfifo_chip_has_class(pfifo_chip_by_name("NV40"), 0x4097));
    assert_false(pfifo_chip_has_class(pfifo_chip_by_name("NV40"), 0x9097));
    assert_false(pfifo_chip_has_class(NULL, 0x4097));
}

static void classes_of_other_generations_are_foreign(void **state) {
    (void)state;
    assert_true(foreign("NV40", 0x9097));
    assert_true(foreign("NV40", 0x5097));
    assert_true(foreign("NV40", 0x0097));
    assert_true(foreign("GT215", 0x4097));
    assert_true(foreign("G80", 0x8597));
    assert_true(foreign("GF100", 0x4097));
    assert_true(foreign("GF100", 0xb097));
    assert_true(foreign("GM107", 0x9097));
    assert_true(foreign("GM107", 0x1234)); /* nobody's */
}

/* What Mesa's drivers ask for on these chips. */
static void classes_that_drivers_use_are_not(void **state) {
    static const struct {
        const char *chip;
        uint32_t classes[8];
    } uses[] = {
        {"NV40", {0x0030, 0x4097, 0x0039, 0x0062, 0x309e, 0x3089}},
        {"NV44", {0x0030, 0x4497, 0x0039, 0x0062, 0x309e, 0x3089}},
        {"G80", {0x5039, 0x502d, 0x5097, 0x50c0}},
        {"G92", {0x5039, 0x502d, 0x8297, 0x50c0}},
        {"GT200", {0x5039, 0x502d, 0x8397, 0x50c0}},
        {"GT215", {0x5039, 0x502d, 0x8597, 0x85c0}},
        {"MCP89", {0x5039, 0x502d, 0x8697, 0x85c0}},
        {"GF100", {0x9039, 0x902d, 0x9097, 0x90c0}},
        {"GF119", {0x9039, 0x902d, 0x9297, 0x91c0}},
        {"GK104", {0xa040, 0x902d, 0xa097, 0xa0c0, 0xa0b5}},
        {"GK20A", {0xa040, 0x902d, 0xa297, 0xa0c0}},
        {"GK110", {0xa140, 0x902d, 0xa197, 0xa1c0, 0xa0b5}},
        {"GM107", {0xa140, 0x902d, 0xb097, 0xb0c0, 0xb0b5}},
        {"GM20B", {0xa140, 0x902d, 0xb197, 0xb1c0, 0xb0b5}},
        {"GP102", {0xa140, 0x902d, 0xc197, 0xc1c0, 0xc1b5}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof uses / sizeof uses[0]; i++)
        for (size_t n = 0; n < 8 && uses[i].classes[n]; n++)
            if (foreign(uses[i].chip, uses[i].classes[n]))
                fail_msg("%s has class 0x%x", uses[i].chip, (unsigned)uses[i].classes[n]);
}

static void every_row_has_its_own_classes(void **state) {
    (void)state;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        const struct pfifo_chip *chip = pfifo_chip_at(i);
        for (unsigned n = 0; n < CHIP_MAX_CLASSES && chip->classes[n]; n++)
            assert_false(class_is_foreign(chip, chip->classes[n]));
    }
}

static void a_foreign_class_is_kept_and_reported_once(void **state) {
    struct engine_rig rig;
    (void)state;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FOREIGN_CLASS), 0);
    assert_true(engine_rig_bind(&rig, id, 1, 0x9097));
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FOREIGN_CLASS), 1);
    assert_event(&rig, EVENT_ENGINE_FOREIGN_CLASS, 0, "", 1, 0x9097);
    assert_true(engine_rig_bind(&rig, id, 2, 0x9097));
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FOREIGN_CLASS), 1);
    assert_int_equal(engine_rig_offer(&rig, id, 1, 0x200, 4, (const uint32_t[]){7}, 1), 1);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x200), 7);
    engine_rig_stop(&rig);
}

static void assert_illegal_class(struct engine_rig *rig, unsigned id, unsigned subchannel, uint32_t object_class) {
    unsigned before = rig->interrupts;
    assert_true(engine_rig_bind(rig, id, subchannel, object_class));
    if (rig->interrupts != before + 1)
        fail_msg("%s: class %04x is taken", rig->fifo.chip->name, (unsigned)object_class);
    assert_int_equal(rig->trap.error, ENGINE_ERROR_ILLEGAL_CLASS);
    assert_int_equal(rig->trap.subchannel, subchannel);
    assert_int_equal(rig->trap.method, 0);
    assert_int_equal(rig->trap.data, object_class);
    assert_int_equal(rig->trap.object_class, object_class);
    assert_int_equal(rig->trap.classes[subchannel], object_class);
}

static void a_class_that_no_chip_has_is_illegal_from_gf100_on(void **state) {
    static const char *const chips[] = {"GF100", "GF119", "GK104", "GK208", "GM107", "GP102"};
    (void)state;
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        struct engine_rig rig;
        unsigned id = start(&rig, chips[i], CHIP_UNIT_PGRAPH, 0x902d);
        assert_int_equal(rig.interrupts, 0);
        assert_illegal_class(&rig, id, 1, 0x12ad);
        assert_illegal_class(&rig, id, 2, 0x12ad); /* each time, */
        assert_illegal_class(&rig, id, 2, 0x12ad);
        assert_illegal_class(&rig, id, 0, 0);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 4);
        assert_event(&rig, EVENT_ENGINE_ERROR, 0, "ILLEGAL_CLASS", 0x12ad, 0);
        assert_int_equal(engine_rig_offer(&rig, id, 2, 0x200, 4, (const uint32_t[]){7}, 1), 1);
        assert_int_equal(engine_rig_value(&rig, id, 0x12ad, 0x200), 7); /* and it is there */
        engine_rig_stop(&rig);
    }
}

static void classes_of_some_chip_are_legal(void **state) {
    static const char *const chips[] = {"GF100", "GK104", "GM107"};
    (void)state;
    for (size_t c = 0; c < sizeof chips / sizeof chips[0]; c++) {
        struct engine_rig rig;
        unsigned id = start(&rig, chips[c], CHIP_UNIT_PGRAPH, 0x902d);
        for (size_t i = 0; i < pfifo_class_count(); i++)
            if (pfifo_class_at(i)->id <= 0xffff) /* wider ones are not in SET_OBJECT */
                engine_rig_bind(&rig, id, 1, pfifo_class_at(i)->id);
        assert_int_equal(rig.interrupts, 0);
        engine_rig_stop(&rig);
    }
}

static void before_gf100_and_beside_pgraph_no_class_is_illegal(void **state) {
    static const struct {
        const char *chip;
        enum chip_unit unit;
    } places[] = {{"NV4", CHIP_UNIT_PGRAPH},   {"NV40", CHIP_UNIT_PGRAPH},  {"G84", CHIP_UNIT_PGRAPH},
                  {"GT215", CHIP_UNIT_PGRAPH}, {"GF100", CHIP_UNIT_PCOPY0}, {"GF100", CHIP_UNIT_PPDEC},
                  {"GK104", CHIP_UNIT_PCOPY0}, {"GM107", CHIP_UNIT_PVENC}};
    (void)state;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        struct engine_rig rig;
        assert_true(engine_rig_start(&rig, places[i].chip));
        unsigned id = engine_rig_id(&rig, places[i].unit);
        assert_true(engine_rig_bind(&rig, id, 1, 0x12ad));
        assert_int_equal(rig.interrupts, 0);
        engine_rig_stop(&rig);
    }
}

/*
 * What objects share is PGRAPH's alone (2D state, macros, counters), and so are the classes that stand on it:
 * elsewhere, and on chips of another family, they are plain objects.
 */
static void every_unit_survives_every_class(void **state) {
    (void)state;
    static const char *const chips[] = {"NV1", "NV17", "NV44", "G84", "GF100", "GK104", "GP102"};
    static const uint32_t data[8];
    for (size_t c = 0; c < sizeof chips / sizeof chips[0]; c++) {
        struct engine_rig rig;
        assert_true(engine_rig_start(&rig, chips[c]));
        for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++) {
            for (size_t i = 0; rig.fifo.engines[id].ops && i < pfifo_class_count(); i++) {
                engine_rig_bind(&rig, id, 0, pfifo_class_at(i)->id & 0xffff);
                for (uint32_t method = 0x100; method < 0x2000; method += sizeof data)
                    engine_rig_send(&rig, id, 0, method, 4, data, sizeof data / sizeof data[0]);
            }
        }
        engine_rig_stop(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_can_ask_which_classes_a_chip_has),
        cmocka_unit_test(classes_of_other_generations_are_foreign),
        cmocka_unit_test(classes_that_drivers_use_are_not),
        cmocka_unit_test(every_row_has_its_own_classes),
        cmocka_unit_test(a_foreign_class_is_kept_and_reported_once),
        cmocka_unit_test(a_class_that_no_chip_has_is_illegal_from_gf100_on),
        cmocka_unit_test(classes_of_some_chip_are_legal),
        cmocka_unit_test(before_gf100_and_beside_pgraph_no_class_is_illegal),
        cmocka_unit_test(every_unit_survives_every_class),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
