/* SPDX-License-Identifier: MIT */
/*
 * Files of other programs, as captures.
 *
 *   FILE --> plain, xz, zstd or gzip --> which program's? --> a capture in memory, as pfifo/stream.h reads it
 *
 *   rpcs3  a frame that RPCS3 has captured (.rrc, .rrc.gz, .rrc.zst): version 6, of a PS3's RSX
 *   mmt    what valgrind-mmt has recorded of a program on nouveau or on NVIDIA's own driver (demmt's input)
 *
 * Notes in such a capture (TEXT records) say what is missing. pfifo/words.h reads texts.
 *
 * Not modelled: older versions of RPCS3's captures
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_FOREIGN_H
#define PFIFO_FOREIGN_H

#include <pfifo/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The program whose file this is: "rpcs3" or "mmt"; of a packed one its first bytes say so. NULL: none of them. */
PFIFO_API const char *pfifo_foreign_recognise(const void *data, size_t bytes);

/*
 * The capture that a file is. `name` is what messages call it. NULL: PFIFO_ERROR_FORMAT, with name, offset in the
 * unpacked file and reason; PFIFO_ERROR_UNSUPPORTED: a version that is not read, a capture of more than 1 GiB;
 * PFIFO_ERROR_MEMORY, also of a file that would need more than 512 MiB of pages.
 */
PFIFO_API struct pfifo_stream *pfifo_foreign_read(const void *data, size_t bytes, const char *name,
                                                  struct pfifo_error *error);

/*
 * Open a capture, a file of another program, or a text that says of which chip it is (xemu's). NULL: as
 * pfifo_stream_open() and above.
 */
PFIFO_API struct pfifo_stream *pfifo_foreign_open(const char *path, struct pfifo_error *error);

/* The same of what is in memory already. */
PFIFO_API struct pfifo_stream *pfifo_foreign_open_memory(const void *data, size_t bytes, const char *name,
                                                         struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
