/* SPDX-License-Identifier: MIT */
#include "kernel.h"

#include "nouveau.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WAIT_SECONDS 8

/* ---- the log ---- */

static void open_at(struct log *log, int whence) {
    *log = (struct log){.fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC)};
    if (log->fd < 0)
        fail("/dev/kmsg: %s", strerror(errno));
    lseek(log->fd, 0, whence);
}

void log_open_at_begin(struct log *log) {
    open_at(log, SEEK_DATA);
}

void log_open_at_end(struct log *log) {
    open_at(log, SEEK_END);
}

void log_close(struct log *log) {
    close(log->fd);
}

/* A record is "priority,number,time,flags;text", more lines follow. EPIPE: some were overwritten. */
bool log_next(struct log *log) {
    char record[8192];
    ssize_t got;

    do
        got = read(log->fd, record, sizeof record - 1);
    while (got < 0 && (errno == EPIPE || errno == EINTR));
    if (got <= 0)
        return false;
    record[got] = 0;
    char *text = strchr(record, ';');
    text = text ? text + 1 : record;
    text[strcspn(text, "\n")] = 0;
    log->level = (int)(strtol(record, NULL, 10) & 7);
    snprintf(log->line, sizeof log->line, "%.1000s", text);
    return true;
}

/*
 * A warning, to the end of its trace; and what Linux 6.2 and later say of cards from GT215 up to Fermi, too: such a
 * message is in the logs of boards with GF108 and GF119.
 */
static bool is_known(struct log *log) {
    bool in_known = log->in_known || strstr(log->line, " drm_kms_helper_poll_disable+");

    log->in_known = in_known && !strstr(log->line, "end trace");
    return in_known || strstr(log->line, "failed to create ce channel, -22");
}

bool log_is_complaint(struct log *log) {
    static const char *const words[] = {"timeout", "timed out", "failed", "error", "ERROR", "unsupported", "disabled"};
    static const char *const traces[] = {"WARNING: CPU", "BUG: ", "Oops", "Call Trace", "blocked for more than"};

    if (is_known(log))
        return false;
    for (size_t i = 0; i < sizeof traces / sizeof traces[0]; i++)
        if (strstr(log->line, traces[i]))
            return true;
    if (!strstr(log->line, "nouveau") && !strstr(log->line, "[drm"))
        return false;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strstr(log->line, words[i]))
            return true;
    return log->level <= 3;
}

bool log_has(const struct log *log, const char *const *texts) {
    for (; *texts; texts++)
        if (!strstr(log->line, *texts))
            return false;
    return true;
}

bool log_wait(struct log *log, const char *const *texts) {
    const struct timespec step = {.tv_nsec = 2000000};
    time_t limit = time(NULL) + WAIT_SECONDS;

    while (time(NULL) <= limit) {
        while (log_next(log))
            if (log_has(log, texts))
                return true;
        nanosleep(&step, NULL);
    }
    return false;
}

/* ---- modules ---- */

void kernel_unload(const char *module) {
    if (syscall(SYS_delete_module, module, O_NONBLOCK) != 0)
        fail("unload %s: %s", module, strerror(errno));
}

void kernel_load(const char *path) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0 || syscall(SYS_finit_module, fd, "", 0) != 0)
        fail("load %s: %s", path, strerror(errno));
    close(fd);
}

/* ---- sleep ---- */

static void write_text(const char *path, const char *text) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);

    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        fail("%s: %s", path, strerror(errno));
    close(fd);
}

/* The kernel stops after the devices are suspended, waits, and resumes them. */
void kernel_suspend(void) {
    write_text("/sys/module/suspend/parameters/pm_test_delay", "1");
    write_text("/sys/power/pm_test", "devices");
    write_text("/sys/power/state", "mem");
    write_text("/sys/power/pm_test", "none");
}
