/* SPDX-License-Identifier: MIT */
/* Asked about xemu, nxdk, Cxbx, RPCS3, Bochs, yuzu: what their logs, assertions and dumps mean. */
#include "questions/question.h"

/* A stream with a subroutine: the words of two places. */
#define WITH_SUBROUTINE                                                                                                \
    "0x00100000: 00100102 00040050 00000003 00000000\n"                                                                \
    "0x00100100: 00040050 00000002 00020000 00000000\n"
/* Words of a subroutine that calls another one. */
#define CALL_IN_SUBROUTINE                                                                                             \
    "0x00100000: 00040050 00000001 00100102 00040050 00000002\n"                                                       \
    "0x00100100: 00100202 00020000\n"                                                                                  \
    "0x00100200: 00020000\n"
/* A copy of 16 bytes over words that are still queued. */
#define COPY_OVER_QUEUE                                                                                                \
    "bind 2 NV3_M2MF\n"                                                                                                \
    "    inc 2 OBJECT 0xbeef0039\n"                                                                                    \
    "    inc 2 DMA_NOTIFY 0xbeef0201 0xbeef0202 0xbeef0202\n"                                                          \
    "    inc 2 OFFSET_IN @src @victim 16 16 16 1 0x101 0\n"                                                            \
    "victim:\n"                                                                                                        \
    "    word 00044050 11111111\n"                                                                                     \
    "    word 00044050 22222222\n"                                                                                     \
    "buffer src 4096\n"                                                                                                \
    "    word deadbee3 deadbee3 deadbee3 deadbee3\n"                                                                   \
    "endbuffer\n"

static const struct question questions[] = {
    /* ---- xemu ---- */
    {.asked = "what_is_the_unhandled_method_0294_of_xemu_with_data_20001",
     .command = {"explain", "nv2a_pgraph_method_unhandled (0): 0x97 -> 0x0294 (0x20001)"},
     .answer = {"NV20_3D.LIGHT_MODEL", "SET_LIGHT_CONTROL", "SEPARATE_SPECULAR=0x1 VIEWER=NONLOCAL"}},
    {.asked = "which_part_of_the_surface_does_a_line_of_xemu_set",
     .command = {"explain", "nv2a_pgraph_method 0: 0x97 -> 0x0200 NV097_SET_SURFACE_CLIP_HORIZONTAL[0] 0x2800000"},
     .answer = {"method NV20_3D.RT_HORIZ\n", "  says       X=0 W=640\n"}},
    {.asked = "is_1710_of_class_97_vtxbuf_validate",
     .command = {"explain", "--chip=NV2A", "97.0x1710"},
     .answer = {"method NV20_3D.VTXBUF_VALIDATE\n  alias      BREAK_VERTEX_BUFFER_CACHE\n"}},
    {.asked = "which_methods_are_in_a_log_of_xemu_without_names",
     .command = {"decode", "--names=nxdk", "@"},
     .input = "nv2a_pgraph_method_unhandled 0: 0x97 -> 0x037c 0x1d01\n"
              "nv2a_pgraph_method_unhandled 0: 0x97 -> 0x0380 0x8\n",
     .answer = {" 037c NV097_SET_SHADE_MODEL                00001d01  SMOOTH\n", " 0380 NV097_SET_LINE_WIDTH "}},
    {.asked = "which_names_has_a_log_of_xemu_lost",
     .command = {"decode", "--names=nxdk", "@"},
     .input = "nv2a_pgraph_method 0: 0x97 -> 0x1d80 ?[0] 0x1\nnv2a_pgraph_method 0: 0x97 -> 0x1d84 ?[0] 0x3\n",
     .answer = {" 1d80 NV097_SET_COMPRESS_ZBUFFER_EN ", " 1d84 NV097_SET_OCCLUDE_ZSTENCIL_EN "}},
    {.asked = "what_is_the_reserved_command_ff000000_of_xemus_pusher",
     .command = {"explain", "pfifo.c:424 assertion - \"pb reserved cmd 0x3edfb38 - 0xff000000\""},
     .answer = {"word 0xff000000 in a pushbuffer of NV2A\n  form       none\n", "no command has this form"}},
    {.asked = "does_a_blit_overwrite_the_pushbuffer_before_it_is_executed",
     .command = {"lint", "@"},
     .input = COPY_OVER_QUEUE,
     .assembled = {"--chip=NV2A", "--object=0xbeef0039=0039"},
     .status = 1,
     .answer = {"error: words-overwritten\n", "overwrites the word 0x00044050 at 0x10003c", "with 0xdeadbee3",
                "0x0039 NV3_M2MF, 0x0328 BUF_NOTIFY"}},
    {.asked = "what_does_ctx_switch1_of_pgraph_have",
     .command = {"explain", "--chip=NV2A", "NV_PGRAPH_CTX_SWITCH1=0x97", "PGRAPH.CTX_SWITCH1=0x97"},
     .answer = {"register PGRAPH.CTX_SWITCH1\n", "  value      0x00000097\n"},
     .never = "error PGRAPH"},
    /* ---- nxdk, Cxbx ---- */
    {.asked = "which_method_is_NV097_DRAW_ARRAYS",
     .command = {"explain", "NV097_DRAW_ARRAYS"},
     .answer = {"method NV20_3D.VTXBUF_BATCH\n  alias      DRAW_ARRAYS\n  offset     0x1810\n"}},
    {.asked = "does_a_semaphore_release_1d70_write_memory",
     .command = {"run", "--chip=NV2A", "--names=nxdk", "@"},
     .input = "00040000 beef0097 00041d6c 00000010 00041d70 12345678\n",
     .status = 1,
     .answer = {"PGRAPH DMA_W_PROTECTION", "0x0097 NV20_3D, 0x1d70 NV097_BACK_END_WRITE_SEMAPHORE_RELEASE"}},
    {.asked = "why_does_each_method_of_a_dump_from_the_middle_fail",
     .command = {"run", "--chip=NV2A", "--bind=0=97", "--names=nxdk", "@"},
     .input = "0004037c 00001d01 00040380 00000008\n",
     .answer = {"3 methods", "faults        0\n"},
     .never = "CACHE_ERROR"},
    {.asked = "is_there_a_conditional_command_on_nv2a",
     .command = {"explain", "--chip=NV2A", "0x00010000", "0x00020001"},
     .answer = {"word 0x00010000 in a pushbuffer of NV2A\n  form       none\n"}},
    {.asked = "which_state_was_invalid_when_pbkit_stopped",
     .command = {"explain", "--chip=NV2A", "PGRAPH.NSOURCE=0x1000"},
     .answer = {"STATE_INVALID"}},
    /* ---- RPCS3 ---- */
    {.asked = "what_is_the_invalid_rsx_method_2c8",
     .command = {"explain", "Invalid RSX method 0x2c8 (arg=0x4ff0000)"},
     .answer = {"NV40_3D.VIEWPORT_CLIP_HORIZ(1)", "SET_WINDOW_CLIP_HORIZONTAL(1)", "L=0 R=1279"}},
    {.asked = "why_is_rsx_method_540_invalid",
     .command = {"explain",
                 "E RSX: Invalid RSX method 0x540 (arg=0xc9001c9d, start=0x540, count=0x420, non-inc=false)"},
     .answer = {"class 0x4097 NV40_3D has no method 0x0540"}},
    {.asked = "what_is_a_call_inside_a_subroutine_with_last_command_2",
     .command = {"explain", "E RSX: FIFO: CALL found inside a subroutine (last cmd = 0x2)"},
     .answer = {"error DMA_PUSHER CALL_SUBR_ACTIVE\n", "word 0x00000002 in a pushbuffer of RSX\n  form       call"}},
    {.asked = "what_is_a_ret_without_a_call",
     .command = {"explain", "E RSX: FIFO: RET found without corresponding CALL (last cmd = 0x20000) x21"},
     .answer = {"error DMA_PUSHER RET_SUBR_INACTIVE\n", "word 0x00020000 in a pushbuffer of RSX\n  form       return"},
     .never = "target"},
    {.asked = "what_word_made_the_fifo_desynchronize",
     .command = {"explain", "E RSX: FIFO error: possible desync event (last cmd = 0x401f9c6c)"},
     .answer = {"error DMA_PUSHER INVALID_CMD\n", "word 0x401f9c6c in a pushbuffer of RSX\n  form       none\n"}},
    {.asked = "is_a_stream_with_a_call_run",
     .command = {"run", "--chip=RSX", "@"},
     .input = WITH_SUBROUTINE,
     .answer = {"run as the channel's own pushbuffer, because of the call at 0x100000 to 0x100100", "2 methods",
                "  faults        0\n"}},
    {.asked = "which_word_calls_inside_a_subroutine",
     .command = {"run", "--chip=RSX", "@"},
     .input = CALL_IN_SUBROUTINE,
     .status = 1,
     .answer = {"DMA_PUSHER CALL_SUBR_ACTIVE", "word 0x00100202 at 0x100100, outside of what was submitted"},
     .never = "not recorded"},
    {.asked = "what_does_NV4097_SET_SURFACE_FORMAT_take",
     .command = {"explain", "NV4097_SET_SURFACE_FORMAT=0x148"},
     .answer = {"method NV40_3D.RT_FORMAT\n", "COLOR=A8R8G8B8 ZETA=Z24S8 TYPE=LINEAR"}},
    {.asked = "what_are_the_methods_of_zcull_and_render_enable",
     .command = {"explain", "NV4097_SET_RENDER_ENABLE", "NV4097_SET_ZCULL_EN", "NV4097_ZCULL_SYNC"},
     .answer = {"  offset     0x1e98\n", "  offset     0x1d84\n", "  offset     0x0a1c\n"}},
    /* ---- Bochs ---- */
    {.asked = "what_is_dma_state_80004861_of_the_geforce_model",
     .command = {"explain", "--chip=NV40", "NV_PFIFO_CACHE1_DMA_STATE=0x80004861", "CACHE1_DMA_STATE=0x80004861"},
     .answer = {"register PFIFO.CACHE1_DMA_STATE\n", "NONINC METHOD=0x860 SUBCHANNEL=2 ERROR=4 (INVALID_CMD)\n"},
     .never = "without a name"},
    {.asked = "which_class_has_method_1710_after_a_cache_error",
     .command = {"explain", "--chip=NV40",
                 "nouveau 0000:03:00.0: fifo: CACHE_ERROR - ch 4 [a[1]] subc 7 mthd 1710 data 00000000"},
     .answer = {"nobody has its object", "NV40_3D"}},
    {.asked = "which_color_formats_has_surface_2d_of_nv10",
     .command = {"explain", "--chip=NV35", "NV10_SURFACE_2D.FORMAT"},
     .answer = {"  offset     0x0300\n", "1 Y8, 2 X1R5G5B5_Z1R5G5B5", "4 R5G6B5"}},
    /* ---- yuzu ---- */
    {.asked = "what_is_method_e00_of_maxwell3d",
     .command = {"decode", "--chip=GM20B", "--bind=0=b197", "@"},
     .input = "a0030e00 00000001 00000002 00000003\n",
     .answer = {"increase-once         subc 0 method 3800 count 3\n", " 3800 CALL_MME_MACRO(0) ",
                " 3804 CALL_MME_DATA(0) "}},
    {.asked = "why_does_a_macro_do_nothing",
     .command = {"lint", "--chip=GM20B", "--bind=0=b197", "@"},
     .input = "a0030e00 00000001 00000002 00000003\n",
     .status = 1,
     .answer = {"error: macro-without-code\n    nobody has loaded macro 0: it has no start address\n"}},
    {.asked = "what_is_firmware_call_4",
     .command = {"explain", "--chip=GM20B", "b197.0x2310"},
     .answer = {"method MAXWELL_B.SET_FALCON04\n  alias      FIRMWARE(4)\n"}},
};

int main(void) {
    return questions_put(questions, sizeof questions / sizeof questions[0]);
}
