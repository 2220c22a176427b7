/* SPDX-License-Identifier: MIT */
/*
 * MMU faults of GF100 .. GM20B: which unit and client they are of, what is in the record, who stops, and how it ends.
 *
 * Sources: nouveau nvkm/engine/fifo/{gf100,gk104,gm107}.c (units, clients, reasons); envytools rnndb/fifo/
 * gf100_pfifo.xml, rnndb/memory/gf100_vm.xml; NVIDIA open-gpu-doc manuals/volta/gv100/dev_top.ref.txt.
 */
#include "fifo_pbdma/machine.h"

static struct machine m;

#define SEMAPHORE(address, payload, operation) INC(0, 0x10, 4), 0, (address), (payload), (operation)
#define RELEASE                                (2u | 1u << 24)

#define PAGE_TABLE         0x030000u
#define HUB                (1u << 6)
#define WRITE              (1u << 7)
#define RECORD(unit, word) (0x2800 + 0x10 * (unit) + 4 * (word))

static int teardown(void **state) {
    (void)state;
    machine_free(&m);
    return 0;
}

static void expect_record(unsigned unit, unsigned id, uint64_t address, uint32_t status) {
    if (reg(&m, 0x259c) != 1u << unit)
        fail_msg("%s: faults of units %#x, not of unit %u", m.chip->name, reg(&m, 0x259c), unit);
    assert_int_equal(reg(&m, RECORD(unit, 0)), instance_of(id) >> 12);
    assert_int_equal(reg(&m, RECORD(unit, 1)), (uint32_t)address);
    assert_int_equal(reg(&m, RECORD(unit, 2)), address >> 32);
    if ((reg(&m, RECORD(unit, 3)) & 0x1fff) != status)
        fail_msg("%s: status %#x, not %#x", m.chip->name, reg(&m, RECORD(unit, 3)), status);
    assert_int_equal(reg(&m, 0x2100) & 1 << 28, 1 << 28);
}

/* HOST0 is unit 7, and each PBDMA has one; client 6 of the hub. */
static void each_pbdma_is_a_unit(void **state) {
    (void)state;
    static const char *const chips[] = {"GF100", "GK104", "GK208", "GM107", "GM204", "GM20B"};
    for (size_t i = 0; i < COUNT_OF(chips); i++)
        for (unsigned p = 0; p < pfifo_chip_by_name(chips[i])->pbdmas; p++) {
            machine_init(&m, chips[i]);
            bool fermi = m.chip->has_engine_in_object;
            if (fermi)
                set_reg(&m, 0x2204, 1u << p);
            channel_new(&m, 1, fermi ? 0 : p);
            push_entry(&m, 1, MAPPED_END + 0x10, 1 << 10);
            RUNLIST(&m, fermi ? 0 : p, 1);
            assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
            expect_record(7 + p, 1, MAPPED_END + 0x10, 6 << 8 | HUB | 2);
            if (i + 1 < COUNT_OF(chips) || p + 1 < m.chip->pbdmas)
                machine_free(&m);
        }
}

/* Type of the topology table, unit, client. */
static const struct {
    uint32_t type;
    unsigned unit, client;
} kepler[] = {
    {0x00, 0x00, 0x04}, /* GR, FE */
    {0x01, 0x15, 0x01}, /* CE0 */
    {0x02, 0x16, 0x02}, /* CE1 */
    {0x03, 0x1b, 0x19}, /* CE2 */
    {0x08, 0x14, 0x0b}, /* MSPDEC */
    {0x09, 0x11, 0x0c}, /* MSPPP */
    {0x0a, 0x10, 0x0d}, /* MSVLD */
    {0x0b, 0x19, 0x1c}, /* MSENC */
};

static void expect_engine_fault(unsigned list, unsigned subchannel, unsigned unit, uint32_t client) {
    channel_new(&m, 1, list);
    m.fault_method = 0x104;
    PUSH(&m, 1, IMMD(subchannel, 0x104, 1), IMMD(subchannel, 0x108, 2));
    RUNLIST(&m, list, 1);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    expect_record(unit, 1, MAPPED_END, client << 8 | WRITE | HUB | 2);
    assert_int_equal(m.method_count, 1);
}

static void engines_of_kepler_have_the_units_of_nouveau(void **state) {
    (void)state;
    static const char *const chips[] = {"GK104", "GK110", "GK208"};
    unsigned checked = 0;
    for (size_t c = 0; c < COUNT_OF(chips); c++)
        for (unsigned i = 0; i < 8; i++) {
            machine_init(&m, chips[c]);
            uint32_t type = reg(&m, 0x22700 + 12 * i), place = reg(&m, 0x22704 + 12 * i),
                     data = reg(&m, 0x22708 + 12 * i);
            for (size_t k = 0; type && k < COUNT_OF(kepler); k++) {
                if (kepler[k].type != (type >> 2 & 0x1fffffff))
                    continue;
                assert_int_equal(data >> 3 & 0x7f, kepler[k].unit);
                assert_int_equal(data >> 2 & 1, 1);
                checked++;
                expect_engine_fault(place >> 21 & 15, kepler[k].type == 3 ? 4 : 0, kepler[k].unit, kepler[k].client);
            }
            if (c + 1 < COUNT_OF(chips) || i < 7)
                machine_free(&m);
        }
    assert_int_equal(checked, 8 + 8 + 7);
}

/* From Maxwell on the topology table says it. */
static void engines_of_maxwell_have_the_units_of_the_table(void **state) {
    (void)state;
    static const char *const chips[] = {"GM107", "GM204", "GM20B", "GK20A"};
    unsigned checked = 0;
    for (size_t c = 0; c < COUNT_OF(chips); c++)
        for (unsigned i = 0; i < 8; i++) {
            machine_init(&m, chips[c]);
            uint32_t type = reg(&m, 0x22700 + 12 * i), place = reg(&m, 0x22704 + 12 * i),
                     data = reg(&m, 0x22708 + 12 * i);
            if (type) {
                bool copy = (type >> 2 & 0x1fffffff) == 3;
                channel_new(&m, 1, place >> 21 & 15);
                m.fault_method = 0x104;
                PUSH(&m, 1, IMMD(copy ? 4 : 0, 0x104, 1), IMMD(copy ? 4 : 0, 0x108, 2));
                RUNLIST(&m, place >> 21 & 15, 1);
                run(&m);
                assert_int_equal(reg(&m, 0x259c), 1u << (data >> 3 & 0x7f));
                assert_int_equal(reg(&m, 0x262c), 1u << (place >> 21 & 15));
                checked++;
            }
            if (c + 1 < COUNT_OF(chips) || i < 7)
                machine_free(&m);
        }
    assert_int_equal(checked, 6 + 6 + 2 + 2);
}

static void engines_of_fermi_have_their_units(void **state) {
    (void)state;
    static const struct {
        unsigned engine, unit, client;
    } rows[] = {{0, 0x00, 0x04}, {1, 0x14, 0x0b}, {2, 0x11, 0x0c}, {3, 0x10, 0x0d}, {4, 0x15, 0x01}, {5, 0x16, 0x02}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        machine_init(&m, "GF100");
        channel_new(&m, 1, 0);
        m.fault_method = 0x104;
        PUSH(&m, 1, INC(0, 0, 1), rows[i].engine << 16 | 0x9097, IMMD(0, 0x104, 1), IMMD(0, 0x108, 2));
        RUNLIST(&m, 0, 1);
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        expect_record(rows[i].unit, 1, MAPPED_END, rows[i].client << 8 | WRITE | HUB | 2);
        assert_int_equal(reg(&m, 0x262c), 1u << rows[i].engine);
        if (i + 1 < COUNT_OF(rows))
            machine_free(&m);
    }
}

/* Reasons: the same numbers on all chips. */
static void reasons_of_the_host(void **state) {
    (void)state;
    static const struct {
        uint32_t target; /* of the release */
        uint32_t pte;    /* of SCRATCH */
        uint32_t reason;
    } cases[] = {
        {SCRATCH, 0, 2},                        /* PTE */
        {0x10000000, SCRATCH >> 8 | 1, 0},      /* PDE */
        {SCRATCH, SCRATCH >> 8 | 1 << 2 | 1, 6} /* RO */
    };
    static const char *const chips[] = {"GF100", "GK104", "GM107", "GM204", "GM20B"};
    for (size_t i = 0; i < COUNT_OF(chips) * COUNT_OF(cases); i++) {
        size_t c = i % COUNT_OF(cases);
        one_channel(&m, chips[i / COUNT_OF(cases)]);
        poke(&m, PAGE_TABLE + 8 * (SCRATCH >> 17), cases[c].pte);
        PUSH(&m, 1, SEMAPHORE(cases[c].target, 1, RELEASE), IMMD(0, 0x50, 1));
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        expect_record(7, 1, cases[c].target, 6 << 8 | WRITE | HUB | cases[c].reason);
        if (i + 1 < COUNT_OF(chips) * COUNT_OF(cases))
            machine_free(&m);
    }
}

static void an_address_beyond_the_limit_is_va_limit(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    channel_new(&m, 1, 0);
    poke(&m, instance_of(1) + 0x208, SCRATCH - 1);
    poke(&m, instance_of(1) + 0x20c, 0);
    PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, RELEASE));
    RUNLIST(&m, 0, 1);
    run(&m);
    expect_record(7, 1, SCRATCH, 6 << 8 | WRITE | HUB | 3);
}

/* The method waits in METHOD0; the channel has PBDMA_FAULTED and is off the PBDMA; others go on. */
static void a_fault_of_the_host_stops_its_channel(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    channel_new(&m, 1, 0);
    channel_new(&m, 2, 0);
    PUSH(&m, 1, SEMAPHORE(MAPPED_END, 1, RELEASE), IMMD(0, 0x100, 1));
    PUSH(&m, 2, IMMD(0, 0x100, 2));
    RUNLIST(&m, 0, 1, 2);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    EXPECT_METHODS(&m, {0x100, 2});
    assert_int_equal(ramfc(&m, 1, 0xc0) & 0x80003ffc, 0x8000001c);
    assert_int_equal(reg(&m, 0x80000c) & 0x00c00000, 0x00400000);
    assert_int_equal(reg(&m, 0x262c), 0); /* no engine */
    assert_int_equal(pb(&m, 0, 0x120), 0);
    set_reg(&m, 0x259c, 1 << 7);
    assert_int_equal(reg(&m, 0x2100) & 1 << 28, 0);
    /* The page is there now, and the fault is acknowledged: the method is executed. */
    poke(&m, PAGE_TABLE + 8 * (MAPPED_END >> 17), MAPPED_END >> 8 | 1);
    set_reg(&m, 0x100cbc, 0x80000001);
    set_reg(&m, 0x80000c, 0x00400000);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(peek(&m, MAPPED_END), 1);
    assert_int_equal(m.method_count, 2);
}

static void a_fault_of_an_engine_sets_eng_faulted(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    channel_new(&m, 1, 0);
    m.fault_method = 0x104;
    PUSH(&m, 1, IMMD(0, 0x104, 1), IMMD(0, 0x108, 2));
    RUNLIST(&m, 0, 1);
    run(&m);
    assert_int_equal(reg(&m, 0x80000c) & 0x00c00000, 0x00800000);
    assert_int_equal(reg(&m, 0x2640) & 1 << 30, 1 << 30);
    assert_int_equal(reg(&m, 0x262c), 1);
    set_reg(&m, 0x259c, 1);
    set_reg(&m, 0x262c, 1);
    assert_int_equal(reg(&m, 0x262c), 0);
    set_reg(&m, 0x80000c, 0x00800000);
    assert_int_equal(reg(&m, 0x2640) & 1 << 30, 0);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.method_count, 2);
}

static void units_have_records_of_their_own(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    channel_new(&m, 1, 0);
    channel_new(&m, 2, 1);
    push_entry(&m, 1, MAPPED_END, 1 << 10);
    push_entry(&m, 2, MAPPED_END + 0x100, 1 << 10);
    RUNLIST(&m, 0, 1);
    RUNLIST(&m, 1, 2);
    run(&m);
    assert_int_equal(reg(&m, 0x259c), 3 << 7);
    assert_int_equal(reg(&m, RECORD(7, 1)), MAPPED_END);
    assert_int_equal(reg(&m, RECORD(8, 1)), MAPPED_END + 0x100);
    set_reg(&m, 0x259c, 1 << 7);
    assert_int_equal(reg(&m, 0x2100) & 1 << 28, 1 << 28); /* a level */
    set_reg(&m, 0x259c, 1 << 8);
    assert_int_equal(reg(&m, 0x2100) & 1 << 28, 0);
    assert_int_equal(reg(&m, 0x2100) & 1 << 27, 0);
}

#define TEST(function) cmocka_unit_test_teardown(function, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(each_pbdma_is_a_unit),
        TEST(engines_of_kepler_have_the_units_of_nouveau),
        TEST(engines_of_maxwell_have_the_units_of_the_table),
        TEST(engines_of_fermi_have_their_units),
        TEST(reasons_of_the_host),
        TEST(an_address_beyond_the_limit_is_va_limit),
        TEST(a_fault_of_the_host_stops_its_channel),
        TEST(a_fault_of_an_engine_sets_eng_faulted),
        TEST(units_have_records_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
