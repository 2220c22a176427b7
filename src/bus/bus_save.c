/* SPDX-License-Identifier: MIT */
/*
 * The bus in the stream of a saved machine: "BUS ", and "BLKS" for registers without rows.
 *
 * With the embedder's clock, time is what that clock says after a load; PTIMER goes on with the offset that was saved.
 * Not saved: BOOT_0, the software interrupt, the sizes of the BARs and the rows of PFB's regions (the chip has them),
 * the counts of units (the chip and the size of VRAM say them), the place of USERD in BAR1 (derived from a register of
 * PFIFO), whom the interrupt line is shown to.
 */
#include "bus/tables.h"
#include "state/state.h"

/* A field that is added belongs below, or into the comment above. */
_Static_assert(sizeof(void *) != 8 || sizeof(struct bus) == 4064, "every field of struct bus is saved or derived");

static void state_pmc(struct bus *bus, struct state_io *io) {
    state_bool(io, &bus->big_endian);
    state_u32(io, &bus->intr_host);
    state_u32(io, &bus->intr_en_host);
    state_u32(io, &bus->enable);
    bus->enable_told = bus->enable;
    state_u32(io, &bus->enable_1);
    state_words(io, bus->intr_mask, 2, "INTR_MASK");
    state_u32(io, &bus->intr_en_nonstall);
    state_u32(io, &bus->intr_nrhost);
    state_u32(io, &bus->intr_en_daemon);
    state_u32(io, &bus->intr_mask_daemon);
    state_bool(io, &bus->line);
}

static void state_ptimer(struct bus *bus, struct state_io *io) {
    state_u64(io, &bus->time);
    state_u32(io, &bus->ptimer_intr);
    state_u32(io, &bus->ptimer_intr_en);
    state_u32(io, &bus->ptimer_numerator);
    state_u32(io, &bus->ptimer_denominator);
    state_u32(io, &bus->ptimer_alarm);
    state_u64(io, &bus->ptimer_offset);
    state_u64(io, &bus->ptimer_checked);
}

static void state_windows(struct bus *bus, struct state_io *io) {
    state_u32(io, &bus->pram_config);
    state_u32(io, &bus->pramin_base);
    state_u32(io, &bus->bar1_block);
    state_u32(io, &bus->bar3_block);
    state_u32(io, &bus->bar_channel);
    state_u32(io, &bus->bar_select);
    state_u32(io, &bus->peephole_channel);
    state_u32(io, &bus->peephole_block);
    state_words(io, bus->peephole, sizeof bus->peephole / sizeof bus->peephole[0], "PEEPHOLE");
    state_words(io, bus->enable_unknown, 2, "ENABLE_UNKNOWN");
    state_words(io, bus->vram_hide, 2, "VRAM_HIDE");
    state_words(io, bus->ports, sizeof bus->ports / sizeof bus->ports[0], "PORTS");
    state_words(io, bus->pbus, sizeof bus->pbus / sizeof bus->pbus[0], "PBUS");
    state_words(io, bus->pbus_unknown, sizeof bus->pbus_unknown / sizeof bus->pbus_unknown[0], "PBUS_1900");
    state_u32(io, &bus->bar_flush);
    state_words(io, bus->pfb, sizeof bus->pfb / sizeof bus->pfb[0], "PFB");
    state_words(io, bus->units_set, UNITS_SLOTS, "UNITS");
    state_words(io, bus->pfb_tile, sizeof bus->pfb_tile / sizeof bus->pfb_tile[0], "PFB_TILE");
}

void bus_state(struct bus *bus, struct state_io *io) {
    if (state_begin(io, "BUS ", 1)) {
        state_pmc(bus, io);
        state_ptimer(bus, io);
        state_windows(bus, io);
    }
    state_end(io);
    blocks_state(bus, io);
    if (io->loading)
        (bus->chip->vm == CHIP_VM_NONE ? pfb_apply_nv1 : pfb_apply_g80)(bus);
}
