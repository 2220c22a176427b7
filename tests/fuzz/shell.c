/* SPDX-License-Identifier: MIT */
/*
 * The register console with lines from the input.
 *
 *   byte 0   chip, of those whose machine is built; 0xff: none
 *   then     lines
 *
 * Whatever the lines say, they cost a bounded amount of work; a line that fails says why, and nothing is printed that
 * is no text.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "face/tool/console/console.h"

#define LINES    128
#define UNITS    2000
#define RAM      (UINT64_C(4) << 20)
#define NO_CHIP  0xff
#define MAX_TEXT (32u << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct pfifo_chip *chip_of(uint8_t number) {
    const struct pfifo_chip *built[128] = {0};
    size_t count = 0;
    for (size_t i = 0; i < pfifo_chip_count() && count < 128; i++)
        if (pfifo_chip_info(pfifo_chip_at(i)).runs)
            built[count++] = pfifo_chip_at(i);
    return number == NO_CHIP || !count ? NULL : built[number % count];
}

static bool check_text(void *opaque, const char *text, size_t bytes) {
    size_t *total = opaque;
    *total += bytes;
    if (*total > MAX_TEXT)
        abort();
    for (size_t i = 0; i < bytes; i++)
        if (iscntrl((unsigned char)text[i]) && !isspace((unsigned char)text[i]))
            abort();
    return true;
}

static void check_line(struct console *console, const uint8_t *data, size_t size) {
    char line[2 * CONSOLE_LINE_BYTES];
    struct pfifo_error error = {0};
    if (size >= sizeof line)
        size = sizeof line - 1;
    memcpy(line, data, size);
    line[size] = 0;
    if (console_line(console, line, &error) == CONSOLE_FAILED && !error.message[0])
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!size)
        return 0;
    size_t printed = 0;
    struct console_config config = {.gpu = {.chip = chip_of(data[0]), .vram_bytes = RAM, .system_bytes = RAM},
                                    .write = check_text,
                                    .opaque = &printed,
                                    .explain = size % 2,
                                    .trace = size % 3 ? CONSOLE_EVENTS : NULL,
                                    .budget = UNITS,
                                    .most = UNITS};
    struct console *console = console_new(&config, NULL);
    if (!console)
        return 0;
    console_is_script((const char *)data + 1, size - 1);
    for (size_t at = 1, lines = 0; at < size && lines < LINES; lines++) {
        const uint8_t *end = memchr(data + at, '\n', size - at);
        size_t length = end ? (size_t)(end - data) - at : size - at;
        check_line(console, data + at, length);
        at += length + 1;
    }
    console_free(console);
    return 0;
}
