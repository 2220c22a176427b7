/* SPDX-License-Identifier: MIT */
/* Values of properties that are more than a number, ours and those of programs: drm_property.c, drm_plane.c. */
#include <drm_fourcc.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "face/drm/kms/kms.h"

#define BLOB_MOST (UINT32_C(16) << 20) /* of a program's; the kernel gives what it has */

struct kms_blob {
    struct kms_blob *next;
    uint32_t id, bytes;
    const struct drm_file *file; /* NULL: it is left only because something uses it */
    uint8_t data[];
};

/* ---- what the plane takes ---- */

bool kms_has_modifiers(const struct kms *kms) {
    uint64_t modifiers[32];
    return kms_modifiers(kms, modifiers) > 0;
}

static uint32_t make_in_formats(const struct kms *kms, uint8_t blob[KMS_BLOB_MOST]) {
    uint32_t formats[16];
    uint64_t modifiers[32];
    uint32_t format_count = kms_formats(kms, formats), modifier_count = kms_modifiers(kms, modifiers);
    struct drm_format_modifier_blob head = {
        .version = FORMAT_BLOB_CURRENT,
        .count_formats = format_count,
        .formats_offset = sizeof head,
        .count_modifiers = modifier_count,
        .modifiers_offset = (uint32_t)((sizeof head + format_count * sizeof formats[0] + 7) & ~(size_t)7)};
    memset(blob, 0, KMS_BLOB_MOST);
    memcpy(blob, &head, sizeof head);
    memcpy(blob + head.formats_offset, formats, format_count * sizeof formats[0]);
    for (uint32_t i = 0; i < modifier_count; i++) {
        const struct drm_format_modifier row = {.formats = (UINT64_C(1) << format_count) - 1, .modifier = modifiers[i]};
        memcpy(blob + head.modifiers_offset + i * sizeof row, &row, sizeof row);
    }
    return head.modifiers_offset + modifier_count * (uint32_t)sizeof(struct drm_format_modifier);
}

/* ---- the kernel's ---- */

/* How long it is; `data` is filled. 0: there is no such blob. */
static uint32_t make_own(const struct kms *kms, uint32_t id, uint8_t data[KMS_BLOB_MOST]) {
    if (id == KMS_BLOB_EDID) {
        kms_make_edid(kms, data);
        return KMS_EDID_BYTES;
    }
    if (id == KMS_BLOB_MODE && kms->on && !kms->mode_blob) {
        memcpy(data, &kms->mode, sizeof kms->mode);
        return sizeof kms->mode;
    }
    return id == KMS_BLOB_IN_FORMATS && kms_has_modifiers(kms) ? make_in_formats(kms, data) : 0;
}

/* ---- those of programs ---- */

static struct kms_blob **find_blob(struct kms *kms, uint32_t id) {
    struct kms_blob **at = &kms->blobs;
    while (*at && (*at)->id != id)
        at = &(*at)->next;
    return at;
}

/* Nobody owns it any more. True: nor uses it, and it has gone. */
static bool release_blob(const struct kms *kms, struct kms_blob **at) {
    struct kms_blob *blob = *at;
    blob->file = NULL;
    if (blob->id == kms->mode_blob)
        return false;
    *at = blob->next;
    free(blob);
    return true;
}

void kms_forget_blobs(struct kms *kms, const struct drm_file *file) {
    for (struct kms_blob **at = &kms->blobs; *at;)
        if ((*at)->file != file || !release_blob(kms, at))
            at = &(*at)->next;
}

void kms_use_mode_blob(struct kms *kms, uint32_t id) {
    struct kms_blob **before = find_blob(kms, kms->mode_blob);
    kms->mode_blob = id;
    if (*before && !(*before)->file)
        release_blob(kms, before);
}

const void *kms_blob_data(struct kms *kms, uint32_t id, uint32_t *bytes, uint8_t own[KMS_BLOB_MOST]) {
    const struct kms_blob *blob = *find_blob(kms, id);
    *bytes = blob ? blob->bytes : make_own(kms, id, own);
    if (blob)
        return blob->data;
    return *bytes ? own : NULL;
}

int kms_create_blob(struct drm_file *file, void *data) {
    struct drm_mode_create_blob *request = data;
    struct kms *kms = file->device->kms;
    if (request->length == 0 || request->length > INT32_MAX - sizeof(struct kms_blob))
        return -EINVAL;
    struct kms_blob *blob =
        kms->next_id && request->length <= BLOB_MOST ? (struct kms_blob *)malloc(sizeof *blob + request->length) : NULL;
    if (!blob)
        return -ENOMEM;
    if (!kms_take(file, blob->data, request->data, request->length)) {
        free(blob);
        return -EFAULT;
    }
    blob->next = kms->blobs;
    blob->id = request->blob_id = kms->next_id++;
    blob->bytes = request->length;
    blob->file = file;
    kms->blobs = blob;
    return 0;
}

int kms_destroy_blob(struct drm_file *file, void *data) {
    const struct drm_mode_destroy_blob *request = data;
    struct kms_blob **at = find_blob(file->device->kms, request->blob_id);
    uint8_t own[KMS_BLOB_MOST];
    if (!*at)
        return make_own(file->device->kms, request->blob_id, own) ? -EPERM : -ENOENT;
    if ((*at)->file != file)
        return -EPERM;
    release_blob(file->device->kms, at);
    return 0;
}

/* ---- GETPROPBLOB ---- */

/* A blob comes only to one who knows its size. */
static int give_blob(struct drm_file *file, struct drm_mode_get_blob *request, const void *data, uint32_t bytes) {
    uint32_t theirs = request->length;
    request->length = bytes;
    return theirs != bytes || kms_give(file, request->data, data, bytes) ? 0 : -EFAULT;
}

int kms_get_blob(struct drm_file *file, void *data) {
    struct drm_mode_get_blob *request = data;
    uint8_t own[KMS_BLOB_MOST];
    uint32_t bytes;
    const void *blob = kms_blob_data(file->device->kms, request->blob_id, &bytes, own);
    return blob ? give_blob(file, request, blob, bytes) : -ENOENT;
}
