/* SPDX-License-Identifier: MIT */
/* What a frame of a real program costs between its ioctls and the engines, and what a submission does. */
#ifndef PFIFO_BENCH_FACE_H
#define PFIFO_BENCH_FACE_H

struct drm_host;

/* For programs in this process: its memory, no time, no descriptors. */
extern const struct drm_host bench_drm_host;

/* Scenes of glmark2 that were recorded from the DRM face, made again as ioctls. `folder`: where the captures are. */
void bench_drm(const char *folder);
/* Small submissions by EXEC, by GEM_PUSHBUF, and without ioctls. */
void bench_exec(void);

#endif
