/* SPDX-License-Identifier: MIT */
/*
 * PFIFO with PBDMAs as a whole, GF100 to GP10B: channels, runlists, the scheduler, and registers.
 *
 *   runlist.h    lists of channels, as drivers submit them      schedule.h    who works, and who is loaded
 *   channel.h    the channel table                              interrupt.h   INTR, MMU faults
 *
 * It is above src/fifo/pbdma/: it loads channels on PBDMAs and runs them. The structures of families (gf100.h, gk104.h)
 * start with a struct pbdma_fifo, and their differences are in a struct pbdma_fifo_variant.
 *
 * Modelled:     all registers of PFIFO; playlist and runlists with TSGs, timeslices, preemption, bind and scheduling
 *               errors; USERD through BAR1; MMU faults by unit and client, injected ones, ENG_FAULT; both interrupt
 *               lines.
 * Not modelled: replayable faults, PFIFO_BYPASS (it is reported).
 */
#ifndef PFIFO_SRC_FIFO_RUNLIST_PFIFO_H
#define PFIFO_SRC_FIFO_RUNLIST_PFIFO_H

#include "fifo/pbdma/pbdma.h"
#include "fifo/runlist/interrupt.h"
#include "fifo/runlist/runlist.h"
#include "fifo/runlist/schedule.h"

#define PBDMA_UNITS 32 /* of the MMU that can fault */

/* Registers that are only kept. */
enum pbdma_misc {
    MISC_2000,
    MISC_CONFIG,
    MISC_NOSNOOP_REFRESH,
    MISC_HIDDEN_CHANNEL,
    MISC_ACQ_PRETEST,
    MISC_IDLE_FILTER,
    MISC_CTXSW_INTERVAL,
    MISC_FB_TIMEOUT,
    MISC_PB_TIMEOUT,
    MISC_ENG_TIMEOUT,
    MISC_CHSW_TIMEOUT,
    MISC_USERD_SNOOP,
    MISC_PRI_TIMEOUT,
    MISC_EVENT_ARB,
    MISC_CHSW_CTL,
    MISC_2A2C,
    MISC_BYPASS_CONFIG,
    MISC_BYPASS_SWITCH,
    MISC_BYPASS_STATUS,
    MISC_BYPASS_ADDRESS,
    MISC_BYPASS_DATA,
    MISC_REPLAY_LOW,
    MISC_REPLAY_HIGH,
    MISC_REPLAY_SIZE,
    MISC_REPLAY_GET,
    MISC_REPLAY_PUT,
    MISC_COUNT,
};

/* The differences between generations. */
struct pbdma_fifo_variant {
    struct pbdma_variant pbdma;
    const struct runlist_variant *runlist;
    const struct interrupt_variant *interrupts;
    bool (*frozen)(const struct pbdma *pbdma); /* see struct pbdma_upward */
    /* The channel table, without its length; its unit is the struct pbdma_fifo. */
    const struct window *channel_table;
};

struct pbdma_fifo {
    struct fifo base;
    struct pbdma_shared shared; /* the PBDMAs */
    struct pbdma_upward upward; /* what they call */
    const struct pbdma_fifo_variant *variant;
    const struct runlist_layout *layout; /* of runlists in memory */
    struct pbdma_channel *channels;
    uint32_t channel_count; /* a power of two */
    struct runlist *list;
    unsigned lists;
    uint64_t *listed; /* a bit for each channel, while a runlist is read */
    struct schedule schedule;

    /* Registers that both families have. */
    uint32_t intr, intr_en, intr_en_1, intr_stall;
    uint32_t bind_error, sched_error, chsw_error, lb_error;
    uint32_t fault_source, fault_record[4][PBDMA_UNITS];
    uint32_t bar1_base, runlist_event, runlist_base, sched_disable, engine_fault;
    uint32_t engines_faulted; /* a bit for each engine number, until the driver acknowledges it in ENG_FAULT */
    uint32_t template_f8[16], template_fc[16];
    uint32_t lb_control[2][16], misc[MISC_COUNT];
    struct reg_table tables[2];  /* common, and of the family */
    struct window channel_table; /* as long as the chip has channels */
};

static inline struct pbdma_fifo *pbdma_fifo_of(const struct pbdma *pbdma) {
    return (struct pbdma_fifo *)pbdma->fifo;
}

/*
 * Allocate what the chip's row asks for, and attach it to the bus, with the registers of the family, `own`. `lists`: of
 * runlists. pbdma_fifo_free() also undoes half of it.
 */
enum pfifo_status pbdma_fifo_attach(struct pbdma_fifo *fifo, const struct pbdma_fifo_variant *variant, unsigned lists,
                                    const struct reg_row *own, size_t own_count, struct pfifo_error *error);
/* pfifo_regs.c: the registers of 0x2000 .. 0x2fff. */
enum pfifo_status pbdma_fifo_attach_registers(struct pbdma_fifo *fifo, const struct reg_row *own, size_t count,
                                              struct pfifo_error *error);
/* pfifo_save.c: save or load what both families have. */
void pbdma_fifo_state(struct pbdma_fifo *fifo, struct state_io *io);
/* bar1.c: accesses to USERD through BAR1, for struct bus_host_ops; BAR1_BASE was written. */
void pbdma_fifo_userd_write(void *host, uint64_t offset, uint32_t value);
uint32_t pbdma_fifo_userd_read(void *host, uint64_t offset);
void pbdma_fifo_bar1_base(void *unit, const struct reg *reg, uint32_t index, uint32_t value);

/* Where a register with a 4 KiB aligned address and a target in [29:28] points. */
enum memory_target pbdma_fifo_base_target(uint32_t base);

/* For struct fifo_ops: what both families have in common. */
void pbdma_fifo_free(struct fifo *base);
void pbdma_fifo_reset(struct fifo *base);
struct address_space pbdma_fifo_channel_space(const struct pfifo_channel_context *channel, uint32_t object);
uint32_t *pbdma_fifo_syncpoint(struct fifo *base, unsigned index);
/* look.c: where channels read, for who only looks. */
bool pbdma_fifo_push(struct fifo *base, uint32_t channel, struct fifo_push *push);
uint32_t pbdma_fifo_loaded(struct fifo *base, unsigned index);
uint32_t pbdma_fifo_acting(struct fifo *base);
extern const struct bus_host_ops pbdma_fifo_host;
#define PBDMA_FIFO_OPS                                                                                                 \
    .host = &pbdma_fifo_host, .run = schedule_run, .has_work = schedule_can_work, .reset = pbdma_fifo_reset,           \
    .free = pbdma_fifo_free, .until_timeout = channel_until_timeout, .channel_space = pbdma_fifo_channel_space,        \
    .engine_fault = pbdma_engine_fault, .engine_error = pbdma_engine_error,                                            \
    .engine_interrupt = pbdma_engine_interrupt, .engine_worked = pbdma_engine_worked, .has_error_codes = true,         \
    .syncpoint = pbdma_fifo_syncpoint, .current_unit = pbdma_current_unit, .push = pbdma_fifo_push,                    \
    .loaded = pbdma_fifo_loaded, .acting = pbdma_fifo_acting

#endif
