/* SPDX-License-Identifier: MIT */
/* Runs programs on Mesa: on the model, by libpfifo-drm.so, or on the processor (llvmpipe). */
#ifndef TESTS_MESA_CLIENT_H
#define TESTS_MESA_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* A chip, as GL_RENDERER names it. */
struct mesa_chip {
    const char *name, *renderer;
    int version; /* of OpenGL ES that Mesa has for it, times ten; from 31 on draws are executed */
    bool further;
};

/* One of each generation that Mesa tells apart, and further ones, which only run if they are asked for. Ends with a row
 * without name. */
extern const struct mesa_chip mesa_chips[];

/* PFIFO_MESA_CHIPS, "gf100 gm107": these are asked for, instead of those that a test has usually. */
bool client_wants(const struct mesa_chip *chip);
/* Those of `usual`, or what is asked for. Both end with NULL. */
const char *const *client_chips(const char *const *usual);
const struct mesa_chip *client_chip(const char *name);

/* PFIFO_MESA_DRIVER=zink: OpenGL is not nouveau's, but Mesa's zink on its Vulkan driver NVK. */
bool client_is_zink(void);
/* What GL_RENDERER has in it of a chip. */
const char *client_renderer(const char *chip);

struct client {
    const char *chip;             /* NULL: llvmpipe */
    const char *const *arguments; /* the program's path and what follows, NULL terminated */
    const char *const *variables; /* "NAME=VALUE" that the environment has more, NULL terminated; NULL: none */
    bool tells;                   /* descriptor 3 of the program is a pipe, see client_wait_for() */
    pid_t pid;                    /* from here: what runs */
    int out, err, told;
};

struct client_end {
    int status; /* exit status; -N: killed by signal N */
    char *out, *err;
};

#define ARGUMENTS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Is Mesa installed, and did the programs get built? Else a test ends with 77: it is skipped. */
bool client_has_mesa(void);

/* Path of a program of programs/, by the name that its variable has. Skips the test if it was not built. */
const char *client_program(const char *variable);

/* Its input is a pipe on which nothing comes. A client that runs for longer than two minutes of its own is killed. */
void client_start(struct client *client);
/* Until the program has written a byte to descriptor 3. False: it has ended. */
bool client_wait_for(struct client *client);
struct client_end client_wait(struct client *client);
struct client_end client_run(struct client *client);
void client_end_free(struct client_end *end);

/* The exit status must be this; what the program said is shown if not. */
void client_expect(int status, const struct client_end *end);

/* A new empty directory, and the end of it with the files in it. False: there were others than `known` (or NULL). */
char *client_directory(void);
bool client_directory_remove(char *directory, const char *known);

/* Does a line of this list below tests/ ("mesa/zink.list"), a pattern, fit the text? Lines with # are comments. */
bool client_lists(const char *list, const char *text);

/* All of a file, to be freed. */
char *client_slurp(const char *path, size_t *bytes);

#endif
