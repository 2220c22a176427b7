/* SPDX-License-Identifier: MIT */
/* What each ioctl becomes, once it has succeeded. Structures of the program are read then: the kernel has used them. */
#include "face/drm/record/client.h"

#include <drm.h>
#include <drm_mode.h>
#include <inttypes.h>
#include <nouveau_drm.h>
#include <nouveau/nvif/ioctl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "face/drm/node/uapi.h"

#define COMMAND(number)            (DRM_COMMAND_BASE + (number))
#define NO_CTXDMA                  UINT32_MAX
#define ENGINE_GRAPHICS            1u
#define NOUVEAU(number, structure) DRM_IOWR(COMMAND(number), structure)

/* ---- a new file ---- */

static bool ask_version(struct record_client *client) {
    char name[16] = "";
    struct drm_version version = {.name = name, .name_len = sizeof name - 1};
    if (client->host->ioctl(client->opaque, DRM_IOCTL_VERSION, &version) < 0 || strcmp(name, "nouveau") != 0)
        return false;
    snprintf(client->driver, sizeof client->driver, "nouveau %d.%d.%d", version.version_major, version.version_minor,
             version.version_patchlevel);
    return true;
}

static void ask_chipset(struct record_client *client) {
    struct drm_nouveau_getparam param = {.param = NOUVEAU_GETPARAM_CHIPSET_ID};
    if (client->host->ioctl(client->opaque, NOUVEAU(DRM_NOUVEAU_GETPARAM, struct drm_nouveau_getparam), &param) >= 0)
        client->chipset = (uint32_t)param.value;
}

struct record_client *record_client_new(const struct record_host *host, void *opaque) {
    struct record_client *client = calloc(1, sizeof *client);
    if (!client)
        return NULL;
    client->host = client->queue.host = client->buffers.host = host;
    client->opaque = client->queue.opaque = client->buffers.opaque = opaque;
    if (ask_version(client))
        return client;
    free(client);
    return NULL;
}

void record_client_free(struct record_client *client) {
    if (!client)
        return;
    queue_end(&client->queue);
    buffers_free(&client->buffers);
    known_free(&client->book);
    free(client);
}

void record_client_abandon(struct record_client *client) {
    queue_abandon(&client->queue);
    buffers_abandon(&client->buffers);
    known_free(&client->book);
    free(client);
}

void *client_read_list(const struct record_client *client, uint64_t from, uint32_t count, size_t bytes) {
    void *list = calloc(count ? count : 1, bytes);
    if (list && count && !client->host->read(client->opaque, list, from, count * bytes)) {
        free(list);
        list = NULL;
    }
    return list;
}

/* A writer whose version checks its records would end the capture. */
void client_record(struct record_client *client, const struct pfifo_stream_record *record) {
    struct reason reason;
    if (!client->has_space || known_accept(&client->book, record, &reason))
        queue_record(&client->queue, record);
}

/* ---- buffers ---- */

static void write_bonew(struct record_client *client, const struct record_buffer *buffer) {
    const struct pfifo_stream_record record = {.type = PFIFO_STREAM_BONEW,
                                               .bonew = {.handle = buffer->handle,
                                                         .domain = buffer->domain,
                                                         .bytes = buffer->bytes,
                                                         .address = buffer->address,
                                                         .tile_mode = buffer->tile_mode,
                                                         .tile_flags = buffer->tile_flags}};
    client_record(client, &record);
}

static struct record_buffer *enter_buffer(struct record_client *client, const struct drm_nouveau_gem_info *info,
                                          bool readable) {
    const struct record_buffer as = {.handle = info->handle,
                                     .domain = info->domain & (NOUVEAU_GEM_DOMAIN_VRAM | NOUVEAU_GEM_DOMAIN_GART),
                                     .tile_mode = info->tile_mode,
                                     .tile_flags = info->tile_flags,
                                     .bytes = info->size / RECORD_PAGE * RECORD_PAGE,
                                     .address = client->has_space ? 0 : info->offset,
                                     .map_handle = info->map_handle,
                                     .readable = readable};
    bool made;
    struct record_buffer *buffer = buffers_add(&client->buffers, &as, &made);
    if (!buffer || !made)
        return buffer;
    if (client->has_space)
        buffer->handle = (uint32_t)buffer->serial;
    write_bonew(client, buffer);
    return buffer;
}

struct record_buffer *client_buffer(struct record_client *client, uint32_t handle) {
    struct record_buffer *buffer = buffers_find(&client->buffers, handle);
    struct drm_nouveau_gem_info info = {.handle = handle};
    if (buffer)
        return buffer;
    if (client->host->ioctl(client->opaque, NOUVEAU(DRM_NOUVEAU_GEM_INFO, struct drm_nouveau_gem_info), &info) < 0)
        return NULL;
    info.handle = handle;
    return enter_buffer(client, &info, true);
}

static void forget_handle(struct record_client *client, uint32_t handle) {
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_BODEL};
    if (client->has_space)
        binds_close(client, handle);
    else if (buffers_remove(&client->buffers, handle, &record.bodel.handle))
        queue_record(&client->queue, &record);
}

/* The handle is new, so whatever it was before has gone unseen. */
static void client_gem_new(struct record_client *client, const void *data) {
    const struct drm_nouveau_gem_new *request = data;
    forget_handle(client, request->info.handle);
    enter_buffer(client, &request->info, false);
}

/* By name and by descriptor. Who made the buffer may have written it. */
static void client_gem_open(struct record_client *client, const void *data) {
    client_buffer(client, ((const struct drm_gem_open *)data)->handle);
}

static void client_fd_to_handle(struct record_client *client, const void *data) {
    client_buffer(client, ((const struct drm_prime_handle *)data)->handle);
}

static void client_gem_close(struct record_client *client, const void *data) {
    forget_handle(client, ((const struct drm_gem_close *)data)->handle);
}

static void destroy_dumb(struct record_client *client, const void *data) {
    forget_handle(client, ((const struct drm_mode_destroy_dumb *)data)->handle);
}

static void client_cpu_prep(struct record_client *client, const void *data) {
    const struct drm_nouveau_gem_cpu_prep *request = data;
    struct record_buffer *buffer = buffers_find(&client->buffers, request->handle);
    if (!buffer)
        return;
    buffer->written = false;
    const struct pfifo_stream_record record = {.type = PFIFO_STREAM_PREP,
                                               .prep = {.handle = buffer->handle, .flags = request->flags}};
    client_record(client, &record);
}

/* ---- channels ---- */

/*
 * Before the first channel nothing is written: many programs only look at what devices there are. With a space of its own
 * it is the first submission, because those that look open channels, too.
 */
bool client_begin(struct record_client *client) {
    if (client->queue.writer || client->queue.ended)
        return client->queue.writer != NULL;
    ask_chipset(client);
    if (!queue_begin(&client->queue, client->chipset, client->driver, client->has_space ? 3 : 1))
        return false;
    for (uint32_t i = 0; !client->has_space && i < client->buffers.room; i++)
        if (client->buffers.at[i] && client->buffers.at[i]->handle == i)
            write_bonew(client, client->buffers.at[i]);
    return true;
}

static void client_channel_alloc(struct record_client *client, const void *data) {
    const struct drm_nouveau_channel_alloc *request = data;
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_CHAN,
                                         .chan = {.channel = (uint32_t)request->channel,
                                                  .fb_ctxdma = request->fb_ctxdma_handle,
                                                  .tt_ctxdma = request->tt_ctxdma_handle,
                                                  .pushbuf_domains = request->pushbuf_domains,
                                                  .notifier_bo = request->notifier_handle}};
    if (!client->has_space && !client_begin(client))
        return;
    if (request->notifier_handle && !client->has_space)
        client_buffer(client, request->notifier_handle);
    /* From GK104 on the second is a set of engines, and there are no DMA objects (nouveau_abi16.c). */
    if (request->fb_ctxdma_handle == NO_CTXDMA) {
        record.chan.fb_ctxdma = record.chan.tt_ctxdma = 0;
        if (request->tt_ctxdma_handle > ENGINE_GRAPHICS)
            queue_note(&client->queue, "channel %d is for engines 0x%" PRIx32, request->channel,
                       request->tt_ctxdma_handle);
    }
    if (client->has_space)
        binds_channel(client, &record);
    else
        queue_record(&client->queue, &record);
}

static void client_channel_free(struct record_client *client, const void *data) {
    const struct drm_nouveau_channel_free *request = data;
    const struct pfifo_stream_record record = {.type = PFIFO_STREAM_CHANFREE,
                                               .chanfree = {.channel = (uint32_t)request->channel}};
    client_record(client, &record);
}

static void client_write_object(struct record_client *client, uint32_t channel, uint32_t handle, int32_t oclass) {
    const struct pfifo_stream_record record = {
        .type = PFIFO_STREAM_OBJ, .obj = {.channel = channel, .handle = handle, .oclass = (uint32_t)oclass}};
    client_record(client, &record);
}

static void client_grobj_alloc(struct record_client *client, const void *data) {
    const struct drm_nouveau_grobj_alloc *request = data;
    client_write_object(client, (uint32_t)request->channel, request->handle, request->class);
}

static void client_notifierobj_alloc(struct record_client *client, const void *data) {
    const struct drm_nouveau_notifierobj_alloc *request = data;
    const struct pfifo_stream_record record = {
        .type = PFIFO_STREAM_NTFY,
        .ntfy = {
            .channel = request->channel, .handle = request->handle, .bytes = request->size, .offset = request->offset}};
    client_record(client, &record);
}

/* An object of a channel; those of route 0 are not for a GPU. */
static void nvif(struct record_client *client, const void *data) {
    struct nvif_ioctl_v0 header;
    struct nvif_ioctl_new_v0 request;
    memcpy(&header, data, sizeof header);
    memcpy(&request, (const uint8_t *)data + sizeof header, sizeof request);
    if (header.type == NVIF_IOCTL_V0_NEW && header.route == NVIF_IOCTL_V0_ROUTE_HIDDEN)
        client_write_object(client, (uint32_t)header.token, request.handle, request.oclass);
}

/* ---- the table ---- */

#define MOST_BYTES 128u

/* Rows of NVIF have a size of their own; what is shorter than the row is not an object of a channel. */
static const struct record_row {
    uint8_t number;
    uint8_t bytes;
    void (*done)(struct record_client *client, const void *data);
} rows[] = {
    {COMMAND(DRM_NOUVEAU_GEM_CPU_PREP), sizeof(struct drm_nouveau_gem_cpu_prep), client_cpu_prep},
    {COMMAND(DRM_NOUVEAU_GEM_NEW), sizeof(struct drm_nouveau_gem_new), client_gem_new},
    {0x09, sizeof(struct drm_gem_close), client_gem_close},
    {0x0b, sizeof(struct drm_gem_open), client_gem_open},
    {0x2e, sizeof(struct drm_prime_handle), client_fd_to_handle},
    {COMMAND(DRM_NOUVEAU_CHANNEL_ALLOC), sizeof(struct drm_nouveau_channel_alloc), client_channel_alloc},
    {COMMAND(DRM_NOUVEAU_CHANNEL_FREE), sizeof(struct drm_nouveau_channel_free), client_channel_free},
    {COMMAND(DRM_NOUVEAU_GROBJ_ALLOC), sizeof(struct drm_nouveau_grobj_alloc), client_grobj_alloc},
    {COMMAND(DRM_NOUVEAU_NOTIFIEROBJ_ALLOC), sizeof(struct drm_nouveau_notifierobj_alloc), client_notifierobj_alloc},
    {COMMAND(DRM_NOUVEAU_NVIF), sizeof(struct nvif_ioctl_v0) + sizeof(struct nvif_ioctl_new_v0), nvif},
    {COMMAND(UAPI_VM_INIT), sizeof(struct uapi_vm_init), binds_vm_init},
    {COMMAND(UAPI_VM_BIND), sizeof(struct uapi_vm_bind), binds_vm_bind},
    {0xc3, 32, syncs_wait},
    {0xc4, sizeof(struct drm_syncobj_array), syncs_reset},
    {0xc5, sizeof(struct drm_syncobj_array), syncs_signal},
    {0xca, 40, syncs_timeline_wait},
    {0xcd, sizeof(struct drm_syncobj_timeline_array), syncs_timeline_signal},
    {0xa2, sizeof(struct drm_mode_crtc), flips_setcrtc},
    {0xb0, sizeof(struct drm_mode_crtc_page_flip), flips_page_flip},
    {0xb4, sizeof(struct drm_mode_destroy_dumb), destroy_dumb},
    {0xbc, sizeof(struct drm_mode_atomic), flips_atomic},
};

static const struct record_row *client_find_row(unsigned long request) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].number == _IOC_NR(request))
            return &rows[i];
    return NULL;
}

struct record_submission *record_before(struct record_client *client, unsigned long request, uint64_t argument) {
    if (_IOC_TYPE(request) != DRM_IOCTL_BASE)
        return NULL;
    if (_IOC_NR(request) == COMMAND(DRM_NOUVEAU_GEM_PUSHBUF) && !client->has_space)
        return _IOC_SIZE(request) < sizeof(struct drm_nouveau_gem_pushbuf) ? NULL : submission_begin(client, argument);
    if (_IOC_NR(request) == COMMAND(UAPI_EXEC) && client->has_space)
        return _IOC_SIZE(request) < sizeof(struct uapi_exec) ? NULL : exec_begin(client, argument);
    return NULL;
}

void record_after(struct record_client *client, unsigned long request, uint64_t argument, int status,
                  struct record_submission *submission) {
    _Alignas(8) uint8_t data[MOST_BYTES] = {0};
    if (submission && submission->by_address)
        exec_end(client, submission, status);
    else if (submission)
        submission_end(client, submission, argument, status);
    if (_IOC_TYPE(request) != DRM_IOCTL_BASE || status < 0 || submission)
        return;
    const struct record_row *row = client_find_row(request);
    if (!row || _IOC_SIZE(request) < row->bytes)
        return;
    if (client->host->read(client->opaque, data, argument, row->bytes))
        row->done(client, data);
}

void record_mapped(struct record_client *client, uint64_t offset) {
    struct record_buffer *buffer = buffers_find_map(&client->buffers, offset);
    if (!buffer)
        return;
    buffer->readable = true;
    binds_readable(client, buffer);
}
