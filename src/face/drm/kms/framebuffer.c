/* SPDX-License-Identifier: MIT */
/* Framebuffers: drm_framebuffer.c, drm_fourcc.c; what they need of their buffer: nouveau_display.c. */
#include <drm_fourcc.h>
#include <errno.h>
#include <stdlib.h>

#include "chip/chip.h"
#include "engine/surface/layout.h"
#include "face/drm/kms/kms.h"

#define GOB_WIDTH 64u

/* ---- the list ---- */

struct kms_framebuffer *kms_framebuffer_find(struct kms *kms, uint32_t id) {
    struct kms_framebuffer *framebuffer = kms->framebuffers;
    while (framebuffer && framebuffer->id != id)
        framebuffer = framebuffer->next;
    return framebuffer;
}

struct kms_framebuffer *kms_framebuffer_ref(struct kms_framebuffer *framebuffer) {
    framebuffer->references++;
    return framebuffer;
}

void kms_framebuffer_unref(struct kms_framebuffer *framebuffer) {
    if (!framebuffer || --framebuffer->references)
        return;
    drm_buffer_unref(framebuffer->buffer);
    free(framebuffer);
}

void kms_framebuffer_remove(struct kms *kms, struct kms_framebuffer *framebuffer) {
    for (struct kms_framebuffer **at = &kms->framebuffers; *at; at = &(*at)->next)
        if (*at == framebuffer) {
            *at = framebuffer->next;
            break;
        }
    if (kms_current(kms) == framebuffer)
        kms_turn_off(kms);
    framebuffer->id = 0;
    framebuffer->file = NULL;
    kms_framebuffer_unref(framebuffer);
}

/* ---- ADDFB, ADDFB2 ---- */

/* What is wrong with a request, whatever the buffer: framebuffer_check(). */
static int check_request(const struct drm_mode_fb_cmd2 *request, const struct kms_format *format) {
    bool modifiers = request->flags & DRM_MODE_FB_MODIFIERS;
    if (request->width == 0 || request->height == 0 || !request->handles[0])
        return -EINVAL;
    uint64_t least_pitch = (uint64_t)request->width * format->bytes;
    uint64_t end = (uint64_t)request->height * request->pitches[0] + request->offsets[0];
    if (end > UINT32_MAX)
        return -ERANGE;
    if (request->pitches[0] < least_pitch || (request->modifier[0] && !modifiers))
        return -EINVAL;
    for (unsigned plane = 1; plane < 4 && modifiers; plane++)
        if (request->modifier[plane] || request->handles[plane] || request->pitches[plane] || request->offsets[plane])
            return -EINVAL;
    return 0;
}

static int check_size(const struct kms *kms, const struct drm_mode_fb_cmd2 *request) {
    const struct pfifo_chip *chip = kms->device->config.chip;
    if (request->flags & ~(uint32_t)(DRM_MODE_FB_INTERLACED | DRM_MODE_FB_MODIFIERS))
        return -EINVAL;
    if (request->width > kms->most_pixels || request->height > kms->most_pixels)
        return -EINVAL;
    return (request->flags & DRM_MODE_FB_MODIFIERS) && !chip_has_page_tables(chip) ? -EINVAL : 0;
}

static bool takes_modifier(const struct kms *kms, uint64_t modifier) {
    uint64_t modifiers[32];
    uint32_t count = kms_modifiers(kms, modifiers);
    for (uint32_t i = 0; i < count; i++)
        if (modifiers[i] == modifier)
            return true;
    for (unsigned height = 0; height <= 5; height++) /* the older ones, without kind and generation */
        if (modifier == DRM_FORMAT_MOD_NVIDIA_16BX2_BLOCK(height))
            return true;
    return false;
}

/* Storage kind and block height of a buffer. On Fermi and later the tile mode has a field for each direction. */
static int read_tiling(const struct kms *kms, struct kms_framebuffer *framebuffer) {
    static const struct tiling_row {
        const char *chips;
        uint32_t kind;
        uint8_t shift;
    } rows[] = {{"NV40:G80", 0, 0}, {"G80:GF100", 0x7f00, 0}, {"GF100-", 0xff00, 4}};
    const struct tiling_row *row = CHIP_ROW(kms->device->config.chip, rows);
    uint32_t mode = framebuffer->buffer->tile_mode, height = mode >> row->shift;
    if (!(framebuffer->buffer->tile_flags & row->kind))
        return 0;
    if (mode != height << row->shift || height > 15)
        return -EINVAL;
    framebuffer->block_linear = true;
    framebuffer->block_height = (uint8_t)height;
    return 0;
}

/* The modifier, or the buffer, says where pixels are. */
static int framebuffer_find_layout(const struct kms *kms, struct kms_framebuffer *framebuffer) {
    if (!(framebuffer->flags & DRM_MODE_FB_MODIFIERS))
        return read_tiling(kms, framebuffer);
    if (!takes_modifier(kms, framebuffer->modifier))
        return -EINVAL;
    framebuffer->block_linear = framebuffer->modifier != DRM_FORMAT_MOD_LINEAR;
    framebuffer->block_height = framebuffer->modifier & 0xf;
    return 0;
}

/* Is all of it in the buffer? */
static int framebuffer_check_room(const struct kms *kms, const struct kms_framebuffer *framebuffer) {
    uint64_t bytes = (uint64_t)framebuffer->pitch * framebuffer->height;
    if (framebuffer->block_linear) {
        uint64_t gob_lines = layout_gob_lines(kms->device->config.chip->gob_order);
        uint64_t lines = gob_lines << framebuffer->block_height;
        uint64_t across = (framebuffer->pitch + UINT64_C(63)) / GOB_WIDTH;
        bytes = across * GOB_WIDTH * ((framebuffer->height + lines - 1) / lines * lines);
    }
    return bytes + framebuffer->offset > framebuffer->buffer->bytes ? -ERANGE : 0;
}

int kms_framebuffer_lay_out(const struct kms *kms, struct kms_framebuffer *framebuffer) {
    int status = framebuffer_find_layout(kms, framebuffer);
    return status ? status : framebuffer_check_room(kms, framebuffer);
}

static int framebuffer_enter(struct kms *kms, struct kms_framebuffer *framebuffer) {
    int status = kms_framebuffer_lay_out(kms, framebuffer);
    if (status)
        return status;
    if (kms->next_id == 0)
        return -ENOSPC;
    framebuffer->id = kms->next_id++;
    framebuffer->next = kms->framebuffers;
    kms->framebuffers = framebuffer;
    return 0;
}

static int framebuffer_add(struct drm_file *file, struct drm_mode_fb_cmd2 *request, const struct kms_format *format) {
    struct drm_buffer *buffer = drm_file_buffer(file, request->handles[0]);
    if (!buffer)
        return -ENOENT;
    struct kms_framebuffer *framebuffer = calloc(1, sizeof *framebuffer);
    if (!framebuffer)
        return -ENOMEM;
    *framebuffer = (struct kms_framebuffer){.references = 1,
                                            .file = file,
                                            .buffer = drm_buffer_ref(buffer),
                                            .format = format,
                                            .width = request->width,
                                            .height = request->height,
                                            .pitch = request->pitches[0],
                                            .offset = request->offsets[0],
                                            .flags = request->flags,
                                            .modifier = request->modifier[0]};
    int status = framebuffer_enter(file->device->kms, framebuffer);
    request->fb_id = framebuffer->id;
    if (status)
        kms_framebuffer_unref(framebuffer);
    return status;
}

int kms_add_framebuffer2(struct drm_file *file, void *data) {
    struct drm_mode_fb_cmd2 *request = data;
    const struct kms *kms = file->device->kms;
    int status = check_size(kms, request);
    if (status)
        return status;
    const struct kms_format *format = kms_format_of(kms, request->pixel_format);
    if (!format)
        return -EINVAL;
    status = check_request(request, format);
    return status ? status : framebuffer_add(file, request, format);
}

int kms_add_framebuffer(struct drm_file *file, void *data) {
    struct drm_mode_fb_cmd *request = data;
    struct drm_mode_fb_cmd2 full = {.width = request->width,
                                    .height = request->height,
                                    .pixel_format = kms_legacy_fourcc(request->bpp, request->depth),
                                    .handles = {request->handle},
                                    .pitches = {request->pitch}};
    if (!full.pixel_format)
        return -EINVAL;
    int status = kms_add_framebuffer2(file, &full);
    request->fb_id = full.fb_id;
    return status;
}

/* ---- the others ---- */

int kms_remove_framebuffer(struct drm_file *file, void *data) {
    const uint32_t *id = data;
    struct kms_framebuffer *framebuffer = kms_framebuffer_find(file->device->kms, *id);
    if (!framebuffer || framebuffer->file != file)
        return -ENOENT;
    kms_framebuffer_remove(file->device->kms, framebuffer);
    return 0;
}

/* Only the master gets one. */
static int give_handle(struct drm_file *file, const struct kms_framebuffer *framebuffer, uint32_t *handle) {
    if (!file->master)
        return 0;
    return kms_is_console(framebuffer) ? -ENODEV : drm_file_handle(file, framebuffer->buffer, handle);
}

int kms_get_framebuffer(struct drm_file *file, void *data) {
    struct drm_mode_fb_cmd *request = data;
    const struct kms_framebuffer *framebuffer = kms_framebuffer_find(file->device->kms, request->fb_id);
    if (!framebuffer)
        return -ENOENT;
    request->width = framebuffer->width;
    request->height = framebuffer->height;
    request->pitch = framebuffer->pitch;
    request->depth = framebuffer->format->depth;
    request->bpp = 8u * framebuffer->format->bytes;
    request->handle = 0;
    return give_handle(file, framebuffer, &request->handle);
}

int kms_get_framebuffer2(struct drm_file *file, void *data) {
    struct drm_mode_fb_cmd2 *request = data;
    const struct kms_framebuffer *framebuffer = kms_framebuffer_find(file->device->kms, request->fb_id);
    if (!framebuffer)
        return -ENOENT;
    *request = (struct drm_mode_fb_cmd2){.fb_id = framebuffer->id,
                                         .width = framebuffer->width,
                                         .height = framebuffer->height,
                                         .pixel_format = framebuffer->format->fourcc,
                                         .flags = framebuffer->flags,
                                         .pitches = {framebuffer->pitch},
                                         .offsets = {framebuffer->offset},
                                         .modifier = {framebuffer->modifier}};
    return give_handle(file, framebuffer, &request->handles[0]);
}

/* Nobody is told of what changed: nouveau scans out of the buffer itself. */
int kms_dirty_framebuffer(struct drm_file *file, void *data) {
    const struct drm_mode_fb_dirty_cmd *request = data;
    if (!kms_framebuffer_find(file->device->kms, request->fb_id))
        return -ENOENT;
    if (!request->num_clips != !request->clips_ptr)
        return -EINVAL;
    if ((request->flags & DRM_MODE_FB_DIRTY_ANNOTATE_COPY) && request->num_clips % 2)
        return -EINVAL;
    return request->num_clips > DRM_MODE_FB_DIRTY_MAX_CLIPS ? -EINVAL : -ENOSYS;
}
