/* SPDX-License-Identifier: MIT */
/*
 * Engines execute the methods that the puller passes on. The built-in engines (graph, copy, ...) and an
 * embedder's own use the same table of operations.
 *
 *   puller --bind(subchannel, class)--> engine
 *          --methods(run)-----------> engine: "I took k of them"
 *
 * A run is consecutive methods of one packet on one subchannel: method, method + step, ...
 * Contract of methods(): consume methods in order and return how many. A method with a side effect
 * outside the engine (it writes memory, waits, or interrupts) must be executed alone. If it is not the FIRST of the
 * run, return before it; it then comes again at the start of the next run. If it is the first, execute it and return 1,
 * since it may have overwritten `data`, of which the pusher still has the old words. This keeps the pusher's visible
 * state exact at every side effect, and costs two more calls per side effect. Return 0 only to stall. While
 * puller.method is observed, runs have one method each.
 *
 *   static uint32_t methods(void *opaque, const struct pfifo_methods *run) {
 *       struct engine *engine = opaque;
 *       for (uint32_t i = 0; i < run->count; i++) {
 *           uint32_t method = run->method + i * run->step;
 *           if (method == LAUNCH && i > 0)
 *               return i;                                 // it comes again, as the first of the next run
 *           engine->word[method / 4] = run->data[i];      // plain state: as many as there are
 *           if (method == LAUNCH)
 *               return launch(engine, run->channel);      // alone: 1, or 0 if it cannot be done yet
 *       }
 *       return run->count;
 *   }
 */
#ifndef PFIFO_ENGINE_H
#define PFIFO_ENGINE_H

#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pfifo_gpu;

/* Takes bytes that are saved. False: they could not be written, which ends the saving. */
typedef bool (*pfifo_writer)(void *opaque, const void *data, size_t bytes);

/* The channel on whose behalf an engine works. Opaque. */
struct pfifo_channel_context;

/* A run of methods. `data` is in host byte order, only valid during the call, and may be the pushbuffer itself. */
struct pfifo_methods {
    const uint32_t *data;
    uint32_t count;     /* at least 1 */
    uint16_t method;    /* byte offset of the first */
    uint8_t step;       /* 4: increasing, 0: all to the same method */
    uint8_t subchannel; /* 0 .. 7 */
    const struct pfifo_channel_context *channel;
};

struct pfifo_engine_ops {
    const char *name; /* "PGRAPH" */
    /*
     * An object is bound to a subchannel. `object_class`: its class; `object`: instance number (RAMIN or
     * descriptor offset >> 4) before GF100, 0 from there on. False: the engine does not take the class.
     */
    bool (*bind)(void *engine, const struct pfifo_channel_context *channel, unsigned subchannel, uint32_t object_class,
                 uint32_t object);
    /* Execute methods, see above. */
    uint32_t (*methods)(void *engine, const struct pfifo_methods *run);
    /* Work of this channel still under way? NULL: never (synchronous engine). */
    bool (*busy)(void *engine, const struct pfifo_channel_context *channel);
    /* What methods() waited for when it returned 0: a word in memory. False: something else. NULL: not known. */
    bool (*waits_for)(void *engine, const struct pfifo_channel_context *channel, uint64_t *address, uint32_t *expected,
                      uint32_t *found);
    /* The engine is about to work for another channel than before. NULL: does not care. */
    void (*switch_channel)(void *engine, const struct pfifo_channel_context *channel);
    /* A channel ceased to exist; forget its state. NULL: keeps none. */
    void (*channel_gone)(void *engine, uint32_t channel);
    /* Read back the last value of a method (the register file). False: not kept. NULL: keeps none. */
    bool (*method_value)(void *engine, uint32_t channel, uint32_t object_class, uint32_t method, uint32_t *value);
    /* Free the engine's state. NULL: nothing to free. */
    void (*free)(void *engine);
    /*
     * For pfifo_gpu_save(): hand everything that the engine keeps to `write`, in pieces; the same state gives the same
     * bytes. NULL: a GPU that has used the engine cannot be saved.
     */
    enum pfifo_status (*save)(void *engine, pfifo_writer write, void *opaque, struct pfifo_error *error);
    /*
     * For pfifo_gpu_load(): discard all state, and restore what save() wrote. `data` NULL: the power-on state. The
     * bytes are not trusted and not aligned. NULL: a GPU that has used the engine cannot be loaded.
     */
    enum pfifo_status (*load)(void *engine, const void *data, size_t bytes, struct pfifo_error *error);
};

/* Number of the channel. */
PFIFO_API uint32_t pfifo_channel_context_id(const struct pfifo_channel_context *channel);

/*
 * Memory in the channel's context. `object`: instance number of the DMA object before GF100 (what the puller
 * translated a handle to); ignored from GF100 on, where `address` is virtual. False: the access faulted, and the
 * GPU raised what its hardware raises.
 */
PFIFO_API bool pfifo_channel_read(const struct pfifo_channel_context *channel, uint32_t object, uint64_t address,
                                  void *data, size_t bytes);
PFIFO_API bool pfifo_channel_write(const struct pfifo_channel_context *channel, uint32_t object, uint64_t address,
                                   const void *data, size_t bytes);

/*
 * Interrupt the host on behalf of engine `id` (as in pfifo_gpu_set_engine): NOTIFY in PGRAPH's INTR, or the interrupt
 * register of a unit that has one (PGRAPH's for those that have none), and from GF100 on PFIFO's non-stall interrupt,
 * too. An id that the chip does not have does nothing.
 */
PFIFO_API void pfifo_channel_interrupt(const struct pfifo_channel_context *channel, unsigned id);

/* A method that an engine refuses, and why, in the numbers of the chip's generation. */
struct pfifo_engine_error {
    const char *name; /* "INVALID_VALUE": a constant, for events */
    uint32_t subchannel, object_class, method, data;
    uint32_t nsource; /* NV4:G80: bits of NSOURCE; before, of INVALID */
    uint32_t code;    /* G80-: DATA_ERROR; copy engines from GK104 on: LAUNCHERR; falcons: their firmware's number */
};

/*
 * Engine `id` refuses a method: registers of the unit show it, the host is interrupted, and engine.error is sent.
 * False: the chip has no such engine, the unit does not check, or the driver has switched its checks off. An embedder's
 * engine is not held until the driver has looked; methods() may return 0 for that.
 */
PFIFO_API bool pfifo_channel_error(const struct pfifo_channel_context *channel, unsigned id,
                                   const struct pfifo_engine_error *error);

/*
 * The engine's own line into PMC INTR (PGRAPH: bit 12), for an embedder who answers the registers of the engine itself:
 * raised until it is lowered. False: the chip has no such engine, or none with a known line (PME, PVP1).
 */
PFIFO_API bool pfifo_gpu_engine_line(struct pfifo_gpu *gpu, unsigned id, bool level);

/* The GPU's time in nanoseconds, as PTIMER counts it. */
PFIFO_API uint64_t pfifo_channel_time(const struct pfifo_channel_context *channel);

/*
 * Put `engine` in the place of the chip's engine `id` (1 = PGRAPH before GF100, 0 = PGRAPH from GF100 on; see
 * `pfifo info CHIP`). The GPU calls ops->free when it goes; `ops` is not copied. To be called before programs bind
 * objects: the new engine knows nothing of what was bound to the old one. In its operations an engine may call the
 * functions of this header and pfifo_gpu_rd32(), and nothing that runs or writes the GPU.
 */
PFIFO_API enum pfifo_status pfifo_gpu_set_engine(struct pfifo_gpu *gpu, unsigned id, const struct pfifo_engine_ops *ops,
                                                 void *engine, struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
