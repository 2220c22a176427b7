/* SPDX-License-Identifier: MIT */
/* One round: a state, and some actions. */
#include <stdlib.h>

#include "pbdma_random/pbdma_random.h"
#include "kept.h"

static const struct bench_chip rows[] = {
    {"GF100", 3, 1, 0x3f, 0x30, 0, 0x906f, .gf100 = true},
    {"GF119", 1, 1, 0x1f, 0x10, 0, 0x906f, .gf100 = true},
    {"GK104", 3, 7, 0xff, 0xb0, 7, 0xa06f, .names_list = true},
    {"GK110", 3, 7, 0xff, 0xb0, 7, 0xa16f, .names_list = true, .a16f = true, .tsg = true},
    {"GK20A", 1, 1, 0x03, 0x02, 1, 0xa26f, .names_list = true, .a26f = true, .tsg = true, .tegra = true},
    {"GM107", 2, 5, 0x3f, 0x30, 5, 0xa16f, .a16f = true, .tsg = true},
    {"GM204", 3, 5, 0x3f, 0x38, 5, 0xb06f, .a16f = true, .b06f = true, .tsg = true},
    {"GM20B", 1, 1, 0x03, 0x02, 1, 0xb06f, .a16f = true, .b06f = true, .tsg = true, .tegra = true},
    {"GP102", 4, 6, 0x7f, 0x70, 6, 0xc06f, .a16f = true, .b06f = true, .c06f = true, .tsg = true},
};
#define ROWS (sizeof rows / sizeof rows[0])

static bool play(struct bench *b) {
    pbr_setup(b);
    if (!pbr_same_doings(b))
        return false;
    uint32_t most = b->tame ? 80 : choice_once_in(b->choice, 2) ? 12 : 40;
    for (uint32_t actions = choice_between(b->choice, 1, most); actions > 0; actions--)
        if (!pbr_act(b))
            return false;
    return pbr_same_memory(b);
}

bool pbdma_random_round_on(const char *chip, struct choice *choice, FILE *report) {
    static struct kept kept;
    struct bench *b = kept_zeroed(&kept, sizeof *b);
    if (!b)
        return false;
    b->choice = choice;
    b->row = &rows[choice_below(choice, ROWS)];
    for (size_t i = 0; chip && i < ROWS; i++)
        if (strcmp(rows[i].name, chip) == 0)
            b->row = &rows[i];
    b->chip = pfifo_chip_by_name(b->row->name);
    b->materialise = choice_once_in(choice, 3);
    b->observed = choice_once_in(choice, 2);
    b->tame = choice_once_in(choice, 2);
    bool same = pbr_make(b) && play(b);
    if (!same) {
        fprintf(report, "%s%s%s%s: %s\n", b->row->name, b->materialise ? ", materialised" : "",
                b->observed ? ", observed" : "", b->tame ? ", tame" : "", b->report[0] ? b->report : "cannot be made");
        pbr_print(b, report);
    }
    pbr_free(b);
    return same;
}

bool pbdma_random_round(struct choice *choice, FILE *report) {
    return pbdma_random_round_on(NULL, choice, report);
}
