/* SPDX-License-Identifier: MIT */
/*
 * The current object of PGRAPH of NV1 and NV3.
 *
 * NV1: the context has the object's options, which go to CTX_SWITCH; the only modelled one allows NOTIFY. The driver
 * writes the DMA object of notifiers to a register.
 *
 * NV3: the context has 16 bits of an instance. The driver writes the object to RAMIN:
 *
 *   word 0  options of drawing, which go to CTX_CACHE and CTX_SWITCH
 *   word 1  31:16 DMA object of notifiers   15:0 main DMA object: M2MF's source
 *   word 2  15:0 M2MF's destination
 *
 * PGRAPH loads words 1 and 2 to registers when a method needs them (DMA of the class, or NOTIFY) and the registers have
 * another instance, if DEBUG_1 enables it. A driver that changes a loaded object must also change the registers. There
 * are no methods to bind DMA objects: 0x180 .. 0x1fc are refused, and the driver handles them as it likes.
 *
 * A NOTIFY that is due is lost when another object is selected: CTXSW_NOTIFY. The method that selected it is executed,
 * and its own errors do not show.
 *
 * Not modelled: the other options than NOTIFY of NV1; CTXSW_NOTIFY of NV1, and its channel switches by options.
 * Sources: envytools docs/hw/graph/intro.rst, docs/hw/graph/riva/pgraph.rst, rnndb/graph/nv3_pgraph.xml,
 * hwtest/pgraph_mthd.cc.
 */
#include "unit/graph/graph_regs.h"

#define OPTIONS_NV1     0x0000ffffu /* CTX_SWITCH */
#define LOAD_ENABLE     (1u << 16)  /* DEBUG_1 */
#define SWITCH_ENABLE   (1u << 20)  /* DEBUG_1 */
#define CTX_SWITCH      0x400180u   /* NV3 */
#define CTX_CACHE       0x4001a0u   /* NV3 */
#define USER_SUBCHANNEL 0x0000e000u
#define USER_OBJECT     0x001f0000u
#define OBJECT_M2MF     0x0001ffffu
#define NOTIFY_METHOD   0x104u

/* Types whose methods may go to memory: M2MF, SIFM, ITM, D3D. */
#define TYPES_WITH_DMA (1u << 0x0d | 1u << 0x0e | 1u << 0x14 | 1u << 0x17)

static void refuse_switch(struct pgraph *graph, uint32_t channel, uint32_t object_class,
                          const struct unit_method *method) {
    const struct unit_trap trap = {.subchannel = method->subchannel,
                                   .method = method->method,
                                   .data = method->data,
                                   .object_class = object_class,
                                   .error = ENGINE_ERROR_CTXSW_NOTIFY};
    event_send(graph->unit.bus->events, EVENT_ENGINE_ERROR, channel, "CTXSW_NOTIFY", object_class, method->method,
               method->data, 0, 0);
    graph_trap(graph, channel, &trap);
}

/* An armed NOTIFY stays armed. */
static void graph_object_load(struct pgraph *graph, uint32_t instance) {
    struct graph_regs *r = &graph->r;
    uint32_t word1 = memory_ramin_rd32(graph->unit.bus->memory, (instance << 4) + 4);
    r->object_instance = instance;
    r->object_dma = word1 & 0xffff;
    r->object_notify = (r->object_notify & ~GRAPH_NOTIFY_INSTANCE) | word1 >> 16;
    r->object_m2mf = memory_ramin_rd32(graph->unit.bus->memory, (instance << 4) + 8) & OBJECT_M2MF;
}

/* Options of the object: kept for each subchannel, read anew with method 0. */
static void switch_options(struct pgraph *graph, const struct unit_method *method, uint32_t instance) {
    struct graph_regs *r = &graph->r;
    uint32_t *cached = &r->stored[GRAPH_WORD(CTX_CACHE) + method->subchannel];
    if (method->method == 0)
        *cached = memory_ramin_rd32(graph->unit.bus->memory, instance << 4);
    if (r->debug_1 & SWITCH_ENABLE)
        r->stored[GRAPH_WORD(CTX_SWITCH)] = *cached;
}

uint32_t graph_object(struct pgraph *graph, uint32_t channel, uint32_t context, uint32_t object_class,
                      const struct unit_method *method) {
    struct graph_regs *r = &graph->r;
    uint32_t subchannel = method->subchannel << 13, instance = context & 0xffff;
    if (!graph->unit.bus->chip->has_dma_target) {
        r->channel = (r->channel & ~OPTIONS_NV1) | (context & OPTIONS_NV1);
        return (context & USER_OBJECT) >> 16;
    }
    r->trapped_instance = instance;
    if (method->method == 0 || subchannel != (r->channel & USER_SUBCHANNEL)) {
        switch_options(graph, method, instance);
        graph_leave_object(graph, true);
        r->channel = (r->channel & ~(USER_SUBCHANNEL | USER_OBJECT)) | subchannel | (context & USER_OBJECT);
        if (r->object_notify & GRAPH_NOTIFY_ARMED)
            refuse_switch(graph, channel, object_class, method);
    }
    bool needed = (TYPES_WITH_DMA >> (context >> 16 & 0x1f) & 1) || method->method == NOTIFY_METHOD;
    if (needed && (r->debug_1 & LOAD_ENABLE) && instance != r->object_instance)
        graph_object_load(graph, instance);
    return (r->channel & USER_OBJECT) >> 16;
}
