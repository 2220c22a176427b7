/* SPDX-License-Identifier: MIT */
/* Commands that print the state of the machine. */
#include "face/tool/register_text.h"
#include "face/tool/shell_inside.h"

#include <inttypes.h>
#include <string.h>

#define SMALL_ARRAY  8 /* of larger ones, dump leaves out what is 0 */
#define MAX_CHANNELS 4096

/* DMA control of a channel in USER, before G80. */
#define USER_CHANNEL_BYTES 0x10000
#define USER_DMA_PUT       0x40
#define USER_DMA_GET       0x44

void shell_show_register(struct shell *shell, uint32_t offset, uint32_t value) {
    char name[128], fields[512] = "";
    struct pfifo_register reg;

    pfifo_register_name(shell->gpu, offset, name, sizeof name);
    if (pfifo_register_describe(shell->gpu, offset, &reg, NULL))
        register_format_fields(&reg, value, fields, sizeof fields);
    shell_print(shell, "0x%06" PRIx32 " %s%s= 0x%08" PRIx32 "%s%s\n", offset, name, name[0] ? " " : "", value,
                fields[0] ? "  " : "", fields);
}

static void dump_register(struct shell *shell, const struct pfifo_register *reg) {
    for (uint32_t i = 0; i < reg->count; i++) {
        uint32_t offset = reg->offset + i * reg->stride;
        uint32_t value = pfifo_rd32(shell->gpu, offset);
        if (value || reg->count <= SMALL_ARRAY)
            shell_show_register(shell, offset, value);
    }
}

/* A glob may name more than somebody meant: what a read would change is left alone. */
bool shell_cmd_dump(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    const char *glob = count > 1 ? argument[1] : NULL;
    struct pfifo_register reg;
    size_t found = 0;

    for (size_t i = 0; pfifo_register_at(shell->gpu, i, &reg); i++) {
        if (!register_matches(&reg, glob))
            continue;
        found++;
        if (reg.read_acts)
            shell_print(shell, "0x%06" PRIx32 " %s.%s: a read would change something; r32 reads it\n", reg.offset,
                        reg.unit, reg.name);
        else
            dump_register(shell, &reg);
    }
    return found || shell_fail(error, "%s has no register '%.60s'", shell_chip(shell), glob);
}

/* A register of PMC, if the chip has it. */
static bool print_pmc(struct shell *shell, const char *name) {
    uint32_t offset;

    if (pfifo_register_find(shell->gpu, name, &offset, NULL) != PFIFO_OK)
        return false;
    shell_show_register(shell, offset, pfifo_rd32(shell->gpu, offset));
    return true;
}

bool shell_cmd_irq(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    (void)count, (void)argument, (void)error;
    shell_print(shell, "interrupt line: %s\n", pfifo_irq(shell->gpu) ? "asserted" : "not asserted");
    print_pmc(shell, "PMC.INTR");
    print_pmc(shell, "PMC.INTR_EN");
    return true;
}

/* Value of a register that the chip may not have. */
static bool read_named(struct shell *shell, const char *name, uint32_t *value) {
    uint32_t offset;

    *value = 0;
    if (pfifo_register_find(shell->gpu, name, &offset, NULL) != PFIFO_OK)
        return false;
    *value = pfifo_rd32(shell->gpu, offset);
    return true;
}

/* A field of a register, by the names of both. False if the chip has no such register, or does not say where it is. */
static bool read_field(struct shell *shell, const char *name, const char *field_name, uint32_t *value) {
    struct pfifo_register_field field;
    struct pfifo_register reg;
    uint32_t offset;

    if (pfifo_register_find(shell->gpu, name, &offset, NULL) != PFIFO_OK ||
        !pfifo_register_describe(shell->gpu, offset, &reg, NULL))
        return false;
    for (size_t i = 0; pfifo_register_field_at(&reg, i, &field); i++) {
        if (strcmp(field.name, field_name) != 0)
            continue;
        *value =
            (uint32_t)(pfifo_rd32(shell->gpu, offset) >> field.low & ((UINT64_C(2) << (field.high - field.low)) - 1));
        return true;
    }
    return false;
}

/* The channel in CACHE1: its pointers, and those of its pushbuffer where there is one. */
static void print_current(struct shell *shell, uint32_t push1) {
    uint32_t channel, get = 0, put = 0, dma_get = 0, dma_put = 0;

    if (read_field(shell, "CACHE1_PUSH1", "CHID", &channel))
        shell_print(shell, "in CACHE1: channel %" PRIu32, channel);
    else
        shell_print(shell, "in CACHE1: PUSH1 0x%" PRIx32, push1);
    read_named(shell, "CACHE1_GET", &get);
    read_named(shell, "CACHE1_PUT", &put);
    shell_print(shell, ", GET 0x%" PRIx32 " PUT 0x%" PRIx32, get, put);
    if (read_named(shell, "CACHE1_DMA_GET", &dma_get) && read_named(shell, "CACHE1_DMA_PUT", &dma_put))
        shell_print(shell, ", pushbuffer GET 0x%" PRIx32 " PUT 0x%" PRIx32, dma_get, dma_put);
    shell_print(shell, "\n");
}

/* NV4:G80: what a user sees of a DMA channel. */
static void print_dma_channels(struct shell *shell, uint32_t mode, uint32_t pending) {
    struct pfifo_window user;

    if (!shell_window(shell, "USER", &user))
        return;
    for (uint32_t channel = 0; channel < 32 && (channel + 1) * USER_CHANNEL_BYTES <= user.bytes; channel++) {
        uint32_t base = user.base + channel * USER_CHANNEL_BYTES;
        if (!((mode | pending) >> channel & 1))
            continue;
        shell_print(shell, "channel %" PRIu32 ": %s, GET 0x%" PRIx32 " PUT 0x%" PRIx32 "%s\n", channel,
                    mode >> channel & 1 ? "DMA" : "PIO", pfifo_rd32(shell->gpu, base + USER_DMA_GET),
                    pfifo_rd32(shell->gpu, base + USER_DMA_PUT), pending >> channel & 1 ? ", pending" : "");
    }
}

/* RAMRO: commands that no cache took. */
static void print_runout(struct shell *shell) {
    uint32_t get, put;

    if (read_named(shell, "RUNOUT_GET", &get) && read_named(shell, "RUNOUT_PUT", &put) && get != put)
        shell_print(shell, "in RAMRO: commands from 0x%" PRIx32 " to 0x%" PRIx32 "\n", get, put);
}

/* G80 and later: a word or two per channel, in an array of registers or a window. */
static void print_table(struct shell *shell, uint32_t base, uint32_t words, uint32_t channels) {
    for (uint32_t channel = 0; channel < channels && channel < MAX_CHANNELS; channel++) {
        uint32_t at = base + 4 * words * channel, first = pfifo_rd32(shell->gpu, at);
        uint32_t second = words > 1 ? pfifo_rd32(shell->gpu, at + 4) : 0;
        if (!first && !second)
            continue;
        shell_print(shell, "channel %" PRIu32 ": instance 0x%08" PRIx32, channel, first);
        if (words > 1)
            shell_print(shell, " status 0x%08" PRIx32, second);
        shell_print(shell, "\n");
    }
}

static void print_tables(struct shell *shell) {
    struct pfifo_register reg;
    struct pfifo_window window;
    uint32_t offset;

    if (pfifo_register_find(shell->gpu, "CHAN_TABLE", &offset, NULL) == PFIFO_OK &&
        pfifo_register_describe(shell->gpu, offset, &reg, NULL))
        print_table(shell, offset, 1, reg.count);
    if (shell_window(shell, "PFIFO.CHANNEL", &window) || shell_window(shell, "PCCSR", &window))
        print_table(shell, window.base, 2, window.bytes / 8);
}

bool shell_cmd_channels(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    uint32_t push1, mode, pending;

    (void)count, (void)argument, (void)error;
    if (read_named(shell, "CACHE1_PUSH1", &push1))
        print_current(shell, push1);
    if (read_named(shell, "PFIFO.MODE", &mode) && read_named(shell, "PFIFO.DMA", &pending))
        print_dma_channels(shell, mode, pending);
    print_runout(shell);
    print_tables(shell);
    return true;
}
