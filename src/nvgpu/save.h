/* SPDX-License-Identifier: MIT */
/*
 * What the files of the Tegra's driver share to save and load it (save.c). Each names its fields once, for both
 * directions; what they are in the stream is in src/state/state.h.
 */
#ifndef PFIFO_SRC_NVGPU_SAVE_H
#define PFIFO_SRC_NVGPU_SAVE_H

#include <assert.h>

#include "nvgpu/nvgpu.h"
#include "state/state.h"

/* A new field changes the size, and does not compile before its state function has been looked at. */
#define NVGPU_SAVES(structure, bytes)                                                                                  \
    static_assert(sizeof(void *) != 8 || sizeof(structure) == (bytes), "the state of " #structure " has changed")

/* What the device below gives ids to. */
enum nvgpu_id_kind { NVGPU_ID_BUFFER, NVGPU_ID_VM, NVGPU_ID_CHANNEL };

struct nvgpu_id {
    enum nvgpu_id_kind kind;
    uint32_t id;
};

struct nvgpu_save {
    struct state_io io;
    struct pfifo_nvgpu *nvgpu;
    struct pfifo_nvgpu_client **clients; /* in the order of the stream */
    uint32_t client_count;
    struct nvgpu_as **spaces; /* loading: each has a reference here */
    uint32_t space_count, space_room;
    struct nvgpu_id *ids; /* loading: none may be there twice */
    uint32_t id_count, id_room;
};

/* save.c: an id that must be in the device. 0: none. */
void nvgpu_state_id(struct nvgpu_save *save, enum nvgpu_id_kind kind, uint32_t *id);
/* Room for one more in an array. False: no memory, and the stream has failed. */
bool nvgpu_save_room(struct nvgpu_save *save, void **array, uint32_t count, uint32_t *room, size_t bytes);
/* Pages that are not all zero. */
void nvgpu_state_pages(struct state_io *io, uint8_t *memory, uint64_t bytes);

/* files.c: which files of a client are open, of what device. */
void nvgpu_state_files(struct nvgpu_save *save, struct pfifo_nvgpu_client *client);

/* events.c: all of them; and the number of one, or 0. */
void nvgpu_state_events(struct nvgpu_save *save);
void nvgpu_state_event(struct nvgpu_save *save, uint32_t *number);

/* control_gpu.c: a table of clear values. */
void nvgpu_state_clear_values(struct state_io *io, struct nvgpu_zbc *table);

/* nvmap.c: all objects, and what clients hold. */
void nvgpu_state_objects(struct nvgpu_save *save);
/* When the mappings are known as well: each object is in use. */
void nvgpu_check_objects(struct nvgpu_save *save);
bool nvgpu_link_objects(struct pfifo_nvgpu *nvgpu, enum nvgpu_link link);
void nvgpu_forget_objects(struct pfifo_nvgpu *nvgpu);

/* save_spaces.c: all address spaces; and one by its number, or none. */
void nvgpu_state_spaces(struct nvgpu_save *save);
void nvgpu_state_space(struct nvgpu_save *save, struct nvgpu_as **as);
bool nvgpu_link_space(struct nvgpu_as *as, enum nvgpu_link link);
void nvgpu_forget_space(struct nvgpu_as *as);

#endif
