/* SPDX-License-Identifier: MIT */
/* The interpreter, as the rest of the shader core sees it. */
#ifndef PFIFO_SRC_ENGINE_SHADE_INTERPRET_INTERPRET_H
#define PFIFO_SRC_ENGINE_SHADE_INTERPRET_INTERPRET_H

#include "engine/shade/warp.h"

/* The function of an instruction, for the host's processor. All processors' have the same results. NULL: flow. */
shade_op *shade_operation(const struct ir *ir);

/* Run a warp. `function`: of the compiler (compile/compile.h), whose runs are used; NULL: none. */
enum shade_stop shade_interpret(void *function, struct shade_warp *warp, uint64_t budget, uint64_t *used);

/* shade_executor.whole of the compiler. */
bool shade_interpret_whole(void *function, const struct shade_start *start, uint64_t budget, enum shade_stop *stop,
                           uint64_t *used);

#endif
