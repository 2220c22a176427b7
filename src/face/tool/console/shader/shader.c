/* SPDX-License-Identifier: MIT */
#include "face/tool/console/shader/inside.h"

#include <pfifo/state.h>

#include <stdlib.h>

static struct console_shader *shader_of(struct console *console) {
    if (!console->shader)
        console->shader = calloc(1, sizeof *console->shader);
    return console->shader;
}

/* ---- the machine ---- */

static void note_hit(void *opaque, const struct pfifo_program_step *step, struct pfifo_warp *warp) {
    const struct console *console = opaque;
    unsigned lane;

    for (size_t i = 0; i < BREAKS_MOST && !console->shader->found; i++)
        console->shader->found = breaks_program_match(&console->breaks.list[i], step, warp, &lane);
}

void shader_watch_begin(struct console *console, bool inside) {
    struct console_shader *shader;

    if (!breaks_any(&console->breaks, BREAK_PROGRAM) || !(shader = shader_of(console)))
        return;
    shader->watching = true;
    shader->found = false;
    shader->passes = inside;
    pfifo_gpu_watch_programs(console->gpu, note_hit, console);
}

void shader_watch_end(struct console *console) {
    if (!console->shader || !console->shader->watching)
        return;
    console->shader->watching = false;
    pfifo_gpu_watch_programs(console->gpu, NULL, NULL);
}

bool shader_found(struct console *console) {
    struct console_shader *shader = console->shader;
    bool found = shader && shader->watching && shader->found && !shader->passes;

    if (shader)
        shader->found = shader->passes = false;
    return found;
}

/* ---- the copy ---- */

bool shader_make_copy(struct console *console, struct pfifo_error *error) {
    struct pfifo_gpu *gpu = console->gpu;
    const struct pfifo_config config = {.size = sizeof config,
                                        .chip = pfifo_gpu_chip(gpu),
                                        .vram_bytes = pfifo_gpu_vram_bytes(gpu),
                                        .system_bytes = pfifo_gpu_system_bytes(gpu),
                                        .bar1_bytes = pfifo_gpu_bar_bytes(gpu, 1)};

    if (console->config.gpu.system_map || console->config.gpu.clock)
        return refuse(error, "cannot look into a program: memory or clock are somebody else's, and not saved");
    if (pfifo_gpu_save(gpu, state_bytes_write, &console->shader->state, error) != PFIFO_OK)
        return false;
    console->shader->copy = pfifo_gpu_new(&config, error);
    return console->shader->copy;
}

bool shader_load_copy(struct console *console, struct pfifo_error *error) {
    const struct console_shader *shader = console->shader;

    return pfifo_gpu_load(shader->copy, shader->state.data, shader->state.used, error) == PFIFO_OK;
}

/* The unit, once more, and watched. */
static bool do_again(struct console *console, pfifo_program_watch watch, struct pfifo_error *error) {
    struct console_shader *shader = console->shader;

    shader->done = false;
    if (!shader_load_copy(console, error))
        return false;
    pfifo_gpu_watch_programs(shader->copy, watch, console);
    pfifo_gpu_run(shader->copy, 1);
    pfifo_gpu_watch_programs(shader->copy, NULL, NULL);
    return true;
}

static bool is_at(const struct console_shader *shader, const struct pfifo_program_step *step) {
    return step->warp == shader->warp && step->executed == shader->executed;
}

/* ---- to a hit ---- */

/* The first one; with `passes`, from the place where it was on. */
static void find_hit(void *opaque, const struct pfifo_program_step *step, struct pfifo_warp *warp) {
    struct console *console = opaque;
    struct console_shader *shader = console->shader;
    unsigned lane;

    if (shader->done)
        return;
    if (shader->passes) {
        shader->passes = !is_at(shader, step);
        return;
    }
    for (size_t i = 0; i < BREAKS_MOST; i++) {
        struct breakpoint *brk = &console->breaks.list[i];
        if (!breaks_program_match(brk, step, warp, &lane))
            continue;
        if (!shader->done)
            shader->at = (struct shader_at){*step, lane};
        shader->done = true;
        breaks_hit(&console->breaks, brk);
        breaks_because(&console->breaks, "\n");
    }
}

bool shader_enter(struct console *console, struct pfifo_error *error) {
    struct console_shader *shader = shader_of(console);

    if (!shader)
        return refuse(error, "no memory");
    shader_watch_end(console);
    shader_leave(console);
    breaks_begin(&console->breaks);
    shader->passes = false;
    if (!shader_make_copy(console, error) || !do_again(console, find_hit, error)) {
        shader_leave(console);
        return false;
    }
    shader->inside = shader->done;
    if (shader->inside)
        return true;
    shader_leave(console);
    return refuse(error, "the machine did not do the same again: the program did not come there");
}

bool shader_next(struct console *console, bool *found, struct pfifo_error *error) {
    struct console_shader *shader = console->shader;

    *found = false;
    if (!shader_inside(console) || !breaks_any(&console->breaks, BREAK_PROGRAM))
        return true;
    shader->warp = shader->at.step.warp;
    shader->executed = shader->at.step.executed;
    shader->passes = true;
    if (!do_again(console, find_hit, error))
        return false;
    shader->passes = false;
    *found = shader->done;
    return true;
}

/* ---- inside ---- */

bool shader_inside(const struct console *console) {
    return console->shader && console->shader->inside;
}

void shader_leave(struct console *console) {
    struct console_shader *shader = console->shader;

    if (!shader)
        return;
    shader->inside = false;
    state_bytes_free(&shader->state);
    pfifo_gpu_free(shader->copy);
    shader->copy = NULL;
}

void shader_free(struct console *console) {
    shader_leave(console);
    free(console->shader);
    console->shader = NULL;
}

const struct shader_at *shader_at(const struct console *console) {
    return &console->shader->at;
}

void shader_set_lane(struct console *console, unsigned lane) {
    console->shader->at.lane = lane;
}

static void show(void *opaque, const struct pfifo_program_step *step, struct pfifo_warp *warp) {
    const struct console *console = opaque;
    struct console_shader *shader = console->shader;

    if (shader->done || !is_at(shader, step))
        return;
    shader->done = true;
    shader->look(shader->look_opaque, step, warp);
}

bool shader_see_at(struct console *console, uint64_t executed, shader_look *look, void *opaque,
                   struct pfifo_error *error) {
    struct console_shader *shader = console->shader;

    shader->warp = shader->at.step.warp;
    shader->executed = executed;
    shader->look = look;
    shader->look_opaque = opaque;
    return do_again(console, show, error);
}

bool shader_see(struct console *console, shader_look *look, void *opaque, struct pfifo_error *error) {
    if (!shader_inside(console))
        return refuse(error, "it is not inside a shader program: break program stops in one");
    return shader_see_at(console, console->shader->at.step.executed, look, opaque, error) &&
           (console->shader->done || refuse(error, "the machine did not do the same again"));
}
