/* SPDX-License-Identifier: MIT */
/*
 * The options become variables of the environment, which libpfifo-drm.so reads in the program (settings.c); here they
 * are checked by the same code.
 */
#include "face/tool/program/program.h"

#include "event/event.h"
#include "chip/chip.h"
#include "face/common/naming.h"
#include "face/drm/session/names.h"
#include "face/drm/session/session.h"
#include "face/tool/program/launch.h"
#include "face/tool/program/required.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_KEY 512 /* after those of `pfifo run` */

enum { REQUIRE = 8, WINDOW = 11 }; /* of program_options */

static const struct program_option {
    const char *name, *variable;
    bool is_path;
} program_options[PROGRAM_OPTIONS] = {
    {"capture", SETTING_RECORD, true},   {"screenshot", SETTING_SCREENSHOT, true}, {"mode", SETTING_MODE, false},
    {"refresh", SETTING_REFRESH, false}, {"drm-version", SETTING_VERSION, false},  {"vram", SETTING_VRAM, false},
    {"report", SETTING_REPORT, false},   {"quiet", SETTING_QUIET, false},          {"require", NULL, false},
    {"sync", SETTING_SYNC, false},       {"atomic", SETTING_ATOMIC, false},        {"window", SETTING_WINDOW, false},
};

static const struct argp_option argp_options[] = {
    {"capture", FIRST_KEY, "FILE", 0, "Record what the program submits, as a capture; further clients get FILE.2, ...",
     0},
    {"screenshot", FIRST_KEY + 1, "FILE", 0,
     "Write the screen at the end as a PNG; with %u or %04u in FILE, after each page flip. For a capture, or without a "
     "screen, write what was drawn to or cleared last",
     0},
    {"mode", FIRST_KEY + 2, "WxH", 0, "The display's preferred mode (default 1024x768)", 0},
    {"refresh", FIRST_KEY + 3, "HZ", 0, "The display's refresh rate; 0, the default: page flips do not wait", 0},
    {"drm-version", FIRST_KEY + 4, "X.Y.Z", 0, "The version that the kernel driver reports (default 1.4.1)", 0},
    {"vram", FIRST_KEY + 5, "BYTES", 0, "Size of VRAM (default: the chip's)", 0},
    {"report", FIRST_KEY + 6, NULL, 0, "Print at the end where each channel stands, as SIGUSR1 does at any time", 0},
    {"quiet", FIRST_KEY + 7, NULL, 0, "Do not print the kernel driver's log", 0},
    {"require", FIRST_KEY + 8, NULL, 0,
     "Exit with status 3 if a process opens the card but draws elsewhere (Mesa: in software), or if none opens it", 0},
    {"sync", FIRST_KEY + 9, NULL, 0,
     "Return from a submission only when its work is done, so that what a program does does not depend on how fast the "
     "model is. --capture implies this",
     0},
    {"atomic", FIRST_KEY + 10, "0|1", 0,
     "Has the display the atomic interface? As nouveau's parameter of that name, but by default 1. Before G80: no", 0},
    {"window", FIRST_KEY + 11, NULL, 0,
     "Show the card's display in a window of the X server at DISPLAY. Programs with windows of their own need no "
     "option",
     0},
    {0},
};

static error_t program_parse(int key, char *arg, struct argp_state *state) {
    struct program_options *options = state->input;

    if (key < FIRST_KEY || key >= FIRST_KEY + PROGRAM_OPTIONS)
        return ARGP_ERR_UNKNOWN;
    options->value[key - FIRST_KEY] = arg ? arg : "1";
    return 0;
}

const struct argp program_argp = {argp_options, program_parse, NULL, NULL, NULL, NULL, NULL};

const char *program_option_given(const struct program_options *options) {
    for (size_t i = 0; i < PROGRAM_OPTIONS; i++)
        if (options->value[i])
            return program_options[i].name;
    return NULL;
}

const char *program_option_take(struct program_options *options, const char *name) {
    for (size_t i = 0; i < PROGRAM_OPTIONS; i++) {
        const char *value = options->value[i];
        if (strcmp(program_options[i].name, name) != 0)
            continue;
        options->value[i] = NULL;
        return value;
    }
    return NULL;
}

/* ---- the environment ---- */

static bool set_options(const struct program_options *options) {
    for (size_t i = 0; i < PROGRAM_OPTIONS; i++) {
        const char *value = options->value[i];
        if (!value || !program_options[i].variable)
            continue;
        if (!(program_options[i].is_path ? launch_set_path(program_options[i].variable, value)
                                         : setenv(program_options[i].variable, value, 1) == 0))
            return false;
    }
    return true;
}

static bool set_number(const char *variable, uint64_t number) {
    char text[24];

    snprintf(text, sizeof text, "%" PRIu64, number);
    return !number || setenv(variable, text, 1) == 0;
}

static bool set_draws(const struct pictures_config *pictures) {
    return !pictures->folder ||
           (launch_set_path(SETTING_DRAWS, pictures->folder) && set_number(SETTING_FROM, pictures->first) &&
            set_number(SETTING_COUNT, pictures->count));
}

static bool set_environment(const struct program *program) {
    return setenv(SETTING_CHIP, program->chip->name, 1) == 0 &&
           (!program->trace || setenv(SETTING_TRACE, program->trace, 1) == 0) &&
           (!program->where[0] || setenv(SETTING_WHERE, program->where, 1) == 0) &&
           (!naming_text(naming()) || setenv(SETTING_NAMES, naming_text(naming()), 1) == 0) &&
           (!program->stats || setenv(SETTING_STATS, "1", 1) == 0) &&
           (!program->json || setenv(SETTING_JSON, "1", 1) == 0) && set_number(SETTING_BUDGET, program->budget) &&
           set_number(SETTING_JOBS, program->jobs) &&
           (!program->no_compile || setenv(SETTING_NO_COMPILE, "1", 1) == 0) && set_draws(program->pictures) &&
           (!program->output || launch_set_path(SETTING_OUTPUT, program->output)) && set_options(program->options);
}

static void ignore_event(void *opaque, const struct pfifo_event *event) {
    (void)opaque, (void)event;
}

/* A message that begins with a variable begins with the option instead, if that is where the value comes from. */
static void program_tell(const struct program_options *options, const char *message) {
    for (size_t i = 0; i < PROGRAM_OPTIONS; i++) {
        const char *variable = program_options[i].variable;
        size_t length = variable ? strlen(variable) : 0;
        if (options->value[i] && variable && strncmp(message, variable, length) == 0 && message[length] == ' ') {
            tool_message("--%s%s", program_options[i].name, message + length);
            return;
        }
    }
    tool_message("%s", message);
}

/* What the library would find, and then leave the program alone: that must not look as if it had run. */
static bool program_check(const struct program *program) {
    struct pfifo_error error = {0};
    struct event_hub hub = {0};
    struct settings settings;

    if (!drm_has_chip(program->chip))
        pfifo_error_set(&error, PFIFO_ERROR_UNSUPPORTED, "programs run on chips from NV40 to GP10B, not on %s",
                        program->chip->name);
    else if (settings_read(&settings, &error) && settings.trace[0])
        event_observe(&hub, settings.trace, ignore_event, NULL, &error);
    if (error.status != PFIFO_OK)
        program_tell(program->options, error.message);
    return error.status == PFIFO_OK;
}

/* A program that shows nothing anywhere must not look as if it did. */
static bool has_server(const struct program_options *options) {
    const char *display = getenv("DISPLAY");

    if (!options->value[WINDOW] || (display && *display))
        return true;
    tool_message("--window needs an X server, and DISPLAY names none");
    return false;
}

/* A run begins with an empty file. The program, and others that it starts, add to it. */
static bool clear(const char *path) {
    FILE *file = fopen(path, "w");

    return (file && fclose(file) == 0) || tool_cannot(path, "write");
}

static bool could_run(int status) {
    return status != LAUNCH_NOT_FOUND && status != LAUNCH_CANNOT_RUN;
}

enum tool_status program_run(const struct program *program) {
    const char *capture = program->options->value[0];
    struct required required = {0};

    if (!set_environment(program) || !program_check(program) || !has_server(program->options) ||
        (program->output && !clear(program->output)) || !launch_preload("libpfifo-drm.so"))
        return TOOL_FAILED;
    if (capture && setenv(SETTING_SYNC, "1", 1) != 0)
        return TOOL_FAILED;
    if (capture && (!launch_preload("libpfifo-record.so") || !launch_begin_capture(capture)))
        return TOOL_FAILED;
    if (program->options->value[REQUIRE] && !required_begin(&required))
        return TOOL_FAILED;
    int status = launch(program->argv);
    if (capture)
        launch_end_capture(capture, program->argv[0], status);
    if (required.path[0] && !required_end(&required, program->chip->name) && could_run(status))
        status = REQUIRED_STATUS;
    exit(status);
}
