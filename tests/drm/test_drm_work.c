/* SPDX-License-Identifier: MIT */
/* A device whose owner does the work (struct drm_config, worker): submissions return at once, and waits only wait. */
#include "drm/rig.h"

#include <stdio.h>
#include <stdlib.h>

#include <pfifo/trace.h>

#include "drm/display.h"
#include "face/drm/node/jobs.h"

static struct rig rig; /* too large for a stack with a sanitizer */

#define NOWAIT  NOUVEAU_GEM_CPU_PREP_NOWAIT
#define WRITE   NOUVEAU_GEM_CPU_PREP_WRITE
#define LONG    (UINT64_C(1) << 20) /* bytes of commands that do nothing: a unit of work for each word */
#define SOME    UINT64_C(1000)      /* units */
#define A_WHILE 100000u             /* turns of SOME: more than a test has work */

static void open_with_worker(const struct part *part, uint64_t budget) {
    rig.config = (struct drm_config){.worker = true, .budget = budget};
    rig_open(&rig, part);
}

/* Commands that take long, and then `words`. */
static int submit_long(const struct rig_channel *channel, struct words *words,
                       const struct drm_nouveau_gem_info *used) {
    struct rig_submission submission = {0};
    struct drm_nouveau_gem_info push = rig_buffer(&rig, channel->file, GART, LONG + PAGE);
    rig_push(&rig, &submission, channel, &push, LONG, words);
    submission.pushes[0].offset = 0;
    submission.pushes[0].length += LONG;
    if (used)
        rig_list(&submission, used, true);
    int status = rig_submit(&rig, channel, &submission);
    assert_int_equal(rig_close_handle(&rig, channel->file, push.handle), 0);
    return status;
}

static int submit_release(const struct rig_channel *channel, uint32_t value, const struct drm_nouveau_gem_info *used) {
    struct words words = {.part = rig.part};
    words_release(&words, channel, value);
    return submit_long(channel, &words, used);
}

static void finish(void) {
    unsigned turns = 0;
    while (drm_device_work(rig.device, SOME) == DRM_MORE)
        assert_true(++turns < A_WHILE);
}

/* ---- at once ---- */

static void a_submission_returns_before_its_work_is_done(void **state) {
    (void)state;
    FOR_EACH_PART {
        open_with_worker(part, 0);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE);
        assert_int_equal(submit_release(&channel, 5, &buffer), 0);
        assert_int_not_equal(rig_released(&channel), 5);
        assert_true(drm_device_has_work(rig.device));
        assert_int_equal(rig_prep(&rig, file, buffer.handle, NOWAIT), -EBUSY);
        assert_int_equal(rig_prep(&rig, file, buffer.handle, NOWAIT | WRITE), -EBUSY);
        finish();
        assert_int_equal(rig_released(&channel), 5);
        assert_int_equal(rig_prep(&rig, file, buffer.handle, NOWAIT | WRITE), 0);
        assert_false(drm_device_has_work(rig.device));
        assert_int_equal(rig.waits, 0);
        rig_close(&rig);
    }
}

/* A change of threads would take longer. */
static void a_short_one_is_done_in_its_call(void **state) {
    (void)state;
    FOR_EACH_PART {
        open_with_worker(part, 0);
        struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
        struct words words = {.part = part};
        words_release(&words, &channel, 5);
        assert_int_equal(rig_run(&rig, &channel, &words, NULL), 0);
        assert_int_equal(rig_released(&channel), 5);
        assert_false(drm_device_has_work(rig.device));
        rig_close(&rig);
    }
}

static void without_a_worker_all_is_done_in_the_call(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
        assert_int_equal(submit_release(&channel, 5, NULL), 0);
        assert_int_equal(rig_released(&channel), 5);
        rig_close(&rig);
    }
}

/* ---- waiting ---- */

static void work_once(struct rig *r) {
    drm_device_work(r->device, SOME);
}

static void a_wait_ends_with_the_work(void **state) {
    (void)state;
    FOR_EACH_PART {
        open_with_worker(part, 0);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE);
        assert_int_equal(submit_release(&channel, 5, &buffer), 0);
        assert_int_equal(rig_prep(&rig, file, buffer.handle, NOWAIT), -EBUSY);
        rig.signal = true;
        assert_int_equal(rig_prep(&rig, file, buffer.handle, 0), -EINTR);
        rig.signal = false;
        assert_int_not_equal(rig_released(&channel), 5); /* who waits does not work */
        rig.waiting = work_once;
        rig.now = 0;
        drm_device_set_worker(rig.device, false); /* the time of a wait of the rig is what it may take */
        assert_int_equal(rig_prep(&rig, file, buffer.handle, 0), 0);
        assert_int_equal(rig_released(&channel), 5);
        rig_close(&rig);
    }
}

static void finish_meanwhile(struct rig *r) {
    (void)r;
    finish();
}

/* NOUVEAU_GEM_PUSHBUF_SYNC */
static int submit_and_wait(const struct rig_channel *channel, uint32_t value) {
    struct drm_nouveau_gem_info push = rig_buffer(&rig, channel->file, GART, LONG + PAGE);
    struct rig_submission submission = {.request.vram_available = NOUVEAU_GEM_PUSHBUF_SYNC};
    struct words words = {.part = rig.part};
    words_release(&words, channel, value);
    rig_push(&rig, &submission, channel, &push, LONG, &words);
    submission.pushes[0].offset = 0;
    submission.pushes[0].length += LONG;
    rig.waiting = finish_meanwhile;
    return rig_submit(&rig, channel, &submission);
}

/* If a signal ended it, the program would submit it again. */
static void a_submission_that_is_to_be_waited_for_is(void **state) {
    (void)state;
    FOR_EACH_PART {
        open_with_worker(part, 0);
        struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
        rig.signal = true;
        assert_int_equal(submit_and_wait(&channel, 5), 0);
        assert_int_equal(rig.waits, 1);
        assert_int_equal(rig_released(&channel), 5);
        rig_close(&rig);
    }
}

static void a_submission_that_is_waited_for_tells_that_it_was_killed(void **state) {
    (void)state;
    FOR_EACH_PART {
        open_with_worker(part, 200000);
        struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
        assert_int_equal(submit_and_wait(&channel, 5), -ENODEV);
        assert_int_equal(rig.waits, 1);
        assert_true(rig_logged(&rig, "its work does not end"));
        rig_close(&rig);
    }
}

static void the_queue_has_an_end(void **state) {
    (void)state;
    open_with_worker(&parts[4], 0);
    struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
    for (unsigned i = 0; i <= DRM_MOST_JOBS; i++) /* one of them the machine has */
        assert_int_equal(submit_release(&channel, i, NULL), 0);
    assert_int_equal(rig.waits, 0);
    rig.signal = true;
    assert_int_equal(submit_release(&channel, 100, NULL), -EINTR);
    assert_int_equal(rig.waits, 1);
    rig.signal = false;
    finish();
    assert_int_equal(submit_release(&channel, 101, NULL), 0);
    finish();
    assert_int_equal(rig_released(&channel), 101);
    assert_int_equal(rig.waits, 1);
    rig_close(&rig);
}

/* ---- order ---- */

static void submissions_of_a_channel_are_done_in_their_order(void **state) {
    (void)state;
    FOR_EACH_PART {
        open_with_worker(part, 0);
        struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
        uint32_t seen = 0;
        for (uint32_t i = 1; i <= 8; i++)
            assert_int_equal(submit_release(&channel, i, NULL), 0);
        for (unsigned turns = 0; drm_device_work(rig.device, SOME) == DRM_MORE; turns++) {
            uint32_t now = rig_released(&channel);
            assert_true(now == seen || now == seen + 1 || (now > 8 && !seen));
            seen = now <= 8 ? now : 0;
            assert_true(turns < A_WHILE);
        }
        assert_int_equal(rig_released(&channel), 8);
        rig_close(&rig);
    }
}

/* Who needs a buffer of a channel that waits is held back, with all after it; nobody else is. */
static void a_blocked_one_holds_back_its_own_channel_only(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        open_with_worker(part, 0);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE);
        struct rig_channel waits = rig_waiting(&rig, file, &buffer, true), blocked = rig_channel(&rig, file),
                           free = rig_channel(&rig, file);
        struct words words = {.part = part};
        words_release(&words, &blocked, 5);
        assert_int_equal(rig_run(&rig, &blocked, &words, &buffer), 0);
        words.count = 0;
        words_release(&words, &blocked, 6);
        assert_int_equal(rig_run(&rig, &blocked, &words, NULL), 0);
        words.count = 0;
        words_release(&words, &free, 7);
        assert_int_equal(rig_run(&rig, &free, &words, NULL), 0);
        assert_int_equal(drm_device_work(rig.device, SOME), DRM_WAITS);
        assert_int_equal(rig_released(&free), 7);
        assert_int_equal(rig_released(&blocked), 0);
        assert_int_equal(rig_prep(&rig, file, buffer.handle, NOWAIT), -EBUSY);
        rig_let_go(&waits);
        finish();
        assert_int_equal(rig_released(&waits), 2);
        assert_int_equal(rig_released(&blocked), 6);
        assert_int_equal(rig.waits, 0);
        rig_close(&rig);
    }
}

/* ---- the same, however it is cut ---- */

static struct {
    char *text;
    size_t bytes;
} trace;

static bool keep(void *opaque, const char *text, size_t bytes) {
    (void)opaque;
    trace.text = realloc(trace.text, trace.bytes + bytes + 1);
    memcpy(trace.text + trace.bytes, text, bytes);
    trace.bytes += bytes;
    trace.text[trace.bytes] = 0;
    return true;
}

static void number_submission(void *opaque, uint64_t words) {
    (void)words;
    pfifo_trace_set_submission(opaque, 1);
    pfifo_trace_set_submission(opaque, 2);
}

/* With their times; those of words that do nothing are of the run that fetched them, and its length is the caller's. */
#define EFFECTS "puller.*,engine.*,switch.*,memory.*"

/* All that three submissions do. To be freed. */
static char *events_of(const struct part *part, bool worker, uint64_t units) {
    struct pfifo_error error;
    rig.config = (struct drm_config){.worker = worker};
    rig_open(&rig, part);
    struct drm_file *file = rig_file(&rig, RENDER);
    struct rig_channel channel = rig_channel(&rig, file);
    struct drm_nouveau_gem_info from = rig_buffer(&rig, file, GART, PAGE), to = rig_buffer(&rig, file, GART, PAGE);
    trace.text = NULL;
    trace.bytes = 0;
    struct pfifo_trace *made = pfifo_trace_new(PFIFO_TRACE_JSON, keep, NULL, &error);
    assert_non_null(made);
    const struct drm_watch watch = {.submission = number_submission, .opaque = made};
    drm_device_set_watch(rig.device, &watch);
    assert_int_equal(pfifo_trace_attach(made, pfifo_device_gpu(drm_device_pfifo(rig.device)), EFFECTS, &error),
                     PFIFO_OK);
    struct drm_nouveau_gem_info push = rig_buffer(&rig, file, GART, LONG + PAGE);
    for (uint32_t i = 0; i < 3; i++) {
        struct rig_submission submission = {0};
        struct words words = {.part = part};
        words_copy(&words, &from, &to, 64);
        words_release(&words, &channel, 7);
        rig_push(&rig, &submission, &channel, &push, LONG, &words);
        submission.pushes[0].offset = 0;
        submission.pushes[0].length += LONG;
        rig_list(&submission, &to, true);
        assert_int_equal(rig_submit(&rig, &channel, &submission), 0);
    }
    for (unsigned turns = 0; drm_device_work(rig.device, units) == DRM_MORE; turns++)
        assert_true(turns < 10 * A_WHILE);
    assert_int_equal(rig_released(&channel), 7);
    pfifo_trace_free(made);
    drm_device_set_watch(rig.device, &(const struct drm_watch){0});
    rig_close(&rig);
    return trace.text;
}

static void the_machine_does_the_same_however_the_work_is_cut(void **state) {
    static const uint64_t units[] = {300, 5000, 1 << 20};
    (void)state;
    FOR_EACH_PART if (!part->calls) { /* segments that return are written to, so they wait */
        char *wanted = events_of(part, false, 1000);
        for (size_t i = 0; i < COUNT_OF(units); i++) {
            char *found = events_of(part, true, units[i]);
            if (strcmp(wanted, found) != 0)
                fail_msg("%s in parts of %u units: other events", part->chip, (unsigned)units[i]);
            free(found);
        }
        free(wanted);
    }
}

/* ---- ends ---- */

static void what_is_closed_stays_until_it_is_done(void **state) {
    (void)state;
    FOR_EACH_PART {
        open_with_worker(part, 0);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_nouveau_gem_info from = rig_buffer(&rig, file, GART, PAGE), to = rig_buffer(&rig, file, GART, PAGE),
                                    push = rig_buffer(&rig, file, GART, LONG + PAGE);
        struct rig_submission submission = {0};
        struct words words = {.part = part};
        rig_wr32(file, &from, 0, 0x600d);
        words_copy(&words, &from, &to, 64);
        rig_push(&rig, &submission, &channel, &push, LONG, &words);
        submission.pushes[0].offset = 0;
        submission.pushes[0].length += LONG;
        rig_list(&submission, &from, false);
        rig_list(&submission, &to, true);
        assert_int_equal(submit_release(&channel, 1, NULL), 0); /* the machine is at this one */
        assert_int_equal(rig_submit(&rig, &channel, &submission), 0);
        assert_int_equal(rig_close_handle(&rig, file, push.handle), 0);
        assert_int_equal(rig_close_handle(&rig, file, from.handle), 0);
        for (unsigned i = 0; i < 16; i++) {
            struct drm_nouveau_gem_info filler = rig_buffer(&rig, file, GART, PAGE);
            rig_wr32(file, &filler, 0, 0xbad);
        }
        finish();
        assert_int_equal(rig_rd32(file, &to, 0), 0x600d);
        assert_int_equal(rig.line_count, 0);
        rig_close(&rig);
    }
}

/* As in a kernel: what is under way is waited for (nouveau_chan.c, nouveau_channel_idle()). */
static void a_channel_is_freed_when_its_work_is_done(void **state) {
    (void)state;
    FOR_EACH_PART for (unsigned file_closes = 0; file_closes < 2; file_closes++) {
        open_with_worker(part, 0);
        struct drm_file *file = rig_file(&rig, RENDER), *other = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_memory memory;
        assert_int_equal(drm_file_map(file, channel.semaphore.map_handle, PAGE, &memory), 0);
        assert_int_equal(submit_release(&channel, 4, NULL), 0);
        assert_int_equal(submit_release(&channel, 5, NULL), 0);
        if (file_closes)
            drm_file_close(file);
        else
            assert_int_equal(rig_channel_free(&rig, file, channel.id), 0);
        assert_false(drm_device_has_work(rig.device));
        if (!file_closes)
            assert_int_equal(rig_released(&channel), 5);
        (void)other;
        rig_close(&rig);
    }
}

static void a_blocked_one_ends_with_its_channel(void **state) {
    (void)state;
    FOR_EACH_THAT_WAITS {
        open_with_worker(part, 0);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, GART, PAGE);
        struct rig_channel waits = rig_waiting(&rig, file, &buffer, true), blocked = rig_channel(&rig, file);
        struct words words = {.part = part};
        words_release(&words, &blocked, 5);
        assert_int_equal(rig_run(&rig, &blocked, &words, &buffer), 0);
        assert_true(drm_device_has_work(rig.device));
        assert_int_equal(rig_channel_free(&rig, file, blocked.id), 0);
        assert_false(drm_device_has_work(rig.device));
        assert_int_equal(rig_released(&blocked), 0);
        rig_let_go(&waits);
        finish();
        assert_int_equal(rig_prep(&rig, file, buffer.handle, NOWAIT | WRITE), 0);
        rig_close(&rig);
    }
}

/* It is counted over all turns; the program learns it from its next call. */
static void work_that_does_not_end_kills_its_channel(void **state) {
    (void)state;
    FOR_EACH_PART {
        open_with_worker(part, 200000);
        struct rig_channel channel = rig_channel(&rig, rig_file(&rig, RENDER));
        assert_int_equal(submit_release(&channel, 5, NULL), 0);
        assert_int_equal(submit_release(&channel, 6, NULL), 0);
        finish();
        assert_true(rig_logged(&rig, "its work does not end"));
        assert_int_not_equal(rig_released(&channel), 6);
        assert_int_equal(submit_release(&channel, 7, NULL), -ENODEV);
        assert_false(drm_device_has_work(rig.device));
        rig_close(&rig);
    }
}

/* ---- buffers ---- */

/* It is somewhere else for the second; the first has not begun. */
static void a_buffer_that_is_queued_does_not_move(void **state) {
    (void)state;
    FOR_EACH_PART if (part->vram && !part->calls) {
        open_with_worker(part, 0);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_nouveau_gem_info buffer = rig_buffer(&rig, file, VRAM | GART, PAGE), there = buffer;
        assert_int_equal(submit_release(&channel, 1, NULL), 0);
        assert_int_equal(submit_release(&channel, 2, &buffer), 0);
        there.domain = GART;
        rig.signal = true;
        assert_int_equal(submit_release(&channel, 3, &there), -EINTR);
        assert_int_equal(rig.moved_from.bytes, 0);
        rig.signal = false;
        finish();
        assert_int_equal(submit_release(&channel, 4, &there), 0);
        assert_int_not_equal(rig.moved_from.bytes, 0);
        finish();
        assert_int_equal(rig_released(&channel), 4);
        rig_close(&rig);
    }
}

/* Four of 10 MiB do not fit into 32 MiB, and each is in use: who needs room waits until what they are used for is done. */
static void a_vram_full_of_used_buffers_is_waited_for(void **state) {
    enum { BYTES = 10 << 20 };
    (void)state;
    FOR_EACH_PART if (part->vram) {
        rig.config = (struct drm_config){.worker = true, .vram_bytes = 32 << 20};
        rig_open(&rig, part);
        struct drm_file *file = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_nouveau_gem_info buffers[4];
        rig.waiting = finish_meanwhile;
        for (uint32_t i = 0; i < 4; i++) {
            buffers[i] = rig_buffer(&rig, file, VRAM, BYTES);
            assert_int_equal(buffers[i].domain, VRAM);
            rig_wr32(file, &buffers[i], BYTES - 4, 0x100 + i);
            assert_int_equal(submit_release(&channel, i + 1, &buffers[i]), 0);
        }
        assert_true(rig.waits > 0);
        finish();
        assert_int_equal(rig_released(&channel), 4);
        for (uint32_t i = 0; i < 4; i++)
            assert_int_equal(rig_rd32(file, &buffers[i], BYTES - 4), 0x100 + i);
        rig_close(&rig);
    }
}

static struct drm_nouveau_gem_info closed;
static struct drm_file *closer;

static void close_and_finish(struct rig *r) {
    if (r->waits != 1)
        return;
    assert_int_equal(rig_close_handle(r, closer, closed.handle), 0);
    for (unsigned i = 0; i < 16; i++) {
        struct drm_nouveau_gem_info filler = rig_buffer(r, closer, GART, PAGE);
        rig_wr32(closer, &filler, 0, 0xbad);
    }
    finish();
}

/* Another thread closes one, while a relocation waits for the buffer that it is in. */
static void a_buffer_closed_before_its_submission_is_queued_is_used(void **state) {
    (void)state;
    FOR_EACH_PART if (part->calls) {
        open_with_worker(part, 0);
        struct drm_file *file = closer = rig_file(&rig, RENDER);
        struct rig_channel channel = rig_channel(&rig, file);
        struct drm_nouveau_gem_info from = rig_buffer(&rig, file, GART, PAGE), to = rig_buffer(&rig, file, GART, PAGE),
                                    push = rig_buffer(&rig, file, GART, 2 * PAGE);
        struct rig_submission submission = {0};
        struct words words = {.part = part};
        rig_wr32(file, &from, 0, 0x600d);
        assert_int_equal(submit_release(&channel, 1, &push), 0);
        words_copy(&words, &from, &to, 64);
        rig_push(&rig, &submission, &channel, &push, 0, &words);
        uint32_t read = rig_list(&submission, &from, false);
        rig_list(&submission, &to, true);
        submission.buffers[read].presumed.offset += PAGE;
        submission.relocs[submission.request.nr_relocs++] =
            (struct drm_nouveau_gem_pushbuf_reloc){.reloc_bo_index = submission.pushes[0].bo_index,
                                                   .reloc_bo_offset = PAGE,
                                                   .bo_index = read,
                                                   .flags = NOUVEAU_GEM_RELOC_LOW};
        closed = from;
        rig.signal = true; /* the relocation has begun, and goes on (nouveau_gem_pushbuf_reloc_apply()) */
        rig.waiting = close_and_finish;
        assert_int_equal(rig_submit(&rig, &channel, &submission), 0);
        assert_int_equal(rig.waits, 1);
        finish();
        assert_int_equal(rig_rd32(file, &to, 0), 0x600d);
        rig_close(&rig);
    }
}

/* ---- the display ---- */

static void a_flip_is_done_when_its_frame_is_drawn(void **state) {
    (void)state;
    FOR_EACH_PART if (!part->calls) {
        struct display display = display_open(&rig, part, 0);
        drm_device_set_worker(rig.device, true);
        struct rig_channel channel = rig_channel(&rig, display.file);
        struct drm_nouveau_gem_info frame = rig_buffer(&rig, display.file, rig_vram(&rig), HEIGHT * PAGE);
        uint32_t first = display_screen(&display),
                 second = display_framebuffer(&display, frame.handle, WIDTH, HEIGHT, 512);
        assert_int_equal(display_set(&display, first), 0);
        assert_int_equal(submit_release(&channel, 1, &frame), 0);
        assert_int_equal(display_flip(&display, second, DRM_MODE_PAGE_FLIP_EVENT, 7), 0);
        assert_int_equal(rig.event_bytes, 0);
        assert_true(drm_device_due(rig.device) > 0);
        finish();
        assert_int_equal(drm_device_due(rig.device), 0);
        drm_device_vblank(rig.device);
        assert_int_equal(display_event(&display).user_data, 7);
        rig_close(&rig);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_submission_returns_before_its_work_is_done),
        cmocka_unit_test(a_short_one_is_done_in_its_call),
        cmocka_unit_test(without_a_worker_all_is_done_in_the_call),
        cmocka_unit_test(a_wait_ends_with_the_work),
        cmocka_unit_test(a_submission_that_is_to_be_waited_for_is),
        cmocka_unit_test(a_submission_that_is_waited_for_tells_that_it_was_killed),
        cmocka_unit_test(the_queue_has_an_end),
        cmocka_unit_test(submissions_of_a_channel_are_done_in_their_order),
        cmocka_unit_test(a_blocked_one_holds_back_its_own_channel_only),
        cmocka_unit_test(the_machine_does_the_same_however_the_work_is_cut),
        cmocka_unit_test(what_is_closed_stays_until_it_is_done),
        cmocka_unit_test(a_channel_is_freed_when_its_work_is_done),
        cmocka_unit_test(a_blocked_one_ends_with_its_channel),
        cmocka_unit_test(work_that_does_not_end_kills_its_channel),
        cmocka_unit_test(a_buffer_that_is_queued_does_not_move),
        cmocka_unit_test(a_vram_full_of_used_buffers_is_waited_for),
        cmocka_unit_test(a_buffer_closed_before_its_submission_is_queued_is_used),
        cmocka_unit_test(a_flip_is_done_when_its_frame_is_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
