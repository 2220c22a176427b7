/* SPDX-License-Identifier: MIT */
/* What a display consists of: drm_mode_config.c, drm_encoder.c, drm_connector.c. */
#include <errno.h>

#include "face/drm/kms/kms.h"

#define CONNECTED        1u /* enum drm_connector_status, which is in no header of programs */
#define SUBPIXEL_UNKNOWN 0u /* enum subpixel_order */

/* Of the framebuffers only those of the file. */
static int give_framebuffers(struct drm_file *file, uint64_t to, uint32_t *room) {
    uint32_t count = 0;
    for (const struct kms_framebuffer *at = file->device->kms->framebuffers; at; at = at->next) {
        if (at->file != file)
            continue;
        if (count < *room && !kms_give(file, to + (uint64_t)count * sizeof at->id, &at->id, sizeof at->id))
            return -EFAULT;
        count++;
    }
    *room = count;
    return 0;
}

int kms_get_resources(struct drm_file *file, void *data) {
    struct drm_mode_card_res *resources = data;
    const struct kms *kms = file->device->kms;
    static const uint32_t crtc = KMS_CRTC, connector = KMS_CONNECTOR, encoder = KMS_ENCODER;
    resources->min_width = resources->min_height = 0;
    resources->max_width = resources->max_height = kms->most_pixels;
    int status = give_framebuffers(file, resources->fb_id_ptr, &resources->count_fbs);
    if (status == 0)
        status = kms_give_ids(file, resources->crtc_id_ptr, &resources->count_crtcs, &crtc, 1);
    if (status == 0)
        status = kms_give_ids(file, resources->encoder_id_ptr, &resources->count_encoders, &encoder, 1);
    if (status == 0)
        status = kms_give_ids(file, resources->connector_id_ptr, &resources->count_connectors, &connector, 1);
    return status;
}

int kms_get_encoder(struct drm_file *file, void *data) {
    struct drm_mode_get_encoder *encoder = data;
    if (encoder->encoder_id != KMS_ENCODER)
        return -ENOENT;
    encoder->encoder_type = DRM_MODE_ENCODER_TMDS;
    encoder->crtc_id = file->device->kms->bound ? KMS_CRTC : 0;
    encoder->possible_crtcs = 1;
    encoder->possible_clones = 1; /* itself */
    return 0;
}

/* The modes come only if there is room for all of them. */
static int give_modes(struct drm_file *file, struct drm_mode_get_connector *connector) {
    const struct kms *kms = file->device->kms;
    bool fit = connector->count_modes >= kms->mode_count;
    connector->count_modes = kms->mode_count;
    return !fit || kms_give(file, connector->modes_ptr, kms->modes, kms->mode_count * sizeof kms->modes[0]) ? 0
                                                                                                            : -EFAULT;
}

int kms_get_connector(struct drm_file *file, void *data) {
    struct drm_mode_get_connector *connector = data;
    const struct kms *kms = file->device->kms;
    static const uint32_t encoder = KMS_ENCODER;
    if (connector->connector_id != KMS_CONNECTOR)
        return -ENOENT;
    connector->connector_type = DRM_MODE_CONNECTOR_HDMIA;
    connector->connector_type_id = 1;
    connector->connection = CONNECTED;
    connector->mm_width = kms_millimetres(kms->modes[0].hdisplay);
    connector->mm_height = kms_millimetres(kms->modes[0].vdisplay);
    connector->subpixel = SUBPIXEL_UNKNOWN;
    connector->encoder_id = kms->bound ? KMS_ENCODER : 0;
    int status = kms_give_ids(file, connector->encoders_ptr, &connector->count_encoders, &encoder, 1);
    if (status == 0)
        status = give_modes(file, connector);
    if (status == 0)
        status = kms_give_properties(file, KMS_CONNECTOR, connector->props_ptr, connector->prop_values_ptr,
                                     &connector->count_props);
    return status;
}
