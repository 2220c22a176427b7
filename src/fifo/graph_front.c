/* SPDX-License-Identifier: MIT */
#include "fifo/graph_front.h"

#include <stdlib.h>

#define ACCESS          1u
#define CHANNEL_VALID   (1u << 16) /* CTX_CONTROL */
#define AUTOMATIC       (1u << 2)  /* DEBUG_3 */
#define DATA_HIGH_VALID (1u << 28) /* TRAPPED_ADDR */
#define CONTROL_BITS    0x11110103u

/* ---- the gates ---- */

static uint32_t trap_nv1(uint32_t channel, const struct graph_method *m) {
    (void)channel; /* NV1 does not show it */
    return m->subchannel << 13 | m->method;
}

static uint32_t trap_nv3(uint32_t channel, const struct graph_method *m) {
    return channel << 24 | m->subchannel << 13 | m->method;
}

static uint32_t trap_nv10(uint32_t channel, const struct graph_method *m) {
    return channel << 20 | m->subchannel << 16 | m->method | (m->pair ? DATA_HIGH_VALID : 0);
}

struct graph_gate {
    const char *chips;
    unsigned channel_shift, channel_bits; /* in the register that has the channel */
    uint32_t interrupt;                   /* CONTEXT_SWITCH */
    bool has_automatic;                   /* DEBUG_3 may leave the switch to PGRAPH */
    uint32_t (*trapped_addr)(uint32_t channel, const struct graph_method *method);
};

static const struct graph_gate gates[] = {
    {"NV1", 16, 7, 1u << 4, false, trap_nv1},        {"NV3:NV4", 24, 7, 1u << 4, false, trap_nv3},
    {"NV4:NV10", 24, 4, 1u << 12, false, trap_nv3},  {"NV10:NV20", 24, 5, 1u << 12, false, trap_nv10},
    {"NV20:NV40", 24, 5, 1u << 12, true, trap_nv10},
};

static uint32_t channel_of(const struct graph_front *graph) {
    return graph->r.channel >> graph->gate->channel_shift & ((1u << graph->gate->channel_bits) - 1u);
}

/* ---- interrupt ---- */

static void update_line(struct graph_front *graph) {
    bus_interrupt(graph->bus, PMC_INTR_PGRAPH, (graph->r.intr & graph->r.intr_en) != 0);
}

static void write_intr(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct graph_front *graph = unit;
    (void)reg, (void)index;
    graph->r.intr &= ~value;
    update_line(graph);
}

static void write_intr_en(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    update_line(unit);
}

void graph_raise(struct graph_front *graph, uint32_t bits) {
    graph->r.intr |= bits;
    update_line(graph);
}

/* ---- going in ---- */

bool graph_open(const struct graph_front *graph, uint32_t channel) {
    if (!(graph->r.access & ACCESS))
        return false;
    return !graph->gate || ((graph->r.ctx_control & CHANNEL_VALID) && channel_of(graph) == channel);
}

bool graph_asks(const struct graph_front *graph) {
    return graph->gate && (graph->r.intr & graph->gate->interrupt);
}

bool graph_takes(struct graph_front *graph, uint32_t channel, const struct graph_method *method) {
    if (!(graph->r.access & ACCESS) || graph_open(graph, channel))
        return (graph->r.access & ACCESS) != 0;
    if (graph->gate->has_automatic && (graph->r.debug_3 & AUTOMATIC)) {
        uint32_t mask = ((1u << graph->gate->channel_bits) - 1u) << graph->gate->channel_shift;
        graph->r.channel = (graph->r.channel & ~mask) | (channel << graph->gate->channel_shift & mask);
        graph->r.ctx_control |= CHANNEL_VALID;
        return true;
    }
    if (graph_asks(graph))
        return false;
    graph->r.trapped_addr = graph->gate->trapped_addr(channel, method);
    graph->r.trapped_data = method->data;
    if (method->pair)
        graph->r.trapped_data_high = method->data_high;
    event_send(graph->bus->events, EVENT_ENGINE_INTERRUPT, channel, "CONTEXT_SWITCH", 0, method->method, method->data,
               0);
    graph_raise(graph, graph->gate->interrupt);
    return false;
}

/* ---- registers ---- */

#define G(field)        offsetof(struct graph_front, r.field)
#define RW(bits)        .readable = (bits), .writable = (bits)
#define AT(field, bits) .at = G(field), RW(bits)
#define CONTROL_FIELDS  "MIN_TIME 1:0, TIME 8, CHID_VALID 16, SWITCH_AVAILABLE 20, SWITCHING 24, DEVICE_ENABLED 28"

/* UNKNOWN: FIFO access after reset on NV1 and NV3; chosen: on, as documented for NV4. */
static const struct reg_row rows[] = {
    {"NV20:NV40", {0x40008c, "DEBUG_3", AT(debug_3, ~0u), .fields = "AUTOMATIC_SWITCH 2"}},
    {"NV1-", {0x400100, "INTR", .at = G(intr), .readable = ~0u, .write = write_intr}},
    {"NV1:NV40", {0x400140, "INTR_EN", AT(intr_en, ~0u), .write = write_intr_en}},
    {"NV40-", {0x40013c, "INTR_EN", AT(intr_en, ~0u), .write = write_intr_en}},
    {"NV1:NV4", {0x400190, "CTX_CONTROL", AT(ctx_control, CONTROL_BITS), .fields = CONTROL_FIELDS}},
    {"NV4:NV10", {0x400170, "CTX_CONTROL", AT(ctx_control, CONTROL_BITS), .fields = CONTROL_FIELDS}},
    {"NV10:NV40", {0x400144, "CTX_CONTROL", AT(ctx_control, CONTROL_BITS), .fields = CONTROL_FIELDS}},
    {"NV1", {0x400180, "CTX_SWITCH", AT(channel, ~0u), .fields = "CHID 22:16"}},
    {"NV3:NV4", {0x400194, "CTX_USER", AT(channel, ~0u), .fields = "CHID 30:24"}},
    {"NV4:NV10", {0x400174, "CTX_USER", AT(channel, ~0u), .fields = "CHID 27:24"}},
    {"NV10:NV40", {0x400148, "CTX_USER", AT(channel, ~0u), .fields = "CHID 28:24"}},
    {"NV1:NV4", {0x4006a4, "FIFO", AT(access, ACCESS), .reset = ACCESS, .fields = "ACCESS 0"}},
    {"NV4:G80", {0x400720, "FIFO", AT(access, ACCESS), .reset = ACCESS, .fields = "ACCESS 0"}},
    {"NV1",
     {0x4006a8, "TRAPPED_ADDR", .at = G(trapped_addr), .readable = ~0u, .fields = "METHOD 12:2, SUBCHANNEL 15:13"}},
    {"NV1", {0x4006ac, "TRAPPED_DATA", .at = G(trapped_data), .readable = ~0u}},
    {"NV3:NV4",
     {0x4006b4, "TRAPPED_ADDR", .at = G(trapped_addr), .readable = ~0u,
      .fields = "METHOD 12:2, SUBCHANNEL 15:13, CHID 30:24"}},
    {"NV3:NV4", {0x4006b8, "TRAPPED_DATA", .at = G(trapped_data), .readable = ~0u}},
    {"NV4:NV10",
     {0x400704, "TRAPPED_ADDR", .at = G(trapped_addr), .readable = ~0u,
      .fields = "METHOD 12:2, SUBCHANNEL 15:13, CHID 27:24"}},
    {"NV10:NV40",
     {0x400704, "TRAPPED_ADDR", .at = G(trapped_addr), .readable = ~0u,
      .fields = "METHOD 12:2, SUBCHANNEL 18:16, CHID 24:20, DATA_HIGH_VALID 28"}},
    {"NV4:NV40", {0x400708, "TRAPPED_DATA", .at = G(trapped_data), .readable = ~0u}},
    {"NV10:NV40", {0x40070c, "TRAPPED_DATA_HIGH", .at = G(trapped_data_high), .readable = ~0u}},
};

enum pfifo_status graph_attach(struct graph_front *graph, struct bus *bus, struct pfifo_error *error) {
    graph->bus = bus;
    graph->r.access = ACCESS; /* for chips that have no register for it */
    for (size_t i = 0; i < sizeof gates / sizeof gates[0]; i++)
        if (chip_in_range(bus->chip, gates[i].chips))
            graph->gate = &gates[i];
    enum pfifo_status status =
        face_select(&graph->face, "PGRAPH", rows, sizeof rows / sizeof rows[0], bus->chip, error);
    return status == PFIFO_OK ? bus_attach_face(bus, &graph->face, graph, error) : status;
}

void graph_free(struct graph_front *graph) {
    free((void *)(uintptr_t)graph->face.regs);
}

void graph_reset(struct graph_front *graph) {
    bus_reset_face(&graph->face, graph);
    update_line(graph);
}
