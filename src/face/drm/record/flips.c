/* SPDX-License-Identifier: MIT */
/* Frames that are shown: a TEXT with the number of the framebuffer. */
#include <stdint.h>

#include <drm.h>
#include <drm_mode.h>
#include <stdlib.h>
#include <string.h>

#include "face/drm/record/client.h"

#define MOST_PROPERTIES 4096u /* of a commit; others are not looked at */

void flips_setcrtc(struct record_client *client, const void *data) {
    const struct drm_mode_crtc *request = data;
    if (request->mode_valid && request->fb_id)
        queue_flip(&client->queue, request->fb_id);
}

void flips_page_flip(struct record_client *client, const void *data) {
    queue_flip(&client->queue, ((const struct drm_mode_crtc_page_flip *)data)->fb_id);
}

/* Properties have numbers that the kernel gives; what they are, their names say. */
static bool is_frame(struct record_client *client, uint32_t property) {
    struct drm_mode_get_property request = {.prop_id = property};
    if (!client->fb_property && client->host->ioctl(client->opaque, DRM_IOCTL_MODE_GETPROPERTY, &request) >= 0 &&
        strcmp(request.name, "FB_ID") == 0)
        client->fb_property = property;
    return client->fb_property == property;
}

static uint32_t count_properties(const struct record_client *client, const struct drm_mode_atomic *request) {
    uint32_t *counts = request->count_objs <= MOST_PROPERTIES
                           ? client_read_list(client, request->count_props_ptr, request->count_objs, sizeof *counts)
                           : NULL;
    uint64_t sum = 0;
    for (uint32_t i = 0; counts && i < request->count_objs; i++)
        sum += counts[i];
    free(counts);
    return sum <= MOST_PROPERTIES ? (uint32_t)sum : 0;
}

void flips_atomic(struct record_client *client, const void *data) {
    const struct drm_mode_atomic *request = data;
    uint32_t count = request->flags & DRM_MODE_ATOMIC_TEST_ONLY ? 0 : count_properties(client, request);
    uint32_t *properties = count ? client_read_list(client, request->props_ptr, count, sizeof *properties) : NULL;
    uint64_t *values = properties ? client_read_list(client, request->prop_values_ptr, count, sizeof *values) : NULL;
    for (uint32_t i = 0; values && i < count; i++)
        if (values[i] && values[i] <= UINT32_MAX && is_frame(client, properties[i]))
            queue_flip(&client->queue, (uint32_t)values[i]);
    free(values);
    free(properties);
}
