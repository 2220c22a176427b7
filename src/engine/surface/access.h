/* SPDX-License-Identifier: MIT */
/*
 * What operations read and write, for observers: engine.read and engine.write.
 *
 *   an operation is done --call_reads(), call_writes()--> an event for each surface or buffer --> engine.done
 *
 * Nothing is done where nobody observes them.
 */
#ifndef PFIFO_SRC_ENGINE_SURFACE_ACCESS_H
#define PFIFO_SRC_ENGINE_SURFACE_ACCESS_H

#include "engine/core/action.h"
#include "engine/surface/surface.h"

/* A rectangle of a surface; `bytes` of a line. `kind`: what it is to the operation. An empty one is none. */
struct access {
    const char *kind;
    struct surface_point at;
    uint64_t bytes, lines;
};
void call_reads(const struct call *call, const struct surface *surface, const struct access *access);
void call_writes(const struct call *call, const struct surface *surface, const struct access *access);

/* Bytes from an address on. */
void call_reads_bytes(const struct call *call, const char *kind, const struct address_space *space, uint64_t address,
                      uint64_t bytes);
void call_writes_bytes(const struct call *call, const char *kind, const struct address_space *space, uint64_t address,
                       uint64_t bytes);

/* Layers, `stride` apart, of which each takes `bytes`. */
struct access_layers {
    uint64_t address, bytes, count, stride;
};
void call_reads_layers(const struct call *call, const char *kind, const struct address_space *space,
                       const struct access_layers *layers);
void call_writes_layers(const struct call *call, const char *kind, const struct address_space *space,
                        const struct access_layers *layers);

#endif
