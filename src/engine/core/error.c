/* SPDX-License-Identifier: MIT */
#include "engine/core/error.h"

#include "engine/copy/m2mf.h"
#include "engine/sync/notify.h"
#include "event/event.h"
#include "fifo/fifo.h"
#include "unit/graph/graph.h"

/* INVALID of NV1 and NV3. */
enum { INVALID_METHOD = 1 << 0, INVALID_VALUE = 1 << 4, INVALID_NOTIFY = 1 << 8, INVALID_DOUBLE = 1 << 12 };

/* NSOURCE bits before G80. */
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
};

/* LAUNCHERR of copy engines, codes of the firmware of falcons. */
enum {
    LAUNCH_LAYER = 1,
    LAUNCH_ARGUMENT = 2,
    LAUNCH_BOUNDS = 3,
    LAUNCH_PITCH_IN = 4,
    LAUNCH_PITCH_OUT = 6,
    LAUNCH_VALUE = 9,
    LAUNCH_FIELD = 10,
    LAUNCH_OPERATION = 11,
};
enum { DISPATCH_METHOD = 1, DISPATCH_ENUM = 2, DISPATCH_BITFIELD = 3 };

#define UNNUMBERED 0x03 /* UNKNOWN: errors of G80 and later that have no number; chosen: INVALID_OPERATION */

/* What is not a DATA_ERROR from G80 on. */
#define METHOD   .intr = GRAPH_INTR_ILLEGAL_METHOD
#define TRAP(u)  .intr = GRAPH_INTR_TRAP, .unit = (u)
#define SKED(b)  TRAP(GRAPH_SKED), .status = 1u << (b)
#define MACRO(b) TRAP(GRAPH_MACRO), .status = 1u << (b)

static const struct {
    const char *name;
    uint32_t nsource;
    uint32_t data_error; /* G80 and later */
    uint32_t invalid;    /* 0: INVALID_VALUE */
    uint32_t intr;       /* G80 and later, 0: DATA_ERROR */
    uint32_t status;
    uint8_t unit, launch, dispatch;
    uint32_t nv1_intr; /* NV1 and NV3, instead of INVALID */
    bool missing_hw;   /* NV4 .. NV4x, instead of NSOURCE */
} errors[ENGINE_ERRORS] = {
    [ENGINE_ERROR_ILLEGAL_METHOD] = {"ILLEGAL_MTHD", NSOURCE_ILLEGAL_METHOD, 0, INVALID_METHOD, METHOD,
                                     .dispatch = DISPATCH_METHOD},
    [ENGINE_ERROR_MISSING_HW] = {"MISSING_HW", .missing_hw = true},
    [ENGINE_ERROR_INVALID_OPERATION] = {"INVALID_OPERATION", NSOURCE_DATA_ERROR, 0x03, .launch = LAUNCH_OPERATION},
    [ENGINE_ERROR_INVALID_VALUE] = {"INVALID_VALUE", NSOURCE_DATA_ERROR, 0x04},
    [ENGINE_ERROR_INVALID_ENUM] = {"INVALID_ENUM", NSOURCE_DATA_ERROR, 0x05, .dispatch = DISPATCH_ENUM},
    [ENGINE_ERROR_INVALID_OBJECT] = {"INVALID_OBJECT", NSOURCE_DATA_ERROR, 0x08},
    [ENGINE_ERROR_READ_ONLY_OBJECT] = {"READ_ONLY_OBJECT", NSOURCE_PROTECTION, 0x09},
    [ENGINE_ERROR_ADDRESS_ALIGNMENT] = {"INVALID_ADDRESS_ALIGNMENT", NSOURCE_DATA_ERROR, 0x0b,
                                        .launch = LAUNCH_ARGUMENT},
    [ENGINE_ERROR_INVALID_BITFIELD] = {"INVALID_BITFIELD", NSOURCE_DATA_ERROR, 0x0c, .launch = LAUNCH_FIELD},
    [ENGINE_ERROR_BEGIN_END_ACTIVE] = {"BEGIN_END_ACTIVE", NSOURCE_STATE, 0x0d},
    [ENGINE_ERROR_RT_ALIGNMENT] = {"RT_ALIGNMENT", NSOURCE_DATA_ERROR, 0x1a},
    [ENGINE_ERROR_M2MF_Z] = {"Z_OUT_OF_BOUNDS", NSOURCE_RANGE, 0x21, .launch = LAUNCH_LAYER},
    [ENGINE_ERROR_M2MF_XY] = {"XY_OUT_OF_BOUNDS", NSOURCE_RANGE, 0x23, .launch = LAUNCH_BOUNDS},
    [ENGINE_ERROR_M2MF_PITCH_IN] = {"LINE_LENGTH_IN_OVER_PITCH", NSOURCE_DATA_ERROR, 0x51, .launch = LAUNCH_PITCH_IN},
    [ENGINE_ERROR_M2MF_PITCH_OUT] = {"LINE_LENGTH_OUT_OVER_PITCH", NSOURCE_DATA_ERROR, 0x53,
                                     .launch = LAUNCH_PITCH_OUT},
    [ENGINE_ERROR_2D_FORMAT] = {"2D_FORMAT_MISMATCH", NSOURCE_FORMAT, 0x31},
    [ENGINE_ERROR_2D_OPERATION] = {"2D_OPERATION_ILLEGAL", NSOURCE_FORMAT, 0x33},
    [ENGINE_ERROR_2D_COMPONENT] = {"2D_FORMAT_MISMATCH_COMPONENT", NSOURCE_FORMAT, 0x34},
    [ENGINE_ERROR_2D_PITCH] = {"2D_PITCH_UNALIGNED", NSOURCE_DATA_ERROR, 0xa5},
    [ENGINE_ERROR_INVALID_STATE] = {"INVALID_STATE", NSOURCE_STATE, UNNUMBERED, .launch = LAUNCH_OPERATION},
    [ENGINE_ERROR_MISSING_METHOD] = {"MISSING_METHOD", NSOURCE_METHOD_COUNT, UNNUMBERED,
                                     .nv1_intr = GRAPH_MISSING_METHOD},
    [ENGINE_ERROR_FORMAT] = {"FORMAT", NSOURCE_FORMAT, UNNUMBERED},
    [ENGINE_ERROR_DMA_LIMIT] = {"DMA_LIMIT", NSOURCE_RANGE, UNNUMBERED},
    [ENGINE_ERROR_DMA_PROTECTION] = {"DMA_PROTECTION", NSOURCE_PROTECTION, UNNUMBERED},
    [ENGINE_ERROR_INVALID_NOTIFY] = {"INVALID_NOTIFY", NSOURCE_STATE, 0, INVALID_NOTIFY, TRAP(GRAPH_DISPATCH),
                                     .status = 1},
    [ENGINE_ERROR_DOUBLE_NOTIFY] = {"DOUBLE_NOTIFY", NSOURCE_DOUBLE_NOTIFY, 0, INVALID_DOUBLE,
                                    .intr = GRAPH_INTR_DOUBLE_NOTIFY},
    [ENGINE_ERROR_MACRO_TOO_FEW] = {"MACRO_TOO_FEW_PARAMETERS", 0, 0, 0, MACRO(0)},
    [ENGINE_ERROR_MACRO_TOO_MANY] = {"MACRO_TOO_MANY_PARAMETERS", 0, 0, 0, MACRO(1)},
    [ENGINE_ERROR_MACRO_OPCODE] = {"MACRO_ILLEGAL_OPCODE", 0, 0, 0, MACRO(2)},
    [ENGINE_ERROR_MACRO_BRANCH] = {"MACRO_DOUBLE_BRANCH", 0, 0, 0, MACRO(3)},
    [ENGINE_ERROR_MACRO_TIMEOUT] = {"MACRO_TIMEOUT", 0, 0, 0, MACRO(4)},
    /* Numbers of copy engines (LAUNCHERR). */
    [ENGINE_ERROR_COPY_LAYER] = {"2D_LAYER_EXCEEDS_DEPTH", 0, 0x1, .launch = 0x1},
    [ENGINE_ERROR_COPY_RECTANGLE] = {"MEM2MEM_RECT_OUT_OF_BOUNDS", 0, 0x3, .launch = 0x3},
    [ENGINE_ERROR_COPY_PITCH_IN] = {"SRC_LINE_EXCEEDS_PITCH", 0, 0x4, .launch = 0x4},
    [ENGINE_ERROR_COPY_NEG_PITCH_IN] = {"SRC_LINE_EXCEEDS_NEG_PITCH", 0, 0x5, .launch = 0x5},
    [ENGINE_ERROR_COPY_PITCH_OUT] = {"DST_LINE_EXCEEDS_PITCH", 0, 0x6, .launch = 0x6},
    [ENGINE_ERROR_COPY_NEG_PITCH_OUT] = {"DST_LINE_EXCEEDS_NEG_PITCH", 0, 0x7, .launch = 0x7},
    [ENGINE_ERROR_COPY_COMPONENT] = {"BAD_SRC_PIXEL_COMP_REF", 0, 0x8, .launch = 0x8},
    [ENGINE_ERROR_COPY_VALUE] = {"INVALID_VALUE", 0, 0x9, .launch = 0x9},
    [ENGINE_ERROR_QMD_VERSION] = {"QMD_VERSION", 0, 0x04},
    [ENGINE_ERROR_SKED_NO_THREADS] = {"CTA_THREAD_DIMENSION_ZERO", 0, 0, 0, SKED(23)},
    [ENGINE_ERROR_SKED_THREADS] = {"TOTAL_THREADS", 0, 0, 0, SKED(18)},
};

/* Where it happened. */
static struct unit_trap trap_at(const struct call *call) {
    struct unit_trap trap = {.subchannel = call->subchannel & (ENGINE_SUBCHANNELS - 1u),
                             .method = call->method,
                             .data = call->data,
                             .object_class = call->object->object_class};
    const struct channel_state *state = engine_channel(call->engine, call->channel);
    trap.instance = state ? state->bound[trap.subchannel] : 0;
    for (unsigned s = 0; state && s < ENGINE_SUBCHANNELS; s++)
        trap.classes[s] = (uint16_t)(state->subchannel[s] ? state->subchannel[s]->object_class : 0);
    return trap;
}

static uint32_t dispatch_code(const struct call *call, uint8_t error) {
    const uint8_t *codes = call->object->index->kind->error_codes;
    return codes ? codes[error] : error;
}

static struct unit_trap trap_of(const struct call *call, enum engine_error error) {
    struct unit_trap trap = trap_at(call);
    trap.nv1_intr = errors[error].nv1_intr;
    if (!trap.nv1_intr)
        trap.invalid = errors[error].invalid ? errors[error].invalid : INVALID_VALUE;
    trap.nsource = errors[error].nsource;
    trap.missing_hw = errors[error].missing_hw;
    trap.intr = errors[error].intr ? errors[error].intr : GRAPH_INTR_DATA_ERROR;
    trap.data_error = errors[error].data_error;
    trap.unit = errors[error].unit;
    trap.status = errors[error].status;
    trap.launch_error = errors[error].launch ? errors[error].launch : LAUNCH_VALUE;
    trap.dispatch_error = dispatch_code(call, errors[error].dispatch ? errors[error].dispatch : DISPATCH_BITFIELD);
    return trap;
}

/* A notifier that is due gets the status also if nobody checks, and nothing interrupts. */
static void note_status(const struct call *call, uint32_t nsource) {
    call->engine->status = graph_status(call->engine->fifo->graph, nsource);
}

enum action_result call_macro_error(const struct call *call, enum engine_error error,
                                    const struct unit_macro_state *where) {
    bool has_codes = call->engine->fifo->chip->has_ib;
    uint32_t code = has_codes ? errors[error].data_error : errors[error].nsource;
    struct unit_trap trap = trap_of(call, error);
    trap.macro = where;
    event_send(call->engine->fifo->events, EVENT_ENGINE_ERROR, call->channel->id, errors[error].name,
               call->object->object_class, call->method, call->data, code, 0);
    note_status(call, trap.nsource);
    fifo_engine_error(call->channel, call->engine->unit, &trap);
    return ACTION_DONE;
}

enum action_result call_error(const struct call *call, enum engine_error error) {
    return call_macro_error(call, error, NULL);
}

/* ---- faults ---- */

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

/* Bits of the TRAP registers of units of G80 .. MCP89, and of DISPATCH_MISC. */
enum { DISPATCH_FAULT = 1, DISPATCH_QUERY = 2 };
enum { MISC_NOTIFY = 1, MISC_CONDITION = 8 };
enum { M2MF_NOTIFY = 1, M2MF_IN = 2, M2MF_OUT = 4 };
enum { TEX_FAULT = 2 };
enum { PROP_DST2D = 0x10, PROP_ZETA = 0x20, PROP_RT = 0x40 };
enum { CCACHE_FAULT = 1 };

/*
 * Which unit of Tesla's PGRAPH it was that faulted, and the method that has its DMA object, where that shows.
 * UNKNOWN: which unit writes what a 3D or compute method writes, but for these; chosen: DISPATCH.
 */
static const struct {
    uint8_t unit, status, misc;
    uint16_t object;
} users[] = {
    [USE_OTHER] = {GRAPH_DISPATCH, DISPATCH_FAULT},
    [USE_NOTIFIER] = {GRAPH_DISPATCH, DISPATCH_FAULT, MISC_NOTIFY},
    [USE_QUERY] = {GRAPH_DISPATCH, DISPATCH_QUERY},
    [USE_CONDITION] = {GRAPH_DISPATCH, DISPATCH_FAULT, MISC_CONDITION},
    [USE_BUFFER_NOTIFIER] = {GRAPH_M2MF, M2MF_NOTIFY, .object = NOTIFY_DMA},
    [USE_COPY_IN] = {GRAPH_M2MF, M2MF_IN, .object = M2MF_DMA_IN},
    [USE_COPY_OUT] = {GRAPH_M2MF, M2MF_OUT, .object = M2MF_DMA_OUT},
    [USE_2D_SOURCE] = {GRAPH_TEX, TEX_FAULT},
    [USE_2D_DESTINATION] = {GRAPH_PROP, PROP_DST2D},
    [USE_CONSTANTS] = {GRAPH_CCACHE, CCACHE_FAULT},
    [USE_ZETA] = {GRAPH_PROP, PROP_ZETA},
    [USE_COLOR] = {GRAPH_PROP, PROP_RT},
};

/* Said by nobody: what methods of its object are there for. */
static enum unit_use usual_use(const struct call *call, bool write) {
    switch (call->object->index->kind->role) {
    case ROLE_INLINE:
        return write ? USE_COPY_OUT : USE_COPY_IN;
    case ROLE_2D:
        return write ? USE_2D_DESTINATION : USE_2D_SOURCE;
    default:
        return USE_OTHER;
    }
}

static void show_use(const struct call *call, enum unit_use use, struct unit_trap *trap) {
    enum unit_use row = use > USE_COLOR ? USE_COLOR : use;
    trap->unit = users[row].unit;
    trap->status = users[row].status;
    trap->misc = users[row].misc;
    trap->object = users[row].object ? call_value(call, users[row].object) : 0;
}

struct unit_trap call_trap_of_fault(const struct call *call, enum unit_use use, const struct fault *fault) {
    struct unit_trap trap = trap_at(call);
    trap.invalid = INVALID_VALUE;
    trap.dma_intr = dma_intr_of(fault->reason);
    trap.nsource = fault->write ? NSOURCE_DMA_WRITE : NSOURCE_DMA_READ;
    trap.intr = GRAPH_INTR_TRAP;
    trap.launch_error = LAUNCH_ARGUMENT;
    trap.dispatch_error = dispatch_code(call, DISPATCH_BITFIELD);
    trap.use = use != USE_OTHER ? use : usual_use(call, fault->write);
    trap.address = fault->address;
    show_use(call, trap.use, &trap);
    note_status(call, trap.nsource);
    return trap;
}
