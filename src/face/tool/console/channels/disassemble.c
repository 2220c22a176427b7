/* SPDX-License-Identifier: MIT */
/* The words around GET of a channel, or at an address, decoded: pfifo/decode_push.h in lines. */
#include <pfifo/decode_push.h>

#include "face/tool/console/shader/shader.h"
#include "face/common/naming.h"
#include "face/tool/console/channels/channels.h"
#include "face/tool/console/commands.h"
#include "face/tool/console/place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    AROUND = 5,      /* words before and after GET */
    COUNT = 16,      /* words at an address, if nothing else is said */
    MOST = 1024,     /* words */
    CHANNELS = 4096, /* more than any chip has */
};

struct lines {
    struct console *console;
    uint64_t get; /* the word with an arrow */
    bool has_get;
    struct state_bytes text; /* the decoder's, without what was printed */
};

static void disassemble_print_line(struct lines *lines, const char *line) {
    const char *end;
    bool here;

    line += strspn(line, " ");
    end = line + strspn(line, "0123456789abcdef");
    here = lines->has_get && *end == ' ' && end - line >= 8 && strtoull(line, NULL, 16) == lines->get;
    console_print(lines->console, "%s%s\n", here ? "=> " : "   ", line);
    lines->has_get = lines->has_get && !here;
}

/* Pieces of text, which end anywhere. */
static bool take_text(void *opaque, const char *text, size_t bytes) {
    struct lines *lines = opaque;
    char *line, *end;

    if (!state_bytes_write(&lines->text, text, bytes) || !state_bytes_write(&lines->text, "", 1))
        return false;
    lines->text.used--; /* the end of the text */
    for (line = (char *)lines->text.data; (end = strchr(line, '\n')); line = end + 1) {
        *end = 0;
        disassemble_print_line(lines, line);
    }
    lines->text.used -= (size_t)(line - (char *)lines->text.data);
    memmove(lines->text.data, line, lines->text.used + 1);
    return true;
}

static bool disassemble_print_around(struct console *console, const struct pfifo_push *push,
                                     struct pfifo_error *error) {
    const struct pfifo_decode_options options = {.size = sizeof options, .names = naming()};
    struct lines lines = {.console = console, .get = push->get, .has_get = true};
    uint32_t left = push->packet.count;
    bool done;

    console_print(console, "channel %" PRIu32 ", GET 0x%" PRIx64 " PUT 0x%" PRIx64, push->channel, push->get,
                  push->put);
    if (left)
        console_print(console, ", of a packet %" PRIu32 " data word%s left", left, left == 1 ? " is" : "s are");
    else if (push->packet.long_count)
        console_print(console, ", of a packet the count comes next");
    console_print(console, "\n");
    done = pfifo_push_around(console->gpu, push, AROUND, AROUND + 1, &options, take_text, &lines, error) == PFIFO_OK;
    state_bytes_free(&lines.text);
    return done;
}

/* Words of physical memory, which belong to no channel. */
static bool disassemble_print_place(struct console *console, const char *text, size_t count, struct lines *lines,
                                    struct pfifo_error *error) {
    struct pfifo_decode_options options = {
        .names = naming(), .size = sizeof options, .chip = pfifo_gpu_chip(console->gpu), .ib = true, .part = true};
    struct console_place place;
    uint32_t data[MOST];

    if (!console_place(console, text, &place, error))
        return false;
    if (place.space == CONSOLE_BAR)
        return refuse(error, "an address of the pushbuffer, or vram: or sys:");
    if (place.address % 4)
        return refuse(error, "an address is a multiple of 4");
    if (!console_reach(console, &place, count, 4, CONSOLE_READ, error))
        return false;
    if (place.space == CONSOLE_VRAM)
        pfifo_gpu_vram_read(console->gpu, place.address, data, 4 * count);
    else
        pfifo_gpu_system_read(console->gpu, place.address, data, 4 * count);
    options.base = place.address;
    return pfifo_decode_raw(data, 4 * count, &options, take_text, lines, error) == PFIFO_OK;
}

/* As a channel sees them: that of the last `disassemble` is not remembered; it is the one on the chip. */
static bool print_pushed(struct console *console, const char *text, size_t count, struct lines *lines,
                         struct pfifo_error *error) {
    const struct pfifo_decode_options options = {.size = sizeof options, .names = naming()};
    struct pfifo_push push;
    uint64_t address;

    return console_number(text, UINT64_MAX, &address, error) && console_push_find(console, UINT32_MAX, &push, error) &&
           pfifo_push_decode(console->gpu, &push, address, count, &options, take_text, lines, error) == PFIFO_OK;
}

static bool print_at(struct console *console, const char *text, uint64_t count, struct pfifo_error *error) {
    struct lines lines = {.console = console};
    bool done;

    if (!count || count > MOST)
        return refuse(error, "1 to %d words", MOST);
    done = (strchr(text, ':') ? disassemble_print_place : print_pushed)(console, text, (size_t)count, &lines, error);
    state_bytes_free(&lines.text);
    return done;
}

/* A decimal number alone is a channel. */
static bool is_channel(unsigned count, char **argument) {
    return count == 2 && !strchr(argument[1], ':') && strncmp(argument[1], "0x", 2) != 0;
}

bool console_push_find(struct console *console, uint32_t channel, struct pfifo_push *push, struct pfifo_error *error) {
    struct pfifo_error reason = {0};

    return pfifo_gpu_push(console->gpu, channel, push, &reason) == PFIFO_OK ||
           refuse(error, "%s%s", reason.message,
                  strstr(reason.message, "pushbuffer") && reason.status == PFIFO_ERROR_ARGUMENT ? "; channels shows all"
                                                                                                : "");
}

bool console_cmd_disassemble(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    uint64_t channel = UINT32_MAX, words = COUNT;
    struct pfifo_push push;

    if (shader_inside(console) && (count == 1 || !strchr(argument[1], ':')))
        return shader_disassemble(console, count, argument, error);
    if (count == 1 || is_channel(count, argument)) {
        if (count > 1 && !console_number(argument[1], CHANNELS - 1, &channel, error))
            return false;
        return console_push_find(console, (uint32_t)channel, &push, error) &&
               disassemble_print_around(console, &push, error);
    }
    return (count < 3 || console_number(argument[2], MOST, &words, error)) &&
           print_at(console, argument[1], words, error);
}
