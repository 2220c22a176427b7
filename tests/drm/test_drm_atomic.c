/* SPDX-License-Identifier: MIT */
/* The atomic interface: who has it, its properties, and what is refused. */
#include "drm/atomic.h"

#define FERMI (&parts[4])

static struct rig rig;

static int call(const struct display *display, unsigned long request, void *structure) {
    return rig_ioctl(&rig, display->file, request, structure);
}

/* ---- who has it ---- */

static void it_is_there_from_g80_on_for_those_who_ask(void **state) {
    struct drm_mode_atomic nothing = {0};
    uint32_t id;
    uint64_t value;
    (void)state;
    FOR_EACH_PART {
        struct display display = display_open_atomic(&rig, part, 0);
        int no = part->calls ? -EOPNOTSUPP : -EINVAL;
        assert_int_equal(call(&display, DRM_IOCTL_MODE_ATOMIC, &nothing), no);
        assert_int_equal(atomic_client_cap(&display, DRM_CLIENT_CAP_WRITEBACK_CONNECTORS, 1), -EINVAL);
        assert_int_equal(atomic_client_cap(&display, DRM_CLIENT_CAP_ATOMIC, 3), no);
        assert_false(atomic_find(&display, display.crtc, "ACTIVE", &id, &value));
        int status = atomic_client_cap(&display, DRM_CLIENT_CAP_ATOMIC, 1);
        assert_int_equal(status, part->calls ? -EOPNOTSUPP : 0);
        assert_int_equal(atomic_find(&display, display.crtc, "ACTIVE", &id, &value), !part->calls);
        if (!part->calls) {
            assert_int_equal(call(&display, DRM_IOCTL_MODE_ATOMIC, &nothing), 0);
            assert_int_equal(atomic_client_cap(&display, DRM_CLIENT_CAP_WRITEBACK_CONNECTORS, 1), 0);
            assert_int_equal(atomic_client_cap(&display, DRM_CLIENT_CAP_ATOMIC, 0), 0);
            assert_int_equal(call(&display, DRM_IOCTL_MODE_ATOMIC, &nothing), -EINVAL);
        }
        rig_close(&rig);
    }
}

static void only_the_master_may_commit(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0), other = display;
    other.file = rig_file(&rig, CARD);
    const struct list nothing = {0};
    assert_int_equal(atomic_client_cap(&other, DRM_CLIENT_CAP_ATOMIC, 1), 0);
    assert_int_equal(list_commit(&nothing, &other, 0, 0), -EACCES);
    rig_close(&rig);
}

static struct drm_mode_get_property describe(const struct display *display, uint32_t id, uint64_t values[2]) {
    struct drm_mode_get_property row = {.prop_id = id, .count_values = 2};
    row.values_ptr = rig_put(&rig, values, 2 * sizeof *values);
    assert_int_equal(call(display, DRM_IOCTL_MODE_GETPROPERTY, &row), 0);
    rig_get(&rig, row.values_ptr, values, 2 * sizeof *values);
    return row;
}

static void properties_say_what_they_take(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    const struct {
        uint32_t id, flags, count;
        uint64_t least, most;
    } wanted[] = {
        {names.fb_id, DRM_MODE_PROP_OBJECT, 1, DRM_MODE_OBJECT_FB, 0},
        {names.crtc_id, DRM_MODE_PROP_OBJECT, 1, DRM_MODE_OBJECT_CRTC, 0},
        {names.in_fence_fd, DRM_MODE_PROP_SIGNED_RANGE, 2, UINT64_MAX, INT32_MAX},
        {names.crtc_x, DRM_MODE_PROP_SIGNED_RANGE, 2, (uint64_t)INT32_MIN, INT32_MAX},
        {names.crtc_h, DRM_MODE_PROP_RANGE, 2, 0, INT32_MAX},
        {names.src_w, DRM_MODE_PROP_RANGE, 2, 0, UINT32_MAX},
        {names.active, DRM_MODE_PROP_RANGE, 2, 0, 1},
        {names.mode_id, DRM_MODE_PROP_BLOB, 0, 0, 0},
        {names.out_fence_ptr, DRM_MODE_PROP_RANGE, 2, 0, UINT64_MAX},
    };
    for (unsigned i = 0; i < COUNT_OF(wanted); i++) {
        uint64_t values[2] = {0, 0};
        const struct drm_mode_get_property row = describe(&display, wanted[i].id, values);
        assert_int_equal(row.flags, wanted[i].flags | DRM_MODE_PROP_ATOMIC);
        assert_int_equal(row.count_values, wanted[i].count);
        assert_true(values[0] == wanted[i].least && values[1] == wanted[i].most);
    }
    assert_int_equal(names.crtc_id, names.plane_crtc_id);
    rig_close(&rig);
}

static void values_are_those_of_the_console_first(void **state) {
    struct drm_mode_modeinfo mode;
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    assert_int_equal(atomic_value(&display, display.crtc, "ACTIVE"), 1);
    assert_int_equal(atomic_value(&display, display.connector, "CRTC_ID"), display.crtc);
    assert_int_equal(atomic_value(&display, names.plane, "CRTC_ID"), display.crtc);
    assert_int_equal(atomic_value(&display, names.plane, "FB_ID"), display_get(&display).fb_id);
    assert_int_equal(atomic_value(&display, names.plane, "SRC_W"), WIDTH << 16);
    assert_int_equal(atomic_value(&display, names.plane, "CRTC_H"), HEIGHT);
    assert_true(atomic_value(&display, names.plane, "IN_FENCE_FD") == UINT64_MAX);
    struct drm_mode_get_blob get = {.blob_id = (uint32_t)atomic_value(&display, display.crtc, "MODE_ID"),
                                    .length = sizeof mode};
    get.data = rig_put(&rig, &mode, sizeof mode);
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETPROPBLOB, &get), 0);
    rig_get(&rig, get.data, &mode, sizeof mode);
    assert_int_equal(mode.hdisplay, WIDTH);
    assert_int_equal(mode.clock, display.mode.clock);
    rig_close(&rig);
}

/* ---- requests ---- */

static void flags_that_make_no_sense_are_einval(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    const struct list nothing = {0};
    assert_int_equal(list_commit(&nothing, &display, 0, 0), 0);
    assert_int_equal(list_commit(&nothing, &display, 0x800, 0), -EINVAL);
    assert_int_equal(list_commit(&nothing, &display, DRM_MODE_PAGE_FLIP_ASYNC, 0), -EINVAL);
    assert_int_equal(list_commit(&nothing, &display, DRM_MODE_PAGE_FLIP_TARGET_ABSOLUTE, 0), -EINVAL);
    struct list something = {0};
    list_add(&something, display.crtc, names.active, 1);
    assert_int_equal(list_commit(&something, &display, EVENT, 0), 0);
    assert_int_equal(list_commit(&something, &display, TEST_ONLY | EVENT, 0), -EINVAL);
    assert_int_equal(list_commit(&nothing, &display, EVENT, 0), -EINVAL); /* no CRTC would send it */
    struct drm_mode_atomic request = {.reserved = 1};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_ATOMIC, &request), -EINVAL);
    rig_close(&rig);
}

static void lists_are_read_in_their_order(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    const uint32_t objects[] = {display.crtc, display.encoder}, counts[] = {1, 1}, property = names.active;
    const uint64_t value = 1, objects_at = rig_put(&rig, objects, sizeof objects);
    const struct drm_mode_atomic good = {.count_objs = 1,
                                         .objs_ptr = objects_at,
                                         .count_props_ptr = rig_put(&rig, counts, sizeof counts),
                                         .props_ptr = rig_put(&rig, &property, sizeof property),
                                         .prop_values_ptr = rig_put(&rig, &value, sizeof value)};
    struct drm_mode_atomic request = good;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_ATOMIC, &request), 0);
    request.count_objs = 2; /* encoders have no properties */
    assert_int_equal(call(&display, DRM_IOCTL_MODE_ATOMIC, &request), -ENOENT);
    request = good;
    request.objs_ptr = NOT_MAPPED;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_ATOMIC, &request), -EFAULT);
    request = good;
    request.count_props_ptr = NOT_MAPPED;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_ATOMIC, &request), -EFAULT);
    request.objs_ptr = objects_at + sizeof objects[0]; /* an object that is wrong comes first */
    assert_int_equal(call(&display, DRM_IOCTL_MODE_ATOMIC, &request), -ENOENT);
    request = good;
    request.props_ptr = NOT_MAPPED;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_ATOMIC, &request), -EFAULT);
    request = good;
    request.prop_values_ptr = NOT_MAPPED;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_ATOMIC, &request), -EFAULT);
    request.props_ptr = objects_at; /* no property */
    assert_int_equal(call(&display, DRM_IOCTL_MODE_ATOMIC, &request), -ENOENT);
    rig_close(&rig);
}

static void lists_have_an_end(void **state) {
    static uint32_t zeros[1u << 17];
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    atomic_begin(&display);
    for (unsigned i = 0; i < COUNT_OF(zeros); i++)
        zeros[i] = display.crtc;
    struct drm_mode_atomic request = {.count_objs = UINT32_MAX, .objs_ptr = rig_put(&rig, zeros, sizeof zeros)};
    memset(zeros, 0, sizeof zeros);
    request.count_props_ptr = rig_put(&rig, zeros, sizeof zeros / 2);
    assert_int_equal(call(&display, DRM_IOCTL_MODE_ATOMIC, &request), -ENOMEM);
    rig_close(&rig);
}

static void objects_and_properties_must_be_there(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    uint32_t screen = atomic_screen(&display, &names);
    const uint32_t objects[] = {0, NOTHING, display.encoder, screen, names.fb_id};
    for (unsigned i = 0; i < COUNT_OF(objects); i++)
        assert_int_equal(atomic_set(&display, 0, objects[i], names.fb_id, screen), -ENOENT);
    assert_int_equal(atomic_set(&display, 0, names.plane, names.active, 1), -ENOENT);
    assert_int_equal(atomic_set(&display, 0, display.crtc, names.fb_id, screen), -ENOENT);
    assert_int_equal(atomic_set(&display, 0, display.connector, names.src_x, 0), -ENOENT);
    assert_int_equal(atomic_set(&display, 0, names.plane, 0, 0), -ENOENT);
    rig_close(&rig);
}

static void values_out_of_range_are_einval(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    atomic_screen(&display, &names);
    const struct {
        uint32_t object, property;
        uint64_t value;
    } wrong[] = {
        {display.crtc, names.active, 2},
        {display.crtc, names.vrr_enabled, 2},
        {display.crtc, names.mode_id, NOTHING},
        {display.crtc, names.mode_id, UINT64_C(1) << 32},
        {display.connector, names.crtc_id, names.plane},
        {display.connector, names.dpms, DRM_MODE_DPMS_OFF}, /* only the older calls may */
        {display.connector, names.link_status, 2},
        {names.plane, names.plane_crtc_id, display.connector},
        {names.plane, names.fb_id, NOTHING},
        {names.plane, names.fb_id, names.plane},
        {names.plane, names.crtc_x, UINT64_C(0x80000000)},
        {names.plane, names.crtc_y, UINT64_MAX << 32},
        {names.plane, names.crtc_w, UINT64_C(0x80000000)},
        {names.plane, names.src_h, UINT64_C(1) << 32},
        {names.plane, names.in_fence_fd, UINT64_MAX - 1},
        {names.plane, names.type, 1}, /* immutable */
    };
    for (unsigned i = 0; i < COUNT_OF(wrong); i++)
        assert_int_equal(atomic_set(&display, MODESET, wrong[i].object, wrong[i].property, wrong[i].value), -EINVAL);
    assert_int_equal(atomic_set(&display, 0, display.connector, names.link_status, 1), 0);
    rig_close(&rig);
}

/* ---- checks ---- */

static void a_plane_has_a_framebuffer_and_a_crtc_or_neither(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    atomic_screen(&display, &names);
    assert_int_equal(atomic_set(&display, 0, names.plane, names.fb_id, 0), -EINVAL);
    assert_int_equal(atomic_set(&display, 0, names.plane, names.plane_crtc_id, 0), -EINVAL);
    struct list off = {0};
    list_add(&off, names.plane, names.fb_id, 0);
    list_add(&off, names.plane, names.plane_crtc_id, 0);
    assert_int_equal(list_commit(&off, &display, 0, 0), 0);
    assert_int_equal(display_get(&display).fb_id, 0);
    assert_true(display_get(&display).mode_valid);
    rig_close(&rig);
}

static void a_view_is_within_its_framebuffer_and_covers_the_crtc(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    atomic_screen(&display, &names);
    const uint32_t plane = names.plane;
    assert_int_equal(atomic_set(&display, 0, plane, names.src_x, 1), -ENOSPC);
    assert_int_equal(atomic_set(&display, 0, plane, names.src_h, (HEIGHT + 1) << 16), -ENOSPC);
    assert_int_equal(atomic_set(&display, 0, plane, names.src_w, (WIDTH - 1) << 16), -ERANGE); /* scaled */
    assert_int_equal(atomic_set(&display, 0, plane, names.crtc_h, HEIGHT + 1), -ERANGE);
    assert_int_equal(atomic_set(&display, 0, plane, names.crtc_x, INT32_MAX), -ERANGE);
    assert_int_equal(atomic_set(&display, 0, plane, names.crtc_x, 1), -EINVAL);
    assert_int_equal(atomic_set(&display, 0, plane, names.crtc_y, UINT64_MAX), -EINVAL);
    assert_int_equal(atomic_set(&display, 0, plane, names.crtc_x, WIDTH), 0); /* nothing of it is seen */
    assert_int_equal(atomic_set(&display, 0, plane, names.crtc_x, 0), 0);
    rig_close(&rig);
}

static void a_crtc_is_on_with_a_mode_and_a_connector(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    atomic_screen(&display, &names);
    assert_int_equal(atomic_set(&display, MODESET, display.connector, names.crtc_id, 0), -EINVAL);
    assert_int_equal(atomic_set(&display, MODESET, display.crtc, names.mode_id, 0), -EINVAL);
    assert_int_equal(atomic_set(&display, 0, display.crtc, names.active, 0), -EINVAL); /* without MODESET */
    assert_int_equal(atomic_set(&display, TEST_ONLY, display.crtc, names.active, 0), -EINVAL);
    struct list off = {0};
    list_mode(&off, &display, &names, 0);
    assert_int_equal(list_commit(&off, &display, MODESET | TEST_ONLY, 0), 0);
    assert_true(display_get(&display).mode_valid);
    assert_int_equal(list_commit(&off, &display, MODESET, 0), 0);
    assert_false(display_get(&display).mode_valid);
    assert_int_equal(list_commit(&off, &display, MODESET | EVENT, 0), -EINVAL); /* it is off, and stays it */
    assert_int_equal(atomic_set(&display, MODESET, display.crtc, names.active, 1), -EINVAL);
    assert_int_equal(atomic_set(&display, MODESET, display.connector, names.crtc_id, display.crtc), -EINVAL);
    rig_close(&rig);
}

static void a_mode_is_a_blob_of_that_size_that_makes_sense(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    atomic_screen(&display, &names);
    struct drm_mode_modeinfo mode = display.mode;
    uint32_t blob = atomic_blob(&display, &mode, sizeof mode - 1);
    assert_int_equal(atomic_set(&display, MODESET, display.crtc, names.mode_id, blob), -EINVAL);
    mode.htotal = 0;
    blob = atomic_blob(&display, &mode, sizeof mode);
    assert_int_equal(atomic_set(&display, MODESET, display.crtc, names.mode_id, blob), -EINVAL);
    mode = display.mode;
    mode.clock = UINT32_MAX;
    blob = atomic_blob(&display, &mode, sizeof mode);
    assert_int_equal(atomic_set(&display, MODESET, display.crtc, names.mode_id, blob), -EINVAL);
    uint32_t formats = (uint32_t)atomic_value(&display, names.plane, "IN_FORMATS");
    assert_int_equal(atomic_set(&display, MODESET, display.crtc, names.mode_id, formats), -EINVAL);
    mode = display.mode;
    mode.hdisplay--; /* then the plane is too large for it, which does not matter */
    blob = atomic_blob(&display, &mode, sizeof mode);
    assert_int_equal(atomic_set(&display, 0, display.crtc, names.mode_id, blob), -EINVAL);
    assert_int_equal(atomic_set(&display, MODESET, display.crtc, names.mode_id, blob), 0);
    mode.hdisplay += 2; /* and now too small */
    blob = atomic_blob(&display, &mode, sizeof mode);
    assert_int_equal(atomic_set(&display, MODESET, display.crtc, names.mode_id, blob), -EINVAL);
    assert_int_equal(display_get(&display).mode.hdisplay, WIDTH - 1);
    rig_close(&rig);
}

static void the_same_mode_in_another_blob_is_no_modeset(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    atomic_screen(&display, &names);
    struct drm_mode_modeinfo mode = display.mode;
    strcpy(mode.name, "another name");
    uint32_t blob = atomic_blob(&display, &mode, sizeof mode);
    assert_int_equal(atomic_set(&display, 0, display.crtc, names.mode_id, blob), 0);
    assert_int_equal(atomic_value(&display, display.crtc, "MODE_ID"), blob);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_there_from_g80_on_for_those_who_ask),
        cmocka_unit_test(only_the_master_may_commit),
        cmocka_unit_test(properties_say_what_they_take),
        cmocka_unit_test(values_are_those_of_the_console_first),
        cmocka_unit_test(flags_that_make_no_sense_are_einval),
        cmocka_unit_test(lists_are_read_in_their_order),
        cmocka_unit_test(lists_have_an_end),
        cmocka_unit_test(objects_and_properties_must_be_there),
        cmocka_unit_test(values_out_of_range_are_einval),
        cmocka_unit_test(a_plane_has_a_framebuffer_and_a_crtc_or_neither),
        cmocka_unit_test(a_view_is_within_its_framebuffer_and_covers_the_crtc),
        cmocka_unit_test(a_crtc_is_on_with_a_mode_and_a_connector),
        cmocka_unit_test(a_mode_is_a_blob_of_that_size_that_makes_sense),
        cmocka_unit_test(the_same_mode_in_another_blob_is_no_modeset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
