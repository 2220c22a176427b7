/* SPDX-License-Identifier: MIT */
/*
 * Macros of a text, which are replaced before its lines are read:
 *
 *   macro clear R G                              clear 0.5 1
 *     SET_COLOR_CLEAR_VALUE(0) $R $G      -->      SET_COLOR_CLEAR_VALUE(0) 0.5 1
 *     CLEAR_SURFACE R_ENABLE|G_ENABLE              CLEAR_SURFACE R_ENABLE|G_ENABLE
 *   endmacro
 *
 * A macro may use others. What all of them make is bounded, whatever the text is. Each line that comes of it knows
 * where it is from.
 */
#include "decode/assemble.h"

#include "chip/counted.h"

#include <stdlib.h>
#include <string.h>

enum {
    PARAMETERS = 16,
    DEPTH = 16,
    MACROS = 256,
    LINE = 1024,
    MOST_BYTES = 1 << 22, /* that macros make of a text */
};

struct piece {
    const char *at, *end;
};

struct assemble_macro {
    struct piece name, parameter[PARAMETERS], body;
    size_t parameters;
    unsigned line; /* of the first line of its body */
};

static size_t assemble_macros_bytes_of(struct piece piece) {
    return (size_t)(piece.end - piece.at);
}

static bool assemble_macros_is(struct piece piece, const char *text) {
    return assemble_macros_bytes_of(piece) == strlen(text) &&
           memcmp(piece.at, text, assemble_macros_bytes_of(piece)) == 0;
}

static bool assemble_macros_same(struct piece a, struct piece b) {
    return assemble_macros_bytes_of(a) == assemble_macros_bytes_of(b) &&
           memcmp(a.at, b.at, assemble_macros_bytes_of(a)) == 0;
}

static bool assemble_macros_is_blank(char c) {
    return c == ' ' || c == '\t' || c == ',' || c == '\r';
}

/* What stands between blanks; { ... } is one. An empty one: the line ends. */
static struct piece assemble_macros_next_piece(struct piece *line) {
    struct piece piece;
    int depth = 0, round = 0;

    while (line->at < line->end && assemble_macros_is_blank(*line->at))
        line->at++;
    for (piece.at = line->at; line->at < line->end && *line->at != '#'; line->at++) {
        if (assemble_macros_is_blank(*line->at) && depth <= 0 && round <= 0)
            break;
        depth += (*line->at == '{') - (*line->at == '}');
        round += (*line->at == '(') - (*line->at == ')');
    }
    piece.end = line->at;
    return piece;
}

static struct piece assemble_macros_next_line(struct piece *text) {
    const char *end = memchr(text->at, '\n', assemble_macros_bytes_of(*text));
    struct piece line = {text->at, end ? end : text->end};

    text->at = line.end + (end != NULL);
    return line;
}

/* Of a macro's line, the line that it was used in. */
static enum pfifo_status assemble_macros_wrong(const struct assembler *assembler, const struct assemble_origin *origin,
                                               const char *what, struct piece piece) {
    const int bytes = assemble_macros_bytes_of(piece) < 60 ? (int)assemble_macros_bytes_of(piece) : 60;

    return assemble_error(assembler, origin->line, 1, "%s '%.*s'", what, bytes, piece.at ? piece.at : "");
}

/* ---- what comes of it ---- */

static enum pfifo_status assemble_macros_put_line(struct assembler *assembler, struct piece line,
                                                  const struct assemble_origin *origin) {
    struct assemble_expanded *made = &assembler->expanded;
    const size_t bytes = assemble_macros_bytes_of(line) + 1;

    if (made->used + bytes > made->room) {
        size_t room = 2 * (made->used + bytes);
        char *text = realloc(made->text, room);
        if (!text)
            return assemble_no_memory(assembler, "macro");
        made->text = text;
        made->room = room;
    }
    if (made->lines == made->origin_room) {
        size_t room = made->origin_room ? 2 * made->origin_room : 256;
        struct assemble_origin *grown =
            room <= SIZE_MAX / sizeof *grown ? realloc(made->origin, room * sizeof *grown) : NULL;
        if (!grown)
            return assemble_no_memory(assembler, "macro");
        made->origin = grown;
        made->origin_room = room;
    }
    memcpy(made->text + made->used, line.at, bytes - 1);
    made->text[made->used + bytes - 1] = '\n';
    made->used += bytes;
    made->origin[made->lines++] = *origin;
    return PFIFO_OK;
}

static const struct assemble_macro *assemble_macros_find(const struct assembler *assembler, struct piece name) {
    for (size_t i = assembler->expanded.macros; i-- > 0;)
        if (assemble_macros_same(assembler->expanded.macro[i].name, name))
            return &assembler->expanded.macro[i];
    return NULL;
}

static const struct piece *find_argument(const struct assemble_macro *macro, const struct piece *arguments,
                                         struct piece name) {
    for (size_t i = 0; i < macro->parameters; i++)
        if (assemble_macros_same(macro->parameter[i], name))
            return &arguments[i];
    return NULL;
}

static struct piece assemble_macros_name_at(const char *at, const char *end) {
    struct piece name = {at, at};

    while (name.end < end &&
           (assemble_is_label(name.end, 1) || (name.end > name.at && *name.end >= '0' && *name.end <= '9')))
        name.end++;
    return name;
}

/* A line of the body with the arguments in it; comments are left out. */
static enum pfifo_status fill_in(const struct assembler *assembler, const struct assemble_macro *macro,
                                 const struct piece *arguments, struct piece line, char text[LINE], size_t *used,
                                 const struct assemble_origin *origin) {
    *used = 0;
    while (line.at < line.end && *line.at != '#') {
        struct piece put = {line.at, line.at + 1};
        line.at++;
        if (*put.at == '$') {
            struct piece name = assemble_macros_name_at(line.at, line.end);
            const struct piece *argument = find_argument(macro, arguments, name);
            if (!argument)
                return assemble_macros_wrong(assembler, origin, "the macro has no parameter", name);
            put = *argument;
            line.at = name.end;
        }
        if (*used + assemble_macros_bytes_of(put) > LINE)
            return assemble_macros_wrong(assembler, origin, "a line is too long in macro", macro->name);
        memcpy(text + *used, put.at, assemble_macros_bytes_of(put));
        *used += assemble_macros_bytes_of(put);
    }
    return PFIFO_OK;
}

static enum pfifo_status expand_line(struct assembler *assembler, struct piece line,
                                     const struct assemble_origin *origin, unsigned depth);

static enum pfifo_status expand_body(struct assembler *assembler, const struct assemble_macro *macro,
                                     const struct piece *arguments, const struct assemble_origin *origin,
                                     unsigned depth) {
    struct piece body = macro->body;
    struct assemble_origin inner = {origin->line, macro->line, macro->name.at, assemble_macros_bytes_of(macro->name)};
    enum pfifo_status status = PFIFO_OK;

    for (; body.at < body.end && status == PFIFO_OK; inner.inner++) {
        char text[LINE];
        size_t used;
        status = fill_in(assembler, macro, arguments, assemble_macros_next_line(&body), text, &used, origin);
        assembler->expanded.made += used + 1;
        if (status == PFIFO_OK && assembler->expanded.made > MOST_BYTES)
            status = assemble_macros_wrong(assembler, origin, "macros make too much of this text, at", macro->name);
        if (status == PFIFO_OK)
            status = expand_line(assembler, (struct piece){text, text + used}, &inner, depth + 1);
    }
    return status;
}

static enum pfifo_status assemble_macros_use(struct assembler *assembler, const struct assemble_macro *macro,
                                             struct piece line, const struct assemble_origin *origin, unsigned depth) {
    struct piece arguments[PARAMETERS + 1];
    size_t count = 0;

    while (count <= PARAMETERS && assemble_macros_bytes_of(arguments[count] = assemble_macros_next_piece(&line)))
        count++;
    if (count != macro->parameters)
        return assemble_error(assembler, origin->line, 1, "macro '%.*s' takes %s, not %zu",
                              assemble_macros_bytes_of(macro->name) < 60 ? (int)assemble_macros_bytes_of(macro->name)
                                                                         : 60,
                              macro->name.at, counted(macro->parameters, "argument").text, count);
    if (depth == DEPTH)
        return assemble_macros_wrong(assembler, origin,
                                     "too many macros in each other, or one in itself:", macro->name);
    return expand_body(assembler, macro, arguments, origin, depth);
}

static enum pfifo_status expand_line(struct assembler *assembler, struct piece line,
                                     const struct assemble_origin *origin, unsigned depth) {
    struct piece rest = line, word = assemble_macros_next_piece(&rest);
    const bool labelled = assemble_macros_bytes_of(word) > 1 && word.end[-1] == ':';
    const char *label_end = word.end;
    const struct assemble_macro *macro;
    enum pfifo_status status = PFIFO_OK;

    if (labelled)
        word = assemble_macros_next_piece(&rest);
    macro = assemble_macros_bytes_of(word) ? assemble_macros_find(assembler, word) : NULL;
    if (!macro)
        return assemble_macros_put_line(assembler, line, origin);
    if (labelled)
        status = assemble_macros_put_line(assembler, (struct piece){line.at, label_end}, origin);
    return status == PFIFO_OK ? assemble_macros_use(assembler, macro, rest, origin, depth) : status;
}

/* ---- definitions ---- */

/* "NAME PARAMETER...", and the lines up to the end. */
static enum pfifo_status assemble_macros_define(struct assembler *assembler, struct piece heading, struct piece *text,
                                                unsigned *line) {
    const struct assemble_origin origin = {.line = *line};
    struct assemble_expanded *made = &assembler->expanded;
    struct assemble_macro *grown, macro = {.name = assemble_macros_next_piece(&heading), .line = *line + 1};
    struct piece parameter, body;

    for (macro.body = *text;; (*line)++) {
        if (text->at == text->end)
            return assemble_macros_wrong(assembler, &origin, "no endmacro of macro", macro.name);
        macro.body.end = text->at;
        body = assemble_macros_next_line(text);
        if (assemble_macros_is(assemble_macros_next_piece(&body), "endmacro"))
            break;
    }
    ++*line;
    if (!assemble_is_label(macro.name.at, assemble_macros_bytes_of(macro.name)))
        return assemble_macros_wrong(assembler, &origin, "no name of a macro:", macro.name);
    while (assemble_macros_bytes_of(parameter = assemble_macros_next_piece(&heading))) {
        if (!assemble_is_label(parameter.at, assemble_macros_bytes_of(parameter)) || macro.parameters == PARAMETERS)
            return assemble_macros_wrong(
                assembler, &origin,
                macro.parameters == PARAMETERS ? "a macro has 16 parameters at most:" : "no parameter:", parameter);
        macro.parameter[macro.parameters++] = parameter;
    }
    if (made->macros == MACROS)
        return assemble_macros_wrong(assembler, &origin, "more than 256 macros:", macro.name);
    if (assemble_macros_find(assembler, macro.name))
        return assemble_macros_wrong(assembler, &origin, "there already is a macro", macro.name);
    grown = realloc(made->macro, (made->macros + 1) * sizeof *grown);
    if (!grown)
        return assemble_no_memory(assembler, "macro");
    made->macro = grown;
    grown[made->macros++] = macro;
    return PFIFO_OK;
}

/* A text without the word has none. */
static bool assemble_has_macros(struct piece text) {
    while (text.at < text.end) {
        struct piece line = assemble_macros_next_line(&text);
        if (assemble_macros_is(assemble_macros_next_piece(&line), "macro"))
            return true;
    }
    return false;
}

enum pfifo_status assemble_expand(struct assembler *assembler, const char **text, size_t *bytes) {
    struct piece rest = {*text, *text + *bytes};
    enum pfifo_status status = PFIFO_OK;

    if (!*bytes || !assemble_has_macros(rest))
        return PFIFO_OK;
    for (unsigned line = 1; rest.at < rest.end && !assemble_is_over(assembler); line++) {
        const struct assemble_origin origin = {.line = line};
        struct piece whole = assemble_macros_next_line(&rest), words = whole,
                     first = assemble_macros_next_piece(&words);
        status = assemble_macros_is(first, "macro") ? assemble_macros_define(assembler, words, &rest, &line)
                 : assemble_macros_is(first, "endmacro")
                     ? assemble_macros_wrong(assembler, &origin, "no macro before", first)
                     : expand_line(assembler, whole, &origin, 0);
        if (status == PFIFO_ERROR_MEMORY)
            return status;
        if (assembler->expanded.made > MOST_BYTES)
            break;
    }
    assembler->report->origins = assembler->expanded.origin;
    assembler->report->lines = assembler->expanded.lines;
    *text = assembler->expanded.text ? assembler->expanded.text : "";
    *bytes = assembler->expanded.used;
    return PFIFO_OK;
}

void assemble_expanded_free(struct assemble_expanded *made) {
    free(made->text);
    free(made->origin);
    free(made->macro);
}
