/* SPDX-License-Identifier: MIT */
/*
 * 3D objects with any render targets, constant buffers, queries and conditions, two ways: runs offered whole to one
 * machine, and method by method to a second one. Registers, memory, faults and interrupts must be the same.
 *
 *   byte 0   class
 *   then     records: operation, operands
 */
#include <stdlib.h>

#include "engine/core/action.h"
#include "engine/rig.h"
#include "fuzz/input.h"

#define RECORDS   40
#define MAX_WORDS 20
#define TRIES     3 /* a method that stalls may have as many slices */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Methods that mean something, in ranges. */
struct range {
    uint16_t first, count; /* words */
};

static const struct range curie[] = {{0x180, 15}, {0x200, 12}, {0x280, 4},  {0x8c0, 2},  {0x32c, 1},  {0x360, 1},
                                     {0x1d8c, 5}, {0x1d94, 1}, {0x1d94, 1}, {0x1d6c, 3}, {0x17d0, 1}, {0x1800, 3},
                                     {0x1814, 1}, {0x1824, 1}, {0x1e98, 1}, {0x104, 1},  {0x17fc, 1}};
static const struct range tesla[] = {{0x180, 12}, {0x1c0, 8},  {0x200, 64}, {0x1224, 4}, {0x1240, 16}, {0x121c, 1},
                                     {0xd80, 5},  {0xda0, 1},  {0x143c, 1}, {0xfe0, 7},  {0xc00, 2},   {0xe00, 3},
                                     {0xd00, 16}, {0x194c, 2}, {0x15b8, 1}, {0x15d0, 1}, {0x1538, 1},  {0x1550, 3},
                                     {0x1398, 2}, {0x19d0, 1}, {0x19d0, 1}, {0x1280, 3}, {0xf00, 17},  {0x1694, 1},
                                     {0x1b00, 4}, {0xd78, 1},  {0x15dc, 2}, {0x104, 1},  {0x197c, 1},  {0x238, 17},
                                     {0x2a4, 3},  {0x3c8, 1},  {0x310, 4},  {0x368, 4},  {0x600, 4}};
static const struct range fermi[] = {
    {0x800, 128}, {0xfe0, 7},   {0x1228, 3}, {0x179c, 1}, {0x121c, 1}, {0xd6c, 2},  {0xd80, 5},  {0xda0, 1},
    {0x10f8, 1},  {0xc00, 2},   {0xe00, 3},  {0xd00, 16}, {0x194c, 2}, {0x15b8, 1}, {0x15d0, 1}, {0x1538, 1},
    {0x1550, 3},  {0x130, 3},   {0x1944, 1}, {0x139c, 1}, {0x30c, 1},  {0x19d0, 1}, {0x19d0, 1}, {0x2380, 20},
    {0x2380, 20}, {0x2410, 40}, {0x10f4, 1}, {0x1694, 1}, {0x1b00, 4}, {0xd78, 1},  {0x1618, 1}, {0x17e0, 7},
    {0x2c8, 1},   {0x2310, 1},  {0x10c, 1},  {0x197c, 1}, {0x158, 5},  {0x158, 5},  {0xfcc, 2},  {0x1504, 3},
    {0x1980, 1},  {0x2d8, 1},   {0x19d4, 1}};

#define RANGES(list) (list), sizeof(list) / sizeof(list)[0]

static const struct class {
    const char *chip;
    uint32_t object_class;
    const struct range *ranges;
    size_t count;
} classes[] = {{"NV20", 0x0097, RANGES(curie)},  {"NV30", 0x0397, RANGES(curie)},  {"NV40", 0x4097, RANGES(curie)},
               {"G80", 0x5097, RANGES(tesla)},   {"MCP89", 0x8697, RANGES(tesla)}, {"G80", 0x50c0, RANGES(tesla)},
               {"GF100", 0x9097, RANGES(fermi)}, {"GF100", 0x90c0, RANGES(fermi)}, {"GK104", 0xa097, RANGES(fermi)},
               {"GM20B", 0xb197, RANGES(fermi)}, {"GP102", 0xc197, RANGES(fermi)}, {"GH100", 0xcb97, RANGES(fermi)},
               {"GA102", 0xc7c0, RANGES(fermi)}};

struct pair {
    const struct class *class;
    struct engine_rig whole, single;
    unsigned id;
};

/* Up to `most` words at a time. */
static uint32_t offer(struct engine_rig *rig, unsigned id, uint32_t method, unsigned step, const uint32_t *data,
                      uint32_t count, uint32_t most) {
    uint32_t at = 0;
    for (unsigned tries = TRIES; at < count && tries > 0;) {
        uint32_t part = count - at < most ? count - at : most;
        uint32_t taken = engine_rig_offer(rig, id, 0, method + at * step, step, data + at, part);
        require(taken <= part);
        at += taken;
        tries -= taken == 0;
    }
    return at;
}

static void send(struct pair *pair, uint32_t method, unsigned step, const uint32_t *data, uint32_t count) {
    uint32_t whole = offer(&pair->whole, pair->id, method, step, data, count, count);
    require(whole == offer(&pair->single, pair->id, method, step, data, count, 1));
}

/* A value: of one, two or four bytes, or two halves of one byte each. */
static uint32_t value(struct input *input, unsigned shape) {
    static const uint8_t bytes[4] = {1, 2, 4, 2};
    uint32_t taken = take(input, bytes[shape & 3]);
    return (shape & 3) == 3 ? (taken & 0xff) << 16 | taken >> 8 : taken;
}

static void run(struct pair *pair, struct input *input) {
    uint32_t data[MAX_WORDS];
    const struct range *range = &pair->class->ranges[take(input, 1) % pair->class->count];
    uint32_t offset = take(input, 1) % range->count, shape = take(input, 1), count = 1 + (shape >> 3) % MAX_WORDS;
    for (uint32_t i = 0; i < count; i++)
        data[i] = value(input, shape);
    send(pair, range->first + offset * 4, shape & 4 ? 0 : 4, data, count);
}

/* Bounds that leave something to clear. */
static void open_bounds(struct pair *pair) {
    const uint32_t wide[] = {0xffff0000, 0xffff0000}, none[] = {0, 0}, object[] = {1, 2, 3, 4, 5, 6, 7, 1};
    send(pair, 0xff4, 4, wide, 2);
    send(pair, 0x10f8, 4, none, 1);
    if (pair->class->ranges == fermi)
        return;
    send(pair, 0x184, 4, object, 8);
    send(pair, pair->class->ranges == tesla ? 0x1c0 : 0x8c0, 4, pair->class->ranges == tesla ? object : wide, 2);
}

static void compare_files(const struct pair *pair) {
    const struct engine *one = pair->whole.fifo.engines[pair->id].engine;
    const struct engine *other = pair->single.fifo.engines[pair->id].engine;
    const struct object *p = one->channels[pair->whole.channel.id]->objects[0];
    const struct object *q = other->channels[pair->single.channel.id]->objects[0];
    require(engine_rig_same_object(p, q) && p->waiting == q->waiting);
}

static void compare_memory(struct pair *pair) {
    require_same_memory(&pair->whole.memory, &pair->single.memory, MEMORY_VRAM, ENGINE_RIG_LIMIT);
}

static void records(struct pair *pair, struct input *input) {
    for (unsigned i = 0; i < RECORDS && input->left > 0; i++) {
        uint32_t operation = take(input, 1);
        if (operation % 16 == 0) {
            open_bounds(pair);
        } else if (operation % 16 == 1) {
            uint32_t address = take(input, 2) << 2, word = take(input, 1);
            engine_rig_wr32(&pair->whole, address, word);
            engine_rig_wr32(&pair->single, address, word);
        } else {
            run(pair, input);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct pair pair; /* too large for the stack of some systems; set up anew each time */
    struct input input = {data, size};
    memset(&pair, 0, sizeof pair);
    pair.class = &classes[take(&input, 1) % (sizeof classes / sizeof classes[0])];
    bool ready = engine_rig_start(&pair.whole, pair.class->chip) && engine_rig_start(&pair.single, pair.class->chip);
    pair.id = engine_rig_id(&pair.whole, CHIP_UNIT_PGRAPH);
    if (ready && engine_rig_bind(&pair.whole, pair.id, 0, pair.class->object_class) &&
        engine_rig_bind(&pair.single, pair.id, 0, pair.class->object_class)) {
        engine_rig_observe(&pair.single, "engine.*");
        records(&pair, &input);
        require(pair.whole.faults == pair.single.faults && pair.whole.interrupts == pair.single.interrupts);
        compare_files(&pair);
        compare_memory(&pair);
    }
    engine_rig_stop(&pair.whole);
    engine_rig_stop(&pair.single);
    return 0;
}
