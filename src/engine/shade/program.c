/* SPDX-License-Identifier: MIT */
/* Decoded instructions, kept by address: pages of slots, 4 bytes each, that point to instructions from chunks. */
#include <stdlib.h>

#include "engine/shade/interpret/core.h"
#include "isa/shader/operation.h"

#define CHUNK 64u
/* So many at most: a program that runs through all memory is decoded anew. */
#define MOST_CODES (1u << 18)

struct chunk {
    struct chunk *next;
    struct shade_code codes[CHUNK];
};

struct shade_program {
    const struct isa *isa;
    shade_fetch *fetch;
    void *opaque;
    uint32_t entry;
    shade_op *(*op_of)(const struct ir *ir);
    struct shade_page *pages[256]; /* lists by the low bits of the number */
    uint32_t surveys;
    struct chunk *chunks;
    unsigned used; /* of the first chunk */
    uint32_t codes;
    struct shade_code unreadable; /* for want of memory, too */
    struct shade_code misaligned;
};

typedef shade_op *operations(const struct ir *ir);

/* Those of the host. All have the same results. */
static operations *operations_of_host(void) {
#ifdef SHADE_HAS_AVX2
    if (__builtin_cpu_supports("avx2"))
        return shade_avx2_op_of;
#endif
    return shade_op_of;
}

struct shade_program *shade_program_new(const struct isa *isa, shade_fetch *fetch, void *opaque, uint32_t entry) {
    struct shade_program *program = calloc(1, sizeof *program);
    if (!program)
        return NULL;
    program->isa = isa;
    program->fetch = fetch;
    program->opaque = opaque;
    program->entry = entry;
    program->op_of = operations_of_host();
    program->unreadable.word = SHADE_WORD_UNREADABLE;
    program->misaligned.word = SHADE_WORD_MISALIGNED;
    return program;
}

static void forget(struct shade_program *program) {
    for (unsigned i = 0; i < 256; i++) {
        for (struct shade_page *page = program->pages[i], *next; page; page = next) {
            next = page->next;
            free(page);
        }
        program->pages[i] = NULL;
    }
    for (struct chunk *chunk = program->chunks, *next; chunk; chunk = next) {
        next = chunk->next;
        free(chunk);
    }
    program->chunks = NULL;
    program->codes = 0;
}

void shade_program_free(struct shade_program *program) {
    if (!program)
        return;
    forget(program);
    free(program);
}

uint32_t shade_program_entry(const struct shade_program *program) {
    return program->entry;
}

uint32_t shade_program_next_survey(struct shade_program *program) {
    return ++program->surveys;
}

static struct shade_page *page_of(struct shade_program *program, uint32_t address) {
    uint32_t number = address >> SHADE_PAGE_BITS;
    struct shade_page **list = &program->pages[number & 255], *page = *list;
    while (page && page->number != number)
        page = page->next;
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

static struct shade_code *code_new(struct shade_program *program) {
    if (!program->chunks || program->used == CHUNK) {
        struct chunk *chunk = calloc(1, sizeof *chunk);
        if (!chunk)
            return NULL;
        chunk->next = program->chunks;
        program->chunks = chunk;
        program->used = 0;
    }
    program->codes++;
    return &program->chunks->codes[program->used++];
}

static void decode(struct shade_program *program, uint32_t address, struct shade_code *code) {
    uint8_t words[8] = {0};
    if (!program->fetch(program->opaque, address, words)) {
        code->word = SHADE_WORD_UNREADABLE;
        return;
    }
    unsigned bytes = 8;
    struct ir_extent extent;
    switch (program->isa->decode(words, address, &code->ir, &bytes)) {
    case ISA_OK:
        code->word = SHADE_WORD_OK;
        code->run = program->op_of(&code->ir);
        extent = ir_extent(&code->ir);
        code->named = extent.named;
        code->rows = extent.registers;
        code->guarded = code->ir.guard != IR_TRUE || code->ir.guard_negate || code->ir.test != IR_TEST_TRUE;
        code->ir.address = address;
        break;
    case ISA_SCHEDULE:
        code->word = SHADE_WORD_SCHEDULE;
        break;
    default:
        code->word = SHADE_WORD_ILLEGAL;
        break;
    }
    code->bytes = (uint8_t)bytes;
}

const struct shade_page *shade_program_page(const struct shade_program *program, uint32_t address) {
    const struct shade_page *page = program->pages[address >> SHADE_PAGE_BITS & 255];
    return page && page->number == address >> SHADE_PAGE_BITS ? page : NULL;
}

struct shade_code *shade_program_code(struct shade_program *program, uint32_t address) {
    if (address & program->isa->unaligned)
        return &program->misaligned;
    address &= ~3u;
    struct shade_page *page = program->pages[address >> SHADE_PAGE_BITS & 255];
    if (!page || page->number != address >> SHADE_PAGE_BITS)
        page = page_of(program, address);
    if (!page)
        return &program->unreadable;
    struct shade_code **slot = &page->slots[(address >> 2) & (SHADE_PAGE_SLOTS - 1)];
    if (*slot)
        return *slot;
    if (program->codes >= MOST_CODES) {
        forget(program);
        page = page_of(program, address);
        if (!page)
            return &program->unreadable;
        slot = &page->slots[(address >> 2) & (SHADE_PAGE_SLOTS - 1)];
    }
    struct shade_code *code = code_new(program);
    if (!code)
        return &program->unreadable;
    decode(program, address, code);
    return *slot = code;
}

const struct ir *shade_program_report(struct shade_program *program, uint32_t address) {
    struct shade_code *code = program ? shade_program_code(program, address) : NULL;
    if (!code || code->reported)
        return NULL;
    code->reported = true;
    return &code->ir;
}

const struct ir *shade_program_at(struct shade_program *program, uint32_t address) {
    const struct shade_code *code = shade_program_code(program, address);
    return code->word == SHADE_WORD_OK ? &code->ir : NULL;
}
