/* SPDX-License-Identifier: MIT */
/*
 * The query language: which lines of a command stream, or events of a run, somebody wants to see.
 *
 *   decoder --pfifo_decode_event--.
 *                                  query --> yes or no
 *   GPU --------pfifo_event-------'
 *
 *   LAUNCH_DMA                                 a method by name; * and ? stand for other characters
 *   FERMI_A.CLEAR_SURFACE, 9097.*              of a class, by name or number
 *   0x1400..0x14ff                             methods by number
 *   LAUNCH_DMA.SRC_MEMORY_LAYOUT=PITCH         a field's value, by name or number
 *   SET_COLOR_TARGET_WIDTH(0)>=1024            the data word of a method; without an index, of any element
 *   class=*_3D   method=0x100   subc=3         the other keys are in the table below
 *   channel=1 submission=3..5 and not form=immediate
 *   (data=0 or data=0xffffffff) class=NV40_3D  two terms side by side are an "and"
 *
 *   query  ::= all { "or" all }                 or: also |
 *   all    ::= one { ["and"] one }              and: also &
 *   one    ::= "not" one | "(" query ")" | term not: also !
 *   term   ::= name [ op values ] | values      op: = != < <= > >=
 *   values ::= value { "," value }              any of them
 *   value  ::= number | number ".." number | number ".." | ".." number | name
 *
 * A name is METHOD, METHOD.FIELD, CLASS.METHOD, CLASS.METHOD.FIELD, a key, or, where events are asked, one of their
 * fields ("reason=*", "handle=0x30"). Upper and lower case are the same. Numbers are decimal, 0x hexadecimal or, with a
 * point or an exponent, floats, which are compared only with fields that hold one. `!=` is true only where there is
 * something to compare.
 *
 *   key         also        of a decoded line                              of an event
 *   event       kind        "method", "jump" ..., as "event" in the JSON   its name: "puller.*"
 *   form                    form of the word: "increasing", "call"         the field "form"
 *   text        reason      what an error or skipped words say             its text
 *   class                   bound to the subchannel, or naming the method  its class
 *   method                  number or name                                 number or name
 *   data                    data of the method                             the field "data"
 *   subchannel  subc        0 to 7                                         the field
 *   channel     chan        number                                         number
 *   submission  submit      number                                         number, if the caller tells it
 *   address     addr        of the word                                    the field "address"
 *   word, count, target     as in pfifo_decode_event                       the field
 *   time                                                                   nanoseconds
 *
 * A header announces methods, and is none itself: a query that speaks of class, method, field, data or subchannel is
 * about methods only, unless it asks for `event` or `form` too.
 *
 * Library: libpfifo-capture
 */
#ifndef PFIFO_QUERY_H
#define PFIFO_QUERY_H

#include <pfifo/decode.h>
#include <pfifo/error.h>
#include <pfifo/event.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pfifo_query;

/* Terms in a query, and parentheses and "not"s inside each other, at most. */
#define PFIFO_QUERY_MAX_TERMS 64
#define PFIFO_QUERY_MAX_DEPTH 32

/*
 * Compile a query. An empty one matches everything. NULL on error: PFIFO_ERROR_ARGUMENT with the column (from 1) where
 * it is wrong, also if no class has a method, field, class or value of that name; PFIFO_ERROR_MEMORY.
 */
PFIFO_API struct pfifo_query *pfifo_query_new(const char *text, struct pfifo_error *error);
PFIFO_API void pfifo_query_free(struct pfifo_query *query);

/*
 * Does a line of the decoder match? A query keeps what it has found out about methods, so two threads must not ask the
 * same one at a time; the answers do not depend on what was asked before.
 */
PFIFO_API bool pfifo_query_decoded(struct pfifo_query *query, const struct pfifo_decode_event *event);

/*
 * Check that a query can match lines of the decoder: that it does not ask for what only events of a run have, such as
 * the time, or their fields and names. PFIFO_ERROR_ARGUMENT: it does; the message has the column, and the keys or kinds
 * that lines have.
 */
PFIFO_API enum pfifo_status pfifo_query_check_lines(const struct pfifo_query *query, struct pfifo_error *error);

/*
 * Check that a query can match the events that match `globs` (as for pfifo_gpu_observe()). PFIFO_ERROR_ARGUMENT: none
 * of them has one of its keys; or a name is compared with a number. The message has the column, and what they have.
 */
PFIFO_API enum pfifo_status pfifo_query_check_events(const struct pfifo_query *query, const char *globs,
                                                     struct pfifo_error *error);

/* What is known about an event besides its fields. */
struct pfifo_query_place {
    uint32_t host_class; /* names methods below 0x100 (struct pfifo_chip_info); 0: the event's class does */
    bool submitted;      /* is it in a submission? */
    uint32_t submission; /* its number */
};

/* Does an event of a run match? `place` may be NULL. */
PFIFO_API bool pfifo_query_event(struct pfifo_query *query, const struct pfifo_event *event,
                                 const struct pfifo_query_place *place);

#ifdef __cplusplus
}
#endif

#endif
