/* SPDX-License-Identifier: MIT */
/* Programs that run with a library of pfifo preloaded. */
#ifndef PFIFO_TOOL_PROGRAM_LAUNCH_H
#define PFIFO_TOOL_PROGRAM_LAUNCH_H

#include <stdbool.h>

/* What a shell returns for a command that is there but cannot run, and for one that is not there. */
enum { LAUNCH_CANNOT_RUN = 126, LAUNCH_NOT_FOUND = 127 };

/*
 * Put a library ("libpfifo-drm.so") in front of LD_PRELOAD: the one in the folder that PFIFO_LIBRARIES names; without
 * that, the one next to the tool, as in a build tree, else the one that is installed. False: there is none; a message
 * was printed.
 */
bool launch_preload(const char *library);

/* Set a variable to a path, made absolute: the program may go elsewhere. False: it cannot; a message was printed. */
bool launch_set_path(const char *variable, const char *path);

/* Before a run: an old capture goes. False: the file cannot be made; a message was printed. */
bool launch_begin_capture(const char *path);
/* Afterwards, with the exit status: a message, if the program could be run and has left none. */
void launch_end_capture(const char *path, const char *program, int status);

/*
 * Run the program, and wait for its end. Signals that are sent to this process go to the program; those of a terminal
 * reach it anyway. Returns its exit status, 128 + the signal that killed it, or one of the above, after a message.
 */
int launch(char **argv);

#endif
