/* SPDX-License-Identifier: MIT */
/* -e COMMAND and -x FILE of consoles: what is done before their other commands, in the order of the options. */
#ifndef PFIFO_TOOL_CONSOLE_LINES_FIRST_COMMANDS_H
#define PFIFO_TOOL_CONSOLE_LINES_FIRST_COMMANDS_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

enum { FIRST_COMMANDS = 64 };

struct first_commands {
    struct first_command {
        bool is_file;
        const char *text; /* a path, or a command */
    } list[FIRST_COMMANDS];
    size_t count;
};

/* The options. Its input is a struct first_commands. */
extern const struct argp first_commands_argp;

#endif
