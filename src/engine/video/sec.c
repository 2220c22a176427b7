/* SPDX-License-Identifier: MIT */
/*
 * PSEC: AES on a falcon, with nouveau's firmware.
 *
 *   0200 query address, counter; 020c writes it
 *   0210 condition address; 0218 evaluates it: LENGTH is skipped or not
 *   0300 key, IV; 0320 source, destination; 0330 mode; 0334 LENGTH starts, and moves the addresses on
 *
 * Modelled:     modes 0 (copy) and 1 (store: every block is the IV); queries, conditions, interrupts, what is refused.
 * Not modelled: the modes of AES. The addresses move on, and nothing is written.
 * UNKNOWN: methods that the firmware does not have, which it refuses; other firmware may; chosen: they are kept.
 * Differs: the interrupt of a query has a line of its own; nouveau's firmware sends it as error 3.
 *
 * Source: nouveau nvkm/engine/sec/fuc/g98.fuc0s.
 */
#include <assert.h>

#include "engine/core/error.h"
#include "engine/kinds.h"
#include "engine/video/video.h"
#include "fifo/fifo.h"
#include "methods/video.h"

/* What the firmware keeps besides its methods: a method that is refused changes none of it. */
enum extra {
    SKIPS,
    MODE,
    SOURCE_HIGH,
    SOURCE_LOW,
    DESTINATION_HIGH,
    DESTINATION_LOW,
    QUERY_HIGH,
    QUERY_LOW,
    CONDITION_HIGH,
    CONDITION_LOW,
    EXTRA_WORDS
};

enum {
    QUERY_OBJECT = G98_SEC_DMA_QUERY,
    SOURCE_OBJECT = G98_SEC_DMA_SRC,
    DESTINATION_OBJECT = G98_SEC_DMA_DST,
    QUERY_COUNTER = G98_SEC_QUERY_COUNTER,
    IV = G98_SEC_CRYPT_IV(0)
};
enum { MODE_COPY, MODE_STORE, MODES = 0xf };
_Static_assert(SOURCE_LOW == SOURCE_HIGH + 1 && DESTINATION_LOW == DESTINATION_HIGH + 1 &&
                   QUERY_LOW == QUERY_HIGH + 1 && CONDITION_LOW == CONDITION_HIGH + 1,
               "the lower word follows the upper one");

/* The bits that a method may have, and the word that it sets. */
struct sec_field {
    uint32_t bits;
    int extra;
};

static uint32_t *extra_of(const struct call *call) {
    return object_private(call->object);
}

static enum action_result sec_set(struct call *call) {
    const struct sec_field *field = call->action->argument;
    if (call->data & ~field->bits)
        return call_error(call, ENGINE_ERROR_INVALID_BITFIELD);
    assert(field->extra < EXTRA_WORDS);
    if (field->extra >= 0)
        extra_of(call)[field->extra] = call->data;
    return ACTION_DONE;
}

static enum action_result sec_set_mode(struct call *call) {
    if (call->data > 0xf)
        return call_error(call, ENGINE_ERROR_INVALID_BITFIELD);
    if (call->data >= MODES)
        return call_error(call, ENGINE_ERROR_INVALID_ENUM);
    extra_of(call)[MODE] = call->data;
    return ACTION_DONE;
}

static uint64_t address_of(const uint32_t *extra, enum extra high) {
    assert(high >= SOURCE_HIGH && high + 1 < EXTRA_WORDS);
    return (uint64_t)(extra[high] & 0xff) << 32 | (extra[high + 1] & 0xfffffff0u);
}

static enum action_result sec_query(struct call *call) {
    if (call->data & ~1u)
        return call_error(call, ENGINE_ERROR_INVALID_BITFIELD);
    struct dma_address target = {call_value(call, QUERY_OBJECT), address_of(extra_of(call), QUERY_HIGH)};
    report_release(call, target, call_value(call, QUERY_COUNTER), REPORT_FOUR_WORDS, event_words[PFIFO_WORD_SEMAPHORE]);
    if (call->data & 1)
        call_interrupt(call, "QUERY");
    return ACTION_DONE;
}

/* ---- conditions ---- */

enum { NEVER, ALWAYS, IF_RESULT, IF_EQUAL, IF_NOT_EQUAL, CONDITIONS };

static bool sec_holds(const struct call *call, bool *result) {
    struct address_space space = call_space(call, call_value(call, QUERY_OBJECT));
    uint64_t address = address_of(extra_of(call), CONDITION_HIGH);
    uint8_t bytes[32] = {0};
    struct fault fault;
    if (!memory_read(call->engine->fifo->memory, &space, address, bytes, call->data == IF_RESULT ? 16 : 32, &fault)) {
        call_fault_of(call, USE_QUERY, &fault);
        return false;
    }
    if (call->data == IF_RESULT)
        *result = load_le32(bytes + 4) != 0;
    else
        *result = (load_le64(bytes) == load_le64(bytes + 16)) == (call->data == IF_EQUAL);
    return true;
}

static enum action_result condition(struct call *call) {
    bool result = call->data == ALWAYS;
    if (call->data > 7)
        return call_error(call, ENGINE_ERROR_INVALID_BITFIELD);
    if (call->data >= CONDITIONS)
        return call_error(call, ENGINE_ERROR_INVALID_ENUM);
    if (call->data < IF_RESULT || sec_holds(call, &result))
        extra_of(call)[SKIPS] = !result;
    return ACTION_DONE;
}

/* ---- LENGTH ---- */

static const char *const modes[MODES] = {
    NULL,
    NULL,
    "AES-ECB encryption",
    "AES-ECB decryption",
    "AES-CBC encryption",
    "AES-CBC decryption",
    "AES-PCBC encryption",
    "AES-PCBC decryption",
    "AES-CFB encryption",
    "AES-CFB decryption",
    "AES-OFB",
    "AES-CTR",
    "AES-CBC-MAC",
    "AES-CMAC",
    "AES-CMAC of a part",
};

static void move_on(uint32_t *extra, enum extra high, uint64_t bytes) {
    uint64_t address = address_of(extra, high) + bytes;
    extra[high] = (uint32_t)(address >> 32) & 0xff;
    extra[high + 1] = (uint32_t)address;
}

static enum video_transfer sec_execute(const struct call *call, uint32_t mode) {
    const uint32_t *extra = extra_of(call);
    struct dma_address from = {call_value(call, SOURCE_OBJECT), address_of(extra, SOURCE_HIGH)};
    struct dma_address to = {call_value(call, DESTINATION_OBJECT), address_of(extra, DESTINATION_HIGH)};
    uint8_t iv[VIDEO_BLOCK_BYTES];
    for (uint32_t i = 0; i < 4; i++)
        store_le32(iv + 4 * i, call_value(call, IV + 4 * i));
    if (mode <= MODE_STORE)
        return video_transfer(call, to, mode == MODE_COPY ? &from : NULL, iv, call->data);
    call_work_not_executed(call, VIDEO_NAME(modes, mode));
    return TRANSFER_DONE;
}

/* Modes from CBC-MAC on read only; a store writes only. */
static enum action_result length(struct call *call) {
    uint32_t *extra = extra_of(call), mode = extra[MODE];
    if (call->data & ~0x0ffffff0u)
        return call_error(call, ENGINE_ERROR_INVALID_BITFIELD);
    if (extra[SKIPS] || call->data == 0)
        return ACTION_DONE;
    enum video_transfer transfer = sec_execute(call, mode);
    if (transfer == TRANSFER_MORE)
        return ACTION_STALL;
    if (transfer == TRANSFER_DONE) {
        move_on(extra, SOURCE_HIGH, mode == MODE_STORE ? 0 : call->data);
        move_on(extra, DESTINATION_HIGH, mode >= 0xc ? 0 : call->data);
    }
    return ACTION_DONE;
}

static const struct sec_field nothing = {0, -1};
static const struct sec_field query_high = {0xff, QUERY_HIGH}, query_low = {0xfffffff0, QUERY_LOW};
static const struct sec_field condition_high = {0xff, CONDITION_HIGH}, condition_low = {0xfffffff0, CONDITION_LOW};
static const struct sec_field source_high = {0xff, SOURCE_HIGH}, source_low = {0xfffffff0, SOURCE_LOW};
static const struct sec_field destination_high = {0xff, DESTINATION_HIGH},
                              destination_low = {0xfffffff0, DESTINATION_LOW};

#define SET(at, what)                                                                                                  \
    { .method = (at), .type = ACTION_EFFECT, .run = sec_set, .argument = &(what) }

static const struct action actions[] = {SET(G98_SEC_QUERY_ADDRESS_HIGH, query_high),
                                        SET(G98_SEC_QUERY_ADDRESS_LOW, query_low),
                                        {.method = G98_SEC_QUERY_GET, .type = ACTION_EFFECT, .run = sec_query},
                                        SET(G98_SEC_COND_ADDRESS_HIGH, condition_high),
                                        SET(G98_SEC_COND_ADDRESS_LOW, condition_low),
                                        {.method = G98_SEC_COND_MODE, .type = ACTION_EFFECT, .run = condition},
                                        SET(G98_SEC_FLUSH, nothing), /* flush */
                                        SET(G98_SEC_SRC_ADDRESS_HIGH, source_high),
                                        SET(G98_SEC_SRC_ADDRESS_LOW, source_low),
                                        SET(G98_SEC_DST_ADDRESS_HIGH, destination_high),
                                        SET(G98_SEC_DST_ADDRESS_LOW, destination_low),
                                        {.method = G98_SEC_CRYPT_MODE, .type = ACTION_EFFECT, .run = sec_set_mode},
                                        {.method = G98_SEC_LENGTH, .type = ACTION_EFFECT, .run = length},
                                        {0}};

/* A loaded mode or address may be anything: both are bounded where they are used. */
const struct kind kind_sec = {
    .name = "SEC", .role = ROLE_NONE, .private = {.bytes = 4 * EXTRA_WORDS}, .groups = {actions}};
