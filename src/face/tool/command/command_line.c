/* SPDX-License-Identifier: MIT */
#include "face/tool/command/command_line.h"

#include "face/tool/command/user_config.h"
#include "face/tool/tool.h"
#include "face/tool/view/view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHILDREN_MOST = 8, COMMAND_AT = sizeof "pfifo " - 1 };

/* The command line belongs to the process. Its words stay as long as that: the command points to them. */
static struct parse {
    struct user_config config;
    char **argv;
    argp_parser_t parser;           /* of the command */
    const struct argp_state *state; /* NULL: not parsing */
    bool after_options;             /* all words are read; something is wrong about them together */
    struct view_options view;
    size_t view_child; /* its place among the children, if there are view's options */
    /* What argp says, if there is a file: it does not know where an option is from. */
    FILE *said;
    char *text;
    size_t bytes;
} parse;

static const char *typed_from(const struct user_option *option) {
    static char place[4200];

    snprintf(place, sizeof place, "%s:%u", parse.config.path, option->line);
    return place;
}

/* argp has complained and exits. The option that it has just read may be one of the file. */
static void command_line_complain(int status, void *unused) {
    size_t next = parse.state ? (size_t)parse.state->next : 0, prefix = parse.argv ? strlen(parse.argv[0]) + 2 : 0;

    (void)unused;
    if (!parse.state || !parse.said || fflush(parse.said) != 0)
        return;
    if (status && !parse.after_options && next >= 2 && next < parse.config.count + 2 && parse.bytes > prefix) {
        tool_message("%s: %.*s", typed_from(&parse.config.options[next - 2]), (int)strcspn(parse.text + prefix, "\n"),
                     parse.text + prefix);
        return;
    }
    fputs(parse.text, stderr);
    for (size_t i = 0; status && parse.after_options && i < parse.config.count; i++)
        tool_message("%s: %s was given here", typed_from(&parse.config.options[i]), parse.config.options[i].word);
}

static error_t parse_command(int key, char *arg, struct argp_state *state) {
    error_t result;

    if (key == ARGP_KEY_INIT) {
        parse.state = state;
        if (parse.said)
            state->err_stream = parse.said;
    } else if (key == ARGP_KEY_ARG || key == ARGP_KEY_ARGS || key == ARGP_KEY_NO_ARGS || key == ARGP_KEY_END) {
        parse.after_options = true;
    }
    result = parse.parser ? parse.parser(key, arg, state) : ARGP_ERR_UNKNOWN;
    if (key == ARGP_KEY_INIT && parse.view_child)
        state->child_inputs[parse.view_child - 1] = &parse.view;
    return result;
}

/* The last child is told first that the words are at their end. */
static error_t parse_end(int key, char *arg, struct argp_state *state) {
    (void)arg, (void)state;
    if (key == ARGP_KEY_END)
        parse.after_options = true;
    return ARGP_ERR_UNKNOWN;
}

static const struct argp end_argp = {NULL, parse_end, NULL, NULL, NULL, NULL, NULL};

/* The words of the file stand before those that were typed. */
static bool command_line_join(int argc, char **argv) {
    size_t count = parse.config.count;

    parse.argv = calloc((size_t)argc + count + 1, sizeof *parse.argv);
    if (!parse.argv)
        return false;
    parse.argv[0] = argv[0];
    for (size_t i = 0; i < count; i++)
        parse.argv[1 + i] = parse.config.options[i].word;
    memcpy(parse.argv + 1 + count, argv + 1, ((size_t)argc - 1) * sizeof *argv);
    return true;
}

static void parse_with(const struct argp *argp, int argc, char **argv, unsigned flags, void *input,
                       const struct argp *view) {
    struct argp_child children[CHILDREN_MOST] = {{0}};
    struct argp whole = *argp;
    size_t count = 0;

    for (; argp->children && argp->children[count].argp && count < CHILDREN_MOST - 3; count++)
        children[count] = argp->children[count];
    if (view) {
        children[count++] = (struct argp_child){view, 0, "Display:", 9};
        parse.view_child = count;
    }
    children[count] = (struct argp_child){&end_argp, 0, NULL, 0};
    whole.children = children;
    whole.parser = parse_command;
    parse.parser = argp->parser;
    if (!user_config_read(&parse.config, argv[0] + COMMAND_AT, &whole))
        exit(TOOL_FAILED);
    if (!command_line_join(argc, argv)) {
        tool_message("no memory");
        exit(TOOL_FAILED);
    }
    if (parse.config.count) {
        parse.said = open_memstream(&parse.text, &parse.bytes);
        on_exit(command_line_complain, NULL);
    }
    argp_parse(&whole, argc + (int)parse.config.count, parse.argv, flags, NULL, input);
    parse.state = NULL;
    if (parse.said)
        fclose(parse.said);
    parse.said = NULL;
    free(parse.text);
    parse.text = NULL;
}

void command_line_parse(const struct argp *argp, int argc, char **argv, unsigned flags, void *input) {
    parse_with(argp, argc, argv, flags, input, NULL);
}

void command_line_parse_painted(const struct argp *argp, int argc, char **argv, const struct paint_rule *rules,
                                void *input) {
    parse_with(argp, argc, argv, 0, input, &view_color_argp);
    view_begin(&parse.view, rules, false);
}

void command_line_parse_listing(const struct argp *argp, int argc, char **argv, const struct paint_rule *rules,
                                void *input) {
    parse_with(argp, argc, argv, 0, input, &view_listing_argp);
    view_begin(&parse.view, rules, true);
}

void command_line_parse_console(const struct argp *argp, int argc, char **argv, const struct paint_rule *rules,
                                void *input) {
    parse_with(argp, argc, argv, 0, input, &view_listing_argp);
    view_begin(&parse.view, rules, false);
}
