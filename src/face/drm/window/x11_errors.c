/* SPDX-License-Identifier: MIT */
#include "face/drm/window/x11.h"

#include <stdlib.h>

#define BAD_ALLOC 11 /* X11/X.h */

/* A pixmap without any width is always refused (CreatePixmap: BadValue). */
xcb_void_cookie_t x11_refuse(xcb_connection_t *connection, xcb_drawable_t drawable, bool checked) {
    xcb_pixmap_t pixmap = XCB(xcb_generate_id)(connection);
    return checked ? XCB(xcb_create_pixmap_checked)(connection, 1, pixmap, drawable, 0, 0)
                   : XCB(xcb_create_pixmap)(connection, 1, pixmap, drawable, 0, 0);
}

unsigned x11_ask(xcb_connection_t *connection, bool checked) {
    return checked ? XCB(xcb_get_input_focus)(connection).sequence
                   : XCB(xcb_get_input_focus_unchecked)(connection).sequence;
}

bool x11_answered(xcb_connection_t *connection, unsigned sequence, xcb_generic_error_t **error) {
    const xcb_get_input_focus_cookie_t cookie = {sequence};
    xcb_get_input_focus_reply_t *reply = XCB(xcb_get_input_focus_reply)(connection, cookie, error);
    bool answered = reply != NULL;
    free(reply);
    return answered;
}

void x11_fail(xcb_generic_error_t **error) {
    if (!error)
        return;
    *error = calloc(1, sizeof **error);
    if (*error)
        (*error)->error_code = BAD_ALLOC;
}
