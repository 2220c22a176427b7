/* SPDX-License-Identifier: MIT */
/*
 * Which words are queued. A PUSH to a ring of segments is read from its beginning to its end. Without such a ring its
 * words may jump, also to memory that is in no PUSH: they are followed as the pusher will, as memory is now.
 */
#include "lint/words.h"

#include "chip/chip.h"
#include "chip/family.h"
#include "grammar/grammar.h"
#include "memory/little_endian.h"

#include <pfifo/push.h>

#include <stdlib.h>
#include <string.h>

enum { BLOCK_WORDS = 64, MOST_BEYOND = 1 << 16, MOST_JUMPS = 256 };

/* ---- pieces ---- */

static unsigned chunk_of(bool system, uint64_t address) {
    return (unsigned)((address >> WORDS_CHUNK_SHIFT ^ (system ? WORDS_CHUNKS / 2 : 0)) % WORDS_CHUNKS);
}

static void note_chunks(struct lint_words *words, const struct gpu_extent *extent) {
    const uint64_t last = (extent->address + extent->bytes - 1) >> WORDS_CHUNK_SHIFT;

    for (uint64_t chunk = extent->address >> WORDS_CHUNK_SHIFT; extent->bytes && chunk <= last; chunk++) {
        unsigned bit = chunk_of(extent->system, chunk << WORDS_CHUNK_SHIFT);
        words->chunk[bit / 64] |= UINT64_C(1) << bit % 64;
    }
}

bool words_near(const struct lint_words *words, const struct gpu_extent *extent) {
    const uint64_t first = extent->address >> WORDS_CHUNK_SHIFT,
                   last = (extent->address + extent->bytes - 1) >> WORDS_CHUNK_SHIFT;

    for (uint64_t chunk = first; chunk <= last && chunk - first < WORDS_CHUNKS; chunk++) {
        unsigned bit = chunk_of(extent->system, chunk << WORDS_CHUNK_SHIFT);
        if (words->chunk[bit / 64] >> bit % 64 & 1)
            return true;
    }
    return false;
}

void words_piece_free(struct words_piece *piece) {
    if (piece) {
        free(piece->words);
        free(piece->parts);
    }
    free(piece);
}

void words_drop(struct lint_words *words, size_t index) {
    struct words_piece *piece = words->piece[index];

    words->bytes -= words_piece_bytes(piece);
    words->dirty -= piece->dirty.end != 0;
    words_piece_free(piece);
    memmove(words->piece + index, words->piece + index + 1, (words->count - index - 1) * sizeof piece);
    if (!--words->count)
        memset(words->chunk, 0, sizeof words->chunk);
}

/* ---- a PUSH as the pusher reads it ---- */

struct words_walk {
    struct lint *lint;
    const struct pfifo_stream_push *push;
    uint32_t channel;
    uint64_t at, begin;   /* address of the word that is read; of the first one of the piece */
    uint64_t returns;     /* after the call that is followed; 0: none is */
    uint32_t data;        /* words that come before the next header */
    uint64_t read;        /* words: at most MOST_BEYOND more than the PUSH has */
    uint32_t jumps;       /* a loop has no end */
    uint64_t block_at;    /* address of `block` */
    uint32_t block_words; /* that are in it */
    uint8_t block[BLOCK_WORDS * WORD_BYTES];
};

/* How many bytes of the PUSH begin at an address; 0: it is not in there. */
static uint64_t left_of_push(const struct pfifo_stream_push *push, uint64_t address) {
    const uint64_t bytes = WORD_BYTES * (uint64_t)push->word_count;

    return address >= push->address && address - push->address < bytes ? bytes - (address - push->address) : 0;
}

/* A block does not reach into the next one, so that what is not mapped there does not matter. */
static bool read_block(struct words_walk *walk) {
    const uint64_t bytes = sizeof walk->block, in_block = walk->at % bytes;

    walk->block_at = walk->at;
    walk->block_words = (uint32_t)((bytes - in_block) / WORD_BYTES);
    if (pfifo_gpu_push_read(pfifo_replay_gpu(walk->lint->replay), walk->channel, walk->at, walk->block,
                            walk->block_words))
        return true;
    walk->block_words = 0;
    return false;
}

/* Of a ring PUT is after its last word, and the pusher stops there. */
static bool is_at_put(const struct words_walk *walk) {
    const struct pfifo_stream_push *push = walk->push;

    return push->length & PFIFO_STREAM_PUSH_RING && walk->at - push->address == WORD_BYTES * (uint64_t)push->word_count;
}

/* False: there is no word, or too many were read. */
static bool walk_read(struct words_walk *walk, uint32_t *word) {
    if (is_at_put(walk))
        return false;
    if (walk->read++ >= (uint64_t)walk->push->word_count + MOST_BEYOND)
        return false;
    if (left_of_push(walk->push, walk->at)) {
        *word = pfifo_stream_word(walk->push, (size_t)((walk->at - walk->push->address) / WORD_BYTES));
        return true;
    }
    /* A word may end beyond the block where a return goes to an address that is no multiple of 4. */
    if ((walk->at < walk->block_at ||
         walk->at - walk->block_at + WORD_BYTES > WORD_BYTES * (uint64_t)walk->block_words) &&
        !read_block(walk))
        return false;
    *word = load_le32(walk->block + (walk->at - walk->block_at));
    return true;
}

/* The words of a piece: those of the PUSH, or what is in memory. NULL: they cannot be read, or the host has no memory. */
static uint8_t *copy_words(const struct words_walk *walk, uint64_t address, uint64_t bytes) {
    uint8_t *words = malloc(bytes);

    if (!words)
        return NULL;
    if (left_of_push(walk->push, address) >= bytes) {
        memcpy(words, (const uint8_t *)walk->push->words + (address - walk->push->address), bytes);
        return words;
    }
    if (pfifo_gpu_push_read(pfifo_replay_gpu(walk->lint->replay), walk->channel, address, words, bytes / WORD_BYTES))
        return words;
    free(words);
    return NULL;
}

/* Takes its words. */
static void keep_piece(struct lint_words *words, const struct words_piece *piece) {
    struct words_piece *kept = malloc(sizeof *kept);

    if (!kept) {
        free(piece->words);
        return;
    }
    *kept = *piece;
    kept->parts = calloc(words_parts(words_piece_bytes(piece)), sizeof *kept->parts);
    if (!kept->parts) {
        words_piece_free(kept);
        return;
    }
    note_chunks(words, &kept->memory);
    words->bytes += words_piece_bytes(kept);
    words->piece[words->count++] = kept;
}

static void add_piece(const struct words_walk *walk, uint64_t begin, uint64_t end) {
    struct lint_words *words = walk->lint->words;
    const uint64_t bytes = end - begin;
    struct words_piece piece = {.channel = walk->channel,
                                .number = words->number,
                                .submission = walk->lint->sequence,
                                .push = *walk->push,
                                .in_push = left_of_push(walk->push, begin),
                                .run = words->run};

    if (!bytes || words->count == WORDS_PIECES || bytes > WORDS_PIECES_BYTES - words->bytes)
        return;
    piece.push.address = begin;
    piece.push.offset += begin - walk->push->address;
    piece.push.word_count = (uint32_t)(bytes / WORD_BYTES);
    piece.push.words = piece.words = copy_words(walk, begin, bytes);
    if (!piece.words)
        return;
    if (!pfifo_private_gpu_push_extent(pfifo_replay_gpu(walk->lint->replay), walk->channel, begin, bytes,
                                       &piece.memory))
        piece.memory.bytes = 0;
    keep_piece(words, &piece);
}

/* What was read since the last jump: the part in the PUSH and the parts around it are pieces of their own. */
static void end_piece(const struct words_walk *walk) {
    const uint64_t first = walk->push->address, last = first + WORD_BYTES * (uint64_t)walk->push->word_count;
    uint64_t begin = walk->begin;

    if (begin < first && first < walk->at) {
        add_piece(walk, begin, first);
        begin = first;
    }
    if (begin >= first && begin < last && last < walk->at) {
        add_piece(walk, begin, last);
        begin = last;
    }
    add_piece(walk, begin, walk->at);
}

static bool go_to(struct words_walk *walk, uint64_t target) {
    walk->at += WORD_BYTES;
    end_piece(walk);
    walk->at = walk->begin = target;
    return ++walk->jumps < MOST_JUMPS;
}

/* One word. False: the pusher goes back to the ring after it, or refuses it. */
static bool walk_word(struct words_walk *walk, const struct grammar *grammar, uint32_t value) {
    struct grammar_word word;

    if (walk->data) {
        walk->data--;
        walk->at += WORD_BYTES;
        return true;
    }
    switch (grammar_decode(grammar, GRAMMAR_DMA, value, &word)) {
    case FORM_OLD_JUMP:
    case FORM_JUMP:
        return go_to(walk, word.target);
    case FORM_CALL:
        if (walk->returns)
            break;
        walk->returns = walk->at + WORD_BYTES;
        return go_to(walk, word.target);
    case FORM_RETURN:
        if (walk->returns) {
            uint64_t back = walk->returns;
            walk->returns = 0;
            return go_to(walk, back);
        }
        break;
    case FORM_INVALID:
        break;
    default:
        walk->data = word.count;
        walk->at += WORD_BYTES;
        return true;
    }
    walk->at += WORD_BYTES;
    return false;
}

/* If it is no ring and has no RETURN at its end, the pusher reads what follows it in memory, as hardware does. */
static void walk_push(struct words_walk *walk, const struct grammar *grammar) {
    uint32_t word;
    bool more = true;

    while (more && walk_read(walk, &word))
        more = walk_word(walk, grammar, word);
    end_piece(walk);
}

void words_queue(struct lint *lint, const struct pfifo_stream_push *push) {
    const struct pfifo_chip *chip = pfifo_gpu_chip(pfifo_replay_gpu(lint->replay));
    struct words_walk walk = {.lint = lint,
                              .push = push,
                              .channel = replay_channel_number(lint->replay, lint->words->number),
                              .at = push->address,
                              .begin = push->address};

    if (!lint_wants(lint, LINT_WORDS_OVERWRITTEN) || lint->words->count == WORDS_PIECES)
        return;
    if (!push->word_count || !(push->length & PUSH_BYTES_MASK))
        return;
    if (chip->has_ib)
        add_piece(&walk, push->address, push->address + WORD_BYTES * (uint64_t)push->word_count);
    else
        walk_push(&walk, chip->family->grammar);
}
