/* SPDX-License-Identifier: MIT */
/* Images and buffers are copied to each other: levels, layers, volumes, parts with gaps between rows; images to images. */
#include <string.h>

#include "vulkan/programs/programs.h"

enum { COLOR = VK_IMAGE_ASPECT_COLOR_BIT };

/* ---- formats ---- */

/* All levels and layers are written and read back, whole. */
static void there_and_back(struct rig *rig, const struct image_plan *plan, VkImageAspectFlags aspect) {
    struct image image = image_new(rig, plan);
    for (int pass = 0; pass < 2; pass++)
        for (uint32_t level = 0; level < image.plan.levels; level++)
            for (uint32_t layer = 0; layer < image.plan.layers; layer++) {
                const size_t bytes = image_bytes(&image, aspect, level);
                uint8_t *contents = keep_bytes(rig, bytes);
                scramble(contents, bytes, (uint32_t)plan->format * 1000 + level * 64 + layer);
                if (pass == 0)
                    image_write(rig, &image, aspect, level, layer, contents);
                else
                    check_bytes("a level", image_read(rig, &image, aspect, level, layer), contents, bytes);
            }
}

static void if_copied(struct rig *rig, const struct image_plan *plan, VkImageAspectFlags aspect) {
    const VkFormatFeatureFlags copied = VK_FORMAT_FEATURE_TRANSFER_SRC_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    if (format_has(rig, plan->format, copied))
        there_and_back(rig, plan, aspect);
}

void program_transfer_formats(struct rig *rig) {
    static const VkFormat formats[] = {VK_FORMAT_R8_UNORM,
                                       VK_FORMAT_R8G8_SNORM,
                                       VK_FORMAT_R8G8B8A8_UNORM,
                                       VK_FORMAT_B8G8R8A8_SRGB,
                                       VK_FORMAT_R5G6B5_UNORM_PACK16,
                                       VK_FORMAT_A2B10G10R10_UNORM_PACK32,
                                       VK_FORMAT_R16_UINT,
                                       VK_FORMAT_R16G16_SINT,
                                       VK_FORMAT_R16G16B16A16_UNORM,
                                       VK_FORMAT_R32_UINT,
                                       VK_FORMAT_R32G32_UINT,
                                       VK_FORMAT_R32G32B32A32_UINT,
                                       VK_FORMAT_BC1_RGB_UNORM_BLOCK,
                                       VK_FORMAT_BC3_UNORM_BLOCK,
                                       VK_FORMAT_BC4_UNORM_BLOCK,
                                       VK_FORMAT_BC5_SNORM_BLOCK,
                                       VK_FORMAT_BC7_SRGB_BLOCK};
    for (size_t i = 0; i < COUNT(formats); i++)
        if_copied(rig,
                  &(struct image_plan){.format = formats[i],
                                       .width = 53,
                                       .height = 37,
                                       .levels = 6,
                                       .layers = 3,
                                       .usage = VK_IMAGE_USAGE_SAMPLED_BIT},
                  COLOR);
}

void program_transfer_depth_stencil(struct rig *rig) {
    static const struct {
        VkFormat format;
        VkImageAspectFlags aspects;
    } rows[] = {{VK_FORMAT_D16_UNORM, VK_IMAGE_ASPECT_DEPTH_BIT},
                {VK_FORMAT_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT},
                {VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT},
                {VK_FORMAT_D32_SFLOAT_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT}};
    for (size_t i = 0; i < COUNT(rows); i++)
        if_copied(rig,
                  &(struct image_plan){.format = rows[i].format,
                                       .width = 45,
                                       .height = 33,
                                       .levels = 3,
                                       .layers = 2,
                                       .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT},
                  rows[i].aspects);
}

/* Both aspects of one image, each without disturbing the other. */
static void both_aspects(struct rig *rig, VkFormat format, uint32_t depth_mask) {
    enum { WIDTH = 29, HEIGHT = 31, TEXELS = WIDTH * HEIGHT };
    const VkImageAspectFlags depth = VK_IMAGE_ASPECT_DEPTH_BIT, stencil = VK_IMAGE_ASPECT_STENCIL_BIT;
    struct image image = image_new(rig, &(struct image_plan){.format = format,
                                                             .width = WIDTH,
                                                             .height = HEIGHT,
                                                             .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
    uint32_t depths[TEXELS];
    uint8_t stencils[TEXELS];
    for (uint32_t i = 0; i < TEXELS; i++) {
        float value = (float)i / TEXELS;
        depths[i] = scrambled(i) & depth_mask;
        if (format == VK_FORMAT_D32_SFLOAT_S8_UINT)
            memcpy(&depths[i], &value, 4);
        stencils[i] = (uint8_t)scrambled(i + 5000);
    }
    image_write(rig, &image, depth, 0, 0, depths);
    image_write(rig, &image, stencil, 0, 0, stencils);
    check_bytes("stencil", image_read(rig, &image, stencil, 0, 0), stencils, TEXELS);
    const uint32_t *read = image_read(rig, &image, depth, 0, 0);
    for (uint32_t i = 0; i < TEXELS; i++)
        if ((read[i] & depth_mask) != depths[i])
            fail("depth %u of format %d is 0x%08x instead of 0x%08x", i, (int)format, read[i], depths[i]);
    memset(stencils, 0x5a, TEXELS);
    image_write(rig, &image, stencil, 0, 0, stencils);
    read = image_read(rig, &image, depth, 0, 0);
    for (uint32_t i = 0; i < TEXELS; i++)
        if ((read[i] & depth_mask) != depths[i])
            fail("depth %u of format %d is 0x%08x instead of 0x%08x when the stencil has changed", i, (int)format,
                 read[i], depths[i]);
}

void program_transfer_both_aspects(struct rig *rig) {
    const VkFormatFeatureFlags both =
        VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT;
    if (format_has(rig, VK_FORMAT_D24_UNORM_S8_UINT, both))
        both_aspects(rig, VK_FORMAT_D24_UNORM_S8_UINT, 0xffffff);
    if (format_has(rig, VK_FORMAT_D32_SFLOAT_S8_UINT, both))
        both_aspects(rig, VK_FORMAT_D32_SFLOAT_S8_UINT, UINT32_MAX);
}

/* ---- shapes ---- */

void program_transfer_shapes(struct rig *rig) {
    static const struct image_plan plans[] = {
        {.dimensions = 1, .format = VK_FORMAT_R32_UINT, .width = 777, .levels = 10},
        {.dimensions = 1, .format = VK_FORMAT_R8_UINT, .width = 33, .layers = 5},
        {.format = VK_FORMAT_R8G8B8A8_UNORM, .width = 1, .height = 1},
        {.format = VK_FORMAT_R8G8B8A8_UNORM, .width = 1025, .height = 3, .levels = 2},
        {.format = VK_FORMAT_R8G8B8A8_UNORM, .width = 3, .height = 515, .levels = 10},
        {.format = VK_FORMAT_R32G32B32A32_UINT, .width = 65, .height = 66, .layers = 7, .levels = 7},
        {.format = VK_FORMAT_R32_UINT,
         .width = 24,
         .height = 24,
         .layers = 12,
         .flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT},
        {.dimensions = 3, .format = VK_FORMAT_R8G8B8A8_UNORM, .width = 19, .height = 21, .depth = 23, .levels = 5},
        {.dimensions = 3, .format = VK_FORMAT_R16_UINT, .width = 4, .height = 4, .depth = 100},
        {.format = VK_FORMAT_R8G8B8A8_UNORM, .width = 61, .height = 17, .tiling = VK_IMAGE_TILING_LINEAR}};
    for (size_t i = 0; i < COUNT(plans); i++)
        there_and_back(rig, &plans[i], COLOR);
}

/* ---- parts ---- */

enum { WIDTH = 40, HEIGHT = 30, DEPTH = 6, LAYERS = 4 };

/* A part of a layer, from a buffer whose rows and layers have gaps; and a part back, likewise. */
void program_transfer_parts(struct rig *rig) {
    const VkBufferImageCopy in = {.bufferOffset = 44,
                                  .bufferRowLength = 25,
                                  .bufferImageHeight = 17,
                                  .imageSubresource = {COLOR, 0, 1, 2},
                                  .imageOffset = {7, 9, 0},
                                  .imageExtent = {21, 15, 1}};
    const VkBufferImageCopy out = {.bufferOffset = 16,
                                   .bufferRowLength = 64,
                                   .bufferImageHeight = 20,
                                   .imageSubresource = {COLOR, 0, 0, LAYERS},
                                   .imageOffset = {3, 5, 0},
                                   .imageExtent = {33, 19, 1}};
    struct image image = image_new(
        rig, &(struct image_plan){.format = VK_FORMAT_R32_UINT, .width = WIDTH, .height = HEIGHT, .layers = LAYERS});
    struct buffer from = buffer_new(rig, 25 * 17 * 2 * 4 + 44, 0), to = buffer_new(rig, 64 * 20 * LAYERS * 4 + 16, 0);
    const VkClearColorValue clear = {.uint32 = {77}};
    const VkImageSubresourceRange all = image_range(&image);
    uint32_t *wanted = keep_bytes(rig, to.size);
    scramble(from.bytes, from.size, 4);
    VkCommandBuffer commands = commands_begin(rig);
    image_to(commands, &image, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, &clear, 1, &all);
    barrier(commands);
    vkCmdCopyBufferToImage(commands, from.handle, image.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &in);
    barrier(commands);
    vkCmdCopyImageToBuffer(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, to.handle, 1, &out);
    commands_run(rig, commands);
    memset(wanted, UNTOUCHED, to.size);
    for (uint32_t z = 0; z < LAYERS; z++)
        for (uint32_t y = 5; y < 5 + 19; y++)
            for (uint32_t x = 3; x < 3 + 33; x++) {
                bool inside = z >= 1 && z < 3 && x >= 7 && x < 28 && y >= 9 && y < 24;
                uint32_t at = inside ? 11 + ((z - 1) * 17 + y - 9) * 25 + x - 7 : 0;
                wanted[4 + (z * 20 + y - 5) * 64 + x - 3] = inside ? from.words[at] : 77;
            }
    check_words("part", to.words, wanted, to.size / 4);
}

/* ---- image to image ---- */

static uint32_t texel(uint32_t seed, uint32_t x, uint32_t y, uint32_t z) {
    return scrambled(seed * 100000 + (z * HEIGHT + y) * WIDTH + x);
}

static void fill(struct rig *rig, struct image *image, uint32_t seed, bool is_volume) {
    uint32_t texels[WIDTH * HEIGHT * DEPTH];
    for (uint32_t z = 0; z < (is_volume ? DEPTH : LAYERS); z++) {
        uint32_t *slice = is_volume ? texels + z * WIDTH * HEIGHT : texels;
        for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
            slice[i] = texel(seed, i % WIDTH, i / WIDTH, z);
        if (!is_volume)
            image_write(rig, image, COLOR, 0, z, texels);
    }
    if (is_volume)
        image_write(rig, image, COLOR, 0, 0, texels);
}

static void check_copied(struct rig *rig, struct image *image, const VkImageCopy *copy, bool is_volume) {
    const uint32_t first = is_volume ? (uint32_t)copy->dstOffset.z : copy->dstSubresource.baseArrayLayer;
    const uint32_t from = is_volume && copy->srcSubresource.layerCount > 1 ? copy->srcSubresource.baseArrayLayer
                          : is_volume                                      ? (uint32_t)copy->srcOffset.z
                          : copy->extent.depth > 1                         ? (uint32_t)copy->srcOffset.z
                                                                           : copy->srcSubresource.baseArrayLayer;
    const uint32_t slices = copy->extent.depth > 1 ? copy->extent.depth : copy->srcSubresource.layerCount;
    const uint32_t *volume = is_volume ? image_read(rig, image, COLOR, 0, 0) : NULL;
    for (uint32_t z = 0; z < (is_volume ? DEPTH : LAYERS); z++) {
        const uint32_t *slice = volume ? volume + z * WIDTH * HEIGHT : image_read(rig, image, COLOR, 0, z);
        for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
            uint32_t x = i % WIDTH - (uint32_t)copy->dstOffset.x, y = i / WIDTH - (uint32_t)copy->dstOffset.y;
            bool inside = x < copy->extent.width && y < copy->extent.height && z - first < slices;
            uint32_t wanted =
                inside ? texel(1, x + (uint32_t)copy->srcOffset.x, y + (uint32_t)copy->srcOffset.y, z - first + from)
                       : texel(2, i % WIDTH, i / WIDTH, z);
            if (slice[i] != wanted)
                fail("texel %u, %u, %u is 0x%08x instead of 0x%08x", i % WIDTH, i / WIDTH, z, slice[i], wanted);
        }
    }
}

static struct image flat_or_deep(struct rig *rig, VkFormat format, bool is_volume) {
    return image_new(rig, &(struct image_plan){.format = format,
                                               .dimensions = is_volume ? 3 : 2,
                                               .width = WIDTH,
                                               .height = HEIGHT,
                                               .depth = is_volume ? DEPTH : 1,
                                               .layers = is_volume ? 1 : LAYERS});
}

static void copy_one(struct rig *rig, bool from_volume, bool to_volume, const VkImageCopy *copy) {
    struct image from = flat_or_deep(rig, VK_FORMAT_R32_UINT, from_volume);
    struct image to = flat_or_deep(rig, VK_FORMAT_R8G8B8A8_UNORM, to_volume);
    fill(rig, &from, 1, from_volume);
    fill(rig, &to, 2, to_volume);
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdCopyImage(commands, from.handle, VK_IMAGE_LAYOUT_GENERAL, to.handle, VK_IMAGE_LAYOUT_GENERAL, 1, copy);
    barrier(commands);
    commands_run(rig, commands);
    check_copied(rig, &to, copy, to_volume);
}

void program_transfer_copy_image(struct rig *rig) {
    const VkImageCopy layers = {{COLOR, 0, 0, 3}, {5, 2, 0}, {COLOR, 0, 1, 3}, {11, 7, 0}, {23, 19, 1}};
    const VkImageCopy volumes = {{COLOR, 0, 0, 1}, {5, 2, 1}, {COLOR, 0, 0, 1}, {11, 7, 2}, {23, 19, 3}};
    copy_one(rig, false, false, &layers);
    copy_one(rig, true, true, &volumes);
}

/* Layers to slices of a volume, and back: VK_KHR_maintenance1. */
void program_transfer_layers_and_slices(struct rig *rig) {
    const VkImageCopy to_volume = {{COLOR, 0, 1, 3}, {5, 2, 0}, {COLOR, 0, 0, 1}, {11, 7, 2}, {23, 19, 3}};
    const VkImageCopy to_layers = {{COLOR, 0, 0, 1}, {5, 2, 1}, {COLOR, 0, 1, 3}, {11, 7, 0}, {23, 19, 3}};
    copy_one(rig, false, true, &to_volume);
    copy_one(rig, true, false, &to_layers);
}

/* Blocks of a compressed format to texels of the same size: 16 bytes are a texel of 4 words. */
void program_transfer_blocks(struct rig *rig) {
    enum { BLOCKS_X = 9, BLOCKS_Y = 7, BYTES = BLOCKS_X * BLOCKS_Y * 16 };
    const VkImageCopy copy = {{COLOR, 0, 0, 1}, {2, 1, 0}, {COLOR, 0, 0, 1}, {12, 8, 0}, {4, 3, 1}};
    uint8_t texels[BYTES], blocks[BYTES];
    NEED(rig, core.features.textureCompressionBC);
    struct image from = image_new(
        rig, &(struct image_plan){.format = VK_FORMAT_R32G32B32A32_UINT, .width = BLOCKS_X, .height = BLOCKS_Y});
    struct image to = image_new(rig, &(struct image_plan){.format = VK_FORMAT_BC3_UNORM_BLOCK,
                                                          .width = BLOCKS_X * 4,
                                                          .height = BLOCKS_Y * 4,
                                                          .usage = VK_IMAGE_USAGE_SAMPLED_BIT});
    scramble(texels, BYTES, 1);
    scramble(blocks, BYTES, 2);
    image_write(rig, &from, COLOR, 0, 0, texels);
    image_write(rig, &to, COLOR, 0, 0, blocks);
    VkCommandBuffer commands = commands_begin(rig);
    vkCmdCopyImage(commands, from.handle, VK_IMAGE_LAYOUT_GENERAL, to.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
    commands_run(rig, commands);
    for (uint32_t y = 0; y < 3; y++)
        memcpy(blocks + ((y + 2) * BLOCKS_X + 3) * 16, texels + ((y + 1) * BLOCKS_X + 2) * 16, (size_t)4 * 16);
    check_bytes("blocks", image_read(rig, &to, COLOR, 0, 0), blocks, BYTES);
}
