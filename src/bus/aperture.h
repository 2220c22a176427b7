/* SPDX-License-Identifier: MIT */
/* Memory as the host sees it through a BAR or the PEEPHOLE, from G80 on; of older chips only the untranslated part. */
#ifndef PFIFO_SRC_BUS_APERTURE_H
#define PFIFO_SRC_BUS_APERTURE_H

#include "bus/bus.h"

/* What a port shows: a space, and whose it is. */
struct aperture {
    struct address_space space;
    uint64_t instance;
    enum bus_port port;
};

struct aperture aperture_of(struct bus *bus, enum bus_port port);

/* Pages that fault read as an error value, and writes to them are dropped; the fault is reported. */
void aperture_read(struct bus *bus, const struct aperture *aperture, uint64_t offset, uint8_t *data, uint64_t bytes);
void aperture_write(struct bus *bus, const struct aperture *aperture, uint64_t offset, const uint8_t *data,
                    uint64_t bytes);

/* What was read at `offset` of a window, without what VRAM_HIDE hides. */
void bus_hide_vram(const struct bus *bus, uint64_t offset, uint8_t *data, uint64_t bytes);

#endif
