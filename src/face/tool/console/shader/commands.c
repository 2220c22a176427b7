/* SPDX-License-Identifier: MIT */
/* Commands inside a shader program: by instructions, lanes, disassembly. Outside they are what gdb's words are there. */
#include "face/tool/console/commands.h"
#include "face/tool/console/place.h"
#include "face/tool/console/shader/shader.h"
#include "face/tool/console/target.h"

#include <inttypes.h>
#include <string.h>

enum { LINES_BEFORE = 4, LINES = 10 };

/* ---- outside ---- */

static bool outside(struct console *console, unsigned count, char **argument, console_command *of_capture,
                    console_command *of_model, struct pfifo_error *error) {
    return (console->target->kind == CONSOLE_ON_CAPTURE ? of_capture : of_model)(console, count, argument, error);
}

/* ---- by instructions ---- */

bool shader_cmd_stepi(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    static char methods[] = "reverse-step"; /* what reverse-stepi is for a capture */
    char *words[] = {methods, count > 1 ? argument[1] : NULL, count > 2 ? argument[2] : NULL};
    bool back = argument[0][0] == 'r';
    uint64_t number = 1;

    if (!shader_inside(console))
        return back ? outside(console, count, words, debug_cmd_back, console_cmd_back, error)
                    : outside(console, count, argument, debug_cmd_step, console_cmd_step, error);
    if (count > 1 && !console_number_of(console, argument[1], UINT64_MAX, &number, error))
        return false;
    if (!number || count > 2)
        return console_usage(console, error);
    if (!shader_move(console, back, number, error))
        return false;
    shader_print_place(console);
    return true;
}

bool shader_cmd_lane(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    uint64_t lane;

    if (!shader_inside(console))
        return refuse(error, "it is not inside a shader program: break program stops in one");
    if (count > 1) {
        if (!console_number_of(console, argument[1], UINT64_MAX, &lane, error))
            return false;
        if (lane >= PFIFO_LANES)
            return refuse(error, "a warp has lanes 0 to %u", PFIFO_LANES - 1);
        shader_set_lane(console, (unsigned)lane);
    }
    shader_print_place(console);
    return true;
}

/* ---- instructions ---- */

struct listed {
    struct console *console;
    uint32_t address;
    uint64_t count; /* of instructions */
    bool around;    /* some before the address, too */
};

/* All instructions have the same length, or those of 4 bytes (Fermi) are read one after the other from the entry. */
static uint32_t some_before(const struct pfifo_program_step *step, struct pfifo_warp *warp, uint32_t address) {
    uint32_t before[LINES_BEFORE] = {0};
    uint32_t at = step->entry;
    uint64_t seen = 0;
    char text[PFIFO_INSTRUCTION_BYTES];

    while (at < address) {
        unsigned bytes = pfifo_warp_instruction(warp, at, text, sizeof text);
        before[seen++ % LINES_BEFORE] = at;
        if (!bytes || seen > UINT16_MAX)
            return address;
        at += bytes;
    }
    return at != address || !seen ? address : before[seen < LINES_BEFORE ? 0 : seen % LINES_BEFORE];
}

static void list_instructions(void *opaque, const struct pfifo_program_step *step, struct pfifo_warp *warp) {
    const struct listed *listed = opaque;
    uint32_t at = listed->around ? some_before(step, warp, listed->address) : listed->address;
    char text[PFIFO_INSTRUCTION_BYTES];

    for (uint64_t i = 0; i < listed->count; i++) {
        unsigned bytes = pfifo_warp_instruction(warp, at, text, sizeof text);
        console_print(listed->console, "%s 0x%06" PRIx32 " %s\n", at == step->pc ? "=>" : "  ", at,
                      bytes ? text : "cannot be read");
        if (!bytes)
            return;
        at += bytes;
    }
}

bool shader_list(struct console *console, const char *address, uint64_t count, struct pfifo_error *error) {
    struct listed listed = {.console = console, .count = count, .around = !address};
    uint64_t at;

    if (!shader_inside(console))
        return refuse(error, "it is not inside a shader program: break program stops in one");
    at = shader_at(console)->step.pc;
    if (address && !console_number_of(console, address, UINT32_MAX, &at, error))
        return false;
    if (listed.count > CONSOLE_MAX_COUNT)
        return refuse(error, "1 to %d instructions can be shown", CONSOLE_MAX_COUNT);
    listed.address = (uint32_t)at;
    return shader_see(console, list_instructions, &listed, error);
}

/* disassemble [ADDRESS [COUNT]] */
bool shader_disassemble(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    uint64_t lines = LINES;

    if (count > 2 && !console_number_of(console, argument[2], UINT64_MAX, &lines, error))
        return false;
    if (!lines)
        return console_usage(console, error);
    return shader_list(console, count > 1 ? argument[1] : NULL, lines, error);
}

/* ---- gdb's words ---- */

bool shader_cmd_backtrace(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    if (shader_inside(console))
        return shader_cmd_info_stack(console, count, argument, error);
    return outside(console, count, argument, debug_cmd_where, console_cmd_stop, error);
}
