/* SPDX-License-Identifier: MIT */
/* Properties of the objects: drm_property.c, drm_mode_object.c, drm_mode_config.c, drm_connector.c, drm_blend.c. */
#include "face/drm/kms/property.h"

#include <errno.h>
#include <string.h>

#include "face/drm/kms/commit.h"

static const struct kms_property properties[] = {
    {KMS_PROPERTY_EDID, DRM_MODE_PROP_BLOB | DRM_MODE_PROP_IMMUTABLE, "EDID"},
    {KMS_PROPERTY_DPMS, DRM_MODE_PROP_ENUM, "DPMS", {"On", "Standby", "Suspend", "Off"}, 4},
    {KMS_PROPERTY_LINK_STATUS, DRM_MODE_PROP_ENUM, "link-status", {"Good", "Bad"}, 2},
    {KMS_PROPERTY_NON_DESKTOP, DRM_MODE_PROP_RANGE | DRM_MODE_PROP_IMMUTABLE, "non-desktop", .range = {0, 1}},
    {KMS_PROPERTY_TILE, DRM_MODE_PROP_BLOB | DRM_MODE_PROP_IMMUTABLE, "TILE"}, /* of none: 0 */
    {KMS_PROPERTY_TYPE, DRM_MODE_PROP_ENUM | DRM_MODE_PROP_IMMUTABLE, "type", {"Overlay", "Primary", "Cursor"}, 3},
    {KMS_PROPERTY_IN_FORMATS, DRM_MODE_PROP_BLOB | DRM_MODE_PROP_IMMUTABLE, "IN_FORMATS"},
    {KMS_PROPERTY_FB_ID, ATOMIC | DRM_MODE_PROP_OBJECT, "FB_ID", .range = {DRM_MODE_OBJECT_FB}},
    {KMS_PROPERTY_IN_FENCE_FD, ATOMIC | DRM_MODE_PROP_SIGNED_RANGE, "IN_FENCE_FD", .range = {MINUS(1), INT32_MAX}},
    {KMS_PROPERTY_CRTC_ID, ATOMIC | DRM_MODE_PROP_OBJECT, "CRTC_ID", .range = {DRM_MODE_OBJECT_CRTC}},
    {KMS_PROPERTY_CRTC_X, ATOMIC | DRM_MODE_PROP_SIGNED_RANGE, "CRTC_X", .range = {MINUS(0x80000000), INT32_MAX}},
    {KMS_PROPERTY_CRTC_Y, ATOMIC | DRM_MODE_PROP_SIGNED_RANGE, "CRTC_Y", .range = {MINUS(0x80000000), INT32_MAX}},
    {KMS_PROPERTY_CRTC_W, ATOMIC | DRM_MODE_PROP_RANGE, "CRTC_W", .range = {0, INT32_MAX}},
    {KMS_PROPERTY_CRTC_H, ATOMIC | DRM_MODE_PROP_RANGE, "CRTC_H", .range = {0, INT32_MAX}},
    {KMS_PROPERTY_SRC_X, ATOMIC | DRM_MODE_PROP_RANGE, "SRC_X", .range = {0, UINT32_MAX}},
    {KMS_PROPERTY_SRC_Y, ATOMIC | DRM_MODE_PROP_RANGE, "SRC_Y", .range = {0, UINT32_MAX}},
    {KMS_PROPERTY_SRC_W, ATOMIC | DRM_MODE_PROP_RANGE, "SRC_W", .range = {0, UINT32_MAX}},
    {KMS_PROPERTY_SRC_H, ATOMIC | DRM_MODE_PROP_RANGE, "SRC_H", .range = {0, UINT32_MAX}},
    {KMS_PROPERTY_ACTIVE, ATOMIC | DRM_MODE_PROP_RANGE, "ACTIVE", .range = {0, 1}},
    {KMS_PROPERTY_MODE_ID, ATOMIC | DRM_MODE_PROP_BLOB, "MODE_ID"},
    {KMS_PROPERTY_OUT_FENCE_PTR, ATOMIC | DRM_MODE_PROP_RANGE, "OUT_FENCE_PTR", .range = {0, UINT64_MAX}},
    {KMS_PROPERTY_VRR_ENABLED, DRM_MODE_PROP_RANGE, "VRR_ENABLED", .range = {0, 1}},
};

/* Which objects have them, in the order in which they are told. */
static const struct {
    uint32_t object, property;
} attached[] = {
    {KMS_CONNECTOR, KMS_PROPERTY_EDID},
    {KMS_CONNECTOR, KMS_PROPERTY_DPMS},
    {KMS_CONNECTOR, KMS_PROPERTY_LINK_STATUS},
    {KMS_CONNECTOR, KMS_PROPERTY_NON_DESKTOP},
    {KMS_CONNECTOR, KMS_PROPERTY_TILE},
    {KMS_CONNECTOR, KMS_PROPERTY_CRTC_ID},
    {KMS_CRTC, KMS_PROPERTY_ACTIVE},
    {KMS_CRTC, KMS_PROPERTY_MODE_ID},
    {KMS_CRTC, KMS_PROPERTY_OUT_FENCE_PTR},
    {KMS_CRTC, KMS_PROPERTY_VRR_ENABLED},
    {KMS_PLANE, KMS_PROPERTY_TYPE},
    {KMS_PLANE, KMS_PROPERTY_FB_ID},
    {KMS_PLANE, KMS_PROPERTY_IN_FENCE_FD},
    {KMS_PLANE, KMS_PROPERTY_CRTC_ID},
    {KMS_PLANE, KMS_PROPERTY_CRTC_X},
    {KMS_PLANE, KMS_PROPERTY_CRTC_Y},
    {KMS_PLANE, KMS_PROPERTY_CRTC_W},
    {KMS_PLANE, KMS_PROPERTY_CRTC_H},
    {KMS_PLANE, KMS_PROPERTY_SRC_X},
    {KMS_PLANE, KMS_PROPERTY_SRC_Y},
    {KMS_PLANE, KMS_PROPERTY_SRC_W},
    {KMS_PLANE, KMS_PROPERTY_SRC_H},
    {KMS_PLANE, KMS_PROPERTY_IN_FORMATS},
};
#define ATTACHED (sizeof attached / sizeof attached[0])

static bool property_is_there(const struct kms *kms, const struct kms_property *property) {
    switch (property->id) {
    case KMS_PROPERTY_IN_FORMATS:
        return kms_has_modifiers(kms);
    case KMS_PROPERTY_VRR_ENABLED:
        return kms_has_atomic(kms);
    default:
        return !(property->flags & ATOMIC) || kms_has_atomic(kms);
    }
}

static const struct kms_property *find_property(const struct kms *kms, uint32_t id) {
    for (unsigned i = 0; i < sizeof properties / sizeof properties[0]; i++)
        if (properties[i].id == id)
            return property_is_there(kms, &properties[i]) ? &properties[i] : NULL;
    return NULL;
}

const struct kms_property *kms_property_of(const struct kms *kms, uint32_t object, uint32_t id) {
    for (unsigned i = 0; i < ATTACHED; i++)
        if (attached[i].object == object && attached[i].property == id)
            return find_property(kms, id);
    return NULL;
}

/* drm_property_change_valid_get() */
bool kms_property_takes(struct kms *kms, const struct kms_property *property, uint64_t value) {
    uint8_t own[KMS_BLOB_MOST];
    uint32_t bytes;
    if (property->flags & DRM_MODE_PROP_IMMUTABLE)
        return false;
    switch (property->flags & (DRM_MODE_PROP_LEGACY_TYPE | DRM_MODE_PROP_EXTENDED_TYPE)) {
    case DRM_MODE_PROP_SIGNED_RANGE:
        return (int64_t)value >= (int64_t)property->range[0] && (int64_t)value <= (int64_t)property->range[1];
    case DRM_MODE_PROP_OBJECT:
        if (property->range[0] == DRM_MODE_OBJECT_FB)
            return !value || (value <= UINT32_MAX && kms_framebuffer_find(kms, (uint32_t)value));
        return !value || value == KMS_CRTC;
    case DRM_MODE_PROP_BLOB:
        return !value || (value <= UINT32_MAX && kms_blob_data(kms, (uint32_t)value, &bytes, own));
    case DRM_MODE_PROP_ENUM:
        return value < property->value_count;
    default:
        return value >= property->range[0] && value <= property->range[1];
    }
}

/* ---- values ---- */

static uint64_t plane_value(const struct kms *kms, uint32_t id) {
    const struct kms_framebuffer *current = kms_current(kms);
    const struct kms_view *view = kms_current_view(kms);
    switch (id) {
    case KMS_PROPERTY_TYPE:
        return 1; /* DRM_PLANE_TYPE_PRIMARY */
    case KMS_PROPERTY_IN_FORMATS:
        return KMS_BLOB_IN_FORMATS;
    case KMS_PROPERTY_FB_ID:
        return current ? current->id : 0;
    case KMS_PROPERTY_CRTC_ID:
        return current ? KMS_CRTC : 0;
    case KMS_PROPERTY_IN_FENCE_FD:
        return UINT64_MAX;
    case KMS_PROPERTY_CRTC_X:
        return (uint64_t)(int64_t)view->crtc_x;
    case KMS_PROPERTY_CRTC_Y:
        return (uint64_t)(int64_t)view->crtc_y;
    default: {
        const uint32_t rest[] = {view->crtc_w, view->crtc_h, view->src_x, view->src_y, view->src_w, view->src_h};
        return rest[id - KMS_PROPERTY_CRTC_W];
    }
    }
}

static uint64_t crtc_value(const struct kms *kms, uint32_t id) {
    switch (id) {
    case KMS_PROPERTY_ACTIVE:
        return kms_is_active(kms);
    case KMS_PROPERTY_MODE_ID:
        return !kms->on ? 0 : kms->mode_blob ? kms->mode_blob : KMS_BLOB_MODE;
    case KMS_PROPERTY_VRR_ENABLED:
        return kms->vrr;
    default:
        return 0;
    }
}

static uint64_t connector_value(const struct kms *kms, uint32_t id) {
    switch (id) {
    case KMS_PROPERTY_DPMS:
        return kms->dpms;
    case KMS_PROPERTY_EDID:
        return KMS_BLOB_EDID;
    case KMS_PROPERTY_CRTC_ID:
        return kms->bound ? KMS_CRTC : 0;
    default:
        return 0;
    }
}

static uint64_t property_value_of(const struct kms *kms, uint32_t object, uint32_t id) {
    if (object == KMS_PLANE)
        return plane_value(kms, id);
    return object == KMS_CRTC ? crtc_value(kms, id) : connector_value(kms, id);
}

/* ---- GETPROPERTY ---- */

static int give_values(struct drm_file *file, const struct kms_property *property, struct drm_mode_get_property *to) {
    uint64_t values[KMS_NAMES_MOST] = {0, 1, 2, 3};
    uint32_t count = property->value_count, room = to->count_values;
    bool is_object = (property->flags & DRM_MODE_PROP_EXTENDED_TYPE) == DRM_MODE_PROP_OBJECT;
    if (!(property->flags & (DRM_MODE_PROP_ENUM | DRM_MODE_PROP_BLOB))) {
        count = is_object ? 1 : 2;
        memcpy(values, property->range, sizeof property->range);
    }
    to->count_values = count;
    return kms_give(file, to->values_ptr, values, (room < count ? room : count) * sizeof values[0]) ? 0 : -EFAULT;
}

static int give_names(struct drm_file *file, const struct kms_property *property, struct drm_mode_get_property *to) {
    struct drm_mode_property_enum names[KMS_NAMES_MOST] = {0};
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
    const struct kms_property *property = find_property(file->device->kms, request->prop_id);
    if (!property)
        return -ENOENT;
    memset(request->name, 0, sizeof request->name);
    strncpy(request->name, property->name, sizeof request->name - 1);
    request->flags = property->flags;
    int status = give_values(file, property, request);
    return status ? status : give_names(file, property, request);
}

/* ---- of an object ---- */

/* Those of the atomic interface are only for files that have asked for it. */
static bool is_seen(const struct drm_file *file, uint32_t id) {
    const struct kms_property *property = find_property(file->device->kms, id);
    return property && (file->kms->atomic || !(property->flags & ATOMIC));
}

int kms_give_properties(struct drm_file *file, uint32_t object, uint64_t ids, uint64_t values, uint32_t *count) {
    uint32_t room = *count, at = 0;
    for (unsigned i = 0; i < ATTACHED; i++) {
        const uint32_t id = attached[i].property;
        if (attached[i].object != object || !is_seen(file, id))
            continue;
        uint64_t value = property_value_of(file->device->kms, object, id);
        if (at < room && (!kms_give(file, ids + at * UINT64_C(4), &id, sizeof id) ||
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

/* set_property_atomic(): DPMS for itself, all others as a commit of one property. */
static int set_property(struct drm_file *file, uint32_t object, uint32_t id, uint64_t value) {
    struct kms *kms = file->device->kms;
    const struct kms_property *property = kms_property_of(kms, object, id);
    if (!property || !kms_property_takes(kms, property, value))
        return -EINVAL;
    if (id == KMS_PROPERTY_DPMS)
        return kms_set_dpms(kms, value);
    return kms_has_atomic(kms) ? kms_commit_property(file, object, id, value)
                               : 0; /* of the link's status: it is good */
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
