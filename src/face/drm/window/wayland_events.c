/* SPDX-License-Identifier: MIT */
/* What the compositor sends. */
#include "face/drm/window/wayland.h"

#include <string.h>

/* Globals that lead to another card. */
static bool is_hidden(const char *interface) {
    static const char *const names[] = {"zwp_linux_dmabuf_v1", "wl_drm", "wp_linux_drm_syncobj_manager_v1",
                                        "zwp_linux_explicit_synchronization_v1"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(interface, names[i]) == 0)
            return true;
    return false;
}

static bool pass(struct wayland *wayland, const struct wayland_message *message) {
    return wayland_put(&wayland->events, message->bytes, message->size);
}

/* That of the model, which stands on wl_shm. */
static bool show_dmabuf(struct wayland *wayland, uint32_t registry) {
    static const uint32_t name = WAYLAND_DMABUF_NAME, version = WAYLAND_DMABUF_VERSION;
    uint8_t arguments[64];
    memcpy(arguments, &name, sizeof name);
    size_t bytes = sizeof name;
    bytes += wayland_string_bytes("zwp_linux_dmabuf_v1", arguments + bytes, sizeof arguments - bytes - sizeof version);
    memcpy(arguments + bytes, &version, sizeof version);
    return wayland_put_message(&wayland->events, registry, WL_REGISTRY_GLOBAL, arguments, bytes + sizeof version);
}

static bool registry_event(struct wayland *wayland, const struct wayland_message *message) {
    struct wayland_arguments from = wayland_arguments(message);
    if (message->code != WL_REGISTRY_GLOBAL)
        return pass(wayland, message);
    uint32_t name = wayland_uint(&from);
    const char *interface = wayland_string(&from);
    if (!interface)
        return pass(wayland, message);
    if (is_hidden(interface))
        return true;
    bool passed = pass(wayland, message);
    if (!passed || strcmp(interface, "wl_shm") != 0)
        return passed;
    wayland->shm = name;
    return show_dmabuf(wayland, message->object);
}

/* Those of objects that the program has otherwise: of wl_shm its formats, and of pools there are none. */
static bool event(struct wayland *wayland, const struct wayland_message *message) {
    const struct wayland_object *object = wayland_find(wayland, message->object);
    if (!object)
        return pass(wayland, message);
    switch (object->kind) {
    case WAYLAND_REGISTRY:
        return registry_event(wayland, message);
    case WAYLAND_DMABUF:
    case WAYLAND_PARAMS:
    case WAYLAND_FEEDBACK:
        return true;
    default:
        return pass(wayland, message);
    }
}

bool wayland_take_events(struct wayland *wayland) {
    struct wayland_stream *stream = &wayland->events;
    struct wayland_message message;
    int found;
    for (int fd; (fd = wayland_take_fd(stream)) >= 0;)
        if (!wayland_put_fd(stream, fd))
            return false;
    while ((found = wayland_first(stream, &message)) > 0) {
        if (!event(wayland, &message))
            return false;
        stream->in_done += message.size;
    }
    wayland_make_room(stream);
    return found == 0;
}
