/* SPDX-License-Identifier: MIT */
/* What the decoder makes of command streams: control flow, state of channels, bindings, bad words. */
#include "decode/recorder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

static const struct pfifo_decode_options none = {0};
static const struct pfifo_decode_options ib = {.ib = true};

static struct recorder r;

static int stop(void **state) {
    (void)state;
    recorder_stop(&r);
    r.decoder = NULL;
    return 0;
}

static void a_called_segment_ends_at_its_return(void **state) {
    (void)state;
    recorder_start(&r, "NV40", none);
    recorder_segment(&r, 0, 0x1000, PFIFO_DECODE_BY_CALL, "inc 7 0x100 1 2\nreturn\nword 0\n");
    recorder_expect(&r, 0,
                    "segment 1000 count 5\n"
                    "1000 increasing 7 100 count 2\n"
                    "1004 method 7 100 data 1\n"
                    "1008 method 7 104 data 2\n"
                    "100c return to 0\n"
                    "1010 skipped 1\n");
}

static void in_dma_mode_a_command_does_not_go_on_in_the_next_segment(void **state) {
    (void)state;
    recorder_start(&r, "NV40", none);
    recorder_segment(&r, 0, 0x1000, PFIFO_DECODE_BY_CALL, "inc 0 0x100 count=2 1\n");
    recorder_segment(&r, 0, 0x2000, PFIFO_DECODE_BY_CALL, "inc 0 0x200 3\nreturn");
    recorder_expect(&r, 0,
                    "segment 1000 count 2\n"
                    "1000 increasing 0 100 count 2\n"
                    "1004 method 0 100 data 1\n"
                    "1008 error the segment ends inside a command\n"
                    "segment 2000 count 3\n"
                    "2000 increasing 0 200 count 1\n"
                    "2004 method 0 200 data 3\n"
                    "2008 return to 0\n");
}

static void with_an_ib_a_command_goes_on_in_the_next_segment_of_its_channel(void **state) {
    (void)state;
    recorder_start(&r, "GF100", ib);
    recorder_segment(&r, 1, 0x1000, PFIFO_DECODE_BY_IB, "inc 0 0x100 count=3 1\n");
    recorder_segment(&r, 2, 0x2000, PFIFO_DECODE_BY_IB, "noninc 1 0x200 9\n");
    recorder_segment(&r, 1, 0x3000, PFIFO_DECODE_BY_IB, "word 20010000 80000000\nimm 0 0x300 5\n");
    recorder_expect(&r, 0,
                    "segment 1000 count 2\n"
                    "1000 increasing 0 100 count 3\n"
                    "1004 method 0 100 data 1\n"
                    "segment 2000 count 2\n"
                    "2000 non-increasing 1 200 count 1\n"
                    "2004 method 1 200 data 9\n"
                    "segment 3000 count 3\n"
                    "3000 method 0 104 data 20010000\n"
                    "3004 method 0 108 data 80000000\n"
                    "3008 method 0 300 data 5\n");
}

static void a_long_header_finds_its_count_and_data_in_later_segments(void **state) {
    (void)state;
    recorder_start(&r, "GT215", ib);
    recorder_segment(&r, 0, 0x1000, PFIFO_DECODE_BY_IB, "word 00032100\n");
    recorder_segment(&r, 0, 0x2000, PFIFO_DECODE_BY_IB, "word ff000002\n"); /* the count is 24 bits */
    recorder_segment(&r, 0, 0x3000, PFIFO_DECODE_BY_IB, "word 1 2\ninc 0 0x100 3");
    recorder_expect(&r, 0,
                    "segment 1000 count 1\n"
                    "1000 long-non-increasing 1 100 count 0\n"
                    "segment 2000 count 1\n"
                    "2000 count 2\n"
                    "segment 3000 count 4\n"
                    "3000 method 1 100 data 1\n"
                    "3004 method 1 100 data 2\n"
                    "3008 increasing 0 100 count 1\n"
                    "300c method 0 100 data 3\n");
}

static void the_count_of_a_long_header_has_24_bits(void **state) {
    (void)state;
    recorder_start(&r, "GT215", ib);
    recorder_segment(&r, 0, 0x1000, PFIFO_DECODE_BY_IB, "word 00032100 ff010002 1\n");
    recorder_expect(&r, 1,
                    "1000 long-non-increasing 1 100 count 0\n"
                    "1004 count 65538\n"
                    "1008 method 1 100 data 1\n");
}

/* The long form came with the IB: without one, the chip has the forms of Curie. */
static void in_dma_mode_tesla_has_no_long_headers(void **state) {
    (void)state;
    recorder_start(&r, "GT215", none);
    recorder_segment(&r, 0, 0x1000, PFIFO_DECODE_BY_CALL, "word 00032100\n");
    recorder_expect(&r, 1, "1000 error no command has this form\n");
}

static void gv100_has_no_old_forms(void **state) {
    (void)state;
    recorder_start(&r, "GV100", (struct pfifo_decode_options){.old_forms = true});
    recorder_segment(&r, 0, 0x1000, PFIFO_DECODE_BY_IB, "word 00042100\n");
    recorder_expect(&r, 1, "1000 error no command has this form\n");
}

static void increase_once_increases_once(void **state) {
    (void)state;
    recorder_start(&r, "GK104", none);
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB, "once 3 0x100 1 2 3\nonce 3 0x200 count=2 4\n");
    recorder_segment(&r, 0, 0x100, PFIFO_DECODE_BY_IB, "word 5\n");
    recorder_expect(&r, 0,
                    "segment 0 count 6\n"
                    "0 increase-once 3 100 count 3\n"
                    "4 method 3 100 data 1\n"
                    "8 method 3 104 data 2\n"
                    "c method 3 104 data 3\n"
                    "10 increase-once 3 200 count 2\n"
                    "14 method 3 200 data 4\n"
                    "segment 100 count 1\n"
                    "100 method 3 204 data 5\n");
}

static void method_numbers_of_nv4_wrap_to_0(void **state) {
    (void)state;
    recorder_start(&r, "NV4", none);
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_GET, "inc 0 0x1ffc 1 2\n");
    recorder_expect(&r, 1, "0 increasing 0 1ffc count 2\n4 method 0 1ffc data 1\n8 method 0 0 data 2\n");
}

static void a_gf100_header_beyond_the_last_method_is_refused(void **state) {
    (void)state;
    recorder_start(&r, "GF100", none);
    recorder_segment(
        &r, 0, 0, PFIFO_DECODE_BY_IB,
        "inc 0 0x3ffc 1\nnoninc 0 0x3ffc 1 2\ninc 0 0x3ffc 0xc0000000 0xc0000001\nimm 0 0x100 1\nimm 0 0x100 2\n"
        "imm 0 0x100 3\nonce 0 0x3ffc 0xc0000000 0xc0000001\nonce 0 0x3ff8 1 2 3\n");
    recorder_expect(&r, 1,
                    "0 increasing 0 3ffc count 1\n"
                    "4 method 0 3ffc data 1\n"
                    "8 non-increasing 0 3ffc count 2\n"
                    "c method 0 3ffc data 1\n"
                    "10 method 0 3ffc data 2\n"
                    "14 error the header runs over the last method\n"
                    "18 skipped 2\n"
                    "20 method 0 100 data 1\n"
                    "24 method 0 100 data 2\n"
                    "28 method 0 100 data 3\n"
                    "2c error the header runs over the last method\n"
                    "30 skipped 2\n"
                    "38 increase-once 0 3ff8 count 3\n"
                    "3c method 0 3ff8 data 1\n"
                    "40 method 0 3ffc data 2\n"
                    "44 method 0 3ffc data 3\n");
}

static void jumps_calls_and_returns_are_followed(void **state) {
    (void)state;
    recorder_start(&r, "NV17", none);
    recorder_segment(&r, 0, 0x1000, PFIFO_DECODE_BY_GET,
                     "jump 0x100c\n"         /* 1000 */
                     "inc 0 0x100 count=0\n" /* 1004: subroutine */
                     "return\n"              /* 1008 */
                     "call 0x1004\n"         /* 100c */
                     "oldjump 0x1018\n"      /* 1010 */
                     "word ffffffff\n"       /* 1014 */
                     "inc 0 0x104 7\n");     /* 1018 */
    recorder_expect(&r, 0,
                    "segment 1000 count 8\n"
                    "1000 jump to 100c\n"
                    "100c call to 1004\n"
                    "1004 increasing 0 100 count 0\n"
                    "1008 return to 1010\n"
                    "1010 old-jump to 1018\n"
                    "1018 increasing 0 104 count 1\n"
                    "101c method 0 104 data 7\n");
}

static void a_loop_of_jumps_stops_and_says_so(void **state) {
    (void)state;
    recorder_start(&r, "NV40", none);
    recorder_segment(&r, 0, 0x1000, PFIFO_DECODE_BY_GET, "nop\njump 0x1000\n");
    recorder_expect(&r, 0,
                    "segment 1000 count 2\n"
                    "1000 increasing 0 0 count 0\n1004 jump to 1000\n"
                    "1000 increasing 0 0 count 0\n1004 jump to 1000\n"
                    "1004 error an endless loop: the jump was taken like this before\n");
}

/* Through the segment and memory outside, with words after that nobody reaches. */
static void a_wide_loop_of_jumps_stops_after_a_few_rounds(void **state) {
    uint8_t memory[4 * RECORDER_WORDS];
    const char *source = "jump 0x1008\nword 0\njump 0x8000\nword 0 0\n";

    (void)state;
    recorder_start(&r, "NV40", none);
    r.memory_bytes = 4 * recorder_assemble(&r, "jump 0x8004\njump 0x1000\n", memory);
    r.memory = memory;
    r.memory_address = 0x8000;
    recorder_segment(&r, 0, 0x1000, PFIFO_DECODE_BY_GET, source);
    assert_true(r.count <= 1 + 3 * 4 + 2);
    assert_string_equal(recorder_line(&r, r.count - 2),
                        "8004 error an endless loop: the jump was taken like this before");
    assert_string_equal(recorder_line(&r, r.count - 1), "100c skipped 2");
}

/* The second round decodes the same words differently: the subchannel has a class. */
static void a_loop_that_changes_state_goes_on_until_it_does_not(void **state) {
    (void)state;
    recorder_start(&r, "NV40", none);
    assert_int_equal(pfifo_decoder_object(r.decoder, 0, 1, 0x4097, NULL, NULL), PFIFO_OK);
    recorder_segment(&r, 0, 0x1000, PFIFO_DECODE_BY_GET, "inc 7 0x100 5\ninc 7 0 1\nsli 1\njump 0x1000\n");
    assert_string_equal(recorder_line(&r, r.count - 1),
                        "1014 error an endless loop: the jump was taken like this before");
    assert_int_equal(r.events[2].bound_class, 0);
    assert_int_equal(r.events[8].method, 0x100);
    assert_int_equal(r.events[8].bound_class, 0x4097);
}

/* Each jump leads to the next one: no state comes twice, and the limit ends it. */
static void jumps_that_lead_on_and_on_end_at_a_limit(void **state) {
    static uint8_t memory[4 * 3000];

    (void)state;
    recorder_start(&r, "NV40", none);
    for (uint32_t i = 0; i < 3000; i++) {
        uint32_t word = (0x8000 + 4 * (i + 1)) | 1;
        memcpy(memory + (size_t)4 * i, (const uint8_t[]){(uint8_t)word, (uint8_t)(word >> 8), 0, 0}, 4);
    }
    r.memory_bytes = sizeof memory;
    r.memory = memory;
    r.memory_address = 0x8000;
    recorder_segment(&r, 0, 0x1000, PFIFO_DECODE_BY_GET, "jump 0x8000\nnop\n");
    assert_string_equal(recorder_line(&r, r.count - 2), "8ffc error too many jumps, taken for an endless loop");
    assert_string_equal(recorder_line(&r, r.count - 1), "1004 skipped 1");
}

static void jumping_to_the_end_is_the_end(void **state) {
    (void)state;
    recorder_start(&r, "NV4", none);
    recorder_segment(&r, 0, 0x1000, PFIFO_DECODE_BY_GET, "oldjump 0x1008\nword ffffffff\n");
    recorder_expect(&r, 0, "segment 1000 count 2\n1000 old-jump to 1008\n");
    /* A called segment has no PUT: there the code goes on after the end. */
    recorder_stop(&r);
    recorder_start(&r, "NV40", none);
    recorder_segment(&r, 0, 0x1000, PFIFO_DECODE_BY_CALL, "oldjump 0x1008\nword ffffffff\n");
    recorder_expect(&r, 0,
                    "segment 1000 count 2\n1000 old-jump to 1008\n"
                    "1000 error the target is not in memory that the decoder has\n1004 skipped 1\n");
}

static void jumps_leave_the_segment_for_memory_that_is_known(void **state) {
    uint8_t memory[4 * RECORDER_WORDS];

    (void)state;
    recorder_start(&r, "NV40", none);
    r.memory_bytes = 4 * recorder_assemble(&r, "inc 0 0x100 5\nreturn\n", memory);
    r.memory = memory;
    r.memory_address = 0x8000;
    recorder_segment(&r, 0, 0x1000, PFIFO_DECODE_BY_GET, "call 0x8000\ninc 0 0x200 6\ncall 0x9000\ninc 0 0x300 7\n");
    recorder_expect(&r, 0,
                    "segment 1000 count 6\n"
                    "1000 call to 8000\n"
                    "8000 increasing 0 100 count 1\n"
                    "8004 method 0 100 data 5\n"
                    "8008 return to 1004\n"
                    "1004 increasing 0 200 count 1\n"
                    "1008 method 0 200 data 6\n"
                    "100c call to 9000\n"
                    "100c error the target is not in memory that the decoder has\n1010 skipped 2\n");
    r.count = 0;
    recorder_segment(&r, 0, 0x1000, PFIFO_DECODE_BY_GET, "jump 0x8000\n");
    recorder_expect(&r, 0,
                    "segment 1000 count 1\n"
                    "1000 jump to 8000\n"
                    "8000 increasing 0 100 count 1\n"
                    "8004 method 0 100 data 5\n"
                    "8008 return to 0\n"
                    "8008 error return without a subroutine\n"
                    "800c error the words run out of memory that the decoder has\n");
}

static void subroutines_do_not_nest(void **state) {
    (void)state;
    recorder_start(&r, "NV40", none);
    recorder_segment(&r, 0, 0x1000, PFIFO_DECODE_BY_CALL, "call 0x100c\ninc 0 0x100 1\nreturn\n");
    recorder_expect(&r, 0,
                    "segment 1000 count 4\n"
                    "1000 call to 100c\n"
                    "1000 error call while a subroutine is active\n"
                    "1004 increasing 0 100 count 1\n"
                    "1008 method 0 100 data 1\n"
                    "100c return to 0\n");
}

static void method_0_binds_the_class_of_the_handle(void **state) {
    (void)state;
    recorder_start(&r, "NV40", none);
    assert_int_equal(pfifo_decoder_object(r.decoder, 3, 0xbeef3097, 0x4097, NULL, NULL), PFIFO_OK);
    recorder_segment(&r, 3, 0, PFIFO_DECODE_BY_CALL, "inc 7 0 0xbeef3097\ninc 7 0x100 1\ninc 7 0x50 1\n");
    recorder_segment(&r, 4, 0, PFIFO_DECODE_BY_CALL, "inc 7 0 0xbeef3097\n");
    assert_int_equal(r.events[2].method, 0);
    assert_int_equal(r.events[2].bound_class, 0x4097);
    assert_int_equal(r.events[2].name_class, 0x406e);
    assert_int_equal(r.events[4].method, 0x100);
    assert_int_equal(r.events[4].name_class, 0x4097);
    assert_int_equal(r.events[6].method, 0x50);
    assert_int_equal(r.events[6].name_class, 0x406e);
    assert_int_equal(r.events[9].channel, 4);
    assert_int_equal(r.events[9].bound_class, 0); /* another channel's handle */
}

static void from_gf100_method_0_has_the_class_itself(void **state) {
    (void)state;
    recorder_start(&r, "GF100", none);
    assert_int_equal(pfifo_decoder_object(r.decoder, 0, 0x1f906e, 0xfffffff9, NULL, NULL), PFIFO_OK);
    assert_int_equal(pfifo_decoder_object(r.decoder, 0, 0x9097, 0x902d, NULL, NULL), PFIFO_OK); /* a handle is none */
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB,
                     "inc 0 0 0x9097\ninc 1 0 0x1f906e\ninc 4 0x100 1\ninc 4 0 0x8090b5\n");
    assert_int_equal(r.events[2].bound_class, 0x9097);
    assert_int_equal(r.events[2].name_class, 0x906f);
    assert_int_equal(r.events[4].bound_class, 0xfffffff9); /* the number of nouveau's software object */
    assert_int_equal(r.events[6].bound_class, 0);
    assert_int_equal(r.events[8].bound_class, 0x90b5); /* the engine is not a part of it */
}

static void subchannels_may_be_bound_before_the_first_word(void **state) {
    (void)state;
    recorder_start(&r, "NV40", (struct pfifo_decode_options){.bound = {[7] = 0x4097}});
    recorder_segment(&r, 3, 0, PFIFO_DECODE_BY_CALL, "inc 7 0x100 1\ninc 6 0x100 1\ninc 7 0 5\ninc 7 0x100 1\n");
    assert_int_equal(r.events[2].bound_class, 0x4097);
    assert_int_equal(r.events[4].bound_class, 0);
    assert_int_equal(r.events[8].bound_class, 0); /* a handle that nobody knows */
    recorder_stop(&r);
    recorder_start(&r, "GM20B", (struct pfifo_decode_options){.bound = {0x9097, [7] = 0x902d}});
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB, "imm 0 0x100 0\nimm 1 0x100 0\nimm 7 0x100 0\n");
    assert_int_equal(r.events[1].bound_class, 0x9097);
    assert_int_equal(r.events[2].bound_class, 0xb1c0);
    assert_int_equal(r.events[3].bound_class, 0x902d);
}

static void from_gk104_subchannels_have_classes_without_a_bind(void **state) {
    static const uint16_t classes[] = {0xb197, 0xb1c0, 0xa140, 0x902d, 0xb0b5, 0, 0, 0};

    (void)state;
    recorder_start(&r, "GM20B", none);
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB,
                     "imm 0 0x100 0\nimm 1 0x100 0\nimm 2 0x100 0\nimm 3 0x100 0\n"
                     "imm 4 0x100 0\nimm 5 0x100 0\nimm 6 0x100 0\nimm 7 0x100 0\n");
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(r.events[1 + i].bound_class, classes[i]);
}

static void a_channel_that_ends_takes_its_state_along(void **state) {
    (void)state;
    recorder_start(&r, "GT215", ib);
    assert_int_equal(pfifo_decoder_object(r.decoder, 0, 1, 0x8597, "thing", NULL), PFIFO_OK);
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB, "inc 0 0 1\ninc 0 0x100 count=2 1\n");
    assert_true(pfifo_decoder_find_object(r.decoder, 0, 1, NULL, NULL));
    r.count = 0;
    assert_int_equal(pfifo_decoder_channel_end(r.decoder, 0, NULL), PFIFO_OK);
    recorder_expect(&r, 0, "0 error the channel ends inside a command\n");
    assert_false(pfifo_decoder_find_object(r.decoder, 0, 1, NULL, NULL));
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB, "inc 0 0x100 1\n");
    assert_string_equal(recorder_line(&r, 2), "0 increasing 0 100 count 1");
    assert_int_equal(r.events[3].bound_class, 0);
}

static void sli_conditionals_keep_methods_from_this_gpu(void **state) {
    (void)state;
    recorder_start(&r, "NV40", (struct pfifo_decode_options){.subdevices = 2});
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_GET,
                     "inc 0 0x100 1\nsli 1\ninc 0 0x100 2\nsli 0xfff\ninc 0 0x100 3\nsli 0\ninc 0 0 4\n");
    recorder_expect(&r, 1,
                    "0 increasing 0 100 count 1\n"
                    "4 method 0 100 data 1\n"
                    "8 sli-conditional 1\n"
                    "c increasing 0 100 count 1\n"
                    "10 method 0 100 data 2 discarded\n"
                    "14 sli-conditional fff\n"
                    "18 increasing 0 100 count 1\n"
                    "1c method 0 100 data 3\n"
                    "20 sli-conditional 0\n"
                    "24 increasing 0 0 count 1\n"
                    "28 method 0 0 data 4 discarded\n");
}

static void a_discarded_method_0_binds_nothing(void **state) {
    (void)state;
    recorder_start(&r, "NV40", none);
    assert_int_equal(pfifo_decoder_object(r.decoder, 0, 1, 0x4097, NULL, NULL), PFIFO_OK);
    assert_int_equal(pfifo_decoder_object(r.decoder, 0, 2, 0x39, NULL, NULL), PFIFO_OK);
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_GET, "inc 0 0 1\nsli 0\ninc 0 0 2\n");
    assert_int_equal(r.count, 6);
    assert_int_equal(r.events[2].bound_class, 0x4097);
    assert_true(r.events[5].discarded);
    assert_int_equal(r.events[5].bound_class, 0x4097);
}

static void subdevice_masks_can_be_stored_and_used_later(void **state) {
    (void)state;
    recorder_start(&r, "GF100", none);
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB,
                     "storemask 2\nimm 0 0x100 1\nusemask\nimm 0 0x100 2\nsetmask 1\nimm 0 0x100 3\nnop\n");
    recorder_expect(&r, 1,
                    "0 store-subdevice-mask 2\n"
                    "4 method 0 100 data 1\n"
                    "8 use-subdevice-mask 2\n"
                    "c method 0 100 data 2 discarded\n"
                    "10 set-subdevice-mask 1\n"
                    "14 method 0 100 data 3\n"
                    "18 nop 0\n");
}

static void the_end_of_a_segment_drops_its_rest_only(void **state) {
    (void)state;
    recorder_start(&r, "GV100", none);
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB, "end\nword c0000000 c0000000\n");
    recorder_segment(&r, 0, 0x100, PFIFO_DECODE_BY_IB, "imm 0 0x100 1\n");
    recorder_expect(&r, 0,
                    "segment 0 count 3\n0 end-segment 0\n4 skipped 2\n"
                    "segment 100 count 1\n100 method 0 100 data 1\n");
}

static void old_forms_of_gf100_are_bad_words_unless_allowed(void **state) {
    static const char *const source = "word 00042100 00000005\nimm 0 0x100 1\nimm 0 0x100 2\nimm 0 0x100 3\n";

    (void)state;
    recorder_start(&r, "GF100", none);
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB, source);
    recorder_expect(&r, 1,
                    "0 error no command has this form\n4 skipped 1\n"
                    "8 method 0 100 data 1\nc method 0 100 data 2\n10 method 0 100 data 3\n");
    recorder_stop(&r);
    recorder_start(&r, "GF100", (struct pfifo_decode_options){.old_forms = true});
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB, source);
    recorder_expect(&r, 1,
                    "0 increasing 1 100 count 1\n4 method 1 100 data 5\n"
                    "8 method 0 100 data 1\nc method 0 100 data 2\n10 method 0 100 data 3\n");
}

static void after_a_bad_word_decoding_goes_on_where_headers_follow_each_other(void **state) {
    (void)state;
    recorder_start(&r, "GK104", none);
    /* 7f800000 reads like a header of 8064 words: too many for what is left. */
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_IB,
                     "imm 0 0x100 1\nword c0000000 7f800000 c1234567\ninc 0 0x200 1 2\nimm 0 0x300 3\n");
    recorder_expect(&r, 1,
                    "0 method 0 100 data 1\n"
                    "4 error no command has this form\n"
                    "8 skipped 2\n"
                    "10 increasing 0 200 count 2\n"
                    "14 method 0 200 data 1\n"
                    "18 method 0 204 data 2\n"
                    "1c method 0 300 data 3\n");
}

static void nothing_but_bad_words_is_reported_once(void **state) {
    (void)state;
    recorder_start(&r, "NV10", none);
    recorder_segment(&r, 0, 0, PFIFO_DECODE_BY_GET, "word ffffffff ffffffff ffffffff\n");
    recorder_expect(&r, 1, "0 error no command has this form\n4 skipped 2\n");
}

static void ib_entries_lead_to_segments(void **state) {
    uint8_t memory[4 * RECORDER_WORDS];

    (void)state;
    recorder_start(&r, "GF100", none);
    r.memory_bytes = 4 * recorder_assemble(&r, "imm 0 0x100 1\nimm 0 0x100 2\n", memory);
    r.memory = memory;
    r.memory_address = 0x1200001000;
    assert_int_equal(pfifo_decoder_ib_entry(r.decoder, 0, 0x10, 0x00001000, 0x12 | 1 << 10, NULL), PFIFO_OK);
    assert_int_equal(pfifo_decoder_ib_entry(r.decoder, 0, 0x18, 0x00001004, 0x12 | 1 << 10 | 1u << 31, NULL), PFIFO_OK);
    assert_int_equal(pfifo_decoder_ib_entry(r.decoder, 0, 0x20, 0, 0, NULL), PFIFO_OK);
    assert_int_equal(pfifo_decoder_ib_entry(r.decoder, 0, 0x28, 0x00001004, 0x12 | 2 << 10, NULL), PFIFO_OK);
    assert_int_equal(pfifo_decoder_ib_entry(r.decoder, 0, 0x30, 0x00001004, 0x13 | 2 << 10, NULL), PFIFO_OK);
    recorder_expect(&r, 0,
                    "entry 10 to 1200001000 count 1\n"
                    "segment 1200001000 count 1\n"
                    "1200001000 method 0 100 data 1\n"
                    "entry 18 to 1200001004 count 1 sync\n"
                    "segment 1200001004 count 1\n"
                    "1200001004 method 0 100 data 2\n"
                    "entry 20 to 0 count 0\n"
                    "entry 28 to 1200001004 count 2\n"
                    "28 error the entry leaves the memory that the decoder has\n"
                    "segment 1200001004 count 1\n"
                    "1200001004 method 0 100 data 2\n"
                    "entry 30 to 1300001004 count 2\n"
                    "30 error the entry leaves the memory that the decoder has\n");
}

static void tesla_entries_can_be_disabled_and_must_not_be_empty(void **state) {
    (void)state;
    recorder_start(&r, "G84", ib);
    assert_int_equal(pfifo_decoder_ib_entry(r.decoder, 0, 0, 0x1000, 0, NULL), PFIFO_OK);
    assert_int_equal(pfifo_decoder_ib_entry(r.decoder, 0, 8, 0x1001, 1 << 10, NULL), PFIFO_OK);
    assert_int_equal(pfifo_decoder_ib_entry(r.decoder, 0, 16, 0x1000, 1u << 31, NULL), PFIFO_OK);
    recorder_expect(&r, 0,
                    "entry 0 to 1000 count 0\n0 error an entry without words\n"
                    "entry 8 to 1000 count 1\n8 skipped 1\n"
                    "entry 10 to 1000 count 2097152 sync\n"
                    "10 error the entry leaves the memory that the decoder has\n");
}

static bool refuse(void *opaque, const struct pfifo_decode_event *event) {
    (void)event;
    ++*(int *)opaque;
    return false;
}

static void a_sink_can_stop_the_decoder(void **state) {
    struct pfifo_decode_options options = {.chip = pfifo_chip_by_name("GF100")};
    struct pfifo_decode_segment segment = {.words = (const uint8_t[400]){0}, .count = 100, .entry = PFIFO_DECODE_BY_IB};
    struct pfifo_error error = {0};
    int calls = 0;

    (void)state;
    r.decoder = pfifo_decoder_new(&options, refuse, NULL, &calls, &error);
    assert_non_null(r.decoder);
    assert_int_equal(pfifo_decoder_segment(r.decoder, &segment, &error), PFIFO_ERROR_IO);
    assert_int_equal(error.status, PFIFO_ERROR_IO);
    assert_int_equal(calls, 1);
}

static void chips_without_pushbuffers_cannot_be_decoded(void **state) {
    struct pfifo_decode_options options = {.chip = pfifo_chip_by_name("NV3")};
    struct pfifo_error error = {0};

    (void)state;
    assert_null(pfifo_decoder_new(&options, refuse, NULL, NULL, &error));
    assert_int_equal(error.status, PFIFO_ERROR_UNSUPPORTED);
    options.chip = NULL;
    assert_null(pfifo_decoder_new(&options, refuse, NULL, NULL, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
}

static void channels_are_limited_but_their_numbers_are_not(void **state) {
    struct pfifo_error error = {0};

    (void)state;
    recorder_start(&r, "GF100", none);
    for (uint32_t i = 0; i < PFIFO_DECODE_MAX_CHANNELS; i++)
        assert_int_equal(pfifo_decoder_object(r.decoder, i * 1048576, 1, 2, NULL, NULL), PFIFO_OK);
    assert_int_equal(pfifo_decoder_object(r.decoder, 5, 1, 2, NULL, &error), PFIFO_ERROR_UNSUPPORTED);
    assert_int_equal(pfifo_decoder_channel_end(r.decoder, 0, NULL), PFIFO_OK);
    assert_int_equal(pfifo_decoder_object(r.decoder, 5, 1, 3, NULL, NULL), PFIFO_OK);
    assert_true(pfifo_decoder_find_object(r.decoder, 5, 1, NULL, NULL));
    assert_false(pfifo_decoder_find_object(r.decoder, 0, 1, NULL, NULL));
    assert_true(pfifo_decoder_find_object(r.decoder, 1048576, 1, NULL, NULL));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_called_segment_ends_at_its_return, stop),
        cmocka_unit_test_teardown(in_dma_mode_a_command_does_not_go_on_in_the_next_segment, stop),
        cmocka_unit_test_teardown(with_an_ib_a_command_goes_on_in_the_next_segment_of_its_channel, stop),
        cmocka_unit_test_teardown(a_long_header_finds_its_count_and_data_in_later_segments, stop),
        cmocka_unit_test_teardown(the_count_of_a_long_header_has_24_bits, stop),
        cmocka_unit_test_teardown(in_dma_mode_tesla_has_no_long_headers, stop),
        cmocka_unit_test_teardown(gv100_has_no_old_forms, stop),
        cmocka_unit_test_teardown(increase_once_increases_once, stop),
        cmocka_unit_test_teardown(method_numbers_of_nv4_wrap_to_0, stop),
        cmocka_unit_test_teardown(a_gf100_header_beyond_the_last_method_is_refused, stop),
        cmocka_unit_test_teardown(jumps_calls_and_returns_are_followed, stop),
        cmocka_unit_test_teardown(a_loop_of_jumps_stops_and_says_so, stop),
        cmocka_unit_test_teardown(a_wide_loop_of_jumps_stops_after_a_few_rounds, stop),
        cmocka_unit_test_teardown(a_loop_that_changes_state_goes_on_until_it_does_not, stop),
        cmocka_unit_test_teardown(jumps_that_lead_on_and_on_end_at_a_limit, stop),
        cmocka_unit_test_teardown(jumping_to_the_end_is_the_end, stop),
        cmocka_unit_test_teardown(jumps_leave_the_segment_for_memory_that_is_known, stop),
        cmocka_unit_test_teardown(subroutines_do_not_nest, stop),
        cmocka_unit_test_teardown(method_0_binds_the_class_of_the_handle, stop),
        cmocka_unit_test_teardown(from_gf100_method_0_has_the_class_itself, stop),
        cmocka_unit_test_teardown(subchannels_may_be_bound_before_the_first_word, stop),
        cmocka_unit_test_teardown(from_gk104_subchannels_have_classes_without_a_bind, stop),
        cmocka_unit_test_teardown(a_channel_that_ends_takes_its_state_along, stop),
        cmocka_unit_test_teardown(sli_conditionals_keep_methods_from_this_gpu, stop),
        cmocka_unit_test_teardown(a_discarded_method_0_binds_nothing, stop),
        cmocka_unit_test_teardown(subdevice_masks_can_be_stored_and_used_later, stop),
        cmocka_unit_test_teardown(the_end_of_a_segment_drops_its_rest_only, stop),
        cmocka_unit_test_teardown(old_forms_of_gf100_are_bad_words_unless_allowed, stop),
        cmocka_unit_test_teardown(after_a_bad_word_decoding_goes_on_where_headers_follow_each_other, stop),
        cmocka_unit_test_teardown(nothing_but_bad_words_is_reported_once, stop),
        cmocka_unit_test_teardown(ib_entries_lead_to_segments, stop),
        cmocka_unit_test_teardown(tesla_entries_can_be_disabled_and_must_not_be_empty, stop),
        cmocka_unit_test_teardown(a_sink_can_stop_the_decoder, stop),
        cmocka_unit_test(chips_without_pushbuffers_cannot_be_decoded),
        cmocka_unit_test_teardown(channels_are_limited_but_their_numbers_are_not, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
