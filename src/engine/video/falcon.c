/* SPDX-License-Identifier: MIT */
/*
 * Units that are a falcon with firmware: PVLD, PPDEC, PPPP (VP3 and later), PVCOMP, PVENC. The methods are the
 * firmware's; 0x300 starts, and with bit 0 the semaphore at 0x240 is written when all is done.
 *
 * The codec is in the low bits of PVLD's first method, as Mesa writes it.
 * UNKNOWN: the methods of PVCOMP, and those of PVENC before Turing; chosen: the same start and semaphore.
 */
#include "engine/kinds.h"
#include "engine/video/video.h"
#include "methods/video.h"

#define CODEC 0xfu

static const struct semaphore_methods at_240 = {G98_MSVLD_DMA_QUERY, G98_MSVLD_QUERY_ADDRESS_HIGH,
                                                G98_MSVLD_QUERY_ADDRESS_LOW, G98_MSVLD_QUERY_SEQUENCE, 8};

static enum action_result falcon_finish(const struct call *call) {
    if (call->data & 1)
        video_release(call, REPORT_ONE_WORD);
    return ACTION_DONE;
}

static enum action_result vld_exec(struct call *call) {
    static const char *const codecs[] = {"parse MPEG-1", "parse MPEG-2", "parse VC-1", "parse H.264", "parse MPEG-4"};
    call_work_not_executed(call, VIDEO_NAME(codecs, call_value(call, G98_MSVLD_CODEC) & CODEC));
    return falcon_finish(call);
}

static enum action_result dec_exec(struct call *call) {
    call_work_not_executed(call, "decode picture");
    return falcon_finish(call);
}

static enum action_result pp_exec(struct call *call) {
    call_work_not_executed(call, "post-process picture");
    return falcon_finish(call);
}

static enum action_result comp_exec(struct call *call) {
    call_work_not_executed(call, "compose pictures");
    return falcon_finish(call);
}

static enum action_result enc_exec(struct call *call) {
    call_work_not_executed(call, "encode picture");
    return falcon_finish(call);
}

#define EXEC(function)                                                                                                 \
    { {.method = G98_MSVLD_EXEC, .type = ACTION_EFFECT, .run = (function), .argument = &at_240}, {0}, }

static const struct action vld_actions[] = EXEC(vld_exec);
static const struct action dec_actions[] = EXEC(dec_exec);
static const struct action pp_actions[] = EXEC(pp_exec);
static const struct action comp_actions[] = EXEC(comp_exec);
static const struct action enc_actions[] = EXEC(enc_exec);

const struct kind kind_vld = {.name = "VLD", .role = ROLE_NONE, .groups = {vld_actions}};
const struct kind kind_pdec = {.name = "PDEC", .role = ROLE_NONE, .groups = {dec_actions}};
const struct kind kind_ppp = {.name = "PPP", .role = ROLE_NONE, .groups = {pp_actions}};
const struct kind kind_vcomp = {.name = "VCOMP", .role = ROLE_NONE, .groups = {comp_actions}};
const struct kind kind_venc = {.name = "VENC", .role = ROLE_NONE, .groups = {enc_actions}};
