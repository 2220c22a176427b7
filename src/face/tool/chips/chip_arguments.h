/* SPDX-License-Identifier: MIT */
/* The arguments of commands about one chip: CHIP [GLOB], and --json. */
#ifndef PFIFO_TOOL_CHIPS_CHIP_ARGUMENTS_H
#define PFIFO_TOOL_CHIPS_CHIP_ARGUMENTS_H

#include <pfifo/chip.h>

#include <argp.h>
#include <stdbool.h>

struct chip_arguments {
    const struct pfifo_chip *chip;
    const char *glob; /* NULL: none was given */
    bool takes_glob, json;
};

/* The parser of such a command; its input is a struct chip_arguments. */
error_t chip_arguments_parse(int key, char *arg, struct argp_state *state);

#endif
