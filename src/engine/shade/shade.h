/* SPDX-License-Identifier: MIT */
/*
 * The shader core: runs a program (isa/shader) for a warp of 32 threads, whose registers lie lane by lane. It knows no
 * class, no stage and no encoding: what a stage lends is in struct shade_stage.
 *
 *   struct shade_program *program = shade_program_new(cache, isa, fetch, opaque, address);  kept until its memory changes
 *   shade_warp_begin(&warp, program, &stage, lanes);
 *   fill warp.registers, stage->inputs ...
 *   while (shade_run(&warp, budget, &used) == SHADE_BUDGET) ...
 *   read stage->outputs, or warp.registers of the lanes that ended
 *
 * Threads that take different ways have their own program counter and stack; the ones with the lowest address run
 * first, so they meet again where the ways join.
 */
#ifndef PFIFO_SRC_ENGINE_SHADE_SHADE_H
#define PFIFO_SRC_ENGINE_SHADE_SHADE_H

#include "engine/shade/program.h"

#define SHADE_LANES      32u
#define SHADE_REGISTERS  256u /* one more than can be named: number IR_ZERO reads 0 */
#define SHADE_PREDICATES 8u   /* number IR_TRUE is true */
#define SHADE_ATTRIBUTES 256u /* words of the attribute space, 0x000 .. 0x3fc */
#define SHADE_BANKS      18u
#define SHADE_STACK      64u /* entries of a lane. UNKNOWN: how many there are; this is more than compilers need */

/* A row: the values of the lanes. Aligned for vector code. */
typedef uint32_t shade_row[SHADE_LANES] __attribute__((aligned(64)));

/* Why a warp stopped. */
enum shade_stop {
    SHADE_DONE,    /* all lanes have ended */
    SHADE_BUDGET,  /* the budget is used up: call again */
    SHADE_BARRIER, /* waits in IR_BAR (compute): call again when the others have come */
    SHADE_ERROR,   /* the instruction at warp.fault_address failed: warp.error says how */
    SHADE_FAULT,   /* a memory access of the stage failed, or the program lies outside of memory: warp.unreadable */
};

/*
 * Errors of a warp, with the numbers that GF100 and later show (nouveau nvkm/engine/gr/gf100.c, gf100_mp_warp_error;
 * nvgpu, hww_warp_esr). UNKNOWN: which error an operation raises where the name leaves that open; see where it is.
 */
enum shade_error {
    SHADE_OK,
    SHADE_STACK_ERROR = 0x01,
    SHADE_RET_EMPTY_STACK = 0x03,
    SHADE_MISALIGNED_PC = 0x05,
    SHADE_ILLEGAL_ENCODING = 0x09,
    SHADE_OOR_REGISTER = 0x0d,
    SHADE_OOR_ADDRESS = 0x0e,
    SHADE_MISALIGNED_ADDRESS = 0x0f,
    SHADE_INVALID_SPACE = 0x10,
};

/* ---- what a stage lends ---- */

struct shade_compiled;

/* A bank of constants. Reads beyond `bytes` give 0. */
struct shade_constants {
    const uint8_t *data;
    uint32_t bytes;
};

/* All callbacks get lanes as a mask; rows of other lanes are not to be touched. None that can be called is NULL. */
struct shade_stage {
    void *opaque;
    const struct shade_compiled *compiled; /* shade_compile(); NULL: programs are interpreted */
    struct shade_constants constants[SHADE_BANKS];
    uint8_t texture_bank; /* where bound handles are (TEX_CB_INDEX) */
    uint16_t registers;   /* of a thread: others are out of range. 0: not checked */
    shade_row *inputs;    /* SHADE_ATTRIBUTES rows: what IR_ALD reads. NULL: input() is asked */
    shade_row *outputs;   /* SHADE_ATTRIBUTES rows: what IR_AST writes */
    uint8_t *local;       /* SHADE_LANES * local_bytes: l[] of a lane is contiguous */
    uint32_t local_bytes;
    uint8_t *shared; /* of the block of threads; NULL: none */
    uint32_t shared_bytes;
    uint32_t local_window, shared_window; /* addresses of 16 MiB each in the generic space; 0: none */
    bool quads;                           /* lanes are pixels, in quads */
    bool flat;                            /* SHADE_MODEL: IR_IPA of mode 3 is constant, and not multiplied */

    /* Attribute `word` (address / 4) of vertex `vertex`, for stages with several input vertices. */
    void (*input)(struct shade_warp *warp, uint32_t lanes, const uint32_t *word, const uint32_t *vertex, bool output,
                  bool patch, uint32_t *out);
    /* IR_IPA without its multiplication: the plane of attribute word (address / 4) where `sample` says. */
    void (*interpolate)(struct shade_warp *warp, uint32_t lanes, const uint32_t *word, const struct ir *ir,
                        const uint32_t *offset, uint32_t *out);
    /* IR_S2R for what the core does not know: all but the lane's number, its masks and THREAD_KILL. */
    void (*special)(struct shade_warp *warp, uint32_t lanes, uint32_t number, uint32_t *out);
    /* IR_PIXLD. */
    void (*pixel)(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, const uint32_t *a, uint32_t *out);
    /* Global memory, up to 16 bytes for each lane. Lanes that fail: false, and the warp ends with SHADE_FAULT. */
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
    /* Operations of images. False: not executed, which is reported by name. */
    bool (*surface)(struct shade_warp *warp, uint32_t lanes, const struct ir *ir);
    /* IR_OUT of geometry programs. */
    void (*emit)(struct shade_warp *warp, uint32_t lanes, const struct ir *ir, const uint32_t *stream);
    bool collects; /* not_executed() is called again and again: shade_program_report() says when to report */
    /* An instruction that is known and not executed, by name: reported once for each address. */
    void (*not_executed)(struct shade_warp *warp, const struct ir *ir);
};

/* ---- warps ---- */

struct shade_stack {
    uint8_t type[SHADE_STACK];
    uint32_t target[SHADE_STACK];
};

struct shade_warp {
    shade_row registers[SHADE_REGISTERS];
    uint32_t predicates[SHADE_PREDICATES]; /* masks of lanes */
    uint32_t zero, sign, carry, overflow;  /* the flags, as masks */
    uint32_t pc[SHADE_LANES];
    bool together; /* those that are alive have the same pc */
    struct shade_stack stacks[SHADE_LANES];
    uint8_t depth[SHADE_LANES]; /* of the stacks */
    uint32_t alive;             /* run, or wait */
    uint32_t killed;            /* by IR_KIL: they go on, for derivatives, and have no effect outside */
    uint32_t helpers;           /* were never part of the primitive: the same */
    uint32_t waiting;           /* in IR_BAR */
    uint32_t all_mode[8];       /* masks that IR_SAM has put by */
    uint8_t all_depth;
    uint32_t fault_address;
    uint8_t error;   /* enum shade_error */
    bool unreadable; /* the instruction itself */
    uint16_t zeroed; /* registers below have been written since the warp began; the others are made 0 when named */
    struct shade_program *program;
    struct shade_stage *stage;
    uint64_t instructions; /* executed so far, one for all lanes that run it together */
};

/*
 * Lanes of the mask start at the program's entry, with registers 0. Helpers are a part of `lanes`. To give registers
 * values at the beginning, raise `zeroed` above them.
 */
void shade_warp_begin(struct shade_warp *warp, struct shade_program *program, struct shade_stage *stage, uint32_t lanes,
                      uint32_t helpers);

/* Run at most `budget` instructions; *used: how many it were. */
enum shade_stop shade_run(struct shade_warp *warp, uint64_t budget, uint64_t *used);

/* The row of a register, to read: zeros for IR_ZERO. */
static inline const uint32_t *shade_lanes(const struct shade_warp *warp, uint8_t number) {
    return warp->registers[number];
}

#endif
