/* SPDX-License-Identifier: MIT */
#include "engine/core/words.h"

#include <assert.h>

static void words_state(void *state, const struct private_owner *owner, struct state_io *io) {
    struct kept_words *words = state;
    (void)owner;
    state_u64(io, &words->left);
    words->count = state_count(io, words->count, KEPT_WORDS, "words kept");
    for (uint32_t i = 0; i < words->count && state_good(io); i++)
        state_u32(io, &words->word[i]);
}

const struct private_state words_part = {.bytes = sizeof(struct kept_words), .state = words_state};

void words_begin(struct object *object, uint64_t words) {
    struct kept_words *kept = object_words(object);
    kept->left = words;
    kept->count = 0;
}

uint32_t words_absorb(struct object *object, const uint32_t *data, uint32_t count) {
    struct kept_words *kept = object_words(object);
    if (kept->left == 0)
        return count;
    uint64_t room = KEPT_WORDS - kept->count;
    uint64_t most = (room < kept->left ? room : kept->left) - (room != 0);
    uint32_t taken = count < most ? count : (uint32_t)most;
    memcpy(&kept->word[kept->count], data, taken * sizeof *data);
    kept->count += taken;
    kept->left -= taken;
    return taken;
}

void words_take(const struct call *call) {
    struct kept_words *kept = object_words(call->object);
    assert(kept->left > 0); /* or words_absorb() has taken the word */
    if (kept->count < KEPT_WORDS)
        kept->word[kept->count++] = call->data;
    kept->left--;
}
