/* SPDX-License-Identifier: MIT */
/* info and expect, and breakpoints, of all targets. */
#include "face/tool/console/commands.h"
#include "face/tool/console/shader/shader.h"
#include "face/tool/console/target.h"

#include <string.h>

/* ---- info ---- */

static bool info_breakpoints(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    (void)count, (void)argument, (void)error;
    if (console->breaks.trace)
        breaks_list(&console->breaks);
    else
        console_print(console, "There are no breakpoints.\n");
    return true;
}

/* Of a capture PFIFO's alone, if nothing is named: info is about what happens. */
static bool info_registers(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    char *words[] = {argument[0], "PFIFO.*"};

    if (count == 1 && shader_inside(console))
        return shader_print_registers(console, error);
    if (count == 1 && console->target->kind == CONSOLE_ON_CAPTURE)
        return console_cmd_dump(console, 2, words, error);
    return console_cmd_dump(console, count, argument, error);
}

static const struct verb_topic topics[] = {
    {CONSOLE_ON_ANY, "breakpoints", "where runs stop"},
    {CONSOLE_ON_CAPTURE, "buffers", "the buffers, with their addresses and sizes"},
    {CONSOLE_ON_ANY, "channels", "the state of each channel, as channels does"},
    {CONSOLE_ON_CAPTURE, "faults", "the faults so far, by kind"},
    {CONSOLE_ON_ANY, "irq", "the interrupt line and what is pending, as irq does"},
    {CONSOLE_ON_LOOK, "lanes", "the lanes of the warp, inside a shader program, with a register of each: lanes r3"},
    {CONSOLE_ON_CAPTURE, "objects", "the classes that channels have bound"},
    {CONSOLE_ON_CAPTURE, "place", "where it is, as where does"},
    {CONSOLE_ON_LOOK, "program", "the shader program and the warp that it is in"},
    {CONSOLE_ON_ANY, "registers", "registers, as dump does; inside a shader program those of the lane"},
    {CONSOLE_ON_LOOK, "stack", "where the lane goes on, inside a shader program"},
    {CONSOLE_ON_ANY, "watchpoints", NULL},
    {0},
};

static console_command *const shows[] = {
    info_breakpoints,        debug_cmd_info_buffers, console_cmd_channels,   debug_cmd_info_faults,
    console_cmd_irq,         shader_cmd_info_lanes,  debug_cmd_info_objects, debug_cmd_where,
    shader_cmd_info_program, info_registers,         shader_cmd_info_stack,  info_breakpoints,
};

const char *console_info_word(const struct console *console, size_t index) {
    for (const struct verb_topic *topic = topics; topic->name; topic++)
        if (topic->on & console->target->kind && !index--)
            return topic->name;
    return NULL;
}

bool console_cmd_info(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    const unsigned on = console->target->kind;
    bool takes_glob;
    size_t index;

    if (count == 1) {
        verbs_list_topics(topics, on, console_print_text, console);
        return true;
    }
    if (!verbs_find_topic(topics, on, argument[1], &index, error))
        return false;
    takes_glob = shows[index] == info_registers || shows[index] == shader_cmd_info_lanes;
    if (count > (takes_glob ? 3 : 2))
        return refuse(error, "usage: info %s%s", topics[index].name,
                      shows[index] == info_registers ? " [GLOB]"
                      : takes_glob                   ? " [REGISTER]"
                                                     : "");
    return shows[index](console, count - 1, argument + 1, error);
}

/* ---- breakpoints ---- */

static bool ready(struct console *console, struct pfifo_error *error) {
    return console->breaks.trace || breaks_init(&console->breaks, console->target->breaks, console, error);
}

bool console_cmd_break(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    return ready(console, error) && breaks_add(&console->breaks, count, argument, console->rest, error);
}

bool console_cmd_delete(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    return ready(console, error) && breaks_delete(&console->breaks, count, argument, error);
}
