/* SPDX-License-Identifier: MIT */
/*
 * Semaphores of NV1A .. NV4x: a page of memory, which is found when the object is bound. With it the table of host
 * methods of NV4 .. NV4x.
 *
 *   SEMAPHORE  page [31:12] | OFFSET [11:2] | VALID 0      PULL1 [17:16]  target of the page
 *
 * Source: envytools docs/hw/fifo/puller.rst.
 */
#include "fifo/cache/host.h"

#include "fifo/cache/puller.h"

/* SEMAPHORE_ERROR codes. */
enum { NV1A_INVALID_OPERAND = 1 };

#define NV1A_SEMAPHORE_VALID  (1u << 0)
#define NV1A_SEMAPHORE_OFFSET 0xffcu
#define NV1A_SEMAPHORE_PAGE   0xfffff000u
#define NV1A_TARGET_SHIFT     16
#define DMA_CLASS_READ        0x002u
#define DMA_ACCESS_WRITE_ONLY 2u /* word 0 [15:14] */

static struct address_space nv1a_space(const struct cache_fifo *c) {
    /* 0 VRAM, 2 and 3 system; UNKNOWN: 1, chosen: VRAM, as for DMA objects. */
    return address_space_physical((c->r.pull1 >> NV1A_TARGET_SHIFT & 2) == 0 ? MEMORY_VRAM : MEMORY_SYSTEM);
}

static uint64_t nv1a_address(const struct cache_fifo *c, uint32_t mode) {
    (void)mode;
    return c->r.semaphore & (NV1A_SEMAPHORE_PAGE | NV1A_SEMAPHORE_OFFSET);
}

/*
 * The hardware wants class 2 (the class for reading) with write-only access: nothing that a driver makes for
 * real has both, which is the known defect of these chips.
 */
static enum puller_result nv1a_dma_semaphore(struct cache_fifo *c, uint32_t method, uint32_t data) {
    struct ramht_hit hit;
    struct dma_object object;
    struct mapping mapping;
    struct fault fault;
    if (!puller_translate(c, data, &hit))
        return host_no_object(c, method, data);
    dma_object_nv4(c->base.memory, hit.instance << 4, &object);
    if (object.class != DMA_CLASS_READ || (object.word0 >> 14 & 3) != DMA_ACCESS_WRITE_ONLY || !object.present ||
        !object.space.ops->translate(c->base.memory, &object.space, 0, &mapping, &fault))
        return host_semaphore_error(c, method, data, NV1A_INVALID_OPERAND, "INVALID_OPERAND");
    c->r.pull1 = (c->r.pull1 & ~(3u << NV1A_TARGET_SHIFT)) | (object.word0 >> 16 & 3) << NV1A_TARGET_SHIFT;
    c->r.semaphore = (uint32_t)(mapping.physical & NV1A_SEMAPHORE_PAGE) | (c->r.semaphore & NV1A_SEMAPHORE_OFFSET) |
                     NV1A_SEMAPHORE_VALID;
    host_report(c, method, data);
    return PULLER_DONE;
}

static enum puller_result nv1a_semaphore_offset(struct cache_fifo *c, uint32_t method, uint32_t data) {
    if (data & ~NV1A_SEMAPHORE_OFFSET)
        return host_semaphore_error(c, method, data, NV1A_INVALID_OPERAND, "INVALID_OPERAND");
    c->r.semaphore = (c->r.semaphore & ~NV1A_SEMAPHORE_OFFSET) | data;
    host_report(c, method, data);
    return PULLER_DONE;
}

/* Physical addresses do not fault; SEMAPHORE says the rest. */
static void nv1a_semaphore_fault(struct cache_fifo *c, const struct fault *fault, bool retry) {
    (void)c, (void)fault, (void)retry;
}

/* It does not happen: what is read is a page that was there when it was bound. */
static struct cache_entry nv1a_acquire_failed(struct cache_fifo *c) {
    (void)c;
    return (struct cache_entry){0, 0};
}

static const struct semaphore_ops nv1a_semaphore = {
    .space = nv1a_space,
    .address = nv1a_address,
    .valid = NV1A_SEMAPHORE_VALID,
    .fault_code = NV1A_INVALID_OPERAND,
    .clock_shift = 5,
    .times_out = true,
    .fault = nv1a_semaphore_fault,
    .failed = nv1a_acquire_failed,
};

static const struct host_row nv1a_methods[] = {
    {0x50, HOST_NEEDS(has_ref_cnt), "REF_CNT", host_ref_cnt},
    {0x60, HOST_NEEDS(has_old_semaphore), "DMA_SEMAPHORE", nv1a_dma_semaphore},
    {0x64, HOST_NEEDS(has_old_semaphore), "SEMAPHORE_OFFSET", nv1a_semaphore_offset},
    {0x68, HOST_NEEDS(has_old_semaphore), "SEMAPHORE_ACQUIRE", host_acquire},
    {0x6c, HOST_NEEDS(has_old_semaphore), "SEMAPHORE_RELEASE", host_release},
    {0x80, HOST_NEEDS(has_yield), "YIELD", host_yield},
};

const struct host_ops host_ops_nv1a = {
    .rows = nv1a_methods, .count = sizeof nv1a_methods / sizeof nv1a_methods[0], .semaphore = &nv1a_semaphore};
