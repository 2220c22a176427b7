/* SPDX-License-Identifier: MIT */
/*
 * Programs of the macro processor: code, and where each macro starts. Whoever has a window may write them, all classes
 * of a channel have the same.
 *
 * UNKNOWN: pointers beyond the end of a memory; chosen: they wrap.
 */
#include "engine/macro/machine.h"

enum action_result macro_code_pointer(struct call *call) {
    struct macro *m = macro_of(call);
    if (m)
        m->code_pointer = call->data;
    return ACTION_DONE;
}

enum action_result macro_code(struct call *call) {
    struct macro *m = macro_of(call);
    if (m)
        m->code[m->code_pointer++ & (m->isa->code_words - 1)] = call->data;
    return ACTION_DONE;
}

enum action_result macro_start_pointer(struct call *call) {
    struct macro *m = macro_of(call);
    if (m)
        m->start_pointer = call->data;
    return ACTION_DONE;
}

enum action_result macro_start(struct call *call) {
    struct macro *m = macro_of(call);
    if (m)
        m->start[m->start_pointer++ & (m->isa->starts - 1)] = call->data;
    return ACTION_DONE;
}
