/* SPDX-License-Identifier: MIT */
/*
 * The map of BAR0: the blocks of each generation, and storage for the registers that are not modelled.
 *
 *   access --> register --> window --> block: storage, told once as bus.unknown
 *                                  --> nothing: the fault of the hardware, bus.unmapped
 *
 * A chip has thousands of registers beside those of command submission: clocks, fans, displays, memory timings. Drivers
 * write and read them back, and a card that answered each with an error would not come up. So in a block that the chip
 * has, a register without a row reads as it was last written, 0 at first. There is no register where the documents show
 * that there is none: in blocks whose registers all have rows (`complete`: PFIFO and its parts), and where the
 * documents have a register of the block for other chips only (absent_add()).
 *
 * Each such register is saved and restored. It is reported once, with its block, at the first access: not again after a
 * reset or a restore.
 *
 * Storage comes in pages on demand, at most 16 MiB when a guest writes everything, half of one MiB when it reads
 * everything. Without memory for a page a write is lost.
 *
 * UNKNOWN: what becomes of these when PMC ENABLE switches their unit off. Chosen: on NV4 and later they become 0;
 * before, they keep their values (pmc.c). UNKNOWN: which of them can be written. Chosen: all of them, with all bits.
 *
 * Modelled:     the blocks that the documents list.
 * Not modelled: the effects of such registers; one-byte VGA registers behind an index; ROM images (PROM is storage: it
 *               reads as it was written).
 * Sources:      envytools docs/hw/mmio.rst, docs/hw/bus/pmc.rst, rnndb/nv_mmio.xml.
 */
#ifndef PFIFO_SRC_BUS_BLOCKS_H
#define PFIFO_SRC_BUS_BLOCKS_H

#include <pfifo/error.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bus;
struct state_io;

struct block {
    const char *name;
    uint32_t begin, end; /* bytes of BAR0, end exclusive */
    uint32_t enable;     /* of PMC ENABLE; 0: none is known */
    bool complete;       /* all of its registers have rows */
};

/* A block and the chips that have it (see chip_in_range). */
struct block_row {
    const char *chips;
    struct block block;
};

/* block_map.c. If two overlap, the first one applies. */
extern const struct block_row block_map[];
extern const size_t block_map_rows;

#define BLOCK_PAGES      4096 /* of BAR0; the frame buffer in NV1's is a window */
#define BLOCK_PAGE_WORDS 1024
#define BUS_MAX_BLOCKS   80
#define BUS_MAX_ABSENT   256

struct block_page {
    uint32_t told[BLOCK_PAGE_WORDS / 32]; /* a bit per register that was accessed */
    uint32_t *words;                      /* NULL: all 0 */
};

/* A register that the chip does not have. */
struct absent {
    uint32_t offset, end, stride;
    const char *unit; /* name of its block; NULL: any */
};

struct bus_blocks {
    struct block block[BUS_MAX_BLOCKS];
    size_t count;
    struct absent absent[BUS_MAX_ABSENT];
    size_t absent_count;
    struct block_page *pages[BLOCK_PAGES]; /* NULL: never accessed */
};

/* Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status blocks_init(struct bus *bus, struct pfifo_error *error);
void blocks_free(struct bus *bus);

/* Other chips have this register, in the block of that name; this chip does not. */
struct reg;
struct reg_table;
struct window;
void absent_add(struct bus *bus, const struct reg *reg, const char *unit);
void absent_add_table(struct bus *bus, const struct reg_table *table);
void absent_add_window(struct bus *bus, const struct window *window);

/* The block at an offset; NULL: none. */
const struct block *blocks_find(const struct bus *bus, uint32_t offset);

/* A register without a row. `bits`: those that are written. False: there is no such register. */
bool blocks_read(struct bus *bus, uint32_t offset, uint32_t *value);
bool blocks_write(struct bus *bus, uint32_t offset, uint32_t value, uint32_t bits);

/* Units were switched off: bits of PMC ENABLE. */
void blocks_reset(struct bus *bus, uint32_t enable);

/* Save or load. */
void blocks_state(struct bus *bus, struct state_io *io);

#endif
