/* SPDX-License-Identifier: MIT */
#include "engine/macro/machine.h"

static enum macro_step step(struct macro *m, const struct call *call) {
    (void)m, (void)call;
    return MACRO_ILLEGAL;
}

const struct macro_isa macro_isa_tu102 = {
    .code_words = 0x4000, .starts = 0x100, .data_words = 0xc00, .step_words = 3, .step = step};
