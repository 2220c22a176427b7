/* SPDX-License-Identifier: MIT */
#include "digest/digest.h"

#include <string.h>

enum { LENGTH_BYTES = 8 };

/* FIPS 180-4, 5.3.3: the fraction bits of the square roots of the first 8 primes. */
static const uint32_t initial_state[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

/* FIPS 180-4, 4.2.2: the fraction bits of the cube roots of the first 64 primes. */
static const uint32_t round_constant[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate_right(uint32_t x, unsigned n) {
    return x >> n | x << (32 - n);
}

static uint32_t load_big_endian(const uint8_t *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void store_big_endian(uint8_t *p, uint32_t x) {
    p[0] = (uint8_t)(x >> 24);
    p[1] = (uint8_t)(x >> 16);
    p[2] = (uint8_t)(x >> 8);
    p[3] = (uint8_t)x;
}

static void expand_schedule(uint32_t w[64], const uint8_t *block) {
    for (int t = 0; t < 16; t++)
        w[t] = load_big_endian(block + 4 * t);
    for (int t = 16; t < 64; t++) {
        uint32_t s0 = rotate_right(w[t - 15], 7) ^ rotate_right(w[t - 15], 18) ^ w[t - 15] >> 3;
        uint32_t s1 = rotate_right(w[t - 2], 17) ^ rotate_right(w[t - 2], 19) ^ w[t - 2] >> 10;

        w[t] = s1 + w[t - 7] + s0 + w[t - 16];
    }
}

static void compress(uint32_t state[8], const uint8_t *block) {
    uint32_t w[64];
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];

    expand_schedule(w, block);
    for (int t = 0; t < 64; t++) {
        uint32_t sum1 = rotate_right(e, 6) ^ rotate_right(e, 11) ^ rotate_right(e, 25);
        uint32_t t1 = h + sum1 + ((e & f) ^ (~e & g)) + round_constant[t] + w[t];
        uint32_t sum0 = rotate_right(a, 2) ^ rotate_right(a, 13) ^ rotate_right(a, 22);
        uint32_t t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));

        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
    state[5] += f;
    state[6] += g;
    state[7] += h;
}

void sha256_init(struct sha256 *sha) {
    memset(sha, 0, sizeof(*sha));
    memcpy(sha->state, initial_state, sizeof(sha->state));
}

void sha256_update(struct sha256 *sha, const void *data, size_t size) {
    const uint8_t *p = data;
    size_t waiting = (size_t)(sha->bytes % SHA256_BLOCK_BYTES);

    sha->bytes += size;
    if (waiting > 0) {
        size_t room = SHA256_BLOCK_BYTES - waiting;
        size_t part = size < room ? size : room;

        if (part > 0)
            memcpy(sha->block + waiting, p, part);
        if (part < room)
            return;
        compress(sha->state, sha->block);
        p += part;
        size -= part;
    }
    for (; size >= SHA256_BLOCK_BYTES; size -= SHA256_BLOCK_BYTES, p += SHA256_BLOCK_BYTES)
        compress(sha->state, p);
    if (size > 0)
        memcpy(sha->block, p, size);
}

/* FIPS 180-4, 5.1.1: a one bit, zeros, and the length in bits in the last 8 bytes of a block. */
void sha256_final(struct sha256 *sha, uint8_t digest[SHA256_BYTES]) {
    uint64_t bits = sha->bytes * 8;
    size_t used = (size_t)(sha->bytes % SHA256_BLOCK_BYTES);

    sha->block[used++] = 0x80;
    if (used > SHA256_BLOCK_BYTES - LENGTH_BYTES) {
        memset(sha->block + used, 0, SHA256_BLOCK_BYTES - used);
        compress(sha->state, sha->block);
        used = 0;
    }
    memset(sha->block + used, 0, SHA256_BLOCK_BYTES - used);
    store_big_endian(sha->block + 56, (uint32_t)(bits >> 32));
    store_big_endian(sha->block + 60, (uint32_t)bits);
    compress(sha->state, sha->block);
    for (int i = 0; i < 8; i++)
        store_big_endian(digest + 4 * i, sha->state[i]);
}

void sha256_hex(const uint8_t digest[SHA256_BYTES], char hex[SHA256_HEX_SIZE]) {
    static const char digits[] = "0123456789abcdef";

    for (int i = 0; i < SHA256_BYTES; i++) {
        hex[2 * i] = digits[digest[i] >> 4];
        hex[2 * i + 1] = digits[digest[i] & 15];
    }
    hex[2 * SHA256_BYTES] = 0;
}
