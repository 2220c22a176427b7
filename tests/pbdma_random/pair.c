/* SPDX-License-Identifier: MIT */
/* The machine, the reference beside it, and everything that is done to both. */
#include <stdlib.h>

#include "differential/restore.h"
#include "pbdma_random/pbdma_random.h"
#include "promised_run.h"
#include "kept.h"

/* ---- engines ---- */

static void record(struct bench_log *log, uint32_t engine, uint32_t subchannel, uint32_t method, uint32_t data) {
    if (log->calls < LOG)
        log->call[log->calls++] = (struct bench_call){engine, subchannel, method, data, {0}, 0};
}

/* GET, PB_FETCH, PB_HEADER, PB_COUNT, TARGET, METHOD0, DATA0, TOP_LEVEL_GET */
static const uint8_t looked_at[SEEN] = {0x18, 0x54, 0x84, 0x88, 0xac, 0xc0, 0xc4, 0x20};

/* An engine may look at registers while it executes a method. */
static void machine_looks(struct bench *b, uint32_t channel) {
    for (uint32_t page = 0x40000; page < 0x40000 + 0x2000 * b->row->units; page += 0x2000) {
        uint32_t loaded = bus_rd32(&b->bus, page + 0x120);
        if (b->machine_log.calls == 0 || loaded == 0 || loaded == 0xbad0da00 || (loaded & 0xff) != channel)
            continue;
        b->machine_log.call[b->machine_log.calls - 1].time = bus_rd32(&b->bus, 0x2a10);
        for (unsigned i = 0; i < SEEN; i++)
            b->machine_log.call[b->machine_log.calls - 1].seen[i] = bus_rd32(&b->bus, page + looked_at[i]);
    }
}

static void reference_looks(struct bench *b) {
    const struct pbdma_reference *p = &b->reference.unit[b->reference.current].p;
    if (b->reference_log.calls != 0)
        b->reference_log.call[b->reference_log.calls - 1].time = (uint32_t)b->reference.time;
    for (unsigned i = 0; i < SEEN && b->reference_log.calls != 0; i++)
        b->reference_log.call[b->reference_log.calls - 1].seen[i] = p->word[looked_at[i] / 4];
}

static bool has_effects(uint32_t method) {
    return method == METHOD_WRITE || method == METHOD_WAIT || method == METHOD_BUSY || method == METHOD_FAULT;
}

static uint32_t written(uint32_t data) {
    return SEMAPHORES + (data >> 16 & 15) * 4;
}

static uint32_t machine_peek(struct bench *b, uint32_t address) {
    return memory_physical_rd32(&b->memory, MEMORY_VRAM, address);
}

/* Beyond what is mapped, in the first page directory entry or in another. */
static uint64_t nowhere(uint32_t data) {
    return MAPPED + (uint64_t)(data & 0xfff) * 0x10000;
}

static bool machine_effect(struct bench_engine *e, const struct pfifo_channel_context *channel, uint32_t method,
                           uint32_t data) {
    struct bench *b = e->bench;
    if (method == METHOD_WRITE)
        memory_physical_wr32(&b->memory, MEMORY_VRAM, written(data), data & 3);
    else if (method == METHOD_BUSY)
        memory_physical_wr32(&b->memory, MEMORY_VRAM, BUSY_WORD + 4 * e->id, data & 1);
    else if (method == METHOD_FAULT)
        pfifo_channel_write(channel, 0, nowhere(data), &data, 4);
    else
        return machine_peek(b, SEMAPHORES) != 0;
    return true;
}

static uint32_t machine_methods(void *engine, const struct pfifo_methods *run) {
    struct bench_engine *e = engine;
    for (uint32_t i = 0; i < run->count; i++) {
        uint32_t method = run->method + i * run->step;
        if (has_effects(method) && i != 0)
            return i;
        if (has_effects(method) && !machine_effect(e, run->channel, method, run->data[i]))
            return 0;
        record(&e->bench->machine_log, e->id, run->subchannel, method, run->data[i]);
        if (has_effects(method))
            machine_looks(e->bench, pfifo_channel_context_id(run->channel));
        if (has_effects(method) || method == METHOD_ONE)
            return i + 1;
    }
    return run->count;
}

static bool machine_bind(void *engine, const struct pfifo_channel_context *channel, unsigned subchannel,
                         uint32_t object_class, uint32_t object) {
    struct bench_engine *e = engine;
    (void)channel, (void)object;
    if (object_class == REFUSED)
        return false;
    record(&e->bench->machine_log, e->id, subchannel, 0, object_class);
    return true;
}

static bool machine_busy(void *engine, const struct pfifo_channel_context *channel) {
    struct bench_engine *e = engine;
    (void)channel;
    return machine_peek(e->bench, BUSY_WORD + 4 * e->id) != 0;
}

static const struct pfifo_engine_ops machine_ops = {
    .name = "recorder", .bind = machine_bind, .methods = machine_methods, .busy = machine_busy};

/* What fault records say of an engine, by what it is. */
static void reference_fault(struct bench *b, unsigned engine, uint64_t address) {
    static const struct {
        uint8_t unit, client;
    } units[CHIP_UNIT_COUNT] = {
        [CHIP_UNIT_PGRAPH] = {0x00, 0x04}, [CHIP_UNIT_PVLD] = {0x10, 0x0d},   [CHIP_UNIT_PPPP] = {0x11, 0x0c},
        [CHIP_UNIT_PPDEC] = {0x14, 0x0b},  [CHIP_UNIT_PVDEC] = {0x14, 0x0b},  [CHIP_UNIT_PSEC] = {0x12, 0x16},
        [CHIP_UNIT_PVENC] = {0x19, 0x1c},  [CHIP_UNIT_PCOPY0] = {0x15, 0x01}, [CHIP_UNIT_PCOPY1] = {0x16, 0x02},
        [CHIP_UNIT_PCOPY2] = {0x1b, 0x19},
    };
    enum chip_unit unit = b->chip->engines[engine];
    pbdma_fifo_engine_fault(&b->reference, engine, units[unit].unit, units[unit].client, unit, address, true);
}

static bool reference_method(void *opaque, unsigned engine, unsigned subchannel, uint32_t method, uint32_t data) {
    struct bench *b = opaque;
    if (method == METHOD_WRITE)
        store_le32(b->vram + written(data), data & 3);
    else if (method == METHOD_BUSY)
        store_le32(b->vram + BUSY_WORD + 4 * engine, data & 1);
    else if (method == METHOD_FAULT)
        reference_fault(b, engine, nowhere(data));
    else if (method == METHOD_WAIT && load_le32(b->vram + SEMAPHORES) == 0)
        return false;
    record(&b->reference_log, engine, subchannel, method, data);
    if (has_effects(method))
        reference_looks(b);
    return true;
}

static void reference_bind(void *opaque, unsigned engine, unsigned subchannel, uint32_t object_class, uint32_t object) {
    struct bench *b = opaque;
    (void)object;
    record(&b->reference_log, engine, subchannel, 0, object_class);
}

static bool reference_busy(void *opaque, unsigned engine) {
    return load_le32(((struct bench *)opaque)->vram + BUSY_WORD + 4 * engine) != 0;
}

/* ---- events ---- */

static void keep(struct bench_log *log, uint32_t channel, const struct reference_event *event) {
    if (log->events < LOG)
        log->event[log->events++] = (struct bench_event){channel, *event};
}

static void on_reference_event(void *opaque, uint32_t channel, const struct reference_event *event) {
    keep(&((struct bench *)opaque)->reference_log, channel, event);
}

static void on_machine_event(void *opaque, const struct pfifo_event *event) {
    struct bench *b = opaque;
    struct reference_event kept = {.name = pfifo_event_info(event->id)->name,
                                   .text = event->detail ? event->detail : event->text};
    memcpy(kept.value, event->value, sizeof kept.value);
    keep(&b->machine_log, event->channel, &kept);
}

/* ---- making ---- */

static struct pbdma_fifo_config reference_config(struct bench *b) {
    const struct bench_chip *row = b->row;
    struct pbdma_fifo_config config = {
        .unit = {.vram = b->vram,
                 .vram_bytes = VRAM_BYTES,
                 .mapped = MAPPED,
                 .gf100 = row->gf100,
                 .a16f = row->a16f,
                 .a26f = row->a26f,
                 .b06f = row->b06f,
                 .c06f = row->c06f,
                 .syncpoints = row->tegra,
                 .host_class = row->host_class,
                 .userd_bytes = row->gf100 ? 0x1000 : 0x200,
                 .engines = row->engines,
                 .copies = row->copies,
                 .refused = REFUSED,
                 .calls = {.bind = reference_bind, .method = reference_method, .busy = reference_busy, .opaque = b}},
        .units = row->units,
        .lists = row->lists,
        .shared_copy = row->shared_copy,
        .tsg = row->tsg,
        .names_list = row->names_list,
        .first_fault_unit = row->c06f ? 6 : 7, /* Pascal has one more unit of HOST */
        .event = on_reference_event,
    };
    for (uint32_t i = 0; i < row->lists; i++) /* a runlist for each engine, in their order */
        config.list_engine[i] = i;
    return config;
}

static void find_registers(struct bench *b) {
    static const struct {
        uint32_t begin, end;
    } areas[] = {{0x2000, 0x3080},   {0x40000, 0x40280}, {0x42000, 0x42280},
                 {0x44000, 0x44280}, {0x46000, 0x46280}, {0x800000, 0x800080}};
    uint32_t value;
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++)
        for (uint32_t at = areas[i].begin; at < areas[i].end; at += 4)
            if (pbdma_fifo_rd32(&b->reference, at, &value))
                b->known[b->known_count++] = at;
}

bool pbr_make(struct bench *b) {
    struct memory_config memory = {
        .chip = b->chip, .vram_bytes = VRAM_BYTES, .system_bytes = VRAM_BYTES, .events = &b->events};
    struct bus_clock clock = {NULL, NULL};
    static struct kept kept;
    b->vram = kept_zeroed(&kept, VRAM_BYTES);
    if (!b->vram || memory_init(&b->memory, &memory, NULL) != PFIFO_OK ||
        bus_init(&b->bus, b->chip, &b->memory, &b->events, &clock, NULL) != PFIFO_OK ||
        fifo_new(&b->fifo, b->chip, &b->memory, &b->bus, &b->events, NULL) != PFIFO_OK)
        return false;
    bus_resize_bar1(&b->bus, UINT64_C(1) << 36); /* USERD may be anywhere */
    for (unsigned id = 0; id < CHIP_MAX_ENGINES; id++) {
        if (!(b->row->engines >> id & 1))
            continue;
        b->engine[id] = (struct bench_engine){b, id};
        b->fifo->engines[id].ops = &machine_ops;
        b->fifo->engines[id].engine = &b->engine[id];
    }
    b->fifo->materialise = b->materialise;
    struct pbdma_fifo_config config = reference_config(b);
    pbdma_fifo_init(&b->reference, &config);
    find_registers(b);
    return !b->observed || event_observe(&b->events, "pusher.*,puller.*,switch.*,fifo.interrupt,fifo.fault",
                                         on_machine_event, b, NULL) == PFIFO_OK;
}

void pbr_free(struct bench *b) {
    fifo_free(b->fifo);
    bus_free(&b->bus);
    memory_free(&b->memory);
    free(b->script);
}

/* ---- doing ---- */

static void note(struct bench *b, const char *word, uint32_t address, uint32_t value) {
    if (b->lines == b->room) {
        size_t room = b->room ? 2 * b->room : 1024;
        struct bench_line *more = realloc(b->script, room * sizeof *more);
        if (!more)
            return;
        b->script = more;
        b->room = room;
    }
    b->script[b->lines++] = (struct bench_line){word, address, value};
}

void pbr_poke(struct bench *b, uint32_t address, uint32_t value) {
    if (address > VRAM_BYTES - 4)
        return;
    note(b, b->row->tegra ? "sys" : "vram", address, value);
    store_le32(b->vram + address, value);
    memory_physical_wr32(&b->memory, MEMORY_VRAM, address, value);
    if (address < MAPPED)
        pbdma_fifo_written(&b->reference, address);
}

uint32_t pbr_peek(const struct bench *b, uint32_t address) {
    return address > VRAM_BYTES - 4 ? 0 : load_le32(b->vram + address);
}

void pbr_wr32(struct bench *b, uint32_t offset, uint32_t value) {
    note(b, "w32", offset, value);
    bus_wr32(&b->bus, offset, value);
    pbdma_fifo_wr32(&b->reference, offset, value);
}

/* USERD of a channel in BAR1: what is written goes to its memory. */
bool pbr_user_wr32(struct bench *b, uint32_t channel, uint32_t offset, uint32_t value) {
    uint32_t stride = b->row->gf100 ? 0x1000 : 0x200, base = b->reference.bar1_base;
    const struct pbdma_fifo_channel *c = &b->reference.channel[channel];
    if (!(base >> 28 & 1) || !(b->reference.enable & 0x100) || !c->bound || (c->instance >> 28 & 3))
        return false;
    const struct pbdma_reference *p = c->on == PBF_NONE ? NULL : &b->reference.unit[c->on].p;
    uint32_t instance = c->instance << 12, low = p ? p->word[2] : pbr_peek(b, instance + 8);
    uint32_t high = p ? p->word[3] : pbr_peek(b, instance + 12);
    if ((high & 0xff) || (low & 3) || low >= VRAM_BYTES)
        return false;
    uint8_t bytes[4];
    note(b, "bar1", ((base & 0x0fffffff) << 12) + channel * stride + offset, value);
    store_le32(bytes, value);
    bus_bar_write(&b->bus, 1, ((uint64_t)(base & 0x0fffffff) << 12) + channel * stride + offset, bytes, 4);
    store_le32(b->vram + (low & ~(stride - 1)) + offset, value);
    return true;
}

void pbr_forget(struct bench *b) {
    b->machine_log.calls = b->machine_log.events = b->reference_log.calls = b->reference_log.events = 0;
}

bool pbr_run(struct bench *b, uint64_t budget) {
    uint64_t left = budget;
    note(b, "run", 0, (uint32_t)budget);
    enum pfifo_stop machine = promised_run(b->fifo, &left);
    b->stop = pbdma_fifo_run(&b->reference, budget);
    return restore_machine(&b->memory, &b->bus, &b->fifo, &b->events) && pbr_same_stop(b, machine);
}
