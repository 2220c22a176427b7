/* SPDX-License-Identifier: MIT */
/* What an object has read of a program: pages of slots, 4 bytes each, that point to instructions of the cache. */
#include "engine/shade/program.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/shade/cache.h"

/* So many at most: a program that runs through all memory is read anew. */
#define MOST_CODES (1u << 18)

struct shade_program {
    struct shade_cache *cache;
    bool own_cache;
    const struct isa *isa;
    shade_fetch *fetch;
    void *opaque;
    uint32_t entry;
    uint32_t codes, forgotten;     /* read; how often all of it was given back */
    struct shade_page *pages[256]; /* lists by the low bits of the number */
    struct program_functions functions;
};

struct shade_program *shade_program_new(struct shade_cache *cache, const struct isa *isa, shade_fetch *fetch,
                                        void *opaque, uint32_t entry) {
    struct shade_program *program = calloc(1, sizeof *program);
    if (!program)
        return NULL;
    assert(isa->bytes <= ISA_MOST_BYTES);
    program->own_cache = !cache;
    program->cache = cache ? cache : shade_cache_new(NULL);
    program->isa = isa;
    program->fetch = fetch;
    program->opaque = opaque;
    program->entry = entry;
    if (program->cache)
        return program;
    free(program);
    return NULL;
}

static void forget(struct shade_program *program) {
    for (unsigned i = 0; i < 256; i++) {
        for (struct shade_page *page = program->pages[i], *next; page; page = next) {
            next = page->next;
            cache_drop(program->cache, page->slots, SHADE_PAGE_SLOTS);
            free(page);
        }
        program->pages[i] = NULL;
    }
    program->codes = 0;
    program->forgotten++;
}

void shade_program_free(struct shade_program *program) {
    if (!program)
        return;
    program_functions_free(program->cache, &program->functions);
    forget(program);
    if (program->own_cache)
        shade_cache_free(program->cache);
    free(program);
}

uint32_t shade_program_entry(const struct shade_program *program) {
    return program->entry;
}

const struct isa *program_isa(const struct shade_program *program) {
    return program->isa;
}

struct shade_cache *program_cache(const struct shade_program *program) {
    return program->cache;
}

struct program_functions *program_functions_of(struct shade_program *program) {
    return &program->functions;
}

static struct shade_page *page_at(const struct shade_program *program, uint32_t address) {
    uint32_t number = address >> SHADE_PAGE_BITS;
    struct shade_page *page = program->pages[number & 255];
    while (page && page->number != number)
        page = page->next;
    return page;
}

static struct shade_page *page_of(struct shade_program *program, uint32_t address) {
    uint32_t number = address >> SHADE_PAGE_BITS;
    struct shade_page **list = &program->pages[number & 255], *page = page_at(program, address);
    if (!page) {
        page = calloc(1, sizeof *page);
        if (!page)
            return NULL;
        page->number = number;
        page->next = *list;
        *list = page;
    }
    return page;
}

const struct shade_page *shade_program_page(const struct shade_program *program, uint32_t address) {
    const struct shade_page *page = program->pages[address >> SHADE_PAGE_BITS & 255];
    return page && page->number == address >> SHADE_PAGE_BITS ? page : NULL;
}

static unsigned slot_of(uint32_t address) {
    return (address >> 2) & (SHADE_PAGE_SLOTS - 1);
}

static const struct shade_code *read_code(struct shade_program *program, uint32_t address) {
    uint8_t bytes[ISA_MOST_BYTES] = {0};
    assert(program->isa->bytes <= sizeof bytes);
    if (!program->fetch(program->opaque, address, bytes, program->isa->bytes))
        return &shade_code_unreadable;
    return cache_take(program->cache, program->isa, address, bytes);
}

const struct shade_code *shade_program_code(struct shade_program *program, uint32_t address) {
    if (address & program->isa->unaligned)
        return &shade_code_misaligned;
    address &= ~3u;
    struct shade_page *page = page_at(program, address);
    if (page && page->slots[slot_of(address)])
        return page->slots[slot_of(address)];
    if (program->codes >= MOST_CODES)
        forget(program);
    page = page_of(program, address);
    const struct shade_code *code = page ? read_code(program, address) : NULL;
    if (!code) /* no memory of the host: the next time it is tried again */
        return &shade_code_unreadable;
    assert(!page->slots[slot_of(address)]);
    program->codes++;
    return page->slots[slot_of(address)] = code;
}

static bool is_as_read(const struct shade_program *program, const struct shade_code *code, const uint8_t *bytes) {
    uint8_t padded[ISA_MOST_BYTES] = {0};
    memcpy(padded, bytes, program->isa->bytes);
    return cache_is_of(code, padded);
}

/* For a page that cannot be read as a whole. */
static bool each_is_current(const struct shade_program *program, const struct shade_page *page) {
    uint8_t bytes[ISA_MOST_BYTES];
    for (unsigned i = 0; i < SHADE_PAGE_SLOTS; i++) {
        if (!page->slots[i])
            continue;
        if (!program->fetch(program->opaque, page->number << SHADE_PAGE_BITS | i << 2, bytes, program->isa->bytes)) {
            if (page->slots[i] != &shade_code_unreadable)
                return false;
        } else if (!is_as_read(program, page->slots[i], bytes)) {
            return false;
        }
    }
    return true;
}

/* The last instruction of a page may end in the next one. */
static bool page_is_current(const struct shade_program *program, const struct shade_page *page) {
    uint8_t bytes[(1u << SHADE_PAGE_BITS) + ISA_MOST_BYTES];
    unsigned step = program->isa->unaligned + 1, count = (1u << SHADE_PAGE_BITS) - step + program->isa->bytes;
    assert(program->isa->bytes >= step && count <= sizeof bytes);
    if (!program->fetch(program->opaque, page->number << SHADE_PAGE_BITS, bytes, count))
        return each_is_current(program, page);
    for (unsigned i = 0; i < SHADE_PAGE_SLOTS; i++)
        if (page->slots[i] && !is_as_read(program, page->slots[i], bytes + 4 * (size_t)i))
            return false;
    return true;
}

bool shade_program_is_current(const struct shade_program *program) {
    unsigned pages = 0;
    for (unsigned list = 0; list < 256; list++)
        for (const struct shade_page *page = program->pages[list]; page; page = page->next)
            if (++pages > SHADE_MOST_COMPARED || !page_is_current(program, page))
                return false;
    return true;
}

void shade_program_look(struct shade_program *program, uint32_t address, shade_look *look, void *opaque) {
    if (address & program->isa->unaligned) {
        look(opaque, program->isa, &shade_code_misaligned, NULL);
        return;
    }
    address &= ~3u;
    const struct shade_page *page = page_at(program, address);
    const struct shade_code *kept = page ? page->slots[slot_of(address)] : NULL,
                            *code = kept ? kept : read_code(program, address);
    look(opaque, program->isa, code ? code : &shade_code_unreadable, cache_bytes_of(code));
    if (!kept)
        cache_drop(program->cache, &code, 1);
}

/* ---- reports ---- */

bool shade_program_reported(struct shade_program *program, uint32_t address) {
    const struct shade_page *page = page_at(program, address);
    return page && page->reported >> slot_of(address) & 1;
}

const struct ir *shade_program_report(struct shade_program *program, uint32_t address) {
    const struct shade_code *code = program ? shade_program_code(program, address) : NULL;
    struct shade_page *page = code ? page_at(program, address) : NULL;
    uint64_t bit = UINT64_C(1) << slot_of(address);
    if (!page || page->reported & bit)
        return NULL;
    page->reported |= bit;
    return &code->ir;
}

/* ---- surveys ---- */

void program_survey_begin(struct shade_program *program) {
    for (unsigned i = 0; i < 256; i++)
        for (struct shade_page *page = program->pages[i]; page; page = page->next)
            page->surveyed = 0;
}

bool program_survey_first(struct shade_program *program, uint32_t address) {
    struct shade_page *page = page_at(program, address);
    uint64_t bit = UINT64_C(1) << slot_of(address);
    bool first = !page || !(page->surveyed & bit);
    if (page)
        page->surveyed |= bit;
    return first;
}

uint32_t program_forgotten(const struct shade_program *program) {
    return program->forgotten;
}
