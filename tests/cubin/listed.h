/* SPDX-License-Identifier: MIT */
/* Listings of compiled programs, kept as text, and the sample of one. */
#ifndef TESTS_CUBIN_LISTED_H
#define TESTS_CUBIN_LISTED_H

#include <pfifo/disasm.h>

enum { LISTED_ROOM = 16384, CUBIN_ROOM = 4096 };

/*
 * A line for each event: "function vadd 6 registers", "0008 MOV R1, c[0x0][0x20]". Sections and what is between them are
 * left out, unless `all`.
 */
struct listed {
    enum pfifo_status status;
    struct pfifo_error error;
    bool all;
    size_t most, events; /* 0: all of them */
    size_t used;
    char text[LISTED_ROOM];
};

void list(struct listed *listed, const void *data, size_t bytes, const struct pfifo_disasm_options *options);

/* It fails, and says all of `what`. */
void expect_refused(const void *data, size_t bytes, enum pfifo_status status, const char *what);

/* A field of a file, little endian. */
void put_number(uint8_t *at, uint64_t number, unsigned bytes);

/* samples/cubins/NAME. Returns its length. */
size_t read_cubin(const char *name, uint8_t data[CUBIN_ROOM]);

#endif
