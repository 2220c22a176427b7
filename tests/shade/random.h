/* SPDX-License-Identifier: MIT */
/* Random instructions that compute values, and words that are worth computing with. */
#ifndef PFIFO_TESTS_SHADE_RANDOM_H
#define PFIFO_TESTS_SHADE_RANDOM_H

#include "differential/choice.h"
#include "isa/shader/ir.h"

#define RANDOM_REGISTERS 16u /* that instructions name */

/* Words that matter as integers, floats, halves and high words of doubles. */
uint32_t random_word(struct choice *c);
struct ir random_instruction(struct choice *c);
/* Of a form that programs mostly have: without flags, rounded to the nearest. */
struct ir random_plain_instruction(struct choice *c);
/* One of those, or one that asks the stage, or other lanes, for something. */
struct ir random_stage_instruction(struct choice *c);

#endif
