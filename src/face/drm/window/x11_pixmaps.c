/* SPDX-License-Identifier: MIT */
/* Pixmaps that stand for buffers, and pictures on their way from one to the other. */
#include "face/drm/window/x11.h"

#include <drm_fourcc.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PUT_HEADER 28u /* bytes of PutImage before the pixels, with BIG-REQUESTS */

struct x11_pixmap {
    struct x11_pixmap *next;
    xcb_connection_t *connection;
    xcb_pixmap_t pixmap;
    xcb_gcontext_t gc; /* of its depth */
    uint8_t depth;
    uint32_t pixel_bytes;
    struct drm_image image;
    int fd; /* of the buffer, which lives as long */
};

static struct x11_pixmap *pixmaps; /* guarded by the lock of the shim */

static struct x11_pixmap **pixmap_find(const xcb_connection_t *connection, xcb_pixmap_t pixmap) {
    struct x11_pixmap **at = &pixmaps;
    while (*at && ((*at)->connection != connection || (*at)->pixmap != pixmap))
        at = &(*at)->next;
    return at;
}

/* ---- making and freeing ---- */

/* Pixels of a visual as servers have them. 0: of none. */
static uint32_t pixmap_fourcc(uint8_t depth, uint8_t bits_per_pixel) {
    static const struct {
        uint8_t depth, bits_per_pixel;
        uint32_t fourcc;
    } rows[] = {{24, 32, DRM_FORMAT_XRGB8888},
                {32, 32, DRM_FORMAT_ARGB8888},
                {30, 32, DRM_FORMAT_XRGB2101010},
                {16, 16, DRM_FORMAT_RGB565},
                {15, 16, DRM_FORMAT_XRGB1555}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].depth == depth && rows[i].bits_per_pixel == bits_per_pixel)
            return rows[i].fourcc;
    return 0;
}

/* With the lock held. */
static bool pixmap_describe(const struct x11_buffer *buffer, struct x11_pixmap *pixmap) {
    struct drm_device *device = shim_device_now();
    if (!device)
        return false;
    pixmap->depth = buffer->depth;
    pixmap->image = (struct drm_image){.file = buffer->fd,
                                       .fourcc = pixmap_fourcc(buffer->depth, buffer->bits_per_pixel),
                                       .width = buffer->width,
                                       .height = buffer->height,
                                       .pitch = buffer->stride,
                                       .offset = buffer->offset,
                                       .has_modifier = buffer->has_modifier,
                                       .modifier = buffer->modifier};
    pixmap->pixel_bytes = drm_image_pixel_bytes(device, pixmap->image.fourcc);
    return drm_device_check_image(device, &pixmap->image) == 0;
}

static struct x11_pixmap *pixmap_enter(const struct x11_pixmap *as, const struct x11_buffer *buffer) {
    struct x11_pixmap *made = malloc(sizeof *made);
    if (!made || !shim_enter()) {
        free(made);
        return NULL;
    }
    *made = *as;
    bool described = pixmap_describe(buffer, made);
    if (described) {
        made->image.file = made->fd = files_move_up(buffer->fd);
        made->next = pixmaps;
        pixmaps = made;
    } else {
        free(made);
    }
    shim_leave();
    return described ? made : NULL;
}

bool x11_pixmap_new(xcb_connection_t *connection, xcb_pixmap_t pixmap, xcb_drawable_t drawable,
                    const struct x11_buffer *buffer, bool checked, xcb_void_cookie_t *cookie) {
    const struct x11_pixmap as = {.connection = connection, .pixmap = pixmap, .gc = XCB(xcb_generate_id)(connection)};
    if (!pixmap_enter(&as, buffer)) {
        close(buffer->fd);
        return false;
    }
    *cookie =
        checked
            ? XCB(xcb_create_pixmap_checked)(connection, buffer->depth, pixmap, drawable, buffer->width, buffer->height)
            : XCB(xcb_create_pixmap)(connection, buffer->depth, pixmap, drawable, buffer->width, buffer->height);
    XCB(xcb_create_gc)(connection, as.gc, pixmap, 0, NULL);
    return true;
}

/* With the lock held. */
static void pixmap_remove(struct x11_pixmap **at) {
    struct x11_pixmap *pixmap = *at;
    *at = pixmap->next;
    close(pixmap->fd);
    free(pixmap);
}

void x11_pixmap_free(xcb_connection_t *connection, xcb_pixmap_t pixmap) {
    xcb_gcontext_t gc = 0;
    if (!shim_enter())
        return;
    struct x11_pixmap **at = pixmap_find(connection, pixmap);
    if (*at) {
        gc = (*at)->gc;
        pixmap_remove(at);
    }
    shim_leave();
    if (gc)
        XCB(xcb_free_gc)(connection, gc);
}

void x11_pixmaps_end(const xcb_connection_t *connection) {
    if (!shim_enter())
        return;
    for (struct x11_pixmap **at = &pixmaps; *at;)
        if ((*at)->connection == connection)
            pixmap_remove(at);
        else
            at = &(*at)->next;
    shim_leave();
}

/* ---- pictures ---- */

/* Lines of an image in a request begin at multiples of 32 bits, as formats of 16 and 32 bits a pixel have it. */
static size_t line_bytes(uint32_t width, uint32_t pixel_bytes) {
    return ((size_t)width * pixel_bytes + 3) & ~(size_t)3;
}

/* The pixmap as it is now: others may free it while this one is used. With the lock held. False: none of ours. */
static bool pixmap_copy(const xcb_connection_t *connection, xcb_pixmap_t pixmap, struct x11_pixmap *copy) {
    const struct x11_pixmap *found = *pixmap_find(connection, pixmap);
    if (found)
        *copy = *found;
    return found != NULL;
}

static void put_lines(const struct x11_pixmap *to, const uint8_t *lines, size_t pitch) {
    uint64_t room = UINT64_C(4) * XCB(xcb_get_maximum_request_length)(to->connection);
    uint64_t most = room > PUT_HEADER ? (room - PUT_HEADER) / pitch : 0;
    for (uint64_t y = 0, count; most && y < to->image.height; y += count) {
        count = to->image.height - y < most ? to->image.height - y : most;
        XCB(xcb_put_image)
        (to->connection, XCB_IMAGE_FORMAT_Z_PIXMAP, to->pixmap, to->gc, (uint16_t)to->image.width, (uint16_t)count, 0,
         (int16_t)y, 0, to->depth, (uint32_t)(count * pitch), lines + y * pitch);
    }
}

bool x11_pixmap_send(xcb_connection_t *connection, xcb_pixmap_t pixmap) {
    struct x11_pixmap from;
    if (!shim_enter())
        return false;
    bool ours = pixmap_copy(connection, pixmap, &from);
    uint8_t *lines = NULL;
    size_t pitch = 0;
    if (ours && shim_device_now()) {
        const struct drm_area all = {.width = from.image.width, .height = from.image.height};
        pitch = line_bytes(all.width, from.pixel_bytes);
        lines = calloc(all.height, pitch);
        if (lines && drm_device_read_image(shim_device_now(), &from.image, &all, lines, pitch) != 0) {
            free(lines);
            lines = NULL;
        }
    }
    shim_leave();
    if (lines)
        put_lines(&from, lines, pitch);
    free(lines);
    return ours;
}

/* What of the area is in the image. False: nothing. */
static bool clip(const xcb_rectangle_t *area, const struct drm_image *image, struct drm_area *clipped) {
    int64_t left = area->x > 0 ? area->x : 0, top = area->y > 0 ? area->y : 0;
    int64_t right = (int64_t)area->x + area->width, bottom = (int64_t)area->y + area->height;
    right = right < image->width ? right : image->width;
    bottom = bottom < image->height ? bottom : image->height;
    if (left >= right || top >= bottom)
        return false;
    *clipped = (struct drm_area){(uint32_t)left, (uint32_t)top, (uint32_t)(right - left), (uint32_t)(bottom - top)};
    return true;
}

static void take_lines(const struct x11_pixmap *to, const struct drm_area *area, const xcb_get_image_reply_t *reply) {
    size_t pitch = line_bytes(area->width, to->pixel_bytes);
    if ((uint64_t)reply->length * 4 < (uint64_t)area->height * pitch || !shim_enter())
        return;
    if (shim_device_now())
        drm_device_write_image(shim_device_now(), &to->image, area, (const uint8_t *)(reply + 1), pitch);
    shim_leave();
}

bool x11_pixmap_fetch(xcb_connection_t *connection, xcb_pixmap_t pixmap, const xcb_rectangle_t *area) {
    struct x11_pixmap to;
    struct drm_area clipped;
    if (!shim_enter())
        return false;
    bool ours = pixmap_copy(connection, pixmap, &to);
    shim_leave();
    if (!ours || !clip(area, &to.image, &clipped))
        return ours;
    xcb_get_image_reply_t *reply = XCB(xcb_get_image_reply)(
        connection,
        XCB(xcb_get_image_unchecked)(connection, XCB_IMAGE_FORMAT_Z_PIXMAP, pixmap, (int16_t)clipped.x,
                                     (int16_t)clipped.y, (uint16_t)clipped.width, (uint16_t)clipped.height, UINT32_MAX),
        NULL);
    if (reply)
        take_lines(&to, &clipped, reply);
    free(reply);
    return true;
}
