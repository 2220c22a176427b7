/* SPDX-License-Identifier: MIT */
/* Which lines or events of a command are printed: a query, and options for what is asked most often. */
#ifndef PFIFO_TOOL_COMMAND_SELECT_H
#define PFIFO_TOOL_COMMAND_SELECT_H

#include <pfifo/query.h>

#include "face/tool/tool.h"

enum { SELECT_BYTES = 4096 };

struct select {
    char text[SELECT_BYTES]; /* the query; empty: everything */
    const char *help;        /* what --where does in this command: "Print only lines" */
    bool of_lines;           /* it is asked about decoded lines: what only events of a run have is an error */
};

/* --where, --class and so on, a child of the command's parser. Its input: a struct select, all zero but `help` and
 * `of_lines`. */
extern const struct argp select_argp;

/* Add a condition. Exits with the usage message if it is too long. */
void select_add(struct select *select, const char *before, const char *text, const char *after,
                const struct argp_state *state);

/* The query of all conditions, NULL if there are none; exits with the usage message if it is wrong. */
struct pfifo_query *select_query(const struct select *select, const struct argp_state *state);

#endif
