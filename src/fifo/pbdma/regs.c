/* SPDX-License-Identifier: MIT */
/*
 * The page of registers of a PBDMA, which GF100 calls PSUBFIFO. Its words 0x00 .. 0xff are those of RAMFC; the names
 * are envytools' on GF100:GK104 and those of NVIDIA's manuals on GK104 and later.
 *
 * UNKNOWN: which bits of the words a chip stores. Chosen: all, as RAMFC may hold anything.
 * UNKNOWN: 0x100 and 0x124. Chosen: they read as 0.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml; NVIDIA open-gpu-doc manuals/volta/gv100/dev_pbdma.ref.txt,
 * dev_ram.ref.txt; nouveau nvkm/engine/fifo/{gf100,gk104}.c.
 */
#include "fifo/pbdma/interrupt.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t page_channel_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct pbdma *pbdma = unit;
    (void)reg, (void)index;
    return pbdma->channel ? pbdma->channel->context.id | PBDMA_CHANNEL_ACTIVE_GF100 : 0;
}

static uint32_t page_channel_read_gk104(void *unit, const struct reg *reg, uint32_t index) {
    const struct pbdma *pbdma = unit;
    (void)reg, (void)index;
    return pbdma->channel ? pbdma->channel->context.id | PBDMA_CHANNEL_ACTIVE : 0;
}

/* Write one to clear. What stalled goes on with whatever the registers hold now. */
static void page_intr_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pbdma *pbdma = unit;
    *reg_storage(pbdma, reg, index) &= ~value;
    pbdma->shared->upward->update_line(pbdma->fifo);
    pbdma->shared->upward->stall_changed(pbdma);
}

static void page_enable_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pbdma *pbdma = unit;
    (void)reg, (void)index, (void)value;
    pbdma->shared->upward->update_line(pbdma->fifo);
    pbdma->shared->upward->stall_changed(pbdma);
}

/* A driver may write the words of a channel that is loaded only while an interrupt stalls it or PFIFO is frozen. */
static void page_word_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pbdma *pbdma = unit;
    (void)reg, (void)index, (void)value;
    pbdma_derive(pbdma);
    if (pbdma->channel && !pbdma_stalled(pbdma) && !pbdma->shared->upward->frozen(pbdma))
        pbdma_raise(pbdma, PBDMA_INTR_PRI, "PRI");
}

static uint32_t page_pb_crc_read(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return pbdma_pb_crc(unit);
}

static uint32_t page_method_crc_read(void *unit, const struct reg *reg, uint32_t index) {
    struct pbdma *pbdma = unit;
    (void)reg, (void)index;
    pbdma_crc_settle(pbdma);
    return pbdma->regs[R_METHOD_CRC];
}

static void page_method_crc_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pbdma *pbdma = unit;
    pbdma->crc_queue.count = 0;
    page_word_write(unit, reg, index, value);
}

#define F          "GF100:GK104"
#define K          "GK104-"
#define ALL        "GF100-"
#define AT(member) .at = offsetof(struct pbdma, member)
#define RW(bits)   .readable = (bits), .writable = (bits)
#define ROW(chips, off, ...)                                                                                           \
    {                                                                                                                  \
        chips, {                                                                                                       \
            off, __VA_ARGS__                                                                                           \
        }                                                                                                              \
    }
/* A word that RAMFC has too. */
#define WORD_AT(off) .at = offsetof(struct pbdma, regs) + (off), RW(~0u)
#define WORD(chips, off, name, text)                                                                                   \
    {                                                                                                                  \
        chips, {                                                                                                       \
            (off), (name), WORD_AT(off), .write = page_word_write, .fields = (text)                                    \
        }                                                                                                              \
    }
/* The same with both names. */
#define BOTH(off, fermi, kepler, text) WORD(F, off, fermi, text), WORD(K, off, kepler, text)

#define ADDRESS_HI     "ADDRESS_HI 7:0"
#define TOP_GET_HI     "ADDRESS_HI 7:0, VALID 31"
#define USERD_FERMI    "TARGET 1:0, ADDRESS 31:12"
#define USERD_KEPLER   "TARGET 1:0, ADDRESS 31:9"
#define ACQUIRE_FIELDS "RETRY_MAN 6:0, RETRY_EXP 10:7, TIMEOUT_EXP 14:11, TIMEOUT_MAN 30:15, TIMEOUT_EN 31"
#define EXECUTE_FIELDS                                                                                                 \
    "OPERATION 4:0, ACQUIRE_SWITCH 12, ACQUIRE_FAIL 19, RELEASE_NO_WFI 20, RELEASE_4_BYTES 24, REDUCTION 30:27, "      \
    "UNSIGNED 31"
#define GP_BASE_FIELDS  "ADDRESS_HI 7:0, LIMIT2 20:16"
#define FETCH_HI_FIELDS "ADDRESS_HI 7:0, SUBROUTINE 9, SYNC 10, LENGTH 31:11"
#define HEADER_FIELDS   "METHOD 13:2, SUBCHANNEL 18:16, LEVEL 20, FIRST 22, CONDITIONAL 23, FINAL 24, TYPE 31:29"
#define COUNT_FIELDS                                                                                                   \
    "VALUE 12:0, DATA0_VALID 16, DATA0_LEVEL 18, DATA1_VALID 20, DATA1_LEVEL 22, DATA2_VALID 24, DATA2_LEVEL 26"
#define SUBDEVICE_FIELDS "ID 11:0, STORED_MASK 27:16, ACTIVE 28, CHANNEL_DMA 29"
#define TARGET_FIELDS    "ENGINE 4:0, ENG_CTX_VALID 16, CE_CTX_VALID 17"
#define METHOD_FIELDS    "INCR 0, METHOD 13:2, SUBCHANNEL 18:16, FIRST 22, DUAL 23, VALID 31"
#define FLAGS_FIELDS     "CONDITIONAL 0, NO_SWITCH 1, PRIV 2, SUBROUTINE 3, SYNC 4"
#define TIMESLICE_FIELDS "TIMEOUT 7:0, SCALE 15:12, ENABLE 28"
#define ENGINES_FIELDS   "SUBCHANNEL_0 4:0, SUBCHANNEL_1 12:8, SUBCHANNEL_2 20:16, SUBCHANNEL_3 28:24"
#define HCE_FIELDS                                                                                                     \
    "SP_AWAITS_HCEH 0, SUBCHSW 4, PRIV_MODE 5, LAUNCH_DMA 16, NOP 17, PM_TRIGGER 18, PM_TRIGGER_END 19, "              \
    "RENDER_ENABLE_C 20"
#define CONFIG_FIELDS "L2_EVICT 1:0, CE_NO_SPLIT 4, CE_NO_THROTTLE 5, AUTH_LEVEL 8, USERD_WRITEBACK 12"

#define INTR_FIELDS                                                                                                    \
    "MEMREQ 0, MEMACK_TIMEOUT 1, MEMACK_EXTRA 2, MEMDAT_TIMEOUT 3, MEMDAT_EXTRA 4, MEMFLUSH 5, MEMOP 6, LBCONNECT 7, " \
    "LBREQ 8, LBACK_TIMEOUT 9, LBACK_EXTRA 10, LBDAT_TIMEOUT 11, LBDAT_EXTRA 12, GPFIFO 13, GPPTR 14, GPENTRY 15, "    \
    "GPCRC 16, PBPTR 17, PBENTRY 18, PBCRC 19, XBARCONNECT 20, METHOD 21, METHODCRC 22, DEVICE 23, SEMAPHORE 25, "     \
    "ACQUIRE 26, PRI 27, NO_CTXSW_SEG 29, PBSEG 30, SIGNATURE 31"
#define INTR_1_FIELDS "HCE_RE_ILLEGAL_OP 0, HCE_RE_ALIGNB 1, HCE_PRIV 2, HCE_ILLEGAL_MTHD 3, HCE_ILLEGAL_CLASS 4"

/* A method that waits and its data, four times. */
#define METHOD(n)                                                                                                      \
    BOTH(NV_PBDMA_METHOD0 + 8 * (n), "CACHE" #n "_ADDR", "METHOD" #n, METHOD_FIELDS),                                  \
        BOTH(NV_PBDMA_DATA0 + 8 * (n), "CACHE" #n "_DATA", "DATA" #n, NULL)

/* In the addresses of PBDMA 0. */
static const struct reg_row rows[] = {
    BOTH(NV_PBDMA_GP_PUT, "IB_PUT", "GP_PUT", NULL),
    WORD("GF100:GM200", 0x04, "UNK04", NULL),
    WORD("GM200-", NV_PBDMA_MEM_OP_A, "MEM_OP_A", NULL),
    WORD(F, 0x08, "CTRL_ADDR_LOW", USERD_FERMI),
    WORD(K, NV_PBDMA_USERD, "USERD", USERD_KEPLER),
    BOTH(NV_PBDMA_USERD_HI, "CTRL_ADDR_HIGH", "USERD_HI", ADDRESS_HI),
    BOTH(NV_PBDMA_SIGNATURE, "SIG", "SIGNATURE", NULL),
    BOTH(NV_PBDMA_GP_GET, "IB_GET", "GP_GET", NULL),
    BOTH(NV_PBDMA_GET, "DMA_GET", "GET", NULL),
    BOTH(NV_PBDMA_GET_HI, "DMA_GET_HIGH", "GET_HI", ADDRESS_HI),
    BOTH(NV_PBDMA_TOP_LEVEL_GET, "DMA_MGET", "TOP_LEVEL_GET", NULL),
    BOTH(NV_PBDMA_TOP_LEVEL_GET_HI, "DMA_MGET_HIGH", "TOP_LEVEL_GET_HI", TOP_GET_HI),
    BOTH(NV_PBDMA_REF, "REF_CNT", "REF", NULL),
    BOTH(NV_PBDMA_RUNTIME, "ACTIVE_CYCLES", "RUNTIME", NULL),
    BOTH(NV_PBDMA_ACQUIRE, "SEMAPHORE_CONFIG", "ACQUIRE", ACQUIRE_FIELDS),
    BOTH(NV_PBDMA_ACQUIRE_DEADLINE, "SEMAPHORE_DEADLINE", "ACQUIRE_DEADLINE", NULL),
    BOTH(NV_PBDMA_SEM_ADDR_HI, "SEM_ADDRESS_HIGH", "SEM_ADDR_HI", ADDRESS_HI),
    BOTH(NV_PBDMA_SEM_ADDR_LO, "SEM_ADDRESS_LOW", "SEM_ADDR_LO", NULL),
    BOTH(NV_PBDMA_SEM_PAYLOAD_LO, "SEMAPHORE_SEQUENCE", "SEM_PAYLOAD_LO", NULL),
    BOTH(NV_PBDMA_SEM_EXECUTE, "SEMAPHORE_STATE", "SEM_EXECUTE", EXECUTE_FIELDS),
    BOTH(NV_PBDMA_GP_BASE, "IB_ADDRESS_LOW", "GP_BASE", NULL),
    BOTH(NV_PBDMA_GP_BASE_HI, "IB_CONFIG", "GP_BASE_HI", GP_BASE_FIELDS),
    BOTH(NV_PBDMA_GP_FETCH, "IB_POS", "GP_FETCH", NULL),
    WORD(F, 0x54, "IB_ENTRY_LOW", "CONDITIONAL 0, NO_SWITCH 1, ADDRESS 31:2"),
    WORD(K, NV_PBDMA_PB_FETCH, "PB_FETCH", "CONDITIONAL 0, ADDRESS 31:2"),
    BOTH(NV_PBDMA_PB_FETCH_HI, "IB_ENTRY_HIGH_RO", "PB_FETCH_HI", FETCH_HI_FIELDS),
    BOTH(NV_PBDMA_PUT, "DMA_PUT", "PUT", NULL),
    BOTH(NV_PBDMA_PUT_HI, "DMA_PUT_HIGH", "PUT_HI", ADDRESS_HI),
    WORD("GF100:GM200", 0x64, "IB_ENTRY_HIGH", NULL),
    WORD("GM200-", NV_PBDMA_MEM_OP_B, "MEM_OP_B", NULL),
    BOTH(0x68, "DMA_GET_HIGH_RS", "GET_HI_SHADOW", NULL),
    BOTH(0x6c, "DMA_PUT_HIGH_RS", "PUT_HI_SHADOW", NULL),
    BOTH(0x70, "DMA_MGET_HIGH_RS", "TOP_LEVEL_GET_HI_SHADOW", NULL),
    BOTH(NV_PBDMA_GP_CRC, "IB_CRC", "GP_CRC", NULL),
    BOTH(NV_PBDMA_SYNCPOINTA, "UNK78", "SYNCPOINTA", NULL),
    BOTH(NV_PBDMA_SYNCPOINTB, "MTHD_74", "SYNCPOINTB", NULL),
    BOTH(NV_PBDMA_WFI, "MTHD_78", "WFI", NULL),
    BOTH(NV_PBDMA_PB_HEADER, "DMA_STATE_0", "PB_HEADER", HEADER_FIELDS),
    BOTH(NV_PBDMA_PB_COUNT, "DMA_STATE_1", "PB_COUNT", COUNT_FIELDS),
    BOTH(0x8c, "PRECACHE_0", "PB_DATA0", NULL),
    BOTH(0x90, "PRECACHE_1", "PB_DATA1", NULL),
    BOTH(NV_PBDMA_SUBDEVICE, "SLI", "SUBDEVICE", SUBDEVICE_FIELDS),
    ROW(F, 0x98, "PUSHBUF_CRC", WORD_AT(NV_PBDMA_PB_CRC), .read = page_pb_crc_read, .write = page_word_write),
    ROW(K, NV_PBDMA_PB_CRC, "PB_CRC", WORD_AT(NV_PBDMA_PB_CRC), .read = page_pb_crc_read, .write = page_word_write),
    WORD(ALL, NV_PBDMA_CMD_TYPES, "FEATURE_ENABLE", "CMD_TYPES 9:8"),
    BOTH(NV_PBDMA_MEM_OP_C, "MTHD_28", "MEM_OP_C", NULL),
    ROW(F, 0xa4, "ENGINE", WORD_AT(NV_PBDMA_ENGINES), .write = page_word_write, .count = 2, .fields = ENGINES_FIELDS),
    ROW(K, 0xa4, "UNKA4", WORD_AT(NV_PBDMA_ENGINES), .write = page_word_write, .count = 2),
    BOTH(NV_PBDMA_TARGET, "CUR_ENGINE", "TARGET", TARGET_FIELDS),
    ROW(F, 0xb0, "UNKB0", WORD_AT(NV_PBDMA_METHOD_CRC), .read = page_method_crc_read, .write = page_method_crc_write),
    ROW(K, NV_PBDMA_METHOD_CRC, "METHOD_CRC", WORD_AT(NV_PBDMA_METHOD_CRC), .read = page_method_crc_read,
        .write = page_method_crc_write),
    ROW(ALL, 0xb4, "UNKB4", WORD_AT(0xb4), .write = page_word_write, .count = 3),
    METHOD(0),
    METHOD(1),
    METHOD(2),
    METHOD(3),
    BOTH(NV_PBDMA_GP_FLAGS, "IB_FLAGS", "GP_FLAGS", FLAGS_FIELDS),
    WORD(F, 0xe4, "UNKE4", NULL),
    WORD(K, 0xe4, "HCE_CTRL", HCE_FIELDS),
    BOTH(NV_PBDMA_CHID, "UNKE8", "CHID", NULL),
    WORD(ALL, 0xec, "UNKEC", NULL),
    BOTH(0xf0, "PRECACHE_2", "PB_DATA2", NULL),
    WORD(F, 0xf4, "UNKF4", NULL),
    WORD(K, NV_PBDMA_CONFIG, "CONFIG", CONFIG_FIELDS),
    WORD(ALL, NV_PBDMA_TIMESLICE, "TIMESLICE", TIMESLICE_FIELDS),
    WORD(F, 0xfc, "UNKFC", NULL),
    WORD(K, NV_PBDMA_CHANNEL_INFO, "SET_CHANNEL_INFO", "SCG_TYPE 0, VEID 13:8"),

    ROW(ALL, 0x100, "STATUS", .at = REG_NONE),
    ROW(F, 0x104, "UNK104", AT(unknown[0]), RW(0x000fffff)),
    ROW(K, 0x104, "CFG0", AT(unknown[0]), RW(~0u)),
    ROW(ALL, NV_PBDMA_INTR_0, "INTR_0", AT(intr_0), .readable = ~0u, .write = page_intr_write, .fields = INTR_FIELDS),
    ROW(ALL, NV_PBDMA_INTR_EN_0, "INTR_EN_0", AT(intr_en_0), RW(~0u), .write = page_enable_write,
        .fields = INTR_FIELDS),
    ROW(F, 0x110, "IB_SHADOW", AT(gp_shadow), RW(~0u), .count = 2),
    ROW(K, NV_PBDMA_GP_SHADOW, "GP_SHADOW", AT(gp_shadow), RW(~0u), .count = 2),
    ROW(F, 0x118, "CMD_SHADOW", AT(hdr_shadow), RW(~0u)),
    ROW(K, NV_PBDMA_HDR_SHADOW, "HDR_SHADOW", AT(hdr_shadow), RW(~0u)),
    ROW(F, NV_PBDMA_CHANNEL, "CHANNEL", .at = REG_NONE, .readable = 0x17f, .read = page_channel_read,
        .fields = "CHID 6:0, ACTIVE 8"),
    ROW(K, NV_PBDMA_CHANNEL, "CHANNEL", .at = REG_NONE, .readable = 0x2fff, .read = page_channel_read_gk104,
        .fields = "CHID 11:0, ACTIVE 13"),
    ROW(ALL, 0x124, "UNK124", .at = REG_NONE),
    ROW(ALL, NV_PBDMA_TIMEOUT, "TIMEOUT", AT(timeout), RW(~0u), .reset = 0x10000),
    ROW(ALL, 0x134, "UNK134", AT(unknown[1]), RW(1)),
    ROW(F, 0x138, "UNK138", AT(unknown[2]), RW(0x0fffdfff), .reset = 0x0249000a),
    ROW(ALL, NV_PBDMA_INTR_STALL, "INTR_STALL", AT(stall_0), RW(~0u), .reset = ~0u, .write = page_enable_write,
        .fields = INTR_FIELDS),
    ROW(K, NV_PBDMA_INTR_STALL_1, "INTR_STALL_1", AT(stall_1), RW(0x1f), .reset = 0x1f, .write = page_enable_write,
        .fields = INTR_1_FIELDS),
    ROW(K, NV_PBDMA_INTR_1, "INTR_1", AT(intr_1), .readable = 0x1f, .write = page_intr_write, .fields = INTR_1_FIELDS),
    ROW(K, NV_PBDMA_INTR_EN_1, "INTR_EN_1", AT(intr_en_1), RW(0x1f), .write = page_enable_write,
        .fields = INTR_1_FIELDS),
    ROW(K, NV_PBDMA_HCE_DBG, "HCE_DBG", AT(hce_debug), .readable = ~0u, .count = 2),
    ROW(K, 0x200, "HCE_STATE", AT(hce_state), RW(~0u), .count = PBDMA_HCE_WORDS),
};

/* Each PBDMA has its own copy of the rows, at its own offsets. */
enum pfifo_status pbdma_attach_page(struct pbdma *pbdma, struct pfifo_error *error) {
    const struct pfifo_chip *chip = pbdma->fifo->chip;
    snprintf(pbdma->table_name, sizeof pbdma->table_name, "%s%u", pbdma->shared->variant->name, pbdma->index);
    enum pfifo_status status =
        reg_table_select(&pbdma->table, pbdma->table_name, rows, sizeof rows / sizeof rows[0], chip, error);
    pbdma->rows = (struct reg *)(uintptr_t)pbdma->table.regs;
    if (status != PFIFO_OK)
        return status;
    for (size_t i = 0; i < pbdma->table.count; i++)
        pbdma->rows[i].offset += NV_PBDMA_BASE + NV_PBDMA_STRIDE * pbdma->index;
    return bus_attach_table(pbdma->fifo->bus, &pbdma->table, pbdma, error);
}
