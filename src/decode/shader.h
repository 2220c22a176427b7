/* SPDX-License-Identifier: MIT */
/* Shader programs as text. */
#ifndef PFIFO_DECODE_SHADER_H
#define PFIFO_DECODE_SHADER_H

#include "isa/shader/isa.h"

#include <pfifo/decode.h>

enum { SHADER_TEXT = 400 };

/* NULL: none that is known. */
const struct isa *shader_isa_of(const struct pfifo_chip *chip);

/*
 * An instruction as text, "illegal" if there is none. `*control` is the word for the scheduler that came last, 0 before the
 * first; another one is kept there.
 */
struct isa_decoded shader_list_one(const struct isa *isa, uint64_t address, const void *words, uint64_t *control,
                                   char text[SHADER_TEXT]);

#endif
