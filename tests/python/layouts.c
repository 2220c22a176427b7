/* SPDX-License-Identifier: MIT */
/*
 * The layouts of the public structures as the compiler has them, for the test that compares them with what python/pfifo
 * declares: `STRUCT FIELD OFFSET BYTES`, and `STRUCT - 0 BYTES` for the whole. Constants: `= NAME VALUE 0`.
 */
#include <pfifo/classes.h>
#include <pfifo/decode.h>
#include <pfifo/disasm.h>
#include <pfifo/draw.h>
#include <pfifo/launch.h>
#include <pfifo/lint.h>
#include <pfifo/picture.h>
#include <pfifo/registers.h>
#include <pfifo/replay.h>
#include <pfifo/state.h>
#include <pfifo/stream.h>

#include <stdio.h>

#define S(type)     {#type " -", 0, sizeof(struct type)},
#define F(type, of) {#type " " #of, offsetof(struct type, of), sizeof(((struct type *)0)->of)},
#define C(name)     {"= " #name, (size_t)(name), 0},

static const struct row {
    const char *name;
    size_t value, bytes;
} rows[] = {
#include "layouts.inc"
};

int main(void) {
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        printf("%s %zu %zu\n", rows[i].name, rows[i].value, rows[i].bytes);
    return 0;
}
