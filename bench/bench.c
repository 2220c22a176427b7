/* SPDX-License-Identifier: MIT */
/*
 * pfifo-bench: what the front end costs; what engines cost is in engines.c.
 *
 * For each format, 64 MiB of packets go through pusher, CACHE and puller into an engine that sums the data; and into
 * the engine that is there, where they set state of 3D objects. The figure that counts is the ratio to a plain sum of
 * the same buffer, measured in turn with it.
 */
#include <pfifo/decode.h>
#include <pfifo/diff.h>
#include <pfifo/driver.h>
#include <pfifo/engine.h>
#include <pfifo/profile.h>
#include <pfifo/query.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bare.h"
#include "draw.h"
#include "face.h"
#include "lint.h"
#include "engines.h"
#include "measure.h"
#include "nvgpu.h"
#include "picture.h"
#include "protocol.h"
#include "stream.h"
#include "summer.h"
#include "texture.h"

#define TOTAL_BYTES   (UINT64_C(64) << 20)
#define SEGMENT_BYTES (UINT64_C(4) << 20)
#define SEGMENTS      (TOTAL_BYTES / SEGMENT_BYTES)
#define ROUNDS        11
#define OBJECT        0xbeef4097u

static const struct target {
    const char *name, *chip;
    const struct bench_format *format;
    bench_bare *bare;
    uint32_t graphics_class;
    unsigned engine;
    bool has_cache;
    const struct bench_format *state; /* what the 3D class keeps; NULL: not measured */
} targets[] = {
    {"NV4 format, DMA mode", "NV40", &bench_format_nv4, bare_nv4, 0x4097, 1, true, NULL},
    {"NV4 format, IB mode", "GT215", &bench_format_g80, bare_nv4, 0x8597, 1, true, NULL},
    {"GF100 format, one playlist", "GF100", &bench_format_gf100, bare_gf100, 0x9097, 0, false,
     &bench_format_gf100_state},
    {"GF100 format, runlists", "GM107", &bench_format_gf100, bare_gf100, 0xb097, 0, false, &bench_format_gf100_state},
};

enum path { PATH_BULK, PATH_CACHE, PATH_OBJECT };

static const char *const path_names[] = {"bulk", "through CACHE", "3D object"};

/* ---- helpers ---- */

static void die(const char *what, const struct pfifo_error *error) {
    fprintf(stderr, "pfifo-bench: %s: %s\n", what, error->message);
    exit(1);
}

struct stream {
    uint32_t *words;
    size_t used[SEGMENTS]; /* words of each segment */
    uint64_t methods;
};

static void make_stream(struct stream *stream, const struct bench_format *format, enum bench_kind kind) {
    uint32_t seed = 0x12345678;
    stream->methods = 0;
    memset(stream->words, 0, TOTAL_BYTES);
    for (size_t i = 0; i < SEGMENTS; i++)
        stream->used[i] = bench_fill(format, kind, &seed, stream->words + i * (SEGMENT_BYTES / 4), SEGMENT_BYTES / 4,
                                     &stream->methods);
}

/* ---- a machine with a channel that is bound to the summer ---- */

struct machine {
    struct pfifo_device *device;
    struct pfifo_channel *channel;
    struct pfifo_buffer *buffer;
    struct summer summer;
};

static void bind_objects(struct machine *machine, const struct target *target) {
    struct pfifo_error error;
    uint32_t words[16];
    size_t n = 0;
    bool by_handle = target->has_cache;
    struct pfifo_buffer *buffer = pfifo_buffer_new(machine->device, PFIFO_GART, 4096, 0, &error);
    if (by_handle && pfifo_channel_object(machine->channel, OBJECT, target->graphics_class, &error) != PFIFO_OK)
        die(target->chip, &error);
    for (uint32_t subchannel = 0; subchannel < 4; subchannel++) {
        words[n++] = target->format->header(false, subchannel, 0, 1);
        words[n++] = by_handle ? OBJECT : target->graphics_class;
    }
    if (target->format->end)
        words[n++] = target->format->end;
    if (!buffer || !pfifo_buffer_write(buffer, 0, words, n * 4) ||
        pfifo_channel_submit(machine->channel, pfifo_buffer_address(buffer), n * 4, 0, &error) != PFIFO_OK ||
        pfifo_device_wait(machine->device, UINT64_MAX, &error) != PFIFO_OK)
        die(target->chip, &error);
    pfifo_buffer_free(buffer);
}

static void open_machine(struct machine *machine, const struct target *target, enum path path) {
    struct pfifo_error error;
    memset(machine, 0, sizeof *machine);
    struct pfifo_device_config config = {
        .gpu = {.chip = pfifo_chip_by_name(target->chip), .materialise_cache = path == PATH_CACHE}};
    machine->device = pfifo_device_open(&config, &error);
    if (!machine->device ||
        (path != PATH_OBJECT && pfifo_gpu_set_engine(pfifo_device_gpu(machine->device), target->engine, &summer_ops,
                                                     &machine->summer, &error) != PFIFO_OK))
        die(target->chip, &error);
    machine->channel = pfifo_channel_open(machine->device, &(struct pfifo_channel_config){0}, &error);
    machine->buffer = machine->channel ? pfifo_buffer_new(machine->device, PFIFO_GART, TOTAL_BYTES, 0, &error) : NULL;
    if (!machine->buffer)
        die(target->chip, &error);
    bind_objects(machine, target);
}

static void close_machine(struct machine *machine) {
    pfifo_device_close(machine->device);
}

/* All segments once. Returns seconds. */
static double run_stream(struct machine *machine, const struct stream *stream) {
    struct pfifo_error error;
    uint64_t address = pfifo_buffer_address(machine->buffer);
    double start = measure_now();
    for (size_t i = 0; i < SEGMENTS; i++)
        if (pfifo_channel_submit(machine->channel, address + i * SEGMENT_BYTES, stream->used[i] * 4, 0, &error) !=
            PFIFO_OK)
            die("submit", &error);
    if (pfifo_device_wait(machine->device, UINT64_MAX, &error) != PFIFO_OK)
        die("run", &error);
    return measure_now() - start;
}

static volatile uint64_t keep; /* what a sum came to, so that it is computed */

static double run_sum(const struct stream *stream) {
    double start = measure_now();
    uint64_t sum = 0;
    for (size_t i = 0; i < SEGMENTS; i++)
        sum += sum_words(stream->words + i * (SEGMENT_BYTES / 4), stream->used[i]);
    keep = sum;
    return measure_now() - start;
}

/* The same segments, one call per packet: into an engine of its own, through pointers that nothing is known about. */
static double run_bare(const struct target *target, struct summer *summer, const struct stream *stream) {
    const struct pfifo_engine_ops *volatile ops = &summer_ops;
    bench_bare *volatile bare = target->bare;
    double start = measure_now();
    for (size_t i = 0; i < SEGMENTS; i++)
        bare(ops, summer, stream->words + i * (SEGMENT_BYTES / 4), stream->used[i]);
    return measure_now() - start;
}

static void check_arrived(const struct machine *machine, const struct target *target, enum path path,
                          const struct stream *stream) {
    if (pfifo_device_faults(machine->device)) {
        fprintf(stderr, "pfifo-bench: %s: a fault\n", target->chip);
        exit(1);
    }
    if (path == PATH_OBJECT || machine->summer.methods == stream->methods)
        return;
    fprintf(stderr, "pfifo-bench: %s: %" PRIu64 " methods arrived, not %" PRIu64 "\n", target->chip,
            machine->summer.methods, stream->methods);
    exit(1);
}

/* What one round found: the stream in the machine, the bare loop, and the sum. */
struct round {
    double run, bare, sum;
};

/* The machine and the bare loop change turns, so that neither always follows the sum. */
static struct round run_round(struct machine *machine, const struct target *target, struct summer *bare,
                              const struct stream *stream, bool bare_first) {
    struct round round = {.sum = run_sum(stream)};
    if (bare_first)
        round.bare = run_bare(target, bare, stream);
    machine->summer.methods = 0;
    round.run = run_stream(machine, stream);
    if (!bare_first)
        round.bare = run_bare(target, bare, stream);
    return round;
}

static void print_row(const struct target *target, enum bench_kind kind, enum path path, double rate,
                      const struct measured *sum, const struct measured *bare) {
    printf("%-28s %-6s %-6s %-13s %9.1f %8.2f   (%.2f .. %.2f)", target->name, target->chip, bench_kind_names[kind],
           path_names[path], rate, sum->ratio, sum->low, sum->high);
    if (path != PATH_OBJECT)
        printf(" %8.2f   (%.2f .. %.2f)", bare->ratio, bare->low, bare->high);
    printf("\n");
    fflush(stdout);
}

static void measure(const struct target *target, enum bench_kind kind, enum path path, struct stream *stream) {
    struct machine machine;
    struct measure sums = {.rounds = 0}, bares = {.rounds = 0};
    static struct summer bare;
    open_machine(&machine, target, path);
    make_stream(stream, path == PATH_OBJECT ? target->state : target->format, kind);
    if (!pfifo_buffer_write(machine.buffer, 0, stream->words, TOTAL_BYTES))
        abort();
    for (int i = 0; i < ROUNDS; i++) {
        struct round round = run_round(&machine, target, &bare, stream, i & 1);
        measure_add(&sums, round.run, round.run / round.sum);
        measure_add(&bares, round.bare, round.bare / round.run);
        check_arrived(&machine, target, path, stream);
    }
    struct measured sum = measure_end(&sums), fraction = measure_end(&bares);
    print_row(target, kind, path, (double)stream->methods / sum.seconds / 1e6, &sum, &fraction);
    close_machine(&machine);
}

/* ---- reading without running, start-up ---- */

static bool count_bytes(void *opaque, const char *data, size_t bytes) {
    (void)data;
    *(uint64_t *)opaque += bytes;
    return true;
}

/* What is done with the words of a stream; `bytes`: of text that came out. */
typedef enum pfifo_status (*reading)(const void *words, size_t bytes, struct pfifo_decode_options *options,
                                     uint64_t *text, struct pfifo_error *error);

static enum pfifo_status read_to_text(const void *words, size_t bytes, struct pfifo_decode_options *options,
                                      uint64_t *text, struct pfifo_error *error) {
    return pfifo_decode_raw(words, bytes, options, count_bytes, text, error);
}

static enum pfifo_status read_to_count(const void *words, size_t bytes, struct pfifo_decode_options *options,
                                       uint64_t *text, struct pfifo_error *error) {
    struct pfifo_profile *profile = pfifo_profile_new(error);
    enum pfifo_status status = PFIFO_ERROR_MEMORY;

    options->format = PFIFO_DECODE_NOTHING;
    options->event = pfifo_profile_event;
    options->event_opaque = profile;
    if (profile)
        status = pfifo_decode_raw(words, bytes, options, count_bytes, text, error);
    pfifo_profile_free(profile);
    return status;
}

/* Nothing matches, but all is looked at. */
static enum pfifo_status read_to_search(const void *words, size_t bytes, struct pfifo_decode_options *options,
                                        uint64_t *text, struct pfifo_error *error) {
    enum pfifo_status status = PFIFO_ERROR_ARGUMENT;

    options->query = pfifo_query_new("SET_* and data=0x12345678 and subc=7", error);
    if (options->query)
        status = pfifo_decode_raw(words, bytes, options, count_bytes, text, error);
    pfifo_query_free(options->query);
    return status;
}

static enum pfifo_status read_to_compare(const void *words, size_t bytes, struct pfifo_decode_options *options,
                                         uint64_t *text, struct pfifo_error *error) {
    const struct pfifo_diff_side side = {.words = words, .bytes = bytes, .options = options};
    struct pfifo_diff_result result;

    return pfifo_diff(&side, &side, NULL, count_bytes, text, &result, error);
}

static const struct {
    const char *name;
    reading read;
} readings[] = {
    {"decode to text", read_to_text},
    {"top", read_to_count},
    {"grep", read_to_search},
    {"diff with itself", read_to_compare},
};

static void measure_reading(size_t index, const struct target *target, struct stream *stream) {
    struct pfifo_error error;
    struct measure rounds = {.rounds = 0};
    uint64_t bytes = 0;
    make_stream(stream, target->format, BENCH_MIX);
    size_t words = stream->used[0];
    for (int round = 0; round < ROUNDS; round++) {
        struct pfifo_decode_options options = {.chip = pfifo_chip_by_name(target->chip), .ib = true};
        double start = measure_now();
        bytes = 0;
        if (readings[index].read(stream->words, words * 4, &options, &bytes, &error) != PFIFO_OK)
            die(readings[index].name, &error);
        double end = measure_now();
        keep = sum_words(stream->words, words);
        measure_add(&rounds, end - start, (end - start) / (measure_now() - end));
    }
    struct measured result = measure_end(&rounds);
    printf("%-28s %-6s %-6s %-13s %9.1f %8.2f   (Mwords/s; %.0f MB/s of text)\n", readings[index].name, target->chip,
           "mix", "", (double)words / result.seconds / 1e6, result.ratio, (double)bytes / result.seconds / 1e6);
    fflush(stdout);
}

struct text {
    char *bytes;
    size_t used, room;
};

static bool keep_text(void *opaque, const char *data, size_t bytes) {
    struct text *text = opaque;
    if (text->used + bytes > text->room) {
        text->room = 2 * (text->used + bytes);
        text->bytes = realloc(text->bytes, text->room);
        if (!text->bytes)
            exit(1);
    }
    memcpy(text->bytes + text->used, data, bytes);
    text->used += bytes;
    return true;
}

/* The text of the decoder, back to words. */
static void measure_asm(const struct target *target, struct stream *stream) {
    struct pfifo_error error;
    struct measure rounds = {.rounds = 0};
    struct text text = {0};
    make_stream(stream, target->format, BENCH_MIX);
    size_t words = stream->used[0] / 4, count = 0;
    const struct pfifo_decode_options with = {.chip = pfifo_chip_by_name(target->chip), .ib = true};
    const struct pfifo_assemble_options options = {.chip = with.chip};
    uint32_t *found = malloc(words * sizeof *found);
    if (!found || pfifo_decode_raw(stream->words, words * 4, &with, keep_text, &text, &error) != PFIFO_OK)
        die("asm", &error);
    for (int round = 0; round < ROUNDS; round++) {
        double start = measure_now();
        if (pfifo_assemble_text(text.bytes, text.used, &options, found, words, &count, &error) != PFIFO_OK)
            die("asm", &error);
        double end = measure_now();
        keep = sum_words(stream->words, words);
        measure_add(&rounds, end - start, (end - start) / (measure_now() - end));
    }
    if (count != words || memcmp(found, stream->words, words * 4) != 0) {
        fprintf(stderr, "pfifo-bench: %s: asm gave other words\n", target->chip);
        exit(1);
    }
    struct measured result = measure_end(&rounds);
    printf("%-28s %-6s %-6s %-13s %9.1f %8.2f   (Mwords/s; %.0f MB/s of text)\n", "asm of decoded text", target->chip,
           "mix", "", (double)words / result.seconds / 1e6, result.ratio, (double)text.used / result.seconds / 1e6);
    fflush(stdout);
    free(found);
    free(text.bytes);
}

static void measure_start(const struct target *target) {
    struct pfifo_error error;
    double best = 1e9;
    for (int round = 0; round < ROUNDS; round++) {
        double start = measure_now();
        struct pfifo_device *device =
            pfifo_device_open(&(struct pfifo_device_config){.gpu.chip = pfifo_chip_by_name(target->chip)}, &error);
        if (!device || !pfifo_channel_open(device, &(struct pfifo_channel_config){0}, &error))
            die(target->chip, &error);
        double seconds = measure_now() - start;
        best = seconds < best ? seconds : best;
        pfifo_device_close(device);
    }
    printf("%-28s %-6s device and channel open in %.2f ms\n", "start-up", target->chip, best * 1e3);
}

static void bench_front(void) {
    size_t count = sizeof targets / sizeof targets[0];
    struct stream stream = {.words = malloc(TOTAL_BYTES)};
    if (!stream.words)
        exit(1);
    printf("%-28s %-6s %-6s %-13s %9s %8s %28s\n", "format", "chip", "stream", "path", "Mmeth/s", "x sum",
           "of bare loop");
    for (size_t i = 0; i < count; i++) {
        for (int kind = 0; kind < BENCH_KINDS; kind++) {
            measure(&targets[i], (enum bench_kind)kind, PATH_BULK, &stream);
            if (targets[i].has_cache)
                measure(&targets[i], (enum bench_kind)kind, PATH_CACHE, &stream);
            if (targets[i].state)
                measure(&targets[i], (enum bench_kind)kind, PATH_OBJECT, &stream);
        }
    }
    for (size_t what = 0; what < sizeof readings / sizeof readings[0]; what++)
        for (size_t i = 0; i < count; i++)
            measure_reading(what, &targets[i], &stream);
    for (size_t i = 0; i < count; i++)
        measure_asm(&targets[i], &stream);
    for (size_t i = 0; i < count; i++)
        measure_start(&targets[i]);
    free(stream.words);
}

static void bench_scenes(void) {
#ifdef BENCH_DRM
    bench_drm("bench/scenes");
#else
    printf("the DRM face is not built\n");
#endif
}

static void bench_submissions(void) {
#ifdef BENCH_DRM
    bench_exec();
#else
    printf("the DRM face is not built\n");
#endif
}

static const struct {
    const char *name;
    void (*run)(void);
} parts[] = {{"front", bench_front}, {"lint", bench_lint},         {"engines", bench_engines},
             {"draw", bench_draw},   {"texture", bench_texture},   {"picture", bench_picture},
             {"nvgpu", bench_nvgpu}, {"protocol", bench_protocol}, {"exec", bench_submissions},
             {"drm", bench_scenes}};

/* All of it, or the parts that are named. */
int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        bool wanted = argc == 1;
        for (int j = 1; j < argc; j++)
            wanted |= strcmp(argv[j], parts[i].name) == 0;
        if (wanted)
            parts[i].run();
    }
    return 0;
}
