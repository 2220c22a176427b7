/* SPDX-License-Identifier: MIT */
/*
 * The runs of a replay. They are done in slices, after which the driver looks at interrupts, and whoever watches is
 * asked. Steps are parts of a slice: the machine does not notice them.
 */
#include "driver/device.h"
#include "driver/interrupts.h"
#include "gpu/gpu.h"
#include "replay/inside.h"

#define SLICE (UINT64_C(1) << 20) /* units: a few of them in a second */

/* If this run ends where the one before waited, it waits for the same earlier submission. */
static bool still_waits(const struct pfifo_replay_result *result, const struct pfifo_stop_info *info) {
    return result->stop == PFIFO_STOP_WAITING && result->stop_info.channel == info->channel &&
           result->stop_info.in_memory == info->in_memory && result->stop_info.is_syncpoint == info->is_syncpoint &&
           result->stop_info.address == info->address && result->stop_info.expected == info->expected;
}

void replay_note_stop(struct pfifo_replay *replay, enum pfifo_stop stop) {
    const struct pfifo_stop_info *info = pfifo_gpu_stop_info(pfifo_device_gpu(replay->device));

    if (stop != PFIFO_STOP_WAITING || !still_waits(&replay->result, info))
        replay->result.stop_submission = replay->sequence;
    replay->result.stop = stop;
    replay->result.stop_info = *info;
}

bool replay_interrupted(struct pfifo_replay *replay) {
    if (!replay->result.interrupted && replay->watch.enough && replay->watch.enough(replay->watch.opaque)) {
        replay->result.interrupted = true;
        replay->result.stop_submission = replay->sequence;
    }
    return replay->result.interrupted;
}

void replay_begin_run(struct pfifo_replay *replay, uint64_t units) {
    replay->result.runs++;
    replay->result.running = !replay->result.stop_message[0];
    replay->left = units;
    replay->slice = 0;
}

static void replay_run_slices(struct pfifo_replay *replay, uint64_t units) {
    enum pfifo_stop stop = PFIFO_STOP_BUDGET;

    while (units && replay->left && stop == PFIFO_STOP_BUDGET && !replay_interrupted(replay)) {
        uint64_t most = replay->left < SLICE ? replay->left : SLICE, before;
        if (!replay->slice)
            replay->slice = most;
        before = replay->slice;
        stop = pfifo_private_device_run_part(replay->device, units, &replay->slice);
        if (!replay->slice)
            replay->left -= most;
        if (units != UINT64_MAX)
            units -= before - replay->slice < units ? before - replay->slice : units;
    }
    if (replay->left && stop == PFIFO_STOP_BUDGET && !replay->result.interrupted)
        return;
    replay->result.running = false;
    replay_note_stop(replay, stop);
}

/*
 * If the machine waits, the submission of another channel may release it. A run of version 2 is as long as that of the
 * recording, and may go on in the next. Everything else ends the replay.
 */
bool replay_goes_on(const struct pfifo_replay *replay) {
    const struct pfifo_replay_result *result = &replay->result;

    return !result->interrupted && !result->stop_message[0] &&
           (result->stop == PFIFO_STOP_IDLE || result->stop == PFIFO_STOP_WAITING ||
            (result->stop == PFIFO_STOP_BUDGET && replay->version >= 2));
}

enum pfifo_status pfifo_replay_step(struct pfifo_replay *replay, uint64_t units, bool *more,
                                    struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;

    *more = true;
    if (replay->result.running)
        replay_run_slices(replay, units);
    else
        status = replay_play_records(replay, more, error);
    if (status == PFIFO_OK) {
        replay->result.faults = pfifo_device_faults(replay->device);
        replay->result.time = pfifo_device_gpu(replay->device)->bus.time;
    }
    return status;
}

enum pfifo_status pfifo_replay_next(struct pfifo_replay *replay, bool *more, struct pfifo_error *error) {
    bool was_running = replay->result.running;
    enum pfifo_status status = pfifo_replay_step(replay, UINT64_MAX, more, error);

    if (status == PFIFO_OK && !was_running && replay->result.running)
        status = pfifo_replay_step(replay, UINT64_MAX, more, error);
    return status;
}
