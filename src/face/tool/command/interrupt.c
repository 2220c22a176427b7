/* SPDX-License-Identifier: MIT */
#include "face/tool/command/interrupt.h"

#include <signal.h>
#include <stddef.h>

static const int signals[] = {SIGINT, SIGTERM};
enum { SIGNALS = sizeof signals / sizeof signals[0] };

/* Signals belong to the process, so this state is global. */
static volatile sig_atomic_t seen;
static struct sigaction before[SIGNALS];

static void interrupt_note(int number) {
    seen = number;
}

void interrupt_begin(void) {
    struct sigaction action = {.sa_handler = interrupt_note, .sa_flags = (int)SA_RESETHAND | SA_RESTART};

    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++) {
        sigaction(signals[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaction(signals[i], &action, NULL);
    }
}

void interrupt_end(void) {
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &before[i], NULL);
}

bool interrupt_seen(void) {
    return seen != 0;
}

void interrupt_forget(void) {
    if (seen && seen != SIGINT)
        interrupt_die();
    seen = 0;
}

bool interrupt_enough(void *opaque) {
    (void)opaque;
    return interrupt_seen();
}

void interrupt_die(void) {
    int number = seen;

    if (!number)
        return;
    signal(number, SIG_DFL);
    raise(number);
}
