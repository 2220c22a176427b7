/* SPDX-License-Identifier: MIT */
/*
 * NVIF, nouveau's object interface: as much of it as programs may use. Linux drivers/gpu/drm/nouveau/nouveau_usif.c,
 * nouveau_abi16.c, include/nvif/{ioctl,cl0080}.h.
 *
 *   route 0      objects that the program has made by NVIF: the device
 *   route 0xff   objects of a channel, whose number is the token
 */
#include <drm.h>
#include <errno.h>
#include <nouveau/nvif/ioctl.h>
#include <nouveau/nvif/cl0080.h>
#include <stdlib.h>
#include <string.h>

#include "chip/chip.h"
#include "face/drm/board.h"
#include "face/drm/node/channel.h"
#include "face/drm/node/nouveau.h"

#define DEVICE_CLASS  0x80
#define MOST_OBJECTS  64u
#define PASCAL_FAMILY 0x0a

struct drm_nvif_object {
    uint64_t object; /* as the program calls it */
    int32_t oclass;
};

/* The part behind the header. */
struct reply {
    uint8_t *data;
    size_t bytes;
};

static struct drm_nvif_object *find_object(struct drm_file *file, uint64_t object) {
    for (unsigned i = 0; i < file->nvif_count; i++)
        if (file->nvif[i].object == object)
            return &file->nvif[i];
    return NULL;
}

/* ---- the device ---- */

/* By generation, as nouveau numbers families (cl0080.h). */
static uint8_t family_of(const struct pfifo_chip *chip) {
    static const struct family_row {
        const char *chips;
        uint8_t family;
    } rows[] = {{"NV40:G80", NV_DEVICE_INFO_V0_CURIE},      {"G80:GF100", NV_DEVICE_INFO_V0_TESLA},
                {"GF100:GK104", NV_DEVICE_INFO_V0_FERMI},   {"GK104:GM107", NV_DEVICE_INFO_V0_KEPLER},
                {"GM107:GP100", NV_DEVICE_INFO_V0_MAXWELL}, {"GP100-", PASCAL_FAMILY}};
    const struct family_row *row = CHIP_ROW(chip, rows);
    return row->family;
}

static uint8_t platform_of(const struct pfifo_chip *chip) {
    if (!board_pci_device(chip))
        return NV_DEVICE_INFO_V0_SOC;
    return chip->vram_bytes && !chip->has_stolen_vram ? NV_DEVICE_INFO_V0_PCIE : NV_DEVICE_INFO_V0_IGP;
}

static void copy_name(char *to, size_t room, const char *name) {
    for (size_t i = 0; i + 1 < room && name[i]; i++)
        to[i] = name[i];
}

static int device_info(struct drm_file *file, struct reply reply) {
    struct drm_device *device = file->device;
    const struct pfifo_chip *chip = device->config.chip;
    struct nv_device_info_v0 info = {.platform = platform_of(chip),
                                     .chipset = (uint16_t)pfifo_chip_info(chip).id,
                                     .revision = 0xa1,
                                     .family = family_of(chip),
                                     .ram_size = chip->vram_bytes ? nouveau_vram_bytes(device) : 0,
                                     .ram_user = nouveau_vram_bytes(device)};
    if (reply.bytes < sizeof info)
        return -ENOSYS;
    copy_name(info.chip, sizeof info.chip, pfifo_chip_info(chip).name);
    copy_name(info.name, sizeof info.name, pfifo_chip_info(chip).name);
    memcpy(reply.data, &info, sizeof info);
    return 0;
}

static int device_time(struct drm_file *file, struct reply reply) {
    const struct nv_device_time_v0 time = {.time = nouveau_time(file->device)};
    if (reply.bytes < sizeof time)
        return -ENOSYS;
    memcpy(reply.data, &time, sizeof time);
    return 0;
}

static int nvif_method(struct drm_file *file, uint64_t object, struct reply reply) {
    struct nvif_ioctl_mthd_v0 method;
    if (reply.bytes < sizeof method)
        return -ENOSYS;
    memcpy(&method, reply.data, sizeof method);
    const struct drm_nvif_object *found = find_object(file, object);
    if (!found)
        return -ENOENT;
    const struct reply rest = {reply.data + sizeof method, reply.bytes - sizeof method};
    if (method.version == 0 && method.method == NV_DEVICE_V0_INFO)
        return device_info(file, rest);
    if (method.version == 0 && method.method == NV_DEVICE_V0_TIME)
        return device_time(file, rest);
    drm_log(file->device, "nvif: method %02x of class %x is not implemented", method.method, (unsigned)found->oclass);
    return -EINVAL;
}

/* ---- making and ending objects ---- */

static int new_own(struct drm_file *file, const struct nvif_ioctl_new_v0 *request) {
    if (request->oclass != DEVICE_CLASS) {
        drm_log(file->device, "nvif: class %x is not implemented", (unsigned)request->oclass);
        return -EINVAL;
    }
    if (find_object(file, request->object))
        return -EEXIST;
    if (file->nvif_count == MOST_OBJECTS)
        return -ENOMEM;
    struct drm_nvif_object *objects = realloc(file->nvif, (file->nvif_count + 1) * sizeof *objects);
    if (!objects)
        return -ENOMEM;
    file->nvif = objects;
    file->nvif[file->nvif_count++] = (struct drm_nvif_object){request->object, request->oclass};
    return 0;
}

static int delete_own(struct drm_file *file, uint64_t object) {
    struct drm_nvif_object *found = find_object(file, object);
    if (!found)
        return -ENOENT;
    *found = file->nvif[--file->nvif_count];
    return 0;
}

static int nvif_new(struct drm_file *file, struct drm_channel *channel, struct reply reply) {
    struct nvif_ioctl_new_v0 request;
    if (reply.bytes < sizeof request)
        return -ENOSYS;
    memcpy(&request, reply.data, sizeof request);
    if (request.version != 0)
        return -ENOSYS;
    return channel ? drm_channel_object(channel, request.handle, request.oclass) : new_own(file, &request);
}

/* ---- which classes are there ---- */

#define MOST_CLASSES 64u

static int nvif_classes(const struct drm_channel *channel, struct reply reply) {
    struct nvif_ioctl_sclass_v0 list;
    struct nvif_ioctl_sclass_oclass_v0 entry = {0};
    uint16_t classes[MOST_CLASSES] = {DEVICE_CLASS};
    if (reply.bytes < sizeof list)
        return -ENOSYS;
    memcpy(&list, reply.data, sizeof list);
    if (reply.bytes != sizeof list + list.count * sizeof entry)
        return -EINVAL;
    unsigned count = channel ? drm_channel_classes(channel, classes, MOST_CLASSES) : 1;
    for (unsigned i = 0; i < count && i < list.count; i++) {
        entry.oclass = classes[i];
        memcpy(reply.data + sizeof list + i * sizeof entry, &entry, sizeof entry);
    }
    list.count = (uint8_t)count;
    memcpy(reply.data, &list, sizeof list);
    return 0;
}

static int nvif_nop(struct reply reply) {
    const struct nvif_ioctl_nop_v0 nop = {NVIF_VERSION_LATEST};
    if (reply.bytes < sizeof nop)
        return -ENOSYS;
    memcpy(reply.data, &nop, sizeof nop);
    return 0;
}

/* By the channel's objects only these three pass (nouveau_abi16_ioctl(), abi16 route). */
static int call_channel(struct drm_file *file, const struct nvif_ioctl_v0 *header, struct reply reply) {
    struct drm_channel *channel = header->token <= UINT32_MAX ? drm_file_channel(file, (uint32_t)header->token) : NULL;
    if (!channel)
        return -EINVAL;
    switch (header->type) {
    case NVIF_IOCTL_V0_NEW:
        return nvif_new(file, channel, reply);
    case NVIF_IOCTL_V0_SCLASS:
        return nvif_classes(channel, reply);
    case NVIF_IOCTL_V0_MTHD:
        drm_log(file->device, "nvif: methods of a channel are not implemented");
        return -EINVAL;
    default:
        return -EACCES;
    }
}

static int call_own(struct drm_file *file, const struct nvif_ioctl_v0 *header, struct reply reply) {
    switch (header->type) {
    case NVIF_IOCTL_V0_NOP:
        return nvif_nop(reply);
    case NVIF_IOCTL_V0_NEW:
        return nvif_new(file, NULL, reply);
    case NVIF_IOCTL_V0_DEL:
        return delete_own(file, header->object);
    case NVIF_IOCTL_V0_MTHD:
        return nvif_method(file, header->object, reply);
    case NVIF_IOCTL_V0_SCLASS:
        return nvif_classes(NULL, reply);
    default:
        drm_log(file->device, "nvif: type %02x is not implemented", header->type);
        return -EINVAL;
    }
}

int drm_nvif(struct drm_file *file, void *data, size_t bytes) {
    struct nvif_ioctl_v0 header;
    if (bytes < sizeof header)
        return -ENOSYS;
    memcpy(&header, data, sizeof header);
    if (header.version != 0)
        return -ENOSYS;
    const struct reply reply = {(uint8_t *)data + sizeof header, bytes - sizeof header};
    return header.route == NVIF_IOCTL_V0_ROUTE_HIDDEN ? call_channel(file, &header, reply)
                                                      : call_own(file, &header, reply);
}
