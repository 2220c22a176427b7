/* SPDX-License-Identifier: MIT */
/*
 * Which channel comes next on G80 .. MCP89: playlist, kick, and the bit of the channel table that says who waits.
 *
 * Sources: envytools rnndb/fifo/g80_pfifo.xml; nouveau engine/fifo/nv50.c, channv50.c, chang84.c.
 * UNKNOWN: nearly all of the order in which channels come. Chosen: the next on the playlist that has work, after the
 * place of the one that is in; channel 127 is nobody, and channel 0 has no pushbuffer and needs no playlist to stay.
 */
#include "state.h"

#define NOBODY        UINT32_MAX
#define IDLE_CHANNEL  127u
#define PIO_CHANNEL   0u
#define ENABLED       0x80000000u /* CHAN_TABLE */
#define PENDING       0x40000000u
#define RELOAD        0x00000100u /* CACHES */
#define PLAYLIST_ROOM 128u
#define ENGINES       0x3fu
#define PME           0x04u
#define ADDRESS       0x0fffffffu /* of a descriptor pointer */

/* Nothing moves while PFIFO is off or frozen. */
static bool runs(const struct reference *r) {
    return (r->enable & 0x100) && !(value_of(r, FREEZE) & 1);
}

static bool is_enabled(const struct reference *r, uint32_t channel) {
    return (value_of(r, CHAN_TABLE + 4 * channel) & ENABLED) != 0;
}

static bool differ(const struct reference *r, uint32_t channel, uint32_t one, uint32_t other) {
    return ref_g80_state(r, channel, one) != ref_g80_state(r, channel, other);
}

/* Of a channel that is not in CACHE1. */
static bool has_work(const struct reference *r, uint32_t channel) {
    if (!is_enabled(r, channel) || channel == IDLE_CHANNEL)
        return false;
    if (ref_g80_saved(r, channel) != 0 || (ref_g80_state(r, channel, PULL1) & ACQUIRE_ACTIVE))
        return true;
    return channel != PIO_CHANNEL && (differ(r, channel, IB_PUT, IB_GET) || differ(r, channel, DMA_PUT, DMA_GET) ||
                                      differ(r, channel, DMA_PUT_HIGH, DMA_GET_HIGH));
}

/* UNKNOWN: what PENDING says; chosen: the channel waits to get into CACHE1. */
uint32_t ref_g80_table_entry(const struct reference *r, uint32_t channel) {
    bool waits = channel != ref_channel(r) && has_work(r, channel);
    return (value_of(r, CHAN_TABLE + 4 * channel) & ~PENDING) | (waits ? PENDING : 0);
}

/* ---- the playlist ---- */

static uint32_t listed(const struct reference *r, uint32_t index) {
    struct place list = ref_g80_pointed_to(r->playlist);
    return reference_memory_rd32(r, list.target, list.address + 4 * (uint64_t)index) & 0x7f;
}

static bool on_playlist(const struct reference *r, uint32_t channel, uint32_t *index) {
    for (*index = 0; *index < r->playlist_length; ++*index)
        if (listed(r, *index) == channel)
            return true;
    return false;
}

/* UINT32_MAX: nobody. */
uint32_t ref_g80_candidate(const struct reference *r) {
    uint32_t current = ref_channel(r), index, first = 0;
    if (on_playlist(r, current, &index))
        first = index + 1;
    for (uint32_t n = 0; n < r->playlist_length; n++) {
        uint32_t channel = listed(r, (first + n) % r->playlist_length);
        if (channel != current && has_work(r, channel))
            return channel;
    }
    return NOBODY;
}

/* UNKNOWN: when address and length are taken over; chosen: both are kept when the length is written ... */
void ref_g80_keep_playlist(struct reference *r) {
    uint32_t length = value_of(r, PLAYLIST_LENGTH) & (since(r, G84) ? 0xfff : 0xff);
    r->next_playlist = value_of(r, PLAYLIST);
    r->next_playlist_length = length < PLAYLIST_ROOM ? length : PLAYLIST_ROOM;
    r->playlist_waits = true;
}

/* ... and count from now on. Who is not on the list leaves. */
static void take_playlist(struct reference *r) {
    uint32_t channel = ref_channel(r), index;
    if (!r->playlist_waits)
        return;
    r->playlist_waits = false;
    r->playlist = r->next_playlist;
    r->playlist_length = r->next_playlist_length;
    if (!is_enabled(r, channel) || !(channel == PIO_CHANNEL || on_playlist(r, channel, &index)))
        ref_g80_leave(r);
}

void ref_g80_write_caches(struct reference *r, uint32_t value) {
    if ((value & RELOAD) && runs(r))
        take_playlist(r);
}

/* ---- kick ---- */

/* Which engines have to be through with the channel. */
static uint32_t engines_to_wait_for(const struct reference *r) {
    if (since(r, G84))
        return value_of(r, ENGINE_CTRL) & ENGINES;
    return r->pme & 1 ? ENGINES & ~PME : ENGINES;
}

static bool is_kicked(const struct reference *r, uint32_t channel) {
    return ((ref_g80_descriptor_pointer(r, channel) ^ value_of(r, KICK)) & ADDRESS) == 0;
}

static bool works_for_it(const struct reference *r, unsigned engine) {
    return (engines_to_wait_for(r) >> (engine - 1) & 1) && r->engine_channel[engine] != NOBODY &&
           is_kicked(r, r->engine_channel[engine]);
}

static bool is_busy(struct reference *r, unsigned engine) {
    r->serving = r->engine_channel[engine];
    return (r->config.engines >> engine & 1) && r->config.busy(r->config.opaque, engine);
}

static void try_kick(struct reference *r) {
    if (!r->kick_waits || !runs(r))
        return;
    for (unsigned engine = 1; engine < 7; engine++)
        if (works_for_it(r, engine) && is_busy(r, engine))
            return;
    for (unsigned engine = 1; engine < 7; engine++)
        if (works_for_it(r, engine))
            r->engine_channel[engine] = NOBODY;
    if (is_kicked(r, ref_channel(r)))
        ref_g80_leave(r);
    r->kick_waits = false;
}

void ref_g80_kick(struct reference *r) {
    r->kick_waits = true;
    try_kick(r);
}

/* UNKNOWN: what it reads when the channel is off; chosen: what was written. */
uint32_t ref_g80_read_kick(struct reference *r) {
    try_kick(r);
    return r->kick_waits ? 0xffffffff : value_of(r, KICK);
}

/* Before PFIFO works: what was asked for and had to wait. */
void ref_g80_begin(struct reference *r) {
    try_kick(r);
    take_playlist(r);
}
