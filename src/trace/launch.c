/* SPDX-License-Identifier: MIT */
/* What follows the fields of an event that is about a launch: shared=1024 local=16 registers=24 c0=0x10000,256 */
#include "trace/trace.h"

#include <pfifo/launch.h>

static void launch_put_number(struct output *out, const char *before, uint64_t value) {
    output_text(out, before);
    output_decimal(out, value);
}

void trace_launch_text(struct output *out, const struct pfifo_launch *launch) {
    if (!launch->executed)
        return;
    launch_put_number(out, " shared=", launch->shared);
    launch_put_number(out, " local=", launch->local);
    launch_put_number(out, " registers=", launch->registers);
    for (unsigned i = 0; i < PFIFO_LAUNCH_CONSTANTS; i++) {
        if (!launch->constants[i].bytes)
            continue;
        launch_put_number(out, " c", i);
        output_text(out, "=0x");
        output_hex(out, launch->constants[i].address, 1);
        launch_put_number(out, ",", launch->constants[i].bytes);
    }
}

void trace_launch_json(struct output *out, const struct pfifo_launch *launch) {
    const char *comma = "";
    if (!launch->executed)
        return;
    launch_put_number(out, ",\"shared\":", launch->shared);
    launch_put_number(out, ",\"local\":", launch->local);
    launch_put_number(out, ",\"registers\":", launch->registers);
    output_text(out, ",\"constants\":[");
    for (unsigned i = 0; i < PFIFO_LAUNCH_CONSTANTS; i++) {
        if (!launch->constants[i].bytes)
            continue;
        output_text(out, comma);
        launch_put_number(out, "{\"bank\":", i);
        launch_put_number(out, ",\"address\":", launch->constants[i].address);
        launch_put_number(out, ",\"bytes\":", launch->constants[i].bytes);
        output_text(out, "}");
        comma = ",";
    }
    output_text(out, "]");
}
