/* SPDX-License-Identifier: MIT */
/* Open files of a node. Each is a client of the kernel: with its own handles, channels and, from G80 on, addresses. */
#include "face/drm/node/buffer.h"
#include "face/drm/node/channel.h"

#include <stdlib.h>

#include "chip/chip.h"
#include "face/drm/node/share.h"
#include "face/drm/node/space.h"
#include "face/drm/node/sync.h"
#include "face/drm/node/jobs.h"

static bool open_space(struct drm_file *file) {
    if (file->device->config.chip->vm == CHIP_VM_NONE)
        return true;
    const struct pfifo_vm_config config = {.size = sizeof config};
    file->vm = pfifo_vm_new(file->device->pfifo, &config, NULL);
    return file->vm != NULL;
}

struct drm_file *drm_file_open(struct drm_device *device, enum drm_node_type type) {
    struct drm_file *file = calloc(1, sizeof *file);
    if (!file)
        return NULL;
    file->device = device;
    file->type = type;
    file->next = device->files;
    device->files = file;
    drm_file_become_master(file);
    if (open_space(file) && kms_file_open(file))
        return file;
    drm_file_close(file);
    return NULL;
}

static void file_leave_device(struct drm_file *file) {
    for (struct drm_file **at = &file->device->files; *at; at = &(*at)->next)
        if (*at == file) {
            *at = file->next;
            return;
        }
}

/* Work that is under way goes on to its end first, as the kernel idles channels before they go. */
static void file_end(struct drm_file *file) {
    kms_file_close(file);
    while (file->channels)
        drm_channel_free(file->channels);
    drm_work_end_space(file);
    drm_file_end_syncobjs(file);
    for (uint32_t handle = 1; handle < file->handle_room; handle++)
        drm_file_forget(file, handle);
    drm_file_reap(file, true);
    free(file->handles);
    free(file->nvif);
    drm_space_free(file->space);
    if (file->vm)
        pfifo_vm_free(file->vm, NULL);
    file_leave_device(file);
    drm_shares_reap(file->device, false);
    free(file);
}

void drm_file_close(struct drm_file *file) {
    if (!file)
        return;
    if (file->calls)
        file->closed = true;
    else
        file_end(file);
}

void drm_file_enter(struct drm_file *file) {
    file->calls++;
}

void drm_file_leave(struct drm_file *file) {
    if (--file->calls == 0 && file->closed)
        file_end(file);
}
