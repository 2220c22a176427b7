/* SPDX-License-Identifier: MIT */
/* A word of a pushbuffer: what a pusher of the chip makes of it. */
#include <pfifo/decode.h>

#include "face/tool/explain/explain.h"
#include "face/common/naming.h"

#include "face/tool/chips/chip_classes.h"

#include <inttypes.h>
#include <string.h>

static const struct {
    const char *form, *text;
} forms[] = {
    {"nop", "a word that does nothing"},
    {"increasing", "a header: data words follow, the first for the method, each next one for the method after it"},
    {"non-increasing", "a header: data words follow, all for the method"},
    {"increase-once", "a header: data words follow, the first for the method, all others for the method after it"},
    {"long-non-increasing", "a header whose next word is the count: data words follow, all for the method"},
    {"immediate", "a header that has the data of its one method in itself"},
    {"old-jump", "a jump within the first 512 MiB"},
    {"jump", "a jump"},
    {"call", "a call: a return comes back to the word after it"},
    {"return", "a return to the word after the call"},
    {"sli-conditional", "what follows is for the GPUs whose bits are in the mask"},
    {"set-subdevice-mask", "sets which GPUs what follows is for"},
    {"store-subdevice-mask", "keeps a mask of GPUs for later"},
    {"use-subdevice-mask", "what follows is for the GPUs of the mask that was kept"},
    {"end-segment", "the end of the segment: the rest of its words is dropped"},
};

static bool keep_first(void *opaque, const struct pfifo_decode_event *event) {
    struct pfifo_decode_event *first = opaque;

    if (event->kind == PFIFO_DECODE_SUBMISSION || event->kind == PFIFO_DECODE_SEGMENT)
        return true;
    *first = *event;
    return false;
}

/* False: the chip has no pushbuffers. */
static bool explain_word_decode(const struct pfifo_chip *chip, uint32_t word, bool ring,
                                struct pfifo_decode_event *event) {
    const struct pfifo_decode_options options = {.chip = chip, .ib = ring};
    const uint8_t bytes[4] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    const struct pfifo_decode_segment segment = {
        .words = bytes, .count = 1, .entry = ring ? PFIFO_DECODE_BY_IB : PFIFO_DECODE_BY_GET};
    struct pfifo_decoder *decoder;

    *event = (struct pfifo_decode_event){0};
    decoder = pfifo_decoder_new(&options, keep_first, NULL, event, NULL);
    if (!decoder)
        return false;
    pfifo_decoder_segment(decoder, &segment, NULL);
    pfifo_decoder_free(decoder);
    return event->form || event->text;
}

void explain_names_of_method(struct explain *explain, const struct pfifo_chip *chip, uint32_t offset) {
    uint32_t host = pfifo_chip_info(chip).host_class;
    char name[PFIFO_METHOD_NAME_BYTES];
    struct pfifo_method_name method;
    const struct pfifo_class *class;

    explain_list(explain, "names");
    if (offset < 0x100 && pfifo_method_find(host, offset, &method) && (class = pfifo_class_find(host))) {
        naming_method(&method, name, sizeof name);
        explain_word(explain, "%s.%s", class->name, name);
    }
    for (size_t i = 0; offset >= 0x100 && (class = chip_class_at(chip, i)); i++)
        if (pfifo_method_find(class->id, offset, &method)) {
            naming_method(&method, name, sizeof name);
            explain_word(explain, "%s.%s", class->name, name);
        }
    if (!explain->items && !explain->json)
        fputs("no class of the chip has it", stdout);
    explain_list_end(explain);
}

static void word_form(struct explain *explain, const struct pfifo_decode_event *event) {
    const char *text = "";

    for (size_t i = 0; event->form && i < sizeof forms / sizeof forms[0]; i++)
        if (strcmp(forms[i].form, event->form) == 0)
            text = forms[i].text;
    explain_text(explain, "form", "%s%s%s", event->form ? event->form : "none", text[0] ? ": " : "", text);
    if (event->kind == PFIFO_DECODE_ERROR)
        explain_text(explain, "error", "%s", event->text ? event->text : "the hardware refuses the word");
}

void explain_header(struct explain *explain, const struct pfifo_chip *chip, uint32_t word) {
    struct pfifo_decode_event event;

    if (!explain_word_decode(chip, word, false, &event))
        return;
    if (event.kind == PFIFO_DECODE_HEADER || event.kind == PFIFO_DECODE_METHOD)
        explain_text(explain, "", "%s: method 0x%04" PRIx32 " of subchannel %" PRIu32 ", count %" PRIu32, event.form,
                     (uint32_t)event.method, (uint32_t)event.subchannel,
                     event.kind == PFIFO_DECODE_METHOD ? 1 : (uint32_t)event.count);
    else
        word_form(explain, &event);
}

static void explain_decoded(struct explain *explain, uint32_t word, const char *where,
                            const struct pfifo_decode_event *event) {
    bool method = event->kind == PFIFO_DECODE_HEADER || event->kind == PFIFO_DECODE_METHOD;

    explain_begin(explain, "word", "word 0x%08" PRIx32 " in %s of %s", word, where,
                  pfifo_chip_info(explain->chip).name);
    word_form(explain, event);
    if (method) {
        explain_number(explain, "count", "%" PRIu64, event->kind == PFIFO_DECODE_METHOD ? 1 : event->count);
        explain_number(explain, "subchannel", "%" PRIu64, event->subchannel);
        explain_number(explain, "method", "0x%04" PRIx64, event->method);
        if (event->kind == PFIFO_DECODE_METHOD)
            explain_number(explain, "data", "0x%08" PRIx64, event->data);
        explain_names_of_method(explain, explain->chip, event->method);
    }
    if (event->kind == PFIFO_DECODE_JUMP && strcmp(event->form, "return") != 0)
        explain_number(explain, "target", "0x%" PRIx64, event->target);
    if (event->kind == PFIFO_DECODE_CONTROL)
        explain_number(explain, "mask", "0x%" PRIx64, event->data);
    explain_list(explain, "events");
    explain_word(explain, "%s",
                 event->kind == PFIFO_DECODE_JUMP    ? "pusher.jump"
                 : event->kind == PFIFO_DECODE_ERROR ? "pusher.error"
                                                     : "pusher.packet");
    explain_list_end(explain);
    explain_end(explain);
}

static bool same_decoded(const struct pfifo_decode_event *a, const struct pfifo_decode_event *b) {
    return a->kind == b->kind && a->form == b->form && a->text == b->text;
}

void explain_pushed(struct explain *explain) {
    struct pfifo_decode_event direct, ring;
    uint64_t word;

    if (!explain->chip || explain->thing->value || !explain_is_number(explain->thing->whole, &word) ||
        word > UINT32_MAX || !explain_word_decode(explain->chip, (uint32_t)word, false, &direct))
        return;
    /* G80 to MCP89 have both kinds, in which some words differ. */
    explain_word_decode(explain->chip, (uint32_t)word, true, &ring);
    explain_decoded(explain, (uint32_t)word, "a pushbuffer", &direct);
    if (!same_decoded(&direct, &ring))
        explain_decoded(explain, (uint32_t)word, "a segment of an IB", &ring);
}
