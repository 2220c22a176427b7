/* SPDX-License-Identifier: MIT */
/*
 * What a program has mapped in an address space that it manages itself (VM_INIT). Linux
 * drivers/gpu/drm/nouveau/nouveau_uvmm.c.
 *
 *   VM_BIND --> the book: what will be mapped when all jobs are done; errors are found here, and nothing has changed
 *           --> a job, in order with those before --> page tables
 */
#ifndef PFIFO_SRC_FACE_DRM_NODE_SPACE_H
#define PFIFO_SRC_FACE_DRM_NODE_SPACE_H

#include "face/drm/node/node.h"

/* UNKNOWN: the book refuses it. */
enum drm_bind_kind { DRM_BIND_MAP, DRM_BIND_UNMAP, DRM_BIND_MAP_SPARSE, DRM_BIND_UNMAP_SPARSE, DRM_BIND_UNKNOWN };

/* An operation. Addresses are [begin, end). */
struct drm_bind {
    enum drm_bind_kind kind;
    uint64_t begin, end;
    struct drm_buffer *buffer; /* MAP: with a reference */
    uint64_t offset;
    uint8_t page_kind;
    bool no_pages; /* there are none of that type: what was there goes, and nothing comes */
};

struct drm_space;

/* With what the kernel keeps, which must be in the space. NULL: no memory. */
struct drm_space *drm_space_new(uint64_t kernel_begin, uint64_t kernel_end, uint64_t serial);
void drm_space_free(struct drm_space *space);
/* Never given twice. */
uint64_t drm_space_serial(const struct drm_space *space);
/* Are all addresses the program's? */
bool drm_space_has(const struct drm_space *space, uint64_t begin, uint64_t end);
/* Write all of a job's operations into the book, or none. 0 or -errno. */
int drm_space_enter(struct drm_space *space, const struct drm_bind *binds, uint32_t count);
bool drm_space_maps(const struct drm_space *space, const struct drm_buffer *buffer);

/* Do them in the page tables. 0 or -errno, of the first that failed: those after it are done. */
int drm_space_apply(struct drm_file *file, const struct drm_bind *binds, uint32_t count);

#endif
