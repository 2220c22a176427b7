/* SPDX-License-Identifier: MIT */
/*
 * NVIF, nouveau's object interface: as much of it as programs may use. Linux drivers/gpu/drm/nouveau/nouveau_usif.c,
 * nouveau_abi16.c, include/nvif/{ioctl,cl0080}.h. Errors are those of nouveau_usif.c, of the kernels that have version
 * 1.3.1; from 6.11 on nouveau_abi16.c answers all that is wrong with EINVAL.
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
#include "face/drm/node/classes.h"
#include "face/drm/node/nouveau.h"

#define DEVICE_CLASS  0x80
#define MOST_OBJECTS  1024u
#define WHOLE_DEVICE  UINT64_MAX /* as a channel's number: the device that channels belong to */
#define PASCAL_FAMILY 0x0a

struct drm_nvif_object {
    uint64_t object; /* as the program calls it */
    int32_t oclass;
    uint64_t channel; /* serial of the channel that it is on, 0: none */
    uint32_t handle;  /* on the channel */
};

/* The part after the header. */
struct reply {
    uint8_t *data;
    size_t bytes;
};

static struct drm_nvif_object *nvif_find_object(struct drm_file *file, uint64_t object) {
    for (unsigned i = 0; i < file->nvif_count; i++)
        if (file->nvif[i].object == object)
            return &file->nvif[i];
    return NULL;
}

static struct drm_channel *channel_with(const struct drm_file *file, uint64_t serial) {
    struct drm_channel *channel = file->channels;
    while (channel && channel->serial != serial)
        channel = channel->next;
    return channel;
}

/* Objects go with their channel. */
static void forget_freed(struct drm_file *file) {
    for (unsigned i = 0; i < file->nvif_count;)
        if (file->nvif[i].channel && !channel_with(file, file->nvif[i].channel))
            file->nvif[i] = file->nvif[--file->nvif_count];
        else
            i++;
}

/* ---- the device ---- */

/* By generation, as nouveau numbers families (cl0080.h; nvkm/engine/device/user.c, nvkm_udevice_info()). */
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
    static const uint8_t platforms[] = {[BOARD_AGP] = NV_DEVICE_INFO_V0_AGP,
                                        [BOARD_PCI] = NV_DEVICE_INFO_V0_PCI,
                                        [BOARD_PCIE] = NV_DEVICE_INFO_V0_PCIE,
                                        [BOARD_SOC] = NV_DEVICE_INFO_V0_SOC};
    return board_is_integrated(chip) ? NV_DEVICE_INFO_V0_IGP : platforms[board_bus(chip)];
}

static void nvif_copy_name(char *to, size_t room, const char *name) {
    for (size_t i = 0; i + 1 < room && name[i]; i++)
        to[i] = name[i];
}

static int device_info(struct drm_file *file, struct reply reply) {
    struct drm_device *device = file->device;
    const struct pfifo_chip *chip = device->config.chip;
    struct nv_device_info_v0 info = {.platform = platform_of(chip),
                                     .chipset = (uint16_t)pfifo_chip_info(chip).id,
                                     .revision = (uint8_t)chip->boot0,
                                     .family = family_of(chip),
                                     .ram_size = nouveau_vram_size(device),
                                     .ram_user = nouveau_vram_bytes(device)};
    if (reply.bytes < sizeof info || reply.data[0] != info.version)
        return -ENOSYS;
    nvif_copy_name(info.chip, sizeof info.chip, board_chip_name(chip));
    nvif_copy_name(info.name, sizeof info.name, board_product(chip));
    memcpy(reply.data, &info, sizeof info);
    return 0;
}

static int device_time(struct drm_file *file, struct reply reply) {
    const struct nv_device_time_v0 time = {.time = nouveau_time(file->device)};
    if (reply.bytes < sizeof time || reply.data[0] != time.version)
        return -ENOSYS;
    memcpy(reply.data, &time, sizeof time);
    return 0;
}

static int nvif_method(struct drm_file *file, int32_t oclass, struct reply reply) {
    struct nvif_ioctl_mthd_v0 method;
    if (reply.bytes < sizeof method)
        return -ENOSYS;
    memcpy(&method, reply.data, sizeof method);
    if (method.version != 0)
        return -ENOSYS;
    const struct reply rest = {reply.data + sizeof method, reply.bytes - sizeof method};
    if (oclass == DEVICE_CLASS && method.method == NV_DEVICE_V0_INFO)
        return device_info(file, rest);
    if (oclass == DEVICE_CLASS && method.method == NV_DEVICE_V0_TIME)
        return device_time(file, rest);
    drm_log(file->device, "nvif: method %02x of class %x is not implemented", method.method, (unsigned)oclass);
    return -EINVAL;
}

static int method_of(struct drm_file *file, uint64_t object, struct reply reply) {
    const struct drm_nvif_object *found = nvif_find_object(file, object);
    return found ? nvif_method(file, found->oclass, reply) : -ENOENT;
}

/* ---- making and ending objects ---- */

static int check_own(const struct drm_file *file, const struct nvif_ioctl_new_v0 *request) {
    if (request->oclass == DEVICE_CLASS)
        return 0;
    drm_log(file->device, "nvif: class %x is not implemented", (unsigned)request->oclass);
    return -EINVAL;
}

/* A channel's object is the channel's; the program ends it by the name that it has given it. */
static int nvif_new(struct drm_file *file, struct drm_channel *channel, struct reply reply) {
    struct nvif_ioctl_new_v0 request;
    if (reply.bytes < sizeof request)
        return -ENOSYS;
    memcpy(&request, reply.data, sizeof request);
    if (request.version != 0)
        return -ENOSYS;
    forget_freed(file);
    if (nvif_find_object(file, request.object))
        return -EEXIST;
    if (file->nvif_count == MOST_OBJECTS)
        return -ENOMEM;
    struct drm_nvif_object *objects = realloc(file->nvif, (file->nvif_count + 1) * sizeof *objects);
    if (!objects)
        return -ENOMEM;
    file->nvif = objects;
    int status = channel ? drm_channel_object(channel, request.handle, request.oclass) : check_own(file, &request);
    if (status == 0)
        file->nvif[file->nvif_count++] = (struct drm_nvif_object){
            request.object, request.oclass, channel ? channel->serial : 0, channel ? request.handle : 0};
    return status;
}

static int nvif_delete(struct drm_file *file, uint64_t object) {
    forget_freed(file);
    struct drm_nvif_object *found = nvif_find_object(file, object);
    if (!found)
        return -ENOENT;
    struct drm_channel *channel = found->channel ? channel_with(file, found->channel) : NULL;
    if (channel)
        drm_channel_forget_object(channel, found->handle);
    *found = file->nvif[--file->nvif_count];
    return 0;
}

/* ---- which classes are there ---- */

/* The device that channels belong to, or what the channel's runlist offers. */
static unsigned list_classes(const struct drm_channel *channel, struct drm_class list[DRM_MOST_CLASSES]) {
    list[0] = (struct drm_class){DEVICE_CLASS, 0};
    if (!channel)
        return 1;
    return drm_classes(channel->file->device->config.chip, channel->engine, list, DRM_MOST_CLASSES);
}

/* The count that comes back is that of all, however many there was room for. */
static int nvif_classes(const struct drm_channel *channel, struct reply reply) {
    struct nvif_ioctl_sclass_v0 list;
    struct nvif_ioctl_sclass_oclass_v0 entry;
    struct drm_class classes[DRM_MOST_CLASSES];
    if (reply.bytes < sizeof list)
        return -ENOSYS;
    memcpy(&list, reply.data, sizeof list);
    if (list.version != 0)
        return -ENOSYS;
    if (reply.bytes != sizeof list + list.count * sizeof entry)
        return -EINVAL;
    unsigned count = list_classes(channel, classes);
    for (unsigned i = 0; i < count && i < list.count; i++) {
        entry = (struct nvif_ioctl_sclass_oclass_v0){classes[i].oclass, classes[i].version, classes[i].version};
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

/* Only these three pass (nouveau_abi16.c, nouveau_abi16_usif()). */
static int call_channel(struct drm_file *file, const struct nvif_ioctl_v0 *header, struct reply reply) {
    if (header->type != NVIF_IOCTL_V0_NEW && header->type != NVIF_IOCTL_V0_SCLASS && header->type != NVIF_IOCTL_V0_MTHD)
        return -EACCES;
    struct drm_channel *channel = drm_file_channel(file, (uint32_t)header->token);
    bool device = header->token == WHOLE_DEVICE;
    if (!channel && !device)
        return -EINVAL;
    if (header->type == NVIF_IOCTL_V0_NEW)
        return nvif_new(file, channel, reply);
    if (header->type == NVIF_IOCTL_V0_SCLASS)
        return nvif_classes(channel, reply);
    return nvif_method(file, device ? DEVICE_CLASS : 0, reply);
}

static int call_own(struct drm_file *file, const struct nvif_ioctl_v0 *header, struct reply reply) {
    switch (header->type) {
    case NVIF_IOCTL_V0_NOP:
        return nvif_nop(reply);
    case NVIF_IOCTL_V0_NEW:
        return nvif_new(file, NULL, reply);
    case NVIF_IOCTL_V0_DEL:
        return nvif_delete(file, header->object);
    case NVIF_IOCTL_V0_MTHD:
        return method_of(file, header->object, reply);
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
    if (header.route == NVIF_IOCTL_V0_ROUTE_HIDDEN)
        return call_channel(file, &header, reply);
    return header.route == NVIF_IOCTL_V0_ROUTE_NVIF ? call_own(file, &header, reply) : -EINVAL;
}
