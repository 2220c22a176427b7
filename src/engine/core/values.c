/* SPDX-License-Identifier: MIT */
#include "engine/core/values.h"

#include <assert.h>

#include "engine/core/error.h"
#include "fifo/fifo.h"
#include "methods/nv1_2d.h"
#include "methods/nv1_3d.h"
#include "methods/nv3_3d.h"
#include "unit/graph/graph.h"

#define D3D_CONFIG 0xf77fbdf3u
/* What both kinds of D3D_CONFIG and D3D_ALPHA want. */
#define DEPTH_FIELDS                                                                                                   \
    {16, 4, 1, 8}, {20, 3, 0, 4}, {                                                                                    \
        24, 3, 0, 4                                                                                                    \
    }
#define ALPHA .keeps = 0xfff, .zero = ~0xfffu, .field = {{8, 4, 1, 8}}

static const struct value_rule rules[] = {
    /* Context objects: ROP, the pattern's shape. */
    {"NV1", {0x14}, NV1_ROP_ROP, .keeps = 0xff, .zero = ~0xffu},
    {"NV1:NV4", {0x18}, NV1_PATTERN_BITMAP_SHAPE, .keeps = 3, .zero = ~3u, .field = {{0, 2, 0, 2}}},
    /* Textured quads: how often they are divided. */
    {"NV1",
     {0x23, 0x24, 0x34, 0x35},
     NV1_TEXQUAD_SUBDIVIDE,
     .keeps = 0xffff00ff,
     .zero = 0xff00,
     .field = {{0, 4, 2, 8}, {4, 4, 2, 8}, {16, 4, 0, 8}, {20, 4, 0, 8}, {24, 4, 0, 8}, {28, 4, 0, 8}}},
    /* Images to memory: pitch. Scaled images from memory: size, pitch. */
    {"NV3:NV4", {0x25}, NV1_ITM_PITCH, .keeps = 0xffff, .zero = ~0x1fffu},
    {"NV3:NV4", {0x37}, NV3_SIFM_SIZE, .keeps = 0x07ff07ff, .field = {{0, 16, 0, 0x400}, {16, 16, 0, 0x400}}},
    {"NV3:NV4", {0x37}, NV3_SIFM_FORMAT, .keeps = 0xffff, .zero = ~0x1fffu, .not_yuv420 = true},
    /* 3D: texture format, configuration, alpha. Points with depth: the same without a texture. */
    {"NV3:NV4",
     {0x48},
     NV3_D3D_TEXTURE_FORMAT,
     .keeps = ~0u,
     .zero = ~0xff31ffffu,
     .field = {{24, 4, 0, 0xb}, {28, 4, 0, 0xb}}},
    {"NV3:NV4",
     {0x48},
     NV3_D3D_CONFIG,
     .keeps = D3D_CONFIG,
     .zero = ~D3D_CONFIG,
     .field = {{0, 2, 0, 2}, {12, 2, 1, 3}, DEPTH_FIELDS}},
    {"NV3:NV4", {0x48}, NV3_D3D_ALPHA, ALPHA},
    {"NV3:NV4", {0x47}, NV3_ZPOINT_CONFIG, .keeps = D3D_CONFIG, .zero = ~D3D_CONFIG | 0xffff, .field = {DEPTH_FIELDS}},
    {"NV3:NV4", {0x47}, NV3_ZPOINT_ALPHA, ALPHA},
    /* Surfaces: format. */
    {"NV3:NV4",
     {0x58},
     NV3_SURFACE_DST_FORMAT,
     .keeps = 0x01010001,
     .only = {0x00000001, 0x01000000, 0x01010000, 0x01010001}},
};

static bool is_of(const struct value_rule *rule, uint32_t object_class) {
    for (unsigned i = 0; i < VALUE_CLASSES && rule->classes[i]; i++)
        if (rule->classes[i] == object_class)
            return true;
    return false;
}

const struct value_rule *value_rule_of(const struct pfifo_chip *chip, uint32_t object_class, uint32_t method) {
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (rules[i].method == method && is_of(&rules[i], object_class) && chip_in_range(chip, rules[i].chips))
            return &rules[i];
    return NULL;
}

static bool is_one_of(const uint32_t *values, uint32_t value) {
    for (unsigned i = 0; i < 4; i++)
        if (values[i] == value)
            return true;
    return false;
}

bool value_fits(const struct value_rule *rule, uint32_t value) {
    if (value & rule->zero)
        return false;
    for (const struct value_field *f = rule->field; f < rule->field + VALUE_FIELDS && f->bits; f++) {
        uint32_t found = value >> f->shift & ((1u << f->bits) - 1);
        if (found < f->least || found > f->most)
            return false;
    }
    return !rule->only[0] || is_one_of(rule->only, value);
}

static enum action_result check_value(struct call *call) {
    const struct fifo *fifo = call->engine->fifo;
    const struct value_rule *rule = value_rule_of(fifo->chip, call->object->object_class, call->method);
    assert(rule);
    if ((rule->not_yuv420 && graph_is_yuv420(call->engine->graph)) || value_fits(rule, call->data))
        return ACTION_DONE;
    call_set_value(call, call->method, call->data & rule->keeps);
    return call_error(call, ENGINE_ERROR_INVALID_VALUE);
}

static const struct action checked = {.type = ACTION_EFFECT, .run = check_value};

void values_add(struct action_index *index, const struct pfifo_chip *chip) {
    uint8_t number = 0;
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (!is_of(&rules[i], index->object_class) || !chip_in_range(chip, rules[i].chips))
            continue;
        number = number ? number : action_index_row(index, &checked);
        assert(!(index->has_row[rules[i].method >> 8] >> (rules[i].method >> 2 & 63) & 1)); /* nothing else is done */
        action_index_set(index, rules[i].method >> 2, number);
    }
}
