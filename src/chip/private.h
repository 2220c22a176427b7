/* SPDX-License-Identifier: MIT */
/*
 * Functions of libpfifo that libpfifo-capture calls and that are in no public header. Their names are pfifo_private_*,
 * and each is listed in libpfifo.map.in under PFIFO_PRIVATE_ and the version of the library. libpfifo-capture reads
 * structs of libpfifo, too, such as the rows of chips. With this version in the names of its symbols, the loader refuses
 * a libpfifo of another version, instead of a struct that is laid out differently.
 */
#ifndef PFIFO_SRC_CHIP_PRIVATE_H
#define PFIFO_SRC_CHIP_PRIVATE_H

#include <pfifo/error.h>

#define PFIFO_PRIVATE_API PFIFO_API

#endif
