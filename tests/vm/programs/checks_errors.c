/* SPDX-License-Identifier: MIT */
/*
 * A program makes a mistake, in a process and a channel of its own. The kernel's log says which mistake it was, as the
 * program made it, and another program goes on.
 */
#include "checks.h"
#include "kernel.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define SUBCHANNEL  5u
#define FORMAT      0x324u /* of M2MF */
#define BAD_METHOD  0x1f00u
#define SHAPE       0x580u /* of the 2D object */
#define POINT_X     0x600u
#define POINT_Y     0x604u
#define BAD_DATA    0x600dbad1u
#define BAD_HANDLE  0xdeadbee1u
#define BAD_CLASS   0x12adu
#define BAD_ADDRESS UINT64_C(0x7f12345000)
#define BAD_OFFSET  UINT64_C(0x7ff45000) /* beyond any DMA object */
#define BAD_WORD    0xe0000003u          /* before Fermi; there it ends a segment */
#define BAD_HEADER  0xc0000003u          /* an operation that is reserved from Fermi on */

#define TEXTS 4

struct mistake {
    const char *name;
    void (*make)(struct channel *channel, struct words *words);
    const char *channel;               /* what the log has before the channel's number */
    const char *texts[FORMATS][TEXTS]; /* and beside it; NULL: nothing more */
};

/*
 * One that the class does not have. Up to NV1x the driver is silent about those, on G80 and later the model refuses
 * none: there it is a bad value.
 */
static void make_method(struct channel *channel, struct words *words) {
    const struct family *family = channel->device->family;

    if (family->format == METHODS_OF_HANDLES) {
        words_bind_copy(words);
        words_method(words, COPY_SUBCHANNEL, channel->device->chipset < 0x20 ? FORMAT : BAD_METHOD, BAD_DATA);
        return;
    }
    words_method(words, COPY_SUBCHANNEL, 0, family->format == METHODS_OF_CLASSES ? family->twod : HANDLE_TWOD);
    words_method(words, COPY_SUBCHANNEL, SHAPE, 7);
    words_method(words, COPY_SUBCHANNEL, POINT_X, 1);
    words_method(words, COPY_SUBCHANNEL, POINT_Y, BAD_DATA);
}

static void make_handle(struct channel *channel, struct words *words) {
    words_method(words, SUBCHANNEL, 0, channel->device->family->format == METHODS_OF_CLASSES ? BAD_CLASS : BAD_HANDLE);
}

static void make_address(struct channel *channel, struct words *words) {
    uint64_t address = channel->device->family->format == METHODS_OF_HANDLES ? BAD_OFFSET : BAD_ADDRESS;

    words_bind_copy(words);
    words_copy_raw(words, GART, address, GART, address, 1);
}

static void make_word(struct channel *channel, struct words *words) {
    words_bind_copy(words);
    words_add(words, channel->device->family->format == METHODS_OF_CLASSES ? BAD_HEADER : BAD_WORD);
}

static const struct mistake mistakes[] = {
    {"method",
     make_method,
     "ch",
     {{"subc 4", "mthd ", "data 600dbad1"},
      {"subc 4", "mthd 0604", "data 600dbad1"},
      {"subc 4", "mthd 0604", "data 600dbad1"}}},
    {"handle",
     make_handle,
     "ch",
     {{"CACHE_ERROR", "subc 5", "mthd 0000", "data deadbee1"},
      {"CACHE_ERROR", "subc 5", "mthd 0000", "data deadbee1"},
      {"ILLEGAL_CLASS", "subc 5", "mthd 0000", "data 000012ad"}}},
    {"address",
     make_address,
     "ch",
     {{"subc 4", "mthd 0328", "data 00000000"}, {"subc 4", "mthd 0328", "data 00000000"}, {NULL}}},
    {"fault", make_address, "channel", {{NULL}, {"trapped", "7f12345000"}, {"fault", "7f12345000"}}},
    {"word", make_word, "ch", {{"DMA_PUSHER", "INVALID_CMD"}, {"DMA_PUSHER", "INVALID_CMD"}, {"PBDMA", "00040000"}}},
};

/* Other words are lost with a bad one. What is submitted later brings the fence. */
static void go_on(struct channel *channel) {
    struct words words = {.family = channel->device->family};

    words_bind_copy(&words);
    channel_submit(channel, &words, NULL, 0);
}

static void make_mistake(void *opaque) {
    const struct mistake *mistake = opaque;
    struct device device;
    struct channel channel;
    struct log log;
    char name[16];

    device_open(&device);
    channel_open(&device, &channel);
    log_open_at_end(&log);
    struct words words = {.family = device.family};
    const char *const *texts = mistake->texts[device.family->format];
    mistake->make(&channel, &words);
    channel_submit(&channel, &words, NULL, 0);
    snprintf(name, sizeof name, "%s %d [", mistake->channel, channel.id);
    const char *const all[] = {name, texts[0], texts[1], texts[2], texts[3], NULL};
    if (!log_wait(&log, all))
        fail("the log has no line with '%s', '%s', '%s', '%s', '%s'", name, texts[0], texts[1],
             texts[2] ? texts[2] : "", texts[3] ? texts[3] : "");
    go_on(&channel);
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
