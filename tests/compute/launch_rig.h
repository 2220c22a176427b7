/* SPDX-License-Identifier: MIT */
/* An engine rig that launches grids, on each class whose programs are executed. */
#ifndef TESTS_COMPUTE_LAUNCH_RIG_H
#define TESTS_COMPUTE_LAUNCH_RIG_H

#include "engine/check.h"

enum {
    CODE = 0x8000, /* the program region */
    ENTRY = 0x80,  /* of programs, in it */
    QMD = 0x2000,
    AUX = 0x3000, /* constants of the driver */
    AUX_BYTES = 0x800,
    USER = 0x4000, /* constants in bank 0 */
    RELEASE = 0x5000,
    DATA = 0xa000, /* a buffer, which the constants of the driver name */
    DATA_BYTES = 0x2000,
    LOCAL_WINDOW = 0xff, /* << 24 */
    SHARED_WINDOW = 0xfe,
};

/* A class, and how its QMD says things: bits of fields. */
struct launch_class {
    const char *chip;
    uint32_t object_class;
    const uint64_t *sum; /* the program of programs.inc */
    unsigned sum_words;
    uint32_t version;                               /* of the QMD */
    unsigned grid[3], local, constants, size_shift; /* local: 0: there is no QMD */
    unsigned release, dependent;                    /* the bits that enable them */
    unsigned pointer;
};

extern const struct launch_class launch_classes[];
extern const unsigned launch_class_count;
/* The one with GM107's instruction set that most tests use. */
const struct launch_class *launch_gm107(void);

struct launch {
    struct engine_rig rig;
    const struct launch_class *of;
    unsigned id;
};

/* A chip with a program, constants and a buffer; one block of one thread. */
void launch_begin(struct launch *launch, const struct launch_class *of);
void launch_end(struct launch *launch);
void launch_program(struct launch *launch, const uint64_t *words, unsigned count);
/* GM107: up to 60 instructions, and an EXIT after them; words for the scheduler come between. */
void launch_gm107_program(struct launch *launch, const uint64_t *instructions, unsigned count);
void launch_size(struct launch *launch, uint32_t x, uint32_t y, uint32_t z, uint32_t tx, uint32_t ty, uint32_t tz);
void launch_memory(struct launch *launch, uint32_t shared, uint32_t local);
void launch_registers(struct launch *launch, uint32_t count);
/* A field of the QMD at an address. */
void launch_set(struct launch *launch, uint32_t qmd, unsigned bit, unsigned width, uint32_t value);
/* To its end, which it comes to in some time; and one slice of it. True: it is over. */
void launch_run(struct launch *launch);
bool launch_slice(struct launch *launch);
uint32_t launch_word(struct launch *launch, unsigned word); /* of the buffer */
/* The engine's state, in `room` bytes at `data`. The test fails if it is larger. */
struct launch_state {
    uint8_t *data;
    size_t room, bytes;
};
void launch_save(const struct launch *launch, struct launch_state *state);
/* Go on with the launch on another rig, with the same memory. */
void launch_move(struct launch *from, struct launch *to);

/* Instructions of GM107 (Mesa nv50_ir_emit_gm107.cpp). */
#define GM107_S2R(d, number)      (0xf0c8000000070000 | (uint64_t)(number) << 20 | (d))
#define GM107_MOV(d, value)       (0x010000000007f000 | (uint64_t)(uint32_t)(value) << 20 | (d))
#define GM107_CONSTANT(d, b, at)  (0x4c98078000070000 | (uint64_t)((at) / 4) << 20 | (uint64_t)(b) << 34 | (d))
#define GM107_IADD(d, a, b)       (0x5c10000000070000 | (uint64_t)(b) << 20 | (a) << 8 | (d))
#define GM107_IADD_I(d, a, value) (0x3810000000070000 | (uint64_t)(value) << 20 | (a) << 8 | (d))
#define GM107_SHL_I(d, a, value)  (0x3848000000070000 | (uint64_t)(value) << 20 | (a) << 8 | (d))
#define GM107_STG(a, at, b)       (0xeedc000000070000 | (uint64_t)(at) << 20 | (a) << 8 | (b))
#define GM107_LDG(d, a, at)       (0xeed4000000070000 | (uint64_t)(at) << 20 | (a) << 8 | (d))
#define GM107_STS(a, at, b)       (0xef5c000000070000 | (uint64_t)(at) << 20 | (a) << 8 | (b))
#define GM107_LDS(d, a, at)       (0xef4c000000070000 | (uint64_t)(at) << 20 | (a) << 8 | (d))
#define GM107_STL(a, at, b)       (0xef54000000070000 | (uint64_t)((at)&0xffffff) << 20 | (a) << 8 | (b))
#define GM107_LDL(d, a, at)       (0xef44000000070000 | (uint64_t)((at)&0xffffff) << 20 | (a) << 8 | (d))
#define GM107_ST(a, b)            (0xbc00000000070000 | UINT64_C(4) << 53 | (a) << 8 | (b))
#define GM107_LD(d, a)            (0x9c00000000070000 | UINT64_C(4) << 53 | (a) << 8 | (d))
#define GM107_RED_ADD(a, at, b)   (0xebf8000000070000 | (uint64_t)(at) << 28 | (a) << 8 | (b))
#define GM107_BAR                 0xf0a81b8000070000
#define GM107_EXIT                0xe30000000007000f
#define GM107_BRA_SELF            0xe2400fffff87000f
#define GM107_RET                 0xe32000000007000f
#define GM107_CAL_SELF            0xe2600fffff800040
#define RZ                        255u

#endif
