/* SPDX-License-Identifier: MIT */
/*
 * Video and crypto units: their semaphores. What they compute is not executed; each start reports itself.
 *
 * UNKNOWN: which DMA object semaphores of Tesla's units are in where no source says; chosen: the one at 0x180 (all
 * drivers bind one object for the whole address space to every one of these methods).
 *
 * Sources: envytools rnndb/vdec, docs/hw/vdec; nouveau nvkm/engine/{mpeg,vp,bsp,cipher,sec}; Mesa
 * src/gallium/drivers/nouveau/nv50/nv84_video*.c, nv98_video*.c, nvc0/nvc0_video*.c; NVIDIA open-gpu-doc
 * classes/video.
 */
#include "engine/kinds.h"
#include "engine/report.h"

/* Methods that say where a semaphore goes and what is written. */
struct semaphore_methods {
    uint16_t object, high, low, payload;
    uint8_t bits; /* of the upper address word */
};

static void release(const struct call *call, enum report_words words) {
    const struct semaphore_methods *m = call->action->argument;
    uint64_t address = call_address(call, m->high, m->low, m->bits);
    report_release(call, (struct place){call_value(call, m->object), address}, call_value(call, m->payload), words,
                   "semaphore");
}

/* VP2's two processors: 1 writes, 0x100 interrupts. */
static enum action_result vp2_semaphore(struct call *call) {
    if (call->data & 1)
        release(call, REPORT_ONE_WORD);
    if (call->data >> 8 & 1)
        call_interrupt(call, "SEMAPHORE");
    return ACTION_DONE;
}

/* VP3's: EXEC does the work, and bit 0 asks for the semaphore. */
static enum action_result vp3_exec(struct call *call) {
    call_not_executed(call);
    if (call->data & 1)
        release(call, REPORT_ONE_WORD);
    return ACTION_DONE;
}

/* UNKNOWN: the layout of queries of PMPEG, PCIPHER and PSEC; chosen: four words, as every other query. */
static enum action_result query(struct call *call) {
    release(call, REPORT_FOUR_WORDS);
    return ACTION_DONE;
}

static enum action_result query_or_interrupt(struct call *call) {
    release(call, REPORT_FOUR_WORDS);
    if (call->data & 1)
        call_interrupt(call, "QUERY");
    return ACTION_DONE;
}

static enum action_result cipher_launch(struct call *call) {
    unsigned kind = call->data >> 4 & 3;
    call_not_executed(call);
    if (kind == 1 || kind == 2)
        release(call, REPORT_FOUR_WORDS);
    if (kind == 2)
        call_interrupt(call, "QUERY");
    return ACTION_DONE;
}

/* NVDEC, NVENC, NVJPG: structure sizes are numbered unlike those of every other class. */
static enum action_result nvdec_semaphore(struct call *call) {
    static const enum report_words words[4] = {REPORT_ONE_WORD, REPORT_FOUR_WORDS, REPORT_TWO_WORDS, REPORT_ONE_WORD};
    unsigned operation = call->data >> 16 & 3;
    if (operation == 0)
        release(call, words[call->data & 3]);
    else if (operation != 3)
        call_not_executed(call);
    if (operation == 3 || (call->data >> 8 & 1))
        call_interrupt(call, operation == 3 ? "TRAP" : "AWAKEN");
    return ACTION_DONE;
}

static const struct semaphore_methods at_610 = {0x180, 0x610, 0x614, 0x618, 8};
static const struct semaphore_methods at_240 = {0x180, 0x240, 0x244, 0x248, 8};
static const struct semaphore_methods at_240_wide = {0x180, 0x240, 0x244, 0x248, 25};
static const struct semaphore_methods at_200 = {0x180, 0x200, 0x204, 0x208, 8};
static const struct semaphore_methods cipher_query = {0x180, 0x31c, 0x320, 0x324, 8};
static const struct semaphore_methods mpeg_query = {0x1c0, 0x31c, 0x31c, 0x320, 0};

static const struct action mpeg_actions[] = {{.method = 0x394, .type = ACTION_NOT_EXECUTED}, {0}};
static const struct action mpeg_query_actions[] = {
    {.method = 0x320, .type = ACTION_EFFECT, .run = query, .argument = &mpeg_query}, {0}};
static const struct action me_actions[] = {{.method = 0x17c, .type = ACTION_NOT_EXECUTED}, {0}};
static const struct action vp1_actions[] = {{.method = 0x300, .type = ACTION_NOT_EXECUTED}, {0}};
static const struct action vp2_actions[] = {
    {.method = 0x300, .type = ACTION_NOT_EXECUTED},
    {.method = 0x304, .type = ACTION_EFFECT, .run = vp2_semaphore, .argument = &at_610},
    {0}};
static const struct action cipher_actions[] = {
    {.method = 0x318, .type = ACTION_EFFECT, .run = cipher_launch, .argument = &cipher_query},
    {.method = 0x328, .type = ACTION_EFFECT, .run = query_or_interrupt, .argument = &cipher_query},
    {0}};
static const struct action vp3_actions[] = {
    {.method = 0x300, .type = ACTION_EFFECT, .run = vp3_exec, .argument = &at_240}, {0}};
static const struct action sec_actions[] = {
    {.method = 0x334, .type = ACTION_NOT_EXECUTED},
    {.method = 0x20c, .type = ACTION_EFFECT, .run = query_or_interrupt, .argument = &at_200},
    {0}};
static const struct action nvdec_actions[] = {
    {.method = 0x300, .type = ACTION_NOT_EXECUTED},
    {.method = 0x304, .type = ACTION_EFFECT, .run = nvdec_semaphore, .argument = &at_240_wide},
    {0}};

const struct kind kind_mpeg = {.name = "MPEG", .role = ROLE_NONE, .groups = {mpeg_actions}};
const struct kind kind_g84_mpeg = {.name = "G84 MPEG", .role = ROLE_NONE, .groups = {mpeg_actions, mpeg_query_actions}};
const struct kind kind_me = {.name = "motion estimation", .role = ROLE_NONE, .groups = {me_actions}};
const struct kind kind_vp1 = {.name = "VP1", .role = ROLE_NONE, .groups = {vp1_actions}};
const struct kind kind_vp2 = {.name = "VP2", .role = ROLE_NONE, .groups = {vp2_actions}};
const struct kind kind_cipher = {.name = "cipher", .role = ROLE_NONE, .groups = {cipher_actions}};
const struct kind kind_vp3 = {.name = "VP3", .role = ROLE_NONE, .groups = {vp3_actions}};
const struct kind kind_sec = {.name = "SEC", .role = ROLE_NONE, .groups = {sec_actions}};
const struct kind kind_nvdec = {.name = "NVDEC", .role = ROLE_NONE, .groups = {nvdec_actions}};
