/* SPDX-License-Identifier: MIT */
/*
 * PFIFO of GF100 .. GP102, plainly: channel table, runlists, a scheduler over the PBDMAs of pbdma.h, registers.
 *
 *   channel table --bound, enabled--.
 *   runlist --round robin-----------+--> a channel on each PBDMA --units of work--> events, engine calls, memory
 *
 * Modelled:     playlist and runlists with TSGs; timeslices; who leaves a PBDMA when; preemption and kick; bind errors;
 *               SCHED_DISABLE, FREEZE, enables; records of MMU faults of PBDMAs; INTR of PFIFO and its enables; the
 *               status words that drivers read.
 * Not modelled: BAR faults, memory beyond VRAM, registers that only store.
 * Sources:      those of pbdma.h, manuals/volta/gv100/dev_fifo.ref.txt, and nouveau nvkm/engine/fifo/{gf100,gk104}.c.
 */
#ifndef PFIFO_TESTS_REFERENCE_PBDMA_FIFO_H
#define PFIFO_TESTS_REFERENCE_PBDMA_FIFO_H

#include "pbdma.h"

#define PBF_UNITS       4
#define PBF_CHANNELS    16 /* of the table; others are never used */
#define PBF_LISTS       7
#define PBF_ENGINES     8
#define PBF_OLD_ENGINES 6 /* GF100 has registers for */
#define PBF_NONE        UINT32_MAX
#define PBF_SEGMENT     6 /* words that say where a channel is in its segment */

struct pbdma_fifo_config {
    struct pbdma_reference_config unit; /* what all PBDMAs have; `calls`: of the caller */
    uint32_t units, lists;
    uint32_t list_engine[PBF_LISTS]; /* GK104: engine of a runlist; that of list 0 is PGRAPH */
    uint32_t shared_copy;            /* and the copy engine behind its subchannel 4 */
    bool tsg;
    bool names_list;           /* PCCSR says which runlist a channel is for */
    uint32_t first_fault_unit; /* of PBDMA 0 */
    void (*event)(void *opaque, uint32_t channel, const struct reference_event *event);
};

struct pbdma_fifo_channel {
    uint32_t instance, status, tsg;
    uint32_t bound_class[8];
    bool bound, enabled, reload;
    uint32_t pb_crc, segment[PBF_SEGMENT]; /* as it left: PB_CRC, where it was in which segment */
    bool pb_crc_known;
    uint32_t faulted; /* 1: its PBDMA's access, 2: its engine's */
    uint32_t on;      /* PBDMA, PBF_NONE: none */
};

struct pbdma_fifo_unit {
    struct pbdma_reference p;
    uint32_t channel, list, group;    /* PBF_NONE: none */
    int64_t slice, period, yields_at; /* units */
    bool preempted;
    uint32_t intr_en, intr_en_1;
};

struct pbdma_fifo_entry {
    uint32_t channel, group, slice; /* group: index of its first entry; slice 0: RAMFC says it */
    uint32_t next;                  /* first of a group: where round robin goes on within it */
};

struct pbdma_fifo_list {
    struct pbdma_fifo_entry entry[PBF_CHANNELS];
    uint32_t count, next, base, submitted;
    uint32_t seen; /* bit per channel that the list names */
};

struct pbdma_fifo_reference {
    struct pbdma_fifo_config config;
    struct pbdma_reference_shared shared;
    struct pbdma_fifo_unit unit[PBF_UNITS];
    struct pbdma_fifo_channel channel[PBF_CHANNELS];
    struct pbdma_fifo_list list[PBF_LISTS];
    uint32_t turn;      /* the unit whose turn it is */
    uint32_t current;   /* the unit that works, for its events; PBF_NONE: PFIFO itself */
    uint64_t turn_left; /* units, UINT64_MAX: until the unit ends it */
    uint32_t tried;     /* bit per channel that waited since somebody got on */
    uint64_t time, budget;
    struct reference_stop stop;
    uint32_t engine_channel[PBF_ENGINES]; /* that each engine works for */

    /* Registers. */
    uint32_t enable, enable_1; /* of PMC */
    uint32_t intr, intr_en, intr_stall, bind_error, sched_error;
    uint32_t fault_source, record[32 * 4];
    uint32_t runlist_event, runlist_base, sched_disable, engine_fault, preempt;
    uint32_t engine_faulted; /* bit per engine */
    uint32_t bar1_base;
    /* GF100 */
    uint32_t config_word, subfifo_enable, engine_mask[PBF_ENGINES], freeze[2], engine_intr[PBF_ENGINES], engine_intr_en;
};

/* As after power-on; PMC enables everything. */
void pbdma_fifo_init(struct pbdma_fifo_reference *f, const struct pbdma_fifo_config *config);
struct reference_stop pbdma_fifo_run(struct pbdma_fifo_reference *f, uint64_t budget);

/* BAR0. Read: false for what it does not know. */
bool pbdma_fifo_rd32(struct pbdma_fifo_reference *f, uint32_t offset, uint32_t *value);
void pbdma_fifo_wr32(struct pbdma_fifo_reference *f, uint32_t offset, uint32_t value);

/* Memory at a virtual address is written by somebody: PB_CRC of a segment there is not known any more. */
void pbdma_fifo_written(struct pbdma_fifo_reference *f, uint64_t address);

/*
 * From within calls.method: the access of the engine that executes it faults. `unit` and `client` are what its record
 * says, `shown` what the event does.
 */
void pbdma_fifo_engine_fault(struct pbdma_fifo_reference *f, uint32_t engine, uint32_t unit, uint32_t client,
                             uint32_t shown, uint64_t address, bool write);

/* INTR of PFIFO, with its levels. */
uint32_t pbdma_fifo_intr(const struct pbdma_fifo_reference *f);

#endif
