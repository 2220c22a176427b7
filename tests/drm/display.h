/* SPDX-License-Identifier: MIT */
/* What a program does with a display, over the rig. */
#ifndef PFIFO_TESTS_DRM_DISPLAY_H
#define PFIFO_TESTS_DRM_DISPLAY_H

#include "drm/rig.h"

#include <drm_fourcc.h>
#include <drm_mode.h>

#define CARD     DRM_NODE_CARD
#define WIDTH    100u /* of the preferred mode of display_open() */
#define HEIGHT   50u
#define NOTHING  UINT32_MAX /* an identity that no object has */
#define FRAME_60 (UINT64_C(1000000000) / 60)

/* Identities, as GETRESOURCES tells them. */
struct display {
    struct rig *rig;
    struct drm_file *file; /* the master */
    uint32_t crtc, connector, encoder;
    struct drm_mode_modeinfo mode; /* the preferred one */
};

/* A device of the rig with a mode of WIDTH x HEIGHT, and its master. */
struct display display_open(struct rig *rig, const struct part *part, unsigned refresh);
/* The same, and it has the atomic interface, which nobody has asked for yet. */
struct display display_open_atomic(struct rig *rig, const struct part *part, unsigned refresh);
struct drm_mode_get_connector display_connector(const struct display *display, struct drm_mode_modeinfo modes[8]);

/* A dumb buffer. */
struct drm_mode_create_dumb display_dumb(const struct display *display, uint32_t width, uint32_t height);
/* A framebuffer of 32 bits a pixel over a handle; its identity. */
uint32_t display_framebuffer(const struct display *display, uint32_t handle, uint32_t width, uint32_t height,
                             uint32_t pitch);
/* Both, of the mode's size. */
uint32_t display_screen(const struct display *display);
int display_remove(const struct display *display, uint32_t framebuffer);

/* SETCRTC with the preferred mode; framebuffer 0: off. */
int display_set(const struct display *display, uint32_t framebuffer);
struct drm_mode_crtc display_get(const struct display *display);
int display_flip(const struct display *display, uint32_t framebuffer, uint32_t flags, uint64_t user_data);

/* The event that came first, which is taken away. Fails if there is none. */
struct drm_event_vblank display_event(const struct display *display);

#endif
