/* SPDX-License-Identifier: MIT */
/* Make a GM107, open a channel, bind the 3D class to subchannel 0, write a method and read it back. */
#include <pfifo/driver.h>

#include <stdio.h>

static int fail(const struct pfifo_error *error) {
    fprintf(stderr, "%s\n", error->message);
    return 1;
}

int main(void) {
    struct pfifo_error error = {0};
    struct pfifo_device_config config = {.gpu.chip = pfifo_chip_by_name("GM107")};
    struct pfifo_device *device = pfifo_device_open(&config, &error);
    if (!device)
        return fail(&error);
    struct pfifo_channel *channel = pfifo_channel_open(device, &(struct pfifo_channel_config){0}, &error);
    struct pfifo_buffer *push = channel ? pfifo_buffer_new(device, PFIFO_GART, 4096, 0, &error) : NULL;
    const uint32_t words[] = {
        0x20010000, 0xb097, /* SET_OBJECT: MAXWELL_A */
        0x20010500, 42,     /* method 0x1400, increasing, one word */
    };
    if (!push || !pfifo_buffer_write(push, 0, words, sizeof words) ||
        pfifo_channel_submit(channel, pfifo_buffer_address(push), sizeof words, 0, &error) != PFIFO_OK ||
        pfifo_device_wait(device, 1000, &error) != PFIFO_OK) {
        pfifo_device_close(device);
        return fail(&error);
    }
    uint32_t value = 0;
    pfifo_gpu_method_value(pfifo_device_gpu(device), pfifo_channel_number(channel), 0xb097, 0x1400, &value);
    printf("method 0x1400 is %u, faults: %llu\n", (unsigned)value, (unsigned long long)pfifo_device_faults(device));
    pfifo_device_close(device);
    return value == 42 ? 0 : 1;
}
