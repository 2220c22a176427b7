/* SPDX-License-Identifier: MIT */
/* CPU_PREP, channels that wait for each other or for the program. G80 and later. */
#include "drm/rig.h"

static struct rig rig; /* too large for a stack with a sanitizer */

#define NOWAIT  NOUVEAU_GEM_CPU_PREP_NOWAIT
#define WRITE   NOUVEAU_GEM_CPU_PREP_WRITE
#define SECONDS UINT64_C(1000000000)

/* ---- CPU_PREP ---- */

static void a_written_buffer_is_busy_until_it_is_written(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE),
                                    idle = rig_buffer(&rig, file, GART, PAGE);
        assert_int_equal(rig_prep(&rig, file, buffer.handle, NOWAIT), 0);
        struct rig_channel channel = rig_waiting(&rig, file, &buffer, true);
        assert_int_equal(rig_prep(&rig, file, buffer.handle, NOWAIT), -EBUSY);
        assert_int_equal(rig_prep(&rig, file, buffer.handle, NOWAIT | WRITE), -EBUSY);
        assert_int_equal(rig_prep(&rig, file, idle.handle, NOWAIT | WRITE), 0);
        assert_int_equal(rig.waits, 0);
        rig_let_go(&channel);
        assert_int_equal(rig_prep(&rig, file, buffer.handle, NOWAIT), 0);
        assert_int_equal(rig_prep(&rig, file, buffer.handle, WRITE), 0);
        assert_int_equal(rig_released(&channel), 2);
        rig_close(&rig);
    }
}

static void a_buffer_that_is_only_read_can_be_read(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE);
        struct rig_channel channel = rig_waiting(&rig, file, &buffer, false);
        assert_int_equal(rig_prep(&rig, file, buffer.handle, NOWAIT), 0);
        assert_int_equal(rig_prep(&rig, file, buffer.handle, 0), 0);
        assert_int_equal(rig_prep(&rig, file, buffer.handle, NOWAIT | WRITE), -EBUSY);
        rig_let_go(&channel);
        assert_int_equal(rig_prep(&rig, file, buffer.handle, WRITE), 0);
        rig_close(&rig);
    }
}

static void a_wait_ends_after_30_seconds_or_with_a_signal(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE);
        rig_waiting(&rig, file, &buffer, true);
        assert_int_equal(rig_prep(&rig, file, buffer.handle, 0), -EBUSY);
        assert_true(rig.now >= 30 * SECONDS && rig.now < 31 * SECONDS);
        rig.signal = true;
        rig.waits = 0;
        assert_int_equal(rig_prep(&rig, file, buffer.handle, 0), -EINTR);
        assert_int_equal(rig.waits, 1);
        rig_close(&rig);
    }
}

static void release_now(struct rig *r) {
    if (r->waits == 3)
        rig_let_go(r->waiting_opaque);
}

/* Another thread of the program writes what is waited for. */
static void a_wait_sees_what_the_program_writes(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE);
        struct rig_channel channel = rig_waiting(&rig, file, &buffer, true);
        rig.waiting = release_now;
        rig.waiting_opaque = &channel;
        assert_int_equal(rig_prep(&rig, file, buffer.handle, 0), 0);
        assert_int_equal(rig.waits, 3);
        rig_close(&rig);
    }
}

static void handles_of_no_buffer_cannot_be_waited_for(void **state) {
    (void)state;
    rig_open(&rig, &parts[4]);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct drm_nouveau_gem_cpu_fini fini = {.handle = rig_buffer(&rig, file, GART, PAGE).handle};
    unsigned long number = NOUVEAU(DRM_NOUVEAU_GEM_CPU_FINI, struct drm_nouveau_gem_cpu_fini);
    assert_int_equal(rig_ioctl(&rig, file, number, &fini), 0);
    fini.handle++;
    assert_int_equal(rig_ioctl(&rig, file, number, &fini), -ENOENT);
    assert_int_equal(rig_prep(&rig, file, fini.handle, 0), -ENOENT);
    assert_int_equal(rig_prep(&rig, file, 0, NOWAIT), -ENOENT);
    rig_close(&rig);
}

/* ---- two channels ---- */

static void a_channel_that_waits_does_not_hold_another(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER), *other_file = rig_file(&rig, RENDER);
        struct rig_channel waits = rig_waiting(&rig, file, NULL, false), other = rig_channel(&rig, other_file);
        struct words words = {.part = part};
        words_release(&words, &other, 5);
        assert_int_equal(rig_run(&rig, &other, &words, NULL), 0);
        assert_int_equal(rig_released(&other), 5);
        assert_int_equal(rig_released(&waits), 0);
        assert_true(drm_device_poll(rig.device));
        rig_let_go(&waits);
        assert_false(drm_device_poll(rig.device));
        assert_int_equal(rig_released(&waits), 2);
        rig_close(&rig);
    }
}

/* A buffer that another channel still uses is waited for; one's own channel has its order anyway. */
static void a_submission_waits_for_the_buffers_of_others(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE);
        struct rig_channel waits = rig_waiting(&rig, file, &buffer, true), other = rig_channel(&rig, file);
        struct words words = {.part = part};
        words_release(&words, &waits, 9);
        assert_int_equal(rig_run(&rig, &waits, &words, &buffer), 0);
        assert_int_equal(rig.waits, 0);
        words.count = 0;
        words_release(&words, &other, 5);
        rig.signal = true;
        assert_int_equal(rig_run(&rig, &other, &words, &buffer), -EINTR);
        assert_int_equal(rig_released(&other), 0);
        rig.signal = false;
        rig.waits = 0;
        rig.waiting = release_now;
        rig.waiting_opaque = &waits;
        assert_int_equal(rig_run(&rig, &other, &words, &buffer), 0);
        assert_int_equal(rig.waits, 3);
        assert_int_equal(rig_released(&other), 5);
        assert_int_equal(rig_released(&waits), 9);
        rig_close(&rig);
    }
}

static int read_it(const struct rig_channel *channel, const struct drm_nouveau_gem_info *buffer) {
    struct drm_nouveau_gem_info push = rig_buffer(&rig, channel->file, GART, PAGE);
    struct rig_submission submission = {0};
    struct words words = {.part = rig.part};
    words_release(&words, channel, 4);
    rig_push(&rig, &submission, channel, &push, 0, &words);
    rig_list(&submission, buffer, false);
    int status = rig_submit(&rig, channel, &submission);
    assert_int_equal(rig_close_handle(&rig, channel->file, push.handle), 0);
    return status;
}

/* Also by the channel that has read it last. */
static void a_write_waits_for_all_that_read(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE);
        struct rig_channel waits = rig_waiting(&rig, file, &buffer, false), other = rig_channel(&rig, file);
        struct words words = {.part = part};
        assert_int_equal(read_it(&other, &buffer), 0);
        assert_int_equal(rig_released(&other), 4);
        words_release(&words, &other, 5);
        rig.signal = true;
        assert_int_equal(rig_run(&rig, &other, &words, &buffer), -EINTR);
        assert_int_equal(rig_released(&other), 4);
        rig_let_go(&waits);
        assert_int_equal(rig_run(&rig, &other, &words, &buffer), 0);
        assert_int_equal(rig_released(&other), 5);
        rig_close(&rig);
    }
}

/* It moves when it is idle, or not at all. */
static void a_move_waits_for_the_buffer(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS if (part->vram) {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, VRAM | GART, PAGE), there = buffer;
        struct rig_channel waits = rig_waiting(&rig, file, &buffer, false), other = rig_channel(&rig, file);
        unsigned long number = NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct drm_nouveau_gem_info);
        struct words words = {.part = part};
        words_release(&words, &other, 5);
        there.domain = GART; /* where the submission wants it */
        rig.signal = true;
        assert_int_equal(rig_run(&rig, &other, &words, &there), -EINTR);
        assert_int_equal(rig_ioctl(&rig, file, number, &there), 0);
        assert_int_equal(there.domain, VRAM);
        there.domain = GART;
        rig.signal = false;
        rig.waits = 0;
        rig.waiting = release_now;
        rig.waiting_opaque = &waits;
        assert_int_equal(rig_run(&rig, &other, &words, &there), 0);
        assert_int_equal(rig_ioctl(&rig, file, number, &there), 0);
        assert_int_equal(there.domain, GART);
        assert_int_equal(rig_released(&other), 5);
        rig_close(&rig);
    }
}

/* They are not the program's before the first part is done. */
static void buffers_of_a_submission_that_is_refused_in_part_are_in_use(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_nouveau_gem_info push = rig_buffer(&rig, file, GART, PAGE),
                                    buffer = rig_buffer(&rig, file, GART, PAGE);
        struct rig_submission submission = {0};
        struct words words = {.part = part};
        words_acquire(&words, &channel, 1);
        words_release(&words, &channel, 2);
        rig_push(&rig, &submission, &channel, &push, 0, &words);
        rig_list(&submission, &buffer, true);
        submission.pushes[submission.request.nr_push] = submission.pushes[0];
        submission.pushes[submission.request.nr_push++].offset = 2; /* of no word */
        assert_int_equal(rig_submit(&rig, &channel, &submission), -EINVAL);
        assert_int_equal(rig_prep(&rig, file, buffer.handle, NOWAIT), -EBUSY);
        rig_let_go(&channel);
        assert_int_equal(rig_prep(&rig, file, buffer.handle, 0), 0);
        assert_int_equal(rig_released(&channel), 2);
        rig_close(&rig);
    }
}

/* NOUVEAU_GEM_PUSHBUF_SYNC. */
static void a_submission_can_be_waited_for_at_once(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_nouveau_gem_info push = rig_buffer(&rig, file, GART, PAGE);
        struct rig_submission submission = {.request.vram_available = 1};
        struct words words = {.part = part};
        words_acquire(&words, &channel, 1);
        words_release(&words, &channel, 2);
        rig_push(&rig, &submission, &channel, &push, 0, &words);
        rig.waiting = release_now;
        rig.waiting_opaque = &channel;
        assert_int_equal(rig_submit(&rig, &channel, &submission), 0);
        assert_int_equal(rig.waits, 3);
        assert_int_equal(rig_released(&channel), 2);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_written_buffer_is_busy_until_it_is_written),
        cmocka_unit_test(a_buffer_that_is_only_read_can_be_read),
        cmocka_unit_test(a_wait_ends_after_30_seconds_or_with_a_signal),
        cmocka_unit_test(a_wait_sees_what_the_program_writes),
        cmocka_unit_test(handles_of_no_buffer_cannot_be_waited_for),
        cmocka_unit_test(a_channel_that_waits_does_not_hold_another),
        cmocka_unit_test(a_submission_waits_for_the_buffers_of_others),
        cmocka_unit_test(a_write_waits_for_all_that_read),
        cmocka_unit_test(a_move_waits_for_the_buffer),
        cmocka_unit_test(buffers_of_a_submission_that_is_refused_in_part_are_in_use),
        cmocka_unit_test(a_submission_can_be_waited_for_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
