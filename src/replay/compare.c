/* SPDX-License-Identifier: MIT */
#include <pfifo/compare.h>
#include <pfifo/registers.h>

#include "chip/config.h"
#include "memory/little_endian.h"
#include "replay/replay.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE_BYTES = 65536, WORD_BYTES = 4, SIDES = 2 };

struct comparison {
    struct pfifo_replay *side[SIDES];
    struct pfifo_compare_options options;
    pfifo_compare_report *report;
    void *opaque;
    uint8_t *piece[SIDES]; /* of PIECE_BYTES */
    bool enough;
};

static void compare_tell(struct comparison *comparison, const struct pfifo_difference *difference) {
    if (!comparison->enough)
        comparison->enough = !comparison->report(comparison->opaque, difference);
}

/* ---- results ---- */

static uint64_t faults_like(const struct pfifo_replay_result *result, const struct pfifo_device_fault *fault) {
    for (size_t i = 0; i < result->fault_kinds; i++)
        if (strcmp(result->fault[i].first.unit, fault->unit) == 0 &&
            strcmp(result->fault[i].first.error, fault->error) == 0)
            return result->fault[i].count;
    return 0;
}

static void tell_faults(struct comparison *comparison, const struct pfifo_device_fault *fault, const uint64_t count[]) {
    char name[120];

    if (count[0] == count[1])
        return;
    snprintf(name, sizeof name, "%s %s", fault->unit, fault->error);
    compare_tell(comparison, &(struct pfifo_difference){
                                 .kind = PFIFO_DIFFERENCE_FAULTS, .name = name, .value = {count[0], count[1]}});
}

static void compare_results(struct comparison *comparison) {
    const struct pfifo_replay_result *first = pfifo_replay_result(comparison->side[0]),
                                     *second = pfifo_replay_result(comparison->side[1]);

    if (first->stop != second->stop)
        compare_tell(comparison,
                     &(struct pfifo_difference){.kind = PFIFO_DIFFERENCE_STOP, .value = {first->stop, second->stop}});
    if (first->refused != second->refused)
        compare_tell(comparison, &(struct pfifo_difference){.kind = PFIFO_DIFFERENCE_REFUSED,
                                                            .value = {first->refused, second->refused}});
    for (size_t i = 0; i < first->fault_kinds; i++) {
        const struct pfifo_device_fault *fault = &first->fault[i].first;
        tell_faults(comparison, fault, (const uint64_t[]){first->fault[i].count, faults_like(second, fault)});
    }
    for (size_t i = 0; i < second->fault_kinds; i++) {
        const struct pfifo_device_fault *fault = &second->fault[i].first;
        if (!faults_like(first, fault))
            tell_faults(comparison, fault, (const uint64_t[]){0, second->fault[i].count});
    }
}

/* ---- memory ---- */

void pfifo_difference_bytes(struct pfifo_difference *difference, const void *first, const void *second, uint64_t at,
                            size_t bytes) {
    const uint8_t *a = first, *b = second;

    if (memcmp(a, b, bytes) == 0)
        return;
    for (size_t i = 0; i < bytes; i++) {
        if (a[i] == b[i])
            continue;
        if (!difference->bytes++) {
            size_t word = i - i % WORD_BYTES;
            difference->offset = at + word;
            difference->value[0] = load_le32(a + word);
            difference->value[1] = load_le32(b + word);
        }
        difference->end = at + i + 1;
    }
}

static void compare_bytes(struct comparison *comparison, uint32_t handle, struct pfifo_buffer *const buffer[SIDES],
                          uint64_t bytes) {
    struct pfifo_difference difference = {.kind = PFIFO_DIFFERENCE_MEMORY, .handle = handle};

    for (uint64_t at = 0; at < bytes; at += PIECE_BYTES) {
        size_t part = bytes - at < PIECE_BYTES ? (size_t)(bytes - at) : PIECE_BYTES;
        for (int i = 0; i < SIDES; i++)
            if (!pfifo_buffer_read(buffer[i], at, comparison->piece[i], part))
                memset(comparison->piece[i], 0, part);
        pfifo_difference_bytes(&difference, comparison->piece[0], comparison->piece[1], at, part);
    }
    if (difference.bytes)
        compare_tell(comparison, &difference);
}

static void compare_buffer(struct comparison *comparison, uint32_t handle) {
    struct pfifo_buffer *buffer[SIDES];
    uint64_t bytes[SIDES];

    for (int i = 0; i < SIDES; i++) {
        buffer[i] = pfifo_replay_buffer(comparison->side[i], handle);
        bytes[i] = buffer[i] ? pfifo_buffer_bytes(buffer[i]) : 0;
    }
    if (bytes[0] != bytes[1])
        compare_tell(comparison, &(struct pfifo_difference){
                                     .kind = PFIFO_DIFFERENCE_BUFFER, .handle = handle, .value = {bytes[0], bytes[1]}});
    compare_bytes(comparison, handle, buffer, bytes[0] < bytes[1] ? bytes[0] : bytes[1]);
}

static int compare_numbers(const void *a, const void *b) {
    const uint32_t *left = a, *right = b;

    return *left < *right ? -1 : *left > *right;
}

static enum pfifo_status compare_memory(struct comparison *comparison, struct pfifo_error *error) {
    size_t count[SIDES];
    uint32_t *handle[SIDES];

    for (int i = 0; i < SIDES; i++)
        handle[i] = replay_handles(comparison->side[i], comparison->options.only_last, &count[i]);
    uint32_t *all = realloc(handle[0], (count[0] + count[1] + 1) * sizeof *all);
    comparison->piece[0] = malloc(PIECE_BYTES);
    comparison->piece[1] = malloc(PIECE_BYTES);
    bool memory = handle[0] && handle[1] && all && comparison->piece[0] && comparison->piece[1];
    if (memory) {
        memcpy(all + count[0], handle[1], count[1] * sizeof *all);
        count[0] += count[1];
        qsort(all, count[0], sizeof *all, compare_numbers);
        for (size_t i = 0; i < count[0] && !comparison->enough; i++)
            if (i == 0 || all[i] != all[i - 1])
                compare_buffer(comparison, all[i]);
    }
    free(all ? all : handle[0]);
    free(handle[1]);
    free(comparison->piece[0]);
    free(comparison->piece[1]);
    return memory ? PFIFO_OK : pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to compare buffers");
}

/* ---- registers ---- */

/* Another time at the end says nothing about what was done. */
static bool is_compared(const struct pfifo_register *reg) {
    return !reg->read_acts && reg->readable && !reg->is_time;
}

static void compare_register(struct comparison *comparison, const struct pfifo_register *reg) {
    struct pfifo_gpu *first = pfifo_replay_gpu(comparison->side[0]), *second = pfifo_replay_gpu(comparison->side[1]);
    const struct pfifo_registers *others = pfifo_gpu_registers(second);
    struct pfifo_register other;
    char name[120];
    uint32_t offset;

    snprintf(name, sizeof name, "%s.%s", reg->unit, reg->name);
    if (pfifo_registers_find(others, name, &offset, NULL) != PFIFO_OK ||
        !pfifo_registers_describe(others, offset, &other, NULL) || !is_compared(&other))
        return;
    for (uint32_t i = 0; i < reg->count && i < other.count && !comparison->enough; i++) {
        uint32_t at = reg->offset + i * reg->stride;
        uint32_t value = pfifo_gpu_rd32(first, at), found = pfifo_gpu_rd32(second, other.offset + i * other.stride);
        if (value == found)
            continue;
        if (reg->count > 1)
            snprintf(name, sizeof name, "%s.%s[%u]", reg->unit, reg->name, i);
        compare_tell(comparison,
                     &(struct pfifo_difference){
                         .kind = PFIFO_DIFFERENCE_REGISTER, .name = name, .offset = at, .value = {value, found}});
    }
}

static void compare_registers(struct comparison *comparison) {
    const struct pfifo_registers *registers = pfifo_gpu_registers(pfifo_replay_gpu(comparison->side[0]));
    struct pfifo_register reg;

    for (size_t i = 0; !comparison->enough && pfifo_registers_at(registers, i, &reg); i++)
        if (is_compared(&reg))
            compare_register(comparison, &reg);
}

/* ---- all of it ---- */

/* The first version ended here. */
#define OPTIONS_FIRST (offsetof(struct pfifo_compare_options, ignore_registers) + sizeof(bool))

enum pfifo_status pfifo_replay_compare(struct pfifo_replay *first, struct pfifo_replay *second,
                                       const struct pfifo_compare_options *options, pfifo_compare_report *report,
                                       void *opaque, struct pfifo_error *error) {
    struct comparison comparison = {.side = {first, second}, .report = report, .opaque = opaque};
    enum pfifo_status status = PFIFO_OK;

    if (!first || !second || !report)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "two replays and a function are needed");
    if (options)
        status = config_read(&comparison.options, sizeof comparison.options, options, OPTIONS_FIRST,
                             "pfifo_compare_options", error);
    if (status != PFIFO_OK)
        return status;
    compare_results(&comparison);
    if (!comparison.options.ignore_memory && !comparison.enough)
        status = compare_memory(&comparison, error);
    if (status == PFIFO_OK && !comparison.options.ignore_registers)
        compare_registers(&comparison);
    return status;
}
