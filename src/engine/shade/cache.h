/* SPDX-License-Identifier: MIT */
/* Inside the cache of programs: what program.c and executor.c share of it. */
#ifndef PFIFO_SRC_ENGINE_SHADE_CACHE_H
#define PFIFO_SRC_ENGINE_SHADE_CACHE_H

#include <pthread.h>

#include "engine/shade/executor.h"

struct cache_entry;

/* Entries that nobody has, from the one that was given back first to the last one. */
struct cache_list {
    struct cache_entry *first, *last;
    uint32_t count;
};

struct shade_cache {
    pthread_mutex_t lock; /* of all that follows */
    struct cache_entry **buckets;
    uint32_t bucket_count, entries; /* bucket_count: a power of two, or 0 */
    struct cache_list idle;
    uint64_t decoded, found, dropped;
    const struct shade_executor *executor; /* NULL: none but the interpreter */
    struct shade_compiled *compiled;       /* those used last come first */
    uint32_t compiled_count, compiled_idle;
};

/* The instruction that these bytes are at this address; give it back with cache_drop(). NULL: no memory of the host. */
const struct shade_code *cache_take(struct shade_cache *cache, const struct isa *isa, uint32_t address,
                                    const uint8_t bytes[ISA_MOST_BYTES]);
/* Once more. */
void cache_share(struct shade_cache *cache, const struct shade_code *const *codes, uint32_t count);
/* Are these the bytes that it was decoded of? Of one that could not be read they are not. */
bool cache_is_of(const struct shade_code *code, const uint8_t bytes[ISA_MOST_BYTES]);
/* The bytes that it was decoded from, ISA_MOST_BYTES. NULL: it is in no cache. */
const uint8_t *cache_bytes_of(const struct shade_code *code);
/* NULL in the list is passed over. */
void cache_drop(struct shade_cache *cache, const struct shade_code *const *codes, uint32_t count);

/* ---- program.c ---- */

/* By the key of the io, before the executor has looked at it. NULL: it is interpreted then. */
struct program_functions {
    unsigned count;
    struct shade_key key[SHADE_PROGRAM_FUNCTIONS];
    struct shade_compiled *compiled[SHADE_PROGRAM_FUNCTIONS];
};

const struct isa *program_isa(const struct shade_program *program);
struct shade_cache *program_cache(const struct shade_program *program);
struct program_functions *program_functions_of(struct shade_program *program);
/* How often all that it had read was given back. */
uint32_t program_forgotten(const struct shade_program *program);
/* Before a survey, and whether it comes to an address for the first time. */
void program_survey_begin(struct shade_program *program);
bool program_survey_first(struct shade_program *program, uint32_t address);

/* ---- executor.c ---- */

/* A program does not need them any more. */
void program_functions_free(struct shade_cache *cache, struct program_functions *functions);

/* ---- cache.c ---- */

/* Those that are in no cache. */
extern const struct shade_code shade_code_unreadable, shade_code_misaligned;

#endif
