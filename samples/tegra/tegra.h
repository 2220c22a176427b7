/* SPDX-License-Identifier: MIT */
/*
 * What the samples share: a program of a Tegra X1 with its files open, memory that the GPU sees, and channels that take
 * lists of commands. Each function is a few calls of pfifo/nvgpu_calls.h, in the order in which libnx makes them. A
 * call that fails ends the program. TRACE='puller.*,engine.*' in the environment prints these events of the GPU
 * (docs/events.md lists all) as it works. RECORD=FILE writes all that is submitted to a capture, for `pfifo run FILE`.
 *
 *   struct tegra tegra;
 *   struct tegra_channel channel;
 *   tegra_open(&tegra);
 *   tegra_channel_open(&tegra, &channel);
 *   struct tegra_buffer buffer = tegra_buffer(&tegra, 4096);      buffer.cpu here, buffer.gpu in commands
 *   PUT(&channel, INCREASING, SUBCHANNEL_COPY, 0x400, 1, 2, 3);
 *   tegra_wait(&tegra, &channel, tegra_submit(&tegra, &channel, NULL));
 *   tegra_close(&tegra);
 */
#ifndef SAMPLES_TEGRA_TEGRA_H
#define SAMPLES_TEGRA_TEGRA_H

#include <pfifo/nvgpu_calls.h>
#include <pfifo/stream.h>
#include <pfifo/trace.h>

#define TEGRA_BUFFERS    16u
#define TEGRA_LIST_BYTES 0x10000u
#define TEGRA_ENTRIES    16u

/* Memory of the program that is mapped for the GPU. */
struct tegra_buffer {
    void *cpu;
    uint64_t gpu;
    uint32_t id; /* number of the memory object, by which the display finds it */
    uint32_t bytes;
};

struct tegra {
    struct pfifo_nvgpu *nvgpu;         /* the driver with its GPU */
    struct pfifo_nvgpu_client *client; /* this program, as the driver knows it */
    int32_t control, nvmap, as;        /* /dev/nvhost-ctrl, /dev/nvmap, /dev/nvhost-as-gpu */
    void *memory[TEGRA_BUFFERS];
    unsigned buffers;
    struct pfifo_trace *trace;
    struct pfifo_stream_writer *record;
    unsigned not_executed; /* methods whose effect is not modelled: an error of a sample */
};

/* A channel, and the list of commands that is being written. */
struct tegra_channel {
    int32_t fd;
    struct pfifo_nvhost_fence fence; /* its syncpoint, and the value that was promised last */
    struct tegra_buffer list;
    uint32_t begin, words;           /* of the list: in entries up to `begin`, written up to `words` */
    uint64_t entries[TEGRA_ENTRIES]; /* that go with the next submission */
    unsigned entry_count;
};

/* Subchannels, to which tegra_channel_open() binds the five engines of a GM20B. The numbers are those of deko3d. */
enum { SUBCHANNEL_3D, SUBCHANNEL_COMPUTE, SUBCHANNEL_INLINE, SUBCHANNEL_2D, SUBCHANNEL_COPY };

/* How a header of a packet says where its words go. */
enum tegra_mode {
    OLD_INCREASING = 0,     /* each to the next method; the format of GPUs before Fermi */
    INCREASING = 1,         /* each to the next method */
    OLD_NON_INCREASING = 2, /* all to the same */
    NON_INCREASING = 3,     /* all to the same */
    IMMEDIATE = 4,          /* one word of 13 bits, in the header itself */
    INCREASE_ONCE = 5,      /* the first to the method, all others to the next one */
};

void tegra_open(struct tegra *tegra);
void tegra_close(struct tegra *tegra);
/* Zero at first. */
struct tegra_buffer tegra_buffer(struct tegra *tegra, uint32_t bytes);
void tegra_channel_open(struct tegra *tegra, struct tegra_channel *channel);

/* Put a packet behind the list. */
void tegra_put(struct tegra_channel *channel, enum tegra_mode mode, uint32_t subchannel, uint32_t method,
               const uint32_t *words, uint32_t count);
#define TEGRA_WORDS(...) (const uint32_t[]){__VA_ARGS__}, sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t)
#define PUT(channel, mode, subchannel, method, ...)                                                                    \
    tegra_put(channel, mode, subchannel, method, TEGRA_WORDS(__VA_ARGS__))

/* A packet whose words are elsewhere, maybe not written yet: they are an entry of their own, between two of the list. */
void tegra_put_from(struct tegra_channel *channel, enum tegra_mode mode, uint32_t subchannel, uint32_t method,
                    uint64_t words, uint32_t count);

/* The two words of an address, upper half first, as methods take it. */
#define HIGH(address)    (uint32_t)((uint64_t)(address) >> 32)
#define LOW(address)     (uint32_t)(address)
#define ADDRESS(address) HIGH(address), LOW(address)

/* Submit what was put, after `after` (NULL: at once). The fence is reached when all of it is done. */
struct pfifo_nvhost_fence tegra_submit(struct tegra *tegra, struct tegra_channel *channel,
                                       const struct pfifo_nvhost_fence *after);
bool tegra_reached(struct tegra *tegra, struct pfifo_nvhost_fence fence);
/* Wait. An error of the channel ends the program. */
void tegra_wait(struct tegra *tegra, struct tegra_channel *channel, struct pfifo_nvhost_fence fence);

/* Print a mistake and end the program, if it is one. */
void tegra_check(bool right, const char *what);

/* Where the byte (x, y) of a picture is in block-linear memory. */
uint32_t tegra_block_linear(uint32_t x, uint32_t y, uint32_t row_bytes, uint32_t block_height_log2);

/* Write a square picture of R G B A, `size` pixels wide. Without libpng, this ends the program. */
void tegra_write_png(const char *path, const uint32_t *pixels, uint32_t size);

#endif
