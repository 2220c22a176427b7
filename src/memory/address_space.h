/* SPDX-License-Identifier: MIT */
/*
 * Address spaces: all spaces that a GPU address can be relative to, behind one call.
 *
 * An address_space is a small value that says how to find the translation (which object, which page
 * directory); it holds no translation itself, so a copy never goes stale when tables change.
 */
#ifndef PFIFO_SRC_MEMORY_ADDRESS_SPACE_H
#define PFIFO_SRC_MEMORY_ADDRESS_SPACE_H

#include "chip/chip.h"

struct memory;

/* The memory that a physical address selects. Coherent and non-coherent system memory are the same bytes here. */
enum memory_target { MEMORY_VRAM, MEMORY_SYSTEM, MEMORY_PEER };

enum memory_access { MEMORY_READ, MEMORY_WRITE };

/* Why a translation failed. fault_code() gives the number the hardware of a chip reports for it. */
enum fault_reason {
    FAULT_NONE,
    FAULT_PDE,          /* no page table (Tesla PT_NOT_PRESENT, Fermi PDE) */
    FAULT_PDE_SIZE,     /* beyond the end of a page table (PT_TOO_SHORT, PDE_SIZE) */
    FAULT_PTE,          /* page not present */
    FAULT_VA_LIMIT,     /* beyond the limit of the space (VM_LIMIT, VA_LIMIT) */
    FAULT_UNBOUND,      /* no channel or instance block (NO_CHANNEL, UNBOUND_INST_BLOCK) */
    FAULT_PRIVILEGE,    /* supervisor page */
    FAULT_READ_ONLY,    /* write to a read-only page or object */
    FAULT_WRITE_ONLY,   /* read of a write-only page or object */
    FAULT_NULL_OBJECT,  /* DMA object 0 or not present */
    FAULT_OBJECT_LIMIT, /* beyond the limit of a DMA object */
    FAULT_APERTURE,     /* target that does not exist */
    FAULT_BOTH_PTES,    /* big and small page both valid */
    FAULT_VRAM_LIMIT,   /* GT215:GF100: beyond the limit in a register */
    FAULT_KIND,         /* storage type that does not exist (WRONG_MEMTYPE, UNSUPPORTED_KIND) */
    FAULT_COMPRESSION,  /* compressed page in system memory (COMPRESSED_SYSRAM, COMPRESSION_FAILURE) */
    FAULT_REASONS,
};

struct fault {
    enum fault_reason reason;
    uint64_t address; /* in the address space of the access */
    bool write;
};

/* The translation of one page (or larger contiguous piece). */
struct mapping {
    enum memory_target target;
    uint64_t physical; /* of the translated address */
    uint64_t bytes;    /* contiguous from there on, at least 1 */
    uint64_t before;   /* contiguous before it: the page starts at address - before */
    bool writable;
    bool readable;
    bool privileged; /* supervisor page */
    bool sparse;     /* reads give 0, writes are dropped; no physical address */
    uint8_t kind;    /* storage type, as data */
};

struct address_space;

struct address_space_ops {
    const char *name;
    /*
     * Translate one address, to which space->offset has been added and which is within space->limit. False with
     * fault->reason set; must not check access rights (they are in the mapping).
     */
    bool (*translate)(struct memory *memory, const struct address_space *space, uint64_t address,
                      struct mapping *mapping, struct fault *fault);
    bool cached;     /* translations may be kept in the TLB until a flush */
    bool vram_limit; /* VRAM beyond memory.mmu.vram_limit faults */
};

struct address_space {
    const struct address_space_ops *ops;
    enum memory_target target; /* of base */
    uint64_t base;             /* page directory, or base of a linear object, or page table of a paged one */
    uint64_t limit;            /* last valid address, inclusive, before offset is added */
    uint64_t offset;           /* added to an address before translation (adjust of a DMA object, its base in a VM) */
    uint32_t flags;            /* ADDRESS_SPACE_* */
};

/* Are they the same space? Field by field, since padding has no defined value. */
static inline bool address_space_is(const struct address_space *a, const struct address_space *b) {
    return a->ops == b->ops && a->target == b->target && a->base == b->base && a->limit == b->limit &&
           a->offset == b->offset && a->flags == b->flags;
}

#define ADDRESS_SPACE_BIG_64K    0x1u /* GF100..GM200: big pages are 64 KiB instead of 128 KiB */
#define ADDRESS_SPACE_SUPERVISOR 0x2u /* accesses are privileged */
#define ADDRESS_SPACE_READ_ONLY  0x4u /* writes fault */
#define ADDRESS_SPACE_WRITE_ONLY 0x8u /* reads fault */
/* Where a DMA object overrides the page tables (set by dma_object_g80). */
#define ADDRESS_SPACE_READ_WRITE      0x10u  /* the read-only flag of pages is ignored */
#define ADDRESS_SPACE_ANY_PRIVILEGE   0x20u  /* the supervisor flag of pages is ignored */
#define ADDRESS_SPACE_SUPERVISOR_ONLY 0x40u  /* faults unless the access is privileged */
#define ADDRESS_SPACE_OBJECT          0x80u  /* limit is that of a DMA object: FAULT_OBJECT_LIMIT, not FAULT_VA_LIMIT */
#define ADDRESS_SPACE_GART            0x100u /* addresses of the DMA object go through the GART while it is on */
#define ADDRESS_SPACE_OBJECT_KIND     0x200u /* the storage type of the DMA object replaces that of the page */

/* Physical memory, address = bus or VRAM address. No limit: addresses beyond the end are a hole, not a fault. */
struct address_space address_space_physical(enum memory_target target);

/* The fields of a DMA object besides its address space. */
struct dma_object {
    struct address_space space;
    uint32_t class; /* 0x002 read, 0x003 write, 0x03d both, 0x030 null */
    uint32_t word0; /* as stored: flags, access, target */
    bool linear;    /* NV1 .. NV4x: not paged */
    bool present;   /* NV1 .. NV4x: page table or base present */
};

/*
 * NV4..NV4x DMA object at RAMIN address `instance` (bytes). Always succeeds; an invalid object faults when it is used.
 * The access bits of word 0 (15:14) are left to the caller: the hardware itself reads and writes through objects that
 * say "write only" (semaphores).
 */
void dma_object_nv4(struct memory *memory, uint32_t instance, struct dma_object *object);
/* Its space as an engine uses it: access bits 1 make it read only, 2 write only. */
struct address_space dma_object_nv4_engine_space(const struct dma_object *object);
/* As dma_object_nv4(), from words that a unit read earlier; `table`: RAMIN address of the entries of a paged one. */
void dma_object_nv4_words(const uint32_t word[3], uint32_t table, struct dma_object *object);

/* NV1 and NV3. No access rights are known besides the flags of pages. */
void dma_object_nv3(struct memory *memory, uint32_t instance, struct dma_object *object);

/*
 * G80..MCP89 DMA object at physical `address` (descriptor + (selector << 4)) of the channel whose VM is `vm`. The
 * caller handles selector 0 (FAULT_NULL_OBJECT).
 */
void dma_object_g80(struct memory *memory, enum memory_target target, uint64_t address, const struct address_space *vm,
                    struct dma_object *object);

/* A space in which every access faults with `reason`. */
struct address_space address_space_fault(enum fault_reason reason);

/*
 * Virtual space of a channel. `instance`: physical address of the channel descriptor (G80, G84: the page directory
 * is embedded) or of the instance block (GF100-: page directory base at 0x200, limit at 0x208, flags of 0x200
 * select VER2 tables and the big page size where the chip has it).
 */
struct address_space address_space_vm(struct memory *memory, enum memory_target target, uint64_t instance);

/*
 * Where observers are told that an address is. Spaces: MEMORY_PLACE_VIRTUAL, or where a DMA object leads that has no
 * page directory: 1 + its memory_target, or the RAMIN address of its page table.
 */
#define MEMORY_PLACE_VIRTUAL 0u
struct memory_place {
    uint64_t space, address;
};
struct memory_place memory_place_of(const struct address_space *space, uint64_t address);

/*
 * Number and name that this chip's hardware uses for a fault reason ("PAGE_NOT_PRESENT", "PTE" ...). Before G80 there
 * is no number (0) and the name is the model's own.
 */
uint32_t fault_code(const struct pfifo_chip *chip, enum fault_reason reason);
const char *fault_name(const struct pfifo_chip *chip, enum fault_reason reason);

#endif
