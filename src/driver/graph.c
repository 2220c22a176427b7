/* SPDX-License-Identifier: MIT */
/*
 * The driver of PGRAPH, as far as PFIFO needs it: its interrupt, and the switch of its channel on NV1 .. NV1x.
 *
 * A method of another channel than PGRAPH's waits there, with an interrupt, until the driver has switched PGRAPH to
 * that channel. NV20 and later switch by themselves.
 *
 * Not modelled: moving a graphics context between PGRAPH and memory, since the model has one for each channel. Only the
 * registers that NV1 and NV3 have for the current object are switched.
 * Sources: nouveau engine/gr/{nv04,nv10,nv20,nv40,nv50,gf100}.c; envytools rnndb/graph/nv{1,3,4}_pgraph.xml.
 */
#include "driver/access.h"
#include "driver/interrupts.h"
#include "driver/ops.h"

#include "hw/pfifo_nv4.h"
#include "hw/pgraph.h"
#include "hw/pmc.h"

#define CONTROL_NONE  (GRAPH_CTX_CONTROL_DEVICE | GRAPH_CTX_CONTROL_TIME)
#define CONTROL_VALID (CONTROL_NONE | GRAPH_CTX_CONTROL_CHID)

#define CHANNEL_OF(value, k) ((value) >> (k)->trapped_shift & ((1u << (k)->channel_bits) - 1u))

/* Registers that are switched with the channel, 0 ends the list. On NV3 also the last subchannel and object. */
static const uint32_t context_nv1[GRAPH_CONTEXT_WORDS] = {NV_PGRAPH_DMA_INST_NV1, NV_PGRAPH_NOTIFY_NV1};
static const uint32_t context_nv3[GRAPH_CONTEXT_WORDS] = {NV_PGRAPH_GROBJ_DMA_NV3, NV_PGRAPH_GROBJ_NOTIFY_NV3,
                                                          NV_PGRAPH_GROBJ_INST_NV3, NV_PGRAPH_GROBJ_M2MF_NV3,
                                                          NV_PGRAPH_CTX_USER_NV3};
static const uint32_t context_none[GRAPH_CONTEXT_WORDS];

/* Chips whose driver switches PGRAPH's channel. */
static const struct graph_switch {
    const char *chips;
    uint32_t interrupt; /* bit of INTR */
    uint32_t trapped;   /* which channel wants it */
    uint8_t trapped_shift, channel_bits, user_shift;
    uint32_t access, access_write; /* bits without which a field of `access` is not written */
    uint32_t control, user;
    uint32_t stage, stage_channel; /* the input stage, and its bits that must be cleared */
    const uint32_t *context;       /* registers */
} variants[] = {
    {"NV1", GRAPH_INTR_NV1_CTXSW, NV1_CACHE1_PUSH1, 0, 7, 16, NV_PGRAPH_ACCESS_NV1, GRAPH_ACCESS_WRITE_NV1,
     NV_PGRAPH_CTX_CONTROL_NV1, NV_PGRAPH_CTX_SWITCH_NV1, 0, 0, context_nv1}, /* CACHE1 says which */
    {"NV3:NV4", GRAPH_INTR_NV1_CTXSW, NV_PGRAPH_TRAPPED_ADDR_NV3, 24, 7, 24, NV_PGRAPH_FIFO_NV3, 0,
     NV_PGRAPH_CTX_CONTROL_NV1, NV_PGRAPH_CTX_USER_NV3, 0, 0, context_nv3},
    {"NV4:NV10", GRAPH_INTR_CTXSW, NV_PGRAPH_TRAPPED_ADDR, 24, 4, 24, NV_PGRAPH_FIFO, 0, NV_PGRAPH_CTX_CONTROL_NV4,
     NV_PGRAPH_CTX_USER_NV4, NV_PGRAPH_ST2_ADDR_NV4, 0xfff00000, context_none},
    {"NV10:NV20", GRAPH_INTR_CTXSW, NV_PGRAPH_TRAPPED_ADDR, 20, 5, 24, NV_PGRAPH_FIFO, 0, NV_PGRAPH_CTX_CONTROL_NV10,
     NV_PGRAPH_CTX_USER_NV10, NV_PGRAPH_ST2_ADDR_NV10, 0x30000000, context_none},
};

static const struct graph_switch *switch_of(const struct pfifo_device *device) {
    return CHIP_ROW(device->chip, variants);
}

/* The channel that PGRAPH is on, NULL: none, or not one of this device's. */
static struct pfifo_channel *current(struct pfifo_device *device, const struct graph_switch *variant) {
    uint32_t number = device_rd32(device, variant->user) >> variant->user_shift & ((1u << variant->channel_bits) - 1u);
    return device_rd32(device, variant->control) & GRAPH_CTX_CONTROL_CHID ? device_channel(device, number) : NULL;
}

static void save_context(struct pfifo_channel *channel, const struct graph_switch *variant) {
    for (unsigned i = 0; i < GRAPH_CONTEXT_WORDS && variant->context[i]; i++)
        channel->graph_context[i] = device_rd32(channel->device, variant->context[i]);
}

static void load_context(struct pfifo_device *device, const uint32_t *values, const struct graph_switch *variant) {
    for (unsigned i = 0; i < GRAPH_CONTEXT_WORDS && variant->context[i]; i++)
        device_wr32(device, variant->context[i], values[i]);
}

static const uint32_t no_context[GRAPH_CONTEXT_WORDS];

static void set_channel(struct pfifo_device *device, const struct graph_switch *variant, uint32_t channel, bool valid,
                        const uint32_t *context) {
    uint32_t mask = ((1u << variant->channel_bits) - 1u) << variant->user_shift;
    device_mask(device, variant->access, 1, variant->access_write);
    device_wr32(device, variant->control, valid ? CONTROL_VALID : CONTROL_NONE);
    load_context(device, context, variant);
    device_mask(device, variant->user, mask, channel << variant->user_shift);
    if (variant->stage)
        device_mask(device, variant->stage, variant->stage_channel, 0);
    device_mask(device, variant->access, 0, variant->access_write | 1);
}

/* G80 and later: acknowledge and enable the traps of units. */
static void enable_traps(struct pfifo_device *device) {
    static const struct {
        const char *chips;
        uint32_t offset;
    } units[] = {
        {"G80:GF100", NV_PGRAPH_DISPATCH_TRAP},    {"G80:GF100", NV_PGRAPH_M2MF_TRAP},
        {"G80:GF100", NV_PGRAPH_VFETCH_TRAP},      {"G80:GF100", NV_PGRAPH_STRMOUT_TRAP},
        {"G80:GF100", NV_PGRAPH_CCACHE_TRAP},      {"G80:GF100", NV_PGRAPH_CLIPID_TRAP},
        {"GF100-", NV_PGRAPH_DISPATCH_TRAP_GF100}, {"GF100-", NV_PGRAPH_M2MF_TRAP_GF100},
        {"GF100-", NV_PGRAPH_CCACHE_TRAP_GF100},   {"GF100-", NV_PGRAPH_MACRO_TRAP},
        {"GF100-", NV_PGRAPH_SHADER_TRAP},
    };
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        if (chip_in_range(device->chip, units[i].chips))
            device_wr32(device, units[i].offset, GRAPH_UNIT_CLEAR | GRAPH_UNIT_ENABLE);
    device_wr32(device, NV_PGRAPH_TRAP, ~0u);
    device_wr32(device, NV_PGRAPH_TRAP_EN, ~0u);
}

/* How PGRAPH is switched on. */
static const struct graph_start {
    const char *chips;
    uint32_t intr_en;
    uint32_t debug_3; /* bits to be set */
    bool has_dma;     /* of its own, with an interrupt: NV3 */
    bool has_traps;
} starts[] = {
    {"NV1", NV_PGRAPH_INTR_EN},
    {"NV3:NV4", NV_PGRAPH_INTR_EN, .has_dma = true},
    {"NV4:NV20", NV_PGRAPH_INTR_EN},
    {"NV20:NV40", NV_PGRAPH_INTR_EN, .debug_3 = GRAPH_DEBUG_3_AUTOMATIC | GRAPH_DEBUG_3_FLIPS},
    {"NV40:G80", NV_PGRAPH_INTR_EN_NV40},
    {"G80-", NV_PGRAPH_INTR_EN_NV40, .has_traps = true},
};

void device_graph_enable(struct pfifo_device *device) {
    const struct graph_switch *variant = switch_of(device);
    const struct graph_start *start = CHIP_ROW(device->chip, starts);
    if (start->has_traps) {
        enable_traps(device);
        device_wr32(device, NV_PGRAPH_FIFO_CONTROL, GRAPH_CONTROL_PULL | GRAPH_CONTROL_UNK16);
    }
    device_wr32(device, NV_PGRAPH_INTR, ~0u);
    device_wr32(device, start->intr_en, ~0u);
    if (start->has_dma) {
        device_wr32(device, NV_PGRAPH_DMA_INTR_EN, ~0u);
        device_mask(device, NV_PGRAPH_DEBUG_1, 0, GRAPH_DEBUG_1_GROBJ_DMA_LOAD);
    }
    if (variant)
        set_channel(device, variant, device->chip->channels - 1u, false, no_context);
    if (start->debug_3)
        device_mask(device, NV_PGRAPH_DEBUG_3, 0, start->debug_3);
}

static void graph_switch_channel(struct pfifo_device *device, const struct graph_switch *variant) {
    uint32_t number = CHANNEL_OF(device_rd32(device, variant->trapped), variant);
    struct pfifo_channel *from = current(device, variant), *to = device_channel(device, number);
    device_wr32(device, NV_PGRAPH_INTR, variant->interrupt);
    if (from)
        save_context(from, variant);
    set_channel(device, variant, number, true, to ? to->graph_context : no_context);
}

void device_graph_forget(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    const struct graph_switch *variant = switch_of(device);
    uint32_t mask = variant ? (1u << variant->channel_bits) - 1u : 0;
    if (variant && (device_rd32(device, variant->user) >> variant->user_shift & mask) == channel->number)
        set_channel(device, variant, device->chip->channels - 1u, false, no_context);
}

/* A line that stays up although its interrupts are acknowledged is ignored: it would be reported forever. */
void device_graph_interrupt(struct pfifo_device *device, uint32_t line) {
    const struct graph_switch *variant = switch_of(device);
    uint32_t status = device_rd32(device, NV_PGRAPH_INTR);
    if (variant && (status & variant->interrupt)) {
        graph_switch_channel(device, variant);
        status &= ~variant->interrupt;
    }
    device_graph_errors(device, status);
    device->ignored_lines |= device_rd32(device, NV_PMC_INTR) & line;
}
