/* SPDX-License-Identifier: MIT */
#include "face/tool/shell_inside.h"

#include <string.h>

static bool info_breakpoints(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    (void)count, (void)argument, (void)error;
    if (shell->breaks.trace)
        breaks_list(&shell->breaks);
    else
        shell_print(shell, "There are no breakpoints.\n");
    return true;
}

/* For a model: it needs a machine that runs. */
static const struct {
    const char *name;
    shell_command show;
    const char *text;
} infos[] = {
    {"breakpoints", info_breakpoints, "where runs stop"},
    {"channels", shell_cmd_channels, "the state of each channel, as channels does"},
    {"irq", shell_cmd_irq, "the interrupt line and what is pending, as irq does"},
    {"registers", shell_cmd_dump, "registers, as dump does"},
};

#define INFOS (sizeof infos / sizeof infos[0])

const char *shell_info_name(size_t index) {
    return index < INFOS ? infos[index].name : NULL;
}

bool shell_cmd_info(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    if (count == 1) {
        for (size_t i = 0; i < INFOS; i++)
            shell_print(shell, "  info %-23s %s\n", infos[i].name, infos[i].text);
        return true;
    }
    for (size_t i = 0; i < INFOS; i++) {
        if (strncmp(infos[i].name, argument[1], strlen(argument[1])) != 0)
            continue;
        if (count > 2 && infos[i].show != shell_cmd_dump)
            return refuse(error, "usage: info %s", infos[i].name);
        return infos[i].show(shell, count - 1, argument + 1, error);
    }
    return refuse(error, "there is no info '%.60s'; breakpoints, channels, irq, registers", argument[1]);
}
