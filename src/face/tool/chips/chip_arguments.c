/* SPDX-License-Identifier: MIT */
#include "face/tool/chips/chip_arguments.h"
#include "face/tool/tool.h"

#include <errno.h>

error_t chip_arguments_parse(int key, char *arg, struct argp_state *state) {
    struct chip_arguments *arguments = state->input;

    switch (key) {
    case 'j':
        arguments->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (!arguments->chip)
            arguments->chip = tool_chip(state, arg);
        else if (!arguments->takes_glob)
            argp_error(state, "one chip at a time");
        else if (arguments->glob)
            argp_error(state, "one GLOB at a time");
        else
            arguments->glob = arg;
        return 0;
    case ARGP_KEY_NO_ARGS:
        argp_error(state, "a chip is missing");
        return EINVAL;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}
