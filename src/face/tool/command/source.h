/* SPDX-License-Identifier: MIT */
/*
 * What FILE... of a command is, that looks at streams without running them. The content of a file says it: a capture,
 * or a text with words (pfifo/words.h); anything else can only be raw words, with all that must be known about them.
 */
#ifndef PFIFO_TOOL_COMMAND_SOURCE_H
#define PFIFO_TOOL_COMMAND_SOURCE_H

#include <pfifo/decode.h>
#include <pfifo/words.h>

#include "face/tool/tool.h"

enum { SOURCE_OBJECTS = 256 };

struct source {
    struct pfifo_decode_options options;
    struct pfifo_decode_object objects[SOURCE_OBJECTS];
    uint64_t errors; /* of the streams */
    bool raw;
    bool raw_only; /* an option was given that only applies to words */
    bool has_base;
    bool ring;              /* the words are a channel's own pushbuffer */
    bool captures;          /* words become captures, to be run */
    const char *not_a_chip; /* to be said of a --chip that is none; NULL: the usual */
};

/* --chip, --raw and so on, a child of the command's parser. Its input: a struct source, all zero. */
extern const struct argp source_argp;

/* The same for commands that run or rewrite captures, which words become: --chip, and the options for words. */
extern const struct argp source_capture_argp;
/* Without --chip: of a command that has its own, and sets options.chip. */
extern const struct argp source_words_argp;
/* The children of a command that has no options but these and its own. Its input is state->child_inputs[0]. */
extern const struct argp_child source_capture_children[];

/* The value of --base and --bind; exits with the usage message if it is wrong. */
uint64_t source_base(const char *text, const struct argp_state *state);
void source_bind(uint32_t bound[PFIFO_DECODE_SUBCHANNELS], const char *text, const struct argp_state *state);

/* Decode a file with the source's options. Errors: those of the library, and of reading. */
enum pfifo_status source_decode(const struct source *source, const char *path, pfifo_decode_write write, void *opaque,
                                struct pfifo_error *error);

/* A file that is open, to be compared with another. */
struct source_file {
    struct pfifo_stream *stream; /* NULL: words alone */
    const void *words;
    size_t bytes;
    uint64_t base;    /* address of the words */
    uint32_t entries; /* of a ring, which the words are; 0: they are not */
    void *data;       /* that they are in, or NULL */
    struct pfifo_words *text;
    bool foreign; /* the data are a file of another program */
};

/* --object; exits with the usage message if it is wrong. */
void source_object(struct source *source, const char *text, const struct argp_state *state);

/* Is it a compiled program, for another command? Then the error says which. */
bool source_is_program(const char *path, const void *data, size_t bytes, struct pfifo_error *error);

/* The options that are only for words, as messages name them. */
const char *source_for_words(const struct source *source);

/* How words become a capture, with the source's options. Its objects are the source's. */
void source_words_options(const struct source *source, struct pfifo_words_capture_options *with);

/* pfifo_words_capture(), and a message if words that are to be run are a ring. */
struct pfifo_stream *source_words_capture(const struct pfifo_words *words,
                                          const struct pfifo_words_capture_options *with, const char *path,
                                          struct pfifo_error *error);

/* Say what a text does not have. */
void source_note_words(const struct pfifo_words *words, const char *path);

/* Open a file. Errors: as above. */
enum pfifo_status source_open(const struct source *source, const char *path, struct source_file *file,
                              struct pfifo_error *error);
void source_close(struct source_file *file);

/*
 * Open a file as `count` captures that are the same, each to be closed: what source_capture_argp's source says. False:
 * as above, and none is open.
 */
bool source_captures(const struct source *source, const char *path, struct pfifo_stream **stream, size_t count,
                     struct pfifo_error *error);
struct pfifo_stream *source_capture(const struct source *source, const char *path, struct pfifo_error *error);

/* Say why a file could not be read, and what --raw is for; not of failed output, which is reported at the end. */
void source_message(const struct pfifo_error *error);

#endif
