/* SPDX-License-Identifier: MIT */
/* A capture that is written anew, with other methods. */
#ifndef PFIFO_TOOL_REWRITE_H
#define PFIFO_TOOL_REWRITE_H

#include <pfifo/edit.h>

/* Read a capture from its beginning, and write it to `path`, packed as its name says (.xz, .zst). */
enum pfifo_status rewrite(struct pfifo_stream *stream, const char *path, pfifo_edit_decide decide, void *opaque,
                          struct pfifo_edit_result *result, struct pfifo_error *error);

#endif
