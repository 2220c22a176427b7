/* SPDX-License-Identifier: MIT */
/* Programs as runs: where they begin and end, and the memory that their code is in. */
#include "engine/shade/compile/compile.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/shade/compile/lower.h"
#include "engine/shade/interpret/core.h"
#include "engine/shade/interpret/interpret.h"
#include "isa/shader/operation.h"

#if defined(__x86_64__) && defined(__unix__)
#include <sys/mman.h>
#define HAS_COMPILER 1
#endif

#ifdef HAS_COMPILER

#define MOST_STEPS 512u /* of a run */

struct function {
    uint32_t first, slots;           /* the lowest address; how many units of 4 bytes from there on */
    struct shade_straight **at;      /* by unit; NULL: no run begins there */
    struct shade_straight *straight; /* all of them */
    uint32_t straight_count;
    const struct shade_code **codes; /* in the order of addresses; the owner of the listing keeps them */
    void *memory;
    size_t bytes;
};

const struct shade_straight *shade_straight_at(const void *function, uint32_t address) {
    const struct function *f = function;
    uint32_t slot = (address - f->first) / 4;
    return slot < f->slots && !(address & 3) ? f->at[slot] : NULL;
}

static void function_free(void *opaque, void *function) {
    struct function *f = function;
    (void)opaque;
    if (!f)
        return;
    if (f->memory)
        munmap(f->memory, f->bytes);
    free(f->at);
    free(f->straight);
    free(f->codes);
    free(f);
}

/* ---- where runs begin ---- */

/* Instructions by address, and at which of them lanes may arrive from elsewhere. */
struct outline {
    const struct shade_code **at; /* by unit */
    bool *arrives;
};

static uint32_t address_of(const struct shade_code *code) {
    return code->ir.address;
}

static void arrive(const struct function *f, const struct outline *outline, uint32_t address) {
    uint32_t slot = (address - f->first) / 4;
    if (slot < f->slots)
        outline->arrives[slot] = true;
}

static void note_flow(const struct function *f, const struct outline *outline, const struct shade_code *code) {
    if (!code->simple)
        arrive(f, outline, address_of(code) + code->bytes);
    for (; code; code = code->more)
        if (code->word == SHADE_WORD_OK && ir_row(code->ir.op)->effects & IR_TARGET)
            arrive(f, outline, (uint32_t)code->ir.offset & ~3u);
}

/* How many instructions from here on have no flow, and nobody arrives between them. */
static unsigned straight_from(const struct function *f, const struct outline *outline, uint32_t slot,
                              struct shade_straight *straight) {
    unsigned count = 0;
    straight->address = straight->end = f->first + 4 * slot;
    straight->rows = straight->named = 0;
    while (slot < f->slots && count < MOST_STEPS) {
        const struct shade_code *code = outline->at[slot];
        if (!code || !code->simple || (count && outline->arrives[slot]))
            break;
        straight->codes[count] = code;
        straight->rows = code->rows > straight->rows ? code->rows : straight->rows;
        straight->named = code->named > straight->named ? code->named : straight->named;
        straight->end += code->bytes;
        slot = (straight->end - f->first) / 4;
        count++;
    }
    return count;
}

static bool asks_barriers(const struct shade_code *const *codes, unsigned count) {
    bool asks = false;
    for (unsigned i = 0; i < count; i++)
        asks |= codes[i]->word == SHADE_WORD_OK && codes[i]->ir.op == IR_B2R;
    return asks;
}

static bool is_end(const struct shade_code *code) {
    return code && code->word == SHADE_WORD_OK && !code->more && !code->guarded && !code->ir.join &&
           code->ir.op == IR_EXIT;
}

/* ---- a function ---- */

static bool bounds(struct function *f, const struct shade_listing *listing) {
    uint32_t first = UINT32_MAX, last = 0;
    for (uint32_t i = 0; i < listing->count; i++) {
        uint32_t address = address_of(listing->codes[i]);
        if (listing->codes[i]->word != SHADE_WORD_OK && listing->codes[i]->word != SHADE_WORD_SCHEDULE)
            return false;
        first = address < first ? address : first;
        last = address > last ? address : last;
    }
    f->first = first;
    f->slots = (last - first) / 4 + 1;
    return listing->count && f->slots <= 16u * listing->count + 4096;
}

static bool finish(struct function *f, struct assembler *code, const uint32_t *entries) {
    if (!assembler_finish(code))
        return false;
    f->bytes = (code->size + 4095u) & ~(size_t)4095;
    void *memory = mmap(NULL, f->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    f->memory = memory;
    memcpy(memory, code->bytes, code->size);
    if (mprotect(memory, f->bytes, PROT_READ | PROT_EXEC) != 0)
        return false;
    for (uint32_t i = 0; i < f->straight_count; i++) {
        uintptr_t at = (uintptr_t)memory + entries[i];
        memcpy(&f->straight[i].run, &at, sizeof at);
        f->at[(f->straight[i].address - f->first) / 4] = &f->straight[i];
    }
    return true;
}

static bool translate(struct function *f, const struct shade_listing *listing, const struct outline *outline, bool flat,
                      bool wide) {
    struct assembler code;
    uint32_t *entries = calloc(listing->count, sizeof *entries), next = 0;
    bool good = entries;
    assembler_begin(&code, wide);
    for (uint32_t slot = 0; slot < f->slots && good; slot++) {
        bool begins = outline->at[slot] && outline->arrives[slot];
        struct shade_straight *straight = &f->straight[f->straight_count];
        if (!begins)
            continue;
        const struct shade_code **codes = f->codes + next;
        straight->codes = codes;
        unsigned count = straight_from(f, outline, slot, straight);
        if (count < 2)
            continue;
        straight->steps = (uint16_t)count;
        uint32_t after = (straight->end - f->first) / 4;
        straight->end_bytes = after < f->slots && is_end(outline->at[after]) ? outline->at[after]->bytes : 0;
        straight->whole = straight->end_bytes && !asks_barriers(codes, count);
        good = lower_run(&code, &(struct lower_input){codes, count, flat}, &entries[f->straight_count]);
        f->straight_count++;
        next += count;
    }
    good = good && f->straight_count && finish(f, &code, entries);
    assembler_end(&code);
    free(entries);
    return good;
}

static void *compile(const struct shade_listing *listing, const struct shade_key *key, bool wide) {
    struct function *f = calloc(1, sizeof *f);
    struct outline outline = {0};
    bool good = false;
    if (f && bounds(f, listing)) {
        outline.at = calloc(f->slots, sizeof *outline.at);
        outline.arrives = calloc(f->slots, sizeof *outline.arrives);
        f->at = calloc(f->slots, sizeof *f->at);
        f->straight = calloc(listing->count, sizeof *f->straight);
        f->codes = calloc(listing->count, sizeof *f->codes);
        if (outline.at && outline.arrives && f->at && f->straight && f->codes) {
            for (uint32_t i = 0; i < listing->count; i++)
                outline.at[(address_of(listing->codes[i]) - f->first) / 4] = listing->codes[i];
            arrive(f, &outline, listing->entry);
            for (uint32_t i = 0; i < listing->count; i++)
                note_flow(f, &outline, listing->codes[i]);
            good = translate(f, listing, &outline, key->flat, wide);
        }
    }
    free(outline.at);
    free(outline.arrives);
    if (good)
        return f;
    function_free(NULL, f);
    return NULL;
}

/* What a function needs of an io it looks for when it runs: it depends on little beside the instructions. */
static void key_of(void *opaque, const struct shade_listing *listing, struct shade_key *key) {
    (void)opaque;
    uint8_t flat = 0;
    for (uint32_t i = 0; i < listing->count; i++)
        flat |= listing->codes[i]->ir.op == IR_IPA && listing->codes[i]->ir.mode == 3 ? key->flat : 0;
    memset(key, 0, sizeof *key);
    key->flat = flat;
}

static void *compile_wide(void *opaque, const struct shade_listing *listing, const struct shade_key *key) {
    (void)opaque;
    return compile(listing, key, true);
}

static void *compile_narrow(void *opaque, const struct shade_listing *listing, const struct shade_key *key) {
    (void)opaque;
    return compile(listing, key, false);
}

const struct shade_executor *shade_compiler_wide(void) {
    static const struct shade_executor compiler = {.name = "AVX-512",
                                                   .key = key_of,
                                                   .compile = compile_wide,
                                                   .run = shade_interpret,
                                                   .free = function_free,
                                                   .whole = shade_interpret_whole};
    bool has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    return has ? &compiler : NULL;
}

const struct shade_executor *shade_compiler_narrow(void) {
    static const struct shade_executor compiler = {.name = "AVX2",
                                                   .key = key_of,
                                                   .compile = compile_narrow,
                                                   .run = shade_interpret,
                                                   .free = function_free,
                                                   .whole = shade_interpret_whole};
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? &compiler : NULL;
}

const struct shade_executor *shade_compiler(void) {
    const struct shade_executor *wide = shade_compiler_wide();
    return wide ? wide : shade_compiler_narrow();
}

#else

const struct shade_straight *shade_straight_at(const void *function, uint32_t address) {
    (void)function, (void)address;
    return NULL;
}

const struct shade_executor *shade_compiler_wide(void) {
    return NULL;
}

const struct shade_executor *shade_compiler_narrow(void) {
    return NULL;
}

const struct shade_executor *shade_compiler(void) {
    return NULL;
}

#endif
