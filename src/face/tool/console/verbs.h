/* SPDX-License-Identifier: MIT */
/*
 * The commands that one types to the console: how they are found, and what help says of them.
 *
 *   "b CLEAR_*" --verbs_find()--> the verb: its name, a letter that gdb gives it, a beginning that fits no other
 *                          `----> what gdb calls so is something else here: the error says what
 */
#ifndef PFIFO_TOOL_CONSOLE_VERBS_H
#define PFIFO_TOOL_CONSOLE_VERBS_H

#include <limits.h>
#include <stddef.h>

#include "face/tool/command/refuse.h"

#define VERB_ANY UINT_MAX /* so many arguments as there are */

/* What help puts together. */
enum verb_class { VERB_RUNNING, VERB_BREAKPOINTS, VERB_DATA, VERB_STATUS, VERB_SESSION, VERB_CLASSES };

struct verb {
    const char *name;
    char letter; /* that is enough; 0: none */
    enum verb_class class;
    unsigned least, most; /* arguments */
    const char *usage;    /* after the name */
    const char *text;     /* what it does, in a line without a full stop */
    const char *more;     /* lines, each with its end; NULL: that is all */
    const char *example;
};

/* Another name of a verb, most of them gdb's; or one of gdb's that no verb has. */
struct verb_hint {
    unsigned on; /* where that is so: a set, as that of struct verbs */
    const char *name;
    const char *is;      /* the verb; NULL: there is none, */
    const char *instead; /* and this is to be said */
};

struct verbs {
    const struct verb *(*at)(unsigned on, size_t index); /* those of a set; NULL beyond the last */
    unsigned on;                                         /* the set */
    const struct verb_hint *hints;                       /* up to one without a name */
    const char *places; /* what the words in capitals are, in lines, at the end of help */
};

/* Verb `index`; NULL beyond the last. */
const struct verb *verbs_at(const struct verbs *verbs, size_t index);
/* Is it another name of a verb, or is something to be said of it? */
bool verbs_has_hint(const struct verbs *verbs, const char *name);
/* NULL: there is no such, or more than one; the error says so. */
const struct verb *verbs_find(const struct verbs *verbs, const char *name, struct pfifo_error *error);
/* So many words, with the name: are they as many as it takes? */
bool verbs_fit(const struct verb *verb, unsigned count, struct pfifo_error *error);
/* The error: how it is used. */
bool verbs_usage(const struct verb *verb, struct pfifo_error *error);
/* help [VERB|CLASS]; `about` may be NULL. */
bool verbs_help(const struct verbs *verbs, const char *about, void (*print)(void *opaque, const char *text),
                void *opaque, struct pfifo_error *error);
/* Word `index` that may stand after help; NULL beyond the last. */
const char *verbs_help_word(const struct verbs *verbs, size_t index);

/* "x/8xw PLACE", "p/x THING": the format is a word of its own. Where it begins, after the name; 0: there is none. */
size_t verbs_format_at(const char *line);

/* Of a line on a terminal: does it only show something, which may be long? Does an empty line after it do another? */
bool verbs_shows(const struct verbs *verbs, const char *line);
bool verbs_repeats(const struct verbs *verbs, const char *line);

/* What info shows: its name or the beginning of it, and a text (NULL: not listed); the last has no name. */
struct verb_topic {
    unsigned on; /* as that of struct verbs */
    const char *name, *text;
};

void verbs_list_topics(const struct verb_topic *topics, unsigned on, void (*print)(void *opaque, const char *text),
                       void *opaque);
/* Its index; false: no topic has that name, and the error lists all names. */
bool verbs_find_topic(const struct verb_topic *topics, unsigned on, const char *name, size_t *index,
                      struct pfifo_error *error);

/* Verbs whose help is long. */
extern const struct verb verb_break, verb_tbreak, verb_catch, verb_delete, verb_help, verb_echo, verb_quit, verb_stop;

#endif
