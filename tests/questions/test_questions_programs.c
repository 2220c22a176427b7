/* SPDX-License-Identifier: MIT */
/* Asked about tinygrad, CuAssembler, maxas, Mesa: streams that a program writes itself, and compiled programs. */
#include "questions/question.h"

/* As tinygrad's driver writes it for an Ampere: objects, windows, a semaphore, a launch, a copy. */
#define TINYGRAD                                                                                                       \
    "20012000 0000c6c0 20018000 0000c6b5 200220a8 00007293 00000000 200221ec 0000007f ff000000 20050017 10000000 "     \
    "00000002\n"                                                                                                       \
    "00000005 00000000 01000003 200125a6 00001011 200120ad 02001000 200120b0 00000009 20050017 10000010 00000002 "     \
    "00000006\n"                                                                                                       \
    "00000000 03100001 20010008 00000000 20048100 00000002 20000000 00000002 30000000 20018106 00001000 200180c0 "     \
    "00000182\n"                                                                                                       \
    "20048090 00000002 10000020 00000007 00000004 200180c0 00000014\n"

static const struct question questions[] = {
    /* ---- tinygrad ---- */
    {.asked = "what_does_the_stream_of_an_ampere_do",
     .command = {"decode", "--chip=RTX 3090", "@"},
     .input = TINYGRAD,
     .answer = {"AMPERE_COMPUTE_A          02b4 SEND_PCAS_A ", "QMD_ADDRESS_SHIFTED8=0x2001000",
                "006c SEM_EXECUTE                          01000003  OPERATION=ACQ_CIRC_GEQ",
                "006c SEM_EXECUTE                          03100001  OPERATION=RELEASE"}},
    {.asked = "what_is_wrong_in_a_stream_of_an_ampere",
     .command = {"lint", "--chip=GA102", "@"},
     .input = TINYGRAD,
     .status = 1,
     .answer =
         {"warning: unknown-method\n    class 0xc6b5 AMPERE_DMA_COPY_A has no method 0x024c\n",
          "the machine of the chip is not built, so the words were only decoded: rules that ran: object-not-bound, "
          "unknown-method, unknown-bits"}},
    {.asked = "what_is_the_gpfifo_entry_0000120200010000",
     .command = {"explain", "--chip=GA102", "0x0000120200010000"},
     .answer = {"GPFIFO entry 0x0000120200010000 of GA102: segment of the pushbuffer\n  address    0x0200010000\n  "
                "words      4\n"}},
    {.asked = "where_do_the_entries_of_this_ring_lead",
     .command = {"decode", "--chip=GP104", "@"},
     .input = "0000120200010000 0000130200010008\n",
     .answer = {"groups of 16 digits: entries of a ring", "0000120200010000 -> 0200010000, 4 words\n",
                "0000130200010008 -> 0200010008, 4 words\n"}},
    {.asked = "which_grid_does_this_qmd_launch",
     .command = {"explain", "--chip=GA102", "--as=qmd", "-"},
     .input = "0x0: 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000\n"
              "0x20: 00000000 00000000 00000000 00000000 00000020 00000001 00000001 00000000\n"
              "0x40: 00000000 00000000 00400024 00010001 00000000 00000000 00000000 00000000\n"
              "0x60: 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000\n"
              "0x80: 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000\n"
              "0xa0: 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000\n"
              "0xc0: 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000\n"
              "0xe0: 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000\n",
     .answer = {"QMD of GA102: QMD 2.4 of AMPERE_COMPUTE_B\n", "grid       32x1x1 blocks of 64x1x1 threads\n"}},
    {.asked = "which_qmd_is_in_the_memory_of_a_capture_of_an_ampere",
     .command = {"explain", "@", "qmd:last"},
     .input = "inc 1 SET_OBJECT AMPERE_COMPUTE_A\ninc 1 SEND_PCAS_A 0x100\n",
     .assembled = {"--chip=GA102"},
     .status = 2,
     .answer = {".nvcap: the machine of GA102 is not built: give 0xADDRESS or buffer:HANDLE+OFFSET\n"},
     .never = ".nvcap: /"},
    {.asked = "which_chip_is_my_rtx_4070_super",
     .command = {"decode", "--chip=10de:2783", "@"},
     .input = TINYGRAD,
     .status = 2,
     .answer = {"AD104", "known by name only"}},
    /* ---- CuAssembler, maxas ---- */
    {.asked = "what_is_a_cubin",
     .command = {"decode", "@"},
     .sample = "cubins/vadd.cubin",
     .status = 2,
     .answer = {"a compiled program, not a command stream; pfifo disasm lists its instructions"}},
    {.asked = "what_does_this_cubin_do",
     .command = {"disasm", "@"},
     .sample = "cubins/vadd.cubin",
     .answer = {"ELF64 for sm_52", "Function : vadd\n", "EXIT ;"}},
    {.asked = "which_modifiers_has_this_xmad",
     .command = {"disasm", "--chip=sm_52", "-"},
     .input = "0x001cbc001c2007e6 0x4f107f8000270005 0xe290000093800000 0xf0c8000002170002\n",
     .answer = {"XMAD.MRG R5, R0, c[0x0][0x8].H1, RZ ;", "instructions of GM200", "SSY 0x950 ;", "S2R R2, SR_TID.X ;"},
     .never = "@P0"},
    {.asked = "what_does_this_control_word_say",
     .command = {"disasm", "--chip=GM107", "-"},
     .input = "0x001cbc001c2007e6\n",
     .answer = {"schedule [B------:R-:W-:Y:S06] [B------:R0:W-:Y:S01] [B------:R-:W1:Y:S15]"}},
    {.asked = "which_registers_does_this_atomic_of_doubles_use",
     .command = {"disasm", "--chip=GP106", "-"},
     .input = "0x001cbc001c2007e6 0xed0c00000087071a 0xef98000000070101 0x50387fb441270812\n",
     .answer = {"ATOM.ADD.F64.RN R26, [R7], R8 ;", "MEMBAR.GL.IVALLD ;", "VABSDIFF4.U8.U8.ACC R18, R8, R18, RZ ;"}},
    /* ---- whoever writes streams ---- */
    {.asked = "who_overwrites_the_words_that_run",
     .command = {"run", "@"},
     .input = "    inc 2 SET_OBJECT FERMI_MEMORY_TO_MEMORY_FORMAT_A\n"
              "    inc 2 OFFSET_OUT_UPPER 0 @victim\n"
              "    inc 2 OFFSET_IN_UPPER 0 @src\n"
              "    inc 2 LINE_LENGTH_IN 16 1\n"
              "    inc 2 LAUNCH_DMA { SRC_MEMORY_LAYOUT=PITCH DST_MEMORY_LAYOUT=PITCH }\n"
              "    word 20012100 00000000\n"
              "victim:\n"
              "    word 20010014 11111111\n"
              "    word 20010014 22222222\n"
              "buffer src 4096\n"
              "    word deadbee3 deadbee3 deadbee3 deadbee3\n"
              "endbuffer\n",
     .assembled = {"--chip=GF100"},
     .status = 1,
     .answer = {"word 0xdeadbee3 at 0x10003c, buffer 1 + 0x3c\n",
                "the capture has 0x20010014 there: it was overwritten before it was fetched"}},
    {.asked = "what_is_the_difference_of_3f800000_and_3f800001",
     .command = {"explain", "--chip=GF100", "9097.0xa00=0x3f800000", "9097.0xa00=0x3f800001"},
     .answer = {"  says       1\n", "  says       1.0000001\n"}},
    {.asked = "can_words_with_handles_be_assembled_to_words",
     .command = {"asm", "--chip=NV2A", "--hex", "--object=0xbeef0039=0039", "-"},
     .input = "inc 2 OBJECT 0xbeef0039\ninc 2 OFFSET_IN 0x1000\n",
     .answer = {"00044000\nbeef0039\n0004430c\n00001000\n"}},
};

int main(void) {
    return questions_put(questions, sizeof questions / sizeof questions[0]);
}
