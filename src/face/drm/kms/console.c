/* SPDX-License-Identifier: MIT */
/*
 * The kernel's console. It has the screen before the first program and after the last, and many programs put back at
 * their end what they found. So it is there as others see it: the preferred mode with a framebuffer that is nobody's.
 * Nothing is written on it, and it takes no memory: while it is on the screen, the screen is dark.
 * Linux drivers/gpu/drm/drm_fb_helper.c.
 */
#include <drm_fourcc.h>
#include <stdlib.h>

#include "face/drm/kms/kms.h"

bool kms_is_console(const struct kms_framebuffer *framebuffer) {
    return framebuffer->buffer == NULL;
}

void kms_console_size(const struct kms *kms, uint32_t *width, uint32_t *height) {
    *width = kms->console->width;
    *height = kms->console->height;
}

bool kms_console_new(struct kms *kms) {
    const struct kms_format *format = kms_format_of(kms, DRM_FORMAT_XRGB8888);
    const struct drm_mode_modeinfo *mode = &kms->modes[0];
    struct kms_framebuffer *console = calloc(1, sizeof *console);
    if (!console)
        return false;
    *console = (struct kms_framebuffer){.id = kms->next_id++,
                                        .references = 1,
                                        .format = format,
                                        .width = mode->hdisplay,
                                        .height = mode->vdisplay,
                                        .pitch = (uint32_t)mode->hdisplay * format->bytes};
    kms->framebuffers = kms->console = console;
    kms_console_show(kms);
    return true;
}

void kms_console_show(struct kms *kms) {
    kms_turn_off(kms);
    kms->on = kms->bound = true;
    kms->dpms = DRM_MODE_DPMS_ON;
    kms->mode = kms->modes[0];
    kms->view = kms_view_of(0, 0, &kms->mode);
    kms->vrr = false;
    for (unsigned i = 0; i < KMS_GAMMA_SIZE; i++)
        kms->gamma[0][i] = kms->gamma[1][i] = kms->gamma[2][i] = (uint16_t)(i << 8);
    kms_show(kms, kms->console);
}
