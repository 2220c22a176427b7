/* SPDX-License-Identifier: MIT */
/*
 * Inside the macro processor: the machine and its instruction sets.
 *
 * An instruction either happens as a whole or, if a parameter that it fetches is not there, not yet. What it sends is
 * queued, and sent before the next one.
 */
#ifndef PFIFO_SRC_ENGINE_MACRO_MACHINE_H
#define PFIFO_SRC_ENGINE_MACRO_MACHINE_H

#include <assert.h>

#include "engine/core/error.h"
#include "engine/macro/macro.h"
#include "isa/macro.h"

#define MACRO_REGISTERS 24u /* of Turing; 8 before, number 0 is always 0 there */
#define MACRO_SENDS     2u  /* of one instruction */

/*
 * UNKNOWN: what WATCHDOG_TIMEOUT (0x404468) counts, in which drivers leave 0x00ffffff; chosen: a macro may execute this
 * many instructions, whatever the register says.
 */
#define MACRO_MOST_STEPS (UINT32_C(1) << 20)

/* What the instruction at PC follows. */
enum macro_slot { MACRO_SLOT_NONE, MACRO_SLOT_BRANCH, MACRO_SLOT_EXIT, MACRO_SLOTS };

/* TRAP of PGRAPH (0x404490). */
enum macro_trap {
    MACRO_TRAP_TOO_FEW = 1 << 0,
    MACRO_TRAP_TOO_MANY = 1 << 1,
    MACRO_TRAP_OPCODE = 1 << 2,
    MACRO_TRAP_BRANCH = 1 << 3,
    MACRO_TRAP_TIMEOUT = 1 << 4,
};

enum macro_step {
    MACRO_NEXT,    /* done, on with the next one */
    MACRO_WAITS,   /* nothing happened: a parameter is missing */
    MACRO_ENDS,    /* done, it was the last one */
    MACRO_ILLEGAL, /* nothing happened: no such instruction */
    MACRO_DOUBLE_BRANCH,
};

struct macro {
    const struct macro_isa *isa;
    enum macro_step (*step)(struct macro *macro, const struct call *call);
    /* As the registers of PGRAPH show it: REG 0x404400, OPCODE 0x404420, PC 0x404424, NEXTPC 0x404428. */
    uint32_t reg[MACRO_REGISTERS];
    uint32_t opcode, pc, next_pc;
    /* TRAP 0x404490 since it was cleared; PC 0x404494 and OPCODE 0x40449c of the last one. */
    uint32_t trap, trap_pc, trap_opcode;

    /* Of the call. */
    uint32_t number, file; /* which macro; its object, in channel_state.objects */
    uint32_t steps;        /* executed so far */
    bool taken;            /* a word of the call is being worked on, and is offered again: */
    uint16_t port;         /* to this method */
    bool ends;             /* when what is queued has been sent */
    bool resent;           /* the first method in the queue was sent before, and stalled */
    bool sliced;           /* it has more to do, and nothing to wait for */
    bool surplus;          /* a left-over parameter has been reported */
    bool has_parameter;
    uint32_t parameter;

    /* Where it is. */
    enum macro_slot slot;
    bool carry;
    uint32_t method, increment; /* of the next send, in words */
    uint32_t send_count, send_first;
    struct {
        uint32_t method, data; /* in words */
    } send[MACRO_SENDS];

    /* Turing and later. */
    bool end_next;
    uint32_t result[2], upper; /* of the ALUs, and the bits that did not fit */
    uint32_t loads, load[2];   /* parameters that the group at PC has fetched */
    uint32_t loop_left, loop_begin, loop_end;
    uint64_t fifo_address; /* of the parameters that come from memory, and how many are left */
    uint32_t fifo_left;

    /* Memories. */
    uint32_t code_pointer, start_pointer; /* where the next word of an upload goes */
    uint32_t *code, *start, *data;
};

/* Of struct private_state. */
bool macro_init(void *private, const struct private_owner *owner);
void macro_free(void *private);

enum macro_step macro_step_gf100(struct macro *macro, const struct call *call);
enum macro_step macro_step_tu102(struct macro *macro, const struct call *call);

/* The machine of a call's channel, made if it is not there. NULL: no memory. */
struct macro *macro_of(const struct call *call);

static inline uint32_t macro_pc(const struct macro *macro, uint32_t pc) {
    return pc & (macro->isa->code_words - 1);
}

/* The next parameter from memory; there is one (fifo_left). */
uint32_t macro_dma_word(const struct call *call, struct macro *macro);

/* Methods of an upload. */
enum action_result macro_code_pointer(struct call *call);
enum action_result macro_code(struct call *call);
enum action_result macro_start_pointer(struct call *call);
enum action_result macro_start(struct call *call);

/* Queue a method. */
static inline void macro_send(struct macro *macro, uint32_t data) {
    assert(macro->send_count < MACRO_SENDS);
    macro->send[macro->send_count].method = macro->method;
    macro->send[macro->send_count++].data = data;
    macro->method = (macro->method + macro->increment) & (MACRO_METHODS - 1);
}

#endif
