/* SPDX-License-Identifier: MIT */
/*
 * The kernel's part: what a kernel driver does to a GPU so that programs have memory, channels and objects.
 *
 *   pfifo/driver.h --> device.c   run, wait, interrupts         channel.c  channels, objects
 *                      memory.c   buffers, instance memory      ring.c     rings of segments
 *                      graph.c    PGRAPH's interrupt            pio.c      methods by PIO, RAMRO
 *                      units.c    those of the other engines
 *                      bar.c      VRAM behind the BARs          topology.c engines and runlists
 *                      software.c methods for the host          peephole.c words into channels' memory
 *                         |
 *                      struct driver_ops, a table per family: nv1.c, nv4.c, g80.c, gf100.c, gk104.c
 *                         |                      page tables: vm_g80.c, vm_gf100.c, vm_gp100.c
 *                      registers and memory of the GPU (pfifo/gpu.h), nothing else
 *
 * Modelled:     one client per device: one virtual space (G80-), or VRAM and GART offsets; PIO, DMA and IB channels;
 *               RAMHT, DMA objects, software objects; recovery from PFIFO's errors as nouveau does it.
 * Not modelled: several clients, what is in contexts of engines, power, clocks, display; TSGs and priorities; the PCIe
 *               GART of NV41.
 * Sources:      nouveau nvkm/engine/fifo, nvkm/subdev/{instmem,mmu,fb,bar}, nouveau_dma.c; envytools docs/hw/fifo,
 *               docs/hw/memory; NVIDIA open-gpu-doc manuals dev_fifo, dev_pbdma, dev_ram, dev_mmu.
 */
#ifndef PFIFO_SRC_DRIVER_DRIVER_H
#define PFIFO_SRC_DRIVER_DRIVER_H

#include <pfifo/driver.h>

#include "chip/chip.h"

#define PAGE_BYTES      4096u
#define BIG_PAGE_BYTES  0x20000u /* large buffers are aligned to this, so that page tables can be coarse */
#define CHANNEL_UNKNOWN UINT32_MAX
#define POLL_TRIES      1000 /* of a register that answers at once unless something is broken */

/* ---- pool.c: who has which addresses ---- */

struct range {
    uint64_t begin, end;
    bool kept; /* for ever: it has been joined to its neighbours that are */
};

/* What the driver chooses comes from the top of [floor, ceiling); a fixed range may be anywhere in [floor, end). */
struct pool {
    struct range *ranges; /* taken, sorted */
    size_t count, room;
    uint64_t floor, ceiling, end;
    /* What was found last, below `ceiling`: above it there is no room for as much, so that a search begins there. */
    struct {
        uint64_t bytes, align, begin; /* bytes 0: nothing is known */
    } found;
};

bool pool_take(struct pool *pool, uint64_t begin, uint64_t bytes); /* false: taken, outside, or no host memory */
bool pool_find(struct pool *pool, uint64_t bytes, uint64_t align, uint64_t *begin);
bool pool_find_kept(struct pool *pool, uint64_t bytes, uint64_t align, uint64_t *begin); /* never given back */
void pool_give(struct pool *pool, uint64_t begin);
void pool_free(struct pool *pool);

/* ---- devices ---- */

struct driver_ops;

/* A method by PIO. */
struct pio_method {
    uint32_t channel, subchannel, method, data;
};

/* RAMRO, and what came from there and has to be written again, in this order. */
struct runout {
    uint32_t base, bytes; /* of RAMRO in RAMIN */
    struct pio_method *methods;
    size_t count, room;
};

struct pfifo_device {
    const struct pfifo_chip *chip;
    const struct driver_ops *ops;
    struct pfifo_gpu *gpu;
    struct pfifo_device_config config;
    uint64_t faults;
    uint32_t ignored_lines; /* of PMC INTR, that nobody can clear */
    struct pool vram;       /* physical; without VRAM not used */
    struct pool system;     /* bus addresses */
    struct pool va;         /* G80-: virtual addresses; before: GART offsets */
    struct pool ramin;      /* before G80: heap of instance memory */
    struct pool bar1;       /* G80-: offsets in BAR 1 */
    uint64_t bar3_first;    /* G80-: physical address that BAR 3 begins with */
    uint64_t bar3_bytes;    /* and how much of VRAM it shows */
    unsigned ramin_bar;     /* before G80: where RAMIN is seen */
    uint32_t ramin_at;
    struct runout runout; /* before G80 */
    uint32_t window;      /* G80-: value of 0x1700 */
    bool window_valid;
    struct pfifo_buffer *buffers;
    struct pfifo_channel *channels;
    const struct pfifo_software_ops *software_ops; /* NULL: nouveau's */
    void *software;
};

struct pfifo_buffer {
    struct pfifo_device *device;
    struct pfifo_buffer *next, *previous;
    bool system; /* in system memory */
    bool in_bar; /* the CPU sees it in BAR 1 */
    uint64_t physical;
    uint64_t address;
    uint64_t bytes;
    uint64_t bar_offset;
};

struct channel_object {
    uint32_t handle;
    uint32_t object_class; /* 0: a DMA object */
    bool software;
    uint64_t slot;     /* instance memory of its RAMHT entry, 0: none */
    uint64_t instance; /* and of the object */
};

#define GRAPH_CONTEXT_WORDS 5u

struct pfifo_channel {
    struct pfifo_device *device;
    struct pfifo_channel *next;
    uint32_t number;
    enum pfifo_channel_mode mode; /* never DEFAULT */
    uint32_t entries;
    struct pfifo_channel_config config;
    struct pfifo_buffer *ring; /* PIO: none */
    uint32_t slots;            /* of the ring that hold segments */
    uint32_t put;              /* next slot to write */
    uint64_t *returns;         /* of the segment in each slot: where it jumps back from; NULL: segments are called */
    bool dead;                 /* killed after a fault */
    uint32_t software[8];      /* class of the software object bound to each subchannel, 0: none */
    struct {                   /* what its methods have said */
        uint32_t reference, object, value, heads;
        uint64_t address;
    } software_state;
    struct channel_object *objects;
    size_t object_count, object_room;
    uint32_t graph_context[GRAPH_CONTEXT_WORDS]; /* NV1, NV3: registers of PGRAPH while it is on another channel */
};

/* ---- what families do differently ---- */

struct driver_ops {
    const char *name;
    size_t device_bytes, channel_bytes; /* of their state, which begins with the base */
    bool linear_vram;                   /* VRAM buffers are at their physical address */
    enum pfifo_channel_mode default_mode;
    bool has_pio_mode, has_dma_mode, has_ib_mode, has_handles;
    uint32_t first_channel, spare_channels; /* not used: those below the first, and that many at the end */
    uint64_t va_floor, va_ceiling, va_end;  /* of pool `va` */
    uint64_t max_segment_words;             /* of an entry of an IB ring */
    uint32_t no_prefetch;                   /* bit of an IB entry's high word, 0: none */
    uint32_t lines;                         /* PMC INTR bits that interrupt() handles */
    uint32_t cache_entries;                 /* before GF100: where METHOD and DATA of CACHE1 are */
    uint32_t (*inst_rd32)(struct pfifo_device *device, uint64_t address);
    void (*inst_wr32)(struct pfifo_device *device, uint64_t address, uint32_t value);
    enum pfifo_status (*init)(struct pfifo_device *device, struct pfifo_error *error);
    /* Enter a buffer into the GPU's tables. False: no memory for tables. */
    bool (*map)(struct pfifo_device *device, const struct pfifo_buffer *buffer);
    void (*unmap)(struct pfifo_device *device, const struct pfifo_buffer *buffer);
    /* G80-: show VRAM in BAR 1 or 3, and end that in BAR 1. False: no memory for tables. NULL: BAR 1 shows VRAM. */
    bool (*bar_map)(struct pfifo_device *device, unsigned bar, uint64_t offset, uint64_t bytes, uint64_t physical);
    void (*bar_unmap)(struct pfifo_device *device, uint64_t offset, uint64_t bytes);
    /* The register that flushes what the host has written. */
    uint32_t (*host_flush)(const struct pfifo_device *device);
    /* Can a channel work for the engine? NULL: if the chip has it. */
    bool (*has_engine)(const struct pfifo_device *device, enum pfifo_channel_engine engine);
    /* The channel has its number, mode and ring. */
    enum pfifo_status (*channel_open)(struct pfifo_channel *channel, struct pfifo_error *error);
    void (*channel_close)(struct pfifo_channel *channel);
    /* Write instance memory and handle. Only for chips with handles. */
    enum pfifo_status (*object)(struct pfifo_channel *channel, struct channel_object *object, unsigned engine,
                                struct pfifo_error *error);
    enum pfifo_status (*dma_object)(struct pfifo_channel *channel, struct channel_object *object,
                                    const struct pfifo_buffer *buffer, uint64_t offset, uint64_t bytes,
                                    struct pfifo_error *error);
    /* Slot that the GPU reads next, UINT32_MAX: cannot be told. */
    uint32_t (*ring_get)(struct pfifo_channel *channel);
    /* Tell the GPU about channel->put. */
    void (*ring_put)(struct pfifo_channel *channel);
    bool (*idle)(struct pfifo_channel *channel);
    /* Would CACHE1 take a method of the PIO channel now, if it has room? */
    bool (*pio_ready)(struct pfifo_channel *channel);
    /* Write a word into the channel's memory, `object`: DMA object before GF100. NULL: nothing asks for it. */
    void (*release)(struct pfifo_channel *channel, uint32_t object, uint64_t address, uint32_t value);
    /*
     * PGRAPH does not have a method that programs may send: the driver does it. False: it is an error. NULL: there are
     * no such methods.
     */
    bool (*graph_method)(struct pfifo_device *device, const struct pfifo_device_fault *trapped);
    /* How PGRAPH's registers name the channel, NV40-. NULL: by its number. */
    uint32_t (*graph_page)(const struct pfifo_channel *channel);
    /* Handle the interrupts behind `lines` of PMC INTR. */
    void (*interrupt)(struct pfifo_device *device, uint32_t lines);
};

extern const struct driver_ops driver_nv1, driver_nv4, driver_nv40, driver_g80, driver_g84, driver_gf100, driver_gk104;

/* ---- device.c ---- */

uint32_t device_rd32(struct pfifo_device *device, uint32_t offset);
void device_wr32(struct pfifo_device *device, uint32_t offset, uint32_t value);
/* Clear `clear`, then set `set`; returns the old value. */
uint32_t device_mask(struct pfifo_device *device, uint32_t offset, uint32_t clear, uint32_t set);
/* Poll until the bits of `mask` read `value`. False: they never do. */
bool device_poll(struct pfifo_device *device, uint32_t offset, uint32_t mask, uint32_t value);
/* Switch units of PMC ENABLE off, and on again. */
void device_reset_units(struct pfifo_device *device, uint32_t units);
/* Handle what has interrupted. True if there was something. */
bool device_interrupts(struct pfifo_device *device);
void device_fault(struct pfifo_device *device, const struct pfifo_device_fault *fault);
struct pfifo_channel *device_channel(struct pfifo_device *device, uint32_t number);
/* The engine id of a unit. False: the chip has none. */
bool device_engine(const struct pfifo_device *device, enum chip_unit unit, unsigned *id);

/* ---- graph.c: PGRAPH ---- */

/* Clear and enable its interrupts; it works for nobody yet. */
void device_graph_enable(struct pfifo_device *device);
/* Its interrupt: switch channels, else report; acknowledge. `line`: its bit of PMC INTR. */
void device_graph_interrupt(struct pfifo_device *device, uint32_t line);
/* A channel closes: PGRAPH may be on it, with registers that are not to be used again. */
void device_graph_forget(struct pfifo_channel *channel);
/* graph_error.c: report what the bits of INTR say, acknowledge them, and let it go on. */
void device_graph_errors(struct pfifo_device *device, uint32_t status);
/* graph_methods.c: struct driver_ops.graph_method, from NV4 on. */
bool device_graph_method(struct pfifo_device *device, const struct pfifo_device_fault *trapped);
/* nv4_binds.c: the same for what NV4 leaves to its driver. */
bool device_bind_nv4(struct pfifo_device *device, const struct pfifo_device_fault *trapped);

/* ---- units.c: the other engines' interrupts ---- */

/* Before G80: start what must be started. */
void device_units_enable(struct pfifo_device *device);
/* Report and acknowledge what is behind these lines of PMC INTR. */
void device_unit_interrupts(struct pfifo_device *device, uint32_t lines);
#define UNIT_LINES_NV4   0x00000001u /* PMPEG */
#define UNIT_LINES_G80   0x0042c001u /* and processors, falcons, PCOPY */
#define UNIT_LINES_GF100 0x000380e1u

/* ---- memory.c ---- */

/* Instance memory, cleared: RAMIN before G80, VRAM from there on. 0: none left. */
uint64_t inst_alloc(struct pfifo_device *device, uint64_t bytes, uint64_t align);
/* The same for what stays until the device is closed: page tables. */
uint64_t inst_alloc_kept(struct pfifo_device *device, uint64_t bytes, uint64_t align);
void inst_free(struct pfifo_device *device, uint64_t address);
uint32_t inst_rd32(struct pfifo_device *device, uint64_t address);
void inst_wr32(struct pfifo_device *device, uint64_t address, uint32_t value);
uint64_t inst_rd64(struct pfifo_device *device, uint64_t address);
void inst_wr64(struct pfifo_device *device, uint64_t address, uint64_t value);
/* Access to instance memory before G80. */
uint32_t ramin_rd32(struct pfifo_device *device, uint64_t address);
void ramin_wr32(struct pfifo_device *device, uint64_t address, uint32_t value);
void ramin_write(struct pfifo_device *device, uint64_t address, const uint32_t *words, size_t count);
/* Access to instance memory on G80 and later, through BAR 3 or the window of BAR0. */
uint32_t g80_inst_rd32(struct pfifo_device *device, uint64_t address);
void g80_inst_wr32(struct pfifo_device *device, uint64_t address, uint32_t value);
void g80_inst_write(struct pfifo_device *device, uint64_t address, const uint8_t *data, size_t bytes);

/* ---- bar.c: the CPU's view of VRAM, G80 and later ---- */

#define BAR1_BYTES_MAX (UINT64_C(256) << 20)
#define BAR3_BYTES     (UINT64_C(16) << 20)

/* How much of BAR 1 is used. */
uint64_t bar1_bytes(const struct pfifo_device *device);

/* Before the BARs are set up. */
void bar_pools(struct pfifo_device *device);
/* BAR 3 works from now on. False: no memory for tables. */
bool bar_show_instances(struct pfifo_device *device);
/* Show a buffer in BAR 1. True if it is there, at its bar_offset. */
bool bar_show(struct pfifo_buffer *buffer);
void bar_forget(struct pfifo_buffer *buffer);
/* What the CPU has written is in memory. */
void device_host_flush(struct pfifo_device *device);

/* ---- software.c ---- */

/* Software methods: true if who takes them has. */
bool channel_software_method(struct pfifo_channel *channel, unsigned subchannel, uint32_t method, uint32_t data);
/* Method 0 of a software object: by handle, or (GF100-) by class. False: there is no such object. */
bool channel_software_bind(struct pfifo_channel *channel, unsigned subchannel, uint32_t data);
void channel_software_gone(struct pfifo_channel *channel);

/* ---- ring.c ---- */

enum pfifo_status ring_make(struct pfifo_channel *channel, struct pfifo_error *error);
void ring_drop(struct pfifo_channel *channel);

/* ---- pio.c: methods by PIO, before G80 ---- */

/* PFIFO's interrupt RUNOUT: empty RAMRO, acknowledge. */
void pio_runout(struct pfifo_device *device);
/* Write again what came from RAMRO. False: nothing was written, so that nothing new can happen. */
bool pio_replay(struct pfifo_device *device);
/* Has the channel methods that are not in CACHE1? */
bool pio_pending(struct pfifo_channel *channel);
void pio_channel_gone(struct pfifo_channel *channel);

/* ---- ramht.c: objects by handle, before GF100 ---- */

struct ramht_table {
    uint64_t base;     /* in instance memory */
    unsigned bits;     /* log2 of the entries */
    uint32_t probes;   /* that the hardware makes */
    uint32_t hash_add; /* what the channel adds to the hash */
};

/* Address of the entry that was written, 0: the table is too full. */
uint64_t ramht_insert(struct pfifo_device *device, const struct ramht_table *table, uint32_t handle, uint32_t context);
void ramht_remove(struct pfifo_device *device, uint64_t slot);

/* ---- cache_interrupt.c: PFIFO of NV4 .. MCP89 ---- */

void cache_fifo_interrupt(struct pfifo_device *device);
/* What is left in CACHE1 of the channel that is there: entries, or an acquire that waits. */
bool cache_loaded(struct pfifo_device *device, uint32_t channel);
bool cache_busy(struct pfifo_device *device);

#endif
