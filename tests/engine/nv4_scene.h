/* SPDX-License-Identifier: MIT */
/*
 * What the tests of NV4's 2D objects need: context objects, a surface in DMA object 4 and a drawing object on
 * subchannel 0. Context objects are set on subchannel 7. The instance of a class is its number (rig.h).
 */
#ifndef PFIFO_TESTS_ENGINE_NV4_SCENE_H
#define PFIFO_TESTS_ENGINE_NV4_SCENE_H

#include "check.h"

#define SCENE_DMA    4u
#define SCENE_MEMORY (SCENE_DMA << 16)

enum { FORMAT_Y8 = 1, FORMAT_Z1R5G5B5, FORMAT_O1R5G5B5, FORMAT_R5G6B5, FORMAT_Y16, FORMAT_Z8R8G8B8, FORMAT_O8R8G8B8 };
enum { FORMAT_Z1A7R8G8B8 = 8, FORMAT_O1A7R8G8B8, FORMAT_A8R8G8B8, FORMAT_Y32 };
enum { SRCCOPY_AND, ROP_AND, BLEND_AND, SRCCOPY, SRCCOPY_PREMULT, BLEND_PREMULT };

struct scene {
    struct engine_rig rig;
    unsigned id;
    uint32_t surfaces; /* class of SURF2D on this chip */
    uint32_t format, pitch, bytes;
};

static inline uint32_t xy(int x, int y) {
    return ((uint32_t)y & 0xffff) << 16 | ((uint32_t)x & 0xffff);
}

/* Methods of a context object. */
#define scene_set(scene, object_class, method, ...) scene_set_words(scene, object_class, method, WORDS(__VA_ARGS__))

/* Methods of the drawing object. */
#define scene_send(scene, method, ...) send(&(scene)->rig, (scene)->id, 0, method, __VA_ARGS__)

void scene_set_words(struct scene *scene, uint32_t object_class, uint32_t method, const uint32_t *data, uint32_t count);

/* A chip whose surfaces have this format and pitch, both at the start of the DMA object; the memory is zeroed. */
void scene_start(struct scene *scene, const char *chip, uint32_t format, uint32_t pitch);
void scene_stop(struct scene *scene);
void scene_format(struct scene *scene, uint32_t format, uint32_t pitch);

/* Bind a drawing class with `operation`, and SURF2D, at the methods that say so. */
void scene_object(struct scene *scene, uint32_t object_class, uint32_t surface_at, uint32_t operation_at,
                  uint32_t operation);

uint32_t scene_pixel(struct scene *scene, unsigned x, unsigned y);
void scene_put(struct scene *scene, unsigned x, unsigned y, uint32_t pixel);

/* Pixels with this value in the first `width` columns and `height` rows. */
unsigned scene_count(struct scene *scene, unsigned width, unsigned height, uint32_t pixel);

#endif
