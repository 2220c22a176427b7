/* SPDX-License-Identifier: MIT */
/* Queries, and what is rendered because of them: the sequences of Mesa's drivers. */
#include "check.h"

#define RECORD 0x1000u /* two records: begin and end of a query */
#define TARGET 0x4000u
#define CLEAR  0x19d0u

/* A word at TARGET that a clear makes 0xffffffff. */
static unsigned start_fermi(struct engine_rig *rig) {
    unsigned id = start(rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(rig, id, 0, 0x800, 0, TARGET, 64, 1, 0xe4, 0x1000, 1, 0, 0);
    send(rig, id, 0, 0xff4, 1 << 16, 1 << 16);
    send(rig, id, 0, 0x10f8, 0);
    send(rig, id, 0, 0xd80, 0xffffffff);
    return id;
}

static bool renders(struct engine_rig *rig, unsigned id) {
    engine_rig_wr32(rig, TARGET, 0);
    unsigned draws = engine_rig_count(rig, EVENT_ENGINE_NOT_EXECUTED);
    send(rig, id, 0, CLEAR, 0x3c);
    send(rig, id, 0, 0x1618, 0xe); /* patches, which are not executed */
    send(rig, id, 0, 0xd78, 3);
    bool cleared = engine_rig_rd32(rig, TARGET) != 0;
    assert_int_equal(engine_rig_count(rig, EVENT_ENGINE_NOT_EXECUTED) - draws, cleared);
    return cleared;
}

static void report(struct engine_rig *rig, unsigned id, uint32_t address, uint32_t payload, uint32_t get) {
    send(rig, id, 0, 0x1b00, 0, address, payload, get);
}

/* ---- conditional rendering ---- */

/* An occlusion query that has begun but not ended counts as passed; then it has counted nothing. */
static void a_query_without_result_renders_and_one_of_zero_does_not(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig);
    engine_rig_wr32(&rig, RECORD, 7);
    engine_rig_wr32(&rig, RECORD + 4, 1);
    engine_rig_wr32(&rig, RECORD + 16, 8);
    engine_rig_wr32(&rig, RECORD + 20, 0);
    send(&rig, id, 0, 0x1550, 0, RECORD, 4); /* NOT_EQUAL */
    assert_true(renders(&rig, id));
    report(&rig, id, RECORD, 8, 0x0100f002);
    assert_false(renders(&rig, id));
    send(&rig, id, 0, 0x1558, 3); /* the condition inverted: EQUAL */
    assert_true(renders(&rig, id));
    engine_rig_wr32(&rig, RECORD + 4, 5); /* it has counted */
    assert_false(renders(&rig, id));
    send(&rig, id, 0, 0x1558, 4);
    assert_true(renders(&rig, id));
    send(&rig, id, 0, 0x1558, 1);
    assert_true(renders(&rig, id));
    send(&rig, id, 0, 0x1558, 0);
    assert_false(renders(&rig, id));
    engine_rig_stop(&rig);
}

/* A nested query reports at its beginning, too: what was counted before it is not its own. */
static void a_nested_query_compares_its_beginning_with_its_end(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig);
    report(&rig, id, RECORD + 16, 9, 0x0100f002);
    report(&rig, id, RECORD, 9, 0x0100f002);
    send(&rig, id, 0, 0x1550, 0, RECORD, 4);
    assert_false(renders(&rig, id));
    engine_rig_wr32(&rig, RECORD + 4, 1);
    assert_true(renders(&rig, id));
    engine_rig_stop(&rig);
}

static void mode_2_looks_at_the_result_word(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig);
    send(&rig, id, 0, 0x1550, 0, RECORD, 2);
    engine_rig_wr32(&rig, RECORD, 1);
    assert_false(renders(&rig, id));
    engine_rig_wr32(&rig, RECORD + 4, 1);
    assert_true(renders(&rig, id));
    engine_rig_stop(&rig);
}

static void the_global_condition_has_records_of_its_own(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start_fermi(&rig);
    send(&rig, id, 0, 0x130, 0, RECORD, 4);
    assert_false(renders(&rig, id));
    engine_rig_wr32(&rig, RECORD + 4, 1);
    assert_true(renders(&rig, id));
    send(&rig, id, 0, 0x1550, 0, RECORD, 3);
    assert_false(renders(&rig, id));
    engine_rig_stop(&rig);
}

static void draws_of_tesla_obey_their_condition(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "G80", CHIP_UNIT_PGRAPH, 0x5097);
    send(&rig, id, 0, 0x15dc, 4);
    assert_int_equal(rig.events, 1);
    send(&rig, id, 0, 0x1558, 0);
    send(&rig, id, 0, 0x15dc, 4);
    assert_int_equal(rig.events, 1);
    engine_rig_stop(&rig);
}

static void draws_of_curie_obey_their_condition(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097);
    send(&rig, id, 0, 0x1a8, 1);
    send(&rig, id, 0, 0x1800, 0x01000040); /* QUERY_GET: a count of 0 */
    assert_int_equal(engine_rig_rd32(&rig, 0x10048), 0);
    rig.events = 0;
    send(&rig, id, 0, 0x1e98, 0x02000040);
    send(&rig, id, 0, 0x1808, 5);
    assert_int_equal(rig.events, 0);
    send(&rig, id, 0, 0x1e98, 0x01000000);
    send(&rig, id, 0, 0x1808, 5, 0);
    assert_int_equal(rig.events, 1);
    engine_rig_stop(&rig);
}

/* ---- reports ---- */

/* What Mesa asks for; see its query types. */
static void the_queries_of_mesa_are_answered(void **state) {
    (void)state;
    static const uint32_t gets[] = {0x0100f002, 0x00005002, 0x09005002, 0x05805002, 0x06805002, 0x03005002,
                                    0x0f005002, 0x0d005002, 0x00801002, 0x01801002, 0x02802002, 0x03806002,
                                    0x04806002, 0x07804002, 0x08804002, 0x0980a002, 0x0d808002, 0x0e809002};
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(&rig, id, 0, 0x1530, 1); /* counters are reset, */
    send(&rig, id, 0, 0x1514, 1); /* and on */
    for (uint32_t i = 0; i < sizeof gets / sizeof gets[0]; i++) {
        report(&rig, id, RECORD + i * 16, i + 1, gets[i]);
        assert_int_equal(engine_rig_rd64(&rig, RECORD + i * 16 + 8), ENGINE_RIG_TIME);
    }
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), sizeof gets / sizeof gets[0]);
    assert_int_equal(rig.events, sizeof gets / sizeof gets[0]);
    engine_rig_stop(&rig);
}

/* ---- syncpoints, and which methods are accepted ---- */

static void a_syncpoint_counts_on_chips_that_have_them(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GM20B", CHIP_UNIT_PGRAPH, 0xb197);
    sent(&rig, id, 0, 0x2c8, 0, WORDS(2, 1u << 20 | 2, 1 << 16 | 1));
    assert_int_equal(rig.syncpoint[1], 1);
    assert_int_equal(rig.syncpoint[2], 2);
    assert_int_equal(rig.events, 0);
    send(&rig, id, 0, 0x2c8, 0xfff);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 1);
    engine_rig_stop(&rig);
    id = start(&rig, "GM107", CHIP_UNIT_PGRAPH, 0xb097);
    send(&rig, id, 0, 0x2c8, 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 1);
    engine_rig_stop(&rig);
}

/* WAIT_FOR_IDLE, flushes and invalidations: what was before is done when they come. */
static void waiting_and_flushing_has_nothing_to_do(void **state) {
    (void)state;
    static const uint32_t methods[] = {0x100,  0x110,  0x13c,  0x21c,  0x1330, 0x1334,
                                       0x1338, 0x1424, 0x1428, 0x1930, 0x1a2c};
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    for (uint32_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        send(&rig, id, 0, methods[i], 0);
    assert_int_equal(rig.events, 0);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_query_without_result_renders_and_one_of_zero_does_not),
        cmocka_unit_test(a_nested_query_compares_its_beginning_with_its_end),
        cmocka_unit_test(mode_2_looks_at_the_result_word),
        cmocka_unit_test(the_global_condition_has_records_of_its_own),
        cmocka_unit_test(draws_of_tesla_obey_their_condition),
        cmocka_unit_test(draws_of_curie_obey_their_condition),
        cmocka_unit_test(the_queries_of_mesa_are_answered),
        cmocka_unit_test(a_syncpoint_counts_on_chips_that_have_them),
        cmocka_unit_test(waiting_and_flushing_has_nothing_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
