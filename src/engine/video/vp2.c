/* SPDX-License-Identifier: MIT */
/*
 * The second generation: PVP2 and PBSP run programs of Xtensa cores, PCIPHER is hardware.
 *
 *   PVP2, PBSP   0x300 starts; 0x304: bit 0 writes the semaphore at 0x610, bit 8 interrupts
 *   PCIPHER      0x318 starts: [1:0] 0 copies, 1 encrypts, 2 decrypts; [5:4] query, 2: with an interrupt; 0x328 query
 *
 * Modelled:     copies (nouveau moves buffers with them), semaphores, queries, interrupts.
 * Not modelled: AES; what the cores do.
 * UNKNOWN: mode 3 of a launch; chosen: not executed. Whether a launch moves the addresses on; chosen: it does not.
 */
#include "engine/kinds.h"
#include "engine/video/video.h"
#include "methods/video.h"

static enum action_result vp2_semaphore(struct call *call) {
    if (call->data & 1)
        video_release(call, REPORT_ONE_WORD);
    if (call->data >> 8 & 1)
        call_interrupt(call, "SEMAPHORE");
    return ACTION_DONE;
}

static const char *const cipher_modes[8] = {
    NULL, "AES-ECB", "AES-CTR", "AES-CTR", "AES-CBC", "AES-ECB", "AES-ECB", "AES-ECB",
};

enum { CIPHER_COPY = 0 };

static enum action_result cipher_finish(struct call *call) {
    unsigned form = call->data >> 4 & 3;
    if (form == 1 || form == 2)
        video_release(call, REPORT_FOUR_WORDS);
    if (form == 2)
        call_interrupt(call, "QUERY");
    return ACTION_DONE;
}

/* A copy that faults has no query: what waits for it must not believe that all is there. */
static enum action_result cipher_launch(struct call *call) {
    if ((call->data & 3) != CIPHER_COPY) {
        call_work_not_executed(call, cipher_modes[CALL_FIELD(call, G84_CIPHER_CRYPT_MODE, MODE)]);
        return cipher_finish(call);
    }
    struct dma_address from = {call_value(call, G84_CIPHER_DMA_SRC),
                               call_address(call, G84_CIPHER_SRC_ADDRESS_HIGH, G84_CIPHER_SRC_ADDRESS_LOW, 8)};
    struct dma_address to = {call_value(call, G84_CIPHER_DMA_DST),
                             call_address(call, G84_CIPHER_DST_ADDRESS_HIGH, G84_CIPHER_DST_ADDRESS_LOW, 8)};
    switch (video_transfer(call, to, &from, NULL, call_value(call, G84_CIPHER_LENGTH))) {
    case TRANSFER_MORE:
        return ACTION_STALL;
    case TRANSFER_FAULT:
        return ACTION_DONE;
    default:
        return cipher_finish(call);
    }
}

static const struct semaphore_methods at_610 = {NV74_VP2_DMA_QUERY, NV74_VP2_QUERY_ADDRESS_HIGH,
                                                NV74_VP2_QUERY_ADDRESS_LOW, NV74_VP2_QUERY_SEQUENCE, 8};
static const struct semaphore_methods cipher_query = {G84_CIPHER_DMA_QUERY, G84_CIPHER_QUERY_ADDRESS_HIGH,
                                                      G84_CIPHER_QUERY_ADDRESS_LOW, G84_CIPHER_QUERY_SEQUENCE, 8};

#define CORE(work)                                                                                                     \
    {.method = NV74_VP2_EXEC, .type = ACTION_NOT_EXECUTED, .argument = (work)}, {                                      \
        .method = NV74_VP2_QUERY_GET, .type = ACTION_EFFECT, .run = vp2_semaphore, .argument = &at_610                 \
    }

static const struct action vp2_actions[] = {CORE("decode picture"), {0}};
static const struct action bsp_actions[] = {CORE("parse bitstream"), {0}};
static const struct action cipher_actions[] = {
    {.method = G84_CIPHER_LAUNCH, .type = ACTION_EFFECT, .run = cipher_launch, .argument = &cipher_query},
    {.method = G84_CIPHER_QUERY_GET, .type = ACTION_EFFECT, .run = video_query_or_interrupt, .argument = &cipher_query},
    {0}};

const struct kind kind_vp2 = {.name = "VP2", .role = ROLE_NONE, .groups = {vp2_actions}};
const struct kind kind_bsp = {.name = "BSP", .role = ROLE_NONE, .groups = {bsp_actions}};
const struct kind kind_cipher = {.name = "cipher", .role = ROLE_NONE, .groups = {cipher_actions}};
