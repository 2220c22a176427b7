/* SPDX-License-Identifier: MIT */
/*
 * PGRAPH, as far as PFIFO needs its driver: its interrupt, and on NV1 .. NV1x whose methods it takes.
 *
 * A method of another channel than PGRAPH's waits there, with an interrupt, until the driver has changed the channel.
 * NV20 and later change it by themselves.
 *
 * Not modelled: moving a graphics context between PGRAPH and memory: the model's PGRAPH has one for each channel, but
 * for what NV1 and NV3 have in registers of the object that they work on.
 * Sources: nouveau engine/gr/{nv04,nv10,nv20,nv40,nv50,gf100}.c; envytools rnndb/graph/nv{1,3,4}_pgraph.xml.
 */
#include "driver/access.h"
#include "driver/interrupts.h"
#include "driver/ops.h"

enum {
    PMC_INTR = 0x000100,
    GRAPH_INTR = 0x400100,
    GRAPH_INTR_EN_NV1 = 0x400140,
    GRAPH_INTR_EN_NV40 = 0x40013c,
    GRAPH_DEBUG_1 = 0x400084,
    GRAPH_DMA_INTR_EN = 0x401140,
    GRAPH_DEBUG_3 = 0x40008c,
    GRAPH_FIFO_G80 = 0x400500,
    GRAPH_TRAP = 0x400108,
    GRAPH_TRAP_EN = 0x400138,
};

#define ACCESS_FIFO_WR_NV1   0x01000000u
#define CONTROL_NONE         0x10000100u
#define CONTROL_VALID        0x10010100u
#define CONTROL_CHANNEL      0x00010000u
#define DEBUG_1_LOAD         (1u << 16) /* NV3: take DMA objects from the object in RAMIN */
#define DEBUG_3_AUTOMATIC    (1u << 2)
#define DEBUG_3_FLIPS        (1u << 25) /* Kelvin's methods */
#define CHANNEL_OF(value, k) ((value) >> (k)->trapped_shift & ((1u << (k)->channel_bits) - 1u))

/* What goes with the channel, 0 ends it: NV3 also has its last subchannel and object with the channel itself. */
static const uint32_t context_nv1[GRAPH_CONTEXT_WORDS] = {0x400680, 0x400684};
static const uint32_t context_nv3[GRAPH_CONTEXT_WORDS] = {0x400680, 0x400684, 0x400688, 0x40068c, 0x400194};
static const uint32_t context_none[GRAPH_CONTEXT_WORDS];

/* Chips whose driver changes PGRAPH's channel. */
static const struct graph_kind {
    const char *chips;
    uint32_t interrupt; /* bit of INTR */
    uint32_t trapped;   /* which channel wants it */
    uint8_t trapped_shift, channel_bits, user_shift;
    uint32_t access, access_write; /* bits without which a field of `access` is not written */
    uint32_t control, user;
    uint32_t stage, stage_channel; /* the input stage, and its bits that must not survive the change */
    const uint32_t *context;       /* registers */
} kinds[] = {
    {"NV1", 1u << 4, 0x003210, 0, 7, 16, 0x4006a4, ACCESS_FIFO_WR_NV1, 0x400190, 0x400180, 0, 0,
     context_nv1}, /* it is CACHE1 that says which */
    {"NV3:NV4", 1u << 4, 0x4006b4, 24, 7, 24, 0x4006a4, 0, 0x400190, 0x400194, 0, 0, context_nv3},
    {"NV4:NV10", 1u << 12, 0x400704, 24, 4, 24, 0x400720, 0, 0x400170, 0x400174, 0x400754, 0xfff00000, context_none},
    {"NV10:NV20", 1u << 12, 0x400704, 20, 5, 24, 0x400720, 0, 0x400144, 0x400148, 0x400764, 0x30000000, context_none},
};

static const struct graph_kind *kind_of(const struct pfifo_device *device) {
    return CHIP_ROW(device->chip, kinds);
}

/* The channel that PGRAPH is on, NULL: none, or none of ours. */
static struct pfifo_channel *current(struct pfifo_device *device, const struct graph_kind *kind) {
    uint32_t number = device_rd32(device, kind->user) >> kind->user_shift & ((1u << kind->channel_bits) - 1u);
    return device_rd32(device, kind->control) & CONTROL_CHANNEL ? device_channel(device, number) : NULL;
}

static void save_context(struct pfifo_channel *channel, const struct graph_kind *kind) {
    for (unsigned i = 0; i < GRAPH_CONTEXT_WORDS && kind->context[i]; i++)
        channel->graph_context[i] = device_rd32(channel->device, kind->context[i]);
}

static void load_context(struct pfifo_device *device, const uint32_t *values, const struct graph_kind *kind) {
    for (unsigned i = 0; i < GRAPH_CONTEXT_WORDS && kind->context[i]; i++)
        device_wr32(device, kind->context[i], values[i]);
}

static const uint32_t no_context[GRAPH_CONTEXT_WORDS];

static void set_channel(struct pfifo_device *device, const struct graph_kind *kind, uint32_t channel, bool valid,
                        const uint32_t *context) {
    uint32_t mask = ((1u << kind->channel_bits) - 1u) << kind->user_shift;
    device_mask(device, kind->access, 1, kind->access_write);
    device_wr32(device, kind->control, valid ? CONTROL_VALID : CONTROL_NONE);
    load_context(device, context, kind);
    device_mask(device, kind->user, mask, channel << kind->user_shift);
    if (kind->stage)
        device_mask(device, kind->stage, kind->stage_channel, 0);
    device_mask(device, kind->access, 0, kind->access_write | 1);
}

/* Units that trap, on G80 and later: acknowledged, and allowed to. */
static void enable_traps(struct pfifo_device *device) {
    static const struct {
        const char *chips;
        uint32_t offset;
    } units[] = {
        {"G80:GF100", 0x400804}, {"G80:GF100", 0x406800}, {"G80:GF100", 0x400c04}, {"G80:GF100", 0x401800},
        {"G80:GF100", 0x405018}, {"G80:GF100", 0x402000}, {"GF100-", 0x404000},    {"GF100-", 0x404600},
        {"GF100-", 0x408030},    {"GF100-", 0x404490},    {"GF100-", 0x405840},
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (chip_in_range(device->chip, units[i].chips))
            device_wr32(device, units[i].offset, 0xc0000000);
    device_wr32(device, GRAPH_TRAP, ~0u);
    device_wr32(device, GRAPH_TRAP_EN, ~0u);
}

/* How PGRAPH is switched on. */
static const struct graph_start {
    const char *chips;
    uint32_t intr_en;
    uint32_t debug_3; /* bits to be set */
    bool has_dma;     /* of its own, with an interrupt: NV3 */
    bool has_traps;
} starts[] = {
    {"NV1", GRAPH_INTR_EN_NV1},       {"NV3:NV4", GRAPH_INTR_EN_NV1, .has_dma = true},
    {"NV4:NV20", GRAPH_INTR_EN_NV1},  {"NV20:NV40", GRAPH_INTR_EN_NV1, .debug_3 = DEBUG_3_AUTOMATIC | DEBUG_3_FLIPS},
    {"NV40:G80", GRAPH_INTR_EN_NV40}, {"G80-", GRAPH_INTR_EN_NV40, .has_traps = true},
};

void device_graph_enable(struct pfifo_device *device) {
    const struct graph_kind *kind = kind_of(device);
    const struct graph_start *start = CHIP_ROW(device->chip, starts);
    if (start->has_traps) {
        enable_traps(device);
        device_wr32(device, GRAPH_FIFO_G80, 0x00010001);
    }
    device_wr32(device, GRAPH_INTR, ~0u);
    device_wr32(device, start->intr_en, ~0u);
    if (start->has_dma) {
        device_wr32(device, GRAPH_DMA_INTR_EN, ~0u);
        device_mask(device, GRAPH_DEBUG_1, 0, DEBUG_1_LOAD);
    }
    if (kind)
        set_channel(device, kind, device->chip->channels - 1u, false, no_context);
    if (start->debug_3)
        device_mask(device, GRAPH_DEBUG_3, 0, start->debug_3);
}

static void switch_channel(struct pfifo_device *device, const struct graph_kind *kind) {
    uint32_t number = CHANNEL_OF(device_rd32(device, kind->trapped), kind);
    struct pfifo_channel *from = current(device, kind), *to = device_channel(device, number);
    device_wr32(device, GRAPH_INTR, kind->interrupt);
    if (from)
        save_context(from, kind);
    set_channel(device, kind, number, true, to ? to->graph_context : no_context);
}

void device_graph_forget(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    const struct graph_kind *kind = kind_of(device);
    uint32_t mask = kind ? (1u << kind->channel_bits) - 1u : 0;
    if (kind && (device_rd32(device, kind->user) >> kind->user_shift & mask) == channel->number)
        set_channel(device, kind, device->chip->channels - 1u, false, no_context);
}

/* A line that stays although it is acknowledged would have to be reported again and again. */
void device_graph_interrupt(struct pfifo_device *device, uint32_t line) {
    const struct graph_kind *kind = kind_of(device);
    uint32_t status = device_rd32(device, GRAPH_INTR);
    if (kind && (status & kind->interrupt)) {
        switch_channel(device, kind);
        status &= ~kind->interrupt;
    }
    device_graph_errors(device, status);
    device->ignored_lines |= device_rd32(device, PMC_INTR) & line;
}
