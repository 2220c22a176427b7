/* SPDX-License-Identifier: MIT */
/* What shader.c and move.c keep of a stop inside a program. */
#ifndef PFIFO_TOOL_CONSOLE_SHADER_INSIDE_H
#define PFIFO_TOOL_CONSOLE_SHADER_INSIDE_H

#include "face/tool/console/shader/shader.h"

struct console_shader {
    bool watching, found; /* the machine */
    bool passes;          /* its next unit is the one that was looked into */
    bool inside;
    struct shader_at at;
    struct state_bytes state; /* of the machine, before the unit */
    struct pfifo_gpu *copy;

    /* While the copy runs: */
    bool done;
    uint64_t warp, executed; /* what is looked for, or after what */
    shader_look *look;
    void *look_opaque;
};

/* Save the machine's state, and make a copy to load it into. shader_leave() frees both, also if this failed. */
bool shader_make_copy(struct console *console, struct pfifo_error *error);
/* Bring the copy to where the machine is. */
bool shader_load_copy(struct console *console, struct pfifo_error *error);
/* Look at the warp after so many instructions. `done` says whether the unit has that place. */
bool shader_see_at(struct console *console, uint64_t executed, shader_look *look, void *opaque,
                   struct pfifo_error *error);

#endif
