/* SPDX-License-Identifier: MIT */
/*
 * NVDEC, NVENC, NVJPG: 0x200 says which application, 0x300 starts it, 0x304 is the semaphore. Structure sizes are
 * numbered unlike those of every other class.
 *
 *   payload of 64 bits   C7B0-: bit 24 of 0x304    C7B7-: bit 23    C9B7-: bit 2    NVJPG: none
 *   address              40 bits, C9D1: 57
 *
 * UNKNOWN: the classes before Turing; chosen: the same methods. What NOTIFY of 0x300 writes, and where; chosen:
 * nothing. What a condition (C6B0-, bits 3:2 of 0x300) looks at; chosen: nothing, the work is not executed anyway. The
 * condition of a conditional trap; chosen: a trap always interrupts.
 */
#include <assert.h>

#include "engine/kinds.h"
#include "engine/video/video.h"
#include "methods/video.h"

enum { APPLICATION = NVC7B0_VIDEO_DECODER_SET_APPLICATION_ID };

/* Of the semaphore's trigger: C7B0 and C7B7 brought a payload of 64 bits, each with a bit of its own for it. */
struct semaphore_form {
    uint32_t size;       /* bits of the structure's */
    uint32_t payload_64; /* 0: none */
    unsigned address_bits;
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

static enum action_result nvdec_execute(const struct call *call, const char *work) {
    call_work_not_executed(call, work);
    if (call->data >> 8 & 1)
        call_interrupt(call, "AWAKEN");
    return ACTION_DONE;
}

static enum action_result decoder_execute(struct call *call) {
    return nvdec_execute(call, VIDEO_NAME(decoders, call_value(call, APPLICATION)));
}

static enum action_result encoder_execute(struct call *call) {
    return nvdec_execute(call, VIDEO_NAME(encoders, call_value(call, APPLICATION)));
}

static enum action_result jpeg_execute(struct call *call) {
    return nvdec_execute(call, VIDEO_NAME(jpegs, call_value(call, APPLICATION)));
}

/* With a payload of 64 bits, one word is two (UNKNOWN; chosen: so that nothing of it is lost). */
static void nvdec_release(const struct call *call) {
    static const enum report_words words[4] = {REPORT_ONE_WORD, REPORT_FOUR_WORDS, REPORT_TWO_WORDS, REPORT_ONE_WORD};
    const struct semaphore_form *form = call->action->argument;
    struct dma_address target = {
        0, call_address(call, NVC7B0_VIDEO_DECODER_SEMAPHORE_A, NVC7B0_VIDEO_DECODER_SEMAPHORE_B, form->address_bits)};
    bool is_64 = (call->data & form->payload_64) != 0;
    assert(form->size < sizeof words / sizeof words[0]);
    enum report_words size = words[call->data & form->size];
    uint64_t payload =
        call_value(call, is_64 ? NVC7B0_VIDEO_DECODER_SET_SEMAPHORE_PAYLOAD_LOWER : NVC7B0_VIDEO_DECODER_SEMAPHORE_C);
    if (is_64) {
        payload |= (uint64_t)call_value(call, NVC7B0_VIDEO_DECODER_SET_SEMAPHORE_PAYLOAD_UPPER) << 32;
        size = size == REPORT_ONE_WORD ? REPORT_TWO_WORDS : size;
    }
    report_release(call, target, payload, size, event_words[PFIFO_WORD_SEMAPHORE]);
}

static enum action_result nvdec_semaphore(struct call *call) {
    unsigned operation = call->data >> 16 & 3;
    if (operation == 0)
        nvdec_release(call);
    else if (operation != 3)
        call_not_executed(call);
    if (operation == 3 || (call->data >> 8 & 1))
        call_interrupt(call, operation == 3 ? "TRAP" : "AWAKEN");
    return ACTION_DONE;
}

static const struct semaphore_form form_32 = {1, 0, 8}, jpeg_form = {1, 0, 25};
static const struct semaphore_form c7b0_form = {3, 1u << 24, 8}, c7b7_form = {3, 1u << 23, 8}, c9b7_form = {3, 4, 8};

#define SEMAPHORE(form)                                                                                                \
    {                                                                                                                  \
        {.method = NVC7B0_VIDEO_DECODER_SEMAPHORE_D,                                                                   \
         .type = ACTION_EFFECT,                                                                                        \
         .run = nvdec_semaphore,                                                                                       \
         .argument = &(form)},                                                                                         \
            {0},                                                                                                       \
    }

static const struct action semaphore_actions[] = SEMAPHORE(form_32);
static const struct action c7b0_semaphore_actions[] = SEMAPHORE(c7b0_form);
static const struct action c7b7_semaphore_actions[] = SEMAPHORE(c7b7_form);
static const struct action c9b7_semaphore_actions[] = SEMAPHORE(c9b7_form);
static const struct action jpeg_semaphore_actions[] = SEMAPHORE(jpeg_form);
static const struct action decoder_actions[] = {
    {.method = NVC7B0_VIDEO_DECODER_EXECUTE, .type = ACTION_EFFECT, .run = decoder_execute}, {0}};
static const struct action encoder_actions[] = {
    {.method = NVC7B7_VIDEO_ENCODER_EXECUTE, .type = ACTION_EFFECT, .run = encoder_execute}, {0}};
static const struct action jpeg_actions[] = {
    {.method = NVC9D1_VIDEO_NVJPG_EXECUTE, .type = ACTION_EFFECT, .run = jpeg_execute}, {0}};

const struct kind kind_nvdec = {.name = "NVDEC", .role = ROLE_NONE, .groups = {decoder_actions, semaphore_actions}};
const struct kind kind_nvenc = {.name = "NVENC", .role = ROLE_NONE, .groups = {encoder_actions, semaphore_actions}};
const struct kind kind_ga102_nvdec = {
    .name = "GA102 NVDEC", .role = ROLE_NONE, .groups = {decoder_actions, c7b0_semaphore_actions}};
const struct kind kind_ga102_nvenc = {
    .name = "GA102 NVENC", .role = ROLE_NONE, .groups = {encoder_actions, c7b7_semaphore_actions}};
const struct kind kind_ad102_nvenc = {
    .name = "AD102 NVENC", .role = ROLE_NONE, .groups = {encoder_actions, c9b7_semaphore_actions}};
const struct kind kind_nvjpg = {.name = "NVJPG", .role = ROLE_NONE, .groups = {jpeg_actions, jpeg_semaphore_actions}};
const struct kind kind_tegra_nvjpg = {
    .name = "Tegra NVJPG", .role = ROLE_NONE, .groups = {jpeg_actions, semaphore_actions}};
