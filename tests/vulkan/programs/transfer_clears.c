/* SPDX-License-Identifier: MIT */
/* Images are cleared, blitted and resolved outside of draws. */
#include <math.h>
#include <string.h>

#include "vulkan/programs/programs.h"

enum { COLOR = VK_IMAGE_ASPECT_COLOR_BIT, SIZE = 33, LEVELS = 4, LAYERS = 3 };

/* ---- clears ---- */

static void check_cleared(struct rig *rig, struct image *image, VkImageAspectFlags aspect,
                          const VkImageSubresourceRange *range, const void *cleared, const void *before) {
    const uint32_t bytes = format_bytes(image->plan.format, aspect);
    for (uint32_t level = 0; level < image->plan.levels; level++)
        for (uint32_t layer = 0; layer < image->plan.layers; layer++) {
            bool inside =
                level - range->baseMipLevel < range->levelCount && layer - range->baseArrayLayer < range->layerCount;
            const uint8_t *texels = image_read(rig, image, aspect, level, layer);
            for (size_t at = 0; at < image_bytes(image, aspect, level); at += bytes)
                if (memcmp(texels + at, inside ? cleared : before, bytes) != 0)
                    fail("format %d, level %u, layer %u: byte %zu is 0x%02x", (int)image->plan.format, level, layer, at,
                         texels[at]);
        }
}

static void clear(struct rig *rig, VkFormat format, const VkClearColorValue *color, const void *texel) {
    static const uint8_t none[16];
    const VkClearColorValue nothing = {{0}};
    struct image image = image_new(
        rig, &(struct image_plan){
                 .format = format, .width = SIZE, .height = SIZE - 4, .levels = LEVELS, .layers = LAYERS, .usage = 0});
    const VkImageSubresourceRange all = image_range(&image), some = {COLOR, 1, 2, 1, 2};
    VkCommandBuffer commands = commands_begin(rig);
    image_to(commands, &image, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, &nothing, 1, &all);
    barrier(commands);
    vkCmdClearColorImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, color, 1, &some);
    commands_run(rig, commands);
    check_cleared(rig, &image, COLOR, &some, texel, none);
}

void program_transfer_clear_color(struct rig *rig) {
    static const struct {
        VkFormat format;
        VkClearColorValue color;
        uint8_t texel[16];
    } rows[] = {{VK_FORMAT_R8_UNORM, {.float32 = {1}}, {255}},
                {VK_FORMAT_R8G8B8A8_UNORM, {.float32 = {0.2F, 0.4F, 0.6F, 1}}, {51, 102, 153, 255}},
                {VK_FORMAT_B8G8R8A8_UNORM, {.float32 = {0.2F, 0.4F, 0.6F, 1}}, {153, 102, 51, 255}},
                {VK_FORMAT_R8G8B8A8_SNORM, {.float32 = {-1, 1, 0, -1}}, {0x81, 0x7f, 0, 0x81}},
                {VK_FORMAT_R8G8B8A8_SINT, {.int32 = {-1, 2, -128, 127}}, {0xff, 2, 0x80, 0x7f}},
                {VK_FORMAT_R5G6B5_UNORM_PACK16, {.float32 = {1, 0, 1, 0}}, {0x1f, 0xf8}},
                {VK_FORMAT_A2B10G10R10_UNORM_PACK32, {.float32 = {1, 0, 1, 0}}, {0xff, 0x03, 0xf0, 0x3f}},
                {VK_FORMAT_R16G16_UINT, {.uint32 = {0x1234, 0xabcd}}, {0x34, 0x12, 0xcd, 0xab}},
                {VK_FORMAT_R16G16B16A16_SFLOAT, {.float32 = {1, -2, 0.5F, 0}}, {0, 0x3c, 0, 0xc0, 0, 0x38, 0, 0}},
                {VK_FORMAT_R32_UINT, {.uint32 = {0x89abcdef}}, {0xef, 0xcd, 0xab, 0x89}},
                {VK_FORMAT_R32G32_SFLOAT, {.float32 = {1, -2}}, {0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0}},
                {VK_FORMAT_R32G32B32A32_UINT, {.uint32 = {1, 2, 3, 4}}, {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4}},
                {VK_FORMAT_B10G11R11_UFLOAT_PACK32, {.float32 = {1, 1, 1, 1}}, {0xc0, 0x03, 0x1e, 0x78}},
                /* 0.5 in sRGB is 188 */
                {VK_FORMAT_R8G8B8A8_SRGB, {.float32 = {1, 0, 1, 1}}, {255, 0, 255, 255}}};
    for (size_t i = 0; i < COUNT(rows); i++)
        if (format_has(rig, rows[i].format,
                       VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_TRANSFER_DST_BIT))
            clear(rig, rows[i].format, &rows[i].color, rows[i].texel);
}

static void clear_depth(struct rig *rig, VkFormat format, VkImageAspectFlags aspect, const void *texel) {
    static const uint8_t none[4];
    const VkClearDepthStencilValue nothing = {0, 0}, half = {0.5F, 0xa7};
    struct image image = image_new(rig, &(struct image_plan){.format = format,
                                                             .width = SIZE,
                                                             .height = SIZE,
                                                             .levels = LEVELS,
                                                             .layers = LAYERS,
                                                             .usage = VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
    const VkImageSubresourceRange all = image_range(&image), some = {aspect, 0, 2, 1, 1};
    const VkImageAspectFlags other = image.aspects & ~aspect;
    const VkImageSubresourceRange no_levels = {other, 0, 0, 0, 0};
    VkCommandBuffer commands = commands_begin(rig);
    image_to(commands, &image, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdClearDepthStencilImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, &nothing, 1, &all);
    barrier(commands);
    vkCmdClearDepthStencilImage(commands, image.handle, VK_IMAGE_LAYOUT_GENERAL, &half, 1, &some);
    commands_run(rig, commands);
    check_cleared(rig, &image, aspect, &some, texel, none);
    if (other == VK_IMAGE_ASPECT_STENCIL_BIT)
        check_cleared(rig, &image, other, &no_levels, texel, none);
}

void program_transfer_clear_depth(struct rig *rig) {
    const VkImageAspectFlags depth = VK_IMAGE_ASPECT_DEPTH_BIT, stencil = VK_IMAGE_ASPECT_STENCIL_BIT;
    static const struct {
        VkFormat format;
        uint8_t depth[4];
    } rows[] = {{VK_FORMAT_D16_UNORM, {0, 0x80}},
                {VK_FORMAT_D32_SFLOAT, {0, 0, 0, 0x3f}},
                {VK_FORMAT_D32_SFLOAT_S8_UINT, {0, 0, 0, 0x3f}},
                {VK_FORMAT_D24_UNORM_S8_UINT, {0, 0, 0x80, 0}}};
    static const uint8_t a7[] = {0xa7};
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (!format_has(rig, rows[i].format, VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT))
            continue;
        /* What the byte beside 24 bits is in a buffer is not defined, and half is 0x7fffff or 0x800000. */
        if (rows[i].format != VK_FORMAT_D24_UNORM_S8_UINT && rows[i].format != VK_FORMAT_D16_UNORM)
            clear_depth(rig, rows[i].format, depth, rows[i].depth);
        if (rows[i].format == VK_FORMAT_D32_SFLOAT_S8_UINT || rows[i].format == VK_FORMAT_D24_UNORM_S8_UINT)
            clear_depth(rig, rows[i].format, stencil, a7);
    }
}

/* ---- blits ---- */

static struct image painted(struct rig *rig, VkFormat format, uint32_t width, uint32_t height, uint32_t seed) {
    struct image image = image_new(rig, &(struct image_plan){.format = format, .width = width, .height = height});
    const size_t bytes = image_bytes(&image, COLOR, 0);
    uint8_t *texels = keep_bytes(rig, bytes);
    scramble(texels, bytes, seed);
    image_write(rig, &image, COLOR, 0, 0, texels);
    return image;
}

static void blit(struct rig *rig, struct image *from, struct image *to, const VkImageBlit *region, VkFilter filter) {
    VkCommandBuffer commands = commands_begin(rig);
    image_to(commands, from, VK_IMAGE_LAYOUT_GENERAL);
    image_to(commands, to, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdBlitImage(commands, from->handle, VK_IMAGE_LAYOUT_GENERAL, to->handle, VK_IMAGE_LAYOUT_GENERAL, 1, region,
                   filter);
    commands_run(rig, commands);
}

/* Where in the source the middle of a texel of the target lies, as texel: rounded down. */
static int32_t source_of(int32_t at, int32_t to0, int32_t to1, int32_t from0, int32_t from1) {
    double scale = (double)(from1 - from0) / (to1 - to0);
    return (int32_t)floor((at + 0.5 - to0) * scale + from0);
}

/* By the nearest texel: larger, smaller, turned around. */
void program_transfer_blit_nearest(struct rig *rig) {
    static const VkImageBlit blits[] = {
        {{COLOR, 0, 0, 1}, {{0, 0, 0}, {32, 32, 1}}, {COLOR, 0, 0, 1}, {{0, 0, 0}, {64, 64, 1}}},
        {{COLOR, 0, 0, 1}, {{4, 6, 0}, {28, 30, 1}}, {COLOR, 0, 0, 1}, {{10, 3, 0}, {22, 51, 1}}},
        {{COLOR, 0, 0, 1}, {{0, 0, 0}, {32, 32, 1}}, {COLOR, 0, 0, 1}, {{64, 0, 0}, {0, 64, 1}}},
        {{COLOR, 0, 0, 1}, {{3, 31, 0}, {19, 7, 1}}, {COLOR, 0, 0, 1}, {{5, 8, 0}, {37, 56, 1}}}};
    for (size_t i = 0; i < COUNT(blits); i++) {
        const VkOffset3D *s = blits[i].srcOffsets, *d = blits[i].dstOffsets;
        struct image from = painted(rig, VK_FORMAT_R8G8B8A8_UNORM, 32, 32, 1);
        struct image to = painted(rig, VK_FORMAT_R8G8B8A8_UNORM, 64, 64, 2);
        const uint32_t *source = image_read(rig, &from, COLOR, 0, 0), *before = image_read(rig, &to, COLOR, 0, 0);
        blit(rig, &from, &to, &blits[i], VK_FILTER_NEAREST);
        const uint32_t *after = image_read(rig, &to, COLOR, 0, 0);
        for (int32_t at = 0; at < 64 * 64; at++) {
            int32_t x = at % 64, y = at / 64;
            int32_t x0 = d[0].x < d[1].x ? d[0].x : d[1].x, x1 = d[0].x < d[1].x ? d[1].x : d[0].x;
            bool inside = x >= x0 && x < x1 && y >= d[0].y && y < d[1].y;
            int32_t u = source_of(x, d[0].x, d[1].x, s[0].x, s[1].x), v = source_of(y, d[0].y, d[1].y, s[0].y, s[1].y);
            uint32_t wanted = inside ? source[v * 32 + u] : before[at];
            if (after[at] != wanted)
                fail("blit %zu: texel %d, %d is 0x%08x instead of 0x%08x", i, x, y, after[at], wanted);
        }
    }
}

/* Half as large: each texel is the mean of four. */
void program_transfer_blit_linear(struct rig *rig) {
    const VkImageBlit half = {{COLOR, 0, 0, 1}, {{0, 0, 0}, {32, 32, 1}}, {COLOR, 0, 0, 1}, {{0, 0, 0}, {16, 16, 1}}};
    struct image from = painted(rig, VK_FORMAT_R8G8B8A8_UNORM, 32, 32, 3),
                 to = painted(rig, VK_FORMAT_R8G8B8A8_UNORM, 16, 16, 4);
    if (!format_has(rig, VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT))
        skip_without("linear filter");
    blit(rig, &from, &to, &half, VK_FILTER_LINEAR);
    const uint8_t *source = image_read(rig, &from, COLOR, 0, 0), *texels = image_read(rig, &to, COLOR, 0, 0);
    for (uint32_t at = 0; at < 16 * 16 * 4; at++) {
        uint32_t x = at / 4 % 16 * 2, y = at / 64 * 2, c = at % 4;
        int mean = source[(y * 32 + x) * 4 + c] + source[(y * 32 + x + 1) * 4 + c] +
                   source[((y + 1) * 32 + x) * 4 + c] + source[((y + 1) * 32 + x + 1) * 4 + c];
        if (texels[at] * 4 < mean - 4 || texels[at] * 4 > mean + 4)
            fail("byte %u is %u, and the mean of four is %d / 4", at, texels[at], mean);
    }
}

/* Between formats: colours keep their values, integers are not changed. */
void program_transfer_blit_formats(struct rig *rig) {
    const VkImageBlit same = {{COLOR, 0, 0, 1}, {{0, 0, 0}, {16, 16, 1}}, {COLOR, 0, 0, 1}, {{0, 0, 0}, {16, 16, 1}}};
    struct image rgba = painted(rig, VK_FORMAT_R8G8B8A8_UNORM, 16, 16, 5),
                 bgra = painted(rig, VK_FORMAT_B8G8R8A8_UNORM, 16, 16, 6);
    struct image floats = painted(rig, VK_FORMAT_R32G32B32A32_SFLOAT, 16, 16, 7);
    struct image narrow = painted(rig, VK_FORMAT_R16G16_UINT, 16, 16, 8),
                 wide = painted(rig, VK_FORMAT_R32G32_UINT, 16, 16, 9);
    blit(rig, &rgba, &bgra, &same, VK_FILTER_NEAREST);
    blit(rig, &rgba, &floats, &same, VK_FILTER_NEAREST);
    blit(rig, &narrow, &wide, &same, VK_FILTER_NEAREST);
    const uint8_t *source = image_read(rig, &rgba, COLOR, 0, 0), *turned = image_read(rig, &bgra, COLOR, 0, 0);
    const float *values = image_read(rig, &floats, COLOR, 0, 0);
    const uint16_t *halves = image_read(rig, &narrow, COLOR, 0, 0);
    const uint32_t *words = image_read(rig, &wide, COLOR, 0, 0);
    for (uint32_t i = 0; i < 16 * 16 * 4; i++) {
        uint32_t other = i % 4 == 0 ? i + 2 : i % 4 == 2 ? i - 2 : i;
        if (turned[other] != source[i])
            fail("BGRA: byte %u is %u instead of %u", other, turned[other], source[i]);
        if (fabs((double)values[i] - source[i] / 255.0) > 1e-6)
            fail("floats: %u is %.9g instead of %u / 255", i, (double)values[i], source[i]);
    }
    for (uint32_t i = 0; i < 16 * 16 * 2; i++)
        if (words[i] != halves[i])
            fail("integers: %u is 0x%08x instead of 0x%04x", i, words[i], halves[i]);
}

/* A volume, by the nearest texel of all three dimensions. */
void program_transfer_blit_volume(struct rig *rig) {
    enum { EDGE = 8, TEXELS = EDGE * EDGE * EDGE };
    const VkImageBlit half = {{COLOR, 0, 0, 1}, {{0, 0, 0}, {8, 8, 8}}, {COLOR, 0, 0, 1}, {{0, 0, 0}, {16, 8, 4}}};
    struct image from = image_new(
        rig, &(struct image_plan){.dimensions = 3, .format = VK_FORMAT_R32_UINT, .width = 8, .height = 8, .depth = 8});
    struct image to = image_new(
        rig, &(struct image_plan){.dimensions = 3, .format = VK_FORMAT_R32_UINT, .width = 16, .height = 8, .depth = 4});
    uint32_t texels[TEXELS];
    scramble(texels, sizeof texels, 8);
    image_write(rig, &from, COLOR, 0, 0, texels);
    blit(rig, &from, &to, &half, VK_FILTER_NEAREST);
    const uint32_t *after = image_read(rig, &to, COLOR, 0, 0);
    for (uint32_t i = 0; i < 16 * 8 * 4; i++) {
        uint32_t x = i % 16, y = i / 16 % 8, z = i / 128, wanted = texels[((z * 2 + 1) * 8 + y) * 8 + x / 2];
        if (after[i] != wanted)
            fail("texel %u, %u, %u is 0x%08x instead of 0x%08x", x, y, z, after[i], wanted);
    }
}

/* ---- resolves ---- */

/* All samples are the same, by a clear; a part is resolved. */
void program_transfer_resolve(struct rig *rig) {
    const VkImageResolve part = {{COLOR, 0, 0, 1}, {4, 6, 0}, {COLOR, 0, 0, 1}, {9, 3, 0}, {12, 15, 1}};
    const VkClearColorValue color = {.float32 = {0.2F, 0.4F, 0.6F, 1}};
    struct image samples = image_new(rig, &(struct image_plan){.format = VK_FORMAT_R8G8B8A8_UNORM,
                                                               .width = SIZE,
                                                               .height = SIZE,
                                                               .samples = VK_SAMPLE_COUNT_4_BIT,
                                                               .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT});
    struct image to = painted(rig, VK_FORMAT_R8G8B8A8_UNORM, SIZE, SIZE, 10);
    const uint32_t *before = image_read(rig, &to, COLOR, 0, 0);
    const VkImageSubresourceRange all = image_range(&samples);
    VkCommandBuffer commands = commands_begin(rig);
    image_to(commands, &samples, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdClearColorImage(commands, samples.handle, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &all);
    barrier(commands);
    vkCmdResolveImage(commands, samples.handle, VK_IMAGE_LAYOUT_GENERAL, to.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &part);
    commands_run(rig, commands);
    const uint32_t *after = image_read(rig, &to, COLOR, 0, 0);
    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        uint32_t x = i % SIZE - 9, y = i / SIZE - 3, wanted = x < 12 && y < 15 ? 0xff996633 : before[i];
        if (after[i] != wanted)
            fail("texel %u, %u is 0x%08x instead of 0x%08x", i % SIZE, i / SIZE, after[i], wanted);
    }
}
