/* SPDX-License-Identifier: MIT */
/* Where the elements of a target are in the host, gob by gob. */
#include "engine/draw/raster.h"

#include <assert.h>

#define RUN_BYTES 64u /* of a line, as far as a gob goes */

_Static_assert(PIXEL_RUN == RUN_BYTES << 3, "a gob has 8 lines at most");
_Static_assert(PIXEL_GOBS == 1 << 6, "slots have 6 bits");

/* Lines are runs of their own but in blocks. */
static void pixel_access_tables(struct pixel_access *access) {
    const struct layout *layout = &access->surface.layout;
    bool block = layout->type == LAYOUT_BLOCK && !layout->quarter_gobs;
    access->line_shift = !block ? 0 : layout->order == GOB_LINES ? 2 : 3;
    for (unsigned i = 0; i < RUN_BYTES; i++)
        access->column[i] = (uint16_t)(block ? cursor_in_gob(layout->order, i) : i);
    for (unsigned i = 0; i < 8; i++)
        access->line[i] = (uint16_t)(block ? cursor_line_in_gob(layout->order, i) : 0);
    access->paired = access->bytes == 4 && access->line_shift == 3 && access->column[16] == 32 &&
                     access->column[48] == access->column[32] + 32;
    for (unsigned i = 0; i < 8 && access->paired; i += 2)
        access->paired = access->line[i + 1] == access->line[i] + 16;
}

/* Reading and writing need both rights; a hole gives what was written to it, or zeros. */
void pixel_access_begin(struct pixel_access *access, const struct draw_raster *raster, const struct draw_target *target,
                        uint32_t layer, bool writes, bool reads) {
    assert(target->format);
    struct memory *memory = raster->memory;
    access->memory = memory;
    access->threads = raster->threads;
    access->surface = target->surface;
    access->z = target->volume ? target->first_slice + layer : 0;
    if (!target->volume)
        access->surface.address += layer * target->layer_stride;
    access->width = target->width;
    access->height = target->height;
    access->bytes = target->format->bytes;
    pixel_access_tables(access);
    access->run = NULL;
    access->whole = false;
    memset(access->gobs, 0, sizeof access->gobs);
    mapping_begin(&access->mapping, memory, &access->surface, writes ? MEMORY_WRITE : MEMORY_READ);
    access->mapping.merges = writes && reads;
}

/* A fault is raised when it is known that no region before this one has failed: pixel_raise(). */
static uint8_t *pixel_piece(struct pixel_access *access, uint64_t offset, uint64_t *bytes, struct fault *fault) {
    threads_lock(access->threads);
    uint8_t *piece = mapping_try_piece(&access->mapping, offset, bytes);
    threads_unlock(access->threads);
    assert(!piece || *bytes <= sizeof access->hole);
    if (!piece)
        fault->address = access->surface.address + offset;
    else if (memory_is_hole(access->memory, piece))
        piece = memset(access->hole, 0, sizeof access->hole);
    return piece;
}

/* The same access again. */
void pixel_raise(struct draw_raster *raster, struct draw_result *result) {
    const struct draw_state *state = raster->state;
    assert(result->fault_target < DRAW_TARGETS);
    const struct draw_target *target =
        result->fault_is_zeta ? &state->targets.zeta : &state->targets.color[result->fault_target];
    bool writes = !result->fault_is_zeta || raster->zeta.writes, reads = result->fault_is_zeta;
    struct span span;
    for (unsigned i = 0; i < raster->target_count && !result->fault_is_zeta; i++)
        reads |= raster->targets[i].number == result->fault_target && raster->targets[i].reads;
    uint64_t address = result->fault.address;
    if (!reads || memory_span(raster->memory, &target->surface.space, address, 1, MEMORY_READ, &span, &result->fault))
        memory_span(raster->memory, &target->surface.space, address, 1, writes ? MEMORY_WRITE : MEMORY_READ, &span,
                    &result->fault);
}

/* An element that is not in the piece that begins its gob: such a gob crosses the end of a page. */
static uint8_t *pixel_alone(struct pixel_access *access, uint64_t offset, struct fault *fault, bool *faulted) {
    uint64_t bytes = access->bytes;
    uint8_t *element = pixel_piece(access, offset, &bytes, fault);
    *faulted = !element;
    /* UNKNOWN: an element across pages, of a target that is not aligned; chosen: it is not there. */
    return bytes == access->bytes ? element : NULL;
}

static struct pixel_gob *gob_slot(struct pixel_access *access, uint64_t key) {
    return &access->gobs[(key & 7) | (key >> 32 & 7) << 3];
}

/* Primitives of a region meet the same gobs again and again, and a page table is long to walk. */
static bool bring_known_gob(struct pixel_access *access, uint64_t key) {
    const struct pixel_gob *gob = gob_slot(access, key);
    if (!gob->run || gob->key != key)
        return false;
    access->run = gob->run;
    access->run_bytes = (uint64_t)RUN_BYTES << access->line_shift;
    access->key = key;
    access->whole = true;
    return true;
}

static bool find_gob(struct pixel_access *access, uint64_t x, uint64_t y, uint64_t key, struct fault *fault) {
    struct surface_point at = {x * access->bytes & ~(uint64_t)(RUN_BYTES - 1),
                               y >> access->line_shift << access->line_shift, access->z};
    access->run_offset = cursor_offset(&access->mapping.cursor, at);
    access->run_bytes = (uint64_t)RUN_BYTES << access->line_shift;
    access->run = pixel_piece(access, access->run_offset, &access->run_bytes, fault);
    access->key = key;
    access->whole = access->run && access->line_shift && access->run_bytes == UINT64_C(64) << access->line_shift;
    if (access->whole && access->run != access->hole)
        *gob_slot(access, key) = (struct pixel_gob){key, access->run};
    return access->run;
}

uint8_t *pixel_element_elsewhere(struct pixel_access *access, uint64_t x, uint64_t y, struct fault *fault,
                                 bool *faulted) {
    uint64_t key = pixel_key(access, x, y), in = pixel_in_run(access, x, y);
    if ((!access->run || access->key != key) && !bring_known_gob(access, key) && !find_gob(access, x, y, key, fault)) {
        *faulted = true;
        return NULL;
    }
    if (in + access->bytes > access->run_bytes)
        return pixel_alone(access, access->run_offset + in, fault, faulted);
    return access->run + in;
}

bool pixel_parts_at(struct pixel_access *access, const struct pixel_parts *parts, uint32_t x, uint32_t y,
                    uint8_t *at[PIXEL_PARTS]) {
    uint32_t first = x * parts->columns, line = y * parts->pairs;
    struct fault fault;
    bool faulted;
    if (!access->paired || x + RASTER_TILE > access->width || y + 2 > access->height)
        return false;
    assert(parts->count == 2 * parts->columns * parts->pairs && parts->count <= PIXEL_PARTS);
    for (unsigned column = 0; column < parts->columns; column++) {
        uint32_t ex = first + RASTER_TILE * column;
        if (!(access->run && access->key == pixel_key(access, ex, line)))
            pixel_element_elsewhere(access, ex, line, &fault, &faulted);
        if (!access->whole)
            return false;
        for (unsigned pair = 0; pair < parts->pairs; pair++, at += 2) {
            at[0] = access->run + access->line[(line + 2 * pair) & 7];
            at[1] = at[0] + access->column[32];
        }
    }
    return true;
}
