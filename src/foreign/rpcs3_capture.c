/* SPDX-License-Identifier: MIT */
/*
 * A capture of a frame of RPCS3's: what a PS3's kernel sets up, the state that the frame begins with, its commands.
 *
 *   blocks --> pages of local and main memory, as buffers      commands --> words, a submission from each that has memory
 *
 * RPCS3 captures behind its FIFO: jumps and calls are resolved, and methods of the channel (semaphores, references) are
 * not there.
 *
 * UNKNOWN: what frames of RPCS3 need of main memory that no command reads, such as labels and reports in the
 * application's memory. Chosen: reports, labels and notifiers are in memory of their own, as they are for GCM.
 */
#include "foreign/rpcs3.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "foreign/pages.h"

#define LOCAL_HANDLE 0xfeed0000u /* DMA objects of GCM */
#define MAIN_HANDLE  0xfeed0001u
#define MEMORY_END   UINT64_C(0x20000000) /* of what GCM maps, of either kind */

enum {
    CHIPSET = 0x4d,
    WORDS_BASE = 0x100000, /* at least */
    NOTIFIER_BYTES = 0x20000,
    LOCAL = 0,
    MAIN = 1,
};

/* Handles of GCM, and what they stand for: rpcs3/Emu/RSX/gcm_enums.h, rsx_methods.cpp (rsx_state::reset). */
static const struct {
    uint32_t handle, oclass;
} objects[] = {{0x31337000, 0x4097}, {0x31337303, 0x0039}, {0x313371c3, 0x3062},
               {0x31337a73, 0x309e}, {0x31337808, 0x308a}, {0x3137af00, 0x3089}};

/* DMA objects besides memory as a whole; each has a piece of the notifiers' memory. */
static const struct {
    uint32_t handle, count, bytes, offset;
} areas[] = {
    {0x66606660, 1, 0x1000, 0x0000},  /* labels, read and write */
    {0x66616661, 1, 0x1000, 0x0000},  /* read */
    {0x56616660, 1, 0x1000, 0x1000},  /* of the device */
    {0x56616661, 1, 0x1000, 0x1000},  /* read */
    {0x66604200, 16, 0x40, 0x2000},   /* notifiers */
    {0x66626660, 1, 0x8000, 0x8000},  /* reports */
    {0xbad68000, 1, 0x8000, 0x10000}, /* in main memory */
};

/* Pages that are there, of one kind of memory. */
struct rpcs3_range {
    uint32_t location;
    uint64_t address, bytes;
};

struct rpcs3_making {
    const struct rpcs3_frame *frame;
    const struct foreign_file *file;
    struct pfifo_stream_writer *writer;
    struct pfifo_error *error;
    struct foreign_pages pages;
    struct rpcs3_range *range;
    size_t ranges;
    struct rpcs3_words words;
    uint64_t base; /* address of the words */
    uint64_t put;  /* bytes of blocks that commands have put into memory */
};

static bool rpcs3_append(const struct rpcs3_making *making, struct pfifo_stream_record record) {
    return pfifo_stream_writer_append(making->writer, &record, making->error) == PFIFO_OK;
}

static bool rpcs3_no_memory(const struct rpcs3_making *making) {
    return foreign_no_memory(making->file, making->error, "its capture") == PFIFO_OK;
}

/* ---- memory ---- */

/* Which memory a location is; false: another. Copies have handles there. */
static bool rpcs3_location(uint32_t location, uint32_t *which) {
    *which = location == MAIN || location == MAIN_HANDLE ? MAIN : LOCAL;
    return location == LOCAL || location == MAIN || location == LOCAL_HANDLE || location == MAIN_HANDLE;
}

/* The part of a block that a capture can have: nothing is in the first page. False: none of it. */
static bool rpcs3_part(const struct rpcs3_block *block, const struct rpcs3_data *data, uint32_t *location,
                       uint64_t *address, size_t *skipped) {
    const uint64_t end = block->offset + (uint64_t)data->bytes;

    *address = block->offset < FOREIGN_PAGE ? FOREIGN_PAGE : block->offset;
    *skipped = (size_t)(*address - block->offset);
    return rpcs3_location(block->location, location) && end <= MEMORY_END && *skipped < data->bytes;
}

static int compare_ranges(const void *a, const void *b) {
    const struct rpcs3_range *left = a, *right = b;

    if (left->location != right->location)
        return left->location < right->location ? -1 : 1;
    return left->address < right->address ? -1 : left->address > right->address;
}

static size_t merge_ranges(struct rpcs3_range *range, size_t count) {
    size_t used = 0;

    qsort(range, count, sizeof *range, compare_ranges);
    for (size_t i = 0; i < count; i++) {
        struct rpcs3_range *last = used ? &range[used - 1] : NULL;
        uint64_t end = range[i].address + range[i].bytes;
        if (!last || last->location != range[i].location || range[i].address > last->address + last->bytes)
            range[used++] = range[i];
        else if (end > last->address + last->bytes)
            last->bytes = end - last->address;
    }
    return used;
}

/* Ranges of all blocks; what is left out is noted once. */
static bool find_ranges(struct rpcs3_making *making) {
    const struct rpcs3_frame *frame = making->frame;
    bool good = true, noted = false;

    making->range = calloc(frame->blocks + 1, sizeof *making->range);
    if (!making->range)
        return rpcs3_no_memory(making);
    for (size_t i = 0; i < frame->blocks && good; i++) {
        const struct rpcs3_block *block = &frame->block[i];
        const struct rpcs3_data *data = rpcs3_find_data(frame, block->data);
        uint64_t address;
        uint32_t location;
        size_t skipped;
        bool whole;
        if (!data)
            return foreign_error(making->file, block->at, making->error, "data %" PRIu64 " of a block are not there",
                                 block->data) == PFIFO_OK;
        whole = rpcs3_part(block, data, &location, &address, &skipped);
        if (whole) {
            uint64_t begin = address / FOREIGN_PAGE * FOREIGN_PAGE;
            uint64_t end = (block->offset + data->bytes + FOREIGN_PAGE - 1) / FOREIGN_PAGE * FOREIGN_PAGE;
            making->range[making->ranges++] = (struct rpcs3_range){location, begin, end - begin};
        }
        if ((!whole || skipped) && data->bytes && !noted) {
            good = foreign_note(making->writer, making->error,
                                "memory is missing: block of %zu bytes at 0x%" PRIx32 " of location 0x%" PRIx32
                                ", offset %zu of the file",
                                data->bytes, block->offset, block->location, block->at) == PFIFO_OK;
            noted = true;
        }
    }
    making->ranges = merge_ranges(making->range, making->ranges);
    return good;
}

static bool put_block(struct rpcs3_making *making, const struct rpcs3_block *block) {
    const struct rpcs3_data *data = rpcs3_find_data(making->frame, block->data);
    uint64_t address;
    uint32_t location;
    size_t skipped;

    if (!rpcs3_part(block, data, &location, &address, &skipped))
        return true;
    making->put += data->bytes;
    if (making->put > PFIFO_STREAM_WHOLE_LIMIT)
        return foreign_error(making->file, block->at, making->error,
                             "commands put more than 1 GiB of blocks into memory") == PFIFO_OK;
    return foreign_pages_write(&making->pages, location, address, making->file->data + data->at + skipped,
                               data->bytes - skipped) ||
           rpcs3_no_memory(making);
}

/* ---- records ---- */

static bool write_buffer(const struct rpcs3_making *making, uint32_t handle, uint32_t domain, uint64_t address,
                         uint64_t bytes) {
    const struct pfifo_stream_bonew buffer = {.handle = handle, .domain = domain, .bytes = bytes, .address = address};

    return rpcs3_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_BONEW, .bonew = buffer});
}

static bool rpcs3_write_channel(const struct rpcs3_making *making, uint32_t notifiers) {
    const struct pfifo_stream_chan chan = {.fb_ctxdma = LOCAL_HANDLE,
                                           .tt_ctxdma = MAIN_HANDLE,
                                           .pushbuf_domains = PFIFO_STREAM_GART,
                                           .notifier_bo = notifiers};
    bool good = rpcs3_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_CHAN, .chan = chan});

    for (size_t i = 0; i < sizeof objects / sizeof objects[0] && good; i++) {
        const struct pfifo_stream_obj object = {0, objects[i].handle, objects[i].oclass};
        good = rpcs3_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_OBJ, .obj = object});
    }
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++)
        for (uint32_t j = 0; j < areas[i].count && good; j++) {
            const struct pfifo_stream_ntfy area = {0, areas[i].handle + j, areas[i].bytes,
                                                   areas[i].offset + j * areas[i].bytes};
            good = rpcs3_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_NTFY, .ntfy = area});
        }
    return good;
}

/* Buffers are numbered as ranges; words and notifiers are after all of main memory. */
static bool rpcs3_write_buffers(struct rpcs3_making *making) {
    const uint32_t words = (uint32_t)making->ranges + 1;
    uint64_t bytes = (making->words.bytes.size + FOREIGN_PAGE - 1) / FOREIGN_PAGE * FOREIGN_PAGE;
    bool good = true;

    making->base = WORDS_BASE;
    for (size_t i = 0; i < making->ranges && good; i++) {
        const struct rpcs3_range *range = &making->range[i];
        uint64_t end = range->address + range->bytes;
        if (range->location == MAIN && end > making->base)
            making->base = end;
        good = write_buffer(making, (uint32_t)i + 1, range->location == MAIN ? PFIFO_STREAM_GART : PFIFO_STREAM_VRAM,
                            range->address, range->bytes);
    }
    return good && write_buffer(making, words, PFIFO_STREAM_GART, making->base, bytes) &&
           write_buffer(making, words + 1, PFIFO_STREAM_GART, making->base + bytes, NOTIFIER_BYTES) &&
           rpcs3_write_channel(making, words + 1);
}

/* The range that a page is in: there is one. A few bytes of the file are a submission, so all of them are not walked. */
static size_t rpcs3_range_of(const struct rpcs3_making *making, const struct foreign_page *page) {
    const struct rpcs3_range key = {.location = page->space, .address = page->number * FOREIGN_PAGE};
    size_t first = 0, last = making->ranges;

    while (last - first > 1) {
        size_t middle = first + (last - first) / 2;
        if (compare_ranges(&making->range[middle], &key) <= 0)
            first = middle;
        else
            last = middle;
    }
    return first;
}

static bool write_pages(struct rpcs3_making *making) {
    size_t range, last = making->ranges;
    bool good = true;

    for (size_t i = 0; i < making->pages.changes && good; i++) {
        const struct foreign_page *page = making->pages.changed[i];
        range = rpcs3_range_of(making, page);
        const struct rpcs3_range *of = &making->range[range];
        const uint32_t domain = of->location == MAIN ? PFIFO_STREAM_GART : PFIFO_STREAM_VRAM;
        const struct pfifo_stream_boref boref = {.handle = (uint32_t)range + 1,
                                                 .valid_domains = domain,
                                                 .read_domains = domain,
                                                 .address = of->address,
                                                 .bytes = of->bytes};
        const struct pfifo_stream_bodata data = {range + 1, page->number * FOREIGN_PAGE - of->address, page->bytes,
                                                 FOREIGN_PAGE};
        if (range != last)
            good = rpcs3_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_BOREF, .boref = boref});
        last = range;
        good = good && rpcs3_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_BODATA, .bodata = data});
    }
    return good;
}

static uint32_t count_ranges(const struct rpcs3_making *making) {
    size_t range, last = making->ranges;
    uint32_t count = 0;

    for (size_t i = 0; i < making->pages.changes; i++) {
        range = rpcs3_range_of(making, making->pages.changed[i]);
        count += range != last;
        last = range;
    }
    return count;
}

static bool put_memory(struct rpcs3_making *making, size_t command) {
    const struct rpcs3_frame *frame = making->frame;

    foreign_pages_settle(&making->pages);
    if (command == frame->commands)
        return true;
    for (size_t i = 0; i < frame->command[command].blocks; i++) {
        uint64_t number = frame->used[frame->command[command].first + i];
        const struct rpcs3_block *block = rpcs3_find_block(frame, number);
        if (!block)
            return foreign_error(making->file, frame->command[command].at, making->error,
                                 "block %" PRIu64 " of memory is not there", number) == PFIFO_OK;
        if (!put_block(making, block))
            return false;
    }
    foreign_pages_sort(&making->pages);
    return true;
}

static bool rpcs3_write_submission(struct rpcs3_making *making, size_t index) {
    const size_t first = making->words.cut[index].first, count = making->words.cut[index + 1].first - first;
    const size_t command = making->words.cut[index].command;
    const struct pfifo_stream_push push = {.handle = making->ranges + 1,
                                           .offset = 4 * first,
                                           .length = 4 * count,
                                           .address = making->base + 4 * first,
                                           .words = making->words.bytes.data + 4 * first,
                                           .word_count = (uint32_t)count};
    struct pfifo_stream_submit submit = {.sequence = (uint32_t)index + 1, .pushes = 1};

    if (!put_memory(making, command) ||
        !foreign_has_room(making->file, making->writer,
                          command < making->frame->commands ? making->frame->command[command].at : 0,
                          making->pages.changes * (uint64_t)FOREIGN_PAGE + push.length, making->error))
        return false;
    submit.buffers = count_ranges(making);
    return rpcs3_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_SUBMIT, .submit = submit}) &&
           write_pages(making) &&
           rpcs3_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_PUSH, .push = push}) &&
           rpcs3_append(making, (struct pfifo_stream_record){.type = PFIFO_STREAM_SUBEND,
                                                             .subend = {.sequence = submit.sequence}});
}

static bool rpcs3_write_all(struct rpcs3_making *making) {
    char number[16];
    bool good;

    snprintf(number, sizeof number, "0x%x", CHIPSET);
    good = pfifo_stream_writer_text(making->writer, "chipset", number, making->error) == PFIFO_OK &&
           pfifo_stream_writer_text(making->writer, "driver", "RPCS3", making->error) == PFIFO_OK &&
           rpcs3_note_tiles(making->frame, making->file, making->writer, making->error) == PFIFO_OK &&
           find_ranges(making) &&
           rpcs3_make_words(&making->words, making->frame, making->file, making->error) == PFIFO_OK &&
           rpcs3_note_driver(&making->words, making->writer) == PFIFO_OK && rpcs3_write_buffers(making);
    for (size_t i = 0; i + 1 < making->words.cuts && good; i++)
        good = rpcs3_write_submission(making, i);
    return good;
}

enum pfifo_status rpcs3_write(const struct rpcs3_frame *frame, const struct foreign_file *file,
                              struct pfifo_stream_writer *writer, struct pfifo_error *error) {
    struct rpcs3_making making = {.frame = frame, .file = file, .writer = writer, .error = error};
    bool good = rpcs3_write_all(&making);

    foreign_pages_free(&making.pages);
    free(making.range);
    rpcs3_words_free(&making.words);
    return good ? PFIFO_OK : error->status;
}
