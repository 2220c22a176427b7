/* SPDX-License-Identifier: MIT */
/*
 * Where the lines of a console come from: options, files, a pipe, a user at a terminal.
 *
 * Errors go to standard error. In options, files and pipes the first error ends the session, unless it keeps going.
 */
#ifndef PFIFO_TOOL_CONSOLE_LINES_SESSION_H
#define PFIFO_TOOL_CONSOLE_LINES_SESSION_H

#include "face/tool/console/console.h"
#include "face/tool/console/lines/first_commands.h"
#include "face/tool/tool.h"

struct console_session {
    struct console *console;
    const char *name;   /* whose lines are remembered: "shell" */
    const char *prompt; /* at a terminal; NULL: the chip's name */
    bool keep_going;    /* after an error */
    bool runs_stop;     /* at a terminal, Ctrl-C stops the command; else the command sees to that */
    bool quit;          /* the result: quit was said */
};

/* -e and -x: the worst of them; without keep_going up to the first that is not good. */
enum tool_status session_first(struct console_session *session, const struct first_commands *first);
/* The lines of a file. */
enum tool_status session_file(struct console_session *session, const char *name);
/* Those of standard input; `terminal`: a user types them. */
enum tool_status session_input(struct console_session *session, bool terminal);

#endif
