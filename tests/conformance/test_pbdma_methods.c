/* SPDX-License-Identifier: MIT */
/* Host methods of 906F .. C06F: which class has which, and those that are not about semaphores or objects. */
#include "conformance/pbdma.h"

static struct machine m;

/* ---- which class has which ---- */

#define SEMAPHORE_AT SCRATCH

/* Every method below 0x100 that exists, with an operand that it takes. */
static const struct method_row {
    uint32_t method;
    uint32_t classes;
    uint32_t data;
} methods[] = {
    {0x00, ALL_CLASSES, 0x902d},
    {0x08, ALL_CLASSES, 0xffffffff},
    {0x10, ALL_CLASSES, 0},
    {0x14, ALL_CLASSES, SEMAPHORE_AT},
    {0x18, ALL_CLASSES, 7},
    {0x1c, ALL_CLASSES, 0x01000002},
    {0x20, ALL_CLASSES, 0x12345678},
    {0x24, ALL_CLASSES, 0x12345678},
    {0x28, C906F | CA06F | CA16F | CA26F | CC06F, 0},
    {0x2c, ALL_CLASSES, 5u << 27}, /* not in NVIDIA's header of B06F: programs send it */
    {0x30, MAXWELL_ON, 0},
    {0x34, MAXWELL_ON, 5u << 27},
    {0x50, ALL_CLASSES, 0x1234},
    {0x64, ALL_CLASSES, SEMAPHORE_AT},
    {0x68, ALL_CLASSES, 7},
    {0x6c, ALL_CLASSES, 8},
    {0x70, C906F | CA26F | TEGRA_X1, 0},
    {0x74, C906F | CA26F | TEGRA_X1, 1},
    {0x78, C906F | CA16F | CA26F | MAXWELL_ON, 0},
    {0x7c, ALL_CLASSES, 0},
    {0x80, ALL_CLASSES, 0},
};

static const struct method_row *row_of(uint32_t method, uint32_t host) {
    for (size_t i = 0; i < COUNT_OF(methods); i++)
        if (methods[i].method == method && (methods[i].classes & host))
            return &methods[i];
    return NULL;
}

static void each_class_has_its_methods_and_others_are_method_errors(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        for (uint32_t method = 0; method < 0x100; method += 4) {
            const struct method_row *row = row_of(method, chip->host);
            uint32_t data = row ? row->data : 0xa5a50000 | method;
            if (method == 0x7c) { /* SET_OBJECT counts; what is compared has a test of its own */
                set_pb(&m, 0, 0xb0, 0);
                poke(&m, instance_of(1) + 0xb0, 0);
            }
            PUSH(&m, 1, INC(0, method, 1), data);
            enum pfifo_stop stop = run(&m);
            if (row && stop != PFIFO_STOP_IDLE)
                fail_msg("%s: %#x is not taken: %#x", chip->chip, method, intr_0(&m));
            if (row)
                continue;
            if (stop != PFIFO_STOP_INTERRUPT || intr_0(&m) != INTR_METHOD)
                fail_msg("%s: %#x: stop %d, INTR_0 %#x", chip->chip, method, stop, intr_0(&m));
            expect_method0(&m, chip->chip, 0, method, data);
            skip_method(&m);
            run_into(&m, chip, 0);
        }
        assert_int_equal(m.method_count, 0);
        machine_free(&m);
    }
}

static void an_error_is_an_interrupt_of_pfifo_too(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        PUSH(&m, 1, INC(0, 0x04, 1), 1);
        run_into(&m, chip, INTR_METHOD);
        assert_int_equal(reg(&m, 0x2100) & 1u << 29, 1u << 29);
        assert_int_equal(reg(&m, 0x25a0), 1);
        skip_method(&m);
        assert_int_equal(reg(&m, 0x2100) & 1u << 29, 0);
        assert_int_equal(reg(&m, 0x25a0), 0);
        machine_free(&m);
    }
}

/* Cleared without more, the method in METHOD0 is executed once more. */
static void a_method_that_is_not_skipped_is_wrong_again(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        PUSH(&m, 1, INC(3, 0x04, 1), 0x77, INC(0, 0x50, 1), 5);
        for (unsigned i = 0; i < 3; i++) {
            run_into(&m, chip, INTR_METHOD);
            expect_method0(&m, chip->chip, 3, 0x04, 0x77);
            if (i == 2)
                set_pb(&m, 0, 0xc0, 0x80000050);
            if (i == 2)
                set_pb(&m, 0, 0xc4, 0x99);
            set_pb(&m, 0, 0x108, INTR_METHOD);
        }
        assert_int_equal(run_units(&m, 1), PFIFO_STOP_BUDGET);
        assert_int_equal(pb(&m, 0, 0x28), 0x99); /* what the driver wrote over it */
        run_into(&m, chip, 0);
        assert_int_equal(ramfc(&m, 1, 0x28), 5);
        machine_free(&m);
    }
}

static void host_methods_work_on_every_subchannel(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        for (uint32_t s = 0; s < 8; s++) {
            PUSH(&m, 1, INC(s, 0x50, 1), 0x100 + s);
            run_into(&m, chip, 0);
            assert_int_equal(ramfc(&m, 1, 0x28), 0x100 + s);
        }
        machine_free(&m);
    }
}

/* ---- SET_REFERENCE, WFI ---- */

static void set_reference_waits_for_the_engine_and_is_seen_in_userd(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        PUSH(&m, 1, INC(0, 0, 1), 0x902d, IMMD(0, 0x100, 1), INC(0, 0x50, 1), 0xcafe);
        m.busy = true;
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        expect_method0(&m, chip->chip, 0, 0x50, 0xcafe);
        assert_int_equal(pb(&m, 0, 0x28), 0);
        m.busy = false;
        run_into(&m, chip, 0);
        assert_int_equal(peek(&m, userd_of(1) + 0x48), 0xcafe);
        machine_free(&m);
    }
}

/* 0: GF100 only keeps the operand. */
static void wfi_waits_for_the_engine_where_there_is_one(void **state) {
    (void)state;
    for (EACH_CHIP) {
        if (!row_of(0x78, chip->host))
            continue;
        for (uint32_t scope = 0; scope < 2; scope++) {
            start(&m, chip);
            PUSH(&m, 1, INC(0, 0, 1), 0x902d, IMMD(0, 0x100, 1), IMMD(0, 0x78, scope), IMMD(0, 0x104, 2));
            m.busy = true;
            if (chip->host == C906F) {
                run_into(&m, chip, 0);
                assert_int_equal(ramfc(&m, 1, 0x80), scope);
            } else {
                assert_int_equal(run(&m), PFIFO_STOP_WAITING);
                assert_int_equal(m.method_count, 1);
                m.busy = false;
                run_into(&m, chip, 0);
            }
            EXPECT_METHODS(&m, {0x100, 1}, {0x104, 2});
            machine_free(&m);
        }
    }
}

/* ---- interrupts, YIELD ---- */

static void non_stall_interrupt_reaches_pfifo_and_stalls_nobody(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        PUSH(&m, 1, INC(0, 0, 1), 0x902d, INC(0, 0x20, 1), 0xffffffff, IMMD(0, 0x100, 1));
        run_into(&m, chip, 0);
        EXPECT_METHODS(&m, {0x100, 1});
        assert_int_equal(reg(&m, 0x2100) & 1u << 31, 1u << 31);
        if (chip->host == C906F) { /* the bit is that of an engine */
            assert_int_equal(reg(&m, 0x25a4), 1);
            assert_int_equal(reg(&m, 0x25a8), 1);
            set_reg(&m, 0x25a8, 1);
        } else {
            set_reg(&m, 0x2100, 1u << 31);
        }
        assert_int_equal(reg(&m, 0x2100) & 1u << 31, 0);
        machine_free(&m);
    }
}

static void yield_has_operations_from_b06f_on(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        for (uint32_t operation = 0; operation < 4; operation++) {
            bool legal = operation == 0 || (chip->host & MAXWELL_ON);
            PUSH(&m, 1, IMMD(0, 0x80, operation), IMMD(0, 0x50, operation + 1));
            if (!legal) {
                run_into(&m, chip, INTR_METHOD);
                expect_method0(&m, chip->chip, 0, 0x80, operation);
                skip_method(&m);
            }
            run_into(&m, chip, 0);
            assert_int_equal(ramfc(&m, 1, 0x28), operation + 1);
        }
        machine_free(&m);
    }
}

/* ---- memory operations ---- */

/* Operation codes of MEM_OP_B and MEM_OP_D, and who has them. */
static const struct {
    uint32_t code, classes;
} operations[] = {
    {0x05, ALL_CLASSES},
    {0x06, C906F | CA06F | CA16F},
    {0x09, ALL_CLASSES},
    {0x0a, CC06F},
    {0x0d, C906F | CA06F | CA16F | MAXWELL_ON},
    {0x0e, ALL_CLASSES},
    {0x0f, ALL_CLASSES},
    {0x10, ALL_CLASSES},
    {0x15, CC06F},
};

static bool operation_exists(uint32_t code, uint32_t host) {
    for (size_t i = 0; i < COUNT_OF(operations); i++)
        if (operations[i].code == code)
            return (operations[i].classes & host) != 0;
    return false;
}

/* The method that executes. */
static uint32_t trigger(uint32_t host) {
    return host & MAXWELL_ON ? 0x34 : 0x2c;
}

static void each_class_has_its_memory_operations_and_others_are_method_errors(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        for (uint32_t code = 0; code < 32; code++) {
            uint32_t method = trigger(chip->host), data = code << 27;
            PUSH(&m, 1, INC(0, method, 1), data);
            enum pfifo_stop stop = run(&m);
            bool exists = operation_exists(code, chip->host);
            if (stop != (exists ? PFIFO_STOP_IDLE : PFIFO_STOP_INTERRUPT))
                fail_msg("%s: operation %#x: %d", chip->chip, code, stop);
            if (exists)
                continue;
            expect_intr(&m, chip, INTR_METHOD);
            expect_method0(&m, chip->chip, 0, method, data);
            skip_method(&m);
            run_into(&m, chip, 0);
        }
        machine_free(&m);
    }
}

static void operands_of_memory_operations_are_kept_in_the_channel(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        if (chip->host & CC06F) {
            PUSH(&m, 1, INC(0, 0x28, 3), 0x11, 0x22, 0x33);
            run_into(&m, chip, 0);
            assert_int_equal(ramfc(&m, 1, 0x04), 0x11);
            assert_int_equal(ramfc(&m, 1, 0x64), 0x22);
            assert_int_equal(ramfc(&m, 1, 0xa0), 0x33);
        } else {
            PUSH(&m, 1, INC(0, chip->host & MAXWELL_ON ? 0x30 : 0x28, 1), 0x33);
            run_into(&m, chip, 0);
            assert_int_equal(ramfc(&m, 1, 0xa0), 0x33);
        }
        machine_free(&m);
    }
}

/* A TLB has few entries, and pages share them: these do not share theirs with ring and pushbuffer. */
#define ONE_PAGE   0x640000u
#define OTHER_PAGE 0x620000u
#define PTE_OF(va) (0x030000u + 8 * ((va) >> 17))
#define PTE_TO(pa) ((pa) >> 8 | 1)

/* A release, by which the next one sees where the address leads. */
static void release(uint32_t payload) {
    PUSH(&m, 1, INC(0, 0x10, 4), 0, ONE_PAGE, payload, 0x01000002);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
}

static void operation(const struct channel_class *chip, uint32_t code) {
    PUSH(&m, 1, INC(0, trigger(chip->host), 1), code << 27);
    run_into(&m, chip, 0);
}

static bool invalidates(uint32_t code) {
    return code == 0x09 || code == 0x0a;
}

static void only_a_tlb_invalidate_makes_a_channel_forget_translations(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        release(1);
        assert_int_equal(peek(&m, ONE_PAGE), 1);
        poke(&m, PTE_OF(ONE_PAGE), PTE_TO(OTHER_PAGE));
        for (size_t i = 0; i < COUNT_OF(operations); i++)
            if (!invalidates(operations[i].code) && operation_exists(operations[i].code, chip->host))
                operation(chip, operations[i].code);
        release(2);
        assert_int_equal(peek(&m, ONE_PAGE), 2);
        assert_int_equal(peek(&m, OTHER_PAGE), 0);
        operation(chip, 9);
        release(3);
        assert_int_equal(peek(&m, ONE_PAGE), 2);
        assert_int_equal(peek(&m, OTHER_PAGE), 3);
        if (operation_exists(0x0a, chip->host)) {
            poke(&m, PTE_OF(ONE_PAGE), PTE_TO(ONE_PAGE));
            operation(chip, 0x0a);
            release(4);
            assert_int_equal(peek(&m, ONE_PAGE), 4);
        }
        machine_free(&m);
    }
}

/* ---- syncpoints ---- */

static uint32_t syncpoint(unsigned index) {
    return *pbdma_fifo_syncpoint(m.fifo, index);
}

static const struct channel_class *chip_named(const char *name) {
    for (EACH_CHIP)
        if (strcmp(chip->chip, name) == 0)
            return chip;
    return NULL;
}

static void syncpoints_of_a26f_have_bases(void **state) {
    (void)state;
    const struct channel_class *chip = chip_named("GK20A");
    start(&m, chip);
    PUSH(&m, 1, IMMD(0, 0x70, 5), INC(0, 0x74, 1), 3 | 7u << 20);              /* base 7 = 5 */
    PUSH(&m, 1, IMMD(0, 0x70, 2), INC(0, 0x74, 1), 2 | 7u << 20);              /* base 7 += 2 */
    PUSH(&m, 1, IMMD(0, 0x70, 1), INC(0, 0x74, 1), 0x20 | 33 << 8 | 7u << 20); /* wait for 8 */
    PUSH(&m, 1, IMMD(0, 0x50, 1));
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    *pbdma_fifo_syncpoint(m.fifo, 33) = 7;
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    *pbdma_fifo_syncpoint(m.fifo, 33) = 8;
    run_into(&m, chip, 0);
    PUSH(&m, 1, INC(0, 0x74, 1), 1 | 33 << 8);
    run_into(&m, chip, 0);
    assert_int_equal(syncpoint(33), 9);
    machine_free(&m);
}

/* Bit 0 is the operation: what were bases are no-ops in wait or increment. */
static void syncpoints_of_tegra_x1_have_twelve_bits_of_index(void **state) {
    (void)state;
    const struct channel_class *chip = chip_named("GM20B");
    start(&m, chip);
    PUSH(&m, 1, INC(0, 0x74, 1), 1 | 0x101 << 8);
    run_into(&m, chip, INTR_METHOD); /* there is none with that number */
    skip_method(&m);
    run_into(&m, chip, 0);
    PUSH(&m, 1, INC(0, 0x74, 1), 1, INC(0, 0x74, 1), 0xfff00001 | 150 << 8, INC(0, 0x74, 1), 3 | 150 << 8);
    run_into(&m, chip, 0);
    assert_int_equal(syncpoint(0), 1);
    assert_int_equal(syncpoint(150), 2);
    PUSH(&m, 1, IMMD(0, 0x70, 3), INC(0, 0x74, 1), 0x10 | 150 << 8, IMMD(0, 0x50, 1));
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    *pbdma_fifo_syncpoint(m.fifo, 150) = 0x80000003; /* half of the circle away is before it */
    assert_int_equal(run(&m), PFIFO_STOP_WAITING);
    *pbdma_fifo_syncpoint(m.fifo, 150) = 0x80000002;
    run_into(&m, chip, 0);
    machine_free(&m);
}

/* ---- CRC_CHECK ---- */

/* CRC-32, polynomial 0x04c11db7, most significant bit first. */
static uint32_t crc_of_bits(uint32_t crc, uint64_t value, unsigned bytes) {
    for (unsigned i = 0; i < bytes; i++)
        for (unsigned bit = 8; bit-- > 0;) {
            uint32_t in = value >> (8 * i + bit) & 1;
            crc = crc << 1 ^ ((crc >> 31 ^ in) ? 0x04c11db7u : 0);
        }
    return crc;
}

static uint32_t crc_of_method(uint32_t crc, uint64_t subchannel, uint64_t method, uint64_t data) {
    return crc_of_bits(crc, data | (method >> 2) << 32 | subchannel << 44, 6);
}

static void crc_check_compares_what_engines_got_and_begins_anew(void **state) {
    (void)state;
    for (EACH_CHIP) {
        start(&m, chip);
        PUSH(&m, 1, INC(0, 0, 1), 0x902d, INC(2, 0, 1), 0x902d);
        run_into(&m, chip, 0);
        poke(&m, instance_of(1) + 0xb0, 0);
        uint32_t crc = crc_of_method(0, 2, 0x1ff4, 0x89abcdef);
        crc = crc_of_method(crc, 2, 0x1ff8, 0x1234567);
        crc = crc_of_method(crc, 0, 0x100, 0x1fff);
        PUSH(&m, 1, INC(2, 0x1ff4, 2), 0x89abcdef, 0x01234567, IMMD(0, 0x50, 3), IMMD(0, 0x100, 0x1fff), 0,
             INC(0, 0x7c, 1), crc, INC(0, 0x7c, 1), 0);
        run_into(&m, chip, 0);
        PUSH(&m, 1, IMMD(0, 0x100, 1), INC(0, 0x7c, 1), 0x1234);
        run_into(&m, chip, INTR_METHODCRC);
        expect_method0(&m, chip->chip, 0, 0x7c, 0x1234);
        assert_int_equal(pb(&m, 0, 0xb0), 0); /* cleared either way */
        skip_method(&m);
        run_into(&m, chip, 0);
        machine_free(&m);
    }
}

#define TEST(function) cmocka_unit_test(function)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(each_class_has_its_methods_and_others_are_method_errors),
        TEST(an_error_is_an_interrupt_of_pfifo_too),
        TEST(a_method_that_is_not_skipped_is_wrong_again),
        TEST(host_methods_work_on_every_subchannel),
        TEST(set_reference_waits_for_the_engine_and_is_seen_in_userd),
        TEST(wfi_waits_for_the_engine_where_there_is_one),
        TEST(non_stall_interrupt_reaches_pfifo_and_stalls_nobody),
        TEST(yield_has_operations_from_b06f_on),
        TEST(each_class_has_its_memory_operations_and_others_are_method_errors),
        TEST(operands_of_memory_operations_are_kept_in_the_channel),
        TEST(only_a_tlb_invalidate_makes_a_channel_forget_translations),
        TEST(syncpoints_of_a26f_have_bases),
        TEST(syncpoints_of_tegra_x1_have_twelve_bits_of_index),
        TEST(crc_check_compares_what_engines_got_and_begins_anew),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
