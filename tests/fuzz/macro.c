/* SPDX-License-Identifier: MIT */
/*
 * Macros of any words, called with any parameters: one machine gets the words in runs, a second one each alone, and is
 * saved and loaded now and then. Both must do the same, in a bounded number of offers.
 *
 *   byte 0    chip
 *   byte 1    how many of the next bytes are code
 *   then      records: operation, operands
 */
#include <stdlib.h>

#include "differential/choice.h"
#include "engine/macro/machine.h"
#include "engine/rig.h"
#include "engine/core/shadow.h"
#include "fuzz/input.h"
#include "fifo/ops.h"

#define RECORDS     12
#define MOST_WORDS  24
#define MOST_OFFERS 4096 /* of a word: 64 slices of instructions, and effects */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const chips[] = {"GF100", "GK104", "GP102", "GV100", "TU102", "GA102"};
static const uint16_t classes[] = {0x9097, 0x902d, 0x9039, 0x90c0, 0xa097, 0xb197, 0xc597, 0xc797, 0xc7c0, 0xcb97};

struct pair {
    struct engine_rig whole, single;
    unsigned id;
    uint8_t saved[1 << 18];
    size_t bytes;
};

static bool collect(void *opaque, const void *data, size_t bytes) {
    struct pair *pair = opaque;
    require(sizeof pair->saved - pair->bytes >= bytes);
    memcpy(pair->saved + pair->bytes, data, bytes);
    pair->bytes += bytes;
    return true;
}

static void reload(struct pair *pair) {
    const struct fifo_engine *slot = &pair->single.fifo.engines[pair->id];
    pair->bytes = 0;
    require(slot->ops->save(slot->engine, collect, pair, NULL) == PFIFO_OK);
    require(slot->ops->load(slot->engine, pair->saved, pair->bytes, NULL) == PFIFO_OK);
}

/* Offer a run until it is taken, or waits for something else than itself. */
static uint32_t send(struct engine_rig *rig, unsigned id, unsigned subchannel, uint32_t method, unsigned step,
                     const uint32_t *data, uint32_t count) {
    uint32_t at = 0, offers = 0;
    while (at < count) {
        uint32_t taken = engine_rig_offer(rig, id, subchannel, method + at * step, step, data + at, count - at);
        offers = taken ? 0 : offers + 1;
        require(offers < MOST_OFFERS);
        if (!taken && !fifo_engine_works(&rig->fifo.engines[id], &rig->channel))
            break;
        at += taken;
    }
    return at;
}

static void both(struct pair *pair, struct choice *c, unsigned subchannel, uint32_t method, unsigned step,
                 const uint32_t *data, uint32_t count) {
    uint32_t whole = send(&pair->whole, pair->id, subchannel, method, step, data, count), single = 0;
    while (single < count &&
           send(&pair->single, pair->id, subchannel, method + single * step, step, data + single, 1) == 1) {
        single++;
        if (choice_once_in(c, 64))
            reload(pair);
    }
    require(whole == single);
}

/* A word of code: anything, or something like an instruction that sets a method, sends or fetches. */
static uint32_t code_word(struct choice *c) {
    static const uint16_t near[] = {0x3400, 0x1b00, 0x1b0c, 0x0550, 0x0558, 0x0560, 0x0114, 0x0118, 0x0124,
                                    0x2310, 0x0180, 0x01b0, 0x0300, 0x3800, 0x0368, 0x02bc, 0x19d0, 0x05e0};
    uint32_t word = choice_word(c), method = near[choice_below(c, sizeof near / sizeof near[0])] >> 2;
    if (choice_once_in(c, 3))
        return word;
    if (choice_once_in(c, 3))
        return 1 | (word & 0x7f0) | (method | (word & 3) << 12) << 14;
    return choice_once_in(c, 4) ? (word & 0x3ffff) | 7 : (word & 0xfffffff0) | choice_below(c, 6);
}

static void code(struct pair *pair, struct choice *c) {
    uint32_t words[3 * MOST_WORDS], at = choice_once_in(c, 2) ? choice_below(c, 256) : choice_word(c);
    uint32_t count = choice_between(c, 1, 3 * MOST_WORDS), number = choice_below(c, 4);
    for (uint32_t i = 0; i < count; i++)
        words[i] = code_word(c);
    both(pair, c, 0, 0x114, 4, &at, 1);
    both(pair, c, 0, 0x118, 0, words, count);
    both(pair, c, 0, 0x11c, 4, (const uint32_t[]){number, at}, 2);
}

static void words_of(struct choice *c, uint32_t *data, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        data[i] = choice_once_in(c, 3) ? choice_word(c) : choice_below(c, 0x4000);
}

static void call(struct pair *pair, struct choice *c) {
    uint32_t data[MOST_WORDS], count = choice_between(c, 1, MOST_WORDS), number = choice_below(c, 4);
    unsigned subchannel = choice_once_in(c, 4) ? choice_below(c, 4) : 0;
    words_of(c, data, count);
    both(pair, c, subchannel, 0x3800 + 8 * number, 4, data, count > 1 && choice_once_in(c, 2) ? 2 : 1);
    if (count > 2)
        both(pair, c, subchannel, 0x3804 + 8 * number, 0, data + 2, count - 2);
}

static void methods(struct pair *pair, struct choice *c) {
    uint32_t data[MOST_WORDS], count = choice_between(c, 1, MOST_WORDS);
    uint32_t method = choice_once_in(c, 4) ? 0x124 : choice_below(c, 0x1000 - MOST_WORDS) << 2;
    words_of(c, data, count);
    both(pair, c, choice_below(c, 4), method, choice_once_in(c, 3) ? 0 : 4, data, method == 0x124 ? 1 : count);
}

static void bind(struct pair *pair, struct choice *c) {
    uint32_t object_class = classes[choice_below(c, sizeof classes / sizeof classes[0])], at = choice_below(c, 4);
    require(engine_rig_bind(&pair->whole, pair->id, at, object_class));
    require(engine_rig_bind(&pair->single, pair->id, at, object_class));
}

static void compare_objects(const struct engine *one, const struct object *p, const struct object *q) {
    require(!p == !q);
    if (!p)
        return;
    require(p->object_class == q->object_class && p->shadowed == q->shadowed && !p->shadow == !q->shadow);
    require(memcmp(p->value, q->value, one->words * sizeof p->value[0]) == 0);
    require(!p->shadow || memcmp(p->shadow, q->shadow, one->words * sizeof p->value[0]) == 0);
}

static void compare_macros(const struct macro *p, const struct macro *q) {
    require(!p == !q);
    if (!p)
        return;
    require(p->pc == q->pc && p->steps == q->steps && p->trap == q->trap && p->trap_pc == q->trap_pc);
    require(memcmp(p->reg, q->reg, sizeof p->reg) == 0);
    require(memcmp(p->code, q->code, (p->isa->code_words + p->isa->starts + p->isa->data_words) * sizeof p->code[0]) ==
            0);
}

static void compare(struct pair *pair) {
    const struct engine *one = pair->whole.fifo.engines[pair->id].engine;
    const struct engine *other = pair->single.fifo.engines[pair->id].engine;
    const struct channel_state *x = one->channels[pair->whole.channel.id], *y = other->channels[pair->whole.channel.id];
    require(pair->whole.faults == pair->single.faults && pair->whole.interrupts == pair->single.interrupts);
    require(x->macro_runs == y->macro_runs);
    for (unsigned i = 0; i < ENGINE_MAX_FILES; i++)
        compare_objects(one, x->objects[i], y->objects[i]);
    compare_macros(channel_shared_if_made(one, x, &macro_shared), channel_shared_if_made(other, y, &macro_shared));
    require_same_memory(&pair->whole.memory, &pair->single.memory, MEMORY_VRAM, ENGINE_RIG_LIMIT);
}

static void play(struct pair *pair, struct choice *c) {
    for (unsigned i = 0; i < 4; i++)
        bind(pair, c);
    for (unsigned i = 0; i < 4; i++) {
        require(engine_rig_bind(&pair->whole, pair->id, i, classes[i]));
        require(engine_rig_bind(&pair->single, pair->id, i, classes[i]));
    }
    for (unsigned i = 0; i < RECORDS && c->at < c->size; i++) {
        switch (choice_below(c, 8)) {
        case 0:
            bind(pair, c);
            break;
        case 1:
        case 2:
            code(pair, c);
            break;
        case 3:
            methods(pair, c);
            break;
        default:
            call(pair, c);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct pair pair; /* too large for the stack of some systems; set up anew each time */
    struct choice choice = choice_from_bytes(data, size);
    const char *chip = chips[choice_below(&choice, sizeof chips / sizeof chips[0])];
    if (engine_rig_start(&pair.whole, chip) && engine_rig_start(&pair.single, chip)) {
        pair.id = engine_rig_id(&pair.whole, CHIP_UNIT_PGRAPH);
        engine_rig_observe(&pair.single, "engine.*");
        play(&pair, &choice);
        compare(&pair);
    }
    engine_rig_stop(&pair.whole);
    engine_rig_stop(&pair.single);
    return 0;
}
