/* SPDX-License-Identifier: MIT */
/*
 * The decoder: what the words of a pushbuffer say, without executing them. And the assembler, its opposite.
 *
 *   capture ---> records ---.
 *                            decoder ---> events ---> text | JSON | digest | your own callback
 *   raw words, IB ring -----'
 *
 * The decoder knows the chip's grammar, follows jumps, calls, returns and IB entries, and keeps per channel which
 * class is bound to which subchannel. On chips with an IB (GPFIFO) a command's header may be in one segment and its
 * data in the next. An invalid word is reported, and decoding continues at the next position that makes sense: where
 * valid headers with fitting counts follow each other, and the bound classes have the methods. This position may be
 * before the bad word, if a count was too large and commands were taken for data, or after a word that the hardware
 * would accept as a command. An event reports each of these cases.
 *
 * Modelled:     all forms of NV4 to GH100, DMA mode and IB mode, SLI and subdevice masks
 * Not modelled: what methods do; words that the GPU itself writes while it runs are seen as they were recorded
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_DECODE_H
#define PFIFO_DECODE_H

#include <pfifo/classes.h>
#include <pfifo/chip.h>
#include <pfifo/error.h>
#include <pfifo/push.h>
#include <pfifo/stream.h>

#ifdef __cplusplus
extern "C" {
#endif

enum pfifo_decode_kind {
    PFIFO_DECODE_SUBMISSION, /* count segments follow; sequence */
    PFIFO_DECODE_ENTRY,      /* an IB entry at address: target, count, data and word are its high and low half */
    PFIFO_DECODE_SEGMENT,    /* count words at address */
    PFIFO_DECODE_HEADER,     /* a word that announces count data words for subchannel and method */
    PFIFO_DECODE_COUNT,      /* the second word of a long header: count */
    PFIFO_DECODE_METHOD,     /* a method with its data: a data word, or an immediate header */
    PFIFO_DECODE_JUMP,       /* old jump, jump, call, return: target */
    PFIFO_DECODE_CONTROL,    /* no-op, masks (data), end of segment */
    PFIFO_DECODE_SKIPPED,    /* count words, starting at address, are skipped or were misread; text says why */
    PFIFO_DECODE_ERROR,      /* the hardware would raise an error, or the words make no sense; text says why */
    PFIFO_DECODE_SYNCPOINT,  /* captures: the submission waits, or is done, when syncpoint `count` is `data`; form */
    PFIFO_DECODE_SYNC, /* captures: the submission waits for, or signals, point `target` of object `count`; form */
};

/* The kind as "event" in the JSON has it: "method". NULL if there is no such kind. */
PFIFO_API const char *pfifo_decode_kind_name(enum pfifo_decode_kind kind);

/* Something the decoder saw. Fields that a kind does not have are 0. */
struct pfifo_decode_event {
    enum pfifo_decode_kind kind;
    uint32_t channel;
    uint32_t sequence; /* of the submission that it is in */
    uint64_t address;  /* of the word */
    uint64_t target;   /* jumps, IB entries; of a sync object: 0 is the object itself */
    uint32_t word;     /* as in the pushbuffer */
    uint32_t count;
    uint32_t data;        /* of the method; masks */
    uint32_t bound_class; /* class of the subchannel, 0 if not known; of method 0: after it */
    uint32_t name_class;  /* class that names the method: the channel's for the puller's methods, else bound_class */
    uint16_t method;      /* byte offset */
    uint8_t subchannel;
    bool no_prefetch; /* segment: fetched only when everything before it is done */
    bool discarded;   /* method: the SLI or subdevice mask keeps it from this GPU */
    bool immediate;   /* method: its data is in the header, which it is at the same time */
    const char *
        form; /* name of the word's form ("increasing"); syncpoint: "wait", "fence"; sync: "wait", "signal"; constant text */
    const char *text; /* constant text or NULL */
    /* Skipped: the count words, little endian, if they are not in other events, and not in a line of context. */
    const uint8_t *words;
};

/* Called for each event, in order; the event is valid during the call. False: stop decoding. */
typedef bool (*pfifo_decode_sink)(void *opaque, const struct pfifo_decode_event *event);

/* Memory of the GPU for jumps: bytes at `address` and how many are contiguous; NULL: nothing there. */
typedef const uint8_t *(*pfifo_decode_map)(void *opaque, uint64_t address, size_t *bytes);

enum pfifo_decode_format {
    PFIFO_DECODE_TEXT,    /* for people: a line per word, aligned */
    PFIFO_DECODE_JSON,    /* for programs: an object per line; the schema is docs/json.schema.json */
    PFIFO_DECODE_DIGEST,  /* one line: NAME submissions=N words=N methods=N sha256=HEX */
    PFIFO_DECODE_MACROS,  /* GF100 and later: the macros that each channel has uploaded until it ends, disassembled */
    PFIFO_DECODE_SHADERS, /* Fermi to Pascal: the programs that are written to memory by inline copies, disassembled */
    PFIFO_DECODE_NOTHING, /* no output: for who counts (`errors`, `matches`) or takes values (`event`) */
};

struct pfifo_query;

/* Lines before or after each match of a query, at most. */
#define PFIFO_DECODE_CONTEXT_MAX 1000

/* An object that exists before the first word: what a handle stands for. */
struct pfifo_decode_object {
    uint32_t handle;
    uint32_t oclass;
};

#define PFIFO_DECODE_SUBCHANNELS PFIFO_PUSH_SUBCHANNELS

/* How to decode. Zero fields take defaults. */
struct pfifo_decode_options {
    size_t size;                   /* sizeof(struct pfifo_decode_options), see struct pfifo_config; 0 is the same */
    const struct pfifo_chip *chip; /* capture: default is the chip that it names. Raw words: required */
    enum pfifo_decode_format format;
    uint32_t subdevices; /* mask of the GPU in SLI and subdevice commands; default 1, the first GPU */
    bool old_forms;      /* GF100 to GP10x: the channel allows NV4's command forms too */
    uint32_t bound[PFIFO_DECODE_SUBCHANNELS]; /* classes that a new channel has bound; 0: as the chip's drivers do */
    const char *file;                         /* "file" in JSON; default: the name of the capture, if it is one */
    uint64_t *errors; /* incremented for each PFIFO_DECODE_ERROR, unless NULL. Not for pfifo_decoder_new() */

    /* Raw words only. */
    const char *name; /* for the digest, default "raw" */
    uint64_t base;    /* address of the first word, a multiple of 4 */
    bool ib;          /* G80 to MCP89: the words are an IB segment (no jumps). From GF100 on they always are */
    uint64_t ring;    /* address of an IB ring in the words ... */
    uint32_t entries; /* ... and how many entries to follow; 0: decode from the first word on. If the ring is all
                         that there is, only what the entries say */
    const struct pfifo_decode_object *objects; /* handles, before GF100 */
    size_t object_count;

    /*
     * Text, JSON and NOTHING, not for pfifo_decoder_new(): output only the lines that match a query (pfifo/query.h),
     * and so many before and after each, up to PFIFO_DECODE_CONTEXT_MAX. In the text, the lines of the submission and
     * segment come before the first match of theirs, and where lines are left out between groups of lines with
     * context, there is a line "--". NULL: all lines.
     */
    struct pfifo_query *query;
    unsigned before, after;
    uint64_t *matches;  /* incremented for each match, unless NULL */
    uint64_t match_max; /* decoding ends after so many matches of this call and the lines after them; 0: no limit */

    /*
     * Called with each event that is output, before its line is made, unless NULL. Not for pfifo_decoder_new(). With
     * PFIFO_DECODE_NOTHING a capture, or raw words, come as values. False: decoding ends with PFIFO_ERROR_IO.
     */
    pfifo_decode_sink event;
    void *event_opaque;

    /*
     * The words are a part of what a channel reads: there is no line of their segment; jumps, calls, returns and ends
     * of segments are shown, and not taken; a command may go on after the last word.
     */
    bool part;
    struct pfifo_push_packet packet; /* raw words only: that they begin in the middle of */
    /* Raw words only, before GF100: the class of a handle that `objects` does not have; 0: there is none. */
    uint32_t (*handle_class)(void *opaque, uint32_t handle);
    void *handle_opaque;
    enum pfifo_names names; /* of methods in text and JSON */
};

/* Takes finished output. False: it could not be written; decoding ends with PFIFO_ERROR_IO. */
typedef bool (*pfifo_decode_write)(void *opaque, const char *text, size_t bytes);

/*
 * Decode the rest of a capture. A capture that is malformed, or of no chip with pushbuffers, is an error; what came
 * before it is written. `options` may be NULL.
 */
PFIFO_API enum pfifo_status pfifo_decode_stream(struct pfifo_stream *stream, const struct pfifo_decode_options *options,
                                                pfifo_decode_write write, void *opaque, struct pfifo_error *error);

/* Decode raw little-endian words. Up to 3 bytes after the last whole word are reported and ignored. */
PFIFO_API enum pfifo_status pfifo_decode_raw(const void *data, size_t bytes, const struct pfifo_decode_options *options,
                                             pfifo_decode_write write, void *opaque, struct pfifo_error *error);

/* A word of a capture, by its submission and address. */
struct pfifo_decode_mark {
    uint32_t sequence;
    uint64_t address;
};

/* Lines on each side of a mark, at most. */
#define PFIFO_DECODE_AROUND_MAX 16

/*
 * A line of the text or JSON around mark `mark`: `distance` lines before it (negative) or after it; 0 is the line of
 * the mark itself. The text has no newline and no terminating zero. False: stop decoding.
 */
typedef bool (*pfifo_decode_around_line)(void *opaque, size_t mark, int distance, const char *text, size_t bytes);

/*
 * Decode the rest of a capture, but output only the lines around some of its words: `lines` before and after each, in
 * the order of the stream. If a word is decoded several times in its submission, only the first time counts. A word
 * that is in no pushbuffer gives no lines. Errors as for pfifo_decode_stream(); the formats are text and JSON.
 */
PFIFO_API enum pfifo_status pfifo_decode_around(struct pfifo_stream *stream, const struct pfifo_decode_options *options,
                                                const struct pfifo_decode_mark *marks, size_t count, unsigned lines,
                                                pfifo_decode_around_line line, void *opaque, struct pfifo_error *error);

/*
 * The digest of a capture as a line without newline: `NAME submissions=N words=N methods=N sha256=HEX`. The hash runs
 * over u8 subchannel, u16 method, u32 data (little endian) of each method in order. Prints as snprintf does; the
 * length is less than 512.
 */
PFIFO_API enum pfifo_status pfifo_decode_digest(struct pfifo_stream *stream, char *line, size_t size,
                                                struct pfifo_error *error);

/*
 * Words of an instruction of the chip's macro processor (MME): 1 from GF100 on, 3 from TU102 on; 0: the chip has none.
 */
PFIFO_API size_t pfifo_macro_words(const struct pfifo_chip *chip);

/*
 * An instruction as text, in the notation that pfifo-decode(1) describes: `words` are the pfifo_macro_words() from word
 * `address` of the code RAM on, in the order in which they are uploaded; methods are named as those of `class_id` (0:
 * not at all). Prints as snprintf does; the length is less than 512. Empty if the chip has no macros.
 */
PFIFO_API size_t pfifo_macro_format(const struct pfifo_chip *chip, uint32_t class_id, uint32_t address,
                                    const uint32_t *words, char *buf, size_t size);

/*
 * An instruction of a shader program as text, with NVIDIA's names, Fermi to Pascal: `words` has what lies at `address`
 * of the program region, 8 bytes. *bytes: how long it is, 4 or 8; 0: the instruction set is not known, and the text
 * empty. "schedule ...": a word for the scheduler, and what it says; "illegal": no instruction. The text is nvdisasm's,
 * and says all that the word says; bits that no field has follow in braces. Prints as snprintf does; the length is less
 * than 400.
 */
PFIFO_API size_t pfifo_shader_format(const struct pfifo_chip *chip, uint32_t address, const void *words, size_t *bytes,
                                     char *buf, size_t size);

/* The decoder itself, for other sources of words and other sinks. One decoder knows any number of channels. */
struct pfifo_decoder;

/* Channels that one decoder can tell apart at a time. */
#define PFIFO_DECODE_MAX_CHANNELS 4096

/*
 * Make a decoder. Of the options, only chip, subdevices, old_forms, bound, ib, part and format are used. With the
 * format PFIFO_DECODE_DIGEST, words are decoded exactly as the hardware does. NULL on error: no chip, a chip without
 * pushbuffers, no memory. `map` (NULL allowed) is called when a jump leaves the segment.
 */
PFIFO_API struct pfifo_decoder *pfifo_decoder_new(const struct pfifo_decode_options *options, pfifo_decode_sink sink,
                                                  pfifo_decode_map map, void *opaque, struct pfifo_error *error);
PFIFO_API void pfifo_decoder_free(struct pfifo_decoder *decoder);

/* An object was made in a channel. `label` (NULL allowed, constant text) says more: "VRAM", "notifier". */
PFIFO_API enum pfifo_status pfifo_decoder_object(struct pfifo_decoder *decoder, uint32_t channel, uint32_t handle,
                                                 uint32_t oclass, const char *label, struct pfifo_error *error);

/* Look an object up. False if there is none; `oclass` and `label` may be NULL. */
PFIFO_API bool pfifo_decoder_find_object(const struct pfifo_decoder *decoder, uint32_t channel, uint32_t handle,
                                         uint32_t *oclass, const char **label);

/* A submission begins. PFIFO_ERROR_IO: the sink returned false; also below. */
PFIFO_API enum pfifo_status pfifo_decoder_submission(struct pfifo_decoder *decoder, uint32_t channel, uint32_t sequence,
                                                     uint32_t segments, struct pfifo_error *error);

/* How a segment is entered. */
enum pfifo_decode_entry {
    PFIFO_DECODE_BY_GET,  /* DMA mode: GET is set to its start and PUT to its end */
    PFIFO_DECODE_BY_CALL, /* DMA mode: a call; the return ends it */
    PFIFO_DECODE_BY_IB,   /* an IB entry */
};

struct pfifo_decode_segment {
    uint32_t channel;
    uint64_t address;
    const uint8_t *words; /* little endian, any alignment */
    size_t count;
    enum pfifo_decode_entry entry;
    bool no_prefetch;
};

/*
 * Decode a segment. Always returns: a jump that was taken in the same state before ends it, and so does a limit. Events
 * say so, and how many words after the last jump in the segment were not decoded.
 */
PFIFO_API enum pfifo_status pfifo_decoder_segment(struct pfifo_decoder *decoder,
                                                  const struct pfifo_decode_segment *segment,
                                                  struct pfifo_error *error);

/* Decode an IB (GPFIFO) entry at `address` and the segment it points to, which `map` has to find. */
PFIFO_API enum pfifo_status pfifo_decoder_ib_entry(struct pfifo_decoder *decoder, uint32_t channel, uint64_t address,
                                                   uint32_t low, uint32_t high, struct pfifo_error *error);

/*
 * The next words of a channel are in the middle of this command (all 0: of none), whatever the words before said.
 * PFIFO_ERROR_ARGUMENT: commands have no such form, method or subchannel.
 */
PFIFO_API enum pfifo_status pfifo_decoder_resume(struct pfifo_decoder *decoder, uint32_t channel,
                                                 const struct pfifo_push_packet *packet, struct pfifo_error *error);

/* A channel ends: a command that still waits for data is reported, and its state and objects are forgotten. */
PFIFO_API enum pfifo_status pfifo_decoder_channel_end(struct pfifo_decoder *decoder, uint32_t channel,
                                                      struct pfifo_error *error);

/* All channels end. */
PFIFO_API enum pfifo_status pfifo_decoder_end(struct pfifo_decoder *decoder, struct pfifo_error *error);

/* A message about a line of a text: an error; or a warning, and the words are made all the same. */
struct pfifo_assemble_message {
    uint32_t line, column; /* from 1 */
    bool warning;
    const char *text; /* why; valid during the call */
};

/* Memory that a text describes with `buffer`. Its words are among the others, but no part of the pushbuffer. */
struct pfifo_assemble_buffer {
    uint64_t address, bytes; /* whole pages of 4096 bytes */
    size_t first, count;     /* its words; the rest is zeros */
};

/* A text has at most this many buffers. */
#define PFIFO_ASSEMBLE_BUFFERS 64

typedef void (*pfifo_assemble_buffer_told)(void *opaque, const struct pfifo_assemble_buffer *buffer);
typedef void (*pfifo_assemble_told)(void *opaque, const struct pfifo_assemble_message *message);

/* After this many errors the rest of a text is not read; at most this many warnings are reported. */
#define PFIFO_ASSEMBLE_MESSAGES 20

/* How to assemble. Zero fields take defaults. */
struct pfifo_assemble_options {
    size_t size;                   /* sizeof(struct pfifo_assemble_options), see struct pfifo_config; 0 is the same */
    const struct pfifo_chip *chip; /* required */
    uint64_t base;                 /* address of the first word, a multiple of 4: labels count from it */
    uint32_t bound[PFIFO_DECODE_SUBCHANNELS]; /* classes whose methods have names; 0: as the chip's drivers do */
    bool in_order; /* the decoder's text: words in the order of the lines, whatever their addresses are */
    /*
     * The words are a segment of a capture, which from G80 on a ring has an entry for: a command that always faults
     * there ("jump" on G80) is an error. Otherwise it is a warning.
     */
    bool segment;
    pfifo_assemble_told told; /* called for each error and warning, in no order, unless NULL */
    void *told_opaque;
    /* Called for each buffer of a text without errors, by ascending `first`. NULL: `buffer` is an error. */
    pfifo_assemble_buffer_told buffer;
    void *buffer_opaque;
    /*
     * Before GF100: handles that method 0 binds. Others stand for the class that pfifo_words_capture() takes them for.
     */
    const struct pfifo_decode_object *objects;
    size_t object_count;
};

/*
 * Assemble text into words for a chip. A line is one of the decoder's text (PFIFO_DECODE_TEXT), or a command:
 *
 *   inc SUBC METHOD DATA...      increasing methods           noninc SUBC METHOD DATA...   all to one method
 *   once SUBC METHOD DATA...     GF100: increase once         long SUBC METHOD DATA...     G80: long non-increasing
 *   imm SUBC METHOD DATA         GF100: immediate             nop
 *   METHOD DATA...               as inc, on the first subchannel whose class has the method
 *   jump TARGET     oldjump TARGET     call TARGET     return
 *   sli MASK        setmask MASK       storemask MASK  usemask      end
 *   word HEX...                  as it is                     data NUMBER...               as it is
 *   bind SUBC CLASS              what the names of the next lines belong to; no word
 *   NAME:                        a label; a command may follow
 *   buffer NAME BYTES [ADDRESS]  up to a line `endbuffer`: other memory, of whole pages; NAME is its label
 *   macro NAME PARAMETER...      up to a line `endmacro`: lines for NAME ARGUMENT..., $PARAMETER being an argument
 *
 * METHOD: a byte offset, NAME of the class that is bound, CLASS.NAME ("FERMI_A.SET_OBJECT", "9097.NO_OPERATION"), or
 * .NAME of the channel's class. On GF100 and later, method 0 binds the class that it has as data; before, it is a
 * handle, and `bind` is needed. count=N after METHOD puts another count into the header than there are data words.
 * DATA: a number, a name that the whole word may have (OGL_LESS), { FIELD=VALUE ... } with names or numbers as the
 * decoder prints them, missing fields being 0, or the address of a label: @NAME its bits 31:0, @NAME.high its bits
 * 63:32. A field of one bit alone is set, and VALUE|VALUE are flags, which have no bit in common. TARGET: a number or a
 * label. Numbers: decimal, 0x hexadecimal; data also floats (1.0) and negative numbers. Of a method whose data is a
 * float (its field V is), decimal numbers are floats, too, as the decoder prints them: 1 is 1.0, and hexadecimal ones
 * are its bits. Commas are blanks. Everything after a # is a comment.
 *
 * In a line of the decoder's text, only the address and the word count. The words of a segment come in the order of
 * their addresses, each once; if one is missing, that is an error, unless `in_order`. Segments follow each other.
 *
 * At most `max` words are written (`words` may be NULL if it is 0); `*count` is how many there are in all: never more
 * than half the bytes of the text and one, but for macros, which make up to 4 MiB more of it. The work grows with the
 * text as n log n. PFIFO_ERROR_ARGUMENT if a line is wrong or the chip cannot say it; the message has the line and the
 * column of the first.
 */
PFIFO_API enum pfifo_status pfifo_assemble_text(const char *text, size_t bytes,
                                                const struct pfifo_assemble_options *options, uint32_t *words,
                                                size_t max, size_t *count, struct pfifo_error *error);

/* The same for a text with a terminating zero, and a chip alone. */
PFIFO_API enum pfifo_status pfifo_assemble(const struct pfifo_chip *chip, const char *text, uint32_t *words, size_t max,
                                           size_t *count, struct pfifo_error *error);

/*
 * The data word of a method, as DATA says it above, but for labels. FIELD=VALUE ... without braces changes these fields
 * in *word, and leaves the others. `class_id`: names the method; 0: none is known, and only numbers are data, but for
 * the channel's methods. PFIFO_ERROR_ARGUMENT with the reason; *word stays then.
 */
PFIFO_API enum pfifo_status pfifo_assemble_data(const struct pfifo_chip *chip, uint32_t class_id, uint32_t method,
                                                const char *text, uint32_t *word, struct pfifo_error *error);

#ifdef __cplusplus
}
#endif

#endif
