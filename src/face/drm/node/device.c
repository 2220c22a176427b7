/* SPDX-License-Identifier: MIT */
/* Devices: their machine, and what its faults mean for programs. */
#include "face/common/jobs.h"
#include "face/common/naming.h"
#include "face/drm/node/node.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/chip.h"
#include "face/drm/node/buffer.h"
#include "face/drm/node/nouveau.h"
#include "face/drm/node/share.h"
#include "face/drm/node/synclink.h"
#include "face/drm/node/jobs.h"

#define DEFAULT_BUDGET (UINT64_C(1) << 28)
#define SLICE          (UINT64_C(1) << 22)
#define FIRST_MAP      (UINT64_C(1) << 32) /* as the kernel, so that no 32-bit offset is one (drm_vma_manager.h) */

void drm_log(struct drm_device *device, const char *format, ...) {
    char line[512];
    int used = snprintf(line, sizeof line, "nouveau: ");
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + used, sizeof line - (size_t)used, format, arguments);
    va_end(arguments);
    device->config.host->log(device->config.opaque, line);
    snprintf(device->refusals.reason, sizeof device->refusals.reason, "%.*s", (int)DRM_REASON_BYTES - 1, line + used);
}

/* ---- faults ---- */

static struct drm_channel *channel_of_fault(const struct drm_device *device, uint32_t id) {
    for (struct drm_file *file = device->files; file; file = file->next)
        for (struct drm_channel *channel = file->channels; channel; channel = channel->next)
            if (channel->id == id && !channel->killed)
                return channel;
    return NULL;
}

/* One method may have several errors, and each its own state: the fault is of the last of them. */
static void note_missing(void *opaque, const struct pfifo_event *event) {
    struct drm_missing *missing = &((struct drm_device *)opaque)->missing;
    const bool waits = missing->why && !missing->error;
    if (event->id == missing->error_event) {
        missing->error = waits ? event->text : missing->error;
        return;
    }
    if (waits)
        return;
    missing->channel = event->channel;
    missing->oclass = (uint32_t)event->value[0];
    missing->method = (uint32_t)event->value[1];
    missing->data = (uint32_t)event->value[2];
    missing->state = (uint32_t)event->value[3];
    missing->why = event->text;
    missing->error = NULL;
}

static bool is_of_fault(const struct drm_missing *missing, const struct pfifo_device_fault *fault) {
    return missing->why && missing->error && strcmp(missing->error, fault->error) == 0 && fault->has_method &&
           fault->channel == missing->channel && fault->method == missing->method && fault->data == missing->data;
}

static bool look_for_missing(struct drm_device *device) {
    device->missing.error_event = pfifo_event_find("engine.error");
    return pfifo_gpu_observe(pfifo_device_gpu(device->pfifo), "engine.missing,engine.error", note_missing, device,
                             NULL) == PFIFO_OK;
}

/* What the method of a fault lacked, as the end of its line. The kernel does not know it. */
static void take_missing(struct drm_device *device, const struct pfifo_device_fault *fault, char *text, size_t bytes) {
    struct drm_missing *missing = &device->missing;
    struct pfifo_method_name name;
    char named[PFIFO_METHOD_NAME_BYTES] = "?";
    text[0] = 0;
    if (!is_of_fault(missing, fault))
        return;
    if (pfifo_method_find(missing->oclass, missing->state, &name))
        naming_method(&name, named, sizeof named);
    snprintf(text, bytes, " needs %04" PRIx32 " %s: %s", missing->state, named, missing->why);
    missing->why = NULL;
}

/*
 * What nouveau does: on GF100 and later an MMU fault ends the channel (nvkm/engine/fifo/{gf100,gk104}.c, recover).
 * Everything else is logged, and the method skipped. The channel's end is found by the next submission, see pushbuf.c.
 */
static void device_fault(void *opaque, const struct pfifo_device_fault *fault) {
    struct drm_device *device = opaque;
    const struct drm_channel *channel = channel_of_fault(device, fault->channel);
    char method[64] = "", where[32] = "", missing[160];
    if (fault->has_method)
        snprintf(method, sizeof method, " subc %" PRIu32 " mthd %04" PRIx32 " data %08" PRIx32, fault->subchannel,
                 fault->method, fault->data);
    if (fault->address)
        snprintf(where, sizeof where, " at %010" PRIx64, fault->address);
    if (device->watch.fault)
        device->watch.fault(device->watch.opaque, fault);
    take_missing(device, fault, missing, sizeof missing);
    drm_log(device, "%s: %s%s on channel %d%s%s", fault->unit, fault->error, where, channel ? (int)channel->id : -1,
            method, missing);
}

/* ---- devices ---- */

static enum pfifo_status check_chip(const struct pfifo_chip *chip, struct pfifo_error *error) {
    if (!chip || !drm_has_chip(chip))
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "the DRM face has chips from NV40 to GP10B, not %s",
                               chip ? chip->name : "none");
    return PFIFO_OK;
}

static bool open_machine(struct drm_device *device, struct pfifo_error *error) {
    const struct pfifo_device_config config = {
        .size = sizeof config,
        .fault = device_fault,
        .opaque = device,
        .gpu = {.size = sizeof config.gpu,
                .chip = device->config.chip,
                .vram_bytes = device->config.vram_bytes,
                .system_bytes = device->config.system_bytes,
                .vram = {.form = device->config.chip->vram_bytes ? PFIFO_MEMORY_SHARED : PFIFO_MEMORY_PRIVATE},
                .system = {.form = PFIFO_MEMORY_SHARED},
                .side_by_side = jobs_lent(),
                .no_compile = device->config.no_compile}};
    device->pfifo = pfifo_device_open(&config, error);
    return device->pfifo != NULL;
}

struct drm_device *drm_device_new(const struct drm_config *config, struct pfifo_error *error) {
    if (check_chip(config->chip, error) != PFIFO_OK)
        return NULL;
    struct drm_device *device = calloc(1, sizeof *device);
    if (!device) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a device");
        return NULL;
    }
    device->config = *config;
    device->limits = nouveau_limits(config->chip);
    device->map_offset = FIRST_MAP;
    if (!device->config.budget)
        device->config.budget = DEFAULT_BUDGET;
    if (!device->config.major && !device->config.minor && !device->config.patch) {
        device->config.major = 1;
        device->config.minor = 4;
        device->config.patch = 1;
    }
    if (!open_machine(device, error) || !drm_look_begin(device) || !look_for_missing(device) || !kms_new(device)) {
        drm_device_free(device);
        return NULL;
    }
    return device;
}

void drm_device_free(struct drm_device *device) {
    if (!device)
        return;
    while (device->files) {
        device->files->calls = 0;
        drm_file_close(device->files);
    }
    drm_work_free(device);
    drm_notices_free(device);
    kms_free(device);
    drm_shares_end_imported(device);
    drm_sync_files_free(device);
    drm_sync_links_look(device, true);
    drm_shares_reap(device, true);
    assert(!device->buffers && !device->syncobjs);
    drm_look_end(device);
    pfifo_device_close(device->pfifo);
    free(device->submission);
    free(device);
}

void drm_device_abandon(struct drm_device *device) {
    drm_shares_abandon(device);
    drm_sync_files_abandon(device);
    drm_sync_links_abandon(device);
}

void drm_peers_look(struct drm_device *device) {
    drm_notices_look(device);
    drm_shares_look(device);
    drm_sync_files_look(device);
    drm_sync_links_look(device, false);
}

bool drm_peers_wait(const struct drm_device *device) {
    return drm_has_peers(device) &&
           (device->notices || device->sync_files || device->imported_count || drm_sync_links_wait(device));
}

struct pfifo_device *drm_device_pfifo(struct drm_device *device) {
    return device->pfifo;
}

const struct pfifo_chip *drm_device_chip(const struct drm_device *device) {
    return device->config.chip;
}

uint64_t drm_device_channels(const struct drm_device *device) {
    return device->channels;
}

uint64_t drm_device_frames(const struct drm_device *device) {
    return device->frames;
}

void drm_tell_leaves(struct drm_device *device) {
    if (device->watch.leaves)
        device->watch.leaves(device->watch.opaque);
}

void drm_device_set_watch(struct drm_device *device, const struct drm_watch *watch) {
    device->watch = *watch;
}

/* ---- running ---- */

bool drm_device_run(struct drm_device *device, uint64_t budget) {
    for (uint64_t used = 0; used < budget; used += SLICE)
        if (pfifo_device_run(device->pfifo, budget - used < SLICE ? budget - used : SLICE) != PFIFO_STOP_BUDGET)
            return true;
    return false;
}
