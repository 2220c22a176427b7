/* SPDX-License-Identifier: MIT */
/*
 * What follows the fields of an event that is about a draw or a clear:
 *
 *   color0=BGRA8_UNORM,64x64,0x20000 depth=Z24S8_UNORM,64x64,0x40000 textures=3,5
 */
#include "trace/trace.h"

#include <pfifo/draw.h>

#include <math.h>
#include <stdio.h>

#include "decode/json_value.h"

/* ---- text ---- */

static void put_target_text(struct output *out, unsigned number, const struct pfifo_target *target) {
    output_text(out, number < PFIFO_DRAW_COLORS ? " color" : " depth");
    if (number < PFIFO_DRAW_COLORS)
        output_decimal(out, number);
    output_text(out, "=");
    output_text(out, target->format);
    output_text(out, ",");
    output_decimal(out, target->width);
    output_text(out, "x");
    output_decimal(out, target->height);
    if (target->samples > 1) {
        output_text(out, "x");
        output_decimal(out, target->samples);
    }
    output_text(out, ",0x");
    output_hex(out, target->address, 1);
}

void trace_draw_text(struct output *out, const struct pfifo_draw *draw) {
    for (unsigned i = 0; i < PFIFO_DRAW_TARGETS; i++)
        if (draw->target[i].format)
            put_target_text(out, i, &draw->target[i]);
    for (uint32_t i = 0; i < draw->textures; i++) {
        output_text(out, i ? "," : " textures=");
        output_decimal(out, draw->texture[i].header);
    }
}

/* ---- JSON ---- */

static void draw_put_number(struct output *out, const char *key, uint64_t value) {
    output_text(out, ",\"");
    output_text(out, key);
    output_text(out, "\":");
    output_decimal(out, value);
}

static void draw_put_string(struct output *out, const char *key, const char *value) {
    output_text(out, ",\"");
    output_text(out, key);
    output_text(out, "\":");
    json_string(out, value);
}

/* JSON has no infinities: they are null. */
static void put_float(struct output *out, float value) {
    char text[32];
    snprintf(text, sizeof text, "%.9g", (double)value);
    output_text(out, isfinite(value) ? text : "null");
}

static void put_target_json(struct output *out, unsigned number, const struct pfifo_target *target) {
    output_text(out, "{\"attachment\":");
    if (number < PFIFO_DRAW_COLORS)
        output_decimal(out, number);
    else
        output_text(out, "\"depth\"");
    draw_put_string(out, "format", target->format);
    draw_put_string(out, "layout", target->layout);
    draw_put_number(out, "address", target->address);
    draw_put_number(out, "width", target->width);
    draw_put_number(out, "height", target->height);
    draw_put_number(out, "samples", target->samples);
    draw_put_number(out, "layers", target->layers);
    output_text(out, "}");
}

static void put_texture_json(struct output *out, const struct pfifo_draw_texture *texture) {
    output_text(out, "{\"header\":");
    output_decimal(out, texture->header);
    if (texture->shape) {
        draw_put_string(out, "shape", texture->shape);
        draw_put_string(out, "format", texture->format);
        draw_put_number(out, "address", texture->address);
        draw_put_number(out, "width", texture->width);
        draw_put_number(out, "height", texture->height);
        draw_put_number(out, "depth", texture->depth);
        draw_put_number(out, "layers", texture->layers);
    }
    output_text(out, "}");
}

/* Programs in the order of vertices, with what they have cost. */
static void put_stages_json(struct output *out, const struct pfifo_draw *draw) {
    const struct pfifo_draw_work *work = &draw->work;
    const struct {
        const char *name;
        uint64_t program, warps, instructions;
    } stages[] = {
        {"vertex", draw->vertex_program, work->vertex_warps, work->vertex_instructions},
        {"control", draw->control_program, work->control_warps, work->control_instructions},
        {"evaluation", draw->evaluation_program, work->evaluation_warps, work->evaluation_instructions},
        {"geometry", draw->geometry_program, work->geometry_warps, work->geometry_instructions},
        {"fragment", draw->fragment_program, work->fragment_warps, work->fragment_instructions},
    };
    const char *begin = "{\"stage\":";
    draw_put_number(out, "generated", draw->generated);
    output_text(out, ",\"stages\":[");
    for (unsigned i = 0; i < sizeof stages / sizeof stages[0]; i++) {
        if (!stages[i].program)
            continue;
        output_text(out, begin);
        json_string(out, stages[i].name);
        draw_put_number(out, "program", stages[i].program);
        draw_put_number(out, "warps", stages[i].warps);
        draw_put_number(out, "instructions", stages[i].instructions);
        output_text(out, "}");
        begin = ",{\"stage\":";
    }
    output_text(out, "]");
}

static void put_state_json(struct output *out, const struct pfifo_draw *draw) {
    output_text(out, ",\"textures\":[");
    for (uint32_t i = 0; i < draw->textures; i++) {
        output_text(out, i ? "," : "");
        put_texture_json(out, &draw->texture[i]);
    }
    output_text(out, "],\"viewport\":[");
    for (unsigned i = 0; i < 4; i++) {
        put_float(out, draw->viewport[i]);
        output_text(out, ",");
    }
    put_float(out, draw->near);
    output_text(out, ",");
    put_float(out, draw->far);
    output_text(out, "]");
    draw_put_string(out, "depth", draw->depth);
    draw_put_string(out, "blend", draw->blend);
    put_stages_json(out, draw);
}

void trace_draw_json(struct output *out, const struct pfifo_draw *draw) {
    const char *comma = "";
    output_text(out, ",\"targets\":[");
    for (unsigned i = 0; i < PFIFO_DRAW_TARGETS; i++) {
        if (!draw->target[i].format)
            continue;
        output_text(out, comma);
        put_target_json(out, i, &draw->target[i]);
        comma = ",";
    }
    output_text(out, "]");
    if (!draw->clear)
        put_state_json(out, draw);
}
