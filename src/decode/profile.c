/* SPDX-License-Identifier: MIT */
/*
 * Counts of decoded events.
 *
 *   event --> totals, forms
 *        \--> slot of (channel, class, method): how often, with which data the last time
 *
 * Rows are made of the slots when somebody asks.
 */
#include <pfifo/profile.h>

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1024, MAX_FORMS = 32 };

struct profile_slot {
    uint64_t stream; /* in which it was written last, 0: in none */
    uint64_t count, same;
    uint32_t channel, class_id, data;
    uint16_t method;
    bool used;
};

struct profile_form {
    const char *form;
    uint64_t count;
};

struct pfifo_profile {
    struct pfifo_profile_totals totals;
    uint64_t stream; /* number of the current one, from 1 */
    uint32_t sequence;
    uint64_t submission_words; /* of the submission so far */
    bool submitted;            /* a submission has begun in this stream */
    struct profile_form forms[MAX_FORMS];
    size_t form_count;
    struct profile_slot *slots; /* open addressing, a power of two, at most half full */
    size_t size, used;
};

struct pfifo_profile *pfifo_profile_new(struct pfifo_error *error) {
    struct pfifo_profile *profile = calloc(1, sizeof *profile);

    if (profile)
        profile->slots = calloc(FIRST_SLOTS, sizeof *profile->slots);
    if (!profile || !profile->slots) {
        free(profile);
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a profile");
        return NULL;
    }
    profile->size = FIRST_SLOTS;
    profile->stream = 1;
    return profile;
}

void pfifo_profile_free(struct pfifo_profile *profile) {
    if (profile)
        free(profile->slots);
    free(profile);
}

static void profile_end_submission(const struct pfifo_profile *profile, struct pfifo_profile_totals *totals) {
    uint64_t words = profile->submission_words;

    if (!profile->submitted)
        return;
    if (totals->submissions == 1 || words < totals->least_words)
        totals->least_words = words;
    if (words > totals->most_words)
        totals->most_words = words;
}

void pfifo_profile_begin(struct pfifo_profile *profile) {
    profile_end_submission(profile, &profile->totals);
    profile->submitted = false;
    profile->sequence = 0;
    profile->submission_words = 0;
    profile->stream++;
}

/* Where only some events come, that of the submission may be missing. */
static void profile_note_submission(struct pfifo_profile *profile, const struct pfifo_decode_event *event) {
    if (!event->sequence || (event->sequence == profile->sequence && event->kind != PFIFO_DECODE_SUBMISSION))
        return;
    profile_end_submission(profile, &profile->totals);
    profile->totals.submissions++;
    profile->submitted = true;
    profile->sequence = event->sequence;
    profile->submission_words = 0;
}

static uint64_t profile_words_of(const struct pfifo_decode_event *event) {
    switch (event->kind) {
    case PFIFO_DECODE_HEADER:
    case PFIFO_DECODE_COUNT:
    case PFIFO_DECODE_METHOD:
    case PFIFO_DECODE_JUMP:
    case PFIFO_DECODE_CONTROL:
        return 1;
    case PFIFO_DECODE_SKIPPED:
        return event->count;
    default:
        return 0;
    }
}

/* An immediate method is its own header. */
static bool begins_packet(const struct pfifo_decode_event *event) {
    switch (event->kind) {
    case PFIFO_DECODE_HEADER:
    case PFIFO_DECODE_JUMP:
    case PFIFO_DECODE_CONTROL:
        return true;
    case PFIFO_DECODE_METHOD:
        return event->immediate;
    default:
        return false;
    }
}

static void count_packet(struct pfifo_profile *profile, const char *form) {
    size_t i = 0;

    profile->totals.packets++;
    if (!form)
        return;
    while (i < profile->form_count && strcmp(profile->forms[i].form, form) != 0)
        i++;
    if (i == MAX_FORMS)
        return;
    if (i == profile->form_count)
        profile->forms[profile->form_count++].form = form;
    profile->forms[i].count++;
}

static size_t profile_hash_of(uint32_t channel, uint32_t class_id, uint16_t method) {
    uint64_t key = ((uint64_t)class_id << 16 | method) * UINT64_C(0x9e3779b97f4a7c15);

    key = (key ^ key >> 29 ^ channel) * UINT64_C(0xbf58476d1ce4e5b9);
    return (size_t)(key ^ key >> 32);
}

/* The slot of the three, or the free one where it belongs. */
static struct profile_slot *find_slot(struct profile_slot *slots, size_t size, uint32_t channel, uint32_t class_id,
                                      uint16_t method) {
    size_t at = profile_hash_of(channel, class_id, method) & (size - 1);

    while (slots[at].used &&
           (slots[at].channel != channel || slots[at].class_id != class_id || slots[at].method != method))
        at = (at + 1) & (size - 1);
    return &slots[at];
}

static bool profile_grow(struct pfifo_profile *profile) {
    size_t size = profile->size * 2;
    struct profile_slot *slots;

    if (profile->used >= PFIFO_PROFILE_MAX_METHODS)
        return false;
    slots = calloc(size, sizeof *slots);
    if (!slots)
        return false;
    for (size_t i = 0; i < profile->size; i++) {
        const struct profile_slot *old = &profile->slots[i];
        if (old->used)
            *find_slot(slots, size, old->channel, old->class_id, old->method) = *old;
    }
    free(profile->slots);
    profile->slots = slots;
    profile->size = size;
    return true;
}

/* NULL: there is no room. */
static struct profile_slot *profile_slot_of(struct pfifo_profile *profile, const struct pfifo_decode_event *event) {
    struct profile_slot *slot =
        find_slot(profile->slots, profile->size, event->channel, event->name_class, event->method);

    if (slot->used)
        return slot;
    if (profile->used >= profile->size / 2) {
        if (!profile_grow(profile))
            return NULL;
        slot = find_slot(profile->slots, profile->size, event->channel, event->name_class, event->method);
    }
    profile->used++;
    slot->used = true;
    slot->channel = event->channel;
    slot->class_id = event->name_class;
    slot->method = event->method;
    return slot;
}

static void profile_count_method(struct pfifo_profile *profile, const struct pfifo_decode_event *event) {
    struct profile_slot *slot = profile_slot_of(profile, event);

    profile->totals.methods++;
    profile->totals.masked += event->discarded;
    if (!slot) {
        profile->totals.without_row++;
        return;
    }
    slot->count++;
    if (event->discarded)
        return;
    if (slot->stream == profile->stream && slot->data == event->data) {
        slot->same++;
        profile->totals.same++;
    }
    slot->stream = profile->stream;
    slot->data = event->data;
}

bool pfifo_profile_event(void *opaque, const struct pfifo_decode_event *event) {
    struct pfifo_profile *profile = opaque;
    uint64_t words = profile_words_of(event);

    profile_note_submission(profile, event);
    profile->totals.words += words;
    profile->submission_words += words;
    if (begins_packet(event))
        count_packet(profile, event->form);
    if (event->kind == PFIFO_DECODE_METHOD)
        profile_count_method(profile, event);
    else if (event->kind == PFIFO_DECODE_ERROR)
        profile->totals.errors++;
    return true;
}

void pfifo_profile_totals(const struct pfifo_profile *profile, struct pfifo_profile_totals *totals) {
    *totals = profile->totals;
    profile_end_submission(profile, totals);
}

static int profile_by_name(const void *a, const void *b) {
    const struct pfifo_profile_row *x = a, *y = b;

    if (x->class_id != y->class_id)
        return x->class_id < y->class_id ? -1 : 1;
    if (x->method != y->method)
        return x->method < y->method ? -1 : 1;
    return x->form && y->form ? strcmp(x->form, y->form) : 0;
}

static int by_count(const void *a, const void *b) {
    const struct pfifo_profile_row *x = a, *y = b;

    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return profile_by_name(a, b);
}

/* Rows of one name become one. */
static size_t profile_merge(struct pfifo_profile_row *rows, size_t count) {
    size_t merged = 0;

    qsort(rows, count, sizeof *rows, profile_by_name);
    for (size_t i = 0; i < count; i++) {
        if (merged && !profile_by_name(&rows[merged - 1], &rows[i])) {
            rows[merged - 1].count += rows[i].count;
            rows[merged - 1].same += rows[i].same;
        } else {
            rows[merged++] = rows[i];
        }
    }
    return merged;
}

static size_t profile_rows_of(const struct pfifo_profile *profile, enum pfifo_profile_by by,
                              struct pfifo_profile_row *rows) {
    size_t count = 0;

    if (by == PFIFO_PROFILE_BY_FORM) {
        for (; count < profile->form_count; count++)
            rows[count] =
                (struct pfifo_profile_row){.form = profile->forms[count].form, .count = profile->forms[count].count};
        return count;
    }
    for (size_t i = 0; i < profile->size; i++) {
        const struct profile_slot *slot = &profile->slots[i];
        if (slot->used)
            rows[count++] = (struct pfifo_profile_row){.class_id = slot->class_id,
                                                       .method = by == PFIFO_PROFILE_BY_METHOD ? slot->method : 0,
                                                       .count = slot->count,
                                                       .same = slot->same};
    }
    return profile_merge(rows, count);
}

enum pfifo_status pfifo_profile_rows(const struct pfifo_profile *profile, enum pfifo_profile_by by,
                                     struct pfifo_profile_row *rows, size_t max, size_t *count,
                                     struct pfifo_error *error) {
    struct pfifo_profile_row *all;

    *count = 0;
    if (by != PFIFO_PROFILE_BY_METHOD && by != PFIFO_PROFILE_BY_CLASS && by != PFIFO_PROFILE_BY_FORM)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a profile has no such rows");
    all = calloc(profile->used + MAX_FORMS, sizeof *all);
    if (!all)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the rows of a profile");
    *count = profile_rows_of(profile, by, all);
    qsort(all, *count, sizeof *all, by_count);
    if (max)
        memcpy(rows, all, (*count < max ? *count : max) * sizeof *rows);
    free(all);
    return PFIFO_OK;
}
