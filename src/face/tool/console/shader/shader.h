/* SPDX-License-Identifier: MIT */
/*
 * Stops inside a shader program. The machine itself does not stop there: it stands before the unit of work in which the
 * program runs. What is inside is seen in a copy of it, which does that unit again and is watched, as often as needed;
 * it does the same each time.
 *
 *   breakpoints --watch--> a unit of the machine had a hit? --the target goes back to before it--> shader_enter()
 *                                                                                                      |
 *   the machine, saved --> a copy --watch--> the warp, at its Nth instruction <---- stepi, info lanes, print $r3
 *
 * A place inside is told by the number of the warp in the unit, and by how many instructions it has executed. A warp of
 * a launch may go on in later units; move.c follows it there.
 */
#ifndef PFIFO_TOOL_CONSOLE_SHADER_SHADER_H
#define PFIFO_TOOL_CONSOLE_SHADER_SHADER_H

#include <pfifo/program.h>

#include "face/tool/console/command.h"
#include "face/tool/console/examine.h"
#include "face/tool/console/target.h"

/* ---- shader.c ---- */

/* The machine goes on: it is watched if a breakpoint wants that. `inside`: it was, and its first unit is not new. */
void shader_watch_begin(struct console *console, bool inside);
void shader_watch_end(struct console *console);
/* Was a breakpoint hit by the unit that was done last? */
bool shader_found(struct console *console);

/* The machine stands before such a unit: stop inside, at the first hit. False: the error says why it is not there. */
bool shader_enter(struct console *console, struct pfifo_error *error);
/* To the next hit in the same unit. `*found`: there is one; else nothing has changed. */
bool shader_next(struct console *console, bool *found, struct pfifo_error *error);
bool shader_inside(const struct console *console);
/* The machine is going to change, or has gone on. */
void shader_leave(struct console *console);
void shader_free(struct console *console);

/* Look at the warp where it is. False: it is not there, which the error says. */
typedef void shader_look(void *opaque, const struct pfifo_program_step *step, struct pfifo_warp *warp);
bool shader_see(struct console *console, shader_look *look, void *opaque, struct pfifo_error *error);
/* What the place is. */
struct shader_at {
    struct pfifo_program_step step;
    unsigned lane; /* that commands are about */
};
const struct shader_at *shader_at(const struct console *console);
void shader_set_lane(struct console *console, unsigned lane);

/* ---- move.c ---- */

/*
 * By so many instructions of the warp, on or back. If they are in another unit of work, the machine goes to before that
 * one, and no breakpoint stops it on the way. False: there is no such place, and it is where it was; or the machine
 * could not get back, and it is outside.
 */
bool shader_move(struct console *console, bool goes_back, uint64_t count, struct pfifo_error *error);

/* ---- lanes.c ---- */

/* The program, the warp, the lane and the instruction, in two lines. */
void shader_print_place(struct console *console);
/* The registers of the lane. */
bool shader_print_registers(struct console *console, struct pfifo_error *error);
/* The text of the instruction. */
void shader_text(struct console *console, char text[PFIFO_INSTRUCTION_BYTES]);
/* "pixel 12,34" */
void shader_format_thread(const struct pfifo_warp_thread *thread, char *text, size_t room);

/* ---- commands.c ---- */

/* Instructions from an address on; NULL: around the one where it is. */
bool shader_list(struct console *console, const char *address, uint64_t count, struct pfifo_error *error);
/* disassemble [ADDRESS [COUNT]] */
bool shader_disassemble(struct console *console, unsigned count, char **argument, struct pfifo_error *error);

/* ---- values.c ---- */

/* "$pc", "$r3", "$p0". False: there is no such here, without an error if the name is none of these. */
bool shader_variable(struct console *console, const char *name, uint64_t *value, struct pfifo_error *error);
/* Is PLACE one inside: "local:0x10", "const1:0x20"? */
bool shader_is_place(const struct console *console, const char *place);
bool shader_examine(struct console *console, const char *place, const struct examine_format *format, uint8_t *data,
                    struct console_examined *where, struct pfifo_error *error);

#endif
