/* SPDX-License-Identifier: MIT */
#ifndef PFIFO_SRC_FACE_DRM_KMS_PROPERTY_H
#define PFIFO_SRC_FACE_DRM_KMS_PROPERTY_H

#include "face/drm/kms/kms.h"

#define KMS_NAMES_MOST 4

#define ATOMIC   DRM_MODE_PROP_ATOMIC
#define MINUS(n) (UINT64_C(0) - (n)) /* a bound of a signed range */

struct kms_property {
    uint32_t id, flags;
    const char *name;
    const char *values[KMS_NAMES_MOST]; /* of an enumeration, from 0 on */
    uint8_t value_count;
    uint64_t range[2]; /* least and most; of an object its type */
};

/* NULL: the object has none of that number. */
const struct kms_property *kms_property_of(const struct kms *kms, uint32_t object, uint32_t id);
/* Can a program set it to that? */
bool kms_property_takes(struct kms *kms, const struct kms_property *property, uint64_t value);

#endif
