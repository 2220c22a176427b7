/* SPDX-License-Identifier: MIT */
#include "face/drm/session/picture.h"

#include <errno.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/error.h"
#include "face/drm/session/output.h"

#define MAX_DIGITS 9
#define RUNS       3 /* a strategy of zlib, Z_RLE, whose header is not needed otherwise */

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

static bool picture_write_bytes(const char *path, const void *data, size_t bytes, struct pfifo_error *error) {
    struct output output;
    bool written = output_create(&output, path);
    written = written && output_write(&output, data, bytes);
    if (!written)
        error_cannot(error, path, "write");
    if (output.fd >= 0)
        output_close(&output);
    return written;
}

/* ---- PNG ---- */

/* What libpng makes, in memory; and what it says of an error. */
struct file {
    uint8_t *data;
    size_t bytes, room;
    char message[80];
};

static void file_write(png_structp png, png_bytep data, size_t bytes) {
    struct file *file = png_get_io_ptr(png);
    if (bytes > file->room - file->bytes) {
        size_t room = 2 * file->room + bytes;
        uint8_t *grown = realloc(file->data, room);
        if (!grown)
            png_error(png, "no memory");
        file->data = grown;
        file->room = room;
    }
    memcpy(file->data + file->bytes, data, bytes);
    file->bytes += bytes;
}

static void file_flush(png_structp png) {
    (void)png;
}

static void file_failed(png_structp png, png_const_charp message) {
    struct file *file = png_get_error_ptr(png);
    snprintf(file->message, sizeof file->message, "%s", message);
    png_longjmp(png, 1);
}

static void file_warned(png_structp png, png_const_charp message) {
    (void)png, (void)message;
}

/*
 * What is drawn has smooth shades and plain areas: as differences to the line above they are runs, which cost a third
 * of a search for repeated strings, and make files of about the same size.
 */
static bool picture_encode(png_structp png, png_infop info, const struct drm_picture *picture) {
    if (setjmp(png_jmpbuf(png)) != 0)
        return false;
    png_set_IHDR(png, info, picture->width, picture->height, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_UP);
    png_set_compression_level(png, 1);
    png_set_compression_strategy(png, RUNS);
    png_write_info(png, info);
    png_set_filler(png, 0, PNG_FILLER_AFTER);
    for (uint32_t y = 0; y < picture->height; y++)
        png_write_row(png, picture->rgba + (size_t)y * picture->width * 4);
    png_write_end(png, info);
    return true;
}

bool picture_write(const struct drm_picture *picture, const char *path, struct pfifo_error *error) {
    struct file file = {.message = "no memory"};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &file, file_failed, file_warned);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    bool written = false;
    if (info)
        png_set_write_fn(png, &file, file_write, file_flush);
    if (info && picture_encode(png, info, picture))
        written = picture_write_bytes(path, file.data, file.bytes, error);
    else
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%.160s: %s", path, file.message);
    png_destroy_write_struct(&png, &info);
    free(file.data);
    return written;
}
