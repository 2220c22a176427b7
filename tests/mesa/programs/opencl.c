/* SPDX-License-Identifier: MIT */
/*
 * opencl: kernels on the first device, whose results the program knows. It ends with 1 if one is wrong, with 2 if there
 * is no device, and writes the name of the device.
 *
 *   add     a float for each thread, as everybody's first kernel
 *   sum     local memory and barriers in each group, then an atomic addition of all groups
 *   order   a divergent loop: the number of steps from each number to 1
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 1024, GROUP = 64, PLATFORMS = 8 };

static const char source[] = "kernel void add(global const float *a, global const float *b, global float *sum) {\n"
                             "    size_t i = get_global_id(0);\n"
                             "    sum[i] = a[i] + b[i];\n"
                             "}\n"
                             "kernel void sum(global const uint *values, global uint *total, local uint *part) {\n"
                             "    size_t i = get_local_id(0);\n"
                             "    part[i] = values[get_global_id(0)];\n"
                             "    for (size_t half_of = get_local_size(0) / 2; half_of > 0; half_of /= 2) {\n"
                             "        barrier(CLK_LOCAL_MEM_FENCE);\n"
                             "        if (i < half_of)\n"
                             "            part[i] += part[i + half_of];\n"
                             "    }\n"
                             "    if (i == 0)\n"
                             "        atomic_add(total, part[0]);\n"
                             "}\n"
                             "kernel void order(global const uint *values, global uint *steps) {\n"
                             "    uint n = values[get_global_id(0)], count = 0;\n"
                             "    for (; n > 1; count++)\n"
                             "        n = n % 2 ? 3 * n + 1 : n / 2;\n"
                             "    steps[get_global_id(0)] = count;\n"
                             "}\n";

struct device {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    cl_program program;
};

static void expect(cl_int error, const char *what) {
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "opencl: %s: error %d\n", what, (int)error);
    exit(1);
}

static cl_device_id find_device(void) {
    cl_platform_id platforms[PLATFORMS];
    cl_uint count = 0;
    cl_device_id device = NULL;
    expect(clGetPlatformIDs(PLATFORMS, platforms, &count), "platforms");
    for (cl_uint i = 0; i < count && i < PLATFORMS; i++)
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS && device)
            return device;
    exit(2);
}

static void open_device(struct device *device) {
    char name[256] = "";
    const char *text = source;
    cl_int error;
    device->id = find_device();
    expect(clGetDeviceInfo(device->id, CL_DEVICE_NAME, sizeof name, name, NULL), "name");
    puts(name);
    device->context = clCreateContext(NULL, 1, &device->id, NULL, NULL, &error);
    expect(error, "context");
    device->queue = clCreateCommandQueue(device->context, device->id, 0, &error);
    expect(error, "queue");
    device->program = clCreateProgramWithSource(device->context, 1, &text, NULL, &error);
    expect(error, "program");
    expect(clBuildProgram(device->program, 1, &device->id, "", NULL, NULL), "build");
}

/* Words of the host, 0 if there are none. */
static cl_mem buffer(const struct device *device, const void *words, size_t count) {
    static const uint32_t zeros[THREADS];
    uint32_t copy[THREADS];
    const uint32_t *from = words ? words : zeros;
    cl_int error;
    for (size_t i = 0; i < count; i++)
        copy[i] = from[i];
    cl_mem memory = clCreateBuffer(device->context, CL_MEM_COPY_HOST_PTR, count * sizeof copy[0], copy, &error);
    expect(error, "buffer");
    return memory;
}

static cl_kernel kernel(const struct device *device, const char *name, const cl_mem *buffers, cl_uint count) {
    cl_int error;
    cl_kernel found = clCreateKernel(device->program, name, &error);
    expect(error, name);
    for (cl_uint i = 0; i < count; i++)
        expect(clSetKernelArg(found, i, sizeof buffers[i], &buffers[i]), "argument");
    return found;
}

/* All threads of it, and what a buffer has then. */
static void launch(const struct device *device, cl_kernel what, cl_mem result, void *words, size_t count) {
    const size_t threads = THREADS, group = GROUP;
    expect(clEnqueueNDRangeKernel(device->queue, what, 1, NULL, &threads, &group, 0, NULL, NULL), "launch");
    expect(clEnqueueReadBuffer(device->queue, result, CL_TRUE, 0, count * sizeof(uint32_t), words, 0, NULL, NULL),
           "read");
    expect(clReleaseKernel(what), "release");
}

static void check(const char *name, size_t thread, double is, double wanted) {
    if (is == wanted)
        return;
    fprintf(stderr, "opencl: %s: thread %zu has %g, not %g\n", name, thread, is, wanted);
    exit(1);
}

static void add(const struct device *device) {
    float a[THREADS], b[THREADS], sums[THREADS];
    for (int i = 0; i < THREADS; i++) {
        a[i] = (float)i;
        b[i] = 2 * (float)i + 0.5F;
    }
    const cl_mem buffers[] = {buffer(device, a, THREADS), buffer(device, b, THREADS), buffer(device, NULL, THREADS)};
    launch(device, kernel(device, "add", buffers, 3), buffers[2], sums, THREADS);
    for (size_t i = 0; i < THREADS; i++)
        check("add", i, sums[i], a[i] + b[i]);
}

static void sum(const struct device *device) {
    uint32_t values[THREADS], total = 0, wanted = 0;
    for (uint32_t i = 0; i < THREADS; i++) {
        values[i] = i * i;
        wanted += values[i];
    }
    const cl_mem buffers[] = {buffer(device, values, THREADS), buffer(device, NULL, 1)};
    cl_kernel what = kernel(device, "sum", buffers, 2);
    expect(clSetKernelArg(what, 2, GROUP * sizeof(uint32_t), NULL), "local memory");
    launch(device, what, buffers[1], &total, 1);
    check("sum", 0, total, wanted);
}

static uint32_t steps_to_one(uint32_t n) {
    uint32_t count = 0;
    for (; n > 1; count++)
        n = n % 2 ? 3 * n + 1 : n / 2;
    return count;
}

static void order(const struct device *device) {
    uint32_t values[THREADS], steps[THREADS];
    for (uint32_t i = 0; i < THREADS; i++)
        values[i] = i + 1;
    const cl_mem buffers[] = {buffer(device, values, THREADS), buffer(device, NULL, THREADS)};
    launch(device, kernel(device, "order", buffers, 2), buffers[1], steps, THREADS);
    for (size_t i = 0; i < THREADS; i++)
        check("order", i, steps[i], steps_to_one(values[i]));
}

int main(void) {
    struct device device;
    open_device(&device);
    add(&device);
    sum(&device);
    order(&device);
    return 0;
}
