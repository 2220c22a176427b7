/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "vulkan/rig/rig.h"

/* ---- formats ---- */

static VkImageAspectFlags format_aspects(VkFormat format) {
    switch (format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D32_SFLOAT:
        return VK_IMAGE_ASPECT_DEPTH_BIT;
    case VK_FORMAT_S8_UINT:
        return VK_IMAGE_ASPECT_STENCIL_BIT;
    case VK_FORMAT_D16_UNORM_S8_UINT:
    case VK_FORMAT_D24_UNORM_S8_UINT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT:
        return VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
    default:
        return VK_IMAGE_ASPECT_COLOR_BIT;
    }
}

static const struct {
    VkFormat first, last;
    uint32_t bytes;
} sizes[] = {
    {VK_FORMAT_R4G4_UNORM_PACK8, VK_FORMAT_R4G4_UNORM_PACK8, 1},
    {VK_FORMAT_R4G4B4A4_UNORM_PACK16, VK_FORMAT_A1R5G5B5_UNORM_PACK16, 2},
    {VK_FORMAT_R8_UNORM, VK_FORMAT_R8_SRGB, 1},
    {VK_FORMAT_R8G8_UNORM, VK_FORMAT_R8G8_SRGB, 2},
    {VK_FORMAT_R8G8B8_UNORM, VK_FORMAT_B8G8R8_SRGB, 3},
    {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_A2B10G10R10_SINT_PACK32, 4},
    {VK_FORMAT_R16_UNORM, VK_FORMAT_R16_SFLOAT, 2},
    {VK_FORMAT_R16G16_UNORM, VK_FORMAT_R16G16_SFLOAT, 4},
    {VK_FORMAT_R16G16B16_UNORM, VK_FORMAT_R16G16B16_SFLOAT, 6},
    {VK_FORMAT_R16G16B16A16_UNORM, VK_FORMAT_R16G16B16A16_SFLOAT, 8},
    {VK_FORMAT_R32_UINT, VK_FORMAT_R32_SFLOAT, 4},
    {VK_FORMAT_R32G32_UINT, VK_FORMAT_R32G32_SFLOAT, 8},
    {VK_FORMAT_R32G32B32_UINT, VK_FORMAT_R32G32B32_SFLOAT, 12},
    {VK_FORMAT_R32G32B32A32_UINT, VK_FORMAT_R32G32B32A32_SFLOAT, 16},
    {VK_FORMAT_R64_UINT, VK_FORMAT_R64_SFLOAT, 8},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, 4},
    {VK_FORMAT_D16_UNORM, VK_FORMAT_D16_UNORM, 2},
    {VK_FORMAT_X8_D24_UNORM_PACK32, VK_FORMAT_D32_SFLOAT, 4},
    {VK_FORMAT_S8_UINT, VK_FORMAT_S8_UINT, 1},
    {VK_FORMAT_D16_UNORM_S8_UINT, VK_FORMAT_D16_UNORM_S8_UINT, 2},
    {VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_D32_SFLOAT_S8_UINT, 4},
    {VK_FORMAT_BC1_RGB_UNORM_BLOCK, VK_FORMAT_BC1_RGBA_SRGB_BLOCK, 8},
    {VK_FORMAT_BC2_UNORM_BLOCK, VK_FORMAT_BC3_SRGB_BLOCK, 16},
    {VK_FORMAT_BC4_UNORM_BLOCK, VK_FORMAT_BC4_SNORM_BLOCK, 8},
    {VK_FORMAT_BC5_UNORM_BLOCK, VK_FORMAT_BC7_SRGB_BLOCK, 16},
};

static bool is_compressed(VkFormat format) {
    return format >= VK_FORMAT_BC1_RGB_UNORM_BLOCK && format <= VK_FORMAT_BC7_SRGB_BLOCK;
}

uint32_t format_bytes(VkFormat format, VkImageAspectFlags aspect) {
    if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT)
        return 1;
    for (size_t i = 0; i < COUNT(sizes); i++)
        if (format >= sizes[i].first && format <= sizes[i].last)
            return sizes[i].bytes;
    fail("no size of format %d", (int)format);
}

bool format_has(const struct rig *rig, VkFormat format, VkFormatFeatureFlags features) {
    VkFormatProperties has;
    vkGetPhysicalDeviceFormatProperties(rig->physical, format, &has);
    return (has.optimalTilingFeatures & features) == features;
}

/* ---- images ---- */

static uint32_t or_one(uint32_t count) {
    return count ? count : 1;
}

static struct image_plan without_zeros(const struct image_plan *plan) {
    struct image_plan all = *plan;
    all.dimensions = plan->dimensions ? plan->dimensions : 2;
    all.width = or_one(plan->width);
    all.height = or_one(plan->height);
    all.depth = or_one(plan->depth);
    all.levels = or_one(plan->levels);
    all.layers = or_one(plan->layers);
    all.samples = plan->samples ? plan->samples : VK_SAMPLE_COUNT_1_BIT;
    all.usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    if (plan->view == VK_IMAGE_VIEW_TYPE_1D) {
        static const VkImageViewType usual[][2] = {{VK_IMAGE_VIEW_TYPE_1D, VK_IMAGE_VIEW_TYPE_1D_ARRAY},
                                                   {VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY},
                                                   {VK_IMAGE_VIEW_TYPE_3D, VK_IMAGE_VIEW_TYPE_3D}};
        all.view = usual[all.dimensions - 1][all.layers > 1];
    }
    return all;
}

static VkImageCreateInfo image_create(const struct image_plan *plan) {
    return (VkImageCreateInfo){.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                               .pNext = plan->next,
                               .flags = plan->flags,
                               .imageType = (VkImageType)(plan->dimensions - 1),
                               .format = plan->format,
                               .extent = {plan->width, plan->height, plan->depth},
                               .mipLevels = plan->levels,
                               .arrayLayers = plan->layers,
                               .samples = plan->samples,
                               .tiling = plan->tiling,
                               .usage = plan->usage};
}

static void must_support(const struct rig *rig, const VkImageCreateInfo *create) {
    VkImageFormatProperties has;
    VkResult result = vkGetPhysicalDeviceImageFormatProperties(rig->physical, create->format, create->imageType,
                                                               create->tiling, create->usage, create->flags, &has);
    if (result != VK_SUCCESS)
        skip_without("image of format %d, usage 0x%x, flags 0x%x", (int)create->format, create->usage, create->flags);
    if (!(has.sampleCounts & create->samples))
        skip_without("image of format %d with %d samples", (int)create->format, (int)create->samples);
}

struct image image_new(struct rig *rig, const struct image_plan *plan) {
    const VkImageUsageFlags viewed = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_STORAGE_BIT |
                                     VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT |
                                     VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT;
    struct image image = {.plan = without_zeros(plan), .aspects = format_aspects(plan->format)};
    const VkImageCreateInfo create = image_create(&image.plan);
    VkMemoryRequirements needs;
    if (!plan->next)
        must_support(rig, &create);
    MUST(vkCreateImage(rig->device, &create, NULL, &image.handle));
    if (plan->without_memory) {
        KEEP(rig, IMAGE, image.handle);
        return image;
    }
    vkGetImageMemoryRequirements(rig->device, image.handle, &needs);
    image.memory = memory_new(rig, needs.size, memory_type(rig, needs.memoryTypeBits, 0), NULL);
    /* It is destroyed before its memory. */
    KEEP(rig, IMAGE, image.handle);
    MUST(vkBindImageMemory(rig->device, image.handle, image.memory, 0));
    if (image.plan.usage & viewed && !plan->without_view)
        image.view = image_view(rig, &image, image.plan.view, image.plan.format, NULL);
    return image;
}

VkImageSubresourceRange image_range(const struct image *image) {
    return (VkImageSubresourceRange){image->aspects, 0, image->plan.levels, 0, image->plan.layers};
}

VkImageView image_view(struct rig *rig, const struct image *image, VkImageViewType type, VkFormat format,
                       const VkImageSubresourceRange *range) {
    const VkImageViewCreateInfo create = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                          .image = image->handle,
                                          .viewType = type,
                                          .format = format,
                                          .subresourceRange = range ? *range : image_range(image)};
    VkImageView view;
    MUST(vkCreateImageView(rig->device, &create, NULL, &view));
    KEEP(rig, IMAGE_VIEW, view);
    return view;
}

static uint32_t at_level(uint32_t size, uint32_t level) {
    return or_one(size >> level);
}

VkExtent3D image_extent(const struct image *image, uint32_t level) {
    return (VkExtent3D){at_level(image->plan.width, level), at_level(image->plan.height, level),
                        at_level(image->plan.depth, level)};
}

size_t image_bytes(const struct image *image, VkImageAspectFlags aspect, uint32_t level) {
    VkExtent3D extent = image_extent(image, level);
    size_t width = extent.width, height = extent.height;
    if (is_compressed(image->plan.format)) {
        width = (width + 3) / 4;
        height = (height + 3) / 4;
    }
    return width * height * extent.depth * format_bytes(image->plan.format, aspect);
}

/* ---- contents ---- */

void image_to(VkCommandBuffer commands, struct image *image, VkImageLayout layout) {
    const VkImageMemoryBarrier change = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                         .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                         .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
                                         .oldLayout = image->layout,
                                         .newLayout = layout,
                                         .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .image = image->handle,
                                         .subresourceRange = image_range(image)};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL,
                         0, NULL, 1, &change);
    image->layout = layout;
}

static VkBufferImageCopy whole_level(const struct image *image, VkImageAspectFlags aspect, uint32_t level,
                                     uint32_t layer) {
    return (VkBufferImageCopy){.imageSubresource = {aspect, level, layer, 1},
                               .imageExtent = image_extent(image, level)};
}

void image_write(struct rig *rig, struct image *image, VkImageAspectFlags aspect, uint32_t level, uint32_t layer,
                 const void *bytes) {
    const VkBufferImageCopy region = whole_level(image, aspect, level, layer);
    const size_t size = image_bytes(image, aspect, level);
    struct buffer from = buffer_new(rig, size, 0);
    memcpy(from.bytes, bytes, size);
    VkCommandBuffer commands = commands_begin(rig);
    image_to(commands, image, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdCopyBufferToImage(commands, from.handle, image->handle, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    commands_run(rig, commands);
}

const void *image_read(struct rig *rig, struct image *image, VkImageAspectFlags aspect, uint32_t level,
                       uint32_t layer) {
    const VkBufferImageCopy region = whole_level(image, aspect, level, layer);
    struct buffer to = buffer_new(rig, image_bytes(image, aspect, level), 0);
    VkCommandBuffer commands = commands_begin(rig);
    image_to(commands, image, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdCopyImageToBuffer(commands, image->handle, VK_IMAGE_LAYOUT_GENERAL, to.handle, 1, &region);
    commands_run(rig, commands);
    return to.bytes;
}
