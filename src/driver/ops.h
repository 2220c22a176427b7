/* SPDX-License-Identifier: MIT */
/* The operations of a family of chips. */
#ifndef PFIFO_SRC_DRIVER_OPS_H
#define PFIFO_SRC_DRIVER_OPS_H

#include "driver/channel.h"
#include "driver/vm.h"

struct device_save;

struct driver_ops {
    const char *name;
    size_t device_bytes, channel_bytes; /* of their state, which begins with the base */
    bool linear_vram;                   /* VRAM buffers are at their physical address */
    enum pfifo_channel_mode default_mode;
    bool has_pio_mode, has_dma_mode, has_ib_mode, has_handles;
    uint32_t first_channel, spare_channels; /* not used: those below the first, and that many at the end */
    uint64_t va_floor, va_ceiling, va_end;  /* of address spaces; before G80: of GART */
    uint64_t max_segment_words;             /* of an entry of an IB ring */
    uint32_t no_prefetch;                   /* bit of an IB entry's high word, 0: none */
    uint32_t lines;                         /* PMC INTR bits that interrupt() handles */
    uint32_t (*inst_rd32)(struct pfifo_device *device, uint64_t address);
    void (*inst_wr32)(struct pfifo_device *device, uint64_t address, uint32_t value);
    enum pfifo_status (*init)(struct pfifo_device *device, struct pfifo_error *error);
    /* Before G80: enter a buffer into GART's table. */
    void (*map)(struct pfifo_device *device, const struct pfifo_buffer *buffer);
    void (*unmap)(struct pfifo_device *device, const struct pfifo_buffer *buffer);
    /* G80-: the tables of a new space, still without a directory; 0: with the usual big pages. */
    struct table_space (*vm_tables)(const struct pfifo_device *device, uint64_t big_page_bytes);
    /* Can a space have them? */
    bool (*vm_has_big_pages)(const struct pfifo_device *device, uint64_t big_page_bytes);
    /* Tables for these addresses were written; `changed`: and the directory. */
    void (*vm_flush)(struct pfifo_vm *vm, uint64_t first, uint64_t last, bool changed);
    /* G80-: show VRAM in BAR 1 or 3, and end that in BAR 1. False: no memory for tables. NULL: BAR 1 shows VRAM. */
    bool (*bar_map)(struct pfifo_device *device, unsigned bar, uint64_t offset, uint64_t bytes, uint64_t physical);
    void (*bar_unmap)(struct pfifo_device *device, uint64_t offset, uint64_t bytes);
    /* The register that flushes what the host has written. */
    uint32_t (*host_flush)(const struct pfifo_device *device);
    /* Can a channel feed the engine? NULL: if the chip has it. */
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
    /* Take the handle out of RAMHT, and give back what instance memory can be. */
    void (*object_gone)(struct pfifo_channel *channel, const struct channel_object *object);
    /* Slot that the GPU reads next, UINT32_MAX: not known. */
    uint32_t (*ring_get)(struct pfifo_channel *channel);
    /* Tell the GPU about channel->put. */
    void (*ring_put)(struct pfifo_channel *channel);
    /* Set GET and PUT of a channel that is idle. NULL: the channels are not in DMA mode before G80. */
    void (*ring_move)(struct pfifo_channel *channel, uint32_t address);
    bool (*idle)(struct pfifo_channel *channel);
    /* The fences of a channel. */
    const struct fence_ops *(*fence)(const struct pfifo_channel *channel);
    /* The channel's REF_CNT. NULL: no fence needs it. */
    uint32_t (*reference)(struct pfifo_channel *channel);
    /* Would CACHE1 take a method of the PIO channel now, if it has room? */
    bool (*pio_ready)(struct pfifo_channel *channel);
    /* Write a word into the channel's memory, `object`: DMA object before GF100. NULL: nothing asks for it. */
    void (*release)(struct pfifo_channel *channel, uint32_t object, uint64_t address, uint32_t value);
    /*
     * Execute a method that programs may send and PGRAPH does not have. False: it is an error. NULL: there are no such
     * methods.
     */
    bool (*graph_method)(struct pfifo_device *device, const struct pfifo_device_fault *trapped);
    /* How PGRAPH's registers name the channel, NV40-. NULL: by its number. */
    uint32_t (*graph_page)(const struct pfifo_channel *channel);
    /* The buffer that the family keeps for a channel, beside ring and fences; NULL: none. */
    struct pfifo_buffer *(*channel_buffer)(const struct pfifo_channel *channel);
    /* What the family keeps of a device and of a channel, saved and loaded. NULL: they cannot be. */
    void (*device_state)(struct device_save *save);
    void (*channel_state)(struct device_save *save, struct pfifo_channel *channel);
    /* Handle the interrupts behind `lines` of PMC INTR. */
    void (*interrupt)(struct pfifo_device *device, uint32_t lines);
};

extern const struct driver_ops driver_nv1, driver_nv4, driver_nv40, driver_g80, driver_g84, driver_gf100, driver_gk104;

#endif
