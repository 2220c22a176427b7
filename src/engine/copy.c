/* SPDX-License-Identifier: MIT */
/*
 * Copy engines: LAUNCH_DMA 0x300 and its semaphore at 0x240. The copy itself is not executed.
 *
 * GT215's and Fermi's units run firmware, and there are two: NVIDIA's, with the methods of all later classes, and
 * nouveau's, with its own. A stream says by what it writes which one it is for: 0x240 or 0x400..0x41c NVIDIA's,
 * 0x30c..0x328 or 0x338 nouveau's. nouveau's writes its query at 0x338 when EXEC asks for it.
 * UNKNOWN: which one is loaded while a stream has not said; chosen: NVIDIA's.
 *
 * Sources: NVIDIA open-gpu-doc classes/dma-copy/cl85b5.h .. clcab5.h; envytools docs/hw/fifo/pcopy.rst; nouveau
 * nvkm/engine/ce/fuc/com.fuc.
 */
#include "engine/kinds.h"
#include "engine/report.h"

#define OPERATIONS 8

/* SEMAPHORE_REDUCTION 0 to 7. Those on floats and products are not modelled. */
static const enum semaphore_reduction reductions[OPERATIONS] = {
    SEMAPHORE_MIN, SEMAPHORE_MAX, SEMAPHORE_XOR, SEMAPHORE_REDUCE_AND,
    SEMAPHORE_OR,  SEMAPHORE_ADD, SEMAPHORE_INC, SEMAPHORE_DEC,
};

enum semaphore_type { TYPE_NONE, TYPE_ONE_WORD, TYPE_FOUR_WORDS, TYPE_CONDITIONAL_INTERRUPT };

/* UNKNOWN: four words with a payload of 64 bits; chosen: both words of it, then the time. */
static void semaphore(const struct call *call, struct place place, bool can_reduce, bool may_be_64) {
    uint32_t l = call->data;
    bool is_64 = may_be_64 && (l >> 27 & 1);
    enum report_words words = (l >> 3 & 3) == TYPE_FOUR_WORDS ? REPORT_FOUR_WORDS
                              : is_64                         ? REPORT_TWO_WORDS
                                                              : REPORT_ONE_WORD;
    uint64_t payload = call_value(call, 0x248);
    if (is_64)
        payload |= (uint64_t)call_value(call, 0x24c) << 32;
    if (!can_reduce || !(l >> 19 & 1))
        report_release(call, place, payload, words, "semaphore");
    else if (is_64 || (l >> 14 & 0xf) >= OPERATIONS)
        call_not_executed(call);
    else
        report_reduce(call, place, reductions[l >> 14 & 0xf], !(l >> 18 & 1), (uint32_t)payload, words, "semaphore");
}

/*
 * UNKNOWN: the memory that a conditional interrupt (c5b5-) looks at; it is not executed.
 * Interrupts: blocking ones hold the engine until they are acknowledged on hardware, here all types only interrupt.
 */
static void launch(const struct call *call, struct place place, bool can_reduce, bool may_be_64) {
    uint32_t l = call->data;
    unsigned type = l >> 3 & 3;
    if ((l & 3) != 0 || type == TYPE_CONDITIONAL_INTERRUPT)
        call_not_executed(call);
    if (type == TYPE_ONE_WORD || type == TYPE_FOUR_WORDS)
        semaphore(call, place, can_reduce, may_be_64);
    if (l >> 5 & 3)
        call_interrupt(call, "COPY");
}

static struct place semaphore_place(const struct call *call) {
    return (struct place){0, call_address(call, 0x240, 0x244, call->object->index->kind->inline_bits)};
}

static enum action_result launch_kepler(struct call *call) {
    launch(call, semaphore_place(call), true, false);
    return ACTION_DONE;
}

static enum action_result launch_ga102(struct call *call) {
    launch(call, semaphore_place(call), true, true);
    return ACTION_DONE;
}

/* ---- the two firmwares ---- */

static enum action_result for_nvidia(struct call *call) {
    call->object->uses_nouveau_firmware = false;
    return ACTION_DONE;
}

static enum action_result for_nouveau(struct call *call) {
    call->object->uses_nouveau_firmware = true;
    return ACTION_DONE;
}

#define EXEC_QUERY       (1u << 12)
#define EXEC_QUERY_SHORT (1u << 13)

/* EXEC of nouveau's firmware always copies. */
static void exec_nouveau(const struct call *call, uint32_t object) {
    struct place place = {object, call_address(call, 0x338, 0x33c, 8)};
    call_not_executed(call);
    if (call->data & EXEC_QUERY)
        report_release(call, place, call_value(call, 0x340),
                       call->data & EXEC_QUERY_SHORT ? REPORT_ONE_WORD : REPORT_FOUR_WORDS, "query");
}

/* GT215: addresses are in one of the DMA objects at 0x180; nouveau's query is in the first. */
static enum action_result launch_gt215(struct call *call) {
    struct place place = semaphore_place(call);
    if (call->object->uses_nouveau_firmware) {
        exec_nouveau(call, call_value(call, 0x180));
        return ACTION_DONE;
    }
    place.object = call_value(call, 0x180 + 4 * (call_value(call, 0x240) >> 28));
    launch(call, place, false, false);
    return ACTION_DONE;
}

static enum action_result launch_fermi(struct call *call) {
    if (call->object->uses_nouveau_firmware)
        exec_nouveau(call, 0);
    else
        launch(call, semaphore_place(call), false, false);
    return ACTION_DONE;
}

static const struct action firmware_actions[] = {
    {.method = 0x240, .type = ACTION_INSIDE, .run = for_nvidia},
    {.method = 0x400, .count = 8, .type = ACTION_INSIDE, .run = for_nvidia},
    {.method = 0x30c, .count = 8, .type = ACTION_INSIDE, .run = for_nouveau},
    {.method = 0x338, .type = ACTION_INSIDE, .run = for_nouveau},
    {0}};

static const struct action gt215_actions[] = {{.method = 0x300, .type = ACTION_EFFECT, .run = launch_gt215}, {0}};
static const struct action fermi_actions[] = {{.method = 0x300, .type = ACTION_EFFECT, .run = launch_fermi}, {0}};
static const struct action kepler_actions[] = {{.method = 0x300, .type = ACTION_EFFECT, .run = launch_kepler}, {0}};
static const struct action ga102_actions[] = {{.method = 0x300, .type = ACTION_EFFECT, .run = launch_ga102}, {0}};

const struct kind kind_gt215_copy = {
    .name = "GT215 copy", .role = ROLE_COPY, .inline_bits = 8, .groups = {firmware_actions, gt215_actions}};
const struct kind kind_fermi_copy = {
    .name = "Fermi copy", .role = ROLE_COPY, .inline_bits = 8, .groups = {firmware_actions, fermi_actions}};
const struct kind kind_kepler_copy = {.name = "copy", .role = ROLE_COPY, .inline_bits = 8, .groups = {kepler_actions}};
const struct kind kind_pascal_copy = {
    .name = "Pascal copy", .role = ROLE_COPY, .inline_bits = 17, .groups = {kepler_actions}};
const struct kind kind_ga102_copy = {
    .name = "GA102 copy", .role = ROLE_COPY, .inline_bits = 17, .groups = {ga102_actions}};
const struct kind kind_hopper_copy = {
    .name = "Hopper copy", .role = ROLE_COPY, .inline_bits = 25, .groups = {ga102_actions}};
