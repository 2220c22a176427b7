/* SPDX-License-Identifier: MIT */
/*
 * PBUS interrupts and the record of the first access that nobody answered.
 *
 *   access to nothing, to a unit that is off --> ERROR_ADDRESS, ERROR_DATA --> INTR & INTR_EN --> PMC INTR bit 28
 *
 * UNKNOWN: what an access to a unit that is off raises on Tesla, whose INTR has no bit of its own for it. Chosen: that
 * of an access to nothing. UNKNOWN: a second error before the first is cleared. Chosen: the record stays, INTR is set
 * again. UNKNOWN: what is written to the software triggers. Chosen: anything. Sources: envytools rnndb/bus/pbus.xml,
 * docs/hw/bus/bars.rst; nouveau nvkm/subdev/bus/{nv50,gf100}.c.
 */
#include "bus/tables.h"

#define INTR_SOFTWARE_0 (1u << 26)
#define INTR_SOFTWARE_1 (1u << 28)

#define ERROR_VALID 0x1u
#define ERROR_WRITE 0x2u

enum slot { INTR, INTR_EN, TIMEOUT, ERROR_ADDRESS, ERROR_DATA, ERROR_CODE, SLOTS };
_Static_assert((size_t)SLOTS <= sizeof((struct bus *)0)->pbus / sizeof(uint32_t), "bus.pbus holds every slot");

static void update_line(struct bus *bus) {
    bus_interrupt(bus, PMC_INTR_PBUS, (bus->pbus[INTR] & bus->pbus[INTR_EN]) != 0);
}

void pbus_raise(struct bus *bus, uint32_t bits) {
    bus->pbus[INTR] |= bits;
    update_line(bus);
}

void pbus_error(struct bus *bus, uint32_t bit, uint32_t offset, bool write, uint32_t data) {
    if (bus->chip->vm == CHIP_VM_NONE || bus->chip->vm == CHIP_VM_GH100)
        return;
    if (bit == PBUS_INTR_DISABLED && bus->chip->vm < CHIP_VM_GF100)
        bit = PBUS_INTR_NOTHING;
    if (!(bus->pbus[ERROR_ADDRESS] & ERROR_VALID)) {
        bus->pbus[ERROR_ADDRESS] = (offset & 0x00fffffc) | (write ? ERROR_WRITE : 0) | ERROR_VALID;
        bus->pbus[ERROR_DATA] = data;
    }
    pbus_raise(bus, bit);
}

static void intr_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = unit;
    (void)reg, (void)index;
    bus->pbus[INTR] &= ~value;
    update_line(bus);
}

static void enable_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    update_line(unit);
}

static void software_0_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    pbus_raise(unit, INTR_SOFTWARE_0);
}

static void software_1_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    pbus_raise(unit, INTR_SOFTWARE_1);
}

static void address_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    if (value == 0)
        ((struct bus *)unit)->pbus[ERROR_ADDRESS] = 0;
}

#define PBUS_AT(slot) .at = offsetof(struct bus, pbus[slot])
/* UNKNOWN: which bits of INTR_EN are there before G80; chosen: all. */
#define INTR_NV4   "BUS_ERROR 0"
#define INTR_NV10  "BUS_ERROR 0, GPIO_0_RISE 4, GPIO_0_FALL 8"
#define INTR_NV30  "BUS_ERROR 0, GPIO_0_RISE 4, GPIO_0_FALL 8, PEEPHOLE 12"
#define INTR_NV31  "BUS_ERROR 0, PEEPHOLE 12"
#define INTR_NV41  "BUS_ERROR 0, NOTHING 3, PEEPHOLE 12"
#define INTR_NV43  "BUS_ERROR 0, NOTHING 3, PEEPHOLE 12, THERMAL 16, THERMAL_LOW 17, THERMAL_HIGH 18"
#define INTR_TESLA "NOTHING 3, PEEPHOLE 12, THERMAL 16, SOFTWARE 26"
#define INTR_FERMI                                                                                                     \
    "DISABLED 1, IBUS 2, NOTHING 3, FB_REQ_TIMEOUT 4, FB_ACK_TIMEOUT 5, HOST_MEM_TIMEOUT 7, HOST_MEM_ZOMBIE 8, "       \
    "THERMAL 16, SOFTWARE 26, POSTED_DEADLOCK 27, SOFTWARE_1 28, ACCESS_TIMEOUT 31"

#define INTR_ROWS(names)                                                                                               \
    {0x1100, "INTR", PBUS_AT(INTR), .readable = ~0u, .write = intr_write, .fields = (names)}, {                        \
        0x1140, "INTR_EN", PBUS_AT(INTR_EN), .readable = ~0u, .writable = ~0u, .write = enable_write,                  \
                                             .fields = (names)                                                         \
    }

static const struct reg regs_nv4[] = {INTR_ROWS(INTR_NV4)};
static const struct reg regs_nv10[] = {INTR_ROWS(INTR_NV10)};
static const struct reg regs_nv30[] = {INTR_ROWS(INTR_NV30)};
static const struct reg regs_nv31[] = {INTR_ROWS(INTR_NV31)};
static const struct reg regs_nv41[] = {INTR_ROWS(INTR_NV41)};
static const struct reg regs_nv43[] = {INTR_ROWS(INTR_NV43)};
static const struct reg regs_tesla[] = {INTR_ROWS(INTR_TESLA)};

static const struct reg regs_gf100[] = {
    INTR_ROWS(INTR_FERMI),
    {0x1170, "INTR_SOFTWARE_1", .at = REG_NONE, .write = software_1_write},
    {0x908c, "ERROR_CODE", PBUS_AT(ERROR_CODE), .readable = ~0u},
};

/* UNKNOWN: TIMEOUT after reset. Chosen: 0. Nothing takes so long here. */
static const struct reg regs_g80[] = {
    {0x1150, "INTR_SOFTWARE", .at = REG_NONE, .write = software_0_write},
    {0x9080, "ACCESS_TIMEOUT", PBUS_AT(TIMEOUT), .readable = 0x80ffffff, .writable = 0x80ffffff,
     .fields = "ENABLE 31, PERIOD 23:0"},
    {0x9084, "ERROR_ADDRESS", PBUS_AT(ERROR_ADDRESS), .readable = ~0u, .write = address_write,
     .fields = "VALID 0, WRITE 1, ADDRESS 23:2"},
    {0x9088, "ERROR_DATA", PBUS_AT(ERROR_DATA), .readable = ~0u},
};

const struct reg_table pbus_intr_nv4 = REG_TABLE("PBUS", regs_nv4);
const struct reg_table pbus_intr_nv10 = REG_TABLE("PBUS", regs_nv10);
const struct reg_table pbus_intr_nv30 = REG_TABLE("PBUS", regs_nv30);
const struct reg_table pbus_intr_nv31 = REG_TABLE("PBUS", regs_nv31);
const struct reg_table pbus_intr_nv41 = REG_TABLE("PBUS", regs_nv41);
const struct reg_table pbus_intr_nv43 = REG_TABLE("PBUS", regs_nv43);
const struct reg_table pbus_intr_tesla = REG_TABLE("PBUS", regs_tesla);
const struct reg_table pbus_intr_gf100 = REG_TABLE("PBUS", regs_gf100);
const struct reg_table pbus_error_g80 = REG_TABLE("PBUS", regs_g80);
