/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <stdlib.h>
#include <string.h>

#define RAMIN_RAMHT   0x10000u
#define RAMIN_RAMFC   0x20000u
#define RAMIN_OBJECTS 0x40000u
#define RAMHT_BITS    9
/* Tesla, from the descriptor. */
#define OWN_RAMHT   0x8000u
#define OWN_OBJECTS 0x10000u

/* ---- engines ---- */

static void record(struct rig_engine *engine, uint32_t subchannel, uint32_t method, uint32_t data) {
    struct rig *rig = engine->rig;
    assert_true(rig->logged < RIG_LOG);
    rig->log_engine[rig->logged] = (uint8_t)(engine - rig->engine);
    rig->log[rig->logged++] = (struct rig_method){subchannel, method, data};
}

static bool engine_bind(void *opaque, const struct pfifo_channel_context *channel, unsigned subchannel,
                        uint32_t object_class, uint32_t object) {
    struct rig_engine *engine = opaque;
    engine->bound_class = object_class;
    engine->channel = pfifo_channel_context_id(channel);
    record(engine, subchannel, 0, object);
    return true;
}

static uint32_t engine_methods(void *opaque, const struct pfifo_methods *run) {
    struct rig_engine *engine = opaque;
    engine->channel = pfifo_channel_context_id(run->channel);
    if (engine->refuse)
        return 0;
    for (uint32_t i = 0; i < run->count; i++) {
        uint32_t method = run->method + run->step * i;
        if (method == RIG_WRITE && i != 0)
            return i;
        record(engine, run->subchannel, method, run->data[i]);
        if (method == RIG_WRITE) {
            uint32_t data = run->data[i];
            pfifo_channel_write(run->channel, engine->write_object, engine->write_at, &data, sizeof data);
            return 1;
        }
    }
    return run->count;
}

static bool engine_busy(void *opaque, const struct pfifo_channel_context *channel) {
    (void)channel;
    return ((struct rig_engine *)opaque)->busy;
}

static void engine_switch(void *opaque, const struct pfifo_channel_context *channel) {
    (void)channel;
    ((struct rig_engine *)opaque)->switches++;
}

static void engine_gone(void *opaque, uint32_t channel) {
    if (channel < RIG_CHANNELS)
        ((struct rig_engine *)opaque)->gone[channel]++;
}

static const struct pfifo_engine_ops engine_ops = {.name = "BENCH",
                                                   .bind = engine_bind,
                                                   .methods = engine_methods,
                                                   .busy = engine_busy,
                                                   .channel_gone = engine_gone,
                                                   .switch_channel = engine_switch};

/* ---- machine ---- */

static void start_nv40(struct rig *rig) {
    wr(rig, 0x2040, 0xff);
    wr(rig, TIMESLICE_DMA, 0x2101ffff);
    wr(rig, SLI_REG, 1);
    wr(rig, RAMHT, 3u << 24 | (RAMHT_BITS - 9) << 16 | RAMIN_RAMHT >> 8);
    wr(rig, 0x2220, 0x00030000 | RAMIN_RAMFC >> 16);
    wr(rig, PUSH1, 31);
    wr(rig, INTR, ~0u);
    wr(rig, INTR_EN, ~0u);
}

static void start_tesla(struct rig *rig) {
    wr(rig, 0x250c, 0x6f3cfc34);
    wr(rig, TIMESLICE_DMA, 0x01003fff);
    wr(rig, INTR, ~0u);
    wr(rig, INTR_EN, ~0u);
    for (uint32_t channel = 0; channel < 128; channel++)
        wr(rig, CHAN_TABLE + 4 * channel, 0);
    rig_playlist(rig, NULL, 0);
}

void rig_start_bare(struct rig *rig, const char *chip) {
    memset(rig, 0, sizeof *rig);
    rig->chip = pfifo_chip_by_name(chip);
    assert_non_null(rig->chip);
    rig->tesla = rig->chip->has_ib;
    rig->descriptor_has_ramfc = rig->tesla && !rig->chip->has_new_semaphore;
    const struct memory_config config = {
        .chip = rig->chip, .vram_bytes = RIG_VRAM_BYTES, .system_bytes = RIG_SYSTEM_BYTES, .events = &rig->hub};
    assert_int_equal(memory_init(&rig->memory, &config, NULL), PFIFO_OK);
    assert_int_equal(bus_init(&rig->bus, rig->chip, &rig->memory, &rig->hub, NULL, NULL), PFIFO_OK);
    assert_int_equal(fifo_new(&rig->fifo, rig->chip, &rig->memory, &rig->bus, &rig->hub, NULL), PFIFO_OK);
    for (unsigned id = 1; id <= 2; id++) {
        rig->engine[id].rig = rig;
        rig->fifo->engines[id].ops = &engine_ops;
        rig->fifo->engines[id].engine = &rig->engine[id];
    }
    wr(rig, PMC_ENABLE, ~0u);
    wr(rig, PMC_INTR_EN, 1);
}

void rig_start(struct rig *rig, const char *chip, bool materialise) {
    rig_start_bare(rig, chip);
    rig->fifo->materialise = materialise;
    if (rig->tesla)
        start_tesla(rig);
    else
        start_nv40(rig);
    wr(rig, PUSH0, 1);
    wr(rig, PULL0, 1);
    wr(rig, CACHES, 1);
}

void rig_stop(struct rig *rig) {
    fifo_free(rig->fifo);
    bus_free(&rig->bus);
    memory_free(&rig->memory);
}

int rig_setup(void **state) {
    struct rig *rig = malloc(sizeof *rig);
    if (!rig)
        return -1;
    rig_start(rig, *state, false);
    rig_open(rig, 1);
    *state = rig;
    return 0;
}

int rig_teardown(void **state) {
    rig_stop(*state);
    free(*state);
    return 0;
}

/* ---- memory ---- */

uint32_t vram_rd(struct rig *rig, uint64_t address) {
    return memory_physical_rd32(&rig->memory, MEMORY_VRAM, address);
}

void vram_wr(struct rig *rig, uint64_t address, uint32_t value) {
    memory_physical_wr32(&rig->memory, MEMORY_VRAM, address, value);
}

uint32_t system_rd(struct rig *rig, uint64_t address) {
    return memory_physical_rd32(&rig->memory, MEMORY_SYSTEM, address);
}

void system_wr(struct rig *rig, uint64_t address, uint32_t value) {
    memory_physical_wr32(&rig->memory, MEMORY_SYSTEM, address, value);
}

/* RAMIN is the end of VRAM backwards, in pieces of 512 KiB. */
static uint64_t ramin(uint32_t address) {
    return RIG_VRAM_BYTES - 0x80000 - (address & ~0x7ffffu) + (address & 0x7ffff);
}

static uint64_t ramfc(const struct rig *rig, uint32_t channel) {
    if (!rig->tesla)
        return ramin(RAMIN_RAMFC + channel * 128);
    return rig->descriptor_has_ramfc ? RIG_DESCRIPTOR(channel) : RIG_RAMFC(channel);
}

uint32_t ramfc_rd(struct rig *rig, uint32_t channel, uint32_t offset) {
    return vram_rd(rig, ramfc(rig, channel) + offset);
}

void ramfc_wr(struct rig *rig, uint32_t channel, uint32_t offset, uint32_t value) {
    vram_wr(rig, ramfc(rig, channel) + offset, value);
}

/* ---- objects ---- */

uint32_t rig_instance(struct rig *rig, uint32_t channel, const uint32_t *words, unsigned count) {
    uint32_t *used = &rig->objects[rig->tesla ? channel : 0];
    uint32_t offset = (rig->tesla ? OWN_OBJECTS : RAMIN_OBJECTS) + *used;
    *used += (count * 4 + 31) & ~31u;
    for (unsigned i = 0; i < count; i++)
        vram_wr(rig, (rig->tesla ? RIG_DESCRIPTOR(channel) + offset : ramin(offset)) + 4 * i, words[i]);
    return offset >> 4;
}

uint32_t rig_dma_object(struct rig *rig, uint32_t channel, enum memory_target target, uint64_t base, uint64_t bytes) {
    bool vram = target == MEMORY_VRAM;
    uint64_t last = base + bytes - 1;
    uint32_t adjust = (uint32_t)base & 0xfff, frame = (uint32_t)base & ~0xfffu;
    const uint32_t curie[] = {0x303d | (vram ? 0 : 2u) << 16 | adjust << 20, (uint32_t)(bytes - 1), frame | 2,
                              frame | 2};
    const uint32_t tesla[] = {0x3d | (vram ? 1u : 2u) << 16 | 2u << 18,
                              (uint32_t)last,
                              (uint32_t)base,
                              (uint32_t)(last >> 32) << 24 | (uint32_t)(base >> 32),
                              0,
                              0};
    return rig->tesla ? rig_instance(rig, channel, tesla, 6) : rig_instance(rig, channel, curie, 4);
}

uint32_t rig_ramht_hash(uint32_t handle, uint32_t channel) {
    uint32_t hash = channel << (RAMHT_BITS - 4);
    for (unsigned shift = 0; shift < 32; shift += RAMHT_BITS)
        hash ^= handle >> shift;
    return hash & ((1u << RAMHT_BITS) - 1);
}

void rig_ramht_entry(struct rig *rig, uint32_t channel, uint32_t slot, uint32_t handle, uint32_t context) {
    uint64_t at = rig->tesla ? RIG_DESCRIPTOR(channel) + OWN_RAMHT : ramin(RAMIN_RAMHT);
    at += 8 * (slot & ((1u << RAMHT_BITS) - 1));
    vram_wr(rig, at, handle);
    vram_wr(rig, at + 4, context);
}

uint32_t rig_context(const struct rig *rig, uint32_t channel, uint32_t engine, uint32_t instance) {
    return rig->tesla ? engine << 20 | instance : channel << 23 | engine << 20 | instance;
}

void rig_handle(struct rig *rig, uint32_t channel, uint32_t handle, uint32_t engine, uint32_t instance) {
    uint32_t slot = rig_ramht_hash(handle, rig->tesla ? 0 : channel);
    rig_ramht_entry(rig, channel, slot, handle, rig_context(rig, channel, engine, instance));
}

uint32_t rig_object(struct rig *rig, uint32_t channel, uint32_t handle, uint32_t engine, uint32_t object_class) {
    uint32_t instance = rig_instance(rig, channel, (const uint32_t[]){object_class, 0, 0, 0}, 4);
    rig_handle(rig, channel, handle, engine, instance);
    return instance;
}

/* ---- channels ---- */

void rig_playlist(struct rig *rig, const uint32_t *channels, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        vram_wr(rig, RIG_PLAYLIST + 4 * i, channels[i]);
    wr(rig, PLAYLIST, RIG_PLAYLIST >> 12);
    wr(rig, PLAYLIST_LENGTH, count);
    wr(rig, CACHES, 0x101);
}

/* Onto the playlist, after those that are on it. */
static void enable_tesla(struct rig *rig, uint32_t channel) {
    uint32_t list[RIG_CHANNELS], count = 0;
    wr(rig, CHAN_TABLE + 4 * channel, 1u << 31 | (uint32_t)ramfc(rig, channel) >> (rig->descriptor_has_ramfc ? 12 : 8));
    for (uint32_t other = 1; other < RIG_CHANNELS; other++)
        if (rd(rig, CHAN_TABLE + 4 * other) >> 31)
            list[count++] = other;
    rig_playlist(rig, list, count);
}

static void open_tesla(struct rig *rig, uint32_t channel, bool ib, uint32_t order) {
    const struct {
        uint32_t offset, value;
    } words[] = {
        {0x3c, ib ? 0x403f6078 : 0x003f6078},
        {0x44, 0x01003fff},
        {0x48, rig->push_object[channel]},
        {0x4c, ib ? 0 : 0xffffffff},
        {0x50, ib ? RIG_IB_RING : 0},
        {0x54, order << 16},
        {0x60, 0x7fffffff},
        {0x7c, 0x30000001},
        {0x80, (RAMHT_BITS - 9) << 27 | 4u << 24 | OWN_RAMHT >> 4},
        {0x88, RIG_CACHE(channel) >> 10},
        {0x98, RIG_DESCRIPTOR(channel) >> 12},
    };
    for (uint32_t offset = 0; offset < 0x100; offset += 4)
        ramfc_wr(rig, channel, offset, 0);
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        ramfc_wr(rig, channel, words[i].offset, words[i].value);
    enable_tesla(rig, channel);
}

static void open_nv40(struct rig *rig, uint32_t channel) {
    for (uint32_t offset = 0; offset < 128; offset += 4)
        ramfc_wr(rig, channel, offset, 0);
    ramfc_wr(rig, channel, 0x0c, rig->push_object[channel]);
    ramfc_wr(rig, channel, 0x18, 0x30086078);
    ramfc_wr(rig, channel, 0x3c, 0x0001ffff);
    wr(rig, MODE, rd(rig, MODE) | 1u << channel);
}

void rig_open(struct rig *rig, uint32_t channel) {
    rig->push_object[channel] = rig_dma_object(rig, channel, MEMORY_SYSTEM, (uint64_t)channel << 20, UINT64_C(1) << 20);
    if (rig->tesla)
        open_tesla(rig, channel, false, 0);
    else
        open_nv40(rig, channel);
}

void rig_open_ib(struct rig *rig, uint32_t channel, unsigned order) {
    rig->push_object[channel] = rig_dma_object(rig, channel, MEMORY_SYSTEM, (uint64_t)channel << 20, UINT64_C(1) << 20);
    rig->ring_order[channel] = order;
    rig->pushed[channel] = rig->segments[channel] = 0;
    open_tesla(rig, channel, true, order);
}

/* ---- work ---- */

void rig_poke(struct rig *rig, uint32_t channel, uint32_t offset, uint32_t word) {
    system_wr(rig, ((uint64_t)channel << 20) + offset, word);
}

uint32_t rig_peek(struct rig *rig, uint32_t channel, uint32_t offset) {
    return system_rd(rig, ((uint64_t)channel << 20) + offset);
}

void rig_push(struct rig *rig, uint32_t channel, const uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++, rig->pushed[channel] += 4)
        rig_poke(rig, channel, (uint32_t)rig->pushed[channel], words[i]);
}

void rig_segment(struct rig *rig, uint32_t channel, uint64_t entry) {
    uint32_t at = RIG_IB_RING + 8 * rig->segments[channel];
    rig_poke(rig, channel, at, (uint32_t)entry);
    rig_poke(rig, channel, at + 4, (uint32_t)(entry >> 32));
    rig->segments[channel] = (rig->segments[channel] + 1) & ((1u << rig->ring_order[channel]) - 1);
}

static uint32_t user(const struct rig *rig, uint32_t channel) {
    return 0xc00000 + channel * (rig->tesla ? 0x2000 : 0x1000);
}

uint32_t user_rd(struct rig *rig, uint32_t channel, uint32_t offset) {
    return rd(rig, user(rig, channel) + offset);
}

void user_wr(struct rig *rig, uint32_t channel, uint32_t offset, uint32_t value) {
    wr(rig, user(rig, channel) + offset, value);
}

void rig_submit(struct rig *rig, uint32_t channel) {
    if (rig->ring_order[channel])
        user_wr(rig, channel, USER_IB_PUT, rig->segments[channel]);
    else
        user_wr(rig, channel, USER_PUT, (uint32_t)rig->pushed[channel]);
}

enum pfifo_stop rig_run_for(struct rig *rig, uint64_t budget) {
    return fifo_run(rig->fifo, &budget);
}

enum pfifo_stop rig_run(struct rig *rig) {
    return rig_run_for(rig, RIG_BUDGET);
}

enum pfifo_stop rig_go(struct rig *rig) {
    rig_submit(rig, 1);
    return rig_run(rig);
}

uint32_t rig_bind(struct rig *rig) {
    uint32_t instance = rig_object(rig, 1, 0xbeef0001, 1, 0x4097);
    push(rig, INC(0, 0, 1), 0xbeef0001);
    if (rig->ring_order[1])
        rig_segment(rig, 1, SEGMENT(rig->pushed[1] - 8, 2));
    assert_int_equal(rig_go(rig), PFIFO_STOP_IDLE);
    expect_methods(rig, {0, 0, instance});
    return instance;
}

/* ---- looking ---- */

uint32_t pusher_error(struct rig *rig) {
    return rd(rig, DMA_STATE) >> 29;
}

uint32_t current_channel(struct rig *rig) {
    return rd(rig, PUSH1) & (rig->tesla ? 0x7f : 0x1ff);
}

uint32_t cache_entries(struct rig *rig) {
    return ((rd(rig, CACHE_PUT) - rd(rig, CACHE_GET)) & (rig->tesla ? 0xffc : 0x7fc)) / 4;
}

uint32_t vm_fault_word(struct rig *rig, uint32_t word) {
    wr(rig, VM_FAULT, word << 24);
    return rd(rig, VM_FAULT_DATA);
}

void rig_expect(struct rig *rig, const struct rig_method *methods, size_t count, const char *file, int line) {
    for (size_t i = 0; i < count && i < rig->logged; i++) {
        const struct rig_method *is = &rig->log[i], *wanted = &methods[i];
        if (is->subchannel == wanted->subchannel && is->method == wanted->method && is->data == wanted->data)
            continue;
        print_error("method %zu is {%u, %#x, %#x}, not {%u, %#x, %#x}\n", i, is->subchannel, is->method, is->data,
                    wanted->subchannel, wanted->method, wanted->data);
        _fail(file, line);
    }
    _assert_int_equal(rig->logged, count, file, line);
    rig->logged = 0;
}
