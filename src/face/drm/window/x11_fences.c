/* SPDX-License-Identifier: MIT */
/*
 * Fences in memory that server and program share (libxshmfence). The server has a fence of the same name, which it knows
 * nothing of; the one in memory is triggered here. That of a presented pixmap says that its buffer can be drawn to: at
 * once, because the server has a copy of the picture.
 */
#include "face/drm/window/x11.h"

#include <stdlib.h>
#include <unistd.h>

struct fence {
    struct fence *next;
    const xcb_connection_t *connection;
    xcb_sync_fence_t fence;
    void *memory; /* struct xshmfence of the library */
};

static struct fence *fences; /* guarded by the lock of the shim */

/* No header of libxshmfence is needed for these: X11/xshmfence.h. */
typedef void *map_fence(int fd);
typedef void unmap_fence(void *fence);
typedef int trigger_fence(void *fence);

static void *fence_map(int fd) {
    map_fence *map = (map_fence *)x11_try(X11_XSHMFENCE, "xshmfence_map_shm");
    return map ? map(fd) : NULL;
}

static void fence_unmap(void *memory) {
    static _Atomic(void *) cache;
    ((unmap_fence *)x11_find(&cache, X11_XSHMFENCE, "xshmfence_unmap_shm"))(memory);
}

static struct fence **fence_find(const xcb_connection_t *connection, xcb_sync_fence_t fence) {
    struct fence **at = &fences;
    while (*at && ((*at)->connection != connection || (*at)->fence != fence))
        at = &(*at)->next;
    return at;
}

static void fence_remove(struct fence **at) {
    struct fence *fence = *at;
    *at = fence->next;
    fence_unmap(fence->memory);
    free(fence);
}

bool x11_fence_new(const xcb_connection_t *connection, xcb_sync_fence_t fence, int fd) {
    struct fence *made = malloc(sizeof *made);
    void *memory = fence_map(fd);
    bool entered = made && memory && shim_enter();
    close(fd);
    if (!entered) {
        if (memory)
            fence_unmap(memory);
        free(made);
        return false;
    }
    *made = (struct fence){fences, connection, fence, memory};
    fences = made;
    shim_leave();
    return true;
}

bool x11_fence_trigger(const xcb_connection_t *connection, xcb_sync_fence_t fence) {
    static _Atomic(void *) cache;
    if (!fence || !shim_enter())
        return false;
    struct fence *found = *fence_find(connection, fence);
    if (found)
        ((trigger_fence *)x11_find(&cache, X11_XSHMFENCE, "xshmfence_trigger"))(found->memory);
    shim_leave();
    return found != NULL;
}

void x11_fence_free(const xcb_connection_t *connection, xcb_sync_fence_t fence) {
    if (!shim_enter())
        return;
    struct fence **at = fence_find(connection, fence);
    if (*at)
        fence_remove(at);
    shim_leave();
}

void x11_fences_end(const xcb_connection_t *connection) {
    if (!shim_enter())
        return;
    for (struct fence **at = &fences; *at;)
        if ((*at)->connection == connection)
            fence_remove(at);
        else
            at = &(*at)->next;
    shim_leave();
}
