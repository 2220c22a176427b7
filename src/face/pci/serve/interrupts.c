/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/interrupts.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LINE_BYTES   80 /* of ours, at most */
#define SETTLE_TURNS 20 /* of a few milliseconds */
#define SETTLE_MS    5

static void close_one(int *fd) {
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

void interrupts_begin(struct interrupts *interrupts, int qtest) {
    *interrupts = (struct interrupts){.qtest = qtest, .line = -1, .resample = -1};
}

void interrupts_end(struct interrupts *interrupts) {
    close_one(&interrupts->qtest);
    close_one(&interrupts->line);
    close_one(&interrupts->resample);
    event_fd_bell_end(&interrupts->bell);
}

void interrupts_set_eventfds(struct interrupts *interrupts, int line, int resample) {
    close_one(&interrupts->line);
    close_one(&interrupts->resample);
    interrupts->line = line;
    interrupts->resample = resample;
}

/* ---- qtest ---- */

static bool interrupts_has_room(const struct interrupts *interrupts) {
    return interrupts->out_used + LINE_BYTES <= sizeof interrupts->out;
}

static void interrupts_put_message(struct interrupts *interrupts, uint64_t address, uint32_t data) {
    interrupts->out_used += (size_t)snprintf(interrupts->out + interrupts->out_used, LINE_BYTES,
                                             "writel 0x%" PRIx64 " 0x%" PRIx32 "\n", address, data);
    interrupts->awaited++;
}

/* What there is room for. */
static void interrupts_put_lines(struct interrupts *interrupts) {
    if (interrupts->level != interrupts->told && interrupts_has_room(interrupts)) {
        interrupts->told = interrupts->level;
        interrupts->out_used +=
            (size_t)snprintf(interrupts->out + interrupts->out_used, LINE_BYTES,
                             "set_irq_in /machine/q35/ioapic unnamed-gpio-in 20 %d\n", interrupts->level);
        interrupts->awaited++;
    }
    if (interrupts->late && interrupts_has_room(interrupts)) {
        interrupts->late = false;
        interrupts_put_message(interrupts, interrupts->late_address, interrupts->late_data);
    }
}

static void send_lines(struct interrupts *interrupts) {
    if (interrupts->qtest < 0 || !interrupts->out_used)
        return;
    ssize_t sent = send(interrupts->qtest, interrupts->out, interrupts->out_used, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent <= 0)
        return;
    interrupts->out_used -= (size_t)sent;
    memmove(interrupts->out, interrupts->out + sent, interrupts->out_used);
}

static void interrupts_take_line(struct interrupts *interrupts, const char *line) {
    if (strncmp(line, "OK", 2) == 0) {
        interrupts->awaited -= interrupts->awaited > 0;
        return;
    }
    if (strncmp(line, "FAIL", 4) == 0 || strncmp(line, "ERR", 3) == 0)
        pfifo_error_set(&interrupts->error, PFIFO_ERROR_UNSUPPORTED, "QEMU takes no interrupt: %.100s", line);
}

static void interrupts_take_lines(struct interrupts *interrupts) {
    char *end;

    while ((end = memchr(interrupts->in, '\n', interrupts->in_used))) {
        size_t length = (size_t)(end - interrupts->in) + 1;
        *end = 0;
        interrupts_take_line(interrupts, interrupts->in);
        interrupts->in_used -= length;
        memmove(interrupts->in, interrupts->in + length, interrupts->in_used);
    }
    if (interrupts->in_used == sizeof interrupts->in)
        pfifo_error_set(&interrupts->error, PFIFO_ERROR_FORMAT, "QEMU's qtest sends a line without an end");
}

static void receive_lines(struct interrupts *interrupts) {
    if (interrupts->qtest < 0 || interrupts->in_used == sizeof interrupts->in)
        return;
    ssize_t got = recv(interrupts->qtest, interrupts->in + interrupts->in_used,
                       sizeof interrupts->in - interrupts->in_used, MSG_DONTWAIT);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return;
    if (got <= 0) {
        close_one(&interrupts->qtest);
        return;
    }
    interrupts->in_used += (size_t)got;
    interrupts_take_lines(interrupts);
}

void interrupts_move(struct interrupts *interrupts) {
    receive_lines(interrupts);
    interrupts_put_lines(interrupts);
    send_lines(interrupts);
}

void interrupts_settle(struct interrupts *interrupts) {
    for (unsigned turn = 0; turn < SETTLE_TURNS; turn++) {
        if (!interrupts->awaited || interrupts->qtest < 0 || interrupts->error.status != PFIFO_OK)
            return;
        struct pollfd wait = {.fd = interrupts->qtest,
                              .events = (short)(POLLIN | (interrupts->out_used ? POLLOUT : 0))};
        poll(&wait, 1, SETTLE_MS);
        interrupts_move(interrupts);
    }
}

/* ---- the card's side ---- */

void interrupts_level(struct interrupts *interrupts, bool level) {
    interrupts->level = level;
    if (interrupts->qtest >= 0) {
        interrupts_put_lines(interrupts);
        send_lines(interrupts);
    } else if (level) {
        event_fd_signal(&interrupts->bell, interrupts->line);
    }
}

void interrupts_resample(struct interrupts *interrupts) {
    if (interrupts->resample >= 0)
        event_fd_take(interrupts->resample);
    if (interrupts->qtest < 0 && interrupts->level)
        event_fd_signal(&interrupts->bell, interrupts->line);
}

/* If there is no room for a message, it is merged with the one before it, as two edges may be. */
void interrupts_message(struct interrupts *interrupts, uint64_t address, uint32_t data) {
    if (interrupts->qtest < 0) {
        interrupts->lost++;
        return;
    }
    interrupts->late = true;
    interrupts->late_address = address;
    interrupts->late_data = data;
    interrupts_put_lines(interrupts);
    send_lines(interrupts);
}
