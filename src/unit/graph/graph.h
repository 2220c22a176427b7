/* SPDX-License-Identifier: MIT */
/*
 * PGRAPH's host interface: interrupts, the registers that show refused and failed methods, and the current channel. It
 * is one of the units of unit/unit.h; this header adds what engines need of it.
 *
 *   puller --graph_takes(channel, method)--> yes: to the engine
 *                                            no: the method waits; FIFO access is off, or PGRAPH is on another channel:
 *                                                CONTEXT_SWITCH (NV1 .. NV3x)
 *   engine --graph_notify(cause)-----------> INTR & INTR_EN --> PMC INTR
 *          --graph_trap(what)--------------> the same, TRAPPED_*, and FIFO access is off
 *
 * After a refused method, PGRAPH takes no method of any channel until the driver has handled it: the driver writes INTR
 * and switches FIFO access on again. Interrupts requested by programs (NOTIFY, QUERY) stop nothing.
 *
 * The channel is switched by the driver, on the interrupt (NV1:NV20); by PGRAPH itself if DEBUG_3 allows it
 * (NV20:NV40), or always (NV40-).
 *
 * The reason for a refusal is in INVALID, or bits of INTR, or DMA_INTR (NV1, NV3; graph_error_nv1.c); NSOURCE, which is
 * cleared with the interrupt, and NSTATUS, where errors add bits until the driver writes it (NV4:G80;
 * graph_error_nv4.c); separate bits of INTR, with a code in DATA_ERROR or a unit in TRAP (G80-; graph_error_g80.c).
 * Errors whose check is off in DEBUG_3 (NV3:G80) raise nothing.
 *
 * Modelled:     INTR (write 1 to clear), INTR_EN, the line; FIFO access, CTX_CONTROL, the current channel; TRAPPED_ADDR
 *               and TRAPPED_DATA of a method that waits, is refused or fails; at that time also the classes on
 *               subchannels, before G80 the words of the objects; TRAP and the registers of the units in it that this
 *               model raises. Before G80 also registers that a driver saves and restores, as storage.
 * Not modelled: TRAPPED_* of accepted methods (on NV4 .. NV3x the registers follow each method); the registers of units
 *               of G80 and later beside their status; loading and storing contexts.
 * UNKNOWN:      whether an error switches FIFO access off by itself on G80 and later; chosen: as before G80, where
 *               hardware does so. Reset values of DEBUG_3 and TRAP_EN; chosen: everything is checked.
 * Sources:      envytools rnndb/graph/{nv1,nv3,nv4}_pgraph.xml, {g80,gf100}_pgraph/pgraph.xml, nvhw/pgraph_xy4.c
 *               (NSTATUS by NSOURCE), hwtest/pgraph_mthd*.cc (what errors switch off); nouveau
 *               engine/gr/{nv04,nv10,nv20,nv40,nv50,gf100}.c; Linux riva nv4ref.h.
 */
#ifndef PFIFO_SRC_UNIT_GRAPH_GRAPH_H
#define PFIFO_SRC_UNIT_GRAPH_GRAPH_H

#include "hw/pgraph.h"
#include "unit/graph/graph_counts.h"
#include "unit/unit.h"

/* Units in TRAP of G80 and later: numbers of its bits. */
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
    GRAPH_GPCS = 24, /* GF100-: has registers of its own */
};

struct graph_gate;
struct graph_errors;
struct graph_resets;
struct graph_context;
struct graph_store;
struct graph_stage;
struct graph_pipe;

#define GRAPH_TABLES       6                          /* of registers */
#define GRAPH_STORED       0x800                      /* words stored by offset, up to 0x402000 */
#define GRAPH_WORD(offset) (((offset)-0x400000u) / 4) /* which of them */

struct pgraph {
    struct unit unit;
    const struct graph_gate *gate;       /* gate of the chip's PGRAPH, NULL: open to every channel */
    const struct graph_errors *errors;   /* how it shows them */
    const struct graph_context *context; /* graph_object_nv4.c: registers that show objects, NULL: none of these */
    const struct graph_resets *resets;   /* graph_drawing.c: effects on drawing registers */
    const struct graph_stage *stage;     /* graph_input.c: the input stage, NULL: there is none */
    bool at_input;                       /* the engine has a method of it */
    uint32_t checked_by;                 /* NV3: the options by which a method is checked, while it is executed */
    const struct graph_pipe *pipe;       /* graph_pipe.c, NULL: there is none */
    struct graph_store *store;           /* graph_ports.c: tables behind ports, NULL: there are none */
    struct reg_table tables[GRAPH_TABLES];
    struct graph_regs {
        uint32_t intr, intr_en, access, ctx_control, channel, debug_3, trapped_addr, trapped_data, trapped_data_high;
        uint32_t invalid, invalid_en;   /* NV1, NV3 */
        uint32_t debug_1;               /* NV1:G80 */
        uint32_t dma_intr, dma_intr_en; /* NV3 */
        /*
         * NV1, NV3, graph_object.c: DMA objects and notifier of the object at object_instance, and the refused object.
         */
        uint32_t object_dma, object_notify, object_instance, object_m2mf, trapped_instance;
        uint32_t nsource, nstatus;                         /* NV4:G80 */
        uint32_t classes[8];                               /* G80- */
        uint32_t current, next;                            /* NV40-: channels, by instance */
        uint32_t intr_nrhost, intr_en_nrhost;              /* GF100- */
        uint32_t trap, trap_en, data_error;                /* G80- */
        uint32_t status[GRAPH_UNITS], status_other[2];     /* TRAP registers of the units in TRAP, and of more */
        uint32_t gpcs, gpcs_en, rops, rops_en;             /* GF100- */
        uint32_t dispatch[4], dispatch_misc, dispatch_st2; /* G80:GF100: the method that is blocked */
        uint32_t disable;                                  /* G80:GF100 */
        uint32_t m2mf[4], prop[7];                         /* G80:GF100: the access that trapped */
        uint32_t macro[12], macro_location, macro_opcode;  /* GF100- */
        uint32_t gpc, tpc;                                 /* GF100:GV100: of the first one, what is wrong there, */
        uint32_t mp_warp, mp_warp_en, mp_global, mp_global_en, mp_pc; /* and its shader processor's errors */
        uint32_t input_given;          /* G80:GF100, graph_input.c: the host has written the input stage */
        uint32_t pipe_open;            /* NV10:NV20, graph_ports.c: the vector that is being written */
        uint32_t stored[GRAPH_STORED]; /* NV1:G80 */
    } r;
    struct graph_counts counts; /* of clusters; not saved */
};

/* Create PGRAPH of the bus's chip and attach its registers; see unit_new(). Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status graph_new(struct unit **out, struct bus *bus, struct pfifo_error *error);

static inline struct pgraph *graph_of(struct unit *unit) {
    return (struct pgraph *)unit;
}

/* ---- graph_object.c ---- */

/* NOTIFY of NV1, GROBJ_NOTIFY of NV3. */
#define GRAPH_NOTIFY_INSTANCE 0x0000ffffu
#define GRAPH_NOTIFY_ARMED    (1u << 16)
#define GRAPH_NOTIFY_SELECT   0x00f00000u /* NV3 */
#define GRAPH_NOTIFY_INTR     (1u << 20)  /* NV1: also interrupt */

/* ---- for engines ---- */

/* Has it refused a method? Then it takes no more until its driver has handled the error. */
static inline bool graph_halted(const struct pgraph *graph) {
    return graph->unit.bus && !(graph->r.access & GRAPH_ACCESS);
}

/* Are all these bits of DEBUG_3 set? */
static inline bool graph_debug_3(const struct pgraph *graph, uint32_t bits) {
    return (graph->r.debug_3 & bits) == bits;
}

/*
 * NV3: the colour format by which methods are checked, YUV420 or another: the current object's, or, if the method
 * selected another object and nothing was loaded from RAMIN for it, that of the object before.
 */
bool graph_is_yuv420(const struct pgraph *graph);

/* The DMA objects of an NV3 object, from registers: their instances in units of 16 bytes. */
struct graph_dma_objects {
    uint32_t notify, in, out;
};
struct graph_dma_objects graph_dma_objects(const struct pgraph *graph);

/*
 * graph_notify.c: NOTIFY of NV1 and NV3, which is a bit in a register. NV3 also has a number, 0 .. 15, NV1 a bit that
 * only its driver sets.
 */
bool graph_notify_has_numbers(const struct pgraph *graph);
/* May the object use NOTIFY? On NV1 its driver sets this in the context. */
bool graph_notify_allowed(const struct pgraph *graph);
/* NV1: does another NOTIFY interrupt, because the one that is armed asks for it and nothing has been refused? */
bool graph_notify_interrupts(const struct pgraph *graph);
/* One is armed: another is an error. */
bool graph_notify_armed(const struct pgraph *graph);
/* Arm a NOTIFY with the number, unless it was refused. False: it was refused and is not armed. */
bool graph_notify_arm(struct pgraph *graph, uint32_t number);
/* Is a NOTIFY armed with a number that wakes (NV3), whose value was not refused? */
bool graph_notify_wakes(const struct pgraph *graph);
/* Take the notifier that is due: its destination, and whether it interrupts. */
struct graph_notifier {
    bool due, awaken;
    uint32_t instance, offset; /* of the DMA object in units of 16 bytes; in it */
};
struct graph_notifier graph_notify_take(struct pgraph *graph);

/* ---- between the files of PGRAPH ---- */

/*
 * Before a method is accepted on NV1 and NV3: PGRAPH loads options or object from the context, and the object's words
 * from RAMIN. `object_class`: for the event, if a NOTIFY was due. Returns the type of the method's object, which on NV3
 * is the type in CTX_USER.
 */
uint32_t graph_object(struct pgraph *graph, uint32_t channel, uint32_t context, uint32_t object_class,
                      const struct unit_method *method);

/* NV1, NV3: refuse a method that the engine does not get, or before it does. */
void graph_refuse(struct pgraph *graph, uint32_t channel, uint32_t object_class, const struct unit_method *method,
                  enum engine_error error);

/*
 * NV1, for methods that the host writes to the windows of types: is its access off; the channel that they are for;
 * method 0, which has the whole of CTX_SWITCH; the last method, to be shown.
 */
bool graph_host_is_off(const void *unit);
uint32_t graph_channel_nv1(const struct pgraph *graph);
void graph_switch_nv1(struct pgraph *graph, uint32_t type, uint32_t value);
void graph_show_method_nv1(struct pgraph *graph, uint32_t type, uint32_t address, uint32_t data);

/* Method 0 was accepted. */
void graph_bind(struct pgraph *graph, uint32_t subchannel, uint32_t instance);
/* A program requested an interrupt. */
void graph_notify(struct pgraph *graph, enum unit_cause cause);
/* A method of this channel was refused. False: this check is off. */
bool graph_trap(struct pgraph *graph, uint32_t channel, const struct unit_trap *trap);
/* PGRAPH works for a channel now; `instance` as in its registers. */
void graph_enter(struct pgraph *graph, uint32_t instance);

/* The status of a notifier after an error, before GF100. */
uint16_t graph_error_status(const struct pgraph *graph, const struct unit_trap *trap);
/* The number of an error in events: bits of NSOURCE before G80, then DATA_ERROR. */
uint32_t graph_error_code(const struct pgraph *graph, const struct unit_trap *trap);

/* The name of an error that a driver finds in the registers; NULL: none. */
const char *graph_error_name(const struct pfifo_chip *chip, const struct unit_trap *trap);

/* Would a method of this channel be accepted now? */
bool graph_open(const struct pgraph *graph, uint32_t channel);

/* The same for an offered method. If it must wait, the driver is notified. */
bool graph_takes(struct pgraph *graph, uint32_t channel, const struct unit_method *method);

/* Would PGRAPH work for this channel now, a method in its input stage aside? */
bool graph_admits(const struct pgraph *graph, uint32_t channel);
/* It must work for this channel, to take the method. False: another is in the way, and the driver has been asked. */
bool graph_switch_to(struct pgraph *graph, uint32_t channel, const struct unit_method *method);

/* The driver has been asked to switch the channel or to handle an error, and has not done so yet. */
bool graph_asks(const struct pgraph *graph);

#endif
