/* SPDX-License-Identifier: MIT */
#include "digest/digest.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

void method_digest_init(struct method_digest *digest) {
    sha256_init(&digest->sha);
    digest->submissions = 0;
    digest->words = 0;
    digest->methods = 0;
    digest->pending_bytes = 0;
}

void method_digest_method(struct method_digest *digest, uint32_t subchannel, uint32_t method, uint32_t data) {
    uint8_t *p = digest->pending + digest->pending_bytes;

    assert(subchannel <= UINT8_MAX && method <= UINT16_MAX);
    assert(digest->pending_bytes + METHOD_DIGEST_RECORD_BYTES <= sizeof(digest->pending));
    p[0] = (uint8_t)subchannel;
    p[1] = (uint8_t)method;
    p[2] = (uint8_t)(method >> 8);
    p[3] = (uint8_t)data;
    p[4] = (uint8_t)(data >> 8);
    p[5] = (uint8_t)(data >> 16);
    p[6] = (uint8_t)(data >> 24);
    digest->methods++;
    digest->pending_bytes += METHOD_DIGEST_RECORD_BYTES;
    if (digest->pending_bytes == sizeof(digest->pending)) {
        sha256_update(&digest->sha, digest->pending, sizeof(digest->pending));
        digest->pending_bytes = 0;
    }
}

void method_digest_submission(struct method_digest *digest) {
    digest->submissions++;
}

void method_digest_words(struct method_digest *digest, uint64_t words) {
    digest->words += words;
}

void method_digest_hex(const struct method_digest *digest, char hex[SHA256_HEX_SIZE]) {
    struct sha256 sha = digest->sha;
    uint8_t bytes[SHA256_BYTES];

    sha256_update(&sha, digest->pending, digest->pending_bytes);
    sha256_final(&sha, bytes);
    sha256_hex(bytes, hex);
}

int method_digest_render(const struct method_digest *digest, const char *name, char *line, size_t size) {
    char hex[SHA256_HEX_SIZE];

    method_digest_hex(digest, hex);
    return snprintf(line, size, "%s submissions=%" PRIu64 " words=%" PRIu64 " methods=%" PRIu64 " sha256=%s", name,
                    digest->submissions, digest->words, digest->methods, hex);
}
