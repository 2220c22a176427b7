/* SPDX-License-Identifier: MIT */
/*
 * Syncpoints of the display, and which ones channels may have.
 *
 * 26 and 27 (NVSYNCPT_VBLANK0, _VBLANK1) are incremented by the display at each vertical blank. 12, 54 and 55 belong to
 * the channels of host1x (VIC, NVDEC, NVJPG), 0 to nobody. None of them is given to a channel of the GPU. An owner's
 * display takes others for itself, from the last one down: channels take theirs from the first one up.
 *
 * UNKNOWN: which syncpoints the console's display uses besides 26 and 27; chosen: none before the owner asks for one.
 * Sources: L4T include/linux/nvhost.h; Linux drivers/gpu/host1x/{dev.h,syncpt.c} (reserve_vblank_syncpts); what
 * emulators reserve.
 */
#include "nvgpu/record.h"

#include <assert.h>

#include "driver/fence.h"

#define NEVER 0u
#define VIC   12u
#define NVDEC 54u
#define NVJPG 55u

static bool is_reserved(uint32_t syncpoint) {
    switch (syncpoint) {
    case NEVER:
    case VIC:
    case NVGPU_VBLANK0:
    case NVGPU_VBLANK0 + 1:
    case NVDEC:
    case NVJPG:
        return true;
    default:
        return false;
    }
}

/* The owner has taken it. */
static bool is_taken(const struct pfifo_nvgpu *nvgpu, uint32_t syncpoint) {
    assert(syncpoint < NVGPU_SYNCPOINTS);
    return nvgpu->display[syncpoint / 32] >> syncpoint % 32 & 1;
}

bool nvgpu_syncpoint_is_display(const struct pfifo_nvgpu *nvgpu, uint32_t syncpoint) {
    return syncpoint == NVGPU_VBLANK0 || syncpoint == NVGPU_VBLANK0 + 1 || is_taken(nvgpu, syncpoint);
}

bool nvgpu_channel_syncpoint(const struct pfifo_nvgpu *nvgpu, struct pfifo_channel *channel, uint32_t *syncpoint) {
    uint32_t count = pfifo_syncpoint_count(nvgpu->device);
    for (uint32_t i = 0; i < count; i++)
        if (!is_reserved(i) && !is_taken(nvgpu, i) && channel_take_syncpoint(channel, i)) {
            *syncpoint = i;
            return true;
        }
    return false;
}

static void display_count_up(struct pfifo_nvgpu *nvgpu, uint32_t syncpoint) {
    pfifo_gpu_syncpoint_increment(pfifo_device_gpu(nvgpu->device), syncpoint);
    record_syncpoint(nvgpu, syncpoint, false, 1);
    nvgpu_signal_waits(nvgpu);
}

enum pfifo_status pfifo_nvgpu_vblank(struct pfifo_nvgpu *nvgpu, unsigned head, struct pfifo_error *error) {
    if (!nvgpu || head > 1)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no driver, or there is no head %u", head);
    display_count_up(nvgpu, NVGPU_VBLANK0 + head);
    return PFIFO_OK;
}

enum pfifo_status pfifo_nvgpu_display_syncpoint(struct pfifo_nvgpu *nvgpu, uint32_t *syncpoint,
                                                struct pfifo_error *error) {
    if (!nvgpu || !syncpoint)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no driver");
    for (uint32_t i = pfifo_syncpoint_count(nvgpu->device); i-- > 0;)
        if (!is_reserved(i) && !is_taken(nvgpu, i) && !device_has_syncpoint(nvgpu->device, i)) {
            nvgpu->display[i / 32] |= 1u << i % 32;
            *syncpoint = i;
            return PFIFO_OK;
        }
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no syncpoint left");
}

static enum pfifo_status expect_taken(const struct pfifo_nvgpu *nvgpu, uint32_t syncpoint, struct pfifo_error *error) {
    if (!nvgpu || syncpoint >= pfifo_syncpoint_count(nvgpu->device) || !is_taken(nvgpu, syncpoint))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "syncpoint %u was not given to the display",
                               (unsigned)syncpoint);
    return PFIFO_OK;
}

enum pfifo_status pfifo_nvgpu_display_increment(struct pfifo_nvgpu *nvgpu, uint32_t syncpoint,
                                                struct pfifo_error *error) {
    enum pfifo_status status = expect_taken(nvgpu, syncpoint, error);
    if (status == PFIFO_OK)
        display_count_up(nvgpu, syncpoint);
    return status;
}

/* Who waits for it waits no longer: nobody promises its values. */
enum pfifo_status pfifo_nvgpu_display_release(struct pfifo_nvgpu *nvgpu, uint32_t syncpoint,
                                              struct pfifo_error *error) {
    enum pfifo_status status = expect_taken(nvgpu, syncpoint, error);
    if (status != PFIFO_OK)
        return status;
    nvgpu->display[syncpoint / 32] &= ~(1u << syncpoint % 32);
    nvgpu->promised[syncpoint] = pfifo_gpu_syncpoint(pfifo_device_gpu(nvgpu->device), syncpoint);
    nvgpu_signal_waits(nvgpu);
    return PFIFO_OK;
}
