/* SPDX-License-Identifier: MIT */
#include "drm/atomic.h"

static int call(const struct display *display, unsigned long request, void *structure) {
    return rig_ioctl(display->rig, display->file, request, structure);
}

int atomic_client_cap(const struct display *display, uint64_t capability, uint64_t value) {
    struct drm_set_client_cap cap = {.capability = capability, .value = value};
    return call(display, DRM_IOCTL_SET_CLIENT_CAP, &cap);
}

/* ---- properties ---- */

bool atomic_find(const struct display *display, uint32_t object, const char *name, uint32_t *id, uint64_t *value) {
    uint32_t ids[32] = {0};
    uint64_t values[32] = {0};
    struct drm_mode_obj_get_properties all = {.obj_id = object, .count_props = COUNT_OF(ids)};
    all.props_ptr = rig_put(display->rig, ids, sizeof ids);
    all.prop_values_ptr = rig_put(display->rig, values, sizeof values);
    assert_int_equal(call(display, DRM_IOCTL_MODE_OBJ_GETPROPERTIES, &all), 0);
    assert_true(all.count_props <= COUNT_OF(ids));
    rig_get(display->rig, all.props_ptr, ids, sizeof ids);
    rig_get(display->rig, all.prop_values_ptr, values, sizeof values);
    for (unsigned i = 0; i < all.count_props; i++) {
        struct drm_mode_get_property row = {.prop_id = ids[i]};
        assert_int_equal(call(display, DRM_IOCTL_MODE_GETPROPERTY, &row), 0);
        *id = ids[i];
        *value = values[i];
        if (strcmp(row.name, name) == 0)
            return true;
    }
    return false;
}

uint64_t atomic_value(const struct display *display, uint32_t object, const char *name) {
    uint32_t id;
    uint64_t value = 0;
    if (!atomic_find(display, object, name, &id, &value))
        fail_msg("no property %s", name);
    return value;
}

static uint32_t find(const struct display *display, uint32_t object, const char *name) {
    uint32_t id = 0;
    uint64_t value;
    if (!atomic_find(display, object, name, &id, &value))
        fail_msg("no property %s", name);
    return id;
}

static uint32_t find_plane(const struct display *display) {
    uint32_t id = 0;
    struct drm_mode_get_plane_res planes = {.plane_id_ptr = rig_put(display->rig, &id, sizeof id), .count_planes = 1};
    assert_int_equal(call(display, DRM_IOCTL_MODE_GETPLANERESOURCES, &planes), 0);
    assert_int_equal(planes.count_planes, 1);
    rig_get(display->rig, planes.plane_id_ptr, &id, sizeof id);
    return id;
}

struct names atomic_begin(const struct display *display) {
    assert_int_equal(atomic_client_cap(display, DRM_CLIENT_CAP_ATOMIC, 1), 0);
    uint32_t plane = find_plane(display), crtc = display->crtc, connector = display->connector;
    return (struct names){.plane = plane,
                          .fb_id = find(display, plane, "FB_ID"),
                          .in_fence_fd = find(display, plane, "IN_FENCE_FD"),
                          .plane_crtc_id = find(display, plane, "CRTC_ID"),
                          .crtc_x = find(display, plane, "CRTC_X"),
                          .crtc_y = find(display, plane, "CRTC_Y"),
                          .crtc_w = find(display, plane, "CRTC_W"),
                          .crtc_h = find(display, plane, "CRTC_H"),
                          .src_x = find(display, plane, "SRC_X"),
                          .src_y = find(display, plane, "SRC_Y"),
                          .src_w = find(display, plane, "SRC_W"),
                          .src_h = find(display, plane, "SRC_H"),
                          .type = find(display, plane, "type"),
                          .active = find(display, crtc, "ACTIVE"),
                          .mode_id = find(display, crtc, "MODE_ID"),
                          .out_fence_ptr = find(display, crtc, "OUT_FENCE_PTR"),
                          .vrr_enabled = find(display, crtc, "VRR_ENABLED"),
                          .crtc_id = find(display, connector, "CRTC_ID"),
                          .dpms = find(display, connector, "DPMS"),
                          .link_status = find(display, connector, "link-status")};
}

/* ---- commits ---- */

void list_add(struct list *list, uint32_t object, uint32_t property, uint64_t value) {
    assert_true(list->count < COUNT_OF(list->object));
    list->object[list->count] = object;
    list->property[list->count] = property;
    list->value[list->count++] = value;
}

void list_show(struct list *list, const struct display *display, const struct names *names, uint32_t framebuffer) {
    list_add(list, names->plane, names->fb_id, framebuffer);
    list_add(list, names->plane, names->plane_crtc_id, display->crtc);
    list_add(list, names->plane, names->src_x, 0);
    list_add(list, names->plane, names->src_y, 0);
    list_add(list, names->plane, names->src_w, WIDTH << 16);
    list_add(list, names->plane, names->src_h, HEIGHT << 16);
    list_add(list, names->plane, names->crtc_x, 0);
    list_add(list, names->plane, names->crtc_y, 0);
    list_add(list, names->plane, names->crtc_w, WIDTH);
    list_add(list, names->plane, names->crtc_h, HEIGHT);
}

void list_mode(struct list *list, const struct display *display, const struct names *names, uint32_t blob) {
    list_add(list, display->connector, names->crtc_id, blob ? display->crtc : 0);
    list_add(list, display->crtc, names->mode_id, blob);
    list_add(list, display->crtc, names->active, blob != 0);
}

int list_commit(const struct list *list, const struct display *display, uint32_t flags, uint64_t user_data) {
    struct rig *rig = display->rig;
    uint32_t ones[32];
    for (unsigned i = 0; i < COUNT_OF(ones); i++)
        ones[i] = 1;
    struct drm_mode_atomic request = {.flags = flags,
                                      .count_objs = list->count,
                                      .objs_ptr = rig_put(rig, list->object, sizeof list->object),
                                      .count_props_ptr = rig_put(rig, ones, sizeof ones),
                                      .props_ptr = rig_put(rig, list->property, sizeof list->property),
                                      .prop_values_ptr = rig_put(rig, list->value, sizeof list->value),
                                      .user_data = user_data};
    return call(display, DRM_IOCTL_MODE_ATOMIC, &request);
}

int atomic_set(const struct display *display, uint32_t flags, uint32_t object, uint32_t property, uint64_t value) {
    struct list list = {0};
    list_add(&list, object, property, value);
    return list_commit(&list, display, flags, 0);
}

/* ---- blobs ---- */

uint32_t atomic_blob(const struct display *display, const void *data, uint32_t bytes) {
    struct drm_mode_create_blob create = {.data = rig_put(display->rig, data, bytes), .length = bytes};
    assert_int_equal(call(display, DRM_IOCTL_MODE_CREATEPROPBLOB, &create), 0);
    return create.blob_id;
}

int atomic_destroy_blob(const struct display *display, uint32_t blob) {
    struct drm_mode_destroy_blob destroy = {.blob_id = blob};
    return call(display, DRM_IOCTL_MODE_DESTROYPROPBLOB, &destroy);
}

uint32_t atomic_screen(const struct display *display, const struct names *names) {
    uint32_t screen = display_screen(display);
    struct list list = {0};
    list_mode(&list, display, names, atomic_blob(display, &display->mode, sizeof display->mode));
    list_show(&list, display, names, screen);
    assert_int_equal(list_commit(&list, display, MODESET, 0), 0);
    return screen;
}
