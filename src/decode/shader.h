/* SPDX-License-Identifier: MIT */
/* Shader programs as text. */
#ifndef PFIFO_DECODE_SHADER_H
#define PFIFO_DECODE_SHADER_H

#include "isa/shader/isa.h"

#include <pfifo/decode.h>

enum { SHADER_TEXT = 400 };

/* NULL: none that is known. */
const struct isa *shader_isa_of(const struct pfifo_chip *chip);

#endif
