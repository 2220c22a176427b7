/* SPDX-License-Identifier: MIT */
/* The commands of the console, what they work on, and what help says of them. */
#include "face/tool/console/commands.h"
#include "face/tool/console/target.h"

#include <stdio.h>
#include <string.h>

#define VERB(...)                                                                                                      \
    &(const struct verb) {                                                                                             \
        __VA_ARGS__                                                                                                    \
    }

static const struct console_verb commands[] = {
    /* ---- a model goes on, and back ---- */
    {VERB(
         "run", 'r', VERB_RUNNING, 0, 1, "[UNITS]", "run until it stops, or for UNITS of work",
         "A unit is a word fetched, a method executed, or engine work that takes about as long (64 bytes copied). The\n"
         "default is 1048576. The reason of the stop is printed: idle, budget (UNITS are done), waiting, interrupt,\n"
         "frozen or breakpoint.\n",
         "run 100"),
     CONSOLE_ON_MODEL, console_cmd_run},
    {VERB("continue", 'c', VERB_RUNNING, 0, 1, "[N]", "run to the next breakpoint, or the Nth",
          "As run does; without a breakpoint it ends where a run ends.\n", "continue 3"),
     CONSOLE_ON_MODEL, console_cmd_continue},
    {VERB("step", 's', VERB_RUNNING, 0, 1, "[STEPS]", "run one unit at a time, and print the events",
          "STEPS is at most 4096. next method goes on by a method.\n", "step 4"),
     CONSOLE_ON_MODEL, console_cmd_step},
    {VERB("next", 'n', VERB_RUNNING, 0, 2, "[packet|method|draw|launch|submission] [N]",
          "run up to the next packet, or another unit",
          "It stops before the packet is fetched, or the method executed; after the draw or launch. With N, at the "
          "Nth.\n"
          "A submission is what was handed over when the command began: up to PUT of the channel on the chip, or the "
          "end\n"
          "of the entry of its ring (IB, GPFIFO) that it is in.\n",
          "next draw"),
     CONSOLE_ON_MODEL, console_cmd_next},
    {VERB("until", 'u', VERB_RUNNING, 2, 3, "PLACE VALUE [MASK] | event GLOBS",
          "run until the 32 bits at PLACE, under the mask, are VALUE, or until an event",
          "It is looked at after each unit of work. The run is as long as one of the command run; if it ends first, "
          "that\n"
          "is an error.\n",
          "until CACHE1_REF 7"),
     CONSOLE_ON_MODEL, console_cmd_until},
    {VERB("watch", 0, VERB_RUNNING, 1, 1, "PLACE", "run until the 32 bits at PLACE have changed",
          "gdb's watch, which stops each time, is break register and break memory here.\n", "watch CACHE1_DMA_GET"),
     CONSOLE_ON_MODEL, console_cmd_watch},
    {VERB("back", 0, VERB_RUNNING, 0, 1, "[N]", "go back by N units of work",
          "Registers, memory and the clock are what they were: the machine was saved before the first run since "
          "something\n"
          "else changed it, and there is no way back past that.\n",
          "back 10"),
     CONSOLE_ON_MODEL, console_cmd_back},
    {VERB(
         "pass", 0, VERB_RUNNING, 0, 1, "[NANOSECONDS]", "let time pass without work",
         "Until the alarm of PTIMER or the timeout of an acquire, but for at most NANOSECONDS. The next run shows the\n"
         "effect.\n",
         "pass 1000000"),
     CONSOLE_ON_MODEL, console_cmd_pass},

    /* ---- a capture goes on, and back ---- */
    {VERB("run", 'r', VERB_RUNNING, 0, 0, "", "run the capture from the beginning", NULL, NULL), CONSOLE_ON_CAPTURE,
     debug_cmd_run},
    {VERB("continue", 'c', VERB_RUNNING, 0, 1, "[N]", "go on to the next stop, or the Nth",
          "Stops are breakpoints, the first fault of each kind, the end, and Ctrl-C.\n", "continue 3"),
     CONSOLE_ON_CAPTURE, debug_cmd_continue},
    {VERB("next", 'n', VERB_RUNNING, 0, 2, "[packet|draw|launch|submission|method] [N]",
          "go on by N packets, or other units",
          "At the end of a packet the first method of the next one is shown, which has not been executed.\n",
          "next draw"),
     CONSOLE_ON_CAPTURE, debug_cmd_next},
    {VERB("step", 's', VERB_RUNNING, 0, 2, "[method|packet|draw|launch|submission] [N]",
          "go on by N methods, or other units", NULL, "step 10"),
     CONSOLE_ON_CAPTURE, debug_cmd_step},
    {VERB("until", 'u', VERB_RUNNING, 1, 1, "WHERE", "go on to a place",
          "WHERE: N, where the submission begins that decode prints as N; draw:N, launch:N, method:N, packet:N, when\n"
          "it is done: of the capture, from 0 on, as in image --at. It is an error if the capture ends first. A "
          "breakpoint\n"
          "before it stops, too.\n",
          "until draw:0"),
     CONSOLE_ON_CAPTURE, debug_cmd_until},
    {VERB("finish", 0, VERB_RUNNING, 0, 0, "", "go on to the end of this run",
          "Then all that was submitted is done, and nothing of the next submission has begun.\n", NULL),
     CONSOLE_ON_CAPTURE, debug_cmd_finish},
    {VERB("back", 0, VERB_RUNNING, 0, 2, "[packet|draw|launch|submission|method] [N]",
          "go back by N packets, or other units",
          "The machine is exactly what it was. It is an error if there are fewer than N before this place.\n",
          "back draw"),
     CONSOLE_ON_CAPTURE, debug_cmd_back},
    {VERB("reverse-continue", 0, VERB_RUNNING, 0, 1, "[N]", "go back to the last stop before, or the Nth",
          "To where continue would have stopped the last time before this place: rc is the same. Where memory or a "
          "register\n"
          "is watched, that is after the change. If there is no stop before, it is the beginning of the capture.\n",
          "reverse-continue"),
     CONSOLE_ON_CAPTURE, debug_cmd_reverse_continue},
    {VERB("reverse-next", 0, VERB_RUNNING, 0, 2, "[packet|draw|launch|submission|method] [N]", "the same as back",
          "By packets, as next goes on: rn is the same.\n", "reverse-next 3"),
     CONSOLE_ON_CAPTURE, debug_cmd_back},
    {VERB("reverse-step", 0, VERB_RUNNING, 0, 2, "[method|packet|draw|launch|submission] [N]",
          "go back by N methods, or other units", "As step goes on: rs is the same.\n", "reverse-step 10"),
     CONSOLE_ON_CAPTURE, debug_cmd_back},

    /* ---- inside a shader program ---- */
    {VERB("stepi", 0, VERB_RUNNING, 0, 2, "[N]", "go on by N instructions of the warp, inside a shader program",
          "break program stops inside one. The machine stands before the unit of work that runs it, until continue or\n"
          "another command goes on. A long launch has several units: stepi goes through them, without a stop at\n"
          "breakpoints. Outside of programs it is the same as step.\n",
          "stepi 4"),
     CONSOLE_ON_LOOK, shader_cmd_stepi},
    {VERB("reverse-stepi", 0, VERB_RUNNING, 0, 2, "[N]",
          "go back by N instructions of the warp, inside a shader program",
          "Outside of programs it is the same as reverse-step of a capture, and back of a model: rsi is the same.\n",
          "reverse-stepi"),
     CONSOLE_ON_LOOK, shader_cmd_stepi},
    {VERB("lane", 0, VERB_STATUS, 0, 1, "[N]", "choose the lane that print and info are about, in a shader program",
          "info lanes shows them. Without N, the place is shown.\n", "lane 5"),
     CONSOLE_ON_LOOK, shader_cmd_lane},
    {VERB("backtrace", 0, VERB_STATUS, 0, 0, "", "show the stack of the lane; outside of shader programs the place",
          "What stepi goes through: where the lane goes on after a branch, a loop or a call. bt is the same.\n", NULL),
     CONSOLE_ON_LOOK, shader_cmd_backtrace},

    /* ---- making it stop ---- */
    {&verb_break, CONSOLE_ON_LOOK, console_cmd_break},
    {&verb_tbreak, CONSOLE_ON_LOOK, console_cmd_break},
    {&verb_catch, CONSOLE_ON_LOOK, console_cmd_break},
    {VERB("watch", 0, VERB_BREAKPOINTS, 1, 2, "REGISTER | METHOD | PLACE [BYTES]",
          "stop when a register, what a method holds, or memory has changed",
          "METHOD is as for print: SET_COLOR_CLEAR_VALUE(0), of the objects that channels have bound. It tells the "
          "first word that changed, and the method that was executed last. Memory: 4 bytes, or BYTES.\n",
          "watch buffer:10 64"),
     CONSOLE_ON_CAPTURE, console_cmd_break},
    {&verb_delete, CONSOLE_ON_LOOK, console_cmd_delete},
    {VERB("freeze", 0, VERB_BREAKPOINTS, 0, 1, "[MILLISECONDS]", "stop PFIFO, and wait until it has stopped",
          "MILLISECONDS: the timeout, by default 2000, at most 60000. If PFIFO does not stop, FREEZE is restored.\n",
          "freeze 500"),
     CONSOLE_ON_GPU, console_cmd_freeze},
    {VERB("thaw", 0, VERB_BREAKPOINTS, 0, 1, "[MILLISECONDS]", "let PFIFO continue, and wait until it does",
          "MILLISECONDS: the timeout, as of freeze.\n", NULL),
     CONSOLE_ON_GPU, console_cmd_freeze},

    /* ---- registers and memory ---- */
    {VERB("print", 'p', VERB_DATA, 1, 2, "[/FMT] THING", "print a register, what a method holds, or a value",
          "THING: PMC.INTR, CACHE1_DMA_GET; SET_OBJECT, FERMI_A.SET_COLOR_TARGET_WIDTH(0), of objects that channels "
          "have\n"
          "bound, also with * and ?; 1<<20|3, CACHE1_GET+4, $pc+8 of a capture. FMT: x, d, u, f, c or t, as that of "
          "x.\n",
          "print CACHE1_DMA_GET"),
     CONSOLE_ON_ANY, console_cmd_print},
    {VERB("x", 'x', VERB_DATA, 1, 2, "[/FMT] PLACE", "print memory or registers",
          "FMT: how many, x d u f c or t (bits), and b h w or g for 1, 2, 4 or 8 bytes.\n", "x/8xw vram:0x1000"),
     CONSOLE_ON_ANY, console_cmd_examine},
    {VERB("disassemble", 0, VERB_DATA, 0, 2, "[CHANNEL | ADDRESS [COUNT]]",
          "say what the words around GET, or at an address, mean",
          "CHANNEL is decimal; without it, it is the one on the chip. ADDRESS begins with 0x, and is one of the "
          "channel's\n"
          "pushbuffer, or a PLACE in memory: sys:0x1000. COUNT: words, by default 16.\n",
          "disassemble sys:0x1000 8"),
     CONSOLE_ON_MODEL, console_cmd_disassemble},
    {VERB("list", 'l', VERB_DATA, 0, 0, "", "show the words around GET, as disassemble does", NULL, NULL),
     CONSOLE_ON_MODEL, console_cmd_disassemble},
    {VERB("disassemble", 0, VERB_DATA, 0, 2, "[PLACE [WORDS]]",
          "say what words mean: those around, or what is in memory",
          "Without a PLACE it is list: the words of the capture. With one, what is in memory now.\n",
          "disassemble $header 4"),
     CONSOLE_ON_CAPTURE, debug_cmd_disassemble},
    {VERB("list", 'l', VERB_DATA, 0, 1, "[LINES]", "show the words around the one that comes next",
          "LINES before and after it, by default 5.\n", "list 2"),
     CONSOLE_ON_CAPTURE, debug_cmd_list},
    {VERB("r32", 0, VERB_DATA, 1, 2, "PLACE [COUNT]", "read 32 bits, COUNT times", NULL, "r32 CACHE1_CTX[0] 4"),
     CONSOLE_ON_ANY, console_cmd_read},
    {VERB("r16", 0, VERB_DATA, 1, 2, "PLACE [COUNT]", "read 16 bits", NULL, "r16 vram:0x1000"), CONSOLE_ON_ANY,
     console_cmd_read},
    {VERB("r8", 0, VERB_DATA, 1, 2, "PLACE [COUNT]", "read 8 bits", NULL, "r8 sys:0x1001 3"), CONSOLE_ON_ANY,
     console_cmd_read},
    {VERB("w32", 0, VERB_DATA, 2, VERB_ANY, "PLACE VALUE...", "write 32 bits each, one after the other", NULL,
          "w32 PMC.ENABLE ~0"),
     CONSOLE_ON_GPU, console_cmd_write},
    {VERB("w16", 0, VERB_DATA, 2, VERB_ANY, "PLACE VALUE...", "write 16 bits each", NULL, "w16 vram:0x1000 1 2"),
     CONSOLE_ON_GPU, console_cmd_write},
    {VERB("w8", 0, VERB_DATA, 2, VERB_ANY, "PLACE VALUE...", "write 8 bits each", NULL, "w8 sys:0x1001 0xff"),
     CONSOLE_ON_GPU, console_cmd_write},
    {VERB("expect", 0, VERB_DATA, 2, 3, "PLACE VALUE [MASK] | stop REASON | irq LEVEL",
          "fail if the 32 bits at PLACE, under the mask, differ",
          "  expect stop REASON  fail unless the last run stopped for it: idle, budget, waiting, interrupt, frozen,\n"
          "                      breakpoint, or goal: where until, watch or next should stop; with a capture also\n"
          "                      fault, end or begin (of the capture) and ctrl-c\n"
          "  expect irq LEVEL    fail unless the interrupt line is asserted (1) or not (0)\n",
          "expect CACHE1_REF 7"),
     CONSOLE_ON_ANY, console_cmd_expect},
    {VERB("dump", 0, VERB_DATA, 0, 1, "[GLOB]", "read the registers with such names",
          "GLOB: CACHE1_*, PMC.*, PCCSR. Windows must match GLOB; of long arrays, only elements that are not 0.\n",
          "dump CACHE1_*"),
     CONSOLE_ON_ANY, console_cmd_dump},
    {VERB("vram", 0, VERB_DATA, 1, VERB_ANY, "ADDRESS [VALUE...]", "read 4 words of VRAM, or write", NULL,
          "vram 0x1000 1 2 3"),
     CONSOLE_ON_ANY, console_cmd_memory},
    {VERB("sys", 0, VERB_DATA, 1, VERB_ANY, "ADDRESS [VALUE...]", "the same in system memory", NULL, "sys 0x1000"),
     CONSOLE_ON_ANY, console_cmd_memory},
    {VERB("ramin", 0, VERB_DATA, 1, VERB_ANY, "ADDRESS [VALUE...]", "the same in RAMIN", NULL, "ramin 0x1000"),
     CONSOLE_ON_ANY, console_cmd_memory},
    {VERB("bar", 0, VERB_DATA, 2, VERB_ANY, "N ADDRESS [VALUE...]", "the same in a BAR", NULL, "bar 1 0x1000"),
     CONSOLE_ON_GPU, console_cmd_bar},

    /* ---- where it is ---- */
    {VERB("info", 'i', VERB_STATUS, 0, VERB_ANY, "[TOPIC [GLOB]]", "show the state of a topic",
          "Without arguments, what it can show is listed.\n", "info breakpoints"),
     CONSOLE_ON_ANY, console_cmd_info},
    {VERB("where", 0, VERB_STATUS, 0, 0, "", "show the place", NULL, NULL), CONSOLE_ON_CAPTURE, debug_cmd_where},
    {&verb_stop, CONSOLE_ON_MODEL, console_cmd_stop},
    {&verb_stop, CONSOLE_ON_CAPTURE, debug_cmd_stop},
    {VERB("irq", 0, VERB_STATUS, 0, 0, "", "print the interrupt line and the pending interrupts",
          "From PMC through PFIFO to the PBDMAs, bits by name; pending interrupts that are not enabled are marked.\n",
          NULL),
     CONSOLE_ON_ANY, console_cmd_irq},
    {VERB("channels", 0, VERB_STATUS, 0, 0, "", "print the state of each channel", NULL, NULL), CONSOLE_ON_ANY,
     console_cmd_channels},
    {VERB("card", 0, VERB_STATUS, 0, 0, "", "identify the card, and print its BARs", NULL, NULL), CONSOLE_ON_CARD,
     console_cmd_card},
    {VERB("trace", 0, VERB_STATUS, 1, VERB_ANY, "GLOBS|off", "print events as they happen",
          "GLOBS: pusher.*,puller.bind. The command 'pfifo events' lists them.\n", "trace puller.*"),
     CONSOLE_ON_MODEL | CONSOLE_ON_NONE, console_cmd_trace},

    /* ---- the session ---- */
    {VERB("chip", 0, VERB_SESSION, 1, 1, "NAME", "make a fresh GPU of that chip", NULL, "chip NV40"),
     CONSOLE_ON_MODEL | CONSOLE_ON_NONE, console_cmd_chip},
    {VERB("reset", 0, VERB_SESSION, 0, 0, "", "make a fresh GPU of the same chip", NULL, NULL), CONSOLE_ON_MODEL,
     console_cmd_reset},
    {VERB("save", 0, VERB_SESSION, 1, 1, "FILE", "save the GPU to a file", "load of pfifo shell restores it.\n",
          "save before.state"),
     CONSOLE_ON_LOOK, console_cmd_save},
    {VERB("load", 0, VERB_SESSION, 1, 1, "FILE", "restore a GPU of the same chip from a file",
          "If the file cannot be loaded, the GPU is in the state after reset.\n", "load before.state"),
     CONSOLE_ON_MODEL, console_cmd_load},
    {&verb_echo, CONSOLE_ON_ANY | CONSOLE_ON_NONE, console_cmd_echo},
    {&verb_help, CONSOLE_ON_ANY | CONSOLE_ON_NONE, console_cmd_help},
    {&verb_quit, CONSOLE_ON_ANY | CONSOLE_ON_NONE, console_cmd_quit},
};

#define COMMANDS (sizeof commands / sizeof commands[0])

static const struct verb *verb_at(unsigned on, size_t index) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (commands[i].on & on && !index--)
            return commands[i].verb;
    return NULL;
}

#define LOOKS "a capture is only looked at, so that it does the same each time"

/* Other names of commands, most of them gdb's, and what gdb has that is not here. */
static const struct verb_hint hints[] = {
    {CONSOLE_ON_ANY, "si", "stepi", NULL},
    {CONSOLE_ON_ANY, "nexti", "next", NULL},
    {CONSOLE_ON_ANY, "ni", "next", NULL},
    {CONSOLE_ON_ANY, "exit", "quit", NULL},
    {CONSOLE_ON_ANY, "up", "list", NULL},
    {CONSOLE_ON_ANY, "down", "list", NULL},
    {CONSOLE_ON_ANY, "advance", "until", NULL},
    {CONSOLE_ON_ANY, "bt", "backtrace", NULL},
    {CONSOLE_ON_GPU, "frame", "stop", NULL},
    {CONSOLE_ON_GPU, "where", "stop", NULL},
    {CONSOLE_ON_GPU, "finish", "run", NULL}, /* a run goes on until nothing is left to do */
    {CONSOLE_ON_GPU, "rc", NULL, "back N goes back by units"},
    {CONSOLE_ON_GPU, "reverse-continue", NULL, "back N goes back by units"},
    {CONSOLE_ON_GPU, "reverse-step", "back", NULL},
    {CONSOLE_ON_ANY, "rsi", "reverse-stepi", NULL},
    {CONSOLE_ON_CAPTURE, "frame", "where", NULL},
    {CONSOLE_ON_CAPTURE, "rc", "reverse-continue", NULL},
    {CONSOLE_ON_CAPTURE, "rs", "reverse-step", NULL},
    {CONSOLE_ON_CAPTURE, "rn", "reverse-next", NULL},
    {CONSOLE_ON_CAPTURE, "reverse-nexti", "reverse-next", NULL},
    {CONSOLE_ON_CAPTURE, "rni", "reverse-next", NULL},
    {CONSOLE_ON_CAPTURE, "reverse-finish", NULL, "back submission goes to where it begins"},
    {CONSOLE_ON_CAPTURE, "start", "run", NULL},
    {CONSOLE_ON_CAPTURE, "kill", "run", NULL},
    {CONSOLE_ON_CAPTURE, "reset", "run", NULL},
    {CONSOLE_ON_CAPTURE, "trace", NULL, "catch stops at events, and pfifo run --trace prints them"},
    {CONSOLE_ON_CAPTURE, "load", NULL, "until WHERE goes to a place; pfifo shell loads what save has saved"},
    {CONSOLE_ON_CAPTURE, "set", NULL, LOOKS},
    {CONSOLE_ON_CAPTURE, "jump", NULL, LOOKS},
    {CONSOLE_ON_CAPTURE, "call", NULL, LOOKS},
    {CONSOLE_ON_GPU, "set", NULL, "w32 PLACE VALUE writes; vram, sys and ramin write memory"},
    {CONSOLE_ON_ANY, "condition", NULL, "a condition is part of WHERE: break CLEAR_* data=0x3c"},
    {CONSOLE_ON_ANY, "ignore", NULL, "continue N passes over stops"},
    {CONSOLE_ON_ANY, "disable", NULL, "delete deletes breakpoints"},
    {CONSOLE_ON_ANY, "enable", NULL, "break makes breakpoints"},
    {CONSOLE_ON_ANY, "commands", NULL, "the option -x FILE has commands of a file"},
    {CONSOLE_ON_ANY, "source", NULL, "the option -x FILE has commands of a file"},
    {CONSOLE_ON_ANY, "display", NULL, "print and x print, after each stop"},
    {CONSOLE_ON_ANY, "file", NULL, "the file is an argument of the program"},
    {0},
};

static const char gpu_places[] =
    "PLACE is a register or window (CACHE1_GET, PMC.INTR, CACHE1_CTX[3], USER+0x2010), an offset in BAR0 (0x3270),\n"
    "or vram:ADDRESS, sys:ADDRESS, ramin:ADDRESS, bar1:ADDRESS. VALUE is a number (0x10, 16), a PLACE, whose value is\n"
    "read, or several with + | << and ~ between: CACHE1_GET+4, 1<<20|3, ~0. What follows a # is a comment.\n";

static const char capture_places[] =
    "PLACE is an address as the channel sees it: a number, a sum of numbers, $pc (the word that comes next) or "
    "$header\n"
    "(that of its packet); or vram:ADDRESS, sys:ADDRESS, ramin:ADDRESS, buffer:HANDLE+OFFSET. Of x, r32 and expect it\n"
    "may be a register (CACHE1_GET, PMC.INTR), and of r32 and expect a number is an offset in BAR0.\n";

static const struct verbs of_gpu = {.at = verb_at, .on = CONSOLE_ON_GPU, .hints = hints, .places = gpu_places},
                          of_capture = {
                              .at = verb_at, .on = CONSOLE_ON_CAPTURE, .hints = hints, .places = capture_places};

const struct verbs *console_verbs(const struct console *console) {
    return console->target->kind == CONSOLE_ON_CAPTURE ? &of_capture : &of_gpu;
}

static bool table_is_for(const struct console *console, const struct console_verb *command, struct pfifo_error *error) {
    const struct console_target *target = console->target;

    if (!(command->on & target->kind) && command->on == CONSOLE_ON_CARD && target->kind == CONSOLE_ON_MODEL)
        return refuse(error, "%s works on a card only, and this is a model; pfifo shell --pci=ADDRESS opens a card",
                      command->verb->name);
    if (!(command->on & target->kind))
        return refuse(error, "%s is for %s; this is %s", command->verb->name,
                      !(command->on & CONSOLE_ON_GPU)    ? "captures"
                      : !(command->on & CONSOLE_ON_CARD) ? "models"
                      : command->on & CONSOLE_ON_MODEL   ? "models and cards"
                                                         : "cards",
                      target->is);
    return command->on & CONSOLE_ON_NONE || console->registers ||
           refuse(error, "there is no GPU yet: chip NAME makes one");
}

/* The command of that name, or the verb's. NULL: there is none on any of these targets. */
static const struct console_verb *table_named(unsigned on, const char *name) {
    for (size_t i = 0; i < COMMANDS; i++)
        if (commands[i].on & on && strcmp(commands[i].verb->name, name) == 0)
            return &commands[i];
    return NULL;
}

const struct console_verb *console_verb_find(const struct console *console, const char *name,
                                             struct pfifo_error *error) {
    const struct verbs *verbs = console_verbs(console);
    const struct console_verb *command = table_named(console->target->kind, name);
    const struct verb *verb;

    if (!command && !verbs_has_hint(verbs, name))
        command = table_named(CONSOLE_ON_ANY, name);
    if (!command) {
        verb = verbs_find(verbs, name, error);
        command = verb ? table_named(console->target->kind, verb->name) : NULL;
        command = verb && !command ? table_named(verbs->on, verb->name) : command;
    }
    return command && table_is_for(console, command, error) ? command : NULL;
}

bool console_usage(const struct console *console, struct pfifo_error *error) {
    return verbs_usage(table_named(console->target->kind, console->doing)->verb, error);
}

bool console_cmd_help(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    return verbs_help(console_verbs(console), count > 1 ? argument[1] : NULL, console_print_text, console, error);
}
