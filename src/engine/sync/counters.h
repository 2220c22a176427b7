/* SPDX-License-Identifier: MIT */
/*
 * What 3D drawing counts, and what reports show of it: one set per channel, as a part of its context. Whoever draws
 * adds to them; the methods that enable counting (SET_ZPASS_PIXEL_COUNT, 0xd68, QUERY_ENABLE) are the drawer's to obey.
 * Counters start at 0 and are cleared by CLEAR_REPORT_VALUE (COUNTER_RESET, 0x1530), on Kelvin to Curie by QUERY_RESET
 * (0x17c8), and by nothing else.
 *
 * Those of streams also keep where transform feedback is in each buffer: LOAD_WRITE_POINTER says where it goes on.
 *
 * Modelled:     owner, reports, resets, save and restore. Draws of Fermi to Pascal count (draw_count() of
 *               draw/group.c); all other counters stay 0.
 * Not modelled: zcull statistics, clocks, tiled sample counts: their reports are always 0.
 * Sources: NVIDIA open-gpu-doc classes/3d; envytools rnndb/graph/g80_3d.xml, gf100_3d.xml, nv30-40_3d.xml; Mesa
 * src/gallium/drivers/nouveau (nv30_query.c, nv50_query_hw.c, nvc0_query_hw.c, nvc0_query_hw_sm.c).
 */
#ifndef PFIFO_SRC_ENGINE_SYNC_COUNTERS_H
#define PFIFO_SRC_ENGINE_SYNC_COUNTERS_H

#include "engine/core/action.h"

#define COUNTER_STREAMS 4u /* of transform feedback; Tesla has one */

/* Those of streams come COUNTER_STREAMS times: stream n is COUNTER_... + n. */
enum counter {
    COUNTER_SAMPLES,             /* that passed all tests */
    COUNTER_VERTICES,            /* that the assembler took */
    COUNTER_PRIMITIVES,          /* that it made */
    COUNTER_VERTEX_SHADER,       /* invocations */
    COUNTER_TESS_INIT_SHADER,    /* invocations: patches */
    COUNTER_TESS_SHADER,         /* invocations: points */
    COUNTER_TESS_PRIMITIVES,     /* that the tessellator made */
    COUNTER_GEOMETRY_SHADER,     /* invocations */
    COUNTER_GEOMETRY_PRIMITIVES, /* that it emitted, of all streams */
    COUNTER_CLIPPER,             /* primitives that came to the clipper */
    COUNTER_CLIPPER_PRIMITIVES,  /* and left it */
    COUNTER_PIXEL_SHADER,        /* invocations */
    COUNTER_STREAM_SUCCEEDED,    /* primitives written to all buffers of a stream, */
    COUNTER_STREAM_NEEDED = COUNTER_STREAM_SUCCEEDED + COUNTER_STREAMS, /* and those that should have been */
    COUNTER_STREAM_OUT = COUNTER_STREAM_NEEDED + COUNTER_STREAMS,       /* primitives that left the last vertex stage */
    COUNTER_STREAM_BYTES = COUNTER_STREAM_OUT + COUNTER_STREAMS,        /* written to a buffer */
    COUNTERS = COUNTER_STREAM_BYTES + COUNTER_STREAMS,
};

extern const struct private_state counters_shared;

/* Count, read, clear; `call` says whose they are. Without memory nothing is counted. */
void counter_add(const struct call *call, enum counter counter, uint64_t amount);
uint64_t counter_value(const struct call *call, enum counter counter);
void counter_set(const struct call *call, enum counter counter, uint64_t value);
void counter_reset(const struct call *call, enum counter counter);

/* The value of a report, by its number in REPORT of QUERY_GET (0 .. 31); `stream`: SUB_REPORT. */
uint64_t counter_report(const struct call *call, unsigned report, unsigned stream);

#endif
