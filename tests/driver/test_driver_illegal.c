/* SPDX-License-Identifier: MIT */
/*
 * Methods that PGRAPH does not have, from NV4 on: the driver reports them, or does what they mean, and PGRAPH goes on.
 * (nouveau nvkm/engine/gr/{nv04,nv10,nv17,nv20,gf100}.c)
 */
#include "driver/probe.h"

#define NO_METHOD         0x118u /* of no 3D class before G80 */
#define SOME_STATE        0x308u
#define SHADER_EXCEPTIONS 0x1528u

static struct pfifo_channel *send(uint32_t method, uint32_t data) {
    struct pfifo_buffer *push = rig_push_buffer(&rig);
    struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    words_bind_class(&words, &rig, SUBCHANNEL);
    words_method(&words, SUBCHANNEL, method, data);
    words_method(&words, SUBCHANNEL, SOME_STATE, 7);
    words_submit(&words, &rig, channel, push, 0);
    rig_wait(&rig);
    return channel;
}

static uint32_t value_of(const struct pfifo_channel *channel, uint32_t method) {
    uint32_t value = 0;
    pfifo_gpu_method_value(pfifo_device_gpu(rig.device), pfifo_channel_number(channel), rig.part->graphics, method,
                           &value);
    return value;
}

static void the_driver_reports_what_a_class_lacks_before_g80(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->calls)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = send(NO_METHOD, 0x12345678);
        assert_int_equal(rig.fault_count, 1);
        const struct pfifo_device_fault *fault = &rig.faults[0];
        assert_string_equal(fault->unit, "PGRAPH");
        assert_string_equal(fault->error, "ILLEGAL_MTHD");
        assert_int_equal(fault->channel, pfifo_channel_number(channel));
        assert_int_equal(fault->method, NO_METHOD);
        assert_int_equal(fault->data, 0x12345678);
        assert_int_equal(value_of(channel, SOME_STATE), 7);
        expect_reg(0x400108, ~0u, 0);
        rig_close(&rig);
    }
}

static void later_chips_take_it(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->calls)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = send(0x1ffc, 1);
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(value_of(channel, SOME_STATE), 7);
        rig_close(&rig);
    }
}

static void the_driver_sets_shader_exceptions(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (!part->fermi)
            continue;
        for (uint32_t data = 0; data < 2; data++) {
            uint32_t value = 5;
            rig_open(&rig, part);
            record_writes();
            struct pfifo_channel *channel = send(SHADER_EXCEPTIONS, data);
            assert_int_equal(rig.fault_count, 0);
            assert_int_equal(writes_to(0x419e44, &value, 1), 1);
            assert_int_equal(value, data ? ~0u : 0);
            assert_int_equal(writes_to(0x419e4c, &value, 1), 1);
            assert_int_equal(value, data ? ~0u : 0);
            assert_int_equal(value_of(channel, SOME_STATE), 7);
            expect_reg(0x400100, ~0u, 0);
            rig_close(&rig);
        }
    }
}

static void the_driver_knows_the_windows_of_nv17(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->graphics != 0x99)
            continue;
        for (uint32_t method = 0x1638; method <= 0x1658; method += 4) {
            bool known = method <= 0x1644 || method == 0x1658;
            rig_open(&rig, part);
            send(method, 1);
            assert_int_equal(rig.fault_count, known ? 0 : 1);
            rig_close(&rig);
        }
    }
}

#define BLIT 0xbeef005fu

static void send_to_blit(struct pfifo_channel *channel, struct pfifo_buffer *push, uint64_t at, uint32_t method,
                         uint32_t data) {
    struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
    words_method(&words, 1, 0, BLIT);
    words_method(&words, 1, method, data);
    words_submit(&words, &rig, channel, push, at);
    rig_wait(&rig);
}

/* Word 0 of the object has them: operation in 17:15. A class of NV1 takes three, the others six. */
static void the_driver_of_nv4_sets_operations(void **state) {
    static const struct {
        uint32_t object_class, data, faults;
    } cases[] = {{0x5f, 0, 0}, {0x5f, 5, 0}, {0x5f, 6, 1}, {0x1f, 2, 0}, {0x1f, 3, 1}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        rig_open(&rig, &parts[0]);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        assert_int_equal(pfifo_channel_object(channel, BLIT, cases[i].object_class, NULL), PFIFO_OK);
        send_to_blit(channel, push, 0, 0x2fc, cases[i].data);
        assert_int_equal(rig.fault_count, cases[i].faults);
        if (cases[i].faults)
            assert_string_equal(rig.faults[0].error, "ILLEGAL_MTHD");
        uint32_t at = reg(0x40016c) << 4;
        uint32_t operation = reg(0x700000 + at) >> 15 & 7;
        assert_int_equal(reg(0x700000 + at) & 0xff, cases[i].object_class);
        assert_int_equal(operation, cases[i].faults ? 0 : cases[i].data);
        rig_close(&rig);
    }
}

/* Bit 24 of word 0: all is there. A blit of NV4's class needs a surface, and a pattern and a ROP for operation 1. */
static void the_driver_of_nv4_says_when_all_is_bound(void **state) {
    static const struct {
        uint32_t method, object_class;
        bool complete;
    } steps[] = {{0x188, 0x19, false}, {0x19c, 0x42, true},  {0x2fc, 1, false}, {0x190, 0x43, false},
                 {0x18c, 0x44, true},  {0x18c, 0x30, false}, {0x2fc, 3, true},  {0x19c, 0x30, false}};
    (void)state;
    rig_open(&rig, &parts[0]);
    struct pfifo_buffer *push = rig_push_buffer(&rig);
    struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
    assert_int_equal(pfifo_channel_object(channel, BLIT, 0x5f, NULL), PFIFO_OK);
    for (size_t i = 0; i < COUNT_OF(steps); i++) {
        uint32_t handle = 0xbeef0000 + steps[i].object_class;
        if (steps[i].method != 0x2fc)
            pfifo_channel_object(channel, handle, steps[i].object_class, NULL);
        send_to_blit(channel, push, 0x100 * i, steps[i].method,
                     steps[i].method == 0x2fc ? steps[i].object_class : handle);
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(reg(0x700000 + (reg(0x40016c) << 4)) >> 24 & 1, steps[i].complete);
    }
    send_to_blit(channel, push, 0x1000, 0x188, 0xbeef0042); /* a surface is no clip rectangle */
    assert_int_equal(rig.fault_count, 1);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_driver_reports_what_a_class_lacks_before_g80),
        cmocka_unit_test(later_chips_take_it),
        cmocka_unit_test(the_driver_sets_shader_exceptions),
        cmocka_unit_test(the_driver_knows_the_windows_of_nv17),
        cmocka_unit_test(the_driver_of_nv4_sets_operations),
        cmocka_unit_test(the_driver_of_nv4_says_when_all_is_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
