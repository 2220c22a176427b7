/* SPDX-License-Identifier: MIT */
/*
 * DRI3 1.2 as a server would answer it that shows the model's card. It is there where Present is: without that, Mesa has
 * no use for it. A request with a reply becomes one of the server's that has a reply and no effect, so that numbers of
 * requests, errors and broken connections stay libxcb's.
 */
#include "face/drm/window/x11.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NAME     "DRI3"
#define STAND_IN "Present"

/* ---- is it there? ---- */

static bool is_dri3(const char *name, size_t length) {
    return length == strlen(NAME) && memcmp(name, NAME, length) == 0 && x11_stands_before();
}

SHIM const struct xcb_query_extension_reply_t *xcb_get_extension_data(xcb_connection_t *c, xcb_extension_t *extension) {
    if (is_dri3(extension->name, strlen(extension->name))) {
        xcb_extension_t *stand_in = x11_try(X11_PRESENT, "xcb_present_id");
        extension = stand_in ? stand_in : extension;
    }
    return XCB(xcb_get_extension_data)(c, extension);
}

SHIM xcb_query_extension_cookie_t xcb_query_extension(xcb_connection_t *c, uint16_t name_len, const char *name) {
    if (is_dri3(name, name_len))
        return XCB(xcb_query_extension)(c, (uint16_t)strlen(STAND_IN), STAND_IN);
    return XCB(xcb_query_extension)(c, name_len, name);
}

SHIM xcb_query_extension_cookie_t xcb_query_extension_unchecked(xcb_connection_t *c, uint16_t name_len,
                                                                const char *name) {
    if (is_dri3(name, name_len))
        return XCB(xcb_query_extension_unchecked)(c, (uint16_t)strlen(STAND_IN), STAND_IN);
    return XCB(xcb_query_extension_unchecked)(c, name_len, name);
}

/* ---- QueryVersion ---- */

SHIM xcb_dri3_query_version_cookie_t xcb_dri3_query_version(xcb_connection_t *c, uint32_t major, uint32_t minor) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_query_version)(c, major, minor);
    return (xcb_dri3_query_version_cookie_t){x11_ask(c, true)};
}

SHIM xcb_dri3_query_version_cookie_t xcb_dri3_query_version_unchecked(xcb_connection_t *c, uint32_t major,
                                                                      uint32_t minor) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_query_version_unchecked)(c, major, minor);
    return (xcb_dri3_query_version_cookie_t){x11_ask(c, false)};
}

SHIM xcb_dri3_query_version_reply_t *
xcb_dri3_query_version_reply(xcb_connection_t *c, xcb_dri3_query_version_cookie_t cookie, xcb_generic_error_t **error) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_query_version_reply)(c, cookie, error);
    if (!x11_answered(c, cookie.sequence, error))
        return NULL;
    xcb_dri3_query_version_reply_t *reply = calloc(1, sizeof *reply);
    if (reply)
        *reply = (xcb_dri3_query_version_reply_t){.response_type = 1, .major_version = 1, .minor_version = 2};
    return reply;
}

/* ---- Open ---- */

struct opened {
    xcb_dri3_open_reply_t reply;
    int fd;
};

SHIM xcb_dri3_open_cookie_t xcb_dri3_open(xcb_connection_t *c, xcb_drawable_t drawable, uint32_t provider) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_open)(c, drawable, provider);
    return (xcb_dri3_open_cookie_t){x11_ask(c, true)};
}

SHIM xcb_dri3_open_cookie_t xcb_dri3_open_unchecked(xcb_connection_t *c, xcb_drawable_t drawable, uint32_t provider) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_open_unchecked)(c, drawable, provider);
    return (xcb_dri3_open_cookie_t){x11_ask(c, false)};
}

/* A node for rendering, as servers give it where there is one. -1: none. */
static int open_node(void) {
    if (!shim_enter())
        return -1;
    int fd = files_open(DRM_NODE_RENDER, O_RDWR | O_CLOEXEC);
    shim_leave();
    return fd;
}

SHIM xcb_dri3_open_reply_t *xcb_dri3_open_reply(xcb_connection_t *c, xcb_dri3_open_cookie_t cookie,
                                                xcb_generic_error_t **error) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_open_reply)(c, cookie, error);
    if (!x11_answered(c, cookie.sequence, error))
        return NULL;
    struct opened *opened = calloc(1, sizeof *opened);
    int fd = opened ? open_node() : -1;
    if (fd < 0) {
        x11_fail(error);
        free(opened);
        return NULL;
    }
    opened->reply = (xcb_dri3_open_reply_t){.response_type = 1, .nfd = 1};
    opened->fd = fd;
    return &opened->reply;
}

SHIM int *xcb_dri3_open_reply_fds(xcb_connection_t *c, xcb_dri3_open_reply_t *reply) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_open_reply_fds)(c, reply);
    return &((struct opened *)(void *)reply)->fd;
}

/* ---- GetSupportedModifiers ---- */

SHIM xcb_dri3_get_supported_modifiers_cookie_t xcb_dri3_get_supported_modifiers(xcb_connection_t *c, uint32_t window,
                                                                                uint8_t depth, uint8_t bpp) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_get_supported_modifiers)(c, window, depth, bpp);
    return (xcb_dri3_get_supported_modifiers_cookie_t){x11_ask(c, true)};
}

SHIM xcb_dri3_get_supported_modifiers_cookie_t xcb_dri3_get_supported_modifiers_unchecked(xcb_connection_t *c,
                                                                                          uint32_t window,
                                                                                          uint8_t depth, uint8_t bpp) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_get_supported_modifiers_unchecked)(c, window, depth, bpp);
    return (xcb_dri3_get_supported_modifiers_cookie_t){x11_ask(c, false)};
}

/* Those of a window and of its screen; both are in the reply. Here they are the same. */
SHIM xcb_dri3_get_supported_modifiers_reply_t *
xcb_dri3_get_supported_modifiers_reply(xcb_connection_t *c, xcb_dri3_get_supported_modifiers_cookie_t cookie,
                                       xcb_generic_error_t **error) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_get_supported_modifiers_reply)(c, cookie, error);
    uint64_t modifiers[DRM_MOST_MODIFIERS];
    uint32_t count = 0;
    if (!x11_answered(c, cookie.sequence, error))
        return NULL;
    if (shim_enter()) {
        count = shim_device() ? drm_device_modifiers(shim_device(), modifiers) : 0;
        shim_leave();
    }
    size_t bytes = count * sizeof modifiers[0];
    xcb_dri3_get_supported_modifiers_reply_t *reply = calloc(1, sizeof *reply + 2 * bytes);
    if (!reply)
        return NULL;
    *reply = (xcb_dri3_get_supported_modifiers_reply_t){.response_type = 1,
                                                        .length = (uint32_t)(2 * bytes / 4),
                                                        .num_window_modifiers = count,
                                                        .num_screen_modifiers = count};
    memcpy(reply + 1, modifiers, bytes);
    memcpy((uint8_t *)(reply + 1) + bytes, modifiers, bytes);
    return reply;
}

/* ---- PixmapFromBuffer, PixmapFromBuffers ---- */

static xcb_void_cookie_t pixmap_of(xcb_connection_t *c, xcb_pixmap_t pixmap, xcb_drawable_t drawable,
                                   const struct x11_buffer *buffer, bool checked) {
    xcb_void_cookie_t cookie;
    return x11_pixmap_new(c, pixmap, drawable, buffer, checked, &cookie) ? cookie : x11_refuse(c, drawable, checked);
}

SHIM xcb_void_cookie_t xcb_dri3_pixmap_from_buffer(xcb_connection_t *c, xcb_pixmap_t pixmap, xcb_drawable_t drawable,
                                                   uint32_t size, uint16_t width, uint16_t height, uint16_t stride,
                                                   uint8_t depth, uint8_t bpp, int32_t fd) {
    const struct x11_buffer buffer = {
        .width = width, .height = height, .stride = stride, .depth = depth, .bits_per_pixel = bpp, .fd = fd};
    if (!x11_stands_before())
        return DRI3(xcb_dri3_pixmap_from_buffer)(c, pixmap, drawable, size, width, height, stride, depth, bpp, fd);
    return pixmap_of(c, pixmap, drawable, &buffer, false);
}

SHIM xcb_void_cookie_t xcb_dri3_pixmap_from_buffer_checked(xcb_connection_t *c, xcb_pixmap_t pixmap,
                                                           xcb_drawable_t drawable, uint32_t size, uint16_t width,
                                                           uint16_t height, uint16_t stride, uint8_t depth, uint8_t bpp,
                                                           int32_t fd) {
    const struct x11_buffer buffer = {
        .width = width, .height = height, .stride = stride, .depth = depth, .bits_per_pixel = bpp, .fd = fd};
    if (!x11_stands_before())
        return DRI3(xcb_dri3_pixmap_from_buffer_checked)(c, pixmap, drawable, size, width, height, stride, depth, bpp,
                                                         fd);
    return pixmap_of(c, pixmap, drawable, &buffer, true);
}

/* Of several planes: none of the display's formats has them. */
static xcb_void_cookie_t pixmap_of_planes(xcb_connection_t *c, xcb_pixmap_t pixmap, xcb_drawable_t drawable,
                                          uint8_t planes, const struct x11_buffer *buffer, const int32_t *fds,
                                          bool checked) {
    if (planes == 1)
        return pixmap_of(c, pixmap, drawable, buffer, checked);
    for (unsigned i = 0; i < planes; i++)
        close(fds[i]);
    return x11_refuse(c, drawable, checked);
}

SHIM xcb_void_cookie_t xcb_dri3_pixmap_from_buffers(xcb_connection_t *c, xcb_pixmap_t pixmap, xcb_window_t window,
                                                    uint8_t num_buffers, uint16_t width, uint16_t height,
                                                    uint32_t stride0, uint32_t offset0, uint32_t stride1,
                                                    uint32_t offset1, uint32_t stride2, uint32_t offset2,
                                                    uint32_t stride3, uint32_t offset3, uint8_t depth, uint8_t bpp,
                                                    uint64_t modifier, const int32_t *buffers) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_pixmap_from_buffers)(c, pixmap, window, num_buffers, width, height, stride0, offset0,
                                                  stride1, offset1, stride2, offset2, stride3, offset3, depth, bpp,
                                                  modifier, buffers);
    const struct x11_buffer buffer = {
        width, height, stride0, offset0, depth, bpp, true, modifier, num_buffers ? buffers[0] : -1};
    return pixmap_of_planes(c, pixmap, window, num_buffers, &buffer, buffers, false);
}

SHIM xcb_void_cookie_t xcb_dri3_pixmap_from_buffers_checked(
    xcb_connection_t *c, xcb_pixmap_t pixmap, xcb_window_t window, uint8_t num_buffers, uint16_t width, uint16_t height,
    uint32_t stride0, uint32_t offset0, uint32_t stride1, uint32_t offset1, uint32_t stride2, uint32_t offset2,
    uint32_t stride3, uint32_t offset3, uint8_t depth, uint8_t bpp, uint64_t modifier, const int32_t *buffers) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_pixmap_from_buffers_checked)(c, pixmap, window, num_buffers, width, height, stride0,
                                                          offset0, stride1, offset1, stride2, offset2, stride3, offset3,
                                                          depth, bpp, modifier, buffers);
    const struct x11_buffer buffer = {
        width, height, stride0, offset0, depth, bpp, true, modifier, num_buffers ? buffers[0] : -1};
    return pixmap_of_planes(c, pixmap, window, num_buffers, &buffer, buffers, true);
}

/* ---- BufferFromPixmap, BuffersFromPixmap ---- */

SHIM xcb_dri3_buffer_from_pixmap_cookie_t xcb_dri3_buffer_from_pixmap(xcb_connection_t *c, xcb_pixmap_t pixmap) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_buffer_from_pixmap)(c, pixmap);
    return (xcb_dri3_buffer_from_pixmap_cookie_t){x11_ask(c, true)};
}

/* The server's pixmaps are nowhere in the model's memory. */
SHIM xcb_dri3_buffer_from_pixmap_reply_t *xcb_dri3_buffer_from_pixmap_reply(xcb_connection_t *c,
                                                                            xcb_dri3_buffer_from_pixmap_cookie_t cookie,
                                                                            xcb_generic_error_t **error) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_buffer_from_pixmap_reply)(c, cookie, error);
    if (x11_answered(c, cookie.sequence, error))
        x11_fail(error);
    return NULL;
}

SHIM xcb_dri3_buffers_from_pixmap_cookie_t xcb_dri3_buffers_from_pixmap(xcb_connection_t *c, xcb_pixmap_t pixmap) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_buffers_from_pixmap)(c, pixmap);
    return (xcb_dri3_buffers_from_pixmap_cookie_t){x11_ask(c, true)};
}

SHIM xcb_dri3_buffers_from_pixmap_reply_t *
xcb_dri3_buffers_from_pixmap_reply(xcb_connection_t *c, xcb_dri3_buffers_from_pixmap_cookie_t cookie,
                                   xcb_generic_error_t **error) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_buffers_from_pixmap_reply)(c, cookie, error);
    if (x11_answered(c, cookie.sequence, error))
        x11_fail(error);
    return NULL;
}

/* ---- FenceFromFD ---- */

SHIM xcb_void_cookie_t xcb_dri3_fence_from_fd(xcb_connection_t *c, xcb_drawable_t drawable, uint32_t fence,
                                              uint8_t triggered, int32_t fd) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_fence_from_fd)(c, drawable, fence, triggered, fd);
    return x11_fence_new(c, fence, fd) ? SYNC(xcb_sync_create_fence)(c, drawable, fence, triggered)
                                       : x11_refuse(c, drawable, false);
}

SHIM xcb_void_cookie_t xcb_dri3_fence_from_fd_checked(xcb_connection_t *c, xcb_drawable_t drawable, uint32_t fence,
                                                      uint8_t triggered, int32_t fd) {
    if (!x11_stands_before())
        return DRI3(xcb_dri3_fence_from_fd_checked)(c, drawable, fence, triggered, fd);
    return x11_fence_new(c, fence, fd) ? SYNC(xcb_sync_create_fence_checked)(c, drawable, fence, triggered)
                                       : x11_refuse(c, drawable, true);
}
