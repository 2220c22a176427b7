/* SPDX-License-Identifier: MIT */
/* Which pixels primitives cover, and what varies over them. */
#include <string.h>

#include "vulkan/programs/graphics_canvas.h"

enum { SIZE = 32 };

struct corner {
    float place[4]; /* in pixels, a depth, and w */
    float number, size, unused[2];
};

static const VkVertexInputBindingDescription binding = {0, sizeof(struct corner), VK_VERTEX_INPUT_RATE_VERTEX};
static const VkVertexInputAttributeDescription attributes[] = {{0, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 0},
                                                               {1, 0, VK_FORMAT_R32G32B32A32_SFLOAT, 16}};

struct corners {
    struct canvas canvas;
    struct draws draws;
};

/* What is drawn, four numbers for each pixel. `plan`: what is not usual. */
static const float *drawn(struct rig *rig, struct draws_plan plan, const struct corner *corners, uint32_t count,
                          const uint16_t *indices, uint32_t indices_count) {
    struct canvas *canvas = keep_bytes(rig, sizeof *canvas);
    struct buffer vertices = buffer_new(rig, count * sizeof *corners, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    struct buffer elements = buffer_new(rig, 4096, VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    struct corner *to = vertices.bytes;
    const VkDeviceSize offset = 0;
    canvas_new(rig, canvas, VK_FORMAT_R32G32B32A32_SFLOAT, SIZE, SIZE);
    for (uint32_t i = 0; i < count; i++) {
        to[i] = corners[i];
        for (uint32_t c = 0; c < 2; c++)
            to[i].place[c] = (2 * corners[i].place[c] / SIZE - 1) * corners[i].place[3];
    }
    plan.vertex = "corners.vert";
    plan.fragment = plan.fragment ? plan.fragment : "corners.frag";
    plan.frame = &canvas->frame;
    plan.vertex_bindings = &binding;
    plan.vertex_bindings_count = 1;
    plan.attributes = attributes;
    plan.attributes_count = COUNT(attributes);
    struct draws draws = draws_new(rig, &plan);
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas->frame);
    draws_bind(commands, &draws, NULL);
    vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
    if (indices) {
        memcpy(elements.bytes, indices, indices_count * sizeof *indices);
        vkCmdBindIndexBuffer(commands, elements.handle, 0, VK_INDEX_TYPE_UINT16);
        vkCmdDrawIndexed(commands, indices_count, 1, 0, 0, 0);
    } else {
        vkCmdDraw(commands, count, 1, 0, 0);
    }
    frame_end(rig, commands, &canvas->frame);
    commands_run(rig, commands);
    return (const float *)canvas_words(rig, canvas);
}

#define CORNER(x, y, n)                                                                                                \
    {                                                                                                                  \
        {(x), (y), 0.5f, 1}, (n), 1, {                                                                                 \
            0                                                                                                          \
        }                                                                                                              \
    }

static VkPipelineRasterizationStateCreateInfo raster_state(VkPolygonMode mode, VkCullModeFlags cull,
                                                           VkFrontFace front) {
    return (VkPipelineRasterizationStateCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                                                    .polygonMode = mode,
                                                    .cullMode = cull,
                                                    .frontFace = front,
                                                    .lineWidth = 1};
}

/* A square of two triangles, of which one has the other side. */
void program_graphics_cull(struct rig *rig) {
    static const struct corner corners[] = {CORNER(4, 4, 1),  CORNER(12, 4, 1),  CORNER(4, 12, 1),
                                            CORNER(20, 4, 2), CORNER(20, 12, 2), CORNER(28, 4, 2)};
    for (uint32_t i = 0; i < 8; i++) {
        const uint32_t cull = i % 4, front = i / 4;
        const VkPipelineRasterizationStateCreateInfo raster =
            raster_state(VK_POLYGON_MODE_FILL, cull, (VkFrontFace)front);
        const float *left =
            drawn(rig, (struct draws_plan){.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, .raster = &raster}, corners,
                  6, NULL, 0);
        for (uint32_t k = 0; k < 2; k++) {
            /* With y downwards the first one turns clockwise. */
            const bool is_front = (k == 0) == (front == VK_FRONT_FACE_CLOCKWISE);
            const bool kept = !(cull & (is_front ? VK_CULL_MODE_FRONT_BIT : VK_CULL_MODE_BACK_BIT));
            const float *pixel = left + 4 * (5 * SIZE + 5 + 16 * k);
            check_near("a triangle", i * 2 + k, (double)pixel[0], kept ? k + 1 : 0, 0);
            check_near("its side", i * 2 + k, (double)pixel[3], kept ? is_front ? 1 : 2 : 0, 0);
        }
    }
}

static uint32_t covered(const float *left) {
    uint32_t count = 0;
    for (uint32_t p = 0; p < SIZE * SIZE; p++)
        count += left[4 * p] != 0;
    return count;
}

/* Of a right angled triangle: all of it, its edges, its corners. */
void program_graphics_polygon_modes(struct rig *rig) {
    static const struct corner corners[] = {CORNER(4.5f, 4.5f, 1), CORNER(20.5f, 4.5f, 1), CORNER(4.5f, 20.5f, 1)};
    NEED(rig, core.features.fillModeNonSolid);
    for (uint32_t mode = 0; mode < 3; mode++) {
        const VkPipelineRasterizationStateCreateInfo raster =
            raster_state((VkPolygonMode)mode, VK_CULL_MODE_NONE, VK_FRONT_FACE_CLOCKWISE);
        const float *left =
            drawn(rig, (struct draws_plan){.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, .raster = &raster}, corners,
                  3, NULL, 0);
        const uint32_t count = covered(left);
        check_near("a pixel inside", mode, (double)left[4 * (8 * SIZE + 8)], mode == VK_POLYGON_MODE_FILL, 0);
        check_near("a pixel outside", mode, (double)left[4 * (20 * SIZE + 20)], 0, 0);
        if (mode == VK_POLYGON_MODE_FILL)
            check_true("pixels of a triangle", count >= 120 && count <= 153);
        else if (mode == VK_POLYGON_MODE_LINE)
            check_true("pixels of three edges", count >= 45 && count <= 52);
        else
            check_word("pixels of three corners", count, 3);
    }
}

/* Strips that are cut, and joined anew. */
void program_graphics_restart(struct rig *rig) {
    static const struct corner corners[] = {CORNER(0, 0, 1),  CORNER(8, 0, 1),  CORNER(0, 8, 1),  CORNER(8, 8, 1),
                                            CORNER(16, 0, 2), CORNER(24, 0, 2), CORNER(16, 8, 2), CORNER(24, 8, 2)};
    static const uint16_t indices[] = {0, 1, 2, 3, 0xffff, 4, 5, 0xffff, 6, 0xffff, 4, 5, 6, 7};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
        .primitiveRestartEnable = VK_TRUE};
    const float *left = drawn(rig, (struct draws_plan){.assembly = &assembly}, corners, 8, indices, COUNT(indices));
    for (uint32_t p = 0; p < SIZE * SIZE; p++) {
        const uint32_t x = p % SIZE, y = p / SIZE;
        check_near("a pixel", p, (double)left[4 * p], y >= 8 || x / 8 % 2 ? 0 : x / 8 == 0 ? 1 : x / 8 == 2 ? 2 : 0, 0);
    }
}

/* Each topology with the vertices of a square, by the numbers of provoking vertices and how much is covered. */
void program_graphics_topologies(struct rig *rig) {
    static const struct corner corners[] = {CORNER(2.5f, 2.5f, 1),  CORNER(12.5f, 2.5f, 2), CORNER(12.5f, 12.5f, 3),
                                            CORNER(2.5f, 12.5f, 4), CORNER(2.5f, 7.5f, 5),  CORNER(7.5f, 7.5f, 6)};
    static const struct {
        VkPrimitiveTopology topology;
        uint32_t least, most, numbers; /* pixels; bits of the numbers that are seen */
    } wanted[] = {{VK_PRIMITIVE_TOPOLOGY_POINT_LIST, 6, 6, 0x7e},
                  {VK_PRIMITIVE_TOPOLOGY_LINE_LIST, 24, 27, 1 << 1 | 1 << 3 | 1 << 5},
                  {VK_PRIMITIVE_TOPOLOGY_LINE_STRIP, 34, 43, 0x3e},
                  {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, 57, 80, 1 << 1 | 1 << 4},
                  {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_FAN, 95, 121, 0}};
    for (size_t i = 0; i < COUNT(wanted); i++) {
        const float *left = drawn(rig, (struct draws_plan){.topology = wanted[i].topology}, corners, 6, NULL, 0);
        const uint32_t count = covered(left);
        uint32_t numbers = 0;
        for (uint32_t p = 0; p < SIZE * SIZE; p++)
            numbers |= left[4 * p + 2] > 0 ? 1u << (uint32_t)left[4 * p + 2] : 0;
        if (count < wanted[i].least || count > wanted[i].most)
            fail("topology %d covers %u pixels", (int)wanted[i].topology, count);
        if (wanted[i].numbers)
            check_word("numbers of provoking vertices", numbers, wanted[i].numbers);
    }
}

/* Squares of pixels, with places in them from 0 to 1. */
void program_graphics_points(struct rig *rig) {
    static const struct corner corners[] = {{{8, 8, 0.5f, 1}, 1, 8, {0}}, {{24.5f, 16.5f, 0.5f, 1}, 1, 5, {0}}};
    NEED(rig, core.features.largePoints);
    const float *left =
        drawn(rig, (struct draws_plan){.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST, .fragment = "point.frag"}, corners,
              2, NULL, 0);
    for (uint32_t p = 0; p < SIZE * SIZE; p++) {
        const uint32_t x = p % SIZE, y = p / SIZE;
        const bool first = x >= 4 && x < 12 && y >= 4 && y < 12, second = x >= 22 && x < 27 && y >= 14 && y < 19;
        const double u = first    ? (x - 4 + 0.5) / 8
                         : second ? (x - 22 + 0.5) / 5
                                  : 0,
                     v = first    ? (y - 4 + 0.5) / 8
                         : second ? (y - 14 + 0.5) / 5
                                  : 0;
        check_near("a place in a point", p, (double)left[4 * p], u, 0.001);
        check_near("a place in a point", p, (double)left[4 * p + 1], v, 0.001);
        check_near("the pixel", p, (double)left[4 * p + 2], first || second ? x + 0.5 : 0, 0);
        check_near("the pixel", p, (double)left[4 * p + 3], first || second ? y + 0.5 : 0, 0);
    }
}

/* A square whose right side is four times as far away. */
void program_graphics_interpolation(struct rig *rig) {
    static const struct corner corners[] = {{{0, 0, 0, 1}, 1, 1, {0}},
                                            {{SIZE, 0, 0, 4}, 3, 1, {0}},
                                            {{0, SIZE, 0, 1}, 1, 1, {0}},
                                            {{SIZE, SIZE, 0, 4}, 3, 1, {0}}};
    const float *left =
        drawn(rig, (struct draws_plan){.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP}, corners, 4, NULL, 0);
    for (uint32_t p = 0; p < SIZE * SIZE; p++) {
        const double t = (p % SIZE + 0.5) / SIZE;
        check_near("in perspective", p, (double)left[4 * p], ((1 - t) + 3 * t / 4) / ((1 - t) + t / 4), 0.001);
        check_near("without perspective", p, (double)left[4 * p + 1], 1 + 2 * t, 0.001);
        check_near("flat", p, (double)left[4 * p + 2], p % SIZE + p / SIZE < SIZE - 1 ? 1 : (double)left[4 * p + 2], 0);
    }
}

/* Of a line of some width: all pixels, and no others. */
void program_graphics_wide_lines(struct rig *rig) {
    static const struct corner corners[] = {CORNER(4, 16, 1), CORNER(28, 16, 1)};
    VkPipelineRasterizationStateCreateInfo raster =
        raster_state(VK_POLYGON_MODE_FILL, VK_CULL_MODE_NONE, VK_FRONT_FACE_CLOCKWISE);
    NEED(rig, core.features.wideLines);
    raster.lineWidth = 6;
    const float *left = drawn(rig, (struct draws_plan){.topology = VK_PRIMITIVE_TOPOLOGY_LINE_LIST, .raster = &raster},
                              corners, 2, NULL, 0);
    for (uint32_t p = 0; p < SIZE * SIZE; p++) {
        const uint32_t x = p % SIZE, y = p / SIZE;
        check_near("a pixel", p, (double)left[4 * p], x >= 4 && x < 28 && y >= 13 && y < 19, 0);
    }
}
