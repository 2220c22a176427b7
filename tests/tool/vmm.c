/* SPDX-License-Identifier: MIT */
/*
 * A VMM for tests: vmm [-option value]... ACTION [SOCKET]
 *
 *   work      speaks vfio-user at SOCKET, and ends with status 7
 *   leave     the same, but works on for a while after it has left the card
 *   exit      ends with status 5, without a connection
 *   never     never connects, and never ends
 *   half      sends half a message, and waits forever
 *   stubborn  the same, and SIGTERM does not end it
 *
 * Among the options, that of x-pci-proxy-dev has the descriptor of the connection; then there is no SOCKET.
 */
#include "tool/vfio_client.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static _Noreturn void wait_forever(void) {
    for (;;)
        pause();
}

/* The server has taken a connection that it has answered. */
static int half(struct vfio_client *client, bool vfio_user) {
    static const uint8_t bytes[5] = {1, 0, 1, 0, 16};

    if ((vfio_user && !vfio_client_begin(client)) ||
        write(client->socket, bytes, sizeof bytes) != (ssize_t)sizeof bytes)
        return 3;
    puts("half");
    fflush(stdout);
    wait_forever();
}

static int work(struct vfio_client *client) {
    uint8_t boot0[4];

    if (!vfio_client_begin(client) || !vfio_client_read(client, 0, 0, boot0, sizeof boot0))
        return 4;
    printf("BOOT_0 0x%08x\n", (unsigned)vfio_user_get(boot0, 4));
    return 7;
}

static int leave(struct vfio_client *client) {
    int status = work(client);

    vfio_client_close(client);
    nanosleep(&(struct timespec){.tv_sec = 4}, NULL); /* longer than the server lets one that it ends */
    return status;
}

/* After the options. */
static char **arguments_of(char **argv, int *fd) {
    for (argv++; *argv && **argv == '-' && argv[1]; argv += 2) {
        const char *text = strncmp(argv[1], "x-pci-proxy-dev,", 16) == 0 ? strstr(argv[1], ",fd=") : NULL;
        if (text)
            *fd = (int)strtol(text + 4, NULL, 10);
    }
    return argv;
}

int main(int argc, char **argv) {
    struct vfio_client client = {.socket = -1};
    char **arguments = arguments_of(argv, &client.socket);
    const char *action = *arguments;

    alarm(300); /* whatever the server does */
    if (argc < 2 || !action)
        return 2;
    if (strcmp(action, "exit") == 0)
        return 5;
    puts("started");
    fflush(stdout);
    if (strcmp(action, "never") == 0)
        wait_forever();
    bool vfio_user = client.socket < 0;
    if (vfio_user && (!arguments[1] || !vfio_client_connect(&client, arguments[1])))
        return 3;
    if (strcmp(action, "stubborn") == 0)
        signal(SIGTERM, SIG_IGN);
    if (strcmp(action, "work") == 0)
        return work(&client);
    return strcmp(action, "leave") == 0 ? leave(&client) : half(&client, vfio_user);
}
