/* SPDX-License-Identifier: MIT */
/*
 * Pictures of a run, as PNG files: the last target that was drawn to or cleared (--screenshot), and the first target of
 * each draw with a line of its state (--draws). The pixels are those of pfifo_gpu_picture().
 */
#ifndef PFIFO_TOOL_PICTURES_H
#define PFIFO_TOOL_PICTURES_H

#include <pfifo/gpu.h>

struct pictures_config {
    const char *screenshot; /* NULL: none */
    const char *folder;     /* of draws; NULL: none */
    uint64_t first, count;  /* which draws, from 0 on; count 0: PICTURES_DRAWS */
};

#define PICTURES_DRAWS 1000u

struct pictures;

/* Observes the GPU. `file` is named in the lines. NULL: `error` says why. */
struct pictures *pictures_new(const struct pictures_config *config, struct pfifo_gpu *gpu, const char *file,
                              struct pfifo_error *error);
/* A submission begins. */
void pictures_submission(struct pictures *pictures, uint32_t sequence);
/* Memory is about to go: what the last target holds now is the picture, until there is a later one. */
void pictures_keep(struct pictures *pictures);
/* Writes what is to be written, and frees (NULL allowed). False: something could not be written, which was said. */
bool pictures_end(struct pictures *pictures);

#endif
