/* SPDX-License-Identifier: MIT */
/* Sparse images that are drawn to: colours, depth, samples. */
#include "vulkan/programs/graphics_canvas.h"
#include "vulkan/programs/sparse_tiles.h"

enum { COLOR = VK_IMAGE_ASPECT_COLOR_BIT };
static const uint32_t red = 0xff0000ff, blue = 0xffff0000;

static struct box red_box(float depth) {
    return (struct box){.color = {1, 0, 0, 1}, .depth = depth};
}

/* Blue, and a red box over parts of all tiles. */
static uint32_t color_at(const struct frame *frame, uint32_t x, uint32_t y) {
    return x >= 10 && x < frame->width - 20 && y >= 7 && y < frame->height - 5 ? red : blue;
}

static void draw_box(VkCommandBuffer commands, const struct draws *draws, const struct frame *frame, float depth) {
    box_draw(commands, draws, frame, red_box(depth), 10, 7, frame->width - 30, frame->height - 12);
}

/* All of an image, cleared to blue. */
static struct frame frame_of(struct tiled *tiled) {
    return (struct frame){.colors = {&tiled->image},
                          .colors_count = 1,
                          .width = tiled->image.plan.width,
                          .height = tiled->image.plan.height,
                          .clear = {{.float32 = {0, 0, 1, 1}}}};
}

static const uint32_t *wanted_colors(struct rig *rig, const struct frame *frame) {
    uint32_t *wanted = keep_bytes(rig, frame->width * frame->height * (size_t)4);
    for (uint32_t i = 0; i < frame->width * frame->height; i++)
        wanted[i] = color_at(frame, i % frame->width, i / frame->width);
    return wanted;
}

void program_sparse_image_drawn(struct rig *rig) {
    struct tiled tiled;
    need_sparse_binding(rig);
    NEED(rig, core.features.sparseResidencyImage2D);
    tiled_new(rig, &tiled,
              (struct image_plan){.format = VK_FORMAT_R8G8B8A8_UNORM,
                                  .width = 300,
                                  .height = 150,
                                  .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT},
              64);
    const struct frame frame = frame_of(&tiled);
    struct draws draws = boxes_new(rig, &frame, (struct draws_plan){0});
    tiles_bind_checkered(rig, &tiled, 0, 0, 0);
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &frame);
    draw_box(commands, &draws, &frame, 0);
    frame_end(rig, commands, &frame);
    commands_run(rig, commands);
    check_checkered(rig, &tiled, "drawn", 0, image_read(rig, &tiled.image, COLOR, 0, 0), wanted_colors(rig, &frame));
}

/* Where depth has memory, the second box, which is farther away, is not drawn. */
void program_sparse_image_depth(struct rig *rig) {
    const VkPipelineDepthStencilStateCreateInfo nearer = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .depthTestEnable = VK_TRUE,
        .depthWriteEnable = VK_TRUE,
        .depthCompareOp = VK_COMPARE_OP_LESS};
    struct tiled depth;
    struct canvas canvas;
    need_sparse_binding(rig);
    NEED(rig, core.features.sparseResidencyImage2D);
    canvas_new(rig, &canvas, VK_FORMAT_R8G8B8A8_UNORM, 300, 150);
    tiled_new(rig, &depth,
              (struct image_plan){.format = VK_FORMAT_D32_SFLOAT,
                                  .width = 300,
                                  .height = 150,
                                  .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT},
              64);
    canvas.frame.depth = &depth.image;
    canvas.frame.clear_depth.depth = 1;
    struct draws draws = boxes_new(rig, &canvas.frame, (struct draws_plan){.depth = &nearer});
    tiles_bind_checkered(rig, &depth, 0, 0, 0);
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    draw_box(commands, &draws, &canvas.frame, 0.25F);
    struct box farther = red_box(0.5F);
    farther.color[1] = 1;
    box_draw(commands, &draws, &canvas.frame, farther, 0, 0, 300, 150);
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    const uint32_t *pixels = canvas_words(rig, &canvas);
    const float *depths = image_read(rig, &depth.image, VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0);
    for (uint32_t i = 0; i < 300 * 150; i++) {
        const bool is_first = color_at(&canvas.frame, i % 300, i / 300) == red;
        if (!is_checkered(&depth, i % 300, i / 300, 0)) {
            if (is_strict(rig))
                check_near("depth without memory", i, (double)depths[i], 0, 0);
            continue;
        }
        check_word("a colour", pixels[i], is_first ? red : 0xff00ffff);
        check_near("depth", i, (double)depths[i], is_first ? 0.25 : 0.5, 0);
    }
}

/* Four samples of each pixel in a tile, and what they are resolved to. */
void program_sparse_image_samples(struct rig *rig) {
    static const VkExtent3D standard = {64, 64, 1};
    const VkPipelineMultisampleStateCreateInfo four = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
                                                       .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT};
    struct tiled tiled;
    need_sparse_binding(rig);
    NEED(rig, core.features.sparseResidency4Samples);
    tiled_new(rig, &tiled,
              (struct image_plan){.format = VK_FORMAT_R8G8B8A8_UNORM,
                                  .width = 150,
                                  .height = 80,
                                  .samples = VK_SAMPLE_COUNT_4_BIT,
                                  .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT},
              64);
    if (rig->properties.sparseProperties.residencyStandard2DMultisampleBlockShape)
        check_bytes("the standard shape", &tiled.tile, &standard, sizeof standard);
    const struct frame frame = frame_of(&tiled);
    struct image single = image_new(
        rig, &(struct image_plan){.format = VK_FORMAT_R8G8B8A8_UNORM, .width = frame.width, .height = frame.height});
    struct draws draws = boxes_new(rig, &frame, (struct draws_plan){.multisample = &four});
    const VkImageResolve all = {.srcSubresource = {COLOR, 0, 0, 1},
                                .dstSubresource = {COLOR, 0, 0, 1},
                                .extent = {frame.width, frame.height, 1}};
    tiles_bind_checkered(rig, &tiled, 0, 0, 0);
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &frame);
    draw_box(commands, &draws, &frame, 0);
    frame_end(rig, commands, &frame);
    image_to(commands, &single, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdResolveImage(commands, tiled.image.handle, VK_IMAGE_LAYOUT_GENERAL, single.handle, VK_IMAGE_LAYOUT_GENERAL, 1,
                      &all);
    commands_run(rig, commands);
    check_checkered(rig, &tiled, "resolved", 0, image_read(rig, &single, COLOR, 0, 0), wanted_colors(rig, &frame));
}
