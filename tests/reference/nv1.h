/* SPDX-License-Identifier: MIT */
/*
 * A reference for PFIFO of NV1, NV3 and NV3T: what the documents say, one access and one entry at a time.
 *
 *   USER write --PIO pusher--> CACHE1 --puller--> engine (the caller's)
 *        `------rejected-----> RAMRO              ^
 *   system memory --NV3 DMA--> CACHE1    CACHE0 --'   (filled by register writes)
 *
 * It is written to be read beside the documents, and shares nothing with the library: neither code nor headers nor
 * tables.
 *
 * Modelled:     all registers of the block with their masks; CACHE0, CACHE1 and their pullers; RAMRO, RAMFC, RAMHT in
 *               VRAM; NV1's PRAM registers and windows; passwords; the free count and the lie; NV3's kernel-launched
 *               DMA; interrupts; what PMC.ENABLE forces.
 * Not modelled: DEVICE (0x2800); PGRAPH's access bit and channel; double-buffered RAMIN of NV1.
 * Sources:      envytools hwtest/pfifo.cc (compared with silicon), hwtest/pgraph_mthd.cc, rnndb/fifo/nv1_pfifo.xml,
 *               rnndb/memory/nv1_pram.xml, docs/hw/fifo/{nv1-pfifo,puller,intro}.rst, docs/hw/memory/nv1-vram.rst.
 *
 * Order of work: CACHE0's puller executes an entry, else CACHE1's puller, else the DMA fetches a word: 1 unit of the
 * budget each. If none can, the run stops.
 */
#ifndef PFIFO_TESTS_REFERENCE_NV1_H
#define PFIFO_TESTS_REFERENCE_NV1_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the caller provides. */
struct nv1ref_config {
    const char *chip; /* "NV1", "NV3", "NV3T" */
    uint8_t *vram, *system;
    uint32_t vram_bytes, system_bytes;
    /* The engine gets an object; gets a method (false: it does not take it now). */
    void (*bind)(void *opaque, uint32_t channel, unsigned subchannel, uint32_t object_class, uint32_t instance);
    bool (*method)(void *opaque, uint32_t channel, unsigned subchannel, uint32_t method, uint32_t data);
    void *opaque;
};

enum nv1ref_stop {
    NV1REF_IDLE,      /* nothing left to do */
    NV1REF_BUDGET,    /* the budget is used up, and there is more */
    NV1REF_WAITING,   /* the engine takes nothing */
    NV1REF_INTERRUPT, /* a puller or the DMA stopped with an error */
    NV1REF_FROZEN,    /* something is switched off */
};

struct nv1ref_chip;

struct nv1ref {
    struct nv1ref_config config;
    const struct nv1ref_chip *chip;
    uint32_t reg[0x2000 / 4]; /* BAR0 0x2000 .. 0x3fff, as stored */
    uint32_t pmc_enable;
    uint32_t pram_config, hash_physical; /* NV1 */
    bool ranout;                         /* the latch of CACHE1 */
    uint32_t last_subchannel;            /* NV3: hidden; NV1 has it in PULL1 */
};

/* Power-on state. False: no such chip. */
bool nv1ref_init(struct nv1ref *r, const struct nv1ref_config *config);

/* BAR0: registers, NV1's windows into RAMIN, USER. 1, 2 or 4 bytes at any address. */
uint32_t nv1ref_read(struct nv1ref *r, uint32_t address, unsigned bytes);
void nv1ref_write(struct nv1ref *r, uint32_t address, unsigned bytes, uint32_t value);

enum nv1ref_stop nv1ref_run(struct nv1ref *r, uint64_t budget);

/* State of the interrupt line into PMC. */
bool nv1ref_interrupt(const struct nv1ref *r);

/* The rows of registers: the i-th, in the order of the documents. False: there are no more. */
struct nv1ref_row {
    uint32_t offset, count, stride;
    uint32_t readable, writable; /* bits of storage */
};
bool nv1ref_row(const struct nv1ref *r, size_t i, struct nv1ref_row *row);

/* For those who set a scene: where things are in VRAM. */
uint32_t nv1ref_ramin(const struct nv1ref *r, uint32_t address); /* VRAM address of a RAMIN address */
uint32_t nv1ref_ramht_row(const struct nv1ref *r, uint32_t handle, uint32_t channel, uint32_t *columns); /* RAMIN */
uint32_t nv1ref_ramfc(const struct nv1ref *r, uint32_t channel);
uint32_t nv1ref_ramro(const struct nv1ref *r, uint32_t *bytes);

/* Gray code of CACHE1's pointers. */
uint32_t nv1ref_next(const struct nv1ref *r, uint32_t pointer);
uint32_t nv1ref_linear(const struct nv1ref *r, uint32_t pointer);

#endif
