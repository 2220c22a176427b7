/* SPDX-License-Identifier: MIT */
/* Images of decoded textures as pictures. */
#ifndef PFIFO_SRC_ENGINE_TEXTURE_PICTURE_H
#define PFIFO_SRC_ENGINE_TEXTURE_PICTURE_H

#include <pfifo/picture.h>

#include "engine/texture/texture.h"

#define TEXTURE_PICTURE_PIXELS (UINT64_C(1) << 26) /* the most that a picture has, and bytes of the image's memory */
#define TEXTURE_PICTURE_BYTES  (UINT64_C(1) << 30)

/* "2D array"; "?": there is no such target. */
const char *texture_shape_name(enum texture_target target);
struct pfifo_texture texture_told(const struct texture_view *view);

/* Is there this image, and can it be a picture? */
bool texture_has_image(const struct texture_view *view, struct pfifo_texture_image image);

/* Its texels, R G B A; `data` are the `bytes` bytes at `begin` of the view's memory, all others are 0. */
void texture_put_image(const struct texture_view *view, struct pfifo_texture_image image, uint64_t begin,
                       uint64_t bytes, const uint8_t *data, uint8_t *rgba);

#endif
