/* SPDX-License-Identifier: MIT */
/* pfifo run --chip=CHIP -- PROGRAM: a program that uses the GPU by Linux's nouveau, on the model. */
#ifndef PFIFO_TOOL_PROGRAM_PROGRAM_H
#define PFIFO_TOOL_PROGRAM_PROGRAM_H

#include "face/drm/session/pictures.h"
#include "face/tool/tool.h"

#include <stdbool.h>

#define PROGRAM_OPTIONS 12

/* What the options that only programs have were given. */
struct program_options {
    const char *value[PROGRAM_OPTIONS];
};

/* A child of the parser of `pfifo run`; its input is a struct program_options. */
extern const struct argp program_argp;

/* The name of an option that was given, NULL: none. */
const char *program_option_given(const struct program_options *options);

/* What an option was given, which is then as if it were not; NULL: it was not. */
const char *program_option_take(struct program_options *options, const char *name);

struct program {
    const struct pfifo_chip *chip;
    const char *trace, *output; /* NULL: none */
    const char *where;          /* a query that is right; empty: none */
    bool stats, json;
    uint64_t budget; /* 0: the default */
    unsigned jobs;   /* the same */
    bool no_compile;
    const struct pictures_config *pictures; /* of draws */
    const struct program_options *options;
    char **argv; /* NULL ends it */
};

/* Ends the process with the program's exit status, or returns why it could not be run. */
enum tool_status program_run(const struct program *program);

#endif
