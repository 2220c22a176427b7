/* SPDX-License-Identifier: MIT */
/*
 * Chips by what people call them: "GTX 1060", "10de:1c03", "sm_61".
 *
 *   boards.txt --boards.awk--> boards[] --> the chip; or which there are, or that pfifo has no row of it
 */
#ifndef PFIFO_TOOL_CHIPS_BOARDS_H
#define PFIFO_TOOL_CHIPS_BOARDS_H

#include <pfifo/chip.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A name and a PCI device id; boards of one name with several ids are several rows. */
struct board {
    const char *chip, *name; /* chip NULL: the end */
    uint16_t id;             /* of the vendor 10de; 0: none */
    bool few;                /* most boards of the name have another chip */
};

extern const struct board boards[];

/*
 * The chip of this name or number (pfifo_chip_by_name()), or on the board of this name or PCI id. NVIDIA and GeForce
 * may be left out of a board's name, and so may its end if all boards whose names begin so have the same chip. NULL:
 * `why` says that there is no such chip, that there are several, or that pfifo knows only its name.
 */
const struct pfifo_chip *boards_chip(const char *text, char *why, size_t size);

/*
 * A chip of a compute capability ("sm_52"), for who only asks about instructions: all chips of one have the same. NULL: it
 * is no capability, or pfifo has no row of its chips.
 */
const struct pfifo_chip *boards_chip_of_capability(const char *text);

#endif
