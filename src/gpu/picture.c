/* SPDX-License-Identifier: MIT */
#include "engine/surface/picture.h"

#include "gpu/gpu.h"

const struct pfifo_target *pfifo_draw_shown(const struct pfifo_draw *draw) {
    for (unsigned i = 0; i < PFIFO_DRAW_TARGETS; i++)
        if (draw->target[i].format)
            return &draw->target[i];
    return NULL;
}

enum pfifo_status pfifo_gpu_picture(struct pfifo_gpu *gpu, const struct pfifo_target *target, uint8_t *rgba,
                                    struct pfifo_error *error) {
    return picture_read(&gpu->memory, target, rgba, error);
}
