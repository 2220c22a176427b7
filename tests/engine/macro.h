/* SPDX-License-Identifier: MIT */
/* Macros in tests: uploading, calling. */
#ifndef PFIFO_TESTS_ENGINE_MACRO_H
#define PFIFO_TESTS_ENGINE_MACRO_H

#include "check.h"
#include "macro_gf100.h"

/* Methods go to this scratch word and those after it. */
#define SCRATCH(n) (0x3400u + 4 * (n))

#define CALL(n) (0x3800u + 8 * (n))
#define DATA(n) (0x3804u + 8 * (n))

/* Code for macro n, at word `at` of the code RAM. */
static inline void upload(struct engine_rig *rig, unsigned id, unsigned n, uint32_t at, const uint32_t *code,
                          uint32_t count) {
    sent(rig, id, 0, 0x114, 4, &at, 1);
    sent(rig, id, 0, 0x118, 0, code, count);
    sent(rig, id, 0, 0x11c, 4, (const uint32_t[]){n, at}, 2);
}

/* A call: the first word to one method, the others to the one after. */
static inline void called(struct engine_rig *rig, unsigned id, unsigned n, const uint32_t *data, uint32_t count) {
    sent(rig, id, 0, CALL(n), 4, data, 1);
    if (count > 1)
        sent(rig, id, 0, DATA(n), 0, data + 1, count - 1);
}

#define call_macro(rig, id, n, ...) called(rig, id, n, WORDS(__VA_ARGS__))

/* Upload as macro 0 at 0, and call it. */
#define PROGRAM(...) WORDS(__VA_ARGS__)

static inline void assert_scratch(struct engine_rig *rig, unsigned id, uint32_t object_class, unsigned n,
                                  uint32_t value) {
    assert_int_equal(engine_rig_value(rig, id, object_class, SCRATCH(n)), value);
}

/* The nth end of a macro: how, and after how many instructions. */
static inline void assert_end(const struct engine_rig *rig, unsigned nth, const char *how, uint32_t instructions) {
    const struct engine_rig_event *event = engine_rig_event(rig, EVENT_ENGINE_MACRO_END, nth);
    assert_non_null(event);
    assert_string_equal(event->text, how);
    assert_int_equal(event->value[3], instructions);
}

#endif
