/* SPDX-License-Identifier: MIT */
/* What a program does with the atomic interface of a display. */
#ifndef PFIFO_TESTS_DRM_ATOMIC_H
#define PFIFO_TESTS_DRM_ATOMIC_H

#include "drm/display.h"

#define TEST_ONLY DRM_MODE_ATOMIC_TEST_ONLY
#define NONBLOCK  DRM_MODE_ATOMIC_NONBLOCK
#define MODESET   DRM_MODE_ATOMIC_ALLOW_MODESET
#define EVENT     DRM_MODE_PAGE_FLIP_EVENT

/* Identities of properties. */
struct names {
    uint32_t plane; /* the plane itself */
    uint32_t fb_id, in_fence_fd, plane_crtc_id, crtc_x, crtc_y, crtc_w, crtc_h, src_x, src_y, src_w, src_h, type;
    uint32_t active, mode_id, out_fence_ptr, vrr_enabled;
    uint32_t crtc_id, dpms, link_status; /* of the connector */
};

/* What a commit names: a list of objects with one property each. */
struct list {
    uint32_t count, object[32], property[32];
    uint64_t value[32];
};

int atomic_client_cap(const struct display *display, uint64_t capability, uint64_t value);
/* The file asks for the interface. */
struct names atomic_begin(const struct display *display);
/* Of an object. False: it has none of that name, or the file does not see it. */
bool atomic_find(const struct display *display, uint32_t object, const char *name, uint32_t *id, uint64_t *value);
/* As that; fails if there is none. */
uint64_t atomic_value(const struct display *display, uint32_t object, const char *name);

void list_add(struct list *list, uint32_t object, uint32_t property, uint64_t value);
/* The plane shows all of a framebuffer of the size of the mode. */
void list_show(struct list *list, const struct display *display, const struct names *names, uint32_t framebuffer);
/* The connector gets the CRTC with the mode of the blob; 0: it is switched off. */
void list_mode(struct list *list, const struct display *display, const struct names *names, uint32_t blob);
int list_commit(const struct list *list, const struct display *display, uint32_t flags, uint64_t user_data);
/* One property. */
int atomic_set(const struct display *display, uint32_t flags, uint32_t object, uint32_t property, uint64_t value);

uint32_t atomic_blob(const struct display *display, const void *data, uint32_t bytes);
int atomic_destroy_blob(const struct display *display, uint32_t blob);
/* A mode's, on the screen with a framebuffer that is returned. */
uint32_t atomic_screen(const struct display *display, const struct names *names);

#endif
