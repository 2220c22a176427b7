/* SPDX-License-Identifier: MIT */
/* Register files, and which part of a run an engine takes. */
#include "check.h"
#include "engine/core/register_file.h"

static void every_place_with_a_unit_has_an_engine(void **state) {
    (void)state;
    struct engine_rig rig;
    for (size_t i = 0; i < pfifo_chip_count(); i++) {
        assert_true(engine_rig_start(&rig, pfifo_chip_info(pfifo_chip_at(i)).name));
        for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++) {
            enum chip_unit unit = rig.fifo.chip->engines[id];
            const struct pfifo_engine_ops *ops = rig.fifo.engines[id].ops;
            bool real = unit != CHIP_UNIT_NONE && unit != CHIP_UNIT_SOFTWARE;
            assert_int_equal(ops != NULL, real);
            if (ops)
                assert_string_equal(ops->name, chip_unit_name(unit));
        }
        engine_rig_stop(&rig);
    }
}

static void every_method_of_a_class_reads_back(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0xabcd);
    uint32_t data[0xfc0];
    for (uint32_t i = 0; i < 0xfc0; i++)
        data[i] = i * 7 + 1;
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x100, 4, data, 0xfc0), 0xfc0);
    for (uint32_t i = 0; i < 0xfc0; i++)
        assert_int_equal(engine_rig_value(&rig, id, 0xabcd, 0x100 + 4 * i), data[i]);
    assert_int_equal(engine_rig_value(&rig, id, 0xabcd, 0x4000), 0xdeadbeef);
    assert_int_equal(engine_rig_value(&rig, id, 0xabce, 0x100), 0xdeadbeef);
    assert_int_equal(rig.events, 2); /* the class itself, which no chip has, and which PGRAPH refuses */
    assert_event(&rig, EVENT_ENGINE_FOREIGN_CLASS, 0, "", 0, 0xabcd);
    engine_rig_stop(&rig);
}

static void a_window_before_gf100_is_half_as_large(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x0062);
    send(&rig, id, 0, 0x1ffc, 5);
    assert_int_equal(engine_rig_value(&rig, id, 0x0062, 0x1ffc), 5);
    assert_int_equal(engine_rig_value(&rig, id, 0x0062, 0x2000), 0xdeadbeef);
    engine_rig_stop(&rig);
}

static void a_run_beyond_the_window_comes_round(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0xabcd);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x3ff8, 4, WORDS(1, 2, 3)), 3);
    assert_int_equal(engine_rig_value(&rig, id, 0xabcd, 0x3ffc), 2);
    assert_int_equal(engine_rig_value(&rig, id, 0xabcd, 0), 3);
    engine_rig_stop(&rig);
}

static void a_nonincreasing_run_leaves_its_last_word(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x118, 0, WORDS(1, 2, 3, 4)), 4);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x118), 4);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x11c), 0);
    engine_rig_stop(&rig);
}

/* It may overwrite the rest of the run, of which the pusher has the words as they were. */
static void an_effect_is_executed_at_the_head_of_a_run_and_ends_it(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    const uint32_t data[] = {0, 0x1000, 77, 0x1000f010, 9, 10};
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b00, 4, data, 6), 3);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 0);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x1b0c), 0);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b0c, 4, data + 3, 3), 1);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 77);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x1b14), 0);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b10, 4, data + 4, 2), 2);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x1b0c), 0x1000f010);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x1b14), 10);
    engine_rig_stop(&rig);
}

static void effects_one_behind_the_other_take_a_call_each(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(&rig, id, 0, 0x1b00, 0, 0x1000, 5);
    const uint32_t data[] = {0x1000f010, 0x1000f010, 0x1000f010};
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b0c, 0, data, 3), 1);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b0c, 0, data, 2), 1);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b0c, 0, data, 1), 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 3);
    engine_rig_stop(&rig);
}

static void what_is_not_executed_splits_a_run_only_for_an_observer(void **state) {
    (void)state;
    struct engine_rig rig;
    assert_true(engine_rig_start(&rig, "GF100"));
    assert_true(engine_rig_bind(&rig, 0, 0, 0x9097));
    const uint32_t releases[] = {1, 2, 3};
    assert_int_equal(engine_rig_offer(&rig, 0, 0, 0x02f0, 0, releases, 3), 3);
    engine_rig_observe(&rig, "engine.not_executed");
    assert_int_equal(engine_rig_offer(&rig, 0, 0, 0x02f0, 0, releases, 3), 1);
    assert_int_equal(engine_rig_offer(&rig, 0, 0, 0x02ec, 4, releases, 3), 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 1);
    assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, "", 0x9097, 0x02f0);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0)->value[2], 1);
    engine_rig_stop(&rig);
}

static void the_firmware_of_graphics_answers_in_the_middle_of_a_run(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GM20B", CHIP_UNIT_PGRAPH, 0xb197);
    send(&rig, id, 0, 0x3400, 0, 5, 6);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x230c, 4, WORDS(1, 0x418800, 3)), 3);
    assert_int_equal(engine_rig_value(&rig, id, 0xb197, 0x3400), 1);
    assert_int_equal(engine_rig_value(&rig, id, 0xb197, 0x3404), 5);
    assert_int_equal(engine_rig_value(&rig, id, 0xb197, 0x2310), 0x418800);
    engine_rig_stop(&rig);
}

/* Drivers select a region that does not exist to switch ZCULL off. Here nothing is culled early, whatever the region. */
static void a_region_of_zcull_is_kept(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t object_class;
    } cases[] = {{"GF100", 0x9097}, {"GK104", 0xa097}, {"GK110", 0xa197}, {"GM107", 0xb097}, {"GP102", 0xc197}};
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct engine_rig rig;
        unsigned id = start(&rig, cases[i].chip, CHIP_UNIT_PGRAPH, cases[i].object_class);
        send(&rig, id, 0, 0x1590, 0x3f); /* SET_ACTIVE_ZCULL_REGION */
        assert_int_equal(engine_rig_value(&rig, id, cases[i].object_class, 0x1590), 0x3f);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 0);
        engine_rig_stop(&rig);
    }
}

static void subchannels_have_their_own_class(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    assert_true(engine_rig_bind(&rig, id, 3, 0x902d));
    send(&rig, id, 0, 0x200, 1);
    send(&rig, id, 3, 0x200, 2);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x200), 1);
    assert_int_equal(engine_rig_value(&rig, id, 0x902d, 0x200), 2);
    assert_true(engine_rig_bind(&rig, id, 0, 0x902d));
    send(&rig, id, 0, 0x204, 3);
    assert_int_equal(engine_rig_value(&rig, id, 0x902d, 0x204), 3);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x200), 1);
    engine_rig_stop(&rig);
}

static void channels_have_their_own_state_until_they_go(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(&rig, id, 0, 0x200, 1);
    rig.channel.id = 4;
    assert_true(engine_rig_bind(&rig, id, 0, 0x9097));
    send(&rig, id, 0, 0x200, 2);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x200), 2);
    rig.channel.id = 3;
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x200), 1);
    const struct fifo_engine *slot = &rig.fifo.engines[id];
    slot->ops->channel_gone(slot->engine, 3);
    slot->ops->channel_gone(slot->engine, UINT32_MAX);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x200), 0xdeadbeef);
    rig.channel.id = 4;
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x200), 2);
    engine_rig_stop(&rig);
}

/* As after a sleep: the driver binds the channel, but not its objects. Its RAMFC tells it from a new one. */
static void a_channel_that_is_bound_again_has_its_objects_if_its_ramfc_is_as_it_was(void **state) {
    static const struct {
        const char *chip;
        uint32_t left, found; /* a word of RAMFC */
        bool has;
    } rows[] = {{"GF100", 7, 7, true},
                {"GF100", 7, 8, false},
                {"GF100", 0, 0, false},
                {"GM107", 7, 7, true},
                {"GM107", 7, 0, false}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct engine_rig rig;
        unsigned id = start(&rig, rows[i].chip, CHIP_UNIT_PGRAPH, 0x902d);
        const struct fifo_engine *slot = &rig.fifo.engines[id];
        send(&rig, id, 0, 0x200, 0xcf);
        memory_physical_wr32(rig.fifo.memory, rig.channel.instance_target, rig.channel.instance + 0x14, rows[i].left);
        slot->ops->channel_gone(slot->engine, rig.channel.id);
        slot->ops->channel_gone(slot->engine, rig.channel.id); /* PFIFO is reset, too */
        assert_int_equal(engine_rig_value(&rig, id, 0x902d, 0x200), 0xdeadbeef);
        memory_physical_wr32(rig.fifo.memory, rig.channel.instance_target, rig.channel.instance + 0x14, rows[i].found);
        slot->channel_bound(slot->engine, &rig.channel);
        memory_physical_wr32(rig.fifo.memory, rig.channel.instance_target, rig.channel.instance + 0x14,
                             9); /* it runs */
        send(&rig, id, 0, 0x204, 1);
        assert_int_equal(engine_rig_value(&rig, id, 0x902d, 0x200), rows[i].has ? 0xcf : 0xdeadbeef);
        engine_rig_stop(&rig);
    }
}

static void a_channel_number_used_again_begins_anew(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GT215", CHIP_UNIT_PGRAPH, 0x8597);
    send(&rig, id, 0, 0x200, 1);
    rig.channel.instance = 0x40000;
    assert_true(engine_rig_bind(&rig, id, 0, 0x8597));
    assert_int_equal(engine_rig_value(&rig, id, 0x8597, 0x200), 0);
    engine_rig_stop(&rig);
}

static void a_guest_cannot_have_more_than_so_many_classes(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(&rig, id, 0, 0x200, 99);
    for (uint32_t class = 0; class < 0x300; class ++) {
        if ((class & 0xff) == 0x6e)
            continue;
        assert_true(engine_rig_bind(&rig, id, 1, class));
        send(&rig, id, 1, 0x204, class);
        assert_int_equal(engine_rig_value(&rig, id, class, 0x204), class);
    }
    unsigned known = 0;
    for (uint32_t class = 0; class < 0x300; class ++)
        known += engine_rig_value(&rig, id, class, 0x204) == class;
    assert_int_equal(known, ENGINE_MAX_FILES - 1);
    assert_int_equal(engine_rig_value(&rig, id, 0x2ff, 0x204), 0x2ff);
    assert_int_equal(engine_rig_value(&rig, id, 0x2e1, 0x204), 0x2e1);
    assert_int_equal(engine_rig_value(&rig, id, 0x2e0, 0x204), 0xdeadbeef);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x200), 99); /* still on a subchannel */
    engine_rig_stop(&rig);
}

static void the_software_class_is_not_for_graphics_from_gf100_on(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GK104", CHIP_UNIT_PGRAPH, 0xa097);
    assert_false(engine_rig_bind(&rig, id, 7, 0x906e));
    engine_rig_stop(&rig);
    id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097);
    assert_true(engine_rig_bind(&rig, id, 7, 0x006e));
    assert_true(engine_rig_bind(&rig, id, 7, 0x0030));
    engine_rig_stop(&rig);
}

/* Graphics runlists from GK104 on give subchannels to classes by convention, and drivers rely on it for copies. */
static void subchannels_are_preset_from_gk104_on(void **state) {
    (void)state;
    struct engine_rig rig;
    static const uint32_t classes[] = {0xb197, 0xb1c0, 0xa140, 0x902d, 0xb0b5};
    assert_true(engine_rig_start(&rig, "GM200"));
    for (uint32_t i = 0; i < 5; i++) {
        send(&rig, 0, i, 0x200, i + 1);
        assert_int_equal(engine_rig_value(&rig, 0, classes[i], 0x200), i + 1);
    }
    unsigned copy = engine_rig_id(&rig, CHIP_UNIT_PCOPY0);
    send(&rig, copy, 6, 0x200, 9);
    assert_int_equal(engine_rig_value(&rig, copy, 0xb0b5, 0x200), 9);
    engine_rig_stop(&rig);
    assert_true(engine_rig_start(&rig, "GF100"));
    send(&rig, 0, 0, 0x200, 1);
    assert_int_equal(engine_rig_value(&rig, 0, 0x9097, 0x200), 0xdeadbeef);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_place_with_a_unit_has_an_engine),
        cmocka_unit_test(every_method_of_a_class_reads_back),
        cmocka_unit_test(a_window_before_gf100_is_half_as_large),
        cmocka_unit_test(a_run_beyond_the_window_comes_round),
        cmocka_unit_test(a_nonincreasing_run_leaves_its_last_word),
        cmocka_unit_test(an_effect_is_executed_at_the_head_of_a_run_and_ends_it),
        cmocka_unit_test(effects_one_behind_the_other_take_a_call_each),
        cmocka_unit_test(what_is_not_executed_splits_a_run_only_for_an_observer),
        cmocka_unit_test(the_firmware_of_graphics_answers_in_the_middle_of_a_run),
        cmocka_unit_test(a_region_of_zcull_is_kept),
        cmocka_unit_test(subchannels_have_their_own_class),
        cmocka_unit_test(channels_have_their_own_state_until_they_go),
        cmocka_unit_test(a_channel_that_is_bound_again_has_its_objects_if_its_ramfc_is_as_it_was),
        cmocka_unit_test(a_channel_number_used_again_begins_anew),
        cmocka_unit_test(a_guest_cannot_have_more_than_so_many_classes),
        cmocka_unit_test(the_software_class_is_not_for_graphics_from_gf100_on),
        cmocka_unit_test(subchannels_are_preset_from_gk104_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
