/* SPDX-License-Identifier: MIT */
/*
 * Primitives of a draw as lines: what stages between vertices and clipping have made (--draws).
 *
 *   GPU --each primitive--> segments --the draw has ended--> a picture as large as its target, white on black
 */
#ifndef PFIFO_SRC_FACE_DRM_SESSION_WIREFRAME_H
#define PFIFO_SRC_FACE_DRM_SESSION_WIREFRAME_H

#include <pfifo/gpu.h>

#define WIREFRAME_MOST (1u << 18) /* primitives of a draw; those that follow are left out */

struct wireframe;

/* Primitives are collected from now on. NULL: no memory. */
struct wireframe *wireframe_new(struct pfifo_gpu *gpu);
void wireframe_free(struct wireframe *wireframe);
/* What has been collected, as pixels R, G, B, A; then it is forgotten. NULL: no memory. */
uint8_t *wireframe_take(struct wireframe *wireframe, uint32_t width, uint32_t height);
void wireframe_forget(struct wireframe *wireframe);

#endif
