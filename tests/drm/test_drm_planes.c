/* SPDX-License-Identifier: MIT */
/* The primary plane, the properties of objects, and capabilities. */
#include "drm/display.h"

static struct rig rig;

static int call(const struct display *display, unsigned long request, void *structure) {
    return rig_ioctl(&rig, display->file, request, structure);
}

/* ---- planes ---- */

static int client_cap(const struct display *display, uint64_t capability, uint64_t value) {
    struct drm_set_client_cap cap = {.capability = capability, .value = value};
    return call(display, DRM_IOCTL_SET_CLIENT_CAP, &cap);
}

static uint32_t find_plane(const struct display *display) {
    uint32_t id = 0;
    struct drm_mode_get_plane_res planes = {.plane_id_ptr = rig_put(&rig, &id, sizeof id), .count_planes = 1};
    assert_int_equal(call(display, DRM_IOCTL_MODE_GETPLANERESOURCES, &planes), 0);
    rig_get(&rig, planes.plane_id_ptr, &id, sizeof id);
    return planes.count_planes ? id : 0;
}

static void the_primary_plane_is_for_those_who_ask(void **state) {
    uint32_t formats[16] = {0};
    (void)state;
    struct display display = display_open(&rig, &parts[4], 0);
    assert_int_equal(find_plane(&display), 0);
    assert_int_equal(client_cap(&display, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 2), -EINVAL);
    assert_int_equal(client_cap(&display, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1), 0);
    uint32_t id = find_plane(&display), screen = display_screen(&display);
    assert_true(id);
    assert_int_equal(display_set(&display, screen), 0);
    struct drm_mode_get_plane plane = {.plane_id = id};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETPLANE, &plane), 0);
    assert_int_equal(plane.fb_id, screen);
    assert_int_equal(plane.crtc_id, display.crtc);
    assert_int_equal(plane.possible_crtcs, 1);
    plane.format_type_ptr = rig_put(&rig, formats, sizeof formats);
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETPLANE, &plane), 0);
    rig_get(&rig, plane.format_type_ptr, formats, sizeof formats);
    assert_int_equal(formats[0], DRM_FORMAT_XRGB8888);
    assert_true(formats[plane.count_format_types - 1]);
    plane.plane_id = NOTHING;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETPLANE, &plane), -ENOENT);
    rig_close(&rig);
}

static void setplane_shows_a_framebuffer_or_nothing(void **state) {
    (void)state;
    struct display display = display_open(&rig, &parts[4], 0);
    client_cap(&display, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1);
    uint32_t id = find_plane(&display), screen = display_screen(&display), next = display_screen(&display);
    const struct drm_mode_set_plane good = {.plane_id = id,
                                            .crtc_id = display.crtc,
                                            .fb_id = next,
                                            .crtc_w = WIDTH,
                                            .crtc_h = HEIGHT,
                                            .src_w = WIDTH << 16,
                                            .src_h = HEIGHT << 16};
    struct drm_mode_set_plane plane = good;
    assert_int_equal(display_set(&display, 0), 0);
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETPLANE, &plane), -EINVAL);
    assert_int_equal(display_set(&display, screen), 0);
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETPLANE, &plane), 0);
    assert_int_equal(display_get(&display).fb_id, next);
    plane.src_x = 1;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETPLANE, &plane), -ENOSPC);
    plane = good;
    plane.crtc_x = INT32_MAX;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETPLANE, &plane), -ERANGE);
    plane.crtc_x = 1;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETPLANE, &plane), -EINVAL);
    plane.fb_id = NOTHING;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETPLANE, &plane), -ENOENT);
    plane.fb_id = 0;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETPLANE, &plane), 0);
    assert_int_equal(display_get(&display).fb_id, 0);
    assert_int_equal(display_get(&display).mode_valid, 1);
    assert_int_equal(display_flip(&display, next, 0, 0), -EBUSY);
    rig_close(&rig);
}

/* ---- properties ---- */

/* Value of the named property of an object; its identity in *id. */
static uint64_t property(const struct display *display, uint32_t object, const char *name, uint32_t *id) {
    uint32_t ids[8] = {0};
    uint64_t values[8] = {0}, at = rig_put(&rig, ids, sizeof ids), values_at = rig_put(&rig, values, sizeof values);
    struct drm_mode_obj_get_properties list = {
        .props_ptr = at, .prop_values_ptr = values_at, .count_props = 8, .obj_id = object};
    assert_int_equal(call(display, DRM_IOCTL_MODE_OBJ_GETPROPERTIES, &list), 0);
    rig_get(&rig, at, ids, sizeof ids);
    rig_get(&rig, values_at, values, sizeof values);
    for (unsigned i = 0; i < list.count_props; i++) {
        struct drm_mode_get_property row = {.prop_id = ids[i]};
        assert_int_equal(call(display, DRM_IOCTL_MODE_GETPROPERTY, &row), 0);
        *id = ids[i];
        if (strcmp(row.name, name) == 0)
            return values[i];
    }
    fail_msg("no property %s", name);
    return 0;
}

static void enumerations_have_names(void **state) {
    struct drm_mode_property_enum names[4] = {0};
    uint32_t id;
    (void)state;
    struct display display = display_open(&rig, &parts[4], 0);
    assert_int_equal(property(&display, display.connector, "DPMS", &id), DRM_MODE_DPMS_ON);
    struct drm_mode_get_property row = {
        .prop_id = id, .enum_blob_ptr = rig_put(&rig, names, sizeof names), .count_enum_blobs = 4};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETPROPERTY, &row), 0);
    assert_int_equal(row.count_enum_blobs, 4);
    rig_get(&rig, row.enum_blob_ptr, names, sizeof names);
    assert_string_equal(names[DRM_MODE_DPMS_OFF].name, "Off");
    assert_int_equal(names[DRM_MODE_DPMS_OFF].value, DRM_MODE_DPMS_OFF);
    row.enum_blob_ptr = NOT_MAPPED;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETPROPERTY, &row), -EFAULT);
    row.prop_id = display.crtc;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETPROPERTY, &row), -ENOENT);
    rig_close(&rig);
}

static void a_display_can_be_put_to_sleep(void **state) {
    uint32_t id;
    (void)state;
    struct display display = display_open(&rig, &parts[4], 0);
    uint32_t screen = display_screen(&display);
    assert_int_equal(display_set(&display, screen), 0);
    property(&display, display.connector, "DPMS", &id);
    struct drm_mode_connector_set_property set = {
        .value = DRM_MODE_DPMS_STANDBY, .prop_id = id, .connector_id = display.connector};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETPROPERTY, &set), 0);
    assert_int_equal(property(&display, display.connector, "DPMS", &id), DRM_MODE_DPMS_OFF);
    assert_int_equal(display_flip(&display, screen, 0, 0), -EINVAL);
    set.value = DRM_MODE_DPMS_ON;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETPROPERTY, &set), 0);
    assert_int_equal(display_flip(&display, screen, 0, 0), 0);
    set.value = 4;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETPROPERTY, &set), -EINVAL);
    set.connector_id = display.crtc;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETPROPERTY, &set), -ENOENT);
    rig_close(&rig);
}

static void objects_without_properties_are_einval(void **state) {
    (void)state;
    struct display display = display_open(&rig, &parts[4], 0);
    struct drm_mode_obj_get_properties list = {.obj_id = display.encoder};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_OBJ_GETPROPERTIES, &list), -EINVAL);
    list.obj_id = display_screen(&display);
    assert_int_equal(call(&display, DRM_IOCTL_MODE_OBJ_GETPROPERTIES, &list), -EINVAL);
    list.obj_type = DRM_MODE_OBJECT_CRTC;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_OBJ_GETPROPERTIES, &list), -ENOENT);
    list = (struct drm_mode_obj_get_properties){.obj_id = display.connector, .props_ptr = NOT_MAPPED, .count_props = 1};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_OBJ_GETPROPERTIES, &list), -EFAULT);
    struct drm_mode_obj_set_property set = {.obj_id = NOTHING};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_OBJ_SETPROPERTY, &set), -ENOENT);
    rig_close(&rig);
}

static void formats_and_modifiers_are_a_blob(void **state) {
    uint32_t id;
    uint8_t blob[1024] = {0};
    struct drm_format_modifier_blob head;
    struct drm_format_modifier row;
    (void)state;
    struct display display = display_open(&rig, &parts[4], 0);
    client_cap(&display, DRM_CLIENT_CAP_UNIVERSAL_PLANES, 1);
    uint32_t plane = find_plane(&display);
    assert_int_equal(property(&display, plane, "type", &id), 1);
    struct drm_mode_get_blob request = {.blob_id = (uint32_t)property(&display, plane, "IN_FORMATS", &id)};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETPROPBLOB, &request), 0);
    assert_in_range(request.length, sizeof head, sizeof blob);
    request.data = rig_put(&rig, blob, sizeof blob);
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETPROPBLOB, &request), 0);
    rig_get(&rig, request.data, blob, sizeof blob);
    memcpy(&head, blob, sizeof head);
    assert_int_equal(head.version, FORMAT_BLOB_CURRENT);
    assert_int_equal(head.modifiers_offset + head.count_modifiers * sizeof row, request.length);
    memcpy(&row, blob + head.modifiers_offset, sizeof row);
    assert_true(row.modifier == DRM_FORMAT_MOD_NVIDIA_BLOCK_LINEAR_2D(0, 1, 0, 0xfe, 0));
    request.data = NOT_MAPPED;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETPROPBLOB, &request), -EFAULT);
    request.blob_id = NOTHING;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETPROPBLOB, &request), -ENOENT);
    rig_close(&rig);
}

static void programs_have_blobs_of_their_own(void **state) {
    static const char text[] = "what a program wants to keep";
    char got[sizeof text] = "";
    (void)state;
    struct display display = display_open(&rig, &parts[4], 0), other = display;
    other.file = rig_file(&rig, CARD);
    struct drm_mode_create_blob create = {.data = rig_put(&rig, text, sizeof text), .length = sizeof text};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_CREATEPROPBLOB, &create), 0);
    struct drm_mode_get_blob get = {.blob_id = create.blob_id};
    assert_int_equal(call(&other, DRM_IOCTL_MODE_GETPROPBLOB, &get), 0);
    assert_int_equal(get.length, sizeof text);
    get.data = rig_put(&rig, got, sizeof got);
    assert_int_equal(call(&other, DRM_IOCTL_MODE_GETPROPBLOB, &get), 0);
    rig_get(&rig, get.data, got, sizeof got);
    assert_string_equal(got, text);
    struct drm_mode_destroy_blob destroy = {.blob_id = create.blob_id};
    assert_int_equal(call(&other, DRM_IOCTL_MODE_DESTROYPROPBLOB, &destroy), -EPERM);
    assert_int_equal(call(&display, DRM_IOCTL_MODE_DESTROYPROPBLOB, &destroy), 0);
    assert_int_equal(call(&display, DRM_IOCTL_MODE_DESTROYPROPBLOB, &destroy), -ENOENT);
    assert_int_equal(call(&display, DRM_IOCTL_MODE_CREATEPROPBLOB, &create), 0);
    drm_file_close(display.file);
    get.blob_id = create.blob_id;
    assert_int_equal(call(&other, DRM_IOCTL_MODE_GETPROPBLOB, &get), -ENOENT);
    create.length = 0;
    assert_int_equal(call(&other, DRM_IOCTL_MODE_CREATEPROPBLOB, &create), -EINVAL);
    create.length = UINT32_MAX;
    assert_int_equal(call(&other, DRM_IOCTL_MODE_CREATEPROPBLOB, &create), -EINVAL);
    create.length = 16;
    create.data = NOT_MAPPED;
    assert_int_equal(call(&other, DRM_IOCTL_MODE_CREATEPROPBLOB, &create), -EFAULT);
    rig_close(&rig);
}

/* ---- capabilities ---- */

static void capabilities_of_a_display(void **state) {
    (void)state;
    FOR_EACH_PART {
        struct display display = display_open(&rig, part, 0);
        const uint64_t cursor = part->runlists ? 256 : 64;
        const uint64_t wanted[][2] = {
            {DRM_CAP_DUMB_BUFFER, 1},
            {DRM_CAP_DUMB_PREFERRED_DEPTH, 24},
            {DRM_CAP_TIMESTAMP_MONOTONIC, 1},
            {DRM_CAP_CRTC_IN_VBLANK_EVENT, 1},
            {DRM_CAP_ADDFB2_MODIFIERS, !part->calls},
            {DRM_CAP_CURSOR_WIDTH, cursor},
            {DRM_CAP_CURSOR_HEIGHT, cursor},
            {DRM_CAP_PAGE_FLIP_TARGET, 0},
        };
        for (unsigned i = 0; i < COUNT_OF(wanted); i++) {
            struct drm_get_cap cap = {.capability = wanted[i][0], .value = 99};
            assert_int_equal(call(&display, DRM_IOCTL_GET_CAP, &cap), 0);
            assert_int_equal(cap.value, wanted[i][1]);
        }
        struct drm_get_cap cap = {.capability = 0x100};
        assert_int_equal(call(&display, DRM_IOCTL_GET_CAP, &cap), -EINVAL);
        rig_close(&rig);
    }
}

static void the_atomic_interface_is_off(void **state) {
    struct drm_mode_atomic atomic = {0};
    (void)state;
    struct display display = display_open(&rig, &parts[4], 0);
    assert_int_equal(client_cap(&display, DRM_CLIENT_CAP_ATOMIC, 1), -EOPNOTSUPP);
    assert_int_equal(client_cap(&display, 99, 1), -EINVAL);
    assert_int_equal(call(&display, DRM_IOCTL_MODE_ATOMIC, &atomic), -EOPNOTSUPP);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_primary_plane_is_for_those_who_ask),
        cmocka_unit_test(setplane_shows_a_framebuffer_or_nothing),
        cmocka_unit_test(enumerations_have_names),
        cmocka_unit_test(a_display_can_be_put_to_sleep),
        cmocka_unit_test(objects_without_properties_are_einval),
        cmocka_unit_test(formats_and_modifiers_are_a_blob),
        cmocka_unit_test(programs_have_blobs_of_their_own),
        cmocka_unit_test(capabilities_of_a_display),
        cmocka_unit_test(the_atomic_interface_is_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
