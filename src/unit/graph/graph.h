/* SPDX-License-Identifier: MIT */
/*
 * PGRAPH as the host sees it: its interrupts, what it shows of methods that it refused or that failed, and which
 * channel's methods go in. It is one of the units of unit/unit.h; what engines ask of it beside is here.
 *
 *   puller --graph_takes(channel, method)--> yes: to the engine
 *                                            no: the method waits; FIFO access is off, or PGRAPH is on another channel:
 *                                                CONTEXT_SWITCH (NV1 .. NV3x)
 *   engine --graph_notify(cause)-----------> INTR & INTR_EN --> PMC INTR
 *          --graph_trap(what)--------------> the same, TRAPPED_*, and FIFO access is off
 *
 * After a method that was refused PGRAPH takes no other, of whatever channel, until the driver has looked: it writes
 * INTR, and switches FIFO access on again. A program that wants to be woken (NOTIFY, QUERY) stops nothing.
 *
 * Who changes the channel: the driver, on the interrupt (NV1:NV20); PGRAPH itself if DEBUG_3 says so (NV20:NV40), or
 * always (NV40-).
 *
 * Why a method was refused: INVALID, or bits of INTR, or DMA_INTR (NV1, NV3; graph_error_nv1.c); NSOURCE and NSTATUS
 * (NV4:G80; graph_error_nv4.c), which go with the interrupt; bits of INTR of their own, with a code in DATA_ERROR or a
 * unit in TRAP (G80-; graph_error_g80.c). What is not checked raises nothing: DEBUG_3 (NV3:G80).
 *
 * Modelled:     INTR (write 1 to clear), INTR_EN, the line; FIFO access, CTX_CONTROL, the current channel; TRAPPED_ADDR
 *               and TRAPPED_DATA of a method that is held, refused, or failed; the classes on subchannels when that
 *               happened, before G80 the words of the objects; TRAP and the registers of the units in it that this
 *               model raises. Before G80 also registers that a driver saves and restores, as storage.
 * Not modelled: TRAPPED_* of methods that were taken (on NV4 .. NV3x the registers follow each method); the contents of
 *               what units of G80 and later show beside their status; loading and storing contexts.
 * UNKNOWN:      whether an error switches FIFO access off by itself on G80 and later; chosen: as before G80, where
 *               hardware was seen to do so. Reset values of DEBUG_3 and TRAP_EN; chosen: everything is checked.
 * Sources:      envytools rnndb/graph/{nv1,nv3,nv4}_pgraph.xml, {g80,gf100}_pgraph/pgraph.xml, nvhw/pgraph_xy4.c
 *               (NSTATUS by NSOURCE), hwtest/pgraph_mthd*.cc (what errors switch off); nouveau
 *               engine/gr/{nv04,nv10,nv20,nv40,nv50,gf100}.c; Linux riva nv4ref.h.
 */
#ifndef PFIFO_SRC_UNIT_GRAPH_GRAPH_H
#define PFIFO_SRC_UNIT_GRAPH_GRAPH_H

#include "hw/pgraph.h"
#include "unit/unit.h"

/* Units in TRAP from G80 on: numbers of its bits. */
enum graph_unit {
    GRAPH_DISPATCH = 0,
    GRAPH_M2MF = 1,
    GRAPH_VFETCH = 2,  /* G80:GF100 */
    GRAPH_STRMOUT = 3, /* G80:GF100; CCACHE of GF100- */
    GRAPH_CCACHE = 4,  /* G80:GF100; SHADER of GF100- */
    GRAPH_CLIPID = 5,  /* G80:GF100 */
    GRAPH_TEX = 6,     /* G80:GF100 */
    GRAPH_MP = 7,      /* G80:GF100 */
    GRAPH_MACRO = 7,   /* GF100- */
    GRAPH_PROP = 8,    /* G80:GF100 */
    GRAPH_SKED = 8,    /* GK104- */
    GRAPH_UNITS = 9,
};

struct graph_gate;
struct graph_errors;
struct graph_resets;
struct graph_context;

#define GRAPH_TABLES       6                          /* of registers */
#define GRAPH_STORED       0x800                      /* words that are kept by their offset, up to 0x402000 */
#define GRAPH_WORD(offset) (((offset)-0x400000u) / 4) /* which of them */

struct pgraph {
    struct unit unit;
    const struct graph_gate *gate;       /* how this chip's is built, NULL: open to every channel */
    const struct graph_errors *errors;   /* how it shows them */
    const struct graph_context *context; /* graph_object_nv4.c: where it shows objects, NULL: elsewhere */
    const struct graph_resets *resets;   /* graph_drawing.c: what they do to registers of drawing */
    struct reg_table tables[GRAPH_TABLES];
    struct graph_regs {
        uint32_t intr, intr_en, access, ctx_control, channel, debug_3, trapped_addr, trapped_data, trapped_data_high;
        uint32_t invalid, invalid_en;   /* NV1, NV3 */
        uint32_t debug_1;               /* NV1:G80 */
        uint32_t dma_intr, dma_intr_en; /* NV3 */
        /* NV1, NV3, graph_object.c: DMA objects and notifier of the object at object_instance, and who was refused. */
        uint32_t object_dma, object_notify, object_instance, object_m2mf, trapped_instance;
        uint32_t nsource, nstatus;                         /* NV4:G80 */
        uint32_t classes[8];                               /* G80- */
        uint32_t current, next;                            /* NV40-: channels, by instance */
        uint32_t intr_nrhost, intr_en_nrhost;              /* GF100- */
        uint32_t trap, trap_en, data_error;                /* G80- */
        uint32_t status[GRAPH_UNITS], status_other[2];     /* TRAP registers of the units in TRAP, and of more */
        uint32_t gpcs, gpcs_en, rops, rops_en;             /* GF100- */
        uint32_t dispatch[4], dispatch_misc, dispatch_st2; /* G80:GF100: the method that is stuck */
        uint32_t disable;                                  /* G80:GF100 */
        uint32_t m2mf[4], prop[7];                         /* G80:GF100: the access that trapped */
        uint32_t macro[12], macro_location, macro_opcode;  /* GF100- */
        uint32_t stored[GRAPH_STORED];                     /* NV1:G80 */
    } r;
};

/* PGRAPH of the bus's chip, its registers attached; see unit_new(). Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status graph_new(struct unit **out, struct bus *bus, struct pfifo_error *error);

static inline struct pgraph *graph_of(struct unit *unit) {
    return (struct pgraph *)unit;
}

/* ---- graph_object.c ---- */

/* NOTIFY of NV1, GROBJ_NOTIFY of NV3. */
#define GRAPH_NOTIFY_INSTANCE 0x0000ffffu
#define GRAPH_NOTIFY_ARMED    (1u << 16)
#define GRAPH_NOTIFY_SELECT   0x00f00000u /* NV3 */
#define GRAPH_NOTIFY_INTR     (1u << 20)  /* NV1: interrupt, too */

/* ---- what engines ask PGRAPH for ---- */

/* Has it refused a method, so that it takes no more until its driver has looked? */
static inline bool graph_halted(const struct pgraph *graph) {
    return graph->unit.bus && !(graph->r.access & GRAPH_ACCESS);
}

/* Are all these bits of DEBUG_3 set? */
static inline bool graph_debug_3(const struct pgraph *graph, uint32_t bits) {
    return (graph->r.debug_3 & bits) == bits;
}

/* The DMA objects of an object of NV3, which are in registers: their instances in units of 16 bytes. */
struct graph_dma_objects {
    uint32_t notify, in, out;
};
struct graph_dma_objects graph_dma_objects(const struct pgraph *graph);

/*
 * graph_notify.c: NOTIFY of NV1 and NV3, which is a bit in a register. NV3 has a number with it, 0 .. 15; NV1 a bit
 * that only its driver sets.
 */
bool graph_notify_has_numbers(const struct pgraph *graph);
/* May the object use it at all? On NV1 its driver says so in the context. */
bool graph_notify_allowed(const struct pgraph *graph);
/* One is armed: another is an error. */
bool graph_notify_armed(const struct pgraph *graph);
/* A NOTIFY that was not refused: arm it with the number. False: something was refused, nothing is armed. */
bool graph_notify_arm(struct pgraph *graph, uint32_t number);
/* Armed with a number that wakes (NV3), and its method was not refused for its value. */
bool graph_notify_wakes(const struct pgraph *graph);
/* The notifier that is due, and no longer after this call: where it goes, and whether it interrupts. */
struct graph_notifier {
    bool due, awaken;
    uint32_t instance, offset; /* of the DMA object in units of 16 bytes; in it */
};
struct graph_notifier graph_notify_take(struct pgraph *graph);

/* ---- how it is put together ---- */

/*
 * Before a method goes in on NV1 and NV3: PGRAPH takes its options or its object from the context, and what that has in
 * RAMIN. `object_class`: of the event, if a NOTIFY was due. Returns the type of object that the method is for, which on
 * NV3 is the one that CTX_USER shows.
 */
uint32_t graph_object(struct pgraph *graph, uint32_t channel, uint32_t context, uint32_t object_class,
                      const struct unit_method *method);

/* Method 0 went in. */
void graph_bind(struct pgraph *graph, uint32_t subchannel, uint32_t instance);
/* A program wants to be woken. */
void graph_notify(struct pgraph *graph, enum unit_cause cause);
/* A method of this channel was refused. False: nobody checks for that. */
bool graph_trap(struct pgraph *graph, uint32_t channel, const struct unit_trap *trap);
/* PGRAPH works for a channel now; `instance` as its registers say it. */
void graph_enter(struct pgraph *graph, uint32_t instance);

/* The status that a notifier gets after an error, before GF100. */
uint16_t graph_error_status(const struct pgraph *graph, const struct unit_trap *trap);
/* The number of an error in events: bits of NSOURCE before G80, then DATA_ERROR. */
uint32_t graph_error_code(const struct pgraph *graph, const struct unit_trap *trap);

/* Would a method of this channel go in now? */
bool graph_open(const struct pgraph *graph, uint32_t channel);

/* The same for a method that has come; what is in its way is told to the driver. */
bool graph_takes(struct pgraph *graph, uint32_t channel, const struct unit_method *method);

/* A driver has been asked to switch the channel, or to look at an error, and has not yet answered. */
bool graph_asks(const struct pgraph *graph);

#endif
