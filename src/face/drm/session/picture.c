/* SPDX-License-Identifier: MIT */
#include "face/drm/session/picture.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "face/common/png_file.h"
#include "face/drm/session/output.h"

#define MAX_DIGITS 9

/* The %u of a name: where it begins and ends, and how many digits it wants at least. NULL: none. */
static const char *find_number(const char *path, const char **end, unsigned *digits) {
    for (const char *at = strchr(path, '%'); at; at = strchr(at + 1, '%')) {
        const char *c = at + 1;
        *digits = 1;
        if (c[0] == '0' && c[1] >= '1' && c[1] <= '0' + MAX_DIGITS) {
            *digits = (unsigned)(c[1] - '0');
            c += 2;
        }
        if (*c == 'u') {
            *end = c + 1;
            return at;
        }
    }
    return NULL;
}

bool picture_has_number(const char *path) {
    const char *end;
    unsigned digits;
    return find_number(path, &end, &digits) != NULL;
}

bool picture_path(const char *path, unsigned number, char *out, size_t room) {
    const char *end = path + strlen(path), *at;
    unsigned digits = 1;
    int length;
    at = find_number(path, &end, &digits);
    if (at)
        length = snprintf(out, room, "%.*s%0*u%s", (int)(at - path), path, (int)digits, number, end);
    else
        length = snprintf(out, room, "%s", path);
    return length >= 0 && (size_t)length < room;
}

static bool write_bytes(const char *path, const void *data, size_t bytes, struct pfifo_error *error) {
    struct output output;
    bool written = output_create(&output, path);
    written = written && output_write(&output, data, bytes);
    if (!written)
        pfifo_error_set(error, PFIFO_ERROR_IO, "%.160s: cannot write: %s", path, strerror(errno));
    if (output.fd >= 0)
        output_close(&output);
    return written;
}

bool picture_write(const struct drm_picture *picture, const char *path, struct pfifo_error *error) {
    size_t bytes = 0;
    uint8_t *file = png_file(picture->rgba, picture->width, picture->height, &bytes);
    bool written = file && write_bytes(path, file, bytes, error);
    if (!file)
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%.160s: no memory", path);
    free(file);
    return written;
}
