/* SPDX-License-Identifier: MIT */
/*
 * Modes that the connector has. Their timings are of our own making: with the blanks of CVT's reduced form, and a clock
 * of whole 10 kHz, as an EDID has it.
 */
#include <stdio.h>

#include "face/drm/kms/kms.h"

#define DEFAULT_WIDTH  1024u
#define DEFAULT_HEIGHT 768u
#define DEFAULT_HZ     60u
#define CLOCK_MOST     (INT32_MAX / 10 * 10) /* kHz */

static struct drm_mode_modeinfo make_mode(uint32_t width, uint32_t height, uint32_t refresh) {
    struct drm_mode_modeinfo mode = {
        .hdisplay = (uint16_t)width,
        .hsync_start = (uint16_t)(width + 48),
        .hsync_end = (uint16_t)(width + 80),
        .htotal = (uint16_t)(width + 160),
        .vdisplay = (uint16_t)height,
        .vsync_start = (uint16_t)(height + 3),
        .vsync_end = (uint16_t)(height + 9),
        .vtotal = (uint16_t)(height + 30),
        .vrefresh = refresh,
        .flags = DRM_MODE_FLAG_PHSYNC | DRM_MODE_FLAG_NVSYNC,
        .type = DRM_MODE_TYPE_DRIVER,
    };
    uint64_t clock = ((uint64_t)mode.htotal * mode.vtotal * refresh + 5000) / 10000 * 10;
    mode.clock = clock < 10 ? 10 : clock < CLOCK_MOST ? (uint32_t)clock : CLOCK_MOST;
    snprintf(mode.name, sizeof mode.name, "%ux%u", (unsigned)width, (unsigned)height);
    return mode;
}

uint32_t kms_millimetres(uint32_t pixels) {
    return pixels * 254 / 960;
}

static uint32_t mode_within(uint32_t value, uint32_t least, uint32_t most) {
    return value < least ? least : value > most ? most : value;
}

/* The preferred one is the panel's own size; others are those that it can scale. Programs may take the largest. */
void kms_make_modes(struct kms *kms) {
    static const uint16_t others[][2] = {{1920, 1080}, {1280, 720}, {640, 480}};
    const struct drm_config *config = &kms->device->config;
    uint32_t refresh = config->refresh ? config->refresh : DEFAULT_HZ;
    uint32_t width = mode_within(config->width ? config->width : DEFAULT_WIDTH, 1, kms->most_pixels);
    uint32_t height = mode_within(config->height ? config->height : DEFAULT_HEIGHT, 1, kms->most_pixels);
    kms->modes[0] = make_mode(width, height, refresh);
    kms->modes[0].type |= DRM_MODE_TYPE_PREFERRED;
    kms->mode_count = 1;
    for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++)
        if (others[i][0] <= width && others[i][1] <= height && (others[i][0] != width || others[i][1] != height))
            kms->modes[kms->mode_count++] = make_mode(others[i][0], others[i][1], refresh);
}

struct drm_mode_modeinfo kms_mode_clean(const struct drm_mode_modeinfo *mode) {
    struct drm_mode_modeinfo clean = *mode;
    clean.type &= DRM_MODE_TYPE_ALL;
    clean.name[sizeof clean.name - 1] = 0;
    return clean;
}

/* drm_modes.c, drm_mode_validate_basic() */
bool kms_mode_valid(const struct drm_mode_modeinfo *mode) {
    bool across = mode->hdisplay && mode->hsync_start >= mode->hdisplay && mode->hsync_end >= mode->hsync_start &&
                  mode->htotal >= mode->hsync_end;
    bool down = mode->vdisplay && mode->vsync_start >= mode->vdisplay && mode->vsync_end >= mode->vsync_start &&
                mode->vtotal >= mode->vsync_end;
    return mode->clock && !(mode->flags & ~(uint32_t)DRM_MODE_FLAG_ALL) && across && down;
}
