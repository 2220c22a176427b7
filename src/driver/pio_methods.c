/* SPDX-License-Identifier: MIT */
/*
 * The API of PIO channels: methods are written to USER, as many as FREE says at a time (pio.c).
 */
#include "driver/access.h"
#include "driver/channel.h"

#define METHOD_END  0x2000u
#define SUBCHANNELS 8u

#define WAIT_BUDGET UINT64_C(0x100000)
#define WAIT_TURNS  64

/* Words that may be written, after waiting for at least one. 0: the GPU makes no progress. */
static uint32_t wait_for_words(struct pfifo_channel *channel) {
    struct pfifo_device *device = channel->device;
    enum pfifo_stop stop = PFIFO_STOP_BUDGET;
    for (unsigned turn = 0;; turn++) {
        uint32_t words = device->runout.count ? 0 : pio_free_words(channel);
        if (words || turn == WAIT_TURNS || stop != PFIFO_STOP_BUDGET)
            return words;
        stop = pfifo_device_run(device, WAIT_BUDGET);
    }
}

enum pfifo_status pfifo_channel_write_methods(struct pfifo_channel *channel, unsigned subchannel, uint32_t method,
                                              uint32_t step, const uint32_t *data, size_t count,
                                              struct pfifo_error *error) {
    if (!channel || (count && !data) || subchannel >= SUBCHANNELS || (step != 0 && step != 4))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no channel, no data, or no such subchannel or step");
    if (channel->mode != PFIFO_CHANNEL_PIO)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "channel %u takes segments, not methods by PIO",
                               (unsigned)channel->number);
    if (method % 4 || method >= METHOD_END || (step && count > (METHOD_END - method) / step))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%llu methods from 0x%x on are not methods",
                               (unsigned long long)count, (unsigned)method);
    while (count) {
        uint32_t words = wait_for_words(channel);
        if (!words)
            return pfifo_error_set(error, PFIFO_ERROR_TIMEOUT, "CACHE1 has no room for channel %u and does not move",
                                   (unsigned)channel->number);
        for (; words && count; words--, count--, method += step)
            device_wr32(channel->device, pio_user(channel->number, subchannel) + method, *data++);
    }
    return PFIFO_OK;
}
