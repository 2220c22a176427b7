/* SPDX-License-Identifier: MIT */
/* A submission: pages that the program has changed since the one before, and the words that are queued. */
#include "foreign/nvrm_state.h"

#include <stdlib.h>

enum { MOST_BYTES = 0x7ffffc /* of a PUSH */ };

bool nvrm_collect(struct nvrm *nvrm, uint64_t address, uint64_t bytes, uint64_t flags) {
    const struct nvrm_place *place = nvrm_place_at(nvrm, address);

    if (!bytes)
        return true;
    if (!place || bytes > place->bytes - (address - place->address))
        return nvrm_leave_out(nvrm, nvrm->file->at, "words are queued that are not mapped");
    if (bytes > MOST_BYTES || bytes % 4)
        return nvrm_leave_out(nvrm, nvrm->file->at, "too many words are queued at once");
    if (nvrm->pushes == nvrm->push_room) {
        size_t room = nvrm->push_room ? 2 * nvrm->push_room : 16;
        struct nvrm_push *grown = realloc(nvrm->push, room * sizeof *grown);
        if (!grown)
            return nvrm_no_memory(nvrm);
        nvrm->push = grown;
        nvrm->push_room = room;
    }
    nvrm->push[nvrm->pushes++] = (struct nvrm_push){place, address, bytes, flags};
    return true;
}

/* Changed pages of a memory that are in a place: from `first` on. */
static size_t pages_of(const struct nvrm_place *place, size_t *first) {
    const struct foreign_pages *pages = &place->memory->pages;
    const uint64_t number = place->offset / FOREIGN_PAGE;

    *first = foreign_pages_from(pages, 0, number);
    return foreign_pages_from(pages, 0, number + place->bytes / FOREIGN_PAGE) - *first;
}

/* How many places have changed pages, and how many bytes. */
static bool count_changes(struct nvrm *nvrm, uint32_t *buffers, uint64_t *bytes) {
    for (struct nvrm_memory *memory = nvrm->changed; memory; memory = memory->next) {
        if (memory->again && memory->places) {
            if (!nvrm_spend(nvrm, memory->pages.room))
                return false;
            foreign_pages_touch(&memory->pages);
            memory->again = false;
        }
        foreign_pages_sort(&memory->pages);
        for (const struct nvrm_place *place = memory->places; place; place = place->next) {
            size_t first, count = pages_of(place, &first);
            if (!nvrm_spend(nvrm, 1))
                return false;
            *buffers += count > 0;
            *bytes += count * (uint64_t)FOREIGN_PAGE;
        }
    }
    return true;
}

static bool append_place(struct nvrm *nvrm, const struct nvrm_place *place) {
    const struct nvrm_memory *memory = place->memory;
    const struct pfifo_stream_boref boref = {.handle = place->handle,
                                             .valid_domains = memory->domain,
                                             .read_domains = memory->domain,
                                             .address = place->address,
                                             .bytes = place->bytes};
    size_t first, count = pages_of(place, &first);
    bool good = !count || nvrm_append(nvrm, (struct pfifo_stream_record){.type = PFIFO_STREAM_BOREF, .boref = boref});

    for (size_t i = 0; i < count && good; i++) {
        const struct foreign_page *page = memory->pages.changed[first + i];
        const struct pfifo_stream_bodata data = {place->handle, page->number * FOREIGN_PAGE - place->offset,
                                                 page->bytes, FOREIGN_PAGE};
        good = nvrm_append(nvrm, (struct pfifo_stream_record){.type = PFIFO_STREAM_BODATA, .bodata = data});
    }
    return good;
}

static bool append_changes(struct nvrm *nvrm) {
    bool good = true;

    while (nvrm->changed && good) {
        struct nvrm_memory *memory = nvrm->changed;
        for (const struct nvrm_place *place = memory->places; place && good; place = place->next)
            good = append_place(nvrm, place);
        foreign_pages_settle(&memory->pages);
        nvrm->changed = memory->next;
        if (memory->next)
            memory->next->link = &nvrm->changed;
        memory->link = NULL;
    }
    return good;
}

static bool append_push(const struct nvrm *nvrm, const struct nvrm_push *push) {
    const struct nvrm_place *place = push->place;
    const uint64_t offset = push->address - place->address;
    uint8_t *words = malloc(push->bytes);
    const struct pfifo_stream_push record = {.handle = place->handle,
                                             .offset = offset,
                                             .length = push->bytes | push->flags,
                                             .address = push->address,
                                             .words = words,
                                             .word_count = (uint32_t)(push->bytes / 4),
                                             .no_prefetch = (push->flags & FOREIGN_NO_PREFETCH) != 0};
    bool good;

    if (!words)
        return nvrm_no_memory(nvrm);
    foreign_pages_read(&place->memory->pages, 0, place->offset + offset, words, push->bytes);
    good = nvrm_append(nvrm, (struct pfifo_stream_record){.type = PFIFO_STREAM_PUSH, .push = record});
    free(words);
    return good;
}

bool nvrm_submit(struct nvrm *nvrm, const struct nvrm_channel *channel) {
    struct pfifo_stream_submit submit = {.channel = channel->number, .pushes = (uint32_t)nvrm->pushes};
    uint64_t bytes = 0;
    bool good;

    if (!nvrm->pushes)
        return true;
    if (!count_changes(nvrm, &submit.buffers, &bytes))
        return false;
    for (size_t i = 0; i < nvrm->pushes; i++)
        bytes += nvrm->push[i].bytes;
    if (!foreign_has_room(nvrm->file, nvrm->writer, nvrm->file->at, bytes, nvrm->error))
        return false;
    submit.sequence = ++nvrm->sequence;
    good = nvrm_append(nvrm, (struct pfifo_stream_record){.type = PFIFO_STREAM_SUBMIT, .submit = submit}) &&
           append_changes(nvrm);
    for (size_t i = 0; i < nvrm->pushes && good; i++)
        good = append_push(nvrm, &nvrm->push[i]);
    nvrm->pushes = 0;
    return good && nvrm_append(nvrm, (struct pfifo_stream_record){.type = PFIFO_STREAM_SUBEND,
                                                                  .subend = {.sequence = submit.sequence}});
}
