/* SPDX-License-Identifier: MIT */
/*
 * Calls that were refused: what a program that draws elsewhere has met last. Names of ioctls are those of Linux's
 * include/uapi/drm/{drm,nouveau_drm}.h, also of calls that the node does not have.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "face/drm/node/node.h"

static const char *const names[256] = {
    [0x00] = "DRM_IOCTL_VERSION",
    [0x01] = "DRM_IOCTL_GET_UNIQUE",
    [0x02] = "DRM_IOCTL_GET_MAGIC",
    [0x05] = "DRM_IOCTL_GET_CLIENT",
    [0x06] = "DRM_IOCTL_GET_STATS",
    [0x07] = "DRM_IOCTL_SET_VERSION",
    [0x09] = "DRM_IOCTL_GEM_CLOSE",
    [0x0a] = "DRM_IOCTL_GEM_FLINK",
    [0x0b] = "DRM_IOCTL_GEM_OPEN",
    [0x0c] = "DRM_IOCTL_GET_CAP",
    [0x0d] = "DRM_IOCTL_SET_CLIENT_CAP",
    [0x11] = "DRM_IOCTL_AUTH_MAGIC",
    [0x1e] = "DRM_IOCTL_SET_MASTER",
    [0x1f] = "DRM_IOCTL_DROP_MASTER",
    [0x2d] = "DRM_IOCTL_PRIME_HANDLE_TO_FD",
    [0x2e] = "DRM_IOCTL_PRIME_FD_TO_HANDLE",
    [0x3a] = "DRM_IOCTL_WAIT_VBLANK",
    [0x3b] = "DRM_IOCTL_CRTC_GET_SEQUENCE",
    [0x3c] = "DRM_IOCTL_CRTC_QUEUE_SEQUENCE",
    [0x40] = "DRM_IOCTL_NOUVEAU_GETPARAM",
    [0x41] = "DRM_NOUVEAU_SETPARAM",
    [0x42] = "DRM_IOCTL_NOUVEAU_CHANNEL_ALLOC",
    [0x43] = "DRM_IOCTL_NOUVEAU_CHANNEL_FREE",
    [0x44] = "DRM_IOCTL_NOUVEAU_GROBJ_ALLOC",
    [0x45] = "DRM_IOCTL_NOUVEAU_NOTIFIEROBJ_ALLOC",
    [0x46] = "DRM_IOCTL_NOUVEAU_GPUOBJ_FREE",
    [0x47] = "DRM_NOUVEAU_NVIF",
    [0x48] = "DRM_IOCTL_NOUVEAU_SVM_INIT",
    [0x49] = "DRM_IOCTL_NOUVEAU_SVM_BIND",
    [0x50] = "DRM_IOCTL_NOUVEAU_VM_INIT",
    [0x51] = "DRM_IOCTL_NOUVEAU_VM_BIND",
    [0x52] = "DRM_IOCTL_NOUVEAU_EXEC",
    [0x53] = "DRM_IOCTL_NOUVEAU_GET_ZCULL_INFO",
    [0x80] = "DRM_IOCTL_NOUVEAU_GEM_NEW",
    [0x81] = "DRM_IOCTL_NOUVEAU_GEM_PUSHBUF",
    [0x82] = "DRM_IOCTL_NOUVEAU_GEM_CPU_PREP",
    [0x83] = "DRM_IOCTL_NOUVEAU_GEM_CPU_FINI",
    [0x84] = "DRM_IOCTL_NOUVEAU_GEM_INFO",
    [0xa0] = "DRM_IOCTL_MODE_GETRESOURCES",
    [0xa1] = "DRM_IOCTL_MODE_GETCRTC",
    [0xa2] = "DRM_IOCTL_MODE_SETCRTC",
    [0xa3] = "DRM_IOCTL_MODE_CURSOR",
    [0xa4] = "DRM_IOCTL_MODE_GETGAMMA",
    [0xa5] = "DRM_IOCTL_MODE_SETGAMMA",
    [0xa6] = "DRM_IOCTL_MODE_GETENCODER",
    [0xa7] = "DRM_IOCTL_MODE_GETCONNECTOR",
    [0xa8] = "DRM_IOCTL_MODE_ATTACHMODE",
    [0xa9] = "DRM_IOCTL_MODE_DETACHMODE",
    [0xaa] = "DRM_IOCTL_MODE_GETPROPERTY",
    [0xab] = "DRM_IOCTL_MODE_SETPROPERTY",
    [0xac] = "DRM_IOCTL_MODE_GETPROPBLOB",
    [0xad] = "DRM_IOCTL_MODE_GETFB",
    [0xae] = "DRM_IOCTL_MODE_ADDFB",
    [0xaf] = "DRM_IOCTL_MODE_RMFB",
    [0xb0] = "DRM_IOCTL_MODE_PAGE_FLIP",
    [0xb1] = "DRM_IOCTL_MODE_DIRTYFB",
    [0xb2] = "DRM_IOCTL_MODE_CREATE_DUMB",
    [0xb3] = "DRM_IOCTL_MODE_MAP_DUMB",
    [0xb4] = "DRM_IOCTL_MODE_DESTROY_DUMB",
    [0xb5] = "DRM_IOCTL_MODE_GETPLANERESOURCES",
    [0xb6] = "DRM_IOCTL_MODE_GETPLANE",
    [0xb7] = "DRM_IOCTL_MODE_SETPLANE",
    [0xb8] = "DRM_IOCTL_MODE_ADDFB2",
    [0xb9] = "DRM_IOCTL_MODE_OBJ_GETPROPERTIES",
    [0xba] = "DRM_IOCTL_MODE_OBJ_SETPROPERTY",
    [0xbb] = "DRM_IOCTL_MODE_CURSOR2",
    [0xbc] = "DRM_IOCTL_MODE_ATOMIC",
    [0xbd] = "DRM_IOCTL_MODE_CREATEPROPBLOB",
    [0xbe] = "DRM_IOCTL_MODE_DESTROYPROPBLOB",
    [0xbf] = "DRM_IOCTL_SYNCOBJ_CREATE",
    [0xc0] = "DRM_IOCTL_SYNCOBJ_DESTROY",
    [0xc1] = "DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD",
    [0xc2] = "DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE",
    [0xc3] = "DRM_IOCTL_SYNCOBJ_WAIT",
    [0xc4] = "DRM_IOCTL_SYNCOBJ_RESET",
    [0xc5] = "DRM_IOCTL_SYNCOBJ_SIGNAL",
    [0xc6] = "DRM_IOCTL_MODE_CREATE_LEASE",
    [0xc7] = "DRM_IOCTL_MODE_LIST_LESSEES",
    [0xc8] = "DRM_IOCTL_MODE_GET_LEASE",
    [0xc9] = "DRM_IOCTL_MODE_REVOKE_LEASE",
    [0xca] = "DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT",
    [0xcb] = "DRM_IOCTL_SYNCOBJ_QUERY",
    [0xcc] = "DRM_IOCTL_SYNCOBJ_TRANSFER",
    [0xcd] = "DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL",
    [0xce] = "DRM_IOCTL_MODE_GETFB2",
    [0xcf] = "DRM_IOCTL_SYNCOBJ_EVENTFD",
};

const char *drm_ioctl_name(unsigned number) {
    return number < sizeof names / sizeof names[0] ? names[number] : NULL;
}

/* "Ask again" is no refusal: GEM_CPU_PREP with NOWAIT, a flip that is still under way, a signal. */
static bool is_refusal(int result) {
    return result < 0 && result != -EBUSY && result != -EINTR && result != -EAGAIN;
}

/* The row of this call and error; a new one takes the place of the one that came first. */
static struct drm_refusal *refused_find(struct drm_refusals *refusals, unsigned number, int error) {
    for (unsigned i = 0; i < DRM_REFUSALS; i++)
        if (refusals->kind[i].count && refusals->kind[i].number == number && refusals->kind[i].error == error)
            return &refusals->kind[i];
    struct drm_refusal *made = &refusals->kind[refusals->kinds++ % DRM_REFUSALS];
    *made = (struct drm_refusal){.number = number, .error = error};
    return made;
}

void drm_refusals_note(struct drm_device *device, unsigned long request, int result) {
    struct drm_refusals *refusals = &device->refusals;
    if (!is_refusal(result))
        return;
    struct drm_refusal *refusal = refused_find(refusals, _IOC_NR(request), -result);
    refusal->count++;
    snprintf(refusal->reason, sizeof refusal->reason, "%s", refusals->reason);
    refusals->last = refusal;
}

const struct drm_refusal *drm_device_refused(const struct drm_device *device) {
    return device->refusals.last;
}
