/* SPDX-License-Identifier: MIT */
#include "drm/record_rig.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <pfifo/stream.h>

#define NOT_MEMORY 0x10000u /* no program has memory below */
#define ADDRESS    UINT64_C(0x100000)

static uint32_t memory_of(const struct fake *fake, uint32_t handle) {
    return fake->same[handle] ? fake->same[handle] : handle;
}

uint64_t fake_address(uint32_t handle) {
    return ADDRESS * handle;
}

uint64_t fake_map_handle(uint32_t handle) {
    return ADDRESS * 16 * handle;
}

/* ---- the host ---- */

static int gem_info(struct fake *fake, struct drm_nouveau_gem_info *info) {
    fake->infos++;
    if (info->handle == 0 || info->handle >= FAKE_BUFFERS || !fake->exists[info->handle])
        return -ENOENT;
    uint32_t memory = memory_of(fake, info->handle);
    info->domain = GART;
    info->size = FAKE_PAGES * PAGE;
    info->offset = fake_address(memory);
    info->map_handle = fake_map_handle(memory);
    return 0;
}

static int version(struct drm_version *version) {
    static const char name[] = "nouveau";
    version->version_major = 1;
    version->version_minor = 3;
    version->version_patchlevel = 1;
    assert_true(version->name_len >= sizeof name - 1);
    memcpy(version->name, name, sizeof name - 1);
    return 0;
}

static int host_ioctl(void *opaque, unsigned long request, void *argument) {
    if (request == DRM_IOCTL_VERSION)
        return version(argument);
    if (request == NOUVEAU(DRM_NOUVEAU_GETPARAM, struct drm_nouveau_getparam)) {
        ((struct drm_nouveau_getparam *)argument)->value = 0xc0;
        return 0;
    }
    if (request == DRM_IOCTL_MODE_GETPROPERTY) {
        struct drm_mode_get_property *property = argument;
        snprintf(property->name, sizeof property->name, "%s", property->prop_id == FAKE_FB_ID ? "FB_ID" : "CRTC_ID");
        return 0;
    }
    assert_true(request == NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct drm_nouveau_gem_info));
    return gem_info(opaque, argument);
}

/* Only who has a handle of a buffer may map it (drm_gem_mmap()). */
static bool has_handle(const struct fake *fake, uint32_t memory) {
    for (uint32_t handle = 1; handle < FAKE_BUFFERS; handle++)
        if (fake->exists[handle] && memory_of(fake, handle) == memory)
            return true;
    return false;
}

static const uint8_t *host_map(void *opaque, uint64_t map_handle, uint64_t bytes) {
    struct fake *fake = opaque;
    assert_int_equal(bytes, FAKE_PAGES * PAGE);
    if (!has_handle(fake, (uint32_t)(map_handle / ADDRESS / 16)))
        return NULL;
    fake->maps++;
    return fake->cannot_map ? NULL : fake->memory[map_handle / ADDRESS / 16];
}

static void host_unmap(void *opaque, const uint8_t *at, uint64_t bytes) {
    (void)at;
    (void)bytes;
    ((struct fake *)opaque)->unmaps++;
}

static bool host_read(void *opaque, void *to, uint64_t from, size_t bytes) {
    (void)opaque;
    if (from < NOT_MEMORY)
        return false;
    memcpy(to, (const void *)(uintptr_t)from, bytes); // NOLINT(performance-no-int-to-ptr)
    return true;
}

static void host_settle(void *opaque, uint32_t handle) {
    (void)handle;
    ((struct fake *)opaque)->settles++;
}

static bool host_open(void *opaque) {
    struct fake *fake = opaque;
    fake->opens++;
    return !fake->no_file;
}

static bool host_write(void *opaque, const void *data, size_t bytes) {
    struct fake *fake = opaque;
    if (bytes > fake->room - fake->bytes) {
        errno = ENOSPC;
        return false;
    }
    memcpy(fake->file + fake->bytes, data, bytes);
    fake->bytes += bytes;
    return true;
}

static void host_log(void *opaque, const char *line) {
    struct fake *fake = opaque;
    snprintf(fake->line, sizeof fake->line, "%s", line);
}

static const struct record_host host = {.ioctl = host_ioctl,
                                        .map = host_map,
                                        .unmap = host_unmap,
                                        .read = host_read,
                                        .settle = host_settle,
                                        .open = host_open,
                                        .write = host_write,
                                        .log = host_log};

void fake_open(struct fake *fake) {
    memset(fake, 0, sizeof *fake);
    fake->room = sizeof fake->file;
    fake->client = record_client_new(&host, fake);
    assert_non_null(fake->client);
}

static void forget_lines(struct fake *fake) {
    for (unsigned i = 0; i < fake->line_count; i++)
        free(fake->lines[i]);
    fake->line_count = 0;
}

void fake_close(struct fake *fake) {
    record_client_free(fake->client);
    fake->client = NULL;
    assert_int_equal(fake->maps - (fake->cannot_map ? fake->maps : 0), fake->unmaps);
    forget_lines(fake);
}

/* ---- what the program does ---- */

void fake_ioctl(struct fake *fake, unsigned long request, void *structure, int status) {
    uint64_t at = (uint64_t)(uintptr_t)structure;
    record_after(fake->client, request, at, status, record_before(fake->client, request, at));
}

void fake_buffer(struct fake *fake, uint32_t handle, bool mapped) {
    struct drm_nouveau_gem_new request = {.info = {.handle = handle}};
    fake->exists[handle] = true;
    gem_info(fake, &request.info);
    fake_ioctl(fake, NOUVEAU(DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new), &request, 0);
    if (mapped)
        record_mapped(fake->client, request.info.map_handle);
}

void fake_gem_close(struct fake *fake, uint32_t handle) {
    struct drm_gem_close request = {.handle = handle};
    fake->exists[handle] = false;
    fake_ioctl(fake, DRM_IOCTL_GEM_CLOSE, &request, 0);
}

void fake_channel(struct fake *fake, uint32_t channel) {
    struct drm_nouveau_channel_alloc request = {.channel = (int)channel, .pushbuf_domains = VRAM | GART};
    fake_ioctl(fake, NOUVEAU(DRM_NOUVEAU_CHANNEL_ALLOC, struct drm_nouveau_channel_alloc), &request, 0);
}

static void list(struct fake_submission *submission, uint32_t handle) {
    submission->buffers[submission->request.nr_buffers++] =
        (struct drm_nouveau_gem_pushbuf_bo){.handle = handle,
                                            .read_domains = GART,
                                            .valid_domains = VRAM | GART,
                                            .presumed = {.valid = 1, .domain = GART, .offset = fake_address(handle)}};
}

void fake_fill(struct fake_submission *submission, uint32_t handle, uint64_t offset, const uint32_t *others) {
    *submission = (struct fake_submission){0};
    list(submission, handle);
    for (; others && *others; others++)
        list(submission, *others);
    submission->pushes[0] = (struct drm_nouveau_gem_pushbuf_push){.offset = offset, .length = 8};
    submission->request.channel = 1;
    submission->request.nr_push = 1;
}

#define PUSHBUF NOUVEAU(DRM_NOUVEAU_GEM_PUSHBUF, struct drm_nouveau_gem_pushbuf)

void fake_begin(struct fake *fake, struct fake_submission *submission) {
    submission->request.buffers = (uint64_t)(uintptr_t)submission->buffers;
    submission->request.relocs = (uint64_t)(uintptr_t)submission->relocs;
    submission->request.push = (uint64_t)(uintptr_t)submission->pushes;
    submission->under_way = record_before(fake->client, PUSHBUF, (uint64_t)(uintptr_t)&submission->request);
}

void fake_end(struct fake *fake, struct fake_submission *submission, int status) {
    submission->request.suffix0 = 0x20000;
    record_after(fake->client, PUSHBUF, (uint64_t)(uintptr_t)&submission->request, status, submission->under_way);
}

void fake_submit(struct fake *fake, uint32_t handle, uint64_t offset, const uint32_t *others, int status) {
    struct fake_submission submission;
    fake_fill(&submission, handle, offset, others);
    fake_begin(fake, &submission);
    fake_end(fake, &submission, status);
}

/* ---- spaces ---- */

#define KEPT (UINT64_C(1) << 39)

void fake_space(struct fake *fake) {
    struct uapi_vm_init request = {KEPT, KEPT};
    fake_open(fake);
    fake->has_space = true;
    fake_ioctl(fake, NOUVEAU(UAPI_VM_INIT, struct uapi_vm_init), &request, 0);
}

void fake_bind(struct fake *fake, const struct uapi_bind_operation *operations, uint32_t count) {
    struct uapi_vm_bind request = {.operation_count = count, .operations = (uint64_t)(uintptr_t)operations};
    fake_ioctl(fake, NOUVEAU(UAPI_VM_BIND, struct uapi_vm_bind), &request, 0);
}

void fake_map(struct fake *fake, uint32_t handle, uint64_t address, uint64_t offset, uint64_t bytes) {
    const struct uapi_bind_operation operation = {
        .operation = UAPI_BIND_MAP, .handle = handle, .address = address, .offset = offset, .bytes = bytes};
    fake_bind(fake, &operation, 1);
}

void fake_unmap(struct fake *fake, uint64_t address, uint64_t bytes) {
    const struct uapi_bind_operation operation = {.operation = UAPI_BIND_UNMAP, .address = address, .bytes = bytes};
    fake_bind(fake, &operation, 1);
}

#define EXEC NOUVEAU(UAPI_EXEC, struct uapi_exec)

void fake_exec_fill(struct fake_exec *exec, uint64_t address) {
    *exec = (struct fake_exec){.request = {.channel = 1, .push_count = 1}, .pushes[0] = {address, 8, 0}};
}

void fake_exec_begin(struct fake *fake, struct fake_exec *exec) {
    exec->request.pushes = (uint64_t)(uintptr_t)exec->pushes;
    exec->request.waits = (uint64_t)(uintptr_t)exec->waits;
    exec->request.signals = (uint64_t)(uintptr_t)exec->signals;
    exec->under_way = record_before(fake->client, EXEC, (uint64_t)(uintptr_t)&exec->request);
}

void fake_exec_end(struct fake *fake, struct fake_exec *exec, int status) {
    record_after(fake->client, EXEC, (uint64_t)(uintptr_t)&exec->request, status, exec->under_way);
}

void fake_exec(struct fake *fake, uint64_t address, int status) {
    struct fake_exec exec;
    fake_exec_fill(&exec, address);
    fake_exec_begin(fake, &exec);
    fake_exec_end(fake, &exec, status);
}

/* ---- the capture as lines ---- */

static void describe_push(const struct fake *fake, const struct pfifo_stream_push *push, char *line, size_t room) {
    int at = snprintf(line, room, "PUSH %" PRIu64 "+%" PRIu64, push->handle, push->offset);
    for (uint32_t i = 0; i < push->word_count && i < 4; i++)
        at += snprintf(line + at, room - (size_t)at, " %08" PRIx32, pfifo_stream_word(push, i));
    if (fake->has_space)
        snprintf(line + at, room - (size_t)at, " at %" PRIx64 "%s", push->address,
                 push->no_prefetch ? " not prefetched" : "");
    else
        assert_true(push->address == fake_address((uint32_t)push->handle) + push->offset);
}

static void describe_bind(const struct pfifo_stream_bind *bind, char *line, size_t room) {
    static const char *const how[] = {"map", "unmap", "sparse", "end"};
    snprintf(line, room, "BIND %s %" PRIx64 " %" PRIx64 " %" PRIu32 "+%" PRIx64 " kind %" PRIx32, how[bind->how],
             bind->address, bind->bytes, bind->handle, bind->offset, bind->kind);
}

static void describe(const struct fake *fake, const struct pfifo_stream_record *record, char *line, size_t room) {
    const char *name = pfifo_stream_type_name(record->type);
    switch (record->type) {
    case PFIFO_STREAM_TEXT:
        snprintf(line, room, "TEXT %.*s=%.*s", (int)record->text.key_bytes, record->text.key,
                 (int)record->text.value_bytes, record->text.value);
        break;
    case PFIFO_STREAM_CHAN:
        snprintf(line, room, "CHAN %" PRIu32 " %" PRIx32 " %" PRIx32, record->chan.channel, record->chan.fb_ctxdma,
                 record->chan.tt_ctxdma);
        break;
    case PFIFO_STREAM_OBJ:
        snprintf(line, room, "OBJ %" PRIx32 " %" PRIx32, record->obj.handle, record->obj.oclass);
        break;
    case PFIFO_STREAM_NTFY:
        snprintf(line, room, "NTFY %" PRIx32 " %" PRIu32 "+%" PRIu32, record->ntfy.handle, record->ntfy.offset,
                 record->ntfy.bytes);
        break;
    case PFIFO_STREAM_SUBMIT:
        snprintf(line, room, "SUBMIT %" PRIu32 " channel %" PRIu32 " suffix %" PRIx32, record->submit.sequence,
                 record->submit.channel, record->submit.suffix0);
        break;
    case PFIFO_STREAM_BODATA:
        snprintf(line, room, "BODATA %" PRIu64 "+%" PRIu64 " %zu", record->bodata.handle, record->bodata.offset,
                 record->bodata.bytes / PAGE);
        break;
    case PFIFO_STREAM_PUSH:
        describe_push(fake, &record->push, line, room);
        break;
    case PFIFO_STREAM_VMINIT:
        snprintf(line, room, "VMINIT %" PRIu32 " %" PRIx64 " %" PRIx64, record->vminit.space, record->vminit.kept,
                 record->vminit.kept_bytes);
        break;
    case PFIFO_STREAM_BIND:
        describe_bind(&record->bind, line, room);
        break;
    case PFIFO_STREAM_SYNC:
        snprintf(line, room, "SYNC %" PRIu32 " %" PRIu32 " %" PRIu64, record->sync.how, record->sync.object,
                 record->sync.point);
        break;
    default: /* the first word says it */
        snprintf(line, room, "%s %" PRIu32, name, record->payload[0] | (uint32_t)record->payload[1] << 8);
        break;
    }
}

void fake_read(struct fake *fake) {
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};
    struct pfifo_error error = {0};
    struct pfifo_stream *stream = pfifo_stream_open_memory(fake->file, fake->bytes, "capture", &error);
    char line[200];

    forget_lines(fake);
    if (!stream)
        fail_msg("%s", error.message);
    for (;;) {
        if (pfifo_stream_next(stream, &record, &error) != PFIFO_OK)
            fail_msg("%s", error.message);
        if (record.type == PFIFO_STREAM_END)
            break;
        describe(fake, &record, line, sizeof line);
        assert_true(fake->line_count < FAKE_LINES);
        fake->lines[fake->line_count++] = strdup(line);
    }
    pfifo_stream_close(stream);
}

void fake_expect(struct fake *fake, const char *const *lines) {
    unsigned at = 0;
    fake_read(fake);
    for (; *lines; lines++) {
        while (at < fake->line_count && strcmp(fake->lines[at], *lines) != 0)
            at++;
        if (at++ == fake->line_count) {
            for (unsigned i = 0; i < fake->line_count; i++)
                print_message("    %s\n", fake->lines[i]);
            fail_msg("no '%s' there", *lines);
        }
    }
}

unsigned fake_count(const struct fake *fake, const char *prefix) {
    unsigned count = 0;
    for (unsigned i = 0; i < fake->line_count; i++)
        count += strncmp(fake->lines[i], prefix, strlen(prefix)) == 0;
    return count;
}
