/* SPDX-License-Identifier: MIT */
/* Where channels stand, for a person who wants to know why a program hangs. */
#include "face/drm/node/node.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

struct report {
    struct drm_device *device;
    void (*print)(void *opaque, const char *line);
    void *opaque;
};

static void say(const struct report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(const struct report *report, const char *format, ...) {
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    /* The analyzer sees va_start only in the first file of a batch. */
    vsnprintf(line, sizeof line, format, arguments); /* NOLINT(clang-analyzer-valist.Uninitialized) */
    va_end(arguments);
    report->print(report->opaque, line);
}

static void report_stop(const struct report *report) {
    static const char *const names[] = {[PFIFO_STOP_IDLE] = "nothing is left to do",
                                        [PFIFO_STOP_BUDGET] = "more is left to do",
                                        [PFIFO_STOP_WAITING] = "all channels with work wait",
                                        [PFIFO_STOP_INTERRUPT] = "an interrupt cannot be cleared",
                                        [PFIFO_STOP_FROZEN] = "the front end is switched off"};
    const struct pfifo_stop_info *stop = pfifo_gpu_stop_info(pfifo_device_gpu(report->device->pfifo));
    say(report, "%s: %s", pfifo_chip_info(report->device->config.chip).name, names[stop->reason]);
    if (stop->reason != PFIFO_STOP_WAITING)
        return;
    if (stop->in_memory)
        say(report, "  channel %d waits for 0x%" PRIx32 " at 0x%" PRIx64 ", finds 0x%" PRIx32, (int)stop->channel,
            stop->expected, stop->address, stop->found);
    else
        say(report, "  channel %d waits for an engine", (int)stop->channel);
}

static void report_channel(const struct report *report, const struct drm_channel *channel) {
    const char *state = channel->killed ? "killed" : pfifo_channel_idle(channel->channel) ? "idle" : "has work";
    say(report, "channel %" PRIu32 ": %s, %" PRIu64 " submissions", channel->id, state, channel->submissions);
}

void drm_device_report(struct drm_device *device, void (*print)(void *opaque, const char *line), void *opaque) {
    const struct report report = {device, print, opaque};
    report_stop(&report);
    for (const struct drm_file *file = device->files; file; file = file->next)
        for (const struct drm_channel *channel = file->channels; channel; channel = channel->next)
            report_channel(&report, channel);
}
