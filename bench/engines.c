/* SPDX-License-Identifier: MIT */
/*
 * Launches of some MiB each, through a channel like any other. Each is measured in turn with a memcpy() or memset() of
 * as many bytes. The rows are in a file per chip.
 */
#include "engines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"

#define STREAM_PACKET 1024u

static void die(const char *what, const char *why) {
    fprintf(stderr, "pfifo-bench: %s: %s\n", what, why);
    exit(1);
}

/* ---- commands ---- */

static void put(struct engine_commands *commands, uint32_t word) {
    if (commands->words == ENGINE_WORDS)
        die("commands", "too many");
    commands->word[commands->words++] = word;
}

void engine_method(struct engine_commands *commands, uint32_t subchannel, uint32_t first, const uint32_t *data,
                   uint32_t count) {
    put(commands, commands->format->header(false, subchannel, first, count));
    for (uint32_t i = 0; i < count; i++)
        put(commands, data[i]);
}

void engine_stream(struct engine_commands *commands, uint32_t subchannel, uint32_t method, uint32_t data,
                   uint32_t count) {
    for (uint32_t done = 0, now; done < count; done += now) {
        now = count - done < STREAM_PACKET ? count - done : STREAM_PACKET;
        put(commands, commands->format->header(true, subchannel, method, now));
        for (uint32_t i = 0; i < now; i++)
            put(commands, data);
    }
}

/* ---- measuring ---- */

/* Room for the word that ends a segment is in every buffer. */
static void load(struct engine_machine *machine) {
    const struct engine_commands *commands = &machine->commands;
    uint32_t end = commands->format->end;
    if (!pfifo_buffer_write(machine->push, 0, commands->word, commands->words * 4) ||
        !pfifo_buffer_write(machine->push, commands->words * 4, &end, sizeof end))
        die("run", "no room for its words");
}

double engine_run(struct engine_machine *machine, uint64_t *units) {
    size_t bytes = (machine->commands.words + (machine->commands.format->end != 0)) * 4;
    struct pfifo_error error;
    load(machine);
    double start = measure_now();
    if (pfifo_channel_submit(machine->channel, pfifo_buffer_address(machine->push), bytes, 0, &error) != PFIFO_OK ||
        pfifo_device_wait(machine->device, UINT64_MAX, &error) != PFIFO_OK)
        die("run", error.message);
    double seconds = measure_now() - start;
    *units = pfifo_gpu_stop_info(pfifo_device_gpu(machine->device))->used;
    return seconds;
}

static double run_host(const struct engine_machine *machine, const struct engine_row *row, int round) {
    double start = measure_now();
    if (row->reads)
        memcpy(machine->host_to, machine->host_from, row->bytes);
    else
        memset(machine->host_to, round + 1, row->bytes); /* of zeros processors write less */
    return measure_now() - start;
}

/* The first bytes that a row has written: a colour, or what a copy should have taken from `from`. */
static void check(const struct engine_machine *machine, const struct engine_row *row) {
    uint32_t written = 0, expected = row->written;
    if (row->reads && !row->written && !pfifo_buffer_read(machine->from, 0, &expected, sizeof expected))
        abort();
    if (pfifo_device_faults(machine->device))
        die(row->name, "it has not been taken");
    if (!pfifo_buffer_read(machine->to, 0, &written, sizeof written) || (expected && written != expected))
        die(row->name, "it has not done what it says");
}

static void measure(struct engine_machine *machine, const struct engine_row *row) {
    struct measure rounds = {.rounds = 0};
    struct engine_places at = {pfifo_buffer_address(machine->from), pfifo_buffer_address(machine->to)};
    uint64_t units = 1;
    machine->commands.words = 0;
    row->make(&machine->commands, at);
    for (int round = 0; round < MEASURE_ROUNDS; round++) {
        double host = row->bytes ? run_host(machine, row, round) : 0, seconds = engine_run(machine, &units);
        measure_add(&rounds, seconds, host / seconds);
    }
    check(machine, row);
    struct measured result = measure_end(&rounds);
    double of_unit = result.seconds * 1e9 / (double)units;
    measure_unit(machine->chip, row->name, of_unit);
    if (row->bytes)
        printf("%-32s %-6s %9.2f %8.2f %8.1f   (of %s; %.2f .. %.2f)\n", row->name, machine->chip,
               (double)row->bytes / result.seconds / 1e9, result.ratio, of_unit, row->reads ? "memcpy" : "memset",
               result.low, result.high);
    else
        printf("%-32s %-6s %9s %8s %8.1f   (%.0f ns each)\n", row->name, machine->chip, "-", "-", of_unit,
               result.seconds * 1e9 / row->calls);
    fflush(stdout);
}

void engine_measure(struct engine_machine *machine, const struct engine_row *rows, size_t count) {
    const char *only = getenv("PFIFO_BENCH_ONLY");
    for (size_t i = 0; i < count; i++)
        if (!only || strstr(rows[i].name, only))
            measure(machine, &rows[i]);
}

/* ---- machines ---- */

static void fault(void *opaque, const struct pfifo_device_fault *fault) {
    struct engine_machine *machine = opaque;
    if (pfifo_device_faults(machine->device) <= 1)
        fprintf(stderr, "pfifo-bench: %s: %s %s at 0x%llx, subchannel %u method 0x%04x data 0x%08x\n", machine->chip,
                fault->unit, fault->error, (unsigned long long)fault->address, (unsigned)fault->subchannel,
                (unsigned)fault->method, (unsigned)fault->data);
}

static struct pfifo_buffer *buffer(struct engine_machine *machine, enum pfifo_domain domain, size_t bytes) {
    struct pfifo_error error;
    struct pfifo_buffer *made = pfifo_buffer_new(machine->device, domain, bytes, 0, &error);
    if (!made)
        die("buffer", error.message);
    return made;
}

void engine_object(struct engine_machine *machine, uint32_t handle, uint32_t object_class) {
    struct pfifo_error error;
    if (pfifo_channel_object(machine->channel, handle, object_class, &error) != PFIFO_OK)
        die(machine->chip, error.message);
}

void engine_notifier(struct engine_machine *machine, uint32_t handle) {
    struct pfifo_error error;
    if (pfifo_channel_dma_object(machine->channel, handle, buffer(machine, PFIFO_VRAM, 4096), 0, 4096, &error) !=
        PFIFO_OK)
        die(machine->chip, error.message);
}

struct engine_machine *engine_open(const char *chip, size_t bytes, const struct pfifo_channel_config *config,
                                   const struct bench_format *format) {
    struct pfifo_error error;
    struct engine_machine *machine = calloc(1, sizeof *machine);
    if (!machine)
        die(chip, "no memory");
    struct pfifo_device_config device = {.gpu = {.chip = pfifo_chip_by_name(chip)}, .fault = fault, .opaque = machine};
    machine->chip = chip;
    machine->bytes = bytes;
    machine->commands.format = format;
    machine->device = pfifo_device_open(&device, &error);
    machine->channel = machine->device ? pfifo_channel_open(machine->device, config, &error) : NULL;
    if (!machine->channel)
        die(chip, error.message);
    machine->push = buffer(machine, PFIFO_GART, sizeof machine->commands.word + sizeof(uint32_t));
    machine->from = buffer(machine, PFIFO_VRAM, bytes);
    machine->to = buffer(machine, PFIFO_VRAM, bytes);
    machine->host_from = malloc(bytes);
    machine->host_to = malloc(bytes);
    if (!machine->host_from || !machine->host_to)
        die("buffer", "no memory");
    for (size_t i = 0; i < bytes; i++)
        machine->host_from[i] = (uint8_t)(i * 7 + i / 4096);
    memset(machine->host_to, 0, bytes);
    if (!pfifo_buffer_write(machine->from, 0, machine->host_from, bytes))
        abort();
    return machine;
}

void engine_close(struct engine_machine *machine) {
    pfifo_device_close(machine->device);
    free(machine->host_from);
    free(machine->host_to);
    free(machine);
}

void bench_engines(void) {
    printf("%-32s %-6s %9s %8s %8s\n", "engines", "chip", "GB/s", "ratio", "ns/unit");
    bench_engines_nv40();
    bench_engines_g84();
    bench_engines_gm107();
    measure_units_print();
}
