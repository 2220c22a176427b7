/* SPDX-License-Identifier: MIT */
/*
 * Engines execute the methods that the puller passes on. The built-in engines (graph, copy, ...) and an
 * embedder's own use the same table of operations. An embedder may also plug a class into a built-in engine: see struct
 * pfifo_class_ops.
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
 *
 * Library: libpfifo
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

/* Host memory at an address of the channel. */
struct pfifo_span {
    void *data;
    size_t bytes; /* how many are contiguous from there; at most as many as were asked for */
};

/*
 * The same without a copy: a pointer to the memory, valid until the operation of the engine or class returns. Memory
 * that was asked for with `write` false must not be written. `span` has at least one byte, or 0 and NULL if `bytes` is
 * 0. False: as above, and `span` is empty.
 */
PFIFO_API bool pfifo_channel_span(const struct pfifo_channel_context *channel, uint32_t object, uint64_t address,
                                  size_t bytes, bool write, struct pfifo_span *span);

/* The class of an object of the channel before GF100, by its instance number. 0 from there on, or if it is none. */
PFIFO_API uint32_t pfifo_channel_object_class(const struct pfifo_channel_context *channel, uint32_t object);

/* Increment a syncpoint (Tegras). False: the chip does not have it. */
PFIFO_API bool pfifo_channel_increment(const struct pfifo_channel_context *channel, uint32_t syncpoint);

/*
 * Spend units of the budget of pfifo_gpu_run() on what methods() does besides taking words: one for about 128 bytes
 * copied. The clock advances at once. This bounds a run only if methods() returns in time: after at most 65536 units,
 * as a rule.
 */
PFIFO_API void pfifo_channel_work(const struct pfifo_channel_context *channel, uint64_t units);

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

/*
 * The GPU's time in nanoseconds, as PTIMER counts it: that of the first method of those that methods() is called with.
 * An engine that takes more of them has the time of a later one when it is called again.
 */
PFIFO_API uint64_t pfifo_channel_time(const struct pfifo_channel_context *channel);

/*
 * Put `engine` in the place of the chip's engine `id` (1 = PGRAPH before GF100, 0 = PGRAPH from GF100 on; see
 * `pfifo info CHIP`). The GPU calls ops->free when it goes; `ops` is not copied. To be called before programs bind
 * objects: the new engine knows nothing of what was bound to the old one. In its operations an engine may call the
 * functions of this header and pfifo_gpu_rd32(), and nothing that runs or writes the GPU.
 */
PFIFO_API enum pfifo_status pfifo_gpu_set_engine(struct pfifo_gpu *gpu, unsigned id, const struct pfifo_engine_ops *ops,
                                                 void *engine, struct pfifo_error *error);

/* ---- a class beside the built-in ones ---- */

/*
 * A class that is plugged into a unit. It is one that the unit does not know, or one that is built in, which it then
 * replaces; all other classes of the unit work as before. It gets all methods of its objects from 0x100 on, in order,
 * in runs: also those that its objects have in common with others, such as NOTIFY, semaphores and reports.
 *
 *   static uint32_t methods(void *opaque, const struct pfifo_methods *run) {
 *       struct drawing *d = opaque;                                // one for each class: it has the state of channels
 *       struct pfifo_span span;
 *       if (run->method != DRAW)
 *           return set(d, run);                                    // plain state, up to DRAW
 *       if (!pfifo_channel_span(run->channel, 0, d->target, d->bytes, true, &span))
 *           return 1;                                              // it faulted: the method is lost
 *       d->left = draw_some(d, span.data, span.bytes);
 *       pfifo_channel_work(run->channel, SLICE_UNITS);
 *       return d->left ? 0 : 1;                                    // 0: DRAW comes again, since busy() says so
 *   }
 *   static bool busy(void *opaque, const struct pfifo_channel_context *channel) {
 *       return ((struct drawing *)opaque)->left != 0;
 *   }
 *   static const struct pfifo_class_ops ops = {.size = sizeof ops, .name = "3D", .methods = methods, .busy = busy};
 *   ...
 *   pfifo_gpu_add_class(gpu, "PGRAPH", 0x9097, &ops, &drawing, &error);
 *
 * Operations are called in the thread that runs the GPU, during pfifo_gpu_run(); busy also in pfifo_gpu_has_work(), and
 * save, load, channel_gone and free in the calls that save, load, reset, write to and free the GPU. In them a class may
 * call the functions of this header that take a channel, and pfifo_gpu_rd32(); not what runs or writes the GPU.
 */
struct pfifo_class_ops {
    size_t size;      /* sizeof(struct pfifo_class_ops) */
    const char *name; /* for messages; must live as long as the GPU */
    /* An object is bound, see pfifo_engine_ops.bind. False: the class does not take it. NULL: it takes all. */
    bool (*bind)(void *opaque, const struct pfifo_channel_context *channel, unsigned subchannel, uint32_t object_class,
                 uint32_t object);
    /*
     * Execute methods. The contract is that of an engine, see above: a method that accesses memory, interrupts, waits,
     * fails or sends an event is executed alone, as the first of a run. 0: it cannot be done yet, and is offered again
     * with the same data: within this run, for a unit of the budget each time, if busy() says so, otherwise with the
     * next run. If another method comes instead, the host has removed the one that waited.
     */
    uint32_t (*methods)(void *opaque, const struct pfifo_methods *run);
    /* Did methods() return 0 for a long launch of this channel, which goes on when it is offered again? NULL: never. */
    bool (*busy)(void *opaque, const struct pfifo_channel_context *channel);
    /* See pfifo_engine_ops. Without `save`, a GPU in which the class has objects cannot be saved. */
    enum pfifo_status (*save)(void *opaque, pfifo_writer write, void *to, struct pfifo_error *error);
    enum pfifo_status (*load)(void *opaque, const void *data, size_t bytes, struct pfifo_error *error);
    /* The GPU is freed, or its unit gets another engine. NULL: nothing to free. */
    void (*free)(void *opaque);
    /* A channel ceased to exist; forget its state. It need not have used the class. NULL: keeps none. */
    void (*channel_gone)(void *opaque, uint32_t channel);
};

/*
 * Plug a class into unit `unit` ("PGRAPH", "PCOPY0" ...; see `pfifo info CHIP`), before an object of it is bound. `ops`
 * is copied. The values of its methods are kept: pfifo_gpu_method_value() reads them. A saved state goes back only into
 * a GPU into which the same classes are plugged.
 * Errors, after which `opaque` is still the caller's: PFIFO_ERROR_ARGUMENT (no such unit, an operation or the name is
 * missing, the class is plugged in already or was bound, the GPU runs, class 0 or above 0xffff), _UNSUPPORTED (NV1 and
 * NV3, where PGRAPH's registers have the objects; the unit has an engine of pfifo_gpu_set_engine(); more than 8
 * classes), _MEMORY.
 */
PFIFO_API enum pfifo_status pfifo_gpu_add_class(struct pfifo_gpu *gpu, const char *unit, uint32_t object_class,
                                                const struct pfifo_class_ops *ops, void *opaque,
                                                struct pfifo_error *error);

/* Why a class interrupts although nothing is wrong. */
enum pfifo_class_cause {
    PFIFO_CLASS_NOTIFY, /* a program wants to be woken */
    PFIFO_CLASS_COPY,   /* a copy that asked for it is over */
    PFIFO_CLASS_QUERY,  /* a report or semaphore was written */
    PFIFO_CLASS_TRAP,   /* a report whose operation is that */
};

/* Why a class refuses a method. */
enum pfifo_class_error {
    PFIFO_CLASS_ILLEGAL_METHOD, /* it has no such method */
    PFIFO_CLASS_INVALID_VALUE,
    PFIFO_CLASS_INVALID_ENUM,
    PFIFO_CLASS_INVALID_BITFIELD,
    PFIFO_CLASS_INVALID_OBJECT,
    PFIFO_CLASS_INVALID_OPERATION,
    PFIFO_CLASS_ALIGNMENT, /* of an address */
};

/*
 * For methods() of a class that is plugged in, with the channel of its run. False: they were called from elsewhere, or
 * with a number that is not in the enumeration; nothing happens.
 *
 *   _interrupt()  wakes the host as built-in classes do: INTR of the unit, and from GF100 on PFIFO's non-stall one
 *   _error()      refuses a method: the registers of the unit show it as the chip's generation does, the host is
 *                 interrupted, engine.error is sent, and the unit takes no other method until the driver has looked.
 *                 Take the method (return 1). If the chip or its driver does not check, only the event is sent
 *   _event()      sends engine.class to observers: a text that is valid during the call, and three numbers that mean
 *                 what the class likes
 */
PFIFO_API bool pfifo_class_interrupt(const struct pfifo_channel_context *channel, enum pfifo_class_cause cause);
PFIFO_API bool pfifo_class_error(const struct pfifo_channel_context *channel, uint32_t method, uint32_t data,
                                 enum pfifo_class_error error);
PFIFO_API bool pfifo_class_event(const struct pfifo_channel_context *channel, const char *text, uint64_t first,
                                 uint64_t second, uint64_t third);

#ifdef __cplusplus
}
#endif

#endif
