/* SPDX-License-Identifier: MIT */
/* Texels of many formats, by fetches, texel buffers and storage images; samplers. */
#include <math.h>
#include <string.h>

#include "vulkan/programs/programs.h"

enum { COLOR = VK_IMAGE_ASPECT_COLOR_BIT, WIDTH = 29, HEIGHT = 11, TEXELS = WIDTH * HEIGHT };

enum encoding { UNORM, SNORM, UINT, SINT, SFLOAT };

/* Parts from the lowest bit on, in the order red, green, blue, alpha unless `reversed`. */
static const struct texel_format {
    VkFormat format;
    enum encoding encoding;
    uint8_t bits[4];
    bool swapped; /* blue comes first */
    uint32_t bytes;
} formats[] = {{VK_FORMAT_R8_UNORM, UNORM, {8}, false, 1},
               {VK_FORMAT_R8_SNORM, SNORM, {8}, false, 1},
               {VK_FORMAT_R8G8_UINT, UINT, {8, 8}, false, 2},
               {VK_FORMAT_R8G8B8A8_UNORM, UNORM, {8, 8, 8, 8}, false, 4},
               {VK_FORMAT_B8G8R8A8_UNORM, UNORM, {8, 8, 8, 8}, true, 4},
               {VK_FORMAT_R8G8B8A8_SINT, SINT, {8, 8, 8, 8}, false, 4},
               {VK_FORMAT_R5G6B5_UNORM_PACK16, UNORM, {5, 6, 5}, true, 2},
               {VK_FORMAT_A1R5G5B5_UNORM_PACK16, UNORM, {5, 5, 5, 1}, true, 2},
               {VK_FORMAT_A2B10G10R10_UNORM_PACK32, UNORM, {10, 10, 10, 2}, false, 4},
               {VK_FORMAT_A2B10G10R10_UINT_PACK32, UINT, {10, 10, 10, 2}, false, 4},
               {VK_FORMAT_R16_SINT, SINT, {16}, false, 2},
               {VK_FORMAT_R16G16_UNORM, UNORM, {16, 16}, false, 4},
               {VK_FORMAT_R16G16B16A16_SNORM, SNORM, {16, 16, 16, 16}, false, 8},
               {VK_FORMAT_R16G16B16A16_UINT, UINT, {16, 16, 16, 16}, false, 8},
               {VK_FORMAT_R32_SINT, SINT, {32}, false, 4},
               {VK_FORMAT_R32_SFLOAT, SFLOAT, {32}, false, 4},
               {VK_FORMAT_R32G32_UINT, UINT, {32, 32}, false, 8},
               {VK_FORMAT_R32G32B32A32_SFLOAT, SFLOAT, {32, 32, 32, 32}, false, 16},
               {VK_FORMAT_R32G32B32A32_UINT, UINT, {32, 32, 32, 32}, false, 16}};

static uint32_t take_bits(const uint8_t *bytes, uint32_t first, uint32_t count) {
    uint64_t all = 0;
    for (uint32_t i = 0; i < 8 && first / 8 + i < 16 && i * 8 < count + 8; i++)
        all |= (uint64_t)bytes[first / 8 + i] << i * 8;
    return (uint32_t)(all >> first % 8 & ((UINT64_C(1) << count) - 1));
}

static bool is_integer(const struct texel_format *format) {
    return format->encoding == UINT || format->encoding == SINT;
}

static int32_t with_sign(uint32_t value, uint32_t bits) {
    return bits == 32 ? (int32_t)value : (int32_t)(value << (32 - bits)) >> (32 - bits);
}

static double decoded(const struct texel_format *format, uint32_t value, uint32_t bits) {
    float number;
    memcpy(&number, &value, 4);
    if (format->encoding == UNORM)
        return value / (double)((UINT64_C(1) << bits) - 1);
    if (format->encoding == SNORM)
        return fmax(with_sign(value, bits) / (double)((1 << (bits - 1)) - 1), -1);
    return (double)number;
}

/* One of the four parts of a texel: is it what the fetch gave? */
static bool is_part(const struct texel_format *format, const uint8_t *texel, uint32_t part, uint32_t got) {
    const uint32_t stored = format->swapped && part != 3 && part != 1 ? 2 - part : part;
    uint32_t first = 0, bits = format->bits[stored];
    float number;
    memcpy(&number, &got, 4);
    for (uint32_t i = 0; i < stored; i++)
        first += format->bits[i];
    if (!bits)
        return is_integer(format) ? got == (part == 3) : number == (part == 3 ? 1.0F : 0.0F);
    const uint32_t value = take_bits(texel, first, bits);
    if (format->encoding == SINT)
        return got == (uint32_t)with_sign(value, bits);
    if (format->encoding == UINT || format->encoding == SFLOAT)
        return got == value;
    return fabs((double)number - decoded(format, value, bits)) < 1e-6;
}

static void check_fetched(const struct texel_format *format, const uint8_t *texels, const struct buffer *results) {
    uint8_t texel[24];
    for (uint32_t i = 0; i < TEXELS; i++)
        for (uint32_t part = 0; part < 4; part++) {
            memcpy(texel, texels + (size_t)i * format->bytes, format->bytes);
            if (!is_part(format, texel, part, results->words[i * 4 + part]))
                fail("format %d: part %u of texel %u is 0x%08x", (int)format->format, part, i,
                     results->words[i * 4 + part]);
        }
}

/* Random, but for floats: these are numbers. */
static void fill_texels(const struct texel_format *format, uint8_t *texels) {
    float number;
    scramble(texels, TEXELS * (size_t)format->bytes, (uint32_t)format->format);
    for (uint32_t i = 0; format->encoding == SFLOAT && i < TEXELS * format->bytes / 4; i++) {
        number = (float)(int32_t)scrambled(i) / 65536;
        memcpy(texels + (size_t)4 * i, &number, 4);
    }
}

static const char *fetcher(const struct texel_format *format, bool from_buffer) {
    static const char *const names[2][3] = {
        {"fetch_float.comp", "fetch_uint.comp", "fetch_int.comp"},
        {"fetch_buffer_float.comp", "fetch_buffer_uint.comp", "fetch_buffer_int.comp"}};
    return names[from_buffer][format->encoding == UINT ? 1 : format->encoding == SINT ? 2 : 0];
}

static struct kernel fetching(struct rig *rig, const struct texel_format *format, bool from_buffer) {
    const struct binding bindings[] = {
        {.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
        {.type = from_buffer ? VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER : VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}};
    return kernel_new(
        rig, &(struct kernel_plan){
                 .shader = fetcher(format, from_buffer), .bindings = bindings, .bindings_count = 2, .push_bytes = 8});
}

static const uint32_t push[] = {WIDTH, TEXELS};

void program_texture_formats(struct rig *rig) {
    for (size_t n = 0; n < COUNT(formats); n++) {
        uint8_t *texels = keep_bytes(rig, TEXELS * 16);
        if (!format_has(rig, formats[n].format, VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT))
            continue;
        struct image image = image_new(rig, &(struct image_plan){.format = formats[n].format,
                                                                 .width = WIDTH,
                                                                 .height = HEIGHT,
                                                                 .usage = VK_IMAGE_USAGE_SAMPLED_BIT});
        struct buffer results = buffer_new(rig, TEXELS * 16, 0);
        struct kernel kernel = fetching(rig, &formats[n], false);
        fill_texels(&formats[n], texels);
        image_write(rig, &image, COLOR, 0, 0, texels);
        put_buffer(rig, &kernel.descriptors, 0, 0, &results);
        put_image(rig, &kernel.descriptors, 1, 0, image.view,
                  sampler_new(rig, VK_FILTER_NEAREST, VK_SAMPLER_ADDRESS_MODE_REPEAT));
        kernel_run(rig, &kernel, push, (TEXELS + 63) / 64, 1, 1);
        check_fetched(&formats[n], texels, &results);
    }
}

void program_texture_buffers(struct rig *rig) {
    for (size_t n = 0; n < COUNT(formats); n++) {
        VkFormatProperties has;
        vkGetPhysicalDeviceFormatProperties(rig->physical, formats[n].format, &has);
        if (!(has.bufferFeatures & VK_FORMAT_FEATURE_UNIFORM_TEXEL_BUFFER_BIT))
            continue;
        struct buffer texels =
            buffer_new(rig, TEXELS * (size_t)formats[n].bytes, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT);
        struct buffer results = buffer_new(rig, TEXELS * 16, 0);
        struct kernel kernel = fetching(rig, &formats[n], true);
        fill_texels(&formats[n], texels.bytes);
        put_buffer(rig, &kernel.descriptors, 0, 0, &results);
        put_texels(rig, &kernel.descriptors, 1, 0, buffer_view(rig, &texels, formats[n].format));
        kernel_run(rig, &kernel, push, (TEXELS + 63) / 64, 1, 1);
        check_fetched(&formats[n], texels.bytes, &results);
    }
}

/* Each row the other way round, through loads and stores. */
void program_texture_storage(struct rig *rig) {
    static const struct {
        VkFormat format;
        const char *shader;
    } rows[] = {
        {VK_FORMAT_R8G8B8A8_UNORM, "store_rgba8.comp"},      {VK_FORMAT_R32_UINT, "store_r32ui.comp"},
        {VK_FORMAT_R32_SFLOAT, "store_r32f.comp"},           {VK_FORMAT_R16G16B16A16_UINT, "store_rgba16ui.comp"},
        {VK_FORMAT_R32G32B32A32_SINT, "store_rgba32i.comp"}, {VK_FORMAT_R8G8B8A8_SINT, "store_rgba8i.comp"}};
    const struct binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE},
                                       {.type = VK_DESCRIPTOR_TYPE_STORAGE_IMAGE}};
    for (size_t n = 0; n < COUNT(rows); n++) {
        const struct image_plan plan = {
            .format = rows[n].format, .width = WIDTH, .height = HEIGHT, .usage = VK_IMAGE_USAGE_STORAGE_BIT};
        const size_t bytes = format_bytes(rows[n].format, COLOR);
        struct image from = image_new(rig, &plan), to = image_new(rig, &plan);
        struct kernel kernel =
            kernel_new(rig, &(struct kernel_plan){
                                .shader = rows[n].shader, .bindings = bindings, .bindings_count = 2, .push_bytes = 8});
        uint8_t *texels = keep_bytes(rig, TEXELS * bytes);
        fill_texels(&(struct texel_format){.format = rows[n].format,
                                           .bytes = (uint32_t)bytes,
                                           .encoding = rows[n].format == VK_FORMAT_R32_SFLOAT ? SFLOAT : UINT},
                    texels);
        image_write(rig, &from, COLOR, 0, 0, texels);
        image_write(rig, &to, COLOR, 0, 0, texels);
        put_image(rig, &kernel.descriptors, 0, 0, from.view, NULL);
        put_image(rig, &kernel.descriptors, 1, 0, to.view, NULL);
        kernel_run(rig, &kernel, push, (TEXELS + 63) / 64, 1, 1);
        const uint8_t *read = image_read(rig, &to, COLOR, 0, 0);
        for (uint32_t i = 0; i < TEXELS; i++)
            if (memcmp(read + i * bytes, texels + (i / WIDTH * WIDTH + WIDTH - 1 - i % WIDTH) * bytes, bytes) != 0)
                fail("format %d: texel %u is another one", (int)rows[n].format, i);
    }
}

/* ---- samplers ---- */

enum { EDGE = 8 };

static double texel_at(int32_t x, VkSamplerAddressMode mode) {
    switch (mode) {
    case VK_SAMPLER_ADDRESS_MODE_REPEAT:
        x = ((x % EDGE) + EDGE) % EDGE;
        break;
    case VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT:
        x = ((x % (2 * EDGE)) + 2 * EDGE) % (2 * EDGE);
        x = x < EDGE ? x : 2 * EDGE - 1 - x;
        break;
    case VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER:
        if (x < 0 || x >= EDGE)
            return 0;
        break;
    default:
        x = x < 0 ? 0 : x >= EDGE ? EDGE - 1 : x;
    }
    return (x * 29 + 7) / 255.0;
}

static double sampled(double s, VkFilter filter, VkSamplerAddressMode mode) {
    const double u = s * EDGE, low = floor(u - 0.5), part = u - 0.5 - low;
    if (filter == VK_FILTER_NEAREST)
        return texel_at((int32_t)floor(u), mode);
    return texel_at((int32_t)low, mode) * (1 - part) + texel_at((int32_t)low + 1, mode) * part;
}

static void check_sampled(const struct buffer *results, double first, double step, VkFilter filter,
                          VkSamplerAddressMode mode) {
    const float *values = results->bytes;
    for (uint32_t i = 0; i < 64; i++) {
        const double s = first + step * i, wanted = sampled(s, filter, mode), low = floor(s * EDGE - 0.5);
        if (fabs((double)values[i * 4] - wanted) > (filter == VK_FILTER_LINEAR ? 1.5 / 255 : 1e-6))
            fail("mode %d, filter %d: at %g it is %g instead of %g", (int)mode, (int)filter, s, (double)values[i * 4],
                 wanted);
        /* The first of the four is below and to the left, the second to its right. */
        for (uint32_t k = 0; k < 2; k++)
            if (fabs((double)values[(64 + i) * 4 + k] - texel_at((int32_t)low + (int32_t)k, mode)) > 1e-6)
                fail("mode %d: %u of what is gathered at %g is %g", (int)mode, k, s, (double)values[(64 + i) * 4 + k]);
    }
}

/* All rows are the same, and so are all levels. The coordinates are not at edges between texels. */
void program_texture_samplers(struct rig *rig) {
    static const VkSamplerAddressMode modes[] = {
        VK_SAMPLER_ADDRESS_MODE_REPEAT, VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE,
        VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER};
    const struct binding bindings[] = {{.type = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                                       {.type = VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER}};
    const float pushed[] = {-1.49F, 0.0631F, 0, 0.5F};
    struct image image = image_new(rig, &(struct image_plan){.format = VK_FORMAT_R8G8B8A8_UNORM,
                                                             .width = EDGE,
                                                             .height = EDGE,
                                                             .usage = VK_IMAGE_USAGE_SAMPLED_BIT});
    struct buffer results = buffer_new(rig, 128 * 16, 0);
    uint8_t texels[EDGE * EDGE * 4];
    for (uint32_t i = 0; i < sizeof texels; i++)
        texels[i] = (uint8_t)(i / 4 % EDGE * 29 + 7);
    image_write(rig, &image, COLOR, 0, 0, texels);
    for (size_t mode = 0; mode < COUNT(modes); mode++)
        for (int filter = VK_FILTER_NEAREST; filter <= VK_FILTER_LINEAR; filter++) {
            struct kernel kernel = kernel_new(
                rig, &(struct kernel_plan){
                         .shader = "sample.comp", .bindings = bindings, .bindings_count = 2, .push_bytes = 16});
            put_buffer(rig, &kernel.descriptors, 0, 0, &results);
            put_image(rig, &kernel.descriptors, 1, 0, image.view, sampler_new(rig, (VkFilter)filter, modes[mode]));
            kernel_run(rig, &kernel, pushed, 1, 1, 1);
            check_sampled(&results, (double)pushed[0], (double)pushed[1], (VkFilter)filter, modes[mode]);
        }
}
