/* SPDX-License-Identifier: MIT */
#include "bus/pbus.h"

#include "bus/bus.h"
#include "bus/pmc.h"

#define INTR_SOFTWARE_0 (1u << 26)
#define INTR_SOFTWARE_1 (1u << 28)

#define ERROR_VALID 0x1u
#define ERROR_WRITE 0x2u

static void pbus_update_line(struct bus *bus) {
    bus_interrupt(bus, PMC_INTR_PBUS, (bus->pbus->intr & bus->pbus->intr_en) != 0);
}

void pbus_raise(struct bus *bus, uint32_t bits) {
    bus->pbus->intr |= bits;
    pbus_update_line(bus);
}

void pbus_error(struct bus *bus, uint32_t bit, uint32_t offset, bool write, uint32_t data) {
    const struct pbus_variant *variant = bus->chip->pbus;
    if (!variant->records_errors)
        return;
    if (bit == PBUS_INTR_DISABLED && !variant->tells_disabled)
        bit = PBUS_INTR_NOTHING;
    if (!(bus->pbus->error_address & ERROR_VALID)) {
        bus->pbus->error_address = (offset & 0x00fffffc) | (write ? ERROR_WRITE : 0) | ERROR_VALID;
        bus->pbus->error_data = data;
    }
    pbus_raise(bus, bit);
}

static void pbus_intr_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct bus *bus = bus_of(unit);
    (void)reg, (void)index;
    bus->pbus->intr &= ~value;
    pbus_update_line(bus);
}

static void pbus_enable_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    pbus_update_line(bus_of(unit));
}

static void software_0_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    pbus_raise(bus_of(unit), INTR_SOFTWARE_0);
}

static void software_1_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    pbus_raise(bus_of(unit), INTR_SOFTWARE_1);
}

static void pbus_address_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index;
    if (value == 0)
        bus_of(unit)->pbus->error_address = 0;
}

#define PBUS_AT(field) .at = offsetof(struct pbus, field)
/* UNKNOWN: which bits of INTR_EN exist before G80; chosen: all. */
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
    {0x1100, "INTR", PBUS_AT(intr), .readable = ~0u, .write = pbus_intr_write, .fields = (names)}, {                   \
        0x1140, "INTR_EN", PBUS_AT(intr_en), .readable = ~0u, .writable = ~0u, .write = pbus_enable_write,             \
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
    {0x908c, "ERROR_CODE", PBUS_AT(error_code), .readable = ~0u},
};

/* UNKNOWN: TIMEOUT after reset. Chosen: 0. No access takes that long here. */
static const struct reg regs_g80[] = {
    {0x1150, "INTR_SOFTWARE", .at = REG_NONE, .write = software_0_write},
    {0x9080, "ACCESS_TIMEOUT", PBUS_AT(timeout), .readable = 0x80ffffff, .writable = 0x80ffffff,
     .fields = "ENABLE 31, PERIOD 23:0"},
    {0x9084, "ERROR_ADDRESS", PBUS_AT(error_address), .readable = ~0u, .write = pbus_address_write,
     .fields = "VALID 0, WRITE 1, ADDRESS 23:2"},
    {0x9088, "ERROR_DATA", PBUS_AT(error_data), .readable = ~0u},
};

#define PBUS_TABLE(name, rows) static const struct reg_table name = REG_TABLE("PBUS", rows)
PBUS_TABLE(intr_nv4, regs_nv4);
PBUS_TABLE(intr_nv10, regs_nv10);
PBUS_TABLE(intr_nv30, regs_nv30);
PBUS_TABLE(intr_nv31, regs_nv31);
PBUS_TABLE(intr_nv41, regs_nv41);
PBUS_TABLE(intr_nv43, regs_nv43);
PBUS_TABLE(intr_g80, regs_tesla);
PBUS_TABLE(intr_gf100, regs_gf100);
PBUS_TABLE(error_g80, regs_g80);

#define TABLES(...)    .tables = {.regs = (const struct reg_table *const[]){__VA_ARGS__, NULL}}
#define ERROR_PATTERNS .nothing = 0xbad00100, .disabled = 0xbad0da00

const struct pbus_variant pbus_nv1 = {.nothing = 0};
const struct pbus_variant pbus_nv4 = {TABLES(&intr_nv4)};
const struct pbus_variant pbus_nv10 = {TABLES(&intr_nv10)};
const struct pbus_variant pbus_nv30 = {TABLES(&intr_nv30)};
const struct pbus_variant pbus_nv31 = {TABLES(&intr_nv31)};
const struct pbus_variant pbus_nv41 = {TABLES(&intr_nv41)};
const struct pbus_variant pbus_nv43 = {TABLES(&intr_nv43)};
const struct pbus_variant pbus_g80 = {TABLES(&intr_g80, &error_g80), ERROR_PATTERNS, .records_errors = true};
const struct pbus_variant pbus_gf100 = {TABLES(&intr_gf100, &error_g80), ERROR_PATTERNS, .records_errors = true,
                                        .tells_disabled = true};
const struct pbus_variant pbus_gh100 = {ERROR_PATTERNS};
