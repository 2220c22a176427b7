/* SPDX-License-Identifier: MIT */
/* Which function an operation is. */
#include "engine/shade/interpret/core.h"

#include <assert.h>

bool shade_not_executed(struct shade_warp *warp, const struct ir *ir, uint32_t lanes) {
    (void)lanes;
    if (warp->io->not_executed && !shade_program_reported(warp->program, ir->address))
        warp->io->not_executed(warp, ir);
    if (!warp->io->collects)
        shade_program_report(warp->program, ir->address);
    return true;
}

/* Of doubles, what has no function of its own is the same. Flow has none. */
static const struct {
    shade_op *run, *doubles;
} ops[IR_OPS] = {
#define RUN(f)                                                                                                         \
    { shade_##f, shade_##f }
#define RUN2(f, g)                                                                                                     \
    { shade_##f, shade_##g }
#define FLOW                                                                                                           \
    { NULL, NULL }
#define OP(name, run, ...) [IR_##name] = run,
#include "isa/shader/ops.def"
};

/* Sources in place, from inputs and shared memory, are Tesla's. */
static bool in_place(const struct ir_source *source) {
    return source->kind == IR_INPUT || source->kind == IR_SHARED;
}

shade_op *shade_op_of(const struct ir *ir) {
    assert(ir->op < IR_OPS);
    if (!ops[ir->op].run)
        return NULL;
    if (in_place(&ir->a) || in_place(&ir->b) || in_place(&ir->c))
        return shade_not_executed;
    if (ir->type == IR_F64)
        return ops[ir->op].doubles;
    shade_op *plain = shade_plain_of(ir);
    return plain ? plain : ops[ir->op].run;
}
