/* SPDX-License-Identifier: MIT */
/*
 * PFIFO registers that GF100 and GK104 share. Those of one family are in gf100_regs.c and gk104_regs.c.
 *
 * Not modelled: PFIFO_BYPASS, which sends a method around the PBDMAs: a method that is submitted there is reported.
 * Registers that are timeouts and intervals of units that are not modelled are kept.
 *
 * The buffer of replayable faults of GP100 can be set up and stays empty: no fault is replayable here. UNKNOWN: how
 * many entries it has; chosen: those that nvgpu allocates for GP10B.
 *
 * UNKNOWN: SCHED_ERROR 4, CHSW_ERROR and LB_ERROR are never raised: what they report does not happen here.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml (masks and values after power-on, too); NVIDIA open-gpu-doc
 * manuals/volta/gv100/dev_fifo.ref.txt; nouveau nvkm/engine/fifo/{gf100,gk104}.c, nvkm/subdev/fault/gp100.c; nvgpu
 * hw_fifo_gp10b.h.
 */
#include "fifo/runlist/channel.h"
#include "fifo/runlist/pfifo.h"

static uint32_t pfifo_intr_read(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return pbdma_intr(unit);
}

/* The level bits stay as long as their cause does. */
static void pfifo_intr_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pbdma_fifo *fifo = unit;
    (void)reg, (void)index;
    fifo->intr &= ~value;
    pbdma_update_line(fifo);
}

static void pfifo_enable_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    pbdma_update_line(unit);
}

/* Write one to clear. */
static void pfifo_clear_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    *reg_storage(unit, reg, index) &= ~value;
    pbdma_update_line(unit);
}

static uint32_t pfifo_pbdma_id_read(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return pbdma_intr_sources(unit);
}

static uint32_t pfifo_time_read(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg;
    return (uint32_t)(bus_now(((struct pbdma_fifo *)unit)->base.bus) >> (index ? 32 : 0));
}

/* The instance block of the channel that an engine works for, as in the channel table. */
static uint32_t pfifo_engine_instance_read(void *unit, const struct reg *reg, uint32_t index) {
    const struct pbdma_fifo *fifo = unit;
    uint32_t id = pbdma_engine_channel(fifo, index);
    (void)reg;
    return id == PBDMA_NONE ? 0 : fifo->channels[id].instance & 0x3fffffff;
}

static void pfifo_engine_fault_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    pbdma_acknowledge_faulted(unit, value);
}

/*
 * VM_FAULT_INJECT: the channel that the engine works for stops as if `unit` had faulted.
 * UNKNOWN: reason, address and client of such a fault. Chosen: 0, which is a missing page table.
 */
static void pfifo_inject_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pbdma_fifo *fifo = unit;
    (void)reg;
    if (!(value & PFIFO_VM_FAULT_INJECT_VALID))
        return;
    uint32_t id = pbdma_engine_channel(fifo, index);
    struct fault fault = {.reason = FAULT_PDE};
    uint64_t instance = 0;
    if (id != PBDMA_NONE) {
        fifo->channels[id].faulted |= ENGINE_FAULTED;
        instance = fifo->channels[id].context.instance;
    }
    pbdma_set_faulted(fifo, index);
    pbdma_record_fault(fifo, id, value & 0x1f, 0, instance, &fault);
}

/* Bypass. */

#define BYPASS_ENABLE          (1u << 8) /* BYPASS_CONFIG */
#define BYPASS_ERR_NOT_ENABLED (1u << 8) /* BYPASS_STATUS */
#define BYPASS_ERRORS          0x00000700u

static void pfifo_bypass_status_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pbdma_fifo *fifo = unit;
    (void)reg, (void)index;
    fifo->misc[MISC_BYPASS_STATUS] &= ~(value & BYPASS_ERRORS);
}

static void pfifo_bypass_submit(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pbdma_fifo *fifo = unit;
    (void)reg, (void)index;
    if (!(fifo->misc[MISC_BYPASS_CONFIG] & BYPASS_ENABLE)) {
        fifo->misc[MISC_BYPASS_STATUS] |= BYPASS_ERR_NOT_ENABLED;
        pbdma_fifo_raise(fifo, PFIFO_INTR_BYPASS, "BYPASS_ERROR");
        return;
    }
    event_send(fifo->base.events, EVENT_FIFO_UNKNOWN, PBDMA_NONE, "PFIFO_BYPASS is not modelled", 0, value);
}

#define F        "GF100:GK104"
#define K        "GK104-"
#define P        "GP100:GV100"
#define ALL      "GF100-"
#define ENGINES  8 /* that these registers are for, of GF100 .. GP10B */
#define AT(mem)  .at = offsetof(struct pbdma_fifo, mem)
#define RW(bits) .readable = (bits), .writable = (bits)
#define KEPT(id) AT(misc[id])

#define INTR_BITS 0xf9810111u
#define INTR_FIELDS                                                                                                    \
    "BIND_ERROR 0, BYPASS_ERROR 4, SCHED_ERROR 8, CHSW_ERROR 16, MEMOP_TIMEOUT 23, LB_ERROR 24, "                      \
    "DROPPED_MMU_FAULT 27, MMU_FAULT 28, PBDMA_INTR 29, RUNLIST_EVENT 30, CHANNEL_INTR 31"
#define BASE_FIELDS     "ADDRESS_4K 27:0, TARGET 29:28"
#define TEMPLATE_FIELDS "TIMEOUT 7:0, SCALE 15:12, ENABLE 28"
#define LB_FIELDS       "UNK0 3:0, UNK8 15:8, SIZE_128 30:24"
#define PERIOD_FIELDS   "PERIOD 30:0, DETECTION 31"

/* Four words per unit of the MMU; the storage of each is an array over the units. */
#define RECORD(word, name, text)                                                                                       \
    {                                                                                                                  \
        ALL, {                                                                                                         \
            NV_PFIFO_VM_FAULT_INST + 4 * (word), name, AT(fault_record[word]),                                         \
                .readable = ~0u, .count = PBDMA_UNITS, .stride = NV_PFIFO_VM_FAULT_STRIDE, .fields = (text)            \
        }                                                                                                              \
    }

static const struct reg_row rows[] = {
    {ALL, {0x2000, "UNK2000", KEPT(MISC_2000), RW(~0u), .reset = ~0u}},
    {ALL,
     {NV_PFIFO_INTR, "INTR", .at = REG_NONE, .readable = INTR_BITS, .read = pfifo_intr_read, .write = pfifo_intr_write,
      .fields = INTR_FIELDS}},
    {ALL, {NV_PFIFO_INTR_EN, "INTR_EN", AT(intr_en), RW(~0u), .write = pfifo_enable_write, .fields = INTR_FIELDS}},
    {F, {NV_PFIFO_CONFIG, "CONFIG", KEPT(MISC_CONFIG), RW(0x3f1), .fields = "ENABLE 0, UNK4 7:4, UNK8 9:8"}},
    {K, {NV_PFIFO_CONFIG, "CONFIG", KEPT(MISC_CONFIG), RW(0x300), .fields = "UNK8 9:8"}},
    {F, {0x2248, "NOSNOOP_REFRESH", KEPT(MISC_NOSNOOP_REFRESH), RW(0xf0ff), .reset = 0x0080}},
    {F, {0x224c, "HIDDEN_CHANNEL", KEPT(MISC_HIDDEN_CHANNEL), RW(0xf0ff), .reset = 0xd080}},
    {F,
     {0x2250, "ACQ_PRETEST", KEPT(MISC_ACQ_PRETEST), RW(0x1000f0ff), .reset = 0x1000a080,
      .fields = "TIMEOUT 7:0, TIMESCALE 15:12, ENABLE 28"}},
    {K,
     {0x2250, "ACQ_PRETEST", KEPT(MISC_ACQ_PRETEST), RW(0x1000f0ff), .reset = 0x10000080,
      .fields = "TIMEOUT 7:0, TIMESCALE 15:12, ENABLE 28"}},
    {F,
     {NV_PFIFO_BAR1_BASE, "BAR1_BASE", AT(bar1_base), RW(0x9fffffff), .write = pbdma_fifo_bar1_base,
      .fields = "ADDRESS_4K 27:0, ENABLE 28, UNK31 31"}},
    {K,
     {NV_PFIFO_BAR1_BASE, "BAR1_BASE", AT(bar1_base), RW(0x1fffffff), .write = pbdma_fifo_bar1_base,
      .fields = "ADDRESS_4K 27:0, ENABLE 28"}},
    {F, {0x2258, "IDLE_FILTER", KEPT(MISC_IDLE_FILTER), RW(0xffff), .reset = 0x08}},
    {K, {0x2258, "IDLE_FILTER", KEPT(MISC_IDLE_FILTER), RW(0xffff), .reset = 0x20}},
    {ALL, {0x2260, "CTXSW_INTERVAL", KEPT(MISC_CTXSW_INTERVAL), RW(0xff), .reset = 4}},
    {ALL, {NV_PFIFO_RUNLIST_BASE, "RUNLIST_BASE", AT(runlist_base), RW(0x3fffffff), .fields = BASE_FIELDS}},
    {ALL,
     {0x2310, "RAMFC_F8_TEMPLATE", AT(template_f8), RW(0x1000f0ff), .reset = 0x10003080, .count = 16,
      .fields = TEMPLATE_FIELDS}},
    {ALL,
     {0x2350, "RAMFC_FC_TEMPLATE", AT(template_fc), RW(0x1000f0ff), .reset = 0x10000010, .count = 16,
      .fields = TEMPLATE_FIELDS}},
    {ALL,
     {0x23e0, "LB_GPBUF_CONTROL", AT(lb_control[0]), RW(0x7f00ff0f), .count = 16, .stride = 8, .fields = LB_FIELDS}},
    {ALL,
     {0x23e4, "LB_PBBUF_CONTROL", AT(lb_control[1]), RW(0x7f00ff0f), .count = 16, .stride = 8, .fields = LB_FIELDS}},
    {ALL, {0x2528, "INTR_EN_NONSTALL", AT(intr_en_1), RW(~0u), .write = pfifo_enable_write, .fields = INTR_FIELDS}},
    {ALL, {NV_PFIFO_BIND_ERROR, "BIND_ERROR", AT(bind_error), RW(0xff), .fields = "CODE 7:0"}},
    {ALL, {0x2530, "INTR_STALL", AT(intr_stall), RW(~0u), .fields = INTR_FIELDS}},
    {ALL, {NV_PFIFO_SCHED_ERROR, "SCHED_ERROR", AT(sched_error), .readable = 0xff, .fields = "CODE 7:0"}},
    {ALL, {NV_PFIFO_CHSW_ERROR, "CHSW_ERROR", AT(chsw_error), .readable = 0xff, .fields = "CODE 7:0"}},
    {ALL, {NV_PFIFO_LB_ERROR, "LB_ERROR", AT(lb_error), .readable = 0xff, .fields = "CODE 7:0"}},
    {ALL, {NV_PFIFO_VM_FAULT_SOURCE, "VM_FAULT_SOURCE", AT(fault_source), .readable = ~0u, .write = pfifo_clear_write}},
    {ALL, {NV_PFIFO_PBDMA_ID, "PBDMA_ID", .at = REG_NONE, .readable = 0xff, .read = pfifo_pbdma_id_read}},
    {ALL, {NV_PFIFO_ENG_FAULT, "ENG_FAULT", AT(engine_fault), .readable = ~0u, .write = pfifo_engine_fault_write}},
    {ALL, {NV_PFIFO_SCHED_DISABLE, "SCHED_DISABLE", AT(sched_disable), RW(~0u)}},
    {ALL, {0x263c, "SCHED_STATUS", .at = REG_NONE}},
    {ALL,
     {0x2680, "ENGINE_INSTANCE", .at = REG_NONE, .readable = 0x3fffffff, .count = ENGINES,
      .read = pfifo_engine_instance_read, .fields = BASE_FIELDS}},
    {ALL, {0x26c0, "PBDMA_STATUS", .at = REG_NONE}},
    {ALL, {0x26c4, "BYPASS_CONFIG", KEPT(MISC_BYPASS_CONFIG), RW(0x31f), .fields = "ENGINE 4:0, ENABLE 8, UNK9 9"}},
    {ALL,
     {0x26c8, "BYPASS_CHANNEL_SWITCH", KEPT(MISC_BYPASS_SWITCH), RW(0xbfffffff), .fields = BASE_FIELDS ", VALID 31"}},
    RECORD(0, "VM_FAULT_INST", "ADDRESS_4K 27:0"),
    RECORD(1, "VM_FAULT_ADDRESS", NULL),
    RECORD(2, "VM_FAULT_ADDRESS_HI", NULL),
    RECORD(3, "VM_FAULT_STATUS", "REASON 3:0, HUB 6, WRITE 7, CLIENT 12:8, GPC 28:24"),
    {ALL, {NV_PFIFO_INTR_RUNLIST, "INTR_RUNLIST", AT(runlist_event), .readable = ~0u, .write = pfifo_clear_write}},
    {F, {0x2a04, "FB_TIMEOUT", KEPT(MISC_FB_TIMEOUT), RW(0xbfffffff), .reset = 0x8001ffff}},
    {K, {0x2a04, "FB_TIMEOUT", KEPT(MISC_FB_TIMEOUT), RW(0xbfffffff), .reset = 0x800003ff}},
    {F, {0x2a08, "PB_TIMEOUT", KEPT(MISC_PB_TIMEOUT), RW(0x80ffffff), .reset = 0x80ffffff}},
    {K, {0x2a08, "PB_TIMEOUT", KEPT(MISC_PB_TIMEOUT), RW(0x80ffffff), .reset = 0x80007fff}},
    {ALL, {0x2a0c, "ENG_TIMEOUT", KEPT(MISC_ENG_TIMEOUT), RW(~0u), .reset = 0x803fffff, .fields = PERIOD_FIELDS}},
    {ALL, {0x2a10, "TIME", .at = REG_NONE, .readable = ~0u, .count = 2, .read = pfifo_time_read, .is_time = true}},
    {F, {0x2a18, "CHSW_TIMEOUT", KEPT(MISC_CHSW_TIMEOUT), RW(0x80ffffff), .reset = 0x80ffffff}},
    {K, {0x2a18, "CHSW_TIMEOUT", KEPT(MISC_CHSW_TIMEOUT), RW(0x80ffffff), .reset = 0x80007fff}},
    {ALL, {0x2a1c, "USERD_SNOOP", KEPT(MISC_USERD_SNOOP), RW(1)}},
    {F, {0x2a20, "PRI_TIMEOUT", KEPT(MISC_PRI_TIMEOUT), RW(0x8000ffff), .reset = 0x8000ffff}},
    {K, {0x2a20, "PRI_TIMEOUT", KEPT(MISC_PRI_TIMEOUT), RW(0x8000ffff), .reset = 0x8000007f}},
    {ALL, {0x2a24, "EVENT_ARB", KEPT(MISC_EVENT_ARB), RW(1)}},
    {ALL, {0x2a28, "CHSW_CTL", KEPT(MISC_CHSW_CTL), RW(7)}},
    {K, {0x2a2c, "UNK2A2C", KEPT(MISC_2A2C), RW(0x80ffffff)}},
    {F,
     {NV_PFIFO_VM_FAULT_INJECT, "VM_FAULT_INJECT", .at = REG_NONE, .count = 6, .write = pfifo_inject_write,
      .fields = "UNIT 4:0, VALID 8"}},
    {K,
     {NV_PFIFO_VM_FAULT_INJECT, "VM_FAULT_INJECT", .at = REG_NONE, .count = 8, .write = pfifo_inject_write,
      .fields = "UNIT 4:0, VALID 8"}},
    {P, {0x2a70, "REPLAY_BUFFER_LOW", KEPT(MISC_REPLAY_LOW), RW(0xfffff001), .fields = "ADDRESS 31:12, ENABLE 0"}},
    {P, {0x2a74, "REPLAY_BUFFER_HIGH", KEPT(MISC_REPLAY_HIGH), RW(0xff)}},
    {P, {0x2a78, "REPLAY_BUFFER_SIZE", KEPT(MISC_REPLAY_SIZE), .readable = 0x3fff, .reset = 0xc00}},
    {P, {0x2a7c, "REPLAY_BUFFER_GET", KEPT(MISC_REPLAY_GET), RW(0x3fff)}},
    {P, {0x2a80, "REPLAY_BUFFER_PUT", KEPT(MISC_REPLAY_PUT), .readable = 0x3fff}},
    {ALL,
     {NV_PFIFO_BYPASS_STATUS, "BYPASS_STATUS", KEPT(MISC_BYPASS_STATUS), .readable = 0x711,
      .write = pfifo_bypass_status_write,
      .fields = "CHSW_PENDING 0, METHOD_PENDING 4, ERR_NOT_ENABLED 8, ERR_CONTROL_WHILE_BUSY 9, "
                "ERR_METHOD_OVERFLOW 10"}},
    {ALL,
     {0x5004, "BYPASS_ADDRESS", KEPT(MISC_BYPASS_ADDRESS), RW(0x00173ffc),
      .fields = "METHOD 13:2, SUBCHANNEL 18:16, PRIV 20"}},
    {ALL, {0x5008, "BYPASS_DATA", KEPT(MISC_BYPASS_DATA), RW(~0u), .write = pfifo_bypass_submit}},
};

static enum pfifo_status pfifo_attach_table(struct pbdma_fifo *fifo, struct reg_table *table,
                                            const struct reg_row *some, size_t count, struct pfifo_error *error) {
    enum pfifo_status status = reg_table_select(table, "PFIFO", some, count, fifo->base.chip, error);
    return status == PFIFO_OK ? bus_attach_table(fifo->base.bus, table, fifo, error) : status;
}

enum pfifo_status pbdma_fifo_attach_registers(struct pbdma_fifo *fifo, const struct reg_row *own, size_t count,
                                              struct pfifo_error *error) {
    enum pfifo_status status = pfifo_attach_table(fifo, &fifo->tables[0], rows, sizeof rows / sizeof rows[0], error);
    return status == PFIFO_OK ? pfifo_attach_table(fifo, &fifo->tables[1], own, count, error) : status;
}
