/* SPDX-License-Identifier: MIT */
/* The register console, looking at the machine of the replay. It is made for a line: the machine is another after a
 * restart. */
#include "face/tool/console/replay/debug.h"
#include "face/tool/console/machine/shell.h"
#include "face/tool/tool.h"

bool debug_machine_line(struct debug *debug, const char *line, struct pfifo_error *error) {
    const struct shell_config config = {.lent = debug->gpu, .write = tool_write, .opaque = stdout, .files = true};
    struct shell *shell = shell_new(&config, error);
    bool done = shell && shell_line(shell, line, error) == SHELL_OK;

    shell_free(shell);
    return done;
}

bool debug_cmd_machine(struct debug *debug, unsigned count, char **argument, const char *rest,
                       struct pfifo_error *error) {
    char line[DEBUG_LINE_BYTES + 16];

    (void)count;
    snprintf(line, sizeof line, "%s %s", argument[0], rest);
    return debug_machine_line(debug, line, error);
}
