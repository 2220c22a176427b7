/* SPDX-License-Identifier: MIT */
/* The commands of pfifo debug, and what help says of them. */
#include "face/tool/console/replay/debug.h"

#include <string.h>

static debug_command cmd_help, cmd_quit, cmd_echo;

#define VERB(...)                                                                                                      \
    &(const struct verb) {                                                                                             \
        __VA_ARGS__                                                                                                    \
    }

static const struct debug_verb commands[] = {
    /* ---- going on ---- */
    {VERB("run", 'r', VERB_RUNNING, 0, 0, "", "run the capture from the beginning", NULL, NULL), debug_cmd_run},
    {VERB("continue", 'c', VERB_RUNNING, 0, 1, "[N]", "go on to the next stop, or the Nth",
          "Stops are breakpoints, the first fault of each kind, the end, and Ctrl-C.\n", "continue 3"),
     debug_cmd_continue},
    {VERB("next", 'n', VERB_RUNNING, 0, 2, "[packet|draw|submission|method] [N]", "go on by N packets, or other units",
          "At the end of a packet the first method of the next one is shown, which has not been executed.\n",
          "next draw"),
     debug_cmd_next},
    {VERB("step", 's', VERB_RUNNING, 0, 2, "[method|packet|draw|submission] [N]", "go on by N methods, or other units",
          NULL, "step 10"),
     debug_cmd_step},
    {VERB("until", 'u', VERB_RUNNING, 1, 1, "WHERE", "go on to a place",
          "WHERE: N, where the submission begins that decode prints as N; draw:N, method:N, packet:N, when it is\n"
          "done: of the capture, from 0 on, as in image --at. It is an error if the capture ends first. A breakpoint\n"
          "before it stops, too.\n",
          "until draw:0"),
     debug_cmd_until},
    {VERB("finish", 0, VERB_RUNNING, 0, 0, "", "go on to the end of this run",
          "Then all that was submitted is done, and nothing of the next submission has begun.\n", NULL),
     debug_cmd_finish},
    {VERB("back", 0, VERB_RUNNING, 0, 2, "[packet|draw|submission|method] [N]", "go back by N packets, or other units",
          "The machine is exactly what it was. It is an error if there are fewer than N before this place.\n",
          "back draw"),
     debug_cmd_back},
    {VERB("reverse-continue", 0, VERB_RUNNING, 0, 1, "[N]", "go back to the last stop before, or the Nth",
          "To where continue would have stopped the last time before this place: rc is the same. Where memory or a "
          "register\n"
          "is watched, that is after the change. If there is no stop before, it is the beginning of the capture.\n",
          "reverse-continue"),
     debug_cmd_reverse_continue},
    {VERB("reverse-next", 0, VERB_RUNNING, 0, 2, "[packet|draw|submission|method] [N]", "the same as back",
          "By packets, as next goes on: rn is the same.\n", "reverse-next 3"),
     debug_cmd_back},
    {VERB("reverse-step", 0, VERB_RUNNING, 0, 2, "[method|packet|draw|submission] [N]",
          "go back by N methods, or other units", "As step goes on: rs, rsi and reverse-stepi are the same.\n",
          "reverse-step 10"),
     debug_cmd_back},

    /* ---- making it stop ---- */
    {&verb_break, debug_cmd_break},
    {&verb_tbreak, debug_cmd_break},
    {&verb_catch, debug_cmd_break},
    {VERB("watch", 0, VERB_BREAKPOINTS, 1, 2, "REGISTER | METHOD | PLACE [BYTES]",
          "stop when a register, what a method holds, or memory has changed",
          "METHOD is as for print: SET_COLOR_CLEAR_VALUE(0), of the objects that channels have bound. It tells the "
          "first word that changed, and the method that was executed last. Memory: 4 bytes, or BYTES.\n",
          "watch buffer:10 64"),
     debug_cmd_break},
    {&verb_delete, debug_cmd_delete},

    /* ---- registers, memory, methods ---- */
    {VERB("print", 'p', VERB_DATA, 1, 2, "[/FMT] THING", "print a register, what a method holds, or a value",
          "THING: PMC.INTR, CACHE1_DMA_GET; SET_OBJECT, FERMI_A.SET_COLOR_TARGET_WIDTH(0), of objects that channels "
          "have\n"
          "bound, also with * and ?; $pc+8. FMT: x, d, u, f, c or t, as that of x: print/f SET_COLOR_CLEAR_VALUE*.\n",
          "print SET_OBJECT"),
     debug_cmd_print},
    {VERB("x", 'x', VERB_DATA, 1, 2, "[/FMT] PLACE", "print memory, as the channel sees it",
          "FMT: how many, x d u f c or t (bits), and b h w or g for 1, 2, 4 or 8 bytes.\n", "x/8xw $pc"),
     debug_cmd_examine},
    {VERB("disassemble", 0, VERB_DATA, 0, 2, "[PLACE [WORDS]]",
          "say what words mean: those around, or what is in memory",
          "Without a PLACE it is list: the words of the capture. With one, what is in memory now.\n",
          "disassemble $header 4"),
     debug_cmd_disassemble},
    {VERB("list", 'l', VERB_DATA, 0, 1, "[LINES]", "show the words around the one that comes next",
          "LINES before and after it, by default 5.\n", "list 2"),
     debug_cmd_list},
    {VERB("r32", 0, VERB_DATA, 1, 2, "REGISTER [COUNT]", "read registers, as pfifo shell does", NULL, "r32 PMC.ENABLE"),
     debug_cmd_machine},
    {VERB("dump", 0, VERB_DATA, 0, 1, "[GLOB]", "read the registers with such names", NULL, "dump CACHE1_*"),
     debug_cmd_machine},
    {VERB("vram", 0, VERB_DATA, 1, 1, "ADDRESS", "read 4 words of VRAM", NULL, "vram 0x200000"), debug_cmd_machine},
    {VERB("sys", 0, VERB_DATA, 1, 1, "ADDRESS", "the same in system memory", NULL, "sys 0x1000"), debug_cmd_machine},
    {VERB("ramin", 0, VERB_DATA, 1, 1, "ADDRESS", "the same in RAMIN", NULL, "ramin 0x1000"), debug_cmd_machine},
    {VERB("expect", 0, VERB_DATA, 2, 3, "REGISTER VALUE [MASK] | stop REASON | irq LEVEL",
          "fail if a register or memory holds something else",
          "  expect vram:0x1000 7  the 32 bits in VRAM; sys: and ramin: as well\n"
          "  expect stop REASON    fail unless the last stop was for it: breakpoint (of any kind), goal (next, until "
          "...\n"
          "                        came to where they should), fault, end or begin (of the capture) or ctrl-c; at the "
          "end\n"
          "                        also idle, budget, waiting, interrupt or frozen: how the machine ended\n"
          "  expect irq LEVEL      fail unless the interrupt line is asserted (1) or not (0)\n",
          "expect stop breakpoint"),
     debug_cmd_expect},

    /* ---- where it is ---- */
    {VERB("where", 0, VERB_STATUS, 0, 0, "", "show the place", NULL, NULL), debug_cmd_where},
    {VERB("info", 'i', VERB_STATUS, 0, VERB_ANY,
          "[breakpoints|buffers|channels|faults|irq|objects|place|registers [GLOB]]", "show what there is",
          "Without arguments, what it can show is listed.\n", "info buffers"),
     debug_cmd_info},
    {&verb_stop, debug_cmd_stop},

    /* ---- the session ---- */
    {VERB("save", 0, VERB_SESSION, 1, 1, "FILE", "save the machine, for pfifo shell to load", NULL, "save here.state"),
     debug_cmd_machine},
    {&verb_echo, cmd_echo},
    {&verb_help, cmd_help},
    {&verb_quit, cmd_quit},
};

#define COMMANDS (sizeof commands / sizeof commands[0])

static const struct verb *verb_at(size_t index) {
    return index < COMMANDS ? commands[index].verb : NULL;
}

#define LOOKS "pfifo debug only looks at the machine, so that it does the same each time"

static const struct verb_hint hints[] = {
    {"stepi", "step", NULL},
    {"si", "step", NULL},
    {"nexti", "next", NULL},
    {"ni", "next", NULL},
    {"bt", "where", NULL},
    {"backtrace", "where", NULL},
    {"rc", "reverse-continue", NULL},
    {"rs", "reverse-step", NULL},
    {"reverse-stepi", "reverse-step", NULL},
    {"rsi", "reverse-step", NULL},
    {"rn", "reverse-next", NULL},
    {"reverse-nexti", "reverse-next", NULL},
    {"rni", "reverse-next", NULL},
    {"reverse-finish", NULL, "in pfifo debug this is back submission: to where it begins"},
    {"exit", "quit", NULL},
    {"start", NULL, "in pfifo debug this is run; next goes to the first packet"},
    {"irq", NULL, "in pfifo debug this is info irq"},
    {"channels", NULL, "in pfifo debug this is info channels"},
    {"chip", NULL, "in pfifo debug this is the option --chip"},
    {"trace", NULL, "in pfifo debug this is catch; pfifo run --trace prints all of them"},
    {"reset", NULL, "in pfifo debug this is run, which begins again"},
    {"load", NULL, "in pfifo debug this is until WHERE; pfifo shell loads what save has saved"},
    {"r8", NULL, "in pfifo debug this is x/1xb PLACE"},
    {"r16", NULL, "in pfifo debug this is x/1xh PLACE"},
    {"set", NULL, LOOKS},
    {"condition", NULL, "in pfifo debug this is part of WHERE: break CLEAR_* data=0x3c"},
    {"ignore", NULL, "in pfifo debug this is continue N"},
    {"disable", NULL, "in pfifo debug this is delete"},
    {"enable", NULL, "in pfifo debug this is break"},
    {"commands", NULL, "in pfifo debug there are none: option -x has commands of a file"},
    {"display", NULL, "in pfifo debug this is print or x, after each stop"},
    {"frame", "where", NULL},
    {"up", NULL, "in pfifo debug there is one level: list shows the words around"},
    {"down", NULL, "in pfifo debug there is one level: list shows the words around"},
    {"advance", NULL, "in pfifo debug this is until WHERE"},
    {"jump", NULL, LOOKS},
    {"call", NULL, LOOKS},
    {"source", NULL, "in pfifo debug this is the option -x FILE"},
    {"file", NULL, "in pfifo debug the capture is the argument of the program"},
    {"kill", NULL, "in pfifo debug this is run, which begins again"},
    {"w32", NULL, LOOKS},
    {"w16", NULL, LOOKS},
    {"w8", NULL, LOOKS},
    {"bar", NULL, LOOKS},
    {0},
};

static const char places[] =
    "PLACE is an address as the channel sees it: a number, a sum of numbers, $pc (the word that comes next) or "
    "$header\n"
    "(that of its packet); or vram:ADDRESS, sys:ADDRESS, ramin:ADDRESS, buffer:HANDLE+OFFSET.\n";

const struct verbs debug_verbs = {.at = verb_at, .hints = hints, .places = places};

const struct debug_verb *debug_verb_find(const char *name, struct pfifo_error *error) {
    const struct verb *verb = verbs_find(&debug_verbs, name, error);

    for (size_t i = 0; verb && i < COMMANDS; i++)
        if (commands[i].verb == verb)
            return &commands[i];
    return NULL;
}

bool debug_usage(const char *name, struct pfifo_error *error) {
    return verbs_usage(debug_verb_find(name, NULL)->verb, error);
}

static bool cmd_help(struct debug *debug, unsigned count, char **argument, const char *rest,
                     struct pfifo_error *error) {
    (void)debug, (void)rest;
    return verbs_help(&debug_verbs, count > 1 ? argument[1] : NULL, debug_print, NULL, error);
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
