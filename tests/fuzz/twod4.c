/* SPDX-License-Identifier: MIT */
/*
 * Drawings of NV4's 2D objects from any input, two ways: runs of methods offered whole to one machine, and word by word
 * to a second one on which every event is observed. Registers, memory, faults and interrupts must be the same.
 *
 *   byte 0      chip
 *   then        records: operation, operands
 */
#include <stdlib.h>

#include "engine/twod/nv4_state.h"
#include "engine/rig.h"
#include "fuzz/input.h"

#define RECORDS   96
#define MAX_WORDS 64
#define MAX_TRIES 64 /* slices of a method */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const chips[] = {"NV4", "NV10", "NV17", "NV30", "NV40", "NV44", "G80"};

static const uint16_t contexts[] = {0x12, 0x72, 0x43, 0x17, 0x57, 0x18,   0x44,   0x19,  0x42,
                                    0x62, 0x52, 0x9e, 0x58, 0x59, 0x3062, 0x5062, 0x309e};
static const uint16_t drawings[] = {0x1c, 0x1d, 0x1e, 0x1f, 0x21,   0x36,   0x37,   0x5c, 0x5d,  0x5e,
                                    0x5f, 0x9f, 0x4a, 0x61, 0x65,   0x8a,   0x60,   0x64, 0x76,  0x66,
                                    0x77, 0x63, 0x89, 0x7b, 0x3089, 0x308a, 0x5089, 0x4b, 0x305c};

struct pair {
    struct engine_rig whole, single;
    unsigned id, last; /* subchannel of a drawing object */
};

/* Until all is taken, or forever: a flip that waits, a drawing of too many slices. */
static uint32_t offer(struct engine_rig *rig, unsigned id, unsigned subchannel, uint32_t method, unsigned step,
                      const uint32_t *data, uint32_t count, uint32_t at_once) {
    uint32_t at = 0;
    for (unsigned tries = 0; at < count && tries < MAX_TRIES; tries++) {
        uint32_t now = count - at < at_once ? count - at : at_once;
        uint32_t taken = engine_rig_offer(rig, id, subchannel, method + at * step, step, data + at, now);
        require(taken <= now);
        if (taken)
            tries = 0;
        at += taken;
    }
    return at;
}

static void send(struct pair *pair, unsigned subchannel, uint32_t method, unsigned step, const uint32_t *data,
                 uint32_t count) {
    uint32_t whole = offer(&pair->whole, pair->id, subchannel, method, step, data, count, count);
    require(whole == offer(&pair->single, pair->id, subchannel, method, step, data, count, 1));
}

static void bind(struct pair *pair, unsigned subchannel, uint32_t class) {
    require(engine_rig_bind(&pair->whole, pair->id, subchannel, class));
    require(engine_rig_bind(&pair->single, pair->id, subchannel, class));
}

/* The largest bytes are sizes beyond all coordinates. */
static uint32_t block_size(struct input *input) {
    uint32_t size = take(input, 1);
    return size >= 0xf0 ? UINT32_MAX >> (size & 15) : size;
}

/* Of either surface on subchannel 7. */
static void blocks(struct pair *pair, struct input *input) {
    uint32_t words[] = {take(input, 1) & 1, take(input, 1) & 0x57, block_size(input), block_size(input)};
    send(pair, 7, take(input, 1) & 1 ? 0x200 : 0x218, 4, words, 4);
}

/* A surface that can be drawn to: so that most of what follows draws. */
static void surface(struct pair *pair, struct input *input) {
    uint32_t format = 1 + take(input, 1) % 11, pitch = (1 + take(input, 1) % 16) * 64;
    uint32_t words[] = {format, pitch << 16 | pitch, take(input, 1) * 64, take(input, 1) * 64};
    static const uint16_t classes[] = {0x42, 0x62, 0x62, 0x62, 0x62, 0x62, 0x62, 0x5062};
    uint32_t dma[] = {4, 4}, class = classes[take(input, 1) & 7];
    const uint32_t pattern[] = {3, 2, 0, 1, 0xff112233, 0xff445566, 0x12345678, 0x9abcdef0}, clip[] = {0, 0x00400040};
    bind(pair, 7, 0x44);
    send(pair, 7, 0x300, 4, pattern, 8);
    bind(pair, 7, 0x19);
    send(pair, 7, 0x300, 4, clip, 2);
    bind(pair, 7, class);
    send(pair, 7, 0x184, 4, dma, 2);
    send(pair, 7, 0x300, 4, words, 4);
    if (class == 0x5062)
        blocks(pair, input);
    uint32_t swizzled[] = {format | (1 + take(input, 1) % 11) << 16 | take(input, 1) % 12 << 24, 0};
    bind(pair, 6, 0x52);
    send(pair, 6, 0x184, 4, dma, 1);
    send(pair, 6, 0x300, 4, swizzled, 2);
}

/* Each context wherever it fits: the other places refuse it. */
static void bind_all(struct pair *pair, unsigned subchannel, bool swizzled) {
    const uint32_t classes[] = {
        0x18, 0x44, 0x43, 0x12, 0x72, 0x17, 0x57, 0x19, 0x58, 0x59, 0x42, 0x62, swizzled ? 0x52 : 0x62};
    for (unsigned i = 0; i < sizeof classes / sizeof classes[0]; i++)
        for (uint32_t method = 0x184; method <= 0x1a0; method += 4)
            send(pair, subchannel, method, 4, &classes[i], 1);
}

/* A drawing object, mostly one that can draw at once. */
static void drawing(struct pair *pair, struct input *input) {
    static const uint32_t methods[] = {0x2fc, 0x300, 0x304, 0x3e4, 0x3e8, 0x3ec};
    uint32_t subchannel = take(input, 1) & 3, how = take(input, 1), dma = 4;
    pair->last = subchannel;
    bind(pair, subchannel, drawings[take(input, 1) % (sizeof drawings / sizeof drawings[0])]);
    if (how & 1)
        return;
    bind_all(pair, subchannel, how & 2);
    if (how & 4)
        send(pair, subchannel, 0x184, 4, &dma, 1);
    uint32_t choice = take(input, 1), operation = choice % 6, format = 1 + choice / 6 % 3, order = 1 + choice / 18 % 2;
    const uint32_t values[] = {operation, format, order, operation, format, order & 1};
    for (unsigned i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        uint32_t value = values[i];
        send(pair, subchannel, methods[i], 4, &value, 1);
    }
}

static void context(struct pair *pair, struct input *input) {
    bind(pair, 4 + (take(input, 1) & 1), contexts[take(input, 1) % (sizeof contexts / sizeof contexts[0])]);
}

/* A class at a bind method, which has it as its instance here. */
static void binding(struct pair *pair, struct input *input) {
    uint32_t pick = take(input, 1), class = contexts[pick % (sizeof contexts / sizeof contexts[0])];
    uint32_t method = 0x184 + (take(input, 1) & 7) * 4;
    class = pick > 0xf8 ? 0x30 : pick > 0xf0 ? 4 : class;
    send(pair, take(input, 1) & 3, method, 4, &class, 1);
}

static uint32_t word(struct input *input, unsigned shape) {
    switch (shape & 3) {
    case 0: /* a point or a size */
        return (take(input, 1) | take(input, 1) << 16) & (shape & 4 ? 0x0007000f : UINT32_MAX);
    case 1:
        return take(input, 1);
    case 2: /* with signs */
        return (uint32_t)(int8_t)take(input, 1) << 16 | (uint16_t)(int8_t)take(input, 1);
    default:
        return take(input, 4);
    }
}

static void run(struct pair *pair, struct input *input) {
    static const uint16_t near[] = {0x120,  0x2fc, 0x304, 0x300, 0x304, 0x310, 0x3e4, 0x3f4,  0x3fc, 0x400,
                                    0x484,  0x500, 0x600, 0x5f4, 0x7ec, 0x800, 0xbe4, 0xc00,  0xff0, 0x1000,
                                    0x17f0, 0x200, 0x218, 0x414, 0x7f4, 0xbec, 0xfe8, 0x13e4, 0x1400};
    uint32_t data[MAX_WORDS], pick = take(input, 1), shape = take(input, 1), size = take(input, 1);
    uint32_t count = 1 + (size & 0xe0 ? size % 16 : size % MAX_WORDS);
    unsigned subchannel = shape & 4 ? shape & 3 : pair->last;
    uint32_t method = pick & 0x80 ? take(input, 2) & 0x1ffc : near[pick % (sizeof near / sizeof near[0])];
    method = method < 0x100 ? 0x100 : method;
    for (uint32_t i = 0; i < count; i++)
        data[i] = word(input, shape >> 4);
    send(pair, subchannel, method, shape & 8 ? 0 : 4, data, count);
}

static void compare_files(const struct engine_rig *a, const struct engine_rig *b, unsigned id) {
    const struct engine *one = a->fifo.engines[id].engine, *other = b->fifo.engines[id].engine;
    const struct channel_state *x = one->channels[a->channel.id], *y = other->channels[b->channel.id];
    require(!x == !y);
    require(!x || (x->notify == y->notify && x->volatile_on == y->volatile_on &&
                   memcmp(channel_shared_if_made(one, x, &nv4_state_shared),
                          channel_shared_if_made(other, y, &nv4_state_shared), nv4_state_shared.bytes) == 0));
    for (unsigned i = 0; x && i < ENGINE_MAX_FILES; i++) {
        const struct object *p = x->objects[i], *q = y->objects[i];
        require(!p == !q);
        require(!p || engine_rig_same_object(p, q));
    }
}

static void compare(struct pair *pair) {
    require(pair->whole.faults == pair->single.faults && pair->whole.interrupts == pair->single.interrupts);
    compare_files(&pair->whole, &pair->single, pair->id);
    require_same_memory(&pair->whole.memory, &pair->single.memory, MEMORY_VRAM, ENGINE_RIG_LIMIT);
}

static void records(struct pair *pair, struct input *input) {
    surface(pair, input);
    drawing(pair, input);
    for (unsigned i = 0; i < RECORDS && input->left > 0; i++) {
        uint32_t operation = take(input, 1) % 16;
        if (operation == 0)
            surface(pair, input);
        else if (operation < 3)
            drawing(pair, input);
        else if (operation < 5)
            context(pair, input);
        else if (operation < 8)
            binding(pair, input);
        else
            run(pair, input);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct pair pair; /* too large for the stack of some systems; set up anew each time */
    struct input input = {data, size};
    memset(&pair, 0, sizeof pair);
    const char *chip = chips[take(&input, 1) % (sizeof chips / sizeof chips[0])];
    if (engine_rig_start(&pair.whole, chip) && engine_rig_start(&pair.single, chip)) {
        pair.id = engine_rig_id(&pair.whole, CHIP_UNIT_PGRAPH);
        engine_rig_observe(&pair.whole, "engine.fence");
        engine_rig_observe(&pair.single, "engine.*");
        records(&pair, &input);
        compare(&pair);
    }
    engine_rig_stop(&pair.whole);
    engine_rig_stop(&pair.single);
    return 0;
}
