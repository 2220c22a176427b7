/* SPDX-License-Identifier: MIT */
/*
 * GK104 .. GM20B: PCCSR, runlists per engine, PBDMA_MAP, preemption, ENGINE_STATUS; instance blocks, runlists and USERD
 * in system memory.
 *
 * Sources: NVIDIA open-gpu-doc manuals/volta/gv100/dev_fifo.ref.txt; envytools rnndb/fifo/gf100_pfifo.xml; nouveau
 * nvkm/engine/fifo/{gk104,gk20a,gm107,gm200,gm20b}.c, gpfifogk104.c.
 */
#include "fifo_pbdma/machine.h"

static struct machine m;

static const char *const chips[] = {"GK104", "GK110", "GK208", "GK20A", "GM107", "GM204", "GM20B"};

#define SEMAPHORE(address, payload, operation) INC(0, 0x10, 4), 0, (address), (payload), (operation)
#define ACQUIRE                                1u

#define INST(id)        (0x800000 + 8 * (id))
#define STATE(id)       (0x800004 + 8 * (id))
#define BIND            0x80000000u
#define ENABLE          0x00000001u
#define FORCE_RELOAD    0x00000100u
#define ENABLE_SET      0x00000400u
#define ENABLE_CLR      0x00000800u
#define PBDMA_BAD       0x00400000u
#define ENG_BAD         0x00800000u
#define STATUS(value)   ((uint32_t)(value) << 24)
#define BUSY            0x10000000u
#define PREEMPT_PENDING 0x00100000u

static int teardown(void **state) {
    (void)state;
    machine_free(&m);
    return 0;
}

#define FOR_EACH_CHIP                                                                                                  \
    for (size_t chip_ = 0; chip_ < COUNT_OF(chips) && (chip_ == 0 || (machine_free(&m), true)); chip_++)

static void expect_state(unsigned id, uint32_t wanted) {
    if (reg(&m, STATE(id)) != wanted)
        fail_msg("%s: channel %u is %#x, not %#x", m.chip->name, id, reg(&m, STATE(id)), wanted);
}

/* nvgpu hw_ccsr_{gk20a,gm20b,gp10b,gp106}.h; nouveau's chid_nr of the others. */
static const struct {
    const char *chip;
    unsigned channels;
} sizes[] = {
    {"GK104", 4096},  {"GK107", 4096}, {"GK106", 4096}, {"GK110", 4096}, {"GK110B", 4096}, {"GK208", 1024},
    {"GK208B", 1024}, {"GK20A", 128},  {"GM107", 2048}, {"GM108", 2048}, {"GM200", 4096},  {"GM204", 4096},
    {"GM206", 4096},  {"GM20B", 512},  {"GP100", 4096}, {"GP102", 4096}, {"GP104", 4096},  {"GP106", 4096},
    {"GP107", 4096},  {"GP108", 4096}, {"GP10B", 512},
};

static void the_channel_table_ends_with_the_last_channel(void **state) {
    (void)state;
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        unsigned channels = sizes[i].channels, last = channels - 1;
        machine_init(&m, sizes[i].chip);
        for (unsigned id = 0; id < channels; id += channels / 4 - 1) {
            set_reg(&m, INST(id), BIND | (0x100 + id));
            set_reg(&m, STATE(id), ENABLE_SET);
        }
        for (unsigned id = 0; id < channels; id += channels / 4 - 1) {
            assert_int_equal(reg(&m, INST(id)), BIND | (0x100 + id));
            assert_int_equal(reg(&m, STATE(id)) & ENABLE, ENABLE);
        }
        set_reg(&m, INST(last), BIND | 0x55);
        set_reg(&m, INST(channels), BIND | 0x66); /* is not the first one again */
        assert_int_equal(reg(&m, INST(last)), BIND | 0x55);
        assert_int_equal(reg(&m, INST(0)), BIND | 0x100);
        assert_int_not_equal(reg(&m, INST(channels)), BIND | 0x66);
        machine_free(&m);
    }
    machine_init(&m, "GK104"); /* for the teardown */
}

/* Fermi, too: the areas have a page each there. */
static void bar_1_is_memory_again_behind_the_control_area_of_the_last_channel(void **state) {
    (void)state;
    static const struct {
        const char *chip;
        uint32_t end;
    } areas[] = {
        {"GF100", 0x80000},  {"GF119", 0x80000},  {"GK104", 0x200000}, {"GK110", 0x200000}, {"GK208", 0x80000},
        {"GK208B", 0x80000}, {"GK20A", 0x10000},  {"GM107", 0x100000}, {"GM108", 0x100000}, {"GM204", 0x200000},
        {"GM20B", 0x40000},  {"GP102", 0x200000}, {"GP10B", 0x40000},
    };
    for (size_t i = 0; i < COUNT_OF(areas); i++) {
        machine_init(&m, areas[i].chip); /* BAR1_BASE is 0 and enabled */
        uint8_t word[4];
        store_le32(word, 0x12345678);
        bus_bar_write(&m.bus, 1, areas[i].end, word, 4);
        store_le32(word, 0);
        bus_bar_read(&m.bus, 1, areas[i].end, word, 4);
        if (load_le32(word) != 0x12345678)
            fail_msg("%s: 0x%x behind the control areas", areas[i].chip, load_le32(word));
        bus_bar_write(&m.bus, 1, areas[i].end - 4, word, 4); /* of a channel that is not bound: nothing */
        bus_bar_read(&m.bus, 1, areas[i].end - 4, word, 4);
        assert_int_equal(load_le32(word), 0);
        machine_free(&m);
    }
    machine_init(&m, "GK104");
}

static void enable_is_set_and_cleared_by_bits_of_their_own(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        machine_init(&m, chips[chip_]);
        set_reg(&m, STATE(7), ENABLE); /* read only */
        expect_state(7, 0);
        set_reg(&m, STATE(7), ENABLE_SET);
        expect_state(7, ENABLE);
        set_reg(&m, STATE(7), 0);
        expect_state(7, ENABLE);
        set_reg(&m, STATE(7), 0x000f0000 | ENABLE_CLR);
        expect_state(7, 0x000f0000); /* the runlist is kept */
        set_reg(&m, STATE(7), 0xf0000000 | FORCE_RELOAD | ENABLE_SET);
        expect_state(7, ENABLE); /* triggers and states read as nothing */
        set_reg(&m, STATE(7), ENABLE_SET | ENABLE_CLR);
        expect_state(7, 0);
    }
}

static void status_follows_the_channel(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        one_channel(&m, chips[chip_]);
        expect_state(1, ENABLE);
        PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE), IMMD(0, 0x100, 1), SEMAPHORE(SCRATCH, 2, ACQUIRE));
        expect_state(1, BUSY | STATUS(1) | ENABLE); /* PENDING */
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        expect_state(1, BUSY | STATUS(5) | ENABLE); /* ON_PBDMA */
        poke(&m, SCRATCH, 1);
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        expect_state(1, BUSY | STATUS(6) | ENABLE); /* ON_PBDMA_AND_ENG */
        set_reg(&m, 0x2634, 1);
        expect_state(1, BUSY | STATUS(3) | ENABLE); /* PENDING_ACQUIRE */
        poke(&m, SCRATCH, 2);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        expect_state(1, ENABLE);
        PUSH(&m, 1, IMMD(0, 0x100, 1));
        set_reg(&m, STATE(1), ENABLE_CLR);
        expect_state(1, 0);
    }
}

static void a_forced_reload_shows_until_the_channel_is_loaded(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        one_channel(&m, chips[chip_]);
        PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE), IMMD(0, 0x100, 1), SEMAPHORE(SCRATCH, 2, ACQUIRE));
        set_reg(&m, STATE(1), FORCE_RELOAD);
        expect_state(1, BUSY | STATUS(2) | ENABLE); /* PENDING_CTX_RELOAD */
        run(&m);
        expect_state(1, BUSY | STATUS(5) | ENABLE);
        set_reg(&m, STATE(1), FORCE_RELOAD);
        expect_state(1, BUSY | STATUS(0xa) | ENABLE); /* ON_PBDMA_CTX_RELOAD */
        poke(&m, SCRATCH, 1);
        run(&m);
        expect_state(1, BUSY | STATUS(0xb) | ENABLE); /* ON_PBDMA_AND_ENG_CTX_RELOAD */
        set_reg(&m, 0x2634, 1);
        expect_state(1, BUSY | STATUS(4) | ENABLE); /* PENDING_ACQ_CTX_RELOAD */
        run(&m);
        expect_state(1, BUSY | STATUS(6) | ENABLE);
    }
}

static void bind_errors_have_codes(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        one_channel(&m, chips[chip_]);
        uint32_t bound = reg(&m, INST(1));
        set_reg(&m, INST(1), bound + 1);
        assert_int_equal(reg(&m, 0x252c), 1); /* BIND_NOT_UNBOUND */
        assert_int_equal(reg(&m, INST(1)), bound);
        PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE));
        run(&m);
        set_reg(&m, INST(1), 0);
        assert_int_equal(reg(&m, 0x252c), 3); /* UNBIND_WHILE_RUNNING */
        assert_int_equal(reg(&m, INST(1)), bound);
        set_reg(&m, STATE(2), m.chip->runlists << 16);
        set_reg(&m, INST(2), BIND | 0x100);
        assert_int_equal(reg(&m, 0x252c), 5); /* INVALID_RUNLIST */
        assert_int_equal(reg(&m, INST(2)), BIND | 0x100);
        set_reg(&m, INST(3), BIND | 1 << 28 | 0x100);
        assert_int_equal(reg(&m, 0x252c), 6); /* INVALID_CTX_TGT */
        assert_int_equal(reg(&m, 0x2100) & 1, 1);
        set_reg(&m, 0x2100, 1);
        set_reg(&m, 0x252c, 0);
        set_reg(&m, INST(4), BIND | 0x100);
        set_reg(&m, INST(4), 0);
        set_reg(&m, INST(4), BIND | 0x101);
        set_reg(&m, 0x2634, 1);
        set_reg(&m, INST(1), 0);
        assert_int_equal(reg(&m, 0x2100) & 1, 0);
        assert_int_equal(reg(&m, 0x252c), 0);
    }
}

/* Every engine has a runlist, and every runlist one PBDMA at least. */
static void topology_runlists_and_pbdmas_fit_together(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        machine_init(&m, chips[chip_]);
        uint32_t served = 0, used = 0;
        for (uint32_t p = 0; p < 8; p++) {
            assert_true((reg(&m, 0x2390 + 4 * p) != 0) == (p < m.chip->pbdmas));
            served |= reg(&m, 0x2390 + 4 * p);
        }
        for (uint32_t i = 0; i < 64; i++) {
            uint32_t word = reg(&m, 0x22700 + 4 * i);
            if ((word & 3) == 2 && (word & 0x10))
                used |= 1u << (word >> 21 & 15);
        }
        assert_int_equal(used & ~served, 0);
        assert_int_equal(served, (1u << m.chip->runlists) - 1);
    }
}

/* A channel of the runlist of each engine reaches that engine. */
static void a_runlist_leads_to_its_engine(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        machine_init(&m, chips[chip_]);
        for (uint32_t i = 0; i < 64; i += 3) {
            uint32_t type = reg(&m, 0x22700 + 4 * i), place = reg(&m, 0x22704 + 4 * i);
            if (!type)
                continue;
            unsigned list = place >> 21 & 15, engine = place >> 26 & 15;
            bool shared = type >> 2 == (0x80000000u | 3 << 2) >> 2; /* COPY2, behind subchannel 4 of graphics */
            channel_new(&m, 1, list);
            PUSH(&m, 1, IMMD(shared ? 4 : 0, 0x100, engine));
            m.method_count = 0;
            m.channel[1].gp_put = 0;
            RUNLIST(&m, list, 1);
            m.channel[1].cursor = 0;
            assert_int_equal(run(&m), PFIFO_STOP_IDLE);
            assert_int_equal(m.method_count, 1);
            assert_int_equal(m.methods[0].engine, engine);
            runlist(&m, list, NULL, 0);
            poke(&m, userd_of(1) + 0x8c, 0);
            poke(&m, instance_of(1) + 0x14, 0); /* the ring begins anew */
            set_reg(&m, INST(1), 0);
        }
        assert_int_equal(reg(&m, 0x2100) & 1, 0);
    }
}

static void a_channel_on_the_runlist_of_another_engine_is_an_error(void **state) {
    (void)state;
    machine_init(&m, "GK104");
    channel_new(&m, 1, 0);
    PUSH(&m, 1, IMMD(0, 0x100, 1));
    RUNLIST(&m, 3, 1);
    assert_int_equal(reg(&m, 0x2100) & 1 << 8, 1 << 8);
    assert_int_equal(reg(&m, 0x254c), 0x19); /* ENGINE_MISMATCH */
    run(&m);
    assert_int_equal(m.method_count, 0);
    set_reg(&m, 0x2100, 1 << 8);
    RUNLIST(&m, 0, 1);
    assert_int_equal(reg(&m, 0x2100) & 1 << 8, 0);
    assert_int_equal(run(&m), PFIFO_STOP_IDLE);
    assert_int_equal(m.method_count, 1);
}

/* Drivers leave the field of PCCSR as it is. */
static void from_gm107_on_only_the_runlist_says_which_channels_it_has(void **state) {
    static const char *const later[] = {"GM107", "GM204", "GP102"};
    (void)state;
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        if (i)
            machine_free(&m);
        machine_init(&m, later[i]);
        channel_new(&m, 1, 0);
        set_reg(&m, INST(1), 0);
        set_reg(&m, STATE(1), 1 << 16);
        set_reg(&m, INST(1), BIND | instance_of(1) >> 12);
        set_reg(&m, STATE(1), 1 << 10);
        assert_int_equal(reg(&m, 0x2100) & 1, 0);
        PUSH(&m, 1, IMMD(0, 0x100, 1));
        RUNLIST(&m, 3, 1);
        assert_int_equal(reg(&m, 0x2100) & 1 << 8, 0);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(m.method_count, 1);
    }
}

static void engine_status_names_the_channel(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        one_channel(&m, chips[chip_]);
        assert_int_equal(reg(&m, 0x2640), 0);
        PUSH(&m, 1, IMMD(0, 0x100, 1));
        run(&m);
        assert_int_equal(reg(&m, 0x2640), 1 << 13 | 1); /* VALID */
        m.busy = true;
        assert_int_equal(reg(&m, 0x2640), 1u << 31 | 1 << 13 | 1);
        assert_int_equal(reg(&m, 0x2644), 0);
        assert_int_equal(reg(&m, 0x2680), instance_of(1) >> 12);
    }
}

static void pbdma_status_has_the_instance_block(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        one_channel(&m, chips[chip_]);
        PUSH(&m, 1, SEMAPHORE(SCRATCH, 1, ACQUIRE));
        assert_int_equal(reg(&m, 0x2790), 0);
        run(&m);
        assert_int_equal(reg(&m, 0x2790), BIND | instance_of(1) >> 12);
        assert_int_equal(pb(&m, 0, 0x120), 1 << 13 | 1);
    }
}

static void a_submitted_runlist_is_current_and_announced(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        machine_init(&m, chips[chip_]);
        channel_new(&m, 1, 0);
        RUNLIST(&m, 0, 1, 2, 3);
        assert_int_equal(reg(&m, 0x2280), 0x500000 >> 12);
        assert_int_equal(reg(&m, 0x2284), 3); /* bit 20, PENDING, is 0 */
        assert_int_equal(reg(&m, 0x2a00), 1);
        assert_int_equal(reg(&m, 0x2100) & 1 << 30, 1 << 30);
        set_reg(&m, 0x2100, ~0u); /* a level */
        assert_int_equal(reg(&m, 0x2100) & 1 << 30, 1 << 30);
        set_reg(&m, 0x2a00, 1);
        assert_int_equal(reg(&m, 0x2100) & 1 << 30, 0);
    }
}

/* It leaves as if preempted; a stalled one when the driver lets it. */
static void a_runlist_without_a_running_channel_preempts_it(void **state) {
    (void)state;
    FOR_EACH_CHIP {
        one_channel(&m, chips[chip_]);
        PUSH(&m, 1, IMMD(7, 0x100, 1), IMMD(0, 0x104, 2)); /* a software method */
        assert_int_equal(run(&m), PFIFO_STOP_INTERRUPT);
        runlist(&m, 0, NULL, 0);
        assert_int_equal(pb(&m, 0, 0x120), 1 << 13 | 1);
        assert_int_equal(reg(&m, 0x2634) & PREEMPT_PENDING, PREEMPT_PENDING);
        set_pb(&m, 0, 0xc0, 0x80600008);
        set_pb(&m, 0, 0x108, ~0u);
        assert_int_equal(reg(&m, 0x2634) & PREEMPT_PENDING, 0);
        assert_int_equal(pb(&m, 0, 0x120), 0);
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        assert_int_equal(m.method_count, 0);
    }
}

static void a_preempted_channel_waits_for_its_engine(void **state) {
    (void)state;
    one_channel(&m, "GK104");
    PUSH(&m, 1, IMMD(0, 0x100, 1), SEMAPHORE(SCRATCH, 1, ACQUIRE));
    run(&m);
    m.busy = true;
    set_reg(&m, 0x2634, 1);
    assert_int_equal(reg(&m, 0x2634), PREEMPT_PENDING | 1);
    poke(&m, SCRATCH, 1);
    run(&m);
    assert_int_equal(reg(&m, 0x2634), PREEMPT_PENDING | 1);
    assert_int_equal(pb(&m, 0, 0xc0) & 0x80003ffc, 0x8000001c); /* it does not go on */
    m.busy = false;
    assert_int_equal(reg(&m, 0x2634), 1);
    assert_int_equal(pb(&m, 0, 0x120), 0);
}

static void preempting_by_type(void **state) {
    (void)state;
    machine_init(&m, "GM107");
    channel_new(&m, 3, 0);
    PUSH(&m, 3, SEMAPHORE(SCRATCH, 1, ACQUIRE));
    RUNLIST(&m, 0, 1u << 26 | 128 << 18 | 3 << 14 | 1 << 13 | 9, 3);
    static const struct {
        uint32_t value;
        bool leaves;
    } cases[] = {{1 << 24 | 3, false}, {9, false}, {2 << 24 | 3, false}, {1 << 24 | 9, true}, {3, true}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        assert_int_equal(run(&m), PFIFO_STOP_WAITING);
        set_reg(&m, 0x2634, cases[i].value);
        assert_int_equal(reg(&m, 0x2634), cases[i].value);
        assert_int_equal(pb(&m, 0, 0x120) == 0, cases[i].leaves);
    }
}

/* Without VRAM of their own, and elsewhere where the target says so. */
static void instance_block_runlist_and_userd_in_system_memory(void **state) {
    (void)state;
    static const char *const some[] = {"GK104", "GK20A", "GM20B"};
    for (size_t i = 0; i < COUNT_OF(some); i++)
        for (uint32_t target = 2; target <= 3; target++) {
            machine_init(&m, some[i]);
            channel_new(&m, 1, 0);
            set_reg(&m, INST(1), 0);
            PUSH(&m, 1, IMMD(0, 0x100, 5));
            for (uint32_t at = 0; at < 0x400; at += 4) /* move it */
                memory_physical_wr32(&m.memory, MEMORY_SYSTEM, 0x900000 + at, ramfc(&m, 1, at));
            memory_physical_wr32(&m.memory, MEMORY_SYSTEM, 0x900008, 0xa00000 | target);
            memory_physical_wr32(&m.memory, MEMORY_SYSTEM, 0xa0008c, 1);
            memory_physical_wr32(&m.memory, MEMORY_SYSTEM, 0xb00000, 1);
            set_reg(&m, INST(1), BIND | target << 28 | 0x900);
            set_reg(&m, 0x2270, target << 28 | 0xb00);
            set_reg(&m, 0x2274, 1);
            assert_int_equal(run(&m), PFIFO_STOP_IDLE);
            EXPECT_METHODS(&m, {0x100, 5});
            assert_int_equal(memory_physical_rd32(&m.memory, MEMORY_SYSTEM, 0xa00088), 1);
            assert_int_equal(memory_physical_rd32(&m.memory, MEMORY_SYSTEM, 0x900014), 1);
            if (i + 1 < COUNT_OF(some) || target == 2)
                machine_free(&m);
        }
}

static void on_tegra_target_0_is_system_memory(void **state) {
    (void)state;
    static const char *const some[] = {"GK20A", "GM20B"};
    for (size_t i = 0; i < COUNT_OF(some); i++) {
        one_channel(&m, some[i]);
        assert_int_equal(m.chip->vram_bytes, 0);
        PUSH(&m, 1, IMMD(0, 0x100, 5));
        assert_int_equal(run(&m), PFIFO_STOP_IDLE);
        EXPECT_METHODS(&m, {0x100, 5});
        assert_int_equal(memory_physical_rd32(&m.memory, MEMORY_SYSTEM, userd_of(1) + 0x88), 1);
        if (i == 0)
            machine_free(&m);
    }
}

#define TEST(function) cmocka_unit_test_teardown(function, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        TEST(the_channel_table_ends_with_the_last_channel),
        TEST(bar_1_is_memory_again_behind_the_control_area_of_the_last_channel),
        TEST(enable_is_set_and_cleared_by_bits_of_their_own),
        TEST(status_follows_the_channel),
        TEST(a_forced_reload_shows_until_the_channel_is_loaded),
        TEST(bind_errors_have_codes),
        TEST(topology_runlists_and_pbdmas_fit_together),
        TEST(a_runlist_leads_to_its_engine),
        TEST(a_channel_on_the_runlist_of_another_engine_is_an_error),
        TEST(from_gm107_on_only_the_runlist_says_which_channels_it_has),
        TEST(engine_status_names_the_channel),
        TEST(pbdma_status_has_the_instance_block),
        TEST(a_submitted_runlist_is_current_and_announced),
        TEST(a_runlist_without_a_running_channel_preempts_it),
        TEST(a_preempted_channel_waits_for_its_engine),
        TEST(preempting_by_type),
        TEST(instance_block_runlist_and_userd_in_system_memory),
        TEST(on_tegra_target_0_is_system_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
