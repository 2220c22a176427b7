/* SPDX-License-Identifier: MIT */
/*
 * Preloaded into a program whose pictures depend on the time: for itself it passes at each look by the same step, and
 * is what it is for its libraries. So it shows the same pictures wherever it draws.
 */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { STEP_NS = 4000000, SECOND_NS = 1000000000 };

int clock_gettime(clockid_t clock, struct timespec *now);
time_t time(time_t *now);

/* The address is in the program's own file. */
static int is_own(void *address) {
    Dl_info info;
    if (!dladdr(address, &info) || !info.dli_fname)
        return 0;
    const char *name = strrchr(info.dli_fname, '/');
    return strcmp(name ? name + 1 : info.dli_fname, program_invocation_short_name) == 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static long long looks;
    if (!is_own(__builtin_return_address(0)))
        return (int)syscall(SYS_clock_gettime, clock, now);
    long long ns = ++looks * STEP_NS;
    *now = (struct timespec){.tv_sec = ns / SECOND_NS, .tv_nsec = ns % SECOND_NS};
    return 0;
}

/* What it seeds its random numbers with. */
time_t time(time_t *now) {
    time_t seconds = 0;
    struct timespec real;
    if (!is_own(__builtin_return_address(0)) && syscall(SYS_clock_gettime, CLOCK_REALTIME, &real) == 0)
        seconds = real.tv_sec;
    if (now)
        *now = seconds;
    return seconds;
}
