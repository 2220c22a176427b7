/* SPDX-License-Identifier: MIT */
/* What programs do wrong: it is reported, skipped as the kernel driver skips it, and the rest goes on. */
#include "driver/rig.h"

#include <pfifo/engine.h>

static struct rig rig;

#define BAD_WORD 0xc0000000u /* in no generation's grammar */

static struct words new_words(enum pfifo_channel_mode mode) {
    return words_for(&rig, mode);
}

/* A segment that says `data` to the graphics object. */
static void send(struct pfifo_channel *channel, struct pfifo_buffer *push, uint64_t offset, uint32_t data) {
    struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
    words_bind_class(&words, &rig, SUBCHANNEL);
    words_method(&words, SUBCHANNEL, NOP, data);
    words_submit(&words, &rig, channel, push, offset);
}

static void assert_fault(size_t index, const struct pfifo_channel *channel, const char *unit, const char *error) {
    assert_true(index < rig.fault_count);
    assert_string_equal(rig.faults[index].unit, unit);
    assert_string_equal(rig.faults[index].error, error);
    assert_int_equal(rig.faults[index].channel, pfifo_channel_number(channel));
}

/* An IB channel goes on with the segment after it; NV4x drops all that is queued. */
static void a_bad_word_is_reported_and_the_next_segment_runs(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_add(&words, BAD_WORD);
        words_submit(&words, &rig, channel, push, 0);
        if (part->calls)
            rig_wait(&rig);
        send(channel, push, 0x1000, 7);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 1);
        assert_int_equal(pfifo_device_faults(rig.device), 1);
        assert_fault(0, channel, part->fermi ? "PBDMA" : "DMA_PUSHER", part->fermi ? "PBENTRY" : "INVALID_CMD");
        assert_int_equal(rig_count(&rig, NOP), 1);
        assert_true(pfifo_channel_idle(channel));
        rig_close(&rig);
    }
}

/* The word itself on Fermi and later; before, GET, which is after it. The method before has nothing to do with it. */
static void a_bad_word_is_reported_with_its_address_and_without_a_method(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 1);
        uint64_t at = pfifo_buffer_address(push) + 4 * words.count;
        words_add(&words, BAD_WORD);
        words_method(&words, SUBCHANNEL, NOP, 2);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 1);
        assert_int_equal(rig.faults[0].address, part->fermi ? at : at + 4);
        assert_int_equal(rig.faults[0].data, part->fermi ? BAD_WORD : 0);
        assert_false(rig.faults[0].has_method);
        assert_int_equal(rig.faults[0].method, 0);
        rig_close(&rig);
    }
}

/* The same with the bad word first in a long segment: how much of it is skipped is the generation's. */
static void the_rest_of_a_bad_segment_is_skipped_before_fermi(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_add(&words, BAD_WORD);
        words_method(&words, SUBCHANNEL, NOP, 1);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        send(channel, push, 0x1000, 2);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 1);
        assert_int_equal(rig_count(&rig, NOP), part->fermi ? 2 : 1);
        assert_int_equal(rig.methods[rig.method_count - 1].data, 2);
        rig_close(&rig);
    }
}

/* Across 4 GiB: both halves of GET have to move. */
static void the_rest_of_a_segment_across_4_gib_is_skipped(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->fermi || part->calls)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_IB, 0);
        struct pfifo_buffer *high = rig_buffer(&rig, PFIFO_GART, 0x2000, UINT64_C(0x1fffff000));
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = new_words(PFIFO_CHANNEL_IB);
        words_add(&words, BAD_WORD);
        words_method(&words, SUBCHANNEL, NOP, 1);
        words_method(&words, SUBCHANNEL, NOP, 2);
        words_submit(&words, &rig, channel, high, 0xff8);
        send(channel, push, 0, 3);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 1);
        assert_fault(0, channel, "DMA_PUSHER", "INVALID_CMD");
        assert_int_equal(rig_count(&rig, NOP), 1);
        assert_int_equal(rig.methods[rig.method_count - 1].data, 3);
        rig_close(&rig);
    }
}

/* Fetched is not executed: the machine alone does not get past an error. */
static void a_channel_that_waits_for_its_driver_is_not_idle(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        assert_int_equal(pfifo_channel_object(channel, SOFTWARE, part->software, &rig.error), PFIFO_OK);
        words_bind_software(&words, &rig, 6);
        words_submit(&words, &rig, channel, push, 0);
        assert_int_equal(pfifo_gpu_run(pfifo_device_gpu(rig.device), BUDGET), PFIFO_STOP_INTERRUPT);
        assert_false(pfifo_channel_idle(channel));
        rig_wait(&rig);
        assert_true(pfifo_channel_idle(channel));
        rig_close(&rig);
    }
}

static void an_unknown_handle_is_reported_and_skipped(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->fermi)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_method(&words, 3, 0, 0xdeadbeef);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 1);
        words_method(&words, SUBCHANNEL, 0x180, 0xdeadbee0);
        words_method(&words, SUBCHANNEL, NOP, 2);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 2);
        assert_fault(0, channel, "CACHE_ERROR", "HASH_FAILED");
        assert_true(rig.faults[0].has_method);
        assert_int_equal(rig.faults[0].subchannel, 3);
        assert_int_equal(rig.faults[0].method, 0);
        assert_int_equal(rig.faults[0].data, 0xdeadbeef);
        assert_fault(1, channel, "CACHE_ERROR", "HASH_FAILED");
        assert_int_equal(rig.faults[1].method, 0x180);
        assert_int_equal(rig_count(&rig, NOP), 2);
        rig_close(&rig);
    }
}

static void a_method_of_the_host_that_does_not_exist_is_reported(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_method(&words, SUBCHANNEL, 0xf8, 1);
        words_submit(&words, &rig, channel, push, 0);
        rig_wait(&rig);
        send(channel, push, 0x1000, 2);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 1);
        assert_fault(0, channel, part->fermi ? "PBDMA" : "DMA_PUSHER", part->fermi ? "METHOD" : "INVALID_MTHD");
        assert_int_equal(rig_count(&rig, NOP), 1);
        rig_close(&rig);
    }
}

static bool kepler(const struct part *part) { /* and later */
    return part->fermi && strncmp(part->chip, "GF", 2) != 0;
}

/* What the MMU calls an address without a page table, and one without a page: GK104 and later have names of their own. */
static const char *no_table(const struct part *part) {
    return kepler(part) ? "PDE" : "PT_NOT_PRESENT";
}

static const char *no_page(const struct part *part) {
    return kepler(part) ? "PTE" : "PAGE_NOT_PRESENT";
}

/* Tesla goes on; from GF100 on the channel is over, and only that one. */
static void a_segment_that_is_not_mapped_is_reported(void **state) {
    (void)state;
    FOR_EACH_PART {
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                             *other = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        send(other, push, 0, 1);
        assert_int_equal(pfifo_channel_submit(channel, 0x12345000, 64, 0, &rig.error), PFIFO_OK);
        rig_wait(&rig);
        assert_int_equal(rig_count(&rig, NOP), 1);
        if (part->fermi) {
            assert_int_equal(rig.fault_count, 1);
            assert_fault(0, channel, "MMU", no_table(part));
            assert_int_equal(rig.faults[0].address, 0x12345000);
            assert_int_equal(pfifo_channel_submit(channel, pfifo_buffer_address(push), 4, 0, &rig.error),
                             PFIFO_ERROR_FAULT);
        } else {
            bool tesla = !part->calls;
            assert_int_equal(rig.fault_count, tesla ? 2 : 1);
            if (tesla) {
                assert_fault(0, channel, "MMU", "PT_NOT_PRESENT");
                assert_int_equal(rig.faults[0].address, 0x12345000);
            }
            assert_fault(tesla, channel, "DMA_PUSHER", "MEM_FAULT");
            send(channel, push, 0x1000, 2);
            rig_wait(&rig);
            assert_int_equal(rig_count(&rig, NOP), 2);
        }
        send(other, push, 0x2000, 3);
        rig_wait(&rig);
        assert_int_equal(rig.methods[rig.method_count - 1].data, 3);
        pfifo_channel_close(channel);
        channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        send(channel, push, 0x3000, 4);
        rig_wait(&rig);
        assert_int_equal(rig.methods[rig.method_count - 1].data, 4);
        rig_close(&rig);
    }
}

/* What is unmapped is unmapped for the GPU, too, however often it was used before. */
static void a_freed_buffer_faults(void **state) {
    (void)state;
    FOR_EACH_PART {
        for (unsigned big = 0; big < 2; big++) {
            rig_open(&rig, part);
            struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
            struct pfifo_buffer *push =
                rig_buffer(&rig, big && !part->calls ? PFIFO_VRAM : PFIFO_GART, big ? 0x80000 : 0x1000, 0);
            uint64_t address = pfifo_buffer_address(push) + (big ? 0x40000 : 0);
            send(channel, push, big ? 0x40000 : 0, 1);
            rig_wait(&rig);
            assert_int_equal(rig_count(&rig, NOP), 1);
            pfifo_buffer_free(push);
            assert_int_equal(pfifo_channel_submit(channel, address, 16, 0, &rig.error), PFIFO_OK);
            rig_wait(&rig);
            assert_true(rig.fault_count >= 1);
            assert_int_equal(rig_count(&rig, NOP), 1);
            rig_close(&rig);
        }
    }
}

static void fault_on_release(uint64_t address, const char *reason) {
    const struct part *part = rig.part;
    struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                         *other = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
    struct pfifo_buffer *push = rig_push_buffer(&rig);
    struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
    words_release(&words, &rig, address, 1);
    words_bind_class(&words, &rig, SUBCHANNEL);
    words_method(&words, SUBCHANNEL, NOP, 1);
    words_submit(&words, &rig, channel, push, 0);
    send(other, push, 0x1000, 2);
    rig_wait(&rig);
    assert_fault(0, channel, "MMU", reason);
    assert_int_equal(rig.faults[0].address, address);
    if (!part->fermi) /* the method is skipped, the channel goes on */
        assert_fault(1, channel, "SEMAPHORE", "MEM_FAULT");
    assert_int_equal(rig.fault_count, part->fermi ? 1 : 2);
    assert_int_equal(rig_count(&rig, NOP), part->fermi ? 1 : 2);
}

static void a_release_that_is_not_mapped_is_reported(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->semaphores != NEW_SEMAPHORE)
            continue;
        rig_open(&rig, part);
        fault_on_release(UINT64_C(0x3456789000), no_table(part));
        rig_close(&rig);
        rig_open(&rig, part); /* beside a page that is mapped: there is a table */
        rig_buffer(&rig, PFIFO_GART, 0x1000, UINT64_C(0x3456788000));
        fault_on_release(UINT64_C(0x3456789000), no_page(part));
        rig_close(&rig);
    }
}

/* The MMU of Tesla records one fault at a time: the driver frees the record for the next one. */
static void each_fault_of_tesla_has_its_own_record(void **state) {
    (void)state;
    FOR_EACH_KIND {
        if (part->semaphores != NEW_SEMAPHORE || part->fermi)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        for (uint32_t turn = 0; turn < 2; turn++) {
            struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
            words_release(&words, &rig, UINT64_C(0x3456789000) + 0x1000 * turn, 1);
            words_submit(&words, &rig, channel, push, 0x100 * turn);
            rig_wait(&rig);
            assert_int_equal(rig.fault_count, 2 * turn + 2);
            assert_fault(2 * turn, channel, "MMU", "PT_NOT_PRESENT");
            assert_int_equal(rig.faults[2 * turn].address, UINT64_C(0x3456789000) + 0x1000 * turn);
        }
        rig_close(&rig);
    }
}

/* A waiting acquire whose memory goes away: on Tesla the method is not in CACHE1 any more. */
static void an_acquire_whose_memory_goes_away_is_reported(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->semaphores != NEW_SEMAPHORE)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0),
                             *other = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig), *fence = rig_buffer(&rig, PFIFO_VRAM, 0x1000, 0);
        struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
        words_acquire(&words, &rig, pfifo_buffer_address(fence), 1);
        words_bind_class(&words, &rig, SUBCHANNEL);
        words_method(&words, SUBCHANNEL, NOP, 1);
        words_submit(&words, &rig, channel, push, 0);
        assert_int_equal(pfifo_device_run(rig.device, BUDGET), PFIFO_STOP_WAITING);
        pfifo_buffer_free(fence);
        send(other, push, 0x1000, 2);
        rig_wait(&rig);
        assert_fault(0, channel, "MMU", no_page(part));
        assert_int_equal(rig.fault_count, part->fermi ? 1 : 2); /* nothing after the acquire is lost */
        assert_int_equal(rig_count(&rig, NOP), part->fermi ? 1 : 2);
        rig_close(&rig);
    }
}

/* NV4 knows only the old jump. */
static uint32_t jump_to(const struct pfifo_buffer *push) {
    uint32_t address = (uint32_t)pfifo_buffer_address(push);
    return rig.part->calls ? 0x20000000u | address : address | 1;
}

/* An endless program costs its budget, no more. */
static void an_endless_loop_uses_up_its_budget(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->fermi)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DMA, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = new_words(PFIFO_CHANNEL_DMA);
        words_add(&words, jump_to(push));
        words_submit(&words, &rig, channel, push, 0);
        assert_int_equal(pfifo_device_run(rig.device, 10000), PFIFO_STOP_BUDGET);
        assert_int_equal(pfifo_device_wait(rig.device, 10000, &rig.error), PFIFO_ERROR_TIMEOUT);
        assert_int_equal(rig.fault_count, 0);
        rig_close(&rig);
    }
}

/* Every word of such a program is an error: the budget ends that, too. */
static void an_endless_row_of_errors_ends(void **state) {
    (void)state;
    FOR_EACH_PART {
        if (part->fermi)
            continue;
        rig_open(&rig, part);
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DMA, 0);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        struct words words = new_words(PFIFO_CHANNEL_DMA);
        words_method(&words, 3, 0, 0xdeadbeef);
        words_add(&words, jump_to(push));
        words_submit(&words, &rig, channel, push, 0);
        /* The pusher goes on until CACHE1 is full: the first interrupt is seen when this budget is used up. */
        assert_int_equal(pfifo_device_run(rig.device, 100), PFIFO_STOP_BUDGET);
        assert_int_equal(rig.fault_count, 1);
        assert_int_equal(pfifo_device_run(rig.device, 3000), PFIFO_STOP_BUDGET);
        assert_true(rig.fault_count > 10 && rig.fault_count <= 3001);
        rig_close(&rig);
    }
}

static bool refuse_class(void *engine, const struct pfifo_channel_context *channel, unsigned subchannel,
                         uint32_t object_class, uint32_t object) {
    (void)engine, (void)channel, (void)subchannel, (void)object_class, (void)object;
    return false;
}

static uint32_t drop_methods(void *engine, const struct pfifo_methods *run) {
    (void)engine;
    return run->count;
}

/* The front end of copy engines in a PBDMA, GK104 and later. */
static void a_class_that_a_copy_engine_refuses_is_reported(void **state) {
    static const char *const chips[] = {"GK104", "GM107", "GP102"};
    static const struct pfifo_engine_ops refuses = {.name = "refuses", .bind = refuse_class, .methods = drop_methods};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        const struct pfifo_channel_config config = {.engine = PFIFO_ENGINE_COPY};
        rig_open(&rig, rig_part(chips[i]));
        for (unsigned id = 1; id < 8; id++) /* all but PGRAPH, as far as there are any */
            pfifo_gpu_set_engine(pfifo_device_gpu(rig.device), id, &refuses, NULL, &rig.error);
        struct pfifo_channel *channel = pfifo_channel_open(rig.device, &config, &rig.error);
        struct pfifo_buffer *push = rig_push_buffer(&rig);
        assert_non_null(channel);
        for (uint32_t turn = 0; turn < 2; turn++) {
            struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
            words_method(&words, 1, 0, 0xdead);
            words_submit(&words, &rig, channel, push, 0x100 * turn);
            rig_wait(&rig);
            assert_int_equal(rig.fault_count, turn + 1);
            assert_fault(turn, channel, "PBDMA", "HCE_ILLEGAL_CLASS");
            assert_true(rig.faults[turn].has_method);
            assert_int_equal(rig.faults[turn].subchannel, 1);
            assert_int_equal(rig.faults[turn].method, 0);
            assert_int_equal(rig.faults[turn].data, 0xdead);
        }
        rig_close(&rig);
    }
}

static const char *const with_illegal_class[] = {"GF100", "GF119", "GK104", "GK208", "GM107", "GP102"};

/* Two of them on one subchannel: the second one waits for the driver, as method 0 of PGRAPH. */
static void submit_illegal_classes(struct pfifo_channel *channel) {
    struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
    words_bind_class(&words, &rig, SUBCHANNEL);
    words_method(&words, 3, 0, 0x12ad);
    words_method(&words, 3, 0, 0);
    words_method(&words, SUBCHANNEL, NOP, 5);
    words_submit(&words, &rig, channel, rig_push_buffer(&rig), 0);
}

static void a_class_that_no_chip_has_is_reported(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(with_illegal_class); i++) {
        rig_open(&rig, rig_part(with_illegal_class[i]));
        struct pfifo_channel *channel = rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0);
        submit_illegal_classes(channel);
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 2);
        for (size_t n = 0; n < 2; n++) {
            assert_fault(n, channel, "PGRAPH", "ILLEGAL_CLASS");
            assert_true(rig.faults[n].has_method);
            assert_int_equal(rig.faults[n].subchannel, 3);
            assert_int_equal(rig.faults[n].method, 0);
            assert_int_equal(rig.faults[n].data, n ? 0 : 0x12ad);
            assert_int_equal(rig.faults[n].object_class, n ? 0 : 0x12ad);
            assert_int_equal(rig.faults[n].interrupt, 1 << 5);
        }
        assert_int_equal(rig_count(&rig, NOP), 1); /* the rest goes on */
        rig_close(&rig);
    }
}

/* Nothing of what PGRAPH has said is lost, and nobody is told that there is something to do. */
static void set_object_waits_for_a_halted_pgraph(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(with_illegal_class); i++) {
        rig_open(&rig, rig_part(with_illegal_class[i]));
        submit_illegal_classes(rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0));
        struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
        for (int turn = 0; turn < 2; turn++) {
            assert_int_equal(pfifo_gpu_run(gpu, BUDGET), PFIFO_STOP_INTERRUPT);
            assert_false(pfifo_gpu_has_work(gpu));
            assert_int_equal(pfifo_gpu_rd32(gpu, 0x400100), 1 << 5);
            assert_int_equal(pfifo_gpu_rd32(gpu, 0x400704) & 0x73ffc, 3 << 16);
            assert_int_equal(pfifo_gpu_rd32(gpu, 0x400708), 0x12ad);
            assert_int_equal(pfifo_gpu_rd32(gpu, 0x40420c), 0x12ad);
        }
        rig_wait(&rig);
        assert_int_equal(rig.fault_count, 2);
        rig_close(&rig);
    }
}

/* GF100: the subchannel is given to another engine, which has not halted. */
static void set_object_of_another_engine_does_not_wait(void **state) {
    (void)state;
    rig_open(&rig, rig_part("GF100"));
    struct pfifo_gpu *gpu = pfifo_device_gpu(rig.device);
    struct words words = new_words(PFIFO_CHANNEL_DEFAULT);
    words_method(&words, 3, 0, 0x12ad);
    words_method(&words, 3, 0, 0x490b5);
    words_submit(&words, &rig, rig_channel(&rig, PFIFO_CHANNEL_DEFAULT, 0), rig_push_buffer(&rig), 0);
    for (int step = 0; step < 100 && pfifo_gpu_has_work(gpu); step++)
        pfifo_gpu_run(gpu, 1);
    bool found = false;
    for (uint32_t pbdma = 0; pbdma < 3; pbdma++)
        found |= pfifo_gpu_rd32(gpu, 0x400a4 + 0x2000 * pbdma) >> 24 == 4;
    assert_true(found);
    assert_int_equal(pfifo_gpu_rd32(gpu, 0x400100), 1 << 5);
    rig_close(&rig);
}

static void chips_without_a_driver_are_unsupported(void **state) {
    static const char *const chips[] = {"GV100", "TU102", "GH100"};
    struct pfifo_error error;
    (void)state;
    assert_null(pfifo_device_open(NULL, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
    assert_null(pfifo_device_open(&(const struct pfifo_device_config){0}, &error));
    assert_int_equal(error.status, PFIFO_ERROR_ARGUMENT);
    for (size_t i = 0; i < COUNT_OF(chips); i++) {
        const struct pfifo_device_config config = {.gpu.chip = pfifo_chip_by_name(chips[i])};
        assert_null(pfifo_device_open(&config, &error));
        assert_int_equal(error.status, PFIFO_ERROR_UNSUPPORTED);
    }
}

/* One bit per unit in VM_FAULT, and those of PGRAPH's clients. */
static void faults_of_all_units_of_tesla_are_recorded(void **state) {
    static const struct {
        const char *chip;
        uint32_t enables;
    } rows[] = {{"G80", 0x000707ff}, {"G84", 0x001d07ff}, {"MCP79", 0x001d07ff}, {"GT215", 0x000d0fff}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const struct pfifo_device_config config = {.gpu.chip = pfifo_chip_by_name(rows[i].chip)};
        struct pfifo_device *device = pfifo_device_open(&config, &rig.error);
        assert_non_null(device);
        assert_int_equal(pfifo_gpu_rd32(pfifo_device_gpu(device), 0x100c90), rows[i].enables);
        pfifo_device_close(device);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bad_word_is_reported_and_the_next_segment_runs),
        cmocka_unit_test(a_bad_word_is_reported_with_its_address_and_without_a_method),
        cmocka_unit_test(the_rest_of_a_bad_segment_is_skipped_before_fermi),
        cmocka_unit_test(the_rest_of_a_segment_across_4_gib_is_skipped),
        cmocka_unit_test(a_channel_that_waits_for_its_driver_is_not_idle),
        cmocka_unit_test(an_unknown_handle_is_reported_and_skipped),
        cmocka_unit_test(a_method_of_the_host_that_does_not_exist_is_reported),
        cmocka_unit_test(a_segment_that_is_not_mapped_is_reported),
        cmocka_unit_test(a_freed_buffer_faults),
        cmocka_unit_test(a_release_that_is_not_mapped_is_reported),
        cmocka_unit_test(each_fault_of_tesla_has_its_own_record),
        cmocka_unit_test(an_acquire_whose_memory_goes_away_is_reported),
        cmocka_unit_test(an_endless_loop_uses_up_its_budget),
        cmocka_unit_test(an_endless_row_of_errors_ends),
        cmocka_unit_test(a_class_that_a_copy_engine_refuses_is_reported),
        cmocka_unit_test(a_class_that_no_chip_has_is_reported),
        cmocka_unit_test(set_object_waits_for_a_halted_pgraph),
        cmocka_unit_test(set_object_of_another_engine_does_not_wait),
        cmocka_unit_test(chips_without_a_driver_are_unsupported),
        cmocka_unit_test(faults_of_all_units_of_tesla_are_recorded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
