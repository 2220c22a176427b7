/* SPDX-License-Identifier: MIT */
/*
 * words-overwritten: words of a PUSH that change while they are queued. The pusher may have fetched them before, or
 * not.
 *
 *   PUSH --> pieces of a channel --method of a later word--> executed up to there --idle--> done
 *              ^           ^
 *   WRITE, PUSH of the CPU |        engine.done, engine.fence, puller.release: the GPU wrote
 *
 * Words that are not prefetched are meant to be written. A capture of version 1 does not say when the CPU wrote: what a
 * channel waited for in the recording may have come before. So there only what the GPU writes counts.
 */
#include "lint/lint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { PIECES = 4096, PIECES_BYTES = 64 << 20, PART_BYTES = 256, WORD_BYTES = 4 };

/* A PUSH that is not executed as a whole. */
struct lint_piece {
    uint32_t channel; /* the hardware's number */
    uint32_t number;  /* in the capture */
    uint32_t submission;
    struct pfifo_stream_push push; /* with a copy of its words */
    uint8_t *words;
    uint64_t executed; /* bytes from its beginning */
    uint64_t run;      /* the run of the machine that it was queued before */
};

struct lint_words {
    /* In the order in which they were queued. Beyond PIECES, and PIECES_BYTES of words, they are not watched. */
    size_t count;
    uint64_t bytes;
    uint64_t run;
    struct lint_piece piece[PIECES];
    uint32_t number; /* channel of the submission that is recorded */
};

struct lint_words *lint_words_new(void) {
    return calloc(1, sizeof(struct lint_words));
}

void lint_words_free(struct lint_words *words) {
    for (size_t i = 0; words && i < words->count; i++)
        free(words->piece[i].words);
    free(words);
}

static uint64_t words_piece_bytes(const struct pfifo_stream_push *push) {
    return WORD_BYTES * (uint64_t)push->word_count;
}

static void drop_piece(struct lint_words *words, size_t index) {
    words->bytes -= words_piece_bytes(&words->piece[index].push);
    free(words->piece[index].words);
    memmove(&words->piece[index], &words->piece[index + 1], (words->count - index - 1) * sizeof(struct lint_piece));
    words->count--;
}

/* ---- what is queued, and what is executed ---- */

static void words_add_piece(struct lint *lint, const struct pfifo_stream_push *push) {
    struct lint_words *words = lint->words;
    struct lint_piece piece = {.channel = replay_channel_number(lint->replay, words->number),
                               .number = words->number,
                               .submission = lint->sequence,
                               .push = *push,
                               .run = words->run};
    const uint64_t bytes = words_piece_bytes(push);

    if (!bytes || words->count == PIECES || bytes > PIECES_BYTES - words->bytes)
        return;
    piece.push.words = piece.words = malloc(bytes);
    if (!piece.words)
        return;
    memcpy(piece.words, push->words, bytes);
    words->bytes += bytes;
    words->piece[words->count++] = piece;
}

/* A channel executes in order: the pieces before the one with the word are done. */
void lint_words_method(struct lint *lint, uint32_t channel) {
    struct lint_words *words = lint->words;
    struct pfifo_replay_word now;
    size_t i = 0;

    while (i < words->count && words->piece[i].channel != channel)
        i++;
    if (i == words->count)
        return;
    now = replay_now(lint->replay, channel);
    if (!now.in_push)
        return;
    for (; i < words->count; i++) {
        struct lint_piece *piece = &words->piece[i];
        if (piece->channel != channel)
            continue;
        if (piece->submission == now.submission && piece->push.handle == now.buffer &&
            now.offset - piece->push.offset < words_piece_bytes(&piece->push)) {
            piece->executed = now.offset - piece->push.offset + WORD_BYTES;
            return;
        }
        if (piece->submission > now.submission)
            return;
        drop_piece(words, i--);
    }
}

void lint_words_ran(struct lint *lint) {
    struct lint_words *words = lint->words;

    words->run++;
    for (size_t i = 0; i < words->count; i++) {
        struct pfifo_channel *channel = replay_channel_by_hardware(lint->replay, words->piece[i].channel).channel;
        if (!channel || pfifo_channel_idle(channel))
            drop_piece(words, i--);
    }
}

static void words_forget(struct lint_words *words, uint32_t channel) {
    for (size_t i = 0; i < words->count; i++)
        if (words->piece[i].channel == channel)
            drop_piece(words, i--);
}

/* ---- what is written ---- */

/* Part of a piece that is not executed. */
struct part {
    uint64_t begin, end; /* bytes of the piece */
};

/* The part of a write of `bytes` at `to` that is still to come, of a piece that begins at `from`. */
static struct part words_part_of(const struct lint_piece *piece, uint64_t from, uint64_t to, uint64_t bytes) {
    const uint64_t size = words_piece_bytes(&piece->push);
    const uint64_t skipped = to < from ? from - to : 0, at = to > from ? to - from : 0;
    struct part part = {piece->executed, piece->executed};

    if (bytes <= skipped || at >= size)
        return part;
    if (at > part.begin)
        part.begin = at;
    part.end = bytes - skipped < size - at ? at + (bytes - skipped) : size;
    return part;
}

/* A word about which nothing else is known. */
static struct lint_place words_place_of(const struct lint_piece *piece, uint64_t at) {
    uint64_t word = at & ~(uint64_t)(WORD_BYTES - 1);

    return (struct lint_place){.channel = piece->number,
                               .submission = piece->submission,
                               .word = {.has_address = true,
                                        .has_word = true,
                                        .in_push = true,
                                        .address = piece->push.address + word,
                                        .word = pfifo_stream_word(&piece->push, (size_t)(word / WORD_BYTES)),
                                        .submission = piece->submission,
                                        .buffer = (uint32_t)piece->push.handle,
                                        .offset = piece->push.offset + word}};
}

static uint64_t words_key_of(const struct lint_piece *piece) {
    return (uint64_t)piece->submission << 32 ^ piece->push.address;
}

/* The CPU is about to write to a buffer. */
static void words_cpu_writes(struct lint *lint, uint64_t handle, uint64_t offset, const uint8_t *data, uint64_t bytes) {
    for (size_t i = 0; i < lint->words->count; i++) {
        const struct lint_piece *piece = &lint->words->piece[i];
        if (piece->push.handle != handle || piece->push.no_prefetch || piece->run == lint->words->run)
            continue;
        const struct part part = words_part_of(piece, piece->push.offset, offset, bytes);
        for (uint64_t byte = part.begin; byte < part.end; byte++) {
            if (piece->push.words[byte] == data[piece->push.offset + byte - offset])
                continue;
            const struct lint_place place = words_place_of(piece, byte);
            lint_find(lint, LINT_WORDS_OVERWRITTEN, &place, words_key_of(piece),
                      "the CPU overwrites the word 0x%08" PRIx32 " before submission %" PRIu32
                      ", which is queued, has executed it",
                      place.word.word, piece->submission);
            break;
        }
    }
}

/* The first byte of a part that memory has not as it was recorded; its end: there is none. */
static uint64_t changed_byte(const struct pfifo_vm *vm, const struct lint_piece *piece, struct part part) {
    uint8_t found[PART_BYTES];

    for (uint64_t at = part.begin; at < part.end; at += sizeof found) {
        size_t bytes = part.end - at < sizeof found ? (size_t)(part.end - at) : sizeof found;
        if (!pfifo_vm_read(vm, piece->push.address + at, found, bytes))
            return part.end;
        for (size_t i = 0; i < bytes; i++)
            if (found[i] != piece->push.words[at + i])
                return at + i;
    }
    return part.end;
}

void lint_words_written(struct lint *lint, uint32_t channel, uint64_t address, uint64_t bytes) {
    const struct pfifo_vm *vm;

    if (!lint->words->count || lint->ended) /* what follows has not happened */
        return;
    vm = replay_channel_by_hardware(lint->replay, channel).vm;
    for (size_t i = 0; vm && i < lint->words->count; i++) {
        const struct lint_piece *piece = &lint->words->piece[i];
        if (piece->push.no_prefetch || replay_channel_by_hardware(lint->replay, piece->channel).vm != vm)
            continue;
        const struct part part = words_part_of(piece, piece->push.address, address, bytes);
        const uint64_t byte = part.begin < part.end ? changed_byte(vm, piece, part) : part.end;
        if (byte >= part.end)
            continue;
        const struct lint_place place = lint_place_now(lint, channel);
        lint_find(lint, LINT_WORDS_OVERWRITTEN, &place, words_key_of(piece),
                  "overwrites the word 0x%08" PRIx32 " at 0x%" PRIx64 " of submission %" PRIu32 ", channel %" PRIu32
                  ", which is queued, may be prefetched, and is not executed",
                  pfifo_stream_word(&piece->push, (size_t)(byte / WORD_BYTES)),
                  piece->push.address + byte / WORD_BYTES * WORD_BYTES, piece->submission, piece->number);
    }
}

void lint_words_record(struct lint *lint, const struct pfifo_stream_record *record) {
    switch (record->type) {
    case PFIFO_STREAM_SUBMIT:
        lint->words->number = record->submit.channel;
        return;
    case PFIFO_STREAM_CHANFREE:
        words_forget(lint->words, replay_channel_number(lint->replay, record->chanfree.channel));
        return;
    case PFIFO_STREAM_WRITE:
        words_cpu_writes(lint, record->write.handle, record->write.offset, record->write.data, record->write.bytes);
        return;
    case PFIFO_STREAM_PUSH:
        if (lint->version_2 && record->push.word_count)
            words_cpu_writes(lint, record->push.handle, record->push.offset, record->push.words,
                             words_piece_bytes(&record->push));
        words_add_piece(lint, &record->push);
        return;
    default:
        return;
    }
}
