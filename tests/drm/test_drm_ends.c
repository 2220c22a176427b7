/* SPDX-License-Identifier: MIT */
/* Buffers, channels and files that end while the GPU, or a call of another thread, still uses them. G80 and later. */
#include "drm/rig.h"

#include "face/drm/node/node.h"

static struct rig rig; /* too large for a stack with a sanitizer */

#define WRITE NOUVEAU_GEM_CPU_PREP_WRITE

/* Commands and what they write to are there as long as the channel needs them, also when the program has closed them.
 */
static void closed_buffers_stay_until_they_are_not_used(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        rig.config = (struct drm_config){.vram_bytes = part->vram ? 64 << 20 : 0, .system_bytes = 128 << 20};
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_nouveau_gem_info push = rig_buffer(&rig, file, GART, 2 * PAGE),
                                    from = rig_buffer(&rig, file, GART, PAGE);
        struct drm_nouveau_gem_info to = rig_buffer(&rig, file, GART, PAGE);
        struct rig_submission submission = {0};
        struct words words = {.part = part}, second = {.part = part};
        rig_wr32(file, &from, 0, 0x600d);
        words_acquire(&words, &channel, 1);
        words_copy(&second, &from, &to, 64);
        rig_push(&rig, &submission, &channel, &push, 0, &words);
        rig_push(&rig, &submission, &channel, &push, PAGE, &second);
        rig_list(&submission, &from, false);
        rig_list(&submission, &to, true);
        assert_int_equal(rig_submit(&rig, &channel, &submission), 0);
        assert_int_equal(rig_close_handle(&rig, file, push.handle), 0);
        assert_int_equal(rig_close_handle(&rig, file, from.handle), 0);
        for (unsigned i = 0; i < 16; i++) {
            struct drm_nouveau_gem_info filler = rig_buffer(&rig, file, GART, PAGE);
            for (uint64_t at = 0; at < 64; at += 4)
                rig_wr32(file, &filler, at, 0xbad);
        }
        rig_let_go(&channel);
        assert_int_equal(rig_prep(&rig, file, to.handle, 0), 0);
        assert_int_equal(rig_rd32(file, &to, 0), 0x600d);
        assert_int_equal(rig.line_count, 0);
        rig_close(&rig);
    }
}

/* VRAM has room for one of them. */
static void memory_of_closed_buffers_comes_back(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        rig.config = (struct drm_config){.vram_bytes = part->vram ? 64 << 20 : 0, .system_bytes = 128 << 20};
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER), *other = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, VRAM, part->vram ? 40 << 20 : 100 << 20);
        struct rig_channel channel = rig_waiting(&rig, file, &buffer, true);
        assert_int_equal(rig_close_handle(&rig, file, buffer.handle), 0);
        rig_let_go(&channel);
        drm_device_poll(rig.device);
        rig_buffer(&rig, other, VRAM, buffer.size);
        rig_close(&rig);
    }
}

static void a_channel_that_waits_can_be_freed(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE);
        struct rig_channel channel = rig_waiting(&rig, file, &buffer, true);
        assert_int_equal(rig_channel_free(&rig, file, channel.id), 0);
        assert_int_equal(rig_prep(&rig, file, buffer.handle, WRITE), 0);
        struct rig_channel next = rig_channel(&rig, file);
        struct words words = {.part = part};
        words_release(&words, &next, 3);
        assert_int_equal(rig_run(&rig, &next, &words, &buffer), 0);
        assert_int_equal(rig_released(&next), 3);
        rig_close(&rig);
    }
}

static struct {
    struct drm_file *file;
    uint32_t channel;
} victim;

static struct rig_channel other_waits;

static void free_channel(struct rig *r) {
    if (r->waits == 1) {
        struct drm_nouveau_channel_free request = {.channel = (int)victim.channel};
        uint64_t at = rig_put(r, &request, sizeof request);
        unsigned long number = NOUVEAU(DRM_NOUVEAU_CHANNEL_FREE, struct drm_nouveau_channel_free);
        assert_int_equal(drm_file_ioctl(victim.file, number, at), 0);
    }
}

/* A thread frees the channel of another that is still submitting to it. */
static void a_channel_freed_in_a_submission_is_not_there(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE),
                                    more = rig_buffer(&rig, file, GART, PAGE);
        struct rig_channel waits = rig_waiting(&rig, file, &buffer, true), other = rig_channel(&rig, file);
        struct drm_nouveau_gem_info push = rig_buffer(&rig, file, GART, PAGE);
        struct rig_submission submission = {0};
        struct words words = {.part = part};
        words_release(&words, &other, 5);
        rig_push(&rig, &submission, &other, &push, 0, &words);
        rig_list(&submission, &buffer, true);
        rig_list(&submission, &more, true);
        victim.file = file;
        victim.channel = other.id;
        rig.waiting = free_channel;
        assert_int_equal(rig_submit(&rig, &other, &submission), -ENOENT);
        assert_int_equal(rig.waits, 1); /* nobody waits for it any more */
        rig_let_go(&waits);
        assert_false(drm_device_poll(rig.device));
        assert_int_equal(rig_released(&waits), 2);
        rig_close(&rig);
    }
}

/* More commands than the budget has units: the channel is killed. */
static void kill_channel(struct rig *r) {
    if (r->waits == 1) {
        struct rig_channel *other = r->waiting_opaque;
        struct drm_nouveau_gem_info push = rig_buffer(r, other->file, GART, 16 * PAGE);
        struct rig_submission submission = {0};
        struct words words = {.part = r->part};
        words_bind_object(&words, 0);
        rig_push(r, &submission, other, &push, 0, &words);
        for (uint64_t at = 2; at < 16000; at++)
            rig_wr32(other->file, &push, 4 * at, words.word[at % 2]);
        submission.pushes[0].length = 4 * 16000;
        assert_int_equal(rig_submit(r, other, &submission), 0);
        assert_true(rig_logged(r, "killed"));
    } else if (r->waits == 2) {
        rig_let_go(&other_waits);
    }
}

/*
 * Submissions of one channel are done in their order (nouveau_abi16.c: a lock of the client is held from one to the
 * next), also if the first has to wait and the second kills the channel. The third finds it so.
 */
static void a_channel_killed_by_a_later_submission_has_done_the_first(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        rig.config = (struct drm_config){.budget = 3000};
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE);
        other_waits = rig_waiting(&rig, file, &buffer, true);
        struct rig_channel other = rig_channel(&rig, file);
        struct words words = {.part = part};
        words_release(&words, &other, 5);
        rig.waiting = kill_channel;
        rig.waiting_opaque = &other;
        assert_int_equal(rig_run(&rig, &other, &words, &buffer), 0);
        assert_int_equal(rig_released(&other_waits), 2);
        assert_int_equal(rig_released(&other), 5);
        assert_int_equal(rig_run(&rig, &other, &words, &buffer), -ENODEV);
        rig_close(&rig);
    }
}

static void close_file(struct rig *r) {
    if (r->waits == 1)
        drm_file_close(victim.file);
    else if (r->waits == 4)
        rig_let_go(r->waiting_opaque);
}

static void a_file_closed_in_a_wait_ends_with_it(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE);
        struct rig_channel channel = rig_waiting(&rig, file, &buffer, true);
        victim.file = file;
        rig.waiting = close_file;
        rig.waiting_opaque = &channel;
        assert_int_equal(rig_prep(&rig, file, buffer.handle, 0), 0);
        assert_int_equal(rig.waits, 4);
        assert_null(rig.device->files);
        rig_close(&rig);
    }
}

static void close_buffer(struct rig *r) {
    if (r->waits == 1) {
        struct drm_gem_close request = {.handle = victim.channel};
        uint64_t at = rig_put(r, &request, sizeof request);
        assert_int_equal(drm_file_ioctl(victim.file, DRM_IOCTL_GEM_CLOSE, at), 0);
    } else if (r->waits == 2) {
        rig_let_go(r->waiting_opaque);
    }
}

static void a_buffer_closed_in_a_submission_is_still_used(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE),
                                    push = rig_buffer(&rig, file, GART, PAGE);
        struct rig_channel waits = rig_waiting(&rig, file, &buffer, true), other = rig_channel(&rig, file);
        struct rig_submission submission = {0};
        struct words words = {.part = part};
        words_release(&words, &other, 5);
        rig_push(&rig, &submission, &other, &push, 0, &words);
        rig_list(&submission, &buffer, true);
        victim.file = file;
        victim.channel = push.handle;
        rig.waiting = close_buffer;
        rig.waiting_opaque = &waits;
        assert_int_equal(rig_submit(&rig, &other, &submission), 0);
        assert_int_equal(rig_released(&other), 5);
        assert_int_equal(rig_close_handle(&rig, file, push.handle), -EINVAL);
        assert_int_equal(rig.line_count, 0);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_buffers_stay_until_they_are_not_used),
        cmocka_unit_test(memory_of_closed_buffers_comes_back),
        cmocka_unit_test(a_channel_that_waits_can_be_freed),
        cmocka_unit_test(a_channel_freed_in_a_submission_is_not_there),
        cmocka_unit_test(a_channel_killed_by_a_later_submission_has_done_the_first),
        cmocka_unit_test(a_file_closed_in_a_wait_ends_with_it),
        cmocka_unit_test(a_buffer_closed_in_a_submission_is_still_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
