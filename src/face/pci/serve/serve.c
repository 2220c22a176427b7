/* SPDX-License-Identifier: MIT */
#include "face/pci/serve/serve.h"

#include "face/pci/serve/event_fd.h"

void serve_begin(struct serve *serve, int client, int qtest) {
    *serve = (struct serve){.port = {.fd = -1}};
    mpqemu_begin(&serve->client, client);
    interrupts_begin(&serve->interrupts, qtest);
}

void serve_end(struct serve *serve) {
    mpqemu_end(&serve->client);
    if (serve->card)
        guest_ram_clear(&serve->ram, serve->card);
    interrupts_end(&serve->interrupts);
}

void serve_intx(void *opaque, bool level) {
    struct serve *serve = opaque;

    interrupts_level(&serve->interrupts, level);
}

void serve_msi(void *opaque, uint64_t address, uint32_t data) {
    struct serve *serve = opaque;

    interrupts_message(&serve->interrupts, address, data);
}

/* ---- messages ---- */

static uint64_t bar_access(struct serve *serve, const struct mpqemu_bar_access *bar, bool write) {
    uint64_t offset, value = UINT64_MAX >> (64 - 8 * bar->bytes);
    uint8_t data[sizeof value] = {0};
    unsigned region;

    /* Where no card answers, the bus has all ones. */
    if (!pfifo_pci_find(serve->card, bar->ports, bar->address, &region, &offset))
        return write ? 0 : value;
    for (unsigned i = 0; write && i < bar->bytes; i++)
        data[i] = (uint8_t)(bar->value >> 8 * i);
    if (write) {
        pfifo_pci_region_write(serve->card, region, offset, data, bar->bytes);
        return 0;
    }
    pfifo_pci_region_read(serve->card, region, offset, data, bar->bytes);
    value = 0;
    for (unsigned i = 0; i < bar->bytes; i++)
        value |= (uint64_t)data[i] << 8 * i;
    return value;
}

/* A value of all ones and 64 bits is an error to QEMU: the read is of as many bytes as were asked for. */
static uint64_t config_read(struct serve *serve, const struct mpqemu_config_access *config) {
    return pfifo_pci_config_read(serve->card, config->offset, config->bytes) & UINT32_MAX >> (32 - 8 * config->bytes);
}

static enum pfifo_status take_eventfds(struct serve *serve, struct mpqemu_message *message, struct pfifo_error *error) {
    if (!event_fd_is(message->fds[0]) || !event_fd_is(message->fds[1]))
        return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "SET_IRQFD with a descriptor that is no eventfd");
    interrupts_set_eventfds(&serve->interrupts, message->fds[0], message->fds[1]);
    message->fds[0] = message->fds[1] = -1;
    return PFIFO_OK;
}

/* The lines of an access are with QEMU before its answer is, so that an acknowledged interrupt is down. */
static enum pfifo_status serve_answer(struct serve *serve, uint64_t value, struct pfifo_error *error) {
    interrupts_settle(&serve->interrupts);
    return mpqemu_answer(&serve->client, value, error);
}

static enum pfifo_status do_message(struct serve *serve, struct pfifo_error *error) {
    struct mpqemu_message *message = &serve->client.message;
    enum pfifo_status status;

    switch (message->command) {
    case MPQEMU_SYNC_SYSMEM:
        return guest_ram_set(&serve->ram, serve->card, message, error);
    case MPQEMU_SET_IRQFD:
        return take_eventfds(serve, message, error);
    case MPQEMU_CONFIG_READ:
        return serve_answer(serve, config_read(serve, &message->config), error);
    case MPQEMU_CONFIG_WRITE:
        pfifo_pci_config_write(serve->card, message->config.offset, message->config.bytes, message->config.value);
        return serve_answer(serve, 0, error);
    case MPQEMU_BAR_READ:
    case MPQEMU_BAR_WRITE:
        return serve_answer(serve, bar_access(serve, &message->bar, message->command == MPQEMU_BAR_WRITE), error);
    case MPQEMU_DEVICE_RESET:
        status = pfifo_pci_reset(serve->card, error);
        /* QEMU's main thread waits, which would read our lines. */
        return status == PFIFO_OK ? mpqemu_answer(&serve->client, 0, error) : status;
    case MPQEMU_RET:
    case MPQEMU_COMMANDS:
        break;
    }
    return pfifo_error_set(error, PFIFO_ERROR_FORMAT, "message with the unknown command %d", (int)message->command);
}

static enum serve_state serve_take_message(struct serve *serve, struct pfifo_error *error) {
    switch (mpqemu_receive(&serve->client, error)) {
    case MPQEMU_MORE:
        return SERVE_GOES_ON;
    case MPQEMU_CLOSED:
        return SERVE_ENDED;
    case MPQEMU_BROKEN:
        return SERVE_BROKEN;
    case MPQEMU_MESSAGE:
        break;
    }
    enum pfifo_status status = do_message(serve, error);
    mpqemu_done(&serve->client);
    pump_wake(&serve->pump);
    return status == PFIFO_OK ? SERVE_GOES_ON : SERVE_BROKEN;
}

/* ---- the loop ---- */

enum serve_state serve_turn(void *opaque, int stop, struct pfifo_error *error) {
    struct serve *serve = opaque;
    struct interrupts *interrupts = &serve->interrupts;
    struct pollfd fds[] = {
        {.fd = serve->client.fd, .events = POLLIN},
        {.fd = stop, .events = POLLIN},
        {.fd = interrupts->qtest, .events = (short)(POLLIN | (interrupts->out_used ? POLLOUT : 0))},
        {.fd = interrupts->resample, .events = POLLIN},
        {.fd = serve->port.fd, .events = POLLIN},
    };
    enum serve_state state = SERVE_GOES_ON;

    if (pump_wait(fds, sizeof fds / sizeof fds[0], serve->pump.wait)) {
        if (fds[2].revents)
            interrupts_move(interrupts);
        if (fds[3].revents)
            interrupts_resample(interrupts);
        if (fds[4].revents)
            pump_port_take(&serve->port);
        if (fds[0].revents)
            state = serve_take_message(serve, error);
        if (state == SERVE_GOES_ON && fds[1].revents)
            return SERVE_ENDED;
    }
    if (state == SERVE_GOES_ON)
        pump_run(&serve->pump, serve->card);
    if (state == SERVE_GOES_ON && interrupts->error.status != PFIFO_OK) {
        pfifo_error_set(error, interrupts->error.status, "%s", interrupts->error.message);
        return SERVE_BROKEN;
    }
    return state;
}

enum pfifo_status serve_run(struct serve *serve, int stop, struct pfifo_error *error) {
    return pump_loop(serve_turn, serve, stop, error);
}
