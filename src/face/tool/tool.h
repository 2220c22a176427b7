/* SPDX-License-Identifier: MIT */
/*
 * The command line tool.
 *
 *   main --argp--> command --> library --> standard output          messages: standard error
 *
 * Results go to standard output and are the same on every run; everything else goes to standard error.
 */
#ifndef PFIFO_TOOL_H
#define PFIFO_TOOL_H

#include <pfifo/chip.h>
#include <pfifo/stream.h>

#include <argp.h>
#include <stdio.h>

/* Exit status. A command with several files returns the greatest. */
enum tool_status {
    TOOL_OK = 0,
    TOOL_FAULTED = 1, /* the command stream has errors, faulted or never ended */
    TOOL_FAILED = 2,  /* bad usage, unreadable input, unwritable output */
};

/* A command: argv[0] is what its messages call it, "pfifo run". */
typedef enum tool_status (*tool_command)(int argc, char **argv);

enum tool_status cmd_run(int argc, char **argv);
enum tool_status cmd_record(int argc, char **argv);
enum tool_status cmd_decode(int argc, char **argv);
enum tool_status cmd_disasm(int argc, char **argv);
enum tool_status cmd_debug(int argc, char **argv);
enum tool_status cmd_grep(int argc, char **argv);
enum tool_status cmd_state(int argc, char **argv);
enum tool_status cmd_image(int argc, char **argv);
enum tool_status cmd_report(int argc, char **argv);
enum tool_status cmd_edit(int argc, char **argv);
enum tool_status cmd_reduce(int argc, char **argv);
enum tool_status cmd_diff(int argc, char **argv);
enum tool_status cmd_top(int argc, char **argv);
enum tool_status cmd_timeline(int argc, char **argv);
enum tool_status cmd_lint(int argc, char **argv);
enum tool_status cmd_explain(int argc, char **argv);
enum tool_status cmd_asm(int argc, char **argv);
enum tool_status cmd_chips(int argc, char **argv);
enum tool_status cmd_info(int argc, char **argv);
enum tool_status cmd_events(int argc, char **argv);
enum tool_status cmd_regs(int argc, char **argv);
enum tool_status cmd_shell(int argc, char **argv);
enum tool_status cmd_serve(int argc, char **argv);
enum tool_status cmd_vm(int argc, char **argv);

/* main.c: is there such a command, with options? */
bool tool_has_command(const char *name);

/* input.c: a path, or - for standard input. */

/* Can the file be read only once: a pipe, standard input? */
bool tool_reads_once(const char *path);

/* A whole file, to be freed. NULL on failure. */
void *tool_read(const char *path, size_t *bytes, struct pfifo_error *error);

/* A capture. NULL on failure. */
struct pfifo_stream *tool_open(const char *path, struct pfifo_error *error);

/* The name of the file, without folders. */
const char *tool_input_name(const char *path);

/* What messages call the file: its path. */
const char *tool_input_path(const char *path);

/* output.c */

/* "pfifo: message" on standard error. */
void tool_message(const char *format, ...) PFIFO_PRINTF(1, 2);

/* "pfifo: FILE: message" */
void tool_message_of(const char *file, const char *format, ...) PFIFO_PRINTF(2, 3);

/* The same of an error, which may have the file's name already; `part`: of the file, NULL: the whole. */
void tool_message_error(const char *file, const char *part, const struct pfifo_error *error);

/* "pfifo: PATH: cannot WHAT: reason": the system refuses, and errno has the reason. False. */
bool tool_cannot(const char *path, const char *what);

/* Say so if a capture ends early. */
void tool_note_truncated(const struct pfifo_stream *stream, const char *file);

/* A write callback of the library; opaque is the FILE. */
bool tool_write(void *opaque, const char *text, size_t bytes);
/* errno of the first failed write to standard output, 0: none has failed. */
int tool_output_reason(void);
void tool_note_output_reason(int reason);

/* A file with a name, which remembers why a write failed. */
struct tool_output {
    FILE *file;
    int reason; /* errno of the first write that failed, 0: none has */
};
bool tool_write_output(void *opaque, const char *text, size_t bytes);
/* Is the file called -, which is standard output? */
bool tool_is_output(const char *path);
/* Open it; a path of NULL is standard output, too. False: a message was printed. */
bool tool_create(struct tool_output *output, const char *path);
/* Close it, unless it is standard output, which is checked at the end. False: it is incomplete; a message was printed.
 */
bool tool_close(struct tool_output *output, const char *name);

/* The number of an option; exits with the usage message if it is not one. */
uint64_t tool_number(const struct argp_state *state, const char *option, const char *text);

/* The same, from 1 to `most`. */
unsigned tool_amount(const struct argp_state *state, const char *option, const char *text, unsigned most);

/* The chip of that name or number; exits with the usage message if there is none. */
const struct pfifo_chip *tool_chip(const struct argp_state *state, const char *text);

/* --json for a command that has no other option; the input of the parser is a bool. */
extern const struct argp_option tool_json_options[];
error_t tool_parse_json(int key, char *arg, struct argp_state *state);

#endif
