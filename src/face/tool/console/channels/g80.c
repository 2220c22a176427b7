/* SPDX-License-Identifier: MIT */
/*
 * channels of G80 .. MCP89: the playlist, CACHE1, and the table of channels with what their USER pages and RAMFC say.
 *
 * Modelled:     all of it; of USER only what may be read: the low halves of the pointers put the high ones into
 *               shadows, which a program may be about to read
 * Sources:      envytools rnndb/fifo/g80_pfifo.xml, docs/hw/fifo/dma-pusher.rst
 */
#include "chip/chip.h"
#include "face/tool/console/machine/inside.h"
#include "hw/pfifo_nv4.h"
#include "hw/ramfc.h"
#include "hw/user.h"

#include <inttypes.h>

#define CHANNELS    128
#define RAMFC_WORDS (G84_RAMFC_CACHE_INST / 4) /* those that G80 has, too */

static void print_playlist(struct shell *shell) {
    uint32_t list = shell_rd32(shell, NV_PFIFO_PLAYLIST), length = shell_rd32(shell, NV_PFIFO_PLAYLIST_LEN) & 0xfff;

    shell_print(shell, "playlist: %" PRIu32 " channel%s at 0x%" PRIx64 " of %s\n", length, length == 1 ? "" : "s",
                (uint64_t)(list & 0x0fffffff) << 12, shell_target_text(list >> 28));
}

static void print_ib(struct shell *shell) {
    uint32_t config = shell_rd32(shell, NV_CACHE1_IB_CONFIG), order = config >> 16;

    shell_print(shell, ", IB GET %" PRIu32 " PUT %" PRIu32 " of %" PRIu64 " at 0x%" PRIx64,
                shell_rd32(shell, NV_CACHE1_IB_GET), shell_rd32(shell, NV_CACHE1_IB_PUT),
                order < 32 ? UINT64_C(1) << order : 0,
                shell_rd32(shell, NV_CACHE1_IB_ADDRESS_LOW) | (uint64_t)(config & 0xff) << 32);
}

/* Returns the channel. */
static uint32_t print_cache1(struct shell *shell) {
    uint32_t push1 = shell_rd32(shell, NV_CACHE1_PUSH1), channel = push1 & PUSH1_CHID_G80;
    bool dma = push1 & PUSH1_MODE, ib = shell_rd32(shell, NV_CACHE1_DMA_FETCH) & DMA_FETCH_IB_ENABLE;

    if (channel == CHANNEL_IDLE && !shell_rd32(shell, NV_PFIFO_CHAN_TABLE + 4 * CHANNEL_IDLE)) {
        shell_print(shell, "in CACHE1: idle, channel %" PRIu32, channel);
        shell_print_cache1(shell, dma);
        shell_print(shell, "\n");
        return channel;
    }
    shell_print(shell, "in CACHE1: channel %" PRIu32 ", %s, GET 0x%" PRIx32 " PUT 0x%" PRIx32, channel,
                !dma ? "PIO"
                : ib ? "IB"
                     : "DMA",
                shell_rd32(shell, NV_CACHE1_GET), shell_rd32(shell, NV_CACHE1_PUT));
    if (dma)
        shell_print(shell, ", pushbuffer GET 0x%" PRIx64 " PUT 0x%" PRIx64,
                    shell_rd40(shell, NV_CACHE1_DMA_GET, NV_CACHE1_DMA_GET_HIGH),
                    shell_rd40(shell, NV_CACHE1_DMA_PUT, NV_CACHE1_DMA_PUT_HIGH));
    if (dma && ib)
        print_ib(shell);
    shell_print(shell, " REF 0x%" PRIx32, shell_rd32(shell, NV_CACHE1_REF));
    shell_print_cache1(shell, dma);
    shell_print(shell, "\n");
    return channel;
}

/* Entries of the channel table: G80 has RAMFC at the beginning of the descriptor, later chips on its own. */
static const struct channel_entry {
    const char *chips;
    uint32_t address;
    uint8_t address_shift, target_shift;
} channel_entries[] = {
    {"G80", 0x0fffffff, 12, 28},
    {"G84:GF100", 0x00ffffff, 8, 24},
};

uint64_t shell_channels_g80_ramfc_address(const struct pfifo_chip *chip, uint32_t entry, uint32_t *target) {
    const struct channel_entry *layout = CHIP_ROW(chip, channel_entries);

    *target = entry >> layout->target_shift & 3;
    return (uint64_t)(entry & layout->address) << layout->address_shift;
}

static uint64_t pair(const uint32_t *words, unsigned low, unsigned high) {
    return words[low / 4] | (uint64_t)(words[high / 4] & 0xff) << 32;
}

static void shell_channels_g80_print_ramfc(struct shell *shell, uint32_t entry) {
    uint32_t words[RAMFC_WORDS], target;
    uint64_t address = shell_channels_g80_ramfc_address(pfifo_registers_chip(shell->registers), entry, &target);

    if (target == 1 || !shell->target->look(shell, target ? SHELL_SYSTEM : SHELL_VRAM, address, words, RAMFC_WORDS)) {
        shell_print(shell, ", RAMFC at 0x%" PRIx64 " of %s is out of sight", address, shell_target_text(target));
        return;
    }
    shell_print(shell, ", pushbuffer GET 0x%" PRIx64 " PUT 0x%" PRIx64,
                pair(words, G80_RAMFC_DMA_GET, G80_RAMFC_DMA_GET_HIGH),
                pair(words, G80_RAMFC_DMA_PUT, G80_RAMFC_DMA_PUT_HIGH));
    shell_print_pusher_error(shell, words[G80_RAMFC_DMA_STATE / 4]);
    if (words[G80_RAMFC_PULL1 / 4] & PULL1_ACQUIRE_ACTIVE)
        shell_print(shell, ", waits in an acquire for 0x%" PRIx32, words[G80_RAMFC_ACQUIRE_VALUE / 4]);
    if (words[RAMFC_CACHE_CNT / 4])
        shell_print(shell, ", %" PRIu32 " entries of CACHE1", words[RAMFC_CACHE_CNT / 4]);
}

static void print_channel(struct shell *shell, uint32_t channel, uint32_t entry, bool current) {
    static const struct shell_flag flags[] = {
        {CHAN_ENABLE, CHAN_ENABLE, "on"}, {CHAN_ENABLE, 0, "off"}, {CHAN_PENDING, CHAN_PENDING, "pending"}, {0}};
    uint32_t page = NV_USER_DMA + channel * NV_USER_DMA_CHANNEL_G80, target;
    uint64_t address = shell_channels_g80_ramfc_address(pfifo_registers_chip(shell->registers), entry, &target);

    shell_print(shell, "channel %" PRIu32 ": instance 0x%" PRIx64 " of %s", channel, address,
                shell_target_text(target));
    shell_print_flags(shell, entry, flags);
    if (current) {
        shell_print(shell, ", in CACHE1\n");
        return;
    }
    if (entry & CHAN_ENABLE)
        shell_print(shell, ", IB GET %" PRIu32 " PUT %" PRIu32 " REF 0x%" PRIx32,
                    shell_rd32(shell, page + NV_USER_IB_GET), shell_rd32(shell, page + NV_USER_IB_PUT),
                    shell_rd32(shell, page + NV_USER_REF));
    shell_channels_g80_print_ramfc(shell, entry);
    shell_print(shell, "\n");
}

void shell_channels_g80(struct shell *shell) {
    print_playlist(shell);
    uint32_t current = print_cache1(shell);
    for (uint32_t channel = 0; channel < CHANNELS; channel++) {
        uint32_t entry = shell_rd32(shell, NV_PFIFO_CHAN_TABLE + 4 * channel);
        if (entry)
            print_channel(shell, channel, entry, channel == current);
    }
}
