/* SPDX-License-Identifier: MIT */
/*
 * Libraries that the tool does not need to start: they are loaded when something asks for them. Of these only the
 * headers are used when the tool is built.
 *
 *   #define EXAMPLE_FUNCTIONS(F) F(example_open) F(example_close)
 *   struct example { EXAMPLE_FUNCTIONS(LIBRARY_MEMBER) };
 *   static const struct library_function functions[] = {EXAMPLE_FUNCTIONS(LIBRARY_ROW)};
 *   library_load("libexample.so.1", functions, sizeof functions / sizeof functions[0], &example)
 */
#ifndef PFIFO_TOOL_COMMAND_LIBRARY_H
#define PFIFO_TOOL_COMMAND_LIBRARY_H

#include <stdbool.h>
#include <stddef.h>

struct library_function {
    const char *name;
};

#define LIBRARY_MEMBER(function) __typeof__(function) *function;
#define LIBRARY_ROW(function)    {#function},

/* `members`: a structure of pointers to these functions, in this order. False: the library, or one of them, is missing.
 */
bool library_load(const char *file, const struct library_function *functions, size_t count, void *members);

#endif
