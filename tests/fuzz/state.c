/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a saved machine. What is taken must be safe to run and to save again, to the same bytes.
 *
 * Input: a byte that picks the chip and what follows:
 *   bit 7 clear  edits of a machine that has worked: section, word, value; so small inputs reach everything
 *   bit 7 set    a stream as it is; checksums are made right where there are sections
 */
#include <stdlib.h>
#include <string.h>

#include "state/player.h"
#include "state/sections.h"

#define MAX_EDITS 64
#define BUDGET    2000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- what is done with a stream ---- */

static void use(struct pfifo_gpu *gpu) {
    pfifo_gpu_run(gpu, BUDGET);
    for (uint32_t at = 0x2000; at < 0x4000; at += 4)
        pfifo_gpu_rd32(gpu, at);
    pfifo_gpu_wr32(gpu, 0x2100, ~0u);
    pfifo_gpu_wr32(gpu, 0x2500, 1);
    pfifo_gpu_wr32(gpu, 0x3200, 1);
    pfifo_gpu_wr32(gpu, 0x3240, 1);
    pfifo_gpu_wr32(gpu, 0x3250, 1);
    pfifo_gpu_wr32(gpu, 0x3220, 1);
    pfifo_gpu_wr32(gpu, 0x40108, ~0u);
    pfifo_gpu_wr32(gpu, 0x800100, 1);
    pfifo_gpu_run(gpu, BUDGET);
}

static void save_again(struct pfifo_gpu *gpu) {
    struct player_bytes once, twice;
    if (!player_save(gpu, &once, NULL) || pfifo_gpu_load(gpu, once.data, once.bytes, NULL) != PFIFO_OK ||
        !player_save(gpu, &twice, NULL))
        abort();
    if (once.bytes != twice.bytes || memcmp(once.data, twice.data, once.bytes) != 0)
        abort();
    free(once.data);
    free(twice.data);
}

static void load(struct pfifo_gpu *gpu, const struct player_bytes *bytes) {
    struct pfifo_error error = {0};
    if (pfifo_gpu_load(gpu, bytes->data, bytes->bytes, &error) != PFIFO_OK && !error.message[0])
        abort();
    save_again(gpu);
    use(gpu);
    save_again(gpu);
}

/* ---- where it comes from ---- */

static bool whole_section(const struct player_bytes *bytes, size_t at) {
    return bytes->bytes - at >= SECTION_HEADER && stream_word(bytes, at + 8) % 4 == 0 &&
           stream_word(bytes, at + 8) <= bytes->bytes - at - SECTION_HEADER;
}

static void seal_all(struct player_bytes *bytes) {
    for (size_t at = STREAM_HEADER; at < bytes->bytes && whole_section(bytes, at); at = section_after(bytes, at))
        section_seal(bytes, at);
}

static void edit(struct player_bytes *bytes, struct choice *choice) {
    size_t section = section_pick(bytes, choice), words = section_words(bytes, section);
    if (words == 0)
        return;
    uint32_t word = choice_below(choice, choice_once_in(choice, 4) && words > 16 ? 16 : (uint32_t)words);
    uint32_t value = choice_once_in(choice, 2) ? choice_below(choice, 8) : choice_word(choice);
    stream_set_word(bytes, section + SECTION_HEADER + 4 * word, value);
    section_seal(bytes, section);
}

/* The player's own GPU loads it, which has something to forget. */
static void play(const struct player_part *part, struct choice *choice) {
    struct player player;
    struct player_bytes bytes;
    struct choice work = choice_from_seed(choice_below(choice, 16));
    if (player_open(&player, part, false, NULL, &work)) {
        for (int i = 0; i < 30; i++)
            player_step(&player, &work);
        if (!player_save(player.gpu, &bytes, NULL))
            abort();
        for (int i = 0; i < MAX_EDITS && choice->at < choice->size; i++)
            edit(&bytes, choice);
        load(player.gpu, &bytes);
        free(bytes.data);
    }
    player_close(&player);
}

static void take(const struct player_part *part, const uint8_t *data, size_t size) {
    const struct pfifo_config config = {
        .chip = pfifo_chip_by_name(part->chip), .vram_bytes = 4 << 20, .system_bytes = 4 << 20};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    struct player_bytes bytes = {malloc(size ? size : 1), size, size};
    if (gpu && bytes.data) {
        memcpy(bytes.data, data, size);
        seal_all(&bytes);
        load(gpu, &bytes);
    }
    free(bytes.data);
    pfifo_gpu_free(gpu);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    const struct player_part *part = &player_parts[(data[0] & 0x7f) % player_part_count];
    struct choice choice = choice_from_bytes(data + 1, size - 1);
    if (data[0] & 0x80)
        take(part, data + 1, size - 1);
    else
        play(part, &choice);
    return 0;
}
