/* SPDX-License-Identifier: MIT */
/* cmocka over a rig: one per test, of the chip that the test names. */
#ifndef PFIFO_TESTS_ENGINE_CHECK_H
#define PFIFO_TESTS_ENGINE_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "engine/rig.h"

#define WORDS(...) (const uint32_t[]){__VA_ARGS__}, (uint32_t)(sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t))

/* Increasing methods, all of which must be taken. */
#define send(rig, id, subchannel, method, ...) sent(rig, id, subchannel, method, 4, WORDS(__VA_ARGS__))

static inline void sent(struct engine_rig *rig, unsigned id, unsigned subchannel, uint32_t method, unsigned step,
                        const uint32_t *data, uint32_t count) {
    assert_int_equal(engine_rig_send(rig, id, subchannel, method, step, data, count), count);
}

/* A chip with `object_class` bound to subchannel 0 of the engine of `unit`, all engine events observed. */
static inline unsigned start(struct engine_rig *rig, const char *chip, enum chip_unit unit, uint32_t object_class) {
    assert_true(engine_rig_start(rig, chip));
    engine_rig_observe(rig, "engine.*");
    unsigned id = engine_rig_id(rig, unit);
    assert_true(id < CHIP_MAX_ENGINES);
    assert_true(engine_rig_bind(rig, id, 0, object_class));
    return id;
}

/* The nth event of a kind says this in its text and first two fields. */
static inline void assert_event(const struct engine_rig *rig, enum event_id id, unsigned nth, const char *text,
                                uint64_t first, uint64_t second) {
    const struct engine_rig_event *event = engine_rig_event(rig, id, nth);
    assert_non_null(event);
    assert_string_equal(event->text, text);
    assert_int_equal(event->value[0], first);
    assert_int_equal(event->value[1], second);
    assert_int_equal(event->channel, rig->channel.id);
}

#endif
