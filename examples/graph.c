/* SPDX-License-Identifier: MIT */
/*
 * An embedder's own PGRAPH behind the front end of an NV40. Its one class fills memory:
 *
 *   0x180 DMA object    0x300 offset    0x304 value    0x308 words: fill
 *   0x30c interrupt     0x400 and up: parameters, which are only printed
 *
 * PFIFO does the rest: it fetches, binds, translates handles, and changes between the two channels, for each of which
 * the engine keeps a context. At last the machine is saved and loaded, and the engine goes on with what it knew.
 */
#include <pfifo/driver.h>
#include <pfifo/engine.h>
#include <pfifo/state.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 32, MEMORY = 0xd0001, OBJECT = 0x97, PMC_INTR = 0x100, PMC_PGRAPH = 1 << 12 };

/* What a channel has told us. The object is what the puller made of the handle. */
struct context {
    uint32_t object, offset, value;
};

struct graph {
    struct context context[CHANNELS];
    uint32_t current; /* channel */
    unsigned switches, fills, methods;
};

static bool bind(void *engine, const struct pfifo_channel_context *channel, unsigned subchannel, uint32_t object_class,
                 uint32_t object) {
    (void)engine;
    printf("channel %u: class 0x%04x on subchannel %u, instance 0x%x\n", (unsigned)pfifo_channel_context_id(channel),
           (unsigned)object_class, subchannel, (unsigned)object);
    return object_class == 0x4097;
}

static void switch_channel(void *engine, const struct pfifo_channel_context *channel) {
    struct graph *graph = engine;
    graph->current = pfifo_channel_context_id(channel);
    graph->switches++;
    printf("PGRAPH works for channel %u\n", (unsigned)graph->current);
}

static void fill(struct graph *graph, const struct pfifo_channel_context *channel, uint32_t words) {
    const struct context *context = &graph->context[graph->current];
    const uint32_t v = context->value;
    const uint8_t bytes[4] = {(uint8_t)v, (uint8_t)(v >> 8), (uint8_t)(v >> 16), (uint8_t)(v >> 24)};
    /* A fault has been raised when this is false: PFIFO shows it to the driver. A guest may ask for any size. */
    for (uint32_t i = 0; i < words && i < 0x1000; i++)
        if (!pfifo_channel_write(channel, context->object, context->offset + 4ull * i, bytes, sizeof bytes))
            return;
    graph->fills++;
}

/* Does the method do something that is seen from outside? Then it must be the first of its run, and the last. */
static bool has_effect(uint32_t method) {
    return method == 0x308 || method == 0x30c;
}

static void execute(struct graph *graph, const struct pfifo_channel_context *channel, uint32_t method, uint32_t data) {
    struct context *context = &graph->context[graph->current];
    switch (method) {
    case 0x180:
        context->object = data;
        break;
    case 0x300:
        context->offset = data;
        break;
    case 0x304:
        context->value = data;
        break;
    case 0x308:
        fill(graph, channel, data);
        break;
    case 0x30c:
        pfifo_channel_interrupt(channel, 1);
        break;
    default: /* state of drawing that this PGRAPH does not do */
        break;
    }
}

static uint32_t methods(void *engine, const struct pfifo_methods *run) {
    struct graph *graph = engine;
    uint32_t taken = 0;
    while (taken < run->count) {
        uint32_t method = run->method + taken * run->step;
        if (taken > 0 && has_effect(method))
            break;
        execute(graph, run->channel, method, run->data[taken++]);
        if (has_effect(method))
            break;
    }
    graph->methods += taken;
    printf("channel %u: %u:%04x", (unsigned)graph->current, run->subchannel, run->method);
    for (uint32_t i = 0; i < taken && i < 6; i++)
        printf(" %x", (unsigned)run->data[i]);
    printf(taken > 6 ? " ... (%u)\n" : "\n", (unsigned)taken);
    return taken;
}

static void channel_gone(void *engine, uint32_t channel) {
    memset(&((struct graph *)engine)->context[channel], 0, sizeof(struct context));
}

/* Everything that it keeps, so that a machine with this engine can be saved. A file for others would have words. */
static enum pfifo_status save(void *engine, pfifo_writer write, void *opaque, struct pfifo_error *error) {
    if (write(opaque, engine, sizeof(struct graph)))
        return PFIFO_OK;
    return pfifo_error_set(error, PFIFO_ERROR_IO, "PGRAPH was not written");
}

static enum pfifo_status load(void *engine, const void *data, size_t bytes, struct pfifo_error *error) {
    struct graph *graph = engine;
    memset(graph, 0, sizeof *graph);
    if (data && bytes == sizeof *graph)
        memcpy(graph, data, bytes);
    if ((!data || bytes == sizeof *graph) && graph->current < CHANNELS)
        return PFIFO_OK;
    memset(graph, 0, sizeof *graph);
    return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "this is no PGRAPH");
}

static const struct pfifo_engine_ops graph_ops = {.name = "fills",
                                                  .bind = bind,
                                                  .methods = methods,
                                                  .switch_channel = switch_channel,
                                                  .channel_gone = channel_gone,
                                                  .save = save,
                                                  .load = load};

/* ---- the program that uses it ---- */

static bool submit(struct pfifo_channel *channel, struct pfifo_buffer *push, uint32_t slot, uint32_t value) {
    const uint32_t words[] = {
        1 << 18,
        OBJECT, /* method 0: bind */
        1 << 18 | 0x180,
        MEMORY, /* a handle, which the engine gets as an instance */
        8 << 18 | 0x400,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        8, /* one run of eight methods */
        4 << 18 | 0x300,
        slot * 0x100,
        value,
        0x40,
        value,   /* three runs: two have effects */
        0x20000, /* the segment returns */
    };
    struct pfifo_error error;
    uint64_t at = 0x1000u * slot;
    return pfifo_buffer_write(push, at, words, sizeof words) &&
           pfifo_channel_submit(channel, pfifo_buffer_address(push) + at, sizeof words, 0, &error) == PFIFO_OK;
}

static struct pfifo_channel *open_channel(struct pfifo_device *device, struct pfifo_buffer *memory) {
    const struct pfifo_channel_config config = {.mode = PFIFO_CHANNEL_DMA};
    struct pfifo_channel *channel = pfifo_channel_open(device, &config, NULL);
    bool made = channel && pfifo_channel_object(channel, OBJECT, 0x4097, NULL) == PFIFO_OK &&
                pfifo_channel_dma_object(channel, MEMORY, memory, 0, pfifo_buffer_bytes(memory), NULL) == PFIFO_OK;
    return made ? channel : NULL;
}

/* A saved machine. */
struct image {
    unsigned char *bytes;
    size_t count;
};

static bool append(void *opaque, const void *data, size_t bytes) {
    struct image *image = opaque;
    unsigned char *more = realloc(image->bytes, image->count + bytes);
    if (!more)
        return false;
    memcpy(more + image->count, data, bytes);
    *image = (struct image){more, image->count + bytes};
    return true;
}

/* Loading gives back what was saved, whatever has become of it meanwhile; a file that is none changes nothing else. */
static bool save_and_load(struct pfifo_gpu *gpu, struct graph *graph) {
    const struct graph before = *graph;
    struct image image = {0};
    struct pfifo_error error;
    bool saved = pfifo_gpu_save(gpu, append, &image, &error) == PFIFO_OK;
    bool refused = load(graph, "?", 1, &error) == PFIFO_ERROR_FORMAT;
    memset(graph, 0xff, sizeof *graph);
    bool loaded = saved && pfifo_gpu_load(gpu, image.bytes, image.count, &error) == PFIFO_OK;
    free(image.bytes);
    printf("machine %s and %s\n", saved ? "saved" : "not saved", loaded ? "loaded" : "not loaded");
    return refused && loaded && memcmp(graph, &before, sizeof before) == 0;
}

/* One word more, at the place that the channel said before the machine was saved. */
static bool go_on(struct pfifo_device *device, struct pfifo_channel *channel, struct pfifo_buffer *push) {
    const uint32_t words[] = {1 << 18 | 0x304, 0x33333333, 1 << 18 | 0x308, 1, 0x20000};
    return pfifo_buffer_write(push, 0x2000, words, sizeof words) &&
           pfifo_channel_submit(channel, pfifo_buffer_address(push) + 0x2000, sizeof words, 0, NULL) == PFIFO_OK &&
           pfifo_device_wait(device, 1000, NULL) == PFIFO_OK;
}

/* Both channels have work; PGRAPH is changed from the one to the other, and each fill has its own context. */
static bool run(struct pfifo_device *device, struct graph *graph) {
    struct pfifo_gpu *gpu = pfifo_device_gpu(device);
    struct pfifo_buffer *push = pfifo_buffer_new(device, PFIFO_GART, 0x4000, 0, NULL);
    struct pfifo_buffer *memory = pfifo_buffer_new(device, PFIFO_VRAM, 0x1000, 0, NULL);
    struct pfifo_channel *one = memory ? open_channel(device, memory) : NULL;
    struct pfifo_channel *other = one ? open_channel(device, memory) : NULL;
    if (!push || !other || !submit(one, push, 0, 0x11111111) || !submit(other, push, 1, 0x22222222))
        return false;
    pfifo_gpu_run(gpu, 1000); /* the machine alone, so that we see the interrupt ... */
    bool raised = pfifo_gpu_irq(gpu) && (pfifo_gpu_rd32(gpu, PMC_INTR) & PMC_PGRAPH);
    bool done = pfifo_device_wait(device, 1000, NULL) == PFIFO_OK; /* ... before the driver handles it */
    bool lowered = !pfifo_gpu_irq(gpu);
    uint8_t first, second;
    bool read = pfifo_buffer_read(memory, 0xff, &first, 1) && pfifo_buffer_read(memory, 0x1fc, &second, 1);
    printf("%u methods, %u fills, %u switches; interrupt %s and %s\n", graph->methods, graph->fills, graph->switches,
           raised ? "raised" : "missing", lowered ? "handled" : "stuck");
    if (!raised || !done || !lowered || !read || first != 0x11 || second != 0x22 || graph->switches != 2)
        return false;
    uint8_t word[8];
    return save_and_load(gpu, graph) && go_on(device, other, push) && pfifo_buffer_read(memory, 0x100, word, 8) &&
           word[0] == 0x33 && word[3] == 0x33 && word[4] == 0x22;
}

int main(void) {
    static struct graph graph;
    struct pfifo_error error = {0};
    struct pfifo_device_config config = {.gpu.chip = pfifo_chip_by_name("NV40")};
    struct pfifo_device *device = pfifo_device_open(&config, &error);
    if (!device || pfifo_gpu_set_engine(pfifo_device_gpu(device), 1, &graph_ops, &graph, &error) != PFIFO_OK) {
        fprintf(stderr, "%s\n", error.message);
        return 1;
    }
    bool good = run(device, &graph);
    pfifo_device_close(device);
    return good ? 0 : 1;
}
