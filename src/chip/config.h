/* SPDX-License-Identifier: MIT */
/*
 * Configurations of the public API, which grow from version to version.
 *
 *   struct of the caller, `size` first --config_read()--> struct of this library, other fields zero
 */
#ifndef PFIFO_SRC_CHIP_CONFIG_H
#define PFIFO_SRC_CHIP_CONFIG_H

#include <pfifo/error.h>

/*
 * Copy the caller's struct into a struct of `bytes`. The first field of both is a size_t with the caller's size of the
 * struct; 0 stands for `first`, the size that it had when it was first published. `what` is its name for messages.
 * Errors: PFIFO_ERROR_ARGUMENT if the size is less than `first`; _UNSUPPORTED if the caller's struct is larger, and has
 * a nonzero byte after `bytes`.
 */
enum pfifo_status config_read(void *to, size_t bytes, const void *from, size_t first, const char *what,
                              struct pfifo_error *error);

#endif
