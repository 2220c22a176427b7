/* SPDX-License-Identifier: MIT */
/* What the files of the reference's PFIFO of GF100 and later share. */
#ifndef PFIFO_TESTS_REFERENCE_PBDMA_FIFO_STATE_H
#define PFIFO_TESTS_REFERENCE_PBDMA_FIFO_STATE_H

#include "pbdma_fifo.h"
#include "pbdma_state.h"

#define SHORTEST_SLICE 64 /* units */
#define NS_PER_UNIT    16

#define INTR_BIND     0x00000001u
#define INTR_SCHED    0x00000100u
#define INTR_DROPPED  0x08000000u
#define INTR_FAULT    0x10000000u
#define INTR_PBDMA    0x20000000u
#define INTR_RUNLIST  0x40000000u
#define INTR_NONSTALL 0x80000000u

#define PMC_PFIFO 0x100u      /* of ENABLE */
#define PRI       0x08000000u /* INTR_0 of a PBDMA */

/* pbdma_fifo.c: channels on and off, interrupts. */
extern const uint32_t pbf_segment_words[PBF_SEGMENT];
void pbf_event(struct pbdma_fifo_reference *f, uint32_t channel, const char *name, const char *text, uint64_t v0,
               uint64_t v1, uint64_t v2);
void pbf_raise(struct pbdma_fifo_reference *f, uint32_t bits, const char *cause);
uint32_t pbf_sources(const struct pbdma_fifo_reference *f);
uint32_t pbf_ramfc(const struct pbdma_fifo_reference *f, uint32_t channel, uint32_t offset);
void pbf_load(struct pbdma_fifo_reference *f, uint32_t unit, uint32_t channel, uint32_t list, uint32_t slice);
void pbf_leave(struct pbdma_fifo_reference *f, uint32_t unit);
bool pbf_frozen(const struct pbdma_fifo_reference *f, uint32_t unit);
/* Does the channel have something to do? */
bool pbf_has_work(struct pbdma_fifo_reference *f, uint32_t channel);
bool pbf_engine_busy(const struct pbdma_fifo_reference *f, uint32_t engine);
/* The bit of ENG_FAULT that an engine has. */
uint32_t pbf_fault_bit(const struct pbdma_fifo_reference *f, uint32_t engine);
/* A PBDMA's access faulted; VM_FAULT_INJECT was written. */
void pbf_inject(struct pbdma_fifo_reference *f, uint32_t engine, uint32_t unit);
void pbf_record_fault(struct pbdma_fifo_reference *f, uint32_t unit);
void pbf_reset(struct pbdma_fifo_reference *f);
/* Ask a channel to leave; those that were asked try again. */
void pbf_preempt(struct pbdma_fifo_reference *f, uint32_t channel);
void pbf_preempt_again(struct pbdma_fifo_reference *f, uint32_t unit);
bool pbf_preempt_pending(const struct pbdma_fifo_reference *f);

#define SWITCHED_OFF 0xbad0da00u /* what reads in place of units that PMC has switched off */

/* pbdma_fifo_page.c: offsets are within the page and the table. False: nothing is known there. */
bool pbf_page_read(const struct pbdma_fifo_reference *f, uint32_t u, uint32_t at, uint32_t *value);
void pbf_page_write(struct pbdma_fifo_reference *f, uint32_t u, uint32_t at, uint32_t value);
bool pbf_table_read(struct pbdma_fifo_reference *f, uint32_t at, uint32_t *value);
void pbf_table_write(struct pbdma_fifo_reference *f, uint32_t at, uint32_t value);

/* pbdma_fifo_schedule.c */
bool pbf_list_disabled(const struct pbdma_fifo_reference *f, uint32_t list, uint32_t channel);
bool pbf_serves(const struct pbdma_fifo_reference *f, uint32_t unit, uint32_t list);
bool pbf_may_serve(const struct pbdma_fifo_reference *f, uint32_t unit, uint32_t engine);
/* pbdma_fifo_list.c */
void pbf_submit(struct pbdma_fifo_reference *f, uint32_t number, uint32_t base, uint32_t count);

#endif
