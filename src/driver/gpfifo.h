/* SPDX-License-Identifier: MIT */
/* What the drivers of GF100 and GK104 share: instance blocks, USERD, runlists, PBDMAs, BARs, faults. */
#ifndef PFIFO_SRC_DRIVER_GPFIFO_H
#define PFIFO_SRC_DRIVER_GPFIFO_H

#include "driver/tables.h"

#include "hw/pmc.h"

#define GPFIFO_RUNLISTS      16
#define GPFIFO_ENGINES       16
#define GPFIFO_NO_FAULT_UNIT 0xffu

struct gpfifo_device;

struct gpfifo_word {
    uint16_t offset;
    uint32_t value;
};

/* An engine: its number in PFIFO's registers, the runlist that feeds it, its unit of the MMU. */
struct gpfifo_engine {
    uint32_t type; /* as in the topology table */
    unsigned id, runlist, fault_unit;
    uint32_t enable; /* its bits of PMC ENABLE, 0: not known */
};

/* What differs between the two. */
struct gpfifo_family {
    const struct gpfifo_word *ramfc; /* initial words that are the same for all channels */
    size_t ramfc_words;
    bool channel_in_ramfc;
    bool has_copy_front_ends; /* a second register of interrupts of a PBDMA is about them */
    const struct error_names *mmu_errors;
    uint64_t runlist_bytes; /* 0: two entries for each channel, as there may be TSGs */
    /* The second word of a runlist entry. */
    uint32_t (*entry_word)(const struct pfifo_device *device, uint64_t instance);
    /* Publish a runlist. `base`: as the register wants it. */
    void (*commit)(struct pfifo_device *device, unsigned runlist, uint32_t base, uint32_t count);
    /* Switch a channel off, so that the GPU does not go on with it. */
    void (*stop)(struct pfifo_channel *channel);
    /* The MMU fault of a unit: kill the channel (NULL: not known), and note in `broken` what must be recovered. */
    void (*condemn)(struct pfifo_device *device, struct pfifo_channel *channel, unsigned unit);
    /* What of `broken` SCHED_DISABLE and ENG_FAULT have bits for: engines or runlists. */
    uint32_t (*broken)(const struct gpfifo_device *own);
};

/* The space of a BAR: an instance block that leads to its tables. */
struct gpfifo_space {
    uint64_t instance;
    struct table_space tables;
};

/* What differs from chip to chip beside the family: gpfifo.c has the rows. */
struct gpfifo_variant {
    const char *chips;
    const struct table_ops *tables;
    bool sets_timeouts;      /* of the PBDMAs */
    bool says_bound;         /* PBUS says when a BAR's space is bound */
    bool instance_in_list;   /* entries of a runlist name the instance block */
    bool big_pages_of_space; /* their size is chosen per space, not for the board */
};

struct gpfifo_device {
    struct pfifo_device base;
    const struct gpfifo_family *family;
    const struct gpfifo_variant *variant;
    struct gpfifo_space bar1, bar3;
    uint64_t userd, userd_at; /* address in memory, and in BAR 1 */
    struct {
        uint64_t list[2];
        unsigned turn; /* which of the two is free */
    } runlist[GPFIFO_RUNLISTS];
    struct gpfifo_engine engines[GPFIFO_ENGINES];
    unsigned engine_count, pbdmas;
    struct {
        uint32_t engines, runlists; /* a bit for each id */
    } broken;
};

struct gpfifo_channel {
    struct pfifo_channel base;
    uint64_t instance;
    unsigned runlist;
    struct pfifo_buffer *contexts; /* of its engines */
};

static inline struct gpfifo_device *gpfifo_of(struct pfifo_device *device) {
    return (struct gpfifo_device *)device;
}

static inline struct gpfifo_channel *gpfifo_channel_of(struct pfifo_channel *channel) {
    return (struct gpfifo_channel *)channel;
}

static inline uint64_t gpfifo_instance(const struct pfifo_channel *channel) {
    return ((const struct gpfifo_channel *)channel)->instance;
}

/* Switch engines off and on again: those with the ids of the mask. */
void gpfifo_reset_engines(struct pfifo_device *device, uint32_t ids);
/* When the fault is acknowledged: reset what condemn() noted, publish the lists without dead channels, go on. */
void gpfifo_recover(struct pfifo_device *device);
/* Memory of the device, and its BARs. */
enum pfifo_status gpfifo_init(struct pfifo_device *device, const struct gpfifo_family *family,
                              struct pfifo_error *error);
uint32_t gpfifo_host_flush(const struct pfifo_device *device);
void gpfifo_start_pbdmas(struct pfifo_device *device);
void gpfifo_start(struct pfifo_device *device); /* USERD, interrupts: the last step of init */
struct table_space gpfifo_vm_tables(const struct pfifo_device *device, uint64_t big_page_bytes);
bool gpfifo_vm_has_big_pages(const struct pfifo_device *device, uint64_t big_page_bytes);
void gpfifo_vm_flush(struct pfifo_vm *vm, uint64_t first, uint64_t last, bool changed);
void gpfifo_flush_tlb(struct pfifo_device *device, uint64_t directory, bool bar);
/* Directory and limit of a space, in its instance block. */
void gpfifo_write_space(struct gpfifo_device *own, uint64_t instance, const struct table_space *space, uint64_t limit);
/* Of one of the two lists of a runlist. */
uint64_t gpfifo_runlist_bytes(const struct gpfifo_device *own);
#define GPFIFO_INSTANCE_BYTES PAGE_BYTES
/* Make the instance block with RAMFC, and the contexts of the engines on the channel's runlist. */
enum pfifo_status gpfifo_channel_memory(struct pfifo_channel *base, struct pfifo_error *error);
struct pfifo_buffer *gpfifo_channel_buffer(const struct pfifo_channel *channel);
void gpfifo_channel_free(struct pfifo_channel *channel);
/* Publish a list of all its channels that are alive; `extra` is not among the device's yet (NULL: none). */
void gpfifo_update_runlist(struct pfifo_device *device, unsigned runlist, const struct pfifo_channel *extra);
const struct fence_ops *gpfifo_fence(const struct pfifo_channel *channel);
uint32_t gpfifo_ring_get(struct pfifo_channel *channel);
/* Where it is in its segments, as USERD has it: another one after each word that it has taken. */
uint64_t gpfifo_position(const struct pfifo_channel *channel);
void gpfifo_ring_put(struct pfifo_channel *channel);

/* gpfifo_bar.c: BAR 1 with USERD, BAR 3. */
bool gpfifo_make_bars(struct gpfifo_device *own);
/* Write the register that names the space of BAR 1 or 3, as after its fault. */
void gpfifo_bind_bar(struct gpfifo_device *own, unsigned bar);
bool gpfifo_bar_map(struct pfifo_device *device, unsigned bar, uint64_t offset, uint64_t bytes, uint64_t physical);
void gpfifo_bar_unmap(struct pfifo_device *device, uint64_t offset, uint64_t bytes);

/* peephole.c */
void gpfifo_release(struct pfifo_channel *channel, uint32_t object, uint64_t address, uint32_t value);

/* topology.c: the engines that the topology table lists; how many. */
unsigned topology_read(struct pfifo_device *device, struct gpfifo_engine engines[GPFIFO_ENGINES]);

/* gpfifo_interrupt.c */
void gpfifo_interrupt(struct pfifo_device *device, uint32_t lines);
uint32_t gpfifo_graph_page(const struct pfifo_channel *channel);

/* gpfifo_save.c */
void gpfifo_device_state(struct device_save *save);
void gpfifo_channel_state(struct device_save *save, struct pfifo_channel *base);

/* Rings and segments have addresses of 40 bits, whatever the page tables know. */
#define GPFIFO_VA_END  (UINT64_C(1) << 40)
#define GPFIFO_CEILING (UINT64_C(1) << 39)
#define GPFIFO_SYNC    (1u << 31)
#define GPFIFO_LENGTH  0x1fffffu

#define GPFIFO_OPS                                                                                                     \
    .device_bytes = sizeof(struct gpfifo_device), .channel_bytes = sizeof(struct gpfifo_channel),                      \
    .default_mode = PFIFO_CHANNEL_IB, .has_ib_mode = true, .va_floor = PAGE_BYTES, .va_ceiling = GPFIFO_CEILING,       \
    .va_end = GPFIFO_VA_END, .max_segment_words = GPFIFO_LENGTH, .no_prefetch = GPFIFO_SYNC,                           \
    .lines = PMC_INTR_PFIFO | PMC_INTR_PGRAPH | UNIT_LINES_GF100, .graph_page = gpfifo_graph_page,                     \
    .inst_rd32 = g80_inst_rd32, .inst_wr32 = g80_inst_wr32, .vm_tables = gpfifo_vm_tables,                             \
    .vm_has_big_pages = gpfifo_vm_has_big_pages, .vm_flush = gpfifo_vm_flush, .bar_map = gpfifo_bar_map,               \
    .bar_unmap = gpfifo_bar_unmap, .fence = gpfifo_fence, .ring_get = gpfifo_ring_get, .ring_put = gpfifo_ring_put,    \
    .release = gpfifo_release, .interrupt = gpfifo_interrupt, .host_flush = gpfifo_host_flush,                         \
    .channel_buffer = gpfifo_channel_buffer, .device_state = gpfifo_device_state,                                      \
    .channel_state = gpfifo_channel_state

#endif
