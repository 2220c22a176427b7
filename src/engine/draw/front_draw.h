/* SPDX-License-Identifier: MIT */
/* What the files of the front share. Nobody else includes this. */
#ifndef PFIFO_SRC_ENGINE_DRAW_FRONT_DRAW_H
#define PFIFO_SRC_ENGINE_DRAW_FRONT_DRAW_H

#include <pfifo/draw.h>

#include "engine/core/register_file.h"
#include "engine/core/work.h"
#include "engine/draw/assembly.h"
#include "engine/draw/front.h"
#include "engine/draw/sampling.h"
#include "engine/draw/state_gf100.h"
#include "engine/draw/threads.h"
#include "engine/shade/shade.h"

#define FRONT_QUEUE      512u /* vertices that wait */
#define FRONT_PRIMITIVES 40u  /* of a batch, before clipping */
#define FRONT_BATCHES    16u  /* of a group */
#define FRONT_MISSING    16u  /* instructions that are not executed */
#define FRONT_PROGRAMS   32u  /* that are kept */
#define FRONT_BANKS      18u  /* of constants */
#define FRONT_GROUPS     5u   /* of constants and textures, that stages name */
/*
 * Instructions of a warp, after which it does not end. Long ones share a limit for the whole draw, so that a draw takes
 * seconds at most: what each has beyond FRONT_LONG counts. UNKNOWN: how long hardware waits (it is a time, some
 * seconds, in which it executes a thousand times as much as the model).
 */
#define FRONT_STEPS    (UINT64_C(1) << 22)
#define FRONT_LONG     (UINT64_C(1) << 16)
#define FRONT_LONG_ALL (UINT64_C(1) << 24)
#define FRONT_SHARES   16u /* regions that may take as long as the whole draw; more have less each */
/* As work.h counts, beside each other: a quad, a batch of vertices; an instruction of a warp; of its lanes a sample of
 * a texture, a texel of it (texture_sample()), and an access to memory. */
#define FRONT_QUAD_COST   768u
#define FRONT_BATCH_COST  20480u
#define FRONT_STEP_COST   256u
#define FRONT_SAMPLE_COST 192u
#define FRONT_TEXEL_COST  88u
#define FRONT_ACCESS_COST 160u
#define FRONT_POOL        (FRONT_PRIMITIVES * CLIP_MOST_VERTICES) /* most that clipping a batch makes */
#define FRONT_DRAWN       (FRONT_PRIMITIVES * CLIP_MOST_PRIMITIVES)

struct front_item {
    struct assembly_vertex vertex;
    bool restart; /* no vertex: the primitive ends */
};

struct front_work;

/* Of the draw under way, for observers (front_tally.c). */
struct front_tally {
    bool fed; /* a method has brought vertices */
    uint32_t first;
    uint64_t asked, vertices, primitives, fragments, samples;
    bool numbered;                   /* a vertex was fetched: */
    uint32_t lowest, highest;        /* the numbers of such vertices */
    uint64_t index_begin, index_end; /* addresses of the indices */
    struct pfifo_draw_work work;
    uint32_t texture_count;
    uint32_t texture[PFIFO_DRAW_TEXTURES]; /* headers, in order */
};

/* Of an object: what is saved, and what is derived. */
struct front {
    bool drawing, allowed; /* between BEGIN and END; its condition was true */
    bool open_end;
    uint32_t instance, stipple;
    uint64_t long_steps;               /* of the draw so far: instructions of warps beyond FRONT_LONG */
    uint32_t inline_left, inline_skip; /* inline indices: of SETUP; UINT32_MAX: no limit */
    struct assembly assembly;
    uint32_t queued;
    struct front_item queue[FRONT_QUEUE];
    uint32_t constant[VERTEX_ATTRIBUTES][4];   /* attributes that are constant */
    struct sampling_slots slots[FRONT_GROUPS]; /* Fermi: textures that are bound */
    struct front_inline *data;                 /* inline vertices; NULL: there have been none */
    struct front_tally tally;
    struct front_work *work;
};

/* The counters of a launch (core/work.h). */
struct front_progress {
    uint64_t vertex;                   /* that go into the queue next */
    uint64_t primitive, band, stipple; /* in the group under way */
};

/* Memory that is read often: the last spans. */
struct front_span {
    uint64_t address, bytes;
    const uint8_t *data;
};

#define FRONT_SPANS 256u
struct front_program {
    struct shade_program *program; /* NULL: none */
    const struct isa *isa;
    uint64_t code;
    uint32_t start;
    bool surveyed;
    struct shade_survey survey;
    struct memory *memory; /* where instructions are read */
    struct address_space space;
};

/* Vertices that a warp has shaded, and the primitives that they end. */
struct front_batch {
    uint32_t taken; /* items of the queue */
    struct assembly after;
    unsigned lanes;
    struct assembly_vertex lane[SHADE_LANES];
    unsigned assembled;
    struct assembled primitive[FRONT_PRIMITIVES + ASSEMBLY_MOST];
    shade_row position[4], layer, viewport; /* as the program wrote them */
    struct draw_vertex vertex[SHADE_LANES];
};

/* Batches that are drawn together. */
struct front_group {
    unsigned batches;
    struct front_batch batch[FRONT_BATCHES];
    struct clip_pool pool;
    struct draw_vertex room[2 * FRONT_POOL];
    unsigned drawn_count;
    struct draw_primitive drawn[FRONT_DRAWN + FRONT_BATCHES * FRONT_PRIMITIVES];
};

/* What a thread works with. The first one, which the object has, leads the others. */
struct front_work {
    struct front *front;
    struct front_work *lead;                 /* NULL: this one */
    struct front_work *member[THREADS_MOST]; /* NULL: not needed yet */
    struct threads threads;
    uint32_t decodes, prepared; /* of the lead; of others: what they know of */
    bool quiet;                 /* what fails is not raised: it is tried again, or nobody asked for it */
    unsigned missing;
    uint32_t missing_at[FRONT_MISSING]; /* of the fragment program */
    struct memory *memory;
    struct address_space space;
    const struct call *call; /* the method under way */

    /* State, and the values of methods that it was decoded from. */
    bool decoded;
    uint32_t value[ENGINE_MAX_WORDS];
    struct front_source source;
    struct front_state state;

    struct front_program programs[FRONT_PROGRAMS];
    unsigned next_program;
    struct shade_program *program[STAGES];
    struct shade_stage stage[STAGES];
    uint8_t *copies[STAGES][FRONT_BANKS]; /* of constants that are not contiguous in the host; NULL: not needed yet */
    uint64_t constants_at[FRONT_BANKS];   /* addresses, of the fragment program */
    uint8_t *local;                       /* SHADE_LANES * local_bytes */
    uint32_t local_bytes;

    struct front_span spans[FRONT_SPANS];
    struct sampling *sampling;
    enum unit_use use;           /* of accesses now */
    bool failed;                 /* a fault or an error has been raised */
    uint64_t long_steps;         /* beyond FRONT_LONG, that the draw does not know of yet */
    uint64_t cost;               /* of programs, that is not yet paid */
    struct pfifo_draw_work done; /* that the tally does not know of yet */

    struct shade_warp warp;
    shade_row inputs[SHADE_ATTRIBUTES], outputs[SHADE_ATTRIBUTES];
    struct draw_fragments *fragments; /* that are being shaded */

    bool ready; /* the group under way is */
    struct front_group *group;

    struct draw_raster *raster;
    struct front_state shown; /* as it was when a draw ended */
};

/* ---- front_stage.c ---- */

struct front_work *front_work_new(struct front *front);
void front_work_free(struct front_work *work);
/* State, programs, constants for this method. False: it cannot be drawn, which has been reported. */
bool front_prepare(struct front_work *work, const struct call *call);
/* Memory is looked at anew. False: no memory of the host. */
bool front_start(struct front_work *work);
/* The place of a program that is kept. */
struct front_program *front_program_of(struct front_work *work, const struct shade_program *program);
/* Programs are read anew. */
void front_forget_programs(struct front_work *work);
/* vertex_read: a memory reader over the last spans. */
bool front_read(void *opaque, uint64_t address, void *data, unsigned bytes);
/* The byte at an address, and how many follow in one piece. NULL: a fault, which has been raised. */
const uint8_t *front_at(void *opaque, uint64_t address, uint64_t *bytes);
void front_forget_spans(struct front_work *work);
/* Run the warp to its end. False: it has failed, which has been raised. */
bool front_run(struct front_work *work);
/* Report why drawing ended. */
void front_report(struct front_work *work);

/* ---- front_inline.c ---- */

void front_inline_state(struct front *front, struct state_io *io);
void front_inline_free(struct front *front);
void front_inline_begin(struct front *front);

enum front_inline_result { FRONT_INLINE_PART, FRONT_INLINE_VERTEX, FRONT_INLINE_NO_MEMORY };

/* A word of VERTEX_DATA. FRONT_INLINE_VERTEX: it was the last one of a vertex: */
enum front_inline_result front_inline_word(struct front *front, const struct call *call);
struct assembly_vertex front_inline_last(const struct front *front, const struct call *call);
/* Four values of an attribute. */
const uint32_t *front_inline_value(const struct front *front, uint32_t place, unsigned attribute);

enum front_result { FRONT_DONE, FRONT_PAUSED, FRONT_FAILED };

/* ---- front_batch.c ---- */

/* Take a batch from item `first` of the queue on. */
void front_take(const struct front *front, struct front_batch *batch, const struct assembly *before, uint32_t first);
/* Run the vertex program. False: it has failed. */
bool front_shade(struct front_work *work, struct front_batch *batch);

/* ---- front_group.c ---- */

/* Draw what waits in the queue, or the first of it, within the budget; *cost is added to. `more` will follow. */
enum front_result front_group(struct front_work *work, struct front_progress *at, bool more, uint64_t budget,
                              uint64_t *cost);

/* ---- front_apart.c ---- */

bool front_apart(void *opaque);
/* Member `number` of a slice. NULL: there is none, or it has not taken part in it. */
struct front_work *front_taking_part(struct front_work *work, unsigned number);
/* NULL: no memory. */
struct front_work *front_member(struct front_work *lead, unsigned number);

/* ---- front_tally.c ---- */

void front_tally_state(struct front_tally *tally, struct state_io *io);
/* A method begins to bring so many vertices. */
void front_tally_feed(struct front_tally *tally, uint32_t first, uint64_t count);
/* Indices are read, `count` from an address on. */
void front_tally_indices(struct front_tally *tally, uint64_t address, uint64_t bytes);
static inline void front_tally_vertex(struct front_tally *tally, uint32_t number) {
    tally->lowest = !tally->numbered || number < tally->lowest ? number : tally->lowest;
    tally->highest = !tally->numbered || number > tally->highest ? number : tally->highest;
    tally->numbered = true;
}
/* Behind a slice. */
void front_tally_slice(struct front_work *work);
/* A draw has ended: observers are told, if it drew vertices. */
void front_tally_end(struct front *front, const struct call *call);

/* ---- front_access.c ---- */

/* Tell observers what a draw has read and written, by the state that it ended with. */
void front_access_tell(const struct front *front, const struct call *call, struct front_state *state,
                       const struct front_source *source);
/* A texture, as its header is in memory now. False: the header makes no sense. */
bool front_access_view(struct texture_view *view, const struct front_state *state, const struct front_source *source,
                       const struct fifo *fifo, uint32_t header);

/* ---- front_fragment.c ---- */

bool front_fragments(void *opaque, struct draw_fragments *fragments); /* draw_shade */
void front_fragment_stage(struct shade_stage *stage);

#endif
