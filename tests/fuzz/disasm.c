/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: files with compiled programs. The first byte picks a chip or none, the second how; the rest is the file.
 * What is listed has names and texts that can be printed, and no more bytes of code than the file, or what it is unpacked
 * to; the same file has the same listing.
 */
#include <pfifo/disasm.h>

#include <stdlib.h>
#include <string.h>

enum { HEADER_BYTES = 2, MOST_BYTES = 1 << 16, MOST_UNPACKED = 1 << 26 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct sum {
    uint64_t code, events;
    uint32_t hash;
};

static void require(bool condition) {
    if (!condition)
        abort();
}

static void mix(struct sum *sum, const void *data, size_t bytes) {
    for (size_t i = 0; i < bytes; i++)
        sum->hash = (sum->hash ^ ((const uint8_t *)data)[i]) * 0x01000193;
}

static void look_at_text(struct sum *sum, const char *text) {
    size_t length = text ? strlen(text) : 0;
    for (size_t i = 0; i < length; i++)
        require((unsigned char)text[i] >= ' ' && text[i] != 127);
    mix(sum, text, length);
}

static bool look(void *opaque, const struct pfifo_disasm_event *event) {
    struct sum *sum = opaque;
    require(pfifo_disasm_kind_name(event->kind) != NULL);
    look_at_text(sum, event->name);
    look_at_text(sum, event->text);
    if (event->data)
        mix(sum, event->data, (size_t)event->size);
    if (event->kind == PFIFO_DISASM_CONTROL || event->kind == PFIFO_DISASM_INSTRUCTION) {
        require(event->size >= 1 && event->size <= 8 && event->chip);
        sum->code += event->size;
    }
    sum->events++;
    return true;
}

/* mode: [0] raw words, [1] with a base */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const chips[] = {NULL, "GF100", "GK104", "GK110", "GM107"};
    struct pfifo_disasm_options options = {.name = "fuzz"};
    struct sum sums[2] = {{0}};
    if (size < HEADER_BYTES || size > MOST_BYTES)
        return 0;
    const char *chip = chips[data[0] % 5];
    options.chip = chip ? pfifo_chip_by_name(chip) : NULL;
    options.raw = data[1] & 1;
    options.base = data[1] & 2 ? 0x1008 : 0;
    for (unsigned i = 0; i < 2; i++) {
        struct pfifo_error error = {0};
        enum pfifo_status status =
            pfifo_disasm(data + HEADER_BYTES, size - HEADER_BYTES, &options, look, &sums[i], &error);
        require(status == PFIFO_OK ? !error.message[0] : error.status == status && error.message[0]);
        require(sums[i].code <= MOST_UNPACKED);
    }
    require(sums[0].hash == sums[1].hash && sums[0].events == sums[1].events);
    pfifo_disasm_recognise(data + HEADER_BYTES, size - HEADER_BYTES);
    return 0;
}
