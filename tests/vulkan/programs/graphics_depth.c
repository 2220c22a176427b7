/* SPDX-License-Identifier: MIT */
/* Depth and stencil: tests, what they leave, bias, clamps, bounds. */
#include <math.h>

#include <string.h>

#include "vulkan/programs/graphics_canvas.h"

enum { CELL = 4, OPS = 8 };

static const VkFormat depth_formats[] = {VK_FORMAT_D16_UNORM, VK_FORMAT_X8_D24_UNORM_PACK32, VK_FORMAT_D32_SFLOAT,
                                         VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT};
static const float white[4] = {1, 1, 1, 1};

static bool passes(VkCompareOp op, double value, double stored) {
    const unsigned bit = value < stored ? 1 : value == stored ? 2 : 4;
    return (unsigned)op & bit;
}

static struct box white_box(float depth) {
    struct box box = {.depth = depth};
    memcpy(box.color, white, sizeof white);
    return box;
}

static VkPipelineDepthStencilStateCreateInfo depth_state(VkCompareOp op, bool write) {
    return (VkPipelineDepthStencilStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                   .depthTestEnable = VK_TRUE,
                                                   .depthWriteEnable = write,
                                                   .depthCompareOp = op};
}

/* A row for each comparison, and in it what is nearer, equal, farther. */
static void compare_in(struct rig *rig, VkFormat format) {
    static const float depths[] = {0.25f, 0.5f, 0.75f};
    struct canvas canvas;
    canvas_new(rig, &canvas, VK_FORMAT_R8G8B8A8_UNORM, 4 * CELL, OPS * CELL);
    canvas_depth(rig, &canvas, format, 0.5f, 0);
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    for (uint32_t op = 0; op < OPS; op++) {
        const VkPipelineDepthStencilStateCreateInfo state = depth_state((VkCompareOp)op, true);
        struct draws draws = boxes_new(rig, &canvas.frame, (struct draws_plan){.depth = &state});
        for (uint32_t i = 0; i < COUNT(depths); i++)
            box_draw(commands, &draws, &canvas.frame, white_box(depths[i]), i * CELL, op * CELL, CELL, CELL);
    }
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    const uint32_t *pixels = canvas_words(rig, &canvas);
    for (uint32_t i = 0; i < 4 * CELL * OPS * CELL; i++) {
        const uint32_t x = i % (4 * CELL) / CELL, op = i / (4 * CELL) / CELL;
        const bool drawn = x < COUNT(depths) && passes((VkCompareOp)op, depths[x], 0.5);
        if ((pixels[i] != 0) != drawn)
            fail("format %d, comparison %u: what has the depth %g is %08x", (int)format, op,
                 x < 3 ? (double)depths[x] : 0.5, pixels[i]);
    }
}

void program_graphics_depth_compare(struct rig *rig) {
    for (size_t i = 0; i < COUNT(depth_formats); i++)
        if (format_has(rig, depth_formats[i], VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT))
            compare_in(rig, depth_formats[i]);
}

/* Depth as a number from 0 to 1, of a copy to a buffer. */
static double depth_at(const void *bytes, VkFormat format, size_t index) {
    if (format == VK_FORMAT_D16_UNORM)
        return ((const uint16_t *)bytes)[index] / 65535.0;
    if (format == VK_FORMAT_D32_SFLOAT || format == VK_FORMAT_D32_SFLOAT_S8_UINT)
        return (double)((const float *)bytes)[index];
    return (((const uint32_t *)bytes)[index] & 0xffffff) / 16777215.0;
}

/* What is written, with a viewport whose depths are from 0.25 to 0.75. */
static void write_in(struct rig *rig, VkFormat format) {
    static const float depths[] = {0, 0.125f, 0.5f, 0.875f, 1};
    const VkPipelineDepthStencilStateCreateInfo state = depth_state(VK_COMPARE_OP_ALWAYS, true);
    const VkViewport area = {0, 0, 8 * CELL, CELL, 0.25f, 0.75f};
    const VkRect2D scissors = {{0, 0}, {8 * CELL, CELL}};
    const VkPipelineViewportStateCreateInfo viewport = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                        .viewportCount = 1,
                                                        .pViewports = &area,
                                                        .scissorCount = 1,
                                                        .pScissors = &scissors};
    struct canvas canvas;
    canvas_new(rig, &canvas, VK_FORMAT_R8G8B8A8_UNORM, 8 * CELL, CELL);
    canvas_depth(rig, &canvas, format, 1, 0);
    struct draws draws = boxes_new(rig, &canvas.frame, (struct draws_plan){.depth = &state, .viewport = &viewport});
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    for (uint32_t i = 0; i < COUNT(depths); i++)
        box_draw(commands, &draws, &canvas.frame, white_box(depths[i]), i * CELL, 0, CELL, CELL);
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    const void *bytes = image_read(rig, &canvas.depth, VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0);
    for (size_t i = 0; i < COUNT(depths); i++)
        check_near("depth", i, depth_at(bytes, format, i * CELL), 0.25 + 0.5 * (double)depths[i],
                   format == VK_FORMAT_D16_UNORM ? 1 / 65535.0 : 1 / 16777215.0);
    check_near("depth", 99, depth_at(bytes, format, 7 * CELL), 1, 0);
}

void program_graphics_depth_write(struct rig *rig) {
    for (size_t i = 0; i < COUNT(depth_formats); i++)
        if (format_has(rig, depth_formats[i], VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT))
            write_in(rig, depth_formats[i]);
}

/* Boxes in front, in between and behind, with and without clamping: who is drawn, and which depth it leaves. */
void program_graphics_depth_clamp(struct rig *rig) {
    static const float depths[] = {-0.5f, 0.5f, 1.5f};
    const VkPipelineDepthStencilStateCreateInfo state = depth_state(VK_COMPARE_OP_ALWAYS, true);
    struct canvas canvas;
    NEED(rig, core.features.depthClamp);
    canvas_new(rig, &canvas, VK_FORMAT_R8G8B8A8_UNORM, 4 * CELL, 2 * CELL);
    canvas_depth(rig, &canvas, VK_FORMAT_D32_SFLOAT, 0.75f, 0);
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    for (uint32_t clamps = 0; clamps < 2; clamps++) {
        const VkPipelineRasterizationStateCreateInfo raster = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
            .depthClampEnable = clamps,
            .lineWidth = 1};
        struct draws draws = boxes_new(rig, &canvas.frame, (struct draws_plan){.depth = &state, .raster = &raster});
        for (uint32_t i = 0; i < 3; i++)
            box_draw(commands, &draws, &canvas.frame, white_box(depths[i]), i * CELL, clamps * CELL, CELL, CELL);
    }
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    static const double wanted[2][4] = {{0.75, 0.5, 0.75, 0.75}, {0, 0.5, 1, 0.75}};
    const float *left = image_read(rig, &canvas.depth, VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0);
    for (uint32_t i = 0; i < 8; i++)
        check_near("depth", i, (double)left[i / 4 * CELL * 4 * CELL + i % 4 * CELL], wanted[i / 4][i % 4], 0);
}

/* The bounds are for what is stored. */
void program_graphics_depth_bounds(struct rig *rig) {
    static const float depths[] = {0.125f, 0.25f, 0.5f, 0.75f, 0.875f};
    const VkPipelineDepthStencilStateCreateInfo writes = depth_state(VK_COMPARE_OP_ALWAYS, true);
    const VkPipelineDepthStencilStateCreateInfo bounds = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthBoundsTestEnable = VK_TRUE,
        .minDepthBounds = 0.25f,
        .maxDepthBounds = 0.75f};
    struct canvas canvas;
    NEED(rig, core.features.depthBounds);
    canvas_new(rig, &canvas, VK_FORMAT_R8G8B8A8_UNORM, 8 * CELL, CELL);
    canvas_depth(rig, &canvas, VK_FORMAT_D32_SFLOAT, 1, 0);
    struct draws draws = boxes_new(rig, &canvas.frame, (struct draws_plan){.depth = &writes});
    struct draws bounded = boxes_new(rig, &canvas.frame, (struct draws_plan){.depth = &bounds});
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    for (uint32_t i = 0; i < COUNT(depths); i++)
        box_draw(commands, &draws, &canvas.frame, (struct box){.depth = depths[i]}, i * CELL, 0, CELL, CELL);
    box_draw(commands, &bounded, &canvas.frame, white_box(0), 0, 0, 8 * CELL, CELL);
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    const uint32_t *pixels = canvas_words(rig, &canvas);
    for (uint32_t i = 0; i < 8; i++)
        check_word("a pixel", pixels[i * CELL], i > 0 && i < 4 ? 0xffffffff : 0);
}

/* Steps of the format, of a box whose depth does not vary. */
void program_graphics_depth_bias(struct rig *rig) {
    static const VkFormat formats[] = {VK_FORMAT_D16_UNORM, VK_FORMAT_D24_UNORM_S8_UINT};
    static const double steps[] = {65535, 16777215};
    const VkPipelineDepthStencilStateCreateInfo state = depth_state(VK_COMPARE_OP_ALWAYS, true);
    for (uint32_t f = 0; f < 2; f++) {
        struct canvas canvas;
        if (!format_has(rig, formats[f], VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT))
            continue;
        canvas_new(rig, &canvas, VK_FORMAT_R8G8B8A8_UNORM, 4 * CELL, CELL);
        canvas_depth(rig, &canvas, formats[f], 0, 0);
        VkCommandBuffer commands = commands_begin(rig);
        frame_begin(rig, commands, &canvas.frame);
        for (uint32_t i = 0; i < 4; i++) {
            const VkPipelineRasterizationStateCreateInfo raster = {
                .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                .depthBiasEnable = i > 0,
                .depthBiasConstantFactor = 100 * (float)i - 150,
                .lineWidth = 1};
            struct draws draws = boxes_new(rig, &canvas.frame, (struct draws_plan){.depth = &state, .raster = &raster});
            box_draw(commands, &draws, &canvas.frame, white_box(0.5f), i * CELL, 0, CELL, CELL);
        }
        frame_end(rig, commands, &canvas.frame);
        commands_run(rig, commands);
        const void *left = image_read(rig, &canvas.depth, VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0);
        /* Vulkan's smallest difference is a step of the format, or two, as lavapipe has it. */
        for (uint32_t i = 0; i < 4; i++) {
            const double got = depth_at(left, formats[f], i * CELL) * steps[f], bias = i ? 100 * (double)i - 150 : 0;
            const double one = steps[f] / 2 + bias, two = one + bias;
            check_near("steps", i, got, fabs(got - two) < fabs(got - one) ? two : one, 2);
        }
    }
}

/* ---- stencil ---- */

static VkFormat stencil_format(const struct rig *rig) {
    return format_has(rig, VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT)
               ? VK_FORMAT_D24_UNORM_S8_UINT
               : VK_FORMAT_D32_SFLOAT_S8_UINT;
}

static uint8_t stencil_after(VkStencilOp op, uint8_t value, uint8_t reference) {
    switch (op) {
    case VK_STENCIL_OP_ZERO:
        return 0;
    case VK_STENCIL_OP_REPLACE:
        return reference;
    case VK_STENCIL_OP_INCREMENT_AND_CLAMP:
        return (uint8_t)(value < 255 ? value + 1 : 255);
    case VK_STENCIL_OP_DECREMENT_AND_CLAMP:
        return (uint8_t)(value ? value - 1 : 0);
    case VK_STENCIL_OP_INVERT:
        return (uint8_t)~value;
    case VK_STENCIL_OP_INCREMENT_AND_WRAP:
        return (uint8_t)(value + 1);
    case VK_STENCIL_OP_DECREMENT_AND_WRAP:
        return (uint8_t)(value - 1);
    default:
        return value;
    }
}

static const uint8_t stencils[] = {0, 1, 0x5a, 0xff};
enum { REFERENCE = 0x2c, OUTCOMES = 3 };

/* What a box does: the stencil test fails, the depth test fails, or both pass. */
static VkPipelineDepthStencilStateCreateInfo stencil_state(uint32_t outcome, VkStencilOp op, uint32_t mask) {
    VkPipelineDepthStencilStateCreateInfo state = depth_state(VK_COMPARE_OP_LESS, false);
    const VkStencilOp other = op == VK_STENCIL_OP_ZERO ? VK_STENCIL_OP_INVERT : VK_STENCIL_OP_ZERO;
    state.stencilTestEnable = VK_TRUE;
    state.front = (VkStencilOpState){.failOp = outcome == 0 ? op : other,
                                     .depthFailOp = outcome == 1 ? op : other,
                                     .passOp = outcome == 2 ? op : other,
                                     .compareOp = outcome == 0 ? VK_COMPARE_OP_NEVER : VK_COMPARE_OP_ALWAYS,
                                     .compareMask = 0xff,
                                     .writeMask = mask,
                                     .reference = REFERENCE};
    state.back = state.front;
    return state;
}

static void stencil_begin(struct rig *rig, VkCommandBuffer commands, const struct frame *frame) {
    VkPipelineDepthStencilStateCreateInfo state = stencil_state(2, VK_STENCIL_OP_REPLACE, 0xff);
    state.depthTestEnable = VK_FALSE;
    for (uint32_t i = 0; i < COUNT(stencils); i++) {
        state.front.reference = state.back.reference = stencils[i];
        struct draws draws = boxes_new(rig, frame, (struct draws_plan){.depth = &state});
        box_draw(commands, &draws, frame, white_box(0), i * CELL, 0, CELL, frame->height);
    }
}

static void stencil_ops(struct rig *rig, uint32_t mask) {
    enum { WIDTH = 4 * CELL };
    struct canvas canvas;
    canvas_new(rig, &canvas, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, OPS * OUTCOMES * CELL);
    canvas_depth(rig, &canvas, stencil_format(rig), 0.5f, 0);
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    stencil_begin(rig, commands, &canvas.frame);
    for (uint32_t i = 0; i < OPS * OUTCOMES; i++) {
        const VkPipelineDepthStencilStateCreateInfo state =
            stencil_state(i % OUTCOMES, (VkStencilOp)(i / OUTCOMES), mask);
        struct draws draws = boxes_new(rig, &canvas.frame, (struct draws_plan){.depth = &state});
        box_draw(commands, &draws, &canvas.frame, white_box(i % OUTCOMES == 1 ? 0.75f : 0.25f), 0, i * CELL, WIDTH,
                 CELL);
    }
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    const uint8_t *left = image_read(rig, &canvas.depth, VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0);
    for (uint32_t i = 0; i < OPS * OUTCOMES * 4; i++) {
        const uint8_t before = stencils[i % 4];
        const uint32_t row = i / 4, op = row / OUTCOMES;
        const uint8_t after = stencil_after((VkStencilOp)op, before, REFERENCE);
        const uint32_t wanted = (before & ~mask & 0xff) | (after & mask);
        if (left[row * CELL * WIDTH + i % 4 * CELL] != wanted)
            fail("operation %u of outcome %u makes %02x of %02x instead of %02x, mask %02x", op, row % OUTCOMES,
                 left[row * CELL * WIDTH + i % 4 * CELL], before, wanted, mask);
    }
}

void program_graphics_stencil_ops(struct rig *rig) {
    stencil_ops(rig, 0xff);
    stencil_ops(rig, 0x3c);
}

void program_graphics_stencil_compare(struct rig *rig) {
    enum { WIDTH = 4 * CELL, MASK = 0x1f };
    struct canvas canvas;
    canvas_new(rig, &canvas, VK_FORMAT_R8G8B8A8_UNORM, WIDTH, OPS * CELL);
    canvas_depth(rig, &canvas, stencil_format(rig), 0.5f, 0);
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    stencil_begin(rig, commands, &canvas.frame);
    for (uint32_t op = 0; op < OPS; op++) {
        VkPipelineDepthStencilStateCreateInfo state = stencil_state(2, VK_STENCIL_OP_KEEP, 0xff);
        state.depthTestEnable = VK_FALSE;
        state.front.compareOp = state.back.compareOp = (VkCompareOp)op;
        state.front.compareMask = state.back.compareMask = MASK;
        state.front.reference = state.back.reference = 0x5a;
        state.front.failOp = state.back.failOp = VK_STENCIL_OP_ZERO;
        struct draws draws = boxes_new(rig, &canvas.frame, (struct draws_plan){.depth = &state});
        box_draw(commands, &draws, &canvas.frame, white_box(0.25f), 0, op * CELL, WIDTH, CELL);
    }
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    const uint8_t *left = image_read(rig, &canvas.depth, VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0);
    for (uint32_t i = 0; i < OPS * 4; i++) {
        const uint8_t before = stencils[i % 4], found = left[i / 4 * CELL * WIDTH + i % 4 * CELL];
        if (found != (passes((VkCompareOp)(i / 4), 0x5a & MASK, before & MASK) ? before : 0))
            fail("comparison %u with %02x leaves %02x", i / 4, before, found);
    }
}
