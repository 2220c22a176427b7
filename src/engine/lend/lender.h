/* SPDX-License-Identifier: MIT */
/*
 * What draws and launches lend to their programs, for each thread: memory and its faults, textures, images, costs that
 * are counted, and how a warp that fails is reported.
 *
 *   struct worker { struct lender lent; ... }    io.opaque, and so the first field of what has more
 *   lender_begin(lender, call) ...               before each slice
 *   io.load, io.store, io.texture, io.surface    lend_load(), lend_store(), lend_texture(), lend_surface()
 *   shade_run(...) == SHADE_FAULT                lend_raise_stop()
 */
#ifndef PFIFO_SRC_ENGINE_LEND_LENDER_H
#define PFIFO_SRC_ENGINE_LEND_LENDER_H

#include "engine/image/image.h"
#include "engine/lend/sampling.h"
#include "memory/memory.h"
#include "unit/error.h"
#include "unit/trap.h"

struct call;
struct threads;

/* ---- faults ---- */

struct lend_faults {
    const struct call *call; /* the method under way */
    bool quiet;              /* what fails is not raised: it is tried again, or nobody asked for it */
    bool failed;             /* something has been raised */
};

/* A fault or an error is raised at once, but only the first one: what follows is not drawn. */
void lend_raise(struct lend_faults *faults, enum unit_use use, const struct fault *fault);
void lend_raise_error(struct lend_faults *faults, const struct unit_shader_error *error);

/* ---- memory ---- */

/* Memory that is read often: the last spans. */
#define LEND_SPANS 256u
struct lend_span {
    uint64_t address, bytes;
    const uint8_t *data;
};

#define LEND_RANGES      8u
#define LEND_RANGE_PAGES 128u /* most that are looked up for one */

struct lend_memory {
    struct memory *memory;
    struct address_space space;
    enum unit_use use; /* of accesses now: a fault says so */
    struct lend_faults *faults;
    struct threads *threads; /* whose lock is taken to look memory up */
    struct lend_span spans[LEND_SPANS];
    uint64_t kept[LEND_SPANS / 64];       /* bits of the spans that are not empty */
    struct lend_span ranges[LEND_RANGES]; /* of many pages that are contiguous in memory of the host */
    unsigned last_range;                  /* the one that was found last */
    uint64_t gap;                         /* a page that does not follow the one before it; 0: none is known */
};

/* A memory reader over the last spans, as vertex_read has it. `opaque`: struct lend_memory. */
bool lend_read(void *opaque, uint64_t address, void *data, unsigned bytes);
/* The byte at an address, and how many follow in one piece. NULL: a fault, which has been raised. */
const uint8_t *lend_at(void *opaque, uint64_t address, uint64_t *bytes);
/* The same for a range that is contiguous in memory of the host. NULL: it is not, and nothing is raised. */
const uint8_t *lend_whole(void *opaque, uint64_t address, uint64_t bytes);
/* Memory may have changed: it is looked at anew. */
void lend_forget_spans(struct lend_memory *memory);

/* ---- costs ---- */

/*
 * As work.h counts, added up: an instruction of a warp; of its lanes a sample of a texture, a texel of it
 * (texture_sample()), and an access to memory; a header that is looked up for an image.
 */
#define COST_STEP   256u
#define COST_SAMPLE 192u
#define COST_TEXEL  88u
#define COST_ACCESS 160u
#define COST_HEADER 1024u

/* What a thread has spent that nobody has asked for yet. */
struct lend_costs {
    uint64_t programs; /* as work.h counts */
    uint64_t texture_reads;
};

/* ---- all together ---- */

struct lender {
    struct lend_faults faults;
    struct lend_memory memory;
    struct lend_costs costs;
    struct sampling *sampling; /* NULL: not needed yet */
    const struct image *slots; /* IMAGE_SLOTS of them; NULL: instructions name none */
};

/* Once, in zeroed memory. `threads`: NULL: the memory is this thread's alone. */
void lender_init(struct lender *lender, struct threads *threads);
void lender_free(struct lender *lender);
/* A method begins, or goes on. */
void lender_begin(struct lender *lender, const struct call *call);
/* Memory is looked at anew, and textures are taken from these pools. False: no memory of the host. */
bool lender_start(struct lender *lender, const struct sampling_pools *pools);

/* ---- what programs call: io.opaque is a lender ---- */

bool lend_load(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, void *to,
               unsigned stride);
bool lend_store(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, const void *from,
                unsigned stride);
bool lend_texture(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, const uint32_t *handle,
                  shade_row out[4]);

bool lend_surface(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, struct shade_image *image);

/* A warp has stopped, and not because it is done: raise why. SHADE_BUDGET, SHADE_BARRIER: it takes too long. */
void lend_raise_stop(struct lender *lender, const struct shade_warp *warp, enum shade_stop stop, uint64_t code);

#endif
