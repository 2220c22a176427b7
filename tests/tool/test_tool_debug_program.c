/* SPDX-License-Identifier: MIT */
/* `pfifo debug` and `pfifo shell` inside shader programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tool/debug.h"

#define LAUNCHES "../../tests/tool/captures/launch-gm107.nvcap.zst"

static const char *const drawn[] = {"nvc0-quad.nvcap.xz", "nve4-quad.nvcap.xz", "nv117-quad.nvcap.xz",
                                    "nv12b-quad.nvcap.xz"};

/* The last line fails, with this message. */
static void expect_wrong_on_quad(const char *lines, const char *message) {
    char *path = sample_path("nvc0-quad.nvcap.xz");
    struct outcome outcome = debug_file(path, lines);

    expect_status(1, &outcome);
    if (!strstr(outcome.err, message))
        fail_msg("'%s' is not in: %s", message, outcome.err);
    outcome_free(&outcome);
    free(path);
}

static void a_break_stops_at_the_first_instruction_of_a_program(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++)
        EXPECT_DEBUG(drawn[i], "break program vertex\nrun\nexpect stop breakpoint\nwhere\n",
                     "Breakpoint 1: program vertex\nsubmission 3, ",
                     ": warp 0 of this unit, after 0 instructions; lane 0, vertex 0,0\n=> 0x07",
                     " RRO.SINCOS R0, c[0x0][0x0]; 4 of 4 lanes\n", "in the vertex program at 0x");
}

/* 34 warps of fragments, as --stats counts them. */
static void each_warp_is_a_hit(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof drawn / sizeof drawn[0]; i++)
        EXPECT_DEBUG(drawn[i], "break program fragment\nbreak program vertex\nrun\nc 1000\ninfo breakpoints\n",
                     "The capture is at its end", "program fragment, hit 34 times\n", "program vertex, hit 1 time\n");
}

static void a_pixel_is_one_of_the_lanes(void **state) {
    (void)state;
    EXPECT_DEBUG("nvc0-quad.nvcap.xz",
                 "break program fragment x=18 y=19\nrun\nc 9\ninfo breakpoints\nrun\ninfo lanes\n",
                 "The capture is at its end", "hit 1 time\n", "lane 10, pixel 18,19\n", "\n* lane 10 ",
                 "pixel 18,19              active\n", "  lane 11 ", "pixel 19,19              active, helper\n");
}

static void stepi_goes_by_instructions_and_back(void **state) {
    (void)state;
    EXPECT_DEBUG(
        "nvc0-quad.nvcap.xz",
        "break program vertex\nrun\nstepi\nsi 2\np $r2\np/f $r2\np $p0\np $pc\nrsi\np/f $r3\nreverse-stepi 2\n",
        "after 1 instruction;", "=> 0x07fc98 MUFU.COS R2, R0;", "after 3 instructions;", "=> 0x07fca8 ALD.64 R0",
        "0x3f800000 = 1065353216\n", "$r2 = 1\n", "0x0 = 0\n", "0x7fca8 = 523432\n", "after 2 instructions;",
        "$r3 = 0\n", "after 0 instructions;");
    expect_wrong_on_quad("break program vertex\nrun\nstepi 13\nstepi\n", "the warp ends before that; continue goes on");
    expect_wrong_on_quad("break program vertex\nrun\nstepi 3\nrsi 4\n",
                         "the warp has executed 3 instructions before this one");
    expect_wrong_on_quad("break program vertex\nrun\nstepi 0\n", "usage: stepi [N]");
}

/* What the instructions before it do is seen where a breakpoint stops, too. */
static void a_break_at_an_address_is_where_stepi_comes_to(void **state) {
    static const char *const same = "R0   0x3f800000 1               R1   0x3f800000 1  ";
    (void)state;
    EXPECT_DEBUG("nvc0-quad.nvcap.xz", "break program fragment *0x7fba0 x=18 y=19\nrun\ninfo registers\n",
                 "after 2 instructions; lane 10", same);
    EXPECT_DEBUG("nvc0-quad.nvcap.xz", "break program fragment x=18 y=19\nrun\nstepi 2\ninfo registers\n",
                 "after 2 instructions; lane 10", same);
    EXPECT_DEBUG("nvc0-quad.nvcap.xz", "break program pc=0x7fba0 lane=4 channel=0\nrun\n", "lane 4, pixel 16,18\n");
    EXPECT_DEBUG("nvc0-quad.nvcap.xz", "break program program=0x10029fb40\nrun\n",
                 "in the fragment program at 0x10029fb40");
}

static void instructions_and_spaces_are_shown(void **state) {
    (void)state;
    EXPECT_DEBUG("nvc0-quad.nvcap.xz",
                 "break program vertex\nrun\nstepi 3\ndisassemble\ndisassemble $pc+8 1\nx/2i $pc\nx/4fw input:0x80\n"
                 "lane 1\nx/2fw input:0x80\nx/2xw const0:0\nx/xw output:0x70\ninfo stack\nbt\n",
                 "\n   0x07fc90 RRO.SINCOS R0, c[0x0][0x0]\n",
                 "\n=> 0x07fca8 ALD.64 R0, a[0x80], RZ {+0x200000000000000}\n", "   0x07fcb0 FMUL", "\n=> 0x07fca8 ",
                 "\n   0x07fcb0 ", "input:0x80: -0.5 -0.5 0 1\n", "lane 1, vertex 1,0\n", "input:0x80: 0.5 -0.5\n",
                 "const0:0x0: 0x00000000 0x00000000\n", "output:0x70: 0x",
                 "lane 1 is at 0x07fca8 ALD.64 R0, a[0x80], RZ {+0x200000000000000}\nits stack is empty\n",
                 "its stack is empty\n");
    expect_wrong_on_quad("break program vertex\nrun\nx const:0\n", "'const:0' is not a place: const1:ADDRESS");
    expect_wrong_on_quad("break program vertex\nrun\nx/2xw input:0x3fc\n", "8 bytes at input:0x3fc: not all of them");
    expect_wrong_on_quad("break program vertex\nrun\nx shared:0\n", "4 bytes at shared:0: not all of them are there");
    expect_wrong_on_quad("break program vertex\nrun\np $r300\n", "there is no register r300");
    expect_wrong_on_quad("break program vertex\nrun\nlane 32\n", "a warp has lanes 0 to 31");
    expect_wrong_on_quad("break program vertex\nrun\ninfo lanes rx\n", "'rx' is not a register of the program");
}

static void what_is_inside_is_not_there_outside(void **state) {
    static const char *const lines[] = {"info lanes\n", "info program\n", "info stack\n", "lane 3\n"};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        expect_wrong(lines[i], "it is not inside a shader program: break program stops in one");
    expect_wrong("step\nprint $r0\n", "there is no $r0: $pc and $header");
    EXPECT_DEBUG("nvc0-quad.nvcap.xz", "break program vertex\nrun\nnext draw\ninfo registers\nbt\nstepi 2\nrsi\n",
                 "after 1534 methods, 324 packets, 1 draw", "PFIFO.", "after 1534 methods", "after 1536 methods",
                 "after 1535 methods");
}

static void places_of_a_break_are_checked(void **state) {
    (void)state;
    expect_wrong("break program\n", "usage: break program STAGE [*PC] [KEY=NUMBER]...");
    expect_wrong("break program pixel\n", "'pixel' is no stage: vertex_a, vertex, ");
    expect_wrong("break program vertex z=1\n", "'z=1' is not known: pc, program, ");
    expect_wrong("break program vertex x=\n", "'' is not a number");
    expect_wrong("break program compute thread=1,,2\n", "'1,,2' is not a thread: X,Y,Z");
    expect_wrong("break program compute thread=1,2,3,4,5,6,7\n", "is not a thread");
}

/* The machine stands before the unit, and what was looked at makes no difference. */
static void the_machine_does_the_same_after_it_was_looked_into(void **state) {
    (void)state;
    expect_same_place("nvc0-quad.nvcap.xz", "until draw:0",
                      "run\nbreak program fragment x=18 y=19\nrun\nstepi 2\ninfo lanes\ncontinue\nrun\ndelete",
                      "until draw:0");
    expect_same_place("nv117-kmscube-8frames.nvcap.xz", "until draw:3",
                      "tbreak program fragment\nrun\nstepi 2\nrsi\nnext draw\ndelete", "until draw:3");
    expect_same_place("nve4-quad.nvcap.xz", "break program fragment\nrun", "stepi 2\nstepi\ninfo registers\ninfo stack",
                      "where");
}

static void reverse_continue_goes_into_a_program(void **state) {
    (void)state;
    EXPECT_DEBUG("nvc0-quad.nvcap.xz",
                 "break program fragment x=18 y=19\nrun\nc 5\nrc\nexpect stop breakpoint\np $pc\n",
                 "The capture is at its end", "lane 10, pixel 18,19", "0x7fb90 = ");
    EXPECT_DEBUG("nv12b-kmscube-8frames.nvcap.xz",
                 "tbreak program vertex\nuntil draw:12\ninfo breakpoints\nuntil draw:12\n",
                 "Temporary breakpoint 1: program vertex\n", "There are no breakpoints.", "13 draws");
}

static void json_has_the_program(void **state) {
    char *path = sample_path("nvc0-quad.nvcap.xz");
    struct outcome outcome =
        tool_run("debug", "--json", "-e", "break program vertex", "-e", "run", "-e", "stepi", "-e", "finish", path);

    (void)state;
    expect_status(0, &outcome);
    expect_in_order(&outcome, (const char *const[]){"\"stop\": {\"reasons\": [\"breakpoint\"], \"breakpoints\": [1], ",
                                                    "\"program\": {\"stage\": \"vertex\", \"address\": 4297718848, ",
                                                    "\"pc\": 523408, \"instruction\": \"RRO.SINCOS R0, c[0x0][0x0]\", ",
                                                    "\"executed\": 0, \"lane\": 0, \"active\": 15, \"alive\": 15}}\n",
                                                    "\"command\": \"stepi\"", "\"executed\": 1, ",
                                                    "\"command\": \"finish\"", NULL});
    assert_null(strstr(strstr(outcome.out, "\"command\": \"finish\""), "\"program\""));
    outcome_free(&outcome);
    free(path);
}

/* Sums of a buffer, by Mesa: 6 launches of 256 threads on three instruction sets. */
static void a_launch_is_a_program_of_threads(void **state) {
    static const char *const chips[] = {"gf100", "gk104", "gm107"};
    char name[100];
    (void)state;
    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++) {
        snprintf(name, sizeof name, "../../tests/tool/captures/launch-%s.nvcap.zst", chips[i]);
        EXPECT_DEBUG(name,
                     "break program compute thread=37,0,0\nrun\ninfo lanes\nstepi 12\ninfo stack\nreverse-stepi 12\n"
                     "c 100\ninfo breakpoints\n",
                     "in the compute program at 0x",
                     ": warp 1 of this unit, after 0 instructions; lane 5, thread 37,0,0 of block 0,0,0\n",
                     "* lane 5  ", "thread 37,0,0 of block 0,0,0 active\n", "after 12 instructions;", "#0  sync ",
                     "after 0 instructions;", "The capture is at its end", "hit 6 times\n");
    }
}

static void launches_are_a_unit_to_go_on_and_back_by(void **state) {
    (void)state;
    EXPECT_DEBUG(
        LAUNCHES,
        "next launch\nexpect stop goal\nn l 2\nuntil launch:4\nback launch\nback 2 launch\nreverse-next launch "
        "2\nfinish\nrun\n",
        " 1 launch\n", " 3 launches\n", " 5 launches\n", " 4 launches\n", " 2 launches\n", "draws\n",
        "The capture is at its end: ", " draws, 6 launches, ");
    expect_same_place(LAUNCHES, "until launch:2", "next launch 3", "back launch 3");
    expect_wrong("next\nback launch 2\n", "cannot go back 2 launches: there is none before this place");
    expect_wrong("until launch:1\n", "the capture ended before launch 1: it has 0 launches");
}

static void a_shell_goes_on_by_launches(void **state) {
    char *path = sample_path(LAUNCHES), *saved = temporary_path("launch"), lines[1024];

    (void)state;
    snprintf(lines, sizeof lines, "tbreak SEND_SIGNALING_PCAS_B\nrun\nsave %s\n", saved);
    struct outcome outcome = debug_file(path, lines);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    snprintf(lines, sizeof lines, "load %s\ntrace engine.launch*\nnext launch\nexpect stop goal\n", saved);
    outcome = tool_run_with(lines, (const char *const[]){"shell", "--chip=GM107", NULL});
    expect_status(0, &outcome);
    expect_in_order(&outcome, (const char *const[]){" engine.launch ", " engine.launched ", "stopped after ", NULL});
    outcome_free(&outcome);
    unlink(saved);
    free(path);
    free(saved);
}

/* A patch with 9 invocations, and triangles with 5 vertices each. */
static void stages_of_tessellation_and_geometry_are_stopped_in(void **state) {
    (void)state;
    EXPECT_DEBUG(
        "../../tests/tool/captures/tessellation-gm107.nvcap.zst",
        "break program control\nbreak program evaluation\nbreak program geometry\nrun\ninfo lanes\nstepi 20\nc\n"
        "stepi 40\ninfo stack\nx/4fw output:0x70\nc 1000\ninfo breakpoints\n",
        "in the control program at 0x7fffddf2b0: warp 1 of this unit, ", "lane 0, invocation 0,0\n", "; 9 of 9 lanes\n",
        "* lane 0  0x07f308  invocation 0,0           active\n", "after 20 instructions;",
        "in the evaluation program at 0x7fffdde8b0: warp 2 of this unit", "lane 0, point 0,0\n",
        "after 40 instructions;", "\n#0  sync     0x07ee38 ", "output:0x70: 0 0 0 1\n", "program control, hit 1 time\n",
        "program evaluation, hit 30 times\n", "program geometry, hit 0 times\n");
    EXPECT_DEBUG("../../tests/tool/captures/geometry-gm107.nvcap.zst",
                 "break program geometry\nrun\nstepi 20\nx/4fw output:0x70\nc 9\ninfo breakpoints\n",
                 "lane 0, primitive 0,0\n", "; 2 of 2 lanes\n", "output:0x70: -1 -1 0 1\n", "hit 1 time\n");
}

static void points_and_primitives_have_numbers_and_vertices(void **state) {
    (void)state;
    EXPECT_DEBUG("../../tests/tool/captures/tessellation-gm107.nvcap.zst",
                 "break program evaluation point=5 patch=0\nbreak program evaluation patch=1\nbreak program control "
                 "invocation=8 patch=0\nrun\nc\nx/6fw patch:0\nx/xw input8:0\ninfo lanes\nc 100\ninfo breakpoints\n",
                 "lane 8, invocation 8,0\n", "lane 10, point 5,0\n", "patch:0x0: 21 21 21 21\npatch:0x10: 21 21\n",
                 "input8:0x0: 0x", "  lane 2 ", "point 84,0 ", "patch=1, hit 0 times\n");
    EXPECT_DEBUG("../../tests/tool/captures/geometry-gm107.nvcap.zst",
                 "break program geometry primitive=1 instance=0\nrun\nx/4fw input:0x70\nx/4fw input2:0x70\nlane 0\n"
                 "x/4fw input2:0x70\n",
                 "lane 1, primitive 1,0\n", "input:0x70: -1 -1 0 1\ninput2:0x70: -1 1 0 1\n", "lane 0, primitive 0,0\n",
                 "input2:0x70: 1 1 0 1\n");
    expect_wrong_on_quad("break program vertex\nrun\nx input1:0\n", "4 bytes at input1:0: not all of them are there");
    expect_wrong_on_quad("break program vertex\nrun\nx patch:0\n", "4 bytes at patch:0: not all of them are there");
}

static void banks_and_predicates_are_those_of_the_lane(void **state) {
    (void)state;
    EXPECT_DEBUG("../../tests/tool/captures/launch-gm107.nvcap.zst",
                 "break program compute\nrun\nstepi 10\nx/4xw const7:0x2a0\nx/xw const0:0x2a0\np $p0\np $p1\n",
                 "const7:0x2a0: 0xffdf3000 0x0000007f 0x00000400 0x00000000\n", "const0:0x2a0: 0x00000000\n",
                 "0x1 = 1\n", "0x0 = 0\n");
}

static void a_thread_of_a_block_may_be_named(void **state) {
    (void)state;
    EXPECT_DEBUG("../../tests/tool/captures/launch-gm107.nvcap.zst",
                 "break program compute thread=3,0,0,0,0,0\nbreak program compute thread=3,0,0,1\nrun\nc 100\ninfo "
                 "breakpoints\n",
                 "lane 3, thread 3,0,0 of block 0,0,0", "0,0,0,0,0, hit 6 times\n", "3,0,0,1, hit 0 times\n");
}

/* A state that debug has saved before the draw. */
static void a_shell_looks_into_programs_too(void **state) {
    char *path = sample_path("nvc0-quad.nvcap.xz"), *saved = temporary_path("program"), lines[1024];

    (void)state;
    snprintf(lines, sizeof lines, "break DRAW_VERTEX_ARRAY\nrun\nsave %s\n", saved);
    struct outcome outcome = debug_file(path, lines);
    expect_status(0, &outcome);
    outcome_free(&outcome);
    snprintf(
        lines, sizeof lines,
        "load %s\nbreak program vertex\nbreak program fragment x=18 y=19\nrun\nexpect stop breakpoint\nstepi 2\np $pc\n"
        "disassemble\nstop\ncontinue\ninfo lanes r0\nrsi\nstepi\nbt\nsys 0 1\nrun\ninfo breakpoints\n",
        saved);
    outcome = tool_run_with(lines, (const char *const[]){"shell", "--chip=GF100", "--keep-going", NULL});
    expect_in_order(&outcome, (const char *const[]){
                                  "Breakpoint 1: program vertex\nin the vertex program at ", "stopped after ",
                                  "units: breakpoint\n", "after 2 instructions;", "0x7fca0 = ", "\n=> 0x07fca0 ",
                                  "Breakpoint 1: program vertex\nin the vertex program",
                                  "Breakpoint 2: ", "in the fragment program at", "stopped after 0 units: breakpoint\n",
                                  "* lane 10 0x07fb90  R0 0x00000000  pixel 18,19", "after 1 instruction;",
                                  "lane 10 is at 0x07fb98 ", "Breakpoint 1: ", "hit 2 times", "hit 1 time", NULL});
    assert_non_null(strstr(outcome.err, "the warp has executed 0 instructions before this one"));
    outcome_free(&outcome);
    unlink(saved);
    free(path);
    free(saved);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_break_stops_at_the_first_instruction_of_a_program),
        cmocka_unit_test(each_warp_is_a_hit),
        cmocka_unit_test(a_pixel_is_one_of_the_lanes),
        cmocka_unit_test(stepi_goes_by_instructions_and_back),
        cmocka_unit_test(a_break_at_an_address_is_where_stepi_comes_to),
        cmocka_unit_test(instructions_and_spaces_are_shown),
        cmocka_unit_test(what_is_inside_is_not_there_outside),
        cmocka_unit_test(places_of_a_break_are_checked),
        cmocka_unit_test(the_machine_does_the_same_after_it_was_looked_into),
        cmocka_unit_test(reverse_continue_goes_into_a_program),
        cmocka_unit_test(json_has_the_program),
        cmocka_unit_test(a_launch_is_a_program_of_threads),
        cmocka_unit_test(launches_are_a_unit_to_go_on_and_back_by),
        cmocka_unit_test(points_and_primitives_have_numbers_and_vertices),
        cmocka_unit_test(a_shell_goes_on_by_launches),
        cmocka_unit_test(banks_and_predicates_are_those_of_the_lane),
        cmocka_unit_test(a_thread_of_a_block_may_be_named),
        cmocka_unit_test(stages_of_tessellation_and_geometry_are_stopped_in),
        cmocka_unit_test(a_shell_looks_into_programs_too),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
