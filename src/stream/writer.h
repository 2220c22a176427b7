/* SPDX-License-Identifier: MIT */
/* What a recorder inside of the library may ask a writer. */
#ifndef PFIFO_STREAM_WRITER_H
#define PFIFO_STREAM_WRITER_H

#include <pfifo/stream.h>

struct stream_mapping {
    uint32_t handle; /* of the buffer */
    uint64_t offset; /* in it, of the address that was asked for */
    uint64_t bytes;  /* from there on */
};

/* Version 2: what the records so far have mapped at an address. False: nothing. */
bool stream_writer_mapping(const struct pfifo_stream_writer *writer, uint32_t space, uint64_t address,
                           struct stream_mapping *mapping);

#endif
