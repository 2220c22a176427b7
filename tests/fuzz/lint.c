/* SPDX-License-Identifier: MIT */
/*
 * Captures of channels that wait, release and copy, of a CPU that writes, and of any words, through lint. Each returns,
 * and what is counted is what was given.
 *
 *   byte 0     the chip; bit 6: of version 2; bit 7: what follows is a capture as it is
 *   the rest   submissions: a byte with the channel and what the CPU does, then commands: an opcode byte and its
 * operands
 */
#include <pfifo/lint.h>

#include <stdio.h>
#include <string.h>

#include "fuzz/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum {
    CHANNELS = 3,
    WORDS = 64, /* of a submission */
    SUBMISSIONS = 32,
    PAGE_BYTES = 4096,
    PUSH_BYTES = 4 * WORDS * SUBMISSIONS,
    LIMIT = 1 << 20,
    BUDGET = 20000,
    /* Bits of the first byte of a submission. */
    DUMPS = 4,
    WAITS = 8,
    WRITES = 16,
    RUNS = 32,
};

#define PUSH_ADDRESS UINT64_C(0x20010000)
#define DATA_ADDRESS UINT64_C(0x20030000)

static const uint32_t chipsets[] = {0x84, 0xa3, 0xc0, 0xe4, 0x117, 0x12b, 0x172, 0x180}; /* the last two: decoded */

/* What a capture is written for. */
struct target {
    uint32_t chipset;
    bool version_2;
    uint8_t page[PAGE_BYTES]; /* of data */
};

static void put(struct pfifo_stream_writer *writer, const struct pfifo_stream_record *record) {
    require(pfifo_stream_writer_append(writer, record, NULL) == PFIFO_OK);
}

static void add_buffer(struct pfifo_stream_writer *writer, uint32_t handle, uint64_t address, uint64_t bytes) {
    put(writer, &(struct pfifo_stream_record){
                    .type = PFIFO_STREAM_BONEW,
                    .bonew = {.handle = handle, .domain = PFIFO_STREAM_GART, .bytes = bytes, .address = address}});
}

static void write_head(struct pfifo_stream_writer *writer, uint32_t chipset) {
    char number[16];

    snprintf(number, sizeof number, "0x%x", (unsigned)chipset);
    require(pfifo_stream_writer_text(writer, "chipset", number, NULL) == PFIFO_OK);
    add_buffer(writer, 1, 0x20000000, PAGE_BYTES);
    for (uint32_t i = 0; i < CHANNELS; i++)
        put(writer, &(struct pfifo_stream_record){
                        .type = PFIFO_STREAM_CHAN,
                        .chan = {.channel = i, .pushbuf_domains = PFIFO_STREAM_GART, .notifier_bo = 1}});
    add_buffer(writer, 2, PUSH_ADDRESS, PUSH_BYTES);
    add_buffer(writer, 3, DATA_ADDRESS, PAGE_BYTES);
}

/* SEMAPHOREA to D, as both formats of headers have them. */
static uint32_t semaphore(uint32_t *words, bool fermi, uint8_t which, uint8_t how) {
    static const uint32_t actions[] = {1, 2, 4, 0x01100002};

    words[0] = fermi ? 1u << 29 | 4u << 16 | 0x10 >> 2 : 4u << 18 | 0x10;
    words[1] = 0;
    words[2] = (uint32_t)DATA_ADDRESS + 16 * (which % 8);
    words[3] = how >> 4;
    words[4] = actions[how % 4];
    return 5;
}

/* A copy inside of the page of data: by M2MF of Fermi, or the copy engine of later chips. */
static uint32_t copy(uint32_t *words, uint32_t chipset, uint8_t from, uint8_t to) {
    const uint32_t at = (uint32_t)DATA_ADDRESS, source = at + 16 * (from % 128), target = at + 16 * (to % 128);
    const uint32_t pitch = 16u << (to >> 7), lines = 1u + from / 128u, class = chipset == 0xe4 ? 0xa0b5 : 0xb0b5;
    const uint32_t fermi[] = {0x20014000, 0x9039, 0x2002408e, 0, target, 0x200640c3, 0,
                              source,     pitch,  32,         4, lines,  0x200140c0, 0x110};
    const uint32_t kepler[] = {0x20018000, class, 0x20088100, 0,     source,     0,    target,
                               pitch,      32,    4,          lines, 0x200180c0, 0x382};
    const size_t bytes = chipset >= 0xe4 ? sizeof kepler : sizeof fermi;

    if (chipset < 0xc0)
        return 0;
    memcpy(words, chipset >= 0xe4 ? kepler : fermi, bytes);
    return (uint32_t)(bytes / 4);
}

static uint32_t take_words(struct input *input, uint32_t *words, uint32_t chipset) {
    uint32_t count = 0;

    while (count + 14 <= WORDS && input->left) {
        uint8_t opcode = (uint8_t)take(input, 1);
        if (opcode & 0x80)
            break;
        if (opcode & 1)
            count += semaphore(&words[count], chipset >= 0xc0, opcode >> 1, (uint8_t)take(input, 1));
        else if (opcode & 2)
            count += copy(&words[count], chipset, (uint8_t)take(input, 1), (uint8_t)take(input, 1));
        else
            words[count++] = (uint32_t)take(input, 4);
    }
    return count;
}

static void refer(struct pfifo_stream_writer *writer, uint32_t handle, uint64_t address, uint64_t bytes) {
    put(writer,
        &(struct pfifo_stream_record){
            .type = PFIFO_STREAM_BOREF,
            .boref = {.handle = handle, .valid_domains = PFIFO_STREAM_GART, .address = address, .bytes = bytes}});
}

static void write_submission(struct pfifo_stream_writer *writer, struct input *input, struct target *target,
                             uint32_t sequence) {
    const uint64_t offset = (uint64_t)4 * WORDS * (sequence - 1);
    const uint8_t how = (uint8_t)take(input, 1);
    uint32_t words[WORDS], count = take_words(input, words, target->chipset);
    uint8_t bytes[4 * WORDS];

    for (uint32_t i = 0; i < 4 * count; i++)
        bytes[i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    put(writer, &(struct pfifo_stream_record){
                    .type = PFIFO_STREAM_SUBMIT,
                    .submit = {.sequence = sequence, .channel = how % CHANNELS, .buffers = 2, .pushes = 1}});
    refer(writer, 2, PUSH_ADDRESS, PUSH_BYTES);
    refer(writer, 3, DATA_ADDRESS, PAGE_BYTES);
    if (how & DUMPS) {
        target->page[(how * 61u + sequence * 16u) % PAGE_BYTES] ^= how;
        put(writer, &(struct pfifo_stream_record){.type = PFIFO_STREAM_BODATA,
                                                  .bodata = {.handle = 3, .data = target->page, .bytes = PAGE_BYTES}});
    }
    put(writer, &(struct pfifo_stream_record){.type = PFIFO_STREAM_PUSH,
                                              .push = {.handle = 2,
                                                       .offset = offset,
                                                       .length = 4 * (uint64_t)count,
                                                       .address = PUSH_ADDRESS + offset,
                                                       .words = bytes,
                                                       .word_count = count}});
    put(writer, &(struct pfifo_stream_record){.type = PFIFO_STREAM_SUBEND, .subend = {.sequence = sequence}});
    if (how & WAITS)
        put(writer, &(struct pfifo_stream_record){.type = PFIFO_STREAM_PREP, .prep = {.handle = 3}});
    if (target->version_2 && how & WRITES)
        put(writer, &(struct pfifo_stream_record){
                        .type = PFIFO_STREAM_WRITE,
                        .write = {.handle = 3, .offset = how * 15u, .data = target->page, .bytes = how % 64 + 1u}});
    if (target->version_2 && how & RUNS)
        put(writer, &(struct pfifo_stream_record){.type = PFIFO_STREAM_RUN, .run = {how & WAITS ? 3 : 0}});
}

static bool look(void *opaque, const struct pfifo_lint_finding *finding) {
    uint64_t *seen = opaque;

    require(finding->rule && finding->count && finding->text && finding->text[0]);
    *seen += finding->count;
    return true;
}

static void lint(const void *data, size_t bytes) {
    const struct pfifo_lint_options options = {.size = sizeof options, .budget = BUDGET};
    struct pfifo_stream *stream = pfifo_stream_open_memory_limited(data, bytes, "fuzz", LIMIT, NULL);
    struct pfifo_lint_result result;
    uint64_t seen = 0;

    if (!stream)
        return;
    if (pfifo_lint_stream(stream, &options, look, &seen, &result, NULL) == PFIFO_OK)
        require(seen <= result.findings && result.left_out <= result.findings - seen);
    pfifo_stream_close(stream);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct input input = {data, size};
    uint8_t choice = (uint8_t)take(&input, 1);
    struct target target = {.chipset = chipsets[choice % 64 % (sizeof chipsets / sizeof chipsets[0])],
                            .version_2 = choice & 0x40};
    struct pfifo_stream_writer *writer;
    const void *written;
    size_t bytes;

    if (choice & 0x80) {
        lint(input.data, input.left);
        return 0;
    }
    writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL);
    require(writer != NULL);
    require(pfifo_stream_writer_version(writer, target.version_2 ? 2 : 1, NULL) == PFIFO_OK);
    write_head(writer, target.chipset);
    for (uint32_t sequence = 1; sequence <= SUBMISSIONS && input.left; sequence++)
        write_submission(writer, &input, &target, sequence);
    require(pfifo_stream_writer_finish(writer, NULL) == PFIFO_OK);
    written = pfifo_stream_writer_memory(writer, &bytes);
    lint(written, bytes);
    pfifo_stream_writer_close(writer);
    return 0;
}
