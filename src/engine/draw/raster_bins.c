/* SPDX-License-Identifier: MIT */
/*
 * Primitives to regions of the target. A run of primitives is sorted into squares of pixels; each square is then drawn
 * by itself, with its primitives in order, so squares depend on nothing but their own pixels.
 *
 *   run      primitives that follow each other, up to RUN_QUADS quads together; or one that is larger
 *   region   64 pixels square, or more where a run of several would have too many; all of it, if the run is small
 *   part     what is drawn between two looks at the budget: the run, or of a large primitive some of its regions
 *
 * All of this follows from the primitives and the state alone.
 */
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "engine/draw/pixels_vector.h"
#include "engine/draw/raster.h"

#define SHARED_QUADS 128u  /* fewer than these are not worth to wake a thread for */
#define RUN_TILES    1024u /* that the boxes of its primitives meet: so it has no more primitives */
#define RUN_QUADS    8192u /* 49152 units of a budget, and what their programs cost */
#define SMALL_TILES  16u   /* then there is one region */
#define REGION_SHIFT 6u
#define REGIONS      1024u
#define SMOOTH_QUADS 16u /* a quad of smooth shapes, which have many samples, in others */

_Static_assert(1 << REGION_SHIFT >= RASTER_TILE, "a region that an item meets has a tile of it");
_Static_assert(RUN_TILES <= UINT16_MAX && THREADS_MOST <= UINT8_MAX, "numbers of items and of members");

struct item {
    const struct draw_primitive *primitive;
    struct draw_box box;
    uint32_t stipple;
};

struct raster_team {
    struct draw_result result;
    uint64_t used;
    struct draw_raster *member[THREADS_MOST]; /* NULL: not needed yet. The first is the owner's */
    struct draw_raster *raster;               /* that one */
    struct threads *threads;
    bool (*apart)(void *opaque);
    enum { APART_UNKNOWN, APART_NO, APART_YES } is_apart;
    uint32_t begun, called;
    atomic_uint next; /* region of the part, up to part_end */
    uint32_t part_first, part_end;

    /* The run. */
    uint32_t end;          /* the primitive after it */
    uint32_t stipple;      /* the count after it */
    uint32_t tiles, quads; /* of all boxes */
    unsigned items;
    struct item item[RUN_TILES];
    struct draw_box box;      /* of all items; its upper left corner is that of a tile, or a region */
    unsigned shift;           /* log2 of pixels of a region */
    uint32_t across, regions; /* of the box */
    uint32_t first[REGIONS + 1];
    uint16_t entry[RUN_TILES]; /* items of region r: from first[r] to before first[r + 1] */
};

/* ---- the team ---- */

static struct draw_raster *new_member(struct memory *memory, draw_shade *shade, void *opaque) {
    struct draw_raster *raster = aligned_alloc(64, (sizeof *raster + 63) / 64 * 64);
    if (!raster)
        return NULL;
    memset(raster, 0, sizeof *raster);
    raster->memory = memory;
    raster->shade = shade;
    raster->opaque = opaque;
    raster->vector = pixel_vector_of_host();
    return raster;
}

struct draw_raster *draw_raster_new(struct memory *memory, draw_shade *shade, void *opaque) {
    struct draw_raster *raster = new_member(memory, shade, opaque);
    struct raster_team *team = calloc(1, sizeof *team);
    if (!raster || !team) {
        free(raster);
        free(team);
        return NULL;
    }
    raster->team = team;
    team->raster = team->member[0] = raster;
    return raster;
}

void draw_raster_free(struct draw_raster *raster) {
    struct raster_team *team = raster ? raster->team : NULL;
    if (!team)
        return;
    for (unsigned i = 0; i < THREADS_MOST; i++)
        free(team->member[i]);
    free(team);
}

void draw_raster_lend(struct draw_raster *raster, struct threads *threads, bool (*apart)(void *opaque)) {
    raster->team->threads = threads;
    raster->team->apart = apart;
}

const struct draw_result *draw_raster_result(const struct draw_raster *raster) {
    return &raster->team->result;
}

void draw_raster_begin(struct draw_raster *raster, const struct draw_state *state) {
    struct raster_team *team = raster->team;
    team->result = (struct draw_result){0};
    team->is_apart = APART_UNKNOWN;
    raster->begun = ++team->begun;
    raster_begin(raster, state);
}

/* A member that knows what is being drawn. NULL: no memory, and others do its work. */
static struct draw_raster *member_of(struct raster_team *team, uint32_t number) {
    assert(number < THREADS_MOST);
    struct draw_raster *raster = team->member[number];
    if (!raster)
        raster = team->member[number] = new_member(team->raster->memory, team->raster->shade, team->raster->opaque);
    if (!raster)
        return NULL;
    if (raster->begun != team->begun)
        raster_begin(raster, team->raster->state);
    if (raster->called != team->called)
        raster->layered = false; /* memory may have moved since */
    raster->team = team;
    raster->threads = team->threads;
    raster->begun = team->begun;
    raster->called = team->called;
    raster->share.member = (uint8_t)number;
    raster->share.quiet = !team->raster->state->stages.program.effects;
    return raster;
}

/* ---- a run ---- */

static void box_join(struct draw_box *box, const struct draw_box *other) {
    box->x0 = box->x0 < other->x0 ? box->x0 : other->x0;
    box->y0 = box->y0 < other->y0 ? box->y0 : other->y0;
    box->x1 = box->x1 > other->x1 ? box->x1 : other->x1;
    box->y1 = box->y1 > other->y1 ? box->y1 : other->y1;
}

/* Of pixels from `from` to before `to`. */
static uint32_t steps(int32_t from, int32_t to, int32_t step) {
    assert(from >= 0 && from < to);
    return (uint32_t)((to - 1) / step - from / step + 1);
}

static uint32_t tiles_of(const struct draw_box *box) {
    return steps(box->x0, box->x1, RASTER_TILE) * steps(box->y0, box->y1, RASTER_TILE);
}

static uint32_t quads_of(const struct draw_box *box, const struct draw_state *state) {
    const struct draw_raster_state *raster = &state->raster;
    bool smooth = raster->line_smooth || raster->point_smooth || raster->polygon_smooth;
    return steps(box->x0, box->x1, 2) * steps(box->y0, box->y1, 2) * (smooth ? SMOOTH_QUADS : 1);
}

/* The first one always has room. */
static bool add_item(struct raster_team *team, const struct draw_primitive *primitive) {
    assert(team->items < RUN_TILES);
    struct item *item = &team->item[team->items];
    if (!raster_reach(team->raster, primitive, &item->box))
        return true;
    uint32_t tiles = tiles_of(&item->box), quads = quads_of(&item->box, team->raster->state);
    if (team->items && (team->tiles + tiles > RUN_TILES || team->quads + quads > RUN_QUADS))
        return false;
    item->primitive = primitive;
    item->stipple = team->stipple;
    team->tiles += tiles;
    team->quads += quads;
    if (team->items++ == 0)
        team->box = item->box;
    else
        box_join(&team->box, &item->box);
    return true;
}

static void take_items(struct raster_team *team, const struct draw_primitive *primitives, uint32_t count,
                       const struct draw_progress *progress) {
    bool stipples = team->raster->state->raster.line_stipple;
    uint32_t at = progress->primitive;
    team->stipple = progress->stipple;
    team->items = team->tiles = team->quads = 0;
    while (at < count && team->tiles < RUN_TILES && team->quads < RUN_QUADS && add_item(team, &primitives[at])) {
        if (stipples)
            team->stipple = raster_stipple(team->raster, &primitives[at], team->stipple);
        at++;
    }
    team->used += at - progress->primitive;
    team->end = at;
}

static void set_regions(struct raster_team *team) {
    struct draw_box *box = &team->box;
    unsigned shift = REGION_SHIFT;
    team->shift = shift;
    team->across = team->regions = team->items ? 1 : 0;
    if (team->tiles <= SMALL_TILES)
        return;
    while (team->items > 1 && steps(box->x0, box->x1, 1 << shift) * steps(box->y0, box->y1, 1 << shift) > REGIONS)
        shift++;
    team->shift = shift;
    team->across = steps(box->x0, box->x1, 1 << shift);
    team->regions = team->across * steps(box->y0, box->y1, 1 << shift);
    assert(team->items == 1 || team->regions <= REGIONS);
    box->x0 = box->x0 >> shift << shift;
    box->y0 = box->y0 >> shift << shift;
}

static struct draw_box region_box(const struct raster_team *team, uint32_t number) {
    assert(number < team->regions);
    int32_t x = team->box.x0 + (int32_t)(number % team->across << team->shift);
    int32_t y = team->box.y0 + (int32_t)(number / team->across << team->shift);
    if (team->regions == 1)
        return team->box;
    return (struct draw_box){x, y, x + (1 << team->shift), y + (1 << team->shift)};
}

/* The regions that a box meets: columns x0 .. x1 and rows y0 .. y1 of them. */
struct range {
    uint32_t x0, y0, x1, y1;
};

static struct range regions_of(const struct raster_team *team, const struct draw_box *box) {
    return (struct range){
        (uint32_t)(box->x0 - team->box.x0) >> team->shift, (uint32_t)(box->y0 - team->box.y0) >> team->shift,
        (uint32_t)(box->x1 - 1 - team->box.x0) >> team->shift, (uint32_t)(box->y1 - 1 - team->box.y0) >> team->shift};
}

/* Each region of an item has one of its tiles at least, so there are no more entries than tiles. */
static void sort_items(struct raster_team *team) {
    uint32_t *first = team->first;
    if (team->regions <= 1 || team->items == 1)
        return;
    memset(first, 0, (team->regions + 1) * sizeof first[0]);
    for (unsigned i = 0; i < team->items; i++) {
        struct range range = regions_of(team, &team->item[i].box);
        for (uint32_t y = range.y0; y <= range.y1; y++)
            for (uint32_t x = range.x0; x <= range.x1; x++)
                first[y * team->across + x + 1]++;
    }
    for (uint32_t i = 0; i < team->regions; i++)
        first[i + 1] += first[i];
    assert(first[team->regions] <= RUN_TILES);
    for (unsigned i = 0; i < team->items; i++) {
        struct range range = regions_of(team, &team->item[i].box);
        for (uint32_t y = range.y0; y <= range.y1; y++)
            for (uint32_t x = range.x0; x <= range.x1; x++)
                team->entry[first[y * team->across + x]++] = (uint16_t)i;
    }
    for (uint32_t i = team->regions; i > 0; i--) /* each has come to where the next one begins */
        first[i] = first[i - 1];
    first[0] = 0;
}

/* ---- drawing ---- */

static void draw_region(const struct raster_team *team, struct draw_raster *raster, uint32_t number) {
    struct draw_box box = region_box(team, number);
    bool all = team->regions == 1 || team->items == 1;
    uint32_t first = all ? 0 : team->first[number], end = all ? team->items : team->first[number + 1];
    raster->result = (struct draw_result){0};
    raster->used = 0;
    raster->share.regions = team->part_end - team->part_first;
    raster->share.steps = 0;
    pixels_drop(raster);
    for (uint32_t i = first; i < end && !raster_stopped(raster); i++) {
        const struct item *item = &team->item[all ? i : team->entry[i]];
        raster_primitive(raster, item->primitive, item->stipple, &box);
    }
    pixels_flush(raster);
    raster->number = number;
    raster->samples += raster->result.samples;
    raster->fragments_sum += raster->result.fragments;
    raster->used_sum += raster->used;
}

/* Regions of the part, one after the other, as long as none stops. What has stopped stays as it is. */
static void draw_regions(void *argument, uint32_t number) {
    struct raster_team *team = argument;
    struct draw_raster *raster = NULL;
    while (atomic_load(&team->next) < team->part_end) {
        if (!raster && !(raster = member_of(team, number)))
            return;
        uint32_t region = atomic_fetch_add(&team->next, 1);
        if (region >= team->part_end)
            return;
        draw_region(team, raster, region);
        if (raster_stopped(raster)) {
            raster->stopped = true;
            return;
        }
    }
}

/* Of those that have stopped the one in the first region. */
static struct draw_raster *first_stopped(const struct raster_team *team) {
    struct draw_raster *first = NULL;
    for (unsigned i = 0; i < THREADS_MOST; i++) {
        struct draw_raster *raster = team->member[i];
        if (raster && raster->stopped && (!first || raster->number < first->number))
            first = raster;
    }
    return first;
}

static void add_members(struct raster_team *team) {
    for (unsigned i = 0; i < THREADS_MOST; i++) {
        struct draw_raster *raster = team->member[i];
        if (!raster)
            continue;
        team->result.samples += raster->samples;
        team->result.fragments += raster->fragments_sum;
        team->used += raster->used_sum;
        raster->samples = raster->fragments_sum = raster->used_sum = 0;
        raster->stopped = false;
    }
}

/*
 * The failure in the first region is the draw's; the program that failed is run once more to report it. Other regions
 * of the part are drawn all the same, unless programs write memory.
 */
static void fail(struct raster_team *team, struct draw_raster *stopped) {
    struct draw_raster *raster = team->raster;
    struct draw_result *result = &team->result;
    bool quiet = stopped->share.quiet;
    result->failed = stopped->result.failed;
    result->faulted = stopped->result.faulted;
    result->fault_is_zeta = stopped->result.fault_is_zeta;
    result->fault_target = stopped->result.fault_target;
    result->fault = stopped->result.fault;
    if (result->faulted)
        pixel_raise(raster, result);
    stopped->share.member = 0;
    stopped->share.quiet = false;
    if (result->failed && quiet)
        raster->shade(raster->opaque, &stopped->batch->fragments);
    while (quiet && atomic_load(&team->next) < team->part_end)
        draw_regions(team, 0);
}

static bool is_shared(struct raster_team *team) {
    if (!team->threads || team->quads < SHARED_QUADS || team->part_end - atomic_load(&team->next) < 2)
        return false;
    if (team->is_apart == APART_UNKNOWN)
        team->is_apart = !team->apart || team->apart(team->raster->opaque) ? APART_YES : APART_NO;
    return team->is_apart == APART_YES;
}

/* With one thread and with several the TLB must be the same afterwards, so regions leave nothing in it. */
static void draw_part(struct raster_team *team, uint32_t first, uint32_t end) {
    bool held = memory_tlb_hold(team->raster->memory, true);
    atomic_store(&team->next, first);
    team->part_first = first;
    team->part_end = end;
    if (is_shared(team))
        threads_run(team->threads, end - first < THREADS_MOST ? end - first : THREADS_MOST, draw_regions, team);
    else
        draw_regions(team, 0);
    memory_tlb_hold(team->raster->memory, held);
    struct draw_raster *stopped = first_stopped(team);
    if (stopped)
        fail(team, stopped);
    add_members(team);
}

static bool stopped(const struct raster_team *team) {
    return team->result.failed || team->result.faulted;
}

/* At least one region. */
static uint32_t end_of_part(const struct raster_team *team, uint32_t first) {
    uint32_t smooth = quads_of(&(struct draw_box){0, 0, 1, 1}, team->raster->state);
    uint32_t most = RUN_QUADS / smooth >> 2 * (team->shift - 1);
    assert(first < team->regions);
    most = most ? most : 1;
    return team->items > 1 || team->regions - first < most ? team->regions : first + most;
}

static void draw_run(struct raster_team *team, struct draw_progress *progress, uint64_t budget) {
    while (progress->band < team->regions && !stopped(team)) {
        uint32_t end = end_of_part(team, progress->band);
        draw_part(team, progress->band, end);
        progress->band = end;
        if (team->used >= budget)
            break;
    }
}

uint64_t draw_primitives(struct draw_raster *raster, const struct draw_primitive *primitives, uint32_t count,
                         struct draw_progress *progress, uint64_t budget) {
    struct raster_team *team = raster->team;
    team->used = 0;
    team->called++;
    if (raster->state->raster.discard)
        progress->primitive = count;
    while (progress->primitive < count && !stopped(team)) {
        take_items(team, primitives, count, progress);
        set_regions(team);
        sort_items(team);
        draw_run(team, progress, budget);
        if (progress->band < team->regions || stopped(team))
            break;
        *progress = (struct draw_progress){.primitive = team->end, .stipple = team->stipple};
        if (team->used >= budget)
            break;
    }
    return team->used;
}
