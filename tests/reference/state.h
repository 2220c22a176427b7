/* SPDX-License-Identifier: MIT */
/* What the files of the reference share: registers by their addresses, and each other's functions. */
#ifndef PFIFO_TESTS_REFERENCE_STATE_H
#define PFIFO_TESTS_REFERENCE_STATE_H

#include "reference.h"

/* Chips in the order in which they came. LAST: beyond all. */
enum reference_place {
    NV4,
    NV5,
    NV10,
    NV15,
    NV1A,
    NV11,
    NV17,
    NV1F,
    NV18,
    NV20,
    NV2A,
    NV25,
    NV28,
    NV30,
    NV35,
    NV31,
    NV36,
    NV34,
    NV40,
    NV45,
    NV41,
    NV42,
    NV43,
    NV44,
    NV44A,
    G70,
    G71,
    G73,
    G72,
    C51,
    MCP61,
    MCP67,
    MCP68,
    MCP73,
    RSX,
    G80,
    G84,
    G86,
    G92,
    G94,
    G96,
    G98,
    GT200,
    MCP77,
    MCP79,
    GT215,
    GT216,
    GT218,
    MCP89,
    LAST,
};

/* Registers. Names and addresses as in rnndb; those above 0x3314 are G80's. */
enum {
    DELAY_0 = 0x2040,
    DMA_TIMESLICE = 0x2044,
    PIO_TIMESLICE = 0x2048,
    TIMESLICE = 0x204c,
    NEXT_CHANNEL = 0x2050,
    SLI = 0x2058,
    DEBUG_0 = 0x2080,
    DEBUG_1 = 0x2084,
    DEBUG_2 = 0x2088,
    INTR = 0x2100,
    INTR_NRHOST = 0x2104,
    INTR_EN = 0x2140,
    INTR_EN_NRHOST = 0x2144,
    RAMHT = 0x2210,
    RAMFC = 0x2214,
    RAMRO = 0x2218,
    RAMFC_NV40 = 0x2220,
    RAMFC_SELECT = 0x2230,
    RUNOUT_STATUS = 0x2400,
    RUNOUT_PUT = 0x2410,
    RUNOUT_GET = 0x2420,
    CACHES = 0x2500,
    MODE = 0x2504,
    FREEZE = 0x2504, /* G80 */
    DMA_PENDING = 0x2508,
    PIO_SIZE = 0x250c,
    ENGINE_IDLE = 0x251c,
    ENGINE_CTRL = 0x2520,
    CHAN_TABLE = 0x2600,
    CACHE0_METHOD = 0x3100,
    CACHE0_DATA = 0x3104,
    PUSH0 = 0x3200,
    PUSH1 = 0x3204,
    PUT = 0x3210,
    STATUS = 0x3214,
    STATUS1 = 0x3218,
    DMA_PUSH = 0x3220,
    DMA_FETCH = 0x3224,
    DMA_STATE = 0x3228,
    DMA_INSTANCE = 0x322c,
    DMA_CTL = 0x3230,
    DMA_LIMIT = 0x3234,
    TLB_TAG = 0x3238,
    TLB_PTE = 0x323c,
    DMA_PUT = 0x3240,
    DMA_GET = 0x3244,
    REF = 0x3248,
    SUBROUTINE = 0x324c,
    PULL0 = 0x3250,
    PULL1 = 0x3254,
    HASH = 0x3258,
    ACQUIRE_TIMEOUT = 0x3260,
    ACQUIRE_TIMESTAMP = 0x3264,
    ACQUIRE_VALUE = 0x3268,
    SEMAPHORE = 0x326c,
    GET = 0x3270,
    ENGINE = 0x3280,
    DCOUNT = 0x32a0,
    GET_JMP_SHADOW = 0x32a4,
    RSVD_SHADOW = 0x32a8,
    DATA_SHADOW = 0x32ac,
    GRCTX_INST = 0x32e0,
    PLAYLIST_LENGTH = 0x32ec,
    CURRENT_CHANNEL = 0x32f0,
    PLAYLIST = 0x32f4,
    KICK = 0x32fc,
    FIFO_ENDIAN = 0x3314,
    DMA_PUT_HIGH = 0x3320,
    DMA_GET_HIGH = 0x3328,
    IB_PUT = 0x3330,
    IB_GET = 0x3334,
    IB_ADDRESS = 0x3340,
    IB_CONFIG = 0x3344,
    METHOD_COUNT = 0x3364,
    DMA_MGET = 0x3368,
    DMA_MGET_HIGH = 0x336c,
    GET_HIGH_READ = 0x3370, /* what USER latched */
    PUT_HIGH_READ = 0x3374,
    PUT_HIGH_WRITE = 0x3378,
    MGET_HIGH_READ = 0x337c,
    SEM_ADDRESS_HIGH = 0x3400,
    SEM_ADDRESS_LOW = 0x3404,
    SEM_SEQUENCE = 0x3408,
    CACHE_INST = 0x340c,
    CHAN_INST = 0x3410,
    MTHD_28 = 0x3500,
    CACHE1_MEMORY_NV4 = 0x3800,
    CACHE1_MEMORY = 0x90000,
};

/* What CACHE0 has, it has at the same place as CACHE1 but 0x200 before. */
#define CACHE0(cache1_register) ((cache1_register)-0x200)

/* INTR */
#define CACHE_ERROR     0x00000001u
#define RUNOUT          0x00000010u
#define RUNOUT_OVERFLOW 0x00000100u
#define PIO_ERROR       0x00000100u /* G80 */
#define LINE_FLUSH      0x00000800u /* MCP89 */
#define DMA_PUSHER      0x00001000u
#define DMA_PTE         0x00010000u
#define SEMAPHORE_ERROR 0x00100000u
#define TIMED_OUT       0x01000000u
#define NOTIFY          0x40000000u

/* DMA_PUSH */
#define PUSH_BUSY      0x00000010u
#define PUSH_EMPTY     0x00000100u
#define PUSH_SUSPENDED 0x00001000u
#define PUSH_ACQUIRE   0x00010000u

/* DMA_STATE */
#define NONINC       0x00000001u
#define PRIVILEGE    0x00000002u
#define LONG_PENDING 0x00010000u /* G80 */
#define IN_CALL      0x00020000u
#define NON_MAIN     0x00040000u /* G80 */
#define ERROR_FIELD  0xe0000000u

/* PULL0 and PULL1 */
#define HASH_FAILED     0x00000010u
#define DEVICE_SOFTWARE 0x00000100u
#define INVALID_ENGINE  0x01000000u
#define FLUSH_LINES     0x02000000u /* MCP89 */
#define FLUSH_OPERATION 0x04000000u /* MCP89 */
#define CAUSES          0x07f00110u
#define ACQUIRE_ACTIVE  0x00000010u
#define ACQUIRE_NEW     0x00000020u /* G84: the semaphore of 0x10..0x1c */
#define ACQUIRE_GEQUAL  0x00000080u /* G84 */

/* DMA_CTL */
#define AT_INFO 0x80000000u

/* SLI */
#define SLI_ACTIVE 0x10000000u
#define SLI_ENABLE 0x20000000u

struct reference_register {
    uint32_t offset, words;
    enum reference_place from, until;
    uint32_t readable, writable;
    uint32_t reset;
};

struct reference_chip {
    const char *name;
    enum reference_place place;
    uint32_t ramin_chunk; /* RAMIN lies at the end of VRAM in reversed pieces of this size */
};

static inline bool since(const struct reference *r, enum reference_place chip) {
    return r->chip->place >= chip;
}

static inline uint32_t *reg(struct reference *r, uint32_t offset) {
    return &r->reg[(offset - 0x2000) / 4];
}

static inline uint32_t value_of(const struct reference *r, uint32_t offset) {
    return r->reg[(offset - 0x2000) / 4];
}

/* chips.c: what differs between chips and is a number */
const struct reference_chip *ref_chip(const char *name);
void ref_find_registers(struct reference *r);
uint32_t ref_entries(const struct reference *r);
uint32_t ref_pointer_mask(const struct reference *r);
uint32_t ref_channel_mask(const struct reference *r);
uint32_t ref_channels(const struct reference *r);
uint32_t ref_mode_bit(const struct reference *r);
uint32_t ref_address_mask(const struct reference *r);
uint32_t ref_class_mask(const struct reference *r, uint32_t engine);
/* The class of a unit that runs firmware, whatever its instance says; 0: it has none of its own. */
uint32_t ref_firmware_class(const struct reference *r, uint32_t engine);

/* registers.c */
uint32_t ref_lanes(unsigned lanes); /* bits of the dword */
uint32_t ref_writable(const struct reference *r, uint32_t offset);

/* reference.c */
uint32_t ref_cache_used(const struct reference *r);
bool ref_cache_full(const struct reference *r);
struct reference_entry *ref_cache_entry(struct reference *r, uint32_t pointer);
void ref_cache_push(struct reference *r, uint32_t method, uint32_t data);
void ref_advance(struct reference *r, uint32_t pointer_register);
void ref_interrupt(struct reference *r, uint32_t bit, const char *cause);
void ref_event(struct reference *r, const char *name, const char *text, uint64_t v0, uint64_t v1, uint64_t v2,
               uint64_t v3, uint64_t v4);
bool ref_big_endian(const struct reference *r);
uint32_t ref_swap(uint32_t word);
uint32_t ref_channel(const struct reference *r);
bool ref_has_work(const struct reference *r);

/* objects.c: where addresses lead. False: the access faults. */
struct place {
    enum reference_target target;
    uint64_t address;
};
enum lookup { FOUND, NOT_FOUND, NO_PAGE };

uint64_t ref_ramin_place(const struct reference *r, uint64_t address); /* in VRAM */
uint32_t ref_instance_rd32(const struct reference *r, uint32_t instance, uint32_t offset);
void ref_pushbuffer_open(struct reference *r);
enum lookup ref_pushbuffer_place(struct reference *r, uint64_t address, struct place *place);
enum lookup ref_pushbuffer_rd32(struct reference *r, uint64_t address, uint32_t *word);
bool ref_semaphore_rd32(struct reference *r, uint64_t address, uint32_t *word);
bool ref_semaphore_place(struct reference *r, uint64_t address, size_t bytes, bool write, struct place *place);
bool ref_first_page(struct reference *r, uint32_t instance, uint32_t *page);
struct found {
    uint32_t instance, engine;
};
bool ref_ramht_find(struct reference *r, uint32_t handle, uint32_t channel, struct found *found);

/* pusher.c */
bool ref_ib_mode(const struct reference *r);
bool ref_pusher_has_work(const struct reference *r);
bool ref_pusher_can_fetch(struct reference *r);
void ref_pusher_fetch(struct reference *r);
bool ref_in_pinned_segment(const struct reference *r);
void ref_pusher_look_ahead(struct reference *r);
void ref_pusher_run_ahead(struct reference *r, enum reference_target target, uint64_t address, size_t bytes);
bool ref_host_method_exists(const struct reference *r, uint32_t method);

/* puller.c. execute: false, the engine does not take it */
bool ref_puller_can_execute(struct reference *r);
bool ref_puller_execute(struct reference *r);
bool ref_cache0_can_execute(const struct reference *r);
bool ref_cache0_execute(struct reference *r);
void ref_puller_waits_for(struct reference *r, struct reference_stop *stop);

/* user.c: the USER areas before G80. Lanes: a bit for each byte of the dword. */
bool ref_in_user(const struct reference *r, uint32_t address);
uint32_t ref_user_read(struct reference *r, uint32_t address, unsigned lanes);
void ref_user_write(struct reference *r, uint32_t address, uint32_t value, unsigned lanes);
uint32_t ref_runout_status(const struct reference *r);

/* g80_registers.c: what they are, show, and do */
extern const struct reference_register *const ref_g80_registers;
extern const size_t ref_g80_register_rows;
uint32_t ref_g80_read(struct reference *r, uint32_t offset);
void ref_g80_written(struct reference *r, uint32_t offset, uint32_t value);

/* g80_channels.c: channels in memory. State: a register of any channel */
struct place ref_g80_pointed_to(uint32_t pointer);
uint32_t ref_g80_descriptor_pointer(const struct reference *r, uint32_t channel);
struct place ref_g80_descriptor(const struct reference *r); /* of the channel in CACHE1 */
struct place ref_g80_ramfc(const struct reference *r, uint32_t channel);
uint32_t ref_g80_saved(const struct reference *r, uint32_t channel);
uint32_t ref_g80_state(const struct reference *r, uint32_t channel, uint32_t reg_offset);
void ref_g80_set_state(struct reference *r, uint32_t channel, uint32_t reg_offset, uint32_t value);
void ref_g80_start_slice(struct reference *r);
void ref_g80_switch_to(struct reference *r, uint32_t channel);
void ref_g80_leave(struct reference *r);

/* g80_switcher.c: who is next */
uint32_t ref_g80_candidate(const struct reference *r);
uint32_t ref_g80_table_entry(const struct reference *r, uint32_t channel);
void ref_g80_keep_playlist(struct reference *r);
void ref_g80_write_caches(struct reference *r, uint32_t value);
void ref_g80_kick(struct reference *r);
uint32_t ref_g80_read_kick(struct reference *r);
void ref_g80_begin(struct reference *r);

/* g80_user.c */
bool ref_in_g80_user(uint32_t address);
uint32_t ref_g80_user_read(struct reference *r, uint32_t address, unsigned lanes);
void ref_g80_user_write(struct reference *r, uint32_t address, uint32_t value, unsigned lanes);

/* g80_memory.c: DMA objects and page tables. A place for each byte. */
bool ref_g80_place(struct reference *r, const struct reference_pushbuffer *object, uint64_t address, size_t bytes,
                   bool write, struct place *place);
void ref_g80_fault(struct reference *r, uint32_t engine, uint32_t client, uint32_t slot); /* the last of these */

/* switcher.c: other channels before G80, and timeslices */
uint64_t ref_ramfc_place(const struct reference *r, uint32_t channel, uint32_t offset); /* in VRAM */
uint32_t ref_ramfc_rd32(const struct reference *r, uint32_t channel, uint32_t offset);
void ref_ramfc_wr32(struct reference *r, uint32_t channel, uint32_t offset, uint32_t value);
void ref_switch_to(struct reference *r, uint32_t channel);
bool ref_may_leave(const struct reference *r);
bool ref_switch_when_idle(struct reference *r); /* true: another channel is in */
bool ref_switch_when_due(struct reference *r);
bool ref_somebody_waits(const struct reference *r);
void ref_timer_set(struct reference *r, uint32_t value);
void ref_yield(struct reference *r);
void ref_timer_count(struct reference *r, uint64_t units);

#endif
