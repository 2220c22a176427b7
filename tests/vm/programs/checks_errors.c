/* SPDX-License-Identifier: MIT */
/*
 * A program makes a mistake, in a process and a channel of its own. The kernel's log says which mistake it was, as the
 * program made it, and another program goes on.
 */
#include "checks.h"
#include "kernel.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FORMAT      0x324u /* of M2MF */
#define BAD_METHOD  0x1f00u
#define SHAPE       0x580u /* of the 2D object */
#define POINT_X     0x600u
#define POINT_Y     0x604u
#define RECTANGLE   4u
#define A8R8G8B8    0xcfu
#define BAD_DATA    0x600dbad1u
#define BAD_HANDLE  0xdeadbee1u
#define BAD_CLASS   0x12adu
#define BAD_ADDRESS UINT64_C(0x7f12345000)
#define BAD_OFFSET  UINT64_C(0x7ff45000) /* beyond any DMA object */
#define BAD_WORD    0xe0000003u          /* before Fermi; there it ends a segment */
#define BAD_HEADER  0xc0000003u          /* an operation that is reserved from Fermi on */

#define TEXTS 3

#define NO_SUBCHANNEL UINT_MAX

struct mistake {
    const char *name;
    /* Returns the subchannel that the log has. */
    unsigned (*make)(struct channel *channel, struct words *words);
    const char *channel;               /* what the log has before the channel's number */
    const char *texts[FORMATS][TEXTS]; /* and beside it; NULL: nothing more */
    bool ends_channel[FORMATS];        /* or may, in some kernels */
};

static void bind_twod(const struct family *family, struct words *words) {
    words_method(words, family->twod_subchannel, 0, family->format == METHODS_OF_CLASSES ? family->twod : HANDLE_TWOD);
}

/*
 * One that the class does not have. Up to NV1x the driver is silent about those, on G80 and later the model refuses
 * none: there it is a bad value.
 */
static unsigned make_method(struct channel *channel, struct words *words) {
    const struct family *family = channel->device->family;

    if (family->format == METHODS_OF_HANDLES) {
        words_bind_copy(words);
        words_method(words, COPY_SUBCHANNEL, channel->device->chipset < 0x20 ? FORMAT : BAD_METHOD, BAD_DATA);
        return COPY_SUBCHANNEL;
    }
    bind_twod(family, words);
    words_method(words, family->twod_subchannel, SHAPE, 7);
    words_method(words, family->twod_subchannel, POINT_X, 1);
    words_method(words, family->twod_subchannel, POINT_Y, BAD_DATA);
    return family->twod_subchannel;
}

static unsigned make_handle(struct channel *channel, struct words *words) {
    const struct family *family = channel->device->family;

    words_method(words, family->free_subchannel, 0, family->format == METHODS_OF_CLASSES ? BAD_CLASS : BAD_HANDLE);
    return family->free_subchannel;
}

static unsigned make_address(struct channel *channel, struct words *words) {
    uint64_t address = channel->device->family->format == METHODS_OF_HANDLES ? BAD_OFFSET : BAD_ADDRESS;

    words_bind_copy(words);
    words_copy_raw(words, GART, address, GART, address, 1);
    return COPY_SUBCHANNEL;
}

/* A rectangle of one row. */
static void fill_address(const struct family *family, struct words *words, uint64_t address) {
    const uint32_t methods[][2] = {
        {0x200, A8R8G8B8},
        {0x204, 1},
        {0x214, ROW_BYTES},
        {0x218, 64},
        {0x21c, 1},
        {0x220, (uint32_t)(address >> 32)},
        {0x224, (uint32_t)address},
        {SHAPE, RECTANGLE},
        {0x584, A8R8G8B8},
        {0x588, BAD_DATA},
        {POINT_X, 0},
        {POINT_Y, 0},
        {0x608, 64},
        {0x60c, 1},
    };

    bind_twod(family, words);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++)
        words_method(words, family->twod_subchannel, methods[i][0], methods[i][1]);
}

/*
 * Of PGRAPH. A copy engine's is not tried: Linux 6.1 takes its first copy engine for whichever has faulted, and ends
 * the channel that is on that one, its own (gk104_fifo_fault(): the instance of the engine is always 0).
 */
static unsigned make_fault(struct channel *channel, struct words *words) {
    const struct family *family = channel->device->family;

    if (family_has_copy_engine(family))
        fill_address(family, words, BAD_ADDRESS);
    else
        make_address(channel, words);
    return NO_SUBCHANNEL;
}

static unsigned make_word(struct channel *channel, struct words *words) {
    words_bind_copy(words);
    words_add(words, channel->device->family->format == METHODS_OF_CLASSES ? BAD_HEADER : BAD_WORD);
    return NO_SUBCHANNEL;
}

static const struct mistake mistakes[] = {
    {"method",
     make_method,
     "ch",
     {{"mthd ", "data 600dbad1"}, {"mthd 0604", "data 600dbad1"}, {"mthd 0604", "data 600dbad1"}},
     {false}},
    {"handle",
     make_handle,
     "ch",
     {{"CACHE_ERROR", "mthd 0000", "data deadbee1"},
      {"CACHE_ERROR", "mthd 0000", "data deadbee1"},
      {"ILLEGAL_CLASS", "mthd 0000", "data 000012ad"}},
     {false}},
    {"address", make_address, "ch", {{"mthd 0328", "data 00000000"}, {"mthd 0328", "data 00000000"}, {NULL}}, {false}},
    {"fault",
     make_fault,
     "channel",
     {{NULL}, {"trapped", "7f12345000"}, {"fault", "7f12345000"}},
     {[METHODS_OF_CLASSES] = true}},
    {"word",
     make_word,
     "ch",
     {{"DMA_PUSHER", "INVALID_CMD"}, {"DMA_PUSHER", "INVALID_CMD"}, {"PBDMA", "00040000"}},
     {[METHODS_OF_CLASSES] = true}}, /* Linux 6.2 and later */
};

/*
 * Other words are lost with a bad one. What is submitted later brings the fence. A channel that the kernel ends takes
 * nothing more, as soon as the kernel has told itself.
 */
static void submit(struct channel *channel, const struct words *words, bool may_have_ended) {
    int error = channel_try_submit(channel, words);
    if (error && !(may_have_ended && error == ENODEV))
        fail("GEM_PUSHBUF: %s", strerror(error));
}

static void go_on(struct channel *channel, bool may_have_ended) {
    struct words words = {.family = channel->device->family};

    words_bind_copy(&words);
    submit(channel, &words, may_have_ended);
}

static void make_mistake(void *opaque) {
    const struct mistake *mistake = opaque;
    struct device device;
    struct channel channel;
    struct log log;
    char name[16], place[16] = "";

    device_open(&device);
    channel_open(&device, &channel);
    log_open_at_end(&log);
    struct words words = {.family = device.family};
    const char *const *texts = mistake->texts[device.family->format];
    unsigned subchannel = mistake->make(&channel, &words);
    /* Linux 6.2 and later may have ended the channel before the submission returns, and then returns an error. */
    submit(&channel, &words, mistake->ends_channel[device.family->format]);
    snprintf(name, sizeof name, "%s %d [", mistake->channel, channel.id);
    if (subchannel != NO_SUBCHANNEL)
        snprintf(place, sizeof place, "subc %u", subchannel);
    const char *const all[] = {name, place, texts[0], texts[1], texts[2], NULL};
    if (!log_wait(&log, all))
        fail("the log has no line with '%s', '%s', '%s', '%s', '%s'", name, place, texts[0], texts[1],
             texts[2] ? texts[2] : "");
    go_on(&channel, mistake->ends_channel[device.family->format]);
    log_close(&log);
}

void check_errors(void) {
    struct device device;
    struct channel channel;
    unsigned failed = 0;

    device_open(&device);
    channel_open(&device, &channel);
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
        if (!mistakes[i].texts[device.family->format][0])
            continue;
        current_check = mistakes[i].name;
        int status = in_process(make_mistake, (void *)&mistakes[i]);
        if (status == 0)
            status = in_process(work_with, &channel);
        if (status == 0)
            printf("ok %s\n", current_check);
        failed += status != 0;
    }
    channel_close(&channel);
    device_close(&device);
    if (failed)
        _exit(1);
}
