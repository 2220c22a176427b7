/* SPDX-License-Identifier: MIT */
/* Sync objects by themselves: what a program signals. Linux drivers/gpu/drm/drm_syncobj.c. */
#include "drm/spaces.h"

static struct rig rig; /* too large for a stack with a sanitizer */

#define SIGNALED   DRM_SYNCOBJ_CREATE_SIGNALED
#define ALL        DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL
#define FOR_SUBMIT DRM_SYNCOBJ_WAIT_FLAGS_WAIT_FOR_SUBMIT
#define AVAILABLE  DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE

static struct drm_file *open_one(void) {
    rig_open(&rig, &parts[7]);
    return rig_file(&rig, RENDER);
}

static void handles_are_given_from_1_on_and_again(void **state) {
    (void)state;
    struct drm_file *file = open_one(), *other = rig_file(&rig, RENDER);
    for (uint32_t i = 1; i <= 200; i++)
        assert_int_equal(sync_new(&rig, file, 0), i);
    assert_int_equal(sync_new(&rig, other, 0), 1);
    assert_int_equal(sync_destroy(&rig, file, 77), 0);
    assert_int_equal(sync_destroy(&rig, file, 77), -EINVAL);
    assert_int_equal(sync_new(&rig, file, 0), 77);
    assert_int_equal(sync_new(&rig, file, 0), 201);
    assert_int_equal(sync_destroy(&rig, file, 0), -EINVAL);
    assert_int_equal(sync_destroy(&rig, file, UINT32_MAX), -EINVAL);
    rig_close(&rig);
}

static void flags_that_are_not_known_are_refused(void **state) {
    (void)state;
    struct drm_file *file = open_one();
    struct drm_syncobj_create create = {.flags = 2};
    uint32_t handle = sync_new(&rig, file, SIGNALED);
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_SYNCOBJ_CREATE, &create), -EINVAL);
    assert_int_equal(sync_wait(&rig, file, &handle, NULL, 1, AVAILABLE, 0, NULL), -EINVAL);
    assert_int_equal(sync_wait(&rig, file, &handle, NULL, 1, 16, 0, NULL), -EINVAL);
    struct drm_syncobj_destroy destroy = {.handle = handle, .pad = 1};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy), -EINVAL);
    rig_close(&rig);
}

/* What NVK does when it looks for a device. */
static void one_that_is_made_signaled_can_be_waited_for(void **state) {
    (void)state;
    struct drm_file *file = open_one();
    uint32_t handle = sync_new(&rig, file, SIGNALED), first = 9;
    assert_int_equal(sync_wait(&rig, file, &handle, NULL, 1, ALL, 0, &first), 0);
    assert_int_equal(first, 0);
    assert_int_equal(sync_reset(&rig, file, handle), 0);
    assert_int_equal(sync_wait(&rig, file, &handle, NULL, 1, ALL, 0, &first), -EINVAL);
    assert_int_equal(sync_wait(&rig, file, &handle, NULL, 1, FOR_SUBMIT, 0, &first), -ETIME);
    assert_int_equal(sync_signal(&rig, file, handle), 0);
    assert_int_equal(sync_wait(&rig, file, &handle, NULL, 1, 0, 0, &first), 0);
    rig_close(&rig);
}

static void a_wait_ends_at_its_time(void **state) {
    (void)state;
    struct drm_file *file = open_one();
    uint32_t handle = sync_new(&rig, file, 0);
    rig.now = 10 * SECONDS;
    assert_int_equal(sync_wait(&rig, file, &handle, NULL, 1, FOR_SUBMIT, 9 * SECONDS, NULL), -ETIME);
    assert_int_equal(rig.waits, 0);
    assert_int_equal(sync_wait(&rig, file, &handle, NULL, 1, FOR_SUBMIT, 12 * SECONDS, NULL), -ETIME);
    assert_true(rig.now >= 12 * SECONDS && rig.now < 13 * SECONDS);
    rig.signal = true;
    assert_int_equal(sync_wait(&rig, file, &handle, NULL, 1, FOR_SUBMIT, 100 * SECONDS, NULL), -EINTR);
    rig_close(&rig);
}

static uint32_t comes;

static void signal_now(struct rig *r) {
    if (r->waits == 3)
        assert_int_equal(sync_signal(r, r->waiting_opaque, comes), 0);
}

static void a_wait_sees_what_another_thread_signals(void **state) {
    (void)state;
    struct drm_file *file = open_one();
    const uint32_t handles[] = {sync_new(&rig, file, 0), sync_new(&rig, file, 0)};
    uint32_t first = 9;
    comes = handles[1];
    rig.waiting = signal_now;
    rig.waiting_opaque = file;
    assert_int_equal(sync_wait(&rig, file, handles, NULL, 2, FOR_SUBMIT, 100 * SECONDS, &first), 0);
    assert_int_equal(first, 1);
    assert_int_equal(rig.waits, 3);
    assert_int_equal(sync_wait(&rig, file, handles, NULL, 2, FOR_SUBMIT | ALL, 1, NULL), -ETIME);
    rig_close(&rig);
}

static void of_several_any_or_all_are_waited_for(void **state) {
    (void)state;
    struct drm_file *file = open_one();
    uint32_t handles[] = {sync_new(&rig, file, 0), sync_new(&rig, file, SIGNALED), sync_new(&rig, file, SIGNALED)};
    uint32_t first = 9;
    assert_int_equal(sync_wait(&rig, file, handles, NULL, 3, FOR_SUBMIT, 0, &first), 0);
    assert_int_equal(first, 1);
    assert_int_equal(sync_wait(&rig, file, handles, NULL, 3, FOR_SUBMIT | ALL, 0, NULL), -ETIME);
    assert_int_equal(sync_wait(&rig, file, handles, NULL, 3, 0, 0, NULL), -EINVAL);
    assert_int_equal(sync_signal(&rig, file, handles[0]), 0);
    assert_int_equal(sync_wait(&rig, file, handles, NULL, 3, ALL, 0, &first), 0);
    handles[1] = 99;
    assert_int_equal(sync_wait(&rig, file, handles, NULL, 3, ALL, 0, NULL), -ENOENT);
    rig_close(&rig);
}

/* Linux 6.6 and later: there is nothing to wait for. To the other calls a list of nothing is a mistake. */
static void a_wait_for_nothing_is_over(void **state) {
    (void)state;
    struct drm_file *file = open_one();
    const uint32_t handle = sync_new(&rig, file, 0);
    const uint64_t point = 3;
    assert_int_equal(sync_wait(&rig, file, &handle, NULL, 0, ALL, 100 * SECONDS, NULL), 0);
    assert_int_equal(sync_wait(&rig, file, &handle, &point, 0, 0, 100 * SECONDS, NULL), 0);
    assert_int_equal(sync_wait(&rig, file, &handle, NULL, 0, 16, 0, NULL), -EINVAL);
    assert_int_equal(rig.waits, 0);
    struct drm_syncobj_array array = {.handles = RIG_BASE};
    struct drm_syncobj_timeline_array line = {.handles = RIG_BASE, .points = RIG_BASE};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_SYNCOBJ_RESET, &array), -EINVAL);
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_SYNCOBJ_SIGNAL, &array), -EINVAL);
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_SYNCOBJ_QUERY, &line), -EINVAL);
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &line), -EINVAL);
    rig_close(&rig);
}

/* ---- timelines ---- */

static void a_timeline_has_all_points_up_to_the_last(void **state) {
    (void)state;
    struct drm_file *file = open_one();
    uint32_t handle = sync_new(&rig, file, 0);
    assert_int_equal(sync_query(&rig, file, handle, 0), 0);
    assert_int_equal(sync_ask(&rig, file, handle, 1), -EINVAL);
    assert_int_equal(sync_signal_point(&rig, file, handle, 5), 0);
    assert_int_equal(sync_query(&rig, file, handle, 0), 5);
    for (uint64_t point = 0; point <= 5; point++)
        assert_int_equal(sync_ask(&rig, file, handle, point), 0);
    assert_int_equal(sync_ask(&rig, file, handle, 6), -EINVAL);
    assert_int_equal(sync_signal_point(&rig, file, handle, 9), 0);
    assert_int_equal(sync_query(&rig, file, handle, DRM_SYNCOBJ_QUERY_FLAGS_LAST_SUBMITTED), 9);
    assert_int_equal(sync_ask(&rig, file, handle, 7), 0);
    assert_int_equal(sync_reset(&rig, file, handle), 0);
    assert_int_equal(sync_query(&rig, file, handle, 0), 0);
    rig_close(&rig);
}

/* dma_fence_chain_init(): the number stays what it was. */
static void a_number_that_is_not_above_the_last_does_not_count(void **state) {
    (void)state;
    struct drm_file *file = open_one();
    uint32_t handle = sync_new(&rig, file, 0);
    assert_int_equal(sync_signal_point(&rig, file, handle, 7), 0);
    assert_int_equal(sync_signal_point(&rig, file, handle, 3), 0);
    assert_int_equal(sync_query(&rig, file, handle, 0), 7);
    assert_int_equal(sync_ask(&rig, file, handle, 7), 0);
    assert_int_equal(sync_ask(&rig, file, handle, 8), -EINVAL);
    rig_close(&rig);
}

static void a_point_is_available_before_it_is_done(void **state) {
    (void)state;
    struct drm_file *file = open_one();
    uint32_t handle = sync_new(&rig, file, 0);
    const uint64_t point = 4;
    assert_int_equal(sync_wait(&rig, file, &handle, &point, 1, AVAILABLE, 0, NULL), -ETIME);
    assert_int_equal(sync_signal_point(&rig, file, handle, 4), 0);
    assert_int_equal(sync_wait(&rig, file, &handle, &point, 1, AVAILABLE, 0, NULL), 0);
    rig_close(&rig);
}

/* A binary object gets the very point, number and all (drm_syncobj_transfer_to_binary()). */
static void points_go_from_one_object_to_another(void **state) {
    (void)state;
    struct drm_file *file = open_one();
    uint32_t line = sync_new(&rig, file, 0), binary = sync_new(&rig, file, 0), other = sync_new(&rig, file, 0);
    assert_int_equal(sync_transfer(&rig, file, binary, 0, line, 3, 0), -EINVAL);
    assert_int_equal(sync_transfer(&rig, file, binary, 0, line, 3, FOR_SUBMIT), -ETIME);
    assert_true(rig.now >= 5 * SECONDS);
    assert_int_equal(sync_signal_point(&rig, file, line, 3), 0);
    assert_int_equal(sync_transfer(&rig, file, binary, 0, line, 3, 0), 0);
    assert_int_equal(sync_ask(&rig, file, binary, 0), 0);
    assert_int_equal(sync_query(&rig, file, binary, 0), 3);
    assert_int_equal(sync_transfer(&rig, file, other, 12, binary, 0, 0), 0);
    assert_int_equal(sync_query(&rig, file, other, 0), 12);
    assert_int_equal(sync_transfer(&rig, file, 99, 12, binary, 0, 0), -ENOENT);
    assert_int_equal(sync_transfer(&rig, file, other, 12, 99, 0, 0), -ENOENT);
    assert_int_equal(sync_transfer(&rig, file, other, 12, 99, 0, ALL), -ENOENT);
    assert_int_equal(sync_transfer(&rig, file, other, 13, binary, 0, ALL), -EINVAL);
    assert_int_equal(sync_transfer(&rig, file, other, 13, binary, 0, FOR_SUBMIT | AVAILABLE), -EINVAL);
    assert_int_equal(sync_query(&rig, file, other, 0), 12);
    rig_close(&rig);
}

static void lists_that_are_not_there_are_a_fault(void **state) {
    (void)state;
    struct drm_file *file = open_one();
    struct drm_syncobj_wait wait = {.handles = NOT_MAPPED, .count_handles = 1};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_SYNCOBJ_WAIT, &wait), -EFAULT);
    wait.count_handles = UINT32_MAX;
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_SYNCOBJ_WAIT, &wait), -ENOMEM);
    uint32_t handle = sync_new(&rig, file, SIGNALED);
    struct drm_syncobj_timeline_array query = {
        .handles = rig_put(&rig, &handle, sizeof handle), .points = NOT_MAPPED, .count_handles = 1};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_SYNCOBJ_QUERY, &query), -EFAULT);
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &query), -EFAULT);
    rig_close(&rig);
}

static void before_1_4_there_are_none(void **state) {
    (void)state;
    rig.config = (struct drm_config){.major = 1, .minor = 3, .patch = 1};
    struct drm_file *file = open_one();
    struct drm_syncobj_create create = {0};
    struct drm_get_cap cap = {.capability = DRM_CAP_SYNCOBJ, .value = 7};
    struct uapi_syncobj_eventfd event = {.handle = 1};
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_SYNCOBJ_CREATE, &create), -EOPNOTSUPP);
    assert_int_equal(sync_destroy(&rig, file, 1), -EOPNOTSUPP);
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOWR(0xcf, struct uapi_syncobj_eventfd), &event), -EOPNOTSUPP);
    assert_int_equal(rig_ioctl(&rig, file, DRM_IOCTL_GET_CAP, &cap), 0);
    assert_int_equal(cap.value, 0);
    assert_int_equal(spaces_init(&rig, file, KERNEL_BEGIN, KERNEL_BEGIN), -EINVAL);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(handles_are_given_from_1_on_and_again),
        cmocka_unit_test(flags_that_are_not_known_are_refused),
        cmocka_unit_test(one_that_is_made_signaled_can_be_waited_for),
        cmocka_unit_test(a_wait_ends_at_its_time),
        cmocka_unit_test(a_wait_sees_what_another_thread_signals),
        cmocka_unit_test(of_several_any_or_all_are_waited_for),
        cmocka_unit_test(a_wait_for_nothing_is_over),
        cmocka_unit_test(a_timeline_has_all_points_up_to_the_last),
        cmocka_unit_test(a_number_that_is_not_above_the_last_does_not_count),
        cmocka_unit_test(a_point_is_available_before_it_is_done),
        cmocka_unit_test(points_go_from_one_object_to_another),
        cmocka_unit_test(lists_that_are_not_there_are_a_fault),
        cmocka_unit_test(before_1_4_there_are_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
