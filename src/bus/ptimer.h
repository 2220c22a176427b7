/* SPDX-License-Identifier: MIT */
/*
 * PTIMER: nanoseconds, with an alarm.
 *
 *   TIME_HIGH[28:0] TIME_LOW[31:5]: 61 bits of nanoseconds, in steps of 32
 *   ALARM[31:5] == TIME_LOW[31:5] --> INTR bit 0
 *
 * The chip counts crystal ticks times NUMERATOR / DENOMINATOR, and drivers program that to give nanoseconds; here
 * it counts nanoseconds whatever the ratio says. The alarm is looked at whenever somebody asks for the time. The
 * virtual clock goes on by itself, to the alarm, when nothing else can happen (src/gpu/time.c).
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
    uint32_t intr, intr_en;          /* bit 0: alarm */
    uint32_t numerator, denominator; /* 16 bits, stored */
    uint32_t alarm;                  /* [31:5] of the low word of the time */
    uint64_t offset;                 /* nanoseconds that writes to TIME_LOW and TIME_HIGH added to bus.time */
    uint64_t checked;                /* time up to which the alarm was looked at */
};

struct ptimer_variant {
    struct reg_tables tables;
};

/* Raise the alarm if its time came. `now`: as bus_now() gives it. */
void ptimer_check_alarm(struct bus *bus, uint64_t now);

extern const struct ptimer_variant ptimer_nv1, ptimer_nv3;

#endif
