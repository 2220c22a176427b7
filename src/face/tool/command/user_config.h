/* SPDX-License-Identifier: MIT */
/*
 * The user's file: options that a command has as if they were typed before all others.
 *
 *   # what I always want
 *   [decode]
 *   chip = NV40
 *   no-pager
 *
 * It is $XDG_CONFIG_HOME/pfifo/config, ~/.config/pfifo/config without that variable, or what PFIFO_CONFIG names; if
 * PFIFO_CONFIG is empty there is none.
 */
#ifndef PFIFO_TOOL_COMMAND_USER_CONFIG_H
#define PFIFO_TOOL_COMMAND_USER_CONFIG_H

#include <argp.h>
#include <stdbool.h>
#include <stddef.h>

struct user_option {
    unsigned line;
    char *word; /* "--chip=NV40" */
};

struct user_config {
    char *path; /* NULL: there is no file */
    struct user_option *options;
    size_t count;
};

/*
 * Read the section of a command, whose options `argp` has. False: the file is wrong, or cannot be read; a message with
 * the line was printed.
 */
bool user_config_read(struct user_config *config, const char *command, const struct argp *argp);

#endif
