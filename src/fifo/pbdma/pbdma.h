/* SPDX-License-Identifier: MIT */
/*
 * The PBDMA kind of PFIFO: GF100 (there a unit is called PSUBFIFO) to GP10B.
 *
 *   USERD GP_PUT     runlist --> [scheduler] --> channel on a PBDMA
 *                                                   |
 *   GPFIFO ring --GP entry--> segment --words--> pusher --method--> puller --> engine
 *                                                                     `--> host methods (below 0x100)
 *
 * What a channel is about to do is in the words 0x00 .. 0xff of its PBDMA and nowhere else; loading and saving a
 * channel copies them from and to RAMFC, the first 0x100 bytes of the instance block. METHOD0/DATA0 (0xc0, 0xc4)
 * are the queue between pusher and puller, one entry deep: a method that is fetched but not executed (budget,
 * timeslice, failed acquire, error, software method) is there with its VALID bit. The fast path executes a run of
 * methods out of the segment and leaves the same words behind.
 *
 * Budget: a GP entry, a pushbuffer word and an executed method are one unit each.
 *
 * Modelled:     all registers of PFIFO and of the pages; GPFIFO with control entries, SYNC, FETCH, LEVEL; all packet
 *               forms with CMD_TYPES; subdevice masks; host methods of 906F .. C06F with semaphores, syncpoints, memory
 *               operations; CRCs; INTR_0 and INTR_1 with stall and recovery; playlist and runlists with TSGs,
 *               timeslices, preemption, bind and scheduling errors; USERD through BAR1 and in memory; MMU faults by
 *               unit and client, injected ones, ENG_FAULT; both interrupt lines.
 * Not modelled: prefetch (words are read when they are consumed), latency buffers, timeouts of the memory system and
 *               of engines, what the copy engine's front end does with its state (it is kept and switched), replayable
 *               faults, PFIFO_BYPASS (it is reported), what PRIV of a GP entry allows (it is only kept).
 *
 * GP_PUT is read from USERD memory when the scheduler looks for work and when a ring runs empty: a write through
 * BAR1 and one straight to memory have the same effect, as with POLL_ENABLE. A channel leaves its PBDMA when it has
 * nothing left to do; then RAMFC and USERD in memory are up to date.
 *
 * Sources: envytools rnndb/fifo/gf100_pfifo.xml, docs/hw/fifo/{dma-pusher,puller}.rst; NVIDIA open-gpu-doc
 * classes/host/cl906f.h .. clc06f.h, manuals/volta/gv100/dev_pbdma.ref.txt, dev_fifo.ref.txt, dev_ram.ref.txt;
 * nouveau nvkm/engine/fifo/{gf100,gk104,gpfifogf100,gpfifogk104}.c.
 */
#ifndef PFIFO_SRC_FIFO_PBDMA_PBDMA_H
#define PFIFO_SRC_FIFO_PBDMA_PBDMA_H

#include "fifo/ops.h"
#include "hw/pbdma.h"
#include "hw/pfifo_gf100.h"

#define PBDMA_MAX               8
#define PBDMA_RUNLISTS          16
#define PBDMA_CHANNELS          4096 /* at most, on any chip */
#define PBDMA_NONE              UINT32_MAX
#define ACQUIRE_TIMEOUT_ENABLED (1u << 31) /* R_ACQUIRE */
#define PBDMA_WORDS             64         /* of a PBDMA that are in RAMFC too */
#define PBDMA_UNITS             32         /* of the MMU that can fault */
#define PBDMA_HCE_WORDS         32         /* of the copy engine front end, RAMFC 0x100 .. 0x17f, GK104 and later */
#define PBDMA_SYNCPOINTS        192
#define PBDMA_TURN              1024 /* units, then the next PBDMA has its turn; endless if no other has work */
#define PBDMA_TURN_ENDLESS      UINT32_MAX

/* Words of RAMFC = registers of the page, by index. */
enum pbdma_word {
    R_GP_PUT = NV_PBDMA_GP_PUT / 4,
    R_MEM_OP_A = NV_PBDMA_MEM_OP_A / 4,
    R_USERD = NV_PBDMA_USERD / 4,
    R_USERD_HI = NV_PBDMA_USERD_HI / 4,
    R_SIGNATURE = NV_PBDMA_SIGNATURE / 4,
    R_GP_GET = NV_PBDMA_GP_GET / 4,
    R_GET = NV_PBDMA_GET / 4,
    R_GET_HI = NV_PBDMA_GET_HI / 4,
    R_TOP_GET = NV_PBDMA_TOP_LEVEL_GET / 4,
    R_TOP_GET_HI = NV_PBDMA_TOP_LEVEL_GET_HI / 4,
    R_REF = NV_PBDMA_REF / 4,
    R_RUNTIME = NV_PBDMA_RUNTIME / 4,
    R_ACQUIRE = NV_PBDMA_ACQUIRE / 4,
    R_ACQUIRE_DEADLINE = NV_PBDMA_ACQUIRE_DEADLINE / 4,
    R_SEM_ADDR_HI = NV_PBDMA_SEM_ADDR_HI / 4,
    R_SEM_ADDR_LO = NV_PBDMA_SEM_ADDR_LO / 4,
    R_SEM_PAYLOAD = NV_PBDMA_SEM_PAYLOAD_LO / 4,
    R_SEM_EXECUTE = NV_PBDMA_SEM_EXECUTE / 4,
    R_GP_BASE = NV_PBDMA_GP_BASE / 4,
    R_GP_BASE_HI = NV_PBDMA_GP_BASE_HI / 4,
    R_GP_FETCH = NV_PBDMA_GP_FETCH / 4,
    R_PB_FETCH = NV_PBDMA_PB_FETCH / 4,
    R_PB_FETCH_HI = NV_PBDMA_PB_FETCH_HI / 4,
    R_PUT = NV_PBDMA_PUT / 4,
    R_PUT_HI = NV_PBDMA_PUT_HI / 4,
    R_MEM_OP_B = NV_PBDMA_MEM_OP_B / 4,
    R_GP_CRC = NV_PBDMA_GP_CRC / 4,
    R_SYNCPOINT_A = NV_PBDMA_SYNCPOINTA / 4,
    R_SYNCPOINT_B = NV_PBDMA_SYNCPOINTB / 4,
    R_WFI = NV_PBDMA_WFI / 4,
    R_PB_HEADER = NV_PBDMA_PB_HEADER / 4,
    R_PB_COUNT = NV_PBDMA_PB_COUNT / 4,
    R_SUBDEVICE = NV_PBDMA_SUBDEVICE / 4,
    R_PB_CRC = NV_PBDMA_PB_CRC / 4,
    R_CMD_TYPES = NV_PBDMA_CMD_TYPES / 4,
    R_MEM_OP_C = NV_PBDMA_MEM_OP_C / 4,
    R_ENGINES = NV_PBDMA_ENGINES / 4, /* two words */
    R_TARGET = NV_PBDMA_TARGET / 4,
    R_METHOD_CRC = NV_PBDMA_METHOD_CRC / 4,
    R_METHOD0 = NV_PBDMA_METHOD0 / 4,
    R_DATA0 = NV_PBDMA_DATA0 / 4,
    R_GP_FLAGS = NV_PBDMA_GP_FLAGS / 4,
    R_CONFIG = NV_PBDMA_CONFIG / 4,
    R_TIMESLICE = NV_PBDMA_TIMESLICE / 4,
};

/* PB_HEADER. */
#define HEADER_METHOD      0x00003ffcu
#define HEADER_SUBCHANNEL  16
#define HEADER_LEVEL       (1u << 20)
#define HEADER_FIRST       (1u << 22)
#define HEADER_CONDITIONAL (1u << 23)
#define HEADER_TYPE        29
enum header_type {
    HEADER_SET_SUBDEVICE,
    HEADER_INC,
    HEADER_STORE_SUBDEVICE,
    HEADER_NON_INC,
    HEADER_IMMD,
    HEADER_INC_ONCE,
    HEADER_USE_SUBDEVICE,
    HEADER_END_SEGMENT,
};
#define COUNT_VALUE 0x1fffu

/* PB_FETCH: the segment that is being read, rearranged from its GP entry. */
#define FETCH_CONDITIONAL 0x1u       /* low word */
#define FETCH_NO_SWITCH   0x2u       /* low word, GF100 */
#define FETCH_SUBROUTINE  (1u << 9)  /* high word */
#define FETCH_SYNC        (1u << 10) /* high word */

#define SUBDEVICE_ACTIVE      (1u << 28)
#define SUBDEVICE_CHANNEL_DMA (1u << 29)

#define METHOD_INCREASING 0x1u
#define METHOD_FIRST      (1u << 22)
#define METHOD_VALID      (1u << 31)

/* Where a subchannel leads. Other values: an engine id. */
#define ROUTE_SOFTWARE 0x1f

struct pbdma_fifo;
struct pbdma;
struct pbdma_course;

struct pbdma_channel {
    struct pfifo_channel_context context;
    struct pbdma *on;  /* the PBDMA it is loaded on, or NULL */
    uint32_t instance; /* channel table word 0 as written */
    uint32_t status;   /* what is stored of channel table word 1 */
    bool bound;
    bool enabled;
    bool reload;                       /* FORCE_CTX_RELOAD since it was loaded last */
    uint8_t faulted;                   /* PBDMA_FAULTED, ENGINE_FAULTED: does not run */
    uint16_t classes[8];               /* bound last, for events only */
    uint32_t tsg;                      /* that it is in, PBDMA_NONE: none */
    uint32_t tried;                    /* fifo->tries when it waited last; of one run only */
    uint32_t crc_left;                 /* methods that METHOD_CRC will still count, see pbdma_crc.c */
    uint64_t pb_crc_begin, pb_crc_end; /* what PB_CRC counts already: from the segment's beginning up to the end */
};

#define PBDMA_SHORTEST_SLICE 64 /* units, 1024 ns */

#define PBDMA_CRC_METHODS 65536u
#define PBDMA_CRC_ALWAYS  UINT32_MAX

#define PBDMA_FAULTED  0x1
#define ENGINE_FAULTED 0x2

/* The current piece of the segment in host memory. Valid during one run() at most. */
struct pbdma_span {
    uint64_t begin, end; /* virtual addresses */
    const uint8_t *data; /* at begin */
};

/* Methods that METHOD_CRC does not contain yet. */
#define PBDMA_NOTES 64
struct pbdma_notes {
    uint32_t count;
    uint32_t data[PBDMA_NOTES];
    uint16_t tag[PBDMA_NOTES]; /* address in words, subchannel << 12 */
};

/* Tables, see pbdma_crc.c. */
struct pbdma_crc {
    uint32_t byte[6][256];
    uint32_t part[4][256];
};

struct pbdma {
    uint32_t regs[PBDMA_WORDS];
    uint32_t intr_0, intr_en_0, intr_1, intr_en_1, stall_0, stall_1;
    uint32_t gp_shadow[2], hdr_shadow, timeout, hce_debug[2];
    uint32_t unknown[8]; /* stored and read back */

    struct pbdma_fifo *fifo;
    struct pbdma_channel *channel; /* NULL: none is loaded */
    unsigned index;
    unsigned list;     /* the runlist its channel came from */
    int64_t slice;     /* units left of the timeslice */
    int64_t period;    /* units of a whole one, for the channel that is loaded */
    int64_t yields_at; /* YIELD counts when no more than this is left */
    bool preempted;    /* its channel is asked to leave and will when the stall ends */
    uint8_t route[8];  /* of each subchannel; derived from the words and the runlist */
    struct pbdma_span span;
    struct pbdma_notes notes;
    struct grammar_index grammar; /* for the CMD_TYPES now in force */
    uint8_t grammar_mode;
    bool takes_packets; /* pbdma_packets.c does: the headers are what it was written for */
    /* What follows is hardly ever looked at. */
    uint32_t group; /* of its runlist that has the turn: index of the first entry; PBDMA_NONE: a new turn begins */
    uint32_t hce_state[PBDMA_HCE_WORDS];
    char table_name[16];
    struct reg_table table;
    struct reg *rows;
};

/*
 * One entry of a runlist: a channel. A TSG is a group, and so is each channel that is in none; the entries of a group
 * are neighbours.
 */
struct runlist_entry {
    uint16_t channel;
    uint16_t group; /* index of the first entry of its group */
    uint16_t next;  /* first of a group: index of the entry where round robin goes on within it */
    uint32_t slice; /* units, 0: RAMFC says it */
};

struct runlist {
    struct runlist_entry *entries; /* room for every channel id */
    uint32_t count;
    uint32_t next; /* first entry of the group where round robin goes on */
    uint32_t base; /* register values of the current list */
    uint32_t submit;
};

/* What GF100 and GK104 do differently. */
struct pbdma_family {
    /* Fill pbdma->route. Also called after SET_OBJECT. */
    void (*route)(struct pbdma *pbdma);
    /* SET_OBJECT names an engine. NULL: the subchannel decides. False: no such engine. */
    bool (*set_engine)(struct pbdma *pbdma, unsigned subchannel, uint32_t data);
    /* May this PBDMA work for `engine` (ROUTE_SOFTWARE: any)? */
    bool (*may_serve)(const struct pbdma *pbdma, unsigned engine);
    /* Does the PBDMA serve the runlist? Is the runlist switched off? */
    bool (*serves)(const struct pbdma *pbdma, unsigned list);
    bool (*list_disabled)(const struct pbdma_fifo *fifo, unsigned list, const struct pbdma_channel *channel);
    /* The driver has switched PFIFO or this PBDMA off, or frozen it. */
    bool (*frozen)(const struct pbdma *pbdma);
    /* A non-stall interrupt of an engine id. */
    void (*notify)(struct pbdma_fifo *fifo, unsigned engine);
    /* The level bits of INTR beside MMU_FAULT and PBDMA. */
    uint32_t (*intr_level)(const struct pbdma_fifo *fifo);
    uint32_t channel_loaded; /* bit of the CHANNEL register */
    /* An MMU fault of this engine, for ENG_FAULT: its bit. */
    uint32_t (*fault_bit)(const struct pbdma_fifo *fifo, unsigned engine);
    /* A channel is being bound. */
    void (*bind)(struct pbdma_fifo *fifo, const struct pbdma_channel *channel, uint32_t value);
    /* Why a runlist may not name the channel, a SCHED_ERROR; 0: it may. */
    uint32_t (*listing_error)(const struct pbdma_fifo *fifo, unsigned list, const struct pbdma_channel *channel);
};

/* SCHED_ERROR. */
enum pbdma_sched_error {
    SCHED_INACTIVE_CHANNEL = 0x01, /* GF100:GK104 */
    SCHED_ENGINE_MISMATCH = 0x19,
    SCHED_BAD_TSG = 0x20,
};

/* BIND_ERROR. */
enum pbdma_bind_error {
    BIND_NOT_UNBOUND = 1,
    BIND_SNOOP_WITHOUT_BAR1 = 2,
    BIND_UNBIND_WHILE_RUNNING = 3,
    BIND_INVALID_RUNLIST = 5,
    BIND_INVALID_TARGET = 6,
};

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

struct pbdma_fifo {
    struct fifo base;
    const struct pbdma_family *family;
    struct pbdma pbdma[PBDMA_MAX];
    unsigned pbdmas;
    unsigned turn;               /* PBDMA whose turn it is */
    uint32_t turn_left;          /* units of it; 0: a new one begins */
    uint32_t tries;              /* counts when somebody gets on, see tried */
    uint64_t *budget;            /* of the run() under way */
    struct pbdma_course *course; /* packets under way whose registers are not written yet, see pbdma_sync(); or NULL */
    struct pbdma_channel *channels;
    uint32_t channel_count;
    struct runlist list[PBDMA_RUNLISTS];
    unsigned lists;
    struct pbdma_crc crc;
    uint32_t syncpoints[PBDMA_SYNCPOINTS], syncpoint_bases[64];

    /* Registers that both families have. */
    uint32_t intr, intr_en, intr_en_1, intr_stall;
    uint32_t bind_error, sched_error, chsw_error, lb_error;
    uint32_t fault_source, fault_record[4][PBDMA_UNITS];
    uint32_t bar1_base, runlist_event, runlist_base, sched_disable, engine_fault;
    uint32_t template_f8[16], template_fc[16];
    uint32_t lb_control[2][16], misc[MISC_COUNT];
    struct reg_table tables[2]; /* common, and of the family */
};

static inline struct memory *pbdma_memory(const struct pbdma *pbdma) {
    return pbdma->fifo->base.memory;
}

static inline struct event_hub *pbdma_events(const struct pbdma *pbdma) {
    return pbdma->fifo->base.events;
}

static inline uint32_t pbdma_channel_id(const struct pbdma *pbdma) {
    return pbdma->channel ? pbdma->channel->context.id : PBDMA_NONE;
}

/* A 40-bit address in two words. */
static inline uint64_t pbdma_address(const struct pbdma *pbdma, enum pbdma_word low) {
    return pbdma->regs[low] | (uint64_t)(pbdma->regs[low + 1] & 0xff) << 32;
}

/* The subdevice masks drop methods. Without CHANNEL_DMA the subdevice is always active. */
static inline bool pbdma_drops_methods(const struct pbdma *pbdma) {
    return (pbdma->regs[R_SUBDEVICE] & (SUBDEVICE_CHANNEL_DMA | SUBDEVICE_ACTIVE)) == SUBDEVICE_CHANNEL_DMA;
}

/* An interrupt that is set and stalls. */
static inline bool pbdma_stalled(const struct pbdma *pbdma) {
    return ((pbdma->intr_0 & pbdma->stall_0) | (pbdma->intr_1 & pbdma->stall_1)) != 0;
}

/* Account for work: budget, timeslice and time. The callers look before they leap. */
static inline void pbdma_charge(struct pbdma *pbdma, uint64_t units) {
    *pbdma->fifo->budget -= units;
    pbdma->slice -= (int64_t)units;
    bus_work(pbdma->fifo->base.bus, units);
}

/* (timeout << scale) * 1024 ns; nothing there means the shortest. */
static inline uint32_t pbdma_slice_units(uint32_t timeout, uint32_t scale) {
    uint64_t nanoseconds = (uint64_t)timeout << scale << 10;
    return nanoseconds ? (uint32_t)(nanoseconds / BUS_NS_PER_WORK) : PBDMA_SHORTEST_SLICE;
}

/* What one step of a PBDMA came to. */
enum pbdma_step {
    STEP_DONE,
    STEP_IDLE,    /* the ring is empty */
    STEP_WORKING, /* METHOD0 is being executed, a slice of it is done */
    STEP_WAITING, /* METHOD0 cannot execute yet: fifo->base.stop says for what */
    STEP_STALLED, /* an interrupt waits for the driver */
    STEP_FAULTED, /* the channel cannot go on */
    STEP_LEAVE,   /* METHOD0 belongs to an engine of another PBDMA */
};

/* pbdma_regs.c: the page of a PBDMA. */
enum pfifo_status pbdma_attach_page(struct pbdma *pbdma, struct pfifo_error *error);

/* pbdma.c: load and save. */
enum pfifo_status pbdma_attach(struct pbdma_fifo *fifo, const struct pbdma_family *family, unsigned lists,
                               struct pfifo_error *error);
void pbdma_free(struct fifo *base);
/* Rebuild what is derived from the words. */
void pbdma_derive(struct pbdma *pbdma);
/* A channel as after power-on. */
void pbdma_fresh_channel(struct pbdma_fifo *fifo, uint32_t id);
/* Word 0 of the channel table, and the place of the instance block that it names. */
void pbdma_set_instance(struct pbdma_channel *channel, uint32_t value);
void pbdma_reset(struct fifo *base);
void pbdma_load(struct pbdma *pbdma, struct pbdma_channel *channel, unsigned list, uint32_t slice);
void pbdma_save(struct pbdma *pbdma);
/* Take the channel off, saved. */
void pbdma_leave(struct pbdma *pbdma);

/* pbdma_save.c: save or load what both families have. */
void pbdma_state(struct pbdma_fifo *fifo, struct state_io *io);

/* pbdma_interrupt.c */
/* Set bits of INTR_0; false if they do not stall. */
bool pbdma_raise(struct pbdma *pbdma, uint32_t bits, const char *cause);
bool pbdma_raise_1(struct pbdma *pbdma, uint32_t bits, const char *cause);
uint32_t pbdma_intr(const struct pbdma_fifo *fifo);
uint32_t pbdma_intr_sources(const struct pbdma_fifo *fifo); /* PBDMA_ID */
void pbdma_update_line(struct pbdma_fifo *fifo);
void pbdma_fifo_raise(struct pbdma_fifo *fifo, uint32_t bits, const char *cause);
/* An access of a PBDMA to memory faulted: record, interrupt, and the channel stops. */
enum pbdma_step pbdma_host_fault(struct pbdma *pbdma, const struct fault *fault);
void pbdma_record_fault(struct pbdma_fifo *fifo, uint32_t channel, unsigned unit, unsigned client, uint64_t instance,
                        const struct fault *fault);
void pbdma_engine_fault(const struct pfifo_channel_context *context, enum chip_unit unit, const struct fault *fault,
                        const struct unit_trap *trap);
bool pbdma_engine_error(const struct pfifo_channel_context *context, enum chip_unit unit, const struct unit_trap *trap);
enum chip_unit pbdma_current_unit(const struct pfifo_channel_context *context);
void pbdma_engine_worked(struct fifo *base, uint64_t units);
void pbdma_engine_interrupt(const struct pfifo_channel_context *context, enum chip_unit unit, enum unit_cause cause);
void pbdma_bar_fault(void *opaque, unsigned port, uint64_t instance, const struct fault *fault);

/* pbdma_schedule.c: see struct fifo_ops. */
uint64_t pbdma_until_timeout(struct fifo *base);

/* pbdma_pusher.c: fetch one thing, or execute a run. */
enum pbdma_step pbdma_fetch(struct pbdma *pbdma);
/* Account for `taken` methods of a run whose first word is fetched. */
void pbdma_finish_run(struct pbdma *pbdma, const struct pfifo_methods *run, uint32_t taken);
/* pbdma_packets.c: no more packets after the one that an engine has. */
void pbdma_close_packets(struct pbdma_fifo *fifo);
/* pbdma_packets.c: which headers it takes, after the grammar changed. */
void pbdma_make_packets(struct pbdma *pbdma);
/* Whole packets, if there are any to execute at once; false: none. */
bool pbdma_push_packets(struct pbdma *pbdma, uint64_t get, uint64_t put, enum pbdma_step *step);
/* Write the registers of the packet that an engine has just now. The bus calls it before BAR0 is accessed, and USERD
 * that is read through BAR1 does. */
void pbdma_sync(void *unit);
extern const struct bus_host_ops pbdma_host;
/* Accesses to USERD through BAR 1, see struct bus_host_ops; `host` is a struct pbdma_fifo. */
void pbdma_userd_write(void *host, uint64_t offset, uint32_t value);
uint32_t pbdma_userd_read(void *host, uint64_t offset);
/* pbdma_gpfifo.c: the next GP entry. */
enum pbdma_step pbdma_fetch_entry(struct pbdma *pbdma);

/* pbdma_puller.c: execute METHOD0. */
enum pbdma_step pbdma_pull(struct pbdma *pbdma);
/* Make `engine` work for this channel. STEP_DONE: it does. */
enum pbdma_step pbdma_select_engine(struct pbdma *pbdma, unsigned engine);
/* The method in METHOD0 is wrong: it stays there for the driver, or is dropped where the interrupt does not stall. */
enum pbdma_step pbdma_method_error(struct pbdma *pbdma, uint32_t bit, const char *cause);
/* Wait in METHOD0 for memory (or a syncpoint) to change. */
enum pbdma_step pbdma_wait(struct pbdma *pbdma, uint64_t address, uint32_t expected, uint32_t found);
enum pbdma_step pbdma_wait_for_engine(struct pbdma *pbdma, const struct fifo_engine *engine);
/* pbdma_host.c: a host method. */
enum pbdma_step pbdma_host_method(struct pbdma *pbdma, unsigned subchannel, uint32_t method, uint32_t data);
/* pbdma_waits.c: METHOD0 cannot be executed yet. Does its channel keep the PBDMA for the rest of its timeslice? */
bool pbdma_waits_in_place(const struct pbdma *pbdma);

/* pbdma_tables.c: the registers of 0x2000 .. 0x2fff. */
/* `own`: what the other family does not have. */
enum pfifo_status pbdma_attach_registers(struct pbdma_fifo *fifo, const struct reg_row *own, size_t count,
                                         struct pfifo_error *error);

/* pbdma_schedule.c */
enum pfifo_stop pbdma_run(struct fifo *base, uint64_t *budget);
bool pbdma_can_work(struct fifo *base); /* schedule_work.c */
bool pbdma_has_work(struct pbdma_fifo *fifo, const struct pbdma_channel *channel);
/* Does a bound channel that is on no PBDMA wait in an acquire? */
bool pbdma_saved_acquire(struct pbdma_fifo *fifo, const struct pbdma_channel *channel);
/* Where a register with a 4 KiB aligned address and a target in [29:28] points. */
enum memory_target pbdma_base_target(uint32_t base);
/* Install runlist `number`: `count` entries of 8 bytes at `base` (a register value: address >> 12 and target). */
void pbdma_submit(struct pbdma_fifo *fifo, unsigned number, uint32_t base, uint32_t count);
/* Ask a channel to leave; it does at once unless its PBDMA is stalled. */
void pbdma_preempt(struct pbdma_fifo *fifo, uint32_t channel);
/* Do what was only waiting for an interrupt to be cleared. */
void pbdma_preempt_retry(struct pbdma *pbdma);
/* Has somebody been asked to leave who has not yet? */
bool pbdma_preempt_pending(struct pbdma_fifo *fifo);
void pbdma_bind_error(struct pbdma_fifo *fifo, enum pbdma_bind_error code);
/* The channel that an engine works for, PBDMA_NONE: none; is it busy with it? */
uint32_t pbdma_engine_channel(const struct pbdma_fifo *fifo, unsigned engine);
bool pbdma_engine_busy(const struct pbdma_fifo *fifo, unsigned engine);
/* Bind (or with `valid` false unbind) the instance block of a channel. */
void pbdma_bind(struct pbdma_fifo *fifo, struct pbdma_channel *channel, uint32_t value, bool valid);

/* pbdma_userd.c */
uint64_t pbdma_userd(const struct pbdma_fifo *fifo, uint32_t low, uint32_t high, enum memory_target *target);
uint32_t pbdma_read_gp_put(struct pbdma *pbdma);
void pbdma_write_userd(struct pbdma *pbdma);
void pbdma_bar1_base(void *unit, const struct reg *reg, uint32_t index, uint32_t value);

/* pbdma_crc.c: CRC-32, polynomial 0x04c11db7, most significant bit first, no inversions. */
void pbdma_crc_init(struct pbdma_crc *crc);
uint32_t pbdma_crc_words(const struct pbdma_crc *crc, uint32_t value, const uint32_t *words, size_t count);
/* METHOD_CRC over methods that an engine took; settle: make the register right. */
void pbdma_crc_note(struct pbdma *pbdma, const struct pfifo_methods *run);
static inline void pbdma_crc_methods(struct pbdma *pbdma, const struct pfifo_methods *run) {
    if (pbdma->channel->crc_left)
        pbdma_crc_note(pbdma, run);
}
void pbdma_crc_settle(struct pbdma *pbdma);
/* PB_CRC: of the segment from its beginning to GET. */
uint32_t pbdma_pb_crc(struct pbdma *pbdma);
/* A new segment begins; the rest of one is dropped, which leaves PB_CRC undefined: as it was looked at last. */
void pbdma_pb_crc_begin(struct pbdma *pbdma);
void pbdma_pb_crc_drop(struct pbdma *pbdma);

/* Syncpoints of a Tegra, for the host's side of them. */
uint32_t *pbdma_syncpoint(struct fifo *base, unsigned index); /* NULL: no such syncpoint */

#endif
