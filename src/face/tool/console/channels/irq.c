/* SPDX-License-Identifier: MIT */
/*
 * irq: the interrupt line and its causes, from PMC through PFIFO to the PBDMAs, as names of bits.
 *
 * Sources: envytools rnndb/bus/pmc.xml, rnndb/fifo (*_pfifo.xml); open-gpu-doc manuals/volta/gv100/dev_pbdma.ref.txt
 */
#include "face/tool/chips/register_text.h"
#include "face/tool/console/commands.h"
#include "face/tool/console/machine/show.h"
#include "face/tool/console/target.h"
#include "hw/pbdma.h"
#include "hw/pmc.h"

#include <inttypes.h>
#include <string.h>

/* A register of PMC, if the chip has it. */
static void print_pmc(struct console *console, const char *name) {
    uint32_t offset;

    if (pfifo_registers_find(console->registers, name, &offset, NULL) != PFIFO_OK)
        return;
    console_show_register(console, offset, console_rd32(console, offset));
}

void console_print_names(struct console *console, uint32_t offset, uint32_t value) {
    struct pfifo_register reg;
    char names[512] = "";

    if (pfifo_registers_describe(console->registers, offset, &reg, NULL))
        register_format_names(&reg, value, names, sizeof names);
    if (names[0])
        console_print(console, " %s", names);
}

/* Pending and enabled interrupts, which have the same names. */
static void print_level(struct console *console, uint32_t offset, uint32_t enable_offset) {
    uint32_t raised = console_rd32(console, offset), enabled = console_rd32(console, enable_offset);

    if (console_is_silence(raised))
        return;
    console_print_register(console, offset, raised);
    if (raised & ~enabled) {
        console_print(console, "; not enabled:");
        console_print_names(console, offset, raised & ~enabled);
    }
    console_print(console, "\n");
}

static bool console_irq_is_on(struct console *console, const char *unit, uint32_t offset) {
    if (!(console_rd32(console, NV_PMC_ENABLE) & PMC_ENABLE_PFIFO))
        return false;
    return strcmp(unit, "PFIFO") == 0 ||
           console_rd32(console, NV_PMC_SUBFIFO_ENABLE) >> ((offset - NV_PBDMA_BASE) / NV_PBDMA_STRIDE) & 1;
}

/* INTR, INTR_0, INTR_1 of PFIFO and the PBDMAs. */
static void print_second(struct console *console, const struct pfifo_register *reg) {
    bool is_pfifo = strcmp(reg->unit, "PFIFO") == 0;
    char name[96];
    uint32_t enable;

    snprintf(name, sizeof name, "%s.INTR_EN%s%s", reg->unit, reg->name + strlen("INTR"), reg->count > 1 ? "[0]" : "");
    if (pfifo_registers_find(console->registers, name, &enable, NULL) != PFIFO_OK)
        return;
    for (uint32_t i = 0; i < reg->count; i++) {
        uint32_t offset = reg->offset + i * reg->stride;
        if (console_irq_is_on(console, reg->unit, offset) && (is_pfifo || console_rd32(console, offset)))
            print_level(console, offset, enable + i * reg->stride);
    }
    if (is_pfifo && console_irq_is_on(console, reg->unit, enable))
        print_level(console, enable, enable);
}

static bool is_second(const struct pfifo_register *reg) {
    return (strcmp(reg->unit, "PFIFO") == 0 || strncmp(reg->unit, "PBDMA", 5) == 0 ||
            strncmp(reg->unit, "PSUBFIFO", 8) == 0) &&
           (strcmp(reg->name, "INTR") == 0 || strcmp(reg->name, "INTR_0") == 0 || strcmp(reg->name, "INTR_1") == 0);
}

bool console_cmd_irq(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct pfifo_register reg;

    (void)count, (void)argument, (void)error;
    if (console->target->kind != CONSOLE_ON_CARD)
        console_print(console, "interrupt line: %s\n", pfifo_gpu_irq(console->gpu) ? "asserted" : "not asserted");
    print_pmc(console, "PMC.INTR");
    print_pmc(console, "PMC.INTR_EN");
    for (size_t i = 0; pfifo_registers_at(console->registers, i, &reg); i++)
        if (is_second(&reg))
            print_second(console, &reg);
    return true;
}
