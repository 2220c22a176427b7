/* SPDX-License-Identifier: MIT */
/*
 * channels of GF100 .. TU117: the table of channels, the PBDMAs (PSUBFIFOs on GF100) and the engines.
 *
 * Modelled:     all of it, from registers; the progress of a channel that is not on a PBDMA is in its instance block
 * Sources:      envytools rnndb/fifo/gf100_pfifo.xml; open-gpu-doc manuals/volta/gv100/dev_fifo.ref.txt,
 *               dev_pbdma.ref.txt, manuals/turing/tu104/dev_fifo.ref.txt
 */
#include "chip/chip.h"
#include "face/tool/console/channels/channels.h"
#include "face/tool/console/machine/show.h"
#include "face/tool/console/place.h"
#include "hw/pbdma.h"
#include "hw/pccsr.h"
#include "hw/pfifo_gf100.h"
#include "hw/pmc.h"

#include <inttypes.h>

#define PBDMAS 32

/* The differences between chips. */
struct console_channels_gf100_layout {
    const char *pbdma; /* its name */
    uint32_t table;
    const struct console_flag *word0, *word1;
    uint32_t on_id, on_valid; /* the register of a PBDMA that holds its channel */
};

static void print_loaded(struct console *console, uint32_t page, uint32_t channel) {
    static const struct console_flag execute[] = {{SEM_EXECUTE_FAIL, SEM_EXECUTE_FAIL, "waits in an acquire"}, {0}};
    uint32_t raised = console_rd32(console, page + NV_PBDMA_INTR_0);

    console_print(console,
                  "channel %" PRIu32 ", GP GET %" PRIu32 " PUT %" PRIu32 ", pushbuffer GET 0x%" PRIx64 " PUT 0x%" PRIx64
                  " REF 0x%" PRIx32 ", header 0x%08" PRIx32,
                  channel, console_rd32(console, page + NV_PBDMA_GP_GET), console_rd32(console, page + NV_PBDMA_GP_PUT),
                  console_rd40(console, page + NV_PBDMA_GET, page + NV_PBDMA_GET_HI),
                  console_rd40(console, page + NV_PBDMA_PUT, page + NV_PBDMA_PUT_HI),
                  console_rd32(console, page + NV_PBDMA_REF), console_rd32(console, page + NV_PBDMA_PB_HEADER));
    console_print_flags(console, console_rd32(console, page + NV_PBDMA_SEM_EXECUTE), execute);
    if (raised)
        console_print(console, ", interrupts 0x%08" PRIx32, raised);
    console_print_names(console, page + NV_PBDMA_INTR_0, raised);
}

void console_print_pbdma(struct console *console, uint32_t page, uint32_t channel, uint32_t id, uint32_t valid) {
    if (console_is_silence(channel))
        console_print(console, "does not answer, 0x%08" PRIx32, channel);
    else if (channel & valid)
        print_loaded(console, page, channel & id);
    else
        console_print(console, "no channel");
    console_print(console, "\n");
}

static void console_channels_gf100_print_pbdmas(struct console *console,
                                                const struct console_channels_gf100_layout *layout) {
    uint32_t on = console_rd32(console, NV_PMC_SUBFIFO_ENABLE);

    if (!on)
        console_print(console, "no %s is on in PMC.SUBFIFO_ENABLE\n", layout->pbdma);
    for (uint32_t i = 0; i < PBDMAS; i++) {
        uint32_t page = NV_PBDMA_BASE + i * NV_PBDMA_STRIDE;
        if (!(on >> i & 1))
            continue;
        console_print(console, "%s %" PRIu32 ": ", layout->pbdma, i);
        console_print_pbdma(console, page, console_rd32(console, page + NV_PBDMA_CHANNEL), layout->on_id,
                            layout->on_valid);
    }
}

static void print_table(struct console *console, const struct console_channels_gf100_layout *layout) {
    uint32_t channels = pfifo_registers_chip(console->registers)->channels;

    for (uint32_t channel = 0; channel < channels; channel++) {
        uint32_t at = layout->table + 8 * channel, word0 = console_rd32(console, at),
                 word1 = console_rd32(console, at + 4);
        /* Beyond the last channel there may be nothing. */
        if ((!word0 && !word1) || console_is_silence(word0))
            continue;
        console_print(console, "channel %" PRIu32 ": instance 0x%" PRIx64 " of %s, status 0x%08" PRIx32, channel,
                      (uint64_t)(word0 & 0x0fffffff) << 12, console_target_text(word0 >> 28), word1);
        console_print_flags(console, word0, layout->word0);
        console_print_flags(console, word1, layout->word1);
        console_print(console, "\n");
    }
}

/* Engines that a chip has registers for, by the name of one: after the last one comes another register. */
static uint32_t engines_of(const struct console *console, const char *name) {
    struct pfifo_register reg;
    uint32_t offset;

    if (pfifo_registers_find(console->registers, name, &offset, NULL) != PFIFO_OK ||
        !pfifo_registers_describe(console->registers, offset, &reg, NULL))
        return 0;
    return reg.count;
}

/* ---- GF100 ---- */

static const struct console_flag gf100_word0[] = {{GF100_CHANNEL_VALID, 0, "not valid"},
                                                  {GF100_CHANNEL_POLL, GF100_CHANNEL_POLL, "polled"},
                                                  {0}},
                                 gf100_word1[] = {{GF100_STATUS_RUNNABLE, GF100_STATUS_RUNNABLE, "runnable"},
                                                  {GF100_STATUS_WAITS, GF100_STATUS_WAITS, "waits in an acquire"},
                                                  {GF100_STATUS_LOADED, GF100_STATUS_LOADED, "loaded"},
                                                  {GF100_STATUS_PENDING, GF100_STATUS_PENDING, "pending"},
                                                  {0}};

void console_channels_gf100(struct console *console) {
    static const struct console_channels_gf100_layout layout = {
        "PSUBFIFO",  NV_PFIFO_CHANNEL_TABLE, gf100_word0,
        gf100_word1, PBDMA_CHANNEL_ID_GF100, PBDMA_CHANNEL_ACTIVE_GF100};
    uint32_t list = console_rd32(console, NV_PFIFO_CURRENT_PLAYLIST_BASE),
             length = console_rd32(console, NV_PFIFO_CURRENT_PLAYLIST) & PFIFO_PLAYLIST_LENGTH;

    console_print(console, "playlist: %" PRIu32 " entr%s at 0x%" PRIx64 "\n", length, length == 1 ? "y" : "ies",
                  (uint64_t)(list & 0x0fffffff) << 12);
    print_table(console, &layout);
    console_channels_gf100_print_pbdmas(console, &layout);
    uint32_t engines = engines_of(console, "PFIFO.ENG_CH[0]"), states = engines_of(console, "PFIFO.ENG_STATE[0]");
    for (uint32_t i = 0; i < engines; i++) {
        uint32_t channel = console_rd32(console, NV_PFIFO_ENG_CH + 4 * i),
                 state = i < states ? console_rd32(console, NV_PFIFO_ENG_STATE + 4 * i) : 0;
        if (!console_is_silence(channel) && (channel & PFIFO_ENG_CH_ACTIVE))
            console_print(console, "engine %" PRIu32 ": channel %" PRIu32 "%s%s\n", i, channel & PFIFO_ENG_CH_ID,
                          state & PFIFO_ENG_STATE_FAULTED ? ", faulted" : "",
                          state & PFIFO_ENG_STATE_BUSY ? ", busy" : "");
    }
}

/* ---- GK104 .. TU117 ---- */

#define STATUS(number, name)                                                                                           \
    { PCCSR_CHANNEL_STATUS_BITS, (number##u) << PCCSR_CHANNEL_STATUS, name }

static const struct console_flag gk104_word0[] = {{PCCSR_INST_BIND, 0, "not bound"}, {0}},
                                 gk104_word1[] = {{PCCSR_CHANNEL_ENABLE, PCCSR_CHANNEL_ENABLE, "on"},
                                                  {PCCSR_CHANNEL_ENABLE, 0, "off"},
                                                  {PCCSR_CHANNEL_PBDMA_BAD, PCCSR_CHANNEL_PBDMA_BAD, "PBDMA faulted"},
                                                  {PCCSR_CHANNEL_ENG_BAD, PCCSR_CHANNEL_ENG_BAD, "engine faulted"},
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
                                                  {PCCSR_CHANNEL_BUSY, PCCSR_CHANNEL_BUSY, "busy"},
                                                  {0}};

static void print_engine(struct console *console, uint32_t number, uint32_t status) {
    static const struct console_flag flags[] = {
        {PFIFO_ENGINE_STATUS_CTX_BITS, 5u << PFIFO_ENGINE_STATUS_CTX, "loads"},
        {PFIFO_ENGINE_STATUS_CTX_BITS, 6u << PFIFO_ENGINE_STATUS_CTX, "saves"},
        {PFIFO_ENGINE_STATUS_CTX_BITS, 7u << PFIFO_ENGINE_STATUS_CTX, "switches"},
        {PFIFO_ENGINE_STATUS_FAULTED, PFIFO_ENGINE_STATUS_FAULTED, "faulted"},
        {PFIFO_ENGINE_STATUS_BUSY, PFIFO_ENGINE_STATUS_BUSY, "busy"},
        {0}};

    console_print(console, "engine %" PRIu32 ": %s %" PRIu32, number,
                  status & PFIFO_ENGINE_STATUS_ID_IS_TSG ? "TSG" : "channel", status & PFIFO_ENGINE_STATUS_ID);
    console_print_flags(console, status, flags);
    if ((status & PFIFO_ENGINE_STATUS_CTX_BITS) >= 5u << PFIFO_ENGINE_STATUS_CTX)
        console_print(console, ", next %s %" PRIu32, status & PFIFO_ENGINE_STATUS_NEXT_IS_TSG ? "TSG" : "channel",
                      status >> PFIFO_ENGINE_STATUS_NEXT & PFIFO_ENGINE_STATUS_ID);
    console_print(console, "\n");
}

void console_channels_gk104(struct console *console) {
    static const struct console_channels_gf100_layout layout = {
        "PBDMA", NV_PCCSR_CHANNEL_INST, gk104_word0, gk104_word1, PBDMA_CHANNEL_ID, PBDMA_CHANNEL_ACTIVE};

    print_table(console, &layout);
    console_channels_gf100_print_pbdmas(console, &layout);
    uint32_t engines = engines_of(console, "PFIFO.ENGINE_STATUS[0]");
    for (uint32_t i = 0; i < engines; i++) {
        uint32_t status = console_rd32(console, NV_PFIFO_ENGINE_STATUS + 8 * i);
        if (!console_is_silence(status) && (status & PFIFO_ENGINE_STATUS_CTX_BITS))
            print_engine(console, i, status);
    }
}
