/* SPDX-License-Identifier: MIT */
/*
 * Interrupts and MMU faults of PFIFO.
 *
 *   PBDMA INTR_0 & INTR_EN_0 --> PFIFO INTR 29 --.
 *   fault records, VM_FAULT_SOURCE -> INTR 28 ----+--& INTR_EN --> PMC
 *   runlist events -> INTR 30, non-stall -> 31 --'--& INTR_EN_NONSTALL --> PMC, second line
 *
 * UNKNOWN: what ends FAULTED of an engine. Chosen: the acknowledgement in ENG_FAULT alone, which is what drivers write
 * when they have reset the engine; not the bits of the channel, which they clear long before and go on looking
 * [driver]. UNKNOWN: a fault of a unit whose last one is not acknowledged. Chosen: the record stays, DROPPED_MMU_FAULT
 * is set.
 */
#include "fifo/runlist/interrupt.h"

#include "bus/bars.h"
#include "chip/units.h"
#include "fifo/pbdma/interrupt.h"
#include "fifo/pbdma/pusher.h"
#include "fifo/runlist/pfifo.h"
#include "unit/unit.h"

#define CLIENT_HOST      0x06
#define CLIENT_BAR_READ  0x07
#define CLIENT_BAR_WRITE 0x08
#define RECORD_HUB       (1u << 6)
#define RECORD_WRITE     (1u << 7)

uint32_t pbdma_intr_sources(const struct pbdma_fifo *fifo) {
    uint32_t sources = 0;
    for (unsigned i = 0; i < fifo->shared.count; i++)
        sources |= pbdma_interrupts(&fifo->shared.unit[i]) ? 1u << i : 0;
    return sources;
}

uint32_t pbdma_intr(const struct pbdma_fifo *fifo) {
    return fifo->intr | (fifo->fault_source ? PFIFO_INTR_FAULT : 0) |
           (pbdma_intr_sources(fifo) ? PFIFO_INTR_PBDMA : 0) | (fifo->runlist_event ? PFIFO_INTR_RUNLIST_EVENT : 0) |
           fifo->variant->interrupts->level(fifo);
}

void pbdma_update_line(struct pbdma_fifo *fifo) {
    uint32_t intr = pbdma_intr(fifo);
    bus_interrupt(fifo->base.bus, PMC_INTR_PFIFO, (intr & fifo->intr_en) != 0);
    bus_interrupt_nrhost(fifo->base.bus, PMC_INTR_PFIFO, (intr & fifo->intr_en_1) != 0);
}

void pbdma_fifo_raise(struct pbdma_fifo *fifo, uint32_t bits, const char *cause) {
    fifo->intr |= bits;
    event_send(fifo->base.events, EVENT_FIFO_INTERRUPT, PBDMA_NONE, cause, pbdma_intr(fifo), 0);
    pbdma_update_line(fifo);
}

/*
 * Clients of PGRAPH that are in its GPCs, with the numbers that GF100 to GP10x have (nouveau nvkm/engine/fifo/gf100.c,
 * gk104.c). An access without one is the front end's, of the hub. UNKNOWN: which of the GPCs, and which of its L1, T1
 * and PE; chosen: the first.
 */
enum gpc_client { GPC_L1 = 0x00, GPC_T1 = 0x01, GPC_PE = 0x02, GPC_GCC = 0x0d, GPC_PROP = 0x0f, NO_GPC = 0xff };
#define CLIENT_PD 0x10 /* of the hub: indices */

static enum gpc_client gpc_client_of(enum unit_use use) {
    switch (use) {
    case USE_PROGRAM:
        return GPC_GCC;
    case USE_VERTEX:
    case USE_FEEDBACK:
        return GPC_PE;
    case USE_TEXTURE:
        return GPC_T1;
    case USE_SHADER:
        return GPC_L1;
    default:
        return use >= USE_ZETA ? GPC_PROP : NO_GPC;
    }
}

static uint32_t graph_client(enum unit_use use, uint32_t front_end) {
    enum gpc_client client = gpc_client_of(use);
    return client != NO_GPC ? (uint32_t)client << 8 : use == USE_INDEX ? RECORD_HUB | CLIENT_PD << 8 : front_end;
}

static void fault_write_record(struct pbdma_fifo *fifo, unsigned unit, unsigned client, uint64_t instance,
                               const struct fault *fault) {
    uint32_t reason = fault_code(fifo->base.chip, fault->reason) & 0xf;
    fifo->fault_record[0][unit] = (uint32_t)(instance >> 12);
    fifo->fault_record[1][unit] = (uint32_t)fault->address;
    fifo->fault_record[2][unit] = (uint32_t)(fault->address >> 32);
    fifo->fault_record[3][unit] = reason | (fault->write ? RECORD_WRITE : 0) | client;
}

/* `client`: with its place in the record. */
static void fault_latch(struct pbdma_fifo *fifo, unsigned unit, unsigned client, uint64_t instance,
                        const struct fault *fault) {
    if (fifo->fault_source >> unit & 1) {
        pbdma_fifo_raise(fifo, PFIFO_INTR_DROPPED, "DROPPED_MMU_FAULT");
        return;
    }
    fault_write_record(fifo, unit, client, instance, fault);
    fifo->fault_source |= 1u << unit;
    pbdma_fifo_raise(fifo, 0, "MMU_FAULT");
}

void pbdma_record_fault(struct pbdma_fifo *fifo, uint32_t channel, unsigned unit, unsigned client, uint64_t instance,
                        const struct fault *fault) {
    event_send(fifo->base.events, EVENT_FIFO_FAULT, channel, fault_name(fifo->base.chip, fault->reason), 0,
               fault->address, unit);
    fault_latch(fifo, unit, RECORD_HUB | client << 8, instance, fault);
}

void pbdma_fifo_host_fault(struct pbdma *pbdma, const struct fault *fault) {
    struct pbdma_fifo *fifo = pbdma_fifo_of(pbdma);
    pbdma_record_fault(fifo, pbdma_channel_id(pbdma), fifo->base.chip->host_fault_unit + pbdma->index, CLIENT_HOST,
                       pbdma->channel->context.instance, fault);
}

void pbdma_set_faulted(struct pbdma_fifo *fifo, unsigned engine) {
    fifo->engine_fault |= fifo->variant->interrupts->fault_bit(fifo, engine);
    fifo->engines_faulted |= 1u << engine;
}

void pbdma_acknowledge_faulted(struct pbdma_fifo *fifo, uint32_t bits) {
    fifo->engine_fault &= ~bits;
    for (unsigned e = 0; e < CHIP_MAX_ENGINES; e++)
        if (fifo->variant->interrupts->fault_bit(fifo, e) & bits)
            fifo->engines_faulted &= ~(1u << e);
}

/*
 * The channel leaves its PBDMA after the method that faulted; others go on. The event is already sent. The engine adds
 * nothing: the MMU reports the fault.
 */
void pbdma_engine_fault(const struct pfifo_channel_context *context, enum chip_unit unit, const struct fault *fault,
                        const struct unit_trap *trap) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)context->fifo;
    fifo->channels[context->id].faulted |= ENGINE_FAULTED;
    pbdma_close_packets(&fifo->shared);
    for (unsigned e = 0; e < CHIP_MAX_ENGINES; e++)
        if (fifo->base.chip->engines[e] == unit)
            pbdma_set_faulted(fifo, e);
    const struct chip_unit_row *row = chip_unit_row(fifo->base.chip, unit);
    uint32_t client = RECORD_HUB | (row ? row->fault_client : 0u) << 8;
    if (unit == CHIP_UNIT_PGRAPH && trap)
        client = graph_client(trap->use, client);
    fault_latch(fifo, row ? row->fault_unit : 0, client, context->instance, fault);
}

void pbdma_bar_fault(void *opaque, unsigned port, uint64_t instance, const struct fault *fault) {
    static const uint8_t unit_of[] = {
        [BUS_PORT_PEEPHOLE] = MMU_UNIT_PEEPHOLE, [BUS_PORT_BAR1] = MMU_UNIT_BAR1, [BUS_PORT_BAR3] = MMU_UNIT_BAR3};
    pbdma_record_fault(opaque, PBDMA_NONE, unit_of[port], fault->write ? CLIENT_BAR_WRITE : CLIENT_BAR_READ, instance,
                       fault);
}

/* The engine that the channel's methods go to. */
enum chip_unit pbdma_current_unit(const struct pfifo_channel_context *context) {
    const struct pbdma_fifo *fifo = (const struct pbdma_fifo *)context->fifo;
    const struct pbdma *pbdma = fifo->channels[context->id].on;
    unsigned engine = pbdma ? pbdma->regs[R_TARGET] & 0x1f : 0;
    enum chip_unit unit = engine < CHIP_MAX_ENGINES ? fifo->base.chip->engines[engine] : CHIP_UNIT_NONE;
    return unit == CHIP_UNIT_NONE ? CHIP_UNIT_PGRAPH : unit;
}

bool pbdma_engine_error(const struct pfifo_channel_context *context, enum chip_unit unit,
                        const struct unit_trap *trap) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)context->fifo;
    pbdma_close_packets(&fifo->shared);
    return unit_trap(fifo_unit(&fifo->base, unit), context->id, trap);
}

/*
 * UNKNOWN: what an engine's interrupt for a program does beside its own register; chosen: PFIFO's non-stall interrupt
 * comes, too, which is the one that drivers wait for.
 */
void pbdma_engine_interrupt(const struct pfifo_channel_context *context, enum chip_unit unit, enum unit_cause cause) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)context->fifo;
    pbdma_close_packets(&fifo->shared);
    unit_notify(fifo_unit(&fifo->base, unit), cause);
    for (unsigned i = 0; i < CHIP_MAX_ENGINES; i++)
        if (fifo->base.chip->engines[i] == unit) {
            fifo->variant->interrupts->notify(fifo, i);
            return;
        }
}

void pbdma_engine_worked(struct fifo *base, uint64_t units) {
    pbdma_packets_worked(&((struct pbdma_fifo *)base)->shared, units);
}
