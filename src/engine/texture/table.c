/* SPDX-License-Identifier: MIT */
/* What vector.c knows of a view before it samples: where texels of its levels lie, and what their bytes mean. */
#include "engine/texture/rows.h"

#include <assert.h>
#include <string.h>

#include "memory/power.h"

#define MOST_BYTES (UINT32_MAX / 2) /* so that offsets of gathers are positive */

static uint8_t log2_of(uint32_t power) {
    return (uint8_t)__builtin_ctz(power);
}

/* Offsets within a gob, less what `64 y` and `x / 64` say already. */
static void place_near(struct texture_table *table, const struct rows_parts *parts) {
    const uint32_t lines = (1u << parts->gob_lines_shift) - 1;
    for (uint32_t i = 0; i < TEXTURE_LEVELS; i++) {
        const uint32_t x = 4 * i, y = i & lines;
        table->near_x[i] = (x & parts->x_keep) + ((x & parts->x_once) << 1) + ((x & parts->x_twice) << 2) +
                           ((x & parts->x_thrice) << 3);
        table->near_y[i] =
            ((y & parts->y_four) << 4) + ((y & parts->y_five) << 5) + ((y & parts->y_six) << 6) - (y << 6);
    }
}

static void place_level(struct texture_table *table, unsigned number, const struct texture_level *level) {
    const struct rows_parts parts = rows_parts(&level->layout);
    const bool blocks = level->layout.type == LAYOUT_BLOCK;
    table->offset[number] = (uint32_t)level->offset;
    table->column[number] = blocks ? parts.column : 64;
    table->lines_shift[number] = blocks ? parts.down_shift : 0;
    table->lines[number] = parts.line - (64u << table->lines_shift[number]);
    table->slice[number] = parts.gob_slice;
    table->slices_shift[number] = parts.deep_shift;
    table->slices[number] = parts.slice - (parts.gob_slice << parts.deep_shift);
    for (unsigned axis = 0; axis < 3; axis++) {
        table->size[axis][number] = level->size[axis];
        if (!is_power_of_two(level->size[axis]))
            table->powers &= (uint8_t) ~(1u << axis);
    }
    if (number == 0)
        place_near(table, &parts);
}

static void find_bytes(struct texture_table *table, const struct texture_view *view) {
    struct texel_reader reader;
    texel_begin(&reader, NULL, view, NULL);
    table->weight = (uint8_t)reader.weight;
    table->bytes = reader.bytes_only;
    for (unsigned i = 0; i < 4 && table->bytes; i++) {
        table->place[i] = reader.shift[i] / 8 & 3;
        table->value[i] = reader.table[i][0];
        table->bytes = reader.shift[i] % 8 == 0;
    }
    table->constant = reader.constant;
    table->curved = reader.curved;
}

/* False: it is none of these. */
static bool find_component(struct texture_component *component, const struct texture_view *view, unsigned number) {
    const struct texture_field field = view->format->field[number];
    const uint8_t type = view->type[number];
    unsigned bits = field.bits;
    *component = (struct texture_component){
        .word = field.shift / 32, .shift = field.shift % 32, .bits = field.bits, .kind = TEXTURE_KIND_ZERO};
    if (!bits) {
        component->kind = number < 3 ? TEXTURE_KIND_ZERO : view->integers ? TEXTURE_KIND_ONE_INT : TEXTURE_KIND_ONE;
        return true;
    }
    if (type == TEXTURE_SINT || type == TEXTURE_UINT) {
        component->kind = type == TEXTURE_SINT ? TEXTURE_KIND_SINT : TEXTURE_KIND_UINT;
    } else if (type == TEXTURE_FLOAT && (bits == 32 || bits == 16)) {
        component->kind = bits == 32 ? TEXTURE_KIND_FLOAT : TEXTURE_KIND_HALF;
    } else if (type == TEXTURE_FLOAT && (bits == 11 || bits == 10)) {
        return false;
    } else if (type == TEXTURE_SNORM || type == TEXTURE_SNORM_16) {
        component->kind = TEXTURE_KIND_SNORM;
        bits--;
    } else {
        component->kind = TEXTURE_KIND_UNORM;
    }
    const double part = bits && bits < 32 ? 1.0 / ((1u << bits) - 1) : 0;
    component->upper = (float)part;
    component->lower = (float)(part - (double)component->upper);
    return field.shift % 32 + field.bits <= 32 &&
           ((component->kind != TEXTURE_KIND_UNORM && component->kind != TEXTURE_KIND_SNORM) || (bits && bits <= 24));
}

/* sRGB is of bytes alone: other values have no table. */
static void find_fields(struct texture_table *table, const struct texture_view *view) {
    table->fields = view->format->coding == CODING_BITS && (!view->srgb || table->bytes);
    for (unsigned i = 0; i < 4 && table->fields; i++) {
        table->fields = find_component(&table->component[i], view, i);
        if (view->srgb && view->type[i] == TEXTURE_UNORM && i < (view->format->field[2].bits ? 3u : 1u))
            table->curved_fields |= (uint8_t)(1u << i);
    }
}

void texture_table(struct texture_view *view) {
    struct texture_table *table = &view->table;
    const struct texture_format *format = view->format;
    *table = (struct texture_table){.powers = 7};
    if (view->samples_x || view->samples_y || !is_power_of_two(format->bytes) || !is_power_of_two(format->across) ||
        !is_power_of_two(format->down) || view->layer_bytes > MOST_BYTES ||
        view->layer_bytes * view->layers > MOST_BYTES || view->address % format->bytes)
        return;
    table->possible = true;
    table->across_shift = log2_of(format->across);
    table->down_shift = log2_of(format->down);
    table->bytes_shift = log2_of(format->bytes);
    for (unsigned i = 0; i <= view->last_level; i++)
        place_level(table, i, &view->level[i]);
    find_bytes(table, view);
    find_fields(table, view);
    if (format->coding >= CODING_BC1 && format->coding <= CODING_BC5 && view->type[0] != TEXTURE_SNORM)
        table->blocks = (uint8_t)(format->coding - CODING_BC1 + 1);
}
