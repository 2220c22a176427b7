/* SPDX-License-Identifier: MIT */
/*
 * Sources: NVIDIA open-gpu-doc classes/3d/cl9097.h; envytools rnndb/graph/g80_3d.xml, gf100_3d.xml; Mesa
 * src/gallium/drivers/nouveau/nv30/nv30_query.c, nv50/nv50_query_hw.c, nvc0/nvc0_query_hw.c.
 */
#include "engine/graph/render.h"
#include "fifo/fifo.h"
#include "methods/g80_3d.h"
#include "methods/gf100_3d.h"
#include "methods/nv40_3d.h"

static const struct predicate_methods own_gf100 = {GF100_3D_SET_RENDER_ENABLE_A, GF100_3D_SET_RENDER_ENABLE_B,
                                                   GF100_3D_SET_RENDER_ENABLE_C,
                                                   .override = GF100_3D_SET_RENDER_ENABLE_OVERRIDE, .bits = 8};

bool render_allowed_gf100(const struct call *call) {
    return predicate_with_global(call, &own_gf100) == PREDICATE_TRUE;
}

bool render_always_gf100(const struct call *call) {
    return predicate_is_always(call, &own_gf100);
}

bool render_allowed_g80(const struct call *call) {
    static const struct predicate_methods own = {G80_3D_COND_ADDRESS_HIGH, G80_3D_COND_ADDRESS_LOW, G80_3D_COND_MODE,
                                                 .object = G80_3D_DMA_QUERY, .bits = 8};
    return predicate_allows(call, &own);
}

#define CONDITION_MODE 24u
#define IF_COUNTED     2u

/* A query's record is {time, 64 bits, count, status}. UNKNOWN: modes other than 1 and 2; chosen: as 1. */
bool render_allowed_nv30(const struct call *call) {
    uint32_t condition = call_value(call, NV40_3D_COND), count;
    if (condition >> CONDITION_MODE != IF_COUNTED)
        return true;
    struct address_space space = call_space(call, call_value(call, NV40_3D_DMA_QUERY));
    struct fault fault;
    if (memory_rd32(call->engine->fifo->memory, &space, (condition & 0xffffff) + 8, &count, &fault))
        return count != 0;
    call_fault(call, &fault);
    return false;
}

/* ---- draws ---- */

static enum action_result render_draw(const struct call *call, bool allowed) {
    if (allowed)
        call_not_executed(call);
    return ACTION_DONE;
}

enum action_result draw_gf100(struct call *call) {
    return render_draw(call, render_allowed_gf100(call));
}

enum action_result draw_g80(struct call *call) {
    return render_draw(call, render_allowed_g80(call));
}
