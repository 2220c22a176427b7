/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/line.h"

#include "face/common/json_writer.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 16u

/* Room for one more, and for NULL. */
static bool line_make_room(struct line *line) {
    if (line->count + 2 <= line->room)
        return true;
    size_t room = line->room ? 2 * line->room : FIRST_ROOM;
    char **words = realloc(line->words, room * sizeof *words);
    if (!words)
        return false;
    line->words = words;
    line->room = room;
    return true;
}

void line_add(struct line *line, const char *format, ...) {
    char *word = NULL;
    va_list arguments;

    va_start(arguments, format);
    bool made = line_make_room(line) && vasprintf(&word, format, arguments) >= 0;
    va_end(arguments);
    if (!made) {
        line->failed = true;
        return;
    }
    line->words[line->count++] = word;
    line->words[line->count] = NULL;
}

void line_add_words(struct line *line, char *const *words) {
    while (*words)
        line_add(line, "%s", *words++);
}

void line_free(struct line *line) {
    for (size_t i = 0; i < line->count; i++)
        free(line->words[i]);
    free(line->words);
    *line = (struct line){0};
}

static void line_print_word(const char *word, FILE *file) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=,./:@%";

    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, file);
        return;
    }
    fputc('\'', file);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", file);
        else
            fputc(*word, file);
    }
    fputc('\'', file);
}

void line_print(const struct line *line, FILE *file) {
    for (size_t i = 0; i < line->count; i++) {
        if (i)
            fputc(' ', file);
        line_print_word(line->words[i], file);
    }
    fputc('\n', file);
}

/* A string of JSON, to be freed. NULL: no memory. */
static char *quoted(const char *text) {
    struct json_writer json = {0};
    char *string = NULL;
    size_t bytes;
    FILE *file = open_memstream(&string, &bytes);

    if (!file)
        return NULL;
    json.file = file;
    json_put_text(&json, NULL, text);
    if (fclose(file) == 0)
        return string;
    free(string);
    return NULL;
}

void line_add_vfio_user(struct line *line, unsigned memory_mib, const char *socket) {
    char *path = quoted(socket);

    line_add(line, "-machine");
    line_add(line, "q35,memory-backend=pfifo-ram");
    line_add(line, "-m");
    line_add(line, "%uM", memory_mib);
    line_add(line, "-object");
    line_add(line, "memory-backend-memfd,id=pfifo-ram,size=%uM,share=on", memory_mib);
    line_add(line, "-device");
    line_add(line, "{\"driver\":\"vfio-user-pci\",\"socket\":{\"type\":\"unix\",\"path\":%s}}", path ? path : "");
    line->failed |= !path;
    free(path);
}
