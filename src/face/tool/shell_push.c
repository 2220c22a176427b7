/* SPDX-License-Identifier: MIT */
/*
 * Where channels read their pushbuffers: from the registers of the channel in CACHE1 or on a PBDMA, from RAMFC of
 * others. The words are read as the pusher reads them, without a trace of it.
 *
 * Modelled:     NV4 .. GP10B, DMA and IB mode
 * Not modelled: PIO, which has no pushbuffer; the pushbuffer that NV3's kernel sends piece by piece
 */
#include "chip/chip.h"
#include "face/tool/shell_inside.h"
#include "gpu/gpu.h"
#include "hw/pbdma.h"
#include "hw/pccsr.h"
#include "hw/pfifo_gf100.h"
#include "hw/pfifo_nv4.h"
#include "hw/pmc.h"
#include "hw/ramfc.h"

#include <inttypes.h>

enum { RESTING_WORDS = RAMFC_CHAN_INST / 4 + 1, CHANNEL_COUNT_NV4 = 32 };

#define STATE_COUNT_SHIFT 18
#define STATE_COUNT_BITS  0x7ffu
#define COUNT_BITS        0xffffffu
#define OBJECT_BITS       0xffffu

struct push_family {
    const char *chips;
    size_t (*loaded)(struct shell *shell, struct shell_push *push, size_t most);
    bool (*resting)(struct shell *shell, uint32_t channel, struct shell_push *push);
    /* Instance and object as the family has them. */
    struct address_space (*space)(struct memory *memory, const struct shell_push *push);
};

static enum memory_target target_of(uint32_t bits) {
    return (bits & 3) == 0 ? MEMORY_VRAM : MEMORY_SYSTEM;
}

/* ---- NV4 .. NV4x: a DMA object in RAMIN ---- */

static bool is_dma(struct shell *shell, uint32_t channel) {
    uint32_t offset;

    return channel < CHANNEL_COUNT_NV4 &&
           pfifo_registers_find(shell->registers, "PFIFO.MODE", &offset, NULL) == PFIFO_OK &&
           shell_rd32(shell, offset) >> channel & 1;
}

static uint32_t count_in_state(uint32_t state) {
    return state >> STATE_COUNT_SHIFT & STATE_COUNT_BITS;
}

static size_t loaded_nv4(struct shell *shell, struct shell_push *push, size_t most) {
    uint32_t push1 = shell_rd32(shell, NV_CACHE1_PUSH1),
             channel = push1 % pfifo_registers_chip(shell->registers)->channels;

    if (!most || !is_dma(shell, channel))
        return 0;
    *push = (struct shell_push){.channel = channel,
                                .loaded = true,
                                .get = shell_rd32(shell, NV_CACHE1_DMA_GET),
                                .put = shell_rd32(shell, NV_CACHE1_DMA_PUT),
                                .left = count_in_state(shell_rd32(shell, NV_CACHE1_DMA_STATE)),
                                .object = (uint64_t)(shell_rd32(shell, NV_CACHE1_DMA_INSTANCE) & OBJECT_BITS) << 4};
    return 1;
}

static bool resting_nv4(struct shell *shell, uint32_t channel, struct shell_push *push) {
    uint32_t get, object, state;

    if (!is_dma(shell, channel) || !shell_channels_nv4_resting(shell, channel, &get, &object, &state))
        return false;
    *push = (struct shell_push){.channel = channel, .get = get, .left = count_in_state(state), .object = object};
    return true;
}

static struct address_space space_nv4(struct memory *memory, const struct shell_push *push) {
    struct dma_object object;

    dma_object_nv4(memory, (uint32_t)push->object, &object);
    return object.space;
}

/* ---- G80 .. MCP89: a DMA object in the channel's descriptor ---- */

/* What says where the descriptor is: of G80 the table of channels, later a register or word of RAMFC. */
static const struct descriptor {
    const char *chips;
    bool in_table;
} descriptors[] = {{"G80", true}, {"G84:GF100", false}};

static void descriptor_g80(struct shell *shell, struct shell_push *push, uint32_t instance) {
    const struct pfifo_chip *chip = pfifo_registers_chip(shell->registers);
    const struct descriptor *at = CHIP_ROW(chip, descriptors);

    if (at->in_table)
        instance = shell_rd32(shell, NV_PFIFO_CHAN_TABLE + 4 * push->channel);
    push->instance = (uint64_t)(instance & 0x0fffffff) << 12;
    push->kind = instance >> 28 & 3;
}

static size_t loaded_g80(struct shell *shell, struct shell_push *push, size_t most) {
    uint32_t push1 = shell_rd32(shell, NV_CACHE1_PUSH1), channel = push1 & PUSH1_CHID_G80;

    if (!most || !(push1 & PUSH1_MODE) || !shell_rd32(shell, NV_PFIFO_CHAN_TABLE + 4 * channel))
        return 0;
    *push = (struct shell_push){.channel = channel,
                                .loaded = true,
                                .get = shell_rd40(shell, NV_CACHE1_DMA_GET, NV_CACHE1_DMA_GET_HIGH),
                                .put = shell_rd40(shell, NV_CACHE1_DMA_PUT, NV_CACHE1_DMA_PUT_HIGH),
                                .left = shell_rd32(shell, NV_CACHE1_METHOD_COUNT) & COUNT_BITS,
                                .object = shell_rd32(shell, NV_CACHE1_DMA_INSTANCE) & OBJECT_BITS};
    descriptor_g80(shell, push, shell_rd32(shell, NV_CACHE1_CHAN_INST));
    return 1;
}

static bool resting_g80(struct shell *shell, uint32_t channel, struct shell_push *push) {
    const struct pfifo_chip *chip = pfifo_registers_chip(shell->registers);
    uint32_t entry, target, words[RESTING_WORDS];
    uint64_t address;

    if (channel >= CHANNEL_IDLE)
        return false;
    entry = shell_rd32(shell, NV_PFIFO_CHAN_TABLE + 4 * channel);
    address = shell_channels_g80_ramfc_address(chip, entry, &target);
    if (!entry || target == 1 ||
        !shell->target->look(shell, target ? SHELL_SYSTEM : SHELL_VRAM, address, words, RESTING_WORDS))
        return false;
    *push = (struct shell_push){.channel = channel,
                                .get = words[G80_RAMFC_DMA_GET / 4] |
                                       (uint64_t)(words[G80_RAMFC_DMA_GET_HIGH / 4] & 0xff) << 32,
                                .left = words[G80_RAMFC_METHOD_COUNT / 4] & COUNT_BITS,
                                .object = words[G80_RAMFC_DMA_INSTANCE / 4] & OBJECT_BITS};
    descriptor_g80(shell, push, words[RAMFC_CHAN_INST / 4]);
    return true;
}

static struct address_space space_g80(struct memory *memory, const struct shell_push *push) {
    struct address_space vm = address_space_vm(memory, target_of(push->kind), push->instance);
    struct dma_object object;

    if (!push->object)
        return address_space_fault(FAULT_NULL_OBJECT);
    dma_object_g80(memory, target_of(push->kind), push->instance + (push->object << 4), &vm, &object);
    object.space.flags &= ~ADDRESS_SPACE_WRITE_ONLY;
    return object.space;
}

/* ---- GF100 .. GP10B: the channel's address space ---- */

static const struct channel_on {
    const char *chips;
    uint32_t table, id, valid; /* of channels; bits of the register of a PBDMA that holds its channel */
} channels_on[] = {
    {"GF100:GK104", NV_PFIFO_CHANNEL_TABLE, PBDMA_CHANNEL_ID_GF100, PBDMA_CHANNEL_ACTIVE_GF100},
    {"GK104:GA100", NV_PCCSR_CHANNEL_INST, PBDMA_CHANNEL_ID, PBDMA_CHANNEL_ACTIVE},
};

static const struct channel_on *channel_on(struct shell *shell) {
    const struct pfifo_chip *chip = pfifo_registers_chip(shell->registers);

    return CHIP_ROW(chip, channels_on);
}

static bool instance_gf100(struct shell *shell, struct shell_push *push) {
    uint32_t word = shell_rd32(shell, channel_on(shell)->table + 8 * push->channel);

    push->instance = (uint64_t)(word & 0x0fffffff) << 12;
    push->kind = word >> 28 & 3;
    return word && !shell_is_silence(word);
}

static size_t loaded_gf100(struct shell *shell, struct shell_push *push, size_t most) {
    const struct channel_on *on = channel_on(shell);
    uint32_t pbdmas = shell_rd32(shell, NV_PMC_SUBFIFO_ENABLE);
    size_t count = 0;

    for (uint32_t i = 0; i < SHELL_PUSHES && count < most; i++) {
        uint32_t page = NV_PBDMA_BASE + i * NV_PBDMA_STRIDE, channel;
        if (!(pbdmas >> i & 1))
            continue;
        channel = shell_rd32(shell, page + NV_PBDMA_CHANNEL);
        if (shell_is_silence(channel) || !(channel & on->valid))
            continue;
        push[count] = (struct shell_push){.channel = channel & on->id,
                                          .loaded = true,
                                          .get = shell_rd40(shell, page + NV_PBDMA_GET, page + NV_PBDMA_GET_HI),
                                          .put = shell_rd40(shell, page + NV_PBDMA_PUT, page + NV_PBDMA_PUT_HI),
                                          .left = shell_rd32(shell, page + NV_PBDMA_PB_COUNT) & COUNT_BITS};
        count += instance_gf100(shell, &push[count]);
    }
    return count;
}

static bool resting_gf100(struct shell *shell, uint32_t channel, struct shell_push *push) {
    uint32_t words[NV_PBDMA_PB_COUNT / 4 + 1];

    *push = (struct shell_push){.channel = channel};
    if (channel >= pfifo_registers_chip(shell->registers)->channels || !instance_gf100(shell, push) ||
        !shell->target->look(shell, push->kind ? SHELL_SYSTEM : SHELL_VRAM, push->instance, words,
                             NV_PBDMA_PB_COUNT / 4 + 1))
        return false;
    push->get = words[NV_PBDMA_GET / 4] | (uint64_t)(words[NV_PBDMA_GET_HI / 4] & 0xff) << 32;
    push->left = words[NV_PBDMA_PB_COUNT / 4] & COUNT_BITS;
    return true;
}

static struct address_space space_gf100(struct memory *memory, const struct shell_push *push) {
    return address_space_vm(memory, target_of(push->kind), push->instance);
}

/* ---- all ---- */

static const struct push_family families[] = {
    {"NV4:G80", loaded_nv4, resting_nv4, space_nv4},
    {"G80:GF100", loaded_g80, resting_g80, space_g80},
    {"GF100:GV100", loaded_gf100, resting_gf100, space_gf100},
};

/* NULL: the chip has no pushbuffers that are known. */
static const struct push_family *family_of(struct shell *shell) {
    const struct pfifo_chip *chip = pfifo_registers_chip(shell->registers);

    return CHIP_ROW(chip, families);
}

static bool is_on(struct shell *shell) {
    return shell_rd32(shell, NV_PMC_ENABLE) & PMC_ENABLE_PFIFO;
}

size_t shell_push_loaded(struct shell *shell, struct shell_push *push, size_t most) {
    const struct push_family *family = family_of(shell);

    return family && is_on(shell) ? family->loaded(shell, push, most) : 0;
}

bool shell_push_find(struct shell *shell, uint32_t channel, struct shell_push *push, struct pfifo_error *error) {
    const struct push_family *family = family_of(shell);
    struct shell_push on[SHELL_PUSHES];
    size_t count = shell_push_loaded(shell, on, SHELL_PUSHES);

    if (!family)
        return refuse(error, "%s has no pushbuffer of a channel", shell_chip(shell));
    if (!is_on(shell))
        return refuse(error, "PFIFO is off in PMC.ENABLE");
    for (size_t i = 0; i < count; i++)
        if (channel == UINT32_MAX || on[i].channel == channel) {
            *push = on[i];
            return true;
        }
    if (channel == UINT32_MAX)
        return refuse(error, "no channel with a pushbuffer is on the chip; channels shows all");
    return family->resting(shell, channel, push) ||
           refuse(error, "channel %" PRIu32 " has no pushbuffer; channels shows all", channel);
}

bool shell_push_read(struct shell *shell, const struct shell_push *push, uint64_t address, void *data, size_t bytes) {
    struct memory *memory = &shell->gpu->memory;
    struct address_space space = family_of(shell)->space(memory, push);

    return memory_peek(memory, &space, address, data, bytes);
}
