/* SPDX-License-Identifier: MIT */
/*
 * The vector instructions for processors that have AVX2 and FMA, but not AVX-512: 8 words wide, 16 registers, no masks, no
 * operand for all lanes. What is missing is made of several instructions, with registers 13 to 15, which nobody else uses then;
 * a mask is a row of 8 words, all ones or 0, on the stack. Inside the assembler.
 */
#ifndef PFIFO_SRC_ENGINE_SHADE_ASSEMBLER_NARROW_H
#define PFIFO_SRC_ENGINE_SHADE_ASSEMBLER_NARROW_H

#include "engine/shade/compile/assembler.h"

/* ---- assembler.c ---- */
void assembler_put(struct assembler *a, unsigned byte);
void assembler_put_operand(struct assembler *a, unsigned field, struct assembler_operand m, unsigned bytes_after);

/* ---- assembler_narrow.c ---- */
void narrow_vector(struct assembler *a, unsigned op, unsigned d, unsigned v, struct assembler_operand m, int byte);
void narrow_masked(struct assembler *a, unsigned op, unsigned d, unsigned v, struct assembler_operand m, unsigned k,
                   bool zero);
void narrow_shift(struct assembler *a, unsigned shift, unsigned d, struct assembler_operand m, uint8_t by);
void narrow_mask(struct assembler *a, unsigned op, unsigned d, unsigned x, unsigned y);
void narrow_mask_not(struct assembler *a, unsigned d, unsigned x);
void narrow_mask_move(struct assembler *a, unsigned d, unsigned x);
void narrow_mask_load(struct assembler *a, unsigned d, unsigned base, int32_t offset); /* 8 bits */
void narrow_mask_store(struct assembler *a, unsigned base, int32_t offset, unsigned x);
void narrow_mask_from(struct assembler *a, unsigned d, unsigned r);
void narrow_mask_to(struct assembler *a, unsigned r, unsigned x);

#endif
