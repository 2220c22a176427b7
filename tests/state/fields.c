/* SPDX-License-Identifier: MIT */
#include "state/fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define MEMORY (8u << 20)

void fields_fill(struct choice *c, void *words, size_t bytes) {
    for (size_t i = 0; i < bytes / 4; i++)
        ((uint32_t *)words)[i] = choice_word(c) | 1;
}

uint64_t fields_any64(struct choice *c) {
    return choice_word(c) | (uint64_t)choice_word(c) << 32;
}

struct pfifo_gpu *fields_machine(const char *chip) {
    const struct pfifo_config config = {.chip = pfifo_chip_by_name(chip), .vram_bytes = MEMORY, .system_bytes = MEMORY};
    struct pfifo_gpu *gpu = pfifo_gpu_new(&config, NULL);
    assert_non_null(gpu);
    return gpu;
}

void fields_restore(struct pfifo_gpu *from, struct pfifo_gpu *to) {
    struct player_bytes bytes;
    struct pfifo_error error = {0};
    if (!player_save(from, &bytes, &error) || pfifo_gpu_load(to, bytes.data, bytes.bytes, &error) != PFIFO_OK)
        fail_msg("%s", error.message);
    free(bytes.data);
}
