/* SPDX-License-Identifier: MIT */
/*
 * Whatever moves memory (M2MF, inline data, copy engines), told to do so in random words, two ways: runs offered whole
 * to one machine, and word by word to a second one that is saved and restored in between. Registers, memory, faults
 * and interrupts must be the same. What takes many slices is given up after a few of them.
 *
 *   byte 0   chip, unit and class
 *   then     records: operation, operands
 */
#include <stdlib.h>

#include "engine/copy/inline.h"
#include "engine/rig.h"
#include "fuzz/input.h"
#include "unit/graph/graph.h"

#define RECORDS   96
#define MAX_WORDS 64
#define SLICES    3

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct {
    const char *chip;
    enum chip_unit unit;
    uint16_t object_class;
    uint16_t methods[24]; /* where runs begin */
} cases[] = {
    {"NV40", CHIP_UNIT_PGRAPH, 0x0039, {0x180, 0x104, 0x30c, 0x310, 0x314, 0x31c, 0x320, 0x324, 0x328}},
    {"G80", CHIP_UNIT_PGRAPH, 0x5039, {0x180, 0x104, 0x200, 0x21c, 0x238, 0x30c, 0x31c, 0x324, 0x328, 0x204, 0x220}},
    {"GF100",
     CHIP_UNIT_PGRAPH,
     0x9039,
     {0x204, 0x220, 0x238, 0x300, 0x304, 0x308, 0x30c, 0x314, 0x31c, 0x32c, 0x338, 0x344, 0x130, 0x304, 0x304}},
    {"GK104", CHIP_UNIT_PGRAPH, 0xa040, {0x180, 0x188, 0x190, 0x194, 0x1a4, 0x1b0, 0x1b4, 0x1dc, 0x1550, 0x130, 0x1b4}},
    {"GM107", CHIP_UNIT_PGRAPH, 0xb097, {0x180, 0x188, 0x190, 0x194, 0x1a4, 0x1b0, 0x1b4, 0x1dc, 0x1b4, 0x1b4}},
    {"GT215",
     CHIP_UNIT_PCOPY0,
     0x85b5,
     {0x180, 0x200, 0x220, 0x240, 0x300, 0x30c, 0x31c, 0x324, 0x32c, 0x338, 0x400, 0x410, 0x418, 0x700, 0x708, 0x70c,
      0x728}},
    {"GF100",
     CHIP_UNIT_PCOPY0,
     0x90b5,
     {0x200, 0x220, 0x240, 0x250, 0x254, 0x300, 0x30c, 0x31c, 0x324, 0x32c, 0x338, 0x400, 0x410, 0x418, 0x700, 0x708,
      0x70c, 0x728}},
    {"GK104",
     CHIP_UNIT_PCOPY0,
     0xa0b5,
     {0x240, 0x254, 0x260, 0x300, 0x400, 0x404, 0x40c, 0x410, 0x418, 0x700, 0x708, 0x70c, 0x728}},
    {"GP102",
     CHIP_UNIT_PCOPY0,
     0xc1b5,
     {0x240, 0x254, 0x260, 0x300, 0x400, 0x404, 0x40c, 0x410, 0x418, 0x700, 0x708, 0x70c, 0x728, 0x720, 0x744}},
    {"GH100",
     CHIP_UNIT_PCOPY0,
     0xc8b5,
     {0x240, 0x254, 0x260, 0x300, 0x400, 0x404, 0x40c, 0x410, 0x418, 0x700, 0x708, 0x70c, 0x728, 0x744}},
    {"NV3", CHIP_UNIT_PGRAPH, 0x0039, {0x104, 0x30c, 0x310, 0x314, 0x31c, 0x320, 0x324, 0x328, 0x180, 0x328, 0x104}},
};

struct pair {
    struct engine_rig whole, single;
    unsigned id, number;
};

static void bind(struct pair *pair) {
    uint32_t object_class = cases[pair->number].object_class;
    require(engine_rig_bind(&pair->whole, pair->id, 0, object_class));
    require(engine_rig_bind(&pair->single, pair->id, 0, object_class));
}

/* NV3: the DMA objects that PGRAPH has loaded. */
static void load_objects(struct engine_rig *rig) {
    rig->fifo.graph->r.object_notify = 7;
    rig->fifo.graph->r.object_dma = 1;
    rig->fifo.graph->r.object_m2mf = 2;
}

static void forget(struct pair *pair) {
    const struct fifo_engine *a = &pair->whole.fifo.engines[pair->id], *b = &pair->single.fifo.engines[pair->id];
    a->ops->channel_gone(a->engine, pair->whole.channel.id);
    b->ops->channel_gone(b->engine, pair->single.channel.id);
    bind(pair);
}

/* ---- saving ---- */

struct stream {
    uint8_t data[1 << 18];
    size_t bytes;
};

static bool collect(void *opaque, const void *data, size_t bytes) {
    struct stream *stream = opaque;
    require(bytes <= sizeof stream->data - stream->bytes);
    memcpy(stream->data + stream->bytes, data, bytes);
    stream->bytes += bytes;
    return true;
}

static void save_and_load(struct pair *pair) {
    static struct stream stream;
    const struct fifo_engine *engine = &pair->single.fifo.engines[pair->id];
    stream.bytes = 0;
    require(engine->ops->save(engine->engine, collect, &stream, NULL) == PFIFO_OK);
    require(engine->ops->load(engine->engine, stream.data, stream.bytes, NULL) == PFIFO_OK);
}

/* ---- runs ---- */

/* Values that mean something to one or the other method; otherwise small ones, so that addresses are in memory. */
static uint32_t pick_value(struct input *input, unsigned shape) {
    static const uint32_t special[] = {0,       1,          0x101,      0x110,      0x111,       0x386,   0x78e,
                                       0x70e,   0x68e,      0x60e,      0x102110,   0x102111,    0x1021,  0x1020,
                                       0x3110,  0x3111,     0x3000,     0x1000,     0x100e,      0xe,     0x10001210,
                                       0x30004, 0x33033210, 0xffffffff, 0x80000000, 0xffffffc0u, 0x30010, 0x7fff};
    if (shape == 3)
        return special[take(input, 1) % (sizeof special / sizeof special[0])];
    return take(input, shape == 2 ? 4 : shape + 1);
}

static uint32_t send_words(struct engine_rig *rig, unsigned id, uint32_t method, unsigned step, const uint32_t *data,
                           uint32_t count, uint32_t at_once) {
    uint32_t at = 0;
    for (unsigned stalls = 0; at < count && stalls < SLICES;) {
        uint32_t left = count - at, run = left < at_once ? left : at_once;
        uint32_t taken = engine_rig_offer(rig, id, 0, method + at * step, step, data + at, run);
        require(taken <= run);
        stalls = taken ? 0 : stalls + 1;
        at += taken;
    }
    return at;
}

static void run(struct pair *pair, struct input *input) {
    uint32_t data[MAX_WORDS];
    const uint16_t *methods = cases[pair->number].methods;
    uint32_t pick = take(input, 1), shape = take(input, 1), count = 1 + take(input, 1) % MAX_WORDS;
    uint32_t method = methods[pick % 24] ? methods[pick % 24] : 0x300;
    unsigned step = shape & 1 ? 0 : 4;
    for (uint32_t i = 0; i < count; i++)
        data[i] = pick_value(input, shape >> 1 & 3);
    uint32_t whole = send_words(&pair->whole, pair->id, method, step, data, count, UINT32_MAX);
    uint32_t single = send_words(&pair->single, pair->id, method, step, data, count, 1);
    require(whole == single);
    if (whole < count)
        forget(pair);
}

/* ---- the same ---- */

static void compare_inline(const struct inline_launch *a, const struct inline_launch *b) {
    require(a->bytes == b->bytes && a->left == b->left && a->address == b->address && a->data == b->data);
    require(a->linear == b->linear && a->forbidden == b->forbidden && a->block_size == b->block_size);
}

static void compare_objects(const struct pair *pair) {
    const struct engine *one = pair->whole.fifo.engines[pair->id].engine;
    const struct engine *other = pair->single.fifo.engines[pair->id].engine;
    const struct channel_state *x = one->channels[pair->whole.channel.id];
    const struct channel_state *y = other->channels[pair->single.channel.id];
    const struct object *p = x->objects[0], *q = y->objects[0];
    require(engine_rig_same_object(p, q) && x->notify == y->notify);
    if (object_part(p, &inline_part))
        compare_inline(object_part(p, &inline_part), object_part(q, &inline_part));
}

static void compare(struct pair *pair) {
    require(pair->whole.faults == pair->single.faults && pair->whole.interrupts == pair->single.interrupts);
    require(pair->whole.fifo.graph->r.object_notify == pair->single.fifo.graph->r.object_notify);
    compare_objects(pair);
    require_same_memory(&pair->whole.memory, &pair->single.memory, MEMORY_VRAM, 0x100000);
    require_same_memory(&pair->whole.memory, &pair->single.memory, MEMORY_SYSTEM, 0x10000);
}

static void fill(struct pair *pair) {
    for (uint32_t i = 0; i < 0x4000; i += 4) {
        uint32_t address = i * 8 % 0x80000, value = i * 2654435761u;
        engine_rig_wr32(&pair->whole, address, value);
        engine_rig_wr32(&pair->single, address, value);
    }
}

static void records(struct pair *pair, struct input *input) {
    for (unsigned i = 0; i < RECORDS && input->left > 0; i++) {
        uint32_t operation = take(input, 1);
        if (operation % 16 == 1) {
            uint32_t address = take(input, 2) << 2, value = take(input, 1);
            engine_rig_wr32(&pair->whole, address, value);
            engine_rig_wr32(&pair->single, address, value);
        } else if (operation % 64 == 2) {
            forget(pair);
        } else if (operation % 16 == 3) {
            save_and_load(pair);
        } else {
            run(pair, input);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct pair pair; /* too large for the stack of some systems; set up anew each time */
    struct input input = {data, size};
    memset(&pair, 0, sizeof pair);
    pair.number = take(&input, 1) % (sizeof cases / sizeof cases[0]);
    const char *chip = cases[pair.number].chip;
    if (engine_rig_start(&pair.whole, chip) && engine_rig_start(&pair.single, chip)) {
        pair.id = engine_rig_id(&pair.whole, cases[pair.number].unit);
        engine_rig_observe(&pair.single, "engine.*");
        load_objects(&pair.whole);
        load_objects(&pair.single);
        bind(&pair);
        fill(&pair);
        records(&pair, &input);
        compare(&pair);
    }
    engine_rig_stop(&pair.whole);
    engine_rig_stop(&pair.single);
    return 0;
}
