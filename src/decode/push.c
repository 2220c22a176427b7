/* SPDX-License-Identifier: MIT */
/*
 * Words of a channel of a GPU, decoded with what the channel knows.
 *
 *   header data data header data | data data header ...     2 left: GET is in a packet whose header is found by its
 *                      ^ header    ^ GET                    count and method; packets before it, where they lead there
 */
#include <pfifo/decode_push.h>

#include "chip/family.h"
#include "decode/decoder.h"
#include "decode/raw.h"
#include "decode/sink.h"
#include "memory/little_endian.h"

#include <stdlib.h>

enum {
    FAR_WORDS = 8192,   /* before GET where the header may be: a count has up to 13 bits, or 24 */
    PIECE_WORDS = 1024, /* that are read at once: a page */
    ENTRIES = 16,       /* of the ring that are shown */
    LONG_COUNT = 0xffffff,
};

/* A piece of a pushbuffer, and how it is decoded. */
struct piece {
    struct pfifo_gpu *gpu;
    const struct pfifo_push *push;
    struct pfifo_decode_options options;
    uint64_t base; /* of the first word */
    size_t words;
    uint8_t *data;
    size_t after; /* words that entries of the ring still may show */
};

static uint32_t find_class(void *opaque, uint32_t handle) {
    const struct piece *piece = opaque;

    return pfifo_gpu_push_class(piece->gpu, piece->push->channel, handle);
}

static enum pfifo_status open_piece(struct piece *piece, struct pfifo_gpu *gpu, const struct pfifo_push *push,
                                    const struct pfifo_decode_options *given, struct pfifo_error *error) {
    struct pfifo_decode_options *options = &piece->options;

    *piece = (struct piece){.gpu = gpu, .push = push};
    if (given && decode_options_read(options, given, error) != PFIFO_OK)
        return error ? error->status : PFIFO_ERROR_ARGUMENT;
    options->size = sizeof *options;
    options->chip = pfifo_gpu_chip(gpu);
    options->ib = push->ib;
    options->old_forms = push->old_forms;
    options->part = true;
    options->packet = (struct pfifo_push_packet){0};
    options->entries = 0;
    options->object_count = 0;
    options->handle_class = find_class;
    options->handle_opaque = piece;
    for (size_t i = 0; i < DECODE_SUBCHANNELS; i++)
        options->bound[i] = push->bound[i];
    if (!options->chip->family->grammar || push->get % 4)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "there is no pushbuffer at 0x%llx",
                               (unsigned long long)push->get);
    return PFIFO_OK;
}

/* Among the words, or right after them. */
static bool push_is_inside(const struct piece *piece, uint64_t address) {
    return address >= piece->base && (address - piece->base) / 4 <= piece->words && address % 4 == 0;
}

static uint32_t push_word_at(const struct piece *piece, uint64_t address) {
    return load_le32(piece->data + (address - piece->base));
}

/* As many of `count` words as are there, up to the first that is not. */
static size_t push_read_words(const struct piece *piece, uint64_t address, uint8_t *data, size_t count) {
    size_t done = 0, step = count;

    while (done < count && step) {
        step = step < count - done ? step : count - done;
        if (pfifo_gpu_push_read(piece->gpu, piece->push->channel, address + 4 * (uint64_t)done, data + 4 * done, step))
            done += step;
        else
            step /= 2;
    }
    return done;
}

/* ---- entries of the ring ---- */

static enum pfifo_status show_entry(struct piece *piece, struct pfifo_decoder *decoder, uint32_t index,
                                    struct pfifo_error *error) {
    uint64_t address = piece->push->ring + 8 * (uint64_t)index;
    struct pfifo_decode_segment segment;
    struct pfifo_decode_event event;
    enum pfifo_status status;
    uint8_t entry[8], *words;

    if (!pfifo_gpu_push_read(piece->gpu, piece->push->channel, address, entry, 2)) {
        piece->after = 0;
        return PFIFO_OK;
    }
    bool fetched = decode_entry(decoder, address, load_le32(entry), load_le32(entry + 4), &event, &segment);
    decode_emit(decoder, &event);
    if (!fetched)
        return PFIFO_OK;
    segment.count = event.count < piece->after ? event.count : piece->after;
    words = malloc(4 * segment.count);
    if (!words)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for %zu words", segment.count);
    segment.count = push_read_words(piece, segment.address, words, segment.count);
    segment.words = words;
    status = segment.count ? pfifo_decoder_segment(decoder, &segment, error) : PFIFO_OK;
    piece->after -= segment.count;
    free(words);
    return status;
}

/* After the words of the segment come those of the next ones. */
static enum pfifo_status show_entries(void *opaque, struct pfifo_decoder *decoder, struct pfifo_error *error) {
    struct piece *piece = opaque;
    const struct pfifo_push *push = piece->push;
    enum pfifo_status status = PFIFO_OK;
    uint64_t at = push->ring_get;

    for (unsigned i = 0; i < ENTRIES && piece->after && at < push->entries && at != push->ring_put; i++) {
        status = show_entry(piece, decoder, (uint32_t)at, error);
        if (status != PFIFO_OK)
            return status;
        at = (at + 1) & (push->entries - 1);
    }
    return status;
}

/* ---- decoding ---- */

static enum pfifo_status push_run(struct piece *piece, uint64_t shown, pfifo_decode_write write, void *opaque,
                                  struct pfifo_error *error) {
    struct raw_place place = {.shown = shown,
                              .has_get = push_is_inside(piece, piece->push->get),
                              .get = piece->push->get,
                              .packet = piece->push->packet,
                              .more = piece->push->ib && piece->after ? show_entries : NULL,
                              .opaque = piece};
    struct pfifo_error local = {0};
    enum pfifo_status status = PFIFO_OK;
    struct raw_replay *raw;
    bool more = true;

    error = error ? error : &local;
    piece->options.base = piece->base;
    raw = raw_replay_new(piece->data, 4 * piece->words, &piece->options, write, opaque, error);
    if (!raw)
        return error->status;
    raw_replay_set_place(raw, &place);
    while (more && status == PFIFO_OK)
        status = raw_replay_next(raw, &more, error);
    status = raw_replay_end(raw, status, error);
    raw_replay_free(raw);
    return status;
}

enum pfifo_status pfifo_push_decode(struct pfifo_gpu *gpu, const struct pfifo_push *push, uint64_t address,
                                    size_t words, const struct pfifo_decode_options *options, pfifo_decode_write write,
                                    void *opaque, struct pfifo_error *error) {
    struct piece piece;
    enum pfifo_status status = open_piece(&piece, gpu, push, options, error);

    if (status != PFIFO_OK)
        return status;
    if (address % 4)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "an address is a multiple of 4");
    if (!words || words > PFIFO_PUSH_WORDS)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "1 to %d words", PFIFO_PUSH_WORDS);
    piece.base = address;
    piece.words = words;
    piece.data = malloc(4 * words);
    if (!piece.data)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for %zu words", words);
    status = pfifo_gpu_push_read(gpu, push->channel, address, piece.data, words)
                 ? push_run(&piece, address, write, opaque, error)
                 : pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%zu words at 0x%llx: not all of them are there", words,
                                   (unsigned long long)address);
    free(piece.data);
    return status;
}

/* ---- around GET: the words ---- */

/* Words from GET on that are shown, of those that are there. */
static size_t read_after(const struct piece *piece, size_t after) {
    const struct pfifo_push *push = piece->push;

    if (push->put == push->get)
        return 0;
    if (push->put > push->get && (push->put - push->get) / 4 < after)
        after = (size_t)((push->put - push->get) / 4);
    return push_read_words(piece, push->get, piece->data, after);
}

/* As many of the words before GET as are there, in pieces that do not cross a page. */
static void read_before(struct piece *piece, size_t most) {
    size_t step = PIECE_WORDS;

    while (most && step) {
        uint64_t end = piece->base, in_page = end / 4 % PIECE_WORDS ? end / 4 % PIECE_WORDS : PIECE_WORDS;
        size_t count = step < in_page ? step : (size_t)in_page;
        count = count < most ? count : most;
        if (count > end / 4)
            count = (size_t)(end / 4);
        if (!count)
            return;
        piece->base = end - 4 * (uint64_t)count;
        piece->data -= 4 * count;
        if (pfifo_gpu_push_read(piece->gpu, piece->push->channel, piece->base, piece->data, count)) {
            piece->words += count;
            most -= count;
        } else {
            piece->base = end;
            piece->data += 4 * count;
            step = count / 2;
        }
    }
}

/* ---- around GET: where packets begin ---- */

/* Is the word the header of a packet of which `done` data words were fetched, and what is left is under way? */
static bool is_header(const struct piece *piece, uint64_t address, uint32_t done) {
    const struct pfifo_push_packet *left = &piece->push->packet;
    const struct grammar *grammar = piece->options.chip->family->grammar;
    unsigned mode = (piece->push->ib ? GRAMMAR_IB : GRAMMAR_DMA) | (piece->push->old_forms ? GRAMMAR_OLD : 0);
    struct grammar_word word;

    grammar_decode(grammar, mode, push_word_at(piece, address), &word);
    if (word.form == FORM_LONG_NONINCREASING) {
        if (left->long_count)
            return address + 4 == piece->push->get;
        /* Its count is the first of the words after it. */
        if (!done)
            return false;
        done--;
        word.count = push_word_at(piece, address + 4) & LONG_COUNT;
    } else if (word.form != FORM_INCREASING && word.form != FORM_NONINCREASING && word.form != FORM_INCREASE_ONCE) {
        return false;
    }
    return !left->long_count && word.subchannel == left->subchannel && word.count == left->count + done &&
           grammar_method_of(grammar, word.form, word.method, done) == left->method;
}

/* The header of the packet under way. False: it is not in sight. */
static bool find_header(const struct piece *piece, uint64_t *header) {
    for (uint64_t at = piece->push->get; at > piece->base;) {
        at -= 4;
        if (is_header(piece, at, (uint32_t)((piece->push->get - at) / 4) - 1)) {
            *header = at;
            return true;
        }
    }
    return false;
}

/* What is at a word, when decoding begins at another. */
struct probe {
    uint64_t at;
    bool bad, reached;
};

static bool push_look(void *opaque, const struct pfifo_decode_event *event) {
    struct probe *probe = opaque;
    bool is_data = (event->kind == PFIFO_DECODE_METHOD && !event->immediate) || event->kind == PFIFO_DECODE_COUNT;

    if (event->address < probe->at && (event->kind == PFIFO_DECODE_ERROR || event->kind == PFIFO_DECODE_SKIPPED))
        probe->bad = true;
    if (event->address >= probe->at) {
        probe->reached = true;
        probe->bad = probe->bad || event->address != probe->at || is_data;
    }
    return !probe->reached && !probe->bad;
}

/* Do packets from one word on lead to another, where a header is? */
static bool leads(struct piece *piece, uint64_t from, uint64_t to) {
    struct pfifo_decode_options options = piece->options;
    struct probe probe = {.at = to};
    size_t skip = (size_t)(from - piece->base), words = (size_t)(to - from) / 4 + 1;

    options.format = PFIFO_DECODE_NOTHING;
    options.query = NULL;
    options.base = from;
    options.event = push_look;
    options.event_opaque = &probe;
    options.errors = options.matches = NULL;
    pfifo_decode_raw(piece->data + skip, 4 * words, &options, sink_no_output, NULL, NULL);
    return probe.reached && !probe.bad;
}

/* The earliest word from which packets lead to the header, at most `before` words ahead of GET. */
static uint64_t find_begin(struct piece *piece, uint64_t header, size_t before) {
    uint64_t from = piece->base;

    if (piece->push->get - from > 4 * (uint64_t)before)
        from = piece->push->get - 4 * (uint64_t)before;
    while (from < header && !leads(piece, from, header))
        from += 4;
    return from > header ? header : from;
}

/* `room` has space for FAR_WORDS before GET, and the words after it, and another one of zero. */
static enum pfifo_status show_around(struct piece *piece, uint8_t *room, size_t before, size_t after,
                                     pfifo_decode_write write, void *opaque, struct pfifo_error *error) {
    const struct pfifo_push *push = piece->push;
    bool inside = push->packet.count || push->packet.long_count;
    uint64_t header = push->get, begin, shown = push->get;
    size_t behind;

    piece->base = push->get;
    piece->data = room + 4 * (size_t)FAR_WORDS;
    behind = read_after(piece, after);
    read_before(piece, inside ? FAR_WORDS : before);
    if (!behind && !piece->words && push->ring_get == push->ring_put)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                               push->put == push->get ? "nothing was submitted: GET and PUT are both 0x%llx"
                                                      : "the pushbuffer at 0x%llx is not there",
                               (unsigned long long)push->get);
    begin = push->get;
    if (!inside || find_header(piece, &header))
        begin = header < push->get - 4 * (uint64_t)(before < push->get / 4 ? before : push->get / 4)
                    ? header
                    : find_begin(piece, header, before);
    if (begin < shown)
        shown = push->get - begin > 4 * (uint64_t)before ? push->get - 4 * (uint64_t)before : begin;
    piece->data += begin - piece->base;
    piece->words = (size_t)(push->get - begin) / 4 + behind;
    piece->base = begin;
    piece->after = push->put > push->get && (push->put - push->get) / 4 > behind ? 0 : after - behind;
    return push_run(piece, shown, write, opaque, error);
}

enum pfifo_status pfifo_push_around(struct pfifo_gpu *gpu, const struct pfifo_push *push, size_t before, size_t after,
                                    const struct pfifo_decode_options *options, pfifo_decode_write write, void *opaque,
                                    struct pfifo_error *error) {
    struct piece piece;
    enum pfifo_status status = open_piece(&piece, gpu, push, options, error);
    uint8_t *room;

    if (status != PFIFO_OK)
        return status;
    before = before < FAR_WORDS ? before : FAR_WORDS;
    after = after < PFIFO_PUSH_WORDS ? after : PFIFO_PUSH_WORDS;
    room = calloc(FAR_WORDS + after + 1, 4);
    if (!room)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for words");
    status = show_around(&piece, room, before, after, write, opaque, error);
    free(room);
    return status;
}
