/* SPDX-License-Identifier: MIT */
/* Lines are commands: by their names, their beginnings, or a letter, as gdb has them. */
#include "face/tool/debug.h"

#include <pfifo/classes.h>
#include <pfifo/nearest.h>

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static debug_command cmd_help, cmd_quit, cmd_echo;

static const struct command {
    const char *name;
    char letter;          /* that is enough; 0: none */
    unsigned least, most; /* arguments */
    debug_command *run;
    const char *usage, *text;
    const char *more; /* for help with its name; NULL: that is all */
} commands[] = {
    {"run", 'r', 0, 0, debug_cmd_run, "", "run the capture from the beginning", NULL},
    {"continue", 'c', 0, 1, debug_cmd_continue, "[N]", "go on to the next stop, or the Nth",
     "Stops are breakpoints, the first fault of each kind, the end, and Ctrl-C.\n"},
    {"next", 'n', 0, 2, debug_cmd_next, "[packet|draw|submission|method] [N]", "go on by N packets, or other units",
     "At the end of a packet the first method of the next one is shown, which has not been executed.\n"},
    {"step", 's', 0, 2, debug_cmd_step, "[N]", "go on by N methods", NULL},
    {"until", 'u', 1, 1, debug_cmd_until, "PLACE", "go on to a place",
     "PLACE: N, where submission N begins; draw:N, method:N, packet:N, from 0, behind it.\n"},
    {"finish", 0, 0, 0, debug_cmd_finish, "", "go on to the end of this run: what was submitted is done", NULL},
    {"back", 0, 0, 2, debug_cmd_back, "[packet|draw|submission|method] [N]", "go back by N packets, or other units",
     "The capture is replayed up to there. The machine is exactly what it was.\n"},
    {"break", 'b', 1, DEBUG_WORDS, debug_cmd_break, "WHERE", "stop there, each time",
     "WHERE: QUERY                  before a method that matches, as pfifo grep has it: CLEAR_*, class=*_3D data=0\n"
     "       *ADDRESS               before the word at this address of a pushbuffer\n"
     "       event GLOBS [QUERY]    behind an event, as pfifo events names it: engine.draw, puller.*\n"
     "       register NAME          when the register has changed\n"
     "       memory ADDRESS [BYTES] when memory has changed\n"},
    {"tbreak", 0, 1, DEBUG_WORDS, debug_cmd_break, "WHERE", "the same, once", NULL},
    {"catch", 0, 1, DEBUG_WORDS, debug_cmd_break, "GLOBS [QUERY]", "stop behind events: break event", NULL},
    {"watch", 0, 1, 2, debug_cmd_break, "REGISTER | ADDRESS [BYTES]", "stop when a register, or memory, has changed",
     "Told are the first word that changed, and the method that was executed last.\n"},
    {"delete", 'd', 0, 1, debug_cmd_delete, "[NUMBER]", "take a breakpoint away, or all", NULL},
    {"info", 'i', 1, DEBUG_WORDS, debug_cmd_info, "break|buffers|channels|faults|irq|objects|place|registers [GLOB]",
     "show what there is", NULL},
    {"where", 0, 0, 0, debug_cmd_where, "", "show the place", NULL},
    {"list", 'l', 0, 1, debug_cmd_list, "[LINES]", "show the words around the one that comes next", NULL},
    {"disassemble", 0, 0, 2, debug_cmd_disassemble, "[ADDRESS [WORDS]]",
     "the same, or what the words in memory say now", NULL},
    {"x", 'x', 1, 2, debug_cmd_examine, "[/FMT] ADDRESS", "print memory, as the channel sees it",
     "FMT: how many, x d u f or c, and b h w or g for 1, 2, 4 or 8 bytes: x/8xw 0x10000000\n"
     "ADDRESS: a number, a sum of numbers, $pc (the word that comes next), $header (that of its packet);\n"
     "         vram:ADDRESS, sys:ADDRESS, buffer:HANDLE+OFFSET: not through the tables of the channel\n"},
    {"print", 'p', 1, 1, debug_cmd_print, "THING", "print a register, what a method holds, or a number",
     "THING: PMC.INTR, CACHE1_DMA_GET; SET_OBJECT, FERMI_A.SET_COLOR_TARGET_WIDTH(0); $pc+8\n"},
    {"r32", 0, 1, 2, debug_cmd_machine, "PLACE [COUNT]", "read registers, as pfifo shell does", NULL},
    {"dump", 0, 0, 1, debug_cmd_machine, "[GLOB]", "read the registers with such names", NULL},
    {"vram", 0, 1, 1, debug_cmd_machine, "ADDRESS", "read 4 words of VRAM", NULL},
    {"sys", 0, 1, 1, debug_cmd_machine, "ADDRESS", "the same in system memory", NULL},
    {"ramin", 0, 1, 1, debug_cmd_machine, "ADDRESS", "the same in RAMIN", NULL},
    {"expect", 0, 2, 3, debug_cmd_machine, "PLACE VALUE [MASK]", "fail if a register or memory holds something else",
     NULL},
    {"save", 0, 1, 1, debug_cmd_machine, "FILE", "save the machine, for pfifo shell to load", NULL},
    {"echo", 0, 0, DEBUG_WORDS, cmd_echo, "TEXT...", "print the text", NULL},
    {"help", 'h', 0, 1, cmd_help, "[COMMAND]", "print this", NULL},
    {"quit", 'q', 0, 0, cmd_quit, "", "end", NULL},
};

#define COMMANDS (sizeof commands / sizeof commands[0])

/* The beginning of a name is enough if there is no other with it. */
static const struct command *find(const char *name, struct pfifo_error *error) {
    const struct command *found = NULL, *other = NULL;
    struct pfifo_nearest nearest;
    size_t length = strlen(name);

    pfifo_nearest_begin(&nearest, name);
    for (size_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, name) == 0 || (length == 1 && commands[i].letter == name[0]))
            return &commands[i];
        pfifo_nearest_try(&nearest, commands[i].name);
        if (strncmp(commands[i].name, name, length) != 0)
            continue;
        other = found ? &commands[i] : NULL;
        found = found ? found : &commands[i];
    }
    if (found && !other)
        return found;
    if (other)
        refuse(error, "'%.60s' may be %s or %s", name, found->name, other->name);
    else if (nearest.name[0])
        refuse(error, "there is no command '%.60s'; did you mean %s?", name, nearest.name);
    else
        refuse(error, "there is no command '%.60s'; help lists them", name);
    return NULL;
}

/* ---- commands ---- */

static bool cmd_help(struct debug *debug, unsigned count, char **argument, const char *rest,
                     struct pfifo_error *error) {
    const struct command *command = count > 1 ? find(argument[1], error) : NULL;

    (void)debug, (void)rest;
    if (count > 1 && !command)
        return false;
    if (command) {
        printf("%s %s\n%s\n%s", command->name, command->usage, command->text, command->more ? command->more : "");
        return true;
    }
    for (size_t i = 0; i < COMMANDS; i++)
        printf("%-11s %s\n", commands[i].name, commands[i].text);
    puts("A command may be shortened: b, c, d, h, i, l, n, p, q, r, s, u, x, and beginnings that fit only one.\n"
         "help COMMAND says more. An empty line on a terminal does the last command again.");
    return true;
}

static bool cmd_echo(struct debug *debug, unsigned count, char **argument, const char *rest,
                     struct pfifo_error *error) {
    (void)debug, (void)count, (void)argument, (void)error;
    puts(rest);
    return true;
}

static bool cmd_quit(struct debug *debug, unsigned count, char **argument, const char *rest,
                     struct pfifo_error *error) {
    (void)count, (void)argument, (void)rest, (void)error;
    debug->quit = true;
    return true;
}

/* ---- lines ---- */

static const char blanks[] = " \t\r\f\v";

/* In place; "x/8xw" is two words. */
static bool debug_commands_split(char *line, char **word, unsigned *count, struct pfifo_error *error) {
    char *rest = NULL;

    *count = 0;
    for (char *at = strtok_r(line, blanks, &rest); at; at = strtok_r(NULL, blanks, &rest)) {
        if (*count == DEBUG_WORDS)
            return refuse(error, "more than %d words in a line", DEBUG_WORDS);
        word[(*count)++] = at;
    }
    return true;
}

/* "x/8xw 0x1000" to "x /8xw 0x1000", without blanks at the ends and comments. */
static bool tidy(const char *line, char copy[DEBUG_LINE_BYTES], struct pfifo_error *error) {
    size_t length;

    line += strspn(line, blanks);
    if (strlen(line) + 2 > DEBUG_LINE_BYTES)
        return refuse(error, "the line is longer than %d bytes", DEBUG_LINE_BYTES - 2);
    for (const char *at = line; *at; at++)
        if (iscntrl((unsigned char)*at) && !isspace((unsigned char)*at))
            return refuse(error, "the line is no text");
    if (line[0] == '#')
        line = "";
    if (line[0] == 'x' && line[1] == '/')
        snprintf(copy, DEBUG_LINE_BYTES, "x %s", line + 1);
    else
        snprintf(copy, DEBUG_LINE_BYTES, "%s", line);
    for (length = strlen(copy); length && isspace((unsigned char)copy[length - 1]); length--)
        copy[length - 1] = 0;
    return true;
}

bool debug_line(struct debug *debug, const char *line, struct pfifo_error *error) {
    char copy[DEBUG_LINE_BYTES], words[DEBUG_LINE_BYTES], *word[DEBUG_WORDS];
    const struct command *command;
    unsigned count;

    if (!tidy(line, copy, error))
        return false;
    memcpy(words, copy, sizeof words);
    if (!debug_commands_split(words, word, &count, error))
        return false;
    if (!count)
        return true;
    command = find(word[0], error);
    if (!command)
        return false;
    if (count - 1 < command->least || count - 1 > command->most)
        return refuse(error, "usage: %s %s", command->name, command->usage);
    const char *rest = copy + strlen(word[0]);
    word[0] = (char *)(uintptr_t)command->name;
    return command->run(debug, count, word, rest + strspn(rest, blanks), error);
}

/* ---- completion ---- */

/* Methods of the classes that have been bound. */
static const char *method_word(const struct debug *debug, size_t index) {
    struct pfifo_method_name method;

    for (size_t i = 0; i < debug->objects; i++) {
        size_t count = pfifo_method_count(debug->object[i].oclass);
        if (index < count)
            return pfifo_method_at(debug->object[i].oclass, index, &method) ? method.name : "";
        index -= count;
    }
    return NULL;
}

static const char *event_word(size_t index) {
    return index < pfifo_event_count() ? pfifo_event_info(index)->name : NULL;
}

static const char *break_word(const struct debug *debug, size_t index) {
    size_t kinds = 0;

    while (breaks_word(kinds))
        kinds++;
    return index < kinds ? breaks_word(index) : method_word(debug, index - kinds);
}

static const char *command_word(size_t index) {
    return index < COMMANDS ? commands[index].name : NULL;
}

const char *debug_word(void *opaque, const char *line, size_t begin, size_t index) {
    const struct debug *debug = opaque;
    char first[16] = "", second[16] = "";
    int fields = 0;

    if (begin < DEBUG_LINE_BYTES) {
        char before[DEBUG_LINE_BYTES];
        snprintf(before, sizeof before, "%.*s", (int)begin, line);
        fields = sscanf(before, "%15s %15s", first, second);
    }
    if (fields <= 0)
        return command_word(index);
    const struct command *command = find(first, NULL);
    debug_command *run = command ? command->run : NULL;
    if (run == debug_cmd_break && strcmp(command->name, "watch") == 0)
        return NULL;
    if (run == debug_cmd_break && strcmp(command->name, "catch") == 0)
        return fields == 1 ? event_word(index) : NULL;
    if (run == debug_cmd_break)
        return fields == 1                    ? break_word(debug, index)
               : strcmp(second, "event") == 0 ? event_word(index)
                                              : method_word(debug, index);
    if (run == debug_cmd_break && strcmp(command->name, "watch") == 0)
        return NULL;
    if (run == debug_cmd_break && strcmp(command->name, "catch") == 0)
        return fields == 1 ? event_word(index) : NULL;
    if (run == debug_cmd_print)
        return method_word(debug, index);
    if (run == debug_cmd_info)
        return fields == 1 ? debug_info_name(index) : NULL;
    if (run == debug_cmd_next || run == debug_cmd_back)
        return run_unit_name((enum run_unit)(index < RUN_UNITS ? index : RUN_UNITS));
    return run == cmd_help ? command_word(index) : NULL;
}
