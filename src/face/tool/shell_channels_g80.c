/* SPDX-License-Identifier: MIT */
/*
 * channels of G80 .. MCP89: the playlist, CACHE1, and the table of channels with what their USER pages and RAMFC say.
 *
 * Modelled:     all of it; of USER only what may be read: the low halves of the pointers put the high ones into
 *               shadows, which a program may be about to read
 * Sources:      envytools rnndb/fifo/g80_pfifo.xml, docs/hw/fifo/dma-pusher.rst
 */
#include "chip/chip.h"
#include "face/tool/shell_inside.h"

#include <inttypes.h>

#define CHANNELS     128
#define IDLE         127 /* the channel number that stands for none */
#define CHAN_TABLE   0x2600u
#define CHAN_ENABLE  (1u << 31)
#define CHAN_PENDING (1u << 30)
#define USER         0xc00000u
#define USER_PAGE    0x2000u
#define USER_REF     0x48u
#define USER_IB_GET  0x88u
#define USER_IB_PUT  0x8cu
#define RAMFC_WORDS  (0x88 / 4)

static void print_playlist(struct shell *shell) {
    uint32_t list = shell_rd32(shell, 0x32f4), length = shell_rd32(shell, 0x32ec) & 0xfff;

    shell_print(shell, "playlist: %" PRIu32 " channel%s at 0x%" PRIx64 " of %s\n", length, length == 1 ? "" : "s",
                (uint64_t)(list & 0x0fffffff) << 12, shell_target_text(list >> 28));
}

static uint64_t wide(struct shell *shell, uint32_t low, uint32_t high) {
    return shell_rd32(shell, low) | (uint64_t)(shell_rd32(shell, high) & 0xff) << 32;
}

static void print_ib(struct shell *shell) {
    uint32_t config = shell_rd32(shell, 0x3344), order = config >> 16;

    shell_print(shell, ", IB GET %" PRIu32 " PUT %" PRIu32 " of %" PRIu64 " at 0x%" PRIx64, shell_rd32(shell, 0x3334),
                shell_rd32(shell, 0x3330), order < 32 ? UINT64_C(1) << order : 0,
                shell_rd32(shell, 0x3340) | (uint64_t)(config & 0xff) << 32);
}

/* Returns the channel. */
static uint32_t print_cache1(struct shell *shell) {
    uint32_t push1 = shell_rd32(shell, 0x3204), channel = push1 & 0x7f;
    bool dma = push1 >> 16 & 1, ib = shell_rd32(shell, 0x3224) >> 30 & 1;

    if (channel == IDLE && !shell_rd32(shell, CHAN_TABLE + 4 * IDLE)) {
        shell_print(shell, "in CACHE1: idle, channel %" PRIu32, channel);
        shell_print_cache1(shell, dma);
        shell_print(shell, "\n");
        return channel;
    }
    shell_print(shell, "in CACHE1: channel %" PRIu32 ", %s, GET 0x%" PRIx32 " PUT 0x%" PRIx32, channel,
                !dma ? "PIO"
                : ib ? "IB"
                     : "DMA",
                shell_rd32(shell, 0x3270), shell_rd32(shell, 0x3210));
    if (dma)
        shell_print(shell, ", pushbuffer GET 0x%" PRIx64 " PUT 0x%" PRIx64, wide(shell, 0x3244, 0x3328),
                    wide(shell, 0x3240, 0x3320));
    if (dma && ib)
        print_ib(shell);
    shell_print(shell, " REF 0x%" PRIx32, shell_rd32(shell, 0x3248));
    shell_print_cache1(shell, dma);
    shell_print(shell, "\n");
    return channel;
}

/* G80 has RAMFC at the beginning of the descriptor, later chips on its own. */
static uint64_t ramfc_address(const struct pfifo_chip *chip, uint32_t entry, uint32_t *target) {
    bool alone = chip_in_range(chip, "G84:GF100");

    *target = entry >> (alone ? 24 : 28) & 3;
    return alone ? (uint64_t)(entry & 0x00ffffff) << 8 : (uint64_t)(entry & 0x0fffffff) << 12;
}

static uint64_t pair(const uint32_t *words, unsigned low, unsigned high) {
    return words[low / 4] | (uint64_t)(words[high / 4] & 0xff) << 32;
}

static void print_ramfc(struct shell *shell, uint32_t entry) {
    uint32_t words[RAMFC_WORDS], target;
    uint64_t address = ramfc_address(pfifo_registers_chip(shell->registers), entry, &target);

    if (target == 1 || !shell->target->look(shell, target ? SHELL_SYSTEM : SHELL_VRAM, address, words, RAMFC_WORDS)) {
        shell_print(shell, ", RAMFC at 0x%" PRIx64 " of %s is out of sight", address, shell_target_text(target));
        return;
    }
    shell_print(shell, ", pushbuffer GET 0x%" PRIx64 " PUT 0x%" PRIx64, pair(words, 0x10, 0x14),
                pair(words, 0x08, 0x0c));
    shell_print_pusher_error(shell, words[0x30 / 4]);
    if (words[0x5c / 4] >> 4 & 1)
        shell_print(shell, ", waits in an acquire for 0x%" PRIx32, words[0x68 / 4]);
    if (words[0x84 / 4])
        shell_print(shell, ", %" PRIu32 " entries of CACHE1", words[0x84 / 4]);
}

static void print_channel(struct shell *shell, uint32_t channel, uint32_t entry, bool current) {
    static const struct shell_flag flags[] = {
        {CHAN_ENABLE, CHAN_ENABLE, "on"}, {CHAN_ENABLE, 0, "off"}, {CHAN_PENDING, CHAN_PENDING, "pending"}, {0}};
    uint32_t page = USER + channel * USER_PAGE, target;
    uint64_t address = ramfc_address(pfifo_registers_chip(shell->registers), entry, &target);

    shell_print(shell, "channel %" PRIu32 ": instance 0x%" PRIx64 " of %s", channel, address,
                shell_target_text(target));
    shell_print_flags(shell, entry, flags);
    if (current) {
        shell_print(shell, ", in CACHE1\n");
        return;
    }
    if (entry & CHAN_ENABLE)
        shell_print(shell, ", IB GET %" PRIu32 " PUT %" PRIu32 " REF 0x%" PRIx32, shell_rd32(shell, page + USER_IB_GET),
                    shell_rd32(shell, page + USER_IB_PUT), shell_rd32(shell, page + USER_REF));
    print_ramfc(shell, entry);
    shell_print(shell, "\n");
}

void shell_channels_g80(struct shell *shell) {
    print_playlist(shell);
    uint32_t current = print_cache1(shell);
    for (uint32_t channel = 0; channel < CHANNELS; channel++) {
        uint32_t entry = shell_rd32(shell, CHAN_TABLE + 4 * channel);
        if (entry)
            print_channel(shell, channel, entry, channel == current);
    }
}
