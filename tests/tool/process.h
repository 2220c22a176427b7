/* SPDX-License-Identifier: MIT */
/* The tool as a process that runs while the test does something: what it says comes by pipes, or a terminal. */
#ifndef TESTS_TOOL_PROCESS_H
#define TESTS_TOOL_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { PROCESS_TEXT = 65536 };

struct process {
    pid_t pid;
    int out, err; /* our ends: of a pipe, and of a terminal or pipe */
    char said[2][PROCESS_TEXT];
    size_t bytes[2];
};

/* Start the tool with `arguments`, NULL terminated. terminal: that is its standard error. */
void process_start(struct process *process, bool terminal, const char *const *arguments);

/*
 * Read what it says until `text` is in what `which` (0: output, 1: errors) says; NULL: until both have ended. False: it
 * has not come, after a minute.
 */
bool process_listen(struct process *process, int which, const char *text);

/* Wait for its end, and the end of what it says. Returns what waitpid() says. */
int process_finish(struct process *process);

/* The text is in what it has said so far. */
void process_expect(const struct process *process, int which, const char *text);

#endif
