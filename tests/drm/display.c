/* SPDX-License-Identifier: MIT */
#include "drm/display.h"

static struct display open_with(struct rig *rig, const struct part *part, const struct drm_config *config) {
    rig->config = *config;
    rig_open(rig, part);
    struct display display = {.rig = rig, .file = rig_file(rig, CARD)};
    uint32_t ids[3] = {0};
    struct drm_mode_card_res resources = {.count_crtcs = 1, .count_connectors = 1, .count_encoders = 1};
    uint64_t at = rig_put(rig, ids, sizeof ids);
    resources.crtc_id_ptr = at;
    resources.connector_id_ptr = at + 4;
    resources.encoder_id_ptr = at + 8;
    assert_int_equal(rig_ioctl(rig, display.file, DRM_IOCTL_MODE_GETRESOURCES, &resources), 0);
    rig_get(rig, at, ids, sizeof ids);
    display.crtc = ids[0];
    display.connector = ids[1];
    display.encoder = ids[2];
    struct drm_mode_modeinfo modes[8];
    display_connector(&display, modes);
    display.mode = modes[0];
    return display;
}

struct display display_open(struct rig *rig, const struct part *part, unsigned refresh) {
    const struct drm_config config = {.width = WIDTH, .height = HEIGHT, .refresh = refresh};
    return open_with(rig, part, &config);
}

struct display display_open_atomic(struct rig *rig, const struct part *part, unsigned refresh) {
    const struct drm_config config = {.width = WIDTH, .height = HEIGHT, .refresh = refresh, .atomic = true};
    return open_with(rig, part, &config);
}

struct drm_mode_get_connector display_connector(const struct display *display, struct drm_mode_modeinfo modes[8]) {
    struct rig *rig = display->rig;
    struct drm_mode_get_connector connector = {.connector_id = display->connector};
    assert_int_equal(rig_ioctl(rig, display->file, DRM_IOCTL_MODE_GETCONNECTOR, &connector), 0);
    assert_in_range(connector.count_modes, 1, 8);
    memset(modes, 0, 8 * sizeof *modes);
    connector.modes_ptr = rig_put(rig, modes, 8 * sizeof *modes);
    connector.count_props = connector.count_encoders = 0;
    assert_int_equal(rig_ioctl(rig, display->file, DRM_IOCTL_MODE_GETCONNECTOR, &connector), 0);
    rig_get(rig, connector.modes_ptr, modes, 8 * sizeof *modes);
    return connector;
}

struct drm_mode_create_dumb display_dumb(const struct display *display, uint32_t width, uint32_t height) {
    struct drm_mode_create_dumb dumb = {.width = width, .height = height, .bpp = 32};
    assert_int_equal(rig_ioctl(display->rig, display->file, DRM_IOCTL_MODE_CREATE_DUMB, &dumb), 0);
    return dumb;
}

uint32_t display_framebuffer(const struct display *display, uint32_t handle, uint32_t width, uint32_t height,
                             uint32_t pitch) {
    struct drm_mode_fb_cmd request = {
        .width = width, .height = height, .pitch = pitch, .bpp = 32, .depth = 24, .handle = handle};
    assert_int_equal(rig_ioctl(display->rig, display->file, DRM_IOCTL_MODE_ADDFB, &request), 0);
    assert_true(request.fb_id);
    return request.fb_id;
}

uint32_t display_screen(const struct display *display) {
    struct drm_mode_create_dumb dumb = display_dumb(display, WIDTH, HEIGHT);
    return display_framebuffer(display, dumb.handle, WIDTH, HEIGHT, dumb.pitch);
}

int display_remove(const struct display *display, uint32_t framebuffer) {
    return rig_ioctl(display->rig, display->file, DRM_IOCTL_MODE_RMFB, &framebuffer);
}

int display_set(const struct display *display, uint32_t framebuffer) {
    struct drm_mode_crtc request = {.crtc_id = display->crtc, .fb_id = framebuffer};
    if (framebuffer) {
        request.set_connectors_ptr = rig_put(display->rig, &display->connector, sizeof display->connector);
        request.count_connectors = 1;
        request.mode_valid = 1;
        request.mode = display->mode;
    }
    return rig_ioctl(display->rig, display->file, DRM_IOCTL_MODE_SETCRTC, &request);
}

struct drm_mode_crtc display_get(const struct display *display) {
    struct drm_mode_crtc crtc = {.crtc_id = display->crtc};
    assert_int_equal(rig_ioctl(display->rig, display->file, DRM_IOCTL_MODE_GETCRTC, &crtc), 0);
    return crtc;
}

int display_flip(const struct display *display, uint32_t framebuffer, uint32_t flags, uint64_t user_data) {
    struct drm_mode_crtc_page_flip request = {
        .crtc_id = display->crtc, .fb_id = framebuffer, .flags = flags, .user_data = user_data};
    return rig_ioctl(display->rig, display->file, DRM_IOCTL_MODE_PAGE_FLIP, &request);
}

struct drm_event_vblank display_event(const struct display *display) {
    struct rig *rig = display->rig;
    struct drm_event_vblank event;
    assert_true(rig->event_bytes >= sizeof event);
    memcpy(&event, rig->events, sizeof event);
    assert_int_equal(event.base.length, sizeof event);
    rig->event_bytes -= sizeof event;
    memmove(rig->events, rig->events + sizeof event, rig->event_bytes);
    return event;
}
