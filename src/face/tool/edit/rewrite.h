/* SPDX-License-Identifier: MIT */
/* A capture that is written anew, with other methods. */
#ifndef PFIFO_TOOL_EDIT_REWRITE_H
#define PFIFO_TOOL_EDIT_REWRITE_H

#include <pfifo/edit.h>

#include <stdio.h>

/* Read a capture from its beginning, and write it to `path`, packed as its name says (.gz, .xz, .zst). `chip` NULL: its
 * own. */
enum pfifo_status rewrite(struct pfifo_stream *stream, const struct pfifo_chip *chip, const char *path,
                          pfifo_edit_decide decide, void *opaque, struct pfifo_edit_result *result,
                          struct pfifo_error *error);

/* A path of - is standard output. False: that is a terminal; a message was printed. */
bool rewrite_can_go_to(const char *path);
/* Where to say what was done: not among a capture. */
FILE *rewrite_tells(const char *path);

#endif
