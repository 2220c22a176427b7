/* SPDX-License-Identifier: MIT */
/*
 * Does a program draw with the model, or does it open the nodes and then draw elsewhere, as Mesa does with llvmpipe
 * where it has no driver for a chip or where a call was refused? Needs no memory, so a program may end wherever it is.
 */
#ifndef PFIFO_SRC_FACE_DRM_ELSEWHERE_H
#define PFIFO_SRC_FACE_DRM_ELSEWHERE_H

#include "face/drm/drm.h"

/* All 0: nothing was seen. */
struct elsewhere {
    struct drm_device *device;
    bool observes; /* until something is drawn */
    bool drawn;
};

enum { ELSEWHERE_LINE = 512 };

/* False: the machine has no room for another observer. */
bool elsewhere_begin(struct elsewhere *elsewhere, struct drm_device *device, struct pfifo_error *error);
/* Between two submissions: what is known is not looked for any more. */
void elsewhere_rest(struct elsewhere *elsewhere);
void elsewhere_end(struct elsewhere *elsewhere);

/* How the program has passed the model by, after so many submissions, of which something ran. NULL: it has not. */
const char *elsewhere_how(const struct elsewhere *elsewhere, uint64_t submissions);
/* The last call that was refused, as a line. */
void elsewhere_refusal(const struct elsewhere *elsewhere, char line[ELSEWHERE_LINE]);

#endif
