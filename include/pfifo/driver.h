/* SPDX-License-Identifier: MIT */
/*
 * The kernel's part: a device with memory at GPU addresses, channels, objects and submissions, on any
 * generation. It does what a kernel driver does, the way one does it: only through the GPU's registers
 * and memory. Programs that bring their own kernel driver (a PCI guest) do not need this.
 *
 *   struct pfifo_device *device = pfifo_device_open(&(struct pfifo_device_config){.gpu.chip = chip}, &error);
 *   struct pfifo_buffer *push = pfifo_buffer_new(device, PFIFO_GART, 4096, 0, &error);
 *   struct pfifo_channel *channel = pfifo_channel_open(device, &(struct pfifo_channel_config){0}, &error);
 *   pfifo_buffer_write(push, 0, words, bytes);
 *   pfifo_channel_submit(channel, pfifo_buffer_address(push), bytes, 0, &error);
 *   pfifo_device_wait(device, UINT64_MAX, &error);
 *
 * Library: libpfifo
 */
#ifndef PFIFO_DRIVER_H
#define PFIFO_DRIVER_H

#include <pfifo/engine.h>
#include <pfifo/fence.h>
#include <pfifo/gpu.h>
#include <pfifo/vm.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pfifo_device;
struct pfifo_buffer;
struct pfifo_channel;

/* Where a buffer lives. Chips without VRAM have GART only; PFIFO_VRAM means the same there. */
enum pfifo_domain { PFIFO_VRAM = 2, PFIFO_GART = 4 };

/*
 * A fault that the interrupt handler found, as the registers show it. The strings are constant; the structure is valid
 * during the call. The registers do not identify the pushbuffer word that a method came from; an observer of events can
 * find it, as `pfifo run` does.
 */
struct pfifo_device_fault {
    uint32_t channel;            /* UINT32_MAX: not known */
    const char *unit;            /* "DMA_PUSHER", "CACHE_ERROR", "SEMAPHORE", "PBDMA", "MMU", "PGRAPH" ... */
    const char *error;           /* name of the error code: "INVALID_CMD", "PBENTRY", "PTE" ... */
    uint64_t address;            /* DMA_GET, address of the word (PBDMA), or virtual address (MMU), 0 if it has none */
    uint32_t subchannel, method; /* if the unit shows them, else 0 */
    uint32_t data;               /* of the method; else a word or status of the unit, 0 if it has none */
    bool has_method;             /* subchannel, method and data are those of the method that was refused */
    /* Of PGRAPH, else 0: its INTR (0x400100), and the class bound to the subchannel (0 also before NV4). */
    uint32_t interrupt, object_class;
};

struct pfifo_device_config {
    size_t size; /* sizeof(struct pfifo_device_config), see struct pfifo_config */
    /* Called for each fault that the interrupt handler finds. NULL: faults are only counted. */
    void (*fault)(void *opaque, const struct pfifo_device_fault *fault);
    /*
     * Called for each method of a software object but its binding, which is the driver's. True: handled, false: a
     * fault. NULL: the driver does what nouveau does; pfifo_device_set_software() is the way to change only some of it.
     */
    bool (*software)(void *opaque, uint32_t channel, unsigned subchannel, uint32_t method, uint32_t data);
    /* Called when a program has asked for an event: method 0x500 of a software object ("page flip reached"). */
    void (*user_event)(void *opaque, uint32_t channel, uint32_t data);
    void *opaque;
    /* The machine, with a `size` of its own. It stays the last field, so that both structures can grow at the end. */
    struct pfifo_config gpu;
};

/*
 * Make a GPU and set it up as its kernel driver would. NULL on error. With the embedder's system memory,
 * gpu.system_bytes says how much of it there is. The first MiB of system memory is not used.
 */
PFIFO_API struct pfifo_device *pfifo_device_open(const struct pfifo_device_config *config, struct pfifo_error *error);
/* Closes its channels and frees its buffers, too. */
PFIFO_API void pfifo_device_close(struct pfifo_device *device);
PFIFO_API struct pfifo_gpu *pfifo_device_gpu(struct pfifo_device *device);

/*
 * Numbers of buffers and channels (and address spaces, pfifo/vm.h), so that what is saved can name them. Each is given
 * once in a device, never 0; what pfifo_device_load() makes has the number that was saved.
 */
PFIFO_API uint32_t pfifo_buffer_id(const struct pfifo_buffer *buffer);
PFIFO_API uint32_t pfifo_channel_id(const struct pfifo_channel *channel);
/* NULL: there is none, or it is only the driver's own (a channel's ring). */
PFIFO_API struct pfifo_buffer *pfifo_device_buffer(const struct pfifo_device *device, uint32_t id);
/* How many times pfifo_buffer_free() may be called; those owners that are channels do not count. */
PFIFO_API uint32_t pfifo_buffer_owners(const struct pfifo_buffer *buffer);
/* NULL: there is none. */
PFIFO_API struct pfifo_channel *pfifo_device_channel(const struct pfifo_device *device, uint32_t id);

/*
 * The device with its GPU as a stream of bytes, as pfifo/state.h describes it for the GPU alone: buffers, address
 * spaces, channels, what the driver has under way. GF100 .. GP10B; others: PFIFO_ERROR_UNSUPPORTED. Call it between
 * runs, and not from a callback. Not saved: callbacks, pfifo_device_set_software(), pfifo_syncpoint_notify(), and
 * system memory of gpu.system_map, which is the owner's. Errors: those of pfifo_gpu_save().
 */
PFIFO_API enum pfifo_status pfifo_device_save(struct pfifo_device *device, pfifo_writer write, void *opaque,
                                              struct pfifo_error *error);
/*
 * Load into a device of the same chip and configuration. This frees all its buffers, spaces, channels and fences, so
 * pointers to them are invalid. pfifo_device_buffer() and its like find those of the state by their numbers. Callbacks,
 * the software handler and notifications stay; no callback is called. With gpu.system_map the memory must be in place
 * before. On error nothing has changed. Errors: PFIFO_ERROR_ARGUMENT (another chip or configuration), and those of
 * pfifo_gpu_load().
 */
PFIFO_API enum pfifo_status pfifo_device_load(struct pfifo_device *device, const void *data, size_t bytes,
                                              struct pfifo_error *error);

/* Faults that the interrupt handler has met since the device was opened. */
PFIFO_API uint64_t pfifo_device_faults(const struct pfifo_device *device);

/*
 * Memory of `bytes` (rounded up to whole pages, cleared) at GPU address `address`, or where the driver likes if
 * `address` is 0. G80 and later: one virtual space per device. Before: two overlapping spaces, VRAM offsets and GART
 * offsets (512 MiB on NV4x, 128 MiB on NV4 .. NV3x, 16 MiB before), chosen by the domain; an `address` of 0 in VRAM
 * cannot be asked for. What the driver chooses (its own buffers included) comes from the top: below 512 GiB from GF100
 * on, below 4 GiB on G80:GF100, of VRAM or GART before. Errors: PFIFO_ERROR_ARGUMENT (not page aligned, overlaps a
 * buffer), PFIFO_ERROR_MEMORY.
 */
PFIFO_API struct pfifo_buffer *pfifo_buffer_new(struct pfifo_device *device, enum pfifo_domain domain, uint64_t bytes,
                                                uint64_t address, struct pfifo_error *error);
/*
 * Call it once for the function that made the buffer, and once for each pfifo_buffer_ref(). Mappings in other spaces
 * stay.
 */
PFIFO_API void pfifo_buffer_free(struct pfifo_buffer *buffer);
/*
 * Add an owner, who has to free it, too: its address is free when the last owner has done so. Returns the buffer. Also
 * works for a buffer without owners that pfifo_vm_at() has found; that one has no address.
 */
PFIFO_API struct pfifo_buffer *pfifo_buffer_ref(struct pfifo_buffer *buffer);
PFIFO_API uint64_t pfifo_buffer_address(const struct pfifo_buffer *buffer);
PFIFO_API uint64_t pfifo_buffer_bytes(const struct pfifo_buffer *buffer);

/* A buffer with more than size and address. Fields that are 0 take defaults. */
struct pfifo_buffer_config {
    size_t size; /* sizeof(struct pfifo_buffer_config); see struct pfifo_config */
    enum pfifo_domain domain;
    /* It has an address only where pfifo_vm_map() gives it one; pfifo_buffer_address() is 0. G80 and later. */
    bool no_address;
    uint64_t bytes, address; /* as of pfifo_buffer_new() */
    /*
     * Kept for pfifo_buffer_kind() and pfifo_buffer_tile_mode(). The page table entries of the buffer's own address
     * have kind 0; pfifo_vm_map() and pfifo_vm_remap() set others.
     */
    uint32_t kind, tile_mode;
};

/* Errors: those of pfifo_buffer_new(); PFIFO_ERROR_UNSUPPORTED: no_address before G80. */
PFIFO_API struct pfifo_buffer *pfifo_buffer_create(struct pfifo_device *device,
                                                   const struct pfifo_buffer_config *config, struct pfifo_error *error);

/* A piece of system memory, in whole pages of 4096 bytes. */
struct pfifo_extent {
    uint64_t address; /* on the bus */
    uint64_t bytes;
};

/*
 * A buffer of memory that exists already: the owner's own, to which gpu.system_map returns pointers (a guest's pages).
 * The pieces follow each other in the buffer. They must be at gpu.system_bytes and above, for the driver takes its own
 * memory from below; they may belong to several buffers, and are neither cleared nor moved. `config` has the rest,
 * domain and bytes are ignored. Errors: PFIFO_ERROR_ARGUMENT; PFIFO_ERROR_UNSUPPORTED (before G80, or without
 * system_map).
 */
PFIFO_API struct pfifo_buffer *pfifo_buffer_import(struct pfifo_device *device, const struct pfifo_extent *extents,
                                                   size_t count, const struct pfifo_buffer_config *config,
                                                   struct pfifo_error *error);

/*
 * The memory of a buffer for the CPU, from its beginning to its end, to read and write at any time. Valid until the
 * buffer is freed; with gpu.system_map as long as the owner leaves the memory there. What pfifo_gpu_vram_map() says of
 * byte order, tiled regions and saves holds here, too. NULL: PFIFO_ERROR_MEMORY, it is not contiguous in the host (an
 * import of several pieces, or a buffer in scattered VRAM).
 */
PFIFO_API void *pfifo_buffer_map(struct pfifo_buffer *buffer, struct pfifo_error *error);

/* Where the buffer is (memory of a chip without VRAM is GART), and what it was made with. */
PFIFO_API enum pfifo_domain pfifo_buffer_domain(const struct pfifo_buffer *buffer);
PFIFO_API uint32_t pfifo_buffer_kind(const struct pfifo_buffer *buffer);
PFIFO_API uint32_t pfifo_buffer_tile_mode(const struct pfifo_buffer *buffer);

/* The CPU's access to a buffer. False if the range is not inside it. */
PFIFO_API bool pfifo_buffer_read(struct pfifo_buffer *buffer, uint64_t offset, void *data, size_t bytes);
/* The same, but not through BAR 1: the GPU does not change, so observers of a run may call it. */
PFIFO_API bool pfifo_buffer_peek(const struct pfifo_buffer *buffer, uint64_t offset, void *data, size_t bytes);
PFIFO_API bool pfifo_buffer_write(struct pfifo_buffer *buffer, uint64_t offset, const void *data, size_t bytes);

enum pfifo_channel_mode {
    PFIFO_CHANNEL_DEFAULT, /* PIO on NV1 and NV3, DMA on NV4 .. NV4x, IB from G80 on */
    PFIFO_CHANNEL_DMA,     /* pushbuffer with jumps and calls; NV4 .. MCP89 */
    PFIFO_CHANNEL_IB,      /* ring of segments; G80 and later */
    PFIFO_CHANNEL_PIO,     /* methods one by one; before G80 */
};

/*
 * The engine that a channel works for. Before GK104 a channel feeds every engine of the chip. From GK104 on a channel
 * is on the runlist of one engine: all subchannels up to 4 lead to it, except that subchannel 4 of a channel of PGRAPH
 * leads to a copy engine.
 */
enum pfifo_channel_engine {
    PFIFO_ENGINE_GRAPHICS,        /* PGRAPH */
    PFIFO_ENGINE_COPY,            /* PCOPY; one that shares PGRAPH's runlist only if there is no other */
    PFIFO_ENGINE_VIDEO_DECODER,   /* PVP1, PVP2, PPDEC (MSPDEC), PVDEC (NVDEC) */
    PFIFO_ENGINE_VIDEO_PROCESSOR, /* PPPP (MSPPP) */
    PFIFO_ENGINE_VIDEO_BITSTREAM, /* PBSP, PVLD (MSVLD) */
    PFIFO_ENGINE_VIDEO_ENCODER,   /* PVENC (MSENC, NVENC) */
    PFIFO_ENGINE_SECURITY,        /* PCIPHER, PSEC */
};

struct pfifo_channel_config {
    size_t size; /* sizeof(struct pfifo_channel_config); see struct pfifo_config */
    enum pfifo_channel_mode mode;
    uint32_t entries;     /* of the ring, a power of two from 4 to 65536; default 1024 */
    uint32_t vram_handle; /* NV3:GF100: make a DMA object for all of VRAM (G80-: the whole VM) with this handle */
    uint32_t gart_handle; /* NV3:GF100: the same for GART */
    enum pfifo_channel_engine engine;
    struct pfifo_vm *vm; /* address space of the channel (pfifo/vm.h), of the same device; NULL: the device's own */
    bool old_headers; /* GF100-: headers of the format before Fermi are commands, too; nouveau's channels refuse them */
};

/*
 * Errors: PFIFO_ERROR_ARGUMENT, PFIFO_ERROR_UNSUPPORTED (mode; an engine that the chip does not have; NV1: handles
 * of DMA objects), PFIFO_ERROR_MEMORY (no channel or memory left).
 */
PFIFO_API struct pfifo_channel *
pfifo_channel_open(struct pfifo_device *device, const struct pfifo_channel_config *config, struct pfifo_error *error);
/* Pending errors of the channel are handled first, and reported to fault(). */
PFIFO_API void pfifo_channel_close(struct pfifo_channel *channel);

/* The hardware's number of the channel, as events show it. */
PFIFO_API uint32_t pfifo_channel_number(const struct pfifo_channel *channel);

/*
 * Make an object of a class, found by `handle` (before GF100) or by its class (from GF100 on, where only software
 * classes need this call). Classes that the chip's kernel driver emulates (xx6e, negative ids) become software objects.
 */
PFIFO_API enum pfifo_status pfifo_channel_object(struct pfifo_channel *channel, uint32_t handle, uint32_t object_class,
                                                 struct pfifo_error *error);

/*
 * Free an object or DMA object; its handle can be used again. Commands that are under way may still use it, so wait for
 * them first. False: there is no such handle.
 */
PFIFO_API bool pfifo_channel_object_free(struct pfifo_channel *channel, uint32_t handle);

/* NV3:GF100: a DMA object over `bytes` of a buffer from `offset` on (a notifier). */
PFIFO_API enum pfifo_status pfifo_channel_dma_object(struct pfifo_channel *channel, uint32_t handle,
                                                     struct pfifo_buffer *buffer, uint64_t offset, uint64_t bytes,
                                                     struct pfifo_error *error);

/*
 * A handler for software objects. The operations are called from the interrupt handler, in the order of the stream:
 * what comes before the method is done, what comes after is not. They may read and write buffers and registers, but
 * must not run the GPU, submit, open or close.
 */
struct pfifo_software_ops {
    const char *name;
    /* An object is bound to a subchannel. False: refused, which is a fault. NULL: all are taken. */
    bool (*bind)(void *software, struct pfifo_channel *channel, unsigned subchannel, uint32_t object_class);
    /*
     * A method of an object; `object_class` is what it was made of. False: not handled; that is a fault (CACHE_ERROR or
     * PBDMA DEVICE, with channel, subchannel, method and data), and the method is skipped. `data` of the methods
     * 0x180 .. 0x1fc is what the puller made of the handle on NV4:GF100: the low 16 bits of an instance. NULL: the
     * driver's own.
     */
    bool (*method)(void *software, struct pfifo_channel *channel, uint32_t object_class, unsigned subchannel,
                   uint32_t method, uint32_t data);
    /* A channel is closed, but not with the whole device. NULL: keeps nothing. */
    void (*channel_gone)(void *software, uint32_t channel);
};

/*
 * Replace the driver's handler, and pfifo_device_config.software. `ops` is not copied: it stays as long as the device,
 * or until the next call. NULL: these handle methods again.
 */
PFIFO_API void pfifo_device_set_software(struct pfifo_device *device, const struct pfifo_software_ops *ops,
                                         void *software);

/*
 * What the driver's own handler does with a method, which is what nouveau does: a reference (0x150, NV4 and NV5),
 * semaphores that are released at a vertical blank (0x18c and 0x400 .. 0x408 on G80:GF100, 0x400 .. 0x40c from there
 * on), the event 0x500, three registers of the shader processors (0x600, 0x644, 0x6ac, GF100-). False: it is none of
 * them, or its data is invalid. Other handlers may fall back on this one.
 */
PFIFO_API bool pfifo_channel_software_method(struct pfifo_channel *channel, uint32_t method, uint32_t data);

/* The reference that method 0x150 has set last; 0 from NV10 on, where the hardware has one. */
PFIFO_API uint32_t pfifo_channel_reference(const struct pfifo_channel *channel);

/*
 * Report a vertical blank of a head. The model has no display, so its owner has to do this. Semaphores that wait for
 * the head are written once, to their channel's memory; if that faults, it is a fault of the device.
 */
PFIFO_API void pfifo_device_vblank(struct pfifo_device *device, unsigned head);

/* Flag of a submission: read the segment only when all before it is processed. No effect before GF100. */
#define PFIFO_SUBMIT_NO_PREFETCH 1u
/*
 * Flag of a submission: the words are the channel's own pushbuffer, not a subroutine. It enters them by a jump, and PUT
 * is at their end: calls work, and so do jumps that come back. NV4:G80, channels in DMA mode; the words need no return.
 * What is submitted to the channel after them waits until it is there.
 */
#define PFIFO_SUBMIT_RING 2u

/*
 * Queue a segment: `bytes` (a multiple of 4) of commands at GPU address `address` (before G80: in GART), and tell the
 * GPU. A channel in DMA mode enters the segment by a CALL; it must end with a return (one more word of 0 may follow),
 * and be below 4 GiB. NV4:NV1A have no CALL: the driver enters it by a jump, and writes the jump back over its return;
 * one that is still in flight is waited for before it is queued again. When the ring is full this runs the GPU until
 * there is room. Errors: PFIFO_ERROR_ARGUMENT; PFIFO_ERROR_UNSUPPORTED (PFIFO_SUBMIT_RING elsewhere);
 * PFIFO_ERROR_TIMEOUT (ring full, or segment in flight, and the channel does not move); PFIFO_ERROR_FAULT (GF100-: an
 * MMU fault has ended the channel).
 */
PFIFO_API enum pfifo_status pfifo_channel_submit(struct pfifo_channel *channel, uint64_t address, uint64_t bytes,
                                                 unsigned flags, struct pfifo_error *error);

/*
 * Channels in IB mode: queue entries as the ring has them, with all their bits, and tell the GPU. For programs that
 * build entries themselves, as the calls of Tegras do. Unlike pfifo_channel_submit() this does not wait for room:
 * PFIFO_ERROR_TIMEOUT if there is not enough, and nothing is queued. Errors: PFIFO_ERROR_ARGUMENT;
 * PFIFO_ERROR_UNSUPPORTED (another mode); PFIFO_ERROR_FAULT.
 */
PFIFO_API enum pfifo_status pfifo_channel_submit_entries(struct pfifo_channel *channel, const uint64_t *entries,
                                                         size_t count, struct pfifo_error *error);
/* How many entries the ring has room for. 0 also for channels in other modes, and for dead ones. */
PFIFO_API uint32_t pfifo_channel_room(struct pfifo_channel *channel);

/*
 * PIO channels: write `count` methods, `method`, `method` + `step` ..., as a program does into which the channel's
 * window is mapped: as many at a time as FREE allows. `step` is 4 or 0. When there is no room this runs the GPU until
 * there is. Methods that are rejected although FREE promised room are written again in order, when there is room.
 * Errors: PFIFO_ERROR_ARGUMENT; PFIFO_ERROR_UNSUPPORTED (no PIO channel); PFIFO_ERROR_TIMEOUT (no room, and the machine
 * does not move; methods that were written before stay written).
 */
PFIFO_API enum pfifo_status pfifo_channel_write_methods(struct pfifo_channel *channel, unsigned subchannel,
                                                        uint32_t method, uint32_t step, const uint32_t *data,
                                                        size_t count, struct pfifo_error *error);

/* Has the channel fetched and executed everything that was submitted? (GET == PUT, CACHE1 empty.) */
PFIFO_API bool pfifo_channel_idle(struct pfifo_channel *channel);

/*
 * Run the GPU, handling its interrupts as the kernel driver does, until it is idle, waits for memory, or the budget
 * (units of pfifo_gpu_run) is used up, of which a turn to handle interrupts costs 64. Faults are reported and skipped
 * as the kernel driver skips them. Bounded: an interrupt that cannot be cleared ends in PFIFO_STOP_INTERRUPT.
 */
PFIFO_API enum pfifo_stop pfifo_device_run(struct pfifo_device *device, uint64_t budget);

/* pfifo_device_run() until idle. Errors: PFIFO_ERROR_TIMEOUT (budget used up, or everything waits: says for what). */
PFIFO_API enum pfifo_status pfifo_device_wait(struct pfifo_device *device, uint64_t budget, struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
