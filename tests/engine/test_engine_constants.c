/* SPDX-License-Identifier: MIT */
/* Constant buffers: words into them, and what is bound. */
#include "check.h"

#include "engine/graph/constants.h"
#include "engine/core/register_file.h"

/* The buffers of the object on subchannel 0. */
static const uint32_t *extra(struct engine_rig *rig, unsigned id) {
    struct engine *engine = rig->fifo.engines[id].engine;
    const struct object *object = engine_object(engine, &rig->channel, 0);
    const uint32_t *tesla = object_part(object, &constants_g80_part);
    return tesla ? tesla : object_part(object, &constants_gf100_part);
}

static void loads_go_to_memory_one_behind_the_other(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t object_class;
    } classes[] = {{"GF100", 0x9097}, {"GF100", 0x90c0}, {"GK104", 0xa097}, {"GM20B", 0xb197}, {"GP102", 0xc197}};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        struct engine_rig rig;
        unsigned id = start(&rig, classes[i].chip, CHIP_UNIT_PGRAPH, classes[i].object_class);
        send(&rig, id, 0, 0x2380, 0x100, 0, 0x1000, 0x10);
        send(&rig, id, 0, 0x2390, 1, 2, 3, 4);
        sent(&rig, id, 0, 0x2390, 0, WORDS(5, 6, 7));
        for (uint32_t n = 0; n < 7; n++)
            assert_int_equal(engine_rig_rd32(&rig, 0x1010 + n * 4), n + 1);
        assert_int_equal(engine_rig_value(&rig, id, classes[i].object_class, 0x238c), 0x10 + 7 * 4);
        assert_int_equal(rig.faults, 0);
        engine_rig_stop(&rig);
    }
}

static void all_sixteen_offsets_load_the_same(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(&rig, id, 0, 0x2380, 0x100, 0, 0x1000, 0);
    for (uint32_t i = 16; i-- > 0;)
        send(&rig, id, 0, 0x2390 + i * 4, 100 - i);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(engine_rig_rd32(&rig, 0x1000 + i * 4), 85 + i);
    engine_rig_stop(&rig);
}

static void the_offset_has_16_bits(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(&rig, id, 0, 0x2380, 0x10000, 0, 0x1000, 0xfffc);
    send(&rig, id, 0, 0x2390, 1, 2);
    assert_int_equal(engine_rig_rd32(&rig, 0x10ffc), 1);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 2);
    send(&rig, id, 0, 0x238c, 0xfffc, 3);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x238c), 0);
    send(&rig, id, 0, 0x238c, 0xfff8);
    sent(&rig, id, 0, 0x2390, 0, WORDS(4, 5));
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x238c), 0);
    /* one by one, since a condition is looked at */
    send(&rig, id, 0, 0x1550, 0, 0, 2);
    send(&rig, id, 0, 0x238c, 0xfffc, 6);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x238c), 0);
    engine_rig_stop(&rig);
}

static void a_load_that_faults_says_so_and_goes_on(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(&rig, id, 0, 0x2380, 0x100, 0, ENGINE_RIG_LIMIT - 0x100, 0xfc);
    send(&rig, id, 0, 0x2390, 1, 2, 3);
    assert_int_equal(engine_rig_rd32(&rig, ENGINE_RIG_LIMIT - 4), 1);
    assert_int_equal(rig.faults, 2);
    assert_event(&rig, EVENT_ENGINE_FAULT, 0, "VM_LIMIT_EXCEEDED", 0x9097, 0x2394);
    assert_event(&rig, EVENT_ENGINE_FAULT, 1, "VM_LIMIT_EXCEEDED", 0x9097, 0x2398);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x238c), 0x108);
    engine_rig_stop(&rig);
}

static void loads_obey_a_condition_if_they_are_told_to(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(&rig, id, 0, 0x2380, 0x100, 0, 0x1000, 0);
    send(&rig, id, 0, 0x1558, 0);
    send(&rig, id, 0, 0x2390, 1); /* a new context has it on */
    send(&rig, id, 0, 0x30c, 0);
    send(&rig, id, 0, 0x2390, 2);
    send(&rig, id, 0, 0x30c, 1);
    send(&rig, id, 0, 0x2390, 3);
    send(&rig, id, 0, 0x1558, 1);
    send(&rig, id, 0, 0x2390, 4);
    const uint32_t found[] = {0, 2, 0, 4};
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(engine_rig_rd32(&rig, 0x1000 + i * 4), found[i]);
    engine_rig_stop(&rig);
}

/* A load over the pushbuffer's own words: those of the run are as they were fetched. */
static void loads_over_their_own_run_use_what_was_there(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    struct address_space vram = address_space_physical(MEMORY_VRAM);
    struct span span;
    for (uint32_t i = 0; i < 4; i++)
        engine_rig_wr32(&rig, 0x2000 + i * 4, i + 1);
    assert_true(memory_span(&rig.memory, &vram, 0x2000, 16, MEMORY_WRITE, &span, NULL));
    send(&rig, id, 0, 0x2380, 0x100, 0, 0x2000, 4);
    uint32_t taken = engine_rig_offer(&rig, id, 0, 0x2390, 0, (const uint32_t *)(const void *)span.data, 3);
    for (uint32_t i = 0; i < taken; i++)
        assert_int_equal(engine_rig_rd32(&rig, 0x2004 + i * 4), i + 1);
    engine_rig_stop(&rig);
}

static void a_run_of_loads_is_taken_at_once(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    uint32_t data[40];
    for (uint32_t i = 0; i < 40; i++)
        data[i] = i + 1;
    send(&rig, id, 0, 0x2380, 0x100, 0, 0x1000, 0);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x2390, 0, data, 40), 40);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x2398, 4, data, 40), 14); /* up to the last of 16 */
    assert_int_equal(engine_rig_rd32(&rig, 0x1000 + 39 * 4), 40);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000 + 53 * 4), 14);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000 + 54 * 4), 0);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x238c), 54 * 4);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x2390), 40);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x2398), 1);
    assert_int_equal(engine_rig_value(&rig, id, 0x9097, 0x23cc), 14);
    engine_rig_stop(&rig);
}

static void a_binding_keeps_the_selector_of_its_time(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(&rig, id, 0, 0x2380, 0x200, 0x12, 0x3400);
    send(&rig, id, 0, 0x2410 + 32 * 4, 1 | 17 << 4);
    send(&rig, id, 0, 0x2380, 0x10000, 0xff34, 0x5600);
    send(&rig, id, 0, 0x2410, 1 | 3 << 4);
    const uint32_t *last = extra(&rig, id) + (4 * CONSTANTS_GF100_SLOTS + 17) * CONSTANTS_BUFFER_WORDS;
    const uint32_t *first = extra(&rig, id) + 3u * CONSTANTS_BUFFER_WORDS;
    assert_int_equal(last[0], 0x12 | CONSTANTS_VALID);
    assert_int_equal(last[1], 0x3400);
    assert_int_equal(last[2], 0x200);
    assert_int_equal(first[0], 0x34 | CONSTANTS_VALID);
    assert_int_equal(first[1], 0x5600);
    assert_int_equal(first[2], 0x10000);
    send(&rig, id, 0, 0x2410, 3 << 4);
    assert_int_equal(first[0] & CONSTANTS_VALID, 0);
    send(&rig, id, 0, 0x10f4, 0x11);
    assert_int_equal(last[0], 0x12 | CONSTANTS_VALID);
    send(&rig, id, 0, 0x10f4, 0x100);
    assert_int_equal(last[0], 0x12);
    engine_rig_stop(&rig);
}

static void compute_of_fermi_binds_to_its_one_stage(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x90c0);
    send(&rig, id, 0, 0x2380, 0x200, 0x12, 0x3400);
    send(&rig, id, 0, 0x1694, 1 | 31 << 8);
    const uint32_t *slot = extra(&rig, id) + 31u * CONSTANTS_BUFFER_WORDS;
    assert_int_equal(slot[0], 0x12 | CONSTANTS_VALID);
    assert_int_equal(slot[1], 0x3400);
    engine_rig_stop(&rig);
}

/* ---- Tesla ---- */

static const struct tesla {
    uint32_t object_class, object, definition, address, bind;
} teslas[] = {{0x5097, 0x198, 0x1280, 0xf00, 0x1694}, {0x50c0, 0x1c0, 0x2a4, 0x238, 0x3c8}};

static void tesla_has_a_table_of_buffers(void **state) {
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct engine_rig rig;
        const struct tesla *t = &teslas[i];
        unsigned id = start(&rig, "G80", CHIP_UNIT_PGRAPH, t->object_class);
        send(&rig, id, 0, t->object, 2);
        send(&rig, id, 0, t->definition, 0, 0x1000, 5 << 16 | 0x100);
        send(&rig, id, 0, t->definition, 0, 0x2000, 127 << 16); /* 64 KiB */
        send(&rig, id, 0, t->address, 5 | 2 << 8, 11, 12);
        send(&rig, id, 0, t->address, 127);
        sent(&rig, id, 0, t->address + 4 + 15 * 4, 0, WORDS(21, 22));
        assert_int_equal(engine_rig_rd32(&rig, 0x21008), 11);
        assert_int_equal(engine_rig_rd32(&rig, 0x2100c), 12);
        assert_int_equal(engine_rig_rd32(&rig, 0x22000), 21);
        assert_int_equal(engine_rig_rd32(&rig, 0x22004), 22);
        assert_int_equal(engine_rig_value(&rig, id, t->object_class, t->address), 127 | 2 << 8);
        assert_int_equal(extra(&rig, id)[127 * CONSTANTS_BUFFER_WORDS + 2], 0x10000);
        assert_int_equal(rig.events, 0);
        engine_rig_stop(&rig);
    }
}

static void a_buffer_that_was_never_defined_takes_no_words(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "G80", CHIP_UNIT_PGRAPH, 0x5097);
    send(&rig, id, 0, 0x198, 2);
    send(&rig, id, 0, 0xf00, 7, 1);
    assert_int_equal(engine_rig_rd32(&rig, 0x20000), 0);
    assert_int_equal(engine_rig_value(&rig, id, 0x5097, 0xf00), 7 | 1 << 8);
    engine_rig_stop(&rig);
}

static void the_word_index_stays_in_its_field(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "G80", CHIP_UNIT_PGRAPH, 0x5097);
    send(&rig, id, 0, 0x198, 2);
    send(&rig, id, 0, 0x1280, 0, 0, 1 << 16);
    send(&rig, id, 0, 0xf00, 0x80000001u | 0x3fff << 8, 1, 2);
    assert_int_equal(engine_rig_rd32(&rig, 0x2fffc), 1);
    assert_int_equal(engine_rig_rd32(&rig, 0x20000), 2);
    assert_int_equal(engine_rig_value(&rig, id, 0x5097, 0xf00), 0x80000001u | 1 << 8);
    send(&rig, id, 0, 0xf00, 0x3fff01);
    sent(&rig, id, 0, 0xf04, 0, WORDS(1, 2));
    assert_int_equal(engine_rig_value(&rig, id, 0x5097, 0xf00), 1 | 1 << 8);
    send(&rig, id, 0, 0xf00, 0x3fff01, 3); /* one word alone */
    assert_int_equal(engine_rig_value(&rig, id, 0x5097, 0xf00), 1);
    engine_rig_stop(&rig);
}

static void tesla_binds_buffers_by_number(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "G80", CHIP_UNIT_PGRAPH, 0x5097);
    send(&rig, id, 0, 0x1694, 1 | 3 << 4 | 15 << 8 | 127 << 12);
    const uint32_t *slot = extra(&rig, id) + CONSTANTS_G80_SLOTS + (15 << 4 | 3);
    assert_int_equal(*slot, 127 | CONSTANTS_VALID);
    send(&rig, id, 0, 0x1694, 3 << 4 | 15 << 8 | 127 << 12);
    assert_int_equal(*slot, 127);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_go_to_memory_one_behind_the_other),
        cmocka_unit_test(all_sixteen_offsets_load_the_same),
        cmocka_unit_test(the_offset_has_16_bits),
        cmocka_unit_test(a_load_that_faults_says_so_and_goes_on),
        cmocka_unit_test(loads_obey_a_condition_if_they_are_told_to),
        cmocka_unit_test(loads_over_their_own_run_use_what_was_there),
        cmocka_unit_test(a_run_of_loads_is_taken_at_once),
        cmocka_unit_test(a_binding_keeps_the_selector_of_its_time),
        cmocka_unit_test(compute_of_fermi_binds_to_its_one_stage),
        cmocka_unit_test(tesla_has_a_table_of_buffers),
        cmocka_unit_test(a_buffer_that_was_never_defined_takes_no_words),
        cmocka_unit_test(the_word_index_stays_in_its_field),
        cmocka_unit_test(tesla_binds_buffers_by_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
