/* SPDX-License-Identifier: MIT */
/* Inline data: bytes in the pushbuffer that go to memory. In a class of its own, in 3D and compute, and in 9039. */
#include "check.h"

#include "engine/core/words.h"

#define TO 0x2000u

/* A launch of lines at TO, linear, with a semaphore of one word at 0x1000. */
static void begin(struct engine_rig *rig, unsigned id, uint32_t length, uint32_t lines, uint32_t pitch) {
    send(rig, id, 0, 0x180, length, lines, 0, TO, pitch);
    send(rig, id, 0, 0x1dc, 0, 0x1000, 42);
    send(rig, id, 0, 0x1b0, 0x1021);
}

static unsigned start_inline(struct engine_rig *rig) {
    return start(rig, "GM107", CHIP_UNIT_PGRAPH, 0xa140);
}

/* Lines are packed one after the other; the rest of the last word goes nowhere. */
static void a_word_may_hold_the_end_of_a_line_and_the_beginning_of_the_next(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_inline(&rig);
    begin(&rig, id, 3, 3, 16);
    sent(&rig, id, 0, 0x1b4, 0, WORDS(0x04030201, 0x08070605, 0xeeeeee09));
    assert_int_equal(engine_rig_rd32(&rig, TO), 0x00030201);
    assert_int_equal(engine_rig_rd32(&rig, TO + 16), 0x00060504);
    assert_int_equal(engine_rig_rd32(&rig, TO + 32), 0x00090807);
    assert_int_equal(engine_rig_rd32(&rig, TO + 4), 0);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 42);
    assert_event(&rig, EVENT_ENGINE_DONE, 0, "upload", 0xa140, 0x1b4);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 0)->value[2], TO);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_DONE, 0)->value[3], 9);
    engine_rig_stop(&rig);
}

/* Fermi's gobs: byte 16 of a line is 32 bytes into the gob, line 1 is 16. */
static void data_goes_to_blocks(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_inline(&rig);
    send(&rig, id, 0, 0x180, 8, 2, 0, TO, 0);
    send(&rig, id, 0, 0x194, 0x010, 64, 16, 1, 0, 12, 7); /* x 12, y 7 */
    send(&rig, id, 0, 0x1b0, 0);
    sent(&rig, id, 0, 0x1b4, 0, WORDS(1, 2, 3, 4));
    assert_int_equal(engine_rig_rd32(&rig, TO + 208 + 12), 1); /* line 7 */
    assert_int_equal(engine_rig_rd32(&rig, TO + 208 + 32), 2); /* its next sector */
    assert_int_equal(engine_rig_rd32(&rig, TO + 512 + 12), 3); /* line 8: the next gob */
    assert_int_equal(engine_rig_rd32(&rig, TO + 512 + 32), 4);
    engine_rig_stop(&rig);
}

/* As methods never leave it, but as a saved machine may have it: words are wanted, and there is no launch. */
static void words_without_a_launch_go_nowhere(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_inline(&rig);
    const struct engine *engine = rig.fifo.engines[id].engine;
    send(&rig, id, 0, 0x1b4, 1);
    words_begin(engine->channels[3]->subchannel[0], 3);
    sent(&rig, id, 0, 0x1b4, 0, WORDS(1, 2, 3));
    assert_int_equal(engine_rig_rd32(&rig, 0), 0);
    engine_rig_stop(&rig);
}

static void a_launch_latches_what_it_is_about(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_inline(&rig);
    begin(&rig, id, 8, 1, 0);
    send(&rig, id, 0, 0x1b4, 1);
    send(&rig, id, 0, 0x180, 1, 1, 0, 0x3000, 7);
    send(&rig, id, 0, 0x1b4, 2);
    assert_int_equal(engine_rig_rd64(&rig, TO), UINT64_C(0x200000001));
    assert_int_equal(engine_rig_rd64(&rig, 0x3000), 0);
    engine_rig_stop(&rig);
}

static void a_launch_before_the_end_commits_what_has_come(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_inline(&rig);
    begin(&rig, id, 12, 1, 0);
    sent(&rig, id, 0, 0x1b4, 0, WORDS(1, 2));
    send(&rig, id, 0, 0x188, 0, 0x3000);
    send(&rig, id, 0, 0x1b0, 0x1021);
    assert_int_equal(engine_rig_rd64(&rig, TO), UINT64_C(0x200000001));
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 0); /* the first one never ends */
    sent(&rig, id, 0, 0x1b4, 0, WORDS(3, 4, 5));
    assert_int_equal(engine_rig_rd64(&rig, 0x3000), UINT64_C(0x400000003));
    assert_int_equal(engine_rig_rd32(&rig, 0x3008), 5);
    assert_int_equal(engine_rig_rd32(&rig, TO + 8), 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 1);
    engine_rig_stop(&rig);
}

static void words_behind_the_last_byte_are_dropped(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_inline(&rig);
    begin(&rig, id, 5, 1, 0);
    sent(&rig, id, 0, 0x1b4, 0, WORDS(0x04030201, 0x08070605, 0x11111111, 0x22222222));
    assert_int_equal(engine_rig_rd64(&rig, TO), UINT64_C(0x0504030201));
    assert_int_equal(engine_rig_rd64(&rig, TO + 8), 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 1);
    engine_rig_stop(&rig);
}

static void long_data_arrives_however_it_is_cut(void **state) {
    (void)state;
    static uint32_t words[5000];
    for (uint32_t i = 0; i < 5000; i++)
        words[i] = i * 2654435761u;
    struct engine_rig rig;
    for (unsigned cut = 1; cut < 5000; cut = cut * 3 + 1) {
        unsigned id = start_inline(&rig);
        begin(&rig, id, 20000, 1, 0);
        for (uint32_t at = 0; at < 5000; at += cut)
            sent(&rig, id, 0, 0x1b4, 0, words + at, cut < 5000 - at ? cut : 5000 - at);
        for (uint32_t i = 0; i < 5000; i++)
            assert_int_equal(engine_rig_rd32(&rig, TO + 4 * i), words[i]);
        assert_int_equal(engine_rig_rd32(&rig, 0x1000), 42);
        engine_rig_stop(&rig);
    }
}

static void a_fault_ends_a_launch_and_its_data(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_inline(&rig);
    send(&rig, id, 0, 0x180, 16, 1, 0, ENGINE_RIG_LIMIT - 8, 0);
    send(&rig, id, 0, 0x1dc, 0, 0x1000, 42);
    send(&rig, id, 0, 0x1b0, 0x1121);
    sent(&rig, id, 0, 0x1b4, 0, WORDS(1, 2, 3, 4, 5));
    assert_int_equal(rig.faults, 1);
    assert_int_equal(engine_rig_rd64(&rig, ENGINE_RIG_LIMIT - 8), UINT64_C(0x200000001));
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 0);
    assert_int_equal(rig.interrupts, 0);
    begin(&rig, id, 4, 1, 0);
    send(&rig, id, 0, 0x1b4, 7);
    assert_int_equal(engine_rig_rd32(&rig, TO), 7);
    assert_int_equal(rig.faults, 1);
    engine_rig_stop(&rig);
}

static void a_semaphore_that_faults_wakes_nobody(void **state) {
    static const uint32_t launches[] = {0x1121, 0x1123}; /* release, reduction */
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        struct engine_rig rig;
        unsigned id = start_inline(&rig);
        begin(&rig, id, 4, 1, 0);
        send(&rig, id, 0, 0x1b4, 7);
        unsigned before = rig.interrupts;
        send(&rig, id, 0, 0x180, 4, 1, 0, TO, 0);
        send(&rig, id, 0, 0x1dc, 0, ENGINE_RIG_LIMIT, 42);
        send(&rig, id, 0, 0x1b0, launches[i]);
        send(&rig, id, 0, 0x1b4, 8);
        assert_int_equal(rig.faults, 1);
        assert_int_equal(rig.interrupts, before);
        assert_int_equal(engine_rig_rd32(&rig, TO), 8);
        engine_rig_stop(&rig);
    }
}

static void the_rest_of_data_that_faulted_is_dropped(void **state) {
    (void)state;
    static const uint32_t words[1500];
    struct engine_rig rig;
    unsigned id = start_inline(&rig);
    send(&rig, id, 0, 0x180, sizeof words, 1, 0, ENGINE_RIG_LIMIT - 8, 0);
    send(&rig, id, 0, 0x1dc, 0, 0x1000, 42);
    send(&rig, id, 0, 0x1b0, 0x1121);
    sent(&rig, id, 0, 0x1b4, 0, words, 1500);
    assert_int_equal(rig.faults, 1);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), 0);
    engine_rig_stop(&rig);
}

static void reductions_and_interrupts_come_with_the_last_word(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_inline(&rig);
    engine_rig_wr32(&rig, 0x1000, 5);
    send(&rig, id, 0, 0x180, 4, 1, 0, TO, 0);
    send(&rig, id, 0, 0x1dc, 0, 0x1000, 0xffffffff);
    send(&rig, id, 0, 0x1b0, 0x1121 | 2 | 1 << 2 | 1 << 13); /* the signed minimum */
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 5);
    assert_int_equal(rig.interrupts, 0);
    send(&rig, id, 0, 0x1b4, 1);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 0xffffffff);
    assert_int_equal(rig.interrupts, 1);
    engine_rig_stop(&rig);
}

static void blocks_of_64_gobs_are_refused(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_inline(&rig);
    send(&rig, id, 0, 0x180, 4, 1, 0, TO, 0, 0x060, 64, 8, 1);
    send(&rig, id, 0, 0x1b0, 0x1020);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 1);
    send(&rig, id, 0, 0x1b4, 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 0);
    engine_rig_stop(&rig);
}

/* In the class itself; in 3D the same methods decide over drawing, and uploads go on. */
static void a_condition_drops_the_data_but_not_the_semaphore(void **state) {
    (void)state;
    static const struct {
        uint32_t object_class, method;
        bool copies;
    } cases[] = {{0xa140, 0x1558, false}, {0xa140, 0x138, false}, {0xb097, 0x1558, true}};
    struct engine_rig rig;
    for (unsigned i = 0; i < 3; i++) {
        unsigned id = start(&rig, "GM107", CHIP_UNIT_PGRAPH, cases[i].object_class);
        send(&rig, id, 0, cases[i].method, 0); /* never */
        begin(&rig, id, 8, 1, 0);
        sent(&rig, id, 0, 0x1b4, 0, WORDS(1, 2));
        assert_int_equal(engine_rig_rd32(&rig, TO), cases[i].copies);
        assert_int_equal(engine_rig_rd32(&rig, 0x1000), 42);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_DONE), cases[i].copies);
        engine_rig_stop(&rig);
    }
}

static void a_condition_that_faults_ends_the_launch(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_inline(&rig);
    send(&rig, id, 0, 0x1550, 0, ENGINE_RIG_LIMIT, 3);
    begin(&rig, id, 4, 1, 0);
    send(&rig, id, 0, 0x1b4, 1);
    assert_int_equal(rig.faults, 1);
    assert_int_equal(engine_rig_rd32(&rig, TO), 0);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 0);
    engine_rig_stop(&rig);
}

/* Both come as words in the pushbuffer, and neither gets the other's. */
static void constants_may_be_loaded_between_inline_data(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t object_class;
    } classes[] = {{"GK104", 0xa097}, {"GM107", 0xb097}, {"GP102", 0xc197}};
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        struct engine_rig rig;
        unsigned id = start(&rig, classes[i].chip, CHIP_UNIT_PGRAPH, classes[i].object_class);
        begin(&rig, id, 16, 1, 0);
        sent(&rig, id, 0, 0x1b4, 0, WORDS(1, 2));
        send(&rig, id, 0, 0x2380, 0x100, 0, 0x5000, 0);
        sent(&rig, id, 0, 0x2390, 0, WORDS(11, 12, 13, 14, 15, 16));
        assert_int_equal(engine_rig_rd32(&rig, 0x1000), 0);
        send(&rig, id, 0, 0x1b4, 3);
        send(&rig, id, 0, 0x2390, 17);
        send(&rig, id, 0, 0x1b4, 4);
        for (uint32_t n = 0; n < 4; n++)
            assert_int_equal(engine_rig_rd32(&rig, TO + 4 * n), n + 1);
        for (uint32_t n = 0; n < 7; n++)
            assert_int_equal(engine_rig_rd32(&rig, 0x5000 + 4 * n), n + 11);
        assert_int_equal(engine_rig_rd32(&rig, TO + 16), 0);
        assert_int_equal(engine_rig_rd32(&rig, 0x1000), 42);
        engine_rig_stop(&rig);
    }
}

static void m2mf_of_fermi_takes_inline_data(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9039);
    send(&rig, id, 0, 0x238, 0, TO);
    send(&rig, id, 0, 0x318, 32, 6, 2);
    send(&rig, id, 0, 0x300, 0x100111);
    sent(&rig, id, 0, 0x304, 0, WORDS(0x04030201, 0x08070605, 0x0c0b0a09));
    assert_int_equal(engine_rig_rd64(&rig, TO), UINT64_C(0x060504030201));
    assert_int_equal(engine_rig_rd64(&rig, TO + 32), UINT64_C(0x0c0b0a090807));
    send(&rig, id, 0, 0x220, 0, 64, 8, 1, 0); /* to blocks */
    send(&rig, id, 0, 0x34c, 60, 3);
    send(&rig, id, 0, 0x31c, 4, 1);
    send(&rig, id, 0, 0x300, 0x100001);
    send(&rig, id, 0, 0x304, 0x0d0e0f10);
    assert_int_equal(engine_rig_rd32(&rig, TO + 0x170 + 12), 0x0d0e0f10); /* the last sector of line 3 */
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_word_may_hold_the_end_of_a_line_and_the_beginning_of_the_next),
        cmocka_unit_test(data_goes_to_blocks),
        cmocka_unit_test(words_without_a_launch_go_nowhere),
        cmocka_unit_test(a_launch_latches_what_it_is_about),
        cmocka_unit_test(a_launch_before_the_end_commits_what_has_come),
        cmocka_unit_test(words_behind_the_last_byte_are_dropped),
        cmocka_unit_test(long_data_arrives_however_it_is_cut),
        cmocka_unit_test(a_fault_ends_a_launch_and_its_data),
        cmocka_unit_test(a_semaphore_that_faults_wakes_nobody),
        cmocka_unit_test(the_rest_of_data_that_faulted_is_dropped),
        cmocka_unit_test(reductions_and_interrupts_come_with_the_last_word),
        cmocka_unit_test(blocks_of_64_gobs_are_refused),
        cmocka_unit_test(a_condition_drops_the_data_but_not_the_semaphore),
        cmocka_unit_test(a_condition_that_faults_ends_the_launch),
        cmocka_unit_test(constants_may_be_loaded_between_inline_data),
        cmocka_unit_test(m2mf_of_fermi_takes_inline_data),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
