/* SPDX-License-Identifier: MIT */
/* Runs the tool that PFIFO_TOOL names, and keeps what it says. */
#ifndef TESTS_TOOL_TOOL_H
#define TESTS_TOOL_TOOL_H

#include <stddef.h>

struct outcome {
    int status; /* exit status, -1: killed by a signal */
    char *out, *err;
    size_t out_bytes;
};

/* Path of the tool. */
const char *tool_name(void);

/* Run the tool with `arguments`, NULL terminated. Standard output goes to `path` if it is not NULL. */
struct outcome tool_run_to(const char *path, const char *const *arguments);

/* The same with `input` as standard input. */
struct outcome tool_run_from(const char *input, const char *const *arguments);

/* The same with a text as standard input. */
struct outcome tool_run_with(const char *text, const char *const *arguments);
void outcome_free(struct outcome *outcome);

#define tool_run(...) tool_run_to(NULL, (const char *const[]){__VA_ARGS__, NULL})

/* Run, check the exit status, and forget the rest. Prints what the tool said if the status is another. */
void expect_status(int status, const struct outcome *outcome);

/* This text is in what the tool said on standard output. */
void expect_printed(const struct outcome *outcome, const char *text);

/* This text is in what it said on standard error. */
void expect_said(const struct outcome *outcome, const char *text);

/* What it said on standard output is the file tests/golden/NAME; scripts/refresh-golden writes that anew. */
void expect_golden(const char *name, const struct outcome *outcome);

/* Path of a sample, to be freed. */
char *sample_path(const char *name);

/* A name for a file of this test, to be removed and freed. */
char *temporary_path(const char *suffix);
void write_file(const char *path, const void *data, size_t bytes);

/* A library cannot be loaded for a while: before it comes a file of its name that is none. */
struct hidden {
    char *folder, *file, *path_before;
};

struct hidden hide_library(const char *name);
void show_library(struct hidden *hidden);

#endif
