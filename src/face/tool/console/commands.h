/* SPDX-License-Identifier: MIT */
/* The functions of the commands, which the table has (table.c), by the files that they are in. */
#ifndef PFIFO_TOOL_CONSOLE_COMMANDS_H
#define PFIFO_TOOL_CONSOLE_COMMANDS_H

#include "face/tool/console/command.h"

/* Of all targets: console.c, info.c, print.c, stops.c, table.c */
console_command console_cmd_echo, console_cmd_quit, console_cmd_help, console_cmd_info, console_cmd_examine,
    console_cmd_print, console_cmd_expect, console_cmd_break, console_cmd_delete;

/* Registers and memory, machine/: access.c, show.c, state.c, card.c */
console_command console_cmd_read, console_cmd_write, console_cmd_memory, console_cmd_bar, console_cmd_dump,
    console_cmd_save, console_cmd_load, console_cmd_card;

/* Channels and PFIFO, channels/ */
console_command console_cmd_irq, console_cmd_channels, console_cmd_freeze, console_cmd_disassemble;

/* A model runs, machine/: model.c, run.c, until.c, back.c */
console_command console_cmd_chip, console_cmd_reset, console_cmd_run, console_cmd_pass, console_cmd_step,
    console_cmd_next, console_cmd_continue, console_cmd_stop, console_cmd_trace, console_cmd_until, console_cmd_watch,
    console_cmd_back;

/* A capture is replayed, replay/: run.c, back.c, reverse.c, show.c */
console_command debug_cmd_run, debug_cmd_continue, debug_cmd_until, debug_cmd_next, debug_cmd_step, debug_cmd_finish,
    debug_cmd_stop, debug_cmd_back, debug_cmd_reverse_continue, debug_cmd_where, debug_cmd_list, debug_cmd_disassemble,
    debug_cmd_info_objects, debug_cmd_info_buffers, debug_cmd_info_faults;

/* Inside a shader program, shader/: commands.c, lanes.c */
console_command shader_cmd_stepi, shader_cmd_lane, shader_cmd_backtrace, shader_cmd_info_lanes, shader_cmd_info_program,
    shader_cmd_info_stack;

#endif
