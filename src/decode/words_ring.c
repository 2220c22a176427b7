/* SPDX-License-Identifier: MIT */
/*
 * A walk along the commands of each segment, as the pusher goes: through jumps and calls, without looking at data.
 * Bounded by the number of words.
 */
#include "decode/words_ring.h"

#include "decode/words_capture.h"

#include <stdlib.h>

#include "chip/family.h"
#include "grammar/grammar.h"
#include "memory/little_endian.h"
#include "stream/listing.h"

#define NO_SEGMENT SIZE_MAX
#define STEPS_MORE 65536u

/* Memory that has words. */
struct place {
    uint64_t address, bytes;
    const uint8_t *data;
    size_t segment; /* NO_SEGMENT: a buffer's */
    uint32_t *met;  /* by word: the walk that met a command of the ring here */
};

struct walk_words {
    const struct pfifo_chip *chip;
    struct place *place; /* in order of addresses, none over another */
    size_t places;
    uint32_t *met;
    bool *led;       /* segments that some walk was led to */
    uint64_t steps;  /* that all walks may still take */
    uint32_t number; /* of the walk, from 1 */
};

/* What a walk has found out. */
struct trip {
    bool has_reason, returns; /* a call, or a jump to known words; a return of the ring itself */
    struct pfifo_words_ring reason;
    uint64_t callee; /* the lowest subroutine after the beginning, which is called from the ring; UINT64_MAX: none */
    uint64_t worked; /* where the last command of the ring ended that is not empty */
    bool ends;       /* known: */
    uint64_t end;    /* where there are no more words, at a subroutine, or at a jump that begins again */
};

static int compare_places(const void *left, const void *right) {
    const struct place *a = left, *b = right;

    return (a->address > b->address) - (a->address < b->address);
}

static const struct place *place_at(const struct walk_words *all, uint64_t address) {
    size_t low = 0, high = all->places;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct place *place = &all->place[middle];
        if (address < place->address)
            high = middle;
        else if (address - place->address >= place->bytes)
            low = middle + 1;
        else
            return place;
    }
    return NULL;
}

/* A place in the walk. `from` is 0, or the address after the call that it is in. */
struct foot {
    uint64_t at, from;
};

static void note_reason(struct trip *trip, enum grammar_form form, uint64_t at, uint64_t target) {
    if (trip->has_reason)
        return;
    trip->has_reason = true;
    trip->reason.at = at;
    trip->reason.target = target;
    trip->reason.calls = form == FORM_CALL;
}

/* A jump or call. False: the walk ends before it. */
static bool take_target(const struct walk_words *all, struct trip *trip, struct foot *foot,
                        const struct grammar_word *word) {
    const struct place *here = place_at(all, foot->at), *there = place_at(all, word->target);
    const bool calls = word->form == FORM_CALL;

    if (calls || there)
        note_reason(trip, word->form, foot->at, word->target);
    if (calls && !there && !foot->from) { /* it may return */
        foot->at += 4;
        return true;
    }
    if (!there || (calls && foot->from)) /* the hardware's error, and what comes after it */
        return false;
    if (!calls && !foot->from && there->met[(word->target - there->address) / 4] == all->number) {
        trip->ends = true;
        return false;
    }
    if (there != here && there->segment != NO_SEGMENT)
        all->led[there->segment] = true;
    if (calls && word->target > trip->reason.get && word->target < trip->callee)
        trip->callee = word->target;
    foot->from = calls ? foot->at + 4 : foot->from;
    foot->at = word->target;
    return true;
}

static bool take_return(struct trip *trip, struct foot *foot) {
    trip->returns = trip->returns || !foot->from;
    if (!foot->from)
        return false;
    foot->at = trip->worked = foot->from;
    foot->from = 0;
    return true;
}

/* One command. False: the walk ends before it. */
static bool step(const struct walk_words *all, struct trip *trip, struct foot *foot, const struct place *place) {
    const uint32_t raw = load_le32(place->data + (foot->at - place->address));
    struct grammar_word word;

    if (!foot->from)
        place->met[(foot->at - place->address) / 4] = all->number;
    grammar_decode(all->chip->family->grammar, GRAMMAR_DMA, raw, &word);
    switch (word.form) {
    case FORM_OLD_JUMP:
    case FORM_JUMP:
    case FORM_CALL:
        return take_target(all, trip, foot, &word);
    case FORM_RETURN:
        return take_return(trip, foot);
    case FORM_INVALID: /* where there are no returns, a driver makes a jump of it */
        return raw == WORDS_RETURN && take_return(trip, foot);
    default:
        foot->at += 4 + 4 * (uint64_t)word.count;
        if (!foot->from && word.count)
            trip->worked = foot->at;
        return true;
    }
}

static void walk_from(struct walk_words *all, struct trip *trip, uint64_t address) {
    struct foot foot = {.at = address};
    const struct place *place = place_at(all, address);

    all->number++;
    trip->callee = UINT64_MAX;
    trip->reason.get = trip->worked = address;
    while (place && all->steps && (foot.from || foot.at != trip->callee) && step(all, trip, &foot, place)) {
        const struct place *before = place;
        all->steps--;
        place = place_at(all, foot.at);
        /* Words of another piece may follow without a jump. */
        if (place && place != before && place->segment != NO_SEGMENT && place->address != address)
            all->led[place->segment] = true;
    }
    trip->end = foot.at;
    trip->ends = trip->ends || (!foot.from && !place);
    /* PUT is not at the subroutine: the channel would stop when it is called. */
    if (foot.at != trip->callee || foot.from)
        return;
    trip->end = trip->worked;
    trip->ends = trip->worked != trip->callee;
}

/* ---- the words ---- */

/* *apart: no word is twice at an address. */
static bool gather(const struct pfifo_words *words, const struct pfifo_words_capture_options *options,
                   const uint64_t *address, struct walk_words *all, bool *apart) {
    uint64_t total = 0;
    uint32_t *met;

    all->place = calloc(words->segments + options->buffer_count + 1, sizeof *all->place);
    for (size_t i = 0; all->place && i < words->segments; i++)
        if (words->segment[i].count)
            all->place[all->places++] = (struct place){address[i], 4 * (uint64_t)words->segment[i].count,
                                                       words_of_segment(words, &words->segment[i]), i, NULL};
    for (size_t i = 0; all->place && i < options->buffer_count; i++)
        if (options->buffers[i].data_bytes >= 4)
            all->place[all->places++] =
                (struct place){options->buffers[i].address, options->buffers[i].data_bytes & ~(uint64_t)3,
                               options->buffers[i].data, NO_SEGMENT, NULL};
    for (size_t i = 0; i < all->places; i++)
        total += all->place[i].bytes / 4;
    all->met = met = calloc((size_t)total + 1, sizeof *all->met);
    if (!all->place || !met)
        return false;
    qsort(all->place, all->places, sizeof *all->place, compare_places);
    *apart = true;
    for (size_t i = 0; i < all->places; met += all->place[i++].bytes / 4) {
        all->place[i].met = met;
        *apart = *apart && (!i || all->place[i].address - all->place[i - 1].address >= all->place[i - 1].bytes);
    }
    all->steps = 4 * total + STEPS_MORE;
    return true;
}

/* ---- what becomes of them ---- */

/* Segment `index` is a channel's own pushbuffer. */
static void make_own(const struct walk_words *all, struct words_ring *ring, const struct pfifo_words *words,
                     const uint64_t *address, const struct trip *trip, size_t index) {
    struct words_ring_part *part = &ring->part[index];
    const uint64_t end = address[index] + 4 * (uint64_t)words->segment[index].count;
    const bool inside = trip->end > address[index] && trip->end <= end;

    part->use = WORDS_RING_OWN;
    part->put = trip->ends && inside ? trip->end : end;
    if (trip->ends && (trip->end < address[index] || trip->end > end) && trip->end &&
        (place_at(all, trip->end) || place_at(all, trip->end - 4)))
        part->back = trip->end;
    if (ring->told.chosen)
        return;
    ring->told = trip->reason;
    ring->told.chosen = true;
    ring->told.has_reason = trip->has_reason;
    ring->told.put = part->put;
}

static bool is_ring(const struct trip *trip) {
    return trip->has_reason && !trip->returns;
}

/* Walk along all segments: is there a ring, and which segments does nobody lead to? One of them at least begins. */
static bool find_first(struct walk_words *all, const struct pfifo_words *words, const uint64_t *address,
                       struct trip *trips) {
    bool any = false, begins = false;
    size_t first = NO_SEGMENT;

    for (size_t i = 0; i < words->segments; i++) {
        if (!words->segment[i].count)
            continue;
        walk_from(all, &trips[i], address[i]);
        any = any || is_ring(&trips[i]);
    }
    for (size_t i = 0; i < words->segments; i++) {
        first = first == NO_SEGMENT && words->segment[i].count ? i : first;
        begins = begins || (words->segment[i].count && !all->led[i]);
    }
    if (!begins && first != NO_SEGMENT)
        all->led[first] = false;
    return any;
}

static void choose(const struct walk_words *all, struct words_ring *ring, const struct pfifo_words *words,
                   const uint64_t *address, const struct trip *trips, bool forced) {
    for (size_t i = 0; i < words->segments; i++) {
        if (!words->segment[i].count)
            continue;
        if (all->led[i])
            ring->part[i].use = WORDS_RING_MEMORY;
        else if (forced || is_ring(&trips[i]))
            make_own(all, ring, words, address, &trips[i], i);
    }
}

static enum pfifo_status ring_refused(const struct pfifo_words *words,
                                      const struct pfifo_words_capture_options *options, bool apart,
                                      struct pfifo_error *error) {
    if (!chip_has_page_tables(options->chip))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "%.80s: no ring: %s", words->name,
                               apart ? "the text tells channels apart, and has their segments"
                                     : "it has several words for one address");
    return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED,
                           "%.80s: %s has no pushbuffers with jumps and calls: its channels have segments, "
                           "and words are run as one",
                           words->name, options->chip->name);
}

enum pfifo_status words_ring_find(const struct pfifo_words *words, const struct pfifo_words_capture_options *options,
                                  const uint64_t *address, struct words_ring *ring, struct pfifo_error *error) {
    const bool can = !chip_has_page_tables(options->chip) && !words->has_channels;
    struct walk_words all = {.chip = options->chip};
    struct trip *trips;
    bool apart = true, good;

    *ring = (struct words_ring){0};
    if (!can)
        return options->ring ? ring_refused(words, options, true, error) : PFIFO_OK;
    trips = calloc(words->segments + 1, sizeof *trips);
    all.led = calloc(words->segments + 1, sizeof *all.led);
    ring->part = calloc(words->segments + 1, sizeof *ring->part);
    good = trips && all.led && ring->part && gather(words, options, address, &all, &apart);
    if (good && apart && (find_first(&all, words, address, trips) || options->ring))
        choose(&all, ring, words, address, trips, options->ring);
    free(all.place);
    free(all.met);
    free(all.led);
    free(trips);
    if (!ring->told.chosen)
        words_ring_free(ring);
    if (!good)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a ring");
    return options->ring && !apart ? ring_refused(words, options, false, error) : PFIFO_OK;
}

void words_ring_free(struct words_ring *ring) {
    free(ring->part);
    ring->part = NULL;
}

bool words_submission(const struct pfifo_words *words, const struct words_ring *ring, size_t first, size_t *end) {
    bool any = !ring->part;

    for (*end = first; *end < words->segments && words->segment[*end].submission == words->segment[first].submission;
         ++*end)
        any = any || (words->segment[*end].count && words_ring_use(ring, *end) != WORDS_RING_MEMORY);
    return any;
}
