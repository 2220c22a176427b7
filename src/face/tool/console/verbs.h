/* SPDX-License-Identifier: MIT */
/*
 * The commands that one types to pfifo debug and pfifo shell: how they are found, and what help says of them.
 *
 *   "b CLEAR_*" --verbs_find()--> the verb: its name, a letter that gdb gives it, a beginning that fits no other
 *                          `----> what gdb calls so is something else here, or is not: the error says what
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
    const char *usage;    /* behind the name */
    const char *text;     /* what it does, in a line without a full stop */
    const char *more;     /* lines, each with its end; NULL: that is all */
    const char *example;
};

/* A word of gdb, or of the other console, that is no verb here. */
struct verb_hint {
    const char *name;
    const char *is;      /* the verb that does the same; NULL: there is none, */
    const char *instead; /* and this is to be said */
};

struct verbs {
    const struct verb *(*at)(size_t index); /* NULL beyond the last */
    const struct verb_hint *hints;          /* up to one without a name */
    const char *places;                     /* what the words in capitals are, in lines, at the end of help */
};

/* NULL: there is no such, or more than one; the error says so. */
const struct verb *verbs_find(const struct verbs *verbs, const char *name, struct pfifo_error *error);
/* So many words, with the name: are they as many as it takes? */
bool verbs_fit(const struct verb *verb, unsigned count, struct pfifo_error *error);
/* The error: how it is used. */
bool verbs_usage(const struct verb *verb, struct pfifo_error *error);
/* help [VERB|CLASS]; `about` may be NULL. */
bool verbs_help(const struct verbs *verbs, const char *about, void (*print)(void *opaque, const char *text),
                void *opaque, struct pfifo_error *error);
/* Word `index` that may stand behind help; NULL beyond the last. */
const char *verbs_help_word(const struct verbs *verbs, size_t index);

/* "x/8xw PLACE", "p/x THING": the format is a word of its own. Where it begins, behind the name; 0: there is none. */
size_t verbs_format_at(const char *line);

/* Of a line on a terminal: does it only show something, which may be long? Does an empty line after it do another? */
bool verbs_shows(const struct verbs *verbs, const char *line);
bool verbs_repeats(const struct verbs *verbs, const char *line);

/* What info shows: its name or the beginning of it, and a text (NULL: not listed); the last has no name. */
struct verb_topic {
    const char *name, *text;
};

void verbs_list_topics(const struct verb_topic *topics, void (*print)(void *opaque, const char *text), void *opaque);
/* Its index; false: there is no such, and the error lists those that there are. */
bool verbs_find_topic(const struct verb_topic *topics, const char *name, size_t *index, struct pfifo_error *error);

/* A verb of either console. */
extern const struct verb verb_break, verb_tbreak, verb_catch, verb_delete, verb_help, verb_echo, verb_quit, verb_stop;

#endif
