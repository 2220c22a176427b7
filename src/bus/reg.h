/* SPDX-License-Identifier: MIT */
/*
 * Registers are tables.
 *
 * A table has the registers of one unit; a window is an area of BAR0 that a unit decodes itself. The same tables drive
 * the bus, the tool's register console and the sweep tests.
 *
 *   { 0x3244, "CACHE1_DMA_GET", .at = offsetof(struct cache1, dma_get), .readable = ~3u, .writable = ~3u }
 *
 * Reading without an action gives storage & readable. Writing without an action stores (storage & ~writable) | (value &
 * writable). With a write action the store is done first, then the action is called with the raw value; a register
 * without storage (.at = REG_NONE) has only its actions. A write of less than 32 bits stores only the lanes of its
 * bytes, and the action sees 0 in the others. If the action itself stores the value (no storage, but writable bits), it
 * sees the current value in the others.
 */
#ifndef PFIFO_SRC_BUS_REG_H
#define PFIFO_SRC_BUS_REG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define REG_NONE UINT32_MAX

struct reg;
typedef uint32_t (*reg_read)(void *unit, const struct reg *reg, uint32_t index);
typedef void (*reg_write)(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
typedef bool (*reg_closed)(const void *unit);

struct reg {
    uint32_t offset; /* of element 0 in BAR0 */
    const char *name;
    uint32_t at;       /* offsetof() a uint32_t (array) in the unit's state, or REG_NONE */
    uint32_t readable; /* bits that read back */
    uint32_t writable; /* bits that a write stores */
    uint32_t reset;
    uint16_t count;    /* elements, 0 means 1 */
    uint16_t stride;   /* bytes between elements in BAR0, 0 means 4; storage is always a dense array */
    reg_read read;     /* NULL: storage */
    reg_write write;   /* NULL: storage only */
    reg_closed closed; /* a write is dropped while it returns true; NULL: never */
    /* For display: "ACCESS 0, HASH_FAILED 4, SEMAPHORE_ERROR 23:20". NULL: one number. */
    const char *fields;
    bool read_acts; /* a read has side effects: consoles do not read it unless asked */
    bool is_time;   /* the value says how late it is, and nothing else */
};

struct reg_table {
    const char *unit; /* "PFIFO", "PMC" */
    const struct reg *regs;
    size_t count;
};

/* A register and the chips that have it (see chip_in_range). */
struct reg_row {
    const char *chips;
    struct reg reg;
};

/* A word of each element of a window (one per channel). For display only; the unit decodes accesses itself. */
struct window_word {
    uint32_t offset; /* in the element */
    const char *name;
    uint32_t readable, writable; /* as of a register */
    const char *fields;
    bool read_acts;
};

struct window {
    const char *name;
    uint32_t base, bytes;
    uint32_t (*read)(void *unit, uint32_t offset); /* offset within the window, aligned to 4 */
    void (*write)(void *unit, uint32_t offset, uint32_t value);
    /*
     * Instead of the two above, for areas where the size of an access matters. Bit n of `lanes` is byte n of the dword.
     * Values are in their lanes, with 0 in the others.
     */
    uint32_t (*read_lanes)(void *unit, uint32_t offset, unsigned lanes);
    void (*write_lanes)(void *unit, uint32_t offset, uint32_t value, unsigned lanes);
    /* Consecutive whole dwords, when no observer wants each of them. NULL: one by one. */
    void (*write_run)(void *unit, uint32_t offset, const uint8_t *data, uint32_t bytes);
    bool read_acts;                  /* as of a register: RAMRO returns what reads of nothing return */
    const char *unit;                /* of the words */
    const struct window_word *words; /* NULL: the words have no names */
    uint32_t word_count, stride;     /* bytes of an element */
};

#define REG_TABLE(unit_name, table)                                                                                    \
    { .unit = (unit_name), .regs = (table), .count = sizeof(table) / sizeof((table)[0]) }

/* The tables and windows of a variant of a block. Both lists end with NULL; an empty list may be NULL. */
struct reg_tables {
    const struct reg_table *const *regs;
    const struct window *const *windows;
};

/* Storage of element `index` of a register in its unit. */
static inline uint32_t *reg_storage(void *unit, const struct reg *reg, uint32_t index) {
    return (uint32_t *)(void *)((uint8_t *)unit + reg->at) + index;
}

#endif
