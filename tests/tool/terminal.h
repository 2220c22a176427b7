/* SPDX-License-Identifier: MIT */
/* A pseudo terminal for what behaves otherwise on one. */
#ifndef PFIFO_TESTS_TOOL_TERMINAL_H
#define PFIFO_TESTS_TOOL_TERMINAL_H

#include "tool/tool.h"

#include <stdbool.h>

/* The end for the tool; `ours` is the other one. -1: there is none. */
int open_terminal(int *ours);

/*
 * Run the tool with `arguments`, NULL terminated, and with standard output and, if `errors`, standard error on a
 * terminal. `out` is what came to the terminal; without `errors`, `err` is what was said on standard error.
 */
struct outcome terminal_run_to(bool errors, const char *const *arguments);

#define terminal_run(...) terminal_run_to(false, (const char *const[]){__VA_ARGS__, NULL})

#endif
