/* SPDX-License-Identifier: MIT */
/*
 * irq: the interrupt line and its causes, from PMC through PFIFO to the PBDMAs, as names of bits.
 *
 * Sources: envytools rnndb/bus/pmc.xml, rnndb/fifo (*_pfifo.xml); open-gpu-doc manuals/volta/gv100/dev_pbdma.ref.txt
 */
#include "face/tool/chips/register_text.h"
#include "face/tool/console/machine/inside.h"
#include "hw/pbdma.h"
#include "hw/pmc.h"

#include <inttypes.h>
#include <string.h>

/* A register of PMC, if the chip has it. */
static void print_pmc(struct shell *shell, const char *name) {
    uint32_t offset;

    if (pfifo_registers_find(shell->registers, name, &offset, NULL) != PFIFO_OK)
        return;
    shell_show_register(shell, offset, shell_rd32(shell, offset));
}

void shell_print_names(struct shell *shell, uint32_t offset, uint32_t value) {
    struct pfifo_register reg;
    char names[512] = "";

    if (pfifo_registers_describe(shell->registers, offset, &reg, NULL))
        register_format_names(&reg, value, names, sizeof names);
    if (names[0])
        shell_print(shell, " %s", names);
}

/* Pending and enabled interrupts, which have the same names. */
static void print_level(struct shell *shell, uint32_t offset, uint32_t enable_offset) {
    uint32_t raised = shell_rd32(shell, offset), enabled = shell_rd32(shell, enable_offset);

    if (shell_is_silence(raised))
        return;
    shell_print_register(shell, offset, raised);
    if (raised & ~enabled) {
        shell_print(shell, "; not enabled:");
        shell_print_names(shell, offset, raised & ~enabled);
    }
    shell_print(shell, "\n");
}

static bool shell_irq_is_on(struct shell *shell, const char *unit, uint32_t offset) {
    if (!(shell_rd32(shell, NV_PMC_ENABLE) & PMC_ENABLE_PFIFO))
        return false;
    return strcmp(unit, "PFIFO") == 0 ||
           shell_rd32(shell, NV_PMC_SUBFIFO_ENABLE) >> ((offset - NV_PBDMA_BASE) / NV_PBDMA_STRIDE) & 1;
}

/* INTR, INTR_0, INTR_1 of PFIFO and the PBDMAs. */
static void print_second(struct shell *shell, const struct pfifo_register *reg) {
    bool is_pfifo = strcmp(reg->unit, "PFIFO") == 0;
    char name[96];
    uint32_t enable;

    snprintf(name, sizeof name, "%s.INTR_EN%s%s", reg->unit, reg->name + strlen("INTR"), reg->count > 1 ? "[0]" : "");
    if (pfifo_registers_find(shell->registers, name, &enable, NULL) != PFIFO_OK)
        return;
    for (uint32_t i = 0; i < reg->count; i++) {
        uint32_t offset = reg->offset + i * reg->stride;
        if (shell_irq_is_on(shell, reg->unit, offset) && (is_pfifo || shell_rd32(shell, offset)))
            print_level(shell, offset, enable + i * reg->stride);
    }
    if (is_pfifo && shell_irq_is_on(shell, reg->unit, enable))
        print_level(shell, enable, enable);
}

static bool is_second(const struct pfifo_register *reg) {
    return (strcmp(reg->unit, "PFIFO") == 0 || strncmp(reg->unit, "PBDMA", 5) == 0 ||
            strncmp(reg->unit, "PSUBFIFO", 8) == 0) &&
           (strcmp(reg->name, "INTR") == 0 || strcmp(reg->name, "INTR_0") == 0 || strcmp(reg->name, "INTR_1") == 0);
}

bool shell_cmd_irq(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    struct pfifo_register reg;

    (void)count, (void)argument, (void)error;
    if (!shell->target->is_card)
        shell_print(shell, "interrupt line: %s\n", pfifo_gpu_irq(shell->gpu) ? "asserted" : "not asserted");
    print_pmc(shell, "PMC.INTR");
    print_pmc(shell, "PMC.INTR_EN");
    for (size_t i = 0; pfifo_registers_at(shell->registers, i, &reg); i++)
        if (is_second(&reg))
            print_second(shell, &reg);
    return true;
}
