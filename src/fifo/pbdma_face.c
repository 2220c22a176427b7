/* SPDX-License-Identifier: MIT */
/*
 * PFIFO registers that GF100 and GK104 share.
 */
#include "fifo/pbdma.h"

static struct pbdma_fifo *fifo_of(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return unit;
}

static uint32_t intr_read(void *unit, const struct reg *reg, uint32_t index) {
    return pbdma_intr(fifo_of(unit, reg, index));
}

/* The level bits stay as long as their cause does. */
static void intr_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pbdma_fifo *fifo = fifo_of(unit, reg, index);
    fifo->intr &= ~value;
    pbdma_update_line(fifo);
}

static void enable_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)value;
    pbdma_update_line(fifo_of(unit, reg, index));
}

/* Write one to clear. */
static void clear_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    *reg_storage(unit, reg, index) &= ~value;
    pbdma_update_line(unit);
}

static uint32_t pbdma_id_read(void *unit, const struct reg *reg, uint32_t index) {
    return pbdma_intr_sources(fifo_of(unit, reg, index));
}

static uint32_t time_read(void *unit, const struct reg *reg, uint32_t index) {
    return (uint32_t)(bus_now(fifo_of(unit, reg, index)->base.bus) >> (index ? 32 : 0));
}

#define INJECT (1u << 8)

/*
 * VM_FAULT_INJECT: the channel that the engine works for stops as if `unit` had faulted.
 * UNKNOWN: reason, address and client of such a fault. Chosen: 0, which is a missing page table.
 */
static void inject_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pbdma_fifo *fifo = fifo_of(unit, reg, index);
    if (!(value & INJECT))
        return;
    uint32_t id = index < CHIP_MAX_ENGINES ? fifo->base.engines[index].channel : PBDMA_NONE;
    struct fault fault = {.reason = FAULT_PDE};
    uint64_t instance = 0;
    if (id < fifo->channel_count) {
        fifo->channels[id].faulted |= ENGINE_FAULTED;
        instance = fifo->channels[id].context.instance;
    }
    pbdma_record_fault(fifo, id, value & 0x1f, 0, instance, &fault);
}

#define AT(member) .at = offsetof(struct pbdma_fifo, member)
#define RW(member) AT(member), .readable = ~0u, .writable = ~0u

static const struct reg rows[] = {
    {0x2100, "INTR", .at = REG_NONE, .read = intr_read, .write = intr_write},
    {0x2140, "INTR_EN", RW(intr_en), .write = enable_write},
    {0x2200, "CONFIG", RW(misc[0])},
    {0x2248, "NOSNOOP_REFRESH", RW(misc[1])},
    {0x224c, "HIDDEN_CHANNEL", RW(misc[2])},
    {0x2250, "ACQ_PRETEST", RW(misc[3])},
    {0x2254, "BAR1_BASE", RW(bar1_base), .write = pbdma_bar1_base},
    {0x2258, "IDLE_FILTER", RW(misc[4])},
    {0x2260, "CTXSW_INTERVAL", RW(misc[5])},
    {0x2270, "RUNLIST_BASE", RW(runlist_base)},
    {0x2310, "TIMESLICE_TEMPLATE", RW(template_f8), .reset = 0x10003080, .count = 8},
    {0x2350, "SET_CHANNEL_INFO_TEMPLATE", RW(template_fc), .reset = 0x10000010, .count = 8},
    {0x23e0, "LB_CONTROL", RW(lb_control), .count = 8},
    {0x2528, "INTR_EN_NONSTALL", RW(intr_en_1)},
    {0x252c, "BIND_ERROR", RW(bind_error)},
    {0x2530, "INTR_STALL", RW(intr_stall)},
    {0x254c, "SCHED_ERROR", RW(sched_error)},
    {0x256c, "CHSW_ERROR", RW(chsw_error)},
    {0x258c, "LB_ERROR", RW(lb_error)},
    {0x259c, "VM_FAULT_SOURCE", AT(fault_source), .readable = ~0u, .write = clear_write},
    {0x25a0, "PBDMA_ID", .at = REG_NONE, .read = pbdma_id_read},
    {0x262c, "ENGINE_FAULT", AT(engine_fault), .readable = ~0u, .write = clear_write},
    {0x2630, "SCHED_DISABLE", RW(sched_disable)},
    {0x263c, "SCHED_STATUS", .at = REG_NONE},
    {0x2800, "VM_FAULT", AT(fault_record), .readable = ~0u, .count = PBDMA_UNITS * 4},
    {0x2a00, "INTR_RUNLIST", AT(runlist_event), .readable = ~0u, .write = clear_write},
    {0x2a04, "TIMEOUT", RW(timeouts), .count = 2},
    {0x2a0c, "ENG_TIMEOUT", RW(timeouts[2]), .reset = 0x803fffff},
    {0x2a10, "TIME", .at = REG_NONE, .count = 2, .read = time_read},
    {0x2a18, "CHSW_TIMEOUT", RW(timeouts[3]), .count = 5},
    {0x2a30, "VM_FAULT_INJECT", .at = REG_NONE, .count = CHIP_MAX_ENGINES, .write = inject_write},
};

const struct face pbdma_common_face = {"PFIFO", rows, sizeof rows / sizeof rows[0]};
