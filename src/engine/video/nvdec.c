/* SPDX-License-Identifier: MIT */
/*
 * NVDEC, NVENC, NVJPG: 0x200 says which application, 0x300 starts it, 0x304 is the semaphore. Structure sizes are
 * numbered unlike those of every other class.
 *
 * UNKNOWN: the classes before Turing; chosen: the same methods. What NOTIFY of 0x300 writes, and where; chosen:
 * nothing. What a condition (C6B0-, bits 3:2 of 0x300) looks at; chosen: nothing, the work is not executed anyway.
 */
#include "engine/kinds.h"
#include "engine/video/video.h"

enum { APPLICATION = 0x200, PAYLOAD_64 = 1 << 24 };

/* Of the semaphore's trigger: C7B0 and C7B7 brought a payload of 64 bits. */
struct semaphore_form {
    uint32_t size;
    bool has_64;
};

static const char *const decoders[] = {
    NULL,
    "decode MPEG-1/2",
    "decode VC-1",
    "decode H.264",
    "decode MPEG-4",
    "decode VP8",
    "decrypt AES-CTR",
    "decode HEVC",
    "decode H.264",
    "decode VP9",
    "decode, pass 1",
    NULL,
    "parse HEVC",
    NULL,
    NULL,
    NULL,
    NULL,
    "parse VP9",
    "decode AV1",
};

static const char *const encoders[] = {
    NULL,         "encode H.264",     "encode VP8",        "encode HEVC",
    "encode VP9", "control the rate", "find optical flow", "encode AV1",
};

static const char *const jpegs[] = {NULL, "decode JPEG", "encode JPEG"};

static enum action_result execute(const struct call *call, const char *work) {
    call_work_not_executed(call, work);
    if (call->data >> 8 & 1)
        call_interrupt(call, "AWAKEN");
    return ACTION_DONE;
}

static enum action_result decoder_execute(struct call *call) {
    return execute(call, VIDEO_NAME(decoders, call_value(call, APPLICATION)));
}

static enum action_result encoder_execute(struct call *call) {
    return execute(call, VIDEO_NAME(encoders, call_value(call, APPLICATION)));
}

static enum action_result jpeg_execute(struct call *call) {
    return execute(call, VIDEO_NAME(jpegs, call_value(call, APPLICATION)));
}

/* With a payload of 64 bits, one word is two (UNKNOWN; chosen: so that nothing of it is lost). */
static void release(const struct call *call) {
    static const enum report_words words[4] = {REPORT_ONE_WORD, REPORT_FOUR_WORDS, REPORT_TWO_WORDS, REPORT_ONE_WORD};
    struct place place = {0, call_address(call, 0x240, 0x244, 25)};
    const struct semaphore_form *form = call->action->argument;
    bool is_64 = form->has_64 && (call->data & PAYLOAD_64);
    enum report_words size = words[call->data & form->size];
    uint64_t payload = call_value(call, is_64 ? 0x254 : 0x248);
    if (is_64) {
        payload |= (uint64_t)call_value(call, 0x258) << 32;
        size = size == REPORT_ONE_WORD ? REPORT_TWO_WORDS : size;
    }
    report_release(call, place, payload, size, "semaphore");
}

static enum action_result semaphore(struct call *call) {
    unsigned operation = call->data >> 16 & 3;
    if (operation == 0)
        release(call);
    else if (operation != 3)
        call_not_executed(call);
    if (operation == 3 || (call->data >> 8 & 1))
        call_interrupt(call, operation == 3 ? "TRAP" : "AWAKEN");
    return ACTION_DONE;
}

static const struct semaphore_form form_32 = {1, false}, form_64 = {3, true};

static const struct action semaphore_actions[] = {
    {.method = 0x304, .type = ACTION_EFFECT, .run = semaphore, .argument = &form_32}, {0}};
static const struct action semaphore_64_actions[] = {
    {.method = 0x304, .type = ACTION_EFFECT, .run = semaphore, .argument = &form_64}, {0}};
static const struct action decoder_actions[] = {{.method = 0x300, .type = ACTION_EFFECT, .run = decoder_execute}, {0}};
static const struct action encoder_actions[] = {{.method = 0x300, .type = ACTION_EFFECT, .run = encoder_execute}, {0}};
static const struct action jpeg_actions[] = {{.method = 0x300, .type = ACTION_EFFECT, .run = jpeg_execute}, {0}};

const struct kind kind_nvdec = {.name = "NVDEC", .role = ROLE_NONE, .groups = {decoder_actions, semaphore_actions}};
const struct kind kind_nvenc = {.name = "NVENC", .role = ROLE_NONE, .groups = {encoder_actions, semaphore_actions}};
const struct kind kind_ga102_nvdec = {
    .name = "GA102 NVDEC", .role = ROLE_NONE, .groups = {decoder_actions, semaphore_64_actions}};
const struct kind kind_ga102_nvenc = {
    .name = "GA102 NVENC", .role = ROLE_NONE, .groups = {encoder_actions, semaphore_64_actions}};
const struct kind kind_nvjpg = {.name = "NVJPG", .role = ROLE_NONE, .groups = {jpeg_actions, semaphore_64_actions}};
