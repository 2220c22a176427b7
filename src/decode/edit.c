/* SPDX-License-Identifier: MIT */
/*
 * Records are decoded and written in turn; the words of a PUSH are written anew from its events.
 *
 *   header event --> a packet is open: its words are not written yet
 *   method event --> decide --> noted in the packet; with the last one the packet is written
 *   all other words --> as they are
 *   the end of a submission --> its records are written; what they say of the words' buffer is made to agree
 */
#include <pfifo/edit.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "chip/chip.h"
#include "chip/family.h"
#include "decode/edit_repeat.h"
#include "decode/sink.h"
#include "decode/stream.h"
#include "grammar/grammar.h"
#include "memory/little_endian.h"

enum { FORMS_OF_ALL = GRAMMAR_SLI | GRAMMAR_OLD };

/* A packet whose data is being seen. */
struct edit_packet {
    bool open, touched; /* touched: it will not be as it was */
    enum grammar_form form;
    uint8_t subchannel;
    uint16_t method;
    size_t header;       /* index of its first word */
    size_t header_words; /* 1, or 2 with a count of its own */
    size_t count, seen;  /* of the data words */
    size_t kept, decided;
    size_t repeated; /* methods for which it is to come again ... */
    uint32_t times;  /* ... so many times */
};

/* A record that is not written yet, as the data of a submission comes before its words. */
struct held_record {
    struct pfifo_stream_record record;
    uint8_t *copy; /* its data, where it is other than in the file */
    struct edit_runs runs;
};

struct edit {
    const struct pfifo_chip *chip;
    bool keeps_places; /* words stay where they are, since jumps lead to addresses: there is no ring of segments */
    pfifo_edit_decide decide;
    void *opaque;
    struct pfifo_edit_result *result;

    bool in_push;
    struct pfifo_stream_push push;
    size_t done;    /* words of the push that are written, or left out */
    uint32_t *data; /* of the packet, as many as the push has words */
    uint8_t *keep;
    size_t room;
    uint8_t *words; /* the new ones, little endian; of the record that is held */
    size_t used;
    struct edit_packet packet;
    struct edit_runs *runs; /* of the push */
    uint64_t repeated;      /* methods in them */
    uint64_t methods;       /* of the push */
    bool no_memory;
    struct held_record *held; /* of the submission so far */
    size_t held_count, held_room;
};

static void edit_put(struct edit *edit, uint32_t word) {
    store_le32(edit->words + 4 * edit->used++, word);
}

/* Words up to this index stay as they are. */
static void put_as_it_is(struct edit *edit, size_t end) {
    for (; edit->done < end; edit->done++)
        edit_put(edit, pfifo_stream_word(&edit->push, edit->done));
}

static void edit_put_header(struct edit *edit, enum grammar_form form, uint32_t method, size_t count) {
    const struct grammar_word header = {.form = form,
                                        .subchannel = edit->packet.subchannel,
                                        .method = (uint16_t)method,
                                        .count = form == FORM_LONG_NONINCREASING ? 0 : (uint32_t)count};
    uint32_t word = 0;

    /* The chip has just read a header of this form, or of one that has a larger count. */
    grammar_encode_any(edit->chip->family->grammar, &header, &word);
    edit_put(edit, word);
    if (form == FORM_LONG_NONINCREASING)
        edit_put(edit, (uint32_t)count);
}

static void put_kept(struct edit *edit, size_t first, size_t end) {
    for (size_t i = first; i < end; i++)
        if (edit->keep[i])
            edit_put(edit, edit->data[i]);
}

/* A header for each run of methods that stay. */
static void put_increasing(struct edit *edit) {
    const struct edit_packet *packet = &edit->packet;

    for (size_t i = 0, end; i < packet->count; i = end) {
        end = i;
        while (end < packet->count && edit->keep[end] == edit->keep[i])
            end++;
        if (!edit->keep[i])
            continue;
        edit_put_header(edit, FORM_INCREASING, packet->method + 4 * (uint32_t)i, end - i);
        put_kept(edit, i, end);
    }
}

static void edit_put_packet(struct edit *edit) {
    const struct edit_packet *packet = &edit->packet;

    if (!packet->kept)
        return;
    if (packet->form == FORM_INCREASING) {
        put_increasing(edit);
    } else if (packet->form == FORM_INCREASE_ONCE && !edit->keep[0]) {
        edit_put_header(edit, FORM_NONINCREASING, packet->method + 4u, packet->kept);
        put_kept(edit, 1, packet->count);
    } else {
        edit_put_header(edit, packet->form, packet->method, packet->kept);
        put_kept(edit, 0, packet->count);
    }
}

/* The words from `begin` on come again. */
static void put_again(struct edit *edit, size_t begin, uint32_t times, size_t methods) {
    edit->no_memory = !edit_runs_add(edit->runs, begin, edit->used, times) || edit->no_memory;
    edit->repeated += methods;
}

static void end_packet(struct edit *edit) {
    struct edit_packet *packet = &edit->packet;
    size_t end = packet->header + packet->header_words + packet->count, before;

    packet->open = false;
    if (!packet->touched && !packet->repeated)
        return;
    put_as_it_is(edit, packet->header);
    before = edit->used;
    if (packet->touched)
        edit_put_packet(edit);
    else
        put_as_it_is(edit, end);
    edit->done = end;
    while (edit->keeps_places && edit->used - before < end - packet->header)
        edit_put(edit, 0);
    if (packet->repeated)
        put_again(edit, before, packet->times, packet->repeated);
}

/* The rest of it does not come, or not where it is awaited. */
static void edit_give_up(struct edit *edit) {
    if (edit->packet.open)
        edit->result->left += edit->packet.decided;
    edit->packet.open = false;
}

/* The index of a word in the push; SIZE_MAX: it is elsewhere, or was written before. */
static size_t edit_index_of(const struct edit *edit, uint64_t address) {
    uint64_t index = (address - edit->push.address) / 4;

    return edit->in_push && address >= edit->push.address && index < edit->push.word_count && index >= edit->done
               ? (size_t)index
               : SIZE_MAX;
}

static void begin_packet(struct edit *edit, const struct pfifo_decode_event *event) {
    struct edit_packet *packet = &edit->packet;
    const struct grammar *grammar = edit->chip->family->grammar;
    size_t index = edit_index_of(edit, event->address);
    struct grammar_word word;

    edit_give_up(edit);
    if (index == SIZE_MAX)
        return;
    if (grammar_decode(grammar, GRAMMAR_IB | FORMS_OF_ALL, event->word, &word) == FORM_INVALID)
        grammar_decode(grammar, GRAMMAR_DMA | FORMS_OF_ALL, event->word, &word);
    *packet = (struct edit_packet){.open = true,
                                   .form = word.form,
                                   .subchannel = event->subchannel,
                                   .method = event->method,
                                   .header = index,
                                   .header_words = word.form == FORM_LONG_NONINCREASING ? 2 : 1,
                                   .count = event->count};
}

static void take_count(struct edit *edit, const struct pfifo_decode_event *event) {
    struct edit_packet *packet = &edit->packet;

    if (packet->open && packet->header_words == 2 && edit_index_of(edit, event->address) == packet->header + 1)
        packet->count = event->count;
    else
        edit_give_up(edit);
}

static void edit_note(struct pfifo_edit_result *result, enum pfifo_edit_action action, bool done) {
    if (action == PFIFO_EDIT_KEEP || (action == PFIFO_EDIT_REPEAT && done))
        return;
    if (!done)
        result->left++;
    else if (action == PFIFO_EDIT_DROP)
        result->dropped++;
    else
        result->changed++;
}

static void edit_take_immediate(struct edit *edit, const struct pfifo_decode_event *event,
                                enum pfifo_edit_action action, uint32_t data) {
    size_t index = edit_index_of(edit, event->address);
    const struct grammar_word header = {
        .form = FORM_IMMEDIATE, .subchannel = event->subchannel, .method = event->method, .data = data};
    uint32_t word = 0;
    bool can = index != SIZE_MAX &&
               (action != PFIFO_EDIT_DATA || grammar_encode(edit->chip->family->grammar, GRAMMAR_IB, &header, &word));

    edit_give_up(edit);
    edit_note(edit->result, action, can);
    if (action == PFIFO_EDIT_KEEP || !can)
        return;
    put_as_it_is(edit, index);
    if (action == PFIFO_EDIT_REPEAT) {
        put_as_it_is(edit, index + 1);
        put_again(edit, edit->used - 1, data, 1);
        return;
    }
    edit->done = index + 1;
    if (action == PFIFO_EDIT_DATA || edit->keeps_places)
        edit_put(edit, word);
}

static void edit_take_data(struct edit *edit, const struct pfifo_decode_event *event, enum pfifo_edit_action action,
                           uint32_t data) {
    struct edit_packet *packet = &edit->packet;
    size_t at = packet->header + packet->header_words + packet->seen;

    if (!packet->open || edit_index_of(edit, event->address) != at) {
        edit_give_up(edit);
        edit_note(edit->result, action, false);
        return;
    }
    edit->keep[packet->seen] = action != PFIFO_EDIT_DROP;
    edit->data[packet->seen] = action == PFIFO_EDIT_REPEAT ? event->data : data;
    packet->kept += action != PFIFO_EDIT_DROP;
    packet->decided += action != PFIFO_EDIT_KEEP;
    packet->repeated += action == PFIFO_EDIT_REPEAT;
    packet->times = action == PFIFO_EDIT_REPEAT ? data : packet->times;
    packet->touched = packet->touched || (action != PFIFO_EDIT_KEEP && action != PFIFO_EDIT_REPEAT);
    if (++packet->seen < packet->count)
        return;
    if (packet->touched) {
        edit->result->dropped += packet->count - packet->kept;
        edit->result->changed += packet->decided - packet->repeated - (packet->count - packet->kept);
    }
    end_packet(edit);
}

static bool take_event(void *opaque, const struct pfifo_decode_event *event) {
    struct edit *edit = opaque;

    if (event->kind == PFIFO_DECODE_HEADER) {
        begin_packet(edit, event);
    } else if (event->kind == PFIFO_DECODE_COUNT) {
        take_count(edit, event);
    } else if (event->kind == PFIFO_DECODE_METHOD) {
        uint32_t data = event->data;
        enum pfifo_edit_action action = edit->decide(edit->opaque, event, &data);
        edit->result->methods++;
        edit->methods++;
        (event->immediate ? edit_take_immediate : edit_take_data)(edit, event, action, data);
    } else {
        edit_give_up(edit);
    }
    return true;
}

/* Room for the words of a push, which never get more. */
static bool edit_make_room(struct edit *edit, size_t words) {
    if (words <= edit->room)
        return true;
    free(edit->data);
    free(edit->keep);
    edit->data = malloc(words * sizeof *edit->data);
    edit->keep = malloc(words);
    edit->room = edit->data && edit->keep ? words : 0;
    return edit->room != 0;
}

static enum pfifo_status edit_push(struct edit *edit, struct stream_replay *replay, struct held_record *held,
                                   struct pfifo_error *error) {
    struct pfifo_stream_push *push = &held->record.push;
    enum pfifo_status status;

    held->copy = malloc(4 * push->word_count + 4);
    if (!held->copy || !edit_make_room(edit, push->word_count + 1))
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the words of a submission");
    edit->push = *push;
    edit->words = held->copy;
    edit->in_push = true;
    edit->done = edit->used = 0;
    edit->runs = &held->runs;
    edit->repeated = edit->methods = 0;
    status = stream_replay_take(replay, &held->record, error);
    edit_give_up(edit);
    edit->in_push = false;
    put_as_it_is(edit, push->word_count);
    /* A segment is never empty that was not. */
    if (!edit->used && push->word_count)
        edit_put(edit, 0);
    if (edit->keeps_places && edit->repeated &&
        !edit_runs_make_whole(edit->runs, edit->used, edit->repeated == edit->methods)) {
        edit->result->left += edit->repeated;
        edit->repeated = 0;
    }
    edit->result->repeated += edit->repeated;
    push->words = held->copy;
    push->length = push->word_count ? (push->length & ~EDIT_PUSH_BYTES) | 4 * (uint64_t)edit->used : push->length;
    push->word_count = (uint32_t)edit->used;
    if (edit->no_memory && status == PFIFO_OK)
        status = pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the words of a submission");
    return status;
}

/* What a capture says of a buffer in a submission is what its PUSHes have. */
static bool copy_to_data(const struct pfifo_stream_push *push, struct held_record *held) {
    struct pfifo_stream_bodata *data = &held->record.bodata;
    uint64_t begin = data->offset, bytes = 4 * (uint64_t)push->word_count;
    uint64_t first = push->offset > begin ? push->offset : begin;
    uint64_t end = push->offset + bytes < begin + data->bytes ? push->offset + bytes : begin + data->bytes;

    if (first >= end || !memcmp(data->data + (first - begin), push->words + (first - push->offset), end - first))
        return true;
    if (!held->copy) {
        held->copy = malloc(data->bytes);
        if (!held->copy)
            return false;
        memcpy(held->copy, data->data, data->bytes);
        data->data = held->copy;
    }
    memcpy(held->copy + (first - begin), push->words + (first - push->offset), end - first);
    return true;
}

static enum pfifo_status copy_push(struct edit *edit, const struct pfifo_stream_push *push, struct pfifo_error *error) {
    const struct pfifo_stream_boref *buffer = NULL;

    for (size_t i = 0; i < edit->held_count; i++) {
        struct held_record *held = &edit->held[i];
        if (held->record.type == PFIFO_STREAM_BOREF)
            buffer = &held->record.boref;
        else if (held->record.type == PFIFO_STREAM_BODATA && buffer && buffer->handle == push->handle &&
                 !copy_to_data(push, held))
            return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a page of the capture");
    }
    return PFIFO_OK;
}

static void free_held(struct edit *edit) {
    for (size_t i = 0; i < edit->held_count; i++) {
        free(edit->held[i].copy);
        edit_runs_free(&edit->held[i].runs);
    }
    edit->held_count = 0;
}

/* SUBMIT says how many PUSHes there are. */
static enum pfifo_status count_pushes(struct edit *edit, struct pfifo_error *error) {
    struct pfifo_stream_submit *submit = NULL;
    uint64_t pushes = 0, before = 0;

    for (size_t i = 0; i < edit->held_count; i++) {
        const struct held_record *held = &edit->held[i];
        if (held->record.type == PFIFO_STREAM_SUBMIT)
            submit = &edit->held[i].record.submit;
        if (held->record.type != PFIFO_STREAM_PUSH)
            continue;
        before++;
        pushes += edit_runs_pushes(&held->runs, held->record.push.word_count);
    }
    if (!submit || pushes == before)
        return PFIFO_OK;
    if (pushes > PFIFO_EDIT_PUSHES_MAX)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT,
                               "submission %u: %" PRIu64 " PUSHes, of which there may be %u",
                               (unsigned)submit->sequence, pushes, PFIFO_EDIT_PUSHES_MAX);
    submit->pushes += (uint32_t)(pushes - before);
    return PFIFO_OK;
}

/* The submission is complete. */
static enum pfifo_status edit_write_held(struct edit *edit, struct pfifo_stream_writer *writer,
                                         struct pfifo_error *error) {
    enum pfifo_status status = count_pushes(edit, error);

    for (size_t i = 0; i < edit->held_count && status == PFIFO_OK; i++)
        if (edit->held[i].record.type == PFIFO_STREAM_PUSH)
            status = copy_push(edit, &edit->held[i].record.push, error);
    for (size_t i = 0; i < edit->held_count && status == PFIFO_OK; i++) {
        const struct held_record *held = &edit->held[i];
        status = held->runs.count ? edit_runs_write(&held->runs, &held->record.push, writer, error)
                                  : pfifo_stream_writer_append(writer, &held->record, error);
    }
    free_held(edit);
    return status;
}

static struct held_record *edit_hold(struct edit *edit, const struct pfifo_stream_record *record,
                                     struct pfifo_error *error) {
    if (edit->held_count == edit->held_room) {
        size_t room = edit->held_room ? 2 * edit->held_room : 64;
        struct held_record *held = realloc(edit->held, room * sizeof *held);
        if (!held) {
            pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the records of a submission");
            return NULL;
        }
        edit->held = held;
        edit->held_room = room;
    }
    edit->held[edit->held_count] = (struct held_record){.record = *record};
    return &edit->held[edit->held_count++];
}

static enum pfifo_status edit_records(struct edit *edit, struct stream_replay *replay, struct pfifo_stream *stream,
                                      struct pfifo_stream_writer *writer, struct pfifo_error *error) {
    enum pfifo_stream_type until = PFIFO_STREAM_END;

    for (;;) {
        struct pfifo_stream_record record;
        struct held_record *held;
        enum pfifo_status status = pfifo_stream_next(stream, &record, error);
        if (status != PFIFO_OK || record.type == PFIFO_STREAM_END)
            return status == PFIFO_OK ? edit_write_held(edit, writer, error) : status;
        held = edit_hold(edit, &record, error);
        if (!held)
            return error->status;
        if (record.type == PFIFO_STREAM_SUBMIT)
            until = PFIFO_STREAM_SUBEND;
        status = record.type == PFIFO_STREAM_PUSH ? edit_push(edit, replay, held, error)
                                                  : stream_replay_take(replay, &held->record, error);
        if (status == PFIFO_OK && (until == PFIFO_STREAM_END || record.type == until)) {
            status = edit_write_held(edit, writer, error);
            until = PFIFO_STREAM_END;
        }
        if (status != PFIFO_OK)
            return status;
    }
}

enum pfifo_status pfifo_edit(struct pfifo_stream *stream, const struct pfifo_decode_options *options,
                             pfifo_edit_decide decide, void *opaque, struct pfifo_stream_writer *writer,
                             struct pfifo_edit_result *result, struct pfifo_error *error) {
    struct edit edit = {.decide = decide, .opaque = opaque, .result = result};
    struct pfifo_decode_options with = {.format = PFIFO_DECODE_NOTHING};
    struct pfifo_error local = {0};
    enum pfifo_status status;

    error = error ? error : &local;
    if (!stream || !decide || !writer || !result)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "editing needs a capture, a writer and who decides");
    *result = (struct pfifo_edit_result){0};
    if (options) {
        with.chip = options->chip;
        with.subdevices = options->subdevices;
        memcpy(with.bound, options->bound, sizeof with.bound);
    }
    with.event = take_event;
    with.event_opaque = &edit;
    struct stream_replay *replay = stream_replay_new(stream, &with, NULL, sink_no_output, NULL, error);
    if (!replay)
        return error->status;
    edit.chip = stream_replay_chip(replay);
    edit.keeps_places = !edit.chip->has_ib;
    status = pfifo_stream_writer_version(writer, pfifo_stream_version(stream), error);
    if (status == PFIFO_OK)
        status = edit_records(&edit, replay, stream, writer, error);
    stream_replay_free(replay);
    free(edit.data);
    free(edit.keep);
    free_held(&edit);
    free(edit.held);
    return status;
}
