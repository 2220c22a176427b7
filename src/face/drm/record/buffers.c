/* SPDX-License-Identifier: MIT */
#include "face/drm/record/buffers.h"

#include <stdlib.h>
#include <string.h>

#define MOST_HANDLES   (1u << 20) /* the kernel gives the lowest that is free */
#define MOST_VIEW      (UINT64_C(1) << 34)
#define MOST_PAGES_RUN 256u /* in one BODATA */

static const uint8_t zeros[RECORD_PAGE];

/* ---- handles ---- */

static uint64_t count_pages(const struct record_buffer *buffer) {
    return buffer->bytes / RECORD_PAGE;
}

static void free_pages(struct record_buffer *buffer) {
    for (uint64_t i = 0; buffer->pages && i < count_pages(buffer); i++)
        if (buffer->pages[i] != buffer->unrecorded)
            free(buffer->pages[i]);
    free(buffer->pages);
    free(buffer->unrecorded);
}

static void buffers_free_buffer(struct buffers *buffers, struct record_buffer *buffer) {
    free_pages(buffer);
    if (buffer->view)
        buffers->host->unmap(buffers->opaque, buffer->view, buffer->bytes);
    free(buffer);
}

void buffers_free(struct buffers *buffers) {
    for (uint32_t i = 0; i < buffers->room; i++)
        if (buffers->at[i] && --buffers->at[i]->handles == 0)
            buffers_free_buffer(buffers, buffers->at[i]);
    while (buffers->closed)
        buffers_drop(buffers, buffers->closed);
    free(buffers->at);
    buffers->at = NULL;
    buffers->room = 0;
}

void buffers_abandon(struct buffers *buffers) {
    for (uint32_t i = 0; i < buffers->room; i++)
        if (buffers->at[i])
            buffers->at[i]->view = NULL;
    for (struct record_buffer *buffer = buffers->closed; buffer; buffer = buffer->closed)
        buffer->view = NULL;
    buffers_free(buffers);
}

struct record_buffer *buffers_find(const struct buffers *buffers, uint32_t handle) {
    return handle < buffers->room ? buffers->at[handle] : NULL;
}

struct record_buffer *buffers_find_serial(const struct buffers *buffers, uint32_t handle, uint64_t serial) {
    struct record_buffer *buffer = buffers_find(buffers, handle);
    return buffer && buffer->serial == serial ? buffer : NULL;
}

struct record_buffer *buffers_find_map(const struct buffers *buffers, uint64_t offset) {
    for (uint32_t i = 0; i < buffers->room; i++) {
        struct record_buffer *buffer = buffers->at[i];
        if (buffer && offset >= buffer->map_handle && offset - buffer->map_handle < buffer->bytes)
            return buffer;
    }
    return NULL;
}

static bool buffers_make_room(struct buffers *buffers, uint32_t handle) {
    uint32_t room = buffers->room ? buffers->room : 64;
    while (room <= handle)
        room *= 2;
    if (room == buffers->room)
        return true;
    struct record_buffer **at = realloc(buffers->at, room * sizeof(struct record_buffer *));
    if (!at)
        return false;
    for (uint32_t i = buffers->room; i < room; i++)
        at[i] = NULL;
    buffers->at = at;
    buffers->room = room;
    return true;
}

/* A buffer that the program has by another handle. Before G80 the two domains are spaces of their own. */
static struct record_buffer *find_same(const struct buffers *buffers, const struct record_buffer *as) {
    for (uint32_t i = 0; i < buffers->room; i++) {
        struct record_buffer *buffer = buffers->at[i];
        if (buffer && buffer->address == as->address && buffer->domain == as->domain && buffer->bytes == as->bytes &&
            buffer->map_handle == as->map_handle)
            return buffer;
    }
    return NULL;
}

struct record_buffer *buffers_add(struct buffers *buffers, const struct record_buffer *as, bool *made) {
    struct record_buffer *known = buffers_find(buffers, as->handle);
    *made = false;
    if (known)
        return known;
    if (as->handle >= MOST_HANDLES || !buffers_make_room(buffers, as->handle))
        return NULL;
    known = find_same(buffers, as);
    if (!known) {
        known = malloc(sizeof *known);
        if (!known)
            return NULL;
        *known = *as;
        known->handles = 0;
        known->serial = ++buffers->serials;
        *made = true;
    }
    known->handles++;
    buffers->at[as->handle] = known;
    return known;
}

bool buffers_remove(struct buffers *buffers, uint32_t handle, uint32_t *first) {
    struct record_buffer *buffer = buffers_find(buffers, handle);
    if (!buffer)
        return false;
    buffers->at[handle] = NULL;
    *first = buffer->handle;
    if (--buffer->handles)
        return false;
    buffers_free_buffer(buffers, buffer);
    return true;
}

/* ---- buffers of spaces ---- */

struct record_buffer *buffers_close(struct buffers *buffers, uint32_t handle) {
    struct record_buffer *buffer = buffers_find(buffers, handle);
    if (!buffer)
        return NULL;
    buffers->at[handle] = NULL;
    if (--buffer->handles)
        return NULL;
    buffer->closed = buffers->closed;
    buffers->closed = buffer;
    return buffer;
}

void buffers_drop(struct buffers *buffers, struct record_buffer *closed) {
    for (struct record_buffer **at = &buffers->closed; *at; at = &(*at)->closed)
        if (*at == closed) {
            *at = closed->closed;
            break;
        }
    buffers_free_buffer(buffers, closed);
}

struct record_buffer *buffers_find_number(const struct buffers *buffers, uint32_t number) {
    for (uint32_t i = 0; i < buffers->room; i++)
        if (buffers->at[i] && buffers->at[i]->handle == number)
            return buffers->at[i];
    for (struct record_buffer *buffer = buffers->closed; buffer; buffer = buffer->closed)
        if (buffer->handle == number)
            return buffer;
    return NULL;
}

uint32_t buffers_handle_of(const struct buffers *buffers, const struct record_buffer *buffer) {
    for (uint32_t i = 1; i < buffers->room; i++)
        if (buffers->at[i] == buffer)
            return i;
    return 0;
}

void buffers_next_round(struct buffers *buffers) {
    buffers->rounds++;
    buffers->next = 0;
}

struct record_buffer *buffers_next(struct buffers *buffers) {
    struct record_buffer *buffer = NULL;
    while (!buffer && buffers->next < buffers->room) {
        buffer = buffers->at[buffers->next++];
        if (buffer && buffer->looked == buffers->rounds)
            buffer = NULL;
    }
    for (struct record_buffer *closed = buffers->closed; !buffer && closed; closed = closed->closed)
        if (closed->looked != buffers->rounds)
            buffer = closed;
    if (buffer)
        buffer->looked = buffers->rounds;
    return buffer;
}

/* ---- pages ---- */

void buffers_view(const struct buffers *buffers, struct record_buffer *buffer) {
    if (!buffer->view && buffer->bytes <= MOST_VIEW)
        buffer->view = buffers->host->map(buffers->opaque, buffer->map_handle, buffer->bytes);
}

static bool buffers_look(const struct buffers *buffers, struct record_buffer *buffer) {
    if (!buffer->pages && buffer->bytes <= MOST_VIEW) {
        buffer->unrecorded = malloc(1);
        buffer->pages = buffer->unrecorded ? calloc(count_pages(buffer), sizeof(uint8_t *)) : NULL;
    }
    if (buffer->pages)
        buffers_view(buffers, buffer);
    return buffer->pages && buffer->view;
}

static bool has_changed(const struct record_buffer *buffer, uint64_t page) {
    const uint8_t *recorded = buffer->pages[page];
    return recorded == buffer->unrecorded ||
           memcmp(buffer->view + page * RECORD_PAGE, recorded ? recorded : zeros, RECORD_PAGE) != 0;
}

enum page_fate { PAGE_SAME, PAGE_WORDS, PAGE_CHANGED, PAGE_FAILED };

/* Are all differences of two pages at `offset` in one range of words? */
static bool only_words(const uint8_t *a, const uint8_t *b, uint64_t offset, const struct word_range *words,
                       size_t word_ranges) {
    size_t first = 0, last = RECORD_PAGE;
    while (first < last && a[first] == b[first])
        first++;
    while (last > first && a[last - 1] == b[last - 1])
        last--;
    for (size_t i = 0; i < word_ranges; i++)
        if (offset + first >= words[i].from && offset + last <= words[i].to)
            return true;
    return false;
}

/* Take a copy of a page. It is what is recorded, also if the program changes the page meanwhile. */
static enum page_fate buffers_take_page(struct record_buffer *buffer, uint64_t page, const struct word_range *words,
                                        size_t word_ranges) {
    uint8_t now[RECORD_PAGE], **recorded = &buffer->pages[page];
    enum page_fate fate = PAGE_CHANGED;
    if (!has_changed(buffer, page))
        return PAGE_SAME;
    memcpy(now, buffer->view + page * RECORD_PAGE, RECORD_PAGE);
    if (*recorded != buffer->unrecorded &&
        only_words(now, *recorded ? *recorded : zeros, page * RECORD_PAGE, words, word_ranges))
        fate = PAGE_WORDS;
    if (!*recorded || *recorded == buffer->unrecorded) {
        uint8_t *made = malloc(RECORD_PAGE);
        if (!made)
            return PAGE_FAILED;
        *recorded = made;
    }
    memcpy(*recorded, now, RECORD_PAGE);
    return fate;
}

/* Pages in a row are one record. */
static void add_page(const struct record_buffer *buffer, struct item *item, uint64_t page) {
    const struct pfifo_stream_record record = {
        .type = PFIFO_STREAM_BODATA,
        .bodata = {.handle = buffer->handle, .offset = page * RECORD_PAGE, .bytes = RECORD_PAGE}};
    struct item_record *last = item->count ? &item->records[item->count - 1] : NULL;
    struct pfifo_stream_bodata *run =
        last && last->record.type == PFIFO_STREAM_BODATA && !last->silent ? &last->record.bodata : NULL;
    if (run && run->offset + run->bytes == record.bodata.offset && run->bytes < MOST_PAGES_RUN * RECORD_PAGE)
        run->bytes += RECORD_PAGE;
    else
        item_add(item, &record, NULL, 0);
    if (!bytes_append(&item->data, buffer->pages[page], RECORD_PAGE))
        item->failed = true;
}

static void add_silent_page(const struct record_buffer *buffer, struct item *item, uint64_t page) {
    const struct pfifo_stream_record record = {
        .type = PFIFO_STREAM_BODATA,
        .bodata = {.handle = buffer->handle, .offset = page * RECORD_PAGE, .bytes = RECORD_PAGE}};
    item_add_silent(item, &record);
}

bool buffers_collect(struct buffers *buffers, struct record_buffer *buffer, const struct word_range *words,
                     size_t word_ranges, struct item *item) {
    if (!buffers_look(buffers, buffer))
        return false;
    for (uint64_t page = 0; page < count_pages(buffer); page++) {
        enum page_fate fate = buffers_take_page(buffer, page, words, word_ranges);
        if (fate == PAGE_CHANGED)
            add_page(buffer, item, page);
        if (fate == PAGE_WORDS)
            add_silent_page(buffer, item, page);
        if (fate == PAGE_FAILED)
            item->failed = true;
    }
    return !item->failed;
}

void buffers_forget(struct record_buffer *buffer, uint64_t offset, uint64_t bytes) {
    uint64_t end = offset + bytes < buffer->bytes ? offset + bytes : buffer->bytes;
    for (uint64_t page = offset / RECORD_PAGE; buffer->pages && page * RECORD_PAGE < end; page++) {
        if (buffer->pages[page] != buffer->unrecorded)
            free(buffer->pages[page]);
        buffer->pages[page] = buffer->unrecorded;
    }
}

/* Of a page of zeros there is no copy: it is recorded again when it is looked at next. */
void buffers_patch(struct record_buffer *buffer, uint64_t offset, uint8_t byte) {
    if (!buffer->pages || offset / RECORD_PAGE >= count_pages(buffer))
        return;
    uint8_t *page = buffer->pages[offset / RECORD_PAGE];
    if (page && page != buffer->unrecorded)
        page[offset % RECORD_PAGE] = byte;
}

void buffers_copy(const struct record_buffer *buffer, uint64_t offset, uint8_t *to, size_t bytes) {
    while (bytes) {
        size_t in = (size_t)(offset % RECORD_PAGE), part = RECORD_PAGE - in < bytes ? RECORD_PAGE - in : bytes;
        const uint8_t *page = buffer->pages[offset / RECORD_PAGE];
        memcpy(to, page && page != buffer->unrecorded ? page + in : zeros, part);
        offset += part;
        to += part;
        bytes -= part;
    }
}
