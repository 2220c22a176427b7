/* SPDX-License-Identifier: MIT */
#include "face/tool/console/lines/first_commands.h"

enum first_commands_option_key { KEY_COMMAND = 'x', KEY_EXECUTE = 'e' };

static const struct argp_option options[] = {
    {"execute", KEY_EXECUTE, "COMMAND", 0, "Do this first; may be given several times", 0},
    {"command", KEY_COMMAND, "FILE", 0, "Do the commands of a file first; may be given several times", 0},
    {0},
};

static error_t first_commands_parse(int key, char *arg, struct argp_state *state) {
    struct first_commands *first = state->input;

    if (key != KEY_COMMAND && key != KEY_EXECUTE)
        return ARGP_ERR_UNKNOWN;
    if (first->count == FIRST_COMMANDS)
        argp_error(state, "at most %d of --command and --execute", FIRST_COMMANDS);
    first->list[first->count++] = (struct first_command){.is_file = key == KEY_COMMAND, .text = arg};
    return 0;
}

const struct argp first_commands_argp = {options, first_commands_parse, NULL, NULL, NULL, NULL, NULL};
