/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "isa/rows.h"
#include "isa/shader/operation.h"

static uint64_t next(uint64_t *seed) {
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

enum isa_result decode_word(const struct isa *isa, uint64_t word, uint32_t address, struct ir *out) {
    uint8_t code[8];
    for (unsigned i = 0; i < 8; i++)
        code[i] = (uint8_t)(word >> 8 * i);
    struct isa_decoded found = isa->decode(code, sizeof(code), address, out, 1);
    bool is_short = (word & 8) && !strncmp(isa->name, "gf100", 5) && found.result != ISA_SCHEDULE;
    assert_int_equal(found.bytes, is_short ? 4 : 8);
    assert_int_equal(found.count, found.result == ISA_OK);
    const char *wrong = found.result == ISA_OK ? ir_validate(out) : NULL;
    if (wrong)
        fail_msg("%s %016llx, %s: %s", isa->name, (unsigned long long)word, out->name, wrong);
    return found.result;
}

/* A name with its modifiers, IMADSP.SD, is the same operation. */
static int is_name(const char *name, const char *expected) {
    size_t length = strlen(expected);
    return !strncmp(name, expected, length) && (!name[length] || name[length] == '.');
}

static int matches(const struct encoding *list, size_t count, uint64_t word, const char *name) {
    for (size_t i = 0; i < count; i++)
        if ((word & list[i].mask) == list[i].value && is_name(name, list[i].name))
            return 1;
    return 0;
}

/* Registers of zero are aligned for every type, so that one word in two keeps the other bits of a field 0. */
static uint64_t some_bits(uint64_t *seed, unsigned round) {
    uint64_t bits = next(seed);
    return round % 2 ? bits & next(seed) & next(seed) : bits;
}

void expect_encodings(const struct isa *isa, const struct encoding *list, size_t count) {
    uint64_t seed = 0x9e3779b97f4a7c15;
    for (size_t i = 0; i < count; i++) {
        unsigned found = 0;
        for (unsigned round = 0; round < 400; round++) {
            uint64_t word = list[i].value | (some_bits(&seed, round) & ~list[i].mask);
            struct ir ir;
            if (decode_word(isa, word, 8, &ir) != ISA_OK)
                continue;
            if (!matches(list, count, word, ir.name))
                fail_msg("%s: %016llx is %s", list[i].name, (unsigned long long)word, ir.name);
            assert_in_range(ir.op, 0, IR_OPS - 1);
            found++;
        }
        if (!found)
            fail_msg("%s: %016llx does not decode", list[i].name, (unsigned long long)list[i].value);
    }
}

void expect_nothing_else(const struct isa *isa, const struct encoding *list, size_t count) {
    uint64_t seed = 0x2545f4914f6cdd1d;
    for (unsigned round = 0; round < 200000; round++) {
        uint64_t word = next(&seed);
        struct ir ir;
        if (decode_word(isa, word, 8, &ir) == ISA_OK && !matches(list, count, word, ir.name))
            fail_msg("%016llx is %s, which is in no list", (unsigned long long)word, ir.name);
    }
}
