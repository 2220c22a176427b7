/* SPDX-License-Identifier: MIT */
#include "face/drm/window/wayland.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

struct wayland_object *wayland_find(const struct wayland *wayland, uint32_t id) {
    for (size_t i = 0; i < wayland->count; i++)
        if (wayland->objects[i].id == id)
            return &wayland->objects[i];
    return NULL;
}

static void object_end(struct wayland_object *object) {
    if (object->fd >= 0)
        close(object->fd);
    if (object->memory >= 0)
        close(object->memory);
    if (object->to)
        munmap(object->to, object->bytes);
}

void wayland_forget(struct wayland *wayland, uint32_t id) {
    struct wayland_object *object = wayland_find(wayland, id);
    if (!object)
        return;
    object_end(object);
    *object = wayland->objects[--wayland->count];
}

struct wayland_object *wayland_new(struct wayland *wayland, uint32_t id, enum wayland_kind kind) {
    wayland_forget(wayland, id);
    if (wayland->count == wayland->room) {
        size_t room = wayland->room ? 2 * wayland->room : 16;
        struct wayland_object *grown = room <= WAYLAND_OBJECTS ? realloc(wayland->objects, room * sizeof *grown) : NULL;
        if (!grown)
            return NULL;
        wayland->objects = grown;
        wayland->room = room;
    }
    struct wayland_object *object = &wayland->objects[wayland->count++];
    *object = (struct wayland_object){.id = id, .kind = kind, .fd = -1, .memory = -1};
    return object;
}

void wayland_begin(struct wayland *wayland, const struct wayland_host *host) {
    *wayland = (struct wayland){.host = host};
}

void wayland_end(struct wayland *wayland) {
    for (size_t i = 0; i < wayland->count; i++)
        object_end(&wayland->objects[i]);
    free(wayland->objects);
    wayland->objects = NULL;
    wayland->count = wayland->room = 0;
    wayland_stream_end(&wayland->requests);
    wayland_stream_end(&wayland->events);
}
