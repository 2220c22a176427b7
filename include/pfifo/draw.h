/* SPDX-License-Identifier: MIT */
/*
 * Draws and clears of 3D objects as an observer sees them (pfifo/event.h), and pictures of what they wrote to.
 *
 *   static void look(void *opaque, const struct pfifo_event *event) {
 *       const struct pfifo_draw *draw = event->draw; // of engine.draw, and of engine.done where a clear is done
 *       if (draw && draw->target[0].format)
 *           pfifo_gpu_picture(gpu, &draw->target[0], rgba, &error);
 *   }
 *
 * All pixels are in memory when the event is sent. A target can be copied and looked at later, as long as its memory is
 * mapped.
 *
 * Library: libpfifo
 */
#ifndef PFIFO_DRAW_H
#define PFIFO_DRAW_H

#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pfifo_gpu;

#define PFIFO_DRAW_COLORS   8u                       /* colour targets, the first ones of pfifo_draw.target */
#define PFIFO_DRAW_TARGETS  (PFIFO_DRAW_COLORS + 1u) /* the last one is depth and stencil */
#define PFIFO_DRAW_TEXTURES 16u

/* What a draw writes to. */
struct pfifo_target {
    const char *format;     /* "BGRA8_UNORM"; NULL: there is none */
    const char *layout;     /* "pitch", "swizzled", "block" */
    uint64_t address;       /* of the first layer that is bound; in the DMA object before G80, virtual from there on */
    uint32_t width, height; /* in pixels */
    uint32_t samples;       /* of a pixel, as they are in memory */
    uint32_t layers;        /* that are bound */
    uint64_t place[24];     /* the library's own: where its pixels are */
};

struct pfifo_draw_texture {
    uint32_t header;    /* its number in the pool */
    const char *shape;  /* "2D", "cube array" ...; NULL: its header makes no sense now */
    const char *format; /* as of struct pfifo_texture: "A8B8G8R8", "DXT1" */
    uint64_t address;
    uint32_t width, height, depth, layers;
};

/*
 * What a draw has cost, in units that are the same on every run: where the host's time goes. A warp is 32 vertices or
 * pixels for which a program runs at the same time. An instruction counts once for a warp, a read of a texture once for
 * each of its threads.
 */
struct pfifo_draw_work {
    uint64_t vertex_warps, vertex_instructions;
    uint64_t control_warps, control_instructions;       /* of tessellation */
    uint64_t evaluation_warps, evaluation_instructions; /* of tessellation */
    uint64_t geometry_warps, geometry_instructions;
    uint64_t fragment_warps, fragment_instructions;
    uint64_t texture_reads; /* by threads of all of them */
    uint64_t quads;         /* 2 x 2 pixels, or tiles of them, that primitives were compared with */
};

/* A draw, from BEGIN to END, or a clear. Strings are constants, or valid as long as the struct. */
struct pfifo_draw {
    bool clear; /* then only class, method and targets are set */
    uint32_t object_class, method;
    const char *topology;     /* "triangle_strip" */
    uint32_t first, instance; /* of the first method that drew: its first vertex or index */
    uint64_t count;           /* vertices or indices that were asked for */
    uint64_t vertices;        /* that were drawn: without restarts */
    uint64_t primitives;
    uint64_t generated; /* points, lines and triangles that the last stage before clipping made of them */
    uint64_t fragments; /* pixels for which a fragment program was run */
    uint64_t samples;   /* that passed depth and stencil, while they are counted */
    struct pfifo_draw_work work;
    uint64_t vertex_program, fragment_program; /* addresses of their headers, 0: none */
    uint64_t control_program, evaluation_program, geometry_program;
    float viewport[4]; /* x, y, width, height of the first one */
    float near, far;
    char depth[48];    /* "LESS, write, stencil" */
    char blend[80];    /* of the first target: "ADD SRC_ALPHA ONE_MINUS_SRC_ALPHA" */
    uint32_t textures; /* that programs have read, in the order of their numbers */
    struct pfifo_draw_texture texture[PFIFO_DRAW_TEXTURES];
    struct pfifo_target target[PFIFO_DRAW_TARGETS];
};

/*
 * The target that a picture should show: the first colour target that is bound, else depth. NULL: none is bound.
 */
PFIFO_API const struct pfifo_target *pfifo_draw_shown(const struct pfifo_draw *draw);

/*
 * The pixels of a target's first layer as they are now: rows of target->width pixels R, G, B, A, in the order of
 * memory. `rgba` has room for width * height * 4 bytes. Nothing of the GPU changes.
 *
 *   samples           of a pixel are averaged
 *   normalised, float are clamped to 0 .. 1; sRGB is as it is stored
 *   integers          are clamped to 0 .. 255
 *   R or A alone, depth, stencil alone: shades of grey; depth from 0, black, to 1, white
 *
 * Alpha is what is stored, or 255. Bytes that are not mapped are 0. Errors: PFIFO_ERROR_ARGUMENT (no target, or more
 * than 2^26 pixels), PFIFO_ERROR_FAULT (nothing of it is mapped), PFIFO_ERROR_MEMORY.
 */
PFIFO_API enum pfifo_status pfifo_gpu_picture(struct pfifo_gpu *gpu, const struct pfifo_target *target, uint8_t *rgba,
                                              struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
