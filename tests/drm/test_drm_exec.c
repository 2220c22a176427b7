/* SPDX-License-Identifier: MIT */
/* EXEC: pushes, what they wait for, and what waits for them. Linux drivers/gpu/drm/nouveau/nouveau_exec.c. */
#include "drm/spaces.h"

static struct rig rig; /* too large for a stack with a sanitizer */

#define AT       UINT64_C(0x3fffff0000)
#define CODE(n)  (AT + PAGE * (UINT64_C(16) + (n)))
#define TIMELINE UAPI_SYNC_TIMELINE

static const struct part *const gm107 = &parts[7];

static int release(const struct rig_channel *channel, uint32_t value, uint64_t code, const struct syncs *syncs) {
    struct words words = {.part = rig.part};
    words_release(&words, channel, value);
    return spaces_run(&rig, channel, &words, code, syncs);
}

/* It waits for 1 in its semaphore, and writes 2 there. */
static int wait_and_release(const struct rig_channel *channel, uint64_t code, const struct syncs *syncs) {
    struct words words = {.part = rig.part};
    words_acquire(&words, channel, 1);
    words_release(&words, channel, 2);
    return spaces_run(&rig, channel, &words, code, syncs);
}

static struct syncs waits_for(uint32_t handle) {
    return (struct syncs){.wait_count = 1, .waits = {{.handle = handle}}};
}

static struct syncs signals(uint32_t handle) {
    return (struct syncs){.signal_count = 1, .signals = {{.handle = handle}}};
}

static void pushes_are_executed_and_tell_when_they_are_done(void **state) {
    (void)state;
    FOR_EACH_WITH_SPACES {
        struct drm_file *file = spaces_open(&rig, part);
        struct rig_channel channel = spaces_channel(&rig, file, AT);
        uint32_t done = sync_new(&rig, file, 0);
        struct syncs syncs = signals(done);
        assert_int_equal(release(&channel, 5, CODE(0), &syncs), 0);
        assert_int_equal(sync_ask(&rig, file, done, 0), 0);
        assert_int_equal(rig_released(&channel), 5);
        rig_close(&rig);
    }
}

/* With a worker the call comes back before the job is done. */
static void with_a_worker_a_wait_waits(void **state) {
    (void)state;
    rig.config.worker = true;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct rig_channel channel = spaces_channel(&rig, file, AT);
    uint32_t done = sync_new(&rig, file, 0);
    struct syncs syncs = signals(done);
    assert_int_equal(wait_and_release(&channel, CODE(0), &syncs), 0);
    assert_int_equal(sync_ask(&rig, file, done, 0), -ETIME);
    rig_let_go(&channel);
    while (drm_device_work(rig.device, 1000) == DRM_MORE)
        ;
    drm_device_work(rig.device, 1000);
    assert_int_equal(sync_ask(&rig, file, done, 0), 0);
    assert_int_equal(rig_released(&channel), 2);
    rig_close(&rig);
}

static void an_empty_one_asks_whether_the_channel_lives(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct rig_channel channel = spaces_channel(&rig, file, AT);
    assert_int_equal(spaces_exec(&rig, file, channel.id, NULL, 0, NULL), 0);
    assert_int_equal(spaces_exec(&rig, file, channel.id + 1, NULL, 0, NULL), -ENOENT);
    const struct uapi_exec_push nowhere = {.address = 0x5000, .bytes = 16};
    assert_int_equal(spaces_exec(&rig, file, channel.id, &nowhere, 1, NULL), 0);
    assert_int_equal(spaces_exec(&rig, file, channel.id, NULL, 0, NULL), -ENODEV);
    rig_close(&rig);
}

static void too_much_of_a_push_is_refused(void **state) {
    static struct uapi_exec_push pushes[UAPI_MOST_PUSHES + 1];
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct rig_channel channel = spaces_channel(&rig, file, AT);
    struct drm_nouveau_getparam most = {.param = UAPI_EXEC_PUSH_MAX};
    assert_int_equal(rig_ioctl(&rig, file, NOUVEAU(DRM_NOUVEAU_GETPARAM, struct drm_nouveau_getparam), &most), 0);
    assert_int_equal(most.value, 510);
    assert_int_equal(spaces_exec(&rig, file, channel.id, pushes, 511, NULL), -EINVAL);
    assert_int_equal(spaces_exec(&rig, file, channel.id, pushes, 510, NULL), 0);
    pushes[1].bytes = 0x800000;
    assert_int_equal(spaces_exec(&rig, file, channel.id, pushes, 2, NULL), -EINVAL);
    struct uapi_exec request = {.channel = channel.id, .push_count = 1, .pushes = NOT_MAPPED};
    assert_int_equal(rig_ioctl(&rig, file, NOUVEAU(UAPI_EXEC, struct uapi_exec), &request), -EFAULT);
    rig_close(&rig);
}

/* nouveau_exec_ucopy() comes before all that looks at them, and after what is known of the channel. */
static void lists_are_read_before_they_are_looked_at(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct rig_channel channel = spaces_channel(&rig, file, AT);
    const struct uapi_exec_push too_long = {.bytes = 0x800000};
    const struct uapi_sync unknown = {.handle = 99};
    const unsigned long number = NOUVEAU(UAPI_EXEC, struct uapi_exec);
    struct uapi_exec request = {.channel = channel.id,
                                .push_count = 1,
                                .pushes = rig_put(&rig, &too_long, sizeof too_long),
                                .wait_count = 1,
                                .waits = rig_put(&rig, &unknown, sizeof unknown),
                                .signal_count = 1,
                                .signals = NOT_MAPPED};
    assert_int_equal(rig_ioctl(&rig, file, number, &request), -EFAULT);
    request.signals = request.waits;
    assert_int_equal(rig_ioctl(&rig, file, number, &request), -EINVAL);
    request.push_count = 0;
    assert_int_equal(rig_ioctl(&rig, file, number, &request), -ENOENT);
    request.push_count = 511;
    request.pushes = NOT_MAPPED;
    assert_int_equal(rig_ioctl(&rig, file, number, &request), -EINVAL);
    request.channel++;
    assert_int_equal(rig_ioctl(&rig, file, number, &request), -ENOENT);
    rig_close(&rig);
}

static void all_pushes_of_a_job_fit_the_ring(void **state) {
    static struct uapi_exec_push pushes[UAPI_MOST_PUSHES];
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct rig_channel channel = spaces_channel(&rig, file, AT);
    struct drm_nouveau_gem_info code = rig_buffer(&rig, file, GART, PAGE * 16);
    assert_int_equal(spaces_map(&rig, file, code.handle, CODE(0), 0, PAGE * 16), 0);
    for (uint32_t i = 0; i < COUNT_OF(pushes); i++) {
        struct words words = {.part = rig.part};
        words_release(&words, &channel, i);
        for (uint32_t k = 0; k < words.count; k++)
            rig_wr32(file, &code, i * 64 + k * 4, words.word[k]);
        pushes[i] =
            (struct uapi_exec_push){CODE(0) + i * UINT64_C(64), 4 * words.count, i % 2 ? UAPI_EXEC_NO_PREFETCH : 0};
    }
    for (unsigned times = 0; times < 4; times++)
        assert_int_equal(spaces_exec(&rig, file, channel.id, pushes, COUNT_OF(pushes), NULL), 0);
    assert_int_equal(rig_released(&channel), COUNT_OF(pushes) - 1);
    rig_close(&rig);
}

/* ---- waits and signals ---- */

static void what_is_waited_for_must_have_been_submitted(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct rig_channel channel = spaces_channel(&rig, file, AT);
    uint32_t empty = sync_new(&rig, file, 0);
    struct syncs syncs = waits_for(empty);
    assert_int_equal(spaces_exec(&rig, file, channel.id, NULL, 0, &syncs), -EINVAL);
    syncs.waits[0].handle = 99;
    assert_int_equal(spaces_exec(&rig, file, channel.id, NULL, 0, &syncs), -ENOENT);
    syncs.waits[0].flags = 2;
    assert_int_equal(spaces_exec(&rig, file, channel.id, NULL, 0, &syncs), -EOPNOTSUPP);
    syncs = signals(99);
    assert_int_equal(spaces_exec(&rig, file, channel.id, NULL, 0, &syncs), -ENOENT);
    syncs.signals[0].flags = 2;
    assert_int_equal(spaces_exec(&rig, file, channel.id, NULL, 0, &syncs), -EINVAL);
    assert_int_equal(sync_signal_point(&rig, file, empty, 4), 0);
    syncs = (struct syncs){.wait_count = 1, .waits = {{TIMELINE, empty, 5}}};
    assert_int_equal(spaces_exec(&rig, file, channel.id, NULL, 0, &syncs), -EINVAL);
    syncs.waits[0].point = 4;
    assert_int_equal(spaces_exec(&rig, file, channel.id, NULL, 0, &syncs), 0);
    rig_close(&rig);
}

static void a_job_begins_when_what_it_waits_for_is_done(void **state) {
    (void)state;
    FOR_EACH_WITH_SPACES {
        struct drm_file *file = spaces_open(&rig, part);
        struct rig_channel first = spaces_channel(&rig, file, AT), second = spaces_channel(&rig, file, AT + PAGE),
                           third = spaces_channel(&rig, file, AT + 2 * PAGE);
        uint32_t one = sync_new(&rig, file, 0), two = sync_new(&rig, file, 0);
        struct syncs syncs = signals(one);
        assert_int_equal(wait_and_release(&first, CODE(0), &syncs), 0);
        syncs = waits_for(one);
        syncs.signal_count = 1;
        syncs.signals[0] = (struct uapi_sync){TIMELINE, two, 7};
        assert_int_equal(release(&second, 5, CODE(1), &syncs), 0);
        assert_int_equal(release(&third, 6, CODE(2), NULL), 0);
        assert_int_equal(rig_released(&second), 0);
        assert_int_equal(rig_released(&third), 6);
        assert_int_equal(sync_ask(&rig, file, two, 7), -ETIME);
        rig_let_go(&first);
        const uint64_t point = 7;
        assert_int_equal(sync_wait(&rig, file, &two, &point, 1, 0, SECONDS, NULL), 0);
        assert_int_equal(rig_released(&first), 2);
        assert_int_equal(rig_released(&second), 5);
        rig_close(&rig);
    }
}

/* A job of the same channel stays behind one that waits, whatever it waits for itself. */
static void jobs_of_a_channel_stay_in_order(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct rig_channel first = spaces_channel(&rig, file, AT), second = spaces_channel(&rig, file, AT + PAGE);
    uint32_t one = sync_new(&rig, file, 0);
    struct syncs syncs = signals(one);
    assert_int_equal(wait_and_release(&first, CODE(0), &syncs), 0);
    syncs = waits_for(one);
    assert_int_equal(release(&second, 5, CODE(1), &syncs), 0);
    assert_int_equal(release(&second, 6, CODE(2), NULL), 0);
    assert_int_equal(rig_released(&second), 0);
    rig_let_go(&first);
    drm_device_poll(rig.device);
    while (drm_device_poll(rig.device))
        ;
    assert_int_equal(rig_released(&second), 6);
    rig_close(&rig);
}

static void a_binary_object_has_the_last_job_only(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct rig_channel first = spaces_channel(&rig, file, AT), second = spaces_channel(&rig, file, AT + PAGE);
    uint32_t one = sync_new(&rig, file, 0);
    struct syncs syncs = signals(one);
    assert_int_equal(wait_and_release(&first, CODE(0), &syncs), 0);
    assert_int_equal(sync_ask(&rig, file, one, 0), -ETIME);
    assert_int_equal(release(&second, 5, CODE(1), &syncs), 0);
    assert_int_equal(sync_ask(&rig, file, one, 0), 0);
    rig_let_go(&first);
    rig_close(&rig);
}

/* A point of a timeline is done when those before are. */
static void a_point_waits_for_those_before(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct rig_channel first = spaces_channel(&rig, file, AT), second = spaces_channel(&rig, file, AT + PAGE);
    uint32_t line = sync_new(&rig, file, 0), copy = sync_new(&rig, file, 0);
    struct syncs syncs = {.signal_count = 1, .signals = {{TIMELINE, line, 1}}};
    assert_int_equal(wait_and_release(&first, CODE(0), &syncs), 0);
    syncs.signals[0].point = 2;
    assert_int_equal(release(&second, 5, CODE(1), &syncs), 0);
    assert_int_equal(rig_released(&second), 5);
    assert_int_equal(sync_ask(&rig, file, line, 2), -ETIME);
    assert_int_equal(sync_transfer(&rig, file, copy, 0, line, 2, 0), 0);
    assert_int_equal(sync_reset(&rig, file, line), 0);
    assert_int_equal(sync_ask(&rig, file, copy, 0), -ETIME);
    rig_let_go(&first);
    assert_int_equal(sync_ask(&rig, file, copy, 0), 0);
    rig_close(&rig);
}

/* ---- buffers ---- */

static void buffers_of_the_space_are_busy_with_its_jobs(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107), *other = rig_file(&rig, RENDER);
    struct rig_channel channel = spaces_channel(&rig, file, AT);
    struct drm_nouveau_gem_info bound = rig_buffer(&rig, file, GART, PAGE),
                                free_one = rig_buffer(&rig, file, GART, PAGE),
                                foreign = rig_buffer(&rig, other, GART, PAGE);
    assert_int_equal(spaces_map(&rig, file, bound.handle, CODE(8), 0, PAGE), 0);
    assert_int_equal(wait_and_release(&channel, CODE(0), NULL), 0);
    assert_int_equal(rig_prep(&rig, file, bound.handle, NOUVEAU_GEM_CPU_PREP_NOWAIT), -EBUSY);
    assert_int_equal(rig_prep(&rig, file, free_one.handle, NOUVEAU_GEM_CPU_PREP_NOWAIT), 0);
    assert_int_equal(rig_prep(&rig, other, foreign.handle, NOUVEAU_GEM_CPU_PREP_NOWAIT), 0);
    rig_let_go(&channel);
    assert_int_equal(rig_prep(&rig, file, bound.handle, 0), 0);
    rig_close(&rig);
}

/* ---- time ---- */

static void a_job_that_takes_10_seconds_kills_its_channel(void **state) {
    (void)state;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct rig_channel channel = spaces_channel(&rig, file, AT), other = spaces_channel(&rig, file, AT + PAGE);
    uint32_t done = sync_new(&rig, file, 0);
    struct syncs syncs = signals(done);
    assert_int_equal(wait_and_release(&channel, CODE(0), &syncs), 0);
    assert_int_equal(sync_wait(&rig, file, &done, NULL, 1, 0, 9 * SECONDS, NULL), -ETIME);
    assert_int_equal(spaces_exec(&rig, file, channel.id, NULL, 0, NULL), 0);
    assert_int_equal(sync_wait(&rig, file, &done, NULL, 1, 0, 11 * SECONDS, NULL), 0);
    assert_true(rig.now >= 10 * SECONDS && rig.now < 11 * SECONDS);
    assert_true(rig_logged(&rig, "10 seconds"));
    assert_int_equal(spaces_exec(&rig, file, channel.id, NULL, 0, NULL), -ENODEV);
    assert_int_equal(release(&other, 3, CODE(1), NULL), 0);
    assert_int_equal(rig_released(&other), 3);
    rig_close(&rig);
}

/* Work that does not end by itself. */
static void a_job_without_an_end_kills_its_channel(void **state) {
    (void)state;
    rig.config.budget = 10000;
    struct drm_file *file = spaces_open(&rig, gm107);
    struct rig_channel channel = spaces_channel(&rig, file, AT);
    struct drm_nouveau_gem_info code = rig_buffer(&rig, file, GART, PAGE * 256);
    uint32_t done = sync_new(&rig, file, 0);
    struct syncs syncs = signals(done);
    assert_int_equal(spaces_map(&rig, file, code.handle, CODE(0), 0, PAGE * 256), 0);
    for (uint64_t at = 0; at < PAGE * 256; at += 8) {
        rig_wr32(file, &code, at, 1u << 29 | 1 << 16 | 0x50 >> 2);
        rig_wr32(file, &code, at + 4, 0);
    }
    const struct uapi_exec_push push = {.address = CODE(0), .bytes = PAGE * 256};
    assert_int_equal(spaces_exec(&rig, file, channel.id, &push, 1, &syncs), 0);
    assert_int_equal(sync_ask(&rig, file, done, 0), 0);
    assert_int_equal(spaces_exec(&rig, file, channel.id, NULL, 0, NULL), -ENODEV);
    rig_close(&rig);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pushes_are_executed_and_tell_when_they_are_done),
        cmocka_unit_test(with_a_worker_a_wait_waits),
        cmocka_unit_test(an_empty_one_asks_whether_the_channel_lives),
        cmocka_unit_test(too_much_of_a_push_is_refused),
        cmocka_unit_test(lists_are_read_before_they_are_looked_at),
        cmocka_unit_test(all_pushes_of_a_job_fit_the_ring),
        cmocka_unit_test(what_is_waited_for_must_have_been_submitted),
        cmocka_unit_test(a_job_begins_when_what_it_waits_for_is_done),
        cmocka_unit_test(jobs_of_a_channel_stay_in_order),
        cmocka_unit_test(a_binary_object_has_the_last_job_only),
        cmocka_unit_test(a_point_waits_for_those_before),
        cmocka_unit_test(buffers_of_the_space_are_busy_with_its_jobs),
        cmocka_unit_test(a_job_that_takes_10_seconds_kills_its_channel),
        cmocka_unit_test(a_job_without_an_end_kills_its_channel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
