/* SPDX-License-Identifier: MIT */
#include "bus/bus.h"

#include <stdlib.h>

#include "bus/tables.h"

/* Which tables a chip has, by the first and last page table format that goes with them, or by name. */
static const struct bus_table {
    enum chip_vm first, last;
    const struct reg_table *regs;
    const struct window *window;
    const char *chips; /* ranges, NULL: all that have the format */
} tables[] = {
    {CHIP_VM_NONE, CHIP_VM_NONE, &pmc_nv1, NULL},
    {CHIP_VM_G80, CHIP_VM_GH100, &pmc_g80, NULL},                        /* identity */
    {CHIP_VM_NONE, CHIP_VM_GH100, &pmc_endian_nv1a, NULL, "NV1A:TU102"}, /* byte order */
    {CHIP_VM_NONE, CHIP_VM_GH100, &pmc_boot_1_tu102, NULL, "TU102-"},    /* it is little */
    {CHIP_VM_NONE, CHIP_VM_NONE, &pmc_enable_nv1, NULL, "NV1:NV4"},      /* switches */
    {CHIP_VM_NONE, CHIP_VM_NONE, &pmc_enable_nv4, NULL, "NV4:G80"},      /* most of them off */
    {CHIP_VM_G80, CHIP_VM_G84, &pmc_enable_g80, NULL},                   /* on again */
    {CHIP_VM_GF100, CHIP_VM_GH100, &pmc_enable_gf100, NULL},
    {CHIP_VM_GF100, CHIP_VM_GP100, &pmc_enable_unknown_gf100, NULL}, /* more that look like it */
    {CHIP_VM_GF100, CHIP_VM_GP100, &pmc_enable_engines_gf104, NULL, "GF104-"},
    {CHIP_VM_NONE, CHIP_VM_NONE, &pmc_software_nv1, NULL, "NV1"},               /* software interrupt */
    {CHIP_VM_NONE, CHIP_VM_GH100, &pmc_software_nv3, NULL, "NV3:GT215 GF100-"}, /* at bit 31 */
    {CHIP_VM_NONE, CHIP_VM_G84, &pmc_intr_nv1, NULL, "NV1:GT215"},              /* interrupt line */
    {CHIP_VM_G84, CHIP_VM_G84, &pmc_intr_gt215, NULL, "GT215:GF100"},           /* three of them, with masks */
    {CHIP_VM_GF100, CHIP_VM_GM200, &pmc_intr_gf100, NULL},                      /* with masks */
    {CHIP_VM_GP100, CHIP_VM_GH100, &pmc_intr_gp100, NULL},                      /* with set and clear */
    {CHIP_VM_GF100, CHIP_VM_GH100, &pmc_gf100, NULL},                           /* switches of PBDMAs */
    {CHIP_VM_NONE, CHIP_VM_NONE, &ptimer_nv1, NULL, "NV1"},                     /* time */
    {CHIP_VM_NONE, CHIP_VM_GH100, &ptimer_nv3, NULL, "NV3-"},                   /* elsewhere */
    {CHIP_VM_NONE, CHIP_VM_NONE, &pram_nv1, &pramht_nv1, "NV1"},                /* layout of RAMIN */
    {CHIP_VM_NONE, CHIP_VM_NONE, NULL, &pramfc_nv1, "NV1"},                     /* views of its areas */
    {CHIP_VM_NONE, CHIP_VM_NONE, NULL, &pramro_nv1, "NV1"},
    {CHIP_VM_NONE, CHIP_VM_NONE, NULL, &pramau_nv1, "NV1"},
    {CHIP_VM_NONE, CHIP_VM_NONE, NULL, &pramunk2_nv1, "NV1"},
    {CHIP_VM_NONE, CHIP_VM_NONE, NULL, &fb_nv1, "NV1"},                          /* VRAM */
    {CHIP_VM_NONE, CHIP_VM_NONE, NULL, &pramin_nv1, "NV1 NV4:G80"},              /* RAMIN */
    {CHIP_VM_NONE, CHIP_VM_NONE, &pfb_nv1, NULL, "NV1"},                         /* size of VRAM */
    {CHIP_VM_NONE, CHIP_VM_NONE, &pfb_nv3, NULL, "NV3:NV10"},                    /* elsewhere */
    {CHIP_VM_NONE, CHIP_VM_NONE, &pfb_nv4, NULL, "NV4:NV10"},                    /* write protection of RAMIN's place */
    {CHIP_VM_NONE, CHIP_VM_NONE, &pfb_nv10, NULL, "NV10:G80"},                   /* as a number */
    {CHIP_VM_NONE, CHIP_VM_NONE, &pfb_protect_nv10, NULL, "NV10:NV40"},          /* not of RAMIN itself */
    {CHIP_VM_NONE, CHIP_VM_NONE, &pfb_gart_nv41, NULL, "NV41:NV44 G70:G72 RSX"}, /* GART with its table in RAMIN */
    {CHIP_VM_NONE, CHIP_VM_NONE, &pfb_gart_nv44, NULL, "NV44 G72:RSX"},          /* in VRAM, packed */
    {CHIP_VM_NONE, CHIP_VM_GP100, &pmc_hide_nv17, NULL, "NV17-"},                /* holes in windows */
    {CHIP_VM_NONE, CHIP_VM_NONE, &pbus_intr_nv4, NULL, "NV4:NV10"},              /* interrupts */
    {CHIP_VM_NONE, CHIP_VM_NONE, &pbus_intr_nv10, NULL, "NV10:NV30"},            /* of GPIO */
    {CHIP_VM_NONE, CHIP_VM_NONE, &pbus_intr_nv30, NULL, "NV30:NV31"},            /* and of PEEPHOLE */
    {CHIP_VM_NONE, CHIP_VM_NONE, &pbus_intr_nv31, NULL, "NV31:NV41"},            /* GPIO elsewhere */
    {CHIP_VM_NONE, CHIP_VM_NONE, &pbus_intr_nv41, NULL, "NV41:NV43"},
    {CHIP_VM_NONE, CHIP_VM_NONE, &pbus_intr_nv43, NULL, "NV43:G80"},
    {CHIP_VM_G80, CHIP_VM_GP100, &pbus_g80, &pramin_g80},               /* window with a base */
    {CHIP_VM_G80, CHIP_VM_G84, &pbus_tesla, NULL},                      /* BARs through DMA objects */
    {CHIP_VM_GF100, CHIP_VM_GP100, &pbus_gf100, NULL},                  /* BARs through instance blocks */
    {CHIP_VM_GK104, CHIP_VM_GP100, &pbus_gm107, NULL, "GM107-"},        /* and say when they are bound */
    {CHIP_VM_G80, CHIP_VM_GP100, &pbus_error_g80, NULL},                /* accesses to nothing */
    {CHIP_VM_G80, CHIP_VM_G84, &pbus_intr_tesla, NULL},                 /* interrupts */
    {CHIP_VM_GF100, CHIP_VM_GP100, &pbus_intr_gf100, NULL},             /* more of them */
    {CHIP_VM_NONE, CHIP_VM_G84, &peephole_control_nv30, NULL, "NV30-"}, /* write port */
    {CHIP_VM_NONE, CHIP_VM_NONE, &peephole_nv30, NULL, "NV30-"},        /* both ports, to VRAM */
    {CHIP_VM_G80, CHIP_VM_G80, &peephole_g80, NULL},                    /* through a space */
    {CHIP_VM_NONE, CHIP_VM_G80, NULL, &peephole_w_data_nv30, "NV30-"},
    {CHIP_VM_NONE, CHIP_VM_G80, NULL, &peephole_rw_data_nv30, "NV30-"},
    {CHIP_VM_G84, CHIP_VM_G84, &peephole_write_g84, &peephole_w_data_g84}, /* elsewhere */
    {CHIP_VM_G84, CHIP_VM_GP100, &peephole_g84, &peephole_rw_data_g84},    /* this one stays */
    {CHIP_VM_GF100, CHIP_VM_GP100, &peephole_high_gf100, NULL},            /* with 40 bits */
    {CHIP_VM_G84, CHIP_VM_GP100, &pflush_g84, NULL},                       /* flush of writes */
    {CHIP_VM_GF100, CHIP_VM_GP100, &pflush_gf100, NULL},                   /* flush of the L2 */
    {CHIP_VM_G80, CHIP_VM_G84, &pfb_g80, NULL},                            /* TLB, VM faults */
    {CHIP_VM_G80, CHIP_VM_G84, &pfb_fault_g80, NULL, "G80:MCP89"},
    {CHIP_VM_G80, CHIP_VM_G84, &pfb_fault_mcp89, NULL, "MCP89"},
    {CHIP_VM_G84, CHIP_VM_G84, &pfb_gt215, NULL, "GT215:GF100"}, /* limit of VRAM */
    {CHIP_VM_G84, CHIP_VM_G84, &pfb_g84, NULL},                  /* offset of the page directory */
    {CHIP_VM_GF100, CHIP_VM_GK104, &pfb_config_gf100, NULL},     /* big pages: board-wide */
    {CHIP_VM_GM200, CHIP_VM_GP100, &pfb_config_gm200, NULL},     /* big pages: per instance block */
    {CHIP_VM_GF100, CHIP_VM_GP100, &pfb_gf100, NULL},            /* TLB */
};

static enum pfifo_status attach_table(struct bus *bus, const struct bus_table *table, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;
    if (table->regs)
        status = bus_attach_table(bus, table->regs, bus, error);
    if (status == PFIFO_OK && table->window)
        status = bus_attach_window(bus, table->window, bus, error);
    return status;
}

/* G80 began anew: what earlier chips have where says nothing of later ones. */
static bool same_age(const struct pfifo_chip *chip, const struct bus_table *table) {
    return chip->vm == CHIP_VM_NONE ? table->first == CHIP_VM_NONE : table->last != CHIP_VM_NONE;
}

static void absent_table(struct bus *bus, const struct bus_table *table) {
    for (size_t i = 0; table->regs && i < table->regs->count; i++)
        absent_add(bus, &table->regs->regs[i], table->regs->unit);
    if (table->window)
        absent_add_window(bus, table->window);
}

static enum pfifo_status attach_tables(struct bus *bus, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_OK;
    struct chip_ranges known = {.count = 0};
    for (size_t i = 0; status == PFIFO_OK && i < sizeof tables / sizeof tables[0]; i++) {
        const struct bus_table *table = &tables[i];
        bool here = bus->chip->vm >= table->first && bus->chip->vm <= table->last;
        if (here && (!table->chips || chip_in_known_range(bus->chip, table->chips, &known)))
            status = attach_table(bus, table, error);
        else if (same_age(bus->chip, table))
            absent_table(bus, table);
    }
    return status;
}

enum pfifo_status bus_init(struct bus *bus, const struct pfifo_chip *chip, struct memory *memory,
                           struct event_hub *events, const struct bus_clock *clock, struct pfifo_error *error) {
    *bus = (struct bus){.chip = chip, .memory = memory, .events = events};
    if (clock)
        bus->clock = *clock;
    if (events)
        events->now = &bus->time;
    bus->rows = malloc(2 * BUS_MAX_REGS * sizeof bus->rows[0]);
    if (!bus->rows)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the register tables");
    bar_init(bus);
    enum pfifo_status status = blocks_init(bus, error);
    if (status == PFIFO_OK)
        status = attach_tables(bus, error);
    if (status == PFIFO_OK)
        status = units_attach(bus, error);
    if (status == PFIFO_OK)
        status = falcon_attach(bus, error);
    if (status == PFIFO_OK && chip->vm == CHIP_VM_NONE)
        status = pfb_attach_tiles(bus, error);
    if (status != PFIFO_OK) {
        bus_free(bus);
        return status;
    }
    pmc_init(bus);
    if (chip->vm != CHIP_VM_NONE)
        pfb_init(bus);
    return PFIFO_OK;
}

void bus_free(struct bus *bus) {
    if (bus->events && bus->events->now == &bus->time)
        bus->events->now = NULL;
    pfb_free_tiles(bus);
    units_free(bus);
    blocks_free(bus);
    free(bus->rows);
    *bus = (struct bus){0};
}

uint64_t bus_now(struct bus *bus) {
    if (bus->clock.now)
        bus->time = bus->clock.now(bus->clock.opaque);
    uint64_t now = bus->time + bus->ptimer_offset;
    ptimer_check_alarm(bus, now);
    return now;
}
