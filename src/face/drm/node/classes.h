/* SPDX-License-Identifier: MIT */
/* Classes of objects that the kernel offers on a channel: Linux nvkm/engine/fifo/uchan.c, nouveau_abi16.c. */
#ifndef PFIFO_SRC_FACE_DRM_NODE_CLASSES_H
#define PFIFO_SRC_FACE_DRM_NODE_CLASSES_H

#include <pfifo/driver.h>

#define DRM_MOST_CLASSES 64u

struct drm_class {
    int32_t oclass;
    int16_t version; /* the lowest and the highest of its constructor; -1: it takes no data */
};

/* What SCLASS lists for a channel of `engine`, in its order; how many. */
unsigned drm_classes(const struct pfifo_chip *chip, enum pfifo_channel_engine engine, struct drm_class *list,
                     unsigned room);

bool drm_class_listed(const struct pfifo_chip *chip, enum pfifo_channel_engine engine, int32_t oclass);

/* A DMA object: it is listed, but takes a description that no ioctl of ours carries. */
bool drm_class_is_dma(int32_t oclass);

/*
 * What GROBJ_ALLOC makes of a class: old programs call the software class xx6e, and the video engines' by the names of
 * other chips. 0: the channel has none of that kind.
 */
int32_t drm_class_named(const struct pfifo_chip *chip, enum pfifo_channel_engine engine, int32_t name);

#endif
