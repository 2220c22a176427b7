/* SPDX-License-Identifier: MIT */
/* Sparse images: tiles with memory and without, in another order, moved, levels that share memory, volumes. */
#include <string.h>

#include "vulkan/programs/sparse_tiles.h"

enum { COLOR = VK_IMAGE_ASPECT_COLOR_BIT };

static void *scrambled_level(struct rig *rig, const struct image *image, uint32_t level, uint32_t seed) {
    const size_t bytes = image_bytes(image, COLOR, level);
    void *texels = keep_bytes(rig, bytes);
    scramble(texels, bytes, seed);
    return texels;
}

/* ---- by offsets ---- */

static uint32_t pages_of(const VkMemoryRequirements *needs) {
    return (uint32_t)(needs->size / needs->alignment);
}

/* All of an image, in pages that lie backwards in memory, or nothing. */
static void bind_all(struct rig *rig, const struct image *image, VkDeviceMemory memory) {
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(rig->device, image->handle, &needs);
    const uint32_t pages = pages_of(&needs);
    VkSparseMemoryBind *binds = keep_bytes(rig, pages * sizeof *binds);
    for (uint32_t i = 0; i < pages; i++)
        binds[i] = (VkSparseMemoryBind){i * needs.alignment, needs.alignment, memory,
                                        memory ? (pages - 1 - i) * needs.alignment : 0, 0};
    sparse_bind_opaque(rig, image->handle, binds, pages);
}

/* What one image has written is in another one, of the same plan, that takes over the memory. */
void program_sparse_image_opaque(struct rig *rig) {
    const struct image_plan plan = {.format = VK_FORMAT_R32_UINT,
                                    .width = 150,
                                    .height = 140,
                                    .levels = 3,
                                    .layers = 2,
                                    .flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT | VK_IMAGE_CREATE_ALIAS_BIT,
                                    .without_memory = true};
    VkMemoryRequirements needs;
    need_sparse_binding(rig);
    struct image first = image_new(rig, &plan), second = image_new(rig, &plan);
    vkGetImageMemoryRequirements(rig->device, first.handle, &needs);
    VkDeviceMemory memory = memory_new(rig, needs.size, memory_type(rig, needs.memoryTypeBits, 0), NULL);
    if (pages_of(&needs) < 2)
        skip_without("image of several pages");
    bind_all(rig, &first, memory);
    for (uint32_t i = 0; i < 6; i++)
        image_write(rig, &first, COLOR, i / 2, i % 2, scrambled_level(rig, &first, i / 2, 100 * i));
    for (uint32_t i = 0; i < 6; i++)
        check_bytes("a level that was written", image_read(rig, &first, COLOR, i / 2, i % 2),
                    scrambled_level(rig, &first, i / 2, 100 * i), image_bytes(&first, COLOR, i / 2));
    bind_all(rig, &first, NULL);
    bind_all(rig, &second, memory);
    second.layout = first.layout;
    for (uint32_t i = 0; i < 6; i++)
        check_bytes("a level of the other image", image_read(rig, &second, COLOR, i / 2, i % 2),
                    scrambled_level(rig, &second, i / 2, 100 * i), image_bytes(&second, COLOR, i / 2));
}

/* ---- tiles ---- */

/* The components of texels, as a program fetches them. */
static void check_fetched(struct rig *rig, const struct tiled *tiled, uint32_t component_bytes,
                          const uint8_t *written) {
    const struct binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                       {.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}};
    const struct image_plan *plan = &tiled->image.plan;
    const uint32_t count = plan->width * plan->height, push[] = {plan->width, count};
    const size_t bytes = format_bytes(plan->format, COLOR);
    struct buffer results = buffer_new(rig, count * (size_t)16, 0);
    uint8_t *packed = keep_bytes(rig, count * bytes);
    struct kernel kernel = kernel_new(
        rig,
        &(struct kernel_plan){.shader = "fetch_uint.comp", .bindings = bindings, .bindings_count = 2, .push_bytes = 8});
    put_buffer(rig, &kernel.descriptors, 0, 0, &results);
    put_image(rig, &kernel.descriptors, 1, 0, tiled->image.view,
              sampler_new(rig, VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT));
    kernel_run(rig, &kernel, push, (count + 63) / 64, 1, 1);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < bytes / component_bytes; c++)
            memcpy(packed + i * bytes + c * component_bytes, results.words + 4 * i + c, component_bytes);
    check_checkered(rig, tiled, "fetched", 0, packed, written);
}

/* Tiles have the standard shape, or a shape of the device, and memory in another order than theirs, or none. */
void program_sparse_image_tiles(struct rig *rig) {
    static const struct {
        VkFormat format;
        uint32_t component_bytes;
        VkExtent3D standard;
    } rows[] = {{VK_FORMAT_R8_UINT, 1, {256, 256, 1}},
                {VK_FORMAT_R16_UINT, 2, {256, 128, 1}},
                {VK_FORMAT_R32_UINT, 4, {128, 128, 1}},
                {VK_FORMAT_R32G32_UINT, 4, {128, 64, 1}},
                {VK_FORMAT_R32G32B32A32_UINT, 4, {64, 64, 1}}};
    need_sparse_binding(rig);
    NEED(rig, core.features.sparseResidencyImage2D);
    for (size_t n = 0; n < COUNT(rows); n++) {
        const VkExtent3D standard = rows[n].standard;
        struct tiled tiled;
        tiled_new(rig, &tiled,
                  (struct image_plan){.format = rows[n].format,
                                      .width = 2 * standard.width + 41,
                                      .height = standard.height + 29,
                                      .usage = VK_IMAGE_USAGE_SAMPLED_BIT},
                  64);
        if (rig->properties.sparseProperties.residencyStandard2DBlockShape)
            check_bytes("the standard shape", &tiled.tile, &standard, sizeof standard);
        const uint8_t *texels = scrambled_level(rig, &tiled.image, 0, (uint32_t)n);
        tiles_bind_checkered(rig, &tiled, 0, 0, 0);
        image_write(rig, &tiled.image, COLOR, 0, 0, texels);
        check_checkered(rig, &tiled, "copied", 0, image_read(rig, &tiled.image, COLOR, 0, 0), texels);
        check_fetched(rig, &tiled, rows[n].component_bytes, texels);
    }
}

/* A program stores to texels, adds to them and reads them: what has no memory keeps nothing. */
void program_sparse_image_storage(struct rig *rig) {
    const struct binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                       {.type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}};
    struct tiled tiled;
    need_sparse_binding(rig);
    NEED(rig, core.features.sparseResidencyImage2D);
    tiled_new(rig, &tiled,
              (struct image_plan){
                  .format = VK_FORMAT_R32_UINT, .width = 280, .height = 150, .usage = VK_IMAGE_USAGE_STORAGE_BIT},
              64);
    const uint32_t width = tiled.image.plan.width, count = width * tiled.image.plan.height, push[] = {width, count};
    struct buffer results = buffer_new(rig, count * (size_t)8, 0);
    uint32_t *wanted = keep_bytes(rig, count * (size_t)4);
    tiles_bind_checkered(rig, &tiled, 0, 0, 0);
    VkCommandBuffer commands = commands_begin(rig);
    image_to(commands, &tiled.image, VK_IMAGE_LAYOUT_GENERAL);
    commands_run(rig, commands);
    struct kernel kernel = kernel_new(
        rig,
        &(struct kernel_plan){.shader = "sparse.comp", .bindings = bindings, .bindings_count = 2, .push_bytes = 8});
    put_buffer(rig, &kernel.descriptors, 0, 0, &results);
    put_image(rig, &kernel.descriptors, 1, 0, tiled.image.view, NULL);
    kernel_run(rig, &kernel, push, (count + 63) / 64, 1, 1);
    for (uint32_t i = 0; i < count; i++) {
        wanted[i] = 3 * i + 6;
        if (is_checkered(&tiled, i % width, i / width, 0))
            check_word("what was added to", results.words[count + i], 3 * i + 1);
    }
    check_checkered(rig, &tiled, "loaded", 0, results.words, wanted);
    check_checkered(rig, &tiled, "copied", 0, image_read(rig, &tiled.image, COLOR, 0, 0), wanted);
}

/* ---- memory that goes elsewhere ---- */

/* Is a tile of the first row what the page had? NULL: zeros. `all` has the texels of the image. */
static void check_tile(const struct tiled *tiled, const char *what, uint32_t tile, const uint32_t *all,
                       const uint32_t *page) {
    const uint32_t width = tiled->image.plan.width, side = tiled->tile.width;
    for (uint32_t i = 0; i < side * tiled->tile.height; i++)
        if (all[i / side * width + tile * side + i % side] != (page ? page[i] : 0))
            fail("%s: texel %u of tile %u is 0x%08x instead of 0x%08x", what, i, tile,
                 all[i / side * width + tile * side + i % side], page ? page[i] : 0);
}

static void write_tile(struct rig *rig, struct tiled *tiled, uint32_t tile, const uint32_t *texels) {
    const VkBufferImageCopy region = {.imageSubresource = {COLOR, 0, 0, 1},
                                      .imageOffset = {(int32_t)(tile * tiled->tile.width), 0, 0},
                                      .imageExtent = {tiled->tile.width, tiled->tile.height, 1}};
    struct buffer from = buffer_new(rig, tiled->tile.width * tiled->tile.height * (size_t)4, 0);
    memcpy(from.bytes, texels, (size_t)from.size);
    VkCommandBuffer commands = commands_begin(rig);
    image_to(commands, &tiled->image, VK_IMAGE_LAYOUT_GENERAL);
    vkCmdCopyBufferToImage(commands, from.handle, tiled->image.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    commands_run(rig, commands);
}

static void bind_row(struct rig *rig, const struct tiled *tiled, int first, int second, int third) {
    const VkSparseImageMemoryBind binds[] = {tile_bind(tiled, 0, 0, (VkOffset3D){0, 0, 0}, first),
                                             tile_bind(tiled, 0, 0, (VkOffset3D){1, 0, 0}, second),
                                             tile_bind(tiled, 0, 0, (VkOffset3D){2, 0, 0}, third)};
    sparse_bind_tiles(rig, tiled->image.handle, binds, COUNT(binds));
}

/* Pages keep what was written while others take their places, and may be in two places. */
void program_sparse_image_moved(struct rig *rig) {
    struct tiled tiled;
    need_sparse_binding(rig);
    NEED(rig, core.features.sparseResidencyImage2D);
    NEED(rig, core.features.sparseResidencyAliased);
    if (!rig->properties.sparseProperties.residencyStandard2DBlockShape)
        skip_without("standard shape of tiles");
    tiled_new(
        rig, &tiled,
        (struct image_plan){
            .format = VK_FORMAT_R32_UINT, .width = 3 * 128, .height = 128, .flags = VK_IMAGE_CREATE_SPARSE_ALIASED_BIT},
        3);
    const uint32_t side = tiled.tile.width, count = side * tiled.tile.height;
    uint32_t *pages[4];
    for (uint32_t n = 0; n < 4; n++) {
        pages[n] = keep_bytes(rig, count * (size_t)4);
        scramble(pages[n], count * (size_t)4, 1000 * n);
    }
    bind_row(rig, &tiled, 2, 0, 1);
    write_tile(rig, &tiled, 0, pages[2]);
    write_tile(rig, &tiled, 1, pages[0]);
    write_tile(rig, &tiled, 2, pages[1]);
    bind_row(rig, &tiled, 0, 1, 2);
    const uint32_t *all = image_read(rig, &tiled.image, COLOR, 0, 0);
    for (uint32_t n = 0; n < 3; n++)
        check_tile(&tiled, "in another order", n, all, pages[n]);
    bind_row(rig, &tiled, 1, NO_PAGE, 1);
    write_tile(rig, &tiled, 2, pages[3]);
    all = image_read(rig, &tiled.image, COLOR, 0, 0);
    check_tile(&tiled, "in two places", 0, all, pages[3]);
    check_tile(&tiled, "in two places", 2, all, pages[3]);
    if (is_strict(rig))
        check_tile(&tiled, "in no place", 1, all, NULL);
    bind_row(rig, &tiled, NO_PAGE, 2, 0);
    all = image_read(rig, &tiled.image, COLOR, 0, 0);
    check_tile(&tiled, "taken up again", 1, all, pages[2]);
    check_tile(&tiled, "taken up again", 2, all, pages[0]);
}

/* ---- levels ---- */

/* The levels that are smaller than a tile share memory, which is bound by offsets: for all layers, or for each. */
static void bind_tail(struct rig *rig, const struct tiled *tiled) {
    const VkSparseImageMemoryRequirements *needs = &tiled->needs;
    const bool single = needs->formatProperties.flags & VK_SPARSE_IMAGE_FORMAT_SINGLE_MIPTAIL_BIT;
    const uint32_t layers = single ? 1 : tiled->image.plan.layers;
    VkSparseMemoryBind binds[8];
    const VkDeviceSize size = needs->imageMipTailSize;
    VkDeviceMemory memory = memory_new(rig, size * layers, memory_type(rig, tiled->memory.memoryTypeBits, 0), NULL);
    for (uint32_t i = 0; i < layers; i++)
        binds[i] = (VkSparseMemoryBind){needs->imageMipTailOffset + i * needs->imageMipTailStride, size, memory,
                                        (layers - 1 - i) * size, 0};
    sparse_bind_opaque(rig, tiled->image.handle, binds, layers);
}

void program_sparse_image_levels(struct rig *rig) {
    enum { LEVELS = 9, LAYERS = 2 };
    struct tiled tiled;
    uint32_t pages = 0;
    need_sparse_binding(rig);
    NEED(rig, core.features.sparseResidencyImage2D);
    tiled_new(rig, &tiled,
              (struct image_plan){
                  .format = VK_FORMAT_R32_UINT, .width = 400, .height = 300, .levels = LEVELS, .layers = LAYERS},
              64);
    const uint32_t first = tiled.needs.imageMipTailFirstLod < LEVELS ? tiled.needs.imageMipTailFirstLod : LEVELS;
    if (first == 0)
        fail("the first level has no tiles, though it is larger than one");
    for (uint32_t i = 0; i < first * LAYERS; i++)
        pages += tiles_bind_checkered(rig, &tiled, i / LAYERS, i % LAYERS, pages);
    for (uint32_t level = first; is_strict(rig) && level < LEVELS; level++) {
        image_write(rig, &tiled.image, COLOR, level, 1, scrambled_level(rig, &tiled.image, level, 1));
        check_filled("a level without memory", image_read(rig, &tiled.image, COLOR, level, 1), 0,
                     image_bytes(&tiled.image, COLOR, level) / 4);
    }
    if (first < LEVELS)
        bind_tail(rig, &tiled);
    for (uint32_t i = 0; i < LEVELS * LAYERS; i++)
        image_write(rig, &tiled.image, COLOR, i / LAYERS, i % LAYERS,
                    scrambled_level(rig, &tiled.image, i / LAYERS, 100 * i));
    for (uint32_t i = 0; i < LEVELS * LAYERS; i++) {
        const uint32_t level = i / LAYERS;
        const void *read = image_read(rig, &tiled.image, COLOR, level, i % LAYERS),
                   *written = scrambled_level(rig, &tiled.image, level, 100 * i);
        if (level < first)
            check_checkered(rig, &tiled, "a level of tiles", level, read, written);
        else
            check_bytes("a level of the tail", read, written, image_bytes(&tiled.image, COLOR, level));
    }
}

void program_sparse_image_volume(struct rig *rig) {
    static const VkExtent3D standard = {32, 32, 16};
    struct tiled tiled;
    need_sparse_binding(rig);
    NEED(rig, core.features.sparseResidencyImage3D);
    tiled_new(
        rig, &tiled,
        (struct image_plan){.dimensions = 3, .format = VK_FORMAT_R32_UINT, .width = 75, .height = 45, .depth = 35}, 64);
    if (rig->properties.sparseProperties.residencyStandard3DBlockShape)
        check_bytes("the standard shape", &tiled.tile, &standard, sizeof standard);
    const void *texels = scrambled_level(rig, &tiled.image, 0, 1);
    tiles_bind_checkered(rig, &tiled, 0, 0, 0);
    image_write(rig, &tiled.image, COLOR, 0, 0, texels);
    check_checkered(rig, &tiled, "a volume", 0, image_read(rig, &tiled.image, COLOR, 0, 0), texels);
}
