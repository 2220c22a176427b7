/* SPDX-License-Identifier: MIT */
/* Values: addresses, memory, what methods hold. */
#include "face/tool/debug.h"

#include "face/common/text.h"
#include "face/tool/examine.h"

#include <pfifo/classes.h>
#include <pfifo/registers.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 4096 };

/* ---- numbers ---- */

static bool term(struct debug *debug, const char *text, uint64_t *number, struct pfifo_error *error) {
    const struct pfifo_replay_progress *progress = debug ? &debug->progress : NULL;

    if (text_to_number(text, number))
        return true;
    if (strcmp(text, "$pc") != 0 && strcmp(text, "$header") != 0)
        return refuse(error, "'%.60s' is no number", text);
    if (!progress || !progress->next.has_address)
        return refuse(error, "%s is not known here: no method comes next", text);
    *number = text[1] == 'p' ? progress->next.address : progress->header;
    return true;
}

bool debug_number(struct debug *debug, const char *text, uint64_t *number, struct pfifo_error *error) {
    char copy[128], *rest;
    uint64_t sum = 0, part;

    if (strlen(text) >= sizeof copy || !*text)
        return refuse(error, "'%.60s' is no number", text);
    snprintf(copy, sizeof copy, "%s", text);
    for (char *at = copy; at; at = rest) {
        rest = strchr(at, '+');
        if (rest)
            *rest++ = 0;
        if (!term(debug, at, &part, error))
            return false;
        if (part > UINT64_MAX - sum)
            return refuse(error, "'%.60s' is too large", text);
        sum += part;
    }
    *number = sum;
    return true;
}

/* ---- memory ---- */

static struct pfifo_vm *space_of(struct debug *debug, uint32_t channel) {
    struct pfifo_device *device = pfifo_replay_device(debug->replay);
    struct pfifo_vm *vm = channel == UINT32_MAX ? NULL : pfifo_device_channel_vm(device, channel);

    if (channel == UINT32_MAX)
        for (uint32_t i = 0; i < CHANNELS && !vm; i++)
            vm = pfifo_device_channel_vm(device, i);
    return vm ? vm : pfifo_device_vm(device, NULL);
}

static bool read_byte_range(struct debug *debug, uint32_t channel, uint64_t address, uint8_t *data, size_t bytes) {
    while (bytes) {
        uint64_t offset = 0, in_page = 4096 - address % 4096, part = bytes < in_page ? bytes : in_page;
        struct pfifo_buffer *buffer = pfifo_replay_at(debug->replay, channel, address, &offset);
        if (!buffer || !pfifo_buffer_peek(buffer, offset, data, part))
            return false;
        address += part;
        data += part;
        bytes -= part;
    }
    return true;
}

static bool read_seen(struct debug *debug, uint32_t channel, uint64_t address, void *data, size_t bytes) {
    struct pfifo_vm *vm = space_of(debug, channel);
    struct pfifo_vm_map map = {.size = sizeof map};
    uint64_t end = address + bytes;

    if (end < address)
        return false;
    if (!vm)
        return read_byte_range(debug, channel, address, data, bytes);
    for (uint64_t at = address; at < end; at = map.address + map.bytes)
        if (!pfifo_vm_at(vm, at, &map) || !map.bytes || map.address + map.bytes <= at)
            return false;
    return pfifo_vm_read(vm, address, data, bytes);
}

bool debug_read_memory(struct debug *debug, const struct break_memory *memory, void *data, size_t bytes) {
    struct pfifo_buffer *buffer;

    if (memory->kind == MEMORY_SEEN)
        return read_seen(debug, memory->channel, memory->address, data, bytes);
    if (memory->kind == MEMORY_BUFFER) {
        buffer = pfifo_replay_buffer(debug->replay, memory->handle);
        return buffer && pfifo_buffer_peek(buffer, memory->address, data, bytes);
    }
    return breaks_read_physical(debug->gpu, memory->kind == MEMORY_VRAM, memory->address, data, bytes);
}

static bool parse_buffer(struct debug *debug, const char *text, struct break_memory *memory,
                         struct pfifo_error *error) {
    const char *plus = strchr(text, '+');
    char copy[32];
    uint64_t handle;

    snprintf(copy, sizeof copy, "%.*s", plus ? (int)(plus - text) : (int)strlen(text), text);
    if (!debug_number(debug, copy, &handle, error) || (plus && !debug_number(debug, plus + 1, &memory->address, error)))
        return false;
    memory->handle = (uint32_t)handle;
    return (handle <= UINT32_MAX && pfifo_replay_buffer(debug->replay, memory->handle)) ||
           refuse(error, "there is no buffer %" PRIu64 " now; info buffers lists them", handle);
}

bool debug_parse_memory(struct debug *debug, const char *text, struct break_memory *memory, struct pfifo_error *error) {
    static const char *const spaces[] = {"", "vram:", "sys:", "buffer:"};

    *memory = (struct break_memory){.channel = debug->channel};
    for (unsigned i = MEMORY_VRAM; i <= MEMORY_BUFFER; i++)
        if (strncmp(text, spaces[i], strlen(spaces[i])) == 0)
            memory->kind = i;
    text += strlen(spaces[memory->kind]);
    return memory->kind == MEMORY_BUFFER ? parse_buffer(debug, text, memory, error)
                                         : debug_number(debug, text, &memory->address, error);
}

/* ---- x/FMT ---- */

static void print_line(void *opaque, const char *line) {
    (void)opaque;
    fputs(line, stdout);
}

bool debug_cmd_examine(struct debug *debug, unsigned count, char **argument, const char *rest,
                       struct pfifo_error *error) {
    const char *slash = argument[1][0] == '/' ? argument[1] + 1 : "";
    struct examine_format format;
    struct break_memory memory;
    uint8_t *data;
    bool done;

    (void)rest;
    if (!examine_parse(slash, &format, error))
        return false;
    if (*slash ? count != 3 : count != 2)
        return refuse(error, "usage: x/FMT ADDRESS");
    if (!debug_parse_memory(debug, argument[count - 1], &memory, error))
        return false;
    data = calloc(format.count, format.bytes);
    if (!data)
        return refuse(error, "no memory");
    done = debug_read_memory(debug, &memory, data, format.count * format.bytes) ||
           refuse(error, "%" PRIu64 " bytes at %.60s: not all of them are there", format.count * format.bytes,
                  argument[count - 1]);
    if (done)
        examine_print(&format, "", memory.address, data, print_line, NULL);
    free(data);
    return done;
}

/* ---- print ---- */

static void print_method(const struct debug_object *object, uint32_t method, uint32_t value) {
    const struct pfifo_class *class = pfifo_class_find(object->oclass);
    char name[PFIFO_METHOD_NAME_BYTES] = "", text[1024];
    struct pfifo_method_name known;

    if (pfifo_method_find(object->oclass, method, &known))
        pfifo_method_format(&known, name, sizeof name);
    pfifo_method_describe(object->oclass, method, value, text, sizeof text);
    printf("channel %" PRIu32 ": %04" PRIx32 " %s %04" PRIx32 " %s = 0x%08" PRIx32 "%s%s\n", object->channel,
           object->oclass, class ? class->name : "?", method, name, value, text[0] ? "  " : "", text);
}

/* "METHOD", "CLASS.METHOD", of all objects that have been bound. */
static bool print_methods(struct debug *debug, const char *text) {
    const char *dot = strchr(text, '.'), *name = dot ? dot + 1 : text;
    char first[PFIFO_METHOD_NAME_BYTES] = "";
    bool any = false;

    snprintf(first, sizeof first, "%.*s", dot ? (int)(dot - text) : 0, text);
    for (size_t i = 0; i < debug->objects; i++) {
        const struct debug_object *object = &debug->object[i];
        const struct pfifo_class *class = dot ? pfifo_class_by_name(first) : NULL;
        uint32_t method = 0, value = 0;
        if ((dot && (!class || class->id != object->oclass)) || !pfifo_method_by_name(object->oclass, name, &method) ||
            !pfifo_gpu_method_value(debug->gpu, object->channel, object->oclass, method, &value))
            continue;
        print_method(object, method, value);
        any = true;
    }
    return any;
}

bool debug_cmd_print(struct debug *debug, unsigned count, char **argument, const char *rest,
                     struct pfifo_error *error) {
    struct pfifo_error reason = {0};
    char line[DEBUG_LINE_BYTES + 8];
    uint64_t number = 0;
    uint32_t offset;

    (void)count, (void)rest;
    if (argument[1][0] == '$' || isdigit((unsigned char)argument[1][0])) {
        if (!debug_number(debug, argument[1], &number, error))
            return false;
        printf("0x%" PRIx64 " = %" PRIu64 "\n", number, number);
        return true;
    }
    if (print_methods(debug, argument[1]))
        return true;
    if (pfifo_registers_find(pfifo_gpu_registers(debug->gpu), argument[1], &offset, &reason) != PFIFO_OK)
        return refuse(error, "'%.60s' is neither a register nor a method of an object that was bound", argument[1]);
    snprintf(line, sizeof line, "r32 %s", argument[1]);
    return debug_machine_line(debug, line, error);
}
