/* SPDX-License-Identifier: MIT */
/*
 * libpfifo-drm.so: the wrappers of libc that show a program the nodes of the model. One lock guards the device. What
 * the library itself calls, from inside a wrapper or in its own thread, goes straight to libc.
 *
 *   paths.c    names: open(), fopen(); tree.c has the list of them
 *   stat.c     names: stat(), access(), readlink() ...
 *   dir.c      opendir(), readdir() ...
 *   files.c    descriptors: fstat(), ioctl()
 *   mappings.c mmap(), munmap()
 *   device.c   the device, the lock, fork
 *   end.c      exit(), _exit(), signals that end the program
 *   service.c  the thread: the work, closed descriptors, vertical blanks, SIGUSR1
 *   signals.c  which signals a call has to return for
 *   prime.c    descriptors of buffers, sync objects and sync files
 *   eventfd.c  eventfds of the program
 *
 * Not seen: programs linked statically, and system calls made without libc.
 */
#ifndef PFIFO_SRC_FACE_DRM_SHIM_H
#define PFIFO_SRC_FACE_DRM_SHIM_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "face/drm/drm.h"
#include "face/drm/session/session.h"
#include "face/drm/shim/real.h"
#include "face/drm/shim/tree.h"

/* ---- device.c ---- */

/* The chip that is shown. NULL: none is wanted, or the caller is the library itself: pass the call on. */
const struct pfifo_chip *shim_chip(void);

/* Take the lock, and hold back signals. False, and no lock: pass the call on. */
bool shim_enter(void);
void shim_leave(void);
/* The calling thread belongs to the library from now on, and has the lock. */
void shim_stay_inside(void);
/* For a thread of the library. */
void shim_lock(void);
void shim_unlock(void);
/* The same, after all others who want it now. Does anybody? */
void shim_lock_last(void);
bool shim_wanted(void);
/*
 * Release the lock and sleep, until the device has got further or for so long. For who has it by shim_enter(). False: a
 * signal is to be handled, which happens in shim_leave(). */
bool shim_wait(uint64_t nanoseconds);
/* The same, whatever signals come. */
void shim_sleep(uint64_t nanoseconds);
/* Does the call go on after that signal's handler? */
bool shim_restarts(void);

/* The device, made by the first open of a node. NULL: it cannot be, and the log says why. With the lock held. */
struct drm_device *shim_device(void);
/* The device if there is one. */
struct drm_device *shim_device_now(void);
struct session *shim_session(void);
/* The program ends: work is done for at most so long, and what the session has to say is written. With the lock held.
 */
void shim_end_session(uint64_t nanoseconds);
/* Has it been? Safe in signal handlers. */
bool shim_session_is_over(void);
/* End it, from anywhere. */
void shim_end(void);

/* 0 or more; a negative errno becomes errno and -1. */
int shim_result(int status);

/* ---- files.c ---- */

/* All below with the lock held. */

/* A descriptor of a new file of the node, with the O_CLOEXEC and O_NONBLOCK of `flags`. Or -errno. */
int files_open(enum drm_node_type type, int flags);
/* A descriptor of the library's own, out of the way of the program's. It stays if there is no room above. */
int files_move_up(int fd);
/* Which end of files programs have closed is looked at, and those files end. */
void files_sweep(void);
/* Descriptors to poll for POLLHUP; how many there are. */
unsigned files_peers(int *peers, unsigned room);
/* What mmap() of a node at `offset` maps. 0, -errno; -ENOTTY: `as` is of no node. */
int files_map(const struct stat *as, uint64_t offset, uint64_t bytes, struct drm_memory *memory);
/* An event becomes readable. */
void files_event(void *opaque, struct drm_file *file, const void *data, size_t bytes);
/* After fork(): the files are the parent's. */
void files_abandon(void);

/* ---- dir.c ---- */

/* Around a fork: its lock is nobody's in the child. */
void dirs_before_fork(void);
void dirs_after_fork(void);

/* ---- mappings.c ---- */

/* A buffer has moved: as drm_host.moved(). */
void mappings_moved(void *opaque, const struct drm_memory *from, const struct drm_memory *to);

/* ---- paths.c ---- */

#define TREE_FD_NAME "pfifo-tree:" /* of the memfd behind a descriptor of the tree; its path follows */

/* Where a descriptor of the tree is, and false if it is none. `path` of PATH_MAX bytes. */
bool paths_of_descriptor(int fd, char *path);
void paths_fill(const struct tree_entry *entry, struct stat *to);

/* ---- prime.c ---- */

/* As drm_host.give() and take(). */
int prime_give(void *opaque, int file, unsigned flags);
int prime_take(void *opaque, int fd);

/* ---- eventfd.c ---- */

/* As drm_host.hold_event() and end_event(). */
int eventfd_hold(void *opaque, int fd);
void eventfd_end(void *opaque, int held, bool tell);

/* ---- end.c ---- */

/* Has the session more to tell at the end than a line of the log? */
bool end_tells(const struct settings *settings);
/* Have the session end before the program dies of a signal, if the session has something to say then. */
void end_watch_signals(const struct settings *settings);

/* ---- signals.c ---- */

/* Is there a signal that a handler, or the end of the program, waits with? `mask`: what the program holds back. */
bool signals_wait(const sigset_t *mask);
/* Do their handlers want calls to go on (SA_RESTART)? */
bool signals_restart(const sigset_t *mask);

/* ---- service.c ---- */

/* Start it, if it does not run. False: it cannot be. */
bool service_start(void);
/* Does it sleep, so that work has to wake it? With the lock held. */
bool service_is_asleep(void);
/* Have the session end, soon. False: there is no thread. Safe in signal handlers. */
bool service_end(void);
/* Something has changed that it should look at. Safe in signal handlers. */
void service_wake(char why);
/* In a child of fork(), where the thread is not. */
void service_forget(void);

/* ---- window/x11_screen.c, if it is built (PFIFO_SHIM_X11) ---- */

/* A window of the X server that DISPLAY names, for pictures of the display. NULL: `why` says it. With the lock held. */
struct x11_screen *x11_screen_new(const char *chip, char *why, size_t room);
/* As session_set_screen() wants it; `opaque` is the screen. */
bool x11_screen_show(void *opaque, const struct drm_picture *picture);

#endif
