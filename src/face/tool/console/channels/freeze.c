/* SPDX-License-Identifier: MIT */
/*
 * freeze and thaw: stop all of PFIFO, and let it go on.
 *
 *   freeze   set FREEZE.ENABLE, wait until FROZEN is 1       thaw   clear it, wait until FROZEN is 0
 *
 * Only on chips with that register. Drivers of older and newer chips pause channels in other ways.
 *
 * Sources: pscnv wiki, page PFIFO; nouveau nvkm/subdev/clk/gt215.c; envytools rnndb/fifo/g80_pfifo.xml
 */
#include "face/tool/console/commands.h"
#include "face/tool/console/machine/show.h"
#include "face/tool/console/target.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#define FREEZE_ENABLE (1u << 0)
#define FREEZE_FROZEN (1u << 4)

#define WAIT_MS     2000
#define MAX_WAIT_MS 60000

static uint64_t freeze_now_ms(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static bool answers(uint32_t value) {
    return value != UINT32_MAX && !console_is_silence(value);
}

/* Wait until FROZEN has the value, or the time is up. False: it has not. */
static bool wait_until(struct console *console, uint32_t offset, bool frozen, uint64_t ms, uint32_t *value) {
    uint64_t end = freeze_now_ms() + ms;
    bool more = true;

    for (;;) {
        *value = console_rd32(console, offset);
        if (!answers(*value) || !!(*value & FREEZE_FROZEN) == frozen)
            return answers(*value);
        /* Read once more after the time is up: the process may have been asleep. */
        if (!more)
            return false;
        more = console->target->wait(console) && freeze_now_ms() < end;
    }
}

static bool late(struct console *console, const struct console_place *place, bool frozen, uint32_t old, uint32_t value,
                 struct pfifo_error *error) {
    if (!answers(value))
        return refuse(error, "PFIFO does not answer: FREEZE reads 0x%08" PRIx32, value);
    if (!frozen)
        return refuse(error, "FROZEN is still 1");
    /* PFIFO did not stop in time: let it go on. */
    console_write(console, place, 4, old);
    return refuse(error, "FROZEN is still 0; FREEZE is 0x%08" PRIx32 " again", old);
}

bool console_cmd_freeze(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct console_place place = {.space = CONSOLE_BAR};
    bool frozen = strcmp(argument[0], "freeze") == 0;
    uint64_t ms = WAIT_MS;
    uint32_t offset, old, value;

    if (count > 1 && !console_number(argument[1], MAX_WAIT_MS, &ms, error))
        return false;
    if (pfifo_registers_find(console->registers, "PFIFO.FREEZE", &offset, NULL) != PFIFO_OK)
        return refuse(error, "%s has no FREEZE", console_chip(console));
    place.address = offset;
    if (!console_reach(console, &place, 1, 4, CONSOLE_READ, error) ||
        !console_reach(console, &place, 1, 4, CONSOLE_WRITE, error))
        return false;
    old = console_read(console, &place, 4);
    if (!answers(old))
        return late(console, &place, frozen, old, old, error);
    console_write(console, &place, 4, frozen ? old | FREEZE_ENABLE : old & ~FREEZE_ENABLE);
    if (!wait_until(console, offset, frozen, ms, &value))
        return late(console, &place, frozen, old, value, error);
    console_show_register(console, offset, value);
    return true;
}
