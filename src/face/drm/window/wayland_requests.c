/* SPDX-License-Identifier: MIT */
/* What the program sends. */
#include "face/drm/window/wayland.h"

#include <string.h>

enum { WL_DISPLAY_GET_REGISTRY = 1, WL_COMPOSITOR_CREATE_SURFACE = 0, WL_SHM_RELEASE = 1, WL_BUFFER_DESTROY = 0 };
enum { WL_SURFACE_DESTROY = 0, WL_SURFACE_ATTACH = 1, WL_SURFACE_COMMIT = 6 };

static bool pass(struct wayland *wayland, const struct wayland_message *message) {
    return wayland_put(&wayland->requests, message->bytes, message->size);
}

/* An object that the request makes. */
static bool pass_and_enter(struct wayland *wayland, const struct wayland_message *message, enum wayland_kind kind) {
    struct wayland_arguments from = wayland_arguments(message);
    uint32_t id = wayland_uint(&from);
    return (from.bad || wayland_new(wayland, id, kind)) && pass(wayland, message);
}

static bool pass_and_forget(struct wayland *wayland, const struct wayland_message *message) {
    wayland_forget(wayland, message->object);
    return pass(wayland, message);
}

static bool registry_request(struct wayland *wayland, const struct wayland_message *message) {
    struct wayland_arguments from = wayland_arguments(message);
    uint32_t name = wayland_uint(&from);
    const char *interface = wayland_string(&from);
    uint32_t version = wayland_uint(&from), id = wayland_uint(&from);
    if (message->code != WL_REGISTRY_BIND || from.bad)
        return pass(wayland, message);
    if (name == WAYLAND_DMABUF_NAME)
        return wayland_bind_dmabuf(wayland, message->object, id, version);
    if (strcmp(interface, "wl_compositor") == 0 && !wayland_new(wayland, id, WAYLAND_COMPOSITOR))
        return false;
    if (strcmp(interface, "wl_shm") == 0 && !wayland_new(wayland, id, WAYLAND_SHM))
        return false;
    return pass(wayland, message);
}

/* The program's own pool, with its descriptor. */
static bool shm_request(struct wayland *wayland, const struct wayland_message *message) {
    int fd = message->code == WL_SHM_CREATE_POOL ? wayland_take_fd(&wayland->requests) : -1;
    if (fd >= 0 && !wayland_put_fd(&wayland->requests, fd))
        return false;
    return message->code == WL_SHM_RELEASE ? pass_and_forget(wayland, message) : pass(wayland, message);
}

/* What was attached is drawn by now, or the program has submitted it. A buffer that is not the model's any more stays. */
static void show(struct wayland *wayland, uint32_t id) {
    const struct wayland_object *buffer = wayland_find(wayland, id);
    if (buffer && buffer->kind == WAYLAND_BUFFER && buffer->to)
        wayland->host->read(wayland->host->opaque, &buffer->image, buffer->to, (size_t)buffer->image.width * 4);
}

static bool surface_request(struct wayland *wayland, struct wayland_object *surface,
                            const struct wayland_message *message) {
    struct wayland_arguments from = wayland_arguments(message);
    if (message->code == WL_SURFACE_DESTROY)
        return pass_and_forget(wayland, message);
    if (message->code == WL_SURFACE_ATTACH)
        surface->attached = wayland_uint(&from);
    if (message->code == WL_SURFACE_COMMIT) {
        uint32_t attached = surface->attached;
        surface->attached = 0;
        show(wayland, attached);
    }
    return pass(wayland, message);
}

static bool request_of(struct wayland *wayland, struct wayland_object *object, const struct wayland_message *message) {
    switch (object->kind) {
    case WAYLAND_REGISTRY:
        return registry_request(wayland, message);
    case WAYLAND_COMPOSITOR:
        return message->code == WL_COMPOSITOR_CREATE_SURFACE ? pass_and_enter(wayland, message, WAYLAND_SURFACE)
                                                             : pass(wayland, message);
    case WAYLAND_SHM:
        return shm_request(wayland, message);
    case WAYLAND_SURFACE:
        return surface_request(wayland, object, message);
    case WAYLAND_BUFFER:
        return message->code == WL_BUFFER_DESTROY ? pass_and_forget(wayland, message) : pass(wayland, message);
    case WAYLAND_DMABUF:
    case WAYLAND_FEEDBACK:
        return wayland_dmabuf_request(wayland, object, message);
    case WAYLAND_PARAMS:
        return wayland_params_request(wayland, object, message);
    }
    return false;
}

static bool request(struct wayland *wayland, const struct wayland_message *message) {
    struct wayland_object *object = wayland_find(wayland, message->object);
    if (object)
        return request_of(wayland, object, message);
    if (message->object == WL_DISPLAY && message->code == WL_DISPLAY_GET_REGISTRY)
        return pass_and_enter(wayland, message, WAYLAND_REGISTRY);
    return pass(wayland, message);
}

/* Those of messages that nothing is known of. While a message is not whole, a buffer may be its descriptor. */
static bool pass_descriptors(struct wayland *wayland) {
    struct wayland_stream *stream = &wayland->requests;
    while (stream->in_fd_count) {
        if (stream->in_bytes && wayland->host->buffer(wayland->host->opaque, stream->in_fds[0]))
            return true;
        if (!wayland_put_fd(stream, wayland_take_fd(stream)))
            return false;
    }
    return true;
}

bool wayland_take_requests(struct wayland *wayland) {
    struct wayland_stream *stream = &wayland->requests;
    struct wayland_message message;
    int found = 0;
    while (!wayland->over && (found = wayland_first(stream, &message)) > 0) {
        if (!request(wayland, &message))
            return false;
        stream->in_done += message.size;
    }
    wayland_make_room(stream);
    return !wayland->over && found == 0 && pass_descriptors(wayland);
}
