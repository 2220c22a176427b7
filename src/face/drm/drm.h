/* SPDX-License-Identifier: MIT */
/*
 * The kernel's nouveau as programs see it: a device, the files that programs open, and their ioctls. All it does is
 * done through pfifo/driver.h: a DRM channel is a channel of the model, a submission goes through PFIFO.
 *
 *   node/     this header: devices, files, ioctls, buffers, submissions. No libc call is replaced and no path is known
 *             here, so tests and the fuzzer call it directly
 *   kms/      modes, framebuffers, page flips; the ioctls of a display
 *   shim/     libpfifo-drm.so, preloaded into a program: paths, descriptors, mappings, threads
 *   record/   what goes over the boundary of the ioctls, written as a capture; of the model's node or a real one
 *
 * One thread at a time: the owner holds a lock around every call. While a call waits for something that only another
 * thread can bring, it calls wait() of the host, which may release the lock. Then other calls may come in between.
 * There are no threads here; an owner may have one that does the work (struct drm_config, worker).
 */
#ifndef PFIFO_SRC_FACE_DRM_DRM_H
#define PFIFO_SRC_FACE_DRM_DRM_H

#include <pfifo/driver.h>

#include "chip/chip.h"

/* Can a device have the chip? The kernel's nouveau must drive it, and Mesa have a driver for it. */
static inline bool drm_has_chip(const struct pfifo_chip *chip) {
    static const struct { const char *chips; } rows[] = {{"NV40:GV100"}};
    return CHIP_ROW(chip, rows) != NULL;
}

struct drm_device;
struct drm_file;

/* Which of its nodes a file is open on: /dev/dri/card0, /dev/dri/renderD128. */
enum drm_node_type { DRM_NODE_CARD, DRM_NODE_RENDER };

/* The memory behind a buffer: a file of the host, to map from `offset` on. */
struct drm_memory {
    int fd;
    uint64_t offset, bytes;
};

/* What the owner of a device lends it. None but moved() is NULL. */
struct drm_host {
    /* Memory of the program that calls. False: it is not there (EFAULT). */
    bool (*read)(void *opaque, void *to, uint64_t from, size_t bytes);
    bool (*write)(void *opaque, uint64_t to, const void *from, size_t bytes);
    /* The file can be read: `bytes` of events (struct drm_event and what follows). */
    void (*event)(void *opaque, struct drm_file *file, const void *data, size_t bytes);
    /*
     * The program gets a descriptor of what the device has open, with the O_CLOEXEC of `flags`: a buffer (PRIME), a sync
     * object, a sync file. Its descriptor, or -errno.
     */
    int (*give)(void *opaque, int file, unsigned flags);
    /* One for the device, which closes it, of a descriptor of the program. -EBADF, -EMFILE. */
    int (*take)(void *opaque, int fd);
    /* A buffer has moved: mappings of `from` are to be of `to` from now on. NULL: nobody has any. */
    void (*moved)(void *opaque, const struct drm_memory *from, const struct drm_memory *to);
    /* A descriptor of the host's own for an eventfd of the program, or -errno: -EBADF, -EINVAL (it is no eventfd). */
    int (*hold_event)(void *opaque, int fd);
    /* Let it go, and add 1 to it first if it is to be told. */
    void (*end_event)(void *opaque, int held, bool tell);
    /* CLOCK_MONOTONIC in nanoseconds. */
    uint64_t (*now)(void *opaque);
    /*
     * Wait, for at most so long; with a worker until it has got further (drm_device_progress()). False: a signal has
     * come. Other calls may come in between.
     */
    bool (*wait)(void *opaque, uint64_t nanoseconds);
    /* The same, whatever signals come. */
    void (*sleep)(void *opaque, uint64_t nanoseconds);
    /* A line for the log, as the kernel would write it; without a newline. */
    void (*log)(void *opaque, const char *line);
};

struct drm_config {
    const struct pfifo_chip *chip;     /* NV40 .. GP102 */
    uint64_t vram_bytes, system_bytes; /* 0: the chip's; 1 GiB */
    /*
     * The version that VERSION reports. All 0: 1.4.1. Below that there are no sync objects, VM_BIND and EXEC; below 1.3.1
     * programs make objects with GROBJ_ALLOC.
     */
    unsigned major, minor, patch;
    bool no_compile; /* as of struct pfifo_config */
    /* Modes: the preferred one is width x height (0: 1024 x 768). 0 Hz: flips are done at once, time is virtual. */
    unsigned width, height, refresh;
    bool atomic;     /* from G80 on: the atomic interface, as by the parameter nouveau.atomic */
    uint64_t budget; /* units of work that a submission may take before its channel counts as hung. 0: 2^28 */
    /*
     * The owner calls drm_device_work() as long as there is something to do: a submission returns at once, and waits
     * only wait. Else all work is done in the calls.
     */
    bool worker;
    const struct drm_host *host;
    void *opaque; /* of the host */
};

/* NULL: PFIFO_ERROR_UNSUPPORTED (chip), or as pfifo_device_open(). */
struct drm_device *drm_device_new(const struct drm_config *config, struct pfifo_error *error);
/* Its files, too. */
void drm_device_free(struct drm_device *device);
/* To attach observers to, and look at. */
struct pfifo_device *drm_device_pfifo(struct drm_device *device);
const struct pfifo_chip *drm_device_chip(const struct drm_device *device);
/* How many channels its files have opened so far, and how many frames they have shown. */
uint64_t drm_device_channels(const struct drm_device *device);
uint64_t drm_device_frames(const struct drm_device *device);

#define DRM_REASON_BYTES 256u

/* A kind of calls that were refused. */
struct drm_refusal {
    unsigned number; /* of the ioctl, as in its request */
    int error;       /* above 0 */
    uint64_t count;
    char reason[DRM_REASON_BYTES]; /* what the log said in the last of them; empty: nothing */
};

/* Of the last call that was refused. NULL: none was. EBUSY, EAGAIN and EINTR are no refusals. */
const struct drm_refusal *drm_device_refused(const struct drm_device *device);
/* As the kernel's headers spell it. NULL: unknown. */
const char *drm_ioctl_name(unsigned number);

/* NULL: no memory. */
struct drm_file *drm_file_open(struct drm_device *device, enum drm_node_type type);
/* As the last close of the file: channels, objects, handles and framebuffers go. */
void drm_file_close(struct drm_file *file);

/* An ioctl of the program: 0 or more, or -errno as the kernel gives it. `argument` is an address of the program. */
int drm_file_ioctl(struct drm_file *file, unsigned long request, uint64_t argument);

/* What mmap() of the file maps at `offset` (a map_handle). 0, or -errno. The fd is the device's. */
int drm_file_map(struct drm_file *file, uint64_t offset, uint64_t bytes, struct drm_memory *memory);

/*
 * An ioctl on a descriptor of the program that is none of a node: of a buffer or a sync file, of whatever process.
 * -ENOTTY: it is neither, or has no such ioctl.
 */
int drm_descriptor_ioctl(struct drm_device *device, int fd, unsigned long request, uint64_t argument);
/* A descriptor that is out of the way of the program's; it stays where it is if there is no room above. */
int drm_out_of_way(int fd);
/* Is it such a descriptor? And one of a buffer, whoever made it? */
bool drm_is_descriptor(int fd);
bool drm_is_buffer_file(int fd);
/* In a child of fork(): what other processes see of the device is the parent's. Nothing of it may be used any more. */
void drm_device_abandon(struct drm_device *device);

/* struct drm_config.worker: there is none after all, or there is. */
void drm_device_set_worker(struct drm_device *device, bool worker);

enum drm_progress {
    DRM_IDLE,  /* nothing is left to do; unless drm_device_waits(), calling again is no use before the next ioctl */
    DRM_WAITS, /* something waits for memory that only a program changes: call again soon (a millisecond) */
    DRM_MORE   /* call again at once */
};

/*
 * Do the pending work, for about `units` (of pfifo_gpu_run()): submissions, and channels that waited. How the work
 * is cut makes no difference to what comes out.
 */
enum drm_progress drm_device_work(struct drm_device *device, uint64_t units);
/* Is a submission not done yet, as far as it can be? */
bool drm_device_has_work(const struct drm_device *device);
/*
 * Has drm_device_work() to look again: is there work, a channel that waits for what a program writes to memory, or
 * something to be told to a program, or to others, that depends on other processes?
 */
bool drm_device_waits(const struct drm_device *device);
/* Changes when something is done that a call may wait for. */
uint64_t drm_device_progress(const struct drm_device *device);
/* drm_device_work() for a device without a worker. False: DRM_IDLE. */
bool drm_device_poll(struct drm_device *device);

/*
 * Nanoseconds until drm_device_vblank() is due, UINT64_MAX: nobody waits for a vertical blank. With a refresh of 0
 * flips need no such call.
 */
uint64_t drm_device_due(struct drm_device *device);
void drm_device_vblank(struct drm_device *device);

/*
 * What hangs and why: for each channel where it stands, the last packets, what it waits for; methods that were not
 * executed. Lines for `print`, without newlines.
 */
void drm_device_report(struct drm_device *device, void (*print)(void *opaque, const char *line), void *opaque);

/* Who looks at what goes through a device. Functions may be NULL. */
struct drm_watch {
    /* A submission of so many words begins; nothing of it has run. */
    void (*submission)(void *opaque, uint64_t words);
    /* It has run, as far as it can now. */
    void (*done)(void *opaque);
    /* The driver layer has met a fault; the log has it, too. */
    void (*fault)(void *opaque, const struct pfifo_device_fault *fault);
    /* A mapping of a buffer is about to go, or a channel with its address space. */
    void (*leaves)(void *opaque);
    void *opaque;
};

/* One at a time: in the place of the one before. */
void drm_device_set_watch(struct drm_device *device, const struct drm_watch *watch);

/* ---- pictures ---- */

/* A picture: rows of width x 4 bytes R G B A. */
struct drm_picture {
    uint32_t width, height;
    uint8_t *rgba; /* free() it */
};

/*
 * Called when a framebuffer comes on the screen: SETCRTC, a page flip that is done, an atomic commit; its rendering is
 * done. And with framebuffer 0 just before the screen goes dark: the last picture can still be had. NULL: nobody.
 */
void drm_device_set_flip(struct drm_device *device, void (*flip)(void *opaque, uint32_t framebuffer), void *opaque);
/* What is on the screen, whatever its layout in memory. False: nothing is, or no memory. */
bool drm_device_picture(struct drm_device *device, struct drm_picture *picture);

/* ---- images of a window system ---- */

/* A picture in a buffer, as a program describes it to the server of its windows. */
struct drm_image {
    int file; /* a descriptor of the buffer (PRIME); it stays the caller's */
    uint32_t fourcc, width, height, pitch, offset;
    bool has_modifier; /* else the buffer says how it is laid out */
    uint64_t modifier;
};

struct drm_area {
    uint32_t x, y, width, height;
};

#define DRM_MOST_MODIFIERS 32u
/* Modifiers of images, from the best to the linear one; how many. Before G80: none. */
uint32_t drm_device_modifiers(const struct drm_device *device, uint64_t modifiers[DRM_MOST_MODIFIERS]);
/* 0; -ENOMEM; -EINVAL: no such buffer, format, modifier or pitch; -ERANGE: it does not fit into the buffer. */
int drm_device_check_image(struct drm_device *device, const struct drm_image *image);
/* Bytes of a pixel. 0: no such format. */
uint32_t drm_image_pixel_bytes(const struct drm_device *device, uint32_t fourcc);
/*
 * The pixels of an area as they are in memory, line after line `pitch` apart, when nothing draws to the buffer any more,
 * or after a long wait. Meanwhile other calls may come in. 0, or as drm_device_check_image(); -EINVAL: the area is not in
 * the image.
 */
int drm_device_read_image(struct drm_device *device, const struct drm_image *image, const struct drm_area *area,
                          uint8_t *to, size_t pitch);
/* The other way, when nothing uses the buffer any more. */
int drm_device_write_image(struct drm_device *device, const struct drm_image *image, const struct drm_area *area,
                           const uint8_t *from, size_t pitch);

#endif
