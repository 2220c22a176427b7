/* SPDX-License-Identifier: MIT */
/*
 * A macro: a small program that the 3D object (class B197) runs in its method stream. It gets parameters and sends
 * methods. This one writes a report semaphore if its first parameter is not 0, so that the memory says whether it did.
 */
#include "tegra.h"

#include <stdio.h>

enum {
    CODE_POINTER = 0x114,  /* LOAD_MME_INSTRUCTION_RAM_POINTER; then the instructions, all to the next method */
    START_POINTER = 0x11c, /* LOAD_MME_START_ADDRESS_RAM_POINTER; then where each macro starts */
    SEMAPHORE = 0x1b00,    /* SET_REPORT_SEMAPHORE_A: address, payload, and D, which writes it */
    CALL = 0x3800,         /* CALL_MME_MACRO(0) with the first parameter; then CALL_MME_DATA(0) with the others */
    RELEASE = 0xf000,      /* D: write the payload, zero and the time, when all units are done */
};

/*
 * An instruction: 3:0 what it computes, 6:4 what becomes of the result, 7 the end after the next instruction,
 * 10:8 the register that is written, 13:11 the one that is read, 31:14 a number. Register 0 is always 0, register 1
 * has the first parameter.
 */
enum { FETCH = 0, NOTHING = 1, TO_METHOD = 2, SEND = 4 };
#define ADD(result, to, from, number) (1u | (result) << 4 | (to) << 8 | (from) << 11 | (uint32_t)(number) << 14)
#define END                           (1u << 7)
/* Skip `by` instructions, this one included, if a register is 0. Bit 5: at once, not after the next instruction. */
#define SKIP_IF_ZERO(from, by) (7u | 1u << 5 | (from) << 11 | (uint32_t)(by) << 14)
#define METHOD(method)         (1u << 12 | (method) >> 2) /* and each word that is sent goes to the next one */

int main(void) {
    struct tegra tegra;
    struct tegra_channel channel;
    tegra_open(&tegra);
    tegra_channel_open(&tegra, &channel);
    struct tegra_buffer buffer = tegra_buffer(&tegra, 0x1000);
    uint32_t *found = buffer.cpu;

    PUT(&channel, INCREASE_ONCE, SUBCHANNEL_3D, CODE_POINTER, 0,    /* from instruction 0 on: */
        ADD(FETCH, 2, 0, 0),                                        /* r2 = the next parameter: address, upper half */
        ADD(FETCH, 3, 0, 0),                                        /* r3: lower half */
        ADD(FETCH, 4, 0, 0),                                        /* r4: payload */
        SKIP_IF_ZERO(1, 6),                                         /* if (!r1) go to the last two */
        ADD(TO_METHOD, 0, 0, METHOD(SEMAPHORE)),                    /* what is sent now goes there */
        ADD(SEND, 0, 2, 0), ADD(SEND, 0, 3, 0), ADD(SEND, 0, 4, 0), /* send r2, r3, r4 */
        ADD(SEND, 0, 0, RELEASE),                                   /* and the word that releases */
        ADD(NOTHING, 0, 0, 0) | END, ADD(NOTHING, 0, 0, 0));        /* the end; the instruction behind it still runs */
    PUT(&channel, INCREASE_ONCE, SUBCHANNEL_3D, START_POINTER, 0, 0); /* macro 0 starts at instruction 0 */

    for (uint32_t i = 0; i < 8; i++) /* for even ones, and once more with other flags that are not 0 */
        PUT(&channel, INCREASE_ONCE, SUBCHANNEL_3D, CALL, i % 2 ? 0 : 1 + i, ADDRESS(buffer.gpu + 16 * i), 100 + i);
    tegra_wait(&tegra, &channel, tegra_submit(&tegra, &channel, NULL));

    for (uint32_t i = 0; i < 8; i++)
        tegra_check(found[4 * i] == (i % 2 ? 0 : 100 + i), "what the macro wrote");
    printf("the macro ran 8 times and wrote 4 semaphores\n");
    tegra_close(&tegra);
    return 0;
}
