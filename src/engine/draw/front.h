/* SPDX-License-Identifier: MIT */
/*
 * Draws of 3D objects of Fermi to Pascal: BEGIN, arrays, elements, inline indices, END.
 *
 *   front.c           methods; vertices wait in a queue
 *   front_inline.c    vertices whose attributes come as words
 *   front_batch.c     up to 32 of them: fetch, vertex program, assembly, clipping, raster; slices
 *   front_stage.c     what stages lend to the shader core: programs, constants, memory, textures (sampling.c)
 *   front_fragment.c  fragments: their program's inputs and outputs
 *   front_tally.c     what observers are told of a draw: from BEGIN to END
 *   state_gf100.c     what the methods say
 *
 * A draw is done when its method is: arrays and elements with their count, inline indices with END (or when the queue
 * is full). Long ones come in slices (core/work.h).
 *
 * Modelled:     vertex and fragment programs; all topologies but patches; instances, base vertex, restart; counters.
 * Not modelled: tessellation, geometry programs, transform feedback, vertex program A, DRAW_AUTO, images:
 *               draws that need the first four are not executed, and say so.
 * UNKNOWN:      vertices of a draw outside of BEGIN and END; chosen: they are dropped.
 * UNKNOWN:      what becomes of a draw whose program has an error or does not end, if no trap handler is there; chosen:
 *               the rest of it is not drawn, and the channel goes on when the driver has acknowledged the error.
 * Sources:      NVIDIA open-gpu-doc classes/3d; envytools rnndb/graph/gf100_3d.xml; Mesa
 *               src/gallium/drivers/nouveau/nvc0/nvc0_vbo.c, nvc0_program.c.
 */
#ifndef PFIFO_SRC_ENGINE_DRAW_FRONT_H
#define PFIFO_SRC_ENGINE_DRAW_FRONT_H

#include "engine/core/action.h"

extern const struct private_state front_part; /* of an object */
extern const struct action front_gf100_actions[];

#endif
