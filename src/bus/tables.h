/* SPDX-License-Identifier: MIT */
/*
 * The bus's own registers and windows, and what its files tell each other.
 *
 * A table is named after the first chip that has it; bus.c says which chips go with which tables.
 */
#ifndef PFIFO_SRC_BUS_TABLES_H
#define PFIFO_SRC_BUS_TABLES_H

#include "bus/bus.h"

#define REG_TABLE(unit_name, table)                                                                                    \
    { .unit = (unit_name), .regs = (table), .count = sizeof(table) / sizeof((table)[0]) }

/* pmc.c */
extern const struct reg_table pmc_nv1, pmc_g80, pmc_endian_nv1a, pmc_boot_1_tu102;
extern const struct reg_table pmc_enable_nv1, pmc_enable_nv4, pmc_enable_g80, pmc_enable_gf100, pmc_gf100;
extern const struct reg_table pmc_enable_unknown_gf100, pmc_enable_engines_gf104;
extern const struct reg_table pmc_software_nv1, pmc_software_nv3;
extern const struct reg_table pmc_intr_nv1, pmc_intr_gt215, pmc_intr_gf100, pmc_intr_gp100;
/* ptimer.c */
extern const struct reg_table ptimer_nv1, ptimer_nv3;
/* pram.c */
extern const struct reg_table pram_nv1;
extern const struct window pramht_nv1, pramfc_nv1, pramro_nv1, pramau_nv1, pramunk2_nv1, fb_nv1;
/* windows.c */
extern const struct reg_table pbus_g80, pbus_tesla, pbus_gf100, pbus_gm107, pflush_g84, pflush_gf100;
extern const struct window pramin_nv1, pramin_g80;
/* aperture.c */
extern const struct reg_table pmc_hide_nv17;
/* peephole.c */
extern const struct reg_table peephole_control_nv30, peephole_nv30, peephole_g80, peephole_write_g84, peephole_g84,
    peephole_high_gf100;
extern const struct window peephole_w_data_nv30, peephole_rw_data_nv30, peephole_w_data_g84, peephole_rw_data_g84;
/* pbus.c */
extern const struct reg_table pbus_intr_nv4, pbus_intr_nv10, pbus_intr_nv30, pbus_intr_nv31, pbus_intr_nv41,
    pbus_intr_nv43, pbus_intr_tesla, pbus_intr_gf100, pbus_error_g80;
/* pfb.c */
extern const struct reg_table pfb_nv1, pfb_nv3, pfb_nv4, pfb_nv10, pfb_protect_nv10, pfb_gart_nv41, pfb_gart_nv44;
extern const struct reg_table pfb_g80, pfb_g84, pfb_gt215, pfb_fault_g80, pfb_fault_mcp89, pfb_config_gf100,
    pfb_config_gm200, pfb_gf100;

/* Slots of bus.pfb before G80. */
enum pfb_slot_nv1 {
    PFB_PROTECT,      /* 0x100200 of NV4:NV10, 0x100214 of NV10:NV40 */
    PFB_GART_CONTROL, /* 0x10008c */
    PFB_GART_TABLE,   /* 0x100800 */
    PFB_GART_BYTES,   /* 0x100804 */
    PFB_GART_FLUSH,   /* 0x100808, 0x100810 */
    PFB_GART_LAST,    /* 0x100814 */
    PFB_GART_DUMMY,   /* 0x100818 */
    PFB_GART_820,
    PFB_GART_82C,
    PFB_GART_850,
};

/* Slots of bus.pfb from G80 on. */
enum pfb_slot {
    PFB_FLUSH,                           /* 0x100c80 of Tesla, 0x100cbc of GF100- */
    PFB_CONFIG,                          /* 0x100c80 of GF100- */
    PFB_FLUSH_PAGE,                      /* 0x100cb4 */
    PFB_FLUSH_SPACE,                     /* 0x100cb8 */
    PFB_SCRATCH,                         /* 0x100c08: a page that boards need; only stored */
    PFB_DIRECTORY,                       /* 0x100c9c */
    PFB_FAULT_CONTROL,                   /* 0x100c90 */
    PFB_FAULT_PENDING,                   /* bit 31 of 0x100c90 */
    PFB_FAULT_DATA,                      /* six words */
    PFB_VRAM_LIMIT = PFB_FAULT_DATA + 6, /* 0x100e1c */
    PFB_SYSTEM_HIGH,                     /* 0x100f04 */
    PFB_SLOTS,
};

/* units.c, falcon.c: attach the rows that the chip has. Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status units_attach(struct bus *bus, struct pfifo_error *error);
void units_free(struct bus *bus);
enum pfifo_status falcon_attach(struct bus *bus, struct pfifo_error *error);

/* What depends on the chip besides the tables. */
void pmc_init(struct bus *bus);
void bar_init(struct bus *bus);

/* BAR 5: I/O ports to the other BARs. */
#define PORTS_BYTES 0x80u
void ports_read(struct bus *bus, uint64_t offset, uint8_t *to, uint64_t bytes);
void ports_write(struct bus *bus, uint64_t offset, const uint8_t *from, uint64_t bytes);

/* Tell memory what the registers of PFB say: before G80 about protection and GART, on Tesla about its addresses. */
void pfb_apply_nv1(struct bus *bus);
void pfb_apply_g80(struct bus *bus);
/* Power-on values that depend on the size of memory. */
void pfb_init(struct bus *bus);

/* pfb_tile.c: slots of bus.pfb_tile. */
enum pfb_tile_slot {
    PFB_CFG0,
    PFB_CFG1,
    PFB_COMP_OFFSET,
    PFB_TILE_BASE,
    PFB_TILE_LIMIT = PFB_TILE_BASE + 15,
    PFB_TILE_PITCH = PFB_TILE_LIMIT + 15,
    PFB_COMP_REGION = PFB_TILE_PITCH + 15,
    PFB_TILE_SLOTS = PFB_COMP_REGION + 15,
};
/* Attach the rows that the chip has, if any. Errors: PFIFO_ERROR_MEMORY. */
enum pfifo_status pfb_attach_tiles(struct bus *bus, struct pfifo_error *error);
void pfb_free_tiles(struct bus *bus);
/* pfb_tiling.c: is region `index` enabled (its bits that say so), and its pitch. False: it is none. */
uint32_t pfb_tile_enabled(const struct bus *bus, uint32_t index);
bool pfb_tile_pitch(const struct bus *bus, uint32_t index, struct tile_pitch *pitch);
/* Tell memory what the registers say about regions: they were written, or loaded with it. */
void pfb_tiling_changed(struct bus *bus);
void pfb_tiling_loaded(struct bus *bus);

/* Interrupts of PBUS. pbus_error(): nobody answered at `offset`, which from G80 on is told. */
#define PBUS_INTR_DISABLED (1u << 1)
#define PBUS_INTR_NOTHING  (1u << 3)
#define PBUS_INTR_PEEPHOLE (1u << 12)
void pbus_raise(struct bus *bus, uint32_t bits);
void pbus_error(struct bus *bus, uint32_t bit, uint32_t offset, bool write, uint32_t data);

/* True if BAR0 `offset` belongs to a unit that PMC ENABLE has switched off. */
bool pmc_disabled(const struct bus *bus, uint32_t offset);

/* Raise the alarm of PTIMER if its time came. */
void ptimer_check_alarm(struct bus *bus, uint64_t now);

#endif
