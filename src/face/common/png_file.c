/* SPDX-License-Identifier: MIT */
#include "face/common/png_file.h"

#include <stdlib.h>
#include <string.h>

#include "face/common/runs.h"

enum { IHDR_BYTES = 13, RGB = 2, UP = 2 };

/* ---- chunks ---- */

static void png_store_be32(uint8_t *to, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (24 - 8 * i));
}

/* CRC-32 of Ethernet. */
static uint32_t crc_of(const uint8_t *data, size_t bytes) {
    uint32_t table[256], crc = UINT32_MAX;

    for (uint32_t byte = 0; byte < 256; byte++) {
        table[byte] = byte;
        for (unsigned bit = 0; bit < 8; bit++)
            table[byte] = table[byte] >> 1 ^ (table[byte] & 1 ? 0xedb88320 : 0);
    }
    for (size_t i = 0; i < bytes; i++)
        crc = crc >> 8 ^ table[(crc ^ data[i]) & 0xff];
    return ~crc;
}

/* The length and name; where it begins. */
static size_t begin_chunk(struct bytes *file, const char *name) {
    const size_t begin = file->used;
    uint8_t head[8] = {0};

    memcpy(head + 4, name, 4);
    bytes_add(file, head, sizeof head);
    return begin;
}

static void end_chunk(struct bytes *file, size_t begin) {
    uint8_t crc[4];

    if (file->failed)
        return;
    png_store_be32(file->data + begin, (uint32_t)(file->used - begin - 8));
    png_store_be32(crc, crc_of(file->data + begin + 4, file->used - begin - 4));
    bytes_add(file, crc, sizeof crc);
}

/* ---- pixels ---- */

/* R G B of a line less those of the line above; its filter before it. 4 bytes are written where 3 are meant. */
static uint8_t *put_line(uint8_t *to, const uint8_t *line, const uint8_t *above, uint32_t width) {
    *to++ = UP;
    for (uint32_t x = 0; x < width; x++, to += 3, line += 4, above += 4) {
        uint32_t value, other;
        memcpy(&value, line, 4);
        memcpy(&other, above, 4);
        /* Bytes of a word are subtracted without what they borrow from each other. */
        value = ((value | 0x80808080) - (other & 0x7f7f7f7f)) ^ ((value ^ ~other) & 0x80808080);
        memcpy(to, &value, 4);
    }
    return to;
}

/* ---- the file ---- */

/* As many lines as a block has, or one. */
struct lines {
    uint8_t *data, *black; /* black: above the first line */
    uint32_t most;
};

static bool lines_begin(struct lines *lines, uint32_t width) {
    const size_t line = 1 + (size_t)width * 3;

    lines->most = line < RUNS_BLOCK ? (uint32_t)(RUNS_BLOCK / line) : 1;
    lines->data = malloc(line * lines->most + 1);
    lines->black = calloc(width, 4);
    return lines->data && lines->black;
}

static void put_pixels(struct runs *runs, const struct lines *lines, const uint8_t *rgba, uint32_t width,
                       uint32_t height) {
    const size_t pitch = (size_t)width * 4;
    const uint8_t *above = lines->black;

    for (uint32_t y = 0; y < height;) {
        uint8_t *to = lines->data;
        for (uint32_t end = height - y < lines->most ? height : y + lines->most; y < end; y++) {
            to = put_line(to, rgba + y * pitch, above, width);
            above = rgba + y * pitch;
        }
        for (const uint8_t *from = lines->data; from < to;) {
            const size_t left = (size_t)(to - from), bytes = left < RUNS_BLOCK ? left : RUNS_BLOCK;
            runs_block(runs, from, bytes, y == height && bytes == left);
            from += bytes;
        }
    }
}

static void put_header(struct bytes *file, uint32_t width, uint32_t height) {
    static const uint8_t signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    uint8_t header[IHDR_BYTES] = {[8] = 8 /* bits */, [9] = RGB};

    png_store_be32(header, width);
    png_store_be32(header + 4, height);
    bytes_add(file, signature, sizeof signature);
    size_t begin = begin_chunk(file, "IHDR");
    bytes_add(file, header, sizeof header);
    end_chunk(file, begin);
}

static void put_file(struct bytes *file, struct runs *runs, const struct lines *lines, const uint8_t *rgba,
                     uint32_t width, uint32_t height) {
    put_header(file, width, height);
    size_t begin = begin_chunk(file, "IDAT");
    runs_begin(runs, file);
    put_pixels(runs, lines, rgba, width, height);
    runs_end(runs);
    end_chunk(file, begin);
    end_chunk(file, begin_chunk(file, "IEND"));
}

uint8_t *png_file(const uint8_t *rgba, uint32_t width, uint32_t height, size_t *bytes) {
    struct runs *runs = malloc(sizeof *runs);
    struct lines lines = {0};
    struct bytes file = {.failed = !lines_begin(&lines, width) || !runs};

    if (!file.failed)
        put_file(&file, runs, &lines, rgba, width, height);
    free(lines.data);
    free(lines.black);
    free(runs);
    if (file.failed) {
        free(file.data);
        return NULL;
    }
    *bytes = file.used;
    return file.data;
}
