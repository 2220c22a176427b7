/* SPDX-License-Identifier: MIT */
/*
 * G80 and later: a bit of INTR, most often DATA_ERROR with a code, or TRAP with a unit of PGRAPH that has a status.
 *
 * Sources: envytools rnndb/g80_defs.xml, rnndb/graph/{g80,gf100}_pgraph/pgraph.xml; nouveau engine/gr/{nv50,gf100}.c.
 */
#include "unit/error_names.h"
#include "unit/graph/graph_error.h"

#define UNNUMBERED 0x03 /* UNKNOWN: errors of G80 and later that have no number; chosen: INVALID_OPERATION */

/* Errors that are not a DATA_ERROR. */
#define TRAP(which, bits)                                                                                              \
    { .intr = GRAPH_INTR_TRAP, .unit = (which), .status = (bits) }
#define SKED(bit)  TRAP(GRAPH_SKED, 1u << (bit))
#define MACRO(bit) TRAP(GRAPH_MACRO, 1u << (bit))

static const struct {
    uint32_t intr; /* 0: DATA_ERROR */
    uint32_t data_error, status;
    uint8_t unit;
} errors[ENGINE_ERRORS] = {
    [ENGINE_ERROR_ILLEGAL_METHOD] = {.intr = GRAPH_INTR_ILLEGAL_METHOD},
    [ENGINE_ERROR_ILLEGAL_CLASS] = {.intr = GRAPH_INTR_ILLEGAL_CLASS},
    [ENGINE_ERROR_INVALID_OPERATION] = {.data_error = 0x03},
    [ENGINE_ERROR_INVALID_VALUE] = {.data_error = 0x04},
    [ENGINE_ERROR_INVALID_ENUM] = {.data_error = 0x05},
    [ENGINE_ERROR_INVALID_OBJECT] = {.data_error = 0x08},
    [ENGINE_ERROR_READ_ONLY_OBJECT] = {.data_error = 0x09},
    [ENGINE_ERROR_ADDRESS_ALIGNMENT] = {.data_error = 0x0b},
    [ENGINE_ERROR_INVALID_BITFIELD] = {.data_error = 0x0c},
    [ENGINE_ERROR_BEGIN_END_ACTIVE] = {.data_error = 0x0d},
    [ENGINE_ERROR_RT_ALIGNMENT] = {.data_error = 0x1a},
    [ENGINE_ERROR_M2MF_Z] = {.data_error = 0x21},
    [ENGINE_ERROR_M2MF_XY] = {.data_error = 0x23},
    [ENGINE_ERROR_M2MF_PITCH_IN] = {.data_error = 0x51},
    [ENGINE_ERROR_M2MF_PITCH_OUT] = {.data_error = 0x53},
    [ENGINE_ERROR_2D_FORMAT] = {.data_error = 0x31},
    [ENGINE_ERROR_2D_OPERATION] = {.data_error = 0x33},
    [ENGINE_ERROR_2D_COMPONENT] = {.data_error = 0x34},
    [ENGINE_ERROR_2D_PITCH] = {.data_error = 0xa5},
    [ENGINE_ERROR_INVALID_STATE] = {.data_error = UNNUMBERED},
    [ENGINE_ERROR_MISSING_METHOD] = {.data_error = UNNUMBERED},
    [ENGINE_ERROR_FORMAT] = {.data_error = UNNUMBERED},
    [ENGINE_ERROR_DMA_LIMIT] = {.data_error = UNNUMBERED},
    [ENGINE_ERROR_DMA_PROTECTION] = {.data_error = UNNUMBERED},
    [ENGINE_ERROR_DMA_VERTEX] = {.data_error = UNNUMBERED},
    [ENGINE_ERROR_INVALID_NOTIFY] = TRAP(GRAPH_DISPATCH, 1),
    [ENGINE_ERROR_DOUBLE_NOTIFY] = {.intr = GRAPH_INTR_DOUBLE_NOTIFY},
    [ENGINE_ERROR_MACRO_TOO_FEW] = MACRO(0),
    [ENGINE_ERROR_MACRO_TOO_MANY] = MACRO(1),
    [ENGINE_ERROR_MACRO_OPCODE] = MACRO(2),
    [ENGINE_ERROR_MACRO_BRANCH] = MACRO(3),
    [ENGINE_ERROR_MACRO_TIMEOUT] = MACRO(4),
    [ENGINE_ERROR_COPY_LAYER] = {.data_error = 0x1},
    [ENGINE_ERROR_COPY_RECTANGLE] = {.data_error = 0x3},
    [ENGINE_ERROR_COPY_PITCH_IN] = {.data_error = 0x4},
    [ENGINE_ERROR_COPY_NEG_PITCH_IN] = {.data_error = 0x5},
    [ENGINE_ERROR_COPY_PITCH_OUT] = {.data_error = 0x6},
    [ENGINE_ERROR_COPY_NEG_PITCH_OUT] = {.data_error = 0x7},
    [ENGINE_ERROR_COPY_COMPONENT] = {.data_error = 0x8},
    [ENGINE_ERROR_COPY_VALUE] = {.data_error = 0x9},
    [ENGINE_ERROR_QMD_VERSION] = {.data_error = 0x04},
    [ENGINE_ERROR_SKED_NO_THREADS] = SKED(23),
    [ENGINE_ERROR_SKED_THREADS] = SKED(18),
    [ENGINE_ERROR_SKED_CONSTANTS] = SKED(7),
    [ENGINE_ERROR_SKED_LOCAL_LOW] = SKED(9),
    [ENGINE_ERROR_SKED_LOCAL_HIGH] = SKED(10),
    [ENGINE_ERROR_SKED_LOCAL_ALL] = SKED(12),
    [ENGINE_ERROR_SKED_SHARED] = SKED(21),
    [ENGINE_ERROR_SKED_REGISTERS] = SKED(26),
    [ENGINE_ERROR_SHADER] = TRAP(GRAPH_GPCS, 0),
    [ENGINE_ERROR_UNKNOWN_ACCESS] = TRAP(GRAPH_DISPATCH, 1),
};

/* Bits of the TRAP registers of units of G80 .. MCP89, and of DISPATCH_MISC. */
enum { DISPATCH_FAULT = 1, DISPATCH_QUERY = 2 };
enum { MISC_NOTIFY = 1, MISC_CONDITION = 8 };
enum { M2MF_NOTIFY = 1, M2MF_IN = 2, M2MF_OUT = 4 };
enum { TEX_FAULT = 2 };
enum { PROP_DST2D = 0x10, PROP_ZETA = 0x20, PROP_RT = 0x40 };
enum { CCACHE_FAULT = 1 };
enum { VFETCH_FAULT = 1 };

/*
 * The unit of Tesla's PGRAPH that faulted. UNKNOWN: which unit does the other accesses of 3D and compute methods;
 * chosen: DISPATCH.
 */
static const struct {
    uint8_t unit, status, misc;
} users[] = {
    [USE_OTHER] = {GRAPH_DISPATCH, DISPATCH_FAULT},
    [USE_NOTIFIER] = {GRAPH_DISPATCH, DISPATCH_FAULT, MISC_NOTIFY},
    [USE_QUERY] = {GRAPH_DISPATCH, DISPATCH_QUERY},
    [USE_CONDITION] = {GRAPH_DISPATCH, DISPATCH_FAULT, MISC_CONDITION},
    [USE_BUFFER_NOTIFIER] = {GRAPH_M2MF, M2MF_NOTIFY},
    [USE_COPY_IN] = {GRAPH_M2MF, M2MF_IN},
    [USE_COPY_OUT] = {GRAPH_M2MF, M2MF_OUT},
    [USE_2D_SOURCE] = {GRAPH_TEX, TEX_FAULT},
    [USE_2D_DESTINATION] = {GRAPH_PROP, PROP_DST2D},
    [USE_CONSTANTS] = {GRAPH_CCACHE, CCACHE_FAULT},
    [USE_PROGRAM] = {GRAPH_CCACHE, CCACHE_FAULT},
    [USE_VERTEX] = {GRAPH_VFETCH, VFETCH_FAULT},
    [USE_INDEX] = {GRAPH_VFETCH, VFETCH_FAULT},
    [USE_TEXTURE] = {GRAPH_TEX, TEX_FAULT},
    [USE_SHADER] = {GRAPH_DISPATCH, DISPATCH_FAULT},
    [USE_FEEDBACK] = {GRAPH_DISPATCH, DISPATCH_FAULT},
    [USE_ZETA] = {GRAPH_PROP, PROP_ZETA},
    [USE_COLOR] = {GRAPH_PROP, PROP_RT},
};

static void codes_of_use(enum unit_use use, struct graph_codes *codes) {
    enum unit_use row = use > USE_COLOR ? USE_COLOR : use;
    codes->intr = GRAPH_INTR_TRAP;
    codes->unit = users[row].unit;
    codes->status = users[row].status;
    codes->misc = users[row].misc;
}

void graph_codes_g80(const struct unit_trap *trap, struct graph_codes *codes) {
    if (trap->error == ENGINE_ERROR_ACCESS) {
        codes_of_use(trap->use, codes);
        return;
    }
    codes->intr = errors[trap->error].intr ? errors[trap->error].intr : GRAPH_INTR_DATA_ERROR;
    codes->data_error = trap->error == ENGINE_ERROR_GIVEN ? trap->code : errors[trap->error].data_error;
    codes->unit = errors[trap->error].unit;
    codes->status = errors[trap->error].status;
}

const char *graph_name_g80(const struct pfifo_chip *chip, const struct unit_trap *trap,
                           const struct graph_codes *codes) {
    if (codes->intr & GRAPH_INTR_DATA_ERROR)
        return error_name(&errors_graph_data, codes->data_error);
    if (!(codes->intr & GRAPH_INTR_TRAP))
        return error_name(&errors_graph_interrupt, codes->intr);
    if (trap->error == ENGINE_ERROR_SHADER)
        return unit_shader_error_name(trap->shader.warp, trap->shader.processor);
    const char *name = error_trap_name(chip, codes->unit);
    return name ? name : ERROR_TRAP;
}
