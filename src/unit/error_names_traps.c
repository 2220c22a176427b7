/* SPDX-License-Identifier: MIT */
/*
 * What the units of PGRAPH say when they trap, and the L2 cache: each in a register of its own. Kernels print these
 * numbers; the handlers here name the unit only (graph_error.c).
 *
 * Sources: nouveau engine/gr/{nv50,gf100}.c, subdev/ltc/gf100.c; envytools rnndb/graph.
 */
#include "unit/error_names.h"

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

#define SOURCE_G80   "nouveau engine/gr/nv50.c"
#define SOURCE_GF100 "nouveau engine/gr/gf100.c"

/* A set of bits. */
#define BITS_OF(register, range, array, from)                                                                          \
    {                                                                                                                  \
        .unit = "PGRAPH", .where = (register), .chips = (range), .rows = (array), .count = COUNT_OF(array),            \
        .bits = true, .otherwise = "UNKNOWN", .source = (from)                                                         \
    }

static const struct error_name prop_g80_rows[] = {
    {1u << 2, "SURF_WIDTH_OVERRUN", "a drawing goes beyond the width of its surface"},
    {1u << 3, "SURF_HEIGHT_OVERRUN", "a drawing goes beyond the height of its surface"},
    {1u << 4, "DST2D_FAULT", "the destination of 2D could not be read or written: the MMU refused the address"},
    {1u << 5, "ZETA_FAULT", "the depth buffer could not be read or written: the MMU refused the address"},
    {1u << 6, "RT_FAULT", "a render target could not be read or written: the MMU refused the address"},
    {1u << 7, "CUDA_FAULT", "a program's access to global memory failed"},
    {1u << 8, "DST2D_STORAGE_TYPE_MISMATCH", "the pages of the 2D destination have a storage type for another format"},
    {1u << 9, "ZETA_STORAGE_TYPE_MISMATCH", "the pages of the depth buffer have a storage type for another format"},
    {1u << 10, "RT_STORAGE_TYPE_MISMATCH", "the pages of a render target have a storage type for another format"},
    {1u << 11, "DST2D_LINEAR_MISMATCH",
     "the 2D destination is tiled and its pages have the linear storage type, or the other way round"},
    {1u << 12, "RT_LINEAR_MISMATCH",
     "a render target is tiled and its pages have the linear storage type, or the other way round"},
};

const struct error_names errors_prop_g80 = BITS_OF("TRAP_PROP", "G80:GF100", prop_g80_rows, SOURCE_G80);

static const struct error_name mp_exec_rows[] = {
    {1u << 0, "STACK_UNDERFLOW", "a return or join without an entry on the warp's stack"},
    {1u << 1, "STACK_MISMATCH", "the top of the warp's stack is of another kind than the instruction takes"},
    {1u << 2, "QUADON_ACTIVE", "a quadon while another one is active"},
    {1u << 3, "TIMEOUT", "the program took too long"},
    {1u << 4, "INVALID_OPCODE", "a word that is no instruction: often code that was not uploaded, or was overwritten"},
    {1u << 5, "PM_OVERFLOW", "a performance counter overflowed"},
    {1u << 6, "BREAKPOINT", "a breakpoint was reached"},
};

const struct error_names errors_mp_exec = BITS_OF("TRAP_MP_EXEC", "G80:GF100", mp_exec_rows, SOURCE_G80);

static const struct error_name mp_rows[] = {
    {1u << 0, "LOCAL_LIMIT_READ", "a read beyond the local memory of a thread"},
    {1u << 4, "LOCAL_LIMIT_WRITE", "a write beyond the local memory of a thread"},
    {1u << 6, "STACK_LIMIT", "a warp's stack is deeper than its memory"},
    {1u << 8, "GLOBAL_LIMIT_READ", "a read beyond the limit of a global memory window"},
    {1u << 12, "GLOBAL_LIMIT_WRITE", "a write beyond the limit of a global memory window"},
    {1u << 16, "MP0", "the first processor of the cluster has an error of its own"},
    {1u << 17, "MP1", "the second processor of the cluster has an error of its own"},
    {1u << 18, "GLOBAL_LIMIT_RED", "a reduction beyond the limit of a global memory window"},
    {1u << 22, "GLOBAL_LIMIT_ATOM", "an atomic operation beyond the limit of a global memory window"},
    {1u << 26, "MP2", "the third processor of the cluster has an error of its own"},
};

const struct error_names errors_mp_g80 = BITS_OF("TRAP_MP", "G80:GF100", mp_rows, SOURCE_G80);

static const struct error_name texture_rows[] = {
    {1u << 0, "ANY", "the unit has an error: the other bits say which"},
    {1u << 1, "FAULT", "a texture could not be read: the MMU refused the address"},
    {1u << 2, "STORAGE_TYPE_MISMATCH", "the pages of a texture have a storage type for another format"},
    {1u << 3, "LINEAR_MISMATCH",
     "a texture is tiled and its pages have the linear storage type, or the other way round"},
    {1u << 5, "WRONG_MEMTYPE", "the pages of a texture have a storage type that the unit cannot read"},
};

const struct error_names errors_texture_g80 = BITS_OF("TRAP_TEXTURE", "G80:GF100", texture_rows, SOURCE_G80);

static const struct error_name m2mf_g80_rows[] = {
    {1u << 0, "NOTIFY", "the notifier could not be written"},
    {1u << 1, "IN", "the source could not be read"},
    {1u << 2, "OUT", "the destination could not be written"},
};

const struct error_names errors_m2mf_g80 = BITS_OF("TRAP_M2MF", "G80:GF100", m2mf_g80_rows, SOURCE_G80);

static const struct error_name fetch_rows[] = {
    {1u << 0, "FAULT", "vertices or indices could not be read: the MMU refused the address"},
};

const struct error_names errors_fetch_g80 = BITS_OF("TRAP_VFETCH", "G80:GF100", fetch_rows, SOURCE_G80);

static const struct error_name strmout_rows[] = {
    {1u << 0, "FAULT", "transform feedback could not be written: the MMU refused the address"},
};

const struct error_names errors_strmout_g80 = BITS_OF("TRAP_STRMOUT", "G80:GF100", strmout_rows, SOURCE_G80);

static const struct error_name ccache_g80_rows[] = {
    {1u << 0, "FAULT", "constants, texture headers, samplers or code could not be read: the MMU refused the address"},
};

const struct error_names errors_ccache_g80 = BITS_OF("TRAP_CCACHE", "G80:GF100", ccache_g80_rows, SOURCE_G80);

static const struct error_name dispatch_rows[] = {
    {1u << 0, "INJECTED_BUNDLE_ERROR", "a word that was injected into the pipeline is not valid"},
    {1u << 1, "CLASS_SUBCH_MISMATCH", "the class of the method's subchannel is not the class that PGRAPH is set to"},
    {1u << 2, "SUBCHSW_DURING_NOTIFY", "another subchannel was selected while a NOTIFY was due"},
};

const struct error_names errors_dispatch = BITS_OF("DISPATCH", "GF100-", dispatch_rows, SOURCE_GF100);

static const struct error_name m2mf_rows[] = {
    {1u << 0, "PUSH_TOO_MUCH_DATA", "more words of inline data than the launch announced"},
    {1u << 1, "PUSH_NOT_ENOUGH_DATA", "another method came before all words of inline data"},
};

const struct error_names errors_m2mf = BITS_OF("M2MF", "GF100-", m2mf_rows, SOURCE_GF100);

static const struct error_name ccache_rows[] = {
    {1u << 0, "INTR", "the cache of constants has an error"},
    {1u << 1, "LDCONST_OOB", "words were loaded beyond the end of a constant buffer"},
};

const struct error_names errors_ccache = BITS_OF("CCACHE", "GF100-", ccache_rows, SOURCE_GF100);

static const struct error_name unk6_rows[] = {
    {1u << 0, "TEMP_TOO_SMALL", "the memory for the local variables of programs is too small"},
};

const struct error_names errors_unk6 = BITS_OF("UNK6", "GF100-", unk6_rows, SOURCE_GF100);

static const struct error_name macro_rows[] = {
    {1u << 0, "TOO_FEW_PARAMS", "the macro reads more parameters than the call has"},
    {1u << 1, "TOO_MANY_PARAMS", "the call has more parameters than the macro reads"},
    {1u << 2, "ILLEGAL_OPCODE", "a word of the macro is no instruction: often a macro that was not uploaded"},
    {1u << 3, "DOUBLE_BRANCH", "a branch in the delay slot of a branch"},
    {1u << 4, "WATCHDOG", "the macro took too long"},
};

const struct error_names errors_macro = BITS_OF("MACRO", "GF100-", macro_rows, SOURCE_GF100);

static const struct error_name sked_rows[] = {
    {1u << 6, "CTA_RESUME", "a block that was suspended cannot be resumed"},
    {1u << 7, "CONSTANT_BUFFER_SIZE", "a constant buffer of the launch is too large"},
    {1u << 9, "LOCAL_MEMORY_SIZE_POS", "a thread has more local memory than there is, from the start of its window up"},
    {1u << 10, "LOCAL_MEMORY_SIZE_NEG",
     "a thread has more local memory than there is, from the end of its window down"},
    {1u << 11, "WARP_CSTACK_SIZE", "the stacks of warps are larger than they can be"},
    {1u << 12, "TOTAL_TEMP_SIZE", "the memory for local variables is too small for the launch"},
    {1u << 13, "REGISTER_COUNT", "a thread has more registers than it can have"},
    {1u << 18, "TOTAL_THREADS", "a block has more threads than it can have"},
    {1u << 20, "PROGRAM_OFFSET", "the program does not begin where one can begin"},
    {1u << 21, "SHARED_MEMORY_SIZE", "a block has more shared memory than it can have"},
    {1u << 23, "CTA_THREAD_DIMENSION_ZERO", "a block has no threads: a size of it is 0"},
    {1u << 24, "MEMORY_WINDOW_OVERLAP", "the windows of local and shared memory overlap"},
    {1u << 25, "SHARED_CONFIG_TOO_SMALL", "the split of L1 leaves less shared memory than a block needs"},
    {1u << 26, "TOTAL_REGISTER_COUNT", "the threads of a block have more registers than a processor has"},
};

const struct error_names errors_sked = BITS_OF("SKED", "GK104-", sked_rows, SOURCE_GF100);

static const struct error_name prop_rows[] = {
    {1u << 1, "RT_PITCH_OVERRUN", "a drawing goes beyond the pitch of a linear render target"},
    {1u << 4, "RT_WIDTH_OVERRUN", "a drawing goes beyond the width of a render target"},
    {1u << 5, "RT_HEIGHT_OVERRUN", "a drawing goes beyond the height of a render target"},
    {1u << 7, "ZETA_STORAGE_TYPE_MISMATCH", "the pages of the depth buffer have a kind for another format"},
    {1u << 8, "RT_STORAGE_TYPE_MISMATCH", "the pages of a render target have a kind for another format"},
    {1u << 10, "RT_LINEAR_MISMATCH",
     "a render target is tiled and its pages have kind 0 (pitch), or the other way round"},
};

const struct error_names errors_prop = BITS_OF("GPC_PROP", "GF100-", prop_rows, SOURCE_GF100);

static const struct error_name ltc_rows[] = {
    {1u << 0, "IDLE_ERROR_IQ", NULL},
    {1u << 1, "IDLE_ERROR_CBC", NULL},
    {1u << 2, "IDLE_ERROR_TSTG", NULL},
    {1u << 3, "IDLE_ERROR_DSTG", NULL},
    {1u << 4, "EVICTED_CB", "a line of the cache of compression bits was evicted while it was in use"},
    {1u << 5, "ILLEGAL_COMPSTAT", "a compression status that does not exist: the tags were not cleared or do not fit"},
    {1u << 6, "BLOCKLINEAR_CB", NULL},
    {1u << 8, "ECC_SEC_ERROR", "one bit was wrong and was corrected"},
    {1u << 9, "ECC_DED_ERROR", "two bits were wrong: the data is lost"},
    {1u << 10, "DEBUG", NULL},
    {1u << 11, "ATOMIC_TO_Z", "an atomic operation on memory of a depth buffer"},
    {1u << 12, "ILLEGAL_ATOMIC", "an atomic operation that the cache does not have"},
    {1u << 13, "BLKACTIVITY_ERR", NULL},
};

const struct error_names errors_ltc = {
    .unit = "PLTC",
    .where = "LTS_INTR",
    .chips = "GF100-",
    .rows = ltc_rows,
    .count = COUNT_OF(ltc_rows),
    .bits = true,
    .otherwise = "UNKNOWN",
    .source = "nouveau subdev/ltc/gf100.c",
};

/* The scheduler of runlists. */
static const struct error_name sched_rows[] = {
    {0x05, "ENGINE_RESET", "an engine was reset while a channel was on it"},
    {0x06, "RL_ACK_TIMEOUT", "memory did not acknowledge the reading of a runlist"},
    {0x07, "RL_ACK_EXTRA", "memory acknowledged a reading of a runlist that was not asked for"},
    {0x08, "RL_RDAT_TIMEOUT", "memory did not return the entries of a runlist"},
    {0x09, "RL_RDAT_EXTRA", "memory returned entries of a runlist that were not asked for"},
    {0x0a, "CTXSW_TIMEOUT",
     "an engine did not switch to another channel in time: it hangs in the work of the channel that it has"},
    {0x0c, "RL_REQ_TIMEOUT", "the request for a runlist was not taken in time"},
    {0x0d, "NEW_RUNLIST", "a runlist was submitted before the last one was taken"},
    {0x0e, "CONFIG_WHILE_BUSY", "the scheduler was configured while it was busy"},
};

const struct error_names errors_sched = {
    .unit = "SCHED_ERROR",
    .where = "SCHED_ERROR",
    .chips = "GF100-",
    .rows = sched_rows,
    .count = COUNT_OF(sched_rows),
    .otherwise = "UNKNOWN",
    .source = "nouveau engine/fifo/gk104.c, nvgpu hal/fifo/fifo_intr_gv11b_fusa.c",
};

static const struct error_name bind_rows[] = {
    {0x01, "BIND_NOT_UNBOUND", "a channel was bound that is bound already"},
    {0x02, "SNOOP_WITHOUT_BAR1", "the channel's USERD is to be watched, and BAR1 has no address space"},
    {0x03, "UNBIND_WHILE_RUNNING", "a channel was unbound while it ran"},
    {0x05, "INVALID_RUNLIST", "the runlist of the channel does not exist"},
    {0x06, "INVALID_CTX_TGT", "the instance block of the channel is in a memory that cannot be used"},
    {0x0b, "UNBIND_WHILE_PARKED", "a channel was unbound while it was parked"},
};

const struct error_names errors_bind = {
    .unit = "BIND_ERROR",
    .where = "BIND_ERROR",
    .chips = "GK104-",
    .rows = bind_rows,
    .count = COUNT_OF(bind_rows),
    .otherwise = "UNKNOWN",
    .source = "nouveau engine/fifo/gk104.c",
};

/* ---- the units themselves ---- */

const struct error_trap error_traps[] = {
    {"G80:GF100", 0, "TRAP_DISPATCH"}, {"G80:GF100", 1, "TRAP_M2MF"},   {"G80:GF100", 2, "TRAP_VFETCH"},
    {"G80:GF100", 3, "TRAP_STRMOUT"},  {"G80:GF100", 4, "TRAP_CCACHE"}, {"G80:GF100", 5, "TRAP_CLIPID"},
    {"G80:GF100", 6, "TRAP_TEXTURE"},  {"G80:GF100", 7, "TRAP_MP"},     {"G80:GF100", 8, "TRAP_PROP"},
    {"GF100-", 0, "TRAP_DISPATCH"},    {"GF100-", 1, "TRAP_M2MF"},      {"GF100-", 3, "TRAP_CCACHE"},
    {"GF100-", 4, "TRAP_SHADER"},      {"GF100-", 6, "TRAP_UNK6"},      {"GF100-", 7, "TRAP_MACRO"},
    {"GK104-", 8, "TRAP_SKED"},
};

const size_t error_trap_count = sizeof error_traps / sizeof error_traps[0];

const char *error_trap_name(const struct pfifo_chip *chip, unsigned bit) {
    for (size_t i = 0; i < error_trap_count; i++)
        if (error_traps[i].bit == bit && chip_in_range(chip, error_traps[i].chips))
            return error_traps[i].name;
    return NULL;
}
