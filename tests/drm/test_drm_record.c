/* SPDX-License-Identifier: MIT */
/* What a recorder makes of ioctls. */
#include "drm/record_rig.h"

#include <nouveau/nvif/ioctl.h>

#include "face/drm/record/client.h"

static struct fake fake;

static void put(uint32_t handle, uint32_t offset, uint32_t word) {
    const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    memcpy(fake.memory[handle] + offset, bytes, sizeof bytes);
}

/* A channel, a buffer for commands that the program maps, and words in it. */
static void begin(void) {
    fake_open(&fake);
    fake_channel(&fake, 1);
    fake_buffer(&fake, 1, true);
    put(1, 8, 0x11223344);
    put(1, 12, 0x55667788);
}

/* ---- when ---- */

static void nothing_is_written_before_a_channel(void **state) {
    (void)state;
    fake_open(&fake);
    fake_buffer(&fake, 2, false);
    fake_buffer(&fake, 3, false);
    fake_gem_close(&fake, 2);
    assert_int_equal(fake.opens, 0);
    fake_channel(&fake, 1);
    assert_int_equal(fake.opens, 1);
    record_client_free(fake.client);
    fake.client = NULL;
    fake_expect(&fake, LINES("TEXT chipset=0xc0", "TEXT driver=nouveau 1.3.1", "BONEW 3", "CHAN 1 0 0"));
    assert_int_equal(fake_count(&fake, "BONEW"), 1);
    fake_close(&fake);
}

static void a_file_without_a_channel_leaves_no_capture(void **state) {
    (void)state;
    fake_open(&fake);
    fake_buffer(&fake, 2, true);
    fake_submit(&fake, 2, 0, NULL, 0);
    fake_close(&fake);
    assert_int_equal(fake.opens, 0);
    assert_int_equal(fake.bytes, 0);
}

static void what_was_submitted_is_in_the_file_at_once(void **state) {
    (void)state;
    begin();
    fake_submit(&fake, 1, 8, NULL, 0);
    fake_expect(&fake, LINES("SUBMIT 1 channel 1 suffix 20000", "PUSH 1+8 11223344 55667788", "SUBEND 1"));
    fake_close(&fake);
}

static void a_process_that_goes_elsewhere_writes_nothing_more(void **state) {
    (void)state;
    begin();
    fake_submit(&fake, 1, 8, NULL, 0);
    size_t bytes = fake.bytes;
    record_client_abandon(fake.client);
    fake.client = NULL;
    assert_int_equal(fake.bytes, bytes);
    assert_int_equal(fake.unmaps, 0);
    fake.unmaps = fake.maps;
    fake_close(&fake);
}

/* ---- channels and objects ---- */

static void objects_are_recorded_by_both_ways_to_make_them(void **state) {
    struct drm_nouveau_grobj_alloc grobj = {.channel = 1, .handle = 0xbeef0001, .class = 0x9097};
    struct nvif_ioctl_v0 header = {.type = NVIF_IOCTL_V0_NEW, .route = NVIF_IOCTL_V0_ROUTE_HIDDEN, .token = 1};
    const struct nvif_ioctl_new_v0 request = {.handle = 0x906e, .oclass = -7};
    uint8_t nvif[sizeof header + sizeof request];
    struct drm_nouveau_notifierobj_alloc notifier = {.channel = 1, .handle = 0xbeef0301, .size = 32, .offset = 64};
    struct drm_nouveau_channel_free end = {.channel = 1};
    const unsigned long nvif_number = DRM_IOWR(DRM_COMMAND_BASE + DRM_NOUVEAU_NVIF, nvif);

    (void)state;
    begin();
    memcpy(nvif, &header, sizeof header);
    memcpy(nvif + sizeof header, &request, sizeof request);
    fake_ioctl(&fake, NOUVEAU(DRM_NOUVEAU_GROBJ_ALLOC, struct drm_nouveau_grobj_alloc), &grobj, 0);
    fake_ioctl(&fake, nvif_number, nvif, 0);
    fake_ioctl(&fake, NOUVEAU(DRM_NOUVEAU_NOTIFIEROBJ_ALLOC, struct drm_nouveau_notifierobj_alloc), &notifier, 0);
    /* The device, and a request that is too short to be one of a channel. */
    header.route = NVIF_IOCTL_V0_ROUTE_NVIF;
    memcpy(nvif, &header, sizeof header);
    fake_ioctl(&fake, nvif_number, nvif, 0);
    header.route = NVIF_IOCTL_V0_ROUTE_HIDDEN;
    memcpy(nvif, &header, sizeof header);
    fake_ioctl(&fake, DRM_IOWR(DRM_COMMAND_BASE + DRM_NOUVEAU_NVIF, struct nvif_ioctl_v0), nvif, 0);
    fake_ioctl(&fake, nvif_number, nvif, -EINVAL);
    fake_ioctl(&fake, NOUVEAU(DRM_NOUVEAU_CHANNEL_FREE, struct drm_nouveau_channel_free), &end, 0);
    fake_submit(&fake, 1, 8, NULL, 0);
    fake_expect(&fake, LINES("OBJ beef0001 9097", "OBJ 906e fffffff9", "NTFY beef0301 64+32", "CHANFREE 1"));
    assert_int_equal(fake_count(&fake, "OBJ"), 2);
    fake_close(&fake);
}

static void the_notifier_buffer_comes_before_its_channel(void **state) {
    struct drm_nouveau_channel_alloc request = {
        .channel = 3, .notifier_handle = 5, .fb_ctxdma_handle = 0xbeef0201, .tt_ctxdma_handle = 0xbeef0202};

    (void)state;
    fake_open(&fake);
    fake.exists[5] = true;
    fake_ioctl(&fake, NOUVEAU(DRM_NOUVEAU_CHANNEL_ALLOC, struct drm_nouveau_channel_alloc), &request, 0);
    request.channel = 4;
    request.fb_ctxdma_handle = UINT32_MAX;
    request.tt_ctxdma_handle = 0x30;
    fake_ioctl(&fake, NOUVEAU(DRM_NOUVEAU_CHANNEL_ALLOC, struct drm_nouveau_channel_alloc), &request, 0);
    record_client_free(fake.client);
    fake.client = NULL;
    fake_expect(&fake,
                LINES("BONEW 5", "CHAN 3 beef0201 beef0202", "TEXT note=channel 4 is for engines 0x30", "CHAN 4 0 0"));
    fake_close(&fake);
}

static void other_drivers_are_left_alone(void **state) {
    struct drm_nouveau_channel_alloc request = {.channel = 3};

    (void)state;
    fake_open(&fake);
    /* Not of DRM at all. */
    fake_ioctl(&fake, _IOWR('x', DRM_COMMAND_BASE + DRM_NOUVEAU_CHANNEL_ALLOC, struct drm_nouveau_channel_alloc),
               &request, 0);
    assert_int_equal(fake.opens, 0);
    fake_close(&fake);
}

/* ---- pages ---- */

static void only_changed_pages_are_recorded(void **state) {
    (void)state;
    begin();
    fake_buffer(&fake, 2, true);
    put(2, 0, 1);
    put(2, PAGE, 2);
    put(2, 3 * PAGE, 3);
    fake_submit(&fake, 1, 8, (const uint32_t[]){2, 0}, 0);
    fake_submit(&fake, 1, 8, (const uint32_t[]){2, 0}, 0);
    put(2, 2 * PAGE, 4);
    fake_submit(&fake, 1, 8, (const uint32_t[]){2, 0}, 0);
    put(2, 2 * PAGE, 0);
    fake_submit(&fake, 1, 8, (const uint32_t[]){2, 0}, 0);
    fake_expect(&fake, LINES("SUBMIT 1 channel 1 suffix 20000", "BOREF 1", "BOREF 2", "BODATA 2+0 2",
                             "BODATA 2+12288 1", "SUBMIT 2 channel 1 suffix 20000", "BOREF 2",
                             "SUBMIT 3 channel 1 suffix 20000", "BODATA 2+8192 1", "SUBEND 3", "BODATA 2+8192 1"));
    assert_int_equal(fake_count(&fake, "BODATA"), 4);
    fake_close(&fake);
}

static void words_of_a_push_need_no_page(void **state) {
    struct fake_submission submission;

    (void)state;
    begin();
    fake_submit(&fake, 1, 8, NULL, 0);
    put(1, 8, 3);
    fake_submit(&fake, 1, 8, NULL, 0);
    put(1, 8, 4);
    put(1, 16, 5);
    fake_submit(&fake, 1, 8, NULL, 0);
    put(1, 8, 6);
    fake_fill(&submission, 1, 8, NULL);
    submission.pushes[0].length |= 1u << 23; /* not to be prefetched: a reader may not believe them */
    fake_begin(&fake, &submission);
    fake_end(&fake, &submission, 0);
    fake_expect(&fake, LINES("PUSH 1+8 11223344 55667788", "PUSH 1+8 00000003 55667788", "SUBEND 2", "BODATA 1+0 1",
                             "SUBEND 3", "BODATA 1+0 1", "SUBEND 4"));
    assert_int_equal(fake_count(&fake, "BODATA"), 2);
    fake_close(&fake);
}

static void a_capture_ends_before_it_is_larger_than_a_reader_takes(void **state) {
    (void)state;
    begin();
    fake_submit(&fake, 1, 8, NULL, 0);
    fake.client->queue.limit = fake.client->queue.bytes + 600;
    fake_submit(&fake, 1, 8, NULL, 0);
    put(1, 0, 1);
    fake_submit(&fake, 1, 8, NULL, 0);
    assert_non_null(strstr(fake.line, "1 GiB"));
    fake_submit(&fake, 1, 8, NULL, 0);
    fake_expect(&fake, LINES("SUBEND 1", "SUBEND 2", "TEXT truncated=a capture has 1 GiB at most"));
    assert_int_equal(fake_count(&fake, "SUBMIT"), 2);
    fake_close(&fake);
}

/* ---- what a reader makes of it ---- */

static struct { uint8_t memory[FAKE_BUFFERS][FAKE_PAGES * PAGE]; } reader;

static void apply(const struct pfifo_stream_record *record) {
    if (record->type == PFIFO_STREAM_BODATA)
        memcpy(reader.memory[record->bodata.handle] + record->bodata.offset, record->bodata.data, record->bodata.bytes);
    if (record->type == PFIFO_STREAM_PUSH && !record->push.no_prefetch)
        memcpy(reader.memory[record->push.handle] + record->push.offset, record->push.words,
               4 * (size_t)record->push.word_count);
}

/* As docs/capture-format.md has it, for a GPU that writes nothing. */
static void read_memory(void) {
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};
    struct pfifo_stream *stream = pfifo_stream_open_memory(fake.file, fake.bytes, "capture", NULL);
    assert_non_null(stream);
    memset(&reader, 0, sizeof reader);
    while (record.type != PFIFO_STREAM_END) {
        assert_int_equal(pfifo_stream_next(stream, &record, NULL), PFIFO_OK);
        apply(&record);
    }
    pfifo_stream_close(stream);
}

static uint32_t random_below(uint32_t *seed, uint32_t below) {
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) % below;
}

static void change_memory(uint32_t *seed) {
    for (uint32_t i = random_below(seed, 6); i > 0; i--)
        put(1 + random_below(seed, 3), 4 * random_below(seed, FAKE_PAGES * PAGE / 4), random_below(seed, 3));
    if (random_below(seed, 8) == 0)
        memset(fake.memory[1 + random_below(seed, 3)], 0, PAGE);
}

static void a_reader_has_the_memory_of_each_submission(void **state) {
    uint32_t seed = 1;

    (void)state;
    begin();
    fake_buffer(&fake, 2, true);
    fake_buffer(&fake, 3, true);
    for (unsigned round = 0; round < 200; round++) {
        change_memory(&seed);
        uint32_t offset = 4 * random_below(&seed, FAKE_PAGES * PAGE / 4 - 2);
        if (random_below(&seed, 2))
            put(1, offset, round);
        bool refused = random_below(&seed, 4) == 0;
        fake_submit(&fake, 1, offset, (const uint32_t[]){2, 3, 0}, refused ? -EINVAL : 0);
        read_memory();
        if (!refused)
            assert_memory_equal(reader.memory[1], fake.memory[1], 3 * sizeof fake.memory[1]);
    }
    fake_close(&fake);
}

static void buffers_that_the_program_cannot_write_are_not_read(void **state) {
    (void)state;
    begin();
    fake_buffer(&fake, 2, false);
    put(2, 0, 1);
    fake_submit(&fake, 1, 8, (const uint32_t[]){2, 0}, 0);
    fake_expect(&fake, LINES("BOREF 2", "SUBEND 1"));
    assert_int_equal(fake_count(&fake, "BODATA 2"), 0);
    assert_int_equal(fake.maps, 1);
    fake_close(&fake);
}

/* It may have been written by whoever made it. */
static void buffers_from_elsewhere_are_read(void **state) {
    struct drm_prime_handle request = {.handle = 6};

    (void)state;
    begin();
    fake.exists[6] = fake.exists[7] = true;
    put(6, 0, 1);
    put(7, PAGE, 1);
    fake_ioctl(&fake, DRM_IOCTL_PRIME_FD_TO_HANDLE, &request, 0);
    fake_submit(&fake, 1, 8, (const uint32_t[]){6, 7, 0}, 0); /* 7 was never seen before */
    fake_expect(&fake,
                LINES("BONEW 6", "BONEW 7", "SUBMIT 1 channel 1 suffix 20000", "BODATA 6+0 1", "BODATA 7+4096 1"));
    fake_close(&fake);
}

static void two_handles_of_a_buffer_are_one(void **state) {
    struct drm_gem_open request = {.handle = 3};

    (void)state;
    begin();
    fake_buffer(&fake, 2, true);
    fake.exists[3] = true;
    fake.same[3] = 2;
    put(2, 0, 1);
    fake_ioctl(&fake, DRM_IOCTL_GEM_OPEN, &request, 0);
    fake_submit(&fake, 1, 8, (const uint32_t[]){3, 0}, 0);
    fake_gem_close(&fake, 2);
    fake_submit(&fake, 1, 8, (const uint32_t[]){3, 0}, 0);
    fake_gem_close(&fake, 3);
    fake_submit(&fake, 1, 8, NULL, 0);
    fake_expect(&fake, LINES("BONEW 2", "BOREF 2", "BODATA 2+0 1", "SUBEND 1", "BOREF 2", "SUBEND 2", "BODEL 2"));
    assert_int_equal(fake_count(&fake, "BONEW"), 2);
    assert_int_equal(fake_count(&fake, "BODEL"), 1);
    fake_close(&fake);
}

static void a_handle_that_comes_again_is_another_buffer(void **state) {
    struct drm_mode_destroy_dumb destroy = {.handle = 2};

    (void)state;
    begin();
    fake_buffer(&fake, 2, true);
    put(2, 0, 1);
    fake_submit(&fake, 1, 8, (const uint32_t[]){2, 0}, 0);
    fake_ioctl(&fake, DRM_IOCTL_MODE_DESTROY_DUMB, &destroy, 0);
    fake_buffer(&fake, 2, true);
    fake_submit(&fake, 1, 8, (const uint32_t[]){2, 0}, 0);
    fake_buffer(&fake, 2, true); /* closed by a system call that nobody saw */
    fake_submit(&fake, 1, 8, (const uint32_t[]){2, 0}, 0);
    fake_expect(&fake, LINES("BONEW 2", "BODATA 2+0 1", "BODEL 2", "BONEW 2", "BODATA 2+0 1", "BODEL 2", "BONEW 2",
                             "BODATA 2+0 1"));
    fake_close(&fake);
}

static void what_the_gpu_writes_is_waited_for(void **state) {
    struct fake_submission submission;

    (void)state;
    begin();
    fake_buffer(&fake, 2, true);
    fake_fill(&submission, 1, 8, (const uint32_t[]){2, 0});
    submission.buffers[1].write_domains = GART;
    fake_begin(&fake, &submission);
    fake_end(&fake, &submission, 0);
    assert_int_equal(fake.settles, 0);
    fake_submit(&fake, 1, 8, (const uint32_t[]){2, 0}, 0);
    assert_int_equal(fake.settles, 1);
    fake_submit(&fake, 1, 8, (const uint32_t[]){2, 0}, 0);
    assert_int_equal(fake.settles, 1);
    fake_close(&fake);
}

/* ---- submissions that go wrong ---- */

static void a_refused_submission_leaves_nothing_but_its_pages_come_later(void **state) {
    (void)state;
    begin();
    fake_submit(&fake, 1, 8, NULL, -ENODEV);
    fake_submit(&fake, 1, 8, NULL, 0);
    fake_expect(&fake, LINES("SUBMIT 1 channel 1 suffix 20000", "BODATA 1+0 1", "SUBEND 1"));
    assert_int_equal(fake_count(&fake, "SUBMIT"), 1);
    /* Also a page that is all zeros now, and was not in the capture. */
    memset(fake.memory[1], 0, PAGE);
    fake_submit(&fake, 1, 8, NULL, -ENODEV);
    fake_submit(&fake, 1, 8, NULL, 0);
    fake_expect(&fake, LINES("SUBEND 1", "BODATA 1+0 1", "PUSH 1+8 00000000 00000000"));
    fake_close(&fake);
}

static void a_submission_that_cannot_be_recorded_leaves_a_note(void **state) {
    struct fake_submission submission;

    (void)state;
    begin();
    fake_fill(&submission, 1, FAKE_PAGES * PAGE - 4, NULL);
    fake_begin(&fake, &submission);
    fake_end(&fake, &submission, 0);
    fake_fill(&submission, 1, 8, NULL);
    submission.pushes[0].length = 6;
    fake_begin(&fake, &submission);
    fake_end(&fake, &submission, 0);
    fake_submit(&fake, 1, 8, NULL, 0);
    fake_expect(&fake, LINES("TEXT note=a submission is missing here: buffer 1 does not have the words",
                             "SUBMIT 1 channel 1 suffix 20000", "BODATA 1+0 1"));
    assert_int_equal(fake_count(&fake, "TEXT note"), 2);
    fake_close(&fake);
}

static void a_buffer_that_cannot_be_mapped_leaves_a_note(void **state) {
    (void)state;
    begin();
    fake.cannot_map = true;
    fake_submit(&fake, 1, 8, NULL, 0);
    record_client_free(fake.client);
    fake.client = NULL;
    fake_expect(&fake, LINES("TEXT note=a submission is missing here: buffer 1 cannot be read"));
    fake_close(&fake);
}

/* The kernel will refuse them; the recorder must not fall over them. */
static void hostile_submissions_are_passed_by(void **state) {
    struct fake_submission submission;
    static const struct {
        uint32_t pushes, buffers, relocs, handle, push_index, reloc_index;
    } cases[] = {{513, 1, 0, 1, 0, 0}, {1, 1025, 0, 1, 0, 0},       {1, 1, 1025, 1, 0, 0}, {1, 1, 0, 9, 0, 0},
                 {1, 1, 0, 1, 1, 0},   {1, 1, 0, 1, UINT32_MAX, 0}, {1, 1, 1, 1, 0, 1},    {1, 0, 0, 1, 0, 0},
                 {0, 1, 0, 1, 0, 0},   {1, 1, 0, UINT32_MAX, 0, 0}};

    (void)state;
    begin();
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        fake_fill(&submission, cases[i].handle, 8, NULL);
        submission.request.nr_push = cases[i].pushes;
        submission.request.nr_buffers = cases[i].buffers;
        submission.request.nr_relocs = cases[i].relocs;
        submission.pushes[0].bo_index = cases[i].push_index;
        submission.relocs[0].bo_index = submission.relocs[0].reloc_bo_index = cases[i].reloc_index;
        fake_begin(&fake, &submission);
        assert_null(submission.under_way);
        fake_end(&fake, &submission, -EINVAL);
    }
    fake_fill(&submission, 1, 8, NULL);
    fake_begin(&fake, &submission);
    fake_end(&fake, &submission, 0);
    /* Lists that are not there. */
    submission.request.push = 0;
    assert_null(record_before(fake.client, NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf),
                              (uint64_t)(uintptr_t)&submission.request));
    assert_null(record_before(fake.client, NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf), 0));
    record_after(fake.client, NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new), 0, 0, NULL);
    fake_read(&fake);
    assert_int_equal(fake_count(&fake, "SUBMIT"), 1);
    fake_close(&fake);
}

static void a_full_disk_ends_the_recording_and_nothing_else(void **state) {
    (void)state;
    begin();
    fake.room = fake.bytes;
    fake_submit(&fake, 1, 8, NULL, 0);
    assert_non_null(strstr(fake.line, "the recording ends here"));
    assert_non_null(strstr(fake.line, strerror(ENOSPC)));
    fake_submit(&fake, 1, 8, NULL, 0);
    fake_gem_close(&fake, 1);
    fake_close(&fake);
    fake_open(&fake);
    fake.no_file = true;
    fake_channel(&fake, 1);
    fake_channel(&fake, 2);
    assert_int_equal(fake.opens, 1);
    fake_close(&fake);
}

/* ---- order, and what the kernel changes ---- */

static void submissions_at_once_come_in_the_order_of_their_begin(void **state) {
    struct fake_submission first, second;

    (void)state;
    begin();
    fake_buffer(&fake, 2, true);
    fake_fill(&first, 1, 8, NULL);
    fake_fill(&second, 2, 0, NULL);
    fake_begin(&fake, &first);
    fake_begin(&fake, &second);
    fake_end(&fake, &second, 0);
    fake_gem_close(&fake, 2);
    fake_read(&fake);
    assert_int_equal(fake_count(&fake, "SUBMIT"), 0);
    fake_end(&fake, &first, 0);
    fake_submit(&fake, 1, 8, NULL, 0);
    fake_expect(&fake, LINES("SUBMIT 1 channel 1 suffix 20000", "BOREF 1", "SUBMIT 2 channel 1 suffix 20000", "BOREF 2",
                             "SUBEND 2", "BODEL 2", "SUBEND 3"));
    fake_close(&fake);
}

static void a_buffer_may_go_while_its_submission_is_under_way(void **state) {
    struct fake_submission submission;

    (void)state;
    begin();
    fake_buffer(&fake, 2, true);
    fake_fill(&submission, 1, 8, (const uint32_t[]){2, 0});
    fake_begin(&fake, &submission);
    fake_gem_close(&fake, 2);
    fake_buffer(&fake, 2, true);
    fake_end(&fake, &submission, -EINVAL);
    fake_submit(&fake, 1, 8, (const uint32_t[]){2, 0}, 0);
    fake_expect(&fake, LINES("BODEL 2", "BONEW 2", "SUBMIT 1 channel 1 suffix 20000"));
    fake_close(&fake);
}

static void relocations_that_the_kernel_applies_are_in_the_words(void **state) {
    struct fake_submission submission;

    (void)state;
    begin();
    fake_buffer(&fake, 2, false);
    fake_fill(&submission, 1, 8, (const uint32_t[]){2, 0});
    submission.request.nr_relocs = 2;
    submission.relocs[0] = (struct drm_nouveau_gem_pushbuf_reloc){
        .reloc_bo_offset = 8, .bo_index = 1, .flags = NOUVEAU_GEM_RELOC_LOW, .data = 0x10};
    submission.relocs[1] = (struct drm_nouveau_gem_pushbuf_reloc){
        .reloc_bo_offset = 12, .bo_index = 1, .flags = NOUVEAU_GEM_RELOC_OR, .data = 1, .vor = 0x100, .tor = 0x1000};
    fake_begin(&fake, &submission);
    submission.buffers[1].presumed.valid = 0;
    put(1, 8, 0x200010);
    put(1, 12, 0x1001);
    fake_end(&fake, &submission, 0);
    fake_submit(&fake, 1, 8, NULL, 0);
    fake_expect(&fake, LINES("PUSH 1+8 00200010 00001001", "SUBEND 1", "PUSH 1+8 00200010 00001001"));
    assert_int_equal(fake_count(&fake, "BODATA"), 0);
    assert_int_equal(fake_count(&fake, "TEXT note"), 0);
    fake_close(&fake);
}

static void a_buffer_that_has_moved_leaves_a_note(void **state) {
    struct fake_submission submission;

    (void)state;
    begin();
    fake_buffer(&fake, 2, false);
    fake_fill(&submission, 1, 8, (const uint32_t[]){2, 0});
    submission.request.nr_relocs = 1;
    submission.relocs[0] = (struct drm_nouveau_gem_pushbuf_reloc){
        .reloc_bo_offset = 8, .bo_index = 1, .flags = NOUVEAU_GEM_RELOC_HIGH, .data = 0x10};
    fake_begin(&fake, &submission);
    submission.buffers[1].presumed = (struct drm_nouveau_gem_pushbuf_bo_presumed){.domain = VRAM, .offset = 1ull << 32};
    fake_end(&fake, &submission, 0);
    fake_submit(&fake, 1, 8, NULL, 0);
    fake_expect(&fake,
                LINES("PUSH 1+8 00000001 55667788", "TEXT note=buffer 2 has moved; the capture has it where it was"));
    fake_close(&fake);
}

/* ---- the rest ---- */

static void waits_and_flips_are_recorded(void **state) {
    struct drm_nouveau_gem_cpu_prep prep = {.handle = 1, .flags = NOUVEAU_GEM_CPU_PREP_WRITE};
    struct drm_mode_crtc crtc = {.fb_id = 40, .mode_valid = 1};
    struct drm_mode_crtc_page_flip flip = {.fb_id = 41};

    (void)state;
    begin();
    fake_ioctl(&fake, DRM_IOCTL_MODE_SETCRTC, &crtc, 0);
    fake_submit(&fake, 1, 8, NULL, 0);
    fake_ioctl(&fake, NOUVEAU(DRM_NOUVEAU_GEM_CPU_PREP, struct drm_nouveau_gem_cpu_prep), &prep, -EBUSY);
    fake_ioctl(&fake, NOUVEAU(DRM_NOUVEAU_GEM_CPU_PREP, struct drm_nouveau_gem_cpu_prep), &prep, 0);
    fake_ioctl(&fake, DRM_IOCTL_MODE_PAGE_FLIP, &flip, 0);
    crtc.fb_id = 0;
    fake_ioctl(&fake, DRM_IOCTL_MODE_SETCRTC, &crtc, 0);
    fake_submit(&fake, 1, 8, NULL, 0);
    fake_expect(&fake, LINES("TEXT flip=40 submit=0", "SUBEND 1", "PREP 1", "TEXT flip=41 submit=1", "SUBEND 2"));
    assert_int_equal(fake_count(&fake, "PREP"), 1);
    assert_int_equal(fake_count(&fake, "TEXT flip"), 2);
    fake_close(&fake);
}

/* The property of a plane that has the frame has any number; only its name is known. */
static void atomic_commits_that_show_a_frame_are_named(void **state) {
    const uint32_t counts[] = {2, 1}, properties[] = {FAKE_FB_ID + 1, FAKE_FB_ID, FAKE_FB_ID + 1};
    const uint64_t values[] = {30, 40, 50};
    struct drm_mode_atomic commit = {.count_objs = 2,
                                     .count_props_ptr = (uint64_t)(uintptr_t)counts,
                                     .props_ptr = (uint64_t)(uintptr_t)properties,
                                     .prop_values_ptr = (uint64_t)(uintptr_t)values,
                                     .flags = DRM_MODE_ATOMIC_TEST_ONLY};
    (void)state;
    begin();
    fake_submit(&fake, 1, 8, NULL, 0);
    fake_ioctl(&fake, DRM_IOCTL_MODE_ATOMIC, &commit, 0);
    commit.flags = DRM_MODE_ATOMIC_NONBLOCK;
    fake_ioctl(&fake, DRM_IOCTL_MODE_ATOMIC, &commit, -EBUSY);
    fake_ioctl(&fake, DRM_IOCTL_MODE_ATOMIC, &commit, 0);
    fake_submit(&fake, 1, 8, NULL, 0);
    fake_expect(&fake, LINES("SUBEND 1", "TEXT flip=40 submit=1", "SUBEND 2"));
    assert_int_equal(fake_count(&fake, "TEXT flip"), 1);
    fake_close(&fake);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_written_before_a_channel),
        cmocka_unit_test(a_file_without_a_channel_leaves_no_capture),
        cmocka_unit_test(what_was_submitted_is_in_the_file_at_once),
        cmocka_unit_test(a_process_that_goes_elsewhere_writes_nothing_more),
        cmocka_unit_test(objects_are_recorded_by_both_ways_to_make_them),
        cmocka_unit_test(the_notifier_buffer_comes_before_its_channel),
        cmocka_unit_test(other_drivers_are_left_alone),
        cmocka_unit_test(only_changed_pages_are_recorded),
        cmocka_unit_test(words_of_a_push_need_no_page),
        cmocka_unit_test(a_capture_ends_before_it_is_larger_than_a_reader_takes),
        cmocka_unit_test(a_reader_has_the_memory_of_each_submission),
        cmocka_unit_test(buffers_that_the_program_cannot_write_are_not_read),
        cmocka_unit_test(buffers_from_elsewhere_are_read),
        cmocka_unit_test(two_handles_of_a_buffer_are_one),
        cmocka_unit_test(a_handle_that_comes_again_is_another_buffer),
        cmocka_unit_test(what_the_gpu_writes_is_waited_for),
        cmocka_unit_test(a_refused_submission_leaves_nothing_but_its_pages_come_later),
        cmocka_unit_test(a_submission_that_cannot_be_recorded_leaves_a_note),
        cmocka_unit_test(a_buffer_that_cannot_be_mapped_leaves_a_note),
        cmocka_unit_test(hostile_submissions_are_passed_by),
        cmocka_unit_test(a_full_disk_ends_the_recording_and_nothing_else),
        cmocka_unit_test(submissions_at_once_come_in_the_order_of_their_begin),
        cmocka_unit_test(a_buffer_may_go_while_its_submission_is_under_way),
        cmocka_unit_test(relocations_that_the_kernel_applies_are_in_the_words),
        cmocka_unit_test(a_buffer_that_has_moved_leaves_a_note),
        cmocka_unit_test(waits_and_flips_are_recorded),
        cmocka_unit_test(atomic_commits_that_show_a_frame_are_named),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
