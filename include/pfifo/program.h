/* SPDX-License-Identifier: MIT */
/*
 * Shader programs at work, instruction by instruction, for debuggers: of draws and of launches, Fermi to Pascal.
 *
 *   static void look(void *opaque, const struct pfifo_program_step *step, struct pfifo_warp *warp) {
 *       char text[PFIFO_INSTRUCTION_BYTES];
 *       uint32_t value;
 *       pfifo_warp_instruction(warp, step->pc, text, sizeof text);           // "FMUL R0, R0, c[0x1][0x20]"
 *       if (step->stage == PFIFO_STAGE_FRAGMENT && pfifo_warp_register(warp, 5, 0, &value))
 *           printf("%s: R0 of lane 5 is 0x%08x\n", text, value);
 *   }
 *   pfifo_gpu_watch_programs(gpu, look, NULL);
 *
 * A warp is 32 threads, the lanes: vertices, pixels in quads, invocations or threads of a block. Lanes that are at the
 * same address execute an instruction together; those at the lowest address go first.
 *
 * Nothing that the GPU does depends on whether somebody watches, but it is slower: programs are interpreted, and on one
 * thread. Warps come in the same order each time.
 *
 * A warp of a draw ends in the unit of work in which it begins. One of a launch may go on in later units, with the same
 * number; a channel runs the blocks of a launch one after the other.
 *
 * Library: libpfifo
 */
#ifndef PFIFO_PROGRAM_H
#define PFIFO_PROGRAM_H

#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pfifo_gpu;
struct pfifo_warp;

/* Which program it is. */
enum pfifo_stage {
    PFIFO_STAGE_VERTEX_A, /* the first of two vertex programs */
    PFIFO_STAGE_VERTEX,
    PFIFO_STAGE_CONTROL,    /* of tessellation */
    PFIFO_STAGE_EVALUATION, /* of tessellation */
    PFIFO_STAGE_GEOMETRY,
    PFIFO_STAGE_FRAGMENT,
    PFIFO_STAGE_COMPUTE, /* of a launch */
    PFIFO_STAGES
};

/* "vertex", "fragment" ...; NULL: there is no such. */
PFIFO_API const char *pfifo_stage_name(unsigned stage);

#define PFIFO_LANES             32u
#define PFIFO_PREDICATES        7u  /* P0 .. P6 */
#define PFIFO_INSTRUCTION_BYTES 400 /* enough for the text of any instruction */

/* A warp is about to execute an instruction. Masks have a bit for each lane. */
struct pfifo_program_step {
    enum pfifo_stage stage;
    uint32_t channel;
    uint64_t program;  /* address: of its header, as struct pfifo_draw has it; of a launch, of its first instruction */
    uint64_t code;     /* where the program region begins: addresses of instructions are offsets in it */
    uint32_t entry;    /* the first instruction of the program */
    uint32_t pc;       /* the instruction */
    uint64_t warp;     /* number of the warp, of those that have been seen, from 0 */
    uint64_t executed; /* instructions that the warp has executed before this one */
    uint32_t lanes;    /* that are at it ... */
    uint32_t active;   /* ... and are going to do it: its guard is true for them */
    uint32_t alive;    /* have not ended; others have none of what follows */
    uint32_t killed;   /* pixels that were discarded, and go on for the others of their quad */
    uint32_t helpers;  /* pixels that never were a part of the primitive: the same */
    uint32_t waiting;  /* at a barrier */
    uint32_t predicate[PFIFO_PREDICATES];
    uint32_t zero, sign, carry, overflow; /* the flags */
};

/* `warp` is valid in the call. The functions that follow may be called, and those that read the GPU. */
typedef void (*pfifo_program_watch)(void *opaque, const struct pfifo_program_step *step, struct pfifo_warp *warp);

/*
 * Call `watch` before each instruction of each program; NULL: not any more. One at a time: the last one counts. Not to
 * be called in a run.
 */
PFIFO_API void pfifo_gpu_watch_programs(struct pfifo_gpu *gpu, pfifo_program_watch watch, void *opaque);

/* ---- what stages make ---- */

/*
 * A point, line or triangle of a draw, where the raster will draw it: in pixels of the target, y as its rows lie in
 * memory. What clipping has cut off is gone, and what it has made is there.
 */
struct pfifo_primitive {
    uint32_t channel;
    unsigned corners; /* 1, 2 or 3 */
    float x[3], y[3];
};

typedef void (*pfifo_primitive_watch)(void *opaque, const struct pfifo_primitive *primitive);

/*
 * Call `watch` for each primitive of each draw, before any pixel is drawn; NULL: not any more. One at a time. The draw
 * is the one whose engine.draw follows. A GPU that was loaded within a draw may tell some of its primitives once more.
 */
PFIFO_API void pfifo_gpu_watch_primitives(struct pfifo_gpu *gpu, pfifo_primitive_watch watch, void *opaque);

/* ---- a warp ---- */

/* A register of a lane, from 0 on. False: there is no such lane or register. */
PFIFO_API bool pfifo_warp_register(const struct pfifo_warp *warp, unsigned lane, unsigned number, uint32_t *value);

/* So many registers have been written since the warp began; the others are 0. */
PFIFO_API unsigned pfifo_warp_registers(const struct pfifo_warp *warp);

/* Where a lane is, as an offset in the program region. */
PFIFO_API uint32_t pfifo_warp_pc(const struct pfifo_warp *warp, unsigned lane);

/* What a lane is. */
struct pfifo_warp_thread {
    const char *is; /* "vertex", "invocation" (control), "point" (evaluation), "primitive", "pixel", "thread" */
    unsigned count; /* of the numbers that it has: */
    /*
     * Vertex and instance; invocation and patch; point and patch; primitive and instance; x and y; the thread in its block,
     * and the block in its grid, each x, y, z.
     */
    uint32_t at[6];
};
PFIFO_API void pfifo_warp_thread(const struct pfifo_warp *warp, unsigned lane, struct pfifo_warp_thread *thread);

/*
 * Entry `index` of a lane's stack, from the topmost, 0, on: what it is for ("sync", "break", "continue", "return",
 * "longjmp", "exit") and the address that it leads to. False: there are fewer.
 */
PFIFO_API bool pfifo_warp_stack(const struct pfifo_warp *warp, unsigned lane, unsigned index, const char **what,
                                uint32_t *target);

/* What a program reads and writes beside memory. */
enum pfifo_warp_space {
    PFIFO_WARP_CONSTANT, /* c[bank][] */
    PFIFO_WARP_LOCAL,    /* l[] of the lane */
    PFIFO_WARP_SHARED,   /* s[] of the block */
    PFIFO_WARP_INPUT,    /* a[] of the lane, or of one of the vertices of its primitive or patch; not interpolated */
    PFIFO_WARP_OUTPUT,   /* a[] of the lane, as it has been written */
    PFIFO_WARP_PATCH,    /* a[] of the patch, which control and evaluation programs read */
};

/*
 * Bytes of a space. `bank`: of constants; of inputs, the number of the vertex, where a lane has several. `lane`: not of
 * constants and shared memory. False: not all of them are there.
 */
PFIFO_API bool pfifo_warp_read(const struct pfifo_warp *warp, enum pfifo_warp_space space, unsigned bank, unsigned lane,
                               uint64_t address, void *data, size_t bytes);

/*
 * The instruction at an address of its program region, as pfifo_shader_format() has it: "schedule ..." is a word for the
 * scheduler, "illegal" none. Returns its length in bytes; 0: it cannot be read, and the text is empty.
 */
PFIFO_API unsigned pfifo_warp_instruction(struct pfifo_warp *warp, uint32_t address, char *text, size_t room);

#ifdef __cplusplus
}
#endif

#endif
