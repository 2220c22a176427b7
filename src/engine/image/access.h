/* SPDX-License-Identifier: MIT */
/* Of the files of this folder: an access of lanes to one image. */
#ifndef PFIFO_SRC_ENGINE_IMAGE_ACCESS_H
#define PFIFO_SRC_ENGINE_IMAGE_ACCESS_H

#include "engine/image/image.h"
#include "isa/shader/operation.h"

struct image_access {
    uint32_t lanes, inside; /* `inside`: of these lanes, those that have an address */
    uint64_t address[SHADE_LANES];
    unsigned bytes;
    uint8_t error; /* enum shade_error */
};

/* Register `first` + i of a block. */
const uint32_t *image_block(const struct shade_warp *warp, unsigned first, unsigned i);
unsigned image_bytes_of(unsigned type);
/* Of these lanes the first ones, as long as they have the same number: so all of them come in order. */
uint32_t image_run(const uint32_t *numbers, uint32_t lanes);
/* The addresses of the lanes by their coordinates. False: an error. */
bool image_find(const struct image *image, const struct shade_warp *warp, const struct ir *ir, struct image_access *to);
/* What is known of the addresses is enough for an access. False: an error. */
bool image_check(const struct ir *ir, struct image_access *to);
/* False: a fault. */
bool image_access(const struct image *image, struct shade_warp *warp, const struct ir *ir, struct image_access *at,
                  struct shade_image *result);
/* raw.c: accesses at addresses of the program's own. */
bool image_raw(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, struct shade_image *result);

#endif
