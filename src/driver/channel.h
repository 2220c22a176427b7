/* SPDX-License-Identifier: MIT */
/* Channels and their objects, and what belongs to a channel: its ring, methods by PIO, software objects. */
#ifndef PFIFO_SRC_DRIVER_CHANNEL_H
#define PFIFO_SRC_DRIVER_CHANNEL_H

#include "driver/buffer.h"

struct channel_object {
    uint32_t handle;
    uint32_t object_class; /* 0: a DMA object */
    bool software;
    uint64_t slot;     /* instance memory of its RAMHT entry, 0: none */
    uint64_t instance; /* and of the object */
};

#define GRAPH_CONTEXT_WORDS 5u

struct pfifo_channel {
    struct pfifo_device *device;
    struct pfifo_channel *next;
    uint32_t number;
    uint64_t id;                  /* for fences: never reused, unlike the number */
    enum pfifo_channel_mode mode; /* never DEFAULT */
    uint32_t entries;
    struct pfifo_channel_config config;
    struct pfifo_vm *vm;       /* NULL: before G80 */
    struct pfifo_buffer *ring; /* PIO: none */
    uint32_t slots;            /* of the ring that hold segments */
    uint32_t put;              /* next slot to write */
    uint64_t *returns;         /* of the segment in each slot: its word that jumps back; NULL: segments are called */
    uint64_t own_end;          /* PUT is here, at the end of words of PFIFO_SUBMIT_RING; 0: it is in the ring */
    bool dead;                 /* killed after a fault */
    uint32_t software[8];      /* class of the software object bound to each subchannel, 0: none */
    struct {                   /* set by its methods */
        uint32_t reference, object, value, heads;
        uint64_t address;
    } software_state;
    struct channel_fences fences;
    uint32_t syncpoint; /* 0: none yet */
    struct channel_object *objects;
    size_t object_count, object_room;
    uint32_t graph_context[GRAPH_CONTEXT_WORDS]; /* NV1, NV3: registers of PGRAPH while it is on another channel */
};

/* ---- software.c ---- */

/* Execute a software method. False: there is no handler for it. */
bool channel_software_method(struct pfifo_channel *channel, unsigned subchannel, uint32_t method, uint32_t data);
/* Method 0 of a software object: by handle, or (GF100-) by class. False: there is no such object. */
bool channel_software_bind(struct pfifo_channel *channel, unsigned subchannel, uint32_t data);
void channel_software_gone(struct pfifo_channel *channel);

/* ---- run.c, fence.c ---- */

/* PFIFO_ERROR_TIMEOUT, with the reason why the last run stopped. */
enum pfifo_status device_stop_error(struct pfifo_device *device, enum pfifo_stop stop, struct pfifo_error *error);
/* Run the GPU until `there` returns true. */
enum pfifo_status device_run_until(struct pfifo_device *device, bool (*there)(void *what), void *what, uint64_t budget,
                                   struct pfifo_error *error);

/* ---- ring.c ---- */

enum pfifo_status ring_make(struct pfifo_channel *channel, struct pfifo_error *error);
void ring_drop(struct pfifo_channel *channel);

/* ---- place.c ---- */

/* Where a channel stands. What follows `has_` is 0 if that is false. */
struct channel_place {
    uint64_t get;                /* the pushbuffer word that is fetched next */
    uint32_t ring_get, ring_put; /* slots of the ring: read next, written next; UINT32_MAX: not known */
    bool loaded;                 /* in CACHE1, or on a PBDMA */
    bool acquires;               /* an acquire waits */
    bool has_semaphore;          /* that it waits for, and the value */
    uint64_t semaphore;
    uint32_t wanted;
    bool has_method; /* that is executed next, in CACHE1 */
    uint32_t subchannel, method, data;
};

/* Nothing changes. NV4 and later, channels with a pushbuffer: of others nothing is known. */
void channel_place(struct pfifo_channel *channel, struct channel_place *place);

/* ---- pio.c: methods by PIO, before G80 ---- */

/* Where a channel's methods are written: a register. */
uint32_t pio_user(uint32_t channel, uint32_t subchannel);
/* Words that the channel may write now. */
uint32_t pio_free_words(struct pfifo_channel *channel);
/* PFIFO's interrupt RUNOUT: empty RAMRO, acknowledge. */
void pio_runout(struct pfifo_device *device);
/* Write methods from RAMRO again. False: no more was accepted than refused, so another run is useless. */
bool pio_replay(struct pfifo_device *device);
/* Has the channel methods that wait outside of CACHE1? */
bool pio_pending(struct pfifo_channel *channel);
void pio_channel_gone(struct pfifo_channel *channel);

#endif
