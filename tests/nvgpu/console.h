/* SPDX-License-Identifier: MIT */
/* A program of a console, as far as tests need one: memory, and its files in the order of libnx. */
#ifndef TESTS_NVGPU_CONSOLE_H
#define TESTS_NVGPU_CONSOLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <pfifo/nvgpu_calls.h>

#define CONSOLE_BASE  UINT64_C(0x8000000000) /* of the program's memory, in its own addresses */
#define CONSOLE_BYTES 0x1000000u
#define CONSOLE_LISTS 0x800000u /* in it: lists of commands; before that are buffers */

struct console {
    struct pfifo_nvgpu *nvgpu;
    bool owns; /* it made the driver */
    struct pfifo_nvgpu_client *client;
    uint8_t *memory;
    uint32_t process;
    int32_t control_gpu, control, nvmap, as, channel;
    uint64_t lists; /* address of the lists on the GPU */
    uint32_t next;  /* bytes of them that are used */
    struct pfifo_nvhost_fence fence;
};

#define assert_ok(call) assert_int_equal((call), PFIFO_NVGPU_OK)

/* A driver with one program, whose channel is ready. */
void console_start(struct console *console);
/* Another program on the same driver. */
void console_join(struct console *console, struct pfifo_nvgpu *nvgpu);
/* The same with a number for the process: the client of console_join() has 1. */
void console_join_as(struct console *console, struct pfifo_nvgpu *nvgpu, uint32_t process);
/* A client for the program that it was, on another driver: its memory, but none of its files is open. */
void console_move(struct console *console, struct pfifo_nvgpu *nvgpu);
void console_stop(struct console *console);
/* When the driver is gone already. */
void console_forget(struct console *console);

/* A channel in the address space. */
int32_t console_channel(struct console *console, struct pfifo_nvhost_fence *fence);

/* A buffer of the program's memory at `offset`; its address on the GPU. */
uint64_t console_buffer(struct console *console, uint32_t offset, uint32_t bytes, uint32_t *handle);

/* An entry of these words, put after the lists before. */
uint64_t console_list(struct console *console, const uint32_t *words, uint32_t count);

/* Submit one list, with an increment after it. */
struct pfifo_nvhost_fence console_submit(struct console *console, int32_t channel, const uint32_t *words,
                                         uint32_t count);

/* A call as an emulator forwards it: its structure goes in, and comes back. */
enum pfifo_nvgpu_result console_call(struct console *console, int32_t fd, uint32_t request, uint32_t *words);

/* A semaphore is released: words of a list. */
#define CONSOLE_RELEASE(address, value) 0x20040004, (uint32_t)((address) >> 32), (uint32_t)(address), (value), 2
/* A semaphore is waited for until it is equal. */
#define CONSOLE_ACQUIRE(address, value) 0x20040004, (uint32_t)((address) >> 32), (uint32_t)(address), (value), 0x1001

uint32_t console_value(struct console *console, uint32_t syncpoint);
uint32_t console_rd32(const struct console *console, uint32_t offset);
void console_wr32(struct console *console, uint32_t offset, uint32_t value);

#define CONSOLE_WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)

#endif
