/* SPDX-License-Identifier: MIT */
#include "engine/core/private.h"

bool private_init(const struct private_state *type, void *state, const struct private_owner *owner) {
    return !type->init || type->init(state, owner);
}

void private_free(const struct private_state *type, void *state) {
    if (type->free)
        type->free(state);
}

void private_save_or_load(const struct private_state *type, void *state, const struct private_owner *owner,
                          struct state_io *io) {
    if (type->state)
        type->state(state, owner, io);
    else
        state_words(io, state, type->bytes / sizeof(uint32_t), "words of private state");
}
