/* SPDX-License-Identifier: MIT */
/* Names that the text of an instruction is made of. */
#ifndef PFIFO_SRC_ISA_SHADER_PRINT_H
#define PFIFO_SRC_ISA_SHADER_PRINT_H

#include "isa/shader/isa.h"
#include "isa/shader/operation.h"

enum { ISA_TYPES = IR_F64 + 1, ISA_ATOMICS = IR_LOAD_ONLY + 1 };

extern const char *const isa_part_names[8], *const isa_type_names[ISA_TYPES], *const isa_size_names[ISA_TYPES],
                                                                                  *const isa_atomic_names[ISA_ATOMICS];

#endif
