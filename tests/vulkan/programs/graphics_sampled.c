/* SPDX-License-Identifier: MIT */
/* Textures that fragments read (shaders/look.frag): each pixel looks at a place that the program has chosen. */
#include <math.h>
#include <string.h>

#include "vulkan/programs/graphics_canvas.h"

enum { ROW = 64 };

struct look {
    const char *shader;
    VkImageView view;
    VkSampler sampler;
    const float (*places)[4];
    uint32_t count; /* at most 8 rows */
};

/* What is seen, four numbers for each place. */
static const float *look(struct rig *rig, const struct look *of) {
    static const struct binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER},
                                              {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}};
    struct canvas *canvas = keep_bytes(rig, sizeof *canvas);
    struct buffer places = buffer_new(rig, (VkDeviceSize)ROW * 8 * 16, 0);
    memcpy(places.bytes, of->places, of->count * sizeof of->places[0]);
    canvas_new(rig, canvas, VK_FORMAT_R32G32B32A32_SFLOAT, ROW, 8);
    struct draws draws =
        boxes_new(rig, &canvas->frame,
                  (struct draws_plan){.fragment = of->shader, .bindings = bindings, .bindings_count = COUNT(bindings)});
    put_image(rig, &draws.descriptors, 0, 0, of->view, of->sampler);
    put_buffer(rig, &draws.descriptors, 1, 0, &places);
    VkCommandBuffer commands = commands_begin(rig);
    frame_begin(rig, commands, &canvas->frame);
    box_draw(commands, &draws, &canvas->frame, (struct box){.depth = 0}, 0, 0, ROW, (of->count + ROW - 1) / ROW);
    frame_end(rig, commands, &canvas->frame);
    commands_run(rig, commands);
    return (const float *)canvas_words(rig, canvas);
}

static VkSampler sampler_of(struct rig *rig, const VkSamplerCreateInfo *with) {
    VkSamplerCreateInfo create = *with;
    VkSampler sampler;
    create.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
    create.maxLod = create.maxLod != 0 ? create.maxLod : VK_LOD_CLAMP_NONE;
    MUST(vkCreateSampler(rig->device, &create, NULL, &sampler));
    KEEP(rig, SAMPLER, sampler);
    return sampler;
}

/* ---- a row of four texels, 1 2 4 8 ---- */

enum { TEXELS = 4, BORDER = -1 };

static int wrapped(VkSamplerAddressMode mode, int texel) {
    const int turn = ((texel % (2 * TEXELS)) + 2 * TEXELS) % (2 * TEXELS);
    switch (mode) {
    case VK_SAMPLER_ADDRESS_MODE_REPEAT:
        return turn % TEXELS;
    case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT:
        return turn < TEXELS ? turn : 2 * TEXELS - 1 - turn;
    case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE:
        return texel < 0 ? 0 : texel >= TEXELS ? TEXELS - 1 : texel;
    case VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE:
        texel = texel < 0 ? -1 - texel : texel;
        return texel >= TEXELS ? TEXELS - 1 : texel;
    default:
        return texel < 0 || texel >= TEXELS ? BORDER : texel;
    }
}

static double texel_of(VkSamplerAddressMode mode, int texel) {
    const int at = wrapped(mode, texel);
    return at == BORDER ? 1 : 1 << at; /* the border is white */
}

static struct image row_new(struct rig *rig) {
    static const float texels[TEXELS] = {1, 2, 4, 8};
    struct image image = image_new(
        rig, &(struct image_plan){
                 .format = VK_FORMAT_R32_SFLOAT, .width = TEXELS, .height = 1, .usage = VK_IMAGE_USAGE_SAMPLED_BIT});
    image_write(rig, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, texels);
    return image;
}

static void wrap(struct rig *rig, VkFilter filter) {
    float places[ROW][4];
    struct image row = row_new(rig);
    for (uint32_t i = 0; i < ROW; i++)
        places[i][0] = ((float)i - 23.75f) / 8, places[i][1] = 0.5f, places[i][2] = places[i][3] = 0;
    for (uint32_t mode = 0; mode < 5; mode++) {
        if (mode == VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE &&
            !rig_has_extension(rig, "VK_KHR_sampler_mirror_clamp_to_edge"))
            continue;
        const VkSamplerCreateInfo with = {.magFilter = filter,
                                          .minFilter = filter,
                                          .addressModeU = (VkSamplerAddressMode)mode,
                                          .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
                                          .borderColor = VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE};
        const float *seen = look(rig, &(struct look){"look_2d.frag", row.view, sampler_of(rig, &with), places, ROW});
        for (uint32_t i = 0; i < ROW; i++) {
            const double u = (double)places[i][0] * TEXELS, low = floor(u - 0.5), part = u - 0.5 - low;
            const double first = texel_of((VkSamplerAddressMode)mode, (int)low),
                         second = texel_of((VkSamplerAddressMode)mode, (int)low + 1);
            check_near(filter == VK_FILTER_LINEAR ? "a filtered texel" : "a texel", mode * ROW + i, (double)seen[4 * i],
                       filter == VK_FILTER_LINEAR ? first * (1 - part) + second * part
                                                  : texel_of((VkSamplerAddressMode)mode, (int)floor(u)),
                       filter == VK_FILTER_LINEAR ? 0.04 : 0);
        }
    }
}

void program_graphics_wrap_nearest(struct rig *rig) {
    wrap(rig, VK_FILTER_NEAREST);
}

void program_graphics_wrap_linear(struct rig *rig) {
    if (!format_has(rig, VK_FORMAT_R32_SFLOAT, VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT))
        skip_without("linear filter of R32_SFLOAT");
    wrap(rig, VK_FILTER_LINEAR);
}

void program_graphics_border_colors(struct rig *rig) {
    static const float wanted[3][4] = {{0, 0, 0, 0}, {0, 0, 0, 1}, {1, 1, 1, 1}};
    static const VkBorderColor borders[3] = {VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK,
                                             VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK, VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE};
    static const float places[2][4] = {{-0.5f, 0.5f}, {0.5f, 0.5f}};
    struct image image = image_new(
        rig, &(struct image_plan){
                 .format = VK_FORMAT_R8G8B8A8_UNORM, .width = 1, .height = 1, .usage = VK_IMAGE_USAGE_SAMPLED_BIT});
    image_write(rig, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, (uint32_t[]){0x00ff00ff});
    for (uint32_t b = 0; b < 3; b++) {
        const VkSamplerCreateInfo with = {.addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                          .addressModeV = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
                                          .borderColor = borders[b]};
        const float *seen = look(rig, &(struct look){"look_2d.frag", image.view, sampler_of(rig, &with), places, 2});
        for (uint32_t c = 0; c < 4; c++) {
            check_near("a border's component", 4 * b + c, (double)seen[c], (double)wanted[b][c], 0);
            check_near("what is inside", c, (double)seen[4 + c], c % 2 ? 0 : 1, 0);
        }
    }
}

/* ---- levels ---- */

/* A level shows its number plus one. */
static struct image levels_new(struct rig *rig, uint32_t levels) {
    struct image image = image_new(rig, &(struct image_plan){.format = VK_FORMAT_R32_SFLOAT,
                                                             .width = 1u << (levels - 1),
                                                             .height = 1u << (levels - 1),
                                                             .levels = levels,
                                                             .usage = VK_IMAGE_USAGE_SAMPLED_BIT});
    for (uint32_t level = 0; level < levels; level++) {
        float *texels = keep_bytes(rig, image_bytes(&image, VK_IMAGE_ASPECT_COLOR_BIT, level));
        for (size_t i = 0; i < image_bytes(&image, VK_IMAGE_ASPECT_COLOR_BIT, level) / 4; i++)
            texels[i] = (float)level + 1;
        image_write(rig, &image, VK_IMAGE_ASPECT_COLOR_BIT, level, 0, texels);
    }
    return image;
}

/* Levels by their number, by gradients, and what the texture says of itself; from 1.25 to 4 if the sampler limits them. */
void program_graphics_levels(struct rig *rig) {
    enum { LEVELS = 6 };
    float places[ROW][4];
    struct image image = levels_new(rig, LEVELS);
    for (uint32_t i = 0; i < ROW; i++)
        places[i][0] = places[i][1] = 0.5f, places[i][2] = ((float)i - 8) / 8, places[i][3] = 0;
    for (uint32_t k = 0; k < 6; k++) {
        const VkSamplerCreateInfo with = {.mipmapMode =
                                              k % 2 ? VK_SAMPLER_MIPMAP_MODE_LINEAR : VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                          .minLod = k / 2 == 1 ? 1.25f : 0,
                                          .maxLod = k / 2 == 1 ? 4 : 0,
                                          .mipLodBias = k / 2 == 2 ? 0.5f : 0,
                                          .addressModeU = VK_SAMPLER_ADDRESS_MODE_REPEAT};
        const struct look by_number = {"look_lod.frag", image.view, sampler_of(rig, &with), places, ROW},
                          by_gradient = {"look_grad.frag", image.view, by_number.sampler, places, ROW};
        const float *seen[2] = {look(rig, &by_number), look(rig, &by_gradient)};
        for (uint32_t i = 0; i < ROW; i++) {
            const double low = k / 2 == 1 ? 1.25 : 0, high = k / 2 == 1 ? 4 : LEVELS - 1;
            double lod = (double)places[i][2] + (k / 2 == 2 ? 0.5 : 0);
            lod = lod < low ? low : lod > high ? high : lod;
            if (k % 2 == 0 && lod + 0.5 == floor(lod + 0.5))
                continue; /* two levels are equally near */
            const double wanted = k % 2 ? lod : floor(lod + 0.5);
            check_near("a level by its number", k * ROW + i, (double)seen[0][4 * i], wanted + 1, k % 2 ? 0.01 : 0);
            check_near("a level by gradients", k * ROW + i, (double)seen[1][4 * i], wanted + 1, k % 2 ? 0.1 : 0);
            check_near("how many levels", i, (double)seen[0][4 * i + 1], LEVELS, 0);
            check_near("the size of level 1", i, (double)seen[0][4 * i + 2], 1 << (LEVELS - 2), 0);
        }
    }
}

/* ---- comparisons, and four texels at once ---- */

void program_graphics_shadows(struct rig *rig) {
    static const float texels[4] = {0.25f, 0.5f, 0.75f, 1};
    float places[ROW][4];
    struct image image = image_new(
        rig, &(struct image_plan){
                 .format = VK_FORMAT_D32_SFLOAT, .width = 4, .height = 1, .usage = VK_IMAGE_USAGE_SAMPLED_BIT});
    image_write(rig, &image, VK_IMAGE_ASPECT_DEPTH_BIT, 0, 0, texels);
    for (uint32_t i = 0; i < ROW; i++)
        places[i][0] = ((float)(i % 4) + 0.5f) / 4, places[i][1] = 0.5f, places[i][2] = (float)(i / 4) / 16,
        places[i][3] = 0;
    for (uint32_t op = 0; op < 8; op++) {
        const VkSamplerCreateInfo with = {.compareEnable = VK_TRUE,
                                          .compareOp = (VkCompareOp)op,
                                          .addressModeU = VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
        const float *seen =
            look(rig, &(struct look){"look_shadow.frag", image.view, sampler_of(rig, &with), places, ROW});
        for (uint32_t i = 0; i < ROW; i++) {
            const float stored = texels[i % 4], reference = places[i][2];
            const uint32_t bit = reference < stored ? 1 : reference == stored ? 2 : 4;
            check_near("a comparison", op * ROW + i, (double)seen[4 * i], op & bit ? 1 : 0, 0);
        }
    }
}

void program_graphics_gather(struct rig *rig) {
    enum { SIZE = 4 };
    static const int corners[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    uint8_t texels[SIZE * SIZE][4];
    float places[9][4];
    struct image image = image_new(rig, &(struct image_plan){.format = VK_FORMAT_R8G8B8A8_UINT,
                                                             .width = SIZE,
                                                             .height = SIZE,
                                                             .usage = VK_IMAGE_USAGE_SAMPLED_BIT});
    for (uint32_t i = 0; i < SIZE * SIZE; i++)
        for (uint32_t c = 0; c < 4; c++)
            texels[i][c] = (uint8_t)(i + 16 * c);
    image_write(rig, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, texels);
    for (uint32_t i = 0; i < 9; i++)
        places[i][0] = ((float)(i % 3) + 1) / SIZE, places[i][1] = ((float)(i / 3) + 1) / SIZE, places[i][2] = 0,
        places[i][3] = 0;
    const struct look of = {"look_gather.frag", image.view,
                            sampler_new(rig, VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT), places, 9};
    const struct look moved = {"look_gather_moved.frag", image.view, of.sampler, places, 9};
    const float *seen = look(rig, &of), *seen_moved = look(rig, &moved);
    for (uint32_t i = 0; i < 9; i++)
        for (uint32_t k = 0; k < 4; k++) {
            const uint32_t x = i % 3 + (uint32_t)corners[k][0], y = i / 3 + (uint32_t)corners[k][1];
            check_near("component 2 of a corner", 4 * i + k, (double)seen[4 * i + k], 32 + y * SIZE + x, 0);
            check_near("a corner with an offset", 4 * i + k, (double)seen_moved[4 * i + k],
                       (y + SIZE - 1) % SIZE * SIZE + (x + 2) % SIZE, 0);
        }
}

/* ---- layers, slices, faces ---- */

void program_graphics_texture_kinds(struct rig *rig) {
    static const float directions[6][4] = {{1}, {-1}, {0, 1}, {0, -1}, {0, 0, 1}, {0, 0, -1}};
    const VkSampler sampler = sampler_new(rig, VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE);
    float places[8][4];
    struct image array = image_new(
        rig,
        &(struct image_plan){
            .format = VK_FORMAT_R32_SFLOAT, .width = 2, .height = 2, .layers = 8, .usage = VK_IMAGE_USAGE_SAMPLED_BIT});
    struct image cube = image_new(rig, &(struct image_plan){.format = VK_FORMAT_R32_SFLOAT,
                                                            .width = 2,
                                                            .height = 2,
                                                            .layers = 6,
                                                            .flags = VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT,
                                                            .view = VK_IMAGE_VIEW_TYPE_CUBE,
                                                            .usage = VK_IMAGE_USAGE_SAMPLED_BIT});
    struct image volume = image_new(rig, &(struct image_plan){.format = VK_FORMAT_R32_SFLOAT,
                                                              .dimensions = 3,
                                                              .width = 2,
                                                              .height = 2,
                                                              .depth = 8,
                                                              .usage = VK_IMAGE_USAGE_SAMPLED_BIT});
    float slices[8][4];
    for (uint32_t i = 0; i < 8; i++) {
        for (uint32_t k = 0; k < 4; k++)
            slices[i][k] = (float)i + 1 + (float)k / 8;
        places[i][0] = places[i][1] = 0.75f, places[i][2] = (float)i, places[i][3] = ((float)i + 0.5f) / 8;
        image_write(rig, &array, VK_IMAGE_ASPECT_COLOR_BIT, 0, i, slices[i]);
        if (i < 6)
            image_write(rig, &cube, VK_IMAGE_ASPECT_COLOR_BIT, 0, i,
                        (float[]){slices[i][0], slices[i][0], slices[i][0], slices[i][0]});
    }
    image_write(rig, &volume, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, slices);
    const float *of_array = look(rig, &(struct look){"look_array.frag", array.view, sampler, places, 8});
    const float *of_volume = look(rig, &(struct look){"look_3d.frag", volume.view, sampler, places, 8});
    const float *of_cube = look(rig, &(struct look){"look_cube.frag", cube.view, sampler, directions, 6});
    for (uint32_t i = 0; i < 8; i++) {
        check_near("a layer", i, (double)of_array[4 * i], i + 1 + 0.375, 0);
        check_near("a slice", i, (double)of_volume[4 * i], i + 1 + 0.375, 0);
        if (i < 6)
            check_near("a face", i, (double)of_cube[4 * i], i + 1, 0);
    }
}

/* ---- compressed ---- */

/* Blocks of which each texel is known: two colours, and which one. */
void program_graphics_compressed(struct rig *rig) {
    static const struct {
        VkFormat format;
        uint8_t block[16];
        float first[4], last[4]; /* of the upper left and the lower right texel */
    } blocks[] = {
        /* red and blue; the first row is the first colour, the others are the second */
        {VK_FORMAT_BC1_RGB_UNORM_BLOCK, {0x00, 0xf8, 0x1f, 0x00, 0x00, 0x55, 0x55, 0x55}, {1, 0, 0, 1}, {0, 0, 1, 1}},
        /* the fourth value of an inverted pair is transparent black */
        {VK_FORMAT_BC1_RGBA_UNORM_BLOCK, {0x1f, 0x00, 0x00, 0xf8, 0x00, 0x55, 0x55, 0xff}, {0, 0, 1, 1}, {0, 0, 0, 0}},
        {VK_FORMAT_BC2_UNORM_BLOCK,
         {0x0f, 0, 0, 0, 0, 0, 0, 0xf0, 0x00, 0xf8, 0x1f, 0x00, 0x00, 0x55, 0x55, 0x55},
         {1, 0, 0, 1},
         {0, 0, 1, 1}},
        {VK_FORMAT_BC3_UNORM_BLOCK,
         {0xff, 0x00, 0, 0, 0, 0, 0, 0x20, 0x00, 0xf8, 0x1f, 0x00, 0x00, 0x55, 0x55, 0x55},
         {1, 0, 0, 1},
         {0, 0, 1, 0}},
        {VK_FORMAT_BC4_UNORM_BLOCK, {0xff, 0x00, 0, 0, 0, 0, 0, 0x20}, {1, 0, 0, 1}, {0, 0, 0, 1}},
        {VK_FORMAT_BC4_SNORM_BLOCK, {0x7f, 0x81, 0, 0, 0, 0, 0, 0x20}, {1, 0, 0, 1}, {-1, 0, 0, 1}},
        {VK_FORMAT_BC5_UNORM_BLOCK,
         {0xff, 0x00, 0, 0, 0, 0, 0, 0x20, 0x00, 0xff, 0, 0, 0, 0, 0, 0x20},
         {1, 0, 0, 1},
         {0, 1, 0, 1}},
        /* mode 5: 7 bits of each colour and endpoint, of which all are 1; alphas of 8 bits: 0 and 0xff, indices 0 */
        {VK_FORMAT_BC7_UNORM_BLOCK, {0x20, 0xff, 0xff, 0xff, 0xff, 0xff, 0x03, 0xfc, 0x03}, {1, 1, 1, 0}, {1, 1, 1, 0}},
    };
    static const float places[2][4] = {{0.125f, 0.125f}, {0.875f, 0.875f}};
    for (size_t i = 0; i < COUNT(blocks); i++) {
        if (!format_has(rig, blocks[i].format, VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT))
            continue;
        struct image image = image_new(
            rig, &(struct image_plan){
                     .format = blocks[i].format, .width = 4, .height = 4, .usage = VK_IMAGE_USAGE_SAMPLED_BIT});
        image_write(rig, &image, VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, blocks[i].block);
        const float *seen = look(
            rig, &(struct look){"look_2d.frag", image.view,
                                sampler_new(rig, VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE), places, 2});
        for (uint32_t c = 0; c < 4; c++) {
            check_near("the first texel of a block", i * 4 + c, (double)seen[c], (double)blocks[i].first[c], 0.001);
            check_near("the last texel of a block", i * 4 + c, (double)seen[4 + c], (double)blocks[i].last[c], 0.001);
        }
    }
}
