/* SPDX-License-Identifier: MIT */
/*
 * pfifo image: a picture of a surface of a capture.
 */
#include "face/common/json_writer.h"
#include "face/common/text.h"
#include "face/drm/session/pictures.h"
#include "face/tool/command/command_line.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/command/source.h"
#include "face/tool/image/surface.h"
#include "face/tool/image/surface_list.h"
#include "face/tool/image/terminal.h"
#include "face/tool/replay/buffer_place.h"

#include <pfifo/nearest.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum cmd_image_option_key { KEY_OUTPUT = 'o', KEY_AT = 'a', KEY_JSON = 'j' };
enum cmd_image_long_option_key {
    KEY_LAYOUT = 256,
    KEY_SIZE,
    KEY_FORMAT,
    KEY_PITCH,
    KEY_LEVEL,
    KEY_LAYER,
    KEY_TERMINAL
};

enum { FORMATS = 256 };

struct image {
    struct source source;
    struct surface surface;
    const char *output, *file, *what;
    enum terminal_pictures shown; /* in the terminal */
    bool list;                    /* of surfaces, instead of a picture */
    bool json, terminal, has_size, has_format, has_layout;
};

static const struct argp_option options[] = {
    {"output", KEY_OUTPUT, "FILE", 0, "Write the picture to FILE, a PNG", 0},
    {"at", KEY_AT, "PLACE", 0, PLACE_HELP "Default: the end, or where its memory is freed", 0},
    {"size", KEY_SIZE, "WxH", 0, "Of ADDRESS or buffer: its size in pixels", 0},
    {"format", KEY_FORMAT, "NAME", 0,
     "Of ADDRESS or buffer: its format, such as BGRA8_UNORM or Z16_UNORM; help lists them", 0},
    {"layout", KEY_LAYOUT, "LAYOUT", 0,
     "Of ADDRESS or buffer: pitch (default); block:N, blocks N GOBs high: 1, 2, 4, 8, 16 or 32; or, before G80, "
     "swizzled",
     0},
    {"pitch", KEY_PITCH, "N", 0, "Of ADDRESS or buffer: bytes from one line to the next (default: those of the pixels)",
     0},
    {"level", KEY_LEVEL, "N", 0, "Of a texture: level N (default 0)", 0},
    {"layer", KEY_LAYER, "N", 0, "Of a texture: layer, face or slice N (default 0)", 0},
    {"terminal", KEY_TERMINAL, NULL, 0,
     "Show the picture in the terminal, which needs kitty's graphics protocol or sixels. The default without -o and "
     "--json",
     0},
    {"json", KEY_JSON, NULL, 0, "Print what the surface is, as a JSON object", 0},
    {0},
};

static bool image_begins(const char *text, const char *with) {
    return strncmp(text, with, strlen(with)) == 0;
}

static uint32_t number32(const struct argp_state *state, const char *option, const char *text) {
    uint64_t number = tool_number(state, option, text);

    if (number > UINT32_MAX)
        argp_error(state, "--%s is up to 0xffffffff", option);
    return (uint32_t)number;
}

/* What follows "tic:" and so on in a surface. */
static uint64_t cmd_image_surface_number(const struct argp_state *state, const char *surface, const char *text,
                                         uint64_t most) {
    uint64_t number = 0;

    if (!text_to_number(text, &number) || number > most)
        argp_error(state, "'%s' is not a number in the surface '%s'", text, surface);
    return number;
}

static void parse_size(struct image *image, const char *arg, const struct argp_state *state) {
    struct pfifo_picture *picture = &image->surface.config.picture;
    const char *by = strchr(arg, 'x');
    char width[16] = "";
    uint64_t number[2] = {0};

    if (!by || (size_t)(by - arg) >= sizeof width)
        argp_error(state, "--size takes WIDTHxHEIGHT, not '%s'", arg);
    memcpy(width, arg, (size_t)(by - arg));
    if (!text_to_number(width, &number[0]) || !text_to_number(by + 1, &number[1]) || number[0] > UINT32_MAX ||
        number[1] > UINT32_MAX)
        argp_error(state, "--size takes WIDTHxHEIGHT, not '%s'", arg);
    if (!number[0] || !number[1])
        argp_error(state, "--size=%s has no pixels", arg);
    picture->width = (uint32_t)number[0];
    picture->height = (uint32_t)number[1];
    image->has_size = true;
}

static void parse_format(struct image *image, const char *arg, const struct argp_state *state) {
    struct pfifo_picture picture = {.width = 1, .height = 1};
    struct pfifo_nearest nearest;
    bool help = strcmp(arg, "help") == 0;

    pfifo_nearest_begin(&nearest, arg);
    for (picture.format = 0; picture.format < FORMATS; picture.format++) {
        const char *name = pfifo_picture_format(&picture);
        if (name && help)
            puts(name);
        else if (name)
            pfifo_nearest_try(&nearest, name);
        if (name && strcasecmp(name, arg) == 0) {
            image->surface.config.picture.format = picture.format;
            image->has_format = true;
            return;
        }
    }
    if (help)
        exit(TOOL_OK);
    if (nearest.name[0])
        argp_error(state, "there is no format '%s'; did you mean %s? --format=help lists them", arg, nearest.name);
    argp_error(state, "there is no format '%s'; --format=help lists them", arg);
}

static void parse_layout(struct image *image, const char *arg, const struct argp_state *state) {
    struct pfifo_picture *picture = &image->surface.config.picture;

    image->has_layout = true;
    picture->is_block = image_begins(arg, "block:");
    picture->is_swizzled = strcmp(arg, "swizzled") == 0;
    if (strcmp(arg, "tiled") == 0)
        argp_error(state, "tiled memory is a pitch surface to whoever uses an address: --layout=pitch");
    if (!picture->is_block && !picture->is_swizzled && strcmp(arg, "pitch") != 0)
        argp_error(state, "--layout is pitch, block:N or swizzled, not '%s'", arg);
    if (!picture->is_block)
        return;
    uint64_t gobs = 0;
    text_to_number(arg + strlen("block:"), &gobs);
    while (picture->block_height < 6 && UINT64_C(1) << picture->block_height != gobs)
        picture->block_height++;
    if (picture->block_height == 6)
        argp_error(state, "--layout=block:N: blocks are 1, 2, 4, 8, 16 or 32 GOBs high, not '%s'",
                   arg + strlen("block:"));
}

static void cmd_image_parse_buffer(struct surface_config *config, const char *arg, const struct argp_state *state) {
    struct pfifo_error error = {0};
    struct buffer_place place;

    if (!buffer_place_parse(arg, &place, &error))
        argp_error(state, "%s", error.message);
    config->handle = place.handle;
    config->number = place.offset;
}

static void parse_what(struct image *image, const char *arg, const struct argp_state *state) {
    struct surface_config *config = &image->surface.config;

    image->what = arg;
    if (image_begins(arg, "tic:")) {
        config->kind = SURFACE_TEXTURE;
        config->number = cmd_image_surface_number(state, arg, arg + strlen("tic:"), UINT32_MAX);
    } else if (image_begins(arg, "tex:")) {
        config->kind = SURFACE_UNIT;
        config->number = cmd_image_surface_number(state, arg, arg + strlen("tex:"), UINT32_MAX);
    } else if (strcmp(arg, "target") == 0 || image_begins(arg, "target:")) {
        config->kind = SURFACE_TARGET;
        config->has_number = arg[strlen("target")] != 0;
        if (config->has_number && strcmp(arg, "target:depth") == 0)
            config->number = PFIFO_DRAW_COLORS;
        else if (config->has_number)
            config->number = cmd_image_surface_number(state, arg, arg + strlen("target:"), UINT64_MAX);
        if (config->number >= PFIFO_DRAW_TARGETS)
            argp_error(state, "targets are 0 to %u, and depth, not '%s'", PFIFO_DRAW_COLORS - 1, arg);
    } else if (image_begins(arg, "buffer:")) {
        config->kind = SURFACE_BUFFER;
        cmd_image_parse_buffer(config, arg + strlen("buffer:"), state);
    } else if (!text_to_number(arg, &config->number)) {
        argp_error(
            state,
            "a surface is an address, buffer:HANDLE+OFFSET, tic:N, tex:N, target, target:N or target:depth, not '%s'",
            arg);
    } else {
        config->kind = SURFACE_ADDRESS;
    }
}

static void cmd_image_end(struct image *image, const struct argp_state *state) {
    struct surface_config *config = &image->surface.config;

    if (!image->file)
        argp_error(state, "a capture is missing");
    image->list = !image->what && !image->output && !image->terminal;
    image->what = image->what ? image->what : "target"; /* as config is without more */
    if (image->list && (image->has_size || image->has_format || image->has_layout || config->picture.pitch ||
                        config->image.level || config->image.layer))
        argp_error(state, "a surface is missing: an address, tic:N, tex:N or target");
    if (config->kind != SURFACE_ADDRESS && config->kind != SURFACE_BUFFER &&
        (image->has_size || image->has_format || image->has_layout || config->picture.pitch))
        argp_error(state, "--size, --format, --layout and --pitch describe an address or a buffer");
    if (config->kind == SURFACE_BUFFER && !image->has_size)
        argp_error(state, "a buffer needs --size and --format");
    if (config->picture.is_swizzled && config->picture.pitch)
        argp_error(state, "a swizzled surface has no pitch");
    if (config->kind != SURFACE_TEXTURE && config->kind != SURFACE_UNIT && (config->image.level || config->image.layer))
        argp_error(state, "--level and --layer apply to tic:N and tex:N");
    if (image->has_size != image->has_format || (!image->has_size && (image->has_layout || config->picture.pitch)))
        argp_error(state, "an address needs both --size and --format, or neither");
    if (image->output && tool_is_output(image->output) && (image->json || image->terminal || isatty(STDOUT_FILENO)))
        argp_error(state, "standard output cannot show a PNG file: -o FILE.png");
    config->described = image->has_size;
    image->terminal = image->terminal || (!image->output && !image->json && !image->list);
}

static error_t cmd_image_parse(int key, char *arg, struct argp_state *state) {
    struct image *image = state->input;
    struct surface_config *config = &image->surface.config;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &image->source;
        return 0;
    case KEY_OUTPUT:
        image->output = arg;
        return 0;
    case KEY_AT:
        place_parse(&config->at, "at", arg, state);
        return 0;
    case KEY_SIZE:
        parse_size(image, arg, state);
        return 0;
    case KEY_FORMAT:
        parse_format(image, arg, state);
        return 0;
    case KEY_LAYOUT:
        parse_layout(image, arg, state);
        return 0;
    case KEY_PITCH:
        config->picture.pitch = number32(state, "pitch", arg);
        if (!config->picture.pitch)
            argp_error(state, "--pitch is at least a byte");
        return 0;
    case KEY_LEVEL:
        config->image.level = number32(state, "level", arg);
        return 0;
    case KEY_LAYER:
        config->image.layer = number32(state, "layer", arg);
        return 0;
    case KEY_TERMINAL:
        image->terminal = true;
        return 0;
    case KEY_JSON:
        image->json = true;
        return 0;
    case ARGP_KEY_ARG:
        if (state->arg_num > 1)
            argp_error(state, "there is more than one surface");
        if (state->arg_num == 0)
            image->file = arg;
        else
            parse_what(image, arg, state);
        return 0;
    case ARGP_KEY_END:
        cmd_image_end(image, state);
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp image_argp = {
    options,
    cmd_image_parse,
    "CAPTURE [SURFACE]",
    "Write a picture of a SURFACE that a capture draws to or reads, at its end or at some other place."
    "\vWithout a SURFACE, and without -o and --terminal, list what the capture draws to, clears and reads as textures; "
    "with these, it is target. A SURFACE is one of\n"
    "  target           the first colour target of the last draw or clear, or depth\n"
    "  target:N         colour target N of the last draw or clear\n"
    "  target:depth     its depth target\n"
    "  tic:N            the texture with header N in the pool of the last 3D object\n"
    "  tex:N            before G80: the texture of unit N of the last 3D object;\n"
    "                   16 to 19 of Curie: those of vertex programs\n"
    "  ADDRESS          the target at this address; or, with --size and --format,\n"
    "                   whatever is there\n"
    "  buffer:H+OFFSET  what is in the capture's buffer with handle H, as --size\n"
    "                   and --format say; +OFFSET may be left out\n"
    "The last 3D object is the one that drew last; addresses are those of its channel. Multisampled targets are "
    "averaged. The exit status is 2 if there is no picture.",
    source_capture_children,
    NULL,
    NULL,
};

/* A line of pixels as long as its format says. */
static void cmd_image_set_pitch(struct pfifo_picture *picture) {
    /* At most 16 bytes: the first that holds a line. */
    for (uint32_t bytes = 1; !picture->pitch && bytes <= 16; bytes *= 2) {
        struct pfifo_picture one = {.width = 1, .height = 1, .format = picture->format, .pitch = bytes};
        if (pfifo_picture_bytes(NULL, &one) && picture->width <= UINT32_MAX / bytes)
            picture->pitch = picture->width * bytes;
    }
}

static void cmd_image_print_json(const struct image *image) {
    const struct surface *surface = &image->surface;
    const struct pfifo_texture *is = &surface->is;
    struct json_writer json = {.file = stdout};

    json_open(&json, NULL, '{');
    json_put_text(&json, "capture", image->file);
    json_put_text(&json, "surface", image->what);
    json_put_text(&json, "shape", is->shape);
    json_put_text(&json, "format", is->format);
    json_put_text(&json, "layout", is->layout);
    json_put_number(&json, "address", is->address);
    json_put_number(&json, "width", is->width);
    json_put_number(&json, "height", is->height);
    json_put_number(&json, "depth", is->depth);
    json_put_number(&json, "layers", is->layers);
    json_put_number(&json, "levels", is->levels);
    json_put_number(&json, "samples", is->samples);
    json_open(&json, "picture", '{');
    json_put_number(&json, "width", surface->width);
    json_put_number(&json, "height", surface->height);
    json_close(&json);
    if (image->output)
        json_put_text(&json, "file", image->output);
    json_close_line(&json);
}

static enum tool_status cmd_image_write(struct image *image) {
    struct surface *surface = &image->surface;
    struct pfifo_error error = {0};

    if (image->json)
        cmd_image_print_json(image);
    if (image->terminal && !terminal_show(image->shown, stdout, surface->width, surface->height, surface->rgba)) {
        tool_message("no memory for a picture");
        return TOOL_FAILED;
    }
    if (image->output && !pictures_write(tool_is_output(image->output) ? "/dev/stdout" : image->output, surface->width,
                                         surface->height, surface->rgba, &error)) {
        tool_message("%s", error.message);
        return TOOL_FAILED;
    }
    return TOOL_OK;
}

static enum tool_status image_of(struct image *image, struct pfifo_stream *stream) {
    struct surface *surface = &image->surface;

    if (image->list)
        return surface_list(
            &(const struct surface_list){
                .file = image->file, .chip = image->source.options.chip, .at = surface->config.at, .json = image->json},
            stream);
    surface->config.chip = image->source.options.chip;
    cmd_image_set_pitch(&surface->config.picture);
    if (surface_take(surface, stream))
        return cmd_image_write(image);
    if (!interrupt_seen())
        tool_message_error(image->file, image->what, &surface->error);
    return TOOL_FAILED;
}

static bool find_terminal(struct image *image) {
    image->shown = terminal_pictures(STDOUT_FILENO);
    if (image->shown == TERMINAL_SIXEL_UNUSED)
        tool_message("the terminal has sixels, but %s; use -o FILE.png", sixel_missing());
    else if (image->shown == TERMINAL_NONE)
        tool_message("standard output is not a terminal with kitty's graphics protocol or sixels; use -o FILE.png");
    return image->shown == TERMINAL_KITTY || image->shown == TERMINAL_SIXEL;
}

enum tool_status cmd_image(int argc, char **argv) {
    struct image *image = calloc(1, sizeof *image);
    struct pfifo_error error = {0};
    enum tool_status status = TOOL_FAILED;
    struct pfifo_stream *stream;

    if (!image) {
        tool_message("no memory");
        return TOOL_FAILED;
    }
    command_line_parse(&image_argp, argc, argv, 0, image);
    if (image->terminal && !find_terminal(image)) {
        place_free(&image->surface.config.at);
        free(image);
        return TOOL_FAILED;
    }
    stream = source_capture(&image->source, image->file, &error);
    if (stream)
        status = image_of(image, stream);
    else
        source_message(&error);
    pfifo_stream_close(stream);
    place_free(&image->surface.config.at);
    free(image->surface.rgba);
    free(image);
    if (interrupt_seen() && fflush(stdout) == 0)
        interrupt_die();
    return status;
}
