/* SPDX-License-Identifier: MIT */
/* A device of the DRM face with a host of the test's own: the program's memory is an array, time stands still. */
#ifndef PFIFO_TESTS_DRM_RIG_H
#define PFIFO_TESTS_DRM_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <drm.h>
#include <errno.h>
#include <nouveau_drm.h>
#include <string.h>

#include "face/drm/drm.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define RIG_MEMORY      (1u << 20) /* bytes of the program's memory */
#define RIG_BASE        UINT64_C(0x7f0000000000)
#define RIG_STRUCTURE   4096u /* at its end: where the structure of an ioctl is */
#define RIG_LINES       64u
#define RIG_DESCRIPTORS 64u
#define RIG_FIRST_FD    1000
#define RIG_FIRST_EVENT 2000
#define RIG_EVENTS      4u

#define FB_HANDLE 0xbeef0201u
#define TT_HANDLE 0xbeef0202u
#define GRAPHICS  0xbeef0097u
#define COPY      0xbeef0039u
#define SEMAPHORE 0xbeef0301u
#define NOP       0x100u /* of every 3D class */

#define COPY_SUBCHANNEL 4u
#define PAGE            4096u
#define VRAM            NOUVEAU_GEM_DOMAIN_VRAM
#define GART            NOUVEAU_GEM_DOMAIN_GART
#define RENDER          DRM_NODE_RENDER
#define NOT_MAPPED      UINT64_C(0x10000) /* no buffer's memory in the program */

/* What the tests must know of a chip beside the API. */
struct part {
    const char *chip;
    uint16_t chipset;  /* as GETPARAM and NVIF say it */
    uint16_t graphics; /* 3D class */
    uint16_t copy;     /* M2MF, or a copy class (xxb5) */
    bool calls;        /* before G80: a segment returns; VRAM and GART are spaces of their own, there are no others */
    bool classes;      /* GF100-: commands of that format, classes instead of handles */
    bool runlists;     /* GK104- */
    bool vram;
};

static const struct part parts[] = {
    {"NV40", 0x40, 0x4097, 0x0039, true, false, false, true},
    {"NV44", 0x44, 0x4497, 0x0039, true, false, false, true},
    {"G80", 0x50, 0x5097, 0x5039, false, false, false, true},
    {"GT215", 0xa3, 0x8597, 0x5039, false, false, false, true},
    {"GF100", 0xc0, 0x9097, 0x9039, false, true, false, true},
    {"GK104", 0xe4, 0xa097, 0xa0b5, false, true, true, true},
    {"GK110", 0xf0, 0xa197, 0xa0b5, false, true, true, true},
    {"GM107", 0x117, 0xb097, 0xb0b5, false, true, true, true},
    {"GM20B", 0x12b, 0xb197, 0xb0b5, false, true, true, false},
    {"GP102", 0x132, 0xc197, 0xc1b5, false, true, true, true},
};

#define FOR_EACH_PART for (const struct part *part = parts; part < parts + COUNT_OF(parts); part++)

struct rig {
    const struct part *part;
    struct drm_device *device;
    struct drm_config config; /* used by rig_open(): a test may fill it in before */
    uint8_t memory[RIG_MEMORY];
    size_t used;
    char lines[RIG_LINES][512]; /* the log's */
    unsigned line_count;
    uint8_t events[1024];
    size_t event_bytes;
    struct drm_file *event_file;
    unsigned give_flags;                         /* of the last descriptor */
    int give_error;                              /* negative: none is given */
    bool read_only;                              /* nothing can be written to the program's memory */
    unsigned held[RIG_EVENTS], told[RIG_EVENTS]; /* eventfds RIG_FIRST_EVENT and up */
    struct drm_memory moved_from, moved_to;      /* of the last buffer that has moved */
    uint64_t now;                                /* only waits let it pass */
    unsigned waits;
    bool signal;                      /* waits end with a signal */
    void (*waiting)(struct rig *rig); /* called in a wait, if there is one: other threads come in */
    void *waiting_opaque;
};

/* `rig` is cleared but for config's vram_bytes .. budget. A mebibyte is too much for some stacks: make it static. */
void rig_open(struct rig *rig, const struct part *part);
void rig_close(struct rig *rig);
struct drm_file *rig_file(struct rig *rig, enum drm_node_type type);
bool rig_logged(const struct rig *rig, const char *text);

/* The file behind a descriptor, for a test to look at. */
int rig_file_of(int fd);
/* The program closes it. */
void rig_close_fd(int fd);
/* A descriptor of a file that the test has made, which it takes. */
int rig_add_fd(int file);

/* ---- ioctls ---- */

/* Number `number` of nouveau, for a structure that goes and comes. */
#define NOUVEAU(number, structure) DRM_IOWR(DRM_COMMAND_BASE + (number), structure)

/* A copy in the program's memory: its address. The room is used again after a mebibyte. */
uint64_t rig_put(struct rig *rig, const void *data, size_t bytes);
void rig_get(const struct rig *rig, uint64_t address, void *data, size_t bytes);
/* The structure, of the size that the request has, goes through the program's memory. */
int rig_ioctl(struct rig *rig, struct drm_file *file, unsigned long request, void *structure);

/* ---- buffers ---- */

/* What GEM_NEW says of one. */
struct drm_nouveau_gem_info rig_buffer(struct rig *rig, struct drm_file *file, uint32_t domain, uint64_t bytes);
/* VRAM where there is some. */
uint32_t rig_vram(const struct rig *rig);
/* Through what mmap() would map. */
uint32_t rig_rd32(struct drm_file *file, const struct drm_nouveau_gem_info *buffer, uint64_t offset);
void rig_wr32(struct drm_file *file, const struct drm_nouveau_gem_info *buffer, uint64_t offset, uint32_t value);
int rig_close_handle(struct rig *rig, struct drm_file *file, uint32_t handle);
int rig_prep(struct rig *rig, struct drm_file *file, uint32_t handle, uint32_t flags);

/* ---- channels ---- */

/* One with a 3D object (GRAPHICS), one that copies (COPY) and a semaphore: a piece of its notifiers, or a buffer from
 * GF100 on. */
struct rig_channel {
    struct drm_file *file;
    uint32_t id, notifier;
    struct drm_nouveau_gem_info semaphore; /* the buffer that it is in */
    uint32_t at;                           /* offset in it */
};

int rig_channel_alloc(struct rig *rig, struct drm_file *file, struct drm_nouveau_channel_alloc *alloc);
struct rig_channel rig_channel(struct rig *rig, struct drm_file *file);
int rig_channel_free(struct rig *rig, struct drm_file *file, uint32_t id);
int rig_object(struct rig *rig, struct drm_file *file, uint32_t channel, uint32_t handle, int32_t oclass);

/* One that waits for 1 in its semaphore and then writes 2 there, with `buffer` (NULL: none) in its list. Not NV4x. */
struct rig_channel rig_waiting(struct rig *rig, struct drm_file *file, const struct drm_nouveau_gem_info *buffer,
                               bool writes);
/* As the program does it. */
void rig_let_go(const struct rig_channel *channel);

#define FOR_EACH_THAT_WAITS FOR_EACH_PART if (!part->calls)

/* ---- commands ---- */

struct words {
    const struct part *part;
    uint32_t word[64];
    uint32_t count;
};

void words_add(struct words *words, uint32_t word);
void words_header(struct words *words, uint32_t subchannel, uint32_t method, uint32_t count);
void words_method(struct words *words, uint32_t subchannel, uint32_t method, uint32_t data);
void words_bind_object(struct words *words, uint32_t subchannel);
/* The channel's semaphore, by PFIFO; NV4x: by the 3D object, and nothing acquires. */
void words_release(struct words *words, const struct rig_channel *channel, uint32_t value);
void words_acquire(struct words *words, const struct rig_channel *channel, uint32_t value);
/* By the channel's M2MF, or copy engine: from the beginning of one buffer to that of another. */
void words_copy(struct words *words, const struct drm_nouveau_gem_info *from, const struct drm_nouveau_gem_info *to,
                uint32_t bytes);
/* What the channel's semaphore has. */
uint32_t rig_released(const struct rig_channel *channel);

/* ---- submissions ---- */

struct rig_submission {
    struct drm_nouveau_gem_pushbuf_bo buffers[8];
    struct drm_nouveau_gem_pushbuf_reloc relocs[8];
    struct drm_nouveau_gem_pushbuf_push pushes[8];
    struct drm_nouveau_gem_pushbuf request; /* counts, and what the kernel tells; addresses are filled in */
};

/* Returns its index. Presumed where it is; both domains are valid unless the test changes that. */
uint32_t rig_list(struct rig_submission *submission, const struct drm_nouveau_gem_info *buffer, bool writes);
/* Write the words to the buffer (with the return where segments are called), and list the segment. */
void rig_push(struct rig *rig, struct rig_submission *submission, const struct rig_channel *channel,
              const struct drm_nouveau_gem_info *buffer, uint64_t offset, struct words *words);
/* GEM_PUSHBUF; the lists come back, too. */
int rig_submit(struct rig *rig, const struct rig_channel *channel, struct rig_submission *submission);
/* All in one, from a new buffer that is closed again: the words, and `used`, which they write to (NULL: none). */
int rig_run(struct rig *rig, const struct rig_channel *channel, struct words *words,
            const struct drm_nouveau_gem_info *used);

#endif
