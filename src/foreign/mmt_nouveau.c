/* SPDX-License-Identifier: MIT */
/*
 * nouveau's ioctls in a recording of valgrind-mmt, as records of a capture: channels, objects, buffers, submissions. What the
 * program has written to the mappings of a buffer is in it when it is submitted.
 *
 * Buffers have the kernel's handles. Of several open files of nodes the one with the first buffer or channel is read.
 *
 * Not modelled: what the GPU, the kernel or other processes write to buffers; relocations that the kernel applies
 *               (RELOCs are recorded); VM_BIND and EXEC, whose lists valgrind-mmt does not record; the interface from before
 *               GEM_PUSHBUF, which it does not record at all
 * Source: Linux include/uapi/drm/nouveau_drm.h; libdrm nouveau/nvif/ioctl.h
 */
#include "foreign/mmt_nouveau.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>

#include "memory/little_endian.h"

enum {
    DRM_TYPE = 'd',
    CHIPSET_ID = 11,
    NO_CTXDMA = -1,
    NVIF_NEW = 2,
    NVIF_HIDDEN = 0xff,
};

/* Numbers of ioctls. */
enum {
    GEM_CLOSE = 0x09,
    GETPARAM = 0x40,
    CHANNEL_ALLOC = 0x42,
    CHANNEL_FREE = 0x43,
    GROBJ_ALLOC = 0x44,
    NOTIFIEROBJ_ALLOC = 0x45,
    NVIF = 0x47,
    GEM_NEW = 0x80,
    GEM_PUSHBUF = 0x81,
    GEM_CPU_PREP = 0x82,
    GEM_INFO = 0x84,
    VM_INIT = 0x50,
    VM_BIND = 0x51,
    EXEC = 0x52,
};

bool mmt_append(const struct mmt_client *client, struct pfifo_stream_record record) {
    return pfifo_stream_writer_append(client->writer, &record, client->error) == PFIFO_OK;
}

bool mmt_no_memory(const struct mmt_client *client) {
    return foreign_no_memory(client->file, client->error, "its buffers") == PFIFO_OK;
}

/* An ioctl that is not in the capture. */
bool mmt_leave_out(struct mmt_client *client, const struct mmt_ioctl *ioctl, const char *why) {
    foreign_leave_out(&client->left_out, ioctl->at, why);
    return true;
}

/* ---- buffers and what is mapped ---- */

static int mmt_compare_shown(const void *a, const void *b) {
    const struct mmt_buffer *left = a, *right = b;

    return foreign_compare_ranges(left->map, left->bytes, right->map, right->bytes);
}

static void free_buffer(struct mmt_client *client, uint32_t handle) {
    if (!client->buffer[handle])
        return;
    if (client->buffer[handle]->shown)
        tdelete(client->buffer[handle], &client->shown, mmt_compare_shown);
    client->pages -= client->buffer[handle]->pages.count;
    foreign_pages_free(&client->buffer[handle]->pages);
    free(client->buffer[handle]);
    client->buffer[handle] = NULL;
}

/* A struct drm_nouveau_gem_info that the kernel has filled in. */
static bool take_info(struct mmt_client *client, const struct mmt_ioctl *ioctl) {
    const uint32_t handle = load_le32(ioctl->data);
    struct mmt_buffer *buffer;
    struct pfifo_stream_bonew made;

    if (handle == 0 || handle >= MMT_HANDLES)
        return mmt_leave_out(client, ioctl, "the handle of a buffer is too large");
    if (client->buffer[handle])
        return true;
    buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return mmt_no_memory(client);
    *buffer = (struct mmt_buffer){.domain = load_le32(ioctl->data + 4) & (PFIFO_STREAM_VRAM | PFIFO_STREAM_GART),
                                  .bytes = load_le64(ioctl->data + 8) / FOREIGN_PAGE * FOREIGN_PAGE,
                                  .address = load_le64(ioctl->data + 16),
                                  .map = load_le64(ioctl->data + 24),
                                  .tile_mode = load_le32(ioctl->data + 32),
                                  .tile_flags = load_le32(ioctl->data + 36),
                                  .pages = {.total = &client->pages}};
    made = (struct pfifo_stream_bonew){handle,          buffer->domain,    buffer->bytes,
                                       buffer->address, buffer->tile_mode, buffer->tile_flags};
    client->buffer[handle] = buffer;
    buffer->shown = buffer->bytes && !tfind(buffer, &client->shown, mmt_compare_shown);
    if (buffer->shown && !tsearch(buffer, &client->shown, mmt_compare_shown)) {
        buffer->shown = false;
        return mmt_no_memory(client);
    }
    return mmt_append(client, (struct pfifo_stream_record){.type = PFIFO_STREAM_BONEW, .bonew = made});
}

bool mmt_client_write(struct mmt_client *client, const struct mmt_mapping *mapping, uint64_t offset,
                      const uint8_t *data, size_t bytes) {
    const struct mmt_buffer key = {.map = mapping->offset, .bytes = 1};
    void *const *node = tfind(&key, &client->shown, mmt_compare_shown);
    struct mmt_buffer *buffer = node ? *node : NULL;
    uint64_t at = buffer ? mapping->offset - buffer->map : 0;

    if (!buffer || offset >= buffer->bytes - at || bytes > buffer->bytes - at - offset)
        return true;
    return foreign_pages_write(&buffer->pages, 0, at + offset, data, bytes) || mmt_no_memory(client);
}

/* ---- other ioctls, when they have returned ---- */

static bool take_parameter(struct mmt_client *client, const struct mmt_ioctl *ioctl) {
    char number[16];

    if (load_le64(ioctl->data) != CHIPSET_ID || client->has_chipset || !load_le32(ioctl->data + 8))
        return true;
    client->has_chipset = true;
    snprintf(number, sizeof number, "0x%x", (unsigned)load_le32(ioctl->data + 8));
    return pfifo_stream_writer_text(client->writer, "chipset", number, client->error) == PFIFO_OK;
}

/* Chips without DMA objects have -1 there. */
static bool take_channel(struct mmt_client *client, const struct mmt_ioctl *ioctl) {
    struct pfifo_stream_chan chan = {.channel = load_le32(ioctl->data + 8),
                                     .fb_ctxdma = load_le32(ioctl->data),
                                     .tt_ctxdma = load_le32(ioctl->data + 4),
                                     .pushbuf_domains = load_le32(ioctl->data + 12),
                                     .notifier_bo = load_le32(ioctl->data + 16)};

    if (chan.fb_ctxdma == (uint32_t)NO_CTXDMA)
        chan.fb_ctxdma = chan.tt_ctxdma = 0;
    return mmt_append(client, (struct pfifo_stream_record){.type = PFIFO_STREAM_CHAN, .chan = chan});
}

static bool free_channel(struct mmt_client *client, const struct mmt_ioctl *ioctl) {
    return mmt_append(
        client, (struct pfifo_stream_record){.type = PFIFO_STREAM_CHANFREE, .chanfree = {load_le32(ioctl->data)}});
}

static bool mmt_object(struct mmt_client *client, uint32_t channel, uint32_t handle, uint32_t oclass) {
    return mmt_append(client, (struct pfifo_stream_record){.type = PFIFO_STREAM_OBJ, .obj = {channel, handle, oclass}});
}

static bool take_object(struct mmt_client *client, const struct mmt_ioctl *ioctl) {
    return mmt_object(client, load_le32(ioctl->data), load_le32(ioctl->data + 4), load_le32(ioctl->data + 8));
}

/* An object of a channel; others are not for a GPU. */
static bool take_nvif(struct mmt_client *client, const struct mmt_ioctl *ioctl) {
    const uint8_t *data = ioctl->data;

    if (data[1] != NVIF_NEW || data[7] != NVIF_HIDDEN)
        return true;
    return mmt_object(client, load_le32(data + 8), load_le32(data + 48), load_le32(data + 52));
}

static bool take_notifier(struct mmt_client *client, const struct mmt_ioctl *ioctl) {
    const uint8_t *data = ioctl->data;
    const struct pfifo_stream_ntfy notifier = {load_le32(data), load_le32(data + 4), load_le32(data + 8),
                                               load_le32(data + 12)};

    return mmt_append(client, (struct pfifo_stream_record){.type = PFIFO_STREAM_NTFY, .ntfy = notifier});
}

static bool take_wait(struct mmt_client *client, const struct mmt_ioctl *ioctl) {
    const uint32_t handle = load_le32(ioctl->data);

    if (handle >= MMT_HANDLES || !client->buffer[handle])
        return true;
    return mmt_append(
        client, (struct pfifo_stream_record){.type = PFIFO_STREAM_PREP, .prep = {handle, load_le32(ioctl->data + 4)}});
}

static bool take_close(struct mmt_client *client, const struct mmt_ioctl *ioctl) {
    const uint32_t handle = load_le32(ioctl->data);

    if (handle >= MMT_HANDLES || !client->buffer[handle])
        return true;
    free_buffer(client, handle);
    return mmt_append(client, (struct pfifo_stream_record){.type = PFIFO_STREAM_BODEL, .bodel = {handle}});
}

static bool take_exec(struct mmt_client *client, const struct mmt_ioctl *ioctl) {
    return mmt_leave_out(client, ioctl, "a submission by address (EXEC), whose list is not in the log");
}

static bool take_bind(struct mmt_client *client, const struct mmt_ioctl *ioctl) {
    return mmt_leave_out(client, ioctl,
                         "mappings in the program's own address space (VM_BIND), whose list is not in the log");
}

static bool take_space(struct mmt_client *client, const struct mmt_ioctl *ioctl) {
    return mmt_leave_out(client, ioctl, "an address space that the program manages (VM_INIT)");
}

static const struct mmt_row {
    uint8_t number, bytes; /* of its structure */
    bool before;           /* when memory is as the program has written it; else when it was done */
    bool begins;           /* the open file is the one to be read */
    bool (*take)(struct mmt_client *client, const struct mmt_ioctl *ioctl);
} rows[] = {
    {GETPARAM, 16, false, false, take_parameter},
    {CHANNEL_ALLOC, 20, false, true, take_channel},
    {CHANNEL_FREE, 4, false, false, free_channel},
    {GROBJ_ALLOC, 12, false, false, take_object},
    {NOTIFIEROBJ_ALLOC, 16, false, false, take_notifier},
    {NVIF, 56, false, false, take_nvif},
    {VM_INIT, 16, false, false, take_space},
    {VM_BIND, 40, true, false, take_bind},
    {EXEC, 40, true, false, take_exec},
    {GEM_NEW, 40, false, true, take_info},
    {GEM_INFO, 40, false, true, take_info},
    {GEM_PUSHBUF, 64, true, false, mmt_submit},
    {GEM_CPU_PREP, 8, false, false, take_wait},
    {GEM_CLOSE, 4, false, false, take_close},
};

bool mmt_client_ioctl(struct mmt_client *client, const struct mmt_ioctl *ioctl) {
    if ((ioctl->request >> 8 & 0xff) != DRM_TYPE || ioctl->refused)
        return true;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct mmt_row *row = &rows[i];
        if (row->number != (ioctl->request & 0xff) || row->before == ioctl->after)
            continue;
        if (ioctl->bytes < row->bytes)
            return mmt_leave_out(client, ioctl, "an ioctl has too few bytes");
        if (row->begins && !client->has_fd) {
            client->has_fd = true;
            client->fd = ioctl->fd;
        }
        if (client->has_fd && client->fd != ioctl->fd)
            return mmt_leave_out(client, ioctl, "an ioctl of another open file");
        return row->take(client, ioctl);
    }
    return true;
}

/* ---- all of it ---- */

struct mmt_client *mmt_client_new(const struct foreign_file *file, struct pfifo_stream_writer *writer,
                                  struct pfifo_error *error) {
    struct mmt_client *client = calloc(1, sizeof *client);

    if (!client) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%.100s: no memory to read it", file->name);
        return NULL;
    }
    client->file = file;
    client->writer = writer;
    client->error = error;
    return client;
}

bool mmt_client_begun(const struct mmt_client *client) {
    return client->has_fd;
}

bool mmt_client_end(struct mmt_client *client) {
    return foreign_note_left_out(&client->left_out, "ioctls", client->writer, client->error) == PFIFO_OK;
}

void mmt_client_free(struct mmt_client *client) {
    if (!client)
        return;
    for (uint32_t i = 0; i < MMT_HANDLES; i++)
        free_buffer(client, i);
    free(client);
}
