/* SPDX-License-Identifier: MIT */
/*
 * Where addresses and handles lead in the reference: instance memory, DMA objects, RAMHT.
 *
 *   NV4   instances are RAMIN >> 4; RAMIN is the end of VRAM, read backwards in chunks
 *   G80   instances are offsets >> 4 in the channel descriptor (g80_memory.c)
 */
#include "state.h"

#define RAMIN_BYTES(r)    (since(r, NV40) ? 0x1000000u : 0x100000u)
#define RAMHT_ALWAYS_FAIL 0x00040000u /* G80: DEBUG_1 */

/* The end of VRAM, read backwards in chunks. */
uint64_t ref_ramin_place(const struct reference *r, uint64_t address) {
    uint64_t chunk = r->chip->ramin_chunk;
    address %= RAMIN_BYTES(r); /* UNKNOWN: what lies beyond; chosen: it starts again */
    uint64_t within = address % chunk;
    return r->config.vram_bytes - chunk - (address - within) + within;
}

static struct place instance_place(const struct reference *r, uint64_t address) {
    if (!since(r, G80))
        return (struct place){REFERENCE_VRAM, ref_ramin_place(r, address)};
    struct place place = ref_g80_descriptor(r);
    place.address += address;
    return place;
}

uint32_t ref_instance_rd32(const struct reference *r, uint32_t instance, uint32_t offset) {
    struct place place = instance_place(r, ((uint64_t)instance << 4) + offset);
    return reference_memory_rd32(r, place.target, place.address);
}

/* ---- DMA objects ---- */

#define NV4_PRESENT 0x1000u
#define NV4_LINEAR  0x2000u

/* UNKNOWN: target 1 of NV4 objects; chosen: VRAM (xemu: tiled VRAM). */
static enum reference_target nv4_target(uint32_t target) {
    return target >= 2 ? REFERENCE_SYSTEM : REFERENCE_VRAM;
}

/* Page or base of the piece of an NV4 object that `offset` is in. */
static enum lookup nv4_place(const struct reference *r, const struct reference_pushbuffer *object, uint32_t offset,
                             struct place *place) {
    uint64_t a = (uint64_t)offset + (object->word[0] >> 20);
    place->target = nv4_target(object->word[0] >> 16 & 3);
    if (object->word[0] & NV4_LINEAR) {
        place->address = ((object->word[2] & 0xfffff000) + a) & 0xffffffff;
        return FOUND;
    }
    uint32_t pte = ref_instance_rd32(r, object->instance, (uint32_t)(8 + 4 * (a >> 12)));
    place->address = (pte & 0xfffff000) | (a & 0xfff);
    return pte & 1 ? FOUND : NO_PAGE;
}

static struct reference_pushbuffer object_at(const struct reference *r, uint32_t instance) {
    struct reference_pushbuffer object = {.known = true, .instance = instance};
    for (uint32_t i = 0; i < 4; i++)
        object.word[i] = ref_instance_rd32(r, instance, 4 * i);
    return object;
}

/*
 * Before G80 the pusher uses DMA_CTL and DMA_LIMIT, and a base that no register shows. It fetches these from the object
 * when DMA_CTL says that they are not valid.
 */
static void nv4_open(struct reference *r) {
    if (value_of(r, DMA_CTL) & AT_INFO)
        return;
    r->pushbuffer = object_at(r, value_of(r, DMA_INSTANCE));
    const uint32_t *w = r->pushbuffer.word;
    *reg(r, DMA_CTL) = AT_INFO | (w[0] >> 20 & 0xffc) | (w[0] & (NV4_PRESENT | NV4_LINEAR | 0x30000));
    *reg(r, DMA_LIMIT) = w[1] & ref_writable(r, DMA_LIMIT);
}

static enum lookup nv4_pushbuffer_place(struct reference *r, uint64_t address, struct place *place) {
    uint32_t ctl = value_of(r, DMA_CTL);
    struct reference_pushbuffer object = {.instance = value_of(r, DMA_INSTANCE)};
    object.word[0] = (ctl & 0xffc) << 20 | (ctl & (NV4_PRESENT | NV4_LINEAR | 0x30000));
    object.word[2] = r->pushbuffer.word[2];
    if (!(ctl & NV4_PRESENT) || address > (value_of(r, DMA_LIMIT) | 3))
        return NOT_FOUND;
    if (!since(r, NV5) && nv4_target(ctl >> 16 & 3) == REFERENCE_VRAM)
        return NOT_FOUND;
    return nv4_place(r, &object, (uint32_t)address, place);
}

/* From G80 on the pusher reads its object again after a channel load, or when the driver touched what it keeps of it.
 */
void ref_pushbuffer_open(struct reference *r) {
    if (!since(r, G80))
        nv4_open(r);
    else if (!r->pushbuffer.known)
        r->pushbuffer = object_at(r, value_of(r, DMA_INSTANCE));
}

/* A dword that is not in one piece has no place. */
static enum lookup g80_pushbuffer_place(struct reference *r, uint64_t address, struct place *place) {
    struct place byte[4];
    if (!ref_g80_place(r, &r->pushbuffer, address, 4, false, byte))
        return NOT_FOUND;
    *place = byte[0];
    return byte[3].target == byte[0].target && byte[3].address == byte[0].address + 3 ? FOUND : NO_PAGE;
}

enum lookup ref_pushbuffer_place(struct reference *r, uint64_t address, struct place *place) {
    return since(r, G80) ? g80_pushbuffer_place(r, address, place) : nv4_pushbuffer_place(r, address, place);
}

static uint32_t gather(const struct reference *r, const struct place byte[4]) {
    uint32_t word = 0;
    for (unsigned i = 0; i < 4; i++)
        word |= (reference_memory_rd32(r, byte[i].target, byte[i].address) & 0xff) << (8 * i);
    return word;
}

enum lookup ref_pushbuffer_rd32(struct reference *r, uint64_t address, uint32_t *word) {
    struct place place, byte[4];
    enum lookup result = ref_pushbuffer_place(r, address, &place);
    if (result == FOUND) {
        *word = reference_memory_rd32(r, place.target, place.address);
    } else if (since(r, G80) && ref_g80_place(r, &r->pushbuffer, address, 4, false, byte)) {
        *word = gather(r, byte);
        return FOUND;
    }
    return result;
}

/* NV1A: the page where a semaphore object begins. False: it has none. */
bool ref_first_page(struct reference *r, uint32_t instance, uint32_t *page) {
    struct reference_pushbuffer object = object_at(r, instance);
    struct place place;
    if (!(object.word[0] & NV4_PRESENT) || nv4_place(r, &object, 0, &place) != FOUND)
        return false;
    *page = (uint32_t)place.address & 0xfffff000;
    return true;
}

/* `address`: NV40 physical, G80 in the object of DMA_SEMAPHORE. A place for each byte. */
bool ref_semaphore_place(struct reference *r, uint64_t address, size_t bytes, bool write, struct place *place) {
    for (size_t i = 0; i < bytes; i++)
        place[i] = (struct place){nv4_target(value_of(r, PULL1) >> 16 & 3), address + i};
    if (!since(r, G80))
        return true;
    struct reference_pushbuffer object = object_at(r, value_of(r, SEMAPHORE) >> 16);
    return ref_g80_place(r, &object, address, bytes, write, place);
}

bool ref_semaphore_rd32(struct reference *r, uint64_t address, uint32_t *word) {
    struct place byte[4];
    if (!ref_semaphore_place(r, address, 4, false, byte))
        return false;
    *word = gather(r, byte);
    return true;
}

/* ---- RAMHT ---- */

/* Does the second word of a slot belong to the channel, and what does it say? An empty slot never matches. */
static bool read_context(const struct reference *r, uint32_t context, uint32_t channel, struct found *found) {
    if (context == 0)
        return false;
    if (since(r, G80)) {
        *found = (struct found){context & 0xffff, context >> 20 & 0xf};
        return true;
    }
    if (since(r, NV40)) {
        *found = (struct found){context & 0xfffff, context >> 20 & 7};
        return context >> 23 == channel;
    }
    *found = (struct found){context & 0xffff, context >> 16 & 3};
    return context >> 31 && (context >> 24 & ref_channel_mask(r)) == channel;
}

/*
 * index = handle folded to the width of the table; before G80 the channel goes into the four bits below its top.
 * Probing is linear. An empty slot does not end it.
 */
bool ref_ramht_find(struct reference *r, uint32_t handle, uint32_t channel, struct found *found) {
    uint32_t ramht = value_of(r, RAMHT);
    if (since(r, G80) && (value_of(r, DEBUG_1) & RAMHT_ALWAYS_FAIL))
        return false;
    unsigned bits = 9 + (since(r, G80) ? ramht >> 27 & 3 : ramht >> 16 & 3);
    uint32_t entries = 1u << bits, index = 0;
    for (unsigned bit = 0; bit < 32; bit++)
        index ^= (handle >> bit & 1) << bit % bits;
    if (!since(r, G80))
        index ^= channel << (bits - 4);
    uint32_t probes = ramht & 0x04000000 ? entries : 16u << (ramht >> 24 & 3);
    uint32_t table = since(r, G80) ? ramht & 0xffff : (ramht & 0x1f0) << 4; /* >> 4, as an instance */
    for (uint32_t n = 0; n < probes; n++) {
        uint32_t slot = (index + n) % entries * 8;
        uint32_t context = ref_instance_rd32(r, table, slot + 4);
        if (ref_instance_rd32(r, table, slot) == handle && read_context(r, context, channel, found))
            return true;
    }
    return false;
}
