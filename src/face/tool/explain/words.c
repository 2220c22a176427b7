/* SPDX-License-Identifier: MIT */
/* Words of structures, as a person gives them. */
#include "face/tool/explain/structure.h"

#include <pfifo/words.h>

#include "face/tool/command/refuse.h"
#include "face/tool/tool.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORD_DIGITS = 8, PAIR_DIGITS = 16 };

static const char separators[] = " \t\r\n,;";

static bool words_add(struct explain_words *words, uint32_t word, struct pfifo_error *error) {
    if (words->count == EXPLAIN_WORDS)
        return refuse(error, "there are more than %d words", EXPLAIN_WORDS);
    words->word[words->count++] = word;
    return true;
}

bool explain_words_add(struct explain_words *words, const uint8_t *data, size_t count, struct pfifo_error *error) {
    bool done = true;

    for (size_t i = 0; done && i < count; i++, data += 4)
        done = words_add(words, data[0] | (uint32_t)data[1] << 8 | (uint32_t)data[2] << 16 | (uint32_t)data[3] << 24,
                         error);
    return done;
}

/* A token: a word, or two; "ADDRESS:" is passed over. */
static bool words_token(struct explain_words *words, const char *text, size_t bytes, struct pfifo_error *error) {
    const bool prefixed = bytes > 2 && strncasecmp(text, "0x", 2) == 0;
    const char *digits = text + (prefixed ? 2 : 0);
    size_t count = bytes - (prefixed ? 2 : 0);
    char buf[PAIR_DIGITS + 1] = "";
    uint64_t number;

    if (text[bytes - 1] == ':')
        return true;
    if (strspn(digits, "0123456789abcdefABCDEF") < count || !count || count > PAIR_DIGITS ||
        (!prefixed && count != WORD_DIGITS && count != PAIR_DIGITS))
        return refuse(error, "'%.*s' is not a word: 8 or 16 hexadecimal digits, or fewer with 0x",
                      (int)(bytes < 40 ? bytes : 40), text);
    memcpy(buf, digits, count);
    number = strtoull(buf, NULL, 16);
    return words_add(words, (uint32_t)number, error) &&
           (count <= WORD_DIGITS || words_add(words, (uint32_t)(number >> 32), error));
}

bool explain_words_read(struct explain_words *words, const char *text, struct pfifo_error *error) {
    for (const char *at = text + strspn(text, separators); *at; at += strspn(at, separators)) {
        const size_t bytes = strcspn(at, separators);
        if (!words_token(words, at, bytes, error))
            return false;
        at += bytes;
    }
    return true;
}

/* A dump that shows its bytes, or a log. */
static bool words_dump(struct explain_words *words, const void *data, size_t bytes, const char *path,
                       struct pfifo_error *error) {
    struct pfifo_words *dump = pfifo_words_read(data, bytes, path, error);
    const uint8_t *found = dump ? pfifo_words_data(dump, &bytes) : NULL;
    bool done = dump && explain_words_add(words, found, bytes / 4, error);

    pfifo_words_free(dump);
    return done;
}

bool explain_words_file(struct explain_words *words, const char *path, struct pfifo_error *error) {
    const size_t before = words->count;
    struct pfifo_error plain = {0};
    size_t bytes;
    char *data = tool_read(path, &bytes, error), *text = NULL;
    bool done = false;

    if (data)
        text = malloc(bytes + 1);
    if (text) {
        memcpy(text, data, bytes);
        text[bytes] = 0;
        /* Words and nothing else; numbers of 16 digits are not among what dumps have. */
        done = strlen(text) == bytes && explain_words_read(words, text, &plain);
        if (!done && words->count == EXPLAIN_WORDS) {
            refuse(error, "%s: %s", tool_input_path(path), plain.message);
        } else if (!done) {
            words->count = before;
            done = words_dump(words, data, bytes, tool_input_path(path), error);
        }
        if (done && words->count == before)
            done = refuse(error, "%s: there are no words", tool_input_path(path));
    }
    free(text);
    free(data);
    return done;
}
