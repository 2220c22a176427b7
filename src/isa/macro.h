/* SPDX-License-Identifier: MIT */
/*
 * The macro processor (MME) as programs see it: its methods and the sizes of its memories. Each instruction set has a
 * header of its own.
 *
 * Modelled:     GF100 to GV100 (macro_gf100.h), TU102 and later (macro_tu102.h)
 * Sources:      envytools docs/hw/graph/fermi/macro.rst; Mesa src/nouveau/mme; open-gpu-doc classes
 */
#ifndef PFIFO_SRC_ISA_MACRO_H
#define PFIFO_SRC_ISA_MACRO_H

#include <stdbool.h>
#include <stdint.h>

#include <pfifo/chip.h>

#define MACRO_METHODS 0x1000u /* methods that a macro can send, in words */

/* CALL_MME_MACRO(0), CALL_MME_DATA(0), and the bytes from one macro's pair to the next. */
#define MACRO_CALL   0x3800u
#define MACRO_DATA   0x3804u
#define MACRO_STRIDE 8u

struct macro_isa {
    uint32_t code_words, starts, data_words; /* of memories; powers of two but for the last */
    uint32_t step_words;                     /* of an instruction */
    bool loads_r1;                           /* the first parameter is in register 1; otherwise the macro fetches it */
};

extern const struct macro_isa macro_isa_gf100, macro_isa_tu102;

/* Of a chip with a GPFIFO. */
const struct macro_isa *macro_isa_of(const struct pfifo_chip *chip);

#endif
