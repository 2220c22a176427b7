/* SPDX-License-Identifier: MIT */
/*
 * Pictures of what a run draws, as PNG files: the last target that was drawn to or cleared (--screenshot), and the
 * first target of each draw with a line of its state (--draws). The pixels are those of pfifo_gpu_picture(). For
 * captures and for programs; a program's own screen is in picture.h.
 */
#ifndef PFIFO_SRC_FACE_DRM_PICTURES_H
#define PFIFO_SRC_FACE_DRM_PICTURES_H

#include <pfifo/gpu.h>

struct pictures_config {
    const char *screenshot; /* NULL: none */
    const char *folder;     /* of draws; NULL: none */
    uint64_t first, count;  /* which draws, from 0 on; count 0: PICTURES_DRAWS */
    /* What could not be written, and how many draws were. */
    void (*message)(void *opaque, const char *text);
    void *opaque;
};

#define PICTURES_DRAWS 1000u

struct pictures;

/* A PNG file of rows R G B A, without their alpha. False: `error` says why. */
bool pictures_write(const char *path, uint32_t width, uint32_t height, const uint8_t *rgba, struct pfifo_error *error);

/* Observes the GPU. `file` is named in the lines. NULL: `error` says why. */
struct pictures *pictures_new(const struct pictures_config *config, struct pfifo_gpu *gpu, const char *file,
                              struct pfifo_error *error);
/* A submission begins. */
void pictures_submission(struct pictures *pictures, uint32_t sequence);
/* Memory is about to go: what the last target holds now is the picture, until there is a later one. */
void pictures_keep(struct pictures *pictures);
/* The picture is this, until there is a later one of its kind; takes the pixels (R, G, B, A). */
void pictures_show(struct pictures *pictures, uint32_t width, uint32_t height, uint8_t *rgba);
/* There is a better picture than that of the last target: no screenshot. */
void pictures_no_screenshot(struct pictures *pictures);
/* Writes what is to be written, and frees (NULL allowed). False: something could not be written, which was said. */
bool pictures_end(struct pictures *pictures);
/* Frees (NULL allowed), and writes nothing more: files belong to another process. */
void pictures_drop(struct pictures *pictures);

#endif
