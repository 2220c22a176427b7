/* SPDX-License-Identifier: MIT */
/*
 * A PFIFO of the cache kind on the bench: memory, bus and PFIFO of one chip, two engines that write down what they
 * get, and channels set up in memory and registers as a driver does it.
 *
 *   system memory   pushbuffer of channel c at c << 20, 1 MiB; its IB ring in the last 64 KiB of that
 *   VRAM (Tesla)    playlist, RAMFC, CACHE and descriptor of a channel, see RIG_*
 *   RAMIN (Curie)   RAMHT 0x10000, RAMFC 0x20000, objects from 0x40000 on
 *
 * Everything that says where hardware keeps things is written out here once more, not taken from the code under test.
 */
#ifndef PFIFO_TESTS_FIFO_CACHE_RIG_H
#define PFIFO_TESTS_FIFO_CACHE_RIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "bus/bus.h"
#include "event/event.h"
#include "fifo/fifo.h"

#define RIG_VRAM_BYTES   (UINT64_C(64) << 20)
#define RIG_SYSTEM_BYTES (UINT64_C(16) << 20)
#define RIG_CHANNELS     5
#define RIG_LOG          8192
#define RIG_BUDGET       100000

/* Tesla: where things are in VRAM. */
#define RIG_PLAYLIST      0x8000u
#define RIG_RAMFC(c)      (0x10000u + (c)*0x100u)
#define RIG_CACHE(c)      (0x20000u + (c)*0x1000u)
#define RIG_DESCRIPTOR(c) (0x200000u + (c)*0x20000u)

/* In the address space of the pushbuffer object. */
#define RIG_IB_RING 0xf0000u

/* Words of the pushbuffer. */
#define INC(subchannel, method, count)    ((uint32_t)(count) << 18 | (uint32_t)(subchannel) << 13 | (uint32_t)(method))
#define NONINC(subchannel, method, count) (0x40000000u | INC(subchannel, method, count))
#define LONG_NONINC(subchannel, method)   (0x00030000u | (uint32_t)(subchannel) << 13 | (uint32_t)(method))
#define OLD_JUMP(target)                  (0x20000000u | (uint32_t)(target))
#define JUMP(target)                      ((uint32_t)(target) | 1u)
#define CALL(target)                      ((uint32_t)(target) | 2u)
#define RETURN                            0x00020000u
#define SLI(mask)                         (0x00010000u | (uint32_t)(mask) << 4)
#define SEGMENT(address, words)           ((uint64_t)(words) << 42 | (uint64_t)(address))
#define SEGMENT_PRIVILEGED                (UINT64_C(1) << 40)
#define SEGMENT_NON_MAIN                  (UINT64_C(1) << 41)

/* Registers. */
enum {
    PMC_INTR = 0x100,
    PMC_INTR_EN = 0x140,
    PMC_ENABLE = 0x200,
    TIMESLICE_DMA = 0x2044,
    TIMESLICE = 0x204c,
    SLI_REG = 0x2058,
    DEBUG_0 = 0x2080,
    INTR = 0x2100,
    INTR_EN = 0x2140,
    RAMHT = 0x2210,
    CACHES = 0x2500,
    MODE = 0x2504,
    PENDING = 0x2508,
    FREEZE = 0x2504,
    CHAN_TABLE = 0x2600,
    PUSH0 = 0x3200,
    PUSH1 = 0x3204,
    CACHE_PUT = 0x3210,
    STATUS = 0x3214,
    DMA_PUSH = 0x3220,
    DMA_FETCH = 0x3224,
    DMA_STATE = 0x3228,
    DMA_INSTANCE = 0x322c,
    DMA_CTL = 0x3230,
    DMA_LIMIT = 0x3234,
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
    CACHE_GET = 0x3270,
    ENGINE = 0x3280,
    DCOUNT = 0x32a0,
    JMP_SHADOW = 0x32a4,
    RSVD_SHADOW = 0x32a8,
    DATA_SHADOW = 0x32ac,
    PLAYLIST_LENGTH = 0x32ec,
    PLAYLIST = 0x32f4,
    KICK = 0x32fc,
    FIFO_ENDIAN = 0x3314,
    DMA_PUT_HIGH = 0x3320,
    DMA_GET_HIGH = 0x3328,
    IB_PUT = 0x3330,
    IB_GET = 0x3334,
    METHOD_COUNT = 0x3364,
    MGET = 0x3368,
    MGET_HIGH = 0x336c,
    SEM_HIGH = 0x3400,
    SEM_LOW = 0x3404,
    SEM_SEQUENCE = 0x3408,
    CACHE_METHOD = 0x90000,
    CACHE_DATA = 0x90004,
    VM_FAULT = 0x100c90,
    VM_FAULT_DATA = 0x100c94,
};

/* USER of a channel. */
enum { USER_PUT = 0x40, USER_GET = 0x44, USER_REF = 0x48, USER_CGET = 0x54, USER_IB_GET = 0x88, USER_IB_PUT = 0x8c };

/* A method as an engine got it; method 0: an object was bound, data is its instance. */
struct rig_method {
    uint32_t subchannel, method, data;
};

/*
 * The engine of the bench. Methods with an effect outside (as <pfifo/engine.h> wants them, first of a run only):
 * 0x304 writes its data to `write_at` in DMA object `write_object`.
 */
#define RIG_WRITE 0x304
struct rig_engine {
    struct rig *rig;
    bool refuse, busy; /* takes no method; is not through with its work */
    uint32_t write_object;
    uint64_t write_at;
    uint32_t bound_class, channel, switches; /* of the last bind; channel of the last method; switch_channel calls */
    uint32_t gone[RIG_CHANNELS];             /* how often a channel ceased to exist */
};

struct rig {
    const struct pfifo_chip *chip;
    bool tesla, descriptor_has_ramfc; /* G80 and later; G80 itself */
    struct event_hub hub;
    struct memory memory;
    struct bus bus;
    struct fifo *fifo;
    struct rig_engine engine[3]; /* by id */
    struct rig_method log[RIG_LOG];
    uint8_t log_engine[RIG_LOG];
    size_t logged;
    uint64_t pushed[RIG_CHANNELS]; /* where the next word goes */
    uint32_t segments[RIG_CHANNELS], ring_order[RIG_CHANNELS];
    uint32_t objects[RIG_CHANNELS]; /* instances given away (Curie: all in [0]) */
    uint32_t push_object[RIG_CHANNELS];
};

/* cmocka: `*state` is the name of a chip and becomes a rig with channel 1 open in DMA mode, then goes away. */
int rig_setup(void **state);
int rig_teardown(void **state);

/* Nothing but power; any chip of the cache kind. */
void rig_start_bare(struct rig *rig, const char *chip);
/* Power up PFIFO as drivers do, without channels. */
void rig_start(struct rig *rig, const char *chip, bool materialise);
void rig_stop(struct rig *rig);

/* One more channel, 1 .. RIG_CHANNELS - 1; entries of the ring are 1 << order. */
void rig_open(struct rig *rig, uint32_t channel);
void rig_open_ib(struct rig *rig, uint32_t channel, unsigned order);
void rig_playlist(struct rig *rig, const uint32_t *channels, uint32_t count);

/* Objects of a channel. Returned is the instance number. An object of class 0 .. with the engine that executes it. */
uint32_t rig_instance(struct rig *rig, uint32_t channel, const uint32_t *words, unsigned count);
void rig_handle(struct rig *rig, uint32_t channel, uint32_t handle, uint32_t engine, uint32_t instance);
uint32_t rig_object(struct rig *rig, uint32_t channel, uint32_t handle, uint32_t engine, uint32_t object_class);
/* A DMA object for reading and writing of `bytes` from `base` on, in VRAM or system memory. */
uint32_t rig_dma_object(struct rig *rig, uint32_t channel, enum memory_target target, uint64_t base, uint64_t bytes);
/* Where an entry of RAMHT is, and the word there. */
void rig_ramht_entry(struct rig *rig, uint32_t channel, uint32_t slot, uint32_t handle, uint32_t context);
uint32_t rig_ramht_hash(uint32_t handle, uint32_t channel);
uint32_t rig_context(const struct rig *rig, uint32_t channel, uint32_t engine, uint32_t instance);

/* Words to the end of the pushbuffer; to a place in it. */
void rig_push(struct rig *rig, uint32_t channel, const uint32_t *words, size_t count);
void rig_poke(struct rig *rig, uint32_t channel, uint32_t offset, uint32_t word);
uint32_t rig_peek(struct rig *rig, uint32_t channel, uint32_t offset);
#define push(rig, ...)                                                                                                 \
    rig_push(rig, 1, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
#define push_to(rig, channel, ...)                                                                                     \
    rig_push(rig, channel, (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
/* An entry of the ring; the words pushed since the last segment as one. */
void rig_segment(struct rig *rig, uint32_t channel, uint64_t entry);

/* Tell PFIFO about words and segments through USER; run. */
void rig_submit(struct rig *rig, uint32_t channel);
enum pfifo_stop rig_run_for(struct rig *rig, uint64_t budget);
enum pfifo_stop rig_run(struct rig *rig);
/* Submit channel 1 and run until it stops. */
enum pfifo_stop rig_go(struct rig *rig);
/* Channel 1 binds `handle` (made here, engine 1, class 0x4097) to subchannel 0; the log is empty afterwards. */
uint32_t rig_bind(struct rig *rig);

static inline uint32_t rd(struct rig *rig, uint32_t offset) {
    return bus_rd32(&rig->bus, offset);
}
static inline void wr(struct rig *rig, uint32_t offset, uint32_t value) {
    bus_wr32(&rig->bus, offset, value);
}
uint32_t user_rd(struct rig *rig, uint32_t channel, uint32_t offset);
void user_wr(struct rig *rig, uint32_t channel, uint32_t offset, uint32_t value);
uint32_t ramfc_rd(struct rig *rig, uint32_t channel, uint32_t offset);
void ramfc_wr(struct rig *rig, uint32_t channel, uint32_t offset, uint32_t value);
uint32_t vram_rd(struct rig *rig, uint64_t address);
void vram_wr(struct rig *rig, uint64_t address, uint32_t value);
uint32_t system_rd(struct rig *rig, uint64_t address);
void system_wr(struct rig *rig, uint64_t address, uint32_t value);

/* DMA_STATE.ERROR; number of the channel in CACHE1; entries in CACHE1; word of the VM fault record. */
uint32_t pusher_error(struct rig *rig);
uint32_t current_channel(struct rig *rig);
uint32_t cache_entries(struct rig *rig);
uint32_t vm_fault_word(struct rig *rig, uint32_t word);

/* The engines got exactly these methods since the last time this was asked. */
void rig_expect(struct rig *rig, const struct rig_method *methods, size_t count, const char *file, int line);
#define expect_methods(rig, ...)                                                                                       \
    rig_expect(rig, (const struct rig_method[]){__VA_ARGS__},                                                          \
               sizeof((const struct rig_method[]){__VA_ARGS__}) / sizeof(struct rig_method), __FILE__, __LINE__)
#define expect_no_methods(rig) rig_expect(rig, NULL, 0, __FILE__, __LINE__)

/* A test on one chip, on the Tesla kinds, on all kinds. */
#define ON(name, test)                                                                                                 \
    { #test " [" name "]", test, rig_setup, rig_teardown, (void *)(uintptr_t)(name) }
#define ON_NV40(test)  ON("nv40", test)
#define ON_G84(test)   ON("g84", test)
#define ON_TESLA(test) ON("g80", test), ON("g84", test)
#define ON_ALL(test)   ON_NV40(test), ON_TESLA(test)

#endif
