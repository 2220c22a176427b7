/* SPDX-License-Identifier: MIT */
/*
 * A GPU: registers, memory and interrupts of one chip, with PFIFO and its engines inside.
 *
 * The machine knows no driver: work is submitted as on silicon, by writing registers and memory.
 * pfifo/driver.h has the kernel's part for programs that want channels without writing one.
 *
 * A GPU is single-threaded: calls on one GPU must not overlap. Several GPUs are independent. Threads that a GPU may use
 * are lent by its owner (side_by_side).
 *
 * Library: libpfifo
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

/*
 * Where VRAM, or the GPU's own system memory, is kept on the host. It is zero when the GPU is made, except for memory
 * that the owner supplies: that keeps its contents, and the GPU does not free it. In all forms but the first, the size
 * must be a multiple of 4096 bytes.
 */
enum pfifo_memory_form {
    PFIFO_MEMORY_PRIVATE, /* pages that only this process can map. The default */
    PFIFO_MEMORY_SHARED,  /* a file in memory that other processes can map, too: pfifo_gpu_vram_fd(). Sparse */
    PFIFO_MEMORY_POINTER, /* supplied by the owner: what is at `data` */
    PFIFO_MEMORY_FD,      /* supplied by the owner: the file `fd`, from its beginning */
};

/*
 * Memory that is supplied needs its size in vram_bytes or system_bytes. Clearing writes zeros to it where it is not
 * zero yet; it does not give pages back to the host.
 */
struct pfifo_memory {
    enum pfifo_memory_form form;
    /*
     * PFIFO_MEMORY_FD: a file that can be read and written, at least as large as the memory; memfd, POSIX shared memory
     * and the like. It must not become shorter. The GPU duplicates the descriptor, so the owner may close it, and
     * changes its file offset. Others ignore it.
     */
    int fd;
    /*
     * PFIFO_MEMORY_POINTER: readable and writable until the GPU is freed, aligned to 4096 bytes. Others ignore it.
     */
    void *data;
};

/*
 * How to make a GPU. Fields that are 0 take defaults.
 *
 *   struct pfifo_config config = {.size = sizeof config, .chip = pfifo_chip_by_name("NV34"), .irq = set_line};
 *   struct pfifo_gpu *gpu = pfifo_gpu_new(&config, &error);
 *
 * Later versions of the library add fields at the end. `size` is the size of the structure as the program was compiled,
 * so that programs and libraries of different versions understand each other: a library takes fields that the program
 * does not have as 0, and refuses a program that sets fields which the library does not have. A size of 0 is that of
 * version 0.1, up to and including bar1_bytes; a program that sets a later field must set `size`. Every structure of
 * the API that begins with `size` follows this rule.
 */
struct pfifo_config {
    size_t size;                   /* sizeof(struct pfifo_config) */
    const struct pfifo_chip *chip; /* required */
    uint64_t vram_bytes;           /* default: the chip's; ignored for chips without VRAM. Sparse: size costs nothing */
    uint64_t system_bytes;         /* own system memory, starting at bus address 0; default 1 GiB. Sparse */
    /*
     * The embedder's system memory instead: returns the host pointer for a bus address, or NULL where there is no RAM.
     * *bytes is the number of bytes wanted; reduce it to what is contiguous. The GPU uses the pointer only until the
     * call that needed it (pfifo_gpu_run() or an access) returns.
     */
    void *(*system_map)(void *opaque, uint64_t address, uint64_t *bytes, bool write);
    /* The embedder's clock in nanoseconds; default: a virtual one that work advances, so that runs repeat exactly. */
    uint64_t (*clock)(void *opaque);
    /*
     * The interrupt line (INTA) has changed to `level`. Called at the moment of the change, from within the call that
     * caused it: an access, a run, pfifo_gpu_pass_time(); also a load or a reset, if the line is another one
     * afterwards. The line is low when a GPU is made. The callback may call pfifo_gpu_irq(), pfifo_gpu_chip() and the
     * functions that return sizes, and nothing else of this GPU, which is in the middle of something. NULL: poll
     * pfifo_gpu_irq().
     */
    void (*irq)(void *opaque, bool level);
    /*
     * The GPU has something to do: call pfifo_gpu_run() soon. Called at the end of the call that brought the work: a
     * write to a BAR or to memory through this API (PUT, a doorbell, the word that a semaphore waits for, an
     * acknowledged interrupt), pfifo_gpu_pass_time(), pfifo_gpu_syncpoint_increment() or a load. Called once, and again
     * only after another run; not during a run, nor at its end, which returns why it stopped. A write that leaves
     * nothing to do calls nothing, so an idle guest costs nothing.
     *
     *   static void work(void *opaque) {
     *       struct machine *machine = opaque;
     *       machine->wanted = true;      // or wake the thread, schedule a bottom half ...
     *   }
     *   ...
     *   if (machine->wanted) {
     *       machine->wanted = false;     // first, since nothing is called during the run
     *       if (pfifo_gpu_run(gpu, 100000) == PFIFO_STOP_BUDGET)
     *           machine->wanted = true;
     *   }
     *
     * The GPU does not see what bypasses this API: a write straight to system memory, or through a pointer that the CPU
     * has mapped. That can be a semaphore (PFIFO_STOP_WAITING), and on GF100 and later GP_PUT in a USERD in memory. For
     * guests that do so, run the GPU now and then, or ask pfifo_gpu_has_work(). The same goes for a timeout on
     * config.clock, see pfifo_gpu_due(). The callback may call all functions of this GPU but pfifo_gpu_free(); it
     * should not run it, since the CPU waits for the access that is under way. NULL: nobody is called.
     */
    void (*work)(void *opaque);
    void *opaque; /* for all callbacks */
    /* Pass every method through CACHE1, entry by entry. Same results, slower; for tests and single stepping. */
    bool materialise_cache;
    /*
     * Size of BAR1, a power of two from PFIFO_BAR1_MIN to PFIFO_BAR1_MAX. The default is that of a common board of the
     * chip, 256 MiB for most chips from G80 on. Ignored for NV1, which has no BAR1, and NV3, whose layout is fixed.
     */
    uint64_t bar1_bytes;
    struct pfifo_memory vram;   /* not for chips without VRAM */
    struct pfifo_memory system; /* own system memory; not with system_map */
    /*
     * Threads for what can be done side by side, which is drawing: makes `count` calls of call(argument, number), with
     * the numbers 0 to count - 1 in any order, on as many threads as there are, and returns when all have returned.
     *
     *   static void in_turn(void *opaque, uint32_t count, void (*call)(void *, uint32_t), void *argument) {
     *       for (uint32_t number = 0; number < count; number++)
     *           call(argument, number);
     *   }
     *
     * Nothing that a GPU does depends on the threads or the order: pixels, counters, events and saved states are the
     * same. It is called during a run, often, with work of some 100 microseconds, so threads should be kept, not made.
     * system_map may then be called on these threads, though never twice at a time. NULL: all is done by the caller.
     */
    void (*side_by_side)(void *opaque, uint32_t count, void (*call)(void *argument, uint32_t number), void *argument);
    /* Not 0: shader programs are interpreted, not translated to machine code. Same results, slower; for tests. */
    uint64_t no_compile;
};

/* Why pfifo_gpu_run() returned. */
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
    bool in_memory;    /* for WAITING: a semaphore, and what follows is known */
    bool is_syncpoint; /* for WAITING: a syncpoint, whose number is `address`. Neither: an engine takes no method now */
    uint64_t address;  /* for WAITING: of the semaphore, in its space */
    uint32_t expected; /* for WAITING: the value it wants */
    uint32_t found;    /* for WAITING: the value it saw */
};

/*
 * Make a GPU in its power-on state. `config` is copied. NULL on error: PFIFO_ERROR_ARGUMENT, _UNSUPPORTED (the machine
 * of the chip is not built, or the config is from a later version), _MEMORY.
 */
PFIFO_API struct pfifo_gpu *pfifo_gpu_new(const struct pfifo_config *config, struct pfifo_error *error);
PFIFO_API void pfifo_gpu_free(struct pfifo_gpu *gpu);

PFIFO_API const struct pfifo_chip *pfifo_gpu_chip(const struct pfifo_gpu *gpu);

/*
 * BAR0, 32-bit access: `offset` is in bytes, its low two bits are ignored. If the offset is in a block that the chip
 * has, but the model does not know the register, the word is plain storage, and the first access sends the event
 * bus.unknown. Where the chip has no block, an access sends bus.unmapped, and a read returns 0; from G80 on it returns
 * 0xbad00100, and PBUS interrupts.
 */
PFIFO_API uint32_t pfifo_gpu_rd32(struct pfifo_gpu *gpu, uint32_t offset);
PFIFO_API void pfifo_gpu_wr32(struct pfifo_gpu *gpu, uint32_t offset, uint32_t value);

/*
 * Byte access to the BARs: 0 (registers), 1 (VRAM aperture), 3 (RAMIN; 2 is the same, and is its number on NV4x with
 * PCI Express), 5 (I/O ports to the other BARs, on G80 and later chips with PCI). Any size and alignment; reads beyond
 * the end return 0. In BAR0 an access is split at dword boundaries, lowest address first, and each part is a separate
 * access: a register keeps the bytes that are not written, and areas that accept commands see which bytes of the dword
 * were written.
 */
PFIFO_API void pfifo_gpu_bar_read(struct pfifo_gpu *gpu, unsigned bar, uint64_t offset, void *data, size_t bytes);
PFIFO_API void pfifo_gpu_bar_write(struct pfifo_gpu *gpu, unsigned bar, uint64_t offset, const void *data,
                                   size_t bytes);

/* Physical memory, as a debugger sees it: no translation, no interrupts. Reads beyond the end return 0. */
PFIFO_API void pfifo_gpu_vram_read(struct pfifo_gpu *gpu, uint64_t address, void *data, size_t bytes);
PFIFO_API void pfifo_gpu_vram_write(struct pfifo_gpu *gpu, uint64_t address, const void *data, size_t bytes);
PFIFO_API void pfifo_gpu_system_read(struct pfifo_gpu *gpu, uint64_t address, void *data, size_t bytes);
PFIFO_API void pfifo_gpu_system_write(struct pfifo_gpu *gpu, uint64_t address, const void *data, size_t bytes);
/*
 * Set memory to zero. Memory that was never written is zero already, and takes no time, however large the range; memory
 * that the embedder supplies or maps is cleared page by page.
 */
PFIFO_API void pfifo_gpu_vram_clear(struct pfifo_gpu *gpu, uint64_t address, uint64_t bytes);
PFIFO_API void pfifo_gpu_system_clear(struct pfifo_gpu *gpu, uint64_t address, uint64_t bytes);

/*
 * All of VRAM, or of own system memory, for a CPU to read and write at any time: pfifo_gpu_vram_bytes() or
 * pfifo_gpu_system_bytes() from address 0 up. Valid until the GPU is freed; always the same pointer. NULL: there is no
 * such memory, as on a chip without VRAM (its memory is system memory), or with config.system_map.
 *
 *   uint32_t *vram = pfifo_gpu_vram_map(gpu);
 *   vram[0x1000 / 4] = 1;         // releases the semaphore that a channel waits for
 *   pfifo_gpu_run(gpu, 100000);   // config.work is not called: the GPU does not see the write
 *
 * Memory is in little-endian byte order, without translation, and with neither the protection of RAMIN nor VRAM_HIDE.
 * VRAM in a tiled region (NV10 to NV4x) is seen through the region, as in BAR1; while a register changes regions, the
 * GPU moves what is in them. A write during a run of the GPU on another thread is seen by the run sooner or later; the
 * pusher may have fetched the words before.
 *
 * From the first call on (or from the beginning, if the memory is supplied) the GPU cannot know what was never written:
 * saves then read all of the memory. Files know it still: there, saves and clears skip holes.
 */
PFIFO_API void *pfifo_gpu_vram_map(struct pfifo_gpu *gpu);
PFIFO_API void *pfifo_gpu_system_map(struct pfifo_gpu *gpu);

/*
 * The file that VRAM or own system memory consists of, for another process to map (MAP_SHARED, from offset 0), or to
 * give to a hypervisor. All of the above holds for what is seen there. The descriptor is the GPU's and is closed with
 * it: duplicate it to keep it; mappings stay. The library's own file (PFIFO_MEMORY_SHARED) has exactly the size of the
 * memory, cannot change its size, and is not inherited by programs that are executed. -1: PFIFO_ERROR_UNSUPPORTED, the
 * form of the memory has no file, or there is no such memory.
 */
PFIFO_API int pfifo_gpu_vram_fd(struct pfifo_gpu *gpu, struct pfifo_error *error);
PFIFO_API int pfifo_gpu_system_fd(struct pfifo_gpu *gpu, struct pfifo_error *error);

/*
 * The sizes of the memories and BARs. For a chip without VRAM, the VRAM is its system memory. System memory that the
 * embedder maps has UINT64_MAX bytes. A BAR that the chip does not have has 0 bytes.
 */
PFIFO_API uint64_t pfifo_gpu_vram_bytes(const struct pfifo_gpu *gpu);
PFIFO_API uint64_t pfifo_gpu_system_bytes(const struct pfifo_gpu *gpu);
PFIFO_API uint64_t pfifo_gpu_bar_bytes(const struct pfifo_gpu *gpu, unsigned bar);

/*
 * Process commands until one of the reasons of enum pfifo_stop applies. Always returns: an endless jump loop ends with
 * PFIFO_STOP_BUDGET.
 *
 * One unit of `budget` is one word fetched, one method executed, one instruction of a macro, or other engine work that
 * takes about as long: 128 bytes copied or filled, or fewer bytes for slower operations. The budget therefore bounds
 * the host time of a run: a unit of engine work takes about 16 nanoseconds, a word less. The virtual clock (no
 * pfifo_config.clock) advances 16 ns with each unit.
 *
 * Long work is done in slices, and a run ends only between slices. So it may exceed the budget, as a rule by at most
 * 65536 units. `used` is then the budget, but the clock has advanced for all units.
 *
 * A callback that calls it during a run gets PFIFO_STOP_WAITING: nothing is done, and pfifo_gpu_stop_info() is as
 * before.
 */
PFIFO_API enum pfifo_stop pfifo_gpu_run(struct pfifo_gpu *gpu, uint64_t budget);

/*
 * Advance the virtual clock, for an owner who knows that nothing else will happen: to the alarm of PTIMER or the
 * timeout of an acquire, whichever is first, but by at most `nanoseconds` (UINT64_MAX: no limit). The next run then
 * finds the alarm or the timeout. Returns the nanoseconds that passed: 0 with config.clock, or if nothing is due and
 * there is no limit.
 *
 * A run without config.clock does this itself for the alarm: if nothing is left to do, or everything waits, the alarm
 * is enabled and no interrupt is pending, the clock advances to the alarm. So a guest that sleeps until the alarm wakes
 * up.
 */
PFIFO_API uint64_t pfifo_gpu_pass_time(struct pfifo_gpu *gpu, uint64_t nanoseconds);

/*
 * Nanoseconds until time itself makes something happen: PTIMER's alarm interrupts, or an acquire gives up. UINT64_MAX:
 * nothing does. 0: it is due now, and the next run or access of PTIMER will find it. For owners with config.clock, who
 * set a timer of their own to this, and run the GPU when it expires.
 */
PFIFO_API uint64_t pfifo_gpu_due(struct pfifo_gpu *gpu);

/*
 * Would a run do something now? False: it would stop at once, without using any of its budget. True: it would go on, or
 * that is not known before it tries, as with an engine that waits for a semaphore of its own. Nothing changes; memory
 * is read, so this also sees writes that bypassed the API. It costs about as much as an access to a register, or, with
 * many channels, a microsecond. Not to be called from irq(), observers and engines.
 */
PFIFO_API bool pfifo_gpu_has_work(struct pfifo_gpu *gpu);

/* Details of the last stop. Valid until the next pfifo_gpu_run(). */
PFIFO_API const struct pfifo_stop_info *pfifo_gpu_stop_info(const struct pfifo_gpu *gpu);

/* State of the interrupt line (INTA). */
PFIFO_API bool pfifo_gpu_irq(const struct pfifo_gpu *gpu);

/*
 * Syncpoints of Host1x, which Tegras count with: GK20A, GM20B, GP10B. Their numbers are 0 to count - 1; the count is 0
 * on other chips. A missing number reads 0, and incrementing it does nothing. Event fifo.syncpoint.
 */
PFIFO_API uint32_t pfifo_gpu_syncpoint_count(const struct pfifo_gpu *gpu);
PFIFO_API uint32_t pfifo_gpu_syncpoint(struct pfifo_gpu *gpu, uint32_t syncpoint);
PFIFO_API void pfifo_gpu_syncpoint_increment(struct pfifo_gpu *gpu, uint32_t syncpoint);
/* Set a syncpoint, as the driver of Host1x can: when a channel is given up, so that nobody goes on waiting for it. */
PFIFO_API void pfifo_gpu_syncpoint_set(struct pfifo_gpu *gpu, uint32_t syncpoint, uint32_t value);

/* The last value of a method of a bound class on a channel, from the engine's register file. False: not known. */
PFIFO_API bool pfifo_gpu_method_value(struct pfifo_gpu *gpu, uint32_t channel, uint32_t object_class, uint32_t method,
                                      uint32_t *value);

#ifdef __cplusplus
}
#endif

#endif
