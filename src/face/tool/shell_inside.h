/* SPDX-License-Identifier: MIT */
/* What the files of the register console tell each other. */
#ifndef PFIFO_TOOL_SHELL_INSIDE_H
#define PFIFO_TOOL_SHELL_INSIDE_H

#include <pfifo/registers.h>

#include "face/tool/shell.h"

#define SHELL_MAX_WORDS 256  /* on a line */
#define SHELL_MAX_COUNT 4096 /* values that a command may read */

struct shell {
    struct shell_config config;
    struct pfifo_gpu *gpu;
    struct pfifo_trace *trace;
    char *globs;      /* of the trace; NULL: none */
    const char *line; /* to be printed before anything else is, for `explain` */
    bool quit;
};

/* A command: argument 0 is its name. False: it failed, and `error` says why. */
typedef bool (*shell_command)(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

/* Set the error, and return false. */
bool shell_fail(struct pfifo_error *error, const char *format, ...) PFIFO_PRINTF(2, 3);

void shell_print(struct shell *shell, const char *format, ...) PFIFO_PRINTF(2, 3);

/* shell_values.c */

/* Where a command reads and writes. */
enum shell_space { SHELL_BAR, SHELL_VRAM, SHELL_SYSTEM };

struct shell_place {
    enum shell_space space;
    unsigned bar;
    uint64_t address;
    uint32_t stride; /* of the array that was named; 0: none was */
};

/* PLACE: [SPACE:]ADDRESS. VALUE: a number of at most `bytes`. NUMBER: one from 0 to `most`. */
bool shell_place(struct shell *shell, const char *text, struct shell_place *place, struct pfifo_error *error);
bool shell_value(struct shell *shell, const char *text, unsigned bytes, uint32_t *value, struct pfifo_error *error);
bool shell_number(const char *text, uint64_t most, uint64_t *number, struct pfifo_error *error);

/* The place in a space with a name: "vram", "bar1" ... */
bool shell_place_in(struct shell *shell, const char *space, uint64_t address, struct shell_place *place,
                    struct pfifo_error *error);

/* 1, 2 or 4 bytes at any address. */
uint32_t shell_read(struct shell *shell, const struct shell_place *place, unsigned bytes);
void shell_write(struct shell *shell, const struct shell_place *place, unsigned bytes, uint32_t value);

/* The window of that name. False if the chip has none. */
bool shell_window(const struct shell *shell, const char *name, struct pfifo_window *window);

/* shell_access.c */
bool shell_cmd_read(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_write(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_memory(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_bar(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_expect(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

/* shell_show.c */
bool shell_cmd_dump(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_irq(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_channels(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
/* "0x003270 CACHE1_GET = 0x00000004  ADDRESS=1" */
void shell_show_register(struct shell *shell, uint32_t offset, uint32_t value);

/* shell_run.c */
bool shell_cmd_run(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_step(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_stop(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_trace(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
/* "idle", "waiting" ... */
const char *shell_stop_name(enum pfifo_stop stop);
/* Make the trace of shell->globs anew, for shell->gpu. */
bool shell_trace(struct shell *shell, struct pfifo_error *error);

/* shell_state.c */
bool shell_cmd_save(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);
bool shell_cmd_load(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error);

#endif
