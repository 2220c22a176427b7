/* SPDX-License-Identifier: MIT */
#include "output.h"

#include <EGL/egl.h>
#include <errno.h>
#include <fcntl.h>
#include <gbm.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>
#include <xf86drm.h>

#define CARD "/dev/dri/card0"

/* The preferred mode of the first connector, on the CRTC of its first encoder. */
static void find(struct output *output) {
    drmModeRes *resources = drmModeGetResources(output->fd);
    if (!resources || resources->count_connectors < 1 || resources->count_crtcs < 1)
        screen_fail("the card has no display");
    drmModeConnector *connector = drmModeGetConnector(output->fd, resources->connectors[0]);
    if (!connector || connector->connection != DRM_MODE_CONNECTED || connector->count_modes < 1)
        screen_fail("nothing is connected");
    output->connector = connector->connector_id;
    output->crtc = resources->crtcs[0];
    output->mode = connector->modes[0];
    for (int i = 0; i < connector->count_modes; i++)
        if (connector->modes[i].type & DRM_MODE_TYPE_PREFERRED)
            output->mode = connector->modes[i];
    drmModeFreeConnector(connector);
    drmModeFreeResources(resources);
}

/* What was painted last, as a framebuffer. */
static uint32_t framebuffer_of(const struct output *output, const struct screen *screen) {
    uint32_t id = 0;
    if (!eglSwapBuffers(screen->display, screen->surface))
        screen_fail("eglSwapBuffers: 0x%x", (unsigned)eglGetError());
    struct gbm_bo *buffer = gbm_surface_lock_front_buffer(screen->window);
    if (!buffer)
        screen_fail("no front buffer");
    if (drmModeAddFB(output->fd, gbm_bo_get_width(buffer), gbm_bo_get_height(buffer), 24, 32, gbm_bo_get_stride(buffer),
                     gbm_bo_get_handle(buffer).u32, &id) != 0)
        screen_fail("ADDFB: %s", strerror(errno));
    return id;
}

static void flipped(int fd, unsigned frame, unsigned seconds, unsigned microseconds, void *data) {
    (void)fd, (void)frame, (void)seconds, (void)microseconds;
    *(bool *)data = true;
}

void output_open(struct output *output, struct screen *screen) {
    output->fd = open(CARD, O_RDWR | O_CLOEXEC);
    if (output->fd < 0)
        screen_fail("no card");
    find(output);
    screen->node = CARD;
    screen->width = output->mode.hdisplay;
    screen->height = output->mode.vdisplay;
    screen->fd = output->fd; /* one file: framebuffers are made of its handles */
    screen_open(screen);
}

void output_show(const struct output *output, const struct screen *screen) {
    drmModeModeInfo mode = output->mode;
    uint32_t connector = output->connector;
    if (drmModeSetCrtc(output->fd, output->crtc, framebuffer_of(output, screen), 0, 0, &connector, 1, &mode) != 0)
        screen_fail("SETCRTC: %s", strerror(errno));
}

void output_flip(const struct output *output, const struct screen *screen) {
    drmEventContext events = {.version = 20, .page_flip_handler = flipped};
    bool done = false;
    if (drmModePageFlip(output->fd, output->crtc, framebuffer_of(output, screen), DRM_MODE_PAGE_FLIP_EVENT, &done) != 0)
        screen_fail("PAGE_FLIP: %s", strerror(errno));
    while (!done)
        if (drmHandleEvent(output->fd, &events) != 0)
            screen_fail("no event: %s", strerror(errno));
}
