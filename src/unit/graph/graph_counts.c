/* SPDX-License-Identifier: MIT */
#include "unit/graph/graph_counts.h"

#include <assert.h>
#include <stdlib.h>

#include "bus/bus.h"
#include "bus/shape.h"

/* UNKNOWN: which TPCs of a GPC belong to which of its PPCs. Chosen: the first half to the first. */
static void graph_counts_fill(struct graph_counts *counts, const struct chip_units *has, uint32_t ltcs) {
    assert(has->gpcs <= GRAPH_MAX_GPCS && has->ppcs <= GRAPH_MAX_PPCS);
    counts->units = has->gpcs | ltcs << 16;
    for (unsigned gpc = 0; gpc < has->gpcs; gpc++) {
        counts->gpc_tpcs[gpc] = has->tpcs;
        for (unsigned ppc = 0, first = 0; ppc < has->ppcs; ppc++) {
            unsigned left = has->ppcs - ppc, count = (has->tpcs - first + left - 1) / left;
            counts->ppc_tpcs[ppc][gpc] = ((1u << count) - 1) << first;
            first += count;
        }
    }
}

#define IS(field) .at = offsetof(struct graph_counts, field), .readable = ~0u

/* Registers with a stride have an element for each GPC. */
static const struct reg_row rows[] = {
    {"GF100:GV100", {0x409604, "CTXCTL_UNITS", IS(units), .fields = "GPC_COUNT 4:0, ROP_COUNT 20:16"}},
    {"GF100:GV100", {0x502608, "GPC_TPC_COUNT", IS(gpc_tpcs), .stride = 0x8000}},
    {"GF117:GV100", {0x500c30, "GPC_PPC0_TPC_MASK", IS(ppc_tpcs[0]), .stride = 0x8000}},
    {"GF117:GV100", {0x500c34, "GPC_PPC1_TPC_MASK", IS(ppc_tpcs[1]), .stride = 0x8000}},
    {"GF117:GV100", {0x500c38, "GPC_PPC2_TPC_MASK", IS(ppc_tpcs[2]), .stride = 0x8000}},
};

enum pfifo_status graph_counts_attach(struct graph_counts *counts, struct bus *bus, struct pfifo_error *error) {
    const struct pfifo_chip *chip = bus->chip;
    const struct memory_shape shape = memory_shape_of(chip, bus->memory->config.vram_bytes);
    struct reg_table *table = &counts->table;
    graph_counts_fill(counts, &chip->units, shape.partitions * shape.ltcs);
    enum pfifo_status status = reg_table_select(table, "PGRAPH", rows, sizeof rows / sizeof rows[0], chip, error);
    for (size_t i = 0; status == PFIFO_OK && i < table->count; i++) {
        struct reg *reg = (struct reg *)&table->regs[i];
        reg->count = reg->stride ? chip->units.gpcs : 1;
        reg->reset = *reg_storage(counts, reg, 0); /* all elements are the same */
    }
    return status == PFIFO_OK && table->count ? bus_attach_table(bus, table, counts, error) : status;
}

void graph_counts_free(struct graph_counts *counts) {
    free((void *)(uintptr_t)counts->table.regs);
}
