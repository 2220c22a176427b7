/* SPDX-License-Identifier: MIT */
/* Colours of lines, by what they look like. The first rule that a line matches paints the groups of its expression. */
#ifndef PFIFO_TOOL_VIEW_PAINT_H
#define PFIFO_TOOL_VIEW_PAINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum paint_color { PAINT_PLAIN, PAINT_TITLE, PAINT_FAINT, PAINT_CLASS, PAINT_NAME, PAINT_KEY, PAINT_GONE, PAINT_NEW };

enum { PAINT_GROUPS = 4, PAINT_RULES = 8, PAINT_LINE_BYTES = 4096 };

struct paint_rule {
    const char *lines; /* POSIX extended regular expression; NULL: after the last rule */
    enum paint_color groups[PAINT_GROUPS];
};

extern const struct paint_rule paint_stream[]; /* pfifo decode and grep */
extern const struct paint_rule paint_disasm[];
extern const struct paint_rule paint_diff[];
extern const struct paint_rule paint_top[];
extern const struct paint_rule paint_state[];
extern const struct paint_rule paint_explain[]; /* and info */
extern const struct paint_rule paint_table[];   /* chips, events, regs */
extern const struct paint_rule paint_run[];
extern const struct paint_rule paint_debug[];

struct painter;

/* At most PAINT_RULES of them. NULL: no memory. */
struct painter *painter_new(const struct paint_rule *rules);
void painter_free(struct painter *painter);

/*
 * Paint text to a file descriptor. The part of a line without an end is kept until the rest comes; a line that is too
 * long is not painted. False: it could not be written, and errno says why.
 */
bool painter_write(struct painter *painter, int fd, const char *text, size_t bytes);

/* What is kept. */
bool painter_flush(struct painter *painter, int fd);

#endif
