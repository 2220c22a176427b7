/* SPDX-License-Identifier: MIT */
#include "replay/size.h"

#include <search.h>
#include <stdlib.h>

#include "chip/chip.h"

#define OTHERS       (UINT64_C(128) << 20) /* what the driver layer has in the same memory, and alignment */
#define MOST         (UINT64_C(64) << 30)
#define MOST_TESLA   (UINT64_C(4) << 30) /* no card before GF100 has more VRAM */
#define SYSTEM_BYTES (UINT64_C(1) << 30) /* by default */
#define MOST_COUNTED 32768u              /* buffers at a time; a replay takes no more */
enum { IN_VRAM, IN_SYSTEM, DOMAINS };

struct sized {
    uint32_t handle;
    int domain;
    uint64_t bytes;
};

struct sizes {
    bool vram;  /* the chip has some; otherwise all is in system memory */
    void *tree; /* of struct sized */
    size_t count;
    uint64_t now[DOMAINS], most[DOMAINS];
};

static int compare_sized(const void *a, const void *b) {
    const struct sized *left = a, *right = b;
    return left->handle < right->handle ? -1 : left->handle > right->handle;
}

static void size_new(struct sizes *sizes, const struct pfifo_stream_bonew *record) {
    struct sized *made = record->bytes <= MOST && sizes->count < MOST_COUNTED ? malloc(sizeof *made) : NULL;
    if (!made)
        return;
    *made = (struct sized){record->handle, IN_SYSTEM, record->bytes};
    if (sizes->vram && (record->domain & PFIFO_STREAM_VRAM))
        made->domain = IN_VRAM;
    struct sized **node = tsearch(made, &sizes->tree, compare_sized);
    if (!node || *node != made) {
        free(made);
        return;
    }
    sizes->count++;
    uint64_t *now = &sizes->now[made->domain], *most = &sizes->most[made->domain];
    *now += made->bytes;
    *most = *now > *most ? *now : *most;
}

static void size_delete(struct sizes *sizes, uint32_t handle) {
    const struct sized key = {.handle = handle};
    struct sized **node = tfind(&key, &sizes->tree, compare_sized), *found = node ? *node : NULL;
    if (!found)
        return;
    tdelete(found, &sizes->tree, compare_sized);
    sizes->now[found->domain] -= found->bytes;
    sizes->count--;
    free(found);
}

/* What has room for `needed`: 0, as much as there is by default (`usual`), or twice, four times ... as much. */
static uint64_t size_enough(uint64_t needed, uint64_t usual, uint64_t most) {
    uint64_t bytes = usual;
    while (bytes && bytes < needed + OTHERS && bytes < most)
        bytes *= 2;
    return bytes == usual ? 0 : bytes;
}

void replay_size(struct pfifo_stream *stream, struct pfifo_config *config) {
    struct pfifo_stream_record record = {.type = PFIFO_STREAM_TEXT};
    struct sizes sizes = {.vram = config->chip->vram_bytes != 0};
    if (!chip_has_page_tables(config->chip))
        return;
    /* What is malformed ends this; the replay will say so. */
    while (record.type != PFIFO_STREAM_END && pfifo_stream_next(stream, &record, NULL) == PFIFO_OK) {
        if (record.type == PFIFO_STREAM_BONEW)
            size_new(&sizes, &record.bonew);
        if (record.type == PFIFO_STREAM_BODEL)
            size_delete(&sizes, record.bodel.handle);
    }
    pfifo_stream_rewind(stream);
    while (sizes.tree) /* a node begins with what it holds */
        size_delete(&sizes, (*(struct sized **)sizes.tree)->handle);
    config->vram_bytes =
        size_enough(sizes.most[IN_VRAM], config->chip->vram_bytes, config->chip->binds_classes ? MOST : MOST_TESLA);
    config->system_bytes = size_enough(sizes.most[IN_SYSTEM], SYSTEM_BYTES, MOST);
}
