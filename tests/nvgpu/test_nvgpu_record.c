/* SPDX-License-Identifier: MIT */
/*
 * Recordings: what a program submits becomes a capture, and its replay leaves the same bytes in each buffer when it is
 * freed, the same value in each syncpoint, and has given the engines the same methods.
 */
#include "nvgpu/console.h"

#include <pfifo/stream.h>
#include <pfifo/trace.h>

#include <pfifo/replay.h>

#include "nvgpu/channel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 64u /* buffers of a program */
#define BIG  0x10000u

struct content {
    uint32_t id; /* of a buffer; 0: free */
    size_t bytes;
    uint8_t *data;
};

struct outcome {
    struct content content[MOST];
    uint32_t syncpoint[256];
    char digest[512];
};

static void outcome_add(struct outcome *outcome, uint32_t id, struct pfifo_buffer *buffer) {
    for (unsigned i = 0; i < MOST; i++) {
        struct content *content = &outcome->content[i];
        if (content->id)
            continue;
        *content = (struct content){id, pfifo_buffer_bytes(buffer), malloc(pfifo_buffer_bytes(buffer))};
        assert_true(content->data && pfifo_buffer_read(buffer, 0, content->data, content->bytes));
        return;
    }
    fail_msg("too many buffers");
}

static void outcome_syncpoints(struct outcome *outcome, struct pfifo_gpu *gpu) {
    for (uint32_t i = 0; i < pfifo_gpu_syncpoint_count(gpu); i++)
        outcome->syncpoint[i] = pfifo_gpu_syncpoint(gpu, i);
}

static void outcome_free(struct outcome *outcome) {
    for (unsigned i = 0; i < MOST; i++)
        free(outcome->content[i].data);
}

static void expect_same(const struct outcome *live, const struct outcome *replayed) {
    assert_memory_equal(live->syncpoint, replayed->syncpoint, sizeof live->syncpoint);
    assert_string_equal(live->digest, replayed->digest);
    for (unsigned i = 0; i < MOST; i++) {
        const struct content *one = &live->content[i], *other = NULL;
        for (unsigned k = 0; one->id && k < MOST; k++)
            if (replayed->content[k].id == one->id)
                other = &replayed->content[k];
        if (!one->id)
            continue;
        assert_non_null(other);
        assert_int_equal(one->bytes, other->bytes);
        for (size_t at = 0; at < one->bytes; at += 4)
            if (memcmp(one->data + at, other->data + at, 4) != 0)
                fail_msg("buffer %u differs at 0x%zx: %02x%02x, not %02x%02x", (unsigned)one->id, at,
                         other->data[at + 1], other->data[at], one->data[at + 1], one->data[at]);
    }
}

/* ---- a program that is recorded ---- */

typedef void program_type(struct console *console);

struct recording {
    struct pfifo_stream_writer *writer;
    struct outcome outcome;
};

static struct pfifo_digest *digest_of(struct pfifo_gpu *gpu) {
    struct pfifo_digest *digest = pfifo_digest_new(NULL);
    assert_true(digest && pfifo_digest_attach(digest, gpu, NULL) == PFIFO_OK);
    return digest;
}

static void record(program_type *program, struct recording *recording) {
    struct console console;
    struct pfifo_error error = {0};
    struct pfifo_nvgpu_config config = {.size = sizeof config};
    struct pfifo_nvgpu *nvgpu = pfifo_nvgpu_new(&config, &error);
    assert_non_null(nvgpu);
    struct pfifo_gpu *gpu = pfifo_device_gpu(pfifo_nvgpu_device(nvgpu));
    struct pfifo_digest *digest = digest_of(gpu);
    memset(recording, 0, sizeof *recording);
    recording->writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    assert_int_equal(pfifo_nvgpu_record(nvgpu, recording->writer, &error), PFIFO_OK);
    console_join(&console, nvgpu);
    program(&console);
    for (uint32_t i = 0; i < nvgpu->object_count; i++)
        if (nvgpu->objects[i] && nvgpu->objects[i]->buffer && nvgpu->objects[i]->mappings)
            outcome_add(&recording->outcome, pfifo_buffer_id(nvgpu->objects[i]->buffer), nvgpu->objects[i]->buffer);
    pfifo_nvgpu_client_free(console.client);
    outcome_syncpoints(&recording->outcome, gpu);
    pfifo_digest_format(digest, "test", recording->outcome.digest, sizeof recording->outcome.digest);
    pfifo_digest_free(digest);
    if (pfifo_nvgpu_record_end(nvgpu, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    assert_int_equal(pfifo_stream_writer_finish(recording->writer, NULL), PFIFO_OK);
    pfifo_nvgpu_free(nvgpu);
    console_forget(&console);
}

static struct pfifo_stream *stream_of(const struct recording *recording) {
    size_t bytes;
    const void *data = pfifo_stream_writer_memory(recording->writer, &bytes);
    struct pfifo_stream *stream = pfifo_stream_open_memory(data, bytes, "test", NULL);
    assert_non_null(stream);
    return stream;
}

static void drop(struct recording *recording) {
    pfifo_stream_writer_close(recording->writer);
    outcome_free(&recording->outcome);
}

/* How many records of a type there are; and all their bytes of data, of a WRITE. */
static unsigned count_records(const struct recording *recording, enum pfifo_stream_type type, uint64_t *bytes) {
    struct pfifo_stream *stream = stream_of(recording);
    struct pfifo_stream_record what;
    unsigned count = 0;
    uint64_t written = 0;
    while (pfifo_stream_next(stream, &what, NULL) == PFIFO_OK && what.type != PFIFO_STREAM_END) {
        count += what.type == type;
        written += what.type == PFIFO_STREAM_WRITE ? what.write.bytes : 0;
    }
    if (bytes)
        *bytes = written;
    pfifo_stream_close(stream);
    return count;
}

static void buffer_gone(void *opaque, uint32_t handle, struct pfifo_buffer *buffer) {
    outcome_add(opaque, handle, buffer);
}

static void replay(const struct recording *recording, struct outcome *outcome) {
    struct pfifo_stream *stream = stream_of(recording);
    struct pfifo_error error = {0};
    const struct pfifo_replay_config config = {.size = sizeof config, .buffer_gone = buffer_gone, .opaque = outcome};
    struct pfifo_replay *replay = pfifo_replay_new(stream, &config, &error);
    assert_non_null(replay);
    struct pfifo_digest *digest = digest_of(pfifo_replay_gpu(replay));
    memset(outcome, 0, sizeof *outcome);
    for (bool more = true; more;)
        if (pfifo_replay_next(replay, &more, &error) != PFIFO_OK)
            fail_msg("%s", error.message);
    outcome_syncpoints(outcome, pfifo_replay_gpu(replay));
    pfifo_digest_format(digest, "test", outcome->digest, sizeof outcome->digest);
    pfifo_digest_free(digest);
    pfifo_replay_free(replay);
    pfifo_stream_close(stream);
}

/* Record, replay, compare. */
static void expect_replay(program_type *program, struct recording *recording) {
    struct outcome replayed;
    record(program, recording);
    replay(recording, &replayed);
    expect_same(&recording->outcome, &replayed);
    outcome_free(&replayed);
}

/* ---- programs ---- */

#define HIGH(address) (uint32_t)((address) >> 32)
#define LOW(address)  (uint32_t)(address)
/* The copy engine is on subchannel 4, as in libnx: bound, a copy of `bytes` bytes. */
#define BIND_COPY 0x20018000u, 0xb0b5u
#define COPY(from, to, bytes)                                                                                          \
    0x20088100u, HIGH(from), LOW(from), HIGH(to), LOW(to), (bytes), (bytes), (bytes), 1u, 0x200180c0u, 0x186u

static void write_between_submissions(struct console *console) {
    uint64_t from = console_buffer(console, 0, 0x3000, NULL), to = console_buffer(console, 0x10000, 0x3000, NULL);
    console_wr32(console, 0x10, 0x1111);
    console_submit(console, console->channel, CONSOLE_WORDS(BIND_COPY, COPY(from, to, 0x2000u)));
    assert_int_equal(console_rd32(console, 0x10010), 0x1111);
    console_wr32(console, 0x10, 0x2222);   /* over what the GPU has read */
    console_wr32(console, 0x10010, 0);     /* and over what it has written */
    console_wr32(console, 0x12ffc, 0x333); /* where it never was */
    console_submit(console, console->channel, CONSOLE_WORDS(COPY(from, to + 0x800, 0x1000u)));
}

static void what_a_program_writes_between_submissions_is_replayed(void **state) {
    struct recording recording;
    uint64_t bytes;
    (void)state;
    expect_replay(write_between_submissions, &recording);
    assert_int_equal(count_records(&recording, PFIFO_STREAM_SUBMIT, NULL), 2);
    /* One before the first run, two pages' words before the second; the words of lists are in their PUSHes. */
    assert_int_equal(count_records(&recording, PFIFO_STREAM_WRITE, &bytes), 4);
    assert_true(bytes <= 4 * 4);
    drop(&recording);
}

static void wait_for_each_other(struct console *console) {
    struct pfifo_nvhost_fence fence, other;
    int32_t second = console_channel(console, &other);
    uint64_t buffer = console_buffer(console, 0, 0x1000, NULL), entry;
    console_wr32(console, 0, 0x600d);
    for (uint32_t step = 0; step < 8; step += 2) {
        const uint32_t later[] = {BIND_COPY, COPY(buffer + 4 * step + 4, buffer + 4 * step + 8, 4u)};
        const uint32_t first[] = {BIND_COPY, COPY(buffer + 4 * step, buffer + 4 * step + 4, 4u)};
        const uint32_t words = sizeof first / 4;
        fence = (struct pfifo_nvhost_fence){console->fence.syncpoint, console->fence.value + step + 2};
        entry = console_list(console, later, words);
        assert_ok(pfifo_nvhost_gpu_submit(console->client, second, &entry, 1, 7, &fence));
        other = fence;
        fence.value -= step;
        entry = console_list(console, first, words);
        fence = (struct pfifo_nvhost_fence){other.syncpoint, other.value - 2};
        assert_ok(pfifo_nvhost_gpu_submit(console->client, console->channel, &entry, 1, 7, &fence));
    }
    assert_int_equal(console_rd32(console, 32), 0x600d);
}

static void channels_that_wait_for_each_other_are_replayed(void **state) {
    struct recording recording;
    (void)state;
    expect_replay(wait_for_each_other, &recording);
    assert_int_equal(count_records(&recording, PFIFO_STREAM_WAIT, NULL), 8);
    assert_int_equal(count_records(&recording, PFIFO_STREAM_FENCE, NULL), 8);
    drop(&recording);
}

static uint64_t map_again(struct console *console, uint32_t handle, uint64_t offset, uint32_t kind) {
    struct pfifo_nvhost_as_map map = {.handle = handle, .offset = offset, .kind = kind, .page_bytes = 0x1000};
    assert_ok(pfifo_nvhost_as_map_buffer(console->client, console->as, &map));
    return map.address;
}

static void three_addresses(struct console *console) {
    uint32_t handle;
    uint64_t one = console_buffer(console, 0, 0x4000, &handle);
    uint64_t two = map_again(console, handle, 0, 0), three = map_again(console, handle, 0x1000, 0);
    console_wr32(console, 0, 7);
    console_submit(console, console->channel,
                   CONSOLE_WORDS(BIND_COPY, COPY(one, two + 0x1000, 4u), COPY(three, one + 0x2000, 4u)));
    assert_int_equal(console_rd32(console, 0x2000), 7);
}

static void one_memory_at_three_addresses_is_one_buffer(void **state) {
    struct recording recording;
    (void)state;
    expect_replay(three_addresses, &recording);
    assert_int_equal(count_records(&recording, PFIFO_STREAM_BONEW, NULL), 3); /* and lists, and the driver's commands */
    drop(&recording);
}

static void change_mappings(struct console *console) {
    uint32_t handle;
    uint64_t buffer = console_buffer(console, 0, 4 * BIG, &handle), sparse = 0;
    struct pfifo_nvgpu_client *client = console->client;
    console_wr32(console, BIG, 0x51);
    assert_ok(pfifo_nvhost_as_alloc_space(client, console->as, 16, BIG, 2, &sparse));
    struct pfifo_nvhost_as_remap remap = {.handle = handle, .offset = 1, .pages = 3};
    remap.address = (uint32_t)(sparse / BIG) + 2;
    assert_ok(pfifo_nvhost_as_remap_pages(client, console->as, &remap, 1));
    console_submit(
        console, console->channel,
        CONSOLE_WORDS(BIND_COPY, COPY(sparse + 2 * BIG, buffer + 0x100, 4u), COPY(sparse, buffer + BIG, 4u)));
    assert_int_equal(console_rd32(console, 0x100), 0x51);
    assert_int_equal(console_rd32(console, BIG), 0);
    /* The middle becomes sparse again, and then all goes. */
    remap = (struct pfifo_nvhost_as_remap){.address = remap.address + 1, .pages = 1};
    assert_ok(pfifo_nvhost_as_remap_pages(client, console->as, &remap, 1));
    struct pfifo_nvhost_as_map other = {
        .flags = PFIFO_NVHOST_AS_MAP_MODIFY, .kind = 0xfe, .address = buffer, .offset = BIG, .bytes = BIG};
    assert_ok(pfifo_nvhost_as_map_buffer(client, console->as, &other));
    console_submit(console, console->channel, CONSOLE_WORDS(COPY(sparse + 4 * BIG, buffer + BIG + 8, 64u)));
    assert_ok(pfifo_nvhost_as_free_space(client, console->as, sparse, 16, BIG));
}

static void sparse_spaces_and_kinds_are_replayed(void **state) {
    struct recording recording;
    (void)state;
    expect_replay(change_mappings, &recording);
    assert_int_equal(count_records(&recording, PFIFO_STREAM_SPARSE, NULL), 2);
    struct pfifo_stream *stream = stream_of(&recording);
    struct pfifo_stream_record what;
    unsigned other_kind = 0;
    while (pfifo_stream_next(stream, &what, NULL) == PFIFO_OK && what.type != PFIFO_STREAM_END)
        other_kind += what.type == PFIFO_STREAM_MAP && what.map.kind == 0xfe && what.map.offset == BIG;
    assert_int_equal(other_kind, 1);
    pfifo_stream_close(stream);
    drop(&recording);
}

static void fault_and_release(struct console *console) {
    struct pfifo_nvhost_fence fence;
    int32_t second = console_channel(console, &fence);
    uint64_t buffer = console_buffer(console, 0, 0x1000, NULL), entry;
    struct pfifo_nvhost_fence wait = {console->fence.syncpoint, console->fence.value + 2};
    entry = console_list(console, CONSOLE_WORDS(CONSOLE_RELEASE(buffer, 5u)));
    assert_ok(pfifo_nvhost_gpu_submit(console->client, second, &entry, 1, 7, &wait));
    assert_int_equal(console_rd32(console, 0), 0);
    /* Nothing is mapped there: the channel ends, and the other one goes on. */
    console_submit(console, console->channel, CONSOLE_WORDS(BIND_COPY, COPY(buffer + 0x10000000, buffer, 4u)));
    assert_int_equal(console_rd32(console, 0), 5);
}

static void a_channel_that_ends_by_an_error_releases_others_in_the_replay_too(void **state) {
    struct recording recording;
    (void)state;
    expect_replay(fault_and_release, &recording);
    drop(&recording);
}

static void segment_without_memory(struct console *console) {
    uint64_t entry = pfifo_nvhost_gpu_entry(UINT64_C(0x1230000000), 8, 0);
    struct pfifo_nvhost_fence fence = {0};
    assert_ok(pfifo_nvhost_gpu_submit(console->client, console->channel, &entry, 1, 6, &fence));
}

static void a_list_where_nothing_is_mapped_is_a_push_without_a_buffer(void **state) {
    struct recording recording;
    (void)state;
    expect_replay(segment_without_memory, &recording);
    assert_int_equal(count_records(&recording, PFIFO_STREAM_PUSH, NULL), 2);
    drop(&recording);
}

/* Two pieces of memory at addresses that follow each other, and a list that begins in one and ends in the other. */
static void list_over_a_border(struct console *console) {
    struct pfifo_nvgpu_client *client = console->client;
    uint64_t buffer = console_buffer(console, 0, 0x1000, NULL), space = UINT64_C(0x20000000);
    /* Without the time: two entries take the machine a unit longer than one. */
    const uint32_t words[] = {0x20040004, HIGH(buffer), LOW(buffer), 0x99, 0x1000002};
    assert_ok(pfifo_nvhost_as_alloc_space(client, console->as, 2, 0x1000, PFIFO_NVHOST_AS_FIXED, &space));
    for (uint32_t i = 0; i < 2; i++) {
        struct pfifo_nvhost_as_map map = {.flags = PFIFO_NVHOST_AS_MAP_FIXED, .page_bytes = 0x1000};
        map.address = space + 0x1000 * i;
        assert_ok(pfifo_nvmap_create(client, console->nvmap, 0x1000, &map.handle));
        assert_ok(pfifo_nvmap_alloc(client, console->nvmap, map.handle, 0x1000, 0, false,
                                    CONSOLE_BASE + 0x20000 + 0x2000 * (uint64_t)i));
        assert_ok(pfifo_nvhost_as_map_buffer(client, console->as, &map));
    }
    for (uint32_t i = 0; i < 5; i++)
        console_wr32(console, i < 2 ? 0x20ff8 + 4 * i : 0x22000 + 4 * (i - 2), words[i]);
    uint64_t entry = pfifo_nvhost_gpu_entry(space + 0xff8, 5, 0x80000000);
    struct pfifo_nvhost_fence fence = {0};
    assert_ok(pfifo_nvhost_gpu_submit(client, console->channel, &entry, 1, 6, &fence));
    assert_int_equal(console_rd32(console, 0), 0x99);
}

static void a_list_over_two_mappings_is_two_pushes_as_it_was_submitted(void **state) {
    struct recording recording;
    struct pfifo_stream_record what;
    unsigned unprefetched = 0;
    (void)state;
    expect_replay(list_over_a_border, &recording);
    assert_int_equal(count_records(&recording, PFIFO_STREAM_PUSH, NULL), 3); /* and the driver's increments */
    struct pfifo_stream *stream = stream_of(&recording);
    while (pfifo_stream_next(stream, &what, NULL) == PFIFO_OK && what.type != PFIFO_STREAM_END)
        unprefetched += what.type == PFIFO_STREAM_PUSH && what.push.no_prefetch;
    assert_int_equal(unprefetched, 2);
    pfifo_stream_close(stream);
    drop(&recording);
}

static void host_releases(struct console *console) {
    uint64_t buffer = console_buffer(console, 0, 0x1000, NULL), entry;
    struct pfifo_nvhost_fence wait = {40, 2};
    entry = console_list(console, CONSOLE_WORDS(CONSOLE_RELEASE(buffer, 6u)));
    assert_ok(pfifo_nvhost_gpu_submit(console->client, console->channel, &entry, 1, 7, &wait));
    assert_ok(pfifo_nvhost_ctrl_increment(console->client, console->control, 40));
    assert_int_equal(console_rd32(console, 0), 0);
    assert_ok(pfifo_nvhost_ctrl_increment(console->client, console->control, 40));
    assert_int_equal(console_rd32(console, 0), 6);
}

static void increments_of_the_host_are_replayed(void **state) {
    struct recording recording;
    (void)state;
    expect_replay(host_releases, &recording);
    assert_int_equal(count_records(&recording, PFIFO_STREAM_SYNCPT, NULL), 3); /* and the end of the channel */
    drop(&recording);
}

static void words_change_later(struct console *console) {
    uint64_t buffer = console_buffer(console, 0, 0x1000, NULL);
    console_submit(console, console->channel, CONSOLE_WORDS(CONSOLE_ACQUIRE(buffer, 1u)));
    uint32_t list = CONSOLE_LISTS + console->next;
    console_submit(console, console->channel, CONSOLE_WORDS(CONSOLE_RELEASE(buffer + 16, 7u)));
    console_wr32(console, list + 12, 8); /* what will be released */
    console_wr32(console, 0, 1);
    pfifo_nvgpu_run(console->nvgpu, 1000000);
    assert_int_equal(console_rd32(console, 16), 8);
}

static void words_that_change_behind_their_submission_are_replayed(void **state) {
    struct recording recording;
    (void)state;
    expect_replay(words_change_later, &recording);
    drop(&recording);
}

/* ---- the recording itself ---- */

static void two_recordings_of_the_same_are_the_same_bytes(void **state) {
    struct recording one, other;
    size_t bytes, same;
    (void)state;
    record(wait_for_each_other, &one);
    record(wait_for_each_other, &other);
    const void *data = pfifo_stream_writer_memory(one.writer, &bytes);
    const void *again = pfifo_stream_writer_memory(other.writer, &same);
    assert_int_equal(bytes, same);
    assert_memory_equal(data, again, bytes);
    drop(&one);
    drop(&other);
}

static void a_recording_begins_before_address_spaces_and_only_once(void **state) {
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    struct pfifo_nvgpu_config config = {.size = sizeof config};
    struct pfifo_nvgpu *nvgpu = pfifo_nvgpu_new(&config, NULL);
    struct pfifo_error error = {0};
    struct console console;
    (void)state;
    assert_int_equal(pfifo_nvgpu_record_end(nvgpu, &error), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_nvgpu_record(nvgpu, NULL, &error), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_nvgpu_record(nvgpu, writer, &error), PFIFO_OK);
    assert_int_equal(pfifo_nvgpu_record(nvgpu, writer, &error), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_nvgpu_load(nvgpu, "x", 1, &error), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(pfifo_nvgpu_record_text(nvgpu, "note", "a note", &error), PFIFO_OK);
    assert_int_equal(pfifo_nvgpu_record_end(nvgpu, &error), PFIFO_OK);
    console_join(&console, nvgpu);
    assert_int_equal(pfifo_nvgpu_record(nvgpu, writer, &error), PFIFO_ERROR_ARGUMENT);
    assert_non_null(strstr(error.message, "before the first address space"));
    console_stop(&console);
    pfifo_nvgpu_free(nvgpu);
    pfifo_stream_writer_close(writer);
}

static bool refuse_later(void *opaque, const void *data, size_t bytes) {
    size_t *left = opaque;
    (void)data;
    if (bytes > *left)
        return false;
    *left -= bytes;
    return true;
}

static void a_writer_that_fails_ends_the_recording_and_not_the_program(void **state) {
    size_t left = 700;
    struct pfifo_stream_writer *writer = pfifo_stream_writer_open_sink(refuse_later, &left, PFIFO_STREAM_PLAIN, NULL);
    struct pfifo_nvgpu_config config = {.size = sizeof config};
    struct pfifo_nvgpu *nvgpu = pfifo_nvgpu_new(&config, NULL);
    struct pfifo_error error = {0};
    struct console console;
    (void)state;
    assert_int_equal(pfifo_nvgpu_record(nvgpu, writer, NULL), PFIFO_OK);
    console_join(&console, nvgpu);
    write_between_submissions(&console);
    assert_int_equal(console_rd32(&console, 0x10810), 0x2222);
    console_stop(&console);
    assert_int_equal(pfifo_nvgpu_record_end(nvgpu, &error), PFIFO_ERROR_IO);
    pfifo_nvgpu_free(nvgpu);
    pfifo_stream_writer_close(writer);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_program_writes_between_submissions_is_replayed),
        cmocka_unit_test(channels_that_wait_for_each_other_are_replayed),
        cmocka_unit_test(one_memory_at_three_addresses_is_one_buffer),
        cmocka_unit_test(sparse_spaces_and_kinds_are_replayed),
        cmocka_unit_test(a_channel_that_ends_by_an_error_releases_others_in_the_replay_too),
        cmocka_unit_test(a_list_where_nothing_is_mapped_is_a_push_without_a_buffer),
        cmocka_unit_test(a_list_over_two_mappings_is_two_pushes_as_it_was_submitted),
        cmocka_unit_test(increments_of_the_host_are_replayed),
        cmocka_unit_test(words_that_change_behind_their_submission_are_replayed),
        cmocka_unit_test(two_recordings_of_the_same_are_the_same_bytes),
        cmocka_unit_test(a_recording_begins_before_address_spaces_and_only_once),
        cmocka_unit_test(a_writer_that_fails_ends_the_recording_and_not_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
