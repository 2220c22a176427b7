/* SPDX-License-Identifier: MIT */
/* Where channels stand, as the registers of cards say: of each generation, and the same of its model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <pfifo/chip.h>

#include "face/tool/console/console.h"
#include "tool/pci_tree.h"
#include "tool/tool.h"

struct poke {
    uint32_t offset, value;
};

/* What the card shows of channels with these registers, and the model after they have been written. */
static void expect_channels(const char *chip, const struct poke *pokes, size_t count, const char *want) {
    struct tree tree = tree_new(pfifo_chip_info(pfifo_chip_by_name(chip)).boot0);

    for (size_t i = 0; i < count; i++)
        tree_poke(&tree, pokes[i].offset, pokes[i].value);
    expect_output(&tree, NULL, "channels\n", want);
    tree_free(&tree);
}

static void expect_channels_of_model(const char *chip, const struct poke *pokes, size_t count, const char *want) {
    char commands[3000] = "w32 PMC.ENABLE ~0\n";

    for (size_t i = 0; i < count; i++)
        append(commands, sizeof commands, "w32 0x%x 0x%x\n", pokes[i].offset, pokes[i].value);
    append(commands, sizeof commands, "channels\n");
    struct outcome outcome = model_shell(chip, commands);
    expect_status(0, &outcome);
    assert_string_equal(outcome.out, want);
    outcome_free(&outcome);
}

#define EXPECT_CHANNELS(chip, pokes, want) expect_channels(chip, pokes, sizeof(pokes) / sizeof((pokes)[0]), want)
#define EXPECT_BOTH(chip, pokes, want)                                                                                 \
    do {                                                                                                               \
        EXPECT_CHANNELS(chip, pokes, want);                                                                            \
        expect_channels_of_model(chip, pokes, sizeof(pokes) / sizeof((pokes)[0]), want);                               \
    } while (0)

static void channels_of_nv1_are_in_cache1_and_ramro(void **state) {
    static const struct poke nv1[] = {{0x3210, 9}, {0x3230, 8}, {0x3270, 4}, {0x2410, 0x20}, {0x2420, 8}};
    static const struct poke nv3[] = {{0x3204, 9}, {0x3210, 8}, {0x3270, 4}};
    (void)state;
    EXPECT_BOTH("NV1", nv1,
                "in CACHE1: channel 9, GET 0x4 PUT 0x8\n"
                "in RAMRO: commands from 0x8 to 0x20\n");
    EXPECT_BOTH("NV3", nv3, "in CACHE1: channel 9, GET 0x4 PUT 0x8\n");
}

/* RAMFC is looked at in RAMIN: 32 bytes per channel, 64 in the large form, 128 from NV40 on. */
static void channels_of_nv4_are_in_cache1_and_ramfc(void **state) {
    static const struct poke nv4[] = {{0x2214, 0x110},       {0x2504, 0x7},     {0x2508, 0x84},
                                      {0x3204, 0x101},       {0x3240, 0x30},    {0x3244, 0x20},
                                      {0x3200, 1},           {0x3220, 1},       {0x3250, 1},
                                      {0x711040, 0x1000},    {0x711044, 0xff0}, {0x711048, 0x00801234},
                                      {0x71104c, 0x80000000}};
    static const struct poke nv17[] = {{0x2214, 0x10110},  {0x2504, 0x7},     {0x2508, 0x4},    {0x3204, 0x101},
                                       {0x711080, 0x1000}, {0x711084, 0xff0}, {0x711088, 0x77}, {0x71108c, 0x00801234}};
    static const struct poke nv40[] = {{0x2220, 0x30102}, {0x2504, 0x4},       {0x3204, 0x10003},     {0x3200, 1},
                                       {0x3220, 1},       {0x3250, 1},         {0x720100, 0x1000},    {0x720104, 0xff0},
                                       {0x720108, 0x77},  {0x72010c, 0x41234}, {0x720114, 0x40000000}};
    (void)state;
    EXPECT_BOTH("NV4", nv4,
                "in CACHE1: channel 1, GET 0x0 PUT 0x0, pushbuffer GET 0x20 PUT 0x30\n"
                "channel 0: DMA, GET 0x0 PUT 0x0, object 0x0\n"
                "channel 1: DMA, in CACHE1\n"
                "channel 2: DMA, GET 0xff0 PUT 0x1000, object 0x12340, pusher error 4 (INVALID_CMD), pending\n"
                "channel 7: PIO, pending\n");
    EXPECT_BOTH("NV17", nv17,
                "in CACHE1: channel 1, GET 0x0 PUT 0x0, pushbuffer GET 0x0 PUT 0x0, pusher off, DMA off, puller off\n"
                "channel 0: DMA, GET 0x0 PUT 0x0 REF 0x0, object 0x0\n"
                "channel 1: DMA, in CACHE1\n"
                "channel 2: DMA, GET 0xff0 PUT 0x1000 REF 0x77, object 0x12340, pending\n");
    EXPECT_BOTH("NV40", nv40,
                "in CACHE1: channel 3, GET 0x0 PUT 0x0\n"
                "channel 2: DMA, GET 0xff0 PUT 0x1000 REF 0x77, object 0x412340, pusher error 2 (INVALID_MTHD)\n");
}

/* RAMFC anywhere in VRAM, or beyond what PRAMIN shows, is out of sight; the pages of DMA control are not. */
static void channels_of_nv4x_are_in_dma_user_too(void **state) {
    static const struct poke nv44[] = {{0x2220, 0x30402}, {0x2504, 0x4},     {0x3204, 0x10003}, {0x3200, 1},
                                       {0x3220, 1},       {0x3250, 0x10001}, {0x3254, 0x10},    {0xc02040, 0x1000},
                                       {0xc02044, 0xff0}, {0xc02048, 0x77}};
    static const struct poke nv40[] = {{0x2220, 0x30010}, {0x2504, 0x4}, {0x3204, 0x10003}, {0xc02044, 0xff0}};
    (void)state;
    EXPECT_CHANNELS("NV44", nv44,
                    "in CACHE1: channel 3, GET 0x0 PUT 0x0, waits in an acquire\n"
                    "channel 2: DMA, GET 0xff0 PUT 0x1000 REF 0x77\n");
    EXPECT_CHANNELS("NV40", nv40,
                    "in CACHE1: channel 3, GET 0x0 PUT 0x0, pusher off, puller off\n"
                    "channel 2: DMA, GET 0xff0 PUT 0x0 REF 0x0\n");
}

/* Of USER only what latches nothing. */
static const struct poke gt215_pokes[] = {
    {0x2600 + 4 * 5, 0x80001200},
    {0x2600 + 4 * 7, 0xc0001234},
    {0x2600 + 4 * 8, 0x00001300},
    {0x3204, 0x10005},
    {0x32f4, 0x00000345},
    {0x3200, 1},
    {0x3220, 1},
    {0x3250, 1},
    {0x3224, 0x40000000},
    {0x3244, 0x1000},
    {0x3328, 0x12},
    {0x3240, 0x1004},
    {0x3320, 0x12},
    {0x3330, 4},
    {0x3334, 3},
    {0x3340, 0x8000},
    {0x3344, 0x00090001},
    {0x3248, 0x99},
};

#define GT215_CACHE1                                                                                                   \
    "in CACHE1: channel 5, IB, GET 0x0 PUT 0x0, pushbuffer GET 0x1200001000 PUT 0x1200001004, "                        \
    "IB GET 3 PUT 4 of 512 at 0x100008000 REF 0x99\n"

static void poke_all(struct tree *tree, const struct poke *pokes, size_t count) {
    for (size_t i = 0; i < count; i++)
        tree_poke(tree, pokes[i].offset, pokes[i].value);
}

static void channels_of_tesla_are_in_the_table(void **state) {
    struct tree tree = tree_new(GT215_BOOT0);
    (void)state;
    poke_all(&tree, gt215_pokes, sizeof gt215_pokes / sizeof gt215_pokes[0]);
    tree_poke(&tree, 0x32ec, 2);
    tree_poke(&tree, 0xc00000 + 7 * 0x2000 + 0x88, 11);
    tree_poke(&tree, 0xc00000 + 7 * 0x2000 + 0x8c, 12);
    tree_poke(&tree, 0xc00000 + 7 * 0x2000 + 0x48, 13);
    expect_output(&tree, NULL, "channels\n",
                  "playlist: 2 channels at 0x345000 of VRAM\n" GT215_CACHE1
                  "channel 5: instance 0x120000 of VRAM, on, in CACHE1\n"
                  "channel 7: instance 0x123400 of VRAM, on, pending, IB GET 11 PUT 12 REF 0xd, "
                  "RAMFC at 0x123400 of VRAM is out of sight\n"
                  "channel 8: instance 0x130000 of VRAM, off, RAMFC at 0x130000 of VRAM is out of sight\n");
    tree_free(&tree);
}

/* What the window shows is read, also without permission to write: here 0x30000 and up. */
static void ramfc_of_tesla_is_looked_at_where_the_window_is(void **state) {
    const uint32_t ramfc = 0x700000 + 0x123400 - 0x30000;
    struct tree tree = tree_new(GT215_BOOT0);
    (void)state;
    tree_poke(&tree, 0x2600 + 4 * 7, 0x80001234);
    tree_poke(&tree, 0x1700, 0x00000003);
    tree_poke(&tree, ramfc + 0x08, 0x2000);
    tree_poke(&tree, ramfc + 0x0c, 0x34);
    tree_poke(&tree, ramfc + 0x10, 0x1ff0);
    tree_poke(&tree, ramfc + 0x14, 0x34);
    tree_poke(&tree, ramfc + 0x30, 0xc0000000);
    tree_poke(&tree, ramfc + 0x5c, 0x10);
    tree_poke(&tree, ramfc + 0x68, 0x55);
    tree_poke(&tree, ramfc + 0x84, 3);
    static const char want[] =
        "channel 7: instance 0x123400 of VRAM, on, IB GET 0 PUT 0 REF 0x0, pushbuffer GET 0x3400001ff0 "
        "PUT 0x3400002000, pusher error 6 (MEM_FAULT), waits in an acquire for 0x55, 3 entries of CACHE1\n";
    struct outcome outcome = card_shell(&tree, NULL, "channels\n");
    expect_text(outcome.out, want);
    outcome_free(&outcome);
    /* The last that it shows, the first after it, and one before it. */
    tree_poke(&tree, 0x2600 + 4 * 7, 0x800012ff);
    tree_poke(&tree, 0x2600 + 4 * 8, 0x80001300);
    tree_poke(&tree, 0x2600 + 4 * 9, 0x800002ff);
    outcome = card_shell(&tree, NULL, "channels\n");
    expect_text(outcome.out,
                "channel 7: instance 0x12ff00 of VRAM, on, IB GET 0 PUT 0 REF 0x0, pushbuffer GET 0x0 PUT 0x0\n");
    expect_text(outcome.out, "RAMFC at 0x130000 of VRAM is out of sight\n");
    expect_text(outcome.out, "RAMFC at 0x2ff00 of VRAM is out of sight\n");
    outcome_free(&outcome);
    /* System memory, and VRAM of the same address. */
    tree_poke(&tree, 0x2600 + 4 * 7, 0x82001234);
    outcome = card_shell(&tree, NULL, "channels\n");
    expect_text(outcome.out, "RAMFC at 0x123400 of system memory is out of sight\n");
    outcome_free(&outcome);
    tree_poke(&tree, 0x1700, 0x02000003);
    tree_poke(&tree, 0x2600 + 4 * 8, 0x81001234);
    outcome = card_shell(&tree, NULL, "channels\n");
    expect_text(outcome.out, ", waits in an acquire for 0x55, ");
    expect_text(outcome.out, "RAMFC at 0x123400 of peer memory is out of sight\n");
    outcome_free(&outcome);
    tree_free(&tree);
}

static void the_window_is_moved_only_by_permission_and_put_back(void **state) {
    struct tree tree = tree_new(GT215_BOOT0);
    char link[400];
    (void)state;
    tree_poke(&tree, 0x2600 + 4 * 7, 0x80001234);
    tree_poke(&tree, 0x1700, 0x01000777);
    tree_poke(&tree, 0x700000 + 0x3400 + 0x08, 0x2000);
    struct outcome outcome = card_shell(&tree, "--write", "channels\n");
    expect_text(outcome.out, ", pushbuffer GET 0x0 PUT 0x2000\n");
    assert_int_equal(tree.bar0[0x1700 / 4], 0x01000777);
    outcome_free(&outcome);
    snprintf(link, sizeof link, "%s/driver", tree.folder);
    assert_int_equal(symlink("/sys/bus/pci/drivers/nouveau", link), 0);
    outcome = card_shell(&tree, "--write", "channels\n");
    expect_text(outcome.out, "RAMFC at 0x123400 of VRAM is out of sight\n");
    outcome_free(&outcome);
    tree_free(&tree);
}

static struct pci_card watched;
static unsigned stores;

/* A page that could not be written: the store is done again. */
static void count_store(int signal, siginfo_t *info, void *context) {
    (void)signal, (void)context;
    if (info->si_addr != (const volatile void *)&watched.registers[0x1700 / 4] || stores++)
        _exit(3);
    mprotect((void *)(uintptr_t)&watched.registers[0x1000 / 4], 0x1000, PROT_READ | PROT_WRITE);
}

static bool ignore_text(void *opaque, const char *text, size_t bytes) {
    (void)opaque, (void)text, (void)bytes;
    return true;
}

/* A tree does not show that the window was elsewhere for a while; that something was stored there does. */
static void the_window_is_written_to_be_moved(void **state) {
    struct tree tree = tree_new(GT215_BOOT0);
    struct sigaction action = {.sa_sigaction = count_store, .sa_flags = SA_SIGINFO}, old;
    (void)state;
    watched = (struct pci_card){
        .chip = pfifo_chip_by_name("GT215"), .writable = true, .registers = tree.bar0, .bytes = TREE_BAR0};
    struct console_config config = {.card = &watched, .write = ignore_text};
    struct console *console = console_new(&config, NULL);
    assert_non_null(console);
    tree_poke(&tree, 0x2600 + 4 * 7, 0x80001234);
    tree_poke(&tree, 0x1700, 0x01000777);
    assert_int_equal(sigaction(SIGSEGV, &action, &old), 0);
    assert_int_equal(mprotect(&tree.bar0[0x1000 / 4], 0x1000, PROT_READ), 0);
    assert_int_equal(console_line(console, "channels", NULL), CONSOLE_OK);
    assert_int_equal(sigaction(SIGSEGV, &old, NULL), 0);
    assert_int_equal(stores, 1);
    assert_int_equal(tree.bar0[0x1700 / 4], 0x01000777);
    console_free(console);
    tree_free(&tree);
}

static void channels_of_a_tesla_model_have_the_same_view(void **state) {
    char commands[3000] = "w32 PMC.ENABLE ~0\nw32 CACHE1_DMA_FETCH 0x40000000\n"
                          "vram 0x123408 0x2000 0x34 0x1ff0 0x34\nvram 0x12343c 0x40000000\n";
    (void)state;
    for (size_t i = 0; i < sizeof gt215_pokes / sizeof gt215_pokes[0]; i++)
        append(commands, sizeof commands, "w32 0x%x 0x%x\n", gt215_pokes[i].offset, gt215_pokes[i].value);
    append(commands, sizeof commands, "channels\n");
    struct outcome outcome = model_shell("GT215", commands);
    expect_status(0, &outcome);
    expect_text(outcome.out, GT215_CACHE1);
    expect_text(outcome.out, "channel 5: instance 0x120000 of VRAM, on, in CACHE1\n");
    expect_text(outcome.out, ", pushbuffer GET 0x3400001ff0 PUT 0x3400002000\n");
    outcome_free(&outcome);
}

static void channels_of_g80_have_ramfc_in_the_descriptor(void **state) {
    struct tree tree = tree_new(0x050000a2);
    (void)state;
    tree_poke(&tree, 0x2600 + 4 * 7, 0xa0000123);
    struct outcome outcome = card_shell(&tree, NULL, "channels\n");
    expect_text(outcome.out, "RAMFC at 0x123000 of system memory is out of sight\n");
    outcome_free(&outcome);
    tree_free(&tree);
}

static void channels_of_gf100_are_in_the_table_and_on_psubfifos(void **state) {
    static const struct poke pokes[] = {
        {0x204, 0x7},          {0x2278, 0x345},       {0x227c, 2},           {0x3018, 0xc0001234},
        {0x301c, 0x101f1001},  {0x3020, 0x40001235},  {0x3024, 0x001f0010},  {0x40120, 0x103},
        {0x40000, 4},          {0x40014, 3},          {0x40018, 0x1000},     {0x4001c, 0x12},
        {0x4005c, 0x1004},     {0x40060, 0x12},       {0x40028, 0x99},       {0x40084, 0x20016100},
        {0x40044, 0x00080000}, {0x40108, 0x00200000}, {0x44120, 0xbad0da00}, {0x27d0, 0x103},
        {0x2640, 0x80000003},  {0x27d4, 0x105},       {0x2644, 0x01000005}};
    static const struct poke off[] = {{0x204, 0}};
    (void)state;
    EXPECT_CHANNELS("GF100", pokes,
                    "playlist: 2 entries at 0x345000\n"
                    "channel 3: instance 0x1234000 of VRAM, status 0x101f1001, polled, runnable, loaded, pending\n"
                    "channel 4: instance 0x1235000 of VRAM, status 0x001f0010, not valid, polled, waits in an acquire\n"
                    "PSUBFIFO 0: channel 3, GP GET 3 PUT 4, pushbuffer GET 0x1200001000 PUT 0x1200001004 REF 0x99, "
                    "header 0x20016100, waits in an acquire, interrupts 0x00200000 METHOD\n"
                    "PSUBFIFO 1: no channel\n"
                    "PSUBFIFO 2: does not answer, 0xbad0da00\n"
                    "engine 0: channel 3, busy\n"
                    "engine 1: channel 5, faulted\n");
    EXPECT_CHANNELS("GF100", off, "playlist: 0 entries at 0x0\nno PSUBFIFO is on in PMC.SUBFIFO_ENABLE\n");
}

static void channels_of_gk104_are_in_pccsr_and_on_pbdmas(void **state) {
    static const struct poke pokes[] = {{0x204, 0x2},           {0x800018, 0x80001234}, {0x80001c, 0x16000001},
                                        {0x800020, 0x00001235}, {0x800024, 0x00c00000}, {0x807ff8, 0x80001236},
                                        {0x807ffc, 0x0e000001}, {0x42120, 0x2003},      {0x42014, 3},
                                        {0x42000, 4},           {0x2640, 0x80003003},   {0x800028, 0xbad0da00},
                                        {0x2650, 0x5107e005}};
    static const char want[] =
        "channel 3: instance 0x1234000 of VRAM, status 0x16000001, on, ON_PBDMA_AND_ENG, busy\n"
        "channel 4: instance 0x1235000 of VRAM, status 0x00c00000, not bound, off, PBDMA faulted, engine faulted, "
        "IDLE\n"
        "channel 4095: instance 0x1236000 of VRAM, status 0x0e000001, on, ON_ENG_PENDING_ACQ_CTX_RELOAD\n"
        "PBDMA 1: channel 3, GP GET 3 PUT 4, pushbuffer GET 0x0 PUT 0x0 REF 0x0, header 0x00000000\n"
        "engine 0: TSG 3, busy\n"
        "engine 2: channel 5, switches, faulted, next TSG 263\n";
    (void)state;
    EXPECT_CHANNELS("GK104", pokes, want);
    EXPECT_CHANNELS("GP102", pokes, want);
}

/* Two runlists and four devices; what is not complete is none. */
static void channels_of_ga100_are_found_by_the_table_of_devices(void **state) {
    static const struct poke pokes[] = {
        {0x224fc, 0x01030040}, {0x22800, 0x80000000}, {0x22804, 0x80000000}, {0x22808, 0x000b2000},
        {0x2280c, 0x93010005}, {0x22810, 0x80104000}, {0x22814, 0x000b2001}, {0x2281c, 0x95000000},
        {0x22820, 0x80000001}, {0x22824, 0x800b2402}, {0x22828, 0x00000000}, {0x2282c, 0xad000000},
        {0x22830, 0x80000001}, {0x22834, 0x000b2400}, {0x22838, 0x80000000}, {0x2283c, 0x00000001},
        {0x22840, 0x80000000}, {0xb2004, 0x00f0000b}, {0xb2010, 0x80040000}, {0xb2014, 0x80040800},
        {0xb2080, 0x00345003}, {0xb2084, 0x12},       {0xb2088, 0x00050003}, {0xb208c, 0x8000},
        {0xb2100, 0x1000},     {0xf00014, 0x142},     {0xf00010, 0x1008},    {0xf01ffc, 0x00e34},
        {0xf02000, 0x2},       {0x40120, 0x12005},    {0x40014, 3},          {0x40000, 4},
        {0x40018, 0x1000},     {0x4005c, 0x2000},     {0x40920, 0xbad0da00}, {0xb2200, 0x80072005},
        {0xb2240, 0x6107c003}, {0xb2404, 0x00e00000}, {0xb2410, 0x00041000}, {0xb2600, 0x1000}};
    static const struct poke none[] = {{0x200, 0}};
    static const char want[] =
        "runlist 0x0b2000 of GR0, LCE1: 3 entries at 0x1200345000 of system memory, not snooped, submit pending, "
        "interrupts 0x00001000\n"
        "channel 4: status 0x00001008, off, busy, waits in an acquire\n"
        "channel 5: status 0x00000142, on, on PBDMA, pending\n"
        "channel 2047: status 0x00000e34, off, next, PBDMA faulted, engine faulted, to be reloaded, PBDMA busy, engine "
        "busy\n"
        "PBDMA 0x040000: channel 5, GP GET 3 PUT 4, pushbuffer GET 0x1000 PUT 0x2000 REF 0x0, header 0x00000000\n"
        "PBDMA 0x040800: does not answer, 0xbad0da00\n"
        "engine 0: TSG 5, busy\n"
        "engine 1: TSG 3, loads, to be reloaded, faulted, next TSG 263\n"
        "runlist 0x0b2400 of NVJPG0, device0: 0 entries at 0x0 of VRAM\n";
    (void)state;
    EXPECT_CHANNELS("GA100", pokes, want);
    EXPECT_CHANNELS("GH100", pokes, want);
    EXPECT_CHANNELS("GA102", none, "the table of devices at 0x22800 has no runlist\n");
}

static void a_card_that_went_away_has_no_channels(void **state) {
    static const char *const chips[] = {"NV40", "GT215"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct tree tree = tree_new(pfifo_chip_info(pfifo_chip_by_name(chips[i])).boot0);
        expect_output(&tree, "--write", "w32 PMC.ENABLE 0\nchannels\n", "PFIFO is off in PMC.ENABLE\n");
        expect_refusal(&tree, "--write", "w32 0 ~0\nchannels\n", " does not answer\n");
        tree_free(&tree);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(channels_of_nv1_are_in_cache1_and_ramro),
        cmocka_unit_test(channels_of_nv4_are_in_cache1_and_ramfc),
        cmocka_unit_test(channels_of_nv4x_are_in_dma_user_too),
        cmocka_unit_test(channels_of_tesla_are_in_the_table),
        cmocka_unit_test(ramfc_of_tesla_is_looked_at_where_the_window_is),
        cmocka_unit_test(the_window_is_moved_only_by_permission_and_put_back),
        cmocka_unit_test(the_window_is_written_to_be_moved),
        cmocka_unit_test(channels_of_a_tesla_model_have_the_same_view),
        cmocka_unit_test(channels_of_g80_have_ramfc_in_the_descriptor),
        cmocka_unit_test(channels_of_gf100_are_in_the_table_and_on_psubfifos),
        cmocka_unit_test(channels_of_gk104_are_in_pccsr_and_on_pbdmas),
        cmocka_unit_test(channels_of_ga100_are_found_by_the_table_of_devices),
        cmocka_unit_test(a_card_that_went_away_has_no_channels),
    };
    unsetenv("PFIFO_TRACE");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
