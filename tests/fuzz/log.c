/* SPDX-License-Identifier: MIT */
/* Lines of a log, as pfifo explain reads them: any bytes, in text and as JSON. What is printed goes nowhere. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "face/tool/explain/log/log.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static FILE *quiet(void) {
    static FILE *nowhere;

    if (!nowhere) {
        nowhere = freopen("/dev/null", "w", stdout);
        if (!nowhere)
            abort();
    }
    return nowhere;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    struct explain explain = {.json = size && data[0] & 1};
    FILE *file;

    quiet();
    if (size < 2)
        return 0;
    file = fmemopen((void *)(uintptr_t)data, size, "r");
    if (!file)
        return 0;
    explain.chip = data[1] & 1 ? pfifo_chip_at(data[1] % pfifo_chip_count()) : NULL;
    log_explain(&explain, file);
    fclose(file);
    explain_free_tables(&explain);
    return 0;
}
