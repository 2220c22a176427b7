/* SPDX-License-Identifier: MIT */
/*
 * Digests: SHA-256, and the digest of a method stream.
 *
 *   method --> [ u8 subchannel | u16 byte offset | u32 data ]  7 bytes, little endian --> SHA-256
 *
 * Two programs that see the same methods in the same order have the same digest, however they were packed into words.
 *
 * Modelled: SHA-256 over a byte stream of any length below 2^61 bytes.
 * Sources:  NIST FIPS 180-4 (August 2015), sections 4.1.2, 4.2.2, 5.1.1, 5.3.3, 6.2.
 */
#ifndef PFIFO_DIGEST_DIGEST_H
#define PFIFO_DIGEST_DIGEST_H

#include <stddef.h>
#include <stdint.h>

enum {
    SHA256_BYTES = 32,
    SHA256_BLOCK_BYTES = 64,
    SHA256_HEX_SIZE = 2 * SHA256_BYTES + 1, /* with the final zero */
    METHOD_DIGEST_RECORD_BYTES = 7,
};

struct sha256 {
    uint32_t state[8];
    uint64_t bytes;
    uint8_t block[SHA256_BLOCK_BYTES]; /* the first `bytes % 64` are waiting */
};

void sha256_init(struct sha256 *sha);
void sha256_update(struct sha256 *sha, const void *data, size_t size);

/* Finish; `sha` has to be initialised again before the next use. */
void sha256_final(struct sha256 *sha, uint8_t digest[SHA256_BYTES]);

/* Write a digest as lower-case hexadecimal with a final zero. */
void sha256_hex(const uint8_t digest[SHA256_BYTES], char hex[SHA256_HEX_SIZE]);

struct method_digest {
    struct sha256 sha;
    uint64_t submissions;
    uint64_t words;
    uint64_t methods;
    size_t pending_bytes;
    uint8_t pending[METHOD_DIGEST_RECORD_BYTES * SHA256_BLOCK_BYTES]; /* whole methods and whole blocks when full */
};

void method_digest_init(struct method_digest *digest);

/* One method: `method` is the byte offset (0x0000, 0x0004 ...). */
void method_digest_method(struct method_digest *digest, uint32_t subchannel, uint32_t method, uint32_t data);

/* Count a submission, and pushbuffer words. */
void method_digest_submission(struct method_digest *digest);
void method_digest_words(struct method_digest *digest, uint64_t words);

/* SHA-256 of the methods so far; more can follow. */
void method_digest_hex(const struct method_digest *digest, char hex[SHA256_HEX_SIZE]);

/*
 * Write `NAME submissions=N words=N methods=N sha256=HEX` with a final zero, cut if it does not fit.
 * Returns what snprintf would: the length without the cut.
 */
int method_digest_render(const struct method_digest *digest, const char *name, char *line, size_t size);

#endif
