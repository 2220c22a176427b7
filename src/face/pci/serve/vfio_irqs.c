/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/vfio_irqs.h"

#include "face/pci/serve/vfio_user.h"

#include <errno.h>
#include <unistd.h>

#define IRQ_EVENTFD    0x1u
#define IRQ_MASKABLE   0x2u
#define IRQ_AUTOMASKED 0x4u
#define IRQ_NORESIZE   0x8u

#define DATA_NONE      0x1u
#define DATA_BOOL      0x2u
#define DATA_EVENTFD   0x4u
#define ACTION_MASK    0x8u
#define ACTION_UNMASK  0x10u
#define ACTION_TRIGGER 0x20u

void vfio_irqs_begin(struct vfio_irqs *irqs) {
    *irqs = (struct vfio_irqs){.intx = -1, .unmask = -1, .msi = -1};
}

static void vfio_irqs_replace(int *fd, int by) {
    if (*fd >= 0)
        close(*fd);
    *fd = by;
}

void vfio_irqs_end(struct vfio_irqs *irqs) {
    vfio_irqs_replace(&irqs->intx, -1);
    vfio_irqs_replace(&irqs->unmask, -1);
    vfio_irqs_replace(&irqs->msi, -1);
    event_fd_bell_end(&irqs->bell);
}

uint32_t vfio_irqs_info(const struct vfio_irqs *irqs, uint32_t index, uint32_t *flags) {
    *flags = 0;
    if (index == VFIO_IRQ_INTX) {
        *flags = IRQ_EVENTFD | IRQ_MASKABLE | IRQ_AUTOMASKED;
        return 1;
    }
    if (index == VFIO_IRQ_MSI && irqs->has_msi) {
        *flags = IRQ_EVENTFD | IRQ_NORESIZE;
        return 1;
    }
    return 0;
}

static void show_level(struct vfio_irqs *irqs) {
    if (!irqs->level || irqs->masked || irqs->intx < 0)
        return;
    irqs->masked = true;
    event_fd_signal(&irqs->bell, irqs->intx);
}

void vfio_irqs_level(struct vfio_irqs *irqs, bool level) {
    irqs->level = level;
    show_level(irqs);
}

void vfio_irqs_message(struct vfio_irqs *irqs) {
    event_fd_signal(&irqs->bell, irqs->msi);
}

static void set_mask(struct vfio_irqs *irqs, bool masked) {
    irqs->masked = masked;
    show_level(irqs);
}

void vfio_irqs_unmask(struct vfio_irqs *irqs) {
    if (irqs->unmask >= 0 && event_fd_take(irqs->unmask))
        set_mask(irqs, false);
}

static int take_eventfd(int *place, int *fds, unsigned fd_count) {
    if (fd_count > 1 || (fd_count && !event_fd_is(fds[0])))
        return EINVAL;
    if (!fd_count) {
        vfio_irqs_replace(place, -1);
        return 0;
    }
    vfio_irqs_replace(place, fds[0]);
    fds[0] = -1;
    return 0;
}

static int vfio_irqs_trigger(struct vfio_irqs *irqs, uint32_t index, uint32_t count, uint32_t data, bool chosen,
                             int *fds, unsigned fd_count) {
    int *place = index == VFIO_IRQ_INTX ? &irqs->intx : &irqs->msi;
    int number = 0;

    if (data == DATA_EVENTFD)
        number = take_eventfd(place, fds, fd_count);
    else if (count == 0)
        vfio_irqs_replace(place, -1);
    else if (chosen)
        event_fd_signal(&irqs->bell, *place); /* what the card would do */
    /* A line that nobody listened to was not masked by its signal; and one that nobody hears any more is not masked. */
    if (number == 0 && index == VFIO_IRQ_INTX && (data == DATA_EVENTFD || count == 0))
        set_mask(irqs, false);
    return number;
}

static bool is_one_bit(uint32_t bits) {
    return bits && !(bits & (bits - 1));
}

int vfio_irqs_set(struct vfio_irqs *irqs, const uint8_t *payload, size_t bytes, int *fds, unsigned fd_count) {
    uint32_t field[VFIO_SET_IRQS_BYTES / 4], unused;

    if (bytes < VFIO_SET_IRQS_BYTES)
        return EINVAL;
    for (unsigned i = 0; i < VFIO_SET_IRQS_BYTES / 4; i++)
        field[i] = (uint32_t)vfio_user_get(payload + 4 * (size_t)i, 4);
    uint32_t flags = field[1], index = field[2], start = field[3], count = field[4];
    uint32_t data = flags & (DATA_NONE | DATA_BOOL | DATA_EVENTFD), action = flags & ~data;
    uint32_t there = index < VFIO_IRQS ? vfio_irqs_info(irqs, index, &unused) : 0;
    if (!is_one_bit(data) || !is_one_bit(action) || action < ACTION_MASK || action > ACTION_TRIGGER || !there ||
        start > there || count > there - start || (data != DATA_EVENTFD && fd_count))
        return EINVAL;
    if (count == 0 && (action != ACTION_TRIGGER || data != DATA_NONE))
        return EINVAL;
    if (bytes != VFIO_SET_IRQS_BYTES + (data == DATA_BOOL ? count : 0))
        return EINVAL;
    bool chosen = data != DATA_BOOL || payload[VFIO_SET_IRQS_BYTES];
    if (action == ACTION_TRIGGER)
        return vfio_irqs_trigger(irqs, index, count, data, chosen, fds, fd_count);
    if (index != VFIO_IRQ_INTX)
        return EINVAL;
    if (data == DATA_EVENTFD)
        return action == ACTION_UNMASK ? take_eventfd(&irqs->unmask, fds, fd_count) : EOPNOTSUPP;
    if (chosen)
        set_mask(irqs, action == ACTION_MASK);
    return 0;
}
