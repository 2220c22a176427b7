/* SPDX-License-Identifier: MIT */
/*
 * What Mesa's NVK does with libdrm before it calls the node: it looks for a device with a render node, on PCI or with a
 * device tree, and asks the node for its PCI device. Then a buffer is mapped where the program has reserved addresses.
 * Prints what is wrong, and fails.
 */
#include <stdint.h>

#include <drm.h>
#include <fcntl.h>
#include <nouveau_drm.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>

#define BYTES         (UINT64_C(3) << 12)
#define MOST_DEVICES  8
#define NVIDIA_VENDOR 0x10de

static bool says(const char *what) {
    fprintf(stderr, "%s\n", what);
    return false;
}

static uint64_t getparam(int fd, uint64_t number) {
    struct drm_nouveau_getparam request = {.param = number};
    return ioctl(fd, DRM_IOWR(DRM_COMMAND_BASE + DRM_NOUVEAU_GETPARAM, struct drm_nouveau_getparam), &request) == 0
               ? request.value
               : UINT64_MAX;
}

static bool is_platform_of_nvidia(const drmDevice *device) {
    for (char **at = device->deviceinfo.platform->compatible; at && *at; at++)
        if (strncmp(*at, "nvidia,", 7) == 0)
            return true;
    return says("no compatible of the device begins with nvidia,");
}

static bool is_the_device(const drmDevice *device, int fd) {
    const uint64_t told = getparam(fd, NOUVEAU_GETPARAM_PCI_DEVICE);
    if (device->bustype == DRM_BUS_PLATFORM)
        return is_platform_of_nvidia(device) && (told == 0 || says("a PCI device that is none"));
    if (device->bustype != DRM_BUS_PCI)
        return says("neither on PCI nor a platform's");
    if (device->deviceinfo.pci->vendor_id != NVIDIA_VENDOR)
        return says("not of NVIDIA");
    return device->deviceinfo.pci->device_id == told || says("GETPARAM tells of another PCI device");
}

/* In the middle of what is reserved; what lies around it stays. */
static bool maps_at_an_address(int fd) {
    struct drm_nouveau_gem_new new = {
        .info = {.domain = NOUVEAU_GEM_DOMAIN_GART | NOUVEAU_GEM_DOMAIN_MAPPABLE, .size = BYTES}, .align = 4096};
    if (ioctl(fd, DRM_IOWR(DRM_COMMAND_BASE + DRM_NOUVEAU_GEM_NEW, struct drm_nouveau_gem_new), &new) != 0)
        return says("no buffer");
    const int access = PROT_READ | PROT_WRITE;
    uint8_t *room = mmap(NULL, 3 * BYTES, access, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED)
        return says("no addresses");
    memset(room, 0x11, 3 * BYTES);
    uint8_t *fixed = mmap(room + BYTES, BYTES, access, MAP_SHARED | MAP_FIXED, fd, (off_t) new.info.map_handle),
            *other = mmap(NULL, BYTES, access, MAP_SHARED, fd, (off_t) new.info.map_handle);
    if (fixed != room + BYTES || other == MAP_FAILED)
        return says("the buffer is not mapped where it should be");
    fixed[0] = 0x22;
    fixed[BYTES - 1] = 0x33;
    if (other[0] != 0x22 || other[BYTES - 1] != 0x33 || other[1] != 0)
        return says("both mappings are not one memory");
    if (room[BYTES - 1] != 0x11 || room[2 * BYTES] != 0x11)
        return says("what lay around the mapping is gone");
    munmap(other, BYTES);
    return munmap(room, 3 * BYTES) == 0 || says("munmap()");
}

static bool is_right(const drmDevice *device) {
    int fd = open(device->nodes[DRM_NODE_RENDER], O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return says("the render node cannot be opened");
    bool right = is_the_device(device, fd) && maps_at_an_address(fd);
    close(fd);
    return right;
}

int main(void) {
    drmDevicePtr devices[MOST_DEVICES];
    int count = drmGetDevices2(0, devices, MOST_DEVICES);
    bool right = false;
    for (int i = 0; i < count && !right; i++)
        if (devices[i]->available_nodes & 1 << DRM_NODE_RENDER)
            right = is_right(devices[i]);
    if (count < 1)
        says("libdrm finds no device");
    else
        drmFreeDevices(devices, count);
    return right ? 0 : 1;
}
