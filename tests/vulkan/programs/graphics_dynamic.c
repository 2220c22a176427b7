/* SPDX-License-Identifier: MIT */
/* State that comes with commands, descriptors that do, and neighbours of primitives. */
#include <string.h>

#include "vulkan/programs/graphics_canvas.h"

enum { SIZE = 16 };

/* Viewport, scissors, and the constants of blending, from draw to draw. */
void program_graphics_dynamic_usual(struct rig *rig) {
    static const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR,
                                             VK_DYNAMIC_STATE_BLEND_CONSTANTS};
    static const VkPipelineColorBlendAttachmentState constant = {VK_TRUE,
                                                                 VK_BLEND_FACTOR_CONSTANT_COLOR,
                                                                 VK_BLEND_FACTOR_ZERO,
                                                                 VK_BLEND_OP_ADD,
                                                                 VK_BLEND_FACTOR_CONSTANT_ALPHA,
                                                                 VK_BLEND_FACTOR_ZERO,
                                                                 VK_BLEND_OP_ADD,
                                                                 15};
    const VkPipelineColorBlendStateCreateInfo blend = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                       .attachmentCount = 1,
                                                       .pAttachments = &constant};
    struct canvas canvas;
    canvas_new(rig, &canvas, VK_FORMAT_R32G32B32A32_SFLOAT, SIZE, SIZE);
    struct draws draws = boxes_new(
        rig, &canvas.frame, (struct draws_plan){.blend = &blend, .dynamic = dynamic, .dynamic_count = COUNT(dynamic)});
    const struct box box = {.box = {-1, -1, 1, 1}, .color = {1, 1, 1, 1}};
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    draws_bind(commands, &draws, &box);
    for (uint32_t i = 0; i < 4; i++) {
        /* The last one is upside down. */
        const VkViewport area = {4 * (float)i, i == 3 ? 10 : 2, 4, i == 3 ? -8 : 8, 0, 1};
        const VkRect2D scissors = {{(int32_t)(4 * i + 1), 0}, {2, 4 + 2 * i}};
        const float constants[4] = {(float)i + 1, 2, 3, 4};
        vkCmdSetViewport(commands, 0, 1, &area);
        vkCmdSetScissor(commands, 0, 1, &scissors);
        vkCmdSetBlendConstants(commands, constants);
        vkCmdDraw(commands, 4, 1, 0, 0);
    }
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    const float *left = (const float *)canvas_words(rig, &canvas);
    for (uint32_t p = 0; p < SIZE * SIZE; p++) {
        const uint32_t x = p % SIZE, y = p / SIZE, i = x / 4;
        const bool inside = x % 4 >= 1 && x % 4 < 3 && y >= 2 && y < 10 && y < 4 + 2 * i;
        check_near("a pixel", p, (double)left[4 * p], inside ? i + 1 : 0, 0);
    }
}

/* The extended states: what the pipeline says of them does not count. */
void program_graphics_dynamic_extended(struct rig *rig) {
    static const VkDynamicState dynamic[] = {
        VK_DYNAMIC_STATE_CULL_MODE,           VK_DYNAMIC_STATE_FRONT_FACE,         VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY,
        VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE,   VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, VK_DYNAMIC_STATE_DEPTH_COMPARE_OP,
        VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE, VK_DYNAMIC_STATE_STENCIL_OP,         VK_DYNAMIC_STATE_STENCIL_REFERENCE};
    VkPipelineDepthStencilStateCreateInfo depth = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
        .front = {.compareMask = 0xff, .writeMask = 0xff, .compareOp = VK_COMPARE_OP_NEVER}};
    struct canvas canvas;
    NEED(rig, dynamic.extendedDynamicState);
    depth.back = depth.front;
    canvas_new(rig, &canvas, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE);
    canvas_depth(rig, &canvas,
                 format_has(rig, VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT)
                     ? VK_FORMAT_D24_UNORM_S8_UINT
                     : VK_FORMAT_D32_SFLOAT_S8_UINT,
                 0.5f, 0);
    struct draws draws = boxes_new(
        rig, &canvas.frame, (struct draws_plan){.depth = &depth, .dynamic = dynamic, .dynamic_count = COUNT(dynamic)});
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    for (uint32_t i = 0; i < 16; i++) {
        struct box box = {.depth = i & 1 ? 0.75f : 0.25f, .color = {1, 1, 1, 1}};
        box_at(&box, &canvas.frame, i, 0, 1, SIZE);
        draws_bind(commands, &draws, &box);
        rig->call.CmdSetCullMode(commands, i & 2 ? VK_CULL_MODE_BACK_BIT : VK_CULL_MODE_NONE);
        rig->call.CmdSetFrontFace(commands, i & 4 ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE);
        rig->call.CmdSetPrimitiveTopology(commands, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP);
        rig->call.CmdSetDepthTestEnable(commands, VK_TRUE);
        rig->call.CmdSetDepthWriteEnable(commands, i & 8);
        rig->call.CmdSetDepthCompareOp(commands, i & 8 ? VK_COMPARE_OP_GREATER : VK_COMPARE_OP_LESS);
        rig->call.CmdSetStencilTestEnable(commands, VK_TRUE);
        rig->call.CmdSetStencilOp(commands, VK_STENCIL_FACE_FRONT_AND_BACK, VK_STENCIL_OP_ZERO, VK_STENCIL_OP_REPLACE,
                                  VK_STENCIL_OP_INVERT, VK_COMPARE_OP_ALWAYS);
        vkCmdSetStencilReference(commands, VK_STENCIL_FACE_FRONT_AND_BACK, 0x40 + i);
        vkCmdDraw(commands, 4, 1, 0, 0);
    }
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    const uint32_t *pixels = canvas_words(rig, &canvas);
    const uint8_t *stencil = image_read(rig, &canvas.depth, VK_IMAGE_ASPECT_STENCIL_BIT, 0, 0);
    for (uint32_t i = 0; i < 16; i++) {
        /* A box turns clockwise, since y is downwards. */
        const bool culled = (i & 2) && !(i & 4), passes = (i & 8) ? (i & 1) : !(i & 1);
        check_word("a pixel", pixels[i + 5 * SIZE], !culled && passes ? 0xffffffff : 0);
        check_word("its stencil", stencil[i + 5 * SIZE], culled ? 0 : passes ? 0x40 + i : 0xff);
    }
}

/* Descriptors that are in the commands. */
void program_graphics_push_descriptors(struct rig *rig) {
    static const struct binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                                              {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
    struct canvas canvas;
    struct buffer places = buffer_new(rig, 64 * 16 * SIZE, 0);
    const VkDescriptorSetLayoutBinding rows[2] = {
        {0, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_ALL_GRAPHICS, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL_GRAPHICS, NULL}};
    const VkDescriptorSetLayoutCreateInfo create = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                                    .flags = VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR,
                                                    .bindingCount = 2,
                                                    .pBindings = rows};
    VkDescriptorSetLayout layout;
    need_extension(rig, "VK_KHR_push_descriptor");
    NEED_CALL(rig, CmdPushDescriptorSetKHR);
    memset(places.bytes, 0, 64 * 16 * SIZE);
    canvas_new(rig, &canvas, VK_FORMAT_R32G32B32A32_SFLOAT, SIZE, SIZE);
    MUST(vkCreateDescriptorSetLayout(rig->device, &create, NULL, &layout));
    KEEP(rig, DESCRIPTOR_SET_LAYOUT, layout);
    struct draws draws = boxes_new(
        rig, &canvas.frame,
        (struct draws_plan){
            .fragment = "look_2d.frag", .bindings = bindings, .bindings_count = COUNT(bindings), .set_layout = layout});
    const VkSampler sampler = sampler_new(rig, VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
    VkCommandBuffer commands = commands_begin(rig);
    struct image images[4];
    for (uint32_t i = 0; i < 4; i++) {
        images[i] = image_new(
            rig, &(struct image_plan){
                     .format = VK_FORMAT_R32_SFLOAT, .width = 1, .height = 1, .usage = VK_IMAGE_USAGE_SAMPLED_BIT});
        image_write(rig, &images[i], VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, (float[]){(float)i + 1});
    }
    frame_begin(rig, commands, &canvas.frame);
    for (uint32_t i = 0; i < 4; i++) {
        const VkDescriptorImageInfo image = {sampler, images[i].view, VK_IMAGE_LAYOUT_GENERAL};
        const VkDescriptorBufferInfo range = {places.handle, 0, VK_WHOLE_SIZE};
        const VkWriteDescriptorSet writes[2] = {{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                 .descriptorCount = 1,
                                                 .descriptorType = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER,
                                                 .pImageInfo = &image},
                                                {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                                 .dstBinding = 1,
                                                 .descriptorCount = 1,
                                                 .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                                 .pBufferInfo = &range}};
        /* The buffer stays when the texture is another one. */
        rig->call.CmdPushDescriptorSetKHR(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, draws.layout, 0, i ? 1 : 2,
                                          writes);
        box_draw(commands, &draws, &canvas.frame, (struct box){.depth = 0}, 4 * i, 0, 4, SIZE);
    }
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    const float *left = (const float *)canvas_words(rig, &canvas);
    for (uint32_t p = 0; p < SIZE * SIZE; p++)
        check_near("a pixel", p, (double)left[4 * p], p % SIZE / 4 + 1, 0);
}

/* Triangles with their neighbours, alone and in a strip. */
void program_graphics_adjacency(struct rig *rig) {
    enum { ROWS = 8 };
    /* Of a strip of 10 vertices, as the tables of Vulkan have it: three triangles. */
    static const uint32_t strip[3][6] = {{0, 1, 2, 6, 4, 3}, {2, 5, 6, 8, 4, 0}, {4, 2, 6, 9, 8, 7}};
    for (uint32_t k = 0; k < 2; k++) {
        struct canvas canvas;
        canvas_new(rig, &canvas, VK_FORMAT_R32G32B32A32_UINT, ROWS, ROWS);
        struct draws draws =
            draws_new(rig, &(struct draws_plan){.vertex = "numbered.vert",
                                                .geometry = "outline.geom",
                                                .fragment = "told.frag",
                                                .frame = &canvas.frame,
                                                .topology = k ? VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP_WITH_ADJACENCY
                                                              : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY});
        VkCommandBuffer commands = commands_begin(rig);
        frame_begin(rig, commands, &canvas.frame);
        draws_bind(commands, &draws, NULL);
        vkCmdDraw(commands, k ? 10 : 12, 1, 0, 0);
        frame_end(rig, commands, &canvas.frame);
        commands_run(rig, commands);
        const uint32_t *words = canvas_words(rig, &canvas);
        for (uint32_t i = 0; i < (k ? 3u : 2u) * 6; i++) {
            const uint32_t *pixel = words + 4 * (i / 6 * ROWS + i % 6);
            check_word("a vertex of a primitive", pixel[0], 10 + (k ? strip[i / 6][i % 6] : i));
            check_word("the primitive", pixel[1], i / 6);
            check_word("that there is one", pixel[3], 1);
        }
    }
}
