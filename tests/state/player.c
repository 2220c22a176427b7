/* SPDX-License-Identifier: MIT */
#include "state/player.h"

#include <stdlib.h>
#include <string.h>

#include "state/raw.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define PUSH_BYTES 0x10000u
#define DATA_BYTES 0x1000u
#define MEMORY     (UINT64_C(32) << 20)

#define VRAM_HANDLE 0xbeef0201u
#define GART_HANDLE 0xbeef0202u
#define SEMAPHORE   0xbeef0500u
#define SOFTWARE    0xbeef506eu
#define GRAPHICS    0xbeef0097u

const struct player_part player_parts[] = {
    {"NV40", 0x4097, 0x406e, PLAYER_OLD_SEMAPHORE, false, true},
    {"NV44A", 0x4497, 0x446e, PLAYER_OLD_SEMAPHORE, false, true},
    {"G80", 0x5097, 0x506e, PLAYER_OLD_SEMAPHORE, false, false},
    {"G84", 0x8297, 0x506e, PLAYER_NEW_SEMAPHORE, false, false},
    {"MCP89", 0x8697, 0x506e, PLAYER_NEW_SEMAPHORE, false, false},
    {"GF100", 0x9097, 0x906e, PLAYER_NEW_SEMAPHORE, true, false},
    {"GK104", 0xa097, 0x906e, PLAYER_NEW_SEMAPHORE, true, false},
    {"GM107", 0xb097, 0x906e, PLAYER_NEW_SEMAPHORE, true, false},
    {"GM20B", 0xb197, 0x906e, PLAYER_NEW_SEMAPHORE, true, false},
    {"GP102", 0xc197, 0x906e, PLAYER_NEW_SEMAPHORE, true, false},
    {.chip = "NV1"},
    {.chip = "NV3"},
    {.chip = "NV3T"},
    {.chip = "NV4"},
    {.chip = "NV5"},
    {.chip = "NV10"},
    {.chip = "NV17"},
    {.chip = "NV35"},
    {.chip = "NV40"},
    {.chip = "NV44"},
    {.chip = "G84"},
    {.chip = "GF100"},
    {.chip = "GM107"},
};
const size_t player_part_count = COUNT_OF(player_parts);

/* ---- events ---- */

static void mix(uint64_t *digest, uint64_t value) {
    *digest = (*digest ^ value) * UINT64_C(0x100000001b3);
    *digest ^= *digest >> 29;
}

void player_observe(void *opaque, const struct pfifo_event *event) {
    struct player_log *log = opaque;
    log->events++;
    log->last = *event;
    mix(&log->digest, event->id);
    mix(&log->digest, event->order);
    mix(&log->digest, event->time);
    mix(&log->digest, event->channel);
    for (unsigned i = 0; i < pfifo_event_info(event->id)->fields; i++)
        mix(&log->digest, event->value[i]);
    for (const char *at = event->text; at && *at; at++)
        mix(&log->digest, (uint64_t)*at);
}

/* ---- setting up ---- */

static bool open_channel(struct player *player, unsigned n) {
    const struct pfifo_channel_config config = {.vram_handle = VRAM_HANDLE, .gart_handle = GART_HANDLE};
    struct pfifo_channel *channel = player->channel[n] = pfifo_channel_open(player->device, &config, NULL);
    if (!channel)
        return false;
    pfifo_channel_object(channel, GRAPHICS, player->part->graphics, NULL);
    pfifo_channel_object(channel, SOFTWARE, player->part->software, NULL);
    if (!player->part->fermi)
        pfifo_channel_dma_object(channel, SEMAPHORE, player->data, 0, DATA_BYTES, NULL);
    return true;
}

static bool open_device(struct player *player) {
    player->push = pfifo_buffer_new(player->device, PFIFO_GART, PUSH_BYTES, 0, NULL);
    player->data = pfifo_buffer_new(player->device, PFIFO_VRAM, DATA_BYTES, 0, NULL);
    bool complete = player->push && player->data;
    for (unsigned i = 0; i < PLAYER_CHANNELS; i++)
        complete = complete && open_channel(player, i);
    return complete;
}

bool player_open(struct player *player, const struct player_part *part, bool materialise, const char *observed,
                 struct choice *choice) {
    const struct pfifo_device_config config = {.gpu = {.chip = pfifo_chip_by_name(part->chip),
                                                       .vram_bytes = MEMORY,
                                                       .system_bytes = MEMORY,
                                                       .materialise_cache = materialise}};
    *player = (struct player){.part = part};
    if (part->graphics)
        player->device = pfifo_device_open(&config, NULL);
    player->gpu = player->device ? pfifo_device_gpu(player->device) : pfifo_gpu_new(&config.gpu, NULL);
    if (!player->gpu || (part->graphics && !player->device))
        return false;
    if (observed && pfifo_gpu_observe(player->gpu, observed, player_observe, &player->log, NULL) != PFIFO_OK)
        return false;
    if (!player->device)
        raw_start(player->gpu, choice);
    return !player->device || open_device(player);
}

void player_close(struct player *player) {
    if (player->device)
        pfifo_device_close(player->device);
    else
        pfifo_gpu_free(player->gpu);
    *player = (struct player){.part = player->part};
}

/* ---- commands ---- */

struct words {
    uint32_t word[512];
    size_t count;
};

static void add(struct words *words, uint32_t word) {
    if (words->count < COUNT_OF(words->word))
        words->word[words->count++] = word;
}

static void header(const struct player *player, struct words *words, uint32_t subchannel, uint32_t method,
                   uint32_t count, bool increasing) {
    if (player->part->fermi)
        add(words, (increasing ? 1u : 3u) << 29 | count << 16 | subchannel << 13 | method >> 2);
    else
        add(words, (increasing ? 0 : 1u << 30) | count << 18 | subchannel << 13 | method);
}

static void method(const struct player *player, struct words *words, uint32_t subchannel, uint32_t number,
                   uint32_t data) {
    header(player, words, subchannel, number, 1, true);
    add(words, data);
}

static uint64_t somewhere(const struct player *player, struct choice *c) {
    return pfifo_buffer_address(player->data) + 16 * choice_below(c, 16);
}

static void semaphore(const struct player *player, struct words *words, struct choice *c) {
    uint64_t address = somewhere(player, c);
    uint32_t value = choice_below(c, 4), operation = choice_once_in(c, 3) ? 1 : 2;
    if (player->part->semaphores == PLAYER_OLD_SEMAPHORE) {
        method(player, words, 0, 0x60, SEMAPHORE);
        method(player, words, 0, 0x64, 16 * choice_below(c, 16));
        method(player, words, 0, operation == 1 ? 0x68 : 0x6c, value);
        return;
    }
    if (!player->part->fermi)
        method(player, words, 0, 0x60, VRAM_HANDLE);
    header(player, words, 0, 0x10, 4, true);
    add(words, (uint32_t)(address >> 32));
    add(words, (uint32_t)address);
    add(words, value);
    add(words, operation == 1 && choice_once_in(c, 2) ? 4 : operation);
}

/* A fence of the 3D class, or a wait for one. */
static void fence(const struct player *player, struct words *words, struct choice *c) {
    uint64_t address = somewhere(player, c);
    if (!player->part->fermi)
        method(player, words, 0, 0x188, VRAM_HANDLE);
    header(player, words, 0, 0x1b00, 4, true);
    add(words, (uint32_t)(address >> 32));
    add(words, (uint32_t)address);
    add(words, choice_below(c, 4));
    add(words, choice_once_in(c, 4) ? 1 : 0x10000000 | choice_below(c, 2) << 20);
}

static void plain(const struct player *player, struct words *words, struct choice *c) {
    uint32_t count = choice_between(c, 1, 60), subchannel = choice_once_in(c, 4) ? choice_below(c, 8) : 0;
    header(player, words, subchannel, 0x200 + 4 * choice_below(c, 0x300), count, choice_once_in(c, 2));
    while (count--)
        add(words, choice_word(c));
}

static void host(const struct player *player, struct words *words, struct choice *c) {
    static const uint16_t methods[] = {0x50, 0x80, 0x08, 0x24, 0x20, 0x28, 0x78, 0x7c, 0x34};
    method(player, words, choice_below(c, 2), methods[choice_below(c, COUNT_OF(methods))], choice_below(c, 4));
}

static void bind(const struct player *player, struct words *words, struct choice *c) {
    uint32_t subchannel = choice_below(c, 8);
    if (choice_once_in(c, 6))
        method(player, words, subchannel, 0, player->part->fermi ? 0x1f0000 | player->part->software : SOFTWARE);
    else
        method(player, words, choice_once_in(c, 2) ? 0 : subchannel, 0,
               player->part->fermi ? player->part->graphics : GRAPHICS);
}

static void packet(const struct player *player, struct words *words, struct choice *c) {
    switch (choice_below(c, 12)) {
    case 0:
    case 1:
        bind(player, words, c);
        return;
    case 2:
    case 3:
        semaphore(player, words, c);
        return;
    case 4:
    case 5:
        fence(player, words, c);
        return;
    case 6:
        host(player, words, c);
        return;
    case 7:
        method(player, words, 0, player->part->fermi ? 0x110 : 0x104, choice_below(c, 3));
        return;
    case 8:
        if (choice_once_in(c, 6))
            add(words, choice_word(c)); /* anything */
        return;
    default:
        plain(player, words, c);
        return;
    }
}

static void submit(struct player *player, struct choice *c) {
    struct words words = {.count = 0};
    unsigned packets = choice_between(c, 1, 12), channel = choice_below(c, PLAYER_CHANNELS);
    while (packets--)
        packet(player, &words, c);
    words.count -= words.count > 500 ? 12 : 0;
    if (player->part->calls)
        add(&words, 0x00020000);
    if (words.count == 0)
        return;
    uint32_t bytes = 4 * (uint32_t)words.count;
    if (player->cursor + bytes > PUSH_BYTES)
        player->cursor = 0;
    for (size_t i = 0; i < words.count; i++) {
        uint32_t w = words.word[i];
        const uint8_t le[4] = {(uint8_t)w, (uint8_t)(w >> 8), (uint8_t)(w >> 16), (uint8_t)(w >> 24)};
        pfifo_buffer_write(player->push, player->cursor + 4 * i, le, sizeof le);
    }
    pfifo_channel_submit(player->channel[channel], pfifo_buffer_address(player->push) + player->cursor, bytes,
                         choice_below(c, 2), NULL);
    player->cursor += bytes;
}

/* What somebody may wait for. */
static void write_data(struct player *player, struct choice *c) {
    uint8_t value[4] = {(uint8_t)choice_below(c, 4)};
    pfifo_buffer_write(player->data, 16 * choice_below(c, 16), value, sizeof value);
}

static uint32_t any_register(struct choice *c) {
    static const uint32_t bases[] = {0x2000,  0x2100, 0x2200,   0x3200,   0x3300, 0x40000,
                                     0x42000, 0x9000, 0x100c00, 0x400100, 0x0,    0x1700};
    return bases[choice_below(c, COUNT_OF(bases))] + 4 * choice_below(c, 0x80);
}

void player_step(struct player *player, struct choice *c) {
    if (!player->device) {
        raw_step(player->gpu, c);
        return;
    }
    switch (choice_below(c, 16)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
        submit(player, c);
        return;
    case 5:
    case 6:
    case 7:
        pfifo_device_run(player->device, choice_below(c, 300));
        return;
    case 8:
    case 9:
    case 10:
    case 11:
        pfifo_gpu_run(player->gpu, choice_below(c, 200));
        return;
    case 12:
        if (choice_once_in(c, 4))
            pfifo_gpu_wr32(player->gpu, any_register(c), choice_word(c));
        return;
    case 13:
        pfifo_gpu_rd32(player->gpu, any_register(c));
        return;
    default:
        write_data(player, c);
        return;
    }
}

/* ---- saving ---- */

bool player_collect(void *opaque, const void *data, size_t bytes) {
    struct player_bytes *to = opaque;
    if (bytes > to->room - to->bytes) {
        size_t room = 2 * (to->bytes + bytes);
        uint8_t *larger = realloc(to->data, room);
        if (!larger)
            return false;
        to->data = larger;
        to->room = room;
    }
    memcpy(to->data + to->bytes, data, bytes);
    to->bytes += bytes;
    return true;
}

bool player_save(struct pfifo_gpu *gpu, struct player_bytes *bytes, struct pfifo_error *error) {
    *bytes = (struct player_bytes){NULL, 0, 0};
    return pfifo_gpu_save(gpu, player_collect, bytes, error) == PFIFO_OK;
}
