/* SPDX-License-Identifier: MIT */
#include "vulkan/programs/sparse_tiles.h"

#include <string.h>

enum { MOST_TILES = 64, MOST_NEEDS = 4 };

/* An image may also want memory for what the driver keeps beside it. */
static void find_needs(struct rig *rig, struct tiled *tiled) {
    VkSparseImageMemoryRequirements needs[MOST_NEEDS];
    uint32_t count = MOST_NEEDS;
    vkGetImageSparseMemoryRequirements(rig->device, tiled->image.handle, &count, needs);
    for (uint32_t i = 0; i < count; i++)
        if (needs[i].formatProperties.aspectMask & VK_IMAGE_ASPECT_METADATA_BIT)
            skip_without("sparse image without metadata");
    if (count != 1 || needs[0].formatProperties.aspectMask != tiled->image.aspects)
        fail("%u kinds of tiles, of aspects 0x%x", count, count ? needs[0].formatProperties.aspectMask : 0);
    tiled->needs = needs[0];
    tiled->tile = needs[0].formatProperties.imageGranularity;
}

void tiled_new(struct rig *rig, struct tiled *tiled, struct image_plan plan, uint32_t pages) {
    plan.flags |= VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_SPARSE_RESIDENCY_BIT;
    plan.without_memory = true;
    tiled->image = image_new(rig, &plan);
    find_needs(rig, tiled);
    vkGetImageMemoryRequirements(rig->device, tiled->image.handle, &tiled->memory);
    tiled->pages =
        memory_new(rig, pages * tiled->memory.alignment, memory_type(rig, tiled->memory.memoryTypeBits, 0), NULL);
    if (plan.usage)
        tiled->image.view = image_view(rig, &tiled->image, tiled->image.plan.view, tiled->image.plan.format, NULL);
}

static uint32_t in_tiles(uint32_t size, uint32_t tile) {
    return (size + tile - 1) / tile;
}

VkExtent3D tiled_count(const struct tiled *tiled, uint32_t level) {
    const VkExtent3D size = image_extent(&tiled->image, level);
    return (VkExtent3D){in_tiles(size.width, tiled->tile.width), in_tiles(size.height, tiled->tile.height),
                        in_tiles(size.depth, tiled->tile.depth)};
}

static uint32_t up_to(uint32_t tile, int32_t from, uint32_t size) {
    return tile < size - (uint32_t)from ? tile : size - (uint32_t)from;
}

VkSparseImageMemoryBind tile_bind(const struct tiled *tiled, uint32_t level, uint32_t layer, VkOffset3D tile,
                                  int page) {
    const VkExtent3D size = image_extent(&tiled->image, level), whole = tiled->tile;
    const VkOffset3D from = {tile.x * (int32_t)whole.width, tile.y * (int32_t)whole.height,
                             tile.z * (int32_t)whole.depth};
    return (VkSparseImageMemoryBind){.subresource = {tiled->image.aspects, level, layer},
                                     .offset = from,
                                     .extent = {up_to(whole.width, from.x, size.width),
                                                up_to(whole.height, from.y, size.height),
                                                up_to(whole.depth, from.z, size.depth)},
                                     .memory = page < 0 ? NULL : tiled->pages,
                                     .memoryOffset = page < 0 ? 0 : (VkDeviceSize)page * tiled->memory.alignment};
}

uint32_t tiles_bind_checkered(struct rig *rig, const struct tiled *tiled, uint32_t level, uint32_t layer,
                              uint32_t first) {
    VkSparseImageMemoryBind binds[MOST_TILES];
    const VkExtent3D tiles = tiled_count(tiled, level);
    const uint32_t all = tiles.width * tiles.height * tiles.depth;
    uint32_t page = first + (all + 1) / 2, count = 0;
    if (all > MOST_TILES)
        fail("%u tiles are too many", all);
    for (uint32_t i = 0; i < all; i++) {
        const uint32_t x = i % tiles.width, y = i / tiles.width % tiles.height, z = i / tiles.width / tiles.height;
        if ((x + y + z) % 2 == 0)
            binds[count++] =
                tile_bind(tiled, level, layer, (VkOffset3D){(int32_t)x, (int32_t)y, (int32_t)z}, (int)--page);
    }
    sparse_bind_tiles(rig, tiled->image.handle, binds, count);
    return count;
}

bool is_checkered(const struct tiled *tiled, uint32_t x, uint32_t y, uint32_t z) {
    return (x / tiled->tile.width + y / tiled->tile.height + z / tiled->tile.depth) % 2 == 0;
}

bool is_strict(const struct rig *rig) {
    return rig->properties.sparseProperties.residencyNonResidentStrict;
}

void check_checkered(const struct rig *rig, const struct tiled *tiled, const char *what, uint32_t level,
                     const void *read, const void *written) {
    static const uint8_t zeros[16];
    const VkExtent3D size = image_extent(&tiled->image, level);
    const size_t bytes = format_bytes(tiled->image.plan.format, tiled->image.aspects);
    const uint8_t *got = read, *put = written;
    for (uint32_t i = 0; i < size.width * size.height * size.depth; i++, got += bytes, put += bytes) {
        const uint32_t x = i % size.width, y = i / size.width % size.height, z = i / size.width / size.height;
        const bool has_memory = is_checkered(tiled, x, y, z);
        if ((has_memory || is_strict(rig)) && memcmp(got, has_memory ? put : zeros, bytes) != 0)
            fail("%s: format %d, level %u: the texel %u, %u, %u, which has %s memory, begins with %02x instead of %02x",
                 what, (int)tiled->image.plan.format, level, x, y, z, has_memory ? "its" : "no", *got,
                 has_memory ? *put : 0);
    }
}
