/* SPDX-License-Identifier: MIT */
/*
 * Windows of an X server: what a program draws on the model appears in them. The server knows nothing of the model's
 * buffers, so this library stands before the functions of libxcb with which Mesa hands them over:
 *
 *   Mesa --DRI3: Open, PixmapFromBuffer, FenceFromFD--> answered here: a node of the model, an ordinary pixmap, a fence
 *     |
 *     \----Present: Pixmap; CopyArea; FreePixmap------> the picture goes from the buffer to the pixmap (PutImage), then
 *                                                       libxcb and the server do what they would have done
 *
 * A pixmap is the server's own, so presenting, its events, errors and idle pixmaps are the server's, too, and the program
 * may be on another machine than the server. The server needs Present, and no DRI3.
 *
 *   x11_libraries.c  the functions that this stands before
 *   x11_dri3.c       the requests of DRI3
 *   x11_requests.c   those of others that name a pixmap or a fence of ours
 *   x11_pixmaps.c    pixmaps of buffers, and the way of pictures
 *   x11_fences.c     fences in shared memory
 *   x11_errors.c     requests that the server is to refuse
 *   x11_screen.c     the card's display in a window, of programs that have none
 *
 * Modelled:     DRI3 1.2 with buffers of one plane; copies both ways, as front buffers need them.
 * Not modelled: BuffersFromPixmap, so no drawing to pixmaps that are not Mesa's, and no textures from pixmaps; 1.3 and
 *               later (synchronisation objects of the kernel). Programs that speak to the server without libxcb.
 * Sources:      xorgproto dri3proto.txt, presentproto.txt; headers of libxcb; Mesa src/loader/loader_dri3_helper.c,
 *               src/vulkan/wsi/wsi_common_x11.c
 */
#ifndef PFIFO_SRC_FACE_DRM_WINDOW_X11_H
#define PFIFO_SRC_FACE_DRM_WINDOW_X11_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <xcb/dri3.h>
#include <xcb/present.h>
#include <xcb/sync.h>
#include <xcb/xcb.h>
#include <xcb/xcbext.h>

#include "face/drm/shim/shim.h"

/* ---- x11_libraries.c ---- */

enum x11_library { X11_CORE, X11_DRI3, X11_PRESENT, X11_SYNC, X11_XSHMFENCE };

/* As real_find(), in a library that the program has, or could have. */
void *x11_find(_Atomic(void *) *cache, enum x11_library library, const char *name);
/* The same. NULL: it is not there. */
void *x11_try(enum x11_library library, const char *name);

// NOLINTBEGIN(bugprone-macro-parentheses): a type
#define X11_OF(library, function)                                                                                      \
    __extension__({                                                                                                    \
        static _Atomic(void *) cache_;                                                                                 \
        (__typeof__(&function))x11_find(&cache_, library, #function);                                                  \
    })
// NOLINTEND(bugprone-macro-parentheses)
#define XCB(function)     X11_OF(X11_CORE, function)
#define DRI3(function)    X11_OF(X11_DRI3, function)
#define PRESENT(function) X11_OF(X11_PRESENT, function)
#define SYNC(function)    X11_OF(X11_SYNC, function)

/* Does the program run on the model, and is the caller not this library itself? Else pass the call on. */
static inline bool x11_stands_before(void) {
    return shim_chip() != NULL;
}

/* ---- x11_pixmaps.c ---- */

struct x11_buffer {
    uint16_t width, height;
    uint32_t stride, offset;
    uint8_t depth, bits_per_pixel;
    bool has_modifier;
    uint64_t modifier;
    int fd; /* becomes the callee's */
};

/* A pixmap of a buffer, whose request is sent, too. False: such a buffer cannot be one; nothing was sent. */
bool x11_pixmap_new(xcb_connection_t *connection, xcb_pixmap_t pixmap, xcb_drawable_t drawable,
                    const struct x11_buffer *buffer, bool checked, xcb_void_cookie_t *cookie);
/* What is in the buffer goes to the pixmap, or the pixmap's area to the buffer. False: it is no pixmap of a buffer. */
bool x11_pixmap_send(xcb_connection_t *connection, xcb_pixmap_t pixmap);
bool x11_pixmap_fetch(xcb_connection_t *connection, xcb_pixmap_t pixmap, const xcb_rectangle_t *area);
/* It goes, or all of a connection that ends. */
void x11_pixmap_free(xcb_connection_t *connection, xcb_pixmap_t pixmap);
void x11_pixmaps_end(const xcb_connection_t *connection);

/* ---- x11_fences.c ---- */

/* False: the descriptor (which becomes the callee's) is none of a fence. */
bool x11_fence_new(const xcb_connection_t *connection, xcb_sync_fence_t fence, int fd);
/* Whoever waits for it goes on. False: it is no fence of shared memory. */
bool x11_fence_trigger(const xcb_connection_t *connection, xcb_sync_fence_t fence);
void x11_fence_free(const xcb_connection_t *connection, xcb_sync_fence_t fence);
void x11_fences_end(const xcb_connection_t *connection);

/* ---- x11_errors.c ---- */

/* A request that the server refuses with BadValue, in place of one that cannot be made. */
xcb_void_cookie_t x11_refuse(xcb_connection_t *connection, xcb_drawable_t drawable, bool checked);
/* A request that has a reply, and no effect: for one that is answered here. Its number in the order of requests. */
unsigned x11_ask(xcb_connection_t *connection, bool checked);
/* When the server has answered it. False: the connection is broken, and `error` as xcb's *_reply() leave it. */
bool x11_answered(xcb_connection_t *connection, unsigned sequence, xcb_generic_error_t **error);
/* Report BadAlloc to a caller that asks for errors. */
void x11_fail(xcb_generic_error_t **error);

#endif
