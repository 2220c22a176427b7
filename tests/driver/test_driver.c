/* SPDX-License-Identifier: MIT */
/* Channels and submissions through the public API, on chips of every generation that has a machine. */
#include "driver/rig.h"

static struct rig rig; /* too large for a stack with a sanitizer */

#define FOR_EACH_PART(part) for (const struct part *part = parts; part < parts + COUNT_OF(parts); part++)

/* The segments' buffer: where they can be read, on NV4x GART. */
static struct pfifo_buffer *push_buffer(void) {
    return rig_buffer(&rig, PFIFO_GART, 0x10000, 0);
}

static void a_submitted_method_reaches_its_object(void **state) {
    (void)state;
    FOR_EACH_PART(part) {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = push_buffer();
        struct words words = words_for(&rig, channel, PFIFO_CHANNEL_DEFAULT);
        words_bind(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 0x1234);
        words_submit(&words, &rig, channel, push, 0);
        assert_false(pfifo_channel_idle(channel));
        rig_wait(&rig);
        assert_true(pfifo_channel_idle(channel));
        assert_int_equal(rig.fault_count, 0);
        assert_int_equal(rig_count(&rig, NOP), 1);
        assert_int_equal(rig.methods[rig.method_count - 1].data, 0x1234);
        assert_int_equal(rig.methods[rig.method_count - 1].channel, pfifo_channel_number(channel));
        uint32_t value = 0;
        assert_true(pfifo_gpu_method_value(pfifo_device_gpu(rig.device), pfifo_channel_number(channel), part->graphics,
                                           NOP, &value));
        assert_int_equal(value, 0x1234);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_submitted_method_reaches_its_object),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
