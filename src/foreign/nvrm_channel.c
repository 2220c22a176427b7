/* SPDX-License-Identifier: MIT */
/*
 * Channels: what is queued when the program writes to a USER area or to a ring.
 *
 * A ring is followed by GP_PUT if its USER area is mapped, else, as demmt does it, by what is written to its entries: an
 * entry is queued when its second word is written. Of a channel of which the log does not say where its ring is, it is
 * where the first entry is written that points to the beginning of what is mapped. Channels of NV40 have no ring; their
 * words are those from PUT to the next PUT.
 */
#include "foreign/nvrm_state.h"

#include <stdlib.h>

#include "grammar/grammar.h"
#include "hw/user.h"
#include "memory/little_endian.h"

enum {
    ENTRY_BYTES = 8,
    ARGUMENT_BYTES = 24, /* two handles, the ring's address and its entries */
};

static const struct nvrm_channel_class {
    uint16_t oclass;
    bool has_ring, has_objects;
} channel_classes[] = {
    {0x406e, false, true}, {0x446e, false, true},                                               /* NV40, NV44 */
    {0x506f, true, true},  {0x826f, true, true},  {0x866f, true, true},                         /* G80, G82, MCP89 */
    {0x906f, true, false}, {0xa06f, true, false}, {0xa16f, true, false}, {0xa26f, true, false}, /* Fermi, Kepler */
    {0xb06f, true, false}, {0xc06f, true, false}, {0xc36f, true, false}, {0xc46f, true, false}, /* Maxwell to Turing */
};

static const struct nvrm_channel_class *find_class(uint32_t oclass) {
    for (size_t i = 0; i < sizeof channel_classes / sizeof channel_classes[0]; i++)
        if (channel_classes[i].oclass == oclass)
            return &channel_classes[i];
    return NULL;
}

bool nvrm_is_channel(uint32_t oclass) {
    return find_class(oclass) != NULL;
}

/* ---- there it is, and is no longer ---- */

static void nvrm_ring_found(struct nvrm *nvrm, struct nvrm_channel *channel, struct nvrm_memory *memory,
                            uint64_t offset) {
    channel->memory = nvrm_memory_keep(memory);
    channel->offset = offset;
    memory->rings++;
    nvrm->unknown_rings--;
}

void nvrm_channels_look(struct nvrm *nvrm) {
    for (size_t i = 0; i < nvrm->channels && nvrm->unknown_rings; i++) {
        struct nvrm_channel *channel = nvrm->channel[i];
        const struct nvrm_place *place = channel->ring && !channel->memory ? nvrm_place_at(nvrm, channel->ring) : NULL;
        if (place)
            nvrm_ring_found(nvrm, channel, place->memory, place->offset + (channel->ring - place->address));
    }
}

bool nvrm_channel_make(struct nvrm *nvrm, struct nvrm_object *object, const struct mmt_memory *arguments, size_t at) {
    const struct nvrm_channel_class *type = find_class(object->oclass);
    struct nvrm_channel *channel;

    if (nvrm->channels == NVRM_CHANNELS)
        return nvrm_leave_out(nvrm, at, "there are too many channels");
    channel = calloc(1, sizeof *channel);
    if (!channel)
        return nvrm_no_memory(nvrm);
    *channel = (struct nvrm_channel){.number = nvrm->next_channel++, .has_ring = type->has_ring};
    nvrm->needs_objects = nvrm->needs_objects || type->has_objects;
    if (type->has_ring && arguments && arguments->bytes >= ARGUMENT_BYTES) {
        channel->ring = load_le64(arguments->data + 8);
        channel->entries = load_le32(arguments->data + 16);
    }
    nvrm->channel[nvrm->channels++] = channel;
    nvrm->unknown_rings += type->has_ring;
    nvrm_channels_look(nvrm);
    object->channel = channel;
    object->is_channel = true;
    const struct pfifo_stream_chan chan = {.channel = channel->number,
                                           .pushbuf_domains = PFIFO_STREAM_VRAM | PFIFO_STREAM_GART};
    return nvrm_append(nvrm, (struct pfifo_stream_record){.type = PFIFO_STREAM_CHAN, .chan = chan});
}

bool nvrm_channel_remove(struct nvrm *nvrm, struct nvrm_channel *channel) {
    const uint32_t number = channel->number;
    size_t i = 0;

    while (nvrm->channel[i] != channel)
        i++;
    nvrm->channel[i] = nvrm->channel[--nvrm->channels];
    if (channel->memory)
        channel->memory->rings--;
    else
        nvrm->unknown_rings -= channel->has_ring;
    nvrm_memory_drop(nvrm, channel->memory);
    free(channel);
    return nvrm->ending ||
           nvrm_append(nvrm, (struct pfifo_stream_record){.type = PFIFO_STREAM_CHANFREE, .chanfree = {number}});
}

/* ---- rings ---- */

static bool has_put(const struct nvrm_channel *channel) {
    return channel->has_user && channel->entries && channel->entries <= NVRM_RING;
}

struct ring_entry {
    uint32_t low, high;
    uint64_t address, bytes;
};

static struct ring_entry read_entry(const struct nvrm_memory *memory, uint64_t at) {
    struct ring_entry entry;
    uint8_t data[ENTRY_BYTES];

    foreign_pages_read(&memory->pages, 0, at, data, sizeof data);
    entry.low = load_le32(data);
    entry.high = load_le32(data + 4);
    entry.address = (uint64_t)(entry.high & 0xff) << 32 | (entry.low & ~3u);
    entry.bytes = 4 * (uint64_t)(entry.high >> 10 & 0x1fffff);
    return entry;
}

static bool collect_entry(struct nvrm *nvrm, const struct nvrm_channel *channel, uint64_t number) {
    const struct ring_entry entry = read_entry(channel->memory, channel->offset + ENTRY_BYTES * number);

    return nvrm_collect(nvrm, entry.address, entry.bytes, entry.high >> 31 ? FOREIGN_NO_PREFETCH : 0);
}

static bool follow_ring(struct nvrm *nvrm, struct nvrm_channel *channel, uint32_t put) {
    uint32_t queued;

    if (!has_put(channel) || !channel->memory)
        return true;
    if (put >= channel->entries)
        return nvrm_leave_out(nvrm, nvrm->file->at, "GP_PUT is beyond the ring");
    queued = (put + channel->entries - channel->next) % channel->entries;
    if (!nvrm_spend(nvrm, queued))
        return false;
    for (uint32_t i = 0; i < queued; i++)
        if (!collect_entry(nvrm, channel, (channel->next + i) % channel->entries))
            return false;
    channel->next = put;
    return nvrm_submit(nvrm, channel);
}

/* Entries whose second words were written. */
static bool follow_entries(struct nvrm *nvrm, struct nvrm_channel *channel, uint64_t at, size_t bytes) {
    const uint64_t end = at + bytes;
    uint64_t number;

    if (has_put(channel) || end <= channel->offset)
        return true;
    number = at > channel->offset ? (at - channel->offset) / ENTRY_BYTES : 0;
    for (; channel->offset + ENTRY_BYTES * (number + 1) <= end; number++) {
        if (channel->entries && number >= channel->entries)
            break;
        if (!collect_entry(nvrm, channel, number))
            return false;
        channel->next = channel->entries ? (uint32_t)((number + 1) % channel->entries) : 0;
    }
    return nvrm_submit(nvrm, channel);
}

/* Of the first channel whose ring is not known. */
static void guess_ring(struct nvrm *nvrm, struct nvrm_memory *memory, uint64_t at, size_t bytes) {
    const uint64_t begin = (at + bytes) / ENTRY_BYTES * ENTRY_BYTES - ENTRY_BYTES;
    const struct nvrm_place *place;
    struct ring_entry entry;

    if (at + bytes < ENTRY_BYTES || at >= begin + ENTRY_BYTES || !memory->places)
        return;
    entry = read_entry(memory, begin);
    place = entry.low && entry.high && !(entry.low & 3) ? nvrm_place_at(nvrm, entry.address) : NULL;
    if (!place || place->address != entry.address || place->bytes < entry.bytes || place->memory == memory)
        return;
    for (size_t i = 0; i < nvrm->channels; i++)
        if (nvrm->channel[i]->has_ring && !nvrm->channel[i]->memory && !nvrm->channel[i]->ring) {
            nvrm_ring_found(nvrm, nvrm->channel[i], memory, begin);
            return;
        }
}

/* ---- pushbuffers without rings ---- */

/* The jump that is read first from `at` on. False: there is none in the place. */
static bool find_jump(struct nvrm *nvrm, const struct nvrm_place *place, uint64_t *at, uint64_t *target) {
    struct grammar_word word;
    uint8_t bytes[4];
    uint32_t data = 0;

    for (; *at + 4 <= place->address + place->bytes; *at += 4) {
        if (!nvrm_spend(nvrm, 1))
            return false;
        foreign_pages_read(&place->memory->pages, 0, place->offset + (*at - place->address), bytes, sizeof bytes);
        if (data) {
            data--;
            continue;
        }
        switch (grammar_decode(&grammar_nv40, GRAMMAR_DMA, load_le32(bytes), &word)) {
        case FORM_OLD_JUMP:
        case FORM_JUMP:
            *target = word.target;
            return true;
        case FORM_INVALID:
            return false;
        default:
            data = word.count;
        }
    }
    return false;
}

static bool follow_pushbuffer(struct nvrm *nvrm, struct nvrm_channel *channel, uint32_t put) {
    const struct nvrm_place *place = nvrm_place_at(nvrm, put);
    uint64_t begin, jump, target = 0;

    if (!place)
        return nvrm_leave_out(nvrm, nvrm->file->at, "PUT is where nothing is mapped");
    begin = channel->place == place->handle ? channel->put : place->address;
    channel->place = place->handle;
    channel->put = put;
    if (put < begin) {
        jump = begin;
        if (!find_jump(nvrm, place, &jump, &target) || target < place->address || target > put)
            return nvrm->steps > NVRM_STEPS ? false
                                            : nvrm_leave_out(nvrm, nvrm->file->at, "PUT goes back, and no jump does");
        if (!nvrm_collect(nvrm, begin, jump - begin, PFIFO_STREAM_PUSH_RING))
            return false;
        begin = target;
    }
    return nvrm_collect(nvrm, begin, put - begin, PFIFO_STREAM_PUSH_RING) && nvrm_submit(nvrm, channel);
}

/* ---- writes ---- */

/* Is all of this word written? Its value is what is there now. */
static bool word_written(const struct nvrm_memory *memory, uint64_t at, size_t bytes, uint64_t word, uint32_t *value) {
    uint8_t now[4];

    if (at > word || at + bytes < word + sizeof now)
        return false;
    foreign_pages_read(&memory->pages, 0, word, now, sizeof now);
    *value = load_le32(now);
    return true;
}

bool nvrm_channels_written(struct nvrm *nvrm, struct nvrm_memory *memory, uint64_t at, size_t bytes) {
    struct nvrm_channel *user = memory->channel;
    uint32_t put;

    if (user && word_written(memory, at, bytes, user->has_ring ? NV_USER_IB_PUT : NV_USER_DMA_PUT, &put))
        return user->has_ring ? follow_ring(nvrm, user, put) : follow_pushbuffer(nvrm, user, put);
    if (nvrm->unknown_rings)
        guess_ring(nvrm, memory, at, bytes);
    for (size_t i = 0; memory->rings && i < nvrm->channels; i++)
        if (nvrm->channel[i]->memory == memory && !follow_entries(nvrm, nvrm->channel[i], at, bytes))
            return false;
    return true;
}
