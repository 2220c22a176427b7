/* SPDX-License-Identifier: MIT */
/*
 * macro-without-code: a macro is called that nobody has loaded, or only in part.
 *
 *   LOAD_MME_START_ADDRESS_RAM --> which macros have a start ---.
 *   LOAD_MME_INSTRUCTION_RAM ----> which words are loaded ------+--> engine.macro: is there anything to execute?
 *
 * What such a macro does depends on what the memories held before. Zeros fetch parameters, so that the error is found
 * at a later method, or never. The first word is looked at: where a macro ends, only its execution says.
 *
 * All classes of a channel have the same memories. Sources: those of isa/macro.h.
 */
#include "lint/lint.h"

#include <pfifo/classes.h>
#include <pfifo/decode.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "isa/macro.h"

enum { CHANNELS = 64, STARTS = 0x100, CODE_WORDS = 0x4000 };
/* LOAD_MME_INSTRUCTION_RAM_POINTER, _RAM, LOAD_MME_START_ADDRESS_RAM_POINTER, _RAM. */
enum { CODE_POINTER = 0x114, CODE = 0x118, START_POINTER = 0x11c, START = 0x120 };

/* What a channel has loaded. */
struct loaded {
    bool used;
    uint32_t channel; /* the hardware's number */
    uint32_t code_pointer, start_pointer;
    bool start[STARTS], code[CODE_WORDS];
};

struct lint_macros {
    const struct macro_isa *isa;
    struct loaded loaded[CHANNELS]; /* beyond these, calls are not looked at */
};

struct lint_macros *lint_macros_new(const struct pfifo_chip *chip) {
    struct lint_macros *macros = calloc(1, sizeof *macros);

    if (macros && pfifo_macro_words(chip))
        macros->isa = macro_isa_of(chip);
    return macros;
}

void lint_macros_free(struct lint_macros *macros) {
    free(macros);
}

static struct loaded *loaded_of(struct lint_macros *macros, uint32_t channel) {
    struct loaded *unused = NULL;

    for (size_t i = 0; i < CHANNELS; i++) {
        struct loaded *loaded = &macros->loaded[i];
        if (loaded->used && loaded->channel == channel)
            return loaded;
        unused = !loaded->used && !unused ? loaded : unused;
    }
    if (unused) {
        unused->used = true;
        unused->channel = channel;
    }
    return unused;
}

void lint_macros_method(struct lint *lint, uint32_t channel, uint32_t object_class, uint32_t method, uint32_t data) {
    const struct macro_isa *isa = lint->macros->isa;
    struct pfifo_method_name name;
    struct loaded *loaded;

    if (!isa || method < CODE_POINTER || method > START || !pfifo_method_find(object_class, MACRO_CALL, &name))
        return;
    loaded = loaded_of(lint->macros, channel);
    if (!loaded)
        return;
    if (method == CODE_POINTER)
        loaded->code_pointer = data;
    else if (method == CODE)
        loaded->code[loaded->code_pointer++ & (isa->code_words - 1)] = true;
    else if (method == START_POINTER)
        loaded->start_pointer = data;
    else
        loaded->start[loaded->start_pointer++ & (isa->starts - 1)] = true;
}

void lint_macros_call(struct lint *lint, const struct pfifo_event *event) {
    const uint32_t number = (uint32_t)event->value[1], pc = (uint32_t)event->value[2];
    const struct loaded *loaded = lint->macros->isa ? loaded_of(lint->macros, event->channel) : NULL;
    struct lint_place place;

    if (!loaded || number >= STARTS || pc >= CODE_WORDS || (loaded->start[number] && loaded->code[pc]))
        return;
    place = lint_place_now(lint, event->channel);
    if (loaded->start[number])
        lint_find(lint, LINT_MACRO_WITHOUT_CODE, &place, number,
                  "macro %" PRIu32 " begins at 0x%" PRIx32 ", where nobody has loaded code", number, pc);
    else
        lint_find(lint, LINT_MACRO_WITHOUT_CODE, &place, number,
                  "nobody has loaded macro %" PRIu32 ": it has no start address", number);
}

void lint_macros_record(struct lint *lint, const struct pfifo_stream_record *record) {
    uint32_t channel;

    if (record->type != PFIFO_STREAM_CHANFREE)
        return;
    channel = replay_channel_number(lint->replay, record->chanfree.channel);
    for (size_t i = 0; i < CHANNELS; i++)
        if (lint->macros->loaded[i].used && lint->macros->loaded[i].channel == channel)
            memset(&lint->macros->loaded[i], 0, sizeof lint->macros->loaded[i]);
}
