/* SPDX-License-Identifier: MIT */
/* Asked with a line of the kernel's log: nouveau's in the bug trackers of distributions, NVIDIA's Xid lines, a Tegra's nvgpu. */
#include "questions/question.h"

#define XID   "NVRM: Xid (PCI:0000:01:00): "
#define NVGPU "nvgpu: 57000000.gpu "

static const struct question questions[] = {
    /* ---- nouveau ---- */
    {.asked = "nothing_is_mapped_and_the_fault_is_at_zero",
     .command = {"explain",
                 "nouveau 0000:01:00.0: fifo: read fault at 0000000000 engine 00 [PGRAPH] client 0f [GPC0/PROP] "
                 "reason 02 [PAGE_NOT_PRESENT] on channel 2"},
     .answer = {"writes and reads render targets and depth buffers", "a pointer or an offset that was never set"}},
    {.asked = "who_sets_the_limit_of_va_limit_violation",
     .command = {"explain", "nouveau 0000:01:00.0: fifo: read fault at 0000000000 engine 00 [GR] client 0f [GPC0/PROP] "
                            "reason 03 [VA_LIMIT_VIOLATION] on channel 2"},
     .answer = {"VA_LIMIT_VIOLATION (MMU): the address is beyond the limit of the address space"}},
    {.asked = "what_is_region_violation_from_gpc0_t1_1",
     .command = {"explain", "nouveau 0000:01:00.0: fifo: fault 00 [READ] at 0000000000050000 engine 00 [GR] client 04 "
                            "[GPC0/T1_1] reason 0d [REGION_VIOLATION] on channel 3"},
     .answer = {"reads textures, and memory for shader programs", "REGION_VIOLATION (MMU): "}},
    {.asked = "what_is_sched_error_08_without_a_name",
     .command = {"explain", "nouveau 0000:01:00.0: fifo: SCHED_ERROR 08 []"},
     .answer = {"RL_RDAT_TIMEOUT (SCHED_ERROR): memory did not return the entries of a runlist"}},
    {.asked = "what_is_rt_linear_mismatch_of_trap_prop",
     .command = {"explain",
                 "nouveau 0000:01:00.0: gr: TRAP_PROP - TP 0 - 00001000 [RT_LINEAR_MISMATCH] - Address 0000000000"},
     .answer = {"RT_LINEAR_MISMATCH (bit 12): a render target is tiled"},
     .never = "(bit 12): a render target is tiled and its pages have the linear storage type, or the other way round\n"
              "             RT_LINEAR_MISMATCH"},
    {.asked = "which_storage_type_has_the_target_of_a_prop_trap",
     .command = {"explain", "nouveau 0000:01:00.0: gr: GPC0/PROP trap: 00000400 [RT_LINEAR_MISMATCH] x = 128, y = 0, "
                            "format = 7, storage type = 0"},
     .answer = {"RT_LINEAR_MISMATCH (bit 10)", "kind       0x00: pitch"}},
    {.asked = "which_register_did_not_answer_the_mmio_read",
     .command = {"explain", "nouveau 0000:01:00.0: bus: MMIO read of 00000000 FAULT at 0184f4 [ PRIVRING ]"},
     .answer = {"register   0x0184f4", "the register ring answered with an error"}},
    {.asked = "what_is_data_error_9c_which_has_no_name",
     .command = {"explain",
                 "nouveau 0000:03:00.0: gr: DATA_ERROR 0000009c [] ch 3 [a[1]] subc 3 class 902d mthd 0d78 data "
                 "00000001"},
     .answer = {"0x9c: a number without a name"}},
    {.asked = "which_of_the_errors_in_my_dmesg_came_first",
     .command = {"explain", "-"},
     .input =
         "[   88.1] nouveau 0000:01:00.0: fifo: PBDMA0: 00040000 [PBENTRY] ch 2 [007f8c1000 a[1]] subc 3 mthd 0400 "
         "data "
         "12345678\n"
         "[   88.2] usb 1-1: new device\n"
         "[   88.3] nouveau 0000:01:00.0: gr: DATA_ERROR 0000000c [INVALID_BITFIELD] ch 2 [007f8c1000 a[1]] subc 0 "
         "class 9097 mthd 19d0 data 0000fc00\n",
     .answer = {"PBENTRY (bit 18): a pushbuffer word is no valid header", "INVALID_BITFIELD (PGRAPH)",
                "FERMI_A.CLEAR_SURFACE (0x19d0)"}},
    {.asked = "why_does_the_pusher_stop_with_invalid_cmd",
     .command = {"explain",
                 "nouveau 0000:01:00.0: fifo: DMA_PUSHER - ch 2 [Xorg[1234]] get 00200c put 002014 state 80000000 "
                 "(err: INVALID_CMD) push 00406040"},
     .answer = {"INVALID_CMD", "a word that is no command of this chip"}},
    /* ---- NVIDIA's driver ---- */
    {.asked = "what_is_xid_31_at_10_00200000_of_host0",
     .command = {"explain",
                 XID "31, pid=1, name=a, Ch 00000030, intr 00000000. MMU Fault: ENGINE HOST0 HUBCLIENT_ESC faulted "
                     "@ 0x10_00200000. Fault is of type FAULT_PDE ACCESS_TYPE_VIRT_READ"},
     .answer = {"the MMU refused an access", "address    0x1000200000\n",
                "the page directory has no entry for the address"}},
    {.asked = "what_do_the_esr_registers_of_xid_13_have",
     .command = {"explain", XID
                 "13, Graphics Exception: ESR 0x57c730=0xc04000b 0x57c734=0x24 0x57c728=0x1f81fb60 0x57c72c=0x1174"},
     .answer = {"ILLEGAL_INSTR_PARAM (PGRAPH)", "MULTIPLE_WARP_ERRORS (bit 2)", "BPT_PAUSE (bit 5)"}},
    {.asked = "what_is_an_illegal_instruction_parameter",
     .command = {"explain",
                 XID "13, Graphics SM Warp Exception on (GPC 7, TPC 7, SM 0): Illegal Instruction Parameter"},
     .answer = {"an operand or modifier that the instruction does not take"}},
    {.asked = "which_method_is_offset_1614_of_class_b197",
     .command = {"explain", XID "13, Graphics Exception: ChID 0010, Class 0000b197, Offset 00001614, Data 00000000"},
     .answer = {"method     MAXWELL_B.END (0x1614)\n", "pfifo explain --chip=GM200 b197.0x1614"}},
    {.asked = "what_is_intr_00040000_of_xid_32",
     .command = {"explain", XID "32, pid=1, Channel ID 0000001a intr 00040000"},
     .answer = {"PBENTRY (bit 18)"}},
    {.asked = "what_is_error_code_c_of_xid_69",
     .command = {"explain",
                 XID "69, pid=1, Class Error: ChId 0005, Class 0000c7c0, Offset 000002b4, Data 00012345, ErrorCode "
                     "0000000c"},
     .answer = {"INVALID_BITFIELD (PGRAPH)", "AMPERE_COMPUTE_B.SEND_PCAS_A (0x02b4)", "QMD_ADDRESS_SHIFTED8=0x12345"}},
    {.asked = "what_hangs_with_xid_109_ctx_switch_timeout",
     .command = {"explain", XID "109, pid=1, name=a, Ch 00000008, errorString CTX SWITCH TIMEOUT, Info 0x58005"},
     .answer = {"an engine did not switch to another channel in time", "an endless shader program"}},
    /* ---- L4T ---- */
    {.asked = "what_was_fetched_when_pbdma_intr_0_was_40000",
     .command = {"explain",
                 NVGPU "gk20a_fifo_handle_pbdma_intr_0:1 [ERR] pbdma_intr_0(0):0x00040000 PBH: 20018000 SHADOW: "
                       "0000b197 gp shadow0: 00a00000 gp shadow1: 00000001 M0: 80000000"},
     .answer = {"PBENTRY (bit 18)", "increasing: method 0x0000 of subchannel 4, count 1\n", "data       0x0000b197\n",
                "entry      0x100a00000"}},
    {.asked = "what_is_class_error_53_of_volta",
     .command = {"explain",
                 "nvgpu: 17000000.gpu gr_intr_handle_class_error:1 [ERR] class error 0x00000053 on subchannel 0, "
                 "class 0xc397 offset 0x00001234, data 0x00000001"},
     .answer = {"LINE_LENGTH_OVER_PITCH_OUT (PGRAPH)", "VOLTA_A.SET_SAMPLER_BINDING (0x1234)", "VIA_HEADER_BINDING"}},
    {.asked = "why_does_compute_on_subchannel_0_give_fe_exception_2",
     .command = {"explain",
                 "nvgpu: 17000000.gpu gm20b_gr_intr_check_gr_fe_exception:1 [ERR] fe exception: esr 0x80000002, "
                 "info 0x0108c7c0"},
     .answer = {"CLASS_SUBCH_MISMATCH (bit 1)"}},
};

int main(void) {
    return questions_put(questions, sizeof questions / sizeof questions[0]);
}
