/* SPDX-License-Identifier: MIT */
#include "face/tool/explain/explain.h"

#include "face/common/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { KEY_WIDTH = 10, LINE_WIDTH = 110, ITEM_BYTES = 1024 };

/* What does not fit is left out: the texts are the tables'. */
static void format_item(char buf[ITEM_BYTES], const char *format, va_list args) {
    vsnprintf(buf, ITEM_BYTES, format, args); /* NOLINT(clang-analyzer-valist.Uninitialized) */
}

void explain_begin(struct explain *explain, const char *is, const char *format, ...) {
    char title[ITEM_BYTES];
    va_list args;

    va_start(args, format);
    format_item(title, format, args);
    va_end(args);
    if (explain->json) {
        explain->writer = (struct json_writer){.file = stdout};
        json_open(&explain->writer, NULL, '{');
        json_put_text(&explain->writer, "thing", explain->thing->text);
        json_put_text(&explain->writer, "is", is);
        json_put_text(&explain->writer, "title", title);
    } else {
        puts(title);
    }
    explain->readings++;
}

void explain_end(struct explain *explain) {
    if (explain->json)
        json_close_line(&explain->writer);
}

void explain_text(struct explain *explain, const char *key, const char *format, ...) {
    char text[ITEM_BYTES];
    va_list args;

    va_start(args, format);
    format_item(text, format, args);
    va_end(args);
    if (explain->json)
        json_put_text(&explain->writer, key, text);
    else
        printf("  %-*s %s\n", KEY_WIDTH, key, text);
}

void explain_number(struct explain *explain, const char *key, const char *format, uint64_t number) {
    if (explain->json)
        json_put_number(&explain->writer, key, number);
    else
        explain_text(explain, key, format, number); /* NOLINT(clang-diagnostic-format-nonliteral) */
}

void explain_list(struct explain *explain, const char *key) {
    explain->items = 0;
    if (explain->json)
        json_open(&explain->writer, key, '[');
    else
        explain->column = printf("  %-*s ", KEY_WIDTH, key);
}

void explain_word(struct explain *explain, const char *format, ...) {
    char text[ITEM_BYTES];
    va_list args;

    va_start(args, format);
    format_item(text, format, args);
    va_end(args);
    if (explain->json)
        json_put_text(&explain->writer, NULL, text); /* all items are alike */
    else if (explain->items && explain->column + (int)strlen(text) + 2 > LINE_WIDTH)
        explain->column = printf(",\n  %*s %s", KEY_WIDTH, "", text) - 2;
    else
        explain->column += printf("%s%s", explain->items ? ", " : "", text);
    explain->items++;
}

void explain_line(struct explain *explain, const char *format, ...) {
    char text[ITEM_BYTES];
    va_list args;

    va_start(args, format);
    format_item(text, format, args);
    va_end(args);
    if (explain->json)
        json_put_text(&explain->writer, NULL, text); /* all items are alike */
    else if (explain->items)
        printf("\n  %*s %s", KEY_WIDTH, "", text);
    else
        fputs(text, stdout);
    explain->items++;
}

void explain_list_end(struct explain *explain) {
    if (explain->json)
        json_close(&explain->writer);
    else
        putchar('\n');
}

void explain_chips(struct explain *explain, const bool has[EXPLAIN_CHIPS]) {
    size_t count = pfifo_chip_count();

    explain_list(explain, "chips");
    for (size_t i = 0; i < count; i++) {
        size_t last = i;
        if (!has[i])
            continue;
        while (!explain->json && last + 1 < count && has[last + 1])
            last++;
        const char *from = pfifo_chip_info(pfifo_chip_at(i)).name, *to = pfifo_chip_info(pfifo_chip_at(last)).name;
        if (last < i + 2)
            last = i;
        explain_word(explain, last > i ? "%s to %s" : "%s", from, to);
        i = last;
    }
    if (!explain->items && !explain->json)
        fputs("none that is known", stdout);
    explain_list_end(explain);
}

const char *explain_error_text(const struct pfifo_error_code *code) {
    return code->text ? code->text : "nothing more is known than the name";
}

const char *explain_bits(unsigned high, unsigned low, char buf[16]) {
    if (high == low)
        snprintf(buf, 16, "bit %u", high);
    else
        snprintf(buf, 16, "bits %u:%u", high, low);
    return buf;
}

bool explain_is_number(const char *text, uint64_t *number) {
    const size_t digits = strspn(text, "0123456789abcdefABCDEF");
    char word[24];

    if (text[digits] || (digits != 8 && digits != 16))
        return text_to_number(text, number);
    snprintf(word, sizeof word, "0x%s", text);
    return text_to_number(word, number);
}
