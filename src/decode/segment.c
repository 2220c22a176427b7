/* SPDX-License-Identifier: MIT */
#include "decode/walk.h"

#include <assert.h>
#include <string.h>

/* The limit of jumps in one segment. Real streams have far fewer. */
enum { JUMP_LIMIT = 1024 };

static uint64_t address_at(const struct decode_window *window, size_t at) {
    return window->address + 4 * (uint64_t)at;
}

static struct pfifo_decode_event segment_event_at(const struct walk *walk, enum pfifo_decode_kind kind, size_t at) {
    return (struct pfifo_decode_event){.kind = kind,
                                       .channel = walk->channel->id,
                                       .sequence = walk->decoder->sequence,
                                       .address = address_at(&walk->window, at)};
}

void walk_emit_error(struct walk *walk, size_t at, uint32_t word, const char *text) {
    struct pfifo_decode_event event = segment_event_at(walk, PFIFO_DECODE_ERROR, at);

    event.word = word;
    event.text = text;
    decode_emit(walk->decoder, &event);
}

void walk_emit_skipped(struct walk *walk, size_t at, size_t words, bool shown, const char *text) {
    struct pfifo_decode_event event = segment_event_at(walk, PFIFO_DECODE_SKIPPED, at);

    event.count = words > UINT32_MAX ? UINT32_MAX : (uint32_t)words;
    event.text = text;
    if (words) {
        event.words = shown ? NULL : walk->window.bytes + 4 * at;
        decode_emit(walk->decoder, &event);
    }
}

/* The rest of the segment is not fetched. */
static void segment_drop_rest(struct walk *walk, const char *text) {
    if (walk->outside)
        walk->window = (struct decode_window){0};
    walk->outside = false;
    walk_emit_skipped(walk, walk->window.at, walk->window.words - walk->window.at, false, text);
    walk->window.at = walk->window.words;
}

/* The rest of the segment is not decoded, because it is not known where the commands continue. */
static void segment_give_up(struct walk *walk) {
    if (walk->outside) {
        walk->window = walk->segment;
        walk->window.at = walk->left_at;
    }
    walk->outside = false;
    walk_emit_skipped(walk, walk->window.at, walk->window.words - walk->window.at, false, "not decoded");
    walk->window.at = walk->window.words;
}

static uint16_t wrap_method(const struct grammar *grammar, uint32_t method) {
    return (uint16_t)(method & ((4u << grammar->method_bits) - 1));
}

/* Fill in the class that names a method. Host methods belong to the channel, whatever is bound. */
static void segment_name_method(const struct walk *walk, struct pfifo_decode_event *event) {
    event->bound_class = walk->channel->bound[event->subchannel];
    event->name_class = event->method < 0x100 ? walk->decoder->chip->host_class : event->bound_class;
}

static void segment_deliver(struct walk *walk, struct pfifo_decode_event *event) {
    event->discarded = walk->channel->inactive;
    if (event->method == 0 && !event->discarded)
        decode_channel_bind(walk->decoder, walk->channel, event->subchannel, event->data);
    segment_name_method(walk, event);
    decode_emit(walk->decoder, event);
}

/* Data words of the pending command, as many as the window has. */
static void segment_take_data(struct walk *walk) {
    struct decode_command *command = &walk->channel->command;
    struct pfifo_decode_event event = segment_event_at(walk, PFIFO_DECODE_METHOD, walk->window.at);

    event.subchannel = command->subchannel;
    event.form = grammar_form_name(command->form);
    while (command->count && walk->window.at < walk->window.words && walk->budget > walk->pause &&
           !walk->decoder->stopped) {
        event.address = address_at(&walk->window, walk->window.at);
        event.word = event.data = decode_load_word(&walk->window, walk->window.at++);
        event.method = command->method;
        command->count--;
        walk->budget--;
        if (command->form == FORM_INCREASING || command->form == FORM_INCREASE_ONCE)
            command->method = wrap_method(walk->decoder->grammar, command->method + 4u);
        if (command->form == FORM_INCREASE_ONCE)
            command->form = FORM_NONINCREASING;
        segment_deliver(walk, &event);
    }
}

static void take_long_count(struct walk *walk) {
    struct decode_command *command = &walk->channel->command;
    struct pfifo_decode_event event = segment_event_at(walk, PFIFO_DECODE_COUNT, walk->window.at);

    event.word = decode_load_word(&walk->window, walk->window.at++);
    event.count = command->count = event.word & 0xffffff;
    event.subchannel = command->subchannel;
    event.method = command->method;
    event.form = grammar_form_name(command->form);
    command->long_count = false;
    walk->budget--;
    segment_name_method(walk, &event);
    decode_emit(walk->decoder, &event);
}

#define NOT_A_METHOD "the class has no such method: taken for data after a wrong count"

static void segment_take_header(struct walk *walk, struct pfifo_decode_event *event, const struct grammar_word *word) {
    struct decode_command *command = &walk->channel->command;

    if (resync_runs_over(walk->decoder, word)) {
        walk_take_bad_word(walk, event->word, "the header runs over the last method");
        return;
    }
    if (walk_looks_like_data(walk, word)) {
        walk_take_bad_word(walk, event->word, NOT_A_METHOD);
        return;
    }
    walk->data_at = walk->window.at;
    command->form = word->form == FORM_LONG_NONINCREASING ? FORM_NONINCREASING : word->form;
    command->long_count = word->form == FORM_LONG_NONINCREASING;
    command->subchannel = word->subchannel;
    command->method = word->method;
    command->count = word->count;
    event->kind = PFIFO_DECODE_HEADER;
    event->count = word->count;
    event->method = word->method;
    segment_name_method(walk, event);
    decode_emit(walk->decoder, event);
}

/* Words from memory outside the segment. */
static bool open_outside(struct walk *walk, uint64_t address) {
    const struct pfifo_decoder *decoder = walk->decoder;
    size_t bytes = 0;
    const uint8_t *found = decoder->map ? decoder->map(decoder->opaque, address, &bytes) : NULL;

    if (!found || bytes < 4)
        return false;
    if (!walk->outside)
        walk->left_at = walk->window.at;
    walk->window = (struct decode_window){.bytes = found, .address = address, .words = bytes / 4};
    walk->data_at = 0;
    walk->outside = true;
    return true;
}

/* Point the window to a target: into the segment, or to memory that the caller maps. */
static void segment_go_to(struct walk *walk, uint64_t target) {
    const struct decode_window *segment = &walk->segment;
    uint64_t offset = target - segment->address;

    if (target >= segment->address && offset < 4 * (uint64_t)segment->words) {
        walk->window = *segment;
        walk->window.at = walk->data_at = (size_t)offset / 4;
        walk->outside = false;
    } else if (offset == 4 * (uint64_t)segment->words && !walk->by_call) {
        /* GET is equal to PUT: the segment is done. */
        walk->window.at = walk->window.words;
        walk->outside = false;
    } else if (!open_outside(walk, target)) {
        walk_emit_error(walk, walk->window.at - 1, 0, "the target is not in memory that the decoder has");
        segment_give_up(walk);
    }
}

/* Memory comes in pieces: at the end of one go on with the next. */
static bool next_window(struct walk *walk) {
    size_t end = walk->window.words;

    if (!walk->outside)
        return false;
    if (open_outside(walk, address_at(&walk->window, end)))
        return true;
    walk_emit_error(walk, end, 0, "the words run out of memory that the decoder has");
    segment_give_up(walk);
    return false;
}

static bool same_state(const struct jump_state *a, const struct jump_state *b) {
    return a->target == b->target && a->return_address == b->return_address && a->stored_mask == b->stored_mask &&
           a->subroutine == b->subroutine && a->inactive == b->inactive &&
           memcmp(a->bound, b->bound, sizeof a->bound) == 0;
}

/*
 * Endless loops are found by Brent's method: one state is remembered, and replaced after twice as many jumps. A loop of
 * one or two jumps is decoded twice, no loop more than about three times.
 */
static bool goes_in_circles(struct walk *walk, uint64_t target) {
    const struct decode_channel *channel = walk->channel;
    struct jump_state state = {
        .target = target,
        .return_address = channel->return_address,
        .stored_mask = channel->stored_mask,
        .subroutine = channel->subroutine,
        .inactive = channel->inactive,
    };

    memcpy(state.bound, channel->bound, sizeof state.bound);
    if (walk->remember_at && same_state(&state, &walk->remembered))
        return true;
    if (walk->jumps >= walk->remember_at) {
        walk->remembered = state;
        walk->remember_at = walk->jumps * 2;
    }
    return false;
}

static void take_jump(struct walk *walk, struct pfifo_decode_event *event, const struct grammar_word *word) {
    event->kind = PFIFO_DECODE_JUMP;
    event->target = word->target;
    decode_emit(walk->decoder, event);
    if (walk->decoder->part)
        return;
    if (++walk->jumps > JUMP_LIMIT) {
        walk_emit_error(walk, walk->window.at - 1, event->word, "too many jumps, taken for an endless loop");
        segment_give_up(walk);
    } else if (goes_in_circles(walk, word->target)) {
        walk_emit_error(walk, walk->window.at - 1, event->word, "an endless loop: the jump was taken like this before");
        segment_give_up(walk);
    } else {
        segment_go_to(walk, word->target);
    }
}

static void take_call(struct walk *walk, struct pfifo_decode_event *event, const struct grammar_word *word) {
    struct decode_channel *channel = walk->channel;

    event->kind = PFIFO_DECODE_JUMP;
    event->target = word->target;
    decode_emit(walk->decoder, event);
    if (walk->decoder->part)
        return;
    if (channel->subroutine) {
        walk_emit_error(walk, walk->window.at - 1, event->word, "call while a subroutine is active");
        return;
    }
    channel->subroutine = true;
    channel->return_address = address_at(&walk->window, walk->window.at);
    if (!walk->outside && word->target > walk->segment.address && (!walk->callee || word->target < walk->callee))
        walk->callee = word->target;
    segment_go_to(walk, word->target);
}

static void take_return(struct walk *walk, struct pfifo_decode_event *event) {
    struct decode_channel *channel = walk->channel;

    event->kind = PFIFO_DECODE_JUMP;
    event->target = walk->by_call || !channel->subroutine ? 0 : channel->return_address;
    decode_emit(walk->decoder, event);
    if (walk->decoder->part)
        return;
    if (!channel->subroutine) {
        walk_emit_error(walk, walk->window.at - 1, event->word, "return without a subroutine");
        return;
    }
    channel->subroutine = false;
    if (walk->by_call)
        segment_drop_rest(walk, "not fetched: after the return");
    else
        segment_go_to(walk, channel->return_address);
}

/* SLI and subdevice masks decide which GPU takes the methods that follow. */
static void take_control(struct walk *walk, struct pfifo_decode_event *event, const struct grammar_word *word) {
    struct decode_channel *channel = walk->channel;

    if (!walk->decoder->literal && resync_is_odd_end(word, event->word) && walk_follows_better(walk)) {
        walk_take_bad_word(walk, event->word,
                           "the segment would end here, but with bits that an end does not have: taken for data");
        return;
    }
    event->kind = PFIFO_DECODE_CONTROL;
    event->data = word->data;
    if (word->form == FORM_STORE_SUBDEVICE)
        channel->stored_mask = word->data;
    else if (word->form == FORM_USE_SUBDEVICE)
        event->data = channel->stored_mask;
    if (word->form == FORM_SLI_CONDITIONAL || word->form == FORM_SET_SUBDEVICE || word->form == FORM_USE_SUBDEVICE)
        channel->inactive = (event->data & walk->decoder->subdevices) == 0;
    decode_emit(walk->decoder, event);
    if (word->form == FORM_END_SEGMENT && !walk->decoder->part)
        segment_drop_rest(walk, "dropped: after the end of the segment");
}

static void segment_take_immediate(struct walk *walk, struct pfifo_decode_event *event,
                                   const struct grammar_word *word) {
    if (walk_looks_like_data(walk, word)) {
        walk_take_bad_word(walk, event->word, NOT_A_METHOD);
        return;
    }
    walk->data_at = walk->window.at;
    event->kind = PFIFO_DECODE_METHOD;
    event->method = word->method;
    event->data = word->data;
    event->immediate = true;
    segment_deliver(walk, event);
}

/* The first word of a command. */
static void take_command(struct walk *walk) {
    struct pfifo_decode_event event = segment_event_at(walk, PFIFO_DECODE_HEADER, walk->window.at);
    struct grammar_word word;

    event.word = decode_load_word(&walk->window, walk->window.at++);
    walk->budget--;
    grammar_decode(walk->decoder->grammar, walk->channel->mode, event.word, &word);
    walk->empty = word.form == FORM_INCREASING && !word.count;
    event.form = grammar_form_name(word.form);
    event.subchannel = word.subchannel;
    switch (word.form) {
    case FORM_INCREASING:
    case FORM_NONINCREASING:
    case FORM_INCREASE_ONCE:
    case FORM_LONG_NONINCREASING:
        segment_take_header(walk, &event, &word);
        break;
    case FORM_IMMEDIATE:
        segment_take_immediate(walk, &event, &word);
        break;
    case FORM_OLD_JUMP:
    case FORM_JUMP:
        take_jump(walk, &event, &word);
        break;
    case FORM_CALL:
        take_call(walk, &event, &word);
        break;
    case FORM_RETURN:
        take_return(walk, &event);
        break;
    case FORM_NOP:
    case FORM_SLI_CONDITIONAL:
    case FORM_SET_SUBDEVICE:
    case FORM_STORE_SUBDEVICE:
    case FORM_USE_SUBDEVICE:
    case FORM_END_SEGMENT:
        take_control(walk, &event, &word);
        break;
    case FORM_INVALID:
    case FORM_COUNT:
        walk_take_bad_word(walk, event.word, "no command has this form");
        break;
    }
}

/*
 * Words of a channel's own pushbuffer, and of its subroutines after them: where empty commands lead to a subroutine that
 * it has called, PUT was before. As words_ring_find() has it.
 */
static bool is_past_ring(const struct walk *walk) {
    return walk->callee && walk->empty && !walk->by_call && !walk->channel->subroutine && !walk->outside &&
           !walk->decoder->literal && address_at(&walk->window, walk->window.at) == walk->callee;
}

/* To the end of the words; false: paused before. */
static bool walk_words(struct walk *walk) {
    const struct decode_command *command = &walk->channel->command;

    while (!walk->decoder->stopped && (walk->window.at < walk->window.words || next_window(walk))) {
        if (!walk->budget) {
            walk_emit_error(walk, walk->window.at, 0, "too many words for one segment, taken for an endless loop");
            segment_give_up(walk);
            return true;
        }
        if (walk->budget <= walk->pause)
            return false;
        if (command->long_count)
            take_long_count(walk);
        else if (command->count)
            segment_take_data(walk);
        else if (is_past_ring(walk))
            walk->window.at = walk->window.words;
        else
            take_command(walk);
    }
    return true;
}

/* In DMA mode a command does not continue in the next segment: its missing data never come. True: words are read again.
 */
static bool end_dma_segment(struct walk *walk) {
    struct decode_command *command = &walk->channel->command;

    if (command->count || command->long_count) {
        walk_emit_error(walk, walk->window.at, 0, "the segment ends inside a command");
        if (!command->long_count && walk_go_back(walk, walk->window.at))
            return true;
    }
    *command = (struct decode_command){0};
    return false;
}

bool walk_go_on(struct walk *walk, uint64_t words) {
    walk->pause = walk->budget > words ? walk->budget - words : 0;
    do {
        if (!walk_words(walk))
            return false;
    } while (!walk->by_ib && !walk->decoder->part && end_dma_segment(walk));
    return true;
}

void walk_begin(struct walk *walk, struct pfifo_decoder *decoder, struct decode_channel *channel,
                const struct pfifo_decode_segment *segment) {
    struct pfifo_decode_event event = {
        .kind = PFIFO_DECODE_SEGMENT,
        .channel = channel->id,
        .sequence = decoder->sequence,
        .address = segment->address,
        .count = segment->count > UINT32_MAX ? UINT32_MAX : (uint32_t)segment->count,
        .no_prefetch = segment->no_prefetch,
    };

    assert(channel->alive);
    *walk = (struct walk){
        .decoder = decoder,
        .channel = channel,
        .segment = {.bytes = segment->words, .address = segment->address, .words = segment->count},
        .budget = 4 * (uint64_t)segment->count + 65536,
        .search = 16 * (uint64_t)segment->count + 65536,
        .by_ib = segment->entry == PFIFO_DECODE_BY_IB,
        .by_call = segment->entry == PFIFO_DECODE_BY_CALL,
    };
    walk->window = walk->segment;
    if (!walk->by_ib)
        channel->subroutine = walk->by_call;
    if (!decoder->part)
        decode_emit(decoder, &event);
    /* The data of a command that was resumed are none. */
    if (decoder->part && channel->command.count)
        walk->data_at = channel->command.count < walk->window.words ? channel->command.count : walk->window.words;
    if (walk->by_ib && !decoder->part)
        walk_check_pending(walk);
}

void decode_segment(struct pfifo_decoder *decoder, struct decode_channel *channel,
                    const struct pfifo_decode_segment *segment) {
    struct walk walk;

    walk_begin(&walk, decoder, channel, segment);
    walk_go_on(&walk, UINT64_MAX);
}
