/* SPDX-License-Identifier: MIT */
/*
 * Interrupts of PFIFO, and the MMU faults that it records for all units of a chip.
 *
 * An MMU fault has a record of four words per unit of the MMU, a bit of VM_FAULT_SOURCE, and an interrupt. It ends the
 * channel: of a PBDMA's own access with PBDMA_FAULTED, of an engine's with ENGINE_FAULTED. The engine itself shows
 * FAULTED in ENG_STATE or ENGINE_STATUS.
 */
#ifndef PFIFO_SRC_FIFO_RUNLIST_INTERRUPT_H
#define PFIFO_SRC_FIFO_RUNLIST_INTERRUPT_H

#include "fifo/channel.h"
#include "hw/pfifo_gf100.h"

struct pbdma;
struct pbdma_fifo;

/* The differences between generations. */
struct interrupt_variant {
    /* A non-stall interrupt of an engine id. */
    void (*notify)(struct pbdma_fifo *fifo, unsigned engine);
    /* The level bits of INTR beside MMU_FAULT and PBDMA. */
    uint32_t (*level)(const struct pbdma_fifo *fifo);
    /* An MMU fault of this engine, for ENG_FAULT: its bit. */
    uint32_t (*fault_bit)(const struct pbdma_fifo *fifo, unsigned engine);
};

/* INTR as it reads; PBDMA_ID: a bit for each PBDMA with an interrupt that is enabled. */
uint32_t pbdma_intr(const struct pbdma_fifo *fifo);
uint32_t pbdma_intr_sources(const struct pbdma_fifo *fifo);
/* Both interrupt lines to PMC, after anything they depend on has changed. */
void pbdma_update_line(struct pbdma_fifo *fifo);
/* Set bits of INTR. 0: only a level of it changed. */
void pbdma_fifo_raise(struct pbdma_fifo *fifo, uint32_t bits, const char *cause);

/* `unit` and `client` as the MMU numbers them; `channel`: PBDMA_NONE if there is none. */
void pbdma_record_fault(struct pbdma_fifo *fifo, uint32_t channel, unsigned unit, unsigned client, uint64_t instance,
                        const struct fault *fault);
/* An engine has faulted. It says so, and ENG_FAULT does, until the driver acknowledges it there. */
void pbdma_set_faulted(struct pbdma_fifo *fifo, unsigned engine);
void pbdma_acknowledge_faulted(struct pbdma_fifo *fifo, uint32_t bits);
/* Of a PBDMA's own access. */
void pbdma_fifo_host_fault(struct pbdma *pbdma, const struct fault *fault);

/* For struct bus_host_ops and struct fifo_ops. */
void pbdma_bar_fault(void *opaque, unsigned port, uint64_t instance, const struct fault *fault);
void pbdma_engine_fault(const struct pfifo_channel_context *context, enum chip_unit unit, const struct fault *fault,
                        const struct unit_trap *trap);
bool pbdma_engine_error(const struct pfifo_channel_context *context, enum chip_unit unit, const struct unit_trap *trap);
void pbdma_engine_interrupt(const struct pfifo_channel_context *context, enum chip_unit unit, enum unit_cause cause);
void pbdma_engine_worked(struct fifo *base, uint64_t units);
enum chip_unit pbdma_current_unit(const struct pfifo_channel_context *context);

#endif
