/* SPDX-License-Identifier: MIT */
/*
 * The GPU's driver of a Tegra X1 (GM20B) as the Switch's programs call it: nvmap, nvhost-ctrl, nvhost-ctrl-gpu,
 * nvhost-as-gpu and nvhost-gpu. An emulator hands over what a program sends to the service nvdrv, and hands back what
 * is answered; the command lists run on the machine (pfifo/gpu.h) and work on the program's own memory.
 *
 *   struct pfifo_nvgpu *nvgpu = pfifo_nvgpu_new(&(struct pfifo_nvgpu_config){0}, &error);
 *   struct pfifo_nvgpu_client *client = pfifo_nvgpu_client_new(nvgpu, &memory, &error);    for each process
 *   pfifo_nvgpu_open(client, "/dev/nvmap", &fd);
 *   struct pfifo_nvgpu_call call = {.fd = fd, .request = 0xc0080101, .in = data, .in_bytes = 8,
 *                                   .out = data, .out_bytes = 8};
 *   result = pfifo_nvgpu_ioctl(client, &call);                                             answers as the driver does
 *   pfifo_nvgpu_client_free(client);                                                       closes what it left open
 *
 * pfifo/nvgpu_calls.h has typed functions for programs in C that are not guests.
 *
 * Use all of it from one thread, or under one lock: examples/console.c has a thread for the GPU, two processes, events,
 * a display and saved states. A submission runs the machine for a bounded time (config.budget) before it returns, and
 * pfifo_nvgpu_run() goes on with what is left; so does a wait for a syncpoint. Nothing blocks.
 *
 * Modelled: the calls of those devices in all forms that libnx and games of several firmware versions send, memory
 * objects, address spaces with page tables in memory, channels, fences, events, errors. A channel that has work but
 * makes no progress for its timeout (SET_TIMEOUT; 5 s without it) gets an error and ends. The time is that of the
 * machine (config.device.gpu.clock), and is checked after each run. Not modelled: the channels of host1x (nvhost-vic,
 * -nvdec, -nvjpg) and the display's device: opening them fails as for an unknown path. Stored but not executed:
 * tessellation, geometry programs, images of programs, and grids of threads, whose launch only
 * releases its semaphores. A draw that needs one of these draws nothing, and the program gets no error. The event
 * engine.not_executed of the GPU reports each: class, method, data, and a text that says what is missing, as far as
 * that is known. engine.foreign_class and fifo.unknown report what else differs from a console:
 *
 *   pfifo_gpu_observe(pfifo_device_gpu(pfifo_nvgpu_device(nvgpu)), "engine.not_executed,fifo.unknown", told, ...)
 *
 * A program's mistake is an error of its channel, as on a console, and is reported to config.device.fault. Sources:
 * libnx nx/source/nvidia, switchbrew's wiki (NV services); where these are silent, what emulators answer.
 *
 * Library: libpfifo
 */
#ifndef PFIFO_NVGPU_H
#define PFIFO_NVGPU_H

#include <pfifo/driver.h>
#include <pfifo/picture.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pfifo_nvgpu;
struct pfifo_nvgpu_client;

/* What calls return besides their data. */
enum pfifo_nvgpu_result {
    PFIFO_NVGPU_OK = 0,
    PFIFO_NVGPU_NOT_IMPLEMENTED = 1,
    PFIFO_NVGPU_NOT_SUPPORTED = 2,
    PFIFO_NVGPU_NOT_INITIALIZED = 3,
    PFIFO_NVGPU_BAD_PARAMETER = 4,
    PFIFO_NVGPU_TIMEOUT = 5,
    PFIFO_NVGPU_INSUFFICIENT_MEMORY = 6,
    PFIFO_NVGPU_INVALID_STATE = 8,
    PFIFO_NVGPU_INVALID_ADDRESS = 9,
    PFIFO_NVGPU_INVALID_SIZE = 0xa,
    PFIFO_NVGPU_BAD_VALUE = 0xb,
    PFIFO_NVGPU_ALREADY_ALLOCATED = 0xd,
    PFIFO_NVGPU_BUSY = 0xe,
    PFIFO_NVGPU_FILE_OPERATION_FAILED = 0x30003,
    PFIFO_NVGPU_CONFIG_VAR_NOT_FOUND = 0x30006,
    PFIFO_NVGPU_ACCESS_DENIED = 0x30010,
};

/* ---- the driver ---- */

struct pfifo_nvgpu_config {
    size_t size; /* sizeof(struct pfifo_nvgpu_config), see struct pfifo_config */
    /* Units of pfifo_gpu_run() that a call may take to run the machine; 0: 2 million, about 30 ms. */
    uint64_t budget;
    /*
     * An event (pfifo_nvgpu_query_event()) was signalled or cleared. Called from within calls and runs; it must not
     * call this library. NULL: ask pfifo_nvgpu_event_signalled().
     */
    void (*event)(void *opaque, uint32_t event, bool signalled);
    /*
     * Memory that the program gave to nvmap with CPU caching left on is mapped for the GPU: on a console the GPU would
     * see stale bytes. NULL: not reported.
     */
    void (*cached)(void *opaque, uint32_t process, uint32_t handle, uint64_t address);
    void *opaque;
    /* Faults, software methods, and the machine: gpu.chip NULL is GM20B; gpu.system_map must be NULL. */
    struct pfifo_device_config device;
};

/* NULL on error: PFIFO_ERROR_ARGUMENT, _UNSUPPORTED (a chip without syncpoints), _MEMORY. */
PFIFO_API struct pfifo_nvgpu *pfifo_nvgpu_new(const struct pfifo_nvgpu_config *config, struct pfifo_error *error);
/* Frees its clients, too. */
PFIFO_API void pfifo_nvgpu_free(struct pfifo_nvgpu *nvgpu);

/* The device below, for observers, captures and looking at memory. */
PFIFO_API struct pfifo_device *pfifo_nvgpu_device(struct pfifo_nvgpu *nvgpu);

/* Run the machine for at most so many units of a budget (pfifo_device_run()), and signal what was waited for. */
PFIFO_API enum pfifo_stop pfifo_nvgpu_run(struct pfifo_nvgpu *nvgpu, uint64_t budget);

/* ---- clients: processes ---- */

/*
 * A process's memory: a callback, or a region. Addresses are the process's own, as it gives them to NVMAP ALLOC. The
 * memory must stay where it is until nvmap has freed it (FREE of the last handle), or the client has ended.
 */
struct pfifo_nvgpu_memory {
    size_t size; /* sizeof(struct pfifo_nvgpu_memory) */
    /*
     * Host pointer to the memory at `address`; *bytes is the number wanted; reduce it to what is contiguous. NULL: no
     * memory. Pages of 4096 bytes are contiguous.
     *
     * It is called by NVMAP ALLOC and by a load, once for each range that is contiguous, and not when the GPU uses the
     * memory. For memory that is still mapped after it was freed, it is called at each access, since the memory may be
     * gone.
     */
    void *(*at)(void *opaque, uint64_t address, uint64_t *bytes);
    void *opaque;
    /* Without a callback: `bytes` bytes at `data` are the process's memory from `address` on. */
    uint64_t address, bytes;
    void *data;
    uint32_t process; /* a number for config.cached() */
};

/*
 * `memory` is copied. NULL: the process's memory is this program's own, an address is a pointer (only for programs that
 * are trusted). NULL on error: PFIFO_ERROR_ARGUMENT, _MEMORY.
 */
PFIFO_API struct pfifo_nvgpu_client *
pfifo_nvgpu_client_new(struct pfifo_nvgpu *nvgpu, const struct pfifo_nvgpu_memory *memory, struct pfifo_error *error);
/* Closes its files, as the end of a process does. */
PFIFO_API void pfifo_nvgpu_client_free(struct pfifo_nvgpu_client *client);

/* ---- calls ---- */

/* Open by path. *fd counts up from 1; -1 if the path is unknown, which is FILE_OPERATION_FAILED. */
PFIFO_API enum pfifo_nvgpu_result pfifo_nvgpu_open(struct pfifo_nvgpu_client *client, const char *path, int32_t *fd);
PFIFO_API enum pfifo_nvgpu_result pfifo_nvgpu_close(struct pfifo_nvgpu_client *client, int32_t fd);

/*
 * An ioctl. `request` is Linux's: direction in bits 31:30 (1 in, 2 out), size in 29:16, type in 15:8, number in 7:0.
 * The buffer goes in only with the bit "in", and comes back only with the bit "out"; `in` and `out` may be the same
 * memory. They must be as large as the size says: INVALID_SIZE. The second buffers are those of the forms Ioctl2
 * (second_in) and Ioctl3 (second_out); NULL: there is none.
 */
struct pfifo_nvgpu_call {
    int32_t fd;
    uint32_t request;
    const void *in;
    void *out;
    size_t in_bytes, out_bytes;
    const void *second_in;
    size_t second_in_bytes;
    void *second_out;
    size_t second_out_bytes;
};

PFIFO_API enum pfifo_nvgpu_result pfifo_nvgpu_ioctl(struct pfifo_nvgpu_client *client,
                                                    const struct pfifo_nvgpu_call *call);

/*
 * The event with a number of the file: 3 of a channel (errors), 0x10000000 | slot of nvhost-ctrl (a wait for a
 * syncpoint), and the older forms of that. *event is not 0, and the same for each query; it is valid until the file is
 * closed, or the slot unregistered.
 */
PFIFO_API enum pfifo_nvgpu_result pfifo_nvgpu_query_event(struct pfifo_nvgpu_client *client, int32_t fd,
                                                          uint32_t number, uint32_t *event);
/* Is it signalled? `clear`: clear it, as a wait for it does. */
PFIFO_API bool pfifo_nvgpu_event_signalled(struct pfifo_nvgpu *nvgpu, uint32_t event, bool clear);

/* ---- the display ---- */

/*
 * A buffer that a program hands to the display (BufferProducer's QueueBuffer) as a picture. `description` are the words
 * of its graphic buffer after their three counts: -1, the object's number, 0, 0xdaffcaff ..., the planes at 0x34; of
 * them the first is shown. *picture becomes its size and layout. `rgba` (NULL: only size and layout are wanted) gets
 * rows of R, G, B, A, width * height * 4 bytes; the colour space is as it is. A recording notes it as the TEXT
 * `present`. Errors: PFIFO_ERROR_ARGUMENT (no such object, or planes outside of it), _UNSUPPORTED (a colour format or
 * layout that no window has), _FAULT (its memory has gone), _MEMORY.
 */
PFIFO_API enum pfifo_status pfifo_nvgpu_present(struct pfifo_nvgpu *nvgpu, const void *description, size_t bytes,
                                                struct pfifo_picture *picture, uint8_t *rgba,
                                                struct pfifo_error *error);

/*
 * Syncpoints of the display. 26 and 27 (NVSYNCPT_VBLANK0 and 1) count the vertical blanks of its heads 0 and 1: the
 * display of an emulator calls this at each of them. Events of waits that are over are signalled, as in all calls here;
 * a channel that waits goes on in the next run.
 *
 * No channel gets 26 or 27, nor 12, 54 and 55, which are those of VIC, NVDEC and NVJPG. Errors: PFIFO_ERROR_ARGUMENT.
 */
PFIFO_API enum pfifo_status pfifo_nvgpu_vblank(struct pfifo_nvgpu *nvgpu, unsigned head, struct pfifo_error *error);

/*
 * A syncpoint for the display alone, as for the fences of buffers that it gives back: {syncpoint, value that it will
 * have}. Nobody promises values of it to the driver, so a wait (of nvhost-ctrl, its events, a submission) lasts until
 * the value is there, however far that is; a wait for a channel's syncpoint is over when nothing that was submitted
 * leads to the value. It keeps the value that it had: ask pfifo_gpu_syncpoint(). It is saved and loaded. _MEMORY: none
 * is left.
 */
PFIFO_API enum pfifo_status pfifo_nvgpu_display_syncpoint(struct pfifo_nvgpu *nvgpu, uint32_t *syncpoint,
                                                          struct pfifo_error *error);
/* Increment such a syncpoint. _ARGUMENT: it is not one. */
PFIFO_API enum pfifo_status pfifo_nvgpu_display_increment(struct pfifo_nvgpu *nvgpu, uint32_t syncpoint,
                                                          struct pfifo_error *error);
/* Give it back. Programs that wait for it wait no longer. */
PFIFO_API enum pfifo_status pfifo_nvgpu_display_release(struct pfifo_nvgpu *nvgpu, uint32_t syncpoint,
                                                        struct pfifo_error *error);

/* ---- recording ---- */

/*
 * Record what the programs submit, as a capture of version 2, to a writer to which nothing has been appended: memory,
 * address spaces, channels, submissions with their words, syncpoints, what programs write before the machine works, and
 * how long it works. `pfifo run` replays it. It must begin before the first address space is initialised
 * (PFIFO_ERROR_ARGUMENT). It compares all mapped memory for each submission, and needs as much memory again. The writer
 * (pfifo/stream.h, of libpfifo-capture) stays the caller's, who finishes it after the recording's end.
 *
 * Not recorded: channels that a program disables (there is a note), that two objects have the same memory, and what the
 * owner does to the device below.
 */
struct pfifo_stream_writer;
PFIFO_API enum pfifo_status pfifo_nvgpu_record(struct pfifo_nvgpu *nvgpu, struct pfifo_stream_writer *writer,
                                               struct pfifo_error *error);

/* Add the TEXT `key=value` to the recording. */
PFIFO_API enum pfifo_status pfifo_nvgpu_record_text(struct pfifo_nvgpu *nvgpu, const char *key, const char *value,
                                                    struct pfifo_error *error);

/*
 * The recording ends, also if it has not gone on until now: then the error is what has ended it (no memory, a writer
 * that failed, more than PFIFO_STREAM_WHOLE_LIMIT), and the capture is right up to there.
 */
PFIFO_API enum pfifo_status pfifo_nvgpu_record_end(struct pfifo_nvgpu *nvgpu, struct pfifo_error *error);

/* ---- save and load ---- */

/*
 * Pass all of it to `write`, piece by piece, between two calls; nothing changes. Saved: clients with their files and
 * events, memory objects and what holds them, address spaces, channels with what they have still to do, and the GPU.
 * The programs' memory is the embedder's and is not saved; memory that this driver provided for objects is. The same
 * state gives the same bytes. Errors: PFIFO_ERROR_ARGUMENT (in a run, or two clients with the same process number), _IO
 * (`write` returned false), _MEMORY, those of pfifo_device_save().
 */
PFIFO_API enum pfifo_status pfifo_nvgpu_save(struct pfifo_nvgpu *nvgpu, pfifo_writer write, void *opaque,
                                             struct pfifo_error *error);

/*
 * Restore a state: what the clients have, and the GPU, are replaced. Before this,
 *
 *   - make a client for each of the saved ones, no more, with the same memory.process, in any order;
 *   - put the programs' memory back, at the same addresses of the process.
 *
 * Numbers of files, handles and events are those that were saved; config and the clients' memory are those of now.
 * config.event is not called: ask pfifo_nvgpu_event_signalled() if it matters. A program that goes on gets the same
 * answers, in the same order, as if nothing had been. A state of a client whose memory is this program's own (memory
 * NULL) has addresses of it, and must come from this very process.
 *
 * Errors: PFIFO_ERROR_FORMAT (damaged, or not a state; the message has section and offset), _ARGUMENT (it is recorded,
 * or other clients, another size of own memory, or memory of a process that is not there), _MEMORY, those of
 * pfifo_device_load(). After an error all is as before; if the host has not even the memory for that, the clients have
 * no open files.
 */
PFIFO_API enum pfifo_status pfifo_nvgpu_load(struct pfifo_nvgpu *nvgpu, const void *data, size_t bytes,
                                             struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
