/* SPDX-License-Identifier: MIT */
/* Print where the replay stands, the commands around that place, and its objects, buffers and faults. */
#include "face/tool/console/place.h"
#include "face/common/naming.h"
#include "chip/counted.h"
#include "face/tool/console/replay/debug.h"
#include "face/tool/console/shader/shader.h"
#include "face/tool/replay/recorded.h"

#include <pfifo/classes.h>
#include <pfifo/decode.h>
#include <pfifo/push.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINES = 5 }; /* before and after, if nothing else is said */

#define BEGINS  "run, next or step begins."
#define NOT_YET "; " RUN_NOT_YET

const char *debug_not_yet(const struct debug *debug) {
    return debug->begun ? "" : NOT_YET;
}

/* ---- the words around ---- */

/* Where lines go, and what stands before the word itself. */
struct listing {
    struct console *console;
    const char *mark;
};

static bool debug_show_print_line(void *opaque, size_t mark, int distance, const char *text, size_t bytes) {
    const struct listing *listing = opaque;
    size_t blanks = 0;

    (void)mark;
    while (blanks < bytes && text[blanks] == ' ')
        blanks++;
    console_print(listing->console, "%s", distance ? "   " : listing->mark);
    console_put(listing->console, text + blanks, bytes - blanks);
    console_print(listing->console, "\n");
    return true;
}

/* The word that comes next; where none is known, the last one. NULL: none is in the capture. */
static const struct pfifo_replay_word *word_here(const struct debug *debug) {
    const struct pfifo_replay_progress *progress = &debug->progress;

    return progress->next.in_push ? &progress->next : progress->last.in_push ? &progress->last : NULL;
}

/* The listing has the words of the capture. */
static void print_recorded(struct debug *debug, const struct pfifo_replay_word *word, const char *what) {
    struct recorded_word recorded;

    recorded_words(debug->text, &word, 1, &recorded);
    if (recorded.differs)
        console_print(&debug->console,
                      "   %s 0x%08" PRIx32 ", not 0x%08" PRIx32 " as in the capture: something has overwritten it\n",
                      what, word->word, recorded.word);
}

static bool debug_show_print_around(struct debug *debug, const struct pfifo_replay_word *word, unsigned lines,
                                    struct pfifo_error *error) {
    const struct pfifo_decode_mark mark = {word->submission, word->address};
    const struct pfifo_decode_options options = {.size = sizeof options, .chip = debug->chip, .names = naming()};
    struct listing listing = {&debug->console, word == &debug->progress.next ? "=> " : "<= "};

    pfifo_stream_rewind(debug->text);
    if (pfifo_decode_around(debug->text, &options, &mark, 1, lines, debug_show_print_line, &listing, error) != PFIFO_OK)
        return false;
    print_recorded(debug, word, word == &debug->progress.next ? "memory has" : "the word was");
    return true;
}

void debug_format_method(const struct debug *debug, const struct pfifo_replay_word *word, char *buf, size_t size) {
    size_t used;

    breaks_format_method(debug->chip, word->subchannel, word->oclass, word->method, word->data, buf, size);
    used = strlen(buf);
    snprintf(buf + used, size - used, ", submission %" PRIu32, word->in_push ? word->submission : debug->sequence);
}

static void debug_show_print_counts(struct debug *debug) {
    const struct debug_counts *counts = &debug->counts;

    console_print(&debug->console, "submission %" PRIu32 ", ", debug->sequence);
    if (debug->channel != UINT32_MAX)
        console_print(&debug->console, "channel %" PRIu32 ", ", debug->channel);
    console_print(&debug->console, "after %s, %s, %s", counted(counts->methods, "method").text,
                  counted(counts->packets, "packet").text, counted(counts->draws, "draw").text);
    if (counts->launches)
        console_print(&debug->console, ", %s", counted(counts->launches, "launch").text);
    console_print(&debug->console, "\n");
}

void debug_print_place(struct debug *debug) {
    const struct pfifo_replay_word *next = &debug->progress.next;
    char text[256];

    if (!debug->begun) {
        console_print(&debug->console, "Nothing has run yet: " BEGINS "\n");
        return;
    }
    debug_show_print_counts(debug);
    if (shader_inside(&debug->console)) {
        shader_print_place(&debug->console);
        return;
    }
    if (!debug_running(debug)) {
        console_print(&debug->console,
                      "The run is at its end: all that was submitted is done. step or continue goes on with the next "
                      "submission.\n");
    } else if (next->in_push) {
        debug_show_print_around(debug, next, 0, NULL);
    } else if (next->has_method) {
        debug_format_method(debug, next, text, sizeof text);
        console_print(&debug->console, "=> %s\n", text);
    } else if (debug->progress.last.in_push) {
        debug_show_print_around(debug, &debug->progress.last, 0, NULL);
    }
}

bool debug_cmd_where(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct debug *debug = console->debug;
    (void)count, (void)argument, (void)error;
    debug_print_place(debug);
    return true;
}

/* As gdb's list shows main before the program runs. */
static bool list_beginning(struct debug *debug, unsigned lines, struct pfifo_error *error) {
    const struct pfifo_decode_options options = {.size = sizeof options, .chip = debug->chip, .names = naming()};
    struct pfifo_decode_mark mark = {0};
    struct pfifo_stream_record record = {0};
    bool found = false;
    struct listing listing = {&debug->console, "   "};

    pfifo_stream_rewind(debug->text);
    do {
        if (pfifo_stream_next(debug->text, &record, error) != PFIFO_OK)
            return false;
        if (record.type == PFIFO_STREAM_SUBMIT)
            mark.sequence = record.submit.sequence;
        found = record.type == PFIFO_STREAM_PUSH && record.push.word_count;
    } while (!found && record.type != PFIFO_STREAM_END);
    if (!found)
        return refuse(error, "the capture has no words");
    mark.address = record.push.address;
    console_print(&debug->console, "Nothing has run yet: " BEGINS " The first words:\n");
    pfifo_stream_rewind(debug->text);
    return pfifo_decode_around(debug->text, &options, &mark, 1, lines, debug_show_print_line, &listing, error) ==
           PFIFO_OK;
}

bool debug_cmd_list(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct debug *debug = console->debug;
    const struct pfifo_replay_word *word = word_here(debug);
    uint64_t lines = LINES;

    if (count > 1 && !console_number_of(&debug->console, argument[1], UINT64_MAX, &lines, error))
        return false;
    if (lines > PFIFO_DECODE_AROUND_MAX)
        return refuse(error, "up to %d lines before and after can be shown", PFIFO_DECODE_AROUND_MAX);
    if (!debug->begun)
        return list_beginning(debug, (unsigned)lines, error);
    if (!word)
        return refuse(error, "no word of the capture is known here");
    return debug_show_print_around(debug, word, (unsigned)lines, error);
}

/* ---- words in memory ---- */

/* Of the channel that reads the words, before GF100. */
struct reader {
    struct pfifo_gpu *gpu;
    uint32_t channel;
};

static uint32_t debug_show_class_of(void *opaque, uint32_t handle) {
    const struct reader *reader = opaque;

    return pfifo_gpu_push_class(reader->gpu, reader->channel, handle);
}

static bool write_text(void *console, const char *text, size_t bytes) {
    console_put(console, text, bytes);
    return true;
}

static bool disassemble_memory(struct console *console, const char *text, uint64_t words, struct pfifo_error *error) {
    struct debug *debug = console->debug;
    struct reader reader = {debug->console.gpu, debug->channel};
    struct pfifo_decode_options options = {.size = sizeof options,
                                           .names = naming(),
                                           .chip = debug->chip,
                                           .part = true,
                                           .handle_class = debug_show_class_of,
                                           .handle_opaque = &reader,
                                           /* From G80 on, where there are address spaces, channels have segments. */
                                           .ib = pfifo_device_vm(pfifo_replay_device(debug->replay), NULL) != NULL};
    struct break_memory memory;
    uint8_t *data;
    bool done;

    if (!debug_parse_memory(debug, text, &memory, error))
        return false;
    options.base = memory.address;
    if (!words || words > DEBUG_READ_COUNT)
        return refuse(error, "1 to %d words can be shown, not %" PRIu64, DEBUG_READ_COUNT, words);
    if (options.base % 4)
        return refuse(error, "0x%" PRIx64 " is not a multiple of 4", options.base);
    for (uint32_t i = 0; i < PFIFO_DECODE_SUBCHANNELS; i++)
        options.bound[i] = debug->progress.bound[i];
    if (memory.kind == MEMORY_SEEN && debug->progress.next.has_address &&
        debug->progress.next.address == memory.address)
        pfifo_replay_rest(debug->replay, memory.channel, &options.packet);
    data = calloc(words, 4);
    if (!data)
        return refuse(error, "no memory");
    done = debug_read_memory(debug, &memory, data, 4 * words) ||
           refuse(error, "%s at 0x%" PRIx64 ": not all of them are there%s", counted(words, "word").text, options.base,
                  debug_not_yet(debug));
    done = done && pfifo_decode_raw(data, 4 * words, &options, write_text, console, error) == PFIFO_OK;
    free(data);
    return done;
}

bool debug_cmd_disassemble(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct debug *debug = console->debug;
    uint64_t words = 16;

    if (shader_inside(console) && (count == 1 || !strchr(argument[1], ':')))
        return shader_disassemble(console, count, argument, error);
    if (count == 1)
        return debug_cmd_list(console, count, argument, error);
    return (count < 3 || console_number_of(&debug->console, argument[2], UINT64_MAX, &words, error)) &&
           disassemble_memory(console, argument[1], words, error);
}

/* ---- info ---- */

bool debug_cmd_info_objects(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    const struct debug *debug = console->debug;
    (void)count, (void)argument, (void)error;
    for (size_t i = 0; i < debug->objects; i++) {
        const struct pfifo_class *class = pfifo_class_find(debug->object[i].oclass);
        console_print(console, "channel %" PRIu32 ": %04" PRIx32 " %s\n", debug->object[i].channel,
                      debug->object[i].oclass, class ? class->name : "?");
    }
    if (!debug->objects)
        console_print(console, "No object has been bound%s\n", debug->begun ? "." : NOT_YET);
    return true;
}

bool debug_cmd_info_buffers(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    const struct debug *debug = console->debug;
    size_t buffers;
    uint32_t *handles = pfifo_replay_handles(debug->replay, &buffers);

    (void)count, (void)argument;
    if (!handles)
        return refuse(error, "no memory");
    for (size_t i = 0; i < buffers; i++) {
        const struct pfifo_buffer *buffer = pfifo_replay_buffer(debug->replay, handles[i]);
        if (!buffer)
            continue;
        console_print(console, "%-6" PRIu32, handles[i]);
        if (pfifo_buffer_address(buffer))
            console_print(console, " 0x%010" PRIx64, pfifo_buffer_address(buffer));
        else
            console_print(console, " %12s", "-");
        console_print(console, " %10" PRIu64 " bytes\n", pfifo_buffer_bytes(buffer));
    }
    if (!buffers)
        console_print(console, "There are no buffers%s\n", debug->begun ? "." : NOT_YET);
    free(handles);
    return true;
}

bool debug_cmd_info_faults(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    const struct debug *debug = console->debug;
    const struct pfifo_replay_result *result = pfifo_replay_result(debug->replay);
    char text[256];

    (void)count, (void)argument, (void)error;
    for (size_t i = 0; i < result->fault_kinds; i++) {
        const struct pfifo_replay_fault *fault = &result->fault[i];
        console_print(console, "%" PRIu64 " of %s %s, first in submission %" PRIu32, fault->count, fault->first.unit,
                      fault->first.error, fault->submission);
        if (fault->word.has_method) {
            debug_format_method(debug, &fault->word, text, sizeof text);
            console_print(console, ": %s", text);
        }
        if (!fault->word.has_method && fault->word.has_word)
            console_print(console, ": word 0x%08" PRIx32 " at 0x%" PRIx64, fault->word.word, fault->word.address);
        console_print(console, "\n");
        print_recorded(console->debug, &fault->word, "the word was");
    }
    if (!result->fault_kinds)
        console_print(console, "There were no faults%s\n", debug->begun ? "." : NOT_YET);
    return true;
}
