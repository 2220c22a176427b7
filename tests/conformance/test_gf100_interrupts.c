/* SPDX-License-Identifier: MIT */
/*
 * Interrupts of PFIFO and its PBDMAs, GF100 .. GM20B: which are latched and which are levels, what enables and what
 * stalls, and how each is acknowledged.
 *
 * Sources: NVIDIA open-gpu-doc manuals/volta/gv100/dev_fifo.ref.txt, dev_pbdma.ref.txt; envytools
 * rnndb/fifo/gf100_pfifo.xml; nouveau nvkm/engine/fifo/{gf100,gk104}.c.
 */
#include "fifo_pbdma/machine.h"

static struct machine m;

static const char *const chips[] = {"GF100", "GK104", "GK110", "GM107", "GM204", "GM20B"};

#define SEMAPHORE(address, payload, operation) INC(0, 0x10, 4), 0, (address), (payload), (operation)
#define ACQUIRE                                1u

#define INTR_METHOD (1u << 21)
#define INTR_DEVICE (1u << 23)
#define INTR_PRI    (1u << 27)
#define SKIP        0x80600008u

static int teardown(void **state) {
    (void)state;
    machine_free(&m);
    return 0;
}

#define FOR_EACH_CHIP                                                                                                  \
    for (size_t chip_ = 0; chip_ < COUNT_OF(chips) && (chip_ == 0 || (machine_free(&m), true)); chip_++)

static bool fermi(void) {
    return m.chip->has_engine_in_object;
}

/* A channel that stops at an illegal method, with only the PBDMA bit of INTR set. */
static void stop_at_an_error(const char *chip) {
    one_channel(&m, chip);
    if (fermi())
        set_reg(&m, 0x2204, 1);
    set_reg(&m, 0x2a00, ~0u);
    set_reg(&m, 0x2100, ~0u);
    PUSH(&m, 1, INC(0, 0x04, 1), 0x77, INC(0, 0x50, 1), 5);
    assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
    assert_int_equal(reg(&m, 0x2100), 1 << 29);
}

static void enables_gate_the_line_and_not_the_status(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        stop_at_an_error(chips[chip_]);
        assert_int_equal(reg(&m, 0x100) & 1 << 8, 1 << 8);
        assert_true(m.bus.line);
        set_reg(&m, 0x2140, ~(1u << 29));
        assert_int_equal(reg(&m, 0x2100), 1 << 29);
        assert_int_equal(reg(&m, 0x100) & 1 << 8, 0);
        assert_false(m.bus.line);
        set_reg(&m, 0x2140, 1 << 29);
        assert_true(m.bus.line);
        /* One level further down the bit is gone from the status of PFIFO, and the PBDMA still stalls. */
        set_pb(&m, 0, 0x10c, ~INTR_METHOD);
        assert_int_equal(reg(&m, 0x2100) | reg(&m, 0x25a0), 0);
        assert_int_equal(pb(&m, 0, 0x108), INTR_METHOD);
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        set_pb(&m, 0, 0x10c, ~0u);
        assert_int_equal(reg(&m, 0x25a0), 1);
    }
}

static void pbdma_interrupts_are_acknowledged_in_the_pbdma(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        stop_at_an_error(chips[chip_]);
        set_reg(&m, 0x2100, ~0u);
        set_reg(&m, 0x25a0, ~0u);
        assert_int_equal(reg(&m, 0x2100), 1 << 29);
        assert_int_equal(reg(&m, 0x25a0), 1);
        set_pb(&m, 0, 0xc0, SKIP);
        set_pb(&m, 0, 0x108, ~INTR_METHOD); /* not this one */
        assert_int_equal(pb(&m, 0, 0x108), INTR_METHOD);
        set_pb(&m, 0, 0x108, INTR_METHOD);
        assert_int_equal(reg(&m, 0x2100) | reg(&m, 0x25a0) | pb(&m, 0, 0x108), 0);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(ramfc(&m, 1, 0x28), 5);
    }
}

static void every_pbdma_has_its_bit(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        unsigned units = pfifo_chip_by_name(chips[chip_])->pbdmas;
        machine_init(&m, chips[chip_]);
        for (unsigned p = 0; p < units; p++) {
            if (fermi())
                set_reg(&m, 0x2204, 1u << p);
            channel_new(&m, p + 1, fermi() ? 0 : p);
            PUSH(&m, p + 1, INC(0, 0x04, 1), 0x77);
            if (fermi())
                RUNLIST(&m, 0, p + 1);
            else
                RUNLIST(&m, p, p + 1);
            run(&m);
            assert_int_equal(reg(&m, 0x25a0), 1u << p);
            assert_int_equal(pb(&m, p, 0x108), INTR_METHOD);
            set_pb(&m, p, 0xc0, SKIP);
            set_pb(&m, p, 0x108, INTR_METHOD);
            run(&m);
        }
    }
}

/* What is not in INTR_STALL is told, and the method is gone. */
static void without_stall_the_pbdma_goes_on(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        one_channel(&m, chips[chip_]);
        for (unsigned p = 0; p < m.chip->pbdmas; p++)
            set_pb(&m, p, 0x13c, ~INTR_METHOD);
        PUSH(&m, 1, INC(0, 0x04, 1), 0x77, INC(0, 0x50, 1), 5);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(pb(&m, 0, 0x108), INTR_METHOD);
        assert_int_equal(reg(&m, 0x25a0), 1);
        assert_int_equal(ramfc(&m, 1, 0x28), 5);
    }
}

static void enabling_the_stall_of_what_is_set_stalls(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        stop_at_an_error(chips[chip_]);
        set_pb(&m, 0, 0x13c, 0);
        set_pb(&m, 0, 0xc0, SKIP);
        set_pb(&m, 0, 0x108, INTR_PRI);
        set_pb(&m, 0, 0x13c, ~0u);
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        assert_int_equal(pb(&m, 0, 0x28), 0);
        set_pb(&m, 0, 0x108, ~0u);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(ramfc(&m, 1, 0x28), 5);
    }
}

/* The words of a channel that runs belong to the PBDMA. */
static void writing_the_words_of_a_running_channel_is_pri(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        one_channel(&m, chips[chip_]);
        if (fermi())
            set_reg(&m, 0x2204, 1);
        set_pb(&m, 0, 0x28, 1); /* nobody is there */
        assert_int_equal(pb(&m, 0, 0x108), 0);
        PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE));
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        set_pb(&m, 0, 0x28, 9);
        assert_int_equal(pb(&m, 0, 0x108), INTR_PRI);
        assert_int_equal(pb(&m, 0, 0x28), 9);
        poke(&m, SCRATCH, 1);
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        set_pb(&m, 0, 0x28, 10); /* now it is stalled */
        set_pb(&m, 0, 0x108, INTR_PRI);
        assert_int_equal(pb(&m, 0, 0x108), 0);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(ramfc(&m, 1, 0x28), 10);
    }
}

static void errors_of_pfifo_are_latched(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        machine_init(&m, chips[chip_]);
        set_reg(&m, fermi() ? 0x3008 : 0x800008, 0x90000100); /* target 1 */
        set_reg(&m, 0x5008, 0);                               /* bypass is off */
        assert_int_equal(reg(&m, 0x2100), 1 << 4 | 1 << 0);
        set_reg(&m, 0x2100, 1 << 4);
        assert_int_equal(reg(&m, 0x2100), 1 << 0);
        assert_int_equal(reg(&m, 0x252c), 6);
        set_reg(&m, 0x2100, 1 << 0);
        assert_int_equal(reg(&m, 0x2100), 0);
        assert_int_equal(reg(&m, 0x252c), 6); /* the code stays */
    }
}

static void the_bypass_says_why_it_does_nothing(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        machine_init(&m, chips[chip_]);
        set_reg(&m, 0x5004, 0x100);
        set_reg(&m, 0x5008, 1);
        assert_int_equal(reg(&m, 0x5000), 1 << 8); /* ERR_NOT_ENABLED */
        assert_int_equal(reg(&m, 0x2100), 1 << 4);
        set_reg(&m, 0x5000, 1 << 8);
        set_reg(&m, 0x2100, 1 << 4);
        assert_int_equal(reg(&m, 0x5000) | reg(&m, 0x2100), 0);
        struct event_log log;
        observe(&m, "fifo.unknown", &log);
        set_reg(&m, 0x26c4, 1 << 8);
        set_reg(&m, 0x5008, 0x55);
        assert_int_equal(log.count, 1);
        assert_int_equal(log.last.value[1], 0x55);
        assert_int_equal(reg(&m, 0x2100), 0);
    }
}

/* 0x2528 enables for the second line: PMC 0x104, enabled by 0x144. */
static void the_second_line_has_its_own_enables(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        stop_at_an_error(chips[chip_]);
        set_reg(&m, 0x2140, 0);
        assert_int_equal(reg(&m, 0x100) & 1 << 8, 0);
        assert_false(m.bus.line);
        set_reg(&m, 0x2528, 1 << 29);
        assert_int_equal(reg(&m, 0x104), 1 << 8);
        assert_int_equal(reg(&m, 0x160) | reg(&m, 0x164), 0);
        set_reg(&m, 0x144, 1);
        assert_true(m.bus.line);
        assert_int_equal(reg(&m, 0x160), 0);
        assert_int_equal(reg(&m, 0x164), 1);
        set_reg(&m, 0x2528, 1 << 30);
        assert_int_equal(reg(&m, 0x104), 0);
        assert_false(m.bus.line);
    }
}

/* From GK104 on bit 31 is a latch; before, it is the level of what engines have (see gf100_channels). */
static void non_stall_interrupts_of_channels_are_latched(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        one_channel(&m, chips[chip_]);
        if (fermi())
            continue;
        PUSH(&m, 1, IMMD(0, 0x20, 0), INC(0, 0x50, 1), 3);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(reg(&m, 0x2100) & 1u << 31, 1u << 31);
        assert_int_equal(pb(&m, 0, 0x108), 0);
        set_reg(&m, 0x2100, 1u << 31);
        assert_int_equal(reg(&m, 0x2100) & 1u << 31, 0);
    }
}

static void a_second_fault_of_a_unit_is_dropped(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        machine_init(&m, chips[chip_]);
        if (fermi())
            set_reg(&m, 0x2204, 1);
        for (unsigned id = 1; id <= 2; id++) {
            channel_new(&m, id, 0);
            push_entry(&m, id, MAPPED_END + 0x100 * id, 1 << 10);
        }
        RUNLIST(&m, 0, 1, 2);
        run(&m);
        assert_int_equal(reg(&m, 0x2100) & 3 << 27, 3 << 27);
        assert_int_equal(reg(&m, 0x2874), MAPPED_END + 0x100);
        set_reg(&m, 0x2100, ~0u);
        assert_int_equal(reg(&m, 0x2100) & 3 << 27, 2 << 27); /* the fault is a level */
    }
}

/* 0x2530: while one of these is pending no channel gets on a PBDMA. */
static void interrupts_may_halt_scheduling(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        machine_init(&m, chips[chip_]);
        for (unsigned id = 1; id <= 2; id++) {
            channel_new(&m, id, 0);
            PUSH(&m, id, IMMD(0, 0x50, id));
        }
        RUNLIST(&m, 0, 1, 2); /* bit 30 */
        set_reg(&m, 0x2530, 1 << 30);
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        assert_int_equal(ramfc(&m, 1, 0x28) | ramfc(&m, 2, 0x28), 0);
        set_reg(&m, 0x2a00, ~0u);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(ramfc(&m, 1, 0x28), 1);
        assert_int_equal(ramfc(&m, 2, 0x28), 2);
    }
}

/* The front end of the copy engine checks classes: GK104 and later. */
static void the_copy_engine_complains_in_intr_1(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        one_channel(&m, chips[chip_]);
        if (fermi()) {
            assert_int_equal(pb(&m, 0, 0x148), 0xbad00100);
            continue;
        }
        m.refuse_class = 0x1234;
        PUSH(&m, 1, INC(4, 0, 1), 0x1234, INC(0, 0x50, 1), 5);
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        assert_int_equal(pb(&m, 0, 0x108), 0);
        assert_int_equal(pb(&m, 0, 0x148), 1 << 4); /* HCE_ILLEGAL_CLASS */
        assert_int_equal(pb(&m, 0, 0x150) & 0x73ffc, 4 << 16);
        assert_int_equal(pb(&m, 0, 0x154), 0x1234);
        assert_int_equal(reg(&m, 0x25a0), 1);
        set_pb(&m, 0, 0x148, 1 << 4);
        assert_int_equal(reg(&m, 0x25a0), 0);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(ramfc(&m, 1, 0x28), 5);
    }
}

/* RAMFC 0x100 .. 0x17f is at 0x200 of the PBDMA. */
static void the_state_of_the_copy_front_end_goes_with_the_channel(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        one_channel(&m, chips[chip_]);
        if (fermi()) {
            assert_int_equal(pb(&m, 0, 0x200), 0xbad00100);
            continue;
        }
        for (uint32_t at = 0; at < 0x80; at += 4)
            poke(&m, instance_of(1) + 0x100 + at, 0xc0de0000 + at);
        PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE));
        run(&m);
        for (uint32_t at = 0; at < 0x80; at += 4)
            assert_int_equal(pb(&m, 0, 0x200 + at), 0xc0de0000 + at);
        set_pb(&m, 0, 0x27c, 7);
        set_reg(&m, 0x2634, 1);
        assert_int_equal(ramfc(&m, 1, 0x17c), 7);
        assert_int_equal(ramfc(&m, 1, 0x178), 0xc0de0078);
    }
}

#define TEST(function) cmocka_unit_test_teardown(function, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(enables_gate_the_line_and_not_the_status),
        TEST(the_second_line_has_its_own_enables),
        TEST(pbdma_interrupts_are_acknowledged_in_the_pbdma),
        TEST(every_pbdma_has_its_bit),
        TEST(without_stall_the_pbdma_goes_on),
        TEST(enabling_the_stall_of_what_is_set_stalls),
        TEST(writing_the_words_of_a_running_channel_is_pri),
        TEST(errors_of_pfifo_are_latched),
        TEST(the_bypass_says_why_it_does_nothing),
        TEST(non_stall_interrupts_of_channels_are_latched),
        TEST(a_second_fault_of_a_unit_is_dropped),
        TEST(interrupts_may_halt_scheduling),
        TEST(the_copy_engine_complains_in_intr_1),
        TEST(the_state_of_the_copy_front_end_goes_with_the_channel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
