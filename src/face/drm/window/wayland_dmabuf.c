/* SPDX-License-Identifier: MIT */
/* What the program sends to linux-dmabuf, as requests to wl_shm. */
#include "face/drm/window/wayland.h"

#include <drm_fourcc.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DMABUF_DESTROY = 0, DMABUF_CREATE_PARAMS = 1, DMABUF_DEFAULT_FEEDBACK = 2, DMABUF_SURFACE_FEEDBACK = 3 };
enum { DMABUF_FORMAT = 0, DMABUF_MODIFIER = 1, DMABUF_MODIFIER_SINCE = 3, DMABUF_FEEDBACK_SINCE = 4 };
enum { PARAMS_DESTROY = 0, PARAMS_ADD = 1, PARAMS_CREATE = 2, PARAMS_CREATE_IMMED = 3, PARAMS_FAILED = 1 };
enum { ALREADY_USED = 0, PLANE_INDEX = 1, PLANE_SET = 2, INCOMPLETE = 3, INVALID_BUFFER = 7 };
enum { FEEDBACK_DESTROY = 0 };
enum { DONE = 0, FORMAT_TABLE = 1, MAIN_DEVICE = 2, TRANCHE_DONE = 3, TRANCHE_DEVICE = 4, TRANCHE_FORMATS = 5 };
enum { TRANCHE_FLAGS = 6, INVALID_METHOD = 1 /* of wl_display.error */ };
enum { SHM_ARGB8888 = 0, SHM_XRGB8888 = 1 };

#define POOL_BYTES 4096u /* of a pool that has no buffer yet */

/* Those that every compositor has for wl_shm. */
static const uint32_t formats[] = {DRM_FORMAT_XRGB8888, DRM_FORMAT_ARGB8888};
#define FORMATS (sizeof formats / sizeof formats[0])

bool wayland_error(struct wayland *wayland, uint32_t object, uint32_t code, const char *message) {
    const uint32_t words[] = {object, code};
    uint8_t arguments[160];
    memcpy(arguments, words, sizeof words);
    size_t bytes = wayland_string_bytes(message, arguments + sizeof words, sizeof arguments - sizeof words);
    wayland_put_message(&wayland->events, WL_DISPLAY, WL_DISPLAY_ERROR, arguments, sizeof words + bytes);
    wayland->over = true;
    return false;
}

/* A pool for the compositor, at an id that the program has given to something else. -1: none; else its memory. */
static int make_pool(struct wayland *wayland, uint32_t shm, uint32_t id) {
    const uint32_t words[] = {id, POOL_BYTES};
    int memory = memfd_create("pfifo-window", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memory >= 0 && ftruncate(memory, POOL_BYTES) == 0 &&
        wayland_put_fd(&wayland->requests, fcntl(memory, F_DUPFD_CLOEXEC, 0)) &&
        wayland_put_words(&wayland->requests, shm, WL_SHM_CREATE_POOL, words, 2))
        return memory;
    if (memory >= 0)
        close(memory);
    return -1;
}

/* ---- formats and modifiers ---- */

struct table_row {
    uint32_t format, unused;
    uint64_t modifier;
};

/* Each format with each modifier; how many rows. Before G80 there are no modifiers, and the buffer says. */
static size_t fill_table(const struct wayland *wayland, struct table_row rows[FORMATS * DRM_MOST_MODIFIERS]) {
    uint64_t modifiers[DRM_MOST_MODIFIERS] = {DRM_FORMAT_MOD_INVALID};
    uint32_t count = wayland->host->modifiers(wayland->host->opaque, modifiers);
    size_t filled = 0;
    if (count == 0)
        modifiers[count++] = DRM_FORMAT_MOD_INVALID;
    for (size_t i = 0; i < FORMATS; i++)
        for (uint32_t k = 0; k < count; k++)
            rows[filled++] = (struct table_row){formats[i], 0, modifiers[k]};
    return filled;
}

static bool put_array(struct wayland_stream *stream, uint32_t object, uint32_t code, const void *data, uint32_t bytes) {
    uint8_t arguments[4 + 4 * FORMATS * DRM_MOST_MODIFIERS] = {0};
    memcpy(arguments, &bytes, sizeof bytes);
    memcpy(arguments + sizeof bytes, data, bytes);
    return wayland_put_message(stream, object, code, arguments, sizeof bytes + ((bytes + 3) & ~3u));
}

/* A file with the rows, which the program maps. -1: none. */
static int table_file(const struct table_row *rows, size_t bytes) {
    int file = memfd_create("pfifo-formats", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file >= 0 && write(file, rows, bytes) == (ssize_t)bytes)
        return file;
    if (file >= 0)
        close(file);
    return -1;
}

static bool give_feedback(struct wayland *wayland, uint32_t id) {
    struct table_row rows[FORMATS * DRM_MOST_MODIFIERS];
    uint16_t indices[FORMATS * DRM_MOST_MODIFIERS];
    struct wayland_stream *to = &wayland->events;
    const size_t count = fill_table(wayland, rows);
    const uint32_t bytes = (uint32_t)(count * sizeof rows[0]), none = 0;
    const uint64_t device = wayland->host->device;
    for (size_t i = 0; i < count; i++)
        indices[i] = (uint16_t)i;
    return wayland_put_fd(to, table_file(rows, bytes)) && wayland_put_words(to, id, FORMAT_TABLE, &bytes, 1) &&
           put_array(to, id, MAIN_DEVICE, &device, sizeof device) &&
           put_array(to, id, TRANCHE_DEVICE, &device, sizeof device) &&
           wayland_put_words(to, id, TRANCHE_FLAGS, &none, 1) &&
           put_array(to, id, TRANCHE_FORMATS, indices, (uint32_t)(count * sizeof indices[0])) &&
           wayland_put_message(to, id, TRANCHE_DONE, NULL, 0) && wayland_put_message(to, id, DONE, NULL, 0);
}

/* Version 3 and earlier: when it is bound. */
static bool give_formats(struct wayland *wayland, uint32_t id, uint32_t version) {
    struct table_row rows[FORMATS * DRM_MOST_MODIFIERS];
    const size_t count = fill_table(wayland, rows);
    bool given = true;
    for (size_t i = 0; given && version < DMABUF_MODIFIER_SINCE && i < FORMATS; i++)
        given = wayland_put_words(&wayland->events, id, DMABUF_FORMAT, &formats[i], 1);
    for (size_t i = 0; given && version == DMABUF_MODIFIER_SINCE && i < count; i++) {
        const uint32_t words[] = {rows[i].format, (uint32_t)(rows[i].modifier >> 32), (uint32_t)rows[i].modifier};
        given = wayland_put_words(&wayland->events, id, DMABUF_MODIFIER, words, 3);
    }
    return given;
}

/* ---- zwp_linux_dmabuf_v1, zwp_linux_dmabuf_feedback_v1 ---- */

bool wayland_bind_dmabuf(struct wayland *wayland, uint32_t registry, uint32_t id, uint32_t version) {
    static const uint32_t shm_version = 1;
    uint8_t arguments[32];
    struct wayland_object *object = wayland_new(wayland, id, WAYLAND_DMABUF);
    if (!object)
        return false;
    object->version = version;
    memcpy(arguments, &wayland->shm, sizeof wayland->shm);
    size_t bytes = sizeof wayland->shm;
    bytes += wayland_string_bytes("wl_shm", arguments + bytes, sizeof arguments - bytes - 8);
    memcpy(arguments + bytes, &shm_version, sizeof shm_version);
    memcpy(arguments + bytes + 4, &id, sizeof id);
    return wayland_put_message(&wayland->requests, registry, WL_REGISTRY_BIND, arguments, bytes + 8) &&
           (version >= DMABUF_FEEDBACK_SINCE || give_formats(wayland, id, version));
}

static bool create_params(struct wayland *wayland, uint32_t shm, uint32_t id) {
    struct wayland_object *params = wayland_new(wayland, id, WAYLAND_PARAMS);
    if (!params)
        return false;
    params->memory = make_pool(wayland, shm, id);
    return params->memory >= 0;
}

static bool create_feedback(struct wayland *wayland, uint32_t shm, uint32_t id) {
    int memory = wayland_new(wayland, id, WAYLAND_FEEDBACK) ? make_pool(wayland, shm, id) : -1;
    if (memory < 0)
        return false;
    close(memory);
    return give_feedback(wayland, id);
}

/* wl_shm of version 1 has no end: that object stays with the compositor, and the program never gives its id again. */
bool wayland_dmabuf_request(struct wayland *wayland, const struct wayland_object *object,
                            const struct wayland_message *message) {
    struct wayland_arguments from = wayland_arguments(message);
    const uint32_t at = message->object;
    if (object->kind == WAYLAND_FEEDBACK) {
        if (message->code != FEEDBACK_DESTROY)
            return wayland_error(wayland, WL_DISPLAY, INVALID_METHOD, "no such request");
        wayland_forget(wayland, at);
        return wayland_put_message(&wayland->requests, at, WL_SHM_POOL_DESTROY, NULL, 0);
    }
    if (message->code == DMABUF_DESTROY)
        return true;
    uint32_t id = wayland_uint(&from);
    if (from.bad || message->code > DMABUF_SURFACE_FEEDBACK || id <= WL_DISPLAY)
        return wayland_error(wayland, WL_DISPLAY, INVALID_METHOD, "no such request");
    return message->code == DMABUF_CREATE_PARAMS ? create_params(wayland, at, id) : create_feedback(wayland, at, id);
}

/* ---- zwp_linux_buffer_params_v1 ---- */

/* The next descriptor that is a buffer of the model; those before it are of messages that nothing is known of. */
static int take_buffer(struct wayland *wayland) {
    struct wayland_stream *stream = &wayland->requests;
    size_t at = 0;
    while (at < stream->in_fd_count && !wayland->host->buffer(wayland->host->opaque, stream->in_fds[at]))
        at++;
    for (; at && at < stream->in_fd_count; at--)
        if (!wayland_put_fd(stream, wayland_take_fd(stream)))
            return -1;
    return at == 0 ? wayland_take_fd(stream) : -1;
}

static bool params_add(struct wayland *wayland, struct wayland_object *params, const struct wayland_message *message) {
    struct wayland_arguments from = wayland_arguments(message);
    uint32_t plane = wayland_uint(&from), offset = wayland_uint(&from), stride = wayland_uint(&from);
    uint64_t modifier = (uint64_t)wayland_uint(&from) << 32;
    modifier |= wayland_uint(&from);
    if (from.bad)
        return wayland_error(wayland, WL_DISPLAY, INVALID_METHOD, "a request without its arguments");
    if (params->used)
        return wayland_error(wayland, params->id, ALREADY_USED, "the params have made a buffer");
    if (plane != 0)
        return wayland_error(wayland, params->id, PLANE_INDEX, "the formats have one plane");
    if (params->fd >= 0)
        return wayland_error(wayland, params->id, PLANE_SET, "the plane is set");
    params->fd = take_buffer(wayland);
    if (params->fd < 0)
        return wayland_error(wayland, params->id, INVALID_BUFFER, "the descriptor is no buffer of the model");
    params->image = (struct drm_image){.file = params->fd,
                                       .pitch = stride,
                                       .offset = offset,
                                       .has_modifier = modifier != DRM_FORMAT_MOD_INVALID,
                                       .modifier = modifier};
    return true;
}

/* What is wrong with a buffer; NULL: nothing. */
static const char *find_fault(const struct wayland *wayland, const struct drm_image *image, uint32_t flags) {
    bool known = false;
    for (size_t i = 0; i < FORMATS; i++)
        known |= image->fourcc == formats[i];
    if (!known)
        return "no such format";
    if (flags)
        return "no flags are known";
    /* The pool's size is a signed number. */
    if (image->width == 0 || image->height == 0 || image->width > INT32_MAX / 4 / image->height)
        return "no such size";
    return wayland->host->check(wayland->host->opaque, image) ? NULL : "no picture of the model";
}

/* The pool gets as large as the picture, and the buffer is all of it. */
static bool put_buffer(struct wayland *wayland, uint32_t pool, uint32_t id, const struct drm_image *image) {
    const uint32_t pitch = image->width * 4, bytes = pitch * image->height;
    const uint32_t size[] = {bytes > POOL_BYTES ? bytes : POOL_BYTES};
    const uint32_t format = image->fourcc == DRM_FORMAT_XRGB8888 ? SHM_XRGB8888 : SHM_ARGB8888;
    const uint32_t words[] = {id, 0, image->width, image->height, pitch, format};
    return wayland_put_words(&wayland->requests, pool, WL_SHM_POOL_RESIZE, size, 1) &&
           wayland_put_words(&wayland->requests, pool, WL_SHM_POOL_CREATE_BUFFER, words, 6);
}

/* The compositor has the file, too, and can write to it, but not make it shorter: that would be SIGBUS in the program. */
static uint8_t *map_pool(int memory, size_t bytes) {
    struct stat as;
    if (ftruncate(memory, (off_t)(bytes > POOL_BYTES ? bytes : POOL_BYTES)) != 0 ||
        fcntl(memory, F_ADD_SEALS, F_SEAL_SHRINK) != 0 || fstat(memory, &as) != 0 || (size_t)as.st_size < bytes)
        return NULL;
    void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    return mapped == MAP_FAILED ? NULL : mapped;
}

/* The params' buffer becomes that of a new object. */
static bool make_buffer(struct wayland *wayland, struct wayland_object *params, uint32_t id) {
    const struct drm_image image = params->image;
    const uint32_t pool = params->id;
    const size_t bytes = (size_t)image.width * 4 * image.height;
    uint8_t *to = map_pool(params->memory, bytes);
    int fd = params->fd;
    params->used = true;
    params->fd = -1;
    struct wayland_object *buffer =
        to ? wayland_new(wayland, id, WAYLAND_BUFFER) : NULL; /* the params may have moved */
    if (!buffer) {
        close(fd);
        if (to)
            munmap(to, bytes);
        return false;
    }
    buffer->fd = fd;
    buffer->image = image;
    buffer->to = to;
    buffer->bytes = bytes;
    return put_buffer(wayland, pool, id, &image);
}

static bool params_create(struct wayland *wayland, struct wayland_object *params,
                          const struct wayland_message *message) {
    struct wayland_arguments from = wayland_arguments(message);
    uint32_t id = wayland_uint(&from);
    params->image.width = wayland_uint(&from);
    params->image.height = wayland_uint(&from);
    params->image.fourcc = wayland_uint(&from);
    uint32_t flags = wayland_uint(&from);
    if (from.bad || id <= WL_DISPLAY || id == params->id)
        return wayland_error(wayland, WL_DISPLAY, INVALID_METHOD, "a request without its arguments");
    if (params->used)
        return wayland_error(wayland, params->id, ALREADY_USED, "the params have made a buffer");
    if (params->fd < 0)
        return wayland_error(wayland, params->id, INCOMPLETE, "no plane was added");
    const char *fault = find_fault(wayland, &params->image, flags);
    if (fault)
        return wayland_error(wayland, params->id, INVALID_BUFFER, fault);
    return make_buffer(wayland, params, id);
}

bool wayland_params_request(struct wayland *wayland, struct wayland_object *params,
                            const struct wayland_message *message) {
    switch (message->code) {
    case PARAMS_DESTROY:
        wayland_forget(wayland, message->object);
        return wayland_put_message(&wayland->requests, message->object, WL_SHM_POOL_DESTROY, NULL, 0);
    case PARAMS_ADD:
        return params_add(wayland, params, message);
    case PARAMS_CREATE:
        params->used = true;
        return wayland_put_message(&wayland->events, message->object, PARAMS_FAILED, NULL, 0);
    case PARAMS_CREATE_IMMED:
        return params_create(wayland, params, message);
    default:
        return wayland_error(wayland, WL_DISPLAY, INVALID_METHOD, "no such request");
    }
}
