/* SPDX-License-Identifier: MIT */
/* Decoded instructions of a device: a hash table by instruction set, address and bytes. */
#include "engine/shade/cache.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "engine/shade/interpret/interpret.h"
#include "isa/shader/operation.h"

#define FIRST_BUCKETS 256u

/* What an instruction was decoded of. */
struct cache_bytes {
    uint64_t words[ISA_MOST_BYTES / 8];
};

struct cache_entry {
    struct shade_code code; /* first: cache_drop() is given its address */
    const struct isa *isa;
    uint32_t address;
    uint32_t users;
    struct cache_bytes bytes;
    struct cache_entry *next;           /* of the bucket */
    struct cache_entry *before, *after; /* in the list of those without users */
    struct shade_code more[];           /* of an instruction of several operations, those after the first */
};

const struct shade_code shade_code_unreadable = {.word = SHADE_WORD_UNREADABLE};
const struct shade_code shade_code_misaligned = {.word = SHADE_WORD_MISALIGNED};

struct shade_cache *shade_cache_new(const struct shade_executor *executor) {
    struct shade_cache *cache = calloc(1, sizeof *cache);
    if (!cache)
        return NULL;
    if (pthread_mutex_init(&cache->lock, NULL) != 0) {
        free(cache);
        return NULL;
    }
    cache->executor = executor;
    return cache;
}

void shade_cache_free(struct shade_cache *cache) {
    if (!cache)
        return;
    shade_compiled_free(cache);
    for (uint32_t i = 0; i < cache->bucket_count; i++) {
        for (struct cache_entry *entry = cache->buckets[i], *next; entry; entry = next) {
            next = entry->next;
            assert(!entry->users);
            free(entry);
        }
    }
    free(cache->buckets);
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

struct shade_cache_use shade_cache_use(struct shade_cache *cache) {
    pthread_mutex_lock(&cache->lock);
    struct shade_cache_use use = {.instructions = cache->entries,
                                  .idle = cache->idle.count,
                                  .bytes = sizeof *cache + cache->bucket_count * sizeof *cache->buckets +
                                           cache->entries * sizeof(struct cache_entry),
                                  .decoded = cache->decoded,
                                  .found = cache->found,
                                  .dropped = cache->dropped};
    pthread_mutex_unlock(&cache->lock);
    return use;
}

/* ---- the list of those without users ---- */

static void idle_add(struct cache_list *list, struct cache_entry *entry) {
    entry->before = list->last;
    entry->after = NULL;
    *(list->last ? &list->last->after : &list->first) = entry;
    list->last = entry;
    list->count++;
}

static void idle_remove(struct cache_list *list, struct cache_entry *entry) {
    assert(list->count);
    *(entry->before ? &entry->before->after : &list->first) = entry->after;
    *(entry->after ? &entry->after->before : &list->last) = entry->before;
    list->count--;
}

/* ---- the table ---- */

static uint64_t mixed(uint64_t x) {
    return (x ^ x >> 32) * UINT64_C(0x9e3779b97f4a7c15);
}

/* One after the other: an address may also be in the bytes, as the target of a branch. */
static uint32_t hash_of(const struct isa *isa, uint32_t address, const struct cache_bytes *bytes) {
    uint64_t x = mixed(bytes->words[0] ^ (uintptr_t)isa);
    x = mixed(x ^ bytes->words[1]);
    return (uint32_t)(mixed(x ^ address) >> 32);
}

static struct cache_entry **bucket_of(struct shade_cache *cache, const struct isa *isa, uint32_t address,
                                      const struct cache_bytes *bytes) {
    assert(cache->bucket_count && !(cache->bucket_count & (cache->bucket_count - 1)));
    return &cache->buckets[hash_of(isa, address, bytes) & (cache->bucket_count - 1)];
}

/* Twice as many buckets. Without memory it stays as it is. */
static void grow(struct shade_cache *cache) {
    uint32_t count = cache->bucket_count, more = count ? 2 * count : FIRST_BUCKETS;
    struct cache_entry **buckets = calloc(more, sizeof(*buckets)), **old = cache->buckets;
    if (!buckets)
        return;
    cache->buckets = buckets;
    cache->bucket_count = more;
    for (uint32_t i = 0; i < count; i++) {
        for (struct cache_entry *entry = old[i], *next; entry; entry = next) {
            struct cache_entry **bucket = bucket_of(cache, entry->isa, entry->address, &entry->bytes);
            next = entry->next;
            entry->next = *bucket;
            *bucket = entry;
        }
    }
    free(old);
}

static void forget(struct shade_cache *cache, struct cache_entry *entry) {
    struct cache_entry **at = bucket_of(cache, entry->isa, entry->address, &entry->bytes);
    assert(!entry->users);
    while (*at != entry)
        at = &(*at)->next;
    *at = entry->next;
    idle_remove(&cache->idle, entry);
    cache->entries--;
    cache->dropped++;
    free(entry);
}

static struct cache_entry *find(struct shade_cache *cache, const struct isa *isa, uint32_t address,
                                const struct cache_bytes *bytes) {
    if (!cache->bucket_count)
        return NULL;
    struct cache_entry *entry = *bucket_of(cache, isa, address, bytes);
    while (entry &&
           (memcmp(&entry->bytes, bytes, sizeof *bytes) != 0 || entry->address != address || entry->isa != isa))
        entry = entry->next;
    return entry;
}

static bool is_guarded(const struct ir *ir) {
    return ir->guard != IR_TRUE || ir->guard_negate || ir->test != IR_TEST_TRUE;
}

/* One operation of an instruction; `whole`: what is kept of all of it. */
static void put_operation(struct shade_code *code, const struct ir *ir, uint32_t address, struct shade_code *whole) {
    struct ir_extent extent = ir_extent(ir);
    code->word = SHADE_WORD_OK;
    code->ir = *ir;
    code->ir.address = address;
    code->run = shade_operation(ir);
    code->guarded = is_guarded(ir);
    uint16_t rows = (extent.registers + 3u) & ~3u; /* so that few instructions have any to zero */
    whole->rows = rows > whole->rows ? rows : whole->rows;
    whole->named = extent.named > whole->named ? extent.named : whole->named;
}

/* All but the last operation compute values: what changes the flow comes last. */
static void put_operations(struct cache_entry *entry, const struct ir *ops, unsigned count, uint32_t address) {
    assert(count && count <= ISA_MOST_OPERATIONS);
    put_operation(&entry->code, &ops[0], address, &entry->code);
    for (unsigned i = 1; i < count; i++) {
        struct shade_code *before = i > 1 ? &entry->more[i - 2] : &entry->code;
        assert(before->run && !before->ir.join);
        before->more = &entry->more[i - 1];
        put_operation(&entry->more[i - 1], &ops[i], address, &entry->code);
    }
}

static struct cache_entry *decoded(const struct isa *isa, uint32_t address, const struct cache_bytes *bytes) {
    struct ir ops[ISA_MOST_OPERATIONS];
    uint8_t code[ISA_MOST_BYTES];
    memcpy(code, bytes, sizeof code);
    struct isa_decoded found = isa->decode(code, isa->bytes, address, ops, ISA_MOST_OPERATIONS);
    unsigned more = found.count > 1 ? found.count - 1u : 0;
    struct cache_entry *entry = calloc(1, sizeof *entry + more * sizeof entry->more[0]);
    if (!entry)
        return NULL;
    entry->code.word = found.result == ISA_SCHEDULE ? SHADE_WORD_SCHEDULE : SHADE_WORD_ILLEGAL;
    entry->code.bytes = found.bytes;
    entry->code.ir.address = address; /* of words for the scheduler, too */
    if (found.result == ISA_OK)
        put_operations(entry, ops, found.count, address);
    entry->code.simple = found.result == ISA_SCHEDULE || (entry->code.run && !entry->code.more && !entry->code.ir.join);
    return entry;
}

static struct cache_entry *add(struct shade_cache *cache, const struct isa *isa, uint32_t address,
                               const struct cache_bytes *bytes) {
    if (cache->entries >= cache->bucket_count)
        grow(cache);
    struct cache_entry *entry = cache->bucket_count ? decoded(isa, address, bytes) : NULL;
    if (!entry)
        return NULL;
    struct cache_entry **bucket = bucket_of(cache, isa, address, bytes);
    entry->isa = isa;
    entry->address = address;
    entry->bytes = *bytes;
    entry->next = *bucket;
    *bucket = entry;
    cache->entries++;
    cache->decoded++;
    return entry;
}

const struct shade_code *cache_take(struct shade_cache *cache, const struct isa *isa, uint32_t address,
                                    const uint8_t bytes[ISA_MOST_BYTES]) {
    struct cache_bytes key;
    memcpy(&key, bytes, sizeof key);
    pthread_mutex_lock(&cache->lock);
    struct cache_entry *entry = find(cache, isa, address, &key);
    if (entry) {
        cache->found++;
        if (!entry->users)
            idle_remove(&cache->idle, entry);
    } else {
        entry = add(cache, isa, address, &key);
    }
    if (entry)
        entry->users++;
    pthread_mutex_unlock(&cache->lock);
    return entry ? &entry->code : NULL;
}

/* NULL: it is in no cache. */
static struct cache_entry *entry_of(const struct shade_code *code) {
    bool kept = code && code != &shade_code_unreadable && code != &shade_code_misaligned;
    return kept ? (struct cache_entry *)code : NULL;
}

bool cache_is_of(const struct shade_code *code, const uint8_t bytes[ISA_MOST_BYTES]) {
    const struct cache_entry *entry = entry_of(code);
    return entry && memcmp(&entry->bytes, bytes, sizeof entry->bytes) == 0;
}

const uint8_t *cache_bytes_of(const struct shade_code *code) {
    const struct cache_entry *entry = entry_of(code);
    return entry ? (const uint8_t *)&entry->bytes : NULL;
}

void cache_share(struct shade_cache *cache, const struct shade_code *const *codes, uint32_t count) {
    pthread_mutex_lock(&cache->lock);
    for (uint32_t i = 0; i < count; i++) {
        struct cache_entry *entry = entry_of(codes[i]);
        assert(!entry || entry->users);
        if (entry)
            entry->users++;
    }
    pthread_mutex_unlock(&cache->lock);
}

void cache_drop(struct shade_cache *cache, const struct shade_code *const *codes, uint32_t count) {
    pthread_mutex_lock(&cache->lock);
    for (uint32_t i = 0; i < count; i++) {
        struct cache_entry *entry = entry_of(codes[i]);
        assert(!entry || entry->users);
        if (entry && !--entry->users)
            idle_add(&cache->idle, entry);
    }
    while (cache->idle.count > SHADE_CACHE_IDLE)
        forget(cache, cache->idle.first);
    pthread_mutex_unlock(&cache->lock);
}
