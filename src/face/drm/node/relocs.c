/* SPDX-License-Identifier: MIT */
/*
 * Relocations: before G80 programs write addresses into their commands, and say where. Linux
 * drivers/gpu/drm/nouveau/nouveau_gem.c, validate_list() and nouveau_gem_pushbuf_reloc_apply().
 */
#include <stdint.h>

#include <errno.h>
#include <stddef.h>

#include "face/drm/node/submission.h"

static uint32_t relocated(const struct drm_nouveau_gem_pushbuf_reloc *reloc,
                          const struct drm_nouveau_gem_pushbuf_bo_presumed *target) {
    uint32_t data = reloc->data;
    if (reloc->flags & NOUVEAU_GEM_RELOC_LOW)
        data = (uint32_t)target->offset + reloc->data;
    else if (reloc->flags & NOUVEAU_GEM_RELOC_HIGH)
        data = (uint32_t)((target->offset + reloc->data) >> 32);
    if (reloc->flags & NOUVEAU_GEM_RELOC_OR)
        data |= target->domain == NOUVEAU_GEM_DOMAIN_GART ? reloc->tor : reloc->vor;
    return data;
}

static int relocs_apply_reloc(struct drm_file *file, const struct drm_nouveau_gem_pushbuf *request,
                              const struct drm_submission *submission,
                              const struct drm_nouveau_gem_pushbuf_reloc *reloc) {
    if (reloc->bo_index >= request->nr_buffers)
        return -EINVAL;
    const struct drm_nouveau_gem_pushbuf_bo_presumed *target = &submission->buffers[reloc->bo_index].presumed;
    if (target->valid)
        return 0;
    if (reloc->reloc_bo_index >= request->nr_buffers)
        return -EINVAL;
    struct drm_buffer *buffer = submission->handles[reloc->reloc_bo_index].buffer;
    uint32_t data = relocated(reloc, target);
    const uint8_t bytes[4] = {(uint8_t)data, (uint8_t)(data >> 8), (uint8_t)(data >> 16), (uint8_t)(data >> 24)};
    if (buffer->bytes < sizeof bytes || reloc->reloc_bo_offset > buffer->bytes - sizeof bytes) {
        drm_log(file->device, "pushbuf: a relocation is outside of its buffer");
        return -EINVAL;
    }
    int status = drm_buffer_wait_uninterrupted(buffer, true, DRM_SYNC_NANOSECONDS);
    if (status)
        return status;
    return pfifo_buffer_write(buffer->memory, reloc->reloc_bo_offset & ~3u, bytes, sizeof bytes) ? 0 : -EINVAL;
}

static int relocs_apply(struct drm_file *file, const struct drm_nouveau_gem_pushbuf *request,
                        struct drm_submission *submission) {
    if (!drm_submission_fetch(file, submission->relocs, request->relocs,
                              request->nr_relocs * sizeof submission->relocs[0]))
        return -EFAULT;
    for (uint32_t i = 0; i < request->nr_relocs; i++) {
        int status = relocs_apply_reloc(file, request, submission, &submission->relocs[i]);
        if (status)
            return status;
    }
    return 0;
}

static bool presumed_right(const struct drm_nouveau_gem_pushbuf_bo *entry, const struct drm_handle *handle) {
    return entry->presumed.offset == handle->address && (entry->presumed.domain & handle->buffer->domain);
}

/* Tell the program where its buffers are (nouveau_gem.c, validate_list()). */
static int tell_presumed(struct drm_file *file, const struct drm_nouveau_gem_pushbuf *request,
                         struct drm_submission *submission) {
    const struct drm_config *config = &file->device->config;
    for (uint32_t i = 0; i < request->nr_buffers; i++) {
        const struct drm_handle *handle = &submission->handles[i];
        struct drm_nouveau_gem_pushbuf_bo *entry = &submission->buffers[i];
        if (presumed_right(entry, handle))
            continue;
        entry->presumed = (struct drm_nouveau_gem_pushbuf_bo_presumed){
            .valid = 0, .domain = handle->buffer->domain, .offset = handle->address};
        submission->relocate = true;
        uint64_t to = request->buffers + i * sizeof *entry + offsetof(struct drm_nouveau_gem_pushbuf_bo, presumed);
        if (!config->host->write(config->opaque, to, &entry->presumed, sizeof entry->presumed))
            return -EFAULT;
    }
    return 0;
}

/* From G80 on what a program presumes is not looked at: addresses do not change as long as it has a handle. */
int drm_submission_relocate(struct drm_file *file, const struct drm_nouveau_gem_pushbuf *request,
                            struct drm_submission *submission) {
    if (file->vm)
        return 0;
    int status = tell_presumed(file, request, submission);
    return status || !submission->relocate ? status : relocs_apply(file, request, submission);
}
