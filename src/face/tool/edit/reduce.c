/* SPDX-License-Identifier: MIT */
#include "face/tool/edit/reduce.h"

#include "face/tool/command/interrupt.h"
#include "face/tool/edit/rewrite.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_METHODS = 1 << 26, WAIT_NS = 100000000, GRACE_NS = 10000000, GRACE_TRIES = 10 };

static const char placeholder[] = "{}";

/* ---- captures ---- */

static enum pfifo_edit_action reduce_decide(void *opaque, const struct pfifo_decode_event *event, uint32_t *data) {
    struct reduce *reduce = opaque;
    uint64_t at = reduce->at++;

    (void)event, (void)data;
    return reduce->writes && at < reduce->methods && !reduce->writes[at] ? PFIFO_EDIT_DROP : PFIFO_EDIT_KEEP;
}

static bool reduce_write_capture(struct reduce *reduce, const bool *keep, const char *path, uint64_t *methods) {
    struct pfifo_edit_result result;
    struct pfifo_error error = {0};

    reduce->at = 0;
    reduce->writes = keep;
    if (rewrite(reduce->stream, reduce->chip, path, reduce_decide, reduce, &result, &error) != PFIFO_OK) {
        if (!ferror(stdout))
            tool_message("%s", error.message);
        return false;
    }
    if (methods)
        *methods = result.methods;
    return true;
}

bool reduce_write(struct reduce *reduce, const char *path) {
    return reduce_write_capture(reduce, reduce->keep, path, NULL);
}

/* ---- commands ---- */

/* The command has a group of its own, so that all that it has started can be ended. */
static bool launch(struct reduce *reduce, struct reduce_slot *slot) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int reason;

    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &reduce->mask);
    reason = posix_spawnp(&slot->child, slot->argv[0], &actions, &attributes, slot->argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (!reason)
        return true;
    slot->child = 0;
    errno = reason;
    return tool_cannot(slot->argv[0], "run");
}

static void reduce_wait_for_any(long nanoseconds) {
    const struct timespec limit = {.tv_nsec = nanoseconds};
    sigset_t child;

    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigtimedwait(&child, NULL, &limit);
}

/* With what it has started: it may have something to tidy up, but not long. As long as it is not waited for, its number
 * is its own. */
static void reduce_cancel(struct reduce_slot *slot) {
    siginfo_t about = {0};

    if (!slot->child)
        return;
    kill(-slot->child, SIGTERM);
    for (int tries = 0; tries < GRACE_TRIES && !about.si_pid; tries++) {
        if (waitid(P_PID, (id_t)slot->child, &about, WEXITED | WNOHANG | WNOWAIT) != 0)
            break;
        if (!about.si_pid)
            reduce_wait_for_any(GRACE_NS);
    }
    kill(-slot->child, SIGKILL);
    while (waitpid(slot->child, NULL, 0) < 0 && errno == EINTR)
        ;
    slot->child = 0;
}

static void cancel_all(struct reduce *reduce) {
    for (unsigned i = 0; i < reduce->jobs; i++)
        reduce_cancel(&reduce->slot[i]);
    reduce->running = 0;
}

static void reduce_show(struct reduce *reduce) {
    char text[96];

    snprintf(text, sizeof text, "run %u", reduce->runs + 1);
    progress_line(&reduce->progress, tool_input_name(reduce->file), reduce->percent, text);
}

static enum reduce_outcome reduce_wait_for(struct reduce *reduce, struct reduce_slot *slot) {
    int status = 0;
    pid_t ended;

    while ((ended = waitpid(slot->child, &status, WNOHANG)) == 0 && !interrupt_seen()) {
        reduce_show(reduce);
        reduce_wait_for_any(WAIT_NS);
    }
    slot->child = ended ? 0 : slot->child;
    if (interrupt_seen()) {
        cancel_all(reduce);
        return REDUCE_INTERRUPTED;
    }
    if (ended < 0) {
        tool_cannot(slot->argv[0], "wait for");
        return REDUCE_BROKEN;
    }
    status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return (reduce->wanted < 0 ? status != 0 : status == reduce->wanted) ? REDUCE_FAILS : REDUCE_PASSES;
}

enum reduce_outcome reduce_whole(struct reduce *reduce) {
    struct reduce_slot *slot = &reduce->slot[0];
    enum reduce_outcome outcome;
    uint64_t methods = 0;

    if (!reduce_write_capture(reduce, NULL, slot->path, &methods) || !launch(reduce, slot))
        return REDUCE_BROKEN;
    outcome = reduce_wait_for(reduce, slot);
    reduce->runs++;
    if (outcome == REDUCE_FAILS && methods > MOST_METHODS) {
        tool_message_of(reduce->file, "more than %d methods", MOST_METHODS);
        return REDUCE_BROKEN;
    }
    reduce->keep = malloc(methods + 1);
    reduce->ahead = malloc(methods + 1);
    reduce->before = malloc(methods + 1);
    if (!reduce->keep || !reduce->ahead || !reduce->before) {
        tool_message("no memory for %" PRIu64 " methods", methods);
        return REDUCE_BROKEN;
    }
    memset(reduce->keep, 1, methods);
    reduce->methods = methods;
    return outcome;
}

/* ---- the search ---- */

/* A sequence of methods is left out. False: none of them is there any more. */
static bool leave_out(const struct reduce *reduce, uint64_t first, uint64_t count) {
    memcpy(reduce->before, reduce->ahead + first, count);
    memset(reduce->ahead + first, 0, count);
    return memchr(reduce->before, 1, count) != NULL;
}

/* Try without a sequence. False: it cannot be tried; a message was printed. */
static bool reduce_start(struct reduce *reduce, uint64_t first, uint64_t count) {
    struct reduce_slot *slot = &reduce->slot[(reduce->head + reduce->running) % reduce->jobs];

    slot->first = first;
    slot->count = count;
    slot->expected = reduce->failed;
    if (!reduce_write_capture(reduce, reduce->ahead, slot->path, NULL) || !launch(reduce, slot))
        return false;
    if (!slot->expected)
        memcpy(reduce->ahead + first, reduce->before, count);
    reduce->running++;
    return true;
}

/* As many as there is room for: the sequences below number `*next`. */
static bool reduce_fill(struct reduce *reduce, uint64_t length, uint64_t *next) {
    while (*next && reduce->running < reduce->jobs && reduce->running < reduce->runs_left && !interrupt_seen()) {
        uint64_t first = --*next * length, left = reduce->methods - first;
        uint64_t count = left < length ? left : length;
        if (leave_out(reduce, first, count) && !reduce_start(reduce, first, count))
            return false;
    }
    return true;
}

/* The oldest one has ended. What is certain changes, and what is expected, if it was something else. */
static enum reduce_outcome reduce_finish(struct reduce *reduce, uint64_t length, uint64_t *next) {
    struct reduce_slot *slot = &reduce->slot[reduce->head];
    enum reduce_outcome outcome = reduce_wait_for(reduce, slot);

    if (outcome == REDUCE_BROKEN || outcome == REDUCE_INTERRUPTED)
        return outcome;
    reduce->runs++;
    reduce->runs_left--;
    reduce->running--;
    reduce->head = (reduce->head + 1) % reduce->jobs;
    reduce->failed = outcome == REDUCE_FAILS;
    if (reduce->failed)
        memset(reduce->keep + slot->first, 0, slot->count);
    if (reduce->failed != slot->expected) {
        cancel_all(reduce);
        memcpy(reduce->ahead, reduce->keep, reduce->methods);
        *next = slot->first / length;
    }
    return outcome;
}

static void note_percent(struct reduce *reduce, uint64_t length, uint64_t next) {
    uint64_t runs = (reduce->methods + length - 1) / length, passes = 1, done = 0;

    for (uint64_t left = (reduce->methods + 1) / 2; left > 1; left /= 2, passes++)
        done += left > length;
    reduce->percent = (unsigned)((100 * done + 100 * (runs - next) / runs) / passes);
}

/* Sequences of this length, from the last one to the first: what is at the end often only follows. */
static bool reduce_pass(struct reduce *reduce, uint64_t length, bool *less) {
    uint64_t next = (reduce->methods + length - 1) / length;
    enum reduce_outcome outcome = REDUCE_PASSES;

    *less = false;
    memcpy(reduce->ahead, reduce->keep, reduce->methods);
    for (bool fine = reduce_fill(reduce, length, &next); fine && reduce->running;
         fine = reduce_fill(reduce, length, &next)) {
        outcome = reduce_finish(reduce, length, &next);
        if (outcome == REDUCE_BROKEN || outcome == REDUCE_INTERRUPTED)
            return outcome == REDUCE_INTERRUPTED;
        *less = *less || outcome == REDUCE_FAILS;
        note_percent(reduce, length, next);
    }
    if (!reduce->running)
        return true;
    cancel_all(reduce);
    return false;
}

bool reduce_search(struct reduce *reduce) {
    bool less = true, fine = true;

    for (uint64_t length = (reduce->methods + 1) / 2; fine && length && reduce->runs_left && !interrupt_seen();) {
        fine = reduce_pass(reduce, length, &less);
        if (length > 1 || !less)
            length /= 2;
    }
    return fine;
}

/* ---- all of it ---- */

/* The command with the slot's path. */
static bool make_argv(struct reduce_slot *slot, char *const *command) {
    size_t count = 0, named = 0;

    while (command[count])
        count++;
    slot->argv = calloc(count + 2, sizeof *slot->argv);
    if (!slot->argv) {
        tool_message("no memory for a command");
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        bool is_path = !strcmp(command[i], placeholder);
        slot->argv[i] = is_path ? slot->path : command[i];
        named += is_path;
    }
    if (!named)
        slot->argv[count] = slot->path;
    return true;
}

bool reduce_begin(struct reduce *reduce) {
    const char *parent = getenv("TMPDIR");
    bool fine = true;
    sigset_t child;

    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, &reduce->mask);
    /* Who has started us may ignore it; then there would be no exit status. */
    reduce->before_child = signal(SIGCHLD, SIG_DFL);
    if (snprintf(reduce->folder, sizeof reduce->folder, "%s/pfifo-reduce-XXXXXX",
                 parent && *parent ? parent : "/tmp") >= (int)sizeof reduce->folder ||
        !mkdtemp(reduce->folder)) {
        tool_cannot(reduce->folder, "make a folder");
        reduce->folder[0] = 0;
        return false;
    }
    for (unsigned i = 0; i < reduce->jobs && fine; i++) {
        snprintf(reduce->slot[i].path, sizeof reduce->slot[i].path, "%s/reduced-%u.nvcap", reduce->folder, i);
        fine = make_argv(&reduce->slot[i], reduce->command);
    }
    progress_begin(&reduce->progress);
    return fine;
}

void reduce_end(struct reduce *reduce) {
    progress_end(&reduce->progress);
    cancel_all(reduce);
    for (unsigned i = 0; i < reduce->jobs && reduce->folder[0]; i++) {
        unlink(reduce->slot[i].path);
        free(reduce->slot[i].argv);
    }
    if (reduce->folder[0])
        rmdir(reduce->folder);
    signal(SIGCHLD, reduce->before_child);
    sigprocmask(SIG_SETMASK, &reduce->mask, NULL);
    free(reduce->keep);
    free(reduce->ahead);
    free(reduce->before);
}
