/* SPDX-License-Identifier: MIT */
/* PFIFO of NV1, NV3, NV3T against its reference; the input decides everything that is random in tests/silicon. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "silicon/silicon.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct choice choice = choice_from_bytes(data, size);
    if (!silicon_round(&choice, stderr))
        abort();
    return 0;
}
