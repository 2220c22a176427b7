/* SPDX-License-Identifier: MIT */
/*
 * The driver: what a kernel driver does with a GPU, so that programs have memory, channels and objects.
 *
 *   pfifo/driver.h   device.c open, close    channel.c channels, objects   ring.c, pio_methods.c submissions
 *                    run.c run, wait, interrupts                            software.c methods for the host
 *                    memory.c buffers        vm.c, vm_map.c address spaces  pio.c RAMRO
 *                    bar.c VRAM behind the BARs                             fence.c, fence_kinds.c, syncpoint.c
 *                    graph.c, units.c interrupts of engines                 topology.c engines and runlists
 *                       |
 *                    struct driver_ops, a table per family: nv1.c, nv4.c, g80.c, gf100.c, gk104.c
 *                       |                    page tables: vm_g80.c, vm_gf100.c, vm_gp100.c
 *                    instance.c instance memory    pool.c addresses    access.c registers
 *                       |
 *                    registers and memory of the GPU (pfifo/gpu.h), nothing else
 *
 * This header is for the families; other files include what they need of its parts.
 *
 * Modelled:     address spaces (G80-), or VRAM and GART offsets; PIO, DMA and IB channels; RAMHT, DMA objects,
 *               software objects; recovery from PFIFO's errors as nouveau does it.
 * Not modelled: the contents of engine contexts, power, clocks, display; TSGs and priorities; the PCIe GART of NV41.
 * Sources:      nouveau nvkm/engine/fifo, nvkm/subdev/{instmem,mmu,fb,bar}, nouveau_dma.c; envytools docs/hw/fifo,
 *               docs/hw/memory; NVIDIA open-gpu-doc manuals dev_fifo, dev_pbdma, dev_ram, dev_mmu.
 */
#ifndef PFIFO_SRC_DRIVER_DRIVER_H
#define PFIFO_SRC_DRIVER_DRIVER_H

#include "driver/access.h"
#include "driver/cache.h"
#include "driver/instance.h"
#include "driver/interrupts.h"
#include "driver/ops.h"
#include "driver/ramht.h"

#endif
