/* SPDX-License-Identifier: MIT */
/*
 * What methods do: rows of actions, per kind of class.
 *
 * A kind is a few groups of rows (what all objects of a generation share, what the unit does, ...). A method without
 * a row sets state: it is stored in the register file and that is all.
 */
#ifndef PFIFO_SRC_ENGINE_CORE_ACTION_H
#define PFIFO_SRC_ENGINE_CORE_ACTION_H

#include "engine/core/register_file.h"
#include "methods/field.h"

enum action_result {
    ACTION_DONE,
    ACTION_STALL, /* not now: the method comes again */
};

enum action_type {
    ACTION_NOT_EXECUTED = 1,   /* starts work that is not modelled: sends engine.not_executed */
    ACTION_NOT_EXECUTED_BEGIN, /* the same, but data 0 ends such work and starts none */
    ACTION_INSIDE,             /* changes only the engine: may be anywhere in a run */
    ACTION_EFFECT,             /* visible outside the engine: only as the first of a run */
    ACTION_UNSTORED,           /* the same, and its data is not kept as the method's value */
};

/* A method being executed. Its data has been stored already, unless its action is ACTION_UNSTORED. */
struct call {
    struct engine *engine;
    const struct pfifo_channel_context *channel;
    struct object *object;
    const struct action *action;
    uint8_t subchannel;
    uint16_t method;
    uint32_t data;
};

struct action {
    uint16_t method; /* byte offset of the first; 0 ends a group */
    uint16_t count;  /* of methods with this action, 0: one */
    uint8_t stride;  /* bytes between them, 0: 4 */
    enum action_type type;
    enum action_result (*run)(struct call *call);
    /* A stream of data: takes up to `count` words that have no effect outside yet, and says how many. NULL: none. */
    uint32_t (*absorb)(struct object *object, const uint32_t *data, uint32_t count);
    /*
     * Before run(), at the head of a run: does up to `count` words at once, as if one after the other, and says how
     * many; 0: run() does one. Stride 4 only. NULL: always one.
     */
    uint32_t (*burst)(struct call *call, const uint32_t *data, uint32_t count);
    const void *argument; /* of run; without it, name of the work that is not executed */
};

#define KIND_MAX_GROUPS 17

/* By convention of graphics runlists on GK104 and later, subchannel n is for role n. */
enum kind_role { ROLE_3D, ROLE_COMPUTE, ROLE_INLINE, ROLE_2D, ROLE_COPY, ROLE_NONE };

/* Values of methods in a new object that are not 0. */
struct method_reset {
    uint16_t method; /* 0 ends a list */
    uint32_t value;
    uint8_t count, stride; /* of methods with this value, 0: one; bytes between them */
};

/* The row that gives all elements of an array of methods this value. */
#define RESET_ALL(name, value)                                                                                         \
    { name(0), (value), name##__COUNT, name##__STRIDE }

/* What reports of 3D and compute classes can do. Each level includes the one before it. */
enum report_level {
    REPORTS_G80,
    REPORTS_GK104, /* combine with memory */
    REPORTS_TU102, /* interrupt on a condition */
    REPORTS_GA102, /* REPORT_TIMESTAMP */
};

struct kind {
    const char *name;
    enum kind_role role;
    uint8_t report_bits; /* of the upper address words: of reports and notifiers, */
    uint8_t inline_bits; /* of inline-to-memory and of copies */
    enum report_level reports;
    bool bound_in_registers; /* NV1, NV3: PGRAPH's registers have DMA objects, and the notifier that is due */
    bool pm_trigger_is_open, flips_are_guarded; /* by bits of DEBUG_3, see illegal.h */
    const struct method_reset *resets;          /* NULL: all 0 */
    uint16_t progress_bytes;      /* of the struct that says how far a launch is, see work.h; 0: struct work_items */
    struct private_state private; /* state besides the values of methods, see private.h */
    const struct private_state *parts[ENGINE_PARTS];
    const struct class_plug *plug; /* an embedder's class, to which runs go instead, see plug.h; NULL: built in */
    const struct action *groups[KIND_MAX_GROUPS];
};

#define ACTION_MAX_ROWS 192

/* A kind, ready for runs of methods. */
struct action_index {
    const struct kind *kind;
    uint32_t object_class;                   /* of which it is, INDEX_OF_KIND: all of its kind */
    uint32_t words;                          /* of the engine's method window */
    uint8_t rows;                            /* of row[] that are used */
    uint64_t acts[ENGINE_MAX_WORDS / 64];    /* bit per method: it is executed */
    uint64_t has_row[ENGINE_MAX_WORDS / 64]; /* the same, or it reports that it is not executed */
    uint8_t number[ENGINE_MAX_WORDS];        /* in row[], where a bit is set */
    const struct action *row[ACTION_MAX_ROWS];
    /* The index of the same class between BEGIN and END, and the one to go back to, see inside.h; NULL: there is none. */
    struct action_index *inside, *outside;
};

#define INDEX_OF_KIND    UINT32_MAX
#define INDEX_OF_NOTHING (UINT32_MAX - 1) /* of all classes of its kind that have no method */

/* A row more of an index that was built. Its number. */
uint8_t action_index_row(struct action_index *index, const struct action *action);

/* A method is executed by this row, instead of by another one that it may have. */
void action_index_set(struct action_index *index, uint32_t word, uint8_t number);

/* Fill in an index (zeroed before). */
void action_index_build(struct action_index *index, const struct kind *kind);

/* The last value of a method. */
static inline uint32_t call_value(const struct call *call, uint32_t method) {
    return call->object->value[method >> 2];
}

/* A field of the last value of a method: CALL_FIELD(call, GF100_3D_SET_ZT_SIZE_A, WIDTH); and of one of an array. */
#define CALL_FIELD(call, method, field)           METHOD_FIELD(call_value(call, method), method##_##field)
#define CALL_FIELD_OF(call, method, index, field) METHOD_FIELD(call_value(call, method(index)), method##_##field)

/* A method changes its own value, or another's. */
static inline void call_set_value(const struct call *call, uint32_t method, uint32_t value) {
    object_set(call->object, method >> 2, value);
}

/* An address from two methods, upper word first; `bits` of the upper one count. */
static inline uint64_t call_address(const struct call *call, uint32_t high, uint32_t low, unsigned bits) {
    uint64_t upper = call_value(call, high) & ((UINT64_C(1) << bits) - 1);
    return upper << 32 | call_value(call, low);
}

/*
 * Send a method to the object of a call, as if it came from the pushbuffer; for units that send methods themselves.
 * *effect becomes true if it may have had an effect outside the engine. ACTION_STALL: send it again.
 */
enum action_result engine_send(const struct call *call, uint16_t method, uint32_t data, bool *effect);

/* Report that the work of this method is not executed. `work`: its name ("AES-CBC encryption"), NULL: none. */
void call_not_executed(const struct call *call);
void call_work_not_executed(const struct call *call, const char *work);

/* Say what was done: `what` ("copy", "fill", "clear" ...), where it begins in memory, and how many bytes were written.
 */
void call_done(const struct call *call, const char *what, uint64_t address, uint64_t bytes);

/* An address in a DMA object (instance). GF100 and later have no DMA objects and ignore it. */
struct dma_address {
    uint32_t object;
    uint64_t address;
};

/* The memory that a DMA object describes; on GF100 and later, the channel's virtual space. */
struct address_space call_space(const struct call *call, uint32_t object);

/* An access of this method faulted: report it, and raise what the chip raises. USE_OTHER: the usual use of its class.
 */
void call_fault_of(const struct call *call, enum unit_use use, const struct fault *fault);
static inline void call_fault(const struct call *call, const struct fault *fault) {
    call_fault_of(call, USE_OTHER, fault);
}

/*
 * Interrupt the host because a program asked for it, and say why: "NOTIFY", "BUFFER_NOTIFY" (M2MF before GF100),
 * "M2MF" and "INLINE" (the same later), "TRAP" (a report whose operation is that), "BLOCKING" (a copy engine waits
 * until it is acknowledged); all others are of reports and semaphores.
 */
void call_interrupt(const struct call *call, const char *cause);

#endif
