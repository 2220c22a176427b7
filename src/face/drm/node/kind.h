/* SPDX-License-Identifier: MIT */
/* Storage types of buffers, as the kernel knows them. */
#ifndef PFIFO_SRC_FACE_DRM_NODE_KIND_H
#define PFIFO_SRC_FACE_DRM_NODE_KIND_H

#include <pfifo/chip.h>

#include <stdbool.h>

/* G80 and later: of the type in `tile_flags`, the one without compression. False: there is no such type. */
bool drm_kind_plain(const struct pfifo_chip *chip, uint32_t tile_flags, uint32_t *plain);

/* The type of the page table entries; before G80: none. */
uint32_t drm_kind(const struct pfifo_chip *chip, uint32_t tile_flags);

/* Does it compress? Tesla has bits of its own for that, later chips have types. */
bool drm_kind_compresses(const struct pfifo_chip *chip, uint32_t tile_flags);
/* The flags of the same buffer without. */
uint32_t drm_kind_without_compression(const struct pfifo_chip *chip, uint32_t tile_flags);

#endif
