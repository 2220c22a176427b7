/* SPDX-License-Identifier: MIT */
#include "check.h"

#include <string.h>

#include "screen.h"

enum { LEFT = 24 }; /* columns of the first colour */

static uint32_t colour_of(uint32_t number, unsigned side) {
    return number * 0x9e3779b1u + side * 0x7f4a7c15u;
}

/* Two clears and a copy in between, which is no drawing on any chip: not so a copy from the surface, which is upside
 * down. */
void check_paint(const struct target *target, uint32_t number) {
    struct target source = target_new(LEFT, CHECK_HEIGHT);
    canvas_clear(colour_of(number, 0));
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    canvas_clear(colour_of(number, 1));
    glBindFramebuffer(GL_FRAMEBUFFER, source.framebuffer);
    glBindTexture(GL_TEXTURE_2D, target->texture);
    glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, 0, 0, LEFT, CHECK_HEIGHT);
    target_free(&source);
    glFlush();
}

void check_read(const struct target *target, uint32_t number, const char *who) {
    static _Thread_local uint8_t pixels[CHECK_WIDTH * CHECK_HEIGHT * 4];
    glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
    memset(pixels, 0x5a, sizeof pixels);
    glReadPixels(0, 0, CHECK_WIDTH, CHECK_HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
    screen_check(who);
    for (unsigned i = 0; i < CHECK_WIDTH * CHECK_HEIGHT; i++) {
        const uint8_t *at = pixels + (size_t)i * 4;
        uint32_t seen = (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
        uint32_t wanted = colour_of(number, i % CHECK_WIDTH < LEFT ? 0 : 1);
        if (seen != wanted)
            screen_fail("%s: pixel %u,%u is %08x, not %08x", who, i % CHECK_WIDTH, i / CHECK_WIDTH, (unsigned)seen,
                        (unsigned)wanted);
    }
}
