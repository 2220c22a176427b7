/* SPDX-License-Identifier: MIT */
/* Macros in tests: how instructions of GF100 are put together, uploading, calling. */
#ifndef PFIFO_TESTS_ENGINE_MACRO_H
#define PFIFO_TESTS_ENGINE_MACRO_H

#include "check.h"

/* What becomes of a result. */
enum { PARM, MOV, MOV_MADDR, PARM_SEND, MOV_SEND, PARM_MADDR, MADDR_SENDPARM, MADDR_SENDHIGH };

#define EXIT                        (1u << 7)
#define ALU(result, f, dst, a, b)   ((result) << 4 | (dst) << 8 | (a) << 11 | (b) << 14 | (uint32_t)(f) << 17)
#define IMMEDIATE(value)            ((uint32_t)(value) << 14)
#define ADDI(result, dst, a, value) (1u | (result) << 4 | (dst) << 8 | (a) << 11 | IMMEDIATE(value))
#define READ(result, dst, a, value) (5u | (result) << 4 | (dst) << 8 | (a) << 11 | IMMEDIATE(value))
#define FIELD(op, result, dst, a, b, from, size, to)                                                                   \
    ((op) | (result) << 4 | (dst) << 8 | (a) << 11 | (b) << 14 | (from) << 17 | (size) << 22 | (uint32_t)(to) << 27)
#define BRANCH(if_not_zero, annul, a, by) (7u | (if_not_zero) << 4 | (annul) << 5 | (a) << 11 | IMMEDIATE(by))
#define BRAZ(a, by)                       BRANCH(0u, 0u, a, by)
#define BRANZ(a, by)                      BRANCH(1u, 0u, a, by)
#define NOP                               ADDI(MOV, 0u, 0u, 0)
/* Methods go to this scratch word and those behind it; a method address counts words. */
#define SCRATCH(n)                 (0x3400u + 4 * (n))
#define MADDR(increment, byte)     ((uint32_t)(increment) << 12 | (byte) >> 2)
#define SET_MADDR(increment, byte) ADDI(MOV_MADDR, 0u, 0u, MADDR(increment, byte))

#define CALL(n) (0x3800u + 8 * (n))
#define DATA(n) (0x3804u + 8 * (n))

/* Code for macro n, at word `at` of the code RAM. */
static inline void upload(struct engine_rig *rig, unsigned id, unsigned n, uint32_t at, const uint32_t *code,
                          uint32_t count) {
    sent(rig, id, 0, 0x114, 4, &at, 1);
    sent(rig, id, 0, 0x118, 0, code, count);
    sent(rig, id, 0, 0x11c, 4, (const uint32_t[]){n, at}, 2);
}

/* A call: the first word to one method, the others to the one behind. */
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
