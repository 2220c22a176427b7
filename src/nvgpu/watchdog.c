/* SPDX-License-Identifier: MIT */
/*
 * The watchdog of channels: one that has work, and is where it was before its timeout, has an error and ends. Time is
 * that of the machine (PTIMER). While the machine works, nobody is judged: a channel may be slow.
 *
 * UNKNOWN: whether the console's kernel has a watchdog; libnx has the call, emulators ignore it. Chosen: that of L4T's
 * nvgpu, whose limit for GM20B is 5 s (platform_gk20a_tegra.c, ch_wdt_timeout_ms), and which SET_TIMEOUT changes here.
 * UNKNOWN: whether it watches a channel that is disabled; chosen: it does not.
 * Sources: L4T nvgpu (channel_gk20a.c: a watchdog looks at GP_GET and GET, the notifier gets the idle timeout).
 */
#include "nvgpu/channel.h"
#include "nvgpu/save.h"

#include "driver/gpfifo.h"

#define DEFAULT_MS      5000u
#define NANOSECONDS     UINT64_C(1000000) /* of a millisecond */
#define CHANNEL_ENABLED 1u

static bool is_enabled(const struct pfifo_nvgpu *nvgpu, const struct channel_file *channel) {
    uint32_t number = pfifo_channel_number(channel->channel);
    return pfifo_gpu_rd32(pfifo_device_gpu(nvgpu->device), CHANNEL_CONTROL + 8 * number) & CHANNEL_ENABLED;
}

bool channel_hangs(const struct nvgpu_file *file) {
    struct channel_file *channel = file->state;
    const struct pfifo_nvgpu *nvgpu = file->client->nvgpu;
    struct channel_watch *watch = &channel->watch;
    uint64_t limit = (watch->is_set ? watch->timeout : DEFAULT_MS) * NANOSECONDS;
    if (!channel->channel || !limit)
        return false;
    uint64_t now = nvgpu_time(nvgpu), position = gpfifo_position(channel->channel);
    uint32_t entry = gpfifo_ring_get(channel->channel);
    bool moved = position != watch->position || entry != watch->entry;
    if (!watch->looks || moved || now < watch->since || pfifo_channel_idle(channel->channel) ||
        !is_enabled(nvgpu, channel)) {
        *watch = (struct channel_watch){.timeout = watch->timeout,
                                        .is_set = watch->is_set,
                                        .looks = true,
                                        .entry = entry,
                                        .position = position,
                                        .since = now};
        return false;
    }
    return !nvgpu->works && now - watch->since >= limit;
}

void channel_watch_set(struct channel_file *channel, uint32_t milliseconds) {
    channel->watch = (struct channel_watch){.timeout = milliseconds, .is_set = true};
}

NVGPU_SAVES(struct channel_watch, 32);

void channel_state_watch(struct state_io *io, struct channel_watch *watch) {
    state_u32(io, &watch->timeout);
    state_u32(io, &watch->entry);
    state_bool(io, &watch->is_set);
    state_bool(io, &watch->looks);
    state_u64(io, &watch->position);
    state_u64(io, &watch->since);
}
