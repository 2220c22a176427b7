/* SPDX-License-Identifier: MIT */
/* One round: a state, and a few actions or some life. */
#include <sys/mman.h>

#include "differential/restore.h"
#include "fifo_random/g80.h"
#include "reference/state.h"

static const char *const chips[] = {"NV4",  "NV5",  "NV10", "NV1A", "NV17",  "NV20", "NV34",
                                    "NV40", "NV44", "G80",  "G84",  "GT215", "MCP89"};

/* All of memory takes longer than a round: most look only at what is in use. */
static bool compare_memory(struct bench *b) {
    struct differential *d = b->d;
    if (since(&d->reference, G80))
        return pair_compare_memory(d);
    uint32_t ramin = (uint32_t)ref_ramin_place(&d->reference, RAMIN_RAMHT) & ~0x3ffffu;
    if (choice_once_in(b->choice, 16))
        return pair_compare_memory(d);
    return pair_compare_range(d, MEMORY_VRAM, SEMAPHORES, PUSH_BASE + LIVE * PAGE) &&
           pair_compare_range(d, MEMORY_SYSTEM, SEMAPHORES, PUSH_BASE + LIVE * PAGE) &&
           pair_compare_range(d, MEMORY_VRAM, ramin, ramin + 0x40000);
}

/* Nothing changes when the machine is saved and restored, if that is asked for. */
static bool restored(struct differential *d) {
    return restore_machine(&d->memory, &d->bus, &d->fifo, &d->events) && pair_compare_registers(d);
}

static bool play(struct bench *b) {
    bool g80 = since(&b->d->reference, G80);
    b->calm = choice_once_in(b->choice, 4);
    if (g80)
        g80_setup(b);
    else
        bench_setup(b);
    if (!pair_compare_registers(b->d) || !restored(b->d))
        return false;
    if (choice_once_in(b->choice, 6))
        return (g80 ? g80_live(b) : bench_live(b)) && compare_memory(b);
    for (unsigned actions = choice_between(b->choice, 1, 12); actions > 0; actions--)
        if (!bench_act(b) || !restored(b->d))
            return false;
    return compare_memory(b);
}

bool fifo_random_round_on(const char *chip, struct choice *choice, FILE *report) {
    /* Megabytes, of which a round touches little: so not from a heap, which would clear them all. */
    struct differential *d = mmap(NULL, sizeof *d, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct bench b = {.d = d, .choice = choice};
    if (d == MAP_FAILED) {
        fprintf(report, "no memory\n");
        return false;
    }
    uint32_t any = choice_below(choice, sizeof chips / sizeof chips[0]);
    d->choice = choice;
    d->memory_later = true;
    d->materialise = choice_once_in(choice, 2);
    d->observed = choice_once_in(choice, 2);
    bool same = pair_make(d, chip ? chip : chips[any], chip ? chip : chips[any]) && pair_has_registers(d) && play(&b);
    if (!same) {
        fprintf(report, "%s%s%s: %s\n", d->chip, d->materialise ? ", materialised" : "",
                d->observed ? ", observed" : "", d->report[0] ? d->report : "cannot be made");
        pair_print(d, report);
        pair_print_script(d, report);
    }
    pair_free(d);
    munmap(d, sizeof *d);
    return same;
}

bool fifo_random_round(struct choice *choice, FILE *report) {
    return fifo_random_round_on(NULL, choice, report);
}
