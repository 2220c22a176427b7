/* SPDX-License-Identifier: MIT */
/*
 * PNG files, written fast: each line as what it differs by from the one above, and of that the runs.
 * Source: the PNG specification (W3C), sections 5, 9 and 11.
 */
#ifndef PFIFO_SRC_FACE_COMMON_PNG_FILE_H
#define PFIFO_SRC_FACE_COMMON_PNG_FILE_H

#include <stddef.h>
#include <stdint.h>

/* A file of lines of pixels R G B A, at least one, without their alpha. free() it. NULL: there is no memory. */
uint8_t *png_file(const uint8_t *rgba, uint32_t width, uint32_t height, size_t *bytes);

#endif
