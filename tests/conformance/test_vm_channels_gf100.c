/* SPDX-License-Identifier: MIT */
/*
 * Virtual memory of channels of GF100 .. GM20B: what the TLB keeps, and what becomes of faults.
 * Sources: envytools rnndb/memory/gf100_pffb.xml, rnndb/fifo/gf100_pfifo.xml; nouveau nvkm/subdev/mmu/vmmgf100.c,
 * nvkm/engine/fifo/gf100.c, gk104.c.
 */
#include "fifo_pbdma/machine.h"

static const char *const chips[] = {"GF100", "GK104", "GK20A", "GM107", "GM204", "GM20B"};

/* Each test on each chip, with channel 1 on runlist 0. */
#define ON_EACH_CHIP(m)                                                                                                \
    (void)state;                                                                                                       \
    static struct machine m;                                                                                           \
    for (size_t c = 0; c < COUNT_OF(chips) && (one_channel(&(m), chips[c]), true); c++, machine_free(&(m)))

#define PAGE_TABLE    0x030000u /* of big pages, 128 KiB; VA is the address up to MAPPED_END */
#define HERE          MAPPED_END
#define A             0x600000u
#define B             0x620000u
#define PRIV          2u
#define READ_ONLY     4u
#define BIND          INC(0, 0, 1), 0x902d
#define RELEASE(a, v) INC(0, 0x10, 4), 0, (a), (v), (2u | 1u << 24)
#define ACQUIRE(a, v) INC(0, 0x10, 4), 0, (a), (v), 1u

static void map(struct machine *m, uint32_t va, uint32_t entry) {
    poke(m, PAGE_TABLE + 8 * (va >> 17), entry);
}

static uint32_t page(uint32_t address) {
    return address >> 8 | 1;
}

static void assert_fault(struct machine *m, uint32_t address, bool write, uint32_t reason) {
    unsigned unit = 7;
    while (unit < 7u + m->chip->pbdmas && reg(m, 0x259c) != 1u << unit)
        unit++;
    assert_true(unit < 7u + m->chip->pbdmas); /* one of the host's, and no other */
    uint32_t record = 0x2800 + 0x10 * unit;
    assert_int_equal(reg(m, record), instance_of(1) >> 12);
    assert_int_equal(reg(m, record + 4), address);
    assert_int_equal(reg(m, record + 8), 0);
    assert_int_equal(reg(m, record + 12), reason | 1 << 6 | (write ? 1 << 7 : 0) | 6 << 8);
}

static void a_channel_writes_to_the_old_page_until_the_tlb_is_flushed(void **state) {
    ON_EACH_CHIP(m) {
        map(&m, HERE, page(A));
        PUSH(&m, 1, RELEASE(HERE, 1));
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        map(&m, HERE, page(B));
        PUSH(&m, 1, RELEASE(HERE + 0x10, 2));
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(peek(&m, A + 0x10), 2);
        assert_int_equal(peek(&m, B + 0x10), 0);
        set_reg(&m, 0x100cb8, 0x200);
        set_reg(&m, 0x100cbc, 0x80000001);
        PUSH(&m, 1, RELEASE(HERE + 0x20, 3));
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(peek(&m, A + 0x20), 0);
        assert_int_equal(peek(&m, B + 0x20), 3);
    }
}

static void a_page_that_is_taken_away_stays_until_the_tlb_is_flushed(void **state) {
    ON_EACH_CHIP(m) {
        map(&m, HERE, page(A));
        PUSH(&m, 1, RELEASE(HERE, 1));
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        map(&m, HERE, 0);
        PUSH(&m, 1, RELEASE(HERE, 2));
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(peek(&m, A), 2);
        set_reg(&m, 0x100cbc, 0x80000001);
        PUSH(&m, 1, RELEASE(HERE, 3));
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        assert_int_equal(peek(&m, A), 2);
        assert_fault(&m, HERE, true, 2);
    }
}

/* A write to 100cbc without the trigger, and the other registers of a flush, do nothing by themselves. */
static void only_the_trigger_flushes(void **state) {
    ON_EACH_CHIP(m) {
        map(&m, HERE, page(A));
        PUSH(&m, 1, RELEASE(HERE, 1));
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        map(&m, HERE, page(B));
        set_reg(&m, 0x100cb4, HERE >> 8);
        set_reg(&m, 0x100cb8, 0x200);
        set_reg(&m, 0x100cbc, 0x00000001);
        PUSH(&m, 1, RELEASE(HERE, 2));
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(peek(&m, A), 2);
    }
}

static void pushbuffers_are_read_through_the_tlb_too(void **state) {
    ON_EACH_CHIP(m) {
        map(&m, HERE, page(A));
        for (unsigned i = 0; i < 2; i++) {
            poke(&m, (i ? B : A), INC(0, 0x50, 1));
            poke(&m, (i ? B : A) + 4, i ? 0xb : 0xa);
        }
        push_entry(&m, 1, HERE, 2 << 10);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(ramfc(&m, 1, 0x28), 0xa); /* REF */
        map(&m, HERE, page(B));
        poke(&m, A + 4, 0xaa);
        push_entry(&m, 1, HERE, 2 << 10);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(ramfc(&m, 1, 0x28), 0xaa);
        set_reg(&m, 0x100cbc, 0x80000001);
        push_entry(&m, 1, HERE, 2 << 10);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(ramfc(&m, 1, 0x28), 0xb);
    }
}

/* What faulted was not kept: the driver makes the page, and no flush is needed to see it. */
static void a_page_that_was_missing_is_found_without_a_flush(void **state) {
    ON_EACH_CHIP(m) {
        PUSH(&m, 1, RELEASE(HERE, 1));
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        map(&m, HERE, page(A));
        channel_new(&m, 2, 0);
        RUNLIST(&m, 0, 2);
        PUSH(&m, 2, RELEASE(HERE + 0x10, 7));
        run(&m);
        assert_int_equal(peek(&m, A + 0x10), 7);
    }
}

static void reasons_of_faults_of_the_host(void **state) {
    ON_EACH_CHIP(m) {
        bool kepler = chip_in_range(m.chip, "GK104-"), maxwell = chip_in_range(m.chip, "GM107-");
        const struct {
            uint32_t low, high, reason;
            bool write;
        } rows[] = {
            {0, 0, 2, true},
            {0, 0, 2, false},
            {page(A) | READ_ONLY, 0, 6, true},
            {page(A) | PRIV, 0, 5, true},
            {page(A) | PRIV, 0, 5, false},
            {page(A), 0xff << 4, 0xc, true},
            {page(A), 2 << 1 | 1 << 12, kepler ? 0xb : 0xa, false},
            {page(A), maxwell ? 1u << 31 : 4, maxwell ? 6 : 2, true}, /* WRITE_DISABLE */
            {page(A), maxwell ? 1u << 30 : 4, maxwell ? 7 : 2, false},
        };
        for (size_t i = 0; i < COUNT_OF(rows); i++) {
            if (rows[i].reason == 2 && rows[i].low)
                continue; /* the chip does not have it */
            machine_free(&m);
            one_channel(&m, chips[c]);
            poke(&m, PAGE_TABLE + 8 * (HERE >> 17), rows[i].low);
            poke(&m, PAGE_TABLE + 8 * (HERE >> 17) + 4, rows[i].high);
            if (rows[i].write)
                PUSH(&m, 1, RELEASE(HERE + 0x40, 1));
            else
                PUSH(&m, 1, ACQUIRE(HERE + 0x40, 1));
            assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
            assert_fault(&m, HERE + 0x40, rows[i].write, rows[i].reason);
        }
    }
}

static void an_address_beyond_the_limit_is_a_fault_of_the_limit(void **state) {
    ON_EACH_CHIP(m) {
        poke(&m, instance_of(1) + 0x208, HERE - 1);
        poke(&m, instance_of(1) + 0x20c, 0);
        map(&m, HERE, page(A));
        PUSH(&m, 1, RELEASE(HERE - 0x10, 1), RELEASE(HERE, 1));
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        assert_int_equal(peek(&m, HERE - 0x10), 1);
        assert_fault(&m, HERE, true, 3);
    }
}

static void an_address_without_a_table_is_a_fault_of_the_directory(void **state) {
    ON_EACH_CHIP(m) {
        PUSH(&m, 1, RELEASE(0x40000000, 1));
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        assert_fault(&m, 0x40000000, true, 0);
    }
}

/* The words before the missing page are executed, and the rest when it is there. */
static void a_segment_may_run_into_a_missing_page(void **state) {
    ON_EACH_CHIP(m) {
        map(&m, HERE, page(A));
        poke(&m, A + 0x1fff4, INC(0, 0x50, 1));
        poke(&m, A + 0x1fff8, 0x11);
        poke(&m, A + 0x1fffc, INC(0, 0x50, 1));
        poke(&m, B, 0x22);
        push_entry(&m, 1, HERE + 0x1fff4, 4 << 10);
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        assert_fault(&m, HERE + 0x20000, false, 2);
        assert_int_equal(ramfc(&m, 1, 0x28), 0x11);
        assert_int_equal(ramfc(&m, 1, 0x18), HERE + 0x20000);
        set_reg(&m, 0x259c, ~0u);
        map(&m, HERE + 0x20000, page(B));
        if (m.chip->has_engine_in_object) {
            set_reg(&m, 0x3008, 0);
            set_reg(&m, 0x3008, 0xc0000000 | (uint32_t)(instance_of(1) >> 12));
        } else {
            set_reg(&m, 0x800008, 0);
            set_reg(&m, 0x800008, 1u << 31 | (uint32_t)(instance_of(1) >> 12));
            set_reg(&m, 0x80000c, 1 << 10);
        }
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(ramfc(&m, 1, 0x28), 0x22);
    }
}

static void a_second_fault_of_a_unit_is_dropped(void **state) {
    ON_EACH_CHIP(m) {
        if (m.chip->has_engine_in_object)
            continue; /* the second might run on another PBDMA */
        channel_new(&m, 2, 0);
        RUNLIST(&m, 0, 1, 2);
        PUSH(&m, 1, RELEASE(HERE, 1));
        run(&m);
        PUSH(&m, 2, RELEASE(HERE + 0x1000, 1));
        run(&m);
        assert_int_equal(reg(&m, 0x2100) & 1 << 27, 1 << 27); /* DROPPED_MMU_FAULT */
        assert_int_equal(reg(&m, 0x2874), HERE);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_channel_writes_to_the_old_page_until_the_tlb_is_flushed),
        cmocka_unit_test(a_page_that_is_taken_away_stays_until_the_tlb_is_flushed),
        cmocka_unit_test(only_the_trigger_flushes),
        cmocka_unit_test(pushbuffers_are_read_through_the_tlb_too),
        cmocka_unit_test(a_page_that_was_missing_is_found_without_a_flush),
        cmocka_unit_test(reasons_of_faults_of_the_host),
        cmocka_unit_test(an_address_beyond_the_limit_is_a_fault_of_the_limit),
        cmocka_unit_test(an_address_without_a_table_is_a_fault_of_the_directory),
        cmocka_unit_test(a_segment_may_run_into_a_missing_page),
        cmocka_unit_test(a_second_fault_of_a_unit_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
