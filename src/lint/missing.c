/* SPDX-License-Identifier: MIT */
/*
 * state-missing: a method that the hardware refuses because state that it needs is not there.
 *
 *   engine.missing, one for each state --> kept --> engine.error: how the hardware calls it --> a finding for each
 */
#include "lint/lint.h"

void lint_missing_state(struct lint *lint, const struct pfifo_event *event) {
    struct lint_missing *missing = &lint->missing;

    if (missing->count == LINT_MISSING)
        return;
    missing->state[missing->count] = (uint16_t)event->value[3];
    missing->why[missing->count++] = event->text;
}

void lint_missing_error(struct lint *lint, const struct pfifo_event *event) {
    const uint32_t object_class = (uint32_t)event->value[0], method = (uint32_t)event->value[1];
    struct lint_missing *missing = &lint->missing;

    for (unsigned i = 0; i < missing->count; i++) {
        struct lint_place place = lint_place_now(lint, event->channel);
        place.name_class = place.word.oclass = object_class;
        place.word.missing_count = 1;
        place.word.missing_method = missing->state[i];
        place.word.missing_why = missing->why[i];
        lint_find(lint, LINT_STATE_MISSING, &place,
                  (uint64_t)object_class << 32 | (uint64_t)method << 16 | missing->state[i],
                  "%s: the method needs state that is not there", event->text);
    }
    missing->count = 0;
}
