/* SPDX-License-Identifier: MIT */
/*
 * Pictures in a terminal, by kitty's graphics protocol (sw.kovidgoyal.net/kitty/graphics-protocol) or, where there is
 * none, as sixels (VT330/VT340 Programmer Reference Manual, chapter 14), which libsixel makes.
 *
 *   terminal_pictures()   a question for kitty's, and one for the attributes of the terminal --> what it has
 *   terminal_show()       pixels --> an escape sequence
 */
#ifndef PFIFO_TOOL_IMAGE_TERMINAL_H
#define PFIFO_TOOL_IMAGE_TERMINAL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum terminal_pictures {
    TERMINAL_NONE,
    TERMINAL_KITTY,
    TERMINAL_SIXEL,
    TERMINAL_SIXEL_UNUSED, /* it has them, and libsixel is missing */
};

/* Ask the terminal of this descriptor. NONE also if it is no terminal, or does not answer in a second. */
enum terminal_pictures terminal_pictures(int terminal);
/* Rows of width x 4 bytes R G B A, without alpha. False: no memory, or nothing to show them with. */
bool terminal_show(enum terminal_pictures by, FILE *file, uint32_t width, uint32_t height, const uint8_t *rgba);

/* sixel.c. Why there are none; NULL: there are. */
const char *sixel_missing(void);
/* False: no memory, or they are missing. */
bool sixel_show(FILE *file, uint32_t width, uint32_t height, const uint8_t *rgba);

#endif
