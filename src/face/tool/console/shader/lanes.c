/* SPDX-License-Identifier: MIT */
/* Print a warp: where it is, its lanes, the registers and the stack of one. */
#include "face/tool/console/commands.h"
#include "chip/counted.h"
#include "face/tool/console/shader/shader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { REGISTERS_A_LINE = 4 };

void shader_format_thread(const struct pfifo_warp_thread *thread, char *text, size_t room) {
    size_t used = (size_t)snprintf(text, room, "%s", thread->is ? thread->is : "");

    for (unsigned i = 0; i < thread->count && used < room; i++)
        used += (size_t)snprintf(text + used, room - used, "%s%" PRIu32,
                                 !i       ? " "
                                 : i == 3 ? " of block "
                                          : ",",
                                 thread->at[i]);
}

/* ---- the place ---- */

/* What is looked at, for all that print something. */
struct looked {
    struct console *console;
    const char *only; /* a register, for info lanes; NULL: none */
    char text[PFIFO_INSTRUCTION_BYTES];
    struct pfifo_warp_thread thread; /* of the lane */
};

static void look_at_place(void *opaque, const struct pfifo_program_step *step, struct pfifo_warp *warp) {
    struct looked *looked = opaque;

    pfifo_warp_instruction(warp, step->pc, looked->text, sizeof looked->text);
    pfifo_warp_thread(warp, shader_at(looked->console)->lane, &looked->thread);
}

static unsigned count_lanes(uint32_t lanes) {
    unsigned count = 0;

    for (; lanes; lanes &= lanes - 1)
        count++;
    return count;
}

void shader_print_place(struct console *console) {
    struct looked looked = {.console = console};
    const struct shader_at *at = shader_at(console);
    const struct pfifo_program_step *step = &at->step;
    char thread[96];

    if (!shader_see(console, look_at_place, &looked, NULL))
        return;
    shader_format_thread(&looked.thread, thread, sizeof thread);
    console_print(console, "in the %s program at 0x%" PRIx64 ": warp %" PRIu64 " of this unit, after %s; lane %u%s%s\n",
                  pfifo_stage_name(step->stage), step->program, step->warp, counted(step->executed, "instruction").text,
                  at->lane, thread[0] ? ", " : "", thread);
    console_print(console, "=> 0x%06" PRIx32 " %s; %u of %u lanes\n", step->pc, looked.text, count_lanes(step->active),
                  count_lanes(step->alive));
}

void shader_text(struct console *console, char text[PFIFO_INSTRUCTION_BYTES]) {
    struct looked looked = {.console = console};

    shader_see(console, look_at_place, &looked, NULL);
    memcpy(text, looked.text, PFIFO_INSTRUCTION_BYTES);
}

bool shader_cmd_info_program(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct looked looked = {.console = console};

    (void)count, (void)argument;
    if (!shader_see(console, look_at_place, &looked, error))
        return false;
    const struct pfifo_program_step *step = &shader_at(console)->step;
    shader_print_place(console);
    console_print(console, "channel %" PRIu32 ", program region at 0x%" PRIx64 ", first instruction 0x%06" PRIx32 "\n",
                  step->channel, step->code, step->entry);
    console_print(console,
                  "lanes at it 0x%08" PRIx32 ", active 0x%08" PRIx32 ", alive 0x%08" PRIx32 ", killed 0x%08" PRIx32
                  ", helpers 0x%08" PRIx32 ", at a barrier 0x%08" PRIx32 "\n",
                  step->lanes, step->active, step->alive, step->killed, step->helpers, step->waiting);
    for (unsigned i = 0; i < PFIFO_PREDICATES; i++)
        console_print(console, "%sP%u 0x%08" PRIx32 "%s",
                      i == 4 ? ""
                      : i    ? "  "
                             : "",
                      i, step->predicate[i], i == 3 || i + 1 == PFIFO_PREDICATES ? "\n" : "");
    console_print(console,
                  "zero 0x%08" PRIx32 "  sign 0x%08" PRIx32 "  carry 0x%08" PRIx32 "  overflow 0x%08" PRIx32 "\n",
                  step->zero, step->sign, step->carry, step->overflow);
    return true;
}

/* ---- lanes ---- */

static const char *state_of(const struct pfifo_program_step *step, unsigned lane) {
    const uint32_t bit = UINT32_C(1) << lane;

    return !(step->alive & bit)    ? "ended"
           : step->waiting & bit   ? "at a barrier"
           : !(step->lanes & bit)  ? "elsewhere"
           : !(step->active & bit) ? "not done: its guard is false"
                                   : "active";
}

static void look_at_lanes(void *opaque, const struct pfifo_program_step *step, struct pfifo_warp *warp) {
    const struct looked *looked = opaque;
    struct console *console = looked->console;

    for (unsigned lane = 0; lane < PFIFO_LANES; lane++) {
        const uint32_t bit = UINT32_C(1) << lane;
        struct pfifo_warp_thread thread;
        uint32_t value;
        char text[96];
        if (!(step->alive & bit) && lane != shader_at(console)->lane)
            continue;
        pfifo_warp_thread(warp, lane, &thread);
        shader_format_thread(&thread, text, sizeof text);
        console_print(console, "%s lane %-2u 0x%06" PRIx32 "  ", lane == shader_at(console)->lane ? "*" : " ", lane,
                      pfifo_warp_pc(warp, lane));
        if (looked->only && pfifo_warp_register(warp, lane, (unsigned)strtoul(looked->only, NULL, 10), &value))
            console_print(console, "R%s 0x%08" PRIx32 "  ", looked->only, value);
        console_print(console, "%-24s %s%s%s\n", text, state_of(step, lane), step->killed & bit ? ", killed" : "",
                      step->helpers & bit ? ", helper" : "");
    }
}

/* "$r3", "r3" or "3": as it is in each lane. */
bool shader_cmd_info_lanes(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    struct looked looked = {.console = console};

    if (count > 1) {
        looked.only = argument[1] + strspn(argument[1], "$rR");
        if (!looked.only[0] || strlen(looked.only) > 3 || looked.only[strspn(looked.only, "0123456789")])
            return refuse(error, "'%.60s' is not a register of the program: info lanes r3", argument[1]);
    }
    return shader_see(console, look_at_lanes, &looked, error);
}

/* ---- a lane ---- */

static void look_at_registers(void *opaque, const struct pfifo_program_step *step, struct pfifo_warp *warp) {
    struct console *console = opaque;
    unsigned lane = shader_at(console)->lane, registers = pfifo_warp_registers(warp);
    uint32_t value = 0;

    for (unsigned i = 0; i < registers; i++) {
        float number;
        if (!pfifo_warp_register(warp, lane, i, &value))
            break;
        memcpy(&number, &value, sizeof number);
        bool last = i % REGISTERS_A_LINE == REGISTERS_A_LINE - 1 || i + 1 == registers;
        console_print(console, last ? "R%-3u 0x%08" PRIx32 " %.7g\n" : "R%-3u 0x%08" PRIx32 " %-16.7g", i, value,
                      (double)number);
    }
    for (unsigned i = 0; i < PFIFO_PREDICATES; i++)
        console_print(console, "P%u %u%s", i, step->predicate[i] >> lane & 1, i + 1 == PFIFO_PREDICATES ? "\n" : "  ");
    console_print(console, "zero %u  sign %u  carry %u  overflow %u\n", step->zero >> lane & 1, step->sign >> lane & 1,
                  step->carry >> lane & 1, step->overflow >> lane & 1);
}

bool shader_print_registers(struct console *console, struct pfifo_error *error) {
    return shader_see(console, look_at_registers, console, error);
}

static void look_at_stack(void *opaque, const struct pfifo_program_step *step, struct pfifo_warp *warp) {
    struct console *console = opaque;
    unsigned lane = shader_at(console)->lane, index = 0;
    const char *what;
    uint32_t target;
    char text[PFIFO_INSTRUCTION_BYTES];

    (void)step;
    pfifo_warp_instruction(warp, pfifo_warp_pc(warp, lane), text, sizeof text);
    console_print(console, "lane %u is at 0x%06" PRIx32 " %s\n", lane, pfifo_warp_pc(warp, lane), text);
    for (; pfifo_warp_stack(warp, lane, index, &what, &target); index++) {
        pfifo_warp_instruction(warp, target, text, sizeof text);
        console_print(console, "#%-2u %-8s 0x%06" PRIx32 " %s\n", index, what, target, text);
    }
    if (!index)
        console_print(console, "its stack is empty\n");
}

bool shader_cmd_info_stack(struct console *console, unsigned count, char **argument, struct pfifo_error *error) {
    (void)count, (void)argument;
    return shader_see(console, look_at_stack, console, error);
}
