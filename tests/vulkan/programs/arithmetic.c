/* SPDX-License-Identifier: MIT */
/* Arithmetic that has one right result: integers of 8 to 64 bits, floats of 16 to 64 as far as they are exact. */
#include <math.h>
#include <string.h>

#include "vulkan/programs/programs.h"

enum { GROUPS = 4, COUNT_OF = GROUPS * 64 };

/* ---- narrow ---- */

void program_arithmetic_narrow(struct rig *rig) {
    const struct {
        uint16_t added;
        int8_t factor;
        uint8_t masked;
    } push = {12345, -7, 99};
    NEED(rig, bits8.storageBuffer8BitAccess);
    NEED(rig, bits8.storagePushConstant8);
    NEED(rig, bits16.storageBuffer16BitAccess);
    NEED(rig, bits16.storagePushConstant16);
    NEED(rig, float16.shaderInt8);
    NEED(rig, core.features.shaderInt16);
    struct buffer bytes = buffer_new(rig, COUNT_OF, 0), signs = buffer_new(rig, COUNT_OF, 0),
                  halves = buffer_new(rig, COUNT_OF * 2, 0);
    struct buffer bytes_out = buffer_new(rig, COUNT_OF, 0), halves_out = buffer_new(rig, COUNT_OF * 2, 0);
    struct buffer words = buffer_new(rig, COUNT_OF * 4, 0);
    struct kernel kernel =
        kernel_on(rig, "narrow.comp", 4, BUFFERS(&bytes, &signs, &halves, &bytes_out, &halves_out, &words));
    scramble(bytes.bytes, COUNT_OF, 1);
    scramble(signs.bytes, COUNT_OF, 2);
    scramble(halves.bytes, COUNT_OF * 2, 3);
    kernel_run(rig, &kernel, &push, GROUPS, 1, 1);
    uint8_t wanted_bytes[COUNT_OF];
    uint16_t wanted_halves[COUNT_OF];
    uint32_t wanted[COUNT_OF];
    for (uint32_t i = 0; i < COUNT_OF; i++) {
        uint16_t half = ((uint16_t *)halves.bytes)[i];
        wanted_bytes[i] = (uint8_t)(((uint8_t *)bytes.bytes)[i] * 3 + push.masked);
        wanted_halves[i] = (uint16_t)(((int8_t *)signs.bytes)[i] * push.factor + push.added);
        wanted[i] = (uint32_t)(half >> 3) + ((uint32_t)(uint16_t)(half + push.added) << 16);
    }
    check_bytes("bytes", bytes_out.bytes, wanted_bytes, sizeof wanted_bytes);
    check_bytes("halves", halves_out.bytes, wanted_halves, sizeof wanted_halves);
    check_words("words", words.words, wanted, COUNT_OF);
}

/* Of a normal half, or zero. */
static float float_of(uint16_t half) {
    float value = ldexpf((float)((half & 0x3ff) | 0x400), (half >> 10 & 31) - 25);
    return half & 0x8000 ? -value : value;
}

static void half_floats(struct rig *rig, const char *shader) {
    struct buffer a = buffer_new(rig, COUNT_OF * 2, 0), b = buffer_new(rig, COUNT_OF * 2, 0),
                  c = buffer_new(rig, COUNT_OF * 4, 0);
    struct kernel kernel = kernel_on(rig, shader, 0, BUFFERS(&a, &b, &c));
    uint16_t *halves = a.bytes, *results = b.bytes;
    const float *floats = c.bytes;
    /* 1 + k / 256: half of it and 1 is exact. */
    for (uint32_t i = 0; i < COUNT_OF; i++)
        halves[i] = (uint16_t)(0x3c00 | i % 256 * 4);
    kernel_run(rig, &kernel, NULL, GROUPS, 1, 1);
    for (uint32_t i = 0; i < COUNT_OF; i++)
        if (floats[i] != float_of(halves[i]) || float_of(results[i]) != floats[i] / 2 + 1)
            fail("0x%04x is %g, and half of it and 1 is 0x%04x", halves[i], (double)floats[i], results[i]);
}

void program_arithmetic_float16(struct rig *rig) {
    NEED(rig, bits16.storageBuffer16BitAccess);
    half_floats(rig, "float16_storage.comp");
    if (rig->has.float16.shaderFloat16)
        half_floats(rig, "float16_arithmetic.comp");
}

/* ---- 64 bits ---- */

void program_arithmetic_int64(struct rig *rig) {
    enum { RESULTS = 17 };
    NEED(rig, core.features.shaderInt64);
    struct buffer a = buffer_new(rig, COUNT_OF * 8, 0), b = buffer_new(rig, COUNT_OF * 8, 0);
    struct buffer r = buffer_new(rig, COUNT_OF * 8 * RESULTS, 0);
    struct kernel kernel = kernel_on(rig, "int64.comp", 0, BUFFERS(&a, &b, &r));
    uint64_t *xs = a.bytes, *ys = b.bytes, *wanted = keep_bytes(rig, r.size);
    scramble(xs, a.size, 1);
    scramble(ys, b.size, 2);
    for (uint32_t i = 0; i < COUNT_OF; i++) {
        xs[i] >>= i % 4 == 1 ? 40 : 0;
        ys[i] >>= i % 3 == 1 ? 37 : i % 3 == 2 ? 8 : 0;
        const uint64_t x = xs[i], y = ys[i];
        const int64_t s = (int64_t)x, t = (int64_t)y;
        const unsigned n = y & 63;
        const uint64_t all[RESULTS] = {x + y,
                                       x - y,
                                       x * y,
                                       x / y,
                                       x % y,
                                       (uint64_t)(s / t),
                                       x << n,
                                       x >> n,
                                       (uint64_t)(s >> n),
                                       x & y,
                                       x ^ ~y,
                                       x < y ? x : y,
                                       (uint64_t)(s > t ? s : t),
                                       s < 0 ? 0 - x : x,
                                       x < y,
                                       0 - x,
                                       (uint64_t)(int64_t)(int32_t)x};
        for (uint32_t k = 0; k < RESULTS; k++)
            wanted[k * COUNT_OF + i] = all[k];
    }
    kernel_run(rig, &kernel, NULL, GROUPS, 1, 1);
    for (uint32_t k = 0; k < RESULTS; k++)
        for (uint32_t i = 0; i < COUNT_OF; i++) {
            uint64_t got = ((uint64_t *)r.bytes)[k * COUNT_OF + i];
            if (got != wanted[k * COUNT_OF + i])
                fail("operation %u of 0x%llx and 0x%llx is 0x%llx instead of 0x%llx", k, (unsigned long long)xs[i],
                     (unsigned long long)ys[i], (unsigned long long)got, (unsigned long long)wanted[k * COUNT_OF + i]);
        }
}

/* Is it right, or for a quotient or root (which Vulkan does not want to be exact) close? */
static bool is_double(double got, double wanted, bool exact) {
    return exact ? memcmp(&got, &wanted, 8) == 0 : fabs(got - wanted) <= fabs(wanted) * 1e-14;
}

void program_arithmetic_float64(struct rig *rig) {
    enum { RESULTS = 12, EXACT = 10 };
    NEED(rig, core.features.shaderFloat64);
    struct buffer a = buffer_new(rig, COUNT_OF * 8, 0), b = buffer_new(rig, COUNT_OF * 8, 0);
    struct buffer r = buffer_new(rig, COUNT_OF * 8 * RESULTS, 0);
    struct kernel kernel = kernel_on(rig, "float64.comp", 0, BUFFERS(&a, &b, &r));
    double *xs = a.bytes, *ys = b.bytes, *got = r.bytes;
    for (uint32_t i = 0; i < COUNT_OF; i++) {
        xs[i] = ((double)scrambled(i) - 2e9) / 1024 + (double)scrambled(i + 1000) * 1e-12;
        ys[i] = ((double)scrambled(i + 2000) + 1) / 65537 * (i % 2 ? -1 : 1);
    }
    kernel_run(rig, &kernel, NULL, GROUPS, 1, 1);
    for (uint32_t i = 0; i < COUNT_OF; i++) {
        const double x = xs[i], y = ys[i];
        const double wanted[RESULTS] = {x + y,
                                        x - y,
                                        x * y,
                                        fma(x, y, -1),
                                        x < y ? x : y,
                                        x < y ? y : x,
                                        fabs(x),
                                        floor(x),
                                        (double)(uint32_t)fabs(y),
                                        (double)(int32_t)x,
                                        x / y,
                                        sqrt((double)i + 0.5)};
        for (uint32_t k = 0; k < RESULTS; k++)
            if (!is_double(got[k * COUNT_OF + i], wanted[k], k < EXACT))
                fail("operation %u of %.17g and %.17g is %.17g instead of %.17g", k, x, y, got[k * COUNT_OF + i],
                     wanted[k]);
    }
}

/* ---- 32 bits ---- */

static uint32_t find_msb(uint32_t word) {
    return word ? 31 - (uint32_t)__builtin_clz(word) : UINT32_MAX;
}

static uint32_t reversed(uint32_t word) {
    uint32_t result = 0;
    for (unsigned i = 0; i < 32; i++)
        result |= (word >> i & 1) << (31 - i);
    return result;
}

enum { INTEGER_RESULTS = 24 };

static void integers(uint32_t x, uint32_t y, uint32_t *wanted) {
    const int32_t s = (int32_t)x, t = (int32_t)y;
    const unsigned offset = y & 31, bits = (y >> 8 & 31) % (33 - offset), n = y & 31;
    const uint32_t mask = (uint32_t)((UINT64_C(1) << bits) - 1);
    const uint32_t field = offset < 32 ? x >> offset & mask : 0;
    const uint32_t sign = bits && field >> (bits - 1) & 1 ? ~mask : 0;
    const uint32_t all[INTEGER_RESULTS] = {
        (uint32_t)((uint64_t)x * y >> 32),
        x * y,
        (uint32_t)((int64_t)s * t >> 32),
        x + y,
        x + y<x, x - y,
              x<y, field, field | sign, (x & ~(mask << offset)) | (y & mask) << offset, reversed(x),
                (uint32_t)__builtin_popcount(x), x ? (uint32_t)__builtin_ctz(x) : UINT32_MAX, find_msb(x),
                find_msb(s < 0 ? ~x : x), x / (y | 1), x % (y | 1), t == -1 ? 0 - x : (uint32_t)(s / (int32_t)(y | 1)),
                (uint32_t)(s >> n), x>>
                n,
        (uint32_t)(s < t ? s : t),
        (uint32_t)(s < -1000  ? -1000
                   : s > 1000 ? 1000
                              : s),
        (uint32_t)((s > 0) - (s < 0)),
        s < 0 ? 0 - x : x};
    memcpy(wanted, all, sizeof all);
}

typedef void results_fn(uint32_t x, uint32_t y, uint32_t i, uint32_t *wanted);

static void check_results(const struct buffer *r, const uint32_t *xs, const uint32_t *ys, uint32_t count,
                          results_fn *fn) {
    uint32_t wanted[INTEGER_RESULTS];
    for (uint32_t i = 0; i < COUNT_OF; i++) {
        fn(xs[i], ys[i], i, wanted);
        for (uint32_t k = 0; k < count; k++)
            if (r->words[k * COUNT_OF + i] != wanted[k])
                fail("operation %u of 0x%08x and 0x%08x (%u) is 0x%08x instead of 0x%08x", k, xs[i], ys[i], i,
                     r->words[k * COUNT_OF + i], wanted[k]);
    }
}

static void integer_results(uint32_t x, uint32_t y, uint32_t i, uint32_t *wanted) {
    (void)i;
    integers(x, y, wanted);
}

static void arithmetic(struct rig *rig, const char *shader, const uint32_t *xs, const uint32_t *ys, results_fn *fn) {
    struct buffer a = buffer_new(rig, COUNT_OF * 4, 0), b = buffer_new(rig, COUNT_OF * 4, 0);
    struct buffer r = buffer_new(rig, COUNT_OF * 4 * INTEGER_RESULTS, 0);
    struct kernel kernel = kernel_on(rig, shader, 0, BUFFERS(&a, &b, &r));
    memcpy(a.bytes, xs, COUNT_OF * 4);
    memcpy(b.bytes, ys, COUNT_OF * 4);
    kernel_run(rig, &kernel, NULL, GROUPS, 1, 1);
    check_results(&r, xs, ys, INTEGER_RESULTS, fn);
}

void program_arithmetic_integers(struct rig *rig) {
    uint32_t xs[COUNT_OF], ys[COUNT_OF];
    for (uint32_t i = 0; i < COUNT_OF; i++) {
        xs[i] = scrambled(i) >> (i % 5 == 1 ? 20 : 0);
        ys[i] = scrambled(i + 1000) >> (i % 7 == 1 ? 24 : 0);
    }
    xs[0] = 0;
    xs[2] = UINT32_MAX;
    arithmetic(rig, "integers.comp", xs, ys, integer_results);
}

static uint32_t bits_of(float value) {
    uint32_t word;
    memcpy(&word, &value, 4);
    return word;
}

/* Of what has a normal half, and that exactly: Vulkan leaves it open how others are rounded. */
static uint32_t half_of(float value) {
    const uint32_t word = bits_of(value), exponent = (word >> 23 & 255) - 112, sign = word >> 16 & 0x8000;
    return value == 0 ? sign : sign | exponent << 10 | (word >> 13 & 0x3ff);
}

static float clamped(float value, float low, float high) {
    return value < low ? low : value > high ? high : value;
}

static uint32_t norm(float value, float low, float scale) {
    return (uint32_t)(int32_t)rintf(clamped(value, low, 1) * scale);
}

static void float_results(uint32_t a, uint32_t b, uint32_t i, uint32_t *wanted) {
    float x, y, mantissa;
    int exponent;
    memcpy(&x, &a, 4);
    memcpy(&y, &b, 4);
    mantissa = frexpf(x, &exponent);
    const uint32_t bits = i * 0x01230111 & 0xfbfffbff, half = bits & 0xffff, e = half >> 10 & 31;
    const uint32_t unpacked = bits_of(e == 0 ? (half & 0x8000 ? -1.0F : 1.0F) * ldexpf((float)(half & 0x3ff), -24)
                                             : float_of((uint16_t)half));
    const uint32_t all[INTEGER_RESULTS] = {bits_of(x + y),
                                           bits_of(x - y),
                                           bits_of(x * y),
                                           bits_of(floorf(x)),
                                           bits_of(ceilf(x)),
                                           bits_of(truncf(x)),
                                           bits_of(rintf(x)),
                                           bits_of(fabsf(x)),
                                           bits_of(x < y ? x : y),
                                           bits_of(x < y ? y : x),
                                           bits_of(clamped(x, -1, 1)),
                                           (uint32_t)(int32_t)x,
                                           (uint32_t)fabsf(x),
                                           bits_of((float)((int32_t)i - 100)),
                                           bits_of((float)(uint32_t)(i * 3000000000U)),
                                           half_of((float)((int32_t)i - 100)) | half_of((float)i * 0.25F) << 16,
                                           unpacked,
                                           norm(x, 0, 255) | norm(y, 0, 255) << 8 | 0xff800000,
                                           (norm(x, -1, 32767) & 0xffff) | 0x80010000,
                                           bits_of(mantissa),
                                           (uint32_t)exponent,
                                           bits_of(ldexpf(y, (int)(i % 9) - 4)),
                                           x < y,
                                           bits_of((float)((x > 0) - (x < 0)))};
    memcpy(wanted, all, sizeof all);
}

/* Numbers of which no result is subnormal or beyond the formats. */
void program_arithmetic_floats(struct rig *rig) {
    uint32_t xs[COUNT_OF], ys[COUNT_OF];
    for (uint32_t i = 0; i < COUNT_OF; i++) {
        xs[i] = bits_of(((float)(int32_t)scrambled(i)) / (float)(1 << (19 + i % 8)));
        ys[i] = bits_of(((float)(int32_t)scrambled(i + 1000)) / (float)(1 << 30));
    }
    xs[3] = bits_of(2.5F);
    xs[4] = bits_of(-3.5F);
    arithmetic(rig, "floats.comp", xs, ys, float_results);
}
