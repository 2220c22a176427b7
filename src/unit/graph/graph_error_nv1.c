/* SPDX-License-Identifier: MIT */
/*
 * NV1 and NV3: bits of INVALID, one of INTR instead of them, and NV3's bits of DMA_INTR.
 * Sources: envytools rnndb/graph/nv1_pgraph.xml, nv3_pgraph.xml, hwtest/pgraph_mthd_misc.cc.
 */
#include "memory/memory.h"
#include "unit/error_names.h"
#include "unit/graph/graph_error.h"

enum { INVALID_METHOD = 1 << 0, INVALID_NOTIFY = 1 << 8, INVALID_DOUBLE = 1 << 12 };

/* Errors that are not an invalid value. */
static const struct {
    uint32_t invalid;
    uint32_t intr; /* instead */
} errors[ENGINE_ERRORS] = {
    [ENGINE_ERROR_ILLEGAL_METHOD] = {.invalid = INVALID_METHOD},
    [ENGINE_ERROR_MISSING_METHOD] = {.intr = GRAPH_MISSING_METHOD},
    [ENGINE_ERROR_INVALID_NOTIFY] = {.invalid = INVALID_NOTIFY},
    [ENGINE_ERROR_DOUBLE_NOTIFY] = {.invalid = INVALID_DOUBLE},
    [ENGINE_ERROR_CTXSW_NOTIFY] = {.invalid = GRAPH_CTXSW_NOTIFY},
};

/*
 * UNKNOWN: which bit of NV3's DMA_INTR is for what; chosen: by their names, LINEAR for the limit. NOTIFY is not used.
 */
static uint32_t dma_intr_of(enum fault_reason reason) {
    switch (reason) {
    case FAULT_NULL_OBJECT:
        return GRAPH_DMA_INSTANCE;
    case FAULT_READ_ONLY:
        return GRAPH_DMA_PROTECTION;
    case FAULT_OBJECT_LIMIT:
        return GRAPH_DMA_LINEAR;
    default:
        return GRAPH_DMA_PRESENT;
    }
}

void graph_codes_nv1(const struct unit_trap *trap, struct graph_codes *codes) {
    codes->nv1_intr = errors[trap->error].intr;
    if (trap->error == ENGINE_ERROR_GIVEN)
        codes->invalid = trap->nsource;
    else if (!codes->nv1_intr)
        codes->invalid = errors[trap->error].invalid ? errors[trap->error].invalid : GRAPH_INVALID_VALUE;
    if (trap->error == ENGINE_ERROR_ACCESS)
        codes->dma_intr = dma_intr_of(trap->reason);
    else if (trap->error == ENGINE_ERROR_UNKNOWN_ACCESS)
        codes->dma_intr = GRAPH_DMA_PROTECTION;
}

const char *graph_name_nv1(const struct pfifo_chip *chip, const struct unit_trap *trap,
                           const struct graph_codes *codes) {
    (void)trap;
    if (codes->dma_intr && chip_in_range(chip, errors_graph_dma.chips))
        return error_name(&errors_graph_dma, codes->dma_intr);
    return codes->nv1_intr ? error_name(&errors_graph_nv1, codes->nv1_intr)
                           : error_name(&errors_graph_invalid, codes->invalid);
}
