/* SPDX-License-Identifier: MIT */
/* What a decoded line or an event has that can be asked for. */
#include "query/query.h"

#include <string.h>

static void subject_put_number(struct query_subject *subject, enum query_key key, uint64_t number) {
    subject->has |= 1u << key;
    subject->number[key] = number;
}

static void subject_put_text(struct query_subject *subject, enum query_key key, const char *text) {
    if (!text)
        return;
    subject->has |= 1u << key;
    subject->text[key - KEY_NUMBERS] = text;
}

#define BIT(key) (1u << (key))

/* Beside channel and submission, which every line has. */
static const uint32_t keys_of[] = {
    [PFIFO_DECODE_SUBMISSION] = BIT(KEY_COUNT),
    [PFIFO_DECODE_ENTRY] = BIT(KEY_ADDRESS) | BIT(KEY_COUNT) | BIT(KEY_TARGET),
    [PFIFO_DECODE_SEGMENT] = BIT(KEY_ADDRESS) | BIT(KEY_COUNT),
    [PFIFO_DECODE_HEADER] = BIT(KEY_ADDRESS) | BIT(KEY_WORD) | BIT(KEY_COUNT) | BIT(KEY_METHOD),
    [PFIFO_DECODE_COUNT] = BIT(KEY_ADDRESS) | BIT(KEY_WORD) | BIT(KEY_COUNT) | BIT(KEY_METHOD),
    [PFIFO_DECODE_METHOD] = BIT(KEY_ADDRESS) | BIT(KEY_WORD) | BIT(KEY_DATA) | BIT(KEY_METHOD),
    [PFIFO_DECODE_JUMP] = BIT(KEY_ADDRESS) | BIT(KEY_WORD) | BIT(KEY_TARGET),
    [PFIFO_DECODE_CONTROL] = BIT(KEY_ADDRESS) | BIT(KEY_WORD) | BIT(KEY_DATA),
    [PFIFO_DECODE_SKIPPED] = BIT(KEY_ADDRESS) | BIT(KEY_COUNT),
    [PFIFO_DECODE_ERROR] = BIT(KEY_ADDRESS) | BIT(KEY_WORD),
    [PFIFO_DECODE_SYNCPOINT] = BIT(KEY_COUNT) | BIT(KEY_DATA),
    [PFIFO_DECODE_SYNC] = BIT(KEY_COUNT),
};

struct query_subject query_subject_decoded(const struct pfifo_decode_event *event) {
    struct query_subject subject = {
        .has = keys_of[event->kind] | BIT(KEY_CHANNEL) | BIT(KEY_SUBMISSION),
        .number =
            {
                [KEY_DATA] = event->data,
                [KEY_SUBCHANNEL] = event->subchannel,
                [KEY_CHANNEL] = event->channel,
                [KEY_SUBMISSION] = event->sequence,
                [KEY_ADDRESS] = event->address,
                [KEY_WORD] = event->word,
                [KEY_COUNT] = event->count,
                [KEY_TARGET] = event->target,
            },
        .bound_class = event->bound_class,
        .name_class = event->name_class,
        .method = event->method,
        .is_header = event->kind == PFIFO_DECODE_HEADER || event->kind == PFIFO_DECODE_COUNT,
    };

    if (subject.has & BIT(KEY_METHOD))
        subject.has |= BIT(KEY_CLASS) | BIT(KEY_SUBCHANNEL);
    subject_put_text(&subject, KEY_EVENT, pfifo_decode_kind_name(event->kind));
    subject_put_text(&subject, KEY_FORM, event->form);
    subject_put_text(&subject, KEY_TEXT, event->text);
    return subject;
}

/* Fields of events that are keys of the language. */
static bool number_key(const char *name, enum query_key *key) {
    static const struct {
        const char *name;
        enum query_key key;
    } rows[] = {
        {"data", KEY_DATA}, {"subchannel", KEY_SUBCHANNEL}, {"address", KEY_ADDRESS},
        {"word", KEY_WORD}, {"count", KEY_COUNT},           {"target", KEY_TARGET},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].name, name) == 0) {
            *key = rows[i].key;
            return true;
        }
    }
    return false;
}

static void put_event_field(struct query_subject *subject, const struct pfifo_event *event,
                            const struct pfifo_event_info *info, unsigned field) {
    enum query_key key;

    switch (info->format[field]) {
    case PFIFO_EVENT_CLASS:
        subject->has |= 1u << KEY_CLASS;
        subject->bound_class = subject->name_class = (uint32_t)event->value[field];
        break;
    case PFIFO_EVENT_METHOD:
        subject->has |= 1u << KEY_METHOD;
        subject->method = (uint32_t)event->value[field];
        break;
    case PFIFO_EVENT_TEXT:
        subject_put_text(subject, strcmp(info->field[field], "form") == 0 ? KEY_FORM : KEY_TEXT, event->text);
        break;
    case PFIFO_EVENT_DETAIL:
        break;
    case PFIFO_EVENT_DECIMAL:
    case PFIFO_EVENT_HEX:
    case PFIFO_EVENT_CHANNEL:
        if (number_key(info->field[field], &key))
            subject_put_number(subject, key, event->value[field]);
        break;
    }
}

struct query_subject query_subject_event(const struct pfifo_event *event, const struct pfifo_query_place *place) {
    const struct pfifo_event_info *info = pfifo_event_info(event->id);
    struct query_subject subject = {.event = event};

    if (!info)
        return subject;
    subject_put_text(&subject, KEY_EVENT, info->name);
    subject_put_number(&subject, KEY_TIME, event->time);
    if (event->channel != UINT32_MAX)
        subject_put_number(&subject, KEY_CHANNEL, event->channel);
    for (unsigned i = 0; i < info->fields; i++)
        put_event_field(&subject, event, info, i);
    if (place && place->submitted)
        subject_put_number(&subject, KEY_SUBMISSION, place->submission);
    /* Host methods belong to the channel, whatever is bound. */
    if (place && place->host_class && subject.has & 1u << KEY_METHOD && subject.method < 0x100)
        subject.name_class = place->host_class;
    return subject;
}
