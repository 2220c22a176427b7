/* SPDX-License-Identifier: MIT */
/* Inside of submissions: pushbuf.c, relocs.c. */
#ifndef PFIFO_SRC_FACE_DRM_SUBMISSION_H
#define PFIFO_SRC_FACE_DRM_SUBMISSION_H

#include <stdint.h>

#include <drm.h>
#include <nouveau_drm.h>

#include "face/drm/node/node.h"

#define DRM_SYNC_NANOSECONDS UINT64_C(30000000000)

/* A submission under way. */
struct drm_submission {
    struct drm_nouveau_gem_pushbuf_bo buffers[NOUVEAU_GEM_MAX_BUFFERS];
    struct drm_nouveau_gem_pushbuf_reloc relocs[NOUVEAU_GEM_MAX_RELOCS];
    struct drm_nouveau_gem_pushbuf_push pushes[NOUVEAU_GEM_MAX_PUSH];
    struct drm_handle handles[NOUVEAU_GEM_MAX_BUFFERS]; /* of the buffers */
    uint64_t number;                                    /* of this device, from 1 on */
    uint32_t taken;                                     /* how many of them have a reference */
    bool relocate;                                      /* a buffer is not where the program presumes it */
    uint64_t channel;                                   /* its serial */
};

/* A list of the program. False: it is not there (EFAULT). */
static inline bool drm_submission_fetch(struct drm_file *file, void *to, uint64_t from, size_t bytes) {
    const struct drm_config *config = &file->device->config;
    return !bytes || config->host->read(config->opaque, to, from, bytes);
}

/* Tell where buffers are that are not where the program presumes them, and put that into its commands. 0 or -errno. */
int drm_submission_relocate(struct drm_file *file, const struct drm_nouveau_gem_pushbuf *request,
                            struct drm_submission *submission);

#endif
