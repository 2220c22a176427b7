/* SPDX-License-Identifier: MIT */
/*
 * words-overwritten: words of a PUSH that change while they are queued. The pusher may have fetched them before, or
 * not.
 *
 *   PUSH --> pieces of a channel --method of a later word--> executed up to there --idle--> done
 *              ^           ^
 *   WRITE, PUSH of the CPU |        gpu/guard.h: somebody may write --> dirty --next method of the writer--> changed?
 *
 * Words that are not prefetched are meant to be written. A capture of version 1 does not say when the CPU wrote: what a
 * channel waited for in the recording may have come before. So there only what the GPU writes counts.
 */
#include "lint/words.h"

#include "memory/little_endian.h"

#include <pfifo/push.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void words_gpu_writes(void *opaque, uint32_t channel, const struct gpu_extent *extent);

struct lint_words *lint_words_new(struct lint *lint) {
    struct lint_words *words = calloc(1, sizeof(struct lint_words));

    if (!words)
        return NULL;
    words->guard = (struct gpu_guard){words_gpu_writes, lint};
    if (lint_wants(lint, LINT_WORDS_OVERWRITTEN))
        pfifo_private_gpu_guard(pfifo_replay_gpu(lint->replay), &words->guard);
    return words;
}

void lint_words_free(struct lint *lint) {
    struct lint_words *words = lint->words;

    if (!words)
        return;
    pfifo_private_gpu_guard(pfifo_replay_gpu(lint->replay), NULL);
    for (size_t i = 0; i < words->count; i++)
        words_piece_free(words->piece[i]);
    free(words);
}

/* ---- what is written ---- */

/* The part of a write of `bytes` at `to` that is still to come, of a piece that begins at `from`. */
static struct words_part words_part_of(const struct words_piece *piece, uint64_t from, uint64_t to, uint64_t bytes) {
    const uint64_t size = words_piece_bytes(piece);
    const uint64_t skipped = to < from ? from - to : 0, at = to > from ? to - from : 0;
    struct words_part part = {piece->executed, piece->executed};

    if (bytes <= skipped || at >= size)
        return part;
    if (at > part.begin)
        part.begin = at;
    part.end = bytes - skipped < size - at ? at + (bytes - skipped) : size;
    return part;
}

/* A word about which nothing else is known. */
static struct lint_place words_place_of(const struct words_piece *piece, uint64_t at) {
    const uint64_t word = at & ~(uint64_t)(WORD_BYTES - 1);
    struct lint_place place = {.channel = piece->number,
                               .submission = piece->submission,
                               .word = {.has_address = true,
                                        .has_word = true,
                                        .in_push = piece->in_push,
                                        .address = piece->push.address + word,
                                        .word = pfifo_stream_word(&piece->push, (size_t)(word / WORD_BYTES)),
                                        .submission = piece->submission}};

    if (piece->in_push) {
        place.word.buffer = (uint32_t)piece->push.handle;
        place.word.offset = piece->push.offset + word;
    }
    return place;
}

static uint64_t words_key_of(const struct words_piece *piece) {
    return (uint64_t)piece->submission << 32 ^ piece->push.address;
}

/* The CPU is about to write to a buffer. */
static void words_cpu_writes(struct lint *lint, uint64_t handle, uint64_t offset, const uint8_t *data, uint64_t bytes) {
    for (size_t i = 0; i < lint->words->count; i++) {
        const struct words_piece *piece = lint->words->piece[i];
        if (!piece->in_push || piece->push.handle != handle || piece->push.no_prefetch ||
            piece->run == lint->words->run)
            continue;
        const struct words_part part = words_part_of(piece, piece->push.offset, offset, bytes);
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

/* A method that writes little, but far apart, asks for no more to be looked at than that. */
static void words_mark(struct words_piece *piece, struct words_part part) {
    for (uint64_t at = part.begin / WORDS_PART_BYTES; at <= (part.end - 1) / WORDS_PART_BYTES; at++)
        piece->parts[at / 64] |= UINT64_C(1) << at % 64;
}

/* The GPU may write: what, is seen when the method is done. */
static void words_gpu_writes(void *opaque, uint32_t channel, const struct gpu_extent *extent) {
    struct lint *lint = opaque;
    struct lint_words *words = lint->words;

    if (!words->count || lint->ended || !words_near(words, extent)) /* after the end nothing has happened */
        return;
    for (size_t i = 0; i < words->count; i++) {
        struct words_piece *piece = words->piece[i];
        if (piece->push.no_prefetch || piece->memory.system != extent->system)
            continue;
        struct words_part part = words_part_of(piece, piece->memory.address, extent->address, extent->bytes);
        if (part.end > piece->memory.bytes)
            part.end = piece->memory.bytes;
        if (part.begin >= part.end)
            continue;
        words_mark(piece, part);
        if (piece->dirty.end) {
            piece->dirty.begin = part.begin < piece->dirty.begin ? part.begin : piece->dirty.begin;
            piece->dirty.end = part.end > piece->dirty.end ? part.end : piece->dirty.end;
            continue;
        }
        words->dirty++;
        piece->dirty = part;
        piece->writer_channel = channel;
        piece->writer = channel == UINT32_MAX ? words_place_of(piece, part.begin) : lint_place_now(lint, channel);
    }
}

/* The first word of a part that has changed. What is there now is what is queued from here on. */
struct words_change {
    bool found;
    uint64_t at; /* bytes from the beginning of the piece */
    uint32_t was, is;
};

/* False: it cannot be read. */
static bool words_look_part(struct pfifo_gpu *gpu, struct words_piece *piece, struct words_part part,
                            struct words_change *change) {
    uint8_t found[WORDS_PART_BYTES];
    const size_t bytes = (size_t)(part.end - part.begin);

    if (!pfifo_gpu_push_read(gpu, piece->channel, piece->push.address + part.begin, found, bytes / WORD_BYTES))
        return false;
    for (size_t i = 0; i < bytes && !change->found; i += WORD_BYTES) {
        const uint8_t *was = piece->words + part.begin + i;
        if (memcmp(found + i, was, WORD_BYTES) != 0)
            *change = (struct words_change){true, part.begin + i, load_le32(was), load_le32(found + i)};
    }
    memcpy(piece->words + part.begin, found, bytes);
    return true;
}

/* Of what may have been written; nothing is marked any more. */
static struct words_change words_look(struct pfifo_gpu *gpu, struct words_piece *piece) {
    const uint64_t first = piece->dirty.begin / WORD_BYTES * WORD_BYTES,
                   last = (piece->dirty.end + WORD_BYTES - 1) / WORD_BYTES * WORD_BYTES;
    struct words_change change = {0};
    bool read = true;

    for (uint64_t i = first / WORDS_PART_BYTES / 64; i <= (last - 1) / WORDS_PART_BYTES / 64; i++) {
        for (uint64_t rest = piece->parts[i]; rest && read; rest &= rest - 1) {
            const uint64_t at = (i * 64 + (uint64_t)__builtin_ctzll(rest)) * WORDS_PART_BYTES;
            const struct words_part part = {at > first ? at : first,
                                            at + WORDS_PART_BYTES < last ? at + WORDS_PART_BYTES : last};
            read = words_look_part(gpu, piece, part, &change);
        }
        piece->parts[i] = 0;
    }
    return change;
}

/* The method that may have written to it is done. `told`: memory that is found already: a loop reads it again. */
static void words_settle(struct lint *lint, struct words_piece *piece, uint64_t *told) {
    const struct words_change change = words_look(pfifo_replay_gpu(lint->replay), piece);
    const uint64_t physical = piece->memory.address + change.at;

    piece->dirty = (struct words_part){0};
    lint->words->dirty--;
    if (!change.found || *told == physical)
        return;
    *told = physical;
    lint_find(lint, LINT_WORDS_OVERWRITTEN, &piece->writer, words_key_of(piece),
              "overwrites the word 0x%08" PRIx32 " at 0x%" PRIx64 " of submission %" PRIu32 ", channel %" PRIu32
              ", with 0x%08" PRIx32 ": it is queued, may be prefetched, and is not executed",
              change.was, piece->push.address + change.at, piece->submission, piece->number, change.is);
}

/* ---- what is executed ---- */

/*
 * A channel executes in order: the pieces before the one with the word are done. One that is behind the word is read
 * once more, as another piece.
 */
static void words_executed(struct lint *lint, uint32_t channel) {
    struct lint_words *words = lint->words;
    const struct pfifo_replay_word now = replay_now(lint->replay, channel);
    size_t first = 0, found;

    if (!now.has_address)
        return;
    for (found = 0; found < words->count; found++) {
        const struct words_piece *piece = words->piece[found];
        if (piece->channel == channel && (!now.in_push || piece->submission == now.submission) &&
            now.address - piece->push.address >= piece->executed &&
            now.address - piece->push.address < words_piece_bytes(piece))
            break;
    }
    if (found == words->count)
        return;
    words->piece[found]->executed = now.address - words->piece[found]->push.address + WORD_BYTES;
    while (first < found) {
        if (words->piece[first]->channel != channel) {
            first++;
            continue;
        }
        words_drop(words, first);
        found--;
    }
}

static void words_settle_all(struct lint *lint, uint32_t channel) {
    uint64_t told = UINT64_MAX;

    for (size_t i = 0; i < lint->words->count && lint->words->dirty; i++)
        if (lint->words->piece[i]->dirty.end &&
            (channel == UINT32_MAX || lint->words->piece[i]->writer_channel == channel))
            words_settle(lint, lint->words->piece[i], &told);
}

void lint_words_method(struct lint *lint, uint32_t channel) {
    words_settle_all(lint, channel);
    if (lint->words->count)
        words_executed(lint, channel);
}

void lint_words_ran(struct lint *lint) {
    struct lint_words *words = lint->words;

    words_settle_all(lint, UINT32_MAX);
    words->run++;
    for (size_t i = 0; i < words->count; i++) {
        struct pfifo_channel *channel = replay_channel_by_hardware(lint->replay, words->piece[i]->channel).channel;
        if (!channel || pfifo_channel_idle(channel))
            words_drop(words, i--);
    }
}

static void words_forget(struct lint_words *words, uint32_t channel) {
    for (size_t i = 0; i < words->count; i++)
        if (words->piece[i]->channel == channel)
            words_drop(words, i--);
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
                             WORD_BYTES * (uint64_t)record->push.word_count);
        words_queue(lint, &record->push);
        return;
    default:
        return;
    }
}
