/* SPDX-License-Identifier: MIT */
/* PFIFO of NV4 .. MCP89 against the reference; the input decides everything that is random in tests/fifo_random. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "fifo_random/fifo_random.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct choice choice = choice_from_bytes(data, size);
    if (!fifo_random_round(&choice, stderr))
        abort();
    return 0;
}
