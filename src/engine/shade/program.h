/* SPDX-License-Identifier: MIT */
/*
 * Programs: instructions in memory, decoded.
 *
 *   memory --fetch--> struct shade_program --bytes at an address----> struct shade_cache --> struct shade_code
 *                     of an object: what it has                       of a device: each instruction
 *                     read, by address                                is decoded once
 *
 * An instruction is read from memory when it is first run, and is then kept: a program does not see that its memory has
 * changed until it is freed and made anew. Objects do that on INVALIDATE_SHADER_CACHES, and when a program is bound
 * whose memory is not what was read. So nobody can know beforehand which bytes a program consists of, and the cache is
 * one of instructions, by instruction set, address and bytes. What another object has read never shows: each program
 * reads memory itself, and looks for what it has read.
 *
 * For executors that translate whole programs, a program that shade_program_survey() has read to all of its ends has a
 * list of its instructions (struct shade_listing).
 *
 * Threads: the functions of a cache may be called by several threads at the same time. A program belongs to one thread
 * until a survey says that it is complete; then any number of them may run it.
 *
 * UNKNOWN: which caches of instructions the hardware has, and what they still hold after memory was written; chosen: all
 * that has run, until a program is bound. NVK loads programs to where others were, invalidates no instructions before a
 * draw, and needs the new ones to be run [driver].
 */
#ifndef PFIFO_SRC_ENGINE_SHADE_PROGRAM_H
#define PFIFO_SRC_ENGINE_SHADE_PROGRAM_H

#include "isa/shader/isa.h"

/* ---- instructions ---- */

struct shade_warp;

/*
 * The function of an operation: what it means. `lanes` are those of its guard. False: a memory access failed, or there
 * is an error (shade_fail()); the warp stops. Any executor may call it for what it does not translate itself.
 */
typedef bool shade_op(struct shade_warp *warp, const struct ir *ir, uint32_t lanes);

enum shade_word {
    SHADE_WORD_OK,
    SHADE_WORD_SCHEDULE,
    SHADE_WORD_ILLEGAL,
    SHADE_WORD_MISALIGNED,
    SHADE_WORD_UNREADABLE
};

/* A decoded instruction. It does not change. */
struct shade_code {
    struct ir ir;
    shade_op *run;                 /* NULL: it is flow */
    uint8_t word;                  /* enum shade_word */
    uint8_t bytes;                 /* of all of the instruction */
    uint16_t rows;                 /* registers from 0 on, with all that it may touch */
    uint16_t named;                /* the same of the first ones of blocks */
    bool guarded;                  /* there is a guard or a test */
    bool simple;                   /* one operation that is no flow, or words for the scheduler */
    const struct shade_code *more; /* the next operation of the same instruction; NULL: this was the last one */
};

/* ---- the cache of a device ---- */

/* Instructions that no program has at the moment, and that are kept: those used last. */
#define SHADE_CACHE_IDLE 16384u

struct shade_cache;
struct shade_executor;

/* What is in it, and how it did. */
struct shade_cache_use {
    uint32_t instructions, idle; /* idle: of them, those that no program has */
    uint64_t bytes;              /* of the host's memory */
    uint64_t decoded, found, dropped;
};

/* `executor`: what programs are to be translated by (executor.h); NULL: they are interpreted. NULL: no memory. */
struct shade_cache *shade_cache_new(const struct shade_executor *executor);
/* All of its programs have been freed. NULL is allowed. */
void shade_cache_free(struct shade_cache *cache);
struct shade_cache_use shade_cache_use(struct shade_cache *cache);

/* ---- programs ---- */

struct shade_program;

/*
 * Program memory: `count` bytes at `address` of the program region, of an instruction or of a page of them. False: they
 * cannot be read.
 */
typedef bool shade_fetch(void *opaque, uint32_t address, uint8_t *bytes, unsigned count);

/* `entry`: where it begins. `cache`: NULL: one of its own. NULL: no memory. */
struct shade_program *shade_program_new(struct shade_cache *cache, const struct isa *isa, shade_fetch *fetch,
                                        void *opaque, uint32_t entry);
void shade_program_free(struct shade_program *program);
uint32_t shade_program_entry(const struct shade_program *program);
/*
 * Is all that it has read still so in memory? Of one that has read more pages than these nobody looks: it is not, since
 * a guest does not pay for it by how much there is, which a load would change.
 */
#define SHADE_MOST_COMPARED 256u
bool shade_program_is_current(const struct shade_program *program);

/* The instruction at an address was not executed. NULL: that has been reported. */
const struct ir *shade_program_report(struct shade_program *program, uint32_t address);
bool shade_program_reported(struct shade_program *program, uint32_t address);

/* ---- what a program may do ---- */

#define SHADE_SURVEY_TEXTURES 32u

struct shade_survey {
    bool complete;    /* else there may be more of everything, and instructions that are not decoded yet */
    bool memory;      /* loads, stores, atomics, images */
    bool any_texture; /* textures beside those of the list */
    bool by_slot;     /* else words of the bank of handles */
    unsigned textures;
    uint16_t slot[SHADE_SURVEY_TEXTURES];
};

void shade_program_survey(struct shade_program *program, struct shade_survey *survey);

/* ---- for executors ---- */

/* The instruction at an address; it is read and decoded if this program has not had it. Never NULL. */
const struct shade_code *shade_program_code(struct shade_program *program, uint32_t address);

/*
 * The same for a caller that only looks: what the program has not had yet is not kept for it, since its
 * memory may change until it comes there. `bytes`: ISA_MOST_BYTES, with zeros after the instruction set's longest
 * instruction; NULL: they cannot be read.
 */
typedef void shade_look(void *opaque, const struct isa *isa, const struct shade_code *code, const uint8_t *bytes);
void shade_program_look(struct shade_program *program, uint32_t address, shade_look *look, void *opaque);

#define SHADE_PAGE_BITS  8u
#define SHADE_PAGE_SLOTS (1u << SHADE_PAGE_BITS >> 2)

/* Instructions by address, a slot for four bytes. NULL: not read yet. */
struct shade_page {
    uint32_t number; /* address >> SHADE_PAGE_BITS */
    struct shade_page *next;
    const struct shade_code *slots[SHADE_PAGE_SLOTS];
    uint64_t reported, surveyed; /* a bit for each slot */
};

/* Where instructions around an address are; until another one is decoded. NULL: look for each. */
const struct shade_page *shade_program_page(const struct shade_program *program, uint32_t address);

/* All instructions that a program can reach, in the order in which its flow is followed. */
struct shade_listing {
    const struct isa *isa;
    uint32_t entry, count;
    const struct shade_code **codes; /* the owner of the list frees it */
};

/* False: its ways are not all known, or there is no memory. */
bool shade_program_list(struct shade_program *program, struct shade_listing *listing);

#endif
