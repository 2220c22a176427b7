/* SPDX-License-Identifier: MIT */
/*
 * What a program may touch, as plain data: an executor reads and writes it without asking anybody. Whoever runs a
 * program fills it in (a stage of a draw, a launch); nothing of it is known to the program but what is here.
 *
 *   constants --> c[]      inputs, planes --> ALD, IPA      outputs, emission <-- AST, OUT
 *   local, shared, spans <-> LD, ST, ATOM, by their windows in the generic space
 *   specials --> S2R       slots, texture_bank --> handles of textures
 *
 * Calls are left for what needs an engine: memory outside of the spans, with its faults; textures and images; where a
 * fragment is interpolated; reports. They get lanes as a mask, and do not touch the rows of other lanes.
 */
#ifndef PFIFO_SRC_ENGINE_SHADE_IO_H
#define PFIFO_SRC_ENGINE_SHADE_IO_H

#include "engine/shade/program.h"

#define SHADE_LANES      32u
#define SHADE_ATTRIBUTES 256u /* words of the attribute space, 0x000 .. 0x3fc */
#define SHADE_BANKS      18u

/* A row: the values of the lanes. Aligned for vector code. */
typedef uint32_t shade_row[SHADE_LANES] __attribute__((aligned(64)));
#define SHADE_WINDOW     0x1000000u /* bytes that the generic space shows of local and of shared memory */
#define SHADE_SLOTS      32u
#define SHADE_LOCK_BYTES 128u /* of shared memory have a word of locks */

struct shade_compiled;
struct shade_identity;
struct shade_watch;

/* A bank of constants. Reads beyond `bytes` give 0. */
struct shade_constants {
    const uint8_t *data;
    uint32_t bytes;
};

/* Vertices that are not the lane's own: of a primitive or a patch. What is outside of them reads 0. */
struct shade_vertices {
    const uint32_t *words; /* SHADE_ATTRIBUTES of each vertex, for IR_ALD */
    const uint32_t *patch; /* SHADE_ATTRIBUTES of the patch, for IR_ALD with `patch`; or NULL */
    uint32_t count;        /* of a lane's vertices */
    const uint32_t *first; /* a row: which vertex is a lane's number 0; NULL: the first, for all of them */
};

#define SHADE_EMITTED_STREAM 3u
#define SHADE_EMITTED_CUT    4u /* the strip of its stream ends after it */

/* Vertices that IR_OUT emits, lane after lane, each with a mark. Those beyond the room are dropped. */
struct shade_emission {
    const uint8_t *kept; /* which words of the attribute space a vertex has */
    uint32_t kept_count;
    uint32_t most;   /* vertices of a lane */
    uint32_t *words; /* of all lanes: SHADE_LANES * most * kept_count */
    uint8_t *marks;  /* SHADE_LANES * most: SHADE_EMITTED_... */
    uint32_t count[SHADE_LANES];
};

/* Of a special register that grows with each instruction of the warp: which word it is of 64 bits that do. */
enum shade_count { SHADE_STAYS, SHADE_COUNTS_LOW, SHADE_COUNTS_HIGH };

/* A special register: a value for all lanes, or one for each. */
struct shade_special {
    uint32_t number, value;
    const uint32_t *row; /* NULL: `value` */
    enum shade_count count;
    uint32_t low; /* of SHADE_COUNTS_HIGH: the other word */
};

/* Contiguous memory of the host at an address of the GPU. */
struct shade_span {
    uint64_t address, bytes;
    uint8_t *data;
    bool writable;
};

/* What slots of textures are bound to, of instruction sets that name slots (Fermi): an index, or SHADE_UNBOUND. */
struct shade_slots {
    uint32_t header[SHADE_SLOTS], sampler[SHADE_SLOTS];
};
#define SHADE_UNBOUND UINT32_MAX

/* UNKNOWN: slots beyond 32; chosen: they are not there. */
static inline void shade_slot_bind(uint32_t slots[SHADE_SLOTS], uint32_t slot, bool valid, uint32_t index) {
    if (slot < SHADE_SLOTS)
        slots[slot] = valid ? index : SHADE_UNBOUND;
}

/* A word that a program asks for at the default place, with IR_IPA's mode. */
struct shade_wanted {
    uint16_t word, mode;
};
#define SHADE_MOST_WANTED 32u

/* What an operation of images gives, zeros to begin with. */
struct shade_image {
    shade_row out[4];
    uint32_t outside; /* lanes whose place is not in the image */
    uint8_t error;    /* enum shade_error: the instruction fails */
    bool missing;     /* nothing was done: it is known, and not executed */
};

struct shade_io {
    void *opaque;                          /* of whoever fills this in, for the calls */
    const struct shade_compiled *compiled; /* shade_compile(); NULL: programs are interpreted */
    struct shade_watch *watch;             /* is told of each instruction (watch.h); NULL: nobody is */
    const struct shade_identity *identity; /* whose program it is; needed only with a watch */

    struct shade_constants constants[SHADE_BANKS];
    uint8_t texture_bank; /* where bound handles are (TEX_CB_INDEX) */
    uint16_t registers;   /* of a thread: others are out of range. 0: not checked */
    uint16_t results;     /* registers that are read when the warp has ended: they are 0 if nothing named them */
    bool quads;           /* lanes are pixels, in quads */
    bool flat;            /* SHADE_MODEL: IR_IPA of mode 3 is constant, and not multiplied */
    bool grouped;         /* the warp is of a group, which completes barriers (group.h) */
    bool collects;        /* not_executed() is called again and again: shade_program_report() says when to report */

    /* SHADE_ATTRIBUTES rows. NULL: there are none. */
    shade_row *inputs;  /* what IR_ALD reads without a vertex */
    shade_row *outputs; /* what IR_AST writes; of other lanes of the warp, IR_ALD with `output` reads it */
    uint32_t *patch;    /* SHADE_ATTRIBUTES words, which IR_AST with `patch` writes; NULL: there is no patch */
    const struct shade_vertices *vertices;
    struct shade_emission *emission;
    const struct shade_special *specials; /* numbers that are not in the list read 0. NULL: not executed */
    unsigned special_count;
    const struct shade_slots *slots; /* NULL: instructions name none */

    uint8_t *local; /* SHADE_LANES * local_bytes: l[] of a lane is contiguous */
    uint32_t local_bytes;
    uint8_t *shared; /* of the block of threads; NULL: none */
    uint32_t shared_bytes;
    uint32_t local_high; /* of local_bytes, so many are at the end of its window, the others at its beginning */
    uint32_t *locks;     /* bits of the words of shared memory: some thread has locked it. NULL: see LD_LOCK */
    uint64_t local_window, shared_window; /* addresses of SHADE_WINDOW each in the generic space; 0: none */
    const struct shade_span *spans;       /* of global memory; where they meet, the first one counts */
    unsigned span_count;

    /*
     * Global memory that is in no span, up to 16 bytes for each lane. Lanes that fail: false, and the warp ends with
     * SHADE_FAULT.
     */
    bool (*load)(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, void *to,
                 unsigned stride);
    bool (*store)(struct shade_warp *warp, uint32_t lanes, const uint64_t *address, unsigned bytes, const void *from,
                  unsigned stride);
    /*
     * A texture operation. `handle`: index of the header in bits 19..0 and of the sampler in 31..20, or for Fermi slots
     * (texture.by_slot). The rest by the registers that `ir` names: shade_lanes() gives them. `out`: 4 rows.
     */
    bool (*texture)(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, const uint32_t *handle,
                    shade_row out[4]);
    /*
     * Loads, stores and atomics of images; the registers that `ir` names by shade_lanes(). Lanes of stores and atomics
     * are those that have an effect. False: image->error, or a fault.
     */
    bool (*surface)(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, struct shade_image *image);
    /* IR_IPA without its multiplication: the plane of attribute word (address / 4) where `sample` says. */
    void (*interpolate)(struct shade_warp *warp, uint32_t lanes, const uint32_t *word, const struct ir *ir,
                        const uint32_t *offset, uint32_t *out);
    /* The same of one word at the default place, for all lanes: others may be written. NULL or false: not known. */
    bool (*interpolate_all)(struct shade_warp *warp, uint32_t word, const struct ir *ir, uint32_t *out);
    /* The same of several words, to rows of `interpolated`: what a run of instructions is going to ask for. NULL: not known. */
    void (*interpolate_list)(struct shade_warp *warp, const struct shade_wanted *wanted, unsigned count,
                             shade_row *out);
    shade_row *interpolated; /* SHADE_MOST_WANTED */
    /* IR_PIXLD: what the raster knows of the pixels. */
    void (*pixel)(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, const uint32_t *a, uint32_t *out);
    /* An instruction that is known and not executed, by name: reported once for each address. */
    void (*not_executed)(struct shade_warp *warp, const struct ir *ir);
};

#endif
