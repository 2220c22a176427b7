/* SPDX-License-Identifier: MIT */
/*
 * Prints the faults of a replay as a compiler prints errors: what, where, and the lines around it.
 *
 *         1  MMU PTE, first in submission 2: channel 0, address 0x17fff0000
 *            the page table's entry is not valid: nothing is mapped at the address, or no longer
 *            word 0x000001f5 at 0x101ce0058, buffer 6 + 0x58: subchannel 0, 0x9097 FERMI_A, 0x19d0 CLEAR_SURFACE
 *              0101ce0050 ...
 *            > 0101ce0058 000001f5   0 9097 FERMI_A ...
 */
#include <pfifo/classes.h>
#include <pfifo/decode.h>
#include <pfifo/error_code.h>

#include "face/common/naming.h"
#include "face/common/text.h"
#include "face/tool/replay/missing.h"
#include "face/tool/replay/recorded.h"
#include "face/tool/replay/summary.h"
#include "face/tool/run/cmd_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINES_AROUND = 3, NAME_BYTES = 96 };

/* A line of the decoder. */
struct fault_line {
    size_t mark;
    int distance;
    char *text;
};

/* The lines around the words of all faults; a mark per fault that has a word in a pushbuffer. */
struct fault_lines {
    struct pfifo_decode_mark marks[PFIFO_REPLAY_FAULTS];
    size_t mark_of[PFIFO_REPLAY_FAULTS]; /* by fault; SIZE_MAX: none */
    size_t marks_used;
    struct recorded_word recorded[PFIFO_REPLAY_FAULTS]; /* by fault */
    struct fault_line *lines;
    size_t count, room;
};

static bool faults_keep_line(void *opaque, size_t mark, int distance, const char *text, size_t bytes) {
    struct fault_lines *lines = opaque;

    if (lines->count == lines->room) {
        size_t room = lines->room ? 2 * lines->room : 64;
        struct fault_line *grown = realloc(lines->lines, room * sizeof *grown);
        if (!grown)
            return false;
        lines->lines = grown;
        lines->room = room;
    }
    lines->lines[lines->count] = (struct fault_line){mark, distance, strndup(text, bytes)};
    return lines->lines[lines->count++].text != NULL;
}

/* Without memory, or if the capture cannot be decoded, the lines are left out. */
static void find_lines(struct fault_lines *lines, const struct summary *summary, enum pfifo_decode_format format) {
    const struct pfifo_replay_result *result = summary->result;
    const struct pfifo_decode_options options = {
        .chip = summary->counts.chip, .format = format, .file = summary->file, .names = naming()};

    const struct pfifo_replay_word *words[PFIFO_REPLAY_FAULTS];

    *lines = (struct fault_lines){0};
    for (size_t i = 0; i < result->fault_kinds; i++) {
        const struct pfifo_replay_word *word = &result->fault[i].word;
        words[i] = word;
        lines->mark_of[i] = word->in_push ? lines->marks_used : SIZE_MAX;
        if (word->in_push)
            lines->marks[lines->marks_used++] = (struct pfifo_decode_mark){word->submission, word->address};
    }
    if (!lines->marks_used || !summary->stream)
        return;
    recorded_words(summary->stream, words, result->fault_kinds, lines->recorded);
    pfifo_stream_rewind(summary->stream);
    pfifo_decode_around(summary->stream, &options, lines->marks, lines->marks_used, LINES_AROUND, faults_keep_line,
                        lines, NULL);
}

static void free_lines(struct fault_lines *lines) {
    for (size_t i = 0; i < lines->count; i++)
        free(lines->lines[i].text);
    free(lines->lines);
}

/* Empty if it has no name. */
static void faults_method_name(const struct summary *summary, const struct pfifo_replay_word *word,
                               char name[NAME_BYTES]) {
    uint32_t host = pfifo_chip_info(summary->counts.chip).host_class;
    struct pfifo_method_name method;

    name[0] = 0;
    if (pfifo_method_find(word->method < 0x100 ? host : word->oclass, word->method, &method))
        naming_method(&method, name, NAME_BYTES);
}

static const char *faults_class_name(const struct pfifo_replay_word *word) {
    const struct pfifo_class *found = pfifo_class_find(word->oclass);

    return found ? found->name : NULL;
}

/* Whatever is bound, the channel's own methods are of its class, as in a listing. */
static uint32_t faults_class_of_method(const struct summary *summary, const struct pfifo_replay_word *word) {
    const uint32_t host = pfifo_chip_info(summary->counts.chip).host_class;

    return word->method && word->method < 0x100 && host ? host : word->oclass;
}

/* In the text that the capture is made of; 0: there is none. */
static uint32_t line_of(const struct summary *summary, const struct pfifo_replay_word *word) {
    const struct run_text *text = summary->text;

    return text && word->in_push ? pfifo_words_capture_line(text->words, &text->with, word->submission, word->address)
                                 : 0;
}

/* ---- text ---- */

static void faults_word_text(const struct summary *summary, const struct pfifo_replay_word *word, FILE *file) {
    const uint32_t oclass = faults_class_of_method(summary, word);
    const struct pfifo_class *class = pfifo_class_find(oclass);
    char name[NAME_BYTES];

    if (word->has_word)
        fprintf(file, "            word 0x%08" PRIx32 " at 0x%" PRIx64, word->word, word->address);
    else if (word->has_address)
        fprintf(file, "            the word at 0x%" PRIx64, word->address);
    if (word->in_push)
        fprintf(file, ", buffer %" PRIu32 " + 0x%" PRIx64, word->buffer, word->offset);
    else if (word->has_address)
        fputs(word->has_word ? ", outside of what was submitted" : ", which was not recorded", file);
    if (line_of(summary, word))
        fprintf(file, ", line %" PRIu32, line_of(summary, word));
    if (word->has_method) {
        faults_method_name(summary, word, name);
        fprintf(file, "%ssubchannel %" PRIu32, word->has_address ? ": " : "            ", word->subchannel);
        if (oclass)
            fprintf(file, ", 0x%04" PRIx32 " %s", oclass, class ? class->name : "?");
        fprintf(file, ", 0x%04" PRIx32 " %s, data 0x%08" PRIx32, word->method, name[0] ? name : "?", word->data);
    }
    if (word->has_address || word->has_method)
        fputc('\n', file);
}

/* The lines around the word show what was recorded. */
static void recorded_text(const struct recorded_word *recorded, FILE *file) {
    if (recorded->differs)
        fprintf(file,
                "            the capture has 0x%08" PRIx32
                " there: it was overwritten before it was fetched; pfifo lint may "
                "know by what\n",
                recorded->word);
}

static void lines_text(const struct fault_lines *lines, size_t mark, FILE *file) {
    for (size_t i = 0; i < lines->count; i++) {
        const struct fault_line *line = &lines->lines[i];
        if (line->mark == mark)
            fprintf(file, "            %c %s\n", line->distance ? ' ' : '>', line->text + strspn(line->text, " "));
    }
}

/* NULL: it is not known. */
static const char *faults_meaning(const struct summary *summary, const struct pfifo_device_fault *fault) {
    struct pfifo_error_code code;

    return pfifo_error_code_find(summary->counts.chip, fault->unit, fault->error, &code) ? code.text : NULL;
}

static void meaning_text(const char *meaning, FILE *file) {
    if (meaning)
        fprintf(file, "            %s\n", meaning);
}

void faults_text(const struct summary *summary, FILE *file) {
    const struct pfifo_replay_result *result = summary->result;
    struct fault_lines lines;

    find_lines(&lines, summary, PFIFO_DECODE_TEXT);
    fprintf(file, "  faults        %" PRIu64 "\n", result->faults);
    for (size_t i = 0; i < result->fault_kinds; i++) {
        const struct pfifo_replay_fault *fault = &result->fault[i];
        counts_fault_text(&fault->first, fault->count, fault->submission, file);
        meaning_text(faults_meaning(summary, &fault->first), file);
        faults_word_text(summary, &fault->word, file);
        missing_text(&fault->word, "            ", file);
        recorded_text(&lines.recorded[i], file);
        lines_text(&lines, lines.mark_of[i], file);
    }
    free_lines(&lines);
}

/* ---- JSON ---- */

static void faults_method_json(const struct summary *summary, const struct pfifo_replay_word *word,
                               struct json_writer *json) {
    const char *class = faults_class_name(word);
    char name[NAME_BYTES];

    faults_method_name(summary, word, name);
    json_put_number(json, "subchannel", word->subchannel);
    json_put_number(json, "class", word->oclass);
    if (class)
        json_put_text(json, "class_name", class);
    json_put_number(json, "method", word->method);
    if (name[0])
        json_put_text(json, "method_name", name);
    json_put_number(json, "data", word->data);
}

static void word_json(const struct summary *summary, const struct pfifo_replay_word *word, struct json_writer *json) {
    if (word->has_address)
        json_put_number(json, "word_address", word->address);
    if (word->has_word)
        json_put_number(json, "word", word->word);
    if (word->in_push) {
        json_put_number(json, "buffer", word->buffer);
        json_put_number(json, "offset", word->offset);
    }
    if (line_of(summary, word))
        json_put_number(json, "text_line", line_of(summary, word));
    if (word->has_method)
        faults_method_json(summary, word, json);
}

/* The decoder's own objects, each with its distance from the word. */
static void lines_json(const struct fault_lines *lines, size_t mark, struct json_writer *json) {
    json_open(json, "around", '[');
    for (size_t i = 0; i < lines->count; i++) {
        const struct fault_line *line = &lines->lines[i];
        if (line->mark != mark)
            continue;
        json_open(json, NULL, '{');
        json_put_signed(json, "distance", line->distance);
        json_put_raw(json, "line", line->text);
        json_close(json);
    }
    json_close(json);
}

void faults_json(const struct summary *summary, struct json_writer *json) {
    const struct pfifo_replay_result *result = summary->result;
    struct fault_lines lines;
    const char *meaning;

    find_lines(&lines, summary, PFIFO_DECODE_JSON);
    json_put_number(json, "faults", result->faults);
    json_open(json, "fault", '[');
    for (size_t i = 0; i < result->fault_kinds; i++) {
        const struct pfifo_replay_fault *fault = &result->fault[i];
        json_open(json, NULL, '{');
        counts_fault_json(&fault->first, fault->count, fault->submission, json);
        meaning = faults_meaning(summary, &fault->first);
        if (meaning)
            json_put_text(json, "meaning", meaning);
        word_json(summary, &fault->word, json);
        missing_json(&fault->word, json);
        if (lines.recorded[i].differs)
            json_put_number(json, "recorded_word", lines.recorded[i].word);
        lines_json(&lines, lines.mark_of[i], json);
        json_close(json);
    }
    json_close(json);
    free_lines(&lines);
}
