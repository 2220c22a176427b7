/* SPDX-License-Identifier: MIT */
/* FAULTED in ENG_STATE of GF100 and in ENGINE_STATUS of GK104: the engine's own, until ENG_FAULT is acknowledged. */
#include "machine.h"

static struct machine m;

static int teardown(void **state) {
    (void)state;
    machine_free(&m);
    return 0;
}

#define ENG_FAULT    0x262cu
#define FAULTED_OLD  (1u << 24)
#define FAULTED      (1u << 30)
#define INJECT(unit) (0x100u | (unit))

/* SET_OBJECT of the 2D class, which Fermi wants before the first method. */
#define BIND INC(0, 0, 1), 0x902d

static const struct row {
    const char *chip;
    uint32_t stride, faulted, channel; /* of the register per engine */
} rows[] = {
    {"GF100", 4, FAULTED_OLD, 0x7f}, {"GF119", 4, FAULTED_OLD, 0x7f}, {"GK104", 8, FAULTED, 0xfff},
    {"GK208", 8, FAULTED, 0xfff},    {"GM107", 8, FAULTED, 0xfff},
};

static uint32_t status_of(const struct row *row, unsigned engine) {
    return reg(&m, 0x2640 + row->stride * engine);
}

/* Channel 1 faults in PGRAPH, then channel 2 works there. */
static void fault_and_go_on(const struct row *row) {
    machine_init(&m, row->chip);
    m.fault_method = 0x104;
    channel_new(&m, 1, 0);
    channel_new(&m, 2, 0);
    PUSH(&m, 1, BIND, IMMD(0, 0x104, 1), IMMD(0, 0x108, 2));
    PUSH(&m, 2, BIND, IMMD(0, 0x100, 3));
    RUNLIST(&m, 0, 1, 2);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    EXPECT_METHODS(&m, {0x104, 1}, {0x100, 3});
}

/* What drivers of GK104 do first: they write CHANNEL as it reads, and a bit; that clears ENG_FAULTED. */
static void kill_channel(unsigned id) {
    if (m.chip->has_engine_in_object)
        channel_enable(&m, id, false);
    else
        set_reg(&m, 0x800004 + 8 * id, reg(&m, 0x800004 + 8 * id) | 0x800);
}

static void an_engine_stays_faulted_when_another_channel_is_on_it(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        fault_and_go_on(&rows[i]);
        assert_int_equal(status_of(&rows[i], 0) & rows[i].channel, 2);
        assert_int_equal(status_of(&rows[i], 0) & rows[i].faulted, rows[i].faulted);
        assert_int_equal(status_of(&rows[i], 1) & rows[i].faulted, 0);
        if (i + 1 < COUNT_OF(rows))
            machine_free(&m);
    }
}

static void an_engine_stays_faulted_when_its_channel_is_ended(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        fault_and_go_on(&rows[i]);
        kill_channel(1);
        kill_channel(2);
        set_reg(&m, 0x259c, 1);
        assert_int_equal(status_of(&rows[i], 0) & rows[i].faulted, rows[i].faulted);
        set_reg(&m, rows[i].stride == 4 ? 0x3008 : 0x800008, 0); /* unbound */
        set_reg(&m, rows[i].stride == 4 ? 0x3010 : 0x800010, 0);
        assert_int_equal(status_of(&rows[i], 0), rows[i].faulted); /* of no channel */
        if (i + 1 < COUNT_OF(rows))
            machine_free(&m);
    }
}

/* By the bit of the engine on GF100, of its runlist on GK104. */
static void an_engine_is_faulted_until_it_is_acknowledged(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        fault_and_go_on(&rows[i]);
        set_reg(&m, ENG_FAULT, ~1u);
        assert_int_equal(reg(&m, ENG_FAULT), 1);
        assert_int_equal(status_of(&rows[i], 0) & rows[i].faulted, rows[i].faulted);
        set_reg(&m, ENG_FAULT, 1);
        assert_int_equal(reg(&m, ENG_FAULT), 0);
        assert_int_equal(status_of(&rows[i], 0) & rows[i].faulted, 0);
        if (i + 1 < COUNT_OF(rows))
            machine_free(&m);
    }
}

/* Engine 7 of GK104 copies for subchannel 4 of PGRAPH's runlist, engine 4 has a runlist of its own. */
static void the_engines_of_a_runlist_are_acknowledged_together(void **state) {
    (void)state;
    const struct row *gk104 = &rows[2];
    machine_init(&m, gk104->chip);
    set_reg(&m, 0x2a30, INJECT(0x00));
    set_reg(&m, 0x2a30 + 4 * 7, INJECT(0x1b));
    set_reg(&m, 0x2a30 + 4 * 4, INJECT(0x15));
    for (unsigned engine = 0; engine < 8; engine++)
        assert_int_equal(status_of(gk104, engine), engine == 0 || engine == 4 || engine == 7 ? FAULTED : 0);
    assert_int_equal(reg(&m, ENG_FAULT), 0x11);
    set_reg(&m, ENG_FAULT, 1);
    for (unsigned engine = 0; engine < 8; engine++)
        assert_int_equal(status_of(gk104, engine), engine == 4 ? FAULTED : 0);
    set_reg(&m, ENG_FAULT, 0x10);
    assert_int_equal(status_of(gk104, 4), 0);
}

static void an_injected_fault_shows_on_an_engine_without_a_channel(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        machine_init(&m, rows[i].chip);
        set_reg(&m, 0x2a30 + 4, INJECT(0x10));
        assert_int_equal(status_of(&rows[i], 1), rows[i].faulted);
        assert_int_equal(status_of(&rows[i], 0), 0);
        set_reg(&m, 0x2a30 + 4, 0);
        assert_int_equal(status_of(&rows[i], 1), rows[i].faulted);
        set_reg(&m, ENG_FAULT, reg(&m, ENG_FAULT));
        assert_int_equal(status_of(&rows[i], 1), 0);
        if (i + 1 < COUNT_OF(rows))
            machine_free(&m);
    }
}

static void switching_pfifo_off_ends_faulted(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        fault_and_go_on(&rows[i]);
        uint32_t enable = reg(&m, 0x200);
        set_reg(&m, 0x200, enable & ~0x100u);
        set_reg(&m, 0x200, enable);
        assert_int_equal(status_of(&rows[i], 0), 0);
        assert_int_equal(reg(&m, ENG_FAULT), 0);
        if (i + 1 < COUNT_OF(rows))
            machine_free(&m);
    }
}

#define TEST(function) cmocka_unit_test_teardown(function, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(an_engine_stays_faulted_when_another_channel_is_on_it),
        TEST(an_engine_stays_faulted_when_its_channel_is_ended),
        TEST(an_engine_is_faulted_until_it_is_acknowledged),
        TEST(the_engines_of_a_runlist_are_acknowledged_together),
        TEST(an_injected_fault_shows_on_an_engine_without_a_channel),
        TEST(switching_pfifo_off_ends_faulted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
