/* SPDX-License-Identifier: MIT */
/* Who runs a warp, and the translated functions of a device. */
#include "engine/shade/executor.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/shade/cache.h"
#include "engine/shade/watch.h"

struct shade_compiled {
    const struct shade_executor *executor;
    void *function; /* NULL: it is interpreted */
    struct shade_key key;
    struct shade_listing listing;
    uint32_t users;
    struct shade_compiled *next;
};

enum shade_stop shade_run(struct shade_warp *warp, uint64_t budget, uint64_t *used) {
    const struct shade_compiled *compiled = warp->io->compiled;
    assert(!compiled || compiled->function);
    if (warp->io->watch)
        return shade_run_watched(warp, budget, used);
    enum shade_stop stop = compiled ? compiled->executor->run(compiled->function, warp, budget, used)
                                    : shade_interpreter.run(NULL, warp, budget, used);
    assert(*used <= budget && (stop != SHADE_DONE || !warp->alive));
    assert(stop != SHADE_ERROR || warp->error);
    return stop;
}

enum shade_stop shade_start(const struct shade_start *start, uint64_t budget, uint64_t *used) {
    const struct shade_compiled *compiled = start->io->compiled;
    enum shade_stop stop;
    if (compiled && compiled->executor->whole && !start->io->watch &&
        compiled->executor->whole(compiled->function, start, budget, &stop, used))
        return stop;
    shade_warp_begin(start->warp, start->program, start->io, start->lanes, start->helpers);
    return shade_run(start->warp, budget, used);
}

static struct shade_key key_of(const struct shade_io *io) {
    const bool given[] = {io->inputs,      io->outputs, io->vertices,     io->emission, io->specials,
                          io->slots,       io->load,    io->store,        io->texture,  io->surface,
                          io->interpolate, io->pixel,   io->not_executed, io->patch};
    struct shade_key key;
    memset(&key, 0, sizeof key);
    for (unsigned i = 0; i < sizeof given / sizeof given[0]; i++)
        key.given |= given[i] ? 1u << i : 0;
    key.local_window = io->local_window;
    key.shared_window = io->shared_window;
    key.registers = io->registers;
    key.texture_bank = io->texture_bank;
    key.quads = io->quads;
    key.flat = io->flat;
    key.grouped = io->grouped;
    key.collects = io->collects;
    return key;
}

/* ---- the functions of a device ---- */

static void compiled_free(struct shade_cache *cache, struct shade_compiled *compiled) {
    const struct shade_executor *executor = compiled->executor;
    assert(!compiled->users);
    if (compiled->function)
        executor->free(executor->opaque, compiled->function);
    cache_drop(cache, compiled->listing.codes, compiled->listing.count);
    free(compiled->listing.codes);
    free(compiled);
}

void shade_compiled_free(struct shade_cache *cache) {
    while (cache->compiled) {
        struct shade_compiled *compiled = cache->compiled;
        cache->compiled = compiled->next;
        compiled_free(cache, compiled);
    }
    cache->compiled_count = cache->compiled_idle = 0;
}

/* Instructions are the same if they are in the same place of the cache. */
static bool is_same(const struct shade_compiled *compiled, const struct shade_listing *listing,
                    const struct shade_key *key) {
    const struct shade_listing *has = &compiled->listing;
    return has->isa == listing->isa && has->entry == listing->entry && has->count == listing->count &&
           memcmp(&compiled->key, key, sizeof *key) == 0 &&
           memcmp(has->codes, listing->codes, listing->count * sizeof *listing->codes) == 0;
}

/* The one that is there, in use and first of the list. The lock is held. */
static struct shade_compiled *find(struct shade_cache *cache, const struct shade_listing *listing,
                                   const struct shade_key *key) {
    struct shade_compiled **at = &cache->compiled;
    while (*at && !is_same(*at, listing, key))
        at = &(*at)->next;
    struct shade_compiled *found = *at;
    if (!found)
        return NULL;
    *at = found->next;
    found->next = cache->compiled;
    cache->compiled = found;
    cache->compiled_idle -= !found->users++;
    return found;
}

static struct shade_compiled *find_locked(struct shade_cache *cache, const struct shade_listing *listing,
                                          const struct shade_key *key) {
    pthread_mutex_lock(&cache->lock);
    struct shade_compiled *found = find(cache, listing, key);
    pthread_mutex_unlock(&cache->lock);
    return found;
}

/* Takes the list. Another thread may have been faster. */
static struct shade_compiled *add(struct shade_cache *cache, const struct shade_listing *listing,
                                  const struct shade_key *key) {
    const struct shade_executor *executor = cache->executor;
    struct shade_compiled *made = calloc(1, sizeof *made), *found;
    if (!made) {
        free(listing->codes);
        return NULL;
    }
    *made = (struct shade_compiled){.executor = executor, .key = *key, .listing = *listing, .users = 1};
    cache_share(cache, listing->codes, listing->count);
    made->function = executor->compile(executor->opaque, listing, key);
    pthread_mutex_lock(&cache->lock);
    found = find(cache, listing, key);
    if (!found) {
        made->next = cache->compiled;
        cache->compiled = made;
        cache->compiled_count++;
    }
    pthread_mutex_unlock(&cache->lock);
    if (!found)
        return made;
    made->users = 0;
    compiled_free(cache, made);
    return found;
}

/* The last of the list that nobody has; it is taken out. */
static struct shade_compiled *take_oldest(struct shade_cache *cache) {
    struct shade_compiled **oldest = NULL;
    for (struct shade_compiled **at = &cache->compiled; *at; at = &(*at)->next)
        oldest = (*at)->users ? oldest : at;
    assert(oldest);
    struct shade_compiled *compiled = *oldest;
    *oldest = compiled->next;
    cache->compiled_count--;
    cache->compiled_idle--;
    return compiled;
}

static void give_back(struct shade_cache *cache, struct shade_compiled *compiled) {
    struct shade_compiled *dropped = NULL;
    pthread_mutex_lock(&cache->lock);
    assert(compiled->users);
    cache->compiled_idle += !--compiled->users;
    if (cache->compiled_idle > SHADE_FUNCTIONS_IDLE)
        dropped = take_oldest(cache);
    pthread_mutex_unlock(&cache->lock);
    if (dropped)
        compiled_free(cache, dropped);
}

/* ---- of a program ---- */

void program_functions_free(struct shade_cache *cache, struct program_functions *functions) {
    for (unsigned i = 0; i < functions->count; i++)
        if (functions->compiled[i])
            give_back(cache, functions->compiled[i]);
    *functions = (struct program_functions){0};
}

static struct shade_compiled *look_up(struct shade_program *program, struct shade_cache *cache, struct shade_key key) {
    struct shade_listing listing;
    if (!shade_program_list(program, &listing))
        return NULL;
    if (cache->executor->key)
        cache->executor->key(cache->executor->opaque, &listing, &key);
    struct shade_compiled *found = find_locked(cache, &listing, &key);
    if (!found)
        return add(cache, &listing, &key);
    free(listing.codes);
    return found;
}

const struct shade_compiled *shade_compile(struct shade_program *program, const struct shade_io *io) {
    struct program_functions *functions = program_functions_of(program);
    struct shade_cache *cache = program_cache(program);
    if (!cache->executor)
        return NULL;
    struct shade_key key = key_of(io);
    unsigned i = 0;
    while (i < functions->count && memcmp(&functions->key[i], &key, sizeof key) != 0)
        i++;
    if (i == SHADE_PROGRAM_FUNCTIONS)
        return NULL;
    if (i == functions->count) {
        functions->key[i] = key;
        functions->compiled[i] = look_up(program, cache, key);
        functions->count++;
    }
    const struct shade_compiled *compiled = functions->compiled[i];
    return compiled && compiled->function ? compiled : NULL;
}
