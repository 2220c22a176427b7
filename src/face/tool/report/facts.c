/* SPDX-License-Identifier: MIT */
/* What a draw or a launch is, in pairs of texts. */
#include "face/tool/report/report.h"

#include "chip/counted.h"

#include <pfifo/draw.h>
#include <pfifo/launch.h>

#include <inttypes.h>

/* ["topology","TRIANGLES"] */
static void put_fact(struct json_writer *json, const char *name, const char *text) {
    json_open(json, NULL, '[');
    json_put_text(json, NULL, name);
    json_put_text(json, NULL, text);
    json_close(json);
}

/* Of a stage that not all draws have. */
static void put_program(struct json_writer *json, const char *name, uint64_t address, uint64_t warps) {
    char text[96];

    if (!address)
        return;
    snprintf(text, sizeof text, "0x%" PRIx64 ", %s", address, counted(warps, "warp").text);
    put_fact(json, name, text);
}

void report_draw_facts(struct json_writer *json, const struct pfifo_draw *draw) {
    const float *viewport = draw->viewport;
    char text[160];

    json_open(json, "facts", '[');
    if (!draw->clear) {
        put_fact(json, "topology", draw->topology ? draw->topology : "?");
        snprintf(text, sizeof text, "%" PRIu64 " of %" PRIu64, draw->vertices, draw->count);
        put_fact(json, "vertices", text);
        snprintf(text, sizeof text, "%" PRIu64, draw->primitives);
        if (draw->generated != draw->primitives)
            snprintf(text, sizeof text, "%" PRIu64 ", made into %" PRIu64, draw->primitives, draw->generated);
        put_fact(json, "primitives", text);
        snprintf(text, sizeof text, "%" PRIu64, draw->fragments);
        put_fact(json, "fragments", text);
        snprintf(text, sizeof text, "%g, %g, %g x %g", (double)viewport[0], (double)viewport[1], (double)viewport[2],
                 (double)viewport[3]);
        put_fact(json, "viewport", text);
        put_fact(json, "depth", draw->depth);
        put_fact(json, "blend", draw->blend);
        snprintf(text, sizeof text, "vertex 0x%" PRIx64 ", fragment 0x%" PRIx64, draw->vertex_program,
                 draw->fragment_program);
        put_fact(json, "programs", text);
        put_program(json, "control program", draw->control_program, draw->work.control_warps);
        put_program(json, "evaluation program", draw->evaluation_program, draw->work.evaluation_warps);
        put_program(json, "geometry program", draw->geometry_program, draw->work.geometry_warps);
    }
    json_close(json);
}

static void put_size(struct json_writer *json, const char *name, const uint32_t size[3]) {
    char text[64];

    snprintf(text, sizeof text, "%" PRIu32 " x %" PRIu32 " x %" PRIu32, size[0], size[1], size[2]);
    put_fact(json, name, text);
}

static void put_launch_memory(struct json_writer *json, const struct pfifo_launch *launch) {
    char text[128];

    put_fact(json, "shared memory of a block", counted(launch->shared, "byte").text);
    put_fact(json, "local memory of a thread", counted(launch->local, "byte").text);
    snprintf(text, sizeof text, "%" PRIu32, launch->registers);
    put_fact(json, "registers", text);
    for (unsigned i = 0; i < PFIFO_LAUNCH_CONSTANTS; i++) {
        char name[16];
        if (!launch->constants[i].bytes)
            continue;
        snprintf(name, sizeof name, "c[%u]", i);
        snprintf(text, sizeof text, "0x%" PRIx64 ", %s", launch->constants[i].address,
                 counted(launch->constants[i].bytes, "byte").text);
        put_fact(json, name, text);
    }
    snprintf(text, sizeof text, "%" PRIu64 " of %s", launch->work.instructions,
             counted(launch->work.warps, "warp").text);
    put_fact(json, "instructions", text);
}

void report_launch_facts(struct json_writer *json, const struct pfifo_launch *launch) {
    char text[64];

    json_open(json, "facts", '[');
    put_size(json, "blocks", launch->blocks);
    put_size(json, "threads of a block", launch->threads);
    snprintf(text, sizeof text, "0x%" PRIx64, launch->program);
    put_fact(json, "program", text);
    put_fact(json, "form", launch->form);
    if (launch->qmd) {
        snprintf(text, sizeof text, "0x%" PRIx64, launch->qmd);
        put_fact(json, "descriptor", text);
    }
    if (launch->executed)
        put_launch_memory(json, launch);
    else
        put_fact(json, "executed", "no");
    json_close(json);
}
