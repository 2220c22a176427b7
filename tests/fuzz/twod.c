/* SPDX-License-Identifier: MIT */
/*
 * The 2D objects of Tesla and Fermi: runs of methods, offered whole to one machine and method by method to a second one
 * on which every event is observed. Registers, what draws keep, memory, faults and interrupts must be the same. A draw
 * that takes too long is left where it is, with the method that began it.
 *
 *   byte 0   chip
 *   then     records: what to send, operands
 */
#include <stdlib.h>

#include "engine/core/register_file.h"
#include "engine/rig.h"

#include "engine/core/action.h"
#include "fuzz/input.h"

#define RECORDS   128
#define MAX_WORDS 48
#define SLICES    3 /* of a draw, before it is left */
#define ALL       4 /* draws that may be left */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
    const char *chip;
    uint32_t object_class;
} machines[] = {{"G80", 0x502d},   {"GT215", 0x502d}, {"GF100", 0x902d}, {"GK104", 0x902d},
                {"GM107", 0x902d}, {"GP102", 0x902d}, {"GF100", 0x502d}, {"G80", 0x902d}};

#define MACHINES (sizeof machines / sizeof machines[0])

struct pair {
    struct engine_rig whole, single;
    unsigned id, left;
};

/* Again and again while it stalls, and then without it. How many words were left. */
static unsigned offer(struct engine_rig *rig, unsigned id, uint32_t method, unsigned step, const uint32_t *data,
                      uint32_t count, uint32_t most) {
    uint32_t at = 0, stalls = 0, left = 0;
    while (at < count) {
        uint32_t run = count - at < most ? count - at : most;
        uint32_t taken = engine_rig_offer(rig, id, 0, method + at * step, step, data + at, run);
        require(taken <= run);
        stalls = taken ? 0 : stalls + 1;
        at += taken;
        if (stalls > SLICES) {
            stalls = 0;
            left++;
            at++;
        }
    }
    return left;
}

static void run(struct pair *pair, uint32_t method, unsigned step, const uint32_t *data, uint32_t count) {
    if (pair->left >= ALL)
        return;
    unsigned left = offer(&pair->whole, pair->id, method, step, data, count, UINT32_MAX);
    require(left == offer(&pair->single, pair->id, method, step, data, count, 1));
    pair->left += left;
}

/* A surface that may be drawn to: its format, size and place from a few bytes. */
static void surface(struct pair *pair, struct input *input) {
    uint32_t pick = take(input, 1), format = take(input, 1), shape = take(input, 2), base = pick & 1 ? 0x230 : 0x200;
    uint32_t data[] = {format | 0xc0,        pick >> 1 & 1,  (shape & 3) << 4 | (shape >> 2 & 3) << 8,
                       1 + (shape >> 4 & 3), shape >> 6 & 3, (shape >> 8 & 31) * 32,
                       take(input, 1),       take(input, 1), 0,
                       take(input, 2) << 2};
    run(pair, base, 4, data, 10);
}

static void words(struct pair *pair, struct input *input) {
    static const uint16_t near[] = {0x180, 0x200, 0x230, 0x264, 0x280, 0x290, 0x2a0, 0x2b0, 0x2e8, 0x300, 0x540, 0x580,
                                    0x5e0, 0x600, 0x800, 0x838, 0x850, 0x860, 0x860, 0x870, 0x880, 0x8b0, 0x8c0, 0x8d0};
    uint32_t data[MAX_WORDS], pick = take(input, 1), shape = take(input, 1), count = 1 + take(input, 1) % MAX_WORDS;
    uint32_t method = pick < 0xc0 ? near[pick % 24] + (pick / 24 & 3) * 4u : take(input, 2) & 0x1ffc;
    for (uint32_t i = 0; i < count; i++)
        data[i] = shape & 2 ? take(input, 4) : shape & 4 ? (uint32_t)(int8_t)take(input, 1) : take(input, 1);
    run(pair, method, shape & 1 ? 0 : 4, data, count);
}

/* All that a draw needs, with a few things that matter. */
static void draw(struct pair *pair, struct input *input) {
    uint32_t pick = take(input, 1);
    if (pick % 3 == 0) {
        uint32_t solid[] = {pick >> 2 & 7, take(input, 1) | 0xc0, take(input, 4)};
        uint32_t points[] = {(uint32_t)(int8_t)take(input, 1),
                             (uint32_t)(int8_t)take(input, 1),
                             take(input, 2),
                             take(input, 2),
                             take(input, 1),
                             take(input, 1)};
        run(pair, 0x580, 4, solid, 3);
        run(pair, 0x600, 4, points, 6);
    } else if (pick % 3 == 1) {
        uint32_t size[] = {
            take(input, 1), take(input, 1), take(input, 1) << 24, pick >> 2 & 3, 0, pick >> 4 & 3, 0, take(input, 1), 0,
            take(input, 1)};
        uint32_t kind[] = {pick >> 7, take(input, 1) | 0xc0, take(input, 1) & 3, pick >> 6 & 1, take(input, 1) & 3};
        run(pair, 0x800, 4, kind, 5);
        run(pair, 0x838, 4, size, 10);
        for (unsigned i = 0; i < 40; i++) {
            uint32_t data[MAX_WORDS] = {take(input, 1) * 0x01020408};
            run(pair, 0x860, 0, data, MAX_WORDS);
        }
    } else {
        uint32_t place[] = {(uint32_t)(int8_t)take(input, 1),
                            (uint32_t)(int8_t)take(input, 1),
                            take(input, 1),
                            take(input, 1),
                            take(input, 1) << 24,
                            pick >> 2 & 3,
                            0,
                            1,
                            take(input, 1) << 24,
                            take(input, 1),
                            0,
                            take(input, 1)};
        run(pair, 0x88c, 4, (const uint32_t[]){pick >> 3 & 0x11}, 1);
        run(pair, 0x8b0, 4, place, 12);
    }
}

static void compare(struct pair *pair) {
    const struct engine *one = pair->whole.fifo.engines[pair->id].engine;
    const struct engine *other = pair->single.fifo.engines[pair->id].engine;
    const struct object *a = one->channels[3]->subchannel[0], *b = other->channels[3]->subchannel[0];
    require(pair->whole.faults == pair->single.faults && pair->whole.interrupts == pair->single.interrupts);
    require(engine_rig_same_object(a, b));
    require_same_memory(&pair->whole.memory, &pair->single.memory, MEMORY_VRAM, ENGINE_RIG_LIMIT);
}

static void records(struct pair *pair, struct input *input) {
    for (unsigned i = 0; i < RECORDS && input->left > 0; i++) {
        uint32_t operation = take(input, 1) & 7;
        if (operation < 2)
            surface(pair, input);
        else if (operation < 5)
            draw(pair, input);
        else
            words(pair, input);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct pair pair; /* too large for the stack of some systems; set up anew each time */
    struct input input = {data, size};
    memset(&pair, 0, sizeof pair);
    uint32_t machine = take(&input, 1) % MACHINES;
    if (engine_rig_start(&pair.whole, machines[machine].chip) &&
        engine_rig_start(&pair.single, machines[machine].chip)) {
        pair.id = engine_rig_id(&pair.whole, CHIP_UNIT_PGRAPH);
        engine_rig_observe(&pair.single, "engine.*");
        require(engine_rig_bind(&pair.whole, pair.id, 0, machines[machine].object_class));
        require(engine_rig_bind(&pair.single, pair.id, 0, machines[machine].object_class));
        run(&pair, 0x180, 4, (const uint32_t[]){1, 2, 3, 4}, 4);
        run(&pair, 0x2ac, 4, (const uint32_t[]){3}, 1);
        records(&pair, &input);
        compare(&pair);
    }
    engine_rig_stop(&pair.whole);
    engine_rig_stop(&pair.single);
    return 0;
}
