/* SPDX-License-Identifier: MIT */
/* PFIFO of GF100 .. GP102 against the reference; the input decides everything that is random in tests/pbdma_random. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "pbdma_random/round.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct choice choice = choice_from_bytes(data, size);
    if (!pbdma_random_round(&choice, stderr))
        abort();
    return 0;
}
