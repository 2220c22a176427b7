/* SPDX-License-Identifier: MIT */
/*
 * Inside of the node: a device, its files, buffers and channels, and the tables of ioctls. Sources of the numbers and
 * rules: Linux include/uapi/drm/{drm,drm_mode,nouveau_drm}.h, drivers/gpu/drm/{drm_ioctl.c,nouveau}; headers of libdrm.
 */
#ifndef PFIFO_SRC_FACE_DRM_NODE_H
#define PFIFO_SRC_FACE_DRM_NODE_H

#include "face/drm/drm.h"

/* ---- buffers ---- */

/* A GEM object. Handles of files, framebuffers and submissions under way own it together. */
struct drm_buffer {
    struct drm_device *device;
    struct drm_buffer *next, *previous; /* of the device */
    struct pfifo_buffer *memory;
    unsigned references;
    uint64_t bytes;
    uint64_t page_bytes; /* that it is mapped with in VRAM; bytes are whole ones */
    uint32_t domain;     /* NOUVEAU_GEM_DOMAIN_VRAM or _GART: where it is, see drm_buffer_move() */
    uint32_t tile_mode, tile_flags;
    uint32_t name;       /* of GEM_FLINK, 0: none */
    uint64_t map_offset; /* what a program passes to mmap() */
    struct drm_memory backing;
    struct pfifo_fence written;     /* the last submission that writes to it */
    uint32_t valid_domains;         /* where it may be */
    struct drm_share *share;        /* NULL: its memory is a part of the machine's, see share.h */
    bool pinned;                    /* it stays in its domain */
    bool bound;                     /* VM_BIND has mapped it somewhere */
    bool no_share;                  /* of the address space of one file, for ever */
    uint64_t owner;                 /* with no_share: that space (drm_space_serial()) */
    unsigned submitting;            /* submissions that are being made with it: these may wait */
    uint64_t listed;                /* number of the submission that named it last */
    uint64_t user;                  /* the channel that uses it (drm_channel.serial); 0: several may */
    unsigned queued, queued_writes; /* jobs that the machine has not got yet, see jobs.h */
};

struct drm_buffer *drm_buffer_ref(struct drm_buffer *buffer);
void drm_buffer_unref(struct drm_buffer *buffer);

/* A handle of a file, and where its buffer is in the file's address space. */
struct drm_handle {
    struct drm_buffer *buffer; /* NULL: a free handle */
    uint64_t address;          /* G80-: in the file's address space; before: offset in the space of its domain */
};

/* The buffer of a handle, without a reference. NULL: no such handle (ENOENT). */
struct drm_buffer *drm_file_buffer(struct drm_file *file, uint32_t handle);
/* A handle for a buffer (which it refs): one that the file has, or a new one; always a new one. 0 or -errno. */
int drm_file_handle(struct drm_file *file, struct drm_buffer *buffer, uint32_t *handle);
int drm_file_new_handle(struct drm_file *file, struct drm_buffer *buffer, uint32_t *handle);
/* For a buffer of the kernel's, which has an address even after VM_INIT. */
int drm_file_kernel_handle(struct drm_file *file, struct drm_buffer *buffer, uint32_t *handle);
/* -EINVAL: no such handle. What the GPU still does with the buffer goes on. */
int drm_file_forget(struct drm_file *file, uint32_t handle);

/* A new buffer with one reference. 0 or -errno. As GEM_NEW: domains in the order of preference of the kernel. */
int drm_buffer_new(struct drm_device *device, uint64_t bytes, uint64_t align, uint32_t domains, uint32_t tile_mode,
                   uint32_t tile_flags, struct drm_buffer **made);

/*
 * Wait until nothing writes the buffer or, before a write, until nothing uses it; for at most
 * `nanoseconds` of the host's clock: 0 asks only. 0, -EBUSY, -EINTR (a signal has come).
 */
int drm_buffer_wait(struct drm_buffer *buffer, bool to_write, uint64_t nanoseconds);
/*
 * The same, whatever signals come: for a call that has done a part of what it does, which must not be done again when
 * the call is restarted.
 */
int drm_buffer_wait_uninterrupted(struct drm_buffer *buffer, bool to_write, uint64_t nanoseconds);
struct drm_job;
/* As that, for one submission. */
int drm_job_wait(struct drm_device *device, const struct drm_job *job, uint64_t nanoseconds);

/* ---- channels ---- */

struct drm_object {
    uint32_t handle, object_class;
    uint32_t begin, bytes; /* in the channel's notifiers; 0 bytes: it is no notifier */
    struct drm_object *next;
};

#define DRM_TRAIL 16u

/* What a channel got last, for a report: to keep it costs nothing, words are read when they are asked for. */
struct drm_trail {
    struct drm_segment {
        uint64_t address, bytes;
    } segments[DRM_TRAIL];
    uint64_t count;    /* of all segments so far; the last DRM_TRAIL are there */
    uint32_t bound[8]; /* class of each subchannel, 0: none yet */
};

struct drm_channel {
    struct drm_file *file;
    struct drm_channel *next; /* of the file */
    uint32_t id;              /* as programs see it: the hardware's number */
    struct pfifo_channel *channel;
    enum pfifo_channel_engine engine; /* that it works for, from GK104 on */
    struct drm_handle notifiers;      /* the program gets a handle for them */
    struct drm_object *objects;
    uint32_t dma_handles[2]; /* of the DMA objects that it came with, before GF100 */
    bool killed;             /* by a fault: submissions get ENODEV */
    uint64_t serial;         /* never given twice, unlike the number */
    uint64_t submissions;
    struct pfifo_fence fence; /* of the last one */
    struct drm_trail trail;
    struct { /* of EXEC: the first job that is not done, as far as is known, and the last */
        struct drm_fence *first, *last;
        uint64_t since;
    } jobs;
};

struct drm_channel *drm_file_channel(struct drm_file *file, uint32_t id);
/* A fault has ended it, or it hung: say so in the log. */
void drm_channel_kill(struct drm_channel *channel, const char *reason);

/* ---- files ---- */

struct kms_file; /* of kms/ */

struct drm_file {
    struct drm_device *device;
    struct drm_file *next;
    enum drm_node_type type;
    unsigned calls; /* that are under way: they may wait, and let others in */
    bool closed;    /* goes with the last of them */
    bool master, authenticated;
    bool admitted; /* by its magic */
    uint32_t magic;
    struct pfifo_vm *vm;     /* G80-: its address space */
    struct drm_space *space; /* after VM_INIT: what the program has mapped there */
    bool no_space;           /* there are channels or buffers: it is too late for VM_INIT */
    struct drm_syncobj **syncobjs;
    uint32_t syncobj_room, syncobj_free; /* no handle below is free */
    struct drm_handle *handles;
    uint32_t handle_room;
    uint32_t handle_free;  /* no handle below is free */
    struct drm_gone *gone; /* buffers without a handle that the GPU still uses */
    struct drm_channel *channels;
    struct kms_file *kms;
    struct drm_nvif_object *nvif; /* that the program has made by NVIF, the device among them */
    unsigned nvif_count;
};

/* Around a call: a file that is closed meanwhile ends with it. */
void drm_file_enter(struct drm_file *file);
void drm_file_leave(struct drm_file *file);

/* The first to open the card is master, as in the kernel. */
void drm_file_become_master(struct drm_file *file);

/* ---- devices ---- */

#define DRM_REFUSALS 32u

/* Of calls that were refused: the last, and how often each kind of them came. */
struct drm_refusals {
    struct drm_refusal kind[DRM_REFUSALS]; /* count 0: free */
    unsigned kinds;                        /* so far */
    const struct drm_refusal *last;        /* NULL: none was refused */
    char reason[DRM_REASON_BYTES];         /* what the log said in the call under way; empty: nothing */
};

/* A call has ended like this. */
void drm_refusals_note(struct drm_device *device, unsigned long request, int result);

/* State that a method needs and that is not there: the first of it, until the fault of that method. */
struct drm_missing {
    uint32_t channel, oclass, method, data, state; /* state: the method that would have set it */
    const char *why;                               /* NULL: nothing is missing */
    const char *error;                             /* that it leads to; NULL: that is yet to come */
    size_t error_event;                            /* the number of engine.error */
};

struct kms; /* of kms/ */

/* Of a chip, looked up once, since each submission is told of them: see nouveau.c. */
struct drm_limits {
    uint32_t unit_bytes; /* of contexts in VRAM, for each vertex unit; 0: they are elsewhere */
    uint8_t space_bits;  /* of a client's address space */
};

struct drm_device {
    struct drm_config config;
    struct drm_limits limits;
    struct pfifo_device *pfifo;
    struct drm_file *files;
    struct drm_buffer *buffers;
    uint32_t names;    /* of GEM_FLINK given so far */
    uint32_t magics;   /* of GET_MAGIC */
    bool has_bus_id;   /* the master has asked for an interface where the device has one */
    uint64_t channels; /* opened so far */
    uint64_t submissions;
    struct drm_syncobj *syncobjs;     /* that have descriptors */
    uint64_t sync_owner, sync_serial; /* of this process in sync objects that others have, too. 0: none yet */
    struct drm_sync_file *sync_files; /* that are not done */
    unsigned sync_file_count;
    struct drm_left *left_shares; /* of share.c */
    unsigned share_count;         /* buffers that have one */
    uint64_t share_time;          /* the last that was given */
    unsigned imported_count;      /* tickets of DMA_BUF_IOCTL_IMPORT_SYNC_FILE */
    bool peers;                   /* something of another process has been waited for */
    struct drm_notice *notices;   /* of SYNCOBJ_EVENTFD */
    unsigned notice_count;
    uint64_t spaces; /* made by VM_INIT so far */
    uint64_t lines;  /* of points in time, so far: see sync.h */
    uint64_t frames; /* that were shown so far */
    struct drm_refusals refusals;
    struct drm_job *jobs;              /* that the machine has not got yet, see jobs.h */
    struct drm_job *current;           /* that it is at; NULL: none */
    uint64_t left;                     /* of the budget of that */
    unsigned job_count;                /* in the queue */
    uint64_t progress;                 /* see drm_device_progress() */
    struct drm_submission *submission; /* room for the one under way */
    uint64_t map_offset;               /* the next that is free */
    uint64_t vram_used, gart_used;
    struct kms *kms;
    struct drm_missing missing;
    struct drm_watch watch;
    struct drm_look *look; /* of report.c */
    void (*flip)(void *opaque, uint32_t framebuffer);
    void *flip_opaque;
};

/* May other processes have something to do with what is waited for? */
static inline bool drm_has_peers(const struct drm_device *device) {
    return device->peers || device->share_count || device->syncobjs;
}
/* What is done is told to them. */
void drm_peers_look(struct drm_device *device);
/* Has that to be called again soon, because something that is open may depend on them? */
bool drm_peers_wait(const struct drm_device *device);

/* Has its driver sync objects, VM_BIND and EXEC? */
static inline bool drm_has_spaces(const struct drm_device *device) {
    return device->config.major > 1 || (device->config.major == 1 && device->config.minor >= 4);
}

/* A line for the host's log: "nouveau 0000:01:00.0: fifo: ..." as printf() makes it. */
void drm_log(struct drm_device *device, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Run the model until it is idle or waits, at most `budget` units; not what is queued. False: the budget is used up,
 * and there is more.
 */
bool drm_device_run(struct drm_device *device, uint64_t budget);

/* Who watches is told that memory or a channel goes (struct drm_watch). */
void drm_tell_leaves(struct drm_device *device);

/* report.c: what a report needs of a device. False: no memory. */
bool drm_look_begin(struct drm_device *device);
void drm_look_end(struct drm_device *device);
/* A channel is killed: keep what a report will say about it. */
void drm_look_killed(struct drm_channel *channel, const char *reason);
/* A segment was given to the channel. */
static inline void drm_trail_add(struct drm_trail *trail, uint64_t address, uint64_t bytes) {
    trail->segments[trail->count++ % DRM_TRAIL] = (struct drm_segment){address, bytes};
}

/* ---- ioctls ---- */

#define DRM_IOCTL_RENDER_ALLOWED 1u /* on render nodes, too */
#define DRM_IOCTL_MASTER         2u /* only the master: EACCES */
#define DRM_IOCTL_AUTH           4u /* on card nodes only the authenticated: EACCES */

/*
 * A row. As the kernel does it: `data` is a copy of the program's structure, `bytes` long, filled up with zeros where
 * the program's is shorter; it is copied back, as much as the program has, if the request reads.
 */
struct drm_ioctl {
    uint8_t number;
    uint16_t bytes;
    uint8_t flags;
    const char *name;
    int (*run)(struct drm_file *file, void *data);
};

/* Tables end with a row without run. */
extern const struct drm_ioctl drm_core_ioctls[];         /* version, caps, magic, master: core.c */
extern const struct drm_ioctl drm_gem_ioctls[];          /* GEM_CLOSE, FLINK, OPEN, PRIME: gem.c */
extern const struct drm_ioctl drm_nouveau_ioctls[];      /* 0x40 and up: nouveau.c */
extern const struct drm_ioctl drm_nouveau_channels[];    /* channels: channel.c */
extern const struct drm_ioctl drm_nouveau_objects[];     /* objects and notifiers on them: object.c */
extern const struct drm_ioctl drm_nouveau_buffers[];     /* 0x80 and up: gem.c */
extern const struct drm_ioctl drm_nouveau_spaces[];      /* VM_INIT, VM_BIND, EXEC: bind.c. From version 1.4 on */
extern const struct drm_ioctl drm_syncobj_ioctls[];      /* syncobj.c. From version 1.4 on */
extern const struct drm_ioctl drm_syncobj_descriptors[]; /* syncfd.c */
extern const struct drm_ioctl drm_syncobj_notices[];     /* notice.c */
extern const struct drm_ioctl kms_ioctls[];              /* 0xa0 and up: kms/ */

/* NVIF has a size of its own for each call, and goes past the tables. `data` is in and out. */
int drm_nvif(struct drm_file *file, void *data, size_t bytes);

/* The display. False: no memory. */
bool kms_new(struct drm_device *device);
/* Of the console's framebuffer, in pixels. */
void kms_console_size(const struct kms *kms, uint32_t *width, uint32_t *height);
void kms_free(struct drm_device *device);
bool kms_file_open(struct drm_file *file);
void kms_file_close(struct drm_file *file);
/* GET_CAP and SET_CLIENT_CAP, as far as they are of the display. 0, or -errno. */
int kms_get_cap(struct drm_file *file, uint64_t capability, uint64_t *value);
int kms_set_client_cap(struct drm_file *file, uint64_t capability, uint64_t value);

#endif
