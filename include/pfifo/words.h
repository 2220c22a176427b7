/* SPDX-License-Identifier: MIT */
/*
 * Words of pushbuffers in texts: what a log, a dump or another tool has printed.
 *
 *   text --> which format? --> words, each with its line --> segments --> pfifo_decode_raw(), or a capture in memory
 *
 * Which format a text is in is found out from what it says. pfifo-input(7) lists the formats:
 *
 *   libdrm  what libdrm's nouveau lists with NOUVEAU_LIBDRM_DEBUG=1: channels, submissions, segments and buffers
 *   nvk     what Mesa prints with NVK_DEBUG=push: headers, and fields that words are put together from
 *   demmt   what envytools' demmt prints
 *   xemu    methods that xemu logs (-trace nv2a_pgraph_method), always of an NV2A
 *   hex     words of 8 hexadecimal digits, and dumps of memory: xxd, hexdump, od, gdb, the kernel's print_hex_dump
 *   entries of a ring: groups of 16 digits, of which no capture can be made: what they point to is not there
 *
 * Lines that have no words, such as others of a log, are passed over. A line that has words but cannot be read is an
 * error, with its number. If a text fits no format, no format is guessed.
 *
 * Modelled:     byte order of dumps that show their bytes as text, too; repeated lines (*); gaps in addresses
 * Not modelled: compressed texts; words in groups of 16 digits
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_WORDS_H
#define PFIFO_WORDS_H

#include <pfifo/decode.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The words of a text. */
struct pfifo_words;

/* Words that follow each other in a pushbuffer. */
struct pfifo_words_segment {
    uint32_t channel;    /* as the text has it, else 0 */
    uint32_t submission; /* 1, 2, 3 ...: segments of one submission have the same */
    uint64_t address;    /* of the first word, if the text says it */
    size_t first, count; /* words of pfifo_words_data() */
    uint32_t missing;    /* words that the text announces and does not have: after the others */
    uint32_t line;       /* where it begins */
    bool has_address;
    bool no_prefetch;
};

/* A text as a whole. Lines are counted from 1; 0: none. */
struct pfifo_words_info {
    const char *format; /* "hex" ... */
    const char *chip;   /* of all texts in this format; NULL: the text does not say which */
    size_t words, segments;
    uint32_t submissions;
    bool has_channels; /* the text tells channels and submissions apart */
    bool are_entries;  /* pairs of words, low and high, are entries of a ring: pfifo_decode_options.entries */
    bool cut;          /* it ends inside a word or a segment: these words are left out */
    uint32_t cut_line;
    size_t missing; /* segments that miss words */
    uint32_t missing_line;
};

/* Can these bytes be a text with words? They are printable, and a line looks like words. */
PFIFO_API bool pfifo_words_recognise(const void *data, size_t bytes);

/*
 * Read a text. `name` is what messages call it. NULL: PFIFO_ERROR_FORMAT, with name, line and reason;
 * PFIFO_ERROR_MEMORY.
 */
PFIFO_API struct pfifo_words *pfifo_words_read(const void *data, size_t bytes, const char *name,
                                               struct pfifo_error *error);

/* Free it (NULL allowed). */
PFIFO_API void pfifo_words_free(struct pfifo_words *words);

PFIFO_API struct pfifo_words_info pfifo_words_info(const struct pfifo_words *words);

/* All words, little endian, segment by segment. Valid until they are freed. */
PFIFO_API const void *pfifo_words_data(const struct pfifo_words *words, size_t *bytes);

/* Segment `index`, which is less than their number. */
PFIFO_API struct pfifo_words_segment pfifo_words_segment(const struct pfifo_words *words, size_t index);

/* The line that a word is in. 0: there is no such word. */
PFIFO_API uint32_t pfifo_words_line(const struct pfifo_words *words, size_t word);

/* Little-endian words, as they would be read: one segment, without lines. NULL: PFIFO_ERROR_MEMORY. */
PFIFO_API struct pfifo_words *pfifo_words_raw(const void *data, size_t bytes, const char *name,
                                              struct pfifo_error *error);

/* Address of words that have none and for which none is given, in all commands of the tool. */
#define PFIFO_WORDS_BASE 0x100000

/* Memory besides the words, and what it contains at first; the rest is zeros. */
struct pfifo_words_buffer {
    uint64_t address, bytes; /* whole pages of 4096 bytes, which no segment has words in */
    const void *data;
    size_t data_bytes;
};

/* How to make a capture of words. Zero fields take defaults. */
struct pfifo_words_capture_options {
    size_t size; /* sizeof(struct pfifo_words_capture_options), see struct pfifo_config; 0 is the same */
    const struct pfifo_chip *chip; /* one with pushbuffers; NULL: the text's, if it says which */
    bool has_base;                 /* the lowest address of the words becomes ... */
    uint64_t base;                 /* ... this; else it stays. Words without an address begin here, else
                                      at PFIFO_WORDS_BASE */
    /*
     * Before GF100: what each channel has; class 0x3d: memory, of a page. Other handles that words bind stand for a
     * class if Mesa's drivers always give it this handle, or if the low 16 bits are one: those objects are made, too.
     */
    const struct pfifo_decode_object *objects;
    size_t object_count;
    /*
     * It is to be run: words that have an address that no pushbuffer has, or one in the first page, which captures
     * have no memory in, begin at PFIFO_WORDS_BASE, and segments of channels in DMA mode that do not end with a return
     * get one. A base in the first page is PFIFO_ERROR_ARGUMENT.
     */
    bool runs;
    const struct pfifo_words_buffer *buffers; /* each of other pages */
    size_t buffer_count;
    bool ring; /* NV4:G80: the words are a channel's own pushbuffer, whatever they say; see pfifo_words_ring() */
    /* Classes that the subchannels have before the first word, by objects that are made for it. 0: none. */
    uint32_t bound[PFIFO_DECODE_SUBCHANNELS];
};

/*
 * Words with a call, or with a jump among themselves, cannot be a subroutine, as a kernel driver has segments: they are
 * a channel's own pushbuffer, a ring.
 */
struct pfifo_words_ring {
    bool chosen; /* they are one, or the options say so; else all is 0 */
    /*
     * The channel enters at GET. PUT, which texts do not have, is where the words end; or where the empty ones begin
     * before a subroutine that was called; or at the jump that would begin the words again.
     */
    uint64_t get, put;
    bool has_reason, calls; /* a call, or a jump, ... */
    uint64_t at, target;    /* ... is in the words here, and leads there */
};

/*
 * A capture in memory (version 1) of what a text says: its channels, submissions and segments, and memory for them. It
 * has nothing that the text does not have: other memory that commands refer to is missing. NULL on error:
 * PFIFO_ERROR_ARGUMENT, PFIFO_ERROR_MEMORY, PFIFO_ERROR_UNSUPPORTED (a chip without pushbuffers, a segment that is too
 * long), with the name and line.
 */
PFIFO_API struct pfifo_stream *pfifo_words_capture(const struct pfifo_words *words,
                                                   const struct pfifo_words_capture_options *options,
                                                   struct pfifo_error *error);

/*
 * What pfifo_words_capture() makes of such words; of several rings, the first. Segments that others jump to or call are
 * memory then, and no submissions. Errors: as there; with options.ring, also PFIFO_ERROR_UNSUPPORTED (the chip's
 * channels have segments only) and PFIFO_ERROR_ARGUMENT (a text that tells channels apart, or has several words for one
 * address).
 */
PFIFO_API enum pfifo_status pfifo_words_ring(const struct pfifo_words *words,
                                             const struct pfifo_words_capture_options *options,
                                             struct pfifo_words_ring *ring, struct pfifo_error *error);

/* The line of the word at an address of such a capture, in a submission. 0: the text does not have it. */
PFIFO_API uint32_t pfifo_words_capture_line(const struct pfifo_words *words,
                                            const struct pfifo_words_capture_options *options, uint32_t sequence,
                                            uint64_t address);

#ifdef __cplusplus
}
#endif

#endif
