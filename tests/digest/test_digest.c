/* SPDX-License-Identifier: MIT */
/* SHA-256 against the examples of NIST, and the method digest against SHA-256 of bytes laid out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "digest/digest.h"

static void hash(const void *data, size_t size, size_t step, char hex[SHA256_HEX_SIZE]) {
    struct sha256 sha;
    uint8_t digest[SHA256_BYTES];
    const uint8_t *p = data;

    sha256_init(&sha);
    for (size_t left = size; left > 0;) {
        size_t part = left < step ? left : step;

        sha256_update(&sha, p, part);
        p += part;
        left -= part;
    }
    sha256_final(&sha, digest);
    sha256_hex(digest, hex);
}

/* FIPS 180-2 examples B.1 to B.3, and the empty message of NIST's CAVP short messages. */
static void sha256_agrees_with_nist_examples(void **state) {
    static const char two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
    char hex[SHA256_HEX_SIZE];
    char *million = malloc(1000000);

    (void)state;
    assert_non_null(million);
    memset(million, 'a', 1000000);
    hash("", 0, 1, hex);
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    hash("abc", 3, 3, hex);
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    hash(two_blocks, strlen(two_blocks), 64, hex);
    assert_string_equal(hex, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    hash(million, 1000000, 1000000, hex);
    assert_string_equal(hex, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
    free(million);
}

/* Lengths around the ends of one and two blocks, where the padding changes shape, in pieces of every size. */
static void sha256_does_not_depend_on_pieces(void **state) {
    uint8_t data[130];

    (void)state;
    for (size_t i = 0; i < sizeof(data); i++)
        data[i] = (uint8_t)(i * 7);
    for (size_t size = 0; size <= sizeof(data); size++) {
        char whole[SHA256_HEX_SIZE], pieces[SHA256_HEX_SIZE];

        hash(data, size, sizeof(data), whole);
        for (size_t step = 1; step <= 66; step++) {
            hash(data, size, step, pieces);
            assert_string_equal(whole, pieces);
        }
    }
}

/* 55, 56 and 64 bytes of 'a': the length just fits, just does not, and stands in a block of its own. Values from
 * coreutils' sha256sum. */
static void sha256_pads_at_block_ends(void **state) {
    static const struct {
        size_t size;
        const char *hex;
    } cases[] = {
        {55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
        {56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
        {64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
    };
    char a[64], hex[SHA256_HEX_SIZE];

    (void)state;
    memset(a, 'a', sizeof(a));
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        hash(a, cases[i].size, sizeof(a), hex);
        assert_string_equal(hex, cases[i].hex);
    }
}

static void methods_are_seven_little_endian_bytes(void **state) {
    static const uint8_t bytes[] = {5, 0x34, 0x12, 0xef, 0xbe, 0xad, 0xde, 0, 0xfc, 0x1f, 1, 0, 0, 0};
    struct method_digest digest;
    char expected[SHA256_HEX_SIZE], hex[SHA256_HEX_SIZE];

    (void)state;
    method_digest_init(&digest);
    method_digest_method(&digest, 5, 0x1234, 0xdeadbeef);
    method_digest_method(&digest, 0, 0x1ffc, 1);
    method_digest_hex(&digest, hex);
    hash(bytes, sizeof(bytes), sizeof(bytes), expected);
    assert_string_equal(hex, expected);
    assert_int_equal(digest.methods, 2);
}

/* More methods than are buffered, with a look at the digest on the way: it must not disturb what follows. */
static void a_look_disturbs_nothing(void **state) {
    enum { COUNT = 1000 };
    static uint32_t data[COUNT];
    static uint8_t bytes[2 * COUNT * METHOD_DIGEST_RECORD_BYTES];
    struct method_digest digest;
    char expected[SHA256_HEX_SIZE], hex[SHA256_HEX_SIZE];
    uint8_t *p = bytes;

    (void)state;
    method_digest_init(&digest);
    for (uint32_t i = 0; i < COUNT; i++)
        data[i] = i * 0x9e3779b1u;
    for (uint32_t i = 0; i < 2 * COUNT; i++) {
        uint32_t method = i < COUNT ? 0x100 + 4 * i : 0x200;
        uint32_t value = data[i % COUNT];
        uint8_t record[METHOD_DIGEST_RECORD_BYTES] = {
            3,
            (uint8_t)method,
            (uint8_t)(method >> 8),
            (uint8_t)value,
            (uint8_t)(value >> 8),
            (uint8_t)(value >> 16),
            (uint8_t)(value >> 24),
        };

        memcpy(p, record, sizeof(record));
        p += sizeof(record);
    }
    for (uint32_t i = 0; i < COUNT; i++)
        method_digest_method(&digest, 3, 0x100 + 4 * i, data[i]);
    method_digest_hex(&digest, hex);
    hash(bytes, sizeof(bytes) / 2, sizeof(bytes), expected);
    assert_string_equal(hex, expected);
    for (uint32_t i = 0; i < COUNT; i++)
        method_digest_method(&digest, 3, 0x200, data[i]);
    method_digest_hex(&digest, hex);
    hash(bytes, sizeof(bytes), sizeof(bytes), expected);
    assert_string_equal(hex, expected);
    assert_int_equal(digest.methods, 2 * COUNT);
}

static void the_line_has_name_counts_and_hash(void **state) {
    struct method_digest digest;
    char line[160], cut[10];
    int length;

    (void)state;
    method_digest_init(&digest);
    method_digest_submission(&digest);
    method_digest_submission(&digest);
    method_digest_words(&digest, 41);
    length = method_digest_render(&digest, "nv40-x", line, sizeof(line));
    assert_string_equal(line, "nv40-x submissions=2 words=41 methods=0 "
                              "sha256=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    assert_int_equal(length, strlen(line));
    assert_int_equal(method_digest_render(&digest, "nv40-x", cut, sizeof(cut)), length);
    assert_string_equal(cut, "nv40-x su");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sha256_agrees_with_nist_examples), cmocka_unit_test(sha256_does_not_depend_on_pieces),
        cmocka_unit_test(sha256_pads_at_block_ends),        cmocka_unit_test(methods_are_seven_little_endian_bytes),
        cmocka_unit_test(a_look_disturbs_nothing),          cmocka_unit_test(the_line_has_name_counts_and_hash),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
