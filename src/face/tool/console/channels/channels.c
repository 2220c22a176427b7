/* SPDX-License-Identifier: MIT */
/*
 * channels: where each channel stands, as registers and memory say, of a model and of a card alike. Nothing is read
 * whose reading does something.
 *
 * Modelled:     NV1, NV3: what is in CACHE1 and in RAMRO; NV4 .. NV4x: CACHE1 and RAMFC, of channels in DMA mode or
 *               with work; later chips are in files of their own
 * Sources:      envytools rnndb/fifo/nv1_pfifo.xml, nv4_pfifo.xml; nouveau nvkm/engine/fifo/{nv04,nv10,nv17,nv40}.c
 */
#include "chip/chip.h"
#include "face/tool/console/channels/channels.h"
#include "face/tool/console/commands.h"
#include "face/tool/console/machine/show.h"
#include "face/tool/console/target.h"
#include "hw/pbus.h"
#include "hw/pfifo_nv4.h"
#include "hw/pmc.h"
#include "hw/ramfc.h"
#include "hw/user.h"

#include <inttypes.h>
#include <string.h>

bool console_is_silence(uint32_t value) {
    return value == UINT32_MAX || value >> 16 == 0xbad0 || value >> 16 == 0xbadf;
}

const char *console_target_text(uint32_t target) {
    static const char *const texts[] = {"VRAM", "peer memory", "system memory", "system memory, not snooped"};

    return texts[target & 3];
}

void console_print_flags(struct console *console, uint32_t value, const struct console_flag *flags) {
    for (; flags->text; flags++)
        if ((value & flags->mask) == flags->value)
            console_print(console, ", %s", flags->text);
}

/* Value of a register that the chip may not have. */
static bool read_named(struct console *console, const char *name, uint32_t *value) {
    uint32_t offset;

    *value = 0;
    if (pfifo_registers_find(console->registers, name, &offset, NULL) != PFIFO_OK)
        return false;
    *value = console_rd32(console, offset);
    return true;
}

/* A field of a register, by the names of both. False if the chip has no such register, or does not say where it is. */
static bool console_channels_read_field(struct console *console, const char *name, const char *field_name,
                                        uint32_t *value) {
    struct pfifo_register_field field;
    struct pfifo_register reg;
    uint32_t offset;

    if (pfifo_registers_find(console->registers, name, &offset, NULL) != PFIFO_OK ||
        !pfifo_registers_describe(console->registers, offset, &reg, NULL))
        return false;
    for (size_t i = 0; pfifo_register_field_at(&reg, i, &field); i++) {
        if (strcmp(field.name, field_name) != 0)
            continue;
        *value =
            (uint32_t)(console_rd32(console, offset) >> field.low & ((UINT64_C(2) << (field.high - field.low)) - 1));
        return true;
    }
    return false;
}

/* ---- CACHE1 of NV4 .. MCP89 ---- */

void console_print_pusher_error(struct console *console, uint32_t state) {
    static const char *const names[] = {"NONE",        "CALL_SUBR_ACTIVE", "INVALID_MTHD", "RET_SUBR_INACTIVE",
                                        "INVALID_CMD", "IB_EMPTY",         "MEM_FAULT",    "unknown"};

    if (state >> STATE_ERROR_SHIFT)
        console_print(console, ", pusher error %" PRIu32 " (%s)", state >> STATE_ERROR_SHIFT,
                      names[state >> STATE_ERROR_SHIFT]);
}

void console_print_cache1(struct console *console, bool dma) {
    static const struct console_flag push0[] = {{PUSH_ACCESS, 0, "pusher off"}, {0}},
                                     dma_push[] = {{PUSH_ACCESS, 0, "DMA off"},
                                                   {DMA_PUSH_SUSPENDED, DMA_PUSH_SUSPENDED, "DMA suspended"},
                                                   {0}},
                                     pull0[] = {{PULL_ACCESS, 0, "puller off"},
                                                {PULL0_HASH_FAILED, PULL0_HASH_FAILED, "handle not found"},
                                                {PULL0_DEVICE_SOFTWARE, PULL0_DEVICE_SOFTWARE, "software method"},
                                                {0}},
                                     pull1[] = {{PULL1_ACQUIRE_ACTIVE, PULL1_ACQUIRE_ACTIVE, "waits in an acquire"},
                                                {0}};

    console_print_flags(console, console_rd32(console, NV_CACHE1_PUSH0), push0);
    if (dma)
        console_print_flags(console, console_rd32(console, NV_CACHE1_DMA_PUSH), dma_push);
    if (dma)
        console_print_pusher_error(console, console_rd32(console, NV_CACHE1_DMA_STATE));
    console_print_flags(console, console_rd32(console, NV_CACHE1_PULL0), pull0);
    console_print_flags(console, console_rd32(console, NV_CACHE1_PULL1), pull1);
}

/* ---- NV1 and NV3 ---- */

static bool print_current(struct console *console, uint32_t *channel) {
    uint32_t get = 0, put = 0;

    if (!console_channels_read_field(console, "CACHE1_PUSH1", "CHID", channel))
        return false;
    read_named(console, "CACHE1_GET", &get);
    read_named(console, "CACHE1_PUT", &put);
    console_print(console, "in CACHE1: channel %" PRIu32 ", GET 0x%" PRIx32 " PUT 0x%" PRIx32, *channel, get, put);
    return true;
}

/* RAMRO: methods that no cache accepted. */
static void print_runout(struct console *console) {
    uint32_t get, put;

    if (read_named(console, "RUNOUT_GET", &get) && read_named(console, "RUNOUT_PUT", &put) && get != put)
        console_print(console, "in RAMRO: commands from 0x%" PRIx32 " to 0x%" PRIx32 "\n", get, put);
}

static void channels_nv1(struct console *console) {
    uint32_t channel;

    if (print_current(console, &channel))
        console_print(console, "\n");
    print_runout(console);
}

/* ---- NV4 .. NV4x ---- */

/* Offsets in RAMFC of the words that are shown. */
static const struct ramfc {
    const char *chips;
    uint8_t put, get, instance, state;
    uint8_t ref; /* 0: nowhere */
    uint32_t instance_bits;
    bool moves; /* RAMFC is where 0x2220 says in 64 KiB, and may be in VRAM */
} ramfc_layouts[] = {
    {"NV4:NV10", NV_RAMFC_DMA_PUT, NV_RAMFC_DMA_GET, NV4_RAMFC_DMA_INSTANCE, NV4_RAMFC_DMA_STATE, 0, 0xffff},
    {"NV10:NV40", NV_RAMFC_DMA_PUT, NV_RAMFC_DMA_GET, NV10_RAMFC_DMA_INSTANCE, NV10_RAMFC_DMA_STATE, NV_RAMFC_REF,
     0xffff},
    {"NV40:G80", NV_RAMFC_DMA_PUT, NV_RAMFC_DMA_GET, NV40_RAMFC_DMA_INSTANCE, NV40_RAMFC_DMA_STATE, NV_RAMFC_REF,
     0xfffff, true},
};

static const struct ramfc *ramfc_of(const struct pfifo_chip *chip) {
    return CHIP_ROW(chip, ramfc_layouts);
}

/* Address in RAMIN, or if `absolute` in VRAM. */
static uint64_t console_channels_ramfc_address(struct console *console, uint32_t channel, bool *absolute) {
    const struct pfifo_chip *chip = pfifo_registers_chip(console->registers);
    uint32_t base;

    *absolute = false;
    if (ramfc_of(chip)->moves) {
        base = console_rd32(console, NV_PFIFO_RAMFC_NV40) & (chip->has_ramfc_select ? 0x1fff : 0xff);
        *absolute = chip->has_ramfc_select && !(console_rd32(console, NV_PFIFO_RAMFC_SELECT) & 1);
        return ((uint64_t)base << 16) + channel * (uint64_t)chip->ramfc_bytes;
    }
    base = console_rd32(console, NV_PFIFO_RAMFC);
    return ((base & 0x1fe) << 8) + channel * (base & RAMFC_LARGE ? 0x40u : 0x20u);
}

/* The first words of a channel's RAMFC. False: they cannot be read. */
static bool read_ramfc(struct console *console, uint32_t channel, uint32_t words[8]) {
    bool absolute;
    uint64_t address = console_channels_ramfc_address(console, channel, &absolute);

    if (absolute)
        return console->target->look(console, CONSOLE_VRAM, address, words, 8);
    if (address + 32 > NV_PRAMIN_BYTES)
        return false;
    for (unsigned i = 0; i < 8; i++)
        words[i] = console_rd32(console, NV_PRAMIN + (uint32_t)address + 4 * i);
    return true;
}

static void console_channels_print_ramfc(struct console *console, uint32_t channel) {
    const struct ramfc *at = ramfc_of(pfifo_registers_chip(console->registers));
    uint32_t words[8], user = NV_USER_DMA + channel * NV_USER_DMA_CHANNEL_NV40;

    if (read_ramfc(console, channel, words)) {
        console_print(console, ", GET 0x%" PRIx32 " PUT 0x%" PRIx32, words[at->get / 4], words[at->put / 4]);
        if (at->ref)
            console_print(console, " REF 0x%" PRIx32, words[at->ref / 4]);
        console_print(console, ", object 0x%" PRIx32, (words[at->instance / 4] & at->instance_bits) << 4);
        console_print_pusher_error(console, words[at->state / 4]);
    } else { /* NV40 and later; RAMFC was smaller before */
        console_print(console, ", GET 0x%" PRIx32 " PUT 0x%" PRIx32 " REF 0x%" PRIx32,
                      console_rd32(console, user + NV_USER_DMA_GET), console_rd32(console, user + NV_USER_DMA_PUT),
                      console_rd32(console, user + NV_USER_REF));
    }
}

static void print_cache1_channel(struct console *console, uint32_t channel, uint32_t mode) {
    bool dma = channel >= 32 || mode >> channel & 1;

    if (dma)
        console_print(console, ", pushbuffer GET 0x%" PRIx32 " PUT 0x%" PRIx32,
                      console_rd32(console, NV_CACHE1_DMA_GET), console_rd32(console, NV_CACHE1_DMA_PUT));
    console_print_cache1(console, dma);
    console_print(console, "\n");
}

/* The state of the channel in CACHE1 is not in RAMFC, and that of a PIO channel is of no interest. */
static void channels_nv4(struct console *console) {
    uint32_t current = UINT32_MAX, mode, pending,
             count = pfifo_chip_info(pfifo_registers_chip(console->registers)).channels;

    read_named(console, "PFIFO.MODE", &mode);
    read_named(console, "PFIFO.DMA", &pending);
    if (print_current(console, &current))
        print_cache1_channel(console, current, mode);
    for (uint32_t channel = 0; channel < 32 && channel < count; channel++) {
        if (!((mode | pending) >> channel & 1))
            continue;
        console_print(console, "channel %" PRIu32 ": %s", channel, mode >> channel & 1 ? "DMA" : "PIO");
        if (channel == current)
            console_print(console, ", in CACHE1");
        else if (mode >> channel & 1)
            console_channels_print_ramfc(console, channel);
        console_print(console, "%s\n", pending >> channel & 1 ? ", pending" : "");
    }
    print_runout(console);
}

/* ---- all ---- */

/* UNKNOWN: what switches PFIFO off on GA100 and later; chosen: nothing that ENABLE shows. */
static const struct view {
    const char *chips;
    void (*print)(struct console *console);
    uint32_t enable; /* bit of PMC ENABLE that switches PFIFO on; 0: none */
} views[] = {
    {"NV1:NV4", channels_nv1, PMC_ENABLE_PFIFO},
    {"NV4:G80", channels_nv4, PMC_ENABLE_PFIFO},
    {"G80:GF100", console_channels_g80, PMC_ENABLE_PFIFO},
    {"GF100:GK104", console_channels_gf100, PMC_ENABLE_PFIFO},
    {"GK104:GA100", console_channels_gk104, PMC_ENABLE_PFIFO},
    {"GA100-", console_channels_ga100, 0},
};

static bool is_off(struct console *console, const struct view *view) {
    return view->enable && !(console_rd32(console, NV_PMC_ENABLE) & view->enable);
}

bool console_cmd_channels(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    const struct pfifo_chip *chip = pfifo_registers_chip(console->registers);
    const struct view *view = CHIP_ROW(chip, views);

    (void)count, (void)argument;
    if (console_rd32(console, NV_PMC_BOOT_0) == UINT32_MAX)
        return refuse(error, "%s does not answer", chip->name);
    if (is_off(console, view)) {
        console_print(console, "PFIFO is off in PMC.ENABLE\n");
        return true;
    }
    view->print(console);
    return true;
}
