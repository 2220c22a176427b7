/* SPDX-License-Identifier: MIT */
/*
 * A PBDMA in the stream of a saved machine, and what PBDMAs share. Which channel is loaded is in runlist/pfifo_save.c.
 *
 * Derived: packets under way (there are none between runs), the grammar and the routes (from the words and the
 * runlist). METHOD_CRC is settled before it is saved, which changes nothing.
 */
#include "state/state.h"

#include "fifo/pbdma/pbdma.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof((array)[0])))
#define SLICE_MOST   (INT64_C(1) << 60)

/* A field that is added belongs below, or among what is derived. */
_Static_assert(sizeof(void *) != 8 || (sizeof(struct pbdma) == 1120 && sizeof(struct pbdma_shared) == 10568),
               "every field of a PBDMA is saved or derived");

void pbdma_shared_state(struct pbdma_shared *shared, const struct pfifo_chip *chip, struct state_io *io) {
    state_words(io, shared->syncpoints, chip->syncpoints, "syncpoints");
    state_words(io, shared->syncpoint_bases, COUNT(shared->syncpoint_bases), "syncpoint bases");
}

static void pbdma_state_page(struct pbdma *pbdma, struct state_io *io) {
    state_words(io, pbdma->regs, PBDMA_WORDS, "words of a PBDMA");
    state_u32(io, &pbdma->intr_0);
    state_u32(io, &pbdma->intr_en_0);
    state_u32(io, &pbdma->intr_1);
    state_u32(io, &pbdma->intr_en_1);
    state_u32(io, &pbdma->stall_0);
    state_u32(io, &pbdma->stall_1);
    state_words(io, pbdma->gp_shadow, COUNT(pbdma->gp_shadow), "GP_SHADOW");
    state_u32(io, &pbdma->hdr_shadow);
    state_u32(io, &pbdma->timeout);
    state_words(io, pbdma->hce_debug, COUNT(pbdma->hce_debug), "HCE_DBG");
    state_words(io, pbdma->unknown, COUNT(pbdma->unknown), "registers");
    state_words(io, pbdma->hce_state, PBDMA_HCE_WORDS, "HCE_STATE");
}

static void pbdma_state_units(struct state_io *io, int64_t *units) {
    uint64_t value = (uint64_t)*units;
    state_u64(io, &value);
    *units = (int64_t)value;
    if (*units > SLICE_MOST || *units < -SLICE_MOST) {
        state_fail(io, PFIFO_ERROR_FORMAT, "a timeslice of %lld units", (long long)*units);
        *units = 0;
    }
}

void pbdma_state(struct pbdma *pbdma, struct state_io *io) {
    pbdma_state_page(pbdma, io);
    pbdma_state_units(io, &pbdma->slice.left);
    pbdma_state_units(io, &pbdma->slice.whole);
    pbdma_state_units(io, &pbdma->slice.yields_at);
    if (io->loading)
        pbdma->crc_queue.count = 0;
}
