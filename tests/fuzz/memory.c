/* SPDX-License-Identifier: MIT */
/*
 * Memory with contents from the input: tables, objects, instance blocks, and accesses anywhere; from inside, and from
 * the host through BARs, PRAMIN and PEEPHOLE, whose registers it writes.
 *
 *   byte 0   chip; bit 7: the system memory is the embedder's, in odd pieces
 *   byte 1   n: so many of the following 64-bit words are laid over all of VRAM and system memory, again and again
 *   then     records: operation, operands
 *
 * Whatever the tables say, a span must lie inside the memory that belongs to the model, and be as long as asked at
 * most.
 */
#include <assert.h>
#include <stdlib.h>

#include "bus/bus.h"
#include "fuzz/input.h"

#define VRAM_BYTES   0x40000u
#define SYSTEM_BYTES 0x20000u
#define OPERATIONS   48
#define COPY_BYTES   0x3000u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const chips[] = {"NV1",   "NV3",   "NV4",   "NV40",  "NV41",  "NV44",  "G80",   "G84",
                                    "GT215", "MCP89", "GF100", "GK104", "GK20A", "GM107", "GM204", "GM20B",
                                    "GP100", "GH100", "NV10",  "NV20",  "NV30",  "G70"};

/* Registers of the bus that say what windows show, and those that are windows themselves. */
static const uint32_t registers[] = {
    0x000300, 0x000304, 0x00155c, 0x001560, 0x001564, 0x001570, 0x001574, 0x001700, 0x001704, 0x001708,
    0x00170c, 0x001710, 0x001714, 0x001718, 0x060000, 0x060004, 0x06000c, 0x060010, 0x060014, 0x100200,
    0x100214, 0x100800, 0x100804, 0x10008c, 0x100818, 0x100c80, 0x100c90, 0x100c94, 0x100c9c, 0x100cb4,
    0x100cb8, 0x100cbc, 0x100e1c, 0x100f04, 0x602200, 0x700000, 0x7ffffc, 0x100204, 0x100240, 0x100244,
    0x100248, 0x100270, 0x100274, 0x100278, 0x100600, 0x100604, 0x100608, 0x100630, 0x100634, 0x100638,
};

struct bench {
    struct memory memory;
    struct bus bus;
    uint8_t host[SYSTEM_BYTES]; /* the embedder's */
    unsigned hits;
};

static void *map_host(void *opaque, uint64_t address, uint64_t *bytes, bool write) {
    struct bench *bench = opaque;
    if (address >= SYSTEM_BYTES || (write && (address >> 12) % 5 == 4))
        return NULL;
    uint64_t piece = 0x1001 - address % 0x1001;
    if (piece > SYSTEM_BYTES - address)
        piece = SYSTEM_BYTES - address;
    if (*bytes > piece)
        *bytes = piece;
    return bench->host + address;
}

static void count_hit(void *opaque, const uint8_t *begin, const uint8_t *end) {
    assert(begin < end);
    ++*(unsigned *)opaque;
}

static bool inside(const uint8_t *memory, uint64_t memory_bytes, struct span span) {
    uintptr_t begin = (uintptr_t)memory, at = (uintptr_t)span.data;
    return memory && at >= begin && at - begin < memory_bytes && span.bytes <= memory_bytes - (at - begin);
}

static void check_span(struct bench *bench, struct span span, uint64_t asked, enum memory_access access) {
    struct memory *memory = &bench->memory;
    if (span.bytes == 0 || span.bytes > asked)
        abort();
    if (!inside(memory->vram, VRAM_BYTES, span) && !inside(memory->system, SYSTEM_BYTES, span) &&
        !inside(bench->host, SYSTEM_BYTES, span) && !inside(memory->hole, 0x20000, span))
        abort();
    volatile uint8_t *first = span.data, *last = span.data + (span.bytes - 1);
    if (access == MEMORY_READ && inside(memory->hole, 0x20000, span) && (*first || *last))
        abort();
    if (access == MEMORY_WRITE)
        *first = *last = (uint8_t)(*first ^ *last ^ 0x55);
}

/* Lay the words over all of a memory, again and again. */
static void fill(uint8_t *to, size_t bytes, const uint8_t *words, size_t words_bytes) {
    if (!to || !words_bytes)
        return;
    memcpy(to, words, words_bytes);
    for (size_t done = words_bytes; done < bytes; done *= 2)
        memcpy(to + done, to, done < bytes - done ? done : bytes - done);
}

static uint64_t address_of(struct input *input) {
    uint8_t form = (uint8_t)take(input, 1);
    uint64_t address = take(input, 1 + (form & 7));
    return (form & 0x80 ? ~address : address) << ((form & 0x70) >> 2);
}

static void span_somewhere(struct bench *bench, const struct address_space *space, struct input *input) {
    enum memory_access access = take(input, 1) & 1 ? MEMORY_WRITE : MEMORY_READ;
    uint64_t address = address_of(input), bytes = address_of(input) | 1;
    struct span span;
    struct fault fault;
    if (memory_span(&bench->memory, space, address, bytes, access, &span, &fault))
        check_span(bench, span, bytes, access);
    else if (fault.reason == FAULT_NONE || fault.address != address ||
             !fault_name(bench->memory.config.chip, fault.reason))
        abort();
}

static void copy_somewhere(struct bench *bench, const struct address_space *space, struct input *input) {
    static const uint8_t zeros[COPY_BYTES];
    uint8_t data[COPY_BYTES];
    uint64_t address = address_of(input), bytes = take(input, 2) % COPY_BYTES;
    if (memory_read(&bench->memory, space, address, data, bytes, NULL))
        memory_write(&bench->memory, space, address, data, bytes, NULL);
    else
        memory_write(&bench->memory, space, address, zeros, bytes, NULL);
}

static struct address_space object_space(struct bench *bench, const struct address_space *vm, struct input *input) {
    struct dma_object object;
    uint32_t kind = (uint32_t)take(input, 1), instance = (uint32_t)take(input, 3);
    if (bench->memory.config.chip->vm == CHIP_VM_NONE)
        dma_object_nv4(&bench->memory, instance, &object);
    else
        dma_object_g80(&bench->memory, (enum memory_target)(kind % 3), instance, vm, &object);
    return object.space;
}

/* From the host. Bytes of a register, so that the ports of PEEPHOLE see all sizes; a piece of a BAR. */
static void host_access(struct bench *bench, struct input *input, bool write) {
    uint8_t data[COPY_BYTES] = {0};
    uint8_t form = (uint8_t)take(input, 1);
    if (form & 0x80) {
        uint64_t address = address_of(input), bytes = take(input, 2) % COPY_BYTES;
        memset(data, form, sizeof data);
        if (write)
            bus_bar_write(&bench->bus, 1 + (form & 6) % 6, address, data, bytes);
        else
            bus_bar_read(&bench->bus, 1 + (form & 6) % 6, address, data, bytes);
        return;
    }
    uint32_t at = registers[take(input, 1) % (sizeof registers / sizeof registers[0])] + (form & 3);
    store_le32(data, (uint32_t)take(input, 4));
    if (write)
        bus_write(&bench->bus, at, data, 1 + (form >> 2 & 3));
    else
        bus_read(&bench->bus, at, data, 1 + (form >> 2 & 3));
}

static void run(struct bench *bench, struct input *input) {
    struct memory *memory = &bench->memory;
    struct address_space vm = address_space_vm(memory, MEMORY_VRAM, 0), space = vm;
    for (int i = 0; i < OPERATIONS && input->left > 0; i++) {
        switch (take(input, 1) % 12) {
        case 0:
            space = vm = address_space_vm(memory, (enum memory_target)(take(input, 1) % 3), take(input, 3));
            break;
        case 1:
            space = object_space(bench, &vm, input);
            break;
        case 2:
            memory_tlb_flush(memory);
            break;
        case 3:
            memory_physical_wr32(memory, (enum memory_target)(take(input, 1) % 3), address_of(input),
                                 (uint32_t)take(input, 4));
            break;
        case 4:
            copy_somewhere(bench, &space, input);
            break;
        case 5:
            space.flags = (uint32_t)take(input, 1);
            break;
        case 6:
        case 7:
            host_access(bench, input, false);
            break;
        case 8:
        case 9:
            host_access(bench, input, true);
            break;
        default:
            span_somewhere(bench, &space, input);
            break;
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct bench bench;
    struct input input = {data, size};
    uint8_t kind = (uint8_t)take(&input, 1);
    size_t words = 8 * (size_t)take(&input, 1);
    struct memory_config config = {.chip = pfifo_chip_by_name(chips[(kind & 0x7f) % (sizeof chips / sizeof chips[0])]),
                                   .vram_bytes = VRAM_BYTES,
                                   .system_bytes = SYSTEM_BYTES};
    if (kind & 0x80)
        config.host = (struct memory_host){map_host, &bench};
    if (memory_init(&bench.memory, &config, NULL) != PFIFO_OK)
        return 0;
    if (bus_init(&bench.bus, config.chip, &bench.memory, NULL, NULL, NULL) != PFIFO_OK) {
        memory_free(&bench.memory);
        return 0;
    }
    if (words > input.left)
        words = input.left / 8 * 8;
    fill(bench.memory.vram, VRAM_BYTES, input.data, words);
    fill(kind & 0x80 ? bench.host : bench.memory.system, SYSTEM_BYTES, input.data, words);
    input.data += words;
    input.left -= words;
    bench.memory.mmu.big_page = (enum memory_big_page)(take(&input, 1) % 3);
    const uint8_t *watched = bench.memory.vram ? bench.memory.vram : bench.memory.system;
    bench.memory.watch = (struct memory_watch){watched, watched ? watched + 0x80 : NULL, count_hit, &bench.hits};
    run(&bench, &input);
    bus_free(&bench.bus);
    memory_free(&bench.memory);
    return 0;
}
