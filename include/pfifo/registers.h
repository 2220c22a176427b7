/* SPDX-License-Identifier: MIT */
/*
 * The registers of a GPU by name: for consoles, debuggers and tests.
 *
 *   pfifo_registers_find(registers, "CACHE1_GET", &offset, &error);    a name that only one unit has
 *   pfifo_registers_find(registers, "PMC.INTR", &offset, &error);      with its unit
 *   pfifo_registers_find(registers, "CACHE1_CTX[3]", &offset, &error); an element of an array
 *   pfifo_registers_find(registers, "PCCSR.CHANNEL[3]", &offset, &error);  a word of a window
 *   pfifo_registers_find(registers, "0x3270", &offset, &error);        an offset in BAR0
 *
 * Names are case-insensitive. Only registers that the model has are listed; the silicon has more. Nothing here
 * reads or writes a register: use the offset with pfifo_gpu_rd32() and pfifo_gpu_wr32(), or on a card.
 *
 * Library: libpfifo
 */
#ifndef PFIFO_REGISTERS_H
#define PFIFO_REGISTERS_H

#include <pfifo/chip.h>
#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pfifo_gpu;

/* The register tables of a chip. They never change, so several threads may read them. */
struct pfifo_registers;

/* A register or an array of registers. Pointers are valid as long as the tables are. */
struct pfifo_register {
    const char *unit;   /* "PFIFO", "PMC" */
    const char *name;   /* "CACHE1_GET" */
    uint32_t offset;    /* in bytes of BAR0; of element 0 */
    uint32_t count;     /* elements, 1 if it is not an array */
    uint32_t stride;    /* bytes from one element to the next */
    uint32_t readable;  /* bits that a read may return */
    uint32_t writable;  /* bits that a write stores */
    uint32_t reset;     /* stored value after power-on */
    bool computed;      /* the value is computed on a read, and is not what was written */
    bool write_acts;    /* a write has a side effect: it starts, acknowledges or looks up something */
    bool read_acts;     /* a read has a side effect */
    bool is_time;       /* the value is a time, and nothing else */
    const char *fields; /* "ACCESS 0, HASH_FAILED 4, SEMAPHORE_ERROR 23:20"; NULL: one number */
};

/* A field of a register. */
struct pfifo_register_field {
    char name[40];
    unsigned high, low; /* bits */
};

/* An area of BAR0 that a unit decodes itself. */
struct pfifo_window {
    const char *name; /* "USER", "PRAMIN" */
    uint32_t base;    /* in bytes of BAR0 */
    uint32_t bytes;
    bool read_acts; /* a read may have a side effect */
};

/* The tables of a GPU, valid as long as it is. */
PFIFO_API const struct pfifo_registers *pfifo_gpu_registers(const struct pfifo_gpu *gpu);

/*
 * The tables of a chip without a GPU: for a console with a real card. It also works for chips that cannot be run, which
 * have fewer named registers. Free them with pfifo_registers_free(). NULL on error: PFIFO_ERROR_ARGUMENT (`chip` is
 * NULL), _MEMORY.
 */
PFIFO_API struct pfifo_registers *pfifo_registers_new(const struct pfifo_chip *chip, struct pfifo_error *error);

/* Only what pfifo_registers_new() returned, or NULL, which does nothing. */
PFIFO_API void pfifo_registers_free(struct pfifo_registers *registers);

PFIFO_API const struct pfifo_chip *pfifo_registers_chip(const struct pfifo_registers *registers);

/* Registers and arrays, sorted by offset. pfifo_registers_at(): false beyond the last. */
PFIFO_API size_t pfifo_registers_count(const struct pfifo_registers *registers);
PFIFO_API bool pfifo_registers_at(const struct pfifo_registers *registers, size_t index, struct pfifo_register *reg);

/*
 * The offset of a register: by NAME, UNIT.NAME or NV_UNIT_NAME (as NVIDIA's manuals have it), each with [INDEX] or
 * without, or by a number, whose low two bits are ignored.
 * Errors: PFIFO_ERROR_ARGUMENT if there is no such register, or if several units have the name.
 */
PFIFO_API enum pfifo_status pfifo_registers_find(const struct pfifo_registers *registers, const char *text,
                                                 uint32_t *offset, struct pfifo_error *error);

/* The register at an offset, or the word of a window, and which element of it (NULL allowed). False: there is none. */
PFIFO_API bool pfifo_registers_describe(const struct pfifo_registers *registers, uint32_t offset,
                                        struct pfifo_register *reg, uint32_t *index);

/*
 * The shortest name of the register at an offset: NAME, or UNIT.NAME where several units have it, with [INDEX] for an
 * array. Prints as snprintf does; 0 and nothing if there is no register.
 */
PFIFO_API size_t pfifo_registers_name(const struct pfifo_registers *registers, uint32_t offset, char *buf, size_t size);

/* Field `index` (0 ...) in the order of `fields`. False beyond the last, and for a register without fields. */
PFIFO_API bool pfifo_register_field_at(const struct pfifo_register *reg, size_t index,
                                       struct pfifo_register_field *field);

/*
 * Registers of PFIFO that memory keeps. RAMFC: those of a channel that is not loaded (NV4 and later). USERD: what PFIFO and
 * the owner of a channel tell each other (GF100 and later).
 */
enum pfifo_kept_in { PFIFO_KEPT_IN_RAMFC, PFIFO_KEPT_IN_USERD };

/* `bits` of the word at `offset`, from bit `low` on, are the bits of a register from bit `reg_low` on. */
struct pfifo_kept_register {
    uint32_t offset; /* of the word, in bytes */
    uint32_t low, bits, reg_low;
    struct pfifo_register reg; /* of the first PBDMA, if a chip has several; all 0: PFIFO's own, which none shows */
};

/* How many bytes the memory has for a channel; 0: the chip has none. */
PFIFO_API size_t pfifo_registers_kept_bytes(const struct pfifo_registers *registers, enum pfifo_kept_in memory);

/*
 * What the memory keeps, in the order of its words. Words of which nothing is known are not listed. False beyond the last.
 * From GA100 on, whose PBDMAs have no fixed place, `reg.offset` is that of chips before.
 */
PFIFO_API bool pfifo_registers_kept(const struct pfifo_registers *registers, enum pfifo_kept_in memory, size_t index,
                                    struct pfifo_kept_register *kept);

/* Windows, in no particular order. False beyond the last. A register inside a window takes precedence over it. */
PFIFO_API bool pfifo_registers_window(const struct pfifo_registers *registers, size_t index,
                                      struct pfifo_window *window);

/*
 * Named words of a window, as arrays: for example word 3 of each channel. Their unit is the window, or the unit in the
 * window's name. pfifo_registers_at() does not list them. False beyond the last.
 */
PFIFO_API bool pfifo_registers_window_word(const struct pfifo_registers *registers, size_t window, size_t index,
                                           struct pfifo_register *word);

#ifdef __cplusplus
}
#endif

#endif
