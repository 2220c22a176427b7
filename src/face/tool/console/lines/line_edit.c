/* SPDX-License-Identifier: MIT */
#include "face/tool/console/lines/line_edit.h"
#include "face/tool/command/library.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef PFIFO_LIBEDIT
#include <histedit.h>
#else
typedef struct EditLine EditLine;
typedef struct History History;
#endif

enum { HISTORY_LINES = 1000, LISTED = 200 };

struct line_edit {
    struct line_edit_config config;
    const char *prompt;
    char *path; /* of the history; NULL: there is no place for it */
    EditLine *editor;
    History *history;
    sigset_t interrupts;     /* Ctrl-C */
    sigset_t signals;        /* that are blocked where lines are not asked for */
    struct sigaction before; /* of Ctrl-C */
    struct sigaction ends_before[3];
    FILE *out; /* standard output may be painted, and keeps what has no end of a line yet */
};

/* ---- Ctrl-C at the prompt, and what ends the process ---- */

/* The terminal must not stay without echo. */
static const int ends[] = {SIGHUP, SIGQUIT, SIGTERM};

/* Signals belong to the process. */
static volatile sig_atomic_t line_edit_seen;

static volatile sig_atomic_t line_edit_reading;
static sigjmp_buf line_edit_leave;

/* A terminal drops what was typed before Ctrl-C: a read that has just begun would wait for more. */
static void line_edit_note(int number) {
    line_edit_seen = number;
    if (line_edit_reading)
        siglongjmp(line_edit_leave, 1);
}

/* Those that are not ignored are noted. */
static void begin_ends(struct line_edit *edit) {
    struct sigaction action = {.sa_handler = line_edit_note};

    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        sigaddset(&edit->interrupts, ends[i]);
        sigaction(ends[i], NULL, &edit->ends_before[i]);
        if (edit->ends_before[i].sa_handler != SIG_IGN)
            sigaction(ends[i], &action, NULL);
    }
}

static void end_ends(struct line_edit *edit) {
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        sigaction(ends[i], &edit->ends_before[i], NULL);
}

/* ---- the history's file ---- */

/* "A/B/C" and what is missing above it. */
static void make_folders(char *path) {
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(path, 0700);
        *slash = '/';
    }
}

static char *history_path(const char *name) {
    const char *base = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char *path = NULL;
    int length = -1;

    if (base && base[0] == '/') /* a relative one is to be ignored, says the XDG Base Directory Specification */
        length = asprintf(&path, "%s/pfifo/%s_history", base, name);
    else if (home && *home)
        length = asprintf(&path, "%s/.local/state/pfifo/%s_history", home, name);
    return length < 0 ? NULL : path;
}

#ifdef PFIFO_LIBEDIT

/* ---- the library, if it is there ---- */

#define EDIT_FUNCTIONS(F)                                                                                              \
    F(el_init)                                                                                                         \
    F(el_end)                                                                                                          \
    F(el_set)                                                                                                          \
    F(el_wset)                                                                                                         \
    F(el_get)                                                                                                          \
    F(el_gets)                                                                                                         \
    F(el_source)                                                                                                       \
    F(el_resize)                                                                                                       \
    F(el_line)                                                                                                         \
    F(el_insertstr)                                                                                                    \
    F(el_deletestr)                                                                                                    \
    F(history_init)                                                                                                    \
    F(history_end)                                                                                                     \
    F(history)

/* Its calls back have only what it gives them. */
static struct { EDIT_FUNCTIONS(LIBRARY_MEMBER) } libedit;

static bool line_edit_load(void) {
    static const struct library_function functions[] = {EDIT_FUNCTIONS(LIBRARY_ROW)};

    return library_load("libedit.so.2", functions, sizeof functions / sizeof functions[0], &libedit);
}

/* ---- completion ---- */

struct matches {
    char common[128]; /* what all of them begin with */
    size_t count;
};

static bool line_edit_fits(const char *word, const char *typed, size_t bytes) {
    return strncasecmp(word, typed, bytes) == 0;
}

static void add_match(struct matches *matches, const char *word) {
    size_t same = 0;

    if (!matches->count++) {
        snprintf(matches->common, sizeof matches->common, "%s", word);
        return;
    }
    while (matches->common[same] && matches->common[same] == word[same])
        same++;
    matches->common[same] = 0;
}

static void list_matches(struct line_edit *edit, const char *line, size_t begin) {
    const char *word;
    size_t listed = 0;

    fputc('\n', edit->out);
    for (size_t i = 0; (word = edit->config.word(edit->config.opaque, line, begin, i)) && listed <= LISTED; i++) {
        if (!line_edit_fits(word, line + begin, strlen(line + begin)))
            continue;
        fprintf(edit->out, "%s%s", listed ? "  " : "", listed < LISTED ? word : "...");
        listed++;
    }
    fputc('\n', edit->out);
}

static unsigned char line_edit_complete(EditLine *editor, int key) {
    struct line_edit *edit = NULL;
    const LineInfo *info = libedit.el_line(editor);
    size_t length = (size_t)(info->cursor - info->buffer), begin = length;
    struct matches matches = {.count = 0};
    const char *word;
    char line[1024];

    (void)key;
    libedit.el_get(editor, EL_CLIENTDATA, &edit);
    if (!edit || !edit->config.word || length >= sizeof line)
        return CC_ERROR;
    memcpy(line, info->buffer, length);
    line[length] = 0;
    while (begin && !strchr(" \t(!,", line[begin - 1]))
        begin--;
    for (size_t i = 0; (word = edit->config.word(edit->config.opaque, line, begin, i)); i++)
        if (line_edit_fits(word, line + begin, length - begin))
            add_match(&matches, word);
    if (!matches.count)
        return CC_ERROR;
    if (strlen(matches.common) <= length - begin && matches.count > 1) {
        list_matches(edit, line, begin);
        return CC_REDISPLAY;
    }
    libedit.el_deletestr(editor, (int)(length - begin));
    if (matches.count == 1 && strlen(matches.common) + 2 < sizeof matches.common)
        strcat(matches.common, " "); /* NOLINT(clang-analyzer-security.insecureAPI.strcpy): it fits */
    return libedit.el_insertstr(editor, matches.common) == 0 ? CC_REFRESH : CC_ERROR;
}

/* ---- calls of the library, and back ---- */

/* The library's own goes on after a signal. Bytes are characters: names are ASCII. */
static int read_key(EditLine *editor, wchar_t *key) {
    struct line_edit *edit = NULL;
    unsigned char byte = 0;
    ssize_t got;

    libedit.el_get(editor, EL_CLIENTDATA, &edit);
    if (!edit)
        return -1;
    if (sigsetjmp(line_edit_leave, 1)) {
        line_edit_reading = 0;
        return -1;
    }
    line_edit_reading = 1;
    sigprocmask(SIG_SETMASK, &edit->signals, NULL); /* Ctrl-C comes here, and nowhere else */
    do
        got = read(STDIN_FILENO, &byte, 1);
    while (got < 0 && errno == EINTR);
    line_edit_reading = 0;
    sigprocmask(SIG_BLOCK, &edit->interrupts, NULL);
    *key = byte;
    return (int)got;
}

static char *prompt_of(EditLine *editor) {
    struct line_edit *edit = NULL;

    libedit.el_get(editor, EL_CLIENTDATA, &edit);
    return (char *)(uintptr_t)(edit ? edit->prompt : "");
}

static void begin_history(struct line_edit *edit) {
    HistEvent event;

    edit->history = libedit.history_init();
    if (!edit->history)
        return;
    libedit.history(edit->history, &event, H_SETSIZE, HISTORY_LINES);
    libedit.history(edit->history, &event, H_SETUNIQUE, 1);
    if (edit->path)
        libedit.history(edit->history, &event, H_LOAD, edit->path);
    libedit.el_set(edit->editor, EL_HIST, libedit.history, edit->history);
}

static void begin_editor(struct line_edit *edit) {
    int out = isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && line_edit_load() ? dup(STDOUT_FILENO) : -1;

    edit->out = out < 0 ? NULL : fdopen(out, "w");
    edit->editor = edit->out ? libedit.el_init("pfifo", stdin, edit->out, stderr) : NULL;
    if (!edit->editor)
        return;
    libedit.el_set(edit->editor, EL_CLIENTDATA, edit);
    libedit.el_set(edit->editor, EL_PROMPT, prompt_of);
    libedit.el_set(edit->editor, EL_GETCFN, read_key);
    libedit.el_set(edit->editor, EL_EDITOR, "emacs");
    libedit.el_wset(edit->editor, EL_ADDFN, L"pfifo-complete", L"complete a word",
                    line_edit_complete); /* el_set() would leak the names */
    libedit.el_set(edit->editor, EL_BIND, "^I", "pfifo-complete", NULL);
    libedit.el_set(edit->editor, EL_BIND, "^R", "em-inc-search-prev", NULL);
    begin_history(edit);
    libedit.el_source(edit->editor, NULL); /* ~/.editrc */
}

/* Die of the signal, with the terminal as it was. */
static void die(struct line_edit *edit, int number) {
    libedit.el_set(edit->editor, EL_PREP_TERM, 0);
    raise(number);
}

static void end_editor(struct line_edit *edit) {
    HistEvent event;

    if (edit->history && edit->path) {
        make_folders(edit->path);
        libedit.history(edit->history, &event, H_SAVE, edit->path);
    }
    if (edit->history)
        libedit.history_end(edit->history);
    if (edit->editor)
        libedit.el_end(edit->editor);
    if (edit->out)
        fclose(edit->out);
}

/* NULL: the end, or a signal. */
static const char *edited_line(struct line_edit *edit, size_t *bytes) {
    HistEvent event;
    int count = 0;

    libedit.el_resize(edit->editor);
    /* Before the prompt: a Ctrl-D that a terminal takes in its usual mode is none afterwards, but a zero. */
    libedit.el_set(edit->editor, EL_PREP_TERM, 1);
    const char *line = libedit.el_gets(edit->editor, &count);
    if (!line || count <= 0)
        return NULL;
    if (edit->history && line[strspn(line, " \t\r\n")])
        libedit.history(edit->history, &event, H_ENTER, line);
    *bytes = (size_t)count;
    return line;
}

#else

static void begin_editor(struct line_edit *edit) {
    edit->editor = NULL;
}

static void die(struct line_edit *edit, int number) {
    (void)edit, (void)number;
}

static void end_editor(struct line_edit *edit) {
    (void)make_folders, (void)edit;
}

static const char *edited_line(struct line_edit *edit, size_t *bytes) {
    (void)edit, (void)bytes;
    return NULL;
}

#endif

/* ---- both ---- */

static const char *plain_line(struct line_edit *edit, char **line, size_t *bytes) {
    size_t room = 0;
    ssize_t count;

    printf("%s", edit->prompt);
    fflush(stdout);
    count = getline(line, &room, stdin);
    *bytes = count > 0 ? (size_t)count : 0;
    return count > 0 ? *line : NULL;
}

struct line_edit *line_edit_new(const struct line_edit_config *config) {
    struct line_edit *edit = calloc(1, sizeof *edit);

    if (!edit)
        return NULL;
    edit->config = *config;
    sigaction(SIGINT, NULL, &edit->before);
    edit->path = history_path(config->name);
    begin_editor(edit);
    return edit;
}

void line_edit_free(struct line_edit *edit) {
    if (!edit)
        return;
    sigaction(SIGINT, &edit->before, NULL);
    end_editor(edit);
    free(edit->path);
    free(edit);
}

enum line_edit_result line_edit_read(struct line_edit *edit, const char *prompt, char *line, size_t size) {
    struct sigaction action = {.sa_handler = line_edit_note};
    enum line_edit_result result = LINE_EDIT_READ;
    char *own = NULL;
    size_t bytes = 0;
    const char *read;

    sigemptyset(&action.sa_mask);
    fflush(stdout);
    edit->prompt = prompt;
    line_edit_seen = 0;
    sigaction(SIGINT, &action, NULL); /* a pager may have had it */
    sigemptyset(&edit->interrupts);
    sigaddset(&edit->interrupts, SIGINT);
    if (edit->editor)
        begin_ends(edit);
    sigprocmask(edit->editor ? SIG_BLOCK : SIG_UNBLOCK, &edit->interrupts, &edit->signals);
    read = edit->editor ? edited_line(edit, &bytes) : plain_line(edit, &own, &bytes);
    sigprocmask(SIG_SETMASK, &edit->signals, NULL);
    if (edit->editor)
        end_ends(edit);
    if (line_edit_seen && line_edit_seen != SIGINT)
        die(edit, line_edit_seen);
    if (line_edit_seen) {
        clearerr(stdin);
        fputc('\n', stdout);
        result = LINE_EDIT_INTERRUPTED;
    } else if (!read) {
        result = LINE_EDIT_END;
    } else {
        bytes -= bytes && read[bytes - 1] == '\n';
        if (bytes < size && !memchr(read, 0, bytes))
            snprintf(line, size, "%.*s", (int)bytes, read);
        else
            result = LINE_EDIT_LONG;
    }
    free(own);
    return result;
}
