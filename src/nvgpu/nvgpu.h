/* SPDX-License-Identifier: MIT */
/*
 * What the files of the Tegra's driver share. Nobody else includes this.
 *
 *   nvgpu.c          the driver over a device, its clients, their memory on the bus
 *   files.c          open, close, ioctl: which call of which file, its buffers
 *   events.c         events, and waits for syncpoints
 *   nvmap.c          nvmap: memory objects                  object_memory.c  where their bytes are
 *   space.c          nvhost-as-gpu: address spaces          space_ranges.c  which addresses of them are taken
 *   channel.c        nvhost-gpu: channels                   submit.c        what is put around a program's entries
 *   watchdog.c       the end of channels that do nothing
 *   control.c        nvhost-ctrl: syncpoints, waits         control_gpu.c   nvhost-ctrl-gpu: what the GPU is
 *   save.c           all of it as a stream                  save_spaces.c   address spaces in it
 *   present.c        what a program hands to the display     display.c       syncpoints of the display
 *   record.c         what happens, as a capture             record_memory.c what programs write, in it
 *   record_begin.c   and where that begins
 *
 * A call is a row of a table: its number, the bytes of its structure, and a function on these bytes.
 */
#ifndef PFIFO_SRC_NVGPU_NVGPU_H
#define PFIFO_SRC_NVGPU_NVGPU_H

#include <pfifo/nvgpu.h>

#include "memory/memory.h"

struct nvgpu_file;
struct nvgpu_save;

#define NVGPU_PAGE       4096u
#define NVGPU_FILES      256u    /* of a client */
#define NVGPU_OBJECTS    65536u  /* of all clients */
#define NVGPU_RANGES     65536u  /* of an address space */
#define NVGPU_SLOTS      64u     /* of events for syncpoints, of a file of nvhost-ctrl */
#define NVGPU_CALL_BYTES 0x4000u /* more than a request number can say */
#define NVGPU_ENTRIES    0x800u  /* of a submission */
#define NVGPU_SYNCPOINTS 256u    /* at most, of a chip */
#define NVGPU_VBLANK0    26u     /* and the next: counted by the display's heads */

/* ---- memory objects ---- */

/*
 * A piece of a client's memory, with a place on the bus. It lives while a handle or a mapping names it: a mapping of
 * what the program has freed still finds its bytes, if the program has left them there.
 */
struct nvgpu_object {
    struct pfifo_nvgpu_client *client; /* whose memory it is; NULL: that has ended */
    uint32_t number;                   /* in the driver's array */
    uint32_t references;               /* of all clients' handles */
    uint32_t mappings;
    uint32_t asked_bytes, bytes; /* as CREATE said; in whole pages */
    uint32_t align;
    uint8_t kind;
    bool allocated, cached, shared; /* shared: GET_ID was asked for */
    uint64_t address;               /* of the client */
    uint64_t bus;
    struct pfifo_buffer *buffer;
    uint32_t buffer_id;         /* while it is saved or loaded */
    uint8_t *own;               /* memory of an object whose program gave none */
    struct nvgpu_piece *pieces; /* what the client's callback has found, all of it; none: it is asked */
    uint32_t piece_count, piece_room;
    uint8_t *recorded; /* what was in it when the machine had worked last; only while it is recorded */
};

/* The object of a handle that the client holds. NULL: there is none. */
struct nvgpu_object *nvgpu_object_of(const struct pfifo_nvgpu_client *client, uint32_t handle);
/* The object that has a number for all programs, as handles are. NULL: there is none. */
struct nvgpu_object *nvgpu_object_by_id(const struct pfifo_nvgpu *nvgpu, uint32_t id);
/* A mapping begins or ends. */
void nvgpu_object_mapped(struct nvgpu_object *object);
void nvgpu_object_unmapped(struct pfifo_nvgpu *nvgpu, struct nvgpu_object *object);
/* Of a client that ends: its handles, and its memory. */
void nvgpu_objects_leave(struct pfifo_nvgpu_client *client);

/* ---- addresses ---- */

/* What is taken of an address space: by ALLOC_SPACE, or by a mapping. A mapping may be inside of a space. */
struct nvgpu_range {
    uint64_t address, bytes;
    uint32_t page_bytes;
    bool sparse;
    struct nvgpu_object *object; /* of mappings */
    uint64_t mapped;             /* bytes of them that the object has; the rest is up to the end of a page */
};

/* Ranges in the order of their addresses; none overlaps another. */
struct nvgpu_ranges {
    struct nvgpu_range *range;
    uint32_t count, room;
};

/* The range that has an address, or NULL. */
struct nvgpu_range *ranges_at(const struct nvgpu_ranges *ranges, uint64_t address);
/* Is anything of it taken? */
bool ranges_meet(const struct nvgpu_ranges *ranges, uint64_t address, uint64_t bytes);
/* False: no memory, or too many. */
bool ranges_add(struct nvgpu_ranges *ranges, const struct nvgpu_range *range);
/* The first range that has a part of these addresses, or NULL. */
struct nvgpu_range *ranges_first(const struct nvgpu_ranges *ranges, uint64_t address, uint64_t bytes);
void ranges_remove(struct nvgpu_ranges *ranges, const struct nvgpu_range *range);
/* The first place from `from` to `end`, free of both. False: there is none. */
bool ranges_find(const struct nvgpu_ranges *a, const struct nvgpu_ranges *b, uint64_t from, uint64_t end,
                 uint64_t bytes, uint64_t align, uint64_t *address);

/* An address space. Its file and the channels in it keep it. */
struct nvgpu_as {
    uint32_t references;
    struct pfifo_nvgpu *nvgpu;
    struct pfifo_vm *vm; /* NULL: not initialised; channels may be bound to it already */
    uint32_t vm_id;      /* while it is saved or loaded */
    uint32_t big_page;
    uint64_t start, split, end; /* small pages from start to split, big ones up to end */
    struct nvgpu_ranges spaces, mappings;
};

void nvgpu_as_release(struct nvgpu_as *as);
/* BIND_CHANNEL. */
enum pfifo_nvgpu_result nvgpu_channel_bind(struct nvgpu_file *file, struct nvgpu_as *as);

/* ---- events ---- */

struct nvgpu_event {
    uint32_t number; /* what the owner sees; 0: free */
    bool signalled;
};

/* A new event. 0: no memory. */
uint32_t nvgpu_event_new(struct pfifo_nvgpu *nvgpu);
void nvgpu_event_free(struct pfifo_nvgpu *nvgpu, uint32_t number);
void nvgpu_event_set(struct pfifo_nvgpu *nvgpu, uint32_t number, bool signalled);

/* ---- files ---- */

/* A call under way: its structure, in and out, and the second buffers. */
struct nvgpu_frame {
    uint8_t data[NVGPU_CALL_BYTES];
    uint32_t bytes;
    const struct pfifo_nvgpu_call *call;
};

typedef enum pfifo_nvgpu_result nvgpu_handler(struct nvgpu_file *file, struct nvgpu_frame *frame);

/* bytes 0: any from `least` on. */
struct nvgpu_row {
    uint8_t type, number;
    uint16_t bytes, least;
    nvgpu_handler *handler;
};

/* Pointers to what the device below has: ids of them are noted, or they are found by their ids. */
enum nvgpu_link { NVGPU_LINK_NOTE, NVGPU_LINK_FIND };

struct nvgpu_device {
    const char *path;
    const struct nvgpu_row *rows;
    unsigned row_count;
    size_t bytes; /* of the file's own state */
    void (*close)(struct nvgpu_file *file);
    /* The event with this number. 0: there is none. */
    enum pfifo_nvgpu_result (*event)(struct nvgpu_file *file, uint32_t number, uint32_t *event);
    /* After runs: what may have come to pass; of channels and waits. True: the machine may have more to do. */
    bool (*after_run)(struct nvgpu_file *file);
    /* Saved and loaded. NULL: there is nothing. */
    void (*state)(struct nvgpu_file *file, struct nvgpu_save *save);
    /* Its address space, or NULL. */
    struct nvgpu_as *(*space)(const struct nvgpu_file *file);
    /* False: something is not there. */
    bool (*link)(struct nvgpu_file *file, enum nvgpu_link link);
};

struct nvgpu_file {
    struct pfifo_nvgpu_client *client;
    const struct nvgpu_device *device;
    int32_t fd;
    void *state;
};

extern const struct nvgpu_device nvgpu_nvmap, nvgpu_space, nvgpu_channel, nvgpu_control, nvgpu_control_gpu;

/* The file of a number, if it is of this device. NULL: it is not. */
struct nvgpu_file *nvgpu_file_of(struct pfifo_nvgpu_client *client, int32_t fd, const struct nvgpu_device *device);

/* Words of a structure, by their offset in bytes. */
static inline uint32_t frame_u32(const struct nvgpu_frame *frame, uint32_t at) {
    return load_le32(frame->data + at);
}

static inline uint64_t frame_u64(const struct nvgpu_frame *frame, uint32_t at) {
    return load_le64(frame->data + at);
}

static inline void frame_set_u32(struct nvgpu_frame *frame, uint32_t at, uint32_t value) {
    store_le32(frame->data + at, value);
}

static inline void frame_set_u64(struct nvgpu_frame *frame, uint32_t at, uint64_t value) {
    store_le64(frame->data + at, value);
}

/* ---- clients and the driver ---- */

struct pfifo_nvgpu_client {
    struct pfifo_nvgpu *nvgpu;
    struct pfifo_nvgpu_client *next;
    struct pfifo_nvgpu_memory memory;
    struct nvgpu_file files[NVGPU_FILES]; /* device NULL: free. File i has the number i + 1 */
    uint32_t *held;                       /* references that it has to objects, by their number */
    uint32_t held_count;
};

/* Host memory of an object, from `offset` on. NULL: none. */
void *nvgpu_object_memory(const struct nvgpu_object *object, uint64_t offset, uint64_t *bytes);
/* Where is it? What is found counts until it is forgotten. False: some of it is not there. */
bool nvgpu_object_find_memory(struct nvgpu_object *object);
void nvgpu_object_forget_memory(struct nvgpu_object *object);
/* Of all objects: clients may have other memory now. */
void nvgpu_find_memory_again(struct pfifo_nvgpu *nvgpu);

/* ---- clear values ---- */

#define NVGPU_ZBC_ENTRIES 16u

struct nvgpu_zbc_entry {
    uint32_t ds[4], l2[4], depth, format, type, references;
};

/* A table of the GPU: one of colours, one of depths. All clients share it. */
struct nvgpu_zbc {
    struct nvgpu_zbc_entry entry[NVGPU_ZBC_ENTRIES];
    uint32_t count;
};

struct pfifo_nvgpu {
    struct pfifo_nvgpu_config config;
    struct pfifo_device *device;
    struct pfifo_nvgpu_client *clients;
    uint8_t *system; /* the driver's own memory: bus addresses below system_bytes */
    uint64_t system_bytes;
    struct nvgpu_ranges bus;       /* objects on the bus */
    uint64_t own_bytes;            /* of memory that programs gave none for */
    struct nvgpu_object **objects; /* number i has the handle 4 * i + 4; NULL: free */
    uint32_t object_count;
    struct nvgpu_event *events; /* number i + 1 */
    uint32_t event_count;
    uint32_t *promised; /* of each syncpoint: the value that it will have when all that was submitted is done */
    uint32_t display[NVGPU_SYNCPOINTS / 32]; /* a bit for each syncpoint that the owner's display has */
    struct nvgpu_zbc zbc[2];                 /* of colours, of depths */
    struct nvgpu_record *record;             /* NULL: it is not recorded */
    bool works; /* the last run has left work that waits for nothing; not saved: each run says it */
};

/* Host memory of a client. NULL: none. */
void *nvgpu_client_memory(const struct pfifo_nvgpu_client *client, uint64_t address, uint64_t *bytes);

/* Let the machine work for as long as a call may, and signal what was waited for. */
void nvgpu_work(struct pfifo_nvgpu *nvgpu);

/* Events of waits that are over. */
void nvgpu_signal_waits(struct pfifo_nvgpu *nvgpu);

/* The value that a syncpoint has when all is done; not less than it has now, as others may increment it, too. */
uint32_t nvgpu_promised(const struct pfifo_nvgpu *nvgpu, uint32_t syncpoint);

/* display.c: nobody promises values of it; who waits does so until they are there. */
bool nvgpu_syncpoint_is_display(const struct pfifo_nvgpu *nvgpu, uint32_t syncpoint);
/* One for a channel that has none. False: none is left. */
bool nvgpu_channel_syncpoint(const struct pfifo_nvgpu *nvgpu, struct pfifo_channel *channel, uint32_t *syncpoint);

/* PTIMER's time in nanoseconds. */
uint64_t nvgpu_time(const struct pfifo_nvgpu *nvgpu);

/* A channel of the hardware has a fault: told to the file that it belongs to. */
void nvgpu_channel_fault(struct pfifo_nvgpu *nvgpu, const struct pfifo_device_fault *fault);

#endif
