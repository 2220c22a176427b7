/* SPDX-License-Identifier: MIT */
#include "face/drm/node/node.h"

#include <errno.h>

bool kms_new(struct drm_device *device) {
    (void)device;
    return true;
}
void kms_free(struct drm_device *device) {
    (void)device;
}
bool kms_file_open(struct drm_file *file) {
    (void)file;
    return true;
}
void kms_file_close(struct drm_file *file) {
    (void)file;
}
int kms_get_cap(struct drm_file *file, uint64_t capability, uint64_t *value) {
    (void)file, (void)capability, (void)value;
    return -EINVAL;
}
int kms_set_client_cap(struct drm_file *file, uint64_t capability, uint64_t value) {
    (void)file, (void)capability, (void)value;
    return -EINVAL;
}
const struct drm_ioctl kms_ioctls[] = {{0}};
uint64_t drm_device_due(struct drm_device *device) {
    (void)device;
    return UINT64_MAX;
}
void drm_device_vblank(struct drm_device *device) {
    (void)device;
}
