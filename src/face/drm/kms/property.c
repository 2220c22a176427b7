/* SPDX-License-Identifier: MIT */
/* Properties of the objects: drm_property.c, drm_mode_object.c, drm_connector.c, drm_blend.c. */
#include <errno.h>
#include <string.h>

#include "face/drm/kms/kms.h"

#define NAMES_MOST 4

struct property {
    uint32_t id, object, flags;
    const char *name;
    const char *values[NAMES_MOST]; /* of an enumeration, from 0 on */
    uint8_t value_count;
    uint64_t range[2];
};

static const struct property properties[] = {
    {KMS_PROPERTY_EDID, KMS_CONNECTOR, DRM_MODE_PROP_BLOB | DRM_MODE_PROP_IMMUTABLE, "EDID"},
    {KMS_PROPERTY_DPMS, KMS_CONNECTOR, DRM_MODE_PROP_ENUM, "DPMS", {"On", "Standby", "Suspend", "Off"}, 4},
    {KMS_PROPERTY_LINK_STATUS, KMS_CONNECTOR, DRM_MODE_PROP_ENUM, "link-status", {"Good", "Bad"}, 2},
    {KMS_PROPERTY_NON_DESKTOP, KMS_CONNECTOR, DRM_MODE_PROP_RANGE | DRM_MODE_PROP_IMMUTABLE, "non-desktop",
     .range = {0, 1}},
    {KMS_PROPERTY_TILE, KMS_CONNECTOR, DRM_MODE_PROP_BLOB | DRM_MODE_PROP_IMMUTABLE, "TILE"}, /* of none: 0 */
    {KMS_PROPERTY_TYPE,
     KMS_PLANE,
     DRM_MODE_PROP_ENUM | DRM_MODE_PROP_IMMUTABLE,
     "type",
     {"Overlay", "Primary", "Cursor"},
     3},
    {KMS_PROPERTY_IN_FORMATS, KMS_PLANE, DRM_MODE_PROP_BLOB | DRM_MODE_PROP_IMMUTABLE, "IN_FORMATS"},
};
#define PROPERTIES (sizeof properties / sizeof properties[0])

static const struct property *find_property(uint32_t id) {
    for (unsigned i = 0; i < PROPERTIES; i++)
        if (properties[i].id == id)
            return &properties[i];
    return NULL;
}

static bool property_is_there(const struct kms *kms, const struct property *property) {
    return property->id != KMS_PROPERTY_IN_FORMATS || kms_has_modifiers(kms);
}

static uint64_t property_value_of(const struct kms *kms, const struct property *property) {
    switch (property->id) {
    case KMS_PROPERTY_DPMS:
        return kms->dpms;
    case KMS_PROPERTY_TYPE:
        return 1; /* DRM_PLANE_TYPE_PRIMARY */
    case KMS_PROPERTY_IN_FORMATS:
        return KMS_BLOB_IN_FORMATS;
    case KMS_PROPERTY_EDID:
        return KMS_BLOB_EDID;
    default:
        return 0;
    }
}

/* ---- GETPROPERTY ---- */

static int give_values(struct drm_file *file, const struct property *property, struct drm_mode_get_property *to) {
    uint64_t values[NAMES_MOST] = {0, 1, 2, 3};
    uint32_t count = property->value_count, room = to->count_values;
    if (property->flags & DRM_MODE_PROP_RANGE) {
        count = 2;
        memcpy(values, property->range, sizeof property->range);
    }
    to->count_values = count;
    return kms_give(file, to->values_ptr, values, (room < count ? room : count) * sizeof values[0]) ? 0 : -EFAULT;
}

static int give_names(struct drm_file *file, const struct property *property, struct drm_mode_get_property *to) {
    struct drm_mode_property_enum names[NAMES_MOST] = {0};
    uint32_t count = property->value_count, room = to->count_enum_blobs;
    for (uint32_t i = 0; i < count; i++) {
        names[i].value = i;
        strncpy(names[i].name, property->values[i], sizeof names[i].name - 1);
    }
    if (property->flags & (DRM_MODE_PROP_ENUM | DRM_MODE_PROP_BLOB))
        to->count_enum_blobs = count;
    return kms_give(file, to->enum_blob_ptr, names, (room < count ? room : count) * sizeof names[0]) ? 0 : -EFAULT;
}

int kms_get_property(struct drm_file *file, void *data) {
    struct drm_mode_get_property *request = data;
    const struct property *property = find_property(request->prop_id);
    if (!property || !property_is_there(file->device->kms, property))
        return -ENOENT;
    memset(request->name, 0, sizeof request->name);
    strncpy(request->name, property->name, sizeof request->name - 1);
    request->flags = property->flags;
    int status = give_values(file, property, request);
    return status ? status : give_names(file, property, request);
}

/* ---- of an object ---- */

int kms_give_properties(struct drm_file *file, uint32_t object, uint64_t ids, uint64_t values, uint32_t *count) {
    const struct kms *kms = file->device->kms;
    uint32_t room = *count, at = 0;
    for (unsigned i = 0; i < PROPERTIES; i++) {
        if (properties[i].object != object || !property_is_there(kms, &properties[i]))
            continue;
        uint64_t value = property_value_of(kms, &properties[i]);
        if (at < room && (!kms_give(file, ids + at * UINT64_C(4), &properties[i].id, sizeof properties[i].id) ||
                          !kms_give(file, values + at * UINT64_C(8), &value, sizeof value)))
            return -EFAULT;
        at++;
    }
    *count = at;
    return 0;
}

/* An object of that type, or of any. Of those that have no properties: -EINVAL. */
static int property_find_object(struct drm_file *file, uint32_t id, uint32_t type) {
    static const struct {
        uint32_t id, type;
        bool has_properties;
    } objects[] = {{KMS_PLANE, DRM_MODE_OBJECT_PLANE, true},
                   {KMS_CRTC, DRM_MODE_OBJECT_CRTC, true},
                   {KMS_ENCODER, DRM_MODE_OBJECT_ENCODER, false},
                   {KMS_CONNECTOR, DRM_MODE_OBJECT_CONNECTOR, true}};
    for (unsigned i = 0; i < sizeof objects / sizeof objects[0]; i++)
        if (objects[i].id == id && (type == DRM_MODE_OBJECT_ANY || type == objects[i].type))
            return objects[i].has_properties ? 0 : -EINVAL;
    bool framebuffer = type == DRM_MODE_OBJECT_ANY || type == DRM_MODE_OBJECT_FB;
    return framebuffer && kms_framebuffer_find(file->device->kms, id) ? -EINVAL : -ENOENT;
}

int kms_object_properties(struct drm_file *file, void *data) {
    struct drm_mode_obj_get_properties *request = data;
    int status = property_find_object(file, request->obj_id, request->obj_type);
    return status ? status
                  : kms_give_properties(file, request->obj_id, request->props_ptr, request->prop_values_ptr,
                                        &request->count_props);
}

static int set_property(struct drm_file *file, uint32_t object, uint32_t id, uint64_t value) {
    const struct property *property = find_property(id);
    if (!property || property->object != object || (property->flags & DRM_MODE_PROP_IMMUTABLE) ||
        value >= property->value_count)
        return -EINVAL;
    if (id == KMS_PROPERTY_DPMS)
        kms_set_dpms(file->device->kms, value);
    return 0; /* the link's status is good, whatever a program says */
}

int kms_set_object_property(struct drm_file *file, void *data) {
    const struct drm_mode_obj_set_property *request = data;
    int status = property_find_object(file, request->obj_id, request->obj_type);
    return status ? status : set_property(file, request->obj_id, request->prop_id, request->value);
}

int kms_set_property(struct drm_file *file, void *data) {
    const struct drm_mode_connector_set_property *request = data;
    int status = property_find_object(file, request->connector_id, DRM_MODE_OBJECT_CONNECTOR);
    return status ? status : set_property(file, request->connector_id, request->prop_id, request->value);
}
