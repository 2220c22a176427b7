/* SPDX-License-Identifier: MIT */
/*
 * A GPU: registers, memory and interrupts of one chip, with PFIFO and its engines inside.
 *
 * The machine knows no driver: work is submitted as on silicon, by writing registers and memory.
 * pfifo/driver.h has the kernel's part for programs that want channels without writing one.
 *
 * A GPU is single-threaded: calls on one GPU must not overlap. Several GPUs are independent.
 */
#ifndef PFIFO_GPU_H
#define PFIFO_GPU_H

#include <pfifo/chip.h>
#include <pfifo/error.h>
#include <pfifo/event.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pfifo_gpu;

#define PFIFO_BAR1_MIN (UINT64_C(1) << 20)
#define PFIFO_BAR1_MAX (UINT64_C(1) << 40)

/* How to make a GPU. Zero fields take defaults. */
struct pfifo_config {
    const struct chip *chip; /* required */
    uint64_t vram_bytes;     /* default: the chip's; ignored for chips without VRAM. Sparse: size costs nothing */
    uint64_t system_bytes;   /* own system memory from bus address 0; default 1 GiB. Sparse */
    /* The embedder's system memory instead: host pointer for a bus address, *bytes = what is contiguous (at most
     * asked). */
    void *(*system_map)(void *opaque, uint64_t address, uint64_t *bytes, bool write);
    /* The embedder's clock in nanoseconds; default: a virtual one that work advances, so that runs repeat exactly. */
    uint64_t (*clock)(void *opaque);
    void *opaque; /* for both callbacks */
    /*
     * What BAR1 decodes: a power of two from PFIFO_BAR1_MIN to PFIFO_BAR1_MAX; default: what a common board of the chip
     * has, 256 MiB from G80 on but for some. Ignored for NV1, which has none, and NV3, whose layout is fixed.
     */
    uint64_t bar1_bytes;
    /* Take every method through the CACHE, entry by entry. Same results, slower; for tests and single stepping. */
    bool materialise_cache;
};

/* Why pfifo_run() came back. */
enum pfifo_stop {
    PFIFO_STOP_IDLE,      /* nothing left to do */
    PFIFO_STOP_BUDGET,    /* the budget is used up, more is left to do */
    PFIFO_STOP_WAITING,   /* every channel with work waits: for memory to change (see stop info), or for an engine */
    PFIFO_STOP_INTERRUPT, /* work is left, but an error or software method waits for the driver */
    PFIFO_STOP_FROZEN,    /* work is left, but the driver has switched pusher, puller or engine off */
};

struct pfifo_stop_info {
    enum pfifo_stop reason;
    uint64_t used;     /* units of the budget that the run took */
    uint32_t channel;  /* for WAITING: which channel, UINT32_MAX if none */
    bool in_memory;    /* for WAITING: a semaphore, and what follows is known; else an engine takes no method now */
    uint64_t address;  /* for WAITING: of the semaphore, in its space */
    uint32_t expected; /* for WAITING: the value it wants */
    uint32_t found;    /* for WAITING: the value it saw */
};

/* Make a GPU in its power-on state. NULL on error: PFIFO_ERROR_ARGUMENT, _UNSUPPORTED (machine not built), _MEMORY. */
PFIFO_API struct pfifo_gpu *pfifo_gpu_new(const struct pfifo_config *config, struct pfifo_error *error);
PFIFO_API void pfifo_gpu_free(struct pfifo_gpu *gpu);

PFIFO_API const struct chip *pfifo_gpu_chip(const struct pfifo_gpu *gpu);

/*
 * BAR0: `offset` in bytes, its low two bits are ignored; 32-bit access. A register that the chip has in a block of its
 * map and the model does not know is storage, and told of once by the event bus.unknown; where the chip has nothing, an
 * access gives what it gives there: 0, or from G80 on 0xbad00100, an interrupt of PBUS and bus.unmapped.
 */
PFIFO_API uint32_t pfifo_rd32(struct pfifo_gpu *gpu, uint32_t offset);
PFIFO_API void pfifo_wr32(struct pfifo_gpu *gpu, uint32_t offset, uint32_t value);

/*
 * BARs in bytes: 0 (registers), 1 (VRAM aperture) and 3 (RAMIN; the same as 2, which is its place on NV4x with PCI
 * Express), 5 (I/O ports to the others, from G80 on where there is PCI). Any size and alignment; beyond the end reads
 * give 0. In BAR0 an access is cut at dword boundaries, the
 * lowest address first, and each part is an access of its own: a register keeps the bytes that are not written, and
 * areas that take commands see which bytes of the dword were.
 */
PFIFO_API void pfifo_bar_read(struct pfifo_gpu *gpu, unsigned bar, uint64_t offset, void *data, size_t bytes);
PFIFO_API void pfifo_bar_write(struct pfifo_gpu *gpu, unsigned bar, uint64_t offset, const void *data, size_t bytes);

/* Physical memory, as a debugger sees it: no translation, no interrupts. Beyond the end reads give 0. */
PFIFO_API void pfifo_vram_read(struct pfifo_gpu *gpu, uint64_t address, void *data, size_t bytes);
PFIFO_API void pfifo_vram_write(struct pfifo_gpu *gpu, uint64_t address, const void *data, size_t bytes);
PFIFO_API void pfifo_system_read(struct pfifo_gpu *gpu, uint64_t address, void *data, size_t bytes);
PFIFO_API void pfifo_system_write(struct pfifo_gpu *gpu, uint64_t address, const void *data, size_t bytes);
/*
 * Make it zero. What was never written is zero already and costs nothing, however large it is; memory that the embedder
 * maps is looked at page by page.
 */
PFIFO_API void pfifo_vram_clear(struct pfifo_gpu *gpu, uint64_t address, uint64_t bytes);
PFIFO_API void pfifo_system_clear(struct pfifo_gpu *gpu, uint64_t address, uint64_t bytes);

/*
 * Where the end is. VRAM of a chip without its own is system memory. System memory that the embedder maps: UINT64_MAX.
 * A BAR that there is not has 0 bytes.
 */
PFIFO_API uint64_t pfifo_vram_bytes(const struct pfifo_gpu *gpu);
PFIFO_API uint64_t pfifo_system_bytes(const struct pfifo_gpu *gpu);
PFIFO_API uint64_t pfifo_bar_bytes(const struct pfifo_gpu *gpu, unsigned bar);

/*
 * Process commands until idle or told to stop. One unit of `budget` is one word fetched, one method executed, or what
 * an engine does in about as long: 64 bytes copied or filled, fewer where that is slower; an instruction of a macro. So
 * the budget bounds how long a run takes: a processor needs some nanoseconds for a unit, 16 at most or a little more.
 * The virtual clock (no pfifo_config.clock) goes on 16 ns with each. Long work is done in slices, and a run ends only
 * between two: the last one may go beyond the budget, by 65536 units in general (then `used` is the budget, but the
 * clock has gone on for all of them). Always returns; an endless jump loop is PFIFO_STOP_BUDGET.
 */
PFIFO_API enum pfifo_stop pfifo_run(struct pfifo_gpu *gpu, uint64_t budget);

/*
 * Without config.clock, time passes in a run also when nothing is left to do, or everything waits: to the alarm of
 * PTIMER, if it is enabled and nothing interrupts yet. So a program that sleeps until the alarm wakes up.
 *
 * pfifo_pass_time() lets it pass for an owner who knows that nothing else will happen: at most so many nanoseconds, and
 * no further than to what is due first, the alarm or the end of an acquire with a timeout, which the next run finds.
 * UINT64_MAX: to there. Returns how much passed: 0 with config.clock, or for UINT64_MAX if nothing is due.
 */
PFIFO_API uint64_t pfifo_pass_time(struct pfifo_gpu *gpu, uint64_t nanoseconds);

/* Details of the last stop. Valid until the next pfifo_run(). */
PFIFO_API const struct pfifo_stop_info *pfifo_gpu_stop(const struct pfifo_gpu *gpu);

/* State of the interrupt line (INTA). */
PFIFO_API bool pfifo_irq(const struct pfifo_gpu *gpu);

/* Last value a method of a bound class was given on a channel: the engine's register file. False: not known. */
PFIFO_API bool pfifo_gpu_method_value(struct pfifo_gpu *gpu, uint32_t channel, uint32_t object_class, uint32_t method,
                                      uint32_t *value);

#ifdef __cplusplus
}
#endif

#endif
