/* SPDX-License-Identifier: MIT */
/*
 * Memory as the GPU sees it, in spans.
 *
 *   (address space, address, length, access) --memory_span--> host pointer and contiguous length, or a fault
 *
 *   address space: physical VRAM | physical system memory | NV4 DMA object | G80 DMA object |
 *                  Tesla VM | Fermi..Maxwell VM | Pascal VM | Hopper VM    (address_space.h)
 *
 * Memory is not read word by word: a reader asks once for a span and then walks the host pointer.
 *
 * Modelled:     sparse VRAM of any size; its tiled regions (NV10..NV4x); RAMIN as the reversed end of VRAM; system
 *               memory (own, or the embedder's through callbacks); all translations above; a TLB that is flushed where
 *               the hardware's is; holes beyond the end of VRAM (read 0, writes dropped); the VRAM limit of GT215 (a
 *               fault); write protection of RAMIN's part of VRAM; the PCIe GART of NV41.
 * Not modelled: caches, write posting, compression, encryption, storage types (kept as data; one that does not exist
 *               faults), peer GPUs (read 0), NV1 double buffering of RAMIN.
 * Sources:      envytools docs/hw/memory/g80-vm.rst, rnndb/memory; open-gpu-doc dev_mmu manuals.
 */
#ifndef PFIFO_SRC_MEMORY_MEMORY_H
#define PFIFO_SRC_MEMORY_MEMORY_H

#include <string.h>

#include "chip/chip.h"
#include "event/event.h"
#include "memory/address_space.h"
#include "memory/backing.h"
#include "memory/little_endian.h"
#include "memory/tiling.h"

/*
 * A contiguous piece of memory in the host. `bytes` is at least 1 after success. A span asked for reading must not be
 * written (it may be the page of zeros); the contents of a span for writing are undefined where memory is a hole.
 */
struct span {
    uint8_t *data;
    uint64_t bytes;
};

/* The embedder's system memory, instead of the model's own. */
struct memory_host {
    /* Host pointer for bus address `address`; sets *bytes to the contiguous bytes there (at most the bytes asked for).
     * NULL: no memory. */
    void *(*map)(void *opaque, uint64_t address, uint64_t *bytes, bool write);
    void *opaque;
};

struct memory_config {
    const struct pfifo_chip *chip;
    uint64_t vram_bytes;              /* ignored for chips without VRAM: there, MEMORY_VRAM is system memory */
    uint64_t system_bytes;            /* own system memory, from bus address 0 up; 0: none */
    struct memory_host host;          /* map == NULL: own system memory */
    struct pfifo_memory vram, system; /* what these consist of on the host */
    struct event_hub *events;
};

#define MEMORY_CHUNK       UINT64_C(4096)
#define MEMORY_TLB_ENTRIES 64 /* the first half for pages below 64 KiB, the other for larger ones */

/* Big pages of a GF100..GM200 VM: the chip's default, or forced by register 0x100c80 (board-wide). */
enum memory_big_page { MEMORY_BIG_PAGE_DEFAULT, MEMORY_BIG_PAGE_128K, MEMORY_BIG_PAGE_64K };

struct memory {
    struct memory_config config;
    uint8_t *vram;
    uint8_t *system;
    uint64_t vram_write_end; /* writes to VRAM from here up are dropped; VRAM's size: none are */
    bool ramin_protected;    /* also for accesses through RAMIN (NV4:NV10) */
    bool tlb_held;           /* what is translated is not kept: memory_tlb_hold() */
    /* A bit per MEMORY_CHUNK of own memory of which a part was ever handed out for writing; other chunks are zero. */
    uint64_t *vram_used;
    uint64_t *system_used;
    struct memory_backing vram_backing, system_backing;
    struct tlb_entry {
        struct address_space space; /* space.ops == NULL: empty */
        uint64_t page;              /* address (offset added) of the mapping's start */
        struct mapping mapping;
    } tlb[MEMORY_TLB_ENTRIES];
    uint8_t *hole; /* pages that read as zero, followed by pages that take dropped writes */
    /* Page table settings of the MMU's registers; the bus unit writes these. */
    struct memory_mmu {
        uint32_t directory_offset; /* G80, G84: of the page directory in the channel descriptor (G84: 0x100c9c) */
        enum memory_big_page big_page;
        uint64_t vram_limit;  /* GT215:GF100: what is translated must be below it (0x100e1c) */
        uint64_t system_high; /* G80:GF100: bits 63:40 of all addresses of system memory (0x100f04) */
        struct memory_gart {
            bool enabled;
            uint32_t table; /* RAMIN address; VRAM address where the chip has_packed_gart */
            uint32_t bytes; /* of the space, dummy: bus address of the dummy pages; both has_packed_gart only */
            uint32_t dummy;
        } gart;
    } mmu;
    /*
     * A watched range of host memory: before a span for writing that overlaps it is handed out,
     * `hit` is called (once per span). The pusher watches what it may have prefetched.
     */
    struct memory_watch {
        const uint8_t *begin, *end;
        void (*hit)(void *opaque, const uint8_t *begin, const uint8_t *end); /* what is about to be written */
        void *opaque;
    } watch;
    /*
     * Is told of each span for writing that is handed out, before anything is written. NULL: nobody is. Not where
     * threads are lent.
     */
    struct memory_guard {
        void (*writes)(void *opaque, enum memory_target target, uint64_t address, uint64_t bytes);
        void *opaque;
    } guard;
    struct memory_tiling tiling; /* derived from registers of PFB */
    uint8_t *tiling_scratch;     /* TILE_PIECE_MOST bytes, on chips with regions; NULL: there are none */
};

/* Set up and tear down (also of a zeroed struct). Errors: PFIFO_ERROR_MEMORY, _ARGUMENT (memory that is supplied). */
enum pfifo_status memory_init(struct memory *memory, const struct memory_config *config, struct pfifo_error *error);
void memory_free(struct memory *memory);

/*
 * The longest contiguous span from `address` on, at most `bytes` (which must not be 0) long.
 * On a fault returns false and fills in `fault` (NULL is allowed; its address is the first byte that
 * faulted, which is `address`); sends memory.fault.
 */
bool memory_span(struct memory *memory, const struct address_space *space, uint64_t address, uint64_t bytes,
                 enum memory_access access, struct span *span, struct fault *fault);

/* The same for callers that have an alternative: a fault is neither raised nor reported. */
bool memory_try_span(struct memory *memory, const struct address_space *space, uint64_t address, uint64_t bytes,
                     enum memory_access access, struct span *span);

/* Read without side effects: no TLB entry is made, no fault raised, no event sent. False: it would fault. */
bool memory_peek(struct memory *memory, const struct address_space *space, uint64_t address, void *data,
                 uint64_t bytes);

/*
 * The physical memory that an address leads to, as the guard is told of it, and how many bytes follow there in one
 * piece, at most `bytes`. Without side effects. 0: it would fault, or there is no such memory.
 */
uint64_t memory_extent(struct memory *memory, const struct address_space *space, uint64_t address, uint64_t bytes,
                       enum memory_target *target, uint64_t *physical);

/* May all of it be written? Writes nothing and triggers no watch; false as memory_write() would be. */
bool memory_writable(struct memory *memory, const struct address_space *space, uint64_t address, uint64_t bytes,
                     struct fault *fault);

/* Copy out of or into an address space, span by span. False on a fault: bytes before it were copied. */
bool memory_read(struct memory *memory, const struct address_space *space, uint64_t address, void *data, uint64_t bytes,
                 struct fault *fault);
bool memory_write(struct memory *memory, const struct address_space *space, uint64_t address, const void *data,
                  uint64_t bytes, struct fault *fault);

/* One little-endian word. */
bool memory_rd32(struct memory *memory, const struct address_space *space, uint64_t address, uint32_t *value,
                 struct fault *fault);
bool memory_wr32(struct memory *memory, const struct address_space *space, uint64_t address, uint32_t value,
                 struct fault *fault);

/*
 * Physical memory without faults: beyond the end reads give 0 and writes are dropped.
 * For page tables, instance memory, RAMHT, RAMFC: always little-endian.
 */
uint32_t memory_physical_rd32(struct memory *memory, enum memory_target target, uint64_t address);
uint64_t memory_physical_rd64(struct memory *memory, enum memory_target target, uint64_t address);
void memory_physical_wr32(struct memory *memory, enum memory_target target, uint64_t address, uint32_t value);
void memory_physical_write(struct memory *memory, enum memory_target target, uint64_t address, const void *data,
                           uint64_t bytes);

/*
 * Make physical memory zero, protected or not, without translation or faults. Parts that were never written cost
 * nothing.
 */
void memory_clear(struct memory *memory, enum memory_target target, uint64_t address, uint64_t bytes);

/*
 * Own memory: MEMORY_VRAM, of 0 bytes for chips without VRAM, or MEMORY_SYSTEM, of 0 bytes if the embedder maps system
 * memory.
 */
struct memory_own memory_own(struct memory *memory, enum memory_target target);

/* RAMIN address -> VRAM address on chips whose RAMIN is the reversed end of VRAM (NV1 .. NV4x). */
uint64_t memory_ramin_to_vram(const struct memory *memory, uint32_t ramin_address);
uint32_t memory_ramin_rd32(struct memory *memory, uint32_t ramin_address);
void memory_ramin_wr32(struct memory *memory, uint32_t ramin_address, uint32_t value);

/*
 * Drop writes to VRAM at `from` and above. `ramin_too`: also through RAMIN addresses. memory_unprotect(): all writes
 * take effect until its result is passed to memory_protect_again().
 */
void memory_protect(struct memory *memory, uint64_t from, bool ramin_too);
uint64_t memory_unprotect(struct memory *memory);
void memory_protect_again(struct memory *memory, uint64_t before);

/* Is a span's memory a hole, where all writes go to the same place? */
bool memory_is_hole(const struct memory *memory, const uint8_t *data);

/* Forget all cached translations (a write to the chip's TLB flush register, a channel load ...). */
void memory_tlb_flush(struct memory *memory);

/*
 * From now on the TLB is used, but keeps nothing more; false: it keeps again. For accesses whose order is not that of
 * the commands (threads that draw), so that what the TLB holds afterwards does not depend on it. Returns what was.
 */
bool memory_tlb_hold(struct memory *memory, bool held);

/* Save or load everything but the embedder's memory. Loading forgets what was there before. */
struct state_io;
void memory_state(struct memory *memory, struct state_io *io);

/* An address space as part of another unit's section. With `needed`, it must have been opened. */
void memory_state_space(const struct memory *memory, struct state_io *io, struct address_space *space, bool needed);

#endif
