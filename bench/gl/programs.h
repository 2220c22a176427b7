/* SPDX-License-Identifier: MIT */
/*
 * The programs of the rows. Colours follow from the place: red grows from left to right, green from the bottom up, so
 * that what a pixel must be is known.
 */
#ifndef PFIFO_BENCH_GL_PROGRAMS_H
#define PFIFO_BENCH_GL_PROGRAMS_H

#include <GLES3/gl3.h>

#include "rows.h"

#define CHAIN_OPERATIONS 255u /* multiply-adds of ROW_CHAIN */
#define TEXTURE_SCALE    5.2f /* how often the texture is repeated over the target: 1.3 texels a pixel */
#define TEXTURE_SIZE     256

GLuint programs_new(enum row_program program);

#endif
