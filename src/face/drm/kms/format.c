/* SPDX-License-Identifier: MIT */
/* Formats and modifiers that the display takes. */
#include <drm_fourcc.h>

#include "chip/chip.h"
#include "face/drm/kms/kms.h"

/* Alpha of the primary plane shows nothing: there is nothing below it. */
#define XRGB(red, green, blue, width)                                                                                  \
    {                                                                                                                  \
        {red, width}, {green, width}, {                                                                                \
            blue, width                                                                                                \
        }                                                                                                              \
    }

/*
 * dispnv50/base507c.c and drm_modeset_helper.c, less C8 (a palette) and half floats. `bpp` and `depth`: of ADDFB
 * (drm_fourcc.c, drm_mode_legacy_fb_format()).
 */
static const struct kms_format formats[] = {
    {DRM_FORMAT_XRGB8888, 4, 32, 24, XRGB(16, 8, 0, 8)},
    {DRM_FORMAT_ARGB8888, 4, 32, 32, XRGB(16, 8, 0, 8)},
    {DRM_FORMAT_RGB565, 2, 16, 16, {{11, 5}, {5, 6}, {0, 5}}},
    {DRM_FORMAT_XRGB1555, 2, 16, 15, XRGB(10, 5, 0, 5)},
    {DRM_FORMAT_ARGB1555, 2, 0, 0, XRGB(10, 5, 0, 5), .since_g80 = true},
    {DRM_FORMAT_XBGR8888, 4, 0, 0, XRGB(0, 8, 16, 8), .since_g80 = true},
    {DRM_FORMAT_ABGR8888, 4, 0, 0, XRGB(0, 8, 16, 8), .since_g80 = true},
    {DRM_FORMAT_XRGB2101010, 4, 0, 0, XRGB(20, 10, 0, 10), .since_g80 = true},
    {DRM_FORMAT_ARGB2101010, 4, 0, 0, XRGB(20, 10, 0, 10), .since_g80 = true},
    {DRM_FORMAT_XBGR2101010, 4, 32, 30, XRGB(0, 10, 20, 10), .since_g80 = true}, /* nouveau's for depth 30 */
    {DRM_FORMAT_ABGR2101010, 4, 0, 0, XRGB(0, 10, 20, 10), .since_g80 = true},
};
#define FORMATS (sizeof formats / sizeof formats[0])

static bool has_format(const struct kms *kms, const struct kms_format *format) {
    return !format->since_g80 || chip_has_page_tables(kms->device->config.chip);
}

const struct kms_format *kms_format_of(const struct kms *kms, uint32_t fourcc) {
    for (unsigned i = 0; i < FORMATS; i++)
        if (formats[i].fourcc == fourcc && has_format(kms, &formats[i]))
            return &formats[i];
    return NULL;
}

uint32_t kms_legacy_fourcc(uint32_t bpp, uint32_t depth) {
    for (unsigned i = 0; i < FORMATS; i++)
        if (formats[i].bpp && formats[i].bpp == bpp && formats[i].depth == depth)
            return formats[i].fourcc;
    return 0;
}

uint32_t kms_formats(const struct kms *kms, uint32_t *fourccs) {
    uint32_t count = 0;
    for (unsigned i = 0; i < FORMATS; i++)
        if (has_format(kms, &formats[i]))
            fourccs[count++] = formats[i].fourcc;
    return count;
}

/*
 * Block-linear, by kind and generation of it, each with blocks of 1 to 32 gobs (dispnv50/disp.c). On Tegra sectors of a
 * gob are in another order ("s" of the modifier), which is also what makes it another modifier.
 */
uint32_t kms_modifiers(const struct kms *kms, uint64_t *modifiers) {
    static const struct modifier_row {
        const char *chips;
        uint8_t kinds[3], generation, sectors;
    } rows[] = {{"G80:GF100", {0x7a, 0x78, 0x70}, 1, 1}, {"GK20A GM20B GP10B", {0xfe}, 0, 0}, {"GF100-", {0xfe}, 0, 1}};
    const struct modifier_row *row = CHIP_ROW(kms->device->config.chip, rows);
    uint32_t count = 0;
    if (!row)
        return 0;
    for (unsigned i = 0; i < 3 && row->kinds[i]; i++)
        for (unsigned height = 0; height <= 5; height++)
            modifiers[count++] = DRM_FORMAT_MOD_NVIDIA_BLOCK_LINEAR_2D(
                UINT64_C(0), (uint64_t)row->sectors, (uint64_t)row->generation, (uint64_t)row->kinds[i], height);
    modifiers[count++] = DRM_FORMAT_MOD_LINEAR;
    return count;
}
