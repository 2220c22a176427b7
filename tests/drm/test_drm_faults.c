/* SPDX-License-Identifier: MIT */
/* Channels whose commands are wrong: what is skipped and what ends them, and that others go on. */
#include <stdio.h>

#include "drm/rig.h"

static struct rig rig; /* too large for a stack with a sanitizer */

#define NOWHERE UINT64_C(0x30000000) /* nothing is mapped there */

static void assert_goes_on(struct rig_channel *channel, uint32_t value) {
    struct words words = {.part = rig.part};
    words_release(&words, channel, value);
    assert_int_equal(rig_run(&rig, channel, &words, NULL), 0);
    assert_int_equal(rig_released(channel), value);
}

static void assert_killed(struct rig_channel *channel) {
    struct words words = {.part = rig.part};
    words_release(&words, channel, 99);
    assert_int_equal(rig_run(&rig, channel, &words, NULL), -ENODEV);
    assert_int_equal(rig_run(&rig, channel, &words, NULL), -ENODEV);
    assert_int_not_equal(rig_released(channel), 99);
    struct drm_nouveau_gem_pushbuf none = {.channel = channel->id};
    unsigned long number = NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf);
    assert_int_equal(rig_ioctl(&rig, channel->file, number, &none), -ENODEV);
    assert_int_equal(rig_object(&rig, channel->file, channel->id, 0x7001, rig.part->copy), -ENODEV);
    assert_true(rig_logged(&rig, "killed"));
}

/* Which channels an MMU fault ends: from GF100 on. Before, it is logged, and the channel goes on. */
static void a_copy_from_nowhere_ends_the_channel_from_gf100_on(void **state) {
    (void)state;
    FOR_EACH_PART if (!part->calls) {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER), *other_file = rig_file(&rig, RENDER);
        struct rig_channel bad = rig_channel(&rig, file), other = rig_channel(&rig, file),
                           third = rig_channel(&rig, other_file);
        struct drm_nouveau_gem_info from = {.domain = VRAM, .offset = NOWHERE}, to = rig_buffer(&rig, file, GART, PAGE);
        struct words words = {.part = part};
        words_copy(&words, &from, &to, 64);
        assert_int_equal(rig_run(&rig, &bad, &words, &to), 0);
        assert_true(rig_logged(&rig, "MMU"));
        assert_goes_on(&other, 5);
        assert_goes_on(&third, 6);
        if (part->classes)
            assert_killed(&bad);
        else
            assert_goes_on(&bad, 7);
        assert_int_equal(rig_prep(&rig, file, to.handle, NOUVEAU_GEM_CPU_PREP_WRITE), 0);
        assert_int_equal(rig_channel_free(&rig, file, bad.id), 0);
        struct rig_channel next = rig_channel(&rig, file);
        assert_goes_on(&next, 8);
        assert_goes_on(&other, 9);
        rig_close(&rig);
    }
}

/* A segment that is not in its buffer. */
static void commands_from_nowhere_end_only_their_channel(void **state) {
    (void)state;
    FOR_EACH_PART if (!part->calls) {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel bad = rig_channel(&rig, file), other = rig_channel(&rig, file);
        struct drm_nouveau_gem_info push = rig_buffer(&rig, file, GART, PAGE);
        struct rig_submission submission = {0};
        struct words words = {.part = part};
        words_release(&words, &bad, 1);
        rig_push(&rig, &submission, &bad, &push, 0, &words);
        submission.pushes[0].offset = UINT64_C(1) << 32;
        assert_int_equal(rig_submit(&rig, &bad, &submission), 0);
        assert_int_equal(rig_released(&bad), 0);
        assert_true(rig.line_count > 0);
        assert_goes_on(&other, 5);
        if (part->classes)
            assert_killed(&bad);
        rig_close(&rig);
    }
}

/* Words that are no commands: the unit says so, they are skipped, the channel goes on. */
static void words_that_are_no_commands_are_skipped(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel bad = rig_channel(&rig, file), other = rig_channel(&rig, file);
        struct words words = {.part = part};
        words_add(&words, part->classes ? 0xc0000000 : 0xfffffff8);
        words_release(&words, &bad, 3);
        struct drm_nouveau_gem_info used = rig_buffer(&rig, file, GART, PAGE);
        assert_int_equal(rig_run(&rig, &bad, &words, &used), 0);
        assert_true(rig.line_count > 0);
        assert_int_equal(rig_prep(&rig, file, used.handle, NOUVEAU_GEM_CPU_PREP_WRITE | NOUVEAU_GEM_CPU_PREP_NOWAIT),
                         0);
        assert_goes_on(&other, 5);
        assert_goes_on(&bad, 6);
        rig_close(&rig);
    }
}

/* Also when it is only come to after a wait, while another channel still waits. */
static void garbage_behind_a_wait_is_done_with(void **state) {
    (void)state;
    FOR_EACH_PART if (!part->calls) {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel waits = rig_channel(&rig, file), bad = rig_channel(&rig, file);
        struct drm_nouveau_gem_info used = rig_buffer(&rig, file, GART, PAGE);
        struct words words = {.part = part};
        words_acquire(&words, &waits, 1);
        assert_int_equal(rig_run(&rig, &waits, &words, NULL), 0);
        words.count = 0;
        words_acquire(&words, &bad, 1);
        words_add(&words, part->classes ? 0xc0000000 : 0xfffffff8);
        assert_int_equal(rig_run(&rig, &bad, &words, &used), 0);
        assert_int_equal(rig_prep(&rig, file, used.handle, NOUVEAU_GEM_CPU_PREP_NOWAIT), -EBUSY);
        rig_wr32(file, &bad.semaphore, bad.at, 1);
        assert_int_equal(rig_prep(&rig, file, used.handle, 0), 0);
        assert_int_equal(rig.waits, 0);
        rig_close(&rig);
    }
}

/* Before G80 commands are in GART: an offset that is beyond it is reported, and dropped with what follows. */
static void commands_beyond_gart_are_dropped(void **state) {
    (void)state;
    FOR_EACH_PART if (part->calls) {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel bad = rig_channel(&rig, file), other = rig_channel(&rig, file);
        struct drm_nouveau_gem_info push = rig_buffer(&rig, file, GART, PAGE);
        struct rig_submission submission = {0};
        struct words words = {.part = part};
        words_release(&words, &bad, 1);
        rig_push(&rig, &submission, &bad, &push, 0, &words);
        submission.pushes[0].offset = 0x40000000;
        assert_int_equal(rig_submit(&rig, &bad, &submission), 0);
        assert_true(rig.line_count > 0);
        assert_int_equal(rig_released(&bad), 0);
        assert_int_equal(rig_prep(&rig, file, push.handle, NOUVEAU_GEM_CPU_PREP_WRITE | NOUVEAU_GEM_CPU_PREP_NOWAIT),
                         0);
        assert_goes_on(&other, 5);
        assert_goes_on(&bad, 6);
        rig_close(&rig);
    }
}

/* A jump to itself: NV4x. */
static void work_without_end_ends_the_channel(void **state) {
    (void)state;
    FOR_EACH_PART if (part->calls) {
        rig.config = (struct drm_config){.budget = 1 << 20};
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel bad = rig_channel(&rig, file), other = rig_channel(&rig, file);
        struct drm_nouveau_gem_info push = rig_buffer(&rig, file, GART, PAGE);
        struct rig_submission submission = {0};
        struct words words = {.part = part};
        words_add(&words, 0x20000000 | (uint32_t)push.offset);
        rig_push(&rig, &submission, &bad, &push, 0, &words);
        assert_int_equal(rig_submit(&rig, &bad, &submission), 0);
        assert_true(rig_logged(&rig, "PFIFO_DRM_BUDGET"));
        assert_killed(&bad);
        assert_goes_on(&other, 5);
        rig_close(&rig);
    }
}

/* More methods than the budget has units, on all chips. */
static void a_budget_limits_a_submission(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig.config = (struct drm_config){.budget = 2000};
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel bad = rig_channel(&rig, file), other = rig_channel(&rig, file);
        struct drm_nouveau_gem_info push = rig_buffer(&rig, file, GART, 16 * PAGE);
        struct rig_submission submission = {0};
        struct words words = {.part = part};
        words_bind_object(&words, 0);
        words_method(&words, 0, NOP, 0);
        rig_push(&rig, &submission, &bad, &push, 0, &words);
        submission.request.nr_push = 0;
        uint32_t bind = words.word[0], object = words.word[1], at = 0;
        for (; at < 16000; at += 2) { /* the same object again and again */
            rig_wr32(file, &push, 4 * (uint64_t)at, bind);
            rig_wr32(file, &push, 4 * (uint64_t)at + 4, object);
        }
        rig_wr32(file, &push, 4 * (uint64_t)at, 0x00020000);
        submission.pushes[0] =
            (struct drm_nouveau_gem_pushbuf_push){.bo_index = 0, .length = 4 * (uint64_t)(at + (part->calls ? 1 : 0))};
        submission.request.nr_push = 1;
        assert_int_equal(rig_submit(&rig, &bad, &submission), 0);
        assert_killed(&bad);
        assert_goes_on(&other, 5);
        rig_close(&rig);
    }
}

static void notifiers_and_objects_of_a_dead_channel_can_be_freed(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig.config = (struct drm_config){.budget = 64};
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel bad = rig_channel(&rig, file);
        struct words words = {.part = part};
        for (unsigned i = 0; i < 20; i++)
            words_bind_object(&words, 0);
        words_release(&words, &bad, 1);
        rig_run(&rig, &bad, &words, NULL);
        struct drm_nouveau_gpuobj_free request = {(int)bad.id, GRAPHICS};
        unsigned long number = NOUVEAU(DRM_NOUVEAU_GPUOBJ_FREE, struct drm_nouveau_gpuobj_free);
        assert_int_equal(rig_ioctl(&rig, file, number, &request), 0);
        assert_int_equal(rig_ioctl(&rig, file, number, &request), -ENOENT);
        drm_file_close(file);
        rig_close(&rig);
    }
}

/* The log is the kernel's, and says at its end what the kernel cannot know. */
static void a_method_without_its_state_is_logged_with_it(void **state) {
    (void)state;
    FOR_EACH_PART if (part->calls) {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel first = rig_channel(&rig, file), bad = rig_channel(&rig, file);
        struct words words = {.part = part};
        char line[160];
        words_method(&words, COPY_SUBCHANNEL, 0, COPY);
        words_method(&words, COPY_SUBCHANNEL, 0x328, 0); /* no DMA object, no offset */
        words_method(&words, COPY_SUBCHANNEL, 0x2fc, 5); /* no method of the class */
        assert_int_equal(rig_run(&rig, &bad, &words, NULL), 0);
        snprintf(line, sizeof line,
                 "nouveau: PGRAPH: STATE_INVALID on channel %u subc %u mthd 0328 data 00000000 needs 0180 DMA_NOTIFY: "
                 "no DMA object",
                 bad.id, COPY_SUBCHANNEL);
        assert_true(rig_logged(&rig, line));
        snprintf(line, sizeof line, "on channel %u subc %u mthd 02fc data 00000005", bad.id, COPY_SUBCHANNEL);
        assert_true(rig_logged(&rig, line));
        assert_false(rig_logged(&rig, "data 00000005 needs"));
        assert_goes_on(&first, 5);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_from_nowhere_ends_the_channel_from_gf100_on),
        cmocka_unit_test(commands_from_nowhere_end_only_their_channel),
        cmocka_unit_test(words_that_are_no_commands_are_skipped),
        cmocka_unit_test(garbage_behind_a_wait_is_done_with),
        cmocka_unit_test(commands_beyond_gart_are_dropped),
        cmocka_unit_test(a_method_without_its_state_is_logged_with_it),
        cmocka_unit_test(work_without_end_ends_the_channel),
        cmocka_unit_test(a_budget_limits_a_submission),
        cmocka_unit_test(notifiers_and_objects_of_a_dead_channel_can_be_freed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
