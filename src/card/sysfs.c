/* SPDX-License-Identifier: MIT */
/* The files of a device. */
#include "card/card.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEVICES   "bus/pci/devices"
#define MAX_TEXT  4096
#define MAX_FILES 65536 /* entries of a folder that are read at most */

/* A folder, and its name in messages. */
struct folder {
    const char *root, *address;
    int fd;
};

static enum pfifo_status sysfs_fail(const struct folder *folder, const char *name, enum pfifo_status status,
                                    const char *reason, struct pfifo_error *error) {
    return pfifo_error_set(error, status, "%.60s/" DEVICES "/%s/%s: %.120s", folder->root, folder->address, name,
                           reason);
}

/* The beginning of a file, at most `size` bytes. Returns the bytes read, or -1 with errno. */
static ssize_t sysfs_read_file(const struct folder *folder, const char *name, void *data, size_t size) {
    int fd = openat(folder->fd, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    size_t used = 0;
    ssize_t part = fd < 0 ? -1 : 1;

    while (part > 0 && used < size) {
        part = read(fd, (char *)data + used, size - used);
        used += part > 0 ? (size_t)part : 0;
    }
    int reason = errno;
    if (fd >= 0)
        close(fd);
    errno = reason;
    return part < 0 ? -1 : (ssize_t)used;
}

static enum pfifo_status read_id(const struct folder *folder, const char *name, uint16_t *id,
                                 struct pfifo_error *error) {
    char text[32];
    ssize_t bytes = sysfs_read_file(folder, name, text, sizeof text);

    if (bytes < 0)
        return sysfs_fail(folder, name, PFIFO_ERROR_IO, strerror(errno), error);
    if (!pci_parse_id(text, (size_t)bytes, id))
        return sysfs_fail(folder, name, PFIFO_ERROR_FORMAT, "offset 0: no number like 0x10de", error);
    return PFIFO_OK;
}

static enum pfifo_status read_resource(const struct folder *folder, struct pci_device *device,
                                       struct pfifo_error *error) {
    struct pfifo_error why = {0};
    char text[MAX_TEXT];
    ssize_t bytes = sysfs_read_file(folder, "resource", text, sizeof text);

    if (bytes < 0)
        return sysfs_fail(folder, "resource", PFIFO_ERROR_IO, strerror(errno), error);
    if (pci_parse_resource(text, (size_t)bytes, device->bars, &why) != PFIFO_OK)
        return sysfs_fail(folder, "resource", PFIFO_ERROR_FORMAT, why.message, error);
    return PFIFO_OK;
}

static enum pfifo_status sysfs_read_config(const struct folder *folder, struct pci_device *device,
                                           struct pfifo_error *error) {
    struct pfifo_error why = {0};
    uint8_t config[PCI_CONFIG];
    ssize_t bytes = sysfs_read_file(folder, "config", config, sizeof config);

    if (bytes < 0)
        return sysfs_fail(folder, "config", PFIFO_ERROR_IO, strerror(errno), error);
    if (pci_parse_config(config, (size_t)bytes, device, &why) != PFIFO_OK)
        return sysfs_fail(folder, "config", PFIFO_ERROR_FORMAT, why.message, error);
    return PFIFO_OK;
}

/* The last part of the name that the link leads to. */
static void read_driver(const struct folder *folder, char *driver, size_t size) {
    char target[512];
    ssize_t bytes = readlinkat(folder->fd, "driver", target, sizeof target - 1);

    driver[0] = 0;
    if (bytes <= 0)
        return;
    target[bytes] = 0;
    const char *slash = strrchr(target, '/'), *name = slash ? slash + 1 : target;
    if (strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == strlen(name))
        snprintf(driver, size, "%.*s", (int)size - 1, name);
}

/* The device may be powered down. Older kernels have no such file. */
static void read_power(const struct folder *folder, struct pci_device *device) {
    static const char *const asleep[] = {"D1", "D2", "D3hot", "D3cold"};
    char text[32] = "";

    if (sysfs_read_file(folder, "power_state", text, sizeof text - 1) <= 0)
        return;
    text[strcspn(text, "\n")] = 0;
    for (size_t i = 0; i < sizeof asleep / sizeof asleep[0]; i++)
        if (strcmp(text, asleep[i]) == 0)
            device->asleep = asleep[i];
}

static enum pfifo_status sysfs_read_all(const struct folder *folder, struct pci_device *device,
                                        struct pfifo_error *error) {
    enum pfifo_status status = read_id(folder, "vendor", &device->vendor, error);

    read_driver(folder, device->driver, sizeof device->driver);
    if (status == PFIFO_OK)
        status = read_id(folder, "device", &device->device, error);
    if (status == PFIFO_OK)
        status = sysfs_read_config(folder, device, error);
    if (status == PFIFO_OK)
        status = read_resource(folder, device, error);
    /* Read last, because reading the header may have woken the device. */
    read_power(folder, device);
    return status;
}

enum pfifo_status pci_read(const char *root, const char *address, struct pci_device *device,
                           struct pfifo_error *error) {
    struct folder folder = {.root = root};
    char path[4096];

    *device = (struct pci_device){0};
    if (!pci_parse_address(address, device->address))
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "'%.60s' is no address of a PCI device, like 0000:01:00.0",
                               address);
    folder.address = device->address;
    if ((size_t)snprintf(path, sizeof path, "%s/" DEVICES "/%s", root, device->address) >= sizeof path)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "the name of the tree is too long");
    folder.fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder.fd < 0)
        return pfifo_error_set(error, PFIFO_ERROR_ARGUMENT, "there is no %.60s/" DEVICES "/%s: %s", root,
                               device->address, strerror(errno));
    enum pfifo_status status = sysfs_read_all(&folder, device, error);
    close(folder.fd);
    return status;
}

static int sysfs_by_name(const struct dirent **a, const struct dirent **b) {
    return strcmp((*a)->d_name, (*b)->d_name);
}

size_t pci_each(const char *root, void (*call)(void *opaque, const struct pci_device *device), void *opaque) {
    char path[4096];
    struct dirent **entries;
    size_t count = 0;

    snprintf(path, sizeof path, "%s/" DEVICES, root);
    int found = scandir(path, &entries, NULL, sysfs_by_name);
    for (int i = 0; i < found; i++) {
        struct pci_device device;
        if (i < MAX_FILES && pci_read(root, entries[i]->d_name, &device, NULL) == PFIFO_OK && pci_is_gpu(&device)) {
            call(opaque, &device);
            count++;
        }
        free(entries[i]);
    }
    if (found >= 0)
        free(entries);
    return count;
}
