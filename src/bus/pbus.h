/* SPDX-License-Identifier: MIT */
/*
 * PBUS: interrupts, and the record of the first unanswered access.
 *
 *   access to nothing, to a unit that is off --> ERROR_ADDRESS, ERROR_DATA --> INTR & INTR_EN --> PMC INTR bit 28
 *
 * UNKNOWN: what an access to a unit that is off raises on Tesla, whose INTR has no separate bit for it. Chosen: the bit
 * of an access to nothing. UNKNOWN: a second error before the first is cleared. Chosen: the record stays, INTR is set
 * again. UNKNOWN: which values trigger the software interrupts. Chosen: any.
 *
 * Modelled:     INTR and INTR_EN (NV4-), the record and the software triggers (G80-), and the values of reads of
 *               nothing.
 * Not modelled: timeouts; interrupts of GPIO and of the thermal sensor, which are not raised; GH100's.
 * Sources:      envytools rnndb/bus/pbus.xml, docs/hw/bus/bars.rst; nouveau nvkm/subdev/bus/{nv50,gf100}.c.
 */
#ifndef PFIFO_SRC_BUS_PBUS_H
#define PFIFO_SRC_BUS_PBUS_H

#include "bus/reg.h"

struct bus;

#define PBUS_INTR_DISABLED (1u << 1)
#define PBUS_INTR_NOTHING  (1u << 3)
#define PBUS_INTR_PEEPHOLE (1u << 12)

struct pbus {
    struct bus *bus;
    uint32_t intr, intr_en;                         /* 0x1100, 0x1140 */
    uint32_t timeout;                               /* 0x9080: stored */
    uint32_t error_address, error_data, error_code; /* 0x9084 .. 0x908c */
};

struct pbus_variant {
    struct reg_tables tables;
    uint32_t nothing, disabled; /* values of reads of nothing, and of a unit that is off */
    bool records_errors;        /* G80-: of unanswered accesses */
    bool tells_disabled;        /* GF100-: INTR has a separate bit for a unit that is off */
};

/* `bits`: PBUS_INTR_*. */
void pbus_raise(struct bus *bus, uint32_t bits);

/* An access to `offset` was not answered, reported in `bit`. `data`: the value written. */
void pbus_error(struct bus *bus, uint32_t bit, uint32_t offset, bool write, uint32_t data);

extern const struct pbus_variant pbus_nv1, pbus_nv4, pbus_nv10, pbus_nv30, pbus_nv31, pbus_nv41, pbus_nv43, pbus_g80,
    pbus_gf100, pbus_gh100;

#endif
