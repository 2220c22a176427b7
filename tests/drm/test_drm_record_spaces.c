/* SPDX-License-Identifier: MIT */
/* What a recorder makes of VM_INIT, VM_BIND, EXEC and sync objects. */
#include "drm/record_rig.h"

#include "face/drm/record/client.h"

#define HERE  UINT64_C(0x3f00000000)
#define THERE UINT64_C(0x3e00000000)
#define BYTES ((uint64_t)FAKE_PAGES * PAGE)

static struct fake fake;

static void put(uint32_t handle, uint32_t offset, uint32_t word) {
    const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    memcpy(fake.memory[handle] + offset, bytes, sizeof bytes);
}

/* A channel, and a buffer for commands that the program maps, with words in it. */
static void begin(void) {
    fake_space(&fake);
    fake_channel(&fake, 1);
    fake_buffer(&fake, 3, true);
    fake_map(&fake, 3, HERE, 0, BYTES);
    put(3, 8, 0x11223344);
    put(3, 12, 0x55667788);
}

/* ---- when ---- */

static void a_program_that_only_opens_channels_leaves_no_capture(void **state) {
    struct drm_nouveau_channel_free request = {.channel = 1};

    (void)state;
    begin();
    fake_ioctl(&fake, NOUVEAU(DRM_NOUVEAU_CHANNEL_FREE, struct drm_nouveau_channel_free), &request, 0);
    assert_int_equal(fake.opens, 0);
    fake_close(&fake);
    assert_int_equal(fake.bytes, 0);
}

static void what_came_before_the_first_submission_is_at_the_beginning(void **state) {
    (void)state;
    begin();
    fake_exec(&fake, HERE + 8, 0);
    fake_expect(&fake,
                LINES("TEXT chipset=0xc0", "TEXT driver=nouveau 1.3.1", "VMINIT 1 8000000000 8000000000", "CHANIN 1",
                      "CHAN 1 0 0", "BONEW 1", "BIND map 3f00000000 4000 1+0 kind 0", "SUBMIT 1 channel 1 suffix 0",
                      "PUSH 1+8 11223344 55667788 at 3f00000008", "SUBEND 1", "RUN 0"));
    assert_int_equal(memcmp(fake.file, "NVPBCAP", 7) == 0, 0); /* it is packed */
    fake_close(&fake);
}

static void only_files_with_a_space_have_version_3(void **state) {
    struct pfifo_error error;

    (void)state;
    begin();
    fake_exec(&fake, HERE + 8, 0);
    struct pfifo_stream *stream = pfifo_stream_open_memory(fake.file, fake.bytes, "a", &error);
    assert_int_equal(pfifo_stream_version(stream), 3);
    pfifo_stream_close(stream);
    fake_close(&fake);
    fake_open(&fake);
    fake_channel(&fake, 1);
    stream = pfifo_stream_open_memory(fake.file, fake.bytes, "a", &error);
    assert_int_equal(pfifo_stream_version(stream), 1);
    pfifo_stream_close(stream);
    fake_close(&fake);
}

static void what_is_kept_for_a_submission_that_never_comes_is_bounded(void **state) {
    struct drm_nouveau_gem_cpu_prep prep = {.handle = 3};

    (void)state;
    begin();
    for (unsigned i = 0; i < 70000; i++)
        fake_ioctl(&fake, NOUVEAU(DRM_NOUVEAU_GEM_CPU_PREP, struct drm_nouveau_gem_cpu_prep), &prep, 0);
    assert_non_null(strstr(fake.line, "too much happens before the first submission"));
    fake_exec(&fake, HERE + 8, 0);
    assert_int_equal(fake.bytes, 0);
    fake_close(&fake);
}

/* ---- words ---- */

static void words_are_found_by_the_mapping_at_their_address(void **state) {
    (void)state;
    begin();
    fake_buffer(&fake, 4, true);
    fake_map(&fake, 4, THERE, PAGE, PAGE);
    put(4, PAGE + 16, 0xaaaaaaaa);
    fake_exec(&fake, THERE + 16, 0);
    fake_expect(&fake, LINES("PUSH 2+4112 aaaaaaaa 00000000 at 3e00000010"));
    fake_close(&fake);
}

static void words_over_the_end_of_a_mapping_are_two_pushes(void **state) {
    struct fake_exec exec;

    (void)state;
    begin();
    fake_buffer(&fake, 4, true);
    fake_map(&fake, 4, HERE + PAGE, 2 * PAGE, PAGE); /* in the place of a page */
    put(3, PAGE - 4, 0x33333333);
    put(4, 2 * PAGE, 0x44444444);
    fake_exec_fill(&exec, HERE + PAGE - 4);
    exec.pushes[0].flags = UAPI_EXEC_NO_PREFETCH;
    fake_exec_begin(&fake, &exec);
    fake_exec_end(&fake, &exec, 0);
    fake_expect(&fake, LINES("PUSH 1+4092 33333333 at 3f00000ffc not prefetched",
                             "PUSH 2+8192 44444444 at 3f00001000 not prefetched", "SUBEND 1"));
    fake_close(&fake);
}

static void a_push_of_nothing_mapped_has_no_words(void **state) {
    (void)state;
    begin();
    fake_exec(&fake, THERE, 0);
    fake_expect(&fake, LINES("SUBMIT 1 channel 1 suffix 0", "PUSH 0+0 at 3e00000000", "SUBEND 1"));
    fake_close(&fake);
}

static void a_push_that_is_not_words_leaves_a_note(void **state) {
    (void)state;
    begin();
    fake_exec(&fake, HERE + 2, 0);
    fake_exec(&fake, HERE + 8, 0);
    fake_expect(&fake, LINES("TEXT note=a submission is missing here: a push is not words of a buffer",
                             "SUBMIT 1 channel 1 suffix 0", "SUBEND 1"));
    fake_close(&fake);
}

static void a_submission_that_the_kernel_refuses_leaves_nothing(void **state) {
    (void)state;
    begin();
    put(3, 3 * PAGE, 7);
    fake_exec(&fake, HERE + 8, -ENODEV);
    fake_read(&fake);
    assert_int_equal(fake_count(&fake, "SUBMIT"), 0);
    fake_exec(&fake, HERE + 8, 0);
    fake_expect(&fake, LINES("SUBMIT 1 channel 1 suffix 0", "BODATA 1+12288 1", "SUBEND 1"));
    fake_close(&fake);
}

static void a_submission_to_a_channel_that_is_not_known_is_not_recorded(void **state) {
    struct fake_exec exec;

    (void)state;
    begin();
    fake_exec_fill(&exec, HERE + 8);
    exec.request.channel = 2;
    fake_exec_begin(&fake, &exec);
    assert_null(exec.under_way);
    fake_close(&fake);
}

/* ---- memory ---- */

/* EXEC names no buffers: any that the program maps may have changed. */
static void pages_that_have_changed_are_recorded_wherever_they_are(void **state) {
    (void)state;
    begin();
    fake_buffer(&fake, 4, true);
    fake_buffer(&fake, 5, false);
    fake_exec(&fake, HERE + 8, 0);
    put(4, 2 * PAGE, 1);
    put(5, 2 * PAGE, 1); /* only the GPU can have done that */
    fake_exec(&fake, HERE + 8, 0);
    fake_exec(&fake, HERE + 8, 0);
    fake_expect(&fake, LINES("SUBMIT 2 channel 1 suffix 0", "BOREF 2", "BODATA 2+8192 1", "SUBEND 2",
                             "SUBMIT 3 channel 1 suffix 0", "SUBEND 3"));
    assert_int_equal(fake_count(&fake, "BODATA"), 1);
    assert_int_equal(fake_count(&fake, "BOREF"), 2); /* the first: of the words, whose page needs no record */
    fake_close(&fake);
}

/* Two addresses, and two kinds, of one memory. */
static void a_buffer_that_is_mapped_twice_is_recorded_once(void **state) {
    const struct uapi_bind_operation again = {
        .operation = UAPI_BIND_MAP, .flags = 0xfe, .handle = 4, .address = THERE, .bytes = PAGE};

    (void)state;
    begin();
    fake_buffer(&fake, 4, true);
    fake_map(&fake, 4, THERE + BYTES, 0, BYTES);
    fake_bind(&fake, &again, 1);
    put(4, 0, 1);
    fake_exec(&fake, HERE + 8, 0);
    fake_expect(&fake,
                LINES("BIND map 3e00004000 4000 2+0 kind 0", "BIND map 3e00000000 1000 2+0 kind fe", "BODATA 2+0 1"));
    assert_int_equal(fake_count(&fake, "BODATA"), 1);
    fake_close(&fake);
}

static void earlier_work_is_waited_for_once(void **state) {
    (void)state;
    begin();
    fake_exec(&fake, HERE + 8, 0);
    assert_int_equal(fake.settles, 1);
    fake_exec(&fake, HERE + 8, 0);
    assert_int_equal(fake.settles, 2);
    fake_close(&fake);
}

/* ---- buffers ---- */

static void a_buffer_lives_as_long_as_it_is_mapped(void **state) {
    (void)state;
    begin();
    fake_buffer(&fake, 4, true);
    fake_map(&fake, 4, THERE, 0, BYTES);
    fake_gem_close(&fake, 4);
    put(4, 0, 9);
    fake_exec(&fake, THERE, 0);
    fake_unmap(&fake, THERE, BYTES);
    fake_exec(&fake, HERE + 8, 0);
    fake_expect(&fake, LINES("PUSH 2+0 00000009 00000000 at 3e00000000", "RUN 0",
                             "BIND unmap 3e00000000 4000 0+0 kind 0", "BODEL 2"));
    fake_close(&fake);
}

/* The kernel lets nobody map a buffer without a handle. */
static void a_buffer_that_is_closed_before_the_first_submission_is_recorded(void **state) {
    (void)state;
    begin();
    fake_buffer(&fake, 4, true); /* mapped by the program, then in the space */
    fake_map(&fake, 4, THERE, 0, BYTES);
    fake_gem_close(&fake, 4);
    fake_buffer(&fake, 5, false); /* the other way round */
    fake_map(&fake, 5, THERE + BYTES, 0, BYTES);
    record_mapped(fake.client, fake_map_handle(5));
    fake_gem_close(&fake, 5);
    put(4, 0, 9);
    put(5, 4, 8);
    fake_exec(&fake, HERE + 8, 0);
    fake_expect(&fake, LINES("SUBMIT 1 channel 1 suffix 0", "BODATA 3+0 1", "BODATA 2+0 1", "RUN 0"));
    assert_int_equal(fake_count(&fake, "TEXT note"), 0);
    fake_close(&fake);
}

static void a_closed_buffer_that_cannot_be_read_costs_one_submission(void **state) {
    (void)state;
    begin();
    fake_exec(&fake, HERE + 8, 0);
    fake_buffer(&fake, 4, false); /* others may have written the words in it */
    fake_map(&fake, 4, THERE, 0, BYTES);
    fake_gem_close(&fake, 4);
    fake_exec(&fake, THERE, 0);
    fake_exec(&fake, HERE + 16, 0);
    fake_expect(&fake, LINES("RUN 0", "TEXT note=a submission is missing here: a buffer cannot be read",
                             "SUBMIT 2 channel 1 suffix 0", "RUN 0"));
    assert_int_equal(fake_count(&fake, "RUN"), 2);
    fake_close(&fake);
}

static void a_handle_that_comes_again_is_another_buffer(void **state) {
    (void)state;
    begin();
    fake_buffer(&fake, 4, true);
    fake_map(&fake, 4, THERE, 0, BYTES);
    fake_gem_close(&fake, 4);
    fake_buffer(&fake, 4, true);
    fake_map(&fake, 4, THERE + BYTES, 0, BYTES);
    fake_exec(&fake, THERE + BYTES, 0);
    fake_expect(&fake, LINES("BONEW 2", "BONEW 3", "BIND map 3e00004000 4000 3+0 kind 0",
                             "PUSH 3+0 00000000 00000000 at 3e00004000"));
    assert_int_equal(fake_count(&fake, "BODEL"), 0);
    fake_close(&fake);
}

static void a_buffer_that_was_not_mapped_ends_with_its_handle(void **state) {
    (void)state;
    begin();
    fake_buffer(&fake, 4, true);
    fake_gem_close(&fake, 4);
    fake_exec(&fake, HERE + 8, 0);
    fake_expect(&fake, LINES("BONEW 2", "BODEL 2", "SUBMIT 1 channel 1 suffix 0"));
    fake_close(&fake);
}

static void buffers_from_elsewhere_are_recorded_before_they_are_mapped(void **state) {
    (void)state;
    begin();
    fake.exists[7] = true;
    fake_map(&fake, 7, THERE, 0, BYTES);
    fake_exec(&fake, HERE + 8, 0);
    fake_expect(&fake, LINES("BONEW 2", "BIND map 3e00000000 4000 2+0 kind 0", "SUBEND 1"));
    fake_close(&fake);
}

/* ---- sparse ---- */

static void sparse_ranges_begin_and_end(void **state) {
    const struct uapi_bind_operation operations[] = {
        {.operation = UAPI_BIND_MAP, .flags = UAPI_BIND_SPARSE, .address = THERE, .bytes = 4 * BYTES},
        {.operation = UAPI_BIND_MAP, .handle = 3, .address = THERE + BYTES, .bytes = BYTES},
        {.operation = UAPI_BIND_UNMAP, .flags = UAPI_BIND_SPARSE, .address = THERE, .bytes = 4 * BYTES},
    };

    (void)state;
    begin();
    fake_bind(&fake, operations, COUNT_OF(operations));
    fake_exec(&fake, THERE + BYTES, 0);
    fake_expect(&fake, LINES("BIND sparse 3e00000000 10000 0+0 kind 0", "BIND map 3e00004000 4000 1+0 kind 0",
                             "BIND end 3e00000000 10000 0+0 kind 0", "PUSH 0+0 at 3e00004000"));
    fake_close(&fake);
}

static void what_does_not_fit_is_noted(void **state) {
    const struct uapi_bind_operation end = {
        .operation = UAPI_BIND_UNMAP, .flags = UAPI_BIND_SPARSE, .address = THERE, .bytes = PAGE};

    (void)state;
    begin();
    fake_bind(&fake, &end, 1);
    fake_exec(&fake, HERE + 8, 0);
    fake_expect(&fake, LINES("TEXT note=an operation of VM_BIND is missing here: 0x1000 bytes at 0x3e00000000 are not "
                             "a sparse range",
                             "SUBMIT 1 channel 1 suffix 0"));
    fake_close(&fake);
}

/* ---- sync objects ---- */

static void what_a_submission_waits_for_and_signals_is_around_its_words(void **state) {
    struct fake_exec exec;

    (void)state;
    begin();
    fake_exec_fill(&exec, HERE + 8);
    exec.request.wait_count = 2;
    exec.request.signal_count = 1;
    exec.waits[0] = (struct uapi_sync){UAPI_SYNC_BINARY, 5, 77};
    exec.waits[1] = (struct uapi_sync){UAPI_SYNC_TIMELINE, 6, 78};
    exec.signals[0] = (struct uapi_sync){UAPI_SYNC_TIMELINE, 6, 79};
    fake_exec_begin(&fake, &exec);
    fake_exec_end(&fake, &exec, 0);
    fake_expect(&fake, LINES("SYNC 0 5 0", "SYNC 0 6 78", "PUSH 1+8 11223344 55667788 at 3f00000008", "SYNC 1 6 79",
                             "SUBEND 1"));
    fake_close(&fake);
}

/* It signals when what was submitted before is done. */
static void a_submission_without_words_is_recorded_if_it_signals(void **state) {
    struct fake_exec exec;

    (void)state;
    begin();
    fake_exec(&fake, HERE + 8, 0);
    fake_exec_fill(&exec, HERE + 8);
    exec.request.push_count = 0;
    fake_exec_begin(&fake, &exec);
    assert_null(exec.under_way);
    exec.request.signal_count = 1;
    exec.signals[0] = (struct uapi_sync){UAPI_SYNC_BINARY, 5, 0};
    put(3, 2 * PAGE, 1); /* nobody reads it yet */
    fake_exec_begin(&fake, &exec);
    fake_exec_end(&fake, &exec, 0);
    fake_read(&fake);
    assert_int_equal(fake_count(&fake, "BODATA"), 0);
    fake_expect(&fake, LINES("RUN 0", "SUBMIT 2 channel 1 suffix 0", "SYNC 1 5 0", "SUBEND 2"));
    assert_int_equal(fake_count(&fake, "RUN"), 1);
    fake_close(&fake);
}

static void binds_of_a_queue_are_between_what_they_wait_for_and_signal(void **state) {
    const struct uapi_bind_operation map = {.operation = UAPI_BIND_MAP, .handle = 3, .address = THERE, .bytes = PAGE};
    const struct uapi_sync wait = {UAPI_SYNC_TIMELINE, 5, 4}, signal = {UAPI_SYNC_BINARY, 6, 0};
    struct uapi_vm_bind request = {.operation_count = 1,
                                   .flags = UAPI_BIND_RUN_ASYNC,
                                   .wait_count = 1,
                                   .signal_count = 1,
                                   .operations = (uint64_t)(uintptr_t)&map,
                                   .waits = (uint64_t)(uintptr_t)&wait,
                                   .signals = (uint64_t)(uintptr_t)&signal};

    (void)state;
    begin();
    fake_ioctl(&fake, NOUVEAU(UAPI_VM_BIND, struct uapi_vm_bind), &request, 0);
    fake_exec(&fake, HERE + 8, 0);
    fake_expect(
        &fake, LINES("SYNC 2 5 4", "BIND map 3e00000000 1000 1+0 kind 0", "SYNC 3 6 0", "SUBMIT 1 channel 1 suffix 0"));
    fake_close(&fake);
}

static void what_the_program_does_with_sync_objects_is_recorded(void **state) {
    const uint32_t handles[] = {5, 6};
    const uint64_t points[] = {50, 60};
    struct drm_syncobj_wait wait = {.handles = (uint64_t)(uintptr_t)handles, .count_handles = 2, .first_signaled = 1};
    struct drm_syncobj_timeline_wait line = {.handles = (uint64_t)(uintptr_t)handles,
                                             .points = (uint64_t)(uintptr_t)points,
                                             .count_handles = 2,
                                             .flags = DRM_SYNCOBJ_WAIT_FLAGS_WAIT_ALL};
    struct drm_syncobj_array both = {.handles = (uint64_t)(uintptr_t)handles, .count_handles = 2};
    struct drm_syncobj_timeline_array ahead = {
        .handles = (uint64_t)(uintptr_t)handles, .points = (uint64_t)(uintptr_t)points, .count_handles = 1};

    (void)state;
    begin();
    fake_ioctl(&fake, DRM_IOCTL_SYNCOBJ_WAIT, &wait, 0);
    fake_ioctl(&fake, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &line, -ETIME);
    fake_ioctl(&fake, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &line, 0);
    line.flags |= DRM_SYNCOBJ_WAIT_FLAGS_WAIT_AVAILABLE;
    fake_ioctl(&fake, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &line, 0);
    fake_ioctl(&fake, DRM_IOCTL_SYNCOBJ_RESET, &both, 0);
    fake_ioctl(&fake, DRM_IOCTL_SYNCOBJ_SIGNAL, &both, 0);
    fake_ioctl(&fake, DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL, &ahead, 0);
    fake_exec(&fake, HERE + 8, 0);
    fake_expect(&fake, LINES("SYNC 4 6 0", "SYNC 4 5 50", "SYNC 4 6 60", "SYNC 6 5 0", "SYNC 6 6 0", "SYNC 5 5 0",
                             "SYNC 5 6 0", "SYNC 5 5 50", "SUBMIT 1 channel 1 suffix 0"));
    assert_int_equal(fake_count(&fake, "SYNC"), 8);
    fake_close(&fake);
}

/* ---- order ---- */

/* Binds of another thread come after a submission that began before them, and do not change its words. */
static void submissions_are_where_their_calls_began(void **state) {
    struct fake_exec exec;

    (void)state;
    begin();
    fake_exec_fill(&exec, HERE + 8);
    fake_exec_begin(&fake, &exec);
    fake_unmap(&fake, HERE, BYTES);
    fake_exec_end(&fake, &exec, 0);
    fake_expect(&fake, LINES("PUSH 1+8 11223344 55667788 at 3f00000008", "SUBEND 1", "RUN 0",
                             "BIND unmap 3f00000000 4000 0+0 kind 0"));
    fake_close(&fake);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_program_that_only_opens_channels_leaves_no_capture),
        cmocka_unit_test(what_came_before_the_first_submission_is_at_the_beginning),
        cmocka_unit_test(only_files_with_a_space_have_version_3),
        cmocka_unit_test(what_is_kept_for_a_submission_that_never_comes_is_bounded),
        cmocka_unit_test(words_are_found_by_the_mapping_at_their_address),
        cmocka_unit_test(words_over_the_end_of_a_mapping_are_two_pushes),
        cmocka_unit_test(a_push_of_nothing_mapped_has_no_words),
        cmocka_unit_test(a_push_that_is_not_words_leaves_a_note),
        cmocka_unit_test(a_submission_that_the_kernel_refuses_leaves_nothing),
        cmocka_unit_test(a_submission_to_a_channel_that_is_not_known_is_not_recorded),
        cmocka_unit_test(pages_that_have_changed_are_recorded_wherever_they_are),
        cmocka_unit_test(a_buffer_that_is_mapped_twice_is_recorded_once),
        cmocka_unit_test(earlier_work_is_waited_for_once),
        cmocka_unit_test(a_buffer_lives_as_long_as_it_is_mapped),
        cmocka_unit_test(a_buffer_that_is_closed_before_the_first_submission_is_recorded),
        cmocka_unit_test(a_closed_buffer_that_cannot_be_read_costs_one_submission),
        cmocka_unit_test(a_handle_that_comes_again_is_another_buffer),
        cmocka_unit_test(a_buffer_that_was_not_mapped_ends_with_its_handle),
        cmocka_unit_test(buffers_from_elsewhere_are_recorded_before_they_are_mapped),
        cmocka_unit_test(sparse_ranges_begin_and_end),
        cmocka_unit_test(what_does_not_fit_is_noted),
        cmocka_unit_test(what_a_submission_waits_for_and_signals_is_around_its_words),
        cmocka_unit_test(a_submission_without_words_is_recorded_if_it_signals),
        cmocka_unit_test(binds_of_a_queue_are_between_what_they_wait_for_and_signal),
        cmocka_unit_test(what_the_program_does_with_sync_objects_is_recorded),
        cmocka_unit_test(submissions_are_where_their_calls_began),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
