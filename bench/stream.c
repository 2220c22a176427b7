/* SPDX-License-Identifier: MIT */
#include "stream.h"

const char *const bench_kind_names[BENCH_KINDS] = {"mix", "state", "bulk"};

#define MAX_COUNT 2047u

static uint32_t nv4_header(bool nonincreasing, uint32_t subchannel, uint32_t method, uint32_t count) {
    return (nonincreasing ? 0x40000000u : 0) | count << 18 | subchannel << 13 | method;
}

static uint32_t gf100_header(bool nonincreasing, uint32_t subchannel, uint32_t method, uint32_t count) {
    return (nonincreasing ? 0x60000000u : 0x20000000u) | count << 16 | subchannel << 13 | method >> 2;
}

static uint32_t gf100_immediate(uint32_t subchannel, uint32_t method, uint32_t data) {
    return 0x80000000u | (data & 0x1fff) << 16 | subchannel << 13 | method >> 2;
}

const struct bench_format bench_format_nv4 = {nv4_header, NULL, 0x200, 0x1f00, 0x00020000};
const struct bench_format bench_format_g80 = {nv4_header, NULL, 0x200, 0x1f00, 0};
const struct bench_format bench_format_gf100 = {gf100_header, gf100_immediate, 0x200, 0x3300, 0};
const struct bench_format bench_format_gf100_state = {gf100_header, gf100_immediate, 0x800, 0xd00, 0};

static uint32_t next(uint32_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

struct packet {
    bool nonincreasing, immediate;
    uint32_t count;
};

static struct packet choose(enum bench_kind kind, uint32_t *seed) {
    uint32_t tenth = next(seed) % 10;
    if (kind == BENCH_BULK)
        return (struct packet){.nonincreasing = true, .count = 256 + next(seed) % (MAX_COUNT - 255)};
    if (tenth < 5)
        return (struct packet){.count = 1 + next(seed) % 8};
    if (tenth < 7)
        return (struct packet){.count = 1};
    if (tenth == 9)
        return (struct packet){.immediate = true, .count = 1};
    if (kind == BENCH_MIX)
        return (struct packet){.nonincreasing = true, .count = 16 + next(seed) % 33};
    return (struct packet){.count = 1 + next(seed) % 8};
}

size_t bench_fill(const struct bench_format *format, enum bench_kind kind, uint32_t *seed, uint32_t *words, size_t max,
                  uint64_t *methods) {
    size_t at = 0;
    while (at + MAX_COUNT + 2 < max) {
        struct packet packet = choose(kind, seed);
        uint32_t subchannel = next(seed) & 3;
        uint32_t methods_of_format = (format->last_method - format->first_method) / 4;
        uint32_t method = format->first_method + 4 * (next(seed) % methods_of_format);
        *methods += packet.count;
        if (packet.immediate && format->immediate) {
            words[at++] = format->immediate(subchannel, method, next(seed));
            continue;
        }
        words[at++] = format->header(packet.nonincreasing, subchannel, method, packet.count);
        for (uint32_t i = 0; i < packet.count; i++)
            words[at++] = next(seed);
    }
    if (format->end)
        words[at++] = format->end;
    return at;
}
