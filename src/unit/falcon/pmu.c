/* SPDX-License-Identifier: MIT */
#include "unit/falcon/pmu.h"

#include <assert.h>
#include <stdlib.h>

#include "bus/bus.h"
#include "event/event.h"
#include "state/state.h"

#define INTR_USER0 0x40u /* the firmware has a message */

/* Of the firmware: queues of eight messages of four words, and room for scripts. */
#define QUEUE_ENTRIES 8u
#define QUEUE_BYTES   (16u * QUEUE_ENTRIES)
#define TO_PMU        0x2e00u
#define TO_HOST       (TO_PMU + QUEUE_BYTES)
#define SCRIPTS       0x2000u
#define SCRIPT_BYTES  0x0800u
#define TRAINING      (SCRIPTS + SCRIPT_BYTES)
#define TRAIN_BYTES   0x0100u

#define PROCESS_MEMX 0x584d454du /* "MEMX" */
#define MEMX_INFO    0u
#define INFO_SCRIPTS 0u

static void update_line(struct pmu *pmu) {
    bus_interrupt(pmu->bus, pmu->line, pmu->intr & pmu->intr_en & pmu->routing & ~(pmu->routing >> 16));
}

static void raise(struct pmu *pmu, uint32_t bits) {
    pmu->intr |= bits;
    update_line(pmu);
}

/* ---- the firmware ---- */

static void pmu_answer(struct pmu *pmu, const uint32_t message[4]) {
    uint32_t slot = TO_HOST / 4 + 4 * (pmu->rfifo_put % QUEUE_ENTRIES);
    if ((pmu->rfifo_put ^ QUEUE_ENTRIES) == pmu->rfifo_get)
        return; /* the driver has not read the last eight */
    assert(slot + 4 <= FALCON_DATA_BYTES / 4);
    for (unsigned i = 0; i < 4; i++)
        pmu->ports.data[slot + i] = message[i];
    pmu->rfifo_put = (pmu->rfifo_put + 1) % (2 * QUEUE_ENTRIES);
    raise(pmu, INTR_USER0);
}

static void pmu_take(struct pmu *pmu, const uint32_t message[4]) {
    bool info = message[0] == PROCESS_MEMX && message[1] == MEMX_INFO;
    event_send(pmu->bus->events, EVENT_BUS_PMU, UINT32_MAX, info ? "answered" : "not executed", message[0], message[1],
               message[2], 0);
    if (!info)
        return;
    bool scripts = message[2] == INFO_SCRIPTS;
    pmu_answer(pmu, (const uint32_t[]){PROCESS_MEMX, MEMX_INFO, scripts ? SCRIPTS : TRAINING,
                                       scripts ? SCRIPT_BYTES : TRAIN_BYTES});
}

/* At most as many as the queue holds. */
static void take_all(struct pmu *pmu) {
    for (unsigned i = 0; i < QUEUE_ENTRIES && pmu->fifo_get[0] != pmu->fifo_put[0]; i++) {
        pmu_take(pmu, &pmu->ports.data[TO_PMU / 4 + 4 * (pmu->fifo_get[0] % QUEUE_ENTRIES)]);
        pmu->fifo_get[0] = (pmu->fifo_get[0] + 1) % (2 * QUEUE_ENTRIES);
    }
}

static void pmu_start(struct pmu *pmu) {
    pmu->running = 1;
    pmu->to_pmu = QUEUE_BYTES << 16 | TO_PMU;
    pmu->to_host = QUEUE_BYTES << 16 | TO_HOST;
    pmu->fifo_intr_en = 1;
    take_all(pmu);
}

/* ---- registers ---- */

static void pmu_write_trigger(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    raise(unit, value & 0xffff);
}

static void write_ack(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pmu *pmu = unit;
    (void)reg, (void)index;
    pmu->intr &= ~value;
    update_line(pmu);
}

static void write_enable(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pmu *pmu = unit;
    (void)index;
    assert(reg->offset == PMU_BASE + 0x10 || reg->offset == PMU_BASE + 0x14);
    if (reg->offset == PMU_BASE + 0x10)
        pmu->intr_en |= value & 0xffff;
    else
        pmu->intr_en &= ~value;
    update_line(pmu);
}

static void write_routing(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    update_line(unit);
}

static uint32_t pmu_read_cpuctl(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return ((const struct pmu *)unit)->running ? 0 : FALCON_CPUCTL_HALT;
}

static void pmu_write_cpuctl(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    if (value & FALCON_CPUCTL_START)
        pmu_start(unit);
}

static void write_fifo_put(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pmu *pmu = unit;
    (void)reg, (void)value;
    if (index == 0 && pmu->running)
        take_all(pmu);
}

/* Taken by a number while it is free, given back by 0. */
static void write_mutex(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pmu *pmu = unit;
    (void)reg;
    assert(index < PMU_MUTEXES);
    if (!value || !pmu->mutex[index])
        pmu->mutex[index] = value & 0xff;
}

#define AT(field) .at = offsetof(struct pmu, field)

static const struct reg regs[] = {
    {PMU_BASE + 0x000, "INTR_TRIGGER", .at = REG_NONE, .write = pmu_write_trigger},
    {PMU_BASE + 0x004, "INTR_ACK", .at = REG_NONE, .write = write_ack},
    {PMU_BASE + 0x008, "INTR", AT(intr), .readable = ~0u},
    {PMU_BASE + 0x010, "INTR_EN_SET", .at = REG_NONE, .write = write_enable},
    {PMU_BASE + 0x014, "INTR_EN_CLR", .at = REG_NONE, .write = write_enable},
    {PMU_BASE + 0x018, "INTR_EN", AT(intr_en), .readable = ~0u},
    {PMU_BASE + 0x01c, "INTR_ROUTING", AT(routing), .readable = ~0u, .writable = ~0u, .reset = 0x0000ffff,
     .write = write_routing, .fields = "HOST 15:0, OTHER 31:16"},
    {PMU_BASE + 0x040, "SCRATCH", AT(scratch), .readable = ~0u, .writable = ~0u, .count = 2},
    {PMU_BASE + 0x100, "CPUCTL", .at = REG_NONE, .readable = ~0u, .read = pmu_read_cpuctl, .write = pmu_write_cpuctl,
     .fields = "START 1, HALTED 4"},
    {PMU_BASE + 0x104, "BOOTVEC", AT(boot), .readable = ~0u, .writable = ~0u},
    {PMU_BASE + 0x4a0, "FIFO_PUT", AT(fifo_put), .readable = 0xf, .writable = 0xf, .count = PMU_FIFOS,
     .write = write_fifo_put},
    {PMU_BASE + 0x4b0, "FIFO_GET", AT(fifo_get), .readable = 0xf, .writable = 0xf, .count = PMU_FIFOS},
    {PMU_BASE + 0x4c0, "FIFO_INTR", AT(fifo_intr), .readable = 0xf, .writable = 0xf},
    {PMU_BASE + 0x4c4, "FIFO_INTR_EN", AT(fifo_intr_en), .readable = 0xf, .writable = 0xf},
    {PMU_BASE + 0x4c8, "RFIFO_PUT", AT(rfifo_put), .readable = 0xf, .writable = 0xf},
    {PMU_BASE + 0x4cc, "RFIFO_GET", AT(rfifo_get), .readable = 0xf, .writable = 0xf},
    {PMU_BASE + 0x4d0, "H2D", AT(to_pmu), .readable = ~0u, .writable = ~0u, .fields = "ADDRESS 15:0, BYTES 31:16"},
    {PMU_BASE + 0x4dc, "D2H", AT(to_host), .readable = ~0u, .writable = ~0u, .fields = "ADDRESS 15:0, BYTES 31:16"},
    {PMU_BASE + 0x580, "MUTEX", AT(mutex), .readable = 0xff, .count = PMU_MUTEXES, .write = write_mutex},
};
static const struct reg_table table = REG_TABLE("PDAEMON", regs);

enum pfifo_status pmu_new(struct pmu **out, struct bus *bus, uint32_t line, struct pfifo_error *error) {
    struct pmu *pmu = *out = calloc(1, sizeof *pmu);
    if (!pmu)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for PDAEMON");
    pmu->bus = bus;
    pmu->line = line;
    assert(line && (line & (line - 1)) == 0);
    enum pfifo_status status = bus_attach_table(bus, &table, pmu, error);
    return status == PFIFO_OK ? falcon_ports_attach(bus, &pmu->ports, FALCON_PORTS_PMU, PMU_BASE, error) : status;
}

_Static_assert(sizeof(void *) != 8 || sizeof(struct pmu) == 57952, "a field that is added is saved");

void pmu_state(struct pmu *pmu, struct state_io *io) {
    if (state_begin(io, "PMU ", 1)) {
        state_u32(io, &pmu->intr);
        state_u32(io, &pmu->intr_en);
        state_u32(io, &pmu->routing);
        state_words(io, pmu->scratch, 2, "SCRATCH");
        state_u32(io, &pmu->boot);
        state_u32(io, &pmu->running);
        state_words(io, pmu->fifo_put, PMU_FIFOS, "FIFO_PUT");
        state_words(io, pmu->fifo_get, PMU_FIFOS, "FIFO_GET");
        state_u32(io, &pmu->fifo_intr);
        state_u32(io, &pmu->fifo_intr_en);
        state_u32(io, &pmu->rfifo_put);
        state_u32(io, &pmu->rfifo_get);
        state_u32(io, &pmu->to_pmu);
        state_u32(io, &pmu->to_host);
        state_words(io, pmu->mutex, PMU_MUTEXES, "MUTEX");
        falcon_ports_state(&pmu->ports, io);
    }
    state_end(io);
}
