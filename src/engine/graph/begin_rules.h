/* SPDX-License-Identifier: MIT */
/* How the rows of begin_kelvin.c and begin_curie.c are written. */
#ifndef PFIFO_SRC_ENGINE_GRAPH_BEGIN_RULES_H
#define PFIFO_SRC_ENGINE_GRAPH_BEGIN_RULES_H

#include "engine/graph/begin.h"

/* Bits of values. */
#define V(n)           (UINT64_C(1) << (n))
#define UP_TO(a, b)    ((V((b) - (a)) - 1 + V((b) - (a))) << (a))
#define FIELD_AT(name) .shift = name##__SHIFT, .mask = name##__MASK >> name##__SHIFT

/* A field of a method, of an element of an array of methods, or bits that have no name. */
#define IS(method_, field, bits)                                                                                       \
    {                                                                                                                  \
        .test = BEGIN_IN, .method = (method_), FIELD_AT(method_##_##field), .values = {(bits) }                        \
    }
#define IS_NOT(method_, field, bits)                                                                                   \
    {                                                                                                                  \
        .test = BEGIN_NOT_IN, .method = (method_), FIELD_AT(method_##_##field), .values = {(bits) }                    \
    }
#define IS_OF(method_, field, bits, ...)                                                                               \
    {                                                                                                                  \
        .test = BEGIN_IN, .method = method_(0), .stride = method_##__STRIDE, FIELD_AT(method_##_##field), .values = {  \
            (bits),                                                                                                    \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#define BITS(test_, method_, shift_, mask_, ...)                                                                       \
    {                                                                                                                  \
        .test = (test_), .method = (method_), .shift = (shift_), .mask = (mask_), .values = { __VA_ARGS__ }            \
    }
#define BITS_OF(test_, method_, shift_, mask_, ...)                                                                    \
    {                                                                                                                  \
        .test = (test_), .method = method_(0), .stride = method_##__STRIDE, .shift = (shift_), .mask = (mask_),        \
        .values = {                                                                                                    \
            __VA_ARGS__                                                                                                \
        }                                                                                                              \
    }
#define ON(method_) BITS(BEGIN_IN, method_, 0, 1, V(1))
#define NO_DMA(method_)                                                                                                \
    { .test = BEGIN_NO_DMA, .method = (method_) }
#define NOT_SET(method_)                                                                                               \
    { .test = BEGIN_NOT_SET, .method = (method_) }

#define RULE(state_, why_, ...)                                                                                        \
    {                                                                                                                  \
        .state = (state_), .why = (why_), .term = { __VA_ARGS__ }                                                      \
    }
/* For each element of arrays. */
#define RULES(state_, count_, why_, ...)                                                                               \
    {                                                                                                                  \
        .state = state_(0), .stride = state_##__STRIDE, .count = (count_), .why = (why_), .term = { __VA_ARGS__ }      \
    }
/* The same, of a state that all elements have in common. */
#define RULES_ABOUT(state_, count_, why_, ...)                                                                         \
    {                                                                                                                  \
        .state = (state_), .count = (count_), .why = (why_), .term = { __VA_ARGS__ }                                   \
    }

#define NEVER_SET  "never set"
#define NO_TARGET  "neither a color nor a depth buffer has a DMA object"
#define NO_TEXTURE "no DMA object, and a texture that is on is in it"

/* What all generations have, by the beginning of their methods' names: the format of the targets, */
#define FORMAT_RULES(name)                                                                                             \
    RULE(name##_RT_FORMAT, NEVER_SET, IS(name##_RT_FORMAT, COLOR, V(0))),                                              \
        RULE(name##_RT_FORMAT, "neither linear nor swizzled", IS_NOT(name##_RT_FORMAT, COLOR, V(0)),                   \
             BITS(BEGIN_IN, name##_RT_FORMAT, 8, 3, V(0)))
/* and one of the two objects of textures: those are in it whose format has this value of a field. */
#define TEXTURE_RULE(name, number, units, field, value)                                                                \
    RULES_ABOUT(name##_DMA_TEXTURE##number, units, NO_TEXTURE, IS_OF(name##_TEX_ENABLE, ENABLE, V(1), 0),              \
                IS_OF(name##_TEX_FORMAT, field, V(value), 0), NO_DMA(name##_DMA_TEXTURE##number))

#endif
