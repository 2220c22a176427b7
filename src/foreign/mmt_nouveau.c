/* SPDX-License-Identifier: MIT */
/*
 * nouveau's ioctls in a recording of valgrind-mmt, as records of a capture: channels, objects, buffers, submissions. What the
 * program has written to the mappings of a buffer is in it when it is submitted.
 *
 * Buffers have the kernel's handles. Of several open files of nodes the one with the first buffer or channel is read.
 *
 * Not modelled: what the GPU, the kernel or other processes write to buffers; relocations that the kernel applies
 *               (RELOCs are recorded); VM_BIND and EXEC, which came after valgrind-mmt
 * Source: Linux include/uapi/drm/nouveau_drm.h; libdrm nouveau/nvif/ioctl.h
 */
#include "foreign/mmt_nouveau.h"

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
    EXEC = 0x52,
};

bool mmt_append(const struct mmt_client *client, struct pfifo_stream_record record) {
    return pfifo_stream_writer_append(client->writer, &record, client->error) == PFIFO_OK;
}

bool mmt_no_memory(const struct mmt_client *client) {
    return pfifo_error_set(client->error, PFIFO_ERROR_MEMORY, "%.100s: no memory for its buffers",
                           client->file->name) == PFIFO_OK;
}

/* An ioctl that is not in the capture. */
bool mmt_leave_out(struct mmt_client *client, const struct mmt_ioctl *ioctl, const char *why) {
    if (!client->left_out++) {
        client->left_out_at = ioctl->at;
        client->left_out_why = why;
    }
    return true;
}

/* ---- buffers and what is mapped ---- */

static void free_buffer(struct mmt_client *client, uint32_t handle) {
    if (!client->buffer[handle])
        return;
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
    client->made++;
    return mmt_append(client, (struct pfifo_stream_record){.type = PFIFO_STREAM_BONEW, .bonew = made});
}

static struct mmt_mapping *find_mapping(struct mmt_client *client, uint32_t id) {
    for (size_t i = client->mappings; i-- > 0;)
        if (client->mapping[i].id == id)
            return &client->mapping[i];
    return NULL;
}

bool mmt_client_map(struct mmt_client *client, uint32_t id, uint64_t offset, uint64_t start, uint64_t bytes,
                    size_t at) {
    struct mmt_mapping *mapping = find_mapping(client, id);

    if (!mapping && client->mappings == MMT_MAPPINGS)
        return foreign_error(client->file, at, client->error, "more than %d mappings at a time", MMT_MAPPINGS) ==
               PFIFO_OK;
    mapping = mapping ? mapping : &client->mapping[client->mappings++];
    *mapping = (struct mmt_mapping){.id = id, .offset = offset, .start = start, .bytes = bytes, .looked = UINT64_MAX};
    return true;
}

void mmt_client_unmap(struct mmt_client *client, uint32_t id) {
    struct mmt_mapping *mapping = find_mapping(client, id);

    if (mapping)
        *mapping = client->mapping[--client->mappings];
}

void mmt_client_move(struct mmt_client *client, uint32_t id, uint64_t start, uint64_t bytes) {
    struct mmt_mapping *mapping = find_mapping(client, id);

    if (!mapping)
        return;
    mapping->start = start;
    mapping->bytes = bytes;
}

/* Does a mapping show this buffer? */
static bool shows(const struct mmt_client *client, const struct mmt_mapping *mapping, uint32_t handle) {
    const struct mmt_buffer *buffer = client->buffer[handle];

    return buffer && mapping->offset - buffer->map < buffer->bytes;
}

/* The buffer that a mapping shows; NULL: none. Looked for again only if there are others than there were. */
static struct mmt_buffer *buffer_of(struct mmt_client *client, struct mmt_mapping *mapping) {
    if (mapping->handle && shows(client, mapping, mapping->handle))
        return client->buffer[mapping->handle];
    if (!mapping->handle && mapping->looked == client->made)
        return NULL;
    mapping->looked = client->made;
    for (mapping->handle = MMT_HANDLES - 1; mapping->handle > 0; mapping->handle--)
        if (shows(client, mapping, mapping->handle))
            return client->buffer[mapping->handle];
    return NULL;
}

static bool write_mapping(struct mmt_client *client, struct mmt_mapping *mapping, uint64_t offset, const uint8_t *data,
                          size_t bytes) {
    struct mmt_buffer *buffer = buffer_of(client, mapping);
    uint64_t at = buffer ? mapping->offset - buffer->map : 0;

    if (!buffer || offset >= buffer->bytes - at || bytes > buffer->bytes - at - offset)
        return true;
    return foreign_pages_write(&buffer->pages, 0, at + offset, data, bytes) || mmt_no_memory(client);
}

bool mmt_client_write(struct mmt_client *client, uint32_t id, uint64_t offset, const uint8_t *data, size_t bytes) {
    struct mmt_mapping *mapping = find_mapping(client, id);

    return !mapping || write_mapping(client, mapping, offset, data, bytes);
}

bool mmt_client_write_at(struct mmt_client *client, uint64_t address, const uint8_t *data, size_t bytes) {
    for (size_t i = client->mappings; i-- > 0;)
        if (address - client->mapping[i].start < client->mapping[i].bytes)
            return write_mapping(client, &client->mapping[i], address - client->mapping[i].start, data, bytes);
    return true;
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
    return mmt_leave_out(client, ioctl, "a submission by address (EXEC)");
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
    {EXEC, 4, true, false, take_exec},
    {GEM_NEW, 40, false, true, take_info},
    {GEM_INFO, 40, false, true, take_info},
    {GEM_PUSHBUF, 64, true, false, mmt_submit},
    {GEM_CPU_PREP, 8, false, false, take_wait},
    {GEM_CLOSE, 4, false, false, take_close},
};

bool mmt_client_ioctl(struct mmt_client *client, const struct mmt_ioctl *ioctl) {
    if ((ioctl->request >> 8 & 0xff) != DRM_TYPE || (ioctl->after && ioctl->result))
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

bool mmt_client_end(struct mmt_client *client) {
    if (!client->has_fd)
        return foreign_error(client->file, client->file->size, client->error,
                             "no buffer and no channel of nouveau in the log of valgrind-mmt") == PFIFO_OK;
    return !client->left_out ||
           foreign_note(client->writer, client->error, "%zu ioctls are not here; the first is at offset %zu: %s",
                        client->left_out, client->left_out_at, client->left_out_why) == PFIFO_OK;
}

void mmt_client_free(struct mmt_client *client) {
    if (!client)
        return;
    for (uint32_t i = 0; i < MMT_HANDLES; i++)
        free_buffer(client, i);
    free(client);
}
