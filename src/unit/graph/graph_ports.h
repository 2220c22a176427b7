/* SPDX-License-Identifier: MIT */
/*
 * Tables of PGRAPH's 3D units behind an index and a data register. A driver saves and restores them with a channel.
 *
 *   PIPE_ADDRESS, PIPE_DATA (NV10:NV20)   vertices, matrices, lights
 *   RDI_INDEX, RDI_DATA (NV20:NV40)       the same, programs, caches; RDI_INDEX has the table and a place in it
 *
 * Each access of the data register is one word, and moves the index on to the next. What the table does not have of a
 * word is lost (graph_ports.c has the bits).
 *
 *   words 0 .. 3 of a vector of PIPE --> four words that all vectors share, at 0x4470
 *   its last word -------------------> the vector, which takes all of them; numbers of lights have 22 bits
 *   formats of vertex buffers -------> what the attribute can have; the last attribute in use shows at 0x4c
 *
 * Storage comes in pages, when something else than 0 is written, at most 4 MiB: RDI_INDEX could reach 32.
 *
 * Modelled:     the tables of the documents, and storage at all other addresses.
 * Not modelled: what methods do to the tables, and tables to drawings (the engine has the state of objects); commands
 *               through PIPE (0x0400 .. 0x05ff) and through registers of the 3D object, which are stored, and do not
 *               move its vertices on; PIPE of NV20 and later.
 * UNKNOWN:      reads of a vector of PIPE of which only some words were written, right after that; chosen: those words.
 *               Where an index goes after the last word of a table; chosen: to its first. What a reset does to the
 *               tables; chosen: they become 0. The bits of NV10's PIPE_ADDRESS, which has 13 and tables of 32 KiB;
 *               chosen: the number of the word.
 * Sources:      envytools hwtest/pgraph_state.cc (which tables there are), pgraph_state_tests.cc (vectors of PIPE),
 *               pgraph_scan.cc (bits of the index), nvhw/pgraph_celsius_xfrm.c, xf.c (numbers of lights); nouveau
 *               nvkm/engine/gr/{nv10,nv20}.c.
 */
#ifndef PFIFO_SRC_UNIT_GRAPH_GRAPH_PORTS_H
#define PFIFO_SRC_UNIT_GRAPH_GRAPH_PORTS_H

#include "unit/graph/graph_regs.h"

struct state_io;

/* Create the tables, if the chip has any: else graph->store stays NULL. Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status graph_store_new(struct pgraph *graph, struct pfifo_error *error);
void graph_store_free(struct pgraph *graph);
/* A word at an index; what the table does not have of it is lost, or all of it without memory. */
uint32_t graph_store_read(const struct pgraph *graph, uint32_t index);
void graph_store_write(struct pgraph *graph, uint32_t index, uint32_t value);
/* The next word of the table. */
void graph_store_advance(const struct pgraph *graph, uint32_t *index);

/* graph_pipe.c: the chip's PIPE, NULL: it has none. */
const struct graph_pipe *graph_pipe_of(const struct pfifo_chip *chip);

/* All words become 0. */
void graph_store_clear(struct pgraph *graph);
/* Save or load, inside a section of the caller's. */
void graph_store_state(struct pgraph *graph, struct state_io *io);

#endif
