/* SPDX-License-Identifier: MIT */
/* An embedder's PGRAPH under a driver: what it refuses, and its interrupt, are the unit's. */
#include "driver/rig.h"

#include <pfifo/engine.h>

#define REFUSED 0x1230u

static struct rig rig; /* too large for a stack with a sanitizer */

static struct {
    unsigned id, count;
    uint32_t data[8];
    bool known;
} own;

static bool bind(void *engine, const struct pfifo_channel_context *channel, unsigned subchannel, uint32_t object_class,
                 uint32_t object) {
    (void)engine, (void)channel, (void)subchannel, (void)object;
    return object_class == rig.part->graphics;
}

/* Data 4 is refused; 5 by an engine that there is not. */
static uint32_t methods(void *engine, const struct pfifo_methods *run) {
    (void)engine;
    struct pfifo_engine_error error = {.name = "INVALID_VALUE",
                                       .subchannel = run->subchannel,
                                       .object_class = rig.part->graphics,
                                       .method = run->method,
                                       .data = run->data[0],
                                       .nsource = 2,
                                       .code = 4};
    if (run->method != REFUSED)
        return 1;
    assert_true(own.count < COUNT_OF(own.data));
    own.data[own.count++] = run->data[0];
    if (run->data[0] == 4)
        own.known = pfifo_channel_error(run->channel, own.id, &error);
    else if (run->data[0] == 5)
        assert_false(pfifo_channel_error(run->channel, 99, &error));
    else
        pfifo_channel_interrupt(run->channel, own.id);
    return 1;
}

static const struct pfifo_engine_ops ops = {.name = "own", .bind = bind, .methods = methods};

static void start_own(const struct part *part) {
    memset(&own, 0, sizeof own);
    rig_open(&rig, part);
    own.id = part->fermi ? 0 : 1;
    assert_int_equal(pfifo_gpu_set_engine(pfifo_device_gpu(rig.device), own.id, &ops, &own, &rig.error), PFIFO_OK);
}

static void what_an_embedders_engine_refuses_the_driver_reports(void **state) {
    (void)state;
    FOR_EACH_KIND {
        start_own(part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = words_for(&rig, PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, 2);
        words_method(&words, 2, REFUSED, 1);
        words_method(&words, 2, REFUSED, 4);
        words_method(&words, 2, REFUSED, 5);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(own.count, 3);
        assert_true(own.known);
        if (rig.fault_count != 1)
            fail_msg("%s: %u faults", part->chip, (unsigned)rig.fault_count);
        assert_string_equal(rig.faults[0].unit, "PGRAPH");
        assert_int_equal(rig.faults[0].data, 4);
        assert_int_equal(rig.faults[0].method, REFUSED);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_an_embedders_engine_refuses_the_driver_reports),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
