/* SPDX-License-Identifier: MIT */
/* The card's display, for programs that bring what they paint on the screen. */
#ifndef TESTS_MESA_OUTPUT_H
#define TESTS_MESA_OUTPUT_H

#include <stdint.h>
#include <xf86drmMode.h>

#include "screen.h"

struct output {
    int fd;
    uint32_t connector, crtc;
    drmModeModeInfo mode;
};

/* The display, and `screen`, of which only the version is set, with a surface of its size. */
void output_open(struct output *output, struct screen *screen);
/* What was painted: by SETCRTC, or by a page flip that is waited for. */
void output_show(const struct output *output, const struct screen *screen);
void output_flip(const struct output *output, const struct screen *screen);

#endif
