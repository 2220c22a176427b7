/* SPDX-License-Identifier: MIT */
/* What programs of sparse_images*.c bind: images in tiles, of which each other one has memory. */
#ifndef TESTS_VULKAN_PROGRAMS_SPARSE_TILES_H
#define TESTS_VULKAN_PROGRAMS_SPARSE_TILES_H

#include "vulkan/programs/programs.h"

struct tiled {
    struct image image;
    VkMemoryRequirements memory; /* alignment: the bytes of a tile */
    VkSparseImageMemoryRequirements needs;
    VkExtent3D tile;      /* in texels */
    VkDeviceMemory pages; /* of the size of a tile */
};

/* Nothing is bound yet. Skips the program where the device does not have such an image. `pages`: how many tiles there is
 * memory for; the format's aspects are those of one plane. */
void tiled_new(struct rig *rig, struct tiled *tiled, struct image_plan plan, uint32_t pages);
/* How many tiles a level has, in three directions. */
VkExtent3D tiled_count(const struct tiled *tiled, uint32_t level);

enum { NO_PAGE = -1 };
VkSparseImageMemoryBind tile_bind(const struct tiled *tiled, uint32_t level, uint32_t layer, VkOffset3D tile, int page);
/* As on a chessboard, with the first tile: of these, the last one has page `first`. How many pages that takes. */
uint32_t tiles_bind_checkered(struct rig *rig, const struct tiled *tiled, uint32_t level, uint32_t layer,
                              uint32_t first);
bool is_checkered(const struct tiled *tiled, uint32_t x, uint32_t y, uint32_t z);

/* All texels of a level: those of checkered tiles are what was written, and others zeros, if the device promises that. */
void check_checkered(const struct rig *rig, const struct tiled *tiled, const char *what, uint32_t level,
                     const void *read, const void *written);

/* Do accesses to what has no memory give zeros? */
bool is_strict(const struct rig *rig);

#endif
