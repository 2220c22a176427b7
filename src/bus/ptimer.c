/* SPDX-License-Identifier: MIT */
#include "bus/ptimer.h"

#include "bus/bus.h"
#include "bus/pmc.h"

#define INTR_ALARM 1u
#define TIME_LOW   0xffffffe0u
#define TIME_HIGH  0x1fffffffu

static void update_interrupt(struct bus *bus) {
    bus_interrupt(bus, PMC_INTR_PTIMER, (bus->ptimer->intr & bus->ptimer->intr_en) != 0);
}

void ptimer_check_alarm(struct bus *bus, uint64_t now) {
    uint64_t elapsed = (now & ~UINT64_C(31)) - (bus->ptimer->checked & ~UINT64_C(31));
    if (elapsed == 0)
        return;
    /* The low word reaches ALARM once in 2^32 ns. It does not match again at the time of the last check. */
    uint32_t until = bus->ptimer->alarm - ((uint32_t)bus->ptimer->checked & TIME_LOW);
    uint64_t due = until ? until : UINT64_C(1) << 32;
    bus->ptimer->checked = now;
    if (elapsed < due || bus->ptimer->intr & INTR_ALARM)
        return;
    bus->ptimer->intr |= INTR_ALARM;
    update_interrupt(bus);
}

uint64_t bus_until_alarm(const struct bus *bus) {
    uint64_t now = bus->time + bus->ptimer->offset;
    if (bus->clock.now || !(bus->ptimer->intr_en & INTR_ALARM) || (bus->ptimer->intr & INTR_ALARM))
        return UINT64_MAX;
    uint32_t until = bus->ptimer->alarm - ((uint32_t)now & TIME_LOW);
    return (until ? until : UINT64_C(1) << 32) - (now & 31);
}

uint64_t bus_alarm_due(const struct bus *bus) {
    uint64_t now = (bus->clock.now ? bus->clock.now(bus->clock.opaque) : bus->time) + bus->ptimer->offset;
    if (!(bus->ptimer->intr_en & INTR_ALARM) || (bus->ptimer->intr & INTR_ALARM))
        return UINT64_MAX;
    uint32_t until = bus->ptimer->alarm - ((uint32_t)bus->ptimer->checked & TIME_LOW);
    uint64_t due = (bus->ptimer->checked & ~UINT64_C(31)) + (until ? until : UINT64_C(1) << 32);
    return now < due ? due - now : 0;
}

void bus_pass(struct bus *bus, uint64_t nanoseconds) {
    bus->time += nanoseconds;
    if (bus->events)
        event_send(bus->events, EVENT_BUS_TIME, UINT32_MAX, NULL, nanoseconds);
    bus_now(bus);
}

static uint32_t intr_read(void *unit, const struct reg *reg, uint32_t index) {
    struct bus *bus = bus_of(unit);
    (void)reg, (void)index;
    bus_now(bus);
    return bus->ptimer->intr;
}

static void ptimer_intr_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = bus_of(unit);
    (void)reg, (void)index;
    bus->ptimer->intr &= ~value;
    update_interrupt(bus);
}

static void intr_en_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    bus_now(bus_of(unit));
    update_interrupt(bus_of(unit));
}

static uint32_t time_low_read(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return (uint32_t)bus_now(bus_of(unit)) & TIME_LOW;
}

static uint32_t time_high_read(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return (uint32_t)(bus_now(bus_of(unit)) >> 32) & TIME_HIGH;
}

static void set_time(struct bus *bus, uint64_t time) {
    bus->ptimer->offset = time - bus->time;
    bus->ptimer->checked = time;
}

static void time_low_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    set_time(bus_of(unit), (bus_now(bus_of(unit)) >> 32 << 32) | (value & TIME_LOW));
}

static void time_high_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    set_time(bus_of(unit), (uint64_t)(value & TIME_HIGH) << 32 | (uint32_t)bus_now(bus_of(unit)));
}

static void alarm_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = bus_of(unit);
    (void)reg, (void)index;
    bus_now(bus); /* the old alarm, up to now */
    bus->ptimer->alarm = value & TIME_LOW;
}

#define INTR "INTR", .at = offsetof(struct ptimer, intr), .readable = INTR_ALARM, .fields = "ALARM 0"
#define INTR_EN                                                                                                        \
    "INTR_EN", .at = offsetof(struct ptimer, intr_en), .readable = INTR_ALARM, .writable = INTR_ALARM,                 \
               .fields = "ALARM 0"
/* UNKNOWN: the ratio after reset. Chosen: 1, with which the model counts. */
#define NUMERATOR                                                                                                      \
    "NUMERATOR", .at = offsetof(struct ptimer, numerator), .readable = 0xffff, .writable = 0xffff, .reset = 1
#define DENOMINATOR                                                                                                    \
    "DENOMINATOR", .at = offsetof(struct ptimer, denominator), .readable = 0xffff, .writable = 0xffff, .reset = 1
#define ALARM "ALARM", .at = offsetof(struct ptimer, alarm), .readable = TIME_LOW, .fields = "TIME 31:5"

static const struct reg regs_nv1[] = {
    {0x101100, INTR, .read = intr_read, .write = ptimer_intr_write},
    {0x101140, INTR_EN, .write = intr_en_write},
    {0x101200, NUMERATOR},
    {0x101210, DENOMINATOR},
    {0x101400, "TIME_LOW", .at = REG_NONE, .readable = TIME_LOW, .fields = "TIME 31:5", .read = time_low_read,
     .write = time_low_write, .is_time = true},
    {0x101404, "TIME_HIGH", .at = REG_NONE, .readable = TIME_HIGH, .fields = "TIME 28:0", .read = time_high_read,
     .write = time_high_write, .is_time = true},
    {0x101410, ALARM, .write = alarm_write},
};

static const struct reg regs_nv3[] = {
    {0x9100, INTR, .read = intr_read, .write = ptimer_intr_write},
    {0x9140, INTR_EN, .write = intr_en_write},
    {0x9200, NUMERATOR},
    {0x9210, DENOMINATOR},
    {0x9400, "TIME_LOW", .at = REG_NONE, .readable = TIME_LOW, .fields = "TIME 31:5", .read = time_low_read,
     .write = time_low_write, .is_time = true},
    {0x9410, "TIME_HIGH", .at = REG_NONE, .readable = TIME_HIGH, .fields = "TIME 28:0", .read = time_high_read,
     .write = time_high_write, .is_time = true},
    {0x9420, ALARM, .write = alarm_write},
};

static const struct reg_table table_nv1 = REG_TABLE("PTIMER", regs_nv1);
static const struct reg_table table_nv3 = REG_TABLE("PTIMER", regs_nv3);

const struct ptimer_variant ptimer_nv1 = {.tables = {.regs = (const struct reg_table *const[]){&table_nv1, NULL}}};
const struct ptimer_variant ptimer_nv3 = {.tables = {.regs = (const struct reg_table *const[]){&table_nv3, NULL}}};
