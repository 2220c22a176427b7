/* SPDX-License-Identifier: MIT */
/*
 * The bus: BAR0 decode, the blocks that every card has beside those of command submission, and time.
 *
 *   BAR0 access --> tables (tables of registers) and windows (areas: USER, CACHE1 data, PRAMIN ...)
 *               --> else storage in the blocks of the chip (blocks.h); nothing elsewhere
 *   units --bus_interrupt(line)--> PMC INTR & INTR_EN --> INTA
 *
 * Each block has a header, which says what is modelled: pmc.h, ptimer.h, pbus.h, bars.h, ports.h, peephole.h, pfb.h,
 * pfb_tiling.h, pram.h, units.h, blocks.h. A chip's row wires a variant of each (src/chip/): a struct with the tables
 * to attach, and the differences of its generation.
 *
 * Modelled:     accesses of any size to register tables with readable and writable bits, reset values and actions; both
 *               byte orders; accesses to nothing; the owner's clock, or a virtual one.
 * Not modelled: PCI configuration space (the PCI table has it), ROM, timeouts of the bus, the VGA areas, which PMC
 *               ENDIAN does not swap; HASH_VIRTUAL and HASH_PHYSICAL of PRAM (they are PFIFO's).
 * Sources:      envytools docs/hw/bus, docs/hw/mmio.rst, rnndb/bus; open-gpu-doc dev_bus; nouveau nvkm/subdev.
 */
#ifndef PFIFO_SRC_BUS_BUS_H
#define PFIFO_SRC_BUS_BUS_H

#include "bus/reg.h"
#include "chip/chip.h"
#include "event/event.h"
#include "hw/pmc.h"
#include "memory/memory.h"

#define BUS_MAX_TABLES  64
#define BUS_MAX_WINDOWS 16
#define BUS_MAX_REGS    1024 /* rows of all tables together */

/* Time is injected: the owner's clock, or the virtual one that work advances. */
struct bus_clock {
    uint64_t (*now)(void *opaque); /* NULL: virtual */
    void *opaque;
};

/*
 * Calls to PFIFO, the host interface of the chip, which is above the bus. `host` is the argument of bus_attach_host().
 * An operation may be NULL.
 */
struct bus_host_ops {
    void (*sync)(void *host); /* before an access to BAR0: a run under way writes its registers back */
    void (*enable_changed)(void *host, uint32_t old, uint32_t now); /* PMC ENABLE was written */
    void (*cpu_fault)(void *host, uint32_t engine); /* Tesla: the host's access faulted; VM engine BAR or PEEPHOLE */
    /* An access through an enum bus_port faulted on GF100-; `fault` is relative to the port's space. */
    void (*bar_fault)(void *host, unsigned port, uint64_t instance, const struct fault *fault);
    /* Words within bars.userd of BAR 1, which PFIFO snoops; `offset` is within that area. */
    void (*userd_write)(void *host, uint64_t offset, uint32_t value);
    uint32_t (*userd_read)(void *host, uint64_t offset);
    void (*graph_input)(void *host); /* a method in PGRAPH's input stage may go in: unit/graph/graph_input.h */
};

struct bus {
    const struct pfifo_chip *chip;
    struct memory *memory;
    struct event_hub *events;
    struct bus_clock clock;
    uint64_t time; /* nanoseconds; virtual clock, or last value read from the owner's clock */

    struct attached_table {
        const struct reg_table *table;
        void *unit;
    } tables[BUS_MAX_TABLES];
    size_t table_count;
    struct window_instance {
        const struct window *window;
        void *unit;
    } windows[BUS_MAX_WINDOWS];
    size_t window_count;
    /* All rows of all tables, sorted by offset, for a binary search; with room for more after BUS_MAX_REGS. */
    struct bus_row {
        uint32_t begin, end; /* byte offsets, end exclusive */
        uint32_t reach;      /* the highest end of this row and all before it: rows with strides interleave */
        const struct reg *reg;
        void *unit;
    } * rows;
    size_t row_count;

    bool big_endian; /* PMC ENDIAN: BAR0 and the RAMIN BAR are byte-swapped for the host */
    bool line;       /* INTA asserted */
    void (*line_changed)(void *opaque, bool level); /* the owner's, not saved; NULL: none */
    void *line_opaque;

    const struct bus_host_ops *host_ops; /* never NULL */
    void *host;

    /* The blocks; each has a header, and starts with a pointer to the bus. */
    struct pmc *pmc;
    struct ptimer *ptimer;
    struct pbus *pbus;
    struct bars *bars;
    struct ports *ports;
    struct peephole *peephole;
    struct pram *pram;
    struct pfb *pfb;
    struct pfb_tiling *tiling;
    struct gpcpll *gpcpll;
    struct units *units;
    struct bus_parts *parts;   /* where they are */
    const uint32_t *enabled;   /* PMC ENABLE */
    struct bus_blocks *blocks; /* the map of BAR0 */
};

/* The bus of a block, which is the unit of its registers and windows. */
static inline struct bus *bus_of(const void *block) {
    return *(struct bus *const *)block;
}

/* Set up (attaches the bus's own tables for this chip). Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status bus_init(struct bus *bus, const struct pfifo_chip *chip, struct memory *memory,
                           struct event_hub *events, const struct bus_clock *clock, struct pfifo_error *error);
void bus_free(struct bus *bus);

/* Connect PFIFO. `ops` must live as long as the bus. */
void bus_attach_host(struct bus *bus, const struct bus_host_ops *ops, void *host);

/*
 * Attach a unit. Rows must not overlap rows of other tables. Writes the reset values into the unit's storage. Errors:
 * PFIFO_ERROR_MEMORY when the tables are full (a bug in the library).
 */
enum pfifo_status bus_attach_table(struct bus *bus, const struct reg_table *table, void *unit,
                                   struct pfifo_error *error);
enum pfifo_status bus_attach_window(struct bus *bus, const struct window *window, void *unit,
                                    struct pfifo_error *error);

/*
 * Build the table of a chip from rows with chip ranges. The caller frees `table->regs`. Errors: PFIFO_ERROR_MEMORY.
 */
enum pfifo_status reg_table_select(struct reg_table *table, const char *unit, const struct reg_row *rows, size_t count,
                                   const struct pfifo_chip *chip, struct pfifo_error *error);

/* Load the reset values of a table into its unit. */
void bus_reset_table(const struct reg_table *table, void *unit);

/* BAR0, 32 bits, aligned (the low two bits of the offset are ignored). Reads of nothing return 0, on G80- bad001... */
uint32_t bus_rd32(struct bus *bus, uint32_t offset);
void bus_wr32(struct bus *bus, uint32_t offset, uint32_t value);

/*
 * BAR0, any size and alignment: cut at dword boundaries into accesses with byte lanes, the lowest address first. A
 * register stores only the lanes that are written; its write action sees 0 in the others.
 */
void bus_read(struct bus *bus, uint32_t offset, void *data, uint32_t bytes);
void bus_write(struct bus *bus, uint32_t offset, const void *data, uint32_t bytes);

/* The register at an offset, for consoles: row, index within it and unit. NULL if there is none. */
const struct reg *bus_find(const struct bus *bus, uint32_t offset, uint32_t *index, void **unit);

/* Is any of these units (PMC_INTR_*) switched on in PMC ENABLE? */
static inline bool bus_enabled(const struct bus *bus, uint32_t units) {
    return (*bus->enabled & units) != 0;
}

/* Raise or lower a unit's line into PMC. `bit`: PMC_INTR_*. */
void bus_interrupt(struct bus *bus, uint32_t bit, bool level);
/* The same for the second destination of GT215 .. MCP89, to which only PFIFO has a line. */
void bus_interrupt_nrhost(struct bus *bus, uint32_t bit, bool level);

/* Save or load registers, time and the interrupt line. */
struct state_io;
void bus_state(struct bus *bus, struct state_io *io);

/* Now, in nanoseconds; PTIMER counts it. bus_work() advances the virtual clock by units of work. */
uint64_t bus_now(struct bus *bus);
#define BUS_NS_PER_WORK 16 /* a word fetched or a method executed; an assumption, used by the virtual clock only */
static inline void bus_work(struct bus *bus, uint64_t units) {
    bus->time += bus->clock.now ? 0 : units * BUS_NS_PER_WORK;
}

/*
 * The virtual clock without work: the time until PTIMER's alarm interrupts (UINT64_MAX: it will not, or the clock is
 * the owner's); let that time pass.
 */
uint64_t bus_until_alarm(const struct bus *bus);
/* The same on either clock: 0 if the alarm is due, and will be raised at the next check. */
uint64_t bus_alarm_due(const struct bus *bus);
void bus_pass(struct bus *bus, uint64_t nanoseconds);

/*
 * The BARs: 0 = registers, 1 = VRAM aperture (through the BAR VM on G80-), 3 = RAMIN BAR, 5 = I/O ports to these (G80-,
 * on PCI). Bytes, any alignment. bus_bar_bytes(): the size that a BAR decodes, 0 if there is none. Beyond it, reads
 * return 0 and writes are dropped.
 */
uint64_t bus_bar_bytes(const struct bus *bus, unsigned bar);
/* Set another size of BAR1 than that of a common board, if its size is not fixed. */
void bus_resize_bar1(struct bus *bus, uint64_t bytes);
void bus_bar_read(struct bus *bus, unsigned bar, uint64_t offset, void *data, uint64_t bytes);
void bus_bar_write(struct bus *bus, unsigned bar, uint64_t offset, const void *data, uint64_t bytes);

#endif
