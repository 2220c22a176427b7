/* SPDX-License-Identifier: MIT */
/* SYNCOBJ_EVENTFD: eventfds that are told of points. Linux drivers/gpu/drm/drm_syncobj.c. */
#include "drm/spaces.h"

static struct rig rig; /* too large for a stack with a sanitizer */

#define AT        UINT64_C(0x3fffff0000)
#define AVAILABLE DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE
#define EVENT     RIG_FIRST_EVENT

static const struct part *const gm107 = &parts[7];

static int ask(struct drm_file *file, uint32_t handle, uint64_t point, int fd, uint32_t flags) {
    struct uapi_syncobj_eventfd request = {.handle = handle, .flags = flags, .point = point, .fd = fd};
    return rig_ioctl(&rig, file, DRM_IOWR(0xcf, struct uapi_syncobj_eventfd), &request);
}

static void what_is_wrong_with_it_is_refused(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    uint32_t handle = sync_new(&rig, file, 0);
    struct uapi_syncobj_eventfd padded = {.handle = handle, .fd = EVENT, .pad = 1};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOWR(0xcf, struct uapi_syncobj_eventfd), &padded), -EINVAL);
    assert_int_equal(ask(file, handle, 0, EVENT, DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL), -EINVAL);
    assert_int_equal(ask(file, 99, 0, -1, 0), -ENOENT);
    assert_int_equal(ask(file, handle, 0, -1, 0), -EBADF);
    assert_int_equal(ask(file, handle, 0, 3, 0), -EINVAL);
    rig_close(&rig);
}

static void a_point_that_is_done_is_told_at_once(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    uint32_t handle = sync_new(&rig, file, DRM_SYNCOBJ_CREATE_SIGNALED);
    assert_int_equal(ask(file, handle, 0, EVENT, 0), 0);
    assert_int_equal(rig.told[0], 1);
    assert_int_equal(rig.held[0], 0);
    rig_close(&rig);
}

static void a_point_that_comes_later_is_told_once(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    uint32_t line = sync_new(&rig, file, 0);
    assert_int_equal(ask(file, line, 5, EVENT, 0), 0);
    assert_int_equal(sync_signal_point(&rig, file, line, 4), 0);
    assert_int_equal(rig.told[0], 0);
    assert_int_equal(sync_signal_point(&rig, file, line, 6), 0);
    assert_int_equal(sync_signal_point(&rig, file, line, 7), 0);
    assert_int_equal(rig.told[0], 1);
    rig_close(&rig);
}

/* What has been found stays found: a reset, or the end of the object, is nothing to it. */
static void a_job_is_told_when_it_has_come_or_is_done(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct rig_channel channel = spaces_channel(&rig, file, AT);
    struct words words = {.part = rig.part};
    uint32_t done = sync_new(&rig, file, 0);
    const struct syncs syncs = {.signal_count = 1, .signals = {{.handle = done}}};
    words_acquire(&words, &channel, 1);
    assert_int_equal(ask(file, done, 0, EVENT, 0), 0);
    assert_int_equal(ask(file, done, 0, EVENT + 1, AVAILABLE), 0);
    assert_int_equal(rig.told[1], 0);
    assert_int_equal(spaces_run(&rig, &channel, &words, AT + PAGE, &syncs), 0);
    assert_int_equal(rig.told[0], 0);
    assert_int_equal(rig.told[1], 1);
    assert_int_equal(sync_reset(&rig, file, done), 0);
    assert_int_equal(sync_destroy(&rig, file, done), 0);
    assert_int_equal(rig.told[0], 0);
    rig_let_go(&channel);
    while (drm_device_poll(rig.device))
        ;
    assert_int_equal(rig.told[0], 1);
    rig_close(&rig);
}

static void nobody_is_told_of_an_object_that_goes(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    uint32_t one = sync_new(&rig, file, 0), other = sync_new(&rig, file, 0);
    assert_int_equal(ask(file, one, 1, EVENT, 0), 0);
    assert_int_equal(ask(file, other, 1, EVENT + 1, 0), 0);
    assert_int_equal(sync_destroy(&rig, file, one), 0);
    assert_int_equal(rig.held[0], 0);
    assert_int_equal(rig.told[0], 0);
    assert_int_equal(rig.held[1], 1);
    drm_file_close(file);
    assert_int_equal(rig.held[1], 0);
    rig_close(&rig);
}

static void there_is_an_end_to_them(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    uint32_t handle = sync_new(&rig, file, 0);
    for (unsigned i = 0; i < 4096; i++)
        assert_int_equal(ask(file, handle, 1, EVENT, 0), 0);
    assert_int_equal(ask(file, handle, 1, EVENT, 0), -ENOMEM);
    assert_int_equal(sync_signal_point(&rig, file, handle, 1), 0);
    assert_int_equal(rig.told[0], 4096);
    assert_int_equal(ask(file, handle, 2, EVENT, 0), 0);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_wrong_with_it_is_refused),
        cmocka_unit_test(a_point_that_is_done_is_told_at_once),
        cmocka_unit_test(a_point_that_comes_later_is_told_once),
        cmocka_unit_test(a_job_is_told_when_it_has_come_or_is_done),
        cmocka_unit_test(nobody_is_told_of_an_object_that_goes),
        cmocka_unit_test(there_is_an_end_to_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
