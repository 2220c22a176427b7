/* SPDX-License-Identifier: MIT */
#include "fifo/graph_intr.h"

static void update_line(struct graph_intr *graph) {
    bus_interrupt(graph->bus, PMC_INTR_PGRAPH, (graph->intr & graph->intr_en) != 0);
}

static void write_intr(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct graph_intr *graph = unit;
    (void)reg, (void)index;
    graph->intr &= ~value;
    update_line(graph);
}

static void write_intr_en(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    update_line(unit);
}

static const struct reg graph_regs[] = {
    {0x400100, "INTR", offsetof(struct graph_intr, intr), ~0u, 0, 0, 0, 0, NULL, write_intr},
    {0x40013c, "INTR_EN", offsetof(struct graph_intr, intr_en), ~0u, ~0u, 0, 0, 0, NULL, write_intr_en},
};

static const struct face graph_face = {"PGRAPH", graph_regs, sizeof graph_regs / sizeof graph_regs[0]};

enum pfifo_status graph_attach(struct graph_intr *graph, struct bus *bus, struct pfifo_error *error) {
    graph->bus = bus;
    return bus_attach_face(bus, &graph_face, graph, error);
}

void graph_raise(struct graph_intr *graph, uint32_t bits) {
    graph->intr |= bits;
    update_line(graph);
}
