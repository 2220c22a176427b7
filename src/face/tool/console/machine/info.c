/* SPDX-License-Identifier: MIT */
#include "face/tool/console/machine/inside.h"

static bool info_breakpoints(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    (void)count, (void)argument, (void)error;
    if (shell->breaks.trace)
        breaks_list(&shell->breaks);
    else
        shell_print(shell, "There are no breakpoints.\n");
    return true;
}

static const struct verb_topic topics[] = {
    {"breakpoints", "where runs stop"},
    {"channels", "the state of each channel, as channels does"},
    {"irq", "the interrupt line and what is pending, as irq does"},
    {"registers", "registers, as dump does"},
    {"watchpoints", NULL},
    {0},
};

static const shell_command shows[] = {info_breakpoints, shell_cmd_channels, shell_cmd_irq, shell_cmd_dump,
                                      info_breakpoints};

const char *shell_info_word(size_t index) {
    return index < sizeof topics / sizeof topics[0] ? topics[index].name : NULL;
}

static void print(void *opaque, const char *text) {
    shell_print(opaque, "%s", text);
}

bool shell_cmd_info(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    size_t index;

    if (count == 1) {
        verbs_list_topics(topics, print, shell);
        return true;
    }
    if (!verbs_find_topic(topics, argument[1], &index, error))
        return false;
    if (count > 3 || (count > 2 && shows[index] != shell_cmd_dump))
        return refuse(error, "usage: info %s", topics[index].name);
    return shows[index](shell, count - 1, argument + 1, error);
}
