/* SPDX-License-Identifier: MIT */
/* Lines of a surface. A gob is read once, for all its lines. */
#include "engine/surface/picture_parts.h"

#include <assert.h>

enum { GOB_BYTES = 64 /* of a line */, SECTOR_BYTES = 16, PAGE_BYTES = 4096 };

/* At most *bytes, which becomes how many there are. NULL: nothing is there. */
static const uint8_t *stored(struct picture_source *source, uint64_t offset, uint64_t *bytes) {
    const uint8_t *data = NULL;

    if (source->mapping.memory) {
        data = mapping_try_piece(&source->mapping, offset, bytes);
    } else if (offset < source->bytes) {
        data = source->data + offset;
        *bytes = *bytes < source->bytes - offset ? *bytes : source->bytes - offset;
    }
    source->any |= data != NULL;
    return data;
}

/* Of a hole, no more than a page: after it something may be there again. */
static uint64_t hole(const struct picture_source *source, uint64_t offset, uint64_t bytes) {
    uint64_t page = PAGE_BYTES - (source->picture->surface.address + offset) % PAGE_BYTES;

    return bytes < page ? bytes : page;
}

/* Bytes of line y from byte x on. */
static void read_line(struct picture_source *source, uint64_t x, uint64_t y, uint8_t *to, uint64_t bytes) {
    const struct layout *layout = &source->picture->surface.layout;

    for (uint64_t done = 0, piece; done < bytes; done += piece) {
        const struct surface_point at = {x + done, y, source->picture->slice};
        const uint64_t offset = cursor_offset(&source->mapping.cursor, at);
        const uint64_t wanted = piece = layout_contiguous(layout, at.x, bytes - done);
        const uint8_t *from = stored(source, offset, &piece);
        if (from)
            memcpy(to + done, from, piece);
        else
            memset(to + done, 0, piece = hole(source, offset, wanted));
    }
}

/* ---- gobs ---- */

static inline __attribute__((always_inline)) void copy_gob_of(enum gob_order order, const uint8_t *gob, unsigned lines,
                                                              uint8_t *to, uint64_t line_bytes) {
    for (unsigned y = 0; y < lines; y++, to += line_bytes)
        for (unsigned x = 0; x < GOB_BYTES; x += SECTOR_BYTES)
            memcpy(to + x, gob + cursor_line_in_gob(order, y) + cursor_in_gob(order, x), SECTOR_BYTES);
}

static void copy_gob(enum gob_order order, const uint8_t *gob, unsigned lines, uint8_t *to, uint64_t line_bytes) {
    if (order == GOB_SECTORS)
        copy_gob_of(GOB_SECTORS, gob, lines, to, line_bytes);
    else if (order == GOB_COLUMNS)
        copy_gob_of(GOB_COLUMNS, gob, lines, to, line_bytes);
    else
        copy_gob_of(GOB_LINES, gob, lines, to, line_bytes);
}

static void read_part(struct picture_source *source, uint64_t x, uint64_t y, unsigned lines, uint8_t *to,
                      uint64_t line_bytes, uint64_t bytes) {
    for (unsigned line = 0; line < lines; line++)
        read_line(source, x, y + line, to + x + line * line_bytes, bytes);
}

/* All lines of a row of gobs. */
static void read_gobs(struct picture_source *source, uint64_t y, unsigned lines, uint8_t *to, uint64_t line_bytes) {
    const struct layout *layout = &source->picture->surface.layout;
    const uint64_t row = layout_offset(layout, 0, y, source->picture->slice);
    uint64_t x = 0;

    for (; line_bytes - x >= GOB_BYTES; x += GOB_BYTES) {
        uint64_t bytes = (uint64_t)GOB_BYTES * lines;
        const uint8_t *gob = stored(source, row + cursor_gob(layout, x), &bytes);
        if (gob && bytes == (uint64_t)GOB_BYTES * lines)
            copy_gob(layout->order, gob, lines, to + x, line_bytes);
        else
            read_part(source, x, y, lines, to, line_bytes, GOB_BYTES);
    }
    read_part(source, x, y, lines, to, line_bytes, line_bytes - x);
}

void picture_lines(struct picture_source *source, uint64_t y, unsigned count, uint8_t *lines, uint64_t line_bytes) {
    const struct layout *layout = &source->picture->surface.layout;
    const unsigned gob_lines = layout_gob_lines(layout->order);
    const bool has_gobs = layout->type == LAYOUT_BLOCK && !layout->quarter_gobs;

    assert(gob_lines <= PICTURE_LINES);
    for (unsigned done = 0, some; done < count; done += some) {
        uint8_t *to = lines + done * line_bytes;
        some = has_gobs && (y + done) % gob_lines == 0 && count - done >= gob_lines ? gob_lines : 1;
        if (some > 1)
            read_gobs(source, y + done, some, to, line_bytes);
        else
            read_line(source, 0, y + done, to, line_bytes);
    }
}
