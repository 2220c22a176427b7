/* SPDX-License-Identifier: MIT */
/*
 * PGRAPH as one of the units: its operations, and its creation.
 */
#include <stdlib.h>

#include "state/state.h"
#include "unit/graph/graph_ports.h"
#include "unit/graph/graph_regs.h"

static const struct pgraph *graph_at(const struct unit *unit) {
    return (const struct pgraph *)unit;
}

static bool graph_op_open(const struct unit *unit, uint32_t channel) {
    return graph_open(graph_at(unit), channel);
}

static bool graph_op_takes(struct unit *unit, uint32_t channel, const struct unit_method *method) {
    return graph_takes(graph_of(unit), channel, method);
}

static bool graph_op_asks(const struct unit *unit) {
    return graph_asks(graph_at(unit));
}

static void graph_op_bind(struct unit *unit, uint32_t subchannel, uint32_t instance) {
    graph_bind(graph_of(unit), subchannel, instance);
}

static void graph_op_enter(struct unit *unit, uint32_t instance) {
    graph_enter(graph_of(unit), instance);
}

static void graph_op_notify(struct unit *unit, enum unit_cause cause) {
    graph_notify(graph_of(unit), cause);
}

static bool graph_op_trap(struct unit *unit, uint32_t channel, const struct unit_trap *what) {
    return graph_trap(graph_of(unit), channel, what);
}

/*
 * UNKNOWN: how PGRAPH shows a failed access of an embedder's engine before GF100; chosen: a protection error, or a
 * fault of DISPATCH.
 */
static void graph_op_fault(struct unit *unit, uint32_t channel, const struct unit_trap *what) {
    static const struct unit_trap unknown = {.error = ENGINE_ERROR_UNKNOWN_ACCESS};
    graph_trap(graph_of(unit), channel, what ? what : &unknown);
}

/* Methods may have come while it was off, so it is also reset when it is switched on. */
static void graph_op_enable_changed(struct unit *unit, uint32_t old, uint32_t now) {
    if ((old ^ now) & PMC_INTR_PGRAPH)
        graph_reset(graph_of(unit));
}

_Static_assert(sizeof(void *) != 8 || offsetof(struct pgraph, r) == 232,
               "all state of PGRAPH is in its registers and tables");

static void graph_op_state(struct unit *unit, struct state_io *io) {
    struct graph_regs *r = &graph_of(unit)->r;
    state_words(io, (uint32_t *)(void *)r, sizeof *r / sizeof(uint32_t), "PGRAPH");
    graph_store_state(graph_of(unit), io);
}

static void graph_free(struct unit *unit) {
    struct pgraph *graph = graph_of(unit);
    for (size_t i = 0; i < GRAPH_TABLES; i++)
        free((void *)(uintptr_t)graph->tables[i].regs);
    graph_store_free(graph);
    graph_counts_free(&graph->counts);
    free(graph);
}

static const struct unit_ops graph_ops = {
    .open = graph_op_open,
    .takes = graph_op_takes,
    .asks = graph_op_asks,
    .bind = graph_op_bind,
    .enter = graph_op_enter,
    .notify = graph_op_notify,
    .trap = graph_op_trap,
    .fault = graph_op_fault,
    .enable_changed = graph_op_enable_changed,
    .state = graph_op_state,
    .free = graph_free,
};

static enum pfifo_status graph_unit_attach_table(struct pgraph *graph, const struct graph_table *table,
                                                 struct reg_table *regs, struct pfifo_error *error) {
    struct bus *bus = graph->unit.bus;
    enum pfifo_status status = reg_table_select(regs, "PGRAPH", table->rows, *table->count, bus->chip, error);
    return status == PFIFO_OK ? bus_attach_table(bus, regs, graph, error) : status;
}

enum pfifo_status graph_new(struct unit **out, struct bus *bus, struct pfifo_error *error) {
    struct pgraph *graph = calloc(1, sizeof *graph);
    *out = NULL;
    if (!graph)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the registers of PGRAPH");
    graph->unit = (struct unit){.ops = &graph_ops, .chip = bus->chip, .bus = bus};
    graph->r.access = GRAPH_ACCESS;
    graph->gate = graph_gate_of(bus->chip);
    graph->errors = graph_errors_of(bus->chip);
    graph->context = graph_context_of(bus->chip);
    graph->resets = graph_resets_of(bus->chip);
    graph->stage = graph_stage_of(bus->chip);
    graph->pipe = graph_pipe_of(bus->chip);
    enum pfifo_status status = graph_store_new(graph, error);
    for (size_t i = 0; status == PFIFO_OK && i < GRAPH_TABLES; i++)
        if (chip_in_range(bus->chip, graph_tables[i].chips))
            status = graph_unit_attach_table(graph, &graph_tables[i], &graph->tables[i], error);
    if (status == PFIFO_OK)
        status = graph_counts_attach(&graph->counts, bus, error);
    *out = &graph->unit;
    return status;
}
