/* SPDX-License-Identifier: MIT */
/* The form of a line, and the numbers in it. */
#include "face/tool/explain/log/log.h"
#include "face/tool/explain/log/more.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_PLACES = 16 }; /* that are tried for a * */

static const char hex_digits[] = "0123456789abcdefABCDEF";

const char *log_read_hex(const char *text, uint64_t *number) {
    size_t digits;

    if (text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
        text += 2;
    digits = strspn(text, hex_digits);
    if (!digits || digits > 16 || isalnum((unsigned char)text[digits]))
        return NULL;
    *number = strtoull(text, NULL, 16);
    return text + digits;
}

/* {v}, {x}, {w}: the text after it; NULL: it is not there. */
static const char *match_hole(char kind, const char *text, struct log_numbers *numbers) {
    uint64_t number = 0;
    const char *after;

    if (kind == 'w') {
        size_t bytes = strcspn(text, " \t,:;()[]");
        return bytes ? text + bytes : NULL;
    }
    after = log_read_hex(text, &number);
    if (after && kind == 'v') {
        numbers->has[LOG_VALUE] = true;
        numbers->number[LOG_VALUE] = number;
    }
    return after;
}

/* The literal text after a *, up to the next thing that is none. */
static size_t literal_bytes(const char *pattern) {
    return strcspn(pattern, "#{* ");
}

/* The rest of the pattern after a * may follow any of the first places that have its literal text: names in brackets may
 * have brackets themselves. */
static const char *match_any(const char *pattern, const char *text, struct log_numbers *numbers) {
    char literal[LOG_NAME_BYTES] = "";
    size_t bytes = *pattern == ' ' ? 1 : literal_bytes(pattern);
    const char *after = NULL;

    memcpy(literal, pattern, bytes < sizeof literal ? bytes : sizeof literal - 1);
    for (unsigned place = 0; place < MOST_PLACES && (text = strstr(text, literal)) != NULL; place++, text++) {
        after = log_match_text(pattern, text, numbers);
        if (after || !*text) /* no literal: it is also at the end of the text */
            break;
    }
    return after;
}

const char *log_match_text(const char *pattern, const char *text, struct log_numbers *numbers) {
    while (text && *pattern) {
        size_t bytes;
        if (*pattern == '*')
            return match_any(pattern + 1, text, numbers);
        if (*pattern == '#') {
            bytes = strspn(text, "0123456789");
            text = bytes ? text + bytes : NULL;
            pattern++;
        } else if (*pattern == '{') {
            text = match_hole(pattern[1], text, numbers);
            pattern += 3;
        } else if (*pattern == ' ') {
            bytes = strspn(text, " \t");
            text = bytes ? text + bytes : NULL;
            pattern++;
        } else {
            text = *text == *pattern ? text + 1 : NULL;
            pattern++;
        }
    }
    return text;
}

/* A word of the line, not a part of one. */
static const char *word_after(const char *text, const char *word) {
    size_t bytes = strlen(word);
    int first = tolower((unsigned char)*word);

    for (const char *at = text; *at; at++) {
        if (tolower((unsigned char)*at) != first)
            continue;
        if ((at != text && isalnum((unsigned char)at[-1]) && isalnum((unsigned char)*word)) ||
            strncasecmp(at, word, bytes) != 0)
            continue;
        if (!isalnum((unsigned char)at[bytes]) && at[bytes])
            return at + bytes;
    }
    return NULL;
}

bool log_number_after(const char *text, const char *word, uint64_t *number) {
    const char *at = word_after(text, word);

    if (!at)
        return false;
    at += strspn(at, " \t=:@");
    return log_read_hex(at, number) != NULL;
}

/* "[NAME]" at `text`; a name may have brackets itself. */
static void read_name(const char *text, char name[LOG_NAME_BYTES]) {
    size_t bytes;

    text += strspn(text, " \t");
    name[0] = 0;
    if (*text != '[')
        return;
    text += 1 + strspn(text + 1, " \t");
    bytes = strcspn(text, "]");
    while (bytes && text[bytes - 1] == ' ')
        bytes--;
    if (bytes >= LOG_NAME_BYTES)
        bytes = LOG_NAME_BYTES - 1;
    memcpy(name, text, bytes);
    name[bytes] = 0;
}

/* The words before the numbers, in the drivers' spellings; the last one in a line counts, for a program may be called
 * anything, and its name comes before them. */
static const struct {
    const char *word;
    enum log_field field;
} words[] = {
    {"subc", LOG_SUBCHANNEL},    {"subchannel", LOG_SUBCHANNEL}, {"sub channel", LOG_SUBCHANNEL},
    {"class", LOG_CLASS},        {"mthd", LOG_METHOD},           {"Offset", LOG_METHOD},
    {"data", LOG_DATA},          {"engine", LOG_ENGINE},         {"client", LOG_CLIENT},
    {"reason", LOG_REASON},      {"state", LOG_STATE},           {"fault at", LOG_ADDRESS},
    {"] at", LOG_ADDRESS},       {"read at", LOG_ADDRESS},       {"write at", LOG_ADDRESS},
    {"fault addr", LOG_ADDRESS}, {"fault_addr", LOG_ADDRESS},    {"@ address", LOG_ADDRESS},
    {"addr", LOG_ADDRESS},
};

static void read_word(struct log_numbers *numbers, const char *text, const char *word, enum log_field field) {
    const char *after = NULL;
    uint64_t number;

    for (const char *at = text; (at = word_after(at, word)) != NULL;) {
        const char *digits = at + strspn(at, " \t=:@"), *end = log_read_hex(digits, &number);
        if (!end || digits == at)
            continue;
        numbers->has[field] = true;
        numbers->number[field] = number;
        after = end;
    }
    if (after)
        read_name(after, numbers->name[field]);
}

/* PFIFO's faults end with the channel and the program's name, which may be anything. */
static void read_words(struct log_match *match) {
    const char *message = match->line->message, *channel = strstr(message, " on channel ");
    char text[LOG_LINE_BYTES];

    snprintf(text, sizeof text, "%s", message);
    if (match->form->more == log_more_fault && strcmp(match->line->unit, "fifo") == 0 && channel)
        text[channel - message] = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        read_word(&match->numbers, text, words[i].word, words[i].field);
}

bool log_list_has(const char *list, const char *word) {
    size_t bytes = strlen(word);

    for (const char *at = list; bytes && (at = strstr(at, word)) != NULL; at += bytes)
        if ((at == list || at[-1] == ' ') && (!at[bytes] || at[bytes] == ' '))
            return true;
    return false;
}

const uint64_t *log_number(const struct log_match *match, enum log_field field) {
    return match->numbers.has[field] ? &match->numbers.number[field] : NULL;
}

bool log_has_method(const struct log_match *match) {
    const struct log_numbers *numbers = &match->numbers;

    return numbers->has[LOG_CLASS] && numbers->has[LOG_METHOD] && numbers->number[LOG_CLASS] <= UINT32_MAX &&
           numbers->number[LOG_METHOD] <= UINT32_MAX;
}

const struct log_forms *log_forms_of(enum log_driver driver, size_t index) {
    static const struct log_forms *const forms[][3] = {
        [LOG_NOUVEAU] = {&log_nouveau, &log_driver}, [LOG_NVRM] = {&log_nvrm}, [LOG_NVGPU] = {&log_nvgpu, &log_l4t}};

    return index < 3 ? forms[driver][index] : NULL;
}

static void match_table(struct log_match *match, const struct log_forms *table) {
    const struct log_line *line = match->line;

    for (size_t i = 0; i < table->count && !match->form; i++) {
        const struct log_form *form = &table->rows[i];
        if (form->units && !log_list_has(form->units, line->unit))
            continue;
        /* Most forms begin with another letter. */
        if (!strchr("*#{ ", form->pattern[0]) && form->pattern[0] != line->message[0])
            continue;
        match->numbers = (struct log_numbers){.has = {false}};
        match->rest = log_match_text(form->pattern, line->message, &match->numbers);
        if (match->rest)
            match->form = form;
    }
}

bool log_match_line(struct log_match *match, const struct log_line *line) {
    const struct log_forms *table;

    match->line = line;
    match->form = NULL;
    for (size_t i = 0; !match->form && (table = log_forms_of(line->driver, i)) != NULL; i++)
        match_table(match, table);
    if (!match->form)
        return false;
    if (match->numbers.has[LOG_VALUE])
        read_name(match->rest, match->numbers.name[LOG_VALUE]);
    read_words(match);
    return true;
}
