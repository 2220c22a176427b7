/* SPDX-License-Identifier: MIT */
/* Which build of the operations the host's processor takes. */
#include "engine/shade/interpret/core.h"
#include "engine/shade/interpret/interpret.h"

shade_op *shade_operation(const struct ir *ir) {
#ifdef SHADE_HAS_AVX2
    if (__builtin_cpu_supports("avx2"))
        return shade_avx2_op_of(ir);
#endif
    return shade_op_of(ir);
}
