/* SPDX-License-Identifier: MIT */
#include "engine/surface/band.h"

#include <assert.h>

#define GOB_WIDTH 64u
#define SECTOR    16u
#define MAX_X     (UINT64_C(1) << 32) /* so that no sum here comes round to 0 */
#define MAX_BLOCK 5                   /* log2 */

/* ---- bands ---- */

uint64_t band_lines(const struct layout *layout, uint64_t y) {
    if (layout->type != LAYOUT_BLOCK)
        return BAND_LINES;
    uint64_t lines = layout_gob_lines(layout->order);
    assert(lines <= BAND_LINES);
    return lines - y % lines;
}

/* Lines that overlap each other must be written one after the other. */
static bool open_pitch(struct band *band, struct surface_mapping *mapping, struct surface_point at, uint64_t line_bytes,
                       unsigned lines) {
    int64_t pitch = band->layout->pitch;
    if (pitch > (int64_t)MAX_X || pitch < -(int64_t)MAX_X)
        return false;
    bool overlaps_itself = lines > 1 && (uint64_t)(pitch < 0 ? -pitch : pitch) < line_bytes;
    if (overlaps_itself && mapping->access == MEMORY_WRITE)
        return false;
    int64_t lowest = pitch < 0 ? pitch * (int64_t)(lines - 1) : 0;
    for (unsigned l = 0; l < lines; l++)
        band->line[l] = pitch * (int64_t)l - lowest;
    uint64_t begin = cursor_offset(&mapping->cursor, at) + (uint64_t)lowest;
    band->range = line_bytes + (uint64_t)(pitch < 0 ? -lowest : band->line[lines - 1]);
    band->base = mapping_range(mapping, begin, begin + band->range);
    return band->base != NULL;
}

static bool is_usual(const struct layout *layout, uint64_t end) {
    return !layout->quarter_gobs && end <= MAX_X && layout->block_width <= MAX_BLOCK &&
           layout->block_height <= MAX_BLOCK && layout->block_depth <= MAX_BLOCK;
}

static bool open_block(struct band *band, struct surface_mapping *mapping, struct surface_point at, uint64_t line_bytes,
                       unsigned lines) {
    const struct layout *layout = band->layout;
    if (!is_usual(layout, at.x + line_bytes))
        return false;
    uint64_t gob_lines = layout_gob_lines(layout->order), first = at.y % gob_lines;
    assert(first + lines <= gob_lines);
    uint64_t begin = layout_offset(layout, 0, at.y - first, at.z);
    for (unsigned l = 0; l < lines; l++)
        band->line[l] = (int64_t)cursor_line_in_gob(layout->order, first + l);
    band->gob = cursor_gob(layout, at.x);
    band->range = cursor_gob(layout, at.x + line_bytes - 1) - band->gob + GOB_WIDTH * gob_lines;
    band->base = mapping_range(mapping, begin + band->gob, begin + band->gob + band->range);
    return band->base != NULL;
}

/* The range is that of the whole surface, since coordinates wrap. */
static bool band_open_swizzled(struct band *band, struct surface_mapping *mapping, struct surface_point at,
                               uint64_t line_bytes, unsigned lines) {
    const struct layout *layout = band->layout;
    band->range = layout_size(layout);
    if (band->range > MAX_X || line_bytes >> mapping->cursor.shift > layout->width || lines > layout->height)
        return false;
    for (unsigned l = 0; l < lines; l++)
        band->line[l] = (int64_t)layout_offset(layout, 0, at.y + l, at.z);
    band->base = mapping_range(mapping, 0, band->range);
    return band->base != NULL;
}

bool band_open(struct band *band, struct surface_mapping *mapping, struct surface_point at, uint64_t line_bytes,
               unsigned lines) {
    band->layout = &mapping->surface->layout;
    band->cursor = &mapping->cursor;
    band->x = at.x;
    if (line_bytes > MAX_X || at.x > MAX_X || !lines || lines > BAND_LINES || !line_bytes)
        return false;
    switch (band->layout->type) {
    case LAYOUT_PITCH:
        return open_pitch(band, mapping, at, line_bytes, lines);
    case LAYOUT_SWIZZLED:
        return band_open_swizzled(band, mapping, at, line_bytes, lines);
    case LAYOUT_BLOCK:
        break;
    }
    return open_block(band, mapping, at, line_bytes, lines);
}

void band_of_bytes(struct band *band, void *data) {
    static const struct layout bytes = {.type = LAYOUT_PITCH};
    *band = (struct band){.layout = &bytes, .base = data};
}

/* ---- columns of a band: some of the bytes of each line ---- */

/* Where byte i of the lines is, without the part of the line. */
static inline uint8_t *band_column(const struct band *band, uint64_t i) {
    if (band->layout->type == LAYOUT_PITCH)
        return band->base + i;
    uint64_t x = band->x + i;
    if (band->layout->type == LAYOUT_SWIZZLED)
        return band->base + cursor_swizzled(band->cursor, x);
    return band->base + (cursor_gob(band->layout, x) - band->gob) + cursor_in_gob(band->layout->order, x % GOB_WIDTH);
}

/* Bytes from byte i on, at most `bytes`, that are in one gob. */
static inline uint64_t in_one_gob(const struct band *band, uint64_t i, uint64_t bytes) {
    uint64_t left = GOB_WIDTH - (band->x + i) % GOB_WIDTH;
    return band->layout->type != LAYOUT_BLOCK || left > bytes ? bytes : left;
}

static inline bool has_sectors(const struct band *band) {
    return band->layout->type == LAYOUT_BLOCK && band->layout->order == GOB_SECTORS;
}

/* One of the sizes that pieces have on aligned surfaces, as a constant. */
static inline void copy_piece(const struct band *to, const struct band *from, uint64_t i, uint64_t bytes,
                              unsigned lines) {
    uint8_t *destination = band_column(to, i);
    const uint8_t *source = band_column(from, i);
    for (unsigned l = 0; l < lines; l++)
        memcpy(destination + to->line[l], source + from->line[l], bytes);
}

/* Copy columns, as many as are contiguous on both sides. */
static uint64_t copy_columns(const struct band *to, const struct band *from, uint64_t i, uint64_t end, unsigned lines) {
    uint64_t piece = layout_contiguous(from->layout, from->x + i, end - i);
    piece = layout_contiguous(to->layout, to->x + i, piece);
    switch (piece) {
    case 1:
        copy_piece(to, from, i, 1, lines);
        break;
    case 2:
        copy_piece(to, from, i, 2, lines);
        break;
    case 4:
        copy_piece(to, from, i, 4, lines);
        break;
    case SECTOR:
        copy_piece(to, from, i, SECTOR, lines);
        break;
    default:
        copy_piece(to, from, i, piece, lines);
        break;
    }
    return piece;
}

/* ---- a gob of sectors from and to lines ---- */

static inline void copy_sector(uint8_t *to, const uint8_t *from) {
    memcpy(to, from, SECTOR);
}

static inline void line_from_gob(uint8_t *to, const uint8_t *from) {
    copy_sector(to, from);
    copy_sector(to + 16, from + 32);
    copy_sector(to + 32, from + 256);
    copy_sector(to + 48, from + 288);
}

static inline void line_to_gob(uint8_t *to, const uint8_t *from) {
    copy_sector(to, from);
    copy_sector(to + 32, from + 16);
    copy_sector(to + 256, from + 32);
    copy_sector(to + 288, from + 48);
}

static void lines_from_gob(const struct band *to, const struct band *from, uint64_t i, unsigned lines) {
    uint8_t *destination = band_column(to, i);
    const uint8_t *source = band_column(from, i);
    int64_t pitch = to->layout->pitch;
    if (lines < BAND_LINES) {
        for (unsigned l = 0; l < lines; l++)
            line_from_gob(destination + to->line[l], source + from->line[l]);
        return;
    }
    destination += to->line[0];
    for (unsigned pair = 0; pair < BAND_LINES / 2; pair++, destination += 2 * pitch, source += 4 * SECTOR) {
        line_from_gob(destination, source);
        line_from_gob(destination + pitch, source + SECTOR);
    }
}

static void lines_to_gob(const struct band *to, const struct band *from, uint64_t i, unsigned lines) {
    uint8_t *destination = band_column(to, i);
    const uint8_t *source = band_column(from, i);
    int64_t pitch = from->layout->pitch;
    if (lines < BAND_LINES) {
        for (unsigned l = 0; l < lines; l++)
            line_to_gob(destination + to->line[l], source + from->line[l]);
        return;
    }
    source += from->line[0];
    for (unsigned pair = 0; pair < BAND_LINES / 2; pair++, source += 2 * pitch, destination += 4 * SECTOR) {
        line_to_gob(destination, source);
        line_to_gob(destination + SECTOR, source + pitch);
    }
}

void band_copy(const struct band *to, const struct band *from, uint64_t line_bytes, unsigned lines) {
    assert(lines >= 1 && lines <= BAND_LINES);
    bool out = has_sectors(from) && to->layout->type == LAYOUT_PITCH;
    bool in = has_sectors(to) && from->layout->type == LAYOUT_PITCH;
    uint64_t bytes;
    for (uint64_t i = 0; i < line_bytes; i += bytes) {
        bytes = in_one_gob(from, i, in_one_gob(to, i, line_bytes - i));
        if (out && bytes == GOB_WIDTH)
            lines_from_gob(to, from, i, lines);
        else if (in && bytes == GOB_WIDTH)
            lines_to_gob(to, from, i, lines);
        else
            bytes = copy_columns(to, from, i, i + bytes, lines);
    }
}

void band_fill(const struct band *to, const uint8_t pattern[16], uint64_t line_bytes, unsigned lines) {
    uint64_t bytes;
    uint8_t gob[GOB_WIDTH * BAND_LINES];
    assert(to->layout->type == LAYOUT_BLOCK);
    bool whole = lines == layout_gob_lines(to->layout->order);
    for (unsigned at = 0; at < sizeof gob; at += SECTOR)
        memcpy(gob + at, pattern, SECTOR);
    for (uint64_t i = 0; i < line_bytes; i += bytes) {
        unsigned phase = (to->x + i) % SECTOR;
        uint8_t *destination = band_column(to, i);
        bytes = line_bytes - i < SECTOR - phase ? line_bytes - i : SECTOR - phase;
        if (whole && (to->x + i) % GOB_WIDTH == 0 && line_bytes - i >= GOB_WIDTH) {
            bytes = GOB_WIDTH;
            memcpy(destination, gob, (size_t)GOB_WIDTH * lines);
        } else if (bytes == SECTOR) {
            for (unsigned l = 0; l < lines; l++)
                memcpy(destination + to->line[l], pattern, SECTOR);
        } else {
            for (unsigned l = 0; l < lines; l++)
                memcpy(destination + to->line[l], pattern + phase, bytes);
        }
    }
}

/* ---- slabs ---- */

/* How the lines are divided: blocks are taken as a whole. */
static bool divide(struct slab *slab, const struct layout *layout, uint64_t x, uint64_t line_bytes) {
    uint64_t width = (uint64_t)GOB_WIDTH << layout->block_width;
    slab->left = (0 - x) % width;
    if (line_bytes < slab->left + width)
        return false;
    slab->pieces = (line_bytes - slab->left) / width;
    slab->right = (line_bytes - slab->left) % width;
    return true;
}

uint64_t slab_open(struct slab *slab, struct surface_mapping *mapping, struct surface_point at, uint64_t line_bytes,
                   uint64_t lines) {
    const struct layout *layout = &mapping->surface->layout;
    if (layout->type != LAYOUT_BLOCK || at.x > MAX_X || line_bytes > MAX_X || !is_usual(layout, at.x + line_bytes))
        return 0;
    uint64_t gob_lines = layout_gob_lines(layout->order), block_lines = gob_lines << layout->block_height;
    uint64_t width = (uint64_t)GOB_WIDTH << layout->block_width, left = block_lines - at.y % block_lines;
    lines = lines < left ? lines : left;
    lines -= lines % gob_lines;
    if (at.y % gob_lines || !lines || !divide(slab, layout, at.x, line_bytes))
        return 0;
    assert(slab->pieces > 0 && lines % gob_lines == 0);
    slab->bytes = width * lines;
    slab->stride = width * block_lines << layout->block_depth;
    uint64_t begin = layout_offset(layout, at.x - at.x % width, at.y, at.z), before = slab->left ? slab->stride : 0;
    uint64_t behind = slab->right ? slab->stride : 0;
    uint8_t *base = mapping_range(mapping, begin, begin + before + slab_range(slab) + behind);
    if (!base)
        return 0;
    slab->base = base + before;
    return lines;
}
