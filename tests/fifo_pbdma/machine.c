/* SPDX-License-Identifier: MIT */
#include "machine.h"

#include <stdlib.h>

#define PAGE_DIRECTORY 0x020000u
#define PAGE_TABLE     0x030000u
#define RUNLIST_AT     0x500000u

/* The recorders. */

static bool record_bind(void *engine, const struct pfifo_channel_context *channel, unsigned subchannel,
                        uint32_t object_class, uint32_t object) {
    struct recorder *r = engine;
    struct machine *m = r->machine;
    assert_int_equal(object, 0);
    if (object_class == m->refuse_class)
        return false;
    assert_true(m->bind_count < COUNT_OF(m->binds));
    m->binds[m->bind_count++] =
        (struct recorded){pfifo_channel_context_id(channel), r->engine, subchannel, object_class, 0};
    return true;
}

static void side_effect(struct machine *m, uint32_t data) {
    m->time_at_side = bus_now(&m->bus); /* before the GPU is looked at, which may set the clock, too */
    poke(m, SCRATCH + 0x8000, data);
    uint8_t userd_get[4];
    bus_bar_read(&m->bus, 1, m->chip->userd_stride + 0x44, userd_get, sizeof userd_get);
    m->userd_get_at_side = load_le32(userd_get);
    m->get_at_side = pb(m, 0, 0x18);
    m->count_at_side = pb(m, 0, 0x88);
}

static uint32_t record_methods(void *engine, const struct pfifo_methods *run) {
    struct recorder *r = engine;
    struct machine *m = r->machine;
    uint32_t taken = 0;
    m->calls++;
    if (m->stall)
        return 0;
    while (taken < run->count && taken < m->take) {
        uint32_t method = run->method + run->step * taken;
        if (m->side_method && method == m->side_method) {
            if (taken)
                break;
            side_effect(m, run->data[0]);
        }
        bool faults = m->fault_method && method == m->fault_method;
        if (faults && taken)
            break;
        if (faults)
            pfifo_channel_write(run->channel, 0, MAPPED_END, run->data, 4);
        assert_true(m->method_count < RECORDED);
        m->methods[m->method_count++] = (struct recorded){pfifo_channel_context_id(run->channel), r->engine,
                                                          run->subchannel, method, run->data[taken]};
        taken++;
        if (faults)
            break;
    }
    return taken;
}

static bool record_busy(void *engine, const struct pfifo_channel_context *channel) {
    struct recorder *r = engine;
    (void)channel;
    return r->machine->busy;
}

static void record_switch(void *engine, const struct pfifo_channel_context *channel) {
    struct recorder *r = engine;
    (void)channel;
    r->machine->switches++;
}

static void record_gone(void *engine, uint32_t channel) {
    struct recorder *r = engine;
    (void)channel;
    r->machine->gone++;
}

static const struct pfifo_engine_ops recorder_ops = {
    .name = "recorder",
    .bind = record_bind,
    .methods = record_methods,
    .busy = record_busy,
    .switch_channel = record_switch,
    .channel_gone = record_gone,
};

/* Memory and registers. */

uint32_t peek(struct machine *m, uint64_t address) {
    return memory_physical_rd32(&m->memory, MEMORY_VRAM, address);
}

void poke(struct machine *m, uint64_t address, uint32_t value) {
    memory_physical_wr32(&m->memory, MEMORY_VRAM, address, value);
}

uint32_t reg(struct machine *m, uint32_t offset) {
    return bus_rd32(&m->bus, offset);
}

void set_reg(struct machine *m, uint32_t offset, uint32_t value) {
    bus_wr32(&m->bus, offset, value);
}

uint32_t pb(struct machine *m, unsigned pbdma, uint32_t offset) {
    return reg(m, 0x40000 + 0x2000 * pbdma + offset);
}

void set_pb(struct machine *m, unsigned pbdma, uint32_t offset, uint32_t value) {
    set_reg(m, 0x40000 + 0x2000 * pbdma + offset, value);
}

/* What nouveau does before the first channel. */
static void init_registers(struct machine *m) {
    set_reg(m, 0x204, ~0u);
    set_reg(m, 0x140, 1);
    if (m->chip->has_engine_in_object) {
        set_reg(m, 0x2204, ~0u);
        set_reg(m, 0x2628, 1);
        set_reg(m, 0x2200, reg(m, 0x2200) | 1);
    }
    for (unsigned i = 0; i < m->chip->pbdmas; i++) {
        set_pb(m, i, 0x13c, pb(m, i, 0x13c) & ~0x10000100u);
        set_pb(m, i, 0x108, ~0u);
        set_pb(m, i, 0x10c, 0xfffffeff);
        if (!m->chip->has_engine_in_object) {
            set_pb(m, i, 0x148, ~0u);
            set_pb(m, i, 0x14c, ~0u);
        }
    }
    set_reg(m, 0x2254, 0x10000000);
    set_reg(m, 0x2100, ~0u);
    set_reg(m, 0x2140, ~0u);
}

/* Pages of 128 KiB, VA == address. */
static void init_tables(struct machine *m) {
    poke(m, PAGE_DIRECTORY, PAGE_TABLE >> 8 | 1);
    for (uint32_t page = 0; page < MAPPED_END >> 17; page++)
        poke(m, PAGE_TABLE + 8 * page, page << 17 >> 8 | 1);
}

static void bare(struct machine *m, const struct pfifo_chip *chip) {
    *m = (struct machine){.chip = chip, .take = UINT32_MAX};
    assert_non_null(m->chip);
    const struct memory_config config = {
        .chip = m->chip, .vram_bytes = 1 << 26, .system_bytes = 1 << 26, .events = &m->events};
    struct pfifo_error error = {0};
    assert_int_equal(memory_init(&m->memory, &config, &error), PFIFO_OK);
    assert_int_equal(bus_init(&m->bus, m->chip, &m->memory, &m->events, &(struct bus_clock){0}, &error), PFIFO_OK);
    if (fifo_new(&m->fifo, m->chip, &m->memory, &m->bus, &m->events, &error) != PFIFO_OK)
        fail_msg("%s: %s", chip->name, error.message);
    for (unsigned e = 0; e < CHIP_MAX_ENGINES; e++) {
        if (m->chip->engines[e] == CHIP_UNIT_NONE)
            continue;
        m->recorder[e] = (struct recorder){m, e};
        m->fifo->engines[e].ops = &recorder_ops;
        m->fifo->engines[e].engine = &m->recorder[e];
    }
    init_tables(m);
}

void machine_bare(struct machine *m, const char *chip) {
    bare(m, pfifo_chip_by_name(chip));
}

void machine_init(struct machine *m, const char *chip) {
    machine_of(m, pfifo_chip_by_name(chip));
}

void machine_of(struct machine *m, const struct pfifo_chip *chip) {
    bare(m, chip);
    init_registers(m);
}

void machine_free(struct machine *m) {
    fifo_free(m->fifo);
    bus_free(&m->bus);
    memory_free(&m->memory);
}

/* Channels. */

uint64_t instance_of(unsigned id) {
    return 0x100000 + 0x1000 * (uint64_t)id;
}

uint64_t userd_of(unsigned id) {
    return 0x200000 + 0x1000 * (uint64_t)id;
}

uint64_t ring_of(unsigned id) {
    return 0x300000 + 0x1000 * (uint64_t)id;
}

static uint64_t pushbuffer_of(unsigned id) {
    return 0x400000 + 0x10000 * (uint64_t)id;
}

uint32_t ramfc(struct machine *m, unsigned id, uint32_t offset) {
    return peek(m, instance_of(id) + offset);
}

#define RING_LOG2 9

static void fill_ramfc(struct machine *m, unsigned id) {
    const uint32_t words[][2] = {
        {0x08, (uint32_t)userd_of(id)},
        {0x10, 0x0000face},
        {0x30, 0xfffff902},
        {0x48, (uint32_t)ring_of(id)},
        {0x4c, RING_LOG2 << 16},
        {0x54, 0x00000002},
        {0x84, 0x20400000},
        {0x94, 0x30000001},
        {0x9c, 0x00000100},
        {0xa4, 0x1f1f1f1f},
        {0xa8, 0x1f1f1f1f},
        {0xac, 0x0000001f},
        {0xb8, 0xf8000000},
        {0xf8, 0x10003080},
        {0xfc, 0x10000010},
        {0x200, PAGE_DIRECTORY},
        {0x208, 0xffffffff},
        {0x20c, 0xff},
    };
    for (size_t i = 0; i < COUNT_OF(words); i++)
        poke(m, instance_of(id) + words[i][0], words[i][1]);
}

static uint32_t table_of(struct machine *m, unsigned id) {
    return (m->chip->has_engine_in_object ? 0x3000 : 0x800000) + 8 * id;
}

void channel_new(struct machine *m, unsigned id, unsigned list) {
    assert_true(id < CHANNELS);
    m->channel[id].entries = 1 << RING_LOG2;
    fill_ramfc(m, id);
    if (m->chip->has_engine_in_object) {
        set_reg(m, table_of(m, id), 0xc0000000 | (uint32_t)(instance_of(id) >> 12));
    } else {
        set_reg(m, table_of(m, id) + 4, list << 16);
        set_reg(m, table_of(m, id), 0x80000000 | (uint32_t)(instance_of(id) >> 12));
    }
    channel_enable(m, id, true);
}

void channel_enable(struct machine *m, unsigned id, bool on) {
    if (m->chip->has_engine_in_object)
        set_reg(m, table_of(m, id) + 4, on ? 0x001f0001 : 0x001f0000);
    else
        set_reg(m, table_of(m, id) + 4, (reg(m, table_of(m, id) + 4) & 0xf0000) | (on ? 0x400 : 0x800));
}

void runlist(struct machine *m, unsigned list, const unsigned *ids, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        poke(m, RUNLIST_AT + 8 * i, ids[i]);
        poke(m, RUNLIST_AT + 8 * i + 4, m->chip->has_engine_in_object ? 4 : 0);
    }
    set_reg(m, 0x2270, RUNLIST_AT >> 12);
    set_reg(m, 0x2274, m->chip->has_engine_in_object ? 0x01f00000 | count : list << 20 | count);
}

void one_channel(struct machine *m, const char *chip) {
    machine_init(m, chip);
    channel_new(m, 1, 0);
    RUNLIST(m, 0, 1);
}

/* Submission. */

void push_entry(struct machine *m, unsigned id, uint32_t low, uint32_t high) {
    uint32_t *put = &m->channel[id].gp_put;
    poke(m, ring_of(id) + 8 * *put, low);
    poke(m, ring_of(id) + 8 * *put + 4, high);
    *put = (*put + 1) & (m->channel[id].entries - 1);
    poke(m, userd_of(id) + 0x8c, *put);
}

uint32_t put_words(struct machine *m, unsigned id, const uint32_t *words, unsigned count) {
    uint32_t at = (uint32_t)pushbuffer_of(id) + m->channel[id].cursor;
    for (unsigned i = 0; i < count; i++)
        poke(m, at + 4 * i, words[i]);
    m->channel[id].cursor += 4 * count;
    assert_true(m->channel[id].cursor < 0x10000);
    return at;
}

void push(struct machine *m, unsigned id, const uint32_t *words, unsigned count) {
    push_entry(m, id, put_words(m, id, words, count), count << 10);
}

enum pfifo_stop run_units(struct machine *m, uint64_t units) {
    return fifo_run(m->fifo, &units);
}

enum pfifo_stop run(struct machine *m) {
    return run_units(m, 1000000);
}

void expect_methods(struct machine *m, const uint32_t (*pairs)[2], unsigned count, const char *file, int line) {
    for (unsigned i = 0; i < count && i < m->method_count; i++)
        if (m->methods[i].method != pairs[i][0] || m->methods[i].data != pairs[i][1])
            fail_msg("%s:%d: method %u is %#x = %#x, not %#x = %#x", file, line, i, m->methods[i].method,
                     m->methods[i].data, pairs[i][0], pairs[i][1]);
    if (m->method_count != count)
        fail_msg("%s:%d: %u methods, not %u", file, line, m->method_count, count);
}

static void log_event(void *opaque, const struct pfifo_event *event) {
    struct event_log *log = opaque;
    log->count++;
    log->last = *event;
}

void observe(struct machine *m, const char *globs, struct event_log *log) {
    *log = (struct event_log){0};
    assert_int_equal(event_observe(&m->events, globs, log_event, log, NULL), PFIFO_OK);
}
