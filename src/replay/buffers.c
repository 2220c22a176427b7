/* SPDX-License-Identifier: MIT */
#include "replay/buffers.h"
#include "replay/pages.h"

#include <inttypes.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

struct replay_buffer {
    uint32_t handle;
    bool in_gart;
    struct pfifo_buffer *buffer;
    struct replay_page *pages; /* NULL until something is recorded */
    size_t page_count;         /* of them */
};

static int replay_buffers_compare_handles(const void *a, const void *b) {
    const struct replay_buffer *left = a, *right = b;

    return left->handle < right->handle ? -1 : left->handle > right->handle;
}

static void buffers_free_buffer(struct replay_buffer *entry) {
    pages_free(entry->pages, entry->page_count);
    pfifo_buffer_free(entry->buffer);
    free(entry);
}

static struct replay_buffer *find(const struct replay_buffers *buffers, uint64_t handle) {
    const struct replay_buffer key = {.handle = (uint32_t)handle};
    struct replay_buffer **node =
        handle <= UINT32_MAX ? tfind(&key, &buffers->tree, replay_buffers_compare_handles) : NULL;

    return node ? *node : NULL;
}

static enum pfifo_status buffers_unknown(uint64_t handle, struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "there is no buffer %" PRIu64, handle);
}

static enum pfifo_status check_limits(const struct replay_buffers *buffers, uint64_t bytes, struct pfifo_error *error) {
    if (buffers->count == REPLAY_MAX_BUFFERS)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "more than %d buffers at a time", REPLAY_MAX_BUFFERS);
    if (bytes > REPLAY_MAX_BUFFER_BYTES - buffers->bytes)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%" PRIu64 " bytes: buffers of more than 1 TiB in all",
                               bytes);
    return PFIFO_OK;
}

enum pfifo_status replay_buffers_new(struct replay_buffers *buffers, const struct pfifo_stream_bonew *record,
                                     struct pfifo_error *error) {
    const struct pfifo_buffer_config config = {.size = sizeof config,
                                               .domain = record->domain & PFIFO_STREAM_VRAM ? PFIFO_VRAM : PFIFO_GART,
                                               .no_address = !record->address,
                                               .bytes = record->bytes,
                                               .address = record->address};
    struct replay_buffer *entry;

    if (find(buffers, record->handle))
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "there is a buffer %" PRIu32 " already", record->handle);
    if (!record->address && buffers->version < 2)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "buffer %" PRIu32 " has no address", record->handle);
    if (check_limits(buffers, record->bytes, error) != PFIFO_OK)
        return PFIFO_ERROR_MEMORY;
    entry = calloc(1, sizeof *entry);
    if (!entry)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a buffer");
    entry->handle = record->handle;
    entry->in_gart = config.domain == PFIFO_GART;
    entry->buffer = pfifo_buffer_create(buffers->device, &config, error);
    if (!entry->buffer) {
        free(entry);
        return error->status;
    }
    if (!tsearch(entry, &buffers->tree, replay_buffers_compare_handles)) {
        buffers_free_buffer(entry);
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a buffer");
    }
    buffers->count++;
    buffers->bytes += record->bytes;
    return PFIFO_OK;
}

static void remove_buffer(struct replay_buffers *buffers, struct replay_buffer *entry) {
    tdelete(entry, &buffers->tree, replay_buffers_compare_handles);
    buffers->count--;
    if (buffers->gone)
        buffers->gone(buffers->opaque, entry->handle, entry->buffer);
    buffers_free_buffer(entry);
}

enum pfifo_status replay_buffers_delete(struct replay_buffers *buffers, uint64_t handle, struct pfifo_error *error) {
    struct replay_buffer *entry = find(buffers, handle);

    if (!entry)
        return buffers_unknown(handle, error);
    remove_buffer(buffers, entry);
    return PFIFO_OK;
}

/* The length of the run of equal, or of different, bytes at `at`; up to `end`. */
static size_t stretch(const uint8_t *a, const uint8_t *b, size_t at, size_t end, bool same) {
    size_t from = at;

    while (at < end && (a[at] == b[at]) == same)
        at++;
    return at - from;
}

/* Write the bytes that differ from those recorded before. */
static void replay_buffers_apply(struct pfifo_buffer *buffer, uint64_t offset, const uint8_t *data,
                                 const uint8_t *before, size_t end) {
    if (memcmp(data, before, end) == 0)
        return;
    for (size_t at = 0; at < end;) {
        at += stretch(data, before, at, end, true);
        size_t bytes = stretch(data, before, at, end, false);
        if (bytes)
            pfifo_buffer_write(buffer, offset + at, data + at, bytes);
        at += bytes;
    }
}

/* Is there memory for the table of pages? */
static bool make_pages(struct replay_buffer *entry) {
    const size_t count = (size_t)(pfifo_buffer_bytes(entry->buffer) / PAGE_BYTES);

    if (!entry->pages)
        entry->pages = calloc(count, sizeof *entry->pages);
    entry->page_count = entry->pages ? count : 0;
    return entry->pages != NULL;
}

static enum pfifo_status no_pages(struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the pages of a buffer");
}

enum pfifo_status replay_buffers_data(struct replay_buffers *buffers, const struct pfifo_stream_bodata *record,
                                      struct pfifo_error *error) {
    struct replay_buffer *entry = find(buffers, record->handle);
    uint64_t size;

    if (!entry)
        return buffers_unknown(record->handle, error);
    size = pfifo_buffer_bytes(entry->buffer);
    if (record->offset > size || record->bytes > size - record->offset)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "the data lies outside of buffer %" PRIu64, record->handle);
    if (!make_pages(entry))
        return no_pages(error);
    for (size_t at = 0; at < record->bytes; at += PAGE_BYTES) {
        struct replay_page *page = &entry->pages[(record->offset + at) / PAGE_BYTES];

        replay_buffers_apply(entry->buffer, record->offset + at, record->data + at, page_recorded(page), PAGE_BYTES);
        if (!page_keep_dump(page, record->data + at, buffers->submission))
            return no_pages(error);
    }
    return PFIFO_OK;
}

/* The CPU's access, as it is. */
static enum pfifo_status buffers_write_bytes(const struct replay_buffer *entry, uint64_t offset, const uint8_t *data,
                                             size_t bytes, struct pfifo_error *error) {
    if (pfifo_buffer_write(entry->buffer, offset, data, bytes))
        return PFIFO_OK;
    return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%zu bytes at 0x%" PRIx64 " are not inside of buffer %" PRIu32,
                           bytes, offset, entry->handle);
}

enum pfifo_status replay_buffers_write(struct replay_buffers *buffers, const struct pfifo_stream_write *record,
                                       struct pfifo_error *error) {
    const struct replay_buffer *entry = find(buffers, record->handle);

    return entry ? buffers_write_bytes(entry, record->offset, record->data, record->bytes, error)
                 : buffers_unknown(record->handle, error);
}

/* ---- words of PUSHes ---- */

/* A part of a PUSH that is in one page. */
struct replay_buffers_piece {
    struct replay_page *page;
    size_t at, bytes; /* in the page */
    const uint8_t *words;
    uint64_t offset; /* of the page in the buffer */
};

static uint32_t replay_buffers_load_word(const uint8_t *p) {
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Offset in the page of a word that the submission has already, with another value; PAGE_BYTES: there is none. */
static size_t find_contradiction(const struct replay_buffers_piece *piece, const struct pushed_page *pushed) {
    for (size_t at = piece->at; at < piece->at + piece->bytes; at += WORD_BYTES) {
        bool known = pushed->known[at / WORD_BYTES / 8] >> (at / WORD_BYTES % 8) & 1;
        if (known && memcmp(piece->words + (at - piece->at), pushed->bytes + at, WORD_BYTES) != 0)
            return at;
    }
    return PAGE_BYTES;
}

static enum pfifo_status contradiction(const struct replay_buffers_piece *piece, const struct pfifo_stream_push *record,
                                       size_t at, uint32_t submission, struct pfifo_error *error) {
    const char *other = piece->page->has_dump && piece->page->dumped == submission ? "BODATA" : "PUSH before";
    uint64_t offset = piece->offset + at;

    return pfifo_error_set(error, PFIFO_ERROR_FORMAT,
                           "word %" PRIu64 " is 0x%08" PRIx32 ", and the %s of the submission has 0x%08" PRIx32
                           " there (buffer %" PRIu64 " + 0x%" PRIx64 ", address 0x%" PRIx64 ")",
                           (offset - record->offset) / WORD_BYTES,
                           replay_buffers_load_word(piece->words + (at - piece->at)), other,
                           replay_buffers_load_word(page_recorded(piece->page) + at), record->handle, offset,
                           record->address + (offset - record->offset));
}

static void buffers_put_piece(struct replay_buffer *entry, const struct replay_buffers_piece *piece,
                              struct pushed_page *pushed) {
    replay_buffers_apply(entry->buffer, piece->offset + piece->at, piece->words, pushed->bytes + piece->at,
                         piece->bytes);
    memcpy(pushed->bytes + piece->at, piece->words, piece->bytes);
    for (size_t at = piece->at; at < piece->at + piece->bytes; at += WORD_BYTES)
        pushed->known[at / WORD_BYTES / 8] |= (uint8_t)(1u << (at / WORD_BYTES % 8));
}

static enum pfifo_status push_piece(const struct replay_buffers *buffers, struct replay_buffer *entry,
                                    const struct replay_buffers_piece *piece, const struct pfifo_stream_push *record,
                                    struct pfifo_error *error) {
    struct pushed_page *pushed;
    size_t wrong;

    /* Earlier commands may still write there; the dump is the best that is known. */
    if (record->no_prefetch && piece->page->dump)
        return PFIFO_OK;
    if (piece->page->dump && piece->page->dumped == buffers->submission && !piece->page->pushed &&
        memcmp(piece->words, piece->page->dump->bytes + piece->at, piece->bytes) == 0)
        return PFIFO_OK; /* as nearly always */
    pushed = page_make_pushed(piece->page, buffers->submission);
    if (!pushed)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for the words of a buffer");
    wrong = record->no_prefetch ? PAGE_BYTES : find_contradiction(piece, pushed);
    if (wrong < PAGE_BYTES)
        return contradiction(piece, record, wrong, buffers->submission, error);
    buffers_put_piece(entry, piece, pushed);
    return PFIFO_OK;
}

/* Do offset in the buffer and address of the words agree? */
static enum pfifo_status replay_buffers_check_push(const struct replay_buffer *entry,
                                                   const struct pfifo_stream_push *record, struct pfifo_error *error) {
    uint64_t size = pfifo_buffer_bytes(entry->buffer), bytes = WORD_BYTES * (uint64_t)record->word_count;

    if (record->offset % WORD_BYTES || record->offset > size || bytes > size - record->offset)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT,
                               "%" PRIu64 " bytes at 0x%" PRIx64 " are not words inside of buffer %" PRIu64, bytes,
                               record->offset, record->handle);
    if (record->address != pfifo_buffer_address(entry->buffer) + record->offset)
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT,
                               "address 0x%" PRIx64 " is not that of buffer %" PRIu64 " + 0x%" PRIx64, record->address,
                               record->handle, record->offset);
    return PFIFO_OK;
}

enum pfifo_status replay_buffers_push(struct replay_buffers *buffers, const struct pfifo_stream_push *record,
                                      struct pfifo_error *error) {
    struct replay_buffer *entry = find(buffers, record->handle);
    size_t bytes = WORD_BYTES * (size_t)record->word_count;
    enum pfifo_status status;

    if (bytes == 0)
        return PFIFO_OK;
    if (!entry)
        return buffers_unknown(record->handle, error);
    if (buffers->version >= 2)
        return buffers_write_bytes(entry, record->offset, record->words, bytes, error);
    if (!make_pages(entry))
        return no_pages(error);
    status = replay_buffers_check_push(entry, record, error);
    for (size_t done = 0; status == PFIFO_OK && done < bytes;) {
        uint64_t offset = record->offset + done;
        struct replay_buffers_piece piece = {.page = &entry->pages[offset / PAGE_BYTES],
                                             .at = (size_t)(offset % PAGE_BYTES),
                                             .words = record->words + done,
                                             .offset = offset - offset % PAGE_BYTES};
        piece.bytes = bytes - done < PAGE_BYTES - piece.at ? bytes - done : PAGE_BYTES - piece.at;
        status = push_piece(buffers, entry, &piece, record, error);
        done += piece.bytes;
    }
    return status;
}

static void take_handle(const void *node, VISIT visit, void *closure) {
    uint32_t **next = closure;

    if (visit == postorder || visit == leaf)
        *(*next)++ = (*(struct replay_buffer *const *)node)->handle;
}

void replay_buffers_handles(const struct replay_buffers *buffers, uint32_t *handles) {
    twalk_r(buffers->tree, take_handle, &handles);
}

struct pfifo_buffer *replay_buffers_find(const struct replay_buffers *buffers, uint64_t handle) {
    const struct replay_buffer *entry = find(buffers, handle);

    return entry ? entry->buffer : NULL;
}

struct at {
    uint64_t address;
    const struct replay_buffer *found;
};

static void buffers_is_at(const void *node, VISIT visit, void *opaque) {
    const struct replay_buffer *entry = *(const struct replay_buffer *const *)node;
    uint64_t first = pfifo_buffer_address(entry->buffer);
    struct at *at = opaque;

    if (visit != postorder && visit != leaf)
        return;
    if (at->address >= first && at->address - first < pfifo_buffer_bytes(entry->buffer) &&
        (!at->found || entry->in_gart))
        at->found = entry;
}

struct pfifo_buffer *replay_buffers_at(const struct replay_buffers *buffers, uint64_t address, uint64_t *offset) {
    struct at at = {.address = address};

    twalk_r(buffers->tree, buffers_is_at, &at);
    if (!at.found)
        return NULL;
    *offset = address - pfifo_buffer_address(at.found->buffer);
    return at.found->buffer;
}

void replay_buffers_free(struct replay_buffers *buffers) {
    while (buffers->tree) /* a node begins with what it holds */
        remove_buffer(buffers, *(struct replay_buffer **)buffers->tree);
}

/* ---- marks ---- */

struct replay_buffers_mark {
    size_t count;
    uint64_t bytes;
    uint32_t submission;
    struct marked_buffer {
        uint32_t handle, id; /* of the capture, of the device */
        bool in_gart;
        struct replay_page *pages;
        size_t page_count;
    } buffer[];
};

static void mark_buffer(const void *node, VISIT visit, void *opaque) {
    const struct replay_buffer *entry = *(const struct replay_buffer *const *)node;
    struct replay_buffers_mark *mark = opaque;

    if (visit != postorder && visit != leaf)
        return;
    mark->buffer[mark->count++] = (struct marked_buffer){.handle = entry->handle,
                                                         .id = pfifo_buffer_id(entry->buffer),
                                                         .in_gart = entry->in_gart,
                                                         .pages = pages_share(entry->pages, entry->page_count),
                                                         .page_count = entry->page_count};
}

struct replay_buffers_mark *replay_buffers_mark(const struct replay_buffers *buffers) {
    struct replay_buffers_mark *mark = malloc(sizeof *mark + buffers->count * sizeof mark->buffer[0]);

    if (!mark)
        return NULL;
    *mark = (struct replay_buffers_mark){.bytes = buffers->bytes, .submission = buffers->submission};
    twalk_r(buffers->tree, mark_buffer, mark);
    for (size_t i = 0; i < mark->count; i++)
        if (mark->buffer[i].page_count && !mark->buffer[i].pages) {
            replay_buffers_mark_free(mark);
            return NULL;
        }
    return mark;
}

void replay_buffers_mark_free(struct replay_buffers_mark *mark) {
    for (size_t i = 0; mark && i < mark->count; i++)
        pages_free(mark->buffer[i].pages, mark->buffer[i].page_count);
    free(mark);
}

static bool return_buffer(struct replay_buffers *buffers, const struct marked_buffer *marked) {
    struct replay_buffer *entry = calloc(1, sizeof *entry);

    if (!entry)
        return false;
    *entry = (struct replay_buffer){.handle = marked->handle,
                                    .in_gart = marked->in_gart,
                                    .buffer = pfifo_device_buffer(buffers->device, marked->id),
                                    .pages = pages_share(marked->pages, marked->page_count),
                                    .page_count = marked->page_count};
    if (entry->buffer && (entry->pages || !entry->page_count) &&
        tsearch(entry, &buffers->tree, replay_buffers_compare_handles)) {
        buffers->count++;
        return true;
    }
    pages_free(entry->pages, entry->page_count);
    free(entry);
    return false;
}

void replay_buffers_lost(struct replay_buffers *buffers) {
    while (buffers->tree) {
        struct replay_buffer *entry = *(struct replay_buffer **)buffers->tree;
        tdelete(entry, &buffers->tree, replay_buffers_compare_handles);
        pages_free(entry->pages, entry->page_count);
        free(entry);
    }
    buffers->count = 0;
}

bool replay_buffers_return(struct replay_buffers *buffers, const struct replay_buffers_mark *mark) {
    buffers->bytes = mark->bytes;
    buffers->submission = mark->submission;
    for (size_t i = 0; i < mark->count; i++)
        if (!return_buffer(buffers, &mark->buffer[i]))
            return false;
    return true;
}
