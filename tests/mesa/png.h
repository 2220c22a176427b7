/* SPDX-License-Identifier: MIT */
#ifndef TESTS_MESA_PNG_H
#define TESTS_MESA_PNG_H

#include <stdint.h>

/* Rows of R G B A from the top down, to be freed. The test fails if the file is no PNG. */
uint8_t *png_read(const char *path, unsigned *width, unsigned *height);

#endif
