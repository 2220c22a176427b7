/* SPDX-License-Identifier: MIT */
/*
 * Semaphores of copy engines: SEMAPHORE_TYPE 4:3, SEMAPHORE_REDUCTION 17:14, its sign 18, whether there is one 19.
 *
 * Source: NVIDIA open-gpu-doc classes/dma-copy/cla0b5.h, clc7b5.h.
 */
#include "engine/copy/copy.h"
#include "fifo/fifo.h"
#include "methods/copy.h"

enum semaphore_type { TYPE_NONE, TYPE_ONE_WORD, TYPE_FOUR_WORDS, TYPE_CONDITIONAL_INTERRUPT };

/* SEMAPHORE_REDUCTION: 0 to 7 are integers, ... */
static const enum semaphore_reduction reductions[8] = {
    SEMAPHORE_MIN, SEMAPHORE_MAX, SEMAPHORE_XOR, SEMAPHORE_REDUCE_AND,
    SEMAPHORE_OR,  SEMAPHORE_ADD, SEMAPHORE_INC, SEMAPHORE_DEC,
};

/* ... and these are not in what the host's semaphores have. */
enum { REDUCTION_FADD = 0xa, REDUCTION_FMIN, REDUCTION_FMAX, REDUCTION_FMUL, REDUCTION_IMUL };

_Static_assert(sizeof reductions / sizeof reductions[0] <= REDUCTION_FADD, "no number is in both");

#define CANONICAL_NAN 0x7fffffffu

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static bool is_nan(uint32_t bits) {
    return (bits & 0x7fffffff) > 0x7f800000;
}

static uint32_t copy_semaphore_bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return is_nan(bits) ? CANONICAL_NAN : bits;
}

/* Floats that are not NaN in their order as unsigned integers, -0 before +0. */
static uint32_t order_of(uint32_t bits) {
    return bits >> 31 ? ~bits : bits | 0x80000000;
}

static uint32_t float_extreme(uint32_t memory, uint32_t payload, bool maximum) {
    if (is_nan(memory))
        return is_nan(payload) ? CANONICAL_NAN : payload;
    if (is_nan(payload))
        return memory;
    return (order_of(payload) > order_of(memory)) == maximum ? payload : memory;
}

/*
 * UNKNOWN: how floats round and what becomes of subnormals and NaN; chosen: to nearest, kept, one NaN for all, and of
 * a NaN and a number the number is minimum and maximum.
 */
static uint32_t reduce_otherwise(unsigned reduction, uint32_t memory, uint32_t payload) {
    switch (reduction) {
    case REDUCTION_FADD:
        return copy_semaphore_bits_of(float_of(memory) + float_of(payload));
    case REDUCTION_FMIN:
    case REDUCTION_FMAX:
        return float_extreme(memory, payload, reduction == REDUCTION_FMAX);
    case REDUCTION_FMUL:
        return copy_semaphore_bits_of(float_of(memory) * float_of(payload));
    default:
        return memory * payload;
    }
}

static bool reduce_word(const struct call *call, struct dma_address target, unsigned reduction, uint32_t payload,
                        enum report_words words) {
    struct address_space space = call_space(call, target.object);
    uint32_t memory;
    struct fault fault;
    if (memory_rd32(call->engine->fifo->memory, &space, target.address, &memory, &fault))
        return report_release(call, target, reduce_otherwise(reduction, memory, payload), words,
                              event_words[PFIFO_WORD_SEMAPHORE]);
    call_fault(call, &fault);
    return false;
}

/* UNKNOWN: a reduction that the class does not name, or of floats with 64 bits; chosen: it is not executed. */
static bool copy_semaphore_reduce(const struct call *call, const struct copy_class *copy_class,
                                  struct dma_address target, uint64_t payload, bool is_64, enum report_words words) {
    unsigned number = call->data >> 14 & 0xf;
    bool is_common = number < sizeof reductions / sizeof reductions[0];
    struct report_reduction reduction = {reductions[number & 7], !(call->data >> 18 & 1), is_64};
    if (!(copy_class->reduction >> number & 1) || (!is_common && is_64)) {
        call_not_executed(call);
        return true;
    }
    if (is_common)
        return report_reduce(call, target, reduction, payload, words, event_words[PFIFO_WORD_SEMAPHORE]);
    return reduce_word(call, target, number, (uint32_t)payload, words);
}

/* UNKNOWN: four words with a payload of 64 bits; chosen: both words of it, then the time. */
static bool write_semaphore(const struct call *call, const struct copy_class *copy_class, struct dma_address target) {
    uint32_t l = call->data;
    bool is_64 = copy_class->payload_64 && (l >> 27 & 1);
    enum report_words words = (l >> 3 & 3) == TYPE_FOUR_WORDS ? REPORT_FOUR_WORDS
                              : is_64                         ? REPORT_TWO_WORDS
                                                              : REPORT_ONE_WORD;
    uint64_t payload = call_value(call, GF100_COPY_SET_SEMAPHORE_PAYLOAD);
    if (is_64)
        payload |= (uint64_t)call_value(call, GF100_COPY_SET_SEMAPHORE_PAYLOAD_UPPER) << 32;
    if (copy_class->reduces && (l >> 19 & 1))
        return copy_semaphore_reduce(call, copy_class, target, payload, is_64, words);
    return report_release(call, target, payload, words, event_words[PFIFO_WORD_SEMAPHORE]);
}

/* UNKNOWN: the memory that a conditional interrupt (c5b5-) looks at; it is not executed. */
bool copy_semaphore(const struct call *call, const struct copy_class *copy_class, struct dma_address target) {
    unsigned type = call->data >> 3 & 3;
    if (type == TYPE_CONDITIONAL_INTERRUPT)
        call_not_executed(call);
    else if (type != TYPE_NONE)
        return write_semaphore(call, copy_class, target);
    return true;
}
