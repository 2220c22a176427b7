/* SPDX-License-Identifier: MIT */
/*
 * PTIMER: nanoseconds, with an alarm.
 *
 *   TIME_HIGH[28:0] TIME_LOW[31:5]: 61 bits of nanoseconds, in steps of 32
 *   ALARM[31:5] == TIME_LOW[31:5] --> INTR bit 0
 *
 * The chip counts crystal ticks times NUMERATOR / DENOMINATOR, and drivers set the ratio so that it counts nanoseconds.
 * Here it counts nanoseconds with any ratio. The alarm is checked whenever the time is read. When nothing else can
 * happen, the virtual clock advances to the alarm (src/gpu/time.c).
 *
 * Modelled:     the registers, at 0x101000 on NV1 and at 0x009000 on all later chips.
 * Not modelled: the ratio.
 * Sources:      envytools docs/hw/bus/ptimer.rst; open-gpu-doc dev_timer; nouveau nvkm/subdev/timer.
 */
#ifndef PFIFO_SRC_BUS_PTIMER_H
#define PFIFO_SRC_BUS_PTIMER_H

#include "bus/reg.h"

struct bus;

struct ptimer {
    struct bus *bus;
    uint32_t intr, intr_en;          /* bit 0: alarm */
    uint32_t numerator, denominator; /* 16 bits, stored */
    uint32_t alarm;                  /* [31:5] of the low word of the time */
    uint64_t offset;                 /* nanoseconds to add to bus.time, set by writes to TIME_LOW and TIME_HIGH */
    uint64_t checked;                /* time up to which the alarm was checked */
};

struct ptimer_variant {
    struct reg_tables tables;
};

/* Raise the alarm if its time came. `now`: as bus_now() gives it. */
void ptimer_check_alarm(struct bus *bus, uint64_t now);

extern const struct ptimer_variant ptimer_nv1, ptimer_nv3;

#endif
