/* SPDX-License-Identifier: MIT */
/* Requests that name a pixmap or a fence of ours: something is done before or after, and the server gets them as they are. */
#include "face/drm/window/x11.h"

/* ---- Present ---- */

/* The picture is in the server's pixmap before it is presented, and the buffer free again. */
static void present_send(xcb_connection_t *c, xcb_pixmap_t pixmap, xcb_sync_fence_t idle_fence) {
    if (x11_stands_before() && x11_pixmap_send(c, pixmap))
        x11_fence_trigger(c, idle_fence);
}

SHIM xcb_void_cookie_t xcb_present_pixmap(xcb_connection_t *c, xcb_window_t window, xcb_pixmap_t pixmap,
                                          uint32_t serial, xcb_xfixes_region_t valid, xcb_xfixes_region_t update,
                                          int16_t x_off, int16_t y_off, xcb_randr_crtc_t target_crtc,
                                          xcb_sync_fence_t wait_fence, xcb_sync_fence_t idle_fence, uint32_t options,
                                          uint64_t target_msc, uint64_t divisor, uint64_t remainder,
                                          uint32_t notifies_len, const xcb_present_notify_t *notifies) {
    present_send(c, pixmap, idle_fence);
    return PRESENT(xcb_present_pixmap)(c, window, pixmap, serial, valid, update, x_off, y_off, target_crtc, wait_fence,
                                       idle_fence, options, target_msc, divisor, remainder, notifies_len, notifies);
}

SHIM xcb_void_cookie_t xcb_present_pixmap_checked(xcb_connection_t *c, xcb_window_t window, xcb_pixmap_t pixmap,
                                                  uint32_t serial, xcb_xfixes_region_t valid,
                                                  xcb_xfixes_region_t update, int16_t x_off, int16_t y_off,
                                                  xcb_randr_crtc_t target_crtc, xcb_sync_fence_t wait_fence,
                                                  xcb_sync_fence_t idle_fence, uint32_t options, uint64_t target_msc,
                                                  uint64_t divisor, uint64_t remainder, uint32_t notifies_len,
                                                  const xcb_present_notify_t *notifies) {
    present_send(c, pixmap, idle_fence);
    return PRESENT(xcb_present_pixmap_checked)(c, window, pixmap, serial, valid, update, x_off, y_off, target_crtc,
                                               wait_fence, idle_fence, options, target_msc, divisor, remainder,
                                               notifies_len, notifies);
}

/* ---- the core ---- */

/* A copy between windows and buffers: single buffering, parts of a window, and what others have drawn in it. */
static void copy_begins(xcb_connection_t *c, xcb_drawable_t from) {
    if (x11_stands_before())
        x11_pixmap_send(c, from);
}

static void copy_ends(xcb_connection_t *c, xcb_drawable_t to, int16_t x, int16_t y, uint16_t width, uint16_t height) {
    const xcb_rectangle_t area = {x, y, width, height};
    if (x11_stands_before())
        x11_pixmap_fetch(c, to, &area);
}

SHIM xcb_void_cookie_t xcb_copy_area(xcb_connection_t *c, xcb_drawable_t src_drawable, xcb_drawable_t dst_drawable,
                                     xcb_gcontext_t gc, int16_t src_x, int16_t src_y, int16_t dst_x, int16_t dst_y,
                                     uint16_t width, uint16_t height) {
    copy_begins(c, src_drawable);
    xcb_void_cookie_t cookie =
        XCB(xcb_copy_area)(c, src_drawable, dst_drawable, gc, src_x, src_y, dst_x, dst_y, width, height);
    copy_ends(c, dst_drawable, dst_x, dst_y, width, height);
    return cookie;
}

SHIM xcb_void_cookie_t xcb_copy_area_checked(xcb_connection_t *c, xcb_drawable_t src_drawable,
                                             xcb_drawable_t dst_drawable, xcb_gcontext_t gc, int16_t src_x,
                                             int16_t src_y, int16_t dst_x, int16_t dst_y, uint16_t width,
                                             uint16_t height) {
    copy_begins(c, src_drawable);
    xcb_void_cookie_t cookie =
        XCB(xcb_copy_area_checked)(c, src_drawable, dst_drawable, gc, src_x, src_y, dst_x, dst_y, width, height);
    copy_ends(c, dst_drawable, dst_x, dst_y, width, height);
    return cookie;
}

SHIM xcb_void_cookie_t xcb_free_pixmap(xcb_connection_t *c, xcb_pixmap_t pixmap) {
    if (x11_stands_before())
        x11_pixmap_free(c, pixmap);
    return XCB(xcb_free_pixmap)(c, pixmap);
}

SHIM xcb_void_cookie_t xcb_free_pixmap_checked(xcb_connection_t *c, xcb_pixmap_t pixmap) {
    if (x11_stands_before())
        x11_pixmap_free(c, pixmap);
    return XCB(xcb_free_pixmap_checked)(c, pixmap);
}

SHIM void xcb_disconnect(xcb_connection_t *c) {
    if (x11_stands_before()) {
        x11_pixmaps_end(c);
        x11_fences_end(c);
    }
    XCB(xcb_disconnect)(c);
}

/* ---- SYNC ---- */

SHIM xcb_void_cookie_t xcb_sync_trigger_fence(xcb_connection_t *c, xcb_sync_fence_t fence) {
    if (x11_stands_before())
        x11_fence_trigger(c, fence);
    return SYNC(xcb_sync_trigger_fence)(c, fence);
}

SHIM xcb_void_cookie_t xcb_sync_trigger_fence_checked(xcb_connection_t *c, xcb_sync_fence_t fence) {
    if (x11_stands_before())
        x11_fence_trigger(c, fence);
    return SYNC(xcb_sync_trigger_fence_checked)(c, fence);
}

SHIM xcb_void_cookie_t xcb_sync_destroy_fence(xcb_connection_t *c, xcb_sync_fence_t fence) {
    if (x11_stands_before())
        x11_fence_free(c, fence);
    return SYNC(xcb_sync_destroy_fence)(c, fence);
}

SHIM xcb_void_cookie_t xcb_sync_destroy_fence_checked(xcb_connection_t *c, xcb_sync_fence_t fence) {
    if (x11_stands_before())
        x11_fence_free(c, fence);
    return SYNC(xcb_sync_destroy_fence_checked)(c, fence);
}
