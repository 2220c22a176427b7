/* SPDX-License-Identifier: MIT */
#include "rig.h"

#include <stdlib.h>
#include <string.h>

/* ---- chips ---- */

/* The order of introduction, in which ranges are meant. */
static const char *const order[] = {
    "NV1",  "NV3",   "NV3T", "NV4",  "NV5",  "NV10", "NV15",  "NV1A",  "NV11",  "NV17",  "NV1F",  "NV18",  "NV20",
    "NV2A", "NV25",  "NV28", "NV30", "NV35", "NV31", "NV36",  "NV34",  "NV40",  "NV45",  "NV41",  "NV42",  "NV43",
    "NV44", "NV44A", "G70",  "G71",  "G73",  "G72",  "C51",   "MCP61", "MCP67", "MCP68", "MCP73", "RSX",   "G80",
    "G84",  "G86",   "G92",  "G94",  "G96",  "G98",  "GT200", "MCP77", "MCP79", "GT215", "GT216", "GT218", "MCP89"};

static size_t place(const char *name, size_t length) {
    for (size_t i = 0; i < COUNT_OF(order); i++)
        if (strlen(order[i]) == length && !strncmp(order[i], name, length))
            return i;
    fail_msg("no chip is called %.*s", (int)length, name);
    return 0;
}

/* Before G80 the documents are others: an open range ends there. */
static size_t open_end(size_t first) {
    size_t tesla = place("G80", 3);
    return first < tesla ? tesla : COUNT_OF(order);
}

bool chip_on(const char *chip, const char *ranges) {
    size_t at = place(chip, strlen(chip));
    for (const char *range = ranges; *range; range += strspn(range, " ")) {
        size_t length = strcspn(range, ":- "), first = place(range, length), end = first + 1;
        range += length;
        if (*range == '-') {
            end = open_end(first);
            range++;
        } else if (*range == ':') {
            range++;
            length = strcspn(range, " ");
            end = place(range, length);
            range += length;
        }
        if (at >= first && at < end)
            return true;
    }
    return false;
}

bool on(const struct rig *rig, const char *ranges) {
    return chip_on(rig->chip->name, ranges);
}

/* ---- engines ---- */

static void record(struct rig_engine *engine, const struct pfifo_channel_context *channel, uint32_t subchannel,
                   uint32_t method, uint32_t data) {
    struct rig *rig = engine->rig;
    assert_true(rig->logged < RIG_LOG);
    engine->channel = pfifo_channel_context_id(channel);
    rig->log_engine[rig->logged] = (uint8_t)(engine - rig->engine);
    rig->log_channel[rig->logged] = (uint8_t)engine->channel;
    rig->log[rig->logged++] = (struct rig_method){subchannel, method, data};
}

static bool engine_bind(void *opaque, const struct pfifo_channel_context *channel, unsigned subchannel,
                        uint32_t object_class, uint32_t object) {
    struct rig_engine *engine = opaque;
    engine->bound_class = object_class;
    record(engine, channel, subchannel, 0, object);
    return true;
}

static uint32_t engine_methods(void *opaque, const struct pfifo_methods *run) {
    struct rig_engine *engine = opaque;
    if (engine->refuse)
        return 0;
    engine->calls++;
    engine->most = run->count > engine->most ? run->count : engine->most;
    for (uint32_t i = 0; i < run->count; i++)
        record(engine, run->channel, run->subchannel, run->method + run->step * i, run->data[i]);
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

static const struct pfifo_engine_ops engine_ops = {.name = "BENCH",
                                                   .bind = engine_bind,
                                                   .methods = engine_methods,
                                                   .busy = engine_busy,
                                                   .switch_channel = engine_switch};

/* ---- machine ---- */

static const struct rig_cache caches[][2] = {
    /* NV1 */
    {{0x3010, 0x3020, 0x3030, 0x3040, 0x3050, 0x3070, 0x3080, 0x3100, 1},
     {0x3210, 0x3220, 0x3230, 0x3240, 0x3250, 0x3270, 0x3280, 0x3300, 32}},
    /* NV3, NV3T */
    {{0x3004, 0x3014, 0x3010, 0x3040, 0, 0x3070, 0x3080, 0x3100, 1},
     {0x3204, 0x3214, 0x3210, 0x3240, 0x3250, 0x3270, 0x3280, 0x3300, 32}},
    /* NV4 and later */
    {{0x3004, 0x3014, 0x3010, 0x3050, 0x3054, 0x3070, 0, 0x3100, 1},
     {0x3204, 0x3214, 0x3210, 0x3250, 0x3254, 0x3270, 0, 0x3800, 128}},
    /* G80 and later */
    {{0}, {0x3204, 0x3214, 0x3210, 0x3250, 0x3254, 0x3270, 0, 0x90000, 512}},
};

static void describe(struct rig *rig) {
    rig->nv1 = on(rig, "NV1");
    rig->nv3 = on(rig, "NV3:NV4");
    rig->nv4 = on(rig, "NV4-");
    rig->nv40 = on(rig, "NV40-");
    rig->g80 = on(rig, "G80-");
    const struct rig_cache *pair = caches[rig->nv1 ? 0 : rig->nv3 ? 1 : rig->nv4 ? 2 : 3];
    rig->c0 = pair[0];
    rig->c1 = pair[1];
    if (on(rig, "NV3T")) {
        rig->c1.entry = 0x3400;
        rig->c1.entries = 64;
    }
    if (rig->nv40) {
        rig->c1.entry = 0x90000;
        rig->c1.entries = 256;
    }
    rig->channels = rig->nv4 ? on(rig, "NV4:NV10") ? 16 : 32 : 128;
    rig->mode_bit = rig->nv40 ? 0x10000 : 0x100;
    rig->ramfc_stride = rig->nv40 ? 128 : on(rig, "NV1A-") ? 64 : 32;
    rig->ramht = rig->nv4 ? 0x10000 : 0;
    rig->ramfc = rig->nv40 ? 0x20000 : rig->nv4 ? 0x18000 : rig->nv3 ? 0x2200 : 0x1800;
    rig->ramro = rig->nv4 ? 0x1e000 : rig->nv3 ? 0x2000 : 0x1000;
    rig->objects = rig->nv4 ? 0x40000 : 0x8000;
}

void rig_power_on(struct rig *rig, const char *chip) {
    memset(rig, 0, sizeof *rig);
    rig->chip = pfifo_chip_by_name(chip);
    assert_non_null(rig->chip);
    describe(rig);
    const struct memory_config config = {.chip = rig->chip,
                                         .vram_bytes = UINT64_C(1) << (rig->nv4 || rig->g80 ? 26 : 22),
                                         .system_bytes = RIG_SYSTEM_BYTES,
                                         .events = &rig->hub};
    struct pfifo_error error = {0};
    assert_int_equal(memory_init(&rig->memory, &config, NULL), PFIFO_OK);
    assert_int_equal(bus_init(&rig->bus, rig->chip, &rig->memory, &rig->hub, NULL, NULL), PFIFO_OK);
    if (fifo_new(&rig->fifo, rig->chip, &rig->memory, &rig->bus, &rig->hub, &error) != PFIFO_OK)
        fail_msg("%s: %s", chip, error.message);
    for (unsigned id = 1; id <= 2; id++) {
        rig->engine[id].rig = rig;
        rig->fifo->engines[id].ops = id == 1 || on(rig, "NV31:MCP73") ? &engine_ops : NULL;
        rig->fifo->engines[id].engine = &rig->engine[id];
    }
}

static void start_nv3(struct rig *rig) {
    wr(rig, RAMHT, rig->ramht);
    wr(rig, RAMFC, rig->ramfc);
    wr(rig, RAMRO, rig->ramro);
}

static void start_nv4(struct rig *rig) {
    wr(rig, DELAY_0, 0xff);
    wr(rig, DMA_TIMESLICE, rig->nv40 ? 0x2101ffff : 0x0101ffff);
    wr(rig, RAMHT, 3u << 24 | rig->ramht >> 8);
    wr(rig, RAMRO, rig->ramro >> 8);
    if (rig->nv40) {
        wr(rig, SLI_REG, 1);
        if (on(rig, "G70:G72 RSX"))
            wr(rig, RAMFC_SELECT, 1);
        else if (on(rig, "NV44-"))
            wr(rig, RAMFC_SELECT, 0);
        bool absolute = on(rig, "NV44:G70 G72:RSX");
        wr(rig, RAMFC_NV40,
           0x30000 | (absolute ? (uint32_t)(rig->memory.config.vram_bytes - 0x80000) : 0) >> 16 | rig->ramfc >> 16);
    } else {
        wr(rig, RAMFC, (rig->ramfc_stride == 64 ? 0x10000u : 0) | rig->ramfc >> 8);
    }
}

void rig_start(struct rig *rig) {
    wr(rig, PMC_ENABLE, ~0u);
    wr(rig, PMC_INTR_EN, 1);
    if (rig->nv3)
        start_nv3(rig);
    if (rig->nv4)
        start_nv4(rig);
    wr(rig, rig->c1.push1, rig->nv4 ? rig->channels - 1 : 0);
    wr(rig, INTR, ~0u);
    wr(rig, INTR_EN, ~0u);
    wr(rig, PUSH0, 1);
    wr(rig, rig->c1.pull0, 1);
    wr(rig, CACHES, 1);
}

void rig_stop(struct rig *rig) {
    fifo_free(rig->fifo);
    bus_free(&rig->bus);
    memory_free(&rig->memory);
}

static struct rig *make(const char *chip) {
    struct rig *rig = malloc(sizeof *rig);
    assert_non_null(rig);
    rig_power_on(rig, chip);
    return rig;
}

int rig_setup_bare(void **state) {
    *state = make(*state);
    return 0;
}

int rig_setup(void **state) {
    struct rig *rig = make(*state);
    rig_start(rig);
    *state = rig;
    return 0;
}

int rig_teardown(void **state) {
    rig_stop(*state);
    free(*state);
    return 0;
}

/* ---- memory ---- */

uint32_t system_rd(struct rig *rig, uint64_t address) {
    return memory_physical_rd32(&rig->memory, MEMORY_SYSTEM, address);
}

void system_wr(struct rig *rig, uint64_t address, uint32_t value) {
    memory_physical_wr32(&rig->memory, MEMORY_SYSTEM, address, value);
}

uint32_t vram_rd(struct rig *rig, uint64_t address) {
    return memory_physical_rd32(&rig->memory, MEMORY_VRAM, address);
}

void vram_wr(struct rig *rig, uint64_t address, uint32_t value) {
    memory_physical_wr32(&rig->memory, MEMORY_VRAM, address, value);
}

static uint32_t ramfc_at(struct rig *rig, uint32_t channel, uint32_t offset) {
    if (!rig->nv1)
        return rig->ramfc + channel * rig->ramfc_stride + offset;
    uint32_t config = rd(rig, PRAM_CONFIG);
    return nv1_layout(config).ramfc + (config ? channel : channel & 0x3f) * 32 + offset;
}

uint32_t ramfc_rd(struct rig *rig, uint32_t channel, uint32_t offset) {
    return ramin_rd(rig, ramfc_at(rig, channel, offset));
}

void ramfc_wr(struct rig *rig, uint32_t channel, uint32_t offset, uint32_t value) {
    ramin_wr(rig, ramfc_at(rig, channel, offset), value);
}

static uint32_t ramro_at(struct rig *rig, uint32_t offset) {
    return (rig->nv1 ? nv1_layout(rd(rig, PRAM_CONFIG)).ramro : rig->ramro) + offset;
}

uint32_t ramro_rd(struct rig *rig, uint32_t offset) {
    return ramin_rd(rig, ramro_at(rig, offset));
}

void ramro_wr(struct rig *rig, uint32_t offset, uint32_t value) {
    ramin_wr(rig, ramro_at(rig, offset), value);
}

void write_bytes(struct rig *rig, uint32_t offset, uint32_t value, unsigned bytes) {
    uint8_t data[4];
    store_le32(data, value);
    bus_write(&rig->bus, offset, data, bytes);
}

uint32_t read_bytes(struct rig *rig, uint32_t offset, unsigned bytes) {
    uint8_t data[4] = {0};
    bus_read(&rig->bus, offset, data, bytes);
    return load_le32(data);
}

/* ---- NV1 ---- */

struct nv1_layout nv1_layout(uint32_t config) {
    static const struct nv1_layout layouts[] = {{0, 0x1000, 0x800, 0x1800, 2},
                                                {0, 0x2000, 0x1000, 0x3000, 4},
                                                {0, 0x2000, 0x2000, 0x6000, 8},
                                                {0, 0x8000, 0x4000, 0xc000, 16}};
    return layouts[config & 3];
}

uint32_t gray(uint32_t n) {
    return n ^ n >> 1;
}

uint32_t gray_pointer(const struct rig *rig, uint32_t n) {
    return gray(n % rig->c1.entries) << 2;
}
