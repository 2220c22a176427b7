/* SPDX-License-Identifier: MIT */
/* Inside of the reader of recordings on NVIDIA's own driver: what a program has. */
#ifndef PFIFO_SRC_FOREIGN_NVRM_STATE_H
#define PFIFO_SRC_FOREIGN_NVRM_STATE_H

#include "foreign/nvrm.h"
#include "foreign/pages.h"

enum {
    NVRM_OBJECTS = 1 << 20, /* at a time, as of windows and places */
    NVRM_CHANNELS = 256,
    NVRM_RING = 1 << 16,  /* entries of a ring that is followed by its PUT */
    NVRM_STEPS = 1 << 24, /* things that are looked at again and again, in all */
};

/* Where the GPU has a part of a memory. It is a buffer of the capture. */
struct nvrm_place {
    uint64_t address, bytes, offset;
    uint32_t handle;              /* in the capture */
    uint32_t owner_client, owner; /* the object by which it was made, and with which it goes */
    struct nvrm_memory *memory;
    struct nvrm_place *next, **link; /* of the memory */
};

/* What an object has, as far as the program has written it. */
struct nvrm_memory {
    struct foreign_pages pages;
    size_t users; /* objects, windows, mappings, rings */
    uint32_t domain;
    struct nvrm_place *places;
    struct nvrm_channel *channel;     /* whose USER area it is */
    size_t rings;                     /* of channels, that are in it */
    bool again;                       /* a place is new: it has none of the pages yet */
    struct nvrm_memory *next, **link; /* of those that have changed; link NULL: it is not among them */
};

/* What the kernel has offered to be mapped. */
struct nvrm_window {
    bool by_fd;   /* else by offset */
    uint64_t key; /* the offset or the descriptor */
    struct nvrm_memory *memory;
    uint64_t offset;
};

struct nvrm_channel {
    uint32_t number;
    bool has_ring;              /* else a pushbuffer, with PUT in its USER area */
    bool has_user;              /* its USER area is mapped: PUT says what is queued */
    uint64_t ring;              /* address */
    uint32_t entries;           /* 0: not known */
    uint32_t next;              /* entry */
    struct nvrm_memory *memory; /* of the ring; NULL: not known yet */
    uint64_t offset;            /* of the ring in it */
    uint32_t place;             /* handle of the place of the pushbuffer; 0: not known yet */
    uint64_t put;
};

struct nvrm_object {
    uint32_t client, handle, oclass;
    struct nvrm_object *parent, *children, *next, **link;
    struct nvrm_memory *memory;
    struct nvrm_channel *channel; /* its own, or the one that it is in */
    bool is_channel;
};

struct nvrm_push {
    const struct nvrm_place *place;
    uint64_t address, bytes, flags; /* flags: of the length of a PUSH */
};

struct nvrm {
    const struct foreign_file *file;
    struct pfifo_stream_writer *writer;
    struct pfifo_error *error;
    void *objects, *windows, *places; /* trees */
    size_t object_count, window_count, place_count, pages;
    uint64_t steps;
    struct nvrm_channel *channel[NVRM_CHANNELS];
    size_t channels, unknown_rings;
    uint32_t next_channel, next_handle, sequence;
    struct nvrm_memory *changed;
    struct nvrm_push *push; /* that are collected for a submission */
    size_t pushes, push_room;
    bool begun, has_chipset, ending;
    bool needs_objects;               /* a channel's methods name DMA objects */
    struct foreign_left_out left_out; /* calls and submissions */
};

bool nvrm_append(const struct nvrm *nvrm, struct pfifo_stream_record record);
bool nvrm_no_memory(const struct nvrm *nvrm);
/* What is not in the capture: true. */
bool nvrm_leave_out(struct nvrm *nvrm, size_t at, const char *why);
/* Work that a few bytes of a file could ask for again and again. False: it was too much, and `error` is set. */
bool nvrm_spend(struct nvrm *nvrm, uint64_t steps);

/* ---- nvrm_memory.c ---- */

struct nvrm_memory *nvrm_memory_new(struct nvrm *nvrm, uint32_t domain);
struct nvrm_memory *nvrm_memory_keep(struct nvrm_memory *memory);
void nvrm_memory_drop(struct nvrm *nvrm, struct nvrm_memory *memory); /* may be NULL */
void nvrm_memory_changed(struct nvrm *nvrm, struct nvrm_memory *memory);

struct nvrm_place *nvrm_place_at(const struct nvrm *nvrm, uint64_t address);
bool nvrm_place_make(struct nvrm *nvrm, struct nvrm_memory *memory, const struct nvrm_place *wanted, size_t at);
bool nvrm_place_remove(struct nvrm *nvrm, struct nvrm_place *place);

bool nvrm_window_make(struct nvrm *nvrm, const struct nvrm_window *wanted, size_t at);
void nvrm_window_remove(struct nvrm *nvrm, struct nvrm_window *window);
struct nvrm_window *nvrm_window_find(const struct nvrm *nvrm, bool by_fd, uint64_t key);

/* ---- nvrm_channel.c ---- */

/* Is it a class of channels? */
bool nvrm_is_channel(uint32_t oclass);
/* A channel of an object, with what it was created with (NULL: that is not in the log). */
bool nvrm_channel_make(struct nvrm *nvrm, struct nvrm_object *object, const struct mmt_memory *arguments, size_t at);
bool nvrm_channel_remove(struct nvrm *nvrm, struct nvrm_channel *channel);
/* There is a new place: rings may be in it. */
void nvrm_channels_look(struct nvrm *nvrm);
/* Bytes of a memory have been written. */
bool nvrm_channels_written(struct nvrm *nvrm, struct nvrm_memory *memory, uint64_t at, size_t bytes);

/* ---- nvrm_submit.c ---- */

/* Words for the next submission. */
bool nvrm_collect(struct nvrm *nvrm, uint64_t address, uint64_t bytes, uint64_t flags);
/* All that is collected. */
bool nvrm_submit(struct nvrm *nvrm, const struct nvrm_channel *channel);

#endif
