/* SPDX-License-Identifier: MIT */
/*
 * The current object of PGRAPH of NV4 .. NV4x.
 *
 *   method 0 --words of the object in RAMIN, its instance--> CTX_CACHE[subchannel]
 *   another subchannel, or method 0 --CTX_CACHE[subchannel]--> CTX_SWITCH, if DEBUG_1 enables it; CTX_USER
 *
 * A driver reads class and instance of a refused method there.
 *
 * Not modelled: updates with each method (here with method 0 and with a refused method only); methods that change words
 *               of the object; updates by PGRAPH of NV20 and later with the channel.
 * Sources: envytools hwtest/pgraph_mthd.cc, pgraph_state.cc, rnndb/graph/nv4_pgraph.xml; nouveau engine/gr/nv04.c.
 */
#include "unit/graph/graph_regs.h"

#include <assert.h>

#define SWITCH_ENABLE   (1u << 20) /* DEBUG_1 */
#define USER_SUBCHANNEL 13         /* CTX_USER */
#define INSTANCE        0xff       /* instead of a word of the object */
#define CACHE_STRIDE    0x20u

struct graph_context {
    const char *chips;
    uint32_t switched, cached; /* CTX_SWITCH1, CTX_CACHE1; the others follow */
    uint32_t class_bits;       /* of the first */
    unsigned count;
    uint8_t words[6]; /* their contents: words of the object in RAMIN */
    uint32_t instance_bits;
};

static const struct graph_context contexts[] = {
    {"NV4:NV10", NV_PGRAPH_CTX_SWITCH1_NV4, NV_PGRAPH_CTX_CACHE1_NV4, 0xff, 4, {0, 1, 2, INSTANCE}, 0xffff},
    {"NV10:NV25", NV_PGRAPH_CTX_SWITCH1_NV10, NV_PGRAPH_CTX_CACHE1_NV10, 0xff, 5, {0, 1, 2, INSTANCE, 3}, 0xffff},
    {"NV25:NV40", NV_PGRAPH_CTX_SWITCH1_NV10, NV_PGRAPH_CTX_CACHE1_NV10, 0xfff, 5, {0, 1, 2, INSTANCE, 3}, 0xffff},
    {"NV40:G80", NV_PGRAPH_CTX_SWITCH1_NV40, NV_PGRAPH_CTX_CACHE1_NV40, 0xffff, 6, {0, 1, 2, 3, INSTANCE, 4}, 0xffffff},
};

const struct graph_context *graph_context_of(const struct pfifo_chip *chip) {
    return CHIP_ROW(chip, contexts);
}

static unsigned instance_word(const struct graph_context *x) {
    unsigned i = 0;
    while (i < x->count && x->words[i] != INSTANCE)
        i++;
    assert(i < x->count);
    return i;
}

static uint32_t *cached(struct pgraph *graph, unsigned word, uint32_t subchannel) {
    assert(word < graph->context->count && subchannel < 8);
    return &graph->r.stored[GRAPH_WORD(graph->context->cached + CACHE_STRIDE * word) + subchannel];
}

static void graph_object_nv4_go_to(struct pgraph *graph, uint32_t subchannel) {
    uint32_t *switched = &graph->r.stored[GRAPH_WORD(graph->context->switched)];
    graph_leave_object(graph, true);
    graph->r.channel = (graph->r.channel & ~(7u << USER_SUBCHANNEL)) | subchannel << USER_SUBCHANNEL;
    for (unsigned i = 0; (graph->r.debug_1 & SWITCH_ENABLE) && i < graph->context->count; i++)
        switched[i] = *cached(graph, i, subchannel);
}

/* Words of an object to CTX_CACHE, beside its instance. */
static void graph_object_nv4_read(struct pgraph *graph, uint32_t subchannel, uint32_t instance) {
    const struct graph_context *x = graph->context;
    for (unsigned i = 0; i < x->count; i++)
        if (x->words[i] != INSTANCE)
            *cached(graph, i, subchannel) =
                memory_ramin_rd32(graph->unit.bus->memory, (instance << 4) + 4 * x->words[i]);
}

void graph_bind(struct pgraph *graph, uint32_t subchannel, uint32_t instance) {
    if (!graph->context)
        return;
    *cached(graph, instance_word(graph->context), subchannel) = instance;
    graph_object_nv4_read(graph, subchannel, instance);
    graph_object_nv4_go_to(graph, subchannel);
}

/* Without the bit that loads CTX_SWITCH, what is read again is the object that it shows. */
void graph_select(struct pgraph *graph, const struct unit_method *method) {
    const struct graph_context *x = graph->context;
    uint32_t subchannel = method->subchannel, shown = graph_selected_instance(graph);
    if (method->method == 0) {
        graph_bind(graph, subchannel, method->data & x->instance_bits);
        return;
    }
    if (subchannel == (graph->r.channel >> USER_SUBCHANNEL & 7))
        return;
    if (graph->r.debug_1 & SWITCH_ENABLE)
        shown = *cached(graph, instance_word(x), subchannel) & x->instance_bits;
    if (graph_stage_reloads(graph))
        graph_object_nv4_read(graph, subchannel, shown);
    graph_object_nv4_go_to(graph, subchannel);
}

uint32_t graph_selected_class(const struct pgraph *graph) {
    return graph->r.stored[GRAPH_WORD(graph->context->switched)] & graph->context->class_bits;
}

uint32_t graph_selected_instance(const struct pgraph *graph) {
    const struct graph_context *x = graph->context;
    return graph->r.stored[GRAPH_WORD(x->switched) + instance_word(x)] & x->instance_bits;
}

/*
 * UNKNOWN: whether the instance shows without DEBUG_1; chosen: it does, since a driver needs it for a refused method.
 */
void graph_show_object(struct pgraph *graph, const struct unit_trap *trap) {
    const struct graph_context *x = graph->context;
    unsigned instance = instance_word(x);
    if (graph->at_input) /* which shows it already */
        return;
    for (unsigned s = 0; s < 8; s++)
        *cached(graph, 0, s) = (*cached(graph, 0, s) & ~x->class_bits) | (trap->classes[s] & x->class_bits);
    if (trap->instance)
        *cached(graph, instance, trap->subchannel & 7) = trap->instance;
    if (trap->subchannel != (graph->r.channel >> USER_SUBCHANNEL & 7))
        graph_object_nv4_go_to(graph, trap->subchannel & 7);
    graph->r.stored[GRAPH_WORD(x->switched) + instance] = *cached(graph, instance, trap->subchannel & 7);
}
