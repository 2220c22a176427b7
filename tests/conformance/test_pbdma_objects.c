/* SPDX-License-Identifier: MIT */
/*
 * SET_OBJECT and subchannels: Fermi names the engine, later chips know it from runlist and subchannel.
 *
 * Sources: envytools docs/hw/fifo/intro.rst, rnndb/fifo/gf100_pfifo.xml; open-gpu-doc manuals/volta/gv100/
 * dev_pbdma.ref.txt, dev_ram.ref.txt.
 */
#include "conformance/pbdma.h"

static struct machine m;

#define SOFTWARE 0x1fu

/* ---- GF100:GK104 ---- */

/* Engine ids that exist; a copy engine less on GF117 and GF119. */
static const struct {
    const char *chip;
    uint32_t engines;
} fermis[] = {{"GF100", 0x3f}, {"GF108", 0x3f}, {"GF110", 0x3f}, {"GF119", 0x1f}, {"GF117", 0x1f}};

static void start_fermi(size_t i) {
    start(&m, &(struct channel_class){fermis[i].chip, C906F});
}

static void fermi_binds_a_subchannel_to_the_engine_that_the_object_names(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(fermis); i++)
        for (uint32_t engine = 0; engine < 8; engine++) {
            if (!(fermis[i].engines >> engine & 1))
                continue;
            uint32_t s = (engine + 3) % 8;
            start_fermi(i);
            PUSH(&m, 1, INC(s, 0, 1), engine << 16 | 0x90b5, IMMD(s, 0x100, 7));
            assert_int_equal(run(&m), PFIFO_STOP_IDLE);
            assert_int_equal(m.bind_count, 1);
            assert_int_equal(m.binds[0].engine, engine);
            assert_int_equal(m.binds[0].subchannel, s);
            assert_int_equal(m.binds[0].method, 0x90b5);
            EXPECT_METHODS(&m, {0x100, 7});
            assert_int_equal(m.methods[0].engine, engine);
            uint64_t words = ramfc(&m, 1, 0xa4) | (uint64_t)ramfc(&m, 1, 0xa8) << 32;
            for (uint32_t other = 0; other < 8; other++)
                assert_int_equal(words >> 8 * other & 0xff, other == s ? engine : SOFTWARE);
            assert_int_equal(ramfc(&m, 1, 0xac) & 0x1f, engine);
            machine_free(&m);
        }
}

static void fermi_refuses_engines_that_it_does_not_have(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(fermis); i++) {
        start_fermi(i);
        for (uint32_t engine = 0; engine < SOFTWARE; engine++) {
            if (fermis[i].engines >> engine & 1)
                continue;
            PUSH(&m, 1, INC(2, 0, 1), engine << 16 | 0x90b5);
            assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
            assert_int_equal(intr_0(&m), INTR_METHOD);
            expect_method0(&m, fermis[i].chip, 2, 0, engine << 16 | 0x90b5);
            assert_int_equal(pb(&m, 0, 0xa4), 0x1f1f1f1f);
            skip_method(&m);
            assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        }
        assert_int_equal(m.bind_count, 0);
        machine_free(&m);
    }
}

/* The driver gets the object and every method of the subchannel; 0x1f is also what a channel begins with. */
static void engine_1f_is_the_driver(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(fermis); i++) {
        start_fermi(i);
        PUSH(&m, 1, INC(5, 0x200, 1), 1, INC(5, 0, 1), SOFTWARE << 16 | 0x906e, INC(5, 0x500, 2), 2, 3,
             IMMD(5, 0x50, 4));
        static const uint32_t methods[][2] = {{0x200, 1}, {0, SOFTWARE << 16 | 0x906e}, {0x500, 2}, {0x504, 3}};
        for (size_t k = 0; k < COUNT_OF(methods); k++) {
            assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
            assert_int_equal(intr_0(&m), INTR_DEVICE);
            expect_method0(&m, fermis[i].chip, 5, methods[k][0], methods[k][1]);
            skip_method(&m);
        }
        assert_int_equal(run(&m), PFIFO_STOP_IDLE); /* a host method needs no engine */
        assert_int_equal(ramfc(&m, 1, 0x28), 4);
        assert_int_equal(m.method_count, 0);
        machine_free(&m);
    }
}

static void fermi_waits_for_the_old_engine_before_it_turns_to_another(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(fermis); i++) {
        start_fermi(i);
        PUSH(&m, 1, INC(0, 0, 1), 0x9097, IMMD(0, 0x100, 1), INC(1, 0, 1), 0x490b5, IMMD(1, 0x104, 2));
        m.busy = true;
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        expect_method0(&m, fermis[i].chip, 1, 0, 0x490b5);
        assert_int_equal(m.bind_count, 1);
        m.busy = false;
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        EXPECT_METHODS(&m, {0x100, 1}, {0x104, 2});
        machine_free(&m);
    }
}

/* ---- GK104 and later ---- */

/* Runlist of a unit, and its engine id, by the topology table; the copy engine of graphics channels has none. */
static const struct {
    const char *chip;
    uint32_t list, engine, copy; /* copy: engine of subchannel 4 */
    bool checks;                 /* a copy engine */
} lists[] = {
    {"GK104", 0, 0, 7, false}, {"GK104", 1, 1, 1, false}, {"GK104", 4, 4, 4, true}, {"GK104", 5, 5, 5, true},
    {"GK110", 0, 0, 7, false}, {"GK208", 0, 0, 6, false}, {"GK208", 4, 4, 4, true}, {"GK20A", 0, 0, 1, false},
    {"GM107", 0, 0, 5, false}, {"GM107", 1, 1, 1, false}, {"GM107", 4, 4, 4, true}, {"GM204", 0, 0, 5, false},
    {"GM20B", 0, 0, 1, false}, {"GP102", 0, 0, 6, false},
};

/* The PBDMA that a runlist is served by: drivers read this from PBDMA_MAP. */
static unsigned server_of(uint32_t list) {
    for (unsigned i = 0; i < 8; i++)
        if (reg(&m, 0x2390 + 4 * i) >> list & 1)
            return i;
    return 0;
}

static void start_list(size_t i) {
    machine_init(&m, lists[i].chip);
    channel_new(&m, 1, lists[i].list);
    RUNLIST(&m, lists[i].list, 1);
}

static void runlist_and_subchannel_decide_and_the_engine_field_does_not(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lists); i++)
        for (uint32_t field = 0; field < 32; field += 5) {
            start_list(i);
            for (uint32_t s = 0; s < 5; s++)
                PUSH(&m, 1, INC(s, 0, 1), field << 16 | (0xa000 + s), IMMD(s, 0x100 + 4 * s, s));
            assert_int_equal(run(&m), PFIFO_STOP_IDLE);
            assert_int_equal(m.bind_count, 5);
            assert_int_equal(m.method_count, 5);
            for (uint32_t s = 0; s < 5; s++) {
                assert_int_equal(m.binds[s].engine, s == 4 ? lists[i].copy : lists[i].engine);
                assert_int_equal(m.binds[s].method, 0xa000 + s);
                assert_int_equal(m.methods[s].engine, m.binds[s].engine);
            }
            machine_free(&m);
        }
}

/* An object is not needed at all. */
static void methods_reach_the_engine_without_an_object(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        start_list(i);
        PUSH(&m, 1, IMMD(2, 0x100, 1), IMMD(4, 0x104, 2));
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        EXPECT_METHODS(&m, {0x100, 1}, {0x104, 2});
        assert_int_equal(m.methods[0].engine, lists[i].engine);
        assert_int_equal(m.methods[1].engine, lists[i].copy);
        machine_free(&m);
    }
}

static void subchannels_five_to_seven_are_the_drivers(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        start_list(i);
        unsigned server = server_of(lists[i].list);
        for (uint32_t s = 5; s < 8; s++) {
            PUSH(&m, 1, INC(s, 0, 1), 0xa0b5, IMMD(s, 0x100, 3), IMMD(s, 0x50, s));
            for (uint32_t method = 0; method <= 0x100; method += 0x100) {
                assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
                assert_int_equal(pb(&m, server, 0x108), INTR_DEVICE);
                assert_int_equal(pb(&m, server, 0xc0) & 0x80073ffc, 0x80000000 | s << 16 | method);
                assert_int_equal(pb(&m, server, 0xc4), method ? 3 : 0xa0b5);
                set_pb(&m, server, 0xc0, SKIPPED);
                set_pb(&m, server, 0x108, INTR_DEVICE);
            }
            assert_int_equal(run(&m), PFIFO_STOP_IDLE);
            assert_int_equal(ramfc(&m, 1, 0x28), s);
        }
        assert_int_equal(m.method_count + m.bind_count, 0);
        machine_free(&m);
    }
}

/* HCE_ILLEGAL_CLASS in INTR_1, method and data in HCE_DBG; others get the class as method 0 or ignore it. */
static void only_copy_engines_check_the_class(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        start_list(i);
        unsigned server = server_of(lists[i].list);
        m.refuse_class = 0xdead;
        PUSH(&m, 1, INC(1, 0, 1), 0xdead, IMMD(1, 0x100, 3));
        enum pfifo_stop stop = run(&m);
        if (!lists[i].checks) {
            assert_int_equal(stop, PFIFO_STOP_IDLE);
            assert_int_equal(pb(&m, server, 0x148), 0);
            EXPECT_METHODS(&m, {0x100, 3});
        } else {
            assert_int_equal(stop, PFIFO_STOP_INTERRUPT);
            assert_int_equal(pb(&m, server, 0x148), 1 << 4);
            assert_int_equal(pb(&m, server, 0x108), 0);
            assert_int_equal(pb(&m, server, 0x150) & 0x73ffc, 1 << 16);
            assert_int_equal(pb(&m, server, 0x154), 0xdead);
            assert_int_equal(reg(&m, 0x25a0), 1 << server);
            assert_int_equal(m.method_count, 0);
            set_pb(&m, server, 0x148, 1 << 4);
            assert_int_equal(run(&m), PFIFO_STOP_IDLE);
            EXPECT_METHODS(&m, {0x100, 3});
        }
        machine_free(&m);
    }
}

/* The copy engine behind subchannel 4 of a graphics channel checks, too. */
static void the_copy_engine_of_graphics_channels_checks_the_class(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        if (lists[i].copy == lists[i].engine)
            continue;
        start_list(i);
        m.refuse_class = 0xdead;
        PUSH(&m, 1, INC(4, 0, 1), 0xdead);
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        assert_int_equal(pb(&m, 0, 0x148), 1 << 4);
        machine_free(&m);
    }
}

/* From 0..3 to 4 and back another engine works: the old one has to be idle. Among 0..3 nothing waits. */
static void a_switch_to_subchannel_four_waits_for_the_old_engine(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        if (lists[i].copy == lists[i].engine)
            continue;
        start_list(i);
        m.busy = true;
        PUSH(&m, 1, IMMD(0, 0x100, 1), IMMD(1, 0x104, 2), IMMD(3, 0x108, 3), IMMD(4, 0x10c, 4));
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        assert_int_equal(m.method_count, 3);
        m.busy = false;
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        PUSH(&m, 1, IMMD(4, 0x100, 5), IMMD(2, 0x100, 6));
        m.busy = true;
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        assert_int_equal(m.method_count, 5);
        m.busy = false;
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(m.method_count, 6);
        machine_free(&m);
    }
}

/* ---- signature ---- */

static void a_channel_is_known_by_its_signature(void **state) {
    (void)state;
    static const uint32_t classes[] = {0x906f, 0xa06f, 0xa16f, 0xa26f, 0xb06f, 0xc06f};
    for (EACH_CHIP)
        for (size_t i = 0; i <= COUNT_OF(classes) + 1; i++) {
            uint32_t own = chip->host == TEGRA_X1 ? 4 : (uint32_t)__builtin_ctz(chip->host);
            uint32_t signature = i < COUNT_OF(classes) ? classes[i] : i == COUNT_OF(classes) ? 0x5555face : 0;
            bool good = i == own || i == COUNT_OF(classes);
            start(&m, chip);
            poke(&m, instance_of(1) + 0x10, signature);
            PUSH(&m, 1, IMMD(0, 0x50, 3));
            run_into(&m, chip, good ? 0 : INTR_SIGNATURE);
            if (!good) {
                set_pb(&m, 0, 0x10, 0xface);
                set_pb(&m, 0, 0x108, INTR_SIGNATURE);
                run_into(&m, chip, 0);
            }
            assert_int_equal(ramfc(&m, 1, 0x28), 3);
            machine_free(&m);
        }
}

#define TEST(function) cmocka_unit_test(function)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(fermi_binds_a_subchannel_to_the_engine_that_the_object_names),
        TEST(fermi_refuses_engines_that_it_does_not_have),
        TEST(engine_1f_is_the_driver),
        TEST(fermi_waits_for_the_old_engine_before_it_turns_to_another),
        TEST(runlist_and_subchannel_decide_and_the_engine_field_does_not),
        TEST(methods_reach_the_engine_without_an_object),
        TEST(subchannels_five_to_seven_are_the_drivers),
        TEST(only_copy_engines_check_the_class),
        TEST(the_copy_engine_of_graphics_channels_checks_the_class),
        TEST(a_switch_to_subchannel_four_waits_for_the_old_engine),
        TEST(a_channel_is_known_by_its_signature),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
