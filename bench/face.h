/* SPDX-License-Identifier: MIT */
/* What a frame of a real program costs between its ioctls and the engines. */
#ifndef PFIFO_BENCH_FACE_H
#define PFIFO_BENCH_FACE_H

/* Scenes of glmark2 that were recorded from the DRM face, made again as ioctls. `folder`: where the captures are. */
void bench_drm(const char *folder);

#endif
