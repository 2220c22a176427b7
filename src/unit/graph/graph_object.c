/* SPDX-License-Identifier: MIT */
/*
 * The current object of PGRAPH of NV1 and NV3.
 *
 * NV1: the context has the object's options, which go to CTX_SWITCH; the only modelled one allows NOTIFY. Its type goes
 * to ACCESS. The driver writes the DMA object of notifiers to a register. Method 0 by the host's own window has the
 * whole of CTX_SWITCH: another channel or subcontext in it raises CONTEXT_SWITCH, but is selected nevertheless.
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
 * and its own errors do not show. NV1 does so for the host's method 0.
 *
 * NV3: DEBUG_3 can force an INVALID_VALUE for each method but 0, which is executed nevertheless, or refused once more.
 *
 * Not modelled: the other options than NOTIFY of NV1; its CTXSW_NOTIFY, and its channel switches by options, where
 * PFIFO sends method 0.
 *
 * UNKNOWN: whether a NOTIFY of NV1 that does not interrupt is refused, too, as its document says, where hwtest has only
 * the other one; chosen: yes, and it stays armed.
 *
 * Sources: envytools docs/hw/graph/intro.rst, docs/hw/graph/riva/pgraph.rst, docs/hw/graph/nv1/pgraph.rst,
 * rnndb/graph/nv3_pgraph.xml, hwtest/pgraph_mthd.cc, pgraph_mthd_misc.cc.
 */
#include "unit/graph/graph_regs.h"

#include <assert.h>

#define OPTIONS_NV1      0x0000ffffu /* CTX_SWITCH */
#define LOAD_ENABLE      (1u << 16)  /* DEBUG_1 */
#define SWITCH_ENABLE    (1u << 20)  /* DEBUG_1 */
#define CTX_SWITCH       0x400180u   /* NV3 */
#define CTX_CACHE        0x4001a0u   /* NV3 */
#define COLOR_FORMAT     7u          /* CTX_SWITCH of NV3 */
#define YUV420           7u
#define USER_SUBCHANNEL  0x0000e000u
#define USER_OBJECT      0x001f0000u
#define OBJECT_M2MF      0x0001ffffu
#define NOTIFY_METHOD    0x104u
#define FORCE_VALUE      (3u << 20)  /* DEBUG_3 of NV3: DATA_CHECK, DATA_CHECK_FORCE_FAIL */
#define SWITCH_BITS      0x807fffffu /* CTX_SWITCH of NV1 */
#define SWITCH_CHANNEL   0x007f0000u
#define SWITCH_TELLS     0x007f8000u /* the channel and the subcontext */
#define SWITCH_RESETS    (1u << 31)
#define SWITCHING        (1u << 24) /* CTX_CONTROL */
#define SWITCH_AVAILABLE (1u << 20)
#define RESETS_ENABLED   (1u << 28) /* DEBUG_2 */
#define DEBUG_2          0x400088u

/* Types whose methods may go to memory: M2MF, SIFM, ITM, D3D. */
#define TYPES_WITH_DMA (1u << 0x0d | 1u << 0x0e | 1u << 0x14 | 1u << 0x17)

void graph_refuse(struct pgraph *graph, uint32_t channel, uint32_t object_class, const struct unit_method *method,
                  enum engine_error error) {
    const struct unit_trap trap = {.subchannel = method->subchannel,
                                   .method = method->method,
                                   .data = method->data,
                                   .object_class = object_class,
                                   .error = error};
    event_send(graph->unit.bus->events, EVENT_ENGINE_ERROR, channel, graph_error_name(graph->unit.chip, &trap),
               object_class, method->method, method->data, 0, 0, 0);
    graph_trap(graph, channel, &trap);
}

/* ---- NV1 ---- */

uint32_t graph_channel_nv1(const struct pgraph *graph) {
    return (graph->r.channel & SWITCH_CHANNEL) >> 16;
}

static void show_type(struct pgraph *graph, uint32_t type) {
    graph->r.access = (graph->r.access & ~GRAPH_OBJECT_NV1) | (type << 12 & GRAPH_OBJECT_NV1);
}

void graph_show_method_nv1(struct pgraph *graph, uint32_t type, uint32_t address, uint32_t data) {
    graph->r.trapped_addr = type << 16 | address;
    graph->r.trapped_data = data;
}

/* SWITCH_AVAILABLE: the device is enabled and has no channel, or is not busy with it. */
uint32_t graph_read_control_nv1(void *unit, const struct reg *reg, uint32_t index) {
    uint32_t control = *reg_storage(unit, reg, index) & CONTROL_BITS;
    bool busy = (control & GRAPH_CTX_CONTROL_CHID) && (control & (SWITCHING | GRAPH_CTX_CONTROL_TIME));
    return control | ((control & GRAPH_CTX_CONTROL_DEVICE) && !busy ? SWITCH_AVAILABLE : 0);
}

/* An armed NOTIFY is refused. Bits of INTR. */
static uint32_t drop_notify(struct pgraph *graph) {
    struct graph_regs *r = &graph->r;
    uint32_t armed = r->object_notify & (GRAPH_NOTIFY_ARMED | GRAPH_NOTIFY_INTR);
    if (!armed)
        return 0;
    event_send(graph->unit.bus->events, EVENT_ENGINE_ERROR, graph_channel_nv1(graph),
               graph_error_name(graph->unit.chip, &(struct unit_trap){.error = ENGINE_ERROR_CTXSW_NOTIFY}), 0, 0,
               r->channel, 0, 0, 0);
    r->invalid |= GRAPH_CTXSW_NOTIFY;
    r->object_notify &= ~GRAPH_NOTIFY_INTR;
    return GRAPH_INTR_INVALID_NV1 | (armed & GRAPH_NOTIFY_INTR ? GRAPH_INTR_NV1_NOTIFY : 0);
}

/* Another channel or subcontext, or none before. Bits of INTR. */
static uint32_t graph_object_switch_channel(struct pgraph *graph, uint32_t value) {
    struct graph_regs *r = &graph->r;
    bool same = ((value ^ r->channel) & SWITCH_TELLS) == 0;
    if (same && (r->ctx_control & GRAPH_CTX_CONTROL_CHID)) {
        r->ctx_control &= ~SWITCHING;
        return 0;
    }
    r->ctx_control |= SWITCHING | GRAPH_CTX_CONTROL_CHID;
    event_send(graph->unit.bus->events, EVENT_ENGINE_INTERRUPT, graph_channel_nv1(graph), "CONTEXT_SWITCH", 0, 0, value,
               0);
    return GRAPH_INTR_NV1_CTXSW;
}

void graph_switch_nv1(struct pgraph *graph, uint32_t type, uint32_t value) {
    struct graph_regs *r = &graph->r;
    bool same = ((value ^ r->channel) & SWITCH_CHANNEL) == 0 || !(r->ctx_control & GRAPH_CTX_CONTROL_CHID);
    bool enabled = (r->stored[GRAPH_WORD(DEBUG_2)] & RESETS_ENABLED) != 0;
    uint32_t intr = graph_object_switch_channel(graph, value);
    show_type(graph, type);
    graph_forget_object(graph, (value & SWITCH_RESETS) && enabled && same);
    r->channel = value & SWITCH_BITS;
    intr |= drop_notify(graph);
    graph_raise_nv1(graph, intr);
}

/* ---- NV3 ---- */

bool graph_is_yuv420(const struct pgraph *graph) {
    return (graph->checked_by & COLOR_FORMAT) == YUV420;
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
    assert(method->subchannel < 8);
    uint32_t *cached = &r->stored[GRAPH_WORD(CTX_CACHE) + method->subchannel];
    if (method->method == 0)
        *cached = memory_ramin_rd32(graph->unit.bus->memory, instance << 4);
    if (r->debug_1 & SWITCH_ENABLE)
        r->stored[GRAPH_WORD(CTX_SWITCH)] = *cached;
}

/*
 * The options of another object come too late for the check of the method that selected it, unless PGRAPH has waited
 * for RAMIN. [envytools hwtest/pgraph_mthd.cc, MthdTest::adjust_orig]
 */
static void load_and_check(struct pgraph *graph, uint32_t instance, bool needed, uint32_t before) {
    bool loads = needed && (graph->r.debug_1 & LOAD_ENABLE) && instance != graph->r.object_instance;
    graph->checked_by = loads ? graph->r.stored[GRAPH_WORD(CTX_SWITCH)] : before;
    if (loads)
        graph_object_load(graph, instance);
}

uint32_t graph_object(struct pgraph *graph, uint32_t channel, uint32_t context, uint32_t object_class,
                      const struct unit_method *method) {
    struct graph_regs *r = &graph->r;
    uint32_t subchannel = method->subchannel << 13, instance = context & 0xffff;
    if (!graph->unit.bus->chip->has_dma_target) {
        r->channel = (r->channel & ~OPTIONS_NV1) | (context & OPTIONS_NV1);
        show_type(graph, context >> 16);
        return (context & USER_OBJECT) >> 16;
    }
    r->trapped_instance = instance;
    uint32_t before = r->stored[GRAPH_WORD(CTX_SWITCH)];
    if (method->method == 0 || subchannel != (r->channel & USER_SUBCHANNEL)) {
        switch_options(graph, method, instance);
        graph_leave_object(graph, true);
        r->channel = (r->channel & ~(USER_SUBCHANNEL | USER_OBJECT)) | subchannel | (context & USER_OBJECT);
        if (r->object_notify & GRAPH_NOTIFY_ARMED)
            graph_refuse(graph, channel, object_class, method, ENGINE_ERROR_CTXSW_NOTIFY);
    }
    if (method->method != 0 && !r->invalid && graph_debug_3(graph, FORCE_VALUE))
        graph_refuse(graph, channel, object_class, method, ENGINE_ERROR_INVALID_VALUE);
    bool needed = (TYPES_WITH_DMA >> (context >> 16 & 0x1f) & 1) || method->method == NOTIFY_METHOD;
    load_and_check(graph, instance, needed, before);
    return (r->channel & USER_OBJECT) >> 16;
}
