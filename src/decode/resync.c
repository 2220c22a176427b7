/* SPDX-License-Identifier: MIT */
#include "decode/resync.h"

#include <pfifo/classes.h>

#include <string.h>

enum {
    RESYNC_DEPTH = 3,    /* consecutive headers that are taken as proof */
    RESYNC_NOPS = 64,    /* zero words that are examined */
    RESYNC_METHODS = 16, /* methods of a header that are examined, and the last one */
    RESYNC_NEAR = 256,
};

bool resync_runs_over(const struct pfifo_decoder *decoder, const struct grammar_word *word) {
    uint32_t last = word->method / 4u;

    if (!decoder->grammar->refuses_overruns || word->count < 2)
        return false;
    if (word->form == FORM_INCREASING)
        last += word->count - 1;
    else if (word->form == FORM_INCREASE_ONCE)
        last += 1;
    return last >> decoder->grammar->method_bits != 0;
}

bool resync_is_odd_end(const struct grammar_word *word, uint32_t raw) {
    return word->form == FORM_END_SEGMENT && (raw & 0x1fffffffu);
}

/* ---- methods that a class has ---- */

enum known { KNOWN_NOT, KNOWN_FOREIGN, KNOWN };

/* If the driver binds classes at all, a subchannel without one is not used. */
static bool binds_anything(const uint32_t bound[DECODE_SUBCHANNELS]) {
    for (size_t i = 0; i < DECODE_SUBCHANNELS; i++)
        if (bound[i])
            return true;
    return false;
}

static enum known resync_look_up(uint32_t class_id, uint32_t method) {
    struct pfifo_method_name name;

    if (!pfifo_method_count(class_id))
        return KNOWN_NOT;
    return pfifo_method_find(class_id, method, &name) ? KNOWN : KNOWN_FOREIGN;
}

static enum known know_method(struct pfifo_decoder *decoder, const uint32_t bound[DECODE_SUBCHANNELS],
                              unsigned subchannel, uint32_t method) {
    uint32_t class_id = method < 0x100 ? decoder->chip->host_class : bound[subchannel];
    struct decode_known *slot = &decoder->known[(method / 4 ^ class_id * 37) % DECODE_KNOWN];

    if (!class_id)
        return decoder->chip->binds_classes && binds_anything(bound) ? KNOWN_FOREIGN : KNOWN_NOT;
    if (slot->class_id != class_id || slot->method != method)
        *slot = (struct decode_known){class_id, (uint16_t)method, (uint8_t)resync_look_up(class_id, method)};
    return (enum known)slot->known;
}

/* How many different methods the words go to. */
static uint32_t count_methods(const struct grammar_word *word) {
    switch (word->form) {
    case FORM_INCREASING:
        return word->count;
    case FORM_INCREASE_ONCE:
        return word->count < 2 ? word->count : 2;
    default:
        return 1;
    }
}

static enum known know_command(struct pfifo_decoder *decoder, const uint32_t bound[DECODE_SUBCHANNELS],
                               const struct grammar_word *word) {
    uint32_t count = count_methods(word), mask = (4u << decoder->grammar->method_bits) - 1;
    enum known known = word->method == 0 && word->count > 1 ? KNOWN_FOREIGN : KNOWN; /* nobody binds twice */

    for (uint32_t i = 0; i < count && known == KNOWN; i = i == RESYNC_METHODS && i < count - 1 ? count - 1 : i + 1)
        known = know_method(decoder, bound, word->subchannel, (word->method + 4 * i) & mask);
    return known;
}

bool resync_is_foreign(struct pfifo_decoder *decoder, const struct decode_channel *channel,
                       const struct grammar_word *word) {
    return know_command(decoder, channel->bound, word) == KNOWN_FOREIGN;
}

/* ---- commands that follow each other ---- */

struct reading {
    struct pfifo_decoder *decoder;
    const struct decode_channel *channel;
    const struct decode_window *window;
    size_t at;
    uint32_t bound[DECODE_SUBCHANNELS];
    unsigned headers, known, nops;
    bool lenient;
    bool ended; /* nothing can follow */
};

/* A bind in the words under examination. False: the data is not a class. */
static bool resync_read_bind(struct reading *r, unsigned subchannel, uint32_t data) {
    uint32_t class_id = decode_channel_class(r->decoder, r->channel, data);

    r->bound[subchannel] = class_id;
    if (r->lenient)
        return true;
    if (r->decoder->chip->binds_classes)
        return pfifo_class_find(class_id) != NULL;
    return class_id || (!r->decoder->objects.used && !r->decoder->handle_class);
}

static bool resync_read_header(struct reading *r, const struct grammar_word *word, uint32_t count) {
    enum known known = know_command(r->decoder, r->bound, word);
    size_t left = r->window->words - r->at;
    uint32_t data = word->form == FORM_IMMEDIATE ? word->data : count && left ? decode_load_word(r->window, r->at) : 0;

    if (known == KNOWN_FOREIGN && !r->lenient)
        return false;
    r->headers += 1;
    r->known += known == KNOWN && (count || word->form == FORM_IMMEDIATE);
    r->at += count < left ? count : left;
    if (count > left) { /* of a part */
        r->ended = true;
        return true;
    }
    return word->method || (!count && word->form != FORM_IMMEDIATE) || resync_read_bind(r, word->subchannel, data);
}

static bool leads_somewhere(const struct reading *r, uint32_t target) {
    uint64_t offset = target - r->window->address;
    size_t bytes = 0;

    if (target >= r->window->address && offset < 4 * (uint64_t)r->window->words)
        return true;
    return r->decoder->map && r->decoder->map(r->decoder->opaque, target, &bytes) && bytes >= 4;
}

/* Read one command. False: the word is not a command. */
static bool read_command(struct reading *r) {
    uint32_t raw = decode_load_word(r->window, r->at++);
    size_t left = r->window->words - r->at;
    struct grammar_word word;

    grammar_decode(r->decoder->grammar, r->channel->mode, raw, &word);
    if (resync_runs_over(r->decoder, &word) || resync_is_odd_end(&word, raw) ||
        (word.count > left && !r->decoder->part))
        return false;
    switch (word.form) {
    case FORM_INCREASING:
    case FORM_NONINCREASING:
    case FORM_INCREASE_ONCE:
        if (!word.count && ++r->nops == RESYNC_NOPS)
            r->ended = true;
        return resync_read_header(r, &word, word.count);
    case FORM_IMMEDIATE:
        return resync_read_header(r, &word, 0);
    case FORM_LONG_NONINCREASING: {
        uint32_t count = left ? decode_load_word(r->window, r->at++) & 0xffffff : 0;
        if (!left)
            return r->decoder->part;
        return (count <= left - 1 || r->decoder->part) && resync_read_header(r, &word, count);
    }
    case FORM_NOP:
        r->ended = ++r->nops == RESYNC_NOPS;
        return true;
    case FORM_OLD_JUMP:
    case FORM_JUMP:
    case FORM_CALL:
        r->ended = true;
        return (r->decoder->part && r->headers) || leads_somewhere(r, word.target);
    case FORM_RETURN:
    case FORM_END_SEGMENT:
        r->ended = !r->decoder->part;
        return true;
    case FORM_SLI_CONDITIONAL:
    case FORM_SET_SUBDEVICE:
    case FORM_STORE_SUBDEVICE:
    case FORM_USE_SUBDEVICE:
        return true;
    case FORM_INVALID:
    case FORM_COUNT:
        return false;
    }
    return false;
}

enum resync_reading resync_read(const struct resync *resync, size_t at, size_t beyond, bool lenient) {
    struct reading r = {
        .decoder = resync->decoder, .channel = resync->channel, .window = resync->window, .at = at, .lenient = lenient};

    memcpy(r.bound, resync->channel->bound, sizeof r.bound);
    while (r.at < r.window->words && !r.ended && (r.headers < RESYNC_DEPTH || r.at <= beyond)) {
        if (!*resync->budget || !read_command(&r))
            return READS_NOT;
        --*resync->budget;
    }
    return r.known >= RESYNC_DEPTH || (r.known && (r.ended || r.at == r.window->words)) ? READS_WELL : READS;
}

static size_t find(const struct resync *resync, size_t from, size_t end, bool lenient) {
    while (from < end && *resync->budget && resync_read(resync, from, 0, lenient) == READS_NOT) {
        --*resync->budget;
        from++;
    }
    return *resync->budget ? from : end;
}

/* The tables do not have all classes: as a last resort only forms and counts are compared. */
size_t resync_find(const struct resync *resync, size_t from) {
    size_t end = resync->window->words, found = find(resync, from, end, false);

    return found < end ? found : find(resync, from, end, true);
}

bool resync_is_near(const struct resync *resync, size_t from) {
    size_t end = resync->window->words - from > RESYNC_NEAR ? from + RESYNC_NEAR : resync->window->words;
    size_t found = find(resync, from, end, false);

    return found < end && resync_read(resync, found, 0, false) == READS_WELL;
}
