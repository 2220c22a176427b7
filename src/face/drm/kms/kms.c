/* SPDX-License-Identifier: MIT */
/* The display of a device, its part of a file, and the table of its ioctls. */
#include "face/drm/kms/kms.h"

#include <errno.h>
#include <stdlib.h>

#include "chip/chip.h"

#define VIRTUAL_HZ 60u
#define SECOND     UINT64_C(1000000000)
#define DEPTH      24u /* that programs should prefer */

/* ---- a device ---- */

/* nouveau_display.c, nouveau_display_create() */
static uint32_t most_pixels(const struct pfifo_chip *chip) {
    static const struct limit_row {
        const char *chips;
        uint32_t most;
    } rows[] = {{"NV40:G80", 4096}, {"G80:GF100", 8192}, {"GF100-", 16384}};
    const struct limit_row *row = CHIP_ROW(chip, rows);
    return row->most;
}

bool kms_new(struct drm_device *device) {
    struct kms *kms = calloc(1, sizeof *kms);
    if (!kms)
        return false;
    const struct drm_config *config = &device->config;
    uint32_t refresh = config->refresh ? config->refresh : VIRTUAL_HZ;
    device->kms = kms;
    kms->device = device;
    kms->next_id = KMS_FIRST_FRAMEBUFFER;
    kms->most_pixels = most_pixels(config->chip);
    kms->period = refresh < SECOND ? SECOND / refresh : 1;
    kms->origin = config->host->now(config->opaque);
    kms_make_modes(kms);
    return kms_console_new(kms);
}

void kms_free(struct drm_device *device) {
    struct kms *kms = device->kms;
    if (!kms)
        return;
    drm_buffer_unref(kms->cursor.buffer);
    if (kms->console)
        kms_framebuffer_remove(kms, kms->console);
    free(kms);
    device->kms = NULL;
}

bool kms_is_virtual(const struct kms *kms) {
    return kms->device->config.refresh == 0;
}

/* ---- files ---- */

bool kms_file_open(struct drm_file *file) {
    file->kms = calloc(1, sizeof *file->kms);
    return file->kms != NULL;
}

static bool kms_is_last(const struct drm_file *file) {
    for (const struct drm_file *other = file->device->files; other; other = other->next)
        if (other != file && other->type == DRM_NODE_CARD)
            return false;
    return true;
}

/* After the last the console comes back, without a cursor. */
void kms_file_close(struct drm_file *file) {
    struct kms *kms = file->device->kms;
    if (!kms || !file->kms)
        return;
    kms_forget_events(kms, file);
    kms_forget_blobs(kms, file);
    for (struct kms_framebuffer *framebuffer = kms->framebuffers, *next; framebuffer; framebuffer = next) {
        next = framebuffer->next;
        if (framebuffer->file == file)
            kms_framebuffer_remove(kms, framebuffer);
    }
    if (file->type == DRM_NODE_CARD && kms_is_last(file)) {
        kms_console_show(kms);
        drm_buffer_unref(kms->cursor.buffer);
        kms->cursor = (struct kms_cursor){0};
    }
    free(file->kms);
    file->kms = NULL;
}

bool kms_take(struct drm_file *file, void *to, uint64_t from, size_t bytes) {
    const struct drm_config *config = &file->device->config;
    return bytes == 0 || config->host->read(config->opaque, to, from, bytes);
}

bool kms_give(struct drm_file *file, uint64_t to, const void *from, size_t bytes) {
    const struct drm_config *config = &file->device->config;
    return bytes == 0 || config->host->write(config->opaque, to, from, bytes);
}

int kms_give_ids(struct drm_file *file, uint64_t to, uint32_t *room, const uint32_t *ids, uint32_t count) {
    uint32_t fit = *room < count ? *room : count;
    *room = count;
    return kms_give(file, to, ids, fit * sizeof *ids) ? 0 : -EFAULT;
}

/* ---- capabilities ---- */

/* Pixels of a side of the largest cursor. Source: nouveau dispnv04/crtc.c, dispnv50/curs*.c */
static const struct {
    const char *chips;
    uint64_t side;
} cursors[] = {{"NV1:GK104", 64}, {"GK104-", 256}};

static uint64_t cursor_size(const struct pfifo_chip *chip) {
    size_t row = 0;

    while (row + 1 < sizeof cursors / sizeof cursors[0] && !chip_in_range(chip, cursors[row].chips))
        row++;
    return cursors[row].side;
}

int kms_get_cap(struct drm_file *file, uint64_t capability, uint64_t *value) {
    const struct pfifo_chip *chip = file->device->config.chip;
    const uint64_t values[] = {
        [DRM_CAP_DUMB_BUFFER] = 1,
        [DRM_CAP_VBLANK_HIGH_CRTC] = 1,
        [DRM_CAP_DUMB_PREFERRED_DEPTH] = DEPTH,
        [DRM_CAP_DUMB_PREFER_SHADOW] = 1,
        [DRM_CAP_ASYNC_PAGE_FLIP] = 1,
        [DRM_CAP_CURSOR_WIDTH] = cursor_size(chip),
        [DRM_CAP_CURSOR_HEIGHT] = cursor_size(chip),
        [DRM_CAP_ADDFB2_MODIFIERS] = chip_has_page_tables(chip),
        [DRM_CAP_CRTC_IN_VBLANK_EVENT] = 1,
    };
    switch (capability) {
    case DRM_CAP_DUMB_BUFFER:
    case DRM_CAP_VBLANK_HIGH_CRTC:
    case DRM_CAP_DUMB_PREFERRED_DEPTH:
    case DRM_CAP_DUMB_PREFER_SHADOW:
    case DRM_CAP_ASYNC_PAGE_FLIP:
    case DRM_CAP_CURSOR_WIDTH:
    case DRM_CAP_CURSOR_HEIGHT:
    case DRM_CAP_ADDFB2_MODIFIERS:
    case DRM_CAP_CRTC_IN_VBLANK_EVENT:
        *value = values[capability];
        return 0;
    case DRM_CAP_PAGE_FLIP_TARGET:
        *value = 0;
        return 0;
    default:
        return -EINVAL;
    }
}

int kms_set_client_cap(struct drm_file *file, uint64_t capability, uint64_t value) {
    switch (capability) {
    case DRM_CLIENT_CAP_STEREO_3D:
    case DRM_CLIENT_CAP_ASPECT_RATIO: /* no mode has either */
        return value > 1 ? -EINVAL : 0;
    case DRM_CLIENT_CAP_UNIVERSAL_PLANES:
        if (value > 1)
            return -EINVAL;
        file->kms->universal_planes = value;
        return 0;
    case DRM_CLIENT_CAP_ATOMIC: /* 2: the same, of a program that knows how it is meant */
        if (!kms_has_atomic(file->device->kms))
            return -EOPNOTSUPP;
        if (value > 2)
            return -EINVAL;
        file->kms->universal_planes = file->kms->atomic = value;
        return 0;
    case DRM_CLIENT_CAP_WRITEBACK_CONNECTORS: /* there is none */
        return file->kms->atomic && value <= 1 ? 0 : -EINVAL;
    default:
        return -EINVAL;
    }
}

/* ---- ioctls ---- */

/* ATTACHMODE and DETACHMODE: the kernel does nothing, either. */
static int do_nothing(struct drm_file *file, void *data) {
    (void)file, (void)data;
    return 0;
}

#define ROW(number, structure, allowed, function)                                                                      \
    { number, sizeof(structure), allowed, #function, function }

const struct drm_ioctl kms_ioctls[] = {
    ROW(0x3a, union drm_wait_vblank, 0, kms_wait_vblank),
    ROW(0x3b, struct drm_crtc_get_sequence, 0, kms_get_sequence),
    ROW(0x3c, struct drm_crtc_queue_sequence, 0, kms_queue_sequence),
    ROW(0xa0, struct drm_mode_card_res, 0, kms_get_resources),
    ROW(0xa1, struct drm_mode_crtc, 0, kms_get_crtc),
    ROW(0xa2, struct drm_mode_crtc, DRM_IOCTL_MASTER, kms_set_crtc),
    ROW(0xa3, struct drm_mode_cursor, DRM_IOCTL_MASTER, kms_set_cursor),
    ROW(0xa4, struct drm_mode_crtc_lut, 0, kms_get_gamma),
    ROW(0xa5, struct drm_mode_crtc_lut, DRM_IOCTL_MASTER, kms_set_gamma),
    ROW(0xa6, struct drm_mode_get_encoder, 0, kms_get_encoder),
    ROW(0xa7, struct drm_mode_get_connector, 0, kms_get_connector),
    ROW(0xa8, struct drm_mode_mode_cmd, DRM_IOCTL_MASTER, do_nothing),
    ROW(0xa9, struct drm_mode_mode_cmd, DRM_IOCTL_MASTER, do_nothing),
    ROW(0xaa, struct drm_mode_get_property, 0, kms_get_property),
    ROW(0xab, struct drm_mode_connector_set_property, DRM_IOCTL_MASTER, kms_set_property),
    ROW(0xac, struct drm_mode_get_blob, 0, kms_get_blob),
    ROW(0xad, struct drm_mode_fb_cmd, 0, kms_get_framebuffer),
    ROW(0xae, struct drm_mode_fb_cmd, 0, kms_add_framebuffer),
    ROW(0xaf, uint32_t, 0, kms_remove_framebuffer),
    ROW(0xb0, struct drm_mode_crtc_page_flip_target, DRM_IOCTL_MASTER, kms_page_flip),
    ROW(0xb1, struct drm_mode_fb_dirty_cmd, DRM_IOCTL_MASTER, kms_dirty_framebuffer),
    ROW(0xb2, struct drm_mode_create_dumb, 0, kms_create_dumb),
    ROW(0xb3, struct drm_mode_map_dumb, 0, kms_map_dumb),
    ROW(0xb4, struct drm_mode_destroy_dumb, 0, kms_destroy_dumb),
    ROW(0xb5, struct drm_mode_get_plane_res, 0, kms_get_plane_resources),
    ROW(0xb6, struct drm_mode_get_plane, 0, kms_get_plane),
    ROW(0xb7, struct drm_mode_set_plane, DRM_IOCTL_MASTER, kms_set_plane),
    ROW(0xb8, struct drm_mode_fb_cmd2, 0, kms_add_framebuffer2),
    ROW(0xb9, struct drm_mode_obj_get_properties, 0, kms_object_properties),
    ROW(0xba, struct drm_mode_obj_set_property, DRM_IOCTL_MASTER, kms_set_object_property),
    ROW(0xbb, struct drm_mode_cursor2, DRM_IOCTL_MASTER, kms_set_cursor),
    ROW(0xbc, struct drm_mode_atomic, DRM_IOCTL_MASTER, kms_atomic),
    ROW(0xbd, struct drm_mode_create_blob, 0, kms_create_blob),
    ROW(0xbe, struct drm_mode_destroy_blob, 0, kms_destroy_blob),
    ROW(0xce, struct drm_mode_fb_cmd2, 0, kms_get_framebuffer2),
    {0},
};
