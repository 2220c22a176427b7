/* SPDX-License-Identifier: MIT */
/*
 * What stages have of each other's vertices: words of the attribute space meet by their address. A program writes what
 * the next one reads (by its header), or, if it is the last one, what is needed of vertices after it; words that it does
 * not write have a default.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_LINKS_H
#define PFIFO_SRC_ENGINE_DRAW_LINKS_H

#include "engine/draw/vertex_block.h"

struct draw_pipeline;
struct draw_worker;

/* A word is added to a list, if it is not there. */
void block_words_add(struct block_words *words, unsigned word);

/* For the graph of a pipeline, whose headers are known: pipeline->link of each of its programs but the fragment's. */
void links_find(struct draw_pipeline *pipeline);

/* Does the last program before clipping write this word? */
bool links_write(const struct draw_pipeline *pipeline, unsigned word);

/* The vertices of a block will be what a program writes: it has its list, and defaults. */
void links_begin(struct draw_worker *worker, unsigned program, struct vertex_block *block);
/* The program has run: colours of the last one are clamped, if they are to be. */
void links_end(struct draw_worker *worker, unsigned program, struct vertex_block *block);

#endif
