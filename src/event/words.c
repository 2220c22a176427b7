/* SPDX-License-Identifier: MIT */
#include "event/event.h"

const char *const event_words[PFIFO_WORDS] = {
    [PFIFO_WORD_WAITS] = "waits", [PFIFO_WORD_SEMAPHORE] = "semaphore", [PFIFO_WORD_TARGET] = "target",
    [PFIFO_WORD_DEPTH] = "depth", [PFIFO_WORD_CLEAR] = "clear",         [PFIFO_WORD_TEXTURE] = "texture",
};

/* By its place: who sends such a word takes it from the table. An embedder's text is another one, whatever it says. */
enum pfifo_event_word event_word_of(const char *text) {
    enum pfifo_event_word word = PFIFO_WORDS - 1;
    while (word != PFIFO_WORD_OTHER && event_words[word] != text)
        word--;
    return word;
}
