/* SPDX-License-Identifier: MIT */
/*
 * The captures of a GM20B, whose commands are Mesa's, through the calls of a Tegra: buffers are objects of nvmap at the
 * addresses of the recording, segments are entries of KICKOFF_PB. What the engines get, and what is in each buffer when
 * it is freed, is the same as through the layer below.
 */
#include "nvgpu/console.h"

#include <pfifo/stream.h>
#include <pfifo/trace.h>

#include <pfifo/replay.h>

#include "digest/digest.h"
#include "nvgpu/channel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PREFIX      "nv12b-"
#define CAPTURES    11u
#define FIRST       UINT64_C(0x100000000) /* of Mesa's addresses */
#define SPACE_PAGES 0x20000u
#define PAGE        4096u
#define PATIENCE    1000u
#define MOST        256u /* buffers at a time */
#define ENTRY_SYNC  0x80000000u
#define OBJECT_NONE 0u
/* Has words that the GPU writes, which the recording does not know: its hash is that of the layer below. */
#define WRITES_WORDS "nv12b-piglit-arb_query_buffer_object-qbo"

/* ---- what is left in buffers ---- */

/* Of all contents of buffers when they were freed, in any order. */
struct contents {
    uint8_t all[SHA256_BYTES];
    unsigned count;
};

static void contents_add(struct contents *contents, uint32_t handle, const void *data, size_t bytes) {
    struct sha256 sha;
    uint8_t one[SHA256_BYTES];
    sha256_init(&sha);
    sha256_update(&sha, &handle, sizeof handle);
    sha256_update(&sha, data, bytes);
    sha256_final(&sha, one);
    for (unsigned i = 0; i < SHA256_BYTES; i++)
        contents->all[i] ^= one[i];
    contents->count++;
}

static void buffer_gone(void *opaque, uint32_t handle, struct pfifo_buffer *buffer) {
    size_t bytes = pfifo_buffer_bytes(buffer);
    void *data = malloc(bytes);
    assert_true(data && pfifo_buffer_read(buffer, 0, data, bytes));
    contents_add(opaque, handle, data, bytes);
    free(data);
}

static struct pfifo_stream *open_capture(const char *name) {
    char path[1000];
    struct pfifo_error error = {0};
    const char *samples = getenv("PFIFO_SAMPLES");
    snprintf(path, sizeof path, "%s/captures/%s.nvcap.xz", samples ? samples : "samples", name);
    struct pfifo_stream *stream = pfifo_stream_open(path, &error);
    if (!stream)
        fail_msg("%s", error.message);
    return stream;
}

/* As `pfifo run` does it. */
static void play_below(const char *name, struct contents *contents, char *line, size_t size) {
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = open_capture(name);
    const struct pfifo_replay_config config = {.size = sizeof config, .buffer_gone = buffer_gone, .opaque = contents};
    struct pfifo_replay *replay = pfifo_replay_new(stream, &config, &error);
    assert_non_null(replay);
    struct pfifo_digest *digest = pfifo_digest_new(&error);
    assert_true(digest && pfifo_digest_attach(digest, pfifo_replay_gpu(replay), &error) == PFIFO_OK);
    const struct pfifo_replay_result *result = pfifo_replay_result(replay);
    uint64_t submissions = 0, words = 0;
    for (bool more = true; more; submissions = result->submissions, words = result->words) {
        if (pfifo_replay_next(replay, &more, &error) != PFIFO_OK)
            fail_msg("%s", error.message);
        if (result->submissions > submissions)
            pfifo_digest_submission(digest, result->words - words);
    }
    pfifo_digest_format(digest, name, line, size);
    pfifo_digest_free(digest);
    pfifo_replay_free(replay);
    pfifo_stream_close(stream);
}

/* ---- the same through calls ---- */

struct object {
    uint32_t number; /* in the capture; 0: free */
    uint32_t handle, bytes;
    uint64_t address;
    uint8_t *memory, *recorded; /* what the recording has said so far */
    bool *dumped;               /* pages that it has had as a whole */
};

struct player {
    struct pfifo_nvgpu *nvgpu;
    struct pfifo_nvgpu_client *client;
    struct pfifo_digest *digest;
    struct contents contents;
    int32_t nvmap, as, channel;
    struct object objects[MOST];
    uint64_t entries[MOST];
    uint32_t entry_count;
    uint64_t words;
};

static int32_t open_file(struct player *player, const char *path) {
    int32_t fd;
    assert_ok(pfifo_nvgpu_open(player->client, path, &fd));
    return fd;
}

static void player_start(struct player *player) {
    struct pfifo_error error = {0};
    struct pfifo_nvgpu_config config = {.size = sizeof config};
    uint64_t address = FIRST;
    memset(player, 0, sizeof *player);
    player->nvgpu = pfifo_nvgpu_new(&config, &error);
    player->client = player->nvgpu ? pfifo_nvgpu_client_new(player->nvgpu, NULL, &error) : NULL;
    if (!player->client)
        fail_msg("%s", error.message);
    player->nvmap = open_file(player, "/dev/nvmap");
    player->as = open_file(player, "/dev/nvhost-as-gpu");
    assert_ok(pfifo_nvhost_as_initialize(player->client, player->as, 0x10000));
    assert_ok(
        pfifo_nvhost_as_alloc_space(player->client, player->as, SPACE_PAGES, PAGE, PFIFO_NVHOST_AS_FIXED, &address));
    assert_int_equal(address, FIRST);
    player->digest = pfifo_digest_new(&error);
    assert_non_null(player->digest);
    struct pfifo_gpu *gpu = pfifo_device_gpu(pfifo_nvgpu_device(player->nvgpu));
    assert_int_equal(pfifo_digest_attach(player->digest, gpu, &error), PFIFO_OK);
}

static struct object *object_of(struct player *player, uint64_t number) {
    for (unsigned i = 0; i < MOST; i++)
        if (player->objects[i].number == number)
            return &player->objects[i];
    fail_msg("no buffer %u", (unsigned)number);
    return NULL;
}

static void object_new(struct player *player, const struct pfifo_stream_bonew *record) {
    struct object *object = object_of(player, OBJECT_NONE);
    struct pfifo_nvhost_as_map map = {.flags = PFIFO_NVHOST_AS_MAP_FIXED | PFIFO_NVHOST_AS_MAP_CACHEABLE,
                                      .kind = record->tile_flags >> 8 & 0xff,
                                      .page_bytes = PAGE,
                                      .address = record->address};
    *object = (struct object){.number = record->handle, .bytes = (uint32_t)record->bytes, .address = record->address};
    assert_int_equal(record->bytes % PAGE, 0);
    object->memory = aligned_alloc(PAGE, object->bytes);
    object->recorded = calloc(1, object->bytes);
    object->dumped = calloc(object->bytes / PAGE, sizeof *object->dumped);
    assert_true(object->memory && object->recorded && object->dumped);
    memset(object->memory, 0, object->bytes);
    assert_ok(pfifo_nvmap_create(player->client, player->nvmap, object->bytes, &object->handle));
    assert_ok(
        pfifo_nvmap_alloc(player->client, player->nvmap, object->handle, PAGE, 0, false, (uintptr_t)object->memory));
    map.handle = object->handle;
    assert_ok(pfifo_nvhost_as_map_buffer(player->client, player->as, &map));
    assert_int_equal(map.address, record->address);
}

static void object_delete(struct player *player, struct object *object) {
    bool freed = false;
    contents_add(&player->contents, object->number, object->memory, object->bytes);
    assert_ok(pfifo_nvhost_as_unmap_buffer(player->client, player->as, object->address));
    assert_ok(pfifo_nvmap_free(player->client, player->nvmap, object->handle, NULL, &freed));
    assert_true(freed);
    free(object->memory);
    free(object->recorded);
    free(object->dumped);
    *object = (struct object){0};
}

/* The program's processor writes what differs from what was recorded last. */
static void object_write(const struct object *object, uint64_t offset, const uint8_t *data, size_t bytes) {
    assert_true(offset <= object->bytes && bytes <= object->bytes - offset);
    for (size_t i = 0; i < bytes; i++)
        if (data[i] != object->recorded[offset + i])
            object->memory[offset + i] = object->recorded[offset + i] = data[i];
}

static void take_pages(struct player *player, const struct pfifo_stream_bodata *record) {
    const struct object *object = object_of(player, record->handle);
    object_write(object, record->offset, record->data, record->bytes);
    for (uint64_t at = 0; at < record->bytes; at += PAGE)
        object->dumped[(record->offset + at) / PAGE] = true;
}

/* Words that must not be prefetched are believed only where there is nothing else. */
static void take_push(struct player *player, const struct pfifo_stream_push *push) {
    const struct object *object = object_of(player, push->handle);
    for (uint32_t i = 0; i < push->word_count; i++)
        if (!push->no_prefetch || !object->dumped[(push->offset + 4 * (uint64_t)i) / PAGE])
            object_write(object, push->offset + 4 * (uint64_t)i, push->words + 4 * (size_t)i, 4);
    assert_true(player->entry_count < MOST);
    player->entries[player->entry_count++] =
        pfifo_nvhost_gpu_entry(push->address, push->word_count, push->no_prefetch ? ENTRY_SYNC : 0);
    player->words += push->word_count;
}

static void channel_open(struct player *player) {
    struct pfifo_nvhost_fence fence;
    player->channel = open_file(player, "/dev/nvhost-gpu");
    assert_ok(pfifo_nvhost_gpu_set_nvmap(player->client, player->channel, player->nvmap));
    assert_ok(pfifo_nvhost_as_bind_channel(player->client, player->as, player->channel));
    assert_ok(pfifo_nvhost_gpu_alloc_gpfifo(player->client, player->channel, 0x800, &fence));
}

/* Linux's driver has an object of software, which consoles do not: it is made below the calls. */
static void object_made(struct player *player, const struct pfifo_stream_obj *record) {
    const struct nvgpu_file *file = nvgpu_file_of(player->client, player->channel, &nvgpu_channel);
    const struct channel_file *channel = file->state;
    if (record->oclass < 0x80000000)
        assert_ok(pfifo_nvhost_gpu_alloc_object(player->client, player->channel, record->oclass));
    else
        assert_int_equal(pfifo_channel_object(channel->channel, record->handle, record->oclass, NULL), PFIFO_OK);
}

static void submit(struct player *player) {
    struct pfifo_nvhost_fence fence = {0};
    struct pfifo_nvhost_notification notification;
    unsigned rounds = 0;
    assert_ok(pfifo_nvhost_gpu_submit(player->client, player->channel, player->entries, player->entry_count,
                                      PFIFO_NVHOST_SUBMIT_HARDWARE_FORMAT, &fence));
    while (pfifo_nvgpu_run(player->nvgpu, 4000000) != PFIFO_STOP_IDLE)
        assert_true(rounds++ < PATIENCE);
    assert_ok(pfifo_nvhost_gpu_notification(player->client, player->channel, &notification));
    assert_false(notification.there);
    pfifo_digest_submission(player->digest, player->words);
    player->words = player->entry_count = 0;
}

static void take(struct player *player, const struct pfifo_stream_record *record) {
    switch (record->type) {
    case PFIFO_STREAM_CHAN:
        channel_open(player);
        break;
    case PFIFO_STREAM_CHANFREE:
        assert_ok(pfifo_nvgpu_close(player->client, player->channel));
        break;
    case PFIFO_STREAM_OBJ:
        object_made(player, &record->obj);
        break;
    case PFIFO_STREAM_BONEW:
        object_new(player, &record->bonew);
        break;
    case PFIFO_STREAM_BODEL:
        object_delete(player, object_of(player, record->bodel.handle));
        break;
    case PFIFO_STREAM_BODATA:
        take_pages(player, &record->bodata);
        break;
    case PFIFO_STREAM_PUSH:
        take_push(player, &record->push);
        break;
    case PFIFO_STREAM_SUBEND:
        submit(player);
        break;
    default:
        break;
    }
}

static void play_by_calls(const char *name, struct contents *contents, char *line, size_t size) {
    struct player player;
    struct pfifo_error error = {0};
    struct pfifo_stream_record record;
    struct pfifo_stream *stream = open_capture(name);
    player_start(&player);
    do {
        if (pfifo_stream_next(stream, &record, &error) != PFIFO_OK)
            fail_msg("%s", error.message);
        take(&player, &record);
    } while (record.type != PFIFO_STREAM_END);
    for (unsigned i = 0; i < MOST; i++)
        if (player.objects[i].number)
            object_delete(&player, &player.objects[i]);
    *contents = player.contents;
    pfifo_digest_format(player.digest, name, line, size);
    pfifo_digest_free(player.digest);
    pfifo_nvgpu_free(player.nvgpu);
    pfifo_stream_close(stream);
}

/* ---- tests ---- */

static void play_capture(const char *name, const char *want) {
    struct contents below = {.count = 0}, calls;
    char line[600], line_below[600];
    play_by_calls(name, &calls, line, sizeof line);
    play_below(name, &below, line_below, sizeof line_below);
    assert_string_equal(line, line_below);
    if (strcmp(name, WRITES_WORDS) != 0)
        assert_string_equal(line, want);
    assert_true(below.count > 0);
    assert_int_equal(calls.count, below.count);
    if (memcmp(calls.all, below.all, sizeof below.all) != 0)
        fail_msg("%s: other contents of buffers", name);
}

static void captures_are_the_same_through_the_calls(void **state) {
    char path[1000], line[400], want[600], name[100], field[4][80];
    const char *samples = getenv("PFIFO_SAMPLES");
    unsigned played = 0;
    (void)state;
    snprintf(path, sizeof path, "%s/captures/expected.tsv", samples ? samples : "samples");
    FILE *expected = fopen(path, "r");
    assert_non_null(expected);
    while (fgets(line, sizeof line, expected)) {
        if (strncmp(line, PREFIX, strlen(PREFIX)) != 0)
            continue;
        assert_int_equal(sscanf(line, "%99s %79s %79s %79s %79s", name, field[0], field[1], field[2], field[3]), 5);
        snprintf(want, sizeof want, "%s submissions=%s words=%s methods=%s sha256=%s", name, field[0], field[1],
                 field[2], field[3]);
        play_capture(name, want);
        played++;
    }
    fclose(expected);
    assert_int_equal(played, CAPTURES);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(captures_are_the_same_through_the_calls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
