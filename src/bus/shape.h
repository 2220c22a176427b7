/* SPDX-License-Identifier: MIT */
/*
 * The layout of a card's memory, G80 and later: the number of partitions in use, and the bytes of each.
 *
 *   VRAM (the owner's) = partitions in use x controllers in use x bytes of each             GF100-
 *                      = partitions in use x banks x columns x 8 x (rows A + rows B)        G80:GF100
 *
 * Firmware sets the registers of the memory controllers to the DRAM on the board, and drivers compute the size from
 * these registers. Boards with less memory often have fewer partitions; the others are fused off. The model does the
 * same if the size requires it (768 MiB of a G80 are six partitions, 640 five, 512 four).
 *
 * Modelled:     the registers that show it, in units.c, for every size that is whole MiB (Tesla: with one or two powers
 *               of two in each partition).
 * Not modelled: partitions of different sizes ("mixed memory"), where a part is far above the rest; how addresses are
 *               distributed over partitions. With a size that no board can have, Tesla's columns and rows describe less
 *               than its size register shows; on GF100 and later the fraction of a MiB is left out.
 * Sources:      envytools docs/hw/gpu.rst, docs/hw/memory/g80-vram.rst, rnndb/memory/{g80_pfb,gf100_pbfb}.xml;
 *               nouveau nvkm/subdev/fb/ram{nv50,gf100,gf108,gm107,gm200,gp100}.c.
 */
#ifndef PFIFO_SRC_BUS_SHAPE_H
#define PFIFO_SRC_BUS_SHAPE_H

#include "chip/chip.h"

struct memory_shape {
    uint32_t partitions;  /* in use, from 0 up */
    uint32_t controllers; /* GF100-: in use in each of these */
    uint32_t ltcs;        /* GF100-: the same */
    uint64_t bytes;       /* of each controller; Tesla: of each partition */
};

struct memory_shape memory_shape_of(const struct pfifo_chip *chip, uint64_t vram_bytes);

/* Tesla: CFG0 (second rank) and CFG1 (banks, columns, rows) of partitions with `bytes` each. */
void memory_shape_tesla(uint64_t bytes, uint32_t *cfg0, uint32_t *cfg1);

#endif
