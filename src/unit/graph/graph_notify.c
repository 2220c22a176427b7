/* SPDX-License-Identifier: MIT */
#include "unit/graph/graph_regs.h"

#define NOTIFY_VALID (1u << 8) /* CTX_SWITCH of NV1: the driver has set the DMA object of this object */

bool graph_notify_has_numbers(const struct pgraph *graph) {
    return graph->unit.chip->has_dma_target;
}

static uint32_t graph_notify_number_of(const struct pgraph *graph) {
    return graph_notify_has_numbers(graph) ? (graph->r.object_notify & GRAPH_NOTIFY_SELECT) >> 20 : 0;
}

/* Bits of an armed NOTIFY; NV3 may arm it again. */
static uint32_t armed_bits(const struct pgraph *graph) {
    return graph_notify_has_numbers(graph) ? GRAPH_NOTIFY_ARMED : GRAPH_NOTIFY_ARMED | GRAPH_NOTIFY_INTR;
}

bool graph_notify_allowed(const struct pgraph *graph) {
    return graph_notify_has_numbers(graph) || (graph->r.channel & NOTIFY_VALID);
}

bool graph_notify_interrupts(const struct pgraph *graph) {
    return !graph_notify_has_numbers(graph) && (graph->r.object_notify & GRAPH_NOTIFY_INTR) && !graph->r.invalid;
}

bool graph_notify_armed(const struct pgraph *graph) {
    return (graph->r.object_notify & armed_bits(graph)) != 0;
}

bool graph_notify_arm(struct pgraph *graph, uint32_t number) {
    struct graph_regs *r = &graph->r;
    bool numbers = graph_notify_has_numbers(graph);
    if (r->invalid & (numbers ? GRAPH_INVALID_VALUE | GRAPH_CTXSW_NOTIFY : ~0u))
        return false;
    r->object_notify |= GRAPH_NOTIFY_ARMED;
    if (numbers)
        r->object_notify = (r->object_notify & ~GRAPH_NOTIFY_SELECT) | (number << 20 & GRAPH_NOTIFY_SELECT);
    return true;
}

bool graph_notify_wakes(const struct pgraph *graph) {
    return (graph->r.object_notify & GRAPH_NOTIFY_ARMED) && graph_notify_number_of(graph) != 0 &&
           !(graph->r.invalid & (GRAPH_INVALID_VALUE | GRAPH_CTXSW_NOTIFY));
}

/* The driver may have revoked it. */
struct graph_notifier graph_notify_take(struct pgraph *graph) {
    uint32_t notify = graph->r.object_notify, number = graph_notify_number_of(graph);
    bool numbers = graph_notify_has_numbers(graph);
    graph->r.object_notify &= ~armed_bits(graph);
    return (struct graph_notifier){.due = (notify & GRAPH_NOTIFY_ARMED) != 0,
                                   .awaken = numbers ? number != 0 : (notify & GRAPH_NOTIFY_INTR) != 0,
                                   .instance = notify & GRAPH_NOTIFY_INSTANCE,
                                   .offset = number > 1 ? 0x10 * number : 0};
}

struct graph_dma_objects graph_dma_objects(const struct pgraph *graph) {
    const struct graph_regs *r = &graph->r;
    return (struct graph_dma_objects){r->object_notify & GRAPH_NOTIFY_INSTANCE, r->object_dma, r->object_m2mf & 0xffff};
}
