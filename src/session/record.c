/* SPDX-License-Identifier: MIT */
/*
 * Records a session at the card's edge.
 *
 * A page is compared when the GPU asks for it, at most once in an operation: what the guest has changed since the last
 * time is in the session then. After the GPU has written to a page, the guest may have put back what was there before;
 * so the next time it is recorded as a whole.
 */
#include <pfifo/session.h>

#include <stdlib.h>

#include "pci/card.h"
#include "pci/pages.h"
#include "session/format.h"
#include "stream/format.h"
#include "stream/pack.h"

struct recorder {
    struct pci_tap tap; /* the first, so that a tap is its recorder */
    const struct pfifo_pci_config *config;
    struct session_pages pages;
    uint64_t operation;
    bool inside;    /* of an operation */
    bool time_seen; /* in it */
    uint64_t now;
    struct pfifo_error error; /* the first */
    struct pack pack;
};

static void record_put(struct recorder *recorder, const struct session_record *record) {
    uint8_t head[SESSION_HEAD_MAX];
    if (recorder->error.status != PFIFO_OK)
        return;
    if (record->tail_bytes > SESSION_ACCESS_MAX) {
        pfifo_error_set(&recorder->error, PFIFO_ERROR_UNSUPPORTED, "an access of %zu bytes cannot be recorded",
                        record->tail_bytes);
        return;
    }
    size_t bytes = session_encode(record, head);
    if (pack_put(&recorder->pack, head, bytes, &recorder->error) == PFIFO_OK)
        pack_put(&recorder->pack, record->tail, record->tail_bytes, &recorder->error);
}

static void record_begin(struct pci_tap *tap) {
    struct recorder *recorder = (struct recorder *)tap;
    recorder->operation++;
    recorder->inside = true;
    recorder->time_seen = false;
}

static void record_end(struct pci_tap *tap, const struct session_record *done) {
    struct recorder *recorder = (struct recorder *)tap;
    recorder->inside = false;
    record_put(recorder, done);
}

static uint64_t record_clock(struct pci_tap *tap) {
    struct recorder *recorder = (struct recorder *)tap;
    if (!recorder->inside || recorder->time_seen)
        return recorder->now;
    recorder->time_seen = true;
    recorder->now = recorder->config->gpu.clock(recorder->config->gpu.opaque);
    record_put(recorder, &(struct session_record){.type = SESSION_TIME, .field = {recorder->now}});
    return recorder->now;
}

/* The bytes that differ from what the session has: of a page that the GPU has written to, all. */
static void record_put_changes(struct recorder *recorder, struct session_page *page, const uint8_t *now) {
    size_t first = 0, end = PCI_TAP_PAGE;
    while (!page->dirty && first < end && now[first] == page->data[first])
        first++;
    while (!page->dirty && end > first && now[end - 1] == page->data[end - 1])
        end--;
    if (first < end)
        record_put(recorder, &(struct session_record){.type = SESSION_PAGE,
                                                      .field = {page->number * PCI_TAP_PAGE + first},
                                                      .tail = now + first,
                                                      .tail_bytes = end - first});
}

static void *record_page(struct pci_tap *tap, uint64_t address, void *host, bool write) {
    struct recorder *recorder = (struct recorder *)tap;
    if (recorder->error.status != PFIFO_OK)
        return host;
    struct session_page *page = session_page(&recorder->pages, address / PCI_TAP_PAGE);
    if (!page) {
        pfifo_error_set(&recorder->error, PFIFO_ERROR_MEMORY, "no memory for a copy of the guest's pages");
        return host;
    }
    if (write) {
        page->dirty = true;
        page->written = recorder->operation;
    } else if (page->seen != recorder->operation) {
        uint8_t now[PCI_TAP_PAGE]; /* the guest may write meanwhile */
        memcpy(now, (const uint8_t *)host - address % PCI_TAP_PAGE, sizeof now);
        record_put_changes(recorder, page, now);
        memcpy(page->data, now, sizeof now);
        page->seen = recorder->operation;
        page->dirty = page->written == recorder->operation;
    }
    return host;
}

static void record_intx(struct pci_tap *tap, bool level) {
    record_put((struct recorder *)tap, &(struct session_record){.type = SESSION_INTX, .field = {level}});
}

static void record_msi(struct pci_tap *tap, uint64_t address, uint32_t data) {
    record_put((struct recorder *)tap, &(struct session_record){.type = SESSION_MSI, .field = {address, data}});
}

static void record_free(struct pci_tap *tap) {
    struct recorder *recorder = (struct recorder *)tap;
    session_pages_free(&recorder->pages);
    pack_free(&recorder->pack);
    free(recorder);
}

static void put_card(struct recorder *recorder, const struct pfifo_pci *card) {
    const struct pfifo_pci_config *config = &card->config;
    struct session_record record = {.type = SESSION_CARD};
    size_t image = config->vbios_bytes;
    uint8_t *tail = calloc(1, SESSION_NAME_BYTES + image);
    if (!tail) {
        pfifo_error_set(&recorder->error, PFIFO_ERROR_MEMORY, "no memory to record a session");
        return;
    }
    strncpy((char *)tail, pfifo_chip_info(config->gpu.chip).name, SESSION_NAME_BYTES - 1);
    memcpy(tail + SESSION_NAME_BYTES, card->rom, image);
    record.field[0] = config->gpu.vram_bytes;
    record.field[1] = config->gpu.bar1_bytes;
    record.field[2] = (config->bars_32 ? SESSION_BARS_32 : 0) | (config->gpu.clock ? SESSION_CLOCK : 0);
    record.field[3] = config->device_id;
    record.field[4] = config->subsystem_vendor;
    record.field[5] = config->subsystem_id;
    record.tail = tail;
    record.tail_bytes = SESSION_NAME_BYTES + image;
    record_put(recorder, &record);
    free(tail);
}

static struct recorder *make_recorder(const struct pfifo_pci *card, pfifo_stream_writer_sink *sink, void *opaque,
                                      enum pfifo_stream_packing packing, struct pfifo_error *error) {
    struct recorder *recorder = calloc(1, sizeof *recorder);
    if (!recorder) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory to record a session");
        return NULL;
    }
    recorder->tap = (struct pci_tap){.begin = record_begin,
                                     .end = record_end,
                                     .clock = card->config.gpu.clock ? record_clock : NULL,
                                     .page = record_page,
                                     .intx = record_intx,
                                     .msi = record_msi,
                                     .free = record_free};
    recorder->config = &card->config;
    recorder->pages.most = PFIFO_SESSION_PAGES;
    recorder->pack.sink = sink;
    recorder->pack.opaque = opaque;
    recorder->pack.packing = packing;
    if (pack_begin(&recorder->pack, error) == PFIFO_OK &&
        pack_put(&recorder->pack, FORMAT_SESSION_MAGIC, FORMAT_MAGIC_BYTES, error) == PFIFO_OK)
        return recorder;
    record_free(&recorder->tap);
    return NULL;
}

enum pfifo_status pfifo_pci_record(struct pfifo_pci *card, pfifo_stream_writer_sink *sink, void *opaque,
                                   enum pfifo_stream_packing packing, struct pfifo_error *error) {
    struct pfifo_error reason = {0};
    if (!sink || card->used || card->tap)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "a session needs %s", sink ? "a new card" : "a function");
    if (card->config.gpu.side_by_side)
        return pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "a GPU with several threads cannot be recorded");
    struct recorder *recorder = make_recorder(card, sink, opaque, packing, &reason);
    if (!recorder)
        return pfifo_error_set(error, reason.status, "%s", reason.message);
    put_card(recorder, card);
    card->tap = &recorder->tap;
    return PFIFO_OK;
}

enum pfifo_status pfifo_pci_record_end(struct pfifo_pci *card, struct pfifo_error *error) {
    if (!card->tap || card->tap->end != record_end)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no session is recorded");
    struct recorder *recorder = (struct recorder *)card->tap;
    if (recorder->error.status == PFIFO_OK)
        pack_finish(&recorder->pack, &recorder->error);
    enum pfifo_status status = recorder->error.status;
    if (status != PFIFO_OK)
        pfifo_error_set(error, status, "%s", recorder->error.message);
    card->tap = NULL;
    record_free(&recorder->tap);
    return status;
}
