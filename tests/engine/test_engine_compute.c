/* SPDX-License-Identifier: MIT */
/* Launches of grids from QMDs of each version. From registers: test_engine_compute_registers.c. */
#include "check.h"

#define QMD 0x2000u

static struct engine_rig rig;

struct release_at {
    unsigned enable, address, payload;
};

/* Where the fields of a version are: bits, as the headers number them. */
struct version {
    const char *chip;
    uint32_t object_class;
    uint32_t number; /* major, minor */
    const char *form;
    unsigned grid[3], threads[3];
    unsigned program, program_high; /* 0: an offset */
    struct release_at release[3];
    unsigned one_word[3]; /* bit of the structure's size */
};

#define KEPLER                                                                                                         \
    {384, 416, 432}, {592, 608, 624}, 256, 0, {{202, 736, 800}, {203, 832, 896}}, {                                    \
        799, 895                                                                                                       \
    }
#define PASCAL {384, 416, 448}, {592, 608, 624}, 256, 0
#define TURING                                                                                                         \
    {384, 416, 448}, {592, 608, 624}, 1536, 1568, {{138, 736, 800}, {139, 832, 896}}, {                                \
        799, 895                                                                                                       \
    }
#define AMPERE                                                                                                         \
    {384, 416, 448}, {592, 608, 624}, 1536, 1568, {{823, 768, 832}, {951, 896, 960}, {1719, 1664, 1728}}, {            \
        830, 958, 1726                                                                                                 \
    }

static const struct version versions[] = {
    {"GK104", 0xa0c0, 0x06, "QMD 0.6", KEPLER},
    {"GK104", 0xa0c0, 0x16, "QMD 1.6", KEPLER},
    {"GK110", 0xa1c0, 0x17, "QMD 1.7", KEPLER},
    {"GM107", 0xb0c0, 0x06, "QMD 0.6", KEPLER},
    {"GM20B", 0xb1c0, 0x17, "QMD 1.7", KEPLER},
    {"GP100", 0xc0c0, 0x17, "QMD 1.7", KEPLER},
    {"GP102", 0xc1c0, 0x20, "QMD 2.0", PASCAL, {{202, 736, 800}, {203, 832, 896}}, {799, 895}},
    {"GP102", 0xc1c0, 0x21, "QMD 2.1", PASCAL, {{138, 736, 800}, {139, 832, 896}}, {799, 895}},
    {"GV100", 0xc3c0, 0x22, "QMD 2.2", TURING},
    {"TU102", 0xc5c0, 0x23, "QMD 2.3", TURING},
    {"GA100", 0xc6c0, 0x24, "QMD 2.4", TURING},
    {"GA100", 0xc6c0, 0x30, "QMD 3.0", AMPERE},
    {"GA102", 0xc7c0, 0x30, "QMD 3.0", AMPERE},
    {"GH100",
     0xcbc0,
     0x40,
     "QMD 4.0",
     {1024, 1056, 1088},
     {1152, 1168, 1184},
     1216,
     1248,
     {{320, 640, 704}, {336, 768, 832}, {352, 896, 960}},
     {321, 337, 353}},
    {"GK104", 0xa0c0, 0x00, "QMD 0.0", KEPLER},
    {"GM107", 0xb0c0, 0x00, "QMD 0.0", KEPLER},
    {"GP102", 0xc1c0, 0x00, "QMD 0.0", PASCAL, {{138, 736, 800}, {139, 832, 896}}, {799, 895}},
};

#define VERSIONS (sizeof versions / sizeof versions[0])

static void set(unsigned bit, unsigned width, uint32_t value) {
    for (unsigned i = 0; i < width; i++) {
        uint64_t at = QMD + (bit + i) / 32 * 4;
        uint32_t mask = 1u << (bit + i) % 32, word = engine_rig_rd32(&rig, at);
        engine_rig_wr32(&rig, at, value >> i & 1 ? word | mask : word & ~mask);
    }
}

/* A grid of 70000 x 3 x 2 blocks of 8 x 4 x 2 threads. */
static unsigned start_grid(const struct version *v) {
    unsigned id = start(&rig, v->chip, CHIP_UNIT_PGRAPH, v->object_class);
    set(576, 8, v->number);
    set(v->grid[0], 32, 70000);
    set(v->grid[1], 16, 3);
    set(v->grid[2], 16, 2);
    set(v->threads[0], 16, 8);
    set(v->threads[1], 16, 4);
    set(v->threads[2], 16, 2);
    set(v->program, 32, 0x500);
    if (v->program_high)
        set(v->program_high, 8, 0x12);
    if (v->number >= 0x40)
        set(23, 3, 2); /* a grid of blocks */
    send(&rig, id, 0, 0x1608, 3, 0x1000);
    send(&rig, id, 0, 0x2b4, QMD >> 8);
    return id;
}

/* Versions whose programs are executed, and what ends one: of all that is not taken for a word of the scheduler. */
static uint64_t exit_of(const struct version *v) {
    return v->object_class < 0xa1c0   ? UINT64_C(0x8000000000001de7)
           : v->object_class < 0xb0c0 ? UINT64_C(0x18000000001c003c)
                                      : UINT64_C(0xe30000000007000f);
}

static bool is_executed(const struct version *v) {
    return v->object_class < 0xc3c0;
}

/* The same, but three blocks, whose program ends at once. */
static unsigned start_small_grid(const struct version *v) {
    unsigned id = start_grid(v);
    set(v->grid[0], 32, 3);
    set(v->grid[1], 16, 1);
    set(v->grid[2], 16, 1);
    if (!is_executed(v))
        return id;
    send(&rig, id, 0, 0x1608, 0, 0x1000);
    for (uint32_t at = 0x1500; at < 0x1540; at += 8) {
        engine_rig_wr32(&rig, at, (uint32_t)exit_of(v));
        engine_rig_wr32(&rig, at + 4, (uint32_t)(exit_of(v) >> 32));
    }
    return id;
}

static void assert_launch(const struct version *v, unsigned nth, uint32_t method) {
    const struct engine_rig_event *event = engine_rig_event(&rig, EVENT_ENGINE_LAUNCH, nth);
    const uint64_t program = v->program_high ? UINT64_C(0x1200000500) : UINT64_C(0x300001500);
    const uint64_t expected[] = {v->object_class, method, program, QMD, 70000, 3, 2, 8, 4, 2};
    assert_non_null(event);
    assert_string_equal(event->text, v->form);
    for (unsigned i = 0; i < sizeof expected / sizeof expected[0]; i++)
        assert_int_equal(event->value[i], expected[i]);
}

static void every_version_of_qmd_is_decoded(void **state) {
    (void)state;
    for (size_t i = 0; i < VERSIONS; i++) {
        unsigned id = start_grid(&versions[i]);
        send(&rig, id, 0, 0x2bc, 1); /* caches forget it */
        assert_int_equal(rig.events, 0);
        send(&rig, id, 0, 0x2bc, 3);
        assert_launch(&versions[i], 0, 0x2bc);
        if (!is_executed(&versions[i]))
            assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, "kernel", versions[i].object_class, 0x2bc);
        else
            assert_event(&rig, EVENT_ENGINE_READ, 0, "QMD", versions[i].object_class, 0x2bc);
        assert_int_equal(rig.faults, is_executed(&versions[i])); /* there is no program */
        /* engine.launched, without a block, and what it has read */
        assert_int_equal(rig.events, is_executed(&versions[i]) ? 4 : 2);
        engine_rig_stop(&rig);
    }
}

static void semaphores_of_a_qmd_are_released(void **state) {
    (void)state;
    for (size_t i = 0; i < VERSIONS; i++) {
        const struct version *v = &versions[i];
        for (unsigned n = 0; n < 3 && v->release[n].enable; n++) {
            unsigned id = start_small_grid(v);
            engine_rig_wr32(&rig, 0x4008, 0x55);
            set(v->release[n].enable, 1, 1);
            set(v->release[n].address, 32, 0x4000);
            set(v->release[n].payload, 32, 0x77 + n);
            send(&rig, id, 0, 0x2bc, 2);
            assert_int_equal(engine_rig_rd64(&rig, 0x4000), 0x77 + n);
            assert_int_equal(engine_rig_rd64(&rig, 0x4008), ENGINE_RIG_TIME);
            engine_rig_wr32(&rig, 0x4008, 0x55);
            set(v->one_word[n], 1, 1);
            send(&rig, id, 0, 0x2bc, 2);
            assert_int_equal(engine_rig_rd32(&rig, 0x4008), 0x55);
            assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_FENCE), 2);
            assert_event(&rig, EVENT_ENGINE_FENCE, 1, "semaphore", 0x4000, 0x77 + n);
            engine_rig_stop(&rig);
        }
    }
}

static void a_release_may_combine_with_memory(void **state) {
    (void)state;
    static const struct {
        const struct version *version;
        unsigned enable, operation, format;
    } cases[] = {{&versions[4], 794, 788, 792},
                 {&versions[8], 794, 788, 792},
                 {&versions[11], 826, 820, 824},
                 {&versions[13], 324, 325, 328}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct version *v = cases[i].version;
        unsigned id = start_small_grid(v);
        engine_rig_wr32(&rig, 0x4000, 5);
        set(v->release[0].enable, 1, 1);
        set(v->release[0].address, 32, 0x4000);
        set(v->release[0].payload, 32, 0xfffffffe);
        set(v->one_word[0], 1, 1);
        set(cases[i].enable, 1, 1);
        set(cases[i].operation, 3, 1); /* the smaller one */
        send(&rig, id, 0, 0x2bc, 2);
        assert_int_equal(engine_rig_rd32(&rig, 0x4000), 5);
        set(cases[i].format, 2, 1); /* with signs */
        send(&rig, id, 0, 0x2bc, 2);
        assert_int_equal(engine_rig_rd32(&rig, 0x4000), 0xfffffffe);
        set(cases[i].format, 2, 2);
        send(&rig, id, 0, 0x2bc, 2);
        assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, is_executed(v) ? 0 : 3, "reduction", v->object_class, 0x2bc);
        engine_rig_stop(&rig);
    }
}

static void a_release_may_combine_64_bits(void **state) {
    (void)state;
    static const struct {
        const struct version *version;
        unsigned enable, operation, format, is_64;
    } cases[] = {{&versions[11], 826, 820, 824, 829}, {&versions[13], 324, 325, 328, 332}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct version *v = cases[i].version;
        unsigned id = start_grid(v);
        engine_rig_wr32(&rig, 0x4000, 2);
        set(v->release[0].enable, 1, 1);
        set(v->release[0].address, 32, 0x4000);
        set(v->release[0].payload, 32, 0xfffffffe);
        set(v->release[0].payload + 32, 32, 0xffffffff);
        set(v->one_word[0], 1, 1);
        set(cases[i].enable, 1, 1);
        set(cases[i].is_64, 1, 1);
        set(cases[i].operation, 3, 2); /* the greater one */
        set(cases[i].format, 2, 1);    /* with signs */
        send(&rig, id, 0, 0x2bc, 2);
        assert_int_equal(engine_rig_rd64(&rig, 0x4000), 2);
        set(cases[i].operation, 3, 0);
        send(&rig, id, 0, 0x2bc, 2);
        assert_int_equal(engine_rig_rd64(&rig, 0x4000), 0);
        send(&rig, id, 0, 0x2bc, 2);
        assert_int_equal(engine_rig_rd64(&rig, 0x4000), UINT64_MAX - 1);
        assert_int_equal(engine_rig_rd64(&rig, 0x4008), 0);
        engine_rig_stop(&rig);
    }
}

static void payloads_have_64_bits_from_version_3_on(void **state) {
    (void)state;
    static const struct {
        const struct version *version;
        unsigned is_64, trap;
    } cases[] = {{&versions[11], 829, 827}, {&versions[13], 332, 330}};
    for (size_t i = 0; i < 2; i++) {
        const struct version *v = cases[i].version;
        unsigned id = start_grid(v);
        set(v->release[0].enable, 1, 1);
        set(v->release[0].address, 32, 0x4000);
        set(v->release[0].payload, 32, 1);
        set(v->release[0].payload + 32, 32, 2);
        set(v->one_word[0], 1, 1);
        send(&rig, id, 0, 0x2bc, 2);
        assert_int_equal(engine_rig_rd64(&rig, 0x4000), 1);
        set(cases[i].is_64, 1, 1);
        send(&rig, id, 0, 0x2bc, 2);
        assert_int_equal(engine_rig_rd64(&rig, 0x4000), UINT64_C(0x200000001));
        assert_int_equal(rig.interrupts, 0);
        for (uint32_t trap = 1; trap < 4; trap++) {
            set(cases[i].trap, 2, trap);
            send(&rig, id, 0, 0x2bc, 2);
            assert_int_equal(rig.interrupts, trap);
        }
        assert_event(&rig, EVENT_ENGINE_INTERRUPT, 0, "QMD", v->object_class, 0x2bc);
        engine_rig_stop(&rig);
    }
}

static void a_release_that_faults_does_not_trap(void **state) {
    (void)state;
    const struct version *v = &versions[11];
    unsigned id = start_grid(v);
    set(v->release[0].enable, 1, 1);
    set(v->release[0].address, 32, ENGINE_RIG_LIMIT);
    set(827, 2, 1);
    send(&rig, id, 0, 0x2bc, 2);
    assert_int_equal(rig.faults, 1);
    assert_int_equal(rig.interrupts, 0);
    engine_rig_stop(&rig);
}

static void a_version_of_another_class_is_refused(void **state) {
    (void)state;
    static const struct {
        unsigned version;
        uint32_t number;
    } cases[] = {{0, 0x20}, {4, 0x16}, {4, 0x21}, {7, 0x06}, {7, 0x22}, {9, 0x22}, {12, 0x40}, {13, 0x24}, {4, 0xff}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct version *v = &versions[cases[i].version];
        unsigned id = start_grid(v);
        set(576, 8, cases[i].number);
        send(&rig, id, 0, 0x2bc, 2);
        assert_event(&rig, EVENT_ENGINE_ERROR, 0, "QMD_VERSION", v->object_class, 0x2bc);
        assert_int_equal(rig.events, 1);
        engine_rig_stop(&rig);
    }
}

static void blocks_must_have_threads_but_not_too_many(void **state) {
    (void)state;
    static const struct {
        uint32_t threads[3];
        const char *error;
    } cases[] = {{{0, 1, 1}, "CTA_THREAD_DIMENSION_ZERO"},
                 {{1, 0, 1}, "CTA_THREAD_DIMENSION_ZERO"},
                 {{1, 1, 0}, "CTA_THREAD_DIMENSION_ZERO"},
                 {{1024, 1, 1}, NULL},
                 {{32, 32, 1}, NULL},
                 {{1025, 1, 1}, "TOTAL_THREADS"},
                 {{0xffff, 0xffff, 0xffff}, "TOTAL_THREADS"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct version *v = &versions[4];
        unsigned id = start_small_grid(v);
        set(v->release[0].enable, 1, 1);
        set(v->release[0].address, 32, 0x4000);
        set(v->release[0].payload, 32, 7);
        for (unsigned n = 0; n < 3; n++)
            set(v->threads[n], 16, cases[i].threads[n]);
        send(&rig, id, 0, 0x2bc, 2);
        if (cases[i].error)
            assert_event(&rig, EVENT_ENGINE_ERROR, 0, cases[i].error, v->object_class, 0x2bc);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_LAUNCH), !cases[i].error);
        assert_int_equal(engine_rig_rd32(&rig, 0x4000), cases[i].error ? 0 : 7);
        engine_rig_stop(&rig);
    }
}

static void a_grid_without_blocks_is_done_at_once(void **state) {
    (void)state;
    unsigned id = start_grid(&versions[4]);
    set(384, 32, 0);
    send(&rig, id, 0, 0x2bc, 2);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_LAUNCH), 1);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED), 0);
    engine_rig_stop(&rig);
}

static void queues_and_dependents_are_told(void **state) {
    (void)state;
    static const struct {
        unsigned version, bit;
        const char *work;
        bool launches;
    } cases[] = {{4, 200, "queue of grids", false}, {4, 205, "queue of grids", true},
                 {7, 136, "queue of grids", false}, {7, 141, "queue of grids", true},
                 {10, 146, "dependent grid", true}, {11, 512, "dependent grid", true},
                 {12, 517, "dependent grid", true}, {13, 368, "dependent grid", true},
                 {13, 373, "dependent grid", true}, {0, 200, NULL, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct version *v = &versions[cases[i].version];
        unsigned id = start_small_grid(v);
        set(cases[i].bit, 1, 1);
        send(&rig, id, 0, 0x2bc, 2);
        unsigned count = engine_rig_count(&rig, EVENT_ENGINE_NOT_EXECUTED);
        assert_int_equal(count > 0, cases[i].work != NULL);
        if (count)
            assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, count - 1, cases[i].work, v->object_class, 0x2bc);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_LAUNCH), cases[i].launches);
        engine_rig_stop(&rig);
    }
    unsigned id = start_grid(&versions[13]);
    set(23, 3, 0);
    send(&rig, id, 0, 0x2bc, 2);
    assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, "queue of grids", 0xcbc0, 0x2bc);
    set(23, 3, 1); /* nothing but its semaphores */
    set(320, 1, 1);
    set(640, 32, 0x4000);
    set(704, 32, 9);
    send(&rig, id, 0, 0x2bc, 2);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_LAUNCH), 0);
    assert_int_equal(engine_rig_rd32(&rig, 0x4000), 9);
    engine_rig_stop(&rig);
}

static void a_qmd_that_is_not_there_is_a_fault(void **state) {
    (void)state;
    for (size_t i = 0; i < VERSIONS; i++) {
        unsigned id = start_grid(&versions[i]);
        send(&rig, id, 0, 0x2b4, ENGINE_RIG_LIMIT >> 8);
        send(&rig, id, 0, 0x2bc, 3);
        assert_int_equal(rig.faults, 1);
        send(&rig, id, 0, 0x2b4, 0xffffffff);
        send(&rig, id, 0, 0x2bc, 3);
        assert_int_equal(rig.faults, 2);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_LAUNCH), 0);
        engine_rig_stop(&rig);
    }
    unsigned id = start_grid(&versions[13]); /* 384 bytes, of which the last 128 are missing */
    engine_rig_wr32(&rig, ENGINE_RIG_LIMIT - 256 + 576 / 8, 0x40);
    send(&rig, id, 0, 0x2b4, (ENGINE_RIG_LIMIT - 256) >> 8);
    send(&rig, id, 0, 0x2bc, 3);
    assert_int_equal(rig.faults, 1);
    engine_rig_stop(&rig);
}

static void a_condition_may_forbid_a_launch(void **state) {
    (void)state;
    static const struct {
        uint32_t method, value;
        bool launches;
    } cases[] = {{0x1558, 0, false}, {0x1558, 1, true}, {0x138, 0, false}, {0x1944, 2, false}, {0x1944, 1, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        unsigned id = start_grid(&versions[4]);
        send(&rig, id, 0, cases[i].method, cases[i].value);
        send(&rig, id, 0, 0x2bc, 2);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_LAUNCH), cases[i].launches);
        engine_rig_stop(&rig);
    }
}

static void actions_of_ga100_launch_or_not(void **state) {
    (void)state;
    static const bool launches[16] = {[2] = true, [3] = true, [9] = true, [10] = true};
    static const bool silent[16] = {[0] = true, [1] = true, [8] = true};
    for (uint32_t action = 0; action < 16; action++) {
        unsigned id = start_grid(&versions[11]);
        send(&rig, id, 0, 0x2c0, action);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_LAUNCH), launches[action]);
        assert_int_equal(rig.events == 0, silent[action]);
        if (launches[action])
            assert_launch(&versions[11], 0, 0x2c0);
        else if (!silent[action])
            assert_event(&rig, EVENT_ENGINE_NOT_EXECUTED, 0, "dependence of grids", 0xc6c0, 0x2c0);
        engine_rig_stop(&rig);
    }
}

/* Version 3 ends where the memory does. */
static void a_short_qmd_of_hopper_has_no_more_words(void **state) {
    (void)state;
    struct version short_one = versions[11];
    short_one.chip = "GH100";
    short_one.object_class = 0xcbc0;
    unsigned id = start_grid(&short_one);
    for (uint32_t at = 0; at < 256; at += 4)
        engine_rig_wr32(&rig, ENGINE_RIG_LIMIT - 256 + at, engine_rig_rd32(&rig, QMD + at));
    send(&rig, id, 0, 0x2b4, (ENGINE_RIG_LIMIT - 256) >> 8);
    send(&rig, id, 0, 0x2bc, 2);
    assert_int_equal(rig.faults, 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_LAUNCH), 1);
    engine_rig_stop(&rig);
}

/* The QMD comes in the stream, goes to memory, and is launched with its last word. */
static void inline_qmds_are_written_to_memory_and_launched(void **state) {
    (void)state;
    static const struct {
        unsigned version;
        uint32_t words, size;
    } cases[] = {{7, 64, 0}, {9, 64, 0}, {12, 64, 0}, {13, 96, 1u << 30}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct version *v = &versions[cases[i].version];
        uint32_t words[96], last = cases[i].words - 1;
        unsigned id = start_grid(v);
        for (uint32_t w = 0; w < 96; w++)
            words[w] = engine_rig_rd32(&rig, QMD + 4 * w);
        send(&rig, id, 0, 0x318, cases[i].size, 0x30);
        sent(&rig, id, 0, 0x320, 4, words, last);
        assert_int_equal(rig.events, 0);
        words[last] = 0x12345678;
        sent(&rig, id, 0, 0x320 + 4 * last, 4, words + last, 96 - last);
        assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_LAUNCH), 1);
        assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_LAUNCH, 0)->value[3], 0x3000);
        assert_int_equal(engine_rig_event(&rig, EVENT_ENGINE_LAUNCH, 0)->value[4], 70000);
        for (uint32_t w = 0; w < 96; w++)
            assert_int_equal(engine_rig_rd32(&rig, 0x3000 + 4 * w), w <= last ? words[w] : 0);
        engine_rig_stop(&rig);
    }
}

/* The size is said with the address. */
static void an_inline_qmd_of_hopper_has_either_size(void **state) {
    (void)state;
    struct version short_one = versions[11];
    uint32_t words[96] = {0};
    short_one.chip = "GH100";
    short_one.object_class = 0xcbc0;
    unsigned id = start_grid(&short_one);
    for (uint32_t w = 0; w < 64; w++)
        words[w] = engine_rig_rd32(&rig, QMD + 4 * w);
    words[64] = 5;
    send(&rig, id, 0, 0x318, 0, 0x30);
    sent(&rig, id, 0, 0x320, 4, words, 96);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_LAUNCH), 1);
    assert_int_equal(engine_rig_rd32(&rig, 0x3000 + 256), 0);
    engine_rig_stop(&rig);
}

/* A word that is not written launches nothing. */
static void an_inline_qmd_without_memory_is_a_fault(void **state) {
    (void)state;
    unsigned id = start_grid(&versions[12]);
    send(&rig, id, 0, 0x318, 1);
    send(&rig, id, 0, 0x320, 1);
    assert_int_equal(rig.faults, 1);
    send(&rig, id, 0, 0x320 + 252, 1);
    assert_int_equal(rig.faults, 2);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_ERROR), 0);
    assert_int_equal(engine_rig_count(&rig, EVENT_ENGINE_LAUNCH), 0);
    engine_rig_stop(&rig);
}

/* ---- from registers ---- */

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_version_of_qmd_is_decoded),
        cmocka_unit_test(semaphores_of_a_qmd_are_released),
        cmocka_unit_test(a_release_may_combine_with_memory),
        cmocka_unit_test(a_release_may_combine_64_bits),
        cmocka_unit_test(a_release_that_faults_does_not_trap),
        cmocka_unit_test(payloads_have_64_bits_from_version_3_on),
        cmocka_unit_test(a_version_of_another_class_is_refused),
        cmocka_unit_test(blocks_must_have_threads_but_not_too_many),
        cmocka_unit_test(a_grid_without_blocks_is_done_at_once),
        cmocka_unit_test(queues_and_dependents_are_told),
        cmocka_unit_test(a_qmd_that_is_not_there_is_a_fault),
        cmocka_unit_test(a_condition_may_forbid_a_launch),
        cmocka_unit_test(actions_of_ga100_launch_or_not),
        cmocka_unit_test(a_short_qmd_of_hopper_has_no_more_words),
        cmocka_unit_test(inline_qmds_are_written_to_memory_and_launched),
        cmocka_unit_test(an_inline_qmd_of_hopper_has_either_size),
        cmocka_unit_test(an_inline_qmd_without_memory_is_a_fault),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
