/* SPDX-License-Identifier: MIT */
/*
 * The chips the library knows: one constant row each, NV1 (1995) to GH100 (2022).
 *
 * Library: libpfifo
 */
#ifndef PFIFO_CHIP_H
#define PFIFO_CHIP_H

#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A chip. Opaque; points to constant data that lives as long as the program. */
struct pfifo_chip;

/* What a program may want to know about a chip. Pointers are to constant data. */
struct pfifo_chip_info {
    const char *name;       /* "NV40", "GT215", "GM20B" */
    const char *generation; /* "Curie", "Tesla", "Maxwell" ... */
    uint32_t id;            /* chipset number as PMC_BOOT_0 shows it: 0x40, 0xa3, 0x12b; 1 for NV1 ... */
    uint32_t boot0;         /* value of PMC_BOOT_0 in the model */
    uint32_t channels;      /* channels that can be used */
    uint32_t cache_entries; /* depth of CACHE1, 0 where there is none (GF100 and later) */
    uint32_t pbdmas;        /* PSUBFIFOs or PBDMAs, 0 before GF100 */
    uint32_t host_class;    /* class of a channel: 0x406e, 0x826f, 0x906f ... 0 if not known */
    uint64_t vram_bytes;    /* VRAM the model gives by default, 0 for a chip without its own */
    bool runs;              /* the machine of this chip is built */
    bool draws;             /* it executes draws of 3D objects, not only clears */
    uint64_t bar1_bytes;    /* size of BAR1 on a common board, 0 if the chip has none */
};

/* Number of chips known. */
PFIFO_API size_t pfifo_chip_count(void);

/* Chip `index` (0 .. count-1) in the order of introduction, NULL beyond. */
PFIFO_API const struct pfifo_chip *pfifo_chip_at(size_t index);

/* Chip by name, case-insensitive ("nv40", "GT215"), or by number ("0xa3", "a3", "nva3"); NULL if there is none. */
PFIFO_API const struct pfifo_chip *pfifo_chip_by_name(const char *name);

/* Chip by chipset number as in PMC_BOOT_0[28:20] (NV1: 1, NV3: 3, NV4: 4, NV5: 5), NULL if there is none. */
PFIFO_API const struct pfifo_chip *pfifo_chip_by_id(uint32_t id);

/*
 * Chip by PMC_BOOT_0 (offset 0 of BAR0) of any generation, NULL if the value is that of none: a card that does not
 * answer reads as 0xffffffff. `swapped` (NULL allowed): the value came in the other byte order, as BAR0 of a card in
 * big-endian mode gives it.
 */
PFIFO_API const struct pfifo_chip *pfifo_chip_by_boot0(uint32_t boot0, bool *swapped);

/*
 * Has the chip a class of objects with this number? False if no source says so: such an object is kept like any other
 * (engine.foreign_class), and what the hardware does with it may not be known.
 */
PFIFO_API bool pfifo_chip_has_class(const struct pfifo_chip *chip, uint32_t object_class);

/* Describe a chip. */
PFIFO_API struct pfifo_chip_info pfifo_chip_info(const struct pfifo_chip *chip);

#ifdef __cplusplus
}
#endif

#endif
