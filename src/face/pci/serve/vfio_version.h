/* SPDX-License-Identifier: MIT */
/* What a client says about itself in VERSION: JSON, of which one number concerns the server. */
#ifndef PFIFO_FACE_PCI_VFIO_VERSION_H
#define PFIFO_FACE_PCI_VFIO_VERSION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * capabilities.max_data_xfer_size: data of a message that the client takes; *most stays as it is if it says nothing.
 * False: the text, with the NUL at its end, is no JSON object, or the number is none that can be.
 */
bool vfio_version_parse(const char *text, size_t bytes, uint64_t *most);

#endif
