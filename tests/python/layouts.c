/* SPDX-License-Identifier: MIT */
/*
 * The layouts of the public structures as the compiler has them, for the test that compares them with what python/pfifo
 * declares: `STRUCT FIELD OFFSET BYTES`, and `STRUCT - 0 BYTES` for the whole. Constants: `= NAME VALUE`.
 */
#include <pfifo/decode.h>
#include <pfifo/draw.h>
#include <pfifo/driver.h>
#include <pfifo/picture.h>
#include <pfifo/registers.h>
#include <pfifo/state.h>
#include <pfifo/stream.h>

#include <stdio.h>

#define S(type)     printf(#type " - 0 %zu\n", sizeof(struct type));
#define F(type, of) printf(#type " " #of " %zu %zu\n", offsetof(struct type, of), sizeof(((struct type *)0)->of));
#define C(name)     printf("= " #name " %lld\n", (long long)(name));

int main(void) {
#include "layouts.inc"
    return 0;
}
