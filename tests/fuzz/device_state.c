/* SPDX-License-Identifier: MIT */
/*
 * A saved device with wrong words. What is taken must be safe to run, to save and to close.
 *
 * Input: a byte that picks the chip, then edits: section, word, value. Checksums are made right.
 */
#include <stdlib.h>
#include <string.h>

#include "state/player.h"
#include "state/sections.h"

#define MAX_EDITS 16
#define BUDGET    2000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void edit(struct player_bytes *bytes, struct choice *choice) {
    static const char *const tags[] = {"DEV ", "DBUF", "DVM ", "DCHN"};
    size_t section = section_find(bytes, tags[choice_below(choice, 4)]), words = section_words(bytes, section);
    uint32_t word = choice_below(choice, (uint32_t)words);
    uint32_t value = choice_once_in(choice, 2) ? choice_below(choice, 16) << 12 : choice_word(choice);
    size_t at = section + SECTION_HEADER + 4 * (size_t)word;
    stream_set_word(bytes, at, choice_once_in(choice, 2) ? value : stream_word(bytes, at) + (value >> 12));
    section_seal(bytes, section);
}

static struct player_bytes save(struct pfifo_device *device) {
    struct player_bytes bytes = {0};
    if (pfifo_device_save(device, player_collect, &bytes, NULL) != PFIFO_OK)
        abort();
    return bytes;
}

/* What is refused changes nothing. */
static void load(struct pfifo_device *device, const struct player_bytes *bytes) {
    struct player_bytes before = save(device);
    struct pfifo_error error = {0};
    bool taken = pfifo_device_load(device, bytes->data, bytes->bytes, &error) == PFIFO_OK;
    struct player_bytes after = save(device);
    if (!taken &&
        (!error.message[0] || before.bytes != after.bytes || memcmp(before.data, after.data, before.bytes) != 0))
        abort();
    free(before.data);
    free(after.data);
    pfifo_device_run(device, BUDGET);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const chips[] = {"GF100", "GK104", "GM107", "GM20B", "GP102"};
    struct pfifo_channel_config config = {.entries = 64};
    if (size == 0)
        return 0;
    const struct pfifo_device_config chip = {.gpu.chip = pfifo_chip_by_name(chips[data[0] % 5])};
    struct choice choice = choice_from_bytes(data + 1, size - 1);
    struct pfifo_device *device = pfifo_device_open(&chip, NULL);
    if (!device)
        return 0;
    struct pfifo_buffer *buffer = pfifo_buffer_new(device, PFIFO_VRAM, 0x40000, 0, NULL);
    struct pfifo_channel *channel = pfifo_channel_open(device, &config, NULL);
    config.vm = pfifo_vm_new(device, &(const struct pfifo_vm_config){0}, NULL);
    if (!buffer || !channel || !pfifo_channel_open(device, &config, NULL))
        abort();
    pfifo_channel_submit(channel, pfifo_buffer_address(buffer), 256, 0, NULL);
    struct player_bytes bytes = save(device);
    for (int i = 0; i < MAX_EDITS && choice.at < choice.size; i++)
        edit(&bytes, &choice);
    load(device, &bytes);
    free(bytes.data);
    pfifo_device_close(device);
    return 0;
}
