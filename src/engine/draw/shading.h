/* SPDX-License-Identifier: MIT */
/* Programs of a draw at work: what stages lend to the shader core, and warps that run to their end. */
#ifndef PFIFO_SRC_ENGINE_DRAW_SHADING_H
#define PFIFO_SRC_ENGINE_DRAW_SHADING_H

#include <stdbool.h>

#include "engine/lend/sampling.h"

#define HEADER_BYTES (HEADER_WORDS * 4u)

struct draw_pipeline;
struct draw_stage;
struct draw_worker;
struct shade_group;

/*
 * The header and program of a stage; *anew becomes true if it is another. False: it cannot be read, which has been
 * reported.
 */
bool shading_load(struct draw_pipeline *pipeline, const struct draw_stage *stage, bool *anew);
/* Before each draw: constants, and what else its program reads. */
void shading_bind(struct draw_pipeline *pipeline, const struct draw_stage *stage);
/* Local memory for all stages. False: no memory of the host. */
bool shading_local(struct draw_pipeline *pipeline);
/* At the beginning of a slice it is 0. Returns how many bytes that were. */
uint64_t shading_clear_local(struct draw_pipeline *pipeline);
/* Another worker has the stages of the one that leads. */
void shading_follow(struct draw_worker *worker, const struct draw_worker *lead);
/* The pools of textures. */
struct sampling_pools shading_pools(const struct draw_worker *worker);
/* Run the program of a stage for these lanes, some of them helpers, to its end. False: it has failed, as was raised. */
bool shading_run(struct draw_worker *worker, unsigned program, uint32_t lanes, uint32_t helpers);
/* The same for lanes that have come to the end of another stage's program: the registers are as it has left them. */
bool shading_go_on(struct draw_worker *worker, unsigned program, uint32_t lanes);
/* The same for a group of threads, up to those of a warp, that may wait for each other at barriers. */
bool shading_run_group(struct draw_worker *worker, unsigned program, struct shade_group *group, unsigned threads);

#endif
