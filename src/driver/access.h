/* SPDX-License-Identifier: MIT */
/* The lower half of a device: register access, lookups, fault reports. It uses nothing else of the driver. */
#ifndef PFIFO_SRC_DRIVER_ACCESS_H
#define PFIFO_SRC_DRIVER_ACCESS_H

#include "driver/device.h"

uint32_t device_rd32(struct pfifo_device *device, uint32_t offset);
void device_wr32(struct pfifo_device *device, uint32_t offset, uint32_t value);
/* Clear `clear`, then set `set`; returns the old value. */
uint32_t device_mask(struct pfifo_device *device, uint32_t offset, uint32_t clear, uint32_t set);
/* Poll until the bits of `mask` read `value`. False: they never do. */
bool device_poll(struct pfifo_device *device, uint32_t offset, uint32_t mask, uint32_t value);
/* Switch units of PMC ENABLE off, and on again. */
void device_reset_units(struct pfifo_device *device, uint32_t units);
void device_fault(struct pfifo_device *device, const struct pfifo_device_fault *fault);
struct pfifo_channel *device_channel(struct pfifo_device *device, uint32_t number);
/* The engine id of a unit. False: the chip has none. */
bool device_engine(const struct pfifo_device *device, enum chip_unit unit, unsigned *id);

#endif
