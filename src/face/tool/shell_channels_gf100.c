/* SPDX-License-Identifier: MIT */
/*
 * channels of GF100 .. TU117: the table of channels, the PBDMAs (PSUBFIFOs on GF100) and the engines.
 *
 * Modelled:     all of it, from registers; the progress of a channel that is not on a PBDMA is in its instance block
 * Sources:      envytools rnndb/fifo/gf100_pfifo.xml; open-gpu-doc manuals/volta/gv100/dev_fifo.ref.txt,
 *               dev_pbdma.ref.txt, manuals/turing/tu104/dev_fifo.ref.txt
 */
#include "chip/chip.h"
#include "face/tool/shell_inside.h"

#include <inttypes.h>

#define PMC_PBDMAS   0x204u /* a bit for each that is on */
#define PBDMAS       32
#define PBDMA        0x40000u
#define PBDMA_STRIDE 0x2000u
#define ENGINES      16

/* The differences between chips. */
struct layout {
    const char *pbdma; /* its name */
    uint32_t table;
    const struct shell_flag *word0, *word1;
    uint32_t on_id, on_valid; /* the register of a PBDMA that holds its channel */
};

static uint64_t wide(struct shell *shell, uint32_t low, uint32_t high) {
    return shell_rd32(shell, low) | (uint64_t)(shell_rd32(shell, high) & 0xff) << 32;
}

static void print_loaded(struct shell *shell, uint32_t page, uint32_t channel) {
    static const struct shell_flag execute[] = {{1u << 19, 1u << 19, "waits in an acquire"}, {0}};
    uint32_t raised = shell_rd32(shell, page + 0x108);

    shell_print(shell,
                "channel %" PRIu32 ", GP GET %" PRIu32 " PUT %" PRIu32 ", pushbuffer GET 0x%" PRIx64 " PUT 0x%" PRIx64
                " REF 0x%" PRIx32 ", header 0x%08" PRIx32,
                channel, shell_rd32(shell, page + 0x14), shell_rd32(shell, page), wide(shell, page + 0x18, page + 0x1c),
                wide(shell, page + 0x5c, page + 0x60), shell_rd32(shell, page + 0x28), shell_rd32(shell, page + 0x84));
    shell_print_flags(shell, shell_rd32(shell, page + 0x44), execute);
    if (raised)
        shell_print(shell, ", interrupts 0x%08" PRIx32, raised);
    shell_print_names(shell, page + 0x108, raised);
}

void shell_print_pbdma(struct shell *shell, uint32_t page, uint32_t channel, uint32_t id, uint32_t valid) {
    if (shell_is_silence(channel))
        shell_print(shell, "does not answer, 0x%08" PRIx32, channel);
    else if (channel & valid)
        print_loaded(shell, page, channel & id);
    else
        shell_print(shell, "no channel");
    shell_print(shell, "\n");
}

static void print_pbdmas(struct shell *shell, const struct layout *layout) {
    uint32_t on = shell_rd32(shell, PMC_PBDMAS);

    if (!on)
        shell_print(shell, "no %s is on in PMC.SUBFIFO_ENABLE\n", layout->pbdma);
    for (uint32_t i = 0; i < PBDMAS; i++) {
        uint32_t page = PBDMA + i * PBDMA_STRIDE;
        if (!(on >> i & 1))
            continue;
        shell_print(shell, "%s %" PRIu32 ": ", layout->pbdma, i);
        shell_print_pbdma(shell, page, shell_rd32(shell, page + 0x120), layout->on_id, layout->on_valid);
    }
}

static void print_table(struct shell *shell, const struct layout *layout) {
    uint32_t channels = pfifo_registers_chip(shell->registers)->channels;

    for (uint32_t channel = 0; channel < channels; channel++) {
        uint32_t at = layout->table + 8 * channel, word0 = shell_rd32(shell, at), word1 = shell_rd32(shell, at + 4);
        /* Beyond the last channel there may be nothing. */
        if ((!word0 && !word1) || shell_is_silence(word0))
            continue;
        shell_print(shell, "channel %" PRIu32 ": instance 0x%" PRIx64 " of %s, status 0x%08" PRIx32, channel,
                    (uint64_t)(word0 & 0x0fffffff) << 12, shell_target_text(word0 >> 28), word1);
        shell_print_flags(shell, word0, layout->word0);
        shell_print_flags(shell, word1, layout->word1);
        shell_print(shell, "\n");
    }
}

/* ---- GF100 ---- */

static const struct shell_flag gf100_word0[] = {{1u << 31, 0, "not valid"}, {1u << 30, 1u << 30, "polled"}, {0}},
                               gf100_word1[] = {{1, 1, "runnable"},
                                                {1u << 4, 1u << 4, "waits in an acquire"},
                                                {1u << 12, 1u << 12, "loaded"},
                                                {1u << 28, 1u << 28, "pending"},
                                                {0}};

void shell_channels_gf100(struct shell *shell) {
    static const struct layout layout = {"PSUBFIFO", 0x3000, gf100_word0, gf100_word1, 0x7f, 1u << 8};
    uint32_t list = shell_rd32(shell, 0x2278), length = shell_rd32(shell, 0x227c) & 0xfff;

    shell_print(shell, "playlist: %" PRIu32 " entr%s at 0x%" PRIx64 "\n", length, length == 1 ? "y" : "ies",
                (uint64_t)(list & 0x0fffffff) << 12);
    print_table(shell, &layout);
    print_pbdmas(shell, &layout);
    for (uint32_t i = 0; i < ENGINES / 2; i++) {
        uint32_t channel = shell_rd32(shell, 0x27d0 + 4 * i), state = shell_rd32(shell, 0x2640 + 4 * i);
        if (!shell_is_silence(channel) && channel >> 8 & 1)
            shell_print(shell, "engine %" PRIu32 ": channel %" PRIu32 "%s%s\n", i, channel & 0x7f,
                        state >> 24 & 1 ? ", faulted" : "", state >> 31 ? ", busy" : "");
    }
}

/* ---- GK104 .. TU117 ---- */

#define STATUS(number, name)                                                                                           \
    { 0xfu << 24, (number##u) << 24, name }

static const struct shell_flag gk104_word0[] = {{1u << 31, 0, "not bound"}, {0}},
                               gk104_word1[] = {{1, 1, "on"},
                                                {1, 0, "off"},
                                                {1u << 22, 1u << 22, "PBDMA faulted"},
                                                {1u << 23, 1u << 23, "engine faulted"},
                                                STATUS(0, "IDLE"),
                                                STATUS(1, "PENDING"),
                                                STATUS(2, "PENDING_CTX_RELOAD"),
                                                STATUS(3, "PENDING_ACQUIRE"),
                                                STATUS(4, "PENDING_ACQ_CTX_RELOAD"),
                                                STATUS(5, "ON_PBDMA"),
                                                STATUS(6, "ON_PBDMA_AND_ENG"),
                                                STATUS(7, "ON_ENG"),
                                                STATUS(8, "ON_ENG_PENDING_ACQUIRE"),
                                                STATUS(9, "ON_ENG_PENDING"),
                                                STATUS(10, "ON_PBDMA_CTX_RELOAD"),
                                                STATUS(11, "ON_PBDMA_AND_ENG_CTX_RELOAD"),
                                                STATUS(12, "ON_ENG_CTX_RELOAD"),
                                                STATUS(13, "ON_ENG_PENDING_CTX_RELOAD"),
                                                STATUS(14, "ON_ENG_PENDING_ACQ_CTX_RELOAD"),
                                                {1u << 28, 1u << 28, "busy"},
                                                {0}};

static void print_engine(struct shell *shell, uint32_t number, uint32_t status) {
    static const struct shell_flag flags[] = {{7u << 13, 5u << 13, "loads"},    {7u << 13, 6u << 13, "saves"},
                                              {7u << 13, 7u << 13, "switches"}, {1u << 30, 1u << 30, "faulted"},
                                              {1u << 31, 1u << 31, "busy"},     {0}};

    shell_print(shell, "engine %" PRIu32 ": %s %" PRIu32, number, status >> 12 & 1 ? "TSG" : "channel", status & 0xfff);
    shell_print_flags(shell, status, flags);
    if ((status >> 13 & 7) >= 5)
        shell_print(shell, ", next %s %" PRIu32, status >> 28 & 1 ? "TSG" : "channel", status >> 16 & 0xfff);
    shell_print(shell, "\n");
}

void shell_channels_gk104(struct shell *shell) {
    static const struct layout layout = {"PBDMA", 0x800000, gk104_word0, gk104_word1, 0xfff, 1u << 13};

    print_table(shell, &layout);
    print_pbdmas(shell, &layout);
    for (uint32_t i = 0; i < ENGINES; i++) {
        uint32_t status = shell_rd32(shell, 0x2640 + 8 * i);
        if (!shell_is_silence(status) && status >> 13 & 7)
            print_engine(shell, i, status);
    }
}
