/* SPDX-License-Identifier: MIT */
/*
 * PFB, as far as the host needs it: the size of VRAM; before G80 write protection of its end (RAMIN), and the PCIe GART
 * (memory/gart.c); on G80 and later the limit of VRAM, the bits above 40 of system addresses, TLB flushes, and the VM
 * fault record of Tesla. Tiled regions of NV10 to NV4x are in pfb_tiling.h.
 *
 * All flushes are immediate and forget all translations, whatever engine, page or space they name.
 *
 * Modelled:     the registers below.
 * Not modelled: DRAM timing, L2 caches, double buffering of NV1's VRAM.
 * Sources:      envytools docs/hw/display/nv1/pfb.rst, docs/hw/memory/g80-vm.rst,
 *               rnndb/memory/{nv3,nv10,g80}_pfb.xml, rnndb/memory/gf100_pffb.xml; nouveau
 *               nvkm/subdev/fb/{ramnv04,ramnv10,nv50}.c, nvkm/subdev/mmu/{nv41,nv44,vmmgf100}.c; open-gpu-doc
 *               manuals/volta/gv100/pri_mmu_hub.
 */
#ifndef PFIFO_SRC_BUS_PFB_H
#define PFIFO_SRC_BUS_PFB_H

#include <pfifo/error.h>

#include "bus/reg.h"

struct bus;

/* The PCIe GART of NV41 to RSX. */
struct pfb_gart {
    uint32_t control;                               /* 0x10008c */
    uint32_t table, bytes;                          /* 0x100800, 0x100804: the latter on the NV44 type */
    uint32_t flush, flush_last;                     /* NV44 type: 0x100808, 0x100814; NV41 type: 0x100810 */
    uint32_t dummy;                                 /* 0x100818: the page for unmapped addresses, NV44 type */
    uint32_t unknown_820, unknown_82c, unknown_850; /* stored */
};

struct pfb {
    struct bus *bus;
    uint32_t protect; /* 0x100200 of NV4:NV10, 0x100214 of NV10:NV40 */
    struct pfb_gart gart;

    /* G80-. */
    uint32_t flush;                   /* 0x100c80 of Tesla, 0x100cbc of GF100- */
    uint32_t config;                  /* 0x100c80 of GF100- */
    uint32_t flush_page, flush_space; /* 0x100cb4, 0x100cb8 */
    uint32_t scratch;                 /* 0x100c08: a page that boards need; only stored */
    uint32_t directory;               /* 0x100c9c */
    uint32_t vram_limit;              /* 0x100e1c */
    uint32_t system_high;             /* 0x100f04 */
    uint32_t fault_control;           /* 0x100c90, without bit 31 */
    uint32_t fault_pending;           /* bit 31 of 0x100c90 */
    uint32_t fault_data[6];           /* 0x100c94, chosen by 0x100c90 */
};

/* The fields of the register that protects the end of VRAM. */
struct pfb_protection {
    uint32_t enable;
    uint8_t mask_shift; /* of the number of 64 KiB units, less one */
    bool ramin_too;     /* the host cannot write them through RAMIN either */
};

/* The bits that switch the GART on. */
struct pfb_gart_bits {
    uint32_t enable; /* of 0x10008c */
    uint32_t flag;   /* of 0x100800 */
};

struct pfb_variant {
    struct reg_tables tables;
    /* Attach the registers that depend on more than the chip. NULL: there are none. Errors: PFIFO_ERROR_MEMORY. */
    enum pfifo_status (*attach)(struct bus *bus, struct pfifo_error *error);
    void (*init)(struct bus *bus);    /* power-on values that depend on the size of VRAM; NULL: there are none */
    void (*apply)(struct bus *bus);   /* pass the registers to the memory unit, after a load */
    const uint8_t *megabytes;         /* NV1:NV10: the four sizes that VRAM_CONFIG can encode */
    struct pfb_protection protection; /* enable 0: there is none */
    struct pfb_gart_bits gart;        /* enable 0: there is none */
    bool has_vram_limit;              /* GT215:GF100 */
    unsigned fault_field_bits;        /* Tesla: of the fields of the first word of a fault */
};

/*
 * The VM fault record of Tesla: latches the first fault until it is acknowledged. The unit that made the access
 * interrupts. `reason`: as fault_code() gives it; `instance`: physical address of the channel descriptor.
 */
void bus_vm_fault(struct bus *bus, uint32_t engine, uint32_t reason, uint32_t client, uint32_t slot, uint64_t instance,
                  uint64_t address, bool write);

extern const struct pfb_variant pfb_nv1, pfb_nv3, pfb_nv3t, pfb_nv4, pfb_nv10, pfb_nv40, pfb_nv41, pfb_nv44, pfb_g80,
    pfb_g84, pfb_gt215, pfb_mcp89, pfb_gf100, pfb_gm200, pfb_gh100;

#endif
