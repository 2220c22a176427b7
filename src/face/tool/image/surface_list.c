/* SPDX-License-Identifier: MIT */
#include "face/tool/image/surface_list.h"

#include <pfifo/draw.h>

#include "chip/counted.h"
#include "face/common/json_writer.h"
#include "face/tool/command/interrupt.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Every draw looks at all rows that its targets and textures may be. */
enum { ROWS = 2048, NAME_BYTES = 16, TEXTURE = PFIFO_DRAW_TARGETS };

/* A surface: what is at an address and means the same. Strings are constants. */
struct row {
    unsigned what; /* number of a target, or TEXTURE: of the last use */
    uint32_t channel, header, width, height, depth, layers, samples;
    uint64_t address;
    const char *format, *layout, *shape; /* layout: of a target; shape: of a texture */
    uint64_t draws, clears;
    uint64_t first_draw, last_draw; /* if there are any */
    uint32_t first_submission, last_submission;
};

struct lister {
    const struct surface_list *list;
    struct play play;
    struct row *row;
    size_t rows;
    uint64_t left_out; /* uses of surfaces that have no row */
};

/* ---- what is used ---- */

static bool is_same_text(const char *a, const char *b) {
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool surface_list_is_same(const struct row *a, const struct row *b) {
    return a->address == b->address && a->channel == b->channel && (a->what == TEXTURE) == (b->what == TEXTURE) &&
           (a->what == PFIFO_DRAW_COLORS) == (b->what == PFIFO_DRAW_COLORS) && a->width == b->width &&
           a->height == b->height && a->depth == b->depth && a->samples == b->samples &&
           is_same_text(a->format, b->format) && is_same_text(a->layout, b->layout) && is_same_text(a->shape, b->shape);
}

static void surface_list_use(struct lister *lister, const struct row *used, bool clear) {
    struct row *row = lister->row, *end = lister->row + lister->rows;

    while (row < end && !surface_list_is_same(row, used))
        row++;
    if (row == end && lister->rows == ROWS) {
        lister->left_out++;
        return;
    }
    if (row == end) {
        *row = *used;
        row->first_submission = lister->play.sequence;
        lister->rows++;
    }
    /* Drivers bind more layers than there are: a clear says a few, the draws after it 65536. */
    row->layers = used->layers < row->layers ? used->layers : row->layers;
    row->what = used->what;
    row->header = used->header;
    row->last_submission = lister->play.sequence;
    if (clear) {
        row->clears++;
        return;
    }
    if (!row->draws++)
        row->first_draw = lister->play.draws;
    row->last_draw = lister->play.draws;
}

static void lister_sees(void *opaque, const struct pfifo_event *event) {
    const struct pfifo_draw *draw = event->draw;
    struct lister *lister = opaque;

    if (!draw || lister->play.is_reached[0])
        return;
    for (unsigned i = 0; i < PFIFO_DRAW_TARGETS; i++) {
        const struct pfifo_target *target = &draw->target[i];
        if (target->format)
            surface_list_use(lister,
                             &(const struct row){.what = i,
                                                 .channel = event->channel,
                                                 .width = target->width,
                                                 .height = target->height,
                                                 .depth = 1,
                                                 .layers = target->layers,
                                                 .samples = target->samples,
                                                 .address = target->address,
                                                 .format = target->format,
                                                 .layout = target->layout},
                             draw->clear);
    }
    for (uint32_t i = 0; i < draw->textures && !draw->clear; i++) {
        const struct pfifo_draw_texture *texture = &draw->texture[i];
        if (texture->shape)
            surface_list_use(lister,
                             &(const struct row){.what = TEXTURE,
                                                 .channel = event->channel,
                                                 .header = texture->header,
                                                 .width = texture->width,
                                                 .height = texture->height,
                                                 .depth = texture->depth,
                                                 .layers = texture->layers,
                                                 .samples = 1,
                                                 .address = texture->address,
                                                 .format = texture->format,
                                                 .shape = texture->shape},
                             false);
    }
}

static void surface_list_place_reached(void *opaque, unsigned number) {
    (void)opaque, (void)number;
}

static bool surface_list_has_enough(void *opaque) {
    const struct lister *lister = opaque;

    return lister->play.is_reached[0];
}

/* ---- what is printed ---- */

/* As the command takes it. */
static void name_row(const struct row *row, char name[NAME_BYTES]) {
    if (row->what == TEXTURE)
        snprintf(name, NAME_BYTES, "tic:%" PRIu32, row->header);
    else if (row->what == PFIFO_DRAW_COLORS)
        snprintf(name, NAME_BYTES, "target:depth");
    else
        snprintf(name, NAME_BYTES, "target:%u", row->what);
}

static void print_size(const struct row *row) {
    char size[64];
    int used = snprintf(size, sizeof size, "%" PRIu32 "x%" PRIu32, row->width, row->height);

    if (row->depth > 1)
        used += snprintf(size + used, sizeof size - (size_t)used, "x%" PRIu32, row->depth);
    if (row->layers > 1)
        used += snprintf(size + used, sizeof size - (size_t)used, " x %" PRIu32, row->layers);
    if (row->samples > 1)
        snprintf(size + used, sizeof size - (size_t)used, ", %" PRIu32 " samples", row->samples);
    printf("%-14s ", size);
}

static void surface_list_print_text(const struct row *row) {
    char name[NAME_BYTES], address[24], *comma = "";

    name_row(row, name);
    snprintf(address, sizeof address, "0x%" PRIx64, row->address);
    printf("%-14s %-12s %-17s %-10s ", address, name, row->format ? row->format : "?",
           row->layout ? row->layout : row->shape);
    print_size(row);
    if (row->draws) {
        printf("%s, draw:%" PRIu64, counted(row->draws, "draw").text, row->first_draw);
        if (row->last_draw != row->first_draw)
            printf(" to draw:%" PRIu64, row->last_draw);
        comma = ", ";
    }
    if (row->clears)
        printf("%s%s", comma, counted(row->clears, "clear").text);
    printf(", submission %" PRIu32, row->first_submission);
    if (row->last_submission != row->first_submission)
        printf(" to %" PRIu32, row->last_submission);
    putchar('\n');
}

static void surface_list_print_json(const struct lister *lister, const struct row *row) {
    struct json_writer json = {.file = stdout};
    char name[NAME_BYTES];

    name_row(row, name);
    json_open(&json, NULL, '{');
    json_put_text(&json, "capture", lister->list->file);
    json_put_text(&json, "surface", name);
    json_put_number(&json, "channel", row->channel);
    json_put_text(&json, "shape", row->shape ? row->shape : "2D");
    if (row->format)
        json_put_text(&json, "format", row->format);
    if (row->layout)
        json_put_text(&json, "layout", row->layout);
    json_put_number(&json, "address", row->address);
    json_put_number(&json, "width", row->width);
    json_put_number(&json, "height", row->height);
    json_put_number(&json, "depth", row->depth);
    json_put_number(&json, "layers", row->layers);
    json_put_number(&json, "samples", row->samples);
    json_put_number(&json, "draws", row->draws);
    json_put_number(&json, "clears", row->clears);
    if (row->draws) {
        json_put_number(&json, "first_draw", row->first_draw);
        json_put_number(&json, "last_draw", row->last_draw);
    }
    json_put_number(&json, "first_submission", row->first_submission);
    json_put_number(&json, "last_submission", row->last_submission);
    json_close_line(&json);
}

/* Rows of one channel stand together. */
static void print_rows(const struct lister *lister) {
    for (size_t i = 0; i < lister->rows; i++) {
        uint32_t channel = lister->row[i].channel;
        size_t before = 0;
        while (before < i && lister->row[before].channel != channel)
            before++;
        if (before < i)
            continue; /* printed with the first of its channel */
        if (!lister->list->json)
            printf("channel %" PRIu32 ":\n", channel);
        for (size_t k = i; k < lister->rows; k++) {
            if (lister->row[k].channel == channel && lister->list->json)
                surface_list_print_json(lister, &lister->row[k]);
            else if (lister->row[k].channel == channel)
                surface_list_print_text(&lister->row[k]);
        }
    }
}

static enum tool_status surface_list_print(const struct lister *lister) {
    const struct surface_list *list = lister->list;
    const struct pfifo_chip *chip = pfifo_gpu_chip(lister->play.gpu);

    if (list->at.given && !lister->play.is_reached[0]) {
        char text[256];
        play_missed(&lister->play, 0, text, sizeof text);
        tool_message_of(list->file, "%s", text);
        return TOOL_FAILED;
    }
    print_rows(lister);
    if (!pfifo_chip_info(chip).draws)
        tool_message_of(list->file, "draws of %s are not executed: these are targets of clears only",
                        pfifo_chip_info(chip).name);
    else if (!lister->rows)
        tool_message_of(list->file, "nothing was drawn or cleared");
    if (lister->left_out)
        tool_message_of(list->file, "only the first %d surfaces are shown, and %s of others not", ROWS,
                        counted(lister->left_out, "use").text);
    return TOOL_OK;
}

enum tool_status surface_list(const struct surface_list *list, struct pfifo_stream *stream) {
    struct lister lister = {.list = list, .row = calloc(ROWS, sizeof *lister.row)};
    enum tool_status status = TOOL_FAILED;
    struct pfifo_error error = {0};

    lister.play = (struct play){.chip = list->chip,
                                .events = "engine.draw,engine.launched,engine.done",
                                .place = {list->at},
                                .sees = lister_sees,
                                .reached = surface_list_place_reached,
                                .enough = surface_list_has_enough,
                                .opaque = &lister};
    if (!lister.row)
        tool_message("no memory for a list of surfaces");
    else if (!play_begin(&lister.play, stream, &error) || play_run(&lister.play, &error) != PFIFO_OK)
        tool_message("%s", error.message);
    else if (!interrupt_seen())
        status = surface_list_print(&lister);
    play_end(&lister.play);
    free(lister.row);
    return status;
}
