/* SPDX-License-Identifier: MIT */
/*
 * What is done for a row of lanes is built for the processors that every x86 is, and for those with AVX2: the same
 * operations, none of which is fused, so that results are equal.
 */
#ifndef PFIFO_SRC_ENGINE_TEXTURE_WIDE_H
#define PFIFO_SRC_ENGINE_TEXTURE_WIDE_H

#include <stdbool.h>

/* Floats by their bits, without a copy of them. */
typedef float __attribute__((may_alias)) float_of_bits;

#if defined(__x86_64__) && defined(__GNUC__)
#define TEXTURE_WIDE __attribute__((target("avx2")))
static inline bool texture_has_wide(void) {
    return __builtin_cpu_supports("avx2");
}
/* With an operation that rounds once, too: only for what comes to the same without it, or takes its place. */
#define TEXTURE_FUSED __attribute__((target("avx2,fma")))
static inline bool texture_has_fused(void) {
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
}
/* Vectors of 16 numbers (vector.h): what every processor with AVX-512 has but the first ones. */
#define TEXTURE_HAS_VECTORS
#define TEXTURE_512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
static inline bool texture_has_512(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#else
#define TEXTURE_WIDE
#define TEXTURE_FUSED
static inline bool texture_has_wide(void) {
    return false;
}
static inline bool texture_has_fused(void) {
    return false;
}
#endif

#endif
