/* SPDX-License-Identifier: MIT */
/*
 * What xemu, an emulator of the Xbox, logs of the methods that its PGRAPH gets:
 *
 *   nv2a_pgraph_method 0: 0x97 -> 0x1d94 NV097_CLEAR_SURFACE[0] 0xf3      -trace nv2a_pgraph_method
 *   nv2a_pgraph_method_unhandled 0: 0x97 -> 0x0294 0x20001                a method that it does not execute
 *   nv2a_pgraph_method_abbrev 0: 0x97 -> 0x1800 NV097_ARRAY_ELEMENT16 * 11   data that it does not show
 *   nv2a_pgraph_method (0): 0x97 -> 0x0294 (0x20001)                      older versions
 *   nv2a: pgraph method (0): 0x97 -> 0x1d94 (0xf3)                        still older ones, and nv2a-trace
 *   pgraph method (0): NV097_CLEAR_SURFACE (0xf3)                         XQEMU
 *   nv2a_pgraph_method 0: NV20_KELVIN_PRIMITIVE<0x97> -> NV097_CLEAR_SURFACE<0x1d94> (0xF3 {...})   made pretty
 *
 * These are methods behind the puller: subchannel, class of the object that is bound, method, data. Words that
 * would do the same are made of them. A class that a subchannel did not have before is bound first. Of objects the
 * log has the instance and not the handle, so that handles are made of instances, see xemu_handle().
 *
 * A frame, up to FLIP_WAIT (xemu: NV097_FLIP_STALL), is a submission.
 *
 * Sources: xemu hw/xbox/nv2a/trace-events, pgraph/pgraph.c (pgraph_method, pgraph_method_log), pfifo.c
 */
#include "stream/listing.h"

#include <pfifo/classes.h>

#include <string.h>

#include "grammar/grammar.h"
#include "memory/little_endian.h"
#include "methods/nv20_3d.h"

enum {
    SUBCHANNELS = 8,
    MOST_COUNT = (1 << NV4_COUNT_BITS) - 1,
    METHOD_END = 0x2000,
    KELVIN = 0x97,
    FIRST_CONTEXT = 0x180, /* methods whose data is a handle */
    LAST_CONTEXT = 0x1fc,
    ALL_OF_MEMORY = (int)0xbeef0201, /* handle of the DMA object that all channels of a capture have */
    INSTANCES = 256,
    NAME_ROOM = 96,
};

enum xemu_kind { XEMU_METHOD, XEMU_UNHANDLED, XEMU_ABBREVIATED };

/* What a line says. */
struct xemu_line {
    enum xemu_kind kind;
    uint32_t subchannel, oclass, method, data;
    uint32_t hidden; /* words of data that the log does not have */
};

struct xemu_reader {
    struct pfifo_words *words;
    struct pfifo_error *error;
    struct xemu_line last;       /* method that was added last */
    uint32_t last_count;         /* of its packet; 0: no packet is open */
    size_t header;               /* of the packet: offset in the bytes of the words */
    bool nonincreasing;          /* the packet is one */
    bool open;                   /* a segment is */
    uint32_t submission;         /* of the next segment */
    uint32_t bound[SUBCHANNELS]; /* handle */
    uint32_t oclass[SUBCHANNELS];
    struct {
        uint32_t instance, handle;
    } object[INSTANCES];
    size_t objects;
};

/* ---- a line ---- */

static void xemu_skip_blanks(const char **at, const char *end) {
    while (*at < end && (**at == ' ' || **at == '\t'))
        ++*at;
}

/* "0x" and digits of a 32-bit number. */
static bool xemu_number(const char **at, const char *end, uint32_t *value) {
    const char *p = *at;
    uint64_t number;

    if (!listing_skip(&p, end, "0x") || !listing_hex(&p, end, &number) || number > UINT32_MAX)
        return false;
    *value = (uint32_t)number;
    *at = p;
    return true;
}

/* A number, or NAME<number>. */
static bool xemu_named_number(const char **at, const char *end, uint32_t *value) {
    const char *p = *at;

    if (xemu_number(at, end, value))
        return true;
    while (p < end && *p != ' ' && *p != '<' && *p != '(')
        p++;
    if (p == *at || !listing_skip(&p, end, "<") || !xemu_number(&p, end, value) || !listing_skip(&p, end, ">"))
        return false;
    *at = p;
    return true;
}

/* Digits of a decimal number; 0 if there are none. What is too large for any of them ends early. */
static uint32_t xemu_decimal(const char **at, const char *end) {
    uint32_t value = 0;

    for (; *at < end && **at >= '0' && **at <= '9' && value < METHOD_END; ++*at)
        value = 10 * value + (uint32_t)(**at - '0');
    return value;
}

/* A method by name, in a class: NV097_SET_VIEWPORT_OFFSET[4] is that method and 4 bytes more. */
static bool xemu_named_method(const char **at, const char *end, uint32_t oclass, uint32_t *method) {
    char name[NAME_ROOM];
    const char *p = *at;

    while (p < end && *p != ' ' && *p != '[' && *p != '(' && p - *at < NAME_ROOM)
        p++;
    if (p == *at || p - *at == NAME_ROOM)
        return false;
    memcpy(name, *at, (size_t)(p - *at));
    name[p - *at] = 0;
    if (!pfifo_method_by_name(oclass, name, method))
        return false;
    if (listing_skip(&p, end, "["))
        *method += xemu_decimal(&p, end);
    listing_skip(&p, end, "]");
    *at = p;
    return true;
}

/* The class in front of the name of a method: NV097_... The name still follows. */
static bool xemu_class_of_name(const char *at, const char *end, uint32_t *oclass) {
    uint64_t number;

    if (!listing_skip(&at, end, "NV") || !listing_hex(&at, end, &number) || number > UINT16_MAX || at == end ||
        *at != '_')
        return false;
    *oclass = (uint32_t)number;
    return true;
}

/* The data in parentheses: "(0x10)", "(0x10 {...})", or with what it means before it: "(16 <0x10>)". */
static bool xemu_explained_data(const char *at, const char *end, uint32_t *data) {
    const char *angle = NULL;

    for (const char *p = at; p < end; p++)
        if (*p == '<' && end - p > 3 && p[1] == '0' && p[2] == 'x')
            angle = p + 1;
    return angle ? xemu_number(&angle, end, data) : xemu_number(&at, end, data);
}

/* What follows the method: perhaps its name, then data, or "* COUNT". */
static bool xemu_data(const char *at, const char *end, struct xemu_line *line) {
    xemu_skip_blanks(&at, end);
    if (at < end && *at != '(' && *at != '*' && !(end - at > 1 && at[0] == '0' && at[1] == 'x'))
        while (at < end && *at != ' ' && *at != '\t')
            at++;
    xemu_skip_blanks(&at, end);
    if (listing_skip(&at, end, "* ")) {
        line->kind = XEMU_ABBREVIATED;
        line->hidden = xemu_decimal(&at, end) + 1; /* the first one does not count for xemu */
        return true;
    }
    if (listing_skip(&at, end, "(<NO_DATA>")) {
        line->kind = XEMU_ABBREVIATED;
        line->hidden = 1;
        return true;
    }
    return listing_skip(&at, end, "(") ? xemu_explained_data(at, end, &line->data) : xemu_number(&at, end, &line->data);
}

/* What follows the name of the event; NULL: the line has none. */
static const char *xemu_find(const struct listing_line *line) {
    static const char *const starts[] = {"nv2a_pgraph_method", "pgraph method", "pgraph_method"};

    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++) {
        const char *at = memmem(line->text, (size_t)(line->end - line->text), starts[i], strlen(starts[i]));
        if (at)
            return at + strlen(starts[i]);
    }
    return NULL;
}

/* The subchannel: "0:", "(0):" or "(0)". */
static bool xemu_subchannel(const char **at, const char *end, uint32_t *subchannel) {
    xemu_skip_blanks(at, end);
    listing_skip(at, end, "(");
    if (*at == end || **at < '0' || **at > '9')
        return false;
    *subchannel = (uint32_t)(*(*at)++ - '0');
    if (*at < end && **at >= '0' && **at <= '9')
        return false;
    listing_skip(at, end, ")");
    listing_skip(at, end, ":");
    xemu_skip_blanks(at, end);
    return true;
}

/*
 * Is this a line with a method? *reason: why it cannot be read. A subchannel of -1 is a remark that some versions make
 * in the form of a method.
 */
static bool xemu_parse(const struct listing_line *line, struct xemu_line *found, const char **reason) {
    const char *at = xemu_find(line), *end = line->end;

    *found = (struct xemu_line){.kind = XEMU_METHOD};
    *reason = NULL;
    if (!at)
        return false;
    if (listing_skip(&at, end, "_unhandled"))
        found->kind = XEMU_UNHANDLED;
    else
        listing_skip(&at, end, "_abbrev");
    if (!xemu_subchannel(&at, end, &found->subchannel))
        return false;
    if (found->subchannel >= SUBCHANNELS)
        *reason = "subchannels are 0 to 7";
    else if (xemu_named_number(&at, end, &found->oclass)) {
        xemu_skip_blanks(&at, end);
        if (!listing_skip(&at, end, "->"))
            *reason = "no -> after the class";
        xemu_skip_blanks(&at, end);
    } else if (!xemu_class_of_name(at, end, &found->oclass))
        *reason = "no class, such as 0x97, after the subchannel";
    if (!*reason && !xemu_named_number(&at, end, &found->method) &&
        !xemu_named_method(&at, end, found->oclass, &found->method))
        *reason = "no number of a method, such as 0x1d94, and no name that the class has";
    else if (!*reason && (found->method >= METHOD_END || found->method % 4))
        *reason = "methods are multiples of 4, below 0x2000";
    else if (!*reason && !xemu_data(at, end, found))
        *reason = "no data, such as 0x10 or (0x10), after the method";
    return true;
}

/* ---- words ---- */

/*
 * A handle for an object whose instance is known, at a multiple of 16 in 1 MiB: the class is in the low half, as in
 * handles that Mesa gives, and the instance in the other. Nothing is known of one without an instance but its class.
 */
static uint32_t xemu_handle(uint32_t instance, uint32_t oclass) {
    return (instance >> 4 & 0xffff) << 16 | (oclass & 0xffff);
}

/*
 * Handle of an instance that is the data of a method. One that was never bound is a DMA object.
 * UNKNOWN: which memory a DMA object of a log covers, as it has the address of the object and not what is in it.
 * Chosen: all of memory from address 0, as those of Xbox programs mostly do.
 */
static uint32_t xemu_handle_of(const struct xemu_reader *reader, uint32_t instance) {
    for (size_t i = reader->objects; i-- > 0;)
        if (reader->object[i].instance == instance)
            return reader->object[i].handle;
    return instance ? (uint32_t)ALL_OF_MEMORY : 0;
}

static enum pfifo_status xemu_begin(struct xemu_reader *reader, uint32_t line) {
    const struct pfifo_words_segment segment = {.submission = reader->submission, .line = line};

    reader->open = true;
    reader->last_count = 0;
    return listing_begin(reader->words, &segment, reader->error);
}

/* Does the method go on with the packet of the one before? It may make a packet of one method a non-increasing one. */
static bool xemu_goes_on(const struct xemu_reader *reader, const struct xemu_line *line) {
    const struct xemu_line *last = &reader->last;

    if (!reader->last_count || reader->last_count == MOST_COUNT || line->subchannel != last->subchannel)
        return false;
    if (line->method == last->method)
        return reader->nonincreasing || reader->last_count == 1;
    return line->method == last->method + 4 && !reader->nonincreasing;
}

/* A word of data, in the packet before or in one of its own. */
static enum pfifo_status xemu_add(struct xemu_reader *reader, const struct xemu_line *line, uint32_t number) {
    uint32_t header = 1u << NV4_COUNT_SHIFT | line->subchannel << GRAMMAR_SUBCHANNEL_SHIFT | line->method;
    enum pfifo_status status = PFIFO_OK;
    uint8_t *at;

    if (!reader->open)
        status = xemu_begin(reader, number);
    if (status == PFIFO_OK && xemu_goes_on(reader, line)) {
        at = reader->words->data.data + reader->header;
        reader->nonincreasing = line->method == reader->last.method;
        store_le32(at, (load_le32(at) + (1u << NV4_COUNT_SHIFT)) | (reader->nonincreasing ? NV4_NONINCREASING : 0));
        reader->last_count++;
    } else if (status == PFIFO_OK) {
        reader->header = reader->words->data.size;
        reader->nonincreasing = false;
        reader->last_count = 1;
        status = listing_append_word(reader->words, header, number, reader->error);
    }
    reader->last = *line;
    return status == PFIFO_OK ? listing_append_word(reader->words, line->data, number, reader->error) : status;
}

/* The object of a line is bound, unless it is already. A method 0 has its instance. */
static enum pfifo_status xemu_bind(struct xemu_reader *reader, const struct xemu_line *line, uint32_t number) {
    bool known = line->method == 0 && line->kind != XEMU_ABBREVIATED;
    uint32_t handle = xemu_handle(known ? line->data : 0, line->oclass);
    struct xemu_line bind = {.subchannel = line->subchannel, .data = handle};

    if (line->oclass == 0 || (!known && reader->oclass[line->subchannel] == line->oclass) ||
        (known && reader->bound[line->subchannel] == handle))
        return PFIFO_OK;
    reader->bound[line->subchannel] = handle;
    reader->oclass[line->subchannel] = line->oclass;
    if (known) {
        size_t place = reader->objects < INSTANCES ? reader->objects++ : INSTANCES - 1;
        reader->object[place].instance = line->data;
        reader->object[place].handle = handle;
    }
    return xemu_add(reader, &bind, number);
}

/* Words are missing here, as a segment of their own. */
static enum pfifo_status xemu_hide(struct xemu_reader *reader, const struct xemu_line *line, uint32_t number) {
    enum pfifo_status status = xemu_begin(reader, number);

    if (status == PFIFO_OK)
        reader->words->segment[reader->words->segments - 1].missing = line->hidden;
    reader->open = false;
    return status;
}

/* With both events on, xemu logs a method that it does not execute twice. */
static bool xemu_is_twice(const struct xemu_reader *reader, const struct xemu_line *line) {
    const struct xemu_line *last = &reader->last;

    return line->kind == XEMU_UNHANDLED && last->kind == XEMU_METHOD && line->subchannel == last->subchannel &&
           line->oclass == last->oclass && line->method == last->method && line->data == last->data;
}

static enum pfifo_status xemu_take(struct xemu_reader *reader, struct xemu_line line, uint32_t number) {
    const struct xemu_line as_logged = line;
    enum pfifo_status status;

    if (xemu_is_twice(reader, &line)) {
        reader->last.kind = XEMU_UNHANDLED;
        return PFIFO_OK;
    }
    status = xemu_bind(reader, &line, number);
    if (status != PFIFO_OK)
        return status;
    if (line.kind == XEMU_ABBREVIATED)
        return xemu_hide(reader, &line, number);
    if (line.method >= FIRST_CONTEXT && line.method <= LAST_CONTEXT)
        line.data = xemu_handle_of(reader, line.data);
    if (line.method)
        status = xemu_add(reader, &line, number);
    else
        reader->last_count = 0; /* the packet before it is of another method than what becomes `last` */
    reader->last = as_logged;
    if (line.oclass == KELVIN && line.method == NV20_3D_FLIP_WAIT) {
        reader->open = false;
        reader->submission++;
    }
    return status;
}

/* ---- the format ---- */

static bool xemu_recognise(struct listing_text text) {
    struct listing_line line;
    struct xemu_line found;
    const char *reason;

    while (listing_next_line(&text, &line))
        if (xemu_parse(&line, &found, &reason) && !reason)
            return true;
    return false;
}

static enum pfifo_status xemu_read(struct listing_text text, struct pfifo_words *words, struct pfifo_error *error) {
    struct xemu_reader reader = {.words = words, .error = error, .submission = 1};
    enum pfifo_status status = PFIFO_OK;
    struct listing_line line;
    struct xemu_line found;
    const char *reason;

    words->has_channels = true;
    while (status == PFIFO_OK && listing_next_line(&text, &line)) {
        if (!xemu_parse(&line, &found, &reason))
            continue;
        if (reason && !line.whole) {
            words->cut = true;
            words->cut_line = line.number;
            break;
        }
        status =
            reason ? listing_error(words, line.number, error, "%s", reason) : xemu_take(&reader, found, line.number);
    }
    return status;
}

const struct listing_format listing_format_xemu = {"xemu", xemu_recognise, xemu_read, "NV2A"};
