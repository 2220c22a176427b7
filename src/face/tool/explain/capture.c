/* SPDX-License-Identifier: MIT */
/*
 * Words of structures in the memory of a capture, at some place of its run.
 *
 *   KIND:0xADDRESS             as the channel that worked last sees memory, G80 and later
 *   KIND:buffer:HANDLE+OFFSET  in a buffer
 *   tic:N, tsc:N               entry N of the pool of the last 3D object
 *   qmd:last                   that of the last launch
 *
 * Of chips whose machine is not built only the first two, as the records of the capture have it (recorded.c).
 */
#include "face/tool/explain/structure.h"

#include <pfifo/classes.h>
#include <pfifo/launch.h>
#include <pfifo/vm.h>

#include "face/common/text.h"
#include "face/tool/command/interrupt.h"
#include "face/tool/command/refuse.h"
#include "face/tool/replay/buffer_place.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

enum { ENTRY_BYTES = 32 };
/* Upper half of the address of a pool, the lower one and the last entry after it. Source: NVIDIA open-gpu-doc classes/3d. */
enum { SAMPLER_POOL = 0x155c, HEADER_POOL = 0x1574 };

enum where { WHERE_ADDRESS, WHERE_BUFFER, WHERE_POOL, WHERE_LAUNCH };

/* What is asked for, and what was found of it. */
struct reading {
    const struct pfifo_chip *chip;
    enum pfifo_structure_kind kind;
    enum where where;
    uint64_t number; /* the address, or the entry of the pool */
    struct buffer_place buffer;
    bool has_place;
    struct explain_words *words;
    struct pfifo_error error; /* why there is nothing */
    bool is_firm;             /* and that was so while the memory was there */

    struct play play;
    struct pfifo_buffer *leaving;
    size_t bind;
    uint32_t channel, oclass; /* that worked last; the 3D object that was bound last */
    bool has_channel;
    uint64_t qmd;
};

static bool parse_place(struct reading *reading, const char *text, struct pfifo_error *error) {
    const bool pool = reading->kind == PFIFO_STRUCTURE_TIC || reading->kind == PFIFO_STRUCTURE_TSC;

    if (strncasecmp(text, "buffer:", 7) == 0) {
        reading->where = WHERE_BUFFER;
        return buffer_place_parse(text + 7, &reading->buffer, error);
    }
    if (reading->kind == PFIFO_STRUCTURE_QMD && strcasecmp(text, "last") == 0) {
        reading->where = WHERE_LAUNCH;
        return true;
    }
    reading->where = pool && strncasecmp(text, "0x", 2) != 0 ? WHERE_POOL : WHERE_ADDRESS;
    if (text_to_number(text, &reading->number))
        return true;
    return refuse(error, "'%.60s' is not a place in a capture: 0xADDRESS, buffer:HANDLE+OFFSET%s", text,
                  pool                                   ? " or the number of an entry of the pool"
                  : reading->kind == PFIFO_STRUCTURE_QMD ? " or last"
                                                         : "");
}

static struct pfifo_vm *space_of(struct reading *reading, struct pfifo_error *error) {
    struct pfifo_device *device = pfifo_replay_device(reading->play.replay);
    struct pfifo_vm *vm = reading->has_channel ? pfifo_device_channel_vm(device, reading->channel) : NULL;

    return vm ? vm : pfifo_device_vm(device, error);
}

/* The address of an entry of a pool. */
static bool pool_entry(struct reading *reading, uint64_t *address, struct pfifo_error *error) {
    const uint32_t pool = reading->kind == PFIFO_STRUCTURE_TIC ? HEADER_POOL : SAMPLER_POOL;
    uint32_t value[3] = {0};

    for (unsigned i = 0; reading->oclass && i < 3; i++)
        pfifo_gpu_method_value(reading->play.gpu, reading->channel, reading->oclass, pool + 4 * i, &value[i]);
    *address = (uint64_t)value[0] << 32 | value[1];
    if (!*address)
        return refuse(error, "there is no pool of a 3D object");
    reading->is_firm = reading->number > value[2];
    if (reading->is_firm)
        return refuse(error, "the pool ends with entry %" PRIu32, value[2]);
    *address += reading->number * ENTRY_BYTES;
    return true;
}

static bool read_bytes(struct reading *reading, uint8_t *data, size_t bytes, struct pfifo_error *error) {
    const struct buffer_place *place = &reading->buffer;
    uint64_t address = reading->number;
    struct pfifo_buffer *buffer;
    struct pfifo_vm *vm;

    if (reading->where == WHERE_BUFFER) {
        buffer = reading->leaving ? reading->leaving : pfifo_replay_buffer(reading->play.replay, place->handle);
        return (buffer && pfifo_buffer_peek(buffer, place->offset, data, bytes)) ||
               refuse(error, "%zu bytes at 0x%" PRIx64 " are not in a buffer %" PRIu32, bytes, place->offset,
                      place->handle);
    }
    vm = space_of(reading, error);
    if (!vm)
        return false;
    if (reading->where == WHERE_POOL && !pool_entry(reading, &address, error))
        return false;
    if (reading->where == WHERE_LAUNCH && !reading->qmd)
        return refuse(error, "no launch with a QMD was executed");
    address = reading->where == WHERE_LAUNCH ? reading->qmd : address;
    return pfifo_vm_read(vm, address, data, bytes) || refuse(error, "nothing is mapped at 0x%" PRIx64, address);
}

static bool read_words(struct reading *reading, size_t count, struct pfifo_error *error) {
    uint8_t data[4 * PFIFO_STRUCTURE_WORDS];

    if (!read_bytes(reading, data, 4 * count, error))
        return false;
    reading->words->count = 0;
    return explain_words_add(reading->words, data, count, error);
}

/* What was read before stays if nothing is there any more. */
static void look(struct reading *reading) {
    struct explain_words *words = reading->words;
    const bool was_firm = reading->is_firm;
    struct pfifo_error error = {0};
    size_t count = pfifo_structure_words(reading->chip, reading->kind, NULL, 0), longer;

    if (!count)
        return;
    reading->is_firm = false;
    if (!read_words(reading, count, &error)) {
        if (!words->count && (reading->is_firm || !was_firm))
            reading->error = error;
        reading->is_firm |= was_firm;
        return;
    }
    longer = pfifo_structure_words(reading->chip, reading->kind, words->word, count);
    if (longer > count)
        read_words(reading, longer, &error);
}

static void capture_sees(void *opaque, const struct pfifo_event *event) {
    struct reading *reading = opaque;
    const struct pfifo_class *class;

    if (reading->play.is_reached[0])
        return;
    reading->channel = event->channel;
    reading->has_channel = true;
    class = event->id == reading->bind ? pfifo_class_find((uint32_t)event->value[2]) : NULL;
    if (class && strcmp(class->family, "3d") == 0)
        reading->oclass = class->id;
    if (event->launch && event->launch->qmd) {
        reading->qmd = event->launch->qmd;
        if (!reading->has_place && reading->where == WHERE_LAUNCH)
            look(reading);
    }
}

static void capture_reached(void *opaque, unsigned number) {
    (void)number;
    look(opaque);
}

static void capture_closes(void *opaque) {
    struct reading *reading = opaque;

    if (!reading->has_place)
        look(reading);
}

static void capture_loses(void *opaque, uint32_t handle, struct pfifo_buffer *buffer) {
    struct reading *reading = opaque;

    if (reading->has_place)
        return;
    reading->leaving = reading->where == WHERE_BUFFER && handle == reading->buffer.handle ? buffer : NULL;
    look(reading);
    reading->leaving = NULL;
}

static bool capture_has_enough(void *opaque) {
    return ((const struct reading *)opaque)->play.is_reached[0];
}

static bool run_capture(struct reading *reading, struct pfifo_stream *stream, const struct place *at) {
    char text[256];
    bool done;

    reading->bind = pfifo_event_find("puller.bind");
    reading->play = (struct play){.chip = reading->chip,
                                  .events = "puller.bind,engine.draw,engine.launched",
                                  .place = {*at},
                                  .sees = capture_sees,
                                  .reached = capture_reached,
                                  .closes = capture_closes,
                                  .gone = capture_loses,
                                  .enough = capture_has_enough,
                                  .opaque = reading};
    done = play_begin(&reading->play, stream, &reading->error);
    if (done)
        reading->chip = pfifo_gpu_chip(reading->play.gpu);
    done = done && play_run(&reading->play, &reading->error) == PFIFO_OK && !interrupt_seen();
    if (done && at->given && !reading->play.is_reached[0]) {
        play_missed(&reading->play, 0, text, sizeof text);
        done = refuse(&reading->error, "%s", text);
    } else if (done && !at->given) {
        look(reading);
    }
    play_end(&reading->play);
    return done;
}

/* The chip whose machine would have to run; NULL: the capture does not say. */
static const struct pfifo_chip *chip_of(const struct reading *reading, const struct pfifo_stream *stream) {
    const uint32_t chipset = pfifo_stream_chipset(stream);

    return reading->chip || !chipset ? reading->chip : pfifo_chip_by_id(chipset);
}

/* Of a chip whose machine is not built. */
static bool read_records(struct reading *reading, struct pfifo_stream *stream, const struct place *at) {
    const struct explain_recorded place = {.in_buffer = reading->where == WHERE_BUFFER,
                                           .address = reading->number,
                                           .handle = reading->buffer.handle,
                                           .offset = reading->buffer.offset};
    const char *chip = pfifo_chip_info(reading->chip).name;

    if (at->given)
        return refuse(&reading->error,
                      "the machine of %s is not built, so there is only what the records say at the end", chip);
    if (reading->where == WHERE_POOL || reading->where == WHERE_LAUNCH)
        return refuse(&reading->error, "the machine of %s is not built: give 0xADDRESS or buffer:HANDLE+OFFSET", chip);
    return explain_recorded_words(stream, reading->chip, reading->kind, &place, reading->words, &reading->error);
}

bool explain_capture_words(const struct explain_capture *capture, enum pfifo_structure_kind kind, const char *place,
                           struct explain_words *words, const struct pfifo_chip **chip, struct pfifo_error *error) {
    struct reading reading = {.chip = *chip, .kind = kind, .has_place = capture->at.given, .words = words};
    struct pfifo_stream *stream;
    bool done;

    if (!parse_place(&reading, place, error))
        return false;
    stream = tool_open(capture->path, error);
    if (!stream)
        return false;
    const struct pfifo_chip *its = chip_of(&reading, stream);
    if (its && !pfifo_chip_info(its).runs) {
        reading.chip = its;
        done = read_records(&reading, stream, &capture->at);
    } else {
        done = run_capture(&reading, stream, &capture->at);
    }
    pfifo_stream_close(stream);
    if (done && !pfifo_structure_words(reading.chip, kind, NULL, 0))
        done =
            refuse(&reading.error, "%s has no %s", pfifo_chip_info(reading.chip).name, pfifo_structure_kind_text(kind));
    *chip = reading.chip;
    if (!done || !words->count)
        *error = reading.error;
    return done && words->count;
}
