/* SPDX-License-Identifier: MIT */
#include "face/tool/program/launch.h"

#include "face/tool/tool.h"
#include "face/tool/version.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- libraries ---- */

/* The library in the folder of this program. False: there is none. */
static bool next_to_tool(const char *library, char *path, size_t room) {
    char tool[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", tool, sizeof tool - 1);

    if (length <= 0)
        return false;
    tool[length] = 0;
    *strrchr(tool, '/') = 0;
    length = snprintf(path, room, "%s/%s", tool, library);
    return (size_t)length < room && access(path, R_OK) == 0;
}

static bool find_library(const char *library, char *path, size_t room) {
    const char *folder = getenv("PFIFO_LIBRARIES");

    if (!(folder && *folder) && next_to_tool(library, path, room))
        return true;
    snprintf(path, room, "%s/%s", folder && *folder ? folder : PFIFO_TOOL_LIBRARIES, library);
    if (access(path, R_OK) == 0)
        return true;
    return tool_cannot(path, "read");
}

bool launch_preload(const char *library) {
    const char *before = getenv("LD_PRELOAD");
    char path[PATH_MAX];
    char *list;

    if (!find_library(library, path, sizeof path))
        return false;
    if (strpbrk(path, " :")) {
        tool_message("%s: cannot be preloaded: there is a blank or colon in its name", path);
        return false;
    }
    if (asprintf(&list, "%s%s%s", path, before && *before ? ":" : "", before ? before : "") < 0)
        return false;
    bool set = setenv("LD_PRELOAD", list, 1) == 0;
    free(list);
    return set;
}

bool launch_set_path(const char *variable, const char *path) {
    char here[PATH_MAX];
    char *whole;

    if (path[0] == '/')
        return setenv(variable, path, 1) == 0;
    if (!getcwd(here, sizeof here))
        return tool_cannot(".", "read");
    if (asprintf(&whole, "%s/%s", here, path) < 0)
        return false;
    bool set = setenv(variable, whole, 1) == 0;
    free(whole);
    return set;
}

/* ---- captures ---- */

/* A file that is packed with zstd, as the recorder's are. */
static bool launch_is_packed(const char *path) {
    static const unsigned char magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
    unsigned char head[sizeof magic];
    FILE *file = fopen(path, "rb");

    if (!file)
        return false;
    bool packed = fread(head, 1, sizeof head, file) == sizeof head && memcmp(head, magic, sizeof head) == 0;
    return fclose(file) == 0 && packed;
}

/* Captures of an earlier run, which had more clients: PATH.2, PATH.3 ... */
static void remove_numbered(const char *path) {
    for (unsigned i = 2;; i++) {
        char *name;
        if (asprintf(&name, "%s.%u", path, i) < 0)
            return;
        bool gone = launch_is_packed(name) && unlink(name) == 0;
        free(name);
        if (!gone)
            return;
    }
}

/* The recorder never writes to a file that is there: it takes the next free number. */
bool launch_begin_capture(const char *path) {
    struct stat about;

    /* A device or pipe would be gone. */
    if (stat(path, &about) == 0 && !S_ISREG(about.st_mode) && !S_ISDIR(about.st_mode)) {
        tool_message_of(path, "a recording goes to a file, and this is none");
        return false;
    }
    FILE *file = fopen(path, "w");

    if (file && fclose(file) == 0 && unlink(path) == 0) {
        remove_numbered(path);
        return true;
    }
    return tool_cannot(path, "write");
}

void launch_end_capture(const char *path, const char *program, int status) {
    if (access(path, F_OK) != 0 && status != LAUNCH_NOT_FOUND && status != LAUNCH_CANNOT_RUN)
        tool_message("%s: nothing was recorded: %s has opened no channel of nouveau, or submitted nothing by EXEC",
                     path, program);
}

/* ---- the program ---- */

static const int forwarded[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2};

/* In the child. SIGPIPE is what it was before main() ignored it. */
static void launch_become(char **argv, const sigset_t *mask) {
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(argv[0], argv);
    int reason = errno;
    tool_cannot(argv[0], "run");
    _exit(reason == ENOENT ? LAUNCH_NOT_FOUND : LAUNCH_CANNOT_RUN);
}

/* A signal of the terminal is for the whole group, so that the program has it, too. */
static bool is_for_this_process(const siginfo_t *info) {
    return info->si_code <= 0;
}

/* The signals of `set` are blocked. */
static int launch_wait_for(pid_t child, const sigset_t *set) {
    siginfo_t info;
    int status;

    for (;;) {
        if (sigwaitinfo(set, &info) < 0)
            continue;
        if (info.si_signo != SIGCHLD && is_for_this_process(&info))
            kill(child, info.si_signo);
        if (waitpid(child, &status, WNOHANG) != child)
            continue;
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }
}

int launch(char **argv) {
    sigset_t set, mask;
    int status = LAUNCH_CANNOT_RUN;

    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    for (size_t i = 0; i < sizeof forwarded / sizeof forwarded[0]; i++)
        sigaddset(&set, forwarded[i]);
    fflush(NULL);
    signal(SIGCHLD, SIG_DFL);
    sigprocmask(SIG_BLOCK, &set, &mask);
    pid_t child = fork();
    if (child == 0)
        launch_become(argv, &mask);
    if (child > 0)
        status = launch_wait_for(child, &set);
    else
        tool_cannot(argv[0], "run");
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return status;
}
