/* SPDX-License-Identifier: MIT */
/*
 * channels of G80 .. MCP89: the playlist, CACHE1, and the table of channels with what their USER pages and RAMFC say.
 *
 * Modelled:     all of it; of USER only what may be read: the low halves of the pointers put the high ones into
 *               shadows, which a program may be about to read
 * Sources:      envytools rnndb/fifo/g80_pfifo.xml, docs/hw/fifo/dma-pusher.rst
 */
#include "chip/chip.h"
#include "chip/counted.h"
#include "face/tool/console/channels/channels.h"
#include "face/tool/console/machine/show.h"
#include "face/tool/console/target.h"
#include "hw/pfifo_nv4.h"
#include "hw/ramfc.h"
#include "hw/user.h"

#include <inttypes.h>

#define CHANNELS    128
#define RAMFC_WORDS (G84_RAMFC_CACHE_INST / 4) /* those that G80 has, too */

static void print_playlist(struct console *console) {
    uint32_t list = console_rd32(console, NV_PFIFO_PLAYLIST),
             length = console_rd32(console, NV_PFIFO_PLAYLIST_LEN) & 0xfff;

    console_print(console, "playlist: %s at 0x%" PRIx64 " of %s\n", counted(length, "channel").text,
                  (uint64_t)(list & 0x0fffffff) << 12, console_target_text(list >> 28));
}

static void print_ib(struct console *console) {
    uint32_t config = console_rd32(console, NV_CACHE1_IB_CONFIG), order = config >> 16;

    console_print(console, ", IB GET %" PRIu32 " PUT %" PRIu32 " of %" PRIu64 " at 0x%" PRIx64,
                  console_rd32(console, NV_CACHE1_IB_GET), console_rd32(console, NV_CACHE1_IB_PUT),
                  order < 32 ? UINT64_C(1) << order : 0,
                  console_rd32(console, NV_CACHE1_IB_ADDRESS_LOW) | (uint64_t)(config & 0xff) << 32);
}

/* Returns the channel. */
static uint32_t print_cache1(struct console *console) {
    uint32_t push1 = console_rd32(console, NV_CACHE1_PUSH1), channel = push1 & PUSH1_CHID_G80;
    bool dma = push1 & PUSH1_MODE, ib = console_rd32(console, NV_CACHE1_DMA_FETCH) & DMA_FETCH_IB_ENABLE;

    if (channel == CHANNEL_IDLE && !console_rd32(console, NV_PFIFO_CHAN_TABLE + 4 * CHANNEL_IDLE)) {
        console_print(console, "in CACHE1: idle, channel %" PRIu32, channel);
        console_print_cache1(console, dma);
        console_print(console, "\n");
        return channel;
    }
    console_print(console, "in CACHE1: channel %" PRIu32 ", %s, GET 0x%" PRIx32 " PUT 0x%" PRIx32, channel,
                  !dma ? "PIO"
                  : ib ? "IB"
                       : "DMA",
                  console_rd32(console, NV_CACHE1_GET), console_rd32(console, NV_CACHE1_PUT));
    if (dma)
        console_print(console, ", pushbuffer GET 0x%" PRIx64 " PUT 0x%" PRIx64,
                      console_rd40(console, NV_CACHE1_DMA_GET, NV_CACHE1_DMA_GET_HIGH),
                      console_rd40(console, NV_CACHE1_DMA_PUT, NV_CACHE1_DMA_PUT_HIGH));
    if (dma && ib)
        print_ib(console);
    console_print(console, " REF 0x%" PRIx32, console_rd32(console, NV_CACHE1_REF));
    console_print_cache1(console, dma);
    console_print(console, "\n");
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

uint64_t console_channels_g80_ramfc_address(const struct pfifo_chip *chip, uint32_t entry, uint32_t *target) {
    const struct channel_entry *layout = CHIP_ROW(chip, channel_entries);

    *target = entry >> layout->target_shift & 3;
    return (uint64_t)(entry & layout->address) << layout->address_shift;
}

static uint64_t g80_pair(const uint32_t *words, unsigned low, unsigned high) {
    return words[low / 4] | (uint64_t)(words[high / 4] & 0xff) << 32;
}

static void console_channels_g80_print_ramfc(struct console *console, uint32_t entry) {
    uint32_t words[RAMFC_WORDS], target;
    uint64_t address = console_channels_g80_ramfc_address(pfifo_registers_chip(console->registers), entry, &target);

    if (target == 1 ||
        !console->target->look(console, target ? CONSOLE_SYSTEM : CONSOLE_VRAM, address, words, RAMFC_WORDS)) {
        console_print(console, ", RAMFC at 0x%" PRIx64 " of %s is out of sight", address, console_target_text(target));
        return;
    }
    console_print(console, ", pushbuffer GET 0x%" PRIx64 " PUT 0x%" PRIx64,
                  g80_pair(words, G80_RAMFC_DMA_GET, G80_RAMFC_DMA_GET_HIGH),
                  g80_pair(words, G80_RAMFC_DMA_PUT, G80_RAMFC_DMA_PUT_HIGH));
    console_print_pusher_error(console, words[G80_RAMFC_DMA_STATE / 4]);
    if (words[G80_RAMFC_PULL1 / 4] & PULL1_ACQUIRE_ACTIVE)
        console_print(console, ", waits in an acquire for 0x%" PRIx32, words[G80_RAMFC_ACQUIRE_VALUE / 4]);
    if (words[RAMFC_CACHE_CNT / 4])
        console_print(console, ", %s of CACHE1", counted(words[RAMFC_CACHE_CNT / 4], "entry").text);
}

static void g80_print_channel(struct console *console, uint32_t channel, uint32_t entry, bool current) {
    static const struct console_flag flags[] = {
        {CHAN_ENABLE, CHAN_ENABLE, "on"}, {CHAN_ENABLE, 0, "off"}, {CHAN_PENDING, CHAN_PENDING, "pending"}, {0}};
    uint32_t page = NV_USER_DMA + channel * NV_USER_DMA_CHANNEL_G80, target;
    uint64_t address = console_channels_g80_ramfc_address(pfifo_registers_chip(console->registers), entry, &target);

    console_print(console, "channel %" PRIu32 ": instance 0x%" PRIx64 " of %s", channel, address,
                  console_target_text(target));
    console_print_flags(console, entry, flags);
    if (current) {
        console_print(console, ", in CACHE1\n");
        return;
    }
    if (entry & CHAN_ENABLE)
        console_print(console, ", IB GET %" PRIu32 " PUT %" PRIu32 " REF 0x%" PRIx32,
                      console_rd32(console, page + NV_USER_IB_GET), console_rd32(console, page + NV_USER_IB_PUT),
                      console_rd32(console, page + NV_USER_REF));
    console_channels_g80_print_ramfc(console, entry);
    console_print(console, "\n");
}

void console_channels_g80(struct console *console) {
    print_playlist(console);
    uint32_t current = print_cache1(console);
    for (uint32_t channel = 0; channel < CHANNELS; channel++) {
        uint32_t entry = console_rd32(console, NV_PFIFO_CHAN_TABLE + 4 * channel);
        if (entry)
            g80_print_channel(console, channel, entry, channel == current);
    }
}
