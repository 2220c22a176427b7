/* SPDX-License-Identifier: MIT */
/*
 * Programs of the macro processor (MME) of GF100 and later, as text.
 *
 *   method of an upload --> code RAM and start addresses, per channel --> listing, when the channel ends
 *   word(s) of an instruction --> statements
 *
 * Instructions are decoded by src/isa/, for execution as well. pfifo-decode(1) describes the notation.
 */
#ifndef PFIFO_DECODE_MACRO_H
#define PFIFO_DECODE_MACRO_H

#include <pfifo/decode.h>

#include "classes/tables.h"

/* The instruction at `pc` as statements with "; " between them. Methods are named as those of `class_id`; 0: not. */
void macro_text_gf100(struct classes_text *text, uint32_t class_id, uint32_t pc, const uint32_t *words);
void macro_text_tu102(struct classes_text *text, uint32_t class_id, uint32_t pc, const uint32_t *words);

/* A method address of an MME instruction, in words, and its increment. */
void macro_text_method(struct classes_text *text, uint32_t address, uint32_t step);
/* The name of a method, as a comment. */
void macro_text_name(struct classes_text *text, uint32_t class_id, uint32_t address);

#endif
