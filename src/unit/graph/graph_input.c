/* SPDX-License-Identifier: MIT */
#include "unit/graph/graph_input.h"

#include <assert.h>

#include "unit/graph/graph_regs.h"

#define FORCE_VALUE (3u << 20) /* DEBUG_3: DATA_CHECK, DATA_CHECK_FORCE_FAIL */

struct graph_stage {
    const char *chips;
    uint32_t address, data, data_high; /* offsets in struct pgraph; `data_high` 0: there is none */
    uint32_t valid;
    uint8_t method_shift, subchannel_shift, channel_shift, channel_bits; /* of the method without its low bits */
    bool shows_failures;                                                 /* only what the host wrote goes in */
    uint32_t reload_1, reload_3; /* bits of DEBUG_1 and DEBUG_3: another subchannel reads RAMIN again */
};

#define STAGE(offset) offsetof(struct pgraph, r.stored[GRAPH_WORD(offset)])
#define STAGE_NV10    STAGE(0x400764), STAGE(0x400768), STAGE(0x40076c), 1u << 26, 2, 16
#define STAGE_G80     offsetof(struct pgraph, r.dispatch[0]), offsetof(struct pgraph, r.dispatch[1])

static const struct graph_stage stages[] = {
    {"NV4:NV10", STAGE(0x400754), STAGE(0x400758), 0, 1u << 0, 1, 12, 15, 4, false, 1u << 15, 0},
    {"NV10:NV40", STAGE_NV10, 20, 5, false, 0, 1u << 14},
    {"NV40:G80", STAGE_NV10, 0, 0, false, 0, 1u << 14},
    {"G80:GF100", STAGE_G80, 0, 1u << 31, 2, 16, 0, 0, true, 0, 0},
};

bool graph_stage_reloads(const struct pgraph *graph) {
    return (graph->r.debug_1 & graph->stage->reload_1) || (graph->r.debug_3 & graph->stage->reload_3);
}

const struct graph_stage *graph_stage_of(const struct pfifo_chip *chip) {
    return CHIP_ROW(chip, stages);
}

static uint32_t *stage_word(struct pgraph *graph, uint32_t at) {
    return (uint32_t *)(void *)((uint8_t *)graph + at);
}

static uint32_t stage_value(const struct pgraph *graph, uint32_t at) {
    return *(const uint32_t *)(const void *)((const uint8_t *)graph + at);
}

bool graph_input_waits(const struct pgraph *graph) {
    const struct graph_stage *stage = graph->stage;
    return stage && (stage_value(graph, stage->address) & stage->valid) && (graph->r.access & GRAPH_ACCESS) &&
           (graph->r.input_given || !stage->shows_failures);
}

struct graph_input graph_input_method(const struct pgraph *graph) {
    const struct graph_stage *stage = graph->stage;
    assert(stage);
    uint32_t address = stage_value(graph, stage->address);
    return (struct graph_input){
        .method = {.subchannel = address >> stage->subchannel_shift & 7,
                   .method = (address >> stage->method_shift & 0x7ff) << 2,
                   .data = stage_value(graph, stage->data),
                   .data_high = stage->data_high ? stage_value(graph, stage->data_high) : 0},
        .channel =
            stage->channel_bits ? address >> stage->channel_shift & ((1u << stage->channel_bits) - 1u) : UINT32_MAX,
    };
}

bool graph_input_open(const struct pgraph *graph) {
    const struct graph_input input = graph->stage ? graph_input_method(graph) : (struct graph_input){0};
    return graph_input_waits(graph) && (input.channel == UINT32_MAX || graph_admits(graph, input.channel));
}

bool graph_input_takes(struct pgraph *graph, const struct graph_input *input) {
    return input->channel == UINT32_MAX || graph_switch_to(graph, input->channel, &input->method);
}

bool graph_input_object(struct pgraph *graph, const struct graph_input *input, uint32_t *object_class,
                        uint32_t *instance) {
    if (!graph->context)
        return false;
    graph_select(graph, &input->method);
    *object_class = graph_selected_class(graph);
    *instance = graph_selected_instance(graph);
    return true;
}

void graph_input_begin(struct pgraph *graph, const struct graph_input *input) {
    graph->at_input = true;
    if (!graph->context)
        return;
    graph_show_method(graph, input->channel, &input->method);
    graph->r.trapped_data_high = input->method.data_high;
}

/* DEBUG_3 can force an error of each method but 0, which is executed nevertheless, or refused once more. */
static void graph_input_force(struct pgraph *graph, const struct graph_input *input) {
    const struct unit_method *m = &input->method;
    const struct unit_trap trap = {
        .subchannel = m->subchannel, .method = m->method, .data = m->data, .error = ENGINE_ERROR_INVALID_VALUE};
    if (graph->context && m->method != 0 && graph_debug_3(graph, FORCE_VALUE) &&
        !(graph->r.intr & GRAPH_INTR_MISSING_HW))
        graph_trap(graph, input->channel, &trap);
}

void graph_input_end(struct pgraph *graph, const struct graph_input *input, bool taken) {
    if (taken)
        graph_input_force(graph, input);
    graph->at_input = false;
    if (!taken)
        return;
    *stage_word(graph, graph->stage->address) &= ~graph->stage->valid;
    graph->r.input_given = 0;
}

/* ---- registers ---- */

static void graph_input_tell(struct pgraph *graph) {
    struct bus *bus = graph->unit.bus;
    if (graph_input_waits(graph) && bus->host_ops->graph_input)
        bus->host_ops->graph_input(bus->host);
}

void graph_write_fifo(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    graph_input_tell(unit);
}

void graph_write_stage(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pgraph *graph = unit;
    (void)reg, (void)index, (void)value;
    graph->r.input_given = 1;
    graph_input_tell(graph);
}
