/* SPDX-License-Identifier: MIT */
/* Stages between vertices and pixels: tessellation, geometry, clipping, layers, viewports and views. */
#include <string.h>

#include "vulkan/programs/graphics_canvas.h"

enum { SIZE = 32, LAYERS = 4 };

static const VkPipelineColorBlendAttachmentState adds = {VK_TRUE,
                                                         VK_BLEND_FACTOR_ONE,
                                                         VK_BLEND_FACTOR_ONE,
                                                         VK_BLEND_OP_ADD,
                                                         VK_BLEND_FACTOR_ONE,
                                                         VK_BLEND_FACTOR_ONE,
                                                         VK_BLEND_OP_ADD,
                                                         15};

/* Triangles of a patch cover each pixel once, all with the same side, whatever the levels are. */
static void tessellate(struct rig *rig, const char *evaluation) {
    static const float levels[][2] = {{1, 1}, {2, 3}, {5, 5}, {7.5f, 2.25f}, {1, 9}, {16, 13.5f}};
    const VkPipelineColorBlendStateCreateInfo blend = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO, .attachmentCount = 1, .pAttachments = &adds};
    for (size_t i = 0; i < COUNT(levels); i++) {
        struct canvas canvas;
        canvas_new(rig, &canvas, VK_FORMAT_R32G32B32A32_SFLOAT, SIZE, SIZE);
        struct draws draws = draws_new(rig, &(struct draws_plan){.vertex = "patch.vert",
                                                                 .control = "patch.tesc",
                                                                 .evaluation = evaluation,
                                                                 .fragment = "one.frag",
                                                                 .frame = &canvas.frame,
                                                                 .topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
                                                                 .patch_points = 4,
                                                                 .blend = &blend,
                                                                 .push_bytes = 8});
        VkCommandBuffer commands = commands_begin(rig);
        frame_begin(rig, commands, &canvas.frame);
        draws_bind(commands, &draws, levels[i]);
        vkCmdDraw(commands, 4, 1, 0, 0);
        frame_end(rig, commands, &canvas.frame);
        commands_run(rig, commands);
        const float *left = (const float *)canvas_words(rig, &canvas);
        for (size_t p = 0; p < SIZE * SIZE; p++) {
            check_near("how often a pixel is covered", p, (double)left[4 * p + 1], 1, 0);
            check_near("what is of the patch", p, (double)left[4 * p], 2, 0);
            check_near("the side", p, (double)left[4 * p + 2], (double)left[2], 0);
        }
    }
}

void program_graphics_tessellation(struct rig *rig) {
    tessellate(rig, "patch_equal.tese");
}

void program_graphics_tessellation_spacing(struct rig *rig) {
    tessellate(rig, "patch_even.tese");
    tessellate(rig, "patch_odd.tese");
}

static struct image layers_new(struct rig *rig, uint32_t layers) {
    return image_new(rig, &(struct image_plan){.format = VK_FORMAT_R32G32B32A32_SFLOAT,
                                               .width = SIZE,
                                               .height = SIZE,
                                               .layers = layers,
                                               .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT});
}

/* A viewport and scissors for each layer. */
void program_graphics_layers_and_viewports(struct rig *rig) {
    VkViewport areas[LAYERS];
    VkRect2D scissors[LAYERS];
    struct image target = layers_new(rig, LAYERS);
    struct frame frame = {.colors = {&target}, .colors_count = 1, .width = SIZE, .height = SIZE, .layers = LAYERS};
    NEED(rig, core.features.multiViewport);
    for (uint32_t i = 0; i < LAYERS; i++) {
        areas[i] = (VkViewport){4 * (float)i, 2, 16, 8 + 4 * (float)i, 0, 1};
        scissors[i] = (VkRect2D){{0, (int32_t)i}, {SIZE - 14, SIZE}};
    }
    const VkPipelineViewportStateCreateInfo viewport = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                        .viewportCount = LAYERS,
                                                        .pViewports = areas,
                                                        .scissorCount = LAYERS,
                                                        .pScissors = scissors};
    struct draws draws = draws_new(rig, &(struct draws_plan){.vertex = "patch.vert",
                                                             .geometry = "layers.geom",
                                                             .fragment = "one.frag",
                                                             .frame = &frame,
                                                             .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                                             .viewport = &viewport});
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &frame);
    draws_bind(commands, &draws, NULL);
    vkCmdDraw(commands, 2, 1, 0, 0);
    frame_end(rig, commands, &frame);
    commands_run(rig, commands);
    for (uint32_t layer = 0; layer < LAYERS; layer++) {
        const float *left = image_read(rig, &target, VK_IMAGE_ASPECT_COLOR_BIT, 0, layer);
        const uint32_t v = LAYERS - 1 - layer;
        for (uint32_t p = 0; p < SIZE * SIZE; p++) {
            const uint32_t x = p % SIZE, y = p / SIZE;
            const bool inside = x >= 4 * v && x < 4 * v + 16 && y >= 2 && y < 10 + 4 * v && x < SIZE - 14 && y >= v;
            check_near("a pixel of a layer", p, (double)left[4 * p], inside ? layer + 1 + 10 : 0, 0);
        }
    }
}

static void views(struct rig *rig, bool by_pass) {
    enum { MASK = 0xd };
    struct image target = layers_new(rig, LAYERS);
    struct frame frame = {.colors = {&target}, .colors_count = 1, .width = SIZE, .height = SIZE, .view_mask = MASK};
    NEED(rig, multiview.multiview);
    if (by_pass)
        frame_use_pass(rig, &frame);
    struct draws draws = draws_new(rig, &(struct draws_plan){.vertex = "views.vert",
                                                             .fragment = "one.frag",
                                                             .frame = &frame,
                                                             .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP});
    VkCommandBuffer commands = commands_begin(rig);
    const VkClearColorValue nines = {.float32 = {9, 9, 9, 9}};
    const VkImageSubresourceRange all = image_range(&target);
    image_to(commands, &target, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdClearColorImage(commands, target.handle, VK_IMAGE_LAYOUT_GENERAL, &nines, 1, &all);
    barrier(commands);
    frame_begin(rig, commands, &frame);
    draws_bind(commands, &draws, NULL);
    vkCmdDraw(commands, 4, 1, 0, 0);
    frame_end(rig, commands, &frame);
    commands_run(rig, commands);
    for (uint32_t view = 0; view < LAYERS; view++) {
        const float *left = image_read(rig, &target, VK_IMAGE_ASPECT_COLOR_BIT, 0, view);
        for (uint32_t p = 0; p < SIZE * SIZE; p++)
            check_near("a pixel of a view", p, (double)left[4 * p], MASK >> view & 1 ? view * 2 + 1 : 9, 0);
    }
}

void program_graphics_multiview(struct rig *rig) {
    views(rig, true);
    views(rig, false);
}

void program_graphics_clip_distances(struct rig *rig) {
    struct canvas canvas;
    NEED(rig, core.features.shaderClipDistance);
    canvas_new(rig, &canvas, VK_FORMAT_R32G32B32A32_SFLOAT, SIZE, SIZE);
    struct draws draws = draws_new(rig, &(struct draws_plan){.vertex = "clipped.vert",
                                                             .fragment = "one.frag",
                                                             .frame = &canvas.frame,
                                                             .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP});
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    draws_bind(commands, &draws, NULL);
    vkCmdDraw(commands, 4, 1, 0, 0);
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    const float *left = (const float *)canvas_words(rig, &canvas);
    for (uint32_t p = 0; p < SIZE * SIZE; p++)
        check_near("a pixel", p, (double)left[4 * p], p % SIZE >= SIZE / 4 && p / SIZE < SIZE * 3 / 4, 0);
}
