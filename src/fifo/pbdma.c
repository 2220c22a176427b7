/* SPDX-License-Identifier: MIT */
/*
 * A PBDMA's page of registers, and how a channel gets on and off it.
 */
#include "fifo/pbdma.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define PAGE_BASE   0x40000u
#define PAGE_STRIDE 0x2000u

static uint32_t stalled_pbdma_channel(void *unit, const struct reg *reg, uint32_t index);
static void intr_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
static void enable_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
static void word_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value);
static uint32_t pb_crc_read(void *unit, const struct reg *reg, uint32_t index);
static uint32_t method_crc_read(void *unit, const struct reg *reg, uint32_t index);
static void method_crc_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value);

#define AT(member) .at = offsetof(struct pbdma, member)
#define PLAIN(off, name, mem)                                                                                          \
    { (off), (name), AT(mem), .readable = ~0u, .writable = ~0u }
/* A word that RAMFC has too. */
#define WORD(off, name)                                                                                                \
    { (off), (name), .at = offsetof(struct pbdma, regs) + (off), .readable = ~0u, .writable = ~0u, .write = word_write }
#define WORDS(off, name, n)                                                                                            \
    {                                                                                                                  \
        (off), (name), .at = offsetof(struct pbdma, regs) + (off), .readable = ~0u, .writable = ~0u, .count = (n),     \
                       .write = word_write                                                                             \
    }

static const struct reg page_rows[] = {
    WORD(0x00, "GP_PUT"),
    WORD(0x04, "MEM_OP_A"),
    WORD(0x08, "USERD"),
    WORD(0x0c, "USERD_HI"),
    WORD(0x10, "SIGNATURE"),
    WORD(0x14, "GP_GET"),
    WORD(0x18, "GET"),
    WORD(0x1c, "GET_HI"),
    WORD(0x20, "TOP_LEVEL_GET"),
    WORD(0x24, "TOP_LEVEL_GET_HI"),
    WORD(0x28, "REF"),
    WORD(0x2c, "RUNTIME"),
    WORD(0x30, "ACQUIRE"),
    WORD(0x34, "ACQUIRE_DEADLINE"),
    WORD(0x38, "SEM_ADDR_HI"),
    WORD(0x3c, "SEM_ADDR_LO"),
    WORD(0x40, "SEM_PAYLOAD_LO"),
    WORD(0x44, "SEM_EXECUTE"),
    WORD(0x48, "GP_BASE"),
    WORD(0x4c, "GP_BASE_HI"),
    WORD(0x50, "GP_FETCH"),
    WORD(0x54, "PB_FETCH"),
    WORD(0x58, "PB_FETCH_HI"),
    WORD(0x5c, "PUT"),
    WORD(0x60, "PUT_HI"),
    WORD(0x64, "MEM_OP_B"),
    WORDS(0x68, "SHADOW_HI", 3),
    WORD(0x74, "GP_CRC"),
    WORD(0x78, "SYNCPOINTA"),
    WORD(0x7c, "SYNCPOINTB"),
    WORD(0x80, "WFI"),
    WORD(0x84, "PB_HEADER"),
    WORD(0x88, "PB_COUNT"),
    WORDS(0x8c, "PB_DATA", 2),
    WORD(0x94, "SUBDEVICE"),
    {0x98, "PB_CRC", AT(regs[R_PB_CRC]), .readable = ~0u, .writable = ~0u, .read = pb_crc_read},
    WORD(0x9c, "FEATURE_ENABLE"),
    WORD(0xa0, "MEM_OP_C"),
    WORDS(0xa4, "ENGINE", 2),
    WORD(0xac, "TARGET"),
    {0xb0, "METHOD_CRC", AT(regs[R_METHOD_CRC]), .readable = ~0u, .writable = ~0u, .read = method_crc_read,
     .write = method_crc_write},
    WORDS(0xb4, "MASK", 3),
    WORDS(0xc0, "METHOD", 8), /* METHOD n at 8n, DATA n at 8n + 4 */
    WORD(0xe0, "IB_FLAGS"),
    WORD(0xe4, "HCE_CTRL"),
    WORD(0xe8, "CHID"),
    WORD(0xec, "UNKNOWN_EC"),
    WORD(0xf0, "PB_DATA2"),
    WORD(0xf4, "CONFIG"),
    WORD(0xf8, "TIMESLICE"),
    WORD(0xfc, "SET_CHANNEL_INFO"),
    {0x100, "STATUS", .at = REG_NONE},
    PLAIN(0x104, "CFG0", unknown[0]),
    {0x108, "INTR_0", AT(intr_0), .readable = ~0u, .write = intr_write},
    {0x10c, "INTR_EN_0", AT(intr_en_0), .readable = ~0u, .writable = ~0u, .write = enable_write},
    {0x110, "GP_SHADOW", AT(gp_shadow), .readable = ~0u, .writable = ~0u, .count = 2},
    PLAIN(0x118, "HDR_SHADOW", hdr_shadow),
    {0x120, "CHANNEL", .at = REG_NONE, .read = stalled_pbdma_channel},
    {0x12c, "TIMEOUT", AT(timeout), .readable = ~0u, .writable = ~0u, .reset = 0x10000},
    {0x13c, "INTR_STALL", AT(stall_0), .readable = ~0u, .writable = ~0u, .reset = ~0u, .write = enable_write},
    {0x140, "INTR_STALL_1", AT(stall_1), .readable = ~0u, .writable = ~0u, .reset = ~0u, .write = enable_write},
    {0x148, "INTR_1", AT(intr_1), .readable = ~0u, .write = intr_write},
    {0x14c, "INTR_EN_1", AT(intr_en_1), .readable = ~0u, .writable = ~0u, .write = enable_write},
    {0x150, "HCE_DBG", AT(hce_debug), .readable = ~0u, .writable = ~0u, .count = 2},
};

#define ROW_COUNT (sizeof page_rows / sizeof page_rows[0])

static uint32_t stalled_pbdma_channel(void *unit, const struct reg *reg, uint32_t index) {
    struct pbdma *pbdma = unit;
    (void)reg, (void)index;
    return pbdma->channel ? pbdma->channel->context.id | pbdma->fifo->family->channel_loaded : 0;
}

/* Write one to clear. What stalled goes on with whatever the registers hold now. */
static void intr_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pbdma *pbdma = unit;
    *reg_storage(pbdma, reg, index) &= ~value;
    pbdma_update_line(pbdma->fifo);
    pbdma_preempt_retry(pbdma);
}

static void enable_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pbdma *pbdma = unit;
    (void)reg, (void)index, (void)value;
    pbdma_update_line(pbdma->fifo);
    pbdma_preempt_retry(pbdma);
}

static uint8_t layout_of(const struct grammar *grammar, enum grammar_form form) {
    size_t row = 0;
    while (grammar->rows[row].form != form)
        row++;
    assert(row < grammar->count);
    return grammar->rows[row].layout;
}

/* CMD_TYPES: 0 old forms only, 1 new forms only, 2 both. */
static void set_grammar(struct pbdma *pbdma) {
    uint8_t mode = (pbdma->regs[R_CMD_TYPES] & 0x300) == 0x100 ? 0 : GRAMMAR_OLD;
    if (mode == pbdma->grammar_mode)
        return;
    pbdma->grammar_mode = mode;
    const struct grammar *grammar = pbdma->fifo->base.chip->family->grammar;
    grammar_make_index(grammar, mode, &pbdma->grammar);
    pbdma->method_layout = layout_of(grammar, FORM_INCREASING);
    pbdma->immediate_layout = layout_of(grammar, FORM_IMMEDIATE);
    const struct grammar_layout *method = &grammar_layouts[pbdma->method_layout];
    const struct grammar_layout *immediate = &grammar_layouts[pbdma->immediate_layout];
    assert(method->subchannel_shift == immediate->subchannel_shift && method->method_shift == immediate->method_shift &&
           method->method_bits == immediate->method_bits); /* pbdma_packets.c counts on it */
    (void)method, (void)immediate;
}

void pbdma_derive(struct pbdma *pbdma) {
    pbdma->span = (struct pbdma_span){0};
    set_grammar(pbdma);
    pbdma->fifo->family->route(pbdma);
}

static void word_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    (void)reg, (void)index, (void)value;
    pbdma_derive(unit);
}

static uint32_t pb_crc_read(void *unit, const struct reg *reg, uint32_t index) {
    (void)reg, (void)index;
    return pbdma_pb_crc(unit);
}

static uint32_t method_crc_read(void *unit, const struct reg *reg, uint32_t index) {
    struct pbdma *pbdma = unit;
    (void)reg, (void)index;
    pbdma_crc_settle(pbdma);
    return pbdma->regs[R_METHOD_CRC];
}

static void method_crc_write(void *unit, const struct reg *reg, uint32_t index, uint32_t value) {
    struct pbdma *pbdma = unit;
    (void)reg, (void)index, (void)value;
    pbdma->notes.count = 0;
}

/* The row table is in the addresses of PBDMA 0; each one gets its own copy. */
static enum pfifo_status attach_page(struct pbdma *pbdma, struct pfifo_error *error) {
    pbdma->rows = malloc(sizeof page_rows);
    if (!pbdma->rows)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the registers of a PBDMA");
    memcpy(pbdma->rows, page_rows, sizeof page_rows);
    for (size_t i = 0; i < ROW_COUNT; i++)
        pbdma->rows[i].offset += PAGE_BASE + PAGE_STRIDE * pbdma->index;
    snprintf(pbdma->face_name, sizeof pbdma->face_name, "PBDMA%u", pbdma->index);
    pbdma->face = (struct face){pbdma->face_name, pbdma->rows, ROW_COUNT};
    return bus_attach_face(pbdma->fifo->base.bus, &pbdma->face, pbdma, error);
}

void pbdma_fresh_channel(struct pbdma_fifo *fifo, uint32_t id) {
    fifo->channels[id] = (struct pbdma_channel){.context = {.fifo = &fifo->base, .id = id}, .tsg = PBDMA_NONE};
}

static bool allocate(struct pbdma_fifo *fifo) {
    fifo->channels = calloc(fifo->channel_count, sizeof fifo->channels[0]);
    for (unsigned i = 0; i < fifo->lists; i++) {
        fifo->list[i].entries = calloc(fifo->channel_count, sizeof fifo->list[i].entries[0]);
        if (!fifo->list[i].entries)
            return false;
    }
    return fifo->channels != NULL;
}

enum pfifo_status pbdma_attach(struct pbdma_fifo *fifo, const struct pbdma_family *family, unsigned lists,
                               struct pfifo_error *error) {
    const struct chip *chip = fifo->base.chip;
    assert(chip->pbdmas <= PBDMA_MAX && lists <= PBDMA_RUNLISTS);
    fifo->family = family;
    fifo->pbdmas = chip->pbdmas;
    fifo->channel_count = UINT32_C(1) << chip->channel_bits;
    assert(fifo->channel_count <= PBDMA_CHANNELS);
    fifo->lists = lists;
    pbdma_crc_init(&fifo->crc);
    if (!allocate(fifo))
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for %u channels", (unsigned)fifo->channel_count);
    for (uint32_t i = 0; i < fifo->channel_count; i++)
        pbdma_fresh_channel(fifo, i);
    struct bus *bus = fifo->base.bus;
    bus->fifo = fifo;
    bus->bar_fault = pbdma_bar_fault;
    for (unsigned i = 0; i < fifo->pbdmas; i++) {
        struct pbdma *pbdma = &fifo->pbdma[i];
        pbdma->fifo = fifo;
        pbdma->index = i;
        pbdma->grammar_mode = UINT8_MAX;
        enum pfifo_status status = attach_page(pbdma, error);
        if (status != PFIFO_OK)
            return status;
        pbdma_derive(pbdma);
    }
    return PFIFO_OK;
}

void pbdma_free(struct fifo *base) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;
    for (unsigned i = 0; i < PBDMA_MAX; i++)
        free(fifo->pbdma[i].rows);
    for (unsigned i = 0; i < PBDMA_RUNLISTS; i++)
        free(fifo->list[i].entries);
    free(fifo->channels);
}

/* Everything goes but what is in memory: channels are not saved. */
void pbdma_reset(struct fifo *base) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;
    for (unsigned i = 0; i < fifo->pbdmas; i++) {
        struct pbdma *pbdma = &fifo->pbdma[i];
        pbdma->channel = NULL;
        pbdma->preempted = false;
        pbdma->notes.count = 0;
        bus_reset_face(&pbdma->face, pbdma);
        pbdma_derive(pbdma);
    }
    for (uint32_t i = 0; i < fifo->channel_count; i++) {
        if (fifo->channels[i].bound)
            fifo_channel_gone(base, i);
        pbdma_fresh_channel(fifo, i);
    }
    for (unsigned i = 0; i < fifo->lists; i++)
        fifo->list[i].count = fifo->list[i].next = fifo->list[i].base = fifo->list[i].submit = 0;
    pbdma_bar1_base(fifo, NULL, 0, fifo->bar1_base);
    fifo->turn = 0;
    fifo->intr = 0;
    fifo->runlist_event = 0;
    fifo->fault_source = 0;
    pbdma_update_line(fifo);
}

/* RAMFC in one copy. Beyond memory it reads as zeros, and the signature will not match. */
static void copy_ramfc(struct pbdma *pbdma, const struct pbdma_channel *channel, bool load) {
    struct address_space space = address_space_physical(channel->context.instance_target);
    uint8_t image[sizeof pbdma->regs];
    struct fault fault;
    if (load) {
        if (!memory_read(pbdma_memory(pbdma), &space, channel->context.instance, image, sizeof image, &fault))
            memset(image, 0, sizeof image);
        for (size_t i = 0; i < PBDMA_WORDS; i++)
            pbdma->regs[i] = load_le32(image + 4 * i);
        return;
    }
    for (size_t i = 0; i < PBDMA_WORDS; i++)
        store_le32(image + 4 * i, pbdma->regs[i]);
    memory_write(pbdma_memory(pbdma), &space, channel->context.instance, image, sizeof image, &fault);
}

/* TIMESLICE: [7:0] timeout, [15:12] scale, in units of 1024 ns; nothing there means the shortest. */
static uint32_t default_slice(const struct pbdma *pbdma) {
    uint32_t value = pbdma->regs[R_TIMESLICE];
    uint64_t nanoseconds = (uint64_t)(value & 0xff) << (value >> 12 & 0xf) << 10;
    return (uint32_t)(nanoseconds / BUS_NS_PER_WORK) + PBDMA_SHORTEST_SLICE;
}

/* SIGNATURE: 0xface (software's) or the class of the channel. */
static bool signature_ok(const struct pbdma *pbdma) {
    uint32_t signature = pbdma->regs[R_SIGNATURE] & 0xffff;
    return signature == 0xface || signature == pbdma->fifo->base.chip->host_class;
}

void pbdma_load(struct pbdma *pbdma, struct pbdma_channel *channel, unsigned list, uint32_t slice) {
    assert(!pbdma->channel && !channel->on);
    struct pfifo_channel_context *context = &channel->context;
    copy_ramfc(pbdma, channel, true);
    pbdma->notes.count = 0;
    pbdma->channel = channel;
    pbdma->list = list;
    channel->on = pbdma;
    context->vm = address_space_vm(pbdma_memory(pbdma), context->instance_target, context->instance);
    pbdma->regs[R_GP_PUT] = pbdma_read_gp_put(pbdma);
    pbdma->period = slice ? slice : default_slice(pbdma);
    pbdma->slice = pbdma->period;
    pbdma->yields_at = pbdma->period;
    pbdma_derive(pbdma);
    event_send(pbdma_events(pbdma), EVENT_SWITCH_LOAD, context->id, NULL, context->instance);
    if (!signature_ok(pbdma))
        pbdma_raise(pbdma, PBDMA_INTR_SIGNATURE, "SIGNATURE");
}

void pbdma_save(struct pbdma *pbdma) {
    struct pbdma_channel *channel = pbdma->channel;
    assert(channel && channel->on == pbdma);
    pbdma_crc_settle(pbdma);
    copy_ramfc(pbdma, channel, false);
    pbdma_write_userd(pbdma);
    event_send(pbdma_events(pbdma), EVENT_SWITCH_SAVE, channel->context.id, NULL, channel->context.instance);
}

void pbdma_leave(struct pbdma *pbdma) {
    pbdma_save(pbdma);
    pbdma->channel->on = NULL;
    pbdma->channel = NULL;
    pbdma->preempted = false;
    pbdma->span = (struct pbdma_span){0};
}
