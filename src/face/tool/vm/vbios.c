/* SPDX-License-Identifier: MIT */
/* Source: PCI Firmware Specification 3.0, 5.1: headers of expansion ROMs */
#include "face/tool/vm/vbios.h"

#include "face/tool/tool.h"

#include <pfifo/pci.h>

#include <stdlib.h>
#include <string.h>

#define HEADER    0x1au /* up to the pointer to the data structure */
#define SIZE      2u    /* of the image, in blocks of 512 bytes */
#define POINTER   0x18u
#define STRUCTURE 0x18u /* its bytes */

static unsigned get_u16(const struct vbios *vbios, size_t at) {
    return vbios->data[at] | (unsigned)vbios->data[at + 1] << 8;
}

/* All of the file, and one byte more than any ROM has. */
static bool vbios_read_all(struct vbios *vbios, const char *path) {
    FILE *file = fopen(path, "rb");

    vbios->data = file ? malloc(PFIFO_PCI_ROM_MAX + 1) : NULL;
    if (vbios->data)
        vbios->bytes = fread(vbios->data, 1, PFIFO_PCI_ROM_MAX + 1, file);
    bool read = vbios->data && !ferror(file);
    if (!read)
        tool_cannot(path, "read");
    if (file)
        fclose(file);
    return read;
}

static bool vbios_check(const struct vbios *vbios, const char *path) {
    if (vbios->bytes > PFIFO_PCI_ROM_MAX) {
        tool_message("%s: offset %u: a ROM has no more bytes", path, PFIFO_PCI_ROM_MAX);
        return false;
    }
    if (vbios->bytes < HEADER) {
        tool_message("%s: offset %zu: it ends within the header of %u bytes", path, vbios->bytes, HEADER);
        return false;
    }
    if (get_u16(vbios, 0) != 0xaa55) {
        tool_message("%s: offset 0: %02x %02x, but an image begins with 55 aa", path, vbios->data[0], vbios->data[1]);
        return false;
    }
    size_t image = vbios->data[SIZE] * (size_t)512, at = get_u16(vbios, POINTER);
    if (!image || image > vbios->bytes) {
        tool_message("%s: offset %u: an image of %zu bytes, in a file of %zu", path, SIZE, image, vbios->bytes);
        return false;
    }
    if (at + STRUCTURE > image || memcmp(vbios->data + at, "PCIR", 4) != 0) {
        tool_message("%s: offset %u: 0x%zx is not where PCIR is", path, POINTER, at);
        return false;
    }
    return true;
}

bool vbios_read(struct vbios *vbios, const char *path) {
    *vbios = (struct vbios){0};
    if (!path || (vbios_read_all(vbios, path) && vbios_check(vbios, path)))
        return true;
    vbios_free(vbios);
    return false;
}

void vbios_free(struct vbios *vbios) {
    free(vbios->data);
    *vbios = (struct vbios){0};
}
