/* SPDX-License-Identifier: MIT */
/* The machines of both kinds against the reference; the input decides everything that is random in tests/differential.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "differential/differential.h"
#include "differential/pbdma.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct choice choice = choice_from_bytes(data, size);
    bool pbdma = choice_once_in(&choice, 3);
    if (!(pbdma ? differential_pbdma_round : differential_round)(&choice, stderr))
        abort();
    return 0;
}
