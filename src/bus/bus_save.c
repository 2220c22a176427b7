/* SPDX-License-Identifier: MIT */
/*
 * The bus in the stream of a saved machine: "BUS ", and "BLKS" for registers without rows.
 *
 * With the embedder's clock, the time after a load is that of the clock; PTIMER continues with the saved offset. Not
 * saved: BOOT_0, the sizes of the BARs and the rows of PFB's regions (given by the chip), the counts of units (given by
 * the chip and the size of VRAM), the position of USERD in BAR1 (derived from a register of PFIFO), the receiver of the
 * interrupt line.
 */
#include "bus/bars.h"
#include "bus/blocks.h"
#include "bus/bus.h"
#include "bus/gpcpll.h"
#include "bus/pbus.h"
#include "bus/peephole.h"
#include "bus/pfb.h"
#include "bus/pfb_tiling.h"
#include "bus/pmc.h"
#include "bus/ports.h"
#include "bus/pram.h"
#include "bus/ptimer.h"
#include "bus/units.h"
#include "state/state.h"

/* Add a new field to the function of its block below, or to the comment above. */
#define SAVED(block, bytes)                                                                                            \
    _Static_assert(sizeof(void *) != 8 || sizeof(struct block) == (bytes),                                             \
                   "every field of struct " #block " is saved or derived")
SAVED(pmc, 72);
SAVED(ptimer, 48);
SAVED(pbus, 32);
SAVED(bars, 112);
SAVED(ports, 40);
SAVED(peephole, 32);
SAVED(pram, 16);
SAVED(pfb, 112);
SAVED(pfb_tiling, 312);
SAVED(gpcpll, 24);
SAVED(unit_setup, 20);
SAVED(bus, 1512);

static void state_pmc(struct bus *bus, struct state_io *io) {
    struct pmc *pmc = bus->pmc;
    state_bool(io, &bus->big_endian);
    state_bool(io, &bus->line);
    state_words(io, pmc->intr, 2, "INTR");
    state_words(io, pmc->intr_en, PMC_DESTINATIONS, "INTR_EN");
    state_words(io, pmc->intr_mask, PMC_DESTINATIONS, "INTR_MASK");
    state_u32(io, &pmc->enable);
    pmc->enable_told = pmc->enable;
    state_u32(io, &pmc->enable_pbdmas);
    state_words(io, pmc->enable_unknown, 2, "ENABLE_UNKNOWN");
}

static void state_ptimer(struct bus *bus, struct state_io *io) {
    struct ptimer *ptimer = bus->ptimer;
    state_u64(io, &bus->time);
    state_u32(io, &ptimer->intr);
    state_u32(io, &ptimer->intr_en);
    state_u32(io, &ptimer->numerator);
    state_u32(io, &ptimer->denominator);
    state_u32(io, &ptimer->alarm);
    state_u64(io, &ptimer->offset);
    state_u64(io, &ptimer->checked);
}

static void state_pbus(struct pbus *pbus, struct state_io *io) {
    state_u32(io, &pbus->intr);
    state_u32(io, &pbus->intr_en);
    state_u32(io, &pbus->timeout);
    state_u32(io, &pbus->error_address);
    state_u32(io, &pbus->error_data);
    state_u32(io, &pbus->error_code);
}

static void state_bars(struct bars *bars, struct state_io *io) {
    state_u32(io, &bars->pramin_base);
    state_u32(io, &bars->bar1_block);
    state_u32(io, &bars->bar3_block);
    state_u32(io, &bars->peephole_block);
    state_u32(io, &bars->bar_select);
    state_u32(io, &bars->bar_channel);
    state_u32(io, &bars->peephole_channel);
    state_words(io, bars->unknown_1900, 8, "UNKNOWN_1900");
    state_words(io, bars->bus->pmc->vram_hide, 2, "VRAM_HIDE");
}

static void state_peephole(struct peephole *peephole, struct state_io *io) {
    state_u32(io, &peephole->w_ctrl);
    state_u32(io, &peephole->w_addr);
    state_u32(io, &peephole->w_data);
    state_u32(io, &peephole->rw_addr);
    state_u32(io, &peephole->rw_addr_high);
}

static void state_gart(struct pfb_gart *gart, struct state_io *io) {
    state_u32(io, &gart->control);
    state_u32(io, &gart->table);
    state_u32(io, &gart->bytes);
    state_u32(io, &gart->flush);
    state_u32(io, &gart->flush_last);
    state_u32(io, &gart->dummy);
    state_u32(io, &gart->unknown_820);
    state_u32(io, &gart->unknown_82c);
    state_u32(io, &gart->unknown_850);
}

static void state_pfb(struct pfb *pfb, struct state_io *io) {
    state_u32(io, &pfb->protect);
    state_gart(&pfb->gart, io);
    state_u32(io, &pfb->flush);
    state_u32(io, &pfb->config);
    state_u32(io, &pfb->flush_page);
    state_u32(io, &pfb->flush_space);
    state_u32(io, &pfb->scratch);
    state_u32(io, &pfb->directory);
    state_u32(io, &pfb->vram_limit);
    state_u32(io, &pfb->system_high);
    state_u32(io, &pfb->fault_control);
    state_u32(io, &pfb->fault_pending);
    state_words(io, pfb->fault_data, 6, "VM_FAULT_DATA");
}

static void state_tiling(struct pfb_tiling *tiling, struct state_io *io) {
    state_u32(io, &tiling->cfg0);
    state_u32(io, &tiling->cfg1);
    state_u32(io, &tiling->comp_offset);
    state_words(io, tiling->base, PFB_TILES, "TILE_BASE");
    state_words(io, tiling->limit, PFB_TILES, "TILE_LIMIT");
    state_words(io, tiling->pitch, PFB_TILES, "TILE_PITCH");
    state_words(io, tiling->comp_region, PFB_TILES, "COMP_REGION");
}

static void state_unit_setup(struct unit_setup *set, struct state_io *io) {
    state_u32(io, &set->cfg0);
    state_u32(io, &set->cfg1);
    state_u32(io, &set->banks);
    state_u32(io, &set->ram_type);
    state_u32(io, &set->devinit);
}

static void state_gpcpll(struct gpcpll *gpcpll, struct state_io *io) {
    state_u32(io, &gpcpll->cfg);
    state_u32(io, &gpcpll->coeff);
    state_u32(io, &gpcpll->dvfs1);
    state_u32(io, &gpcpll->slowdown);
}

void bus_state(struct bus *bus, struct state_io *io) {
    if (state_begin(io, "BUS ", 2)) {
        state_pmc(bus, io);
        state_ptimer(bus, io);
        state_pbus(bus->pbus, io);
        state_bars(bus->bars, io);
        state_words(io, bus->ports->word, PORTS_COUNT, "ports of BAR 5");
        state_peephole(bus->peephole, io);
        state_u32(io, &bus->pram->config);
        state_pfb(bus->pfb, io);
        state_tiling(bus->tiling, io);
        state_unit_setup(&bus->units->set, io);
        state_gpcpll(bus->gpcpll, io);
    }
    state_end(io);
    blocks_state(bus, io);
    if (io->loading)
        bus->chip->pfb->apply(bus);
}
