/* SPDX-License-Identifier: MIT */
/* Draws of all kinds: each vertex is a point that shows the numbers which it was given (shaders/spots.vert). */
#include <string.h>

#include "vulkan/programs/graphics_canvas.h"

enum { WIDTH = 32, HEIGHT = 32, VERTICES = 64, INSTANCES = 32 };

struct spots {
    struct canvas canvas;
    struct draws draws;
    struct buffer vertices, instances, indices, commands;
    uint32_t wanted[HEIGHT][WIDTH][4];
    VkCommandBuffer recorded;
};

static uint32_t vertex_word(uint32_t vertex) {
    return 1000 + vertex * 3;
}

static uint32_t instance_word(uint32_t instance) {
    return 5000 + instance * 7;
}

/* `divisor`: instances that have the same element. */
static struct spots *spots_begin(struct rig *rig, uint32_t divisor) {
    static const VkVertexInputBindingDescription bindings[] = {{0, 4, VK_VERTEX_INPUT_RATE_VERTEX},
                                                               {1, 4, VK_VERTEX_INPUT_RATE_INSTANCE}};
    static const VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32_UINT, 0},
                                                                   {1, 1, VK_FORMAT_R32_UINT, 0}};
    const VkVertexInputBindingDivisorDescriptionEXT divisors = {1, divisor};
    const VkPipelineVertexInputDivisorStateCreateInfoEXT divided = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_DIVISOR_STATE_CREATE_INFO_EXT,
        .vertexBindingDivisorCount = 1,
        .pVertexBindingDivisors = &divisors};
    const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                        .pNext = divisor != 1 ? &divided : NULL,
                                                        .vertexBindingDescriptionCount = 2,
                                                        .pVertexBindingDescriptions = bindings,
                                                        .vertexAttributeDescriptionCount = 2,
                                                        .pVertexAttributeDescriptions = attributes};
    struct spots *spots = keep_bytes(rig, sizeof *spots);
    NEED(rig, draw_parameters.shaderDrawParameters);
    canvas_new(rig, &spots->canvas, VK_FORMAT_R32G32B32A32_UINT, WIDTH, HEIGHT);
    spots->draws = draws_new(rig, &(struct draws_plan){.vertex = "spots.vert",
                                                       .fragment = "told.frag",
                                                       .frame = &spots->canvas.frame,
                                                       .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                                       .vertex_input = &input,
                                                       .push_bytes = 8});
    spots->vertices = buffer_new(rig, VERTICES * 4, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    spots->instances = buffer_new(rig, INSTANCES * 4, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    spots->indices = buffer_new(rig, 4096, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    spots->commands = buffer_new(rig, 4096, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    for (uint32_t i = 0; i < VERTICES; i++)
        spots->vertices.words[i] = vertex_word(i);
    for (uint32_t i = 0; i < INSTANCES; i++)
        spots->instances.words[i] = instance_word(i);
    const VkDeviceSize zeros[2] = {0, 0};
    spots->recorded = commands_begin(rig);
    frame_begin(rig, spots->recorded, &spots->canvas.frame);
    draws_bind(spots->recorded, &spots->draws, (uint32_t[]){WIDTH, HEIGHT});
    vkCmdBindVertexBuffers(spots->recorded, 0, 2, (VkBuffer[]){spots->vertices.handle, spots->instances.handle}, zeros);
    return spots;
}

/* A vertex that must be seen. */
static void want(struct spots *spots, uint32_t vertex, uint32_t base_vertex, uint32_t instance, uint32_t first_instance,
                 uint32_t divisor, uint32_t draw) {
    const uint32_t row = instance + draw * 4;
    const uint32_t element = first_instance + (divisor ? (instance - first_instance) / divisor : 0);
    if (vertex < WIDTH && row < HEIGHT)
        memcpy(spots->wanted[row][vertex],
               (uint32_t[]){vertex_word(vertex), instance_word(element), base_vertex | first_instance << 16, draw + 1},
               16);
}

static void want_array(struct spots *spots, const VkDrawIndirectCommand *of, uint32_t divisor, uint32_t draw) {
    for (uint32_t i = 0; i < of->instanceCount; i++)
        for (uint32_t v = 0; v < of->vertexCount; v++)
            want(spots, of->firstVertex + v, of->firstVertex, of->firstInstance + i, of->firstInstance, divisor, draw);
}

static void spots_end(struct rig *rig, struct spots *spots) {
    frame_end(rig, spots->recorded, &spots->canvas.frame);
    commands_run(rig, spots->recorded);
    check_words("numbers of points", canvas_words(rig, &spots->canvas), spots->wanted[0][0], WIDTH * HEIGHT * 4);
}

static void direct(struct rig *rig, uint32_t divisor) {
    static const VkDrawIndirectCommand draws[] = {{3, 1, 0, 0}, {5, 3, 7, 2}, {1, 6, 20, 8}, {4, 5, 25, 20}};
    struct spots *spots = spots_begin(rig, divisor);
    for (size_t i = 0; i < COUNT(draws); i++) {
        vkCmdDraw(spots->recorded, draws[i].vertexCount, draws[i].instanceCount, draws[i].firstVertex,
                  draws[i].firstInstance);
        want_array(spots, &draws[i], divisor, 0);
    }
    spots_end(rig, spots);
}

void program_graphics_instances(struct rig *rig) {
    direct(rig, 1);
}

void program_graphics_divisors(struct rig *rig) {
    NEED(rig, divisor.vertexAttributeInstanceRateDivisor);
    direct(rig, 3);
    if (rig->has.divisor.vertexAttributeInstanceRateZeroDivisor)
        direct(rig, 0);
}

/* Indices of each size, with an offset of vertices. */
void program_graphics_indices(struct rig *rig) {
    static const uint32_t indices[6] = {2, 0, 9, 5, 5, 11};
    static const VkIndexType types[] = {VK_INDEX_TYPE_UINT16, VK_INDEX_TYPE_UINT32, VK_INDEX_TYPE_UINT8_EXT};
    struct spots *spots = spots_begin(rig, 1);
    for (uint32_t t = 0; t < 3; t++) {
        const uint32_t bytes = t == 0 ? 2 : t == 1 ? 4 : 1, begin = t * 64;
        if (t == 2 && !rig->has.index8.indexTypeUint8)
            break;
        for (uint32_t i = 0; i < 6; i++)
            memcpy((uint8_t *)spots->indices.bytes + begin + (i + 2) * bytes, &indices[i], bytes);
        vkCmdBindIndexBuffer(spots->recorded, spots->indices.handle, begin, types[t]);
        vkCmdDrawIndexed(spots->recorded, 6, 2, 2, (int32_t)t * 10 - 1 + (t == 0), 4 * t);
        for (uint32_t i = 0; i < 12; i++) {
            const uint32_t base = t * 10 - 1 + (t == 0);
            want(spots, indices[i % 6] + base, base, 4 * t + i / 6, 4 * t, 1, 0);
        }
    }
    spots_end(rig, spots);
}

static void put_arrays(struct spots *spots, uint32_t stride) {
    static const VkDrawIndirectCommand draws[] = {
        {3, 1, 0, 0}, {5, 2, 7, 1}, {0, 6, 20, 0}, {4, 3, 25, 3}, {2, 2, 1, 9}};
    for (size_t i = 0; i < COUNT(draws); i++)
        memcpy((uint8_t *)spots->commands.bytes + 16 + i * stride, &draws[i], sizeof draws[i]);
}

static void want_arrays(struct spots *spots, uint32_t stride, uint32_t count) {
    for (uint32_t i = 0; i < count; i++) {
        VkDrawIndirectCommand of;
        memcpy(&of, (uint8_t *)spots->commands.bytes + 16 + (size_t)i * stride, sizeof of);
        want_array(spots, &of, 1, i);
    }
}

void program_graphics_indirect(struct rig *rig) {
    struct spots *spots = spots_begin(rig, 1);
    NEED(rig, core.features.multiDrawIndirect);
    NEED(rig, core.features.drawIndirectFirstInstance);
    put_arrays(spots, 24);
    vkCmdDrawIndirect(spots->recorded, spots->commands.handle, 16, 5, 24);
    want_arrays(spots, 24, 5);
    spots_end(rig, spots);
}

/* The count is in memory, 0 or more than the limit. */
void program_graphics_indirect_count(struct rig *rig) {
    static const uint32_t counts[] = {0, 2, 3, 100};
    need_extension(rig, "VK_KHR_draw_indirect_count");
    NEED_CALL(rig, CmdDrawIndirectCount);
    NEED(rig, core.features.drawIndirectFirstInstance);
    for (size_t i = 0; i < COUNT(counts); i++) {
        struct spots *spots = spots_begin(rig, 1);
        spots->commands.words[1] = counts[i];
        put_arrays(spots, 20);
        rig->call.CmdDrawIndirectCount(spots->recorded, spots->commands.handle, 16, spots->commands.handle, 4, 4, 20);
        want_arrays(spots, 20, counts[i] < 4 ? counts[i] : 4);
        spots_end(rig, spots);
    }
}

static void indexed(struct rig *rig, bool counted) {
    static const VkDrawIndexedIndirectCommand draws[] = {{4, 2, 0, 0, 0}, {3, 1, 2, 10, 2}, {2, 3, 1, 20, 5}};
    static const uint16_t indices[8] = {1, 3, 5, 0, 2, 4, 6, 7};
    struct spots *spots = spots_begin(rig, 1);
    memcpy(spots->indices.bytes, indices, sizeof indices);
    memcpy((uint8_t *)spots->commands.bytes + 16, draws, sizeof draws);
    spots->commands.words[0] = 3;
    vkCmdBindIndexBuffer(spots->recorded, spots->indices.handle, 0, VK_INDEX_TYPE_UINT16);
    if (counted)
        rig->call.CmdDrawIndexedIndirectCount(spots->recorded, spots->commands.handle, 16, spots->commands.handle, 0, 5,
                                              sizeof draws[0]);
    else
        vkCmdDrawIndexedIndirect(spots->recorded, spots->commands.handle, 16, 3, sizeof draws[0]);
    for (uint32_t d = 0; d < 3; d++)
        for (uint32_t i = 0; i < draws[d].indexCount * draws[d].instanceCount; i++)
            want(spots, indices[draws[d].firstIndex + i % draws[d].indexCount] + (uint32_t)draws[d].vertexOffset,
                 (uint32_t)draws[d].vertexOffset, draws[d].firstInstance + i / draws[d].indexCount,
                 draws[d].firstInstance, 1, d);
    spots_end(rig, spots);
}

void program_graphics_indirect_indexed(struct rig *rig) {
    NEED(rig, core.features.multiDrawIndirect);
    NEED(rig, core.features.drawIndirectFirstInstance);
    indexed(rig, false);
}

void program_graphics_indirect_indexed_count(struct rig *rig) {
    need_extension(rig, "VK_KHR_draw_indirect_count");
    NEED_CALL(rig, CmdDrawIndexedIndirectCount);
    NEED(rig, core.features.drawIndirectFirstInstance);
    indexed(rig, true);
}

void program_graphics_multi_draw(struct rig *rig) {
    static const VkMultiDrawInfoEXT draws[] = {{0, 3}, {5, 1}, {9, 7}};
    struct spots *spots;
    NEED(rig, multi_draw.multiDraw);
    spots = spots_begin(rig, 1);
    rig->call.CmdDrawMultiEXT(spots->recorded, 3, draws, 2, 1, sizeof draws[0]);
    for (uint32_t d = 0; d < 3; d++)
        want_array(spots, &(VkDrawIndirectCommand){draws[d].vertexCount, 2, draws[d].firstVertex, 1}, 1, d);
    spots_end(rig, spots);
}

/* Nothing is drawn without the condition, and queries of what is drawn are 0. */
void program_graphics_conditional(struct rig *rig) {
    NEED(rig, conditional.conditionalRendering);
    struct spots *spots = spots_begin(rig, 1);
    struct buffer conditions = buffer_new(rig, 64, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT);
    conditions.words[0] = 0;
    conditions.words[1] = 0x80000000;
    conditions.words[2] = 1;
    for (uint32_t i = 0; i < 6; i++) {
        const VkConditionalRenderingBeginInfoEXT begin = {
            .sType = VK_STRUCTURE_TYPE_CONDITIONAL_RENDERING_BEGIN_INFO_EXT,
            .buffer = conditions.handle,
            .offset = 4 * (i % 3),
            .flags = i / 3 ? VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT : 0};
        const VkDrawIndirectCommand of = {3, 2, 4 * i, i};
        rig->call.CmdBeginConditionalRenderingEXT(spots->recorded, &begin);
        vkCmdDraw(spots->recorded, of.vertexCount, of.instanceCount, of.firstVertex, of.firstInstance);
        rig->call.CmdEndConditionalRenderingEXT(spots->recorded);
        if ((i % 3 != 0) != (i / 3 != 0))
            want_array(spots, &of, 1, 0);
    }
    spots_end(rig, spots);
}
