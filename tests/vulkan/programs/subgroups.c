/* SPDX-License-Identifier: MIT */
/*
 * What lanes of a subgroup say to each other: each operation with all lanes, and with two of three. Whatever size subgroups
 * have, lanes are numbered as the invocations of the group are.
 */
#include "vulkan/programs/programs.h"

enum { LANES = 64, PASSES = 2 };

/* A lane, and what it sees. */
struct lane {
    const uint32_t *values; /* of all lanes */
    uint32_t size, first;   /* of its subgroup */
    uint32_t at;
    bool some; /* two of three take part */
};

static bool takes_part(const struct lane *lane, uint32_t other) {
    return !lane->some || other % 3 != 0;
}

/* What the operations give for one lane, in their order. Returns how many there are. UNKNOWN_RESULT: it is not defined. */
typedef uint32_t results_fn(const struct lane *lane, uint32_t *results);

#define UNKNOWN_RESULT UINT32_C(0xdeadbeef)

static uint32_t value_of(const struct lane *lane, uint32_t number) {
    if (number >= lane->size || !takes_part(lane, lane->first + number))
        return UNKNOWN_RESULT;
    return lane->values[lane->first + number];
}

static uint32_t invocation(const struct lane *lane) {
    return lane->at - lane->first;
}

/* ---- reductions ---- */

enum reduction { ADD, MUL, MIN, MAX, SMIN, SMAX, AND, OR, XOR };

static uint32_t joined(enum reduction how, uint32_t a, uint32_t b) {
    switch (how) {
    case ADD:
        return a + b;
    case MUL:
        return a * b;
    case MIN:
        return a < b ? a : b;
    case MAX:
        return a < b ? b : a;
    case SMIN:
        return (int32_t)a < (int32_t)b ? a : b;
    case SMAX:
        return (int32_t)a < (int32_t)b ? b : a;
    case AND:
        return a & b;
    case OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static const uint32_t neutral[] = {0, 1, UINT32_MAX, 0, INT32_MAX, 0x80000000, UINT32_MAX, 0, 0};

/* Of the lanes of its subgroup from `from` up to, and without, `end`. What they have: `set` added by OR, `mod` of it if any. */
static uint32_t reduced(const struct lane *lane, enum reduction how, uint32_t from, uint32_t end, uint32_t set,
                        uint32_t mod) {
    uint32_t result = neutral[how];
    for (uint32_t i = from; i < end; i++) {
        uint32_t value = lane->values[lane->first + i] | set;
        if (takes_part(lane, lane->first + i))
            result = joined(how, result, mod ? value % mod : value);
    }
    return result;
}

static uint32_t cluster(const struct lane *lane, enum reduction how, uint32_t size) {
    uint32_t from = invocation(lane) / size * size;
    return reduced(lane, how, from, from + size, 0, 0);
}

/* ---- the kinds ---- */

static uint32_t vote(const struct lane *lane, uint32_t *results) {
    uint32_t all = 1, any = 0, equal = 1, elected = 1, first = UNKNOWN_RESULT;
    for (uint32_t i = 0; i < lane->size; i++) {
        uint32_t value = value_of(lane, i);
        if (!takes_part(lane, lane->first + i))
            continue;
        all &= value != 0;
        any |= value % 16 == 3;
        first = first == UNKNOWN_RESULT ? value : first;
        equal &= value == first;
        elected &= i >= invocation(lane);
    }
    const uint32_t list[] = {all, any, equal, 1, elected};
    for (uint32_t i = 0; i < COUNT(list); i++)
        results[i] = list[i];
    return COUNT(list);
}

static uint32_t count_bits(uint32_t mask) {
    return (uint32_t)__builtin_popcount(mask);
}

static uint32_t ballot(const struct lane *lane, uint32_t *results) {
    const uint32_t me = invocation(lane), below = (UINT32_C(1) << me) - 1, bit = UINT32_C(1) << me;
    const uint32_t all = lane->size == 32 ? UINT32_MAX : (UINT32_C(1) << lane->size) - 1;
    uint32_t odd = 0, first = UNKNOWN_RESULT;
    for (uint32_t i = lane->size; i-- > 0;) {
        if (!takes_part(lane, lane->first + i))
            continue;
        odd |= (value_of(lane, i) & 1) << i;
        first = value_of(lane, i);
    }
    const uint32_t list[] = {odd,
                             0,
                             odd >> me & 1,
                             odd >> (lane->values[lane->at] % lane->size) & 1,
                             count_bits(odd),
                             count_bits(odd & (below | bit)),
                             count_bits(odd & below),
                             odd ? (uint32_t)__builtin_ctz(odd) : UNKNOWN_RESULT,
                             odd ? 31 - (uint32_t)__builtin_clz(odd) : UNKNOWN_RESULT,
                             value_of(lane, 5),
                             first,
                             bit,
                             all & ~below,
                             all & ~below & ~bit,
                             below | bit,
                             below,
                             me,
                             lane->first / lane->size};
    for (uint32_t i = 0; i < COUNT(list); i++)
        results[i] = list[i];
    return COUNT(list);
}

static uint32_t shuffle(const struct lane *lane, uint32_t *results) {
    const uint32_t me = invocation(lane);
    results[0] = value_of(lane, (me * 5 + 1) % lane->size);
    results[1] = value_of(lane, 7);
    results[2] = value_of(lane, me ^ 1);
    results[3] = value_of(lane, me ^ 6);
    return 4;
}

static uint32_t relative(const struct lane *lane, uint32_t *results) {
    const uint32_t me = invocation(lane);
    results[0] = value_of(lane, me - 1);
    results[1] = value_of(lane, me - 3);
    results[2] = value_of(lane, me + 1);
    results[3] = value_of(lane, me + 5);
    return 4;
}

static uint32_t arithmetic(const struct lane *lane, uint32_t *results) {
    static const struct {
        enum reduction how;
        uint32_t set, mod;
    } whole[] = {{ADD, 0, 0},    {MUL, 1, 0}, {MIN, 0, 0}, {MAX, 0, 0}, {SMIN, 0, 0}, {SMAX, 0, 0},
                 {AND, 0xff, 0}, {OR, 0, 0},  {XOR, 0, 0}, {ADD, 0, 8}, {MIN, 0, 8},  {MAX, 0, 8}},
      scans[] = {{ADD, 0, 0}, {MUL, 1, 0}, {MIN, 0, 0}, {MAX, 0, 0}, {XOR, 0, 0}, {ADD, 0, 8}};
    uint32_t count = 0;
    for (uint32_t i = 0; i < COUNT(whole); i++)
        results[count++] = reduced(lane, whole[i].how, 0, lane->size, whole[i].set, whole[i].mod);
    for (uint32_t without = 0; without < 2; without++)
        for (uint32_t i = 0; i < COUNT(scans); i++)
            results[count++] =
                reduced(lane, scans[i].how, 0, invocation(lane) + 1 - without, scans[i].set, scans[i].mod);
    return count;
}

static uint32_t clustered(const struct lane *lane, uint32_t *results) {
    const uint32_t list[] = {cluster(lane, ADD, 2), cluster(lane, ADD, 4), cluster(lane, ADD, 8),
                             cluster(lane, MIN, 4), cluster(lane, MAX, 8), cluster(lane, AND, 2),
                             cluster(lane, OR, 4),  cluster(lane, XOR, 8)};
    for (uint32_t i = 0; i < COUNT(list); i++)
        results[i] = list[i];
    return COUNT(list);
}

static uint32_t quad(const struct lane *lane, uint32_t *results) {
    const uint32_t me = invocation(lane);
    for (uint32_t i = 0; i < 4; i++)
        results[i] = value_of(lane, me / 4 * 4 + i);
    for (uint32_t i = 0; i < 3; i++)
        results[4 + i] = value_of(lane, me ^ (i + 1));
    return 7;
}

/* ---- all of them ---- */

static void check_lane(const struct lane *lane, results_fn *kind, const uint32_t *results) {
    uint32_t wanted[32];
    const uint32_t count = kind(lane, wanted);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t got = results[((lane->some ? count : 0) + i) * LANES + lane->at];
        if (wanted[i] != UNKNOWN_RESULT && got != wanted[i])
            fail("operation %u, %s, lane %u of subgroups of %u gets 0x%08x instead of 0x%08x", i,
                 lane->some ? "with some lanes" : "with all lanes", lane->at, lane->size, got, wanted[i]);
    }
}

static void subgroup(struct rig *rig, VkSubgroupFeatureFlagBits feature, const char *shader, results_fn *kind) {
    struct buffer values = buffer_new(rig, PASSES * LANES * 4, 0),
                  results = buffer_new(rig, PASSES * 32 * LANES * 4, 0);
    struct kernel kernel;
    if (!(rig->subgroup.supportedOperations & feature) ||
        !(rig->subgroup.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT))
        skip_without("such operation of subgroups (%d)", (int)feature);
    kernel = kernel_on(rig, shader, 0, BUFFERS(&values, &results));
    scramble(values.bytes, PASSES * LANES * 4, 9);
    kernel_run(rig, &kernel, NULL, 1, 1, 1);
    for (uint32_t i = 0; i < PASSES * LANES; i++) {
        struct lane lane = {values.words + i / LANES * LANES, rig->subgroup.subgroupSize,
                            i % LANES / rig->subgroup.subgroupSize * rig->subgroup.subgroupSize, i % LANES, i >= LANES};
        if (takes_part(&lane, lane.at))
            check_lane(&lane, kind, results.words);
    }
}

void program_subgroup_vote(struct rig *rig) {
    subgroup(rig, VK_SUBGROUP_FEATURE_VOTE_BIT, "subgroup_vote.comp", vote);
}

void program_subgroup_ballot(struct rig *rig) {
    subgroup(rig, VK_SUBGROUP_FEATURE_BALLOT_BIT, "subgroup_ballot.comp", ballot);
}

void program_subgroup_shuffle(struct rig *rig) {
    subgroup(rig, VK_SUBGROUP_FEATURE_SHUFFLE_BIT, "subgroup_shuffle.comp", shuffle);
}

void program_subgroup_relative(struct rig *rig) {
    subgroup(rig, VK_SUBGROUP_FEATURE_SHUFFLE_RELATIVE_BIT, "subgroup_relative.comp", relative);
}

void program_subgroup_arithmetic(struct rig *rig) {
    subgroup(rig, VK_SUBGROUP_FEATURE_ARITHMETIC_BIT, "subgroup_arithmetic.comp", arithmetic);
}

void program_subgroup_clustered(struct rig *rig) {
    subgroup(rig, VK_SUBGROUP_FEATURE_CLUSTERED_BIT, "subgroup_clustered.comp", clustered);
}

void program_subgroup_quad(struct rig *rig) {
    subgroup(rig, VK_SUBGROUP_FEATURE_QUAD_BIT, "subgroup_quad.comp", quad);
}
