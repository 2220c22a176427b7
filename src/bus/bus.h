/* SPDX-License-Identifier: MIT */
/*
 * The bus: BAR0 decode, PMC, PTIMER, interrupts, the windows into memory, and time.
 *
 *   BAR0 access --> tables (tables of registers) and windows (areas: USER, CACHE1 data, PRAMIN ...)
 *               --> else storage in the blocks that the chip has (blocks.h), and nothing elsewhere
 *   units --bus_interrupt(line)--> PMC INTR & INTR_EN --> INTA
 *
 * Modelled:     register tables with readable and writable bits, reset values and actions; PMC BOOT_0, ENDIAN,
 *               INTR, INTR_EN, ENABLE (a disabled PFIFO or PGRAPH is gone from BAR0 from NV4 on); PTIMER time, alarm
 *               and registers; NV1's PRAM and its windows into RAMIN; PRAMIN; RAMIN in BAR1 of NV3; RAMIN BAR of
 *               NV40; BAR1, BAR3 and the PEEPHOLE through their VM; VRAM_HIDE; PBUS interrupts and the record of an
 *               access to nothing; write protection of RAMIN's place in VRAM; PCIe GART of NV41; tiled
 *               regions of VRAM; TLB flush registers; the VM fault record of Tesla; counts of units (units.h).
 * Not modelled: PCI configuration space (the PCI table has it), ROM, timeouts of the bus, the VGA areas, which PMC
 *               ENDIAN does not swap; double buffering of NV1's VRAM; HASH_VIRTUAL and HASH_PHYSICAL of PRAM (they are
 *               PFIFO's); the ratio of PTIMER (it counts nanoseconds), the second interrupt line of GF100 and later,
 *               PDAEMON.
 * Sources:      envytools docs/hw/bus/{pmc,ptimer,bars}.rst, docs/hw/memory/{nv1-vram,g80-vm}.rst, rnndb/bus,
 *               rnndb/memory; open-gpu-doc dev_bus, dev_timer, pri_mmu_hub; nouveau
 *               nvkm/subdev/{mc,bar,fb,mmu,timer}.
 */
#ifndef PFIFO_SRC_BUS_BUS_H
#define PFIFO_SRC_BUS_BUS_H

#include "bus/blocks.h"
#include "bus/reg.h"
#include "bus/units.h"
#include "chip/chip.h"
#include "event/event.h"
#include "memory/memory.h"
#include "hw/pmc.h"

#define BUS_MAX_TABLES  64
#define BUS_MAX_WINDOWS 16
#define BUS_MAX_REGS    1024 /* rows of all tables together */
#define BUS_MAX_FALCONS 8

/* Time is injected: the owner's clock, or the virtual one that work advances. */
struct bus_clock {
    uint64_t (*now)(void *opaque); /* NULL: virtual */
    void *opaque;
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
    /* All rows of all tables, sorted by offset, for a binary search; behind BUS_MAX_REGS room to add some. */
    struct bus_row {
        uint32_t begin, end; /* byte offsets, end exclusive */
        uint32_t reach;      /* the highest end of this row and all before it: rows with strides interleave */
        const struct reg *reg;
        void *unit;
    } * rows;
    size_t row_count;

    uint64_t bar0_bytes, bar1_bytes; /* what BARs 0 and 1 decode; 0: there is none */
    uint32_t bar1_ramin;             /* place of RAMIN in BAR1 (NV3); 0: it is elsewhere */

    /* PMC. */
    bool big_endian;        /* BAR0 and the RAMIN BAR are byte-swapped for the host */
    uint32_t intr_software; /* the bit of the software interrupt */
    uint32_t boot0, intr_host, intr_en_host, enable, enable_1;
    uint32_t enable_told;                      /* ENABLE as PFIFO was told last */
    uint32_t intr_mask[2];                     /* 0x640, GF100:GP100 */
    uint32_t intr_en_nonstall;                 /* 0x144: GT215 of NRHOST; GF100-: of the second line */
    uint32_t intr_nrhost;                      /* GT215 .. MCP89; GF100-: of the second line */
    uint32_t intr_en_daemon, intr_mask_daemon; /* GT215 .. MCP89 */
    /* PTIMER. */
    uint32_t ptimer_intr, ptimer_intr_en, ptimer_numerator, ptimer_denominator, ptimer_alarm;
    uint64_t ptimer_offset;  /* what TIME_LOW/HIGH writes added */
    uint64_t ptimer_checked; /* time up to which the alarm was looked at */
    /* Windows. */
    uint32_t pram_config;                            /* NV1: layout of RAMIN, see bus_pram_area() */
    uint32_t pramin_base;                            /* 0x1700 */
    uint32_t bar1_block;                             /* 0x1704 on GF100-, 0x1708 mode on Tesla */
    uint32_t bar3_block;                             /* 0x1714 on GF100-, 0x170c on Tesla */
    uint32_t bar_channel;                            /* 0x1704 on Tesla: descriptor of the BAR VM */
    uint32_t bar_select;                             /* 0x1704 on Tesla as written last */
    uint32_t peephole_channel, peephole_block;       /* 0x1704, 0x1710 on Tesla; 0x1718 on GF100- */
    uint32_t peephole[6];                            /* ports, see bus/peephole.c */
    uint32_t enable_unknown[2];                      /* 0x208 and 0x20c of PMC, GF100- */
    uint32_t vram_hide[2];                           /* 0x300, see bus/aperture.c */
    uint32_t ports[8];                               /* BAR 5, see bus/ports.c */
    uint32_t pbus[6];                                /* interrupts and errors, see bus/pbus.c */
    uint32_t pbus_unknown[8];                        /* 0x1900 of Tesla */
    uint32_t bar_flush;                              /* 0x70000: always complete */
    uint32_t pfb[16];                                /* TLB flush registers and fault data, see bus/pfb.c */
    uint32_t pfb_tile[64];                           /* DRAM, tiled regions and tags, see bus/pfb_tile.c */
    struct reg_table pfb_tile_table;                 /* the rows of these that the chip has */
    struct bus_units units;                          /* how many of everything, see bus/units.h */
    uint32_t units_set[UNITS_SLOTS];                 /* what firmware has set up of it */
    struct reg_table units_tables[8];                /* their rows that the chip has */
    struct reg_table falcon_tables[BUS_MAX_FALCONS]; /* see bus/falcon.c */
    struct reg falcon_regs[BUS_MAX_FALCONS][2];
    struct bus_blocks *blocks;                       /* the map of BAR0, see bus/blocks.h */
    uint64_t bar1_userd; /* BAR1 offset of the USERD area (GF100:GV100), set by PFIFO; 0 with no size: none */
    uint64_t bar1_userd_bytes;
    void (*userd_write)(void *fifo, uint64_t offset, uint32_t value); /* a BAR1 write that PFIFO snoops */
    uint32_t (*userd_read)(void *fifo, uint64_t offset);
    /* An access through an enum bus_port faulted on GF100-; `fault` is relative to the port's space. NULL: none. */
    void (*bar_fault)(void *fifo, unsigned port, uint64_t instance, const struct fault *fault);
    void (*cpu_fault)(void *fifo, uint32_t engine); /* Tesla: the host's access faulted; VM engine BAR or PEEPHOLE */
    void (*enable_changed)(void *fifo, uint32_t old, uint32_t now); /* PMC ENABLE was written */
    void (*sync)(void *fifo); /* called before BAR0 is accessed: a run under way writes its registers down */
    void *fifo;               /* first argument of all of these */
    bool line;                /* INTA asserted */
    void (*line_changed)(void *opaque, bool level); /* the owner's, not saved; NULL: nobody is told */
    void *line_opaque;
};

/* Where the host gets at memory, from G80 on. */
enum bus_port { BUS_PORT_PEEPHOLE = 0, BUS_PORT_BAR1 = 1, BUS_PORT_BAR3 = 3 };

/* Set up (attaches the bus's own tables for this chip). Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status bus_init(struct bus *bus, const struct pfifo_chip *chip, struct memory *memory,
                           struct event_hub *events, const struct bus_clock *clock, struct pfifo_error *error);
void bus_free(struct bus *bus);

/*
 * Attach a unit. Rows must not overlap rows of other tables. Writes the reset values into the unit's storage.
 * Errors: PFIFO_ERROR_MEMORY when the tables are full (a bug of ours).
 */
enum pfifo_status bus_attach_table(struct bus *bus, const struct reg_table *table, void *unit,
                                   struct pfifo_error *error);
enum pfifo_status bus_attach_window(struct bus *bus, const struct window *window, void *unit,
                                    struct pfifo_error *error);

/*
 * The table of one chip, out of rows that say which chips have them. `table->regs` is then to be freed by the caller.
 * Errors: PFIFO_ERROR_MEMORY.
 */
enum pfifo_status reg_table_select(struct reg_table *table, const char *unit, const struct reg_row *rows, size_t count,
                                   const struct pfifo_chip *chip, struct pfifo_error *error);

/* Load the reset values of a table into its unit. */
void bus_reset_table(const struct reg_table *table, void *unit);

/* BAR0, 32 bits, aligned (the low two bits of the offset are ignored). Nothing there: 0, or bad001.. on G80-. */
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

/* Raise or lower a unit's line into PMC. `bit`: PMC_INTR_*. */
void bus_interrupt(struct bus *bus, uint32_t bit, bool level);
/* The same for the second destination of GT215 .. MCP89, which only PFIFO has a line to. */
void bus_interrupt_nrhost(struct bus *bus, uint32_t bit, bool level);

/*
 * The VM fault record of Tesla's PFB: latches the first fault until it is acknowledged. The unit that asked interrupts.
 * `reason`: as fault_code() gives it; `instance`: physical address of the channel descriptor.
 */
void bus_vm_fault(struct bus *bus, uint32_t engine, uint32_t reason, uint32_t client, uint32_t slot, uint64_t instance,
                  uint64_t address, bool write);

/* Save or load registers, time and the interrupt line. */
struct state_io;
void bus_state(struct bus *bus, struct state_io *io);

/* Now, in nanoseconds; PTIMER counts it. bus_work() advances the virtual clock by units of work. */
uint64_t bus_now(struct bus *bus);
#define BUS_NS_PER_WORK 16 /* a word fetched or a method executed; an assumption, only the virtual clock sees it */
static inline void bus_work(struct bus *bus, uint64_t units) {
    bus->time += bus->clock.now ? 0 : units * BUS_NS_PER_WORK;
}

/*
 * The virtual clock without work: how long until PTIMER's alarm interrupts (UINT64_MAX: it will not, or the clock is
 * the owner's), and let it pass.
 */
uint64_t bus_until_alarm(const struct bus *bus);
/* The same on either clock: 0 if the alarm is due, and will be found when somebody looks. */
uint64_t bus_alarm_due(const struct bus *bus);
void bus_pass(struct bus *bus, uint64_t nanoseconds);

/* Fixed areas of NV1's RAMIN, as PRAM.CONFIG places them. RAMAU goes on into UNK2, the others wrap. */
enum pram_id { PRAM_RAMHT, PRAM_RAMRO, PRAM_RAMFC, PRAM_RAMAU, PRAM_UNK2 };
struct pram_area {
    uint32_t start, bytes; /* RAMIN address, and where it wraps */
};
struct pram_area bus_pram_area(const struct bus *bus, enum pram_id id);

/*
 * The BARs: 0 = registers, 1 = VRAM aperture (through the BAR VM on G80-), 3 = RAMIN BAR, 5 = I/O ports to these (G80-,
 * on PCI). Bytes, any alignment.
 * bus_bar_bytes(): what a BAR decodes at most, 0 if there is none; beyond it reads give 0 and writes are dropped.
 */
uint64_t bus_bar_bytes(const struct bus *bus, unsigned bar);
/* Another BAR1 than that of a common board, where its size is not fixed. */
void bus_resize_bar1(struct bus *bus, uint64_t bytes);
void bus_bar_read(struct bus *bus, unsigned bar, uint64_t offset, void *data, uint64_t bytes);
void bus_bar_write(struct bus *bus, unsigned bar, uint64_t offset, const void *data, uint64_t bytes);

#endif
