/* SPDX-License-Identifier: MIT */
/* What commits do: pictures, flips and their events, blobs, fences; and how they and the older calls go together. */
#include "drm/atomic.h"

#include <stdlib.h>

#define HZ     50u
#define FRAME  (UINT64_C(1000000000) / HZ)
#define FERMI  (&parts[4])
#define KEPLER (&parts[5])

static struct rig rig;

static int call(const struct display *display, unsigned long request, void *structure) {
    return rig_ioctl(&rig, display->file, request, structure);
}

static int show(const struct display *display, const struct names *names, uint32_t framebuffer, uint32_t flags,
                uint64_t user_data) {
    struct list list = {0};
    list_show(&list, display, names, framebuffer);
    return list_commit(&list, display, flags, user_data);
}

/* ---- flips ---- */

static void a_commit_shows_a_framebuffer_on_each_chip(void **state) {
    (void)state;
    FOR_EACH_PART if (!part->calls) {
        struct display display = display_open_atomic(&rig, part, 0);
        const struct names names = atomic_begin(&display);
        uint32_t first = atomic_screen(&display, &names), second = display_screen(&display);
        assert_int_equal(display_get(&display).fb_id, first);
        assert_int_equal(show(&display, &names, second, NONBLOCK | EVENT, 5), 0);
        struct drm_event_vblank event = display_event(&display);
        assert_int_equal(event.base.type, DRM_EVENT_FLIP_COMPLETE);
        assert_int_equal(event.user_data, 5);
        assert_int_equal(event.crtc_id, display.crtc);
        assert_int_equal(atomic_value(&display, names.plane, "FB_ID"), second);
        assert_int_equal(drm_device_frames(rig.device), 2);
        rig_close(&rig);
    }
}

static void a_test_changes_nothing(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    uint32_t first = atomic_screen(&display, &names), second = display_screen(&display);
    assert_int_equal(show(&display, &names, second, TEST_ONLY, 0), 0);
    assert_int_equal(show(&display, &names, second, TEST_ONLY | NONBLOCK, 0), 0);
    assert_int_equal(display_get(&display).fb_id, first);
    assert_int_equal(drm_device_frames(rig.device), 1);
    assert_int_equal(rig.event_bytes, 0);
    rig_close(&rig);
}

static void one_that_does_not_wait_finds_the_one_before_busy(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, HZ);
    const struct names names = atomic_begin(&display);
    uint32_t first = atomic_screen(&display, &names), second = display_screen(&display);
    rig.now = 10 * FRAME + FRAME / 4;
    assert_int_equal(show(&display, &names, second, NONBLOCK | EVENT, 1), 0);
    assert_int_equal(atomic_value(&display, names.plane, "FB_ID"), second);
    assert_int_equal(show(&display, &names, first, NONBLOCK | EVENT, 2), -EBUSY);
    assert_int_equal(atomic_set(&display, NONBLOCK, display.crtc, names.active, 1), -EBUSY);
    assert_int_equal(display_flip(&display, first, 0, 0), -EBUSY);
    assert_int_equal(show(&display, &names, first, NONBLOCK | TEST_ONLY, 2), 0);
    const struct list nothing = {0};
    assert_int_equal(list_commit(&nothing, &display, NONBLOCK, 0), 0);
    assert_int_equal(rig.event_bytes, 0);
    rig.now = 11 * FRAME;
    drm_device_vblank(rig.device);
    struct drm_event_vblank event = display_event(&display);
    assert_int_equal(event.user_data, 1);
    assert_int_equal(event.sequence, 11);
    assert_int_equal(show(&display, &names, first, NONBLOCK, 0), 0);
    rig_close(&rig);
}

static void one_that_waits_returns_with_its_blank(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, HZ);
    const struct names names = atomic_begin(&display);
    uint32_t first = atomic_screen(&display, &names), second = display_screen(&display);
    uint64_t frame = rig.now / FRAME;
    assert_int_equal(show(&display, &names, second, EVENT, 1), 0);
    assert_int_equal(rig.now, (frame + 1) * FRAME);
    assert_int_equal(display_event(&display).sequence, frame + 1);
    assert_int_equal(show(&display, &names, first, NONBLOCK | EVENT, 2), 0);
    assert_int_equal(show(&display, &names, second, EVENT, 3), 0); /* after that one, and another frame */
    assert_int_equal(rig.now, (frame + 3) * FRAME);
    assert_int_equal(display_event(&display).user_data, 2);
    assert_int_equal(display_event(&display).user_data, 3);
    assert_int_equal(rig.event_bytes, 0);
    rig_close(&rig);
}

static void the_event_of_a_commit_without_a_flip_comes_with_the_blank(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, HZ);
    const struct names names = atomic_begin(&display);
    uint32_t screen = atomic_screen(&display, &names);
    uint64_t frames = drm_device_frames(rig.device);
    struct list list = {0};
    list_add(&list, display.crtc, names.vrr_enabled, 1);
    assert_int_equal(list_commit(&list, &display, NONBLOCK | EVENT, 9), 0);
    assert_int_equal(atomic_value(&display, display.crtc, "VRR_ENABLED"), 1);
    assert_int_equal(rig.event_bytes, 0);
    rig.now += FRAME;
    drm_device_vblank(rig.device);
    assert_int_equal(display_event(&display).user_data, 9);
    assert_int_equal(show(&display, &names, screen, NONBLOCK, 0), 0); /* as it was */
    assert_int_equal(drm_device_frames(rig.device), frames);
    list = (struct list){0};
    list_mode(&list, &display, &names, 0);
    assert_int_equal(list_commit(&list, &display, MODESET | NONBLOCK | EVENT, 10), 0);
    assert_int_equal(display_event(&display).user_data, 10); /* there are no blanks any more */
    rig_close(&rig);
}

static void a_flip_waits_for_its_rendering(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, KEPLER, 0);
    const struct names names = atomic_begin(&display);
    uint32_t first = atomic_screen(&display, &names);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, display.file, rig_vram(&rig), WIDTH * HEIGHT * 8);
    uint32_t second = display_framebuffer(&display, buffer.handle, WIDTH, HEIGHT, WIDTH * 4);
    struct rig_channel channel = rig_waiting(&rig, display.file, &buffer, true);
    assert_int_equal(show(&display, &names, second, NONBLOCK | EVENT, 7), 0);
    assert_int_equal(rig.event_bytes, 0);
    assert_int_equal(drm_device_frames(rig.device), 1);
    assert_int_equal(show(&display, &names, first, NONBLOCK, 0), -EBUSY);
    rig_let_go(&channel);
    drm_device_vblank(rig.device);
    assert_int_equal(display_event(&display).user_data, 7);
    assert_int_equal(drm_device_frames(rig.device), 2);
    rig_close(&rig);
}

static void one_that_waits_for_its_rendering_can_be_interrupted(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, KEPLER, 0);
    const struct names names = atomic_begin(&display);
    uint32_t first = atomic_screen(&display, &names);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, display.file, rig_vram(&rig), WIDTH * HEIGHT * 8);
    uint32_t second = display_framebuffer(&display, buffer.handle, WIDTH, HEIGHT, WIDTH * 4);
    struct rig_channel channel = rig_waiting(&rig, display.file, &buffer, true);
    rig.signal = true;
    assert_int_equal(show(&display, &names, second, EVENT, 7), -EINTR);
    assert_int_equal(display_get(&display).fb_id, first);
    assert_int_equal(rig.event_bytes, 0);
    rig_let_go(&channel);
    assert_int_equal(show(&display, &names, second, EVENT, 7), 0);
    assert_int_equal(display_event(&display).user_data, 7);
    rig_close(&rig);
}

static void remove_it(struct rig *of) {
    const struct display *display = of->waiting_opaque;
    of->waiting = NULL;
    uint32_t framebuffer = display_get(display).fb_id;
    assert_int_equal(display_remove(display, framebuffer), 0);
}

static void what_changes_during_the_wait_is_looked_at_again(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, HZ);
    const struct names names = atomic_begin(&display);
    atomic_screen(&display, &names);
    uint32_t second = display_screen(&display), third = display_screen(&display);
    assert_int_equal(show(&display, &names, second, NONBLOCK, 0), 0);
    rig.waiting = remove_it; /* of the flip that is under way: the CRTC goes off with it */
    rig.waiting_opaque = &display;
    assert_int_equal(show(&display, &names, third, EVENT, 0), -EINVAL);
    assert_int_equal(display_get(&display).fb_id, 0);
    rig_close(&rig);
}

struct doomed {
    const struct display *display;
    uint32_t framebuffer, dumb;
};

static void destroy_it(struct rig *of) {
    const struct doomed *doomed = of->waiting_opaque;
    struct drm_mode_destroy_dumb destroy = {.handle = doomed->dumb};
    of->waiting = NULL;
    assert_int_equal(display_remove(doomed->display, doomed->framebuffer), 0);
    assert_int_equal(call(doomed->display, DRM_IOCTL_MODE_DESTROY_DUMB, &destroy), 0);
}

static void a_framebuffer_that_is_destroyed_during_the_wait_is_not_shown(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, HZ);
    const struct names names = atomic_begin(&display);
    atomic_screen(&display, &names);
    uint32_t second = display_screen(&display);
    struct drm_mode_create_dumb dumb = display_dumb(&display, WIDTH, HEIGHT);
    struct doomed doomed = {.display = &display, .dumb = dumb.handle};
    doomed.framebuffer = display_framebuffer(&display, dumb.handle, WIDTH, HEIGHT, dumb.pitch);
    assert_int_equal(show(&display, &names, second, NONBLOCK, 0), 0);
    rig.waiting = destroy_it; /* during the wait for that flip */
    rig.waiting_opaque = &doomed;
    assert_int_equal(show(&display, &names, doomed.framebuffer, EVENT, 0), -ENOENT);
    assert_null(rig.waiting);
    assert_int_equal(display_get(&display).fb_id, second);
    assert_int_equal(rig.event_bytes, 0);
    rig_close(&rig);
}

/* ---- modes ---- */

static void a_mode_keeps_its_blob(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    atomic_screen(&display, &names);
    uint32_t blob = (uint32_t)atomic_value(&display, display.crtc, "MODE_ID");
    assert_int_equal(atomic_destroy_blob(&display, blob), 0);
    assert_int_equal(atomic_destroy_blob(&display, blob), -EPERM);
    struct drm_mode_get_blob get = {.blob_id = blob};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETPROPBLOB, &get), 0);
    assert_int_equal(get.length, sizeof(struct drm_mode_modeinfo));
    assert_int_equal(display_set(&display, display_screen(&display)), 0); /* the same mode */
    assert_int_equal(atomic_value(&display, display.crtc, "MODE_ID"), blob);
    assert_int_equal(display_set(&display, 0), 0);
    assert_int_equal(atomic_value(&display, display.crtc, "MODE_ID"), 0);
    assert_int_equal(call(&display, DRM_IOCTL_MODE_GETPROPBLOB, &get), -ENOENT);
    rig_close(&rig);
}

static void a_mode_outlives_the_file_that_made_its_blob(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0), other = display;
    const struct names names = atomic_begin(&display);
    atomic_screen(&display, &names);
    struct drm_mode_get_blob get = {.blob_id = (uint32_t)atomic_value(&display, display.crtc, "MODE_ID")};
    other.file = rig_file(&rig, CARD);
    /* its framebuffer takes the CRTC with it */
    assert_int_equal(atomic_set(&display, MODESET, display.crtc, names.active, 0), 0);
    struct list list = {0};
    list_add(&list, names.plane, names.fb_id, 0);
    list_add(&list, names.plane, names.plane_crtc_id, 0);
    assert_int_equal(list_commit(&list, &display, 0, 0), 0);
    drm_file_close(display.file);
    assert_int_equal(call(&other, DRM_IOCTL_MODE_GETPROPBLOB, &get), 0);
    assert_true(display_get(&other).mode_valid);
    drm_file_close(other.file); /* then the console's mode is back */
    other.file = rig_file(&rig, CARD);
    assert_int_equal(call(&other, DRM_IOCTL_MODE_GETPROPBLOB, &get), -ENOENT);
    rig_close(&rig);
}

static void a_crtc_that_is_not_active_keeps_what_it_will_show(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    uint32_t first = atomic_screen(&display, &names), second = display_screen(&display);
    struct drm_picture picture;
    assert_int_equal(atomic_set(&display, MODESET, display.crtc, names.active, 0), 0);
    assert_int_equal(atomic_value(&display, display.connector, "DPMS"), DRM_MODE_DPMS_OFF);
    assert_int_equal(display_get(&display).fb_id, first);
    assert_false(drm_device_picture(rig.device, &picture));
    assert_int_equal(show(&display, &names, second, EVENT, 1), -EINVAL); /* nobody would send it */
    assert_int_equal(show(&display, &names, second, 0, 0), 0);
    assert_int_equal(display_get(&display).fb_id, second);
    assert_int_equal(drm_device_frames(rig.device), 1);
    struct drm_mode_connector_set_property on = {
        .value = DRM_MODE_DPMS_ON, .prop_id = names.dpms, .connector_id = display.connector};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETPROPERTY, &on), 0);
    assert_int_equal(atomic_value(&display, display.crtc, "ACTIVE"), 1);
    assert_true(drm_device_picture(rig.device, &picture));
    free(picture.rgba);
    rig_close(&rig);
}

static void what_does_not_cover_the_crtc_cannot_be_woken(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    atomic_screen(&display, &names);
    assert_int_equal(atomic_set(&display, MODESET, display.crtc, names.active, 0), 0);
    assert_int_equal(atomic_set(&display, 0, names.plane, names.crtc_x, 1), 0); /* that is not looked at now */
    assert_int_equal(atomic_set(&display, MODESET, display.crtc, names.active, 1), -EINVAL);
    struct drm_mode_connector_set_property on = {
        .value = DRM_MODE_DPMS_ON, .prop_id = names.dpms, .connector_id = display.connector};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETPROPERTY, &on), -EINVAL);
    rig_close(&rig);
}

/* ---- pictures ---- */

static void the_part_within_the_crtc_is_seen(void **state) {
    struct drm_picture picture;
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    atomic_screen(&display, &names);
    struct drm_nouveau_gem_info buffer = rig_buffer(&rig, display.file, GART, (WIDTH + 8) * (HEIGHT + 8) * 4);
    uint32_t large = display_framebuffer(&display, buffer.handle, WIDTH + 8, HEIGHT + 8, (WIDTH + 8) * 4);
    rig_wr32(display.file, &buffer, (UINT64_C(3) * (WIDTH + 8) + 5) * 4, 0x00123456);
    struct list list = {0};
    list_show(&list, &display, &names, large);
    list_add(&list, names.plane, names.src_x, 1 << 16);
    list_add(&list, names.plane, names.src_w, (WIDTH + 6) << 16);
    list_add(&list, names.plane, names.src_h, (HEIGHT + 8) << 16);
    list_add(&list, names.plane, names.crtc_x, (uint64_t)-4);
    list_add(&list, names.plane, names.crtc_y, (uint64_t)-3);
    list_add(&list, names.plane, names.crtc_w, WIDTH + 6);
    list_add(&list, names.plane, names.crtc_h, HEIGHT + 8);
    assert_int_equal(list_commit(&list, &display, 0, 0), 0);
    assert_true(drm_device_picture(rig.device, &picture));
    assert_int_equal(picture.width, WIDTH);
    const uint8_t wanted[] = {0x12, 0x34, 0x56, 0xff};
    assert_memory_equal(picture.rgba, wanted, sizeof wanted);
    free(picture.rgba);
    assert_int_equal(atomic_set(&display, 0, names.plane, names.crtc_x, (uint64_t) - (int64_t)(WIDTH + 6)), 0);
    assert_false(drm_device_picture(rig.device, &picture));
    rig_close(&rig);
}

/* ---- fences ---- */

static int32_t out_fence(const struct display *display, const struct names *names, uint32_t framebuffer, uint32_t flags,
                         int wanted) {
    int32_t fd = 99;
    struct list list = {0};
    uint64_t at = rig_put(&rig, &fd, sizeof fd);
    list_show(&list, display, names, framebuffer);
    list_add(&list, display->crtc, names->out_fence_ptr, at);
    assert_int_equal(list_commit(&list, display, flags, 0), wanted);
    rig_get(&rig, at, &fd, sizeof fd);
    return fd;
}

static void an_out_fence_is_a_sync_file(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, HZ);
    const struct names names = atomic_begin(&display);
    uint32_t first = atomic_screen(&display, &names), second = display_screen(&display);
    int32_t fd = out_fence(&display, &names, second, NONBLOCK, 0);
    assert_true(fd >= RIG_FIRST_FD);
    struct drm_syncobj_create create = {0};
    assert_int_equal(call(&display, DRM_IOCTL_SYNCOBJ_CREATE, &create), 0);
    struct drm_syncobj_handle import = {
        .handle = create.handle, .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE, .fd = fd};
    assert_int_equal(call(&display, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import), 0);
    struct drm_syncobj_wait wait = {.handles = rig_put(&rig, &create.handle, sizeof create.handle), .count_handles = 1};
    assert_int_equal(call(&display, DRM_IOCTL_SYNCOBJ_WAIT, &wait), 0); /* it has a fence, which is signaled */
    assert_int_equal(drm_device_frames(rig.device), 2);                 /* it is signaled */
    assert_int_equal(out_fence(&display, &names, first, TEST_ONLY, 0), -1);
    assert_int_equal(out_fence(&display, &names, 0, 0, -EINVAL), -1);
    assert_int_equal(atomic_set(&display, 0, display.crtc, names.out_fence_ptr, NOT_MAPPED), -EFAULT);
    assert_int_equal(atomic_set(&display, 0, display.crtc, names.out_fence_ptr, 0), 0);
    struct list list = {0};
    list_show(&list, &display, &names, first);
    list_add(&list, names.plane, names.in_fence_fd, (uint64_t)fd);
    assert_int_equal(list_commit(&list, &display, 0, 0), 0);
    list_add(&list, names.plane, names.in_fence_fd, UINT64_MAX);
    assert_int_equal(list_commit(&list, &display, 0, 0), -EINVAL); /* named twice */
    rig_close(&rig);
}

static void an_in_fence_must_be_a_sync_file(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    uint32_t screen = atomic_screen(&display, &names);
    const uint64_t wrong[] = {0, 5, RIG_FIRST_FD, INT32_MAX};
    for (unsigned i = 0; i < COUNT_OF(wrong); i++)
        assert_int_equal(atomic_set(&display, 0, names.plane, names.in_fence_fd, wrong[i]), -EINVAL);
    assert_int_equal(atomic_set(&display, 0, names.plane, names.in_fence_fd, UINT64_MAX), 0);
    rig.give_error = -EMFILE;
    out_fence(&display, &names, screen, 0, -EMFILE);
    rig_close(&rig);
}

/* ---- the older calls ---- */

static void setproperty_is_a_commit_of_one_property(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, 0);
    const struct names names = atomic_begin(&display);
    uint32_t screen = atomic_screen(&display, &names);
    struct drm_mode_obj_set_property set = {.value = 0, .prop_id = names.active, .obj_id = display.crtc};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_OBJ_SETPROPERTY, &set), 0);
    assert_int_equal(display_flip(&display, screen, 0, 0), -EINVAL);
    set.value = 1;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_OBJ_SETPROPERTY, &set), 0);
    assert_int_equal(display_flip(&display, screen, 0, 0), 0);
    set = (struct drm_mode_obj_set_property){.value = 1, .prop_id = names.src_x, .obj_id = names.plane};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_OBJ_SETPROPERTY, &set), -ENOSPC);
    set.prop_id = names.active;
    assert_int_equal(call(&display, DRM_IOCTL_MODE_OBJ_SETPROPERTY, &set), -EINVAL);
    rig_close(&rig);
}

static void setcrtc_and_flips_show_where_the_plane_is(void **state) {
    (void)state;
    struct display display = display_open_atomic(&rig, FERMI, HZ);
    const struct names names = atomic_begin(&display);
    struct drm_mode_create_dumb dumb = display_dumb(&display, WIDTH + 8, HEIGHT + 8);
    uint32_t large = display_framebuffer(&display, dumb.handle, WIDTH + 8, HEIGHT + 8, dumb.pitch);
    uint32_t small = display_screen(&display);
    struct drm_mode_crtc set = {.crtc_id = display.crtc,
                                .fb_id = large,
                                .x = 3,
                                .y = 4,
                                .set_connectors_ptr = rig_put(&rig, &display.connector, sizeof display.connector),
                                .count_connectors = 1,
                                .mode_valid = 1,
                                .mode = display.mode};
    assert_int_equal(call(&display, DRM_IOCTL_MODE_SETCRTC, &set), 0);
    assert_int_equal(atomic_value(&display, names.plane, "SRC_X"), 3 << 16);
    assert_int_equal(atomic_value(&display, names.plane, "SRC_H"), HEIGHT << 16);
    assert_int_equal(display_flip(&display, small, 0, 0), -ENOSPC);
    assert_int_equal(show(&display, &names, small, NONBLOCK, 0), 0);
    assert_int_equal(display_get(&display).x, 0);
    assert_int_equal(atomic_value(&display, names.plane, "SRC_X"), 0); /* though it is not there yet */
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_commit_shows_a_framebuffer_on_each_chip),
        cmocka_unit_test(a_test_changes_nothing),
        cmocka_unit_test(one_that_does_not_wait_finds_the_one_before_busy),
        cmocka_unit_test(one_that_waits_returns_with_its_blank),
        cmocka_unit_test(the_event_of_a_commit_without_a_flip_comes_with_the_blank),
        cmocka_unit_test(a_flip_waits_for_its_rendering),
        cmocka_unit_test(one_that_waits_for_its_rendering_can_be_interrupted),
        cmocka_unit_test(what_changes_during_the_wait_is_looked_at_again),
        cmocka_unit_test(a_framebuffer_that_is_destroyed_during_the_wait_is_not_shown),
        cmocka_unit_test(a_mode_keeps_its_blob),
        cmocka_unit_test(a_mode_outlives_the_file_that_made_its_blob),
        cmocka_unit_test(a_crtc_that_is_not_active_keeps_what_it_will_show),
        cmocka_unit_test(what_does_not_cover_the_crtc_cannot_be_woken),
        cmocka_unit_test(the_part_within_the_crtc_is_seen),
        cmocka_unit_test(an_out_fence_is_a_sync_file),
        cmocka_unit_test(an_in_fence_must_be_a_sync_file),
        cmocka_unit_test(setproperty_is_a_commit_of_one_property),
        cmocka_unit_test(setcrtc_and_flips_show_where_the_plane_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
