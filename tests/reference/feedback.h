/* SPDX-License-Identifier: MIT */
/*
 * Transform feedback, plainly: one primitive after the other, from the words of methods, component by component into
 * bytes. Fermi to Pascal. It shares no code and no table with the engine.
 *
 * Sources: NVIDIA open-gpu-doc classes/3d/cl9097.h; the OpenGL 4.6 specification, 13.3.
 */
#ifndef PFIFO_TESTS_REFERENCE_FEEDBACK_H
#define PFIFO_TESTS_REFERENCE_FEEDBACK_H

#include <stdbool.h>
#include <stdint.h>

struct feedback_reference {
    const uint32_t *method; /* values of methods, by their number / 4 */
    uint8_t *byte;          /* memory from `base` on */
    uint64_t base, bytes;
    uint64_t offset[4];               /* of buffers */
    uint64_t needed[4], succeeded[4]; /* primitives of streams */
};

/* A primitive of a stream: vertex[i][w] is word w of the attributes of its corner i. */
void feedback_reference(struct feedback_reference *reference, unsigned stream, const uint32_t *const *vertex,
                        unsigned corners);

#endif
