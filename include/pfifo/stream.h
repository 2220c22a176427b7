/* SPDX-License-Identifier: MIT */
/*
 * Capture files: recordings of what a driver hands to the kernel, in the containers NVPBCAP1, NVPBCAP2 and
 * NVPBCAP3.
 *
 *   "NVPBCAP1" [type length payload] [type length payload] ...            all little endian
 *
 *   TEXT  CHAN  OBJ  NTFY  BONEW  BODEL  PREP  CHANFREE                    between submissions
 *   SUBMIT  { BOREF { BODATA } }  { RELOC }  { PUSH }  SUBEND              a submission, in this order
 *
 * Version 2 adds address spaces, syncpoints, and what the CPU writes between runs of the machine:
 *
 *   SPACE  SPACEDEL  SPARSE  MAP  UNMAP  CHANIN  SYNCPT  WRITE  RUN        between submissions
 *   WAIT                                                                   before the PUSHes
 *   FENCE                                                                  after them
 *
 * Version 3 adds address spaces that the program manages (VM_INIT, VM_BIND), and sync objects:
 *
 *   VMINIT  BIND  SYNC                                                     between submissions
 *   SYNC                                                                   before the PUSHes, and after them
 *
 * The reader takes a plain, an .xz, a .zst or a .gz file (it looks at the contents, not at the name) and gives the records
 * one by one. It checks sizes, order, counts and sequence numbers as it reads. A file that is wrong ends in
 * PFIFO_ERROR_FORMAT with a message that names the file, the offset and the reason. The writer makes such files and
 * refuses to write what the reader would refuse to read.
 *
 * docs/capture-format.md describes the container in full.
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_STREAM_H
#define PFIFO_STREAM_H

#include <pfifo/error.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Domains of a buffer, bits as in the nouveau kernel interface. */
#define PFIFO_STREAM_VRAM 2u
#define PFIFO_STREAM_GART 4u

/* A file may grow to this many bytes when decompressed, if no other limit is given. */
#define PFIFO_STREAM_DEFAULT_LIMIT ((uint64_t)1 << 34)

/*
 * Limit of what is kept in memory as a whole: a submission, a capture from a pipe, a session. A recording ends before
 * it would get larger.
 */
#define PFIFO_STREAM_WHOLE_LIMIT ((uint64_t)1 << 30)

/* Type of a record. The positive values are the numbers in the file. */
enum pfifo_stream_type {
    PFIFO_STREAM_UNKNOWN = -1, /* a type that this reader does not know; skip it */
    PFIFO_STREAM_END = 0,      /* not a record: there are no more */
    PFIFO_STREAM_TEXT = 1,
    PFIFO_STREAM_CHAN = 2,
    PFIFO_STREAM_OBJ = 3,
    PFIFO_STREAM_NTFY = 4,
    PFIFO_STREAM_BONEW = 5,
    PFIFO_STREAM_BODEL = 6,
    PFIFO_STREAM_SUBMIT = 7,
    PFIFO_STREAM_BOREF = 8,
    PFIFO_STREAM_BODATA = 9,
    PFIFO_STREAM_PUSH = 10,
    PFIFO_STREAM_SUBEND = 11,
    PFIFO_STREAM_PREP = 12,
    PFIFO_STREAM_RELOC = 13,
    PFIFO_STREAM_CHANFREE = 14,
    /* Version 2; in a file of version 1 these numbers are types that are not known. */
    PFIFO_STREAM_SPACE = 15,
    PFIFO_STREAM_SPACEDEL = 16,
    PFIFO_STREAM_SPARSE = 17,
    PFIFO_STREAM_MAP = 18,
    PFIFO_STREAM_UNMAP = 19,
    PFIFO_STREAM_CHANIN = 20,
    PFIFO_STREAM_WAIT = 21,
    PFIFO_STREAM_FENCE = 22,
    PFIFO_STREAM_SYNCPT = 23,
    PFIFO_STREAM_WRITE = 24,
    PFIFO_STREAM_RUN = 25,
    /* Version 3. */
    PFIFO_STREAM_VMINIT = 26,
    PFIFO_STREAM_BIND = 27,
    PFIFO_STREAM_SYNC = 28,
};

/* TEXT: a remark `key=value`, valid UTF-8 without control characters. Not terminated by a zero. */
struct pfifo_stream_text {
    const char *key;
    size_t key_bytes;
    const char *value;
    size_t value_bytes;
};

/* CHAN: a channel was opened. */
struct pfifo_stream_chan {
    uint32_t channel;
    uint32_t fb_ctxdma;       /* handle of the DMA object that covers VRAM; 0 where there are none */
    uint32_t tt_ctxdma;       /* handle of the DMA object that covers GART */
    uint32_t pushbuf_domains; /* where pushbuffers may live */
    uint32_t notifier_bo;     /* handle of the buffer that holds the channel's notifiers */
};

/* OBJ: an object was made. The software class has a negative number, such as 0xfffffff9. */
struct pfifo_stream_obj {
    uint32_t channel;
    uint32_t handle;
    uint32_t oclass;
};

/* NTFY: a notifier was made in the channel's notifier buffer. */
struct pfifo_stream_ntfy {
    uint32_t channel;
    uint32_t handle;
    uint32_t bytes;
    uint32_t offset;
};

/* BONEW: a buffer was made. */
struct pfifo_stream_bonew {
    uint32_t handle;
    uint32_t domain;
    uint64_t bytes;
    /* Of the GPU; chipset 4x: offset in the space of its domain; version 2: 0: it has those that MAP gives it. */
    uint64_t address;
    uint32_t tile_mode;
    uint32_t tile_flags;
};

/* BODEL: a buffer was freed; its handle and its address may be used again. */
struct pfifo_stream_bodel {
    uint32_t handle;
};

/* SUBMIT: a submission begins; it has as many BOREF, RELOC and PUSH records as it says. */
struct pfifo_stream_submit {
    uint32_t sequence; /* 1, 2, 3 ... */
    uint32_t channel;
    uint32_t buffers;
    uint32_t relocs;
    uint32_t pushes;
    uint32_t suffix0; /* the two words a driver puts after its commands: a return, or zeros */
    uint32_t suffix1;
};

/* BOREF: a buffer that the submission uses. */
struct pfifo_stream_boref {
    uint32_t handle;
    uint32_t valid_domains;
    uint32_t read_domains;
    uint32_t write_domains;
    uint64_t address;
    uint64_t bytes;
    uint32_t presumed_valid;
    uint32_t presumed_domain;
    uint64_t presumed_offset;
};

/* BODATA: whole pages of the buffer of the last BOREF, as they were at the time of the submission. */
struct pfifo_stream_bodata {
    uint64_t handle;
    uint64_t offset; /* in the buffer, a multiple of 4096 */
    const uint8_t *data;
    size_t bytes; /* a multiple of 4096 */
};

/*
 * Bit of a PUSH's length, which no kernel is passed: the words are the channel's own pushbuffer, and not a subroutine
 * (PFIFO_SUBMIT_RING). NV4:G80.
 */
#define PFIFO_STREAM_PUSH_RING (UINT64_C(1) << 24)

/*
 * PUSH: one piece of pushbuffer, with its words: the contents of the buffer at the time of the submission. Version 2:
 * handle 0 and no words: nothing is mapped there.
 */
struct pfifo_stream_push {
    uint64_t handle;
    uint64_t offset;      /* in the buffer */
    uint64_t length;      /* as passed: bits 0-22 bytes, bit 23 no-prefetch; PFIFO_STREAM_PUSH_RING */
    uint64_t address;     /* where it is for the GPU */
    const uint8_t *words; /* little endian, not aligned: see pfifo_stream_word */
    uint32_t word_count;
    bool no_prefetch;
};

/* SUBEND: the submission is complete. */
struct pfifo_stream_subend {
    uint32_t sequence;
};

/* PREP: the client waited for a buffer and may read what the GPU wrote. */
struct pfifo_stream_prep {
    uint32_t handle;
    uint32_t flags;
};

/* RELOC: an address in a buffer that the kernel would patch if buffers moved. Indices count the BOREFs from 0. */
struct pfifo_stream_reloc {
    uint32_t reloc_bo_index;
    uint32_t reloc_bo_offset;
    uint32_t bo_index;
    uint32_t flags;
    uint32_t data;
    uint32_t vor; /* or this in if the buffer is in VRAM ... */
    uint32_t tor; /* ... or in GART */
};

/* CHANFREE: a channel was closed. */
struct pfifo_stream_chanfree {
    uint32_t channel;
};

/* ---- version 2 ---- */

/* SPACE: an address space was made, with addresses from `first` on; both are multiples of 4096. */
struct pfifo_stream_space {
    uint32_t space;          /* not 0 */
    uint32_t big_page_bytes; /* 0x10000, 0x20000, or 0: as the chip has it */
    uint64_t first, bytes;
};

/* SPACEDEL: an address space has ended, with what was mapped in it. */
struct pfifo_stream_spacedel {
    uint32_t space;
};

/* SPARSE: 1: reads give 0 where nothing is mapped in the range; 0: that ends, for the whole range. */
struct pfifo_stream_sparse {
    uint32_t space;
    uint32_t sparse;
    uint64_t address, bytes; /* multiples of 4096 */
};

#define PFIFO_STREAM_MAP_READ_ONLY 1u

/* MAP: a part of a buffer was mapped. Address, bytes and offset are multiples of 4096. */
struct pfifo_stream_map {
    uint32_t space;
    uint32_t handle;
    uint64_t address, bytes;
    uint64_t offset;     /* in the buffer */
    uint32_t page_bytes; /* 4096; the size of the space's big pages, of which the address is a multiple then; 0: any */
    uint32_t kind;       /* storage type of the entries */
    uint32_t flags;
};

/* UNMAP: a range was unmapped, all of which was mapped: mappings, or parts of them. */
struct pfifo_stream_unmap {
    uint32_t space;
    uint64_t address, bytes;
};

#define PFIFO_STREAM_CHANIN_OLD_HEADERS 1u /* headers of the format before Fermi are commands, too */

/* CHANIN: the channel that the next CHAN opens is in a space. */
struct pfifo_stream_chanin {
    uint32_t channel;
    uint32_t space;
    uint32_t entries; /* of its ring; 0: the default */
    uint32_t flags;
};

/* WAIT: the submission waits for a syncpoint, by commands that are in its PUSHes. */
struct pfifo_stream_wait {
    uint32_t syncpoint;
    uint32_t threshold;
};

/* FENCE: what the program was told: the submission is done when the syncpoint has this value. */
struct pfifo_stream_fence {
    uint32_t syncpoint;
    uint32_t value;
};

/* SYNCPT: the CPU incremented a syncpoint `value` times (set 0), or set it to `value` (set 1). */
struct pfifo_stream_syncpt {
    uint32_t syncpoint;
    uint32_t set;
    uint32_t value;
};

/* WRITE: bytes that the CPU wrote to a buffer since the machine worked. */
struct pfifo_stream_write {
    uint32_t handle;
    uint64_t offset;
    const uint8_t *data;
    size_t bytes;
};

/* RUN: the machine worked, for at most so many units of pfifo_device_run(); 0: until there was nothing left to do. */
struct pfifo_stream_run {
    uint64_t units;
};

/* ---- version 3 ---- */

/*
 * VMINIT: an address space that the program manages: BIND says what is where. The kernel keeps a part for itself; both
 * numbers are multiples of 4096. It ends with SPACEDEL.
 */
struct pfifo_stream_vminit {
    uint32_t space; /* not 0 */
    uint64_t kept, kept_bytes;
};

enum pfifo_stream_bind_how {
    PFIFO_STREAM_BIND_MAP = 0,        /* in the place of what is mapped there */
    PFIFO_STREAM_BIND_UNMAP = 1,      /* what is there: mappings, parts of them, or nothing */
    PFIFO_STREAM_BIND_SPARSE = 2,     /* as SPARSE: nothing is mapped there */
    PFIFO_STREAM_BIND_END_SPARSE = 3, /* of a whole sparse range, with what is mapped in it */
};

/* BIND: an operation of VM_BIND. Address, bytes and offset are multiples of 4096. */
struct pfifo_stream_bind {
    uint32_t space;
    uint32_t how;
    uint32_t handle; /* of the buffer; this, kind and offset: only of MAP, else 0 */
    uint32_t kind;   /* storage type of the entries */
    uint64_t address, bytes;
    uint64_t offset; /* in the buffer */
};

enum pfifo_stream_sync_how {
    PFIFO_STREAM_SYNC_WAIT = 0,        /* in a submission: it waits for this */
    PFIFO_STREAM_SYNC_SIGNAL = 1,      /* in a submission: it has this when it is done */
    PFIFO_STREAM_SYNC_BIND_WAIT = 2,   /* the BINDs that follow */
    PFIFO_STREAM_SYNC_BIND_SIGNAL = 3, /* the BINDs before it */
    PFIFO_STREAM_SYNC_CPU_WAIT = 4,    /* the program has waited for it */
    PFIFO_STREAM_SYNC_CPU_SIGNAL = 5,
    PFIFO_STREAM_SYNC_CPU_RESET = 6,
};

/* SYNC: somebody waits for a point in time that an object has, or gives it one. */
struct pfifo_stream_sync {
    uint32_t object; /* handle of the sync object */
    uint32_t how;
    uint64_t point; /* in its timeline; 0: it is binary */
};

/*
 * A record. Pointers are into the stream, and valid until the next record is read: those of a submission until the
 * record after its SUBEND is. Rewinding and closing end them, too.
 */
struct pfifo_stream_record {
    enum pfifo_stream_type type;
    uint32_t number;        /* the type as in the file; the only clue to a PFIFO_STREAM_UNKNOWN */
    uint64_t offset;        /* of the record in the decompressed file */
    const uint8_t *payload; /* as in the file */
    uint32_t payload_bytes;
    union {
        struct pfifo_stream_text text;
        struct pfifo_stream_chan chan;
        struct pfifo_stream_obj obj;
        struct pfifo_stream_ntfy ntfy;
        struct pfifo_stream_bonew bonew;
        struct pfifo_stream_bodel bodel;
        struct pfifo_stream_submit submit;
        struct pfifo_stream_boref boref;
        struct pfifo_stream_bodata bodata;
        struct pfifo_stream_push push;
        struct pfifo_stream_subend subend;
        struct pfifo_stream_prep prep;
        struct pfifo_stream_reloc reloc;
        struct pfifo_stream_chanfree chanfree;
        struct pfifo_stream_space space;
        struct pfifo_stream_spacedel spacedel;
        struct pfifo_stream_sparse sparse;
        struct pfifo_stream_map map;
        struct pfifo_stream_unmap unmap;
        struct pfifo_stream_chanin chanin;
        struct pfifo_stream_wait wait;
        struct pfifo_stream_fence fence;
        struct pfifo_stream_syncpt syncpt;
        struct pfifo_stream_write write;
        struct pfifo_stream_run run;
        struct pfifo_stream_vminit vminit;
        struct pfifo_stream_bind bind;
        struct pfifo_stream_sync sync;
    };
};

/* Word `index` (below word_count) of a PUSH. */
static inline uint32_t pfifo_stream_word(const struct pfifo_stream_push *push, size_t index) {
    const uint8_t *p = push->words + 4 * index;

    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* Name of a type as the documentation spells it ("BOREF"), "unknown" for any other. */
PFIFO_API const char *pfifo_stream_type_name(enum pfifo_stream_type type);

/* A capture that is being read. */
struct pfifo_stream;

/*
 * Open a capture. NULL on failure: no such file, not a capture, damaged compression, more than
 * PFIFO_STREAM_DEFAULT_LIMIT bytes. To check this, all of it is unpacked once; records are checked when they are read.
 * A small capture stays in memory. Of one with more than 32 MiB only a submission at a time is in memory, and the file
 * stays open until the stream is closed; but a capture from a pipe is in memory as a whole.
 */
PFIFO_API struct pfifo_stream *pfifo_stream_open(const char *path, struct pfifo_error *error);

/* The same with another limit for the decompressed size in bytes (0: the default). */
PFIFO_API struct pfifo_stream *pfifo_stream_open_limited(const char *path, uint64_t limit, struct pfifo_error *error);

/*
 * Open a capture that is in memory already. The parts of `data` that are needed are copied; `name` (a path is fine) is
 * what messages call it.
 */
PFIFO_API struct pfifo_stream *pfifo_stream_open_memory(const void *data, size_t size, const char *name,
                                                        struct pfifo_error *error);

PFIFO_API struct pfifo_stream *pfifo_stream_open_memory_limited(const void *data, size_t size, const char *name,
                                                                uint64_t limit, struct pfifo_error *error);

/*
 * Read the next record. At the end: PFIFO_OK and type PFIFO_STREAM_END. A malformed record is PFIFO_ERROR_FORMAT,
 * and the stream stays at it: the next call says the same again.
 */
PFIFO_API enum pfifo_status pfifo_stream_next(struct pfifo_stream *stream, struct pfifo_stream_record *record,
                                              struct pfifo_error *error);

/* Go back to the first record. */
PFIFO_API void pfifo_stream_rewind(struct pfifo_stream *stream);

/* Chipset number that the first `chipset=` TEXT gives (0x40, 0xa3, 0x12b ...), 0 if there is none. */
PFIFO_API uint32_t pfifo_stream_chipset(const struct pfifo_stream *stream);

/* Version of the container: 1, 2 or 3. */
PFIFO_API uint32_t pfifo_stream_version(const struct pfifo_stream *stream);

/* Name of the capture: without folders and without .nvcap, .xz, .zst and .gz. */
PFIFO_API const char *pfifo_stream_name(const struct pfifo_stream *stream);

/* The path or name that it was opened by, as messages have it. */
PFIFO_API const char *pfifo_stream_path(const struct pfifo_stream *stream);

/*
 * Was the capture cut off while it was written (a .zst without an end)? Then it ends after the last submission that is
 * whole.
 */
PFIFO_API bool pfifo_stream_truncated(const struct pfifo_stream *stream);

/* Bytes of the decompressed file. */
PFIFO_API uint64_t pfifo_stream_bytes(const struct pfifo_stream *stream);

/* Close a stream (NULL allowed). */
PFIFO_API void pfifo_stream_close(struct pfifo_stream *stream);

/* How a written capture is packed. */
enum pfifo_stream_packing {
    PFIFO_STREAM_PLAIN,
    PFIFO_STREAM_XZ,
    PFIFO_STREAM_ZSTD,
    PFIFO_STREAM_GZIP,
};

/* A capture that is being written. */
struct pfifo_stream_writer;

/* Begin a capture in a file, which is made or overwritten. NULL on failure. */
PFIFO_API struct pfifo_stream_writer *pfifo_stream_writer_open(const char *path, enum pfifo_stream_packing packing,
                                                               struct pfifo_error *error);

/* Begin a capture in memory. NULL on failure. */
PFIFO_API struct pfifo_stream_writer *pfifo_stream_writer_open_memory(enum pfifo_stream_packing packing,
                                                                      struct pfifo_error *error);

/* Takes the bytes of a capture as they are made. False: they cannot be written; errno says why. */
typedef bool pfifo_stream_writer_sink(void *opaque, const void *data, size_t bytes);

/* Begin a capture that goes to a function. NULL on failure. */
PFIFO_API struct pfifo_stream_writer *pfifo_stream_writer_open_sink(pfifo_stream_writer_sink *sink, void *opaque,
                                                                    enum pfifo_stream_packing packing,
                                                                    struct pfifo_error *error);

/*
 * Choose the version: 1, the default, 2 or 3. PFIFO_ERROR_ARGUMENT: there is no such version, or something has been
 * appended or flushed already.
 */
PFIFO_API enum pfifo_status pfifo_stream_writer_version(struct pfifo_stream_writer *writer, uint32_t version,
                                                        struct pfifo_error *error);

/*
 * Append a record: `type` and its member of the union, for PFIFO_STREAM_UNKNOWN `number` and `payload` instead.
 * `offset` is not looked at. A record that does not belong here is PFIFO_ERROR_ARGUMENT and writes nothing.
 */
PFIFO_API enum pfifo_status pfifo_stream_writer_append(struct pfifo_stream_writer *writer,
                                                       const struct pfifo_stream_record *record,
                                                       struct pfifo_error *error);

/* Append the TEXT `key=value`, of two zero-terminated strings. */
PFIFO_API enum pfifo_status pfifo_stream_writer_text(struct pfifo_stream_writer *writer, const char *key,
                                                     const char *value, struct pfifo_error *error);

/*
 * Everything that was appended is in the file. If the writer ends here, for whatever reason, a capture that is not
 * packed or PFIFO_STREAM_ZSTD can be read up to this place. An .xz or a .gz cannot be flushed.
 */
PFIFO_API enum pfifo_status pfifo_stream_writer_flush(struct pfifo_stream_writer *writer, struct pfifo_error *error);

/* Complete the capture: nothing can be appended any more, everything is in the file or in memory. */
PFIFO_API enum pfifo_status pfifo_stream_writer_finish(struct pfifo_stream_writer *writer, struct pfifo_error *error);

/* The bytes written so far (all, after finish) of a capture in memory; NULL for one in a file. Valid until the next
 * call that takes the writer. */
PFIFO_API const void *pfifo_stream_writer_memory(const struct pfifo_stream_writer *writer, size_t *size);

/* Free a writer (NULL allowed). A capture that was not finished stays as it is: incomplete. */
PFIFO_API void pfifo_stream_writer_close(struct pfifo_stream_writer *writer);

#ifdef __cplusplus
}
#endif

#endif
