/* SPDX-License-Identifier: MIT */
/* GEM_PUSHBUF: what is executed, and what is refused before anything is. */
#include "drm/rig.h"

static struct rig rig; /* too large for a stack with a sanitizer */

#define NO_CHANNEL 0x5555u
#define PUSHBUF    NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf)

static void a_release_is_seen_by_the_program(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
        struct words words = {.part = part};
        words_release(&words, &channel, 0xcafe);
        assert_int_equal(rig_run(&rig, &channel, &words, &channel.semaphore), 0);
        assert_int_equal(rig_released(&channel), 0xcafe);
        assert_int_equal(rig.line_count, 0);
        rig_close(&rig);
    }
}

static void a_copy_is_seen_by_the_program(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_nouveau_gem_info from = rig_buffer(&rig, file, VRAM, PAGE), to = rig_buffer(&rig, file, GART, PAGE);
        for (uint32_t i = 0; i < 32; i++)
            rig_wr32(file, &from, 4 * (uint64_t)i, 0x1000 + i);
        struct words words = {.part = part};
        words_copy(&words, &from, &to, 64);
        assert_int_equal(rig_run(&rig, &channel, &words, &to), 0);
        for (uint32_t i = 0; i < 32; i++)
            assert_int_equal(rig_rd32(file, &to, 4 * (uint64_t)i), i < 16 ? 0x1000 + i : 0);
        assert_int_equal(rig.line_count, 0);
        rig_close(&rig);
    }
}

/* The fence of Mesa's drivers: by the 3D object, to an offset in a notifier, or to an address. */
static void a_fence_of_the_3d_object_is_written(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_nouveau_gem_info fence = rig_buffer(&rig, file, GART, PAGE);
        struct words words = {.part = part};
        words_bind_object(&words, 0);
        if (part->calls) {
            words_method(&words, 0, 0x1a4, SEMAPHORE);
            words_header(&words, 0, 0x1d6c, 2);
            words_add(&words, 16);
            words_add(&words, 0x5a5a);
            fence = channel.semaphore;
        } else {
            if (!part->classes)
                words_method(&words, 0, 0x188, FB_HANDLE);
            words_header(&words, 0, 0x1b00, 4);
            words_add(&words, (uint32_t)(fence.offset >> 32));
            words_add(&words, (uint32_t)fence.offset + 16);
            words_add(&words, 0x5a5a);
            words_add(&words, 0x1000f010);
        }
        assert_int_equal(rig_run(&rig, &channel, &words, &fence), 0);
        assert_int_equal(rig_rd32(file, &fence, (part->calls ? channel.at : 0) + 16), 0x5a5a);
        rig_close(&rig);
    }
}

static void segments_run_in_the_order_of_the_list(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_nouveau_gem_info push = rig_buffer(&rig, file, GART, 4 * PAGE),
                                    other = rig_buffer(&rig, file, GART, PAGE);
        struct rig_submission submission = {0};
        static const uint32_t places[] = {3, 1, 2};
        for (uint32_t i = 0; i < 3; i++) {
            struct words words = {.part = part};
            if (i && !part->calls)
                words_acquire(&words, &channel, i);
            words_release(&words, &channel, i + 1);
            rig_push(&rig, &submission, &channel, i == 1 ? &other : &push, i == 1 ? 16 : places[i] * PAGE, &words);
        }
        rig_list(&submission, &channel.semaphore, true);
        submission.pushes[3] = submission.pushes[0];
        submission.pushes[3].length = 0; /* is none */
        submission.request.nr_push = 4;
        assert_int_equal(rig_submit(&rig, &channel, &submission), 0);
        assert_int_equal(rig_released(&channel), 3);
        assert_int_equal(rig_prep(&rig, file, push.handle, NOUVEAU_GEM_CPU_PREP_WRITE), 0);
        rig_close(&rig);
    }
}

/* From GF100 on a segment may be read only when all before it has been executed: bit 23 of its length. */
static void a_segment_without_prefetch_is_executed(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_nouveau_gem_info push = rig_buffer(&rig, file, GART, PAGE);
        struct rig_submission submission = {0};
        struct words words = {.part = part};
        words_release(&words, &channel, 7);
        rig_push(&rig, &submission, &channel, &push, 0, &words);
        rig_list(&submission, &channel.semaphore, true);
        submission.pushes[0].length |= 1u << 23;
        assert_int_equal(rig_submit(&rig, &channel, &submission), 0);
        assert_int_equal(rig_released(&channel), 7);
        rig_close(&rig);
    }
}

static void a_call_without_segments_tells_what_there_is(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig.config = (struct drm_config){.vram_bytes = part->vram ? 64 << 20 : 0, .system_bytes = 128 << 20};
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_nouveau_gem_pushbuf request = {.channel = channel.id,
                                                  .nr_buffers = UINT32_MAX,
                                                  .nr_relocs = UINT32_MAX,
                                                  .buffers = NOT_MAPPED,
                                                  .suffix0 = 1,
                                                  .suffix1 = 1};
        struct drm_nouveau_getparam vram = {.param = NOUVEAU_GETPARAM_FB_SIZE},
                                    gart = {.param = NOUVEAU_GETPARAM_AGP_SIZE};
        unsigned long number = NOUVEAU(DRM_NOUVEAU_GETPARAM, struct drm_nouveau_getparam);
        assert_int_equal(rig_ioctl(&rig, file, number, &vram), 0);
        assert_int_equal(rig_ioctl(&rig, file, number, &gart), 0);
        assert_int_equal(rig_ioctl(&rig, file, PUSHBUF, &request), 0);
        assert_int_equal(request.suffix0, part->calls ? 0x20000 : 0);
        assert_int_equal(request.suffix1, 0);
        assert_int_equal(request.vram_available, vram.value);
        assert_int_equal(request.gart_available, gart.value);
        rig_close(&rig);
    }
}

struct seen {
    uint64_t words;
    unsigned done, faults;
};

static void see_submission(void *opaque, uint64_t words) {
    ((struct seen *)opaque)->words += words;
}

static void see_done(void *opaque) {
    ((struct seen *)opaque)->done++;
}

static void see_fault(void *opaque, const struct pfifo_device_fault *fault) {
    assert_non_null(fault->unit);
    ((struct seen *)opaque)->faults++;
}

static void a_watch_sees_submissions_and_faults(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
        struct seen seen = {0};
        drm_device_set_watch(rig.device, &(struct drm_watch){see_submission, see_done, see_fault, NULL, &seen});
        struct words words = {.part = part};
        words_release(&words, &channel, 1);
        assert_int_equal(rig_run(&rig, &channel, &words, NULL), 0);
        assert_int_equal(seen.words, words.count);
        assert_int_equal(seen.done, 1);
        assert_int_equal(seen.faults, 0);
        struct words garbage = {.part = part};
        words_add(&garbage, part->classes ? 0xc0000000 : 0xfffffff8);
        assert_int_equal(rig_run(&rig, &channel, &garbage, NULL), 0);
        assert_int_equal(seen.words, words.count + garbage.count);
        assert_int_equal(seen.done, 2);
        assert_true(seen.faults > 0);
        rig_close(&rig);
    }
}

/* ---- what is refused ---- */

static struct rig_submission good_submission(struct rig_channel *channel) {
    struct rig_submission submission = {0};
    struct drm_nouveau_gem_info push = rig_buffer(&rig, channel->file, GART, PAGE);
    struct words words = {.part = rig.part};
    words_release(&words, channel, 1);
    rig_push(&rig, &submission, channel, &push, 0, &words);
    rig_list(&submission, &channel->semaphore, true);
    return submission;
}

static void assert_refused(struct rig_channel *channel, struct rig_submission submission, int error) {
    assert_int_equal(rig_submit(&rig, channel, &submission), error);
    assert_int_equal(rig_released(channel), 0);
}

static void lists_that_make_no_sense_are_refused(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file), none = {.file = file, .id = NO_CHANNEL};
        const struct rig_submission good = good_submission(&channel);
        struct rig_submission bad = good;
        assert_int_equal(rig_submit(&rig, &none, &bad), -ENOENT);
        bad = good;
        bad.pushes[0].bo_index = 2;
        assert_refused(&channel, bad, -EINVAL);
        bad.pushes[0].bo_index = UINT32_MAX;
        assert_refused(&channel, bad, -EINVAL);
        bad = good;
        bad.buffers[1].handle = 0;
        assert_refused(&channel, bad, -ENOENT);
        bad.buffers[1].handle = UINT32_MAX;
        assert_refused(&channel, bad, -ENOENT);
        bad.buffers[1] = bad.buffers[0];
        assert_refused(&channel, bad, -EINVAL);
        bad = good;
        bad.pushes[0].length--;
        assert_refused(&channel, bad, -EINVAL);
        bad = good;
        assert_int_equal(rig_submit(&rig, &channel, &bad), 0);
        assert_int_equal(rig_released(&channel), 1);
        rig_close(&rig);
    }
}

static void domains_that_cannot_be_are_refused(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
        const struct rig_submission good = good_submission(&channel);
        struct rig_submission bad = good;
        bad.buffers[1].valid_domains = NOUVEAU_GEM_DOMAIN_CPU;
        assert_refused(&channel, bad, -EINVAL);
        bad = good;
        bad.buffers[1].read_domains = bad.buffers[1].write_domains = 0;
        assert_refused(&channel, bad, -EINVAL);
        bad.buffers[1].read_domains = VRAM;
        bad.buffers[1].valid_domains = GART;
        assert_refused(&channel, bad, -EINVAL);
        bad = good; /* made for GART, the other is not possible; before G80 that is not looked at, but it is pinned */
        bad.buffers[1].read_domains = bad.buffers[1].write_domains = bad.buffers[1].valid_domains = VRAM;
        if (part->vram)
            assert_refused(&channel, bad, -EINVAL);
        bad = good;
        bad.buffers[1].read_domains = VRAM; /* a write counts more */
        assert_int_equal(rig_submit(&rig, &channel, &bad), 0);
        rig_close(&rig);
    }
}

static int submit_with(struct rig_channel *channel, const struct drm_nouveau_gem_pushbuf *with,
                       const struct rig_submission *lists) {
    struct drm_nouveau_gem_pushbuf request = *with;
    request.channel = channel->id;
    if (!request.buffers)
        request.buffers = rig_put(&rig, lists->buffers, sizeof lists->buffers);
    if (!request.relocs)
        request.relocs = rig_put(&rig, lists->relocs, sizeof lists->relocs);
    if (!request.push)
        request.push = rig_put(&rig, lists->pushes, sizeof lists->pushes);
    return rig_ioctl(&rig, channel->file, PUSHBUF, &request);
}

static void counts_and_addresses_are_checked(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
        const struct rig_submission good = good_submission(&channel);
        struct drm_nouveau_gem_pushbuf request = good.request;
        request.nr_push = NOUVEAU_GEM_MAX_PUSH + 1;
        assert_int_equal(submit_with(&channel, &request, &good), -EINVAL);
        request = good.request;
        request.nr_buffers = NOUVEAU_GEM_MAX_BUFFERS + 1;
        assert_int_equal(submit_with(&channel, &request, &good), -EINVAL);
        request = good.request;
        request.nr_relocs = NOUVEAU_GEM_MAX_RELOCS + 1;
        assert_int_equal(submit_with(&channel, &request, &good), -EINVAL);
        request = good.request;
        request.buffers = NOT_MAPPED;
        assert_int_equal(submit_with(&channel, &request, &good), -EFAULT);
        request = good.request;
        request.push = NOT_MAPPED;
        assert_int_equal(submit_with(&channel, &request, &good), -EFAULT);
        request.push = UINT64_MAX - 8;
        assert_int_equal(submit_with(&channel, &request, &good), -EFAULT);
        request = good.request;
        request.push = RIG_BASE + RIG_MEMORY - sizeof good.pushes[0] + 1;
        assert_int_equal(submit_with(&channel, &request, &good), -EFAULT);
        request = good.request; /* nothing has to be relocated: nobody reads the list */
        request.relocs = NOT_MAPPED;
        request.nr_relocs = 3;
        assert_int_equal(submit_with(&channel, &request, &good), 0);
        assert_int_equal(rig_released(&channel), 1);
        rig_close(&rig);
    }
}

/* The last of the possible places are used. */
static void the_largest_counts_are_possible(void **state) {
    static struct drm_nouveau_gem_pushbuf_bo buffers[NOUVEAU_GEM_MAX_BUFFERS];
    static struct drm_nouveau_gem_pushbuf_push pushes[NOUVEAU_GEM_MAX_PUSH];
    (void)state;
    rig_open(&rig, &parts[4]);
    struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
    struct rig_submission good = good_submission(&channel);
    for (size_t i = 0; i < COUNT_OF(buffers); i++) {
        struct rig_submission one = {0};
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, channel.file, GART, PAGE);
        rig_list(&one, &buffer, false);
        buffers[i] = one.buffers[0];
    }
    buffers[COUNT_OF(buffers) - 1] = good.buffers[0];
    for (size_t i = 0; i < COUNT_OF(pushes); i++) {
        pushes[i] = good.pushes[0];
        pushes[i].bo_index = COUNT_OF(buffers) - 1;
    }
    struct drm_nouveau_gem_pushbuf request = {.nr_buffers = COUNT_OF(buffers), .nr_push = COUNT_OF(pushes)};
    request.buffers = rig_put(&rig, buffers, sizeof buffers);
    request.push = rig_put(&rig, pushes, sizeof pushes);
    assert_int_equal(submit_with(&channel, &request, &good), 0);
    assert_int_equal(rig_released(&channel), 1);
    rig_close(&rig);
}

/* What is queued before a segment that is refused runs, and the channel goes on. */
static void a_refused_segment_does_not_hold_the_others(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
        struct rig_submission submission = good_submission(&channel);
        submission.pushes[1] = submission.pushes[0];
        submission.pushes[1].length -= 2;
        submission.request.nr_push = 2;
        assert_int_equal(rig_submit(&rig, &channel, &submission), -EINVAL);
        assert_int_equal(rig_released(&channel), 1);
        assert_int_equal(rig_prep(&rig, channel.file, submission.buffers[0].handle, NOUVEAU_GEM_CPU_PREP_WRITE), 0);
        struct words words = {.part = part};
        words_release(&words, &channel, 2);
        assert_int_equal(rig_run(&rig, &channel, &words, NULL), 0);
        assert_int_equal(rig_released(&channel), 2);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_release_is_seen_by_the_program),
        cmocka_unit_test(a_copy_is_seen_by_the_program),
        cmocka_unit_test(a_fence_of_the_3d_object_is_written),
        cmocka_unit_test(segments_run_in_the_order_of_the_list),
        cmocka_unit_test(a_segment_without_prefetch_is_executed),
        cmocka_unit_test(a_call_without_segments_tells_what_there_is),
        cmocka_unit_test(a_watch_sees_submissions_and_faults),
        cmocka_unit_test(lists_that_make_no_sense_are_refused),
        cmocka_unit_test(domains_that_cannot_be_are_refused),
        cmocka_unit_test(counts_and_addresses_are_checked),
        cmocka_unit_test(the_largest_counts_are_possible),
        cmocka_unit_test(a_refused_segment_does_not_hold_the_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
