/* SPDX-License-Identifier: MIT */
/*
 * The part of an emulator of a console that is about its GPU: memory of processes by callback, a thread for the GPU
 * behind a lock, events, two processes that share a buffer, the display's vertical blank, what is not executed, save
 * and load. The programs of the two processes are at the end; in an emulator they are guests, and their calls come from
 * the service nvdrv.
 */
#include <pfifo/nvgpu_calls.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE       4096u
#define PAGES      256u                /* of a process */
#define BASE       UINT64_C(0x8000000) /* where its memory begins, in its own addresses */
#define SLICE      60000u              /* units of a budget: about a millisecond */
#define MOST_BYTES (16u << 20)         /* of a saved state */
#define EVENTS     64u

static void check(bool good, const char *what) {
    if (good)
        return;
    fprintf(stderr, "%s: failed\n", what);
    exit(1);
}

/* ---- memory of a process ---- */

/* Its pages are wherever the emulator has put them. */
struct process {
    uint32_t number;
    uint8_t *page[PAGES];
    struct pfifo_nvgpu_client *client;
};

/*
 * Called when the process gives memory to an object of nvmap, and not when the GPU uses it. The pages must stay where
 * they are until nvmap has freed the object.
 */
static void *memory_at(void *opaque, uint64_t address, uint64_t *bytes) {
    const struct process *process = opaque;
    uint64_t offset = address - BASE, in_page = offset % PAGE;
    if (address < BASE || offset / PAGE >= PAGES)
        return NULL; /* the process has no memory there */
    if (*bytes > PAGE - in_page)
        *bytes = PAGE - in_page; /* the next page may be anywhere */
    return process->page[offset / PAGE] + in_page;
}

static void join(struct process *process, uint32_t number, struct pfifo_nvgpu *nvgpu) {
    struct pfifo_nvgpu_memory memory = {.size = sizeof memory, .at = memory_at, .opaque = process, .process = number};
    process->number = number;
    process->client = pfifo_nvgpu_client_new(nvgpu, &memory, NULL);
    check(process->client != NULL, "a client");
}

/* ---- the GPU and its thread ---- */

/* All of pfifo/nvgpu.h belongs to who holds the lock. */
struct console {
    pthread_mutex_t lock;
    pthread_cond_t work;   /* there is something to do for the GPU */
    pthread_cond_t change; /* an event has been signalled */
    pthread_t thread;
    struct pfifo_nvgpu *nvgpu;
    bool has_work, ends;
    bool signalled[EVENTS];
    unsigned not_executed;
};

/*
 * An event is signalled, or no longer. It is called with the lock held, by the thread of the GPU or from within a call,
 * and may not call back. An emulator signals the guest's kernel object.
 */
static void event(void *opaque, uint32_t number, bool signalled) {
    struct console *console = opaque;
    if (number < EVENTS)
        console->signalled[number] = signalled;
    pthread_cond_broadcast(&console->change);
}

/* A method was stored, but its effect is not modelled: a guest will miss something. `text` may say what. */
static void not_executed(void *opaque, const struct pfifo_event *what) {
    struct console *console = opaque;
    if (console->not_executed++ == 0)
        printf("not executed: class %04x, method 0x%04x%s%s\n", (unsigned)what->value[0], (unsigned)what->value[1],
               what->text && *what->text ? ", " : "", what->text ? what->text : "");
}

/* A guest's mistake: its channel gets an error and ends. */
static void fault(void *opaque, const struct pfifo_device_fault *what) {
    (void)opaque;
    printf("channel %u: %s %s\n", (unsigned)what->channel, what->unit, what->error);
}

static struct pfifo_nvgpu *new_gpu(struct console *console) {
    struct pfifo_error error = {0};
    const struct pfifo_nvgpu_config config = {.size = sizeof config,
                                              .budget = 1, /* calls do not run the GPU: its thread does */
                                              .event = event,
                                              .opaque = console,
                                              .device = {.fault = fault, .opaque = console}};
    struct pfifo_nvgpu *nvgpu = pfifo_nvgpu_new(&config, &error);
    if (!nvgpu || pfifo_gpu_observe(pfifo_device_gpu(pfifo_nvgpu_device(nvgpu)), "engine.not_executed", not_executed,
                                    console, &error) != PFIFO_OK) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    return nvgpu;
}

/* A millisecond at a time, so that calls need not wait longer for the lock. */
static void *run_gpu(void *opaque) {
    struct console *console = opaque;
    pthread_mutex_lock(&console->lock);
    while (!console->ends) {
        if (!console->has_work) {
            pthread_cond_wait(&console->work, &console->lock);
            continue;
        }
        console->has_work = pfifo_nvgpu_run(console->nvgpu, SLICE) == PFIFO_STOP_BUDGET;
        pthread_mutex_unlock(&console->lock);
        pthread_mutex_lock(&console->lock);
    }
    pthread_mutex_unlock(&console->lock);
    return NULL;
}

/* Around each call of a guest: what it has submitted, or released by a wait that is over, is for the thread. */
static void begin_call(struct console *console) {
    pthread_mutex_lock(&console->lock);
}

static void end_call(struct console *console) {
    console->has_work = true;
    pthread_cond_signal(&console->work);
    pthread_mutex_unlock(&console->lock);
}

/* The thread of the display: 60 times a second. A program that waits for syncpoint 26 gets its event. */
static void vertical_blank(struct console *console) {
    begin_call(console);
    pfifo_nvgpu_vblank(console->nvgpu, 0, NULL);
    end_call(console);
}

static void start(struct console *console) {
    pthread_mutex_init(&console->lock, NULL);
    pthread_cond_init(&console->work, NULL);
    pthread_cond_init(&console->change, NULL);
    console->nvgpu = new_gpu(console);
    check(pthread_create(&console->thread, NULL, run_gpu, console) == 0, "a thread");
}

static void stop(struct console *console) {
    pthread_mutex_lock(&console->lock);
    console->ends = true;
    pthread_cond_signal(&console->work);
    pthread_mutex_unlock(&console->lock);
    pthread_join(console->thread, NULL);
    pfifo_nvgpu_free(console->nvgpu); /* and its clients */
}

/* ---- save and load ---- */

struct state {
    uint8_t *gpu, *memory;
    size_t bytes;
};

static bool keep(void *opaque, const void *data, size_t bytes) {
    struct state *state = opaque;
    if (bytes > MOST_BYTES - state->bytes)
        return false;
    memcpy(state->gpu + state->bytes, data, bytes);
    state->bytes += bytes;
    return true;
}

/* With the lock held, between two calls. Memory of the processes is the emulator's to save. */
static void save(struct console *console, const struct process *processes, unsigned count, struct state *state) {
    pthread_mutex_lock(&console->lock);
    check(pfifo_nvgpu_save(console->nvgpu, keep, state, NULL) == PFIFO_OK, "save");
    for (unsigned i = 0; i < count * PAGES; i++)
        memcpy(state->memory + (size_t)i * PAGE, processes[i / PAGES].page[i % PAGES], PAGE);
    pthread_mutex_unlock(&console->lock);
}

/* Into a new GPU: first clients with the same numbers, and their memory; then the state. */
static void load(struct console *console, struct process *processes, unsigned count, const struct state *state) {
    pthread_mutex_lock(&console->lock);
    pfifo_nvgpu_free(console->nvgpu);
    console->nvgpu = new_gpu(console);
    for (unsigned i = 0; i < count * PAGES; i++)
        memcpy(processes[i / PAGES].page[i % PAGES], state->memory + (size_t)i * PAGE, PAGE);
    for (unsigned i = 0; i < count; i++)
        join(&processes[i], processes[i].number, console->nvgpu);
    check(pfifo_nvgpu_load(console->nvgpu, state->gpu, state->bytes, NULL) == PFIFO_OK, "load");
    for (uint32_t i = 0; i < EVENTS; i++)
        console->signalled[i] = pfifo_nvgpu_event_signalled(console->nvgpu, i, false);
    console->has_work = true;
    pthread_cond_signal(&console->work);
    pthread_mutex_unlock(&console->lock);
}

/* ---- the programs: what guests do ---- */

#define HIGH(address) (uint32_t)((address) >> 32)
#define LOW(address)  (uint32_t)(address)

struct program {
    struct console *console;
    struct process *process;
    int32_t nvmap, as, channel, control;
    uint32_t handle;
    uint64_t address; /* on the GPU, of all its memory: commands are in page 0, a picture in page 1 */
};

static int32_t open_file(const struct program *program, const char *path) {
    int32_t fd = -1;
    check(pfifo_nvgpu_open(program->process->client, path, &fd) == PFIFO_NVGPU_OK, path);
    return fd;
}

static uint64_t map(const struct program *program, uint32_t handle) {
    struct pfifo_nvhost_as_map map = {.flags = PFIFO_NVHOST_AS_MAP_CACHEABLE, .handle = handle, .page_bytes = 0x10000};
    check(pfifo_nvhost_as_map_buffer(program->process->client, program->as, &map) == PFIFO_NVGPU_OK, "map");
    return map.address;
}

static void open_program(struct program *program) {
    struct pfifo_nvgpu_client *client = program->process->client;
    begin_call(program->console);
    program->control = open_file(program, "/dev/nvhost-ctrl");
    program->nvmap = open_file(program, "/dev/nvmap");
    program->as = open_file(program, "/dev/nvhost-as-gpu");
    program->channel = open_file(program, "/dev/nvhost-gpu");
    check(!pfifo_nvhost_as_initialize(client, program->as, 0x10000) &&
              !pfifo_nvhost_as_bind_channel(client, program->as, program->channel) &&
              !pfifo_nvhost_gpu_alloc_gpfifo(client, program->channel, 0x100, NULL) &&
              !pfifo_nvmap_create(client, program->nvmap, PAGES * PAGE, &program->handle) &&
              !pfifo_nvmap_alloc(client, program->nvmap, program->handle, 0x10000, 0, false, BASE),
          "a channel");
    program->address = map(program, program->handle);
    end_call(program->console);
}

/* Commands in page 0; after `wait`, if there is one. What it gives is reached when they are done. */
static struct pfifo_nvhost_fence submit(const struct program *program, const uint32_t *words, uint32_t count,
                                        const struct pfifo_nvhost_fence *wait) {
    struct pfifo_nvhost_fence fence = wait ? *wait : (struct pfifo_nvhost_fence){0};
    uint64_t entry = pfifo_nvhost_gpu_entry(program->address, count, 0x200);
    begin_call(program->console);
    memcpy(program->process->page[0], words, count * sizeof words[0]);
    check(!pfifo_nvhost_gpu_submit(program->process->client, program->channel, &entry, 1,
                                   PFIFO_NVHOST_SUBMIT_INCREMENT | (wait ? PFIFO_NVHOST_SUBMIT_WAIT : 0), &fence),
          "submit");
    end_call(program->console);
    return fence;
}

/* As libnx waits: for the syncpoint, else for the event of the wait. */
static void wait_for(const struct program *program, struct pfifo_nvhost_fence fence, uint32_t slot) {
    struct pfifo_nvgpu_client *client = program->process->client;
    struct console *console = program->console;
    uint32_t number = 0;
    begin_call(console);
    check(!pfifo_nvhost_ctrl_register(client, program->control, slot) &&
              !pfifo_nvgpu_query_event(client, program->control, 0x10000000 | slot, &number) && number < EVENTS,
          "an event");
    enum pfifo_nvgpu_result result = pfifo_nvhost_ctrl_wait_async(client, program->control, &fence, -1, slot);
    console->has_work = true;
    pthread_cond_signal(&console->work);
    while (result == PFIFO_NVGPU_TIMEOUT && !console->signalled[number])
        pthread_cond_wait(&console->change, &console->lock);
    end_call(console);
}

/* The first fills its picture; the second, to which it gives the picture's number, copies that when it is done. */
static void fill_and_show(const struct program *application, const struct program *compositor, uint32_t color) {
    uint64_t picture = application->address + PAGE, screen = compositor->address + PAGE, from;
    uint32_t id, handle;
    const uint32_t fill[] = {0x20018000, 0xb0b5, /* the copy engine writes */
                             0x200381c0, color,         0,
                             0x00030004,                              /* a colour */
                             0x20028102, HIGH(picture), LOW(picture), /* to the picture, */
                             0x20028106, PAGE / 4,      1,
                             0x200180c0, 0x00000586}; /* as many pixels */
    const struct pfifo_nvhost_fence done = submit(application, fill, sizeof fill / 4, NULL);
    begin_call(application->console);
    check(!pfifo_nvmap_get_id(application->process->client, application->nvmap, application->handle, &id) &&
              !pfifo_nvmap_from_id(compositor->process->client, compositor->nvmap, id, &handle),
          "a buffer of two");
    from = map(compositor, handle) + PAGE;
    end_call(application->console);
    const uint32_t copy[] = {0x20018000,  0xb0b5,     0x20048100, HIGH(from), LOW(from),  HIGH(screen),
                             LOW(screen), 0x20028106, PAGE,       1,          0x200180c0, 0x186};
    wait_for(compositor, submit(compositor, copy, sizeof copy / 4, &done), 1);
}

static uint32_t shown(const struct program *compositor) {
    uint32_t pixel;
    memcpy(&pixel, compositor->process->page[1] + PAGE - 4, sizeof pixel);
    return pixel;
}

int main(void) {
    static struct console console;
    static struct process processes[2];
    struct state state = {.gpu = malloc(MOST_BYTES), .memory = malloc((size_t)2 * PAGES * PAGE)};
    struct program application = {&console, &processes[0]}, compositor = {&console, &processes[1]};
    check(state.gpu && state.memory, "memory");
    start(&console);
    for (unsigned i = 0; i < 2; i++) {
        for (unsigned k = 0; k < PAGES; k++)
            check((processes[i].page[k] = calloc(1, PAGE)) != NULL, "memory");
        join(&processes[i], i + 1, console.nvgpu);
    }
    open_program(&application);
    open_program(&compositor);
    fill_and_show(&application, &compositor, 0xff112233);
    printf("on the screen: %08x\n", (unsigned)shown(&compositor));

    vertical_blank(&console);
    wait_for(&compositor, (struct pfifo_nvhost_fence){26, 1}, 2);
    printf("a vertical blank\n");

    save(&console, processes, 2, &state);
    fill_and_show(&application, &compositor, 0xff445566);
    load(&console, processes, 2, &state);
    printf("as it was: %08x\n", (unsigned)shown(&compositor));

    const uint32_t patches[] = {0x20010000, 0xb197, 0x20010586, 14, 0x2001035e, 3}; /* without programs for them */
    wait_for(&application, submit(&application, patches, sizeof patches / 4, NULL), 3);
    printf("not executed: %u\n", console.not_executed);
    stop(&console);
    for (unsigned i = 0; i < 2 * PAGES; i++)
        free(processes[i / PAGES].page[i % PAGES]);
    free(state.gpu);
    free(state.memory);
    return 0;
}
