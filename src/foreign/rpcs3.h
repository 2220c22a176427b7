/* SPDX-License-Identifier: MIT */
/*
 * A frame that RPCS3 has captured, as its serialisation has it. Numbers are little endian, `n` is a count in groups of 7 bits.
 *
 *   "RRC\0"  version  1 (little endian)
 *   n { 15 tiles, 8 zcull regions, 432 bytes; number }                tile_map
 *   n { offset, location, number of its data; number }                memory_map
 *   n { n bytes; number }                                             memory_data_map
 *   n { display buffers, 132 bytes; number }                          display_buffers_map
 *   n { header, word, n numbers of memory, tiles, display buffers }   replay_commands
 *   vertex program, perhaps constants, registers                      reg_state
 *
 * Sources: RPCS3 rpcs3/Emu/RSX/Capture/rsx_replay.h, rsx_capture.cpp, rpcs3/Emu/RSX/RSXThread.cpp,
 *          rpcs3/util/serialization.hpp
 */
#ifndef PFIFO_SRC_FOREIGN_RPCS3_H
#define PFIFO_SRC_FOREIGN_RPCS3_H

#include "foreign/foreign.h"

enum {
    RPCS3_REGISTERS = 0x10000 / 4, /* of 8 subchannels: method + subchannel * 0x2000, as words */
    RPCS3_INSTRUCTION_WORDS = 4,
    RPCS3_TILES = 15,
    RPCS3_ZCULLS = 8,
    RPCS3_TILE_BYTES = 16,
    RPCS3_ZCULL_BYTES = 24,
    RPCS3_DRIVER_SUBCHANNEL = 7, /* methods of the PS3's kernel */
    RPCS3_DRIVER_METHODS = 6,
};

/* Bytes of guest memory. */
struct rpcs3_data {
    uint64_t number;
    size_t at, bytes; /* in the file */
};

/* Where they are put before a command. */
struct rpcs3_block {
    uint64_t number, data;
    uint32_t offset, location;
    size_t at;
};

struct rpcs3_command {
    uint32_t header, word; /* of a packet that goes on the header does not count */
    size_t first, blocks;  /* of struct rpcs3_frame's `used` */
    uint64_t tiles;        /* number of a state of tiles; 0: as before */
    size_t at;
};

/* Tiles and zcull regions. */
struct rpcs3_tiles {
    uint64_t number;
    size_t at; /* in the file */
};

struct rpcs3_frame {
    struct rpcs3_data *data; /* by number */
    struct rpcs3_block *block;
    struct rpcs3_command *command;
    struct rpcs3_tiles *tiles; /* by number */
    uint64_t *used;            /* numbers of blocks, command after command */
    size_t datas, blocks, commands, uses, states;
    const uint8_t *program, *constants, *registers; /* constants: NULL: they are not there */
    size_t program_words;
};

/* ---- rpcs3_words.c ---- */

/* A submission: words, and the command whose memory comes before it. */
struct rpcs3_cut {
    size_t first;   /* word */
    size_t command; /* or the number of commands: none */
};

struct rpcs3_words {
    const struct rpcs3_frame *frame;
    const struct foreign_file *file;
    struct pfifo_error *error;
    struct bytes bytes;
    struct rpcs3_cut *cut; /* the last is the end */
    size_t cuts;
    size_t driver[RPCS3_DRIVER_METHODS]; /* methods that are left out, by rpcs3_driver_method() */
};

/* rpcs3_words_free() is due in any case. */
enum pfifo_status rpcs3_make_words(struct rpcs3_words *words, const struct rpcs3_frame *frame,
                                   const struct foreign_file *file, struct pfifo_error *error);
void rpcs3_words_free(struct rpcs3_words *words);

/* Append what the frame has to a capture; rpcs3_capture.c. */
enum pfifo_status rpcs3_write(const struct rpcs3_frame *frame, const struct foreign_file *file,
                              struct pfifo_stream_writer *writer, struct pfifo_error *error);

/* ---- rpcs3_notes.c: what the machine does not get ---- */

/* Which of its kinds a method of the driver's subchannel is. */
size_t rpcs3_driver_method(uint32_t method);
enum pfifo_status rpcs3_note_driver(const struct rpcs3_words *words, struct pfifo_stream_writer *writer);
enum pfifo_status rpcs3_note_tiles(const struct rpcs3_frame *frame, const struct foreign_file *file,
                                   struct pfifo_stream_writer *writer, struct pfifo_error *error);

const struct rpcs3_block *rpcs3_find_block(const struct rpcs3_frame *frame, uint64_t number);
const struct rpcs3_tiles *rpcs3_find_tiles(const struct rpcs3_frame *frame, uint64_t number);
const struct rpcs3_data *rpcs3_find_data(const struct rpcs3_frame *frame, uint64_t number);

#endif
