/* SPDX-License-Identifier: MIT */
/*
 * Runs of methods for engines, two ways: offered whole to one machine, and method by method to a second one on which
 * every event is observed. Registers, memory, fences, faults and interrupts must be the same.
 *
 *   byte 0, 1   chip, engine
 *   then        records: operation, operands
 */
#include <pfifo/classes.h>

#include <stdlib.h>

#include "engine/core/action.h"
#include "engine/rig.h"
#include "fuzz/input.h"
#include "unit/graph/graph.h"

#define RECORDS   64
#define MAX_WORDS 48

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const chips[] = {"NV40",  "NV44",  "G80",   "G84",   "GT215", "GF100", "GK104",
                                    "NV31",  "G98",   "MCP89", "GM107", "GM20B", "GP102", "GV100",
                                    "TU102", "GA102", "GH100", "NV3",   "NV1"};

struct pair {
    struct engine_rig whole, single;
    unsigned id;
};

static void bind(struct pair *pair, struct input *input) {
    uint32_t pick = take(input, 2), subchannel = take(input, 1) & 7;
    uint32_t class = pick & 0x8000 ? pick : pfifo_class_at(pick % pfifo_class_count())->id & 0xffff;
    bool taken = engine_rig_bind(&pair->whole, pair->id, subchannel, class);
    require(taken == engine_rig_bind(&pair->single, pair->id, subchannel, class));
}

/* Interesting methods are where things happen; data is often small, so that addresses are in memory. */
static uint32_t pick_method(uint32_t pick) {
    static const uint16_t near[] = {0x100, 0x180, 0x1b0, 0x1dc, 0x240, 0x300, 0x328, 0x338, 0x31c, 0x610, 0x1800,
                                    0x1b00, 0x1b0c, 0x1d6c, 0x158, 0x2310,
                                    /* grids, video, ciphers */
                                    0x2b4, 0x2bc, 0x2c0, 0x318, 0x320, 0x368, 0x394, 0x160, 0x200, 0x210, 0x218, 0x304,
                                    0x30c, 0x314, 0x330, 0x700};
    return pick & 0x100 ? near[pick & 31] + (pick >> 7 & 0xc) : pick >> 2 & 0x3ffc;
}

static void run(struct pair *pair, struct input *input) {
    uint32_t data[MAX_WORDS];
    uint32_t method = pick_method(take(input, 2)), shape = take(input, 1), count = 1 + take(input, 1) % MAX_WORDS;
    unsigned step = shape & 1 ? 0 : 4, subchannel = shape >> 1 & 7;
    for (uint32_t i = 0; i < count; i++)
        data[i] = take(input, shape & 0x20 ? 4 : shape & 0x10 ? 2 : 1);
    uint32_t whole = engine_rig_send(&pair->whole, pair->id, subchannel, method, step, data, count), single = 0;
    while (single < count &&
           engine_rig_send(&pair->single, pair->id, subchannel, method + single * step, step, data + single, 1) == 1)
        single++;
    require(whole <= count && whole == single);
}

static void compare_files(const struct engine_rig *a, const struct engine_rig *b, unsigned id) {
    const struct engine *one = a->fifo.engines[id].engine, *other = b->fifo.engines[id].engine;
    const struct channel_state *x = one->channels[a->channel.id], *y = other->channels[b->channel.id];
    require(!x == !y);
    for (unsigned i = 0; x && i < ENGINE_MAX_FILES; i++) {
        const struct object *p = x->objects[i], *q = y->objects[i];
        require(!p == !q);
        require(!p || engine_rig_same_object(p, q));
    }
}

static void compare(struct pair *pair) {
    require(pair->whole.faults == pair->single.faults && pair->whole.interrupts == pair->single.interrupts);
    require(pair->whole.events == engine_rig_count(&pair->single, EVENT_ENGINE_FENCE) ||
            pair->single.events > ENGINE_RIG_EVENTS);
    require(pair->whole.fifo.graph->r.object_notify == pair->single.fifo.graph->r.object_notify);
    compare_files(&pair->whole, &pair->single, pair->id);
    require_same_memory(&pair->whole.memory, &pair->single.memory, MEMORY_VRAM, ENGINE_RIG_LIMIT);
}

static void records(struct pair *pair, struct input *input) {
    for (unsigned i = 0; i < RECORDS && input->left > 0; i++) {
        uint32_t operation = take(input, 1);
        if (operation % 8 == 0) {
            bind(pair, input);
        } else if (operation % 16 == 1) {
            uint32_t address = take(input, 2) << 2, value = take(input, 1);
            engine_rig_wr32(&pair->whole, address, value);
            engine_rig_wr32(&pair->single, address, value);
        } else if (operation % 64 == 2) {
            const struct fifo_engine *a = &pair->whole.fifo.engines[pair->id];
            const struct fifo_engine *b = &pair->single.fifo.engines[pair->id];
            a->ops->channel_gone(a->engine, pair->whole.channel.id);
            b->ops->channel_gone(b->engine, pair->single.channel.id);
        } else {
            run(pair, input);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct pair pair; /* too large for the stack of some systems; set up anew each time */
    struct input input = {data, size};
    memset(&pair, 0, sizeof pair);
    const char *chip = chips[take(&input, 1) % (sizeof chips / sizeof chips[0])];
    pair.id = take(&input, 1) % CHIP_MAX_ENGINES;
    if (engine_rig_start(&pair.whole, chip) && engine_rig_start(&pair.single, chip)) {
        if (!pair.whole.fifo.engines[pair.id].ops)
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
