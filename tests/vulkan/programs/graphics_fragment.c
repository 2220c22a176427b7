/* SPDX-License-Identifier: MIT */
/* What programs of fragments can do beside a colour, and what they are given. */
#include <string.h>

#include "vulkan/programs/graphics_canvas.h"

enum { SIZE = 16 };

void program_graphics_derivatives(struct rig *rig) {
    struct canvas canvas;
    canvas_new(rig, &canvas, VK_FORMAT_R32G32B32A32_SFLOAT, SIZE, SIZE);
    struct draws draws = boxes_new(rig, &canvas.frame, (struct draws_plan){.fragment = "derived.frag"});
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    box_draw(commands, &draws, &canvas.frame, (struct box){.depth = 0}, 1, 1, SIZE - 2, SIZE - 2);
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    static const double wanted[4] = {3, 5, 3, 0};
    const float *left = (const float *)canvas_words(rig, &canvas);
    for (uint32_t i = 0; i < SIZE * SIZE * 4; i++) {
        const uint32_t x = i / 4 % SIZE, y = i / 4 / SIZE;
        const bool inside = x > 0 && y > 0 && x < SIZE - 1 && y < SIZE - 1;
        check_near("a derivative", i, (double)left[i], inside ? wanted[i % 4] : 0, 0);
    }
}

/* Boxes of which half is behind what is there; tests are before the program's effects if it says so. */
static void effects(struct rig *rig, bool early) {
    static const struct binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
                                              {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
    const VkPipelineDepthStencilStateCreateInfo depth = {.sType =
                                                             VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                         .depthTestEnable = VK_TRUE,
                                                         .depthWriteEnable = VK_TRUE,
                                                         .depthCompareOp = VK_COMPARE_OP_LESS};
    struct canvas canvas;
    struct buffer counters = buffer_new(rig, 64, 0);
    struct image image = image_new(
        rig, &(struct image_plan){
                 .format = VK_FORMAT_R32_UINT, .width = SIZE, .height = SIZE, .usage = VK_IMAGE_USAGE_STORAGE_BIT});
    uint32_t zeros[SIZE * SIZE] = {0};
    NEED(rig, core.features.fragmentStoresAndAtomics);
    image_write(rig, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, zeros);
    memset(counters.bytes, 0, 64);
    canvas_new(rig, &canvas, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE);
    canvas_depth(rig, &canvas, VK_FORMAT_D32_SFLOAT, 1, 0);
    struct draws front = boxes_new(rig, &canvas.frame, (struct draws_plan){.depth = &depth});
    struct draws draws = boxes_new(rig, &canvas.frame,
                                   (struct draws_plan){.fragment = early ? "effects_early.frag" : "effects_late.frag",
                                                       .depth = &depth,
                                                       .bindings = bindings,
                                                       .bindings_count = 2});
    put_image(rig, &draws.descriptors, 0, 0, image.view, NULL);
    put_buffer(rig, &draws.descriptors, 1, 0, &counters);
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    box_draw(commands, &front, &canvas.frame, (struct box){.depth = 0.25f, .color = {0, 0, 1, 1}}, 0, 0, SIZE, 3);
    box_draw(commands, &draws, &canvas.frame, (struct box){.depth = 0.5f}, 0, 0, 8, 6);
    box_draw(commands, &draws, &canvas.frame, (struct box){.depth = 0.375f}, 0, 0, 8, 6);
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    const uint32_t *words = image_read(rig, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0);
    const uint32_t *pixels = canvas_words(rig, &canvas);
    for (uint32_t i = 0; i < SIZE * 8; i++) {
        const uint32_t x = i % SIZE, y = i / SIZE;
        const bool ran = x < 8 && y < 6 && (!early || y >= 3);
        check_word("what the image has", words[i], ran ? 10 : 0);
        check_word("what was stored", words[i + 8 * SIZE], ran ? x + y * 100 : 0);
        check_word("a pixel", pixels[i], y < 3 ? 0xffff0000 : x < 8 && y < 6 && !(x & 1) ? 0xffffffff : 0);
    }
    /* Rows 0 to 5, or 3 to 5, with 8 pixels, twice. */
    check_words("counters", counters.words, early ? (uint32_t[]){16, 32} : (uint32_t[]){48, 48}, 2);
}

void program_graphics_effects_late(struct rig *rig) {
    effects(rig, false);
}

void program_graphics_effects_early(struct rig *rig) {
    effects(rig, true);
}

/* Depth by the program. */
void program_graphics_depth_output(struct rig *rig) {
    const VkPipelineDepthStencilStateCreateInfo depth = {.sType =
                                                             VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
                                                         .depthTestEnable = VK_TRUE,
                                                         .depthWriteEnable = VK_TRUE,
                                                         .depthCompareOp = VK_COMPARE_OP_GREATER};
    struct canvas canvas;
    canvas_new(rig, &canvas, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE);
    canvas_depth(rig, &canvas, VK_FORMAT_D32_SFLOAT, 0.25f, 0);
    struct draws draws =
        boxes_new(rig, &canvas.frame, (struct draws_plan){.fragment = "depth_out.frag", .depth = &depth});
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    box_draw(commands, &draws, &canvas.frame, (struct box){.depth = 0.9f}, 0, 0, SIZE, SIZE);
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    const float *depths = image_read(rig, &canvas.depth, VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0);
    const uint32_t *pixels = canvas_words(rig, &canvas);
    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        const double wanted = (i % SIZE + 0.5) / 32;
        check_near("a depth", i, (double)depths[i], wanted > 0.25 ? wanted : 0.25, 0);
        check_word("a pixel", pixels[i], wanted > 0.25 ? 0xffffffff : 0);
    }
}

/* Textures and blocks that vary within a warp. */
void program_graphics_descriptor_indexing(struct rig *rig) {
    static const struct binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, .count = 8},
                                              {.type = VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, .count = 4}};
    struct canvas canvas;
    const VkSampler sampler = sampler_new(rig, VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
    NEED(rig, indexing.shaderSampledImageArrayNonUniformIndexing);
    NEED(rig, indexing.shaderUniformBufferArrayNonUniformIndexing);
    canvas_new(rig, &canvas, VK_FORMAT_R32G32B32A32_SFLOAT, SIZE, SIZE);
    struct draws draws = boxes_new(
        rig, &canvas.frame,
        (struct draws_plan){.fragment = "indexed.frag", .bindings = bindings, .bindings_count = COUNT(bindings)});
    for (uint32_t i = 0; i < 8; i++) {
        struct image image = image_new(
            rig, &(struct image_plan){
                     .format = VK_FORMAT_R32_SFLOAT, .width = 1, .height = 1, .usage = VK_IMAGE_USAGE_SAMPLED_BIT});
        image_write(rig, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, (float[]){(float)i + 0.5f});
        put_image(rig, &draws.descriptors, 0, i, image.view, sampler);
    }
    for (uint32_t i = 0; i < 4; i++) {
        struct buffer block = buffer_new(rig, 256, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
        memcpy(block.bytes, (float[]){(float)i, (float)i * 10, (float)i * 100, 0}, 16);
        put_buffer(rig, &draws.descriptors, 1, i, &block);
    }
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    box_draw(commands, &draws, &canvas.frame, (struct box){.depth = 0}, 0, 0, SIZE, SIZE);
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    const float *left = (const float *)canvas_words(rig, &canvas);
    for (uint32_t p = 0; p < SIZE * SIZE; p++) {
        const uint32_t which = p % 8;
        const double wanted[4] = {which + 0.5, which % 4, which % 4 * 10, which % 4 * 100};
        for (uint32_t c = 0; c < 4; c++)
            check_near("a number", 4 * p + c, (double)left[4 * p + c], wanted[c], 0);
    }
}

/* ---- input attachments ---- */

struct two_passes {
    struct image first, second;
    VkRenderPass pass;
    VkFramebuffer framebuffer;
};

static void make_passes(struct rig *rig, struct two_passes *two) {
    const VkAttachmentDescription attachment = {.format = VK_FORMAT_R32G32B32A32_SFLOAT,
                                                .samples = VK_SAMPLE_COUNT_1_BIT,
                                                .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
                                                .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
                                                .initialLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                                .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentDescription attachments[2] = {attachment, attachment};
    const VkAttachmentReference first = {0, VK_IMAGE_LAYOUT_GENERAL}, second = {1, VK_IMAGE_LAYOUT_GENERAL};
    const VkSubpassDescription subpasses[2] = {
        {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS, .colorAttachmentCount = 1, .pColorAttachments = &first},
        {.pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
         .inputAttachmentCount = 1,
         .pInputAttachments = &first,
         .colorAttachmentCount = 1,
         .pColorAttachments = &second}};
    const VkSubpassDependency dependency = {0,
                                            1,
                                            VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                            VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                            VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                            VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
                                            VK_DEPENDENCY_BY_REGION_BIT};
    const VkRenderPassCreateInfo create = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
                                           .attachmentCount = 2,
                                           .pAttachments = attachments,
                                           .subpassCount = 2,
                                           .pSubpasses = subpasses,
                                           .dependencyCount = 1,
                                           .pDependencies = &dependency};
    MUST(vkCreateRenderPass(rig->device, &create, NULL, &two->pass));
    KEEP(rig, RENDER_PASS, two->pass);
    const VkImageView views[2] = {two->first.view, two->second.view};
    const VkFramebufferCreateInfo framebuffer = {.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
                                                 .renderPass = two->pass,
                                                 .attachmentCount = 2,
                                                 .pAttachments = views,
                                                 .width = SIZE,
                                                 .height = SIZE,
                                                 .layers = 1};
    MUST(vkCreateFramebuffer(rig->device, &framebuffer, NULL, &two->framebuffer));
    KEEP(rig, FRAMEBUFFER, two->framebuffer);
}

/* The second subpass reads what the first has left at its pixel. */
void program_graphics_input_attachments(struct rig *rig) {
    const struct image_plan plan = {.format = VK_FORMAT_R32G32B32A32_SFLOAT,
                                    .width = SIZE,
                                    .height = SIZE,
                                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT};
    struct two_passes two = {.first = image_new(rig, &plan), .second = image_new(rig, &plan)};
    make_passes(rig, &two);
    const struct frame first = {.colors = {&two.first},
                                .colors_count = 1,
                                .width = SIZE,
                                .height = SIZE,
                                .pass = two.pass,
                                .framebuffer = two.framebuffer};
    struct draws begins = boxes_new(rig, &first, (struct draws_plan){.fragment = NULL});
    struct draws reads =
        boxes_new(rig, &first,
                  (struct draws_plan){.fragment = "input.frag",
                                      .bindings = &(struct binding){.type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT},
                                      .bindings_count = 1,
                                      .subpass = 1});
    put_image(rig, &reads.descriptors, 0, 0, two.first.view, NULL);
    const VkClearValue clear[2] = {{.color = {.float32 = {0.5f, 0.25f, 0, 1}}}, {.color = {.float32 = {7, 7, 7, 7}}}};
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = two.pass,
                                         .framebuffer = two.framebuffer,
                                         .renderArea = {{0, 0}, {SIZE, SIZE}},
                                         .clearValueCount = 2,
                                         .pClearValues = clear};
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    box_draw(commands, &begins, &first, (struct box){.color = {1, 2, 3, 4}}, 4, 4, 8, 8);
    vkCmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
    box_draw(commands, &reads, &first, (struct box){.depth = 0}, 0, 0, SIZE, SIZE / 2);
    vkCmdEndRenderPass(commands);
    two.first.layout = two.second.layout = VK_IMAGE_LAYOUT_GENERAL;
    barrier(commands);
    commands_run(rig, commands);
    const float *left = image_read(rig, &two.second, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0);
    for (uint32_t p = 0; p < SIZE * SIZE; p++) {
        const uint32_t x = p % SIZE, y = p / SIZE;
        static const double drawn[4] = {8, 2, 4, 6}, cleared[4] = {2, 1, 0.5, 0};
        for (uint32_t c = 0; c < 4; c++)
            check_near("what was read", 4 * p + c, (double)left[4 * p + c],
                       y >= SIZE / 2                ? 7
                       : x >= 4 && x < 12 && y >= 4 ? drawn[c]
                                                    : cleared[c],
                       0);
    }
}
