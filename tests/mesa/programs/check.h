/* SPDX-License-Identifier: MIT */
/* For programs that know themselves what they must see: a framebuffer of two colours, left and right. */
#ifndef TESTS_MESA_CHECK_H
#define TESTS_MESA_CHECK_H

#include <stdint.h>

#include "canvas.h"

enum { CHECK_WIDTH = 65, CHECK_HEIGHT = 63 };

/* Fill the current framebuffer: two colours that follow from `number`, one beside the other, by way of a copy. */
void check_paint(const struct target *target, uint32_t number);
/* Read it back, and end the program with 1 if it is not what check_paint() left. */
void check_read(const struct target *target, uint32_t number, const char *who);

#endif
