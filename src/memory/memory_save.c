/* SPDX-License-Identifier: MIT */
/*
 * Memory in the stream of a saved machine.
 *
 *   "MMU " what registers say about page tables, and the TLB: a stale translation stays until it is flushed
 *   "VRAM", "SYSM", any number of each: pages of 4 KiB that are not all zero, in order: number, contents
 *
 * Only chunks that were ever handed out for writing are searched, so untouched pages cost nothing, neither here nor on
 * the host. If others can write the memory, all of it is searched, except holes of its file. The embedder saves its own
 * system memory. Protection, GART, the limit of VRAM, the high bits of system memory and tiled regions are derived from
 * registers of PFB, which the bus saves; VRAM is saved as clients see it through its regions.
 */
#include <assert.h>

#include "memory/memory.h"
#include "memory/reset.h"
#include "memory/translate.h"
#include "state/state.h"

#define PAGE_BYTES        4096u
#define PAGES_PER_SECTION 256u /* of 4 KiB: a section of memory has a megabyte */
#define MAPPING_MOST      (UINT64_C(1) << 40)
#define SPACE_FLAGS       0x3ffu

/* Add a new field below. */
_Static_assert(sizeof(void *) != 8 || (sizeof(struct address_space) == 48 && sizeof(struct mapping) == 40 &&
                                       sizeof(struct memory_mmu) == 40 && sizeof(struct memory) == 7720),
               "every field of memory is saved or derived");

/* ---- address spaces ---- */

#define ANY         UINT32_MAX
#define HAS(format) (UINT32_C(1) << CHIP_VM_##format)

/* Types of spaces by number, and the page table formats that have them; never renumber. */
static const struct space_kind {
    const struct address_space_ops *const *ops;
    uint32_t formats; /* a bit per enum chip_vm */
} kinds[] = {
    {NULL, ANY}, /* never opened */
    {&space_physical, ANY},
    {&space_fault, ANY},
    {&space_nv4_linear, HAS(NONE)},
    {&space_nv4_paged, HAS(NONE)},
    {&space_g80_unpaged, HAS(G80) | HAS(G84)},
    {&space_g80_vm, HAS(G80) | HAS(G84)},
    {&space_gf100_vm, HAS(GF100)},
    {&space_gk104_vm, HAS(GK104)},
    {&space_gm200_vm, HAS(GM200) | HAS(GP100)},
    {&space_gp100_vm, HAS(GP100) | HAS(GH100)},
    {&space_gh100_vm, HAS(GH100)},
    {&space_gart, HAS(NONE)},
};
#define KINDS (sizeof kinds / sizeof kinds[0])

static unsigned kind_of(const struct address_space *space) {
    unsigned kind = 0;
    for (unsigned i = 1; space->ops && i < KINDS; i++)
        if (*kinds[i].ops == space->ops)
            kind = i;
    assert(kind || !space->ops); /* a type that the table does not have */
    return kind;
}

static bool chip_has_kind(const struct memory *memory, unsigned kind) {
    return kinds[kind].formats >> memory->config.chip->vm & 1;
}

static void state_target(struct state_io *io, enum memory_target *target) {
    unsigned number = *target;
    state_index(io, &number, MEMORY_PEER + 1, "target of memory");
    *target = (enum memory_target)number;
}

void memory_state_space(const struct memory *memory, struct state_io *io, struct address_space *space, bool needed) {
    unsigned kind = kind_of(space);
    state_index(io, &kind, KINDS, "kind of address space");
    state_target(io, &space->target);
    state_u64(io, &space->base);
    state_u64(io, &space->limit);
    state_u64(io, &space->offset);
    state_u32(io, &space->flags);
    if (!io->loading)
        return;
    if (!chip_has_kind(memory, kind) || (needed && kind == 0))
        state_fail(io, PFIFO_ERROR_FORMAT, "this chip has no address space of kind %u here", kind);
    else if (kind && *kinds[kind].ops == space_fault && (space->base == FAULT_NONE || space->base >= FAULT_REASONS))
        state_fail(io, PFIFO_ERROR_FORMAT, "an address space without a reason for its fault");
    else if (space->flags & ~SPACE_FLAGS)
        state_fail(io, PFIFO_ERROR_FORMAT, "an address space with flags 0x%x", (unsigned)space->flags);
    if (!state_good(io))
        *space = (struct address_space){0};
    else
        space->ops = kind ? *kinds[kind].ops : NULL;
}

/* ---- TLB ---- */

static void state_mapping(struct state_io *io, struct mapping *mapping) {
    state_target(io, &mapping->target);
    state_u64(io, &mapping->physical);
    state_u64(io, &mapping->bytes);
    state_bool(io, &mapping->writable);
    state_bool(io, &mapping->readable);
    state_bool(io, &mapping->privileged);
    state_bool(io, &mapping->sparse);
    state_u8(io, &mapping->kind);
    mapping->before = 0;
    if (mapping->bytes == 0 || mapping->bytes > MAPPING_MOST)
        state_fail(io, PFIFO_ERROR_FORMAT, "a translation of 0x%llx bytes", (unsigned long long)mapping->bytes);
}

static void state_tlb_entry(const struct memory *memory, struct state_io *io, struct tlb_entry *entry) {
    memory_state_space(memory, io, &entry->space, true);
    state_u64(io, &entry->page);
    state_mapping(io, &entry->mapping);
    if (io->loading && state_good(io) && !entry->space.ops->cached)
        state_fail(io, PFIFO_ERROR_FORMAT, "a translation of a space that has no tables");
    if (!state_good(io))
        entry->space.ops = NULL;
}

/* Entries in use, each with its index. */
static void state_tlb(struct memory *memory, struct state_io *io) {
    uint32_t count = 0;
    for (unsigned i = 0; i < MEMORY_TLB_ENTRIES; i++)
        count += memory->tlb[i].space.ops != NULL;
    if (io->loading)
        memset(memory->tlb, 0, sizeof memory->tlb);
    count = state_count(io, count, MEMORY_TLB_ENTRIES, "translations");
    for (unsigned place = 0; count > 0 && state_good(io); count--, place++) {
        while (!io->loading && !memory->tlb[place].space.ops)
            place++;
        state_index(io, &place, MEMORY_TLB_ENTRIES, "translation");
        if (state_good(io))
            state_tlb_entry(memory, io, &memory->tlb[place]);
    }
}

static void state_mmu(struct memory *memory, struct state_io *io) {
    unsigned big_page = memory->mmu.big_page;
    state_u32(io, &memory->mmu.directory_offset);
    state_index(io, &big_page, MEMORY_BIG_PAGE_64K + 1, "size of big pages");
    memory->mmu.big_page = (enum memory_big_page)big_page;
    state_tlb(memory, io);
}

/* ---- pages ---- */

static size_t page_bytes(const struct memory_own *own, uint64_t page) {
    uint64_t left = own->bytes - page * PAGE_BYTES;
    return left < PAGE_BYTES ? (size_t)left : PAGE_BYTES;
}

static bool memory_save_all_zero(const uint8_t *data, size_t bytes) {
    static const uint8_t zeros[PAGE_BYTES];
    return memcmp(data, zeros, bytes) == 0;
}

/* The next page, beginning with `page`, that is not zero; UINT64_MAX: none. */
static uint64_t next_page(const struct memory_own *own, uint64_t page) {
    for (uint64_t at = page * PAGE_BYTES; (at = memory_next_used(own->used, at, own->bytes, true)) < own->bytes;
         at = (page + 1) * PAGE_BYTES) {
        page = memory_backing_next_data(own, at) / PAGE_BYTES;
        if (page > own->bytes / PAGE_BYTES)
            break;
        if (page * PAGE_BYTES < own->bytes &&
            !memory_save_all_zero(own->data + page * PAGE_BYTES, page_bytes(own, page)))
            return page;
    }
    return UINT64_MAX;
}

static void save_pages(const struct memory_own *own, const char *tag, struct state_io *io) {
    uint64_t page = own->bytes ? next_page(own, 0) : UINT64_MAX;
    while (page != UINT64_MAX && state_begin(io, tag, 1)) {
        for (unsigned i = 0; i < PAGES_PER_SECTION && page != UINT64_MAX; i++) {
            uint64_t number = page;
            state_u64(io, &number);
            state_bytes(io, own->data + page * PAGE_BYTES, page_bytes(own, page));
            page = next_page(own, page + 1);
        }
        state_end(io);
    }
}

/* Reset to zero. Pages returned to the host cost nothing; if that is not possible, they are cleared. */
static void memory_save_clear(const struct memory_own *own) {
    if (!own->bytes)
        return;
    bool given_back = memory_backing_discard(own, 0, own->bytes);
    for (uint64_t page = 0; !given_back && (page = next_page(own, page)) != UINT64_MAX; page++)
        memset(own->data + page * PAGE_BYTES, 0, page_bytes(own, page));
    if (!own->backing->shared)
        memset(own->used, 0, (size_t)(own->bytes / MEMORY_CHUNK / 64 + 1) * sizeof own->used[0]);
}

static void load_page(const struct memory_own *own, struct state_io *io) {
    uint64_t page = 0;
    state_u64(io, &page);
    if (state_good(io) && (page > UINT64_MAX / PAGE_BYTES || page * PAGE_BYTES >= own->bytes))
        state_fail(io, PFIFO_ERROR_FORMAT, "page 0x%llx is beyond the end of memory", (unsigned long long)page);
    if (!state_good(io))
        return;
    memory_mark_used(own->used, page * PAGE_BYTES, page_bytes(own, page));
    state_bytes(io, own->data + page * PAGE_BYTES, page_bytes(own, page));
}

static void load_pages(const struct memory_own *own, const char *tag, struct state_io *io) {
    memory_save_clear(own);
    while (state_next_is(io, tag) && state_begin(io, tag, 1)) {
        while (state_good(io) && io->at < io->end)
            load_page(own, io);
        state_end(io);
    }
}

void memory_state_registers(struct memory *memory, struct state_io *io) {
    memory->watch.begin = memory->watch.end = NULL;
    if (state_begin(io, "MMU ", 1))
        state_mmu(memory, io);
    state_end(io);
}

void memory_state(struct memory *memory, struct state_io *io) {
    static const struct own_section {
        const char *tag;
        enum memory_target target;
    } sections[] = {{"VRAM", MEMORY_VRAM}, {"SYSM", MEMORY_SYSTEM}};
    memory_state_registers(memory, io);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++) {
        const struct memory_own own = memory_own(memory, sections[i].target);
        if (io->loading)
            load_pages(&own, sections[i].tag, io);
        else
            save_pages(&own, sections[i].tag, io);
    }
}
