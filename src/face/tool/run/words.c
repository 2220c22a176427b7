/* SPDX-License-Identifier: MIT */
/*
 * pfifo run of words: of a text, or raw ones. They become a capture in memory, which runs as all captures do.
 *
 * Faults have the line of the text, too. What the words refer to and the text does not have is not there: an access to
 * it faults as it would.
 */
#include "face/tool/run/cmd_run.h"

#include "chip/error.h"

static enum tool_status words_fail(const struct pfifo_error *error) {
    source_message(error);
    return TOOL_FAILED;
}

static struct pfifo_words *take_words(const struct run *run, const void *data, size_t bytes,
                                      struct pfifo_error *error) {
    const char *path = tool_input_path(run->file);

    if (!bytes) {
        error_empty(error, path);
        return NULL;
    }
    return pfifo_words_recognise(data, bytes) || !run->source.raw ? pfifo_words_read(data, bytes, path, error)
                                                                  : pfifo_words_raw(data, bytes, path, error);
}

static enum tool_status run_taken(const struct run *run, const struct pfifo_words *words) {
    struct run_text text = {.words = words};
    const struct pfifo_words_info info = pfifo_words_info(words);
    struct run of_text = *run;
    struct pfifo_error error = {0};
    struct pfifo_stream *stream;

    if (!run->replay.chip && !info.chip) {
        tool_message_of(run->file, "words in a text (%s) need --chip=CHIP", info.format);
        return TOOL_FAILED;
    }
    source_note_words(words, run->file);
    source_words_options(&run->source, &text.with);
    stream = source_words_capture(words, &text.with, run->file, &error);
    of_text.text = &text;
    return stream ? run_capture(&of_text, stream) : words_fail(&error);
}

enum tool_status run_words(const struct run *run, const void *data, size_t bytes, const struct pfifo_error *why) {
    struct pfifo_error error = {0}, program = {0};
    struct pfifo_words *words = take_words(run, data, bytes, &error);
    enum tool_status status;

    if (!words && !run->source.raw)
        source_is_program(run->file, data, bytes, &program);
    if (program.status != PFIFO_OK)
        return words_fail(&program);
    if (!words)
        return words_fail(
            run->source.raw || error.status == PFIFO_ERROR_UNSUPPORTED || pfifo_words_recognise(data, bytes) ? &error
                                                                                                             : why);
    status = run_taken(run, words);
    pfifo_words_free(words);
    return status;
}
