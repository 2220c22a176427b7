/* SPDX-License-Identifier: MIT */
/*
 * PFB of G80 and later: the MMU, its TLBs and, before GF100, its faults.
 *
 * Sources: envytools rnndb/memory/{g80_pfb,gf100_pffb}.xml, docs/hw/memory/g80-vm.rst; nouveau
 *          nvkm/subdev/fb/nv50.c, nvkm/subdev/mmu/{vmmnv50,vmmgf100}.c.
 */
#ifndef PFIFO_SRC_HW_PFB_H
#define PFIFO_SRC_HW_PFB_H

enum {
    /* Tesla */
    NV_PFB_SCRATCH_PAGE = 0x100c08,
    NV_PFB_TLB_FLUSH = 0x100c80, /* [19:16] client, bit 0 trigger */
    NV_PFB_VM_FAULT = 0x100c90,
    NV_PFB_VM_FAULT_DATA = 0x100c94,
    /* GF100 and later */
    NV_PFB_MMU_CONFIG = 0x100c80,
    NV_PFB_TLB_FLUSH_PAGE = 0x100cb4,
    NV_PFB_TLB_FLUSH_SPACE = 0x100cb8,
    NV_PFB_TLB_FLUSH_GF100 = 0x100cbc,
};

/* VM_FAULT. */
#define PFB_VM_FAULT_PENDING (1u << 31)
#define PFB_VM_FAULT_WORD    24 /* [26:24] which word VM_FAULT_DATA shows */

/* MMU_CONFIG. */
#define PFB_MMU_CONFIG_64K         (1u << 0)   /* GF100:GM200: big pages are small ones, for all spaces */
#define PFB_MMU_CONFIG_OF_INSTANCE 0x1800u     /* GM200-: each instance block selects it */
#define PFB_MMU_CONFIG_QUEUED      (1u << 15)  /* a flush was accepted */
#define PFB_MMU_CONFIG_SLOTS       0x00ff0000u /* how many more it can accept */

/* TLB_FLUSH of GF100 and later. */
#define PFB_TLB_FLUSH_ALL_VA   (1u << 0)
#define PFB_TLB_FLUSH_HUB_ONLY (1u << 2)
#define PFB_TLB_FLUSH_TRIGGER  (1u << 31)

#endif
