/* SPDX-License-Identifier: MIT */
#include "face/tool/replay/recorded.h"

enum { WORD_BYTES = 4 };

static bool is_known(const struct pfifo_replay_word *word) {
    return word->in_push && word->has_address && word->has_word;
}

/* A PUSH of a submission: the words in it are found. Returns how many. */
static size_t look_into(const struct pfifo_stream_push *push, uint32_t submission,
                        const struct pfifo_replay_word *const *words, size_t count, bool *found,
                        struct recorded_word *recorded) {
    size_t hits = 0;

    for (size_t i = 0; i < count; i++) {
        const uint64_t index = (words[i]->address - push->address) / WORD_BYTES;
        if (found[i] || !is_known(words[i]) || words[i]->submission != submission ||
            words[i]->buffer != (uint32_t)push->handle || words[i]->address < push->address ||
            index >= push->word_count)
            continue;
        found[i] = true;
        hits++;
        recorded[i].word = pfifo_stream_word(push, (size_t)index);
        recorded[i].differs = recorded[i].word != words[i]->word;
    }
    return hits;
}

void recorded_words(struct pfifo_stream *stream, const struct pfifo_replay_word *const *words, size_t count,
                    struct recorded_word *recorded) {
    bool found[PFIFO_REPLAY_FAULTS] = {false};
    struct pfifo_stream_record record;
    uint32_t submission = 0;
    size_t left = 0;

    for (size_t i = 0; i < count; i++) {
        recorded[i] = (struct recorded_word){0};
        left += is_known(words[i]);
    }
    if (!left || !stream)
        return;
    pfifo_stream_rewind(stream);
    while (left && pfifo_stream_next(stream, &record, NULL) == PFIFO_OK && record.type != PFIFO_STREAM_END) {
        if (record.type == PFIFO_STREAM_SUBMIT)
            submission = record.submit.sequence;
        else if (record.type == PFIFO_STREAM_PUSH)
            left -= look_into(&record.push, submission, words, count, found, recorded);
    }
}
