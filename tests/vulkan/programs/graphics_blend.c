/* SPDX-License-Identifier: MIT */
/* Blending and logic operations. All values have few bits, so that results are exact. */
#include <stdio.h>
#include <string.h>

#include "vulkan/programs/graphics_canvas.h"

enum { CELL = 4 };

static const float source[4] = {0.5f, 0.25f, 1, 0.75f}, target[4] = {0.25f, 1, 0.125f, 0.5f},
                   constant[4] = {0.5f, 0.75f, 0.25f, 0.125f};

#define ALL 15

static VkPipelineColorBlendStateCreateInfo blend_state(const VkPipelineColorBlendAttachmentState *targets,
                                                       uint32_t count) {
    VkPipelineColorBlendStateCreateInfo state = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                 .attachmentCount = count,
                                                 .pAttachments = targets};
    memcpy(state.blendConstants, constant, sizeof constant);
    return state;
}

/* Of a component; SRC_ALPHA_SATURATE is 1 of alpha. */
static float factor_of(VkBlendFactor factor, uint32_t c) {
    const float second = source[(c + 1) % 4], second_alpha = source[0];
    const float saturated = source[3] < 1 - target[3] ? source[3] : 1 - target[3];
    const float values[] = {0,
                            1,
                            source[c],
                            1 - source[c],
                            target[c],
                            1 - target[c],
                            source[3],
                            1 - source[3],
                            target[3],
                            1 - target[3],
                            constant[c],
                            1 - constant[c],
                            constant[3],
                            1 - constant[3],
                            c < 3 ? saturated : 1,
                            second,
                            1 - second,
                            second_alpha,
                            1 - second_alpha};
    return values[factor];
}

static const uint32_t *blended(struct rig *rig, struct canvas *canvas,
                               const VkPipelineColorBlendAttachmentState *states, uint32_t count,
                               const char *fragment) {
    struct box box = {.depth = 0};
    canvas_new(rig, canvas, VK_FORMAT_R32G32B32A32_SFLOAT, count * CELL, CELL);
    if (!format_has(rig, VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT))
        skip_without("blending of R32G32B32A32_SFLOAT");
    memcpy(canvas->frame.clear[0].float32, target, sizeof target);
    memcpy(box.color, source, sizeof source);
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas->frame);
    for (uint32_t i = 0; i < count; i++) {
        const VkPipelineColorBlendStateCreateInfo blend = blend_state(&states[i], 1);
        struct draws draws = boxes_new(rig, &canvas->frame, (struct draws_plan){.blend = &blend, .fragment = fragment});
        box_draw(commands, &draws, &canvas->frame, box, i * CELL, 0, CELL, CELL);
    }
    frame_end(rig, commands, &canvas->frame);
    commands_run(rig, commands);
    return canvas_words(rig, canvas);
}

static void factors(struct rig *rig, VkBlendFactor first, VkBlendFactor last, const char *fragment) {
    VkPipelineColorBlendAttachmentState states[64] = {0};
    struct canvas canvas;
    uint32_t count = 0;
    for (uint32_t f = first; f <= last; f++)
        for (uint32_t of_target = 0; of_target < 2; of_target++) {
            const VkBlendFactor other = VK_BLEND_FACTOR_ZERO, factor = (VkBlendFactor)f;
            const VkBlendFactor s = of_target ? other : factor, t = of_target ? factor : other;
            states[count++] =
                (VkPipelineColorBlendAttachmentState){VK_TRUE, s, t, VK_BLEND_OP_ADD, s, t, VK_BLEND_OP_ADD, ALL};
        }
    const float *left = (const float *)blended(rig, &canvas, states, count, fragment);
    for (uint32_t i = 0; i < count * 4; i++) {
        const uint32_t c = i % 4, cell = i / 4;
        const double factor = (double)factor_of((VkBlendFactor)(first + cell / 2), c);
        check_near(cell % 2 ? "a factor of the target" : "a factor of the source", i, (double)left[cell * CELL * 4 + c],
                   factor * (double)(cell % 2 ? target : source)[c], 0);
    }
}

void program_graphics_blend_factors(struct rig *rig) {
    factors(rig, VK_BLEND_FACTOR_ZERO, VK_BLEND_FACTOR_SRC_ALPHA_SATURATE, NULL);
}

void program_graphics_blend_dual_source(struct rig *rig) {
    NEED(rig, core.features.dualSrcBlend);
    factors(rig, VK_BLEND_FACTOR_SRC1_COLOR, VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA, "dual.frag");
}

static double combined(VkBlendOp op, double s, double t) {
    switch (op) {
    case VK_BLEND_OP_ADD:
        return s * 0.5 + t;
    case VK_BLEND_OP_SUBTRACT:
        return s * 0.5 - t;
    case VK_BLEND_OP_REVERSE_SUBTRACT:
        return t - s * 0.5;
    case VK_BLEND_OP_MIN:
        return s < t ? s : t;
    default:
        return s > t ? s : t;
    }
}

/* Each operation of the colours with each one of alpha; minimum and maximum know no factors. */
void program_graphics_blend_operations(struct rig *rig) {
    VkPipelineColorBlendAttachmentState states[25] = {0};
    struct canvas canvas;
    for (uint32_t i = 0; i < 25; i++)
        states[i] = (VkPipelineColorBlendAttachmentState){VK_TRUE,
                                                          VK_BLEND_FACTOR_DST_ALPHA,
                                                          VK_BLEND_FACTOR_ONE,
                                                          (VkBlendOp)(i / 5),
                                                          VK_BLEND_FACTOR_DST_ALPHA,
                                                          VK_BLEND_FACTOR_ONE,
                                                          (VkBlendOp)(i % 5),
                                                          ALL};
    const float *left = (const float *)blended(rig, &canvas, states, 25, NULL);
    for (uint32_t i = 0; i < 25 * 4; i++) {
        const uint32_t c = i % 4, cell = i / 4;
        check_near("a component", i, (double)left[cell * CELL * 4 + c],
                   combined((VkBlendOp)(c < 3 ? cell / 5 : cell % 5), (double)source[c], (double)target[c]), 0);
    }
}

static uint32_t logic(VkLogicOp op, uint32_t s, uint32_t d) {
    const uint32_t results[16] = {0,        s & d,    s & ~d, s,      ~s & d, d,      s ^ d,    s | d,
                                  ~(s | d), ~(s ^ d), ~d,     s | ~d, ~s,     ~s | d, ~(s & d), UINT32_MAX};
    return results[op];
}

static void logic_in(struct rig *rig, VkFormat format, const char *fragment) {
    const struct box box = {.color = {0x33 / 255.0f, 0x5a / 255.0f, 0xc6 / 255.0f, 0xff / 255.0f}, .word = 0x5ac633f0};
    const uint32_t s = fragment ? box.word : 0xffc65a33, d = 0x550f3c96;
    struct canvas canvas;
    NEED(rig, core.features.logicOp);
    canvas_new(rig, &canvas, format, 16 * CELL, CELL);
    if (fragment)
        canvas.frame.clear[0].uint32[0] = d;
    else
        for (uint32_t c = 0; c < 4; c++)
            canvas.frame.clear[0].float32[c] = (float)(d >> 8 * c & 0xff) / 255;
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    for (uint32_t op = 0; op < 16; op++) {
        const VkPipelineColorBlendAttachmentState written = {.colorWriteMask = ALL};
        VkPipelineColorBlendStateCreateInfo blend = blend_state(&written, 1);
        blend.logicOpEnable = VK_TRUE;
        blend.logicOp = (VkLogicOp)op;
        struct draws draws = boxes_new(rig, &canvas.frame, (struct draws_plan){.blend = &blend, .fragment = fragment});
        box_draw(commands, &draws, &canvas.frame, box, op * CELL, 0, CELL, CELL);
    }
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    const uint32_t *left = canvas_words(rig, &canvas);
    for (uint32_t op = 0; op < 16; op++)
        check_word("what an operation leaves", left[op * CELL], logic((VkLogicOp)op, s, d));
}

void program_graphics_logic_operations(struct rig *rig) {
    logic_in(rig, VK_FORMAT_R8G8B8A8_UNORM, NULL);
    logic_in(rig, VK_FORMAT_R32_UINT, "word.frag");
}

/* Four targets, each with its own blending and mask. */
void program_graphics_blend_independent(struct rig *rig) {
    static const VkPipelineColorBlendAttachmentState states[4] = {
        {VK_TRUE, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_ONE,
         VK_BLEND_OP_ADD, ALL},
        {VK_FALSE, 0, 0, 0, 0, 0, 0, VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_A_BIT},
        {VK_TRUE, VK_BLEND_FACTOR_DST_COLOR, VK_BLEND_FACTOR_ZERO, VK_BLEND_OP_ADD, VK_BLEND_FACTOR_ONE,
         VK_BLEND_FACTOR_ONE, VK_BLEND_OP_SUBTRACT, VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_A_BIT},
        {VK_FALSE, 0, 0, 0, 0, 0, 0, 0}};
    const double wanted[4][4] = {
        {0.75, 1.25, 1.125, 1.25}, {0.25, 1, 0.125, 0.375}, {0.25, 1, 0.125, 0}, {0.25, 1, 0.125, 0.5}};
    const VkPipelineColorBlendStateCreateInfo blend = blend_state(states, 4);
    struct image images[4];
    struct frame frame = {.colors_count = 4, .width = CELL, .height = CELL};
    struct box box = {.depth = 0};
    NEED(rig, core.features.independentBlend);
    for (uint32_t i = 0; i < 4; i++) {
        images[i] = image_new(rig, &(struct image_plan){.format = VK_FORMAT_R32G32B32A32_SFLOAT,
                                                        .width = CELL,
                                                        .height = CELL,
                                                        .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT});
        frame.colors[i] = &images[i];
        memcpy(frame.clear[i].float32, target, sizeof target);
    }
    memcpy(box.color, source, sizeof source);
    struct draws draws = boxes_new(rig, &frame, (struct draws_plan){.blend = &blend, .fragment = "four.frag"});
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &frame);
    box_draw(commands, &draws, &frame, box, 0, 0, CELL, CELL);
    frame_end(rig, commands, &frame);
    commands_run(rig, commands);
    for (uint32_t i = 0; i < 4; i++) {
        const float *left = image_read(rig, &images[i], VK_IMAGE_ASPECT_COLOR_BIT, 0, 0);
        for (uint32_t c = 0; c < 4; c++)
            check_near("a component of a target", i * 4 + c, (double)left[c], wanted[i][c], 0);
    }
}

/* ---- formats of targets ---- */

/* What a colour is in memory. */
struct target_format {
    VkFormat format;
    float color[4];
    uint32_t words[4];
    bool integer;
};

static const struct target_format formats[] = {
    {VK_FORMAT_R8_UNORM, {0.2f}, {51}, false},
    {VK_FORMAT_R8_SNORM, {-1}, {0x81}, false},
    {VK_FORMAT_R8_UINT, {200}, {200}, true},
    {VK_FORMAT_R8_SINT, {-3}, {0xfd}, true},
    {VK_FORMAT_R8G8_UNORM, {1, 0.2f}, {0x33ff}, false},
    {VK_FORMAT_R8G8_SINT, {-1, 5}, {0x05ff}, true},
    {VK_FORMAT_R8G8B8A8_UNORM, {1, 0, 0.2f, 0.4f}, {0x663300ff}, false},
    {VK_FORMAT_R8G8B8A8_SNORM, {1, -1, 0, -1}, {0x8100817f}, false},
    {VK_FORMAT_R8G8B8A8_UINT, {1, 2, 3, 254}, {0xfe030201}, true},
    {VK_FORMAT_R8G8B8A8_SRGB, {1, 0, 1, 0.2f}, {0x33ff00ff}, false},
    {VK_FORMAT_B8G8R8A8_UNORM, {1, 0, 0.2f, 0.4f}, {0x66ff0033}, false},
    {VK_FORMAT_B8G8R8A8_SRGB, {1, 0, 1, 0.2f}, {0x33ff00ff}, false},
    {VK_FORMAT_A8B8G8R8_UNORM_PACK32, {1, 0, 0.2f, 0.4f}, {0x663300ff}, false},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, {1, 0, 1, 1}, {0xfff003ff}, false},
    {VK_FORMAT_A2B10G10R10_UINT_PACK32, {1000, 2, 3, 2}, {0x80300be8}, true},
    {VK_FORMAT_R5G6B5_UNORM_PACK16, {1, 0, 1}, {0xf81f}, false},
    {VK_FORMAT_B5G6R5_UNORM_PACK16, {1, 0, 0}, {0x001f}, false},
    {VK_FORMAT_A1R5G5B5_UNORM_PACK16, {1, 0, 0, 1}, {0xfc00}, false},
    {VK_FORMAT_R16_UNORM, {1}, {0xffff}, false},
    {VK_FORMAT_R16_SFLOAT, {-1.5f}, {0xbe00}, false},
    {VK_FORMAT_R16_UINT, {40000}, {40000}, true},
    {VK_FORMAT_R16G16_SFLOAT, {1, -2}, {0xc0003c00}, false},
    {VK_FORMAT_R16G16_SINT, {-1, 7}, {0x0007ffff}, true},
    {VK_FORMAT_R16G16B16A16_UNORM, {1, 0, 1, 0}, {0x0000ffff, 0x0000ffff}, false},
    {VK_FORMAT_R16G16B16A16_SNORM, {1, -1, 0, 1}, {0x80017fff, 0x7fff0000}, false},
    {VK_FORMAT_R16G16B16A16_SFLOAT, {1, 0.5f, -4, 65504}, {0x38003c00, 0x7bffc400}, false},
    {VK_FORMAT_R16G16B16A16_UINT, {1, 2, 3, 50000}, {0x00020001, 0xc3500003}, true},
    {VK_FORMAT_R32_SFLOAT, {0.1f}, {0x3dcccccd}, false},
    {VK_FORMAT_R32_UINT, {70000}, {70000}, true},
    {VK_FORMAT_R32_SINT, {-70000}, {(uint32_t)-70000}, true},
    {VK_FORMAT_R32G32_SFLOAT, {1, -2}, {0x3f800000, 0xc0000000}, false},
    {VK_FORMAT_R32G32_UINT, {3, 4}, {3, 4}, true},
    {VK_FORMAT_R32G32B32A32_SFLOAT, {1, 2, -1, 0.5f}, {0x3f800000, 0x40000000, 0xbf800000, 0x3f000000}, false},
    {VK_FORMAT_R32G32B32A32_SINT, {1, -2, 3, -4}, {1, (uint32_t)-2, 3, (uint32_t)-4}, true},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, {1, 2, 0.5f}, {0x3c0u | 0x400u << 11 | 0x1c0u << 22}, false},
};

void program_graphics_target_formats(struct rig *rig) {
    for (size_t i = 0; i < COUNT(formats); i++) {
        const struct target_format *of = &formats[i];
        struct canvas canvas;
        struct box box = {.depth = 0};
        if (!format_has(rig, of->format, VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT))
            continue;
        char what[40];
        snprintf(what, sizeof what, "format %d", (int)of->format);
        canvas_new(rig, &canvas, of->format, CELL, CELL);
        memcpy(box.color, of->color, sizeof box.color);
        struct draws draws =
            boxes_new(rig, &canvas.frame, (struct draws_plan){.fragment = of->integer ? "integer.frag" : "color.frag"});
        VkCommandBuffer commands = commands_begin(rig);
        frame_begin(rig, commands, &canvas.frame);
        box_draw(commands, &draws, &canvas.frame, box, 0, 0, CELL, CELL / 2);
        frame_end(rig, commands, &canvas.frame);
        commands_run(rig, commands);
        const uint32_t bytes = format_bytes(of->format, VK_IMAGE_ASPECT_COLOR_BIT);
        const uint8_t *left = (const uint8_t *)canvas_words(rig, &canvas);
        for (uint32_t k = 0; k < CELL * CELL / 2; k++)
            check_bytes(what, left + (size_t)k * bytes, of->words, bytes);
        check_bytes(what, left + (size_t)CELL * CELL / 2 * bytes, (uint32_t[4]){0}, bytes);
    }
}
