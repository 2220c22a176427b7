/* SPDX-License-Identifier: MIT */
/*
 * How the recorder writes a capture. Writers are in libpfifo-capture (src/stream/writer.c), which libpfifo does not need:
 * so the recorder calls them through the first member of each writer, and knows their records by pfifo/stream.h.
 */
#ifndef PFIFO_SRC_NVGPU_WRITER_H
#define PFIFO_SRC_NVGPU_WRITER_H

#include <pfifo/stream.h>

struct stream_mapping {
    uint32_t handle; /* of the buffer */
    uint64_t offset; /* in it, of the address that was asked for */
    uint64_t bytes;  /* from there on */
};

struct stream_writer_ops {
    /* As the functions of pfifo/stream.h: pfifo_stream_writer_version() ... */
    enum pfifo_status (*version)(struct pfifo_stream_writer *writer, uint32_t version, struct pfifo_error *error);
    enum pfifo_status (*append)(struct pfifo_stream_writer *writer, const struct pfifo_stream_record *record,
                                struct pfifo_error *error);
    enum pfifo_status (*text)(struct pfifo_stream_writer *writer, const char *key, const char *value,
                              struct pfifo_error *error);
    /* Version 2: what the records so far have mapped at an address. False: nothing. */
    bool (*mapping)(const struct pfifo_stream_writer *writer, uint32_t space, uint64_t address,
                    struct stream_mapping *mapping);
};

/* What every writer begins with. */
struct stream_writer_head {
    const struct stream_writer_ops *ops;
};

static inline const struct stream_writer_ops *stream_writer_ops(const struct pfifo_stream_writer *writer) {
    return ((const struct stream_writer_head *)writer)->ops;
}

#endif
