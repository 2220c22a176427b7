/* SPDX-License-Identifier: MIT */
/* Formats of vertices and of textures: what a program sees of bytes. */
#include <stdio.h>
#include <string.h>

#include "vulkan/programs/graphics_canvas.h"

enum kind { FLOATS, UNSIGNED, SIGNED };

struct format_row {
    VkFormat format;
    enum kind kind;
    uint8_t bytes[16];
    double seen[4]; /* of what the format lacks: 0, 0, 1 */
};

static const struct format_row rows[] = {
    {VK_FORMAT_R8_UNORM, FLOATS, {51}, {0.2, 0, 0, 1}},
    {VK_FORMAT_R8_SNORM, FLOATS, {0x81}, {-1, 0, 0, 1}},
    {VK_FORMAT_R8_UINT, UNSIGNED, {200}, {200, 0, 0, 1}},
    {VK_FORMAT_R8_SINT, SIGNED, {0xfd}, {-3, 0, 0, 1}},
    {VK_FORMAT_R8G8_UNORM, FLOATS, {255, 51}, {1, 0.2, 0, 1}},
    {VK_FORMAT_R8G8_UINT, UNSIGNED, {1, 2}, {1, 2, 0, 1}},
    {VK_FORMAT_R8G8B8A8_UNORM, FLOATS, {255, 0, 51, 102}, {1, 0, 0.2, 0.4}},
    {VK_FORMAT_R8G8B8A8_SNORM, FLOATS, {0x7f, 0x80, 0, 0x81}, {1, -1, 0, -1}},
    {VK_FORMAT_R8G8B8A8_UINT, UNSIGNED, {1, 2, 3, 254}, {1, 2, 3, 254}},
    {VK_FORMAT_R8G8B8A8_SINT, SIGNED, {1, 0xfe, 3, 0xfc}, {1, -2, 3, -4}},
    {VK_FORMAT_R8G8B8A8_SRGB, FLOATS, {255, 0, 188, 51}, {1, 0, 0.502886, 0.2}},
    {VK_FORMAT_R8G8B8A8_USCALED, FLOATS, {1, 2, 3, 254}, {1, 2, 3, 254}},
    {VK_FORMAT_R8G8B8A8_SSCALED, FLOATS, {1, 0xfe, 3, 0xfc}, {1, -2, 3, -4}},
    {VK_FORMAT_B8G8R8A8_UNORM, FLOATS, {255, 0, 51, 102}, {0.2, 0, 1, 0.4}},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, FLOATS, {0xff, 0x03, 0x00, 0xc0}, {1, 0, 0, 1}},
    {VK_FORMAT_A2B10G10R10_UINT_PACK32, UNSIGNED, {0xe8, 0x0b, 0x30, 0x80}, {1000, 2, 3, 2}},
    {VK_FORMAT_A2R10G10B10_UNORM_PACK32, FLOATS, {0xff, 0x03, 0x00, 0xc0}, {0, 0, 1, 1}},
    {VK_FORMAT_R5G6B5_UNORM_PACK16, FLOATS, {0x00, 0xf8}, {1, 0, 0, 1}},
    {VK_FORMAT_A1R5G5B5_UNORM_PACK16, FLOATS, {0x1f, 0x80}, {0, 0, 1, 1}},
    {VK_FORMAT_R16_UNORM, FLOATS, {0xff, 0xff}, {1, 0, 0, 1}},
    {VK_FORMAT_R16_SFLOAT, FLOATS, {0x00, 0xbe}, {-1.5, 0, 0, 1}},
    {VK_FORMAT_R16G16_SNORM, FLOATS, {0xff, 0x7f, 0x01, 0x80}, {1, -1, 0, 1}},
    {VK_FORMAT_R16G16_SINT, SIGNED, {0xff, 0xff, 0x07, 0x00}, {-1, 7, 0, 1}},
    {VK_FORMAT_R16G16B16A16_SFLOAT, FLOATS, {0x00, 0x3c, 0x00, 0x38, 0x00, 0xc4, 0xff, 0x7b}, {1, 0.5, -4, 65504}},
    {VK_FORMAT_R16G16B16A16_UINT, UNSIGNED, {1, 0, 2, 0, 3, 0, 0x50, 0xc3}, {1, 2, 3, 50000}},
    {VK_FORMAT_R16G16B16A16_USCALED, FLOATS, {1, 0, 2, 0, 3, 0, 0x50, 0xc3}, {1, 2, 3, 50000}},
    {VK_FORMAT_R32_SFLOAT, FLOATS, {0, 0, 0xc0, 0x3f}, {1.5, 0, 0, 1}},
    {VK_FORMAT_R32_UINT, UNSIGNED, {0x70, 0x11, 1, 0}, {70000, 0, 0, 1}},
    {VK_FORMAT_R32G32_SFLOAT, FLOATS, {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}, {1, -2, 0, 1}},
    {VK_FORMAT_R32G32B32_SFLOAT, FLOATS, {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0x3f}, {1, -2, 0.5, 1}},
    {VK_FORMAT_R32G32B32A32_SINT, SIGNED, {1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff, 3, 0, 0, 0, 4, 0, 0, 0}, {1, -2, 3, 4}},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, FLOATS, {0xc0, 0x03, 0x20, 0x70}, {1, 2, 0.5, 1}},
    {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, FLOATS, {0x00, 0x01, 0x00, 0x80}, {1, 0, 0, 1}},
};

static const char *const vertex_shaders[] = {"formats_float.vert", "formats_uint.vert", "formats_int.vert"};
static const char *const texture_shaders[] = {"look_2d.frag", "look_2d_uint.frag", "look_2d_int.frag"};

static double number_of(enum kind kind, uint32_t word) {
    float value;
    memcpy(&value, &word, sizeof value);
    return kind == FLOATS ? (double)value : kind == SIGNED ? (double)(int32_t)word : (double)word;
}

static void check_seen(const struct format_row *row, const uint32_t *words) {
    char what[40];
    snprintf(what, sizeof what, "format %d, a component", (int)row->format);
    for (uint32_t c = 0; c < 4; c++)
        check_near(what, c, number_of(row->kind, words[c]), row->seen[c], row->kind == FLOATS ? 0.001 : 0);
}

static void see_vertex(struct rig *rig, const struct format_row *row) {
    const uint32_t stride = (format_bytes(row->format, VK_IMAGE_ASPECT_COLOR_BIT) + 3) / 4 * 4, width = 4;
    const VkVertexInputBindingDescription binding = {0, stride, VK_VERTEX_INPUT_RATE_VERTEX};
    const VkVertexInputAttributeDescription attribute = {0, 0, row->format, 0};
    const VkDeviceSize offset = 0;
    struct canvas canvas;
    struct buffer vertices = buffer_new(rig, 256, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    memcpy((uint8_t *)vertices.bytes + (size_t)2 * stride, row->bytes,
           format_bytes(row->format, VK_IMAGE_ASPECT_COLOR_BIT));
    canvas_new(rig, &canvas, VK_FORMAT_R32G32B32A32_UINT, width, 1);
    struct draws draws = draws_new(rig, &(struct draws_plan){.vertex = vertex_shaders[row->kind],
                                                             .fragment = "told.frag",
                                                             .frame = &canvas.frame,
                                                             .topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST,
                                                             .vertex_bindings = &binding,
                                                             .vertex_bindings_count = 1,
                                                             .attributes = &attribute,
                                                             .attributes_count = 1,
                                                             .push_bytes = 4});
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    draws_bind(commands, &draws, &width);
    vkCmdBindVertexBuffers(commands, 0, 1, &vertices.handle, &offset);
    vkCmdDraw(commands, 1, 1, 2, 0);
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    check_seen(row, canvas_words(rig, &canvas) + 8);
}

void program_graphics_vertex_formats(struct rig *rig) {
    for (size_t i = 0; i < COUNT(rows); i++) {
        VkFormatProperties has;
        vkGetPhysicalDeviceFormatProperties(rig->physical, rows[i].format, &has);
        /* What lavapipe makes of vertices with fields of 5 bits is something else. */
        if (has.bufferFeatures & VK_FORMAT_FEATURE_VERTEX_BUFFER_BIT && rows[i].format >= VK_FORMAT_R8_UNORM &&
            rows[i].format != VK_FORMAT_E5B9G9R9_UFLOAT_PACK32)
            see_vertex(rig, &rows[i]);
    }
}

static void see_texture(struct rig *rig, const struct format_row *row) {
    static const struct binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                                              {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
    static const VkFormat targets[] = {VK_FORMAT_R32G32B32A32_SFLOAT, VK_FORMAT_R32G32B32A32_UINT,
                                       VK_FORMAT_R32G32B32A32_SINT};
    struct canvas canvas;
    struct buffer places = buffer_new(rig, 4096, 0);
    struct image image = image_new(
        rig, &(struct image_plan){.format = row->format, .width = 1, .height = 1, .usage = VK_IMAGE_USAGE_SAMPLED_BIT});
    memset(places.bytes, 0, 4096);
    image_write(rig, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, row->bytes);
    canvas_new(rig, &canvas, targets[row->kind], 1, 1);
    struct draws draws = boxes_new(
        rig, &canvas.frame,
        (struct draws_plan){.fragment = texture_shaders[row->kind], .bindings = bindings, .bindings_count = 2});
    put_image(rig, &draws.descriptors, 0, 0, image.view,
              sampler_new(rig, VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE));
    put_buffer(rig, &draws.descriptors, 1, 0, &places);
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas.frame);
    box_draw(commands, &draws, &canvas.frame, (struct box){.depth = 0}, 0, 0, 1, 1);
    frame_end(rig, commands, &canvas.frame);
    commands_run(rig, commands);
    check_seen(row, canvas_words(rig, &canvas));
}

void program_graphics_texture_formats(struct rig *rig) {
    for (size_t i = 0; i < COUNT(rows); i++)
        if (format_has(rig, rows[i].format, VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT))
            see_texture(rig, &rows[i]);
}
