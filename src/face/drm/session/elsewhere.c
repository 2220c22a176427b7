/* SPDX-License-Identifier: MIT */
#include "face/drm/session/elsewhere.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "chip/chip.h"
#include "chip/counted.h"
#include "event/event.h"

/* Low bytes of the classes that only move data: M2MF, inline data, copy engines. Drivers do that to get started. */
static bool only_moves(uint64_t object_class) {
    static const uint8_t moving[] = {0x39, 0x40, 0xb5};
    return memchr(moving, (int)(object_class & 0xff), sizeof moving) != NULL;
}

/* Where no draws are executed (before GF100), methods of the 3D object that would draw are not. */
static bool is_drawing(const struct elsewhere *elsewhere, const struct pfifo_event *event) {
    switch (event->id) {
    case EVENT_ENGINE_DRAW:
        return true;
    case EVENT_ENGINE_DONE:
        return !only_moves(event->value[0]);
    default:
        return event->text || !pfifo_chip_info(drm_device_chip(elsewhere->device)).draws;
    }
}

static void elsewhere_see(void *opaque, const struct pfifo_event *event) {
    struct elsewhere *elsewhere = opaque;
    elsewhere->drawn = elsewhere->drawn || is_drawing(elsewhere, event);
}

static struct pfifo_gpu *gpu_of(const struct elsewhere *elsewhere) {
    return pfifo_device_gpu(drm_device_pfifo(elsewhere->device));
}

bool elsewhere_begin(struct elsewhere *elsewhere, struct drm_device *device, struct pfifo_error *error) {
    *elsewhere = (struct elsewhere){.device = device};
    elsewhere->observes = pfifo_gpu_observe(gpu_of(elsewhere), "engine.draw,engine.done,engine.not_executed",
                                            elsewhere_see, elsewhere, error) == PFIFO_OK;
    return elsewhere->observes;
}

void elsewhere_rest(struct elsewhere *elsewhere) {
    if (elsewhere->drawn)
        elsewhere_end(elsewhere);
}

void elsewhere_end(struct elsewhere *elsewhere) {
    if (elsewhere->observes)
        pfifo_gpu_unobserve(gpu_of(elsewhere), elsewhere_see, elsewhere);
    elsewhere->observes = false;
}

const char *elsewhere_how(const struct elsewhere *elsewhere, uint64_t submissions) {
    if (!drm_device_channels(elsewhere->device))
        return "no channel was opened: Mesa renders in software";
    if (!submissions)
        return "nothing was submitted to a channel: Mesa renders in software";
    if (drm_device_frames(elsewhere->device) && !elsewhere->drawn)
        return "frames were shown, and no channel has drawn anything: Mesa renders in software";
    return NULL;
}

void elsewhere_refusal(const struct elsewhere *elsewhere, char line[ELSEWHERE_LINE]) {
    const struct drm_refusal *refusal = drm_device_refused(elsewhere->device);
    char number[16];
    if (!refusal) {
        snprintf(line, ELSEWHERE_LINE, "no call was refused");
        return;
    }
    const char *name = drm_ioctl_name(refusal->number), *error = strerrorname_np(refusal->error);
    snprintf(number, sizeof number, "ioctl 0x%02x", refusal->number);
    snprintf(line, ELSEWHERE_LINE, "the last call that was refused, %s: %s, %s%s%s",
             counted(refusal->count, "time").text, name ? name : number, error ? error : "an unknown error",
             refusal->reason[0] ? ": " : "", refusal->reason);
}
