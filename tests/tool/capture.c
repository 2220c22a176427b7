/* SPDX-License-Identifier: MIT */
#include "tool/capture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "tool/tool.h"

enum { PAGE_BYTES = 4096 };

void capture_append(struct capture *capture, const struct pfifo_stream_record *record) {
    assert_int_equal(pfifo_stream_writer_append(capture->writer, record, NULL), PFIFO_OK);
}

static void add_buffer(struct capture *capture, uint32_t handle, uint64_t address) {
    const struct pfifo_stream_bonew buffer = {
        .handle = handle, .domain = PFIFO_STREAM_GART, .bytes = PAGE_BYTES, .address = address};

    capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_BONEW, .bonew = buffer});
}

static void capture_head(struct capture *capture, uint32_t version, uint32_t chipset, bool nv4x) {
    const struct pfifo_stream_chan channel = {.fb_ctxdma = nv4x ? 0xbeef0201 : 0,
                                              .tt_ctxdma = nv4x ? 0xbeef0202 : 0,
                                              .pushbuf_domains = PFIFO_STREAM_GART,
                                              .notifier_bo = CAPTURE_NOTIFIERS};
    uint64_t base = nv4x ? 0x10000 : 0x20000000; /* G80 and later: where samples have theirs */
    char number[16];

    *capture = (struct capture){.writer = pfifo_stream_writer_open_memory(PFIFO_STREAM_PLAIN, NULL),
                                .push_address = base + 0x10000,
                                .data_address = base + 0x20000};
    assert_non_null(capture->writer);
    assert_int_equal(pfifo_stream_writer_version(capture->writer, version, NULL), PFIFO_OK);
    snprintf(number, sizeof number, "0x%x", chipset);
    assert_int_equal(pfifo_stream_writer_text(capture->writer, "chipset", number, NULL), PFIFO_OK);
    add_buffer(capture, CAPTURE_NOTIFIERS, base);
    capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_CHAN, .chan = channel});
    add_buffer(capture, CAPTURE_PUSH, capture->push_address);
    add_buffer(capture, CAPTURE_DATA, capture->data_address);
}

void capture_begin(struct capture *capture, uint32_t chipset, bool nv4x) {
    capture_head(capture, 1, chipset, nv4x);
}

void capture_begin_2(struct capture *capture, uint32_t chipset) {
    capture_head(capture, 2, chipset, false);
}

void capture_begin_3(struct capture *capture, uint32_t chipset) {
    capture_head(capture, 3, chipset, false);
}

void capture_run(struct capture *capture) {
    capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_RUN});
}

void capture_write(struct capture *capture, uint32_t handle, uint64_t offset, uint32_t word) {
    const uint8_t bytes[] = {(uint8_t)word, (uint8_t)(word >> 8), (uint8_t)(word >> 16), (uint8_t)(word >> 24)};
    const struct pfifo_stream_write write = {.handle = handle, .offset = offset, .data = bytes, .bytes = sizeof bytes};

    capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_WRITE, .write = write});
}

static void refer(struct capture *capture, uint32_t handle, uint64_t address, const uint8_t *page) {
    const struct pfifo_stream_boref reference = {.handle = handle,
                                                 .valid_domains = PFIFO_STREAM_GART,
                                                 .read_domains = PFIFO_STREAM_GART,
                                                 .address = address,
                                                 .bytes = PAGE_BYTES,
                                                 .presumed_valid = 1,
                                                 .presumed_domain = PFIFO_STREAM_GART,
                                                 .presumed_offset = address};
    const struct pfifo_stream_bodata data = {.handle = handle, .data = page, .bytes = PAGE_BYTES};

    capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_BOREF, .boref = reference});
    if (page)
        capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_BODATA, .bodata = data});
}

void capture_submit(struct capture *capture, const uint32_t *words, uint32_t count, const uint8_t *data) {
    const struct pfifo_stream_submit submit = {
        .sequence = ++capture->sequence, .channel = capture->channel, .buffers = 2, .pushes = 1};
    const struct pfifo_stream_push push = {.handle = CAPTURE_PUSH,
                                           .offset = capture->end,
                                           .length = 4 * (uint64_t)count | (capture->no_prefetch ? 1u << 23 : 0),
                                           .address = capture->push_address + capture->end,
                                           .words =
                                               capture->recorded ? capture->recorded : capture->push + capture->end,
                                           .word_count = count};
    const struct pfifo_stream_subend end = {.sequence = capture->sequence};

    assert_true(count * 4 <= sizeof capture->push - capture->end);
    for (uint32_t i = 0; i < 4 * count; i++)
        capture->push[capture->end + i] = (uint8_t)(words[i / 4] >> 8 * (i % 4));
    capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_SUBMIT, .submit = submit});
    refer(capture, CAPTURE_PUSH, capture->push_address, capture->no_dump ? NULL : capture->push);
    refer(capture, CAPTURE_DATA, capture->data_address, data);
    if (capture->waits_for)
        capture_append(
            capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_SYNC, .sync = {.object = capture->waits_for}});
    capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_PUSH, .push = push});
    capture_append(capture, &(struct pfifo_stream_record){.type = PFIFO_STREAM_SUBEND, .subend = end});
    capture->end += 4 * count;
}

char *capture_file(struct capture *capture) {
    char *path = temporary_path(".nvcap");
    const void *bytes;
    size_t size;

    assert_int_equal(pfifo_stream_writer_finish(capture->writer, NULL), PFIFO_OK);
    bytes = pfifo_stream_writer_memory(capture->writer, &size);
    write_file(path, bytes, size);
    pfifo_stream_writer_close(capture->writer);
    return path;
}
