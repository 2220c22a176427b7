/* SPDX-License-Identifier: MIT */
/*
 * Time that passes although nobody works, on the virtual clock.
 *
 * A program may sleep until PTIMER's alarm wakes it. When a run finds nothing to do, or only what waits for the driver
 * or for memory, time goes on to an alarm that is enabled; an acquire that gives up on the way does so when its time
 * has come. An interrupt that the driver has not looked at yet ends that: what happens next is his.
 *
 * A semaphore alone takes nobody there: who runs the GPU may be about to write it. He alone knows that he is not, and
 * has pfifo_gpu_pass_time(). Timeslices are counted in work, and end at once when nobody has any.
 */
#include "gpu/gpu.h"

static uint64_t until_something(struct pfifo_gpu *gpu, uint64_t alarm) {
    uint64_t timeout = fifo_until_timeout(gpu->fifo);
    return alarm < timeout ? alarm : timeout;
}

/* Every step ends a wait for good, and the last one reaches the alarm. */
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
