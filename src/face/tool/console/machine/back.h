/* SPDX-License-Identifier: MIT */
/* The way back: the model as it was before the runs since it was changed last, and what they did. */
#ifndef PFIFO_TOOL_CONSOLE_MACHINE_BACK_H
#define PFIFO_TOOL_CONSOLE_MACHINE_BACK_H

#include "face/tool/console/command.h"

/*
 * A run is about to begin. False: the machine cannot be saved; that is an error only if it is `needed`, as by who
 * stops before a method.
 */
bool console_back_begin(struct console *console, bool needed, struct pfifo_error *error);
/* A run of `budget` was done, with `used` units. */
void console_back_ran(struct console *console, uint64_t budget, uint64_t used);
/* Go so many units back. False: the error says why; if the machine is gone, too. */
bool console_back_units(struct console *console, uint64_t units, struct pfifo_error *error);
/* How many of the last runs were of one unit; go back by so many of these, at most all. */
uint64_t console_back_singles(const struct console *console);
bool console_back_by_singles(struct console *console, uint64_t runs, struct pfifo_error *error);
/* The command that is executed changes the machine: what was is out of reach. */
void console_back_changed(struct console *console);
/* It is another machine, which may be small enough to be saved. */
void console_back_loaded(struct console *console);
void console_back_free(struct console *console);

#endif
