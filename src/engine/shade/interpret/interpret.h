/* SPDX-License-Identifier: MIT */
/* The interpreter, as the rest of the shader core sees it. */
#ifndef PFIFO_SRC_ENGINE_SHADE_INTERPRET_INTERPRET_H
#define PFIFO_SRC_ENGINE_SHADE_INTERPRET_INTERPRET_H

#include "engine/shade/program.h"

/* The function of an instruction, for the host's processor. All processors' have the same results. NULL: flow. */
shade_op *shade_operation(const struct ir *ir);

#endif
