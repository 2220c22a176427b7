/* SPDX-License-Identifier: MIT */
/* print METHOD of pfifo debug and pfifo shell: what the objects that channels have bound hold. */
#ifndef PFIFO_TOOL_CONSOLE_METHODS_H
#define PFIFO_TOOL_CONSOLE_METHODS_H

#include <pfifo/gpu.h>

#include "face/tool/console/examine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Of "METHOD" or "CLASS.METHOD": may the class be meant? *name: METHOD. */
bool methods_are_of(const char *text, uint32_t oclass, const char **name);

/*
 * Print "METHOD" or "CLASS.METHOD" of each object that has it, a line each, in a format (NULL: with its fields). METHOD
 * may be a glob, also of names without their index. `at`: the class of the object with that
 * number, and its channel; false: there are no more, and one may come again. False: no object has it.
 */
bool methods_print(struct pfifo_gpu *gpu, const char *text, const struct examine_format *format,
                   bool (*at)(const void *owner, size_t index, uint32_t *channel, uint32_t *oclass), const void *owner,
                   void (*print)(void *opaque, const char *line), void *opaque);

#endif
