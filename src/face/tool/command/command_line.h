/* SPDX-License-Identifier: MIT */
/*
 * The words of a command: those that the user's file has for it (user_config.h), then what was typed.
 *
 *   file, argv --> argp of the command --> its input            how it is shown: view.h
 */
#ifndef PFIFO_TOOL_COMMAND_COMMAND_LINE_H
#define PFIFO_TOOL_COMMAND_COMMAND_LINE_H

#include "face/tool/view/paint.h"

#include <argp.h>

/* Parse; argv[0] is "pfifo COMMAND". Exits with a message if something is wrong. */
void command_line_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input);

/* The same for a command that prints a listing, with --color and these rules: standard output is painted from now on.
 */
void command_line_parse_painted(const struct argp *argp, int argc, char **argv, const struct paint_rule *rules,
                                void *input);

/* And with --no-pager: a pager shows what is printed from now on, if standard output is a terminal. */
void command_line_parse_listing(const struct argp *argp, int argc, char **argv, const struct paint_rule *rules,
                                void *input);

/* The same options for a command that asks for lines: view_page_begin() obeys --no-pager. */
void command_line_parse_console(const struct argp *argp, int argc, char **argv, const struct paint_rule *rules,
                                void *input);

#endif
