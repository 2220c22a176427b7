/* SPDX-License-Identifier: MIT */
/*
 * Idle time on the virtual clock.
 *
 * A program may sleep until PTIMER's alarm wakes it. When a run finds nothing to do, or only channels that wait for the
 * driver or for memory, time advances to an enabled alarm; acquires whose timeout comes earlier give up on the way. An
 * interrupt that the driver has not handled stops this: the driver acts next.
 *
 * Time does not pass for a semaphore alone, since the caller that runs the GPU may be about to write it. A caller that
 * knows that it will not has pfifo_gpu_pass_time(). Timeslices are counted in work, and end at once when no channel has
 * any.
 */
#include "gpu/gpu.h"

static uint64_t until_something(struct pfifo_gpu *gpu, uint64_t alarm) {
    uint64_t timeout = fifo_until_timeout(gpu->fifo);
    return alarm < timeout ? alarm : timeout;
}

/* Every step ends a wait permanently, and the last one reaches the alarm. */
bool gpu_pass_to_alarm(struct pfifo_gpu *gpu) {
    uint64_t alarm = bus_until_alarm(&gpu->bus);
    if (gpu->bus.line || alarm == UINT64_MAX)
        return false;
    bus_pass(&gpu->bus, until_something(gpu, alarm));
    return true;
}

uint64_t pfifo_gpu_pass_time(struct pfifo_gpu *gpu, uint64_t nanoseconds) {
    bus_now(&gpu->bus);
    uint64_t most = until_something(gpu, bus_until_alarm(&gpu->bus));
    uint64_t passed = nanoseconds < most ? nanoseconds : most;
    if (gpu->bus.clock.now || passed == UINT64_MAX)
        return 0;
    bus_pass(&gpu->bus, passed);
    gpu_tell_work(gpu);
    return passed;
}

uint64_t pfifo_gpu_due(struct pfifo_gpu *gpu) {
    uint64_t alarm = bus_alarm_due(&gpu->bus), timeout = fifo_until_timeout(gpu->fifo);
    return alarm < timeout ? alarm : timeout;
}
