/* SPDX-License-Identifier: MIT */
/* The positions of channels, to find out why a program hangs. */
#include "face/drm/node/node.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/counted.h"
#include "driver/channel.h"
#include "face/common/counts.h"
#include "face/drm/node/packets.h"

enum { GRAVES = 4, NOT_EXECUTED_SHOWN = 16 };

/* What the device notes while it runs: nothing that happens often. */
struct drm_look {
    struct pfifo_stats *not_executed;
    char *graves[GRAVES]; /* what there was to tell of the channels that were killed last */
    unsigned killed;      /* so far */
    size_t bind;          /* the event's number */
};

/* ---- noting ---- */

static void note_bind(void *opaque, const struct pfifo_event *event) {
    const struct drm_device *device = opaque;
    for (struct drm_file *file = device->files; file; file = file->next)
        for (struct drm_channel *channel = file->channels; channel; channel = channel->next)
            if (channel->id == event->channel && !channel->killed)
                channel->trail.bound[event->value[0] & 7] = (uint32_t)event->value[2];
}

bool drm_look_begin(struct drm_device *device) {
    struct pfifo_gpu *gpu = pfifo_device_gpu(device->pfifo);
    struct drm_look *look = calloc(1, sizeof *look);
    device->look = look;
    if (!look)
        return false;
    look->not_executed = pfifo_stats_new(NULL);
    return look->not_executed && pfifo_stats_attach(look->not_executed, gpu, "engine.not_executed", NULL) == PFIFO_OK &&
           pfifo_gpu_observe(gpu, "puller.bind", note_bind, device, NULL) == PFIFO_OK;
}

void drm_look_end(struct drm_device *device) {
    struct drm_look *look = device->look;
    if (!look)
        return;
    pfifo_stats_free(look->not_executed);
    pfifo_gpu_unobserve(pfifo_device_gpu(device->pfifo), note_bind, device);
    for (unsigned i = 0; i < GRAVES; i++)
        free(look->graves[i]);
    free(look);
    device->look = NULL;
}

/* ---- a channel ---- */

static void print_wait(const struct drm_channel *channel, const struct channel_place *place, FILE *file) {
    const struct pfifo_stop_info *stop = pfifo_gpu_stop_info(pfifo_device_gpu(channel->file->device->pfifo));
    if (stop->reason == PFIFO_STOP_WAITING && stop->channel == channel->id && stop->in_memory)
        fprintf(file, "  waits for 0x%" PRIx32 " at 0x%" PRIx64 ", finds 0x%" PRIx32 "\n", stop->expected,
                stop->address, stop->found);
    else if (place->has_semaphore)
        fprintf(file, "  waits for 0x%" PRIx32 " at 0x%" PRIx64 "\n", place->wanted, place->semaphore);
    else if (place->acquires)
        fputs("  waits in an acquire\n", file);
    else if (stop->reason == PFIFO_STOP_WAITING && stop->channel == channel->id)
        fputs("  waits for an engine\n", file);
}

static void report_print_place(const struct drm_channel *channel, const struct channel_place *place, FILE *file) {
    fprintf(file, "  %s, pushbuffer GET 0x%" PRIx64, place->loaded ? "loaded" : "not loaded", place->get);
    if (place->ring_get != UINT32_MAX)
        fprintf(file, ", ring GET %" PRIu32 " PUT %" PRIu32, place->ring_get, place->ring_put);
    if (place->has_method)
        fprintf(file, ", next subchannel %" PRIu32 " method 0x%04" PRIx32 " data 0x%08" PRIx32, place->subchannel,
                place->method, place->data);
    fputc('\n', file);
    print_wait(channel, place, file);
}

static void report_print_channel(const struct drm_channel *channel, const char *killed, FILE *file) {
    struct channel_place place;
    bool idle = !killed && pfifo_channel_idle(channel->channel);
    channel_place(channel->channel, &place);
    fprintf(file, "channel %" PRIu32 ": %s%s, %s\n", channel->id, killed ? "killed: " : "",
            killed ? killed
            : idle ? "idle"
                   : "has work",
            counted(channel->submissions, "submission").text);
    report_print_place(channel, &place, file);
    drm_packets_print(channel, place.get, idle, file);
}

void drm_look_killed(struct drm_channel *channel, const char *reason) {
    struct drm_look *look = channel->file->device->look;
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return;
    report_print_channel(channel, reason, file);
    fclose(file);
    free(look->graves[look->killed % GRAVES]);
    look->graves[look->killed++ % GRAVES] = text;
}

/* ---- all ---- */

static void print_state(const struct drm_device *device, FILE *file) {
    static const char *const names[] = {[PFIFO_STOP_IDLE] = "nothing is left to do",
                                        [PFIFO_STOP_BUDGET] = "more is left to do",
                                        [PFIFO_STOP_WAITING] = "all channels with work wait",
                                        [PFIFO_STOP_INTERRUPT] = "an interrupt cannot be cleared",
                                        [PFIFO_STOP_FROZEN] = "the front end is switched off"};
    struct pfifo_gpu *gpu = pfifo_device_gpu(device->pfifo);
    fprintf(file, "%s: %s, %s\n", pfifo_chip_info(device->config.chip).name, names[pfifo_gpu_stop_info(gpu)->reason],
            counted(pfifo_device_faults(device->pfifo), "fault").text);
}

static void print_all(const struct drm_device *device, FILE *file) {
    const struct drm_look *look = device->look;
    uint64_t not_executed = pfifo_stats_totals(look->not_executed)->not_executed;
    print_state(device, file);
    for (const struct drm_file *of = device->files; of; of = of->next)
        for (const struct drm_channel *channel = of->channels; channel; channel = channel->next)
            if (!channel->killed)
                report_print_channel(channel, NULL, file);
    for (unsigned i = look->killed > GRAVES ? look->killed - GRAVES : 0; i < look->killed; i++)
        if (look->graves[i % GRAVES])
            fputs(look->graves[i % GRAVES], file);
    fprintf(file, "methods not executed: %" PRIu64 "\n", not_executed);
    stats_not_executed_text(look->not_executed, NOT_EXECUTED_SHOWN, file);
}

void drm_device_report(struct drm_device *device, void (*print)(void *opaque, const char *line), void *opaque) {
    char *text = NULL, *rest = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return;
    print_all(device, file);
    if (fclose(file) == 0)
        for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
            print(opaque, line);
    free(text);
}
