/* SPDX-License-Identifier: MIT */
/*
 * What a run of a program shows of itself: the log, traces, counts, pictures, and where channels stand. The settings
 * come from the environment, because the library is preloaded; `pfifo run` sets them (names.h, settings.c).
 */
#ifndef PFIFO_SRC_FACE_DRM_SESSION_H
#define PFIFO_SRC_FACE_DRM_SESSION_H

#include <pfifo/classes.h>

#include "face/drm/drm.h"

struct settings {
    const struct pfifo_chip *chip; /* NULL: the library leaves the program alone */
    unsigned jobs;                 /* threads that draw; 0: as many as there are cores */
    uint64_t vram_bytes, budget;   /* 0: as struct drm_config has it */
    unsigned major, minor, patch;  /* of the DRM version, 0.0.0: the default */
    unsigned width, height, refresh;
    bool atomic;            /* as struct drm_config has it; the variable is not there: true */
    bool window;            /* the display is a window of an X server */
    bool quiet;             /* no log */
    bool sync;              /* a submission is done when its call returns */
    bool no_compile;        /* as of struct pfifo_config */
    bool stats, json;       /* as of `pfifo run FILE` */
    bool report;            /* where channels stand, at the end */
    char require[4096];     /* a file that is told who opens the nodes, and who draws elsewhere; empty: none */
    char trace[1024];       /* globs of events; empty: no trace */
    enum pfifo_names names; /* of methods */
    char where[4096];       /* a query that the trace is limited to; empty: all */
    char output[4096];      /* a file that traces, counts and reports are added to; empty: stderr */
    char screenshot[4096];  /* a PNG file; with %u in it one for each flip, else the last. Empty: none */
    char draws[4096];       /* a folder of pictures of draws; empty: none */
    uint64_t draws_from, draws_count; /* which; count 0: as struct pictures_config has it */
};

/* False: a variable makes no sense; `error` says which and why. */
bool settings_read(struct settings *settings, struct pfifo_error *error);

struct session;

/*
 * For one device: attaches what is asked for to its machine. NULL: no memory, or the output cannot be opened. The
 * session opens files with descriptors that programs use least (from 512 up), and close-on-exec.
 */
struct session *session_new(const struct settings *settings, struct drm_device *device, struct pfifo_error *error);
/* Somebody shows what comes on the screen, at each flip. False: it cannot any more, and is not asked again. */
void session_set_screen(struct session *session, bool (*show)(void *opaque, const struct drm_picture *picture),
                        void *opaque);
/* A line of the log. Can be called before session_new(), with NULL: to stderr. */
void session_log(struct session *session, const char *line);
/* Where channels stand (drm_device_report()), to the output: on SIGUSR1. */
void session_report(struct session *session);
/*
 * At the end: if the program has opened the nodes and drawn elsewhere, the log says how, with the last call that was
 * refused. Allocates nothing, and frees nothing: for a program that ends in the middle of something.
 */
void session_note(struct session *session);
/*
 * The program ends, or its last file is closed: counts, the report if it is wanted, the last picture. Then it is freed;
 * the device must still be there. In another process than the one that made it (after a fork) nothing is written.
 */
void session_end(struct session *session);

#endif
