/* SPDX-License-Identifier: MIT */
#include "replay/locate_channel.h"

enum { PAGE_SHIFT = 12 };

/* The word of the method that is executed, with class and method of the event. */
static struct pfifo_replay_word with_word(const struct locate_channel *channel, const struct pfifo_replay_word *word) {
    struct pfifo_replay_word both = *word;

    if (word->has_address || !word->has_method)
        return both;
    both = channel->now;
    both.has_method = true;
    both.subchannel = word->subchannel;
    both.oclass = word->oclass ? word->oclass : channel->now.oclass;
    both.method = word->method;
    both.data = word->data;
    both.missing_count = word->missing_count;
    both.missing_method = word->missing_method;
    both.missing_why = word->missing_why;
    return both;
}

void locate_note(struct locate_channel *channel, enum locate_kind kind, const struct pfifo_replay_word *word,
                 uint64_t address) {
    struct locate_note *note = &channel->note[kind][channel->next_note[kind]++ % LOCATE_NOTES];

    *note = (struct locate_note){.valid = true, .address = address, .word = with_word(channel, word)};
}

static bool same_page(const struct locate_note *note, uint64_t address) {
    return note->valid && note->address >> PAGE_SHIFT == address >> PAGE_SHIFT;
}

bool locate_has(const struct locate_channel *channel, enum locate_kind kind, uint64_t address) {
    for (unsigned i = 0; i < LOCATE_NOTES; i++)
        if (same_page(&channel->note[kind][i], address))
            return true;
    return false;
}

/* The last error is the one that stopped the unit. The MMU latches the first one, and shows only the page. */
bool locate_take(struct locate_channel *channel, enum locate_kind kind, const struct pfifo_device_fault *fault,
                 struct pfifo_replay_word *found) {
    for (unsigned age = 1; age <= LOCATE_NOTES; age++) {
        struct locate_note *note = &channel->note[kind][(channel->next_note[kind] - age) % LOCATE_NOTES];
        bool about = kind == LOCATE_MEMORY && fault->address
                         ? same_page(note, fault->address)
                         : note->valid && (!fault->has_method || note->word.method == fault->method);
        if (!about)
            continue;
        *found = note->word;
        note->valid = false;
        return true;
    }
    return false;
}
