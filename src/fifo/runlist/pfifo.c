/* SPDX-License-Identifier: MIT */
#include "fifo/runlist/pfifo.h"

#include <assert.h>
#include <stdlib.h>

#include "fifo/pbdma/interrupt.h"
#include "fifo/pbdma/pusher.h"
#include "fifo/runlist/channel.h"

static bool pfifo_allocate(struct pbdma_fifo *fifo) {
    fifo->channels = calloc(fifo->channel_count, sizeof fifo->channels[0]);
    fifo->listed = calloc((fifo->channel_count + 63) / 64, sizeof fifo->listed[0]);
    fifo->list = calloc(fifo->lists, sizeof fifo->list[0]);
    for (unsigned i = 0; fifo->list && i < fifo->lists; i++) {
        fifo->list[i].entries = calloc(fifo->channel_count, sizeof fifo->list[i].entries[0]);
        if (!fifo->list[i].entries)
            return false;
    }
    return fifo->channels && fifo->listed && fifo->list;
}

static void pfifo_sync(void *host) {
    pbdma_sync(&((const struct pbdma_fifo *)host)->shared);
}

const struct bus_host_ops pbdma_fifo_host = {
    .sync = pfifo_sync,
    .enable_changed = fifo_enable_changed,
    .bar_fault = pbdma_bar_fault,
    .userd_write = pbdma_fifo_userd_write,
    .userd_read = pbdma_fifo_userd_read,
};

static void pfifo_update_line(struct fifo *base) {
    pbdma_update_line((struct pbdma_fifo *)base);
}

static void pfifo_notify(struct fifo *base, unsigned engine) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;
    fifo->variant->interrupts->notify(fifo, engine);
}

static enum pfifo_status pfifo_attach_channel_table(struct pbdma_fifo *fifo, struct pfifo_error *error) {
    fifo->channel_table = *fifo->variant->channel_table;
    fifo->channel_table.bytes = fifo->channel_count * fifo->channel_table.stride;
    return bus_attach_window(fifo->base.bus, &fifo->channel_table, fifo, error);
}

enum pfifo_status pbdma_fifo_attach(struct pbdma_fifo *fifo, const struct pbdma_fifo_variant *variant, unsigned lists,
                                    const struct reg_row *own, size_t own_count, struct pfifo_error *error) {
    const struct pfifo_chip *chip = fifo->base.chip;
    fifo->variant = variant;
    fifo->layout = chip->runlist_layout;
    fifo->channel_count = chip->channels;
    fifo->lists = lists;
    assert((fifo->channel_count & (fifo->channel_count - 1)) == 0);
    if (!pfifo_allocate(fifo))
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for %u channels", (unsigned)fifo->channel_count);
    for (uint32_t i = 0; i < fifo->channel_count; i++)
        channel_init(fifo, i);
    fifo->upward = (struct pbdma_upward){.update_line = pfifo_update_line,
                                         .stall_changed = schedule_retry_preemption,
                                         .host_fault = pbdma_fifo_host_fault,
                                         .notify = pfifo_notify,
                                         .frozen = variant->frozen};
    enum pfifo_status status = schedule_init(&fifo->schedule, chip, error);
    if (status == PFIFO_OK)
        status = pbdma_shared_attach(&fifo->shared, &fifo->base, &variant->pbdma, &fifo->upward, error);
    if (status == PFIFO_OK)
        status = pbdma_fifo_attach_registers(fifo, own, own_count, error);
    return status == PFIFO_OK ? pfifo_attach_channel_table(fifo, error) : status;
}

void pbdma_fifo_free(struct fifo *base) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;
    pbdma_shared_free(&fifo->shared);
    schedule_free(&fifo->schedule);
    for (unsigned i = 0; i < 2; i++)
        free((void *)(uintptr_t)fifo->tables[i].regs);
    for (unsigned i = 0; fifo->list && i < fifo->lists; i++)
        free(fifo->list[i].entries);
    free(fifo->list);
    free(fifo->listed);
    free(fifo->channels);
}

/* All state but memory is lost: channels are not saved. */
void pbdma_fifo_reset(struct fifo *base) {
    struct pbdma_fifo *fifo = (struct pbdma_fifo *)base;
    for (unsigned i = 0; i < 2; i++)
        bus_reset_table(&fifo->tables[i], fifo);
    schedule_reset(&fifo->schedule, fifo->shared.count);
    for (unsigned i = 0; i < fifo->shared.count; i++)
        pbdma_reset(&fifo->shared.unit[i]);
    for (uint32_t i = 0; i < fifo->channel_count; i++) {
        if (fifo->channels[i].bound)
            fifo_channel_gone(base, i);
        channel_init(fifo, i);
    }
    for (unsigned i = 0; i < fifo->lists; i++)
        fifo->list[i].count = fifo->list[i].next = fifo->list[i].base = fifo->list[i].submit = 0;
    pbdma_fifo_bar1_base(fifo, NULL, 0, fifo->bar1_base);
    fifo->intr = 0;
    fifo->runlist_event = 0;
    fifo->fault_source = 0;
    fifo->engines_faulted = 0;
    pbdma_update_line(fifo);
}

enum memory_target pbdma_fifo_base_target(uint32_t base) {
    return base >> 29 & 1 ? MEMORY_SYSTEM : base >> 28 & 1 ? MEMORY_PEER : MEMORY_VRAM;
}

struct address_space pbdma_fifo_channel_space(const struct pfifo_channel_context *channel, uint32_t object) {
    (void)object;
    return channel->vm;
}

uint32_t *pbdma_fifo_syncpoint(struct fifo *base, unsigned index) {
    return pbdma_shared_syncpoint(&((struct pbdma_fifo *)base)->shared, base->chip, index);
}
