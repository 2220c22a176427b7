/* SPDX-License-Identifier: MIT */
/*
 * Errors of PGRAPH and of the other engines.
 *
 * Sources: envytools rnndb/graph, docs/hw/graph; nouveau engine/gr/{nv04,nv50,gf100}.c, engine/falcon.c,
 * engine/ce/gk104.c, engine/sec/g98.c.
 */
#include "unit/error_names.h"

#include "hw/pgraph.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

#define SOURCE_NV1   "envytools rnndb/graph/nv1_pgraph.xml, nv3_pgraph.xml"
#define SOURCE_NV4   "envytools rnndb/graph/nv4_pgraph.xml, nouveau engine/gr/nv04.c, nxdk lib/pbkit/outer.h"
#define SOURCE_G80   "nouveau engine/gr/nv50.c"
#define SOURCE_UNITS "nouveau engine/falcon.c, engine/ce/gt215.c, engine/sec/g98.c"

static const struct error_name graph_invalid_rows[] = {
    {GRAPH_INVALID_METHOD, "INVALID_METHOD", "the class of the object does not have the method"},
    {GRAPH_INVALID_VALUE, "INVALID_VALUE", "the method does not take this value"},
    {GRAPH_INVALID_NOTIFY, "INVALID_NOTIFY",
     "NOTIFY with a value it does not take, or without a DMA object for the notifier"},
    {GRAPH_INVALID_DOUBLE, "DOUBLE_NOTIFY", "a second NOTIFY before the first was done"},
    {GRAPH_CTXSW_NOTIFY, "CTXSW_NOTIFY", "another object was bound while a NOTIFY was due"},
};

const struct error_names errors_graph_invalid = {
    .unit = "PGRAPH",
    .where = "INVALID",
    .chips = "NV1:NV4",
    .rows = graph_invalid_rows,
    .count = COUNT_OF(graph_invalid_rows),
    .bits = true,
    .otherwise = "INTERRUPT",
    .source = SOURCE_NV1,
};

static const struct error_name graph_nv1_rows[] = {
    {GRAPH_XY_RANGE, "XY_RANGE", "a coordinate is outside of what the chip can draw"},
    {GRAPH_MISSING_METHOD, "MISSING_METHOD", "the drawing began before all methods that it needs were sent"},
    {GRAPH_MISSING_FORMAT, "MISSING_FORMAT", "the object has no color format"},
    {GRAPH_CLIP_SOFTWARE, "CLIP_SOFTWARE", "the clipping must be done by software"},
};

const struct error_names errors_graph_nv1 = {
    .unit = "PGRAPH",
    .where = "INTR",
    .chips = "NV1:NV4",
    .rows = graph_nv1_rows,
    .count = COUNT_OF(graph_nv1_rows),
    .bits = true,
    .otherwise = "INTERRUPT",
    .source = SOURCE_NV1,
};

static const struct error_name graph_dma_rows[] = {
    {GRAPH_DMA_INSTANCE, "DMA_INSTANCE", "the DMA object does not exist"},
    {GRAPH_DMA_PRESENT, "DMA_PRESENT", "a page of the DMA object is not present"},
    {GRAPH_DMA_PROTECTION, "DMA_PROTECTION", "a page of the DMA object is read-only"},
    {GRAPH_DMA_LINEAR, "DMA_LINEAR", "an access beyond the limit of the DMA object"},
    {GRAPH_DMA_NOTIFY, "DMA_NOTIFY", "the notifier of the DMA object could not be written"},
};

const struct error_names errors_graph_dma = {
    .unit = "PGRAPH",
    .where = "DMA_INTR",
    .chips = "NV3:NV4",
    .rows = graph_dma_rows,
    .count = COUNT_OF(graph_dma_rows),
    .bits = true,
    .otherwise = "INTERRUPT",
    .source = SOURCE_NV1,
};

static const struct error_name graph_source_rows[] = {
    {1u << 6, "ILLEGAL_MTHD", "the class does not have the method"},
    {1u << 1, "DATA_ERROR", "the method does not take this value"},
    {1u << 2, "PROTECTION_ERROR", "the object may not be used so"},
    {1u << 3, "RANGE_EXCEPTION", "a coordinate or size is out of range"},
    {1u << 4, "LIMIT_COLOR", "the color surface ends before what would be drawn"},
    {1u << 5, "LIMIT_ZETA", "the depth surface ends before what would be drawn"},
    {1u << 7, "DMA_R_PROTECTION", "a read through a DMA object that does not allow it, or beyond its limit"},
    {1u << 8, "DMA_W_PROTECTION", "a write through a DMA object that does not allow it, or beyond its limit"},
    {1u << 9, "FORMAT_EXCEPTION", "the formats of surfaces do not fit to each other, or to the operation"},
    {1u << 10, "PATCH_EXCEPTION", NULL},
    {1u << 11, "STATE_INVALID", "state that the method needs was never set, or does not fit together"},
    {1u << 12, "DOUBLE_NOTIFY", "a second NOTIFY before the first was done"},
    {1u << 13, "NOTIFY_IN_USE", NULL},
    {1u << 14, "METHOD_CNT", "a launch before all methods that it needs were sent"},
    {1u << 16, "DMA_VTX_PROTECTION", "a vertex read through a DMA object that does not allow it, or beyond its limit"},
    {1u << 17, "DMA_WIDTH_A", NULL},
    {1u << 18, "DMA_WIDTH_B",
     "NV20 and later: the method is not allowed between BEGIN and END of a primitive; NVIDIA's name of the bit is "
     "INVALID_OPERATION"},
    {1u << 19, "FD_INVALID_OPERATION", "NV20 and later: the method is not allowed in this state of a patch"},
    {1u << 22, "TEX_A_PROTECTION", NULL},
    {1u << 23, "TEX_B_PROTECTION", NULL},
    {1u << 15, "BFR_NOTIFICATION", "a NOTIFY of a buffer is due: no error"},
    {1u << 0, "NOTIFICATION", "a NOTIFY is due: no error, or one that the other bits name"},
};

const struct error_names errors_graph_source = {
    .unit = "PGRAPH",
    .where = "NSOURCE",
    .chips = "NV4:G80",
    .rows = graph_source_rows,
    .count = COUNT_OF(graph_source_rows),
    .bits = true,
    .otherwise = "INTERRUPT",
    .source = SOURCE_NV4,
};

static const struct error_name graph_interrupt_rows[] = {
    {GRAPH_INTR_ILLEGAL_METHOD, "ILLEGAL_MTHD", "the class does not have the method"},
    {GRAPH_INTR_ILLEGAL_CLASS, "ILLEGAL_CLASS", "PGRAPH does not have the class that was bound"},
    {GRAPH_INTR_DOUBLE_NOTIFY, "DOUBLE_NOTIFY", "a second NOTIFY before the first was done"},
};

const struct error_names errors_graph_interrupt = {
    .unit = "PGRAPH",
    .where = "INTR",
    .chips = "G80-",
    .rows = graph_interrupt_rows,
    .count = COUNT_OF(graph_interrupt_rows),
    .bits = true,
    .otherwise = "INTERRUPT",
    .source = SOURCE_G80,
};

/* nouveau engine/gr/nv50.c, nvgpu hw_gr_gk20a.h. */
#define GRAPH_OTHER(range, array)                                                                                      \
    {                                                                                                                  \
        .unit = "PGRAPH", .where = "INTR", .chips = (range), .rows = (array), .count = COUNT_OF(array), .bits = true,  \
        .otherwise = "INTERRUPT", .source = SOURCE_G80                                                                 \
    }

static const struct error_name graph_other_rows[] = {
    {1u << 0, "NOTIFY", "a NOTIFY is due: no error"},
    {1u << 20, "DATA_ERROR", "the data of a method was refused: the number of the data error says why"},
    {1u << 21, "TRAP", "units of PGRAPH trapped: their own registers say why"},
};

const struct error_names errors_graph_other = GRAPH_OTHER("G80-", graph_other_rows);

static const struct error_name graph_other_g80_rows[] = {
    {1u << 1, "COMPUTE_QUERY", "a query of compute is due: no error"},
    {1u << 12, "CONTEXT_SWITCH", "PGRAPH asks for another context: no error"},
    {1u << 16, "BUFFER_NOTIFY", "a NOTIFY of a buffer is due: no error"},
    {1u << 24, "SINGLE_STEP", "PGRAPH stops after each method, for debugging: no error"},
};

const struct error_names errors_graph_other_g80 = GRAPH_OTHER("G80:GF100", graph_other_g80_rows);

static const struct error_name graph_other_gf100_rows[] = {
    {1u << 1, "SEMAPHORE", "a semaphore was waited for too long"},
    {1u << 8, "FIRMWARE_MTHD", "a method for PGRAPH's firmware that it gives to the driver"},
    {1u << 19, "FECS_ERROR", "PGRAPH's firmware reports an error: its own register says which"},
};

const struct error_names errors_graph_other_gf100 = GRAPH_OTHER("GF100-", graph_other_gf100_rows);

static const struct error_name graph_data_rows[] = {
    {0x03, "INVALID_OPERATION", "the method cannot be executed in this state"},
    {0x04, "INVALID_VALUE", "the method does not take this value"},
    {0x05, "INVALID_ENUM", "a value that is none of those that the method knows"},
    {0x08, "INVALID_OBJECT", "the handle or class that was given cannot be used here"},
    {0x09, "READ_ONLY_OBJECT", "a write through a DMA object that is read-only"},
    {0x0a, "SUPERVISOR_OBJECT", "a DMA object that only the supervisor may use"},
    {0x0b, "INVALID_ADDRESS_ALIGNMENT", "the address is not aligned as the method needs it"},
    {0x0c, "INVALID_BITFIELD", "bits are set that the method does not have, or a field has a value it does not take"},
    {0x0d, "BEGIN_END_ACTIVE", "the method is not allowed between VERTEX_BEGIN and VERTEX_END"},
    {0x0e, "SEMANTIC_COLOR_BACK_OVER_LIMIT", "the number of the output for back colours is too large"},
    {0x0f, "VIEWPORT_ID_NEEDS_GP", "a viewport is chosen by a program, and there is no geometry program"},
    {0x10, "RT_DOUBLE_BIND", "one surface is bound as two render targets"},
    {0x11, "RT_TYPES_MISMATCH", "render targets differ in what must be the same: tiling, dimension or samples"},
    {0x12, "RT_LINEAR_WITH_ZETA", "a linear render target is used with a depth buffer"},
    {0x15, "FP_TOO_FEW_REGS", "the fragment program has fewer registers than it needs"},
    {0x16, "ZETA_FORMAT_CSAA_MISMATCH", "the format of the depth buffer does not fit the coverage samples"},
    {0x17, "RT_LINEAR_WITH_MSAA", "a linear render target has several samples"},
    {0x18, "FP_INTERPOLANT_START_OVER_LIMIT", "the first interpolant of the fragment program is too high"},
    {0x19, "SEMANTIC_LAYER_OVER_LIMIT", "the number of the output for the layer is too large"},
    {0x1a, "RT_INVALID_ALIGNMENT", "the address or size of a render target is not aligned"},
    {0x1b, "SAMPLER_OVER_LIMIT", "the number of a sampler is beyond the table's limit"},
    {0x1c, "TEXTURE_OVER_LIMIT", "the number of a texture is beyond the table's limit"},
    {0x1e, "GP_TOO_MANY_OUTPUTS", "the geometry program has more outputs than fit"},
    {0x1f, "RT_BPP128_WITH_MS8", "a render target of 16 bytes a pixel has eight samples"},
    {0x21, "Z_OUT_OF_BOUNDS", "a copy begins or ends beyond the depth of its surface"},
    {0x23, "XY_OUT_OF_BOUNDS", "a copy begins or ends beyond the width or height of its surface"},
    {0x24, "VP_ZERO_INPUTS", "the vertex program reads no attribute"},
    {0x27, "CP_MORE_PARAMS_THAN_SHARED", "the parameters of a compute program do not fit its shared memory"},
    {0x28, "CP_NO_REG_SPACE_STRIPED", "the registers of a block do not fit"},
    {0x29, "CP_NO_REG_SPACE_PACKED", "the registers of a block do not fit"},
    {0x2a, "CP_NOT_ENOUGH_WARPS", "a block has more threads than a processor has"},
    {0x2b, "CP_BLOCK_SIZE_MISMATCH", "the size of the block is not the product of its sides"},
    {0x2c, "CP_NOT_ENOUGH_LOCAL_WARPS", "local memory is set up for fewer warps than the block has"},
    {0x2d, "CP_NOT_ENOUGH_STACK_WARPS", "stacks are set up for fewer warps than the block has"},
    {0x2e, "CP_NO_BLOCKDIM_LATCH", "a launch before the size of its blocks was set"},
    {0x31, "ENG2D_FORMAT_MISMATCH", "the 2D engine cannot convert between these two formats"},
    {0x33, "ENG2D_OPERATION_ILLEGAL_FOR_DST_FORMAT",
     "the 2D engine does not have the operation for the format of the destination"},
    {0x34, "ENG2D_FORMAT_MISMATCH_SINGLE_COMPONENT", "of two surfaces, only one has a format of a single component"},
    {0x3f, "PRIMITIVE_ID_NEEDS_GP", "the primitive's number is read, and there is no geometry program"},
    {0x44, "SEMANTIC_VIEWPORT_OVER_LIMIT", "the number of the output for the viewport is too large"},
    {0x45, "SEMANTIC_COLOR_FRONT_OVER_LIMIT", "the number of the output for front colours is too large"},
    {0x46, "LAYER_ID_NEEDS_GP", "a layer is chosen by a program, and there is no geometry program"},
    {0x47, "SEMANTIC_CLIP_OVER_LIMIT", "the number of the output for clip distances is too large"},
    {0x48, "SEMANTIC_PTSZ_OVER_LIMIT", "the number of the output for the point size is too large"},
    {0x51, "LINE_LENGTH_OVER_PITCH_IN", "the lines of the source are longer than its pitch"},
    {0x53, "LINE_LENGTH_OVER_PITCH_OUT", "the lines of the destination are longer than its pitch"},
    {0xa5, "ENG2D_PITCH_UNALIGNED", "the pitch of a 2D surface is not aligned"},
};

const struct error_names errors_graph_data = {
    .unit = "PGRAPH",
    .where = "DATA_ERROR",
    .chips = "G80-",
    .rows = graph_data_rows,
    .count = COUNT_OF(graph_data_rows),
    .bits = false,
    .otherwise = "DATA_ERROR",
    .source = SOURCE_G80,
};

static const struct error_name copy_rows[] = {
    {0, "NO_ERR", "no error"},
    {1, "2D_LAYER_EXCEEDS_DEPTH", "the layer is beyond the depth of the surface"},
    {2, "INVALID_ARGUMENT", "an argument of the launch is not valid"},
    {3, "MEM2MEM_RECT_OUT_OF_BOUNDS", "the rectangle is beyond the width or height of its surface"},
    {4, "SRC_LINE_EXCEEDS_PITCH", "the lines of the source are longer than its pitch"},
    {5, "SRC_LINE_EXCEEDS_NEG_PITCH", "the lines of the source are longer than its negative pitch"},
    {6, "DST_LINE_EXCEEDS_PITCH", "the lines of the destination are longer than its pitch"},
    {7, "DST_LINE_EXCEEDS_NEG_PITCH", "the lines of the destination are longer than its negative pitch"},
    {8, "BAD_SRC_PIXEL_COMP_REF", "the remapping asks for a component that the source does not have"},
    {9, "INVALID_VALUE", "a field of the launch has a value without a meaning"},
    {10, "UNUSED_FIELD", "a field is set that the launch does not use"},
    {11, "INVALID_OPERATION", "the launch asks for an operation that the engine does not have"},
    {12, "NO_RESOURCES", "the engine has no resources left for the launch"},
    {13, "INVALID_CONFIG", "the engine is not set up for the launch"},
};

const struct error_names errors_copy = {
    .unit = "PCOPY",
    .where = "LAUNCHERR",
    .chips = "GK104-",
    .rows = copy_rows,
    .count = COUNT_OF(copy_rows),
    .bits = false,
    .otherwise = "LAUNCHERR",
    .source = "nouveau engine/ce/gk104.c, gp100.c",
};

static const struct error_name falcon_rows[] = {
    {0, "DISPATCH_ERROR", "the firmware was given something that it cannot dispatch"},
    {1, "ILLEGAL_MTHD", "the firmware does not have the method"},
    {2, "INVALID_ENUM", "a value that is none of those that the method knows"},
    {3, "INVALID_BITFIELD", "a field of the method has a value it does not take"},
};

const struct error_names errors_falcon = {
    .unit = "falcon",
    .where = "SCRATCH0 15:0",
    .chips = "G98-",
    .rows = falcon_rows,
    .count = COUNT_OF(falcon_rows),
    .bits = false,
    .otherwise = "DISPATCH_ERROR",
    .source = SOURCE_UNITS,
};

static const struct error_name sec_rows[] = {
    {0, "ILLEGAL_MTHD", "the firmware does not have the method"},
    {1, "INVALID_BITFIELD", "a field of the method has a value it does not take"},
    {2, "INVALID_ENUM", "a value that is none of those that the method knows"},
    {3, "QUERY", "a query has a form that does not exist"},
};

const struct error_names errors_sec = {
    .unit = "PSEC",
    .where = "SCRATCH0 15:0",
    .chips = "G98:GF100",
    .rows = sec_rows,
    .count = COUNT_OF(sec_rows),
    .bits = false,
    .otherwise = "ILLEGAL_MTHD",
    .source = SOURCE_UNITS,
};
