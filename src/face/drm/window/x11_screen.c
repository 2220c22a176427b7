/* SPDX-License-Identifier: MIT */
/*
 * The display of the card as a window of an X server (`--window`): what a program brings on the screen with the card node.
 * The window's background is a pixmap with the picture, so that the server paints what was covered. Nothing goes back:
 * no keys, no sizes.
 */
#include "face/drm/window/x11.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH      24
#define PUT_HEADER 28u /* bytes of PutImage before the pixels, with BIG-REQUESTS */

struct x11_screen {
    xcb_connection_t *connection; /* NULL: not opened yet */
    const xcb_screen_t *screen;
    xcb_window_t window;
    xcb_pixmap_t pixmap; /* 0: none */
    xcb_gcontext_t gc;
    uint32_t width, height;
};

static struct x11_screen *screen_end(struct x11_screen *screen) {
    if (screen && screen->connection)
        XCB(xcb_disconnect)(screen->connection);
    free(screen);
    return NULL;
}

static bool screen_connect(struct x11_screen *screen, char *why, size_t room) {
    snprintf(why, room, "pfifo: --window: there is no libxcb");
    if (!x11_try(X11_CORE, "xcb_connect"))
        return false;
    int number = 0;
    screen->connection = XCB(xcb_connect)(NULL, &number);
    snprintf(why, room, "pfifo: --window: no X server at DISPLAY=%.200s", getenv("DISPLAY") ? getenv("DISPLAY") : "");
    if (XCB(xcb_connection_has_error)(screen->connection))
        return false;
    const xcb_setup_t *setup = XCB(xcb_get_setup)(screen->connection);
    xcb_screen_iterator_t at = XCB(xcb_setup_roots_iterator)(setup);
    for (; number > 0 && at.rem > 1; number--)
        XCB(xcb_screen_next)(&at);
    screen->screen = at.data;
    snprintf(why, room, "pfifo: --window: the X server's screen has not %d bits of depth", DEPTH);
    return screen->screen->root_depth == DEPTH && setup->image_byte_order == XCB_IMAGE_ORDER_LSB_FIRST;
}

static void set_title(const struct x11_screen *screen, const char *chip) {
    char title[200];
    int length = snprintf(title, sizeof title, "%.100s on %s", program_invocation_short_name, chip);
    XCB(xcb_change_property)
    (screen->connection, XCB_PROP_MODE_REPLACE, screen->window, XCB_ATOM_WM_NAME, XCB_ATOM_STRING, 8, (uint32_t)length,
     title);
}

struct x11_screen *x11_screen_new(const char *chip, char *why, size_t room) {
    struct x11_screen *screen = calloc(1, sizeof *screen);
    if (!screen || !screen_connect(screen, why, room))
        return screen_end(screen);
    xcb_connection_t *c = screen->connection;
    screen->window = XCB(xcb_generate_id)(c);
    screen->gc = XCB(xcb_generate_id)(c);
    XCB(xcb_create_window)
    (c, DEPTH, screen->window, screen->screen->root, 0, 0, 1, 1, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT,
     screen->screen->root_visual, 0, NULL);
    set_title(screen, chip);
    XCB(xcb_create_gc)(c, screen->gc, screen->window, 0, NULL);
    return screen;
}

/* Another mode, or the first. */
static void screen_resize(struct x11_screen *screen, uint32_t width, uint32_t height) {
    xcb_connection_t *c = screen->connection;
    const uint32_t size[] = {width, height};
    if (screen->pixmap)
        XCB(xcb_free_pixmap)(c, screen->pixmap);
    screen->pixmap = XCB(xcb_generate_id)(c);
    screen->width = width;
    screen->height = height;
    XCB(xcb_create_pixmap)(c, DEPTH, screen->pixmap, screen->window, (uint16_t)width, (uint16_t)height);
    XCB(xcb_configure_window)
    (c, screen->window, XCB_CONFIG_WINDOW_WIDTH | XCB_CONFIG_WINDOW_HEIGHT, size);
    XCB(xcb_change_window_attributes)(c, screen->window, XCB_CW_BACK_PIXMAP, &screen->pixmap);
    XCB(xcb_map_window)(c, screen->window);
}

/* R, G, B, A becomes B, G, R and nothing: 0xRRGGBB, the lowest byte first. */
static void screen_convert(const uint8_t *rgba, uint32_t *to, size_t pixels) {
    for (size_t i = 0; i < pixels; i++)
        to[i] = (uint32_t)rgba[4 * i] << 16 | (uint32_t)rgba[4 * i + 1] << 8 | rgba[4 * i + 2];
}

static void screen_put(const struct x11_screen *screen, const uint32_t *pixels) {
    uint64_t room = UINT64_C(4) * XCB(xcb_get_maximum_request_length)(screen->connection);
    uint64_t most = room > PUT_HEADER ? (room - PUT_HEADER) / (UINT64_C(4) * screen->width) : 0;
    for (uint64_t y = 0, count; most && y < screen->height; y += count) {
        count = screen->height - y < most ? screen->height - y : most;
        XCB(xcb_put_image)
        (screen->connection, XCB_IMAGE_FORMAT_Z_PIXMAP, screen->pixmap, screen->gc, (uint16_t)screen->width,
         (uint16_t)count, 0, (int16_t)y, 0, DEPTH, (uint32_t)(count * 4 * screen->width),
         (const uint8_t *)(pixels + y * screen->width));
    }
}

bool x11_screen_show(void *opaque, const struct drm_picture *picture) {
    struct x11_screen *screen = opaque;
    size_t pixels = (size_t)picture->width * picture->height;
    if (XCB(xcb_connection_has_error)(screen->connection))
        return false; /* its window was closed, say */
    uint32_t *converted = malloc(pixels * sizeof *converted);
    if (!converted)
        return false;
    if (screen->width != picture->width || screen->height != picture->height)
        screen_resize(screen, picture->width, picture->height);
    screen_convert(picture->rgba, converted, pixels);
    screen_put(screen, converted);
    free(converted);
    XCB(xcb_clear_area)(screen->connection, 0, screen->window, 0, 0, 0, 0);
    XCB(xcb_flush)(screen->connection);
    for (void *event; (event = XCB(xcb_poll_for_event)(screen->connection)) != NULL;)
        free(event);
    return true;
}
