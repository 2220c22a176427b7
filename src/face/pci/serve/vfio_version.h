/* SPDX-License-Identifier: MIT */
/* What a client says about itself in VERSION: JSON, of which two things concern the server. */
#ifndef PFIFO_FACE_PCI_VFIO_VERSION_H
#define PFIFO_FACE_PCI_VFIO_VERSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct vfio_version {
    uint64_t most; /* max_data_xfer_size: data of a message that the client takes */
    bool multiple; /* write_multiple: it may send several writes in a message */
};

/*
 * What is in `capabilities`; the rest of *version stays as it is. False: the text, with the NUL at its end, is no JSON
 * object, or a value is none that can be.
 */
bool vfio_version_parse(const char *text, size_t bytes, struct vfio_version *version);

#endif
