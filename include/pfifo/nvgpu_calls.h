/* SPDX-License-Identifier: MIT */
/*
 * The calls of pfifo/nvgpu.h with types, for programs in C. Each makes the structure of one call and passes it to
 * pfifo_nvgpu_ioctl(), as the library of a console's programs does; numbers and structures are those of current
 * firmware. Results are those of the calls. Outputs are written only if the result is PFIFO_NVGPU_OK, unless a comment
 * says otherwise. Addresses and sizes are in bytes.
 *
 * Library: libpfifo
 */
#ifndef PFIFO_NVGPU_CALLS_H
#define PFIFO_NVGPU_CALLS_H

#include <pfifo/nvgpu.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- /dev/nvmap ---- */

PFIFO_API enum pfifo_nvgpu_result pfifo_nvmap_create(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t bytes,
                                                     uint32_t *handle);
/* `address`: of the program's memory, a multiple of 4096. `cached`: its CPU caches it. */
PFIFO_API enum pfifo_nvgpu_result pfifo_nvmap_alloc(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t handle,
                                                    uint32_t align, uint8_t kind, bool cached, uint64_t address);
PFIFO_API enum pfifo_nvgpu_result pfifo_nvmap_get_id(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t handle,
                                                     uint32_t *id);
PFIFO_API enum pfifo_nvgpu_result pfifo_nvmap_from_id(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t id,
                                                      uint32_t *handle);
/* `what`: 1 bytes, 2 alignment, 3 base, 4 heap, 5 kind. */
PFIFO_API enum pfifo_nvgpu_result pfifo_nvmap_param(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t handle,
                                                    uint32_t what, uint32_t *value);
/* *address, *freed: NULL allowed. */
PFIFO_API enum pfifo_nvgpu_result pfifo_nvmap_free(struct pfifo_nvgpu_client *client, int32_t fd, uint32_t handle,
                                                   uint64_t *address, bool *freed);

/* ---- /dev/nvhost-as-gpu ---- */

/* `big_page_bytes`: 0x10000, 0x20000, or 0 for the default. */
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_as_initialize(struct pfifo_nvgpu_client *client, int32_t fd,
                                                             uint32_t big_page_bytes);
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_as_bind_channel(struct pfifo_nvgpu_client *client, int32_t fd,
                                                               int32_t channel);

#define PFIFO_NVHOST_AS_FIXED  1u
#define PFIFO_NVHOST_AS_SPARSE 2u

/* *address: in, the address with PFIFO_NVHOST_AS_FIXED, else an alignment or 0. */
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_as_alloc_space(struct pfifo_nvgpu_client *client, int32_t fd,
                                                              uint32_t pages, uint32_t page_bytes, uint32_t flags,
                                                              uint64_t *address);
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_as_free_space(struct pfifo_nvgpu_client *client, int32_t fd,
                                                             uint64_t address, uint32_t pages, uint32_t page_bytes);

#define PFIFO_NVHOST_AS_MAP_FIXED     0x001u
#define PFIFO_NVHOST_AS_MAP_CACHEABLE 0x004u
#define PFIFO_NVHOST_AS_MAP_MODIFY    0x100u /* another kind for a part of the mapping at *address */
#define PFIFO_NVHOST_KIND_OF_BUFFER   UINT32_MAX

struct pfifo_nvhost_as_map {
    uint32_t flags, kind, handle;
    uint32_t page_bytes;    /* 0: the driver chooses */
    uint64_t offset, bytes; /* of the buffer; 0 bytes: up to its end */
    uint64_t address;       /* in with FIXED and MODIFY; out */
};

PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_as_map_buffer(struct pfifo_nvgpu_client *client, int32_t fd,
                                                             struct pfifo_nvhost_as_map *map);
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_as_unmap_buffer(struct pfifo_nvgpu_client *client, int32_t fd,
                                                               uint64_t address);

/* In big pages, inside of a sparse space; handle 0: sparse again. */
struct pfifo_nvhost_as_remap {
    uint16_t flags, kind;
    uint32_t handle, offset, address, pages;
};

/* `count`: at most 818. */
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_as_remap_pages(struct pfifo_nvgpu_client *client, int32_t fd,
                                                              const struct pfifo_nvhost_as_remap *entries,
                                                              uint32_t count);

/* ---- /dev/nvhost-gpu ---- */

struct pfifo_nvhost_fence {
    uint32_t syncpoint, value;
};

PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_gpu_set_nvmap(struct pfifo_nvgpu_client *client, int32_t fd,
                                                             int32_t nvmap);
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_gpu_alloc_gpfifo(struct pfifo_nvgpu_client *client, int32_t fd,
                                                                uint32_t entries, struct pfifo_nvhost_fence *fence);
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_gpu_alloc_object(struct pfifo_nvgpu_client *client, int32_t fd,
                                                                uint32_t object_class);
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_gpu_set_error_notifier(struct pfifo_nvgpu_client *client, int32_t fd,
                                                                      bool enable);
/* 50 low, 100 medium, 150 high. */
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_gpu_set_priority(struct pfifo_nvgpu_client *client, int32_t fd,
                                                                uint32_t priority);
/*
 * How long a channel may have work without making progress, before it gets the error 8 and ends; 0: forever. Unset:
 * 5000. A wait for a semaphore also has a timeout of the PBDMA, whose error is 24.
 */
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_gpu_set_timeout(struct pfifo_nvgpu_client *client, int32_t fd,
                                                               uint32_t milliseconds);

#define PFIFO_NVHOST_SUBMIT_WAIT            0x001u /* for *fence, first */
#define PFIFO_NVHOST_SUBMIT_INCREMENT       0x002u /* the driver increments the syncpoint after the entries */
#define PFIFO_NVHOST_SUBMIT_HARDWARE_FORMAT 0x004u
#define PFIFO_NVHOST_SUBMIT_NO_WFI          0x010u
#define PFIFO_NVHOST_SUBMIT_INCREMENTS      0x100u /* the entries do, fence->value times */

/* An entry of a list of commands: flags as of libnx (bit 9: not main, bit 31: do not prefetch). */
static inline uint64_t pfifo_nvhost_gpu_entry(uint64_t address, uint32_t words, uint32_t flags) {
    return address | (uint64_t)(flags | words << 10) << 32;
}

/* *fence: in with WAIT and INCREMENTS; out, the value that is reached when all of it is done. */
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_gpu_submit(struct pfifo_nvgpu_client *client, int32_t fd,
                                                          const uint64_t *entries, uint32_t count, uint32_t flags,
                                                          struct pfifo_nvhost_fence *fence);

struct pfifo_nvhost_notification {
    uint64_t time;
    uint32_t number; /* 8 idle timeout, 13 software, 24 semaphore timeout, 25 illegal method, 31 MMU fault, 32 PBDMA */
    bool there;      /* false: nothing has happened */
};

PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_gpu_notification(struct pfifo_nvgpu_client *client, int32_t fd,
                                                                struct pfifo_nvhost_notification *notification);
/*
 * Type (0 none, 1 page fault, 2 method, 3 list, 4 timeout) and 31 words. Of a page fault: status of the MMU's record,
 * address (high, low), 2 for a write. Of a method: PGRAPH's interrupt, method in bytes, -, data, class.
 */
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_gpu_error_info(struct pfifo_nvgpu_client *client, int32_t fd,
                                                              uint32_t info[32]);

/* ---- /dev/nvhost-ctrl ---- */

PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_ctrl_read(struct pfifo_nvgpu_client *client, int32_t fd,
                                                         uint32_t syncpoint, uint32_t *value);
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_ctrl_increment(struct pfifo_nvgpu_client *client, int32_t fd,
                                                              uint32_t syncpoint);
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_ctrl_register(struct pfifo_nvgpu_client *client, int32_t fd,
                                                             uint32_t slot);
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_ctrl_unregister(struct pfifo_nvgpu_client *client, int32_t fd,
                                                               uint32_t slot);
/* OK: it is reached. TIMEOUT: not yet; with a timeout other than 0 the event 0x10000000 | slot will be signalled. */
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_ctrl_wait_async(struct pfifo_nvgpu_client *client, int32_t fd,
                                                               const struct pfifo_nvhost_fence *fence,
                                                               int32_t timeout_us, uint32_t slot);
/* Cancels a wait. */
PFIFO_API enum pfifo_nvgpu_result pfifo_nvhost_ctrl_signal(struct pfifo_nvgpu_client *client, int32_t fd,
                                                           uint32_t slot);

#ifdef __cplusplus
}
#endif

#endif
