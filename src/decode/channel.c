/* SPDX-License-Identifier: MIT */
#include "decode/decoder.h"
#include "decode/words_capture.h"

#include <pfifo/classes.h>

#include <stdlib.h>
#include <string.h>

#define COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

/*
 * On GK104 and later the engine of a subchannel is fixed, and drivers use the copy engine on subchannel 4 without
 * binding it. nouveau and NVIDIA's user space for Tegra use the same order.
 */
void decode_default_classes(const struct pfifo_chip *chip, uint32_t classes[DECODE_SUBCHANNELS]) {
    static const char *const families[] = {"3d", "compute", "i2m", "2d", "copy"};

    memset(classes, 0, DECODE_SUBCHANNELS * sizeof classes[0]);
    if (!chip->binds_classes || chip->has_engine_in_object)
        return;
    for (size_t i = 0; i < COUNT_OF(chip->classes) && chip->classes[i]; i++) {
        const struct pfifo_class *found = pfifo_class_find(chip->classes[i]);
        for (size_t s = 0; found && s < COUNT_OF(families); s++)
            if (!classes[s] && strcmp(found->family, families[s]) == 0)
                classes[s] = found->id;
    }
}

static struct decode_channel *channel_find_channel(struct pfifo_decoder *decoder, uint32_t id) {
    size_t last = decoder->last_channel;

    if (last < decoder->channel_count && decoder->channels[last].id == id)
        return &decoder->channels[last];
    for (size_t i = 0; i < decoder->channel_count; i++)
        if (decoder->channels[i].id == id) {
            decoder->last_channel = i;
            return &decoder->channels[i];
        }
    return NULL;
}

static struct decode_channel *find_dead(struct pfifo_decoder *decoder) {
    for (size_t i = 0; i < decoder->channel_count; i++)
        if (!decoder->channels[i].alive)
            return &decoder->channels[i];
    return NULL;
}

static struct decode_channel *add_channel(struct pfifo_decoder *decoder, struct pfifo_error *error) {
    if (decoder->channel_count == PFIFO_DECODE_MAX_CHANNELS) {
        struct decode_channel *dead = find_dead(decoder);
        if (!dead)
            pfifo_error_set(error, PFIFO_ERROR_UNSUPPORTED, "more than %d channels at a time",
                            PFIFO_DECODE_MAX_CHANNELS);
        return dead;
    }
    if (decoder->channel_count == decoder->channel_room) {
        size_t room = decoder->channel_room ? decoder->channel_room * 2 : 8;
        struct decode_channel *channels = realloc(decoder->channels, room * sizeof *channels);
        if (!channels) {
            pfifo_error_set(error, PFIFO_ERROR_MEMORY, "no memory for a channel");
            return NULL;
        }
        decoder->channels = channels;
        decoder->channel_room = room;
    }
    return &decoder->channels[decoder->channel_count++];
}

struct decode_channel *decode_channel_get(struct pfifo_decoder *decoder, uint32_t id, struct pfifo_error *error) {
    struct decode_channel *channel = channel_find_channel(decoder, id);

    if (!channel)
        channel = add_channel(decoder, error);
    else if (channel->alive)
        return channel;
    if (!channel)
        return NULL;
    *channel = (struct decode_channel){.id = id, .serial = ++decoder->serials, .alive = true, .mode = decoder->mode};
    memcpy(channel->bound, decoder->default_class, sizeof channel->bound);
    return channel;
}

/* The answer is kept, as words under examination are read again and again. */
static uint32_t ask_class(struct pfifo_decoder *decoder, const struct decode_channel *channel, uint32_t handle) {
    uint32_t oclass = decoder->handle_class(decoder->handle_opaque, handle);

    decode_objects_put(&decoder->objects, &(struct decode_object){channel->serial, handle, oclass, NULL});
    return oclass;
}

/* Only a class that the chip has: any small number is some class. */
static uint32_t guess_class(const struct pfifo_chip *chip, uint32_t handle) {
    uint32_t oclass = words_class_of_handle(chip, handle);

    return chip_lists_class(chip, oclass) ? oclass : 0;
}

/*
 * Before GF100 the data of method 0 is a handle, which RAMHT knows. On GF100 and later it is the class, but nouveau
 * gives its software objects a number of its own (0x906e, with the engine 0x1f906e): the object's record in the capture
 * has the class.
 */
uint32_t decode_channel_class(struct pfifo_decoder *decoder, const struct decode_channel *channel, uint32_t data) {
    const struct decode_object *object = decode_objects_get(&decoder->objects, channel->serial, data);

    if (!decoder->chip->binds_classes && !object && decoder->handle_class)
        return ask_class(decoder, channel, data);
    if (!decoder->chip->binds_classes && !object && decoder->guesses_handles)
        return guess_class(decoder->chip, data);
    if (!decoder->chip->binds_classes)
        return object ? object->oclass : 0;
    return object && object->oclass > 0xffff ? object->oclass : data & 0xffff;
}

void decode_channel_bind(struct pfifo_decoder *decoder, struct decode_channel *channel, unsigned subchannel,
                         uint32_t data) {
    channel->bound[subchannel] = decode_channel_class(decoder, channel, data);
}
