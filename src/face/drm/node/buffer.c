/* SPDX-License-Identifier: MIT */
/* GEM objects. */
#include "face/drm/node/buffer.h"

#include <stdint.h>

#include <drm.h>
#include <assert.h>
#include <errno.h>
#include <nouveau_drm.h>
#include <stdlib.h>

#include "chip/chip.h"
#include "face/drm/node/kind.h"
#include "face/drm/node/nouveau.h"
#include "face/drm/node/share.h"

#define MOST_BYTES   (UINT64_C(1) << 40)
#define DRIVER_BYTES (UINT64_C(8) << 20) /* of VRAM that the driver layer keeps for itself, at least */

/* ---- making and freeing ---- */

int drm_memory_errno(const struct pfifo_error *error) {
    return error->status == PFIFO_ERROR_MEMORY ? -ENOMEM : -EINVAL;
}

/* Where the memory is in the file that it is a part of. */
static bool find_backing(struct drm_buffer *buffer, struct pfifo_error *error) {
    struct pfifo_gpu *gpu = pfifo_device_gpu(buffer->device->pfifo);
    const uint8_t *at = pfifo_buffer_map(buffer->memory, error), *vram = pfifo_gpu_vram_map(gpu);
    if (!at)
        return false;
    bool in_vram = buffer->device->config.chip->vram_bytes && vram && at >= vram &&
                   (uint64_t)(at - vram) < pfifo_gpu_vram_bytes(gpu);
    const uint8_t *base = in_vram ? vram : pfifo_gpu_system_map(gpu);
    buffer->backing.fd = in_vram ? pfifo_gpu_vram_fd(gpu, error) : pfifo_gpu_system_fd(gpu, error);
    buffer->backing.offset = (uint64_t)(at - base);
    buffer->backing.bytes = buffer->bytes;
    return buffer->backing.fd >= 0;
}

static void count_memory(struct drm_buffer *buffer, bool more) {
    uint64_t *used =
        buffer->domain == NOUVEAU_GEM_DOMAIN_VRAM ? &buffer->device->vram_used : &buffer->device->gart_used;
    assert(more || *used >= buffer->bytes);
    *used = more ? *used + buffer->bytes : *used - buffer->bytes;
}

static void enter_device(struct drm_buffer *buffer) {
    struct drm_device *device = buffer->device;
    buffer->map_offset = device->map_offset;
    device->map_offset += (buffer->bytes + 0xfff) & ~UINT64_C(0xfff);
    buffer->next = device->buffers;
    if (device->buffers)
        device->buffers->previous = buffer;
    device->buffers = buffer;
    count_memory(buffer, true);
}

static void buffer_leave_device(struct drm_buffer *buffer) {
    if (buffer->previous)
        buffer->previous->next = buffer->next;
    else
        buffer->device->buffers = buffer->next;
    if (buffer->next)
        buffer->next->previous = buffer->previous;
    count_memory(buffer, false);
}

/* Chips without VRAM have GART only, and give it to programs that ask for VRAM. */
static int place(struct drm_buffer *buffer, uint32_t domains) {
    struct drm_device *device = buffer->device;
    struct pfifo_error error;
    struct pfifo_buffer_config config = {.size = sizeof config,
                                         .no_address = chip_has_page_tables(device->config.chip),
                                         .bytes = buffer->bytes,
                                         .tile_mode = buffer->tile_mode};
    bool vram = (domains & NOUVEAU_GEM_DOMAIN_VRAM) && device->config.chip->vram_bytes;
    config.domain = vram ? PFIFO_VRAM : PFIFO_GART;
    buffer->memory = pfifo_buffer_create(device->pfifo, &config, &error);
    if (!buffer->memory && vram && (domains & NOUVEAU_GEM_DOMAIN_GART)) {
        vram = false;
        config.domain = PFIFO_GART;
        buffer->memory = pfifo_buffer_create(device->pfifo, &config, &error);
    }
    bool fits = buffer->bytes + DRIVER_BYTES <= nouveau_vram_size(device);
    while (!buffer->memory && vram && fits && drm_buffer_evict(device))
        buffer->memory = pfifo_buffer_create(device->pfifo, &config, &error);
    if (!buffer->memory)
        return drm_memory_errno(&error);
    buffer->domain = vram ? NOUVEAU_GEM_DOMAIN_VRAM : NOUVEAU_GEM_DOMAIN_GART;
    buffer->valid_domains = NOUVEAU_GEM_DOMAIN_VRAM | NOUVEAU_GEM_DOMAIN_GART;
    if (config.no_address && device->config.chip->vram_bytes && (domains & buffer->valid_domains))
        buffer->valid_domains &= domains;
    if (find_backing(buffer, &error))
        return 0;
    drm_log(device, "buffer: %s", error.message);
    pfifo_buffer_free(buffer->memory);
    return -ENOMEM;
}

/* ---- sizes ---- */

#define SMALL_PAGE  UINT64_C(0x1000)
#define LARGE_PAGES 2u

/* Pages of VRAM that are larger, the largest first: nvkm/subdev/mmu/vmm{nv50,gf100,gk104,gm200,gp100}.c. */
struct page_row {
    const char *chips;
    uint32_t pages[LARGE_PAGES];
};
static const struct page_row page_rows[] = {
    {"G80:GF100", {0x10000}}, {"GF100:GP100", {0x20000}}, {"GP100-", {0x200000, 0x10000}}};

/*
 * A buffer that may be in VRAM only has the largest pages that it fills, and if it is compressed, large ones whatever
 * its size. One that may be in GART has small ones (nouveau_bo.c, nouveau_bo_alloc()).
 */
static uint64_t buffer_page_of(const struct drm_device *device, uint64_t bytes, uint32_t domains, bool compressed) {
    const struct page_row *row = CHIP_ROW(device->config.chip, page_rows);
    if (!row || !device->config.chip->vram_bytes || !(domains & NOUVEAU_GEM_DOMAIN_VRAM) ||
        (domains & NOUVEAU_GEM_DOMAIN_GART))
        return SMALL_PAGE;
    for (unsigned i = 0; i < LARGE_PAGES && row->pages[i]; i++)
        if (bytes >= row->pages[i] || (compressed && (i + 1 == LARGE_PAGES || !row->pages[i + 1])))
            return row->pages[i];
    return SMALL_PAGE;
}

static uint64_t buffer_round_up(uint64_t bytes, uint64_t step) {
    return (bytes + step - 1) / step * step;
}

/* Whole pages; before G80, what is tiled has 64 lines of its pitch, too (nouveau_bo_fixup_align()). */
static uint64_t whole_bytes(const struct drm_buffer *buffer, uint64_t bytes) {
    if (!chip_has_page_tables(buffer->device->config.chip) && buffer->tile_mode)
        bytes = buffer_round_up(bytes, UINT64_C(64) * buffer->tile_mode);
    return buffer_round_up(bytes, buffer->page_bytes);
}

/* Small pages are never compressed: the type becomes the one without. -EINVAL: there is no such type. */
static int choose_layout(struct drm_buffer *buffer, uint64_t bytes, uint32_t domains) {
    const struct pfifo_chip *chip = buffer->device->config.chip;
    uint32_t plain;
    if (chip_has_page_tables(chip) && !drm_kind_plain(chip, buffer->tile_flags, &plain))
        return -EINVAL;
    buffer->page_bytes = buffer_page_of(buffer->device, bytes, domains, drm_kind_compresses(chip, buffer->tile_flags));
    if (buffer->page_bytes == SMALL_PAGE)
        buffer->tile_flags = drm_kind_without_compression(chip, buffer->tile_flags);
    buffer->bytes = whole_bytes(buffer, bytes);
    return 0;
}

static struct drm_buffer *buffer_begin(struct drm_device *device, uint32_t tile_mode, uint32_t tile_flags) {
    struct drm_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return NULL;
    buffer->device = device;
    buffer->references = 1;
    buffer->tile_mode = tile_mode;
    buffer->tile_flags = tile_flags;
    return buffer;
}

/* One that has its layout, with the status of that, gets memory; or it goes. */
static int buffer_finish(struct drm_buffer *buffer, int status, uint32_t domains, struct drm_buffer **made) {
    if (status == 0)
        status = place(buffer, domains);
    if (status == -ENOMEM) {
        drm_shares_reap(buffer->device, false);
        status = place(buffer, domains);
    }
    if (status) {
        free(buffer);
        return status;
    }
    enter_device(buffer);
    *made = buffer;
    return 0;
}

int drm_buffer_new(struct drm_device *device, uint64_t bytes, uint64_t align, uint32_t domains, uint32_t tile_mode,
                   uint32_t tile_flags, struct drm_buffer **made) {
    if (bytes == 0 || bytes > MOST_BYTES || align > MOST_BYTES)
        return -EINVAL;
    struct drm_buffer *buffer = buffer_begin(device, tile_mode, tile_flags);
    return buffer ? buffer_finish(buffer, choose_layout(buffer, bytes, domains), domains, made) : -ENOMEM;
}

int drm_buffer_new_in(struct drm_device *device, const struct drm_layout *layout, uint32_t domain,
                      struct drm_buffer **made) {
    struct drm_buffer *buffer = buffer_begin(device, layout->tile_mode, layout->tile_flags);
    if (!buffer)
        return -ENOMEM;
    int status = choose_layout(buffer, layout->bytes, layout->domains);
    if (status == 0 && layout->bytes % buffer->page_bytes)
        status = -EINVAL;
    buffer->bytes = layout->bytes;
    return buffer_finish(buffer, status, domain, made);
}

struct drm_buffer *drm_buffer_ref(struct drm_buffer *buffer) {
    assert(buffer->references);
    buffer->references++;
    return buffer;
}

void drm_buffer_unref(struct drm_buffer *buffer) {
    assert(!buffer || buffer->references);
    if (!buffer || --buffer->references)
        return;
    assert(!buffer->queued && !buffer->submitting);
    buffer_leave_device(buffer);
    if (buffer->share)
        drm_share_leave(buffer);
    else
        pfifo_buffer_free(buffer->memory);
    free(buffer);
}
