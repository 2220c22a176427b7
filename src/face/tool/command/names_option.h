/* SPDX-License-Identifier: MIT */
/* --names, of the commands that print methods. */
#ifndef PFIFO_TOOL_COMMAND_NAMES_OPTION_H
#define PFIFO_TOOL_COMMAND_NAMES_OPTION_H

#include <argp.h>

/* A child without an input: it sets naming() (face/common/naming.h). */
extern const struct argp names_option_argp;

/* The children of a command that has no others. */
extern const struct argp_child names_option_children[];

#define NAMES_OPTION_CHILD                                                                                             \
    { &names_option_argp, 0, "Names:", 8 }

#endif
