/* SPDX-License-Identifier: MIT */
#include "face/tool/image/terminal.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

enum { ANSWER_MS = 1000, PIXELS = 1024 }; /* 4 letters each: at most 4096 in a piece */

/* The answer of DA1 is "ESC [ ? LEVEL ; ATTRIBUTE ; ... c"; attribute 4 is sixels. */
static bool has_sixel(const char *answer) {
    const char *at = strstr(answer, "\033[?");

    for (at = at ? strchr(at, ';') : NULL; at; at = strchr(at + 1, ';'))
        if (strtol(at + 1, NULL, 10) == 4)
            return true;
    return false;
}

static enum terminal_pictures understand(const char *answer) {
    if (strstr(answer, "_Gi=31;OK"))
        return TERMINAL_KITTY;
    if (!has_sixel(answer))
        return TERMINAL_NONE;
    return sixel_missing() ? TERMINAL_SIXEL_UNUSED : TERMINAL_SIXEL;
}

static int64_t terminal_now_ms(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* A question for graphics, then one that every terminal answers: "ESC [ ? ... c". */
static enum terminal_pictures terminal_ask(int terminal) {
    static const char question[] = "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\\033[c";
    char answer[512];
    size_t have = 0;
    struct pollfd from = {.fd = terminal, .events = POLLIN};
    const int64_t end = terminal_now_ms() + ANSWER_MS;

    if (write(terminal, question, sizeof question - 1) != (ssize_t)(sizeof question - 1))
        return TERMINAL_NONE;
    for (int64_t left = ANSWER_MS; have < sizeof answer - 1 && left > 0; left = end - terminal_now_ms()) {
        if (poll(&from, 1, (int)left) != 1)
            return TERMINAL_NONE;
        ssize_t bytes = read(terminal, answer + have, sizeof answer - 1 - have);
        if (bytes <= 0)
            return TERMINAL_NONE;
        have += (size_t)bytes;
        answer[have] = 0;
        if (strstr(answer, "\033[?") && answer[have - 1] == 'c')
            return understand(answer);
    }
    return TERMINAL_NONE;
}

enum terminal_pictures terminal_pictures(int terminal) {
    static const int ends[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    struct termios before, raw;
    enum terminal_pictures has;
    sigset_t blocked, signals;

    if (tcgetattr(terminal, &before) != 0)
        return TERMINAL_NONE;
    raw = before;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    /* Who ends the program meanwhile waits until the terminal is as it was. */
    sigemptyset(&blocked);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        sigaddset(&blocked, ends[i]);
    sigprocmask(SIG_BLOCK, &blocked, &signals);
    has = tcsetattr(terminal, TCSANOW, &raw) == 0 ? terminal_ask(terminal) : TERMINAL_NONE;
    tcsetattr(terminal, TCSAFLUSH, &before);
    sigprocmask(SIG_SETMASK, &signals, NULL);
    return has;
}

static void put_base64(FILE *file, const uint8_t *pixel) {
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = (uint32_t)pixel[0] << 16 | (uint32_t)pixel[1] << 8 | pixel[2];

    for (unsigned shift = 18; shift <= 18; shift -= 6)
        fputc(letters[bits >> shift & 63], file);
}

static void kitty_show(FILE *file, uint32_t width, uint32_t height, const uint8_t *rgba) {
    size_t count = (size_t)width * height;

    for (size_t at = 0; at < count; at += PIXELS) {
        size_t end = count - at < PIXELS ? count : at + PIXELS;
        if (at == 0)
            fprintf(file, "\033_Ga=T,q=2,f=24,s=%u,v=%u,m=%d;", (unsigned)width, (unsigned)height, end < count);
        else
            fprintf(file, "\033_Gm=%d;", end < count);
        for (size_t i = at; i < end; i++)
            put_base64(file, rgba + i * 4);
        fputs("\033\\", file);
    }
    fputc('\n', file);
}

bool terminal_show(enum terminal_pictures by, FILE *file, uint32_t width, uint32_t height, const uint8_t *rgba) {
    switch (by) {
    case TERMINAL_KITTY:
        kitty_show(file, width, height, rgba);
        return true;
    case TERMINAL_SIXEL:
        return sixel_show(file, width, height, rgba);
    default:
        return false;
    }
}
