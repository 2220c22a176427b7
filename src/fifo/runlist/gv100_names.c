/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of GV100 and TU10x, and the table of devices there and later: the names of the registers, for a console on a
 * real card. The registers are not modelled yet.
 *
 * Modelled:     names, offsets and fields of PFIFO, the PBDMAs and the table of channels (PCCSR); the table of devices
 * Not modelled: their behaviour; the register blocks of runlists on GA100 and later, whose offsets are only in the
 *               table of devices
 * Sources:      open-gpu-doc manuals/volta/gv100/dev_fifo.ref.txt, dev_pbdma.ref.txt,
 *               manuals/turing/tu104/dev_fifo.ref.txt, dev_pbdma.ref.txt; nouveau nvkm/engine/fifo/gv100.c, tu102.c
 */
#include <stdlib.h>

#include "bus/bus.h"
#include "fifo/fifo.h"
#include "hw/pbdma.h"
#include "hw/pfifo_gf100.h"

#define CHANNELS 4096

#define PLAIN .at = REG_NONE, .readable = ~0u, .writable = ~0u
#define INTR_FIELDS                                                                                                    \
    "BIND_ERROR 0, CTXSW_TIMEOUT 1, RUNLIST_IDLE 4, RUNLIST_AND_ENG_IDLE 5, RUNLIST_ACQUIRE 6, "                       \
    "RUNLIST_ACQUIRE_AND_ENG_IDLE 7, SCHED_ERROR 8, CHSW_ERROR 16, MEMOP_TIMEOUT 23, LB_ERROR 24, "                    \
    "TSG_PREEMPT_COMPLETE 28, PBDMA_INTR 29, RUNLIST_EVENT 30, CHANNEL_INTR 31"
#define ENGINE_FIELDS                                                                                                  \
    "ID 11:0, IS_TSG 12, STATUS 15:13, NEXT_ID 27:16, NEXT_IS_TSG 28, ENG_RELOAD 29, FAULTED 30, BUSY 31"

static const struct reg_row pfifo_rows[] = {
    {"GV100:GA100", {0x2004, "CFG0", PLAIN, .fields = "NUM_PBDMA 7:0, PBDMA_FAULT_ID 23:16"}},
    {"GV100:GA100", {0x2008, "CFG1", PLAIN}},
    {"GV100:GA100", {0x200c, "CFG2", PLAIN, .fields = "HOST_CLASS 15:0"}},
    {"GV100:GA100", {NV_PFIFO_INTR, "INTR", PLAIN, .fields = INTR_FIELDS}},
    {"GV100:GA100", {NV_PFIFO_INTR_EN, "INTR_EN", PLAIN, .fields = INTR_FIELDS}},
    {"TU102:GA100", {0x2180, "INTR_MASK_SET", PLAIN}},
    {"TU102:GA100", {0x21c0, "INTR_MASK_CLEAR", PLAIN}},
    {"GV100:GA100", {0x2250, "ACQ_PRETEST", PLAIN, .fields = "TIMEOUT 7:0, TIMESCALE 15:12"}},
    {"GV100:GA100", {0x225c, "USERD_WRITEBACK", PLAIN, .fields = "TIMER 7:0, TIMESCALE 15:12"}},
    {"GV100", {NV_PFIFO_RUNLIST_BASE, "RUNLIST_BASE", PLAIN, .fields = "ADDRESS 27:0, TARGET 29:28"}},
    {"GV100", {NV_PFIFO_RUNLIST, "RUNLIST", PLAIN, .fields = "LENGTH 15:0, ID 23:20"}},
    {"GV100",
     {NV_PFIFO_ENG_RUNLIST_BASE, "ENG_RUNLIST_BASE", PLAIN, .count = 13, .stride = 8,
      .fields = "ADDRESS 27:0, TARGET 29:28"}},
    {"GV100",
     {NV_PFIFO_ENG_RUNLIST, "ENG_RUNLIST", PLAIN, .count = 13, .stride = 8, .fields = "LENGTH 15:0, PENDING 20"}},
    {"GV100:GA100", {NV_PFIFO_PBDMA_MAP, "PBDMA_MAP", PLAIN, .count = 14, .fields = "RUNLISTS 15:0"}},
    {"GV100:GA100", {0x2528, "INTR_EN_NONSTALL", PLAIN}},
    {"GV100:GA100", {NV_PFIFO_BIND_ERROR, "BIND_ERROR", PLAIN, .fields = "CODE 7:0"}},
    {"GV100:GA100", {0x2530, "INTR_STALL", PLAIN, .fields = INTR_FIELDS}},
    {"GV100:GA100", {NV_PFIFO_SCHED_ERROR, "SCHED_ERROR", PLAIN, .fields = "CODE 7:0"}},
    {"GV100:GA100", {NV_PFIFO_CHSW_ERROR, "CHSW_ERROR", PLAIN}},
    {"GV100:GA100", {NV_PFIFO_LB_ERROR, "LB_ERROR", PLAIN}},
    {"GV100:GA100", {NV_PFIFO_PBDMA_ID, "PBDMA_ID", PLAIN}},
    {"GV100:GA100", {0x262c, "RUNLIST_RESET_DONE", PLAIN}},
    {"GV100:GA100", {NV_PFIFO_SCHED_DISABLE, "SCHED_DISABLE", PLAIN}},
    {"GV100:GA100", {NV_PFIFO_PREEMPT, "PREEMPT", PLAIN, .fields = "ID 11:0, PENDING 20, TYPE 25:24"}},
    {"GV100:GA100", {0x2638, "RUNLIST_PREEMPT", PLAIN}},
    {"GV100:GA100", {0x263c, "SCHED_STATUS", PLAIN, .fields = "CHSW 1, RUNLIST_FETCH 2"}},
    {"GV100:GA100",
     {NV_PFIFO_ENGINE_STATUS, "ENGINE_STATUS", PLAIN, .count = 15, .stride = 8, .fields = ENGINE_FIELDS}},
    {"GV100:GA100", {0x2644, "ENGINE_DEBUG", PLAIN, .count = 15, .stride = 8}},
    {"TU102:GA100", {0x2800, "PBDMA_STATUS_USERD", PLAIN, .count = 12}},
    {"TU102:GA100", {0x2880, "PBDMA_STATUS_USERD_HI", PLAIN, .count = 12}},
    {"GV100:GA100", {NV_PFIFO_INTR_RUNLIST, "INTR_RUNLIST", PLAIN}},
    {"GV100:GA100", {0x2a04, "FB_TIMEOUT", PLAIN}},
    {"GV100:GA100", {0x2a08, "PB_TIMEOUT", PLAIN}},
    {"GV100:GA100", {0x2a0c, "ENG_TIMEOUT", PLAIN, .fields = "PERIOD 30:0, DETECTION 31"}},
    {"GV100:GA100", {0x2a14, "CLEAR_FAULTED_TIMEOUT", PLAIN, .fields = "PERIOD 29:0, DETECTION 31"}},
    {"TU102:GA100", {0x2a30, "CTXSW_TIMEOUT", PLAIN}},
    {"TU102:GA100", {0x2b00, "RUNLIST_BASE_LO", PLAIN, .count = 11, .stride = 16, .fields = "TARGET 1:0, BASE 31:12"}},
    {"TU102:GA100", {0x2b04, "RUNLIST_BASE_HI", PLAIN, .count = 11, .stride = 16, .fields = "BASE 7:0"}},
    {"TU102:GA100",
     {0x2b08, "RUNLIST_SUBMIT", PLAIN, .count = 11, .stride = 16, .fields = "LENGTH 15:0, OFFSET 31:16"}},
    {"TU102:GA100",
     {0x2b0c, "RUNLIST_SUBMIT_INFO", PLAIN, .count = 11, .stride = 16,
      .fields = "TSGID_VALID 14, PENDING 15, PREEMPTED 31:16"}},
    {"GV100:GA100", {0x3080, "PBDMA_STATUS", PLAIN, .count = 14, .fields = ENGINE_FIELDS}},
    {"GV100:GA100", {0x3100, "ENGINE_STATUS_INST", PLAIN, .count = 15}},
    {"TU102:GA100", {0x3200, "CTXSW_TIMEOUT_INFO", PLAIN, .count = 13}},
    {"TU102:GA100", {0x3400, "RUNLIST_INFO", PLAIN, .count = 11}},
};

/* An array over the PBDMAs, of which a chip has as many as its row says. */
#define PAGE(off, reg_name) NV_PBDMA_BASE + (off), (reg_name), PLAIN, .stride = NV_PBDMA_STRIDE
#define WORD(off, name)                                                                                                \
    {                                                                                                                  \
        "GV100:GA100", {                                                                                               \
            PAGE(off, name)                                                                                            \
        }                                                                                                              \
    }
#define FIELDS(off, name, text)                                                                                        \
    {                                                                                                                  \
        "GV100:GA100", {                                                                                               \
            PAGE(off, name), .fields = (text)                                                                          \
        }                                                                                                              \
    }

#define PBDMA_INTR                                                                                                     \
    "MEMREQ 0, MEMACK_TIMEOUT 1, MEMACK_EXTRA 2, MEMDAT_TIMEOUT 3, MEMDAT_EXTRA 4, MEMFLUSH 5, MEMOP 6, "              \
    "LBCONNECT 7, LBACK_TIMEOUT 9, LBACK_EXTRA 10, LBDAT_TIMEOUT 11, LBDAT_EXTRA 12, GPFIFO 13, GPPTR 14, "            \
    "GPENTRY 15, GPCRC 16, PBPTR 17, PBENTRY 18, PBCRC 19, CLEAR_FAULTED_ERROR 20, METHOD 21, METHODCRC 22, "          \
    "DEVICE 23, ENG_RESET 24, SEMAPHORE 25, ACQUIRE 26, PRI 27, PBSEG 30, SIGNATURE 31"

static const struct reg_row pbdma_rows[] = {
    WORD(NV_PBDMA_GP_PUT, "GP_PUT"),
    WORD(NV_PBDMA_MEM_OP_A, "MEM_OP_A"),
    FIELDS(NV_PBDMA_USERD, "USERD", "TARGET 1:0, ADDRESS 31:9"),
    WORD(NV_PBDMA_USERD_HI, "USERD_HI"),
    WORD(NV_PBDMA_SIGNATURE, "SIGNATURE"),
    WORD(NV_PBDMA_GP_GET, "GP_GET"),
    WORD(NV_PBDMA_GET, "GET"),
    WORD(NV_PBDMA_GET_HI, "GET_HI"),
    WORD(NV_PBDMA_TOP_LEVEL_GET, "TOP_LEVEL_GET"),
    FIELDS(NV_PBDMA_TOP_LEVEL_GET_HI, "TOP_LEVEL_GET_HI", "ADDRESS 7:0, VALID 31"),
    WORD(NV_PBDMA_REF, "REF"),
    WORD(NV_PBDMA_RUNTIME, "RUNTIME"),
    FIELDS(NV_PBDMA_ACQUIRE, "ACQUIRE",
           "RETRY_MAN 6:0, RETRY_EXP 10:7, TIMEOUT_EXP 14:11, TIMEOUT_MAN 30:15, TIMEOUT_EN 31"),
    WORD(NV_PBDMA_ACQUIRE_DEADLINE, "ACQUIRE_DEADLINE"),
    WORD(NV_PBDMA_SEM_ADDR_HI, "SEM_ADDR_HI"),
    WORD(NV_PBDMA_SEM_ADDR_LO, "SEM_ADDR_LO"),
    WORD(NV_PBDMA_SEM_PAYLOAD_LO, "SEM_PAYLOAD_LO"),
    FIELDS(NV_PBDMA_SEM_EXECUTE, "SEM_EXECUTE", "ACQUIRE_FAIL 19"),
    WORD(NV_PBDMA_GP_BASE, "GP_BASE"),
    FIELDS(NV_PBDMA_GP_BASE_HI, "GP_BASE_HI", "ADDRESS 7:0, LIMIT2 20:16"),
    WORD(NV_PBDMA_GP_FETCH, "GP_FETCH"),
    WORD(NV_PBDMA_PB_FETCH, "PB_FETCH"),
    FIELDS(NV_PBDMA_PB_FETCH_HI, "PB_FETCH_HI", "ADDRESS 7:0, LEVEL 9, SYNC 10, LENGTH 31:11"),
    WORD(NV_PBDMA_PUT, "PUT"),
    WORD(NV_PBDMA_PUT_HI, "PUT_HI"),
    WORD(NV_PBDMA_MEM_OP_B, "MEM_OP_B"),
    WORD(NV_PBDMA_GP_CRC, "GP_CRC"),
    FIELDS(NV_PBDMA_PB_HEADER, "PB_HEADER",
           "METHOD 13:2, SUBCHANNEL 18:16, LEVEL 20, FIRST 22, CONDITIONAL 23, FINAL 24, TYPE 31:29"),
    FIELDS(NV_PBDMA_PB_COUNT, "PB_COUNT", "VALUE 12:0"),
    WORD(0x8c, "PB_DATA0"),
    WORD(0x90, "PB_DATA1"),
    FIELDS(NV_PBDMA_SUBDEVICE, "SUBDEVICE", "ID 11:0, STORED 27:16, ACTIVE 28, CHANNEL_DMA 29"),
    WORD(NV_PBDMA_PB_CRC, "PB_CRC"),
    WORD(0x9c, "SEM_PAYLOAD_HI"),
    WORD(NV_PBDMA_MEM_OP_C, "MEM_OP_C"),
    FIELDS(NV_PBDMA_TARGET, "TARGET", "ENGINE 4:0, ENG_CTX_VALID 16, CE_CTX_VALID 17"),
    WORD(NV_PBDMA_METHOD_CRC, "METHOD_CRC"),
    FIELDS(NV_PBDMA_METHOD0, "METHOD0", "INCREMENTS 0, METHOD 13:2, SUBCHANNEL 18:16, FIRST 22, DUAL 23, VALID 31"),
    WORD(NV_PBDMA_DATA0, "DATA0"),
    WORD(0xc8, "METHOD1"),
    WORD(0xcc, "DATA1"),
    WORD(0xd0, "METHOD2"),
    WORD(0xd4, "DATA2"),
    WORD(0xd8, "METHOD3"),
    WORD(0xdc, "DATA3"),
    WORD(0xe4, "HCE_CTRL"),
    WORD(NV_PBDMA_CHID, "CHID"),
    WORD(0xf0, "PB_DATA2"),
    FIELDS(NV_PBDMA_CONFIG, "CONFIG", "L2_EVICT 1:0, CE_SPLIT 4, CE_THROTTLE_MODE 5, AUTH_LEVEL 8, USERD_WRITEBACK 12"),
    FIELDS(NV_PBDMA_CHANNEL_INFO, "SET_CHANNEL_INFO", "SCG_TYPE 0, VEID 13:8"),
    WORD(0x100, "STATUS"),
    FIELDS(NV_PBDMA_INTR_0, "INTR_0", PBDMA_INTR),
    FIELDS(NV_PBDMA_INTR_EN_0, "INTR_EN_0", PBDMA_INTR),
    WORD(0x110, "GP_SHADOW_0"),
    WORD(0x114, "GP_SHADOW_1"),
    WORD(NV_PBDMA_HDR_SHADOW, "HDR_SHADOW"),
    FIELDS(NV_PBDMA_CHANNEL, "CHANNEL", "ID 11:0, VALID 13"),
    WORD(NV_PBDMA_TIMEOUT, "TIMEOUT"),
    FIELDS(NV_PBDMA_INTR_STALL, "INTR_STALL", PBDMA_INTR),
    WORD(NV_PBDMA_INTR_STALL_1, "INTR_STALL_1"),
    FIELDS(NV_PBDMA_INTR_1, "INTR_1",
           "HCE_RE_ILLEGAL_OP 0, HCE_RE_ALIGNB 1, HCE_PRIV 2, HCE_ILLEGAL_MTHD 3, HCE_ILLEGAL_CLASS 4, CTXNOTVALID 31"),
    WORD(NV_PBDMA_INTR_EN_1, "INTR_EN_1"),
    WORD(0x150, "HCE_DBG0"),
    WORD(0x154, "HCE_DBG1"),
};

static const struct reg_row pccsr_rows[] = {
    {"GV100:GA100",
     {0x800000, "CHANNEL_INST", PLAIN, .count = CHANNELS, .stride = 8,
      .fields = "ADDRESS 27:0, TARGET 29:28, BIND 31"}},
    {"GV100:GA100",
     {0x800004, "CHANNEL", PLAIN, .count = CHANNELS, .stride = 8,
      .fields = "ENABLE 0, NEXT 1, PBDMA_FAULTED 22, ENG_FAULTED 23, STATUS 27:24, BUSY 28"}},
};

static const struct reg_row ptop_rows[] = {
    {"GV100:GA100", {NV_PTOP_DEVICE_INFO, "DEVICE_INFO", PLAIN, .count = 64}},
    {"GA100-",
     {NV_PTOP_DEVICE_INFO_CFG, "DEVICE_INFO_CFG", PLAIN,
      .fields = "MAX_DEVICES 15:4, ROWS_PER_DEVICE 19:16, NUM_ROWS 31:20"}},
    {"GA100-", {NV_PTOP_DEVICE_INFO_GA100, "DEVICE_INFO", PLAIN, .count = 512}},
};

static const struct reg_row usermode_rows[] = {
    {"GV100:GA100", {0x810080, "TIME_0", PLAIN}},
    {"GV100:GA100", {0x810084, "TIME_1", PLAIN}},
    {"GA100-", {0xbb0080, "TIME_0", PLAIN}},
    {"GA100-", {0xbb0084, "TIME_1", PLAIN}},
};

static const struct gv100_names_table {
    const char *unit;
    const struct reg_row *rows;
    size_t count;
    bool per_pbdma;
} tables[] = {
    {"PFIFO", pfifo_rows, sizeof pfifo_rows / sizeof pfifo_rows[0], false},
    {"PBDMA", pbdma_rows, sizeof pbdma_rows / sizeof pbdma_rows[0], true},
    {"PCCSR", pccsr_rows, sizeof pccsr_rows / sizeof pccsr_rows[0], false},
    {"PTOP", ptop_rows, sizeof ptop_rows / sizeof ptop_rows[0], false},
    {"USERMODE", usermode_rows, sizeof usermode_rows / sizeof usermode_rows[0], false},
};

#define TABLES (sizeof tables / sizeof tables[0])

struct fifo_names {
    struct reg_table tables[TABLES];
};

static enum pfifo_status gv100_names_attach(struct bus *bus, const struct gv100_names_table *table,
                                            struct reg_table *to, struct pfifo_error *error) {
    enum pfifo_status status = reg_table_select(to, table->unit, table->rows, table->count, bus->chip, error);
    struct reg *regs = (struct reg *)(uintptr_t)to->regs; /* its own copy */

    if (status != PFIFO_OK)
        return status;
    for (size_t i = 0; table->per_pbdma && i < to->count; i++)
        regs[i].count = bus->chip->pbdmas;
    return to->count ? bus_attach_table(bus, to, NULL, error) : PFIFO_OK;
}

enum pfifo_status fifo_attach_names(struct bus *bus, struct fifo_names **out, struct pfifo_error *error) {
    struct fifo_names *names = calloc(1, sizeof *names);
    enum pfifo_status status = PFIFO_OK;

    *out = names;
    if (!names)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for names of registers");
    for (size_t i = 0; i < TABLES && status == PFIFO_OK; i++)
        status = gv100_names_attach(bus, &tables[i], &names->tables[i], error);
    return status;
}

const struct reg *fifo_names_word(uint32_t offset) {
    for (size_t i = 0; i < sizeof pbdma_rows / sizeof pbdma_rows[0]; i++)
        if (pbdma_rows[i].reg.offset == NV_PBDMA_BASE + offset)
            return &pbdma_rows[i].reg;
    return NULL;
}

void fifo_names_free(struct fifo_names *names) {
    for (size_t i = 0; names && i < TABLES; i++)
        free((void *)(uintptr_t)names->tables[i].regs);
    free(names);
}
