/* SPDX-License-Identifier: MIT */
/*
 * Pictures of surfaces whose bytes somebody has: a buffer that a program hands to the display, or a dump. Those of what
 * a GPU draws to are in pfifo/draw.h.
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
    uint32_t format;        /* number of a colour format of 3D targets: 0xd5 RGBA8_UNORM, 0xcf BGRA8_UNORM, 0xe8 ... */
    uint32_t pitch;         /* bytes of a line, of which the pixels are the first */
    bool is_block;          /* block-linear, G80 and later: blocks of one GOB by 2^block_height; else lines */
    uint32_t block_height;  /* 0 to 5 */
};

/*
 * Name of the format ("RGBA8_UNORM") and the bytes that the surface takes, padding included. NULL and 0: there is no
 * such format, or no such surface: without pixels, more than 2^26 of them, a pitch that does not hold a line, a block
 * height above 5, or blocks on a chip before G80.
 */
PFIFO_API const char *pfifo_picture_format(const struct pfifo_picture *picture);
PFIFO_API uint64_t pfifo_picture_bytes(const struct pfifo_chip *chip, const struct pfifo_picture *picture);

/*
 * The pixels of a surface: rows of R, G, B, A, as pfifo_gpu_picture() has them, width * height * 4 bytes. `data` are
 * the first `bytes` bytes of the surface; what is not there is 0. Errors: PFIFO_ERROR_ARGUMENT (no such surface),
 * _MEMORY.
 */
PFIFO_API enum pfifo_status pfifo_picture_read(const struct pfifo_chip *chip, const struct pfifo_picture *picture,
                                               const void *data, uint64_t bytes, uint8_t *rgba,
                                               struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
