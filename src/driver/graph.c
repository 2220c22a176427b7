/* SPDX-License-Identifier: MIT */
/*
 * PGRAPH, as far as PFIFO needs its driver: its interrupt, and on NV1 .. NV1x whose methods it takes.
 *
 * A method of another channel than PGRAPH's waits there, with an interrupt, until the driver has changed the channel.
 * NV20 and later change it by themselves.
 *
 * Not modelled: moving a graphics context between PGRAPH and memory: the model's PGRAPH has one for each channel.
 * Sources: nouveau engine/gr/{nv04,nv10,nv20,nv40,nv50,gf100}.c; envytools rnndb/graph/nv{1,3,4}_pgraph.xml.
 */
#include "driver/driver.h"

enum {
    PMC_INTR = 0x000100,
    GRAPH_INTR = 0x400100,
    GRAPH_INTR_EN_NV1 = 0x400140,
    GRAPH_INTR_EN_NV40 = 0x40013c,
    GRAPH_DEBUG_3 = 0x40008c,
    GRAPH_FIFO_G80 = 0x400500,
    GRAPH_TRAP = 0x400108,
    GRAPH_TRAP_EN = 0x400138,
};

#define CONTROL_NONE         0x10000100u
#define CONTROL_VALID        0x10010100u
#define DEBUG_3_AUTOMATIC    (1u << 2)
#define CHANNEL_OF(value, k) ((value) >> (k)->trapped_shift & ((1u << (k)->channel_bits) - 1u))

/* Chips whose driver changes PGRAPH's channel. */
static const struct graph_kind {
    const char *chips;
    uint32_t interrupt; /* bit of INTR */
    uint32_t trapped;   /* which channel wants it */
    uint8_t trapped_shift, channel_bits, user_shift;
    uint32_t access, control, user;
    uint32_t stage, stage_channel; /* the input stage, and its bits that must not survive the change */
} kinds[] = {
    {"NV1", 1u << 4, 0x003210, 0, 7, 16, 0x4006a4, 0x400190, 0x400180, 0, 0}, /* it is CACHE1 that says which */
    {"NV3:NV4", 1u << 4, 0x4006b4, 24, 7, 24, 0x4006a4, 0x400190, 0x400194, 0, 0},
    {"NV4:NV10", 1u << 12, 0x400704, 24, 4, 24, 0x400720, 0x400170, 0x400174, 0x400754, 0xfff00000},
    {"NV10:NV20", 1u << 12, 0x400704, 20, 5, 24, 0x400720, 0x400144, 0x400148, 0x400764, 0x30000000},
};

static const struct graph_kind *kind_of(const struct pfifo_device *device) {
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (chip_in_range(device->chip, kinds[i].chips))
            return &kinds[i];
    return NULL;
}

static void set_channel(struct pfifo_device *device, const struct graph_kind *kind, uint32_t channel, bool valid) {
    uint32_t mask = ((1u << kind->channel_bits) - 1u) << kind->user_shift;
    device_mask(device, kind->access, 1, 0);
    device_wr32(device, kind->control, valid ? CONTROL_VALID : CONTROL_NONE);
    device_mask(device, kind->user, mask, channel << kind->user_shift);
    if (kind->stage)
        device_mask(device, kind->stage, kind->stage_channel, 0);
    device_mask(device, kind->access, 0, 1);
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

void device_graph_enable(struct pfifo_device *device) {
    const struct graph_kind *kind = kind_of(device);
    if (device->chip->has_ib) {
        enable_traps(device);
        device_wr32(device, GRAPH_FIFO_G80, 0x00010001);
    }
    device_wr32(device, GRAPH_INTR, ~0u);
    device_wr32(device, chip_in_range(device->chip, "NV1:NV40") ? GRAPH_INTR_EN_NV1 : GRAPH_INTR_EN_NV40, ~0u);
    if (kind)
        set_channel(device, kind, device->chip->channels - 1u, false);
    else if (chip_in_range(device->chip, "NV20:NV40"))
        device_mask(device, GRAPH_DEBUG_3, 0, DEBUG_3_AUTOMATIC);
}

static void switch_channel(struct pfifo_device *device, const struct graph_kind *kind) {
    uint32_t trapped = device_rd32(device, kind->trapped);
    device_wr32(device, GRAPH_INTR, kind->interrupt);
    set_channel(device, kind, CHANNEL_OF(trapped, kind), true);
}

/* A line that stays although it is acknowledged would have to be reported again and again. */
void device_graph_interrupt(struct pfifo_device *device, uint32_t line) {
    const struct graph_kind *kind = kind_of(device);
    uint32_t status = device_rd32(device, GRAPH_INTR);
    if (kind && (status & kind->interrupt)) {
        switch_channel(device, kind);
        status &= ~kind->interrupt;
    }
    if (status)
        device_graph_errors(device, status);
    device->ignored_lines |= device_rd32(device, PMC_INTR) & line;
}
