/* SPDX-License-Identifier: MIT */
/*
 * The surfaces of a capture up to some place: what draws and clears wrote to, and which textures draws have read.
 *
 *   replay --engine.draw, engine.done--> targets, textures --> a row for each surface --> lines, or JSON
 */
#ifndef PFIFO_TOOL_IMAGE_SURFACE_LIST_H
#define PFIFO_TOOL_IMAGE_SURFACE_LIST_H

#include "face/tool/replay/play.h"

struct surface_list {
    const char *file;
    const struct pfifo_chip *chip; /* NULL: the capture's */
    struct place at;
    bool json;
};

/* Run `stream`, and print the rows in the order in which they were first used. */
enum tool_status surface_list(const struct surface_list *list, struct pfifo_stream *stream);

#endif
