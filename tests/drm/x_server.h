/* SPDX-License-Identifier: MIT */
/* An X server of the tests' own, without a screen: Xvfb. */
#ifndef TESTS_DRM_X_SERVER_H
#define TESTS_DRM_X_SERVER_H

#include <stdbool.h>
#include <sys/types.h>

struct x_server {
    pid_t pid;
    char display[32]; /* "DISPLAY=:N" */
};

/* False: there is no Xvfb, or it does not start. */
bool x_server_start(struct x_server *server);
void x_server_stop(const struct x_server *server);

#endif
