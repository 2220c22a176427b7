/* SPDX-License-Identifier: MIT */
/*
 * A PFIFO of NV1 .. NV4x (G80 .. MCP89: only as after power-on) on the bench: memory, bus and PFIFO of one chip with
 * two engines that write down what they get.
 *
 *   system memory   pushbuffer of channel c at c << 20, 1 MiB
 *   RAMIN   NV1     fixed places, see nv1_layout()
 *           NV3     RAMHT 0x0000, RAMRO 0x2000, RAMFC 0x2200, objects from 0x8000 on
 *           NV4-    RAMHT 0x10000, RAMFC 0x18000 (NV40-: 0x20000), RAMRO 0x1e000 (NV40-: 0x1e000), objects 0x40000
 *
 * Everything that says what a chip has, and where hardware keeps things, is written out here once more from the
 * documents, not taken from the code under test.
 *
 * Sources: envytools docs/hw/fifo, docs/hw/memory/nv1-vram.rst, rnndb/fifo/nv1_pfifo.xml, nv4_pfifo.xml,
 *          hwtest/pfifo.cc; Linux riva nv4ref.h; nouveau nvkm/engine/fifo.
 */
#ifndef PFIFO_TESTS_CONFORMANCE_RIG_H
#define PFIFO_TESTS_CONFORMANCE_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bus/bus.h"
#include "event/event.h"
#include "fifo/fifo.h"

#define RIG_SYSTEM_BYTES (UINT64_C(16) << 20)
#define RIG_LOG          4096
#define RIG_BUDGET       100000
#define RIG_CHANNELS     8 /* that have a pushbuffer */

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Words of the pushbuffer. */
#define INC(subchannel, method, count)    ((uint32_t)(count) << 18 | (uint32_t)(subchannel) << 13 | (uint32_t)(method))
#define NONINC(subchannel, method, count) (0x40000000u | INC(subchannel, method, count))
#define OLD_JUMP(target)                  (0x20000000u | (uint32_t)(target))
#define JUMP(target)                      ((uint32_t)(target) | 1u)
#define CALL(target)                      ((uint32_t)(target) | 2u)
#define RETURN                            0x00020000u
#define SLI(mask)                         (0x00010000u | (uint32_t)(mask) << 4)

/* Registers that all chips have in one place, and those of NV4 and later. */
enum {
    PMC_ENDIAN = 0x004,
    PMC_INTR = 0x100,
    PMC_INTR_EN = 0x140,
    PMC_LINE = 0x160,
    PMC_ENABLE = 0x200,
    DELAY_0 = 0x2040,
    DMA_TIMESLICE = 0x2044,
    PIO_TIMESLICE = 0x2048,
    TIMESLICE = 0x204c,
    NEXT_CHANNEL = 0x2050,
    SLI_REG = 0x2058,
    DEBUG_0 = 0x2080,
    INTR = 0x2100,
    INTR_EN = 0x2140,
    CONFIG_0 = 0x2200,
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
    PENDING = 0x2508,
    SIZE = 0x250c,
    C0_PUSH0 = 0x3000,
    C0_HASH = 0x3058,
    C0_PULL1 = 0x3054, /* NV4- */
    C0_ENGINE = 0x3080,
    PUSH0 = 0x3200,
    STATUS1 = 0x3218,
    DMA_PUSH = 0x3220,
    DMA_FETCH = 0x3224,
    DMA_STATE = 0x3228,
    DMA_INSTANCE = 0x322c,
    DMA_CTL = 0x3230,
    DMA_LIMIT = 0x3234,
    DMA_TLB_TAG = 0x3238,
    DMA_TLB_PTE = 0x323c,
    DMA_PUT = 0x3240,
    DMA_GET = 0x3244,
    REF = 0x3248,
    SUBROUTINE = 0x324c,
    HASH = 0x3258,
    ACQUIRE_TIMEOUT = 0x3260,
    ACQUIRE_TIMESTAMP = 0x3264,
    ACQUIRE_VALUE = 0x3268,
    SEMAPHORE = 0x326c,
    ENGINE = 0x3280,
    DCOUNT = 0x32a0,
    JMP_SHADOW = 0x32a4,
    RSVD_SHADOW = 0x32a8,
    DATA_SHADOW = 0x32ac,
    GRCTX_INST = 0x32e0,
    PRAM_CONFIG = 0x602200, /* NV1 */
    HASH_VIRTUAL = 0x602400,
    HASH_PHYSICAL = 0x602600,
};

/* Registers of a cache that are not where they were on another chip; what a cache has not is 0. */
struct rig_cache {
    uint32_t push1, status, put, pull0, pull1, get, ctx, entry, entries;
};

/* INTR_0. */
enum {
    I_CACHE_ERROR = 1,
    I_RUNOUT = 0x10,
    I_OVERFLOW = 0x100,
    I_DMA_PUSHER = 0x1000,
    I_DMA_PTE = 0x10000,
    I_SEMAPHORE = 0x100000,
    I_ACQUIRE_TIMEOUT = 0x1000000,
};

/* PULL0. */
enum { P_ACCESS = 1, P_HASH_FAILED = 0x10, P_SOFTWARE = 0x100 };

/* USER of a channel. */
enum { USER_FREE = 0x10, USER_PUT = 0x40, USER_GET = 0x44, USER_REF = 0x48, USER_CGET = 0x54 };

/* Reasons in RAMRO. */
enum { ILLEGAL_ACCESS, NO_CACHE, RAN_OUT, OVERRUN, LYING, RESERVED };

/* A method as an engine got it; method 0: an object was bound, data is its instance (NV1, NV3: low half of context). */
struct rig_method {
    uint32_t subchannel, method, data;
};

struct rig_engine {
    struct rig *rig;
    bool refuse, busy;                       /* takes no method; is not through with its work */
    uint32_t bound_class, channel, switches; /* of the last bind; channel of the last call; switch_channel calls */
    uint32_t calls, most;                    /* of methods(), and the longest run */
};

struct rig {
    const struct pfifo_chip *chip;
    struct event_hub hub;
    struct memory memory;
    struct bus bus;
    struct fifo *fifo;
    struct rig_engine engine[3]; /* by id */
    struct rig_method log[RIG_LOG];
    uint8_t log_engine[RIG_LOG], log_channel[RIG_LOG];
    size_t logged;
    struct rig_cache c0, c1;
    bool nv1, nv3, nv4, nv40;    /* NV1; NV3 and NV3T; NV4 to NV4x; NV40 to NV4x */
    bool g80;                    /* G80 .. MCP89 */
    uint32_t channels, mode_bit; /* number of channels; DMA flag in PUSH1 */
    uint32_t ramht, ramfc, ramfc_stride, ramro;
    uint32_t pushed[RIG_CHANNELS]; /* where the next word goes */
    uint32_t push_object[RIG_CHANNELS];
    uint32_t objects; /* RAMIN given away */
};

/* Is the chip in the range, written as in the register database: "NV1", "NV4:NV40", "NV1A-" (ends before G80), several
 * with spaces? */
bool on(const struct rig *rig, const char *ranges);
bool chip_on(const char *chip, const char *ranges);

/* cmocka: `*state` is the name of a chip and becomes a started rig, or one as after power-on, then goes away. */
int rig_setup(void **state);
int rig_setup_bare(void **state);
int rig_teardown(void **state);
void rig_power_on(struct rig *rig, const char *chip);
void rig_start(struct rig *rig);
void rig_stop(struct rig *rig);

/* ---- registers and memory ---- */

static inline uint32_t rd(struct rig *rig, uint32_t offset) {
    return bus_rd32(&rig->bus, offset);
}
static inline void wr(struct rig *rig, uint32_t offset, uint32_t value) {
    bus_wr32(&rig->bus, offset, value);
}
static inline uint32_t ramin_rd(struct rig *rig, uint32_t address) {
    return memory_ramin_rd32(&rig->memory, address);
}
static inline void ramin_wr(struct rig *rig, uint32_t address, uint32_t value) {
    memory_ramin_wr32(&rig->memory, address, value);
}
uint32_t system_rd(struct rig *rig, uint64_t address);
void system_wr(struct rig *rig, uint64_t address, uint32_t value);
uint32_t vram_rd(struct rig *rig, uint64_t address);
void vram_wr(struct rig *rig, uint64_t address, uint32_t value);
uint32_t ramfc_rd(struct rig *rig, uint32_t channel, uint32_t offset);
void ramfc_wr(struct rig *rig, uint32_t channel, uint32_t offset, uint32_t value);
/* Word of RAMRO at byte `offset`. */
uint32_t ramro_rd(struct rig *rig, uint32_t offset);
void ramro_wr(struct rig *rig, uint32_t offset, uint32_t value);

/* USER of a channel: `offset` is subchannel << 13 | method. */
static inline uint32_t user_at(uint32_t channel, uint32_t offset) {
    return 0x800000 + channel * 0x10000 + offset;
}
static inline uint32_t user_rd(struct rig *rig, uint32_t channel, uint32_t offset) {
    return rd(rig, user_at(channel, offset));
}
static inline void user_wr(struct rig *rig, uint32_t channel, uint32_t offset, uint32_t value) {
    wr(rig, user_at(channel, offset), value);
}
/* A BAR0 access of 1, 2 or 4 bytes, at any offset. */
void write_bytes(struct rig *rig, uint32_t offset, uint32_t value, unsigned bytes);
uint32_t read_bytes(struct rig *rig, uint32_t offset, unsigned bytes);
#define METHOD(subchannel, method) ((uint32_t)(subchannel) << 13 | (uint32_t)(method))

/* ---- NV1 ---- */

struct nv1_layout {
    uint32_t ramht, ramro, ramro_bytes, ramfc, columns;
};
struct nv1_layout nv1_layout(uint32_t config);
uint32_t gray(uint32_t n);
/* Pointer of CACHE1 with Gray code after `n` steps from 0. */
uint32_t gray_pointer(const struct rig *rig, uint32_t n);

/* ---- objects ---- */

/* Words in a new place of RAMIN, aligned to 16 bytes; gives the instance number. */
uint32_t rig_instance(struct rig *rig, const uint32_t *words, unsigned count);
/* A DMA object of one base address, for reading and writing: target 0 VRAM, 2 PCI. */
uint32_t rig_dma_object(struct rig *rig, uint32_t target, uint32_t base, uint32_t bytes);
/* The first slot of a handle in RAMHT; one entry there. NV1 and NV3: column 0 of the row. */
uint32_t rig_hash(const struct rig *rig, uint32_t handle, uint32_t channel);
void rig_ramht_entry(struct rig *rig, uint32_t slot, uint32_t handle, uint32_t context);
/* The context word (NV4-) of an object of an engine. */
uint32_t rig_context(const struct rig *rig, uint32_t channel, uint32_t engine, uint32_t instance);
void rig_handle(struct rig *rig, uint32_t channel, uint32_t handle, uint32_t engine, uint32_t instance);
/* NV4-: an object of a class and its handle; gives the instance number. */
uint32_t rig_object(struct rig *rig, uint32_t channel, uint32_t handle, uint32_t engine, uint32_t object_class);
/* NV1, NV3: a handle for a context: PGRAPH object of `type` (7 bits) and 16 bits of instance or options. */
uint32_t rig_old_context(const struct rig *rig, uint32_t channel, uint32_t type, uint32_t low);
uint32_t rig_old_object(struct rig *rig, uint32_t channel, uint32_t handle, uint32_t type, uint32_t low);

/* ---- channels ---- */

/* RAMFC and MODE of a DMA channel as a driver sets it up, with a pushbuffer of 1 MiB. */
void rig_open(struct rig *rig, uint32_t channel);
/* CACHE1 belongs to a channel in PIO mode, by hand. */
void rig_park(struct rig *rig, uint32_t channel);
/* Words to the end of the pushbuffer; tell USER about them; run. */
void rig_push(struct rig *rig, uint32_t channel, const uint32_t *words, size_t count);
#define push_to(rig, channel, ...)                                                                                     \
    rig_push(rig, channel, (const uint32_t[]){__VA_ARGS__}, COUNT_OF(((const uint32_t[]){__VA_ARGS__})))
#define push(rig, ...) push_to(rig, 1, __VA_ARGS__)
void rig_submit(struct rig *rig, uint32_t channel);
enum pfifo_stop rig_run_for(struct rig *rig, uint64_t budget);
enum pfifo_stop rig_run(struct rig *rig);
/* Submit channel 1, run. */
enum pfifo_stop rig_go(struct rig *rig);
/* rig_open(1), and an object of engine 1 and class 0x62 on subchannel 0 (handle 0xbeef0001); the log is empty. */
uint32_t rig_open_bound(struct rig *rig);
/* A command into CACHE1 by register writes, as a driver puts it there: at PUT, which advances. */
void rig_inject(struct rig *rig, uint32_t subchannel, uint32_t method, uint32_t data);

/* ---- looking ---- */

uint32_t current_channel(struct rig *rig);
uint32_t pusher_error(struct rig *rig);
uint32_t cache_entries(struct rig *rig);
void rig_expect(struct rig *rig, const struct rig_method *methods, size_t count, const char *file, int line);
#define expect_methods(rig, ...)                                                                                       \
    rig_expect(rig, (const struct rig_method[]){__VA_ARGS__}, COUNT_OF(((const struct rig_method[]){__VA_ARGS__})),    \
               __FILE__, __LINE__)
#define expect_no_methods(rig) rig_expect(rig, NULL, 0, __FILE__, __LINE__)
/* A register has this value; the failure names it. */
void expect_reg_at(struct rig *rig, uint32_t offset, uint32_t value, const char *file, int line);
#define expect_reg(rig, offset, value) expect_reg_at(rig, offset, value, __FILE__, __LINE__)
/* The entry of RAMRO at byte `at`, and no other change there. */
void expect_runout_at(struct rig *rig, uint32_t at, uint32_t word, uint32_t data, const char *file, int line);
#define expect_runout(rig, at, word, data) expect_runout_at(rig, at, word, data, __FILE__, __LINE__)

/* Tests on chips. */
#define ON(name, test)                                                                                                 \
    { #test " [" name "]", test, rig_setup, rig_teardown, (void *)(uintptr_t)(name) }
#define BARE(name, test)                                                                                               \
    { #test " [" name "]", test, rig_setup_bare, rig_teardown, (void *)(uintptr_t)(name) }
#define ON_NV1(test)      ON("NV1", test)
#define ON_NV3(test)      ON("NV3", test), ON("NV3T", test)
#define ON_OLD(test)      ON_NV1(test), ON_NV3(test)
#define ON_NV4(test)      ON("NV4", test), ON("NV5", test)
#define ON_NV10(test)     ON("NV10", test), ON("NV15", test)
#define ON_NV1A(test)     ON("NV1A", test), ON("NV11", test)
#define ON_NV17(test)     ON("NV17", test), ON("NV20", test), ON("NV2A", test), ON("NV31", test), ON("NV34", test)
#define ON_NV40(test)     ON("NV40", test), ON("G71", test), ON("MCP73", test)
#define FROM_NV40(test)   ON_NV40(test)
#define FROM_NV17(test)   ON_NV17(test), ON_NV40(test)
#define FROM_NV1A(test)   ON_NV1A(test), FROM_NV17(test)
#define FROM_NV10(test)   ON_NV10(test), FROM_NV1A(test)
#define FROM_NV5(test)    ON("NV5", test), FROM_NV10(test)
#define FROM_NV4(test)    ON_NV4(test), FROM_NV10(test)
#define NV4_TO_NV3X(test) ON_NV4(test), ON_NV10(test), ON_NV1A(test), ON_NV17(test)
#define NV4_TO_NV1A(test) ON_NV4(test), ON_NV10(test)
#define ON_ALL(test)      ON_OLD(test), FROM_NV4(test)

#endif
