/* SPDX-License-Identifier: MIT */
/*
 * Lines from a terminal: edited, completed and remembered, where there is libedit, which is loaded for it; else as they
 * come.
 *
 *   keys --> libedit --> a line            $XDG_STATE_HOME/pfifo/NAME_history, by default ~/.local/state/pfifo
 */
#ifndef PFIFO_TOOL_CONSOLE_LINES_LINE_EDIT_H
#define PFIFO_TOOL_CONSOLE_LINES_LINE_EDIT_H

#include <stdbool.h>
#include <stddef.h>

struct line_edit_config {
    const char *name; /* of the history: "debug" */
    /*
     * Word `index` (0 ...) that may stand where `line` ends; the letters from `begin` on are typed already, and need
     * not fit. NULL: there are no more. Valid until the next call.
     */
    const char *(*word)(void *opaque, const char *line, size_t begin, size_t index);
    void *opaque;
};

struct line_edit;

/* NULL: no memory. */
struct line_edit *line_edit_new(const struct line_edit_config *config);
/* The history is written. */
void line_edit_free(struct line_edit *edit);

enum line_edit_result { LINE_EDIT_READ, LINE_EDIT_LONG, LINE_EDIT_INTERRUPTED, LINE_EDIT_END };

/*
 * Ask for a line, which comes without its newline. Ctrl-C: INTERRUPTED. From the first time on Ctrl-C does not end the
 * process, but for those who handle it themselves.
 */
enum line_edit_result line_edit_read(struct line_edit *edit, const char *prompt, char *line, size_t size);

#endif
