/* SPDX-License-Identifier: MIT */
/*
 * The kernel's nouveau as a program of a guest calls it, by ioctls alone. Whatever fails that should not ends the
 * process with a message: each check is a process (guest.c).
 *
 *   struct device    an open render node           struct channel    one of its channels, with an object that copies
 *   struct buffer    GEM, mapped                   struct words      commands, in the format of the family
 *
 * Source: Linux include/uapi/drm/nouveau_drm.h, and what libdrm passes
 */
#ifndef PFIFO_TESTS_VM_NOUVEAU_H
#define PFIFO_TESTS_VM_NOUVEAU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <drm.h>
#include <nouveau_drm.h>

#define VRAM NOUVEAU_GEM_DOMAIN_VRAM
#define GART NOUVEAU_GEM_DOMAIN_GART

#define COPY_SUBCHANNEL 4u
#define HANDLE_TWOD     0xbeef002du
#define ROW_BYTES       4096u /* what a copy moves at a time */

enum format {
    METHODS_OF_HANDLES, /* up to NV4x: objects by handle, VRAM and GART are DMA objects */
    METHODS_OF_TESLA,   /* objects by handle, addresses */
    METHODS_OF_CLASSES, /* Fermi and later: objects by class */
    FORMATS,
};

/* What a program must know of a family. */
struct family {
    unsigned first; /* chipset, as NOUVEAU_GETPARAM_CHIPSET_ID says it */
    enum format format;
    uint16_t copy; /* class: M2MF, or a copy engine (0xb5) */
    uint16_t twod; /* class of PGRAPH that refuses methods, and fills rectangles */
    /* From GK104 on a subchannel says who has its methods: 0 to 3 PGRAPH, 4 a copy engine, others software. */
    unsigned twod_subchannel;
    unsigned free_subchannel; /* of PGRAPH or PFIFO, where nothing else is bound */
};

struct device {
    int fd;
    unsigned chipset;
    const struct family *family;
    uint64_t vram_bytes;
};

struct buffer {
    struct device *device;
    struct drm_nouveau_gem_info info; /* domain: where it is, as far as is known */
    uint32_t *map;
};

struct channel {
    struct device *device;
    int id;
    uint32_t push_domain;
    uint32_t suffix[2]; /* words after a segment; 0: none */
};

/* A buffer that a submission uses, and where the kernel has to have it. */
struct use {
    struct buffer *buffer;
    uint32_t domain;
    bool writes;
};

/* A word that has a buffer's address, or the handle of the DMA object for where it is. */
struct place {
    uint32_t at; /* which word */
    const struct buffer *buffer;
    uint32_t offset; /* in the buffer */
    bool is_handle;
};

struct words {
    const struct family *family;
    uint32_t count, word[4096];
    uint32_t place_count;
    struct place place[64];
};

_Noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- device, buffers, channels ---- */

void device_open(struct device *device);
void device_close(struct device *device);

struct buffer buffer_new(struct device *device, uint32_t domain, uint64_t bytes);
void buffer_free(struct buffer *buffer);
/* Until the GPU is done with it. */
void buffer_wait(const struct buffer *buffer);
/* 0: it was done within the kernel's patience; else errno. */
int buffer_try_wait(const struct buffer *buffer);

void channel_open(struct device *device, struct channel *channel);
void channel_close(struct channel *channel);

/* ---- commands ---- */

void words_add(struct words *words, uint32_t word);
void words_method(struct words *words, unsigned subchannel, uint32_t method, uint32_t data);
/* Copies are a copy engine's, not PGRAPH's. */
bool family_has_copy_engine(const struct family *family);
/* The object that copies, to COPY_SUBCHANNEL. */
void words_bind_copy(struct words *words);
/* `rows` rows of ROW_BYTES. */
void words_copy(struct words *words, const struct buffer *from, uint64_t from_at, const struct buffer *to,
                uint64_t to_at, uint32_t rows);
/* The same with DMA objects, or their stand-ins, and addresses of one's own. */
void words_copy_raw(struct words *words, uint32_t from_domain, uint64_t from, uint32_t to_domain, uint64_t to,
                    uint32_t rows);

/* Submit the words from a new buffer, and forget it. At most 8 uses. Afterwards the buffers say where they are. */
void channel_submit(struct channel *channel, const struct words *words, const struct use *uses, unsigned count);
/* The same without uses. 0, or errno. */
int channel_try_submit(struct channel *channel, const struct words *words);
/* And wait for the end. */
void channel_run(struct channel *channel, const struct words *words, const struct use *uses, unsigned count);
/* 0, or errno of the wait. */
int channel_try_run(struct channel *channel, const struct words *words, const struct use *uses, unsigned count);

#endif
