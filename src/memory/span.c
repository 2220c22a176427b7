/* SPDX-License-Identifier: MIT */
/*
 * Spans: check limit and access rights and translate page by page, as far as the pages are contiguous.
 *
 * The TLB keeps mappings, never faults, until it is flushed: a driver that changes a page table and does not flush
 * keeps using the old page [doc: envytools docs/hw/memory/g80-vm.rst], and so does a guest of the model.
 */
#include <assert.h>

#include "memory/copy.h"
#include "memory/memory.h"
#include "memory/translate.h"

/* Most pages that one call walks. Bounds the work that a guest can cause with a large request. */
#define SPAN_PAGES 4096

#define TLB_HALF        (MEMORY_TLB_ENTRIES / 2)
#define TLB_SMALL_SHIFT 12
#define TLB_BIG_SHIFT   16

struct mapping mapping_of_page(enum memory_target target, uint64_t physical, uint64_t address, uint64_t bytes) {
    assert(bytes && (bytes & (bytes - 1)) == 0);
    uint64_t before = address & (bytes - 1);
    return (struct mapping){.target = target,
                            .physical = physical + before,
                            .bytes = bytes - before,
                            .before = before,
                            .writable = true,
                            .readable = true};
}

struct mapping mapping_of_sparse_page(uint64_t address, uint64_t bytes) {
    struct mapping mapping = mapping_of_page(MEMORY_VRAM, 0, address, bytes);
    mapping.sparse = true;
    return mapping;
}

static struct tlb_entry *tlb_slot(struct memory *memory, const struct address_space *space, uint64_t va,
                                  unsigned shift) {
    uint64_t key = ((va >> shift) ^ (space->base >> 12) ^ (space->offset >> 12)) * UINT64_C(0x9e3779b97f4a7c15);
    uint64_t index = (key >> 32) % TLB_HALF;
    return &memory->tlb[shift == TLB_BIG_SHIFT ? TLB_HALF + index : index];
}

static bool tlb_hit(const struct tlb_entry *entry, const struct address_space *space, uint64_t va,
                    struct mapping *mapping) {
    uint64_t skip = va - entry->page;
    if (!entry->space.ops || skip >= entry->mapping.bytes || !address_space_is(&entry->space, space))
        return false;
    *mapping = entry->mapping;
    mapping->physical += skip;
    mapping->bytes -= skip;
    mapping->before = skip;
    return true;
}

/* Keep the whole page, at whatever offset the access was. */
static void tlb_keep(struct memory *memory, const struct address_space *space, uint64_t va,
                     const struct mapping *mapping) {
    uint64_t page_bytes = mapping->bytes + mapping->before;
    unsigned shift = page_bytes >> TLB_BIG_SHIFT ? TLB_BIG_SHIFT : TLB_SMALL_SHIFT;
    struct tlb_entry *entry = tlb_slot(memory, space, va, shift);
    *entry = (struct tlb_entry){.space = *space, .page = va - mapping->before, .mapping = *mapping};
    entry->mapping.physical -= mapping->before;
    entry->mapping.bytes = page_bytes;
    entry->mapping.before = 0;
}

void memory_tlb_flush(struct memory *memory) {
    for (int i = 0; i < MEMORY_TLB_ENTRIES; i++)
        memory->tlb[i].space.ops = NULL;
    if (memory->config.events)
        event_send(memory->config.events, EVENT_MEMORY_TLB_FLUSH, UINT32_MAX, NULL, 0);
}

bool memory_tlb_hold(struct memory *memory, bool held) {
    bool before = memory->tlb_held;
    memory->tlb_held = held;
    return before;
}

bool memory_translate(struct memory *memory, const struct address_space *space, uint64_t va, struct mapping *mapping,
                      struct fault *fault) {
    if (!space->ops->cached)
        return space->ops->translate(memory, space, va, mapping, fault);
    if (tlb_hit(tlb_slot(memory, space, va, TLB_SMALL_SHIFT), space, va, mapping) ||
        tlb_hit(tlb_slot(memory, space, va, TLB_BIG_SHIFT), space, va, mapping))
        return true;
    if (!space->ops->translate(memory, space, va, mapping, fault))
        return false;
    if (!memory->tlb_held)
        tlb_keep(memory, space, va, mapping);
    return true;
}

/* The rights of the page, unless the space overrides them. */
static enum fault_reason check_rights(const struct address_space *space, const struct mapping *mapping,
                                      enum memory_access access) {
    uint32_t flags = space->flags;
    bool privileged = mapping->privileged && !(flags & ADDRESS_SPACE_ANY_PRIVILEGE);
    privileged |= (flags & ADDRESS_SPACE_SUPERVISOR_ONLY) != 0;
    if (privileged && !(flags & ADDRESS_SPACE_SUPERVISOR))
        return FAULT_PRIVILEGE;
    if (access == MEMORY_READ)
        return flags & ADDRESS_SPACE_WRITE_ONLY || !mapping->readable ? FAULT_WRITE_ONLY : FAULT_NONE;
    bool writable = mapping->writable || flags & ADDRESS_SPACE_READ_WRITE;
    return flags & ADDRESS_SPACE_READ_ONLY || !writable ? FAULT_READ_ONLY : FAULT_NONE;
}

static enum fault_reason limit_reason(const struct address_space *space) {
    return space->flags & ADDRESS_SPACE_OBJECT ? FAULT_OBJECT_LIMIT : FAULT_VA_LIMIT;
}

/* Translated VRAM addresses must be below the limit, if the chip has one. */
static bool within_vram_limit(const struct memory *memory, struct mapping *mapping) {
    uint64_t limit = memory->mmu.vram_limit;
    if (mapping->physical >= limit)
        return false;
    if (mapping->bytes > limit - mapping->physical)
        mapping->bytes = limit - mapping->physical;
    return true;
}

static bool is_limited(const struct address_space *space, const struct mapping *mapping) {
    return space->ops->vram_limit && mapping->target == MEMORY_VRAM;
}

/* One page: the physical address, and how many bytes follow it within the limit. */
static enum fault_reason span_resolve(struct memory *memory, const struct address_space *space, uint64_t address,
                                      enum memory_access access, struct mapping *mapping) {
    if (address > space->limit)
        return limit_reason(space);
    struct fault fault = {FAULT_NONE, address, access == MEMORY_WRITE};
    if (!memory_translate(memory, space, address + space->offset, mapping, &fault)) {
        assert(fault.reason != FAULT_NONE);
        return fault.reason;
    }
    assert(mapping->bytes > 0);
    if (is_limited(space, mapping) && !within_vram_limit(memory, mapping))
        return FAULT_VRAM_LIMIT;
    uint64_t last = space->limit - address;
    if (mapping->bytes - 1 > last)
        mapping->bytes = last + 1;
    return check_rights(space, mapping, access);
}

static bool continues(const struct mapping *run, const struct mapping *next) {
    return !next->sparse && next->target == run->target && next->physical == run->physical + run->bytes;
}

/*
 * Page by page, until there are `bytes` or the next page is not contiguous. Faults after the first page are not raised.
 */
static void span_extend(struct memory *memory, const struct address_space *space, uint64_t address, uint64_t bytes,
                        enum memory_access access, struct mapping *run) {
    struct mapping next = {0};
    for (int pages = 1; pages < SPAN_PAGES && run->bytes < bytes && run->bytes <= space->limit - address; pages++) {
        if (span_resolve(memory, space, address + run->bytes, access, &next) != FAULT_NONE || !continues(run, &next))
            return;
        run->bytes += next.bytes;
    }
}

/*
 * At most `bytes` long, at least 1. A function of its own with all of the translation in it: every access of the GPU comes
 * here, and inlined into each caller it is the translation that is called instead, page by page.
 */
static __attribute__((noinline)) enum fault_reason span_find_run(struct memory *memory,
                                                                 const struct address_space *space, uint64_t address,
                                                                 uint64_t bytes, enum memory_access access,
                                                                 struct mapping *run) {
    assert(bytes > 0 && space->ops);
    enum fault_reason reason = span_resolve(memory, space, address, access, run);
    if (reason != FAULT_NONE)
        return reason;
    if (!run->sparse)
        span_extend(memory, space, address, bytes, access, run);
    if (run->bytes > bytes)
        run->bytes = bytes;
    return FAULT_NONE;
}

static enum fault_reason find_span(struct memory *memory, const struct address_space *space, uint64_t address,
                                   uint64_t bytes, enum memory_access access, struct span *span) {
    struct mapping run = {0};
    enum fault_reason reason = span_find_run(memory, space, address, bytes, access, &run);
    if (reason != FAULT_NONE)
        return reason;
    *span = run.sparse ? memory_hole_span(memory, address, run.bytes, access)
                       : memory_physical_span(memory, run.target, run.physical, run.bytes, access);
    assert(span->bytes > 0 && span->bytes <= bytes);
    return FAULT_NONE;
}

bool memory_span(struct memory *memory, const struct address_space *space, uint64_t address, uint64_t bytes,
                 enum memory_access access, struct span *span, struct fault *fault) {
    enum fault_reason reason = find_span(memory, space, address, bytes, access, span);
    if (reason == FAULT_NONE)
        return true;
    memory_fault(memory, address, access, reason, fault);
    return false;
}

bool memory_try_span(struct memory *memory, const struct address_space *space, uint64_t address, uint64_t bytes,
                     enum memory_access access, struct span *span) {
    return find_span(memory, space, address, bytes, access, span) == FAULT_NONE;
}

uint64_t memory_extent(struct memory *memory, const struct address_space *space, uint64_t address, uint64_t bytes,
                       enum memory_target *target, uint64_t *physical) {
    struct mapping run = {0};
    bool held = memory_tlb_hold(memory, true);
    enum fault_reason reason = span_find_run(memory, space, address, bytes, MEMORY_READ, &run);
    memory_tlb_hold(memory, held);
    if (reason != FAULT_NONE || run.sparse || run.target == MEMORY_PEER)
        return 0;
    *target = memory_target_on(memory, run.target);
    *physical = run.physical;
    return run.bytes;
}

/* The next piece of a copy. An address that wrapped to 0 is beyond every limit. */
static bool span_next_piece(struct memory *memory, const struct address_space *space, uint64_t begin, uint64_t done,
                            uint64_t bytes, enum memory_access access, struct span *span, struct fault *fault) {
    if (begin + done < begin) {
        memory_fault(memory, begin + done, access, limit_reason(space), fault);
        return false;
    }
    return memory_span(memory, space, begin + done, bytes - done, access, span, fault);
}

bool memory_writable(struct memory *memory, const struct address_space *space, uint64_t address, uint64_t bytes,
                     struct fault *fault) {
    struct mapping mapping = {0};
    for (uint64_t done = 0; done < bytes; done += mapping.bytes) {
        uint64_t at = address + done;
        enum fault_reason reason =
            at < address ? limit_reason(space) : span_resolve(memory, space, at, MEMORY_WRITE, &mapping);
        if (reason != FAULT_NONE) {
            memory_fault(memory, at, MEMORY_WRITE, reason, fault);
            return false;
        }
    }
    return true;
}

bool memory_read(struct memory *memory, const struct address_space *space, uint64_t address, void *data, uint64_t bytes,
                 struct fault *fault) {
    struct span span;
    for (uint64_t done = 0; done < bytes; done += span.bytes) {
        if (!span_next_piece(memory, space, address, done, bytes, MEMORY_READ, &span, fault))
            return false;
        memory_copy(memory, (uint8_t *)data + done, span.data, span.bytes);
    }
    return true;
}

bool memory_peek(struct memory *memory, const struct address_space *space, uint64_t address, void *data,
                 uint64_t bytes) {
    struct span span;
    bool there = true, held = memory_tlb_hold(memory, true);
    for (uint64_t done = 0; there && done < bytes; done += span.bytes) {
        there = address + done >= address &&
                memory_try_span(memory, space, address + done, bytes - done, MEMORY_READ, &span);
        if (there)
            memory_copy(memory, (uint8_t *)data + done, span.data, span.bytes);
    }
    memory_tlb_hold(memory, held);
    return there;
}

bool memory_write(struct memory *memory, const struct address_space *space, uint64_t address, const void *data,
                  uint64_t bytes, struct fault *fault) {
    struct span span;
    for (uint64_t done = 0; done < bytes; done += span.bytes) {
        if (!span_next_piece(memory, space, address, done, bytes, MEMORY_WRITE, &span, fault))
            return false;
        memcpy(span.data, (const uint8_t *)data + done, span.bytes);
    }
    return true;
}

bool memory_rd32(struct memory *memory, const struct address_space *space, uint64_t address, uint32_t *value,
                 struct fault *fault) {
    uint8_t bytes[4];
    if (!memory_read(memory, space, address, bytes, sizeof bytes, fault))
        return false;
    *value = load_le32(bytes);
    return true;
}

bool memory_wr32(struct memory *memory, const struct address_space *space, uint64_t address, uint32_t value,
                 struct fault *fault) {
    uint8_t bytes[4];
    store_le32(bytes, value);
    return memory_write(memory, space, address, bytes, sizeof bytes, fault);
}
