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
 *
 * Storage comes in pages, when something else than 0 is written, at most 4 MiB: RDI_INDEX could reach 32.
 *
 * Modelled:     the tables of the documents, and storage at all other addresses.
 * Not modelled: what methods do to the tables, and tables to drawings (the engine has the state of objects); commands
 *               through PIPE (0x0400 .. 0x05ff), which are stored; formats of vertex buffers, which are stored as
 *               written, and the state of vertices that follows from them; PIPE of NV20 and later.
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
/* All words become 0. */
void graph_store_clear(struct pgraph *graph);
/* Save or load, inside a section of the caller's. */
void graph_store_state(struct pgraph *graph, struct state_io *io);

#endif
