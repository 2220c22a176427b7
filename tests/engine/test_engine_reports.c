/* SPDX-License-Identifier: MIT */
/* Fences, reports and notifiers of graphics and compute. */
#include "check.h"

#include "engine/core/register_file.h"

/* Object 2 is the VRAM at 0x20000, object 4 at 0x40000 (rig.h). */
#define OBJECT_2 UINT64_C(0x20000)
#define OBJECT_4 UINT64_C(0x40000)

static void curie_fence_is_a_word_in_its_dma_object(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097);
    send(&rig, id, 0, 0x1a4, 2);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1d6c, 4, WORDS(0x10, 0xcafe)), 1);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT_2 + 0x10), 0);
    send(&rig, id, 0, 0x1d70, 0xcafe);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT_2 + 0x10), 0xcafe);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT_2 + 0x14), 0);
    assert_event(&rig, EVENT_ENGINE_FENCE, 0, "fence", 0x10, 0xcafe);
    assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_FENCE, 0)->value[2], 4);
    engine_rig_stop(&rig);
}

static void curie_query_clears_the_status_that_drivers_wait_for(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV44", CHIP_UNIT_PGRAPH, 0x4497);
    for (unsigned i = 0; i < 16; i += 4)
        engine_rig_wr32(&rig, OBJECT_4 + 0x120 + i, 0x01000000);
    send(&rig, id, 0, 0x1a4, 2, 4);
    send(&rig, id, 0, 0x1800, 0x01000120);
    assert_int_equal(engine_rig_rd64(&rig, OBJECT_4 + 0x120), ENGINE_RIG_TIME);
    assert_int_equal(engine_rig_rd64(&rig, OBJECT_4 + 0x128), 0);
    assert_event(&rig, EVENT_ENGINE_FENCE, 0, "query", 0x120, 0);
    engine_rig_stop(&rig);
}

static void curie_has_a_fence_for_textures(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097);
    send(&rig, id, 0, 0x1a4, 2);
    send(&rig, id, 0, 0x1d6c, 0x10);
    send(&rig, id, 0, 0x1d74, 0xcafe);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT_2 + 0x10), 0xcafe);
    engine_rig_stop(&rig);
}

static void kelvin_has_fences_and_queries_too(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV20", CHIP_UNIT_PGRAPH, 0x0097);
    send(&rig, id, 0, 0x1a4, 2, 4);
    send(&rig, id, 0, 0x1d6c, 0x40, 77);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT_2 + 0x40), 77);
    assert_event(&rig, EVENT_ENGINE_FENCE, 0, "fence", 0x40, 77);
    engine_rig_wr32(&rig, OBJECT_4 + 0x2c, UINT32_MAX);
    send(&rig, id, 0, 0x17d0, 0x01000020);
    assert_int_equal(engine_rig_rd64(&rig, OBJECT_4 + 0x20), ENGINE_RIG_TIME);
    assert_int_equal(engine_rig_rd64(&rig, OBJECT_4 + 0x28), 0);
    assert_event(&rig, EVENT_ENGINE_FENCE, 1, "query", 0x20, 0);
    engine_rig_stop(&rig);
}

static void a_fault_is_reported_and_raised(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097);
    send(&rig, id, 0, 0x1a4, 2);
    send(&rig, id, 0, 0x1d6c, 0x10000, 1);
    send(&rig, id, 0, 0x1a8, 0);
    send(&rig, id, 0, 0x1800, 0);
    assert_int_equal(rig.faults, 2);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FAULT), 2);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 0);
    const struct engine_rig_event *event = engine_rig_event(&rig, EVENT_ENGINE_FAULT, 0);
    assert_int_equal(event->value[0], 0x4097);
    assert_int_equal(event->value[1], 0x1d70);
    assert_int_equal(event->value[2], 1);
    assert_int_equal(event->value[3], 0x10000);
    assert_true(event->text[0] != 0);
    send(&rig, id, 0, 0x1d6c, 0, 7); /* and the engine goes on */
    assert_int_equal(engine_rig_rd32(&rig, OBJECT_2), 7);
    engine_rig_stop(&rig);
}

static void tesla_query_is_in_its_dma_object(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "G84", CHIP_UNIT_PGRAPH, 0x8297);
    send(&rig, id, 0, 0x188, 2);
    send(&rig, id, 0, 0x1b00, 0xffffff00, 0x40, 77, 0x1000f010);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT_2 + 0x40), 77);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT_2 + 0x44), 0);
    assert_event(&rig, EVENT_ENGINE_FENCE, 0, "fence", 0x40, 77);
    send(&rig, id, 0, 0x1b00, 0, 0x80, 78, 0x0100f002);
    assert_int_equal(engine_rig_rd64(&rig, OBJECT_2 + 0x80), 78);
    assert_int_equal(engine_rig_rd64(&rig, OBJECT_2 + 0x88), ENGINE_RIG_TIME);
    assert_event(&rig, EVENT_ENGINE_FENCE, 1, "query", 0x80, 78);
    send(&rig, id, 0, 0x1b00, 0, 0x40, 5, 0x1000f018); /* there are no reductions */
    assert_int_equal(engine_rig_rd32(&rig, OBJECT_2 + 0x40), 5);
    engine_rig_stop(&rig);
}

static void tesla_compute_query_is_at_its_own_methods(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GT215", CHIP_UNIT_PGRAPH, 0x85c0);
    send(&rig, id, 0, 0x1a4, 2);
    send(&rig, id, 0, 0x310, 0, 0x40, 55, 0x8000);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT_2 + 0x40), 55);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT_2 + 0x48), 0);
    send(&rig, id, 0, 0x310, 0, 0x80, 56, 0x0200);
    assert_int_equal(engine_rig_rd64(&rig, OBJECT_2 + 0x80), 56);
    assert_int_equal(engine_rig_rd64(&rig, OBJECT_2 + 0x88), ENGINE_RIG_TIME);
    assert_int_equal(rig.interrupts, 1);
    send(&rig, id, 0, 0x310, 0, 0x40, 57, 0x8003); /* an operation is not used */
    assert_int_equal(rig.interrupts, 1);
    assert_int_equal(engine_rig_rd32(&rig, OBJECT_2 + 0x40), 57);
    engine_rig_stop(&rig);
}

static void reports_release_short_and_long(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    engine_rig_wr32(&rig, 0x1004, 0x5555);
    send(&rig, id, 0, 0x1b00, 0xabcdef00, 0x1000, 1, 0x1000f010);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 1);
    assert_int_equal(engine_rig_rd32(&rig, 0x1004), 0x5555);
    send(&rig, id, 0, 0x1b08, 2, 0x0000f010);
    assert_int_equal(engine_rig_rd64(&rig, 0x1000), 2);
    assert_int_equal(engine_rig_rd64(&rig, 0x1008), ENGINE_RIG_TIME);
    assert_int_equal(rig.faults, 0); /* bits 31:8 of the upper word do not count */
    send(&rig, id, 0, 0x1b00, 1, 0x1000, 3, 0x1000f010);
    assert_int_equal(rig.faults, 1);
    engine_rig_stop(&rig);
}

/* Events and queries of Mesa's Vulkan name a stage that they wait for. All that was sent has been done by then. */
static void a_report_may_name_any_place_of_the_pipeline(void **state) {
    (void)state;
    struct engine_rig rig;
    static const uint32_t classes[] = {0xa097, 0xb097, 0xc197};
    static const char *const chips[] = {"GK104", "GM107", "GP102"};
    for (unsigned i = 0; i < 3; i++) {
        unsigned id = start(&rig, chips[i], CHIP_UNIT_PGRAPH, classes[i]);
        for (uint32_t place = 0; place < 16; place++) {
            uint32_t after_writes = place & 1;
            send(&rig, id, 0, 0x1b00, 0, 0x1000, place + 1, 0x10000000 | place << 12 | after_writes << 4);
            assert_int_equal(engine_rig_rd32(&rig, 0x1000), place + 1);
            send(&rig, id, 0, 0x1b00, 0, 0x2000, 0, 0x01000002 | place << 12); /* pixels, as a query has it */
            assert_int_equal(engine_rig_rd64(&rig, 0x2008), ENGINE_RIG_TIME);
        }
        assert_int_equal(rig.faults, 0);
        assert_null(engine_rig_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0));
        engine_rig_stop(&rig);
    }
}

/* Upper address words grew to 25 bits with Hopper. */
static void report_addresses_are_as_wide_as_the_class(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GH100", CHIP_UNIT_PGRAPH, 0xcb97);
    send(&rig, id, 0, 0x1b00, 0x100, 0x1000, 3, 0x1000f010);
    assert_int_equal(rig.faults, 1);
    send(&rig, id, 0, 0x1b00, 0xfe000000, 0x1000, 3, 0x1000f010);
    assert_int_equal(rig.faults, 1);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 3);
    send(&rig, id, 0, 0x158, 4, 0, 0x1000, 0xfe000000, 1u << 13);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 4);
    send(&rig, id, 0, 0x158, 5, 0, 0x1000, 0x100, 1u << 13);
    assert_int_equal(rig.faults, 2);
    engine_rig_stop(&rig);
    id = start(&rig, "GA102", CHIP_UNIT_PGRAPH, 0xc797);
    send(&rig, id, 0, 0x158, 5, 0, 0x1000, 0xffffff00, 1u << 13);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 5);
    engine_rig_stop(&rig);
}

static void counters_report_zero_in_their_layout(void **state) {
    (void)state;
    static const struct {
        uint32_t control;
        uint64_t first;
    } cases[] = {
        {0x0100f002, 99},         /* pixels: payload, value */
        {0x00005002, 99},         /* timestamp */
        {0x00801002, 0},          /* vertices: 64 bits of value */
        {0x09005002, 0},          /* primitives out: 64 bits of value */
        {0x06805002, 0},          /* odd */
        {0x03005002, 99ull << 32} /* needed minus succeeded: the other way round */
    };
    struct engine_rig rig;
    unsigned id = start(&rig, "GK104", CHIP_UNIT_PGRAPH, 0xa097);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (unsigned at = 0; at < 16; at += 4)
            engine_rig_wr32(&rig, 0x1000 + at, 0xffffffff);
        send(&rig, id, 0, 0x1b00, 0, 0x1000, 99, cases[i].control);
        assert_int_equal(engine_rig_rd64(&rig, 0x1000), cases[i].first);
        assert_int_equal(engine_rig_rd64(&rig, 0x1008), ENGINE_RIG_TIME);
    }
    engine_rig_stop(&rig);
}

static void reductions_combine_with_memory(void **state) {
    (void)state;
    static const struct {
        uint32_t operation, format, memory, payload, result;
    } cases[] = {
        {0, 0, 5, 3, 8},
        {0, 0, 0xffffffff, 2, 1},
        {1, 0, 5, 0xffffffff, 5},
        {1, 1, 5, 0xffffffff, 0xffffffff},
        {2, 0, 5, 0xffffffff, 0xffffffff},
        {2, 1, 5, 0xffffffff, 5},
        {3, 0, 5, 9, 6},
        {3, 0, 9, 9, 0},
        {4, 0, 5, 9, 4},
        {4, 0, 0, 9, 9},
        {5, 0, 0xc, 0xa, 8},
        {6, 0, 0xc, 0xa, 0xe},
        {7, 0, 0xc, 0xa, 6},
    };
    struct engine_rig rig;
    unsigned id = start(&rig, "GK104", CHIP_UNIT_PGRAPH, 0xa097);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        engine_rig_wr32(&rig, 0x1000, cases[i].memory);
        send(&rig, id, 0, 0x1b00, 0, 0x1000, cases[i].payload,
             0x10000008 | cases[i].operation << 9 | cases[i].format << 17);
        assert_int_equal(engine_rig_rd32(&rig, 0x1000), cases[i].result);
        assert_event(&rig, EVENT_ENGINE_FENCE, (unsigned)i, "fence", 0x1000, cases[i].result);
    }
    engine_rig_stop(&rig);
}

/* The bits are not in the classes of Fermi. */
static void there_are_no_reductions_before_kepler(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t object_class;
    } cases[] = {{"GF100", 0x9097}, {"GF100", 0x90c0}, {"GF119", 0x9297}};
    struct engine_rig rig;
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = start(&rig, cases[i].chip, CHIP_UNIT_PGRAPH, cases[i].object_class);
        engine_rig_wr32(&rig, 0x1000, 5);
        send(&rig, id, 0, 0x1b00, 0, 0x1000, 3, 0x10000008);
        assert_int_equal(engine_rig_rd32(&rig, 0x1000), 3);
        engine_rig_stop(&rig);
    }
}

static void a_reduction_that_cannot_read_faults(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GK104", CHIP_UNIT_PGRAPH, 0xa097);
    send(&rig, id, 0, 0x1b00, 0, ENGINE_RIG_LIMIT, 1, 0x10000008);
    assert_int_equal(rig.faults, 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 0);
    engine_rig_stop(&rig);
}

static void acquire_stalls_until_memory_fits(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(&rig, id, 0, 0x1b00, 0, 0x1000, 5);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b0c, 4, WORDS(1, 2)), 0);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b0c, 4, WORDS(1, 2)), 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ACQUIRE), 1);
    assert_event(&rig, EVENT_ENGINE_ACQUIRE, 0, "waits", 0x1000, 5);
    engine_rig_wr32(&rig, 0x1000, 6);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b0c, 4, WORDS(1, 2)), 0);
    engine_rig_wr32(&rig, 0x1000, 5);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b0c, 4, WORDS(1, 2)), 1);
    assert_event(&rig, EVENT_ENGINE_ACQUIRE, 1, "acquired", 0x1000, 5);
    /* greater or equal, across the end of 32 bits */
    engine_rig_wr32(&rig, 0x1000, 4);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b0c, 4, WORDS(0x10001)), 0);
    engine_rig_wr32(&rig, 0x1000, 0x80000004);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b0c, 4, WORDS(0x10001)), 1);
    engine_rig_wr32(&rig, 0x1000, 0x80000005);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b0c, 4, WORDS(0x10001)), 0);
    engine_rig_wr32(&rig, 0x1000, 0);
    send(&rig, id, 0, 0x1b08, 0xffffffff);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b0c, 4, WORDS(0x10001)), 1);
    engine_rig_stop(&rig);
}

/* A channel that waits for memory it cannot see would wait forever. */
static void acquire_does_not_wait_after_a_fault(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(&rig, id, 0, 0x1b00, 0, ENGINE_RIG_LIMIT, 5, 1);
    assert_int_equal(rig.faults, 1);
    engine_rig_stop(&rig);
}

static void trap_only_interrupts_and_awaken_also_does(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x9097);
    send(&rig, id, 0, 0x1b00, 0, 0x1000, 5, 0x10000003);
    assert_int_equal(rig.interrupts, 1);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 0);
    assert_event(&rig, EVENT_ENGINE_INTERRUPT, 0, "TRAP", 0x9097, 0x1b0c);
    assert_int_equal(rig.cause, CAUSE_SYNC);
    send(&rig, id, 0, 0x1b0c, 0x10100000);
    assert_int_equal(rig.interrupts, 2);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 5);
    assert_event(&rig, EVENT_ENGINE_INTERRUPT, 1, "AWAKEN", 0x9097, 0x1b0c);
    assert_int_equal(rig.cause, CAUSE_QUERY);
    engine_rig_stop(&rig);
}

static void a_report_that_faults_awakens_nobody(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GK104", CHIP_UNIT_PGRAPH, 0xa097);
    static const uint32_t controls[] = {0x10100000, 0x10100008, 0x00100002, 0x10100001};
    for (unsigned i = 0; i < 4; i++) {
        send(&rig, id, 0, 0x1b00, 0, ENGINE_RIG_LIMIT, 5, controls[i]);
        assert_int_equal(rig.faults, i + 1);
    }
    assert_int_equal(rig.interrupts, 0);
    engine_rig_stop(&rig);
    id = start(&rig, "G84", CHIP_UNIT_PGRAPH, 0x82c0);
    send(&rig, id, 0, 0x1a4, 0);
    send(&rig, id, 0, 0x310, 0, 0, 5, 0x8200);
    assert_int_equal(rig.faults, 1);
    assert_int_equal(rig.interrupts, 0);
    engine_rig_stop(&rig);
}

static void compute_releases_and_traps(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GM107", CHIP_UNIT_PGRAPH, 0xb0c0);
    send(&rig, id, 0, 0x1b00, 0, 0x1000, 5, 0x10000000);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 5);
    send(&rig, id, 0, 0x1b0c, 3);
    assert_int_equal(rig.interrupts, 1);
    send(&rig, id, 0, 0x1b00, 0, 0x1000, 6, 2);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 5);
    assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, "", 0xb0c0, 0x1b0c);
    engine_rig_stop(&rig);
}

/* Formats 2 and 3 have no name. */
static void a_reduction_without_a_format_is_not_executed(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GK104", CHIP_UNIT_PGRAPH, 0xa097);
    engine_rig_wr32(&rig, 0x1000, 5);
    send(&rig, id, 0, 0x1b00, 0, 0x1000, 3, 0x10000008 | 2 << 17);
    assert_int_equal(engine_rig_rd32(&rig, 0x1000), 5);
    assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, "reduction", 0xa097, 0x1b0c);
    engine_rig_stop(&rig);
}

static void notify_fires_after_the_next_method(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x0072);
    engine_rig_wr32(&rig, OBJECT_2 + 0xc, 0xffffffff);
    send(&rig, id, 0, 0x180, 2);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x104, 4, WORDS(0, 1, 2)), 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 0);
    send(&rig, id, 0, 0x180, 2); /* does not count as the next */
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 0);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x300, 0, WORDS(1, 2)), 1);
    assert_event(&rig, EVENT_ENGINE_FENCE, 0, "notifier", 0, 0);
    assert_int_equal(engine_rig_rd64(&rig, OBJECT_2), ENGINE_RIG_TIME);
    assert_int_equal(engine_rig_rd64(&rig, OBJECT_2 + 8), 0);
    assert_int_equal(engine_rig_value(&rig, id, 0x0072, 0x300), 1);
    send(&rig, id, 0, 0x300, 3);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 1);
    assert_int_equal(rig.interrupts, 0);
    engine_rig_stop(&rig);
}

static void notify_awakens_and_refuses_nonsense(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "G80", CHIP_UNIT_PGRAPH, 0x502d);
    send(&rig, id, 0, 0x180, 2);
    send(&rig, id, 0, 0x104, 2);
    assert_event(&rig, EVENT_ENGINE_ERROR, 0, "INVALID_VALUE", 0x502d, 0x104);
    send(&rig, id, 0, 0x104, 0);
    send(&rig, id, 0, 0x104, 1); /* in its place */
    assert_event(&rig, EVENT_ENGINE_ERROR, 1, "DOUBLE_NOTIFY", 0x502d, 0x104);
    send(&rig, id, 0, 0x104, 2);
    send(&rig, id, 0, 0x100, 0);
    assert_event(&rig, EVENT_ENGINE_INTERRUPT, 0, "NOTIFY", 0x502d, 0x100);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 1);
    assert_int_equal(rig.interrupts, 4);
    engine_rig_stop(&rig);
}

static void notify_needs_a_dma_object(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV17", CHIP_UNIT_PGRAPH, 0x0072);
    send(&rig, id, 0, 0x104, 0);
    assert_event(&rig, EVENT_ENGINE_ERROR, 0, "INVALID_NOTIFY", 0x0072, 0x104);
    send(&rig, id, 0, 0x180, 0x30); /* a NULL object */
    send(&rig, id, 0, 0x104, 0);
    assert_event(&rig, EVENT_ENGINE_ERROR, 1, "INVALID_NOTIFY", 0x0072, 0x104);
    send(&rig, id, 0, 0x300, 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 0);
    assert_int_equal(rig.faults, 0);
    engine_rig_stop(&rig);
}

/* Only with a clip rectangle of an object is there more that a change of the subchannel forgets. */
static void what_is_volatile_ends_with_the_notifier(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV17", CHIP_UNIT_PGRAPH, 0x004a);
    const struct engine *engine = rig.fifo.engines[id].engine;
    send(&rig, id, 0, 0x180, 2);
    send(&rig, id, 0, 0x104, 0);
    assert_int_equal(engine->channels[rig.channel.id]->volatile_on, 1);
    send(&rig, id, 0, 0x100, 0);
    assert_int_equal(engine->channels[rig.channel.id]->volatile_on, 0);
    send(&rig, id, 0, 0x5f8, 0x00040003);
    send(&rig, id, 0, 0x104, 0);
    send(&rig, id, 0, 0x100, 0);
    assert_int_equal(engine->channels[rig.channel.id]->volatile_on, 1);
    engine_rig_stop(&rig);
}

static void notify_and_an_effect_both_happen(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV40", CHIP_UNIT_PGRAPH, 0x4097);
    send(&rig, id, 0, 0x180, 4);
    send(&rig, id, 0, 0x1a4, 2);
    send(&rig, id, 0, 0x104, 0);
    send(&rig, id, 0, 0x1d70, 9);
    assert_event(&rig, EVENT_ENGINE_FENCE, 0, "fence", 0, 9);
    assert_event(&rig, EVENT_ENGINE_FENCE, 1, "notifier", 0, 0);
    assert_int_equal(engine_rig_rd64(&rig, OBJECT_4), ENGINE_RIG_TIME);
    engine_rig_stop(&rig);
}

static void notify_waits_with_the_method_that_stalls(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "G84", CHIP_UNIT_PGRAPH, 0x8297);
    send(&rig, id, 0, 0x180, 4);
    send(&rig, id, 0, 0x188, 2);
    send(&rig, id, 0, 0x1b00, 0, 0, 1);
    send(&rig, id, 0, 0x104, 0);
    assert_int_equal(engine_rig_offer(&rig, id, 0, 0x1b0c, 4, WORDS(1)), 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 0);
    engine_rig_wr32(&rig, OBJECT_2, 1);
    send(&rig, id, 0, 0x1b0c, 1);
    assert_event(&rig, EVENT_ENGINE_FENCE, 0, "notifier", 0, 0);
    engine_rig_stop(&rig);
}

static void notify_is_forgotten_with_its_subchannel(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "NV17", CHIP_UNIT_PGRAPH, 0x0072);
    assert_true(engine_rig_bind(&rig, id, 1, 0x0043));
    send(&rig, id, 0, 0x180, 2);
    send(&rig, id, 0, 0x104, 1);
    send(&rig, id, 1, 0x300, 1);
    send(&rig, id, 0, 0x300, 3);
    send(&rig, id, 0, 0x104, 1);
    assert_true(engine_rig_bind(&rig, id, 0, 0x0072));
    send(&rig, id, 0, 0x300, 5);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 0);
    send(&rig, id, 0, 0x104, 0); /* so this is not the second one */
    send(&rig, id, 0, 0x300, 7);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 1);
    assert_int_equal(rig.interrupts, 0);
    engine_rig_stop(&rig);
}

static void notify_from_gf100_on_fires_at_once(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x902d);
    send(&rig, id, 0, 0x104, 0, 0x1000, 1);
    assert_int_equal(engine_rig_rd64(&rig, 0x1000), ENGINE_RIG_TIME);
    assert_event(&rig, EVENT_ENGINE_FENCE, 0, "notifier", 0x1000, 0);
    assert_int_equal(rig.interrupts, 1);
    send(&rig, id, 0, 0x10c, 0);
    assert_int_equal(rig.interrupts, 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 2);
    engine_rig_stop(&rig);
}

static void a_notifier_that_faults_wakes_nobody(void **state) {
    (void)state;
    struct engine_rig rig;
    unsigned id = start(&rig, "GF100", CHIP_UNIT_PGRAPH, 0x902d);
    send(&rig, id, 0, 0x104, 0, ENGINE_RIG_LIMIT, 1);
    assert_int_equal(rig.faults, 1);
    assert_int_equal(rig.interrupts, 0);
    engine_rig_stop(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curie_fence_is_a_word_in_its_dma_object),
        cmocka_unit_test(curie_query_clears_the_status_that_drivers_wait_for),
        cmocka_unit_test(curie_has_a_fence_for_textures),
        cmocka_unit_test(kelvin_has_fences_and_queries_too),
        cmocka_unit_test(a_fault_is_reported_and_raised),
        cmocka_unit_test(tesla_query_is_in_its_dma_object),
        cmocka_unit_test(tesla_compute_query_is_at_its_own_methods),
        cmocka_unit_test(reports_release_short_and_long),
        cmocka_unit_test(a_report_may_name_any_place_of_the_pipeline),
        cmocka_unit_test(report_addresses_are_as_wide_as_the_class),
        cmocka_unit_test(counters_report_zero_in_their_layout),
        cmocka_unit_test(reductions_combine_with_memory),
        cmocka_unit_test(there_are_no_reductions_before_kepler),
        cmocka_unit_test(a_reduction_that_cannot_read_faults),
        cmocka_unit_test(acquire_stalls_until_memory_fits),
        cmocka_unit_test(acquire_does_not_wait_after_a_fault),
        cmocka_unit_test(trap_only_interrupts_and_awaken_also_does),
        cmocka_unit_test(a_report_that_faults_awakens_nobody),
        cmocka_unit_test(compute_releases_and_traps),
        cmocka_unit_test(a_reduction_without_a_format_is_not_executed),
        cmocka_unit_test(notify_fires_after_the_next_method),
        cmocka_unit_test(notify_awakens_and_refuses_nonsense),
        cmocka_unit_test(notify_needs_a_dma_object),
        cmocka_unit_test(what_is_volatile_ends_with_the_notifier),
        cmocka_unit_test(notify_and_an_effect_both_happen),
        cmocka_unit_test(notify_waits_with_the_method_that_stalls),
        cmocka_unit_test(notify_is_forgotten_with_its_subchannel),
        cmocka_unit_test(notify_from_gf100_on_fires_at_once),
        cmocka_unit_test(a_notifier_that_faults_wakes_nobody),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
