/* SPDX-License-Identifier: MIT */
/*
 * Primitives to regions of the target. A run of primitives is sorted into squares of pixels; each square is then drawn
 * by itself, with its primitives in order, so squares depend on nothing but their own pixels.
 *
 *   run      primitives that follow each other, up to RUN_QUADS quads together; or one that is larger
 *   region   64 pixels square, or more where there would be too many of them; all of it, if the run is small
 *   part     what is drawn between two looks at the budget: the run, or of a large primitive some of its regions
 *
 * All of this follows from the primitives and the state alone.
 */
#include <stdlib.h>

#include "engine/draw/raster.h"

#define RUN_TILES    1024u /* that the boxes of its primitives meet: so it has no more primitives */
#define RUN_QUADS    16384u
#define SMALL_TILES  16u /* then there is one region */
#define REGION_SHIFT 6u
#define REGIONS      1024u
#define SMOOTH_QUADS 16u /* a quad of smooth shapes, which have many samples, in others */

struct item {
    const struct draw_primitive *primitive;
    struct draw_box box;
    uint32_t stipple;
};

struct raster_team {
    struct draw_result result;
    uint64_t used;
    struct draw_raster *raster;

    /* The run. */
    uint32_t end;          /* the primitive behind it */
    uint32_t stipple;      /* the count behind it */
    uint32_t tiles, quads; /* of all boxes */
    unsigned items;
    struct item item[RUN_TILES];
    struct draw_box box;      /* of all items; its upper left corner is that of a tile, or a region */
    unsigned shift;           /* log2 of pixels of a region */
    uint32_t across, regions; /* of the box */
    uint32_t first[REGIONS + 1];
    uint16_t entry[RUN_TILES]; /* items of region r: from first[r] to before first[r + 1] */
};

struct draw_raster *draw_raster_new(struct memory *memory, draw_shade *shade, void *opaque) {
    struct draw_raster *raster = aligned_alloc(64, (sizeof *raster + 63) / 64 * 64);
    struct raster_team *team = calloc(1, sizeof *team);
    if (!raster || !team) {
        free(raster);
        free(team);
        return NULL;
    }
    memset(raster, 0, sizeof *raster);
    raster->memory = memory;
    raster->shade = shade;
    raster->opaque = opaque;
    raster->team = team;
    team->raster = raster;
    return raster;
}

void draw_raster_free(struct draw_raster *raster) {
    if (raster)
        free(raster->team);
    free(raster);
}

const struct draw_result *draw_raster_result(const struct draw_raster *raster) {
    return &raster->team->result;
}

void draw_raster_begin(struct draw_raster *raster, const struct draw_state *state) {
    raster->team->result = (struct draw_result){0};
    raster_begin(raster, state);
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
    return (uint32_t)((to - 1) / step - from / step + 1);
}

static uint32_t tiles_of(const struct draw_box *box) {
    return steps(box->x0, box->x1, RASTER_TILE) * steps(box->y0, box->y1, RASTER_TILE);
}

static uint32_t quads_of(const struct draw_box *box, const struct draw_state *state) {
    const struct draw_rasterizer *raster = &state->raster;
    bool smooth = raster->line_smooth || raster->point_smooth || raster->polygon_smooth;
    return steps(box->x0, box->x1, 2) * steps(box->y0, box->y1, 2) * (smooth ? SMOOTH_QUADS : 1);
}

/* The first one always has room. */
static bool add_item(struct raster_team *team, const struct draw_primitive *primitive) {
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
    while (steps(box->x0, box->x1, 1 << shift) * steps(box->y0, box->y1, 1 << shift) > REGIONS)
        shift++;
    team->shift = shift;
    team->across = steps(box->x0, box->x1, 1 << shift);
    team->regions = team->across * steps(box->y0, box->y1, 1 << shift);
    box->x0 = box->x0 >> shift << shift;
    box->y0 = box->y0 >> shift << shift;
}

static struct draw_box region_box(const struct raster_team *team, uint32_t number) {
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
    for (uint32_t i = first; i < end && !raster_stopped(raster); i++) {
        const struct item *item = &team->item[all ? i : team->entry[i]];
        raster_primitive(raster, item->primitive, item->stipple, &box);
    }
    pixels_flush(raster);
}

/* The first failure counts, by the number of its region. */
static void add_result(struct raster_team *team, const struct draw_raster *raster) {
    struct draw_result *sum = &team->result, result = raster->result;
    team->used += raster->used;
    result.samples += sum->samples;
    result.fragments += sum->fragments;
    if (!sum->failed && !sum->faulted) {
        *sum = result;
        return;
    }
    sum->samples = result.samples;
    sum->fragments = result.fragments;
}

static bool stopped(const struct raster_team *team) {
    return team->result.failed || team->result.faulted;
}

/* At least one region. */
static uint32_t end_of_part(const struct raster_team *team, uint32_t first) {
    uint32_t smooth = quads_of(&(struct draw_box){0, 0, 1, 1}, team->raster->state);
    uint32_t most = RUN_QUADS / smooth >> 2 * (team->shift - 1);
    most = most ? most : 1;
    return team->items > 1 || team->regions - first < most ? team->regions : first + most;
}

static void draw_run(struct raster_team *team, struct draw_progress *progress, uint64_t budget) {
    while (progress->band < team->regions && !stopped(team)) {
        uint32_t end = end_of_part(team, progress->band);
        for (uint32_t number = progress->band; number < end; number++) {
            draw_region(team, team->raster, number);
            add_result(team, team->raster);
        }
        progress->band = end;
        if (team->used >= budget)
            break;
    }
}

uint64_t draw_primitives(struct draw_raster *raster, const struct draw_primitive *primitives, uint32_t count,
                         struct draw_progress *progress, uint64_t budget) {
    struct raster_team *team = raster->team;
    team->used = 0;
    raster->layered = false; /* memory may have moved since the last call */
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
