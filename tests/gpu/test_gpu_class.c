/* SPDX-License-Identifier: MIT */
/* pfifo_gpu_add_class(): classes of an embedder beside those that are built in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <pfifo/driver.h>
#include <pfifo/engine.h>
#include <pfifo/state.h>

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define VRAM        0xbeef0201u
#define GART        0xbeef0202u
#define KNOWN       0xbeef0001u /* handles of the objects */
#define UNKNOWN     0xbeef0002u
#define BUILT_IN    0xbeef0003u
#define PITCH       64u
#define COLOR       0x12345678u
#define SLICE_UNITS 100u

/* Subchannels, and methods of the class. */
enum { ON_KNOWN, ON_UNKNOWN = 2, ON_BUILT_IN = 3 };
enum {
    OBJECT = 0x180,
    PLAIN = 0x200,
    HIGH = 0x300,
    LOW = 0x304,
    LOOK = 0x308, /* from here on each has an effect */
    DRAW = 0x30c,
    REFUSE = 0x310,
    WAKE = 0x314,
    SYNC = 0x318,
    SAY = 0x31c,
    RUN = 0x320,
};

static const struct scene {
    const char *chip;
    uint32_t known, unknown, built_in;
    bool handles, fermi;
} scenes[] = {{"NV4", 0x54, 0xf1, 0x39, true, false},
              {"NV40", 0x4097, 0x40f1, 0x39, true, false},
              {"G80", 0x5097, 0x50f1, 0x502d, true, false},
              {"GF100", 0x9097, 0x90f1, 0x902d, false, true},
              {"GK104", 0xa097, 0xa0f1, 0x902d, false, true}};
#define FOR_EACH_SCENE for (const struct scene *scene = scenes; scene < scenes + COUNT_OF(scenes); scene++)

/* The state of a class. */
struct own {
    struct pfifo_gpu *gpu;
    uint32_t value[0x400 / 4], object_class;
    unsigned binds, runs, words, most, freed, gone, looked, lost, slices, left, syncpoints, refused, woken;
    uint32_t seen, order;
    enum pfifo_stop nested;
};

static bool own_bind(void *opaque, const struct pfifo_channel_context *channel, unsigned subchannel,
                     uint32_t object_class, uint32_t object) {
    struct own *own = opaque;
    (void)subchannel;
    own->binds++;
    own->object_class = object_class;
    assert_int_equal(pfifo_channel_object_class(channel, object), object ? object_class : 0);
    assert_false(pfifo_class_interrupt(channel, PFIFO_CLASS_NOTIFY)); /* no method is under way */
    return true;
}

static uint64_t own_address(const struct own *own) {
    return (uint64_t)own->value[HIGH / 4] << 32 | own->value[LOW / 4];
}

static void look(struct own *own, const struct pfifo_methods *run) {
    struct pfifo_span span;
    if (!pfifo_channel_span(run->channel, own->value[OBJECT / 4], own_address(own), run->data[0], false, &span)) {
        assert_null(span.data);
        own->lost++;
        return;
    }
    assert_in_range(span.bytes, 4, run->data[0]);
    memcpy(&own->seen, span.data, 4);
    own->looked++;
}

/* As many slices as its data says; the last one writes. */
static uint32_t draw(struct own *own, const struct pfifo_methods *run) {
    struct pfifo_span span;
    if (!own->left)
        own->left = run->data[0];
    own->slices++;
    pfifo_channel_work(run->channel, SLICE_UNITS);
    if (--own->left)
        return 0;
    assert_true(pfifo_channel_span(run->channel, own->value[OBJECT / 4], own_address(own), 4, true, &span));
    memcpy(span.data, &own->slices, 4);
    return 1;
}

static uint32_t act(struct own *own, const struct pfifo_methods *run) {
    switch (run->method) {
    case LOOK:
        look(own, run);
        break;
    case DRAW:
        return draw(own, run);
    case REFUSE:
        own->refused += pfifo_class_error(run->channel, run->method, run->data[0], PFIFO_CLASS_INVALID_VALUE);
        assert_false(pfifo_class_error(run->channel, run->method, 0, (enum pfifo_class_error)99));
        break;
    case WAKE:
        own->woken += pfifo_class_interrupt(run->channel, PFIFO_CLASS_NOTIFY);
        assert_false(pfifo_class_interrupt(run->channel, (enum pfifo_class_cause)99));
        break;
    case SYNC:
        own->syncpoints += pfifo_channel_increment(run->channel, run->data[0]);
        break;
    case SAY:
        assert_true(pfifo_class_event(run->channel, "triangles", run->data[0], 2, UINT64_C(3) << 40));
        break;
    case RUN:
        own->nested = pfifo_gpu_run(own->gpu, 1000);
        break;
    }
    return 1;
}

static uint32_t own_methods(void *opaque, const struct pfifo_methods *run) {
    struct own *own = opaque;
    uint32_t taken = 0;
    for (; taken < run->count; taken++) {
        uint32_t method = run->method + taken * run->step;
        assert_in_range(method, 0x100, 0x3ff);
        if (method >= LOOK && method <= RUN) {
            taken = taken > 0 ? taken : act(own, run);
            break;
        }
        own->value[method / 4] = run->data[taken];
        own->order = own->order * 31 + method + run->data[taken];
    }
    own->runs++;
    own->words += taken;
    own->most = taken > own->most ? taken : own->most;
    return taken;
}

static bool own_busy(void *opaque, const struct pfifo_channel_context *channel) {
    (void)channel;
    return ((struct own *)opaque)->left != 0;
}

static enum pfifo_status own_save(void *opaque, pfifo_writer write, void *to, struct pfifo_error *error) {
    struct own *own = opaque;
    (void)error;
    return write(to, own->value, sizeof own->value) && write(to, &own->left, sizeof own->left) &&
                   write(to, &own->slices, sizeof own->slices)
               ? PFIFO_OK
               : PFIFO_ERROR_IO;
}

static enum pfifo_status own_load(void *opaque, const void *data, size_t bytes, struct pfifo_error *error) {
    struct own *own = opaque;
    struct pfifo_gpu *gpu = own->gpu;
    *own = (struct own){.gpu = gpu};
    if (!data)
        return PFIFO_OK;
    if (bytes != sizeof own->value + 8) {
        snprintf(error->message, sizeof error->message, "it has %zu bytes", bytes);
        return PFIFO_ERROR_FORMAT;
    }
    memcpy(own->value, data, sizeof own->value);
    memcpy(&own->left, (const uint8_t *)data + sizeof own->value, 4);
    memcpy(&own->slices, (const uint8_t *)data + sizeof own->value + 4, 4);
    return PFIFO_OK;
}

static void own_free(void *opaque) {
    ((struct own *)opaque)->freed++;
}

static void own_gone(void *opaque, uint32_t channel) {
    (void)channel;
    ((struct own *)opaque)->gone++;
}

static const struct pfifo_class_ops own_ops = {.size = sizeof own_ops,
                                               .name = "own",
                                               .bind = own_bind,
                                               .methods = own_methods,
                                               .busy = own_busy,
                                               .save = own_save,
                                               .load = own_load,
                                               .free = own_free,
                                               .channel_gone = own_gone};

/* ---- a device with two of them ---- */

struct machine {
    const struct scene *scene;
    struct pfifo_device *device;
    struct pfifo_gpu *gpu;
    struct pfifo_channel *channel;
    struct pfifo_buffer *push, *memory;
    struct pfifo_error error;
    struct own known, unknown;
    struct pfifo_device_fault fault[8];
    unsigned faults, said;
    uint32_t word[256], words;
};

static void must(const struct machine *m, bool done) {
    if (!done)
        fail_msg("%s: %s", m->scene->chip, m->error.message);
}

static void take_fault(void *opaque, const struct pfifo_device_fault *fault) {
    struct machine *m = opaque;
    assert_true(m->faults < COUNT_OF(m->fault));
    m->fault[m->faults++] = *fault;
}

static void plug_in(struct machine *m, const struct pfifo_class_ops *ops) {
    m->known.gpu = m->unknown.gpu = m->gpu;
    must(m, pfifo_gpu_add_class(m->gpu, "PGRAPH", m->scene->known, ops, &m->known, &m->error) == PFIFO_OK);
    must(m, pfifo_gpu_add_class(m->gpu, "PGRAPH", m->scene->unknown, ops, &m->unknown, &m->error) == PFIFO_OK);
}

static void open_bare(struct machine *m, const struct scene *scene, bool materialise) {
    const struct pfifo_device_config config = {
        .gpu = {.chip = pfifo_chip_by_name(scene->chip), .materialise_cache = materialise},
        .fault = take_fault,
        .opaque = m};
    *m = (struct machine){.scene = scene};
    m->device = pfifo_device_open(&config, &m->error);
    must(m, m->device != NULL);
    m->gpu = pfifo_device_gpu(m->device);
}

static void open_channel(struct machine *m) {
    const struct scene *scene = m->scene;
    const struct pfifo_channel_config channel = {.vram_handle = scene->handles ? VRAM : 0,
                                                 .gart_handle = scene->handles ? GART : 0};
    m->channel = pfifo_channel_open(m->device, &channel, &m->error);
    must(m, m->channel != NULL);
    m->push = pfifo_buffer_new(m->device, PFIFO_GART, 4096, 0, &m->error);
    m->memory = pfifo_buffer_new(m->device, PFIFO_VRAM, 4096, 0, &m->error);
    must(m, m->push && m->memory);
    if (!scene->handles)
        return;
    must(m, pfifo_channel_object(m->channel, KNOWN, scene->known, &m->error) == PFIFO_OK);
    must(m, pfifo_channel_object(m->channel, UNKNOWN, scene->unknown, &m->error) == PFIFO_OK);
    must(m, pfifo_channel_object(m->channel, BUILT_IN, scene->built_in, &m->error) == PFIFO_OK);
}

static void method(struct machine *m, uint32_t subchannel, uint32_t first, const uint32_t *data, uint32_t count) {
    assert_true(m->words + count + 2 < COUNT_OF(m->word));
    m->word[m->words++] = m->scene->fermi ? 0x20000000u | count << 16 | subchannel << 13 | first >> 2
                                          : count << 18 | subchannel << 13 | first;
    for (uint32_t i = 0; i < count; i++)
        m->word[m->words++] = data[i];
}

#define METHOD(m, subchannel, first, ...)                                                                              \
    method(m, subchannel, first, (const uint32_t[]){__VA_ARGS__},                                                      \
           (uint32_t)(sizeof((const uint32_t[]){__VA_ARGS__}) / 4))

static bool before_tesla(const struct machine *m) {
    return m->scene->built_in == 0x39;
}

static void submit(struct machine *m) {
    if (before_tesla(m))
        m->word[m->words++] = 0x00020000; /* return */
    assert_true(pfifo_buffer_write(m->push, 0, m->word, m->words * sizeof m->word[0]));
    must(m, pfifo_channel_submit(m->channel, pfifo_buffer_address(m->push), m->words * sizeof m->word[0], 0,
                                 &m->error) == PFIFO_OK);
    m->words = 0;
}

static void run(struct machine *m) {
    submit(m);
    must(m, pfifo_device_wait(m->device, 1000000, &m->error) == PFIFO_OK);
}

static void bind_all(struct machine *m) {
    bool handles = m->scene->handles;
    METHOD(m, ON_KNOWN, 0, handles ? KNOWN : m->scene->known);
    METHOD(m, ON_UNKNOWN, 0, handles ? UNKNOWN : m->scene->unknown);
    METHOD(m, ON_BUILT_IN, 0, handles ? BUILT_IN : m->scene->built_in);
    if (handles) {
        METHOD(m, ON_KNOWN, OBJECT, VRAM);
        METHOD(m, ON_UNKNOWN, OBJECT, VRAM);
        METHOD(m, ON_BUILT_IN, 0x180, VRAM, VRAM, VRAM);
    }
}

static void aim(struct machine *m, uint32_t subchannel, uint64_t address) {
    METHOD(m, subchannel, HIGH, (uint32_t)(address >> 32));
    METHOD(m, subchannel, LOW, (uint32_t)address);
}

static void open_all(struct machine *m, const struct scene *scene, bool materialise) {
    open_bare(m, scene, materialise);
    plug_in(m, &own_ops);
    open_channel(m);
    bind_all(m);
}

/* The built-in class fills a line at `offset` with COLOR: M2MF copies one that is there. */
static void fill(struct machine *m, uint32_t offset) {
    static const uint32_t line[PITCH / 4] = {COLOR};
    uint32_t base = (uint32_t)pfifo_buffer_address(m->memory), high = (uint32_t)(pfifo_buffer_address(m->memory) >> 32);
    if (before_tesla(m)) {
        assert_true(pfifo_buffer_write(m->memory, 0x800, line, sizeof line));
        METHOD(m, ON_BUILT_IN, 0x30c, base + 0x800, base + offset, PITCH, PITCH, PITCH, 1, 0x101, 0);
        return;
    }
    METHOD(m, ON_BUILT_IN, 0x200, 0xcf, 1, 0, 1, 0, PITCH, PITCH / 4, 1, high, base + offset);
    METHOD(m, ON_BUILT_IN, 0x2ac, 3);
    METHOD(m, ON_BUILT_IN, 0x580, 4, 0xcf, COLOR);
    METHOD(m, ON_BUILT_IN, 0x600, 0, 0, PITCH / 4, 1);
}

static uint32_t memory_at(struct machine *m, uint32_t offset) {
    uint32_t value;
    assert_true(pfifo_buffer_read(m->memory, offset, &value, sizeof value));
    return value;
}

static void close_all(struct machine *m) {
    pfifo_device_close(m->device);
    assert_int_equal(m->known.freed, 1);
    assert_int_equal(m->unknown.freed, 1);
}

/* ---- tests ---- */

static void methods_of_a_plugged_class_come_in_order_and_in_runs(void **state) {
    (void)state;
    FOR_EACH_SCENE {
        struct machine m;
        uint32_t value = 0, order = 0;
        open_all(&m, scene, false);
        run(&m);
        m.known.order = m.known.runs = m.known.words = 0;
        METHOD(&m, ON_KNOWN, PLAIN, 1, 2, 3, 4, 5, 6, 7, 8);
        METHOD(&m, ON_UNKNOWN, PLAIN, 9, 10, 11);
        METHOD(&m, ON_KNOWN, 0x100, 12);
        run(&m);
        for (uint32_t i = 0; i < 8; i++)
            order = order * 31 + PLAIN + 4 * i + i + 1;
        assert_int_equal(m.known.order, order * 31 + 0x100 + 12);
        assert_int_equal(m.known.words, 9);
        assert_int_equal(m.known.runs, 2);
        assert_int_equal(m.known.most, 8);
        assert_int_equal(m.unknown.value[PLAIN / 4 + 2], 11);
        assert_int_equal(m.known.binds, 1);
        assert_int_equal(m.known.object_class, scene->known);
        uint32_t number = pfifo_channel_number(m.channel);
        assert_true(pfifo_gpu_method_value(m.gpu, number, scene->known, PLAIN + 4 * 7, &value));
        assert_int_equal(value, 8);
        assert_int_equal(m.faults, 0);
        close_all(&m);
    }
}

static void a_span_reads_what_a_built_in_class_wrote(void **state) {
    (void)state;
    FOR_EACH_SCENE {
        struct machine m;
        open_all(&m, scene, false);
        fill(&m, 0x100);
        aim(&m, ON_KNOWN, pfifo_buffer_address(m.memory) + 0x100);
        METHOD(&m, ON_KNOWN, LOOK, PITCH);
        fill(&m, 0x200);
        aim(&m, ON_UNKNOWN, pfifo_buffer_address(m.memory) + 0x200);
        METHOD(&m, ON_UNKNOWN, LOOK, PITCH);
        run(&m);
        assert_int_equal(m.known.looked, 1);
        assert_int_equal(m.known.seen, COLOR);
        assert_int_equal(m.unknown.seen, COLOR);
        assert_int_equal(memory_at(&m, 0x200), COLOR);
        assert_int_equal(m.faults, 0);
        close_all(&m);
    }
}

/* Before GF100 PGRAPH tells, and later the MMU. */
static void a_span_that_faults_raises_the_units_fault(void **state) {
    (void)state;
    FOR_EACH_SCENE {
        struct machine m;
        open_all(&m, scene, false);
        if (before_tesla(&m)) {
            must(&m, pfifo_channel_dma_object(m.channel, 0xbeef0600, m.memory, 0, 0x100, &m.error) == PFIFO_OK);
            METHOD(&m, ON_KNOWN, OBJECT, 0xbeef0600);
        }
        aim(&m, ON_KNOWN, UINT64_C(0xf0000000));
        METHOD(&m, ON_KNOWN, LOOK, PITCH);
        run(&m);
        assert_int_equal(m.known.lost, 1);
        assert_int_equal(m.known.looked, 0);
        assert_true(m.faults > 0);
        const struct pfifo_device_fault *fault = &m.fault[m.faults - 1];
        assert_string_equal(fault->unit, scene->fermi ? "MMU" : "PGRAPH");
        assert_int_equal(fault->channel, pfifo_channel_number(m.channel));
        if (scene->fermi)
            assert_int_equal(fault->address & ~UINT64_C(0xfff), 0xf0000000);
        else
            assert_int_equal(fault->method, LOOK);
        close_all(&m);
    }
}

static void a_launch_that_stalls_goes_on_and_costs_budget(void **state) {
    (void)state;
    FOR_EACH_SCENE {
        struct machine m;
        unsigned runs = 1;
        open_all(&m, scene, false);
        aim(&m, ON_KNOWN, pfifo_buffer_address(m.memory) + 0x40);
        METHOD(&m, ON_KNOWN, DRAW, 10);
        fill(&m, 0x100);
        METHOD(&m, ON_KNOWN, PLAIN, 77);
        submit(&m);
        for (; pfifo_device_run(m.device, 2 * SLICE_UNITS) == PFIFO_STOP_BUDGET; runs++)
            assert_in_range(runs, 1, 20);
        assert_in_range(runs, 5, 8);
        assert_int_equal(m.known.slices, 10);
        assert_int_equal(memory_at(&m, 0x40), 10);
        assert_int_equal(memory_at(&m, 0x100), COLOR);
        assert_int_equal(m.known.value[PLAIN / 4], 77);
        assert_int_equal(m.faults, 0);
        close_all(&m);
    }
}

static void what_a_plugged_class_refuses_the_driver_reports(void **state) {
    (void)state;
    FOR_EACH_SCENE {
        struct machine m;
        open_all(&m, scene, false);
        METHOD(&m, ON_UNKNOWN, REFUSE, 4);
        METHOD(&m, ON_UNKNOWN, PLAIN, 5);
        METHOD(&m, ON_UNKNOWN, WAKE, 6);
        run(&m);
        assert_int_equal(m.unknown.refused, 1);
        assert_int_equal(m.unknown.woken, 1);
        assert_int_equal(m.unknown.value[PLAIN / 4], 5);
        assert_int_equal(m.faults, 1);
        assert_string_equal(m.fault[0].unit, "PGRAPH");
        assert_int_equal(m.fault[0].method, REFUSE);
        assert_int_equal(m.fault[0].data, 4);
        assert_int_equal(m.fault[0].subchannel, ON_UNKNOWN);
        close_all(&m);
    }
}

static void a_plugged_class_increments_the_syncpoints_of_a_tegra(void **state) {
    static const struct scene tegras[] = {{"GK20A", 0xa297, 0xa2f1, 0x902d, false, true},
                                          {"GM20B", 0xb197, 0xb1f1, 0x902d, false, true}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(tegras); i++) {
        struct machine m;
        open_all(&m, &tegras[i], false);
        uint32_t count = pfifo_gpu_syncpoint_count(m.gpu), before = pfifo_gpu_syncpoint(m.gpu, 5);
        METHOD(&m, ON_KNOWN, SYNC, 5);
        METHOD(&m, ON_UNKNOWN, SYNC, 5);
        METHOD(&m, ON_UNKNOWN, SYNC, count);
        run(&m);
        assert_int_equal(pfifo_gpu_syncpoint(m.gpu, 5), before + 2);
        assert_int_equal(m.known.syncpoints, 1);
        assert_int_equal(m.unknown.syncpoints, 1);
        close_all(&m);
    }
}

static void hear(void *opaque, const struct pfifo_event *event) {
    struct machine *m = opaque;
    assert_string_equal(event->text, "triangles");
    assert_int_equal(event->value[0], m->scene->known);
    assert_int_equal(event->value[1], SAY);
    assert_int_equal(event->value[2], 8);
    assert_int_equal(event->value[4], UINT64_C(3) << 40);
    m->said++;
}

static void a_plugged_class_says_in_a_trace_what_it_does(void **state) {
    (void)state;
    FOR_EACH_SCENE {
        struct machine m;
        open_all(&m, scene, false);
        must(&m, pfifo_gpu_observe(m.gpu, "engine.class", hear, &m, &m.error) == PFIFO_OK);
        METHOD(&m, ON_KNOWN, SAY, 8);
        run(&m);
        assert_int_equal(m.said, 1);
        close_all(&m);
    }
}

static void one_by_one_through_cache1_a_plugged_class_gets_the_same(void **state) {
    (void)state;
    FOR_EACH_SCENE {
        struct machine m[2];
        for (int i = 0; i < 2; i++) {
            open_all(&m[i], scene, i);
            METHOD(&m[i], ON_KNOWN, PLAIN, 1, 2, 3, 4, 5, 6, 7, 8);
            fill(&m[i], 0x100);
            aim(&m[i], ON_KNOWN, pfifo_buffer_address(m[i].memory) + 0x100);
            METHOD(&m[i], ON_KNOWN, LOOK, PITCH);
            METHOD(&m[i], ON_KNOWN, DRAW, 7);
            METHOD(&m[i], ON_UNKNOWN, PLAIN, 1, 2, 3, 4);
            run(&m[i]);
        }
        assert_int_equal(m[0].known.order, m[1].known.order);
        assert_int_equal(m[0].known.words, m[1].known.words);
        assert_int_equal(m[0].unknown.order, m[1].unknown.order);
        assert_int_equal(m[1].known.seen, COLOR);
        assert_int_equal(memory_at(&m[0], 0x100), memory_at(&m[1], 0x100));
        assert_int_equal(pfifo_gpu_rd32(m[0].gpu, 0x9400), pfifo_gpu_rd32(m[1].gpu, 0x9400));
        close_all(&m[0]);
        close_all(&m[1]);
    }
}

/* ---- save and restore ---- */

static struct {
    uint8_t *data;
    size_t bytes, room;
} stream;

static bool collect(void *opaque, const void *data, size_t bytes) {
    (void)opaque;
    if (stream.bytes + bytes > stream.room) {
        stream.room = 2 * (stream.bytes + bytes);
        stream.data = realloc(stream.data, stream.room);
        assert_non_null(stream.data);
    }
    memcpy(stream.data + stream.bytes, data, bytes);
    stream.bytes += bytes;
    return true;
}

static enum pfifo_status save(struct machine *m) {
    stream.bytes = 0;
    return pfifo_gpu_save(m->gpu, collect, NULL, &m->error);
}

/* In the middle of a launch. */
static void a_plugged_class_is_saved_and_restored_with_the_gpu(void **state) {
    (void)state;
    FOR_EACH_SCENE {
        struct machine m;
        open_all(&m, scene, false);
        METHOD(&m, ON_KNOWN, PLAIN, 1, 2, 3);
        aim(&m, ON_KNOWN, pfifo_buffer_address(m.memory) + 0x40);
        METHOD(&m, ON_KNOWN, DRAW, 10);
        METHOD(&m, ON_UNKNOWN, PLAIN, 4);
        submit(&m);
        while (m.known.slices < 5)
            assert_int_equal(pfifo_device_run(m.device, SLICE_UNITS), PFIFO_STOP_BUDGET);
        must(&m, save(&m) == PFIFO_OK);
        assert_int_equal(pfifo_device_run(m.device, UINT64_MAX), PFIFO_STOP_IDLE);
        assert_int_equal(m.known.left, 0);
        must(&m, pfifo_gpu_load(m.gpu, stream.data, stream.bytes, &m.error) == PFIFO_OK);
        assert_in_range(m.known.left, 1, 5);
        assert_int_equal(m.known.value[PLAIN / 4 + 2], 3);
        assert_int_equal(memory_at(&m, 0x40), 0);
        assert_int_equal(pfifo_device_run(m.device, UINT64_MAX), PFIFO_STOP_IDLE);
        assert_int_equal(memory_at(&m, 0x40), 10);
        assert_int_equal(m.unknown.value[PLAIN / 4], 4);
        must(&m, pfifo_gpu_reset(m.gpu, 0, &m.error) == PFIFO_OK);
        assert_int_equal(m.known.value[PLAIN / 4 + 2], 0);
        close_all(&m);
    }
}

static void a_state_goes_only_into_a_gpu_with_the_same_classes(void **state) {
    (void)state;
    FOR_EACH_SCENE {
        struct machine m, bare;
        open_all(&m, scene, false);
        run(&m);
        must(&m, save(&m) == PFIFO_OK);
        open_bare(&bare, scene, false);
        assert_int_equal(pfifo_gpu_load(bare.gpu, stream.data, stream.bytes, &bare.error), PFIFO_ERROR_ARGUMENT);
        must(&bare, save(&bare) == PFIFO_OK);
        assert_int_equal(pfifo_gpu_load(m.gpu, stream.data, stream.bytes, &m.error), PFIFO_ERROR_ARGUMENT);
        assert_non_null(strstr(m.error.message, "own"));
        pfifo_device_close(bare.device);
        close_all(&m);
    }
}

static void a_used_class_without_save_makes_the_save_fail_by_name(void **state) {
    struct pfifo_class_ops ops = {.size = sizeof ops, .name = "forgetful", .methods = own_methods, .free = own_free};
    (void)state;
    FOR_EACH_SCENE {
        struct machine m;
        open_bare(&m, scene, false);
        plug_in(&m, &ops);
        open_channel(&m);
        must(&m, save(&m) == PFIFO_OK);
        bind_all(&m);
        run(&m);
        assert_int_equal(save(&m), PFIFO_ERROR_UNSUPPORTED);
        assert_non_null(strstr(m.error.message, "forgetful"));
        close_all(&m);
    }
}

/* ---- misuse ---- */

static enum pfifo_status add(struct machine *m, const char *unit, uint32_t object_class,
                             const struct pfifo_class_ops *ops) {
    return pfifo_gpu_add_class(m->gpu, unit, object_class, ops, &m->known, &m->error);
}

static void a_class_that_cannot_be_plugged_in_is_an_error(void **state) {
    struct pfifo_class_ops without_methods = own_ops, without_name = own_ops, small = own_ops,
                           bare = {.size = sizeof bare, .name = "bare", .methods = own_methods};
    struct machine m;
    (void)state;
    without_methods.methods = NULL;
    without_name.name = NULL;
    small.size = 8;
    open_all(&m, &scenes[3], false);
    run(&m);
    assert_int_equal(add(&m, "PNONE", 0xf197, &own_ops), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(add(&m, NULL, 0xf197, &own_ops), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(add(&m, "PGRAPH", 0xf197, NULL), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(add(&m, "PGRAPH", 0xf197, &without_methods), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(add(&m, "PGRAPH", 0xf197, &without_name), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(add(&m, "PGRAPH", 0xf197, &small), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(add(&m, "PGRAPH", 0, &own_ops), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(add(&m, "PGRAPH", 0x10000, &own_ops), PFIFO_ERROR_ARGUMENT);
    assert_int_equal(add(&m, "PGRAPH", m.scene->known, &own_ops), PFIFO_ERROR_ARGUMENT);    /* twice */
    assert_int_equal(add(&m, "PGRAPH", m.scene->built_in, &own_ops), PFIFO_ERROR_ARGUMENT); /* bound */
    for (uint32_t i = 2; i < 8; i++)
        assert_int_equal(add(&m, "PGRAPH", 0xf000 + i, &bare), PFIFO_OK);
    assert_int_equal(add(&m, "PGRAPH", 0xf008, &own_ops), PFIFO_ERROR_UNSUPPORTED);
    assert_int_equal(add(&m, "PCOPY0", 0xf008, &own_ops), PFIFO_OK);
    pfifo_device_close(m.device);
    assert_int_equal(m.known.freed, 2);
}

static void nv3_takes_no_plugged_classes(void **state) {
    static const struct scene nv3 = {"NV3", 0, 0, 0, false, false};
    struct machine m;
    (void)state;
    open_bare(&m, &nv3, false);
    assert_int_equal(add(&m, "PGRAPH", 0x48, &own_ops), PFIFO_ERROR_UNSUPPORTED);
    pfifo_device_close(m.device);
}

static void a_run_from_a_plugged_class_is_refused(void **state) {
    (void)state;
    FOR_EACH_SCENE {
        struct machine m;
        open_all(&m, scene, false);
        METHOD(&m, ON_KNOWN, RUN, 0);
        METHOD(&m, ON_KNOWN, PLAIN, 1);
        run(&m);
        assert_int_equal(m.known.nested, PFIFO_STOP_WAITING);
        assert_int_equal(m.known.value[PLAIN / 4], 1);
        close_all(&m);
    }
}

static void a_plugged_class_hears_of_channels_that_end(void **state) {
    (void)state;
    FOR_EACH_SCENE {
        struct machine m;
        open_all(&m, scene, false);
        run(&m);
        unsigned before = m.known.gone;
        pfifo_channel_close(m.channel);
        open_channel(&m); /* before GF100 an old state ends when its number is used again */
        bind_all(&m);
        run(&m);
        if (m.known.gone <= before)
            fail_msg("%s: nothing was heard", scene->chip);
        close_all(&m);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_of_a_plugged_class_come_in_order_and_in_runs),
        cmocka_unit_test(a_span_reads_what_a_built_in_class_wrote),
        cmocka_unit_test(a_span_that_faults_raises_the_units_fault),
        cmocka_unit_test(a_launch_that_stalls_goes_on_and_costs_budget),
        cmocka_unit_test(what_a_plugged_class_refuses_the_driver_reports),
        cmocka_unit_test(a_plugged_class_increments_the_syncpoints_of_a_tegra),
        cmocka_unit_test(a_plugged_class_says_in_a_trace_what_it_does),
        cmocka_unit_test(one_by_one_through_cache1_a_plugged_class_gets_the_same),
        cmocka_unit_test(a_plugged_class_is_saved_and_restored_with_the_gpu),
        cmocka_unit_test(a_state_goes_only_into_a_gpu_with_the_same_classes),
        cmocka_unit_test(a_used_class_without_save_makes_the_save_fail_by_name),
        cmocka_unit_test(a_class_that_cannot_be_plugged_in_is_an_error),
        cmocka_unit_test(nv3_takes_no_plugged_classes),
        cmocka_unit_test(a_run_from_a_plugged_class_is_refused),
        cmocka_unit_test(a_plugged_class_hears_of_channels_that_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
