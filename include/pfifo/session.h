/* SPDX-License-Identifier: MIT */
/*
 * Sessions: what a guest does with a card (pfifo/pci.h), recorded, and replayed without a guest.
 *
 *   guest --access--> card --> recorder --> your function            pfifo_pci_record()
 *   file --> pfifo_session --> card; are the answers the same?       pfifo_session_next()
 *
 * A session has every access of the guest with its value or answer, resets, ranges of the guest's memory as they are
 * mapped, runs of the machine with their budget and the work done, the time where it was asked for, and before each of
 * these the changes of INTA, the messages, and what the GPU found in pages of the guest's memory, if that was not what
 * the session has already. docs/session-format.md describes the file.
 *
 *   pfifo_pci_record(card, write, file, PFIFO_STREAM_ZSTD, &error);      before anything else is done with the card
 *   ...
 *   pfifo_pci_record_end(card, &error);
 *
 *   struct pfifo_session *session = pfifo_session_open("nv34.nvses", &error);
 *   for (bool more = true; more;)
 *       if (pfifo_session_next(session, &more, &error) != PFIFO_OK)
 *           break;
 *   if (pfifo_session_result(session)->differences)
 *       ...
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_SESSION_H
#define PFIFO_SESSION_H

#include <pfifo/pci.h>
#include <pfifo/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- record ---- */

/*
 * Record what is done with a new card from now on. Run the machine with pfifo_pci_run() from then on, and ask for the
 * next alarm with pfifo_pci_due(). Within an access or a run the time stands still. The recorder keeps a copy of each
 * page of the guest's memory that the GPU reads: at most PFIFO_SESSION_PAGES. What the guest writes to such a page
 * while a run reads it may be missing. Errors: PFIFO_ERROR_ARGUMENT (no function; the card was used or is recorded
 * already; ranges are not of whole pages of 4096 bytes), _UNSUPPORTED (the packing is not built in;
 * config.gpu.side_by_side is set), _IO, _MEMORY.
 */
PFIFO_API enum pfifo_status pfifo_pci_record(struct pfifo_pci *card, pfifo_stream_writer_sink *sink, void *opaque,
                                             enum pfifo_stream_packing packing, struct pfifo_error *error);

/*
 * The session ends here; the card goes on. Errors: the first that occurred since pfifo_pci_record(), with which the
 * session ended; PFIFO_ERROR_ARGUMENT if there is no recording. pfifo_pci_free() ends it, too, and says nothing.
 */
PFIFO_API enum pfifo_status pfifo_pci_record_end(struct pfifo_pci *card, struct pfifo_error *error);

/* ---- replay ---- */

#define PFIFO_SESSION_PAGES ((size_t)1 << 19) /* pages of the guest's memory: 2 GiB */

struct pfifo_session;

struct pfifo_session_result {
    uint64_t operations; /* all that follows but pages, changes and messages */
    uint64_t reads, writes, resets, runs;
    uint64_t work;         /* units of budget that the runs took */
    uint64_t pages, bytes; /* of the guest's memory: how many pieces, and how long they are together */
    uint64_t changes;      /* of INTA */
    uint64_t messages;
    uint64_t differences; /* answers, changes, messages and runs that are not as recorded */
    /* The first of them. */
    uint64_t offset;    /* in the unpacked file, of its record */
    uint64_t operation; /* which, from 1 */
    char what[64];      /* "BAR0 0x000140 of 4 bytes" */
    uint64_t expected, got;
};

/*
 * Open a session, and make its card. NULL on error: PFIFO_ERROR_IO; _FORMAT, which names file, offset and reason; those
 * of pfifo_pci_new().
 */
PFIFO_API struct pfifo_session *pfifo_session_open(const char *path, struct pfifo_error *error);
/* One that is in memory; `data` is copied. */
PFIFO_API struct pfifo_session *pfifo_session_open_memory(const void *data, size_t bytes, const char *name,
                                                          struct pfifo_error *error);
PFIFO_API void pfifo_session_close(struct pfifo_session *session);

/* The card, for observers, and to save and load it between operations. It is the session's. */
PFIFO_API struct pfifo_pci *pfifo_session_card(struct pfifo_session *session);

/* Name of the file, without folders. */
PFIFO_API const char *pfifo_session_name(const struct pfifo_session *session);

/* Was it cut off while it was written? Then it ends after its last whole record. */
PFIFO_API bool pfifo_session_truncated(const struct pfifo_session *session);

/*
 * The next operation. *more is false at the end. A difference is no error, and the replay goes on. Errors:
 * PFIFO_ERROR_FORMAT, which names file, offset and reason, _MEMORY. The session stays where it is then.
 */
PFIFO_API enum pfifo_status pfifo_session_next(struct pfifo_session *session, bool *more, struct pfifo_error *error);

/* So far. Valid until the session is closed. */
PFIFO_API const struct pfifo_session_result *pfifo_session_result(const struct pfifo_session *session);

#ifdef __cplusplus
}
#endif

#endif
