/* SPDX-License-Identifier: MIT */
#include "face/tool/console/verbs.h"

#include <pfifo/nearest.h>

#include <stdio.h>
#include <string.h>

/* ---- verbs whose help is long ---- */

const struct verb verb_break = {
    "break",
    'b',
    VERB_BREAKPOINTS,
    1,
    VERB_ANY,
    "WHERE",
    "stop at WHERE, each time",
    "WHERE: QUERY                  before a method that matches, as in pfifo grep: CLEAR_*, class=*_3D data=0\n"
    "       *ADDRESS               before the word at this address of a pushbuffer\n"
    "       event GLOBS [QUERY]    after an event, by its name in pfifo events: engine.draw, puller.*\n"
    "       register NAME          when the register has changed\n"
    "       memory PLACE [BYTES]   when memory has changed: 4 bytes, or BYTES\n"
    "       state METHOD           when what it holds has changed, of objects that channels have bound\n"
    "       program [STAGE] [*PC] [KEY=NUMBER]...\n"
    "                              before an instruction of a shader program, by default its first one. STAGE: "
    "vertex,\n"
    "                              control, evaluation, geometry, fragment, compute. KEY: pc, program (its address),\n"
    "                              channel, lane; x and y of a pixel; vertex, primitive, instance; point,\n"
    "                              invocation, patch of tessellation; thread=X,Y,Z\n"
    "Every command that runs stops there. info breakpoints lists the breakpoints, with how often each was hit.\n",
    "break CLEAR_SURFACE data=0x3c"};

const struct verb verb_tbreak = {"tbreak",
                                 0,
                                 VERB_BREAKPOINTS,
                                 1,
                                 VERB_ANY,
                                 "WHERE",
                                 "stop at WHERE, once",
                                 "A temporary breakpoint is deleted when it is hit. WHERE is what break takes: a query "
                                 "for methods, *ADDRESS, event\n"
                                 "GLOBS, register NAME, memory PLACE or state METHOD.\n",
                                 "tbreak *0x2140b4"};

const struct verb verb_catch = {
    "catch",
    0,
    VERB_BREAKPOINTS,
    1,
    VERB_ANY,
    "GLOBS [QUERY] | QUERY",
    "stop after events",
    "GLOBS are names of events, with * and ?, and commas between them; pfifo events lists them. With QUERY, only "
    "events\n"
    "that match it stop: class=FERMI_A, data=0. A QUERY alone is about all events that have its keys. The event has "
    "happened when it stops. The same as break event.\n",
    "catch puller.bind class=*_3D"};

const struct verb verb_delete = {"delete",
                                 'd',
                                 VERB_BREAKPOINTS,
                                 0,
                                 VERB_ANY,
                                 "[NUMBER...]",
                                 "delete breakpoints",
                                 "Without a number, all of them are deleted. info breakpoints shows the numbers.\n",
                                 "delete 2"};

const struct verb verb_help = {
    "help",
    'h',
    VERB_SESSION,
    0,
    1,
    "[COMMAND|CLASS]",
    "list the commands, or explain one",
    "Classes are running, breakpoints, data, status and session: help CLASS lists the commands of one.\n",
    "help break"};

const struct verb verb_echo = {"echo",           0,    VERB_SESSION,           0, VERB_ANY, "TEXT...",
                               "print the text", NULL, "echo the second frame"};

const struct verb verb_quit = {"quit", 'q', VERB_SESSION, 0, 0, "", "end the session", NULL, NULL};

const struct verb verb_stop = {"stop",
                               0,
                               VERB_STATUS,
                               0,
                               0,
                               "",
                               "say why the last run stopped",
                               "expect stop REASON fails unless that was the reason, by its short name.\n",
                               NULL};

/* ---- finding ---- */

const struct verb *verbs_at(const struct verbs *verbs, size_t index) {
    return verbs->at(verbs->on, index);
}

static const struct verb *verbs_named(const struct verbs *verbs, const char *name) {
    const struct verb *verb;

    for (size_t i = 0; (verb = verbs_at(verbs, i)); i++)
        if (strcmp(verb->name, name) == 0)
            return verb;
    return NULL;
}

/* A name or a letter. */
static const struct verb *exact(const struct verbs *verbs, const char *name) {
    const struct verb *verb = verbs_named(verbs, name);

    if (verb || !name[0] || name[1])
        return verb;
    for (size_t i = 0; (verb = verbs_at(verbs, i)); i++)
        if (verb->letter == name[0])
            return verb;
    return NULL;
}

static const struct verb_hint *hint_of(const struct verbs *verbs, const char *name) {
    for (const struct verb_hint *hint = verbs->hints; hint && hint->name; hint++)
        if (hint->on & verbs->on && strcmp(hint->name, name) == 0)
            return hint;
    return NULL;
}

bool verbs_has_hint(const struct verbs *verbs, const char *name) {
    return hint_of(verbs, name);
}

/* The beginning of a name is enough if no other begins so. */
static const struct verb *verbs_begins(const struct verbs *verbs, const char *name, const struct verb **other,
                                       struct pfifo_nearest *nearest) {
    const struct verb *found = NULL, *verb;
    size_t length = strlen(name);

    *other = NULL;
    pfifo_nearest_begin(nearest, name);
    for (size_t i = 0; (verb = verbs_at(verbs, i)); i++) {
        pfifo_nearest_try(nearest, verb->name);
        if (strncmp(verb->name, name, length) != 0)
            continue;
        *other = found ? verb : NULL;
        if (*other)
            return found;
        found = verb;
    }
    return found;
}

const struct verb *verbs_find(const struct verbs *verbs, const char *name, struct pfifo_error *error) {
    const struct verb *found = exact(verbs, name), *other = NULL;
    const struct verb_hint *hint = found ? NULL : hint_of(verbs, name);
    struct pfifo_nearest nearest;

    if (found)
        return found;
    if (hint && hint->is)
        return verbs_named(verbs, hint->is);
    if (!hint)
        found = verbs_begins(verbs, name, &other, &nearest);
    if (found && !other)
        return found;
    if (hint)
        refuse(error, "there is no command '%s': %s", name, hint->instead);
    else if (found && other)
        refuse(error, "'%.60s' is ambiguous: %s, %s", name, found->name, other->name);
    else if (nearest.name[0])
        refuse(error, "there is no command '%.60s'; did you mean %s?", name, nearest.name);
    else
        refuse(error, "there is no command '%.60s'; help lists them", name);
    return NULL;
}

bool verbs_usage(const struct verb *verb, struct pfifo_error *error) {
    return verb->most ? refuse(error, "usage: %s %s", verb->name, verb->usage)
                      : refuse(error, "usage: %s, without arguments", verb->name);
}

bool verbs_fit(const struct verb *verb, unsigned count, struct pfifo_error *error) {
    return (count - 1 >= verb->least && count - 1 <= verb->most) || verbs_usage(verb, error);
}

/* ---- help ---- */

static const struct {
    const char *name, *text;
} classes[VERB_CLASSES] = {
    [VERB_RUNNING] = {"running", "Going on, and back"},
    [VERB_BREAKPOINTS] = {"breakpoints", "Making it stop"},
    [VERB_DATA] = {"data", "Looking at registers, memory and methods"},
    [VERB_STATUS] = {"status", "The place, and the state of the machine"},
    [VERB_SESSION] = {"session", "The session"},
};

struct help {
    const struct verbs *verbs;
    void (*print)(void *opaque, const char *text);
    void *opaque;
};

static void help_class(const struct help *help, unsigned class) {
    const struct verb *verb;
    char line[256];
    int width = 11;

    for (size_t i = 0; (verb = verbs_at(help->verbs, i)); i++)
        if ((int)strlen(verb->name) > width)
            width = (int)strlen(verb->name);
    snprintf(line, sizeof line, "%s (%s):\n", classes[class].text, classes[class].name);
    help->print(help->opaque, line);
    for (size_t i = 0; (verb = verbs_at(help->verbs, i)); i++) {
        if (verb->class != class)
            continue;
        snprintf(line, sizeof line, "  %-*s %s\n", width, verb->name, verb->text);
        help->print(help->opaque, line);
    }
}

static void help_verb(const struct help *help, const struct verb *verb) {
    char line[512];

    snprintf(line, sizeof line, "%s%s%s\n", verb->name, verb->usage[0] ? " " : "", verb->usage);
    help->print(help->opaque, line);
    snprintf(line, sizeof line, "%c%s.\n", verb->text[0] - 'a' + 'A', verb->text + 1);
    help->print(help->opaque, line);
    if (verb->more)
        help->print(help->opaque, verb->more);
    if (help->verbs->places && strstr(verb->usage, "PLACE"))
        help->print(help->opaque, help->verbs->places);
    if (verb->example) {
        snprintf(line, sizeof line, "Example: %s\n", verb->example);
        help->print(help->opaque, line);
    }
}

static const char letters[] =
    "A beginning that fits only one command is enough, and so are the letters b, c, d, h, i, l, n, p, q, r, s, u and "
    "x.\n"
    "help COMMAND explains one; help CLASS lists a class. On a terminal an empty line does the last command again.\n";

bool verbs_help(const struct verbs *verbs, const char *about, void (*print)(void *opaque, const char *text),
                void *opaque, struct pfifo_error *error) {
    const struct help help = {verbs, print, opaque};
    const struct verb *verb = about ? exact(verbs, about) : NULL;

    for (unsigned i = 0; i < VERB_CLASSES && !verb; i++)
        if (!about || strcmp(classes[i].name, about) == 0) {
            help_class(&help, i);
            if (about)
                return true;
        }
    if (!about) {
        print(opaque, letters);
        if (verbs->places)
            print(opaque, verbs->places);
        return true;
    }
    verb = verbs_find(verbs, about, error);
    if (verb)
        help_verb(&help, verb);
    return verb;
}

const char *verbs_help_word(const struct verbs *verbs, size_t index) {
    const struct verb *verb;

    if (index < VERB_CLASSES)
        return classes[index].name;
    verb = verbs_at(verbs, index - VERB_CLASSES);
    return verb ? verb->name : NULL;
}

size_t verbs_format_at(const char *line) {
    size_t length = strspn(line, "abcdefghijklmnopqrstuvwxyz");

    if (!length || line[length] != '/')
        return 0;
    return (length == 1 && line[0] == 'x') || strncmp("print", line, length) == 0 ? length : 0;
}

/* ---- lines on a terminal ---- */

static const struct verb *verb_of(const struct verbs *verbs, const char *line) {
    size_t blanks = strspn(line, " \t"), length = strcspn(line + blanks, " \t/");
    char name[32];

    if (!length || length >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)length, line + blanks);
    return verbs_find(verbs, name, NULL);
}

bool verbs_shows(const struct verbs *verbs, const char *line) {
    const struct verb *verb = verb_of(verbs, line);

    return verb && (verb->class == VERB_DATA || verb->class == VERB_STATUS || verb == &verb_help);
}

bool verbs_repeats(const struct verbs *verbs, const char *line) {
    const struct verb *verb = verb_of(verbs, line);

    return verb && ((verb->class == VERB_RUNNING && strcmp(verb->name, "run") != 0) || strcmp(verb->name, "x") == 0 ||
                    strcmp(verb->name, "list") == 0);
}

/* ---- info ---- */

void verbs_list_topics(const struct verb_topic *topics, unsigned on, void (*print)(void *opaque, const char *text),
                       void *opaque) {
    char line[128];

    for (; topics->name; topics++) {
        if (!topics->text || !(topics->on & on))
            continue;
        snprintf(line, sizeof line, "  info %-12s %s\n", topics->name, topics->text);
        print(opaque, line);
    }
}

bool verbs_find_topic(const struct verb_topic *topics, unsigned on, const char *name, size_t *index,
                      struct pfifo_error *error) {
    char names[160] = "";
    size_t used = 0;

    for (*index = 0; topics[*index].name; ++*index)
        if (topics[*index].on & on && strncmp(topics[*index].name, name, strlen(name)) == 0)
            return true;
    for (; topics->name; topics++)
        if (topics->text && topics->on & on)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", topics->name);
    return refuse(error, "there is no info '%.60s'; there are %s", name, names);
}
