/* SPDX-License-Identifier: MIT */
/*
 * Pictures of surfaces from their bytes: a buffer that a program hands to the display, a dump, or a texture. Pictures
 * of what a GPU draws to are in pfifo/draw.h.
 *
 * Library: libpfifo
 */
#ifndef PFIFO_PICTURE_H
#define PFIFO_PICTURE_H

#include <pfifo/chip.h>
#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pfifo_picture {
    uint32_t width, height; /* in pixels */
    uint32_t format;  /* number of a format of 3D targets: 0xd5 RGBA8_UNORM, 0xcf BGRA8_UNORM, 0x14 S8Z24_UNORM ... */
    uint32_t pitch;   /* bytes from one line to the next */
    bool is_block;    /* block-linear, G80 and later: blocks of one GOB by 2^block_height; else lines */
    bool is_swizzled; /* Morton order of pixels, before G80: sides are powers of two, and there is no pitch */
    uint32_t block_height; /* 0 to 5 */
};

/*
 * Name of the format ("RGBA8_UNORM") and the bytes that the surface takes, padding included. NULL and 0: there is no
 * such format, or no such surface: without pixels, more than 2^26 of them, a pitch that does not hold a line, a block
 * height above 5, blocks on a chip before G80, or a swizzled surface on a later one.
 */
PFIFO_API const char *pfifo_picture_format(const struct pfifo_picture *picture);
PFIFO_API uint64_t pfifo_picture_bytes(const struct pfifo_chip *chip, const struct pfifo_picture *picture);

/*
 * The pixels of a surface: rows of R, G, B, A, as pfifo_gpu_picture() has them, width * height * 4 bytes. `data` are
 * the first `bytes` bytes of the surface; missing bytes count as 0. Errors: PFIFO_ERROR_ARGUMENT (no such surface),
 * _MEMORY.
 */
PFIFO_API enum pfifo_status pfifo_picture_read(const struct pfifo_chip *chip, const struct pfifo_picture *picture,
                                               const void *data, uint64_t bytes, uint8_t *rgba,
                                               struct pfifo_error *error);

#define PFIFO_TEXTURE_WORDS 8u

/* What a texture header (TIC entry) of Fermi to Pascal, or a texture unit before G80, says. Strings are constants. */
struct pfifo_texture {
    const char *format; /* components, highest bits first: "A8B8G8R8", "DXT1" */
    const char *layout; /* "pitch", "block", "swizzled" */
    const char *shape;  /* "2D", "cube array" ... */
    uint64_t address;
    uint32_t width, height, depth; /* of level 0, in texels */
    uint32_t layers, levels;       /* faces of cubes are layers */
    uint32_t block_height;         /* as of struct pfifo_picture */
    uint32_t samples;              /* of a texel */
};

/*
 * Describe the texture of a header. `maxwell`: it has the layout of Maxwell, which GM20x and later always use, and
 * GM10x if the program says so (SELECT_MAXWELL_TEXTURE_HEADERS). Errors: PFIFO_ERROR_UNSUPPORTED: the chip's headers
 * are not modelled, or something in this one is not; the message names it.
 */
PFIFO_API enum pfifo_status pfifo_texture_describe(const struct pfifo_chip *chip, bool maxwell,
                                                   const uint32_t words[PFIFO_TEXTURE_WORDS],
                                                   struct pfifo_texture *texture, struct pfifo_error *error);

/* Which image of a texture. */
struct pfifo_texture_image {
    uint32_t level, layer; /* layer: of an array or cube, or the slice of a volume */
};

/* Size of the image in pixels; the samples of a texel are side by side. False: there is no such image. */
PFIFO_API bool pfifo_texture_size(const struct pfifo_chip *chip, bool maxwell,
                                  const uint32_t words[PFIFO_TEXTURE_WORDS], struct pfifo_texture_image image,
                                  uint32_t *width, uint32_t *height);

/* Read bytes at an address; missing bytes are 0. False: all of them are missing. */
typedef bool (*pfifo_picture_memory)(void *opaque, uint64_t address, void *data, size_t bytes);

/*
 * The texels of an image as a program's fetch returns them: R, G, B, A, from line 0 on, clamped as by
 * pfifo_gpu_picture(), and sRGB as it is stored. Depth: shades of grey. Errors: PFIFO_ERROR_ARGUMENT (no such image, or
 * more than 2^26 pixels or 2^30 bytes), _FAULT (nothing of it is there), _MEMORY, and those above.
 */
PFIFO_API enum pfifo_status pfifo_texture_read(const struct pfifo_chip *chip, bool maxwell,
                                               const uint32_t words[PFIFO_TEXTURE_WORDS],
                                               struct pfifo_texture_image image, pfifo_picture_memory memory,
                                               void *opaque, uint8_t *rgba, struct pfifo_error *error);

/*
 * Textures before G80 have no headers: methods of the object that draws, a 3D object or a textured triangle, describe
 * them, a set per texture unit. The class numbers them; 0 units: it has none.
 */
struct pfifo_gpu;

struct pfifo_texture_unit {
    uint32_t channel, object_class, number;
};

PFIFO_API uint32_t pfifo_texture_units(uint32_t object_class);

/*
 * The texture that the methods describe now, and the size of one of its images in pixels. Addresses are offsets in the
 * DMA object that the unit names. Errors: PFIFO_ERROR_ARGUMENT (no such class or unit, nothing was set there, an
 * impossible size or pitch; no such image, or one of more than 2^26 pixels), _UNSUPPORTED: something in them is not
 * modelled; the message names it.
 */
PFIFO_API enum pfifo_status pfifo_gpu_texture(struct pfifo_gpu *gpu, const struct pfifo_texture_unit *unit,
                                              struct pfifo_texture *texture, struct pfifo_error *error);
PFIFO_API enum pfifo_status pfifo_gpu_texture_size(struct pfifo_gpu *gpu, const struct pfifo_texture_unit *unit,
                                                   struct pfifo_texture_image image, uint32_t *width, uint32_t *height,
                                                   struct pfifo_error *error);

/*
 * The texels of an image, as pfifo_texture_read() has them: what a program gets, so with the swizzle of the unit, and
 * through its palette. Nothing of the GPU changes. More errors: PFIFO_ERROR_ARGUMENT (more than 2^30 bytes), _FAULT
 * (nothing of it is there), _MEMORY.
 */
PFIFO_API enum pfifo_status pfifo_gpu_texture_read(struct pfifo_gpu *gpu, const struct pfifo_texture_unit *unit,
                                                   struct pfifo_texture_image image, uint8_t *rgba,
                                                   struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
