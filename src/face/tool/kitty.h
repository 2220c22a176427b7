/* SPDX-License-Identifier: MIT */
/* Pictures in a terminal that has kitty's graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol). */
#ifndef PFIFO_TOOL_KITTY_H
#define PFIFO_TOOL_KITTY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Ask the terminal behind this descriptor. False: it is none, does not have it, or does not answer in a second. */
bool kitty_has(int terminal);
/* Rows of width x 4 bytes R G B A, without alpha. */
void kitty_show(FILE *file, uint32_t width, uint32_t height, const uint8_t *rgba);

#endif
