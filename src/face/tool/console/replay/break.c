/* SPDX-License-Identifier: MIT */
/* Breakpoints of a replay: the method that comes next is known, so a stop is before it. The list: breaks.h. */
#include "face/tool/console/replay/debug.h"

#include "face/tool/console/place.h"

#include <pfifo/registers.h>

#include <inttypes.h>
#include <string.h>

/* ---- the method that comes next ---- */

static struct pfifo_decode_event method_event(const struct debug *debug, const struct pfifo_replay_word *word,
                                              const char *form) {
    return (struct pfifo_decode_event){.kind = PFIFO_DECODE_METHOD,
                                       .channel = debug->channel,
                                       .sequence = word->in_push ? word->submission : debug->sequence,
                                       .address = word->address,
                                       .word = word->word,
                                       .data = word->data,
                                       .bound_class = word->oclass,
                                       .name_class = breaks_name_class(debug->chip, word->oclass, word->method),
                                       .method = (uint16_t)word->method,
                                       .subchannel = (uint8_t)word->subchannel,
                                       .form = form};
}

/* Its word, and of the first of a packet also the header. */
static void check_next(struct debug *debug) {
    const struct pfifo_replay_progress *progress = &debug->progress;
    uint64_t address[2];
    size_t count = 0;

    if (!debug->is_new)
        return;
    if (progress->next.has_address)
        address[count++] = progress->next.address;
    if (!progress->index)
        address[count++] = progress->header;
    const struct pfifo_decode_event method = method_event(debug, &progress->next, progress->form);
    breaks_next(&debug->console.breaks, &method, address, count);
}

/* ---- events ---- */

/* What a macro sends is in no pushbuffer, and known only when it is sent. */
void debug_breaks_event(struct debug *debug, const struct pfifo_event *event) {
    const struct pfifo_query_place place = {.host_class = pfifo_chip_info(debug->chip).host_class,
                                            .submitted = debug->begun,
                                            .submission = debug->sequence};
    bool sent = event->id == debug->macro_method;
    const struct pfifo_replay_word word = {.has_method = true,
                                           .oclass = (uint32_t)event->value[0],
                                           .method = (uint32_t)event->value[1],
                                           .data = (uint32_t)event->value[2]};
    const struct pfifo_decode_event method = method_event(debug, &word, "macro");

    breaks_event(&debug->console.breaks, event, &place, sent ? &method : NULL);
}

/* ---- all of them ---- */

void debug_breaks_renew(struct debug *debug) {
    breaks_watch_begin(&debug->console.breaks);
}

void debug_breaks_check(struct debug *debug, bool began) {
    debug->began = began;
    check_next(debug);
    breaks_watch_check(&debug->console.breaks);
}

/* ---- what the list asks for ---- */

static bool debug_break_number(void *opaque, const char *text, uint64_t *value, struct pfifo_error *error) {
    return console_number_of(opaque, text, UINT64_MAX, value, error);
}

static bool debug_break_find_register(void *opaque, const char *name, uint32_t *offset, struct pfifo_error *error) {
    const struct pfifo_registers *registers = ((const struct console *)opaque)->registers;

    if (pfifo_registers_find(registers, name, offset, error) != PFIFO_OK)
        return false;
    return breaks_looks(registers, *offset) ||
           refuse(error, "reading %.60s has an effect, so it cannot be looked at all the time", name);
}

static bool debug_break_find_memory(void *opaque, const char *text, struct break_memory *memory,
                                    struct pfifo_error *error) {
    return debug_parse_memory(((struct console *)opaque)->debug, text, memory, error);
}

static struct pfifo_gpu *debug_break_gpu(void *opaque) {
    return ((const struct console *)opaque)->gpu;
}

static bool debug_break_read_memory(void *opaque, const struct break_memory *memory, void *data, size_t bytes) {
    return debug_read_memory(((struct console *)opaque)->debug, memory, data, bytes);
}

static bool debug_break_is_register(void *opaque, const char *text) {
    (void)opaque;
    return !((text[0] >= '0' && text[0] <= '9') || text[0] == '$' || strchr(text, ':'));
}

/* The pusher runs ahead of the method, so a register of its may have changed for another one. */
static void break_blame(void *opaque, bool memory) {
    struct debug *debug = ((struct console *)opaque)->debug;
    char text[256];

    if (debug->began) {
        breaks_because(&debug->console.breaks, "  by the CPU, before submission %" PRIu32 "\n", debug->sequence);
        return;
    }
    if (!debug->progress.last.has_method) {
        breaks_because(&debug->console.breaks, "  in submission %" PRIu32 ", before its first method\n",
                       debug->sequence);
        return;
    }
    debug_format_method(debug, &debug->progress.last, text, sizeof text);
    breaks_because(&debug->console.breaks, "  %s %s\n", memory ? "by" : "after", text);
}

static bool debug_break_observe(void *opaque, struct pfifo_error *error) {
    return debug_observe(((struct console *)opaque)->debug, error);
}

static bool debug_break_object(const void *opaque, size_t index, uint32_t *channel, uint32_t *oclass) {
    const struct debug *debug = ((const struct console *)opaque)->debug;

    if (index >= debug->objects)
        return false;
    *channel = debug->object[index].channel;
    *oclass = debug->object[index].oclass;
    return true;
}

const struct breaks_owner capture_breaks_owner = {.print = console_print_text,
                                                  .number = debug_break_number,
                                                  .find_register = debug_break_find_register,
                                                  .find_memory = debug_break_find_memory,
                                                  .gpu = debug_break_gpu,
                                                  .read_memory = debug_break_read_memory,
                                                  .is_register = debug_break_is_register,
                                                  .blame = break_blame,
                                                  .observe = debug_break_observe,
                                                  .object = debug_break_object,
                                                  .submissions = true};
