/* SPDX-License-Identifier: MIT */
/* Queries of draws, and transform feedback. */
#include <string.h>

#include "vulkan/programs/graphics_canvas.h"

enum { SIZE = 16, POINTS = 12 };

static VkQueryPool pool_new(struct rig *rig, VkQueryType type, uint32_t count, VkQueryPipelineStatisticFlags counted) {
    const VkQueryPoolCreateInfo create = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                          .queryType = type,
                                          .queryCount = count,
                                          .pipelineStatistics = counted};
    VkQueryPool pool;
    MUST(vkCreateQueryPool(rig->device, &create, NULL, &pool));
    KEEP(rig, QUERY_POOL, pool);
    return pool;
}

/* Boxes of known sizes: what they cover, by the processor's reading and by a copy to a buffer. */
void program_graphics_occlusion(struct rig *rig) {
    static const uint32_t widths[] = {0, 3, 7, 16};
    struct canvas canvas;
    struct box box = {.depth = 0.5f};
    canvas_new(rig, &canvas, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE);
    struct draws draws = boxes_new(rig, &canvas.frame, (struct draws_plan){.fragment = NULL});
    struct buffer copied = buffer_new(rig, 256, 0);
    VkQueryPool pool = pool_new(rig, VK_QUERY_TYPE_OCCLUSION, 4, 0);
    const VkQueryControlFlags flags = rig->has.core.features.occlusionQueryPrecise ? VK_QUERY_CONTROL_PRECISE_BIT : 0;
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdResetQueryPool(commands, pool, 0, 4);
    frame_begin(rig, commands, &canvas.frame);
    for (uint32_t i = 0; i < 4; i++) {
        vkCmdBeginQuery(commands, pool, i, flags);
        for (uint32_t k = 0; k < 2 && widths[i]; k++)
            box_draw(commands, &draws, &canvas.frame, box, 0, 0, widths[i], 5);
        vkCmdEndQuery(commands, pool, i);
    }
    frame_end(rig, commands, &canvas.frame);
    vkCmdCopyQueryPoolResults(commands, pool, 0, 4, copied.handle, 16, 16,
                              VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT |
                                  VK_QUERY_RESULT_WITH_AVAILABILITY_BIT);
    commands_run(rig, commands);
    uint64_t read[4];
    MUST(vkGetQueryPoolResults(rig->device, pool, 0, 4, sizeof read, read, 8,
                               VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    for (uint32_t i = 0; i < 4; i++) {
        const uint64_t *row = (const uint64_t *)copied.bytes + 2 + 2 * (size_t)i, wanted = 2 * (uint64_t)widths[i] * 5;
        check_longs("a copied result", row, &read[i], 1);
        check_true("the copy says that it is there", row[1] == 1);
        if (flags)
            check_longs("pixels", &read[i], &wanted, 1);
        else
            check_true("pixels or none", (read[i] != 0) == (wanted != 0));
    }
}

void program_graphics_statistics(struct rig *rig) {
    const VkQueryPipelineStatisticFlags counted = VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_VERTICES_BIT |
                                                  VK_QUERY_PIPELINE_STATISTIC_INPUT_ASSEMBLY_PRIMITIVES_BIT |
                                                  VK_QUERY_PIPELINE_STATISTIC_VERTEX_SHADER_INVOCATIONS_BIT |
                                                  VK_QUERY_PIPELINE_STATISTIC_CLIPPING_INVOCATIONS_BIT |
                                                  VK_QUERY_PIPELINE_STATISTIC_CLIPPING_PRIMITIVES_BIT |
                                                  VK_QUERY_PIPELINE_STATISTIC_FRAGMENT_SHADER_INVOCATIONS_BIT;
    struct canvas canvas;
    struct box box = {.depth = 0.5f};
    uint64_t read[6];
    NEED(rig, core.features.pipelineStatisticsQuery);
    canvas_new(rig, &canvas, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE);
    struct draws draws = boxes_new(rig, &canvas.frame, (struct draws_plan){.fragment = NULL});
    VkQueryPool pool = pool_new(rig, VK_QUERY_TYPE_PIPELINE_STATISTICS, 1, counted);
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdResetQueryPool(commands, pool, 0, 1);
    frame_begin(rig, commands, &canvas.frame);
    vkCmdBeginQuery(commands, pool, 0, 0);
    for (uint32_t i = 0; i < 3; i++)
        box_draw(commands, &draws, &canvas.frame, box, 0, 0, 8, 8);
    vkCmdEndQuery(commands, pool, 0);
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    MUST(vkGetQueryPoolResults(rig->device, pool, 0, 1, sizeof read, read, sizeof read,
                               VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    check_longs("vertices and primitives", read, (uint64_t[]){12, 6}, 2);
    check_true("invocations for vertices", read[2] >= 12);
    /* What clipping makes of a primitive is its own business. */
    check_longs("primitives that are clipped", read + 3, (uint64_t[]){6}, 1);
    check_true("invocations for pixels", read[5] >= 3 * 64);
}

/* ---- feedback ---- */

struct captures {
    struct canvas canvas;
    struct draws draws;
    struct buffer buffers[2], counters;
    VkQueryPool queries;
};

static void captures_new(struct rig *rig, struct captures *c) {
    const VkPipelineRasterizationStateCreateInfo discards = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .rasterizerDiscardEnable = VK_TRUE,
        .lineWidth = 1};
    NEED(rig, transform.transformFeedback);
    canvas_new(rig, &c->canvas, VK_FORMAT_R32G32B32A32_SFLOAT, SIZE, SIZE);
    c->draws = draws_new(rig, &(struct draws_plan){.vertex = "captured.vert",
                                                   .frame = &c->canvas.frame,
                                                   .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                                   .raster = &discards});
    for (uint32_t i = 0; i < 2; i++)
        c->buffers[i] =
            buffer_new(rig, 512, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    c->counters = buffer_new(
        rig, 64, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    c->queries = pool_new(rig, VK_QUERY_TYPE_TRANSFORM_FEEDBACK_STREAM_EXT, 1, 0);
}

/*
 * Two draws, with a pause; the first buffer is full before the second is done. The other one begins again: what NVK 26.2
 * would load for it goes to the method after that of the first buffer, not to its own (docs/mesa.md).
 */
void program_graphics_feedback(struct rig *rig) {
    struct captures c;
    uint64_t read[2];
    captures_new(rig, &c);
    const VkDeviceSize offsets[2] = {16, 8}, sizes[2] = {16 * POINTS, 8 * POINTS}, at[2] = {0, 4};
    const VkBuffer counters[2] = {c.counters.handle, c.counters.handle},
                   resumed[2] = {c.counters.handle, VK_NULL_HANDLE};
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdResetQueryPool(commands, c.queries, 0, 1);
    frame_begin(rig, commands, &c.canvas.frame);
    draws_bind(commands, &c.draws, NULL);
    rig->call.CmdBindTransformFeedbackBuffersEXT(commands, 0, 2, (VkBuffer[]){c.buffers[0].handle, c.buffers[1].handle},
                                                 offsets, sizes);
    vkCmdBeginQuery(commands, c.queries, 0, 0);
    rig->call.CmdBeginTransformFeedbackEXT(commands, 0, 0, NULL, NULL);
    vkCmdDraw(commands, 5, 1, 2, 7);
    rig->call.CmdEndTransformFeedbackEXT(commands, 0, 2, counters, at);
    vkCmdEndQuery(commands, c.queries, 0);
    vkCmdDraw(commands, 9, 1, 0, 0); /* is not captured */
    const VkMemoryBarrier written = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT,
                                     .dstAccessMask = VK_ACCESS_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT};
    frame_end(rig, commands, &c.canvas.frame);
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT,
                         VK_PIPELINE_STAGE_TRANSFORM_FEEDBACK_BIT_EXT | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, 0, 1,
                         &written, 0, NULL, 0, NULL);
    frame_begin(rig, commands, &c.canvas.frame);
    rig->call.CmdBeginTransformFeedbackEXT(commands, 0, 2, resumed, at);
    vkCmdDraw(commands, 10, 1, 20, 1);
    rig->call.CmdEndTransformFeedbackEXT(commands, 0, 2, resumed, at);
    frame_end(rig, commands, &c.canvas.frame);
    commands_run(rig, commands);
    MUST(vkGetQueryPoolResults(rig->device, c.queries, 0, 1, sizeof read, read, sizeof read,
                               VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    check_longs("written and needed", read, (uint64_t[]){5, 5}, 2);
    check_words("counters", c.counters.words, (uint32_t[]){16 * POINTS, 8 * 5}, 2);
    for (uint32_t i = 0; i < POINTS; i++) {
        const uint32_t vertex = i < 5 ? 2 + i : 20 + i - 5, instance = i < 5 ? 7 : 1;
        const float *first = (const float *)c.buffers[0].bytes + 4 + 4 * (size_t)i;
        const uint32_t *second = c.buffers[1].words + 2 + 2 * (size_t)i;
        check_near("a captured vertex", i, (double)first[0], vertex, 0);
        check_near("a captured instance", i, (double)first[1], instance, 0);
        check_near("a captured constant", i, (double)first[2], 0.5, 0);
        check_word("what is not captured", second[0], UNTOUCHED_WORD);
        check_word("a captured word", second[1], i < POINTS - 5 ? (20 + i) * 100 + 1 : UNTOUCHED_WORD);
    }
    check_filled("what is behind", c.buffers[1].words + 2 + 2 * POINTS, UNTOUCHED_WORD, 8);
    check_filled("what is behind", c.buffers[0].words + 4 + 4 * POINTS, UNTOUCHED_WORD, 8);
}

/* As many vertices as were captured, which nobody has counted but the device. */
void program_graphics_feedback_draw(struct rig *rig) {
    static const VkVertexInputBindingDescription binding = {0, 16, VK_VERTEX_INPUT_RATE_VERTEX};
    static const VkVertexInputAttributeDescription attribute = {0, 0, VK_FORMAT_R32G32B32_SFLOAT, 0};
    const VkDeviceSize offset = 0, size = 512, at = 8;
    struct captures c;
    captures_new(rig, &c);
    struct draws drawn = draws_new(rig, &(struct draws_plan){.vertex = "streamed.vert",
                                                             .fragment = "one.frag",
                                                             .frame = &c.canvas.frame,
                                                             .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                                             .vertex_bindings = &binding,
                                                             .vertex_bindings_count = 1,
                                                             .attributes = &attribute,
                                                             .attributes_count = 1});
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &c.canvas.frame);
    draws_bind(commands, &c.draws, NULL);
    rig->call.CmdBindTransformFeedbackBuffersEXT(commands, 0, 1, &c.buffers[0].handle, &offset, &size);
    rig->call.CmdBindTransformFeedbackBuffersEXT(commands, 1, 1, &c.buffers[1].handle, &offset, &size);
    rig->call.CmdBeginTransformFeedbackEXT(commands, 0, 0, NULL, NULL);
    vkCmdDraw(commands, 3, 4, 1, 5);
    rig->call.CmdEndTransformFeedbackEXT(commands, 0, 1, &c.counters.handle, &at);
    frame_end(rig, commands, &c.canvas.frame);
    frame_begin(rig, commands, &c.canvas.frame);
    draws_bind(commands, &drawn, NULL);
    vkCmdBindVertexBuffers(commands, 0, 1, &c.buffers[0].handle, &offset);
    rig->call.CmdDrawIndirectByteCountEXT(commands, 1, 0, c.counters.handle, at, 0, 16);
    frame_end(rig, commands, &c.canvas.frame);
    commands_run(rig, commands);
    const float *left = (const float *)canvas_words(rig, &c.canvas);
    for (uint32_t p = 0; p < SIZE * SIZE; p++) {
        const uint32_t x = p % SIZE, y = p / SIZE;
        const bool there = x >= 1 && x < 4 && y >= 5 && y < 9;
        check_near("a pixel", p, (double)left[4 * p], there ? 0.5 + x : 0, 0);
    }
}

void program_graphics_primitives_generated(struct rig *rig) {
    struct canvas canvas;
    struct box box = {.depth = 0.5f};
    uint64_t read;
    NEED(rig, primitives.primitivesGeneratedQuery);
    canvas_new(rig, &canvas, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE);
    struct draws draws = boxes_new(rig, &canvas.frame, (struct draws_plan){.fragment = NULL});
    VkQueryPool pool = pool_new(rig, VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT, 1, 0);
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdResetQueryPool(commands, pool, 0, 1);
    frame_begin(rig, commands, &canvas.frame);
    vkCmdBeginQuery(commands, pool, 0, 0);
    for (uint32_t i = 0; i < 3; i++)
        box_draw(commands, &draws, &canvas.frame, box, 0, 0, 8, 8);
    vkCmdEndQuery(commands, pool, 0);
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    MUST(
        vkGetQueryPoolResults(rig->device, pool, 0, 1, 8, &read, 8, VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT));
    check_longs("primitives", &read, (uint64_t[]){6}, 1);
}
