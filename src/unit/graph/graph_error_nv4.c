/* SPDX-License-Identifier: MIT */
/*
 * NV4 .. NV4x: bits of NSOURCE. The status of notifiers follows from them.
 * Sources: envytools rnndb/graph/nv4_pgraph.xml, nvhw/pgraph_xy4.c, hwtest/pgraph_mthd_misc.cc.
 */
#include "unit/error_names.h"
#include "unit/graph/graph_error.h"

enum {
    NSOURCE_DATA_ERROR = 1 << 1,
    NSOURCE_PROTECTION = 1 << 2,
    NSOURCE_RANGE = 1 << 3,
    NSOURCE_ILLEGAL_METHOD = 1 << 6,
    NSOURCE_DMA_READ = 1 << 7,
    NSOURCE_DMA_WRITE = 1 << 8,
    NSOURCE_FORMAT = 1 << 9,
    NSOURCE_STATE = 1 << 11,
    NSOURCE_DOUBLE_NOTIFY = 1 << 12,
    NSOURCE_METHOD_COUNT = 1 << 14,
    NSOURCE_DMA_VERTEX = 1 << 16,
    NSOURCE_INVALID_OPERATION = 1 << 18, /* NV20- */
};

static const uint32_t errors[ENGINE_ERRORS] = {
    [ENGINE_ERROR_ILLEGAL_METHOD] = NSOURCE_ILLEGAL_METHOD,
    [ENGINE_ERROR_INVALID_OPERATION] = NSOURCE_DATA_ERROR,
    [ENGINE_ERROR_INVALID_VALUE] = NSOURCE_DATA_ERROR,
    [ENGINE_ERROR_INVALID_ENUM] = NSOURCE_DATA_ERROR,
    [ENGINE_ERROR_INVALID_OBJECT] = NSOURCE_DATA_ERROR,
    [ENGINE_ERROR_READ_ONLY_OBJECT] = NSOURCE_PROTECTION,
    [ENGINE_ERROR_ADDRESS_ALIGNMENT] = NSOURCE_DATA_ERROR,
    [ENGINE_ERROR_INVALID_BITFIELD] = NSOURCE_DATA_ERROR,
    [ENGINE_ERROR_BEGIN_END_ACTIVE] = NSOURCE_INVALID_OPERATION,
    [ENGINE_ERROR_RT_ALIGNMENT] = NSOURCE_DATA_ERROR,
    [ENGINE_ERROR_M2MF_Z] = NSOURCE_RANGE,
    [ENGINE_ERROR_M2MF_XY] = NSOURCE_RANGE,
    [ENGINE_ERROR_M2MF_PITCH_IN] = NSOURCE_DATA_ERROR,
    [ENGINE_ERROR_M2MF_PITCH_OUT] = NSOURCE_DATA_ERROR,
    [ENGINE_ERROR_2D_FORMAT] = NSOURCE_FORMAT,
    [ENGINE_ERROR_2D_OPERATION] = NSOURCE_FORMAT,
    [ENGINE_ERROR_2D_COMPONENT] = NSOURCE_FORMAT,
    [ENGINE_ERROR_2D_PITCH] = NSOURCE_DATA_ERROR,
    [ENGINE_ERROR_INVALID_STATE] = NSOURCE_STATE,
    [ENGINE_ERROR_MISSING_METHOD] = NSOURCE_METHOD_COUNT,
    [ENGINE_ERROR_FORMAT] = NSOURCE_FORMAT,
    [ENGINE_ERROR_DMA_LIMIT] = NSOURCE_RANGE,
    [ENGINE_ERROR_DMA_PROTECTION] = NSOURCE_PROTECTION,
    [ENGINE_ERROR_DMA_VERTEX] = NSOURCE_DMA_VERTEX,
    [ENGINE_ERROR_INVALID_NOTIFY] = NSOURCE_STATE,
    [ENGINE_ERROR_DOUBLE_NOTIFY] = NSOURCE_DOUBLE_NOTIFY,
    [ENGINE_ERROR_UNKNOWN_ACCESS] = NSOURCE_PROTECTION,
};

void graph_codes_nv4(const struct unit_trap *trap, struct graph_codes *codes) {
    codes->missing_hw = trap->error == ENGINE_ERROR_MISSING_HW;
    codes->nsource = errors[trap->error];
    if (trap->error == ENGINE_ERROR_ACCESS)
        codes->nsource = trap->write ? NSOURCE_DMA_WRITE : NSOURCE_DMA_READ;
    else if (trap->error == ENGINE_ERROR_GIVEN)
        codes->nsource = trap->nsource;
}

const char *graph_name_nv4(const struct pfifo_chip *chip, const struct unit_trap *trap,
                           const struct graph_codes *codes) {
    (void)chip, (void)trap;
    if (codes->nsource)
        return error_name(&errors_graph_source, codes->nsource);
    return codes->missing_hw ? ERROR_MISSING_HW : NULL;
}
