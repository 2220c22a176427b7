/* SPDX-License-Identifier: MIT */
/*
 * Which storage types there are: Linux nvkm/subdev/mmu/{nv50,gf100,gm200}.c. From GF100 on, a type that compresses has
 * one that does not, with the same layout. Where it is in tile_flags: nouveau_bo.c, nouveau_bo_alloc().
 */
#include "face/drm/node/kind.h"

#include "chip/chip.h"

/* Where the type is, and the bits that say that it is compressed. */
struct kind_field {
    const char *chips;
    uint32_t mask, compressed;
};
static const struct kind_field fields[] = {{"G80:GF100", 0x7f00, 0x30000}, {"GF100-", 0xff00, 0}};

/* Types from `first` to `last`: without compression all are `plain`, or `plain` and those that follow. */
struct kind_row {
    const char *chips;
    uint8_t first, last, plain;
    bool one_by_one;
};

#define TESLA(first, last)                                                                                             \
    { "G80:GF100", first, last, first, true }
#define SAME(first, last)                                                                                              \
    { "GF100-", first, last, first, true }
#define LIKE(first, last, plain)                                                                                       \
    { "GF100-", first, last, plain, true }
#define ALL(first, last, plain)                                                                                        \
    { "GF100-", first, last, plain, false }

static const struct kind_row rows[] = {
    TESLA(0x00, 0x00),      TESLA(0x10, 0x13),      TESLA(0x18, 0x1b),
    TESLA(0x20, 0x26),      TESLA(0x28, 0x2e),      TESLA(0x40, 0x4d),
    TESLA(0x54, 0x56),      TESLA(0x60, 0x66),      TESLA(0x68, 0x70),
    TESLA(0x72, 0x72),      TESLA(0x74, 0x74),      TESLA(0x76, 0x76),
    TESLA(0x78, 0x7d),

    SAME(0x00, 0x00), /* by lines */
    ALL(0x01, 0x05, 0x01),  ALL(0x07, 0x0a, 0x01),  SAME(0x11, 0x11),
    ALL(0x17, 0x1a, 0x11),  SAME(0x26, 0x29),       {"GM200-", 0x2a, 0x2b, 0x2a, true},
    LIKE(0x3a, 0x3d, 0x26), LIKE(0x3e, 0x41, 0x26), SAME(0x46, 0x46),
    ALL(0x51, 0x54, 0x46),  SAME(0x7b, 0x7b),       ALL(0x86, 0x89, 0x7b),
    SAME(0x8b, 0x8e),       LIKE(0xa3, 0xa6, 0x8b), SAME(0xa7, 0xaa),
    LIKE(0xbf, 0xc2, 0xa7), SAME(0xc3, 0xc3),       ALL(0xcc, 0xcd, 0xfe),
    ALL(0xce, 0xd1, 0xc3),  ALL(0xd8, 0xd8, 0xfe),  ALL(0xdb, 0xdb, 0xfe),
    ALL(0xdd, 0xdd, 0xfe),  ALL(0xdf, 0xe0, 0xfe),  ALL(0xe2, 0xe6, 0xfe),
    ALL(0xe9, 0xe9, 0xfe),  ALL(0xeb, 0xeb, 0xfe),  ALL(0xed, 0xee, 0xfe),
    ALL(0xf0, 0xfb, 0xfe),  SAME(0xfd, 0xfe), /* blocks of any type */
};

uint32_t drm_kind(const struct pfifo_chip *chip, uint32_t tile_flags) {
    const struct kind_field *field = CHIP_ROW(chip, fields);
    return field ? (tile_flags & field->mask) >> 8 : 0;
}

bool drm_kind_plain(const struct pfifo_chip *chip, uint32_t tile_flags, uint32_t *plain) {
    uint32_t kind = drm_kind(chip, tile_flags);
    struct chip_walk walk = CHIP_WALK(chip, rows);
    const struct kind_row *row;
    while ((row = chip_walk_next(&walk)) && (kind < row->first || kind > row->last))
        ;
    if (row)
        *plain = row->one_by_one ? row->plain + (kind - row->first) : row->plain;
    return row != NULL;
}

bool drm_kind_compresses(const struct pfifo_chip *chip, uint32_t tile_flags) {
    return drm_kind_without_compression(chip, tile_flags) != tile_flags;
}

uint32_t drm_kind_without_compression(const struct pfifo_chip *chip, uint32_t tile_flags) {
    const struct kind_field *field = CHIP_ROW(chip, fields);
    uint32_t plain = 0;
    if (!field || !drm_kind_plain(chip, tile_flags, &plain))
        return tile_flags;
    return (tile_flags & ~(field->mask | field->compressed)) | plain << 8;
}
