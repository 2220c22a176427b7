/* SPDX-License-Identifier: MIT */
/*
 * The words around GET of a channel, or at an address, decoded.
 *
 *   header data data header data | data data header ...     left = 2: GET is in a packet whose header is found by
 *                      ^ header    ^ GET                     its count; packets before it, where they fit
 */
#include "chip/chip.h"
#include "chip/family.h"
#include "face/tool/shell_inside.h"
#include "grammar/grammar.h"
#include "memory/little_endian.h"

#include <pfifo/decode.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    AROUND = 5,      /* words before and after GET */
    COUNT = 16,      /* words at an address, if nothing else is said */
    MOST = 1024,     /* words */
    FAR = 8192,      /* words before GET where the header may be: a count has up to 13 bits */
    CHANNELS = 4096, /* more than any chip has */
};

/* Words in memory, and what they are decoded for. */
struct words {
    struct shell *shell;
    uint32_t channel;   /* whose classes name methods; UINT32_MAX: none */
    uint64_t base, get; /* get: the word with an arrow; UINT64_MAX: none */
    uint64_t first, end;
    size_t count;
    uint8_t *data;
    struct state_bytes text; /* the decoder's, without what was printed */
};

static struct pfifo_decode_options options_for(const struct words *words, uint64_t base) {
    const struct pfifo_chip *chip = pfifo_gpu_chip(words->shell->gpu);
    /* Where channels have segments, there are no jumps to follow. */
    struct pfifo_decode_options options = {.size = sizeof options, .chip = chip, .base = base, .ib = true};

    shell_binds_name(words->shell, words->channel, &options);
    return options;
}

/* ---- where packets begin ---- */

/* What is at a word, when decoding begins at another. */
struct probe {
    uint64_t at;
    bool bad, reached, is_data;
};

static bool look(void *opaque, const struct pfifo_decode_event *event) {
    struct probe *probe = opaque;

    if (event->kind == PFIFO_DECODE_SUBMISSION || event->kind == PFIFO_DECODE_SEGMENT)
        return true;
    if (event->address < probe->at && (event->kind == PFIFO_DECODE_ERROR || event->kind == PFIFO_DECODE_SKIPPED))
        probe->bad = true;
    if (event->address >= probe->at && !probe->reached) {
        probe->reached = true;
        probe->bad = probe->bad || event->address != probe->at;
        probe->is_data = (event->kind == PFIFO_DECODE_METHOD && !event->immediate) || event->kind == PFIFO_DECODE_COUNT;
    }
    return !probe->reached && !probe->bad;
}

static bool drop_text(void *opaque, const char *text, size_t bytes) {
    (void)opaque, (void)text, (void)bytes;
    return true;
}

static struct probe probe_from(const struct words *words, uint64_t from, uint64_t at) {
    struct pfifo_decode_options options = options_for(words, from);
    struct probe probe = {.at = at};
    size_t skip = (size_t)(from - words->base);

    options.format = PFIFO_DECODE_NOTHING;
    options.event = look;
    options.event_opaque = &probe;
    pfifo_decode_raw(words->data + skip, 4 * words->count - skip, &options, drop_text, NULL, NULL);
    probe.bad = probe.bad || !probe.reached;
    return probe;
}

/* Does the word announce so many data words? A long packet has its count elsewhere, and is not found. */
static bool announces(const struct words *words, uint64_t address, uint64_t count) {
    const struct grammar *grammar = pfifo_gpu_chip(words->shell->gpu)->family->grammar;
    struct grammar_word word;

    switch (grammar_decode(grammar, GRAMMAR_IB, load_le32(words->data + (address - words->base)), &word)) {
    case FORM_INCREASING:
    case FORM_NONINCREASING:
    case FORM_INCREASE_ONCE:
        return word.count == count;
    default:
        return false;
    }
}

/* The header of the packet of which so many data words come next. False: it is not in sight. */
static bool find_header(const struct words *words, uint32_t left, uint64_t *header) {
    for (uint64_t done = 0; 4 * (done + 1) <= words->get - words->base; done++) {
        *header = words->get - 4 * (done + 1);
        if (announces(words, *header, left + done))
            return true;
    }
    return false;
}

/* The earliest word from which all is in order up to a header. */
static uint64_t find_begin(const struct words *words, uint64_t from, uint64_t header) {
    for (; from < header; from += 4) {
        struct probe probe = probe_from(words, from, header);
        if (!probe.bad && !probe.is_data)
            return from;
    }
    return header;
}

/* ---- lines ---- */

static void print_line(struct words *words, const char *line) {
    char *end;
    uint64_t address;

    line += strspn(line, " ");
    address = strtoull(line, &end, 16);
    if (end - line < 8 || address < words->first || address >= words->end)
        return;
    shell_print(words->shell, "%s%s\n", address == words->get ? "=> " : "   ", line);
}

/* Pieces of text, which end anywhere. */
static bool take_text(void *opaque, const char *text, size_t bytes) {
    struct words *words = opaque;
    char *line, *end;

    if (!state_bytes_write(&words->text, text, bytes) || !state_bytes_write(&words->text, "", 1))
        return false;
    words->text.used--; /* the end of the text */
    for (line = (char *)words->text.data; (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        print_line(words, line);
    }
    words->text.used -= (size_t)(line - (char *)words->text.data);
    memmove(words->text.data, line, words->text.used + 1);
    return true;
}

static bool print_from(struct words *words, uint64_t from, struct pfifo_error *error) {
    struct pfifo_decode_options options = options_for(words, from);
    size_t skip = (size_t)(from - words->base);
    bool done =
        pfifo_decode_raw(words->data + skip, 4 * words->count - skip, &options, take_text, words, error) == PFIFO_OK;

    state_bytes_free(&words->text);
    return done;
}

/* ---- around GET ---- */

/* As many words from GET on as are there, up to AROUND behind it and to PUT. */
static uint64_t words_after(struct shell *shell, const struct shell_push *push) {
    uint64_t most = push->loaded && push->put > push->get ? (push->put - push->get) / 4 : AROUND + 1;
    uint8_t data[4 * (AROUND + 1)];

    if (most > AROUND + 1)
        most = AROUND + 1;
    while (most && !shell_push_read(shell, push, push->get, data, 4 * most))
        most--;
    return most;
}

/* As many words before GET as are there. What is decoded has a word behind GET, of zero if there is none. */
static bool read_around(const struct shell_push *push, struct words *words, uint64_t after) {
    uint64_t before = push->left ? FAR + AROUND : AROUND + COUNT, behind = after ? after : 1;

    if (before > push->get / 4)
        before = push->get / 4;
    words->data = calloc(before + behind, 4);
    for (; words->data && before + after; before = before / 2) {
        words->base = push->get - 4 * before;
        words->count = (size_t)(before + behind);
        if (shell_push_read(words->shell, push, words->base, words->data, 4 * (before + after)))
            return true;
        if (!before)
            break;
    }
    return false;
}

/* Of a packet whose header is not in sight; returns where the next one begins. */
static uint64_t print_data(struct words *words, uint32_t left) {
    uint64_t at = words->get;

    for (; left && at < words->end; at += 4, left--)
        shell_print(words->shell, "%s%08" PRIx64 " %08" PRIx32 " data of a packet that begins elsewhere\n",
                    at == words->get ? "=> " : "   ", at, load_le32(words->data + (at - words->base)));
    words->first = at;
    return at;
}

static bool print_around(struct shell *shell, const struct shell_push *push, struct pfifo_error *error) {
    struct words words = {.shell = shell, .channel = push->channel, .get = push->get};
    uint64_t after = words_after(shell, push), header = push->get, from;
    bool done;

    shell_print(shell, "channel %" PRIu32 ", GET 0x%" PRIx64, push->channel, push->get);
    if (push->loaded)
        shell_print(shell, " PUT 0x%" PRIx64, push->put);
    if (push->left)
        shell_print(shell, ", of a packet %" PRIu32 " data word%s left", push->left, push->left == 1 ? " is" : "s are");
    shell_print(shell, "\n");
    if (push->get % 4 || !read_around(push, &words, after)) {
        free(words.data);
        return refuse(error, "the pushbuffer at 0x%" PRIx64 " is not there", push->get);
    }
    words.end = push->get + 4 * after;
    words.first = words.base;
    if (push->get - words.base > 4 * AROUND)
        words.first = push->get - 4 * AROUND;
    if (push->left && !find_header(&words, push->left, &header))
        header = print_data(&words, push->left);
    from = header > words.first ? find_begin(&words, words.first, header) : header;
    done = print_from(&words, from, error);
    free(words.data);
    return done;
}

/* ---- at an address ---- */

static bool read_place(struct shell *shell, const char *text, struct words *words, struct pfifo_error *error) {
    struct shell_place place;

    if (!shell_place(shell, text, &place, error))
        return false;
    if (place.space == SHELL_BAR)
        return refuse(error, "an address of the pushbuffer, or vram: or sys:");
    words->base = place.address;
    if (!shell_reach(shell, &place, words->count, 4, SHELL_READ, error))
        return false;
    if (place.space == SHELL_VRAM)
        pfifo_gpu_vram_read(shell->gpu, place.address, words->data, 4 * words->count);
    else
        pfifo_gpu_system_read(shell->gpu, place.address, words->data, 4 * words->count);
    return true;
}

static bool read_pushed(struct shell *shell, const char *text, struct words *words, struct pfifo_error *error) {
    struct shell_push push;

    if (!shell_number(text, UINT64_MAX, &words->base, error) || !shell_push_find(shell, UINT32_MAX, &push, error))
        return false;
    words->channel = push.channel;
    return shell_push_read(shell, &push, words->base, words->data, 4 * words->count) ||
           refuse(error, "%zu words at 0x%" PRIx64 ": not all of them are there", words->count, words->base);
}

static bool print_at(struct shell *shell, const char *text, uint64_t count, struct pfifo_error *error) {
    struct words words = {.shell = shell, .channel = UINT32_MAX, .get = UINT64_MAX, .count = count};
    bool done;

    if (!count || count > MOST)
        return refuse(error, "1 to %d words", MOST);
    words.data = malloc(4 * count);
    if (!words.data)
        return refuse(error, "no memory");
    done = (strchr(text, ':') ? read_place(shell, text, &words, error) : read_pushed(shell, text, &words, error)) &&
           (words.base % 4 == 0 || refuse(error, "an address is a multiple of 4"));
    words.end = words.base + 4 * count;
    done = done && print_from(&words, words.base, error);
    free(words.data);
    return done;
}

/* A decimal number alone is a channel. */
static bool is_channel(unsigned count, char **argument) {
    return count == 2 && !strchr(argument[1], ':') && strncmp(argument[1], "0x", 2) != 0;
}

bool shell_cmd_disassemble(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    uint64_t channel = UINT32_MAX, words = COUNT;
    struct shell_push push;

    if (count == 1 || is_channel(count, argument)) {
        if (count > 1 && !shell_number(argument[1], CHANNELS - 1, &channel, error))
            return false;
        return shell_push_find(shell, (uint32_t)channel, &push, error) && print_around(shell, &push, error);
    }
    return (count < 3 || shell_number(argument[2], MOST, &words, error)) && print_at(shell, argument[1], words, error);
}
