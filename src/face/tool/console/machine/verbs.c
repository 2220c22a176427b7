/* SPDX-License-Identifier: MIT */
/* The commands of the console, and what help says of them. */
#include "face/tool/console/machine/inside.h"

#include <string.h>

#define VERB(...)                                                                                                      \
    &(const struct verb) {                                                                                             \
        __VA_ARGS__                                                                                                    \
    }

static const struct shell_verb commands[] = {
    /* ---- going on ---- */
    {VERB(
         "run", 'r', VERB_RUNNING, 0, 1, "[UNITS]", "run until it stops, or for UNITS of work",
         "A unit is a word fetched, a method executed, or engine work that takes about as long (64 bytes copied). The\n"
         "default is 1048576. The reason of the stop is printed: idle, budget (UNITS are done), waiting, interrupt,\n"
         "frozen or breakpoint.\n",
         "run 100"),
     SHELL_NEEDS_MODEL, shell_cmd_run},
    {VERB("continue", 'c', VERB_RUNNING, 0, 1, "[N]", "run to the next breakpoint, or the Nth",
          "As run does; without a breakpoint it ends where a run ends.\n", "continue 3"),
     SHELL_NEEDS_MODEL, shell_cmd_continue},
    {VERB("step", 's', VERB_RUNNING, 0, 1, "[STEPS]", "run one unit at a time, and print the events",
          "STEPS is at most 4096. next method goes on by a method.\n", "step 4"),
     SHELL_NEEDS_MODEL, shell_cmd_step},
    {VERB("next", 'n', VERB_RUNNING, 0, 2, "[packet|method|draw|submission] [N]",
          "run up to the next packet, or another unit",
          "It stops before the packet is fetched, or the method executed; after the draw. With N, at the Nth.\n"
          "A submission is what was handed over when the command began: up to PUT of the channel on the chip, or the "
          "end\n"
          "of the entry of its ring (IB, GPFIFO) that it is in.\n",
          "next draw"),
     SHELL_NEEDS_MODEL, shell_cmd_next},
    {VERB("until", 'u', VERB_RUNNING, 2, 3, "PLACE VALUE [MASK] | event GLOBS",
          "run until the 32 bits at PLACE, under the mask, are VALUE, or until an event",
          "It is looked at after each unit of work. The run is as long as one of the command run; if it ends first, "
          "that\n"
          "is an error.\n",
          "until CACHE1_REF 7"),
     SHELL_NEEDS_MODEL, shell_cmd_until},
    {VERB("watch", 0, VERB_RUNNING, 1, 1, "PLACE", "run until the 32 bits at PLACE have changed",
          "gdb's watch, which stops each time, is break register and break memory here.\n", "watch CACHE1_DMA_GET"),
     SHELL_NEEDS_MODEL, shell_cmd_watch},
    {VERB("back", 0, VERB_RUNNING, 0, 1, "[N]", "go back by N units of work",
          "Registers, memory and the clock are what they were: the machine was saved before the first run since "
          "something\n"
          "else changed it, and there is no way back past that.\n",
          "back 10"),
     SHELL_NEEDS_MODEL, shell_cmd_back},
    {VERB(
         "pass", 0, VERB_RUNNING, 0, 1, "[NANOSECONDS]", "let time pass without work",
         "Until the alarm of PTIMER or the timeout of an acquire, but for at most NANOSECONDS. The next run shows the\n"
         "effect.\n",
         "pass 1000000"),
     SHELL_NEEDS_MODEL, shell_cmd_pass},

    /* ---- making it stop ---- */
    {&verb_break, SHELL_NEEDS_MODEL, shell_cmd_break},
    {&verb_tbreak, SHELL_NEEDS_MODEL, shell_cmd_break},
    {&verb_catch, SHELL_NEEDS_MODEL, shell_cmd_break},
    {&verb_delete, SHELL_NEEDS_MODEL, shell_cmd_delete},
    {VERB("freeze", 0, VERB_BREAKPOINTS, 0, 1, "[MILLISECONDS]", "stop PFIFO, and wait until it has stopped",
          "MILLISECONDS: the timeout, by default 2000, at most 60000. If PFIFO does not stop, FREEZE is restored.\n",
          "freeze 500"),
     SHELL_NEEDS_GPU, shell_cmd_freeze},
    {VERB("thaw", 0, VERB_BREAKPOINTS, 0, 1, "[MILLISECONDS]", "let PFIFO continue, and wait until it does",
          "MILLISECONDS: the timeout, as of freeze.\n", NULL),
     SHELL_NEEDS_GPU, shell_cmd_freeze},

    /* ---- registers and memory ---- */
    {VERB("print", 'p', VERB_DATA, 1, 2, "[/FMT] THING", "print a register, what a method holds, or a value",
          "THING: PMC.INTR, CACHE1_DMA_GET; SET_OBJECT, FERMI_A.SET_COLOR_TARGET_WIDTH(0), of objects that channels "
          "have\n"
          "bound, also with * and ?; 1<<20|3, CACHE1_GET+4. FMT: x, d, u, f, c or t, as that of x.\n",
          "print CACHE1_DMA_GET"),
     SHELL_NEEDS_GPU, shell_cmd_print},
    {VERB("x", 'x', VERB_DATA, 1, 2, "[/FMT] PLACE", "print memory or registers",
          "FMT: how many, x d u f c or t (bits), and b h w or g for 1, 2, 4 or 8 bytes.\n", "x/8xw vram:0x1000"),
     SHELL_NEEDS_GPU, shell_cmd_examine},
    {VERB("disassemble", 0, VERB_DATA, 0, 2, "[CHANNEL | ADDRESS [COUNT]]",
          "say what the words around GET, or at an address, mean",
          "CHANNEL is decimal; without it, it is the one on the chip. ADDRESS begins with 0x, and is one of the "
          "channel's\n"
          "pushbuffer, or a PLACE in memory: sys:0x1000. COUNT: words, by default 16.\n",
          "disassemble sys:0x1000 8"),
     SHELL_NEEDS_LOOK, shell_cmd_disassemble},
    {VERB("list", 'l', VERB_DATA, 0, 0, "", "show the words around GET, as disassemble does", NULL, NULL),
     SHELL_NEEDS_LOOK, shell_cmd_disassemble},
    {VERB("r32", 0, VERB_DATA, 1, 2, "PLACE [COUNT]", "read 32 bits, COUNT times", NULL, "r32 CACHE1_CTX[0] 4"),
     SHELL_NEEDS_GPU, shell_cmd_read},
    {VERB("r16", 0, VERB_DATA, 1, 2, "PLACE [COUNT]", "read 16 bits", NULL, "r16 vram:0x1000"), SHELL_NEEDS_GPU,
     shell_cmd_read},
    {VERB("r8", 0, VERB_DATA, 1, 2, "PLACE [COUNT]", "read 8 bits", NULL, "r8 sys:0x1001 3"), SHELL_NEEDS_GPU,
     shell_cmd_read},
    {VERB("w32", 0, VERB_DATA, 2, VERB_ANY, "PLACE VALUE...", "write 32 bits each, one after the other", NULL,
          "w32 PMC.ENABLE ~0"),
     SHELL_NEEDS_GPU, shell_cmd_write},
    {VERB("w16", 0, VERB_DATA, 2, VERB_ANY, "PLACE VALUE...", "write 16 bits each", NULL, "w16 vram:0x1000 1 2"),
     SHELL_NEEDS_GPU, shell_cmd_write},
    {VERB("w8", 0, VERB_DATA, 2, VERB_ANY, "PLACE VALUE...", "write 8 bits each", NULL, "w8 sys:0x1001 0xff"),
     SHELL_NEEDS_GPU, shell_cmd_write},
    {VERB("expect", 0, VERB_DATA, 2, 3, "PLACE VALUE [MASK] | stop REASON | irq LEVEL",
          "fail if the 32 bits at PLACE, under the mask, differ",
          "  expect stop REASON  fail unless the last run stopped for it: idle, budget, waiting, interrupt, frozen,\n"
          "                      breakpoint, or goal: where until, watch or next should stop\n"
          "  expect irq LEVEL    fail unless the interrupt line is asserted (1) or not (0)\n",
          "expect CACHE1_REF 7"),
     SHELL_NEEDS_GPU, shell_cmd_expect},
    {VERB("dump", 0, VERB_DATA, 0, 1, "[GLOB]", "read the registers with such names",
          "GLOB: CACHE1_*, PMC.*, PCCSR. Windows must match GLOB; of long arrays, only elements that are not 0.\n",
          "dump CACHE1_*"),
     SHELL_NEEDS_GPU, shell_cmd_dump},
    {VERB("vram", 0, VERB_DATA, 1, VERB_ANY, "ADDRESS [VALUE...]", "read 4 words of VRAM, or write", NULL,
          "vram 0x1000 1 2 3"),
     SHELL_NEEDS_GPU, shell_cmd_memory},
    {VERB("sys", 0, VERB_DATA, 1, VERB_ANY, "ADDRESS [VALUE...]", "the same in system memory", NULL, "sys 0x1000"),
     SHELL_NEEDS_GPU, shell_cmd_memory},
    {VERB("ramin", 0, VERB_DATA, 1, VERB_ANY, "ADDRESS [VALUE...]", "the same in RAMIN", NULL, "ramin 0x1000"),
     SHELL_NEEDS_GPU, shell_cmd_memory},
    {VERB("bar", 0, VERB_DATA, 2, VERB_ANY, "N ADDRESS [VALUE...]", "the same in a BAR", NULL, "bar 1 0x1000"),
     SHELL_NEEDS_GPU, shell_cmd_bar},

    /* ---- where it is ---- */
    {VERB("info", 'i', VERB_STATUS, 0, 2, "[breakpoints|channels|irq|registers [GLOB]]", "show what there is",
          "Without arguments, what it can show is listed.\n", "info breakpoints"),
     SHELL_NEEDS_GPU, shell_cmd_info},
    {&verb_stop, SHELL_NEEDS_MODEL, shell_cmd_stop},
    {VERB("irq", 0, VERB_STATUS, 0, 0, "", "print the interrupt line and the pending interrupts",
          "From PMC through PFIFO to the PBDMAs, bits by name; pending interrupts that are not enabled are marked.\n",
          NULL),
     SHELL_NEEDS_GPU, shell_cmd_irq},
    {VERB("channels", 0, VERB_STATUS, 0, 0, "", "print the state of each channel", NULL, NULL), SHELL_NEEDS_GPU,
     shell_cmd_channels},
    {VERB("card", 0, VERB_STATUS, 0, 0, "", "identify the card, and print its BARs", NULL, NULL), SHELL_NEEDS_CARD,
     shell_cmd_card},
    {VERB("trace", 0, VERB_STATUS, 1, VERB_ANY, "GLOBS|off", "print events as they happen",
          "GLOBS: pusher.*,puller.bind. The command 'pfifo events' lists them.\n", "trace puller.*"),
     SHELL_NEEDS_NO_CARD, shell_cmd_trace},

    /* ---- the session ---- */
    {VERB("chip", 0, VERB_SESSION, 1, 1, "NAME", "make a fresh GPU of that chip", NULL, "chip NV40"),
     SHELL_NEEDS_NO_CARD, shell_cmd_chip},
    {VERB("reset", 0, VERB_SESSION, 0, 0, "", "make a fresh GPU of the same chip", NULL, NULL), SHELL_NEEDS_MODEL,
     shell_cmd_reset},
    {VERB("save", 0, VERB_SESSION, 1, 1, "FILE", "save the GPU to a file", NULL, "save before.state"), SHELL_NEEDS_LOOK,
     shell_cmd_save},
    {VERB("load", 0, VERB_SESSION, 1, 1, "FILE", "restore a GPU of the same chip from a file",
          "If the file cannot be loaded, the GPU is in the state after reset.\n", "load before.state"),
     SHELL_NEEDS_MODEL, shell_cmd_load},
    {&verb_echo, SHELL_NEEDS_NOTHING, shell_cmd_echo},
    {&verb_help, SHELL_NEEDS_NOTHING, shell_cmd_help},
    {&verb_quit, SHELL_NEEDS_NOTHING, shell_cmd_quit},
};

#define COMMANDS (sizeof commands / sizeof commands[0])

static const struct verb *verb_at(size_t index) {
    return index < COMMANDS ? commands[index].verb : NULL;
}

static const struct verb_hint hints[] = {
    {"stepi", "step", NULL},
    {"si", "step", NULL},
    {"reverse-step", "back", NULL},
    {"reverse-stepi", "back", NULL},
    {"exit", "quit", NULL},
    {"bt", NULL, "in the shell this is stop, channels or list"},
    {"backtrace", NULL, "in the shell this is stop, channels or list"},
    {"where", NULL, "in the shell this is stop, channels or list"},
    {"finish", NULL, "in the shell this is run: a run goes on until nothing is left to do"},
    {"start", NULL, "in the shell this is chip NAME, or reset"},
    {"set", NULL, "in the shell this is w32 PLACE VALUE; vram, sys and ramin write memory"},
    {"condition", NULL, "in the shell this is part of WHERE: break CLEAR_* data=0x3c"},
    {"ignore", NULL, "in the shell this is continue N"},
    {"disable", NULL, "in the shell this is delete"},
    {"enable", NULL, "in the shell this is break"},
    {"source", NULL, "in the shell this is the argument of the program: pfifo shell FILE"},
    {"display", NULL, "in the shell this is print, after each stop"},
    {"file", NULL, "in the shell this is chip NAME, and load FILE"},
    {0},
};

static const char places[] =
    "PLACE is a register or window (CACHE1_GET, PMC.INTR, CACHE1_CTX[3], USER+0x2010), an offset in BAR0 (0x3270),\n"
    "or vram:ADDRESS, sys:ADDRESS, ramin:ADDRESS, bar1:ADDRESS. VALUE is a number (0x10, 16), a PLACE, whose value is\n"
    "read, or several with + | << and ~ between: CACHE1_GET+4, 1<<20|3, ~0. What follows a # is a comment.\n";

const struct verbs shell_verbs = {.at = verb_at, .hints = hints, .places = places};

const struct shell_verb *shell_verb_find(const char *name, struct pfifo_error *error) {
    const struct verb *verb = verbs_find(&shell_verbs, name, error);

    for (size_t i = 0; verb && i < COMMANDS; i++)
        if (commands[i].verb == verb)
            return &commands[i];
    return NULL;
}

bool shell_usage(const struct shell *shell, struct pfifo_error *error) {
    return verbs_usage(verbs_find(&shell_verbs, shell->doing, NULL), error);
}

static void print(void *opaque, const char *text) {
    shell_print(opaque, "%s", text);
}

bool shell_cmd_help(struct shell *shell, unsigned count, char **argument, struct pfifo_error *error) {
    return verbs_help(&shell_verbs, count > 1 ? argument[1] : NULL, print, shell, error);
}
