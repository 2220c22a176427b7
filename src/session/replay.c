/* SPDX-License-Identifier: MIT */
/*
 * Replays a session: does with a card of its own what was done, and compares.
 *
 *   TIME, PAGE --> take effect | INTX, MSI --> looked up by the card's callbacks, in the order of the file
 *   operation  --> card --> the same answer? the same changes and messages?
 *
 * The guest's memory is the pages that the GPU asks for, zero until the session says more.
 */
#include <pfifo/session.h>

#include <inttypes.h>
#include <stdlib.h>

#include "chip/error.h"
#include "pci/card.h"
#include "pci/pages.h"
#include "session/format.h"
#include "stream/format.h"
#include "stream/unpack.h"

struct pfifo_session {
    struct pci_tap tap; /* the first */
    struct pfifo_pci *card;
    char *path, *name; /* name: what is after its last slash */
    struct bytes bytes;
    bool truncated;
    size_t position;  /* of the next record */
    size_t operation; /* of the record that is carried out */
    size_t line;      /* INTX and MSI from here up to `operation` are to come */
    uint64_t now;
    struct session_pages pages;
    bool no_page;
    uint8_t nowhere[PCI_TAP_PAGE]; /* when there is no memory for a page; the session ends then */
    uint8_t *answer;
    struct pfifo_session_result result;
};

static enum pfifo_status replay_malformed(const struct pfifo_session *session, const char *type, const char *reason,
                                          struct pfifo_error *error) {
    return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "%.80s: offset %zu: %s: %s", session->path, session->position,
                           type, reason);
}

/* ---- records ---- */

static size_t replay_record_bytes(const struct pfifo_session *session, size_t at) {
    return FORMAT_HEADER_BYTES + (size_t)format_get_u32(session->bytes.data + at + 4);
}

/* NULL, or what is wrong with the record at `at`. */
static const char *read_record(const struct pfifo_session *session, size_t at, struct session_record *record) {
    size_t left = session->bytes.size - at;
    if (left < FORMAT_HEADER_BYTES)
        return "the header is cut off";
    const uint8_t *head = session->bytes.data + at;
    if (format_get_u32(head + 4) > left - FORMAT_HEADER_BYTES)
        return "the payload is cut off";
    return session_decode(record, format_get_u32(head), head + FORMAT_HEADER_BYTES, format_get_u32(head + 4));
}

/* ---- differences ---- */

static void differ(struct pfifo_session *session, size_t at, uint64_t expected, uint64_t got, const char *what) {
    struct pfifo_session_result *result = &session->result;
    if (result->differences++)
        return;
    result->offset = at;
    result->operation = result->operations;
    result->expected = expected;
    result->got = got;
    snprintf(result->what, sizeof result->what, "%s", what);
}

static void replay_compare(struct pfifo_session *session, uint64_t expected, uint64_t got, const char *what) {
    if (expected != got)
        differ(session, session->operation, expected, got, what);
}

/* The next change or message of the operation. False: there is none. */
static bool replay_next_line(struct pfifo_session *session, struct session_record *record, size_t *at) {
    while (session->line < session->operation) {
        *at = session->line;
        read_record(session, *at, record);
        session->line += replay_record_bytes(session, *at);
        if (record->type == SESSION_INTX || record->type == SESSION_MSI)
            return true;
    }
    return false;
}

static void replay_intx(void *opaque, bool level) {
    struct pfifo_session *session = opaque;
    struct session_record record;
    size_t at = session->operation;
    session->result.changes++;
    if (!replay_next_line(session, &record, &at) || record.type != SESSION_INTX)
        differ(session, at, !level, level, "INTA, which did not change");
    else if (record.field[0] != level)
        differ(session, at, record.field[0], level, "INTA");
}

static void replay_msi(void *opaque, uint64_t address, uint32_t data) {
    struct pfifo_session *session = opaque;
    struct session_record record;
    size_t at = session->operation;
    session->result.messages++;
    if (!replay_next_line(session, &record, &at) || record.type != SESSION_MSI)
        differ(session, at, 0, data, "a message, which was not sent");
    else if (record.field[0] != address || record.field[1] != data)
        differ(session, at, record.field[1], data, "data or address of a message");
}

static void missing_lines(struct pfifo_session *session) {
    struct session_record record;
    size_t at;
    while (replay_next_line(session, &record, &at))
        differ(session, at, record.type == SESSION_INTX ? record.field[0] : record.field[1],
               record.type == SESSION_INTX ? !record.field[0] : 0,
               record.type == SESSION_INTX ? "INTA, which was to change" : "a message, which was to come");
}

/* ---- the guest's side ---- */

static uint64_t replay_time(void *opaque) {
    return ((struct pfifo_session *)opaque)->now;
}

static uint8_t *replay_page_at(struct pfifo_session *session, uint64_t address) {
    struct session_page *page = session_page(&session->pages, address / PCI_TAP_PAGE);
    session->no_page |= !page;
    return (page ? page->data : session->nowhere) + address % PCI_TAP_PAGE;
}

static void *replay_page(struct pci_tap *tap, uint64_t address, void *host, bool write) {
    (void)host, (void)write;
    return replay_page_at((struct pfifo_session *)tap, address);
}

/* ---- operations ---- */

static void do_config_read(struct pfifo_session *session, const struct session_record *record) {
    char what[64];
    uint32_t got = pfifo_pci_config_read(session->card, (unsigned)record->field[0], (unsigned)record->field[1]);
    session->result.reads++;
    snprintf(what, sizeof what, "configuration space 0x%02x of %u bytes", (unsigned)record->field[0],
             (unsigned)record->field[1]);
    replay_compare(session, record->field[2], got, what);
}

static uint64_t replay_value_of(const uint8_t *data, size_t bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes && i < 8; i++)
        value |= (uint64_t)data[i] << 8 * i;
    return value;
}

static void do_read(struct pfifo_session *session, const struct session_record *record) {
    char what[64];
    size_t bytes = record->tail_bytes, at = 0;
    unsigned region = (unsigned)record->field[0];
    pfifo_pci_region_read(session->card, region, record->field[1], session->answer, bytes);
    session->result.reads++;
    if (memcmp(session->answer, record->tail, bytes) == 0)
        return;
    if (bytes > 8)
        while (session->answer[at] == record->tail[at])
            at++;
    snprintf(what, sizeof what, "BAR%u 0x%06" PRIx64 " of %zu bytes", region, record->field[1] + at, bytes - at);
    differ(session, session->operation, replay_value_of(record->tail + at, bytes - at),
           replay_value_of(session->answer + at, bytes - at), what);
}

static void do_run(struct pfifo_session *session, const struct session_record *record) {
    enum pfifo_stop stop = pfifo_pci_run(session->card, record->field[0]);
    uint64_t used = pfifo_gpu_stop_info(session->card->gpu)->used;
    session->result.runs++;
    session->result.work += used;
    replay_compare(session, record->field[1], used, "units of work of a run");
    replay_compare(session, record->field[2], stop, "why a run stopped");
}

static enum pfifo_status operate(struct pfifo_session *session, const struct session_record *record,
                                 struct pfifo_error *error) {
    struct pfifo_pci *card = session->card;
    const uint64_t *field = record->field;
    switch (record->type) {
    case SESSION_CONFIG_READ:
        do_config_read(session, record);
        return PFIFO_OK;
    case SESSION_CONFIG_WRITE:
        pfifo_pci_config_write(card, (unsigned)field[0], (unsigned)field[1], (uint32_t)field[2]);
        session->result.writes++;
        return PFIFO_OK;
    case SESSION_READ:
        do_read(session, record);
        return PFIFO_OK;
    case SESSION_WRITE:
        pfifo_pci_region_write(card, (unsigned)field[0], field[1], record->tail, record->tail_bytes);
        session->result.writes++;
        return PFIFO_OK;
    case SESSION_RESET:
        session->result.resets++;
        return pfifo_pci_reset(card, error);
    case SESSION_MAP: /* what is at the address, replay_page() says */
        return pfifo_pci_dma_map(card, field[0], field[1], session->nowhere, field[2], error);
    case SESSION_UNMAP:
        return pfifo_pci_dma_unmap(card, field[0], field[1], error);
    default:
        do_run(session, record);
        return PFIFO_OK;
    }
}

static const char *replay_take_page(struct pfifo_session *session, const struct session_record *record) {
    uint64_t address = record->field[0];
    if (record->tail_bytes > PCI_TAP_PAGE - address % PCI_TAP_PAGE)
        return "it is larger than its page";
    memcpy(replay_page_at(session, address), record->tail, record->tail_bytes);
    session->result.pages++;
    session->result.bytes += record->tail_bytes;
    return NULL;
}

/* What is in front of operations. False: the record is an operation. */
static bool replay_take_other(struct pfifo_session *session, const struct session_record *record, const char **reason) {
    switch (record->type) {
    case SESSION_TIME:
        session->now = record->field[0];
        return true;
    case SESSION_PAGE:
        *reason = replay_take_page(session, record);
        return true;
    case SESSION_CARD:
        *reason = "there is one already";
        return true;
    case SESSION_INTX:
    case SESSION_MSI:
        return true;
    default:
        return record->type == 0 || record->type >= SESSION_TYPES; /* skipped, if it is not known */
    }
}

static enum pfifo_status take_operation(struct pfifo_session *session, const struct session_record *record,
                                        struct pfifo_error *error) {
    struct pfifo_error reason = {0};
    session->operation = session->position;
    session->result.operations++;
    if (operate(session, record, &reason) != PFIFO_OK)
        return replay_malformed(session, session_type_name(record->type), reason.message, error);
    missing_lines(session);
    session->position += replay_record_bytes(session, session->position);
    session->line = session->position;
    return PFIFO_OK;
}

enum pfifo_status pfifo_session_next(struct pfifo_session *session, bool *more, struct pfifo_error *error) {
    struct session_record record;
    bool other = true;
    *more = true;
    while (other) {
        *more = session->position < session->bytes.size;
        if (!*more)
            return PFIFO_OK;
        const char *reason = read_record(session, session->position, &record);
        if (!reason)
            other = replay_take_other(session, &record, &reason);
        if (reason)
            return replay_malformed(session, session_type_name(record.type), reason, error);
        if (other)
            session->position += replay_record_bytes(session, session->position);
    }
    enum pfifo_status status = take_operation(session, &record, error);
    if (status == PFIFO_OK && session->no_page)
        return pfifo_error_set(error, PFIFO_ERROR_MEMORY, "%.80s: offset %zu: no memory for the guest's pages",
                               session->path, session->operation);
    return status;
}

/* ---- open and close ---- */

static enum pfifo_status replay_make_card(struct pfifo_session *session, const struct session_record *record,
                                          struct pfifo_error *error) {
    struct pfifo_error reason = {0};
    char name[SESSION_NAME_BYTES + 1] = {0};
    struct pfifo_pci_config config = {.size = sizeof config, .intx = replay_intx, .msi = replay_msi, .opaque = session};
    memcpy(name, record->tail, SESSION_NAME_BYTES);
    config.gpu = (struct pfifo_config){.size = sizeof config.gpu, .chip = pfifo_chip_by_name(name), .opaque = session};
    config.gpu.vram_bytes = record->field[0];
    config.gpu.bar1_bytes = record->field[1];
    config.bars_32 = record->field[2] & SESSION_BARS_32;
    config.gpu.clock = record->field[2] & SESSION_CLOCK ? replay_time : NULL;
    config.device_id = (uint16_t)record->field[3];
    config.subsystem_vendor = (uint16_t)record->field[4];
    config.subsystem_id = (uint16_t)record->field[5];
    config.vbios_bytes = record->tail_bytes - SESSION_NAME_BYTES;
    config.vbios = config.vbios_bytes ? record->tail + SESSION_NAME_BYTES : NULL;
    if (!config.gpu.chip)
        return replay_malformed(session, "CARD", "no such chip", error);
    session->card = pfifo_pci_new(&config, &reason);
    if (!session->card)
        return pfifo_error_set(error, reason.status, "%.80s: offset %zu: CARD: %s", session->path, session->position,
                               reason.message);
    session->tap = (struct pci_tap){.page = replay_page};
    session->card->tap = &session->tap;
    return PFIFO_OK;
}

/* Of a session that was cut off, what is whole. */
static void cut_tail(struct pfifo_session *session) {
    size_t at = FORMAT_MAGIC_BYTES;
    while (at < session->bytes.size && session->bytes.size - at >= FORMAT_HEADER_BYTES &&
           replay_record_bytes(session, at) <= session->bytes.size - at)
        at += replay_record_bytes(session, at);
    session->bytes.size = at;
}

static enum pfifo_status replay_load(struct pfifo_session *session, const struct unpack_source *source,
                                     struct pfifo_error *error) {
    struct session_record record;
    enum pfifo_status status =
        unpack_all(source, PFIFO_STREAM_WHOLE_LIMIT, &session->bytes, &session->truncated, error);
    if (status != PFIFO_OK)
        return status;
    if (!format_is_session(session->bytes.data, session->bytes.size))
        return replay_malformed(session, "file", "not a session: no " FORMAT_SESSION_MAGIC, error);
    if (session->truncated)
        cut_tail(session);
    session->position = FORMAT_MAGIC_BYTES;
    const char *reason = read_record(session, session->position, &record);
    if (!reason && record.type != SESSION_CARD)
        reason = "the first record is no CARD";
    if (reason)
        return replay_malformed(session, "record", reason, error);
    status = replay_make_card(session, &record, error);
    session->position += replay_record_bytes(session, session->position);
    session->line = session->position;
    return status;
}

static struct pfifo_session *replay_open_source(const struct unpack_source *source, struct pfifo_error *error) {
    struct pfifo_session *session = calloc(1, sizeof *session);
    const char *slash = strrchr(source->name, '/');
    const char *name = slash ? slash + 1 : source->name;
    if (session) {
        session->pages.most = PFIFO_SESSION_PAGES;
        session->path = malloc(strlen(source->name) + 1);
        session->answer = malloc(SESSION_ACCESS_MAX);
    }
    if (!session || !session->path || !session->answer) {
        pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a session");
    } else {
        session->name = memcpy(session->path, source->name, strlen(source->name) + 1);
        session->name += name - source->name;
        if (replay_load(session, source, error) == PFIFO_OK)
            return session;
    }
    pfifo_session_close(session);
    return NULL;
}

struct pfifo_session *pfifo_session_open(const char *path, struct pfifo_error *error) {
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (!file) {
        if (path)
            error_cannot(error, path, "read");
        else
            pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no path of a session");
        return NULL;
    }
    struct pfifo_session *session =
        replay_open_source(&(const struct unpack_source){.name = path, .file = file}, error);
    fclose(file);
    return session;
}

struct pfifo_session *pfifo_session_open_memory(const void *data, size_t bytes, const char *name,
                                                struct pfifo_error *error) {
    const struct unpack_source source = {.name = name, .data = bytes ? data : (const void *)"", .size = bytes};
    if (name && source.data)
        return replay_open_source(&source, error);
    pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "no %s of a session", name ? "data" : "name");
    return NULL;
}

void pfifo_session_close(struct pfifo_session *session) {
    if (!session)
        return;
    pfifo_pci_free(session->card);
    session_pages_free(&session->pages);
    bytes_free(&session->bytes);
    free(session->answer);
    free(session->path);
    free(session);
}

struct pfifo_pci *pfifo_session_card(struct pfifo_session *session) {
    return session->card;
}

const char *pfifo_session_name(const struct pfifo_session *session) {
    return session->name;
}

bool pfifo_session_truncated(const struct pfifo_session *session) {
    return session->truncated;
}

const struct pfifo_session_result *pfifo_session_result(const struct pfifo_session *session) {
    return &session->result;
}
