/* SPDX-License-Identifier: MIT */
#include "face/tool/console/lines/session.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/console/lines/line_edit.h"
#include "face/tool/view/view.h"

#include <stdio.h>

/* ---- a terminal ---- */

/* What the callbacks of a script have. */
struct terminal {
    const struct console_session *session;
    struct line_edit *edit;
};

/* Asks again after a line that is too long, and after Ctrl-C. */
static bool session_ask(void *opaque, const char *prompt, char line[CONSOLE_LINE_BYTES]) {
    const struct terminal *terminal = opaque;
    enum line_edit_result result;

    do {
        result = line_edit_read(terminal->edit, prompt, line, CONSOLE_LINE_BYTES);
        if (result == LINE_EDIT_LONG)
            tool_message("the line is longer than %d bytes, or not text", CONSOLE_LINE_BYTES - 1);
    } while (result == LINE_EDIT_LONG || result == LINE_EDIT_INTERRUPTED);
    return result != LINE_EDIT_END;
}

static void page(void *opaque, bool shows, bool begins) {
    const struct terminal *terminal = opaque;
    bool runs_stop = terminal->session->runs_stop;

    if (begins)
        interrupt_forget();
    if (shows && begins)
        view_page_begin();
    else if (shows)
        view_page_end();
    else if (runs_stop && begins)
        interrupt_begin();
    else if (runs_stop)
        interrupt_end();
}

static bool run_terminal(struct console_session *session, struct console_script *script) {
    const struct line_edit_config config = {.name = session->name, .word = console_word, .opaque = session->console};
    struct terminal terminal = {session, line_edit_new(&config)};
    bool clean;

    if (terminal.edit)
        script->ask = session_ask;
    script->page = page;
    script->opaque = &terminal;
    clean = console_run_script(session->console, script);
    line_edit_free(terminal.edit);
    return clean;
}

/* ---- files, and options ---- */

static enum tool_status run_lines(struct console_session *session, FILE *file, const char *name, bool terminal) {
    struct console_script script = {.file = file,
                                    .name = name,
                                    .prompt = terminal,
                                    .prompt_text = session->prompt,
                                    .keep_going = session->keep_going};
    bool clean = terminal ? run_terminal(session, &script) : console_run_script(session->console, &script);

    session->quit = script.quit;
    if (ferror(file) && !interrupt_seen()) {
        tool_cannot(name, "read");
        return TOOL_FAILED;
    }
    /* Somebody at a terminal has seen the errors. */
    return clean || terminal ? TOOL_OK : TOOL_FAULTED;
}

enum tool_status session_file(struct console_session *session, const char *name) {
    FILE *file = fopen(name, "r");
    enum tool_status status;

    if (!file) {
        tool_cannot(name, "read");
        return TOOL_FAILED;
    }
    status = run_lines(session, file, name, false);
    fclose(file);
    return status;
}

enum tool_status session_input(struct console_session *session, bool terminal) {
    return run_lines(session, stdin, "stdin", terminal);
}

static enum tool_status session_run_command(struct console_session *session, const char *command) {
    struct pfifo_error error = {0};
    enum console_status status = console_line(session->console, command, &error);

    session->quit = status == CONSOLE_QUIT;
    fflush(stdout);
    if (status != CONSOLE_FAILED)
        return TOOL_OK;
    tool_message("%s: %s", command, error.message);
    return TOOL_FAULTED;
}

enum tool_status session_first(struct console_session *session, const struct first_commands *first) {
    enum tool_status worst = TOOL_OK, status;

    for (size_t i = 0; i < first->count && !session->quit && !interrupt_seen(); i++) {
        const struct first_command *command = &first->list[i];
        status = command->is_file ? session_file(session, command->text) : session_run_command(session, command->text);
        worst = status > worst ? status : worst;
        if (worst != TOOL_OK && !session->keep_going)
            break;
    }
    return worst;
}
