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
    words_bind(&words, &rig, SUBCHANNEL);
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_driver_reports_what_a_class_lacks_before_g80),
        cmocka_unit_test(later_chips_take_it),
        cmocka_unit_test(the_driver_sets_shader_exceptions),
        cmocka_unit_test(the_driver_knows_the_windows_of_nv17),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
